/*
 * indices.c - the data of one frame to palette indices
 */

#include <string.h>

#include "codec/gif/gif.h"
#include "codec/gif/lzw.h"

/* Where byte 'at' of the joined sub-blocks is, 'from' being at 'offset'. */
static uint64_t
gathered_offset(struct imgsniff_view from, uint64_t offset, size_t at)
{
	size_t p = 0;

	while (p < from.size && from.data[p] != 0) {
		size_t size = from.data[p++];

		if (at < size)
			return offset + p + at;
		at -= size;
		p += size < from.size - p ? size : from.size - p;
	}
	return offset + p;
}

/* The error of a frame whose codes ended as 'result' says. */
static enum imgsniff_status
codes_judge(struct imgsniff_decoder *d, struct isn_gif_frame *f,
	    struct imgsniff_view from, const struct isn_lzw_result *result)
{
	uint64_t offset = f->data + 1;
	size_t last = result->used > 0 ? result->used - 1 : 0;

	switch (result->end) {
	case ISN_LZW_FULL:
		return IMGSNIFF_OK;
	case ISN_LZW_STOPPED:
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT,
				gathered_offset(from, offset, last),
				"image data: fewer pixels than the frame has");
	case ISN_LZW_STARVED:
		if (f->end == 0)	/* cut: tells so again */
			return isn_gif_frame_measure(d, f);
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT,
				gathered_offset(from, offset, result->used),
				"image data: fewer pixels than the frame has");
	case ISN_LZW_BROKEN:
		break;
	}
	return isn_fail(d, IMGSNIFF_ERR_CORRUPT,
			gathered_offset(from, offset, last),
			"image data: an LZW code that stands for nothing");
}

static enum imgsniff_status
frame_check(struct imgsniff_decoder *d, const struct isn_gif_frame *f)
{
	if (f->rect.width == 0)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, f->descriptor + 5,
				"image descriptor: width is zero");
	if (f->rect.height == 0)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, f->descriptor + 7,
				"image descriptor: height is zero");
	return IMGSNIFF_OK;
}

/* From the local colour table to the end of the data, or of the input. */
static enum imgsniff_status
frame_view(struct imgsniff_decoder *d, struct isn_gif_frame *f,
	   struct imgsniff_view *view)
{
	enum imgsniff_status st = isn_gif_frame_measure(d, f);
	size_t size = SIZE_MAX;

	if (st != IMGSNIFF_OK && !isn_is_damage(st))
		return st;
	if (f->end != 0 && f->end - f->palette < SIZE_MAX)
		size = (size_t)(f->end - f->palette);
	return isn_view(d, f->palette, size, view);
}

/*
 * More pixels than 'size' bytes of codes can stand for: a code has two bits at
 * least, its string is one longer than the longest before it at most, and none is
 * longer than the table has entries. Room is made for no more, whatever size a
 * frame claims.
 */
static uint64_t
pixels_bound(size_t size)
{
	const uint64_t codes = (uint64_t)size * 4, longest = 4096;

	return codes * (codes < longest ? codes : longest) + 1;
}

/* A copy: the view does not outlive the next read. */
static void
palette_set(struct isn_gif_indices *indices, const uint8_t *colors,
	    unsigned int size)
{
	memcpy(indices->palette, colors, 3u * size);
	indices->palette_size = size;
}

/*
 * A frame may be larger than the canvas, which is what the limits were held
 * against so far.
 */
static enum imgsniff_status
room_check(struct imgsniff_decoder *d, const struct isn_gif_frame *f,
	   uint64_t room)
{
	if (room > d->limits.max_pixels || room > SIZE_MAX - ISN_LZW_SLACK)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, f->descriptor + 5,
				"image descriptor: more pixels than "
				"max-pixels allows");
	if (f->index > 0 && f->index >= d->limits.max_animation_pixels / room)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, f->descriptor + 5,
				"image descriptor: more pixels in all frames "
				"than max-animation-pixels allows");
	return IMGSNIFF_OK;
}

static enum imgsniff_status
codes_decode(struct imgsniff_decoder *d, struct isn_gif_frame *f,
	     struct imgsniff_view from, unsigned int code_size,
	     struct isn_gif_indices *indices)
{
	uint64_t room = (uint64_t)f->rect.width * f->rect.height;
	struct isn_lzw_result result;
	uint8_t *joined, *out = NULL;
	enum imgsniff_status st;
	size_t size = 0;

	joined = isn_scratch(d, ISN_SCRATCH_GATHER, from.size + ISN_LZW_PAD);
	if (joined != NULL) {
		size = isn_gif_gather(joined, from);
		memset(joined + size, 0, ISN_LZW_PAD);
		if (room > pixels_bound(size))
			room = pixels_bound(size);
		st = room_check(d, f, room);
		if (st != IMGSNIFF_OK)
			return st;
		out = isn_scratch(d, ISN_SCRATCH_RAW,
				  (size_t)room + ISN_LZW_SLACK);
	}
	if (out == NULL)
		return isn_fail_memory(d, "image data: no memory left");
	result = isn_lzw_decode(joined, size, code_size, out, (size_t)room);
	indices->data = out;
	indices->count = result.pixels;
	return codes_judge(d, f, from, &result);
}

enum imgsniff_status
isn_gif_indices(struct imgsniff_decoder *d, struct isn_gif_frame *f,
		struct isn_gif_indices *indices)
{
	struct isn_gif *s = d->state;
	const size_t colors = 3u * f->palette_size;
	enum imgsniff_status st = frame_check(d, f);
	struct imgsniff_view view;

	indices->count = 0;
	indices->palette_size = 0;
	if (st == IMGSNIFF_OK)
		st = frame_view(d, f, &view);
	if (st != IMGSNIFF_OK)
		return st;
	if (view.size <= colors) {
		if (f->end == 0)
			return isn_gif_frame_measure(d, f);
		return isn_fail(d, IMGSNIFF_ERR_IO, f->palette,
				"input: it has become shorter");
	}
	palette_set(indices, colors ? view.data : s->palette,
		    colors ? f->palette_size : s->palette_size);
	view.data += colors;
	view.size -= colors;
	if (view.data[0] == 0 || view.data[0] > ISN_LZW_CODE_SIZE_MAX)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, f->data,
				"image data: LZW code size is not 1 to 11");
	return codes_decode(d, f, (struct imgsniff_view){ view.data + 1,
							  view.size - 1 },
			    view.data[0], indices);
}
