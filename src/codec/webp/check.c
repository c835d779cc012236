/*
 * check.c - a WebP's chunks to the last: what is odd but takes no pixel away
 *
 * open() finds chunks that do not fit and pictures that are missing, libwebp the
 * data that are damaged. Here the rest of the container's rules are looked after
 * (RFC 9649, 2.3 to 2.7): what VP8X announces, order, number, padding, reserved
 * bits, and that the file is as long as its RIFF header says.
 */

#include "codec/webp/webp.h"

#define TAG(a, b, c, d) \
	((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | \
	 (uint32_t)(d))

#define CHUNK_HEADER	8
#define RIFF_HEADER	12
#define ANMF_HEADER	16

enum flag {				/* 2.7: the first byte of VP8X */
	FLAG_ANIMATION = 0x02,
	FLAG_XMP = 0x04,
	FLAG_EXIF = 0x08,
	FLAG_ALPHA = 0x10,
	FLAG_ICC = 0x20,
	FLAGS_RESERVED = 0xC1,
};

enum rule {
	RULE_ONCE = 1 << 0,
	RULE_EARLY = 1 << 1,		/* before any picture */
};

#define ROW(name, tag_, flag_, rules_)					\
	{ .tag = (tag_), .flag = (flag_), .rules = (rules_),		\
	  .again = name ": there is more than one",			\
	  .late = name ": comes behind what it must come before",	\
	  .unsaid = "VP8X: does not tell of " name }

static const struct kind {
	uint32_t tag;
	uint8_t flag;			/* of VP8X, that tells of it */
	uint8_t rules;
	const char *again, *late, *unsaid;
} kinds[] = {
	ROW("ICCP", TAG('I', 'C', 'C', 'P'), FLAG_ICC, RULE_ONCE | RULE_EARLY),
	ROW("EXIF", TAG('E', 'X', 'I', 'F'), FLAG_EXIF, RULE_ONCE),
	ROW("XMP", TAG('X', 'M', 'P', ' '), FLAG_XMP, RULE_ONCE),
	ROW("ANIM", TAG('A', 'N', 'I', 'M'), FLAG_ANIMATION,
	    RULE_ONCE | RULE_EARLY),
	ROW("ANMF", TAG('A', 'N', 'M', 'F'), FLAG_ANIMATION, 0),
};

enum {
	TAG_VP8 = TAG('V', 'P', '8', ' '),
	TAG_VP8L = TAG('V', 'P', '8', 'L'),
	TAG_VP8X = TAG('V', 'P', '8', 'X'),
	TAG_ALPH = TAG('A', 'L', 'P', 'H'),
	TAG_ANMF = TAG('A', 'N', 'M', 'F'),
};

struct chunk {
	uint32_t tag;
	uint64_t at;			/* of its header */
	uint64_t data;
	uint64_t size;
};

/* The chunks in the file, or in a frame. */
struct list {
	uint64_t next;
	uint64_t end;
};

struct walk {
	struct imgsniff_decoder *d;
	const struct isn_webp *w;
	uint8_t flags;			/* that VP8X has */
	uint8_t met;			/* that it should have */
	uint32_t kinds_met;
	bool extended;
	bool picture;			/* one was met, in a frame or not */
};

/* What there is of one picture. */
struct picture {
	bool alpha;			/* ALPH was met */
	bool data;			/* VP8 or VP8L was */
};

static void
tolerate(struct walk *k, uint64_t offset, const char *message)
{
	isn_fault(k->d, IMGSNIFF_OK, offset, message);
}

/* ---- From chunk to chunk (2.3) ------------------------------------------- */

/* The byte behind data of an odd size. */
static void
padding_check(struct walk *k, struct list *l)
{
	struct isn_reader *in = &k->d->in;

	if (l->next == l->end) {
		tolerate(k, l->next, "chunk: its padding is missing");
		return;
	}
	isn_seek(in, l->next);
	if (isn_u8(in) != 0)
		tolerate(k, l->next, "chunk: its padding is not zero");
	l->next++;
}

/* False at the end, or where open() has told that it does not go on. */
static bool
chunk_next(struct walk *k, struct list *l, struct chunk *c)
{
	struct isn_reader *in = &k->d->in;

	if (l->end - l->next < CHUNK_HEADER) {
		if (l->end > l->next)
			tolerate(k, l->next, "chunk: too little left for one");
		return false;
	}
	isn_seek(in, l->next);
	c->at = l->next;
	c->data = c->at + CHUNK_HEADER;
	c->tag = isn_u32be(in);
	c->size = isn_u32le(in);
	if (in->overrun || c->size > l->end - c->data)
		return false;
	l->next = c->data + c->size;
	if (c->size % 2 != 0)
		padding_check(k, l);
	isn_seek(in, c->data);
	return true;
}

/* ---- Pictures ------------------------------------------------------------ */

static void
alpha_check(struct walk *k, const struct chunk *c, struct picture *p)
{
	if (p->data)
		tolerate(k, c->at, "ALPH: comes behind its picture");
	else if (p->alpha)
		tolerate(k, c->at, "ALPH: there is more than one");
	p->alpha = true;
	k->met |= FLAG_ALPHA;
	if (c->size > 0 && isn_u8(&k->d->in) >> 6 != 0)
		tolerate(k, c->data, "ALPH: reserved bits are set");
}

static void
picture_check(struct walk *k, const struct chunk *c, struct picture *p)
{
	if (c->tag == TAG_ALPH) {
		alpha_check(k, c, p);
		return;
	}
	if (p->data)
		tolerate(k, c->at, "chunk: there is a picture already");
	if (c->tag == TAG_VP8L) {
		if (p->alpha)
			tolerate(k, c->at, "VP8L: has its own alpha, not ALPH");
		isn_u8(&k->d->in);
		if (isn_u32le(&k->d->in) >> 28 & 1)
			k->met |= FLAG_ALPHA;
	}
	p->data = k->picture = true;
}

static bool
tag_is_picture(uint32_t tag)
{
	return tag == TAG_VP8 || tag == TAG_VP8L || tag == TAG_ALPH;
}

/* 2.7.1.1 */
static void
frame_check(struct walk *k, const struct chunk *frame)
{
	struct list l = { frame->data + ANMF_HEADER, frame->data + frame->size };
	struct picture p = { false, false };
	struct chunk c;

	if (frame->size < ANMF_HEADER)
		return;
	isn_skip(&k->d->in, ANMF_HEADER - 1);
	if (isn_u8(&k->d->in) >> 2 != 0)
		tolerate(k, frame->data + ANMF_HEADER - 1,
			 "ANMF: reserved bits are set");
	while (chunk_next(k, &l, &c))
		if (tag_is_picture(c.tag))
			picture_check(k, &c, &p);
}

/* ---- The file ------------------------------------------------------------ */

static void
kind_check(struct walk *k, const struct chunk *c, const struct kind *kind)
{
	const uint32_t bit = UINT32_C(1) << (kind - kinds);

	if (kind->rules & RULE_ONCE && k->kinds_met & bit)
		tolerate(k, c->at, kind->again);
	if (kind->rules & RULE_EARLY && k->picture)
		tolerate(k, c->at, kind->late);
	k->kinds_met |= bit;
	k->met |= kind->flag;
	if (k->extended && !(k->flags & kind->flag))
		tolerate(k, c->at, kind->unsaid);
}

static void
extended_check(struct walk *k, const struct chunk *c)
{
	k->extended = true;
	k->flags = isn_u8(&k->d->in);
	if (c->size != 10)
		tolerate(k, c->at + 4, "VP8X: its size is not 10");
	if (k->flags & FLAGS_RESERVED || isn_u24le(&k->d->in) != 0)
		tolerate(k, c->data, "VP8X: reserved bits are set");
}

static void
chunk_check(struct walk *k, const struct chunk *c, struct picture *p)
{
	if (!k->extended && k->picture)
		tolerate(k, c->at, "chunk: there is no VP8X to tell of it");
	if (c->tag == TAG_VP8X && !k->extended && !k->picture)
		extended_check(k, c);
	if (tag_is_picture(c->tag))
		picture_check(k, c, p);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].tag == c->tag)
			kind_check(k, c, &kinds[i]);
	if (c->tag == TAG_ANMF && k->w->animation)
		frame_check(k, c);
}

