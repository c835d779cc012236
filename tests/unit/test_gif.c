/*
 * test_gif.c - structure, pixels and frames of codec/gif
 *
 * The images are built here, block by block, by a small writer with an LZW
 * encoder of its own.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <imgsniff.h>

/* ---- A writer of GIFs ----------------------------------------------------- */

struct gif {
	size_t size;
	uint8_t bytes[200000];
};

static struct gif g;			/* the image being built */

static void
put(const void *bytes, size_t size)
{
	assert_true(size <= sizeof(g.bytes) - g.size);
	memcpy(g.bytes + g.size, bytes, size);
	g.size += size;
}

static void
put8(unsigned int v)
{
	uint8_t b = (uint8_t)v;

	put(&b, 1);
}

static void
put16(unsigned int v)
{
	put8(v & 255);
	put8(v >> 8);
}

/* Entry i of every colour table is this, moved on by 'shift'. */
static void
color_of(unsigned int i, unsigned int shift, uint8_t rgb[3])
{
	rgb[0] = (uint8_t)(i * 3 + shift);
	rgb[1] = (uint8_t)(255 - i * 5);
	rgb[2] = (uint8_t)(i * 37 + 11 + shift * 2);
}

static void
put_palette(unsigned int bits, unsigned int shift)
{
	for (unsigned int i = 0; i < 1u << bits; i++) {
		uint8_t rgb[3];

		color_of(i, shift, rgb);
		put(rgb, 3);
	}
}

/* Header and screen; a global table of 2^bits colours, none if bits is 0. */
static void
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

static void
put_trailer(void)
{
	put8(0x3B);
}

/* 'transparent' below 0: none. */
static void
put_control(unsigned int disposal, unsigned int delay, int transparent)
{
	put("\x21\xF9\x04", 3);
	put8(disposal << 2 | (transparent >= 0));
	put16(delay);
	put8(transparent >= 0 ? (unsigned int)transparent : 0);
	put8(0);
}

static void
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

static void
code_put(unsigned int code, unsigned int width)
{
	codes.held |= code << codes.count;
	for (codes.count += width; codes.count >= 8; codes.count -= 8) {
		codes.bytes[codes.size++] = (uint8_t)codes.held;
		codes.held >>= 8;
	}
}

static void
codes_end(void)
{
	if (codes.count > 0)
		codes.bytes[codes.size++] = (uint8_t)codes.held;
	codes.held = codes.count = 0;
}

/* Into 'codes'. The table is searched from end to end: images are small. */
static void
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

static void
put_codes(void)
{
	for (size_t at = 0; at < codes.size; at += 255) {
		size_t n = codes.size - at < 255 ? codes.size - at : 255;

		put8((unsigned int)n);
		put(codes.bytes + at, n);
	}
	put8(0);
}

static void
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
static void
put_frame(unsigned int x, unsigned int y, unsigned int width,
	  unsigned int height, unsigned int code_size, const uint8_t *indices)
{
	put_descriptor(x, y, width, height, 0);
	put8(code_size);
	lzw_encode(indices, (size_t)width * height, code_size, USUAL);
	put_codes();
}

/* The same, all of one index. */
static void
put_flat(unsigned int x, unsigned int y, unsigned int width,
	 unsigned int height, unsigned int index)
{
	static uint8_t indices[65536];

	memset(indices, (int)index, (size_t)width * height);
	put_frame(x, y, width, height, 2, indices);
}

static uint32_t
random_next(void)
{
	static uint32_t state = 1;

	state = state * 1664525u + 1013904223u;
	return state >> 8;
}

/* Runs and noise, so that strings of all lengths come up. */
static void
indices_make(uint8_t *p, size_t n, unsigned int bits)
{
	for (size_t i = 0; i < n; ) {
		uint8_t v = (uint8_t)(random_next() & ((1u << bits) - 1));
		size_t run = random_next() % 3 ? 1 : random_next() % 40 + 1;

		while (run-- > 0 && i < n)
			p[i++] = v;
	}
}

/* ---- Reading them --------------------------------------------------------- */

static struct imgsniff_decoder *d;

static int
setup(void **state)
{
	(void)state;
	d = imgsniff_new(NULL);
	return d == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	imgsniff_free(d);
	return 0;
}

static enum imgsniff_status
open_built(void)
{
	return imgsniff_open_memory(d, g.bytes, g.size, 0);
}

static const struct imgsniff_info *
open_good(void)
{
	assert_int_equal(open_built(), IMGSNIFF_OK);
	return imgsniff_get_info(d);
}

static void
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

static enum imgsniff_status
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

static void
decode_good(void)
{
	assert_int_equal(decode(0), IMGSNIFF_OK);
}

static void
next_good(void)
{
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
}

/* Index of the global table, or below 0: transparent. */
static void
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

static void
assert_picture(const uint8_t *indices, size_t n)
{
	const uint32_t width = imgsniff_get_info(d)->width;

	for (size_t i = 0; i < n; i++)
		assert_pixel((unsigned int)(i % width),
			     (unsigned int)(i / width), indices[i]);
}

/* ---- Structure ------------------------------------------------------------ */

