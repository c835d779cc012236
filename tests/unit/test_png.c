/*
 * test_png.c - PNG stills: facts, pixels, faults, memory
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "png_make.h"

#include <cmocka.h>

#include "codec.h"

static const enum imgsniff_pixel layouts[] = {
	IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
	IMGSNIFF_RGBA16,
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static struct imgsniff_decoder *
decoder_new(const char *backend, const struct imgsniff_allocator *allocator,
	    uint64_t max_memory)
{
	const struct imgsniff_options options = {
		.struct_size = sizeof(options),
		.backend = backend,
		.allocator = allocator,
		.limits.max_memory = max_memory,
	};
	struct imgsniff_decoder *d = imgsniff_new(&options);

	assert_non_null(d);
	return d;
}

/* 'map' of the image's size and a heap block of the exact size. */
static struct imgsniff_pixmap
pixmap_new(const struct imgsniff_info *info, enum imgsniff_pixel layout)
{
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.size = imgsniff_image_size(layout, info->width, info->height),
		.stride = imgsniff_row_size(layout, info->width),
		.width = info->width,
		.height = info->height,
		.layout = layout,
	};

	map.pixels = malloc(map.size);
	assert_non_null(map.pixels);
	memset(map.pixels, 0xA5, map.size);
	return map;
}

static void
pixel_expect(uint8_t out[8], enum imgsniff_pixel layout, const uint16_t rgba[4])
{
	uint8_t c[4];

	for (int i = 0; i < 4; i++)
		c[i] = (uint8_t)(rgba[i] >> 8);
	switch (layout) {
	case IMGSNIFF_GRAY8:
		out[0] = (uint8_t)((77 * c[0] + 150 * c[1] + 29 * c[2] + 128) >> 8);
		return;
	case IMGSNIFF_RGB8:
		memcpy(out, c, 3);
		return;
	case IMGSNIFF_RGBA8:
		memcpy(out, c, 4);
		return;
	case IMGSNIFF_BGRA8:
		out[0] = c[2];
		out[1] = c[1];
		out[2] = c[0];
		out[3] = c[3];
		return;
	case IMGSNIFF_RGBA16:
		memcpy(out, rgba, 8);
		return;
	}
}

/* The first 'rows' rows are those of the picture. */
static void
assert_rows(const struct imgsniff_pixmap *map, const struct png_kind *k,
	    const uint16_t *samples, uint32_t rows)
{
	const size_t pixel = imgsniff_row_size(map->layout, 1);

	for (uint32_t y = 0; y < rows; y++)
		for (uint32_t x = 0; x < map->width; x++) {
			uint16_t rgba[4];
			uint8_t want[8];

			png_expect(k, samples, (size_t)y * map->width + x, rgba);
			pixel_expect(want, map->layout, rgba);
			assert_memory_equal(isn_pixmap_row(map, y) + x * pixel,
					    want, pixel);
		}
}

static void
assert_decodes(struct imgsniff_decoder *d, const struct bytes *png,
	       const struct png_kind *k, const uint16_t *samples,
	       enum imgsniff_pixel layout)
{
	struct imgsniff_pixmap map;

	assert_int_equal(imgsniff_open_memory(d, png->data, png->size, 0), 0);
	map = pixmap_new(imgsniff_get_info(d), layout);
	assert_int_equal(map.width, k->width);
	assert_int_equal(map.height, k->height);
	assert_int_equal(imgsniff_decode_into(d, NULL, &map), IMGSNIFF_OK);
	assert_int_equal(map.rows_valid, k->height);
	assert_rows(&map, k, samples, k->height);
	free(map.pixels);
}

