/*
 * thumbs.c - a folder of large JPEGs to thumbnails of 256 pixels: the program
 * against those that people use for it
 *
 * CPU time of all processes, user and system, whatever threads they have: the
 * same list for each, in turns. ImageMagick is started for every file, as it is
 * in scripts, and told to decode at a fraction; vipsthumbnail does so by itself.
 */

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <imgsniff.h>

#include "bench.h"
#include "images.h"

#define FOLDER	"build/bench-thumbs"
#define IN	FOLDER "/in"
#define OUT	FOLDER "/out"

static const struct {
	const char *name;
	const char *tool;
	const char *command;
	double promised;		/* times our CPU time */
} tools[] = {
	{ "imgsniff -t 256", "build/imgsniff",
	  "build/imgsniff -t 256 --to=jpeg -o " OUT "/ " IN "/*.jpg", 0 },
	{ "vipsthumbnail", "vipsthumbnail",
	  "VIPS_CONCURRENCY=1 vipsthumbnail --size 256 -o \"$PWD/" OUT
	  "/%s.jpg\" " IN "/*.jpg", 2.5 },
	{ "ImageMagick's convert", "convert-im6.q16",
	  "for f in " IN "/*.jpg; do convert-im6.q16 "
	  "-define jpeg:size=512x512 \"$f\" -thumbnail 256x256 "
	  OUT "/\"${f##*/}\"; done", 4 },
};

#define TOOLS	(sizeof(tools) / sizeof(tools[0]))