static void
facts_come_from_the_blocks(void **state)
{
	const struct imgsniff_info *info;

	(void)state;
	begin(10, 8, 2);
	put_loop("NETSCAPE2.0", 4);
	put_control(1, 7, -1);
	put_flat(0, 0, 10, 8, 1);
	put_control(1, 300, 2);
	put_flat(1, 1, 3, 3, 1);
	put_trailer();

	info = open_good();

	assert_int_equal(info->width, 10);
	assert_int_equal(info->height, 8);
	assert_int_equal(info->color, IMGSNIFF_COLOR_PALETTE);
	assert_int_equal(info->compression, IMGSNIFF_LOSSLESS);
	assert_int_equal(info->bit_depth, 8);
	assert_int_equal(info->frames, 2);
	assert_true(info->animated);
	assert_true(info->has_alpha);
	assert_false(info->progressive);
	assert_true(info->has_loop);
	assert_int_equal(info->loop, 4);
	assert_int_equal(info->plays, 5);
	assert_int_equal(info->duration_us, 3070000);
	assert_int_equal(imgsniff_get_frame(d)->duration_us, 70000);
	next_good();
	assert_int_equal(imgsniff_get_frame(d)->duration_us, 3000000);
	assert_int_equal(imgsniff_get_frame(d)->index, 1);
	assert_int_equal(imgsniff_get_frame(d)->x, 1);
	assert_int_equal(imgsniff_get_frame(d)->width, 3);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_END);
}

static void
the_last_loop_wins(void **state)
{
	const struct imgsniff_info *info;

	(void)state;
	begin(4, 4, 2);
	put_loop("NETSCAPE2.0", 4);
	put_flat(0, 0, 4, 4, 1);
	put_flat(0, 0, 4, 4, 2);
	put_loop("ANIMEXTS1.0", 0);
	put_loop("NETSCAPE3.0", 9);
	put_trailer();

	info = open_good();

	assert_true(info->has_loop);
	assert_int_equal(info->loop, 0);
	assert_int_equal(info->plays, 0);
}

static void
without_a_loop_it_plays_once(void **state)
{
	(void)state;
	begin(4, 4, 2);
	put_flat(0, 0, 4, 4, 1);
	put_flat(0, 0, 4, 4, 2);
	put_trailer();

	assert_false(open_good()->has_loop);
	assert_int_equal(imgsniff_get_info(d)->plays, 1);
}

static void
a_still_plays_once_whatever_its_loop(void **state)
{
	(void)state;
	begin(4, 4, 2);
	put_loop("NETSCAPE2.0", 0);
	put_flat(0, 0, 4, 4, 1);
	put_trailer();

	assert_true(open_good()->has_loop);
	assert_int_equal(imgsniff_get_info(d)->plays, 1);
	assert_false(imgsniff_get_info(d)->animated);
}

static void
frames_in_comments_do_not_count(void **state)
{
	(void)state;
	begin(4, 4, 2);
	put("\x21\xFE\x0C\x2C\0\0\0\0\x04\0\x04\0\0\x02\x3B\0", 16);
	put("\x21\x01\x03\x21\xF9\x04\x00", 7);	/* plain text */
	put_flat(0, 0, 4, 4, 1);
	put_trailer();
	put_flat(0, 0, 4, 4, 1);

	assert_int_equal(open_good()->frames, 1);
}

static void
stray_zeros_between_blocks_pass(void **state)
{
	(void)state;
	begin(4, 4, 2);
	put("\0\0", 2);
	put_flat(0, 0, 4, 4, 1);
	put("\0\0\0", 3);
	put_flat(0, 0, 4, 4, 2);
	put8(0);
	put_trailer();

	assert_int_equal(open_good()->frames, 2);
}

static void
junk_between_blocks_ends_it_and_keeps_the_frames(void **state)
{
	size_t at;

	(void)state;
	begin(4, 4, 2);
	put_flat(0, 0, 4, 4, 1);
	put_flat(0, 0, 4, 4, 2);
	at = g.size;
	put8(0x77);
	put_flat(0, 0, 4, 4, 3);
	put_trailer();

	assert_int_equal(open_built(), IMGSNIFF_ERR_CORRUPT);

	assert_error(IMGSNIFF_ERR_CORRUPT, at, "block: of no known type");
	assert_int_equal(imgsniff_get_info(d)->frames, 2);
	decode_good();
	next_good();
	decode_good();
	assert_pixel(0, 0, 2);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_ERR_CORRUPT);
}

static void
a_missing_trailer_is_no_error(void **state)
{
	(void)state;
	begin(4, 4, 2);
	put_flat(0, 0, 4, 4, 1);

	assert_int_equal(open_good()->frames, 1);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_END);
}

static void
no_image_at_all_is_an_error(void **state)
{
	(void)state;
	begin(4, 4, 2);
	assert_int_equal(open_built(), IMGSNIFF_ERR_TRUNCATED);
	assert_error(IMGSNIFF_ERR_TRUNCATED, g.size,
		     "block: the file ends before its first image");

	put_trailer();
	assert_int_equal(open_built(), IMGSNIFF_ERR_CORRUPT);
	assert_error(IMGSNIFF_ERR_CORRUPT, g.size - 1,
		     "trailer: no image before it");
	assert_int_equal(imgsniff_get_info(d)->width, 4);
	assert_int_equal(imgsniff_get_info(d)->frames, 0);
	assert_int_equal(decode(0), IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_END);
	assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
}

static void
a_screen_without_size_takes_that_of_the_first_frame(void **state)
{
	(void)state;
	begin(0, 0, 2);
	put_flat(0, 0, 6, 5, 1);
	put_flat(0, 0, 9, 9, 2);
	put_trailer();

	assert_int_equal(open_good()->width, 6);
	assert_int_equal(imgsniff_get_info(d)->height, 5);
	decode_good();
	assert_pixel(5, 4, 1);

	begin(0, 0, 2);
	put_flat(0, 0, 0, 5, 1);
	put_trailer();

	assert_int_equal(open_built(), IMGSNIFF_ERR_CORRUPT);
	assert_error(IMGSNIFF_ERR_CORRUPT, 6, "logical screen: width is zero");
}

