/*
 * test_webp.c - the structure and the pixels of WebPs, codec/webp
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <webp/decode.h>
#include <webp/demux.h>

#include "codec.h"
#include "riff.h"

#define W	37
#define H	29

static struct imgsniff_decoder *
decoder_new(void)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	assert_non_null(d);
	return d;
}

static enum imgsniff_status
open_riff(struct imgsniff_decoder *d, const struct riff *r)
{
	return imgsniff_open_memory(d, r->data, r->size, 0);
}

/* Opens it, which must succeed. */
static const struct imgsniff_info *
info_of(struct imgsniff_decoder *d, const struct riff *r)
{
	assert_int_equal(open_riff(d, r), IMGSNIFF_OK);
	return imgsniff_get_info(d);
}

static struct imgsniff_image *
image_of(struct imgsniff_decoder *d, enum imgsniff_pixel layout)
{
	struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .layout = layout,
	};
	struct imgsniff_image *image;

	assert_int_equal(imgsniff_decode(d, &o, &image), IMGSNIFF_OK);
	assert_int_equal(image->map.rows_valid, image->map.height);
	return image;
}

static void
assert_frame_equal(struct imgsniff_decoder *d, const uint8_t *rgba)
{
	struct imgsniff_image *image = image_of(d, IMGSNIFF_RGBA8);

	assert_memory_equal(image->map.pixels, rgba, image->map.size);
	imgsniff_image_free(image);
}

/* ---- Pictures ------------------------------------------------------------ */

static void
pixels_hide(uint8_t *rgba)
{
	for (size_t i = 0; i < W * H; i++)
		if (rgba[i * 4 + 3] == 0)
			memset(rgba + i * 4, 0, 4);
}

static void
a_lossless_picture_comes_back_exactly(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	(void)state;

	for (int alpha = 0; alpha < 2; alpha++) {
		struct riff r = still_new(W, H, PICTURE_LOSSLESS, alpha);
		uint8_t *rgba = picture_new(W, H, 1, alpha);
		const struct imgsniff_info *info = info_of(d, &r);
		struct imgsniff_image *image;

		assert_int_equal(info->width, W);
		assert_int_equal(info->height, H);
		assert_int_equal(info->frames, 1);
		assert_int_equal(info->plays, 1);
		assert_false(info->has_loop);
		assert_false(info->animated);
		assert_int_equal(info->bit_depth, 8);
		assert_int_equal(info->compression, IMGSNIFF_LOSSLESS);
		assert_int_equal(info->has_alpha, alpha);
		assert_int_equal(info->best,
				 alpha ? IMGSNIFF_RGBA8 : IMGSNIFF_RGB8);
		image = image_of(d, IMGSNIFF_RGBA8);
		/* The encoder changes the colour of what cannot be seen. */
		pixels_hide(rgba);
		pixels_hide(image->map.pixels);
		assert_memory_equal(image->map.pixels, rgba, image->map.size);
		imgsniff_image_free(image);
		free(rgba);
		free(r.data);
	}
	imgsniff_free(d);
}

static void
lossy_pictures_are_as_libwebp_shows_them(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	(void)state;

	for (int alpha = 0; alpha < 2; alpha++) {
		struct riff r = still_new(W, H, PICTURE_LOSSY, alpha);
		uint8_t *rgba = WebPDecodeRGBA(r.data, r.size, NULL, NULL);
		const struct imgsniff_info *info = info_of(d, &r);

		assert_int_equal(info->compression, IMGSNIFF_LOSSY);
		assert_int_equal(info->color, IMGSNIFF_COLOR_YCBCR);
		assert_int_equal(info->has_alpha, alpha);
		assert_frame_equal(d, rgba);
		WebPFree(rgba);
		free(r.data);
	}
	imgsniff_free(d);
}

