/*
 * test_jpeg_dc.c - JPEGs at an eighth of their size: codec/jpeg/dc.c, and the scans
 * that libjpeg-turbo need not see; both against libjpeg-turbo's own 1/8
 */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "codec/jpeg/dc.h"

#if HAVE_LIBJPEG

#include "pixel/resize.h"
#include "unit/jpeg_encode.h"

static struct imgsniff_decoder *d;
static struct isn_jpeg_walk walk;
static struct isn_jpeg_fault fault;

static int
setup(void **state)
{
	(void)state;
	d = imgsniff_new(NULL);
	return d == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	imgsniff_free(d);
	return 0;
}

/* ---- Pictures ---------------------------------------------------------------- */

#define SAMPLES_MAX	(3u << 20)

static uint8_t ours[SAMPLES_MAX];
static uint8_t theirs[SAMPLES_MAX];

static unsigned int
samples_of(enum imgsniff_pixel layout)
{
	return layout == IMGSNIFF_GRAY8 ? 1 : 3;
}

static struct imgsniff_pixmap
pixmap(uint8_t *to, uint32_t width, uint32_t height, enum imgsniff_pixel layout)
{
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map), .pixels = to, .size = SAMPLES_MAX,
		.stride = imgsniff_row_size(layout, width),
		.width = width, .height = height, .layout = layout,
	};

	assert_true(map.stride * height <= SAMPLES_MAX);
	return map;
}

static void
on_message(j_common_ptr cinfo)
{
	(void)cinfo;
}

/* By libjpeg, all scans read: false if it warned of anything. */
static bool
library_decode(const uint8_t *bytes, size_t size, enum imgsniff_pixel layout,
	       unsigned int shrink, struct imgsniff_pixmap *map)
{
	struct jpeg_decompress_struct cinfo;
	struct jpeg_error_mgr errors;
	long warnings;

	cinfo.err = jpeg_std_error(&errors);
	errors.output_message = on_message;
	jpeg_create_decompress(&cinfo);
	jpeg_mem_src(&cinfo, bytes, size);
	jpeg_read_header(&cinfo, TRUE);
	cinfo.out_color_space = layout == IMGSNIFF_GRAY8 ? JCS_GRAYSCALE
							 : JCS_RGB;
	cinfo.scale_num = 1;
	cinfo.scale_denom = shrink;
	jpeg_start_decompress(&cinfo);
	*map = pixmap(theirs, cinfo.output_width, cinfo.output_height, layout);
	while (cinfo.output_scanline < cinfo.output_height) {
		JSAMPROW row = isn_pixmap_row(map, cinfo.output_scanline);

		jpeg_read_scanlines(&cinfo, &row, 1);
	}
	warnings = errors.num_warnings;
	jpeg_destroy_decompress(&cinfo);
	return warnings == 0;
}

/* By DC coefficients; the size is that of the frame. */
static bool
dc_decode(const uint8_t *bytes, size_t size, enum imgsniff_pixel layout,
	  struct imgsniff_pixmap *map)
{
	struct imgsniff_view view = { bytes, size };

	assert_int_equal(imgsniff_open_memory(d, bytes, size, 0), IMGSNIFF_OK);
	isn_jpeg_walk(d, view, true, &walk);
	assert_int_equal(walk.fault.status, IMGSNIFF_OK);
	*map = pixmap(ours, (d->info.width + 7) / 8, (d->info.height + 7) / 8,
		      layout);
	return isn_jpeg_dc_decode(d, view, &walk, map, NULL, &fault);
}

/* By the codec, which chooses. */
static enum imgsniff_status
codec_decode(const uint8_t *bytes, size_t size, enum imgsniff_pixel layout,
	     struct imgsniff_pixmap *map)
{
	enum imgsniff_status st = imgsniff_open_memory(d, bytes, size, 0);

	if (st != IMGSNIFF_OK)
		return st;
	*map = pixmap(ours, (d->info.width + 7) / 8, (d->info.height + 7) / 8,
		      layout);
	d->shrink = 8;
	return d->backend->decode(d, map);
}

