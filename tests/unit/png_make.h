/*
 * png_make.h - PNGs for tests, written here chunk by chunk with zlib
 */

#ifndef TESTS_UNIT_PNG_MAKE_H
#define TESTS_UNIT_PNG_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define UNUSED	__attribute__((unused))

/* Not assert(): that is off in a release. */
UNUSED static void
must(bool condition)
{
	if (!condition)
		abort();
}

struct bytes {
	uint8_t *data;
	size_t size;
	size_t room;
};

UNUSED static void
bytes_add(struct bytes *b, const void *data, size_t size)
{
	if (size > b->room - b->size) {
		b->room = (b->size + size) * 2;
		b->data = realloc(b->data, b->room);
		must(b->data != NULL);
	}
	if (size > 0)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

UNUSED static void
bytes_add_u32(struct bytes *b, uint32_t v)
{
	const uint8_t be[4] = { (uint8_t)(v >> 24), (uint8_t)(v >> 16),
				(uint8_t)(v >> 8), (uint8_t)v };

	bytes_add(b, be, 4);
}

UNUSED static void
bytes_add_u16(struct bytes *b, uint32_t v)
{
	const uint8_t be[2] = { (uint8_t)(v >> 8), (uint8_t)v };

	bytes_add(b, be, 2);
}

UNUSED static void
bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ NULL, 0, 0 };
}

/* A copy that ends where its heap block does, for AddressSanitizer. */
UNUSED static uint8_t *
bytes_exact(const struct bytes *b, size_t size)
{
	uint8_t *copy = malloc(size > 0 ? size : 1);

	must(copy != NULL && size <= b->size);
	if (size > 0)
		memcpy(copy, b->data, size);
	return copy;
}

/* A xorshift generator: the same numbers on every run. */
UNUSED static uint32_t
random_next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

UNUSED static void
png_signature(struct bytes *b)
{
	bytes_add(b, "\x89PNG\r\n\x1a\n", 8);
}

/* Returns the offset of the chunk. */
UNUSED static size_t
png_chunk(struct bytes *b, const char *type, const void *data, size_t size)
{
	const size_t at = b->size;

	bytes_add_u32(b, (uint32_t)size);
	bytes_add(b, type, 4);
	bytes_add(b, data, size);
	bytes_add_u32(b, (uint32_t)crc32(0, b->data + at + 4, (uInt)size + 4));
	return at;
}

struct png_kind {
	uint32_t width, height;
	uint8_t depth, color;		/* as IHDR has them */
	uint8_t interlace;
	bool trns;			/* the sample or entry that is transparent */
	uint16_t key[3];
	unsigned int palette;		/* entries */
	uint8_t filters;		/* enum png_filters */
};

/* Those of the scanlines; up to 5, one and the same for all, plus 1. */
enum png_filters {
	PNG_FILTERS_TURNS = 0,
	PNG_FILTERS_RANDOM = 6,
	PNG_FILTERS_COUNT,
};

UNUSED static unsigned int
png_filter(const struct png_kind *k, uint32_t y, uint32_t *state)
{
	if (k->filters == PNG_FILTERS_TURNS)
		return (y + 1) % 5;
	if (k->filters == PNG_FILTERS_RANDOM)
		return (random_next(state) >> 8) % 5;
	return k->filters - 1u;
}

UNUSED static unsigned int
png_samples(uint8_t color)
{
	return color == 2 ? 3 : color == 4 ? 2 : color == 6 ? 4 : 1;
}

UNUSED static size_t
png_ihdr(struct bytes *b, const struct png_kind *k)
{
	struct bytes data = { NULL, 0, 0 };
	const uint8_t rest[5] = { k->depth, k->color, 0, 0, k->interlace };
	size_t at;

	bytes_add_u32(&data, k->width);
	bytes_add_u32(&data, k->height);
	bytes_add(&data, rest, 5);
	at = png_chunk(b, "IHDR", data.data, data.size);
	bytes_free(&data);
	return at;
}

