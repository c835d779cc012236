/*
 * png_fast.c - whatever the processor can do, PNG's pixels are the same
 *
 * What is compared with is the plain version, which test_png.c and test_row.c
 * compare with the definitions. Memory begins or ends where a page does that
 * cannot be touched, so that not even reading too far goes unseen.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit/png_make.h"

#include <cmocka.h>

#include "base/cpu.h"
#include "codec.h"
#include "codec/png/unfilter.h"
#include "pixel/row.h"

#define WIDTH_MAX	70
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const enum imgsniff_pixel layouts[] = {
	IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
	IMGSNIFF_RGBA16,
};

/* ---- Memory between pages that cannot be touched ------------------------------ */

struct fenced {
	uint8_t *map;
	size_t map_size;
	uint8_t *begin, *end;
};

static struct fenced
fenced_new(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t inner = (size + page - 1) / page * page;
	struct fenced f = { .map_size = inner + 2 * page };

	f.map = mmap(NULL, f.map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	must(f.map != MAP_FAILED);
	f.begin = f.map + page;
	f.end = f.begin + inner;
	must(mprotect(f.begin, inner, PROT_READ | PROT_WRITE) == 0);
	return f;
}

static void
fenced_free(struct fenced *f)
{
	munmap(f->map, f->map_size);
}

static void
random_fill(uint8_t *p, size_t size, uint32_t *state)
{
	while (size-- > 0)
		*p++ = (uint8_t)(random_next(state) >> 11);
}

/* ---- Filters ------------------------------------------------------------------ */

/* Every other pixel is 'left', all 256 in two of its bytes; so are the others. */
static void
paeth_check(unsigned int corner, unsigned int up)
{
	enum { PIXEL = 4, SIZE = 256 * PIXEL };
	static uint8_t above[SIZE + PNG_ROW_SLACK], row[SIZE + PNG_ROW_SLACK];
	static uint8_t want[SIZE], got[SIZE + PNG_ROW_SLACK];

	for (unsigned int i = 0; i < SIZE; i++) {
		const bool odd = i / PIXEL % 2;
		const uint8_t left = i < PIXEL ? 0 : want[i - PIXEL];

		above[i] = (uint8_t)(odd ? up : corner);
		want[i] = (uint8_t)(odd ? 0 : i / PIXEL + i % 2);
		row[i] = (uint8_t)(want[i] - filter_predict(
			4, left, above[i], i < PIXEL ? 0 : above[i - PIXEL]));
	}
	isn_png_unfilter(PIXEL)->row[PNG_FILTER_PAETH](got, row, above, SIZE,
						      PIXEL);
	if (memcmp(want, got, SIZE) != 0)
		fail_msg("corner %u, up %u", corner, up);
}

static void
paeth_is_right_for_all_that_can_be(void **state)
{
	(void)state;
	if (isn_png_unfilter(4) == &isn_png_unfilter_plain)
		skip();
	for (unsigned int corner = 0; corner < 256; corner++)
		for (unsigned int up = 0; up < 256; up++)
			paeth_check(corner, up);
}

/* Scanlines with random filters, or one and the same. */
struct lines {
	size_t distance, size;		/* of a pixel, of a row */
	unsigned int rows;
	struct fenced stored, above;	/* slack, then a page */
	struct fenced to[PNG_FRONT_MAX];
	uint8_t *plain;
};

static uint8_t *
lines_stored(const struct lines *l)
{
	return l->stored.end - PNG_ROW_SLACK - l->rows * (l->size + 1);
}

static uint8_t *
lines_above(const struct lines *l)
{
	return l->above.end - PNG_ROW_SLACK - l->size;
}

/* Its slack ends where the memory does, or its lead begins there. */
static uint8_t *
lines_to(const struct lines *l, unsigned int y, bool at_end)
{
	return at_end ? l->to[y].end - PNG_ROW_SLACK - l->size
		      : l->to[y].begin + PNG_ROW_LEAD;
}

static void
lines_check(const struct lines *l, bool at_end, const char *what)
{
	for (unsigned int y = 0; y < l->rows; y++)
		if (memcmp(lines_to(l, y, at_end), l->plain + y * l->size,
			   l->size) != 0)
			fail_msg("%s: pixels of %zu bytes, row %u of %zu bytes",
				 what, l->distance, y, l->size);
}

static isn_png_unfilter_fn *
undo_of(const struct png_unfilter *u, unsigned int filter)
{
	return u->row[filter] ? u->row[filter]
			      : isn_png_unfilter_plain.row[filter];
}

static void
lines_compare(const struct lines *l, const struct png_unfilter *u,
	      const struct png_front *front, bool at_end)
{
	const uint8_t *stored = lines_stored(l), *above = lines_above(l);
	uint8_t *to[PNG_FRONT_MAX];

	for (unsigned int y = 0; y < l->rows; y++) {
		const uint8_t *line = stored + y * (l->size + 1);

		to[y] = lines_to(l, y, at_end);
		isn_png_unfilter_plain.row[line[0]](l->plain + y * l->size,
						    line + 1, above, l->size,
						    l->distance);
		undo_of(u, line[0])(to[y], line + 1,
				    y > 0 ? to[y - 1] : lines_above(l), l->size,
				    l->distance);
		above = l->plain + y * l->size;
	}
	lines_check(l, at_end, "row by row");
	for (unsigned int y = 0; y < l->rows; y++)
		memset(to[y], 0x5a, l->size);
	front->undo(to, stored, lines_above(l), l->size);
	lines_check(l, at_end, "together");
}

static void
lines_fill(const struct lines *l, unsigned int filter, uint32_t *random)
{
	uint8_t *stored = lines_stored(l);

	/* All of it: what lies behind the rows must not matter. */
	random_fill(l->stored.begin,
		    (size_t)(l->stored.end - l->stored.begin), random);
	random_fill(l->above.begin, (size_t)(l->above.end - l->above.begin),
		    random);
	for (unsigned int y = 0; y < l->rows; y++)
		stored[y * (l->size + 1)] = (uint8_t)(filter < PNG_FILTERS
			? filter : (random_next(random) >> 8) % PNG_FILTERS);
}

/* Rows one by one, and as many at once as 'front' takes. */
static void
front_compare(size_t distance, const struct png_front *front)
{
	struct lines l = { .distance = distance, .rows = front->rows };
	uint32_t random = 1;

	l.plain = malloc(PNG_FRONT_MAX * WIDTH_MAX * 8);
	l.stored = fenced_new(PNG_FRONT_MAX * (WIDTH_MAX * 8 + 1) +
			      PNG_ROW_SLACK);
	l.above = fenced_new(WIDTH_MAX * 8 + PNG_ROW_SLACK);
	for (unsigned int y = 0; y < l.rows; y++)
		l.to[y] = fenced_new(PNG_ROW_LEAD + WIDTH_MAX * 8 +
				     PNG_ROW_SLACK);
	for (size_t width = 1; width <= WIDTH_MAX; width++)
		for (unsigned int f = 0; f < PNG_FILTERS + 8; f++) {
			l.size = width * distance;
			lines_fill(&l, f, &random);
			lines_compare(&l, isn_png_unfilter(distance), front,
				      false);
			lines_compare(&l, isn_png_unfilter(distance), front,
				      true);
		}
	fenced_free(&l.stored);
	fenced_free(&l.above);
	for (unsigned int y = 0; y < l.rows; y++)
		fenced_free(&l.to[y]);
	free(l.plain);
}

static void
every_way_of_undoing_a_filter_gives_the_same(void **state)
{
	(void)state;
	for (size_t distance = 1; distance < PNG_PIXEL_SIZES; distance++) {
		const struct png_front *front = isn_png_unfilter(distance)->front;
		const struct png_front *wide = isn_png_front_wide(distance);

		if (front != NULL)
			front_compare(distance, front);
		if (wide != NULL)
			front_compare(distance, wide);
	}
}

/* ---- Rows --------------------------------------------------------------------- */

static const size_t kind_sizes[] = {
	[ISN_ROW_GRAY8] = 1, [ISN_ROW_GRAY_ALPHA8] = 2, [ISN_ROW_RGB8] = 3,
	[ISN_ROW_RGBA8] = 4, [ISN_ROW_GRAY16] = 2, [ISN_ROW_GRAY_ALPHA16] = 4,
	[ISN_ROW_RGB16] = 6, [ISN_ROW_RGBA16] = 8,
};

static void
row_compare(enum isn_row kind, enum imgsniff_pixel layout, uint32_t width,
	    const struct fenced *from, const struct fenced *to, bool at_end)
{
	const size_t in = width * kind_sizes[kind];
	const size_t out = imgsniff_row_size(layout, width);
	const uint8_t *src = at_end ? from->end - in : from->begin;
	uint8_t *dst = at_end ? to->end - out : to->begin;
	uint8_t plain[WIDTH_MAX * 8];

	for (unsigned int level = 0; level < ISN_CPU_LEVELS; level++) {
		isn_cpu_limit(level);
		memset(to->begin, 0xa5, (size_t)(to->end - to->begin));
		isn_row_convert(dst, layout, src, kind, width);
		if (level == ISN_CPU_PLAIN)
			memcpy(plain, dst, out);
		else if (memcmp(plain, dst, out) != 0)
			fail_msg("level %u: %u pixels of kind %u to %u", level,
				 width, kind, layout);
		for (uint8_t *p = to->begin; p < to->end; p++)
			if ((p < dst || p >= dst + out) && *p != 0xa5)
				fail_msg("level %u: writes outside", level);
	}
	isn_cpu_limit(ISN_CPU_LEVELS);
}

static void
every_way_of_converting_a_row_gives_the_same(void **state)
{
	struct fenced from = fenced_new(WIDTH_MAX * 8);
	struct fenced to = fenced_new(WIDTH_MAX * 8);
	uint32_t random = 3;

	(void)state;
	random_fill(from.begin, (size_t)(from.end - from.begin), &random);
	for (unsigned int kind = 0; kind < COUNT(kind_sizes); kind++)
		for (size_t i = 0; i < COUNT(layouts); i++)
			for (uint32_t w = 0; w <= WIDTH_MAX; w++) {
				row_compare(kind, layouts[i], w, &from, &to, true);
				row_compare(kind, layouts[i], w, &from, &to,
					    false);
			}
	fenced_free(&from);
	fenced_free(&to);
}

/* ---- Images ------------------------------------------------------------------- */

static const struct {
	uint8_t color, depth;
} kinds[] = {
	{ 0, 1 }, { 0, 2 }, { 0, 4 }, { 0, 8 }, { 0, 16 }, { 2, 8 }, { 2, 16 },
	{ 3, 1 }, { 3, 2 }, { 3, 4 }, { 3, 8 }, { 4, 8 }, { 4, 16 }, { 6, 8 },
	{ 6, 16 },
};

struct answer {
	enum imgsniff_status status;
	uint32_t rows_valid;
	uint64_t offset;
	const char *message;
};

/* 'png' ends where its page does; the pixmap may, too, and has a stride. */
static struct answer
image_decode(const struct fenced *file, size_t size, const char *backend,
	     enum imgsniff_pixel layout, const struct fenced *to,
	     unsigned int padding, uint8_t *pixels, uint32_t width,
	     uint32_t height)
{
	const struct imgsniff_options options = {
		.struct_size = sizeof(options), .backend = backend,
	};
	const struct imgsniff_decode_options how = {
		.struct_size = sizeof(how), .layout = layout,
		.flags = IMGSNIFF_KEEP_DAMAGED,
	};
	struct imgsniff_decoder *d = imgsniff_new(&options);
	const size_t row = imgsniff_row_size(layout, width);
	const size_t room = (row + padding) * (height - 1) + row;
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map), .pixels = to->end - room,
		.size = room, .stride = row + padding,
		.width = width, .height = height, .layout = layout,
	};
	struct answer a = { .status = IMGSNIFF_OK };

	memset(to->end - room, 0x77, room);
	/* An error of this is told by the next call, too. */
	(void)!imgsniff_open_memory(d, file->end - size, size, 0);
	a.status = imgsniff_decode_into(d, &how, &map);
	a.rows_valid = map.rows_valid;
	if (a.status != IMGSNIFF_OK) {
		a.offset = imgsniff_last_error(d)->offset;
		a.message = imgsniff_last_error(d)->message;
	}
	for (uint32_t y = 0; y < height; y++) {
		const uint8_t *from = to->end - room + y * map.stride;

		memcpy(pixels + y * row, from, row);
		for (unsigned int i = 0; i < padding && y + 1 < height; i++)
			if (from[row + i] != 0x77)
				fail_msg("writes between the rows");
	}
	imgsniff_free(d);
	return a;
}

