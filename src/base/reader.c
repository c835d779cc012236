/*
 * reader.c - a cursor over the input that cannot run off its end
 */

#include "base/reader.h"

static const uint8_t nothing[1];

void
isn_reader_init(struct isn_reader *r, const struct imgsniff_source *source)
{
	*r = (struct isn_reader){ .source = source };
	r->next = r->end = nothing;
}

/* What the source gave becomes what is at hand; its pointer may be NULL if empty. */
static void
reader_take(struct isn_reader *r, uint64_t offset, struct imgsniff_view view)
{
	r->next = view.size > 0 ? view.data : nothing;
	r->end = r->next + view.size;
	r->end_offset = offset + view.size;
}

bool
isn_refill(struct isn_reader *r, size_t size)
{
	uint64_t offset = isn_tell(r);
	struct imgsniff_view view = { nothing, 0 };

	if (r->overrun)
		return false;
	r->io_error = r->source->peek(r->source->user, offset, size, &view);
	if (r->io_error != 0) {
		r->overrun = true;
		r->next = r->end = nothing;
		r->end_offset = offset;
		return false;
	}
	reader_take(r, offset, view);
	if (view.size >= size)
		return true;
	r->overrun = true;
	r->wanted = size > UINT64_MAX - offset ? UINT64_MAX : offset + size;
	r->next = r->end;
	return false;
}

void
isn_seek(struct isn_reader *r, uint64_t offset)
{
	uint64_t behind = r->end_offset - offset;

	/* Inside the bytes at hand, the next read need not peek again. */
	if (offset >= isn_tell(r) && offset <= r->end_offset) {
		r->next = r->end - behind;
		return;
	}
	r->next = r->end = nothing;
	r->end_offset = offset;
}

void
isn_reader_restart(struct isn_reader *r, uint64_t offset)
{
	isn_reader_init(r, r->source);
	r->end_offset = offset;
}

void
isn_skip(struct isn_reader *r, uint64_t size)
{
	uint64_t offset = isn_tell(r);

	isn_seek(r, size > UINT64_MAX - offset ? UINT64_MAX : offset + size);
}

bool
isn_at_end(struct isn_reader *r)
{
	struct imgsniff_view view = { nothing, 0 };
	uint64_t offset = isn_tell(r);

	if (r->next < r->end)
		return false;
	if (r->overrun)
		return true;
	if (r->source->peek(r->source->user, offset, 1, &view) != 0)
		return false;		/* the read that follows reports it */
	if (view.size == 0)
		return true;
	reader_take(r, offset, view);
	return false;
}
