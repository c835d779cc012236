/*
 * test_png_use.c - PNG: what is read, what is allocated, metadata, backends
 */

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "png_make.h"

#include <cmocka.h>

#include "codec.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* An allocator that counts, and can fail at a given call. */
struct heap {
	unsigned int calls;
	unsigned int fail_at;		/* from 1; 0: never */
	size_t held;
	size_t largest;
};

static void *
heap_allocate(void *user, size_t size)
{
	struct heap *h = user;

	if (++h->calls == h->fail_at)
		return NULL;
	h->held += size;
	if (size > h->largest)
		h->largest = size;
	return malloc(size);
}

static void
heap_release(void *user, void *ptr, size_t size)
{
	struct heap *h = user;

	if (ptr != NULL)
		h->held -= size;
	free(ptr);
}

static struct imgsniff_decoder *
decoder_new(const char *backend, struct heap *heap,
	    struct imgsniff_limits limits)
{
	const struct imgsniff_allocator allocator = {
		heap_allocate, heap_release, heap,
	};
	const struct imgsniff_options options = {
		.struct_size = sizeof(options),
		.backend = backend,
		.allocator = heap ? &allocator : NULL,
		.limits = limits,
	};

	return imgsniff_new(&options);
}

static const struct imgsniff_limits no_limits;

static const struct png_kind photo = {
	.width = 120, .height = 90, .depth = 8, .color = 2,
};

/* RGBA8 of 'photo', for decode_into(). */
static uint8_t pixels[90][120][4];

static struct imgsniff_pixmap
pixmap_photo(void)
{
	return (struct imgsniff_pixmap){
		.struct_size = sizeof(struct imgsniff_pixmap),
		.pixels = pixels, .size = sizeof(pixels),
		.stride = sizeof(pixels[0]),
		.width = 120, .height = 90, .layout = IMGSNIFF_RGBA8,
	};
}

static enum imgsniff_status
photo_decode(struct imgsniff_decoder *d, const struct bytes *png)
{
	struct imgsniff_pixmap map = pixmap_photo();
	enum imgsniff_status st;

	memset(pixels, 0, sizeof(pixels));
	st = imgsniff_open_memory(d, png->data, png->size, 0);
	return st == IMGSNIFF_OK ? imgsniff_decode_into(d, NULL, &map) : st;
}

static void
assert_photo(const uint16_t *samples)
{
	for (size_t i = 0; i < 120 * 90; i++) {
		uint16_t rgba[4];

		png_expect(&photo, samples, i, rgba);
		for (int c = 0; c < 4; c++)
			assert_int_equal((&pixels[0][0][0])[i * 4 + (size_t)c],
					 rgba[c] >> 8);
	}
}

static void
a_warm_decoder_allocates_nothing(void **state)
{
	static const char *const backends[] = { NULL, "zlib" };
	uint16_t *samples = png_picture(&photo, 1);
	struct bytes one = png_make(&photo, samples, 0);
	struct bytes many = png_make(&photo, samples, 500);

	(void)state;
	for (size_t i = 0; i < COUNT(backends); i++) {
		struct heap heap = { 0, 0, 0, 0 };
		struct imgsniff_decoder *d = decoder_new(backends[i], &heap,
							 no_limits);
		unsigned int before;

		assert_int_equal(photo_decode(d, &one), IMGSNIFF_OK);
		assert_int_equal(photo_decode(d, &many), IMGSNIFF_OK);
		before = heap.calls;
		assert_int_equal(photo_decode(d, &one), IMGSNIFF_OK);
		assert_int_equal(photo_decode(d, &many), IMGSNIFF_OK);
		assert_int_equal(heap.calls, before);
		assert_photo(samples);
		imgsniff_free(d);
		assert_int_equal(heap.held, 0);
	}
	bytes_free(&one);
	bytes_free(&many);
	free(samples);
}

static void
one_idat_is_inflated_where_it_lies(void **state)
{
	struct heap heap = { 0, 0, 0, 0 };
	struct imgsniff_decoder *d = decoder_new(NULL, &heap, no_limits);
	uint16_t *samples = png_picture(&photo, 1);
	struct bytes one = png_make(&photo, samples, 0);
	struct bytes many = png_make(&photo, samples, 500);

	(void)state;
	assert_int_equal(photo_decode(d, &one), IMGSNIFF_OK);
	assert_null(d->scratch[ISN_SCRATCH_GATHER].data);
	assert_null(d->scratch[ISN_SCRATCH_INPUT].data);
#if HAVE_LIBDEFLATE
	assert_int_equal(photo_decode(d, &many), IMGSNIFF_OK);
	assert_non_null(d->scratch[ISN_SCRATCH_GATHER].data);
	assert_null(d->scratch[ISN_SCRATCH_INPUT].data);
#endif
	bytes_free(&one);
	bytes_free(&many);
	free(samples);
	imgsniff_free(d);
}

