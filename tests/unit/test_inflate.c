/*
 * test_inflate.c - base/inflate.h: whole streams, pieces, faults, memory
 */

#include <setjmp.h>
#include <stdarg.h>

#include "png_make.h"

#include <cmocka.h>

#include "base/crc.h"
#include "base/inflate.h"

struct fixture {
	struct isn_memory memory;
	struct isn_inflate z;
	unsigned int allocations;
	struct bytes raw, stream;
};

static void *
count_allocate(void *user, size_t size)
{
	((struct fixture *)user)->allocations++;
	return malloc(size);
}

static void
count_release(void *user, void *ptr, size_t size)
{
	(void)user;
	(void)size;
	free(ptr);
}

/* 70000 bytes that compress, but not to nothing. */
static int
setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	uint32_t random = 5;

	must(f != NULL);
	f->memory.allocator = (struct imgsniff_allocator){
		count_allocate, count_release, f,
	};
	f->memory.limit = 1 << 20;
	for (int i = 0; i < 70000; i++) {
		uint8_t byte = (uint8_t)(random_next(&random) & 15);

		bytes_add(&f->raw, &byte, 1);
	}
	f->stream = zlib_stream(&f->raw, 6);
	*state = f;
	return 0;
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	isn_inflate_release(&f->z, &f->memory);
	must(f->memory.used == 0);
	bytes_free(&f->raw);
	bytes_free(&f->stream);
	free(f);
	return 0;
}

static enum isn_inflate_status
whole(struct fixture *f, size_t in_size, size_t room, size_t *used)
{
	uint8_t *in = bytes_exact(&f->stream, in_size);
	uint8_t *out = malloc(room);
	enum isn_inflate_status st;

	must(out != NULL);
	st = isn_inflate_whole(&f->z, &f->memory, in, in_size, out, room, used);
	if (st == ISN_INFLATE_END)
		assert_memory_equal(out, f->raw.data, *used);
	free(out);
	free(in);
	return st;
}

static void
a_whole_stream_is_inflated_at_once(void **state)
{
	struct fixture *f = *state;
	size_t used;

	assert_int_equal(whole(f, f->stream.size, 70000, &used),
			 ISN_INFLATE_END);
	assert_int_equal(used, 70000);
	assert_int_equal(whole(f, f->stream.size, 80000, &used),
			 ISN_INFLATE_END);
	assert_int_equal(used, 70000);
}

static void
a_whole_stream_must_fit_and_be_whole(void **state)
{
	struct fixture *f = *state;
	size_t used;

	assert_int_equal(whole(f, f->stream.size, 69999, &used),
			 ISN_INFLATE_FULL);
	assert_int_not_equal(whole(f, f->stream.size - 1, 70000, &used),
			     ISN_INFLATE_END);
	f->stream.data[f->stream.size - 1] ^= 1;
	assert_int_not_equal(whole(f, f->stream.size, 70000, &used),
			     ISN_INFLATE_END);
}

static void
what_follows_a_whole_stream_is_only_counted(void **state)
{
	struct fixture *f = *state;
	size_t used;

	assert_int_equal(whole(f, f->stream.size, 70000, &used),
			 ISN_INFLATE_END);
	assert_int_equal(f->z.behind, 0);
	bytes_add(&f->stream, "and more", 8);
	assert_int_equal(whole(f, f->stream.size, 70000, &used),
			 ISN_INFLATE_END);
	assert_int_equal(used, 70000);
	assert_int_equal(f->z.behind, 8);
}

/* Feeds 'part' bytes at a time and reads 'step'. Stops at any other status. */
static enum isn_inflate_status
pieces(struct fixture *f, size_t part, size_t step, struct bytes *out,
       size_t *place)
{
	enum isn_inflate_status st;
	size_t fed = 0, used;
	uint8_t room[4096];

	out->size = 0;
	must(isn_inflate_begin(&f->z, &f->memory));
	for (;;) {
		st = isn_inflate_read(&f->z, room, step, &used);
		bytes_add(out, room, used);
		*place = fed - isn_inflate_left(&f->z);
		if (st == ISN_INFLATE_HUNGRY && fed < f->stream.size) {
			size_t size = f->stream.size - fed;

			if (size > part)
				size = part;
			isn_inflate_feed(&f->z, f->stream.data + fed, size);
			fed += size;
		} else if (st != ISN_INFLATE_FULL) {
			return st;
		}
	}
}

