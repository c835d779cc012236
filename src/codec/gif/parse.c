/*
 * parse.c - the structure of a GIF
 *
 *	"GIF87a" or "GIF89a"					17
 *	logical screen: width:2 height:2 flags:1 background:1 aspect:1	18
 *	[global colour table: 3 * 2^(1 + flags & 7)]		19
 *	blocks, each one of
 *		2C  left:2 top:2 width:2 height:2 flags:1	20
 *		    [local colour table]			21
 *		    LZW code size:1 sub-blocks			22
 *		21  label:1 sub-blocks, the label being
 *		    F9  04 flags:1 delay:2 transparent:1	23, of the next image
 *		    FF  0B identifier:8 authentication:3 ...	26
 *		    others, which are skipped			24, 25
 *		00  nothing: strays are met between blocks
 *		3B  the end					27
 *
 * The numbers on the right are sections of GIF89a. Integers are little-endian.
 * Sub-blocks (15) are a size and as many bytes each; one of size 0 ends them.
 */

#include <string.h>

#include "codec/codecs.h"
#include "codec/gif/gif.h"

enum screen_flags { SCREEN_PALETTE = 0x80, SCREEN_PALETTE_SIZE = 0x07 };
enum image_flags { IMAGE_PALETTE = 0x80, IMAGE_INTERLACED = 0x40 };
enum control_flags { CONTROL_TRANSPARENT = 0x01 };

enum application { OTHER, LOOP, ICC, XMP };

#define APPLICATION_SIZE	11

/*
 * XMP is not cut into sub-blocks. 01 FF FE ... 01 00 00 follows it: whichever of
 * its bytes a reader takes for a size leads to the last one. (XMP, part 3, 1.1.2)
 */
#define XMP_TRAILER		258

