/*
 * test_gif_frames.c - pixels and frames of codec/gif
 */

#include "unit/gif_build.h"

/* ---- Painting ----------------------------------------------------------- */

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

/* ---- Frames ------------------------------------------------------------- */

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

/* ---- The other decoder -------------------------------------------------- */

static void
stb_use(void)
{
	const struct imgsniff_options o = {
		.struct_size = sizeof(o), .backend = "stb",
	};

	imgsniff_free(d);
	d = imgsniff_new(&o);
	assert_non_null(d);
}

static void
stb_agrees_on_what_it_is_trusted_with(void **state)
{
	static uint8_t indices[100 * 100];

	(void)state;
	stb_use();
	for (unsigned int bits = 1; bits <= 8; bits++) {
		indices_make(indices, sizeof(indices), bits);
		begin(100, 100, bits);
		put_frame(0, 0, 100, 100, bits, indices);
		put_trailer();

		open_good();
		decode_good();

		assert_picture(indices, sizeof(indices));
	}
	story_tell();
	assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
	decode_good();
	assert_memory_equal(canvas, story[0], sizeof(story[0]));
	open_good();
	next_good();			/* never by stb_image */
	decode_good();
	assert_memory_equal(canvas, story[1], sizeof(story[1]));
}

static void
stb_declines(void)
{
	open_good();
	assert_int_equal(decode(0), IMGSNIFF_ERR_UNSUPPORTED);
}

static void
stb_is_not_asked_where_it_would_differ(void **state)
{
	static const uint8_t indices[4] = { 0, 1, 2, 3 };

	(void)state;
	stb_use();

	begin(4, 4, 2);			/* it would paint the background */
	g.bytes[11] = 1;
	put_flat(1, 1, 2, 2, 2);
	stb_declines();
	g.bytes[11] = 0;
	open_good();
	decode_good();
	assert_pixel(0, 0, -1);
	assert_pixel(1, 1, 2);

	begin(4, 4, 2);			/* off the screen */
	put_flat(1, 1, 4, 4, 2);
	stb_declines();

	begin(0, 0, 2);			/* no screen */
	put_flat(0, 0, 4, 4, 2);
	stb_declines();

	begin(2, 2, 0);			/* no palette */
	put_frame(0, 0, 2, 2, 2, indices);
	stb_declines();

	begin(2, 2, 1);			/* colours that are not there */
	put_frame(0, 0, 2, 2, 2, indices);
	stb_declines();

	begin(2, 2, 2);			/* a control of another size */
	put("\x21\xF9\x05\0\0\0\0\0\0", 9);
	put_frame(0, 0, 2, 2, 2, indices);
	stb_declines();

	begin(2, 2, 2);			/* short of pixels */
	put_descriptor(0, 0, 2, 2, 0);
	put8(2);
	lzw_encode(indices, 3, 2, USUAL);
	put_codes();
	stb_declines();
}

/* A canvas of one pixel let frames of any size cost what they liked. */
static void
pixels_off_the_canvas_count_against_the_limit(void **state)
{
	const struct imgsniff_options o = {
		.struct_size = sizeof(o),
		.limits = { .max_animation_pixels = 2 * 100 * 100 },
	};

	(void)state;
	imgsniff_free(d);
	d = imgsniff_new(&o);
	assert_non_null(d);
	begin(1, 1, 2);
	for (unsigned int i = 0; i < 3; i++)
		put_flat(0, 0, 100, 100, i);
	put_trailer();
	open_good();

	decode_good();
	next_good();
	decode_good();
	assert_pixel(0, 0, 1);
	next_good();
	assert_int_equal(decode(0), IMGSNIFF_ERR_LIMIT);
	assert_non_null(strstr(imgsniff_last_error(d)->message,
			       "max-animation-pixels"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
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
		TEST(stb_agrees_on_what_it_is_trusted_with),
		TEST(stb_is_not_asked_where_it_would_differ),
		TEST(pixels_off_the_canvas_count_against_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
