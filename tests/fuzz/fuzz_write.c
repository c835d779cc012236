/*
 * fuzz_write.c - what the lossless writers write reads back as it was
 *
 * The first bytes of the input tell the size and the writer, the rest are pixels.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <imgsniff.h>

#include "cli/write.h"

#define HEAD		3
#define SIDE_MAX	64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Pixels that repeat the input, so that few bytes make many of few colours. */
static void
pixels_fill(struct imgsniff_pixmap *map, const uint8_t *data, size_t size)
{
	uint8_t *p = map->pixels;

	for (size_t i = 0; i < map->size; i++)
		p[i] = size > 0 ? data[i % size] : 0;
}

/* What is wholly transparent may lose its colour. */
static bool
pixels_agree(const struct imgsniff_pixmap *a, const struct imgsniff_pixmap *b)
{
	const size_t pixel = imgsniff_row_size(a->layout, 1);
	const uint8_t *p = a->pixels, *q = b->pixels;
	static const uint8_t zeros[2];

	if (a->width != b->width || a->height != b->height ||
	    a->layout != b->layout)
		return false;
	for (size_t i = 0; i < a->size; i += pixel) {
		size_t alpha = pixel / 4;

		if (memcmp(p + i, q + i, pixel) != 0 &&
		    (memcmp(p + i + 3 * alpha, zeros, alpha) != 0 ||
		     memcmp(q + i + 3 * alpha, zeros, alpha) != 0))
			return false;
	}
	return true;
}

static void
file_check(int fd, const struct imgsniff_pixmap *want)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .layout = want->layout,
	};
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };
	struct imgsniff_image *image = NULL;

	if (d == NULL)
		abort();
	if (imgsniff_open_fd(d, fd, 0) != IMGSNIFF_OK ||
	    imgsniff_check(d, &v) != IMGSNIFF_OK ||
	    v.integrity != IMGSNIFF_INTACT ||
	    imgsniff_decode(d, &o, &image) != IMGSNIFF_OK ||
	    !pixels_agree(want, &image->map))
		abort();
	imgsniff_image_free(image);
	imgsniff_free(d);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct writing w = { .lossless = true };
	struct imgsniff_pixmap map = { .struct_size = sizeof(map) };
	const struct writer *writer;
	int fd;

	if (size < HEAD)
		return 0;
	writer = data[2] % 3 == 0 ? &writer_webp : &writer_png;
	map.layout = data[2] % 3 == 1 ? IMGSNIFF_RGBA16 : IMGSNIFF_RGBA8;
	map.width = 1 + data[0] % SIDE_MAX;
	map.height = 1 + data[1] % SIDE_MAX;
	map.stride = imgsniff_row_size(map.layout, map.width);
	map.size = map.stride * map.height;
	map.rows_valid = map.height;
	map.pixels = malloc(map.size);
	fd = memfd_create("written", MFD_CLOEXEC);
	if (map.pixels == NULL || fd < 0)
		abort();
	pixels_fill(&map, data + HEAD, size - HEAD);
	if (!writer->write(&w, fd, &map))
		abort();
	file_check(fd, &map);
	writing_free(&w);
	free(map.pixels);
	close(fd);
	return 0;
}
