/*
 * dc.c - a JPEG at an eighth of its size, from DC coefficients alone
 *
 * A block's DC coefficient is the mean of its 64 samples, times 8 (A.3.3): one
 * pixel of the small picture. AC coefficients only have to be passed over, and
 * for that a table looks at 12 bits at once and tells how many coefficients end
 * within them, and where. The scan is read as it lies in the input: FF 00 becomes
 * FF on its way into the bit buffer.
 *
 * Where a component has half the samples of the first in both directions, as
 * 4:2:0 has of chroma, a block of it is four pixels: then the lowest three AC
 * coefficients count too. libjpeg takes more of them, those of odd frequencies;
 * that brings a fitted picture no nearer to one that was scaled. Other components'
 * samples are repeated, as libjpeg does at this size.
 *
 * Every code of the scan is looked at, so damage shows as it does in a decoder
 * that keeps the coefficients. Work is bounded by the scan's length: where it
 * ends early, at most one MCU is made up of zeros before that is noticed.
 */

#include "codec/jpeg/dc.h"
#include "codec/jpeg/dc_bits.h"
#include "codec/jpeg/dc_table.h"
#include "pixel/row.h"

#define BLOCKS_MAX	10		/* in an MCU, B.2.3; the walk sees to it */

/*
 * Below this many bytes libjpeg is done before the tables are built: 90 us, unless
 * they are those of the image before.
 */
#define SIZE_MIN	(24u << 10)

/* ---- The scan --------------------------------------------------------------- */

struct plane {
	uint8_t *samples;
	uint32_t stride;		/* whole MCUs */
	unsigned int h, v;		/* blocks in an MCU */
	unsigned int side;		/* samples of a block: 1 or 2 */
	unsigned int across, down;	/* pixels to a sample */
	const uint16_t *quant;		/* in zigzag order */
	uint32_t predicted;		/* DC: wraps, if the data want it */
};

/* A block of the MCU. */
struct block {
	const struct isn_jpeg_values *dc;
	const struct isn_jpeg_values *low;	/* NULL: one sample */
	const struct isn_jpeg_skips *skip;
	struct plane *plane;
	uint8_t *to;			/* its samples in the next MCU */
	unsigned int step;
};

struct scan {
	struct plane planes[3];
	unsigned int count;
	struct block blocks[BLOCKS_MAX];
	unsigned int block_count;
	uint32_t mcus, mcu_rows;
	uint32_t interval;		/* MCUs between restarts, 0: none */
	uint32_t left;			/* until the next one */
	uint8_t restart;		/* its number */
	struct bits bits;
};

/* Length << 8 | symbol of the code at hand; 0: there is no such code. */
static unsigned int
codes_search(const struct isn_jpeg_codes *c, struct bits b)
{
	unsigned int code = bits_peek(b, JPEG_LENGTH_MAX);

	for (unsigned int length = 1; length <= JPEG_LENGTH_MAX; length++)
		if (code < c->end[length])
			return length << 8 |
			       c->symbols[((int32_t)(code >> (JPEG_LENGTH_MAX -
							      length)) +
					   c->first[length]) & 255];
	return 0;
}

struct reading {
	struct bits bits;
	int value;
	unsigned int advance;
};

/* A symbol whose code is longer than the table's, or that ends a block. */
static COLD struct reading
symbol_skip(const struct isn_jpeg_skips *skip, struct bits b)
{
	unsigned int symbol = codes_search(&skip->codes, b);

	if (symbol == 0)
		return (struct reading){ bits_spoil(b), 0, JPEG_ENDED };
	b = bits_drop(b, (symbol >> 8) + (symbol & 15));
	return (struct reading){ bits_refill(b), 0,
				 isn_jpeg_symbol_advance(symbol & 255) };
}