/* Each colour type with each of its depths, with and without tRNS. */
static const struct png_kind kinds[] = {
	{ .depth = 1, .color = 0 }, { .depth = 2, .color = 0 },
	{ .depth = 4, .color = 0 }, { .depth = 8, .color = 0 },
	{ .depth = 16, .color = 0 },
	{ .depth = 1, .color = 0, .trns = true, .key = { 1 } },
	{ .depth = 2, .color = 0, .trns = true, .key = { 2 } },
	{ .depth = 4, .color = 0, .trns = true, .key = { 9 } },
	{ .depth = 8, .color = 0, .trns = true, .key = { 200 } },
	{ .depth = 16, .color = 0, .trns = true, .key = { 0x1234 } },
	{ .depth = 8, .color = 2 }, { .depth = 16, .color = 2 },
	{ .depth = 8, .color = 2, .trns = true, .key = { 1, 2, 3 } },
	{ .depth = 16, .color = 2, .trns = true, .key = { 257, 2, 0xff00 } },
	{ .depth = 1, .color = 3, .palette = 2 },
	{ .depth = 2, .color = 3, .palette = 3 },
	{ .depth = 4, .color = 3, .palette = 16 },
	{ .depth = 8, .color = 3, .palette = 256 },
	{ .depth = 1, .color = 3, .palette = 2, .trns = true, .key = { 0 } },
	{ .depth = 8, .color = 3, .palette = 77, .trns = true, .key = { 70 } },
	{ .depth = 8, .color = 4 }, { .depth = 16, .color = 4 },
	{ .depth = 8, .color = 6 }, { .depth = 16, .color = 6 },
};

static void
kind_check(struct imgsniff_decoder *d, struct png_kind k, uint32_t seed)
{
	uint16_t *samples = png_picture(&k, seed);
	struct bytes png = png_make(&k, samples, seed % 3 * 5);

	for (size_t i = 0; i < COUNT(layouts); i++)
		assert_decodes(d, &png, &k, samples, layouts[i]);
	bytes_free(&png);
	free(samples);
}

static void
kinds_check(const char *backend)
{
	struct imgsniff_decoder *d = decoder_new(backend, NULL, 0);

	for (size_t i = 0; i < COUNT(kinds); i++)
		for (uint32_t w = 1; w <= 9; w++)
			for (uint32_t h = 1; h <= 9; h++) {
				struct png_kind k = kinds[i];

				k.width = w;
				k.height = h;
				kind_check(d, k, w * 10 + h);
				k.interlace = 1;
				kind_check(d, k, w * 10 + h);
			}
	imgsniff_free(d);
}

static void
every_kind_decodes_to_every_layout(void **state)
{
	(void)state;
	kinds_check(NULL);
}

static void
every_kind_decodes_row_by_row(void **state)
{
	(void)state;
	kinds_check("zlib");
}

static void
facts_are_those_of_the_header(void **state)
{
	static const enum imgsniff_color colors[7] = {
		IMGSNIFF_COLOR_GRAY, 0, IMGSNIFF_COLOR_RGB,
		IMGSNIFF_COLOR_PALETTE, IMGSNIFF_COLOR_GRAY_ALPHA, 0,
		IMGSNIFF_COLOR_RGBA,
	};
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, 0);

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct png_kind k = kinds[i];
		const struct imgsniff_info *info;
		uint16_t *samples;
		struct bytes png;

		k.width = 6;
		k.height = 4;
		k.interlace = i % 2;
		samples = png_picture(&k, 1);
		png = png_make(&k, samples, 0);
		assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
				 IMGSNIFF_OK);

		info = imgsniff_get_info(d);
		assert_int_equal(info->width, 6);
		assert_int_equal(info->height, 4);
		assert_int_equal(info->color, colors[k.color]);
		assert_int_equal(info->bit_depth, k.depth);
		assert_int_equal(info->has_alpha, k.trns || k.color >= 4);
		assert_int_equal(info->progressive, i % 2);
		assert_int_equal(info->compression, IMGSNIFF_LOSSLESS);
		assert_int_equal(info->frames, 1);
		assert_int_equal(info->plays, 1);
		assert_false(info->has_loop || info->animated);
		assert_int_equal(info->best == IMGSNIFF_RGBA16, k.depth == 16);
		free(samples);
		bytes_free(&png);
	}
	imgsniff_free(d);
}

/* Rows that zlib gives out of the first 'size' bytes of a stream. */
static uint32_t
rows_inside(const uint8_t *stream, size_t size, size_t line, uint32_t height)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)stream,
		       .avail_in = (uInt)size };
	uint8_t *out = malloc(line * height + 1);
	uint32_t rows;

	must(out != NULL && inflateInit(&z) == Z_OK);
	z.next_out = out;
	z.avail_out = (uInt)(line * height + 1);
	inflate(&z, Z_SYNC_FLUSH);
	rows = (uint32_t)(z.total_out / line);
	inflateEnd(&z);
	free(out);
	return rows;
}

