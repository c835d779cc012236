/*
 * test_exif.c - the orientation in Exif's IFD0, meta/exif.c
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "meta/exif.h"

static int
view_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	const struct imgsniff_view *all = user;
	size_t left = offset < all->size ? all->size - (size_t)offset : 0;

	(void)size;
	*view = (struct imgsniff_view){ all->data + all->size - left, left };
	return 0;
}

/* The structure is all there is, in a heap block of its exact size. */
static uint8_t
orientation_of(const uint8_t *tiff, size_t size, bool *overrun)
{
	uint8_t *copy = malloc(size + 1);
	struct imgsniff_view all = { copy, size };
	struct imgsniff_source source = { view_peek, &all };
	struct isn_reader r;
	uint8_t found;

	assert_non_null(copy);
	copy = realloc(copy, size ? size : 1);
	all.data = copy;
	memcpy(copy, tiff, size);
	isn_reader_init(&r, &source);
	found = isn_exif_orientation(&r, 0, size);
	if (overrun != NULL)
		*overrun = r.overrun;
	else
		assert_false(r.overrun);
	free(copy);
	return found;
}

static const uint8_t little[] = {
	'I', 'I', 42, 0, 10, 0, 0, 0,	/* IFD0 at 10 */
	0xee, 0xee,
	2, 0,				/* entries */
	0x0f, 1, 2, 0, 4, 0, 0, 0, 'a', 'b', 'c', 0,	/* maker */
	0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0xee, 0xee,	/* orientation */
	0, 0, 0, 0,			/* no IFD1 */
};

static const uint8_t big[] = {
	'M', 'M', 0, 42, 0, 0, 0, 8,	/* IFD0 at 8 */
	0, 1,				/* entries */
	1, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0,
	0, 0, 0, 0,
};

enum { BIG_TAG = 10, BIG_TYPE = 12, BIG_COUNT = 14, BIG_VALUE = 18 };

static void
both_byte_orders_are_read(void **state)
{
	(void)state;
	assert_int_equal(orientation_of(little, sizeof(little), NULL), 6);
	assert_int_equal(orientation_of(big, sizeof(big), NULL), 8);
}

static void
values_other_than_1_to_8_count_as_none(void **state)
{
	uint8_t tiff[sizeof(big)];
	(void)state;

	memcpy(tiff, big, sizeof(big));
	for (unsigned int value = 0; value < 65536; value++) {
		tiff[BIG_VALUE] = (uint8_t)(value >> 8);
		tiff[BIG_VALUE + 1] = (uint8_t)value;
		assert_int_equal(orientation_of(tiff, sizeof(tiff), NULL),
				 value <= 8 ? value : 0);
	}
}

static void
one_short_or_long_is_wanted(void **state)
{
	uint8_t tiff[sizeof(big)];
	(void)state;

	memcpy(tiff, big, sizeof(big));
	tiff[BIG_TYPE + 1] = 2;		/* text */
	assert_int_equal(orientation_of(tiff, sizeof(tiff), NULL), 0);
	tiff[BIG_TYPE + 1] = 4;		/* LONG: 0, 8, 0, 0 is too large */
	assert_int_equal(orientation_of(tiff, sizeof(tiff), NULL), 0);
	memcpy(tiff + BIG_VALUE, "\0\0\0\5", 4);
	assert_int_equal(orientation_of(tiff, sizeof(tiff), NULL), 5);

	memcpy(tiff, big, sizeof(big));
	tiff[BIG_COUNT + 3] = 2;
	assert_int_equal(orientation_of(tiff, sizeof(tiff), NULL), 0);
	memcpy(tiff + BIG_COUNT, "\1\0\0\1", 4);
	assert_int_equal(orientation_of(tiff, sizeof(tiff), NULL), 0);
}

static void
a_header_that_is_not_tiff_is_passed_over(void **state)
{
	uint8_t tiff[sizeof(big)];
	(void)state;

	for (size_t i = 0; i < 4; i++) {
		memcpy(tiff, big, sizeof(big));
		tiff[i] ^= 1;
		assert_int_equal(orientation_of(tiff, sizeof(tiff), NULL), 0);
	}
}

static void
a_count_too_high_does_not_spoil_the_entries_there_are(void **state)
{
	uint8_t tiff[sizeof(big)];
	bool overrun;
	(void)state;

	memcpy(tiff, big, sizeof(big));
	memcpy(tiff + 8, "\xff\xff", 2);
	assert_int_equal(orientation_of(tiff, sizeof(tiff), &overrun), 8);
	tiff[BIG_TAG] = 9;
	assert_int_equal(orientation_of(tiff, sizeof(tiff), &overrun), 0);
	assert_false(overrun);
}

static void
an_offset_outside_of_the_structure_is_none(void **state)
{
	static const uint32_t offsets[] = {
		25, 26, 27, 255, 0x7fffffff, 0xfffffffe, 0xffffffff,
	};
	uint8_t tiff[sizeof(big)];
	(void)state;

	memcpy(tiff, big, sizeof(big));
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		for (int k = 0; k < 4; k++)
			tiff[4 + k] = (uint8_t)(offsets[i] >> (24 - 8 * k));
		assert_int_equal(orientation_of(tiff, sizeof(tiff), NULL), 0);
	}
}

static void
every_length_is_survived(void **state)
{
	(void)state;
	for (size_t size = 0; size <= sizeof(little); size++)
		assert_int_equal(orientation_of(little, size, NULL),
				 size >= sizeof(little) - 4 ? 6 : 0);
}

static void
nothing_outside_of_the_structure_is_used(void **state)
{
	uint8_t file[8 + sizeof(big)] = "outside";
	struct imgsniff_view all = { file, sizeof(file) };
	struct imgsniff_source source = { view_peek, &all };
	struct isn_reader r;
	(void)state;

	memcpy(file + 8, big, sizeof(big));
	isn_reader_init(&r, &source);
	assert_int_equal(isn_exif_orientation(&r, 8, sizeof(big)), 8);
	/* The entry is there, but belongs to somebody else. */
	assert_int_equal(isn_exif_orientation(&r, 8, 21), 0);
	assert_false(r.overrun);
}

static void
an_input_that_ends_inside_overruns(void **state)
{
	struct imgsniff_view all = { big, 15 };
	struct imgsniff_source source = { view_peek, &all };
	struct isn_reader r;
	(void)state;

	isn_reader_init(&r, &source);
	assert_int_equal(isn_exif_orientation(&r, 0, sizeof(big)), 0);
	assert_true(r.overrun);
	assert_int_equal(r.wanted, 22);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_byte_orders_are_read),
		cmocka_unit_test(values_other_than_1_to_8_count_as_none),
		cmocka_unit_test(one_short_or_long_is_wanted),
		cmocka_unit_test(a_header_that_is_not_tiff_is_passed_over),
		cmocka_unit_test(
			a_count_too_high_does_not_spoil_the_entries_there_are),
		cmocka_unit_test(an_offset_outside_of_the_structure_is_none),
		cmocka_unit_test(every_length_is_survived),
		cmocka_unit_test(nothing_outside_of_the_structure_is_used),
		cmocka_unit_test(an_input_that_ends_inside_overruns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
