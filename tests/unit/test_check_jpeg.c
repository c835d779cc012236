/*
 * test_check_jpeg.c - verdicts of JPEGs: markers, scans, what is left over
 */

#include "jpeg_writer.h"
#include "verdict.h"

#if HAVE_LIBJPEG
#include "jpeg_encode.h"

static struct imgsniff_verdict
expect(enum imgsniff_integrity integrity, const char *message)
{
	return verdict_expect(j.bytes, j.size, integrity, message);
}

/* The image being built is one with something to see. */
static void
put_encoded(const struct encoding *e)
{
	struct encoded image = encode(e);

	j.size = 0;
	put(image.bytes, image.size);
	free(image.bytes);
}

static const struct encoding photo = {
	.width = 61, .height = 45, .components = 3, .h = 2, .v = 2,
};

static const struct encoding with_restarts = {
	.width = 61, .height = 45, .components = 3, .restart_interval = 2,
};

static const struct encoding progression = {
	.width = 61, .height = 45, .components = 3, .progressive = true,
};

/* Bytes put in before those at 'at'. */
static void
insert(size_t at, const void *bytes, size_t size)
{
	memmove(j.bytes + at + size, j.bytes + at, j.size - at);
	memcpy(j.bytes + at, bytes, size);
	j.size += size;
}

static void
cut_out(size_t at, size_t size)
{
	memmove(j.bytes + at, j.bytes + at + size, j.size - at - size);
	j.size -= size;
}

/* The n-th marker of this code, from 0. */
static size_t
marker_at(unsigned int code, unsigned int n)
{
	for (size_t at = 0; at + 1 < j.size; at++)
		if (j.bytes[at] == 0xFF && j.bytes[at + 1] == code && n-- == 0)
			return at;
	fail();
	return 0;
}

static void
whole_images_are_intact(void **state)
{
	struct encoding e = photo;
	struct imgsniff_verdict v;

	(void)state;
	put_encoded(&photo);
	v = expect(IMGSNIFF_INTACT, NULL);
	assert_int_equal(v.frames_valid, 1);
	assert_int_equal(v.end_offset, j.size);
	put_encoded(&with_restarts);
	expect(IMGSNIFF_INTACT, NULL);
	put_encoded(&progression);
	expect(IMGSNIFF_INTACT, NULL);
	e.separate = true;
	put_encoded(&e);
	expect(IMGSNIFF_INTACT, NULL);
	e.separate = false;
	e.arithmetic = true;
	put_encoded(&e);
	expect(IMGSNIFF_INTACT, NULL);
}

static void
no_cut_passes_for_whole(void **state)
{
	(void)state;
	put_encoded(&photo);
	verdict_expect_cuts(j.bytes, j.size, 3);
	put_encoded(&progression);
	verdict_expect_cuts(j.bytes, j.size, 3);
}

static void
a_missing_eoi_is_tolerable_behind_all_rows(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	put_encoded(&photo);
	j.size -= 2;
	v = expect(IMGSNIFF_TOLERABLE, "EOI: it is missing");
	assert_int_equal(v.offset, j.size);
	assert_int_equal(v.end_offset, j.size);
	assert_int_equal(v.frames_valid, 1);
}

static void
a_cut_scan_tells_how_many_rows_are_whole(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	put_encoded(&photo);
	j.size -= 200;
	v = expect(IMGSNIFF_TRUNCATED, "scan: the file ends inside it");
	assert_int_equal(v.offset, j.size);
	assert_int_equal(v.end_offset, IMGSNIFF_NO_OFFSET);
	assert_int_equal(v.frames_valid, 0);
	assert_in_range(v.rows_valid, 1, 44);
}

static void
bytes_behind_eoi_are_counted(void **state)
{
	struct imgsniff_verdict v;
	size_t end;

	(void)state;
	put_encoded(&photo);
	end = j.size;
	put_marker(JPEG_SOI);
	put_jfif();
	put_marker(JPEG_EOI);
	v = expect(IMGSNIFF_TOLERABLE, "end: bytes follow the image");
	assert_int_equal(v.end_offset, end);
	assert_int_equal(v.trailing_bytes, j.size - end);
	assert_int_equal(v.trailer, IMGSNIFF_TRAILER_IMAGE);
}

static void
junk_between_segments_is_tolerable(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	put_encoded(&photo);
	insert(20, "junk", 4);		/* behind JFIF */
	v = expect(IMGSNIFF_TOLERABLE, "marker: other bytes before it");
	assert_int_equal(v.offset, 20);
	assert_int_equal(v.frames_valid, 1);
}

