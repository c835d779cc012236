/*
 * facts.c - header facts of large files: slurped, against sought
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <imgsniff.h>

#include "bench.h"

struct file_case {
	char *path;
	struct imgsniff_decoder *decoder;
};

static uintptr_t
facts_slurped(void *context, long times)
{
	struct file_case *c = context;
	uintptr_t sum = 0;

	while (times-- > 0) {
		struct bench_file f = bench_load(c->path);

		if (imgsniff_open_memory(c->decoder, f.data, f.size, 0) !=
		    IMGSNIFF_OK)
			abort();
		sum += imgsniff_get_info(c->decoder)->width;
		free(f.data);
	}
	return sum;
}

static uintptr_t
facts_sought(void *context, long times)
{
	struct file_case *c = context;
	uintptr_t sum = 0;

	while (times-- > 0) {
		if (imgsniff_open_file(c->decoder, c->path, 0) != IMGSNIFF_OK)
			abort();
		sum += imgsniff_get_info(c->decoder)->width;
		imgsniff_close(c->decoder);
	}
	return sum;
}

/* What one run reads, less what asking for it reads. */
static uint64_t
bytes_read_by(uintptr_t (*run)(void *, long), void *context)
{
	uint64_t start = bench_bytes_read(), none = bench_bytes_read();
	uint64_t end;

	run(context, 1);
	end = bench_bytes_read();
	return end - none - (none - start);
}

static void
facts_of(const char *name, struct bench_file file)
{
	struct file_case c;
	struct bench_case cases[] = {
		{ .name = "read it all, open the memory", .run = facts_slurped,
		  .context = &c },
		{ .name = "open the file, seek", .run = facts_sought,
		  .context = &c },
	};
	char title[128];
	uint64_t slurped, sought;

	if (file.data == NULL)
		return;
	c.path = bench_store(name, &file);
	c.decoder = imgsniff_new(NULL);
	snprintf(title, sizeof(title), "Header facts of %s, %.1f MB", name,
		 (double)file.size / 1e6);
	bench_group(title, cases, 2);
	slurped = bytes_read_by(facts_slurped, &c);
	sought = bytes_read_by(facts_sought, &c);
	printf("  bytes read: %llu against %llu\n",
	       (unsigned long long)slurped, (unsigned long long)sought);
	bench_claim("KiB read for the facts", (double)sought / 1024, "<=", 64);
	imgsniff_free(c.decoder);
	unlink(c.path);
	free(c.path);
	free(file.data);
}

void
bench_facts(void)
{
	facts_of("large.jpg", bench_make_jpeg(3000, 2400, 98));
	facts_of("large.png", bench_make_png(1800, 1600));
	facts_of("large.webp", bench_make_webp(4200, 3200));
}
