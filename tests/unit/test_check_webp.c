/*
 * test_check_webp.c - verdicts of WebPs: chunks, VP8X, frames, the length told
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "riff.h"
#include "verdict.h"

#define W	24
#define H	18

/* What happens to 'r' is over with this. */
static struct imgsniff_verdict
expect(struct riff *r, enum imgsniff_integrity integrity, const char *message)
{
	struct imgsniff_verdict v = verdict_expect(r->data, r->size, integrity,
						   message);

	free(r->data);
	return v;
}

static void
picture_put(struct riff *r, enum picture_kind kind, bool alpha)
{
	uint8_t *rgba = picture_new(W, H, 3, alpha);

	picture_add(r, rgba, W, H, kind);
	free(rgba);
}

static struct riff
extended_new(unsigned int flags)
{
	struct riff r = riff_begin();

	vp8x_add(&r, flags, W, H);
	return r;
}

static struct imgsniff_verdict
end_expect(struct riff *r, enum imgsniff_integrity integrity,
	   const char *message)
{
	riff_end(r);
	return expect(r, integrity, message);
}

/* A file of which 'flags' tell and that has 'tag' before the picture. */
static void
chunk_expect(unsigned int flags, const char *tag, const char *message)
{
	struct riff r = extended_new(flags);

	chunk_add(&r, tag, "data", 4);
	picture_put(&r, PICTURE_LOSSY, false);
	end_expect(&r, message ? IMGSNIFF_TOLERABLE : IMGSNIFF_INTACT, message);
}

static void
whole_images_are_intact(void **state)
{
	(void)state;
	for (int alpha = 0; alpha < 2; alpha++) {
		const enum picture_kind kinds[] = {
			PICTURE_LOSSY, PICTURE_LOSSLESS,
		};

		for (size_t i = 0; i < 2; i++) {
			struct riff r = still_new(W, H, kinds[i], alpha);
			size_t size = r.size;
			struct imgsniff_verdict v = expect(&r, IMGSNIFF_INTACT,
							   NULL);

			assert_int_equal(v.frames_valid, 1);
			assert_int_equal(v.end_offset, size);
		}
	}
}

static void
no_cut_passes_for_whole(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSY, true);

	(void)state;
	verdict_expect_cuts(r.data, r.size, 16);
	free(r.data);
	r = still_new(7, 1, PICTURE_LOSSLESS, true);
	verdict_expect_cuts(r.data, r.size, 16);
	free(r.data);
}

static void
a_file_shorter_than_its_header_says_is_truncated(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSY, false);
	struct imgsniff_verdict v;
	size_t size = r.size;

	(void)state;
	riff_set_size(&r, 4, size - 8 + 6);
	v = expect(&r, IMGSNIFF_TRUNCATED, "RIFF: the file ends inside it");
	assert_int_equal(v.offset, size);
	assert_int_equal(v.end_offset, IMGSNIFF_NO_OFFSET);
	assert_int_equal(v.frames_valid, 1);
}

static void
bytes_behind_the_riff_are_counted(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSY, false);
	struct imgsniff_verdict v;
	size_t size = r.size;

	(void)state;
	riff_add(&r, "\0\0\0", 3);
	v = expect(&r, IMGSNIFF_TOLERABLE, "end: bytes follow the image");
	assert_int_equal(v.end_offset, size);
	assert_int_equal(v.trailing_bytes, 3);
	assert_int_equal(v.trailer, IMGSNIFF_TRAILER_ZEROS);
}

static void
padding_may_be_missing_at_the_end_only(void **state)
{
	struct riff r = extended_new(VP8X_EXIF);
	size_t size;

	(void)state;
	picture_put(&r, PICTURE_LOSSY, false);
	chunk_add(&r, "EXIF", "odd", 3);
	riff_end(&r);
	r.size--;
	size = r.size;
	riff_set_size(&r, 4, size - 8);
	assert_int_equal(expect(&r, IMGSNIFF_TOLERABLE,
		"chunk: its padding is missing").offset, size);
}

static void
padding_that_is_not_zero_is_tolerable(void **state)
{
	struct riff r = extended_new(VP8X_EXIF);

	(void)state;
	picture_put(&r, PICTURE_LOSSY, false);
	chunk_add(&r, "EXIF", "odd", 3);
	r.data[r.size - 1] = 1;
	end_expect(&r, IMGSNIFF_TOLERABLE, "chunk: its padding is not zero");
}

static void
a_rest_too_short_for_a_chunk_is_tolerable(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSY, false);

	(void)state;
	riff_add(&r, "rest", 4);
	end_expect(&r, IMGSNIFF_TOLERABLE, "chunk: too little left for one");
}