static void
a_frame_without_width_is_an_error_of_its_own(void **state)
{
	size_t at;

	(void)state;
	begin(4, 4, 2);
	put_flat(0, 0, 4, 4, 1);
	at = g.size;
	put_flat(0, 0, 0, 4, 1);
	put_flat(0, 0, 2, 2, 2);
	put_trailer();

	assert_int_equal(open_good()->frames, 3);
	next_good();
	assert_int_equal(decode(IMGSNIFF_KEEP_DAMAGED), IMGSNIFF_ERR_CORRUPT);
	assert_error(IMGSNIFF_ERR_CORRUPT, at + 5,
		     "image descriptor: width is zero");
	assert_int_equal(rows_valid, 0);
	next_good();
	decode_good();
	assert_pixel(0, 0, 2);
	assert_pixel(3, 3, 1);
}

/* Serves a byte more than is asked for, and remembers how far that went. */
static uint64_t served;

static int
miser_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	size_t left;

	(void)user;
	if (offset > g.size)
		offset = g.size;
	left = g.size - (size_t)offset;
	*view = (struct imgsniff_view){
		g.bytes + offset, size < left ? size : left,
	};
	if (offset + view->size > served)
		served = offset + view->size;
	return 0;
}

static const struct imgsniff_source miser = { miser_peek, NULL };

static void
the_head_is_enough_for_the_head(void **state)
{
	size_t head;

	(void)state;
	begin(100, 90, 2);
	put_loop("NETSCAPE2.0", 0);
	put_control(1, 3, 1);
	put_flat(0, 0, 100, 90, 1);
	head = g.size;
	put_flat(0, 0, 100, 90, 2);
	put_trailer();
	served = 0;

	assert_int_equal(imgsniff_open_source(d, &miser, IMGSNIFF_HEAD),
			 IMGSNIFF_OK);

	assert_true(served < head - 50);
	assert_int_equal(imgsniff_get_info(d)->width, 100);
	assert_int_equal(imgsniff_get_info(d)->frames, 0);
	assert_int_equal(imgsniff_get_info(d)->plays, 0);
	assert_true(imgsniff_get_info(d)->has_alpha);
	decode_good();
	next_good();
	decode_good();
	assert_pixel(99, 89, 2);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_END);
}

static void
a_source_of_small_pieces_gives_the_same(void **state)
{
	static uint8_t indices[50 * 40];

	(void)state;
	indices_make(indices, sizeof(indices), 5);
	begin(50, 40, 5);
	put_flat(0, 0, 50, 40, 3);
	put_frame(0, 0, 50, 40, 5, indices);
	put_trailer();

	assert_int_equal(imgsniff_open_source(d, &miser, 0), IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->frames, 2);
	next_good();
	decode_good();
	assert_picture(indices, sizeof(indices));
}

static void
more_is_asked_for_until_the_trailer(void **state)
{
	(void)state;
	begin(4, 4, 2);
	put_control(1, 3, 1);
	put_flat(0, 0, 4, 4, 1);
	put_trailer();

	for (size_t n = 0; n < g.size; n++) {
		assert_int_equal(imgsniff_open_memory(d, g.bytes, n,
						      IMGSNIFF_PARTIAL),
				 IMGSNIFF_MORE);
		assert_true(imgsniff_last_error(d)->needed > n);
	}
	assert_int_equal(imgsniff_open_memory(d, g.bytes, g.size,
					      IMGSNIFF_PARTIAL), IMGSNIFF_OK);
}

static void
metadata_are_joined(void **state)
{
	struct imgsniff_view view;

	(void)state;
	begin(4, 4, 2);
	put("\x21\xFF\x0BICCRGBG1012\x03" "abc\x02" "de\0", 22);
	put("\x21\xFF\x0BXMP DataXMP\x04" "<x/>\x01" "y\0", 22);
	put_flat(0, 0, 4, 4, 1);
	put("\x21\xFF\x0BICCRGBG1012\x01" "z\0", 17);
	put_trailer();

	assert_int_equal(open_good()->icc_bytes, 5);
	assert_int_equal(imgsniff_get_info(d)->xmp_bytes, 5);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_ICC, &view),
			 IMGSNIFF_OK);
	assert_int_equal(view.size, 5);
	assert_memory_equal(view.data, "abcde", 5);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_XMP, &view),
			 IMGSNIFF_OK);
	assert_memory_equal(view.data, "<x/>y", 5);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_EXIF, &view),
			 IMGSNIFF_OK);
	assert_int_equal(view.size, 0);
}

static void
xmp_is_not_cut_into_pieces(void **state)
{
	static const char packet[] = "<?xpacket begin='' id='W5M0'?>\n"
		"<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>\n"
		"<?xpacket end='r'?>";
	struct imgsniff_view view;

	(void)state;
	begin(4, 4, 2);
	put("\x21\xFF\x0BXMP DataXMP", 14);
	put(packet, sizeof(packet) - 1);
	put8(1);
	for (unsigned int i = 256; i-- > 0; )
		put8(i);
	put8(0);
	put_flat(0, 0, 4, 4, 1);
	put_trailer();

	assert_int_equal(open_good()->xmp_bytes, sizeof(packet) - 1);
	assert_int_equal(imgsniff_get_info(d)->frames, 1);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_XMP, &view),
			 IMGSNIFF_OK);
	assert_int_equal(view.size, sizeof(packet) - 1);
	assert_memory_equal(view.data, packet, view.size);
}

