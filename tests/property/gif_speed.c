/*
 * gif_speed.c - the fast ways of codec/gif do what the plain ones do
 *
 * Input and output lie against pages that nobody may touch, once at their end and
 * once at their start.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "codec/gif/lzw.h"
#include "codec/gif/paint.h"
#include "property/fence.h"

#define STREAMS		12000
#define ROWS		4000
#define IN_MAX		20000
#define OUT_MAX		200000

static uint32_t
random_below(uint32_t n)
{
	static uint64_t state = 7;

	state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)((state >> 33) % n);
}

/* ---- Streams of codes --------------------------------------------------------- */

struct codes {
	uint8_t bytes[IN_MAX];
	size_t size;
	uint32_t held;
	unsigned int count;
};

static struct codes codes;

static bool
code_put(unsigned int code, unsigned int width)
{
	codes.held |= code << codes.count;
	for (codes.count += width; codes.count >= 8; codes.count -= 8) {
		if (codes.size == IN_MAX)
			return false;
		codes.bytes[codes.size++] = (uint8_t)codes.held;
		codes.held >>= 8;
	}
	return true;
}

/* What kinds of codes a stream has, out of 4096. */
struct mixture {
	unsigned int clear, end, wrong, newest, string;
};

/*
 * Codes that mostly stand for something, whatever it is. The newest string comes
 * up most where colours are flat, and makes strings as long as they can get.
 */
static void
codes_make(unsigned int code_size, const struct mixture *m, size_t n)
{
	const unsigned int clear = 1u << code_size;
	unsigned int next = clear + 2, width = code_size + 1, code;
	bool have = false;

	codes.size = codes.held = codes.count = 0;
	while (n-- > 0) {
		unsigned int kind = random_below(4096);
		unsigned int literals = clear < 256 ? clear : 256;

		code = random_below(literals);
		if (kind < m->clear)
			code = clear;
		else if ((kind -= m->clear) < m->end)
			code = clear + 1;
		else if ((kind -= m->end) < m->wrong)
			code = random_below(1u << width);
		else if ((kind -= m->wrong) < m->newest && have)
			code = next < 4096 ? next : 4095;
		else if ((kind -= m->newest) < m->string && next > clear + 2)
			code = clear + 2 + random_below(next - clear - 2);
		if (!code_put(code, width))
			return;
		if (code == clear) {
			next = clear + 2;
			width = code_size + 1;
			have = false;
			continue;
		}
		if (have && next < 4096)
			next++;
		have = true;
		if (next == 1u << width && width < 12)
			width++;
	}
	code_put(clear + 1, width);
	code_put(0, 8);
}

static void
stream_make(unsigned int code_size)
{
	static const struct mixture mixtures[] = {
		{ 1, 0, 0, 100, 1000 },		/* like a photo */
		{ 0, 0, 0, 100, 3000 },		/* with its table kept */
		{ 2, 1, 1, 3000, 900 },		/* like a drawing */
		{ 0, 0, 0, 4096, 0 },		/* one colour */
		{ 500, 0, 0, 500, 2000 },
		{ 1500, 3, 3, 500, 1000 },
		{ 8, 8, 8, 1000, 2000 },
	};
	size_t n = random_below(4) ? random_below(500) : random_below(12000);

	if (random_below(8) == 0) {
		codes.size = random_below(2000);
		for (size_t i = 0; i < codes.size; i++)
			codes.bytes[i] = (uint8_t)random_below(256);
		return;
	}
	codes_make(code_size, &mixtures[random_below(7)], n);
	for (uint32_t hits = random_below(3) ? 0 : random_below(4);
	     hits > 0 && codes.size > 0; hits--)
		codes.bytes[random_below((uint32_t)codes.size)] ^=
			(uint8_t)(1u << random_below(8));
	if (random_below(4) == 0)
		codes.size = random_below((uint32_t)codes.size + 1);
}

