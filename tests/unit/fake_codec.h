/*
 * fake_codec.h - a format without a file, to see what the library makes of one
 *
 * Its pixels are a function of their place; its errors are what a test asks for.
 */

#ifndef TESTS_FAKE_CODEC_H
#define TESTS_FAKE_CODEC_H

#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "pixel/row.h"

static struct {
	enum imgsniff_status status;	/* what decoding ends with */
	uint32_t rows_valid;		/* and how many rows it claims then */
	enum imgsniff_pixel layout;	/* what it was last asked for */
	uint32_t width, height;
	unsigned int shrink;
	const void *pixels;
	struct imgsniff_view profile;
	unsigned int calls;
} fake;

/* R G B A of the stored pixel (x, y), at full size. */
static inline void
fake_pixel(uint8_t rgba[4], uint32_t x, uint32_t y)
{
	rgba[0] = (uint8_t)(x * 11 + 3);
	rgba[1] = (uint8_t)(y * 17 + 5);
	rgba[2] = (uint8_t)(x * 5 + y * 3);
	rgba[3] = (uint8_t)(x == y ? 0 : 255 - x - y);
}

static enum imgsniff_status
fake_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	uint8_t *row = malloc((size_t)dst->width * 4);

	fake.calls++;
	fake.layout = dst->layout;
	fake.width = dst->width;
	fake.height = dst->height;
	fake.shrink = d->shrink;
	fake.pixels = dst->pixels;
	if (row == NULL)
		return isn_fail_memory(d, "fake: no memory left");
	for (uint32_t y = 0; y < dst->height; y++) {
		if (fake.status != IMGSNIFF_OK && y >= fake.rows_valid)
			break;		/* the others hold garbage */
		for (uint32_t x = 0; x < dst->width; x++) {
			uint8_t *rgba = row + 4 * (size_t)x;

			fake_pixel(rgba, x * d->shrink, y * d->shrink);
			if (!d->info.has_alpha)
				rgba[3] = 255;
		}
		isn_row_convert(isn_pixmap_row(dst, y), dst->layout, row,
				ISN_ROW_RGBA8, dst->width);
	}
	free(row);
	dst->rows_valid = fake.rows_valid;
	return fake.status == IMGSNIFF_OK ? IMGSNIFF_OK
		: isn_fail(d, fake.status, 42, "fake: as asked for");
}

static enum imgsniff_status
fake_metadata(struct imgsniff_decoder *d, enum imgsniff_metadata which,
	      struct imgsniff_view *view)
{
	(void)d;
	if (which == IMGSNIFF_ICC)
		*view = fake.profile;
	return IMGSNIFF_OK;
}

static const struct isn_backend fake_backend = { "fake", fake_decode, NULL };

static const struct isn_codec fake_codec = {
	.info = { .format = IMGSNIFF_FORMAT_JPEG, .name = "fake" },
	.backends = &fake_backend,
	.max_shrink = 8,
	.metadata = fake_metadata,
};

/* As if an image of that size had been opened. */
static inline void
fake_open(struct imgsniff_decoder *d, uint32_t width, uint32_t height)
{
	static int state;

	imgsniff_close(d);
	memset(&fake, 0, sizeof(fake));
	d->codec = &fake_codec;
	d->backend = &fake_backend;
	d->state = &state;
	d->can_decode = true;
	d->info.format = fake_codec.info.format;
	d->info.width = width;
	d->info.height = height;
	d->info.color = IMGSNIFF_COLOR_RGBA;
	d->info.has_alpha = true;
	d->info.best = IMGSNIFF_RGBA8;
	d->info.frames = 1;
}

#endif /* TESTS_FAKE_CODEC_H */
