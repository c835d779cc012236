/*
 * check.c - a PNG's chunks to the last: what open() and decoding have no need of
 *
 * open() refuses what no pixel can be had without; decoding inflates the data and
 * finds what is wrong with them. Here every chunk is read: its CRC, its place
 * among the others (PNG third edition, 5.6, table 7) and its length. Most of what
 * is found leaves all pixels as they are.
 */

#include <string.h>

#include "base/crc.h"
#include "codec/png/chunk.h"

#define PIECE		65536		/* read at a time, for its CRC */

#define ANY_LENGTH	UINT32_MAX

enum place {
	PLACE_ONCE = 1 << 0,
	PLACE_BEFORE_PLTE = 1 << 1,
	PLACE_BEHIND_PLTE = 1 << 2,
	PLACE_BEFORE_IDAT = 1 << 3,
};

#define HEAD	(PLACE_ONCE | PLACE_BEFORE_IDAT)

#define ROW(name, a, b, c, d, places, least, most)			\
	{ .type = PNG_CHUNK(a, b, c, d), .place = (places),		\
	  .length_min = (least), .length_max = (most),			\
	  .crc = name ": the CRC is wrong",				\
	  .again = name ": there is more than one",			\
	  .late = name ": comes behind what it must come before",	\
	  .early = name ": comes before the PLTE it belongs to",	\
	  .length = name ": the length is wrong" }

static const struct rule {
	uint32_t type;			/* 0: any other */
	unsigned int place;		/* enum place */
	uint32_t length_min, length_max;
	const char *crc, *again, *late, *early, *length;
} rules[] = {
	ROW("IHDR", 'I', 'H', 'D', 'R', 0, 0, ANY_LENGTH),
	ROW("PLTE", 'P', 'L', 'T', 'E', HEAD, 3, 768),
	ROW("IDAT", 'I', 'D', 'A', 'T', 0, 0, ANY_LENGTH),
	ROW("IEND", 'I', 'E', 'N', 'D', 0, 0, 0),
	ROW("cHRM", 'c', 'H', 'R', 'M', HEAD | PLACE_BEFORE_PLTE, 32, 32),
	ROW("cICP", 'c', 'I', 'C', 'P', HEAD | PLACE_BEFORE_PLTE, 4, 4),
	ROW("gAMA", 'g', 'A', 'M', 'A', HEAD | PLACE_BEFORE_PLTE, 4, 4),
	ROW("iCCP", 'i', 'C', 'C', 'P', HEAD | PLACE_BEFORE_PLTE, 3,
	    ANY_LENGTH),
	ROW("mDCV", 'm', 'D', 'C', 'V', HEAD | PLACE_BEFORE_PLTE, 24, 24),
	ROW("cLLI", 'c', 'L', 'L', 'I', HEAD | PLACE_BEFORE_PLTE, 8, 8),
	ROW("sBIT", 's', 'B', 'I', 'T', HEAD | PLACE_BEFORE_PLTE, 1, 4),
	ROW("sRGB", 's', 'R', 'G', 'B', HEAD | PLACE_BEFORE_PLTE, 1, 1),
	ROW("bKGD", 'b', 'K', 'G', 'D', HEAD | PLACE_BEHIND_PLTE, 1, 6),
	ROW("hIST", 'h', 'I', 'S', 'T', HEAD | PLACE_BEHIND_PLTE, 2, 512),
	ROW("tRNS", 't', 'R', 'N', 'S', HEAD | PLACE_BEHIND_PLTE, 1, 256),
	ROW("pHYs", 'p', 'H', 'Y', 's', HEAD, 9, 9),
	ROW("sPLT", 's', 'P', 'L', 'T', PLACE_BEFORE_IDAT, 3, ANY_LENGTH),
	ROW("acTL", 'a', 'c', 'T', 'L', PLACE_BEFORE_IDAT, 8, 8),
	ROW("fcTL", 'f', 'c', 'T', 'L', 0, 26, 26),
	ROW("fdAT", 'f', 'd', 'A', 'T', 0, 4, ANY_LENGTH),
	ROW("eXIf", 'e', 'X', 'I', 'f', PLACE_ONCE, 4, ANY_LENGTH),
	ROW("tIME", 't', 'I', 'M', 'E', PLACE_ONCE, 7, 7),
	ROW("iTXt", 'i', 'T', 'X', 't', 0, 6, ANY_LENGTH),
	ROW("tEXt", 't', 'E', 'X', 't', 0, 2, ANY_LENGTH),
	ROW("zTXt", 'z', 'T', 'X', 't', 0, 3, ANY_LENGTH),
	ROW("chunk", 0, 0, 0, 0, 0, 0, ANY_LENGTH),
};

