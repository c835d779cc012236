/*
 * peers_png.c - libpng and libspng, and inflating without anything else
 */

#include <stdlib.h>
#include <string.h>

#include "decode.h"

#if HAVE_LIBPNG

#include <png.h>
#include <setjmp.h>

static void
libpng_read(png_structp png, png_bytep to, size_t size)
{
	struct bench_file *left = png_get_io_ptr(png);

	if (size > left->size)
		png_error(png, "end of file");
	memcpy(to, left->data, size);
	left->data += size;
	left->size -= size;
}

static void
libpng_run(png_structp png, png_infop info, struct canvas *to)
{
	int passes;

	png_read_info(png, info);
	png_set_expand(png);
	png_set_strip_16(png);
	png_set_gray_to_rgb(png);
	png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
	passes = png_set_interlace_handling(png);
	png_read_update_info(png, info);
	while (passes-- > 0)
		for (uint32_t y = 0; y < to->height; y++)
			png_read_row(png, to->pixels +
				     (size_t)y * to->width * 4, NULL);
	png_read_end(png, NULL);
}

static bool
libpng_decode(const struct bench_file *file, struct canvas *to)
{
	struct bench_file left = *file;
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL,
						 NULL, NULL);
	png_infop info = png_create_info_struct(png);

	if (setjmp(png_jmpbuf(png))) {
		png_destroy_read_struct(&png, &info, NULL);
		return false;
	}
	png_set_read_fn(png, &left, libpng_read);
	libpng_run(png, info, to);
	png_destroy_read_struct(&png, &info, NULL);
	canvas_frame_done(to, to->pixels);
	return true;
}
#else
#define libpng_decode NULL
#endif

const struct peer peer_libpng = { .name = "libpng", .decode = libpng_decode };

#if HAVE_LIBSPNG

#include <spng.h>

static bool
libspng_decode(const struct bench_file *file, struct canvas *to)
{
	spng_ctx *s = spng_ctx_new(0);
	bool done = spng_set_png_buffer(s, file->data, file->size) == 0 &&
		    spng_decode_image(s, to->pixels, to->size, SPNG_FMT_RGBA8,
				      SPNG_DECODE_TRNS) == 0;

	spng_ctx_free(s);
	if (done)
		canvas_frame_done(to, to->pixels);
	return done;
}
#else
#define libspng_decode NULL
#endif

const struct peer peer_libspng = {
	.name = "libspng", .decode = libspng_decode,
};

#if HAVE_LIBDEFLATE

#include <libdeflate.h>

static uint32_t
load_u32be(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

/* What is the same for each run: joined IDATs, and where the rows go. */
static struct {
	const uint8_t *file;
	size_t file_size;
	uint8_t *z;
	size_t z_size;
	uint8_t *rows;
	size_t rows_size;
	struct libdeflate_decompressor *inflater;
} floor_of;

static void
floor_prepare(const struct bench_file *file, const struct canvas *to)
{
	const uint8_t *p = file->data + 8, *end = file->data + file->size;

	free(floor_of.z);
	free(floor_of.rows);
	floor_of.file = file->data;
	floor_of.file_size = file->size;
	floor_of.z = malloc(file->size);
	floor_of.z_size = 0;
	/* Samples of 16 bits at most, a filter for each row of each pass. */
	floor_of.rows_size = to->size * 2 + (size_t)to->height * 2 + 64;
	floor_of.rows = malloc(floor_of.rows_size);
	while (end - p >= 12 && load_u32be(p) <= (size_t)(end - p) - 12) {
		size_t size = load_u32be(p);

		if (memcmp(p + 4, "IDAT", 4) == 0) {
			memcpy(floor_of.z + floor_of.z_size, p + 8, size);
			floor_of.z_size += size;
		}
		p += size + 12;
	}
	if (floor_of.inflater == NULL)
		floor_of.inflater = libdeflate_alloc_decompressor();
}

/* The first run of a file prepares it; no time is taken then. */
static bool
inflate_decode(const struct bench_file *file, struct canvas *to)
{
	size_t size;

	if (floor_of.file != file->data || floor_of.file_size != file->size)
		floor_prepare(file, to);
	return libdeflate_zlib_decompress(floor_of.inflater, floor_of.z,
					  floor_of.z_size, floor_of.rows,
					  floor_of.rows_size, &size) ==
	       LIBDEFLATE_SUCCESS;
}
#else
#define inflate_decode NULL
#endif

const struct peer peer_inflate = {
	.name = "inflate", .kind = PEER_FLOOR, .decode = inflate_decode,
};
