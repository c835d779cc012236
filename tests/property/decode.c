/*
 * decode.c - what must hold for the pixels of every image, whole or damaged
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pixel/row.h"
#include "property/images.h"

#define GUARD_BYTE	0xA5
#define PADDING		5

static const enum imgsniff_pixel layouts[] = {
	IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
	IMGSNIFF_RGBA16,
};

#define LAYOUTS		(sizeof(layouts) / sizeof(layouts[0]))

/* The options that each property is tried with. */
static const struct {
	const char *name;
	unsigned int flags;
	uint32_t fit_width, fit_height;
} ways[] = {
	{ "plain", 0, 0, 0 },
	{ "kept", IMGSNIFF_KEEP_DAMAGED, 0, 0 },
	{ "upright", IMGSNIFF_ORIENT, 0, 0 },
	{ "sRGB", IMGSNIFF_SRGB, 0, 0 },
	{ "fitted", IMGSNIFF_KEEP_DAMAGED, 9, 11 },
	{ "all", IMGSNIFF_ORIENT | IMGSNIFF_SRGB | IMGSNIFF_KEEP_DAMAGED, 7, 0 },
};

#define WAYS		(sizeof(ways) / sizeof(ways[0]))

static struct imgsniff_decode_options
options_of(size_t way, enum imgsniff_pixel layout)
{
	return (struct imgsniff_decode_options){
		.struct_size = sizeof(struct imgsniff_decode_options),
		.layout = layout,
		.flags = ways[way].flags,
		.fit_width = ways[way].fit_width,
		.fit_height = ways[way].fit_height,
	};
}

/* ---- An answer: all that a caller can see of a decode ------------------------- */

struct answer {
	enum imgsniff_status status;
	uint64_t offset;
	const char *message;
	uint32_t rows_valid;
	struct imgsniff_image *image;
};

static void
answer_free(struct answer *a)
{
	imgsniff_image_free(a->image);
	a->image = NULL;
}

static struct answer
frame_decode(struct imgsniff_decoder *d, size_t way, enum imgsniff_pixel layout)
{
	struct imgsniff_decode_options o = options_of(way, layout);
	struct answer a = { .image = NULL };

	a.status = imgsniff_decode(d, &o, &a.image);
	if (a.image != NULL)
		a.rows_valid = a.image->map.rows_valid;
	if (a.status != IMGSNIFF_OK) {
		a.offset = imgsniff_last_error(d)->offset;
		a.message = imgsniff_last_error(d)->message;
	}
	return a;
}

/* Opens the image and goes to one of its frames; false if it has not so many. */
static bool
frame_open(struct imgsniff_decoder *d, const struct image_file *image,
	   uint32_t frame)
{
	if (imgsniff_open_memory(d, image->data, image->size, 0) !=
	    IMGSNIFF_OK && imgsniff_get_info(d) == NULL)
		return frame == 0;
	for (; frame > 0; frame--)
		if (imgsniff_next_frame(d) != IMGSNIFF_OK)
			return false;
	return true;
}

static bool
answers_agree(const struct answer *a, const struct answer *b)
{
	const struct imgsniff_pixmap *m, *n;

	if (a->status != b->status || a->rows_valid != b->rows_valid ||
	    a->offset != b->offset || (a->message == NULL) !=
	    (b->message == NULL) ||
	    (a->message != NULL && strcmp(a->message, b->message) != 0) ||
	    (a->image == NULL) != (b->image == NULL))
		return false;
	if (a->image == NULL)
		return true;
	m = &a->image->map;
	n = &b->image->map;
	return m->width == n->width && m->height == n->height &&
	       m->layout == n->layout && m->size == n->size &&
	       memcmp(m->pixels, n->pixels, m->size) == 0;
}

#define FAIL(image, way, frame, what)					\
	fail_msg("%s, frame %u, %s: %s", (image)->name,		\
		 (unsigned int)(frame), ways[way].name, what)

static struct imgsniff_decoder *
decoder_new(void)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	assert_non_null(d);
	return d;
}

/* ---- The properties -------------------------------------------------------------- */

/* One of R, G and B, and maybe more of it than can be said. */
static bool
is_clipped(const uint8_t *rgba)
{
	for (int i = 0; i < 3; i++)
		if (rgba[i] == 0 || rgba[i] == 255)
			return true;
	return false;
}

