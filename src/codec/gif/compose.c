/*
 * compose.c - frames to the pixels of the whole canvas
 *
 * A still is painted straight into the destination. The frames of an animation
 * build on each other, so they are painted on a canvas that is kept between
 * calls, and copied from there.
 */

#include <string.h>

#include "codec/gif/gif.h"
#include "codec/gif/paint.h"
#include "pixel/row.h"

/*
 * An index past the colours there are, or any if there is no palette, is opaque
 * black, as in browsers.
 */
static void
paint_mix(struct isn_gif_paint *paint, const struct isn_gif_indices *indices,
	  unsigned int transparent, bool bgra)
{
	const uint8_t *p = indices->palette;
	const unsigned int size = indices->palette_size;
	const int r = bgra ? 2 : 0, b = 2 - r;

	for (unsigned int i = 0; i < size; i++, p += 3) {
		paint->color[i][r] = p[0];
		paint->color[i][1] = p[1];
		paint->color[i][b] = p[2];
		paint->color[i][3] = 255;
	}
	for (unsigned int i = size; i < 256; i++) {
		paint->color[i][0] = paint->color[i][1] = 0;
		paint->color[i][2] = 0;
		paint->color[i][3] = 255;
	}
	paint->transparent = transparent;
	if (transparent <= UINT8_MAX)
		memset(paint->color[transparent], 0, 4);
}

/* For a canvas that is all transparent: what is transparent can be painted. */
static void
paint_all(struct isn_gif_paint *paint)
{
	paint->transparent = ISN_GIF_NO_INDEX;
}

/* Which row of the data is row 'y' of the frame: GIF89a, Appendix E. */
static uint32_t
row_find(const struct isn_gif_frame *f, uint32_t y)
{
	static const struct {
		uint8_t start, step;
	} passes[] = { { 0, 8 }, { 4, 8 }, { 2, 4 }, { 1, 2 } };
	const uint32_t height = f->rect.height;
	uint32_t before = 0;

	for (int i = 0; f->interlaced && i < 4; i++) {
		uint32_t start = passes[i].start, step = passes[i].step;

		if (y % step == start)
			return before + y / step;
		if (height > start)
			before += (height - start + step - 1) / step;
	}
	return y;
}

/* The visible part of a row of the data, an incomplete last one included. */
struct line {
	const uint8_t *indices;
	uint32_t x, y, width;
};

/* Row 'y' of the part that shows, as far as it is there; false if it is not. */
static bool
line_get(struct line *line, const struct isn_gif_frame *f, struct isn_rect shown,
	 const struct isn_gif_indices *indices, uint32_t y)
{
	size_t start = (size_t)row_find(f, y) * f->rect.width;

	if (start >= indices->count)
		return false;
	line->indices = indices->data + start;
	line->x = shown.x;
	line->y = shown.y + y;
	line->width = shown.width;
	if (line->width > indices->count - start)
		line->width = (uint32_t)(indices->count - start);
	return true;
}

/* How many rows of the canvas, from the top, are what they should be. */
static uint32_t
rows_exact(const struct imgsniff_decoder *d, const struct isn_gif_frame *f,
	   const struct isn_gif_indices *indices)
{
	uint64_t rows;

	if (f->interlaced || f->rect.width == 0)
		return 0;
	rows = f->rect.y + indices->count / f->rect.width;
	return rows < d->info.height ? (uint32_t)rows : d->info.height;
}

static void
pixmap_clear(struct imgsniff_pixmap *dst)
{
	size_t row = imgsniff_row_size(dst->layout, dst->width);

	for (uint32_t y = 0; y < dst->height; y++)
		memset(isn_pixmap_row(dst, y), 0, row);
}

/* Does every pixel of the canvas get a value from the frame? */
static bool
frame_is_all(const struct isn_gif_frame *f, struct isn_rect shown,
	     const struct isn_gif_indices *indices, uint32_t width,
	     uint32_t height)
{
	return shown.width == width && shown.height == height &&
	       indices->count == (uint64_t)f->rect.width * f->rect.height;
}

static void
still_paint(struct imgsniff_pixmap *dst, const struct isn_gif_frame *f,
	    const struct isn_gif_indices *indices, uint8_t *rgba)
{
	struct isn_rect shown = isn_rect_clip(f->rect, dst->width, dst->height);
	struct isn_gif_paint paint;
	struct line line;

	paint_mix(&paint, indices, f->transparent,
		  dst->layout == IMGSNIFF_BGRA8);
	paint_all(&paint);
	if (!frame_is_all(f, shown, indices, dst->width, dst->height))
		pixmap_clear(dst);
	if (rgba != NULL)
		memset(rgba, 0, 4 * (size_t)dst->width);
	for (uint32_t y = 0; y < shown.height; y++) {
		uint8_t *row, *to;

		if (!line_get(&line, f, shown, indices, y))
			continue;
		row = isn_pixmap_row(dst, line.y);
		to = (rgba != NULL ? rgba : row) + 4 * (size_t)line.x;
		isn_gif_row_paint(to, line.indices, line.width, &paint);
		if (rgba == NULL)
			continue;
		/* The last row that is there may be a part of one. */
		memset(to + 4 * (size_t)line.width, 0,
		       4 * (size_t)(shown.width - line.width));
		isn_row_convert(row, dst->layout, rgba, ISN_ROW_RGBA8,
				dst->width);
	}
}

