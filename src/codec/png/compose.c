/*
 * compose.c - the frames of an animation, each laid over those before it (PNG
 * third edition, 11.3.6.2)
 *
 * The canvas keeps what the last frame drawn shows. To draw the next, that one
 * is disposed of first; for one further back all starts over. A frame that is
 * damaged leaves on the canvas the rows it has.
 */

#include <string.h>

#include "codec/png/png.h"
#include "pixel/canvas.h"

static struct isn_canvas
canvas_of(const struct imgsniff_decoder *d, enum isn_scratch_slot slot)
{
	const struct png_state *s = d->state;
	bool deep = s->canvas.layout == IMGSNIFF_RGBA16;

	return (struct isn_canvas){
		.pixels = d->scratch[slot].data,
		.width = d->info.width,
		.height = d->info.height,
		.pixel = deep ? ISN_CANVAS_RGBA16 : ISN_CANVAS_RGBA8,
	};
}

static struct isn_rect
rect_of(const struct png_frame *f)
{
	return (struct isn_rect){ f->x, f->y, f->width, f->height };
}

static enum imgsniff_status
compose_memory(struct imgsniff_decoder *d)
{
	return isn_fail_memory(d, "canvas: no memory left");
}

static bool
canvas_scratch(struct imgsniff_decoder *d, enum isn_scratch_slot slot)
{
	struct isn_canvas c = canvas_of(d, slot);
	size_t size = isn_canvas_size(c.pixel, c.width, c.height);

	return size != 0 && isn_scratch(d, slot, size) != NULL;
}

/* An empty canvas, before the first frame. */
static enum imgsniff_status
canvas_begin(struct imgsniff_decoder *d, enum imgsniff_pixel layout)
{
	struct png_state *s = d->state;
	struct isn_canvas canvas;

	s->canvas.drawn = false;
	s->canvas.trusted = true;
	s->canvas.layout = layout;
	if (!canvas_scratch(d, ISN_SCRATCH_CANVAS))
		return compose_memory(d);
	canvas = canvas_of(d, ISN_SCRATCH_CANVAS);
	isn_canvas_clear(&canvas, (struct isn_rect){
		0, 0, d->info.width, d->info.height });
	return IMGSNIFF_OK;
}

/* What the frame that was drawn last leaves for the next one. */
static void
frame_dispose(struct imgsniff_decoder *d)
{
	const struct png_state *s = d->state;
	const struct png_frame *f = &s->canvas.frame;
	struct isn_canvas canvas = canvas_of(d, ISN_SCRATCH_CANVAS);
	struct isn_canvas saved = canvas_of(d, ISN_SCRATCH_SAVED);

	switch (f->dispose) {
	case PNG_DISPOSE_NONE:
		return;
	case PNG_DISPOSE_PREVIOUS:
		/* Before the first frame there was nothing. */
		if (f->index > 0) {
			isn_canvas_copy(&canvas, &saved, rect_of(f));
			return;
		}
		/* fall through */
	case PNG_DISPOSE_BACKGROUND:
		isn_canvas_clear(&canvas, rect_of(f));
		return;
	}
}

static enum imgsniff_status
frame_save(struct imgsniff_decoder *d, const struct png_frame *f)
{
	struct isn_canvas canvas, saved;

	if (f->dispose != PNG_DISPOSE_PREVIOUS || f->index == 0)
		return IMGSNIFF_OK;
	if (!canvas_scratch(d, ISN_SCRATCH_SAVED))
		return compose_memory(d);
	canvas = canvas_of(d, ISN_SCRATCH_CANVAS);
	saved = canvas_of(d, ISN_SCRATCH_SAVED);
	isn_canvas_copy(&saved, &canvas, rect_of(f));
	return IMGSNIFF_OK;
}

/* Our pixmaps have 16-bit samples in the machine's order, canvases big-endian. */
static void
row_to_canvas(uint8_t *row, uint32_t width)
{
	uint16_t sample;

	for (size_t i = 0; i < (size_t)width * 8; i += 2) {
		memcpy(&sample, row + i, 2);
		row[i] = (uint8_t)(sample >> 8);
		row[i + 1] = (uint8_t)sample;
	}
}

static void
frame_lay(struct isn_canvas *canvas, const struct png_frame *f,
	  const struct imgsniff_pixmap *map, uint32_t rows)
{
	for (uint32_t y = 0; y < rows; y++) {
		uint8_t *row = isn_pixmap_row(map, y);

		if (canvas->pixel == ISN_CANVAS_RGBA16)
			row_to_canvas(row, f->width);
		if (f->blend == PNG_BLEND_OVER)
			isn_canvas_blend_row(canvas, f->x, f->y + y, row,
					     f->width);
		else
			isn_canvas_put_row(canvas, f->x, f->y + y, row,
					   f->width);
	}
}