/* Entry i is (i, 255 - i, 3 i). */
UNUSED static void
png_palette(struct bytes *b, unsigned int entries)
{
	uint8_t p[768];

	for (unsigned int i = 0; i < entries; i++) {
		p[3 * i] = (uint8_t)i;
		p[3 * i + 1] = (uint8_t)(255 - i);
		p[3 * i + 2] = (uint8_t)(3 * i);
	}
	png_chunk(b, "PLTE", p, 3 * (size_t)entries);
}

/* Signature, IHDR, PLTE and tRNS. */
UNUSED static void
png_head(struct bytes *b, const struct png_kind *k)
{
	struct bytes trns = { NULL, 0, 0 };

	png_signature(b);
	png_ihdr(b, k);
	if (k->color == 3)
		png_palette(b, k->palette);
	if (k->trns && k->color == 3) {
		for (unsigned int i = 0; i <= k->key[0]; i++)
			bytes_add(&trns, i == k->key[0] ? "\x40" : "\xff", 1);
	} else if (k->trns) {
		for (unsigned int i = 0; i < png_samples(k->color); i++)
			bytes_add_u16(&trns, k->key[i]);
	}
	if (k->trns)
		png_chunk(b, "tRNS", trns.data, trns.size);
	bytes_free(&trns);
}

/* Samples of a picture, row by row: png_samples() for each pixel. */
UNUSED static uint16_t *
png_picture(const struct png_kind *k, uint32_t seed)
{
	size_t count = (size_t)k->width * k->height * png_samples(k->color);
	uint16_t *samples = malloc(count * sizeof(*samples));
	uint32_t state = seed * 2654435761u + 1;

	must(samples != NULL);
	for (size_t i = 0; i < count; i++) {
		uint32_t r = random_next(&state) >> 8;

		samples[i] = (uint16_t)(r & ((1u << k->depth) - 1));
		if (k->palette != 0)
			samples[i] = (uint16_t)(r % k->palette);
	}
	/* The first pixel is the one that tRNS names. */
	if (k->trns)
		memcpy(samples, k->key, png_samples(k->color) * 2);
	return samples;
}

/* 9.2, written from the other side than the decoder's. */
UNUSED static uint8_t
filter_predict(unsigned int type, int left, int up, int corner)
{
	int p = left + up - corner;

	switch (type) {
	case 1:
		return (uint8_t)left;
	case 2:
		return (uint8_t)up;
	case 3:
		return (uint8_t)((left + up) / 2);
	case 4:
		if (abs(p - left) <= abs(p - up) &&
		    abs(p - left) <= abs(p - corner))
			return (uint8_t)left;
		return (uint8_t)(abs(p - up) <= abs(p - corner) ? up : corner);
	}
	return 0;
}

UNUSED static void
scanline_filter(struct bytes *out, const uint8_t *row, const uint8_t *above,
		size_t size, size_t distance, unsigned int type)
{
	const uint8_t t = (uint8_t)type;

	bytes_add(out, &t, 1);
	for (size_t i = 0; i < size; i++) {
		int left = i >= distance ? row[i - distance] : 0;
		int up = above ? above[i] : 0;
		int corner = above && i >= distance ? above[i - distance] : 0;
		uint8_t v = (uint8_t)(row[i] - filter_predict(type, left, up,
							      corner));

		bytes_add(out, &v, 1);
	}
}

/* One pass, or the whole: filter types 0 to 4 in turn. */
UNUSED static void
pass_write(struct bytes *out, const struct png_kind *k, const uint16_t *samples,
	   const uint8_t step[4])
{
	const unsigned int n = png_samples(k->color);
	const size_t distance = (n * k->depth + 7) / 8;
	struct bytes row = { NULL, 0, 0 }, above = { NULL, 0, 0 };
	unsigned int turn = 0;
	uint32_t state = k->width * 7919 + k->height + 1;

	for (uint32_t y = step[1]; y < k->height; y += step[3]) {
		unsigned int bits = 0, used = 0;

		row.size = 0;
		for (uint32_t x = step[0]; x < k->width; x += step[2])
			for (unsigned int i = 0; i < n; i++) {
				size_t at = ((size_t)y * k->width + x) * n + i;
				uint8_t byte;

				bits = bits << k->depth | samples[at];
				used += k->depth;
				for (; used >= 8; used -= 8) {
					byte = (uint8_t)(bits >> (used - 8));
					bytes_add(&row, &byte, 1);
				}
			}
		if (used > 0) {
			uint8_t byte = (uint8_t)(bits << (8 - used));

			bytes_add(&row, &byte, 1);
		}
		if (row.size > 0)
			scanline_filter(out, row.data,
					turn > 0 ? above.data : NULL, row.size,
					distance, png_filter(k, turn, &state));
		above.size = 0;
		bytes_add(&above, row.data, row.size);
		turn++;
	}
	bytes_free(&row);
	bytes_free(&above);
}

