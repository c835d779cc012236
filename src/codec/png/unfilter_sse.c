/*
 * unfilter_sse.c - the filters undone with SSE4.1
 *
 * Up is plain addition, and Sub is summing up, which a register does in as many
 * steps as its pixels have bits in their number. With Average and Paeth each
 * pixel waits for the one to its left; there it helps to work on several rows in
 * step, each one pixel behind the row above it, so that what a pixel needs of
 * that row has just been made:
 *
 *	row 0	. . . . a			a b c d: made by one step
 *	row 1	. . . b
 *	row 2	. . c
 *	row 3	. d
 *
 * A register holds one pixel of each row, the last row's lowest: 16 rows of one
 * byte, 8 of two, 4 of three or four, 2 of six or eight. Rows become registers,
 * and those rows again, by transposing squares. Any filter can be among the
 * rows: Paeth's prediction with those of left, up and corner set to zero that a
 * filter does not use is that filter's own prediction, save for Average.
 */

#include <string.h>

#include "base/cpu.h"
#include "codec/png/unfilter.h"

#if ISN_CPU_X86

#include <immintrin.h>

#define SSE41	__attribute__((target("ssse3,sse4.1")))
/* With constant arguments nothing is left of loops and switches. */
#define CONSTANT static inline __attribute__((always_inline)) SSE41

#if defined(__clang__)
#define UNROLL	_Pragma("unroll")
#else
#define UNROLL	_Pragma("GCC unroll 16")
#endif

