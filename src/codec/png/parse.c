/*
 * parse.c - the structure of a PNG (PNG third edition, W3C; APNG is part of it)
 *
 *	0	89 'P' 'N' 'G' 0D 0A 1A 0A			(5.2)
 *	8	chunks:						(5.3)
 *		0	length of the data, 4, big-endian like all numbers
 *		4	type, 4 letters; upper case first: critical (5.4)
 *		8	data
 *		n	CRC-32 of type and data, 4
 *
 *	IHDR	first	16	width, height, 4 each		(11.2.1)
 *			24	bit depth, colour type, compression 0,
 *				filter 0, interlace, 1 each
 *	PLTE	before IDAT	red, green, blue of each entry	(11.2.2)
 *	tRNS	before IDAT	alpha of each entry, or the gray or the red,
 *				green, blue that is transparent, 2 each	(11.3.1.1)
 *	iCCP	before IDAT	name, 0, method 0, zlib stream	(11.3.2.3)
 *	acTL, fcTL, fdAT	see frame.c			(11.3.6)
 *	IDAT	in one run	one zlib stream of scanlines	(11.2.3)
 *	eXIf	anywhere	a TIFF structure		(11.3.5.5)
 *	iTXt	anywhere	keyword, 0, deflated 0 or 1, method 0,
 *				language, 0, keyword, 0, text	(11.3.3.4)
 *	IEND	last						(11.2.4)
 *
 * Of most chunks only the header is read, and a file is sought through. CRCs are
 * checked here where all of a chunk is read anyway; those of image data wait for
 * decoding. What is wrong with a chunk that no pixel needs makes it count as
 * absent, as other readers do.
 */

#include <string.h>

#include "base/crc.h"
#include "codec/codecs.h"
#include "codec/png/chunk.h"
#include "meta/exif.h"

#define IHDR_LENGTH	13
#define ACTL_LENGTH	8

#define XMP_KEYWORD	"XML:com.adobe.xmp"
/* What may stand between the keyword and the text; nobody writes that much. */
#define XMP_TAGS_MAX	1024

/* Table 9: what there is, and which bit depths: their sum. */
static const struct {
	uint8_t samples;		/* 0: there is no such colour type */
	uint8_t depths;
	bool has_alpha;
	enum imgsniff_color color;
	enum imgsniff_pixel best;	/* up to 8 bits */
} color_types[PNG_COLOR_TYPES] = {
	[PNG_GRAY] = { 1, 1 + 2 + 4 + 8 + 16, false, IMGSNIFF_COLOR_GRAY,
		       IMGSNIFF_GRAY8 },
	[PNG_RGB] = { 3, 8 + 16, false, IMGSNIFF_COLOR_RGB, IMGSNIFF_RGB8 },
	[PNG_PALETTE] = { 1, 1 + 2 + 4 + 8, false, IMGSNIFF_COLOR_PALETTE,
			  IMGSNIFF_RGB8 },
	[PNG_GRAY_ALPHA] = { 2, 8 + 16, true, IMGSNIFF_COLOR_GRAY_ALPHA,
			     IMGSNIFF_RGBA8 },
	[PNG_RGB_ALPHA] = { 4, 8 + 16, true, IMGSNIFF_COLOR_RGBA,
			    IMGSNIFF_RGBA8 },
};

/* ---- IHDR ---------------------------------------------------------------- */

static enum imgsniff_status
ihdr_fail(struct imgsniff_decoder *d, const struct png_chunk *c,
	  unsigned int field, const char *message)
{
	return isn_fail(d, IMGSNIFF_ERR_CORRUPT, isn_png_chunk_data(c) + field,
			message);
}

