/*
 * check.c - a GIF's blocks to the trailer: what is odd but takes no pixel away
 *
 * Decoding finds codes that are missing or stand for nothing; a frame whose
 * pixels are all there it is content with. Here the codes are counted, not
 * decoded: what comes behind the last pixel, and what the descriptors say, can
 * still be wrong (GIF89a; the numbers are its sections).
 */

#include "codec/gif/gif.h"
#include "codec/gif/lzw.h"

#define CODES		4096
#define CODE_BITS_MAX	12
#define CODE_SIZE_USUAL	8		/* 22: bits of a pixel, at least 2 */

struct walk {
	struct imgsniff_decoder *d;
	const struct isn_gif *s;
	unsigned int transparent;	/* of the next image */
	bool strays;			/* have been told of */
};

/* The codes of a frame, out of their sub-blocks, and how long their strings are. */
struct codes {
	struct isn_reader *in;
	size_t block;			/* bytes left of the sub-block */
	bool ended;			/* there are no more of them */
	uint32_t held;
	unsigned int count;		/* bits in 'held' */
	unsigned int code_size;
	unsigned int width;		/* of a code, in bits */
	unsigned int next;		/* the entry to be made next */
	uint32_t last;			/* pixels of the code before, or 0 */
	uint16_t length[CODES];
};

static void
tolerate(struct walk *w, uint64_t offset, const char *message)
{
	isn_fault(w->d, IMGSNIFF_OK, offset, message);
}

/* ---- Codes (Appendix F) -------------------------------------------------- */

static bool
byte_take(struct codes *c, uint8_t *byte)
{
	if (c->block == 0 && !c->ended)
		c->block = isn_u8(c->in);
	if (c->block == 0) {
		c->ended = true;
		return false;
	}
	c->block--;
	*byte = isn_u8(c->in);
	return !c->in->overrun;
}

static bool
code_take(struct codes *c, unsigned int *code)
{
	uint8_t byte;

	for (; c->count < c->width; c->count += 8) {
		if (!byte_take(c, &byte))
			return false;
		c->held |= (uint32_t)byte << c->count;
	}
	*code = c->held & ((1u << c->width) - 1);
	c->held >>= c->width;
	c->count -= c->width;
	return true;
}

static void
codes_clear(struct codes *c)
{
	c->width = c->code_size + 1;
	c->next = (1u << c->code_size) + 2;
	c->last = 0;
}

/* How many pixels 'code' stands for; 0: it cannot be, or is none of pixels. */
static uint32_t
code_pixels(struct codes *c, unsigned int code)
{
	uint32_t pixels;

	if (c->last != 0 && c->next < CODES)
		c->length[c->next++] = (uint16_t)(c->last + 1);
	if (c->next == 1u << c->width && c->width < CODE_BITS_MAX)
		c->width++;
	if (code >= c->next)
		return 0;
	pixels = code < 1u << c->code_size ? 1 : c->length[code];
	c->last = pixels;
	return pixels;
}

/* What a frame's codes are made of. */
struct tally {
	uint64_t pixels;
	unsigned int index_max;		/* but for the transparent one */
	bool end;			/* the end code was met */
	bool more;			/* than 'room' pixels, or than the end */
	bool broken;			/* decoding tells why */
};

static void
codes_count(struct codes *c, uint64_t room, unsigned int transparent,
	    struct tally *t)
{
	const unsigned int clear = 1u << c->code_size;
	unsigned int code;

	for (;;) {
		/* What is left of a byte then may be no code, but padding. */
		bool padded = t->pixels >= room && c->count >= c->width;
		uint32_t pixels;

		if (!code_take(c, &code))
			break;
		if (code == clear) {
			codes_clear(c);
			continue;
		}
		if (code == clear + 1) {
			t->end = true;
			break;
		}
		if (t->pixels >= room) {
			t->more = !padded;
			break;
		}
		if (code < clear && code != transparent &&
		    code > t->index_max)
			t->index_max = code;
		pixels = code_pixels(c, code);
		t->broken = pixels == 0;
		if (t->broken)
			break;
		t->pixels += pixels;
	}
	t->more |= t->pixels > room;
}

/* To the end of the sub-blocks; is there another byte in them? */
static bool
codes_finish(struct codes *c)
{
	bool more = c->block > 0;

	if (c->ended)
		return false;
	isn_bytes(c->in, c->block);
	while (!c->in->overrun && (c->block = isn_u8(c->in)) != 0) {
		isn_bytes(c->in, c->block);
		more = true;
	}
	return more;
}

/* ---- Images -------------------------------------------------------------- */

