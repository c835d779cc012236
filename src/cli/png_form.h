/*
 * png_form.h - what a PNG's samples are, and how its rows are filtered
 */

#ifndef PNG_FORM_H
#define PNG_FORM_H

#include <imgsniff.h>

#define PALETTE_MAX	256
#define PALETTE_SLOTS	1024		/* of its hash table; a power of two */

/* As IHDR has them. */
enum png_color {
	PNG_GRAY = 0, PNG_RGB = 2, PNG_PALETTE = 3, PNG_GRAY_ALPHA = 4,
	PNG_RGBA = 6,
};

/* The colours of an image, those that are not opaque first. */
struct png_palette {
	size_t count;			/* 0: there are too many */
	size_t translucent;
	uint8_t rgba[PALETTE_MAX][4];
	uint16_t slots[PALETTE_SLOTS];	/* index + 1, or 0 */
};

struct png_form {
	enum png_color color;
	unsigned int depth;		/* bits a sample */
	unsigned int samples;		/* a pixel */
	struct png_palette palette;	/* of PNG_PALETTE */
};

/* The one with the fewest bits that has every sample of an RGBA image. */
void png_form_choose(struct png_form *form, const struct imgsniff_pixmap *map);

/* A row of the image as a row of the file. */
void png_form_row(const struct png_form *form, unsigned char *to,
		  const void *from, size_t width);

/* Zero bytes before a row: what is left of its first pixel. */
#define FILTER_LEFT	8
#define FILTER_TYPES	5

struct png_filter {
	bool adaptive;			/* else type 0 for all rows */
	size_t row_size;
	size_t pixel;			/* bytes from one to the next */
	unsigned char *row, *above;
	unsigned char *tries;		/* a row, with its type, for each type */
};

/* False with errno set. */
bool png_filter_init(struct png_filter *f, size_t row_size, size_t pixel,
		     bool adaptive);
void png_filter_free(struct png_filter *f);

/* Where to put the next row; the last one is above it now. */
unsigned char *png_filter_next(struct png_filter *f);

/* It, filtered: the type, then its bytes. Valid until the next one. */
const unsigned char *png_filter_row(struct png_filter *f);

#endif /* PNG_FORM_H */
