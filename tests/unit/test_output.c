/*
 * test_output.c - standard output through one buffer, every flush checked
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"

static struct output out;

static int
file_new(void)
{
	FILE *f = tmpfile();
	int fd;

	assert_non_null(f);
	fd = dup(fileno(f));
	assert_true(fd >= 0);
	fclose(f);
	return fd;
}

static size_t
file_size(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return (size_t)st.st_size;
}

static void
record_write(const char *text)
{
	output_record_begin(&out);
	output_string(&out, text);
	output_record_end(&out);
}

static void
numbers_are_decimal(void **state)
{
	(void)state;
	out.used = 0;

	output_number(&out, 0);
	output_char(&out, ' ');
	output_number(&out, 1024);
	output_char(&out, ' ');
	output_number(&out, UINT64_MAX);
	output_format(&out, " %s%d", "x", -1);
	output_char(&out, '\0');

	assert_string_equal(out.bytes, "0 1024 18446744073709551615 x-1");
}

/* Whole records only, and never less than a block. */
static void
a_file_is_written_by_blocks(void **state)
{
	static const char record[] = "a record of some length, and its end\n";
	int fd = file_new();
	size_t written = 0, before = 0;

	(void)state;
	output_init(&out, fd);

	for (int i = 0; i < 10000; i++) {
		record_write(record);
		if (file_size(fd) == before)
			continue;
		assert_true(file_size(fd) - before >= OUTPUT_BLOCK);
		assert_int_equal(file_size(fd) % (sizeof(record) - 1), 0);
		before = file_size(fd);
	}
	assert_true(output_flush(&out));

	written = 10000 * (sizeof(record) - 1);
	assert_int_equal(file_size(fd), written);
	close(fd);
}

static void
a_record_may_be_larger_than_the_buffer(void **state)
{
	size_t size = 5 * OUTPUT_BLOCK;
	char *large = malloc(size), *found = malloc(size + 2);
	int fd = file_new();

	(void)state;
	assert_non_null(large);
	assert_non_null(found);
	memset(large, 'x', size);
	output_init(&out, fd);

	output_record_begin(&out);
	output_char(&out, '<');
	output_write(&out, large, size);
	output_char(&out, '>');
	output_record_end(&out);
	assert_true(output_flush(&out));

	assert_int_equal(pread(fd, found, size + 2, 0), size + 2);
	assert_int_equal(found[0], '<');
	assert_memory_equal(found + 1, large, size);
	assert_int_equal(found[size + 1], '>');
	free(large);
	free(found);
	close(fd);
}

static void
a_full_disk_is_remembered(void **state)
{
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	if (fd < 0)
		skip();
	output_init(&out, fd);

	for (int i = 0; i < 100000; i++)
		record_write("a record\n");

	assert_false(output_flush(&out));
	assert_int_equal(out.error, ENOSPC);
	close(fd);
}

static int woken;

static void
wake(void)
{
	woken++;
}

/* What a signal handler does that comes at such a moment. */
static void
a_signal_waits_for_the_end_of_the_record(void **state)
{
	int fd = file_new();

	(void)state;
	output_init(&out, fd);
	out.wake = wake;

	output_record_begin(&out);
	output_string(&out, "half of ");
	assert_true(out.busy);
	out.late = 1;
	output_flush(&out);
	assert_int_equal(woken, 0);
	output_string(&out, "it\n");
	output_record_end(&out);

	assert_int_equal(woken, 1);
	assert_false(out.busy);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_decimal),
		cmocka_unit_test(a_file_is_written_by_blocks),
		cmocka_unit_test(a_record_may_be_larger_than_the_buffer),
		cmocka_unit_test(a_full_disk_is_remembered),
		cmocka_unit_test(a_signal_waits_for_the_end_of_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
