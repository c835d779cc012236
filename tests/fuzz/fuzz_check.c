/*
 * fuzz_check.c - verdicts: an image said to be whole decodes, from memory and
 * from a source alike
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <imgsniff.h>

#include "fuzz/png_mutate.h"

#define MAX_PIXELS	(1 << 18)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
view_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	const struct imgsniff_view *all = user;

	(void)size;
	if (offset > all->size)
		offset = all->size;
	view->data = all->data + offset;
	view->size = all->size - (size_t)offset;
	return 0;
}

/* Every frame is there, where the verdict says that all of it is. */
static void
whole_decode(struct imgsniff_decoder *d, const struct imgsniff_verdict *v)
{
	uint32_t frames = 0;
	enum imgsniff_status st;

	do {
		struct imgsniff_image *image;

		st = imgsniff_decode(d, NULL, &image);
		imgsniff_image_free(image);
		if (st != IMGSNIFF_OK)
			abort();
		frames++;
		st = imgsniff_next_frame(d);
	} while (st == IMGSNIFF_OK);
	if (st != IMGSNIFF_END || frames != v->frames_valid)
		abort();
}

static bool
verdicts_agree(const struct imgsniff_verdict *a,
	       const struct imgsniff_verdict *b)
{
	return a->integrity == b->integrity && a->status == b->status &&
	       a->frames_valid == b->frames_valid &&
	       a->rows_valid == b->rows_valid && a->offset == b->offset &&
	       a->end_offset == b->end_offset &&
	       a->trailing_bytes == b->trailing_bytes &&
	       a->trailer == b->trailer;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct imgsniff_options o = {
		.struct_size = sizeof(o),
		.limits = { .max_memory = 64 << 20, .max_pixels = MAX_PIXELS,
			    .max_animation_pixels = 8 * MAX_PIXELS,
			    .max_frames = 50, .max_scans = 20 },
	};
	struct imgsniff_verdict v = { .struct_size = sizeof(v) }, w = v;
	struct imgsniff_view all = { data, size };
	const struct imgsniff_source source = { view_peek, &all };
	struct imgsniff_decoder *d = imgsniff_new(&o);
	enum imgsniff_status st;

	if (d == NULL)
		return 0;
	st = imgsniff_open_memory(d, data, size, 0);
	if (imgsniff_get_info(d) != NULL) {
		if (imgsniff_check(d, &v) != IMGSNIFF_OK)
			abort();
		if ((v.message == NULL) != (v.integrity == IMGSNIFF_INTACT))
			abort();
		if (v.integrity == IMGSNIFF_INTACT && st != IMGSNIFF_OK)
			abort();
		if (v.integrity == IMGSNIFF_INTACT ||
		    v.integrity == IMGSNIFF_TOLERABLE)
			whole_decode(d, &v);
		if (imgsniff_open_source(d, &source, 0) != st ||
		    imgsniff_check(d, &w) != IMGSNIFF_OK ||
		    !verdicts_agree(&v, &w))
			abort();
	}
	imgsniff_free(d);
	return 0;
}
