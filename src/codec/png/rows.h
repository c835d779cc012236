/*
 * rows.h - scanlines as they were inflated, one after the other, to pixels
 */

#ifndef ISN_CODEC_PNG_ROWS_H
#define ISN_CODEC_PNG_ROWS_H

#include "codec/png/png.h"
#include "codec/png/unfilter.h"
#include "pixel/row.h"

struct png_rows {
	const struct png_state *state;
	const struct imgsniff_pixmap *dst;	/* NULL: only look at them */
	uint32_t width, height;		/* of the frame */

	/* Set before the beginning, which leaves them: else NULL and 0. */
	struct isn_sink *sink;		/* gets each row of 'dst' ... */
	uint32_t given;			/* ... once; it has so many */

	unsigned int pass;		/* of Adam7, or the only one */
	uint32_t pass_width, pass_height;
	uint32_t y;			/* of the scanline that comes next */
	size_t line;			/* bytes of it, without the filter's */
	size_t distance;		/* of two pixels, for the filters */
	const struct png_unfilter *unfilter;
	const struct png_front *fronts[2];	/* largest first, or NULL */
	const uint8_t *above;		/* the scanline before, or zeros */

	bool use_table;			/* a sample stands for a pixel */
	bool use_key;
	bool clear_key;			/* can be done to pixels in 'dst' */
	enum isn_row kind;		/* what there is to convert */
	size_t pixel;			/* bytes of a pixel in 'dst' */
	size_t step;			/* bytes of the pixels in a byte ... */
	uint8_t *table;			/* ... and those for each byte */
	bool look;			/* for the largest sample: */
	unsigned int index_max;

	uint8_t *zeros;			/* a scanline */
	/* Scanlines with their filters undone: 'above' and as many as follow. */
	uint8_t *undone;
	size_t undone_stride;
	unsigned int undone_count;
	unsigned int undone_next;
	uint8_t *unpacked;		/* samples, or pixels with alpha */
	uint8_t *spread;		/* pixels of an Adam7 row */
	uint8_t *lines[2];		/* for who inflates line by line */
};

/*
 * Begins with the first scanline. PNG_ROWS needs less memory, but then
 * isn_png_rows_take_all() is slower. All memory is ISN_SCRATCH_ROW; false if
 * there is none.
 */
bool isn_png_rows_begin(struct png_rows *r, struct imgsniff_decoder *d,
			const struct png_frame *frame,
			const struct imgsniff_pixmap *dst,
			enum png_method method);

/* Bytes of all scanlines, filter types included; false if they overflow. */
bool isn_png_rows_size(const struct png_rows *r, size_t *size);

static inline bool
isn_png_rows_more(const struct png_rows *r)
{
	return r->y < r->pass_height;
}

/*
 * Takes the next scanline, r->line + 1 bytes at 'line', which must stay there
 * until the next one was taken. False: no such filter type.
 */
bool isn_png_rows_take(struct png_rows *r, const uint8_t *line);

/* The same with all there are, one after the other. */
bool isn_png_rows_take_all(struct png_rows *r, const uint8_t *lines);

/* How many rows of 'dst' are complete: interlaced, all or none. */
uint32_t isn_png_rows_done(const struct png_rows *r);

#endif /* ISN_CODEC_PNG_ROWS_H */
