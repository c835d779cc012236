/*
 * row_ssse3.c - row conversion by shuffling bytes
 *
 * All but colour to gray is nothing else: each byte of the layout is some byte of
 * the pixel as it was stored, or 255. So there is a table with one shuffle for
 * each pair, and one loop. What is left at the end of a row, where a register
 * would reach over it, is done in plain C.
 */

#include "base/cpu.h"
#include "pixel/row.h"

#if ISN_CPU_X86

#include <immintrin.h>

#define SSSE3	__attribute__((target("ssse3")))
#define CONSTANT static inline __attribute__((always_inline)) SSSE3

/*
 * What becomes of 16 bytes: 'take' are the stored bytes' places, 'no' gives 0;
 * 'fill' is or'ed to it.
 */
struct shuffle {
	uint8_t pixels;			/* that are done; 0: no such shuffle */
	uint8_t take[16];
	uint8_t fill[16];
};

#define no	0x80
/* One to eight pixels that are stored 's' bytes apart. */
#define TWO4(s, a, b, c, d)						\
	(a), (b), (c), (d), (s) + (a), (s) + (b), (s) + (c), (s) + (d)
#define FOUR4(s, a, b, c, d)						\
	TWO4(s, a, b, c, d), TWO4(s, 2 * (s) + (a), 2 * (s) + (b),	\
				  2 * (s) + (c), 2 * (s) + (d))
#define FOUR3(s, a, b, c)						\
	(a), (b), (c), (s) + (a), (s) + (b), (s) + (c),			\
	2 * (s) + (a), 2 * (s) + (b), 2 * (s) + (c),			\
	3 * (s) + (a), 3 * (s) + (b), 3 * (s) + (c), no, no, no, no
#define TWO3(s, a, b, c)						\
	(a), (b), (c), (s) + (a), (s) + (b), (s) + (c),			\
	no, no, no, no, no, no, no, no, no, no
#define FOUR1(s)	0, (s), 2 * (s), 3 * (s)
#define NOTHING8	no, no, no, no, no, no, no, no
#define TWO8(s, a, b, c, d, e, f, g, h)					\
	(a), (b), (c), (d), (e), (f), (g), (h), (s) + (a), (s) + (b),	\
	(s) + (c), (s) + (d), (s) + (e), (s) + (f), (s) + (g), (s) + (h)

#define ALPHA8	{ [3] = 255, [7] = 255, [11] = 255, [15] = 255 }
#define ALPHA16	{ [6] = 255, 255, [14] = 255, 255 }

#define LAYOUTS	(IMGSNIFF_RGBA16 + 1)
#define KINDS	(ISN_ROW_RGBA16 + 1)