/* Through a buffer of its own: for what cannot be decoded into the canvas. */
static enum imgsniff_status
frame_draw_apart(struct imgsniff_decoder *d, const struct png_frame *f,
		 enum png_method method, uint32_t *rows)
{
	const struct png_state *s = d->state;
	struct isn_canvas canvas = canvas_of(d, ISN_SCRATCH_CANVAS);
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.size = imgsniff_image_size(s->canvas.layout, f->width,
					    f->height),
		.stride = imgsniff_row_size(s->canvas.layout, f->width),
		.width = f->width, .height = f->height,
		.layout = s->canvas.layout,
	};
	enum imgsniff_status st;

	map.pixels = isn_scratch(d, ISN_SCRATCH_FRAME, map.size);
	if (map.pixels == NULL)
		return compose_memory(d);
	st = isn_png_pixels(d, f, &map, method);
	*rows = st == IMGSNIFF_OK ? f->height : map.rows_valid;
	frame_lay(&canvas, f, &map, *rows);
	return st;
}

static enum imgsniff_status
frame_draw_inside(struct imgsniff_decoder *d, const struct png_frame *f,
		  enum png_method method, uint32_t *rows)
{
	struct isn_canvas canvas = canvas_of(d, ISN_SCRATCH_CANVAS);
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.pixels = isn_canvas_at(&canvas, f->x, f->y),
		.stride = isn_canvas_stride(&canvas),
		.width = f->width, .height = f->height,
		.layout = IMGSNIFF_RGBA8,
	};
	enum imgsniff_status st;

	map.size = map.stride * (f->height - 1) + (size_t)f->width * 4;
	st = isn_png_pixels(d, f, &map, method);
	*rows = st == IMGSNIFF_OK ? f->height : map.rows_valid;
	return st;
}

/*
 * Rows of the canvas that are right: those above the frame, if all frames before
 * were, and its own. Once one was not, no later row is sure.
 */
static void
canvas_note(struct imgsniff_decoder *d, const struct png_frame *f,
	    enum imgsniff_status st, uint32_t rows)
{
	struct png_state *s = d->state;
	struct png_canvas *c = &s->canvas;

	c->frame = *f;
	c->drawn = true;
	c->error.status = IMGSNIFF_OK;
	if (st == IMGSNIFF_OK)
		return;
	c->error = d->error;
	c->rows_valid = 0;
	if (c->trusted && (rows > 0 || !s->interlaced))
		c->rows_valid = rows < f->height ? f->y + rows : d->info.height;
	c->trusted = false;
}

/* Draws 'f', which comes right behind what the canvas shows. */
static enum imgsniff_status
frame_draw(struct imgsniff_decoder *d, const struct png_frame *f,
	   enum png_method method)
{
	struct png_state *s = d->state;
	enum imgsniff_status st;
	uint32_t rows = 0;

	if (s->canvas.drawn)
		frame_dispose(d);
	s->canvas.drawn = false;	/* until it is done */
	st = frame_save(d, f);
	if (st != IMGSNIFF_OK)
		return st;
	if (f->blend == PNG_BLEND_OVER || s->canvas.layout == IMGSNIFF_RGBA16)
		st = frame_draw_apart(d, f, method, &rows);
	else
		st = frame_draw_inside(d, f, method, &rows);
	if (st != IMGSNIFF_OK && !isn_is_damage(st))
		return st;
	canvas_note(d, f, st, rows);
	return IMGSNIFF_OK;
}

/* Draws every frame up to the current one that is not drawn yet. */
static enum imgsniff_status
canvas_advance(struct imgsniff_decoder *d, enum imgsniff_pixel layout,
	       enum png_method method)
{
	struct png_state *s = d->state;
	const uint32_t goal = s->current.index;
	enum imgsniff_status st = IMGSNIFF_OK;
	struct png_frame f = s->first;

	if (!s->canvas.drawn || s->canvas.frame.index > goal ||
	    s->canvas.layout != layout) {
		st = canvas_begin(d, layout);
		if (st == IMGSNIFF_OK)
			st = frame_draw(d, &f, method);
	}
	while (st == IMGSNIFF_OK && s->canvas.frame.index < goal) {
		f = s->canvas.frame;
		if (f.index + 1 == goal)
			f = s->current;
		else
			st = isn_png_frame_next(d, &f);
		if (st == IMGSNIFF_OK)
			st = frame_draw(d, &f, method);
	}
	return st;
}

enum imgsniff_status
isn_png_compose(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst,
		enum png_method method)
{
	struct png_state *s = d->state;
	struct isn_canvas canvas;
	enum imgsniff_pixel layout = IMGSNIFF_RGBA8;
	enum imgsniff_status st;

	if (dst->layout == IMGSNIFF_RGBA16 && s->bit_depth == 16)
		layout = IMGSNIFF_RGBA16;
	st = canvas_advance(d, layout, method);
	if (st != IMGSNIFF_OK)
		return st;
	canvas = canvas_of(d, ISN_SCRATCH_CANVAS);
	isn_canvas_export(&canvas, dst);
	if (s->canvas.error.status == IMGSNIFF_OK)
		return IMGSNIFF_OK;
	d->error = s->canvas.error;
	dst->rows_valid = s->canvas.rows_valid;
	return d->error.status;
}
