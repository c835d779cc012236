/*
 * inflate.h - zlib streams (RFC 1950), the whole or piece by piece
 *
 * The only place that knows libdeflate and zlib. A context is reused from stream
 * to stream and allocates only in the first one.
 */

#ifndef ISN_BASE_INFLATE_H
#define ISN_BASE_INFLATE_H

#include "base/memory.h"

/* Starts as zero bytes. What is inside is made when it is first needed. */
struct isn_inflate {
	struct isn_inflate_stream *stream;
	void *whole;
	size_t behind;			/* of the last whole stream; see below */
};

enum isn_inflate_status {
	ISN_INFLATE_END,		/* the stream ended, its checksum held */
	ISN_INFLATE_FULL,		/* no room left, more may follow */
	ISN_INFLATE_HUNGRY,		/* all input used, the stream goes on */
	ISN_INFLATE_DAMAGED,		/* the input is no such stream */
	ISN_INFLATE_CHECKSUM,		/* ended, but its checksum is wrong */
	ISN_INFLATE_MEMORY,		/* see isn_memory.over_limit */
};

/* Frees what 'z' holds and leaves it zero. */
void isn_inflate_release(struct isn_inflate *z, struct isn_memory *m);

/*
 * All of 'in' at once, as fast as can be; bytes behind the stream's end are not
 * looked at, but counted in z->behind. *used is how many bytes it gave. Which of
 * its faults a bad stream has is not always told right: ask the other interface
 * below.
 */
enum isn_inflate_status
isn_inflate_whole(struct isn_inflate *z, struct isn_memory *m, const void *in,
		  size_t in_size, void *out, size_t out_size, size_t *used);

/*
 * Piece by piece: begin, then feed whenever read is HUNGRY. What was read before
 * a fault is right, and isn_inflate_left() tells how many of the bytes fed last
 * lie behind it. 'in' must stay put until it is used up.
 */
bool isn_inflate_begin(struct isn_inflate *z, struct isn_memory *m);
void isn_inflate_feed(struct isn_inflate *z, const void *in, size_t size);

/* FULL when all of 'size' was given, which may be at the very end, too. */
enum isn_inflate_status
isn_inflate_read(struct isn_inflate *z, void *out, size_t size, size_t *used);

size_t isn_inflate_left(const struct isn_inflate *z);

#endif /* ISN_BASE_INFLATE_H */
