/*
 * unfilter.c - the filters that a row was stored with, undone
 */

#include "codec/png/unfilter.h"

static void
undo_none(uint8_t *row, const uint8_t *above, size_t size, size_t distance)
{
	(void)row;
	(void)above;
	(void)size;
	(void)distance;
}

static void
undo_sub(uint8_t *row, const uint8_t *above, size_t size, size_t distance)
{
	(void)above;
	for (size_t i = distance; i < size; i++)
		row[i] = (uint8_t)(row[i] + row[i - distance]);
}

static void
undo_up(uint8_t *row, const uint8_t *above, size_t size, size_t distance)
{
	(void)distance;
	for (size_t i = 0; i < size; i++)
		row[i] = (uint8_t)(row[i] + above[i]);
}

static void
undo_average(uint8_t *row, const uint8_t *above, size_t size, size_t distance)
{
	size_t i = 0;

	for (; i < size && i < distance; i++)
		row[i] = (uint8_t)(row[i] + above[i] / 2);
	for (; i < size; i++)
		row[i] = (uint8_t)(row[i] + (row[i - distance] + above[i]) / 2);
}

/* 9.4: of left, up and up-left the one nearest to left + up - up-left. */
static inline uint8_t
paeth(int left, int up, int corner)
{
	int to_left = up - corner;
	int to_up = left - corner;
	int to_corner = to_left + to_up;

	to_left = to_left < 0 ? -to_left : to_left;
	to_up = to_up < 0 ? -to_up : to_up;
	to_corner = to_corner < 0 ? -to_corner : to_corner;
	if (to_left <= to_up && to_left <= to_corner)
		return (uint8_t)left;
	return (uint8_t)(to_up <= to_corner ? up : corner);
}

static void
undo_paeth(uint8_t *row, const uint8_t *above, size_t size, size_t distance)
{
	size_t i = 0;

	for (; i < size && i < distance; i++)
		row[i] = (uint8_t)(row[i] + above[i]);
	for (; i < size; i++)
		row[i] = (uint8_t)(row[i] + paeth(row[i - distance], above[i],
						  above[i - distance]));
}

isn_png_unfilter_fn *const isn_png_unfilter_plain[PNG_FILTERS] = {
	undo_none, undo_sub, undo_up, undo_average, undo_paeth,
};

isn_png_unfilter_fn *const *isn_png_unfilter = isn_png_unfilter_plain;