/* All ways to decode it: the plain one, as told by its numbers, comes first. */
static void
image_compare(const struct png_kind *k, const struct bytes *png,
	      enum imgsniff_pixel layout)
{
	struct fenced file = fenced_new(png->size);
	const size_t size = imgsniff_image_size(layout, k->width, k->height);
	struct fenced to = fenced_new(size + 7u * k->height);
	uint8_t *plain = malloc(size), *fast = malloc(size);
	struct answer first = { .status = IMGSNIFF_OK };

	must(plain != NULL && fast != NULL);
	memcpy(file.end - png->size, png->data, png->size);
	for (unsigned int way = 0; way < 2 * ISN_CPU_LEVELS; way++) {
		const char *backend = way % 2 ? NULL : "zlib";
		struct answer a;

		isn_cpu_limit(way / 2);
		a = image_decode(&file, png->size, backend, layout, &to,
				 way * 3 % 7, way ? fast : plain, k->width,
				 k->height);
		if (way == 0)
			first = a;
		if (a.status != first.status || a.offset != first.offset ||
		    a.message != first.message ||
		    a.rows_valid != first.rows_valid ||
		    (way > 0 && memcmp(plain, fast, size) != 0))
			fail_msg("way %u: colour type %u, %u bits, %ux%u, "
				 "filters %u, layout %u, %s: %s (%u rows)", way,
				 k->color, k->depth, k->width, k->height,
				 k->filters, layout,
				 k->interlace ? "interlaced" : "plain",
				 imgsniff_status_name(a.status), a.rows_valid);
	}
	isn_cpu_limit(ISN_CPU_LEVELS);
	free(plain);
	free(fast);
	fenced_free(&file);
	fenced_free(&to);
}

