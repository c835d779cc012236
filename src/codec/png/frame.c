/*
 * frame.c - the frames of an animation (PNG third edition, 11.3.6)
 *
 *	acTL	0	number of frames, 4
 *		4	how often it is played, 4; 0: for ever
 *
 *	fcTL	0	sequence number, 4: counts all fcTL and fdAT from 0
 *		4	width, height, 4 each
 *		12	x, y, 4 each
 *		20	delay numerator, denominator, 2 each; 0 below means 100
 *		24	dispose_op, 1: none, background, previous
 *		25	blend_op, 1: source, over
 *
 *	fdAT	0	sequence number, 4
 *		4	like the data of an IDAT
 *
 * An fcTL before IDAT makes the default image the first frame. Frames are not
 * listed anywhere: each knows where the next begins, and stepping walks on from
 * there, so that their number costs no memory.
 */

#include "codec/png/chunk.h"

#define FCTL_LENGTH	26

void
isn_png_frame_describe(struct imgsniff_decoder *d, const struct png_frame *f)
{
	d->frame = (struct imgsniff_frame){
		.index = f->index,
		.x = f->x, .y = f->y,
		.width = f->width, .height = f->height,
		.duration_us = f->duration_us,
	};
}

static enum imgsniff_status
fctl_fail(struct imgsniff_decoder *d, const struct png_chunk *c,
	  unsigned int field, const char *message)
{
	return isn_fail(d, IMGSNIFF_ERR_CORRUPT, isn_png_chunk_data(c) + field,
			message);
}

/* Is the rectangle that 'f' was given inside of the canvas? */
static enum imgsniff_status
bounds_check(struct imgsniff_decoder *d, const struct png_chunk *c,
	     const struct png_frame *f)
{
	if (f->width == 0)
		return fctl_fail(d, c, 4, "fcTL: width is zero");
	if (f->height == 0)
		return fctl_fail(d, c, 8, "fcTL: height is zero");
	if (f->width > d->info.width || f->x > d->info.width - f->width)
		return fctl_fail(d, c, 12, "fcTL: wider than the image allows");
	if (f->height > d->info.height || f->y > d->info.height - f->height)
		return fctl_fail(d, c, 16, "fcTL: higher than the image allows");
	return IMGSNIFF_OK;
}

static enum imgsniff_status
fctl_parse(struct imgsniff_decoder *d, const struct png_chunk *c,
	   const uint8_t *p, struct png_frame *f)
{
	uint32_t number = isn_load_u16be(p + 20);
	uint32_t per_second = isn_load_u16be(p + 22);

	if (isn_load_u32be(p) != f->sequence)
		return fctl_fail(d, c, 0, "fcTL: sequence number out of order");
	f->sequence++;
	f->width = isn_load_u32be(p + 4);
	f->height = isn_load_u32be(p + 8);
	f->x = isn_load_u32be(p + 12);
	f->y = isn_load_u32be(p + 16);
	if (per_second == 0)
		per_second = 100;
	f->duration_us = UINT64_C(1000000) * number / per_second;
	if (p[24] > PNG_DISPOSE_PREVIOUS)
		return fctl_fail(d, c, 24, "fcTL: no such dispose_op");
	if (p[25] > PNG_BLEND_OVER)
		return fctl_fail(d, c, 25, "fcTL: no such blend_op");
	f->dispose = (enum png_dispose)p[24];
	f->blend = (enum png_blend)p[25];
	return bounds_check(d, c, f);
}

enum imgsniff_status
isn_png_frame_read(struct imgsniff_decoder *d, uint64_t at, struct png_frame *f)
{
	struct png_chunk c;
	const uint8_t *p;
	bool crc_right;
	enum imgsniff_status st = isn_png_chunk_read(d, at, &c);

	if (st != IMGSNIFF_OK)
		return st;
	if (c.length != FCTL_LENGTH)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, c.at,
				"fcTL: the length is not 26");
	p = isn_png_chunk_load(d, &c, &crc_right);
	if (p == NULL)
		return isn_png_chunk_cut(d, &c);
	if (!crc_right)
		return fctl_fail(d, &c, FCTL_LENGTH, "fcTL: the CRC is wrong");
	f->next = c.at + PNG_CHUNK_AROUND + c.length;
	return fctl_parse(d, &c, p, f);
}

