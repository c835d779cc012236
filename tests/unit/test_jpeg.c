/*
 * test_jpeg.c - headers and metadata of codec/jpeg
 */

#include <unistd.h>

#include "unit/jpeg_writer.h"

/* ---- Facts ---------------------------------------------------------------- */

static void
the_first_frame_header_tells_the_facts(void **state)
{
	(void)state;
	begin();
	put_jfif();
	put_rest(40, 24, "\1\2\3");

	assert_int_equal(open_image(), IMGSNIFF_OK);

	assert_size(40, 24);
	assert_int_equal(d->info.bit_depth, 8);
	assert_int_equal(d->info.color, IMGSNIFF_COLOR_YCBCR);
	assert_int_equal(d->info.compression, IMGSNIFF_LOSSY);
	assert_int_equal(d->info.frames, 1);
	assert_int_equal(d->info.plays, 1);
	assert_int_equal(d->info.best, IMGSNIFF_RGB8);
	assert_false(d->info.progressive);
	assert_int_equal(d->frame.width, 40);
	assert_int_equal(decode_open(), IMGSNIFF_OK);
}

static void
a_thumbnail_inside_exif_does_not_count(void **state)
{
	uint8_t exif[400];
	size_t size;

	(void)state;
	begin();
	put_rest(8, 8, "\1");
	memcpy(exif, "Exif\0\0MM\0*\0\0\0\10\0\0\0\0\0\0", 20);
	memcpy(exif + 20, j.bytes, j.size);
	size = 20 + j.size;
	begin();
	put_segment(JPEG_APP1, exif, size);
	put_rest(32, 16, "\1");

	assert_int_equal(open_image(), IMGSNIFF_OK);

	assert_size(32, 16);
	assert_int_equal(d->info.exif_bytes, size - 6);
}

static void
dht_jpg_and_dac_begin_no_frame(void **state)
{
	static const uint8_t like_sof[] = { 8, 0, 99, 0, 99, 0 };

	(void)state;
	begin();
	put_segment(JPEG_DHT, like_sof, sizeof(like_sof));
	put_segment(JPEG_JPG, like_sof, sizeof(like_sof));
	put_segment(JPEG_DAC, like_sof, sizeof(like_sof));
	put_rest(16, 8, "\1");

	assert_int_equal(open_image(), IMGSNIFF_OK);

	assert_size(16, 8);
}

static void
fill_bytes_and_junk_between_segments_are_passed(void **state)
{
	(void)state;
	begin();
	put("\xFF\xFF\xFF", 3);
	put_jfif();
	put("junk\xFF\0more\xFF\xFF", 12);
	put_rest(16, 16, "\1");

	assert_int_equal(open_image(), IMGSNIFF_OK);

	assert_size(16, 16);
#if HAVE_LIBJPEG
	assert_int_equal(decode_open(), IMGSNIFF_OK);
#else
	assert_int_equal(decode_open(), IMGSNIFF_ERR_UNSUPPORTED);
#endif
}

static void
junk_without_end_is_refused_early(void **state)
{
	(void)state;
	begin();
	put_jfif();
	put_zeros(3u << 20);
	put_rest(16, 16, "\1");

	assert_int_equal(open_image(), IMGSNIFF_ERR_CORRUPT);

	assert_error(IMGSNIFF_ERR_CORRUPT, "marker: too many bytes before it");
}

static void
a_height_of_zero_waits_for_dnl(void **state)
{
	(void)state;
	begin();
	put_tables();
	put_sof(JPEG_SOF0, 8, 16, 0, "\1", 0x11);
	put_sos("\1", 0, 63, 0);
	put_zeros(1);
	put_segment(JPEG_DNL, "\0\20", 2);
	put_marker(JPEG_EOI);

	assert_int_equal(open_image(), IMGSNIFF_OK);

	assert_size(16, 16);
#if HAVE_LIBJPEG
	assert_int_equal(decode_open(), IMGSNIFF_OK);
#else
	assert_int_equal(decode_open(), IMGSNIFF_ERR_UNSUPPORTED);
#endif
}