/* Where nothing is shuffled, memcpy() is as fast. 16-bit samples: big-endian. */
static const struct shuffle shuffles[KINDS][LAYOUTS] = {
	[ISN_ROW_GRAY8] = {
		[IMGSNIFF_RGB8] = { 4, { FOUR3(1, 0, 0, 0) }, { 0 } },
		[IMGSNIFF_RGBA8] = { 4, { FOUR4(1, 0, 0, 0, no) }, ALPHA8 },
		[IMGSNIFF_BGRA8] = { 4, { FOUR4(1, 0, 0, 0, no) }, ALPHA8 },
		[IMGSNIFF_RGBA16] = {
			2, { TWO8(1, 0, 0, 0, 0, 0, 0, no, no) }, ALPHA16 },
	},
	[ISN_ROW_GRAY_ALPHA8] = {
		[IMGSNIFF_GRAY8] = {
			8, { FOUR1(2), 8, 10, 12, 14, NOTHING8 }, { 0 } },
		[IMGSNIFF_RGB8] = { 4, { FOUR3(2, 0, 0, 0) }, { 0 } },
		[IMGSNIFF_RGBA8] = { 4, { FOUR4(2, 0, 0, 0, 1) }, { 0 } },
		[IMGSNIFF_BGRA8] = { 4, { FOUR4(2, 0, 0, 0, 1) }, { 0 } },
		[IMGSNIFF_RGBA16] = {
			2, { TWO8(2, 0, 0, 0, 0, 0, 0, 1, 1) }, { 0 } },
	},
	[ISN_ROW_RGB8] = {
		[IMGSNIFF_RGBA8] = { 4, { FOUR4(3, 0, 1, 2, no) }, ALPHA8 },
		[IMGSNIFF_BGRA8] = { 4, { FOUR4(3, 2, 1, 0, no) }, ALPHA8 },
		[IMGSNIFF_RGBA16] = {
			2, { TWO8(3, 0, 0, 1, 1, 2, 2, no, no) }, ALPHA16 },
	},
	[ISN_ROW_RGBA8] = {
		[IMGSNIFF_RGB8] = { 4, { FOUR3(4, 0, 1, 2) }, { 0 } },
		[IMGSNIFF_BGRA8] = { 4, { FOUR4(4, 2, 1, 0, 3) }, { 0 } },
		[IMGSNIFF_RGBA16] = {
			2, { TWO8(4, 0, 0, 1, 1, 2, 2, 3, 3) }, { 0 } },
	},
	[ISN_ROW_GRAY16] = {
		[IMGSNIFF_GRAY8] = {
			8, { FOUR1(2), 8, 10, 12, 14, NOTHING8 }, { 0 } },
		[IMGSNIFF_RGB8] = { 4, { FOUR3(2, 0, 0, 0) }, { 0 } },
		[IMGSNIFF_RGBA8] = { 4, { FOUR4(2, 0, 0, 0, no) }, ALPHA8 },
		[IMGSNIFF_BGRA8] = { 4, { FOUR4(2, 0, 0, 0, no) }, ALPHA8 },
		[IMGSNIFF_RGBA16] = {
			2, { TWO8(2, 1, 0, 1, 0, 1, 0, no, no) }, ALPHA16 },
	},
	[ISN_ROW_GRAY_ALPHA16] = {
		[IMGSNIFF_GRAY8] = {
			4, { FOUR1(4), no, no, no, no, NOTHING8 }, { 0 } },
		[IMGSNIFF_RGB8] = { 4, { FOUR3(4, 0, 0, 0) }, { 0 } },
		[IMGSNIFF_RGBA8] = { 4, { FOUR4(4, 0, 0, 0, 2) }, { 0 } },
		[IMGSNIFF_BGRA8] = { 4, { FOUR4(4, 0, 0, 0, 2) }, { 0 } },
		[IMGSNIFF_RGBA16] = {
			2, { TWO8(4, 1, 0, 1, 0, 1, 0, 3, 2) }, { 0 } },
	},
	[ISN_ROW_RGB16] = {
		[IMGSNIFF_RGB8] = { 2, { TWO3(6, 0, 2, 4) }, { 0 } },
		[IMGSNIFF_RGBA8] = {
			2, { TWO4(6, 0, 2, 4, no), NOTHING8 }, ALPHA8 },
		[IMGSNIFF_BGRA8] = {
			2, { TWO4(6, 4, 2, 0, no), NOTHING8 }, ALPHA8 },
		[IMGSNIFF_RGBA16] = {
			2, { TWO8(6, 1, 0, 3, 2, 5, 4, no, no) }, ALPHA16 },
	},
	[ISN_ROW_RGBA16] = {
		[IMGSNIFF_RGB8] = { 2, { TWO3(8, 0, 2, 4) }, { 0 } },
		[IMGSNIFF_RGBA8] = {
			2, { TWO4(8, 0, 2, 4, 6), NOTHING8 }, { 0 } },
		[IMGSNIFF_BGRA8] = {
			2, { TWO4(8, 4, 2, 0, 6), NOTHING8 }, { 0 } },
		[IMGSNIFF_RGBA16] = {
			2, { TWO8(8, 1, 0, 3, 2, 5, 4, 7, 6) }, { 0 } },
	},
};

