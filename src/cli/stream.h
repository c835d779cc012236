/*
 * stream.h - a pipe as a source of an image, whose head can be looked at after
 */

#ifndef STREAM_H
#define STREAM_H

#include <imgsniff.h>

/* Zero but for 'limit' at first; what was read stays in 'bytes'. */
struct stream {
	int fd;
	uint64_t limit;			/* bytes to read at most */
	bool over_limit;		/* more were asked for */
	bool ended;
	uint8_t *bytes;
	size_t used, size;
};

/* Is 'fd' one that cannot be read from a place? */
bool is_stream(int fd);

/* Serves what the library asks for and reads no further. */
struct imgsniff_source stream_source(struct stream *s, int fd);

/* Nothing was read yet; what memory is ordinary is kept for the next one. */
void stream_reset(struct stream *s);

void stream_free(struct stream *s);

#endif /* STREAM_H */
