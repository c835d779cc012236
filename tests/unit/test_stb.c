/*
 * test_stb.c - stb_image as the second backend
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codec.h"
#include "codec/stb/stb.h"

#if HAVE_LIBJPEG
#include "unit/jpeg_encode.h"
#endif

static struct {
	size_t count, live;
	size_t fail_at;			/* this one, from 1, gives NULL */
} heap;

static void *
heap_allocate(void *user, size_t size)
{
	uint8_t *ptr;

	(void)user;
	if (++heap.count == heap.fail_at)
		return NULL;
	heap.live++;
	ptr = malloc(size);
	if (ptr != NULL)
		memset(ptr, 0xA5, size);
	return ptr;
}

static void
heap_release(void *user, void *ptr, size_t size)
{
	(void)user;
	(void)size;
	heap.live--;
	free(ptr);
}

static struct imgsniff_decoder *
decoder_new(const char *backend)
{
	static const struct imgsniff_allocator allocator = {
		heap_allocate, heap_release, NULL,
	};
	struct imgsniff_options options = {
		.struct_size = sizeof(options), .allocator = &allocator,
		.backend = backend,
	};
	struct imgsniff_decoder *d;

	memset(&heap, 0, sizeof(heap));
	d = imgsniff_new(&options);
	assert_non_null(d);
	return d;
}

#define PIXELS_MAX	(256u * 256u)

static uint64_t pixels[PIXELS_MAX];

static struct imgsniff_pixmap
pixmap_of(const struct imgsniff_decoder *d, enum imgsniff_pixel layout,
	  void *to)
{
	return (struct imgsniff_pixmap){
		.struct_size = sizeof(struct imgsniff_pixmap), .pixels = to,
		.size = 8 * PIXELS_MAX, .layout = layout,
		.width = d->info.width, .height = d->info.height,
		.stride = imgsniff_row_size(layout, d->info.width),
	};
}

/*
 * 2 x 1 pixels, 16 bits gray and alpha: 1234 5678 and 9ABC FFFF; stored deflate.
 * Checksums are left zero, as stb_image does not look at them.
 */
static const uint8_t png[] = {
	0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n',
	0, 0, 0, 13, 'I', 'H', 'D', 'R',
	0, 0, 0, 2, 0, 0, 0, 1,		/* width, height */
	16, 4, 0, 0, 0,			/* depth, gray and alpha */
	0, 0, 0, 0,
	0, 0, 0, 20, 'I', 'D', 'A', 'T',
	0x78, 0x01,			/* zlib */
	1, 9, 0, 0xF6, 0xFF,		/* last block, stored, 9 bytes */
	0, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xFF, 0xFF,
	0, 0, 0, 0,			/* Adler-32 */
	0, 0, 0, 0,
	0, 0, 0, 0, 'I', 'E', 'N', 'D', 0, 0, 0, 0,
};

/* Straight to stb_image, with the facts that it is checked against. */
static enum imgsniff_status
png_decode(struct imgsniff_decoder *d, enum imgsniff_pixel layout)
{
	struct imgsniff_pixmap map;

	d->info.format = IMGSNIFF_FORMAT_PNG;
	d->info.width = 2;
	d->info.height = 1;
	d->info.bit_depth = 16;
	d->shrink = 1;
	memset(pixels, 0, sizeof(pixels));
	map = pixmap_of(d, layout, pixels);
	return isn_stb_decode(d, (struct imgsniff_view){ png, sizeof(png) },
			      &map);
}

static void
sixteen_bits_are_kept_where_the_layout_has_them(void **state)
{
	static const uint16_t deep[] = {
		0x1234, 0x1234, 0x1234, 0x5678, 0x9ABC, 0x9ABC, 0x9ABC, 0xFFFF,
	};
	static const uint8_t rgba[] = {
		0x12, 0x12, 0x12, 0x56, 0x9A, 0x9A, 0x9A, 0xFF,
	};
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	assert_int_equal(png_decode(d, IMGSNIFF_RGBA16), IMGSNIFF_OK);
	assert_memory_equal(pixels, deep, sizeof(deep));
	assert_int_equal(png_decode(d, IMGSNIFF_RGBA8), IMGSNIFF_OK);
	assert_memory_equal(pixels, rgba, sizeof(rgba));
	imgsniff_free(d);
	assert_int_equal(heap.live, 0);
}

static void
it_works_on_the_memory_of_the_decoder_and_gives_it_back(void **state)
{
	struct imgsniff_decoder *d = decoder_new(NULL);
	size_t count;

	(void)state;
	assert_int_equal(png_decode(d, IMGSNIFF_RGBA8), IMGSNIFF_OK);
	count = heap.count;
	assert_true(count > 4);
	assert_int_equal(png_decode(d, IMGSNIFF_RGBA8), IMGSNIFF_OK);
	assert_int_equal(heap.count, count);
	imgsniff_free(d);
	assert_int_equal(heap.live, 0);

	for (size_t n = 2; n <= count; n++) {
		d = decoder_new(NULL);
		heap.fail_at = n;
		assert_int_equal(png_decode(d, IMGSNIFF_RGBA8),
				 IMGSNIFF_ERR_MEMORY);
		imgsniff_free(d);
		assert_int_equal(heap.live, 0);
	}
}

