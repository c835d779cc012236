/*
 * peek.c - looking at bytes in place, against wrapping them in a reader first
 *
 * Data that is in memory already needs no reader to be looked at. The reader
 * here is what a buffered reader is in most languages: an object and a buffer of
 * 4 KiB, filled through a function that copies.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <imgsniff.h>

#include "bench.h"

#define READER_SIZE	4096
#define FORMATS		4
#define BATCH		20

struct memory_stream {
	const uint8_t *data;
	size_t size;
	size_t offset;
};

struct wrapped_reader {
	size_t (*fill)(void *user, uint8_t *to, size_t size);
	void *user;
	uint8_t *buffer;
	size_t start;
	size_t end;
};

static size_t
stream_fill(void *user, uint8_t *to, size_t size)
{
	struct memory_stream *s = user;
	size_t left = s->size - s->offset;

	size = size < left ? size : left;
	memcpy(to, s->data + s->offset, size);
	s->offset += size;
	return size;
}

static struct wrapped_reader *
wrapped_new(struct memory_stream *stream)
{
	struct wrapped_reader *r = malloc(sizeof(*r));

	r->buffer = malloc(READER_SIZE);
	r->fill = stream_fill;
	r->user = stream;
	r->start = r->end = 0;
	return r;
}

static struct imgsniff_view
wrapped_peek(struct wrapped_reader *r, size_t size)
{
	if (r->end - r->start < size)
		r->end += r->fill(r->user, r->buffer + r->end,
				  READER_SIZE - r->end);
	if (size > r->end - r->start)
		size = r->end - r->start;
	return (struct imgsniff_view){ r->buffer + r->start, size };
}

/* What is left in the buffer, then what is left in the stream. */
static size_t
wrapped_read_all(struct wrapped_reader *r, uint8_t *to, size_t size)
{
	size_t got = r->end - r->start;

	got = got < size ? got : size;
	memcpy(to, r->buffer + r->start, got);
	r->start += got;
	return got + r->fill(r->user, to + got, size - got);
}

static void
wrapped_free(struct wrapped_reader *r)
{
	free(r->buffer);
	free(r);
}

/* ---- The images ----------------------------------------------------------- */

struct images {
	struct bench_file files[BATCH];
	size_t count;
	struct imgsniff_decoder *decoder;
	uint8_t *copy;			/* as large as the largest */
	uint8_t *pixels;
	size_t pixels_size;
};

static struct images small;		/* about 100 px, all four formats */

static void
images_init(struct images *set, uint32_t width, uint32_t height)
{
	struct bench_file made[FORMATS] = {
		bench_make_png(width, height),
		bench_make_gif(width, height),
		bench_make_webp(width, height),
		bench_make_jpeg(width, height, 85),
	};
	size_t formats = made[3].data ? 4 : 3, largest = 0;

	for (set->count = 0; set->count < BATCH; set->count++) {
		set->files[set->count] = made[set->count % formats];
		if (largest < made[set->count % formats].size)
			largest = made[set->count % formats].size;
	}
	set->decoder = imgsniff_new(NULL);
	set->copy = malloc(largest);
	set->pixels_size = (size_t)width * height * 4;
	set->pixels = malloc(set->pixels_size);
}

static uintptr_t
pixels_decode(struct images *set, const struct imgsniff_buffer *buffer)
{
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map), .pixels = set->pixels,
		.size = set->pixels_size, .layout = IMGSNIFF_RGBA8,
	};

	if (imgsniff_open_buffer(set->decoder, buffer, 0) != IMGSNIFF_OK)
		abort();
	map.width = imgsniff_get_info(set->decoder)->width;
	map.height = imgsniff_get_info(set->decoder)->height;
	map.stride = (size_t)map.width * 4;
	if (imgsniff_decode_into(set->decoder, NULL, &map) != IMGSNIFF_OK)
		abort();
	return set->pixels[0];
}

/* ---- Peek ----------------------------------------------------------------- */