static void
assert_same(const struct imgsniff_pixmap *a, const struct imgsniff_pixmap *b)
{
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->height, b->height);
	for (uint32_t y = 0; y < a->height; y++)
		assert_memory_equal(isn_pixmap_row(a, y), isn_pixmap_row(b, y),
				    a->width * samples_of(a->layout));
}

static double
psnr(const struct imgsniff_pixmap *a, const struct imgsniff_pixmap *b)
{
	const uint8_t *p = a->pixels, *q = b->pixels;
	size_t n = (size_t)a->width * a->height * samples_of(a->layout);
	double sum = 1e-9;

	assert_int_equal(a->width, b->width);
	assert_int_equal(a->height, b->height);
	for (size_t i = 0; i < n; i++)
		sum += (p[i] - q[i]) * (p[i] - q[i]);
	return 10 * log10(255.0 * 255.0 * (double)n / sum);
}

/* ---- Against libjpeg --------------------------------------------------------- */

static const struct encoding encodings[] = {
	{ .components = 1 },
	{ .components = 3 },
	{ .components = 3, .h = 2 },
	{ .components = 3, .v = 2 },
	{ .components = 3, .h = 2, .v = 2 },
	{ .components = 3, .h = 4 },
	{ .components = 3, .h = 4, .v = 2 },
	{ .components = 3, .h = 2, .v = 4 },
	{ .components = 3, .rgb = true },
	{ .components = 1, .h = 2, .v = 2, .restart_interval = 3 },
	{ .components = 3, .h = 2, .v = 2, .restart_interval = 1 },
	{ .components = 3, .h = 2, .restart_interval = 5, .optimized = true },
	{ .components = 3, .h = 2, .v = 2, .quality = 98, .optimized = true },
	{ .components = 3, .h = 2, .v = 2, .quality = 10 },
};

#define ENCODINGS	(sizeof(encodings) / sizeof(encodings[0]))

static bool
has_quarters(const struct encoding *e)
{
	return e->components == 3 && e->h % 2 == 0 && e->v % 2 == 0 &&
	       e->h != 0 && e->v != 0;
}

static void
luma_and_samples_that_are_not_quarters_are_those_of_libjpeg(void **state)
{
	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++)
		for (unsigned int n = 1; n <= 40; n++) {
			struct encoding e = encodings[i];
			struct imgsniff_pixmap a, b;
			struct encoded jpeg;

			e.width = n;
			e.height = 1 + n * 23 % 40;
			jpeg = encode(&e);
			assert_true(library_decode(jpeg.bytes, jpeg.size,
						   IMGSNIFF_RGB8, 8, &b));
			assert_true(dc_decode(jpeg.bytes, jpeg.size,
					      IMGSNIFF_RGB8, &a));
			assert_int_equal(a.rows_valid, a.height);
			if (!has_quarters(&e))
				assert_same(&a, &b);
			if (!e.rgb) {
				assert_true(library_decode(
					jpeg.bytes, jpeg.size, IMGSNIFF_GRAY8,
					8, &b));
				assert_true(dc_decode(jpeg.bytes, jpeg.size,
						      IMGSNIFF_GRAY8, &a));
				assert_same(&a, &b);
			}
			free(jpeg.bytes);
		}
}

/* Slopes that a photo might have. */
static uint8_t
soft_sample(unsigned int x, unsigned int y, int c)
{
	double v = sin(x / (31.0 + 7 * c)) + cos(y / (23.0 - 3 * c)) +
		   sin((x + 2 * y) / 57.0 + c);

	return (uint8_t)(128 + 40 * v);
}

static void
quarters_are_close_to_those_of_libjpeg(void **state)
{
	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++) {
		struct encoding e = encodings[i];
		struct imgsniff_pixmap a, b;
		struct encoded jpeg;

		if (!has_quarters(&e) || e.quality == 10)
			continue;
		e.width = 333;
		e.height = 241;
		e.sample = soft_sample;
		jpeg = encode(&e);
		assert_true(library_decode(jpeg.bytes, jpeg.size,
					   IMGSNIFF_RGB8, 8, &b));
		assert_true(dc_decode(jpeg.bytes, jpeg.size, IMGSNIFF_RGB8,
				      &a));
		assert_true(psnr(&a, &b) > 50);
		free(jpeg.bytes);
	}
}