static enum imgsniff_status
ihdr_check(struct imgsniff_decoder *d, const struct png_chunk *c,
	   const uint8_t *p)
{
	uint8_t depth = p[8], type = p[9];

	if (d->info.width == 0)
		return ihdr_fail(d, c, 0, "IHDR: width is zero");
	if (d->info.width > INT32_MAX)
		return ihdr_fail(d, c, 0, "IHDR: width is above 2^31 - 1");
	if (d->info.height == 0)
		return ihdr_fail(d, c, 4, "IHDR: height is zero");
	if (d->info.height > INT32_MAX)
		return ihdr_fail(d, c, 4, "IHDR: height is above 2^31 - 1");
	if (type >= PNG_COLOR_TYPES || color_types[type].samples == 0)
		return ihdr_fail(d, c, 9, "IHDR: no such colour type");
	if ((depth & (depth - 1)) != 0 || !(color_types[type].depths & depth))
		return ihdr_fail(d, c, 8, "IHDR: bit depth does not go with the "
					  "colour type");
	if (p[10] != 0)
		return ihdr_fail(d, c, 10, "IHDR: no such compression method");
	if (p[11] != 0)
		return ihdr_fail(d, c, 11, "IHDR: no such filter method");
	if (p[12] > 1)
		return ihdr_fail(d, c, 12, "IHDR: no such interlace method");
	return IMGSNIFF_OK;
}

/* The smallest layout that loses nothing. */
static void
best_choose(struct imgsniff_decoder *d)
{
	const struct png_state *s = d->state;

	d->info.best = color_types[s->color_type].best;
	if (d->info.has_alpha || s->actl != 0)
		d->info.best = IMGSNIFF_RGBA8;
	if (s->bit_depth == 16)
		d->info.best = IMGSNIFF_RGBA16;
}

static void
ihdr_facts(struct imgsniff_decoder *d, const uint8_t *p)
{
	struct png_state *s = d->state;

	s->bit_depth = p[8];
	s->color_type = (enum png_color_type)p[9];
	s->samples = color_types[p[9]].samples;
	s->interlaced = p[12] == 1;
	s->first.width = d->info.width;
	s->first.height = d->info.height;
	d->info.color = color_types[p[9]].color;
	d->info.has_alpha = color_types[p[9]].has_alpha;
	d->info.compression = IMGSNIFF_LOSSLESS;
	d->info.progressive = s->interlaced;
	d->info.frames = 1;
	d->info.plays = 1;
	best_choose(d);
	isn_png_frame_describe(d, &s->first);
}

static enum imgsniff_status
ihdr_parse(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	bool crc_right;
	const uint8_t *p = isn_png_chunk_load(d, c, &crc_right);
	enum imgsniff_status st;

	if (p == NULL)
		return isn_png_chunk_cut(d, c);
	d->info.width = isn_load_u32be(p);
	d->info.height = isn_load_u32be(p + 4);
	d->info.bit_depth = p[8];
	st = ihdr_check(d, c, p);
	if (st != IMGSNIFF_OK)
		return st;
	ihdr_facts(d, p);
	if (!crc_right)
		return ihdr_fail(d, c, IHDR_LENGTH, "IHDR: the CRC is wrong");
	return IMGSNIFF_OK;
}

/* Apple's iOS tools put CgBI first, swap colours and leave out zlib's header. */
static enum imgsniff_status
cgbi_skip(struct imgsniff_decoder *d, struct png_chunk *c)
{
	uint64_t next;
	enum imgsniff_status st = isn_png_chunk_end(d, c, &next);

	if (st != IMGSNIFF_OK)
		return st;
	isn_png_fault(d, IMGSNIFF_ERR_UNSUPPORTED, c->at + 4,
		      "CgBI: this is Apple's variant of PNG");
	return isn_png_chunk_read(d, next, c);
}

static enum imgsniff_status
header_read(struct imgsniff_decoder *d, uint64_t *next)
{
	struct png_chunk c;
	enum imgsniff_status st = isn_png_chunk_read(d, PNG_SIGNATURE_SIZE, &c);

	if (st == IMGSNIFF_OK && c.type == PNG_CGBI)
		st = cgbi_skip(d, &c);
	if (st != IMGSNIFF_OK)
		return st;
	if (c.type != PNG_IHDR)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, c.at + 4,
				"IHDR: it is not the first chunk");
	if (c.length != IHDR_LENGTH)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, c.at,
				"IHDR: the length is not 13");
	st = ihdr_parse(d, &c);
	*next = isn_png_chunk_crc(&c) + 4;
	return st;
}

