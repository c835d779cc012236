/*
 * gif_build.h - GIFs built block by block, and how they are looked at
 *
 * The writer has an LZW encoder of its own. One image is built at a time, in 'g',
 * and read by one decoder, 'd'.
 */

#ifndef ISN_TESTS_GIF_BUILD_H
#define ISN_TESTS_GIF_BUILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <imgsniff.h>

/* ---- A writer of GIFs --------------------------------------------------- */

struct gif {
	size_t size;
	uint8_t bytes[200000];
};

static struct gif g;			/* the image being built */

static inline void
put(const void *bytes, size_t size)
{
	assert_true(size <= sizeof(g.bytes) - g.size);
	memcpy(g.bytes + g.size, bytes, size);
	g.size += size;
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
	put8(v & 255);
	put8(v >> 8);
}

/* Entry i of every colour table is this, moved on by 'shift'. */
static inline void
color_of(unsigned int i, unsigned int shift, uint8_t rgb[3])
{
	rgb[0] = (uint8_t)(i * 3 + shift);
	rgb[1] = (uint8_t)(255 - i * 5);
	rgb[2] = (uint8_t)(i * 37 + 11 + shift * 2);
}

static inline void
put_palette(unsigned int bits, unsigned int shift)
{
	for (unsigned int i = 0; i < 1u << bits; i++) {
		uint8_t rgb[3];

		color_of(i, shift, rgb);
		put(rgb, 3);
	}
}

/* Header and screen; a global table of 2^bits colours, none if bits is 0. */
static inline void
begin(unsigned int width, unsigned int height, unsigned int bits)
{
	g.size = 0;
	put("GIF89a", 6);
	put16(width);
	put16(height);
	put8(bits ? 0x80 | (bits - 1) : 0);
	put8(0);			/* background */
	put8(0);			/* aspect */
	if (bits)
		put_palette(bits, 0);
}

static inline void
put_trailer(void)
{
	put8(0x3B);
}

/* 'transparent' below 0: none. */
static inline void
put_control(unsigned int disposal, unsigned int delay, int transparent)
{
	put("\x21\xF9\x04", 3);
	put8(disposal << 2 | (transparent >= 0));
	put16(delay);
	put8(transparent >= 0 ? (unsigned int)transparent : 0);
	put8(0);
}

static inline void
put_loop(const char *identifier, unsigned int times)
{
	put("\x21\xFF\x0B", 3);
	put(identifier, 11);
	put("\x03\x01", 2);
	put16(times);
	put8(0);
}

enum coding {
	USUAL,
	NO_CLEAR = 1,			/* no clear code at the start */
	NO_END = 2,			/* no end code */
	KEEP_TABLE = 4,			/* a full table stays as it is */
};

struct codes {
	uint8_t bytes[150000];
	size_t size;
	uint32_t held;
	unsigned int count;
};

static struct codes codes;

static inline void
code_put(unsigned int code, unsigned int width)
{
	codes.held |= code << codes.count;
	for (codes.count += width; codes.count >= 8; codes.count -= 8) {
		codes.bytes[codes.size++] = (uint8_t)codes.held;
		codes.held >>= 8;
	}
}

static inline void
codes_end(void)
{
	if (codes.count > 0)
		codes.bytes[codes.size++] = (uint8_t)codes.held;
	codes.held = codes.count = 0;
}

/* Into 'codes'. The table is searched from end to end: images are small. */
static inline void
lzw_encode(const uint8_t *p, size_t n, unsigned int code_size,
	   unsigned int coding)
{
	static uint16_t prefix[4096];
	static uint8_t suffix[4096];
	const unsigned int clear = 1u << code_size;
	unsigned int next = clear + 2, width = code_size + 1, string;

	codes = (struct codes){ .size = 0 };
	if (!(coding & NO_CLEAR))
		code_put(clear, width);
	if (n == 0)
		string = clear;
	else
		string = p[0];
	for (size_t i = 1; i <= n; i++) {
		unsigned int found = 4096;

		for (unsigned int k = clear + 2; i < n && k < next; k++)
			if (prefix[k] == string && suffix[k] == p[i])
				found = k;
		if (found != 4096) {
			string = found;
			continue;
		}
		code_put(string, width);
		if (i == n)
			break;
		if (next < 4096) {
			prefix[next] = (uint16_t)string;
			suffix[next] = p[i];
			if (next == 1u << width && width < 12)
				width++;
			next++;
		} else if (!(coding & KEEP_TABLE)) {
			code_put(clear, width);
			next = clear + 2;
			width = code_size + 1;
		}
		string = p[i];
	}
	if (next == 1u << width && width < 12 && n > 0)
		width++;
	if (!(coding & NO_END))
		code_put(clear + 1, width);
	codes_end();
}

static inline void
put_codes(void)
{
	for (size_t at = 0; at < codes.size; at += 255) {
		size_t n = codes.size - at < 255 ? codes.size - at : 255;

		put8((unsigned int)n);
		put(codes.bytes + at, n);
	}
	put8(0);
}

