/*
 * test_resize.c - pixel/resize.c against the filter's definition
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

#include "pixel/resize.h"

#define GUARD		8
#define GUARD_BYTE	0xA5

static size_t allocations_left = SIZE_MAX;

static void *
test_allocate(void *user, size_t size)
{
	(void)user;
	if (allocations_left == 0)
		return NULL;
	allocations_left--;
	return malloc(size);
}

static void
test_release(void *user, void *ptr, size_t size)
{
	(void)user;
	(void)size;
	free(ptr);
}

static struct isn_memory
memory_new(void)
{
	return (struct isn_memory){
		.allocator = { test_allocate, test_release, NULL },
		.limit = UINT64_MAX,
	};
}

static bool
is_deep(enum imgsniff_pixel layout)
{
	return layout == IMGSNIFF_RGBA16;
}

static unsigned int
samples_of(enum imgsniff_pixel layout)
{
	return (unsigned int)imgsniff_row_size(layout, 1) /
	       (is_deep(layout) ? 2 : 1);
}

static double
sample_get(const uint8_t *pixels, enum imgsniff_pixel layout, size_t i)
{
	uint16_t v;

	if (!is_deep(layout))
		return pixels[i];
	memcpy(&v, pixels + 2 * i, 2);
	return v;
}

static void
sample_set(uint8_t *pixels, enum imgsniff_pixel layout, size_t i, unsigned int v)
{
	uint16_t v16 = (uint16_t)v;

	if (is_deep(layout))
		memcpy(pixels + 2 * i, &v16, 2);
	else
		pixels[i] = (uint8_t)v;
}

/* ---- The definition, one result sample at a time -------------------------- */

static double
sinc(double x)
{
	return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x);
}

static double
filter(double x)
{
	return fabs(x) < 3 ? sinc(x) * sinc(x / 3) : 0;
}

/* 'weights' of all 'src' samples for result 'i', their sum one. */
static void
weights_of(double *weights, uint32_t src, uint32_t dst, uint32_t i)
{
	double scale = (double)src / dst, sum = 0;

	for (uint32_t k = 0; k < src; k++) {
		weights[k] = filter((k + 0.5) / scale - (i + 0.5));
		sum += weights[k];
	}
	for (uint32_t k = 0; k < src; k++)
		weights[k] /= sum;
}

/* A tightly packed picture of doubles, scaled in y, then in x. */
static double *
scaled_by_definition(const double *in, const struct isn_resize *what,
		     unsigned int samples)
{
	uint32_t larger = what->src_width > what->src_height
			  ? what->src_width : what->src_height;
	double *w = calloc(larger, sizeof(*w));
	double *half = calloc((size_t)what->src_width * what->dst_height *
			      samples, sizeof(*half));
	double *out = calloc((size_t)what->dst_width * what->dst_height *
			     samples, sizeof(*out));
	size_t row = (size_t)what->src_width * samples;

	assert_true(w != NULL && half != NULL && out != NULL);
	for (uint32_t y = 0; y < what->dst_height; y++) {
		weights_of(w, what->src_height, what->dst_height, y);
		for (uint32_t k = 0; k < what->src_height; k++)
			for (size_t i = 0; w[k] != 0 && i < row; i++)
				half[y * row + i] += w[k] * in[k * row + i];
	}
	for (uint32_t x = 0; x < what->dst_width; x++) {
		weights_of(w, what->src_width, what->dst_width, x);
		for (size_t i = 0; i < (size_t)what->dst_height * samples; i++) {
			size_t y = i / samples, s = i % samples;
			double *sum = out + (y * what->dst_width + x) * samples + s;

			for (uint32_t k = 0; k < what->src_width; k++)
				*sum += w[k] * half[y * row + k * samples + s];
		}
	}
	free(w);
	free(half);
	return out;
}

static double
rounded(double v, double max)
{
	return v <= 0 ? 0 : v >= max ? max : floor(v + 0.5);
}

