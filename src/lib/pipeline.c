/*
 * pipeline.c - from a codec's pixels to those that were asked for
 *
 *	codec  ->  to sRGB  ->  scaled and in the layout  ->  turned upright
 *
 * A picture that only has to stay as it is, to be converted or to be mirrored is
 * decoded into the caller's rows and changed there. One that is scaled goes there
 * row by row where its codec can give it so, and is nowhere in one piece.
 */

#include <string.h>

#include "base/bytes.h"
#include "lib/input.h"
#include "lib/pipeline.h"
#include "pixel/icc.h"
#include "pixel/orient.h"
#include "pixel/resize.h"
#include "pixel/row.h"

static void
rows_clear(const struct imgsniff_pixmap *map, uint32_t from)
{
	size_t row = imgsniff_row_size(map->layout, map->width);

	for (uint32_t y = from; y < map->height; y++)
		memset(isn_pixmap_row(map, y), 0, row);
}

static enum imgsniff_status
fail_memory(struct imgsniff_decoder *d)
{
	return isn_fail_memory(d, "decode: no memory left for the pixels");
}

/* A tightly packed picture in scratch. */
static enum imgsniff_status
scratch_pixmap(struct imgsniff_decoder *d, enum isn_scratch_slot slot,
	       enum imgsniff_pixel layout, uint32_t width, uint32_t height,
	       struct imgsniff_pixmap *map)
{
	*map = (struct imgsniff_pixmap){
		.struct_size = sizeof(*map),
		.size = imgsniff_image_size(layout, width, height),
		.stride = imgsniff_row_size(layout, width),
		.width = width,
		.height = height,
		.layout = layout,
	};
	if (map->size == 0)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, IMGSNIFF_NO_OFFSET,
				"memory: needs more than max-memory allows");
	map->pixels = isn_scratch(d, slot, map->size);
	return map->pixels != NULL ? IMGSNIFF_OK : fail_memory(d);
}

/* ---- To sRGB --------------------------------------------------------------- */

static void
icc_release(struct imgsniff_decoder *d, void *data)
{
	(void)d;
	isn_icc_free(data);
}

/* The error of a profile that cannot be had is told only if it is not its own. */
static enum imgsniff_status
profile_get(struct imgsniff_decoder *d, struct imgsniff_view *profile)
{
	enum imgsniff_status st = imgsniff_get_metadata(d, IMGSNIFF_ICC,
							profile);

	if (isn_is_damage(st)) {
		profile->size = 0;
		return IMGSNIFF_OK;
	}
	return st;
}

/* Makes the conversion ready; *icc is NULL if there is nothing to convert. */
static enum imgsniff_status
icc_prepare(struct imgsniff_decoder *d, const struct isn_plan *plan,
	    enum imgsniff_pixel layout, struct isn_icc **icc)
{
	struct imgsniff_view profile;
	enum imgsniff_status st;
	struct isn_icc *kept;

	*icc = NULL;
	if (!plan->srgb || d->info.icc_bytes == 0)
		return IMGSNIFF_OK;
	st = profile_get(d, &profile);
	if (st != IMGSNIFF_OK || profile.size == 0)
		return st;
	kept = isn_kept(d, ISN_KEPT_ICC, sizeof(*kept), icc_release);
	if (kept == NULL)
		return fail_memory(d);
	switch (isn_icc_prepare(kept, &d->memory, profile, d->info.color,
				layout)) {
	case ISN_ICC_KEEP:
		break;
	case ISN_ICC_CONVERT:
		*icc = kept;
		break;
	case ISN_ICC_UNSUPPORTED:
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, IMGSNIFF_NO_OFFSET,
				"profile: this build cannot convert from it");
	case ISN_ICC_NO_MEMORY:
		return isn_fail_memory(d, "profile: no memory left");
	}
	return IMGSNIFF_OK;
}

static void
rows_to_srgb(struct isn_icc *icc, const struct imgsniff_pixmap *map,
	     uint32_t rows)
{
	for (uint32_t y = 0; y < rows; y++)
		isn_icc_convert(icc, isn_pixmap_row(map, y), map->width);
}

/* ---- Scaled, and in another layout ----------------------------------------- */

