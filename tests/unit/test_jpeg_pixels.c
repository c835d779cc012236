/*
 * test_jpeg_pixels.c - pixels of codec/jpeg by libjpeg-turbo
 */

#include <stdbool.h>
#include <stdio.h>

#include "codec.h"

#if HAVE_LIBJPEG

#include "unit/jpeg_encode.h"

#include <dlfcn.h>

/* ---- What the library is given, and what is allocated --------------------- */

static const uint8_t *given;		/* to the last jpeg_read_header() */
static size_t given_size;

/* In the place of the library's own, which it calls. */
int
jpeg_read_header(j_decompress_ptr cinfo, boolean require_image)
{
	int (*real)(j_decompress_ptr, boolean);
	void *symbol = dlsym(RTLD_NEXT, "jpeg_read_header");

	assert_non_null(symbol);
	memcpy(&real, &symbol, sizeof(real));
	given = cinfo->src->next_input_byte;
	given_size = cinfo->src->bytes_in_buffer;
	return real(cinfo, require_image);
}

static struct {
	size_t count, bytes, live;
	size_t fail_at;			/* this one, from 1, gives NULL */
} heap;

static void *
heap_allocate(void *user, size_t size)
{
	(void)user;
	if (++heap.count == heap.fail_at)
		return NULL;
	heap.bytes += size;
	heap.live++;
	return malloc(size);
}

static void
heap_release(void *user, void *ptr, size_t size)
{
	(void)user;
	(void)size;
	heap.live--;
	free(ptr);
}

static const struct imgsniff_allocator allocator = {
	heap_allocate, heap_release, NULL,
};

static struct imgsniff_decoder *
decoder_new(void)
{
	struct imgsniff_options options = {
		.struct_size = sizeof(options), .allocator = &allocator,
	};
	struct imgsniff_decoder *d;

	memset(&heap, 0, sizeof(heap));
	d = imgsniff_new(&options);
	assert_non_null(d);
	return d;
}

/* ---- Decoding ------------------------------------------------------------- */

#define PIXELS_MAX	(256u * 256u)

static uint64_t pixels[PIXELS_MAX];
static uint64_t reference[PIXELS_MAX];

/* Opens and decodes to 'to'; the status of what failed first. */
static enum imgsniff_status
decode(struct imgsniff_decoder *d, const uint8_t *bytes, size_t size,
       enum imgsniff_pixel layout, void *to, struct imgsniff_pixmap *map)
{
	struct imgsniff_decode_options options = {
		.struct_size = sizeof(options), .layout = layout,
		.flags = IMGSNIFF_KEEP_DAMAGED,
	};
	enum imgsniff_status st = imgsniff_open_memory(d, bytes, size, 0);

	*map = (struct imgsniff_pixmap){
		.struct_size = sizeof(*map), .pixels = to,
		.size = 8 * PIXELS_MAX, .layout = layout,
		.width = d->info.width, .height = d->info.height,
		.stride = imgsniff_row_size(layout, d->info.width),
	};
	if (st != IMGSNIFF_OK)
		return st;
	assert_true(8ull * d->info.width * d->info.height <= 8 * PIXELS_MAX);
	return imgsniff_decode_into(d, &options, map);
}

static const struct encoding encodings[] = {
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 2 },
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 1 },
	{ .width = 61, .height = 75, .components = 3, .h = 1, .v = 2 },
	{ .width = 50, .height = 43, .components = 3 },
	{ .width = 50, .height = 43, .components = 1 },
	{ .width = 50, .height = 43, .components = 4 },
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 2,
	  .restart_interval = 3 },
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 2,
	  .progressive = true },
	{ .width = 40, .height = 43, .components = 3, .h = 2, .v = 2,
	  .separate = true },
	{ .width = 61, .height = 75, .components = 3, .h = 2, .v = 2,
	  .arithmetic = true },
	{ .width = 40, .height = 43, .components = 3, .arithmetic = true,
	  .progressive = true },
};

#define ENCODINGS	(sizeof(encodings) / sizeof(encodings[0]))

static bool
in_one_scan(const struct encoding *e)
{
	return !e->progressive && !e->separate;
}

/*
 * Cut anywhere, the rows said to be valid are those of the whole, the others are
 * zero, and nothing but the whole passes.
 */
