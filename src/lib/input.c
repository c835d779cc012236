/*
 * input.c - memory, files, streams and the caller's own source, as one source
 *
 * A file is read through a window in scratch memory: the head in one block, then
 * no more than what is asked for, so that the header facts of a large file cost
 * a few reads. Reading on in a straight line makes the window grow. A stream
 * cannot seek: all that was read of it stays in the scratch.
 */

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/input.h"

#define HEAD_READ	4096		/* the first read of a file */
#define JUMP_READ	64		/* after a seek: chunk headers are small */
#define LINE_READ_MAX	65536		/* reading on and on */
#define STREAM_READ	16384

static const uint8_t nothing[1];

static int
memory_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	const struct imgsniff_view *memory = user;

	(void)size;
	view->data = memory->data;
	view->size = 0;
	if (offset < memory->size) {
		view->data += offset;
		view->size = memory->size - (size_t)offset;
	}
	return 0;
}

/*
 * A FIFO opened with O_NONBLOCK, as ours are, reads as empty until somebody has
 * it open for writing; poll() waits for that and for data.
 */
static bool
fd_wait(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (poll(&p, 1, -1) < 0)
		if (errno != EINTR && errno != EAGAIN)
			return false;
	return true;
}

/*
 * Where the input ends, once there is nothing at 'offset'. A jump may have gone
 * far past that: the file is asked then.
 */
static uint64_t
end_find(const struct isn_input *input, uint64_t offset, size_t got)
{
	struct stat st;

	if (got == 0 && !input->stream && fstat(input->fd, &st) == 0 &&
	    st.st_size > 0 && (uint64_t)st.st_size < offset)
		return (uint64_t)st.st_size;
	return offset + got;
}

/*
 * read() or, where that can be, pread(): 'enough' of 'size' bytes or more, less
 * only at the end. Asking a small file once is enough to read its head.
 */
static int
fd_read(struct isn_input *input, uint8_t *to, size_t size, size_t enough,
	uint64_t offset, size_t *got)
{
	*got = 0;
	while (*got < size) {
		ssize_t n;

		if (!input->stream)
			n = pread(input->fd, to + *got, size - *got,
				  (off_t)(offset + *got));
		else if (fd_wait(input->fd))
			n = read(input->fd, to + *got, size - *got);
		else
			return errno;
		if (n == 0) {
			input->ended = true;
			input->size = end_find(input, offset, *got);
			break;
		}
		if (n > 0) {
			*got += (size_t)n;
			input->read_total += (uint64_t)n;
			/* A pipe gives what it has; a file may have ended. */
			if (input->stream || *got >= enough)
				break;
		} else if (errno == ESPIPE && !input->stream) {
			input->stream = true;
		} else if (errno == EAGAIN && !input->stream) {
			if (!fd_wait(input->fd))
				return errno;
		} else if (errno != EINTR && errno != EAGAIN) {
			return errno;
		}
	}
	return 0;
}

/*
 * The same, but not past max_input. An input that ends right there is in order,
 * so one of which 'required' more bytes are wanted is asked for another byte.
 */
static int
input_read(struct imgsniff_decoder *d, uint8_t *to, size_t size,
	   size_t required, uint64_t offset, size_t *got)
{
	struct isn_input *input = &d->input;
	uint64_t used = input->read_total - input->read_before;
	uint64_t left = used < d->limits.max_input ? d->limits.max_input - used
						   : 0;
	uint8_t probe;
	size_t more;
	int error;

	if (size > left)
		size = (size_t)left;
	error = fd_read(input, to, size, required < size ? required : size,
			offset, got);
	if (error != 0 || *got < size || size >= required)
		return error;
	error = fd_read(input, &probe, 1, 1, offset + size, &more);
	if (error != 0 || more == 0)
		return error;
	input->over_limit = true;
	return EFBIG;
}

static int
scratch_error(const struct imgsniff_decoder *d)
{
	return d->memory.over_limit ? EFBIG : ENOMEM;
}

/* What the window holds from 'offset' on. */
static void
window_view(const struct imgsniff_decoder *d, uint64_t offset,
	    struct imgsniff_view *view)
{
	const struct isn_input *input = &d->input;
	uint64_t skip = offset - input->window;

	*view = (struct imgsniff_view){ nothing, 0 };
	if (offset < input->window || skip >= input->filled)
		return;
	view->data = d->scratch[ISN_SCRATCH_INPUT].data + skip;
	view->size = input->filled - (size_t)skip;
}