/* What the resizer must give, but for the rounding of floats. */
static double *
expected_of(const uint8_t *pixels, const struct isn_resize *what)
{
	const unsigned int samples = samples_of(what->layout);
	const double max = is_deep(what->layout) ? 65535 : 255;
	const bool weighted = samples == 4 && !what->opaque;
	size_t n = (size_t)what->src_width * what->src_height * samples;
	double *in = calloc(n, sizeof(*in)), *out;

	assert_non_null(in);
	for (size_t i = 0; i < n; i++) {
		in[i] = sample_get(pixels, what->layout, i);
		if (weighted && i % 4 != 3)
			in[i] *= sample_get(pixels, what->layout, i | 3);
	}
	out = scaled_by_definition(in, what, samples);
	n = (size_t)what->dst_width * what->dst_height * samples;
	for (size_t i = 0; i < n; i++) {
		if (weighted && i % 4 != 3)
			out[i] = out[i | 3] >= 0.5 ? out[i] / out[i | 3] : 0;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = rounded(out[i], max);
	free(in);
	return out;
}

/* ---- Running it ------------------------------------------------------------ */

/* Rows of exact size at odd addresses, and guards around those that come out. */
static uint8_t *
resized(struct isn_resizer *r, struct isn_memory *m, const uint8_t *pixels,
	const struct isn_resize *what)
{
	size_t in = imgsniff_row_size(what->layout, what->src_width);
	size_t row = imgsniff_row_size(what->layout, what->dst_width);
	uint8_t *out = malloc(row * what->dst_height);
	uint8_t *src = malloc(1 + in), *dst = malloc(GUARD + row + GUARD);
	uint32_t done = 0;

	assert_true(out != NULL && src != NULL && dst != NULL);
	assert_true(isn_resizer_begin(r, m, what));
	for (uint32_t y = 0; y < what->src_height; y++) {
		memcpy(src + 1, pixels + y * in, in);
		isn_resizer_push(r, src + 1);
		memset(dst, GUARD_BYTE, GUARD + row + GUARD);
		while (isn_resizer_pull(r, dst + GUARD - 1)) {
			assert_true(done < what->dst_height);
			memcpy(out + done++ * row, dst + GUARD - 1, row);
		}
		assert_int_equal(dst[GUARD - 2], GUARD_BYTE);
		assert_int_equal(dst[GUARD - 1 + row], GUARD_BYTE);
	}
	assert_int_equal(done, what->dst_height);
	free(src);
	free(dst);
	return out;
}

/* Decibels, and no sample further off than 'worst'. */
static double
psnr_of(const uint8_t *got, const double *want, const struct isn_resize *what,
	double worst)
{
	const double max = is_deep(what->layout) ? 65535 : 255;
	size_t n = (size_t)what->dst_width * what->dst_height *
		   samples_of(what->layout);
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double off = sample_get(got, what->layout, i) - want[i];

		if (fabs(off) > worst)
			fail_msg("%ux%u to %ux%u, layout %d: sample %zu is %g, "
				 "not %g", what->src_width, what->src_height,
				 what->dst_width, what->dst_height,
				 (int)what->layout, i, want[i] + off, want[i]);
		sum += off * off;
	}
	return sum == 0 ? INFINITY : 10 * log10(max * max * (double)n / sum);
}

static void
noise_fill(uint8_t *pixels, size_t size)
{
	for (size_t i = 0; i < size; i++)
		pixels[i] = (uint8_t)(rand() >> 4);
}

static const enum imgsniff_pixel layouts[] = {
	IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
	IMGSNIFF_RGBA16,
};

static const struct {
	uint32_t sw, sh, dw, dh;
} sizes[] = {
	{ 64, 48, 32, 24 },	{ 100, 75, 33, 25 },	{ 61, 47, 60, 46 },
	{ 40, 30, 40, 30 },	{ 40, 30, 40, 7 },	{ 40, 30, 9, 30 },
	{ 300, 5, 13, 1 },	{ 5, 300, 1, 13 },	{ 2, 2, 1, 1 },
	{ 1, 1, 1, 1 },		{ 3, 2, 2, 2 },		{ 513, 7, 1, 1 },
	{ 7, 6, 6, 5 },		{ 256, 256, 16, 16 },	{ 129, 65, 128, 64 },
};

/* Where less than an eighth of 8 bits is wanted, the filter is a polyline in y. */
static bool
is_exact(const struct isn_resize *what)
{
	return is_deep(what->layout) || what->src_height / what->dst_height < 8;
}

