/*
 * lzw.c - the codes of a GIF frame to palette indices
 *
 * Appendix F of GIF89a. A code's string is always one that was written before,
 * together with the pixel after it: a table entry is a place in the output and a
 * length, and no string is ever put together.
 */

#include <stdbool.h>
#include <string.h>

#include "codec/gif/lzw.h"

#define CODE_BITS_MAX	12
#define TABLE_SIZE	(1 << CODE_BITS_MAX)
#define STEP		16		/* at most ISN_LZW_SLACK */

struct table {
	/*
	 * Where an entry's string begins in the output, and how long it is: each
	 * is one longer than another, so there is none above TABLE_SIZE.
	 */
	uint32_t start[TABLE_SIZE];
	uint16_t length[TABLE_SIZE];
	unsigned int next;		/* the entry to be made next */
	unsigned int width;		/* bits of a code */
	/* The string of the code before, in the output; 0 long after a clear. */
	uint32_t last_start;
	uint32_t last_length;
};

struct bits {
	const uint8_t *in;
	size_t size;
	size_t used;
	uint32_t held;
	unsigned int count;		/* bits in 'held' */
};

static void
table_clear(struct table *t, unsigned int code_size)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.*): it is 1 to 11 */
	t->next = (1u << code_size) + 2;
	t->width = code_size + 1;
	t->last_length = 0;
}

/*
 * The string of the code before and the first pixel of this one are a new entry.
 * Codes become wider when the next one may be it; if the code size is 1 that is
 * so from the second on, before there is any entry.
 */
static void
table_add(struct table *t)
{
	if (t->last_length != 0 && t->next < TABLE_SIZE) {
		t->start[t->next] = t->last_start;
		t->length[t->next] = (uint16_t)(t->last_length + 1);
		t->next++;
	}
	if (t->next == 1u << t->width && t->width < CODE_BITS_MAX)
		t->width++;
}

/*
 * The last pixel of 'from' may be the first of 'to'. Most strings are short: a
 * step of fixed size is cheaper than one of the right size, and runs into what is
 * written next, or into the slack.
 */
static void
string_copy(uint8_t *to, const uint8_t *from, size_t length)
{
	uint8_t step[STEP];

	if (length <= STEP) {
		memcpy(step, from, STEP);
		memcpy(to, step, STEP);
	} else {
		memcpy(to, from, length - 1);
	}
	to[length - 1] = from[length - 1];
}

static bool
bits_take(struct bits *b, unsigned int width, unsigned int *code)
{
	while (b->count < width) {
		if (b->used == b->size)
			return false;
		b->held |= (uint32_t)b->in[b->used++] << b->count;
		b->count += 8;
	}
	*code = b->held & ((1u << width) - 1);
	b->held >>= width;
	b->count -= width;
	return true;
}

struct isn_lzw_result
isn_lzw_decode_plain(const uint8_t *in, size_t size, unsigned int code_size,
		     uint8_t *out, size_t room)
{
	const unsigned int clear = 1u << code_size;
	struct bits b = { .in = in, .size = size };
	enum isn_lzw_end end = ISN_LZW_FULL;
	struct table t;
	size_t at = 0;

	table_clear(&t, code_size);
	while (at < room) {
		unsigned int code;
		size_t length = 1;

		if (!bits_take(&b, t.width, &code)) {
			end = ISN_LZW_STARVED;
			break;
		}
		if (code == clear) {
			table_clear(&t, code_size);
			continue;
		}
		if (code == clear + 1) {
			end = ISN_LZW_STOPPED;
			break;
		}
		/* First, so that a code may stand for the entry it completes. */
		table_add(&t);
		if (code < clear) {
			if (code > UINT8_MAX) {
				end = ISN_LZW_BROKEN;
				break;
			}
			out[at] = (uint8_t)code;
		} else if (code < t.next) {
			const uint8_t *string = out + t.start[code];

			length = t.length[code];
			if (length > room - at)
				length = room - at;
			string_copy(out + at, string, length);
		} else {
			end = ISN_LZW_BROKEN;
			break;
		}
		t.last_start = (uint32_t)at;
		t.last_length = (uint32_t)length;
		at += length;
	}
	return (struct isn_lzw_result){ end, at, b.used };
}