/* A source whose screen has no width once stb_image is to have the file. */
static int
shrinking_peek(void *user, uint64_t offset, size_t size,
	       struct imgsniff_view *view)
{
	static uint8_t gif[] = {
		'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0,
		0xFF, 0, 0, 0, 0, 0xFF,
		',', 0, 0, 0, 0, 1, 0, 1, 0, 0,
		2, 2, 0x44, 0x01, 0,
		';',
	};
	bool *shrunk = user;

	(void)size;
	gif[6] = *shrunk && offset == 0 ? 0 : 1;
	view->data = offset < sizeof(gif) ? gif + offset : gif;
	view->size = offset < sizeof(gif) ? sizeof(gif) - (size_t)offset : 0;
	return 0;
}

/* Blocks of no bytes were never given back. */
static void
blocks_of_no_bytes_are_given_back_too(void **state)
{
	struct imgsniff_decoder *d = decoder_new("stb");
	bool shrunk = false;
	const struct imgsniff_source source = { shrinking_peek, &shrunk };
	struct imgsniff_image *image;

	(void)state;
	assert_int_equal(imgsniff_open_source(d, &source, 0), IMGSNIFF_OK);
	shrunk = true;
	assert_int_equal(imgsniff_decode(d, NULL, &image),
			 IMGSNIFF_ERR_UNSUPPORTED);
	assert_null(image);
	imgsniff_free(d);

	assert_int_equal(heap.live, 0);
}

static void
its_memory_counts_against_the_limit(void **state)
{
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	d->memory.limit = 4000;
	assert_int_equal(png_decode(d, IMGSNIFF_RGBA8), IMGSNIFF_ERR_LIMIT);
	imgsniff_free(d);
}

static void
what_its_integers_cannot_count_is_unsupported(void **state)
{
	static const uint32_t sizes[][2] = {
		{ 23171, 23171 }, { 65536, 1 }, { 1, 65536 },
	};
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct imgsniff_pixmap map;

		d->info.width = sizes[i][0];
		d->info.height = sizes[i][1];
		map = pixmap_of(d, IMGSNIFF_RGBA16, pixels);
		assert_int_equal(isn_stb_decode(d,
			(struct imgsniff_view){ png, sizeof(png) }, &map),
			IMGSNIFF_ERR_UNSUPPORTED);
	}
	imgsniff_free(d);
}

#if HAVE_LIBJPEG

static uint64_t other[PIXELS_MAX];

static enum imgsniff_status
jpeg_decode(struct imgsniff_decoder *d, const uint8_t *bytes, size_t size,
	    enum imgsniff_pixel layout, void *to)
{
	enum imgsniff_status st = imgsniff_open_memory(d, bytes, size, 0);
	struct imgsniff_pixmap map = pixmap_of(d, layout, to);

	return st == IMGSNIFF_OK ? imgsniff_decode_into(d, NULL, &map) : st;
}

static const struct encoding encodings[] = {
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 2 },
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 1 },
	{ .width = 50, .height = 43, .components = 3 },
	{ .width = 50, .height = 43, .components = 1 },
	{ .width = 50, .height = 43, .components = 4 },
	{ .width = 50, .height = 43, .components = 4, .ycck = true },
	{ .width = 50, .height = 43, .components = 3, .rgb = true },
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 2,
	  .restart_interval = 3 },
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 2,
	  .progressive = true },
	{ .width = 40, .height = 43, .components = 3, .h = 2, .v = 2,
	  .separate = true },
};

#define ENCODINGS	(sizeof(encodings) / sizeof(encodings[0]))

static unsigned int
largest_difference(const struct encoding *e, size_t pixel_size)
{
	const uint8_t *a = (const uint8_t *)pixels;
	const uint8_t *b = (const uint8_t *)other;
	const size_t stride = pixel_size * e->width;
	unsigned int largest = 0;

	for (size_t i = 0; i < stride * e->height; i++) {
		unsigned int difference = (unsigned int)abs(a[i] - b[i]);

		/* It swaps the weights of the last two where v is 1. */
		if (e->h == 2 && e->v == 1 &&
		    i % stride >= stride - 2 * pixel_size)
			continue;
		largest = difference > largest ? difference : largest;
	}
	return largest;
}

