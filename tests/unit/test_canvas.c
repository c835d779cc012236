/*
 * test_canvas.c - rectangles, blending and clipping of pixel/canvas.c
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pixel/canvas.h"

#define W	5
#define H	4

/* A canvas that is a heap block of the exact size, for AddressSanitizer. */
static struct isn_canvas
canvas_new(enum isn_canvas_pixel pixel, int fill)
{
	size_t size = isn_canvas_size(pixel, W, H);
	struct isn_canvas c = { malloc(size), W, H, pixel };

	assert_non_null(c.pixels);
	memset(c.pixels, fill, size);
	return c;
}

static bool
inside(struct isn_rect r, uint32_t x, uint32_t y)
{
	return x >= r.x && y >= r.y && x - r.x < r.width && y - r.y < r.height;
}

static const struct isn_rect rects[] = {
	{ 0, 0, W, H }, { 1, 1, 2, 2 }, { 4, 3, 1, 1 }, { 3, 2, 9, 9 },
	{ 5, 0, 1, 1 }, { 0, 4, 1, 1 }, { 0, 0, 0, 3 }, { 1, 1, 3, 0 },
	{ 2, 0, UINT32_MAX, UINT32_MAX }, { UINT32_MAX, UINT32_MAX, 2, 2 },
};

static void
clear_touches_the_rectangle_only(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rects) / sizeof(rects[0]); i++) {
		struct isn_canvas c = canvas_new(ISN_CANVAS_RGBA16, 0xAB);

		isn_canvas_clear(&c, rects[i]);

		for (uint32_t y = 0; y < H; y++)
			for (uint32_t x = 0; x < W; x++)
				for (int k = 0; k < 8; k++)
					assert_int_equal(
						isn_canvas_at(&c, x, y)[k],
						inside(rects[i], x, y) ? 0 : 0xAB);
		free(c.pixels);
	}
}

static void
copy_touches_the_rectangle_only(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rects) / sizeof(rects[0]); i++) {
		struct isn_canvas to = canvas_new(ISN_CANVAS_RGBA8, 1);
		struct isn_canvas from = canvas_new(ISN_CANVAS_RGBA8, 2);

		isn_canvas_copy(&to, &from, rects[i]);

		for (uint32_t y = 0; y < H; y++)
			for (uint32_t x = 0; x < W; x++)
				assert_int_equal(isn_canvas_at(&to, x, y)[3],
						 inside(rects[i], x, y) ? 2 : 1);
		free(to.pixels);
		free(from.pixels);
	}
}

static void
rows_are_clipped(void **state)
{
	struct isn_canvas c = canvas_new(ISN_CANVAS_RGBA8, 0);
	uint8_t row[4 * W];

	(void)state;
	memset(row, 0xFF, sizeof(row));

	isn_canvas_put_row(&c, 3, 1, row, W);
	isn_canvas_blend_row(&c, 4, 2, row, W);
	isn_canvas_put_row(&c, W, 0, row, 1);
	isn_canvas_blend_row(&c, 0, H, row, W);
	isn_canvas_put_row(&c, UINT32_MAX, UINT32_MAX, row, W);

	for (uint32_t y = 0; y < H; y++)
		for (uint32_t x = 0; x < W; x++)
			assert_int_equal(isn_canvas_at(&c, x, y)[0],
					 (y == 1 && x >= 3) || (y == 2 && x == 4)
					 ? 0xFF : 0);
	free(c.pixels);
}