/* A block whose last look-up holds more than what is left of it. */
static COLD struct bits
block_end(const struct isn_jpeg_skips *skip, struct bits b, unsigned int k)
{
	b = bits_refill(b);
	while (k < JPEG_BLOCK_SIZE) {
		struct reading r = symbol_skip(skip, b);

		b = r.bits;
		k += r.advance;
	}
	/* A run past the end, which libjpeg cuts. */
	return k > JPEG_BLOCK_SIZE && k < JPEG_ENDED ? bits_spoil(b) : b;
}

/*
 * The AC coefficients from 'k' on; two look-ups to a refill, as no entry drops
 * more than 12 + 15 bits. The last may reach past the block's end: then it goes
 * back, and on symbol by symbol.
 */
static HOT struct bits
block_skip(const struct isn_jpeg_skips *table, struct bits b, unsigned int k)
{
	unsigned int skip, before;
	struct bits back;

	for (;;) {
		skip = table->entries[bits_peek(b, JPEG_AC_BITS)];
		back = b;
		before = k;
		b = bits_drop(b, skip % JPEG_AC_STEP);
		k += skip / JPEG_AC_STEP;
		if (k >= JPEG_BLOCK_SIZE)
			break;
		b = bits_refill(b);
		if (__builtin_expect(skip == 0, 0)) {
			struct reading r = symbol_skip(table, b);

			back = b;
			before = k;
			b = r.bits;
			k += r.advance;
			if (k >= JPEG_BLOCK_SIZE)
				break;
			continue;
		}
		skip = table->entries[bits_peek(b, JPEG_AC_BITS)];
		back = b;
		before = k;
		b = bits_drop(b, skip % JPEG_AC_STEP);
		k += skip / JPEG_AC_STEP;
		if (k >= JPEG_BLOCK_SIZE)
			break;
	}
	if (k == JPEG_BLOCK_SIZE || k - JPEG_ENDED < JPEG_BLOCK_SIZE)
		return b;
	return block_end(table, back, before);
}

static COLD struct reading
value_read_slowly(const struct isn_jpeg_values *t, struct bits b)
{
	struct reading r = { b, 0, JPEG_ENDED };
	unsigned int symbol = codes_search(&t->codes, b), size = symbol & 15;

	if (symbol == 0) {
		r.bits = bits_spoil(b);
		return r;
	}
	b = bits_drop(b, symbol >> 8);
	if (size > 0)
		r.value = isn_jpeg_value_extend(bits_peek(b, size), size);
	r.advance = isn_jpeg_symbol_advance(symbol & 255);
	r.bits = bits_refill(bits_drop(b, size));
	return r;
}

/* Leaves no less than 27 bits of a full buffer. */
static HOT struct reading
value_read(const struct isn_jpeg_values *t, struct bits b)
{
	struct isn_jpeg_value v = t->entries[bits_peek(b, JPEG_VALUE_BITS)];

	if (__builtin_expect(v.length == 0, 0))
		return value_read_slowly(t, b);
	return (struct reading){ bits_drop(b, v.length), v.value, v.advance };
}

