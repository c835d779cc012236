/*
 * test_png_frames.c - APNG: frames, disposal and blending, faults among them
 */

#include <setjmp.h>
#include <stdarg.h>

#include "png_make.h"

#include <cmocka.h>

#include "codec.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define W		7
#define H		5

enum { NONE, BACKGROUND, PREVIOUS };
enum { SOURCE, OVER };

struct frame {
	uint32_t x, y, width, height;
	uint16_t number, per_second;	/* the delay */
	uint8_t dispose, blend;
};

/* What may be wrong with an animation. */
struct fault {
	uint32_t says;			/* frames in acTL, if not 0 */
	int skip_number;		/* fcTL or fdAT whose sequence skips, from 1 */
	int no_data;			/* frame without fdAT, from 1 */
	int bad_adler;			/* frame whose stream is damaged, from 1 */
	bool stray_fdat;		/* one before the first fcTL */
};

struct animation {
	struct png_kind kind;		/* of the canvas */
	const struct frame *frames;
	uint32_t count;
	bool apart;			/* the default image is no frame */
	bool fctl_first;		/* the first fcTL is before acTL */
	size_t part;			/* bytes of an fdAT, 0: all */
	struct fault fault;
	uint16_t *pictures[8];		/* samples of each frame */
	struct bytes png;
	uint32_t sequence;
};

static const struct frame mixed[] = {
	{ 0, 0, W, H, 1, 10, NONE, SOURCE },
	{ 2, 1, 3, 3, 1, 0, NONE, OVER },
	{ 1, 0, 4, 2, 50, 1000, BACKGROUND, OVER },
	{ 3, 2, 4, 3, 2, 1, PREVIOUS, SOURCE },
	{ 0, 0, 2, 5, 0, 7, PREVIOUS, OVER },
	{ 0, 4, W, 1, 1, 3, BACKGROUND, SOURCE },
	{ 6, 0, 1, 1, 65535, 1, NONE, OVER },
};

static uint32_t
sequence_next(struct animation *a)
{
	if (a->fault.skip_number != 0 && --a->fault.skip_number == 0)
		a->sequence++;
	return a->sequence++;
}

static void
actl_add(struct animation *a)
{
	struct bytes data = { NULL, 0, 0 };

	bytes_add_u32(&data, a->fault.says ? a->fault.says : a->count);
	bytes_add_u32(&data, 3);
	png_chunk(&a->png, "acTL", data.data, data.size);
	bytes_free(&data);
}

static void
fctl_add(struct animation *a, const struct frame *f)
{
	const uint8_t ops[2] = { f->dispose, f->blend };
	struct bytes data = { NULL, 0, 0 };

	bytes_add_u32(&data, sequence_next(a));
	bytes_add_u32(&data, f->width);
	bytes_add_u32(&data, f->height);
	bytes_add_u32(&data, f->x);
	bytes_add_u32(&data, f->y);
	bytes_add_u16(&data, f->number);
	bytes_add_u16(&data, f->per_second);
	bytes_add(&data, ops, 2);
	png_chunk(&a->png, "fcTL", data.data, data.size);
	bytes_free(&data);
}

static void
fdat_add(struct animation *a, const struct bytes *stream)
{
	size_t at = 0;

	do {
		struct bytes data = { NULL, 0, 0 };
		size_t size = stream->size - at;

		if (a->part != 0 && size > a->part)
			size = a->part;
		bytes_add_u32(&data, sequence_next(a));
		bytes_add(&data, stream->data + at, size);
		png_chunk(&a->png, "fdAT", data.data, data.size);
		if (a->part != 0)
			png_chunk(&a->png, "tEXt", "a\0b", 3);
		bytes_free(&data);
		at += size;
	} while (at < stream->size);
}

static struct bytes
frame_stream(struct animation *a, uint32_t i)
{
	struct png_kind k = a->kind;
	struct bytes stream;

	k.width = a->frames[i].width;
	k.height = a->frames[i].height;
	a->pictures[i] = png_picture(&k, i + 1);
	/* Alpha is all or nothing: blending itself is tested with the canvas. */
	for (size_t p = 3; p < (size_t)k.width * k.height * 4; p += 4)
		if (a->pictures[i][p] % 2 != 0)
			a->pictures[i][p] = (uint16_t)((1u << k.depth) - 1);
		else
			a->pictures[i][p] = 0;
	stream = png_stream(&k, a->pictures[i], 6);
	if (a->fault.bad_adler == (int)i + 1)
		stream.data[stream.size - 1] ^= 1;
	return stream;
}