/*
 * The layout that was asked for, from RGBA of 8 bits, one pixel. Scaled to 16
 * bits, or to gray, a value rounds in another place; a JPEG's own luma is its gray.
 */
static void
pixel_agrees(const struct image_file *image, size_t way,
	     const struct imgsniff_info *info, enum imgsniff_pixel layout,
	     const uint8_t *got, const uint8_t *rgba)
{
	bool luma = layout == IMGSNIFF_GRAY8 &&
		    info->format == IMGSNIFF_FORMAT_JPEG;
	const int slack = luma || ways[way].fit_width != 0 ? 2 : 0;
	uint8_t want[8];

	if (luma && is_clipped(rgba))
		return;
	if (layout == IMGSNIFF_RGBA16) {
		uint16_t deep[4];

		memcpy(deep, got, 8);
		/* What is less than the least alpha of 8 bits has no colour. */
		for (int i = slack && rgba[3] == 0 ? 3 : 0; i < 4; i++)
			if (abs((deep[i] >> 8) - rgba[i]) > slack)
				FAIL(image, way, 0, "16 bits differ from 8");
		return;
	}
	isn_row_convert(want, layout, rgba, ISN_ROW_RGBA8, 1);
	for (size_t i = 0; i < imgsniff_row_size(layout, 1); i++)
		if (abs(got[i] - want[i]) > slack)
			FAIL(image, way, 0, "a layout differs from RGBA");
}

static bool
is_comparable(const struct imgsniff_info *info, size_t way,
	      enum imgsniff_pixel layout)
{
	bool profile = ways[way].flags & IMGSNIFF_SRGB && info->icc_bytes != 0;

	/* A profile is applied to all the bits there are. */
	if (layout == IMGSNIFF_RGBA16 && (profile || info->bit_depth == 16))
		return !profile && ways[way].fit_width == 0;
	/* Gray may be clipped where each of R, G and B is. */
	return layout != IMGSNIFF_GRAY8 || ways[way].fit_width == 0;
}

static void
layouts_check(struct imgsniff_decoder *d, const struct image_file *image,
	      size_t way)
{
	const struct imgsniff_info *info = imgsniff_get_info(d);
	struct answer rgba = frame_decode(d, way, IMGSNIFF_RGBA8);

	for (size_t i = 0; i < LAYOUTS; i++) {
		struct answer a = frame_decode(d, way, layouts[i]);
		size_t pixel = imgsniff_row_size(layouts[i], 1);

		/* Luma has rows that wait for no chroma. */
		if (a.status != rgba.status || a.rows_valid < rgba.rows_valid ||
		    (a.rows_valid > rgba.rows_valid &&
		     layouts[i] != IMGSNIFF_GRAY8))
			FAIL(image, way, 0, "layouts end differently");
		for (size_t n = 0; a.image != NULL &&
		     is_comparable(info, way, layouts[i]) &&
		     n < rgba.rows_valid * (size_t)a.image->map.width; n++)
			pixel_agrees(image, way, info, layouts[i],
				     (uint8_t *)a.image->map.pixels + n * pixel,
				     (uint8_t *)rgba.image->map.pixels + n * 4);
		answer_free(&a);
	}
	answer_free(&rgba);
}

static void
every_layout_is_the_conversion_of_rgba(void **state)
{
	struct imgsniff_decoder *d = decoder_new();

	(void)state;
	for (size_t i = 0; i < image_count; i++)
		for (size_t way = 0; way < WAYS; way++)
			if (frame_open(d, &images[i], 0))
				layouts_check(d, &images[i], way);
	imgsniff_free(d);
}

