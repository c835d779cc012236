/*
 * test_decode.c - sizes, layouts, flags and errors of lib/decode.c
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_codec.h"

#define GUARD_BYTE	0xA5
#define PADDING		7
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static struct imgsniff_decoder *d;

static int
set_up(void **state)
{
	(void)state;
	d = imgsniff_new(NULL);
	return d == NULL;
}

static int
tear_down(void **state)
{
	(void)state;
	imgsniff_free(d);
	return 0;
}

static const enum imgsniff_pixel layouts[] = {
	IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
	IMGSNIFF_RGBA16,
};

static struct imgsniff_decode_options
options_of(unsigned int flags, uint32_t fit_width, uint32_t fit_height)
{
	return (struct imgsniff_decode_options){
		.struct_size = sizeof(struct imgsniff_decode_options),
		.flags = flags,
		.fit_width = fit_width,
		.fit_height = fit_height,
	};
}

/* Padded rows of garbage, in a block of the exact size, at an odd address. */
static struct imgsniff_pixmap
map_new(enum imgsniff_pixel layout, uint32_t width, uint32_t height)
{
	size_t row = imgsniff_row_size(layout, width);
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.size = (row + PADDING) * (height - 1) + row,
		.stride = row + PADDING,
		.width = width, .height = height, .layout = layout,
		.rows_valid = 12345,
	};
	uint8_t *block = malloc(1 + map.size);

	assert_non_null(block);
	memset(block, GUARD_BYTE, 1 + map.size);
	map.pixels = block + 1;
	return map;
}

static void
map_free(struct imgsniff_pixmap *map)
{
	size_t row = imgsniff_row_size(map->layout, map->width);

	for (uint32_t y = 0; y + 1 < map->height; y++)
		for (size_t i = row; i < map->stride; i++)
			assert_int_equal(isn_pixmap_row(map, y)[i], GUARD_BYTE);
	free((uint8_t *)map->pixels - 1);
}

static void
row_is_all(const struct imgsniff_pixmap *map, uint32_t y, int byte)
{
	size_t row = imgsniff_row_size(map->layout, map->width);

	for (size_t i = 0; i < row; i++)
		assert_int_equal(isn_pixmap_row(map, y)[i], byte);
}

static void
rows_are_zero(const struct imgsniff_pixmap *map, uint32_t from)
{
	for (uint32_t y = from; y < map->height; y++)
		row_is_all(map, y, 0);
}

/* One pixel of the fake, in 'layout'. */
static void
pixel_check(const struct imgsniff_pixmap *map, uint32_t x, uint32_t y,
	    uint32_t stored_x, uint32_t stored_y)
{
	size_t pixel = imgsniff_row_size(map->layout, 1);
	uint8_t rgba[4], want[8];

	fake_pixel(rgba, stored_x, stored_y);
	isn_row_convert(want, map->layout, rgba, ISN_ROW_RGBA8, 1);
	assert_memory_equal(isn_pixmap_row(map, y) + x * pixel, want, pixel);
}

/* ---- Sizes ------------------------------------------------------------------ */

static const struct {
	uint32_t width, height;		/* stored */
	unsigned int orientation;
	uint32_t fit_width, fit_height;
	uint32_t want_width, want_height;
} fits[] = {
	{ 100, 50, 1, 0, 0, 100, 50 },
	{ 100, 50, 6, 0, 0, 50, 100 },
	{ 100, 50, 1, 10, 10, 10, 5 },
	{ 100, 50, 6, 10, 10, 5, 10 },
	{ 100, 50, 8, 40, 1000, 40, 80 },
	{ 100, 50, 1, 10, 0, 10, 5 },
	{ 100, 50, 1, 0, 10, 20, 10 },
	{ 100, 50, 1, 200, 200, 100, 50 },	/* never up */
	{ 100, 50, 1, 100, 49, 98, 49 },
	{ 100, 50, 1, 99, 50, 99, 50 },		/* 49.5: rounded up */
	{ 1000, 1, 1, 10, 10, 10, 1 },		/* never 0 */
	{ 1, 1000, 1, 10, 10, 1, 10 },
	{ 3, 2, 1, 2, 2, 2, 1 },		/* 1.33 */
	{ 65535, 65534, 1, 65534, 65534, 65534, 65533 },
	{ 4, 3, 3, 1, 1, 1, 1 },
	{ 4000, 3000, 1, 256, 256, 256, 192 },
};