static void
every_layout_holds_the_same_picture(void **state)
{
	static const enum imgsniff_pixel layouts[] = {
		IMGSNIFF_RGBA8, IMGSNIFF_BGRA8, IMGSNIFF_RGBA16,
	};
	struct encoding e = { .width = 77, .height = 50, .components = 3,
			      .h = 2, .v = 2 };
	struct encoded jpeg = encode(&e);
	struct imgsniff_pixmap rgb, map;

	(void)state;
	assert_true(dc_decode(jpeg.bytes, jpeg.size, IMGSNIFF_RGB8, &rgb));
	memcpy(theirs, ours, rgb.stride * rgb.height);
	for (size_t i = 0; i < 3; i++) {
		bool blue_first = layouts[i] == IMGSNIFF_BGRA8;

		assert_true(dc_decode(jpeg.bytes, jpeg.size, layouts[i], &map));
		for (size_t p = 0; p < 10 * 7; p++)
			for (size_t c = 0; c < 3; c++)
				if (layouts[i] == IMGSNIFF_RGBA16)
					assert_int_equal(
						ours[8 * p + 2 * c],
						theirs[3 * p + c]);
				else
					assert_int_equal(
						ours[4 * p + (blue_first
							      ? 2 - c : c)],
						theirs[3 * p + c]);
	}
	free(jpeg.bytes);
}

/* ---- At the final size ------------------------------------------------------- */

static void
scale(const struct imgsniff_pixmap *from, uint8_t *to, uint32_t width,
      uint32_t height)
{
	struct isn_resizer r = { .pushed = 0 };
	const struct isn_resize what = {
		.src_width = from->width, .src_height = from->height,
		.dst_width = width, .dst_height = height,
		.layout = IMGSNIFF_RGB8, .opaque = true,
	};

	assert_true(isn_resizer_begin(&r, &d->memory, &what));
	for (uint32_t y = 0; y < from->height; y++) {
		isn_resizer_push(&r, isn_pixmap_row(from, y));
		while (isn_resizer_pull(&r, to))
			to += 3 * (size_t)width;
	}
	isn_resizer_free(&r, &d->memory);
}

/* Fits it; in 'theirs', a full decode that was scaled. */
static void
fit_both(const struct encoded *jpeg, uint32_t fit, struct imgsniff_pixmap *a,
	 struct imgsniff_pixmap *b)
{
	static uint8_t scaled[SAMPLES_MAX];
	struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .layout = IMGSNIFF_RGB8,
		.fit_width = fit, .fit_height = fit,
	};
	uint32_t width, height;

	assert_int_equal(imgsniff_open_memory(d, jpeg->bytes, jpeg->size, 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_output_size(d, &o, &width, &height),
			 IMGSNIFF_OK);
	*a = pixmap(ours, width, height, IMGSNIFF_RGB8);
	assert_int_equal(imgsniff_decode_into(d, &o, a), IMGSNIFF_OK);
	assert_int_equal(d->shrink, 8);
	assert_true(library_decode(jpeg->bytes, jpeg->size, IMGSNIFF_RGB8, 1,
				   b));
	scale(b, scaled, width, height);
	memcpy(theirs, scaled, sizeof(theirs));
	*b = pixmap(theirs, width, height, IMGSNIFF_RGB8);
}

/*
 * 4:1:1 has a sample of chroma in 32 pixels at this size, and is blurred as
 * libjpeg's own 1/8 is.
 */
static void
a_fitted_picture_is_as_good_as_a_scaled_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++) {
		struct encoding e = encodings[i];
		struct imgsniff_pixmap a, b;
		struct encoded jpeg;

		e.width = 1000;
		e.height = 840;
		e.sample = soft_sample;
		if (e.quality < 75)
			e.quality = 90;
		jpeg = encode(&e);
		fit_both(&jpeg, 80, &a, &b);
		assert_true(psnr(&a, &b) > (e.h == 4 && e.v < 2 ? 33 : 45));
		free(jpeg.bytes);
	}
}

