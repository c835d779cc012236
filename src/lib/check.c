/*
 * check.c - is the image whole?
 *
 * The codec's own walk and the decoding of every frame tell the faults; the
 * verdict is made of them here, for all formats alike.
 */

#include <string.h>

#include "lib/input.h"

/* How much of what follows the image is looked at. */
#define TRAILER_LOOK	65536

/* Keeps it in its place, unless it is there or there are too many before it. */
static void
fault_keep(struct isn_check *c, const struct imgsniff_error *e)
{
	size_t at = c->count;

	while (at > 0 && c->faults[at - 1].offset > e->offset)
		at--;
	for (size_t i = at; i > 0 && c->faults[i - 1].offset == e->offset; i--)
		if (strcmp(c->faults[i - 1].message, e->message) == 0)
			return;
	if (at == ISN_FAULTS)
		return;
	if (c->count < ISN_FAULTS)
		c->count++;
	memmove(&c->faults[at + 1], &c->faults[at],
		(c->count - 1 - at) * sizeof(c->faults[0]));
	c->faults[at] = *e;
}

void
isn_fault(struct imgsniff_decoder *d, enum imgsniff_status status,
	  uint64_t offset, const char *message)
{
	struct isn_check *c = d->check;
	const struct imgsniff_error e = {
		.status = status,
		.format = d->info.format,
		.offset = offset,
		.message = message,
	};

	fault_keep(c, &e);
	/* That one is not lost among any number of small ones. */
	if (status != IMGSNIFF_OK && (c->fatal.status == IMGSNIFF_OK ||
				      c->fatal.offset > offset))
		c->fatal = e;
}

static bool
is_fault(enum imgsniff_status st)
{
	return st == IMGSNIFF_ERR_TRUNCATED || st == IMGSNIFF_ERR_CORRUPT;
}

enum imgsniff_status
isn_fault_from_error(struct imgsniff_decoder *d, enum imgsniff_status st)
{
	if (!is_fault(st))
		return st;
	isn_fault(d, st, d->error.offset, d->error.message);
	return IMGSNIFF_OK;
}

/* A canvas for all frames, in the layout that costs least. */
static enum imgsniff_status
canvas_make(struct imgsniff_decoder *d, struct imgsniff_pixmap *map)
{
	enum imgsniff_status st;

	memset(map, 0, sizeof(*map));
	map->struct_size = sizeof(*map);
	map->layout = d->info.best ? d->info.best : IMGSNIFF_RGBA8;
	st = imgsniff_output_size(d, NULL, &map->width, &map->height);
	if (st != IMGSNIFF_OK)
		return st;
	map->stride = imgsniff_row_size(map->layout, map->width);
	map->size = imgsniff_image_size(map->layout, map->width, map->height);
	map->pixels = map->size ? isn_scratch(d, ISN_SCRATCH_CHECK, map->size)
				: NULL;
	return map->pixels ? IMGSNIFF_OK
			   : isn_fail_memory(d, "check: no memory left");
}

/*
 * Decodes frame after frame, up to the first that is not whole. What is no fault
 * of the image but keeps from decoding it is returned.
 */
static enum imgsniff_status
frames_decode(struct imgsniff_decoder *d, struct imgsniff_verdict *v)
{
	const struct imgsniff_decode_options keep = {
		.struct_size = sizeof(keep),
		.flags = IMGSNIFF_KEEP_DAMAGED,
	};
	struct imgsniff_pixmap map;
	enum imgsniff_status st = canvas_make(d, &map);

	if (st != IMGSNIFF_OK)
		return isn_fault_from_error(d, st);
	for (;;) {
		st = imgsniff_decode_into(d, &keep, &map);
		if (st != IMGSNIFF_OK) {
			v->rows_valid = map.rows_valid;
			return isn_fault_from_error(d, st);
		}
		v->frames_valid++;
		st = imgsniff_next_frame(d);
		if (st != IMGSNIFF_OK)
			return st == IMGSNIFF_END ? IMGSNIFF_OK
						  : isn_fault_from_error(d, st);
	}
}

static bool
is_text(const uint8_t *p, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (p[i] < 0x20 && p[i] != '\t' && p[i] != '\n' && p[i] != '\r')
			return false;
	return true;
}

static bool
is_zeros(const uint8_t *p, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (p[i] != 0)
			return false;
	return true;
}

/* PKWARE APPNOTE 4.3.7 and 4.3.16: a file's header, or the end of an empty ZIP. */
static bool
is_archive(const uint8_t *p, size_t size)
{
	return size >= 4 && (memcmp(p, "PK\3\4", 4) == 0 ||
			     memcmp(p, "PK\5\6", 4) == 0);
}

static enum imgsniff_trailer
trailer_look(struct imgsniff_view v)
{
	enum imgsniff_format format;

	if (is_zeros(v.data, v.size))
		return IMGSNIFF_TRAILER_ZEROS;
	if (imgsniff_detect(v.data, v.size, true, &format) == IMGSNIFF_OK)
		return IMGSNIFF_TRAILER_IMAGE;
	if (is_archive(v.data, v.size))
		return IMGSNIFF_TRAILER_ARCHIVE;
	if (is_text(v.data, v.size))
		return IMGSNIFF_TRAILER_TEXT;
	return IMGSNIFF_TRAILER_OTHER;
}

