/*
 * replay.c - feeds files to a fuzz target where libFuzzer is not at hand
 *
 *	fuzz_NAME FILE|DIRECTORY...
 *
 * Directories are walked. Every file is given to the target whole and cut in
 * half; a target fails by crashing.
 */

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* nftw() hands no pointer on. */
static size_t files_fed;

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
	size_t size = (size_t)st->st_size;
	uint8_t *bytes;
	FILE *f;

	(void)place;
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
	bytes_feed(bytes, size);
	bytes_feed(bytes, size / 2);
	free(bytes);
	files_fed++;
	return 0;
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (nftw(argv[i], file_feed, 16, FTW_PHYS) != 0)
			fprintf(stderr, "cannot walk %s\n", argv[i]);
	printf("%zu files\n", files_fed);
	return files_fed == 0;
}
