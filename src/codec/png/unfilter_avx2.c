/*
 * unfilter_avx2.c - twice as many rows in step
 *
 * As in unfilter_sse.c, where it is explained, but with a second set of rows in
 * the upper half of each register. Nothing crosses over between the halves: the
 * upper one works some squares behind the lower, and reads what it needs of the
 * row above it where that has been written.
 */

#include "base/cpu.h"
#include "codec/png/unfilter.h"

#if ISN_CPU_X86

#include <immintrin.h>

#define AVX2	__attribute__((target("avx2")))
#define CONSTANT static inline __attribute__((always_inline)) AVX2

#if defined(__clang__)
#define UNROLL	_Pragma("unroll")
#else
#define UNROLL	_Pragma("GCC unroll 16")
#endif

/*
 * Two squares would do. What was written just before, in other portions than it
 * is read in, has to be waited for.
 */
#define LAG	4

CONSTANT __m256i
halves_load(const uint8_t *low, const uint8_t *high)
{
	return _mm256_loadu2_m128i((const __m128i_u *)(const void *)high,
				   (const __m128i_u *)(const void *)low);
}

CONSTANT __m256i
both_halves(__m128i x)
{
	return _mm256_broadcastsi128_si256(x);
}

/* ---- Lanes: 1, 2, 4 or 8 bytes ------------------------------------------- */

CONSTANT __m256i
lanes_low(__m256i a, __m256i b, size_t lane)
{
	switch (lane) {
	case 1:
		return _mm256_unpacklo_epi8(a, b);
	case 2:
		return _mm256_unpacklo_epi16(a, b);
	case 4:
		return _mm256_unpacklo_epi32(a, b);
	}
	return _mm256_unpacklo_epi64(a, b);
}

CONSTANT __m256i
lanes_high(__m256i a, __m256i b, size_t lane)
{
	switch (lane) {
	case 1:
		return _mm256_unpackhi_epi8(a, b);
	case 2:
		return _mm256_unpackhi_epi16(a, b);
	case 4:
		return _mm256_unpackhi_epi32(a, b);
	}
	return _mm256_unpackhi_epi64(a, b);
}

CONSTANT __m256i
lanes_shift(__m256i next, __m256i x, size_t lane)
{
	switch (lane) {
	case 1:
		return _mm256_alignr_epi8(next, x, 1);
	case 2:
		return _mm256_alignr_epi8(next, x, 2);
	case 4:
		return _mm256_alignr_epi8(next, x, 4);
	}
	return _mm256_alignr_epi8(next, x, 8);
}

CONSTANT void
lanes_transpose(__m256i *v, size_t lane)
{
	const size_t count = 16 / lane;
	__m256i w[16];

	UNROLL
	for (size_t round = 1; round < count; round *= 2) {
		UNROLL
		for (size_t i = 0; i < count / 2; i++) {
			w[2 * i] = lanes_low(v[i], v[i + count / 2], lane);
			w[2 * i + 1] = lanes_high(v[i], v[i + count / 2], lane);
		}
		UNROLL
		for (size_t i = 0; i < count; i++)
			v[i] = w[i];
	}
}

CONSTANT __m256i
lanes_load(const uint8_t *low, const uint8_t *high, size_t distance)
{
	__m256i x = halves_load(low, high);

	if (distance == 3)
		return _mm256_shuffle_epi8(x, both_halves(_mm_setr_epi8(
			0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1)));
	if (distance == 6)
		return _mm256_shuffle_epi8(x, both_halves(_mm_setr_epi8(
			0, 1, 2, 3, 4, 5, -1, -1,
			6, 7, 8, 9, 10, 11, -1, -1)));
	return x;
}

CONSTANT __m256i
lanes_pack(__m256i x, size_t distance)
{
	if (distance == 3)
		return _mm256_shuffle_epi8(x, both_halves(_mm_setr_epi8(
			0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1,
			-1)));
	if (distance == 6)
		return _mm256_shuffle_epi8(x, both_halves(_mm_setr_epi8(
			0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1,
			-1)));
	return x;
}

CONSTANT void
half_store(uint8_t *p, __m128i x)
{
	_mm_storeu_si128((__m128i *)(void *)p, x);
}

/* ---- Predictions --------------------------------------------------------- */

CONSTANT __m256i
average(__m256i a, __m256i b)
{
	__m256i odd = _mm256_and_si256(_mm256_xor_si256(a, b),
				       _mm256_set1_epi8(1));

	return _mm256_sub_epi8(_mm256_avg_epu8(a, b), odd);
}

CONSTANT __m256i
is_third(__m256i small, __m256i large)
{
	__m256i twice = _mm256_adds_epu8(small, small);

	return _mm256_cmpeq_epi8(_mm256_max_epu8(twice, large), large);
}

CONSTANT __m256i
paeth(__m256i left, __m256i up, __m256i corner)
{
	__m256i low = _mm256_min_epu8(left, up);
	__m256i high = _mm256_max_epu8(left, up);
	__m256i above_low = _mm256_subs_epu8(corner, low);
	__m256i below_high = _mm256_subs_epu8(high, corner);
	__m256i p;

	p = _mm256_blendv_epi8(corner, low, is_third(below_high, above_low));
	return _mm256_blendv_epi8(p, high, is_third(above_low, below_high));
}

/* Which lanes use what, by the filters of their rows. */
struct uses {
	__m256i left, up, corner, average;
};