static enum application
application_find(const uint8_t *identifier)
{
	static const struct {
		char identifier[APPLICATION_SIZE + 1];
		enum application application;
	} rows[] = {
		{ "NETSCAPE2.0", LOOP }, { "ANIMEXTS1.0", LOOP },
		{ "ICCRGBG1012", ICC }, { "XMP DataXMP", XMP },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (memcmp(identifier, rows[i].identifier,
			   APPLICATION_SIZE) == 0)
			return rows[i].application;
	return OTHER;
}

/*
 * Skips those that are as long as the one before. Most are: comparing with a
 * length that is known, no sub-block waits for the one before to be read.
 */
static uint64_t
subblocks_skip_alike(struct isn_reader *in, size_t size)
{
	uint64_t total = 0;

	while ((size_t)(in->end - in->next) > size && *in->next == size) {
		in->next += size + 1;
		total += size;
	}
	return total;
}

/* To the end of the sub-blocks; returns how many bytes are in them. */
static uint64_t
subblocks_skip(struct isn_reader *in)
{
	uint64_t total = 0;
	size_t size;

	/* Asked for, not seeked over, so that a file is read in large steps. */
	while ((size = isn_u8(in)) != 0 && isn_bytes(in, size) != NULL)
		total += size + subblocks_skip_alike(in, size);
	return total;
}

size_t
isn_gif_gather(uint8_t *to, struct imgsniff_view from)
{
	const uint8_t *p = from.data, *end = from.data + from.size;
	size_t total = 0;

	while (p < end && *p != 0) {
		size_t size = *p++;

		if (size > (size_t)(end - p))
			size = (size_t)(end - p);
		memcpy(to + total, p, size);
		total += size;
		p += size;
		/* Those as long as this one, as above. */
		for (; (size_t)(end - p) > size && *p == size; p += size + 1) {
			memcpy(to + total, p + 1, size);
			total += size;
		}
	}
	return total;
}

/* The first sub-block says how often to show it again: 01 times:2. */
static void
loop_read(struct imgsniff_decoder *d)
{
	size_t size = isn_u8(&d->in);
	const uint8_t *p = isn_bytes(&d->in, size);

	if (p != NULL && size >= 3 && (p[0] & 7) == 1 &&
	    !((struct isn_gif *)d->state)->opened) {
		d->info.has_loop = true;
		d->info.loop = isn_load_u16le(p + 1);
	}
	if (size != 0)
		subblocks_skip(&d->in);
}

/* Does the trailer of bare XMP end at 'end'? */
static bool
xmp_is_bare(struct imgsniff_decoder *d, const struct isn_gif_chunk *chunk)
{
	const uint8_t *p;
	bool bare;

	if (chunk->end - chunk->start < XMP_TRAILER)
		return false;
	isn_seek(&d->in, chunk->end - XMP_TRAILER);
	p = isn_bytes(&d->in, XMP_TRAILER);
	bare = p != NULL && p[0] == 1 && p[XMP_TRAILER - 1] == 0;
	for (unsigned int i = 1; bare && i <= 256; i++)
		bare = p[i] == 256 - i;
	isn_seek(&d->in, chunk->end);
	return bare;
}

/* The first of its kind counts. */
static void
chunk_read(struct imgsniff_decoder *d, struct isn_gif_chunk *chunk, bool is_xmp)
{
	struct isn_gif_chunk c = { .start = isn_tell(&d->in) };

	c.size = subblocks_skip(&d->in);
	c.end = isn_tell(&d->in);
	if (chunk->start != 0 || d->in.overrun ||
	    ((struct isn_gif *)d->state)->opened)
		return;
	if (is_xmp && xmp_is_bare(d, &c)) {
		c.bare = true;
		c.size = c.end - c.start - XMP_TRAILER;
	}
	*chunk = c;
}

static void
application_read(struct imgsniff_decoder *d)
{
	struct isn_gif *s = d->state;
	size_t size = isn_u8(&d->in);
	const uint8_t *p = isn_bytes(&d->in, size);
	enum application application = OTHER;

	if (p == NULL || size == 0)
		return;
	if (size == APPLICATION_SIZE)
		application = application_find(p);
	switch (application) {
	case LOOP:
		loop_read(d);
		return;
	case ICC:
		chunk_read(d, &s->icc, false);
		return;
	case XMP:
		chunk_read(d, &s->xmp, true);
		return;
	case OTHER:
		subblocks_skip(&d->in);
		return;
	}
}

static enum isn_gif_disposal
disposal_of(unsigned int flags)
{
	static const enum isn_gif_disposal meanings[8] = {
		[2] = ISN_GIF_CLEAR, [3] = ISN_GIF_RESTORE,
		[4] = ISN_GIF_RESTORE,
	};

	return meanings[flags >> 2 & 7];
}

/* Of two before one image the last counts. */
static void
control_read(struct imgsniff_decoder *d, struct isn_gif_frame *f)
{
	size_t size = isn_u8(&d->in);
	const uint8_t *p = isn_bytes(&d->in, size);

	f->odd_control |= size != 4;
	if (p != NULL && size >= 4) {
		f->disposal = disposal_of(p[0]);
		f->delay = isn_load_u16le(p + 1);
		f->transparent = p[0] & CONTROL_TRANSPARENT ? p[3]
							    : ISN_GIF_NO_INDEX;
	}
	if (size != 0)
		subblocks_skip(&d->in);
}

static enum imgsniff_status
extension_read(struct imgsniff_decoder *d, struct isn_gif_frame *f)
{
	switch (isn_u8(&d->in)) {
	case ISN_GIF_CONTROL:
		control_read(d, f);
		break;
	case ISN_GIF_APPLICATION:
		application_read(d);
		break;
	default:
		subblocks_skip(&d->in);
		break;
	}
	if (d->in.overrun)
		return isn_fail_overrun(d, "extension: the file ends inside it");
	return IMGSNIFF_OK;
}

unsigned int
isn_gif_palette_size(unsigned int flags)
{
	return flags & SCREEN_PALETTE ? 2u << (flags & SCREEN_PALETTE_SIZE) : 0;
}

static bool
palette_is_colored(const uint8_t *p, unsigned int size)
{
	for (; size > 0; size--, p += 3)
		if (p[0] != p[1] || p[1] != p[2])
			return true;
	return false;
}

static enum imgsniff_status
descriptor_read(struct imgsniff_decoder *d, struct isn_gif_frame *f, uint64_t at)
{
	uint8_t flags;

	f->descriptor = at;
	f->rect.x = isn_u16le(&d->in);
	f->rect.y = isn_u16le(&d->in);
	f->rect.width = isn_u16le(&d->in);
	f->rect.height = isn_u16le(&d->in);
	flags = isn_u8(&d->in);
	if (d->in.overrun)
		return isn_fail_overrun(d, "image descriptor: "
					"the file ends inside it");
	f->interlaced = flags & IMAGE_INTERLACED;
	f->palette_size = (uint16_t)isn_gif_palette_size(flags);
	f->palette = isn_tell(&d->in);
	f->data = f->palette + 3u * f->palette_size;
	return IMGSNIFF_OK;
}

/* From a boundary of blocks to the next image. */
static enum imgsniff_status
frame_find(struct imgsniff_decoder *d, struct isn_gif_frame *f)
{
	struct isn_gif *s = d->state;

	for (;;) {
		uint64_t at = isn_tell(&d->in);
		enum imgsniff_status st = IMGSNIFF_OK;
		uint8_t type;

		if (isn_at_end(&d->in) && !(d->flags & IMGSNIFF_PARTIAL))
			return IMGSNIFF_END;
		type = isn_u8(&d->in);
		if (d->in.overrun)
			return isn_fail_overrun(d, "block: more are to come");
		switch (type) {
		case ISN_GIF_STRAY:
			break;
		case ISN_GIF_EXTENSION:
			st = extension_read(d, f);
			break;
		case ISN_GIF_IMAGE:
			return descriptor_read(d, f, at);
		case ISN_GIF_TRAILER:
			s->end = isn_tell(&d->in);
			return IMGSNIFF_END;
		default:
			return isn_fail(d, IMGSNIFF_ERR_CORRUPT, at,
					"block: of no known type");
		}
		if (st != IMGSNIFF_OK)
			return st;
	}
}

enum imgsniff_status
isn_gif_frame_measure(struct imgsniff_decoder *d, struct isn_gif_frame *f)
{
	if (f->end != 0)
		return IMGSNIFF_OK;
	isn_reader_restart(&d->in, f->palette);
	isn_bytes(&d->in, 3u * f->palette_size);
	if (d->in.overrun)
		return isn_fail_overrun(d, "local colour table: "
					"the file ends inside it");
	isn_u8(&d->in);			/* LZW code size */
	subblocks_skip(&d->in);
	if (d->in.overrun)
		return isn_fail_overrun(d, "image data: "
					"the file ends inside them");
	f->end = isn_tell(&d->in);
	return IMGSNIFF_OK;
}

enum imgsniff_status
isn_gif_frame_next(struct imgsniff_decoder *d, struct isn_gif_frame *f)
{
	struct isn_gif_frame next = {
		.index = f->index + 1, .transparent = ISN_GIF_NO_INDEX,
	};
	enum imgsniff_status st = isn_gif_frame_measure(d, f);

	if (st != IMGSNIFF_OK)
		return st;
	isn_reader_restart(&d->in, f->end);
	st = frame_find(d, &next);
	if (st == IMGSNIFF_OK)
		*f = next;
	return st;
}

static enum imgsniff_status
header_read(struct imgsniff_decoder *d)
{
	struct isn_gif *s = d->state;
	const uint8_t *colors;
	uint8_t flags;

	isn_skip(&d->in, 6);
	s->stored_width = isn_u16le(&d->in);
	s->stored_height = isn_u16le(&d->in);
	d->info.width = s->stored_width;
	d->info.height = s->stored_height;
	flags = isn_u8(&d->in);
	s->background = isn_u8(&d->in);
	isn_u8(&d->in);			/* aspect ratio: nobody heeds it */
	d->info.color = IMGSNIFF_COLOR_PALETTE;
	d->info.bit_depth = 8;
	d->info.compression = IMGSNIFF_LOSSLESS;
	d->info.best = IMGSNIFF_RGBA8;
	d->info.plays = 1;
	if (d->in.overrun)
		return isn_fail_overrun(d, "logical screen: "
					"the file ends inside it");
	s->palette_size = (uint16_t)isn_gif_palette_size(flags);
	colors = isn_bytes(&d->in, 3u * s->palette_size);
	if (colors == NULL)
		return isn_fail_overrun(d, "global colour table: "
					"the file ends inside it");
	memcpy(s->palette, colors, 3u * s->palette_size);
	return IMGSNIFF_OK;
}

static bool
frame_covers(const struct imgsniff_decoder *d, const struct isn_gif_frame *f)
{
	return f->rect.x == 0 && f->rect.y == 0 &&
	       f->rect.width >= d->info.width &&
	       f->rect.height >= d->info.height;
}

static void
colors_add(struct imgsniff_decoder *d, const struct isn_gif_frame *f)
{
	struct isn_gif *s = d->state;
	const uint8_t *colors = s->palette;
	unsigned int size = s->palette_size;

	if (f->palette_size != 0) {
		size = f->palette_size;
		colors = isn_bytes(&d->in, 3u * size);
	}
	if (colors != NULL && !s->colored)
		s->colored = palette_is_colored(colors, size);
}

/* What a frame adds to the facts of the image; d->in stands at its palette. */
static void
facts_add(struct imgsniff_decoder *d, const struct isn_gif_frame *f)
{
	struct isn_gif *s = d->state;

	d->info.has_alpha |= f->transparent != ISN_GIF_NO_INDEX;
	d->info.progressive |= f->interlaced;
	s->clears |= f->disposal == ISN_GIF_CLEAR;
	colors_add(d, f);
}

/* A frame counts once its descriptor is there. */
static void
frame_count(struct imgsniff_decoder *d, const struct isn_gif_frame *f)
{
	d->info.frames++;
	d->info.duration_us += f->delay * UINT64_C(10000);
	facts_add(d, f);
}

static struct isn_rect
rect_join(struct isn_rect a, struct isn_rect b)
{
	struct isn_rect r;

	if (a.width == 0)
		return b;
	if (b.width == 0)
		return a;
	r.x = a.x < b.x ? a.x : b.x;
	r.y = a.y < b.y ? a.y : b.y;
	r.width = (a.x + a.width > b.x + b.width ? a.x + a.width
						 : b.x + b.width) - r.x;
	r.height = (a.y + a.height > b.y + b.height ? a.y + a.height
						    : b.y + b.height) - r.y;
	return r;
}

/* What differs from 'before': the frame, and what was disposed of. */
static void
frame_describe(struct imgsniff_decoder *d, const struct isn_gif_frame *before,
	       const struct isn_gif_frame *f)
{
	struct isn_rect r = isn_rect_clip(f->rect, d->info.width,
					  d->info.height);

	if (before != NULL && before->disposal != ISN_GIF_KEEP)
		r = rect_join(r, isn_rect_clip(before->rect, d->info.width,
					       d->info.height));
	d->frame = (struct imgsniff_frame){
		.index = f->index,
		.x = r.x, .y = r.y, .width = r.width, .height = r.height,
		.duration_us = f->delay * UINT64_C(10000),
	};
}

/* A screen without a width or height takes that of its first image. */
static enum imgsniff_status
screen_complete(struct imgsniff_decoder *d, const struct isn_gif_frame *first)
{
	if (d->info.width == 0)
		d->info.width = first->rect.width;
	if (d->info.height == 0)
		d->info.height = first->rect.height;
	if (d->info.width == 0)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, 6,
				"logical screen: width is zero");
	if (d->info.height == 0)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, 8,
				"logical screen: height is zero");
	return IMGSNIFF_OK;
}

