/*
 * fuzz_jpeg_dc.c - JPEGs at 1/8 by DC coefficients, also those too small to pay
 */

#include <stdlib.h>
#include <string.h>

#include "codec/jpeg/dc.h"

#define MAX_PIXELS	(1 << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
dc_decode(struct imgsniff_decoder *d, struct imgsniff_view bytes,
	  const struct isn_jpeg_walk *w)
{
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.layout = (enum imgsniff_pixel)(1 + bytes.size % 5),
		.width = (d->info.width + 7) / 8,
		.height = (d->info.height + 7) / 8,
	};
	struct isn_jpeg_fault fault;

	map.stride = imgsniff_row_size(map.layout, map.width);
	map.size = map.stride * map.height;
	map.pixels = malloc(map.size);
	if (map.pixels == NULL)
		return;
	if (isn_jpeg_dc_decode(d, bytes, w, &map, NULL, &fault)) {
		if (map.rows_valid != map.height)
			abort();
	} else if (fault.status == IMGSNIFF_OK || fault.message == NULL ||
		   (fault.offset > bytes.size &&
		    fault.offset != IMGSNIFF_NO_OFFSET)) {
		abort();
	}
	free(map.pixels);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct imgsniff_options o = {
		.struct_size = sizeof(o), .limits = { .max_memory = 64 << 20 },
	};
	struct imgsniff_view bytes = { data, size };
	struct imgsniff_decoder *d = imgsniff_new(&o);
	struct isn_jpeg_walk w;

	if (d == NULL)
		return 0;
	if (imgsniff_open_memory(d, data, size, 0) == IMGSNIFF_OK &&
	    d->info.format == IMGSNIFF_FORMAT_JPEG &&
	    (uint64_t)d->info.width * d->info.height / 64 <= MAX_PIXELS) {
		isn_jpeg_walk(d, bytes, true, &w);
		if (w.fault.status == IMGSNIFF_OK &&
		    isn_jpeg_dc_suits(d->state, &w, SIZE_MAX))
			dc_decode(d, bytes, &w);
	}
	imgsniff_free(d);
	return 0;
}
