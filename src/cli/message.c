/*
 * message.c - one line to standard error
 */

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "escape.h"
#include "message.h"

static struct output to_stderr = { .fd = STDERR_FILENO };
static struct output *first;		/* what is to be flushed before, or NULL */

static bool
is_same_file(int a, int b)
{
	struct stat sa, sb;

	return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 &&
	       sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

void
complain_after(struct output *out)
{
	first = is_same_file(out->fd, to_stderr.fd) ? out : NULL;
}

void
complain(const char *name, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);

	if (first != NULL)
		output_flush(first);
	output_string(&to_stderr, "imgsniff: ");
	if (name != NULL) {
		escape_terminal(&to_stderr, name);
		output_string(&to_stderr, ": ");
	}
	escape_text(&to_stderr, text);
	output_char(&to_stderr, '\n');
	output_flush(&to_stderr);
	to_stderr.error = 0;		/* the next line may go through */
}