/* What VP8X tells of and is not there. Alpha that is not used is harmless. */
static void
flags_check(struct walk *k)
{
	const uint8_t flags = FLAG_ICC | FLAG_EXIF | FLAG_XMP | FLAG_ANIMATION;

	if (k->flags & ~k->met & flags)
		tolerate(k, RIFF_HEADER + CHUNK_HEADER,
			 "VP8X: tells of chunks that are not there");
	if (k->extended && k->met & ~k->flags & FLAG_ALPHA)
		tolerate(k, RIFF_HEADER + CHUNK_HEADER,
			 "VP8X: does not tell of alpha");
}

/* Is the file as long as its header says? */
static enum imgsniff_status
length_check(struct walk *k)
{
	struct isn_reader *in = &k->d->in;

	isn_reader_restart(in, k->w->end - 1);
	isn_u8(in);
	if (in->overrun)
		return isn_fail_overrun(k->d, "RIFF: the file ends inside it");
	k->d->check->end = k->w->end;
	return IMGSNIFF_OK;
}

enum imgsniff_status
isn_webp_check(struct imgsniff_decoder *d)
{
	struct walk k = { .d = d, .w = d->state };
	struct list l = { RIFF_HEADER, k.w->end };
	struct picture p = { false, false };
	struct chunk c;

	if (!d->can_decode)
		return IMGSNIFF_OK;	/* no picture: open() has told it */
	isn_reader_restart(&d->in, RIFF_HEADER);
	while (chunk_next(&k, &l, &c))
		chunk_check(&k, &c, &p);
	if (!d->in.overrun)
		flags_check(&k);
	return isn_fault_from_error(d, length_check(&k));
}
