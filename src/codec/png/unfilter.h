/*
 * unfilter.h - the filters that a row was stored with, undone (PNG third
 * edition, 9.2)
 */

#ifndef ISN_CODEC_PNG_UNFILTER_H
#define ISN_CODEC_PNG_UNFILTER_H

#include <stddef.h>
#include <stdint.h>

#define PNG_FILTERS	5		/* none, sub, up, average, Paeth */

/* Faster versions may touch this much behind a row and the one above it. */
#define PNG_ROW_SLACK	64

/*
 * In place: 'size' bytes at 'row'; 'above' is the row before it, undone, or
 * zeros. 'distance' is the size of a pixel, at least 1. They do not overlap.
 */
typedef void isn_png_unfilter_fn(uint8_t *row, const uint8_t *above,
				 size_t size, size_t distance);

/* By filter type; the plain versions, and those that are used. */
extern isn_png_unfilter_fn *const isn_png_unfilter_plain[PNG_FILTERS];
extern isn_png_unfilter_fn *const *isn_png_unfilter;

#endif /* ISN_CODEC_PNG_UNFILTER_H */
