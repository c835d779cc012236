/*
 * test_icc.c - profiles built here, against the arithmetic they stand for
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pixel/icc.h"
#include "pixel/profile.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static void *
test_allocate(void *user, size_t size)
{
	(void)user;
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
memory_new(uint64_t limit)
{
	return (struct isn_memory){
		.allocator = { test_allocate, test_release, NULL },
		.limit = limit,
	};
}

/* ---- Profiles ---------------------------------------------------------------- */

struct profile {
	uint8_t bytes[8192];
	size_t size;
	uint32_t tags;
};

#define TAGS_MAX	12

static void
put32(struct profile *p, size_t at, uint32_t v)
{
	p->bytes[at] = (uint8_t)(v >> 24);
	p->bytes[at + 1] = (uint8_t)(v >> 16);
	p->bytes[at + 2] = (uint8_t)(v >> 8);
	p->bytes[at + 3] = (uint8_t)v;
}

static void
put_name(struct profile *p, size_t at, const char *name)
{
	memcpy(p->bytes + at, name, 4);
}

static void
put_fixed(struct profile *p, size_t at, double v)
{
	put32(p, at, (uint32_t)(int32_t)lround(v * 65536));
}

static void
profile_begin(struct profile *p, const char *space)
{
	memset(p, 0, sizeof(*p));
	p->size = 128 + 4 + TAGS_MAX * 12;
	put32(p, 8, 0x02400000);		/* version 2.4 */
	put_name(p, 12, "mntr");
	put_name(p, 16, space);
	put_name(p, 20, "XYZ ");
	put_name(p, 36, "acsp");
	put_fixed(p, 68, 0.9642);		/* illuminant: D50 */
	put_fixed(p, 72, 1);
	put_fixed(p, 76, 0.8249);
}

/* A tag of 'size' bytes, zeros after its type; returns where it lies. */
static size_t
profile_add(struct profile *p, const char *name, const char *type, size_t size)
{
	size_t entry = 132 + p->tags * 12, at = p->size;

	assert_true(p->tags < TAGS_MAX && at + size <= sizeof(p->bytes));
	put_name(p, entry, name);
	put32(p, entry + 4, (uint32_t)at);
	put32(p, entry + 8, (uint32_t)size);
	put_name(p, at, type);
	p->size += (size + 3) / 4 * 4;
	put32(p, 128, ++p->tags);
	put32(p, 0, (uint32_t)p->size);
	return at;
}

static void
profile_add_xyz(struct profile *p, const char *name, const double xyz[3])
{
	size_t at = profile_add(p, name, "XYZ ", 20);

	for (size_t i = 0; i < 3; i++)
		put_fixed(p, at + 8 + 4 * i, xyz[i]);
}

static void
profile_add_gamma(struct profile *p, const char *name, double gamma)
{
	size_t at = profile_add(p, name, "curv", 14);
	unsigned int fixed = (unsigned int)lround(gamma * 256);

	put32(p, at + 8, 1);
	p->bytes[at + 12] = (uint8_t)(fixed >> 8);
	p->bytes[at + 13] = (uint8_t)fixed;
}

