/*
 * riff.h - WebPs put together by hand, for tests
 */

#ifndef TESTS_UNIT_RIFF_H
#define TESTS_UNIT_RIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>

struct riff {
	uint8_t *data;
	size_t size;
};

static inline void
riff_add(struct riff *r, const void *data, size_t size)
{
	if (size == 0)
		return;
	r->data = realloc(r->data, r->size + size);
	if (r->data == NULL)
		abort();
	memcpy(r->data + r->size, data, size);
	r->size += size;
}

/* 'bytes' bytes of 'value', little-endian. */
static inline void
riff_add_le(struct riff *r, uint32_t value, unsigned int bytes)
{
	for (; bytes > 0; bytes--, value >>= 8) {
		uint8_t byte = (uint8_t)value;

		riff_add(r, &byte, 1);
	}
}

static inline void
riff_set_size(struct riff *r, size_t at, size_t size)
{
	for (int i = 0; i < 4; i++)
		r->data[at + (size_t)i] = (uint8_t)(size >> 8 * i);
}

static inline struct riff
riff_begin(void)
{
	struct riff r = { NULL, 0 };

	riff_add(&r, "RIFF\0\0\0\0WEBP", 12);
	return r;
}

/* Call it again after more chunks. */
static inline void
riff_end(struct riff *r)
{
	riff_set_size(r, 4, r->size - 8);
}

/* Returns where the chunk begins; chunk_end() sets its size and pads. */
static inline size_t
chunk_begin(struct riff *r, const char *tag)
{
	size_t at = r->size;

	riff_add(r, tag, 4);
	riff_add_le(r, 0, 4);
	return at;
}

static inline void
chunk_end(struct riff *r, size_t at)
{
	size_t size = r->size - at - 8;

	riff_set_size(r, at + 4, size);
	if (size % 2 != 0)
		riff_add(r, "", 1);
}

static inline void
chunk_add(struct riff *r, const char *tag, const void *data, size_t size)
{
	size_t at = chunk_begin(r, tag);

	riff_add(r, data, size);
	chunk_end(r, at);
}

enum {
	VP8X_ANIM = 0x02, VP8X_XMP = 0x04, VP8X_EXIF = 0x08, VP8X_ALPHA = 0x10,
	VP8X_ICC = 0x20,
};

static inline void
vp8x_add(struct riff *r, unsigned int flags, uint32_t width, uint32_t height)
{
	size_t at = chunk_begin(r, "VP8X");

	riff_add_le(r, flags, 4);
	riff_add_le(r, width - 1, 3);
	riff_add_le(r, height - 1, 3);
	chunk_end(r, at);
}

static inline void
anim_add(struct riff *r, unsigned int loop)
{
	size_t at = chunk_begin(r, "ANIM");

	riff_add_le(r, 0x11223344, 4);	/* background: has no effect */
	riff_add_le(r, loop, 2);
	chunk_end(r, at);
}

enum { ANMF_DISPOSE = 1, ANMF_NO_BLEND = 2 };

/* The chunks of the picture come next, then chunk_end(). */
static inline size_t
anmf_begin(struct riff *r, uint32_t x, uint32_t y, uint32_t width,
	   uint32_t height, uint32_t ms, unsigned int flags)
{
	size_t at = chunk_begin(r, "ANMF");

	riff_add_le(r, x / 2, 3);
	riff_add_le(r, y / 2, 3);
	riff_add_le(r, width - 1, 3);
	riff_add_le(r, height - 1, 3);
	riff_add_le(r, ms, 3);
	riff_add_le(r, flags, 1);
	return at;
}

/* A picture that compresses badly enough to have many bytes; seed: its look. */
static inline uint8_t *
picture_new(uint32_t width, uint32_t height, uint32_t seed, bool alpha)
{
	uint8_t *p = malloc((size_t)width * height * 4);
	uint32_t noise = seed * 2654435761u + 1;

	if (p == NULL)
		abort();
	for (uint32_t i = 0; i < width * height; i++) {
		uint32_t x = i % width, y = i / width;

		noise = noise * 1664525u + 1013904223u;
		p[i * 4] = (uint8_t)(x * 3 + (noise >> 29) + seed * 40);
		p[i * 4 + 1] = (uint8_t)(y * 5 + (noise >> 27));
		p[i * 4 + 2] = (uint8_t)(x + y + seed * 90);
		p[i * 4 + 3] = alpha ? (uint8_t)(x * 9 + y * 7 + seed) : 255;
	}
	return p;
}

enum picture_kind { PICTURE_LOSSY, PICTURE_LOSSLESS };

/*
 * The chunks of a picture as the encoder makes them (ALPH and VP8, or VP8L),
 * without RIFF and VP8X.
 */
static inline void
picture_add(struct riff *r, const uint8_t *rgba, uint32_t width, uint32_t height,
	    enum picture_kind kind)
{
	uint8_t *file = NULL;
	size_t size = kind == PICTURE_LOSSY
		? WebPEncodeRGBA(rgba, (int)width, (int)height, (int)width * 4,
				 75, &file)
		: WebPEncodeLosslessRGBA(rgba, (int)width, (int)height,
					 (int)width * 4, &file);
	size_t skip = 12;

	if (size < 30)
		abort();
	if (memcmp(file + 12, "VP8X", 4) == 0)
		skip += 18;
	riff_add(r, file + skip, size - skip);
	WebPFree(file);
}

/* A whole file with one picture. */
static inline struct riff
still_new(uint32_t width, uint32_t height, enum picture_kind kind, bool alpha)
{
	uint8_t *rgba = picture_new(width, height, 1, alpha);
	struct riff r = riff_begin();

	if (alpha && kind == PICTURE_LOSSY)
		vp8x_add(&r, VP8X_ALPHA, width, height);
	picture_add(&r, rgba, width, height, kind);
	riff_end(&r);
	free(rgba);
	return r;
}

/* "II", 42, IFD0 at 8 with one entry: the orientation. */
static const uint8_t exif_orientation_6[] = {
	'I', 'I', 42, 0, 8, 0, 0, 0,
	1, 0,				/* entries */
	0x12, 1, 3, 0, 1, 0, 0, 0,	/* tag, SHORT, one of them */
	6, 0, 0, 0,			/* value */
	0, 0, 0, 0,			/* no IFD1 */
};

#endif /* TESTS_UNIT_RIFF_H */