static void
a_height_of_zero_without_dnl_is_an_error(void **state)
{
	(void)state;
	begin();
	put_rest(16, 0, "\1");

	assert_int_equal(open_image(), IMGSNIFF_ERR_CORRUPT);

	assert_error(IMGSNIFF_ERR_CORRUPT, "SOF: height is zero");
	assert_int_equal(d->info.width, 16);
	assert_int_equal(decode_open(), IMGSNIFF_ERR_CORRUPT);
}

static void
an_error_names_the_offset_of_its_field(void **state)
{
	size_t at;

	(void)state;
	begin();
	at = j.size + 7;		/* marker, length, precision, height */
	put_sof(JPEG_SOF0, 8, 0, 16, "\1", 0x11);
	assert_int_equal(open_image(), IMGSNIFF_ERR_CORRUPT);
	assert_error(IMGSNIFF_ERR_CORRUPT, "SOF: width is zero");
	assert_int_equal(d->error.offset, at);

	begin();
	at = j.size + 2;
	put("\xFF\xDB\0\1", 4);
	put_rest(16, 16, "\1");
	assert_int_equal(open_image(), IMGSNIFF_ERR_CORRUPT);
	assert_error(IMGSNIFF_ERR_CORRUPT, "segment: its length is below 2");
	assert_int_equal(d->error.offset, at);
}

/* As libjpeg has it; a walk that subtracted 2 would stand still or go back. */
static void
a_comment_of_no_length_is_empty(void **state)
{
	(void)state;
	begin();
	put("\xFF\xE5\0\0", 4);
	put("\xFF\xFE\0\1", 4);
	put_rest(16, 16, "\1");

	assert_int_equal(open_image(), IMGSNIFF_OK);
	assert_size(16, 16);
#if HAVE_LIBJPEG
	assert_int_equal(decode_open(), IMGSNIFF_OK);
#else
	assert_int_equal(decode_open(), IMGSNIFF_ERR_UNSUPPORTED);
#endif
}

static void
what_was_read_before_an_error_stays(void **state)
{
	(void)state;
	begin();
	put_sof(JPEG_SOF0, 8, 40, 24, "\1\2\3", 0x11);
	put("\xFF\xE5\xFF\xFF", 4);

	assert_int_equal(open_image(), IMGSNIFF_ERR_TRUNCATED);

	assert_error(IMGSNIFF_ERR_TRUNCATED, "APPn: the file ends inside it");
	assert_int_equal(d->error.offset, j.size);
	assert_size(40, 24);
	assert_int_equal(d->info.color, IMGSNIFF_COLOR_YCBCR);
}

static void
a_partial_input_asks_for_more(void **state)
{
	size_t whole;

	(void)state;
	begin();
	put_rest(64, 64, "\1");
	whole = j.size;

	for (size_t size = 3; size < whole; size++) {
		enum imgsniff_status st;

		st = imgsniff_open_memory(d, j.bytes, size, IMGSNIFF_PARTIAL);
		if (st == IMGSNIFF_OK)
			st = decode_open();
		if (size < whole - 2)	/* all but EOI is enough */
			assert_int_equal(st, IMGSNIFF_MORE);
		if (st == IMGSNIFF_MORE)
			assert_true(d->error.needed > size);
	}
}