static void
blending_lays_over(void **state)
{
	static const struct {
		uint8_t under[4], over[4], result[4];
	} cases[] = {
		/* opaque replaces, transparent leaves */
		{ { 1, 2, 3, 4 }, { 5, 6, 7, 255 }, { 5, 6, 7, 255 } },
		{ { 1, 2, 3, 4 }, { 5, 6, 7, 0 }, { 1, 2, 3, 4 } },
		/* over nothing it stays itself */
		{ { 9, 9, 9, 0 }, { 5, 6, 7, 8 }, { 5, 6, 7, 8 } },
		/* 128 of 255 over opaque: the mean, nearly */
		{ { 0, 0, 100, 255 }, { 200, 255, 100, 128 },
		  { 100, 128, 100, 255 } },
		/* two thin layers: alpha 128 + 127 * 128 / 255 = 191 */
		{ { 0, 0, 0, 128 }, { 255, 0, 0, 128 }, { 170, 0, 0, 191 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t pixel[4];
		struct isn_canvas c = { pixel, 1, 1, ISN_CANVAS_RGBA8 };

		memcpy(pixel, cases[i].under, 4);
		isn_canvas_blend_row(&c, 0, 0, cases[i].over, 1);

		assert_memory_equal(pixel, cases[i].result, 4);
	}
}

/* A sample of two equal bytes stands for the same value as the byte. */
static void
blending_16_bit_agrees_with_8_bit(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 4096; n++) {
		uint8_t under[4], over[4], deep_under[8], deep_over[8];
		struct isn_canvas c = { under, 1, 1, ISN_CANVAS_RGBA8 };
		struct isn_canvas deep = { deep_under, 1, 1, ISN_CANVAS_RGBA16 };

		for (unsigned int i = 0; i < 4; i++) {
			under[i] = (uint8_t)(n * 37 + i * 71);
			over[i] = (uint8_t)(n * 101 + i * 13 + n / 256);
			deep_under[2 * i] = deep_under[2 * i + 1] = under[i];
			deep_over[2 * i] = deep_over[2 * i + 1] = over[i];
		}

		isn_canvas_blend_row(&c, 0, 0, over, 1);
		isn_canvas_blend_row(&deep, 0, 0, deep_over, 1);

		for (int i = 0; i < 4; i++)
			assert_true(abs(under[i] - deep_under[2 * i]) <= 1);
	}
}

static void
sizes_that_overflow_are_none(void **state)
{
	(void)state;
	assert_int_equal(isn_canvas_size(ISN_CANVAS_RGBA8, 3, 5), 60);
	assert_int_equal(isn_canvas_size(ISN_CANVAS_RGBA16, 3, 5), 120);
	assert_int_equal(isn_canvas_size(ISN_CANVAS_RGBA16, UINT32_MAX,
					 UINT32_MAX), 0);
	assert_int_equal(isn_canvas_size(ISN_CANVAS_RGBA8, 0, 5), 0);
}

static void
export_reaches_every_layout(void **state)
{
	static const struct {
		enum imgsniff_pixel layout;
		uint8_t bytes[8];
		size_t size;
	} cases[] = {
		{ IMGSNIFF_RGBA8, { 10, 20, 30, 40 }, 4 },
		{ IMGSNIFF_BGRA8, { 30, 20, 10, 40 }, 4 },
		{ IMGSNIFF_RGB8, { 10, 20, 30 }, 3 },
		{ IMGSNIFF_GRAY8, { 18 }, 1 },
		{ IMGSNIFF_RGBA16, { 10, 10, 20, 20, 30, 30, 40, 40 }, 8 },
	};
	uint8_t pixel[4] = { 10, 20, 30, 40 };
	struct isn_canvas c = { pixel, 1, 1, ISN_CANVAS_RGBA8 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t out[8] = { 0 };
		struct imgsniff_pixmap dst = {
			.struct_size = sizeof(dst), .pixels = out,
			.size = cases[i].size, .stride = cases[i].size,
			.width = 1, .height = 1, .layout = cases[i].layout,
		};

		isn_canvas_export(&c, &dst);

		assert_memory_equal(out, cases[i].bytes, 8);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clear_touches_the_rectangle_only),
		cmocka_unit_test(copy_touches_the_rectangle_only),
		cmocka_unit_test(rows_are_clipped),
		cmocka_unit_test(blending_lays_over),
		cmocka_unit_test(blending_16_bit_agrees_with_8_bit),
		cmocka_unit_test(sizes_that_overflow_are_none),
		cmocka_unit_test(export_reaches_every_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
