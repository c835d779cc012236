/*
 * test_check_gif.c - verdicts of GIFs: blocks, descriptors, what their codes hold
 */

#include "gif_build.h"
#include "verdict.h"

static struct imgsniff_verdict
expect(enum imgsniff_integrity integrity, const char *message)
{
	return verdict_expect(g.bytes, g.size, integrity, message);
}

/* A frame of 6 x 4 whose data are what is in 'codes'. */
static size_t
put_coded(unsigned int code_size)
{
	size_t at;

	put_descriptor(0, 0, 6, 4, 0);
	at = g.size;
	put8(code_size);
	put_codes();
	return at;
}

static void
codes_make(size_t pixels, unsigned int code_size, unsigned int coding)
{
	uint8_t indices[64];

	indices_make(indices, sizeof(indices), 2);
	lzw_encode(indices, pixels, code_size, coding);
}

static void
whole_images_are_intact(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	begin(6, 4, 2);
	put_flat(0, 0, 6, 4, 1);
	put_trailer();
	v = expect(IMGSNIFF_INTACT, NULL);
	assert_int_equal(v.frames_valid, 1);
	assert_int_equal(v.end_offset, g.size);
	begin(6, 4, 2);
	put_loop("NETSCAPE2.0", 0);
	for (unsigned int i = 0; i < 5; i++) {
		put_control(i % 4, i, i % 3 ? (int)i : -1);
		put_flat(i, 0, 1, i % 4 + 1, i % 4);
	}
	put_trailer();
	v = expect(IMGSNIFF_INTACT, NULL);
	assert_int_equal(v.frames_valid, 5);
	assert_int_equal(v.end_offset, g.size);
}

static void
frames_of_all_code_sizes_are_intact(void **state)
{
	static uint8_t indices[90 * 90];

	(void)state;
	for (unsigned int bits = 2; bits <= 8; bits++) {
		indices_make(indices, sizeof(indices), bits);
		begin(90, 90, bits);
		put_frame(0, 0, 90, 90, bits, indices);
		put_trailer();
		expect(IMGSNIFF_INTACT, NULL);
	}
}

static void
no_cut_passes_for_whole(void **state)
{
	(void)state;
	begin(6, 4, 2);
	put_flat(0, 0, 6, 4, 1);
	put_trailer();
	verdict_expect_cuts(g.bytes, g.size, 6);
}

static void
a_missing_trailer_is_tolerable(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	begin(6, 4, 2);
	put_flat(0, 0, 6, 4, 1);
	v = expect(IMGSNIFF_TOLERABLE, "trailer: it is missing");
	assert_int_equal(v.offset, g.size);
	assert_int_equal(v.end_offset, g.size);
	assert_int_equal(v.frames_valid, 1);
}

static void
bytes_behind_the_trailer_are_counted(void **state)
{
	struct imgsniff_verdict v;
	size_t end;

	(void)state;
	begin(6, 4, 2);
	put_flat(0, 0, 6, 4, 1);
	put_trailer();
	end = g.size;
	put("PK\5\6", 4);
	v = expect(IMGSNIFF_TOLERABLE, "end: bytes follow the image");
	assert_int_equal(v.end_offset, end);
	assert_int_equal(v.trailing_bytes, 4);
	assert_int_equal(v.trailer, IMGSNIFF_TRAILER_ARCHIVE);
}

static void
zeros_between_blocks_are_tolerable(void **state)
{
	struct imgsniff_verdict v;
	size_t at;

	(void)state;
	begin(6, 4, 2);
	put_flat(0, 0, 6, 4, 1);
	at = g.size;
	put("\0\0", 2);
	put_trailer();
	v = expect(IMGSNIFF_TOLERABLE, "block: zeros between blocks");
	assert_int_equal(v.offset, at);
}

static void
an_unknown_block_is_damage(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	begin(6, 4, 2);
	put_flat(0, 0, 6, 4, 1);
	put8(0x99);
	v = expect(IMGSNIFF_DAMAGED, "block: of no known type");
	assert_int_equal(v.frames_valid, 1);
	assert_int_equal(v.offset, g.size - 1);
}

static void
too_few_pixels_are_damage(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	begin(6, 4, 2);
	codes_make(20, 2, USUAL);
	put_coded(2);
	put_trailer();
	v = expect(IMGSNIFF_DAMAGED,
		   "image data: fewer pixels than the frame has");
	assert_int_equal(v.frames_valid, 0);
	assert_int_equal(v.rows_valid, 3);
}

static void
too_many_pixels_are_tolerable(void **state)
{
	struct imgsniff_verdict v;
	size_t at;

	(void)state;
	for (size_t n = 25; n < 60; n++) {
		begin(6, 4, 2);
		codes_make(n, 2, USUAL);
		at = put_coded(2);
		put_trailer();
		v = expect(IMGSNIFF_TOLERABLE,
			   "image data: more than the frame has use for");
		assert_int_equal(v.offset, at);
		assert_int_equal(v.frames_valid, 1);
	}
}

static void
bytes_behind_the_end_code_are_tolerable(void **state)
{
	(void)state;
	begin(6, 4, 2);
	codes_make(24, 2, USUAL);
	put_coded(2);
	g.size--;
	put("\3abc", 5);		/* a sub-block more */
	put_trailer();
	expect(IMGSNIFF_TOLERABLE,
	       "image data: more than the frame has use for");
	begin(6, 4, 2);
	codes_make(24, 2, USUAL);
	codes.bytes[codes.size++] = 0;
	put_coded(2);
	put_trailer();
	expect(IMGSNIFF_TOLERABLE,
	       "image data: more than the frame has use for");
}

