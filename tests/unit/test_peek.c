/*
 * test_peek.c - looking at bytes in place and handing them on
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codec.h"

/* A GIF of 2 x 1 pixels, red and blue. */
static const uint8_t image[] = {
	'G', 'I', 'F', '8', '9', 'a',
	2, 0, 1, 0,			/* 2 x 1 */
	0x80, 0, 0,			/* two global colours */
	0xFF, 0, 0, 0, 0, 0xFF,
	0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0,	/* the whole screen */
	2, 2, 0x44, 0x0A, 0,		/* clear, 0, 1, end */
	0x3B,
};

static void
peek_shows_the_same_memory(void **state)
{
	struct imgsniff_buffer b = imgsniff_buffer_of(image, sizeof(image));
	struct imgsniff_view v = imgsniff_peek(&b, 6);

	(void)state;
	assert_ptr_equal(v.data, image);
	assert_int_equal(v.size, 6);
	assert_int_equal(b.offset, 0);

	assert_int_equal(imgsniff_skip(&b, 6), 6);
	v = imgsniff_peek(&b, 4);
	assert_ptr_equal(v.data, image + 6);
	assert_int_equal(v.size, 4);
	v = imgsniff_peek(&b, 4);	/* again: nothing was consumed */
	assert_ptr_equal(v.data, image + 6);
}

static void
peek_is_shorter_only_at_the_end(void **state)
{
	(void)state;
	for (size_t at = 0; at <= sizeof(image); at++)
		for (size_t n = 0; n <= sizeof(image) + 2; n++) {
			struct imgsniff_buffer b =
				imgsniff_buffer_of(image, sizeof(image));
			size_t left = sizeof(image) - at;
			struct imgsniff_view v;

			assert_int_equal(imgsniff_skip(&b, at), at);
			v = imgsniff_peek(&b, n);
			assert_ptr_equal(v.data, image + at);
			assert_int_equal(v.size, n < left ? n : left);
		}
}

static void
sizes_do_not_wrap(void **state)
{
	struct imgsniff_buffer b = imgsniff_buffer_of(image, sizeof(image));

	(void)state;
	assert_int_equal(imgsniff_skip(&b, 5), 5);
	assert_int_equal(imgsniff_peek(&b, SIZE_MAX).size, sizeof(image) - 5);
	assert_int_equal(imgsniff_skip(&b, SIZE_MAX), sizeof(image) - 5);
	assert_int_equal(b.offset, sizeof(image));
	assert_int_equal(imgsniff_skip(&b, SIZE_MAX), 0);
	assert_int_equal(imgsniff_peek(&b, SIZE_MAX).size, 0);
	assert_ptr_equal(imgsniff_peek(&b, 1).data, image + sizeof(image));
}

static void
an_empty_buffer_has_a_place(void **state)
{
	struct imgsniff_buffer b = imgsniff_buffer_of(NULL, 0);

	(void)state;
	assert_non_null(imgsniff_peek(&b, 10).data);
	assert_int_equal(imgsniff_peek(&b, 10).size, 0);
	assert_int_equal(imgsniff_skip(&b, 1), 0);
	assert_int_equal(b.offset, 0);
}

/* The bytes that were peeked at are the ones that are decoded. */
static void
the_very_bytes_go_on_to_the_decoder(void **state)
{
	static const size_t places[] = { 0, 1, 7, 64, 100 };
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size_t at = places[i], size = at + sizeof(image);
		uint8_t *bytes = malloc(size), pixels[8];
		struct imgsniff_buffer b = imgsniff_buffer_of(bytes, size);
		struct imgsniff_pixmap dst = {
			.struct_size = sizeof(dst), .pixels = pixels,
			.size = sizeof(pixels), .stride = 8,
			.width = 2, .height = 1, .layout = IMGSNIFF_RGBA8,
		};
		struct imgsniff_view head;
		enum imgsniff_format format;

		assert_non_null(bytes);
		memset(bytes, 'x', at);
		memcpy(bytes + at, image, sizeof(image));
		assert_int_equal(imgsniff_skip(&b, at), at);
		head = imgsniff_peek(&b, IMGSNIFF_DETECT_BYTES);
		assert_int_equal(imgsniff_detect(head.data, head.size, true,
						 &format), IMGSNIFF_OK);
		assert_int_equal(format, IMGSNIFF_FORMAT_GIF);

		assert_int_equal(imgsniff_open_buffer(d, &b, 0), IMGSNIFF_OK);

		assert_int_equal(b.offset, at);
		assert_ptr_equal(d->input.memory.data, head.data);
		assert_int_equal(d->input.memory.size, sizeof(image));
		assert_null(d->scratch[ISN_SCRATCH_INPUT].data);

		/* Changed in place, the change is seen: there is no copy. */
		bytes[at + 31] = 0x4C;	/* clear, 1, 1, end */
		assert_int_equal(imgsniff_decode_into(d, NULL, &dst),
				 IMGSNIFF_OK);
		assert_null(d->scratch[ISN_SCRATCH_INPUT].data);
		assert_memory_equal(pixels, "\0\0\xFF\xFF\0\0\xFF\xFF", 8);
		imgsniff_close(d);
		free(bytes);
	}
	imgsniff_free(d);
}

static void
offsets_of_errors_count_from_the_buffers_place(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct imgsniff_buffer b = imgsniff_buffer_of(image, 30);

	(void)state;
	assert_non_null(d);
	assert_int_equal(imgsniff_open_buffer(d, &b, 0),
			 IMGSNIFF_ERR_TRUNCATED);
	assert_int_equal(imgsniff_last_error(d)->offset, 30);

	assert_int_equal(imgsniff_skip(&b, 3), 3);
	assert_int_equal(imgsniff_open_buffer(d, &b, 0), IMGSNIFF_ERR_FORMAT);
	assert_int_equal(imgsniff_last_error(d)->offset, 0);
	imgsniff_free(d);
}

static void
a_buffer_at_its_end_is_empty_input(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct imgsniff_buffer b = imgsniff_buffer_of(image, sizeof(image));

	(void)state;
	assert_non_null(d);
	imgsniff_skip(&b, SIZE_MAX);
	assert_int_equal(imgsniff_open_buffer(d, &b, 0), IMGSNIFF_ERR_FORMAT);
	assert_string_equal(imgsniff_last_error(d)->message,
			    "format: the input is empty");
	assert_int_equal(imgsniff_open_buffer(d, &b, IMGSNIFF_PARTIAL),
			 IMGSNIFF_MORE);
	b = imgsniff_buffer_of(NULL, 0);
	assert_int_equal(imgsniff_open_buffer(d, &b, 0), IMGSNIFF_ERR_FORMAT);
	assert_null(imgsniff_get_info(d));
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(peek_shows_the_same_memory),
		cmocka_unit_test(peek_is_shorter_only_at_the_end),
		cmocka_unit_test(sizes_do_not_wrap),
		cmocka_unit_test(an_empty_buffer_has_a_place),
		cmocka_unit_test(the_very_bytes_go_on_to_the_decoder),
		cmocka_unit_test(offsets_of_errors_count_from_the_buffers_place),
		cmocka_unit_test(a_buffer_at_its_end_is_empty_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