/* Enough for the scanlines or for zlib, but not for all that goes with them. */
static void
short_of_memory_rows_come_one_by_one(void **state)
{
	static const uint64_t limits[] = { 56000, 64000 };
	uint16_t *samples = png_picture(&photo, 1);
	struct bytes png;

	(void)state;
	memset(samples, 0, 120 * 45 * 3 * 2);
	png = png_make(&photo, samples, 500);
	for (size_t i = 0; i < COUNT(limits); i++) {
		struct imgsniff_decoder *d = decoder_new(NULL, NULL,
			(struct imgsniff_limits){ .max_memory = limits[i] });

		assert_int_equal(photo_decode(d, &png), IMGSNIFF_OK);
		assert_photo(samples);
		assert_null(d->scratch[ISN_SCRATCH_RAW].data);
		imgsniff_free(d);
	}
	bytes_free(&png);
	free(samples);
}

static void
too_little_memory_is_a_limit(void **state)
{
	const struct imgsniff_limits limits = { .max_memory = 30000 };
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, limits);
	uint16_t *samples = png_picture(&photo, 1);
	struct bytes png = png_make(&photo, samples, 0);

	(void)state;
	assert_int_equal(photo_decode(d, &png), IMGSNIFF_ERR_LIMIT);
	assert_int_equal(imgsniff_get_info(d)->width, 120);
	bytes_free(&png);
	free(samples);
	imgsniff_free(d);
}

static void
each_allocation_may_fail(void **state)
{
	static const char *const backends[] = { NULL, "zlib", "stb" };
	uint16_t *samples = png_picture(&photo, 1);
	struct bytes png = png_make(&photo, samples, 500);

	(void)state;
	for (size_t i = 0; i < COUNT(backends); i++) {
		enum imgsniff_status st = IMGSNIFF_ERR_MEMORY;

		for (unsigned int n = 2; st != IMGSNIFF_OK; n++) {
			struct heap heap = { .fail_at = n };
			struct imgsniff_decoder *d = decoder_new(
				backends[i], &heap, no_limits);

			assert_non_null(d);
			st = photo_decode(d, &png);
			if (st != IMGSNIFF_OK)
				assert_int_equal(st, IMGSNIFF_ERR_MEMORY);
			imgsniff_free(d);
			assert_int_equal(heap.held, 0);
		}
		assert_photo(samples);
	}
	bytes_free(&png);
	free(samples);
}

static void
file_write(char *path, const struct bytes *png)
{
	int fd = mkstemp(path);

	must(fd >= 0);
	must(write(fd, png->data, png->size) == (ssize_t)png->size);
	close(fd);
}

/* 2 MB that do not compress, in IDATs of 8 KiB as libpng writes them. */
static void
a_file_is_sought_through(void **state)
{
	const struct png_kind k = { .width = 700, .height = 1000, .depth = 8,
				    .color = 2 };
	char path[] = "/tmp/test_png_XXXXXX";
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, no_limits);
	uint16_t *samples = png_picture(&k, 1);
	struct bytes stream = png_stream(&k, samples, 0);
	struct bytes png = { NULL, 0, 0 };

	(void)state;
	png_head(&png, &k);
	png_idats(&png, &stream, 8192);
	png_chunk(&png, "eXIf", "MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0\6\0\0"
		  "\0\0\0\0", 26);
	png_chunk(&png, "IEND", NULL, 0);
	file_write(path, &png);

	assert_int_equal(imgsniff_open_file(d, path, 0), IMGSNIFF_OK);
	assert_true(d->input.read_total < 64 * 1024);
	assert_int_equal(imgsniff_get_info(d)->orientation, 6);
	assert_int_equal(imgsniff_get_info(d)->exif_bytes, 26);
	assert_int_equal(imgsniff_get_info(d)->display_width, 1000);

	/* What the head tells costs one read. */
	assert_int_equal(imgsniff_open_file(d, path, IMGSNIFF_HEAD),
			 IMGSNIFF_OK);
	assert_true(d->input.read_total <= 4096);

	must(truncate(path, 1000000) == 0);
	assert_int_equal(imgsniff_open_file(d, path, 0),
			 IMGSNIFF_ERR_TRUNCATED);
	assert_int_equal(imgsniff_last_error(d)->offset, 1000000);
	unlink(path);
	bytes_free(&png);
	bytes_free(&stream);
	free(samples);
	imgsniff_free(d);
}

