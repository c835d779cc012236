/*
 * describe.h - what a file is that is no image of ours, by libmagic
 */

#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <stddef.h>

/* What to find out: each takes libmagic its time. */
enum describe_want {
	DESCRIBE_TEXT = 1 << 0,
	DESCRIBE_MIME = 1 << 1,
};

struct description {
	const char *text;		/* "ASCII text"; NULL if not wanted */
	const char *mime;		/* "text/plain"; NULL if not wanted */
};

/*
 * Describes the file at 'fd' (read with pread() from its start; of a pipe, the
 * 'size' bytes at 'head' that were read of it). libmagic is opened at the first
 * call. Valid until the next call.
 */
struct description describe(int fd, const void *head, size_t size,
			    unsigned int want);

/* Closes libmagic, if it was opened. */
void describe_end(void);

#endif /* DESCRIBE_H */
