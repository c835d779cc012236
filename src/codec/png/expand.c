/*
 * expand.c - samples that stand for something: palette indices, few bits, the
 * colour that is transparent
 */

#include <string.h>

#include "codec/png/expand.h"
#include "pixel/row.h"

#define SAMPLES_MAX	8		/* in a byte */
#define PIXEL_MAX	8		/* bytes of the largest pixel */

void
isn_png_samples_unpack(uint8_t *to, const uint8_t *from, uint32_t width,
		       unsigned int bits)
{
	const unsigned int per_byte = 8 / bits;
	const unsigned int mask = (1u << bits) - 1;

	for (uint32_t x = 0; x < width; x++) {
		unsigned int shift = (per_byte - 1 - x % per_byte) * bits;

		to[x] = (uint8_t)((unsigned int)from[x / per_byte] >> shift &
				  mask);
	}
}

/* ---- A table ------------------------------------------------------------- */

static inline void
steps_copy(uint8_t *to, const uint8_t *table, const uint8_t *from, size_t count,
	   size_t step)
{
	for (; count > 0; count--, to += step)
		memcpy(to, table + *from++ * step, step);
}

/* Pixels of four bytes, four of them in one store. */
static void
words_copy(uint8_t *to, const uint8_t *table, const uint8_t *from, size_t count)
{
	for (; count >= 4; count -= 4, from += 4, to += 16) {
		uint8_t words[16];

		memcpy(words, table + from[0] * (size_t)4, 4);
		memcpy(words + 4, table + from[1] * (size_t)4, 4);
		memcpy(words + 8, table + from[2] * (size_t)4, 4);
		memcpy(words + 12, table + from[3] * (size_t)4, 4);
		memcpy(to, words, 16);
	}
	steps_copy(to, table, from, count, 4);
}

/* For every step there can be: pixels of 1, 3, 4, 8 bytes, 1, 2, 4, 8 of them. */
static void
table_copy(uint8_t *to, const uint8_t *table, const uint8_t *from, size_t count,
	   size_t step)
{
	switch (step) {
#define STEP(size)	case size: steps_copy(to, table, from, count, size); return;
	STEP(1) STEP(2) STEP(3) STEP(6) STEP(8) STEP(12) STEP(16) STEP(24)
	STEP(32) STEP(64)
#undef STEP
	}
	words_copy(to, table, from, count);
}

size_t
isn_png_table_step(const struct png_state *s, enum imgsniff_pixel layout)
{
	return imgsniff_row_size(layout, 8 / s->bit_depth);
}

/* A pixel for each value that a sample can have. */
static void
pixels_fill(uint8_t *pixels, const struct png_state *s,
	    enum imgsniff_pixel layout)
{
	const unsigned int max = (1u << s->bit_depth) - 1;
	uint8_t gray[256][4];

	if (s->color_type == PNG_PALETTE) {
		isn_row_convert(pixels, layout, s->palette, ISN_ROW_RGBA8,
				max + 1);
		return;
	}
	for (unsigned int i = 0; i <= max; i++) {
		memset(gray[i], (int)(i * 255 / max), 3);
		gray[i][3] = s->has_key && i == s->key[0] ? 0 : 255;
	}
	isn_row_convert(pixels, layout, gray, ISN_ROW_RGBA8, max + 1);
}

/* What a line with each byte in turn becomes. */
void
isn_png_table_fill(uint8_t *table, const struct png_state *s,
		   enum imgsniff_pixel layout)
{
	const unsigned int count = 256 * 8 / s->bit_depth;
	uint8_t pixels[256 * PIXEL_MAX];
	uint8_t bytes[256], samples[256 * SAMPLES_MAX];

	if (s->bit_depth == 8) {
		pixels_fill(table, s, layout);
		return;
	}
	pixels_fill(pixels, s, layout);
	for (unsigned int i = 0; i < 256; i++)
		bytes[i] = (uint8_t)i;
	isn_png_samples_unpack(samples, bytes, count, s->bit_depth);
	table_copy(table, pixels, samples, count, imgsniff_row_size(layout, 1));
}

void
isn_png_table_apply(uint8_t *to, const uint8_t *table, size_t step,
		    const uint8_t *line, uint32_t width, size_t pixel)
{
	const size_t per_byte = step / pixel, whole = width / per_byte;
	const size_t left = width % per_byte;

	table_copy(to, table, line, whole, step);
	if (left > 0)
		memcpy(to + whole * step, table + line[whole] * step,
		       left * pixel);
}

/* ---- The colour that is transparent -------------------------------------- */

static inline void
key_add(uint8_t *to, const uint8_t *from, uint32_t width, const uint8_t *key,
	size_t pixel, size_t sample)
{
	for (; width > 0; width--, from += pixel, to += pixel + sample) {
		bool clear = memcmp(from, key, pixel) == 0;

		memcpy(to, from, pixel);
		memset(to + pixel, clear ? 0 : 255, sample);
	}
}

void
isn_png_key_add(uint8_t *to, const uint8_t *from, uint32_t width,
		const struct png_state *s)
{
	const size_t sample = s->bit_depth / 8;
	uint8_t key[6] = { 0 };

	for (unsigned int i = 0; i < s->samples; i++) {
		key[i * sample] = (uint8_t)(s->key[i] >> (s->bit_depth - 8));
		key[i * sample + sample - 1] = (uint8_t)s->key[i];
	}
	if (s->samples == 1)
		key_add(to, from, width, key, 2, 2);
	else if (sample == 1)
		key_add(to, from, width, key, 3, 1);
	else
		key_add(to, from, width, key, 6, 2);
}

void
isn_png_key_clear(uint8_t *pixels, enum imgsniff_pixel layout, uint32_t width,
		  const struct png_state *s)
{
	const bool bgra = layout == IMGSNIFF_BGRA8;
	const uint8_t opaque[4] = {
		(uint8_t)s->key[bgra ? 2 : 0], (uint8_t)s->key[1],
		(uint8_t)s->key[bgra ? 0 : 2], 255,
	};
	const uint8_t clear[4] = { opaque[0], opaque[1], opaque[2], 0 };
	uint32_t word, key, without;

	memcpy(&key, opaque, 4);
	memcpy(&without, clear, 4);
	for (; width > 0; width--, pixels += 4) {
		memcpy(&word, pixels, 4);
		word = word == key ? without : word;
		memcpy(pixels, &word, 4);
	}
}