static uint8_t
byte_clamp(int v)
{
	return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/*
 * A block's mean: an inverse DCT of DC alone (A.3.3), and the level shift. What
 * no encoder writes wraps at 10 bits, as in libjpeg.
 */
static inline uint8_t
mean_of(const struct plane *p)
{
	int dc = (int16_t)(uint16_t)p->predicted * p->quant[0];
	int mean = (((dc + 4) >> 3 & 1023) ^ 512) - 512;

	return byte_clamp(mean + 128);
}

/*
 * The means of the block's quarters. With m the mean of cos((2 x + 1) pi / 16)
 * over x = 0 to 3, which is 0.640729, DC counts 1 / 8, the first of a direction
 * m / sqrt(32), and both ways m^2 / 4: here times 2^16.
 */
static void
quarters_write(uint8_t *to, const struct plane *p, const int *low)
{
	int64_t dc = (int64_t)(int16_t)(uint16_t)p->predicted * p->quant[0];
	int64_t mean = dc * 8192 + (INT64_C(128) << 16) + (1 << 15);
	int64_t x = (int64_t)low[1] * p->quant[1] * 7423;
	int64_t y = (int64_t)low[2] * p->quant[2] * 7423;
	int64_t xy = (int64_t)low[4] * p->quant[4] * 6726;
	const int64_t means[] = { mean + x + y + xy, mean - x + y - xy,
				  mean + x - y - xy, mean - x - y + xy };

	for (unsigned int i = 0; i < 4; i++) {
		int64_t v = means[i] >> 16;

		to[i / 2 * p->stride + i % 2] =
			(uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
	}
}

#define LOW	5			/* zigzag index past those that count */

/* Four samples; the bits are as block_read() leaves them after DC. */
static HOT struct bits
block_read_low(struct block *block, struct bits b)
{
	int low[LOW + 1] = { 0 };	/* the last takes what does not count */
	struct reading r = value_read(block->low, b);
	unsigned int k = 1 + r.advance;

	if (k > JPEG_ENDED) {		/* most blocks of chroma have but DC */
		uint8_t *to = block->to, mean = mean_of(block->plane);

		to[0] = to[1] = mean;
		to += block->plane->stride;
		to[0] = to[1] = mean;
		return r.bits;
	}
	low[k - 1 < LOW ? k - 1 : LOW] = r.value;
	while (k < LOW) {
		r = value_read(block->low, bits_refill(r.bits));
		k += r.advance;
		low[k - 1 < LOW ? k - 1 : LOW] = r.value;
	}
	quarters_write(block->to, block->plane, low);
	b = bits_refill(r.bits);
	return k < JPEG_BLOCK_SIZE ? block_skip(block->skip, b, k) : b;
}

static HOT struct bits
block_read(struct block *block, struct bits b)
{
	struct reading r = value_read(block->dc, bits_refill(b));

	b = r.bits;
	block->plane->predicted += (uint32_t)r.value;
	if (block->low != NULL) {
		b = block_read_low(block, b);
	} else {
		*block->to = mean_of(block->plane);
		b = block_skip(block->skip, b, 1);
	}
	block->to += block->step;
	return b;
}

static void
scan_restart(struct scan *s)
{
	for (unsigned int i = 0; i < s->count; i++)
		s->planes[i].predicted = 0;
	s->bits.buffer = 0;
	s->bits.count = 0;
	s->bits.invented = 0;
	s->left = s->interval;
}

/* What a marker, or the end of the input, is at, past any fill bytes. */
static const uint8_t *
marker_find(const struct bits *b)
{
	const uint8_t *p = b->next;

	while (p < b->end && *p == 0xFF)
		p++;
	return p;
}

static uint64_t
offset_of(const struct imgsniff_view *bytes, const uint8_t *p)
{
	return (uint64_t)(p - bytes->data);
}

static bool
fault_corrupt(struct isn_jpeg_fault *fault, const struct imgsniff_view *bytes,
	      const uint8_t *at, const char *message)
{
	return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, offset_of(bytes, at),
			      message);
}

/* Where the data end before the scan does, at a marker or with the input. */
static bool
fault_end(const struct scan *s, const struct imgsniff_view *bytes,
	  struct isn_jpeg_fault *fault)
{
	const uint8_t *p = marker_find(&s->bits);

	if (p == s->bits.end)
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_TRUNCATED,
				      bytes->size,
				      "scan: the file ends inside it");
	return fault_corrupt(fault, bytes, p - 1,
			     "scan: a marker inside its data");
}

/* A code that does not exist, unless it lacks bits. */
static bool
fault_code(const struct scan *s, const struct imgsniff_view *bytes,
	   struct isn_jpeg_fault *fault)
{
	unsigned int invented = s->bits.invented & ~SPOILT;

	if (invented > 0 && invented + JPEG_LENGTH_MAX > s->bits.count)
		return fault_end(s, bytes, fault);
	return fault_corrupt(fault, bytes, s->bits.next,
			     "scan: there is no such Huffman code");
}