static void
the_best_layout_loses_nothing(void **state)
{
	static const uint8_t gray[4 * 3] = {
		0, 0, 0,  9, 9, 9,  200, 200, 200,  255, 255, 255,
	};

	(void)state;
	begin(4, 4, 2);
	put_flat(0, 0, 4, 4, 1);
	put_trailer();
	assert_int_equal(open_good()->best, IMGSNIFF_RGB8);

	memcpy(g.bytes + 13, gray, sizeof(gray));
	assert_int_equal(open_good()->best, IMGSNIFF_GRAY8);

	begin(4, 4, 2);
	put_flat(0, 0, 4, 3, 1);	/* the last row stays transparent */
	put_trailer();
	assert_int_equal(open_good()->best, IMGSNIFF_RGBA8);

	begin(4, 4, 2);
	put_control(2, 0, -1);		/* cleared before the next */
	put_flat(0, 0, 4, 4, 1);
	put_flat(0, 0, 1, 1, 1);
	put_trailer();
	assert_int_equal(open_good()->best, IMGSNIFF_RGBA8);
}

/* ---- Codes ---------------------------------------------------------------- */

static void
every_code_size_decodes(void **state)
{
	static uint8_t indices[100 * 100];

	(void)state;
	for (unsigned int bits = 1; bits <= 11; bits++) {
		unsigned int colors = bits < 8 ? bits : 8;

		indices_make(indices, sizeof(indices), colors);
		begin(100, 100, colors);
		put_frame(0, 0, 100, 100, bits, indices);
		put_trailer();

		open_good();
		decode_good();

		assert_picture(indices, sizeof(indices));
	}
}

static void
every_way_of_coding_decodes(void **state)
{
	static uint8_t indices[100 * 100];

	(void)state;
	for (unsigned int coding = 0; coding < 8; coding++) {
		indices_make(indices, sizeof(indices), 8);
		begin(100, 100, 8);
		put_descriptor(0, 0, 100, 100, 0);
		put8(8);
		lzw_encode(indices, sizeof(indices), 8, coding);
		put_codes();
		put_trailer();

		open_good();
		decode_good();

		assert_picture(indices, sizeof(indices));
	}
}

/* One index all over: each code is the entry that it completes. */
static void
a_code_may_complete_its_own_entry(void **state)
{
	static uint8_t indices[200 * 200];

	(void)state;
	memset(indices, 3, sizeof(indices));
	begin(200, 200, 2);
	put_frame(0, 0, 200, 200, 2, indices);
	put_trailer();

	open_good();
	decode_good();

	assert_picture(indices, sizeof(indices));
}

static void
bytes_behind_the_last_pixel_are_passed_over(void **state)
{
	static const uint8_t indices[4] = { 1, 2, 3, 0 };

	(void)state;
	begin(2, 2, 2);
	put_descriptor(0, 0, 2, 2, 0);
	put8(2);
	lzw_encode(indices, 4, 2, USUAL);
	memset(codes.bytes + codes.size, 0xFF, 300);
	codes.size += 300;
	put_codes();
	put_trailer();

	open_good();
	decode_good();

	assert_picture(indices, 4);
}

/* The frame claims a row more than its codes have. */
static void
missing_pixels_are_an_error_and_stay_transparent(void **state)
{
	static const uint8_t indices[9] = { 1, 2, 3, 1, 2, 3, 1, 2, 3 };
	size_t at, end;

	(void)state;
	for (unsigned int coding = 0; coding < 4; coding++) {
		begin(3, 4, 2);
		put_flat(0, 0, 3, 4, 0);
		put_control(1, 0, -1);
		put_descriptor(0, 0, 3, 4, 0);
		put8(2);
		at = g.size;
		lzw_encode(indices, 9, 2, coding);
		put_codes();
		end = g.size;
		put_flat(0, 0, 1, 1, 2);
		put_trailer();

		assert_int_equal(open_good()->frames, 3);
		next_good();
		assert_int_equal(decode(IMGSNIFF_KEEP_DAMAGED),
				 IMGSNIFF_ERR_CORRUPT);
		assert_int_equal(rows_valid, 3);
		assert_picture(indices, 9);
		assert_int_equal(canvas[4 * 9 + 3], 0);
		assert_string_equal(imgsniff_last_error(d)->message, "image "
				    "data: fewer pixels than the frame has");
		assert_in_range(imgsniff_last_error(d)->offset, at + 1, end - 1);

		next_good();
		decode_good();		/* shows what the other left */
		assert_pixel(0, 0, 2);
		assert_pixel(1, 0, 2);
		assert_pixel(0, 3, 0);
	}
}

static void
a_code_of_nothing_is_an_error_with_its_offset(void **state)
{
	size_t at;

	(void)state;
	begin(8, 8, 2);
	put_descriptor(0, 0, 8, 8, 0);
	put8(2);
	at = g.size;
	put("\x02\xCC\x01\0", 4);	/* clear, 1, 7: 6 is the one to come */
	put_trailer();

	open_good();
	assert_int_equal(decode(0), IMGSNIFF_ERR_CORRUPT);

	assert_error(IMGSNIFF_ERR_CORRUPT, at + 2,
		     "image data: an LZW code that stands for nothing");
}

static void
bad_code_sizes_are_errors(void **state)
{
	static const unsigned int sizes[] = { 0, 12, 13, 255 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		size_t at;

		begin(2, 2, 2);
		put_descriptor(0, 0, 2, 2, 0);
		at = g.size;
		put8(sizes[i]);
		put("\x02\x44\x01\0", 4);
		put_trailer();

		open_good();
		assert_int_equal(decode(0), IMGSNIFF_ERR_CORRUPT);
		assert_error(IMGSNIFF_ERR_CORRUPT, at,
			     "image data: LZW code size is not 1 to 11");
	}
}

