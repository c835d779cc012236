/*
 * image_png.c - writing PNGs of every kind, with every filter
 */

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "images.h"
#include "picture.h"

static const uint8_t channels[] = {
	[PNG_GRAY] = 1, [PNG_RGB] = 3, [PNG_INDEXED] = 1,
	[PNG_GRAY_ALPHA] = 2, [PNG_RGB_ALPHA] = 4,
};

/* Rows without filters: samples of one byte each, tightly packed. */
static uint8_t *
samples_make(const struct png_kind *k, uint32_t width, uint32_t height)
{
	size_t count = (size_t)width * height, n = channels[k->color];
	uint8_t *index = NULL, *rgb = NULL, *alpha = NULL, *out, *p;

	if (k->graphic)
		index = picture_graphic(width, height, 0);
	else if (k->color == PNG_INDEXED)
		index = picture_dithered(width, height, 0);
	if (k->color == PNG_INDEXED)
		return index;
	rgb = index ? malloc(count * 3) : picture_photo(width, height, 0);
	for (size_t i = 0; index != NULL && i < count; i++)
		picture_color(index[i], rgb + i * 3);
	alpha = n % 2 == 0 ? picture_alpha(width, height) : NULL;
	p = out = malloc(count * n);
	for (size_t i = 0; i < count; i++, p += n) {
		if (n < 3)
			p[0] = rgb[i * 3 + 1];
		else
			memcpy(p, rgb + i * 3, 3);
		if (alpha != NULL)
			p[n - 1] = alpha[i];
	}
	free(index);
	free(rgb);
	free(alpha);
	return out;
}

/* Two bytes a sample; the lower one has the noise of a sensor. */
static uint8_t *
samples_widen(uint8_t *samples, size_t count)
{
	uint8_t *wide = malloc(count * 2);
	uint32_t state = 1;

	for (size_t i = 0; i < count; i++) {
		state = state * 1664525 + 1013904223;
		wide[2 * i] = samples[i];
		wide[2 * i + 1] = (uint8_t)(state >> 26 << 2);
	}
	free(samples);
	return wide;
}

