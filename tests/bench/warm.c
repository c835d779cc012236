/*
 * warm.c - a decoder made for each image, against one that is reused
 */

#include <stdio.h>
#include <stdlib.h>

#include <imgsniff.h>

#include "bench.h"

struct warm {
	struct bench_file file;
	struct imgsniff_decoder *decoder;
	struct imgsniff_pixmap map;
};

static uintptr_t
decode_with(struct imgsniff_decoder *d, struct warm *w)
{
	if (imgsniff_open_memory(d, w->file.data, w->file.size, 0) !=
	    IMGSNIFF_OK ||
	    imgsniff_decode_into(d, NULL, &w->map) != IMGSNIFF_OK)
		abort();
	return *(uint8_t *)w->map.pixels;
}

static uintptr_t
decode_cold(void *context, long times)
{
	uintptr_t sum = 0;

	while (times-- > 0) {
		struct imgsniff_decoder *d = imgsniff_new(NULL);

		sum += decode_with(d, context);
		imgsniff_free(d);
	}
	return sum;
}

static uintptr_t
decode_warm(void *context, long times)
{
	struct warm *w = context;
	uintptr_t sum = 0;

	while (times-- > 0)
		sum += decode_with(w->decoder, w);
	return sum;
}

static void
warm_up(const char *name, struct bench_file file, uint32_t width,
	uint32_t height, double allocations)
{
	struct warm w = {
		.file = file,
		.decoder = imgsniff_new(NULL),
		.map = {
			.struct_size = sizeof(w.map),
			.pixels = malloc((size_t)width * height * 4),
			.size = (size_t)width * height * 4,
			.stride = (size_t)width * 4,
			.width = width,
			.height = height,
			.layout = IMGSNIFF_RGBA8,
		},
	};
	struct bench_case cases[] = {
		{ .name = "a decoder for each", .run = decode_cold,
		  .context = &w },
		{ .name = "one decoder, reused", .run = decode_warm,
		  .context = &w },
	};
	char title[96];

	if (file.data == NULL)
		return;
	snprintf(title, sizeof(title), "Decode a %s of %u x %u pixels", name,
		 width, height);
	bench_group(title, cases, 2);
	if (allocations >= 0)
		bench_claim("allocations of a warm decode",
			    cases[1].allocations, "<=", allocations);
	imgsniff_free(w.decoder);
	free(w.map.pixels);
	free(w.file.data);
}

/* libjpeg-turbo's memory manager asks for about 7 blocks an image by itself. */
#define LIBJPEG_ALLOCATIONS	9

void
bench_warm(void)
{
	static const uint32_t sizes[][2] = { { 100, 75 }, { 1200, 800 } };

	for (size_t i = 0; i < 2; i++) {
		uint32_t w = sizes[i][0], h = sizes[i][1];

		warm_up("PNG", bench_make_png(w, h), w, h, 0);
		warm_up("GIF", bench_make_gif(w, h), w, h, 0);
		warm_up("JPEG", bench_make_jpeg(w, h, 85), w, h,
			LIBJPEG_ALLOCATIONS);
		warm_up("WebP", bench_make_webp(w, h), w, h, -1);
	}
}