/* Nothing is allocated for what ten bytes cannot stand for. */
static void
a_huge_frame_without_data_is_short_of_pixels(void **state)
{
	const struct imgsniff_options o = {
		.struct_size = sizeof(o), .limits.max_memory = 1 << 20,
	};

	(void)state;
	imgsniff_free(d);
	d = imgsniff_new(&o);
	begin(8, 8, 2);
	put_descriptor(0, 0, 65535, 65535, 0);
	put8(2);
	put("\x02\x44\x01\0", 4);
	put_trailer();

	open_good();
	assert_int_equal(decode(0), IMGSNIFF_ERR_CORRUPT);
	assert_string_equal(imgsniff_last_error(d)->message,
			    "image data: fewer pixels than the frame has");
}

/* ---- Painting ------------------------------------------------------------- */

static void
interlaced_rows_come_to_their_places(void **state)
{
	static const uint8_t start[] = { 0, 4, 2, 1 }, step[] = { 8, 8, 4, 2 };
	uint8_t indices[40 * 3], stored[40 * 3];

	(void)state;
	for (unsigned int h = 1; h <= 40; h++) {
		unsigned int n = 0;

		for (unsigned int i = 0; i < 3 * h; i++)
			indices[i] = (uint8_t)(i * 7 % 16);
		for (int pass = 0; pass < 4; pass++)
			for (unsigned int y = start[pass]; y < h; y += step[pass])
				memcpy(stored + 3 * n++, indices + 3 * y, 3);
		begin(3, h, 4);
		put_descriptor(0, 0, 3, h, 0x40);
		put8(4);
		lzw_encode(stored, 3 * h, 4, USUAL);
		put_codes();
		put_trailer();

		assert_true(open_good()->progressive);
		decode_good();
		assert_picture(indices, 3 * h);
	}
}

static void
frames_off_the_screen_are_clipped(void **state)
{
	(void)state;
	begin(6, 5, 2);
	put_flat(0, 0, 6, 5, 0);
	put_flat(4, 3, 9, 9, 1);
	put_flat(6, 0, 3, 3, 2);	/* all of it outside */
	put_flat(60000, 60000, 2, 2, 2);
	put_control(2, 0, -1);
	put_flat(5, 0, 65535, 1, 3);
	put_flat(0, 4, 1, 1, 3);
	put_trailer();

	assert_int_equal(open_good()->width, 6);
	next_good();
	assert_int_equal(imgsniff_get_frame(d)->width, 2);
	assert_int_equal(imgsniff_get_frame(d)->height, 2);
	decode_good();
	assert_pixel(3, 3, 0);
	assert_pixel(4, 3, 1);
	assert_pixel(5, 4, 1);
	for (int i = 0; i < 2; i++) {
		next_good();
		assert_int_equal(imgsniff_get_frame(d)->width, 0);
		decode_good();
		assert_pixel(5, 0, 0);
	}
	next_good();
	decode_good();
	assert_pixel(5, 0, 3);
	assert_pixel(4, 0, 0);
	next_good();
	decode_good();
	assert_pixel(5, 0, -1);
	assert_pixel(5, 1, 0);
	assert_pixel(0, 4, 3);
}

static void
a_still_outside_leaves_the_rest_transparent(void **state)
{
	(void)state;
	begin(6, 5, 2);
	put_flat(4, 3, 9, 9, 1);
	put_trailer();

	open_good();
	decode_good();

	for (unsigned int y = 0; y < 5; y++)
		for (unsigned int x = 0; x < 6; x++)
			assert_pixel(x, y, x >= 4 && y >= 3 ? 1 : -1);
}

static void
colors_that_are_not_there_are_opaque_black(void **state)
{
	static const uint8_t indices[4] = { 0, 1, 2, 3 };
	static const uint8_t black[4] = { 0, 0, 0, 255 };

	(void)state;
	begin(2, 2, 0);			/* no palette at all */
	put_frame(0, 0, 2, 2, 2, indices);
	put_trailer();
	open_good();
	decode_good();
	for (int i = 0; i < 4; i++)
		assert_memory_equal(canvas + 4 * i, black, 4);

	begin(2, 2, 1);			/* two colours */
	put_frame(0, 0, 2, 2, 2, indices);
	put_trailer();
	open_good();
	decode_good();
	assert_pixel(0, 0, 0);
	assert_pixel(1, 0, 1);
	assert_memory_equal(canvas + 8, black, 4);
	assert_memory_equal(canvas + 12, black, 4);
}

static void
a_local_palette_is_of_one_frame_only(void **state)
{
	static const uint8_t indices[4] = { 1, 1, 1, 1 };
	uint8_t want[4] = { 0, 0, 0, 255 };

	(void)state;
	begin(2, 2, 2);
	put_descriptor(0, 0, 2, 2, 0x81);
	put_palette(2, 100);
	put8(2);
	lzw_encode(indices, 4, 2, USUAL);
	put_codes();
	put_flat(0, 0, 1, 1, 1);
	put_trailer();

	open_good();
	decode_good();
	color_of(1, 100, want);
	assert_memory_equal(canvas, want, 4);
	next_good();
	decode_good();
	assert_pixel(0, 0, 1);
	assert_memory_equal(canvas + 4, want, 4);
}

static void
the_transparent_index_lets_through(void **state)
{
	static const uint8_t indices[4] = { 0, 1, 2, 1 };

	(void)state;
	begin(2, 2, 2);
	put_control(1, 0, 1);
	put_frame(0, 0, 2, 2, 2, indices);
	put_trailer();
	open_good();
	decode_good();
	assert_pixel(0, 0, 0);
	assert_pixel(1, 0, -1);
	assert_pixel(0, 1, 2);
	assert_pixel(1, 1, -1);

	begin(2, 2, 2);
	put_flat(0, 0, 2, 2, 3);
	put_control(1, 0, 1);
	put_frame(0, 0, 2, 2, 2, indices);
	put_trailer();
	open_good();
	next_good();
	decode_good();
	assert_pixel(0, 0, 0);
	assert_pixel(1, 0, 3);
	assert_pixel(0, 1, 2);
	assert_pixel(1, 1, 3);
}

