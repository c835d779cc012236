/*
 * stream.c - a picture that is scaled row by row is the one that was decoded whole
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec.h"
#include "property/images.h"

static const enum imgsniff_pixel layouts[] = {
	IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
	IMGSNIFF_RGBA16,
};

static const struct {
	unsigned int flags;
	uint32_t fit_width, fit_height;
} ways[] = {
	{ 0, 13, 13 },
	{ IMGSNIFF_KEEP_DAMAGED, 5, 0 },
	{ IMGSNIFF_ORIENT | IMGSNIFF_SRGB, 0, 9 },
	{ IMGSNIFF_ORIENT | IMGSNIFF_SRGB | IMGSNIFF_KEEP_DAMAGED, 1, 1 },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct answer {
	enum imgsniff_status status;
	struct imgsniff_error error;
	uint32_t width, height, rows_valid;
	uint8_t pixels[100 * 100 * 8];
};

static void
frame_decode(struct imgsniff_decoder *d, size_t way, enum imgsniff_pixel layout,
	     struct answer *a)
{
	const struct imgsniff_decode_options o = {
		.struct_size = sizeof(o),
		.layout = layout,
		.flags = ways[way].flags,
		.fit_width = ways[way].fit_width,
		.fit_height = ways[way].fit_height,
	};
	struct imgsniff_pixmap map = { .struct_size = sizeof(map) };

	memset(a, 0xA5, sizeof(*a));
	a->status = imgsniff_output_size(d, &o, &a->width, &a->height);
	if (a->status == IMGSNIFF_OK && a->width <= 100 && a->height <= 100) {
		map.pixels = a->pixels;
		map.size = sizeof(a->pixels);
		map.stride = imgsniff_row_size(layout, a->width);
		map.width = a->width;
		map.height = a->height;
		map.layout = layout;
		a->status = imgsniff_decode_into(d, &o, &map);
	}
	a->rows_valid = map.rows_valid;
	memset(&a->error, 0, sizeof(a->error));
	if (a->status != IMGSNIFF_OK) {
		a->error.offset = imgsniff_last_error(d)->offset;
		a->error.message = imgsniff_last_error(d)->message;
	}
}

/* How many pictures came row by row, by format. */
static unsigned int streamed[IMGSNIFF_FORMAT_WEBP + 1];

static enum imgsniff_status
decode_never(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	(void)dst;
	return isn_fail(d, IMGSNIFF_ERR_USAGE, 4711, "test: not row by row");
}

static void
image_check(struct imgsniff_decoder *d, const struct image_file *image,
	    size_t way, enum imgsniff_pixel layout)
{
	static struct answer want, got;
	struct isn_backend whole, rows;

	if (imgsniff_open_memory(d, image->data, image->size, 0) !=
	    IMGSNIFF_OK && !d->can_decode)
		return;
	whole = rows = *d->backend;
	whole.decode_rows = NULL;
	rows.decode = decode_never;
	do {
		d->backend = &rows;
		frame_decode(d, way, layout, &got);
		if (got.error.offset == 4711 || rows.decode_rows == NULL)
			continue;
		d->backend = &whole;
		frame_decode(d, way, layout, &want);
		if (memcmp(&want, &got, sizeof(got)) != 0)
			fail_msg("%s, frame %u, way %zu, layout %d",
				 image->name, d->frame.index, way, layout);
		if (want.status == IMGSNIFF_OK)
			streamed[d->info.format]++;
	} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
}

static void
images_check(const char *backend)
{
	const struct imgsniff_options o = {
		.struct_size = sizeof(o), .backend = backend,
	};
	struct imgsniff_decoder *d = imgsniff_new(&o);

	assert_non_null(d);
	for (size_t i = 0; i < image_count; i++)
		for (size_t way = 0; way < COUNT(ways); way++)
			for (size_t l = 0; l < COUNT(layouts); l++)
				image_check(d, &images[i], way, layouts[l]);
	imgsniff_free(d);
}

static void
rows_scaled_one_by_one_are_the_picture_scaled(void **state)
{
	(void)state;
	images_check(NULL);
	images_check("zlib");		/* scanlines inflated one by one, too */
	assert_int_not_equal(streamed[IMGSNIFF_FORMAT_PNG], 0);
	assert_int_not_equal(streamed[IMGSNIFF_FORMAT_GIF], 0);
#if HAVE_LIBJPEG
	assert_int_not_equal(streamed[IMGSNIFF_FORMAT_JPEG], 0);
#endif
}

/* The next frame of an animation builds on what the first one left. */
static void
frames_after_one_that_was_scaled_are_right(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	static struct answer want, got;

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < image_count; i++) {
		for (unsigned int first = 0; first < 2; first++) {
			struct answer *a = first != 0 ? &got : &want;

			if (imgsniff_open_memory(d, images[i].data,
						 images[i].size, 0) !=
			    IMGSNIFF_OK)
				break;
			if (first != 0)
				frame_decode(d, 0, IMGSNIFF_RGBA8, a);
			if (imgsniff_next_frame(d) != IMGSNIFF_OK)
				break;
			frame_decode(d, 0, IMGSNIFF_RGBA8, a);
			if (first != 0 && memcmp(&want, &got, sizeof(got)) != 0)
				fail_msg("%s", images[i].name);
		}
	}
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_scaled_one_by_one_are_the_picture_scaled),
		cmocka_unit_test(frames_after_one_that_was_scaled_are_right),
	};
	int failed;

	images_read();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	images_free();
	return failed;
}
