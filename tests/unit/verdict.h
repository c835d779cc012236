/*
 * verdict.h - what imgsniff_check() says of some bytes, for tests
 */

#ifndef TESTS_UNIT_VERDICT_H
#define TESTS_UNIT_VERDICT_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <imgsniff.h>

#define VERDICT_UNUSED	__attribute__((unused))


static struct imgsniff_verdict
verdict_check(struct imgsniff_decoder *d)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };

	assert_int_equal(imgsniff_check(d, &v), IMGSNIFF_OK);
	return v;
}

static struct imgsniff_verdict
verdict_from_memory(struct imgsniff_decoder *d, const void *data, size_t size)
{
	uint8_t *exact = malloc(size);
	struct imgsniff_verdict v;

	assert_non_null(exact);
	memcpy(exact, data, size);
	(void)!imgsniff_open_memory(d, exact, size, 0);
	v = verdict_check(d);
	imgsniff_close(d);
	free(exact);
	return v;
}

static struct imgsniff_verdict
verdict_from_file(struct imgsniff_decoder *d, const void *data, size_t size)
{
	char name[] = "/tmp/imgsniff-verdict-XXXXXX";
	int fd = mkstemp(name);
	struct imgsniff_verdict v;

	assert_true(fd >= 0);
	unlink(name);
	assert_int_equal(write(fd, data, size), size);
	(void)!imgsniff_open_fd(d, fd, 0);
	v = verdict_check(d);
	imgsniff_close(d);
	close(fd);
	return v;
}

static void
verdict_same(const struct imgsniff_verdict *a, const struct imgsniff_verdict *b)
{
	assert_int_equal(a->integrity, b->integrity);
	assert_int_equal(a->status, b->status);
	assert_int_equal(a->frames_valid, b->frames_valid);
	assert_int_equal(a->rows_valid, b->rows_valid);
	assert_int_equal(a->end_offset, b->end_offset);
	assert_int_equal(a->trailing_bytes, b->trailing_bytes);
	assert_int_equal(a->trailer, b->trailer);
	assert_int_equal(a->offset, b->offset);
	assert_ptr_equal(a->message, b->message);
}

/*
 * The verdict must be 'integrity', and 'message' the first fault that makes it
 * so: whichever way the bytes are read.
 */
VERDICT_UNUSED static struct imgsniff_verdict
verdict_expect(const void *data, size_t size, enum imgsniff_integrity integrity,
	       const char *message)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct imgsniff_verdict v, file;

	assert_non_null(d);
	v = verdict_from_memory(d, data, size);
	if (message != NULL) {
		assert_non_null(v.message);
		assert_string_equal(v.message, message);
	} else {
		assert_null(v.message);
	}
	assert_int_equal(v.integrity, integrity);
	file = verdict_from_file(d, data, size);
	verdict_same(&v, &file);
	imgsniff_free(d);
	return v;
}

/* Is this one of the faults of the bytes? */
VERDICT_UNUSED static bool
verdict_has_fault(const void *data, size_t size, const char *message)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	const struct imgsniff_error *e;
	bool found = false;

	assert_non_null(d);
	(void)!imgsniff_open_memory(d, data, size, 0);
	verdict_check(d);
	for (size_t i = 0; (e = imgsniff_get_fault(d, i)) != NULL; i++)
		found |= strcmp(e->message, message) == 0;
	imgsniff_free(d);
	return found;
}

/* No piece of a still image that ends before it does may pass for whole. */
VERDICT_UNUSED static void
verdict_expect_cuts(const uint8_t *data, size_t size, size_t from)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	assert_non_null(d);
	for (size_t n = from; n < size; n++) {
		struct imgsniff_verdict v = verdict_from_memory(d, data, n);

		assert_int_not_equal(v.integrity, IMGSNIFF_INTACT);
		assert_int_not_equal(v.integrity, IMGSNIFF_UNCHECKED);
		assert_non_null(v.message);
		if (v.integrity == IMGSNIFF_TOLERABLE)
			assert_int_equal(v.frames_valid, 1);
	}
	imgsniff_free(d);
}

#endif /* TESTS_UNIT_VERDICT_H */