static void
vp8x_tells_of_the_chunks_there_are(void **state)
{
	(void)state;
	chunk_expect(VP8X_ICC, "ICCP", NULL);
	chunk_expect(VP8X_EXIF, "EXIF", NULL);
	chunk_expect(VP8X_XMP, "XMP ", NULL);
	chunk_expect(0, "ICCP", "VP8X: does not tell of ICCP");
	chunk_expect(0, "EXIF", "VP8X: does not tell of EXIF");
	chunk_expect(0, "XMP ", "VP8X: does not tell of XMP");
	chunk_expect(VP8X_EXIF, "ABCD",
		     "VP8X: tells of chunks that are not there");
	chunk_expect(0, "ABCD", NULL);
}

static void
alpha_must_be_told_of(void **state)
{
	struct riff r = extended_new(0);

	(void)state;
	picture_put(&r, PICTURE_LOSSY, true);
	end_expect(&r, IMGSNIFF_TOLERABLE, "VP8X: does not tell of alpha");
	r = extended_new(VP8X_ALPHA);
	picture_put(&r, PICTURE_LOSSY, false);
	end_expect(&r, IMGSNIFF_INTACT, NULL);
}

static void
reserved_bits_are_zero(void **state)
{
	struct riff r = extended_new(0x80);

	(void)state;
	picture_put(&r, PICTURE_LOSSY, false);
	end_expect(&r, IMGSNIFF_TOLERABLE, "VP8X: reserved bits are set");
	r = extended_new(0x0100);
	picture_put(&r, PICTURE_LOSSY, false);
	end_expect(&r, IMGSNIFF_TOLERABLE, "VP8X: reserved bits are set");
}

static void
a_profile_comes_before_the_picture(void **state)
{
	struct riff r = extended_new(VP8X_ICC);

	(void)state;
	picture_put(&r, PICTURE_LOSSY, false);
	chunk_add(&r, "ICCP", "data", 4);
	end_expect(&r, IMGSNIFF_TOLERABLE,
		   "ICCP: comes behind what it must come before");
}

static void
metadata_stand_once_only(void **state)
{
	struct riff r = extended_new(VP8X_EXIF);

	(void)state;
	picture_put(&r, PICTURE_LOSSY, false);
	chunk_add(&r, "EXIF", "data", 4);
	chunk_add(&r, "EXIF", "data", 4);
	end_expect(&r, IMGSNIFF_TOLERABLE, "EXIF: there is more than one");
}

static void
chunks_behind_a_simple_picture_need_vp8x(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSY, false);

	(void)state;
	chunk_add(&r, "EXIF", "data", 4);
	end_expect(&r, IMGSNIFF_TOLERABLE,
		   "chunk: there is no VP8X to tell of it");
}

static void
a_second_picture_is_tolerable(void **state)
{
	struct riff r = extended_new(0);

	(void)state;
	picture_put(&r, PICTURE_LOSSY, false);
	picture_put(&r, PICTURE_LOSSY, false);
	end_expect(&r, IMGSNIFF_TOLERABLE,
		   "chunk: there is a picture already");
}

static void
alph_before_vp8l_is_tolerable(void **state)
{
	struct riff r = extended_new(VP8X_ALPHA);

	(void)state;
	chunk_add(&r, "ALPH", "data", 4);
	picture_put(&r, PICTURE_LOSSLESS, true);
	end_expect(&r, IMGSNIFF_TOLERABLE, "ALPH: reserved bits are set");
	r = extended_new(VP8X_ALPHA);
	chunk_add(&r, "ALPH", "\0ata", 4);
	picture_put(&r, PICTURE_LOSSLESS, true);
	end_expect(&r, IMGSNIFF_TOLERABLE, "VP8L: has its own alpha, not ALPH");
}

static void
damaged_data_are_damage(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSLESS, false);
	struct imgsniff_verdict v;

	(void)state;
	memset(r.data + 27, 0xFF, 20);
	v = expect(&r, IMGSNIFF_DAMAGED, "VP8L: the data are damaged");
	assert_int_equal(v.frames_valid, 0);
}

/* ---- Animations ---------------------------------------------------------- */

static size_t
frame_put(struct riff *r, unsigned int flags)
{
	size_t at = anmf_begin(r, 0, 0, W, H, 100, flags);

	picture_put(r, PICTURE_LOSSLESS, false);
	chunk_end(r, at);
	return at;
}

static struct riff
animation_new(void)
{
	struct riff r = extended_new(VP8X_ANIM);

	anim_add(&r, 0);
	frame_put(&r, 0);
	frame_put(&r, ANMF_DISPOSE);
	return r;
}