/* Only layouts that convert: BGRA and 16 bits are decoded where they are asked. */
static enum isn_row
row_kind(enum imgsniff_pixel layout)
{
	return layout == IMGSNIFF_GRAY8 ? ISN_ROW_GRAY8
		: layout == IMGSNIFF_RGB8 ? ISN_ROW_RGB8 : ISN_ROW_RGBA8;
}

static void
rows_convert(const struct imgsniff_pixmap *to,
	     const struct imgsniff_pixmap *from)
{
	for (uint32_t y = 0; y < to->height; y++)
		isn_row_convert(isn_pixmap_row(to, y), to->layout,
				isn_pixmap_row(from, y),
				row_kind(from->layout), to->width);
}

/*
 * Has no pixel any alpha? A GIF's headers may have none where its frames leave
 * parts of the canvas bare: its best layout knows.
 */
static bool
picture_is_opaque(const struct imgsniff_info *info)
{
	return info->best == IMGSNIFF_GRAY8 || info->best == IMGSNIFF_RGB8 ||
	       (info->best == IMGSNIFF_RGBA16 && !info->has_alpha);
}

static void
resizer_release(struct imgsniff_decoder *d, void *data)
{
	isn_resizer_free(data, &d->memory);
}

/* A picture on its way through the resizer. */
struct scaling {
	struct isn_sink sink;		/* first: its take() gets all of this */
	struct isn_icc *icc;		/* rows that are taken need it, or NULL */
	struct isn_resizer *resizer;
	const struct imgsniff_pixmap *to;
	uint8_t *scaled;		/* NULL: rows need no other layout */
	uint32_t taken;			/* rows before scaling */
	uint32_t done;			/* and after it */
};

static void
scaling_push(struct scaling *s, const uint8_t *row)
{
	const struct imgsniff_pixmap *to = s->to;

	isn_resizer_push(s->resizer, row);
	while (isn_resizer_pull(s->resizer, s->scaled != NULL
				? s->scaled : isn_pixmap_row(to, s->done))) {
		if (s->scaled != NULL)
			isn_row_convert(isn_pixmap_row(to, s->done), to->layout,
					s->scaled, row_kind(s->sink.layout),
					to->width);
		s->done++;
	}
}

static void
scaling_take(struct isn_sink *sink)
{
	struct scaling *s = (struct scaling *)sink;

	if (s->taken == sink->height)
		return;
	if (s->icc != NULL)
		isn_icc_convert(s->icc, sink->row, sink->width);
	scaling_push(s, sink->row);
	s->taken++;
}

/* For a picture of the plan's size, in 'layout', to become 'to'. */
static enum imgsniff_status
scaling_begin(struct imgsniff_decoder *d, struct scaling *s,
	      const struct isn_plan *plan, enum imgsniff_pixel layout,
	      const struct imgsniff_pixmap *to)
{
	const struct isn_resize what = {
		.src_width = plan->width, .src_height = plan->height,
		.dst_width = to->width, .dst_height = to->height,
		.layout = layout, .opaque = picture_is_opaque(&d->info),
	};
	const size_t row = imgsniff_row_size(layout, plan->width);
	uint8_t *rows;
	size_t size;

	/* The scaled row is not the wider one. */
	if (row == 0 || !isn_size_mul(row, 2, &size))
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, IMGSNIFF_NO_OFFSET,
				"memory: needs more than max-memory allows");
	rows = isn_scratch(d, ISN_SCRATCH_SINK, size);
	if (rows == NULL)
		return fail_memory(d);
	*s = (struct scaling){
		.sink = {
			.row = rows, .take = scaling_take, .layout = layout,
			.width = plan->width, .height = plan->height,
		},
		.to = to,
	};
	s->resizer = isn_kept(d, ISN_KEPT_RESIZER, sizeof(*s->resizer),
			      resizer_release);
	if (s->resizer == NULL ||
	    !isn_resizer_begin(s->resizer, &d->memory, &what))
		return fail_memory(d);
	if (to->layout != layout)
		s->scaled = rows + row;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