static enum imgsniff_status
still_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	struct isn_gif *s = d->state;
	struct isn_gif_frame *f = &s->frame;
	struct isn_gif_indices indices;
	uint8_t *rgba = NULL;
	enum imgsniff_status st;

	if (dst->layout != IMGSNIFF_RGBA8 && dst->layout != IMGSNIFF_BGRA8) {
		rgba = isn_scratch(d, ISN_SCRATCH_ROW, 4 * (size_t)dst->width);
		if (rgba == NULL)
			return isn_fail_memory(d, "image: no memory left");
	}
	st = isn_gif_indices(d, f, &indices);
	if (st != IMGSNIFF_OK && !isn_is_damage(st))
		return st;
	still_paint(dst, f, &indices, rgba);
	dst->rows_valid = rows_exact(d, f, &indices);
	return st;
}

/* A row of the canvas that shows nothing but this frame. */
static void
canvas_row_paint(uint8_t *rgba, uint32_t y, const struct isn_gif_frame *f,
		 struct isn_rect shown, const struct isn_gif_indices *indices,
		 const struct isn_gif_paint *paint)
{
	struct line line;

	if (y >= shown.y && y - shown.y < shown.height &&
	    line_get(&line, f, shown, indices, y - shown.y))
		isn_gif_row_paint(rgba + 4 * (size_t)line.x, line.indices,
				  line.width, paint);
}

static void
still_stream(struct isn_sink *sink, const struct isn_gif_frame *f,
	     const struct isn_gif_indices *indices, uint8_t *rgba)
{
	struct isn_rect shown = isn_rect_clip(f->rect, sink->width,
					      sink->height);
	uint8_t *row = rgba != NULL ? rgba : sink->row;
	const bool bare = !frame_is_all(f, shown, indices, sink->width,
					sink->height);
	struct isn_gif_paint paint;

	paint_mix(&paint, indices, f->transparent,
		  sink->layout == IMGSNIFF_BGRA8);
	paint_all(&paint);
	for (uint32_t y = 0; y < sink->height; y++) {
		if (bare)
			memset(row, 0, 4 * (size_t)sink->width);
		canvas_row_paint(row, y, f, shown, indices, &paint);
		if (rgba != NULL)
			isn_row_convert(sink->row, sink->layout, rgba,
					ISN_ROW_RGBA8, sink->width);
		sink->take(sink);
	}
}

static enum imgsniff_status
canvas_get(struct imgsniff_decoder *d, enum isn_scratch_slot slot,
	   struct isn_canvas *canvas)
{
	size_t size = isn_canvas_size(ISN_CANVAS_RGBA8, d->info.width,
				      d->info.height);

	*canvas = (struct isn_canvas){
		.pixels = size ? isn_scratch(d, slot, size) : NULL,
		.width = d->info.width, .height = d->info.height,
		.pixel = ISN_CANVAS_RGBA8,
	};
	if (canvas->pixels == NULL)
		return isn_fail_memory(d, "canvas: no memory left");
	return IMGSNIFF_OK;
}

static void
frame_dispose(const struct isn_gif_frame *f, struct isn_canvas *canvas,
	      const struct isn_canvas *saved)
{
	switch (f->disposal) {
	case ISN_GIF_KEEP:
		return;
	case ISN_GIF_CLEAR:
		isn_canvas_clear(canvas, f->rect);
		return;
	case ISN_GIF_RESTORE:
		isn_canvas_copy(canvas, saved, f->rect);
		return;
	}
}

/* A row goes on to the destination, if there is one, while it is at hand. */
static void
frame_paint(const struct isn_gif_frame *f, struct isn_canvas *canvas,
	    const struct isn_gif_indices *indices, bool first,
	    struct imgsniff_pixmap *dst)
{
	struct isn_rect shown = isn_rect_clip(f->rect, canvas->width,
					      canvas->height);
	struct isn_gif_paint paint;
	struct line line;
	uint32_t done = 0;

	paint_mix(&paint, indices, f->transparent, false);
	if (first)
		paint_all(&paint);
	if (first && !frame_is_all(f, shown, indices, canvas->width,
				   canvas->height))
		isn_canvas_clear(canvas, (struct isn_rect){
				 0, 0, canvas->width, canvas->height });
	for (uint32_t y = 0; y < shown.height; y++) {
		if (!line_get(&line, f, shown, indices, y))
			continue;
		isn_gif_row_paint(isn_canvas_at(canvas, line.x, line.y),
				  line.indices, line.width, &paint);
		if (dst == NULL)
			continue;
		isn_canvas_export_rows(canvas, dst, done, line.y + 1);
		done = line.y + 1;
	}
	if (dst != NULL)
		isn_canvas_export_rows(canvas, dst, done, canvas->height);
}