#define EDGE	403			/* no multiple of a block */

/* Far enough from black and white that nothing is cut off. */
static const uint8_t edge_left[] = { 40, 60, 200 };
static const uint8_t edge_right[] = { 200, 190, 50 };

static uint8_t
edge_sample(unsigned int x, unsigned int y, int c)
{
	(void)y;
	return x < EDGE ? edge_left[c] : edge_right[c];
}

/* Where the edge lies, by the sum of a row. */
static double
edge_of(const struct imgsniff_pixmap *map, int c)
{
	const uint8_t *row = isn_pixmap_row(map, map->height / 2);
	double left = edge_left[c], right = edge_right[c], sum = 0;

	for (uint32_t x = 0; x < map->width; x++)
		sum += (row[3 * x + (unsigned int)c] - right) / (left - right);
	return sum;
}

static void
an_edge_stays_where_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++) {
		struct encoding e = encodings[i];
		struct imgsniff_pixmap a, b;
		struct encoded jpeg;

		e.width = 1000;
		e.height = 840;
		e.quality = 95;
		e.sample = edge_sample;
		jpeg = encode(&e);
		fit_both(&jpeg, 80, &a, &b);
		for (int c = 0; c < (e.components == 1 ? 1 : 3); c++) {
			assert_true(fabs(edge_of(&a, c) - edge_of(&b, c)) <
				    0.06);
			/* Colours of their own are not quite the stored ones. */
			assert_true(e.components > 1 ||
				    fabs(edge_of(&a, c) - EDGE * 80 / 1000.0) <
				    0.02);
		}
		free(jpeg.bytes);
	}
}

/* ---- Damage ------------------------------------------------------------------ */

static void
a_scan_cut_anywhere_is_truncated(void **state)
{
	(void)state;
	for (size_t i = 0; i < ENCODINGS; i++) {
		struct encoding e = encodings[i];
		struct imgsniff_pixmap map;
		struct encoded jpeg;

		e.width = 90;
		e.height = 70;
		jpeg = encode(&e);
		assert_true(dc_decode(jpeg.bytes, jpeg.size, IMGSNIFF_RGB8,
				      &map));
		for (size_t cut = (size_t)walk.end; cut < jpeg.size - 2;
		     cut++) {
			/* Of exactly its size, for the sanitizer. */
			uint8_t *bytes = malloc(cut);

			assert_non_null(bytes);
			memcpy(bytes, jpeg.bytes, cut);
			assert_false(dc_decode(bytes, cut, IMGSNIFF_RGB8,
					       &map));
			assert_int_equal(fault.status, IMGSNIFF_ERR_TRUNCATED);
			assert_int_equal(fault.offset, cut);
			assert_int_equal(map.rows_valid, 0);
			free(bytes);
		}
		free(jpeg.bytes);
	}
}

