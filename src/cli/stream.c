/*
 * stream.c - a pipe as a source of an image, whose head can be looked at after
 */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "stream.h"

#define FIRST_SIZE	16384
#define KEEP_SIZE	(1 << 20)

bool
is_stream(int fd)
{
	return lseek(fd, 0, SEEK_CUR) < 0 && errno == ESPIPE;
}

/*
 * A FIFO opened with O_NONBLOCK reads as empty until somebody has it open for
 * writing; poll() waits for that and for data.
 */
static void
stream_wait(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	poll(&p, 1, -1);
}

/*
 * Never much beyond the limit, but by the one byte that tells an input of just
 * that size from one that goes on.
 */
static int
stream_grow(struct stream *s)
{
	size_t size = s->size ? s->size * 2 : FIRST_SIZE;
	uint8_t *bytes;

	if (s->limit < size)
		size = (size_t)s->limit + 1;
	bytes = realloc(s->bytes, size);
	if (bytes == NULL)
		return ENOMEM;
	s->bytes = bytes;
	s->size = size;
	return 0;
}

/* Reads once, whatever there is. */
static int
stream_read(struct stream *s)
{
	ssize_t n;

	stream_wait(s->fd);
	n = read(s->fd, s->bytes + s->used, s->size - s->used);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : errno;
	s->ended = n == 0;
	s->used += (size_t)n;
	return 0;
}

static int
stream_peek(void *user, uint64_t offset, size_t size,
	    struct imgsniff_view *view)
{
	struct stream *s = user;
	uint64_t end = size > UINT64_MAX - offset ? UINT64_MAX : offset + size;
	int error = 0;

	while (error == 0 && s->used < end && !s->ended) {
		if (s->used == s->size)
			error = stream_grow(s);
		if (error == 0)
			error = stream_read(s);
		if (s->used > s->limit) {
			s->over_limit = true;
			error = EFBIG;
		}
	}
	*view = imgsniff_buffer_of(NULL, 0).bytes;
	if (offset < s->used) {
		view->data = s->bytes + offset;
		view->size = s->used - (size_t)offset;
	}
	return error;
}

struct imgsniff_source
stream_source(struct stream *s, int fd)
{
	s->fd = fd;
	return (struct imgsniff_source){ stream_peek, s };
}

void
stream_reset(struct stream *s)
{
	if (s->size > KEEP_SIZE)
		stream_free(s);
	s->used = 0;
	s->over_limit = false;
	s->ended = false;
}

void
stream_free(struct stream *s)
{
	free(s->bytes);
	s->bytes = NULL;
	s->used = s->size = 0;
}