/* ---- Metadata ------------------------------------------------------------ */

static const uint8_t tiff[] = {
	'I', 'I', 42, 0, 8, 0, 0, 0,
	1, 0,			/* entries */
	0x12, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0,	/* orientation 8 */
	0, 0, 0, 0,
};

static const char xmp[] = "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>";

/* A PNG with a profile of 'icc_size' zeros, Exif and XMP. */
static struct bytes
metadata_make(size_t icc_size, bool deflate_xmp)
{
	const struct png_kind k = { .width = 1, .height = 1, .depth = 8,
				    .color = 0 };
	const uint16_t sample = 7;
	struct bytes stream = png_stream(&k, &sample, 6), zeros, packed, data;
	struct bytes png = { NULL, 0, 0 };

	zeros = packed = data = (struct bytes){ NULL, 0, 0 };
	zeros.data = calloc(1, icc_size);
	must(zeros.data != NULL);
	zeros.size = zeros.room = icc_size;
	packed = zlib_stream(&zeros, 9);
	png_head(&png, &k);
	bytes_add(&data, "my profile\0", 12);
	bytes_add(&data, packed.data, packed.size);
	png_chunk(&png, "iCCP", data.data, data.size);
	bytes_free(&packed);
	bytes_free(&zeros);

	data.size = 0;
	bytes_add(&data, "XML:com.adobe.xmp\0", 18);
	bytes_add(&data, deflate_xmp ? "\1\0en\0key\0" : "\0\0en\0key\0", 9);
	zeros = (struct bytes){ NULL, 0, 0 };
	bytes_add(&zeros, xmp, strlen(xmp));
	packed = zlib_stream(&zeros, 9);
	if (deflate_xmp)
		bytes_add(&data, packed.data, packed.size);
	else
		bytes_add(&data, xmp, strlen(xmp));
	png_chunk(&png, "iTXt", data.data, data.size);
	png_idats(&png, &stream, 0);
	png_chunk(&png, "eXIf", tiff, sizeof(tiff));
	png_chunk(&png, "IEND", NULL, 0);
	bytes_free(&packed);
	bytes_free(&zeros);
	bytes_free(&data);
	bytes_free(&stream);
	return png;
}

static void
assert_metadata(struct imgsniff_decoder *d, size_t icc_size)
{
	struct imgsniff_view view;

	for (int again = 0; again < 2; again++) {
		assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_ICC, &view),
				 IMGSNIFF_OK);
		assert_int_equal(view.size, icc_size);
		assert_int_equal(view.data[icc_size - 1], 0);
		assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_XMP, &view),
				 IMGSNIFF_OK);
		assert_int_equal(view.size, strlen(xmp));
		assert_memory_equal(view.data, xmp, view.size);
		assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_EXIF, &view),
				 IMGSNIFF_OK);
		assert_int_equal(view.size, sizeof(tiff));
		assert_memory_equal(view.data, tiff, view.size);
	}
}

static void
metadata_come_when_asked_for(void **state)
{
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, no_limits);
	char path[] = "/tmp/test_png_XXXXXX";
	struct imgsniff_view view;
	struct bytes png;

	(void)state;
	for (int deflated = 0; deflated <= 1; deflated++) {
		png = metadata_make(5000, deflated);
		assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
				 IMGSNIFF_OK);
		assert_int_equal(imgsniff_get_info(d)->exif_bytes,
				 sizeof(tiff));
		assert_int_equal(imgsniff_get_info(d)->orientation, 8);
		assert_in_range(imgsniff_get_info(d)->icc_bytes, 11, 100);
		if (!deflated)
			assert_int_equal(imgsniff_get_info(d)->xmp_bytes,
					 strlen(xmp));
		assert_metadata(d, 5000);
		/* Exif is not copied. */
		assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_EXIF, &view),
				 IMGSNIFF_OK);
		assert_ptr_equal(view.data,
				 png.data + png.size - 12 - 4 - sizeof(tiff));
		if (deflated)
			file_write(path, &png);
		bytes_free(&png);
	}
	assert_int_equal(imgsniff_open_file(d, path, 0), IMGSNIFF_OK);
	assert_metadata(d, 5000);
	unlink(path);
	imgsniff_free(d);
}