/* The fcTL at or behind 'at'; chunks before it tell what they have to. */
static enum imgsniff_status
fctl_find(struct imgsniff_decoder *d, uint64_t *at)
{
	const struct png_state *s = d->state;

	for (;;) {
		struct png_chunk c;
		enum imgsniff_status st = isn_png_chunk_read(d, *at, &c);

		if (st != IMGSNIFF_OK)
			return st;
		if (c.type == PNG_FCTL)
			return IMGSNIFF_OK;
		if (c.type == PNG_IEND)
			return isn_fail(d, IMGSNIFF_ERR_CORRUPT,
					s->actl + PNG_CHUNK_HEADER,
					"acTL: there are fewer frames than "
					"it says");
		st = isn_png_chunk_handle(d, &c);
		if (st == IMGSNIFF_OK)
			st = isn_png_chunk_end(d, &c, at);
		if (st != IMGSNIFF_OK)
			return st;
	}
}

/* Behind the fcTL at 'at' comes no fdAT, be it that nothing comes at all. */
static enum imgsniff_status
data_missing(struct imgsniff_decoder *d, const struct png_frame *f, uint64_t at)
{
	struct png_chunk c;
	enum imgsniff_status st = isn_png_chunk_read(d, f->next, &c);

	if (st != IMGSNIFF_OK)
		return st;
	return isn_fail(d, IMGSNIFF_ERR_CORRUPT, at + 4,
			"fcTL: no fdAT follows it");
}

/* The frame whose fcTL is the next from f->next on. */
static enum imgsniff_status
frame_find(struct imgsniff_decoder *d, struct png_frame *f)
{
	uint64_t at = f->next;
	enum imgsniff_status st = fctl_find(d, &at);

	if (st == IMGSNIFF_OK)
		st = isn_png_frame_read(d, at, f);
	if (st == IMGSNIFF_OK)
		st = isn_png_data_walk(d, f->next, PNG_FDAT, &f->data,
				       &f->sequence, &f->next);
	if (st == IMGSNIFF_OK && f->data.chunks == 0)
		st = data_missing(d, f, at);
	return st;
}

enum imgsniff_status
isn_png_frame_next(struct imgsniff_decoder *d, struct png_frame *frame)
{
	const struct png_state *s = d->state;
	struct png_frame f = *frame;
	enum imgsniff_status st;

	if (!s->animation || f.index + 1 >= s->frames)
		return IMGSNIFF_END;
	if (f.data.cut) {
		d->error = s->fault;
		return d->error.status;
	}
	f.index++;
	st = frame_find(d, &f);
	if (st == IMGSNIFF_OK)
		*frame = f;
	return st;
}

/* The default image as the first frame: it must fill the canvas. */
static enum imgsniff_status
first_from_idat(struct imgsniff_decoder *d, struct png_frame *f)
{
	const struct png_state *s = d->state;
	uint64_t behind = f->next;
	enum imgsniff_status st = isn_png_frame_read(d, s->first_fctl, f);

	if (st != IMGSNIFF_OK)
		return st;
	f->next = behind;
	if (f->width != d->info.width || f->height != d->info.height)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT,
				s->first_fctl + PNG_CHUNK_HEADER + 4,
				"fcTL: the first frame is not the size of the "
				"image");
	return IMGSNIFF_OK;
}

/* Without a first frame, the default image is shown like a still. */
static enum imgsniff_status
first_find(struct imgsniff_decoder *d)
{
	struct png_state *s = d->state;
	struct png_frame f = s->first;
	enum imgsniff_status st;

	st = s->first_fctl != 0 ? first_from_idat(d, &f) : frame_find(d, &f);
	s->animation = st == IMGSNIFF_OK;
	if (s->animation)
		s->first = f;
	return st;
}

enum imgsniff_status
isn_png_frames_walk(struct imgsniff_decoder *d, uint64_t *next)
{
	struct png_state *s = d->state;
	struct png_frame f;
	enum imgsniff_status st = first_find(d);

	if (st != IMGSNIFF_OK)
		return st;
	f = s->first;
	do
		d->info.duration_us += f.duration_us;
	while ((st = isn_png_frame_next(d, &f)) == IMGSNIFF_OK);
	*next = f.next;
	if (st == IMGSNIFF_END)
		st = f.data.cut ? s->fault.status : IMGSNIFF_OK;
	return st;
}