static double
light_of_srgb(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double
srgb_of_light(double v)
{
	v = v < 0 ? 0 : v > 1 ? 1 : v;
	return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055;
}

static void
profile_add_srgb_table(struct profile *p, const char *name, uint32_t entries)
{
	size_t at = profile_add(p, name, "curv", 12 + 2 * entries);

	put32(p, at + 8, entries);
	for (uint32_t i = 0; i < entries; i++) {
		double v = light_of_srgb((double)i / (entries - 1));
		unsigned int v16 = (unsigned int)lround(v * 65535);

		p->bytes[at + 12 + 2 * i] = (uint8_t)(v16 >> 8);
		p->bytes[at + 13 + 2 * i] = (uint8_t)v16;
	}
}

static void
profile_add_srgb_parameters(struct profile *p, const char *name)
{
	static const double v[5] = {
		2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045,
	};
	size_t at = profile_add(p, name, "para", 32);

	p->bytes[at + 9] = 3;			/* kind of function */
	for (size_t i = 0; i < 5; i++)
		put_fixed(p, at + 12 + 4 * i, v[i]);
}

/* Red, green, blue of sRGB, and of a wide gamut, adapted to D50. */
static const double srgb_xyz[3][3] = {
	{ 0.43607, 0.22249, 0.01392 },
	{ 0.38515, 0.71687, 0.09708 },
	{ 0.14307, 0.06061, 0.71410 },
};
static const double wide_xyz[3][3] = {
	{ 0.51512, 0.24120, -0.00105 },
	{ 0.29198, 0.69225, 0.04189 },
	{ 0.15710, 0.06657, 0.78407 },
};

static const char *const xyz_names[] = { "rXYZ", "gXYZ", "bXYZ" };
static const char *const curve_names[] = { "rTRC", "gTRC", "bTRC" };

enum curves { GAMMA_2, SRGB_TABLE, SRGB_PARAMETERS };

static void
profile_rgb(struct profile *p, const double xyz[3][3], enum curves curves)
{
	static const double white[3] = { 0.9642, 1, 0.8249 };

	profile_begin(p, "RGB ");
	profile_add_xyz(p, "wtpt", white);
	for (size_t i = 0; i < 3; i++) {
		profile_add_xyz(p, xyz_names[i], xyz[i]);
		if (curves == GAMMA_2)
			profile_add_gamma(p, curve_names[i], 2);
		else if (curves == SRGB_TABLE)
			profile_add_srgb_table(p, curve_names[i], 1024);
		else
			profile_add_srgb_parameters(p, curve_names[i]);
	}
}

static void
profile_gray(struct profile *p, double gamma)
{
	static const double white[3] = { 0.9642, 1, 0.8249 };

	profile_begin(p, "GRAY");
	profile_add_xyz(p, "wtpt", white);
	profile_add_gamma(p, "kTRC", gamma);
}

static struct imgsniff_view
view_of(const struct profile *p)
{
	return (struct imgsniff_view){ p->bytes, p->size };
}

/* ---- Telling sRGB -------------------------------------------------------------- */

static void
srgb_is_told_by_its_numbers(void **state)
{
	static struct profile p;

	(void)state;
	profile_rgb(&p, srgb_xyz, SRGB_TABLE);
	assert_true(isn_profile_is_srgb(view_of(&p)));
	profile_rgb(&p, srgb_xyz, SRGB_PARAMETERS);
	assert_true(isn_profile_is_srgb(view_of(&p)));
	profile_rgb(&p, srgb_xyz, GAMMA_2);
	assert_false(isn_profile_is_srgb(view_of(&p)));
	profile_rgb(&p, wide_xyz, SRGB_TABLE);
	assert_false(isn_profile_is_srgb(view_of(&p)));
	profile_gray(&p, 2.2);
	assert_false(isn_profile_is_srgb(view_of(&p)));
	profile_begin(&p, "GRAY");
	profile_add_srgb_table(&p, "kTRC", 256);
	assert_true(isn_profile_is_srgb(view_of(&p)));
}

static void
a_table_in_place_of_the_matrix_is_not_taken_for_srgb(void **state)
{
	static struct profile p;

	(void)state;
	profile_rgb(&p, srgb_xyz, SRGB_PARAMETERS);
	profile_add(&p, "A2B0", "mft2", 64);

	assert_false(isn_profile_is_srgb(view_of(&p)));
}

/* ---- Converting ------------------------------------------------------------------ */

/* What 'use' is where lcms2 would have to do it. */
#define CONVERTS	(HAVE_LCMS2 ? ISN_ICC_CONVERT : ISN_ICC_UNSUPPORTED)

/* The wide gamut's colour, gamma 2, as sRGB, all 0..1. */
static void
expected_of(double out[3], const double in[3])
{
	/* The inverse of sRGB's matrix, by Cramer's rule. */
	const double (*m)[3] = srgb_xyz;
	double xyz[3] = { 0 }, det = 0;

	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++)
			xyz[k] += in[i] * in[i] * wide_xyz[i][k];
	for (size_t i = 0; i < 3; i++)
		det += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] -
				  m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
	for (size_t i = 0; i < 3; i++) {
		const double *a = m[(i + 1) % 3], *b = m[(i + 2) % 3];
		double d = xyz[0] * (a[1] * b[2] - a[2] * b[1]) +
			   xyz[1] * (a[2] * b[0] - a[0] * b[2]) +
			   xyz[2] * (a[0] * b[1] - a[1] * b[0]);

		out[i] = srgb_of_light(d / det);
	}
}