/* What follows the image, if anything. */
static enum imgsniff_status
trailer_check(struct imgsniff_decoder *d, struct imgsniff_verdict *v)
{
	uint64_t end = d->check->end;
	struct imgsniff_view rest = { NULL, 0 };
	enum imgsniff_status st;

	if (end == IMGSNIFF_NO_OFFSET)
		return IMGSNIFF_OK;
	st = isn_rest(d, end, &v->trailing_bytes);
	if (st == IMGSNIFF_OK)
		st = isn_view(d, end, TRAILER_LOOK, &rest);
	if (st != IMGSNIFF_OK || rest.size == 0)
		return st;
	isn_fault(d, IMGSNIFF_OK, end, "end: bytes follow the image");
	v->trailer = trailer_look(rest);
	return IMGSNIFF_OK;
}

static void
verdict_set(struct imgsniff_verdict *v, enum imgsniff_integrity integrity,
	    const struct imgsniff_error *e)
{
	v->integrity = integrity;
	v->status = e->status;
	v->offset = e->offset;
	v->message = e->message;
}

/* 'st' is what kept from looking at all of it, or OK. */
static void
verdict_make(struct imgsniff_decoder *d, enum imgsniff_status st,
	     struct imgsniff_verdict *v)
{
	const struct imgsniff_error *fatal = &d->check->fatal;

	v->integrity = IMGSNIFF_INTACT;
	v->status = IMGSNIFF_OK;
	if (fatal->status != IMGSNIFF_OK)
		verdict_set(v, fatal->status == IMGSNIFF_ERR_TRUNCATED
			       ? IMGSNIFF_TRUNCATED : IMGSNIFF_DAMAGED, fatal);
	else if (st != IMGSNIFF_OK)
		verdict_set(v, IMGSNIFF_UNCHECKED, &d->error);
	else if (d->check->count > 0)
		verdict_set(v, IMGSNIFF_TOLERABLE, &d->check->faults[0]);
}

static bool
is_unchecked(enum imgsniff_status st)
{
	return st == IMGSNIFF_ERR_UNSUPPORTED || st == IMGSNIFF_ERR_LIMIT;
}

static enum imgsniff_status
image_check(struct imgsniff_decoder *d, struct imgsniff_verdict *v)
{
	enum imgsniff_status st = imgsniff_rewind(d);

	if (d->codec->open == NULL || is_unchecked(d->open_error.status)) {
		d->error = d->open_error;
		return d->error.status;
	}
	if (is_fault(d->open_error.status))
		isn_fault(d, d->open_error.status, d->open_error.offset,
			  d->open_error.message);
	if (d->codec->check != NULL)
		st = d->codec->check(d);
	if (st == IMGSNIFF_OK && (d->can_decode || d->check->count == 0))
		st = frames_decode(d, v);
	d->scratch_used[ISN_SCRATCH_CHECK] = false;
	if (st == IMGSNIFF_OK)
		st = trailer_check(d, v);
	return st;
}

/* The first version of the header had all of it. */
static bool
verdict_has_room(const struct imgsniff_verdict *v)
{
	return v != NULL && v->struct_size >=
			    offsetof(struct imgsniff_verdict, message) +
			    sizeof(v->message);
}

/* The members of the verdict that the caller's header has. */
static void
verdict_write(struct imgsniff_verdict *to, const struct imgsniff_verdict *from)
{
	size_t size = to->struct_size;

	memcpy(to, from, sizeof(*from) < size ? sizeof(*from) : size);
	to->struct_size = size;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_check(struct imgsniff_decoder *d, struct imgsniff_verdict *verdict)
{
	const struct imgsniff_error before = d->error;
	struct imgsniff_verdict v = { .offset = IMGSNIFF_NO_OFFSET };
	struct imgsniff_error error;
	enum imgsniff_status st;

	if (d->codec == NULL)
		return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
				"call: no image is open");
	if (!verdict_has_room(verdict))
		return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
				"call: the verdict has no struct_size");
	if (d->check == NULL)
		d->check = isn_arena_zalloc(&d->arena, sizeof(*d->check));
	if (d->check == NULL)
		return isn_fail_memory(d, "check: no memory left");
	d->check->count = 0;
	d->check->fatal.status = IMGSNIFF_OK;
	d->check->end = IMGSNIFF_NO_OFFSET;
	st = isn_input_settle(d, image_check(d, &v));
	if (st != IMGSNIFF_OK && !is_unchecked(st)) {
		error = d->error;
		(void)!imgsniff_rewind(d);
		d->error = error;
		return st;
	}
	verdict_make(d, st, &v);
	v.end_offset = v.integrity == IMGSNIFF_TRUNCATED
			? IMGSNIFF_NO_OFFSET : d->check->end;
	verdict_write(verdict, &v);
	st = imgsniff_rewind(d);
	if (st == IMGSNIFF_OK)
		d->error = before;	/* what was met is in the verdict */
	return st;
}

IMGSNIFF_API const struct imgsniff_error *
imgsniff_get_fault(const struct imgsniff_decoder *d, size_t index)
{
	if (d->check == NULL || index >= d->check->count)
		return NULL;
	return &d->check->faults[index];
}