/* RSTn, right where the data before it end (F.2.1.3.1). */
static bool
restart_read(struct scan *s, const struct imgsniff_view *bytes,
	     struct isn_jpeg_fault *fault)
{
	const uint8_t *p = marker_find(&s->bits);

	if (s->bits.count - s->bits.invented >= 8 ||
	    (s->bits.next < s->bits.end && *s->bits.next != 0xFF) ||
	    (p > s->bits.next && p < s->bits.end && *p == 0))
		return fault_corrupt(fault, bytes, s->bits.next,
				     "scan: more data than it has use for");
	if (p == s->bits.end)
		return fault_end(s, bytes, fault);
	if (*p != JPEG_RST0 + s->restart)
		return fault_corrupt(fault, bytes, p - 1,
			"scan: a restart marker is not where it belongs");
	s->bits.next = p + 1;
	s->restart = (s->restart + 1) & 7;
	scan_restart(s);
	return true;
}

/* Before a run of MCUs: how many there are up to the row's end or a restart. */
static uint32_t
run_length(const struct scan *s, uint32_t done)
{
	uint32_t n = s->mcus - done;

	return s->interval != 0 && s->left < n ? s->left : n;
}

/* Its MCUs; false at the first that has more bits than there are, or bad ones. */
static bool
run_read(struct scan *s, uint32_t n)
{
	const unsigned int count = s->block_count;
	struct bits b = s->bits;

	while (n-- > 0 && !bits_exhausted(b))
		for (unsigned int i = 0; i < count; i++)
			b = block_read(&s->blocks[i], b);
	s->bits = b;
	return !bits_exhausted(b);
}

static void
row_begin(struct scan *s, uint32_t y)
{
	struct block *b = s->blocks;

	for (unsigned int i = 0; i < s->count; i++) {
		const struct plane *p = &s->planes[i];

		for (unsigned int v = 0; v < p->v; v++)
			for (unsigned int h = 0; h < p->h; h++)
				b++->to = p->samples + h * p->side +
					  (size_t)(y * p->v + v) * p->side *
					  p->stride;
	}
}

/* One row of MCUs. */
static bool
row_read(struct scan *s, uint32_t y, const struct imgsniff_view *bytes,
	 struct isn_jpeg_fault *fault)
{
	uint32_t done = 0;

	row_begin(s, y);
	while (done < s->mcus) {
		uint32_t n;

		if (s->interval != 0 && s->left == 0 &&
		    !restart_read(s, bytes, fault))
			return false;
		n = run_length(s, done);
		if (!run_read(s, n))
			return fault_code(s, bytes, fault);
		done += n;
		s->left -= n;		/* wraps unused without restarts */
	}
	return true;
}

/* ---- Rows ------------------------------------------------------------------- */

/* Conversion as JFIF has it, rounded as libjpeg does. */
static void
row_to_rgb(uint8_t *rgb, const uint8_t *y, const uint8_t *cb, const uint8_t *cr,
	   uint32_t width)
{
	for (uint32_t x = 0; x < width; x++, rgb += 3) {
		int b = cb[x] - 128, r = cr[x] - 128;

		rgb[0] = byte_clamp(y[x] + ((91881 * r + 32768) >> 16));
		rgb[1] = byte_clamp(y[x] + ((-22554 * b - 46802 * r + 32768)
					    >> 16));
		rgb[2] = byte_clamp(y[x] + ((116130 * b + 32768) >> 16));
	}
}

static void
row_join(uint8_t *rgb, const uint8_t *r, const uint8_t *g, const uint8_t *b,
	 uint32_t width)
{
	for (uint32_t x = 0; x < width; x++, rgb += 3) {
		rgb[0] = r[x];
		rgb[1] = g[x];
		rgb[2] = b[x];
	}
}

/* Row 'y' of the picture; samples that are several pixels are repeated in 'to'. */
static const uint8_t *
row_of(const struct plane *p, uint32_t y, uint32_t width, uint8_t *to)
{
	/* 'down' is 1 to 4. NOLINTNEXTLINE(clang-analyzer-core.*) */
	const uint8_t *from = p->samples + (size_t)(y / p->down) * p->stride;

	if (p->across == 1)
		return from;
	if (p->across == 2)
		for (uint32_t x = 0; x < width; x++)
			to[x] = from[x / 2];
	else
		for (uint32_t x = 0; x < width; x++)
			to[x] = from[x / p->across];
	return to;
}