CONSTANT struct uses
uses_find(const uint8_t *lines, size_t size, size_t lane)
{
	uint8_t filters[32];
	__m256i f, paeth;

	for (size_t i = 0; i < 32; i++) {
		size_t y = (15 - i % 16) / lane + i / 16 * (16 / lane);

		filters[i] = lines[y * (size + 1)];
	}
	f = halves_load(filters, filters + 16);
	paeth = _mm256_cmpeq_epi8(f, _mm256_set1_epi8(PNG_FILTER_PAETH));
	return (struct uses){
		.left = _mm256_or_si256(paeth, _mm256_cmpeq_epi8(
			f, _mm256_set1_epi8(PNG_FILTER_SUB))),
		.up = _mm256_or_si256(paeth, _mm256_cmpeq_epi8(
			f, _mm256_set1_epi8(PNG_FILTER_UP))),
		.corner = paeth,
		.average = _mm256_cmpeq_epi8(
			f, _mm256_set1_epi8(PNG_FILTER_AVERAGE)),
	};
}

static inline int
all_are_paeth(const uint8_t *lines, size_t size, size_t rows)
{
	int all = 1;

	for (size_t i = 0; i < rows; i++)
		all &= lines[i * (size + 1)] == PNG_FILTER_PAETH;
	return all;
}

/* ---- Rows ---------------------------------------------------------------- */

/* Bytes that count: all, or those of lanes whose rows have begun. */
static const uint8_t begun[48] = {
	[16] = 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255,
};

/*
 * 'square' counts those of the lower half. Before its first square and behind
 * its last one a half does what it has done or will do, for nothing.
 */
CONSTANT void
front_undo(uint8_t *const *to, const uint8_t *lines, const uint8_t *above,
	   size_t size, size_t distance, size_t lane, int mixed)
{
	const size_t rows = 16 / lane, step = rows * distance, line = size + 1;
	const size_t squares = (size + (rows - 1) * distance + step - 1) / step;
	const uint8_t *const all = begun + 16;
	struct uses uses = { 0 };
	__m256i left = _mm256_setzero_si256(), corner = left;

	if (mixed)
		uses = uses_find(lines, size, lane);
	for (size_t square = 0; square < squares + LAG; square++) {
		const size_t low = (square < squares ? square : 0) * step;
		const size_t high = (square < LAG ? 0 : square - LAG) * step;
		const uint8_t *from = lines + 1;
		__m256i next = lanes_load(above + low, to[rows - 1] + high,
					  distance);
		__m256i v[16];

		UNROLL
		for (size_t i = 0; i < rows; i++) {
			size_t y = rows - 1 - i;

			v[i] = lanes_load(from + y * line + low - y * distance,
					  from + (y + rows) * line + high -
					  y * distance, distance);
		}
		lanes_transpose(v, lane);
		if (square == 0 || square == LAG) {
			const uint8_t *b = begun;
			__m256i keep = square == 0
				? _mm256_setzero_si256()
				: halves_load(all, b);

			left = _mm256_and_si256(left, keep);
			corner = _mm256_and_si256(corner, keep);
			UNROLL
			for (size_t i = 0; i < rows; i++) {
				b += lane;
				v[i] = _mm256_and_si256(v[i], halves_load(
					square == 0 ? b : all, b));
			}
		}
		UNROLL
		for (size_t i = 0; i < rows; i++) {
			__m256i up = lanes_shift(next, left, lane);
			__m256i p;

			next = lanes_shift(next, next, lane);
			if (mixed) {
				p = _mm256_and_si256(average(left, up),
						     uses.average);
				v[i] = _mm256_add_epi8(v[i], p);
				p = paeth(_mm256_and_si256(left, uses.left),
					  _mm256_and_si256(up, uses.up),
					  _mm256_and_si256(corner, uses.corner));
			} else {
				p = paeth(left, up, corner);
			}
			v[i] = left = _mm256_add_epi8(v[i], p);
			corner = up;
		}
		lanes_transpose(v, lane);
		UNROLL
		for (size_t i = 0; i < rows; i++) {
			size_t y = rows - 1 - i;
			__m256i x = lanes_pack(v[i], distance);

			if (square < squares)
				half_store(to[y] + low - y * distance,
					   _mm256_castsi256_si128(x));
			if (square >= LAG)
				half_store(to[y + rows] + high - y * distance,
					   _mm256_extracti128_si256(x, 1));
		}
	}
}

#define FRONT(distance, lane, cycles)					\
AVX2 static void							\
front_undo_##distance(uint8_t *const *to, const uint8_t *lines,		\
		      const uint8_t *above, size_t size)		\
{									\
	if (all_are_paeth(lines, size, 32 / (lane)))			\
		front_undo(to, lines, above, size, distance, lane, 0);	\
	else								\
		front_undo(to, lines, above, size, distance, lane, 1);	\
}									\
									\
static const struct png_front front_##distance = {			\
	.undo = front_undo_##distance, .rows = 32 / (lane), .cost = (cycles), \
}

FRONT(1, 1, 18);
FRONT(2, 2, 17);
FRONT(3, 4, 16);
FRONT(4, 4, 16);
FRONT(6, 8, 16);
FRONT(8, 8, 16);

const struct png_front *const isn_png_fronts_avx2[PNG_PIXEL_SIZES] = {
	[1] = &front_1, [2] = &front_2, [3] = &front_3, [4] = &front_4,
	[6] = &front_6, [8] = &front_8,
};

#endif /* ISN_CPU_X86 */
