/*
 * fuzz_decode.c - pixels, by every backend, into a buffer of exactly their size
 *
 * The layout and the flags follow from the input's size, so that a plain image
 * file is an input.
 */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <imgsniff.h>

#include "fuzz/png_mutate.h"

#define MAX_PIXELS	(1 << 18)
#define MAX_FRAMES	6

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads every byte, so that MSan and valgrind see what is uninitialised. */
static void
pixels_read(const struct imgsniff_pixmap *map)
{
	const uint8_t *p = map->pixels;
	unsigned int sum = 0;

	for (size_t i = 0; i < map->size; i++)
		sum += p[i];
	if (sum == UINT_MAX)	/* a branch on every byte; they add up to less */
		abort();
}

static void
frame_decode(struct imgsniff_decoder *d, const struct imgsniff_decode_options *o)
{
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map), .layout = o->layout,
	};
	enum imgsniff_status st;

	if (imgsniff_output_size(d, o, &map.width, &map.height) != IMGSNIFF_OK)
		return;
	map.stride = imgsniff_row_size(o->layout, map.width);
	map.size = map.stride * map.height;
	map.pixels = malloc(map.size);
	if (map.pixels == NULL)
		return;
	st = imgsniff_decode_into(d, o, &map);
	if (map.rows_valid > map.height)
		abort();
	if (st == IMGSNIFF_OK && map.rows_valid != map.height)
		abort();
	if (st != IMGSNIFF_ERR_BUFFER && st != IMGSNIFF_ERR_USAGE)
		pixels_read(&map);
	free(map.pixels);
}

static void
decode_with(const char *backend, const uint8_t *data, size_t size)
{
	struct imgsniff_options o = {
		.struct_size = sizeof(o),
		.backend = backend,
		.limits = { .max_memory = 64 << 20, .max_pixels = MAX_PIXELS,
			    .max_metadata = 1 << 20, .max_scans = 20 },
	};
	struct imgsniff_decode_options how = {
		.struct_size = sizeof(how),
		.layout = (enum imgsniff_pixel)(1 + size % 5),
		.flags = size / 5 % 8,
		.fit_width = size / 40 % 2 ? 7 : 0,
	};
	struct imgsniff_decoder *d = imgsniff_new(&o);
	int frames = 0;

	if (d == NULL)
		return;		/* that backend is not built in */
	(void)!imgsniff_open_memory(d, data, size, 0);
	if (imgsniff_get_info(d) != NULL)
		do
			frame_decode(d, &how);
		while (++frames < MAX_FRAMES &&
		       imgsniff_next_frame(d) == IMGSNIFF_OK);
	imgsniff_free(d);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	decode_with(NULL, data, size);
	decode_with("zlib", data, size);
	decode_with("stb", data, size);
	return 0;
}