static enum imgsniff_status
first_read(struct imgsniff_decoder *d)
{
	struct isn_gif *s = d->state;
	struct isn_gif_frame *f = &s->first;
	enum imgsniff_status st;

	f->transparent = ISN_GIF_NO_INDEX;
	st = frame_find(d, f);
	if (st == IMGSNIFF_END)
		st = s->end != 0
		   ? isn_fail(d, IMGSNIFF_ERR_CORRUPT, s->end - 1,
			      "trailer: no image before it")
		   : isn_fail(d, IMGSNIFF_ERR_TRUNCATED, isn_tell(&d->in),
			      "block: the file ends before its first image");
	if (st != IMGSNIFF_OK)
		return st;
	frame_count(d, f);
	st = screen_complete(d, f);
	frame_describe(d, NULL, f);
	s->frame = *f;
	d->can_decode = st == IMGSNIFF_OK;
	return st;
}

/* The other frames: END after the last. */
static enum imgsniff_status
frames_walk(struct imgsniff_decoder *d)
{
	struct isn_gif *s = d->state;
	enum imgsniff_status st = isn_gif_frame_measure(d, &s->first);
	struct isn_gif_frame f = s->first;

	s->frame = s->first;
	while (st == IMGSNIFF_OK) {
		st = isn_gif_frame_next(d, &f);
		if (st == IMGSNIFF_OK)
			frame_count(d, &f);
	}
	return st;
}

