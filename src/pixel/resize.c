/*
 * resize.c - scale a picture down, row by row
 *
 * A source row becomes floats, is scaled in x, and is added, times its weight,
 * to the sums of all result rows it is part of. So there is no second picture in
 * memory, only one row of each kind and the few sums that are unfinished.
 *
 * Colour has four floats a pixel, also where the layout has three: a pixel is
 * one vector. Gray has one, and its sums go four taps at a time; that is why the
 * weights are padded with zeros to a multiple of four.
 */

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "pixel/resize.h"

#define LOBES	3
#define LANES	4

typedef float vector __attribute__((vector_size(4 * LANES), may_alias));
/* Gray: one that starts anywhere in the row. */
typedef float loose_vector
	__attribute__((vector_size(4 * LANES), may_alias, aligned(4)));

/* ---- Weights ------------------------------------------------------------ */

/*
 * sinc(x) * sinc(x / 3). With s = sin(pi x / 3), sin(pi x) = s (3 - 4 s^2): the
 * one sine serves both.
 */
static double
lanczos(double x)
{
	double t = M_PI / LOBES * x;
	double s = sin(t);

	if (fabs(x) < 1e-8)
		return 1;
	if (fabs(x) >= LOBES)
		return 0;
	return s * s * (3 - 4 * s * s) / (LOBES * t * t);
}

/* As many taps as any result needs, padded. */
static size_t
axis_stride(uint32_t src, uint32_t dst)
{
	double taps = floor(2.0 * LOBES * src / dst) + 2;
	size_t n = taps < src ? (size_t)taps : src;

	return (n + LANES - 1) / LANES * LANES;
}

/* The weights of result 'i', their sum one. */
static void
axis_weigh(const struct isn_resize_axis *axis, uint32_t i, uint32_t src,
	   double scale)
{
	float *w = axis->weights + (size_t)i * axis->stride;
	double centre = (i + 0.5) * scale;
	double low = ceil(centre - LOBES * scale - 0.5);
	double high = floor(centre + LOBES * scale - 0.5);
	uint32_t first = low > 0 ? (uint32_t)low : 0;
	uint32_t last = high < src - 1.0 ? (uint32_t)high : src - 1;
	uint32_t taps = last - first + 1, largest = 0;
	double sum = 0, left = 1;

	memset(w, 0, axis->stride * sizeof(*w));
	for (uint32_t k = 0; k < taps; k++) {
		double weight = lanczos((first + k + 0.5 - centre) / scale);

		w[k] = (float)weight;
		sum += weight;
	}
	for (uint32_t k = 0; k < taps; k++) {
		w[k] = (float)((double)w[k] / sum);
		left -= (double)w[k];
		if (w[k] > w[largest])
			largest = k;
	}
	w[largest] += (float)left;	/* what rounding to float has lost */
	axis->first[i] = first;
	axis->taps[i] = taps;
}

static void
axis_fill(const struct isn_resize_axis *axis, uint32_t src, uint32_t dst)
{
	for (uint32_t i = 0; i < dst; i++)
		axis_weigh(axis, i, src, (double)src / dst);
}

/* ---- Samples to floats and back ------------------------------------------ */

static inline float
sample_load(const uint8_t *p, size_t i, bool deep)
{
	uint16_t v;

	if (!deep)
		return p[i];
	memcpy(&v, p + 2 * i, 2);	/* rows may lie at odd addresses */
	return v;
}

static inline void
row_load(float *out, const uint8_t *p, uint32_t width, unsigned int samples,
	 bool deep, bool weighted)
{
	const size_t bytes = samples * (deep ? 2 : 1);

	for (uint32_t x = 0; x < width; x++, p += bytes, out += LANES) {
		float alpha = samples == 4 ? sample_load(p, 3, deep) : 0;
		float weight = weighted ? alpha : 1;

		out[0] = sample_load(p, 0, deep) * weight;
		out[1] = sample_load(p, 1, deep) * weight;
		out[2] = sample_load(p, 2, deep) * weight;
		out[3] = alpha;
	}
}

static void
resizer_load(const struct isn_resizer *r, const uint8_t *p)
{
	const uint32_t width = r->what.src_width;

	switch (r->what.layout) {
	case IMGSNIFF_GRAY8:
		for (uint32_t x = 0; x < width; x++)
			r->row[x] = p[x];
		return;
	case IMGSNIFF_RGB8:
		row_load(r->row, p, width, 3, false, false);
		return;
	case IMGSNIFF_RGBA8:
	case IMGSNIFF_BGRA8:
		if (r->what.opaque)
			row_load(r->row, p, width, 4, false, false);
		else
			row_load(r->row, p, width, 4, false, true);
		return;
	case IMGSNIFF_RGBA16:
		row_load(r->row, p, width, 4, true, !r->what.opaque);
		return;
	}
}

