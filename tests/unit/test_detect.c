/*
 * test_detect.c - formats by their first bytes, and by fewer of them
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <imgsniff.h>

struct sample {
	const char *name;
	enum imgsniff_format format;
	size_t size;
	const char *bytes;
};

#define SAMPLE(name, format, bytes)	\
	{ name, IMGSNIFF_FORMAT_ ## format, sizeof(bytes) - 1, bytes }

static const struct sample samples[] = {
	SAMPLE("JFIF", JPEG, "\xFF\xD8\xFF\xE0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"),
	SAMPLE("Exif", JPEG, "\xFF\xD8\xFF\xE1\0\x10" "Exif\0\0MM\0*\0\0\0\x08"),
	SAMPLE("tables first", JPEG, "\xFF\xD8\xFF\xDB\0\x43\0"),
	SAMPLE("fill bytes", JPEG, "\xFF\xD8\xFF\xFF\xFF\xE0"),
	SAMPLE("bare start", JPEG, "\xFF\xD8\xFF"),
	SAMPLE("PNG", PNG, "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1"),
	SAMPLE("bare signature", PNG, "\x89PNG\r\n\x1A\n"),
	SAMPLE("GIF87a", GIF, "GIF87a\1\0\1\0\0\0\0"),
	SAMPLE("GIF89a", GIF, "GIF89a\1\0\1\0\0\0\0"),
	SAMPLE("GIF89a alone", GIF, "GIF89a"),
	SAMPLE("WebP", WEBP, "RIFF\x1A\0\0\0WEBPVP8L\x0D\0\0\0\x2F"),
	SAMPLE("WebP of any size", WEBP, "RIFF\xFF\xFF\xFF\xFFWEBP"),
	SAMPLE("BMP of Windows 3", BMP, "BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"
	       "\1\0\0\0\1\0\0\0"),
	SAMPLE("BMP of OS/2", BMP, "BM\x20\0\0\0\0\0\0\0\x1A\0\0\0\x0C\0\0\0"),
	SAMPLE("BMP, version 5", BMP,
	       "BM\x8E\0\0\0\0\0\0\0\x8A\0\0\0\x7C\0\0\0"),
	SAMPLE("ICO", ICO, "\0\0\1\0\1\0\x10\x10\0\0\1\0\x18\0\x68\3\0\0"
	       "\x16\0\0\0"),
	SAMPLE("ICO of two", ICO, "\0\0\1\0\2\0\x10\x10\0\0\1\0\x18\0\x68\3\0\0"
	       "\x26\0\0\0"),
	SAMPLE("little-endian TIFF", TIFF, "II*\0\x08\0\0\0"),
	SAMPLE("big-endian TIFF", TIFF, "MM\0*\0\0\0\x08"),
	SAMPLE("little-endian BigTIFF", TIFF, "II+\0\x08\0\0\0\x10\0"),
	SAMPLE("big-endian BigTIFF", TIFF, "MM\0+\0\x08\0\0\0\0"),
	SAMPLE("AVIF", AVIF, "\0\0\0\x1C" "ftypavif\0\0\0\0avifmif1miaf"),
	SAMPLE("AVIF by a later brand", AVIF,
	       "\0\0\0\x1C" "ftypmif1\0\0\0\0mif1avifmiaf"),
	SAMPLE("AVIF in a box of 256", AVIF, "\0\0\1\0" "ftypavif\0\0\0\0avif"),
	SAMPLE("HEIC", HEIC, "\0\0\0\x18" "ftypheic\0\0\0\0mif1heic"),
	SAMPLE("HEIC, 10 bits", HEIC, "\0\0\0\x18" "ftypheix\0\0\0\0mif1heix"),
	SAMPLE("HEIC by a later brand", HEIC,
	       "\0\0\0\x1C" "ftypmif1\0\0\0\0mif1miafheic"),
	SAMPLE("HEIC by the last brand that counts", HEIC,
	       "\0\0\0\x60" "ftypmif1\0\0\0\0mif1mif1mif1mif1mif1mif1mif1mif1"
	       "mif1mif1mif1heic"),
	SAMPLE("JXL", JXL, "\0\0\0\x0CJXL \r\n\x87\n\0\0\0\x14" "ftypjxl "),
	SAMPLE("JXL codestream", JXL, "\xFF\x0A\xFA\x1F"),
	SAMPLE("JP2", JP2, "\0\0\0\x0CjP  \r\n\x87\n\0\0\0\x14" "ftypjp2 "),
	SAMPLE("JP2 codestream", JP2, "\xFF\x4F\xFF\x51\0\x29"),
	SAMPLE("QOI", QOI, "qoif\0\0\0\1\0\0\0\2\4\1"),
	SAMPLE("PSD", PSD, "8BPS\0\1\0\0\0\0\0\0\0\3"),
	SAMPLE("PSB", PSD, "8BPS\0\2\0\0\0\0\0\0\0\3"),
};

/* Near misses: all of each is there, and it is no image. */
static const struct sample others[] = {
	SAMPLE("nothing", UNKNOWN, ""),
	SAMPLE("AVIF sequence, a video track", UNKNOWN,
	       "\0\0\0\x18" "ftypavis\0\0\0\0msf1avis"),
	SAMPLE("HEIC sequence, a video track", UNKNOWN,
	       "\0\0\0\x18" "ftyphevc\0\0\0\0msf1hevc"),
	SAMPLE("one byte", UNKNOWN, "\xFF"),
	SAMPLE("text", UNKNOWN, "This is not a picture, whatever it is called."),
	SAMPLE("text that starts with BM", UNKNOWN,
	       "BMW builds cars, and no bitmaps at all."),
	SAMPLE("BM alone", UNKNOWN, "BM"),
	SAMPLE("BM and zeros", UNKNOWN,
	       "BM\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
	SAMPLE("text that starts with II", UNKNOWN, "II* is a list item here"),
	SAMPLE("TIFF with its directory in the header", UNKNOWN,
	       "II*\0\x04\0\0\0"),
	SAMPLE("GIF88a", UNKNOWN, "GIF88a\1\0\1\0\0\0\0"),
	SAMPLE("GIF8", UNKNOWN, "GIF8"),
	SAMPLE("GIF after a space", UNKNOWN, " GIF89a\1\0\1\0\0\0\0"),
	SAMPLE("gif in small letters", UNKNOWN, "gif89a\1\0\1\0\0\0\0"),
	SAMPLE("RIFF alone", UNKNOWN, "RIFF"),
	SAMPLE("RIFF with a size", UNKNOWN, "RIFF\x24\0\0\0"),
	SAMPLE("RIFF, a letter short", UNKNOWN, "RIFF\4\0\0\0WEB"),
	SAMPLE("WAVE", UNKNOWN, "RIFF\x24\0\0\0WAVEfmt \x10\0\0\0"),
	SAMPLE("big-endian RIFF", UNKNOWN, "RIFX\0\0\0\x1AWEBPVP8L"),
	SAMPLE("WebP without RIFF", UNKNOWN, "WEBPVP8L\5\0\0\0\x2F"),
	SAMPLE("PNG, a byte short", UNKNOWN, "\x89PNG\r\n\x1A"),
	SAMPLE("PNG sent as text", UNKNOWN, "\x89PNG\n\x1A\n\0\0\0\rIHDR"),
	SAMPLE("PNG in seven bits", UNKNOWN, "\x09PNG\r\n\x1A\n\0\0\0\rIHDR"),
	SAMPLE("MNG", UNKNOWN, "\x8AMNG\r\n\x1A\n\0\0\0\x1CMHDR"),
	SAMPLE("start of a JPEG alone", UNKNOWN, "\xFF\xD8"),
	SAMPLE("end of a JPEG", UNKNOWN, "\xFF\xD9\xFF\xE0"),
	SAMPLE("JPEG after a zero", UNKNOWN, "\0\xFF\xD8\xFF\xE0"),
	SAMPLE("zeros", UNKNOWN, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
	SAMPLE("icon without entries", UNKNOWN,
	       "\0\0\1\0\0\0\x10\x10\0\0\1\0\x18\0\x68\3\0\0\x16\0\0\0"),
	SAMPLE("icon with its data in the directory", UNKNOWN,
	       "\0\0\1\0\2\0\x10\x10\0\0\1\0\x18\0\x68\3\0\0\x16\0\0\0"),
	SAMPLE("cursor", UNKNOWN,
	       "\0\0\2\0\1\0\x10\x10\0\0\1\0\x18\0\x68\3\0\0\x16\0\0\0"),
	SAMPLE("MP4", UNKNOWN, "\0\0\0\x18" "ftypmp42\0\0\0\0mp42isom"),
	SAMPLE("MP4 that names avif later", UNKNOWN,
	       "\0\0\0\x18" "ftypisom\0\0\0\0isomavif"),
	SAMPLE("general image without a codec", UNKNOWN,
	       "\0\0\0\x18" "ftypmif1\0\0\0\0mif1miaf" "avif"),
	SAMPLE("QOI without height", UNKNOWN, "qoif\0\0\0\1\0\0\0\0\4\1"),
	SAMPLE("QOI of five channels", UNKNOWN, "qoif\0\0\0\1\0\0\0\1\5\1"),
	SAMPLE("PSD, version 3", UNKNOWN, "8BPS\0\3\0\0\0\0\0\0\0\3"),
	SAMPLE("PDF", UNKNOWN, "%PDF-1.7\n"),
	SAMPLE("SVG", UNKNOWN, "<svg xmlns='http://www.w3.org/2000/svg'/>"),
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* From an exact copy, so that a sanitizer sees a read past the end. */
static enum imgsniff_status
detect(const char *bytes, size_t size, bool complete,
       enum imgsniff_format *format)
{
	uint8_t *copy = malloc(size + !size);
	enum imgsniff_status st;

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	*format = IMGSNIFF_FORMAT_PSD;	/* always set */
	st = imgsniff_detect(copy, size, complete, format);
	free(copy);
	if (st != IMGSNIFF_OK)
		assert_int_equal(*format, IMGSNIFF_FORMAT_UNKNOWN);
	return st;
}

static void
every_format_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(samples); i++) {
		enum imgsniff_format format;
		enum imgsniff_status st = detect(samples[i].bytes,
						 samples[i].size, true, &format);

		if (st != IMGSNIFF_OK || format != samples[i].format)
			fail_msg("%s: status %d, format %d", samples[i].name,
				 st, format);
	}
}

/* All values of the enumeration come up: a new format needs a sample. */
static void
every_format_has_a_sample(void **state)
{
	const struct imgsniff_format_info *info = NULL;

	(void)state;
	while ((info = imgsniff_format_next(info)) != NULL) {
		size_t i = 0;

		while (i < COUNT(samples) && samples[i].format != info->format)
			i++;
		if (i == COUNT(samples))
			fail_msg("%s has no sample", info->name);
	}
}

static void
near_misses_are_not_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(others); i++) {
		enum imgsniff_format format;
		enum imgsniff_status st = detect(others[i].bytes,
						 others[i].size, true, &format);

		if (st != IMGSNIFF_ERR_FORMAT)
			fail_msg("%s: status %d, format %d", others[i].name, st,
				 format);
	}
}