static const uint8_t kind_sizes[KINDS] = {
	[ISN_ROW_GRAY8] = 1, [ISN_ROW_GRAY_ALPHA8] = 2,
	[ISN_ROW_RGB8] = 3, [ISN_ROW_RGBA8] = 4,
	[ISN_ROW_GRAY16] = 2, [ISN_ROW_GRAY_ALPHA16] = 4,
	[ISN_ROW_RGB16] = 6, [ISN_ROW_RGBA16] = 8,
};

CONSTANT __m128i
bytes_load(const uint8_t *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* How often 16 bytes can be used, 'step' of them each time. */
static size_t
steps_fit(size_t size, size_t step)
{
	return size >= 16 ? (size - 16) / step + 1 : 0;
}

SSSE3 static void
row_shuffle(uint8_t *dst, size_t dst_step, const uint8_t *src, size_t src_step,
	    const struct shuffle *s, size_t steps)
{
	const __m128i take = bytes_load(s->take), fill = bytes_load(s->fill);

	for (; steps > 0; steps--, dst += dst_step, src += src_step) {
		__m128i x = _mm_shuffle_epi8(bytes_load(src), take);

		_mm_storeu_si128((__m128i *)(void *)dst,
				 _mm_or_si128(x, fill));
	}
}

/* (77 R + 150 G + 29 B + 128) >> 8, of pixels brought to RGBA first. */
SSSE3 static void
row_weigh(uint8_t *dst, size_t dst_step, const uint8_t *src, size_t src_step,
	  const struct shuffle *s, size_t steps)
{
	const __m128i take = bytes_load(s->take), zero = _mm_setzero_si128();
	const __m128i weights = _mm_setr_epi16(77, 150, 29, 0, 77, 150, 29, 0);
	const __m128i half = _mm_set1_epi32(128);
	/* The sums are 32 bits, and the second byte of each is wanted. */
	const __m128i sums = _mm_setr_epi8(1, 5, 9, 13, -1, -1, -1, -1, -1, -1,
					   -1, -1, -1, -1, -1, -1);

	for (; steps > 0; steps--, dst += dst_step, src += src_step) {
		__m128i x = _mm_shuffle_epi8(bytes_load(src), take);
		__m128i low = _mm_unpacklo_epi8(x, zero);
		__m128i high = _mm_unpackhi_epi8(x, zero);

		low = _mm_madd_epi16(low, weights);
		high = _mm_madd_epi16(high, weights);
		x = _mm_add_epi32(_mm_hadd_epi32(low, high), half);
		_mm_storeu_si128((__m128i *)(void *)dst,
				 _mm_shuffle_epi8(x, sums));
	}
}

/* What is left as it is: a shuffle that takes every byte from its own place. */
static const struct shuffle identity = {
	4, { FOUR4(4, 0, 1, 2, 3) }, { 0 },
};

uint32_t
isn_row_convert_ssse3(uint8_t *dst, enum imgsniff_pixel layout,
		      const uint8_t *src, enum isn_row kind, uint32_t width)
{
	const struct shuffle *s = &shuffles[kind][layout];
	const bool weigh = layout == IMGSNIFF_GRAY8 &&
			   (kind == ISN_ROW_RGB8 || kind == ISN_ROW_RGBA8 ||
			    kind == ISN_ROW_RGB16 || kind == ISN_ROW_RGBA16);
	size_t size = imgsniff_row_size(layout, 1), dst_steps, src_steps;

	if (weigh)
		s = kind == ISN_ROW_RGBA8 ? &identity
					  : &shuffles[kind][IMGSNIFF_RGBA8];
	if (s->pixels == 0)
		return 0;
	dst_steps = steps_fit(width * size, s->pixels * size);
	src_steps = steps_fit((size_t)width * kind_sizes[kind],
			      (size_t)s->pixels * kind_sizes[kind]);
	if (src_steps < dst_steps)
		dst_steps = src_steps;
	if (weigh)
		row_weigh(dst, s->pixels * size, src,
			  (size_t)s->pixels * kind_sizes[kind], s, dst_steps);
	else
		row_shuffle(dst, s->pixels * size, src,
			    (size_t)s->pixels * kind_sizes[kind], s, dst_steps);
	return (uint32_t)dst_steps * s->pixels;
}

#endif /* ISN_CPU_X86 */
