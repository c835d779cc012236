/*
 * orient.c - turn a picture upright
 *
 * What the upright picture's row 0 and column 0 are in the stored one (Exif 2.3,
 * 4.6.4, tag 274), and where its pixel (x, y) is stored:
 *
 *	1  top, left	  (x, y)		5  left, top	 (y, x)
 *	2  top, right	  (w-1-x, y)		6  right, top	 (y, h-1-x)
 *	3  bottom, right  (w-1-x, h-1-y)	7  right, bottom (w-1-y, h-1-x)
 *	4  bottom, left	  (x, h-1-y)		8  left, bottom	 (w-1-y, x)
 */

#include <string.h>

#include "pixel/orient.h"

/*
 * Pixels are moved in squares of this size: where the destination runs along a
 * row, the source runs down a column, and a cache line that was fetched for one
 * pixel must still be there when the next row wants its neighbour.
 */
#define BLOCK	16

/* The stored pixel of the upright (0, 0), and the way to its neighbours. */
struct walk {
	const uint8_t *first;
	ptrdiff_t right;
	ptrdiff_t down;
};

static struct walk
walk_of(const struct imgsniff_pixmap *src, unsigned int orientation,
	size_t pixel)
{
	const bool from_right = orientation == 2 || orientation == 3 ||
				orientation == 7 || orientation == 8;
	const bool from_bottom = orientation == 3 || orientation == 4 ||
				 orientation == 6 || orientation == 7;
	ptrdiff_t along = (ptrdiff_t)pixel, across = (ptrdiff_t)src->stride;
	struct walk w = { src->pixels, along, across };

	if (from_right) {
		w.first += (size_t)(src->width - 1) * pixel;
		along = -along;
	}
	if (from_bottom) {
		w.first += (size_t)(src->height - 1) * src->stride;
		across = -across;
	}
	w.right = isn_orient_swaps(orientation) ? across : along;
	w.down = isn_orient_swaps(orientation) ? along : across;
	return w;
}

static inline void
block_copy(uint8_t *out, size_t stride, const uint8_t *in, const struct walk *w,
	   size_t columns, size_t rows, size_t pixel)
{
	for (size_t y = 0; y < rows; y++) {
		const uint8_t *p = in;
		uint8_t *q = out;

		for (size_t x = 0; x < columns; x++) {
			memcpy(q, p, pixel);
			p += w->right;
			q += pixel;
		}
		in += w->down;
		out += stride;
	}
}

static inline void
blocks_copy(const struct imgsniff_pixmap *dst, const struct walk *w,
	    size_t block, size_t pixel)
{
	for (size_t y = 0; y < dst->height; y += BLOCK) {
		size_t rows = dst->height - y;

		for (size_t x = 0; x < dst->width; x += block) {
			size_t columns = dst->width - x;

			block_copy((uint8_t *)dst->pixels + y * dst->stride +
				   x * pixel, dst->stride, w->first +
				   (ptrdiff_t)x * w->right +
				   (ptrdiff_t)y * w->down, w,
				   columns < block ? columns : block,
				   rows < BLOCK ? rows : BLOCK, pixel);
		}
	}
}

void
isn_orient(const struct imgsniff_pixmap *dst, const struct imgsniff_pixmap *src,
	   unsigned int orientation)
{
	const size_t pixel = imgsniff_row_size(src->layout, 1);
	struct walk w = walk_of(src, orientation, pixel);
	/* Rows that stay rows are best read from end to end. */
	size_t block = isn_orient_swaps(orientation) ? BLOCK : dst->width;

	/* Constants, so that a pixel is one move. */
	switch (src->layout) {
	case IMGSNIFF_GRAY8:
		blocks_copy(dst, &w, block, 1);
		return;
	case IMGSNIFF_RGB8:
		blocks_copy(dst, &w, block, 3);
		return;
	case IMGSNIFF_RGBA8:
	case IMGSNIFF_BGRA8:
		blocks_copy(dst, &w, block, 4);
		return;
	case IMGSNIFF_RGBA16:
		blocks_copy(dst, &w, block, 8);
		return;
	}
}

/* Exchanges 'a', read forwards, and 'b', read backwards from its last pixel. */
static inline void
pixels_exchange(uint8_t *a, uint8_t *b, uint32_t count, size_t pixel)
{
	for (; count > 0; count--, a += pixel, b -= pixel) {
		uint8_t saved[8];

		memcpy(saved, a, pixel);
		memcpy(a, b, pixel);
		memcpy(b, saved, pixel);
	}
}

static void
row_exchange_mirrored(uint8_t *a, uint8_t *b, uint32_t count, size_t pixel)
{
	switch (pixel) {
	case 1:
		pixels_exchange(a, b, count, 1);
		return;
	case 3:
		pixels_exchange(a, b, count, 3);
		return;
	case 4:
		pixels_exchange(a, b, count, 4);
		return;
	default:
		pixels_exchange(a, b, count, 8);
		return;
	}
}

static void
row_exchange(uint8_t *a, uint8_t *b, size_t size)
{
	uint8_t saved[256];

	while (size > 0) {
		size_t part = size < sizeof(saved) ? size : sizeof(saved);

		memcpy(saved, a, part);
		memcpy(a, b, part);
		memcpy(b, saved, part);
		a += part;
		b += part;
		size -= part;
	}
}

void
isn_orient_in_place(const struct imgsniff_pixmap *map, unsigned int orientation)
{
	const size_t pixel = imgsniff_row_size(map->layout, 1);
	const size_t last = (size_t)(map->width - 1) * pixel;
	const bool mirrored = orientation == 2 || orientation == 3;
	const bool upside_down = orientation == 3 || orientation == 4;

	for (uint32_t y = 0; y < map->height; y++) {
		uint32_t other = upside_down ? map->height - 1 - y : y;
		uint8_t *a = (uint8_t *)map->pixels + y * map->stride;
		uint8_t *b = (uint8_t *)map->pixels + other * map->stride;

		if (other < y)		/* both are done */
			return;
		if (mirrored)
			row_exchange_mirrored(a, b + last, a == b
					      ? map->width / 2 : map->width,
					      pixel);
		else if (a != b)
			row_exchange(a, b, last + pixel);
	}
}
