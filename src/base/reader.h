/*
 * reader.h - a cursor over the input that cannot run off its end
 *
 * Reads past the end return zero and set 'overrun', which stays set. A codec
 * reads a whole header in a straight line and asks once, at the end, whether
 * all of it was there.
 */

#ifndef ISN_BASE_READER_H
#define ISN_BASE_READER_H

#include <imgsniff.h>

#include "base/bytes.h"

struct isn_reader {
	const uint8_t *next;		/* next unread byte */
	const uint8_t *end;		/* just past the bytes at hand */
	uint64_t end_offset;		/* offset of 'end' in the input */
	const struct imgsniff_source *source;
	uint64_t wanted;		/* on overrun: input size that would do */
	int io_error;			/* errno of a failed peek(), or 0 */
	bool overrun;
};

/* A reader at the start of what 'source' serves; the source must outlive it. */
void isn_reader_init(struct isn_reader *r, const struct imgsniff_source *source);

/* Slow path of the reads below: get 'size' bytes at hand, or set 'overrun'. */
bool isn_refill(struct isn_reader *r, size_t size);

/* Moves anywhere; nothing is read until it is asked for. */
void isn_seek(struct isn_reader *r, uint64_t offset);

/* Moves there and forgets an overrun: for another pass over the input. */
void isn_reader_restart(struct isn_reader *r, uint64_t offset);

/* Moves 'size' bytes on, over the end too: the next read finds that out. */
void isn_skip(struct isn_reader *r, uint64_t size);

static inline uint64_t
isn_tell(const struct isn_reader *r)
{
	return r->end_offset - (uint64_t)(r->end - r->next);
}

static inline bool
isn_have(struct isn_reader *r, size_t size)
{
	return (size_t)(r->end - r->next) >= size || isn_refill(r, size);
}

/*
 * 'size' bytes, not copied, valid until the next read; NULL on overrun. Meant
 * for small runs: a file source reads them into its window.
 */
static inline const uint8_t *
isn_bytes(struct isn_reader *r, size_t size)
{
	const uint8_t *p;

	if (!isn_have(r, size))
		return NULL;
	p = r->next;
	r->next += size;
	return p;
}

/* Is there a byte left? Sets no overrun, so it tells a clean end from a cut. */
bool isn_at_end(struct isn_reader *r);

static inline uint8_t
isn_u8(struct isn_reader *r)
{
	/* 'next' is never NULL. NOLINTNEXTLINE(clang-analyzer-core.*) */
	return isn_have(r, 1) ? *r->next++ : 0;
}

static inline uint16_t
isn_u16be(struct isn_reader *r)
{
	const uint8_t *p = isn_bytes(r, 2);

	return p ? isn_load_u16be(p) : 0;
}

static inline uint16_t
isn_u16le(struct isn_reader *r)
{
	const uint8_t *p = isn_bytes(r, 2);

	return p ? isn_load_u16le(p) : 0;
}

static inline uint32_t
isn_u24le(struct isn_reader *r)
{
	const uint8_t *p = isn_bytes(r, 3);

	return p ? isn_load_u24le(p) : 0;
}

static inline uint32_t
isn_u32be(struct isn_reader *r)
{
	const uint8_t *p = isn_bytes(r, 4);

	return p ? isn_load_u32be(p) : 0;
}

static inline uint32_t
isn_u32le(struct isn_reader *r)
{
	const uint8_t *p = isn_bytes(r, 4);

	return p ? isn_load_u32le(p) : 0;
}

#endif /* ISN_BASE_READER_H */
