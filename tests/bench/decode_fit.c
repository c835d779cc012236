/*
 * decode_fit.c - JPEG at an eighth of its size, where only the mean of each block
 * is needed, against libjpeg-turbo's own eighth
 */

#include <stdio.h>

#include "codec.h"

#include "decode.h"
#include "images.h"

enum {
	BASELINE = 1,
	LARGE = 2,
};

#define LIBJPEG	(1u << 1)

/*
 * The step that a fitted decode takes before its filter, asked for by itself: the
 * library never hands it out alone.
 */
static bool
eighth_decode(const struct bench_file *file, struct canvas *to)
{
	static struct imgsniff_decoder *d;
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.pixels = to->pixels,
		.size = to->size,
		.stride = (size_t)to->width * 4,
		.width = to->width,
		.height = to->height,
		.layout = IMGSNIFF_RGBA8,
	};

	if (d == NULL)
		d = imgsniff_new(NULL);
	if (imgsniff_open_memory(d, file->data, file->size, 0) != IMGSNIFF_OK)
		return false;
	d->shrink = 8;
	if (d->backend->decode(d, &map) != IMGSNIFF_OK)
		return false;
	canvas_frame_done(to, to->pixels);
	return true;
}

/* The sizes are multiples of 8, so that an eighth needs no resizing. */
static const struct {
	const char *name;
	unsigned int tags;
	struct jpeg_kind kind;
	uint32_t width, height;
} made[] = {
	{ "4:2:0, 1200x800", BASELINE, { 85, 2, 2, 0, 0, 0 }, 1200, 800 },
	{ "4:4:4, 1200x800", BASELINE, { 92, 1, 1, 0, 0, 0 }, 1200, 800 },
	{ "4:2:0 progressive, 1200x800", 0, { 85, 2, 2, 0, 1, 0 }, 1200, 800 },
	{ "4:2:0, 4000x3000", BASELINE | LARGE, { 85, 2, 2, 0, 0, 0 },
	  4000, 3000 },
};

void
bench_decode_fit(void)
{
	const struct peer peers[] = {
		{ .name = "imgsniff", .decode = eighth_decode },
		peer_libjpeg_eighth,
	};
	static struct decode_table t = {
		.title = "JPEG to RGBA8 at 1/8: how many times as fast as "
			 "libjpeg-turbo's 1/8",
		.peer_count = sizeof(peers) / sizeof(peers[0]),
		.scale = 8,
	};
	struct decode_summary large;

	t.peers = peers;
	decode_head(&t);
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (!bench_quick || !(made[i].tags & LARGE))
			decode_file(&t, made[i].name, made[i].tags,
				    image_jpeg(&made[i].kind, made[i].width,
					       made[i].height));
	decode_shared(&t, "jpeg_12mp_420_original.jpg", BASELINE | LARGE);
	decode_shared(&t, "jpeg_12mp_gray.jpg", BASELINE | LARGE);
	decode_shared(&t, "jpeg_13mp_422_original.jpg", BASELINE | LARGE);
	decode_shared(&t, "jpeg_24mp_420_original.jpg", BASELINE | LARGE);
	decode_shared(&t, "jpeg_12mp_progressive.jpg", LARGE);
	decode_shared(&t, "jpeg_33mp_progressive_422_original.jpg", LARGE);
	decode_foot(&t);
	large = decode_summarise(&t, BASELINE | LARGE, LIBJPEG, false);
	decode_claim("large baseline JPEG at 1/8, times libjpeg-turbo, mean",
		     &large, large.mean, ">=", 1.4);
	decode_claim("  the least of them", &large, large.least, ">=", 1.3);
}