static const enum imgsniff_pixel layouts[] = {
	IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8, IMGSNIFF_RGBA16,
};

static double
sample_get(const uint8_t *p, enum imgsniff_pixel layout, size_t i)
{
	uint16_t v;

	if (layout != IMGSNIFF_RGBA16)
		return p[i] / 255.0;
	memcpy(&v, p + 2 * i, 2);
	return v / 65535.0;
}

static void
colours_convert_as_matrix_and_curves_say(void **state)
{
	struct isn_memory m = memory_new(UINT64_MAX);
	struct isn_icc icc = { .layout = 0 };
	static struct profile p;

	(void)state;
	profile_rgb(&p, wide_xyz, GAMMA_2);
	for (size_t k = 0; k < ARRAY_SIZE(layouts); k++) {
		enum imgsniff_pixel layout = layouts[k];
		size_t pixel = imgsniff_row_size(layout, 1);
		size_t samples = layout == IMGSNIFF_RGB8 ? 3 : 4;
		uint8_t before[1 + 500 * 8], row[1 + 500 * 8];

		assert_int_equal(isn_icc_prepare(&icc, &m, view_of(&p),
						 IMGSNIFF_COLOR_RGB, layout),
				 CONVERTS);
		if (!HAVE_LCMS2)
			continue;
		for (size_t i = 0; i < sizeof(row); i++)
			row[i] = (uint8_t)(rand() >> 4);
		memcpy(before, row, sizeof(row));

		isn_icc_convert(&icc, row + 1, 499);	/* an odd address */

		for (size_t x = 0; x < 499; x++) {
			const uint8_t *from = before + 1 + x * pixel;
			const uint8_t *got = row + 1 + x * pixel;
			double in[3], want[3];

			for (size_t i = 0; i < 3; i++)
				in[i] = sample_get(from, layout,
					layout == IMGSNIFF_BGRA8 ? 2 - i : i);
			expected_of(want, in);
			for (size_t i = 0; i < 3; i++)
				assert_true(fabs(want[i] - sample_get(got,
					layout, layout == IMGSNIFF_BGRA8
					? 2 - i : i)) < 1.6 / 255);
			if (samples == 4)
				assert_true(sample_get(got, layout, 3) ==
					    sample_get(from, layout, 3));
		}
		assert_memory_equal(row + 1 + 499 * pixel,
				    before + 1 + 499 * pixel,
				    sizeof(row) - 1 - 499 * pixel);
	}
	isn_icc_free(&icc);
	assert_int_equal(m.used, 0);
}

