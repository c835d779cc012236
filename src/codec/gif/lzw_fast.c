/*
 * lzw_fast.c - the same as lzw.c, in a third of the time
 *
 * Most codes stand for a short string that is there. What is rare may be slow:
 *
 *	- A single pixel is a table entry too: a string of length 1, elsewhere.
 *	- Four codes are taken from each eight bytes of input.
 *	- A string is copied in one step of fixed size. Only a longer one is
 *	  looked at again, and so is one of length 0, which stands for all that is
 *	  no string: clear, end, and entries that are not there.
 *	- How many codes come until they grow wider is known, so that the table
 *	  needs no look while they do.
 *
 * What does not fit this is left to code_read(), which takes one code with all
 * the care of lzw.c: what follows a clear, and what is near the end of the input
 * or of the output. So this one needs neither the pad nor the slack.
 */

#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/gif/lzw.h"

#define CODE_BITS_MAX	12
#define TABLE_SIZE	(1u << CODE_BITS_MAX)

/* Codes per refill, of 12 bits at most: a refill gives 56 at least. */
#define GROUP		4

/* Pixels in one step of a copy: what a register holds. */
#define STEP		16
#define GROUP_PIXELS	((ptrdiff_t)GROUP * STEP)

struct state {
	const uint8_t *in;		/* the next byte that is not in 'held' */
	const uint8_t *in_end;
	uint64_t held;
	unsigned int count;		/* bits in 'held'; those above are either
					   0 or what will come there */
	uint8_t *at;			/* the next pixel to be written */
	uint8_t *end;

	unsigned int clear;
	unsigned int next;		/* the entry to be made next */
	unsigned int width;		/* bits of a code */
	/* The string of the code before, in the output; 0 long after a clear. */
	const uint8_t *last;
	unsigned int last_length;

	/* Where the string of a code is, and how many pixels; 0: no string. */
	const uint8_t *start[TABLE_SIZE];
	uint16_t length[TABLE_SIZE];
	/* Those of one pixel, and what a step reads behind the last one. */
	uint8_t literals[256 + STEP];
};

/* What a code of 'width' bits can name is there, or else has no length. */
static void
width_set(struct state *s, unsigned int width)
{
	memset(s->length + s->next, 0,
	       ((1u << width) - s->next) * sizeof(s->length[0]));
	s->width = width;
}

static void
table_clear(struct state *s, unsigned int code_size)
{
	s->next = s->clear + 2;
	s->last_length = 0;
	width_set(s, code_size + 1);
}

static void
table_begin(struct state *s, unsigned int code_size)
{
	s->clear = 1u << code_size;
	for (unsigned int i = 0; i < sizeof(s->literals); i++)
		s->literals[i] = (uint8_t)i;
	memset(s->length, 0, (s->clear + 2) * sizeof(s->length[0]));
	for (unsigned int i = 0; i < s->clear && i <= UINT8_MAX; i++) {
		s->start[i] = s->literals + i;
		s->length[i] = 1;
	}
	table_clear(s, code_size);
}

/* As in lzw.c. */
static void
table_add(struct state *s)
{
	if (s->last_length != 0 && s->next < TABLE_SIZE) {
		s->start[s->next] = s->last;
		s->length[s->next] = (uint16_t)(s->last_length + 1);
		s->next++;
	}
	if (s->next == 1u << s->width && s->width < CODE_BITS_MAX)
		width_set(s, s->width + 1);
}

static bool
code_take(struct state *s, unsigned int *code)
{
	while (s->count < s->width) {
		if (s->in == s->in_end)
			return false;
		s->held |= (uint64_t)*s->in++ << s->count;
		s->count += 8;
	}
	*code = (unsigned int)s->held & ((1u << s->width) - 1);
	s->held >>= s->width;
	s->count -= s->width;
	return true;
}