static void
default_image_add(struct animation *a)
{
	uint16_t *samples = png_picture(&a->kind, 99);
	struct bytes stream = png_stream(&a->kind, samples, 6);

	png_idats(&a->png, &stream, 0);
	bytes_free(&stream);
	free(samples);
}

static void
animation_make(struct animation *a)
{
	png_head(&a->png, &a->kind);
	if (!a->fctl_first)
		actl_add(a);
	if (a->apart)
		default_image_add(a);
	if (a->fault.stray_fdat)
		png_chunk(&a->png, "fdAT", "\0\0\0\0", 4);
	for (uint32_t i = 0; i < a->count; i++) {
		struct bytes stream = frame_stream(a, i);

		fctl_add(a, &a->frames[i]);
		if (i == 0 && a->fctl_first)
			actl_add(a);
		if (i == 0 && !a->apart)
			png_idats(&a->png, &stream, a->part);
		else if (a->fault.no_data != (int)i + 1)
			fdat_add(a, &stream);
		bytes_free(&stream);
	}
	png_chunk(&a->png, "IEND", NULL, 0);
}

static void
animation_free(struct animation *a)
{
	for (size_t i = 0; i < COUNT(a->pictures); i++)
		free(a->pictures[i]);
	bytes_free(&a->png);
}

/* ---- What it should look like, by the book ------------------------------- */

typedef uint16_t canvas[H][W][4];

static void
canvas_clear(canvas c, const struct frame *f)
{
	for (uint32_t y = f->y; y < f->y + f->height; y++)
		for (uint32_t x = f->x; x < f->x + f->width; x++)
			memset(c[y][x], 0, sizeof(c[y][x]));
}

static void
canvas_draw(canvas c, const struct animation *a, uint32_t i)
{
	const struct frame *f = &a->frames[i];

	for (uint32_t y = 0; y < f->height; y++)
		for (uint32_t x = 0; x < f->width; x++) {
			const uint16_t *p = a->pictures[i] +
					    (y * f->width + x) * 4;

			if (f->blend == SOURCE || p[3] != 0)
				memcpy(c[f->y + y][f->x + x], p, 8);
		}
}

/* The canvas while frame 'index' is shown. */
static void
canvas_expect(canvas c, const struct animation *a, uint32_t index)
{
	canvas before;

	memset(c, 0, sizeof(canvas));
	for (uint32_t i = 0; i <= index; i++) {
		const struct frame *f = &a->frames[i];

		memcpy(before, c, sizeof(before));
		canvas_draw(c, a, i);
		if (i == index)
			return;
		if (f->dispose == BACKGROUND || (f->dispose == PREVIOUS && i == 0))
			canvas_clear(c, f);
		else if (f->dispose == PREVIOUS)
			memcpy(c, before, sizeof(before));
	}
}

/* ---- Help ---------------------------------------------------------------- */

static struct imgsniff_decoder *
decoder_new(const char *backend)
{
	const struct imgsniff_options options = {
		.struct_size = sizeof(options), .backend = backend,
	};
	struct imgsniff_decoder *d = imgsniff_new(&options);

	assert_non_null(d);
	return d;
}

static struct imgsniff_pixmap
pixmap_over(void *pixels, enum imgsniff_pixel layout)
{
	return (struct imgsniff_pixmap){
		.struct_size = sizeof(struct imgsniff_pixmap),
		.pixels = pixels,
		.size = imgsniff_image_size(layout, W, H),
		.stride = imgsniff_row_size(layout, W),
		.width = W, .height = H, .layout = layout,
	};
}