static void
pixel_convert(uint8_t *out, enum imgsniff_pixel layout, const uint8_t *p)
{
	switch (layout) {
	case IMGSNIFF_GRAY8:
		out[0] = (uint8_t)((77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8);
		return;
	case IMGSNIFF_RGB8:
	case IMGSNIFF_RGBA8:
		memcpy(out, p, layout == IMGSNIFF_RGB8 ? 3 : 4);
		return;
	case IMGSNIFF_BGRA8:
		out[0] = p[2];
		out[1] = p[1];
		out[2] = p[0];
		out[3] = p[3];
		return;
	case IMGSNIFF_RGBA16:
		for (int i = 0; i < 8; i++)
			out[i] = p[i / 2];
		return;
	}
}

/* Every layout, rows apart: the same picture, and nothing between the rows. */
static void
layouts_agree(struct imgsniff_decoder *d)
{
	struct imgsniff_image *rgba = image_of(d, IMGSNIFF_RGBA8);
	const uint8_t *p = rgba->map.pixels;

	for (int layout = IMGSNIFF_GRAY8; layout <= IMGSNIFF_RGBA16; layout++) {
		struct imgsniff_pixmap map = {
			.struct_size = sizeof(map), .width = W, .height = H,
			.layout = (enum imgsniff_pixel)layout,
		};
		size_t row = imgsniff_row_size(map.layout, W);
		uint8_t want[8], *got;

		map.stride = row + 5;
		map.size = map.stride * (H - 1) + row;
		map.pixels = got = malloc(map.size);
		memset(map.pixels, 0xa5, map.size);
		assert_int_equal(imgsniff_decode_into(d, NULL, &map),
				 IMGSNIFF_OK);
		assert_int_equal(map.rows_valid, H);
		for (size_t y = 0; y < H; y++) {
			for (size_t x = 0; x < W; x++) {
				pixel_convert(want, map.layout,
					      p + (y * W + x) * 4);
				assert_memory_equal(got + y * map.stride +
						    x * row / W, want, row / W);
			}
			for (size_t i = row; y + 1 < H && i < map.stride; i++)
				assert_int_equal(got[y * map.stride + i], 0xa5);
		}
		free(map.pixels);
	}
	imgsniff_image_free(rgba);
}

static struct riff
animation_new(uint32_t seed, unsigned int frames)
{
	struct riff r = riff_begin();

	vp8x_add(&r, VP8X_ANIM | VP8X_ALPHA, W, H);
	anim_add(&r, 3);
	for (uint32_t i = 0; i < frames; i++) {
		uint32_t random = (seed * 131 + i) * 2654435761u >> 7;
		uint32_t x = random % 9 * 2, y = random / 9 % 7 * 2;
		uint32_t w = 1 + random / 63 % (W - x);
		uint32_t h = 1 + random / 2048 % (H - y);
		bool full = random / 100 % 4 == 0, alpha = random / 400 % 4 != 0;
		uint8_t *rgba;
		size_t at;

		if (full) {
			x = y = 0;
			w = W;
			h = H;
		}
		rgba = picture_new(w, h, random, alpha);
		at = anmf_begin(&r, x, y, w, h, i * 40, random / 1600 % 4);
		picture_add(&r, rgba, w, h, random / 6400 % 3 == 0
			    ? PICTURE_LOSSY : PICTURE_LOSSLESS);
		chunk_end(&r, at);
		free(rgba);
	}
	riff_end(&r);
	return r;
}

static void
every_layout_shows_the_same_picture(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff files[4] = {
		still_new(W, H, PICTURE_LOSSY, false),
		still_new(W, H, PICTURE_LOSSY, true),
		still_new(W, H, PICTURE_LOSSLESS, true),
		animation_new(1, 2),
	};
	(void)state;

	for (int i = 0; i < 4; i++) {
		assert_int_equal(open_riff(d, &files[i]), IMGSNIFF_OK);
		layouts_agree(d);
		free(files[i].data);
	}
	imgsniff_free(d);
}

static void
a_lossless_picture_without_its_alpha_bit_is_opaque(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff r = still_new(W, H, PICTURE_LOSSLESS, true);
	struct imgsniff_image *image;
	const uint8_t *p;
	(void)state;

	assert_int_equal(r.data[20], 0x2f);
	r.data[24] &= (uint8_t)~0x10;	/* bit 28 behind the signature */
	assert_false(info_of(d, &r)->has_alpha);

	for (int layout = IMGSNIFF_RGBA8; layout <= IMGSNIFF_BGRA8; layout++) {
		image = image_of(d, (enum imgsniff_pixel)layout);
		p = image->map.pixels;
		for (size_t i = 0; i < W * H; i++)
			assert_int_equal(p[i * 4 + 3], 255);
		imgsniff_image_free(image);
	}
	free(r.data);
	imgsniff_free(d);
}

/* ---- Facts --------------------------------------------------------------- */

static void
metadata_is(struct imgsniff_decoder *d, enum imgsniff_metadata which,
	    const void *data, size_t size)
{
	struct imgsniff_view view;

	assert_int_equal(imgsniff_get_metadata(d, which, &view), IMGSNIFF_OK);
	assert_int_equal(view.size, size);
	assert_memory_equal(view.data, data, size);
}

static void
metadata_is_found_behind_odd_and_unknown_chunks(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	uint8_t *rgba = picture_new(W, H, 1, false);
	(void)state;

	for (int prefix = 0; prefix < 2; prefix++) {
		struct riff r = riff_begin();
		const struct imgsniff_info *info;
		size_t at;

		vp8x_add(&r, VP8X_ICC | VP8X_EXIF | VP8X_XMP, W, H);
		chunk_add(&r, "ICCP", "profile", 7);
		chunk_add(&r, "junk", "odd", 3);
		picture_add(&r, rgba, W, H, PICTURE_LOSSY);
		chunk_add(&r, "JUNK", NULL, 0);
		at = chunk_begin(&r, "EXIF");
		if (prefix)
			riff_add(&r, "Exif\0\0", 6);
		riff_add(&r, exif_orientation_6, sizeof(exif_orientation_6));
		chunk_end(&r, at);
		chunk_add(&r, "EXIF", "second", 6);
		chunk_add(&r, "XMP ", "<x:xmpmeta/>", 12);
		riff_end(&r);

		info = info_of(d, &r);
		assert_int_equal(info->icc_bytes, 7);
		assert_int_equal(info->exif_bytes, sizeof(exif_orientation_6));
		assert_int_equal(info->xmp_bytes, 12);
		assert_int_equal(info->orientation, 6);
		assert_int_equal(info->display_width, H);
		assert_int_equal(info->display_height, W);
		metadata_is(d, IMGSNIFF_ICC, "profile", 7);
		metadata_is(d, IMGSNIFF_EXIF, exif_orientation_6,
			    sizeof(exif_orientation_6));
		metadata_is(d, IMGSNIFF_XMP, "<x:xmpmeta/>", 12);
		free(r.data);
	}
	free(rgba);
	imgsniff_free(d);
}

static void
alpha_is_told_as_libwebp_does(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	(void)state;

	/* The flag of VP8X, alpha in the picture, lossy or not. */
	for (int i = 0; i < 8; i++) {
		uint8_t *rgba = picture_new(W, H, 1, i & 2);
		struct riff r = riff_begin();
		WebPBitstreamFeatures f;

		vp8x_add(&r, i & 1 ? VP8X_ALPHA : 0, W, H);
		picture_add(&r, rgba, W, H,
			    i & 4 ? PICTURE_LOSSLESS : PICTURE_LOSSY);
		riff_end(&r);
		assert_int_equal(WebPGetFeatures(r.data, r.size, &f),
				 VP8_STATUS_OK);

		assert_int_equal(info_of(d, &r)->has_alpha, f.has_alpha);
		free(rgba);
		free(r.data);
	}
	imgsniff_free(d);
}

static void
an_animation_tells_its_frames(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff r = animation_new(7, 12);
	const struct imgsniff_info *info = info_of(d, &r);
	uint32_t i = 0;
	(void)state;

	assert_true(info->animated);
	assert_int_equal(info->frames, 12);
	assert_true(info->has_loop);
	assert_int_equal(info->loop, 3);
	assert_int_equal(info->plays, 3);
	assert_true(info->has_alpha);
	assert_int_equal(info->compression, IMGSNIFF_MIXED);
	assert_int_equal(info->duration_us, 66 * 40000);
	do {
		const struct imgsniff_frame *f = imgsniff_get_frame(d);

		assert_int_equal(f->index, i);
		assert_int_equal(f->duration_us, i * 40000);
		assert_true(f->x + f->width <= W && f->y + f->height <= H);
		i++;
	} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
	assert_int_equal(i, 12);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_END);
	assert_int_equal(imgsniff_get_frame(d)->index, 11);
	assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_frame(d)->index, 0);
	free(r.data);
	imgsniff_free(d);
}

