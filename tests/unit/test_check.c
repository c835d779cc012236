/*
 * test_check.c - verdicts, on a GIF that is cut, broken and followed by others
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec.h"

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
	assert_int_equal(v.rows_valid, 0);
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
a_verdict_leaves_the_last_error_as_it_was(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	uint8_t broken[sizeof(gif)];

	(void)state;
	verdict_of(d, gif, sizeof(gif));
	assert_int_equal(imgsniff_last_error(d)->status, IMGSNIFF_OK);
	memcpy(broken, gif, sizeof(gif));
	broken[31] = 0x3C;
	verdict_of(d, broken, sizeof(broken));
	assert_int_equal(imgsniff_last_error(d)->status, IMGSNIFF_OK);
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
	assert_int_equal(imgsniff_check(d, NULL), IMGSNIFF_ERR_USAGE);
	imgsniff_free(d);
}

static enum imgsniff_status
gif_check(struct imgsniff_decoder *d)
{
	d->check->end = sizeof(gif);
	return IMGSNIFF_OK;
}

/* All of it was read into memory, and above max_input there was no verdict. */
static void
what_follows_is_measured_and_not_read(void **state)
{
	const struct imgsniff_options o = {
		.struct_size = sizeof(o), .limits = { .max_memory = 1 << 20 },
	};
	struct imgsniff_decoder *d = imgsniff_new(&o);
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };
	const off_t size = (off_t)3 << 30;
	FILE *f = tmpfile();		/* sparse */
	struct isn_codec codec;

	(void)state;
	assert_non_null(f);
	assert_int_equal(fwrite(gif, sizeof(gif), 1, f), 1);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(ftruncate(fileno(f), size), 0);
	assert_int_equal(imgsniff_open_fd(d, fileno(f), 0), IMGSNIFF_OK);
	codec = *d->codec;
	codec.check = gif_check;
	d->codec = &codec;

	assert_int_equal(imgsniff_check(d, &v), IMGSNIFF_OK);

	assert_int_equal(v.integrity, IMGSNIFF_TOLERABLE);
	assert_int_equal(v.end_offset, sizeof(gif));
	assert_int_equal(v.trailing_bytes, (uint64_t)size - sizeof(gif));
	assert_int_equal(v.trailer, IMGSNIFF_TRAILER_ZEROS);
	imgsniff_free(d);
	fclose(f);
}

/* An allocator that refuses one request and sees what is freed written to. */
struct grave {
	int refuse;			/* counts down to the request; 0: none */
	size_t count;
	struct {
		uint8_t *ptr;
		size_t size;
	} freed[200];
};

static void *
grave_allocate(void *user, size_t size)
{
	struct grave *g = user;

	return --g->refuse == 0 ? NULL : malloc(size);
}

static void
grave_release(void *user, void *ptr, size_t size)
{
	struct grave *g = user;

	if (ptr == NULL)
		return;
	assert_true(g->count < 200);
	memset(ptr, 0xDD, size);
	g->freed[g->count].ptr = ptr;
	g->freed[g->count++].size = size;
}

static void
grave_inspect(struct grave *g)
{
	for (; g->count > 0; g->count--) {
		uint8_t *p = g->freed[g->count - 1].ptr;

		for (size_t i = 0; i < g->freed[g->count - 1].size; i++)
			assert_int_equal(p[i], 0xDD);
		free(p);
	}
}

/*
 * The canvas was in the slot that the pipeline declares free after each frame,
 * and was written to after a reclaim.
 */
static void
the_canvas_stays_while_memory_is_short(void **state)
{
	uint8_t two[sizeof(gif) + 15 + 201] = { 0 };

	(void)state;
	memcpy(two, gif, sizeof(gif) - 1);
	memcpy(two + sizeof(gif) - 1, gif + 19, 14);
	/* Another sub-block, so that the second frame asks for larger scratch. */
	two[sizeof(gif) + 13] = 200;
	two[sizeof(two) - 1] = ';';
	for (int n = 2; n < 40; n++) {
		struct grave g = { .refuse = n };
		const struct imgsniff_allocator a = {
			grave_allocate, grave_release, &g,
		};
		const struct imgsniff_options o = {
			.struct_size = sizeof(o), .allocator = &a,
		};
		struct imgsniff_verdict v = { .struct_size = sizeof(v) };
		struct imgsniff_decoder *d = imgsniff_new(&o);

		assert_non_null(d);
		if (imgsniff_open_memory(d, two, sizeof(two), 0) ==
		    IMGSNIFF_OK) {
			(void)!imgsniff_check(d, &v);
			assert_int_equal(imgsniff_get_frame(d)->index, 0);
		}
		imgsniff_free(d);
		grave_inspect(&g);
	}
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
		cmocka_unit_test(a_verdict_leaves_the_last_error_as_it_was),
		cmocka_unit_test(checking_needs_an_open_image),
		cmocka_unit_test(what_follows_is_measured_and_not_read),
		cmocka_unit_test(the_canvas_stays_while_memory_is_short),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
