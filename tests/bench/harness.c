/*
 * harness.c - interleaved measuring: medians, ratios, allocations
 *
 * glibc's malloc is replaced by one that counts and hands on.
 */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

double bench_round_ms = 8;
double bench_group_ms = 4000;
double (*bench_clock)(void) = bench_cpu_seconds;
bool bench_quick;
int bench_broken;

static _Thread_local struct bench_allocations allocated;

/* Seen by shared libraries too: what they allocate has to be counted as well. */
#pragma GCC visibility push(default)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *ptr, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static void
allocation_count(size_t size)
{
	allocated.count++;
	allocated.bytes += size;
}

void *
malloc(size_t size)
{
	allocation_count(size);
	return __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	allocation_count(count * size);
	return __libc_calloc(count, size);
}

void *
realloc(void *ptr, size_t size)
{
	allocation_count(size);
	return __libc_realloc(ptr, size);
}

void *
aligned_alloc(size_t align, size_t size)
{
	allocation_count(size);
	return __libc_memalign(align, size);
}

int
posix_memalign(void **ptr, size_t align, size_t size)
{
	allocation_count(size);
	*ptr = __libc_memalign(align, size);
	return *ptr ? 0 : ENOMEM;
}

#pragma GCC visibility pop

struct bench_allocations
bench_allocated(void)
{
	return allocated;
}

static double
seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double
bench_cpu_seconds(void)
{
	return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double
bench_wall_seconds(void)
{
	return seconds(CLOCK_MONOTONIC);
}

uint64_t
bench_bytes_read(void)
{
	unsigned long long bytes = 0;
	FILE *f = fopen("/proc/self/io", "r");

	if (f == NULL)
		return 0;
	if (fscanf(f, "rchar: %llu", &bytes) != 1)
		bytes = 0;
	fclose(f);
	return bytes;
}

/* Results go here, so that no work can be optimised away. */
static volatile uintptr_t sink;

static double
round_seconds(const struct bench_case *c, long times)
{
	double start = bench_clock();

	sink += c->run(c->context, times);
	return bench_clock() - start;
}

/* Enough times for one round to last bench_round_ms; returns how long it is. */
static double
case_calibrate(struct bench_case *c)
{
	c->times = 1;
	for (;;) {
		double took = round_seconds(c, c->times) * 1000;

		if (took >= bench_round_ms || c->times > 1L << 30)
			return took;
		if (took < bench_round_ms / 20)
			c->times *= 10;
		else
			c->times = (long)((double)c->times *
					  bench_round_ms * 1.1 / took) + 1;
	}
}

static void
case_count_allocations(struct bench_case *c)
{
	struct bench_allocations before = allocated;
	long times = c->times < 1000 ? c->times : 1000;

	sink += c->run(c->context, times);
	c->allocations = (double)(allocated.count - before.count) /
			 (double)times;
	c->bytes = (double)(allocated.bytes - before.bytes) / (double)times;
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(double), compare_doubles);
	return values[count / 2];
}

/* Whatever slows a whole round down drops out of the ratio within it. */
static double
paired_ratio(const struct bench_case *c, const struct bench_case *first,
	     int rounds)
{
	double ratios[BENCH_ROUNDS];

	for (int r = 0; r < rounds; r++)
		ratios[r] = c->rounds[r] / first->rounds[r];
	return median(ratios, rounds);
}

static int
rounds_within(double round_ms)
{
	double rounds = bench_group_ms / round_ms;

	return rounds > BENCH_ROUNDS ? BENCH_ROUNDS :
	       rounds < BENCH_ROUNDS_LEAST ? BENCH_ROUNDS_LEAST : (int)rounds;
}

void
bench_measure(struct bench_case *cases, size_t count)
{
	double round_ms = 0;
	int rounds;

	for (size_t i = 0; i < count; i++) {
		round_ms += case_calibrate(&cases[i]);
		case_count_allocations(&cases[i]);
	}
	rounds = rounds_within(round_ms);
	for (int r = 0; r < rounds; r++)
		for (size_t i = 0; i < count; i++) {
			/* Each has its turn at being the first. */
			struct bench_case *c = &cases[(i + (size_t)r) % count];

			c->rounds[r] = round_seconds(c, c->times) /
				       (double)c->times * 1e9;
		}
	for (size_t i = count; i-- > 0;)
		cases[i].paired = paired_ratio(&cases[i], &cases[0], rounds);
	for (size_t i = 0; i < count; i++) {
		cases[i].ns = median(cases[i].rounds, rounds);
		cases[i].min = cases[i].rounds[0];
	}
}

static void
time_format(char *to, size_t size, double ns)
{
	if (ns < 1e3)
		snprintf(to, size, "%.2f ns", ns);
	else if (ns < 1e6)
		snprintf(to, size, "%.2f us", ns / 1e3);
	else
		snprintf(to, size, "%.2f ms", ns / 1e6);
}

void
bench_group(const char *title, struct bench_case *cases, size_t count)
{
	printf("\n%s\n  %8s  %-44s %12s %8s %8s %12s\n", title, "ratio", "",
	       "time", "steady", "allocs", "bytes");
	bench_measure(cases, count);
	for (size_t i = 0; i < count; i++) {
		char time[32];

		time_format(time, sizeof(time), cases[i].ns);
		printf("  %7.2fx  %-44s %12s %8.2f %8.1f %12.0f\n",
		       cases[0].ns / cases[i].ns, cases[i].name, time,
		       cases[i].min / cases[i].ns, cases[i].allocations,
		       cases[i].bytes);
	}
	fflush(stdout);
}

void
bench_claim(const char *what, double value, const char *relation, double bound)
{
	bool kept = relation[0] == '<' ? value <= bound : value >= bound;

	printf("  %-8s %s: %.2f (%s %g)\n", kept ? "kept" : "BROKEN", what,
	       value, relation, bound);
	if (!kept)
		bench_broken++;
}

struct bench_file
bench_load(const char *path)
{
	struct bench_file file = { NULL, 0 };
	FILE *f = fopen(path, "rb");
	long size;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
		fprintf(stderr, "bench: cannot read %s\n", path);
		exit(2);
	}
	rewind(f);
	file.size = (size_t)size;
	file.data = malloc(file.size + 1);
	if (file.data == NULL ||
	    fread(file.data, 1, file.size, f) != file.size) {
		fprintf(stderr, "bench: cannot read %s\n", path);
		exit(2);
	}
	fclose(f);
	return file;
}

char *
bench_store(const char *name, const struct bench_file *file)
{
	size_t size = strlen(name) + sizeof("build/bench-");
	char *path = malloc(size);
	FILE *f;

	snprintf(path, size, "build/bench-%s", name);
	f = fopen(path, "wb");
	if (f == NULL || fwrite(file->data, 1, file->size, f) != file->size ||
	    fclose(f) != 0) {
		fprintf(stderr, "bench: cannot write %s\n", path);
		exit(2);
	}
	return path;
}