/* Opens and decodes the first 'size' bytes, keeping what is damaged. */
static enum imgsniff_status
prefix_decode(struct imgsniff_decoder *d, const struct bytes *png, size_t size,
	      const struct png_kind *k, const uint16_t *samples, uint32_t *rows)
{
	const struct imgsniff_decode_options keep = {
		.struct_size = sizeof(keep),
		.flags = IMGSNIFF_KEEP_DAMAGED,
	};
	uint8_t *copy = bytes_exact(png, size);
	enum imgsniff_status st = imgsniff_open_memory(d, copy, size, 0);

	*rows = 0;
	if (d->can_decode) {
		struct imgsniff_pixmap map = pixmap_new(imgsniff_get_info(d),
							IMGSNIFF_RGBA8);

		st = imgsniff_decode_into(d, &keep, &map);
		*rows = map.rows_valid;
		assert_rows(&map, k, samples, map.rows_valid);
		for (uint32_t y = *rows; y < map.height; y++)
			for (size_t i = 0; i < map.stride; i++)
				assert_int_equal(isn_pixmap_row(&map, y)[i], 0);
		free(map.pixels);
	}
	free(copy);
	return st;
}

static void
truncation_check(uint8_t interlace, const char *backend)
{
	const struct png_kind k = { .width = 7, .height = 40, .depth = 8,
				    .color = 2, .interlace = interlace };
	struct imgsniff_decoder *d = decoder_new(backend, NULL, 0);
	uint16_t *samples = png_picture(&k, 3);
	struct bytes stream = png_stream(&k, samples, 6);
	struct bytes png = { NULL, 0, 0 };
	size_t data;

	png_head(&png, &k);
	data = png_idats(&png, &stream, 0) + 8;
	png_chunk(&png, "IEND", NULL, 0);
	for (size_t size = 0; size <= png.size; size++) {
		size_t have = size < data ? 0 : size - data;
		enum imgsniff_status st;
		uint32_t rows, want;

		if (have > stream.size)
			have = stream.size;
		want = rows_inside(stream.data, have, 7 * 3 + 1, 40);
		st = prefix_decode(d, &png, size, &k, samples, &rows);
		if (interlace && st != IMGSNIFF_OK)
			want = 0;
		assert_int_equal(rows, want);
		if (size >= 8 && st != IMGSNIFF_OK) {
			assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
			assert_int_equal(imgsniff_last_error(d)->offset, size);
		}
		assert_int_equal(st == IMGSNIFF_OK, rows == 40);
	}
	bytes_free(&png);
	bytes_free(&stream);
	free(samples);
	imgsniff_free(d);
}

static void
truncation_keeps_the_whole_rows(void **state)
{
	(void)state;
	truncation_check(0, NULL);
	truncation_check(0, "zlib");
}

static void
interlaced_truncation_keeps_all_rows_or_none(void **state)
{
	(void)state;
	truncation_check(1, NULL);
}

static void
truncation_between_chunks_is_truncation(void **state)
{
	const struct png_kind k = { .width = 30, .height = 30, .depth = 8,
				    .color = 6 };
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, 0);
	uint16_t *samples = png_picture(&k, 3);
	struct bytes stream = png_stream(&k, samples, 6);
	struct bytes png = { NULL, 0, 0 };
	size_t first;
	uint32_t rows;

	(void)state;
	png_head(&png, &k);
	first = png_idats(&png, &stream, 1000);
	for (int chunks = 1; chunks <= 3; chunks++) {
		size_t size = first + (size_t)chunks * 1012;

		assert_int_equal(prefix_decode(d, &png, size, &k, samples,
					       &rows), IMGSNIFF_ERR_TRUNCATED);
		assert_int_equal(imgsniff_last_error(d)->offset, size);
		assert_int_equal(rows, rows_inside(stream.data,
						   (size_t)chunks * 1000, 121,
						   30));
	}
	bytes_free(&png);
	bytes_free(&stream);
	free(samples);
	imgsniff_free(d);
}