static void
assert_frame(struct imgsniff_decoder *d, const struct animation *a,
	     uint32_t index, enum imgsniff_pixel layout)
{
	uint16_t pixels[H][W][4];
	const uint8_t *bytes = (const uint8_t *)pixels;
	struct imgsniff_pixmap map = pixmap_over(pixels, layout);
	canvas want;

	assert_int_equal(imgsniff_get_frame(d)->index, index);
	assert_int_equal(imgsniff_decode_into(d, NULL, &map), IMGSNIFF_OK);
	canvas_expect(want, a, index);
	for (size_t i = 0; i < W * H * 4; i++) {
		uint16_t sample = ((uint16_t *)want)[i];

		if (layout == IMGSNIFF_RGBA16)
			assert_int_equal(((uint16_t *)pixels)[i],
					 a->kind.depth == 16 ? sample
							     : sample * 257);
		else
			assert_int_equal(bytes[i], a->kind.depth == 16
					 ? sample >> 8 : sample);
	}
}

static void
open_right(struct imgsniff_decoder *d, const struct animation *a)
{
	assert_int_equal(imgsniff_open_memory(d, a->png.data, a->png.size, 0),
			 IMGSNIFF_OK);
}

/* Each variant of 'mixed' that must look the same. */
static void
variants_check(uint8_t depth, uint8_t interlace, const char *backend)
{
	static const enum imgsniff_pixel layouts[] = {
		IMGSNIFF_RGBA8, IMGSNIFF_RGBA16,
	};
	struct imgsniff_decoder *d = decoder_new(backend);

	for (int variant = 0; variant < 8; variant++) {
		struct animation a = {
			.kind = { .width = W, .height = H, .depth = depth,
				  .color = 6, .interlace = interlace },
			.frames = mixed,
			.count = COUNT(mixed),
			.apart = variant & 1,
			.fctl_first = variant == 2,
			.part = variant & 4 ? 10 : 0,
		};

		animation_make(&a);
		open_right(d, &a);
		for (size_t l = 0; l < COUNT(layouts); l++) {
			for (uint32_t i = 0; i < a.count; i++) {
				assert_frame(d, &a, i, layouts[l]);
				assert_int_equal(imgsniff_next_frame(d),
						 i + 1 < a.count ? IMGSNIFF_OK
								 : IMGSNIFF_END);
			}
			assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
		}
		animation_free(&a);
	}
	imgsniff_free(d);
}

/* ---- Tests --------------------------------------------------------------- */

static void
frames_are_disposed_of_and_blended(void **state)
{
	(void)state;
	variants_check(8, 0, NULL);
	variants_check(8, 0, "zlib");
}

static void
interlaced_and_deep_frames_are_the_same(void **state)
{
	(void)state;
	variants_check(8, 1, NULL);
	variants_check(16, 0, NULL);
	variants_check(16, 1, "zlib");
}

static void
facts_are_those_of_actl_and_fctl(void **state)
{
	static const uint64_t durations[] = {
		100000, 10000, 50000, 2000000, 0, 333333,
		UINT64_C(65535000000),
	};
	struct animation a = {
		.kind = { .width = W, .height = H, .depth = 8, .color = 6 },
		.frames = mixed, .count = COUNT(mixed),
	};
	struct imgsniff_decoder *d = decoder_new(NULL);
	const struct imgsniff_info *info;
	uint64_t sum = 0;

	(void)state;
	animation_make(&a);
	open_right(d, &a);
	info = imgsniff_get_info(d);
	assert_int_equal(info->frames, COUNT(mixed));
	assert_true(info->animated && info->has_loop);
	assert_int_equal(info->loop, 3);
	assert_int_equal(info->plays, 3);
	assert_int_equal(info->best, IMGSNIFF_RGBA8);
	for (uint32_t i = 0; i < COUNT(mixed); i++) {
		const struct imgsniff_frame *f = imgsniff_get_frame(d);

		assert_int_equal(f->index, i);
		assert_int_equal(f->x, mixed[i].x);
		assert_int_equal(f->y, mixed[i].y);
		assert_int_equal(f->width, mixed[i].width);
		assert_int_equal(f->height, mixed[i].height);
		assert_int_equal(f->duration_us, durations[i]);
		sum += durations[i];
		assert_int_equal(imgsniff_next_frame(d), i + 1 < COUNT(mixed)
				 ? IMGSNIFF_OK : IMGSNIFF_END);
	}
	assert_int_equal(info->duration_us, sum);
	animation_free(&a);
	imgsniff_free(d);
}