static uintptr_t
peek_wrapped(void *context, long times)
{
	const struct bench_file *f = context;
	uintptr_t sum = 0;

	while (times-- > 0) {
		struct memory_stream s = { f->data, f->size, 0 };
		struct wrapped_reader *r = wrapped_new(&s);

		sum += wrapped_peek(r, 12).data[0];
		wrapped_free(r);
	}
	return sum;
}

static uintptr_t
peek_in_place(void *context, long times)
{
	const struct bench_file *f = context;
	struct imgsniff_buffer b = imgsniff_buffer_of(f->data, f->size);
	uintptr_t sum = 0;

	while (times-- > 0) {
		/* Hide the buffer, or the loop would be folded into one peek. */
		__asm__ volatile("" : : "r"(&b) : "memory");
		sum += imgsniff_peek(&b, 12).data[0];
	}
	return sum;
}

/* ---- Sniff ---------------------------------------------------------------- */

#define HEADS	4096

struct heads {
	const uint8_t *data[HEADS];
	size_t size[HEADS];
};

static struct heads heads;

/* The four formats and some noise, in an order nobody can predict. */
static void
heads_init(void)
{
	static uint8_t noise[64][16];
	uint32_t state = 1;

	for (size_t i = 0; i < HEADS; i++) {
		size_t k;

		state = state * 1664525 + 1013904223;
		k = (state >> 8) % 5;
		heads.data[i] = k < 4 ? small.files[k].data : noise[i % 64];
		heads.size[i] = k < 4 ? small.files[k].size : 16;
		for (size_t j = 0; k == 4 && j < 16; j++)
			noise[i % 64][j] = (uint8_t)(state >> (8 + j));
	}
}

__attribute__((noinline)) static int
bare_switch(const uint8_t *b, size_t size)
{
	if (size < 12)
		return 0;
	switch (b[0]) {
	case 0xFF:
		return b[1] == 0xD8 && b[2] == 0xFF ? 1 : 0;
	case 0x89:
		return memcmp(b, "\x89PNG\r\n\x1a\n", 8) == 0 ? 2 : 0;
	case 'G':
		return memcmp(b, "GIF87a", 6) == 0 ||
		       memcmp(b, "GIF89a", 6) == 0 ? 3 : 0;
	case 'R':
		return memcmp(b, "RIFF", 4) == 0 &&
		       memcmp(b + 8, "WEBP", 4) == 0 ? 4 : 0;
	}
	return 0;
}

static uintptr_t
sniff_bare(void *context, long times)
{
	uintptr_t sum = 0;

	(void)context;
	for (long i = 0; i < times; i++)
		sum += (uintptr_t)bare_switch(heads.data[i % HEADS],
					      heads.size[i % HEADS]);
	return sum;
}

static uintptr_t
sniff_in_place(void *context, long times)
{
	uintptr_t sum = 0;

	(void)context;
	for (long i = 0; i < times; i++) {
		struct imgsniff_buffer b = imgsniff_buffer_of(
			heads.data[i % HEADS], heads.size[i % HEADS]);
		struct imgsniff_view v = imgsniff_peek(&b,
						       IMGSNIFF_DETECT_BYTES);
		enum imgsniff_format format;

		imgsniff_detect(v.data, v.size, true, &format);
		sum += format;
	}
	return sum;
}

static uintptr_t
sniff_wrapped(void *context, long times)
{
	uintptr_t sum = 0;

	(void)context;
	for (long i = 0; i < times; i++) {
		struct memory_stream s = { heads.data[i % HEADS],
					   heads.size[i % HEADS], 0 };
		struct wrapped_reader *r = wrapped_new(&s);
		struct imgsniff_view v = wrapped_peek(r, IMGSNIFF_DETECT_BYTES);
		enum imgsniff_format format;

		imgsniff_detect(v.data, v.size, true, &format);
		sum += format;
		wrapped_free(r);
	}
	return sum;
}

