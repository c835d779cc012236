/*
 * test_check_png.c - verdicts of PNGs: CRCs, order, lengths, data, animations
 */

#include <setjmp.h>
#include <stdarg.h>

#include "png_make.h"

#include <cmocka.h>

#include "verdict.h"

static const struct png_kind gray = {
	.width = 13, .height = 9, .depth = 8, .color = 0,
};
static const struct png_kind rgb = {
	.width = 13, .height = 9, .depth = 8, .color = 2,
};
static const struct png_kind indexed = {
	.width = 13, .height = 9, .depth = 4, .color = 3, .palette = 10,
};

/* A PNG under construction: its head is there, its data are at hand. */
struct draft {
	struct bytes png, stream;
};

static struct draft
draft_begin(const struct png_kind *k)
{
	struct draft f = { { NULL, 0, 0 }, { NULL, 0, 0 } };
	uint16_t *samples = png_picture(k, 3);

	png_head(&f.png, k);
	f.stream = png_stream(k, samples, 6);
	free(samples);
	return f;
}

static void
draft_data(struct draft *f)
{
	png_idats(&f->png, &f->stream, 40);
}

static struct imgsniff_verdict
draft_expect(struct draft *f, enum imgsniff_integrity integrity,
	     const char *message)
{
	struct imgsniff_verdict v = verdict_expect(f->png.data, f->png.size,
						   integrity, message);

	bytes_free(&f->png);
	bytes_free(&f->stream);
	return v;
}

/* Completes it. */
static struct imgsniff_verdict
draft_end(struct draft *f, enum imgsniff_integrity integrity,
	  const char *message)
{
	png_chunk(&f->png, "IEND", NULL, 0);
	return draft_expect(f, integrity, message);
}

/* One chunk before the data. */
static void
head_expect(const struct png_kind *k, const char *type, const void *data,
	    size_t size, const char *message)
{
	struct draft f = draft_begin(k);

	png_chunk(&f.png, type, data, size);
	draft_data(&f);
	draft_end(&f, message ? IMGSNIFF_TOLERABLE : IMGSNIFF_INTACT, message);
}

static const uint8_t zeros[64];

static void
whole_images_of_each_kind_are_intact(void **state)
{
	const struct png_kind kinds[] = { gray, rgb, indexed };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct draft f = draft_begin(&kinds[i]);
		struct imgsniff_verdict v;
		size_t size;

		draft_data(&f);
		size = f.png.size + 12;
		v = draft_end(&f, IMGSNIFF_INTACT, NULL);
		assert_int_equal(v.frames_valid, 1);
		assert_int_equal(v.end_offset, size);
		assert_int_equal(v.trailing_bytes, 0);
	}
}

static void
no_cut_passes_for_whole(void **state)
{
	uint16_t *samples = png_picture(&rgb, 3);
	struct bytes png = png_make(&rgb, samples, 50);

	(void)state;
	verdict_expect_cuts(png.data, png.size, 16);
	bytes_free(&png);
	free(samples);
}

static void
a_missing_iend_is_tolerable(void **state)
{
	struct draft f = draft_begin(&rgb);
	struct imgsniff_verdict v;
	size_t size;

	(void)state;
	draft_data(&f);
	size = f.png.size;
	v = draft_expect(&f, IMGSNIFF_TOLERABLE, "IEND: it is missing");
	assert_int_equal(v.offset, size);
	assert_int_equal(v.end_offset, size);
	assert_int_equal(v.frames_valid, 1);
}

static void
an_iend_with_data_is_tolerable(void **state)
{
	struct draft f = draft_begin(&rgb);

	(void)state;
	draft_data(&f);
	png_chunk(&f.png, "IEND", zeros, 3);
	draft_expect(&f, IMGSNIFF_TOLERABLE, "IEND: the length is wrong");
}