/* Rounded; the filter's lobes may have taken it out of the range. */
static inline unsigned int
sample_of(float v, float max)
{
	if (!(v > 0))
		return 0;
	return (unsigned int)((v < max ? v : max) + 0.5f);
}

static inline void
row_store(uint8_t *out, const float *sums, uint32_t width, unsigned int samples,
	  bool deep, bool weighted)
{
	const float max = deep ? 65535 : 255;

	for (uint32_t x = 0; x < width; x++, sums += LANES) {
		float share = 1;

		/* Less alpha than the smallest there is: no colour either. */
		if (weighted)
			share = sums[3] >= 0.5f ? 1 / sums[3] : 0;
		for (unsigned int i = 0; i < samples; i++) {
			unsigned int v = sample_of(i < 3 ? sums[i] * share
							 : sums[i], max);
			uint16_t v16 = (uint16_t)v;

			if (deep)
				memcpy(out, &v16, 2);
			else
				*out = (uint8_t)v;
			out += deep ? 2 : 1;
		}
	}
}

static void
resizer_store(const struct isn_resizer *r, uint8_t *out, const float *sums)
{
	const uint32_t width = r->what.dst_width;

	switch (r->what.layout) {
	case IMGSNIFF_GRAY8:
		for (uint32_t x = 0; x < width; x++)
			out[x] = (uint8_t)sample_of(sums[x], 255);
		return;
	case IMGSNIFF_RGB8:
		row_store(out, sums, width, 3, false, false);
		return;
	case IMGSNIFF_RGBA8:
	case IMGSNIFF_BGRA8:
		row_store(out, sums, width, 4, false, !r->what.opaque);
		return;
	case IMGSNIFF_RGBA16:
		row_store(out, sums, width, 4, true, !r->what.opaque);
		return;
	}
}

/* ---- Sums ---------------------------------------------------------------- */

