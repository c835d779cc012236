/*
 * dc_bits.h - the bits of a scan as it lies in the input; a part of dc.c
 */

#ifndef ISN_CODEC_JPEG_DC_BITS_H
#define ISN_CODEC_JPEG_DC_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Bits are passed by value: within a loop they live in registers, as long as what
 * is frequent is part of the loop and what is rare is not.
 */
#define HOT	inline __attribute__((always_inline))
#define COLD	__attribute__((noinline))

struct bits {
	uint64_t buffer;		/* the next bit is the highest one */
	unsigned int count;		/* of bits in it; what lies below them is
					   zero or what will follow them */
	unsigned int invented;		/* how many of them are no input's */
	const uint8_t *next;
	const uint8_t *end;
};

/* Bits that are in the buffer after a refill, at the least. */
#define REFILLED	56

/* The next byte of the data, or -1 at a marker, or at the end. */
static int
byte_next(struct bits *b)
{
	const uint8_t *p = b->next;

	if (p == b->end)
		return -1;
	if (*p != 0xFF) {
		b->next++;
		return *p;
	}
	while (p < b->end && *p == 0xFF)
		p++;			/* fill bytes, as libjpeg has it */
	if (p == b->end || *p != 0)
		return -1;
	b->next = p + 1;
	return 0xFF;
}

/* Byte by byte, over FF 00; after the last one come zeros, and are counted. */
static COLD struct bits
bits_refill_slowly(struct bits b)
{
	while (b.count < REFILLED) {
		int byte = byte_next(&b);

		if (byte < 0)
			b.invented += 8;
		else
			b.buffer |= (uint64_t)byte << (REFILLED - b.count);
		b.count += 8;
	}
	return b;
}

static bool
has_ff(uint64_t v)
{
	return (~v - UINT64_C(0x0101010101010101)) & v &
	       UINT64_C(0x8080808080808080);
}

static HOT struct bits
bits_refill(struct bits b)
{
	uint64_t v;

	if ((size_t)(b.end - b.next) < sizeof(v))
		return bits_refill_slowly(b);
	memcpy(&v, b.next, sizeof(v));
	if (has_ff(v))
		return bits_refill_slowly(b);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	b.buffer |= v >> b.count;
	b.next += (63 - b.count) >> 3;
	b.count |= REFILLED;
	return b;
}

static inline unsigned int
bits_peek(struct bits b, unsigned int n)
{
	return (unsigned int)(b.buffer >> (64 - n));
}

static HOT struct bits
bits_drop(struct bits b, unsigned int n)
{
	b.buffer <<= n;
	b.count -= n;
	return b;
}

/* Have bits been used that the input does not have? */
static HOT bool
bits_exhausted(struct bits b)
{
	return b.invented > b.count;
}

/* After a code that does not exist: all that follows is none of the input's. */
#define SPOILT	(1u << 30)

static HOT struct bits
bits_spoil(struct bits b)
{
	b.invented |= SPOILT;
	return b;
}

#endif /* ISN_CODEC_JPEG_DC_BITS_H */