static void
bytes_behind_iend_are_counted(void **state)
{
	struct draft f = draft_begin(&rgb);
	struct imgsniff_verdict v;
	size_t size;

	(void)state;
	draft_data(&f);
	png_chunk(&f.png, "IEND", NULL, 0);
	size = f.png.size;
	bytes_add(&f.png, "\0\0\0\0\0", 5);
	v = draft_expect(&f, IMGSNIFF_TOLERABLE, "end: bytes follow the image");
	assert_int_equal(v.offset, size);
	assert_int_equal(v.end_offset, size);
	assert_int_equal(v.trailing_bytes, 5);
	assert_int_equal(v.trailer, IMGSNIFF_TRAILER_ZEROS);
}

static void
a_wrong_crc_is_damage_in_what_is_needed(void **state)
{
	struct draft f = draft_begin(&rgb);
	struct imgsniff_verdict v;
	size_t at;

	(void)state;
	at = png_idats(&f.png, &f.stream, 0) + 8 + f.stream.size;
	f.png.data[at] ^= 1;
	v = draft_end(&f, IMGSNIFF_DAMAGED, "IDAT: the CRC is wrong");
	assert_int_equal(v.offset, at);
	assert_int_equal(v.status, IMGSNIFF_ERR_CORRUPT);
}

static void
a_wrong_crc_is_tolerable_elsewhere(void **state)
{
	struct draft f = draft_begin(&rgb);
	struct imgsniff_verdict v;
	size_t at = png_chunk(&f.png, "tEXt", "Title\0x", 7) + 8;

	(void)state;
	f.png.data[at + 6] = 'y';
	draft_data(&f);
	v = draft_end(&f, IMGSNIFF_TOLERABLE, "tEXt: the CRC is wrong");
	assert_int_equal(v.offset, at + 7);
	assert_int_equal(v.frames_valid, 1);
}

static void
a_wrong_crc_is_found_behind_the_data(void **state)
{
	struct draft f = draft_begin(&rgb);
	size_t at;

	(void)state;
	draft_data(&f);
	at = png_chunk(&f.png, "abCd", zeros, 64);
	f.png.data[at + 20] = 1;
	draft_end(&f, IMGSNIFF_TOLERABLE, "chunk: the CRC is wrong");
}

static void
a_wrong_adler_is_damage(void **state)
{
	struct draft f = draft_begin(&rgb);

	(void)state;
	f.stream.data[f.stream.size - 1] ^= 1;
	draft_data(&f);
	draft_end(&f, IMGSNIFF_DAMAGED,
		  "IDAT: the Adler-32 of the zlib stream is wrong");
}

static void
a_missing_adler_is_tolerable(void **state)
{
	struct draft f = draft_begin(&rgb);

	(void)state;
	f.stream.size -= 4;
	draft_data(&f);
	draft_end(&f, IMGSNIFF_TOLERABLE,
		  "IDAT: not exactly what the rows need");
}

static void
bytes_behind_the_zlib_stream_are_tolerable(void **state)
{
	const size_t parts[] = { 0, 30 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct draft f = draft_begin(&rgb);

		bytes_add(&f.stream, zeros, 50);
		png_idats(&f.png, &f.stream, parts[i]);
		draft_end(&f, IMGSNIFF_TOLERABLE,
			  "IDAT: not exactly what the rows need");
	}
}

static struct bytes
stream_of_rows(int more)
{
	uint16_t *samples = png_picture(&rgb, 3);
	struct bytes raw = png_scanlines(&rgb, samples), stream;

	if (more > 0)
		bytes_add(&raw, zeros, (size_t)more);
	else
		raw.size -= (size_t)-more;
	stream = zlib_stream(&raw, 6);
	bytes_free(&raw);
	free(samples);
	return stream;
}

static void
too_many_rows_are_tolerable(void **state)
{
	struct draft f = draft_begin(&rgb);

	(void)state;
	bytes_free(&f.stream);
	f.stream = stream_of_rows(40);
	draft_data(&f);
	draft_end(&f, IMGSNIFF_TOLERABLE,
		  "IDAT: not exactly what the rows need");
}

