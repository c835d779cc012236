/*
 * inflate.c - zlib streams (RFC 1950), the whole or piece by piece
 *
 * libdeflate is two to three times as fast as zlib, but wants all input and all
 * room at once and tells nothing about a stream that ends early. zlib gives every
 * byte up to the fault and says where that is.
 */

#include <limits.h>
#include <stdalign.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

#include "base/bytes.h"
#include "base/inflate.h"
#include "base/written.h"

struct isn_inflate_stream {
	z_stream zlib;
	const uint8_t *next;		/* fed, but not yet given to zlib */
	size_t left;
};

/* zlib does not tell the size of what it frees: it stands in front. */
union block_head {
	size_t size;
	max_align_t align;
};

static void *
stream_alloc(void *opaque, unsigned int items, unsigned int size)
{
	union block_head *head;
	size_t total;

	if (!isn_size_mul(items, size, &total) ||
	    !isn_size_add(total, sizeof(*head), &total))
		return NULL;
	head = isn_memory_alloc(opaque, total);
	if (head == NULL)
		return NULL;
	head->size = total;
	return head + 1;
}

static void
stream_free(void *opaque, void *ptr)
{
	union block_head *head = ptr;

	if (head != NULL)
		isn_memory_free(opaque, head - 1, head[-1].size);
}

static bool
stream_make(struct isn_inflate *z, struct isn_memory *m)
{
	struct isn_inflate_stream *s = isn_memory_alloc(m, sizeof(*s));

	if (s == NULL)
		return false;
	memset(s, 0, sizeof(*s));
	s->zlib.zalloc = stream_alloc;
	s->zlib.zfree = stream_free;
	s->zlib.opaque = m;
	if (inflateInit(&s->zlib) != Z_OK) {
		isn_memory_free(m, s, sizeof(*s));
		return false;
	}
	z->stream = s;
	return true;
}

bool
isn_inflate_begin(struct isn_inflate *z, struct isn_memory *m)
{
	if (z->stream == NULL && !stream_make(z, m))
		return false;
	z->stream->left = 0;
	z->stream->zlib.avail_in = 0;
	return inflateReset(&z->stream->zlib) == Z_OK;
}

void
isn_inflate_feed(struct isn_inflate *z, const void *in, size_t size)
{
	z->stream->next = in;
	z->stream->left = size;
	z->stream->zlib.avail_in = 0;
}

size_t
isn_inflate_left(const struct isn_inflate *z)
{
	return z->stream->left + z->stream->zlib.avail_in;
}

/* zlib counts in unsigned int, what is fed in size_t. */
static void
stream_refill(struct isn_inflate_stream *s)
{
	size_t part = s->left < UINT_MAX ? s->left : UINT_MAX;

	if (s->zlib.avail_in > 0 || part == 0)
		return;
	s->zlib.next_in = s->next;
	s->zlib.avail_in = (unsigned int)part;
	s->next += part;
	s->left -= part;
}

/*
 * zlib says only Z_DATA_ERROR. A wrong checksum is found when the four bytes of
 * it were taken and all output is there; zlib tells it by this very message.
 */
static enum isn_inflate_status
stream_fault(const struct isn_inflate_stream *s)
{
	static const char checksum[] = "incorrect data check";

	if (s->zlib.msg != NULL && strcmp(s->zlib.msg, checksum) == 0)
		return ISN_INFLATE_CHECKSUM;
	return ISN_INFLATE_DAMAGED;
}