static void
truncate_everywhere(const struct encoding *e)
{
	struct imgsniff_decoder *d = decoder_new();
	struct encoded image = encode(e);
	uint32_t most = 0;
	struct imgsniff_pixmap map;

	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_RGBA8,
				reference, &map), IMGSNIFF_OK);
	for (size_t size = image.size; size-- > 3;) {
		/* A copy of that size, for the sanitizer to see the end of. */
		uint8_t *cut = malloc(size);
		enum imgsniff_status st;
		size_t valid;

		assert_non_null(cut);
		memcpy(cut, image.bytes, size);
		memset(pixels, 0xA5, sizeof(pixels));
		st = decode(d, cut, size, IMGSNIFF_RGBA8, pixels, &map);
		valid = map.rows_valid * map.stride;
		if (st != IMGSNIFF_OK) {
			assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
			assert_int_equal(d->error.offset, size);
			assert_true(map.rows_valid < e->height);
		} else {
			assert_int_equal(map.rows_valid, e->height);
		}
		if (!in_one_scan(e) && st != IMGSNIFF_OK)
			assert_int_equal(map.rows_valid, 0);
		assert_memory_equal(pixels, reference, valid);
		if (d->can_decode)
			for (size_t i = valid; i < map.height * map.stride; i++)
				assert_int_equal(((uint8_t *)pixels)[i], 0);
		if (st != IMGSNIFF_OK && map.rows_valid > most)
			most = map.rows_valid;
		/* All but the last data, padding and EOI: never whole. */
		if (size < image.size - 4)
			assert_int_not_equal(st, IMGSNIFF_OK);
		free(cut);
	}
	if (in_one_scan(e))
		assert_true(most >= (e->height - 1) / 16 * 16 - 2);
	imgsniff_free(d);
	assert_int_equal(heap.live, 0);
	free(image.bytes);
}

static void
rows_before_a_cut_are_those_of_the_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++)
		truncate_everywhere(&encodings[i]);
}

static void
a_missing_eoi_costs_no_pixels(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct imgsniff_pixmap map;

	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++) {
		struct encoded image = encode(&encodings[i]);

		/* Where arithmetic data end, only a marker can tell. */
		if (!encodings[i].arithmetic)
			assert_int_equal(decode(d, image.bytes, image.size - 2,
				IMGSNIFF_RGBA8, pixels, &map), IMGSNIFF_OK);
		free(image.bytes);
	}
	imgsniff_free(d);
}

static void
a_marker_amid_a_scan_is_corrupt_where_it_stands(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct encoded image = encode(&encodings[0]);
	size_t at = image.size / 2;
	struct imgsniff_pixmap map;

	(void)state;
	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_RGBA8,
				reference, &map), IMGSNIFF_OK);
	image.bytes[at - 1] = 0;
	image.bytes[at] = 0xFF;
	image.bytes[at + 1] = 0xD9;

	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_RGBA8,
				pixels, &map), IMGSNIFF_ERR_CORRUPT);

	assert_string_equal(d->error.message, "scan: a marker inside its data");
	assert_int_equal(d->error.offset, at);
	assert_in_range(map.rows_valid, 1, encodings[0].height - 1);
	imgsniff_free(d);
	free(image.bytes);
}

static void
the_library_reads_the_bytes_of_the_caller(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct encoded image = encode(&encodings[0]);
	struct imgsniff_pixmap map;

	(void)state;
	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_RGBA8,
				pixels, &map), IMGSNIFF_OK);

	assert_ptr_equal(given, image.bytes);
	assert_int_equal(given_size, image.size);
	imgsniff_free(d);
	free(image.bytes);
}

/* Makes the same image larger by comments. */
static struct encoded
pad(struct encoded image, unsigned int comments)
{
	size_t step = 65537;
	struct encoded padded = { NULL, image.size + comments * step };

	padded.bytes = calloc(1, padded.size);
	assert_non_null(padded.bytes);
	memcpy(padded.bytes, image.bytes, 2);
	for (unsigned int i = 0; i < comments; i++)
		memcpy(padded.bytes + 2 + i * step, "\xFF\xFE\xFF\xFF", 4);
	memcpy(padded.bytes + 2 + comments * step, image.bytes + 2,
	       image.size - 2);
	return padded;
}

