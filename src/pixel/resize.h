/*
 * resize.h - scale a picture down, row by row
 *
 *	isn_resizer_begin(r, memory, &what);
 *	for each row of the picture {
 *		isn_resizer_push(r, row);
 *		while (isn_resizer_pull(r, out))
 *			out is the next row of the result
 *	}
 *
 * The filter is Lanczos with three lobes, its support widened by the scale; at
 * the edges the weights that fall outside are left out and the others make up
 * for them. Where a picture of 8 bits becomes an eighth as high, or less, the
 * filter is made of straight lines in that direction, close enough for 45 dB at
 * the worst. Samples are taken as they are, without regard to gamma; colours are
 * weighted by their alpha, so what is transparent lends no colour.
 */

#ifndef ISN_PIXEL_RESIZE_H
#define ISN_PIXEL_RESIZE_H

#include <imgsniff.h>

#include "base/memory.h"

struct isn_resize {
	uint32_t src_width, src_height;
	uint32_t dst_width, dst_height;	/* not larger, not 0 */
	enum imgsniff_pixel layout;	/* of both */
	bool opaque;			/* all alpha is known to be 1 */
};

/* How one direction is scaled. In y, what is weighed may be knots, not rows. */
struct isn_resize_axis {
	uint32_t *first;		/* of the source, for each result */
	uint32_t *taps;			/* how many from there on */
	float *weights;			/* 'stride' of them for each result */
	size_t stride;
};

/* Zeroed before its first use; the same one may serve picture after picture. */
struct isn_resizer {
	struct isn_resize what;
	struct isn_resize_axis x, y;
	struct isn_scratch block;	/* all that follows, and the axes */
	uint32_t group;			/* rows from knot to knot, or 1 */
	void *knots[2];			/* sums of rows, by turns */
	float *row;			/* a source row or knot, as floats */
	float *scaled;			/* the same, scaled in x */
	float *sums;			/* of the unfinished result rows */
	size_t samples;			/* floats in 'scaled' */
	uint32_t pushed;		/* source rows */
	uint32_t scaled_in_x;		/* rows or knots */
	uint32_t begun, pulled;		/* result rows */
};

/* False, and nothing held, if memory ran out. */
bool isn_resizer_begin(struct isn_resizer *r, struct isn_memory *memory,
		       const struct isn_resize *what);

/* The next row of the source; pull all results before the next push. */
void isn_resizer_push(struct isn_resizer *r, const void *row);

/* Writes the next row of the result; false if it needs more of the source. */
bool isn_resizer_pull(struct isn_resizer *r, void *row);

void isn_resizer_free(struct isn_resizer *r, struct isn_memory *memory);

#endif /* ISN_PIXEL_RESIZE_H */
