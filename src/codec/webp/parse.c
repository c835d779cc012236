/*
 * parse.c - the structure of a WebP
 *
 * All of it is little-endian (WebP Container Specification, RFC 9649).
 *
 *	0	"RIFF"
 *	4	size of what follows
 *	8	"WEBP"
 *	12	chunks
 *
 * A chunk:
 *
 *	0	four characters
 *	4	size of the data
 *	8	data, and a byte of padding if their size is odd
 *
 * The first chunk tells what the file is: "VP8 " and "VP8L" are the whole
 * picture; "VP8X" announces more:
 *
 *	VP8X	0 flags, 1 reserved (3), 4 canvas width - 1 (3), 7 height - 1 (3)
 *	ICCP	colour profile
 *	ANIM	0 background colour (4), 4 loop count (2)
 *	ANMF	a frame:
 *		0 x / 2 (3), 3 y / 2 (3), 6 width - 1 (3), 9 height - 1 (3),
 *		12 duration in ms (3), 15 flags, 16 chunks: ALPH, VP8 or VP8L
 *	ALPH	the alpha plane of the "VP8 " that follows
 *	EXIF, "XMP "	metadata
 */

#include <string.h>

#include "codec/codecs.h"
#include "codec/webp/webp.h"
#include "meta/exif.h"

#define FOURCC(a, b, c, d) \
	((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | \
	 (uint32_t)(d))

enum {
	CHUNK_HEADER = 8,
	RIFF_HEADER = 12,
	VP8X_SIZE = 10,
	ANIM_SIZE = 6,
	ANMF_SIZE = 16,
};

/* RFC 9649, 2.7 and 2.7.1.1 */
enum {
	VP8X_ANIMATION = 0x02,
	VP8X_ALPHA = 0x10,
	ANMF_DISPOSE = 0x01,
	ANMF_NO_BLEND = 0x02,
};

enum chunk_kind {
	CHUNK_UNKNOWN,
	CHUNK_VP8,
	CHUNK_VP8L,
	CHUNK_VP8X,
	CHUNK_ALPH,
	CHUNK_ANIM,
	CHUNK_ANMF,
	CHUNK_ICCP,
	CHUNK_EXIF,
	CHUNK_XMP,
};

static const struct {
	uint32_t tag;
	const char *cut;		/* what to say if the file ends inside */
} kinds[] = {
	[CHUNK_UNKNOWN] = { 0, "chunk: the file ends inside it" },
	[CHUNK_VP8] = { FOURCC('V', 'P', '8', ' '),
			"VP8: the file ends inside it" },
	[CHUNK_VP8L] = { FOURCC('V', 'P', '8', 'L'),
			 "VP8L: the file ends inside it" },
	[CHUNK_VP8X] = { FOURCC('V', 'P', '8', 'X'),
			 "VP8X: the file ends inside it" },
	[CHUNK_ALPH] = { FOURCC('A', 'L', 'P', 'H'),
			 "ALPH: the file ends inside it" },
	[CHUNK_ANIM] = { FOURCC('A', 'N', 'I', 'M'),
			 "ANIM: the file ends inside it" },
	[CHUNK_ANMF] = { FOURCC('A', 'N', 'M', 'F'),
			 "ANMF: the file ends inside it" },
	[CHUNK_ICCP] = { FOURCC('I', 'C', 'C', 'P'),
			 "ICCP: the file ends inside it" },
	[CHUNK_EXIF] = { FOURCC('E', 'X', 'I', 'F'),
			 "EXIF: the file ends inside it" },
	[CHUNK_XMP] = { FOURCC('X', 'M', 'P', ' '),
			"XMP: the file ends inside it" },
};

struct chunk {
	enum chunk_kind kind;
	uint64_t at;			/* of its header */
	uint64_t data;
	uint64_t size;
	uint64_t next;			/* past the padding */
};

static enum chunk_kind
chunk_kind(uint32_t tag)
{
	for (unsigned int i = 1; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].tag == tag)
			return (enum chunk_kind)i;
	return CHUNK_UNKNOWN;
}

static enum imgsniff_status
chunk_fail(struct imgsniff_decoder *d, uint64_t at, const char *message)
{
	return isn_fail(d, IMGSNIFF_ERR_CORRUPT, at, message);
}

