/*
 * images.h - images to measure on, made on the spot
 *
 * The data are to be freed; NULL where the build has no encoder for it.
 */

#ifndef BENCH_IMAGES_H
#define BENCH_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "bench.h"

/* Values of an image header's colour type (PNG, 11.2.1). */
enum png_color {
	PNG_GRAY = 0,
	PNG_RGB = 2,
	PNG_INDEXED = 3,
	PNG_GRAY_ALPHA = 4,
	PNG_RGB_ALPHA = 6,
};

enum png_filter {
	PNG_NONE, PNG_SUB, PNG_UP, PNG_AVERAGE, PNG_PAETH,
	PNG_TURNS,			/* each of them, row by row */
	PNG_ADAPTIVE,			/* the smallest sum, as libpng picks */
};

struct png_kind {
	enum png_color color;
	uint8_t depth;			/* 8 or 16 */
	enum png_filter filter;
	bool interlaced;
	bool graphic;			/* not a photograph */
};

struct gif_kind {
	uint32_t frames;		/* 0 as 1 */
	bool graphic;
	bool interlaced;
	bool transparent;
};

struct jpeg_kind {
	int quality;
	int h, v;			/* luma samples for each of chroma */
	bool gray;
	bool progressive;
	bool restart;			/* a marker after each row of blocks */
};

struct webp_kind {
	uint32_t frames;		/* 0 as 1 */
	bool lossless;
	bool alpha;
};

struct bench_file image_png(const struct png_kind *k, uint32_t width,
			    uint32_t height);
struct bench_file image_gif(const struct gif_kind *k, uint32_t width,
			    uint32_t height);
struct bench_file image_jpeg(const struct jpeg_kind *k, uint32_t width,
			     uint32_t height);
struct bench_file image_webp(const struct webp_kind *k, uint32_t width,
			     uint32_t height);

#endif /* BENCH_IMAGES_H */
