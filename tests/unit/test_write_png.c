/*
 * test_write_png.c - the bytes of a PNG that is written: form, filters, chunks
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "cli/png_form.h"
#include "cli/write.h"

static struct imgsniff_pixmap
map_of(enum imgsniff_pixel layout, const void *pixels, uint32_t width,
       uint32_t height)
{
	size_t row = imgsniff_row_size(layout, width);

	return (struct imgsniff_pixmap){
		.struct_size = sizeof(struct imgsniff_pixmap),
		.pixels = (void *)pixels,
		.size = row * height,
		.stride = row,
		.width = width,
		.height = height,
		.layout = layout,
	};
}

/* ---- Form ----------------------------------------------------------------- */

static void
expect_form(const void *rgba, uint32_t width, uint32_t height,
	    enum png_color color, unsigned int depth)
{
	struct imgsniff_pixmap map = map_of(IMGSNIFF_RGBA8, rgba, width, height);
	struct png_form form;

	png_form_choose(&form, &map);

	assert_int_equal(form.color, color);
	assert_int_equal(form.depth, depth);
}

static void
gray_has_as_few_bits_as_hold_it(void **state)
{
	const uint8_t g1[][4] = { { 0, 0, 0, 255 }, { 255, 255, 255, 255 } };
	const uint8_t g2[][4] = { { 85, 85, 85, 255 }, { 255, 255, 255, 255 } };
	const uint8_t g4[][4] = { { 85, 85, 85, 255 }, { 17, 17, 17, 255 } };
	const uint8_t g8[][4] = { { 85, 85, 85, 255 }, { 18, 18, 18, 255 } };

	(void)state;

	expect_form(g1, 2, 1, PNG_GRAY, 1);
	expect_form(g2, 2, 1, PNG_GRAY, 2);
	expect_form(g4, 1, 2, PNG_GRAY, 4);
	expect_form(g8, 1, 2, PNG_GRAY, 8);
}

static void
alpha_and_colour_are_there_if_needed(void **state)
{
	const uint8_t ga[][4] = { { 1, 1, 1, 254 }, { 2, 2, 2, 255 } };
	const uint8_t rgb[][4] = { { 1, 1, 2, 255 }, { 2, 2, 2, 255 } };
	const uint8_t rgba[][4] = { { 1, 1, 2, 0 } };

	(void)state;

	expect_form(ga, 2, 1, PNG_GRAY_ALPHA, 8);
	expect_form(rgb, 2, 1, PNG_RGB, 8);
	expect_form(rgba, 1, 1, PNG_RGBA, 8);
}

/* An image of 64 x 64 with so many colours, every third of them translucent. */
static void
colors_fill(uint8_t (*rgba)[4], unsigned int colors)
{
	for (unsigned int i = 0; i < 64 * 64; i++) {
		unsigned int c = i % colors;

		rgba[i][0] = (uint8_t)c;
		rgba[i][1] = (uint8_t)(c / 256);
		rgba[i][2] = 7;
		rgba[i][3] = c % 3 == 0 ? 100 : 255;
	}
}

static void
few_colours_are_a_palette(void **state)
{
	static uint8_t rgba[64 * 64][4];

	(void)state;

	colors_fill(rgba, 2);
	expect_form(rgba, 64, 64, PNG_PALETTE, 1);
	colors_fill(rgba, 3);
	expect_form(rgba, 64, 64, PNG_PALETTE, 2);
	colors_fill(rgba, 16);
	expect_form(rgba, 64, 64, PNG_PALETTE, 4);
	colors_fill(rgba, 17);
	expect_form(rgba, 64, 64, PNG_PALETTE, 8);
	colors_fill(rgba, 256);
	expect_form(rgba, 64, 64, PNG_PALETTE, 8);
	colors_fill(rgba, 257);
	expect_form(rgba, 64, 64, PNG_RGBA, 8);
}

