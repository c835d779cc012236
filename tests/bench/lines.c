/*
 * lines.c - 100,000 result lines: a write each, against one buffer
 *
 * The buffer is the program's own (src/cli/output.c).
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "output.h"

#define LINES	100000

static int
target_open(void)
{
	int fd = open("build/bench-lines", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0) {
		fprintf(stderr, "bench: cannot write build/bench-lines\n");
		exit(2);
	}
	return fd;
}

static uintptr_t
lines_unbuffered(void *context, long times)
{
	uintptr_t written = 0;

	(void)context;
	while (times-- > 0) {
		int fd = target_open();

		for (int i = 0; i < LINES; i++) {
			char line[128];
			int n = snprintf(line, sizeof(line),
					 "folder/d%04d/f%06d.jpg: image/jpeg\n",
					 i % 1000, i);
			ssize_t w = write(fd, line, (size_t)n);

			written += w > 0 ? (uintptr_t)w : 0;
		}
		close(fd);
	}
	return written;
}

static uintptr_t
lines_stdio(void *context, long times)
{
	uintptr_t written = 0;

	(void)context;
	while (times-- > 0) {
		FILE *f = fdopen(target_open(), "w");

		for (int i = 0; i < LINES; i++)
			written += (uintptr_t)fprintf(f,
				"folder/d%04d/f%06d.jpg: image/jpeg\n",
				i % 1000, i);
		fclose(f);
	}
	return written;
}

static void
output_padded(struct output *out, uint64_t n, unsigned int digits)
{
	for (uint64_t limit = 10; digits > 1; digits--, limit *= 10)
		if (n < limit) {
			while (--digits > 0)
				output_char(out, '0');
			break;
		}
	output_number(out, n);
}

static uintptr_t
lines_buffered(void *context, long times)
{
	struct output *out = context;
	uintptr_t written = 0;

	while (times-- > 0) {
		int fd = target_open();

		output_init(out, fd);
		for (uint64_t i = 0; i < LINES; i++) {
			output_string(out, "folder/d");
			output_padded(out, i % 1000, 4);
			output_string(out, "/f");
			output_padded(out, i, 6);
			output_string(out, ".jpg: image/jpeg\n");
			output_record_end(out);
		}
		written += output_flush(out);
		close(fd);
	}
	return written;
}

void
bench_lines(void)
{
	static struct output out;
	struct bench_case cases[] = {
		{ .name = "a write each", .run = lines_unbuffered },
		{ .name = "stdio, 4 KiB", .run = lines_stdio },
		{ .name = "one buffer of 64 KiB", .run = lines_buffered,
		  .context = &out },
	};

	bench_group("100,000 lines to a file", cases, 3);
	bench_claim("one buffer, times faster than a write each",
		    cases[0].ns / cases[2].ns, ">=", 10);
	unlink("build/bench-lines");
}