/* ---- The properties ----------------------------------------------------------- */

static uint8_t plain[OUT_MAX + ISN_LZW_SLACK];

static void
stream_check(const struct fence *in, const struct fence *out,
	     unsigned int code_size, size_t room, bool at_end)
{
	uint8_t *from = fence_at(in, codes.size, at_end);
	uint8_t *to = fence_at(out, room, at_end);
	struct isn_lzw_result a, b;

	memcpy(from, codes.bytes, codes.size);
	memset(to, 0x5A, room);
	a = isn_lzw_decode_plain(from, codes.size, code_size, plain, room);
	b = isn_lzw_decode(from, codes.size, code_size, to, room);

	assert_int_equal(a.end, b.end);
	assert_int_equal(a.pixels, b.pixels);
	assert_int_equal(a.used, b.used);
	assert_memory_equal(plain, to, a.pixels);
}

static void
all_streams_give_the_same_pixels_and_the_same_fault(void **state)
{
	struct fence in = fence_make(IN_MAX), out = fence_make(OUT_MAX);
	unsigned int ends[4] = { 0 }, full_tables = 0;

	(void)state;
	for (int i = 0; i < STREAMS; i++) {
		unsigned int code_size = 1 + random_below(ISN_LZW_CODE_SIZE_MAX);
		struct isn_lzw_result all;
		size_t room;

		stream_make(code_size);
		room = random_below(3) ? OUT_MAX : random_below(3000);
		all = isn_lzw_decode_plain(codes.bytes, codes.size, code_size,
					   plain, room);
		ends[all.end]++;
		full_tables += all.pixels > 8000;
		/* With too much room, with none to spare, and with too little. */
		for (unsigned int less = 0; less < 4; less++) {
			if (less == 1)
				room = all.pixels;
			else if (less > 1)
				room -= random_below((uint32_t)room + 1) / 8;
			stream_check(&in, &out, code_size, room, less % 2);
		}
	}
	/* No kind of end may have become rare. */
	for (int i = 0; i < 4; i++)
		assert_true(ends[i] > STREAMS / 100);
	assert_true(full_tables > STREAMS / 20);
	fence_free(&in);
	fence_free(&out);
}

static void
indices_make(uint8_t *p, size_t n, unsigned int transparent)
{
	while (n > 0) {
		uint32_t run = random_below(3) ? 1 : 1 + random_below(60);
		uint8_t v = (uint8_t)(random_below(2) ? transparent
						      : random_below(256));

		for (; run > 0 && n > 0; run--, n--)
			*p++ = v;
	}
}

static void
all_rows_are_painted_alike(void **state)
{
	struct fence in = fence_make(4096), out = fence_make(16384);
	static uint8_t want[1200];
	struct isn_gif_paint paint;

	(void)state;
	for (int i = 0; i < ROWS; i++) {
		size_t width = random_below(300);
		uint8_t *indices = fence_at(&in, width, i % 2);
		uint8_t *row = fence_at(&out, 4 * width, i % 2);

		paint.transparent = random_below(257);
		if (random_below(3) == 0)
			paint.transparent = 256;
		for (size_t n = 0; n < sizeof(paint.color); n++)
			paint.color[n / 4][n % 4] = (uint8_t)
				(n % 4 == 3 ? 255 : random_below(256));
		if (paint.transparent < 256)
			memset(paint.color[paint.transparent], 0, 4);
		indices_make(indices, width, paint.transparent);
		memset(row, 0x77, 4 * width);
		memset(want, 0x77, 4 * width);

		isn_gif_row_paint(row, indices, width, &paint);

		isn_gif_row_paint_plain(want, indices, width, &paint);
		assert_memory_equal(row, want, 4 * width);
	}
	fence_free(&in);
	fence_free(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    all_streams_give_the_same_pixels_and_the_same_fault),
		cmocka_unit_test(all_rows_are_painted_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