static void
one_frame_is_no_animation(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff r = animation_new(1, 1);
	const struct imgsniff_info *info = info_of(d, &r);
	(void)state;

	assert_false(info->animated);
	assert_int_equal(info->frames, 1);
	assert_int_equal(info->loop, 3);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_END);
	free(r.data);
	imgsniff_free(d);
}

static void
the_head_alone_is_enough_for_the_size(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff still = still_new(W, H, PICTURE_LOSSY, false);
	struct riff animation = animation_new(1, 3);
	(void)state;

	assert_int_equal(imgsniff_open_memory(d, still.data, 30, IMGSNIFF_HEAD),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->width, W);
	assert_int_equal(imgsniff_get_info(d)->frames, 1);
	assert_int_equal(imgsniff_open_memory(d, animation.data, 100,
					      IMGSNIFF_HEAD), IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->height, H);
	assert_int_equal(imgsniff_get_info(d)->frames, 0);
	free(still.data);
	free(animation.data);
	imgsniff_free(d);
}

/* ---- Animations ---------------------------------------------------------- */

static void
frames_are_as_libwebpdemux_shows_them(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	(void)state;

	for (uint32_t seed = 0; seed < 40; seed++) {
		struct riff r = animation_new(seed, 9);
		WebPData data = { r.data, r.size };
		WebPAnimDecoder *other = WebPAnimDecoderNew(&data, NULL);
		uint8_t *rgba;
		int ms;

		assert_non_null(other);
		assert_int_equal(open_riff(d, &r), IMGSNIFF_OK);
		do {
			assert_true(WebPAnimDecoderGetNext(other, &rgba, &ms));
			assert_frame_equal(d, rgba);
		} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
		assert_false(WebPAnimDecoderHasMoreFrames(other));
		WebPAnimDecoderDelete(other);
		free(r.data);
	}
	imgsniff_free(d);
}