/* Scratch for making rows; each has room for one. */
struct rows {
	uint8_t *repeated[3];
	uint8_t *rgb;
};

/* Row 'y' in color, as RGB8, to 'rgb'. */
static void
row_make(const struct scan *s, const struct rows *r, bool stored_rgb,
	 uint32_t y, uint8_t *rgb, uint32_t width)
{
	const uint8_t *from[3];

	for (unsigned int i = 0; i < 3; i++)
		from[i] = row_of(&s->planes[i], y, width, r->repeated[i]);
	if (stored_rgb)
		row_join(rgb, from[0], from[1], from[2], width);
	else
		row_to_rgb(rgb, from[0], from[1], from[2], width);
}

static void
rows_write(const struct scan *s, const struct rows *r,
	   enum imgsniff_color color, const struct imgsniff_pixmap *dst,
	   struct isn_sink *sink)
{
	const bool rgb = s->count == 3 && color == IMGSNIFF_COLOR_RGB;
	const bool luma = s->count == 1 ||
			  (!rgb && dst->layout == IMGSNIFF_GRAY8);

	for (uint32_t y = 0; y < dst->height; y++) {
		uint8_t *to = isn_pixmap_row(dst, y);

		if (luma) {
			isn_row_convert(to, dst->layout,
					row_of(&s->planes[0], y, dst->width,
					       r->repeated[0]),
					ISN_ROW_GRAY8, dst->width);
		} else if (dst->layout == IMGSNIFF_RGB8) {
			row_make(s, r, rgb, y, to, dst->width);
		} else {
			row_make(s, r, rgb, y, r->rgb, dst->width);
			isn_row_convert(to, dst->layout, r->rgb, ISN_ROW_RGB8,
					dst->width);
		}
		if (sink != NULL)
			sink->take(sink);
	}
}

/* ---- The whole -------------------------------------------------------------- */

static void
factors_max(const struct isn_jpeg_frame *f, unsigned int *h, unsigned int *v)
{
	*h = *v = 1;
	for (unsigned int i = 0; i < f->count; i++) {
		*h = f->components[i].h > *h ? f->components[i].h : *h;
		*v = f->components[i].v > *v ? f->components[i].v : *v;
	}
}

bool
isn_jpeg_quartered(const struct isn_jpeg_frame *f, unsigned int i)
{
	unsigned int h, v;

	factors_max(f, &h, &v);
	return h / f->components[i].h % 2 == 0 && v / f->components[i].v % 2 == 0;
}

bool
isn_jpeg_dc_suits(const struct isn_jpeg *j, const struct isn_jpeg_walk *w,
		  size_t size)
{
	const struct isn_jpeg_frame *f = &w->frame;
	unsigned int h, v;

	if (!w->one_scan || w->frame.process != JPEG_FRAME || w->odd_scan ||
	    w->standard_tables || j->odd_marker || j->delayed_height ||
	    size - w->end < SIZE_MIN)
		return false;
	factors_max(f, &h, &v);
	return f->count == 1 ||
	       (f->count == 3 && f->components[0].h == h &&
		f->components[0].v == v);
}

