/*
 * detect.c - name a format by its first bytes
 *
 * A signature is at most 16 leading bytes under a mask, compared as two 64-bit
 * words. The first byte picks the few rows that can match. Where that is too
 * little to tell, a row's confirm() looks at further fields.
 */

#include <string.h>

#include "base/bytes.h"
#include "codec.h"

enum answer { NO, MORE, YES };

struct head {
	const uint8_t *data;
	size_t size;			/* at most IMGSNIFF_DETECT_BYTES */
	bool complete;			/* the input ends after them */
};

struct signature {
	uint64_t bytes[2];
	uint64_t mask[2];
	/* May set a more exact format than that of the row. */
	enum answer (*confirm)(const struct head *h,
			       enum imgsniff_format *format);
	enum imgsniff_format format;
};

/* Eight bytes in memory order; X(c) sets all bits of a byte that counts. */
#define WORD(a, b, c, d, e, f, g, h)					\
	((uint64_t)(uint8_t)(a) | (uint64_t)(uint8_t)(b) << 8 |		\
	 (uint64_t)(uint8_t)(c) << 16 | (uint64_t)(uint8_t)(d) << 24 |	\
	 (uint64_t)(uint8_t)(e) << 32 | (uint64_t)(uint8_t)(f) << 40 |	\
	 (uint64_t)(uint8_t)(g) << 48 | (uint64_t)(uint8_t)(h) << 56)
#define FIRST(n)	(UINT64_MAX >> ((n) >= 8 ? 0 : 64 - 8 * (n)))

/* Are the bytes up to 'end' there? If not, is that for good? */
static enum answer
reaches(const struct head *h, size_t end)
{
	if (h->size >= end)
		return YES;
	return h->complete ? NO : MORE;
}

/* "BM" also starts words: the size of the second header must be a known one. */
static enum answer
confirm_bmp(const struct head *h, enum imgsniff_format *format)
{
	static const uint8_t sizes[] = { 12, 16, 40, 52, 56, 64, 108, 124 };
	enum answer a = reaches(h, 18);

	(void)format;
	if (a != YES)
		return a;
	for (size_t i = 0; i < sizeof(sizes); i++)
		if (isn_load_u32le(h->data + 14) == sizes[i])
			return YES;
	return NO;
}

/*
 * 00 00 01 00 also starts other files: there must be entries, the first with a
 * zero reserved byte and its data behind the directory.
 */
static enum answer
confirm_ico(const struct head *h, enum imgsniff_format *format)
{
	enum answer a = reaches(h, 22);
	uint32_t count, size, offset;

	(void)format;
	if (a != YES)
		return a;
	count = isn_load_u16le(h->data + 4);
	size = isn_load_u32le(h->data + 14);
	offset = isn_load_u32le(h->data + 18);
	return count > 0 && h->data[9] == 0 && size > 0 &&
	       offset >= 6 + 16 * count ? YES : NO;
}

static enum answer
confirm_qoi(const struct head *h, enum imgsniff_format *format)
{
	enum answer a = reaches(h, 14);

	(void)format;
	if (a != YES)
		return a;
	return isn_load_u32be(h->data + 4) != 0 &&
	       isn_load_u32be(h->data + 8) != 0 &&
	       (h->data[12] == 3 || h->data[12] == 4) && h->data[13] <= 1
	       ? YES : NO;
}

/* The first directory lies behind the header. */
static enum answer
confirm_tiff_le(const struct head *h, enum imgsniff_format *format)
{
	enum answer a = reaches(h, 8);

	(void)format;
	if (a != YES)
		return a;
	return isn_load_u32le(h->data + 4) >= 8 ? YES : NO;
}

static enum answer
confirm_tiff_be(const struct head *h, enum imgsniff_format *format)
{
	enum answer a = reaches(h, 8);

	(void)format;
	if (a != YES)
		return a;
	return isn_load_u32be(h->data + 4) >= 8 ? YES : NO;
}

static enum answer
confirm_psd(const struct head *h, enum imgsniff_format *format)
{
	static const uint8_t zeros[6];
	enum answer a = reaches(h, 12);

	(void)format;
	if (a != YES)
		return a;
	return (h->data[5] == 1 || h->data[5] == 2) &&
	       memcmp(h->data + 6, zeros, sizeof(zeros)) == 0 ? YES : NO;
}

#define BRAND(a, b, c, d)						\
	((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))

/*
 * One of these among its brands, major first, decides: ISO 23008-12, 10. The
 * brands of image sequences (avis, hevc, msf1 ...) are none of them: what they
 * hold is a track, as in a video.
 */