static void
a_larger_input_takes_no_more_memory(void **state)
{
	struct encoded image = encode(&encodings[0]), padded = pad(image, 100);
	struct imgsniff_pixmap map;
	struct imgsniff_decoder *d;
	size_t bytes;

	(void)state;
	d = decoder_new();
	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_RGBA8,
				pixels, &map), IMGSNIFF_OK);
	bytes = heap.bytes;
	imgsniff_free(d);

	d = decoder_new();
	assert_int_equal(decode(d, padded.bytes, padded.size, IMGSNIFF_RGBA8,
				pixels, &map), IMGSNIFF_OK);

	assert_true(padded.size > 6u << 20);
	assert_int_equal(heap.bytes, bytes);
	assert_ptr_equal(given, padded.bytes);
	imgsniff_free(d);
	free(image.bytes);
	free(padded.bytes);
}

static void
a_warm_decoder_allocates_nothing(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct imgsniff_pixmap map;

	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++) {
		struct encoded image = encode(&encodings[i]);
		size_t count;

		for (int layout = IMGSNIFF_GRAY8; layout <= IMGSNIFF_RGBA16;
		     layout++) {
			assert_int_equal(decode(d, image.bytes, image.size,
				(enum imgsniff_pixel)layout, pixels, &map),
				IMGSNIFF_OK);
			count = heap.count;
			assert_int_equal(decode(d, image.bytes, image.size,
				(enum imgsniff_pixel)layout, reference, &map),
				IMGSNIFF_OK);
			assert_int_equal(heap.count, count);
			assert_memory_equal(pixels, reference,
					    map.stride * map.height);
		}
		free(image.bytes);
	}
	imgsniff_free(d);
}

/* Without the segments that begin with this marker. */
static void
strip(struct encoded *image, uint8_t code)
{
	size_t at = 2;

	while (image->bytes[at + 1] != 0xDA) {
		size_t size = 2 + (size_t)(image->bytes[at + 2] << 8 |
					   image->bytes[at + 3]);

		if (image->bytes[at + 1] == code) {
			memmove(image->bytes + at, image->bytes + at + size,
				image->size - at - size);
			image->size -= size;
		} else {
			at += size;
		}
	}
}

static void
tables_do_not_pass_from_image_to_image(void **state)
{
	struct encoding own = encodings[0];
	struct encoded plain = encode(&encodings[0]), optimized, progressive;
	struct imgsniff_decoder *d = decoder_new();
	struct imgsniff_pixmap map;

	(void)state;
	own.optimized = true;
	optimized = encode(&own);
	progressive = encode(&encodings[7]);
	assert_int_equal(decode(d, plain.bytes, plain.size, IMGSNIFF_RGBA8,
				reference, &map), IMGSNIFF_OK);
	assert_int_equal(decode(d, optimized.bytes, optimized.size,
				IMGSNIFF_RGBA8, pixels, &map), IMGSNIFF_OK);

	/* As Motion JPEG has it: the tables of Annex K are meant. */
	strip(&plain, 0xC4);
	memset(pixels, 0, sizeof(pixels));
	assert_int_equal(decode(d, plain.bytes, plain.size, IMGSNIFF_RGBA8,
				pixels, &map), IMGSNIFF_OK);
	assert_memory_equal(pixels, reference, map.stride * map.height);

	strip(&progressive, 0xC4);
	assert_int_equal(decode(d, progressive.bytes, progressive.size,
				IMGSNIFF_RGBA8, pixels, &map),
			 IMGSNIFF_ERR_CORRUPT);
	strip(&plain, 0xDB);
	assert_int_equal(decode(d, plain.bytes, plain.size, IMGSNIFF_RGBA8,
				pixels, &map), IMGSNIFF_ERR_CORRUPT);
	imgsniff_free(d);
	free(plain.bytes);
	free(optimized.bytes);
	free(progressive.bytes);
}

/* Samples of flat colour survive at quality 100, give or take one or two. */
static void
assert_near(unsigned int a, unsigned int b)
{
	assert_in_range(a + 2, b, b + 4);
}

