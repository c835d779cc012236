/*
 * test_memory.c - counting, limits, scratch and arena of base/memory.c
 */

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

/* malloc(), but the 'fail_at'th call (from 1) gives NULL. */
struct counter {
	unsigned int calls, fail_at;
	size_t live;			/* bytes */
};

static void *
counter_allocate(void *user, size_t size)
{
	struct counter *c = user;
	void *ptr = ++c->calls == c->fail_at ? NULL : malloc(size);

	if (ptr != NULL)
		c->live += size;
	return ptr;
}

static void
counter_release(void *user, void *ptr, size_t size)
{
	struct counter *c = user;

	assert_non_null(ptr);
	assert_true(c->live >= size);
	c->live -= size;
	free(ptr);
}

static struct isn_memory
memory_of(struct counter *c, uint64_t limit)
{
	return (struct isn_memory){
		.allocator = { counter_allocate, counter_release, c },
		.limit = limit,
	};
}

static void
what_is_used_is_counted_and_given_back(void **state)
{
	struct counter c = { 0 };
	struct isn_memory m = memory_of(&c, 1000);
	void *a, *b;
	(void)state;

	a = isn_memory_alloc(&m, 600);
	b = isn_memory_alloc(&m, 400);
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(m.used, 1000);

	isn_memory_free(&m, a, 600);
	isn_memory_free(&m, NULL, 600);
	assert_int_equal(m.used, 400);
	isn_memory_free(&m, b, 400);
	assert_int_equal(m.used, 0);
	assert_int_equal(c.live, 0);
}

static void
the_limit_is_kept_to_the_byte(void **state)
{
	struct counter c = { 0 };
	struct isn_memory m = memory_of(&c, 1000);
	(void)state;

	assert_null(isn_memory_alloc(&m, 1001));
	assert_true(m.over_limit);
	assert_int_equal(c.calls, 0);
	assert_true(isn_memory_reserve(&m, 999));
	assert_null(isn_memory_alloc(&m, 2));
	assert_true(m.over_limit);
	assert_false(isn_memory_reserve(&m, UINT64_MAX));
	assert_int_equal(m.used, 999);
	isn_memory_release(&m, 999);
	assert_int_equal(m.used, 0);
}

static void
the_allocators_refusal_is_not_the_limits(void **state)
{
	struct counter c = { .fail_at = 2 };
	struct isn_memory m = memory_of(&c, 1000);
	void *ptr;
	(void)state;

	assert_null(isn_memory_alloc(&m, 1001));
	ptr = isn_memory_alloc(&m, 10);
	assert_null(isn_memory_alloc(&m, 10));
	assert_false(m.over_limit);
	assert_int_equal(m.used, 10);
	isn_memory_free(&m, ptr, 10);
}

static void
scratch_is_reused_while_it_is_large_enough(void **state)
{
	struct counter c = { 0 };
	struct isn_memory m = memory_of(&c, 10000);
	struct isn_scratch s = { NULL, 0 };
	void *first;
	(void)state;

	first = isn_scratch_get(&m, &s, 100);
	assert_ptr_equal(isn_scratch_get(&m, &s, 50), first);
	assert_ptr_equal(isn_scratch_get(&m, &s, 0), first);
	assert_int_equal(c.calls, 1);
	assert_non_null(isn_scratch_get(&m, &s, 101));
	assert_int_equal(m.used, 101);
	assert_null(isn_scratch_get(&m, &s, 10001));
	assert_null(s.data);
	assert_int_equal(s.size, 0);
	assert_int_equal(m.used, 0);
	assert_non_null(isn_scratch_get(&m, &s, 0));
	isn_scratch_free(&m, &s);
	assert_int_equal(c.live, 0);
}

static void
scratch_that_grows_keeps_its_head(void **state)
{
	struct counter c = { .fail_at = 3 };
	struct isn_memory m = memory_of(&c, 10000);
	struct isn_scratch s = { NULL, 0 };
	(void)state;

	memcpy(isn_scratch_grow(&m, &s, 4, 0), "abcd", 4);
	assert_memory_equal(isn_scratch_grow(&m, &s, 400, 3), "abc", 3);
	assert_null(isn_scratch_grow(&m, &s, 401, 3));
	assert_memory_equal(s.data, "abc", 3);
	assert_int_equal(s.size, 400);
	isn_scratch_free(&m, &s);
	assert_int_equal(m.used, 0);
}

static void
arena_pieces_are_aligned_and_apart(void **state)
{
	struct counter c = { 0 };
	struct isn_memory m = memory_of(&c, 1 << 20);
	struct isn_arena arena = { .memory = &m };
	uint8_t *pieces[200];
	(void)state;

	for (size_t i = 0; i < 200; i++) {
		pieces[i] = isn_arena_alloc(&arena, i * 3);
		assert_non_null(pieces[i]);
		assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
		memset(pieces[i], (int)i, i * 3);
	}
	for (size_t i = 0; i < 200; i++)
		for (size_t k = 0; k < i * 3; k++)
			assert_int_equal(pieces[i][k], i);
	isn_arena_free(&arena);
	assert_int_equal(m.used, 0);
	assert_int_equal(c.live, 0);
}

static void
a_reset_arena_keeps_one_small_block(void **state)
{
	struct counter c = { 0 };
	struct isn_memory m = memory_of(&c, 1 << 20);
	struct isn_arena arena = { .memory = &m };
	unsigned int calls;
	uint8_t *p;
	(void)state;

	memset(isn_arena_alloc(&arena, 100), 0xff, 100);
	isn_arena_alloc(&arena, 100000);
	isn_arena_alloc(&arena, 8000);
	isn_arena_reset(&arena);
	assert_true(m.used > 0 && m.used < 10000);

	calls = c.calls;
	p = isn_arena_zalloc(&arena, 100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(p[i], 0);
	isn_arena_alloc(&arena, 4000);
	assert_int_equal(c.calls, calls);
	isn_arena_free(&arena);
	assert_int_equal(c.live, 0);
}

static void
sizes_that_would_wrap_are_over_the_limit(void **state)
{
	struct counter c = { 0 };
	struct isn_memory m = memory_of(&c, UINT64_MAX);
	struct isn_arena arena = { .memory = &m };
	(void)state;

	for (size_t below = 0; below < 64; below++) {
		m.over_limit = false;
		c.fail_at = c.calls + 1;
		assert_null(isn_arena_alloc(&arena, SIZE_MAX - below));
		assert_true(m.over_limit || c.calls == c.fail_at);
	}
	assert_int_equal(m.used, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_used_is_counted_and_given_back),
		cmocka_unit_test(the_limit_is_kept_to_the_byte),
		cmocka_unit_test(the_allocators_refusal_is_not_the_limits),
		cmocka_unit_test(scratch_is_reused_while_it_is_large_enough),
		cmocka_unit_test(scratch_that_grows_keeps_its_head),
		cmocka_unit_test(arena_pieces_are_aligned_and_apart),
		cmocka_unit_test(a_reset_arena_keeps_one_small_block),
		cmocka_unit_test(sizes_that_would_wrap_are_over_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