/* ---- Chunks behind it ---------------------------------------------------- */

static enum imgsniff_status
ihdr_again(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	isn_png_fault(d, IMGSNIFF_ERR_CORRUPT, c->at + 4,
		      "IHDR: there is more than one");
	return IMGSNIFF_OK;
}

static void
palette_fill(struct png_state *s, const uint8_t *p, unsigned int entries)
{
	s->has_palette = true;
	s->palette_size = entries;
	for (unsigned int i = 0; i < 256; i++) {
		memset(s->palette[i], 0, 3);
		s->palette[i][3] = 255;
		if (i < entries)
			memcpy(s->palette[i], p + (size_t)i * 3, 3);
	}
}

static enum imgsniff_status
plte_read(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	struct png_state *s = d->state;
	const uint8_t *p;
	bool crc_right;

	if (s->color_type != PNG_PALETTE)
		return IMGSNIFF_OK;	/* for screens of few colours */
	if (s->has_palette)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, c->at + 4,
				"PLTE: there is more than one");
	if (c->length == 0 || c->length % 3 != 0)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, c->at,
				"PLTE: the length is no multiple of three");
	if (c->length > 3 * 256)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, c->at,
				"PLTE: more than 256 entries");
	p = isn_png_chunk_load(d, c, &crc_right);
	if (p == NULL)
		return isn_png_chunk_cut(d, c);
	if (!crc_right)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, isn_png_chunk_crc(c),
				"PLTE: the CRC is wrong");
	palette_fill(s, p, c->length / 3);
	return IMGSNIFF_OK;
}

/* The lengths that a tRNS may have; none if it must not be there. */
static bool
trns_fits(const struct png_state *s, uint32_t length)
{
	switch (s->color_type) {
	case PNG_GRAY:
		return length == 2;
	case PNG_RGB:
		return length == 6;
	case PNG_PALETTE:
		return length > 0 && length <= s->palette_size;
	case PNG_GRAY_ALPHA:
	case PNG_RGB_ALPHA:
	case PNG_COLOR_TYPES:
		break;
	}
	return false;
}

static enum imgsniff_status
trns_read(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	struct png_state *s = d->state;
	const uint8_t *p;
	bool crc_right;

	if (d->info.has_alpha || !trns_fits(s, c->length))
		return IMGSNIFF_OK;
	p = isn_png_chunk_load(d, c, &crc_right);
	if (p == NULL)
		return isn_png_chunk_cut(d, c);
	if (!crc_right)
		return IMGSNIFF_OK;
	if (s->color_type == PNG_PALETTE) {
		for (uint32_t i = 0; i < c->length; i++)
			s->palette[i][3] = p[i];
	} else {
		/* Fewer bits than 16 are the low ones. */
		uint16_t mask = (uint16_t)((1u << s->bit_depth) - 1);

		s->has_key = true;
		for (unsigned int i = 0; i < c->length / 2; i++)
			s->key[i] = isn_load_u16be(p + (size_t)2 * i) & mask;
	}
	d->info.has_alpha = true;
	best_choose(d);
	return IMGSNIFF_OK;
}