static enum imgsniff_format
brand_format(const uint8_t *brand)
{
	switch (isn_load_u32be(brand)) {
	case BRAND('a', 'v', 'i', 'f'):
		return IMGSNIFF_FORMAT_AVIF;
	case BRAND('h', 'e', 'i', 'c'): case BRAND('h', 'e', 'i', 'x'):
	case BRAND('h', 'e', 'i', 'm'): case BRAND('h', 'e', 'i', 's'):
		return IMGSNIFF_FORMAT_HEIC;
	default:
		return IMGSNIFF_FORMAT_UNKNOWN;
	}
}

/* Any still image: what codes it is told by the brands that follow. */
static bool
brand_is_general(const uint8_t *brand)
{
	switch (isn_load_u32be(brand)) {
	case BRAND('m', 'i', 'f', '1'): case BRAND('m', 'i', 'a', 'f'):
		return true;
	default:
		return false;
	}
}

/* An 'ftyp' box: size:4 "ftyp" major:4 version:4 compatible:4 each. */
static enum answer
confirm_ftyp(const struct head *h, enum imgsniff_format *format)
{
	enum answer a = reaches(h, 12);
	uint32_t end;

	if (a != YES)
		return a;
	*format = brand_format(h->data + 8);
	if (*format != IMGSNIFF_FORMAT_UNKNOWN)
		return YES;
	if (!brand_is_general(h->data + 8))
		return NO;
	end = isn_load_u32be(h->data);
	if (end > IMGSNIFF_DETECT_BYTES)
		end = IMGSNIFF_DETECT_BYTES;
	for (uint32_t at = 16; at + 4 <= end; at += 4) {
		a = reaches(h, at + 4);
		if (a != YES)
			return a;
		*format = brand_format(h->data + at);
		if (*format != IMGSNIFF_FORMAT_UNKNOWN)
			return YES;
	}
	return NO;
}