static void
growing_input_asks_for_more(void **state)
{
	const struct png_kind k = { .width = 5, .height = 5, .depth = 8,
				    .color = 3, .palette = 9 };
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, 0);
	uint16_t *samples = png_picture(&k, 3);
	struct bytes png = png_make(&k, samples, 9);

	(void)state;
	for (size_t size = 0; size < png.size; size++) {
		uint8_t *copy = bytes_exact(&png, size);

		assert_int_equal(imgsniff_open_memory(d, copy, size,
						      IMGSNIFF_PARTIAL),
				 IMGSNIFF_MORE);
		assert_in_range(imgsniff_last_error(d)->needed, size + 1,
				size < 8 ? IMGSNIFF_DETECT_BYTES : png.size);
		free(copy);
	}
	assert_int_equal(imgsniff_open_memory(d, png.data, png.size,
					      IMGSNIFF_PARTIAL), IMGSNIFF_OK);
	bytes_free(&png);
	free(samples);
	imgsniff_free(d);
}

/* One byte of a good 3 x 2 PNG is changed: what open() says, and where. */
static void
each_bad_field_of_the_header_has_its_message(void **state)
{
	static const struct {
		size_t at;		/* of the byte */
		uint8_t value;
		bool fix_crc;
		uint64_t offset;
		const char *message;
	} cases[] = {
		{ 19, 0, true, 16, "IHDR: width is zero" },
		{ 16, 128, true, 16, "IHDR: width is above 2^31 - 1" },
		{ 23, 0, true, 20, "IHDR: height is zero" },
		{ 20, 255, true, 20, "IHDR: height is above 2^31 - 1" },
		{ 24, 3, true, 24,
		  "IHDR: bit depth does not go with the colour type" },
		{ 24, 4, true, 24,
		  "IHDR: bit depth does not go with the colour type" },
		{ 24, 0, true, 24,
		  "IHDR: bit depth does not go with the colour type" },
		{ 25, 1, true, 25, "IHDR: no such colour type" },
		{ 25, 7, true, 25, "IHDR: no such colour type" },
		{ 26, 1, true, 26, "IHDR: no such compression method" },
		{ 27, 1, true, 27, "IHDR: no such filter method" },
		{ 28, 2, true, 28, "IHDR: no such interlace method" },
		{ 19, 4, false, 29, "IHDR: the CRC is wrong" },
		{ 11, 14, false, 8, "IHDR: the length is not 13" },
		{ 15, 'r', false, 12, "IHDR: it is not the first chunk" },
		{ 12, 0xc9, false, 12, "chunk: the type is not four letters" },
		{ 8, 0x80, false, 8, "chunk: the length is above 2^31 - 1" },
	};
	const struct png_kind k = { .width = 3, .height = 2, .depth = 8,
				    .color = 2 };
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, 0);
	uint16_t *samples = png_picture(&k, 3);

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct bytes png = png_make(&k, samples, 0);
		struct imgsniff_image *image;

		png.data[cases[i].at] = cases[i].value;
		if (cases[i].fix_crc) {
			uLong crc = crc32(0, png.data + 12, 17);

			for (int j = 0; j < 4; j++)
				png.data[29 + j] = (uint8_t)(crc >> (24 - 8 * j));
		}
		assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
				 IMGSNIFF_ERR_CORRUPT);
		assert_string_equal(imgsniff_last_error(d)->message,
				    cases[i].message);
		assert_int_equal(imgsniff_last_error(d)->offset,
				 cases[i].offset);
		assert_int_equal(imgsniff_decode(d, NULL, &image),
				 IMGSNIFF_ERR_CORRUPT);
		bytes_free(&png);
	}
	free(samples);
	imgsniff_free(d);
}

static void
size_is_told_when_the_header_crc_is_wrong(void **state)
{
	const struct png_kind k = { .width = 3, .height = 2, .depth = 8,
				    .color = 2 };
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, 0);
	uint16_t *samples = png_picture(&k, 3);
	struct bytes png = png_make(&k, samples, 0);

	(void)state;
	png.data[32] ^= 1;
	assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
			 IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(imgsniff_get_info(d)->width, 3);
	assert_int_equal(imgsniff_get_info(d)->height, 2);
	assert_int_equal(imgsniff_get_info(d)->frames, 1);
	bytes_free(&png);
	free(samples);
	imgsniff_free(d);
}