static void
gray_converts_alike_in_every_layout(void **state)
{
	static const enum imgsniff_pixel all[] = {
		IMGSNIFF_GRAY8, IMGSNIFF_RGB8, IMGSNIFF_RGBA8, IMGSNIFF_BGRA8,
		IMGSNIFF_RGBA16,
	};
	struct isn_memory m = memory_new(UINT64_MAX);
	struct isn_icc icc = { .layout = 0 };
	static struct profile p;

	(void)state;
	profile_gray(&p, 1);
	for (size_t k = 0; k < ARRAY_SIZE(all); k++) {
		size_t pixel = imgsniff_row_size(all[k], 1);

		assert_int_equal(isn_icc_prepare(&icc, &m, view_of(&p),
						 IMGSNIFF_COLOR_GRAY_ALPHA,
						 all[k]), CONVERTS);
		for (unsigned int v = 0; HAVE_LCMS2 && v < 256; v++) {
			double want = srgb_of_light(v / 255.0);
			uint8_t row[8];

			memset(row, (int)v, sizeof(row));
			isn_icc_convert(&icc, row, 1);

			for (size_t i = 0; i < (pixel < 3 ? 1 : 3); i++)
				assert_true(fabs(sample_get(row, all[k], i) -
						 want) < 0.6 / 255);
			for (size_t i = pixel / 4 * 3 + (pixel < 4 ? pixel : 0);
			     i < sizeof(row) && pixel >= 4; i++)
				assert_int_equal(row[i], v);
		}
	}
	isn_icc_free(&icc);
	assert_int_equal(m.used, 0);
}

static enum isn_icc_use
use_of(const struct profile *p, enum imgsniff_color color)
{
	struct isn_memory m = memory_new(UINT64_MAX);
	struct isn_icc icc = { .layout = 0 };
	enum isn_icc_use use = isn_icc_prepare(&icc, &m, view_of(p), color,
					       IMGSNIFF_RGBA8);

	isn_icc_free(&icc);
	assert_int_equal(m.used, 0);
	return use;
}

/*
 * A table of two steps for each ink (ICC.1:2001-04, 6.5.8): white, and with
 * black ink, whatever else, black; all of cyan halves the lightness.
 */
static void
profile_cmyk(struct profile *p)
{
	size_t at;

	profile_begin(p, "CMYK");
	put_name(p, 12, "prtr");
	put_name(p, 20, "Lab ");
	at = profile_add(p, "A2B0", "mft1", 48 + 4 * 256 + 16 * 3 + 3 * 256) + 8;
	p->bytes[at] = 4;			/* channels in */
	p->bytes[at + 1] = 3;			/* and out */
	p->bytes[at + 2] = 2;			/* steps */
	for (size_t i = 0; i < 3; i++)
		put_fixed(p, at + 4 + 16 * i, 1);	/* the matrix: identity */
	at += 40;
	for (size_t i = 0; i < 4 * 256; i++)
		p->bytes[at++] = (uint8_t)i;
	for (unsigned int i = 0; i < 16; i++) {
		const bool black = i & 1, cyan = i & 8;

		p->bytes[at++] = black ? 0 : cyan ? 128 : 255;	/* L */
		p->bytes[at++] = 128;				/* a: 0 */
		p->bytes[at++] = 128;				/* b: 0 */
	}
	for (size_t i = 0; i < 3 * 256; i++)
		p->bytes[at++] = (uint8_t)i;
}

/* The gray of sRGB that is so light. */
static double
srgb_of_lightness(double lightness)
{
	double t = (lightness + 16) / 116;
	double y = t > 6.0 / 29 ? t * t * t
				: 3 * 36.0 / 841 * (t - 4.0 / 29);

	return 255 * (y <= 0.0031308 ? 12.92 * y
				     : 1.055 * pow(y, 1 / 2.4) - 0.055);
}