static double
children_seconds(void)
{
	struct rusage r;

	getrusage(RUSAGE_CHILDREN, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
	       (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

/* Runs it quietly; false if it failed. */
static bool
command_run(const char *command)
{
	char line[1024];

	snprintf(line, sizeof(line), "{ %s; } >/dev/null 2>&1", command);
	return system(line) == 0;
}

static bool
tool_is_there(const char *name)
{
	char line[256];

	snprintf(line, sizeof(line), "command -v %s", name);
	return command_run(line);
}

/* How many images of 256 pixels there are in the output folder. */
static int
thumbnails_count(void)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	DIR *dir = opendir(OUT);
	struct dirent *e;
	int count = 0;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		char path[sizeof(OUT) + sizeof(e->d_name) + 1];
		const struct imgsniff_info *info;

		snprintf(path, sizeof(path), OUT "/%s", e->d_name);
		if (imgsniff_open_file(d, path, 0) != IMGSNIFF_OK)
			continue;
		info = imgsniff_get_info(d);
		count += info->width == 256 || info->height == 256;
	}
	if (dir != NULL)
		closedir(dir);
	imgsniff_free(d);
	return count;
}

static void
folders_make(void)
{
	if (!command_run("rm -rf " FOLDER " && mkdir -p " IN " " OUT)) {
		fprintf(stderr, "bench: cannot make " FOLDER "\n");
		exit(2);
	}
}

/* CPU seconds for the whole list, or less than 0. */
static double
tool_run(size_t i, int files)
{
	double start;

	command_run("rm -rf " OUT "/*");
	start = children_seconds();
	if (!command_run(tools[i].command))
		return -1;
	start = children_seconds() - start;
	return thumbnails_count() == files ? start : -1;
}

#define ROUNDS	5

/* Whether the tool is there and does what it should. */
static bool
tool_check(size_t i, int files)
{
	if (!tool_is_there(tools[i].tool)) {
		printf("  %8s  %s: not installed\n", "-", tools[i].name);
		return false;
	}
	if (tool_run(i, files) < 0) {
		printf("  %8s  %s: does not make %d thumbnails\n", "-",
		       tools[i].name, files);
		return false;
	}
	return true;
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Medians in s[], 0 for tools that are not there. */
static void
tools_measure(double s[TOOLS], double steady[TOOLS], int files, int rounds)
{
	double took[TOOLS][ROUNDS];
	bool there[TOOLS];

	for (size_t i = 0; i < TOOLS; i++)
		there[i] = tool_check(i, files);
	for (int r = 0; r < rounds; r++)
		for (size_t i = 0; i < TOOLS; i++)
			if (there[i])
				took[i][r] = tool_run(i, files);
	for (size_t i = 0; i < TOOLS; i++) {
		s[i] = 0;
		if (!there[i])
			continue;
		qsort(took[i], (size_t)rounds, sizeof(double),
		      compare_doubles);
		s[i] = took[i][rounds / 2];
		steady[i] = took[i][0] / s[i];
	}
}

static void
list_measure(const char *title, int files, int rounds, bool claims)
{
	double s[TOOLS], steady[TOOLS];

	printf("\n%s, %d files, CPU time of all processes\n"
	       "  %8s  %-32s %12s %8s\n", title, files, "ratio", "",
	       "ms a file", "steady");
	tools_measure(s, steady, files, rounds);
	for (size_t i = 0; i < TOOLS; i++)
		if (s[i] > 0 && s[0] > 0)
			printf("  %7.2fx  %-32s %12.2f %8.2f\n", s[i] / s[0],
			       tools[i].name, s[i] * 1000 / files, steady[i]);
		else if (s[i] > 0)
			printf("  %8s  %-32s %12.2f %8.2f\n", "-",
			       tools[i].name, s[i] * 1000 / files, steady[i]);
	for (size_t i = 1; i < TOOLS && claims; i++)
		if (s[i] > 0 && s[0] > 0) {
			char what[96];

			snprintf(what, sizeof(what), "thumbnails, times %s",
				 tools[i].name);
			bench_claim(what, s[i] / s[0], ">=",
				    tools[i].promised);
		}
	fflush(stdout);
}

/* Links to a file, to reach a decent number; returns how many. */
static int
links_make(const char *path, int links)
{
	const char *name = strrchr(path, '/') + 1;
	char *real = realpath(path, NULL);
	int made = 0;

	for (int i = 0; real != NULL && i < links; i++) {
		char at[PATH_MAX];

		snprintf(at, sizeof(at), IN "/%d-%s", i, name);
		made += symlink(real, at) == 0;
	}
	free(real);
	return made;
}

static int
shared_link(const char *const names[], int links)
{
	int files = 0;

	for (size_t i = 0; names[i] != NULL; i++) {
		char path[256];

		snprintf(path, sizeof(path), "../shared/bench-images/%s",
			 names[i]);
		files += links_make(path, links);
	}
	return files;
}

static int
made_link(const struct jpeg_kind *kind, uint32_t width, uint32_t height,
	  int links)
{
	struct bench_file file = image_jpeg(kind, width, height);
	char *path = file.data ? bench_store("large.jpg", &file) : NULL;
	int files = path ? links_make(path, links) : 0;

	free(file.data);
	free(path);
	return files;
}

void
bench_thumbs(void)
{
	static const char *const baseline[] = {
		"jpeg_12mp_420_original.jpg", "jpeg_12mp_gray.jpg",
		"jpeg_13mp_422_original.jpg", "jpeg_24mp_420_original.jpg",
		NULL,
	};
	static const char *const progressive[] = {
		"jpeg_12mp_progressive.jpg", NULL,
	};
	const struct jpeg_kind plain = { .quality = 90, .h = 2, .v = 2 };
	const struct jpeg_kind scans = { .quality = 90, .h = 2, .v = 2,
					 .progressive = true };
	int links = bench_quick ? 1 : 6, rounds = bench_quick ? 3 : ROUNDS;
	int files;

	folders_make();
	files = shared_link(baseline, links);
	if (files == 0)
		files = made_link(&plain, 4000, 3000, links * 2);
	if (files > 0)
		list_measure("Baseline JPEGs of 8 to 24 MP to 256 px", files,
			     rounds, true);
	folders_make();
	files = shared_link(progressive, links);
	if (files == 0 && !bench_quick)
		files = made_link(&scans, 4000, 3000, links);
	if (files > 0)
		list_measure("Progressive JPEGs of 12 MP to 256 px", files,
			     rounds, false);
	command_run("rm -rf " FOLDER " build/bench-large.jpg");
}