static void
too_few_rows_are_damage(void **state)
{
	struct draft f = draft_begin(&rgb);
	struct imgsniff_verdict v;

	(void)state;
	bytes_free(&f.stream);
	f.stream = stream_of_rows(-40);		/* the last one */
	draft_data(&f);
	v = draft_end(&f, IMGSNIFF_DAMAGED,
		      "IDAT: the zlib stream ends before the last row");
	assert_int_equal(v.frames_valid, 0);
	assert_int_equal(v.rows_valid, 8);
}

static void
chunks_must_keep_their_order(void **state)
{
	struct draft f;

	(void)state;
	head_expect(&rgb, "gAMA", "\0\0\xb1\x8f", 4, NULL);
	head_expect(&indexed, "gAMA", "\0\0\xb1\x8f", 4,
		    "gAMA: comes behind what it must come before");
	f = draft_begin(&rgb);
	draft_data(&f);
	png_chunk(&f.png, "pHYs", zeros, 9);
	draft_end(&f, IMGSNIFF_TOLERABLE,
		  "pHYs: comes behind what it must come before");
}

static void
some_chunks_stand_once_only(void **state)
{
	struct draft f = draft_begin(&rgb);

	(void)state;
	png_chunk(&f.png, "tIME", zeros, 7);
	draft_data(&f);
	png_chunk(&f.png, "tIME", zeros, 7);
	draft_end(&f, IMGSNIFF_TOLERABLE, "tIME: there is more than one");
}

static void
what_goes_by_the_palette_comes_behind_it(void **state)
{
	struct draft f = { { NULL, 0, 0 }, { NULL, 0, 0 } };
	uint16_t *samples = png_picture(&indexed, 3);

	(void)state;
	f.stream = png_stream(&indexed, samples, 6);
	free(samples);
	png_signature(&f.png);
	png_ihdr(&f.png, &indexed);
	png_chunk(&f.png, "bKGD", zeros, 1);
	png_palette(&f.png, 10);
	draft_data(&f);
	draft_end(&f, IMGSNIFF_TOLERABLE,
		  "bKGD: comes before the PLTE it belongs to");
}

static void
lengths_go_by_the_colour_type(void **state)
{
	(void)state;
	head_expect(&gray, "tRNS", zeros, 2, NULL);
	head_expect(&gray, "tRNS", zeros, 6, "tRNS: the length is wrong");
	head_expect(&rgb, "tRNS", zeros, 6, NULL);
	head_expect(&rgb, "bKGD", zeros, 2, "bKGD: the length is wrong");
	head_expect(&indexed, "tRNS", zeros, 10, NULL);
	head_expect(&indexed, "tRNS", zeros, 11, "tRNS: the length is wrong");
	head_expect(&indexed, "hIST", zeros, 20, NULL);
	head_expect(&indexed, "hIST", zeros, 18, "hIST: the length is wrong");
	head_expect(&rgb, "sBIT", zeros, 3, NULL);
	head_expect(&rgb, "sBIT", zeros, 4, "sBIT: the length is wrong");
	head_expect(&rgb, "cHRM", zeros, 31, "cHRM: the length is wrong");
}

static void
trns_beside_an_alpha_channel_is_tolerable(void **state)
{
	struct png_kind rgba = rgb;

	(void)state;
	rgba.color = 6;
	head_expect(&rgba, "tRNS", zeros, 6, "tRNS: the length is wrong");
}

static void
a_palette_may_be_suggested_for_colours_only(void **state)
{
	(void)state;
	head_expect(&rgb, "PLTE", zeros, 30, NULL);
	head_expect(&rgb, "PLTE", zeros, 31, "PLTE: the length is wrong");
	head_expect(&gray, "PLTE", zeros, 30, "PLTE: a gray image has none");
}