static void
inks_become_opaque_colours(void **state)
{
	static const struct {
		uint8_t inks[4];
		double lightness;
	} cases[] = {
		{ { 0, 0, 0, 0 }, 100 },
		{ { 0, 0, 0, 255 }, 0 },
		{ { 255, 255, 255, 255 }, 0 },
		{ { 255, 0, 0, 0 }, 100 * 128 / 255.0 },
		{ { 0, 255, 255, 0 }, 100 },
		{ { 0, 0, 0, 51 }, 80 },
	};
	struct isn_memory m = memory_new(UINT64_MAX);
	struct isn_icc icc = { .layout = 0 };
	static struct profile p;
	uint8_t row[4 * ARRAY_SIZE(cases)];

	(void)state;
	profile_cmyk(&p);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		memcpy(row + 4 * i, cases[i].inks, 4);
	assert_int_equal(isn_icc_prepare(&icc, &m, view_of(&p),
					 IMGSNIFF_COLOR_CMYK, IMGSNIFF_RGBA8),
			 CONVERTS);
	if (HAVE_LCMS2)
		isn_icc_convert(&icc, row, ARRAY_SIZE(cases));
	for (size_t i = 0; HAVE_LCMS2 && i < ARRAY_SIZE(cases); i++) {
		double want = srgb_of_lightness(cases[i].lightness);

		for (size_t k = 0; k < 3; k++)
			assert_true(fabs(row[4 * i + k] - want) < 2);
		assert_int_equal(row[4 * i + 3], 255);
	}
	isn_icc_free(&icc);
	assert_int_equal(m.used, 0);
}

static void
a_profile_of_another_space_is_ignored(void **state)
{
	static struct profile rgb, gray, cmyk, lab;

	(void)state;
	profile_rgb(&rgb, wide_xyz, GAMMA_2);
	profile_gray(&gray, 1);
	profile_begin(&cmyk, "CMYK");
	profile_begin(&lab, "Lab ");

	assert_int_equal(use_of(&rgb, IMGSNIFF_COLOR_GRAY), ISN_ICC_KEEP);
	assert_int_equal(use_of(&rgb, IMGSNIFF_COLOR_CMYK), ISN_ICC_KEEP);
	assert_int_equal(use_of(&gray, IMGSNIFF_COLOR_PALETTE), ISN_ICC_KEEP);
	assert_int_equal(use_of(&cmyk, IMGSNIFF_COLOR_YCBCR), ISN_ICC_KEEP);
	assert_int_equal(use_of(&lab, IMGSNIFF_COLOR_RGB), ISN_ICC_KEEP);
	/* It has no table, and so says nothing. */
	assert_int_equal(use_of(&cmyk, IMGSNIFF_COLOR_YCCK),
			 HAVE_LCMS2 ? ISN_ICC_KEEP : ISN_ICC_UNSUPPORTED);
	assert_int_equal(use_of(&rgb, IMGSNIFF_COLOR_YCBCR), CONVERTS);
	assert_int_equal(use_of(&rgb, IMGSNIFF_COLOR_PALETTE), CONVERTS);
}

static void
chains_of_float_elements_are_passed_over(void **state)
{
	static struct profile p;

	(void)state;
	profile_rgb(&p, wide_xyz, GAMMA_2);
	profile_add(&p, "D2B0", "mpet", 32);

	assert_int_equal(use_of(&p, IMGSNIFF_COLOR_RGB), CONVERTS);
}

static void
the_same_profile_again_costs_nothing(void **state)
{
	struct isn_memory m = memory_new(UINT64_MAX);
	struct isn_icc icc = { .layout = 0 };
	static struct profile p;
	void *transform;

	(void)state;
	profile_rgb(&p, wide_xyz, GAMMA_2);
	assert_int_equal(isn_icc_prepare(&icc, &m, view_of(&p),
			 IMGSNIFF_COLOR_RGB, IMGSNIFF_RGB8), CONVERTS);
	transform = icc.transform;
	m.limit = 0;

	assert_int_equal(isn_icc_prepare(&icc, &m, view_of(&p),
			 IMGSNIFF_COLOR_RGB, IMGSNIFF_RGB8), CONVERTS);

	assert_ptr_equal(icc.transform, transform);
	isn_icc_free(&icc);
	assert_int_equal(m.used, 0);
}

/* ---- Hostile ones ----------------------------------------------------------------- */

