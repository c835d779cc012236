/*
 * replay.c - feeds files to a fuzz target where libFuzzer is not at hand
 *
 *	fuzz_NAME FILE|DIRECTORY...
 *
 * Directories are walked. Every file is given to the target whole and cut in
 * half, or in as many parts as REPLAY_CUTS says; a target fails by crashing.
 */

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* nftw() hands no pointer on. */
static size_t files_fed;
static size_t cuts = 2;

/* A copy of its very size, so that a sanitizer sees a step beyond the end. */
static void
bytes_feed(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (copy == NULL)
		abort();
	memcpy(copy, bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static int
file_feed(const char *path, const struct stat *st, int type, struct FTW *place)
{
	uint8_t *bytes;
	size_t size;
	FILE *f;

	(void)place;
	isn_written_text(path);
	isn_written(st, sizeof(*st));
	size = (size_t)st->st_size;
	if (type != FTW_F)
		return 0;
	f = fopen(path, "rb");
	bytes = malloc(size ? size : 1);
	if (f == NULL || bytes == NULL || fread(bytes, 1, size, f) != size) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(f);
	fprintf(stderr, "%s\n", path);
	for (size_t i = cuts; i > 0; i--)
		bytes_feed(bytes, size * i / cuts);
	free(bytes);
	files_fed++;
	return 0;
}

int
main(int argc, char **argv)
{
	const char *parts = getenv("REPLAY_CUTS");

	if (parts != NULL)
		cuts = strtoul(parts, NULL, 10);
	for (int i = 1; i < argc; i++)
		if (nftw(argv[i], file_feed, 16, FTW_PHYS) != 0)
			fprintf(stderr, "cannot walk %s\n", argv[i]);
	printf("%zu files\n", files_fed);
	return files_fed == 0;
}