/* ---- Peek, then read all --------------------------------------------------- */

static uintptr_t
read_wrapped(void *context, long times)
{
	struct images *set = context;
	uintptr_t sum = 0;

	for (long i = 0; i < times; i++) {
		const struct bench_file *f = &set->files[i % BATCH];
		struct memory_stream s = { f->data, f->size, 0 };
		struct wrapped_reader *r = wrapped_new(&s);

		sum += wrapped_peek(r, 12).data[0];
		sum += wrapped_read_all(r, set->copy, f->size);
		sum += set->copy[f->size - 1];
		wrapped_free(r);
	}
	return sum;
}

static uintptr_t
read_in_place(void *context, long times)
{
	struct images *set = context;
	uintptr_t sum = 0;

	for (long i = 0; i < times; i++) {
		const struct bench_file *f = &set->files[i % BATCH];
		struct imgsniff_buffer b = imgsniff_buffer_of(f->data, f->size);
		struct imgsniff_view all;

		__asm__ volatile("" : : "r"(&b) : "memory");
		sum += imgsniff_peek(&b, 12).data[0];
		all = imgsniff_peek(&b, SIZE_MAX);
		sum += all.data[all.size - 1];
		imgsniff_skip(&b, all.size);
	}
	return sum;
}

/* ---- Sniff and decode ------------------------------------------------------ */

static uintptr_t
decode_one_wrapped(struct images *set, const struct bench_file *f)
{
	struct memory_stream s = { f->data, f->size, 0 };
	struct wrapped_reader *r = wrapped_new(&s);
	struct imgsniff_view v = wrapped_peek(r, IMGSNIFF_DETECT_BYTES);
	enum imgsniff_format format;
	struct imgsniff_buffer b;
	uintptr_t result;

	imgsniff_detect(v.data, v.size, true, &format);
	b = imgsniff_buffer_of(set->copy,
			       wrapped_read_all(r, set->copy, f->size));
	result = pixels_decode(set, &b) + format;
	wrapped_free(r);
	return result;
}

static uintptr_t
decode_one_in_place(struct images *set, const struct bench_file *f)
{
	struct imgsniff_buffer b = imgsniff_buffer_of(f->data, f->size);

	return pixels_decode(set, &b);
}

static uintptr_t
decode_wrapped(void *context, long times)
{
	struct images *set = context;
	uintptr_t sum = 0;

	while (times-- > 0)
		sum += decode_one_wrapped(set, &set->files[0]);
	return sum;
}

static uintptr_t
decode_in_place(void *context, long times)
{
	struct images *set = context;
	uintptr_t sum = 0;

	while (times-- > 0)
		sum += decode_one_in_place(set, &set->files[0]);
	return sum;
}

static uintptr_t
batch_wrapped(void *context, long times)
{
	struct images *set = context;
	uintptr_t sum = 0;

	while (times-- > 0)
		for (size_t i = 0; i < set->count; i++)
			sum += decode_one_wrapped(set, &set->files[i]);
	return sum;
}

static uintptr_t
batch_in_place(void *context, long times)
{
	struct images *set = context;
	uintptr_t sum = 0;

	while (times-- > 0)
		for (size_t i = 0; i < set->count; i++)
			sum += decode_one_in_place(set, &set->files[i]);
	return sum;
}