static int
stream_fill(struct imgsniff_decoder *d, uint64_t offset, size_t size)
{
	struct isn_input *input = &d->input;
	struct isn_scratch *s = &d->scratch[ISN_SCRATCH_INPUT];
	uint64_t want = size > UINT64_MAX - offset ? UINT64_MAX : offset + size;

	while (input->filled < want && !input->ended) {
		size_t room = s->size - input->filled, got;
		int error;

		if (room == 0) {
			size_t larger = s->size < STREAM_READ ? STREAM_READ
							      : s->size * 2;

			if (isn_scratch_grow(&d->memory, s, larger,
					     input->filled) == NULL)
				return scratch_error(d);
			room = s->size - input->filled;
		}
		error = input_read(d, s->data + input->filled, room, 1,
				   input->filled, &got);
		input->filled += got;
		if (error != 0)
			return error;
	}
	return 0;
}

/*
 * Bytes to read for 'size' of them at 'offset': a reader that comes to the end
 * of its window reads on in growing steps, one that jumps gets little more than
 * it asked for.
 */
static size_t
file_step(const struct imgsniff_decoder *d, uint64_t offset, size_t size)
{
	const struct isn_input *input = &d->input;
	bool on_and_on = offset >= input->window &&
			 offset - input->window <= input->filled;
	size_t step = JUMP_READ;

	if (input->read_total == 0)
		step = HEAD_READ;
	else if (on_and_on)
		step = input->filled * 2;
	if (step < JUMP_READ)
		step = JUMP_READ;
	if (step > LINE_READ_MAX)
		step = LINE_READ_MAX;
	return size > step ? size : step;
}

static int
file_fill(struct imgsniff_decoder *d, uint64_t offset, size_t size)
{
	struct isn_input *input = &d->input;
	struct isn_scratch *s = &d->scratch[ISN_SCRATCH_INPUT];
	uint64_t skip = offset - input->window;
	size_t kept = 0, step, got;
	int error;

	if (offset >= input->size || offset > INT64_MAX - (uint64_t)LINE_READ_MAX)
		return 0;		/* no file is that long */
	step = file_step(d, offset, size);
	if (offset >= input->window && skip < input->filled) {
		kept = input->filled - (size_t)skip;
		memmove(s->data, s->data + skip, kept);
	}
	input->window = offset;
	input->filled = kept;
	if (isn_scratch_grow(&d->memory, s, step, kept) == NULL)
		return scratch_error(d);
	error = input_read(d, s->data + kept, step - kept, size - kept,
			   offset + kept, &got);
	input->filled += got;
	return error;
}

static int
fd_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	struct imgsniff_decoder *d = user;
	int error = d->input.failed;

	d->input.over_limit = false;
	window_view(d, offset, view);
	if (view->size >= size)
		return 0;
	if (error == 0 && !d->input.stream)
		error = file_fill(d, offset, size);
	if (error == 0 && d->input.stream)
		error = stream_fill(d, offset, size);
	window_view(d, offset, view);
	if (error != EFBIG)		/* a limit holds for what was asked */
		d->input.failed = error;
	return error;
}

/*
 * The caller's own source. Of each view as much counts as read as the next peek
 * is further on, so that an endless source ends, too. What is at hand may as well
 * have been jumped over: more than a file's window does not count.
 */
static int
given_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	struct imgsniff_decoder *d = user;
	struct isn_input *input = &d->input;
	uint64_t passed = offset > input->window ? offset - input->window : 0;

	if (input->failed != 0)
		return input->failed;
	if (passed > input->filled)
		passed = input->filled;
	input->read_total += passed < LINE_READ_MAX ? passed : LINE_READ_MAX;
	input->over_limit = input->read_total - input->read_before >
			    d->limits.max_input;
	if (input->over_limit)
		return EFBIG;
	input->failed = input->given.peek(input->given.user, offset, size,
					  view);
	input->window = offset;
	input->filled = input->failed == 0 ? view->size : 0;
	return input->failed;
}

static void
input_init(struct imgsniff_decoder *d)
{
	d->input = (struct isn_input){ .fd = -1, .size = UINT64_MAX };
}

void
isn_input_memory(struct imgsniff_decoder *d, struct imgsniff_view bytes)
{
	input_init(d);
	d->input.memory = bytes;
	d->input.size = bytes.size;
	d->input.source.peek = memory_peek;
	d->input.source.user = &d->input.memory;
	isn_reader_init(&d->in, &d->input.source);
}