static void
info_complete(struct imgsniff_decoder *d)
{
	struct isn_gif *s = d->state;
	bool alpha = d->info.has_alpha || s->clears ||
		     !frame_covers(d, &s->first) ||
		     s->first.disposal == ISN_GIF_RESTORE;

	if (d->flags & IMGSNIFF_HEAD) {
		d->info.frames = 0;
		d->info.duration_us = 0;
		alpha = true;		/* a later frame may have it */
	}
	d->info.icc_bytes = s->icc.size;
	d->info.xmp_bytes = s->xmp.size;
	if (!alpha)
		d->info.best = s->colored ? IMGSNIFF_RGB8 : IMGSNIFF_GRAY8;
	/* The number tells how often it is shown again, 0 for ever. */
	if (d->info.has_loop && d->info.frames != 1)
		d->info.plays = d->info.loop ? d->info.loop + 1 : 0;
	s->opened = true;
}

static enum imgsniff_status
gif_open(struct imgsniff_decoder *d)
{
	enum imgsniff_status st = header_read(d);

	if (st == IMGSNIFF_OK)
		st = first_read(d);
	if (st == IMGSNIFF_OK && !(d->flags & IMGSNIFF_HEAD))
		st = frames_walk(d);
	info_complete(d);
	return st == IMGSNIFF_END ? IMGSNIFF_OK : st;
}

