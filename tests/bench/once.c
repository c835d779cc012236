/*
 * once.c - a number of decodes and nothing else, to count instructions of
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <imgsniff.h>

#include "decode.h"
#include "images.h"

/* The library that does the work for us too. */
static const struct peer *
bare_peer(const struct bench_file *file)
{
	enum imgsniff_format format;

	if (imgsniff_detect(file->data, file->size, true, &format) !=
	    IMGSNIFF_OK)
		return NULL;
	return format == IMGSNIFF_FORMAT_JPEG ? &peer_libjpeg :
	       format == IMGSNIFF_FORMAT_WEBP ? &peer_libwebp : NULL;
}

int
bench_once(const char *who, const char *path, const char *times)
{
	const struct peer ours = { .name = "imgsniff", .decode = decode_ours };
	struct bench_file file = bench_load(path);
	const struct peer *p = strcmp(who, "ours") == 0 ? &ours :
							   bare_peer(&file);
	struct canvas canvas = { NULL, 0, 0, 0, NULL };
	bool done = p != NULL && p->decode != NULL &&
		    canvas_init(&canvas, &file, 1);

	for (long i = strtol(times, NULL, 10); done && i > 0; i--)
		done = p->decode(&file, &canvas);
	free(canvas.pixels);
	free(file.data);
	if (!done)
		fprintf(stderr, "bench: cannot decode %s\n", path);
	return done ? 0 : 2;
}

static void
image_write(const char *directory, const char *name, struct bench_file file)
{
	char path[512];
	FILE *f;

	if (file.data == NULL)
		return;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "wb");
	if (f == NULL || fwrite(file.data, 1, file.size, f) != file.size ||
	    fclose(f) != 0) {
		fprintf(stderr, "bench: cannot write %s\n", path);
		exit(2);
	}
	free(file.data);
}

/* One image of each kind that a library decodes for us. */
int
bench_images(const char *directory)
{
	static const struct {
		const char *name;
		struct jpeg_kind kind;
	} jpegs[] = {
		{ "420.jpg", { 85, 2, 2, 0, 0, 0 } },
		{ "422.jpg", { 85, 2, 1, 0, 0, 0 } },
		{ "444.jpg", { 92, 1, 1, 0, 0, 0 } },
		{ "gray.jpg", { 85, 1, 1, 1, 0, 0 } },
		{ "progressive.jpg", { 85, 2, 2, 0, 1, 0 } },
		{ "restarts.jpg", { 85, 2, 2, 0, 0, 1 } },
	};
	static const struct {
		const char *name;
		struct webp_kind kind;
	} webps[] = {
		{ "lossy.webp", { 1, 0, 0 } },
		{ "lossless.webp", { 1, 1, 0 } },
		{ "alpha.webp", { 1, 0, 1 } },
		{ "animation.webp", { 3, 0, 1 } },
	};

	for (size_t i = 0; i < sizeof(jpegs) / sizeof(jpegs[0]); i++)
		image_write(directory, jpegs[i].name,
			    image_jpeg(&jpegs[i].kind, 1200, 800));
	for (size_t i = 0; i < sizeof(webps) / sizeof(webps[0]); i++)
		image_write(directory, webps[i].name,
			    image_webp(&webps[i].kind, 1200, 800));
	return 0;
}
