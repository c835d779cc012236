/*
 * output.c - standard output through one buffer, every flush checked
 *
 * output_flush() runs in signal handlers too (see interrupt.c): nothing in it may
 * allocate or lock.
 */

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

void
output_init(struct output *out, int fd)
{
	struct stat st;

	out->fd = fd;
	out->by_line = isatty(fd);
	out->is_pipe = fstat(fd, &st) == 0 &&
		       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
	out->error = 0;
	out->busy = 0;
	out->late = 0;
	out->wake = NULL;
	out->used = 0;
}

/* The fences: to a handler, nothing happens outside of the busy time. */
static void
busy_begin(struct output *out)
{
	out->busy = out->busy + 1;
	atomic_signal_fence(memory_order_seq_cst);
}

static void
busy_end(struct output *out)
{
	atomic_signal_fence(memory_order_seq_cst);
	out->busy = out->busy - 1;
	if (out->busy == 0 && out->late) {
		out->late = 0;
		if (out->wake != NULL)
			out->wake();
	}
}

/* The reader has gone: end as SIGPIPE does, also where it was ignored. */
static void
pipe_broken(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(SIGPIPE);
}

/* A descriptor shared with others may have been made non-blocking by them. */
static void
room_wait(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	poll(&p, 1, -1);
}

static void
write_all(struct output *out, const char *bytes, size_t size)
{
	while (size > 0 && out->error == 0) {
		ssize_t n = write(out->fd, bytes, size);

		if (n >= 0) {
			bytes += n;
			size -= (size_t)n;
		} else if (errno == EAGAIN) {
			room_wait(out->fd);
		} else if (errno != EINTR) {
			out->error = errno;
			if (errno == EPIPE)
				pipe_broken();
		}
	}
}

bool
output_flush(struct output *out)
{
	busy_begin(out);
	write_all(out, out->bytes, out->used);
	out->used = 0;
	busy_end(out);
	return out->error == 0;
}

void
output_record_begin(struct output *out)
{
	busy_begin(out);
}

void
output_record_end(struct output *out)
{
	if (out->by_line || out->used >= OUTPUT_BLOCK)
		output_flush(out);
	busy_end(out);
}

void
output_write(struct output *out, const void *bytes, size_t size)
{
	if (size > sizeof(out->bytes) - out->used) {
		output_flush(out);
		if (size >= OUTPUT_BLOCK) {
			write_all(out, bytes, size);
			return;
		}
	}
	memcpy(out->bytes + out->used, bytes, size);
	out->used += size;
}

void
output_string(struct output *out, const char *s)
{
	output_write(out, s, strlen(s));
}

void
output_char(struct output *out, char c)
{
	if (out->used == sizeof(out->bytes))
		output_flush(out);
	out->bytes[out->used++] = c;
}

void
output_number(struct output *out, uint64_t n)
{
	char digits[20];		/* of UINT64_MAX */
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n != 0);
	output_write(out, digits + at, sizeof(digits) - at);
}

void
output_format(struct output *out, const char *format, ...)
{
	char text[1024];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(text))
		n = (int)sizeof(text) - 1;
	output_write(out, text, (size_t)n);
}