static void
a_skipped_frame_is_still_drawn(void **state)
{
	struct animation a = {
		.kind = { .width = W, .height = H, .depth = 8, .color = 6 },
		.frames = mixed, .count = COUNT(mixed), .apart = true,
	};
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	animation_make(&a);
	for (uint32_t goal = 0; goal < a.count; goal++) {
		open_right(d, &a);
		for (uint32_t i = 0; i < goal; i++)
			assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
		assert_frame(d, &a, goal, IMGSNIFF_RGBA8);
		assert_frame(d, &a, goal, IMGSNIFF_RGBA8);
		assert_int_equal(imgsniff_rewind(d), IMGSNIFF_OK);
		assert_frame(d, &a, 0, IMGSNIFF_RGBA8);
	}
	animation_free(&a);
	imgsniff_free(d);
}

static void
the_head_alone_leads_to_all_frames(void **state)
{
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	for (int apart = 0; apart <= 1; apart++) {
		struct animation a = {
			.kind = { .width = W, .height = H, .depth = 8,
				  .color = 6 },
			.frames = mixed, .count = COUNT(mixed), .apart = apart,
		};

		animation_make(&a);
		assert_int_equal(imgsniff_open_memory(d, a.png.data,
						      a.png.size, IMGSNIFF_HEAD),
				 IMGSNIFF_OK);
		assert_int_equal(imgsniff_get_info(d)->frames, COUNT(mixed));
		assert_frame(d, &a, 0, IMGSNIFF_RGBA8);
		assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_OK);
		assert_frame(d, &a, 1, IMGSNIFF_RGBA8);
		animation_free(&a);
	}
	imgsniff_free(d);
}

/* Faults of the structure: what open() says, and how many frames there are. */
static void
faults_end_the_animation_where_they_are(void **state)
{
	static const struct {
		struct fault fault;
		const char *message;
		uint32_t frames;	/* that can be stepped through */
	} cases[] = {
		{ { .says = 2 }, "acTL: there are more frames than it says", 2 },
		{ { .says = 9 }, "acTL: there are fewer frames than it says",
		  7 },
		{ { .skip_number = 1 }, "fcTL: sequence number out of order",
		  0 },
		{ { .skip_number = 2 }, "fcTL: sequence number out of order",
		  1 },
		{ { .skip_number = 5 }, "fdAT: sequence number out of order",
		  2 },
		{ { .no_data = 4 }, "fcTL: no fdAT follows it", 3 },
		{ { .stray_fdat = true }, "fdAT: no fcTL before it", 7 },
	};
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct animation a = {
			.kind = { .width = W, .height = H, .depth = 8,
				  .color = 6 },
			.frames = mixed, .count = COUNT(mixed),
			.fault = cases[i].fault,
			.apart = cases[i].fault.stray_fdat,
		};
		uint32_t frames = 0;

		animation_make(&a);
		assert_int_equal(imgsniff_open_memory(d, a.png.data,
						      a.png.size, 0),
				 IMGSNIFF_ERR_CORRUPT);
		assert_string_equal(imgsniff_last_error(d)->message,
				    cases[i].message);
		if (cases[i].frames > 0)
			do
				assert_frame(d, &a, frames++, IMGSNIFF_RGBA8);
			while (imgsniff_next_frame(d) == IMGSNIFF_OK);
		assert_int_equal(frames, cases[i].frames);
		animation_free(&a);
	}
	imgsniff_free(d);
}

