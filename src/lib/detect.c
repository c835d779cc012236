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
	enum answer (*confirm)(const struct head *h);
	enum imgsniff_format format;
};

/* Eight bytes in memory order; X(c) sets all bits of a byte that counts. */
#define WORD(a, b, c, d, e, f, g, h)					\
	((uint64_t)(uint8_t)(a) | (uint64_t)(uint8_t)(b) << 8 |		\
	 (uint64_t)(uint8_t)(c) << 16 | (uint64_t)(uint8_t)(d) << 24 |	\
	 (uint64_t)(uint8_t)(e) << 32 | (uint64_t)(uint8_t)(f) << 40 |	\
	 (uint64_t)(uint8_t)(g) << 48 | (uint64_t)(uint8_t)(h) << 56)
#define FIRST(n)	((n) >= 8 ? UINT64_MAX : (UINT64_C(1) << (n) * 8) - 1)

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
confirm_bmp(const struct head *h)
{
	static const uint8_t sizes[] = { 12, 16, 40, 52, 56, 64, 108, 124 };
	enum answer a = reaches(h, 18);

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
confirm_ico(const struct head *h)
{
	enum answer a = reaches(h, 22);
	uint32_t count, size, offset;

	if (a != YES)
		return a;
	count = isn_load_u16le(h->data + 4);
	size = isn_load_u32le(h->data + 14);
	offset = isn_load_u32le(h->data + 18);
	return count > 0 && h->data[9] == 0 && size > 0 &&
	       offset >= 6 + 16 * count ? YES : NO;
}

static enum answer
confirm_qoi(const struct head *h)
{
	enum answer a = reaches(h, 14);

	if (a != YES)
		return a;
	return isn_load_u32be(h->data + 4) != 0 &&
	       isn_load_u32be(h->data + 8) != 0 &&
	       (h->data[12] == 3 || h->data[12] == 4) && h->data[13] <= 1
	       ? YES : NO;
}

/* The first directory lies behind the header. */
static enum answer
confirm_tiff_le(const struct head *h)
{
	enum answer a = reaches(h, 8);

	if (a != YES)
		return a;
	return isn_load_u32le(h->data + 4) >= 8 ? YES : NO;
}

static enum answer
confirm_tiff_be(const struct head *h)
{
	enum answer a = reaches(h, 8);

	if (a != YES)
		return a;
	return isn_load_u32be(h->data + 4) >= 8 ? YES : NO;
}

static enum answer
confirm_psd(const struct head *h)
{
	static const uint8_t zeros[6];
	enum answer a = reaches(h, 12);

	if (a != YES)
		return a;
	return (h->data[5] == 1 || h->data[5] == 2) &&
	       memcmp(h->data + 6, zeros, sizeof(zeros)) == 0 ? YES : NO;
}

static bool
is_brand(const uint8_t *brand, const char *list)
{
	for (; *list != '\0'; list += 4)
		if (memcmp(brand, list, 4) == 0)
			return true;
	return false;
}

/* One of these among its brands, major first, decides: ISO 23008-12, 10. */
static enum imgsniff_format
brand_format(const uint8_t *brand)
{
	if (is_brand(brand, "avifavis"))
		return IMGSNIFF_FORMAT_AVIF;
	if (is_brand(brand, "heicheixheimheishevchevxhevmhevs"))
		return IMGSNIFF_FORMAT_HEIC;
	return IMGSNIFF_FORMAT_UNKNOWN;
}

/* Does the 'ftyp' box name 'wanted' before any other still image format? */
static enum answer
confirm_brand(const struct head *h, enum imgsniff_format wanted)
{
	enum answer a = reaches(h, 12);
	enum imgsniff_format found;
	uint32_t end;

	if (a != YES)
		return a;
	end = isn_load_u32be(h->data);
	found = brand_format(h->data + 8);
	if (found != IMGSNIFF_FORMAT_UNKNOWN)
		return found == wanted ? YES : NO;
	if (!is_brand(h->data + 8, "mif1msf1miaf"))
		return NO;
	if (end > IMGSNIFF_DETECT_BYTES)
		end = IMGSNIFF_DETECT_BYTES;
	for (uint32_t at = 16; at + 4 <= end; at += 4) {
		a = reaches(h, at + 4);
		if (a != YES)
			return a;
		found = brand_format(h->data + at);
		if (found != IMGSNIFF_FORMAT_UNKNOWN)
			return found == wanted ? YES : NO;
	}
	return NO;
}

static enum answer
confirm_avif(const struct head *h)
{
	return confirm_brand(h, IMGSNIFF_FORMAT_AVIF);
}

static enum answer
confirm_heic(const struct head *h)
{
	return confirm_brand(h, IMGSNIFF_FORMAT_HEIC);
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
	{ .format = IMGSNIFF_FORMAT_AVIF, .confirm = confirm_avif,
	  .bytes = { WORD(0, 0, 0, 0, 'f', 't', 'y', 'p') },
	  .mask = { FIRST(8) & ~(FIRST(4) ^ FIRST(2)) } },
	{ .format = IMGSNIFF_FORMAT_HEIC, .confirm = confirm_heic,
	  .bytes = { WORD(0, 0, 0, 0, 'f', 't', 'y', 'p') },
	  .mask = { FIRST(8) & ~(FIRST(4) ^ FIRST(2)) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_I	20
	{ .format = IMGSNIFF_FORMAT_TIFF, .confirm = confirm_tiff_le,
	  .bytes = { WORD('I', 'I', '*', 0, 0, 0, 0, 0) },
	  .mask = { FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_TIFF,	/* BigTIFF */
	  .bytes = { WORD('I', 'I', '+', 0, 8, 0, 0, 0) },
	  .mask = { FIRST(8) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_M	23
	{ .format = IMGSNIFF_FORMAT_TIFF, .confirm = confirm_tiff_be,
	  .bytes = { WORD('M', 'M', 0, '*', 0, 0, 0, 0) },
	  .mask = { FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_TIFF,	/* BigTIFF */
	  .bytes = { WORD('M', 'M', 0, '+', 0, 8, 0, 0) },
	  .mask = { FIRST(8) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_Q	26
	{ .format = IMGSNIFF_FORMAT_QOI, .confirm = confirm_qoi,
	  .bytes = { WORD('q', 'o', 'i', 'f', 0, 0, 0, 0) },
	  .mask = { FIRST(4) } },
	{ .format = IMGSNIFF_FORMAT_UNKNOWN },
#define AT_8	28
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

static uint64_t
load_word(const uint8_t *p)
{
	return (uint64_t)isn_load_u32le(p + 4) << 32 | isn_load_u32le(p);
}

/* 'known' has the bits of the bytes that are there. */
static enum answer
signature_match(const struct signature *s, const uint64_t word[2],
		const uint64_t known[2], const struct head *h)
{
	if (((word[0] ^ s->bytes[0]) & s->mask[0] & known[0]) |
	    ((word[1] ^ s->bytes[1]) & s->mask[1] & known[1]))
		return NO;
	if ((s->mask[0] & ~known[0]) | (s->mask[1] & ~known[1]))
		return h->complete ? NO : MORE;
	return s->confirm ? s->confirm(h) : YES;
}

/* The slow case, fewer than 16 bytes: pad them, and tell which are real. */
static void
words_of_short(const struct head *h, uint64_t word[2], uint64_t known[2])
{
	uint8_t padded[16] = { 0 };

	if (h->size > 0)
		memcpy(padded, h->data, h->size);
	word[0] = load_word(padded);
	word[1] = load_word(padded + 8);
	known[0] = FIRST(h->size);
	known[1] = h->size > 8 ? FIRST(h->size - 8) : 0;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_detect(const void *data, size_t size, bool complete,
		enum imgsniff_format *format)
{
	struct head h = { data, size, complete };
	uint64_t word[2], known[2] = { UINT64_MAX, UINT64_MAX };
	bool undecided = false;

	*format = IMGSNIFF_FORMAT_UNKNOWN;
	if (size == 0)
		return complete ? IMGSNIFF_ERR_FORMAT : IMGSNIFF_MORE;
	if (size >= IMGSNIFF_DETECT_BYTES) {
		h.size = IMGSNIFF_DETECT_BYTES;
		h.complete = true;
	}
	if (size >= 16) {
		word[0] = load_word(h.data);
		word[1] = load_word(h.data + 8);
	} else {
		words_of_short(&h, word, known);
	}
	for (const struct signature *s = &signatures[group[h.data[0]]];
	     s->format != IMGSNIFF_FORMAT_UNKNOWN; s++) {
		enum answer a = signature_match(s, word, known, &h);

		if (a == YES) {
			*format = s->format;
			return IMGSNIFF_OK;
		}
		undecided |= a == MORE;
	}
	return undecided ? IMGSNIFF_MORE : IMGSNIFF_ERR_FORMAT;
}