/* 'in' stands at the LZW code size. */
static void
data_check(struct walk *w, uint64_t room, unsigned int colors)
{
	struct isn_reader *in = &w->d->in;
	uint64_t at = isn_tell(in);
	struct tally t = { 0 };
	struct codes c = { .in = in, .code_size = isn_u8(in) };

	if (c.code_size == 0 || c.code_size > ISN_LZW_CODE_SIZE_MAX) {
		codes_finish(&c);
		return;
	}
	if (c.code_size == 1 || c.code_size > CODE_SIZE_USUAL)
		tolerate(w, at, "image data: LZW code size is not 2 to 8");
	codes_clear(&c);
	codes_count(&c, room, w->transparent, &t);
	t.more |= codes_finish(&c);
	if (t.broken || t.pixels < room || in->overrun)
		return;
	if (t.more)
		tolerate(w, at, "image data: more than the frame has use for");
	else if (!t.end)
		tolerate(w, at, "image data: the end code is missing");
	if (colors != 0 && t.index_max >= colors)
		tolerate(w, at, "image data: an index past the colours");
}

static bool
is_inside(const struct walk *w, uint32_t x, uint32_t y, uint32_t width,
	  uint32_t height)
{
	return x + width <= w->d->info.width && y + height <= w->d->info.height;
}

/* 20 */
static void
image_check(struct walk *w, uint64_t at)
{
	struct isn_reader *in = &w->d->in;
	uint32_t x = isn_u16le(in), y = isn_u16le(in);
	uint32_t width = isn_u16le(in), height = isn_u16le(in);
	uint8_t flags = isn_u8(in);
	unsigned int colors = isn_gif_palette_size(flags);

	if (!is_inside(w, x, y, width, height))
		tolerate(w, at, "image descriptor: not inside the logical "
				"screen");
	isn_bytes(in, 3u * colors);
	if (colors == 0)
		colors = w->s->palette_size;
	if (colors == 0)
		tolerate(w, at + 9, "image descriptor: there are no colours "
				    "for it");
	data_check(w, (uint64_t)width * height, colors);
	w->transparent = ISN_GIF_NO_INDEX;
}

/* ---- Blocks -------------------------------------------------------------- */

static const struct {
	uint8_t label, size;
	const char *message;
} extensions[] = {
	{ ISN_GIF_CONTROL, 4, "graphic control: its size is not 4" },
	{ ISN_GIF_APPLICATION, 11, "application extension: its size is not 11" },
	{ ISN_GIF_TEXT, 12, "plain text: its size is not 12" },
};

/* 23 to 26 */
static void
extension_check(struct walk *w)
{
	struct isn_reader *in = &w->d->in;
	uint8_t label = isn_u8(in);
	struct codes rest = { .in = in };
	uint64_t at = isn_tell(in);
	const uint8_t *p;
	size_t size = isn_u8(in);

	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
		if (extensions[i].label == label && extensions[i].size != size)
			tolerate(w, at, extensions[i].message);
	p = isn_bytes(in, size);
	if (label == ISN_GIF_CONTROL && p != NULL && size >= 4)
		w->transparent = p[0] & 1 ? p[3] : ISN_GIF_NO_INDEX;
	if (size != 0)
		codes_finish(&rest);
}

/* False: nothing more is to be understood. */
static bool
block_check(struct walk *w)
{
	struct isn_reader *in = &w->d->in;
	uint64_t at = isn_tell(in);

	if (!(w->d->flags & IMGSNIFF_PARTIAL) && isn_at_end(in)) {
		tolerate(w, at, "trailer: it is missing");
		w->d->check->end = at;
		return false;
	}
	switch (isn_u8(in)) {
	case ISN_GIF_STRAY:
		if (!w->strays)
			tolerate(w, at, "block: zeros between blocks");
		w->strays = true;
		break;
	case ISN_GIF_EXTENSION:
		extension_check(w);
		break;
	case ISN_GIF_IMAGE:
		image_check(w, at);
		break;
	case ISN_GIF_TRAILER:
		w->d->check->end = at + 1;
		return false;
	default:
		return false;		/* open() has told it */
	}
	return !in->overrun;
}

enum imgsniff_status
isn_gif_check(struct imgsniff_decoder *d)
{
	struct walk w = {
		.d = d, .s = d->state, .transparent = ISN_GIF_NO_INDEX,
	};
	enum imgsniff_status st;

	if (!d->can_decode)
		return IMGSNIFF_OK;	/* no frame: open() has told it */
	if (w.s->stored_width == 0 || w.s->stored_height == 0)
		tolerate(&w, 6, "logical screen: its size is zero");
	isn_reader_restart(&d->in, 13 + 3u * w.s->palette_size);
	while (block_check(&w))
		;
	if (!d->in.overrun)
		return IMGSNIFF_OK;
	/* Where the image is cut, open() has told it. */
	st = isn_fail_overrun(d, "block: the file ends inside it");
	return st == IMGSNIFF_ERR_TRUNCATED ? IMGSNIFF_OK : st;
}