/* All scanlines as they go into the zlib stream. */
UNUSED static struct bytes
png_scanlines(const struct png_kind *k, const uint16_t *samples)
{
	static const uint8_t adam7[7][4] = {
		{ 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
		{ 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 },
	};
	static const uint8_t whole[4] = { 0, 0, 1, 1 };
	struct bytes out = { NULL, 0, 0 };

	if (!k->interlace)
		pass_write(&out, k, samples, whole);
	else
		for (int i = 0; i < 7; i++)
			pass_write(&out, k, samples, adam7[i]);
	return out;
}

UNUSED static struct bytes
zlib_stream(const struct bytes *raw, int level)
{
	uLongf size = compressBound((uLong)raw->size);
	struct bytes out = { malloc(size), 0, size };

	must(out.data != NULL);
	must(compress2(out.data, &size, raw->data, (uLong)raw->size, level) ==
	     Z_OK);
	out.size = size;
	return out;
}

UNUSED static struct bytes
png_stream(const struct png_kind *k, const uint16_t *samples, int level)
{
	struct bytes raw = png_scanlines(k, samples);
	struct bytes stream = zlib_stream(&raw, level);

	bytes_free(&raw);
	return stream;
}

/* IDATs of up to 'part' bytes each; 0: one for all. Returns the first's offset. */
UNUSED static size_t
png_idats(struct bytes *b, const struct bytes *stream, size_t part)
{
	const size_t first = b->size;
	size_t at = 0;

	do {
		size_t size = stream->size - at;

		if (part != 0 && size > part)
			size = part;
		png_chunk(b, "IDAT", stream->data + at, size);
		at += size;
	} while (at < stream->size);
	return first;
}

/* All of a PNG. */
UNUSED static struct bytes
png_make(const struct png_kind *k, const uint16_t *samples, size_t part)
{
	struct bytes b = { NULL, 0, 0 };
	struct bytes stream = png_stream(k, samples, 6);

	png_head(&b, k);
	png_idats(&b, &stream, part);
	png_chunk(&b, "IEND", NULL, 0);
	bytes_free(&stream);
	return b;
}

/* What pixel 'at' is, 16 bits a sample, RGBA. */
UNUSED static void
png_expect(const struct png_kind *k, const uint16_t *samples, size_t at,
	   uint16_t rgba[4])
{
	const unsigned int n = png_samples(k->color);
	const uint16_t *s = samples + at * n;
	const unsigned int max = (1u << k->depth) - 1;
	bool keyed = k->trns;

	if (k->color == 3) {
		rgba[0] = (uint16_t)(s[0] * 257);
		rgba[1] = (uint16_t)((255 - s[0]) * 257);
		rgba[2] = (uint16_t)((uint8_t)(3 * s[0]) * 257);
		rgba[3] = keyed && s[0] == k->key[0] ? 0x4040 : 0xffff;
		return;
	}
	for (unsigned int i = 0; i < 3; i++) {
		unsigned int from = n >= 3 ? i : 0;

		rgba[i] = (uint16_t)(s[from] * 65535u / max);
		keyed = keyed && s[from] == k->key[from];
	}
	rgba[3] = 0xffff;
	if (n == 2 || n == 4)
		rgba[3] = (uint16_t)(s[n - 1] * 65535u / max);
	else if (keyed)
		rgba[3] = 0;
}

#endif /* TESTS_UNIT_PNG_MAKE_H */
