/*
 * decode.c - what decoding the current frame gives, and may cost
 */

#include <string.h>

#include "codec.h"
#include "lib/image.h"
#include "lib/pipeline.h"
#include "pixel/orient.h"

/* The options of this library's size, from those of the caller's header. */
static bool
options_read(struct imgsniff_decode_options *to,
	     const struct imgsniff_decode_options *from)
{
	memset(to, 0, sizeof(*to));
	if (from != NULL) {
		if (from->struct_size < offsetof(struct imgsniff_decode_options,
						 fit_width))
			return false;
		memcpy(to, from, from->struct_size < sizeof(*to)
				 ? from->struct_size : sizeof(*to));
	}
	if (to->layout == 0)
		to->layout = IMGSNIFF_RGBA8;
	return isn_pixel_size(to->layout) != 0;
}

static enum imgsniff_status
fail_limit(struct imgsniff_decoder *d, const char *message)
{
	return isn_fail(d, IMGSNIFF_ERR_LIMIT, IMGSNIFF_NO_OFFSET, message);
}

/* What decoding the current frame may cost: the pixels really decoded count. */
static enum imgsniff_status
limits_check(struct imgsniff_decoder *d, const struct isn_plan *plan)
{
	const struct imgsniff_limits *l = &d->limits;
	uint64_t pixels = (uint64_t)plan->width * plan->height;

	if (plan->width > l->max_dimension || plan->height > l->max_dimension)
		return fail_limit(d, "size: wider or higher than max-dimension "
				     "allows");
	if (pixels > l->max_pixels)
		return fail_limit(d, "size: more pixels than max-pixels allows");
	if (d->frame.index >= l->max_frames)
		return fail_limit(d, "frames: more than max-frames allows");
	/* With IMGSNIFF_HEAD nothing tells of more frames until they are met. */
	if ((d->info.animated || d->frame.index > 0) &&
	    d->frame.index >= l->max_animation_pixels / pixels)
		return fail_limit(d, "frames: more pixels in all than "
				     "max-animation-pixels allows");
	return IMGSNIFF_OK;
}

/* a * b / c, rounded, at least 1. */
static uint32_t
side_scale(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t side = ((uint64_t)a * b + c / 2) / c;

	return side > 0 ? (uint32_t)side : 1;
}

/* The largest size of the plan's shape that fits inside, never a larger one. */
static void
plan_fit(struct isn_plan *plan, uint32_t fit_width, uint32_t fit_height)
{
	const uint32_t w = plan->width, h = plan->height;

	if (fit_width == 0)
		fit_width = UINT32_MAX;
	if (fit_height == 0)
		fit_height = UINT32_MAX;
	if (w <= fit_width && h <= fit_height)
		return;
	if ((uint64_t)fit_width * h <= (uint64_t)fit_height * w) {
		plan->fitted_width = fit_width;
		plan->fitted_height = side_scale(h, fit_width, w);
	} else {
		plan->fitted_width = side_scale(w, fit_height, h);
		plan->fitted_height = fit_height;
	}
}

/* Enough left that the filter, not the decoder, makes the picture. */
static bool
side_suffices(uint32_t decoded, uint32_t fitted)
{
	return (uint64_t)decoded * 2 >= (uint64_t)fitted * 3;
}

static void
plan_shrink(struct isn_plan *plan, unsigned int max_shrink)
{
	const uint32_t width = plan->width, height = plan->height;

	for (unsigned int s = 2; s <= max_shrink && s <= 8; s *= 2) {
		uint32_t w = width / s + (width % s != 0);
		uint32_t h = height / s + (height % s != 0);

		if (!side_suffices(w, plan->fitted_width) ||
		    !side_suffices(h, plan->fitted_height))
			return;
		plan->shrink = s;
		plan->width = w;
		plan->height = h;
	}
}

/*
 * A codec scales fast and not so well: it goes down to this many times the final
 * size. With libwebp's scaler that is 47 to 54 dB from the picture that was
 * decoded at full size; with 2 it is 45 to 51, with 1.5 it is 42 to 47. Of 12
 * million pixels, to 256 x 192, it takes 81 ms, at full size 122, with 1.5 76.
 */
#define SCALED_FIRST	3

static void
plan_scale(struct isn_plan *plan)
{
	const uint64_t width = (uint64_t)plan->fitted_width * SCALED_FIRST;
	const uint64_t height = (uint64_t)plan->fitted_height * SCALED_FIRST;

	if (width >= plan->width || height >= plan->height)
		return;
	plan->width = (uint32_t)width;
	plan->height = (uint32_t)height;
}

static enum imgsniff_status
plan_check(struct imgsniff_decoder *d,
	   const struct imgsniff_decode_options *o)
{
	if (d->codec == NULL)
		return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
				"call: no image is open");
	if (o == NULL)
		return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
				"call: bad decode options");
	if (!d->can_decode && d->open_error.status != IMGSNIFF_OK) {
		d->error = d->open_error;
		return d->error.status;
	}
	if (!d->can_decode || d->info.width == 0 || d->info.height == 0)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, IMGSNIFF_NO_OFFSET,
				"size: the headers do not tell it");
	return IMGSNIFF_OK;
}