/* The sample and then 'filler' up to 100 bytes: what it is, and its prefixes. */
static void
prefixes_check(const struct sample *s, uint8_t filler)
{
	char whole[100];
	enum imgsniff_format format, found;
	enum imgsniff_status st, at;

	memset(whole, filler, sizeof(whole));
	memcpy(whole, s->bytes, s->size);
	st = detect(whole, sizeof(whole), true, &format);
	for (size_t n = 0; n <= sizeof(whole); n++) {
		at = detect(whole, n, false, &found);
		if (at == IMGSNIFF_MORE) {
			assert_true(n < IMGSNIFF_DETECT_BYTES);
			continue;
		}
		if (at != st || found != format)
			fail_msg("%s: %zu bytes say status %d, format %d",
				 s->name, n, at, found);
	}
}

static void
a_prefix_asks_for_more_or_says_the_same(void **state)
{
	static const uint8_t fillers[] = { 0, 0xFF, ' ', 1, 'a', 0x28 };

	(void)state;
	for (size_t k = 0; k < COUNT(fillers); k++) {
		for (size_t i = 0; i < COUNT(samples); i++)
			prefixes_check(&samples[i], fillers[k]);
		for (size_t i = 0; i < COUNT(others); i++)
			prefixes_check(&others[i], fillers[k]);
	}
}