/* Lays 'f', which follows s->drawn, on the canvas, and shows that in 'dst'. */
static enum imgsniff_status
frame_draw(struct imgsniff_decoder *d, struct isn_gif_frame *f,
	   struct isn_canvas *canvas, struct imgsniff_pixmap *dst)
{
	struct isn_gif_drawn *drawn = &((struct isn_gif *)d->state)->drawn;
	const bool first = drawn->count == 0;
	struct isn_canvas saved = { 0 };
	struct isn_gif_indices indices;
	enum imgsniff_status st;

	/* What was there before is nothing. */
	if (first && f->disposal == ISN_GIF_RESTORE)
		f->disposal = ISN_GIF_CLEAR;
	if (f->disposal == ISN_GIF_RESTORE ||
	    drawn->frame.disposal == ISN_GIF_RESTORE) {
		st = canvas_get(d, ISN_SCRATCH_SAVED, &saved);
		if (st != IMGSNIFF_OK)
			return st;
	}
	st = isn_gif_indices(d, f, &indices);
	if (st != IMGSNIFF_OK && !isn_is_damage(st))
		return st;
	if (!first)
		frame_dispose(&drawn->frame, canvas, &saved);
	if (f->disposal == ISN_GIF_RESTORE)
		isn_canvas_copy(&saved, canvas, f->rect);
	frame_paint(f, canvas, &indices, first, dst);
	*drawn = (struct isn_gif_drawn){
		.frame = *f, .count = f->index + 1, .status = st,
		.error = d->error,
		.rows_valid = rows_exact(d, f, &indices),
	};
	return IMGSNIFF_OK;
}

/* Draws what is missing on the canvas up to the current frame, which 'dst' gets. */
static enum imgsniff_status
frames_draw(struct imgsniff_decoder *d, struct isn_canvas *canvas,
	    struct imgsniff_pixmap *dst)
{
	struct isn_gif *s = d->state;
	const uint32_t wanted = s->frame.index + 1;

	if (s->drawn.count > wanted)
		s->drawn.count = 0;
	if (s->drawn.count == wanted)
		isn_canvas_export(canvas, dst);
	if (s->drawn.count == 0)
		s->drawn.frame = (struct isn_gif_frame){ 0 };
	while (s->drawn.count < wanted) {
		struct isn_gif_frame f = s->drawn.frame;
		enum imgsniff_status st = IMGSNIFF_OK;

		if (s->drawn.count + 1 == wanted)
			f = s->frame;
		else if (s->drawn.count == 0)
			f = s->first;
		else
			st = isn_gif_frame_next(d, &f);
		if (st == IMGSNIFF_OK)
			st = frame_draw(d, &f, canvas,
					f.index + 1 == wanted ? dst : NULL);
		if (st != IMGSNIFF_OK)
			return st;
	}
	return IMGSNIFF_OK;
}

static enum imgsniff_status
animation_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	struct isn_gif *s = d->state;
	struct isn_canvas canvas;
	enum imgsniff_status st = canvas_get(d, ISN_SCRATCH_CANVAS, &canvas);

	if (st == IMGSNIFF_OK)
		st = frames_draw(d, &canvas, dst);
	if (st != IMGSNIFF_OK)
		return st;
	s->frame.end = s->drawn.frame.end;
	dst->rows_valid = s->drawn.rows_valid;
	d->error = s->drawn.error;
	return s->drawn.status;
}

enum imgsniff_status
isn_gif_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	const struct isn_gif *s = d->state;

	/* With IMGSNIFF_HEAD there may be more frames: drawn again if asked for. */
	if (s->frame.index == 0 && d->info.frames <= 1)
		return still_decode(d, dst);
	return animation_decode(d, dst);
}

/*
 * The first frame needs no canvas. That of an animation is drawn again if there
 * is more to see than this.
 */
enum imgsniff_status
isn_gif_decode_rows(struct imgsniff_decoder *d, struct isn_sink *sink)
{
	struct isn_gif_frame *f = &((struct isn_gif *)d->state)->frame;
	struct isn_gif_indices indices;
	uint8_t *rgba = NULL;
	enum imgsniff_status st;

	if (f->index != 0)
		return IMGSNIFF_END;
	if (sink->layout != IMGSNIFF_RGBA8 && sink->layout != IMGSNIFF_BGRA8) {
		rgba = isn_scratch(d, ISN_SCRATCH_ROW, 4 * (size_t)sink->width);
		if (rgba == NULL)
			return isn_fail_memory(d, "image: no memory left");
	}
	st = isn_gif_indices(d, f, &indices);
	if (st == IMGSNIFF_OK ||
	    (isn_is_damage(st) &&
	     rows_exact(d, f, &indices) == sink->height))
		still_stream(sink, f, &indices, rgba);
	return st;
}
