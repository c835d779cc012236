/*
 * test_limits.c - what decoding may cost, and what it says when it costs more
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_codec.h"

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

/* Of the image at full size, or fitted into 'fit' x 'fit'. */
static enum imgsniff_status
decode_fitted(uint32_t fit)
{
	struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .fit_width = fit, .fit_height = fit,
	};
	struct imgsniff_image *image;
	enum imgsniff_status st = imgsniff_decode(d, &o, &image);

	imgsniff_image_free(image);
	return st;
}

/* A limit, and the option that raises it is in the message. */
static void
limit_is(enum imgsniff_status st, const char *option)
{
	assert_int_equal(st, IMGSNIFF_ERR_LIMIT);
	assert_int_equal(imgsniff_last_error(d)->status, IMGSNIFF_ERR_LIMIT);
	assert_non_null(strstr(imgsniff_last_error(d)->message, option));
}

static void
dimensions_and_pixels_are_limited(void **state)
{
	(void)state;
	fake_open(d, 20, 10);
	d->limits.max_dimension = 20;
	d->limits.max_pixels = 200;
	assert_int_equal(decode_fitted(0), IMGSNIFF_OK);
	d->limits.max_dimension = 19;
	limit_is(decode_fitted(0), "max-dimension");
	d->limits.max_dimension = 20;
	d->limits.max_pixels = 199;
	limit_is(decode_fitted(0), "max-pixels");
	assert_int_equal(fake.calls, 1);
}

static void
the_size_of_a_bomb_is_told_and_its_pixels_are_not(void **state)
{
	uint32_t w = 1, h = 1;

	(void)state;
	fake_open(d, 65535, 65535);
	assert_int_equal(imgsniff_get_info(d)->width, 65535);
	limit_is(imgsniff_output_size(d, NULL, &w, &h), "max-pixels");
	assert_int_equal(w, 0);
	assert_int_equal(h, 0);
}

static void
pixels_really_decoded_count_when_fitted(void **state)
{
	(void)state;
	fake_open(d, 800, 800);
	d->limits.max_pixels = 100 * 100;
	limit_is(decode_fitted(0), "max-pixels");
	limit_is(decode_fitted(67), "max-pixels");
	assert_int_equal(decode_fitted(66), IMGSNIFF_OK);
	assert_int_equal(fake.shrink, 8);
}

static void
frames_and_their_pixels_are_limited(void **state)
{
	(void)state;
	fake_open(d, 20, 10);
	d->info.animated = true;
	d->frame.index = 9;
	d->limits.max_frames = 10;
	d->limits.max_animation_pixels = 10 * 200;
	assert_int_equal(decode_fitted(0), IMGSNIFF_OK);
	d->limits.max_frames = 9;
	limit_is(decode_fitted(0), "max-frames");
	d->limits.max_frames = 10;
	d->limits.max_animation_pixels = 10 * 200 - 1;
	limit_is(decode_fitted(0), "max-animation-pixels");
	assert_int_equal(fake.calls, 1);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_END);
	assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
}

/* Opened with IMGSNIFF_HEAD, animations went on without end. */
static void
frames_count_where_their_number_is_not_known(void **state)
{
	(void)state;
	fake_open(d, 20, 10);
	d->info.frames = 0;
	d->frame.index = 9;
	d->limits.max_animation_pixels = 10 * 200;
	assert_int_equal(decode_fitted(0), IMGSNIFF_OK);
	d->limits.max_animation_pixels = 10 * 200 - 1;
	limit_is(decode_fitted(0), "max-animation-pixels");
}

static void
memory_is_limited_output_included(void **state)
{
	(void)state;
	fake_open(d, 20, 10);
	d->limits.max_memory = d->memory.limit = d->memory.used + 20 * 10 * 4;
	assert_int_equal(decode_fitted(0), IMGSNIFF_OK);
	d->memory.limit--;
	limit_is(decode_fitted(0), "max-memory");
	assert_int_equal(fake.calls, 1);
}

static void
memory_in_between_is_limited(void **state)
{
	uint64_t enough;

	(void)state;
	fake_open(d, 200, 100);
	for (enough = 0; enough < (1 << 20); enough += 1009) {
		d->memory.limit = enough;
		if (decode_fitted(50) == IMGSNIFF_OK)
			break;
		limit_is(imgsniff_last_error(d)->status, "max-memory");
	}
	/* At half its size, and the fitted one. */
	assert_true(enough > 100 * 50 * 4 + 50 * 25 * 4);
	assert_true(enough < (1 << 20));
}

static void
memory_held_for_another_image_is_given_back(void **state)
{
	(void)state;
	fake_open(d, 400, 400);
	assert_int_equal(decode_fitted(100), IMGSNIFF_OK);
	assert_true(d->memory.used > 200 * 200 * 4);
	fake_open(d, 100, 100);
	d->memory.limit = d->memory.used + 1000;

	assert_int_equal(decode_fitted(0), IMGSNIFF_OK);
}

static size_t
scratch_total(void)
{
	size_t total = 0;

	for (int i = 0; i < ISN_SCRATCH_COUNT; i++)
		total += d->scratch[i].size;
	return total;
}

static void
more_than_64_mib_is_not_held_for_the_next_image(void **state)
{
	const size_t mib = (size_t)1 << 20;
	uint64_t before;

	(void)state;
	fake_open(d, 10, 10);
	before = d->memory.used;
	assert_non_null(isn_scratch(d, ISN_SCRATCH_RAW, 30 * mib));
	assert_non_null(isn_scratch(d, ISN_SCRATCH_CANVAS, 34 * mib));
	imgsniff_close(d);
	assert_int_equal(scratch_total(), 64 * mib);

	fake_open(d, 10, 10);
	assert_non_null(isn_scratch(d, ISN_SCRATCH_SAVED, 1));
	imgsniff_close(d);
	assert_int_equal(d->scratch[ISN_SCRATCH_CANVAS].size, 0);
	assert_int_equal(scratch_total(), 30 * mib + 1);
	assert_int_equal(d->memory.used, before + 30 * mib + 1);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(dimensions_and_pixels_are_limited),
		TEST(the_size_of_a_bomb_is_told_and_its_pixels_are_not),
		TEST(pixels_really_decoded_count_when_fitted),
		TEST(frames_and_their_pixels_are_limited),
		TEST(frames_count_where_their_number_is_not_known),
		TEST(memory_is_limited_output_included),
		TEST(memory_in_between_is_limited),
		TEST(memory_held_for_another_image_is_given_back),
		TEST(more_than_64_mib_is_not_held_for_the_next_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
