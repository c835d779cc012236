/*
 * resize.c - scale a picture down, row by row
 *
 * A source row becomes floats, is scaled in x, and is added, times its weight,
 * to the sums of all result rows it is part of. So there is no second picture in
 * memory, only one row of each kind and the few sums that are unfinished.
 *
 * Colour has four floats a pixel, also where the layout has three: a pixel is
 * one vector. Gray has one. Sums go four taps at a time; that is why the weights
 * are padded with zeros to a multiple of four.
 *
 * Scaling in x is what takes the time: each pixel is part of six results. Where
 * the picture becomes much smaller, it is done only for every n-th row, a knot,
 * after the rows on both sides were added to it, the less the further away: that
 * is the filter with straight lines from knot to knot in place of its curve.
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

/*
 * The same for knots 'step' apart. Straight lines take the edge off high
 * frequencies, by sinc(f step)^2; this gives it back, but for the fourth order.
 */
static double
lanczos_at_knot(double x, double step)
{
	double w = lanczos(x);

	return w + (2 * w - lanczos(x - step) - lanczos(x + step)) / 12;
}

/* Of 'src' rows each 'group'-th is a knot, and one that may lie past the end. */
static uint32_t
knots_count(uint32_t src, uint32_t group)
{
	return (src - 1) / group + ((src - 1) % group != 0) + 1;
}

/* What the weights of the rows in knot 'k' come to. */
static double
knot_total(uint32_t k, uint32_t src, uint32_t group)
{
	int64_t middle = (int64_t)k * group, total = 0;

	for (int64_t y = middle - group + 1; y < middle + group; y++)
		if (y >= 0 && y < src)
			total += group - (y < middle ? middle - y : y - middle);
	return (double)total;
}

/* As many taps as any result needs, padded. */
static size_t
axis_stride(uint32_t src, uint32_t dst, uint32_t group)
{
	double taps = floor(2.0 * LOBES * src / dst / group) + 2;
	uint32_t count = knots_count(src, group);
	size_t n = taps < count ? (size_t)taps : count;

	return (n + LANES - 1) / LANES * LANES;
}

/* The weights of result 'i', their sum one, counting every row of a knot. */
static void
axis_weigh(const struct isn_resize_axis *axis, uint32_t i, uint32_t src,
	   double scale, uint32_t group)
{
	float *w = axis->weights + (size_t)i * axis->stride;
	const uint32_t end = knots_count(src, group) - 1;
	double centre = (i + 0.5) * scale;
	double low = ceil((centre - LOBES * scale - 0.5) / group);
	double high = floor((centre + LOBES * scale - 0.5) / group);
	uint32_t first = low > 0 ? (uint32_t)low : 0;
	uint32_t last = high < end ? (uint32_t)high : end;
	uint32_t taps = last - first + 1, largest = 0;
	double sum = 0, left = 1;

	memset(w, 0, axis->stride * sizeof(*w));
	for (uint32_t k = 0; k < taps; k++) {
		double at = (double)(first + k) * group + 0.5 - centre;
		double weight = group == 1 ? lanczos(at / scale)
			: lanczos_at_knot(at / scale, group / scale);

		w[k] = (float)weight;
		sum += weight * knot_total(first + k, src, group);
	}
	for (uint32_t k = 0; k < taps; k++) {
		w[k] = (float)((double)w[k] / sum);
		left -= (double)w[k] * knot_total(first + k, src, group);
		if (w[k] > w[largest])
			largest = k;
	}
	/* What rounding to float has lost. */
	w[largest] += (float)(left / knot_total(first + largest, src, group));
	axis->first[i] = first;
	axis->taps[i] = taps;
}