static void
whole_animations_are_intact(void **state)
{
	struct riff r = animation_new();

	(void)state;
	assert_int_equal(end_expect(&r, IMGSNIFF_INTACT, NULL).frames_valid, 2);
}

static void
reserved_bits_of_a_frame_are_zero(void **state)
{
	struct riff r = animation_new();

	(void)state;
	frame_put(&r, 4);
	end_expect(&r, IMGSNIFF_TOLERABLE, "ANMF: reserved bits are set");
}

static void
a_frame_has_one_picture(void **state)
{
	struct riff r = animation_new();
	size_t at = anmf_begin(&r, 0, 0, W, H, 100, 0);

	(void)state;
	picture_put(&r, PICTURE_LOSSLESS, false);
	picture_put(&r, PICTURE_LOSSLESS, false);
	chunk_end(&r, at);
	end_expect(&r, IMGSNIFF_TOLERABLE, "chunk: there is a picture already");
}

static void
frames_must_be_told_of(void **state)
{
	struct riff r = extended_new(0);

	(void)state;
	picture_put(&r, PICTURE_LOSSY, false);
	frame_put(&r, 0);
	end_expect(&r, IMGSNIFF_TOLERABLE, "VP8X: does not tell of ANMF");
}

static void
frames_must_be_inside_the_canvas(void **state)
{
	struct riff r = animation_new();
	size_t at = anmf_begin(&r, 2, 0, W, H, 100, 0);
	struct imgsniff_verdict v;

	(void)state;
	picture_put(&r, PICTURE_LOSSLESS, false);
	chunk_end(&r, at);
	v = end_expect(&r, IMGSNIFF_DAMAGED,
		       "ANMF: the frame is not inside the canvas");
	assert_int_equal(v.frames_valid, 2);
}

static void
a_damaged_frame_tells_how_many_were_whole(void **state)
{
	struct riff r = animation_new();
	size_t at = frame_put(&r, 0);
	struct imgsniff_verdict v;

	(void)state;
	memset(r.data + at + 8 + 16 + 8 + 7, 0xFF, 20);
	v = end_expect(&r, IMGSNIFF_DAMAGED, "VP8L: the data are damaged");
	assert_int_equal(v.frames_valid, 2);
}

static void
a_bomb_that_is_cut_too_is_called_cut(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSLESS, false);

	(void)state;
	r.data[21] = r.data[22] = r.data[23] = 0xFF;	/* 16384 x 16372 */
	r.data[24] |= 0x0F;
	verdict_expect(r.data, r.size, IMGSNIFF_UNCHECKED,
		       "size: more pixels than max-pixels allows");
	riff_add(&r, "ABCD\4\0\0\0data", 12);
	riff_end(&r);
	r.size -= 2;
	expect(&r, IMGSNIFF_TRUNCATED, "chunk: the file ends inside it");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_images_are_intact),
		cmocka_unit_test(no_cut_passes_for_whole),
		cmocka_unit_test(a_file_shorter_than_its_header_says_is_truncated),
		cmocka_unit_test(bytes_behind_the_riff_are_counted),
		cmocka_unit_test(padding_may_be_missing_at_the_end_only),
		cmocka_unit_test(padding_that_is_not_zero_is_tolerable),
		cmocka_unit_test(a_rest_too_short_for_a_chunk_is_tolerable),
		cmocka_unit_test(vp8x_tells_of_the_chunks_there_are),
		cmocka_unit_test(alpha_must_be_told_of),
		cmocka_unit_test(reserved_bits_are_zero),
		cmocka_unit_test(a_profile_comes_before_the_picture),
		cmocka_unit_test(metadata_stand_once_only),
		cmocka_unit_test(chunks_behind_a_simple_picture_need_vp8x),
		cmocka_unit_test(a_second_picture_is_tolerable),
		cmocka_unit_test(alph_before_vp8l_is_tolerable),
		cmocka_unit_test(damaged_data_are_damage),
		cmocka_unit_test(whole_animations_are_intact),
		cmocka_unit_test(reserved_bits_of_a_frame_are_zero),
		cmocka_unit_test(a_frame_has_one_picture),
		cmocka_unit_test(frames_must_be_told_of),
		cmocka_unit_test(frames_must_be_inside_the_canvas),
		cmocka_unit_test(a_damaged_frame_tells_how_many_were_whole),
		cmocka_unit_test(a_bomb_that_is_cut_too_is_called_cut),
	};

	return cmocka_run_group_tests_name("check_webp", tests, NULL, NULL);
}
