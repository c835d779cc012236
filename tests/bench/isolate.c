/*
 * isolate.c - decoding in a sandboxed process, against decoding in this one
 *
 * The CPU time is that of this process, the worker and what makes workers; that
 * of the wall would tell more of what else the machine does.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <imgsniff.h>

#include "bench.h"

#define PROCESSES	8

static pid_t processes[PROCESSES];
static size_t process_count;

/* All that this process has made, and what those have made. */
static void
processes_find(pid_t parent)
{
	char path[64];
	FILE *f;
	int pid;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent,
		 (int)parent);
	f = fopen(path, "r");
	if (f == NULL)
		return;
	while (process_count < PROCESSES && fscanf(f, "%d", &pid) == 1) {
		processes[process_count++] = pid;
		processes_find(pid);
	}
	fclose(f);
}

static double
processes_cpu_seconds(void)
{
	double sum = bench_cpu_seconds();

	for (size_t i = 0; i < process_count; i++) {
		struct timespec t;
		clockid_t clock;

		if (clock_getcpuclockid(processes[i], &clock) == 0 &&
		    clock_gettime(clock, &t) == 0)
			sum += (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
	}
	return sum;
}

struct work {
	const char *path;
	struct imgsniff_decoder *decoder;
	struct imgsniff_isolate *pool;
	struct imgsniff_pixmap map;
};

static uintptr_t
decode_here(void *context, long times)
{
	struct work *w = context;

	while (times-- > 0)
		if (imgsniff_open_file(w->decoder, w->path, 0) != IMGSNIFF_OK ||
		    imgsniff_decode_into(w->decoder, NULL, &w->map) !=
		    IMGSNIFF_OK)
			abort();
	return *(uint8_t *)w->map.pixels;
}

static uintptr_t
decode_viewed(void *context, long times)
{
	struct work *w = context;
	uintptr_t sum = 0;

	while (times-- > 0) {
		struct imgsniff_pixmap view = { .struct_size = sizeof(view) };
		struct imgsniff_isolated *image;

		if (imgsniff_isolate_open_file(w->pool, w->path, 0, &image) !=
		    IMGSNIFF_OK ||
		    imgsniff_isolate_decode(image, 0, NULL, &view) !=
		    IMGSNIFF_OK)
			abort();
		sum += *(uint8_t *)view.pixels;
		imgsniff_isolate_close(image);
	}
	return sum;
}

static uintptr_t
decode_copied(void *context, long times)
{
	struct work *w = context;

	while (times-- > 0) {
		struct imgsniff_isolated *image;

		if (imgsniff_isolate_open_file(w->pool, w->path, 0, &image) !=
		    IMGSNIFF_OK ||
		    imgsniff_isolate_decode_into(image, 0, NULL, &w->map) !=
		    IMGSNIFF_OK)
			abort();
		imgsniff_isolate_close(image);
	}
	return *(uint8_t *)w->map.pixels;
}

/* What there may be on top: a tenth, but of small images this. */
#define MORE_US		300

static void
compare(struct imgsniff_isolate *pool, const char *name,
	struct bench_file file, uint32_t width, uint32_t height)
{
	struct work w = {
		.path = file.data ? bench_store(name, &file) : NULL,
		.decoder = imgsniff_new(NULL),
		.pool = pool,
		.map = {
			.struct_size = sizeof(w.map),
			.pixels = malloc((size_t)width * height * 4),
			.size = (size_t)width * height * 4,
			.stride = (size_t)width * 4,
			.width = width,
			.height = height,
			.layout = IMGSNIFF_RGBA8,
		},
	};
	struct bench_case cases[] = {
		{ .name = "in this process", .run = decode_here, .context = &w },
		{ .name = "isolated, pixels viewed", .run = decode_viewed,
		  .context = &w },
		{ .name = "isolated, pixels copied", .run = decode_copied,
		  .context = &w },
	};
	char title[96];

	if (file.data != NULL) {
		snprintf(title, sizeof(title),
			 "Open and decode %s, %u x %u pixels", name, width,
			 height);
		bench_group(title, cases, 3);
		bench_claim("us more than in this process, pixels viewed",
			    (cases[1].ns - cases[0].ns) / 1000, "<=",
			    cases[0].ns / 10000 > MORE_US
			    ? cases[0].ns / 10000 : MORE_US);
	}
	imgsniff_free(w.decoder);
	free((void *)(uintptr_t)w.path);
	free(w.map.pixels);
	free(file.data);
}

struct fresh {
	struct imgsniff_isolate *pool;
};

static uintptr_t
worker_make(void *context, long times)
{
	struct fresh *f = context;

	while (times-- > 0) {
		struct imgsniff_isolated *image;

		(void)!imgsniff_isolate_open_memory(f->pool, "", 0, 0, &image);
		imgsniff_isolate_close(image);
	}
	return 0;
}

/* What a worker of its own for each image costs. */
static void
workers_compare(struct imgsniff_isolate *pool)
{
	const struct imgsniff_isolate_options o = {
		.struct_size = sizeof(o), .workers = 1, .images = 1,
	};
	struct fresh kept = { pool }, fresh = { imgsniff_isolate_new(&o) };
	struct bench_case cases[] = {
		{ .name = "by a worker that stays", .run = worker_make,
		  .context = &kept },
		{ .name = "by a worker of its own", .run = worker_make,
		  .context = &fresh },
	};

	bench_clock = bench_wall_seconds;	/* its processes come and go */
	if (fresh.pool != NULL)
		bench_group("Open an empty input (time of the wall)", cases, 2);
	imgsniff_isolate_free(fresh.pool);
}

void
bench_isolate(void)
{
	const struct imgsniff_isolate_options o = {
		.struct_size = sizeof(o), .workers = 1,
	};
	struct imgsniff_isolate *pool = imgsniff_isolate_new(&o);

	if (pool == NULL) {
		printf("\nNo isolation on this machine\n");
		return;
	}
	process_count = 0;
	processes_find(getpid());
	if (process_count < 2) {
		printf("\nThe worker is not to be found: time of the wall\n");
		bench_clock = bench_wall_seconds;
	} else {
		bench_clock = processes_cpu_seconds;
	}
	compare(pool, "small.png", bench_make_png(64, 48), 64, 48);
	compare(pool, "small.gif", bench_make_gif(64, 48), 64, 48);
	compare(pool, "small.jpeg", bench_make_jpeg(64, 48, 85), 64, 48);
	compare(pool, "small.webp", bench_make_webp(64, 48), 64, 48);
	compare(pool, "photo.png", bench_make_png(1200, 800), 1200, 800);
	compare(pool, "photo.gif", bench_make_gif(1200, 800), 1200, 800);
	compare(pool, "photo.jpeg", bench_make_jpeg(1200, 800, 85), 1200, 800);
	compare(pool, "photo.webp", bench_make_webp(1200, 800), 1200, 800);
	workers_compare(pool);
	bench_clock = bench_cpu_seconds;
	imgsniff_isolate_free(pool);
}