static void
colours_follow_the_markers_then_the_ids(void **state)
{
	static const struct {
		const char *ids;
		bool jfif;
		int adobe;		/* transform, -1: no marker */
		enum imgsniff_color color;
	} rows[] = {
		{ "\1", false, 0, IMGSNIFF_COLOR_GRAY },
		{ "\1\2\3", false, -1, IMGSNIFF_COLOR_YCBCR },
		{ "abc", false, -1, IMGSNIFF_COLOR_YCBCR },
		{ "RGB", false, -1, IMGSNIFF_COLOR_RGB },
		{ "RGB", true, -1, IMGSNIFF_COLOR_YCBCR },
		{ "\1\2\3", false, 0, IMGSNIFF_COLOR_RGB },
		{ "\1\2\3", true, 0, IMGSNIFF_COLOR_YCBCR },
		{ "RGB", false, 1, IMGSNIFF_COLOR_YCBCR },
		{ "\1\2\3\4", false, -1, IMGSNIFF_COLOR_CMYK },
		{ "\1\2\3\4", false, 0, IMGSNIFF_COLOR_CMYK },
		{ "\1\2\3\4", true, 2, IMGSNIFF_COLOR_YCCK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin();
		if (rows[i].jfif)
			put_jfif();
		if (rows[i].adobe >= 0)
			put_adobe((unsigned int)rows[i].adobe);
		put_rest(16, 16, rows[i].ids);

		assert_int_equal(open_image(), IMGSNIFF_OK);
		assert_int_equal(d->info.color, rows[i].color);
	}
}

static void
what_cannot_be_decoded_is_still_described(void **state)
{
	static const struct {
		unsigned int code, precision;
		enum imgsniff_compression compression;
		bool progressive;
	} rows[] = {
		{ 0xC1, 12, IMGSNIFF_LOSSY, false },
		{ 0xC3, 16, IMGSNIFF_LOSSLESS, false },
		{ 0xC5, 8, IMGSNIFF_LOSSY, false },
		{ 0xC6, 8, IMGSNIFF_LOSSY, true },
		{ 0xCB, 8, IMGSNIFF_LOSSLESS, false },
		{ 0xCE, 8, IMGSNIFF_LOSSY, true },
		{ JPEG_DHP, 8, IMGSNIFF_LOSSY, false },
		{ JPEG_SOF55, 8, IMGSNIFF_LOSSLESS, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin();
		put_sof(rows[i].code, rows[i].precision, 17, 9, "\1", 0x11);
		put_sos("\1", 0, 0, 0);
		put_zeros(100);
		put_marker(JPEG_EOI);

		assert_int_equal(open_image(), IMGSNIFF_OK);
		assert_size(17, 9);
		assert_int_equal(d->info.bit_depth, rows[i].precision);
		assert_int_equal(d->info.compression, rows[i].compression);
		assert_int_equal(d->info.progressive, rows[i].progressive);
		assert_int_equal(decode_open(), IMGSNIFF_ERR_UNSUPPORTED);
	}
}

/* ---- Metadata ------------------------------------------------------------- */

static const char xmp_head[] = "http://ns.adobe.com/xap/1.0/";

/* Orientation 6 in IFD0 of a big-endian TIFF structure. */
static const uint8_t exif_turned[] = {
	'E', 'x', 'i', 'f', 0, 0,
	'M', 'M', 0, 42, 0, 0, 0, 8,	/* TIFF, IFD0 at 8 */
	0, 1,				/* one entry */
	0x01, 0x12, 0, 3, 0, 0, 0, 1,	/* orientation, SHORT, 1 */
	0, 6, 0, 0,
	0, 0, 0, 0,			/* no next IFD */
};

static void
put_xmp(const char *text)
{
	char bytes[200];

	memcpy(bytes, xmp_head, sizeof(xmp_head));
	memcpy(bytes + sizeof(xmp_head), text, strlen(text));
	put_segment(JPEG_APP1, bytes, sizeof(xmp_head) + strlen(text));
}

static void
put_icc(unsigned int number, unsigned int count, const char *part)
{
	char bytes[100] = "ICC_PROFILE";

	bytes[12] = (char)number;
	bytes[13] = (char)count;
	memcpy(bytes + 14, part, strlen(part));
	put_segment(JPEG_APP2, bytes, 14 + strlen(part));
}

static struct imgsniff_view
metadata(enum imgsniff_metadata which)
{
	struct imgsniff_view view;

	assert_int_equal(imgsniff_get_metadata(d, which, &view), IMGSNIFF_OK);
	assert_non_null(view.data);
	return view;
}

static void
exif_counts_wherever_it_stands_among_app1(void **state)
{
	(void)state;
	begin();
	put_xmp("<x/>");
	put_segment(JPEG_APP1, "other", 5);
	put_segment(JPEG_APP1, exif_turned, sizeof(exif_turned));
	put_rest(32, 16, "\1");

	assert_int_equal(open_image(), IMGSNIFF_OK);

	assert_int_equal(d->info.orientation, 6);
	assert_int_equal(d->info.display_width, 16);
	assert_int_equal(d->info.exif_bytes, sizeof(exif_turned) - 6);
	assert_int_equal(d->info.xmp_bytes, 4);
}

static void
metadata_in_one_piece_is_not_copied(void **state)
{
	struct imgsniff_view exif, xmp, icc;

	(void)state;
	begin();
	put_segment(JPEG_APP1, exif_turned, sizeof(exif_turned));
	put_xmp("<x/>");
	put_icc(1, 1, "profile");
	put_rest(16, 16, "\1");
	assert_int_equal(open_image(), IMGSNIFF_OK);

	exif = metadata(IMGSNIFF_EXIF);
	xmp = metadata(IMGSNIFF_XMP);
	icc = metadata(IMGSNIFF_ICC);

	assert_ptr_equal(exif.data, j.bytes + 2 + 4 + 6);
	assert_int_equal(exif.size, sizeof(exif_turned) - 6);
	assert_true(xmp.data > j.bytes && xmp.data < j.bytes + j.size);
	assert_int_equal(xmp.size, 4);
	assert_memory_equal(xmp.data, "<x/>", 4);
	assert_true(icc.data > j.bytes && icc.data < j.bytes + j.size);
	assert_int_equal(icc.size, 7);
	assert_memory_equal(icc.data, "profile", 7);
}

static void
the_parts_of_a_profile_are_joined_by_their_numbers(void **state)
{
	struct imgsniff_view icc;

	(void)state;
	begin();
	put_icc(2, 3, "two");
	put_icc(3, 3, "three");
	put_icc(1, 3, "one");
	put_rest(16, 16, "\1");

	assert_int_equal(open_image(), IMGSNIFF_OK);

	icc = metadata(IMGSNIFF_ICC);
	assert_int_equal(d->info.icc_bytes, 11);
	assert_int_equal(icc.size, 11);
	assert_memory_equal(icc.data, "onetwothree", 11);
	assert_ptr_equal(metadata(IMGSNIFF_ICC).data, icc.data);
}

static void
parts_that_contradict_each_other_are_no_profile(void **state)
{
	static const struct {
		unsigned int number, count;
	} rows[][2] = {
		{ { 1, 3 }, { 2, 3 } },	/* one is missing */
		{ { 1, 2 }, { 1, 2 } },	/* the same twice */
		{ { 1, 2 }, { 2, 3 } },	/* two counts */
		{ { 1, 2 }, { 0, 2 } },
		{ { 1, 2 }, { 3, 2 } },
		{ { 0, 0 }, { 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin();
		put_icc(rows[i][0].number, rows[i][0].count, "one");
		put_icc(rows[i][1].number, rows[i][1].count, "two");
		put_rest(16, 16, "\1");

		assert_int_equal(open_image(), IMGSNIFF_OK);
		assert_int_equal(d->info.icc_bytes, 0);
		assert_int_equal(metadata(IMGSNIFF_ICC).size, 0);
	}
}

static void
metadata_keep_to_their_limit(void **state)
{
	struct imgsniff_view view;

	(void)state;
	begin();
	put_icc(1, 2, "12345678");
	put_icc(2, 2, "12345678");
	put_xmp("123456789");
	put_rest(16, 16, "\1");
	assert_int_equal(open_image(), IMGSNIFF_OK);

	d->limits.max_metadata = 15;
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_ICC, &view),
			 IMGSNIFF_ERR_LIMIT);
	d->limits.max_metadata = 8;
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_XMP, &view),
			 IMGSNIFF_ERR_LIMIT);
	d->limits.max_metadata = 16;
	assert_int_equal(metadata(IMGSNIFF_ICC).size, 16);
}