static enum imgsniff_status
iccp_read(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	const uint32_t name_max = 79;
	struct png_metadata *icc = &((struct png_state *)d->state)->icc;
	uint32_t size = c->length < name_max + 2 ? c->length : name_max + 2;
	const uint8_t *p, *zero;
	uint32_t name;

	if (icc->chunk != 0 || size < 3)
		return IMGSNIFF_OK;
	p = isn_bytes(&d->in, size);
	if (p == NULL)
		return isn_png_chunk_cut(d, c);
	zero = memchr(p, 0, size - 1);
	name = zero != NULL ? (uint32_t)(zero - p) : 0;
	if (name == 0 || zero[1] != 0)
		return IMGSNIFF_OK;
	*icc = (struct png_metadata){
		.chunk = c->at, .length = c->length, .skip = name + 2,
		.deflated = true,
	};
	d->info.icc_bytes = c->length - icc->skip;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
exif_read(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	struct png_metadata *exif = &((struct png_state *)d->state)->exif;

	if (exif->chunk != 0 || c->length == 0)
		return IMGSNIFF_OK;
	*exif = (struct png_metadata){ .chunk = c->at, .length = c->length };
	d->info.exif_bytes = c->length;
	d->info.orientation = isn_exif_orientation(&d->in, isn_png_chunk_data(c),
						   c->length);
	if (d->in.overrun && d->in.io_error == 0)
		isn_reader_restart(&d->in, c->at);
	return IMGSNIFF_OK;
}

/* Where the text of an iTXt begins, behind language and keyword; 0: nowhere. */
static uint32_t
itxt_text(struct isn_reader *in, uint32_t from, uint32_t length)
{
	uint32_t limit = length - from < XMP_TAGS_MAX ? length
						      : from + XMP_TAGS_MAX;
	unsigned int zeros = 0;

	while (from < limit && zeros < 2) {
		zeros += isn_u8(in) == 0;
		from++;
	}
	return zeros == 2 ? from : 0;
}

static enum imgsniff_status
itxt_read(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	const uint32_t head = sizeof(XMP_KEYWORD) + 2;
	struct png_metadata *xmp = &((struct png_state *)d->state)->xmp;
	const uint8_t *p;
	bool deflated;
	uint32_t text;

	if (xmp->chunk != 0 || c->length < head)
		return IMGSNIFF_OK;
	p = isn_bytes(&d->in, head);
	if (p == NULL)
		return isn_png_chunk_cut(d, c);
	if (memcmp(p, XMP_KEYWORD, sizeof(XMP_KEYWORD)) != 0 ||
	    p[head - 2] > 1 || p[head - 1] != 0)
		return IMGSNIFF_OK;
	deflated = p[head - 2] == 1;
	text = itxt_text(&d->in, head, c->length);
	if (d->in.overrun)
		return isn_png_chunk_cut(d, c);
	if (text == 0)
		return IMGSNIFF_OK;
	*xmp = (struct png_metadata){
		.chunk = c->at, .length = c->length, .skip = text,
		.deflated = deflated,
	};
	d->info.xmp_bytes = c->length - text;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
actl_read(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	struct png_state *s = d->state;
	const char *fault = NULL;
	bool crc_right;
	const uint8_t *p;
	uint32_t frames;

	if (c->length != ACTL_LENGTH) {
		isn_png_fault(d, IMGSNIFF_ERR_CORRUPT, c->at,
			      "acTL: the length is not 8");
		return IMGSNIFF_OK;
	}
	p = isn_png_chunk_load(d, c, &crc_right);
	if (p == NULL)
		return isn_png_chunk_cut(d, c);
	frames = isn_load_u32be(p);
	if (s->actl != 0)
		fault = "acTL: there is more than one";
	else if (!crc_right)
		fault = "acTL: the CRC is wrong";
	else if (frames == 0)
		fault = "acTL: the number of frames is zero";
	else if (frames > INT32_MAX)
		fault = "acTL: the number of frames is above 2^31 - 1";
	if (fault != NULL) {
		isn_png_fault(d, IMGSNIFF_ERR_CORRUPT, isn_png_chunk_data(c),
			      fault);
		return IMGSNIFF_OK;
	}
	s->actl = c->at;
	s->frames = frames;
	d->info.frames = frames;
	d->info.has_loop = true;
	d->info.loop = d->info.plays = isn_load_u32be(p + 4);
	best_choose(d);
	return IMGSNIFF_OK;
}

/* One before IDAT may come before acTL, too, and means nothing without it. */
static enum imgsniff_status
fctl_met(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	struct png_state *s = d->state;

	if (s->idat == 0 && s->first_fctl == 0)
		s->first_fctl = c->at;
	else if (s->idat == 0 && s->extra_fctl == 0)
		s->extra_fctl = c->at;
	else if (s->animation)
		isn_png_fault(d, IMGSNIFF_ERR_CORRUPT,
			      s->actl + PNG_CHUNK_HEADER,
			      "acTL: there are more frames than it says");
	return IMGSNIFF_OK;
}

static enum imgsniff_status
fdat_met(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	const struct png_state *s = d->state;

	if (s->actl != 0)
		isn_png_fault(d, IMGSNIFF_ERR_CORRUPT, c->at + 4,
			      "fdAT: no fcTL before it");
	return IMGSNIFF_OK;
}

static enum imgsniff_status
idat_again(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	isn_png_fault(d, IMGSNIFF_ERR_CORRUPT, c->at + 4,
		      "IDAT: not right behind the others");
	return IMGSNIFF_OK;
}

static const struct {
	uint32_t type;
	bool head_only;			/* means nothing behind IDAT */
	enum imgsniff_status (*read)(struct imgsniff_decoder *d,
				     const struct png_chunk *c);
} rules[] = {
	{ PNG_IHDR, false, ihdr_again },
	{ PNG_PLTE, true, plte_read },
	{ PNG_TRNS, true, trns_read },
	{ PNG_IDAT, false, idat_again },
	{ PNG_ICCP, true, iccp_read },
	{ PNG_EXIF, false, exif_read },
	{ PNG_ITXT, false, itxt_read },
	{ PNG_ACTL, true, actl_read },
	{ PNG_FCTL, false, fctl_met },
	{ PNG_FDAT, false, fdat_met },
};

enum imgsniff_status
isn_png_chunk_handle(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	const uint32_t ancillary = 0x20000000;
	struct png_state *s = d->state;

	if (s->walked)
		return IMGSNIFF_OK;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (rules[i].type != c->type)
			continue;
		if (rules[i].head_only && s->idat != 0)
			return IMGSNIFF_OK;
		return rules[i].read(d, c);
	}
	if (!(c->type & ancillary))
		isn_png_fault(d, IMGSNIFF_ERR_UNSUPPORTED, c->at + 4,
			      "chunk: unknown, but critical");
	return IMGSNIFF_OK;
}

/* ---- The walk ------------------------------------------------------------ */

static enum imgsniff_status
idat_first(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	struct png_state *s = d->state;

	if (s->color_type == PNG_PALETTE && !s->has_palette)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, c->at + 4,
				"IDAT: the palette is missing before it");
	s->idat = c->at;
	s->animation = s->actl != 0;
	if (s->animation && s->extra_fctl != 0)
		isn_png_fault(d, IMGSNIFF_ERR_CORRUPT, s->extra_fctl + 4,
			      "fcTL: more than one before IDAT");
	s->current = s->first;
	d->can_decode = s->fault.status != IMGSNIFF_ERR_UNSUPPORTED;
	return IMGSNIFF_OK;
}