/* The same for heads that are nearly one of the samples. */
static void
a_prefix_of_anything_says_the_same(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (unsigned int round = 0; round < 20000; round++) {
		char bytes[64];
		struct sample s = samples[round % COUNT(samples)];

		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, s.bytes, s.size < 64 ? s.size : 64);
		random = random * 1664525u + 1013904223u;
		bytes[(random >> 8) % 40] = (char)(random >> 16);
		random = random * 1664525u + 1013904223u;
		bytes[(random >> 8) % 24] ^= (char)(1 << (random >> 16) % 8);
		s.bytes = bytes;
		s.size = sizeof(bytes);
		prefixes_check(&s, 0);
	}
}

static void
what_is_undecided_at_the_end_is_unknown(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(samples); i++)
		for (size_t n = 0; n < samples[i].size; n++) {
			enum imgsniff_format format, at_end;
			enum imgsniff_status st =
				detect(samples[i].bytes, n, false, &format);
			enum imgsniff_status end =
				detect(samples[i].bytes, n, true, &at_end);

			assert_int_not_equal(end, IMGSNIFF_MORE);
			if (st != IMGSNIFF_MORE) {
				assert_int_equal(end, st);
				assert_int_equal(at_end, format);
			}
		}
}

static void
nothing_may_be_null(void **state)
{
	enum imgsniff_format format = IMGSNIFF_FORMAT_GIF;

	(void)state;
	assert_int_equal(imgsniff_detect(NULL, 0, false, &format),
			 IMGSNIFF_MORE);
	assert_int_equal(format, IMGSNIFF_FORMAT_UNKNOWN);
	assert_int_equal(imgsniff_detect(NULL, 0, true, &format),
			 IMGSNIFF_ERR_FORMAT);
}

static void
null_in_place_of_bytes_or_answer_is_a_usage_error(void **state)
{
	enum imgsniff_format format = IMGSNIFF_FORMAT_GIF;

	(void)state;
	assert_int_equal(imgsniff_detect(NULL, 1, true, &format),
			 IMGSNIFF_ERR_USAGE);
	assert_int_equal(format, IMGSNIFF_FORMAT_UNKNOWN);
	assert_int_equal(imgsniff_detect("GIF89a", 6, true, NULL),
			 IMGSNIFF_ERR_USAGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_named),
		cmocka_unit_test(every_format_has_a_sample),
		cmocka_unit_test(near_misses_are_not_named),
		cmocka_unit_test(a_prefix_asks_for_more_or_says_the_same),
		cmocka_unit_test(a_prefix_of_anything_says_the_same),
		cmocka_unit_test(what_is_undecided_at_the_end_is_unknown),
		cmocka_unit_test(nothing_may_be_null),
		cmocka_unit_test(
			null_in_place_of_bytes_or_answer_is_a_usage_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
