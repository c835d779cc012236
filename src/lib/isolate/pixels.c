/*
 * pixels.c - the pixels of an image that a worker has
 */

#include <errno.h>
#include <string.h>

#include "lib/image.h"
#include "lib/isolate/isolated.h"

/* False: bad options, and image->error says so. */
static bool
request_fill(struct imgsniff_isolated *image, struct isn_request *q,
	     const struct imgsniff_decode_options *options)
{
	struct imgsniff_decode_options o = { .struct_size = 0 };

	if (options != NULL) {
		if (options->struct_size <
		    offsetof(struct imgsniff_decode_options, fit_width))
			goto bad;
		memcpy(&o, options, options->struct_size < sizeof(o)
				    ? options->struct_size : sizeof(o));
	}
	if (o.layout == 0)
		o.layout = IMGSNIFF_RGBA8;
	if (isn_pixel_size(o.layout) == 0)
		goto bad;
	q->layout = (uint32_t)o.layout;
	q->decode_flags = o.flags;
	q->fit_width = o.fit_width;
	q->fit_height = o.fit_height;
	return true;
bad:
	isn_isolated_fail(image, IMGSNIFF_ERR_USAGE, "call: bad decode options");
	return false;
}

/* What an honest worker would never offer, since its decoder has these limits. */
static bool
size_is_allowed(const struct imgsniff_isolated *image, uint32_t width,
		uint32_t height)
{
	const struct imgsniff_limits *l = &image->pool->decoder->limits;

	return width > 0 && height > 0 && width <= l->max_dimension &&
	       height <= l->max_dimension &&
	       (uint64_t)width * height <= l->max_pixels;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_isolate_output_size(struct imgsniff_isolated *image,
			     const struct imgsniff_decode_options *options,
			     uint32_t *width, uint32_t *height)
{
	struct isn_request request = { .op = ISN_OP_SIZE };
	struct isn_reply reply;
	enum imgsniff_status st;

	if (width == NULL || height == NULL)
		return isn_isolated_fail(image, IMGSNIFF_ERR_USAGE,
			"call: there is no place for the result");
	*width = *height = 0;
	if (!request_fill(image, &request, options))
		return IMGSNIFF_ERR_USAGE;
	if (!isn_isolated_ask(image, &request, -1, &reply, &st) ||
	    st != IMGSNIFF_OK)
		return st;
	if (!size_is_allowed(image, reply.width, reply.height))
		return isn_isolated_distrust(image);
	*width = reply.width;
	*height = reply.height;
	return IMGSNIFF_OK;
}

/* Room for a picture; like the caller's own, it is within max_memory. */
static enum imgsniff_status
room_make(struct imgsniff_isolated *image, size_t size)
{
	if (size == 0 || size > image->pool->decoder->limits.max_memory)
		return isn_isolated_fail(image, IMGSNIFF_ERR_LIMIT,
			"memory: needs more than max-memory allows");
	if (!isn_region_need(&image->slot->pixels, size))
		return isn_isolated_fail(image, IMGSNIFF_ERR_MEMORY, errno == EFBIG
			? "isolate: RLIMIT_FSIZE is in the way of shared memory"
			: "decode: no memory left for the pixels");
	return IMGSNIFF_OK;
}

/* Where a reply puts pixels: never beyond the memory, and never elsewhere. */
static bool
reply_is_sound(const struct imgsniff_isolated *image,
	       const struct isn_reply *reply, const struct imgsniff_pixmap *map,
	       const struct imgsniff_pixmap *wanted)
{
	if (reply->rows_valid > reply->height || reply->too_small ||
	    map->size == 0 || map->size > image->slot->pixels.room)
		return false;
	return wanted->width == 0 || (reply->width == wanted->width &&
				      reply->height == wanted->height);
}

/*
 * Asks for the picture, and again if there was no room for it. 'map' is given the
 * size of what came; 0 if it did not come to that. False: 'st' is an error.
 */
static bool
frame_ask(struct imgsniff_isolated *image, struct isn_request *q,
	  struct imgsniff_pixmap *map, struct isn_reply *reply,
	  enum imgsniff_status *st)
{
	for (bool again = false;; again = true) {
		if (!isn_isolated_ask(image, q, -1, reply, st))
			return false;
		map->width = map->height = 0;
		if (reply->width == 0)
			return true;
		if (!size_is_allowed(image, reply->width, reply->height) ||
		    (again && reply->too_small)) {
			*st = isn_isolated_distrust(image);
			return false;
		}
		map->width = reply->width;
		map->height = reply->height;
		map->size = imgsniff_image_size(map->layout, map->width,
						map->height);
		map->stride = imgsniff_row_size(map->layout, map->width);
		if (!reply->too_small)
			return true;
		*st = room_make(image, map->size);
		if (*st != IMGSNIFF_OK)
			return false;
	}
}

/*
 * Decodes into the shared memory. 'map' begins with its layout, and its size if
 * that must be so; in the end it shows what there is, if there is anything.
 */
static enum imgsniff_status
frame_decode(struct imgsniff_isolated *image, struct isn_request *q,
	     struct imgsniff_pixmap *map)
{
	const struct imgsniff_pixmap wanted = *map;
	struct isn_region *pixels = &image->slot->pixels;
	enum imgsniff_status st;
	struct isn_reply reply;

	if (!frame_ask(image, q, map, &reply, &st))
		return st;
	if (!isn_believe_frame(&reply.frame, q->frame, &image->frame) &&
	    st == IMGSNIFF_OK)
		return isn_isolated_distrust(image);
	if (map->width != 0 && map->size > pixels->used)
		pixels->used = map->size < pixels->room ? map->size
							: pixels->room;
	if (st == IMGSNIFF_END || (st != IMGSNIFF_OK && reply.rows_valid == 0))
		return st;		/* there is no such frame; no row of it */
	if (!reply_is_sound(image, &reply, map, &wanted))
		return isn_isolated_distrust(image);
	map->rows_valid = st == IMGSNIFF_OK ? reply.height : reply.rows_valid;
	map->pixels = pixels->data;
	return st;
}

static void
view_give(struct imgsniff_pixmap *to, const struct imgsniff_pixmap *from)
{
	size_t size = to->struct_size;

	memcpy(to, from, sizeof(*from) < size ? sizeof(*from) : size);
	to->struct_size = size;
}

/* Up to here a caller of any version has all of it. */
#define PIXMAP_NEEDED	offsetof(struct imgsniff_pixmap, rows_valid)
#define PIXMAP_ROWS	(PIXMAP_NEEDED + sizeof(uint32_t))

IMGSNIFF_API enum imgsniff_status
imgsniff_isolate_decode(struct imgsniff_isolated *image, uint32_t frame,
			const struct imgsniff_decode_options *options,
			struct imgsniff_pixmap *view)
{
	struct isn_request request = { .op = ISN_OP_DECODE, .frame = frame };
	struct imgsniff_pixmap map = { .struct_size = 0 };
	enum imgsniff_status st;

	if (view == NULL || view->struct_size < PIXMAP_ROWS)
		return isn_isolated_fail(image, IMGSNIFF_ERR_USAGE,
			"call: there is no place for the result");
	view_give(view, &map);
	if (!request_fill(image, &request, options))
		return IMGSNIFF_ERR_USAGE;
	map.layout = (enum imgsniff_pixel)request.layout;
	st = frame_decode(image, &request, &map);
	if (map.pixels != NULL)
		view_give(view, &map);
	return st;
}

static void
rows_copy(struct imgsniff_pixmap *dst, const struct imgsniff_pixmap *from)
{
	const uint8_t *src = from->pixels;
	uint8_t *to = dst->pixels;

	if (dst->stride == from->stride) {
		memcpy(to, src, from->size);
		return;
	}
	for (uint32_t y = 0; y < from->height; y++)
		memcpy(to + y * dst->stride, src + y * from->stride,
		       from->stride);
}

static bool
pixmap_is_sound(const struct imgsniff_pixmap *m)
{
	size_t row = imgsniff_row_size(m->layout, m->width);

	if (m->pixels == NULL || row == 0 || m->height == 0 ||
	    m->stride < row || m->size < row)
		return false;
	return m->height == 1 || m->stride <= (m->size - row) / (m->height - 1);
}

static void
rows_clear(struct imgsniff_pixmap *dst)
{
	size_t row = imgsniff_row_size(dst->layout, dst->width);

	for (uint32_t y = 0; y < dst->height; y++)
		memset((uint8_t *)dst->pixels + y * dst->stride, 0, row);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_isolate_decode_into(struct imgsniff_isolated *image, uint32_t frame,
			     const struct imgsniff_decode_options *options,
			     struct imgsniff_pixmap *dst)
{
	struct isn_request request = { .op = ISN_OP_DECODE, .frame = frame };
	struct imgsniff_pixmap to = { .struct_size = 0 }, map;
	enum imgsniff_status st;

	if (dst == NULL || dst->struct_size < PIXMAP_NEEDED)
		return isn_isolated_fail(image, IMGSNIFF_ERR_USAGE,
			"call: there is no place for the result");
	memcpy(&to, dst, PIXMAP_NEEDED);
	if (dst->struct_size >= PIXMAP_ROWS)
		dst->rows_valid = 0;
	if (!request_fill(image, &request, options))
		return IMGSNIFF_ERR_USAGE;
	if (!pixmap_is_sound(&to))
		return isn_isolated_fail(image, IMGSNIFF_ERR_BUFFER,
			"call: the pixmap does not fit the image");
	request.layout = (uint32_t)to.layout;
	request.width = to.width;
	request.height = to.height;
	map = (struct imgsniff_pixmap){
		.layout = to.layout, .width = to.width, .height = to.height,
	};
	st = frame_decode(image, &request, &map);
	if (map.pixels != NULL)
		rows_copy(&to, &map);
	else if (st != IMGSNIFF_ERR_BUFFER && st != IMGSNIFF_ERR_USAGE)
		rows_clear(&to);
	if (dst->struct_size >= PIXMAP_ROWS)
		dst->rows_valid = map.rows_valid;
	return st;
}