rows_scale(struct imgsniff_decoder *d, const struct isn_plan *plan,
	   const struct imgsniff_pixmap *to, const struct imgsniff_pixmap *from)
{
	struct scaling s;
	enum imgsniff_status st = scaling_begin(d, &s, plan, from->layout, to);

	for (uint32_t y = 0; st == IMGSNIFF_OK && y < from->height; y++)
		scaling_push(&s, isn_pixmap_row(from, y));
	return st;
}

/* ---- The whole ------------------------------------------------------------- */

static enum imgsniff_status
codec_decode(struct imgsniff_decoder *d, const struct isn_plan *plan,
	     struct imgsniff_pixmap *map)
{
	enum imgsniff_status st;

	map->rows_valid = 0;
	st = d->backend->decode(d, map);
	if (st == IMGSNIFF_OK)
		map->rows_valid = map->height;
	else if (!plan->keep_damaged ||
		 (plan->whole && map->rows_valid < map->height))
		map->rows_valid = 0;
	return st;
}

/* Is it made of inks, and has a profile for them? */
static bool
picture_is_inked(const struct imgsniff_decoder *d, const struct isn_plan *plan)
{
	return plan->srgb && d->info.icc_bytes != 0 &&
	       isn_icc_is_cmyk(d->info.color);
}

/*
 * What the codec is to decode to. Scaling weighs colours by alpha, also where
 * the result has none; gray and opaque pictures are scaled without what they
 * lack. A profile may change every channel, so gray comes after it. Inks are
 * four channels, and so is what their profile makes of them.
 */
static enum imgsniff_pixel
layout_for_codec(const struct imgsniff_decoder *d, const struct isn_plan *plan)
{
	const bool coloured = plan->srgb && d->info.icc_bytes != 0 &&
			      !isn_icc_is_gray(d->info.color);

	if (picture_is_inked(d, plan))
		return IMGSNIFF_RGBA8;
	if (plan->layout == IMGSNIFF_RGBA16)
		return IMGSNIFF_RGBA16;
	if (isn_plan_scales(plan)) {
		if (!picture_is_opaque(&d->info))
			return plan->layout == IMGSNIFF_BGRA8 ? IMGSNIFF_BGRA8
							      : IMGSNIFF_RGBA8;
		if (d->info.best == IMGSNIFF_GRAY8 && !coloured)
			return IMGSNIFF_GRAY8;
		if (plan->layout != IMGSNIFF_GRAY8)
			return IMGSNIFF_RGB8;
	}
	return plan->layout == IMGSNIFF_GRAY8 && coloured ? IMGSNIFF_RGB8
							  : plan->layout;
}

/*
 * Where pixels that are not mirrored or turned yet belong: 'dst' itself, or
 * scratch if it has no room for them that way.
 */
static enum imgsniff_status
stored_begin(struct imgsniff_decoder *d, const struct isn_plan *plan,
	     const struct imgsniff_pixmap *dst, struct imgsniff_pixmap *stored)
{
	*stored = *dst;
	if (!isn_orient_swaps(plan->orientation))
		return IMGSNIFF_OK;
	return scratch_pixmap(d, ISN_SCRATCH_RESIZED, dst->layout,
			      plan->fitted_width, plan->fitted_height, stored);
}

static void
stored_finish(const struct isn_plan *plan, const struct imgsniff_pixmap *stored,
	      const struct imgsniff_pixmap *dst)
{
	if (isn_orient_swaps(plan->orientation))
		isn_orient(dst, stored, plan->orientation);
	else
		isn_orient_in_place(dst, plan->orientation);
}

/* From 'map', decoded, to 'dst', by way of scratch if it must be turned as well. */
static enum imgsniff_status
pixels_transform(struct imgsniff_decoder *d, const struct isn_plan *plan,
		 const struct imgsniff_pixmap *map,
		 const struct imgsniff_pixmap *dst)
{
	const bool swaps = isn_orient_swaps(plan->orientation);
	struct imgsniff_pixmap stored;
	enum imgsniff_status st;

	if (!isn_plan_scales(plan) && map->layout == dst->layout) {
		if (swaps)
			isn_orient(dst, map, plan->orientation);
		else if (map->pixels == dst->pixels)
			isn_orient_in_place(dst, plan->orientation);
		return IMGSNIFF_OK;
	}
	st = stored_begin(d, plan, dst, &stored);
	if (st == IMGSNIFF_OK && isn_plan_scales(plan))
		st = rows_scale(d, plan, &stored, map);
	else if (st == IMGSNIFF_OK)
		rows_convert(&stored, map);
	if (st == IMGSNIFF_OK)
		stored_finish(plan, &stored, dst);
	return st;
}