static void
gray_scale(float *out, const float *row, const struct isn_resize_axis *axis,
	   uint32_t width)
{
	const float *w = axis->weights;

	for (uint32_t x = 0; x < width; x++, w += axis->stride) {
		const float *p = row + axis->first[x];
		vector sum = { 0 };

		for (size_t k = 0; k < axis->taps[x]; k += LANES)
			sum += *(const loose_vector *)(p + k) *
			       *(const vector *)(w + k);
		out[x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
	}
}

/* Two sums, as the next addition need not wait for the one before. */
static void
colour_scale(vector *out, const vector *row, const struct isn_resize_axis *axis,
	     uint32_t width)
{
	const float *w = axis->weights;

	for (uint32_t x = 0; x < width; x++, w += axis->stride) {
		const vector *p = row + axis->first[x];
		vector even = { 0 }, odd = { 0 };
		uint32_t taps = axis->taps[x], k = 0;

		for (; k + 1 < taps; k += 2) {
			even += p[k] * w[k];
			odd += p[k + 1] * w[k + 1];
		}
		if (k < taps)
			even += p[k] * w[k];
		out[x] = even + odd;
	}
}

/* 'samples' is a multiple of LANES. */
static void
sums_begin(vector *sums, const vector *row, float weight, size_t samples)
{
	for (size_t i = 0; i < samples / LANES; i++)
		sums[i] = row[i] * weight;
}

static void
sums_add(vector *sums, const vector *row, float weight, size_t samples)
{
	for (size_t i = 0; i < samples / LANES; i++)
		sums[i] += row[i] * weight;
}

/* ---- The resizer ---------------------------------------------------------- */

/*
 * Result rows that one source row is part of: centres of those are LOBES times
 * the scale away at most, and the scale apart.
 */
#define SUMS	(2 * LOBES + 1)

static float *
sums_of(const struct isn_resizer *r, uint32_t y)
{
	return r->sums + y % SUMS * r->samples;
}

/* Takes 'count' items out of the block; counts only, while it has no memory. */
static void *
block_take(const struct isn_resizer *r, size_t *used, size_t count, size_t size)
{
	const size_t align = sizeof(vector);
	uint8_t *p = r->block.data ? r->block.data + *used : NULL;
	size_t bytes;

	if (!isn_size_mul(count, size, &bytes) ||
	    !isn_size_add(bytes, *used + align - 1, used))
		*used = SIZE_MAX - align;	/* sticks, and is never there */
	*used = *used / align * align;
	return p;
}

static void
block_take_axis(const struct isn_resizer *r, size_t *used,
		struct isn_resize_axis *axis, uint32_t src, uint32_t dst)
{
	size_t weights;

	axis->stride = axis_stride(src, dst);
	if (!isn_size_mul(axis->stride, dst, &weights))
		weights = SIZE_MAX;
	axis->first = block_take(r, used, dst, sizeof(*axis->first));
	axis->taps = block_take(r, used, dst, sizeof(*axis->taps));
	axis->weights = block_take(r, used, weights, sizeof(*axis->weights));
}

/* Lays everything out in the block; returns how large that must be. */
static size_t
resizer_lay_out(struct isn_resizer *r)
{
	const struct isn_resize *what = &r->what;
	const size_t lanes = what->layout == IMGSNIFF_GRAY8 ? 1 : LANES;
	size_t used = 0;

	block_take_axis(r, &used, &r->x, what->src_width, what->dst_width);
	block_take_axis(r, &used, &r->y, what->src_height, what->dst_height);
	r->samples = (what->dst_width * lanes + LANES - 1) / LANES * LANES;
	/* Padded taps reach past the row's end: what is there counts nothing. */
	r->row = block_take(r, &used, what->src_width, lanes * sizeof(float));
	block_take(r, &used, LANES, sizeof(float));
	r->scaled = block_take(r, &used, what->dst_width,
			       lanes * sizeof(float));
	r->sums = block_take(r, &used, what->dst_width,
			     lanes * SUMS * sizeof(float));
	block_take(r, &used, SUMS * LANES, sizeof(float));
	return used;
}

static bool
what_is_same(const struct isn_resize *a, const struct isn_resize *b)
{
	return a->src_width == b->src_width && a->src_height == b->src_height &&
	       a->dst_width == b->dst_width && a->dst_height == b->dst_height &&
	       a->layout == b->layout;
}

bool
isn_resizer_begin(struct isn_resizer *r, struct isn_memory *memory,
		  const struct isn_resize *what)
{
	bool same = r->block.data != NULL && what_is_same(&r->what, what);
	struct isn_scratch held = r->block;
	size_t size;

	r->pushed = r->begun = r->pulled = 0;
	r->what = *what;
	if (same)
		return true;
	r->block.data = NULL;		/* only count */
	size = resizer_lay_out(r);
	r->block = held;
	if (isn_scratch_get(memory, &r->block, size) == NULL)
		return false;
	resizer_lay_out(r);
	axis_fill(&r->x, what->src_width, what->dst_width);
	axis_fill(&r->y, what->src_height, what->dst_height);
	/* Zeros, lest padding times a weight of zero be no number. */
	memset(r->row, 0, (size_t)((uint8_t *)r->sums - (uint8_t *)r->row));
	return true;
}

void
isn_resizer_push(struct isn_resizer *r, const void *row)
{
	const uint32_t y = r->pushed++;

	resizer_load(r, row);
	if (r->what.layout == IMGSNIFF_GRAY8)
		gray_scale(r->scaled, r->row, &r->x, r->what.dst_width);
	else
		colour_scale((vector *)r->scaled, (const vector *)r->row, &r->x,
			     r->what.dst_width);
	for (uint32_t i = r->pulled; i < r->begun; i++)
		sums_add((vector *)sums_of(r, i), (const vector *)r->scaled,
			 r->y.weights[i * r->y.stride + y - r->y.first[i]],
			 r->samples);
	while (r->begun < r->what.dst_height && r->y.first[r->begun] == y) {
		sums_begin((vector *)sums_of(r, r->begun),
			   (const vector *)r->scaled,
			   r->y.weights[r->begun * r->y.stride], r->samples);
		r->begun++;
	}
}

bool
isn_resizer_pull(struct isn_resizer *r, void *row)
{
	const uint32_t i = r->pulled;

	if (i == r->what.dst_height ||
	    r->pushed < r->y.first[i] + r->y.taps[i])
		return false;
	resizer_store(r, row, sums_of(r, i));
	r->pulled++;
	return true;
}

void
isn_resizer_free(struct isn_resizer *r, struct isn_memory *memory)
{
	isn_scratch_free(memory, &r->block);
	*r = (struct isn_resizer){ .pushed = 0 };
}
