/*
 * images.c - the plain photograph that most benches ask for
 */

#include "images.h"

struct bench_file
bench_make_jpeg(uint32_t width, uint32_t height, int quality)
{
	const struct jpeg_kind kind = { .quality = quality, .h = 2, .v = 2 };

	return image_jpeg(&kind, width, height);
}

struct bench_file
bench_make_png(uint32_t width, uint32_t height)
{
	const struct png_kind kind = {
		.color = PNG_RGB, .depth = 8, .filter = PNG_ADAPTIVE,
	};

	return image_png(&kind, width, height);
}

struct bench_file
bench_make_gif(uint32_t width, uint32_t height)
{
	const struct gif_kind kind = { .frames = 1 };

	return image_gif(&kind, width, height);
}

struct bench_file
bench_make_webp(uint32_t width, uint32_t height)
{
	const struct webp_kind kind = { .frames = 1 };

	return image_webp(&kind, width, height);
}