static void
a_fitted_picture_keeps_its_shape(void **state)
{
	(void)state;
	d->limits.max_pixels = UINT64_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(fits); i++) {
		struct imgsniff_decode_options o = options_of(IMGSNIFF_ORIENT,
			fits[i].fit_width, fits[i].fit_height);
		uint32_t w, h;

		fake_open(d, fits[i].width, fits[i].height);
		d->info.orientation = (uint8_t)fits[i].orientation;

		assert_int_equal(imgsniff_output_size(d, &o, &w, &h),
				 IMGSNIFF_OK);

		assert_int_equal(w, fits[i].want_width);
		assert_int_equal(h, fits[i].want_height);
	}
}

static void
no_fitted_size_is_outside_or_zero(void **state)
{
	(void)state;
	for (uint32_t w = 1; w <= 40; w++)
		for (uint32_t h = 1; h <= 40; h++)
			for (uint32_t fit = 1; fit <= 41; fit += 4) {
				struct imgsniff_decode_options o =
					options_of(0, fit, 41 - fit / 2);
				uint32_t fw, fh;

				fake_open(d, w, h);
				assert_int_equal(imgsniff_output_size(d, &o,
						 &fw, &fh), IMGSNIFF_OK);
				assert_true(fw >= 1 && fw <= w && fw <= fit);
				assert_true(fh >= 1 && fh <= h &&
					    fh <= 41 - fit / 2);
			}
}

/* How the codec was asked, for a size of 'fit'. */
static unsigned int
shrink_for(uint32_t width, uint32_t height, uint32_t fit)
{
	struct imgsniff_decode_options o = options_of(0, fit, fit);
	struct imgsniff_image *image;

	fake_open(d, width, height);
	assert_int_equal(imgsniff_decode(d, &o, &image), IMGSNIFF_OK);
	assert_int_equal(fake.width, (width + fake.shrink - 1) / fake.shrink);
	assert_int_equal(fake.height, (height + fake.shrink - 1) / fake.shrink);
	imgsniff_image_free(image);
	return fake.shrink;
}

static void
the_codec_shrinks_to_half_as_much_again_at_least(void **state)
{
	(void)state;
	assert_int_equal(shrink_for(1600, 1600, 100), 8);
	assert_int_equal(shrink_for(1200, 1200, 100), 8);
	assert_int_equal(shrink_for(1192, 1192, 100), 4);
	assert_int_equal(shrink_for(301, 301, 100), 2);
	assert_int_equal(shrink_for(297, 297, 100), 1);
	assert_int_equal(shrink_for(99, 99, 100), 1);
	assert_int_equal(shrink_for(4000, 2, 100), 1);
}

/* ---- Layouts, flags ------------------------------------------------------------ */

static void
every_layout_goes_to_the_callers_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct imgsniff_pixmap map = map_new(layouts[i], 6, 5);

		fake_open(d, 6, 5);

		assert_int_equal(imgsniff_decode_into(d, NULL, &map),
				 IMGSNIFF_OK);

		assert_ptr_equal(fake.pixels, map.pixels);
		assert_int_equal(map.rows_valid, 5);
		for (uint32_t y = 0; y < 5; y++)
			for (uint32_t x = 0; x < 6; x++)
				pixel_check(&map, x, y, x, y);
		map_free(&map);
	}
}

static void
orientations_are_turned_only_when_asked(void **state)
{
	const uint32_t w = 6, h = 5;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(layouts) * 8; i++) {
		unsigned int o = (unsigned int)(i % 8 + 1);
		struct imgsniff_decode_options options =
			options_of(IMGSNIFF_ORIENT, 0, 0);
		struct imgsniff_pixmap map = map_new(layouts[i / 8],
						     o >= 5 ? h : w,
						     o >= 5 ? w : h);
		/* Where the upright corner at the top left is stored. */
		uint32_t x = o == 2 || o == 3 || o == 7 || o == 8 ? w - 1 : 0;
		uint32_t y = o == 3 || o == 4 || o == 6 || o == 7 ? h - 1 : 0;

		fake_open(d, w, h);
		d->info.orientation = (uint8_t)o;

		assert_int_equal(imgsniff_decode_into(d, &options, &map),
				 IMGSNIFF_OK);

		assert_int_equal(map.rows_valid, map.height);
		pixel_check(&map, 0, 0, x, y);
		pixel_check(&map, map.width - 1, map.height - 1,
			    w - 1 - x, h - 1 - y);
		options.flags = 0;
		map_free(&map);
		map = map_new(layouts[i / 8], w, h);
		assert_int_equal(imgsniff_decode_into(d, &options, &map),
				 IMGSNIFF_OK);
		pixel_check(&map, 0, 0, 0, 0);
		map_free(&map);
	}
}