static void
it_agrees_with_libjpeg_turbo(void **state)
{
	static const enum imgsniff_pixel layouts[] = {
		IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
	};
	struct imgsniff_decoder *d = decoder_new("stb");
	struct imgsniff_decoder *best = imgsniff_new(NULL);

	(void)state;
	assert_non_null(best);
	for (size_t i = 0; i < 4 * ENCODINGS; i++) {
		const struct encoding *e = &encodings[i / 4];
		struct encoded image = encode(e);

		assert_int_equal(jpeg_decode(d, image.bytes, image.size,
			layouts[i % 4], pixels), IMGSNIFF_OK);
		assert_string_equal(d->backend->name, "stb");
		assert_int_equal(jpeg_decode(best, image.bytes, image.size,
			layouts[i % 4], other), IMGSNIFF_OK);
		assert_in_range(largest_difference(e,
			imgsniff_row_size(layouts[i % 4], 1)), 0, 3);
		free(image.bytes);
	}
	imgsniff_free(best);
	imgsniff_free(d);
	assert_int_equal(heap.live, 0);
}

static void
nothing_but_the_whole_jpeg_passes(void **state)
{
	struct imgsniff_decoder *d = decoder_new("stb");

	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++) {
		struct encoded image = encode(&encodings[i]);

		for (size_t size = 3; size < image.size; size++) {
			uint8_t *cut = malloc(size);

			assert_non_null(cut);
			memcpy(cut, image.bytes, size);
			assert_int_equal(jpeg_decode(d, cut, size,
				IMGSNIFF_RGBA8, pixels),
				IMGSNIFF_ERR_TRUNCATED);
			free(cut);
		}
		free(image.bytes);
	}
	imgsniff_free(d);
}

static void
a_jpeg_that_it_has_no_code_for_is_unsupported(void **state)
{
	static const struct encoding arithmetic = {
		.width = 20, .height = 20, .components = 3, .arithmetic = true,
	};
	struct encoded image = encode(&arithmetic);
	struct imgsniff_decoder *d = decoder_new("stb");

	(void)state;
	assert_int_equal(jpeg_decode(d, image.bytes, image.size,
				     IMGSNIFF_RGBA8, pixels),
			 IMGSNIFF_ERR_UNSUPPORTED);
	imgsniff_free(d);
	free(image.bytes);
}

static void
shrinking_takes_the_mean_of_what_is_there(void **state)
{
	struct encoding e = { .width = 61, .height = 35, .components = 1 };
	struct encoded image = encode(&e);
	struct imgsniff_decoder *d = decoder_new("stb");
	struct imgsniff_pixmap map;
	unsigned int sum = 0;

	(void)state;
	assert_int_equal(jpeg_decode(d, image.bytes, image.size,
				     IMGSNIFF_GRAY8, other), IMGSNIFF_OK);
	d->shrink = 4;
	map = pixmap_of(d, IMGSNIFF_GRAY8, pixels);
	map.width = 16;
	map.stride = 16;
	map.height = 9;

	assert_int_equal(d->backend->decode(d, &map), IMGSNIFF_OK);

	/* The last column is one pixel wide, the last row three high. */
	for (unsigned int y = 32; y < 35; y++)
		sum += ((uint8_t *)other)[y * 61 + 60];
	assert_int_equal(((uint8_t *)pixels)[9 * 16 - 1], (sum + 1) / 3);
	imgsniff_free(d);
	free(image.bytes);
}

static void
all_pixels_count_where_it_shrinks(void **state)
{
	const struct imgsniff_decode_options fit = {
		.struct_size = sizeof(fit), .fit_width = 4, .fit_height = 4,
	};
	struct encoding e = { .width = 64, .height = 64, .components = 1 };
	struct encoded image = encode(&e);
	struct imgsniff_decoder *d = decoder_new("stb");
	struct imgsniff_image *small;

	(void)state;
	d->limits.max_pixels = 64 * 64 - 1;
	assert_int_equal(imgsniff_open_memory(d, image.bytes, image.size, 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_decode(d, &fit, &small), IMGSNIFF_ERR_LIMIT);
	d->limits.max_pixels++;
	d->limits.max_dimension = 63;
	assert_int_equal(imgsniff_decode(d, &fit, &small), IMGSNIFF_ERR_LIMIT);
	d->limits.max_dimension++;
	assert_int_equal(imgsniff_decode(d, &fit, &small), IMGSNIFF_OK);

	imgsniff_image_free(small);
	imgsniff_free(d);
	free(image.bytes);
}

#endif /* HAVE_LIBJPEG */

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			sixteen_bits_are_kept_where_the_layout_has_them),
		cmocka_unit_test(
			it_works_on_the_memory_of_the_decoder_and_gives_it_back),
		cmocka_unit_test(blocks_of_no_bytes_are_given_back_too),
		cmocka_unit_test(its_memory_counts_against_the_limit),
		cmocka_unit_test(
			what_its_integers_cannot_count_is_unsupported),
#if HAVE_LIBJPEG
		cmocka_unit_test(it_agrees_with_libjpeg_turbo),
		cmocka_unit_test(nothing_but_the_whole_jpeg_passes),
		cmocka_unit_test(
			a_jpeg_that_it_has_no_code_for_is_unsupported),
		cmocka_unit_test(shrinking_takes_the_mean_of_what_is_there),
		cmocka_unit_test(all_pixels_count_where_it_shrinks),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