static void
fill_bytes_are_no_junk(void **state)
{
	(void)state;
	put_encoded(&photo);
	insert(2, "\xff\xff\xff", 3);
	expect(IMGSNIFF_INTACT, NULL);
}

static void
a_length_below_2_is_tolerable_in_what_is_passed_over(void **state)
{
	(void)state;
	begin();
	put_marker(JPEG_COM);
	put16(0);
	put_rest(16, 16, "1");
	expect(IMGSNIFF_TOLERABLE, "segment: its length is below 2");
}

static void
a_restart_marker_outside_of_a_scan_is_tolerable(void **state)
{
	(void)state;
	begin();
	put_marker(JPEG_RST0);
	put_rest(16, 16, "1");
	expect(IMGSNIFF_TOLERABLE, "marker: it is not inside a scan");
}

static void
odd_scan_parameters_are_tolerable_where_they_mean_nothing(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	put_encoded(&photo);
	j.bytes[marker_at(JPEG_SOS, 0) + 12] = 0;	/* Se */
	v = expect(IMGSNIFF_TOLERABLE,
		   "SOS: not for all coefficients, as it should be");
	assert_int_equal(v.offset, marker_at(JPEG_SOS, 0) + 11);
}

static void
dnl_is_tolerable_where_the_height_is_known(void **state)
{
	(void)state;
	put_encoded(&photo);
	insert(j.size - 2, "\xff\xdc\0\4\0\x2d", 6);
	expect(IMGSNIFF_TOLERABLE, "DNL: the height is known already");
}

static void
missing_huffman_tables_are_tolerable_if_they_are_the_usual_ones(void **state)
{
	struct imgsniff_verdict v;
	size_t sos;

	(void)state;
	put_encoded(&photo);
	while ((sos = marker_at(JPEG_SOS, 0)) > 300) {
		size_t dht = marker_at(JPEG_DHT, 0);

		cut_out(dht, 2 + (size_t)j.bytes[dht + 2] * 256 +
			     j.bytes[dht + 3]);
	}
	v = expect(IMGSNIFF_TOLERABLE, "SOS: a Huffman table is missing, the "
				       "usual one is meant");
	assert_int_equal(v.frames_valid, 1);
}

static void
an_adobe_transform_must_fit_the_components(void **state)
{
	(void)state;
	begin();
	put_adobe(2);
	put_rest(16, 16, "123");
	expect(IMGSNIFF_TOLERABLE,
	       "Adobe: its transform is not for these components");
	begin();
	put_adobe(1);
	put_rest(16, 16, "123");
	expect(IMGSNIFF_INTACT, NULL);
}

static void
a_profile_without_all_its_parts_is_tolerable(void **state)
{
	(void)state;
	begin();
	put_segment(JPEG_APP2, "ICC_PROFILE\0\1\2data", 18);
	put_rest(16, 16, "1");
	expect(IMGSNIFF_TOLERABLE,
	       "ICC: the parts of the profile are not complete");
}