enum isn_inflate_status
isn_inflate_read(struct isn_inflate *z, void *out, size_t size, size_t *used)
{
	struct isn_inflate_stream *s = z->stream;
	uint8_t *to = out;

	*used = 0;
	for (;;) {
		size_t room = size - *used;
		int result;

		if (room == 0)
			return ISN_INFLATE_FULL;
		room = room < UINT_MAX ? room : UINT_MAX;
		stream_refill(s);
		s->zlib.next_out = to + *used;
		s->zlib.avail_out = (unsigned int)room;
		result = inflate(&s->zlib, Z_NO_FLUSH);
		isn_written(&s->zlib, sizeof(s->zlib));
		isn_written(to + *used, room - s->zlib.avail_out);
		*used += room - s->zlib.avail_out;
		if (result == Z_STREAM_END)
			return ISN_INFLATE_END;
		if (result == Z_MEM_ERROR)
			return ISN_INFLATE_MEMORY;
		if (result != Z_OK && result != Z_BUF_ERROR)
			return stream_fault(s);
		if (s->zlib.avail_out > 0 && isn_inflate_left(z) == 0)
			return ISN_INFLATE_HUNGRY;
	}
}

#if HAVE_LIBDEFLATE
#include <libdeflate.h>

/* Its tables: 12 kB in version 1.14, and there is no way to ask. */
#define WHOLE_ESTIMATE	16384

static void
whole_release(struct isn_inflate *z, struct isn_memory *m)
{
	if (z->whole == NULL)
		return;
	libdeflate_free_decompressor(z->whole);
	isn_memory_release(m, WHOLE_ESTIMATE);
	z->whole = NULL;
}

static bool
whole_make(struct isn_inflate *z, struct isn_memory *m)
{
	if (!isn_memory_reserve(m, WHOLE_ESTIMATE))
		return false;
	z->whole = libdeflate_alloc_decompressor();
	if (z->whole == NULL)
		isn_memory_release(m, WHOLE_ESTIMATE);
	return z->whole != NULL;
}

enum isn_inflate_status
isn_inflate_whole(struct isn_inflate *z, struct isn_memory *m, const void *in,
		  size_t in_size, void *out, size_t out_size, size_t *used)
{
	enum libdeflate_result result;
	size_t taken;

	*used = 0;
	if (z->whole == NULL && !whole_make(z, m))
		return ISN_INFLATE_MEMORY;
	result = libdeflate_zlib_decompress_ex(z->whole, in, in_size, out,
					       out_size, &taken, used);
	isn_written(&taken, sizeof(taken));
	isn_written(used, sizeof(*used));
	switch (result) {
	case LIBDEFLATE_SUCCESS:
	case LIBDEFLATE_SHORT_OUTPUT:
		isn_written(out, *used);
		z->behind = in_size - taken;
		return ISN_INFLATE_END;
	case LIBDEFLATE_INSUFFICIENT_SPACE:
		return ISN_INFLATE_FULL;
	case LIBDEFLATE_BAD_DATA:
		break;
	}
	return ISN_INFLATE_DAMAGED;
}
#else
static void
whole_release(struct isn_inflate *z, struct isn_memory *m)
{
	(void)z;
	(void)m;
}

enum isn_inflate_status
isn_inflate_whole(struct isn_inflate *z, struct isn_memory *m, const void *in,
		  size_t in_size, void *out, size_t out_size, size_t *used)
{
	enum isn_inflate_status st;
	uint8_t extra;
	size_t more;

	*used = 0;
	if (!isn_inflate_begin(z, m))
		return ISN_INFLATE_MEMORY;
	isn_inflate_feed(z, in, in_size);
	st = isn_inflate_read(z, out, out_size, used);
	/* Full to the brim is the end only if nothing follows. */
	if (st == ISN_INFLATE_FULL) {
		st = isn_inflate_read(z, &extra, 1, &more);
		if (more > 0)
			st = ISN_INFLATE_FULL;
	}
	z->behind = isn_inflate_left(z);
	return st;
}
#endif

void
isn_inflate_release(struct isn_inflate *z, struct isn_memory *m)
{
	struct isn_inflate_stream *s = z->stream;

	whole_release(z, m);
	if (s != NULL) {
		inflateEnd(&s->zlib);
		isn_memory_free(m, s, sizeof(*s));
	}
	z->stream = NULL;
}