void
isn_input_fd(struct imgsniff_decoder *d, int fd, bool owned)
{
	input_init(d);
	d->input.fd = fd;
	d->input.owned = owned;
	d->input.source.peek = fd_peek;
	d->input.source.user = d;
	isn_reader_init(&d->in, &d->input.source);
}

void
isn_input_source(struct imgsniff_decoder *d,
		 const struct imgsniff_source *source)
{
	input_init(d);
	d->input.given = *source;
	d->input.source.peek = given_peek;
	d->input.source.user = d;
	isn_reader_init(&d->in, &d->input.source);
}

enum imgsniff_status
isn_input_settle(struct imgsniff_decoder *d, enum imgsniff_status st)
{
	if (d->input.failed == 0 || st == IMGSNIFF_ERR_IO ||
	    st == IMGSNIFF_ERR_MEMORY)
		return st;
	d->in.io_error = d->input.failed;
	return isn_fail_overrun(d, "input: reading failed");
}

void
isn_input_close(struct imgsniff_decoder *d)
{
	if (d->input.owned)
		close(d->input.fd);
	input_init(d);
	isn_reader_init(&d->in, &d->input.source);
}

/* A first guess at how much there is from 'offset' on, to read it in one go. */
static size_t
view_guess(const struct imgsniff_decoder *d, uint64_t offset, size_t size)
{
	const size_t start = 1 << 20;
	struct stat st;

	if (d->input.fd >= 0 && !d->input.stream &&
	    fstat(d->input.fd, &st) == 0 && st.st_size > 0 &&
	    (uint64_t)st.st_size > offset) {
		/* One more byte, so that the read meets the end of the file. */
		uint64_t left = (uint64_t)st.st_size - offset + 1;

		return left < size ? (size_t)left : size;
	}
	return size < start ? size : start;
}

/* Did a source give more than it may? A file is not asked for more. */
static bool
view_is_too_large(struct imgsniff_decoder *d, const struct imgsniff_view *view,
		  size_t size)
{
	uint64_t got = view->size < size ? view->size : size;

	d->input.over_limit = d->input.given.peek != NULL &&
			      got > d->limits.max_input;
	return d->input.over_limit;
}

static int
view_fill(struct imgsniff_decoder *d, uint64_t offset, size_t size,
	  struct imgsniff_view *view)
{
	size_t step = view_guess(d, offset, size);

	if (!d->input.stream)
		d->input.read_before = d->input.read_total;
	if (d->input.fd >= 0 && !d->input.stream) {
		if (step > d->limits.max_input &&
		    step - 1 > d->limits.max_input) {
			d->input.over_limit = true;
			return EFBIG;
		}
	}
	for (;;) {
		int error = d->input.source.peek(d->input.source.user, offset,
						 step, view);

		if (error != 0)
			return error;
		if (view_is_too_large(d, view, size))
			return EFBIG;
		if (view->size >= size || view->size < step)
			return 0;
		step = view->size < SIZE_MAX / 2 ? view->size * 2 + 1 : size;
		if (step > size)
			step = size;
	}
}

enum imgsniff_status
isn_view(struct imgsniff_decoder *d, uint64_t offset, size_t size,
	 struct imgsniff_view *view)
{
	uint64_t at = isn_tell(&d->in);
	int error = view_fill(d, offset, size, view);

	/* The window may have moved: what is read next is asked for again. */
	isn_reader_restart(&d->in, at);
	if (error != 0) {
		d->in.io_error = error;
		return isn_fail_overrun(d, "input: reading failed");
	}
	if (view->size > size)
		view->size = size;
	else if (view->size > 0 && view->size < size)
		d->input.size = offset + view->size;
	return IMGSNIFF_OK;
}

/* The size of what can tell it: memory or a file. */
static bool
input_size(const struct imgsniff_decoder *d, uint64_t *size)
{
	struct stat st;

	*size = d->input.memory.size;
	if (d->input.memory.data != NULL)
		return true;
	if (d->input.fd < 0 || fstat(d->input.fd, &st) != 0 ||
	    !S_ISREG(st.st_mode))
		return false;
	*size = (uint64_t)st.st_size;
	return true;
}

enum imgsniff_status
isn_rest(struct imgsniff_decoder *d, uint64_t offset, uint64_t *size)
{
	struct imgsniff_view view;
	enum imgsniff_status st;

	if (input_size(d, size)) {
		*size = *size > offset ? *size - offset : 0;
		return IMGSNIFF_OK;
	}
	st = isn_view(d, offset, SIZE_MAX, &view);
	*size = st == IMGSNIFF_OK ? view.size : 0;
	return st;
}
