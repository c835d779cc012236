/*
 * picture.c - the pixels of one image, decoded here or by a worker
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "picture.h"

/* Where pixels go, from frame to frame and from file to file. */
static struct imgsniff_image *pixels;	/* decoded here */
static uint8_t *copy;			/* by a worker */
static size_t copy_size;

/* ---- The workplace -------------------------------------------------------- */

static struct imgsniff_isolate *
pool_make(const struct options *o)
{
	const struct imgsniff_isolate_options io = {
		.struct_size = sizeof(io),
		.decoder = &o->library,
		.strictness = o->isolate == WHEN_ALWAYS ? IMGSNIFF_ISOLATE_STRICT
							: IMGSNIFF_ISOLATE_AUTO,
		.workers = 1,
		.timeout = o->timeout <= UINT32_MAX / 1000 ? o->timeout * 1000
							   : UINT32_MAX,
	};

	return imgsniff_isolate_new(&io);
}

/* Once a run: isolation goes on with the barriers that there are. */
static void
barriers_tell(const struct imgsniff_isolate *pool)
{
	unsigned int there = imgsniff_isolate_barriers(pool);

	if (!(there & IMGSNIFF_BARRIER_FILES))
		complain(NULL, "isolation goes on without Landlock, which is "
			       "missing here");
	if (!(there & IMGSNIFF_BARRIER_CALLS))
		complain(NULL, "isolation goes on without seccomp, which is "
			       "missing here");
}

bool
workplace_init(struct workplace *w, const struct options *o)
{
	w->pool = NULL;
	if (o->isolate == WHEN_NEVER || o->action == ACTION_IDENTIFY)
		return true;
	w->pool = pool_make(o);
	if (w->pool != NULL) {
		barriers_tell(w->pool);
		return true;
	}
	if (o->isolate == WHEN_ALWAYS) {
		complain("--isolate", "%s", errno == ENOTSUP
			 ? "Landlock or seccomp is missing here"
			 : strerror(errno));
		return false;
	}
	complain(NULL, "no isolation: %s; decoding goes on without",
		 strerror(errno));
	return true;
}

void
workplace_free(struct workplace *w)
{
	imgsniff_isolate_free(w->pool);
	w->pool = NULL;
}

/* ---- Opening -------------------------------------------------------------- */

static enum imgsniff_status
error_make(struct picture *p, enum imgsniff_status status, const char *what,
	   int error)
{
	p->error = (struct imgsniff_error){
		.status = status,
		.offset = IMGSNIFF_NO_OFFSET,
		.system_errno = error,
		.message = what,
	};
	return status;
}

/* All of a stream; what there was of it is at hand already. */
static enum imgsniff_status
stream_open(struct picture *p, struct stream *stream)
{
	struct imgsniff_source source = stream_source(stream, stream->fd);
	struct imgsniff_view view;
	int error = source.peek(source.user, 0, SIZE_MAX, &view);

	if (error != 0)
		return error_make(p, IMGSNIFF_ERR_IO, "input: reading failed",
				  error);
	return imgsniff_isolate_open_memory(p->place->pool, view.data, view.size,
					    0, &p->isolated);
}

static bool
worker_is_lost(enum imgsniff_status st)
{
	return st == IMGSNIFF_ERR_CRASHED || st == IMGSNIFF_ERR_TIMEOUT;
}

void
picture_open(struct picture *p, struct workplace *w, int fd,
	     struct stream *stream)
{
	enum imgsniff_status st;

	*p = (struct picture){ .place = w };
	if (w->pool == NULL)
		return;
	st = stream->used > 0 ? stream_open(p, stream)
			      : imgsniff_isolate_open_fd(w->pool, fd, 0,
							 &p->isolated);
	if (p->isolated == NULL && p->error.status == IMGSNIFF_OK)
		error_make(p, st, "isolate: no worker to be had", errno);
	else if (worker_is_lost(st))
		p->error = *imgsniff_isolate_last_error(p->isolated);
}

void
picture_close(struct picture *p)
{
	imgsniff_isolate_close(p->isolated);
	p->isolated = NULL;
}

/* ---- Frames --------------------------------------------------------------- */

static bool
is_here(const struct picture *p)
{
	return p->place->pool == NULL;
}

static enum imgsniff_status
here_result(struct picture *p, enum imgsniff_status st)
{
	if (st != IMGSNIFF_OK)
		p->error = *imgsniff_last_error(p->place->decoder);
	return st;
}

/* From the frame that was looked at last. */
enum imgsniff_status
picture_seek(struct picture *p, uint32_t frame)
{
	struct imgsniff_decoder *d = p->place->decoder;
	enum imgsniff_status st = IMGSNIFF_OK;

	p->index = frame;
	if (!is_here(p))
		return st;
	if (imgsniff_get_frame(d)->index != 0)
		st = imgsniff_rewind(d);
	for (uint32_t i = 0; st == IMGSNIFF_OK && i < frame; i++)
		st = imgsniff_next_frame(d);
	return here_result(p, st);
}