static void
a_marker_inside_the_data_is_told_with_its_offset(void **state)
{
	struct encoding e = { .width = 90, .height = 70, .components = 3,
			      .h = 2, .v = 2 };
	struct encoded jpeg = encode(&e);
	struct imgsniff_pixmap map;
	size_t at = jpeg.size - 40;

	(void)state;
	jpeg.bytes[at - 1] = 0;		/* no FF, which would be a fill byte */
	jpeg.bytes[at] = 0xFF;
	jpeg.bytes[at + 1] = JPEG_EOI;
	assert_false(dc_decode(jpeg.bytes, jpeg.size, IMGSNIFF_RGB8, &map));
	assert_int_equal(fault.status, IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(fault.offset, at);
	assert_string_equal(fault.message, "scan: a marker inside its data");
	free(jpeg.bytes);
}

static void
restart_markers_must_come_in_their_order(void **state)
{
	struct encoding e = { .width = 90, .height = 70, .components = 3,
			      .restart_interval = 7 };
	struct encoded jpeg = encode(&e);
	struct imgsniff_pixmap map;
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i + 1 < jpeg.size; i++)
		if (jpeg.bytes[i] == 0xFF && jpeg.bytes[i + 1] == JPEG_RST0 + 4)
			at = i;
	assert_int_not_equal(at, 0);
	jpeg.bytes[at + 1] = JPEG_RST0 + 5;
	assert_false(dc_decode(jpeg.bytes, jpeg.size, IMGSNIFF_RGB8, &map));
	assert_int_equal(fault.status, IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(fault.offset, at);
	assert_string_equal(fault.message, "scan: a restart marker is not "
					   "where it belongs");
	free(jpeg.bytes);
}

/* Where it finds no fault in a damaged scan, libjpeg finds none, nor another luma. */
static void
damage_that_libjpeg_notices_is_noticed(void **state)
{
	uint32_t random = 1;
	int passed = 0, failed = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct encoding e = encodings[round % (int)ENCODINGS];
		struct imgsniff_pixmap a, b;
		struct encoded jpeg;

		e.width = 70;
		e.height = 60;
		jpeg = encode(&e);
		assert_true(dc_decode(jpeg.bytes, jpeg.size, IMGSNIFF_GRAY8,
				      &a));
		for (int n = 0; n < 1 + round % 3; n++) {
			size_t size = jpeg.size - 2 - (size_t)walk.end;

			random = random * 1664525 + 1013904223;
			jpeg.bytes[walk.end + (random >> 8) % size] ^=
				(uint8_t)(1u << (random >> 5 & 7));
		}
		if (dc_decode(jpeg.bytes, jpeg.size, IMGSNIFF_GRAY8, &a)) {
			passed++;
			assert_true(library_decode(jpeg.bytes, jpeg.size,
						   IMGSNIFF_GRAY8, 8, &b));
			if (!e.rgb)
				assert_same(&a, &b);
		} else {
			failed++;
		}
		free(jpeg.bytes);
	}
	assert_true(passed > 50 && failed > 50);
}

/* ---- Which images, and by whom ----------------------------------------------- */

/* Large enough that it pays. */
static struct encoded
encode_large(struct encoding e)
{
	e.width = 900;
	e.height = 700;
	return encode(&e);
}

static bool
suits(const struct encoded *jpeg)
{
	struct imgsniff_view view = { jpeg->bytes, jpeg->size };

	assert_int_equal(imgsniff_open_memory(d, view.data, view.size, 0),
			 IMGSNIFF_OK);
	isn_jpeg_walk(d, view, true, &walk);
	return isn_jpeg_dc_suits(d->state, &walk, view.size);
}

static void
only_large_sequential_images_in_one_scan_suit(void **state)
{
	static const struct encoding others[] = {
		{ .components = 3, .progressive = true },
		{ .components = 3, .arithmetic = true },
		{ .components = 3, .separate = true },
		{ .components = 4 },
	};
	struct encoding small = { .width = 30, .height = 30, .components = 3 };
	struct encoded jpeg = encode(&small);

	(void)state;
	assert_false(suits(&jpeg));
	free(jpeg.bytes);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		jpeg = encode_large(others[i]);
		assert_false(suits(&jpeg));
		free(jpeg.bytes);
	}
	for (size_t i = 0; i < ENCODINGS; i++) {
		jpeg = encode_large(encodings[i]);
		assert_true(suits(&jpeg));
		free(jpeg.bytes);
	}
}

static void
a_damaged_image_has_the_library_s_error(void **state)
{
	struct encoding e = { .components = 3, .h = 2, .v = 2 };
	struct encoded jpeg = encode_large(e);
	struct imgsniff_pixmap map;

	(void)state;
	assert_int_equal(codec_decode(jpeg.bytes, jpeg.size - 500,
				      IMGSNIFF_RGB8, &map),
			 IMGSNIFF_ERR_TRUNCATED);
	assert_int_equal(d->error.offset, jpeg.size - 500);
	free(jpeg.bytes);
}

/* ---- Progressions ------------------------------------------------------------ */

