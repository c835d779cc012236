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
verdict_check(struct imgsniff_decoder *decoder)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };

	assert_int_equal(imgsniff_check(decoder, &v), IMGSNIFF_OK);
	return v;
}

static struct imgsniff_verdict
verdict_from_memory(struct imgsniff_decoder *decoder, const void *data,
		    size_t size)
{
	uint8_t *exact = malloc(size);
	struct imgsniff_verdict v;

	assert_non_null(exact);
	memcpy(exact, data, size);
	(void)!imgsniff_open_memory(decoder, exact, size, 0);
	v = verdict_check(decoder);
	imgsniff_close(decoder);
	free(exact);
	return v;
}

static struct imgsniff_verdict
verdict_from_file(struct imgsniff_decoder *decoder, const void *data,
		  size_t size)
{
	char name[] = "/tmp/imgsniff-verdict-XXXXXX";
	int fd = mkstemp(name);
	struct imgsniff_verdict v;

	assert_true(fd >= 0);
	unlink(name);
	assert_int_equal(write(fd, data, size), size);
	(void)!imgsniff_open_fd(decoder, fd, 0);
	v = verdict_check(decoder);
	imgsniff_close(decoder);
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
	struct imgsniff_decoder *decoder = imgsniff_new(NULL);
	struct imgsniff_verdict v, file;

	assert_non_null(decoder);
	v = verdict_from_memory(decoder, data, size);
	if (message != NULL) {
		assert_non_null(v.message);
		assert_string_equal(v.message, message);
	} else {
		assert_null(v.message);
	}
	assert_int_equal(v.integrity, integrity);
	file = verdict_from_file(decoder, data, size);
	verdict_same(&v, &file);
	imgsniff_free(decoder);
	return v;
}

/* Is this one of the faults of the bytes? */
VERDICT_UNUSED static bool
verdict_has_fault(const void *data, size_t size, const char *message)
{
	struct imgsniff_decoder *decoder = imgsniff_new(NULL);
	const struct imgsniff_error *e;
	bool found = false;

	assert_non_null(decoder);
	(void)!imgsniff_open_memory(decoder, data, size, 0);
	verdict_check(decoder);
	for (size_t i = 0; (e = imgsniff_get_fault(decoder, i)) != NULL; i++)
		found |= strcmp(e->message, message) == 0;
	imgsniff_free(decoder);
	return found;
}

/* No piece of a still image that ends before it does may pass for whole. */
VERDICT_UNUSED static void
verdict_expect_cuts(const uint8_t *data, size_t size, size_t from)
{
	struct imgsniff_decoder *decoder = imgsniff_new(NULL);

	assert_non_null(decoder);
	for (size_t n = from; n < size; n++) {
		struct imgsniff_verdict v = verdict_from_memory(decoder, data, n);

		assert_int_not_equal(v.integrity, IMGSNIFF_INTACT);
		assert_int_not_equal(v.integrity, IMGSNIFF_UNCHECKED);
		assert_non_null(v.message);
		if (v.integrity == IMGSNIFF_TOLERABLE)
			assert_int_equal(v.frames_valid, 1);
	}
	imgsniff_free(decoder);
}

#endif /* TESTS_UNIT_VERDICT_H */