static struct encoded
encode_flat(const uint8_t ink[4], bool ycck, bool adobe)
{
	struct encoding e = { .width = 16, .height = 16, .components = 4,
			      .quality = 100, .ycck = ycck };
	struct jpeg_compress_struct cinfo;
	struct jpeg_error_mgr errors;
	unsigned char *out = NULL;
	unsigned long size = 0;
	uint8_t row[64], *rows = row;
	struct encoded image;

	for (size_t i = 0; i < sizeof(row); i++)
		row[i] = ink[i % 4];
	cinfo.err = jpeg_std_error(&errors);
	jpeg_create_compress(&cinfo);
	jpeg_mem_dest(&cinfo, &out, &size);
	cinfo.image_width = e.width;
	cinfo.image_height = e.height;
	cinfo.input_components = 4;
	cinfo.in_color_space = JCS_CMYK;
	jpeg_set_defaults(&cinfo);
	jpeg_set_colorspace(&cinfo, ycck ? JCS_YCCK : JCS_CMYK);
	jpeg_set_quality(&cinfo, 100, TRUE);
	jpeg_start_compress(&cinfo, TRUE);
	while (cinfo.next_scanline < cinfo.image_height)
		jpeg_write_scanlines(&cinfo, &rows, 1);
	jpeg_finish_compress(&cinfo);
	jpeg_destroy_compress(&cinfo);
	image = (struct encoded){ out, size };
	if (!adobe)
		strip(&image, 0xEE);
	return image;
}

/* For a profile: 255 is all of an ink, whatever Adobe says. */
static void
inks_are_handed_over_as_they_are(void **state)
{
	static const uint8_t ink[4] = { 200, 100, 50, 150 };
	struct imgsniff_decoder *d = decoder_new();

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct encoded image = encode_flat(ink, i == 1, i != 2);
		uint8_t out[16 * 16 * 4];
		struct imgsniff_pixmap map = {
			.struct_size = sizeof(map), .pixels = out,
			.size = sizeof(out), .stride = 64, .width = 16,
			.height = 16, .layout = IMGSNIFF_RGBA8,
		};

		assert_int_equal(imgsniff_open_memory(d, image.bytes,
						      image.size, 0),
				 IMGSNIFF_OK);
		d->inks = true;
		assert_int_equal(d->backend->decode(d, &map), IMGSNIFF_OK);
		d->inks = false;
		for (size_t c = 0; c < sizeof(out); c++)
			assert_near(out[c], i == 2 ? ink[c % 4]
						   : 255u - ink[c % 4]);
		free(image.bytes);
	}
	imgsniff_free(d);
}

static void
ink_is_inverted_where_adobe_says_so(void **state)
{
	static const uint8_t ink[4] = { 200, 100, 50, 150 };
	struct imgsniff_decoder *d = decoder_new();
	struct imgsniff_pixmap map;
	const uint8_t *rgba = (const uint8_t *)pixels;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct encoded image = encode_flat(ink, i == 1, i != 2);

		assert_int_equal(decode(d, image.bytes, image.size,
				 IMGSNIFF_RGBA8, pixels, &map), IMGSNIFF_OK);
		for (int c = 0; c < 3; c++)
			assert_near(rgba[c], i == 2
				? (255u - ink[c]) * (255u - ink[3]) / 255
				: (unsigned int)ink[c] * ink[3] / 255);
		assert_int_equal(rgba[3], 255);
		free(image.bytes);
	}
	imgsniff_free(d);
}

/* All layouts show the same picture as RGBA8. */
static void
layouts_agree(const struct encoding *e)
{
	struct imgsniff_decoder *d = decoder_new();
	struct encoded image = encode(e);
	const uint8_t *rgba = (const uint8_t *)reference;
	const uint8_t *p = (const uint8_t *)pixels;
	const uint16_t *p16 = (const uint16_t *)(const void *)pixels;
	size_t n = (size_t)e->width * e->height;
	struct imgsniff_pixmap map;

	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_RGBA8,
				reference, &map), IMGSNIFF_OK);
	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_RGB8,
				pixels, &map), IMGSNIFF_OK);
	for (size_t i = 0; i < n; i++)
		assert_memory_equal(p + 3 * i, rgba + 4 * i, 3);
	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_BGRA8,
				pixels, &map), IMGSNIFF_OK);
	for (size_t i = 0; i < 4 * n; i++)
		assert_int_equal(p[i], rgba[i % 4 == 3 ? i : i / 4 * 4 + 2 -
						       i % 4]);
	assert_int_equal(decode(d, image.bytes, image.size, IMGSNIFF_RGBA16,
				pixels, &map), IMGSNIFF_OK);
	for (size_t i = 0; i < 4 * n; i++)
		assert_int_equal(p16[i], rgba[i] * 257);
	imgsniff_free(d);
	free(image.bytes);
}