/* Up to the first IDAT. */
static enum imgsniff_status
head_walk(struct imgsniff_decoder *d, uint64_t at)
{
	for (;;) {
		struct png_chunk c;
		enum imgsniff_status st = isn_png_chunk_read(d, at, &c);

		if (st != IMGSNIFF_OK)
			return st;
		if (c.type == PNG_IDAT)
			return idat_first(d, &c);
		if (c.type == PNG_IEND)
			return isn_fail(d, IMGSNIFF_ERR_CORRUPT, at + 4,
					"IEND: no IDAT before it");
		st = isn_png_chunk_handle(d, &c);
		if (st == IMGSNIFF_OK)
			st = isn_png_chunk_end(d, &c, &at);
		if (st != IMGSNIFF_OK)
			return st;
	}
}

/* A missing IEND takes no pixel away; input that grows may still bring it. */
static bool
tail_is_missing(struct imgsniff_decoder *d, uint64_t at)
{
	isn_seek(&d->in, at);
	return !(d->flags & IMGSNIFF_PARTIAL) && isn_at_end(&d->in);
}

/* From behind the image data to IEND. */
static enum imgsniff_status
tail_walk(struct imgsniff_decoder *d, uint64_t at)
{
	struct png_state *s = d->state;

	while (!tail_is_missing(d, at)) {
		struct png_chunk c;
		enum imgsniff_status st = isn_png_chunk_read(d, at, &c);

		if (st == IMGSNIFF_OK && c.type != PNG_IEND)
			st = isn_png_chunk_handle(d, &c);
		if (st == IMGSNIFF_OK)
			st = isn_png_chunk_end(d, &c, &at);
		if (st != IMGSNIFF_OK)
			return st;
		s->has_end = c.type == PNG_IEND;
		if (s->has_end)
			break;
	}
	s->end = at;
	return IMGSNIFF_OK;
}