/* A fitted picture in every layout is, nearly, that in RGBA. */
static void
fitted_layouts_agree(void **state)
{
	static const struct {
		bool has_alpha;
		enum imgsniff_pixel best;
	} kinds[] = { { true, IMGSNIFF_RGBA8 }, { false, IMGSNIFF_RGB8 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(layouts) * ARRAY_SIZE(kinds); i++) {
		size_t k = i % ARRAY_SIZE(kinds);
		enum imgsniff_pixel layout = layouts[i / ARRAY_SIZE(kinds)];
		struct imgsniff_decode_options o = options_of(IMGSNIFF_ORIENT,
							      5, 9);
		struct imgsniff_image *rgba;
		struct imgsniff_pixmap map = map_new(layout, 5, 7);
		size_t pixel = imgsniff_row_size(layout, 1);

		fake_open(d, 21, 15);
		d->info.orientation = 6;
		d->info.has_alpha = kinds[k].has_alpha;
		d->info.best = kinds[k].best;
		assert_int_equal(imgsniff_decode(d, &o, &rgba), IMGSNIFF_OK);

		assert_int_equal(imgsniff_decode_into(d, &o, &map),
				 IMGSNIFF_OK);

		assert_int_equal(map.rows_valid, 7);
		for (uint32_t n = 0; n < 5 * 7; n++) {
			const uint8_t *got = isn_pixmap_row(&map, n / 5) +
					     n % 5 * pixel;
			uint8_t want[8], step = layout == IMGSNIFF_RGBA16 ? 2 : 1;

			isn_row_convert(want, layout, isn_pixmap_row(
					&rgba->map, n / 5) + n % 5 * 4,
					ISN_ROW_RGBA8, 1);
			/* High bytes, or all of them; gray rounds thrice. */
			for (size_t b = step - 1; b < pixel; b += step)
				assert_true(abs(got[b] - want[b]) <= 1);
		}
		map_free(&map);
		imgsniff_image_free(rgba);
	}
}

static void
a_gray_picture_is_scaled_as_gray(void **state)
{
	struct imgsniff_decode_options o = options_of(0, 4, 4);
	struct imgsniff_image *image;

	(void)state;
	fake_open(d, 12, 12);
	d->info.has_alpha = false;
	d->info.best = IMGSNIFF_GRAY8;

	assert_int_equal(imgsniff_decode(d, &o, &image), IMGSNIFF_OK);

	assert_int_equal(fake.layout, IMGSNIFF_GRAY8);
	assert_int_equal(image->map.layout, IMGSNIFF_RGBA8);
	imgsniff_image_free(image);
}

/* As in a GIF whose first frame leaves a part of the canvas bare. */
static void
alpha_that_no_header_tells_is_kept_when_fitted(void **state)
{
	struct imgsniff_decode_options o = options_of(0, 4, 4);
	struct imgsniff_image *image;

	(void)state;
	fake_open(d, 12, 12);
	d->info.has_alpha = false;

	assert_int_equal(imgsniff_decode(d, &o, &image), IMGSNIFF_OK);

	assert_int_equal(fake.layout, IMGSNIFF_RGBA8);
	imgsniff_image_free(image);
}

/* ---- Errors ------------------------------------------------------------------------ */

static void
a_damaged_picture_is_kept_only_when_asked(void **state)
{
	struct imgsniff_decode_options o = options_of(IMGSNIFF_KEEP_DAMAGED,
						      0, 0);
	struct imgsniff_pixmap map = map_new(IMGSNIFF_RGB8, 6, 5);
	struct imgsniff_image *image;

	(void)state;
	fake_open(d, 6, 5);
	fake.status = IMGSNIFF_ERR_CORRUPT;
	fake.rows_valid = 3;

	assert_int_equal(imgsniff_decode_into(d, &o, &map),
			 IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(map.rows_valid, 3);
	pixel_check(&map, 5, 2, 5, 2);
	rows_are_zero(&map, 3);
	assert_int_equal(imgsniff_last_error(d)->offset, 42);

	assert_int_equal(imgsniff_decode(d, &o, &image), IMGSNIFF_ERR_CORRUPT);
	assert_non_null(image);
	assert_int_equal(image->map.rows_valid, 3);
	rows_are_zero(&image->map, 3);
	imgsniff_image_free(image);

	assert_int_equal(imgsniff_decode_into(d, NULL, &map),
			 IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(map.rows_valid, 0);
	rows_are_zero(&map, 0);
	assert_int_equal(imgsniff_decode(d, NULL, &image),
			 IMGSNIFF_ERR_CORRUPT);
	assert_null(image);
	map_free(&map);
}

static void
turned_or_fitted_rows_are_valid_all_or_none(void **state)
{
	static const struct {
		unsigned int flags, orientation;
		uint32_t fit, width, height;
	} cases[] = {
		{ IMGSNIFF_ORIENT, 1, 0, 6, 5 },
		{ IMGSNIFF_ORIENT, 3, 0, 6, 5 },
		{ IMGSNIFF_ORIENT, 6, 0, 5, 6 },
		{ IMGSNIFF_ORIENT, 6, 3, 3, 3 },
		{ 0, 1, 3, 3, 3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (uint32_t valid = 4; valid <= 5; valid++) {
			struct imgsniff_decode_options o = options_of(
				cases[i].flags | IMGSNIFF_KEEP_DAMAGED,
				cases[i].fit, cases[i].fit);
			struct imgsniff_pixmap map = map_new(IMGSNIFF_RGBA8,
				cases[i].width, cases[i].height);

			fake_open(d, 6, 5);
			d->info.orientation = (uint8_t)cases[i].orientation;
			fake.status = IMGSNIFF_ERR_TRUNCATED;
			fake.rows_valid = valid;

			assert_int_equal(imgsniff_decode_into(d, &o, &map),
					 IMGSNIFF_ERR_TRUNCATED);

			assert_int_equal(map.rows_valid,
					 valid == 5 ? map.height : 0);
			if (valid < 5)
				rows_are_zero(&map, 0);
			map_free(&map);
		}
}

static void
a_pixmap_that_does_not_fit_is_not_touched(void **state)
{
	struct imgsniff_pixmap good = map_new(IMGSNIFF_RGB8, 6, 5), bad;

	(void)state;
	fake_open(d, 6, 5);
	for (int i = 0; i < 8; i++) {
		bad = good;
		if (i == 0)
			bad.width = 5;
		if (i == 1)
			bad.height = 6;
		if (i == 2)
			bad.stride = 17;
		if (i == 3)
			bad.size--;
		if (i == 4)
			bad.pixels = NULL;
		if (i == 5)
			bad.layout = (enum imgsniff_pixel)99;
		if (i == 6)
			bad.stride = SIZE_MAX / 2;
		if (i == 7)
			bad.struct_size = offsetof(struct imgsniff_pixmap,
						   rows_valid) - 1;

		assert_int_equal(imgsniff_decode_into(d, NULL, &bad),
				 IMGSNIFF_ERR_BUFFER);

		assert_int_equal(fake.calls, 0);
		/* The last one has no such member. */
		assert_int_equal(bad.rows_valid, i == 7 ? 12345 : 0);
	}
	for (uint32_t y = 0; y < 5; y++)
		row_is_all(&good, y, GUARD_BYTE);
	map_free(&good);
}

static void
an_older_pixmap_has_no_rows_valid(void **state)
{
	struct imgsniff_pixmap map = map_new(IMGSNIFF_RGB8, 6, 5);

	(void)state;
	fake_open(d, 6, 5);
	map.struct_size = offsetof(struct imgsniff_pixmap, rows_valid);

	assert_int_equal(imgsniff_decode_into(d, NULL, &map), IMGSNIFF_OK);

	pixel_check(&map, 5, 4, 5, 4);
	assert_int_equal(map.rows_valid, 12345);
	map_free(&map);
}

static void
bad_options_and_no_image_are_usage_errors(void **state)
{
	struct imgsniff_decode_options o = options_of(0, 0, 0);
	struct imgsniff_image *image;
	uint32_t w, h;

	(void)state;
	assert_int_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_ERR_USAGE);
	assert_null(image);
	fake_open(d, 6, 5);
	o.layout = (enum imgsniff_pixel)6;
	assert_int_equal(imgsniff_output_size(d, &o, &w, &h),
			 IMGSNIFF_ERR_USAGE);
	o.layout = 0;
	o.struct_size = 3;
	assert_int_equal(imgsniff_output_size(d, &o, &w, &h),
			 IMGSNIFF_ERR_USAGE);
	/* The caller of a version that had no fitting. */
	o.struct_size = offsetof(struct imgsniff_decode_options, fit_width);
	o.fit_width = 1;
	assert_int_equal(imgsniff_output_size(d, &o, &w, &h), IMGSNIFF_OK);
	assert_int_equal(w, 6);
}

static void
the_error_of_open_is_told_again(void **state)
{
	/* A BMP: known, but not decoded. */
	static const uint8_t bmp[64] = "BM\x3e\0\0\0\0\0\0\0\x3e\0\0\0\x28";
	struct imgsniff_error first;
	struct imgsniff_image *image;

	(void)state;
	assert_int_equal(imgsniff_open_memory(d, bmp, sizeof(bmp), 0),
			 IMGSNIFF_ERR_UNSUPPORTED);
	first = *imgsniff_last_error(d);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_END);

	assert_int_equal(imgsniff_decode(d, NULL, &image),
			 IMGSNIFF_ERR_UNSUPPORTED);

	assert_string_equal(imgsniff_last_error(d)->message, first.message);
	assert_true(imgsniff_last_error(d)->offset == first.offset);
	assert_int_equal(imgsniff_last_error(d)->format, IMGSNIFF_FORMAT_BMP);
}

static void
a_failed_open_that_can_decode_is_tried(void **state)
{
	struct imgsniff_image *image;

	(void)state;
	fake_open(d, 6, 5);
	d->open_error.status = IMGSNIFF_ERR_TRUNCATED;

	assert_int_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_OK);

	imgsniff_image_free(image);
}

static void
a_decoder_stays_warm(void **state)
{
	struct imgsniff_decode_options o = options_of(IMGSNIFF_ORIENT, 5, 9);
	struct imgsniff_pixmap map = map_new(IMGSNIFF_GRAY8, 5, 7);
	uint64_t used;

	(void)state;
	for (int i = 0; i < 3; i++) {
		fake_open(d, 21, 15);
		d->info.orientation = 6;
		if (i > 0)	/* all that is needed is there already */
			d->memory.limit = used;
		assert_int_equal(imgsniff_decode_into(d, &o, &map),
				 IMGSNIFF_OK);
		used = d->memory.used;
	}
	map_free(&map);
}

/* ---- Profiles ------------------------------------------------------------------------ */

/* Gray, gamma 1: 128 + 4 + 12 bytes, then "curv" with the one value 0x0100. */
static const uint8_t linear_gray[158] = {
	[3] = 158, [8] = 2, [9] = 0x40, [12] = 'm', 'n', 't', 'r', 'G', 'R',
	'A', 'Y', 'X', 'Y', 'Z', ' ', [36] = 'a', 'c', 's', 'p',
	[70] = 0xf6, 0xd6, [73] = 1, [78] = 0xd3, 0x2d,	/* D50 */
	[131] = 1, 'k', 'T', 'R', 'C', [139] = 144, [143] = 14,
	'c', 'u', 'r', 'v', [155] = 1, 1, 0,
};

static void
a_profile_is_applied_only_when_asked(void **state)
{
	struct imgsniff_decode_options o = options_of(IMGSNIFF_SRGB, 0, 0);
	struct imgsniff_pixmap map = map_new(IMGSNIFF_GRAY8, 6, 5);
	enum imgsniff_status st;

	(void)state;
	fake_open(d, 6, 5);
	d->info.color = IMGSNIFF_COLOR_GRAY;
	d->info.icc_bytes = sizeof(linear_gray);
	fake.profile.data = linear_gray;
	fake.profile.size = sizeof(linear_gray);

	st = imgsniff_decode_into(d, &o, &map);

	assert_int_equal(st, HAVE_LCMS2 ? IMGSNIFF_OK
					: IMGSNIFF_ERR_UNSUPPORTED);
	for (uint32_t n = 0; HAVE_LCMS2 && n < 30; n++) {
		uint8_t rgba[4], gray;
		double v;

		fake_pixel(rgba, n % 6, n / 6);
		isn_row_convert(&gray, IMGSNIFF_GRAY8, rgba, ISN_ROW_RGBA8, 1);
		v = gray / 255.0;
		v = v <= 0.0031308 ? v * 12.92
				   : 1.055 * pow(v, 1 / 2.4) - 0.055;
		assert_true(fabs(isn_pixmap_row(&map, n / 6)[n % 6] -
				 v * 255) < 0.6);
	}
	if (!HAVE_LCMS2)
		rows_are_zero(&map, 0);
	o.flags = 0;
	assert_int_equal(imgsniff_decode_into(d, &o, &map), IMGSNIFF_OK);
	pixel_check(&map, 3, 2, 3, 2);
	map_free(&map);
}

static void
colour_becomes_gray_after_its_profile(void **state)
{
	static const uint8_t nonsense[4] = "ICC";
	struct imgsniff_decode_options o = options_of(IMGSNIFF_SRGB, 0, 0);
	struct imgsniff_pixmap map = map_new(IMGSNIFF_GRAY8, 6, 5);

	(void)state;
	fake_open(d, 6, 5);
	d->info.icc_bytes = sizeof(nonsense);
	fake.profile.data = nonsense;
	fake.profile.size = sizeof(nonsense);

	assert_int_equal(imgsniff_decode_into(d, &o, &map), IMGSNIFF_OK);

	assert_int_equal(fake.layout, IMGSNIFF_RGB8);
	pixel_check(&map, 3, 2, 3, 2);
	map_free(&map);
}

/* All of these crashed, or left the image before open. */
static void
null_is_a_usage_error(void **state)
{
	const struct imgsniff_buffer past = {
		{ (const uint8_t *)"GIF89a", 6 }, 7,
	};
	uint32_t side;

	(void)state;
	fake_open(d, 6, 5);
	assert_int_equal(imgsniff_output_size(d, NULL, NULL, &side),
			 IMGSNIFF_ERR_USAGE);
	assert_int_equal(imgsniff_output_size(d, NULL, &side, NULL),
			 IMGSNIFF_ERR_USAGE);
	assert_int_equal(imgsniff_decode(d, NULL, NULL), IMGSNIFF_ERR_USAGE);
	assert_int_equal(imgsniff_decode_into(d, NULL, NULL),
			 IMGSNIFF_ERR_USAGE);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_ICC, NULL),
			 IMGSNIFF_ERR_USAGE);
	assert_non_null(imgsniff_get_info(d));
	assert_int_equal(imgsniff_open_memory(d, NULL, 1, 0),
			 IMGSNIFF_ERR_USAGE);
	assert_null(imgsniff_get_info(d));
	assert_int_equal(imgsniff_open_file(d, NULL, 0), IMGSNIFF_ERR_USAGE);
	assert_int_equal(imgsniff_open_source(d, NULL, 0), IMGSNIFF_ERR_USAGE);
	assert_int_equal(imgsniff_open_buffer(d, NULL, 0), IMGSNIFF_ERR_USAGE);
	assert_int_equal(imgsniff_open_buffer(d, &past, 0), IMGSNIFF_ERR_USAGE);
}

