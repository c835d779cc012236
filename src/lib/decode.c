/*
 * decode.c - the current frame to the caller's pixels
 */

#include <string.h>

#include "codec.h"
#include "lib/image.h"

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

/* What decoding the current frame may cost. */
static enum imgsniff_status
limits_check(struct imgsniff_decoder *d)
{
	const struct imgsniff_limits *l = &d->limits;
	uint64_t pixels = (uint64_t)d->info.width * d->info.height;

	if (d->info.width > l->max_dimension ||
	    d->info.height > l->max_dimension)
		return fail_limit(d, "size: wider or higher than max-dimension "
				     "allows");
	if (pixels > l->max_pixels)
		return fail_limit(d, "size: more pixels than max-pixels allows");
	if (d->frame.index >= l->max_frames)
		return fail_limit(d, "frames: more than max-frames allows");
	if (d->info.animated && pixels != 0 &&
	    d->frame.index >= l->max_animation_pixels / pixels)
		return fail_limit(d, "frames: more pixels in all than "
				     "max-animation-pixels allows");
	return IMGSNIFF_OK;
}

/* Is there an image that can be decoded, and are the options valid? */
static enum imgsniff_status
decode_check(struct imgsniff_decoder *d,
	     const struct imgsniff_decode_options *options,
	     struct imgsniff_decode_options *o)
{
	if (d->codec == NULL)
		return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
				"call: no image is open");
	if (!options_read(o, options))
		return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
				"call: bad decode options");
	if (!d->can_decode)	/* open() has said why */
		return d->error.status != IMGSNIFF_OK ? d->error.status
			: isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED,
				   IMGSNIFF_NO_OFFSET,
				   "format: detected, not decoded");
	return limits_check(d);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_output_size(struct imgsniff_decoder *d,
		     const struct imgsniff_decode_options *options,
		     uint32_t *width, uint32_t *height)
{
	struct imgsniff_decode_options o;
	enum imgsniff_status st = decode_check(d, options, &o);

	*width = *height = 0;
	if (st != IMGSNIFF_OK)
		return st;
	*width = d->info.width;
	*height = d->info.height;
	return IMGSNIFF_OK;
}

static bool
pixmap_fits(const struct imgsniff_pixmap *dst, uint32_t width, uint32_t height)
{
	size_t row = imgsniff_row_size(dst->layout, width);

	if (dst->pixels == NULL || row == 0 || dst->width != width ||
	    dst->height != height || height == 0 || dst->stride < row ||
	    dst->size < row)
		return false;
	return height == 1 || dst->stride <= (dst->size - row) / (height - 1);
}

static void
rows_clear(const struct imgsniff_pixmap *dst, uint32_t from)
{
	size_t row = imgsniff_row_size(dst->layout, dst->width);

	for (uint32_t y = from; y < dst->height; y++)
		memset(isn_pixmap_row(dst, y), 0, row);
}

/* Decodes and leaves no row uninitialised, whatever happens. */
static enum imgsniff_status
decode_frame(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	enum imgsniff_status st;

	dst->rows_valid = 0;
	if (d->backend == NULL)
		st = isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, IMGSNIFF_NO_OFFSET,
			      "format: no decoder for it is built in");
	else
		st = d->backend->decode(d, dst);
	if (st == IMGSNIFF_OK) {
		dst->rows_valid = dst->height;
		return st;
	}
	if (!d->keep_damaged)
		dst->rows_valid = 0;
	rows_clear(dst, dst->rows_valid);
	return st;
}

static enum imgsniff_status
decode_to(struct imgsniff_decoder *d, const struct imgsniff_decode_options *o,
	  struct imgsniff_pixmap *dst)
{
	d->keep_damaged = o->flags & IMGSNIFF_KEEP_DAMAGED;
	d->shrink = 1;
	return decode_frame(d, dst);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_decode_into(struct imgsniff_decoder *d,
		     const struct imgsniff_decode_options *options,
		     struct imgsniff_pixmap *dst)
{
	struct imgsniff_decode_options o;
	enum imgsniff_status st;
	uint32_t width, height;

	st = imgsniff_output_size(d, options, &width, &height);
	if (st != IMGSNIFF_OK)
		return st;
	options_read(&o, options);
	if (dst->struct_size < sizeof(*dst) || !pixmap_fits(dst, width, height))
		return isn_fail(d, IMGSNIFF_ERR_BUFFER, IMGSNIFF_NO_OFFSET,
				"call: the pixmap does not fit the image");
	o.layout = dst->layout;
	return decode_to(d, &o, dst);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_decode(struct imgsniff_decoder *d,
		const struct imgsniff_decode_options *options,
		struct imgsniff_image **image)
{
	struct imgsniff_decode_options o;
	enum imgsniff_status st;
	uint32_t width, height;
	size_t size;

	*image = NULL;
	st = imgsniff_output_size(d, options, &width, &height);
	if (st != IMGSNIFF_OK)
		return st;
	options_read(&o, options);
	size = imgsniff_image_size(o.layout, width, height);
	if (size == 0 || !isn_memory_reserve(&d->memory, size))
		return fail_limit(d, "memory: needs more than max-memory allows");
	*image = isn_image_new(&d->memory.allocator, o.layout, width, height);
	if (*image == NULL)
		st = isn_fail(d, IMGSNIFF_ERR_MEMORY, IMGSNIFF_NO_OFFSET,
			      "decode: no memory left for the pixels");
	else
		st = decode_to(d, &o, &(*image)->map);
	isn_memory_release(&d->memory, size);
	if (*image != NULL && st != IMGSNIFF_OK &&
	    (!d->keep_damaged || (*image)->map.rows_valid == 0)) {
		imgsniff_image_free(*image);
		*image = NULL;
	}
	return st;
}
