/*
 * png_form.c - what a PNG's samples are, and how its rows are filtered
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "png_form.h"
#include "write.h"

/* ---- Palette -------------------------------------------------------------- */

static uint32_t
color_of(const uint8_t *rgba)
{
	uint32_t color;

	memcpy(&color, rgba, sizeof(color));
	return color;
}

/* The slot that has the colour, or is free for it. */
static uint16_t *
palette_slot(struct png_palette *p, uint32_t color)
{
	uint32_t at = color * UINT32_C(2654435761) >> 16;	/* Knuth's 2^32/phi */

	for (;; at++) {
		uint16_t *slot = &p->slots[at % PALETTE_SLOTS];

		if (*slot == 0 || color_of(p->rgba[*slot - 1]) == color)
			return slot;
	}
}

/* False: there are too many colours. */
static bool
palette_add_row(struct png_palette *p, const uint8_t *row, size_t width)
{
	for (size_t x = 0; x < width; x++, row += 4) {
		uint32_t color = color_of(row);
		uint16_t *slot;

		if (x > 0 && color == color_of(row - 4))
			continue;
		slot = palette_slot(p, color);
		if (*slot != 0)
			continue;
		if (p->count == PALETTE_MAX)
			return false;
		memcpy(p->rgba[p->count++], row, 4);
		*slot = (uint16_t)p->count;
	}
	return true;
}

/* Puts the colours that are not opaque first, so that tRNS is short. */
static void
palette_order(struct png_palette *p)
{
	const struct png_palette before = *p;
	size_t count = 0;

	for (int opaque = 0; opaque <= 1; opaque++) {
		for (size_t i = 0; i < before.count; i++)
			if ((before.rgba[i][3] == 255) == opaque)
				memcpy(p->rgba[count++], before.rgba[i], 4);
		if (!opaque)
			p->translucent = count;
	}
	memset(p->slots, 0, sizeof(p->slots));
	for (size_t i = 0; i < p->count; i++)
		*palette_slot(p, color_of(p->rgba[i])) = (uint16_t)(i + 1);
}

static void
palette_make(struct png_palette *p, const struct imgsniff_pixmap *map)
{
	for (size_t y = 0; y < map->height; y++)
		if (!palette_add_row(p, pixels_row(map, y), map->width)) {
			p->count = 0;
			return;
		}
	palette_order(p);
}

/* ---- Choice --------------------------------------------------------------- */

/* Of gray samples: 255 is a multiple of the step of each depth below 8. */
static unsigned int
gray_depth(const struct imgsniff_pixmap *map)
{
	unsigned int depth = 1;

	for (size_t y = 0; y < map->height && depth < 8; y++) {
		const uint8_t *p = pixels_row(map, y);

		for (size_t x = 0; x < map->width; x++)
			while (depth < 8 &&
			       p[4 * x] % (255 / ((1 << depth) - 1)) != 0)
				depth *= 2;
	}
	return depth;
}

static unsigned int
index_depth(size_t colors)
{
	unsigned int depth = 1;

	while ((size_t)1 << depth < colors)
		depth *= 2;
	return depth;
}

static const unsigned char color_samples[] = {
	[PNG_GRAY] = 1, [PNG_RGB] = 3, [PNG_PALETTE] = 1, [PNG_GRAY_ALPHA] = 2,
	[PNG_RGBA] = 4,
};

/* A palette, if it pays: its colours take room themselves. */
static void
palette_choose(struct png_form *form, const struct imgsniff_pixmap *map)
{
	uint64_t pixels = (uint64_t)map->width * map->height;
	unsigned int depth;

	if (form->samples == 1 && form->depth == 1)
		return;
	palette_make(&form->palette, map);
	depth = index_depth(form->palette.count);
	if (form->palette.count == 0 ||
	    pixels * depth + 24 * form->palette.count +
	    8 * form->palette.translucent >= pixels * form->samples * form->depth)
		return;
	form->color = PNG_PALETTE;
	form->samples = 1;
	form->depth = depth;
}

void
png_form_choose(struct png_form *form, const struct imgsniff_pixmap *map)
{
	struct pixels_look look = pixels_look_at(map);

	*form = (struct png_form){ .color = PNG_RGBA, .depth = 8 };
	if (look.gray)
		form->color = look.opaque ? PNG_GRAY : PNG_GRAY_ALPHA;
	else if (look.opaque)
		form->color = PNG_RGB;
	form->samples = color_samples[form->color];
	if (map->layout == IMGSNIFF_RGBA16) {
		form->depth = 16;
		return;
	}
	if (form->color == PNG_GRAY)
		form->depth = gray_depth(map);
	palette_choose(form, map);
}

/* ---- Rows ----------------------------------------------------------------- */

/* Which samples of RGBA are there. */
static const unsigned char color_sources[][4] = {
	[PNG_GRAY] = { 0 }, [PNG_RGB] = { 0, 1, 2 }, [PNG_GRAY_ALPHA] = { 0, 3 },
	[PNG_RGBA] = { 0, 1, 2, 3 },
};

static void
row_pick8(const struct png_form *form, unsigned char *to, const uint8_t *from,
	  size_t width)
{
	const unsigned char *sources = color_sources[form->color];

	for (size_t x = 0; x < width; x++, from += 4)
		for (unsigned int i = 0; i < form->samples; i++)
			*to++ = from[sources[i]];
}

