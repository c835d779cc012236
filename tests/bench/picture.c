/*
 * picture.c - photographs and graphics out of thin air
 */

#include <stdlib.h>

#include "picture.h"

static uint32_t
hash(uint32_t x, uint32_t y, uint32_t seed)
{
	uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;

	h = (h ^ h >> 15) * 0x2C1B3C6Du;
	h = (h ^ h >> 12) * 0x297A2D39u;
	return h ^ h >> 15;
}

/* From 0 to 255, smooth over 2^scale pixels. */
static int
noise(uint32_t x, uint32_t y, unsigned int scale, uint32_t seed)
{
	const uint32_t mask = (1u << scale) - 1;
	uint32_t cx = x >> scale, cy = y >> scale;
	int fx = (int)((x & mask) << 8 >> scale);
	int fy = (int)((y & mask) << 8 >> scale);
	int a = (int)(hash(cx, cy, seed) & 255);
	int b = (int)(hash(cx + 1, cy, seed) & 255);
	int c = (int)(hash(cx, cy + 1, seed) & 255);
	int d = (int)(hash(cx + 1, cy + 1, seed) & 255);
	int top = a * 256 + (b - a) * fx, bottom = c * 256 + (d - c) * fx;

	return (top * 256 + (bottom - top) * fy) >> 16;
}

static uint8_t
clamp(int v)
{
	return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* Shapes: brighter on one side of a wavy line, as at the edge of a roof. */
static int
photo_light(uint32_t x, uint32_t y)
{
	int edge = noise(x, y, 8, 1) > 120 ? 40 : 0;

	return edge + noise(x, y, 9, 2) / 3 + noise(x, y, 6, 3) / 6 +
	       noise(x, y, 4, 4) / 8 + noise(x, y, 2, 11) / 8;
}

uint8_t *
picture_photo(uint32_t width, uint32_t height, uint32_t shift)
{
	uint8_t *rgb = malloc((size_t)width * height * 3), *p = rgb;
	/* The grain of the row above, in sixteenths. */
	int *above = calloc(width + 1, sizeof(*above));

	for (uint32_t y = 0; y < height; y++) {
		int left = 0;

		for (uint32_t x = 0; x < width; x++, p += 3) {
			uint32_t h = hash(x, y, 5 + shift);
			int light = photo_light(x + shift, y);
			int warm = noise(x + shift, y, 7, 6) / 4 - 32;

			left = (left * 2 + above[x]) / 4 +
			       (int)(h & 255) - 127;
			above[x] = left;
			light += left / 24;
			p[0] = clamp(light + warm + (int)(h >> 8 & 3));
			p[1] = clamp(light + (int)(h >> 10 & 1));
			p[2] = clamp(light - warm + (int)(h >> 12 & 3));
		}
	}
	free(above);
	return rgb;
}

uint8_t *
picture_dithered(uint32_t width, uint32_t height, uint32_t shift)
{
	static const uint8_t bayer[4][4] = {
		{ 0, 8, 2, 10 }, { 12, 4, 14, 6 },
		{ 3, 11, 1, 9 }, { 15, 7, 13, 5 },
	};
	uint8_t *rgb = picture_photo(width, height, shift), *p = rgb;
	uint8_t *index = malloc((size_t)width * height), *to = index;

	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++, p += 3) {
			int t = bayer[y & 3][x & 3] * 51 / 16;

			*to++ = (uint8_t)((p[0] + t) / 52 * 36 +
					  (p[1] + t) / 52 * 6 +
					  (p[2] + t) / 52);
		}
	free(rgb);
	return index;
}

#define GLYPH_WIDTH	8
#define GLYPH_HEIGHT	14

/* Whether a pixel of a text is ink: glyphs of 5 x 7 dots, words, lines. */
static int
ink(uint32_t x, uint32_t y)
{
	uint32_t gx = x / GLYPH_WIDTH, gy = y / GLYPH_HEIGHT;
	uint32_t dx = x % GLYPH_WIDTH, dy = y % GLYPH_HEIGHT / 2;
	uint32_t glyph = hash(gx, gy, 7) % 30;

	return dx < 5 && dy < 6 && glyph > 4 && hash(gy, 0, 8) % 4 > 0 &&
	       (hash(glyph, dx / 2 + dy / 2 * 4, 9) & 3) > 1;
}

uint8_t *
picture_graphic(uint32_t width, uint32_t height, uint32_t shift)
{
	uint8_t *index = malloc((size_t)width * height), *to = index;

	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++) {
			uint32_t box = hash((x + shift) / 240, y / 160, 10);
			uint8_t paper = (uint8_t)(box % 3 == 0 ? box % 216 : 215);

			*to++ = ink(x + shift, y) ?
				(uint8_t)(box / 256 % 36) : paper;
		}
	return index;
}

uint8_t *
picture_alpha(uint32_t width, uint32_t height)
{
	uint8_t *alpha = malloc((size_t)width * height), *to = alpha;

	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++) {
			/* The square of the distance, 1000 at the edges. */
			int64_t dx = (int64_t)x * 2000 / width - 1000;
			int64_t dy = (int64_t)y * 2000 / height - 1000;
			int64_t far = (dx * dx + dy * dy) / 1000;

			*to++ = clamp((int)((1100 - far) * 255 / 300));
		}
	return alpha;
}

void
picture_color(uint8_t index, uint8_t rgb[3])
{
	if (index >= PICTURE_COLORS) {
		rgb[0] = rgb[1] = rgb[2] = 0;
		return;
	}
	rgb[0] = (uint8_t)(index / 36 * 51);
	rgb[1] = (uint8_t)(index / 6 % 6 * 51);
	rgb[2] = (uint8_t)(index % 6 * 51);
}