/* One code, as in lzw.c; false at the end, of which *end tells. */
static bool
code_read(struct state *s, unsigned int code_size, enum isn_lzw_end *end)
{
	size_t length, room;
	unsigned int code;

	*end = ISN_LZW_STARVED;
	if (!code_take(s, &code))
		return false;
	if (code == s->clear) {
		table_clear(s, code_size);
		return true;
	}
	*end = ISN_LZW_STOPPED;
	if (code == s->clear + 1)
		return false;
	table_add(s);
	*end = ISN_LZW_BROKEN;
	length = s->length[code];
	if (length == 0)
		return false;
	room = (size_t)(s->end - s->at);
	if (length > room)
		length = room;
	/* The last pixel of the one may be the first of the other. */
	memcpy(s->at, s->start[code], length - 1);
	s->at[length - 1] = s->start[code][length - 1];
	s->last = s->at;
	s->last_length = (unsigned int)length;
	s->at += length;
	return true;
}

static inline uint64_t
load_u64le(const uint8_t *p)
{
	return (uint64_t)isn_load_u32le(p + 4) << 32 | isn_load_u32le(p);
}

static inline void
step_copy(uint8_t *to, const uint8_t *from)
{
	uint8_t step[STEP];

	memcpy(step, from, STEP);
	memcpy(to, step, STEP);
}

/*
 * Groups of codes until one is met that does not fit, which is left in the input,
 * or until the input, the output or the codes of one width come to their end.
 * There is a code before, and if the table is not 'full' there is room in it.
 */
static inline void
groups_read(struct state *s, bool full)
{
	const unsigned int width = s->width;
	const uint64_t mask = (1u << width) - 1;
	const unsigned int next_end = (1u << width) - GROUP;
	/*
	 * A group may begin up to here: each of its codes goes at most a step
	 * on, or else comes to an end before here.
	 */
	uint8_t *const end = s->end - GROUP_PIXELS;
	const uint8_t *in = s->in, *last = s->last;
	unsigned int next = s->next, count = s->count;
	unsigned int last_length = s->last_length;
	uint64_t held = s->held;
	uint8_t *at = s->at;
	uint8_t first = *last;

	while (at <= end && s->in_end - in >= 8 && (full || next <= next_end)) {
		held |= load_u64le(in) << count;
		in += (63 - count) >> 3;
		count |= 56;
		for (unsigned int i = 0; i < GROUP; i++) {
			const size_t code = held & mask;
			const uint8_t *from;
			size_t length;

			if (!full) {
				/* Before it is looked up: it may be the one. */
				s->start[next] = last;
				s->length[next] = (uint16_t)(last_length + 1);
				*at = first;
			}
			from = s->start[code];
			length = s->length[code];
			if (__builtin_expect(length - 1 >= STEP, 0)) {
				if (length == 0 ||
				    (ptrdiff_t)length > end - at) {
					count -= i * width;
					goto leave;
				}
				for (size_t n = STEP; n < length; n += STEP)
					step_copy(at + n, from + n);
			}
			first = *from;
			step_copy(at, from);
			held >>= width;
			next += !full;
			last = at;
			last_length = (unsigned int)length;
			at += length;
		}
		count -= GROUP * width;
	}
leave:
	s->in = in;
	s->held = held;
	s->count = count;
	s->next = next;
	s->last = last;
	s->last_length = last_length;
	s->at = at;
}

/* As many as can be, in groups, after one that was read with care. */
static void
run_read(struct state *s)
{
	if (s->last_length == 0 || s->end - s->at < GROUP_PIXELS)
		return;
	if (s->next == TABLE_SIZE) {
		groups_read(s, true);
		return;
	}
	groups_read(s, false);
	if (s->next == 1u << s->width && s->width < CODE_BITS_MAX)
		width_set(s, s->width + 1);
}

struct isn_lzw_result
isn_lzw_decode(const uint8_t *in, size_t size, unsigned int code_size,
	       uint8_t *out, size_t room)
{
	enum isn_lzw_end end = ISN_LZW_FULL;
	struct state s;

	s.in = in;
	s.in_end = in + size;
	s.held = s.count = 0;
	s.at = out;
	s.end = out + room;
	table_begin(&s, code_size);
	while (s.at < s.end && code_read(&s, code_size, &end))
		run_read(&s);
	if (s.at == s.end)
		end = ISN_LZW_FULL;
	return (struct isn_lzw_result){
		end, (size_t)(s.at - out),
		end == ISN_LZW_STARVED ? size
				       : (size_t)(s.in - in) - s.count / 8,
	};
}
