/*
 * row.c - one row of samples to the layout that was asked for
 *
 * A loop for each pair of kind and layout, made by inlining: what depends on the
 * kind is a constant inside of it. Where that is faster, a pixel of four bytes is
 * one 32-bit word, changed by what does not depend on the order of its bytes.
 */

#include <string.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "pixel/row.h"

static inline uint32_t
word_of(uint8_t b0, uint8_t b1, uint8_t b2, uint8_t b3)
{
	const uint8_t bytes[4] = { b0, b1, b2, b3 };
	uint32_t word;

	memcpy(&word, bytes, 4);
	return word;
}

static inline uint32_t
word_load(const uint8_t *p)
{
	uint32_t word;

	memcpy(&word, p, 4);
	return word;
}

#define ALPHA		word_of(0, 0, 0, 255)
#define GREEN_ALPHA	word_of(0, 255, 0, 255)
#define REPEAT		UINT32_C(0x01010101)

/* Turning a word by half exchanges its bytes 0 and 2, in any byte order. */
static inline void
word_store(uint8_t *p, uint32_t word, bool bgra)
{
	uint32_t rb = word & ~GREEN_ALPHA;

	if (bgra)
		word = (word & GREEN_ALPHA) | rb << 16 | rb >> 16;
	memcpy(p, &word, 4);
}

/*
 * What follows takes the number of samples and 'step', the distance of two
 * samples in bytes: of 16-bit ones the high byte is read.
 */

static inline void
gray8_row(uint8_t *out, const uint8_t *p, uint32_t width, unsigned int samples,
	  unsigned int step)
{
	if (samples == 1 && step == 1) {
		memcpy(out, p, width);
		return;
	}
	for (uint32_t x = 0; x < width; x++, p += samples * step) {
		unsigned int g = p[0];

		if (samples >= 3)
			g = (77 * g + 150u * p[step] + 29u * p[2 * step] +
			     128) >> 8;
		out[x] = (uint8_t)g;
	}
}

static inline void
rgb8_row(uint8_t *out, const uint8_t *p, uint32_t width, unsigned int samples,
	 unsigned int step)
{
	if (samples == 3 && step == 1) {
		memcpy(out, p, (size_t)width * 3);
		return;
	}
	for (; width > 0; width--, p += samples * step, out += 3) {
		out[0] = p[0];
		out[1] = samples >= 3 ? p[step] : p[0];
		out[2] = samples >= 3 ? p[2 * step] : p[0];
	}
}

/* The commonest kinds, by words. */
static inline void
rgba8_row_of_gray8(uint8_t *out, const uint8_t *p, uint32_t width)
{
	for (uint32_t x = 0; x < width; x++, out += 4)
		word_store(out, p[x] * REPEAT | ALPHA, false);
}

static inline void
rgba8_row_of_rgb8(uint8_t *out, const uint8_t *p, uint32_t width, bool bgra)
{
	for (; width > 1; width--, p += 3, out += 4)
		word_store(out, word_load(p) | ALPHA, bgra);
	/* The last pixel has no byte after it. */
	word_store(out, word_of(p[0], p[1], p[2], 255), bgra);
}

static inline void
rgba8_row_of_rgba8(uint8_t *out, const uint8_t *p, uint32_t width, bool bgra)
{
	if (!bgra) {
		memcpy(out, p, (size_t)width * 4);
		return;
	}
	for (; width > 0; width--, p += 4, out += 4)
		word_store(out, word_load(p), true);
}

static inline void
rgba8_row(uint8_t *out, const uint8_t *p, uint32_t width, unsigned int samples,
	  unsigned int step, bool bgra)
{
	if (step == 1 && samples == 1) {
		rgba8_row_of_gray8(out, p, width);
		return;
	}
	if (step == 1 && samples == 3) {
		rgba8_row_of_rgb8(out, p, width, bgra);
		return;
	}
	if (step == 1 && samples == 4) {
		rgba8_row_of_rgba8(out, p, width, bgra);
		return;
	}
	for (; width > 0; width--, p += samples * step, out += 4) {
		out[bgra ? 2 : 0] = p[0];
		out[1] = samples >= 3 ? p[step] : p[0];
		out[bgra ? 0 : 2] = samples >= 3 ? p[2 * step] : p[0];
		out[3] = samples % 2 ? 255 : p[(samples - 1) * step];
	}
}