/* Sizes in blocks; a scan of one component has no MCUs larger than one. */
static void
planes_lay_out(struct scan *s, const struct isn_jpeg_walk *w)
{
	const struct isn_jpeg_frame *f = &w->frame;
	unsigned int h_max, v_max;

	factors_max(f, &h_max, &v_max);
	s->count = f->count;
	if (s->count == 1)
		h_max = v_max = 1;
	s->mcus = (f->width + 8 * h_max - 1) / (8 * h_max);
	s->mcu_rows = (f->height + 8 * v_max - 1) / (8 * v_max);
	for (unsigned int i = 0; i < s->count; i++) {
		const struct isn_jpeg_component *c = &f->components[i];
		struct plane *p = &s->planes[i];

		p->h = s->count == 1 ? 1 : c->h;
		p->v = s->count == 1 ? 1 : c->v;
		p->across = h_max / p->h;
		p->down = v_max / p->v;
		p->side = 1;
		if (isn_jpeg_quartered(f, i)) {
			p->side = 2;
			p->across /= 2;
			p->down /= 2;
		}
		p->stride = s->mcus * p->h * p->side;
		p->quant = w->quant_low[c->quant];
	}
}

/* Planes and rows in one piece of scratch. */
static bool
memory_get(struct imgsniff_decoder *d, struct scan *s, struct rows *r,
	   uint32_t width)
{
	size_t sizes[3] = { 0 }, total = 6 * (size_t)width;
	uint8_t *at;

	for (unsigned int i = 0; i < s->count; i++) {
		const struct plane *p = &s->planes[i];

		if (!isn_size_mul(p->stride, (size_t)s->mcu_rows * p->v * p->side,
				  &sizes[i]) ||
		    !isn_size_add(total, sizes[i], &total))
			return false;
	}
	at = isn_scratch(d, ISN_SCRATCH_RAW, total);
	if (at == NULL)
		return false;
	r->rgb = at;
	at += 3 * (size_t)width;
	for (unsigned int i = 0; i < 3; i++) {
		r->repeated[i] = at;
		at += width;
	}
	for (unsigned int i = 0; i < s->count; i++) {
		s->planes[i].samples = at;
		at += sizes[i];
	}
	return true;
}

/* The MCU's blocks in the order of the scan header (A.2.3). */
static void
blocks_lay_out(struct scan *s, struct isn_jpeg_tables *t,
	       const struct isn_jpeg_walk *w, const uint8_t *data)
{
	for (unsigned int n = 0; n < w->scan_count; n++) {
		struct plane *p = &s->planes[w->scan_component[n]];
		unsigned int dc = w->scan_tables[n] >> 4;
		unsigned int ac = w->scan_tables[n] & 15;
		const uint8_t *dht = data + w->huffman[1][ac].offset;
		struct block b = { .dc = &t->dc[dc], .skip = &t->skip[ac],
				   .plane = p, .step = p->h * p->side };

		isn_jpeg_value_build(t, &t->dc[dc], data + w->huffman[0][dc].offset);
		isn_jpeg_skip_build(t, &t->skip[ac], dht);
		if (p->side == 2) {
			isn_jpeg_value_build(t, &t->low[ac], dht);
			b.low = &t->low[ac];
		}
		for (unsigned int i = 0; i < p->h * p->v; i++)
			s->blocks[s->block_count++] = b;
	}
}

bool
isn_jpeg_dc_decode(struct imgsniff_decoder *d, struct imgsniff_view bytes,
		   const struct isn_jpeg_walk *w, struct imgsniff_pixmap *dst,
		   struct isn_sink *sink, struct isn_jpeg_fault *fault)
{
	struct isn_jpeg_tables *t = isn_kept(d, ISN_KEPT_JPEG_DC, sizeof(*t), NULL);
	struct scan s = { .interval = w->restart_interval };
	struct rows rows;

	dst->rows_valid = 0;
	planes_lay_out(&s, w);
	if (t == NULL || !memory_get(d, &s, &rows, dst->width))
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_MEMORY,
				      IMGSNIFF_NO_OFFSET,
				      "JPEG: no memory left");
	blocks_lay_out(&s, t, w, bytes.data);
	s.bits.next = bytes.data + w->end;
	s.bits.end = bytes.data + bytes.size;
	scan_restart(&s);
	for (uint32_t y = 0; y < s.mcu_rows; y++)
		if (!row_read(&s, y, &bytes, fault))
			return false;
	rows_write(&s, &rows, d->info.color, dst, sink);
	dst->rows_valid = dst->height;
	return true;
}
