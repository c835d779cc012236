/*
 * decode.h - pixels of one file into one file, as they are or as a thumbnail
 */

#ifndef DECODE_H
#define DECODE_H

#include "options.h"
#include "picture.h"

struct target {
	const char *path;		/* NULL: standard output, if no terminal */
	bool force;			/* over a file that exists */

	/* What came of it. */
	bool written;
	bool failed;			/* to be written: the user has been told */
	bool hopeless;			/* and so will the next one */
	uint32_t width, height;
};

/*
 * Decodes the image that the workplace's decoder has open (from the descriptor
 * 'input', or from 'stream', if anything was read of it) and writes it as o->to into a file, or
 * standard output (but not to a terminal, unless its name is "-"). The file
 * appears under its name only when it is complete (temporary file and rename),
 * never over the input.
 *
 * Returns the library's status, the first that was not good, with what it was in
 * *error; IMGSNIFF_END: there is no such frame. With --keep-damaged, pixels may
 * have been written all the same.
 */
enum imgsniff_status decode_to_output(const struct options *o,
				      struct workplace *place, int input,
				      struct stream *stream,
				      struct target *target,
				      struct imgsniff_error *error);

/* Frees what was kept from file to file. */
void decode_end(void);

#endif /* DECODE_H */
