/*
 * row.c - one row of samples to the layout that was asked for
 */

#include <string.h>

#include "base/bytes.h"
#include "pixel/row.h"

struct pixel8 {
	uint8_t r, g, b, a;
};

struct pixel16 {
	uint16_t r, g, b, a;
};

static const struct {
	uint8_t samples;
	uint8_t bytes;			/* of one pixel */
	bool deep;
} kinds[] = {
	[ISN_ROW_GRAY8] = { 1, 1, false },
	[ISN_ROW_GRAY_ALPHA8] = { 2, 2, false },
	[ISN_ROW_RGB8] = { 3, 3, false },
	[ISN_ROW_RGBA8] = { 4, 4, false },
	[ISN_ROW_GRAY16] = { 1, 2, true },
	[ISN_ROW_GRAY_ALPHA16] = { 2, 4, true },
	[ISN_ROW_RGB16] = { 3, 6, true },
	[ISN_ROW_RGBA16] = { 4, 8, true },
};

/* 'step' is the distance of two samples: of 16-bit ones the high byte is read. */
static inline struct pixel8
load8(const uint8_t *p, unsigned int samples, unsigned int step)
{
	if (samples <= 2)
		return (struct pixel8){ p[0], p[0], p[0],
					samples == 2 ? p[step] : 255 };
	return (struct pixel8){ p[0], p[step], p[2 * step],
				samples == 4 ? p[3 * step] : 255 };
}

static inline uint16_t
load16(const uint8_t *p, unsigned int i, bool deep)
{
	return deep ? isn_load_u16be(p + 2 * i) : (uint16_t)(p[i] * 257);
}

static inline struct pixel16
load_deep(const uint8_t *p, unsigned int samples, bool deep)
{
	uint16_t first = load16(p, 0, deep);

	if (samples <= 2)
		return (struct pixel16){ first, first, first,
			samples == 2 ? load16(p, 1, deep) : 65535 };
	return (struct pixel16){ first, load16(p, 1, deep), load16(p, 2, deep),
		samples == 4 ? load16(p, 3, deep) : 65535 };
}

static inline uint8_t
luma(struct pixel8 p)
{
	return (uint8_t)((77 * p.r + 150 * p.g + 29 * p.b + 128) >> 8);
}

void
isn_row_convert(void *dst, enum imgsniff_pixel layout, const void *src,
		enum isn_row kind, uint32_t width)
{
	const unsigned int samples = kinds[kind].samples;
	const unsigned int bytes = kinds[kind].bytes;
	const bool deep = kinds[kind].deep;
	const unsigned int step = deep ? 2 : 1;
	const uint8_t *p = src;
	uint8_t *out = dst;

	switch (layout) {
	case IMGSNIFF_GRAY8:
		for (uint32_t x = 0; x < width; x++, p += bytes)
			*out++ = luma(load8(p, samples, step));
		return;
	case IMGSNIFF_RGB8:
		for (uint32_t x = 0; x < width; x++, p += bytes, out += 3) {
			struct pixel8 c = load8(p, samples, step);

			out[0] = c.r;
			out[1] = c.g;
			out[2] = c.b;
		}
		return;
	case IMGSNIFF_RGBA8:
		for (uint32_t x = 0; x < width; x++, p += bytes, out += 4) {
			struct pixel8 c = load8(p, samples, step);

			memcpy(out, &c, 4);
		}
		return;
	case IMGSNIFF_BGRA8:
		for (uint32_t x = 0; x < width; x++, p += bytes, out += 4) {
			struct pixel8 c = load8(p, samples, step);

			out[0] = c.b;
			out[1] = c.g;
			out[2] = c.r;
			out[3] = c.a;
		}
		return;
	case IMGSNIFF_RGBA16:
		for (uint32_t x = 0; x < width; x++, p += bytes, out += 8) {
			struct pixel16 c = load_deep(p, samples, deep);

			memcpy(out, &c, 8);
		}
		return;
	}
}