static const struct encoding progressions[] = {
	{ .components = 1, .progressive = true },
	{ .components = 3, .progressive = true },
	{ .components = 3, .h = 2, .progressive = true },
	{ .components = 3, .h = 2, .v = 2, .progressive = true },
	{ .components = 3, .h = 2, .v = 2, .progressive = true,
	  .restart_interval = 4 },
	{ .components = 3, .h = 2, .v = 2, .progressive = true,
	  .arithmetic = true },
	{ .components = 4, .progressive = true },
};

#define PROGRESSIONS	(sizeof(progressions) / sizeof(progressions[0]))

static void
scans_left_out_change_no_pixel(void **state)
{
	(void)state;
	for (size_t i = 0; i < PROGRESSIONS; i++)
		for (unsigned int n = 1; n <= 100; n += 11) {
			struct encoding e = progressions[i];
			struct imgsniff_pixmap a, b;
			struct encoded jpeg;

			if (e.components == 4)
				continue;
			e.width = n;
			e.height = 101 - n;
			jpeg = encode(&e);
			assert_true(library_decode(jpeg.bytes, jpeg.size,
						   IMGSNIFF_RGB8, 8, &b));
			assert_int_equal(codec_decode(jpeg.bytes, jpeg.size,
						      IMGSNIFF_RGB8, &a),
					 IMGSNIFF_OK);
			assert_same(&a, &b);
			free(jpeg.bytes);
		}
}

static void
a_progression_cut_anywhere_is_noticed(void **state)
{
	(void)state;
	for (size_t i = 0; i < PROGRESSIONS; i++) {
		struct encoding e = progressions[i];
		struct imgsniff_pixmap map;
		struct encoded jpeg;

		e.width = e.height = 50;
		jpeg = encode(&e);
		for (size_t cut = 4; cut < jpeg.size - 2; cut++) {
			enum imgsniff_status st = codec_decode(
				jpeg.bytes, cut, IMGSNIFF_RGB8, &map);

			assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
		}
		free(jpeg.bytes);
	}
}

/* Damage in the last scan, luma's AC, which a picture at 1/8 has nothing of. */
static void
damage_in_a_scan_left_out_is_not_looked_for(void **state)
{
	struct encoding e = { .width = 200, .height = 200, .components = 3,
			      .h = 2, .v = 2, .progressive = true };
	struct encoded jpeg = encode(&e);
	struct imgsniff_image *image = NULL;
	struct imgsniff_pixmap a, b;

	(void)state;
	assert_true(library_decode(jpeg.bytes, jpeg.size, IMGSNIFF_RGB8, 8,
				   &b));
	jpeg.bytes[jpeg.size - 60] = 0xFF;
	jpeg.bytes[jpeg.size - 59] = JPEG_RST0;
	assert_int_equal(codec_decode(jpeg.bytes, jpeg.size, IMGSNIFF_RGB8,
				      &a), IMGSNIFF_OK);
	assert_same(&a, &b);
	assert_int_not_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_OK);
	assert_null(image);
	free(jpeg.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		luma_and_samples_that_are_not_quarters_are_those_of_libjpeg),
		cmocka_unit_test(quarters_are_close_to_those_of_libjpeg),
		cmocka_unit_test(every_layout_holds_the_same_picture),
		cmocka_unit_test(a_fitted_picture_is_as_good_as_a_scaled_one),
		cmocka_unit_test(an_edge_stays_where_it_is),
		cmocka_unit_test(a_scan_cut_anywhere_is_truncated),
		cmocka_unit_test(
			a_marker_inside_the_data_is_told_with_its_offset),
		cmocka_unit_test(restart_markers_must_come_in_their_order),
		cmocka_unit_test(damage_that_libjpeg_notices_is_noticed),
		cmocka_unit_test(only_large_sequential_images_in_one_scan_suit),
		cmocka_unit_test(a_damaged_image_has_the_library_s_error),
		cmocka_unit_test(scans_left_out_change_no_pixel),
		cmocka_unit_test(a_progression_cut_anywhere_is_noticed),
		cmocka_unit_test(damage_in_a_scan_left_out_is_not_looked_for),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

#else

int
main(void)
{
	puts("libjpeg-turbo is not built in");
	return 77;
}

#endif
