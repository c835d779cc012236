/*
 * compose.c - frames to the pixels of the whole canvas
 *
 * A still is painted straight into the destination. The frames of an animation
 * build on each other, so they are painted on a canvas that is kept between
 * calls, and copied from there.
 */

#include <string.h>

#include "codec/gif/gif.h"
#include "pixel/row.h"

/* Colours by index. */
struct paint {
	uint8_t color[256][4];
	unsigned int transparent;	/* or ISN_GIF_NO_INDEX */
};

/*
 * An index past the colours there are, or any if there is no palette, is opaque
 * black, as in browsers.
 */
static void
paint_mix(struct paint *paint, const struct isn_gif_indices *indices,
	  unsigned int transparent, bool bgra)
{
	const uint8_t *p = indices->palette;
	const int r = bgra ? 2 : 0, b = 2 - r;

	for (unsigned int i = 0; i < 256; i++) {
		uint8_t *c = paint->color[i];

		c[r] = c[1] = c[b] = 0;
		if (i < indices->palette_size) {
			c[r] = p[3 * i];
			c[1] = p[3 * i + 1];
			c[b] = p[3 * i + 2];
		}
		c[3] = 255;
	}
	paint->transparent = transparent;
}

static void
row_paint(uint8_t *to, const uint8_t *indices, uint32_t width,
	  const struct paint *paint)
{
	if (paint->transparent == ISN_GIF_NO_INDEX) {
		for (uint32_t x = 0; x < width; x++)
			memcpy(to + 4 * (size_t)x, paint->color[indices[x]], 4);
		return;
	}
	for (uint32_t x = 0; x < width; x++)
		if (indices[x] != paint->transparent)
			memcpy(to + 4 * (size_t)x, paint->color[indices[x]], 4);
}

/* Where the n-th row of the data belongs: GIF89a, Appendix E. */
static uint32_t
row_place(const struct isn_gif_frame *f, uint32_t n)
{
	static const struct {
		uint8_t start, step;
	} passes[] = { { 0, 8 }, { 4, 8 }, { 2, 4 }, { 1, 2 } };
	const uint32_t height = f->rect.height;

	for (int i = 0; f->interlaced && i < 4; i++) {
		uint32_t start = passes[i].start, step = passes[i].step;
		uint32_t rows = height > start
				? (height - start + step - 1) / step : 0;

		if (n < rows)
			return start + n * step;
		n -= rows;
	}
	return n;
}

/* The visible part of a row of the data, an incomplete last one included. */
struct line {
	const uint8_t *indices;
	uint32_t x, y, width;
};