static void
no_cut_or_changed_byte_does_harm(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	static struct profile whole;
	struct isn_memory m = memory_new(UINT64_MAX);
	struct isn_icc icc = { .layout = 0 };
	uint8_t row[4 * 16] = { 0 };

	(void)state;
	profile_rgb(&whole, wide_xyz, GAMMA_2);
	profile_add(&whole, "A2B0", "mft2", 64);
	for (size_t i = 0; i < whole.size * (ARRAY_SIZE(values) + 1); i++) {
		size_t at = i / (ARRAY_SIZE(values) + 1);
		size_t what = i % (ARRAY_SIZE(values) + 1);
		bool cut = what == ARRAY_SIZE(values);
		size_t size = cut ? at : whole.size;
		uint8_t *copy = malloc(size + (size == 0));

		assert_non_null(copy);
		memcpy(copy, whole.bytes, size);
		if (!cut)
			copy[at] = values[what];
		if (isn_icc_prepare(&icc, &m,
				    (struct imgsniff_view){ copy, size },
				    IMGSNIFF_COLOR_RGBA, IMGSNIFF_RGBA8) ==
		    ISN_ICC_CONVERT)
			isn_icc_convert(&icc, row, 16);
		free(copy);
	}
	isn_icc_free(&icc);
	assert_int_equal(m.used, 0);
}

static void
a_table_that_claims_more_than_there_is_holds_little(void **state)
{
	struct isn_memory m = memory_new(UINT64_MAX);
	struct isn_icc icc = { .layout = 0 };
	static struct profile p;
	size_t at;

	(void)state;
	profile_rgb(&p, wide_xyz, GAMMA_2);
	at = profile_add(&p, "A2B0", "mft2", 64);
	p.bytes[at + 8] = 3;			/* channels in */
	p.bytes[at + 9] = 15;			/* and out */
	p.bytes[at + 10] = 255;			/* grid points: 497 MB */
	put32(&p, at + 48, 0x10001000);		/* table entries in, out */

	isn_icc_prepare(&icc, &m, view_of(&p), IMGSNIFF_COLOR_RGB,
			IMGSNIFF_RGB8);

	assert_true(icc.held < (1 << 20));
	isn_icc_free(&icc);
	assert_int_equal(m.used, 0);
}

#if HAVE_LCMS2
static void
every_limit_is_told_or_enough(void **state)
{
	static struct profile p;
	uint64_t limit = 0, enough = 0;

	(void)state;
	profile_rgb(&p, wide_xyz, GAMMA_2);
	for (; enough == 0 && limit < (4 << 20); limit += 9973) {
		struct isn_memory m = memory_new(limit);
		struct isn_icc icc = { .layout = 0 };
		enum isn_icc_use use = isn_icc_prepare(&icc, &m, view_of(&p),
			IMGSNIFF_COLOR_RGB, IMGSNIFF_RGB8);

		if (use == ISN_ICC_CONVERT)
			enough = limit;
		else
			assert_true(use == ISN_ICC_NO_MEMORY && m.over_limit);
		isn_icc_free(&icc);
		assert_int_equal(m.used, 0);
	}
	assert_true(enough > 0);
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(srgb_is_told_by_its_numbers),
		cmocka_unit_test(
			a_table_in_place_of_the_matrix_is_not_taken_for_srgb),
		cmocka_unit_test(colours_convert_as_matrix_and_curves_say),
		cmocka_unit_test(gray_converts_alike_in_every_layout),
		cmocka_unit_test(inks_become_opaque_colours),
		cmocka_unit_test(a_profile_of_another_space_is_ignored),
		cmocka_unit_test(chains_of_float_elements_are_passed_over),
		cmocka_unit_test(the_same_profile_again_costs_nothing),
		cmocka_unit_test(no_cut_or_changed_byte_does_harm),
		cmocka_unit_test(
			a_table_that_claims_more_than_there_is_holds_little),
#if HAVE_LCMS2
		cmocka_unit_test(every_limit_is_told_or_enough),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