static enum imgsniff_status
chunk_fail_cut(struct imgsniff_decoder *d, const struct chunk *c)
{
	return isn_fail_overrun(d, kinds[c->kind].cut);
}

/*
 * The header of the chunk at 'at', in a container that ends at 'end': OK, END
 * or an error. A rest too short for a header is let pass.
 */
static enum imgsniff_status
chunk_read(struct imgsniff_decoder *d, uint64_t at, uint64_t end,
	   struct chunk *c)
{
	if (end - at < CHUNK_HEADER)
		return IMGSNIFF_END;
	isn_seek(&d->in, at);
	c->kind = chunk_kind(isn_u32be(&d->in));
	c->size = isn_u32le(&d->in);
	c->at = at;
	c->data = at + CHUNK_HEADER;
	if (d->in.overrun)
		return isn_fail_overrun(d, "RIFF: the file ends inside it");
	if (c->size > end - c->data)
		return chunk_fail(d, at + 4,
				  "chunk: longer than what it is part of");
	/* The last padding of a container is forgotten by some writers. */
	c->next = c->data + c->size;
	if (c->size % 2 != 0 && c->next < end)
		c->next++;
	return IMGSNIFF_OK;
}

/* Is all of the chunk there? Leaves the next header at hand. */
static enum imgsniff_status
chunk_finish(struct imgsniff_decoder *d, const struct chunk *c)
{
	if (c->size == 0)
		return IMGSNIFF_OK;
	isn_seek(&d->in, c->data + c->size - 1);
	isn_u8(&d->in);
	return d->in.overrun ? chunk_fail_cut(d, c) : IMGSNIFF_OK;
}

/* ---- Pictures ------------------------------------------------------------ */

/*
 * RFC 6386, 9.1, the frame header of a key frame:
 *
 *	0	bit 0 not a key frame, 1-3 version, 4 shown, 5-23 size of the
 *		first partition
 *	3	9D 01 2A
 *	6	width, in 14 bits; the other two ask for upscaling
 *	8	height, likewise
 */
static enum imgsniff_status
vp8_read(struct imgsniff_decoder *d, const struct chunk *c,
	 struct isn_webp_image *image)
{
	uint32_t bits, code;

	if (c->size < 10)
		return chunk_fail(d, c->at + 4, "VP8: shorter than its header");
	bits = isn_u24le(&d->in);
	code = isn_u24le(&d->in);
	image->width = isn_u16le(&d->in) & 0x3fff;
	image->height = isn_u16le(&d->in) & 0x3fff;
	if (d->in.overrun)
		return chunk_fail_cut(d, c);
	if (bits & 1)
		return chunk_fail(d, c->data, "VP8: not a key frame");
	if ((bits >> 1 & 7) > 3)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, c->data,
				"VP8: unknown version");
	if (!(bits >> 4 & 1))
		return chunk_fail(d, c->data, "VP8: the frame is not shown");
	if (code != 0x2a019d)
		return chunk_fail(d, c->data + 3, "VP8: no start code");
	if (image->width == 0)
		return chunk_fail(d, c->data + 6, "VP8: width is zero");
	if (image->height == 0)
		return chunk_fail(d, c->data + 8, "VP8: height is zero");
	if (bits >> 5 >= c->size)
		return chunk_fail(d, c->data,
				  "VP8: first partition longer than the chunk");
	return IMGSNIFF_OK;
}

/*
 * RFC 9649, 3.4: 2F, then in bits from the lowest on: width - 1 (14),
 * height - 1 (14), alpha is used (1), version (3).
 */
static enum imgsniff_status
vp8l_read(struct imgsniff_decoder *d, const struct chunk *c,
	  struct isn_webp_image *image)
{
	uint32_t bits;
	uint8_t signature;

	if (c->size < 5)
		return chunk_fail(d, c->at + 4, "VP8L: shorter than its header");
	signature = isn_u8(&d->in);
	bits = isn_u32le(&d->in);
	if (d->in.overrun)
		return chunk_fail_cut(d, c);
	if (signature != 0x2f)
		return chunk_fail(d, c->data, "VP8L: no signature");
	if (bits >> 29 != 0)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, c->data + 4,
				"VP8L: unknown version");
	image->width = (bits & 0x3fff) + 1;
	image->height = (bits >> 14 & 0x3fff) + 1;
	image->alpha = bits >> 28 & 1;
	image->lossless = true;
	/* An ALPH before it has no meaning (RFC 9649, 2.7.1.2). */
	image->start = c->at;
	return IMGSNIFF_OK;
}