static void
all_layouts_show_the_same_picture(void **state)
{
	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++)
		layouts_agree(&encodings[i]);
	layouts_agree(&(struct encoding){ .width = 33, .height = 20,
					  .components = 3, .rgb = true });
}

static void
shrinking_rounds_sizes_up(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct encoded image = encode(&encodings[0]);
	struct imgsniff_pixmap map;

	(void)state;
	for (unsigned int shrink = 2; shrink <= 8; shrink *= 2) {
		assert_int_equal(imgsniff_open_memory(d, image.bytes,
				 image.size, 0), IMGSNIFF_OK);
		memset(pixels, 0, sizeof(pixels));
		map = (struct imgsniff_pixmap){
			.struct_size = sizeof(map), .pixels = pixels,
			.size = sizeof(pixels), .layout = IMGSNIFF_RGBA8,
			.width = (61 + shrink - 1) / shrink,
			.height = (75 + shrink - 1) / shrink,
		};
		map.stride = 4 * (size_t)map.width;
		d->shrink = shrink;
		assert_int_equal(d->backend->decode(d, &map), IMGSNIFF_OK);
		/* The last pixel is written, and nothing behind it. */
		assert_int_equal(((uint8_t *)pixels)
				 [map.stride * map.height - 1], 255);
		assert_int_equal(((uint8_t *)pixels)
				 [map.stride * map.height], 0);
	}
	imgsniff_free(d);
	free(image.bytes);
}

static void
coefficients_count_against_the_memory_limit(void **state)
{
	struct encoding large = { .width = 1000, .height = 1000,
				  .components = 3, .progressive = true };
	struct encoded image = encode(&large);
	struct imgsniff_options options = { .struct_size = sizeof(options) };
	struct imgsniff_image *out;
	struct imgsniff_decoder *d;

	(void)state;
	options.limits.max_memory = 9u << 20;	/* coefficients: 6 MB */
	d = imgsniff_new(&options);
	assert_non_null(d);
	assert_int_equal(imgsniff_open_memory(d, image.bytes, image.size, 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_decode(d, NULL, &out), IMGSNIFF_ERR_LIMIT);
	assert_null(out);
	d->memory.limit = 16u << 20;
	assert_int_equal(imgsniff_decode(d, NULL, &out), IMGSNIFF_OK);
	assert_true(d->memory.used < 1u << 20);
	imgsniff_image_free(out);
	imgsniff_free(d);
	free(image.bytes);
}

static void
memory_that_runs_out_is_an_error_each_time(void **state)
{
	struct encoded image = encode(&encodings[5]);
	struct imgsniff_pixmap map;
	enum imgsniff_status st;
	size_t n = 1;

	(void)state;
	do {
		struct imgsniff_decoder *d = decoder_new();

		heap.fail_at = ++n;
		st = decode(d, image.bytes, image.size, IMGSNIFF_RGBA16, pixels,
			    &map);
		if (st != IMGSNIFF_OK)
			assert_int_equal(st, IMGSNIFF_ERR_MEMORY);
		imgsniff_free(d);
		assert_int_equal(heap.live, 0);
	} while (st != IMGSNIFF_OK);
	assert_true(n > 3);
	free(image.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_before_a_cut_are_those_of_the_whole),
		cmocka_unit_test(a_missing_eoi_costs_no_pixels),
		cmocka_unit_test(
			a_marker_amid_a_scan_is_corrupt_where_it_stands),
		cmocka_unit_test(the_library_reads_the_bytes_of_the_caller),
		cmocka_unit_test(a_larger_input_takes_no_more_memory),
		cmocka_unit_test(a_warm_decoder_allocates_nothing),
		cmocka_unit_test(tables_do_not_pass_from_image_to_image),
		cmocka_unit_test(ink_is_inverted_where_adobe_says_so),
		cmocka_unit_test(inks_are_handed_over_as_they_are),
		cmocka_unit_test(all_layouts_show_the_same_picture),
		cmocka_unit_test(shrinking_rounds_sizes_up),
		cmocka_unit_test(coefficients_count_against_the_memory_limit),
		cmocka_unit_test(memory_that_runs_out_is_an_error_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int
main(void)
{
	puts("libjpeg-turbo is not built in");
	return 77;
}

#endif