/* The n-th row of the data as far as it is there; false if none of it shows. */
static bool
line_get(struct line *line, const struct isn_gif_frame *f, struct isn_rect shown,
	 const struct isn_gif_indices *indices, uint32_t n)
{
	size_t start = (size_t)n * f->rect.width;
	uint32_t place = row_place(f, n);

	if (place >= shown.height || start >= indices->count)
		return false;
	line->indices = indices->data + start;
	line->x = shown.x;
	line->y = shown.y + place;
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

/* Is every pixel of the destination one that is painted? */
static bool
still_covers(const struct imgsniff_pixmap *dst, const struct isn_gif_frame *f,
	     struct isn_rect shown)
{
	return f->transparent == ISN_GIF_NO_INDEX &&
	       shown.width == dst->width && shown.height == dst->height;
}

static void
still_paint(struct imgsniff_pixmap *dst, const struct isn_gif_frame *f,
	    const struct isn_gif_indices *indices, uint8_t *rgba)
{
	struct isn_rect shown = isn_rect_clip(f->rect, dst->width, dst->height);
	struct paint paint;
	struct line line;

	paint_mix(&paint, indices, f->transparent,
		  dst->layout == IMGSNIFF_BGRA8);
	for (uint32_t n = 0; n < f->rect.height; n++) {
		uint8_t *row;

		if (!line_get(&line, f, shown, indices, n))
			continue;
		row = isn_pixmap_row(dst, line.y);
		if (rgba == NULL) {
			row_paint(row + 4 * (size_t)line.x, line.indices,
				  line.width, &paint);
			continue;
		}
		memset(rgba, 0, 4 * (size_t)dst->width);
		row_paint(rgba + 4 * (size_t)line.x, line.indices, line.width,
			  &paint);
		isn_row_convert(row, dst->layout, rgba, ISN_ROW_RGBA8,
				dst->width);
	}
}

static enum imgsniff_status
still_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	struct isn_gif *s = d->state;
	struct isn_gif_frame *f = &s->frame;
	struct isn_rect shown = isn_rect_clip(f->rect, dst->width, dst->height);
	struct isn_gif_indices indices;
	uint8_t *rgba = NULL;
	enum imgsniff_status st;

	if (dst->layout != IMGSNIFF_RGBA8 && dst->layout != IMGSNIFF_BGRA8) {
		rgba = isn_scratch(d, ISN_SCRATCH_ROW, 4 * (size_t)dst->width);
		if (rgba == NULL)
			return isn_fail_memory(d, "image: no memory left");
	}
	st = isn_gif_indices(d, f, &indices);
	if (st != IMGSNIFF_OK && !isn_gif_is_damage(st))
		return st;
	if (st != IMGSNIFF_OK || !still_covers(dst, f, shown))
		pixmap_clear(dst);
	still_paint(dst, f, &indices, rgba);
	dst->rows_valid = rows_exact(d, f, &indices);
	return st;
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

static void
frame_paint(const struct isn_gif_frame *f, struct isn_canvas *canvas,
	    const struct isn_gif_indices *indices)
{
	struct isn_rect shown = isn_rect_clip(f->rect, canvas->width,
					      canvas->height);
	struct paint paint;
	struct line line;

	paint_mix(&paint, indices, f->transparent, false);
	for (uint32_t n = 0; n < f->rect.height; n++)
		if (line_get(&line, f, shown, indices, n))
			row_paint(isn_canvas_at(canvas, line.x, line.y),
				  line.indices, line.width, &paint);
}

/* Lays 'f', which follows s->drawn, on the canvas. */
static enum imgsniff_status
frame_draw(struct imgsniff_decoder *d, struct isn_gif_frame *f,
	   struct isn_canvas *canvas)
{
	struct isn_gif_drawn *drawn = &((struct isn_gif *)d->state)->drawn;
	struct isn_canvas saved = { 0 };
	struct isn_gif_indices indices;
	enum imgsniff_status st;

	if (f->disposal == ISN_GIF_RESTORE ||
	    drawn->frame.disposal == ISN_GIF_RESTORE) {
		st = canvas_get(d, ISN_SCRATCH_SAVED, &saved);
		if (st != IMGSNIFF_OK)
			return st;
	}
	st = isn_gif_indices(d, f, &indices);
	if (st != IMGSNIFF_OK && !isn_gif_is_damage(st))
		return st;
	if (drawn->count > 0)
		frame_dispose(&drawn->frame, canvas, &saved);
	if (f->disposal == ISN_GIF_RESTORE)
		isn_canvas_copy(&saved, canvas, f->rect);
	frame_paint(f, canvas, &indices);
	*drawn = (struct isn_gif_drawn){
		.frame = *f, .count = f->index + 1, .status = st,
		.error = d->error,
		.rows_valid = rows_exact(d, f, &indices),
	};
	return IMGSNIFF_OK;
}

/* Draws what is missing on the canvas up to the current frame. */
static enum imgsniff_status
frames_draw(struct imgsniff_decoder *d, struct isn_canvas *canvas)
{
	struct isn_gif *s = d->state;
	const uint32_t wanted = s->frame.index + 1;

	if (s->drawn.count > wanted)
		s->drawn.count = 0;
	if (s->drawn.count == 0) {
		s->drawn.frame = (struct isn_gif_frame){ 0 };
		isn_canvas_clear(canvas, (struct isn_rect){
				 0, 0, canvas->width, canvas->height });
	}
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
			st = frame_draw(d, &f, canvas);
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
		st = frames_draw(d, &canvas);
	if (st != IMGSNIFF_OK)
		return st;
	isn_canvas_export(&canvas, dst);
	s->frame.end = s->drawn.frame.end;
	dst->rows_valid = s->drawn.rows_valid;
	d->error = s->drawn.error;
	return s->drawn.status;
}

enum imgsniff_status
isn_gif_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	const struct isn_gif *s = d->state;
	struct imgsniff_error before = d->error;
	enum imgsniff_status st;

	/* With IMGSNIFF_HEAD there may be more frames: drawn again if asked for. */
	if (s->frame.index == 0 && d->info.frames <= 1)
		st = still_decode(d, dst);
	else
		st = animation_decode(d, dst);
	/* Faults of the frames below this one are not this one's. */
	if (st == IMGSNIFF_OK)
		d->error = before;
	return st;
}
