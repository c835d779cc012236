/*
 * error.c - what went wrong, where, and its stable name
 */

#include <errno.h>

#include "codec.h"

static const struct {
	enum imgsniff_status status;
	const char *name;
} names[] = {
	{ IMGSNIFF_OK, "ok" },
	{ IMGSNIFF_END, "end" },
	{ IMGSNIFF_MORE, "more" },
	{ IMGSNIFF_ERR_FORMAT, "not-image" },
	{ IMGSNIFF_ERR_TRUNCATED, "truncated" },
	{ IMGSNIFF_ERR_CORRUPT, "corrupt" },
	{ IMGSNIFF_ERR_UNSUPPORTED, "unsupported" },
	{ IMGSNIFF_ERR_LIMIT, "limit" },
	{ IMGSNIFF_ERR_USAGE, "usage" },
	{ IMGSNIFF_ERR_BUFFER, "buffer" },
	{ IMGSNIFF_ERR_MEMORY, "memory" },
	{ IMGSNIFF_ERR_IO, "io" },
	{ IMGSNIFF_ERR_CRASHED, "crashed" },
	{ IMGSNIFF_ERR_TIMEOUT, "timeout" },
};

IMGSNIFF_API const char *
imgsniff_status_name(enum imgsniff_status status)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].status == status)
			return names[i].name;
	return "unknown";
}

IMGSNIFF_API const struct imgsniff_error *
imgsniff_last_error(const struct imgsniff_decoder *d)
{
	return &d->error;
}

enum imgsniff_status
isn_fail(struct imgsniff_decoder *d, enum imgsniff_status status,
	 uint64_t offset, const char *message)
{
	d->error = (struct imgsniff_error){
		.status = status,
		.format = d->info.format,
		.offset = offset,
		.message = message,
	};
	return status;
}

static bool
byte_is_there(const struct imgsniff_decoder *d, uint64_t offset)
{
	const struct imgsniff_source *source = &d->input.source;
	struct imgsniff_view view = { NULL, 0 };

	return source->peek(source->user, offset, 1, &view) == 0 &&
	       view.size > 0;
}

/*
 * Where the input ends. A seek may have gone far past that, and a source does not
 * tell its size: halving finds it in few peeks.
 */
static uint64_t
overrun_offset(struct imgsniff_decoder *d)
{
	uint64_t at = isn_tell(&d->in), low = 0, high;
	uint64_t read = d->input.read_total;

	if (at > d->input.size)
		at = d->input.size;
	if (at == 0 || byte_is_there(d, at - 1))
		return at;
	for (high = at; low < high;) {
		uint64_t middle = low + (high - low) / 2;

		if (byte_is_there(d, middle))
			low = middle + 1;
		else
			high = middle;
	}
	d->input.over_limit = false;	/* that was no one's wish to read */
	d->input.read_total = read;
	return low;
}

enum imgsniff_status
isn_fail_overrun(struct imgsniff_decoder *d, const char *message)
{
	enum imgsniff_status st = IMGSNIFF_ERR_TRUNCATED;

	if (d->input.over_limit)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, isn_tell(&d->in),
				"input: more bytes than max-input allows");
	if (d->in.io_error == EFBIG && d->input.fd >= 0)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, isn_tell(&d->in),
				"input: needs more than max-memory allows");
	if (d->in.io_error == ENOMEM)
		return isn_fail(d, IMGSNIFF_ERR_MEMORY, IMGSNIFF_NO_OFFSET,
				"input: no memory left");
	if (d->in.io_error != 0) {
		isn_fail(d, IMGSNIFF_ERR_IO, isn_tell(&d->in),
			 "input: reading failed");
		d->error.system_errno = d->in.io_error;
		return IMGSNIFF_ERR_IO;
	}
	if (d->flags & IMGSNIFF_PARTIAL)
		st = IMGSNIFF_MORE;
	isn_fail(d, st, overrun_offset(d), message);
	d->error.needed = d->in.wanted;
	return st;
}

enum imgsniff_status
isn_fail_memory(struct imgsniff_decoder *d, const char *message)
{
	if (d->memory.over_limit)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, IMGSNIFF_NO_OFFSET,
				"memory: needs more than max-memory allows");
	return isn_fail(d, IMGSNIFF_ERR_MEMORY, IMGSNIFF_NO_OFFSET, message);
}