static enum imgsniff_status
plan_make(struct imgsniff_decoder *d,
	  const struct imgsniff_decode_options *options, struct isn_plan *plan)
{
	struct imgsniff_decode_options o;
	bool valid = options_read(&o, options);
	enum imgsniff_status st = plan_check(d, valid ? &o : NULL);
	bool swaps;

	if (st != IMGSNIFF_OK)
		return st;
	*plan = (struct isn_plan){
		.layout = o.layout,
		.shrink = 1,
		.width = d->info.width,
		.height = d->info.height,
		.fitted_width = d->info.width,
		.fitted_height = d->info.height,
		.orientation = 1,
		.srgb = o.flags & IMGSNIFF_SRGB,
		.keep_damaged = o.flags & IMGSNIFF_KEEP_DAMAGED,
		.whole = o.flags & IMGSNIFF_ORIENT,
	};
	if (o.flags & IMGSNIFF_ORIENT && d->info.orientation >= 2 &&
	    d->info.orientation <= 8)
		plan->orientation = d->info.orientation;
	if (o.fit_width != 0 || o.fit_height != 0) {
		swaps = isn_orient_swaps(plan->orientation);
		plan_fit(plan, swaps ? o.fit_height : o.fit_width,
			 swaps ? o.fit_width : o.fit_height);
	}
	if (isn_plan_scales(plan)) {
		plan->whole = true;
		plan_shrink(plan, d->codec->max_shrink);
	}
	st = limits_check(d, plan);
	if (st == IMGSNIFF_OK && isn_plan_scales(plan) &&
	    d->codec->scales != NULL && d->codec->scales(d))
		plan_scale(plan);
	return st;
}

static void
plan_size(const struct isn_plan *plan, uint32_t *width, uint32_t *height)
{
	bool swaps = isn_orient_swaps(plan->orientation);

	*width = swaps ? plan->fitted_height : plan->fitted_width;
	*height = swaps ? plan->fitted_width : plan->fitted_height;
}

static enum imgsniff_status
no_place(struct imgsniff_decoder *d)
{
	return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
			"call: there is no place for the result");
}

IMGSNIFF_API enum imgsniff_status
imgsniff_output_size(struct imgsniff_decoder *d,
		     const struct imgsniff_decode_options *options,
		     uint32_t *width, uint32_t *height)
{
	struct isn_plan plan;
	enum imgsniff_status st;

	if (width == NULL || height == NULL)
		return no_place(d);
	st = plan_make(d, options, &plan);
	*width = *height = 0;
	if (st == IMGSNIFF_OK)
		plan_size(&plan, width, height);
	return st;
}

/* Up to here a caller of any version has all of it. */
#define PIXMAP_NEEDED	offsetof(struct imgsniff_pixmap, rows_valid)
#define PIXMAP_ROWS	(PIXMAP_NEEDED + sizeof(uint32_t))

static bool
pixmap_fits(const struct imgsniff_pixmap *dst, const struct isn_plan *plan)
{
	size_t row = imgsniff_row_size(dst->layout, dst->width);
	uint32_t width, height;

	plan_size(plan, &width, &height);
	if (dst->pixels == NULL || row == 0 || dst->width != width ||
	    dst->height != height || dst->stride < row || dst->size < row)
		return false;
	return height == 1 || dst->stride <= (dst->size - row) / (height - 1);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_decode_into(struct imgsniff_decoder *d,
		     const struct imgsniff_decode_options *options,
		     struct imgsniff_pixmap *dst)
{
	struct imgsniff_pixmap map = { .struct_size = 0 };
	struct isn_plan plan;
	enum imgsniff_status st;

	if (dst == NULL)
		return no_place(d);
	if (dst->struct_size >= PIXMAP_ROWS)
		dst->rows_valid = 0;
	st = plan_make(d, options, &plan);
	if (st != IMGSNIFF_OK)
		return st;
	if (dst->struct_size >= PIXMAP_NEEDED)
		memcpy(&map, dst, PIXMAP_NEEDED);
	if (!pixmap_fits(&map, &plan))
		return isn_fail(d, IMGSNIFF_ERR_BUFFER, IMGSNIFF_NO_OFFSET,
				"call: the pixmap does not fit the image");
	plan.layout = map.layout;
	st = isn_pipeline_run(d, &plan, &map);
	if (dst->struct_size >= PIXMAP_ROWS)
		dst->rows_valid = map.rows_valid;
	return st;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_decode(struct imgsniff_decoder *d,
		const struct imgsniff_decode_options *options,
		struct imgsniff_image **image)
{
	struct isn_plan plan;
	enum imgsniff_status st;
	uint32_t width, height;
	size_t size;

	if (image == NULL)
		return no_place(d);
	*image = NULL;
	st = plan_make(d, options, &plan);
	if (st != IMGSNIFF_OK)
		return st;
	plan_size(&plan, &width, &height);
	size = imgsniff_image_size(plan.layout, width, height);
	if (size == 0 || !isn_memory_reserve(&d->memory, size))
		return fail_limit(d, "memory: needs more than max-memory allows");
	*image = isn_image_new(&d->memory.allocator, plan.layout, width, height);
	if (*image == NULL)
		st = isn_fail(d, IMGSNIFF_ERR_MEMORY, IMGSNIFF_NO_OFFSET,
			      "decode: no memory left for the pixels");
	else
		st = isn_pipeline_run(d, &plan, &(*image)->map);
	isn_memory_release(&d->memory, size);
	if (st != IMGSNIFF_OK && *image != NULL &&
	    (*image)->map.rows_valid == 0) {
		imgsniff_image_free(*image);
		*image = NULL;
	}
	return st;
}
