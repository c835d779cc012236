/*
 * paint.c - palette indices to pixels of four bytes
 *
 * Most of a drawing is flat, and most of an animation's frame may be transparent:
 * sixteen pixels of one index are found with one comparison.
 */

#include <stdbool.h>
#include <string.h>

#include "codec/gif/paint.h"

void
isn_gif_row_paint_plain(uint8_t *to, const uint8_t *indices, size_t width,
			const struct isn_gif_paint *paint)
{
	for (size_t x = 0; x < width; x++)
		if (indices[x] != paint->transparent)
			memcpy(to + 4 * x, paint->color[indices[x]], 4);
}

#if defined(__SSE2__)

#include <emmintrin.h>

#define LANES	((size_t)16)
#define UNROLL	_Pragma("GCC unroll 4")

static inline __m128i
color_load(const struct isn_gif_paint *paint, unsigned int index)
{
	int color;

	memcpy(&color, paint->color[index], 4);
	return _mm_cvtsi32_si128(color);
}

/* The colours of four indices. */
static inline __m128i
colors_load(const struct isn_gif_paint *paint, const uint8_t *indices)
{
	__m128i a = _mm_unpacklo_epi32(color_load(paint, indices[0]),
				       color_load(paint, indices[1]));
	__m128i b = _mm_unpacklo_epi32(color_load(paint, indices[2]),
				       color_load(paint, indices[3]));

	return _mm_unpacklo_epi64(a, b);
}

static inline __m128i
pixels_load(const uint8_t *from)
{
	return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline void
pixels_store(uint8_t *to, __m128i pixels)
{
	_mm_storeu_si128((__m128i *)(void *)to, pixels);
}

static inline void
lanes_fill(uint8_t *to, const struct isn_gif_paint *paint, unsigned int index)
{
	__m128i pixels = _mm_shuffle_epi32(color_load(paint, index), 0);

	for (size_t i = 0; i < LANES; i += 4)
		pixels_store(to + 4 * i, pixels);
}

static inline void
lanes_paint(uint8_t *to, const uint8_t *indices,
	    const struct isn_gif_paint *paint)
{
	UNROLL
	for (size_t i = 0; i < LANES; i += 4)
		pixels_store(to + 4 * i, colors_load(paint, indices + i));
}

/* The colour of what is transparent, and of that only, is 0. */
static inline void
lanes_blend(uint8_t *to, const uint8_t *indices,
	    const struct isn_gif_paint *paint)
{
	UNROLL
	for (size_t i = 0; i < LANES; i += 4) {
		__m128i pixels = colors_load(paint, indices + i);
		__m128i keep = _mm_cmpeq_epi32(pixels, _mm_setzero_si128());

		pixels_store(to + 4 * i, _mm_or_si128(
			pixels, _mm_and_si128(keep, pixels_load(to + 4 * i))));
	}
}

static inline unsigned int
lanes_equal(__m128i a, __m128i b)
{
	return (unsigned int)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
}

#define ALL	0xFFFFu

void
isn_gif_row_paint(uint8_t *to, const uint8_t *indices, size_t width,
		  const struct isn_gif_paint *paint)
{
	const bool opaque = paint->transparent > UINT8_MAX;
	const __m128i transparent = _mm_set1_epi8((char)paint->transparent);

	for (; width >= LANES; width -= LANES, indices += LANES,
	     to += 4 * LANES) {
		__m128i v = pixels_load(indices);
		unsigned int keep = opaque ? 0 : lanes_equal(v, transparent);

		if (keep == ALL)
			continue;
		if (keep != 0)
			lanes_blend(to, indices, paint);
		else if (lanes_equal(v, _mm_set1_epi8((char)indices[0])) == ALL)
			lanes_fill(to, paint, indices[0]);
		else
			lanes_paint(to, indices, paint);
	}
	isn_gif_row_paint_plain(to, indices, width, paint);
}

#else

void
isn_gif_row_paint(uint8_t *to, const uint8_t *indices, size_t width,
		  const struct isn_gif_paint *paint)
{
	isn_gif_row_paint_plain(to, indices, width, paint);
}

#endif
