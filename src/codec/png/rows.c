/*
 * rows.c - scanlines as they were inflated, one after the other, to pixels
 */

#include <string.h>

#include "base/bytes.h"
#include "codec/png/expand.h"
#include "codec/png/rows.h"

/* Adam7 (PNG third edition, 8.2); the last row is for images without it. */
static const struct {
	uint8_t x, y, dx, dy;
} passes[] = {
	{ 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
	{ 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 },
	{ 0, 0, 1, 1 },
};

#define ADAM7_PASSES	7
#define ONLY_PASS	7

static uint32_t
pass_share(uint32_t size, uint32_t first, uint32_t step)
{
	return size > first ? (size - first + step - 1) / step : 0;
}

/* Bytes of a scanline of 'width' pixels, without its filter type. */
static bool
line_size(const struct png_state *s, uint32_t width, size_t *size)
{
	unsigned int bits = s->samples * s->bit_depth;

	if (!isn_size_mul(width, bits, size) || !isn_size_add(*size, 7, size))
		return false;
	*size /= 8;
	return true;
}

static void
pass_begin(struct png_rows *r, unsigned int pass)
{
	r->pass = pass;
	r->pass_width = pass_share(r->width, passes[pass].x, passes[pass].dx);
	r->pass_height = pass_share(r->height, passes[pass].y, passes[pass].dy);
	if (r->pass_width == 0)
		r->pass_height = 0;	/* an empty pass has no filter types */
	line_size(r->state, r->pass_width, &r->line);
	r->y = 0;
	r->above = r->zeros;
}

/* On to the next pass that has scanlines. */
static void
pass_finish(struct png_rows *r)
{
	while (r->y >= r->pass_height && r->pass + 1 < ADAM7_PASSES)
		pass_begin(r, r->pass + 1);
}

bool
isn_png_rows_size(const struct png_rows *r, size_t *size)
{
	unsigned int pass = r->state->interlaced ? 0 : ONLY_PASS;
	unsigned int end = r->state->interlaced ? ADAM7_PASSES : ONLY_PASS + 1;

	*size = 0;
	for (; pass < end; pass++) {
		uint32_t w = pass_share(r->width, passes[pass].x,
					passes[pass].dx);
		uint32_t h = pass_share(r->height, passes[pass].y,
					passes[pass].dy);
		size_t line;

		if (w == 0)
			continue;
		if (!line_size(r->state, w, &line) ||
		    !isn_size_add(line, 1, &line) ||
		    !isn_size_mul(line, h, &line) ||
		    !isn_size_add(*size, line, size))
			return false;
	}
	return true;
}

/* What a pixel is once the transparent colour has become alpha. */
static enum isn_row
row_kind(const struct png_state *s, bool keyed)
{
	const bool deep = s->bit_depth == 16;

	switch (s->samples + keyed) {
	case 1:
		return deep ? ISN_ROW_GRAY16 : ISN_ROW_GRAY8;
	case 2:
		return deep ? ISN_ROW_GRAY_ALPHA16 : ISN_ROW_GRAY_ALPHA8;
	case 3:
		return deep ? ISN_ROW_RGB16 : ISN_ROW_RGB8;
	}
	return deep ? ISN_ROW_RGBA16 : ISN_ROW_RGBA8;
}

static bool
has_alpha(enum imgsniff_pixel layout)
{
	return layout != IMGSNIFF_GRAY8 && layout != IMGSNIFF_RGB8;
}

static void
convert_choose(struct png_rows *r)
{
	const struct png_state *s = r->state;

	r->use_table = s->color_type == PNG_PALETTE || s->bit_depth < 8 ||
		       (s->samples == 1 && s->bit_depth == 8 && s->has_key);
	if (r->dst == NULL)
		return;
	r->pixel = imgsniff_row_size(r->dst->layout, 1);
	r->use_key = s->has_key && !r->use_table && has_alpha(r->dst->layout);
	r->clear_key = r->use_key && s->bit_depth == 8 &&
		       r->dst->layout != IMGSNIFF_RGBA16;
	r->kind = row_kind(s, r->use_key && !r->clear_key);
	r->step = r->use_table ? isn_png_table_step(s, r->dst->layout) : 0;
}

/* Hands out 'size' bytes of the scratch and some slack; at first only counts. */
static bool
part_add(size_t *total, size_t size, size_t *at)
{
	*at = *total;
	if (!isn_size_add(size, PNG_ROW_SLACK + 15, &size))
		return false;
	return isn_size_add(*total, size / 16 * 16, total);
}

/* How the filters of several rows are undone at once, if at all. */
static void
fronts_choose(struct png_rows *r, enum png_method method)
{
	r->unfilter = isn_png_unfilter(r->distance);
	r->fronts[0] = isn_png_front_wide(r->distance);
	r->fronts[1] = r->unfilter->front;
	r->undone_count = 2;
	for (unsigned int i = 0; i < 2; i++) {
		const struct png_front *f = r->fronts[i];

		if (method != PNG_WHOLE || f == NULL || f->rows > r->height)
			r->fronts[i] = NULL;
		else if (f->rows >= r->undone_count)
			r->undone_count = f->rows + 1;
	}
}

static bool
scratch_split(struct png_rows *r, struct imgsniff_decoder *d)
{
	const struct png_state *s = r->state;
	size_t total = 0, line, at[7], unpacked, spread, undone;
	uint8_t *base;

	if (!line_size(s, r->width, &line) || !isn_size_add(line, 1, &line))
		return false;
	/* With alpha a pixel has at most twice the bytes; unpacked, one each. */
	if (!isn_size_mul(line, r->use_key ? 2 : 0, &unpacked) ||
	    !isn_size_mul(r->width, s->interlaced ? r->pixel : 0, &spread))
		return false;
	if (r->look && s->bit_depth < 8)
		unpacked = r->width;
	if (!isn_size_add(line, PNG_ROW_LEAD + PNG_ROW_SLACK, &undone) ||
	    !isn_size_mul(undone, r->undone_count, &undone))
		return false;
	if (!part_add(&total, line, &at[0]) || !part_add(&total, line, &at[1]) ||
	    !part_add(&total, line, &at[2]) ||
	    !part_add(&total, unpacked, &at[3]) ||
	    !part_add(&total, spread, &at[4]) ||
	    !part_add(&total, undone, &at[5]) ||
	    !part_add(&total, 256 * r->step, &at[6]))
		return false;
	base = isn_scratch(d, ISN_SCRATCH_ROW, total);
	if (base == NULL)
		return false;
	r->zeros = memset(base + at[0], 0, line + PNG_ROW_SLACK);
	r->lines[0] = base + at[1];
	r->lines[1] = base + at[2];
	r->unpacked = base + at[3];
	r->spread = base + at[4];
	r->undone = base + at[5] + PNG_ROW_LEAD;
	r->undone_stride = undone / r->undone_count;
	r->undone_next = 0;
	r->table = base + at[6];
	return true;
}

bool
isn_png_rows_begin(struct png_rows *r, struct imgsniff_decoder *d,
		   const struct png_frame *frame,
		   const struct imgsniff_pixmap *dst, enum png_method method)
{
	const struct png_state *s = d->state;

	r->state = s;
	r->dst = dst;
	r->width = frame->width;
	r->height = frame->height;
	r->distance = (s->samples * s->bit_depth + 7) / 8;
	r->look = dst == NULL || (d->check != NULL && s->has_palette &&
				  s->palette_size < 1u << s->bit_depth);
	r->index_max = 0;
	r->pixel = 0;
	r->use_key = false;
	r->step = 0;
	fronts_choose(r, method);
	convert_choose(r);
	if (!scratch_split(r, d))
		return false;
	if (dst != NULL && r->use_table)
		isn_png_table_fill(r->table, s, dst->layout);
	pass_begin(r, s->interlaced ? 0 : ONLY_PASS);
	pass_finish(r);
	return true;
}

static void
row_convert(struct png_rows *r, uint8_t *to, const uint8_t *line)
{
	const struct png_state *s = r->state;
	const enum imgsniff_pixel layout = r->dst->layout;

	if (r->use_table) {
		isn_png_table_apply(to, r->table, r->step, line, r->pass_width,
				    r->pixel);
		return;
	}
	if (r->use_key && !r->clear_key) {
		isn_png_key_add(r->unpacked, line, r->pass_width, s);
		line = r->unpacked;
	}
	isn_row_convert(to, layout, line, r->kind, r->pass_width);
	if (r->clear_key)
		isn_png_key_clear(to, layout, r->pass_width, s);
}

static inline void
pixels_spread(uint8_t *to, const uint8_t *from, uint32_t width, size_t pixel,
	      unsigned int step)
{
	for (; width > 0; width--, to += step * pixel, from += pixel)
		memcpy(to, from, pixel);
}

/* Every 'step'th pixel of a row. */
static void
row_spread(uint8_t *to, const uint8_t *from, uint32_t width, size_t pixel,
	   unsigned int step)
{
	switch (pixel) {
	case 1:
		pixels_spread(to, from, width, 1, step);
		return;
	case 3:
		pixels_spread(to, from, width, 3, step);
		return;
	case 4:
		pixels_spread(to, from, width, 4, step);
		return;
	}
	pixels_spread(to, from, width, 8, step);
}

static void
row_write(struct png_rows *r, const uint8_t *line)
{
	uint32_t y = passes[r->pass].y + r->y * passes[r->pass].dy;
	uint8_t *to = isn_pixmap_row(r->dst, y);

	if (passes[r->pass].dx == 1) {
		row_convert(r, to, line);
		return;
	}
	row_convert(r, r->spread, line);
	row_spread(to + passes[r->pass].x * r->pixel, r->spread, r->pass_width,
		   r->pixel, passes[r->pass].dx);
}

static void
row_look(struct png_rows *r, const uint8_t *line)
{
	const unsigned int bits = r->state->bit_depth;

	if (!r->use_table)
		return;
	if (bits < 8) {
		isn_png_samples_unpack(r->unpacked, line, r->pass_width, bits);
		line = r->unpacked;
	}
	for (uint32_t x = 0; x < r->pass_width; x++)
		if (line[x] > r->index_max)
			r->index_max = line[x];
}

/*
 * A row that was given away is made anew where the fast way was left halfway and
 * all is done again.
 */
static void
row_give(struct png_rows *r)
{
	if (r->sink == NULL || r->y != r->given)
		return;
	r->sink->take(r->sink);
	r->given++;
}

/* What to do with a scanline whose filter is undone. */
static void
row_use(struct png_rows *r, const uint8_t *row)
{
	r->above = row;
	if (r->dst != NULL)
		row_write(r, row);
	if (r->look)
		row_look(r, row);
	row_give(r);
	r->y++;
}

/* Where to undo the next filter; what was there 'undone_count' rows ago is lost. */
static uint8_t *
undone_take(struct png_rows *r)
{
	uint8_t *row = r->undone + r->undone_next * r->undone_stride;

	if (++r->undone_next == r->undone_count)
		r->undone_next = 0;
	return row;
}

static bool
row_take(struct png_rows *r, const uint8_t *line)
{
	isn_png_unfilter_fn *undo;
	uint8_t *to;

	if (line[0] >= PNG_FILTERS)
		return false;
	if (line[0] == PNG_FILTER_NONE) {
		row_use(r, line + 1);
		return true;
	}
	undo = r->unfilter->row[line[0]];
	if (undo == NULL)
		undo = isn_png_unfilter_plain.row[line[0]];
	to = undone_take(r);
	undo(to, line + 1, r->above, r->line, r->distance);
	row_use(r, to);
	return true;
}

bool
isn_png_rows_take(struct png_rows *r, const uint8_t *line)
{
	if (!row_take(r, line))
		return false;
	pass_finish(r);
	return true;
}

/* Can the next rows be undone together, and does it pay? */
static bool
front_pays(const struct png_rows *r, const uint8_t *lines,
	   const struct png_front *f)
{
	unsigned int cost = 0;

	if (f == NULL || r->pass_height - r->y < f->rows)
		return false;
	for (unsigned int i = 0; i < f->rows; i++) {
		uint8_t filter = lines[i * (r->line + 1)];

		if (filter >= PNG_FILTERS)
			return false;
		cost += r->unfilter->row_cost[filter];
	}
	return cost > f->cost;
}

/* Returns how many lines it took; 0: none, it does not pay. */
static unsigned int
front_take(struct png_rows *r, const uint8_t *lines)
{
	const struct png_front *f = r->fronts[0];
	uint8_t *to[PNG_FRONT_MAX];

	/* Begins with a row that is worth it; others are not asked about. */
	if (lines[0] < PNG_FILTER_AVERAGE)
		return 0;
	if (!front_pays(r, lines, f))
		f = r->fronts[1];
	if (f == r->fronts[1] && !front_pays(r, lines, f))
		return 0;
	for (unsigned int i = 0; i < f->rows; i++)
		to[i] = undone_take(r);
	f->undo(to, lines, r->above, r->line);
	for (unsigned int i = 0; i < f->rows; i++)
		row_use(r, to[i]);
	return f->rows;
}

bool
isn_png_rows_take_all(struct png_rows *r, const uint8_t *lines)
{
	while (isn_png_rows_more(r)) {
		size_t line = r->line + 1;
		unsigned int rows = front_take(r, lines);

		if (rows == 0) {
			if (!row_take(r, lines))
				return false;
			rows = 1;
		}
		lines += rows * line;
		pass_finish(r);
	}
	return true;
}

uint32_t
isn_png_rows_done(const struct png_rows *r)
{
	if (r->pass == ONLY_PASS)
		return r->y;
	return isn_png_rows_more(r) ? 0 : r->height;
}