static void
a_palette_has_no_more_entries_than_samples_can_name(void **state)
{
	struct png_kind k = indexed;
	struct draft f;

	(void)state;
	k.palette = 17;
	f = draft_begin(&indexed);
	f.png.size = 0;
	png_head(&f.png, &k);
	draft_data(&f);
	draft_end(&f, IMGSNIFF_TOLERABLE,
		  "PLTE: more entries than samples can name");
}

static void
an_index_past_the_palette_is_tolerable(void **state)
{
	struct png_kind k = indexed;
	struct draft f;

	(void)state;
	f = draft_begin(&indexed);
	k.palette = 9;
	f.png.size = 0;
	png_head(&f.png, &k);
	draft_data(&f);
	draft_end(&f, IMGSNIFF_TOLERABLE,
		  "IDAT: a palette index is past PLTE");
}

static void
a_second_run_of_idats_is_damage(void **state)
{
	struct draft f = draft_begin(&rgb);

	(void)state;
	draft_data(&f);
	png_chunk(&f.png, "tIME", zeros, 7);
	png_chunk(&f.png, "IDAT", zeros, 5);
	draft_end(&f, IMGSNIFF_DAMAGED, "IDAT: not right behind the others");
}

static void
a_profile_that_does_not_inflate_is_tolerable(void **state)
{
	(void)state;
	head_expect(&rgb, "iCCP", "p\0\0\x78\x9c\xff\xff\xff\xff", 9,
		    "metadata: the compressed data are damaged");
}

static void
a_bomb_that_is_broken_too_is_called_broken(void **state)
{
	struct png_kind k = rgb;
	struct draft f;
	size_t at;

	(void)state;
	f = draft_begin(&rgb);
	k.width = k.height = 60000;
	f.png.size = 0;
	png_head(&f.png, &k);
	at = png_idats(&f.png, &f.stream, 0);
	draft_end(&f, IMGSNIFF_UNCHECKED,
		  "size: more pixels than max-pixels allows");

	f = draft_begin(&rgb);
	f.png.size = 0;
	png_head(&f.png, &k);
	at = png_idats(&f.png, &f.stream, 0);
	f.png.data[at + 12] ^= 1;
	draft_end(&f, IMGSNIFF_DAMAGED, "IDAT: the CRC is wrong");
}

/* ---- Animations ---------------------------------------------------------- */

static void
actl_add(struct draft *f, uint32_t frames)
{
	struct bytes data = { NULL, 0, 0 };

	bytes_add_u32(&data, frames);
	bytes_add_u32(&data, 0);
	png_chunk(&f->png, "acTL", data.data, data.size);
	bytes_free(&data);
}

static void
fctl_add(struct draft *f, uint32_t sequence)
{
	struct bytes data = { NULL, 0, 0 };

	bytes_add_u32(&data, sequence);
	bytes_add_u32(&data, rgb.width);
	bytes_add_u32(&data, rgb.height);
	bytes_add(&data, zeros, 14);
	png_chunk(&f->png, "fcTL", data.data, data.size);
	bytes_free(&data);
}

static size_t
fdat_add(struct draft *f, uint32_t sequence)
{
	struct bytes data = { NULL, 0, 0 };
	size_t at;

	bytes_add_u32(&data, sequence);
	bytes_add(&data, f->stream.data, f->stream.size);
	at = png_chunk(&f->png, "fdAT", data.data, data.size);
	bytes_free(&data);
	return at;
}

static void
whole_animations_are_intact(void **state)
{
	struct draft f = draft_begin(&rgb);
	struct imgsniff_verdict v;

	(void)state;
	actl_add(&f, 2);
	fctl_add(&f, 0);
	draft_data(&f);
	fctl_add(&f, 1);
	fdat_add(&f, 2);
	v = draft_end(&f, IMGSNIFF_INTACT, NULL);
	assert_int_equal(v.frames_valid, 2);
}

