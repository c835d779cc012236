/*
 * test_jpeg_walk.c - the structure of a JPEG, proved before a decoder sees it
 */

#include "unit/jpeg_writer.h"

/* The walk over all of the image finds this fault, and no backend gets it. */
static void
assert_fault(enum imgsniff_status status, const char *message)
{
	struct isn_jpeg_walk w;

	assert_int_equal(open_image(), IMGSNIFF_OK);
	isn_jpeg_walk(d, (struct imgsniff_view){ j.bytes, j.size }, false, &w);
	assert_int_equal(w.fault.status, status);
	assert_string_equal(w.fault.message, message);
	assert_int_equal(decode_open(), status);
}

static void
assert_corrupt(const char *message)
{
	assert_fault(IMGSNIFF_ERR_CORRUPT, message);
}

/* Baseline with a Huffman table of these 16 counts; symbols are all 'symbol'. */
static void
build_with_table(unsigned int kind, const uint8_t counts[16],
		 unsigned int symbol)
{
	unsigned int sum = 0;

	for (int i = 0; i < 16; i++)
		sum += counts[i];
	begin();
	put_tables();
	put_marker(JPEG_DHT);
	put16(2 + 17 + sum);
	put8(kind);
	put(counts, 16);
	for (unsigned int i = 0; i < sum; i++)
		put8(symbol);
	put_sof(JPEG_SOF0, 8, 16, 16, "\1", 0x11);
	put_sos("\1", 0, 63, 0);
	put_zeros(1);
	put_marker(JPEG_EOI);
}

static void
huffman_tables_are_proved(void **state)
{
	static const uint8_t one[16] = { 1 };
	static const uint8_t two_of_one_bit[16] = { 2 };
	static const uint8_t all_ones[16] = { 1, 2 };
	static const uint8_t full[16] = { 0, 3, 1 };
	static const uint8_t too_many[16] = {
		[8] = 200, [9] = 57,
	};

	(void)state;
	build_with_table(0x00, one, 0);
	assert_int_equal(open_and_decode(), IMGSNIFF_OK);
	build_with_table(0x00, full, 0);
	assert_int_equal(open_image(), IMGSNIFF_OK);
	build_with_table(0x00, two_of_one_bit, 0);
	assert_corrupt("SOS: a Huffman table is not valid");
	build_with_table(0x10, all_ones, 0);
	assert_corrupt("SOS: a Huffman table is not valid");
	build_with_table(0x00, one, 16);
	assert_corrupt("SOS: a Huffman table is not valid");
	build_with_table(0x10, too_many, 0);
	assert_corrupt("DHT: too many symbols");
	build_with_table(0x04, one, 0);
	assert_corrupt("DHT: there is no such table");
	build_with_table(0x20, one, 0);
	assert_corrupt("DHT: there is no such table");
	/* A bad table that nobody uses harms nobody. */
	build_with_table(0x11, all_ones, 0);
	assert_int_equal(open_and_decode(), IMGSNIFF_OK);
}