static void
axis_fill(const struct isn_resize_axis *axis, uint32_t src, uint32_t dst,
	  uint32_t group)
{
	for (uint32_t i = 0; i < dst; i++)
		axis_weigh(axis, i, src, (double)src / dst, group);
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

/* Are colours weighted by alpha? */
static bool
resizer_weighs(const struct isn_resizer *r)
{
	return !r->what.opaque && (r->what.layout == IMGSNIFF_RGBA8 ||
				   r->what.layout == IMGSNIFF_BGRA8 ||
				   r->what.layout == IMGSNIFF_RGBA16);
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
		if (resizer_weighs(r))
			row_load(r->row, p, width, 4, false, true);
		else
			row_load(r->row, p, width, 4, false, false);
		return;
	case IMGSNIFF_RGBA16:
		row_load(r->row, p, width, 4, true, resizer_weighs(r));
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
		row_store(out, sums, width, 4, false, resizer_weighs(r));
		return;
	case IMGSNIFF_RGBA16:
		row_store(out, sums, width, 4, true, resizer_weighs(r));
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

		const size_t taps = axis->taps[x];

		for (size_t k = 0; k < taps; k += LANES)
			sum += *(const loose_vector *)(p + k) *
			       *(const vector *)(w + k);
		out[x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
	}
}

/* Four sums, as the next addition need not wait for the one before. */
static void
colour_scale(vector *out, const vector *row, const struct isn_resize_axis *axis,
	     uint32_t width)
{
	const float *w = axis->weights;

	for (uint32_t x = 0; x < width; x++, w += axis->stride) {
		const vector *p = row + axis->first[x];
		vector a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };

		const vector *end = p + axis->taps[x];

		for (const float *v = w; p < end; p += 4, v += 4) {
			vector weights = *(const vector *)v;

			a += p[0] * weights[0];
			b += p[1] * weights[1];
			c += p[2] * weights[2];
			d += p[3] * weights[3];
		}
		out[x] = (a + b) + (c + d);
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

typedef uint16_t eight_words __attribute__((vector_size(16), may_alias));

static inline eight_words
words_of(const uint8_t *bytes)
{
	typedef uint8_t eight_bytes __attribute__((vector_size(8), may_alias,
						   aligned(1)));

	return __builtin_convertvector(*(const eight_bytes *)bytes,
				       eight_words);
}

/* Four words, each with a zero behind it: an integer of 32 bits. */
static inline vector
floats_of(eight_words pairs)
{
	typedef uint32_t four_units __attribute__((vector_size(16)));
	typedef int32_t four_ints __attribute__((vector_size(16)));
	const int shift = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 16 : 0;
	four_units v = (four_units)pairs >> shift;

	return __builtin_convertvector((four_ints)v, vector);
}

/* 'words' grow by the bytes times the weight. */
static void
words_add(uint16_t *words, const uint8_t *bytes, uint16_t weight, size_t count)
{
	size_t i = 0;

	for (; count - i >= 8; i += 8)
		*(eight_words *)(words + i) += weight * words_of(bytes + i);
	for (; i < count; i++)
		words[i] = (uint16_t)(words[i] + bytes[i] * weight);
}

/* Pixels, their colours times their alpha, to the knots on both sides. */
static void
weighed_add(vector *before, vector *behind, const uint8_t *row, float near,
	    float far, uint32_t width)
{
	const eight_words zero = { 0 };
	const eight_words colour = { 0xFFFF, 0xFFFF, 0xFFFF, 0,
				     0xFFFF, 0xFFFF, 0xFFFF, 0 };
	const eight_words one = { 0, 0, 0, 1, 0, 0, 0, 1 };
	uint32_t x = 0;

	for (; width - x >= 2; x += 2, row += 8) {
		eight_words p = words_of(row);
		vector left, right;

		p *= (__builtin_shufflevector(p, p, 3, 3, 3, 3, 7, 7, 7, 7) &
		      colour) | one;
		left = floats_of(__builtin_shufflevector(p, zero, 0, 8, 1, 9,
							 2, 10, 3, 11));
		right = floats_of(__builtin_shufflevector(p, zero, 4, 12, 5, 13,
							  6, 14, 7, 15));
		before[x] += left * near;
		before[x + 1] += right * near;
		behind[x] += left * far;
		behind[x + 1] += right * far;
	}
	if (x < width) {
		vector p = { row[0], row[1], row[2], 1 };

		p *= row[3];
		before[x] += p * near;
		behind[x] += p * far;
	}
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
		struct isn_resize_axis *axis, uint32_t src, uint32_t dst,
		uint32_t group)
{
	size_t weights;

	axis->stride = axis_stride(src, dst, group);
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

	block_take_axis(r, &used, &r->x, what->src_width, what->dst_width, 1);
	block_take_axis(r, &used, &r->y, what->src_height, what->dst_height,
			r->group);
	for (int i = 0; i < 2 && r->group > 1; i++)
		r->knots[i] = block_take(r, &used, what->src_width,
					 lanes * sizeof(float));
	r->samples = (what->dst_width * lanes + LANES - 1) / LANES * LANES;
	/* Padded taps reach past the row's end: what is there counts nothing. */
	r->row = block_take(r, &used, what->src_width, lanes * sizeof(float));
	block_take(r, &used, LANES, lanes * sizeof(float));
	r->scaled = block_take(r, &used, what->dst_width,
			       lanes * sizeof(float));
	r->sums = block_take(r, &used, what->dst_width,
			     lanes * SUMS * sizeof(float));
	block_take(r, &used, SUMS * LANES, sizeof(float));
	return used;
}

/*
 * With four knots or more for each lobe, what is wrong with the straight
 * lines is below 45 dB for any picture. A knot's sum of rows must fit a word.
 */
#define KNOTS_PER_LOBE	4
#define GROUP_MAX	16		/* 255 * 16^2 < 2^16 */

static uint32_t
group_choose(const struct isn_resize *what)
{
	uint32_t group = what->src_height / what->dst_height / KNOTS_PER_LOBE;

	if (what->layout == IMGSNIFF_RGBA16 || group < 2)
		return 1;
	return group < GROUP_MAX ? group : GROUP_MAX;
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

	r->pushed = r->scaled_in_x = r->begun = r->pulled = 0;
	r->what = *what;
	if (same)
		return true;
	r->group = group_choose(what);
	r->block.data = NULL;		/* only count */
	size = resizer_lay_out(r);
	r->block = held;
	if (isn_scratch_get(memory, &r->block, size) == NULL)
		return false;
	resizer_lay_out(r);
	axis_fill(&r->x, what->src_width, what->dst_width, 1);
	axis_fill(&r->y, what->src_height, what->dst_height, r->group);
	/* Zeros, lest padding times a weight of zero be no number. */
	memset(r->row, 0, (size_t)((uint8_t *)r->sums - (uint8_t *)r->row));
	return true;
}

/* What is in r->row, to the sums that it is part of. */
static void
row_finish(struct isn_resizer *r)
{
	const uint32_t y = r->scaled_in_x++;

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

/*
 * Adds the row to the knots on both sides of it. Floats where colours are
 * weighted, which has been done by then; else words.
 */
static void
knots_add(struct isn_resizer *r, const uint8_t *row, uint32_t y)
{
	const uint32_t k = y / r->group, far = y % r->group;
	const uint32_t near = r->group - far, width = r->what.src_width;
	const size_t samples = imgsniff_row_size(r->what.layout, width);
	const bool weighs = resizer_weighs(r);
	void *const before = r->knots[k % 2], *const behind = r->knots[1 - k % 2];
	const size_t size = samples * (weighs ? sizeof(float)
					      : sizeof(uint16_t));

	if (y == 0)
		memset(before, 0, size);
	if (far == 0)
		memset(behind, 0, size);
	if (!weighs) {
		words_add(before, row, (uint16_t)near, samples);
		words_add(behind, row, (uint16_t)far, samples);
		return;
	}
	weighed_add(before, behind, row, (float)near, (float)far, width);
}

static void
knot_finish(struct isn_resizer *r)
{
	const void *knot = r->knots[r->scaled_in_x % 2];
	const uint32_t width = r->what.src_width;

	if (resizer_weighs(r))
		memcpy(r->row, knot, width * sizeof(vector));
	else if (r->what.layout == IMGSNIFF_GRAY8)
		for (uint32_t x = 0; x < width; x++)
			r->row[x] = ((const uint16_t *)knot)[x];
	else if (r->what.layout == IMGSNIFF_RGB8)
		row_load(r->row, knot, width, 3, true, false);
	else
		row_load(r->row, knot, width, 4, true, false);
	row_finish(r);
}

void
isn_resizer_push(struct isn_resizer *r, const void *row)
{
	const uint32_t y = r->pushed++;
	const bool last = r->pushed == r->what.src_height;

	if (r->group == 1) {
		resizer_load(r, row);
		row_finish(r);
		return;
	}
	knots_add(r, row, y);
	if (last || r->pushed % r->group == 0)
		knot_finish(r);
	if (last && y % r->group != 0)
		knot_finish(r);
}

bool
isn_resizer_pull(struct isn_resizer *r, void *row)
{
	const uint32_t i = r->pulled;

	if (i == r->what.dst_height ||
	    r->scaled_in_x < r->y.first[i] + r->y.taps[i])
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