static void
a_profile_that_is_a_bomb_is_a_limit(void **state)
{
	const struct imgsniff_limits limits = { .max_metadata = 100000 };
	struct heap heap = { 0, 0, 0, 0 };
	struct imgsniff_decoder *d = decoder_new(NULL, &heap, limits);
	struct bytes png = metadata_make(100001, false);
	struct imgsniff_view view;
	struct imgsniff_image *image;

	(void)state;
	assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_ICC, &view),
			 IMGSNIFF_ERR_LIMIT);
	assert_int_equal(view.size, 0);
	assert_true(heap.largest < 100000);
	assert_int_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_OK);
	imgsniff_image_free(image);
	bytes_free(&png);

	png = metadata_make(100000, false);
	assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
			 IMGSNIFF_OK);
	assert_metadata(d, 100000);
	bytes_free(&png);
	imgsniff_free(d);
}

static void
damaged_metadata_are_told(void **state)
{
	struct imgsniff_decoder *d = decoder_new(NULL, NULL, no_limits);
	struct bytes png = metadata_make(5000, true);
	struct imgsniff_view view;

	(void)state;
	/* IHDR ends at 33; iCCP's stream begins after its name. */
	png.data[33 + 8 + 12] ^= 1;
	assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_ICC, &view),
			 IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_XMP, &view),
			 IMGSNIFF_OK);
	bytes_free(&png);
	imgsniff_free(d);
}

/* ---- stb_image ----------------------------------------------------------- */

static void
stb_gives_the_same_pixels(void **state)
{
	struct imgsniff_decoder *d = decoder_new("stb", NULL, no_limits);
	uint16_t *samples = png_picture(&photo, 1);
	struct bytes png = png_make(&photo, samples, 500);

	(void)state;
	assert_int_equal(photo_decode(d, &png), IMGSNIFF_OK);
	assert_photo(samples);
	bytes_free(&png);
	free(samples);
	imgsniff_free(d);
}

/* It would copy what lies on its stack. */
static void
stb_gets_no_palette_index_past_plte(void **state)
{
	struct png_kind k = { .width = 4, .height = 1, .depth = 4, .color = 3,
			      .palette = 16 };
	const uint16_t samples[4] = { 1, 2, 7, 3 };
	struct bytes stream = png_stream(&k, samples, 6);
	struct imgsniff_decoder *d = decoder_new("stb", NULL, no_limits);
	struct imgsniff_image *image;

	(void)state;
	for (k.palette = 7; k.palette <= 8; k.palette++) {
		struct bytes png = { NULL, 0, 0 };

		png_head(&png, &k);
		png_idats(&png, &stream, 0);
		png_chunk(&png, "IEND", NULL, 0);
		assert_int_equal(imgsniff_open_memory(d, png.data, png.size, 0),
				 IMGSNIFF_OK);
		assert_int_equal(imgsniff_decode(d, NULL, &image),
				 k.palette == 7 ? IMGSNIFF_ERR_UNSUPPORTED
						: IMGSNIFF_OK);
		imgsniff_image_free(image);
		bytes_free(&png);
	}
	bytes_free(&stream);
	imgsniff_free(d);
}

static void
stb_gets_no_bad_checksum(void **state)
{
	struct imgsniff_decoder *d = decoder_new("stb", NULL, no_limits);
	uint16_t *samples = png_picture(&photo, 1);
	struct bytes png = png_make(&photo, samples, 0);

	(void)state;
	png.data[png.size - 12 - 4 - 1] ^= 1;	/* Adler-32, and so the CRC */
	assert_int_equal(photo_decode(d, &png), IMGSNIFF_ERR_CORRUPT);
	bytes_free(&png);
	free(samples);
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_warm_decoder_allocates_nothing),
		cmocka_unit_test(one_idat_is_inflated_where_it_lies),
		cmocka_unit_test(short_of_memory_rows_come_one_by_one),
		cmocka_unit_test(too_little_memory_is_a_limit),
		cmocka_unit_test(each_allocation_may_fail),
		cmocka_unit_test(a_file_is_sought_through),
		cmocka_unit_test(metadata_come_when_asked_for),
		cmocka_unit_test(a_profile_that_is_a_bomb_is_a_limit),
		cmocka_unit_test(damaged_metadata_are_told),
		cmocka_unit_test(stb_gives_the_same_pixels),
		cmocka_unit_test(stb_gets_no_palette_index_past_plte),
		cmocka_unit_test(stb_gets_no_bad_checksum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