static void
a_frame_is_proved(void **state)
{
	static const struct {
		unsigned int precision, sampling;
		const char *ids, *message;
		enum imgsniff_status status;
	} rows[] = {
		{ 8, 0x01, "\1", "SOF: sampling factor is not 1 to 4",
		  IMGSNIFF_ERR_CORRUPT },
		{ 8, 0x15, "\1", "SOF: sampling factor is not 1 to 4",
		  IMGSNIFF_ERR_CORRUPT },
		{ 9, 0x11, "\1", "SOF: there is no such precision",
		  IMGSNIFF_ERR_CORRUPT },
		{ 8, 0x11, "\1\2", "SOF: only 1, 3 or 4 components are supported",
		  IMGSNIFF_ERR_UNSUPPORTED },
		{ 8, 0x22, "\1\2\3", "SOS: too many blocks in an MCU",
		  IMGSNIFF_ERR_CORRUPT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin();
		put_tables();
		put_sof(JPEG_SOF0, rows[i].precision, 16, 16, rows[i].ids,
			rows[i].sampling);
		put_sos(rows[i].ids, 0, 63, 0);
		put_zeros(64);
		put_marker(JPEG_EOI);

		assert_fault(rows[i].status, rows[i].message);
	}
}

static void
tables_that_a_scan_lacks_are_missed(void **state)
{
	(void)state;
	begin();
	put_dht(0x00);
	put_dht(0x10);
	put_sof(JPEG_SOF0, 8, 16, 16, "\1", 0x11);
	put_sos("\1", 0, 63, 0);
	put_zeros(1);
	put_marker(JPEG_EOI);
	assert_corrupt("SOS: a quantisation table is missing");

	begin();
	put_dqt(0);
	put_dht(0x10);
	put_sof(0xC2, 8, 16, 16, "\1", 0x11);
	put_sos("\1", 0, 0, 0);
	put_zeros(1);
	put_marker(JPEG_EOI);
	assert_corrupt("SOS: a Huffman table is missing");
}

static void
a_component_without_a_scan_is_missed(void **state)
{
	(void)state;
	begin();
	put_tables();
	put_sof(JPEG_SOF0, 8, 16, 16, "\1\2\3", 0x11);
	put_sos("\1", 0, 63, 0);
	put_zeros(1);
	put_sos("\2", 0, 63, 0);
	put_zeros(1);
	put_marker(JPEG_EOI);
	assert_corrupt("EOI: a component had no scan");

	j.size -= 2;
	assert_fault(IMGSNIFF_ERR_TRUNCATED,
		     "scan: the file ends before the last");
}

static void
scans_name_components_that_exist_and_once(void **state)
{
	(void)state;
	begin();
	put_tables();
	put_sof(JPEG_SOF0, 8, 16, 16, "\1\2\3", 0x11);
	put_sos("\1\1\2", 0, 63, 0);
	put_zeros(3);
	put_marker(JPEG_EOI);
	assert_corrupt("SOS: there is no such component");

	begin();
	put_tables();
	put_sof(JPEG_SOF0, 8, 16, 16, "\1\2\3", 0x11);
	put_sos("\1", 0, 63, 0);
	put_zeros(1);
	put_sos("\1", 0, 63, 0);
	put_zeros(1);
	put_marker(JPEG_EOI);
	assert_corrupt("SOS: the component had its scan");
}

/* A progressive image whose scans have these Ss, Se, Ah << 4 | Al. */
static void
build_progressive(const uint8_t *scans, size_t count)
{
	begin();
	put_tables();
	put_sof(0xC2, 8, 16, 16, "\1", 0x11);
	for (size_t i = 0; i < count; i++) {
		put_sos("\1", scans[0], scans[1], scans[2]);
		scans += 3;
		put_zeros(1);
	}
	put_marker(JPEG_EOI);
}

static void
progressive_scans_come_in_their_order(void **state)
{
	static const uint8_t whole[][3] = {
		{ 0, 0, 1 }, { 1, 63, 0 }, { 0, 0, 0x10 },
	};
	static const uint8_t ac_first[][3] = { { 1, 63, 0 }, { 0, 0, 0 } };
	static const uint8_t skips[][3] = { { 0, 0, 2 }, { 0, 0, 0x10 } };
	static const uint8_t mixed[][3] = { { 0, 5, 0 } };
	static const uint8_t beyond[][3] = { { 0, 0, 0 }, { 1, 64, 0 } };
	static const uint8_t high[][3] = { { 0, 0, 14 } };
	struct isn_jpeg_walk w;

	(void)state;
	build_progressive(whole[0], 3);
	assert_int_equal(open_and_decode(), IMGSNIFF_OK);
	isn_jpeg_walk(d, (struct imgsniff_view){ j.bytes, j.size }, false, &w);
	assert_true(w.complete && w.eoi);
	assert_int_equal(w.scans, 3);
	assert_int_equal(w.end, j.size);

	/* EOI before the last refinement: that is all there will be. */
	build_progressive(whole[0], 2);
	assert_int_equal(open_and_decode(), IMGSNIFF_OK);
	isn_jpeg_walk(d, (struct imgsniff_view){ j.bytes, j.size }, false, &w);
	assert_false(w.complete);
	j.size -= 2;
	assert_fault(IMGSNIFF_ERR_TRUNCATED,
		     "scan: the file ends before the last");

	build_progressive(ac_first[0], 2);
	assert_corrupt("SOS: AC coefficients before DC");
	build_progressive(skips[0], 2);
	assert_corrupt("SOS: a scan out of its order");
	build_progressive(mixed[0], 1);
	assert_corrupt("SOS: no such spectral selection");
	build_progressive(beyond[0], 2);
	assert_corrupt("SOS: no such spectral selection");
	build_progressive(high[0], 1);
	assert_corrupt("SOS: no such bit position");
}

static void
scans_are_counted_against_their_limit(void **state)
{
	static uint8_t scans[101][3];	/* AC once more and once more */

	(void)state;
	for (size_t i = 1; i < 101; i++)
		memcpy(scans[i], "\1\77\0", 3);
	build_progressive(scans[0], 100);
	assert_int_equal(open_and_decode(), IMGSNIFF_OK);
	build_progressive(scans[0], 101);
	assert_fault(IMGSNIFF_ERR_LIMIT,
		     "SOS: more scans than max-scans allows");
}

static void
a_few_bytes_are_no_large_image(void **state)
{
	(void)state;
	begin();
	put_tables();
	put_sof(0xC2, 8, 8000, 8000, "\1\2\3", 0x11);
	put_sos("\1\2\3", 0, 0, 0);
	put_zeros(64);
	put_marker(JPEG_EOI);
	assert_corrupt("scan: too short for its blocks");

	j.size -= 2;
	assert_fault(IMGSNIFF_ERR_TRUNCATED, "scan: too short for its blocks");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(huffman_tables_are_proved),
		TEST(a_frame_is_proved),
		TEST(tables_that_a_scan_lacks_are_missed),
		TEST(a_component_without_a_scan_is_missed),
		TEST(scans_name_components_that_exist_and_once),
		TEST(progressive_scans_come_in_their_order),
		TEST(scans_are_counted_against_their_limit),
		TEST(a_few_bytes_are_no_large_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