static void
data_left_over_are_tolerable(void **state)
{
	struct imgsniff_verdict v;
	size_t end;

	(void)state;
	put_encoded(&photo);
	end = j.size - 2;
	insert(end, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23", 19);
	v = expect(IMGSNIFF_TOLERABLE, "scan: more data than it has use for");
	assert_in_range(v.offset, end, end + 10);
	assert_int_equal(v.frames_valid, 1);
	put_encoded(&progression);
	end = j.size - 2;
	insert(end, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23", 19);
	v = expect(IMGSNIFF_TOLERABLE, "scan: more data than it has use for");
	assert_in_range(v.offset, end, end + 10);
}

static void
restart_markers_must_be_in_order(void **state)
{
	(void)state;
	put_encoded(&with_restarts);
	j.bytes[marker_at(JPEG_RST0 + 2, 0) + 1] = JPEG_RST0 + 5;
	expect(IMGSNIFF_DAMAGED,
	       "scan: a restart marker is not where it belongs");
}

static void
a_missing_restart_marker_is_damage(void **state)
{
	(void)state;
	put_encoded(&with_restarts);
	cut_out(marker_at(JPEG_RST0 + 1, 0), 2);
	expect(IMGSNIFF_DAMAGED, "scan: more data than it has use for");
}

static void
a_marker_in_the_data_is_damage(void **state)
{
	struct imgsniff_verdict v;
	size_t at;

	(void)state;
	put_encoded(&photo);
	at = j.size - 300;
	insert(at, "\xff\xfe\0\2", 4);
	v = expect(IMGSNIFF_DAMAGED, "scan: a marker inside its data");
	assert_int_equal(v.offset, at);
	assert_in_range(v.rows_valid, 1, 44);
}

static void
every_component_needs_a_scan(void **state)
{
	struct encoding e = photo;
	size_t last;

	(void)state;
	e.separate = true;
	put_encoded(&e);
	last = marker_at(JPEG_SOS, 2);
	cut_out(last, j.size - 2 - last);
	expect(IMGSNIFF_DAMAGED, "EOI: a component had no scan");
	put_encoded(&e);
	j.size = marker_at(JPEG_SOS, 2);
	expect(IMGSNIFF_TRUNCATED, "scan: the file ends before the last");
}

static void
a_progression_may_stop_at_eoi(void **state)
{
	struct imgsniff_verdict v;
	size_t at;

	(void)state;
	put_encoded(&progression);
	at = marker_at(JPEG_SOS, 3);
	cut_out(at, j.size - 2 - at);
	v = expect(IMGSNIFF_TOLERABLE,
		   "EOI: the progression stops before its last bits");
	assert_int_equal(v.frames_valid, 1);
	j.size -= 2;
	expect(IMGSNIFF_TRUNCATED, "marker: the file ends before it");
}

static void
a_second_soi_or_frame_is_damage(void **state)
{
	(void)state;
	put_encoded(&photo);
	insert(j.size - 2, "\xff\xd8", 2);
	expect(IMGSNIFF_DAMAGED, "SOI: a second one");
}

static void
an_unsupported_process_is_unchecked(void **state)
{
	struct imgsniff_verdict v;

	(void)state;
	begin();
	put_tables();
	put_sof(JPEG_SOF0 + 3, 8, 16, 16, "1", 0x11);
	put_sos("1", 1, 0, 0);
	put_zeros(20);
	put_marker(JPEG_EOI);
	v = expect(IMGSNIFF_UNCHECKED,
		   "SOF: lossless coding is not supported");
	assert_int_equal(v.status, IMGSNIFF_ERR_UNSUPPORTED);
}

/* Only a hundred faults are kept; what was behind them did not count. */
static void
damage_is_not_lost_behind_a_hundred_oddities(void **state)
{
	(void)state;
	begin();
	put_jfif();
	for (int i = 0; i < 150; i++) {
		put8('x');
		put_segment(JPEG_COM, "comment", 7);
	}
	put_rest(16, 16, "1");
	insert(j.size - 2, "\xff\xd8", 2);
	expect(IMGSNIFF_DAMAGED, "SOI: a second one");
}

static void
a_bomb_that_is_broken_too_is_called_broken(void **state)
{
	(void)state;
	begin();
	put_tables();
	put_sof(JPEG_SOF0, 8, 60000, 60000, "1", 0x11);
	put_sos("1", 0, 63, 0);
	put_zeros(50);
	put_marker(JPEG_EOI);
	expect(IMGSNIFF_DAMAGED, "scan: too short for its blocks");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_images_are_intact),
		cmocka_unit_test(no_cut_passes_for_whole),
		cmocka_unit_test(a_missing_eoi_is_tolerable_behind_all_rows),
		cmocka_unit_test(a_cut_scan_tells_how_many_rows_are_whole),
		cmocka_unit_test(bytes_behind_eoi_are_counted),
		cmocka_unit_test(junk_between_segments_is_tolerable),
		cmocka_unit_test(fill_bytes_are_no_junk),
		cmocka_unit_test(a_length_below_2_is_tolerable_in_what_is_passed_over),
		cmocka_unit_test(a_restart_marker_outside_of_a_scan_is_tolerable),
		cmocka_unit_test(odd_scan_parameters_are_tolerable_where_they_mean_nothing),
		cmocka_unit_test(dnl_is_tolerable_where_the_height_is_known),
		cmocka_unit_test(missing_huffman_tables_are_tolerable_if_they_are_the_usual_ones),
		cmocka_unit_test(an_adobe_transform_must_fit_the_components),
		cmocka_unit_test(a_profile_without_all_its_parts_is_tolerable),
		cmocka_unit_test(data_left_over_are_tolerable),
		cmocka_unit_test(restart_markers_must_be_in_order),
		cmocka_unit_test(a_missing_restart_marker_is_damage),
		cmocka_unit_test(a_marker_in_the_data_is_damage),
		cmocka_unit_test(every_component_needs_a_scan),
		cmocka_unit_test(a_progression_may_stop_at_eoi),
		cmocka_unit_test(a_second_soi_or_frame_is_damage),
		cmocka_unit_test(an_unsupported_process_is_unchecked),
		cmocka_unit_test(damage_is_not_lost_behind_a_hundred_oddities),
		cmocka_unit_test(a_bomb_that_is_broken_too_is_called_broken),
	};

	return cmocka_run_group_tests_name("check_jpeg", tests, NULL, NULL);
}

#else

int
main(void)
{
	return 0;
}

#endif