/* A wrong checksum is an error, but all rows can be had. */
static void
bad_checksums_are_found_and_rows_kept(void **state)
{
	const struct png_kind k = { .width = 9, .height = 9, .depth = 8,
				    .color = 0 };
	static const char *const names[] = { NULL, "zlib" };
	uint16_t *samples = png_picture(&k, 3);
	struct bytes stream = png_stream(&k, samples, 6);

	(void)state;
	for (int what = 0; what < 3; what++)
		for (size_t b = 0; b < COUNT(names); b++) {
			struct imgsniff_decoder *d = decoder_new(names[b], NULL,
								 0);
			struct bytes png = { NULL, 0, 0 };
			size_t first, at;
			uint32_t rows;

			if (what == 2)
				stream.data[stream.size - 1] ^= 1;
			png_head(&png, &k);
			first = png_idats(&png, &stream, what == 1 ? 40 : 0);
			png_chunk(&png, "IEND", NULL, 0);
			at = first + 8 + (what == 1 ? 40 : stream.size);
			if (what < 2)
				png.data[at + 3] ^= 1;
			assert_int_equal(prefix_decode(d, &png, png.size, &k,
						       samples, &rows),
					 IMGSNIFF_ERR_CORRUPT);
			assert_int_equal(rows, 9);
			assert_int_equal(imgsniff_last_error(d)->offset, at);
			if (what == 2)
				stream.data[stream.size - 1] ^= 1;
			bytes_free(&png);
			imgsniff_free(d);
		}
	bytes_free(&stream);
	free(samples);
}

/* Chunks put between PLTE and IDAT, before IEND, or in place of what IDAT has. */
struct oddity {
	const char *type;		/* before IDAT; NULL: none */
	const char *data;
	size_t size;
	size_t extra;			/* bytes behind the stream, in IDAT */
	size_t missing;			/* bytes of its end that are not there */
	bool more_rows;			/* than the header says */
	bool twice;			/* a second run of IDATs behind iTXt */
	enum imgsniff_status open, decode;
};

static void
oddities_are_tolerated_or_named(void **state)
{
	static const struct oddity cases[] = {
		{ .extra = 6 },
		{ .missing = 1 },
		{ .missing = 4 },
		{ .more_rows = true },
		{ .type = "tEXt", .data = "a", .size = 2 },
		{ .type = "PLTE", .data = "abcd", .size = 4 },
		{ .type = "tRNS", .data = "abcd", .size = 4 },
		{ .type = "iCCP", .data = "name", .size = 4 },
		{ .type = "eXIf", .data = "", .size = 0 },
		{ .type = "eXIf", .data = "MM", .size = 2 },
		{ .type = "iTXt", .data = "XML:com.adobe.xmp", .size = 18 },
		{ .type = "fcTL", .data = "no acTL", .size = 7 },
		{ .type = "fdAT", .data = "no acTL", .size = 7 },
		{ .type = "acTL", .data = "1234", .size = 4,
		  .open = IMGSNIFF_ERR_CORRUPT },
		{ .type = "acTL", .data = "\0\0\0\0\0\0\0", .size = 8,
		  .open = IMGSNIFF_ERR_CORRUPT },
		{ .type = "IHDR", .data = "1234", .size = 4,
		  .open = IMGSNIFF_ERR_CORRUPT },
		{ .type = "IEND", .open = IMGSNIFF_ERR_CORRUPT,
		  .decode = IMGSNIFF_ERR_CORRUPT },
		{ .type = "CRIT", .open = IMGSNIFF_ERR_UNSUPPORTED,
		  .decode = IMGSNIFF_ERR_UNSUPPORTED },
		{ .twice = true, .open = IMGSNIFF_ERR_CORRUPT },
	};
	const struct png_kind k = { .width = 5, .height = 6, .depth = 8,
				    .color = 2 };
	uint16_t *samples = png_picture(&k, 3);

	(void)state;
	for (size_t i = 0; i < COUNT(cases) * 2; i++) {
		const struct oddity *c = &cases[i / 2];
		struct imgsniff_decoder *d = decoder_new(i % 2 ? "zlib" : NULL,
							 NULL, 0);
		struct bytes raw = png_scanlines(&k, samples);
		struct bytes png = { NULL, 0, 0 }, stream;
		struct imgsniff_pixmap map;
		enum imgsniff_status st;

		if (c->more_rows)
			bytes_add(&raw, "\0 more", 6);
		stream = zlib_stream(&raw, 6);
		bytes_add(&stream, "abcdefghi", c->extra);
		stream.size -= c->missing;
		png_head(&png, &k);
		if (c->type != NULL)
			png_chunk(&png, c->type, c->data, c->size);
		png_idats(&png, &stream, i % 3 * 20);
		if (c->twice) {
			png_chunk(&png, "iTXt", NULL, 0);
			png_idats(&png, &stream, 0);
		}
		png_chunk(&png, "IEND", NULL, 0);

		assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
				 c->open);
		map = pixmap_new(imgsniff_get_info(d), IMGSNIFF_RGBA8);
		st = imgsniff_decode_into(d, NULL, &map);
		assert_int_equal(st, c->decode);
		if (st == IMGSNIFF_OK)
			assert_rows(&map, &k, samples, k.height);
		free(map.pixels);
		bytes_free(&png);
		bytes_free(&stream);
		bytes_free(&raw);
		imgsniff_free(d);
	}
	free(samples);
}