static void
noise_equals_the_definition(void **state)
{
	struct isn_memory m = memory_new();
	struct isn_resizer r = { .pushed = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t k = 0; k < sizeof(layouts) / sizeof(layouts[0]) * 2;
		     k++) {
			struct isn_resize what = {
				sizes[i].sw, sizes[i].sh, sizes[i].dw,
				sizes[i].dh, layouts[k / 2], k % 2,
			};
			size_t size = imgsniff_image_size(what.layout,
							  what.src_width,
							  what.src_height);
			uint8_t *pixels = malloc(size), *got;
			double *want;

			assert_non_null(pixels);
			noise_fill(pixels, size);

			got = resized(&r, &m, pixels, &what);

			want = expected_of(pixels, &what);
			/* A value near the middle may round to either side. */
			assert_true(psnr_of(got, want, &what, is_exact(&what)
					    ? 1 : 2) >
				    (is_exact(&what) ? 70 : 55));
			free(pixels);
			free(got);
			free(want);
		}
	isn_resizer_free(&r, &m);
	assert_int_equal(m.used, 0);
}

/* Patterns with much in them that a small picture cannot show. */
static unsigned int
pattern(unsigned int kind, unsigned int x, unsigned int y)
{
	switch (kind) {
	case 0:
		return (x * x + y * y) / 300 % 2 ? 255 : 0;
	case 1:				/* up to what is no stripe any more */
		return (unsigned int)(127.5 + 127.5 * sin(y * y * 0.003));
	case 2:
		return (x / 3 + y / 3) % 2 ? 255 : 0;
	case 3:				/* an edge */
		return y > 201 ? 255 : 0;
	case 4:
		return y / 2;
	}
	/* Rows of stripes as far apart as the kind says. */
	return y % kind < kind / 2 ? 255 : 0;
}

static void
patterns_come_close_to_the_definition(void **state)
{
	static const uint32_t heights[] = { 66, 57, 50, 40, 26, 20, 9, 3 };
	struct isn_memory m = memory_new();
	struct isn_resizer r = { .pushed = 0 };
	static uint8_t pixels[60 * 400];
	double lowest = INFINITY;

	(void)state;
	for (unsigned int kind = 0; kind < 30; kind++)
		for (size_t i = 0; i < sizeof(heights) / sizeof(*heights); i++) {
			const struct isn_resize what = {
				60, 400, 10, heights[i], IMGSNIFF_GRAY8, true,
			};
			uint8_t *got;
			double *want, db;

			for (unsigned int k = 0; k < sizeof(pixels); k++)
				pixels[k] = (uint8_t)pattern(kind, k % 60,
							     k / 60);
			got = resized(&r, &m, pixels, &what);
			want = expected_of(pixels, &what);
			db = psnr_of(got, want, &what, 255);
			lowest = db < lowest ? db : lowest;
			free(got);
			free(want);
		}
	assert_true(lowest > 45);
	isn_resizer_free(&r, &m);
}

/* 'values' of the first pixel, in all of them. */
static void
flat_check(const struct isn_resize *what, const unsigned int values[4])
{
	struct isn_memory m = memory_new();
	struct isn_resizer r = { .pushed = 0 };
	size_t row = imgsniff_row_size(what->layout, what->src_width);
	const unsigned int samples = samples_of(what->layout);
	uint8_t *src = malloc(row), *dst = malloc(row);
	uint32_t done = 0;

	assert_true(src != NULL && dst != NULL);
	for (size_t i = 0; i < (size_t)what->src_width * samples; i++)
		sample_set(src, what->layout, i, values[i % samples]);
	assert_true(isn_resizer_begin(&r, &m, what));

	for (uint32_t y = 0; y < what->src_height; y++) {
		isn_resizer_push(&r, src);
		for (; isn_resizer_pull(&r, dst); done++)
			assert_memory_equal(dst, src, imgsniff_row_size(
					    what->layout, what->dst_width));
	}

	assert_int_equal(done, what->dst_height);
	isn_resizer_free(&r, &m);
	free(src);
	free(dst);
}