static inline void
put_descriptor(unsigned int x, unsigned int y, unsigned int width,
	       unsigned int height, unsigned int flags)
{
	put8(0x2C);
	put16(x);
	put16(y);
	put16(width);
	put16(height);
	put8(flags);
}

/* A frame of these indices, without a colour table of its own. */
static inline void
put_frame(unsigned int x, unsigned int y, unsigned int width,
	  unsigned int height, unsigned int code_size, const uint8_t *indices)
{
	put_descriptor(x, y, width, height, 0);
	put8(code_size);
	lzw_encode(indices, (size_t)width * height, code_size, USUAL);
	put_codes();
}

/* The same, all of one index. */
static inline void
put_flat(unsigned int x, unsigned int y, unsigned int width,
	 unsigned int height, unsigned int index)
{
	static uint8_t indices[65536];

	memset(indices, (int)index, (size_t)width * height);
	put_frame(x, y, width, height, 2, indices);
}

static inline uint32_t
random_next(void)
{
	static uint32_t state = 1;

	state = state * 1664525u + 1013904223u;
	return state >> 8;
}

/* Runs and noise, so that strings of all lengths come up. */
static inline void
indices_make(uint8_t *p, size_t n, unsigned int bits)
{
	for (size_t i = 0; i < n; ) {
		uint8_t v = (uint8_t)(random_next() & ((1u << bits) - 1));
		size_t run = random_next() % 3 ? 1 : random_next() % 40 + 1;

		while (run-- > 0 && i < n)
			p[i++] = v;
	}
}

/* ---- Reading them ------------------------------------------------------- */

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
open_built(void)
{
	return imgsniff_open_memory(d, g.bytes, g.size, 0);
}

static inline const struct imgsniff_info *
open_good(void)
{
	assert_int_equal(open_built(), IMGSNIFF_OK);
	return imgsniff_get_info(d);
}

static inline void
assert_error(enum imgsniff_status status, uint64_t offset, const char *message)
{
	const struct imgsniff_error *e = imgsniff_last_error(d);

	assert_int_equal(e->status, status);
	assert_string_equal(e->message, message);
	assert_int_equal(e->offset, offset);
}

#define CANVAS_MAX	(200 * 200)

static uint8_t canvas[CANVAS_MAX * 4];
static uint32_t rows_valid;

static inline enum imgsniff_status
decode(unsigned int flags)
{
	const struct imgsniff_info *info = imgsniff_get_info(d);
	struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .flags = flags,
	};
	struct imgsniff_pixmap dst = {
		.struct_size = sizeof(dst), .pixels = canvas,
		.size = sizeof(canvas), .stride = 4 * (size_t)info->width,
		.width = info->width, .height = info->height,
		.layout = IMGSNIFF_RGBA8,
	};
	enum imgsniff_status st;

	memset(canvas, 0xEE, sizeof(canvas));
	st = imgsniff_decode_into(d, &o, &dst);
	rows_valid = dst.rows_valid;
	return st;
}

static inline void
decode_good(void)
{
	assert_int_equal(decode(0), IMGSNIFF_OK);
}

static inline void
next_good(void)
{
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
}

/* Index of the global table, or below 0: transparent. */
static inline void
assert_pixel(unsigned int x, unsigned int y, int index)
{
	const uint32_t width = imgsniff_get_info(d)->width;
	uint8_t want[4] = { 0, 0, 0, 0 };

	if (index >= 0) {
		color_of((unsigned int)index, 0, want);
		want[3] = 255;
	}
	assert_memory_equal(canvas + 4 * (y * width + x), want, 4);
}

static inline void
assert_picture(const uint8_t *indices, size_t n)
{
	const uint32_t width = imgsniff_get_info(d)->width;

	for (size_t i = 0; i < n; i++)
		assert_pixel((unsigned int)(i % width),
			     (unsigned int)(i / width), indices[i]);
}

/* ---- An animation with all there is ------------------------------------- */

#define STORY	12

/* An animation with all there is, and its canvases by decoding in order. */
static uint8_t story[STORY][20 * 16 * 4];

static inline void
story_tell(void)
{
	static uint8_t indices[20 * 16];

	begin(20, 16, 4);
	put_loop("NETSCAPE2.0", 0);
	for (unsigned int i = 0; i < STORY; i++) {
		unsigned int w = i ? 4 + i : 20, h = i ? 3 + i : 16;

		put_control(i % 5, i, i % 3 ? (int)(i % 16) : -1);
		indices_make(indices, (size_t)w * h, 4);
		put_frame(i, i / 2, w, h, 4, indices);
	}
	put_trailer();
	assert_int_equal(open_good()->frames, STORY);
	for (unsigned int i = 0; i < STORY; i++) {
		decode_good();
		memcpy(story[i], canvas, sizeof(story[i]));
		assert_int_equal(imgsniff_next_frame(d), i + 1 < STORY
				 ? IMGSNIFF_OK : IMGSNIFF_END);
	}
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif /* ISN_TESTS_GIF_BUILD_H */