/* Into rows that are padded, at an odd address, between guards. */
static void
into_check(struct imgsniff_decoder *d, const struct image_file *image,
	   size_t way, enum imgsniff_pixel layout)
{
	struct imgsniff_decode_options o = options_of(way, IMGSNIFF_RGB8);
	struct imgsniff_pixmap map = { .struct_size = sizeof(map) };
	struct answer a = frame_decode(d, way, layout);
	enum imgsniff_status st;
	uint8_t *block;
	size_t row;

	st = imgsniff_output_size(d, &o, &map.width, &map.height);
	if (st != IMGSNIFF_OK) {
		if (st != a.status)
			FAIL(image, way, 0, "the size ends differently");
		return;
	}
	row = imgsniff_row_size(layout, map.width);
	map.layout = layout;
	map.stride = row + PADDING;
	map.size = map.stride * (map.height - 1) + row;
	block = malloc(1 + map.size);
	assert_non_null(block);
	memset(block, GUARD_BYTE, 1 + map.size);
	map.pixels = block + 1;

	st = imgsniff_decode_into(d, &o, &map);

	if (st != a.status || map.rows_valid != a.rows_valid)
		FAIL(image, way, 0, "decode_into() ends differently");
	for (uint32_t y = 0; y < map.height; y++) {
		const uint8_t *p = block + 1 + y * map.stride;

		for (size_t i = 0; a.image == NULL && i < row; i++)
			if (p[i] != 0)
				FAIL(image, way, 0, "a row is not cleared");
		if (a.image != NULL &&
		    memcmp(p, (uint8_t *)a.image->map.pixels + y * row, row))
			FAIL(image, way, 0, "decode_into() differs");
		for (size_t i = row; y + 1 < map.height && i < map.stride; i++)
			if (p[i] != GUARD_BYTE)
				FAIL(image, way, 0, "padding was written");
	}
	assert_int_equal(block[0], GUARD_BYTE);
	free(block);
	answer_free(&a);
}

static void
decode_into_gives_what_decode_gives(void **state)
{
	struct imgsniff_decoder *d = decoder_new();

	(void)state;
	for (size_t i = 0; i < image_count; i++)
		for (size_t way = 0; way < WAYS; way++)
			for (size_t k = 0; k < LAYOUTS; k++)
				if (frame_open(d, &images[i], 0))
					into_check(d, &images[i], way,
						   layouts[k]);
	imgsniff_free(d);
}

/* 'used' has seen every image before this one. */
static void
a_used_decoder_gives_what_a_fresh_one_gives(void **state)
{
	struct imgsniff_decoder *used = decoder_new();

	(void)state;
	for (size_t n = 0; n < image_count * WAYS; n++) {
		const struct image_file *image = &images[n % image_count];
		size_t way = n / image_count;

		for (uint32_t frame = 0; frame < 4; frame++) {
			struct imgsniff_decoder *fresh = decoder_new();
			bool there = frame_open(fresh, image, frame);
			struct answer a = { .image = NULL }, b = a;

			if (frame_open(used, image, frame) != there)
				FAIL(image, way, frame, "frames differ");
			if (there) {
				a = frame_decode(fresh, way, IMGSNIFF_RGBA8);
				b = frame_decode(used, way, IMGSNIFF_RGBA8);
			}
			if (!answers_agree(&a, &b))
				FAIL(image, way, frame,
				     "a used decoder differs");
			answer_free(&a);
			answer_free(&b);
			imgsniff_free(fresh);
			if (!there)
				break;
		}
	}
	imgsniff_free(used);
}

static void
decoding_again_gives_the_same(void **state)
{
	struct imgsniff_decoder *d = decoder_new();

	(void)state;
	for (size_t i = 0; i < image_count; i++)
		for (size_t way = 0; way < WAYS; way++) {
			struct answer a, b;

			if (!frame_open(d, &images[i], 0))
				continue;
			a = frame_decode(d, way, IMGSNIFF_RGBA8);
			b = frame_decode(d, way, IMGSNIFF_RGBA8);
			if (!answers_agree(&a, &b))
				FAIL(&images[i], way, 0, "not the same again");
			answer_free(&b);
			while (imgsniff_next_frame(d) == IMGSNIFF_OK)
				;
			if (imgsniff_rewind(d) == IMGSNIFF_OK) {
				b = frame_decode(d, way, IMGSNIFF_RGBA8);
				if (!answers_agree(&a, &b))
					FAIL(&images[i], way, 0,
					     "not the same after a rewind");
				answer_free(&b);
			}
			answer_free(&a);
		}
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layout_is_the_conversion_of_rgba),
		cmocka_unit_test(decode_into_gives_what_decode_gives),
		cmocka_unit_test(a_used_decoder_gives_what_a_fresh_one_gives),
		cmocka_unit_test(decoding_again_gives_the_same),
	};
	int failed;

	images_read();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	images_free();
	return failed;
}
