/*
 * main.c - all benches, or the ones named: bench [--quick] [NAME]...
 *
 * Two more ways to call it are for instructions.sh (see once.c):
 *
 *	bench --images DIR
 *	bench --once ours|bare FILE TIMES
 */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <imgsniff.h>

#include "bench.h"

static const struct {
	const char *name;
	void (*run)(void);
} benches[] = {
	{ "peek", bench_peek },
	{ "threads", bench_threads },
	{ "lines", bench_lines },
	{ "facts", bench_facts },
	{ "pools", bench_pools },
	{ "warm", bench_warm },
	{ "png", bench_decode_png },
	{ "gif", bench_decode_gif },
	{ "jpeg", bench_decode_jpeg },
	{ "webp", bench_decode_webp },
	{ "fit", bench_decode_fit },
	{ "thumbs", bench_thumbs },
	{ "isolate", bench_isolate },
};

static bool
is_wanted(const char *name, int argc, char **argv)
{
	bool any = false;

	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-')
			continue;
		any = true;
		if (strcmp(argv[i], name) == 0)
			return true;
	}
	return !any;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--images") == 0)
		return bench_images(argv[2]);
	if (argc == 5 && strcmp(argv[1], "--once") == 0)
		return bench_once(argv[2], argv[3], argv[4]);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--quick") == 0) {
			bench_quick = true;
			bench_round_ms = 1;
			bench_group_ms = 200;
		}
	printf("imgsniff %s: %s\n"
	       "Medians of %d to %d interleaved rounds, CPU time; ratio: how "
	       "many times faster than the first row;\n"
	       "steady: the shortest round over the median, 1.00 on a quiet "
	       "machine.\n",
	       imgsniff_version(), imgsniff_features(), BENCH_ROUNDS_LEAST,
	       BENCH_ROUNDS);
	for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++)
		if (is_wanted(benches[i].name, argc, argv))
			benches[i].run();
	printf("\n%d figures not as promised\n", bench_broken);
	return bench_broken > 0;
}