/* Lengths that go by the colour type (11.3); 0: there must be none. */
static const struct {
	uint8_t trns, bkgd, sbit;
} lengths[PNG_COLOR_TYPES] = {
	[PNG_GRAY] = { 2, 2, 1 },
	[PNG_RGB] = { 6, 6, 3 },
	[PNG_PALETTE] = { 0, 1, 3 },
	[PNG_GRAY_ALPHA] = { 0, 2, 2 },
	[PNG_RGB_ALPHA] = { 0, 6, 4 },
};

struct walk {
	struct imgsniff_decoder *d;
	const struct png_state *s;
	uint32_t met;			/* rows of 'rules' */
	uint32_t plte_length;
	bool plte, idat;		/* met already */
	bool end;			/* IEND is behind */
};

_Static_assert(sizeof(rules) / sizeof(rules[0]) <= 32, "walk.met has 32 bits");

static const struct rule *
rule_find(uint32_t type)
{
	const struct rule *r = rules;

	while (r->type != 0 && r->type != type)
		r++;
	return r;
}

static void
tolerate(struct walk *w, uint64_t offset, const char *message)
{
	isn_fault(w->d, IMGSNIFF_OK, offset, message);
}

/* ---- CRCs ---------------------------------------------------------------- */

/* Frames are made of chunks that a still image could do without. */
static bool
chunk_is_needed(const struct walk *w, uint32_t type)
{
	const uint32_t ancillary = 0x20000000;

	if (!(type & ancillary))
		return true;
	return w->s->actl != 0 && (type == PNG_FCTL || type == PNG_FDAT);
}

static enum imgsniff_status
crc_check(struct walk *w, const struct png_chunk *c, const struct rule *rule)
{
	struct isn_reader *in = &w->d->in;
	uint32_t left = c->length, crc;
	const uint8_t *p;

	isn_seek(in, c->at + 4);
	p = isn_bytes(in, 4);
	if (p == NULL)
		return isn_png_chunk_cut(w->d, c);
	crc = isn_crc32(0, p, 4);
	while (left > 0) {
		uint32_t size = left < PIECE ? left : PIECE;

		p = isn_bytes(in, size);
		if (p == NULL)
			return isn_png_chunk_cut(w->d, c);
		crc = isn_crc32(crc, p, size);
		left -= size;
	}
	p = isn_bytes(in, 4);
	if (p == NULL)
		return isn_png_chunk_cut(w->d, c);
	if (crc != isn_load_u32be(p))
		isn_fault(w->d, chunk_is_needed(w, c->type)
				? IMGSNIFF_ERR_CORRUPT : IMGSNIFF_OK,
			  isn_png_chunk_crc(c), rule->crc);
	return IMGSNIFF_OK;
}

/* ---- Rules --------------------------------------------------------------- */

/* Table 7. What open() refuses is refused by now: this is about the others. */
static void
place_check(struct walk *w, const struct png_chunk *c, const struct rule *rule)
{
	const uint32_t bit = UINT32_C(1) << (rule - rules);

	if (rule->place & PLACE_ONCE && w->met & bit)
		tolerate(w, c->at + 4, rule->again);
	w->met |= bit;
	if ((rule->place & PLACE_BEFORE_PLTE && w->plte) ||
	    (rule->place & PLACE_BEFORE_IDAT && w->idat))
		tolerate(w, c->at + 4, rule->late);
	if (rule->place & PLACE_BEHIND_PLTE && !w->plte &&
	    w->s->color_type == PNG_PALETTE)
		tolerate(w, c->at + 4, rule->early);
}

static bool
length_fits(const struct walk *w, const struct png_chunk *c,
	    const struct rule *rule)
{
	const enum png_color_type color = w->s->color_type;
	const uint32_t length = c->length;

	if (length < rule->length_min || length > rule->length_max)
		return false;
	switch (c->type) {
	case PNG_PLTE:
		return length % 3 == 0;
	case PNG_CHUNK('h', 'I', 'S', 'T'):
		return length / 2 == w->plte_length / 3 && length % 2 == 0;
	case PNG_CHUNK('b', 'K', 'G', 'D'):
		return length == lengths[color].bkgd;
	case PNG_CHUNK('s', 'B', 'I', 'T'):
		return length == lengths[color].sbit;
	case PNG_TRNS:
		return color == PNG_PALETTE ? length <= w->plte_length / 3
					    : length == lengths[color].trns;
	}
	return true;
}