static void
sequence_numbers_must_be_in_order(void **state)
{
	struct draft f = draft_begin(&rgb);
	struct imgsniff_verdict v;

	(void)state;
	actl_add(&f, 2);
	fctl_add(&f, 0);
	draft_data(&f);
	fctl_add(&f, 2);
	fdat_add(&f, 1);
	v = draft_end(&f, IMGSNIFF_DAMAGED,
		      "fcTL: sequence number out of order");
	assert_int_equal(v.frames_valid, 1);
}

static void
a_wrong_crc_of_a_frame_is_damage(void **state)
{
	struct draft f = draft_begin(&rgb);
	struct imgsniff_verdict v;
	size_t at;

	(void)state;
	actl_add(&f, 2);
	fctl_add(&f, 0);
	draft_data(&f);
	fctl_add(&f, 1);
	at = fdat_add(&f, 2) + 12 + f.stream.size;
	f.png.data[at] ^= 1;
	v = draft_end(&f, IMGSNIFF_DAMAGED, "fdAT: the CRC is wrong");
	assert_int_equal(v.offset, at);
	assert_int_equal(v.frames_valid, 1);
}

static void
a_default_image_that_is_no_frame_is_checked(void **state)
{
	struct draft f = draft_begin(&rgb);

	(void)state;
	actl_add(&f, 1);
	f.stream.data[f.stream.size - 1] ^= 1;
	draft_data(&f);
	f.stream.data[f.stream.size - 1] ^= 1;
	fctl_add(&f, 0);
	fdat_add(&f, 1);
	draft_end(&f, IMGSNIFF_DAMAGED,
		  "IDAT: the Adler-32 of the zlib stream is wrong");
}

static void
frames_without_actl_are_tolerable(void **state)
{
	struct draft f = draft_begin(&rgb);

	(void)state;
	fctl_add(&f, 0);
	draft_data(&f);
	draft_end(&f, IMGSNIFF_TOLERABLE, "fcTL: there is no acTL");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_images_of_each_kind_are_intact),
		cmocka_unit_test(no_cut_passes_for_whole),
		cmocka_unit_test(a_missing_iend_is_tolerable),
		cmocka_unit_test(an_iend_with_data_is_tolerable),
		cmocka_unit_test(bytes_behind_iend_are_counted),
		cmocka_unit_test(a_wrong_crc_is_damage_in_what_is_needed),
		cmocka_unit_test(a_wrong_crc_is_tolerable_elsewhere),
		cmocka_unit_test(a_wrong_crc_is_found_behind_the_data),
		cmocka_unit_test(a_wrong_adler_is_damage),
		cmocka_unit_test(a_missing_adler_is_tolerable),
		cmocka_unit_test(bytes_behind_the_zlib_stream_are_tolerable),
		cmocka_unit_test(too_many_rows_are_tolerable),
		cmocka_unit_test(too_few_rows_are_damage),
		cmocka_unit_test(chunks_must_keep_their_order),
		cmocka_unit_test(some_chunks_stand_once_only),
		cmocka_unit_test(what_goes_by_the_palette_comes_behind_it),
		cmocka_unit_test(lengths_go_by_the_colour_type),
		cmocka_unit_test(trns_beside_an_alpha_channel_is_tolerable),
		cmocka_unit_test(a_palette_may_be_suggested_for_colours_only),
		cmocka_unit_test(a_palette_has_no_more_entries_than_samples_can_name),
		cmocka_unit_test(an_index_past_the_palette_is_tolerable),
		cmocka_unit_test(a_second_run_of_idats_is_damage),
		cmocka_unit_test(a_profile_that_does_not_inflate_is_tolerable),
		cmocka_unit_test(a_bomb_that_is_broken_too_is_called_broken),
		cmocka_unit_test(whole_animations_are_intact),
		cmocka_unit_test(sequence_numbers_must_be_in_order),
		cmocka_unit_test(a_wrong_crc_of_a_frame_is_damage),
		cmocka_unit_test(a_default_image_that_is_no_frame_is_checked),
		cmocka_unit_test(frames_without_actl_are_tolerable),
	};

	return cmocka_run_group_tests_name("check_png", tests, NULL, NULL);
}