/*
 * Scales the rows as the codec finishes them. END: it can give them only all
 * together.
 */
static enum imgsniff_status
pixels_stream(struct imgsniff_decoder *d, const struct isn_plan *plan,
	      enum imgsniff_pixel layout, struct isn_icc *icc,
	      struct imgsniff_pixmap *dst)
{
	struct imgsniff_pixmap stored;
	struct scaling s;
	enum imgsniff_status st;

	if (d->backend->decode_rows == NULL)
		return IMGSNIFF_END;
	st = stored_begin(d, plan, dst, &stored);
	if (st == IMGSNIFF_OK)
		st = scaling_begin(d, &s, plan, layout, &stored);
	if (st != IMGSNIFF_OK)
		return st;
	s.icc = icc;
	st = d->backend->decode_rows(d, &s.sink);
	if (st != IMGSNIFF_OK &&
	    (!plan->keep_damaged || s.taken < plan->height))
		return st;
	stored_finish(plan, &stored, dst);
	dst->rows_valid = dst->height;
	return st;
}

static enum imgsniff_status
pipeline_run(struct imgsniff_decoder *d, const struct isn_plan *plan,
	     struct imgsniff_pixmap *dst)
{
	const enum imgsniff_pixel layout = layout_for_codec(d, plan);
	const bool direct = layout == dst->layout && !isn_plan_scales(plan) &&
			    !isn_orient_swaps(plan->orientation);
	struct imgsniff_pixmap map = *dst;
	enum imgsniff_status st, transformed;
	struct isn_icc *icc;

	if (d->backend == NULL)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, IMGSNIFF_NO_OFFSET,
				"format: no decoder for it is built in");
	d->shrink = plan->shrink;
	d->keep_damaged = plan->keep_damaged;
	st = icc_prepare(d, plan, layout, &icc);
	d->inks = icc != NULL && picture_is_inked(d, plan);
	if (st == IMGSNIFF_OK && isn_plan_scales(plan)) {
		st = pixels_stream(d, plan, layout, icc, dst);
		if (st != IMGSNIFF_END)
			return st;
		st = IMGSNIFF_OK;
	}
	if (st == IMGSNIFF_OK && !direct)
		st = scratch_pixmap(d, ISN_SCRATCH_PIXELS, layout, plan->width,
				    plan->height, &map);
	if (st != IMGSNIFF_OK)
		return st;
	st = codec_decode(d, plan, &map);
	if (icc != NULL)
		rows_to_srgb(icc, &map, map.rows_valid);
	if (map.rows_valid == 0)
		return st;
	rows_clear(&map, map.rows_valid);
	transformed = pixels_transform(d, plan, &map, dst);
	if (transformed != IMGSNIFF_OK)
		return transformed;
	/* Rows that are not all or none have neither moved nor been scaled. */
	dst->rows_valid = plan->whole ? dst->height : map.rows_valid;
	return st;
}

enum imgsniff_status
isn_pipeline_run(struct imgsniff_decoder *d, const struct isn_plan *plan,
		 struct imgsniff_pixmap *dst)
{
	const struct imgsniff_error before = d->error;
	enum imgsniff_status st, settled;

	dst->rows_valid = 0;
	st = pipeline_run(d, plan, dst);
	/* A fault of a frame below, or one that was got round, is nobody's. */
	if (st == IMGSNIFF_OK)
		d->error = before;
	d->inks = false;
	settled = isn_input_settle(d, st);
	if (settled != st)
		dst->rows_valid = 0;
	st = settled;
	d->scratch_used[ISN_SCRATCH_PIXELS] = false;
	d->scratch_used[ISN_SCRATCH_RESIZED] = false;
	d->scratch_used[ISN_SCRATCH_SINK] = false;
	if (st != IMGSNIFF_OK)
		rows_clear(dst, dst->rows_valid);
	return st;
}