/* All frames one after the other, for comparison. */
static struct imgsniff_image **
frames_of(const struct riff *r, uint32_t frames)
{
	struct imgsniff_decoder *d = decoder_new();
	struct imgsniff_image **images = calloc(frames, sizeof(*images));

	assert_int_equal(open_riff(d, r), IMGSNIFF_OK);
	for (uint32_t i = 0; i < frames; i++) {
		images[i] = image_of(d, IMGSNIFF_RGBA8);
		assert_int_equal(imgsniff_next_frame(d), i + 1 < frames
				 ? IMGSNIFF_OK : IMGSNIFF_END);
	}
	imgsniff_free(d);
	return images;
}

static void
frames_free(struct imgsniff_image **images, uint32_t frames)
{
	for (uint32_t i = 0; i < frames; i++)
		imgsniff_image_free(images[i]);
	free(images);
}

static void
frames_may_be_skipped_and_come_again(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	(void)state;

	for (uint32_t seed = 0; seed < 20; seed++) {
		struct riff r = animation_new(seed, 9);
		struct imgsniff_image **images = frames_of(&r, 9);

		assert_int_equal(open_riff(d, &r), IMGSNIFF_OK);
		for (uint32_t step = 1; step < 9; step++) {
			uint32_t at = 0;

			for (uint32_t i = 0; i < 9; i++, at++) {
				if (i % step == step - 1) {
					assert_frame_equal(d,
						images[at]->map.pixels);
					assert_frame_equal(d,
						images[at]->map.pixels);
				}
				if (i < 8)
					assert_int_equal(imgsniff_next_frame(d),
							 IMGSNIFF_OK);
			}
			assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
		}
		frames_free(images, 9);
		free(r.data);
	}
	imgsniff_free(d);
}

static void
the_first_frame_needs_no_other(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff r = animation_new(3, 5);
	struct imgsniff_image **images = frames_of(&r, 5);
	size_t first = 12 + 18 + 14;	/* where its chunk is */
	size_t end = first + 8 + isn_load_u32le(r.data + first + 4);
	uint8_t *cut = malloc(end);
	(void)state;

	memcpy(cut, r.data, end);
	assert_int_equal(imgsniff_open_memory(d, cut, end, 0),
			 IMGSNIFF_ERR_TRUNCATED);
	assert_int_equal(imgsniff_get_info(d)->frames, 1);
	assert_int_equal(imgsniff_last_error(d)->offset, end);
	assert_frame_equal(d, images[0]->map.pixels);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_ERR_TRUNCATED);
	free(cut);
	frames_free(images, 5);
	free(r.data);
	imgsniff_free(d);
}

/* Two full frames, the second of them opaque, and one over a corner of it. */
static struct riff
damaged_new(size_t *second)
{
	struct riff r = riff_begin();
	uint8_t *rgba;
	size_t at;

	vp8x_add(&r, VP8X_ANIM, W, H);
	anim_add(&r, 0);
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t w = i == 2 ? 8 : W, h = i == 2 ? 8 : H;

		rgba = picture_new(w, h, i, false);
		at = anmf_begin(&r, 0, 0, w, h, 100, 0);
		if (i == 1)
			*second = at;
		picture_add(&r, rgba, w, h, PICTURE_LOSSLESS);
		chunk_end(&r, at);
		free(rgba);
	}
	riff_end(&r);
	return r;
}

static void
a_damaged_frame_leaves_the_others_alone(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	size_t second = 0;
	struct riff r = damaged_new(&second);
	struct imgsniff_image **images = frames_of(&r, 3);
	struct imgsniff_image *image, *again;
	(void)state;

	/* Behind ANMF's fields, the chunk's header and VP8L's: no codes. */
	memset(r.data + second + 8 + 16 + 8 + 5, 0xff, 40);
	assert_int_equal(open_riff(d, &r), IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->frames, 3);
	assert_frame_equal(d, images[0]->map.pixels);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
	for (int i = 0; i < 2; i++) {	/* it says so every time */
		assert_int_equal(imgsniff_decode(d, NULL, &image),
				 IMGSNIFF_ERR_CORRUPT);
		assert_int_equal(imgsniff_last_error(d)->offset,
				 second + 8 + 16 + 8);
		assert_string_equal(imgsniff_last_error(d)->message,
				    "VP8L: the data are damaged");
	}
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
	image = image_of(d, IMGSNIFF_RGBA8);
	assert_memory_equal(image->map.pixels, images[2]->map.pixels, 8 * 4);

	/* The damaged frame skipped, the third is the same. */
	assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
	again = image_of(d, IMGSNIFF_RGBA8);
	assert_memory_equal(again->map.pixels, image->map.pixels,
			    image->map.size);
	imgsniff_image_free(image);
	imgsniff_image_free(again);

	/* And nothing is told of a fault that no call has returned. */
	imgsniff_free(d);
	d = decoder_new();
	assert_int_equal(open_riff(d, &r), IMGSNIFF_OK);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
	assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
	imgsniff_image_free(image_of(d, IMGSNIFF_RGBA8));
	assert_int_equal(imgsniff_last_error(d)->status, IMGSNIFF_OK);
	frames_free(images, 3);
	free(r.data);
	imgsniff_free(d);
}

