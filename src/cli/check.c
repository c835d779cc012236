/*
 * check.c - whether images are whole
 */

#include "check.h"

/* What kept the library from a verdict is told instead of one. */
static void
verdict_fill(struct identifier *id, struct picture *p, struct record *r)
{
	struct imgsniff_verdict *v = &r->verdict;

	v->struct_size = sizeof(*v);
	if (picture_check(p, v) != IMGSNIFF_OK) {
		*v = (struct imgsniff_verdict){
			.integrity = IMGSNIFF_UNCHECKED,
			.end_offset = IMGSNIFF_NO_OFFSET,
		};
		identify_error(id, r, &p->error);
		return;
	}
	r->status = v->status;
	r->offset = v->offset;
	r->message = v->message;
}

void
check_fill(struct identifier *id, struct picture *p, int fd, struct record *r)
{
	struct workplace *place = p->place;

	picture_close(p);
	if (r->kind != RECORD_IMAGE)
		return;
	r->checked = true;
	r->verdict.integrity = IMGSNIFF_UNCHECKED;
	r->verdict.end_offset = IMGSNIFF_NO_OFFSET;
	if (r->unwanted)
		return;
	picture_open(p, place, fd, &id->stream);
	verdict_fill(id, p, r);
	if (id->options->all_faults)
		r->faults = p;
}

bool
check_is_trouble(const struct options *o, const struct record *r)
{
	if (!r->checked)
		return r->status != IMGSNIFF_OK;
	switch (r->verdict.integrity) {
	case IMGSNIFF_INTACT:
		return false;
	case IMGSNIFF_TOLERABLE:
		return o->strict;
	case IMGSNIFF_TRUNCATED:
	case IMGSNIFF_DAMAGED:
	case IMGSNIFF_UNCHECKED:
	case IMGSNIFF_CRASHED:
	case IMGSNIFF_TIMEOUT:
		break;
	}
	return true;
}
