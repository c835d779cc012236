/*
 * describe.h - what a file is that is no image of ours, by libmagic
 */

#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <stddef.h>

struct description {
	const char *text;		/* "ASCII text"; never NULL */
	const char *mime;		/* "text/plain"; never NULL */
};

/*
 * Describes the file at 'fd' (read with pread() from its start; of a pipe, the
 * 'size' bytes at 'head' that were read of it). libmagic is opened at the first
 * call. Valid until the next call.
 */
struct description describe(int fd, const void *head, size_t size);

/* Closes libmagic, if it was opened. */
void describe_end(void);

#endif /* DESCRIBE_H */