/* A control counts for the next image alone; of two the last. */
static void
a_graphic_control_is_of_one_frame_only(void **state)
{
	(void)state;
	begin(2, 2, 2);
	put_control(1, 5, 3);
	put_control(2, 9, 1);
	put_flat(0, 0, 2, 2, 1);
	put_flat(0, 0, 1, 1, 1);
	put_trailer();

	assert_int_equal(open_good()->duration_us, 90000);
	decode_good();
	assert_pixel(1, 1, -1);
	next_good();
	assert_int_equal(imgsniff_get_frame(d)->duration_us, 0);
	decode_good();
	assert_pixel(0, 0, 1);
	assert_pixel(1, 1, -1);
}

/* ---- Frames --------------------------------------------------------------- */

/* Each frame is a pixel at (i, 0) of index 1, over a first one of index 0. */
static void
put_disposals(const unsigned int *disposals, unsigned int n)
{
	begin(8, 2, 2);
	put_flat(0, 0, 8, 2, 0);
	for (unsigned int i = 0; i < n; i++) {
		put_control(disposals[i], 1, -1);
		put_flat(i, 0, 1, 1, 1);
	}
	put_trailer();
}

static void
disposals_do_what_browsers_do(void **state)
{
	static const unsigned int disposals[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const int after[8] = { 1, 1, -1, 0, 0, 1, 1, 1 };

	(void)state;
	put_disposals(disposals, 8);
	assert_int_equal(open_good()->frames, 9);

	decode_good();
	assert_pixel(0, 0, 0);
	for (unsigned int i = 0; i < 8; i++) {
		next_good();
		decode_good();
		assert_pixel(i, 0, 1);
		for (unsigned int before = 0; before < i; before++)
			assert_pixel(before, 0, after[before]);
		for (unsigned int x = i + 1; x < 8; x++)
			assert_pixel(x, 0, 0);
		assert_pixel(7, 1, 0);
	}
}

static void
the_first_frame_may_be_disposed_of(void **state)
{
	static const unsigned int disposals[] = { 2, 3 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		begin(4, 2, 2);
		put_control(disposals[i], 1, -1);
		put_flat(0, 0, 4, 2, 1);
		put_flat(1, 0, 1, 1, 2);
		put_trailer();

		open_good();
		next_good();
		assert_int_equal(imgsniff_get_frame(d)->x, 0);
		assert_int_equal(imgsniff_get_frame(d)->width, 4);
		assert_int_equal(imgsniff_get_frame(d)->height, 2);
		decode_good();
		assert_pixel(0, 0, -1);
		assert_pixel(1, 0, 2);
	}
}

#define STORY	12

/* An animation with all there is, and its canvases by decoding in order. */
static uint8_t story[STORY][20 * 16 * 4];

static void
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

static void
frames_may_be_skipped(void **state)
{
	(void)state;
	story_tell();
	for (unsigned int wanted = 0; wanted < STORY; wanted++) {
		open_good();
		for (unsigned int i = 0; i < wanted; i++)
			next_good();
		decode_good();
		assert_memory_equal(canvas, story[wanted], sizeof(story[0]));
		decode_good();		/* and again */
		assert_memory_equal(canvas, story[wanted], sizeof(story[0]));
	}
}

static void
rewinding_starts_anew(void **state)
{
	(void)state;
	story_tell();
	for (unsigned int round = 1; round < STORY; round++) {
		assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
		assert_int_equal(imgsniff_get_frame(d)->index, 0);
		decode_good();
		assert_memory_equal(canvas, story[0], sizeof(story[0]));
		for (unsigned int i = 1; i <= round; i++)
			next_good();
		decode_good();
		assert_memory_equal(canvas, story[round], sizeof(story[0]));
	}
}

/* What frame i tells about itself is all that changes from frame i - 1. */
static void
a_frame_tells_what_differs(void **state)
{
	(void)state;
	story_tell();
	open_good();
	for (unsigned int i = 1; i < STORY; i++) {
		const struct imgsniff_frame *f;

		next_good();
		f = imgsniff_get_frame(d);
		for (uint32_t y = 0; y < 16; y++)
			for (uint32_t x = 0; x < 20; x++) {
				if (x >= f->x && x - f->x < f->width &&
				    y >= f->y && y - f->y < f->height)
					continue;
				assert_memory_equal(
					story[i] + 4 * (20 * y + x),
					story[i - 1] + 4 * (20 * y + x), 4);
			}
	}
}

static void
layouts_hold_the_same_pixels(void **state)
{
	static const enum imgsniff_pixel layouts[] = {
		IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
		IMGSNIFF_RGBA16,
	};
	uint8_t out[16 * (20 * 8 + 5)];

	(void)state;
	story_tell();
	for (unsigned int i = 0; i < 2 * 5; i++) {
		const bool still = i >= 5;
		struct imgsniff_pixmap dst = {
			.struct_size = sizeof(dst), .pixels = out,
			.width = 20, .height = 16, .layout = layouts[i % 5],
		};
		size_t row = imgsniff_row_size(dst.layout, 20);

		dst.stride = row + 5;
		dst.size = dst.stride * 15 + row;
		memset(out, 0xEE, sizeof(out));
		if (still)	/* frame 0 painted without a canvas */
			assert_int_equal(imgsniff_open_memory(d, g.bytes,
					 g.size, IMGSNIFF_HEAD), IMGSNIFF_OK);
		else
			open_good();
		assert_int_equal(imgsniff_decode_into(d, NULL, &dst),
				 IMGSNIFF_OK);
		for (uint32_t y = 0; y < 16; y++) {
			const uint8_t *p = out + y * dst.stride;

			for (uint32_t x = 0; x < 20; x++) {
				const uint8_t *c = story[0] + 4 * (20 * y + x);
				uint16_t deep[4];

				switch (dst.layout) {
				case IMGSNIFF_GRAY8:
					assert_int_equal(p[x], (77 * c[0] +
						150 * c[1] + 29 * c[2] + 128)
						>> 8);
					break;
				case IMGSNIFF_RGB8:
					assert_memory_equal(p + 3 * x, c, 3);
					break;
				case IMGSNIFF_RGBA8:
					assert_memory_equal(p + 4 * x, c, 4);
					break;
				case IMGSNIFF_BGRA8:
					assert_int_equal(p[4 * x], c[2]);
					assert_int_equal(p[4 * x + 1], c[1]);
					assert_int_equal(p[4 * x + 2], c[0]);
					assert_int_equal(p[4 * x + 3], c[3]);
					break;
				case IMGSNIFF_RGBA16:
					memcpy(deep, p + 8 * x, 8);
					for (int k = 0; k < 4; k++)
						assert_int_equal(deep[k],
								 c[k] * 257);
					break;
				}
			}
			for (size_t k = row; k < dst.stride && y < 15; k++)
				assert_int_equal(p[k], 0xEE);
		}
	}
}

/* ---- Damage --------------------------------------------------------------- */

/* Frames that are whole are right, rows said to be valid too, others are zero. */
static void
cut_frames_check(unsigned int height, bool interlaced)
{
	static const uint8_t zeros[20 * 4];
	enum imgsniff_status st;
	unsigned int i = 0;

	do {
		st = decode(IMGSNIFF_KEEP_DAMAGED);
		assert_true(i < STORY);
		if (st == IMGSNIFF_OK)
			assert_int_equal(rows_valid, height);
		else
			assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
		if (interlaced && st != IMGSNIFF_OK)
			assert_int_equal(rows_valid, 0);
		for (unsigned int y = 0; y < height; y++)
			assert_memory_equal(canvas + 80 * y,
					    y < rows_valid ? story[i] + 80 * y
							   : zeros, 80);
		i++;
		st = imgsniff_next_frame(d);
	} while (st == IMGSNIFF_OK);
	if (st != IMGSNIFF_END)
		assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
}

static void
every_cut_check(bool interlaced)
{
	for (size_t n = 0; n < g.size; n++) {
		uint8_t *cut = malloc(n + !n);	/* exact, for the sanitizer */
		enum imgsniff_status st;

		assert_non_null(cut);
		memcpy(cut, g.bytes, n);
		st = imgsniff_open_memory(d, cut, n, 0);
		if (n < 6)
			assert_int_equal(st, IMGSNIFF_ERR_FORMAT);
		else if (st != IMGSNIFF_OK)
			assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
		if (st != IMGSNIFF_OK)
			assert_int_equal(imgsniff_last_error(d)->offset,
					 n < 6 ? 0 : n);
		if (st != IMGSNIFF_ERR_FORMAT &&
		    imgsniff_get_info(d)->frames > 0)
			cut_frames_check(16, interlaced);
		imgsniff_close(d);
		free(cut);
	}
}

static void
every_cut_of_an_animation_is_told(void **state)
{
	(void)state;
	story_tell();
	every_cut_check(false);
}

static void
every_cut_of_a_still_is_told(void **state)
{
	static uint8_t indices[20 * 16];

	(void)state;
	for (unsigned int flags = 0; flags <= 0x40; flags += 0x40) {
		indices_make(indices, sizeof(indices), 4);
		begin(20, 16, 4);
		put_descriptor(0, 0, 20, 16, flags);
		put8(4);
		lzw_encode(indices, sizeof(indices), 4, USUAL);
		put_codes();
		put_trailer();
		open_good();
		decode_good();
		memcpy(story[0], canvas, sizeof(story[0]));

		every_cut_check(flags != 0);
	}
}

/* Any byte may be anything: no verdict is asked for, only that all goes well. */
static void
any_byte_may_be_wrong(void **state)
{
	uint8_t *copy;

	(void)state;
	story_tell();
	copy = malloc(g.size);
	assert_non_null(copy);
	for (size_t at = 6; at < g.size; at++) {
		enum imgsniff_status st;

		if (at >= 6 && at < 10)
			continue;	/* the size: 'canvas' is for 20 x 16 */
		memcpy(copy, g.bytes, g.size);
		copy[at] ^= (uint8_t)(1u << random_next() % 8);
		st = imgsniff_open_memory(d, copy, g.size, 0);
		if (imgsniff_get_info(d)->frames == 0) {
			assert_int_not_equal(st, IMGSNIFF_OK);
			continue;
		}
		do {
			st = decode(IMGSNIFF_KEEP_DAMAGED);
			assert_int_not_equal(st, IMGSNIFF_ERR_USAGE);
			assert_true(rows_valid <= 16);
		} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
	}
	free(copy);
}

/* ---- Memory --------------------------------------------------------------- */

struct counter {
	unsigned int calls;
	unsigned int fail_at;		/* the call that fails; 0: none does */
	size_t held;
};

static void *
counter_allocate(void *user, size_t size)
{
	struct counter *c = user;
	void *ptr;

	if (++c->calls == c->fail_at)
		return NULL;
	ptr = malloc(size);
	if (ptr != NULL)
		c->held += size;
	return ptr;
}

static void
counter_release(void *user, void *ptr, size_t size)
{
	struct counter *c = user;

	if (ptr != NULL)
		c->held -= size;
	free(ptr);
}

static void
counter_use(struct counter *c, const struct imgsniff_limits *limits)
{
	const struct imgsniff_allocator a = {
		counter_allocate, counter_release, c,
	};
	struct imgsniff_options o = {
		.struct_size = sizeof(o), .allocator = &a,
	};

	if (limits != NULL)
		o.limits = *limits;
	imgsniff_free(d);
	d = imgsniff_new(&o);
}

static enum imgsniff_status
frames_decode(void)
{
	enum imgsniff_status st = open_built();

	while (st == IMGSNIFF_OK) {
		st = decode(0);
		if (st == IMGSNIFF_OK)
			st = imgsniff_next_frame(d);
	}
	return st;
}

static void
a_warm_decoder_allocates_nothing(void **state)
{
	struct counter c = { 0 };
	unsigned int cold;

	(void)state;
	story_tell();
	counter_use(&c, NULL);
	assert_int_equal(frames_decode(), IMGSNIFF_END);
	cold = c.calls;

	assert_int_equal(frames_decode(), IMGSNIFF_END);

	assert_int_equal(c.calls, cold);
	imgsniff_free(d);
	d = NULL;
	assert_int_equal(c.held, 0);
}

static unsigned int
allocations_of_frames(unsigned int frames)
{
	struct counter c = { 0 };

	begin(16, 16, 2);
	for (unsigned int i = 0; i < frames; i++)
		put_flat(0, 0, 16, 16, i % 4);
	put_trailer();
	counter_use(&c, NULL);
	assert_int_equal(frames_decode(), IMGSNIFF_END);
	imgsniff_free(d);
	d = NULL;
	return c.calls;
}

static void
allocations_do_not_grow_with_frames(void **state)
{
	(void)state;
	assert_int_equal(allocations_of_frames(2000), allocations_of_frames(2));
}

static void
any_allocation_may_fail(void **state)
{
	unsigned int n;

	(void)state;
	story_tell();
	for (n = 1; n < 100; n++) {
		struct counter c = { .fail_at = n };
		enum imgsniff_status st;

		counter_use(&c, NULL);
		if (d == NULL) {
			assert_int_equal(c.held, 0);
			continue;
		}
		st = frames_decode();
		if (st != IMGSNIFF_END)
			assert_int_equal(st, IMGSNIFF_ERR_MEMORY);
		imgsniff_free(d);
		d = NULL;
		assert_int_equal(c.held, 0);
		if (st == IMGSNIFF_END)
			break;
	}
	assert_in_range(n, 4, 50);
}

static void
the_memory_limit_holds(void **state)
{
	(void)state;
	story_tell();
	for (uint64_t limit = 1; limit < 100000; limit += 997) {
		struct imgsniff_limits limits = { .max_memory = limit };
		struct counter c = { 0 };
		enum imgsniff_status st;

		counter_use(&c, &limits);
		st = frames_decode();
		if (st != IMGSNIFF_END)
			assert_int_equal(st, IMGSNIFF_ERR_LIMIT);
		imgsniff_free(d);
		d = NULL;
		assert_int_equal(c.held, 0);
	}
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(facts_come_from_the_blocks),
		TEST(the_last_loop_wins),
		TEST(without_a_loop_it_plays_once),
		TEST(a_still_plays_once_whatever_its_loop),
		TEST(frames_in_comments_do_not_count),
		TEST(stray_zeros_between_blocks_pass),
		TEST(junk_between_blocks_ends_it_and_keeps_the_frames),
		TEST(a_missing_trailer_is_no_error),
		TEST(no_image_at_all_is_an_error),
		TEST(a_screen_without_size_takes_that_of_the_first_frame),
		TEST(a_frame_without_width_is_an_error_of_its_own),
		TEST(the_head_is_enough_for_the_head),
		TEST(a_source_of_small_pieces_gives_the_same),
		TEST(more_is_asked_for_until_the_trailer),
		TEST(metadata_are_joined),
		TEST(xmp_is_not_cut_into_pieces),
		TEST(the_best_layout_loses_nothing),
		TEST(every_code_size_decodes),
		TEST(every_way_of_coding_decodes),
		TEST(a_code_may_complete_its_own_entry),
		TEST(bytes_behind_the_last_pixel_are_passed_over),
		TEST(missing_pixels_are_an_error_and_stay_transparent),
		TEST(a_code_of_nothing_is_an_error_with_its_offset),
		TEST(bad_code_sizes_are_errors),
		TEST(a_huge_frame_without_data_is_short_of_pixels),
		TEST(interlaced_rows_come_to_their_places),
		TEST(frames_off_the_screen_are_clipped),
		TEST(a_still_outside_leaves_the_rest_transparent),
		TEST(colors_that_are_not_there_are_opaque_black),
		TEST(a_local_palette_is_of_one_frame_only),
		TEST(the_transparent_index_lets_through),
		TEST(a_graphic_control_is_of_one_frame_only),
		TEST(disposals_do_what_browsers_do),
		TEST(the_first_frame_may_be_disposed_of),
		TEST(frames_may_be_skipped),
		TEST(rewinding_starts_anew),
		TEST(a_frame_tells_what_differs),
		TEST(layouts_hold_the_same_pixels),
		TEST(every_cut_of_an_animation_is_told),
		TEST(every_cut_of_a_still_is_told),
		TEST(any_byte_may_be_wrong),
		TEST(a_warm_decoder_allocates_nothing),
		TEST(allocations_do_not_grow_with_frames),
		TEST(any_allocation_may_fail),
		TEST(the_memory_limit_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