/* ---- Damage -------------------------------------------------------------- */

/*
 * Opens the first 'size' bytes, in a block of that size, and decodes what there
 * is: each row that is called valid must be the whole file's. Returns how many
 * were, of all frames.
 */
static uint32_t
prefix_check(struct imgsniff_decoder *d, const struct riff *r, size_t size,
	     struct imgsniff_image **images, uint32_t frames)
{
	struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .flags = IMGSNIFF_KEEP_DAMAGED,
	};
	uint8_t *cut = malloc(size ? size : 1);
	uint32_t index = 0, rows = 0;
	enum imgsniff_status st;

	assert_non_null(cut);
	memcpy(cut, r->data, size);
	st = imgsniff_open_memory(d, cut, size, 0);
	if (size < r->size - 1)		/* the last may be padding */
		assert_true(st == IMGSNIFF_ERR_TRUNCATED ||
			    (st == IMGSNIFF_ERR_FORMAT && size < 16));
	if (st == IMGSNIFF_ERR_TRUNCATED)
		assert_int_equal(imgsniff_last_error(d)->offset, size);
	do {
		struct imgsniff_image *image = NULL;

		if (imgsniff_get_info(d) == NULL ||
		    imgsniff_get_info(d)->frames == 0)
			break;
		assert_true(index < frames);
		st = imgsniff_decode(d, &o, &image);
		assert_true(st == IMGSNIFF_OK || st == IMGSNIFF_ERR_TRUNCATED);
		if (st == IMGSNIFF_OK)
			assert_int_equal(image->map.rows_valid, H);
		if (image != NULL) {
			rows += image->map.rows_valid;
			assert_memory_equal(image->map.pixels,
					    images[index]->map.pixels,
					    image->map.stride *
					    image->map.rows_valid);
		}
		imgsniff_image_free(image);
		index++;
	} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
	free(cut);
	return rows;
}

static void
prefixes_check(struct riff r, uint32_t frames)
{
	struct imgsniff_decoder *d = decoder_new();
	struct imgsniff_image **images = frames_of(&r, frames);
	uint32_t rows = 0, most = 0;

	for (size_t size = 0; size <= r.size; size++) {
		rows = prefix_check(d, &r, size, images, frames);
		if (size == r.size * 7 / 8)
			most = rows;
	}
	assert_int_equal(rows, H * frames);
	assert_true(most > 0 && most < rows);
	frames_free(images, frames);
	free(r.data);
	imgsniff_free(d);
}

static void
rows_before_a_cut_are_exact(void **state)
{
	(void)state;
	prefixes_check(still_new(W, H, PICTURE_LOSSY, false), 1);
	prefixes_check(still_new(W, H, PICTURE_LOSSY, true), 1);
	prefixes_check(still_new(W, H, PICTURE_LOSSLESS, false), 1);
	prefixes_check(still_new(W, H, PICTURE_LOSSLESS, true), 1);
	prefixes_check(animation_new(5, 4), 4);
}

static void
the_last_padding_may_be_missing_and_more_may_follow(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff r = riff_begin();
	uint8_t *rgba = picture_new(W, H, 1, false);
	(void)state;

	vp8x_add(&r, VP8X_XMP, W, H);
	picture_add(&r, rgba, W, H, PICTURE_LOSSY);
	chunk_add(&r, "XMP ", "odd", 3);
	riff_end(&r);

	assert_int_equal(imgsniff_open_memory(d, r.data, r.size - 1, 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->xmp_bytes, 3);
	riff_set_size(&r, 4, r.size - 8 - 1);
	assert_int_equal(imgsniff_open_memory(d, r.data, r.size - 1, 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->xmp_bytes, 3);
	riff_add(&r, "XMP \377\377\377\377", 8);
	assert_int_equal(open_riff(d, &r), IMGSNIFF_OK);
	free(rgba);
	free(r.data);
	imgsniff_free(d);
}

/* One byte of a good file is changed to make it a bad one. */
struct fault {
	size_t at;
	uint8_t value;
	enum imgsniff_status status;
	uint64_t offset;
	const char *message;
};

static void
faults_check(const struct riff *r, const struct fault *f, size_t n)
{
	struct imgsniff_decoder *d = decoder_new();

	for (size_t i = 0; i < n; i++) {
		uint8_t was = r->data[f[i].at];

		r->data[f[i].at] = f[i].value;
		assert_int_equal(open_riff(d, r), f[i].status);
		r->data[f[i].at] = was;
		assert_string_equal(imgsniff_last_error(d)->message,
				    f[i].message);
		assert_int_equal(imgsniff_last_error(d)->offset, f[i].offset);
	}
	assert_int_equal(open_riff(d, r), IMGSNIFF_OK);
	imgsniff_free(d);
}

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define CORRUPT		IMGSNIFF_ERR_CORRUPT
#define UNSUPPORTED	IMGSNIFF_ERR_UNSUPPORTED

static void
a_broken_vp8_is_named(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSY, false);
	const uint8_t tag = r.data[20];
	const struct fault faults[] = {
		{ 12, 'v', CORRUPT, 12,
		  "RIFF: the first chunk is not VP8, VP8L or VP8X" },
		{ 19, 1, CORRUPT, 16, "chunk: longer than what it is part of" },
		{ 20, tag | 1, CORRUPT, 20, "VP8: not a key frame" },
		{ 20, tag | 14, UNSUPPORTED, 20, "VP8: unknown version" },
		{ 20, tag & 0xef, CORRUPT, 20, "VP8: the frame is not shown" },
		{ 22, 0xff, CORRUPT, 20,
		  "VP8: first partition longer than the chunk" },
		{ 23, 0x9c, CORRUPT, 23, "VP8: no start code" },
		{ 26, 0, CORRUPT, 26, "VP8: width is zero" },
		{ 28, 0, CORRUPT, 28, "VP8: height is zero" },
	};
	(void)state;

	faults_check(&r, faults, COUNT(faults));
	free(r.data);
}

static void
a_broken_vp8l_is_named(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSLESS, false);
	const struct fault faults[] = {
		{ 20, 0x2e, CORRUPT, 20, "VP8L: no signature" },
		{ 24, r.data[24] | 0x20, UNSUPPORTED, 24, "VP8L: unknown version" },
	};
	(void)state;

	faults_check(&r, faults, COUNT(faults));
	free(r.data);
}