static enum imgsniff_status
gif_next(struct imgsniff_decoder *d)
{
	struct isn_gif *s = d->state;
	struct isn_gif_frame f = s->frame;
	enum imgsniff_status st;

	if (!d->can_decode)
		return IMGSNIFF_END;
	st = isn_gif_frame_next(d, &f);
	if (st != IMGSNIFF_OK)
		return st;
	frame_describe(d, &s->frame, &f);
	s->frame = f;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
gif_rewind(struct imgsniff_decoder *d)
{
	struct isn_gif *s = d->state;

	s->frame = s->first;
	if (d->can_decode)
		frame_describe(d, NULL, &s->first);
	return IMGSNIFF_OK;
}

static enum imgsniff_status
chunk_join(struct imgsniff_decoder *d, struct isn_gif_chunk *chunk)
{
	uint64_t stored = chunk->end - chunk->start;
	struct imgsniff_view view;
	enum imgsniff_status st;
	uint8_t *to;

	if (chunk->size > d->limits.max_metadata || stored > SIZE_MAX)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, chunk->start,
				"metadata: larger than max-metadata allows");
	st = isn_view(d, chunk->start, (size_t)stored, &view);
	if (st != IMGSNIFF_OK)
		return st;
	if (view.size < stored)
		return isn_fail(d, IMGSNIFF_ERR_IO, chunk->start,
				"input: it has become shorter");
	to = isn_arena_alloc(&d->arena, (size_t)chunk->size + 1);
	if (to == NULL)
		return isn_fail_memory(d, "extension: no memory left");
	if (chunk->bare)
		memcpy(to, view.data, (size_t)chunk->size);
	else
		isn_gif_gather(to, view);
	chunk->joined = to;
	return IMGSNIFF_OK;
}

static enum imgsniff_status
gif_metadata(struct imgsniff_decoder *d, enum imgsniff_metadata which,
	     struct imgsniff_view *view)
{
	struct isn_gif *s = d->state;
	struct isn_gif_chunk *chunk;
	enum imgsniff_status st;

	if (which == IMGSNIFF_EXIF)
		return IMGSNIFF_OK;	/* a GIF has no place for it */
	chunk = which == IMGSNIFF_ICC ? &s->icc : &s->xmp;
	if (chunk->size == 0)
		return IMGSNIFF_OK;
	if (chunk->joined == NULL) {
		st = chunk_join(d, chunk);
		if (st != IMGSNIFF_OK)
			return st;
	}
	*view = (struct imgsniff_view){ chunk->joined, (size_t)chunk->size };
	return IMGSNIFF_OK;
}

static const struct isn_backend gif_backends[] = {
	{ "own", isn_gif_decode, isn_gif_decode_rows },
	{ "stb", isn_gif_decode_stb, NULL },
	{ NULL, NULL, NULL },
};

const struct isn_codec isn_codec_gif = {
	.info = {
		.format = IMGSNIFF_FORMAT_GIF, .name = "gif", .title = "GIF",
		.mime = "image/gif", .extensions = "gif",
		.can_decode = true, .can_animate = true,
	},
	.backends = gif_backends,
	.state_size = sizeof(struct isn_gif),
	.open = gif_open,
	.next = gif_next,
	.rewind = gif_rewind,
	.metadata = gif_metadata,
	.check = isn_gif_check,
};
