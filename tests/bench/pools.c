/*
 * pools.c - a buffer kept, against a fresh one each time
 *
 * Every byte is written, as a decoder does: that is when the kernel has to find
 * the pages of a fresh block.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

struct pool {
	uint8_t *kept;
	size_t size;
};

static uintptr_t
buffer_fresh(void *context, long times)
{
	struct pool *p = context;
	uintptr_t sum = 0;

	while (times-- > 0) {
		uint8_t *fresh = malloc(p->size);

		memset(fresh, (int)times, p->size);
		__asm__ volatile("" : : "r"(fresh) : "memory");
		sum += fresh[p->size - 1];
		free(fresh);
	}
	return sum;
}

static uintptr_t
buffer_kept(void *context, long times)
{
	struct pool *p = context;
	uintptr_t sum = 0;

	while (times-- > 0) {
		memset(p->kept, (int)times, p->size);
		__asm__ volatile("" : : "r"(p->kept) : "memory");
		sum += p->kept[p->size - 1];
	}
	return sum;
}

void
bench_pools(void)
{
	static const size_t sizes[] = { 1, 64, 1024, 4096, 16384, 65536,
					262144, 1048576, 16777216 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pool p = { malloc(sizes[i]), sizes[i] };
		struct bench_case cases[] = {
			{ .name = "fresh, filled, freed", .run = buffer_fresh,
			  .context = &p },
			{ .name = "kept, filled", .run = buffer_kept,
			  .context = &p },
		};
		char title[64];

		snprintf(title, sizeof(title), "A buffer of %zu bytes",
			 sizes[i]);
		bench_group(title, cases, 2);
		free(p.kept);
	}
}