static void
a_broken_vp8x_is_named(void **state)
{
	struct riff r = still_new(W, H, PICTURE_LOSSY, true);
	/* ALPH is at 30; behind it is VP8. */
	const uint32_t alph = isn_load_u32le(r.data + 34), n = alph + alph % 2;
	const struct fault faults[] = {
		{ 16, 8, CORRUPT, 16, "VP8X: shorter than its fields" },
		{ 20, VP8X_ALPHA | VP8X_ANIM, CORRUPT, 30,
		  "ANMF: a picture outside of the frames" },
		{ 38 + n, 'v', CORRUPT, 12, "RIFF: there is no picture in it" },
	};
	uint8_t *rgba = picture_new(W, H, 1, false);
	struct riff mismatch = riff_begin();
	struct imgsniff_decoder *d = decoder_new();
	(void)state;

	vp8x_add(&mismatch, 0, W + 1, H);
	picture_add(&mismatch, rgba, W, H, PICTURE_LOSSY);
	riff_end(&mismatch);

	faults_check(&r, faults, COUNT(faults));
	assert_int_equal(open_riff(d, &mismatch), IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(imgsniff_get_info(d)->width, W + 1);
	assert_int_equal(imgsniff_last_error(d)->offset, 44);
	imgsniff_free(d);
	free(rgba);
	free(mismatch.data);
	free(r.data);
}

static void
a_broken_animation_is_named(void **state)
{
	struct riff r = animation_new(1, 2);
	const size_t anim = 30, anmf = 44;
	const struct fault faults[] = {
		{ anim + 4, 4, CORRUPT, anim + 4, "ANIM: shorter than its fields" },
		{ anim, 'a', CORRUPT, anmf, "ANMF: comes before ANIM" },
		{ anmf + 8 + 2, 1, CORRUPT, anmf + 8,
		  "ANMF: the frame is not inside the canvas" },
		{ anmf + 8 + 5, 1, CORRUPT, anmf + 8,
		  "ANMF: the frame is not inside the canvas" },
		{ anmf + 8 + 6, 0, CORRUPT, anmf + 14,
		  "ANMF: the picture is not of the frame's size" },
		{ anmf + 8 + 16, 'v', CORRUPT, anmf,
		  "ANMF: there is no picture in it" },
	};
	(void)state;

	faults_check(&r, faults, COUNT(faults));
	free(r.data);
}

static void
sizes_in_the_container_cannot_wrap(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff r = animation_new(1, 3);
	static const uint32_t sizes[] = {
		0, 1, 7, 0x7fffffff, 0x80000000, 0xfffffff7, 0xfffffffe,
		0xffffffff,
	};
	(void)state;

	for (size_t at = 0; at + 8 <= r.size; at++)
		for (size_t i = 0; i < COUNT(sizes); i++) {
			uint8_t was[4];
			enum imgsniff_status st;

			memcpy(was, r.data + at, 4);
			riff_set_size(&r, at, sizes[i]);
			st = open_riff(d, &r);
			assert_true(st != IMGSNIFF_ERR_USAGE &&
				    st != IMGSNIFF_ERR_IO &&
				    st != IMGSNIFF_ERR_MEMORY);
			if (at == 4 && sizes[i] > r.size)
				assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
			memcpy(r.data + at, was, 4);
		}
	free(r.data);
	imgsniff_free(d);
}

static void
no_changed_byte_does_harm(void **state)
{
	struct imgsniff_decoder *d = decoder_new();
	struct riff files[3] = {
		still_new(W, H, PICTURE_LOSSY, true),
		still_new(W, H, PICTURE_LOSSLESS, true),
		animation_new(5, 3),
	};
	(void)state;

	for (int i = 0; i < 3; i++) {
		struct riff *r = &files[i];

		for (size_t at = 12; at < r->size; at += 1 + at / 64) {
			struct imgsniff_image *image;

			r->data[at] ^= (uint8_t)(1 + at * 37 % 255);
			if (open_riff(d, r) == IMGSNIFF_OK)
				do {
					if (imgsniff_decode(d, NULL, &image) ==
					    IMGSNIFF_OK)
						imgsniff_image_free(image);
				} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
			r->data[at] ^= (uint8_t)(1 + at * 37 % 255);
		}
		free(r->data);
	}
	imgsniff_free(d);
}

/* ---- Scaled by libwebp --------------------------------------------------- */

static struct imgsniff_image *
fitted_image(struct imgsniff_decoder *d, const struct riff *r, bool by_libwebp)
{
	const struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .fit_width = 20, .fit_height = 20,
	};
	struct imgsniff_image *image;
	struct isn_codec codec;

	assert_int_equal(open_riff(d, r), IMGSNIFF_OK);
	codec = *d->codec;
	codec.scales = by_libwebp ? codec.scales : NULL;
	d->codec = &codec;
	assert_int_equal(imgsniff_decode(d, &o, &image), IMGSNIFF_OK);
	imgsniff_close(d);
	return image;
}