/* Takes in ALPH, VP8 and VP8L; has the picture once image->end is set. */
static enum imgsniff_status
image_read(struct imgsniff_decoder *d, const struct chunk *c,
	   struct isn_webp_image *image)
{
	enum imgsniff_status st;

	if (image->end != 0)
		return IMGSNIFF_OK;	/* one more is to be ignored */
	if (c->kind == CHUNK_ALPH) {
		if (!image->alpha)
			image->start = c->at;
		image->alpha = true;
		return IMGSNIFF_OK;
	}
	if (!image->alpha)
		image->start = c->at;
	image->chunk = c->at;
	st = c->kind == CHUNK_VP8 ? vp8_read(d, c, image)
				  : vp8l_read(d, c, image);
	if (st == IMGSNIFF_OK)
		image->end = c->data + c->size;
	return st;
}

static void
info_add_image(struct imgsniff_decoder *d, const struct isn_webp_image *image)
{
	enum imgsniff_compression compression =
		image->lossless ? IMGSNIFF_LOSSLESS : IMGSNIFF_LOSSY;

	if (d->info.compression == 0)
		d->info.compression = compression;
	else if (d->info.compression != compression)
		d->info.compression = IMGSNIFF_MIXED;
}

/* What a still picture's own chunk says; VP8X has said the rest. */
static enum imgsniff_status
still_found(struct imgsniff_decoder *d, const struct chunk *c)
{
	struct isn_webp *w = d->state;
	const struct isn_webp_image *image = &w->frame.image;

	if (!w->extended) {
		d->info.width = image->width;
		d->info.height = image->height;
	}
	info_add_image(d, image);
	if (image->lossless)
		d->info.has_alpha = image->alpha;
	else
		d->info.has_alpha |= image->alpha;
	if (image->width != d->info.width || image->height != d->info.height)
		return chunk_fail(d, c->data + (image->lossless ? 1 : 6),
				  "VP8X: the picture is not of the canvas' size");
	w->frame.shown.width = image->width;
	w->frame.shown.height = image->height;
	d->frame = w->frame.shown;
	d->info.frames = 1;
	d->can_decode = true;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
still_read(struct imgsniff_decoder *d, const struct chunk *c)
{
	struct isn_webp *w = d->state;
	bool had = w->frame.image.end != 0;
	enum imgsniff_status st;

	if (w->animation)
		return chunk_fail(d, c->at,
				  "ANMF: a picture outside of the frames");
	st = image_read(d, c, &w->frame.image);
	if (st == IMGSNIFF_OK && !had && w->frame.image.end != 0)
		st = still_found(d, c);
	return st;
}

/* ---- Animations ---------------------------------------------------------- */

static bool
frame_is_full(const struct imgsniff_decoder *d,
	      const struct isn_webp_frame *frame)
{
	return frame->shown.width == d->info.width &&
	       frame->shown.height == d->info.height;
}

/*
 * Sets what depends on the frame before, NULL for the first. That the canvas is
 * blank is known only where one frame covered all that it had.
 */
static void
frame_link(const struct imgsniff_decoder *d, struct isn_webp_frame *frame,
	   const struct isn_webp_frame *previous)
{
	const bool blank = previous == NULL ||
			   (previous->dispose &&
			    (previous->key || frame_is_full(d, previous)));

	frame->shown.index = previous ? previous->shown.index + 1 : 0;
	frame->key = blank || (frame_is_full(d, frame) &&
			       (!frame->blend || !frame->image.alpha));
}

/* The chunks of a frame, up to its picture. */
static enum imgsniff_status
frame_read_image(struct imgsniff_decoder *d, const struct chunk *anmf,
		 struct isn_webp_image *image)
{
	uint64_t at = anmf->data + ANMF_SIZE;
	uint64_t end = anmf->data + anmf->size;
	enum imgsniff_status st;
	struct chunk c = { 0 };

	for (; image->end == 0; at = c.next) {
		st = chunk_read(d, at, end, &c);
		if (st == IMGSNIFF_END)
			return chunk_fail(d, anmf->at,
					  "ANMF: there is no picture in it");
		if (st == IMGSNIFF_OK && (c.kind == CHUNK_ALPH ||
					  c.kind == CHUNK_VP8 ||
					  c.kind == CHUNK_VP8L))
			st = image_read(d, &c, image);
		if (st != IMGSNIFF_OK)
			return st;
	}
	return IMGSNIFF_OK;
}

static enum imgsniff_status
frame_read(struct imgsniff_decoder *d, const struct chunk *c,
	   struct isn_webp_frame *frame)
{
	struct imgsniff_frame *shown = &frame->shown;
	enum imgsniff_status st;
	uint8_t flags;

	*frame = (struct isn_webp_frame){ .next = c->next };
	if (c->size < ANMF_SIZE)
		return chunk_fail(d, c->at + 4, "ANMF: shorter than its header");
	shown->x = isn_u24le(&d->in) * 2;
	shown->y = isn_u24le(&d->in) * 2;
	shown->width = isn_u24le(&d->in) + 1;
	shown->height = isn_u24le(&d->in) + 1;
	shown->duration_us = (uint64_t)isn_u24le(&d->in) * 1000;
	flags = isn_u8(&d->in);
	if (d->in.overrun)
		return chunk_fail_cut(d, c);
	frame->blend = !(flags & ANMF_NO_BLEND);
	frame->dispose = flags & ANMF_DISPOSE;
	if (shown->x >= d->info.width ||
	    shown->width > d->info.width - shown->x ||
	    shown->y >= d->info.height ||
	    shown->height > d->info.height - shown->y)
		return chunk_fail(d, c->data,
				  "ANMF: the frame is not inside the canvas");
	st = frame_read_image(d, c, &frame->image);
	if (st == IMGSNIFF_OK && (frame->image.width != shown->width ||
				  frame->image.height != shown->height))
		st = chunk_fail(d, c->data + 6,
				"ANMF: the picture is not of the frame's size");
	return st;
}

enum imgsniff_status
isn_webp_frame_next(struct imgsniff_decoder *d, struct isn_webp_frame *frame)
{
	const struct isn_webp *w = d->state;
	struct isn_webp_frame next;
	enum imgsniff_status st;
	struct chunk c = { .next = frame->next };

	isn_reader_restart(&d->in, frame->next);
	do {
		st = chunk_read(d, c.next, w->end, &c);
		if (st != IMGSNIFF_OK)
			return st;
	} while (c.kind != CHUNK_ANMF);
	st = frame_read(d, &c, &next);
	if (st != IMGSNIFF_OK)
		return st;
	frame_link(d, &next, frame);
	*frame = next;
	return IMGSNIFF_OK;
}

/* A frame met by open(). */
static enum imgsniff_status
anmf_read(struct imgsniff_decoder *d, const struct chunk *c)
{
	struct isn_webp *w = d->state;
	struct isn_webp_frame frame;
	enum imgsniff_status st;

	if (!w->animation)
		return IMGSNIFF_OK;	/* RFC 9649, 2.7: to be ignored */
	if (!w->has_anim)
		return chunk_fail(d, c->at, "ANMF: comes before ANIM");
	st = frame_read(d, c, &frame);
	if (st != IMGSNIFF_OK)
		return st;
	if (d->info.frames == 0) {
		frame_link(d, &frame, NULL);
		w->first = w->frame = w->key = frame;
		d->frame = frame.shown;
		d->can_decode = true;
	}
	info_add_image(d, &frame.image);
	d->info.frames++;
	d->info.duration_us += frame.shown.duration_us;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
anim_read(struct imgsniff_decoder *d, const struct chunk *c)
{
	struct isn_webp *w = d->state;

	if (!w->animation || w->has_anim)
		return IMGSNIFF_OK;
	if (c->size < ANIM_SIZE)
		return chunk_fail(d, c->at + 4, "ANIM: shorter than its fields");
	isn_skip(&d->in, 4);
	d->info.loop = isn_u16le(&d->in);
	if (d->in.overrun)
		return chunk_fail_cut(d, c);
	d->info.has_loop = true;
	d->info.plays = d->info.loop;
	w->has_anim = true;
	return IMGSNIFF_OK;
}

/* ---- The file ------------------------------------------------------------ */

static enum imgsniff_status
vp8x_read(struct imgsniff_decoder *d, const struct chunk *c)
{
	struct isn_webp *w = d->state;
	uint32_t width, height;
	uint8_t flags;

	if (c->size < VP8X_SIZE)
		return chunk_fail(d, c->at + 4, "VP8X: shorter than its fields");
	flags = isn_u8(&d->in);
	isn_skip(&d->in, 3);
	width = isn_u24le(&d->in) + 1;
	height = isn_u24le(&d->in) + 1;
	if (d->in.overrun)
		return chunk_fail_cut(d, c);
	d->info.width = width;
	d->info.height = height;
	d->info.has_alpha = flags & VP8X_ALPHA;
	w->extended = true;
	w->animation = flags & VP8X_ANIMATION;
	if ((uint64_t)width * height > UINT32_MAX)
		return chunk_fail(d, c->data + 4,
				  "VP8X: the canvas has 2^32 pixels or more");
	return IMGSNIFF_OK;
}

static enum imgsniff_status
metadata_read(struct imgsniff_decoder *d, const struct chunk *c,
	      enum imgsniff_metadata which, uint64_t *bytes)
{
	struct isn_webp *w = d->state;
	struct isn_webp_metadata *m = &w->metadata[which];
	const uint8_t *p;

	if (m->size != 0)
		return IMGSNIFF_OK;	/* the first counts */
	m->offset = c->data;
	m->size = c->size;
	if (which == IMGSNIFF_EXIF) {
		/* JPEG's signature does not belong here, but is often met. */
		if (m->size >= 6) {
			p = isn_bytes(&d->in, 6);
			if (p != NULL && memcmp(p, "Exif\0\0", 6) == 0) {
				m->offset += 6;
				m->size -= 6;
			}
		}
		d->info.orientation = isn_exif_orientation(&d->in, m->offset,
							   m->size);
		if (d->in.overrun)
			return chunk_fail_cut(d, c);
	}
	*bytes = m->size;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
chunk_take(struct imgsniff_decoder *d, const struct chunk *c)
{
	switch (c->kind) {
	case CHUNK_UNKNOWN:
		return IMGSNIFF_OK;
	case CHUNK_VP8X:
		return chunk_fail(d, c->at, "VP8X: a second one");
	case CHUNK_VP8:
	case CHUNK_VP8L:
	case CHUNK_ALPH:
		return still_read(d, c);
	case CHUNK_ANIM:
		return anim_read(d, c);
	case CHUNK_ANMF:
		return anmf_read(d, c);
	case CHUNK_ICCP:
		return metadata_read(d, c, IMGSNIFF_ICC, &d->info.icc_bytes);
	case CHUNK_EXIF:
		return metadata_read(d, c, IMGSNIFF_EXIF, &d->info.exif_bytes);
	case CHUNK_XMP:
		return metadata_read(d, c, IMGSNIFF_XMP, &d->info.xmp_bytes);
	}
	return IMGSNIFF_OK;
}

/* The first chunk has to be one of three. */
static enum imgsniff_status
first_take(struct imgsniff_decoder *d, const struct chunk *c)
{
	if (c->kind == CHUNK_VP8X)
		return vp8x_read(d, c);
	if (c->kind == CHUNK_VP8 || c->kind == CHUNK_VP8L)
		return still_read(d, c);
	return chunk_fail(d, c->at,
			  "RIFF: the first chunk is not VP8, VP8L or VP8X");
}

static enum imgsniff_status
riff_read(struct imgsniff_decoder *d)
{
	struct isn_webp *w = d->state;
	uint32_t size;

	isn_skip(&d->in, 4);
	size = isn_u32le(&d->in);
	isn_skip(&d->in, 4);
	if (d->in.overrun)
		return isn_fail_overrun(d, "RIFF: the file ends inside it");
	if (size < 4 + CHUNK_HEADER)
		return chunk_fail(d, 4, "RIFF: too small for a chunk");
	w->end = CHUNK_HEADER + (uint64_t)size;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
chunks_walk(struct imgsniff_decoder *d)
{
	struct isn_webp *w = d->state;
	struct chunk c = { .next = RIFF_HEADER };
	enum imgsniff_status st;

	for (bool first = true;; first = false) {
		st = chunk_read(d, c.next, w->end, &c);
		if (st == IMGSNIFF_OK)
			st = first ? first_take(d, &c) : chunk_take(d, &c);
		if (st == IMGSNIFF_OK && d->can_decode &&
		    d->flags & IMGSNIFF_HEAD) {
			if (w->animation)
				d->info.frames = 0;
			return st;
		}
		if (st == IMGSNIFF_OK)
			st = chunk_finish(d, &c);
		if (st != IMGSNIFF_OK)
			return st;
	}
}

static enum imgsniff_status
webp_open(struct imgsniff_decoder *d)
{
	enum imgsniff_status st;

	d->info.bit_depth = 8;
	d->info.plays = 1;
	st = riff_read(d);
	if (st == IMGSNIFF_OK)
		st = chunks_walk(d);
	if (st == IMGSNIFF_END)
		st = d->can_decode ? IMGSNIFF_OK
				   : chunk_fail(d, RIFF_HEADER,
						"RIFF: there is no picture in it");
	d->info.best = d->info.has_alpha ? IMGSNIFF_RGBA8 : IMGSNIFF_RGB8;
	d->info.color = d->info.compression == IMGSNIFF_LOSSY
				? IMGSNIFF_COLOR_YCBCR
			: d->info.has_alpha ? IMGSNIFF_COLOR_RGBA
					    : IMGSNIFF_COLOR_RGB;
	return st;
}

static enum imgsniff_status
webp_next(struct imgsniff_decoder *d)
{
	struct isn_webp *w = d->state;
	enum imgsniff_status st;

	if (!w->animation || !d->can_decode)
		return IMGSNIFF_END;
	st = isn_webp_frame_next(d, &w->frame);
	if (st != IMGSNIFF_OK)
		return st;
	if (w->frame.key)
		w->key = w->frame;
	d->frame = w->frame.shown;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
webp_rewind(struct imgsniff_decoder *d)
{
	struct isn_webp *w = d->state;

	if (!w->animation || !d->can_decode)
		return IMGSNIFF_OK;
	w->frame = w->key = w->first;
	d->frame = w->frame.shown;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
webp_metadata(struct imgsniff_decoder *d, enum imgsniff_metadata which,
	      struct imgsniff_view *view)
{
	struct isn_webp *w = d->state;
	struct isn_webp_metadata *m = &w->metadata[which];
	enum imgsniff_status st;
	uint8_t *copy;

	if (m->size == 0)
		return IMGSNIFF_OK;
	if (m->size > d->limits.max_metadata)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, m->offset,
				"metadata: larger than max-metadata allows");
	if (m->view.data == NULL) {
		struct imgsniff_view bytes;

		st = isn_view(d, m->offset, (size_t)m->size, &bytes);
		if (st != IMGSNIFF_OK)
			return st;
		if (bytes.size < m->size)
			return isn_fail(d, IMGSNIFF_ERR_TRUNCATED,
					m->offset + bytes.size,
					"metadata: the file ends inside it");
		if (d->input.memory.data == NULL) {
			copy = isn_arena_alloc(&d->arena, bytes.size);
			if (copy == NULL)
				return isn_fail_memory(d, "metadata: no memory "
							  "left");
			memcpy(copy, bytes.data, bytes.size);
			bytes.data = copy;
		}
		m->view = bytes;
	}
	*view = m->view;
	return IMGSNIFF_OK;
}

static const struct isn_backend backends[] = {
	{ "libwebp", isn_webp_decode, NULL },
	{ NULL, NULL, NULL },
};

const struct isn_codec isn_codec_webp = {
	.info = {
		.format = IMGSNIFF_FORMAT_WEBP, .name = "webp", .title = "WebP",
		.mime = "image/webp", .extensions = "webp",
		.can_decode = true, .can_animate = true,
	},
	.backends = backends,
	.scales = isn_webp_scales,
	.state_size = sizeof(struct isn_webp),
	.open = webp_open,
	.next = webp_next,
	.rewind = webp_rewind,
	.metadata = webp_metadata,
	.check = isn_webp_check,
};