/* Those of the frame before stood there where a limit was met. */
static void
no_rows_are_valid_of_what_is_refused(void **state)
{
	struct imgsniff_pixmap map = map_new(IMGSNIFF_RGBA8, 6, 5);

	(void)state;
	fake_open(d, 6, 5);
	assert_int_equal(imgsniff_decode_into(d, NULL, &map), IMGSNIFF_OK);
	assert_int_equal(map.rows_valid, 5);
	d->limits.max_pixels = 1;
	assert_int_equal(imgsniff_decode_into(d, NULL, &map),
			 IMGSNIFF_ERR_LIMIT);

	assert_int_equal(map.rows_valid, 0);
	map_free(&map);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(null_is_a_usage_error),
		TEST(no_rows_are_valid_of_what_is_refused),
		TEST(a_fitted_picture_keeps_its_shape),
		TEST(no_fitted_size_is_outside_or_zero),
		TEST(the_codec_shrinks_to_half_as_much_again_at_least),
		TEST(every_layout_goes_to_the_callers_rows),
		TEST(orientations_are_turned_only_when_asked),
		TEST(fitted_layouts_agree),
		TEST(a_gray_picture_is_scaled_as_gray),
		TEST(alpha_that_no_header_tells_is_kept_when_fitted),
		TEST(a_damaged_picture_is_kept_only_when_asked),
		TEST(turned_or_fitted_rows_are_valid_all_or_none),
		TEST(a_pixmap_that_does_not_fit_is_not_touched),
		TEST(an_older_pixmap_has_no_rows_valid),
		TEST(bad_options_and_no_image_are_usage_errors),
		TEST(the_error_of_open_is_told_again),
		TEST(a_failed_open_that_can_decode_is_tried),
		TEST(a_decoder_stays_warm),
		TEST(a_profile_is_applied_only_when_asked),
		TEST(colour_becomes_gray_after_its_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
