/*
 * unfilter.c - the filters that a row was stored with, undone
 */

#include <string.h>

#include "base/cpu.h"
#include "codec/png/unfilter.h"

static void
undo_none(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	  size_t distance)
{
	(void)above;
	(void)distance;
	memcpy(to, row, size);
}

static void
undo_sub(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	 size_t distance)
{
	size_t i = 0;

	(void)above;
	for (; i < size && i < distance; i++)
		to[i] = row[i];
	for (; i < size; i++)
		to[i] = (uint8_t)(row[i] + to[i - distance]);
}

static void
undo_up(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	size_t distance)
{
	(void)distance;
	for (size_t i = 0; i < size; i++)
		to[i] = (uint8_t)(row[i] + above[i]);
}

static void
undo_average(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	     size_t distance)
{
	size_t i = 0;

	for (; i < size && i < distance; i++)
		to[i] = (uint8_t)(row[i] + above[i] / 2);
	for (; i < size; i++)
		to[i] = (uint8_t)(row[i] + (to[i - distance] + above[i]) / 2);
}

/*
 * 9.4: of left, up and corner the one nearest to left + up - corner. That is the
 * larger of left and up if the corner lies in the lowest third between them or
 * below, the smaller one if in the highest third or above, else the corner.
 * Written so that compilers make no jumps of it: which it is, is hard to foresee.
 */
static inline int
paeth(int left, int up, int corner)
{
	int low = left < up ? left : up;
	int high = left < up ? up : left;
	int turned = 3 * corner - left - up;
	int other = high <= turned ? low : corner;

	return turned <= low ? high : other;
}

static void
undo_paeth(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t size,
	   size_t distance)
{
	size_t i = 0;

	for (; i < size && i < distance; i++)
		to[i] = (uint8_t)(row[i] + above[i]);
	for (; i < size; i++)
		to[i] = (uint8_t)(row[i] + paeth(to[i - distance], above[i],
						 above[i - distance]));
}

const struct png_unfilter isn_png_unfilter_plain = {
	.row = { undo_none, undo_sub, undo_up, undo_average, undo_paeth },
};

const struct png_unfilter *
isn_png_unfilter(size_t distance)
{
#if ISN_CPU_X86
	if (isn_cpu() >= ISN_CPU_SSE41 && distance < PNG_PIXEL_SIZES &&
	    isn_png_unfilter_sse41[distance] != NULL)
		return isn_png_unfilter_sse41[distance];
#endif
	return &isn_png_unfilter_plain;
}

const struct png_front *
isn_png_front_wide(size_t distance)
{
#if ISN_CPU_X86
	if (isn_cpu() >= ISN_CPU_AVX2 && distance < PNG_PIXEL_SIZES)
		return isn_png_fronts_avx2[distance];
#endif
	(void)distance;
	return NULL;
}