/* ---- Files ---------------------------------------------------------------- */

static int
file_of_image(void)
{
	char name[] = "/tmp/test_jpeg_XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	unlink(name);
	assert_int_equal(write(fd, j.bytes, j.size), (ssize_t)j.size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void
a_file_is_read_no_further_than_its_headers(void **state)
{
	static const uint8_t payload[65533];
	int fd;

	(void)state;
	begin();
	put_segment(JPEG_APP1, exif_turned, sizeof(exif_turned));
	for (int i = 0; i < 40; i++)
		put_segment(JPEG_APP2, payload, sizeof(payload));
	put_tables();
	put_sof(JPEG_SOF0, 8, 4000, 4000, "\1", 0x11);
	put_sos("\1", 0, 63, 0);
	put_zeros(2u << 20);
	put_marker(JPEG_EOI);
	fd = file_of_image();

	assert_int_equal(imgsniff_open_fd(d, fd, 0), IMGSNIFF_OK);

	assert_size(4000, 4000);
	assert_int_equal(d->info.orientation, 6);
	assert_true(j.size > 4u << 20);
	assert_in_range(d->input.read_total, 1, 16384);
	close(fd);
}

static void
metadata_of_a_file_are_those_of_its_bytes(void **state)
{
	struct imgsniff_view exif, icc, xmp;
	int fd;

	(void)state;
	begin();
	put_icc(2, 2, "two");
	put_segment(JPEG_APP1, exif_turned, sizeof(exif_turned));
	put_xmp("<x/>");
	put_icc(1, 2, "one");
	put_rest(16, 16, "\1");
	fd = file_of_image();
	assert_int_equal(imgsniff_open_fd(d, fd, 0), IMGSNIFF_OK);

	icc = metadata(IMGSNIFF_ICC);
	exif = metadata(IMGSNIFF_EXIF);
	xmp = metadata(IMGSNIFF_XMP);
	assert_int_equal(decode_open(), IMGSNIFF_OK);

	/* Those handed out first have outlived what was read after them. */
	assert_int_equal(icc.size, 6);
	assert_memory_equal(icc.data, "onetwo", 6);
	assert_int_equal(exif.size, sizeof(exif_turned) - 6);
	assert_memory_equal(exif.data, exif_turned + 6, exif.size);
	assert_memory_equal(xmp.data, "<x/>", 4);
	assert_ptr_equal(metadata(IMGSNIFF_EXIF).data, exif.data);
	close(fd);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_first_frame_header_tells_the_facts),
		TEST(a_thumbnail_inside_exif_does_not_count),
		TEST(dht_jpg_and_dac_begin_no_frame),
		TEST(fill_bytes_and_junk_between_segments_are_passed),
		TEST(junk_without_end_is_refused_early),
		TEST(a_height_of_zero_waits_for_dnl),
		TEST(a_height_of_zero_without_dnl_is_an_error),
		TEST(an_error_names_the_offset_of_its_field),
		TEST(a_comment_of_no_length_is_empty),
		TEST(what_was_read_before_an_error_stays),
		TEST(a_partial_input_asks_for_more),
		TEST(colours_follow_the_markers_then_the_ids),
		TEST(what_cannot_be_decoded_is_still_described),
		TEST(exif_counts_wherever_it_stands_among_app1),
		TEST(metadata_in_one_piece_is_not_copied),
		TEST(the_parts_of_a_profile_are_joined_by_their_numbers),
		TEST(parts_that_contradict_each_other_are_no_profile),
		TEST(metadata_keep_to_their_limit),
		TEST(a_file_is_read_no_further_than_its_headers),
		TEST(metadata_of_a_file_are_those_of_its_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