static void
frames_outside_of_the_canvas_are_refused(void **state)
{
	static const struct frame odd[] = {
		{ 0, 0, 0, 1, 1, 1, NONE, SOURCE },
		{ 0, 0, 1, 0, 1, 1, NONE, SOURCE },
		{ 1, 0, W, 1, 1, 1, NONE, SOURCE },
		{ 0, 1, 1, H, 1, 1, NONE, SOURCE },
		{ UINT32_MAX, 0, 2, 1, 1, 1, NONE, SOURCE },
		{ 0, UINT32_MAX, 1, 2, 1, 1, NONE, SOURCE },
		{ 0, 0, 1, 1, 1, 1, 3, SOURCE },
		{ 0, 0, 1, 1, 1, 1, NONE, 2 },
	};
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	for (size_t i = 0; i < COUNT(odd); i++) {
		struct animation a = {
			.kind = { .width = W, .height = H, .depth = 8,
				  .color = 6 },
			.frames = mixed, .count = 1, .fault.says = 2,
		};

		animation_make(&a);
		a.png.size -= 12;
		fctl_add(&a, &odd[i]);
		png_chunk(&a.png, "IEND", NULL, 0);
		assert_int_equal(imgsniff_open_memory(d, a.png.data,
						      a.png.size, 0),
				 IMGSNIFF_ERR_CORRUPT);
		assert_memory_equal(imgsniff_last_error(d)->message, "fcTL: ",
				    6);
		assert_frame(d, &a, 0, IMGSNIFF_RGBA8);
		assert_int_equal(imgsniff_next_frame(d), IMGSNIFF_ERR_CORRUPT);
		animation_free(&a);
	}
	imgsniff_free(d);
}

/* Its rows were all there, so the frames after it look right as well. */
static void
a_damaged_frame_fails_alone(void **state)
{
	struct animation a = {
		.kind = { .width = W, .height = H, .depth = 8, .color = 6 },
		.frames = mixed, .count = COUNT(mixed), .fault.bad_adler = 3,
	};
	struct imgsniff_decoder *d = decoder_new(NULL);
	uint8_t pixels[H][W][4];
	struct imgsniff_pixmap map = pixmap_over(pixels, IMGSNIFF_RGBA8);

	(void)state;
	animation_make(&a);
	open_right(d, &a);
	for (uint32_t i = 0; i < a.count; i++) {
		if (i != 2)
			assert_frame(d, &a, i, IMGSNIFF_RGBA8);
		for (int again = 0; again < 2 && i == 2; again++) {
			assert_int_equal(imgsniff_decode_into(d, NULL, &map),
					 IMGSNIFF_ERR_CORRUPT);
			assert_string_equal(imgsniff_last_error(d)->message,
					    "fdAT: the Adler-32 of the zlib "
					    "stream is wrong");
		}
		assert_int_equal(imgsniff_next_frame(d), i + 1 < a.count
				 ? IMGSNIFF_OK : IMGSNIFF_END);
	}
	animation_free(&a);
	imgsniff_free(d);
}

/* Cut at every byte: frames that are whole look right, nothing else happens. */
static void
truncation_keeps_the_whole_frames(void **state)
{
	struct animation a = {
		.kind = { .width = W, .height = H, .depth = 8, .color = 6 },
		.frames = mixed, .count = COUNT(mixed), .part = 40,
	};
	struct imgsniff_decoder *d = decoder_new(NULL);
	uint32_t most = 0;

	(void)state;
	animation_make(&a);
	for (size_t size = 8; size < a.png.size; size++) {
		uint8_t *copy = bytes_exact(&a.png, size);
		uint8_t pixels[H][W][4];
		struct imgsniff_pixmap map = pixmap_over(pixels,
							 IMGSNIFF_RGBA8);
		enum imgsniff_status st;
		uint32_t whole = 0;

		st = imgsniff_open_memory(d, copy, size, 0);
		/* Without the last tEXt and IEND nothing is missing. */
		if (size < a.png.size - 27)
			assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
		while (d->can_decode &&
		       imgsniff_decode_into(d, NULL, &map) == IMGSNIFF_OK) {
			assert_frame(d, &a, whole++, IMGSNIFF_RGBA8);
			if (imgsniff_next_frame(d) != IMGSNIFF_OK)
				break;
		}
		assert_true(whole >= most);
		most = whole;
		free(copy);
	}
	assert_int_equal(most, COUNT(mixed));
	animation_free(&a);
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_disposed_of_and_blended),
		cmocka_unit_test(interlaced_and_deep_frames_are_the_same),
		cmocka_unit_test(facts_are_those_of_actl_and_fctl),
		cmocka_unit_test(a_skipped_frame_is_still_drawn),
		cmocka_unit_test(the_head_alone_leads_to_all_frames),
		cmocka_unit_test(faults_end_the_animation_where_they_are),
		cmocka_unit_test(frames_outside_of_the_canvas_are_refused),
		cmocka_unit_test(a_damaged_frame_fails_alone),
		cmocka_unit_test(truncation_keeps_the_whole_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