static void
translucent_colours_come_first(void **state)
{
	static uint8_t rgba[64 * 64][4];
	struct imgsniff_pixmap map = map_of(IMGSNIFF_RGBA8, rgba, 64, 64);
	struct png_form form;
	unsigned char row[64];

	(void)state;
	colors_fill(rgba, 256);

	png_form_choose(&form, &map);
	png_form_row(&form, row, rgba, 64);

	assert_int_equal(form.palette.count, 256);
	assert_int_equal(form.palette.translucent, 86);
	for (size_t i = 0; i < 256; i++)
		assert_int_equal(form.palette.rgba[i][3], i < 86 ? 100 : 255);
	for (size_t x = 0; x < 64; x++)
		assert_memory_equal(form.palette.rgba[row[x]], rgba[x], 4);
}

static void
samples_are_packed_from_the_highest_bit_on(void **state)
{
	const uint8_t g2[][4] = {
		{ 85, 85, 85, 255 }, { 255, 255, 255, 255 }, { 0, 0, 0, 255 },
		{ 170, 170, 170, 255 }, { 255, 255, 255, 255 },
	};
	struct imgsniff_pixmap map = map_of(IMGSNIFF_RGBA8, g2, 5, 1);
	struct png_form form;
	unsigned char row[2];

	(void)state;

	png_form_choose(&form, &map);
	png_form_row(&form, row, g2, 5);

	assert_int_equal(form.depth, 2);
	assert_int_equal(row[0], 1 << 6 | 3 << 4 | 0 << 2 | 2);
	assert_int_equal(row[1], 3 << 6);
}

/* ---- Filters -------------------------------------------------------------- */

static void
filters_are_those_of_the_standard(void **state)
{
	const unsigned char rows[2][4] = { { 10, 20, 30, 40 }, { 11, 22, 5, 250 } };
	/* Of the second row, with two bytes a pixel. */
	const unsigned char filtered[FILTER_TYPES][5] = {
		{ 0, 11, 22, 5, 250 },
		{ 1, 11, 22, 250, 228 },
		{ 2, 1, 2, 231, 210 },
		{ 3, 6, 12, 241, 219 },	/* halves of 10, 20, 41, 62 */
		{ 4, 1, 2, 231, 210 },	/* nearest: 10, 20, above twice */
	};
	struct png_filter f;

	(void)state;
	assert_true(png_filter_init(&f, 4, 2, true));

	memcpy(png_filter_next(&f), rows[0], 4);
	png_filter_row(&f);
	memcpy(png_filter_next(&f), rows[1], 4);
	png_filter_row(&f);

	for (size_t type = 0; type < FILTER_TYPES; type++)
		assert_memory_equal(f.tries + type * 5, filtered[type], 5);
	png_filter_free(&f);
}

static void
the_filter_that_leaves_least_is_taken(void **state)
{
	const unsigned char ramp[4] = { 100, 101, 102, 103 };
	struct png_filter f;
	const unsigned char *row;

	(void)state;
	assert_true(png_filter_init(&f, 4, 1, true));

	memcpy(png_filter_next(&f), ramp, 4);
	row = png_filter_row(&f);
	assert_memory_equal(row, "\1\144\1\1\1", 5);
	memcpy(png_filter_next(&f), ramp, 4);
	row = png_filter_row(&f);
	assert_memory_equal(row, "\2\0\0\0\0", 5);

	png_filter_free(&f);
}

/* ---- The file ------------------------------------------------------------- */

struct file {
	unsigned char *bytes;
	size_t size;
	size_t idats;
	unsigned char *rows;		/* inflated */
	size_t rows_size;
};

static uint32_t
be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static void
file_inflate(struct file *f)
{
	z_stream z = { 0 };
	int status = Z_OK;

	assert_int_equal(inflateInit(&z), Z_OK);
	z.next_out = f->rows;
	z.avail_out = (uInt)f->rows_size;
	for (size_t at = 8; at < f->size; at += 12 + be32(f->bytes + at)) {
		unsigned char *chunk = f->bytes + at;
		uint32_t size = be32(chunk);

		assert_true(size <= f->size - at - 12);
		assert_int_equal(be32(chunk + 8 + size),
				 crc32(0, chunk + 4, size + 4));
		if (memcmp(chunk + 4, "IDAT", 4) != 0)
			continue;
		assert_int_equal(status, Z_OK);
		f->idats++;
		z.next_in = chunk + 8;
		z.avail_in = size;
		status = inflate(&z, Z_NO_FLUSH);
	}
	assert_int_equal(status, Z_STREAM_END);
	assert_int_equal(z.avail_in + z.avail_out, 0);
	inflateEnd(&z);
}

