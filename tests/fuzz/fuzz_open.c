/*
 * fuzz_open.c - header facts: memory, custom source and partial input agree
 */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <imgsniff.h>

#include "fuzz/png_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Serves exactly what is asked for, in a block of its own each time. */
struct exact_source {
	const uint8_t *data;
	size_t size;
	uint8_t *block;
};

static int
exact_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	struct exact_source *s = user;
	size_t left = offset < s->size ? s->size - (size_t)offset : 0;

	size = size < left ? size : left;
	free(s->block);
	s->block = malloc(size + 1);
	if (size > 0)
		memcpy(s->block, s->data + offset, size);
	view->data = s->block;
	view->size = size;
	return 0;
}

static void
frames_walk(struct imgsniff_decoder *d)
{
	int count = 0;

	while (imgsniff_next_frame(d) == IMGSNIFF_OK && ++count < 1000)
		;
	if (imgsniff_rewind(d) == IMGSNIFF_OK &&
	    imgsniff_get_frame(d)->index != 0)
		abort();
}

static void
metadata_read(struct imgsniff_decoder *d)
{
	static const enum imgsniff_metadata kinds[] = {
		IMGSNIFF_ICC, IMGSNIFF_EXIF, IMGSNIFF_XMP,
	};
	unsigned int sum = 0;

	for (size_t i = 0; i < 3; i++) {
		struct imgsniff_view v;

		if (imgsniff_get_metadata(d, kinds[i], &v) != IMGSNIFF_OK)
			continue;
		for (size_t k = 0; k < v.size; k++)
			sum += v.data[k];
	}
	if (sum == UINT_MAX)	/* a branch on every byte; they add up to less */
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct imgsniff_options o = {
		.struct_size = sizeof(o),
		.limits = { .max_memory = 64 << 20, .max_metadata = 1 << 20 },
	};
	struct imgsniff_decoder *d = imgsniff_new(&o);
	struct exact_source s = { data, size, NULL };
	struct imgsniff_source source = { exact_peek, &s };
	struct imgsniff_info info = { 0 };
	enum imgsniff_status st = imgsniff_open_memory(d, data, size, 0);

	if (imgsniff_get_info(d) != NULL) {
		info = *imgsniff_get_info(d);
		metadata_read(d);
		frames_walk(d);
	}
	if (imgsniff_open_source(d, &source, 0) != st)
		abort();
	if (imgsniff_get_info(d) != NULL &&
	    (imgsniff_get_info(d)->width != info.width ||
	     imgsniff_get_info(d)->frames != info.frames ||
	     imgsniff_get_info(d)->orientation != info.orientation))
		abort();
	if (st == IMGSNIFF_OK &&
	    imgsniff_open_memory(d, data, size, IMGSNIFF_HEAD) != IMGSNIFF_OK)
		abort();
	st = imgsniff_open_memory(d, data, size, IMGSNIFF_PARTIAL);
	if (st == IMGSNIFF_MORE && imgsniff_last_error(d)->needed <= size)
		abort();
	imgsniff_free(d);
	free(s.block);
	return 0;
}