static void
an_unknown_filter_type_keeps_the_rows_before(void **state)
{
	const struct png_kind k = { .width = 5, .height = 6, .depth = 8,
				    .color = 2 };
	uint16_t *samples = png_picture(&k, 3);
	struct bytes raw = png_scanlines(&k, samples), stream;
	struct bytes png = { NULL, 0, 0 };
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, 0);
	uint32_t rows;

	(void)state;
	raw.data[4 * 16] = 5;
	stream = zlib_stream(&raw, 0);
	png_head(&png, &k);
	png_idats(&png, &stream, 0);
	png_chunk(&png, "IEND", NULL, 0);
	assert_int_equal(prefix_decode(d, &png, png.size, &k, samples, &rows),
			 IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(rows, 4);
	assert_string_equal(imgsniff_last_error(d)->message,
			    "IDAT: no such filter type");
	bytes_free(&png);
	bytes_free(&stream);
	bytes_free(&raw);
	free(samples);
	imgsniff_free(d);
}

static void
a_palette_index_past_plte_is_opaque_black(void **state)
{
	struct png_kind k = { .width = 4, .height = 1, .depth = 8, .color = 3,
			      .palette = 200 };
	uint16_t samples[4] = { 1, 199, 3, 150 };
	struct bytes png, stream = png_stream(&k, samples, 6);
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, 0);
	struct imgsniff_pixmap map;

	(void)state;
	png = (struct bytes){ NULL, 0, 0 };
	k.palette = 150;
	png_head(&png, &k);
	png_idats(&png, &stream, 0);
	png_chunk(&png, "IEND", NULL, 0);
	assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0), 0);
	map = pixmap_new(imgsniff_get_info(d), IMGSNIFF_RGBA8);
	assert_int_equal(imgsniff_decode_into(d, NULL, &map), IMGSNIFF_OK);
	assert_memory_equal(map.pixels, "\1\376\3\377" "\0\0\0\377"
			    "\3\374\11\377" "\0\0\0\377", 16);
	free(map.pixels);
	bytes_free(&png);
	bytes_free(&stream);
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_decodes_to_every_layout),
		cmocka_unit_test(every_kind_decodes_row_by_row),
		cmocka_unit_test(facts_are_those_of_the_header),
		cmocka_unit_test(truncation_keeps_the_whole_rows),
		cmocka_unit_test(interlaced_truncation_keeps_all_rows_or_none),
		cmocka_unit_test(truncation_between_chunks_is_truncation),
		cmocka_unit_test(growing_input_asks_for_more),
		cmocka_unit_test(each_bad_field_of_the_header_has_its_message),
		cmocka_unit_test(size_is_told_when_the_header_crc_is_wrong),
		cmocka_unit_test(bad_checksums_are_found_and_rows_kept),
		cmocka_unit_test(oddities_are_tolerated_or_named),
		cmocka_unit_test(an_unknown_filter_type_keeps_the_rows_before),
		cmocka_unit_test(a_palette_index_past_plte_is_opaque_black),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