static struct png_kind
kind_make(size_t i, uint32_t width, uint32_t height, uint32_t seed)
{
	struct png_kind k = {
		.width = width, .height = height, .depth = kinds[i].depth,
		.color = kinds[i].color, .interlace = seed % 3 == 0,
		.trns = seed % 2 && kinds[i].color < 4,
		.filters = (uint8_t)(seed % PNG_FILTERS_COUNT),
	};

	if (k.color == 3)
		k.palette = 1u << k.depth;
	if (k.trns && k.color != 3)
		k.key[0] = k.key[1] = k.key[2] =
			(uint16_t)(40000u & ((1u << k.depth) - 1));
	return k;
}

static void
every_way_of_decoding_gives_the_same_pixels(void **state)
{
	uint32_t seed = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++)
		for (uint32_t w = 1; w <= WIDTH_MAX; w++, seed++) {
			struct png_kind k = kind_make(i, w, 1 + seed * 5 % 67,
						      seed);
			uint16_t *samples = png_picture(&k, seed);
			struct bytes png = png_make(&k, samples,
						    seed % 5 ? 0 : 100);

			image_compare(&k, &png,
				      layouts[seed % COUNT(layouts)]);
			bytes_free(&png);
			free(samples);
		}
}

/* Cut short, or with a byte changed behind the headers. */
static void
every_way_of_decoding_finds_the_same_damage(void **state)
{
	uint32_t random = 5;

	(void)state;
	for (uint32_t seed = 0; seed < 600; seed++) {
		struct png_kind k = kind_make(seed % COUNT(kinds),
					      1 + seed % WIDTH_MAX,
					      1 + seed * 7 % 71, seed / 3);
		uint16_t *samples = png_picture(&k, seed);
		struct bytes stream = png_stream(&k, samples, seed % 2 ? 6 : 0);
		struct bytes png = { NULL, 0, 0 };
		size_t at = random_next(&random) % stream.size;

		if (seed % 5 != 0)
			stream.data[at] ^= (uint8_t)(1u << seed % 8);
		png_head(&png, &k);
		png_idats(&png, &stream, seed % 4 ? 0 : 70);
		png_chunk(&png, "IEND", NULL, 0);
		if (seed % 5 == 0)
			png.size -= 12 + (stream.size - at);
		image_compare(&k, &png, layouts[seed % COUNT(layouts)]);
		bytes_free(&png);
		bytes_free(&stream);
		free(samples);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paeth_is_right_for_all_that_can_be),
		cmocka_unit_test(every_way_of_undoing_a_filter_gives_the_same),
		cmocka_unit_test(every_way_of_converting_a_row_gives_the_same),
		cmocka_unit_test(every_way_of_decoding_gives_the_same_pixels),
		cmocka_unit_test(every_way_of_decoding_finds_the_same_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