enum imgsniff_status
picture_next(struct picture *p)
{
	p->index++;
	if (!is_here(p))
		return IMGSNIFF_OK;
	return here_result(p, imgsniff_next_frame(p->place->decoder));
}

uint64_t
picture_duration(const struct picture *p)
{
	if (is_here(p))
		return imgsniff_get_frame(p->place->decoder)->duration_us;
	return picture_goes_on(p)
		? imgsniff_isolate_get_frame(p->isolated)->duration_us : 0;
}

bool
picture_goes_on(const struct picture *p)
{
	const struct imgsniff_frame *f;

	if (is_here(p))
		return true;
	if (p->isolated == NULL ||
	    worker_is_lost(imgsniff_isolate_last_error(p->isolated)->status))
		return false;
	f = imgsniff_isolate_get_frame(p->isolated);
	return f != NULL && f->index == p->index;
}

/* ---- Pixels --------------------------------------------------------------- */

/*
 * The library makes the image, and so says when it would be too large; one that
 * is large enough already serves again.
 */
static enum imgsniff_status
frame_decode_here(struct picture *p, const struct imgsniff_decode_options *how,
		  struct imgsniff_pixmap *map)
{
	struct imgsniff_decoder *d = p->place->decoder;
	uint32_t width, height;
	enum imgsniff_status st;
	size_t size;

	st = imgsniff_output_size(d, how, &width, &height);
	if (st != IMGSNIFF_OK)
		return st;
	size = imgsniff_image_size(how->layout, width, height);
	if (size == 0 || pixels == NULL || pixels->map.size < size) {
		imgsniff_image_free(pixels);
		st = imgsniff_decode(d, how, &pixels);
		if (pixels != NULL)
			*map = pixels->map;
		return st;
	}
	*map = (struct imgsniff_pixmap){
		.struct_size = sizeof(*map),
		.pixels = pixels->map.pixels,
		.size = size,
		.stride = imgsniff_row_size(how->layout, width),
		.width = width,
		.height = height,
		.layout = how->layout,
	};
	return imgsniff_decode_into(d, how, map);
}

static bool
copy_reserve(size_t size)
{
	if (size <= copy_size)
		return true;
	free(copy);
	copy = malloc(size);
	copy_size = copy != NULL ? size : 0;
	return copy != NULL;
}

/* A copy, since a writer may look twice, and a worker could change its pixels. */
static enum imgsniff_status
frame_decode_isolated(struct picture *p,
		      const struct imgsniff_decode_options *how,
		      struct imgsniff_pixmap *map)
{
	struct imgsniff_pixmap view = { .struct_size = sizeof(view) };
	enum imgsniff_status st;

	if (p->isolated == NULL)
		return p->error.status;
	st = imgsniff_isolate_decode(p->isolated, p->index, how, &view);
	if (st != IMGSNIFF_OK)
		p->error = *imgsniff_isolate_last_error(p->isolated);
	if (view.pixels == NULL)
		return st;
	if (!copy_reserve(view.size))
		return error_make(p, IMGSNIFF_ERR_MEMORY,
				  "decode: no memory left for the pixels", 0);
	memcpy(copy, view.pixels, view.size);
	*map = view;
	map->pixels = copy;
	return st;
}

enum imgsniff_status
picture_frame(struct picture *p, const struct imgsniff_decode_options *how,
	      struct imgsniff_pixmap *map)
{
	*map = (struct imgsniff_pixmap){ 0 };
	if (is_here(p))
		return here_result(p, frame_decode_here(p, how, map));
	return frame_decode_isolated(p, how, map);
}

/* ---- Checking ------------------------------------------------------------- */

enum imgsniff_status
picture_check(struct picture *p, struct imgsniff_verdict *verdict)
{
	enum imgsniff_status st;

	if (is_here(p))
		return here_result(p, imgsniff_check(p->place->decoder,
						     verdict));
	if (p->isolated == NULL)
		return p->error.status;
	st = imgsniff_isolate_check(p->isolated, verdict);
	if (st != IMGSNIFF_OK)
		p->error = *imgsniff_isolate_last_error(p->isolated);
	return st;
}

const struct imgsniff_error *
picture_fault(const struct picture *p, size_t index)
{
	if (is_here(p))
		return imgsniff_get_fault(p->place->decoder, index);
	return p->isolated ? imgsniff_isolate_get_fault(p->isolated, index)
			   : NULL;
}

/* ---- Memory --------------------------------------------------------------- */

void
picture_trim(size_t max)
{
	if (pixels != NULL && pixels->map.size > max) {
		imgsniff_image_free(pixels);
		pixels = NULL;
	}
	if (copy_size > max) {
		free(copy);
		copy = NULL;
		copy_size = 0;
	}
}