static void
pieces_of_any_size_give_the_same(void **state)
{
	static const size_t sizes[] = { 1, 2, 7, 100, 4096 };
	struct fixture *f = *state;
	struct bytes out = { NULL, 0, 0 };
	size_t place;

	for (int i = 0; i < 25; i++) {
		assert_int_equal(pieces(f, sizes[i / 5], sizes[i % 5], &out,
					&place), ISN_INFLATE_END);
		assert_int_equal(out.size, 70000);
		assert_memory_equal(out.data, f->raw.data, 70000);
		assert_int_equal(place, f->stream.size);
	}
	bytes_free(&out);
}

static void
a_stream_that_stops_is_hungry(void **state)
{
	struct fixture *f = *state;
	struct bytes out = { NULL, 0, 0 };
	size_t place;

	for (size_t cut = 1; cut < 6; cut++) {
		f->stream.size -= cut;
		assert_int_equal(pieces(f, 1000, 100, &out, &place),
				 ISN_INFLATE_HUNGRY);
		assert_memory_equal(out.data, f->raw.data, out.size);
		assert_int_equal(place, f->stream.size);
		f->stream.size += cut;
	}
	bytes_free(&out);
}

static void
a_wrong_checksum_comes_after_all_bytes(void **state)
{
	struct fixture *f = *state;
	struct bytes out = { NULL, 0, 0 };
	size_t place;

	f->stream.data[f->stream.size - 2] ^= 1;
	assert_int_equal(pieces(f, 1000, 100, &out, &place),
			 ISN_INFLATE_CHECKSUM);
	assert_int_equal(out.size, 70000);
	assert_memory_equal(out.data, f->raw.data, 70000);
	bytes_free(&out);
}

/* A stored block whose length and its complement do not agree. */
static void
damage_is_found_where_it_is(void **state)
{
	static const uint8_t bad[] = { 0x78, 0x01, 0, 3, 0, 252, 255, 'a', 'b',
				       'c', 0, 3, 0, 0, 0, 'a', 'b', 'c' };
	struct fixture *f = *state;
	struct bytes out = { NULL, 0, 0 };
	size_t place;

	f->stream.size = 0;
	bytes_add(&f->stream, bad, sizeof(bad));
	assert_int_equal(pieces(f, 5, 100, &out, &place), ISN_INFLATE_DAMAGED);
	assert_int_equal(out.size, 3);
	assert_in_range(place, 11, 15);
	bytes_free(&out);
}

static void
a_second_stream_allocates_nothing(void **state)
{
	struct fixture *f = *state;
	struct bytes out = { NULL, 0, 0 };
	unsigned int before;
	size_t place;

	pieces(f, 1000, 100, &out, &place);
	whole(f, f->stream.size, 70000, &place);
	before = f->allocations;
	pieces(f, 1000, 100, &out, &place);
	whole(f, f->stream.size, 70000, &place);

	assert_true(before > 0);
	assert_int_equal(f->allocations, before);
	bytes_free(&out);
}

static void
memory_that_is_refused_is_told(void **state)
{
	struct fixture *f = *state;
	size_t used;

	f->memory.limit = 100;
	assert_false(isn_inflate_begin(&f->z, &f->memory));
	assert_int_equal(whole(f, f->stream.size, 70000, &used),
			 ISN_INFLATE_MEMORY);
	assert_true(f->memory.over_limit);

	/* Room for the state, but not for the window. */
	f->memory.limit = 12000;
	assert_true(isn_inflate_begin(&f->z, &f->memory));
	isn_inflate_feed(&f->z, f->stream.data, 1000);
	{
		uint8_t out[64];

		assert_int_equal(isn_inflate_read(&f->z, out, 64, &used),
				 ISN_INFLATE_MEMORY);
	}
}

static void
crc_is_that_of_the_standard(void **state)
{
	(void)state;
	assert_int_equal(isn_crc32(0, "123456789", 9), 0xCBF43926);
	assert_int_equal(isn_crc32(isn_crc32(0, "1234", 4), "56789", 5),
			 0xCBF43926);
	assert_int_equal(isn_crc32(7, "", 0), 7);
}

int
main(void)
{
#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_whole_stream_is_inflated_at_once),
		TEST(a_whole_stream_must_fit_and_be_whole),
		TEST(what_follows_a_whole_stream_is_only_counted),
		TEST(pieces_of_any_size_give_the_same),
		TEST(a_stream_that_stops_is_hungry),
		TEST(a_wrong_checksum_comes_after_all_bytes),
		TEST(damage_is_found_where_it_is),
		TEST(a_second_stream_allocates_nothing),
		TEST(memory_that_is_refused_is_told),
		TEST(crc_is_that_of_the_standard),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
