/*
 * test_check.c - verdicts, on a GIF that is cut, broken and followed by others
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <imgsniff.h>

static const uint8_t gif[] = {
	'G', 'I', 'F', '8', '9', 'a',
	1, 0, 1, 0, 0x80, 0, 0,		/* 1 x 1, two colours */
	0xFF, 0, 0, 0, 0, 0xFF,
	',', 0, 0, 0, 0, 1, 0, 1, 0, 0,	/* one frame */
	2, 2, 0x44, 0x01, 0,		/* clear, 0, end */
	';',
};

static struct imgsniff_verdict
verdict_of(struct imgsniff_decoder *d, const void *data, size_t size)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };

	(void)!imgsniff_open_memory(d, data, size, 0);
	assert_int_equal(imgsniff_check(d, &v), IMGSNIFF_OK);
	return v;
}

static void
a_whole_image_is_intact(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct imgsniff_verdict v = verdict_of(d, gif, sizeof(gif));

	(void)state;
	assert_int_equal(v.integrity, IMGSNIFF_INTACT);
	assert_int_equal(v.status, IMGSNIFF_OK);
	assert_int_equal(v.frames_valid, 1);
	assert_null(v.message);
	assert_null(imgsniff_get_fault(d, 0));
	imgsniff_free(d);
}

static void
a_cut_image_is_truncated_where_it_ends(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	(void)state;
	for (size_t n = 14; n < 32; n++) {
		struct imgsniff_verdict v = verdict_of(d, gif, n);

		assert_int_not_equal(v.integrity, IMGSNIFF_INTACT);
		assert_int_equal(v.frames_valid, 0);
		assert_non_null(v.message);
		assert_non_null(imgsniff_get_fault(d, 0));
	}
	imgsniff_free(d);
}

static void
a_broken_code_is_damage(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	uint8_t broken[sizeof(gif)];
	struct imgsniff_verdict v;

	(void)state;
	memcpy(broken, gif, sizeof(gif));
	broken[31] = 0x3C;		/* clear, then a code not yet made */
	v = verdict_of(d, broken, sizeof(broken));

	assert_int_equal(v.integrity, IMGSNIFF_DAMAGED);
	assert_int_equal(v.status, IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(v.frames_valid, 0);
	imgsniff_free(d);
}

static void
a_limit_leaves_the_image_unchecked(void **state)
{
	struct imgsniff_options o = {
		.struct_size = sizeof(o), .limits = { .max_frames = 1 },
	};
	uint8_t two[sizeof(gif) + 15];
	struct imgsniff_decoder *d = imgsniff_new(&o);
	struct imgsniff_verdict v;

	(void)state;
	memcpy(two, gif, sizeof(gif) - 1);
	memcpy(two + sizeof(gif) - 1, gif + 19, 16);
	v = verdict_of(d, two, sizeof(two));

	assert_int_equal(v.integrity, IMGSNIFF_UNCHECKED);
	assert_int_equal(v.status, IMGSNIFF_ERR_LIMIT);
	assert_int_equal(v.frames_valid, 1);
	imgsniff_free(d);
}

static void
a_format_only_named_is_unchecked(void **state)
{
	static const uint8_t qoi[] = { 'q', 'o', 'i', 'f', 0, 0, 0, 1,
				       0, 0, 0, 1, 3, 0 };
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct imgsniff_verdict v = verdict_of(d, qoi, sizeof(qoi));

	(void)state;
	assert_int_equal(v.integrity, IMGSNIFF_UNCHECKED);
	assert_int_equal(v.status, IMGSNIFF_ERR_UNSUPPORTED);
	imgsniff_free(d);
}

static void
checking_needs_an_open_image(void **state)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	(void)state;
	assert_int_equal(imgsniff_check(d, &v), IMGSNIFF_ERR_USAGE);
	assert_int_equal(imgsniff_open_memory(d, gif, sizeof(gif), 0),
			 IMGSNIFF_OK);
	v.struct_size = 0;
	assert_int_equal(imgsniff_check(d, &v), IMGSNIFF_ERR_USAGE);
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_image_is_intact),
		cmocka_unit_test(a_cut_image_is_truncated_where_it_ends),
		cmocka_unit_test(a_broken_code_is_damage),
		cmocka_unit_test(a_limit_leaves_the_image_unchecked),
		cmocka_unit_test(a_format_only_named_is_unchecked),
		cmocka_unit_test(checking_needs_an_open_image),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