/* Rows with the same first byte stand together; an empty row ends each group. */
static const struct signature signatures[] = {
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_FF	1
	{ .format = IMGSNIFF_FORMAT_JPEG,
	  .bytes = { WORD(0xFF, 0xD8, 0xFF, 0, 0, 0, 0, 0) },
	  .mask = { FIRST(3) } },
	{ .format = IMGSNIFF_FORMAT_JXL,	/* a bare codestream */
	  .bytes = { WORD(0xFF, 0x0A, 0, 0, 0, 0, 0, 0) },
	  .mask = { FIRST(2) } },
	{ .format = IMGSNIFF_FORMAT_JP2,	/* a bare codestream */
	  .bytes = { WORD(0xFF, 0x4F, 0xFF, 0x51, 0, 0, 0, 0) },
	  .mask = { FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_89	5
	{ .format = IMGSNIFF_FORMAT_PNG,
	  .bytes = { WORD(0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n') },
	  .mask = { FIRST(8) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_G	7
	{ .format = IMGSNIFF_FORMAT_GIF,
	  .bytes = { WORD('G', 'I', 'F', '8', '9', 'a', 0, 0) },
	  .mask = { FIRST(6) } },
	{ .format = IMGSNIFF_FORMAT_GIF,
	  .bytes = { WORD('G', 'I', 'F', '8', '7', 'a', 0, 0) },
	  .mask = { FIRST(6) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_R	10
	{ .format = IMGSNIFF_FORMAT_WEBP,
	  .bytes = { WORD('R', 'I', 'F', 'F', 0, 0, 0, 0),
		     WORD('W', 'E', 'B', 'P', 0, 0, 0, 0) },
	  .mask = { FIRST(4), FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_B	12
	{ .format = IMGSNIFF_FORMAT_BMP, .confirm = confirm_bmp,
	  .bytes = { WORD('B', 'M', 0, 0, 0, 0, 0, 0) },
	  .mask = { FIRST(2) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_00	14
	{ .format = IMGSNIFF_FORMAT_ICO, .confirm = confirm_ico,
	  .bytes = { WORD(0, 0, 1, 0, 0, 0, 0, 0) },
	  .mask = { FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_JXL,
	  .bytes = { WORD(0, 0, 0, 12, 'J', 'X', 'L', ' '),
		     WORD('\r', '\n', 0x87, '\n', 0, 0, 0, 0) },
	  .mask = { FIRST(8), FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_JP2,
	  .bytes = { WORD(0, 0, 0, 12, 'j', 'P', ' ', ' '),
		     WORD('\r', '\n', 0x87, '\n', 0, 0, 0, 0) },
	  .mask = { FIRST(8), FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_HEIC, .confirm = confirm_ftyp,	/* or AVIF */
	  .bytes = { WORD(0, 0, 0, 0, 'f', 't', 'y', 'p') },
	  .mask = { FIRST(8) & ~(FIRST(4) ^ FIRST(2)) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_I	19
	{ .format = IMGSNIFF_FORMAT_TIFF, .confirm = confirm_tiff_le,
	  .bytes = { WORD('I', 'I', '*', 0, 0, 0, 0, 0) },
	  .mask = { FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_TIFF,	/* BigTIFF */
	  .bytes = { WORD('I', 'I', '+', 0, 8, 0, 0, 0) },
	  .mask = { FIRST(8) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_M	22
	{ .format = IMGSNIFF_FORMAT_TIFF, .confirm = confirm_tiff_be,
	  .bytes = { WORD('M', 'M', 0, '*', 0, 0, 0, 0) },
	  .mask = { FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_TIFF,	/* BigTIFF */
	  .bytes = { WORD('M', 'M', 0, '+', 0, 8, 0, 0) },
	  .mask = { FIRST(8) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_Q	25
	{ .format = IMGSNIFF_FORMAT_QOI, .confirm = confirm_qoi,
	  .bytes = { WORD('q', 'o', 'i', 'f', 0, 0, 0, 0) },
	  .mask = { FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_8	27
	{ .format = IMGSNIFF_FORMAT_PSD, .confirm = confirm_psd,
	  .bytes = { WORD('8', 'B', 'P', 'S', 0, 0, 0, 0) },
	  .mask = { FIRST(5) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
};

/* Where the rows of a first byte begin; 0, an empty row, where there are none. */
static const uint8_t group[256] = {
	[0xFF] = AT_FF, [0x89] = AT_89, ['G'] = AT_G, ['R'] = AT_R,
	['B'] = AT_B, [0x00] = AT_00, ['I'] = AT_I, ['M'] = AT_M,
	['q'] = AT_Q, ['8'] = AT_8,
};

static inline uint64_t
load_word(const uint8_t *p)
{
	return (uint64_t)isn_load_u32le(p + 4) << 32 | isn_load_u32le(p);
}

static inline bool
words_differ(const struct signature *s, uint64_t word0, uint64_t word1)
{
	return ((word0 ^ s->bytes[0]) & s->mask[0]) |
	       ((word1 ^ s->bytes[1]) & s->mask[1]);
}

/* A signature is there, all of it: do the other fields fit? Else *format stays. */
static enum answer
row_confirm(const struct signature *s, const uint8_t *data, size_t size,
	    bool complete, enum imgsniff_format *format)
{
	struct head h = { data, size, complete };
	enum imgsniff_format found = s->format;
	enum answer a = YES;

	if (size >= IMGSNIFF_DETECT_BYTES) {
		h.size = IMGSNIFF_DETECT_BYTES;
		h.complete = true;
	}
	if (s->confirm != NULL)
		a = s->confirm(&h, &found);
	if (a == YES)
		*format = found;
	return a;
}

/* Fewer than 16 bytes: pad them, and tell which are real. */
static enum imgsniff_status
short_detect(const uint8_t *data, size_t size, bool complete,
	     enum imgsniff_format *format)
{
	const struct signature *s = &signatures[group[data[0]]];
	const uint64_t known0 = FIRST(size);
	const uint64_t known1 = size > 8 ? FIRST(size - 8) : 0;
	uint8_t padded[16] = { 0 };
	bool undecided = false;

	memcpy(padded, data, size);
	for (; s->format != IMGSNIFF_FORMAT_UNKNOWN; s++) {
		enum answer a;

		if (((load_word(padded) ^ s->bytes[0]) & s->mask[0] & known0) |
		    ((load_word(padded + 8) ^ s->bytes[1]) & s->mask[1] &
		     known1))
			continue;
		if ((s->mask[0] & ~known0) | (s->mask[1] & ~known1))
			a = complete ? NO : MORE;
		else
			a = row_confirm(s, data, size, complete, format);
		if (a == YES)
			return IMGSNIFF_OK;
		undecided |= a == MORE;
	}
	return undecided ? IMGSNIFF_MORE : IMGSNIFF_ERR_FORMAT;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_detect(const void *data, size_t size, bool complete,
		enum imgsniff_format *format)
{
	const uint8_t *p = data;
	const struct signature *s;
	uint64_t word0, word1;
	bool undecided = false;

	if (format == NULL)
		return IMGSNIFF_ERR_USAGE;
	*format = IMGSNIFF_FORMAT_UNKNOWN;
	if (data == NULL && size != 0)
		return IMGSNIFF_ERR_USAGE;
	if (size == 0)
		return complete ? IMGSNIFF_ERR_FORMAT : IMGSNIFF_MORE;
	if (size < 16)
		return short_detect(p, size, complete, format);
	word0 = load_word(p);
	word1 = load_word(p + 8);
	for (s = &signatures[group[p[0]]];
	     s->format != IMGSNIFF_FORMAT_UNKNOWN; s++) {
		enum answer a;

		if (words_differ(s, word0, word1))
			continue;
		if (s->confirm == NULL) {
			*format = s->format;
			return IMGSNIFF_OK;
		}
		a = row_confirm(s, p, size, complete, format);
		if (a == YES)
			return IMGSNIFF_OK;
		undecided |= a == MORE;
	}
	return undecided ? IMGSNIFF_MORE : IMGSNIFF_ERR_FORMAT;
}