static void
row_pick16(const struct png_form *form, unsigned char *to, const uint16_t *from,
	   size_t width)
{
	const unsigned char *sources = color_sources[form->color];

	for (size_t x = 0; x < width; x++, from += 4)
		for (unsigned int i = 0; i < form->samples; i++) {
			*to++ = (unsigned char)(from[sources[i]] >> 8);
			*to++ = (unsigned char)from[sources[i]];
		}
}

/* What stands for a pixel in one sample: its colour's index, or its gray. */
static unsigned int
pixel_code(const struct png_form *form, const uint8_t *rgba)
{
	const struct png_palette *p = &form->palette;
	const uint16_t *slot;

	if (form->color != PNG_PALETTE)
		return rgba[0] >> (8 - form->depth);
	slot = palette_slot((struct png_palette *)p, color_of(rgba));
	return *slot - 1U;
}

/* Samples of 'depth' bits, the first in the highest ones. */
static void
row_pack(const struct png_form *form, unsigned char *to, const uint8_t *from,
	 size_t width)
{
	unsigned int bits = 0, held = 0;

	for (size_t x = 0; x < width; x++, from += 4) {
		bits = bits << form->depth | pixel_code(form, from);
		held += form->depth;
		if (held == 8) {
			*to++ = (unsigned char)bits;
			bits = held = 0;
		}
	}
	if (held > 0)
		*to = (unsigned char)(bits << (8 - held));
}

void
png_form_row(const struct png_form *form, unsigned char *to, const void *from,
	     size_t width)
{
	if (form->depth == 16)
		row_pick16(form, to, from, width);
	else if (form->depth < 8 || form->color == PNG_PALETTE)
		row_pack(form, to, from, width);
	else
		row_pick8(form, to, from, width);
}

/* ---- Filters -------------------------------------------------------------- */

bool
png_filter_init(struct png_filter *f, size_t row_size, size_t pixel,
		bool adaptive)
{
	size_t size = row_size + FILTER_LEFT;

	*f = (struct png_filter){
		.adaptive = adaptive, .row_size = row_size, .pixel = pixel,
		.row = calloc(size, 1), .above = calloc(size, 1),
		.tries = calloc(row_size + 1, adaptive ? FILTER_TYPES : 1),
	};
	if (f->row != NULL && f->above != NULL && f->tries != NULL)
		return true;
	errno = ENOMEM;
	return false;
}

void
png_filter_free(struct png_filter *f)
{
	free(f->row);
	free(f->above);
	free(f->tries);
}

unsigned char *
png_filter_next(struct png_filter *f)
{
	unsigned char *row = f->above;

	f->above = f->row;
	f->row = row;
	return row + FILTER_LEFT;
}

/* RFC 2083, 6.6: that of the three which is nearest to left + above - corner. */
static int
paeth(int left, int above, int corner)
{
	int p = left + above - corner;
	int pl = abs(p - left), pa = abs(p - above), pc = abs(p - corner);

	if (pl <= pa && pl <= pc)
		return left;
	return pa <= pc ? above : corner;
}

/* How far from zero the bytes are, as signed numbers: less compresses better. */
static uint64_t
bytes_cost(const unsigned char *p, size_t size)
{
	uint64_t cost = 0;

	for (size_t i = 0; i < size; i++)
		cost += p[i] < 128 ? p[i] : 256U - p[i];
	return cost;
}

/* RFC 2083, 6: all types, each into its own row. */
static void
filter_try(const struct png_filter *f, unsigned char *to[FILTER_TYPES])
{
	const unsigned char *row = f->row + FILTER_LEFT, *left = row - f->pixel;
	const unsigned char *above = f->above + FILTER_LEFT;
	const unsigned char *corner = above - f->pixel;

	memcpy(to[0], row, f->row_size);
	for (size_t i = 0; i < f->row_size; i++)
		to[1][i] = (unsigned char)(row[i] - left[i]);
	for (size_t i = 0; i < f->row_size; i++)
		to[2][i] = (unsigned char)(row[i] - above[i]);
	for (size_t i = 0; i < f->row_size; i++)
		to[3][i] = (unsigned char)(row[i] - (left[i] + above[i]) / 2);
	for (size_t i = 0; i < f->row_size; i++)
		to[4][i] = (unsigned char)(row[i] - paeth(left[i], above[i],
							  corner[i]));
}

const unsigned char *
png_filter_row(struct png_filter *f)
{
	unsigned char *to[FILTER_TYPES];
	uint64_t least = UINT64_MAX;
	int best = 0;

	if (!f->adaptive) {
		memcpy(f->tries + 1, f->row + FILTER_LEFT, f->row_size);
		return f->tries;
	}
	for (int type = 0; type < FILTER_TYPES; type++) {
		unsigned char *try = f->tries + (size_t)type * (f->row_size + 1);

		*try = (unsigned char)type;
		to[type] = try + 1;
	}
	filter_try(f, to);
	for (int type = 0; type < FILTER_TYPES; type++) {
		uint64_t cost = bytes_cost(to[type], f->row_size);

		if (cost < least) {
			least = cost;
			best = type;
		}
	}
	return to[best] - 1;
}
