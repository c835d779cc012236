/*
 * bench.h - interleaved measuring: medians, ratios, allocations
 *
 * The cases of a group do the same work in different ways. They run in turns,
 * round after round, so that whatever else the machine does meets all of them;
 * what counts is the median of a case's rounds and its ratio to the first case.
 */

#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_ROUNDS	15
/* Fewer where a round takes long, but never less than this. */
#define BENCH_ROUNDS_LEAST	5

struct bench_case {
	const char *name;
	/* Does the work 'times' times; returns something that depends on it. */
	uintptr_t (*run)(void *context, long times);
	void *context;

	/* Filled in by bench_group(), for one time. */
	double ns;			/* median CPU time */
	double min;			/* the shortest round: how noisy it was */
	double paired;			/* median of its ratio to the first case */
	double allocations;
	double bytes;			/* allocated */
	long times;
	double rounds[BENCH_ROUNDS];
};

/* How many ms one round of one case takes at least; --quick lowers it. */
extern double bench_round_ms;

/* How many ms all rounds of a group may take, where that leaves enough rounds. */
extern double bench_group_ms;

/* Seconds; bench_cpu_seconds() unless other processes do part of the work. */
extern double (*bench_clock)(void);

/* Smaller images and fewer of them. */
extern bool bench_quick;

/*
 * Measures and prints a table under 'title'. Ratios are to the first case:
 * how many times longer it takes than this one.
 */
void bench_group(const char *title, struct bench_case *cases, size_t count);

/* The same without printing. */
void bench_measure(struct bench_case *cases, size_t count);

/* What this thread of execution has allocated so far, everything counted. */
struct bench_allocations {
	uint64_t count;
	uint64_t bytes;
};

struct bench_allocations bench_allocated(void);

/* Seconds of CPU this process, and of the wall. */
double bench_cpu_seconds(void);
double bench_wall_seconds(void);

/* Bytes that read() and friends have returned to this process so far. */
uint64_t bench_bytes_read(void);

/* A promise of a "make bench" figure, printed with whether it is kept. */
void bench_claim(const char *what, double value, const char *relation,
		 double bound);

/* Number of claims that were not kept. */
extern int bench_broken;

struct bench_file {
	uint8_t *data;
	size_t size;
};

/* The whole file, or an exit with a message. */
struct bench_file bench_load(const char *path);

/* Photographs made for the benches (images.h); no data without an encoder. */
struct bench_file bench_make_jpeg(uint32_t width, uint32_t height, int quality);
struct bench_file bench_make_png(uint32_t width, uint32_t height);
struct bench_file bench_make_gif(uint32_t width, uint32_t height);
struct bench_file bench_make_webp(uint32_t width, uint32_t height);

/* Writes it under build/ and returns the path, to be freed. */
char *bench_store(const char *name, const struct bench_file *file);

/* The tables. */
void bench_peek(void);
void bench_threads(void);
void bench_lines(void);
void bench_facts(void);
void bench_pools(void);
void bench_warm(void);
void bench_decode_png(void);
void bench_decode_gif(void);
void bench_decode_jpeg(void);
void bench_decode_webp(void);
void bench_decode_fit(void);
void bench_thumbs(void);
void bench_isolate(void);

/* For scripts; they return an exit status. */
int bench_images(const char *directory);
int bench_once(const char *who, const char *path, const char *times);

#endif /* BENCH_H */