CONSTANT __m128i
bytes_load(const uint8_t *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

CONSTANT void
bytes_store(uint8_t *p, __m128i x)
{
	_mm_storeu_si128((__m128i *)(void *)p, x);
}

/* ---- A row --------------------------------------------------------------- */

/* One pixel and what lies behind it, which does no harm. */
CONSTANT __m128i
pixel_load(const uint8_t *p, size_t distance)
{
	uint32_t word;

	if (distance > 4)
		return _mm_loadl_epi64((const __m128i *)(const void *)p);
	memcpy(&word, p, 4);
	return _mm_cvtsi32_si128((int)word);
}

/* Also writes behind it, where the next pixel comes. */
CONSTANT void
pixel_store(uint8_t *p, __m128i x, size_t distance)
{
	uint32_t word = (uint32_t)_mm_cvtsi128_si32(x);

	if (distance > 4)
		_mm_storel_epi64((__m128i *)(void *)p, x);
	else
		memcpy(p, &word, 4);
}

/* To each pixel those before it in the register are added. */
CONSTANT __m128i
pixels_sum(__m128i x, size_t distance)
{
	switch (distance) {
	case 1:
		x = _mm_add_epi8(x, _mm_slli_si128(x, 1));
		x = _mm_add_epi8(x, _mm_slli_si128(x, 2));
		x = _mm_add_epi8(x, _mm_slli_si128(x, 4));
		return _mm_add_epi8(x, _mm_slli_si128(x, 8));
	case 2:
		x = _mm_add_epi8(x, _mm_slli_si128(x, 2));
		x = _mm_add_epi8(x, _mm_slli_si128(x, 4));
		return _mm_add_epi8(x, _mm_slli_si128(x, 8));
	case 3:
		x = _mm_add_epi8(x, _mm_slli_si128(x, 3));
		x = _mm_add_epi8(x, _mm_slli_si128(x, 6));
		return _mm_add_epi8(x, _mm_slli_si128(x, 12));
	case 4:
		x = _mm_add_epi8(x, _mm_slli_si128(x, 4));
		return _mm_add_epi8(x, _mm_slli_si128(x, 8));
	case 6:
		return _mm_add_epi8(x, _mm_slli_si128(x, 6));
	}
	return _mm_add_epi8(x, _mm_slli_si128(x, 8));
}

CONSTANT void
sub_undo(uint8_t *to, const uint8_t *row, size_t size, size_t distance)
{
	const size_t step = 16 - 16 % distance;
	__m128i left = _mm_setzero_si128();
	uint8_t last[16];

	for (size_t i = 0; i < 16; i++)
		last[i] = (uint8_t)(step - distance + i % distance);
	for (size_t i = 0; i < size; i += step) {
		__m128i x = pixels_sum(bytes_load(row + i), distance);

		x = _mm_add_epi8(x, left);
		bytes_store(to + i, x);
		left = _mm_shuffle_epi8(x, bytes_load(last));
	}
}

SSE41 static void
up_undo(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	size_t distance)
{
	(void)distance;
	for (size_t i = 0; i < size; i += 16)
		bytes_store(to + i, _mm_add_epi8(bytes_load(row + i),
						 bytes_load(above + i)));
}

/* The instruction rounds up. */
CONSTANT __m128i
average(__m128i a, __m128i b)
{
	__m128i odd = _mm_and_si128(_mm_xor_si128(a, b), _mm_set1_epi8(1));

	return _mm_sub_epi8(_mm_avg_epu8(a, b), odd);
}

CONSTANT void
average_undo(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	     size_t distance)
{
	__m128i left = _mm_setzero_si128();

	for (size_t i = 0; i < size; i += distance) {
		__m128i up = pixel_load(above + i, distance);

		left = _mm_add_epi8(pixel_load(row + i, distance),
				    average(left, up));
		pixel_store(to + i, left, distance);
	}
}

/* Is 2 * small <= large? Where doubling saturates, 'large' is not 255. */
CONSTANT __m128i
is_third(__m128i small, __m128i large)
{
	__m128i twice = _mm_adds_epu8(small, small);

	return _mm_cmpeq_epi8(_mm_max_epu8(twice, large), large);
}

/*
 * As in unfilter.c, by bytes: how far the corner is above the lower and below
 * the higher one, or 0. Where one of them is above 0, so is at most the other by
 * 255 - that, so nothing is lost; outside of the two, one is 0.
 */
CONSTANT __m128i
paeth(__m128i left, __m128i up, __m128i corner)
{
	__m128i low = _mm_min_epu8(left, up);
	__m128i high = _mm_max_epu8(left, up);
	__m128i above_low = _mm_subs_epu8(corner, low);
	__m128i below_high = _mm_subs_epu8(high, corner);
	__m128i p;

	p = _mm_blendv_epi8(corner, low, is_third(below_high, above_low));
	return _mm_blendv_epi8(p, high, is_third(above_low, below_high));
}

CONSTANT void
paeth_undo(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	   size_t distance)
{
	__m128i left = _mm_setzero_si128();
	__m128i corner = left;

	for (size_t i = 0; i < size; i += distance) {
		__m128i up = pixel_load(above + i, distance);

		left = _mm_add_epi8(pixel_load(row + i, distance),
				    paeth(left, up, corner));
		pixel_store(to + i, left, distance);
		corner = up;
	}
}

/* ---- Several rows -------------------------------------------------------- */

/* 'lane': the bytes that a pixel has in a register, 1, 2, 4 or 8. */
CONSTANT __m128i
lanes_low(__m128i a, __m128i b, size_t lane)
{
	switch (lane) {
	case 1:
		return _mm_unpacklo_epi8(a, b);
	case 2:
		return _mm_unpacklo_epi16(a, b);
	case 4:
		return _mm_unpacklo_epi32(a, b);
	}
	return _mm_unpacklo_epi64(a, b);
}

CONSTANT __m128i
lanes_high(__m128i a, __m128i b, size_t lane)
{
	switch (lane) {
	case 1:
		return _mm_unpackhi_epi8(a, b);
	case 2:
		return _mm_unpackhi_epi16(a, b);
	case 4:
		return _mm_unpackhi_epi32(a, b);
	}
	return _mm_unpackhi_epi64(a, b);
}

/* All one lane down; the highest is then the lowest of 'next'. */
CONSTANT __m128i
lanes_shift(__m128i next, __m128i x, size_t lane)
{
	switch (lane) {
	case 1:
		return _mm_alignr_epi8(next, x, 1);
	case 2:
		return _mm_alignr_epi8(next, x, 2);
	case 4:
		return _mm_alignr_epi8(next, x, 4);
	}
	return _mm_alignr_epi8(next, x, 8);
}

/* Interleaving both halves as often as there are bits in the lanes' number. */
CONSTANT void
lanes_transpose(__m128i *v, size_t lane)
{
	const size_t count = 16 / lane;
	__m128i w[16];

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

/* Pixels as they are stored to lanes, and back. */
CONSTANT __m128i
lanes_load(const uint8_t *p, size_t distance)
{
	__m128i x = bytes_load(p);

	if (distance == 3)
		return _mm_shuffle_epi8(x, _mm_setr_epi8(
			0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
	if (distance == 6)
		return _mm_shuffle_epi8(x, _mm_setr_epi8(
			0, 1, 2, 3, 4, 5, -1, -1,
			6, 7, 8, 9, 10, 11, -1, -1));
	return x;
}

CONSTANT void
lanes_store(uint8_t *p, __m128i x, size_t distance)
{
	if (distance == 3)
		x = _mm_shuffle_epi8(x, _mm_setr_epi8(
			0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
	if (distance == 6)
		x = _mm_shuffle_epi8(x, _mm_setr_epi8(
			0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1));
	bytes_store(p, x);
}

/* Which lanes use what, by the filters of their rows. */
struct uses {
	__m128i left, up, corner, average;
};

CONSTANT struct uses
uses_find(const uint8_t *lines, size_t size, size_t lane)
{
	static const struct {
		uint8_t left, up, corner, average;
	} filters[PNG_FILTERS] = {
		[PNG_FILTER_SUB] = { 255, 0, 0, 0 },
		[PNG_FILTER_UP] = { 0, 255, 0, 0 },
		[PNG_FILTER_AVERAGE] = { 0, 0, 0, 255 },
		[PNG_FILTER_PAETH] = { 255, 255, 255, 0 },
	};
	uint8_t uses[4][16];

	for (size_t i = 0; i < 16; i++) {
		uint8_t f = lines[(15 - i) / lane * (size + 1)];

		uses[0][i] = filters[f].left;
		uses[1][i] = filters[f].up;
		uses[2][i] = filters[f].corner;
		uses[3][i] = filters[f].average;
	}
	return (struct uses){
		bytes_load(uses[0]), bytes_load(uses[1]),
		bytes_load(uses[2]), bytes_load(uses[3]),
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

/* Before its first pixel a row counts as zeros: lanes that have begun. */
static const uint8_t begun[32] = {
	[16] = 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255,
};

/*
 * Row i is read from i pixels before its beginning, which are in the rows above
 * it, and written to there, too; all rows are read and written to at most twice
 * the register's pixels behind their end.
 */
CONSTANT void
front_undo(uint8_t *const *to, const uint8_t *lines, const uint8_t *above,
	   size_t size, size_t distance, size_t lane, int mixed)
{
	const size_t rows = 16 / lane, end = size + (rows - 1) * distance;
	struct uses uses = { 0 };
	__m128i left = _mm_setzero_si128(), corner = left;

	if (mixed)
		uses = uses_find(lines, size, lane);
	for (size_t at = 0; at < end; at += rows * distance) {
		__m128i v[16], next = lanes_load(above + at, distance);

		UNROLL
		for (size_t i = 0; i < rows; i++) {
			size_t y = rows - 1 - i;

			v[i] = lanes_load(lines + y * (size + 1) + 1 + at -
					  y * distance, distance);
		}
		lanes_transpose(v, lane);
		if (at == 0) {
			UNROLL
			for (size_t i = 0; i < rows; i++)
				v[i] = _mm_and_si128(v[i], bytes_load(
					begun + (i + 1) * lane));
		}
		UNROLL
		for (size_t i = 0; i < rows; i++) {
			__m128i up = lanes_shift(next, left, lane);
			__m128i p;

			next = lanes_shift(next, next, lane);
			if (mixed) {
				p = _mm_and_si128(average(left, up),
						  uses.average);
				v[i] = _mm_add_epi8(v[i], p);
				p = paeth(_mm_and_si128(left, uses.left),
					  _mm_and_si128(up, uses.up),
					  _mm_and_si128(corner, uses.corner));
			} else {
				p = paeth(left, up, corner);
			}
			v[i] = left = _mm_add_epi8(v[i], p);
			corner = up;
		}
		lanes_transpose(v, lane);
		UNROLL
		for (size_t i = 0; i < rows; i++) {
			size_t y = rows - 1 - i;

			lanes_store(to[y] + at - y * distance, v[i], distance);
		}
	}
}

/* ---- Tables -------------------------------------------------------------- */

#define SUB_AND_FRONT(distance, lane)					\
SSE41 static void							\
sub_undo_##distance(uint8_t *to, const uint8_t *row, const uint8_t *above, \
		    size_t size, size_t any)				\
{									\
	(void)above;							\
	(void)any;							\
	sub_undo(to, row, size, distance);				\
}									\
									\
SSE41 static void							\
front_undo_##distance(uint8_t *const *to, const uint8_t *lines,		\
		      const uint8_t *above, size_t size)		\
{									\
	if (all_are_paeth(lines, size, 16 / (lane)))			\
		front_undo(to, lines, above, size, distance, lane, 0);	\
	else								\
		front_undo(to, lines, above, size, distance, lane, 1);	\
}

#define AVERAGE_AND_PAETH(distance)					\
SSE41 static void							\
average_undo_##distance(uint8_t *to, const uint8_t *row,		\
			const uint8_t *above, size_t size, size_t any)	\
{									\
	(void)any;							\
	average_undo(to, row, above, size, distance);			\
}									\
									\
SSE41 static void							\
paeth_undo_##distance(uint8_t *to, const uint8_t *row,			\
		      const uint8_t *above, size_t size, size_t any)	\
{									\
	(void)any;							\
	paeth_undo(to, row, above, size, distance);			\
}

SUB_AND_FRONT(1, 1)
SUB_AND_FRONT(2, 2)
SUB_AND_FRONT(3, 4)
SUB_AND_FRONT(4, 4)
SUB_AND_FRONT(6, 8)
SUB_AND_FRONT(8, 8)
AVERAGE_AND_PAETH(3)
AVERAGE_AND_PAETH(4)
AVERAGE_AND_PAETH(6)
AVERAGE_AND_PAETH(8)

/* For one or two bytes a register has no advantage over C. */
#define average_undo_1	NULL
#define average_undo_2	NULL
#define paeth_undo_1	NULL
#define paeth_undo_2	NULL

/* Costs are cycles for a pixel. */
#define UNFILTER(distance, count, cycles)				\
static const struct png_front front_##distance = {			\
	.undo = front_undo_##distance, .rows = (count), .cost = (cycles), \
};									\
									\
static const struct png_unfilter unfilter_##distance = {		\
	.row = { NULL, sub_undo_##distance, up_undo,			\
		 average_undo_##distance, paeth_undo_##distance },	\
	.row_cost = { 0, 1, 0, 4, 9 },					\
	.front = &front_##distance,					\
}

UNFILTER(1, 16, 14);
UNFILTER(2, 8, 13);
UNFILTER(3, 4, 12);
UNFILTER(4, 4, 12);
UNFILTER(6, 2, 12);
UNFILTER(8, 2, 12);

const struct png_unfilter *const isn_png_unfilter_sse41[PNG_PIXEL_SIZES] = {
	[1] = &unfilter_1, [2] = &unfilter_2, [3] = &unfilter_3,
	[4] = &unfilter_4, [6] = &unfilter_6, [8] = &unfilter_8,
};

#endif /* ISN_CPU_X86 */
