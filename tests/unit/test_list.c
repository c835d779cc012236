/*
 * test_list.c - names from a file, one after another
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/list.h"

static struct list l;			/* large */

/* A list of these bytes. */
static void
list_of(const char *bytes, size_t size, bool null)
{
	char path[] = "/tmp/test-list-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
	assert_int_equal(list_open(&l, path, null), 0);
	unlink(path);
}

static void
expect_name(const char *name)
{
	struct list_name n = list_next(&l);

	assert_non_null(n.name);
	assert_string_equal(n.name, name);
	assert_int_equal(n.error, 0);
}

static void
expect_end(void)
{
	struct list_name n = list_next(&l);

	assert_null(n.name);
	assert_int_equal(n.error, 0);
	list_close(&l);
}

static void
a_last_line_without_newline_counts(void **state)
{
	static const char bytes[] = "a\nb c";

	(void)state;
	list_of(bytes, sizeof(bytes) - 1, false);

	expect_name("a");
	expect_name("b c");
	expect_end();
}

static void
empty_names_are_ignored(void **state)
{
	static const char bytes[] = "\n\na\n\n\nb\n\n";

	(void)state;
	list_of(bytes, sizeof(bytes) - 1, false);

	expect_name("a");
	expect_name("b");
	expect_end();
}

static void
an_empty_list_has_no_names(void **state)
{
	(void)state;
	list_of("", 0, false);

	expect_end();
}

static void
with_null_a_newline_is_a_part_of_the_name(void **state)
{
	static const char bytes[] = "a\nb\0\0\xff\\n\0c";

	(void)state;
	list_of(bytes, sizeof(bytes) - 1, true);

	expect_name("a\nb");
	expect_name("\xff\\n");
	expect_name("c");
	expect_end();
}

static void
a_nul_in_a_line_is_an_error_not_another_name(void **state)
{
	static const char bytes[] = "a\0b\nc\n";
	struct list_name n;

	(void)state;
	list_of(bytes, sizeof(bytes) - 1, false);

	n = list_next(&l);
	assert_string_equal(n.name, "a");
	assert_int_equal(n.error, EINVAL);
	expect_name("c");
	expect_end();
}

static void
a_name_that_is_too_long_is_told_once_and_passed_over(void **state)
{
	static const size_t sizes[] = { 65536, 65537, 131072, 300000 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		size_t size = sizes[i];
		char *bytes = malloc(size + 5);
		struct list_name n;

		assert_non_null(bytes);
		memcpy(bytes, "a\n", 2);
		memset(bytes + 2, 'x', size);
		memcpy(bytes + 2 + size, "\nb\n", 3);
		list_of(bytes, size + 5, false);

		expect_name("a");
		n = list_next(&l);
		assert_non_null(n.name);
		assert_int_equal(n.error, ENAMETOOLONG);
		expect_name("b");
		expect_end();
		free(bytes);
	}
}

static void
many_names_cross_the_ends_of_the_buffer(void **state)
{
	enum { COUNT = 50000, SIZE = 8 };
	char *bytes = malloc(COUNT * SIZE);
	char name[16];

	(void)state;
	assert_non_null(bytes);
	for (int i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "n%06d\n", i);
		memcpy(bytes + i * SIZE, name, SIZE);
	}
	list_of(bytes, COUNT * SIZE, false);

	for (int i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "n%06d", i);
		expect_name(name);
	}
	expect_end();
	free(bytes);
}

static void
a_name_is_handed_out_before_the_next_one_comes(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	list_of("", 0, false);
	list_close(&l);
	l.fd = ends[0];
	l.ended = false;

	assert_int_equal(write(ends[1], "first\nsec", 9), 9);
	expect_name("first");
	assert_int_equal(write(ends[1], "ond\n", 4), 4);
	expect_name("second");
	close(ends[1]);
	expect_end();
}

static void
a_list_that_cannot_be_read_says_so(void **state)
{
	struct list_name n;

	(void)state;
	assert_int_equal(list_open(&l, "/nonexistent/list", false), ENOENT);
	assert_int_equal(list_open(&l, "/", false), 0);

	n = list_next(&l);

	assert_null(n.name);
	assert_int_equal(n.error, EISDIR);
	list_close(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_last_line_without_newline_counts),
		cmocka_unit_test(empty_names_are_ignored),
		cmocka_unit_test(an_empty_list_has_no_names),
		cmocka_unit_test(with_null_a_newline_is_a_part_of_the_name),
		cmocka_unit_test(a_nul_in_a_line_is_an_error_not_another_name),
		cmocka_unit_test(
			a_name_that_is_too_long_is_told_once_and_passed_over),
		cmocka_unit_test(many_names_cross_the_ends_of_the_buffer),
		cmocka_unit_test(
			a_name_is_handed_out_before_the_next_one_comes),
		cmocka_unit_test(a_list_that_cannot_be_read_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