static struct file
file_write(struct imgsniff_pixmap map, size_t rows_size)
{
	char path[] = "/tmp/test-write-png-XXXXXX";
	int fd = mkstemp(path);
	struct writing w = { 0 };
	struct file f = { .rows_size = rows_size, .rows = malloc(rows_size) };
	off_t end;

	assert_true(fd >= 0);
	unlink(path);
	assert_true(writer_png.write(&w, fd, &map));
	end = lseek(fd, 0, SEEK_END);
	f.size = (size_t)end;
	f.bytes = malloc(f.size);
	assert_non_null(f.bytes);
	assert_non_null(f.rows);
	assert_int_equal(pread(fd, f.bytes, f.size, 0), end);
	close(fd);
	writing_free(&w);
	file_inflate(&f);
	return f;
}

static void
file_free(struct file *f)
{
	free(f->bytes);
	free(f->rows);
}

static void
a_file_has_its_chunks_in_order(void **state)
{
	const uint16_t rgba[4] = { 0x0102, 0x0304, 0x0506, 0xffff };
	struct file f = file_write(map_of(IMGSNIFF_RGBA16, rgba, 1, 1), 7);
	const unsigned char head[] =
		"\x89PNG\r\n\x1a\n"
		"\0\0\0\15IHDR"
		"\0\0\0\1" "\0\0\0\1"	/* width, height */
		"\20\2"			/* 16-bit RGB */
		"\0\0\0";		/* deflate, filters, not interlaced */

	(void)state;

	assert_memory_equal(f.bytes, head, sizeof(head) - 1);
	assert_memory_equal(f.bytes + 8 + 25 + 4, "IDAT", 4);
	assert_memory_equal(f.bytes + f.size - 12, "\0\0\0\0IEND\xae\x42\x60\x82",
			    12);
	assert_memory_equal(f.rows, "\0\1\2\3\4\5\6", 7);
	file_free(&f);
}

/* More than is compressed at once, with noise in it: many chunks. */
static void
a_large_image_is_written_in_pieces(void **state)
{
	const uint32_t width = 2048, height = 4200, noisy = 20;
	const size_t row = (size_t)width * 8;
	uint16_t *samples = calloc(height, row);
	uint32_t state32 = 1;
	struct file f;

	(void)state;
	assert_non_null(samples);
	for (size_t i = 0; i < noisy * row / 2; i++) {
		state32 = state32 * 1664525 + 1013904223;
		samples[i] = (uint16_t)(state32 >> 16);
	}

	f = file_write(map_of(IMGSNIFF_RGBA16, samples, width, height),
		       (row + 1) * height);

	assert_true(f.idats > 3);
	assert_int_equal(f.rows[0], 0);	/* noise is not filtered */
	assert_int_equal(f.rows[1], samples[0] >> 8);
	assert_int_equal(f.rows[2], samples[0] & 0xff);
	for (size_t y = noisy + 1; y < height; y++)
		for (size_t i = 0; i <= row; i++)
			if (f.rows[y * (row + 1) + i] != 0)
				fail_msg("row %zu, byte %zu", y, i);
	file_free(&f);
	free(samples);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gray_has_as_few_bits_as_hold_it),
		cmocka_unit_test(alpha_and_colour_are_there_if_needed),
		cmocka_unit_test(few_colours_are_a_palette),
		cmocka_unit_test(translucent_colours_come_first),
		cmocka_unit_test(samples_are_packed_from_the_highest_bit_on),
		cmocka_unit_test(filters_are_those_of_the_standard),
		cmocka_unit_test(the_filter_that_leaves_least_is_taken),
		cmocka_unit_test(a_file_has_its_chunks_in_order),
		cmocka_unit_test(a_large_image_is_written_in_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