static void
a_missing_end_code_is_tolerable(void **state)
{
	(void)state;
	begin(6, 4, 2);
	codes_make(24, 2, NO_END);
	put_coded(2);
	put_trailer();
	expect(IMGSNIFF_TOLERABLE, "image data: the end code is missing");
}

static void
a_clear_code_may_be_anywhere_or_missing(void **state)
{
	(void)state;
	begin(6, 4, 2);
	codes_make(24, 2, NO_CLEAR);
	put_coded(2);
	put_trailer();
	expect(IMGSNIFF_INTACT, NULL);
}

static void
an_unusual_code_size_is_tolerable(void **state)
{
	(void)state;
	begin(6, 4, 2);
	codes_make(24, 9, USUAL);
	put_coded(9);
	put_trailer();
	expect(IMGSNIFF_TOLERABLE, "image data: LZW code size is not 2 to 8");
	begin(6, 4, 2);
	codes_make(24, 12, USUAL);
	put_coded(12);
	put_trailer();
	expect(IMGSNIFF_DAMAGED, "image data: LZW code size is not 1 to 11");
}

static void
an_index_past_the_colours_is_tolerable_unless_transparent(void **state)
{
	(void)state;
	begin(6, 4, 2);
	codes = (struct codes){ .size = 0 };
	put_descriptor(0, 0, 6, 4, 0);
	put8(3);
	lzw_encode((const uint8_t *)"\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7"
		   "\7\7\7\7", 24, 3, USUAL);
	put_codes();
	put_trailer();
	expect(IMGSNIFF_TOLERABLE, "image data: an index past the colours");
	begin(6, 4, 2);
	put_control(0, 0, 7);
	put_descriptor(0, 0, 6, 4, 0);
	put8(3);
	put_codes();
	put_trailer();
	expect(IMGSNIFF_INTACT, NULL);
}

static void
an_image_without_colours_is_tolerable(void **state)
{
	(void)state;
	begin(6, 4, 0);
	put_flat(0, 0, 6, 4, 1);
	put_trailer();
	expect(IMGSNIFF_TOLERABLE,
	       "image descriptor: there are no colours for it");
}

static void
an_image_off_the_screen_is_tolerable(void **state)
{
	(void)state;
	begin(6, 4, 2);
	put_flat(3, 0, 6, 4, 1);
	put_trailer();
	expect(IMGSNIFF_TOLERABLE,
	       "image descriptor: not inside the logical screen");
}

static void
a_screen_without_a_size_is_tolerable(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	begin(0, 0, 2);
	put_flat(0, 0, 6, 4, 1);
	put_trailer();
	v = expect(IMGSNIFF_TOLERABLE, "logical screen: its size is zero");
	assert_int_equal(v.offset, 6);
}

static void
extensions_have_their_sizes(void **state)
{
	(void)state;
	begin(6, 4, 2);
	put("\x21\xF9\5\0\0\0\0\0\0", 9);
	put_flat(0, 0, 6, 4, 1);
	put_trailer();
	expect(IMGSNIFF_TOLERABLE, "graphic control: its size is not 4");
	begin(6, 4, 2);
	put("\x21\xFE\7comment\0", 11);
	put_flat(0, 0, 6, 4, 1);
	put_trailer();
	expect(IMGSNIFF_INTACT, NULL);
}

static void
a_frame_that_is_cut_tells_how_many_were_whole(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	begin(6, 4, 2);
	put_flat(0, 0, 6, 4, 1);
	put_flat(0, 0, 6, 4, 2);
	put_flat(0, 0, 6, 4, 3);
	g.size -= 3;
	v = expect(IMGSNIFF_TRUNCATED,
		   "image data: the file ends inside them");
	assert_int_equal(v.frames_valid, 2);
	assert_int_equal(v.offset, g.size);
	assert_int_equal(v.end_offset, IMGSNIFF_NO_OFFSET);
}

static void
a_bomb_that_is_broken_too_is_called_broken(void **state)
{
	(void)state;
	begin(60000, 60000, 2);
	put_flat(0, 0, 6, 4, 1);
	put_trailer();
	expect(IMGSNIFF_UNCHECKED, "size: more pixels than max-pixels allows");
	g.bytes[g.size - 1] = 0x99;
	expect(IMGSNIFF_DAMAGED, "block: of no known type");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_images_are_intact),
		cmocka_unit_test(frames_of_all_code_sizes_are_intact),
		cmocka_unit_test(no_cut_passes_for_whole),
		cmocka_unit_test(a_missing_trailer_is_tolerable),
		cmocka_unit_test(bytes_behind_the_trailer_are_counted),
		cmocka_unit_test(zeros_between_blocks_are_tolerable),
		cmocka_unit_test(an_unknown_block_is_damage),
		cmocka_unit_test(too_few_pixels_are_damage),
		cmocka_unit_test(too_many_pixels_are_tolerable),
		cmocka_unit_test(bytes_behind_the_end_code_are_tolerable),
		cmocka_unit_test(a_missing_end_code_is_tolerable),
		cmocka_unit_test(a_clear_code_may_be_anywhere_or_missing),
		cmocka_unit_test(an_unusual_code_size_is_tolerable),
		cmocka_unit_test(an_index_past_the_colours_is_tolerable_unless_transparent),
		cmocka_unit_test(an_image_without_colours_is_tolerable),
		cmocka_unit_test(an_image_off_the_screen_is_tolerable),
		cmocka_unit_test(a_screen_without_a_size_is_tolerable),
		cmocka_unit_test(extensions_have_their_sizes),
		cmocka_unit_test(a_frame_that_is_cut_tells_how_many_were_whole),
		cmocka_unit_test(a_bomb_that_is_broken_too_is_called_broken),
	};

	return cmocka_run_group_tests_name("check_gif", tests, NULL, NULL);
}