static void
flat_stays_flat(void **state)
{
	(void)state;
	for (unsigned int v = 0; v < 256; v++) {
		const unsigned int all[4] = { v, 255 - v, v / 2, v ? v : 1 };

		for (uint32_t dst = 1; dst <= 31; dst += 5) {
			flat_check(&(struct isn_resize){ 31, 37, dst, dst,
				   IMGSNIFF_GRAY8, false }, all);
			flat_check(&(struct isn_resize){ 31, 37, dst, dst,
				   IMGSNIFF_RGB8, false }, all);
			flat_check(&(struct isn_resize){ 31, 37, dst, dst,
				   IMGSNIFF_RGBA8, false }, all);
		}
	}
}

static void
flat_stays_flat_over_thousands_of_taps(void **state)
{
	const unsigned int values[4] = { 255, 254, 1, 255 };
	const unsigned int deep[4] = { 65535, 65534, 32767, 65535 };

	(void)state;
	flat_check(&(struct isn_resize){ 4000, 3000, 1, 1, IMGSNIFF_RGBA8,
		   true }, values);
	flat_check(&(struct isn_resize){ 4000, 3000, 4, 3, IMGSNIFF_RGBA8,
		   false }, values);
	flat_check(&(struct isn_resize){ 4000, 3000, 1, 1, IMGSNIFF_RGBA16,
		   false }, deep);
	flat_check(&(struct isn_resize){ 4000, 3000, 7, 5, IMGSNIFF_RGBA16,
		   true }, deep);
}

/* White, opaque on the left, transparent black on the right. */
static void
transparent_pixels_lend_no_colour(void **state)
{
	struct isn_resize what = { 64, 8, 15, 3, IMGSNIFF_RGBA8, false };
	struct isn_memory m = memory_new();
	struct isn_resizer r = { .pushed = 0 };
	uint8_t src[64 * 8 * 4] = { 0 }, *got;

	(void)state;
	for (size_t i = 0; i < sizeof(src); i++)
		src[i] = i / 4 % 64 < 29 ? 255 : 0;

	got = resized(&r, &m, src, &what);

	for (size_t i = 0; i < 15 * 3 * 4; i += 4) {
		int colour = got[i + 3] ? 255 : 0;

		assert_int_equal(got[i], colour);
		assert_int_equal(got[i + 1], colour);
		assert_int_equal(got[i + 2], colour);
	}
	free(got);
	isn_resizer_free(&r, &m);
}

static void
the_same_sizes_again_allocate_and_weigh_nothing(void **state)
{
	struct isn_resize what = { 30, 20, 7, 5, IMGSNIFF_RGB8, false };
	struct isn_memory m = memory_new();
	struct isn_resizer r = { .pushed = 0 };
	uint8_t src[30 * 20 * 3], *first, *again;

	(void)state;
	noise_fill(src, sizeof(src));
	first = resized(&r, &m, src, &what);
	allocations_left = 0;

	again = resized(&r, &m, src, &what);

	allocations_left = SIZE_MAX;
	assert_memory_equal(first, again, 7 * 5 * 3);
	free(first);
	free(again);
	isn_resizer_free(&r, &m);
}

static void
refused_memory_is_told_and_recovered_from(void **state)
{
	struct isn_resize what = { 30, 20, 7, 5, IMGSNIFF_RGB8, false };
	struct isn_memory m = memory_new();
	struct isn_resizer r = { .pushed = 0 };
	uint8_t src[30 * 20 * 3] = { 0 };

	(void)state;
	allocations_left = 0;
	assert_false(isn_resizer_begin(&r, &m, &what));
	allocations_left = SIZE_MAX;
	free(resized(&r, &m, src, &what));
	m.limit = m.used;
	what.src_width = UINT32_MAX;
	what.dst_width = UINT32_MAX / 2;
	assert_false(isn_resizer_begin(&r, &m, &what));
	isn_resizer_free(&r, &m);
	assert_int_equal(m.used, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_equals_the_definition),
		cmocka_unit_test(patterns_come_close_to_the_definition),
		cmocka_unit_test(flat_stays_flat),
		cmocka_unit_test(flat_stays_flat_over_thousands_of_taps),
		cmocka_unit_test(transparent_pixels_lend_no_colour),
		cmocka_unit_test(the_same_sizes_again_allocate_and_weigh_nothing),
		cmocka_unit_test(refused_memory_is_told_and_recovered_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