static uint8_t
paeth(int a, int b, int c)
{
	int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

	return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/* Writes the filter's number and the row; returns the sum of differences. */
static uint64_t
row_filter(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	   size_t pixel, int filter)
{
	uint64_t sum = 0;

	*to++ = (uint8_t)filter;
	for (size_t i = 0; i < size; i++) {
		int a = i >= pixel ? row[i - pixel] : 0, b = above[i];
		int c = i >= pixel ? above[i - pixel] : 0;
		const int guess[] = {
			[PNG_NONE] = 0, [PNG_SUB] = a, [PNG_UP] = b,
			[PNG_AVERAGE] = (a + b) / 2,
			[PNG_PAETH] = paeth(a, b, c),
		};

		to[i] = (uint8_t)(row[i] - guess[filter]);
		sum += (uint64_t)abs((int8_t)to[i]);
	}
	return sum;
}

static int
filter_choose(uint8_t *to, const uint8_t *row, const uint8_t *above,
	      size_t size, size_t pixel)
{
	uint64_t least = UINT64_MAX;
	int best = 0;

	for (int f = PNG_NONE; f <= PNG_PAETH; f++) {
		uint64_t sum = row_filter(to, row, above, size, pixel, f);

		if (sum < least) {
			least = sum;
			best = f;
		}
	}
	return best;
}

/* PNG, 8.2: where a pass starts, and its steps. */
static const struct pass {
	uint8_t x, y, dx, dy;
} whole[] = { { 0, 0, 1, 1 } }, adam7[] = {
	{ 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
	{ 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 },
};

/* Appends the filtered rows of a pass, returns how many bytes. */
static size_t
pass_filter(uint8_t *to, const uint8_t *samples, uint32_t width,
	    uint32_t height, size_t pixel, const struct pass *p,
	    enum png_filter filter)
{
	uint8_t *row = malloc((size_t)width * pixel), *start = to;
	uint8_t *above = calloc(width, pixel);
	uint32_t n = 0;

	for (uint32_t y = p->y; y < height && p->x < width; y += p->dy, n++) {
		size_t size = 0;
		uint8_t *next = above;
		int f = (int)filter;

		for (uint32_t x = p->x; x < width; x += p->dx, size += pixel)
			memcpy(row + size, samples +
			       ((size_t)y * width + x) * pixel, pixel);
		if (filter == PNG_TURNS)
			f = (int)(n % 5);
		else if (filter == PNG_ADAPTIVE)
			f = filter_choose(to, row, above, size, pixel);
		row_filter(to, row, above, size, pixel, f);
		to += size + 1;
		above = row;
		row = next;
	}
	free(row);
	free(above);
	return (size_t)(to - start);
}

static void
put_u32be(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

static size_t
put_chunk(uint8_t *to, const char *type, const uint8_t *data, size_t size)
{
	put_u32be(to, (uint32_t)size);
	memcpy(to + 4, type, 4);
	if (size > 0)
		memcpy(to + 8, data, size);
	put_u32be(to + 8 + size,
		  (uint32_t)crc32(0, to + 4, (unsigned int)size + 4));
	return size + 12;
}

static size_t
put_palette(uint8_t *to)
{
	uint8_t colors[PICTURE_COLORS * 3];

	for (size_t i = 0; i < PICTURE_COLORS; i++)
		picture_color((uint8_t)i, colors + i * 3);
	return put_chunk(to, "PLTE", colors, sizeof(colors));
}

/* IDATs of 8 KiB, as libpng writes them. */
static struct bench_file
png_wrap(const uint8_t ihdr[13], const uint8_t *z, size_t zsize)
{
	const size_t idat = 8192;
	uint8_t *png = malloc(zsize + (zsize / idat + 4) * 12 + 1024);
	size_t size = 8;

	memcpy(png, "\x89PNG\r\n\x1a\n", 8);
	size += put_chunk(png + size, "IHDR", ihdr, 13);
	if (ihdr[9] == PNG_INDEXED)
		size += put_palette(png + size);
	for (size_t at = 0; at < zsize; at += idat)
		size += put_chunk(png + size, "IDAT", z + at,
				  zsize - at < idat ? zsize - at : idat);
	size += put_chunk(png + size, "IEND", NULL, 0);
	return (struct bench_file){ png, size };
}

struct bench_file
image_png(const struct png_kind *k, uint32_t width, uint32_t height)
{
	const struct pass *passes = k->interlaced ? adam7 : whole;
	size_t npasses = k->interlaced ? 7 : 1, raw_size = 0;
	size_t pixel = channels[k->color];
	uint8_t *samples = samples_make(k, width, height), *raw, *z;
	/* Each pass may have a row more than its share. */
	size_t most = ((size_t)width * pixel * 2 + 1) * (height + 7) +
		      (size_t)height * 7;
	uint8_t ihdr[13] = { 0, 0, 0, 0, 0, 0, 0, 0, k->depth,
			     (uint8_t)k->color, 0, 0, k->interlaced };
	struct bench_file file;
	uLongf zsize;

	if (k->depth == 16) {
		samples = samples_widen(samples, (size_t)width * height * pixel);
		pixel *= 2;
	}
	raw = malloc(most);
	for (size_t i = 0; i < npasses; i++)
		raw_size += pass_filter(raw + raw_size, samples, width, height,
					pixel, &passes[i], k->filter);
	zsize = compressBound(raw_size);
	z = malloc(zsize);
	compress2(z, &zsize, raw, raw_size, 6);
	put_u32be(ihdr, width);
	put_u32be(ihdr + 4, height);
	file = png_wrap(ihdr, z, zsize);
	free(samples);
	free(raw);
	free(z);
	return file;
}
