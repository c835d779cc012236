/*
 * test_refusals.c - a sound test image with one thing wrong is refused for that
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "png_make.h"

#include <cmocka.h>

#include <imgsniff.h>

#define BYTES(text)	text, sizeof(text) - 1

struct edit {
	const char *file;
	const char *find;		/* the first place of it ... */
	size_t find_size;
	int at;				/* and this far on: */
	size_t remove;			/* so many bytes go away, */
	const char *insert;		/* these come in, */
	size_t insert_size;
	size_t zeros;			/* and as many zeros */
	bool crc_stays;			/* of PNG: it is wrong then */
	enum imgsniff_status status;
	const char *message;
};

#define PNG_PALETTE_FILE	"png/palette-8.png"
#define APNG_FILE		"png/apng-dispose-none.png"
#define JPEG_FILE		"jpeg/baseline-444.jpg"
#define SOF0			BYTES("\xFF\xC0")

/* Before the first 'type': a chunk of this length and this data. */
#define CHUNK_BEFORE(type)	BYTES(type), -4, 0
/* In the data of the first 'type', this far on, one byte for another. */
#define CHUNK_BYTE(type, n)	BYTES(type), 4 + (n), 1

static const struct edit edits[] = {
	/* PNG third edition, 5.6, 11.2.2, 11.3.6; chunks are length, type, data. */
	{ "png/rgb-8.png", CHUNK_BEFORE("IHDR"), BYTES("\0\0\0\0CgBI"), 4, 0,
	  IMGSNIFF_ERR_UNSUPPORTED, "CgBI: this is Apple's variant of PNG" },
	{ "png/rgb-8.png", CHUNK_BEFORE("IDAT"), BYTES("\0\0\0\x0dIHDR"), 17, 0,
	  IMGSNIFF_ERR_CORRUPT, "IHDR: there is more than one" },
	{ "png/rgb-8.png", CHUNK_BEFORE("IHDR"), BYTES("\0\0\0\x0cIHDR"), 16, 0,
	  IMGSNIFF_ERR_CORRUPT, "IHDR: the length is not 13" },
	{ PNG_PALETTE_FILE, CHUNK_BEFORE("PLTE"), BYTES("\0\0\0\3PLTE"), 7, 0,
	  IMGSNIFF_ERR_CORRUPT, "PLTE: there is more than one" },
	{ PNG_PALETTE_FILE, CHUNK_BEFORE("PLTE"), BYTES("\0\0\0\2PLTE"), 6, 0,
	  IMGSNIFF_ERR_CORRUPT, "PLTE: the length is no multiple of three" },
	{ PNG_PALETTE_FILE, CHUNK_BEFORE("PLTE"), BYTES("\0\0\0\0PLTE"), 4, 0,
	  IMGSNIFF_ERR_CORRUPT, "PLTE: the length is no multiple of three" },
	{ PNG_PALETTE_FILE, CHUNK_BEFORE("PLTE"), BYTES("\0\0\3\3PLTE"), 775, 0,
	  IMGSNIFF_ERR_CORRUPT, "PLTE: more than 256 entries" },
	{ PNG_PALETTE_FILE, CHUNK_BYTE("PLTE", 0), BYTES("\x5A"), 0, true,
	  IMGSNIFF_ERR_CORRUPT, "PLTE: the CRC is wrong" },
	{ APNG_FILE, CHUNK_BEFORE("acTL"), BYTES("\0\0\0\x08" "acTL\0\0\0\2"), 8,
	  0, IMGSNIFF_ERR_CORRUPT, "acTL: there is more than one" },
	{ APNG_FILE, CHUNK_BEFORE("acTL"), BYTES("\0\0\0\x07" "acTL"), 11, 0,
	  IMGSNIFF_ERR_CORRUPT, "acTL: the length is not 8" },
	{ APNG_FILE, CHUNK_BYTE("acTL", 2), BYTES("\x5A"), 0, true,
	  IMGSNIFF_ERR_CORRUPT, "acTL: the CRC is wrong" },
	{ APNG_FILE, CHUNK_BYTE("acTL", 0), BYTES("\x80"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT,
	  "acTL: the number of frames is above 2^31 - 1" },
	{ "png/apng-hidden-default.png", CHUNK_BEFORE("fcTL"),
	  BYTES("\0\0\0\4" "fcTL"), 8, 0,
	  IMGSNIFF_ERR_CORRUPT, "fcTL: the length is not 26" },
	{ APNG_FILE, CHUNK_BYTE("fcTL", 7), BYTES("\x5A"), 0, true,
	  IMGSNIFF_ERR_CORRUPT, "fcTL: the CRC is wrong" },
	{ APNG_FILE, CHUNK_BYTE("fcTL", 7), BYTES("\1"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT,
	  "fcTL: the first frame is not the size of the image" },
	{ APNG_FILE, CHUNK_BEFORE("IDAT"), BYTES("\0\0\0\x1a" "fcTL"), 30, 0,
	  IMGSNIFF_ERR_CORRUPT, "fcTL: more than one before IDAT" },
	{ "png/rgb-8.png", BYTES("IDAT"), 0, 4, BYTES("ID\x80T"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "chunk: the type is not four letters" },
	{ "png/rgb-8.png", BYTES("IDAT"), -4, 1, BYTES("\x80"), 0, true,
	  IMGSNIFF_ERR_CORRUPT, "chunk: the length is above 2^31 - 1" },

	/* T.81 B.2: a marker, and but for some its length with that of itself. */
	{ JPEG_FILE, BYTES("\xFF\xDB"), 4, 1, BYTES("\x04"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "DQT: there is no such table" },
	{ JPEG_FILE, SOF0, 0, 0, BYTES("\xFF\xDB\0\x42"), 64, 0,
	  IMGSNIFF_ERR_CORRUPT, "DQT: its length is wrong" },
	{ JPEG_FILE, SOF0, 0, 0, BYTES("\xFF\xCC\0\3\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "DAC: its length is wrong" },
	{ JPEG_FILE, SOF0, 0, 0, BYTES("\xFF\xCC\0\4\x20\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "DAC: there is no such table" },
	{ JPEG_FILE, SOF0, 0, 0, BYTES("\xFF\xCC\0\4\0\x01"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "DAC: its lower bound is the higher one" },
	{ JPEG_FILE, SOF0, 0, 0, BYTES("\xFF\xDD\0\3\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "DRI: its length is wrong" },
	{ JPEG_FILE, SOF0, 0, 0,
	  BYTES("\xFF\xC0\0\x0B\x08\0\1\0\1\1\1\x11\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "SOF: a second one" },
	{ JPEG_FILE, SOF0, 3, 1, BYTES("\x10"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "SOF: its length is wrong" },
	{ JPEG_FILE, SOF0, 11, 4, BYTES("\x31\0\2\x21"), 0, 0,
	  IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: fractional sampling is not supported" },
	{ JPEG_FILE, SOF0, 0, 0,
	  BYTES("\xFF\xDA\0\x08\1\1\0\0\x3F\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "SOS: no SOF before it" },
	{ JPEG_FILE, BYTES("\xFF\xDA"), 3, 1, BYTES("\x0B"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "SOS: its length is wrong" },
	{ JPEG_FILE, SOF0, 0, 0, BYTES("\xFF\xD8"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "SOI: a second one" },
	{ JPEG_FILE, SOF0, 0, 0, BYTES("\xFF\xDF\0\3\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "marker: of another coding process" },
	{ JPEG_FILE, SOF0, 0, 0, BYTES("\xFF\2\0\2"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "marker: there is no such one" },
	{ "jpeg/dnl.jpg", BYTES("\xFF\xDC"), 4, 2, BYTES("\0\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "DNL: height is zero" },

	/* GIF89a, 18 and 20. */
	{ "bad/frame-0x0.gif", BYTES("GIF89a"), 8, 2, BYTES("\0\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "logical screen: height is zero" },
	{ "bad/frame-0x0.gif", BYTES("GIF89a"), 6, 2, BYTES("\0\0"), 0, 0,
	  IMGSNIFF_ERR_CORRUPT, "logical screen: width is zero" },
};

#define EDITS	(sizeof(edits) / sizeof(edits[0]))

/* A TIFF header and an IFD with one entry: orientation 3. */
#define EXIF_3	"MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\3\0\0\0\0\0\0"

/* What is wrong in a chunk that an image can do without: it counts as none. */
static const struct {
	struct edit edit;
	bool has_alpha;
	uint64_t icc_bytes;
	uint8_t orientation;
} harmless[] = {
	{ { .file = "png/trns-palette-4.png", CHUNK_BYTE("tRNS", 0),
	    BYTES("\x5A"), .crc_stays = true }, false, 0, 0 },
	{ { .file = "png/rgb-8.png", CHUNK_BEFORE("IDAT"),
	    BYTES("\0\0\0\5iCCPab\0\1x"), 4 }, false, 0, 0 },
	{ { .file = "png/rgb-8.png", CHUNK_BEFORE("IDAT"),
	    BYTES("\0\0\0\5iCCPabcde"), 4 }, false, 0, 0 },
	{ { .file = "png/rgb-8.png", CHUNK_BEFORE("IDAT"),
	    BYTES("\0\0\0\5iCCP\0\0cde"), 4 }, false, 0, 0 },
	{ { .file = "png/exif-orientation-6.png", CHUNK_BEFORE("IDAT"),
	    BYTES("\0\0\0\x1A" "eXIf" EXIF_3), 4 }, false, 0, 6 },
	{ { .file = "png/exif-orientation-6.png", CHUNK_BEFORE("eXIf"),
	    BYTES("\0\0\0\0eXIf"), 4 }, false, 0, 6 },
	{ { .file = "png/rgb-8.png", CHUNK_BEFORE("IDAT"),
	    BYTES("\0\0\0\x1A" "eXIf" EXIF_3), 4 }, false, 0, 3 },
};

static struct bytes
file_read(const char *name)
{
	struct bytes b = { NULL, 0, 0 };
	char path[100];
	uint8_t part[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "test-images/%s", name);
	f = fopen(path, "rb");
	must(f != NULL);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		bytes_add(&b, part, n);
	fclose(f);
	return b;
}

static struct bytes
edit_apply(const struct edit *e)
{
	struct bytes from = file_read(e->file), to = { NULL, 0, 0 };
	const uint8_t *found = memmem(from.data, from.size, e->find,
				      e->find_size);
	size_t at;

	must(found != NULL);
	at = (size_t)(found - from.data + e->at);
	bytes_add(&to, from.data, at);
	bytes_add(&to, e->insert, e->insert_size);
	for (size_t i = 0; i < e->zeros; i++)
		bytes_add(&to, "", 1);
	bytes_add(&to, from.data + at + e->remove, from.size - at - e->remove);
	bytes_free(&from);
	return to;
}

/* The CRC of every chunk is made to be right. */
static void
crcs_mend(struct bytes *b)
{
	size_t at = 8;

	while (b->size - at >= 12) {
		uint8_t *p = b->data + at;
		size_t length = (size_t)p[0] << 24 | (size_t)p[1] << 16 |
				(size_t)p[2] << 8 | p[3];
		uLong crc;

		if (length > b->size - at - 12)
			return;
		crc = crc32(0, p + 4, (uInt)length + 4);
		for (int i = 0; i < 4; i++)
			p[8 + length + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
		at += length + 12;
	}
}

/* The first error of opening it or of decoding all of its frames. */
static enum imgsniff_status
image_decode(struct imgsniff_decoder *d, const struct bytes *b)
{
	enum imgsniff_status st = imgsniff_open_memory(d, b->data, b->size, 0);

	while (st == IMGSNIFF_OK) {
		struct imgsniff_image *image;

		st = imgsniff_decode(d, NULL, &image);
		imgsniff_image_free(image);
		if (st == IMGSNIFF_OK)
			st = imgsniff_next_frame(d);
	}
	return st;
}

static void
what_is_wrong_is_what_is_told(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	size_t wrong = 0;

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < EDITS; i++) {
		const struct edit *e = &edits[i];
		struct bytes b = edit_apply(e);
		enum imgsniff_status st;

		if (memcmp(b.data, "\x89PNG", 4) == 0 && !e->crc_stays)
			crcs_mend(&b);
		st = image_decode(d, &b);
		if (st != e->status ||
		    strcmp(imgsniff_last_error(d)->message, e->message) != 0) {
			print_error("%s: %s, not %s\n", e->file,
				    imgsniff_last_error(d)->message,
				    e->message);
			wrong++;
		}
		imgsniff_close(d);
		bytes_free(&b);
	}
	imgsniff_free(d);
	assert_int_equal(wrong, 0);
}

static void
what_is_wrong_in_a_chunk_of_no_need_counts_as_none(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		struct bytes b = edit_apply(&harmless[i].edit);
		const struct imgsniff_info *info;

		if (!harmless[i].edit.crc_stays)
			crcs_mend(&b);
		assert_int_equal(image_decode(d, &b), IMGSNIFF_END);
		info = imgsniff_get_info(d);
		if (info->has_alpha != harmless[i].has_alpha ||
		    info->icc_bytes != harmless[i].icc_bytes ||
		    info->orientation != harmless[i].orientation)
			fail_msg("edit %zu of %s", i, harmless[i].edit.file);
		imgsniff_close(d);
		bytes_free(&b);
	}
	imgsniff_free(d);
}

/* Cut anywhere, it is refused, too, and never said to be whole. */
static void
no_verdict_calls_it_whole(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < EDITS; i++) {
		struct imgsniff_verdict v = { .struct_size = sizeof(v) };
		struct bytes b = edit_apply(&edits[i]);

		if (memcmp(b.data, "\x89PNG", 4) == 0 && !edits[i].crc_stays)
			crcs_mend(&b);
		for (size_t size = b.size; size > 8; size -= 1 + size / 50) {
			uint8_t *exact = bytes_exact(&b, size);

			(void)!imgsniff_open_memory(d, exact, size, 0);
			if (imgsniff_get_info(d) != NULL &&
			    (imgsniff_check(d, &v) != IMGSNIFF_OK ||
			     v.integrity == IMGSNIFF_INTACT))
				fail_msg("edit %zu, %zu bytes", i, size);
			imgsniff_close(d);
			free(exact);
		}
		bytes_free(&b);
	}
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_what_is_told),
		cmocka_unit_test(
			what_is_wrong_in_a_chunk_of_no_need_counts_as_none),
		cmocka_unit_test(no_verdict_calls_it_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