void
bench_peek(void)
{
	struct bench_case peek[] = {
		{ .name = "wrap in a reader of 4 KiB, peek", .run = peek_wrapped,
		  .context = &small.files[0] },
		{ .name = "peek in place", .run = peek_in_place,
		  .context = &small.files[0] },
	};
	struct bench_case sniff[] = {
		{ .name = "wrap in a reader, peek, detect", .run = sniff_wrapped },
		{ .name = "peek and detect in place", .run = sniff_in_place },
		{ .name = "a bare switch over the four formats", .run = sniff_bare },
	};
	struct bench_case read[] = {
		{ .name = "wrap, peek, read all", .run = read_wrapped,
		  .context = &small },
		{ .name = "peek, take all in place", .run = read_in_place,
		  .context = &small },
	};
	struct bench_case decode[] = {
		{ .name = "wrap, sniff, decode", .run = decode_wrapped,
		  .context = &small },
		{ .name = "sniff and decode in place", .run = decode_in_place,
		  .context = &small },
	};
	struct bench_case batch[] = {
		{ .name = "wrap, sniff, decode", .run = batch_wrapped,
		  .context = &small },
		{ .name = "sniff and decode in place", .run = batch_in_place,
		  .context = &small },
	};
	char title[128];

	images_init(&small, 100, 75);
	heads_init();
	snprintf(title, sizeof(title), "Peek at 12 bytes of a PNG of %zu bytes",
		 small.files[0].size);
	bench_group(title, peek, 2);
	snprintf(title, sizeof(title), "Sniff four formats and noise "
		 "(%zu, %zu, %zu, %zu and 16 bytes), in random order",
		 small.files[0].size, small.files[1].size,
		 small.files[2].size, small.files[3].size);
	bench_group(title, sniff, 3);
	bench_claim("peek in place, ns", peek[1].ns, "<=", 1.5);
	bench_claim("detect against the bare switch, times longer",
		    sniff[1].ns / sniff[2].ns, "<=", 2);
	bench_claim("sniff in place, times faster than wrapped",
		    sniff[0].ns / sniff[1].ns, ">=", 15);
	bench_claim("allocations of a sniff", sniff[1].allocations, "<=", 0);
	bench_group("Peek, then read all, files of the batch below", read, 2);
	bench_group("Decode one PNG of 100 x 75 pixels", decode, 2);
	bench_group("Batch of 20 images of 100 x 75 pixels, four formats",
		    batch, 2);
}

/* ---- Two threads ----------------------------------------------------------- */

struct worker {
	struct images set;
	uintptr_t (*run)(void *context, long times);
	long times;
	uintptr_t result;
};

static void *
worker_main(void *user)
{
	struct worker *w = user;

	w->result = w->run(&w->set, w->times);
	return NULL;
}

static double
threads_seconds(struct worker *workers, int count)
{
	pthread_t threads[2];
	double start = bench_wall_seconds();

	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, worker_main, &workers[i]);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return bench_wall_seconds() - start;
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * A decoder a thread, nothing shared, each state in a block of its own: two
 * threads do about twice the work of one, in place as wrapped.
 */
void
bench_threads(void)
{
	static const struct {
		const char *name;
		uintptr_t (*run)(void *context, long times);
		long times;
	} rows[] = {
		{ "sniff, wrapped", sniff_wrapped, 400000 },
		{ "sniff, in place", sniff_in_place, 4000000 },
		{ "batch of 20, wrapped", batch_wrapped, 20 },
		{ "batch of 20, in place", batch_in_place, 20 },
	};
	struct worker *workers = calloc(2, sizeof(*workers));

	for (int i = 0; i < 2; i++)
		images_init(&workers[i].set, 100, 75);
	printf("\nTwo threads, a decoder each (work done in the same wall time)\n"
	       "  %8s  %-44s %12s %12s\n", "two/one", "", "one thread",
	       "two threads");
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		double one[9], two[9];

		for (int i = 0; i < 2; i++) {
			workers[i].run = rows[k].run;
			workers[i].times = rows[k].times;
		}
		for (int r = 0; r < 9; r++) {
			one[r] = threads_seconds(workers, 1);
			two[r] = threads_seconds(workers, 2);
		}
		qsort(one, 9, sizeof(double), compare_doubles);
		qsort(two, 9, sizeof(double), compare_doubles);
		printf("  %7.2fx  %-44s %9.2f ms %9.2f ms\n",
		       2 * one[4] / two[4], rows[k].name, one[4] * 1e3,
		       two[4] * 1e3);
	}
	fflush(stdout);
}