/* Behind the IDATs. */
static enum imgsniff_status
rest_walk(struct imgsniff_decoder *d)
{
	const struct png_state *s = d->state;
	enum imgsniff_status st = IMGSNIFF_OK;
	uint64_t at = s->first.next;

	if (s->animation)
		st = isn_png_frames_walk(d, &at);
	else if (s->first.data.cut)
		st = s->fault.status;
	return st == IMGSNIFF_OK ? tail_walk(d, at) : st;
}

static enum imgsniff_status
image_walk(struct imgsniff_decoder *d)
{
	struct png_state *s = d->state;
	enum imgsniff_status st;

	if (s->walked)
		return IMGSNIFF_OK;
	st = isn_png_data_walk(d, s->idat, PNG_IDAT, &s->first.data, NULL,
			       &s->first.next);
	if (st == IMGSNIFF_OK)
		st = rest_walk(d);
	s->walked = true;
	s->current = s->first;
	isn_png_frame_describe(d, &s->first);
	return st;
}

/* Not the input's fault: nothing else that is wrong matters then. */
static bool
is_hard(enum imgsniff_status st)
{
	return st == IMGSNIFF_ERR_IO || st == IMGSNIFF_ERR_MEMORY ||
	       st == IMGSNIFF_ERR_LIMIT;
}

static enum imgsniff_status
png_open(struct imgsniff_decoder *d)
{
	const struct png_state *s = d->state;
	uint64_t next = 0;
	enum imgsniff_status st = header_read(d, &next);

	if (st == IMGSNIFF_OK)
		st = head_walk(d, next);
	if (st == IMGSNIFF_OK && !(d->flags & IMGSNIFF_HEAD))
		st = image_walk(d);
	if (is_hard(st) || s->fault.status == IMGSNIFF_OK)
		return st;
	d->error = s->fault;
	return d->error.status;
}

/* ---- Frames -------------------------------------------------------------- */

enum imgsniff_status
isn_png_rest_fetch(struct imgsniff_decoder *d)
{
	enum imgsniff_status st = IMGSNIFF_OK;

	if (d->can_decode)
		st = image_walk(d);
	return is_hard(st) ? st : IMGSNIFF_OK;
}

static enum imgsniff_status
png_next(struct imgsniff_decoder *d)
{
	struct png_state *s = d->state;
	enum imgsniff_status st = isn_png_rest_fetch(d);

	if (st == IMGSNIFF_OK)
		st = isn_png_frame_next(d, &s->current);
	if (st == IMGSNIFF_OK)
		isn_png_frame_describe(d, &s->current);
	return st;
}

static enum imgsniff_status
png_rewind(struct imgsniff_decoder *d)
{
	struct png_state *s = d->state;

	s->current = s->first;
	isn_png_frame_describe(d, &s->first);
	return IMGSNIFF_OK;
}

const struct isn_codec isn_codec_png = {
	.info = {
		.format = IMGSNIFF_FORMAT_PNG, .name = "png", .title = "PNG",
		.mime = "image/png", .extensions = "png apng",
		.can_decode = true, .can_animate = true,
	},
	.backends = isn_png_backends,
	.state_size = sizeof(struct png_state),
	.open = png_open,
	.next = png_next,
	.rewind = png_rewind,
	.metadata = isn_png_metadata,
	.check = isn_png_check,
};
