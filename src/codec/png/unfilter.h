/*
 * unfilter.h - the filters that a row was stored with, undone (PNG third
 * edition, 9.2)
 */

#ifndef ISN_CODEC_PNG_UNFILTER_H
#define ISN_CODEC_PNG_UNFILTER_H

#include <stddef.h>
#include <stdint.h>

enum png_filter {
	PNG_FILTER_NONE,
	PNG_FILTER_SUB,
	PNG_FILTER_UP,
	PNG_FILTER_AVERAGE,
	PNG_FILTER_PAETH,
	PNG_FILTERS,
};

/*
 * Faster versions may read this much behind a row as it was stored and behind
 * the one above it, and write as much behind the row they make ...
 */
#define PNG_ROW_SLACK	64
/* ... and this much before it. */
#define PNG_ROW_LEAD	16

/*
 * 'size' bytes at 'row', as stored, to 'to'; 'above' is the row before it,
 * undone, or zeros. 'distance' is the size of a pixel, at least 1. They do not
 * overlap.
 */
typedef void isn_png_unfilter_fn(uint8_t *to, const uint8_t *row,
				 const uint8_t *above, size_t size,
				 size_t distance);

/*
 * Several rows at once, of any filter types: 'lines' has one scanline after the
 * other, each a filter type and 'size' bytes; row i goes to to[i].
 */
typedef void isn_png_front_fn(uint8_t *const *to, const uint8_t *lines,
			      const uint8_t *above, size_t size);

#define PNG_FRONT_MAX	32

struct png_front {
	isn_png_front_fn *undo;
	unsigned int rows;		/* how many it takes */
	/* It pays where the rows one by one would cost more than it does. */
	uint8_t cost;
};

struct png_unfilter {
	isn_png_unfilter_fn *row[PNG_FILTERS];	/* NULL: as plain */
	uint8_t row_cost[PNG_FILTERS];
	const struct png_front *front;	/* NULL: there is none */
};

/* The best there is for this size of a pixel. */
const struct png_unfilter *isn_png_unfilter(size_t distance);

/* One that takes more rows than that one's, or NULL. */
const struct png_front *isn_png_front_wide(size_t distance);

extern const struct png_unfilter isn_png_unfilter_plain;

#define PNG_PIXEL_SIZES	9

/* NULL: no better than plain. Only where the processor has SSE4.1. */
extern const struct png_unfilter *const
	isn_png_unfilter_sse41[PNG_PIXEL_SIZES];
/* The same with AVX2. */
extern const struct png_front *const isn_png_fronts_avx2[PNG_PIXEL_SIZES];

#endif /* ISN_CODEC_PNG_UNFILTER_H */