/* Decibels, colours weighted by alpha. */
static double
psnr_of(const struct imgsniff_pixmap *a, const struct imgsniff_pixmap *b)
{
	const uint8_t *p = a->pixels, *q = b->pixels;
	double sum = 0;

	for (size_t i = 0; i < a->size; i++) {
		double of_a = i % 4 == 3 ? 1 : p[i | 3] / 255.0;
		double of_b = i % 4 == 3 ? 1 : q[i | 3] / 255.0;
		double off = p[i] * of_a - q[i] * of_b;

		sum += off * off;
	}
	return 10 * log10(255 * 255 * (double)a->size / (sum + 1e-9));
}

static void
a_picture_that_libwebp_scales_first_is_nearly_the_same(void **state)
{
	struct imgsniff_decoder *d = decoder_new();

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct riff r = still_new(240, 180, i / 2 ? PICTURE_LOSSLESS
							  : PICTURE_LOSSY,
					  i % 2);
		struct imgsniff_image *whole = fitted_image(d, &r, false);
		struct imgsniff_image *scaled = fitted_image(d, &r, true);

		assert_int_equal(scaled->map.width, 20);
		assert_int_equal(scaled->map.height, 15);
		assert_true(psnr_of(&whole->map, &scaled->map) > 40);
		/* It was scaled: else it would be the very same. */
		assert_memory_not_equal(whole->map.pixels, scaled->map.pixels,
					whole->map.size);
		imgsniff_image_free(whole);
		imgsniff_image_free(scaled);
		free(r.data);
	}
	imgsniff_free(d);
}

/* All rows of the result or none, though the first ones could be had. */
static void
a_cut_picture_that_is_scaled_has_no_rows(void **state)
{
	const struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .fit_width = 20, .fit_height = 20,
		.flags = IMGSNIFF_KEEP_DAMAGED,
	};
	struct imgsniff_decoder *d = decoder_new();

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct riff r = still_new(240, 180, i ? PICTURE_LOSSLESS
						      : PICTURE_LOSSY, false);
		struct imgsniff_image *image;

		r.size -= r.size / 4;
		assert_int_equal(open_riff(d, &r), IMGSNIFF_ERR_TRUNCATED);
		assert_int_equal(imgsniff_decode(d, &o, &image),
				 IMGSNIFF_ERR_TRUNCATED);
		assert_null(image);
		free(r.data);
	}
	imgsniff_free(d);
}

/* ---- Limits and memory --------------------------------------------------- */

