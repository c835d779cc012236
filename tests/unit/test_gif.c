/*
 * test_gif.c - structure and codes of codec/gif
 */

#include "unit/gif_build.h"

/* ---- Structure ---------------------------------------------------------- */

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

/* ---- Codes -------------------------------------------------------------- */

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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
