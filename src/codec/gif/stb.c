/*
 * stb.c - the first frame by stb_image
 *
 * It is asked only once our own decoder has found every pixel of the frame. Where
 * its rules are other ones the answer is "unsupported":
 *
 *	- a frame must lie inside of the canvas;
 *	- pixels outside of the frame are filled with the background colour,
 *	  unless that has index 0;
 *	- an index without a colour is transparent, and no palette is an error;
 *	- a graphic control of another size than 4 is read as blocks;
 *	- the data must begin with a clear code, and a full table is not kept for
 *	  long: it says so itself.
 */

#include "codec/gif/gif.h"
#include "codec/stb/stb.h"

static bool
frame_is_inside(const struct imgsniff_decoder *d, struct isn_rect r)
{
	return r.x + r.width <= d->info.width &&
	       r.y + r.height <= d->info.height;
}

static bool
frame_is_all(const struct imgsniff_decoder *d, struct isn_rect r)
{
	return r.width == d->info.width && r.height == d->info.height;
}

static bool
indices_have_colors(const struct isn_gif_indices *indices,
		    unsigned int transparent)
{
	for (size_t i = 0; i < indices->count; i++)
		if (indices->data[i] >= indices->palette_size &&
		    indices->data[i] != transparent)
			return false;
	return true;
}

/* Both decoders must have the same rules for the frame. */
static bool
frame_is_agreed(const struct imgsniff_decoder *d, const struct isn_gif_frame *f,
		const struct isn_gif_indices *indices)
{
	const struct isn_gif *s = d->state;

	return s->stored_width != 0 && s->stored_height != 0 &&
	       frame_is_inside(d, f->rect) &&
	       (s->background == 0 || frame_is_all(d, f->rect)) &&
	       !f->odd_control && indices->palette_size != 0 &&
	       indices_have_colors(indices, f->transparent);
}

enum imgsniff_status
isn_gif_decode_stb(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	struct isn_gif *s = d->state;
	struct isn_gif_frame *f = &s->frame;
	struct isn_gif_indices indices;
	struct imgsniff_view view;
	enum imgsniff_status st;

	if (f->index > 0)
		return isn_gif_decode(d, dst);
	st = isn_gif_indices(d, f, &indices);
	if (st != IMGSNIFF_OK && !isn_is_damage(st))
		return st;
	if (st != IMGSNIFF_OK || !frame_is_agreed(d, f, &indices))
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, f->descriptor,
				"image: not one that stb_image is trusted with");
	st = isn_view(d, 0, f->end != 0 && f->end <= SIZE_MAX ? (size_t)f->end
							     : SIZE_MAX, &view);
	if (st != IMGSNIFF_OK)
		return st;
	st = isn_stb_decode(d, view, dst);
	if (isn_is_damage(st))
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, f->descriptor,
				"image: stb_image refuses it");
	return st;
}