static void
chunk_rules_check(struct walk *w, const struct png_chunk *c,
		  const struct rule *rule)
{
	const enum png_color_type color = w->s->color_type;

	place_check(w, c, rule);
	if (!length_fits(w, c, rule))
		tolerate(w, c->at, rule->length);
	if (c->type == PNG_PLTE && (color == PNG_GRAY ||
				    color == PNG_GRAY_ALPHA))
		tolerate(w, c->at + 4, "PLTE: a gray image has none");
	if (c->type == PNG_PLTE && color == PNG_PALETTE &&
	    c->length / 3 > 1u << w->s->bit_depth)
		tolerate(w, c->at, "PLTE: more entries than samples can name");
	if ((c->type == PNG_FCTL || c->type == PNG_FDAT) && w->s->actl == 0)
		tolerate(w, c->at + 4, "fcTL: there is no acTL");
}

/* ---- The walk ------------------------------------------------------------ */

static enum imgsniff_status
chunk_check(struct walk *w, const struct png_chunk *c)
{
	const struct rule *rule = rule_find(c->type);

	chunk_rules_check(w, c, rule);
	w->plte |= c->type == PNG_PLTE;
	if (c->type == PNG_PLTE)
		w->plte_length = c->length;
	w->idat |= c->type == PNG_IDAT;
	w->end = c->type == PNG_IEND;
	return crc_check(w, c, rule);
}

static bool
input_has_ended(struct walk *w, uint64_t at)
{
	isn_reader_restart(&w->d->in, at);
	return !(w->d->flags & IMGSNIFF_PARTIAL) && isn_at_end(&w->d->in);
}

static enum imgsniff_status
chunks_check(struct walk *w)
{
	uint64_t at = PNG_SIGNATURE_SIZE;

	do {
		enum imgsniff_status st;
		struct png_chunk c;

		if (w->idat && input_has_ended(w, at)) {
			tolerate(w, at, "IEND: it is missing");
			break;
		}
		st = isn_png_chunk_read(w->d, at, &c);
		if (st == IMGSNIFF_OK)
			st = chunk_check(w, &c);
		if (st != IMGSNIFF_OK)
			return st;
		at = isn_png_chunk_crc(&c) + 4;
	} while (!w->end);
	w->d->check->end = at;
	return IMGSNIFF_OK;
}

/* The default image is not decoded where it is no frame of the animation. */
static enum imgsniff_status
default_image_check(struct imgsniff_decoder *d)
{
	const struct png_state *s = d->state;
	struct png_frame f = { .width = d->info.width,
			       .height = d->info.height };
	enum imgsniff_status st;

	if (!s->animation || s->first.data.type != PNG_FDAT ||
	    (uint64_t)f.width * f.height > d->limits.max_pixels)
		return IMGSNIFF_OK;
	st = isn_png_data_walk(d, s->idat, PNG_IDAT, &f.data, NULL, &f.next);
	if (st == IMGSNIFF_OK)
		st = isn_png_prove(d, &f);
	if (st != IMGSNIFF_ERR_UNSUPPORTED)
		return st;
	isn_fault(d, IMGSNIFF_OK, d->error.offset, d->error.message);
	return IMGSNIFF_OK;
}

static bool
fault_is_known(const struct isn_check *c, uint64_t offset)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->faults[i].offset == offset)
			return true;
	return false;
}

/*
 * A profile and XMP may be deflated; what is wrong there harms no pixel. That
 * their chunk's CRC is wrong has been told.
 */
static enum imgsniff_status
metadata_check(struct imgsniff_decoder *d, enum imgsniff_metadata which)
{
	struct imgsniff_view view = { NULL, 0 };
	enum imgsniff_status st = isn_png_metadata(d, which, &view);

	if (st != IMGSNIFF_ERR_CORRUPT && st != IMGSNIFF_ERR_LIMIT)
		return st == IMGSNIFF_ERR_TRUNCATED ? IMGSNIFF_OK : st;
	if (st == IMGSNIFF_ERR_CORRUPT &&
	    !fault_is_known(d->check, d->error.offset))
		isn_fault(d, IMGSNIFF_OK, d->error.offset, d->error.message);
	return IMGSNIFF_OK;
}

enum imgsniff_status
isn_png_check(struct imgsniff_decoder *d)
{
	struct walk w = { .d = d, .s = d->state };
	enum imgsniff_status st;

	if (w.s->samples == 0)
		return IMGSNIFF_OK;	/* no header: open() has told it */
	st = isn_png_rest_fetch(d);
	if (st == IMGSNIFF_OK)
		st = isn_fault_from_error(d, chunks_check(&w));
	if (st == IMGSNIFF_OK)
		st = isn_fault_from_error(d, default_image_check(d));
	if (st == IMGSNIFF_OK)
		st = metadata_check(d, IMGSNIFF_ICC);
	if (st == IMGSNIFF_OK)
		st = metadata_check(d, IMGSNIFF_XMP);
	return st;
}
