/*
 * test_reader.c - the cursor over the input, base/reader.c
 */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/reader.h"

/* What a source does with a peek for 'size' bytes. */
enum manner { EXACTLY, MORE_THAN_ASKED, NULL_AT_THE_END };

struct given {
	const uint8_t *data;
	size_t size;
	enum manner manner;
	unsigned int peeks;
	int error;
};

static int
given_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	struct given *g = user;
	size_t left;

	g->peeks++;
	if (g->error != 0)
		return g->error;
	left = offset < g->size ? g->size - (size_t)offset : 0;
	view->data = left > 0 ? g->data + offset : g->data;
	view->size = g->manner == EXACTLY && size < left ? size : left;
	if (left == 0 && g->manner == NULL_AT_THE_END)
		view->data = NULL;
	return 0;
}

static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

#define SOURCE(g) ((struct imgsniff_source){ given_peek, &(g) })

static void
integers_are_read_in_both_orders(void **state)
{
	struct given g = { .data = bytes, .size = sizeof(bytes) };
	struct imgsniff_source source = SOURCE(g);
	struct isn_reader r;
	(void)state;

	isn_reader_init(&r, &source);

	assert_int_equal(isn_u8(&r), 1);
	assert_int_equal(isn_u16be(&r), 0x0203);
	assert_int_equal(isn_u16le(&r), 0x0504);
	assert_int_equal(isn_u24le(&r), 0x080706);
	assert_int_equal(isn_u32be(&r), 0x090a0b0c);
	assert_int_equal(isn_tell(&r), 12);
	isn_seek(&r, 8);
	assert_int_equal(isn_u32le(&r), 0x0c0b0a09);
	assert_false(r.overrun);
}

static void
a_read_past_the_end_gives_zero_and_sticks(void **state)
{
	(void)state;
	for (int manner = EXACTLY; manner <= NULL_AT_THE_END; manner++) {
		struct given g = { .data = bytes, .size = sizeof(bytes),
				   .manner = (enum manner)manner };
		struct imgsniff_source source = SOURCE(g);
		struct isn_reader r;

		isn_reader_init(&r, &source);
		isn_seek(&r, 10);
		assert_int_equal(isn_u32be(&r), 0);

		assert_true(r.overrun);
		assert_int_equal(r.wanted, 14);
		assert_int_equal(isn_tell(&r), 12);
		assert_int_equal(r.io_error, 0);
		assert_int_equal(isn_u8(&r), 0);
		isn_seek(&r, 0);
		assert_int_equal(isn_u8(&r), 0);
		assert_null(isn_bytes(&r, 1));

		isn_reader_restart(&r, 0);
		assert_false(r.overrun);
		assert_int_equal(isn_u8(&r), 1);
	}
}

static void
a_seek_among_the_bytes_at_hand_does_not_peek(void **state)
{
	struct given g = { .data = bytes, .size = sizeof(bytes),
			   .manner = MORE_THAN_ASKED };
	struct imgsniff_source source = SOURCE(g);
	struct isn_reader r;
	(void)state;

	isn_reader_init(&r, &source);
	isn_u8(&r);
	isn_seek(&r, 5);
	assert_int_equal(isn_u8(&r), 6);
	isn_skip(&r, 3);
	assert_int_equal(isn_u8(&r), 10);
	assert_int_equal(g.peeks, 1);

	isn_seek(&r, 2);
	assert_int_equal(isn_u8(&r), 3);
	assert_int_equal(g.peeks, 2);
}

static void
a_skip_cannot_wrap_around(void **state)
{
	struct given g = { .data = bytes, .size = sizeof(bytes) };
	struct imgsniff_source source = SOURCE(g);
	struct isn_reader r;
	(void)state;

	isn_reader_init(&r, &source);
	isn_seek(&r, 7);
	isn_skip(&r, UINT64_MAX);
	assert_int_equal(isn_tell(&r), UINT64_MAX);
	assert_false(r.overrun);

	assert_int_equal(isn_u32le(&r), 0);
	assert_true(r.overrun);
	assert_true(r.wanted == UINT64_MAX);
}

static void
at_end_tells_a_clean_end_from_a_cut(void **state)
{
	(void)state;
	for (int manner = EXACTLY; manner <= NULL_AT_THE_END; manner++) {
		struct given g = { .data = bytes, .size = sizeof(bytes),
				   .manner = (enum manner)manner };
		struct imgsniff_source source = SOURCE(g);
		struct isn_reader r;

		isn_reader_init(&r, &source);
		assert_false(isn_at_end(&r));
		isn_seek(&r, 11);
		assert_false(isn_at_end(&r));
		isn_u8(&r);
		assert_true(isn_at_end(&r));
		assert_false(r.overrun);
		isn_seek(&r, 1000);
		assert_true(isn_at_end(&r));
		assert_false(r.overrun);
	}
}

static void
a_source_that_fails_is_told_by_the_read(void **state)
{
	struct given g = { .data = bytes, .size = sizeof(bytes) };
	struct imgsniff_source source = SOURCE(g);
	struct isn_reader r;
	(void)state;

	isn_reader_init(&r, &source);
	isn_u8(&r);
	g.error = EIO;
	assert_false(isn_at_end(&r));
	assert_int_equal(isn_u16le(&r), 0);

	assert_true(r.overrun);
	assert_int_equal(r.io_error, EIO);
	assert_int_equal(isn_tell(&r), 1);
}

static void
an_empty_source_may_say_null(void **state)
{
	struct given g = { .data = NULL, .size = 0 };
	struct imgsniff_source source = SOURCE(g);
	struct isn_reader r;
	(void)state;

	isn_reader_init(&r, &source);

	assert_true(isn_at_end(&r));
	assert_non_null(isn_bytes(&r, 0));
	assert_int_equal(isn_u8(&r), 0);
	assert_true(r.overrun);
	assert_int_equal(r.wanted, 1);
}

static void
nothing_behind_the_last_byte_is_touched(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct given g = { .data = pages + page - 5, .size = 5,
			   .manner = MORE_THAN_ASKED };
	struct imgsniff_source source = SOURCE(g);
	(void)state;

	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	for (size_t at = 0; at <= 5; at++) {
		struct isn_reader r;

		isn_reader_init(&r, &source);
		isn_seek(&r, at);
		isn_u32be(&r);
		isn_u24le(&r);
		assert_true(r.overrun);
	}
	munmap(pages, 2 * page);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_read_in_both_orders),
		cmocka_unit_test(a_read_past_the_end_gives_zero_and_sticks),
		cmocka_unit_test(a_seek_among_the_bytes_at_hand_does_not_peek),
		cmocka_unit_test(a_skip_cannot_wrap_around),
		cmocka_unit_test(at_end_tells_a_clean_end_from_a_cut),
		cmocka_unit_test(a_source_that_fails_is_told_by_the_read),
		cmocka_unit_test(an_empty_source_may_say_null),
		cmocka_unit_test(nothing_behind_the_last_byte_is_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
