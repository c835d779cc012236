/*
 * test_orient.c - pixel/orient.c against the definition of the orientations
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pixel/orient.h"

#define PADDING	5

static const enum imgsniff_pixel layouts[] = {
	IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
	IMGSNIFF_RGBA16,
};

/* Rows padded but for the last one, in a block of the exact size. */
static struct imgsniff_pixmap
map_new(enum imgsniff_pixel layout, uint32_t width, uint32_t height)
{
	size_t row = imgsniff_row_size(layout, width);
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.size = (row + PADDING) * (height - 1) + row,
		.stride = row + PADDING,
		.width = width, .height = height, .layout = layout,
	};

	map.pixels = malloc(map.size);
	assert_non_null(map.pixels);
	for (size_t i = 0; i < map.size; i++)
		((uint8_t *)map.pixels)[i] = (uint8_t)(rand() >> 4);
	return map;
}

static const uint8_t *
pixel_at(const struct imgsniff_pixmap *map, uint32_t x, uint32_t y)
{
	return (uint8_t *)map->pixels + y * map->stride +
	       imgsniff_row_size(map->layout, x);
}

/* Where the upright (x, y) is stored in 'src'. */
static const uint8_t *
stored_at(const struct imgsniff_pixmap *src, unsigned int orientation,
	  uint32_t x, uint32_t y)
{
	uint32_t right = src->width - 1, bottom = src->height - 1;

	switch (orientation) {
	case 2:
		return pixel_at(src, right - x, y);
	case 3:
		return pixel_at(src, right - x, bottom - y);
	case 4:
		return pixel_at(src, x, bottom - y);
	case 5:
		return pixel_at(src, y, x);
	case 6:
		return pixel_at(src, y, bottom - x);
	case 7:
		return pixel_at(src, right - y, bottom - x);
	case 8:
		return pixel_at(src, right - y, x);
	default:
		return pixel_at(src, x, y);
	}
}

static void
upright_check(const struct imgsniff_pixmap *dst,
	      const struct imgsniff_pixmap *src, unsigned int orientation)
{
	size_t pixel = imgsniff_row_size(src->layout, 1);

	for (uint32_t y = 0; y < dst->height; y++)
		for (uint32_t x = 0; x < dst->width; x++)
			assert_memory_equal(pixel_at(dst, x, y),
					    stored_at(src, orientation, x, y),
					    pixel);
}

static void
padding_check(const struct imgsniff_pixmap *map, const uint8_t *before)
{
	for (uint32_t y = 0; y + 1 < map->height; y++) {
		size_t at = (y + 1) * map->stride - PADDING;

		assert_memory_equal((uint8_t *)map->pixels + at, before + at,
				    PADDING);
	}
}

static void *
pixels_copy(const struct imgsniff_pixmap *map)
{
	void *copy = malloc(map->size);

	assert_non_null(copy);
	return memcpy(copy, map->pixels, map->size);
}

static void
orient_check(enum imgsniff_pixel layout, uint32_t width, uint32_t height,
	     unsigned int orientation)
{
	bool swaps = isn_orient_swaps(orientation);
	struct imgsniff_pixmap src = map_new(layout, width, height);
	struct imgsniff_pixmap dst = map_new(layout, swaps ? height : width,
					     swaps ? width : height);
	void *before = pixels_copy(&dst);

	isn_orient(&dst, &src, orientation);

	upright_check(&dst, &src, orientation);
	padding_check(&dst, before);
	free(before);
	if (!swaps) {
		struct imgsniff_pixmap saved = src;

		saved.pixels = before = pixels_copy(&src);

		isn_orient_in_place(&src, orientation);

		upright_check(&src, &saved, orientation);
		padding_check(&src, before);
		free(before);
	}
	free(src.pixels);
	free(dst.pixels);
}

static void
small_pictures_of_every_layout_are_turned(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		for (uint32_t h = 1; h <= 9; h++)
			for (uint32_t w = 1; w <= 9; w++)
				for (unsigned int o = 1; o <= 8; o++)
					orient_check(layouts[i], w, h, o);
}

static void
pictures_of_several_blocks_are_turned(void **state)
{
	static const uint32_t sizes[] = { 15, 16, 17, 32, 33, 100, 301 };
	const size_t n = sizeof(sizes) / sizeof(sizes[0]);

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		for (size_t k = 0; k < n; k++)
			for (unsigned int o = 1; o <= 8; o++)
				orient_check(layouts[i], sizes[k],
					     sizes[n - 1 - k], o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_pictures_of_every_layout_are_turned),
		cmocka_unit_test(pictures_of_several_blocks_are_turned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
