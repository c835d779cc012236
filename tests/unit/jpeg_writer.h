/*
 * jpeg_writer.h - JPEGs built segment by segment, for unit tests
 *
 * Their only Huffman codes are "0" for a DC difference of zero and "0" for the end
 * of a block: two zero bits are a block of middle gray.
 */

#ifndef TESTS_UNIT_JPEG_WRITER_H
#define TESTS_UNIT_JPEG_WRITER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codec/jpeg/jpeg.h"

static struct {
	size_t size;
	uint8_t bytes[6u << 20];
} j;					/* the image being built */

static inline void
put(const void *bytes, size_t size)
{
	assert_true(size <= sizeof(j.bytes) - j.size);
	memcpy(j.bytes + j.size, bytes, size);
	j.size += size;
}

static inline void
put8(unsigned int v)
{
	uint8_t b = (uint8_t)v;

	put(&b, 1);
}

static inline void
put16(unsigned int v)
{
	put8(v >> 8);
	put8(v & 255);
}

static inline void
put_marker(unsigned int code)
{
	put8(0xFF);
	put8(code);
}

static inline void
put_segment(unsigned int code, const void *bytes, size_t size)
{
	put_marker(code);
	put16((unsigned int)size + 2);
	put(bytes, size);
}

/* The same value for all 64 coefficients. */
static inline void
put_dqt(unsigned int table)
{
	uint8_t bytes[65];

	memset(bytes, 1, sizeof(bytes));
	bytes[0] = (uint8_t)table;
	put_segment(JPEG_DQT, bytes, sizeof(bytes));
}

/* DC << 0 or AC << 4, and the one code "0" for symbol 0. */
static inline void
put_dht(unsigned int kind)
{
	uint8_t bytes[18] = { (uint8_t)kind, 1 };

	put_segment(JPEG_DHT, bytes, sizeof(bytes));
}

static inline void
put_sof(unsigned int code, unsigned int precision, unsigned int width,
	unsigned int height, const char *ids, unsigned int sampling)
{
	unsigned int count = (unsigned int)strlen(ids);

	put_marker(code);
	put16(8 + 3 * count);
	put8(precision);
	put16(height);
	put16(width);
	put8(count);
	for (unsigned int i = 0; i < count; i++) {
		put8((unsigned char)ids[i]);
		put8(sampling);
		put8(0);		/* quantisation table */
	}
}

static inline void
put_sos(const char *ids, unsigned int first, unsigned int last,
	unsigned int bits)
{
	unsigned int count = (unsigned int)strlen(ids);

	put_marker(JPEG_SOS);
	put16(6 + 2 * count);
	put8(count);
	for (unsigned int i = 0; i < count; i++) {
		put8((unsigned char)ids[i]);
		put8(0);		/* tables 0 and 0 */
	}
	put8(first);
	put8(last);
	put8(bits);
}

static inline void
put_zeros(size_t size)
{
	while (size-- > 0)
		put8(0);
}

static inline void
begin(void)
{
	j.size = 0;
	put_marker(JPEG_SOI);
}

static inline void
put_tables(void)
{
	put_dqt(0);
	put_dht(0x00);
	put_dht(0x10);
}

/* From the tables to EOI: baseline, one interleaved scan. */
static inline void
put_rest(unsigned int width, unsigned int height, const char *ids)
{
	size_t blocks = ((width + 7) / 8) * ((height + 7) / 8) * strlen(ids);

	put_tables();
	put_sof(JPEG_SOF0, 8, width, height, ids, 0x11);
	put_sos(ids, 0, 63, 0);
	put_zeros((blocks + 3) / 4);
	put_marker(JPEG_EOI);
}

static inline void
put_adobe(unsigned int transform)
{
	uint8_t bytes[12] = "Adobe\0d";	/* version 100, flags 0 and 0 */

	bytes[11] = (uint8_t)transform;
	put_segment(JPEG_APP14, bytes, sizeof(bytes));
}

static inline void
put_jfif(void)
{
	put_segment(JPEG_APP0, "JFIF\0\1\1\0\0\1\0\1\0", 14);
}

/* ---- What is done with them ----------------------------------------------- */

static struct imgsniff_decoder *d;

static inline int
setup(void **state)
{
	(void)state;
	d = imgsniff_new(NULL);
	return d == NULL;
}

static inline int
teardown(void **state)
{
	(void)state;
	imgsniff_free(d);
	return 0;
}

static inline enum imgsniff_status
open_image(void)
{
	return imgsniff_open_memory(d, j.bytes, j.size, 0);
}

static inline enum imgsniff_status
decode_open(void)
{
	struct imgsniff_image *image = NULL;
	enum imgsniff_status st = imgsniff_decode(d, NULL, &image);

	imgsniff_image_free(image);
	return st;
}

static inline enum imgsniff_status
open_and_decode(void)
{
	enum imgsniff_status st = open_image();

	return st == IMGSNIFF_OK ? decode_open() : st;
}

static inline void
assert_size(unsigned int width, unsigned int height)
{
	assert_int_equal(d->info.width, width);
	assert_int_equal(d->info.height, height);
}

static inline void
assert_error(enum imgsniff_status status, const char *message)
{
	assert_int_equal(d->error.status, status);
	assert_string_equal(d->error.message, message);
}

#endif /* TESTS_UNIT_JPEG_WRITER_H */