/* VP8L of 16383 x 16383 pixels, all of one colour, which takes no bits. */
static const uint8_t bomb[] = {
	'R', 'I', 'F', 'F', 30, 0, 0, 0, 'W', 'E', 'B', 'P',
	'V', 'P', '8', 'L', 17, 0, 0, 0,
	0x2f, 0xfe, 0xbf, 0xff, 0x0f,	/* 16383 - 1 twice, no alpha, 0 */
	/* No transform, cache or groups; five codes of one symbol, 0. */
	0x88, 0x88, 0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static void
a_bomb_tells_its_size_and_is_not_decoded(void **state)
{
	struct imgsniff_options o = { .struct_size = sizeof(o) };
	struct imgsniff_decoder *d;
	struct imgsniff_image *image;
	(void)state;

	o.limits.max_pixels = 200000000;
	d = imgsniff_new(&o);
	assert_int_equal(imgsniff_open_memory(d, bomb, sizeof(bomb), 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->width, 16383);
	assert_int_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_ERR_LIMIT);
	imgsniff_free(d);

	/* Here it is libwebp's own memory that would be too much. */
	o.limits.max_pixels = UINT64_MAX;
	o.limits.max_memory = 16383ull * 16383 * 5;
	d = imgsniff_new(&o);
	assert_int_equal(imgsniff_open_memory(d, bomb, sizeof(bomb), 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_ERR_LIMIT);
	assert_string_equal(imgsniff_last_error(d)->message,
			    "memory: needs more than max-memory allows");
	imgsniff_free(d);
}

static void
metadata_has_a_limit(void **state)
{
	struct imgsniff_options o = { .struct_size = sizeof(o) };
	struct imgsniff_decoder *d;
	struct imgsniff_view view;
	uint8_t *rgba = picture_new(W, H, 1, false);
	struct riff r = riff_begin();
	(void)state;

	vp8x_add(&r, VP8X_ICC, W, H);
	chunk_add(&r, "ICCP", "profile", 7);
	picture_add(&r, rgba, W, H, PICTURE_LOSSY);
	riff_end(&r);
	o.limits.max_metadata = 6;
	d = imgsniff_new(&o);
	assert_int_equal(info_of(d, &r)->icc_bytes, 7);
	assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_ICC, &view),
			 IMGSNIFF_ERR_LIMIT);
	assert_int_equal(view.size, 0);
	free(rgba);
	free(r.data);
	imgsniff_free(d);
}

static void *
counting_allocate(void *user, size_t size)
{
	++*(unsigned int *)user;
	return malloc(size);
}

static void
counting_release(void *user, void *ptr, size_t size)
{
	(void)user;
	(void)size;
	free(ptr);
}

static void
a_warm_decoder_does_not_allocate(void **state)
{
	unsigned int calls = 0, cold = 0;
	struct imgsniff_allocator allocator = {
		counting_allocate, counting_release, &calls,
	};
	struct imgsniff_options o = {
		.struct_size = sizeof(o), .allocator = &allocator,
	};
	struct imgsniff_decoder *d = imgsniff_new(&o);
	struct riff files[2] = {
		still_new(W, H, PICTURE_LOSSY, true), animation_new(1, 5),
	};
	uint8_t pixels[W * H * 8];
	(void)state;

	for (int round = 0; round < 2; round++) {
		cold = calls;
		for (int i = 0; i < 2; i++)
			for (int layout = 1; layout <= 5; layout++) {
				struct imgsniff_pixmap map = {
					sizeof(map), pixels, sizeof(pixels),
					W * 8, W, H, (enum imgsniff_pixel)layout,
					0,
				};

				assert_int_equal(open_riff(d, &files[i]),
						 IMGSNIFF_OK);
				do {
					assert_int_equal(imgsniff_decode_into(
						d, NULL, &map), IMGSNIFF_OK);
				} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
			}
	}
	assert_int_equal(calls, cold);
	free(files[0].data);
	free(files[1].data);
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lossless_picture_comes_back_exactly),
		cmocka_unit_test(lossy_pictures_are_as_libwebp_shows_them),
		cmocka_unit_test(every_layout_shows_the_same_picture),
		cmocka_unit_test(
			a_lossless_picture_without_its_alpha_bit_is_opaque),
		cmocka_unit_test(metadata_is_found_behind_odd_and_unknown_chunks),
		cmocka_unit_test(alpha_is_told_as_libwebp_does),
		cmocka_unit_test(an_animation_tells_its_frames),
		cmocka_unit_test(one_frame_is_no_animation),
		cmocka_unit_test(the_head_alone_is_enough_for_the_size),
		cmocka_unit_test(frames_are_as_libwebpdemux_shows_them),
		cmocka_unit_test(frames_may_be_skipped_and_come_again),
		cmocka_unit_test(the_first_frame_needs_no_other),
		cmocka_unit_test(a_damaged_frame_leaves_the_others_alone),
		cmocka_unit_test(rows_before_a_cut_are_exact),
		cmocka_unit_test(
			the_last_padding_may_be_missing_and_more_may_follow),
		cmocka_unit_test(
			a_picture_that_libwebp_scales_first_is_nearly_the_same),
		cmocka_unit_test(a_cut_picture_that_is_scaled_has_no_rows),
		cmocka_unit_test(a_broken_vp8_is_named),
		cmocka_unit_test(a_broken_vp8l_is_named),
		cmocka_unit_test(a_broken_vp8x_is_named),
		cmocka_unit_test(a_broken_animation_is_named),
		cmocka_unit_test(sizes_in_the_container_cannot_wrap),
		cmocka_unit_test(no_changed_byte_does_harm),
		cmocka_unit_test(a_bomb_tells_its_size_and_is_not_decoded),
		cmocka_unit_test(metadata_has_a_limit),
		cmocka_unit_test(a_warm_decoder_does_not_allocate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