/* Two bytes at a time: the compiler would gather a pixel in memory first. */
static inline void
sample16_copy(uint8_t *out, const uint8_t *p, unsigned int step)
{
	uint16_t v = step == 2 ? isn_load_u16be(p) : (uint16_t)(p[0] * 257);

	memcpy(out, &v, 2);
}

static inline void
rgba16_row(uint8_t *out, const uint8_t *p, uint32_t width, unsigned int samples,
	   unsigned int step)
{
	const unsigned int green = samples >= 3 ? step : 0;
	const uint16_t opaque = 65535;

	for (; width > 0; width--, p += samples * step, out += 8) {
		sample16_copy(out, p, step);
		sample16_copy(out + 2, p + green, step);
		sample16_copy(out + 4, p + 2 * green, step);
		if (samples % 2 == 0)
			sample16_copy(out + 6, p + (samples - 1) * step, step);
		else
			memcpy(out + 6, &opaque, 2);
	}
}

static inline void
any_row(uint8_t *out, enum imgsniff_pixel layout, const uint8_t *p,
	uint32_t width, unsigned int samples, unsigned int step)
{
	switch (layout) {
	case IMGSNIFF_GRAY8:
		gray8_row(out, p, width, samples, step);
		return;
	case IMGSNIFF_RGB8:
		rgb8_row(out, p, width, samples, step);
		return;
	case IMGSNIFF_RGBA8:
		rgba8_row(out, p, width, samples, step, false);
		return;
	case IMGSNIFF_BGRA8:
		rgba8_row(out, p, width, samples, step, true);
		return;
	case IMGSNIFF_RGBA16:
		rgba16_row(out, p, width, samples, step);
		return;
	}
}

static void
plain_convert(uint8_t *dst, enum imgsniff_pixel layout, const uint8_t *src,
	      enum isn_row kind, uint32_t width)
{
	if (width == 0)
		return;
	switch (kind) {
	case ISN_ROW_GRAY8:
		any_row(dst, layout, src, width, 1, 1);
		return;
	case ISN_ROW_GRAY_ALPHA8:
		any_row(dst, layout, src, width, 2, 1);
		return;
	case ISN_ROW_RGB8:
		any_row(dst, layout, src, width, 3, 1);
		return;
	case ISN_ROW_RGBA8:
		any_row(dst, layout, src, width, 4, 1);
		return;
	case ISN_ROW_GRAY16:
		any_row(dst, layout, src, width, 1, 2);
		return;
	case ISN_ROW_GRAY_ALPHA16:
		any_row(dst, layout, src, width, 2, 2);
		return;
	case ISN_ROW_RGB16:
		any_row(dst, layout, src, width, 3, 2);
		return;
	case ISN_ROW_RGBA16:
		any_row(dst, layout, src, width, 4, 2);
		return;
	}
}

static size_t
kind_size(enum isn_row kind)
{
	switch (kind) {
	case ISN_ROW_GRAY8:
		return 1;
	case ISN_ROW_GRAY_ALPHA8:
	case ISN_ROW_GRAY16:
		return 2;
	case ISN_ROW_RGB8:
		return 3;
	case ISN_ROW_RGBA8:
	case ISN_ROW_GRAY_ALPHA16:
		return 4;
	case ISN_ROW_RGB16:
		return 6;
	case ISN_ROW_RGBA16:
		break;
	}
	return 8;
}

void
isn_row_convert(void *dst, enum imgsniff_pixel layout, const void *src,
		enum isn_row kind, uint32_t width)
{
	uint8_t *to = dst;
	const uint8_t *from = src;

#if ISN_CPU_X86
	if (isn_cpu() >= ISN_CPU_SSE41) {
		uint32_t done = isn_row_convert_ssse3(to, layout, from, kind,
						      width);

		to += imgsniff_row_size(layout, done);
		from += done * kind_size(kind);
		width -= done;
	}
#endif
	plain_convert(to, layout, from, kind, width);
}
