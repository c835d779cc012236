/*
 * test_row.c - every pair of kind and layout of pixel/row.c
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pixel/row.h"

#define GUARD		8
#define GUARD_BYTE	0xA5
#define WIDTH_MAX	19

static const struct {
	unsigned int samples;
	unsigned int bits;
} kinds[] = {
	[ISN_ROW_GRAY8] = { 1, 8 },	[ISN_ROW_GRAY_ALPHA8] = { 2, 8 },
	[ISN_ROW_RGB8] = { 3, 8 },	[ISN_ROW_RGBA8] = { 4, 8 },
	[ISN_ROW_GRAY16] = { 1, 16 },	[ISN_ROW_GRAY_ALPHA16] = { 2, 16 },
	[ISN_ROW_RGB16] = { 3, 16 },	[ISN_ROW_RGBA16] = { 4, 16 },
};

#define KINDS	(sizeof(kinds) / sizeof(kinds[0]))

/* Sample 'i' of a pixel as 16 bits. */
static unsigned int
sample_of(const uint8_t *pixel, unsigned int i, unsigned int bits)
{
	return bits == 8 ? pixel[i] * 257u
			 : pixel[2 * i] * 256u + pixel[2 * i + 1];
}

/* R G B A as 16 bits, by the definition of the kinds. */
static void
pixel_of(const uint8_t *pixel, size_t kind, unsigned int rgba[4])
{
	unsigned int samples = kinds[kind].samples, bits = kinds[kind].bits;

	for (unsigned int i = 0; i < 3; i++)
		rgba[i] = sample_of(pixel, samples >= 3 ? i : 0, bits);
	rgba[3] = samples % 2 ? 65535 : sample_of(pixel, samples - 1, bits);
}

/* The bytes the layout asks for, by its definition. */
static void
expected_of(uint8_t *out, enum imgsniff_pixel layout,
	    const unsigned int rgba[4])
{
	uint16_t deep[4];
	uint8_t c[4];

	for (int i = 0; i < 4; i++) {
		deep[i] = (uint16_t)rgba[i];
		c[i] = (uint8_t)(rgba[i] >> 8);
	}
	switch (layout) {
	case IMGSNIFF_GRAY8:
		out[0] = (uint8_t)((77 * c[0] + 150 * c[1] + 29 * c[2] + 128) /
				   256);
		return;
	case IMGSNIFF_RGB8:
		memcpy(out, c, 3);
		return;
	case IMGSNIFF_RGBA8:
		memcpy(out, c, 4);
		return;
	case IMGSNIFF_BGRA8:
		out[0] = c[2];
		out[1] = c[1];
		out[2] = c[0];
		out[3] = c[3];
		return;
	case IMGSNIFF_RGBA16:
		memcpy(out, deep, 8);
		return;
	}
}

/* Source blocks of the exact size, for AddressSanitizer; 'shift' unaligns. */
static void
row_check(size_t kind, enum imgsniff_pixel layout, uint32_t width, size_t shift)
{
	size_t in = kinds[kind].samples * kinds[kind].bits / 8;
	size_t out = imgsniff_row_size(layout, 1);
	uint8_t *src = malloc(shift + in * width);
	uint8_t dst[GUARD + WIDTH_MAX * 8 + GUARD], want[sizeof(dst)];

	assert_true(src != NULL || shift + width == 0);
	for (size_t i = 0; i < in * width; i++)
		src[shift + i] = (uint8_t)(rand() >> 4);
	memset(dst, GUARD_BYTE, sizeof(dst));
	memset(want, GUARD_BYTE, sizeof(want));
	for (uint32_t x = 0; x < width; x++) {
		unsigned int rgba[4];

		pixel_of(src + shift + in * x, kind, rgba);
		expected_of(want + GUARD - shift + out * x, layout, rgba);
	}

	isn_row_convert(dst + GUARD - shift, layout, src + shift,
			(enum isn_row)kind, width);

	assert_memory_equal(dst, want, sizeof(dst));
	free(src);
}

static void
every_kind_becomes_every_layout(void **state)
{
	(void)state;
	for (size_t kind = 0; kind < KINDS; kind++)
		for (int layout = IMGSNIFF_GRAY8; layout <= IMGSNIFF_RGBA16;
		     layout++)
			for (uint32_t w = 0; w <= WIDTH_MAX; w++)
				for (size_t shift = 0; shift < 4; shift++)
					row_check(kind,
						  (enum imgsniff_pixel)layout,
						  w, shift);
}

static void
gray_keeps_its_value_as_colour_and_back(void **state)
{
	(void)state;
	for (unsigned int g = 0; g < 256; g++) {
		uint8_t gray = (uint8_t)g, rgb[3], back;

		isn_row_convert(rgb, IMGSNIFF_RGB8, &gray, ISN_ROW_GRAY8, 1);
		isn_row_convert(&back, IMGSNIFF_GRAY8, rgb, ISN_ROW_RGB8, 1);

		assert_int_equal(back, gray);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_becomes_every_layout),
		cmocka_unit_test(gray_keeps_its_value_as_colour_and_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
