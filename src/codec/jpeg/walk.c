/*
 * walk.c - the structure of a whole JPEG, proved before a decoder sees it
 *
 * Decoders differ in what they take for granted, and pay for it with wild reads,
 * tables that were never filled, or components that are silently missing. So all
 * that a scan refers to is checked here, at the scan, as T.81 wants it. Where
 * libjpeg is known to be content with less, and files live by that, so is this.
 */

#include <string.h>

#include "codec/jpeg/jpeg.h"

#define MCU_BLOCKS	10		/* B.2.3 */
#define LOW_BIT_MAX	13		/* G.1.1.1.2 */
#define DC_SYMBOL_MAX	15		/* bits of a difference: libjpeg's bound */

enum { DC, AC };

/* A scan header, B.2.3. */
struct scan {
	uint64_t offset;		/* of its parameters; its data follow */
	unsigned int count;		/* of its components: */
	unsigned int component[JPEG_COMPONENTS];
	uint8_t tables[JPEG_COMPONENTS];	/* DC << 4 | AC */
	uint8_t first, last;		/* Ss, Se: coefficients */
	uint8_t high, low;		/* Ah, Al: their bits */
};

struct walker {
	struct isn_reader in;		/* over the bytes at hand */
	const struct imgsniff_decoder *d;
	struct isn_jpeg_walk *w;
	struct scan scan;		/* the last one */
	bool for_pixels;
};

static bool
fault(struct walker *k, uint64_t offset, const char *message)
{
	return isn_jpeg_fault(&k->w->fault, IMGSNIFF_ERR_CORRUPT, offset,
			      message);
}

/* Tables and frame. Each handler's segment is known to be there as a whole. */

static bool
dqt_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	uint32_t left = s->size;

	while (left > 0) {
		uint64_t at = isn_tell(&k->in);
		uint8_t head = isn_u8(&k->in);
		uint32_t size = head >> 4 ? 128 : 64;

		if ((head & 15) > 3)
			return fault(k, at, "DQT: there is no such table");
		if (left - 1 < size)
			return fault(k, at, "DQT: its length is wrong");
		k->w->quant[head & 15] = true;
		for (int i = 0; i < 5; i++)
			k->w->quant_low[head & 15][i] =
				head >> 4 ? isn_u16be(&k->in) : isn_u8(&k->in);
		isn_seek(&k->in, at + 1 + size);
		left -= 1 + size;
	}
	return true;
}

/*
 * No code may be longer than there are bits for, nor be all ones (C.2): the next
 * unused code of each length must still fit.
 */
static bool
lengths_valid(const uint8_t *counts)
{
	uint32_t code = 0;

	for (unsigned int length = 1; length <= 16; length++) {
		code += counts[length - 1];
		if (counts[length - 1] != 0 && code >= UINT32_C(1) << length)
			return false;
		code <<= 1;
	}
	return true;
}

static bool
symbols_valid(const uint8_t *symbols, unsigned int count, unsigned int max)
{
	for (unsigned int i = 0; i < count; i++)
		if (symbols[i] > max)
			return false;
	return true;
}

/*
 * What is wrong with a table's codes counts only where a scan uses it; one that
 * does not fit its segment, or has too many symbols, is wrong at once.
 */
static bool
dht_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	uint32_t left = s->size;

	while (left > 16) {
		uint64_t at = isn_tell(&k->in);
		uint8_t head = isn_u8(&k->in);
		unsigned int kind = head >> 4, sum = 0;
		const uint8_t *counts = isn_bytes(&k->in, 16), *symbols;

		if (counts == NULL || kind > AC || (head & 15) > 3)
			return fault(k, at, "DHT: there is no such table");
		for (int i = 0; i < 16; i++)
			sum += counts[i];
		left -= 17;
		if (sum > 256 || sum > left)
			return fault(k, at, "DHT: too many symbols");
		left -= sum;
		/* Bytes at hand do not move: 'counts' is good still. */
		symbols = isn_bytes(&k->in, sum);
		k->w->huffman[kind][head & 15].defined = true;
		k->w->huffman[kind][head & 15].offset = (size_t)at + 1;
		k->w->huffman[kind][head & 15].valid =
			symbols != NULL && lengths_valid(counts) &&
			(kind == AC ||
			 symbols_valid(symbols, sum, DC_SYMBOL_MAX));
		k->w->full_table |= sum == 256;
	}
	return left == 0 ? true
		: fault(k, s->start - 2, "DHT: its length is wrong");
}

/* Conditioning: B.2.4.3. */
static bool
dac_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	k->w->odd_segment = true;
	if (s->size % 2 != 0)
		return fault(k, s->start - 2, "DAC: its length is wrong");
	for (uint32_t i = 0; i < s->size; i += 2) {
		uint8_t head = isn_u8(&k->in), value = isn_u8(&k->in);

		if (head >= 0x20)
			return fault(k, s->start + i,
				     "DAC: there is no such table");
		if (head < 0x10 && (value & 15) > value >> 4)
			return fault(k, s->start + i + 1,
				     "DAC: its lower bound is the higher one");
	}
	return true;
}

static bool
dri_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	if (s->size != 2)
		return fault(k, s->start - 2, "DRI: its length is wrong");
	k->w->restart_interval = isn_u16be(&k->in);
	return true;
}

static bool
unsupported(struct walker *k, uint64_t offset, const char *message)
{
	return isn_jpeg_fault(&k->w->fault, IMGSNIFF_ERR_UNSUPPORTED, offset,
			      message);
}

static bool
process_prove(struct walker *k, const struct isn_jpeg_segment *s)
{
	const struct isn_jpeg_frame *f = &k->w->frame;
	uint64_t at = s->offset + 1;

	if (f->process & JPEG_LS)
		return unsupported(k, at, "SOF: JPEG-LS is not supported");
	if (f->process & JPEG_HIERARCHICAL)
		return unsupported(k, at,
				   "SOF: hierarchical coding is not supported");
	if (f->process & JPEG_LOSSLESS)
		return unsupported(k, at,
				   "SOF: lossless coding is not supported");
	if (f->precision == 12)
		return unsupported(k, s->start,
				   "SOF: 12-bit samples are not supported");
	if (f->precision != 8)
		return fault(k, s->start, "SOF: there is no such precision");
	if (f->count != 1 && f->count != 3 && f->count != 4)
		return unsupported(k, s->start + 5,
			"SOF: only 1, 3 or 4 components are supported");
	return true;
}

/* Of a component's sampling factors. */
static uint64_t
factors_offset(const struct isn_jpeg_segment *s, uint64_t i)
{
	return s->start + 7 + 3 * i;
}

static bool
sampling_prove(struct walker *k, const struct isn_jpeg_segment *s)
{
	const struct isn_jpeg_frame *f = &k->w->frame;
	unsigned int h_max = 1, v_max = 1;

	for (unsigned int i = 0; i < f->count; i++) {
		const struct isn_jpeg_component *c = &f->components[i];

		if (c->h < 1 || c->h > 4 || c->v < 1 || c->v > 4)
			return fault(k, factors_offset(s, i),
				     "SOF: sampling factor is not 1 to 4");
		h_max = c->h > h_max ? c->h : h_max;
		v_max = c->v > v_max ? c->v : v_max;
	}
	for (unsigned int i = 0; i < f->count; i++)
		if (h_max % f->components[i].h != 0 ||
		    v_max % f->components[i].v != 0)
			return unsupported(k, factors_offset(s, i),
				"SOF: fractional sampling is not supported");
	return true;
}

static bool
frame_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	const struct isn_jpeg *j = k->d->state;

	if (k->w->frame.process != 0)
		return fault(k, s->offset, "SOF: a second one");
	if (!isn_jpeg_read_frame(&k->in, s, &k->w->frame, &k->w->fault))
		return false;
	if (k->w->frame.height == 0 && j->delayed_height)
		k->w->frame.height = j->frame.height;
	return process_prove(k, s) && sampling_prove(k, s);
}

/* Scans. */

/* Components are named by their ids, and no id twice in a scan. */
static bool
scan_find_component(const struct walker *k, struct scan *scan, uint8_t id)
{
	const struct isn_jpeg_frame *f = &k->w->frame;

	for (unsigned int i = 0; i < f->count; i++) {
		bool taken = false;

		for (unsigned int n = 0; n < scan->count; n++)
			taken |= scan->component[n] == i;
		if (f->components[i].id == id && !taken) {
			scan->component[scan->count] = i;
			return true;
		}
	}
	return false;
}

static bool
scan_read(struct walker *k, const struct isn_jpeg_segment *s, struct scan *scan)
{
	unsigned int count = isn_u8(&k->in);
	uint8_t bits;

	if (count < 1 || count > JPEG_COMPONENTS || s->size != 4 + 2 * count)
		return fault(k, s->start - 2, "SOS: its length is wrong");
	*scan = (struct scan){ .offset = s->start };
	while (scan->count < count) {
		uint64_t at = isn_tell(&k->in);

		if (!scan_find_component(k, scan, isn_u8(&k->in)))
			return fault(k, at, "SOS: there is no such component");
		scan->tables[scan->count++] = isn_u8(&k->in);
	}
	scan->first = isn_u8(&k->in);
	scan->last = isn_u8(&k->in);
	bits = isn_u8(&k->in);
	scan->high = bits >> 4;
	scan->low = bits & 15;
	return true;
}

/* Of the n-th component's id; of what follows the components, past the last. */
static uint64_t
component_offset(const struct scan *scan, uint64_t n)
{
	return scan->offset + 1 + 2 * n;
}

/* What holds for a scan of any process. */
static bool
scan_prove(struct walker *k, const struct scan *scan)
{
	const struct isn_jpeg_frame *f = &k->w->frame;
	unsigned int blocks = 0;

	for (unsigned int n = 0; n < scan->count; n++) {
		const struct isn_jpeg_component *c =
			&f->components[scan->component[n]];

		if (c->quant > 3 || !k->w->quant[c->quant])
			return fault(k, component_offset(scan, n),
				     "SOS: a quantisation table is missing");
		blocks += c->h * c->v;
	}
	return scan->count == 1 || blocks <= MCU_BLOCKS ? true
		: fault(k, scan->offset, "SOS: too many blocks in an MCU");
}

/*
 * Motion JPEG leaves the tables of Annex K out; sequential decoders put them in
 * as tables 0 and 1.
 */
static bool
table_prove(struct walker *k, const struct scan *scan, unsigned int n,
	    unsigned int kind)
{
	unsigned int i = kind == DC ? scan->tables[n] >> 4
				    : scan->tables[n] & 15;
	uint64_t at = component_offset(scan, n) + 1;

	if (i <= 3 && k->w->huffman[kind][i].defined)
		return k->w->huffman[kind][i].valid ? true
			: fault(k, at, "SOS: a Huffman table is not valid");
	if (i > 1 || k->w->frame.process & JPEG_PROGRESSIVE)
		return fault(k, at, "SOS: a Huffman table is missing");
	k->w->standard_tables = true;
	return true;
}

static bool
sequential_prove(struct walker *k, const struct scan *scan)
{
	struct isn_jpeg_walk *w = k->w;

	/* libjpeg overlooks these, as some writers do not know better. */
	if (scan->first != 0 || scan->last != 63 || scan->high || scan->low)
		w->odd_scan = true;
	for (unsigned int n = 0; n < scan->count; n++) {
		int8_t *sent = w->sent[scan->component[n]];

		if (sent[0] == 0)
			return fault(k, component_offset(scan, n),
				     "SOS: the component had its scan");
		memset(sent, 0, 64);
		if (!(w->frame.process & JPEG_ARITHMETIC) &&
		    (!table_prove(k, scan, n, DC) ||
		     !table_prove(k, scan, n, AC)))
			return false;
	}
	return true;
}

/* Successive approximation: each coefficient bit after bit (G.1.1.1). */
static bool
refinement_prove(struct walker *k, const struct scan *scan, int8_t *sent)
{
	uint64_t at = component_offset(scan, scan->count);

	if (scan->first > 0 && sent[0] < 0)
		return fault(k, at, "SOS: AC coefficients before DC");
	for (unsigned int i = scan->first; i <= scan->last; i++) {
		if ((sent[i] < 0 ? 0 : sent[i]) != scan->high)
			return fault(k, at + 2, "SOS: a scan out of its order");
		sent[i] = (int8_t)scan->low;
	}
	return true;
}

static bool
progressive_prove(struct walker *k, const struct scan *scan)
{
	uint64_t at = component_offset(scan, scan->count);
	bool dc = scan->first == 0, huffman;

	if (dc ? scan->last != 0 : scan->count != 1 || scan->last > 63 ||
				   scan->last < scan->first)
		return fault(k, at, "SOS: no such spectral selection");
	if (scan->low > LOW_BIT_MAX ||
	    (scan->high != 0 && scan->high != scan->low + 1))
		return fault(k, at + 2, "SOS: no such bit position");
	/* Refining DC takes raw bits only. */
	huffman = !(k->w->frame.process & JPEG_ARITHMETIC) &&
		  !(dc && scan->high != 0);
	for (unsigned int n = 0; n < scan->count; n++)
		if ((huffman && !table_prove(k, scan, n, dc ? DC : AC)) ||
		    !refinement_prove(k, scan, k->w->sent[scan->component[n]]))
			return false;
	return true;
}

static void
scan_note(struct isn_jpeg_walk *w, const struct scan *scan)
{
	w->scan_count = (uint8_t)scan->count;
	for (unsigned int n = 0; n < scan->count; n++) {
		w->scan_component[n] = (uint8_t)scan->component[n];
		w->scan_tables[n] = scan->tables[n];
	}
}

static bool
sos_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	struct isn_jpeg_walk *w = k->w;
	bool progressive = w->frame.process & JPEG_PROGRESSIVE;
	struct scan *scan = &k->scan;

	if (w->frame.process == 0)
		return fault(k, s->offset, "SOS: no SOF before it");
	if (w->scans++ == 0)
		w->first_scan = s->offset;
	w->last_scan = s->offset;
	if (w->scans > k->d->limits.max_scans)
		return isn_jpeg_fault(&w->fault, IMGSNIFF_ERR_LIMIT, s->offset,
				      "SOS: more scans than max-scans allows");
	if (!scan_read(k, s, scan) || !scan_prove(k, scan))
		return false;
	scan_note(w, scan);
	if (w->scans == 1)
		w->one_scan = !progressive && scan->count == w->frame.count;
	return progressive ? progressive_prove(k, scan)
			   : sequential_prove(k, scan);
}

/* Blocks of 8 x 8 in the scan: those of whole MCUs, if components share it. */
static uint64_t
scan_count_blocks(const struct isn_jpeg_frame *f, const struct scan *scan)
{
	uint64_t h_max = 1, v_max = 1, wide, high, blocks = 0;
	const struct isn_jpeg_component *c = f->components;

	for (unsigned int i = 0; i < f->count; i++) {
		h_max = c[i].h > h_max ? c[i].h : h_max;
		v_max = c[i].v > v_max ? c[i].v : v_max;
	}
	c += scan->component[0];
	if (scan->count == 1) {
		wide = ((uint64_t)f->width * c->h + 8 * h_max - 1) / (8 * h_max);
		high = ((uint64_t)f->height * c->v + 8 * v_max - 1) / (8 * v_max);
		return wide * high;
	}
	wide = (f->width + 8 * h_max - 1) / (8 * h_max);
	high = (f->height + 8 * v_max - 1) / (8 * v_max);
	for (unsigned int n = 0; n < scan->count; n++) {
		c = &f->components[scan->component[n]];
		blocks += wide * high * c->h * c->v;
	}
	return blocks;
}

/*
 * No Huffman code is shorter than a bit, a block has one for DC and one or more
 * for AC; a run of blocks without AC is at most 32767 (G.1.2.2). A few bytes that
 * claim a large image are found out before memory is taken for it.
 */
static bool
data_suffice(struct walker *k, uint64_t size, bool ended)
{
	const struct isn_jpeg_frame *f = &k->w->frame;
	uint64_t blocks = scan_count_blocks(f, &k->scan);

	if (f->process & JPEG_ARITHMETIC)
		return true;		/* many blocks to a bit */
	if (!(f->process & JPEG_PROGRESSIVE))
		blocks *= 2;
	else if (k->scan.first > 0)
		blocks /= 32767;
	if (size >= blocks / 8)
		return true;
	memset(k->w->sent, -1, sizeof(k->w->sent));
	return isn_jpeg_fault(&k->w->fault, ended ? IMGSNIFF_ERR_TRUNCATED
						  : IMGSNIFF_ERR_CORRUPT,
			      k->scan.offset, "scan: too short for its blocks");
}

/* The entropy-coded data. False at the end of the input, or on a fault. */
static bool
data_pass(struct walker *k)
{
	uint64_t from = isn_tell(&k->in);
	bool ended = !isn_jpeg_pass_scan(&k->in);

	return data_suffice(k, isn_tell(&k->in) - from, ended) && !ended;
}

/* What a decoder may leave out that has no use for AC coefficients. */
static void
ac_scan_note(const struct walker *k, uint64_t offset)
{
	struct isn_jpeg_walk *w = k->w;

	if (k->scan.first == 0 || w->ac_count == JPEG_AC_SCANS)
		return;
	w->ac_scans[w->ac_count].piece.offset = offset;
	w->ac_scans[w->ac_count].piece.size = isn_tell(&k->in) - offset;
	w->ac_scans[w->ac_count++].component = (uint8_t)k->scan.component[0];
}

static bool
soi_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	return fault(k, s->offset, "SOI: a second one");
}

static bool
foreign_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	return fault(k, s->offset, "marker: of another coding process");
}

static const struct {
	uint8_t code;
	bool (*read)(struct walker *k, const struct isn_jpeg_segment *s);
} handlers[] = {
	{ JPEG_DQT, dqt_read },
	{ JPEG_DHT, dht_read },
	{ JPEG_DAC, dac_read },
	{ JPEG_DRI, dri_read },
	{ JPEG_SOS, sos_read },
	{ JPEG_SOI, soi_read },
	{ JPEG_JPG, foreign_read },
	{ JPEG_EXP, foreign_read },
	{ JPEG_LSE, foreign_read },
};

static bool
segment_read(struct walker *k, const struct isn_jpeg_segment *s)
{
	if (isn_jpeg_process(s->code) != 0)
		return frame_read(k, s);
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].code == s->code)
			return handlers[i].read(k, s);
	/* APPn and COM; DNL after the first scan; and what means nothing here. */
	if (s->code < JPEG_APP0 || s->short_length)
		k->w->odd_segment = true;
	return true;
}

/* One segment and, after SOS, its data. False at the end, or on a fault. */
static bool
walk_step(struct walker *k)
{
	struct isn_jpeg_walk *w = k->w;
	struct isn_jpeg_segment s;

	if (!isn_jpeg_next(&k->in, &s, &w->fault) ||
	    !isn_jpeg_pass(&k->in, &s, &w->fault))
		return false;
	if (s.junk > 0 && w->junk == 0)
		w->junk_offset = s.offset - s.junk;
	w->junk += s.junk;
	if (s.code == JPEG_EOI) {
		w->eoi = true;
		return false;
	}
	isn_seek(&k->in, s.start);
	if (!segment_read(k, &s))
		return false;
	isn_seek(&k->in, s.start + s.size);
	if (s.code != JPEG_SOS)
		return true;
	if (k->for_pixels && w->one_scan)
		return false;
	if (!data_pass(k))
		return false;
	if (w->frame.process & JPEG_PROGRESSIVE)
		ac_scan_note(k, s.offset);
	return true;
}

/* Has every component been sent, and to the last bit? */
static bool
sent_all(const struct isn_jpeg_walk *w, bool *any)
{
	bool all = w->scans > 0;

	*any = w->scans > 0;
	for (unsigned int c = 0; c < w->frame.count && *any; c++) {
		*any = w->sent[c][0] >= 0;
		for (int i = 0; i < 64; i++)
			all &= w->sent[c][i] == 0;
	}
	return all && *any;
}

/*
 * A missing EOI is none of a decoder's business if all was sent; a progression
 * that stops early is none if EOI says that this is all (G.1.2.3 leaves what was
 * not sent at zero).
 */
static void
walk_judge(struct isn_jpeg_walk *w)
{
	struct isn_jpeg_fault *f = &w->fault;
	bool any;

	w->complete = sent_all(w, &any);
	if (f->status == IMGSNIFF_ERR_TRUNCATED && w->complete)
		f->status = IMGSNIFF_OK;
	if (f->status != IMGSNIFF_OK)
		return;
	if (w->eoi && w->scans == 0)
		isn_jpeg_fault(f, IMGSNIFF_ERR_CORRUPT, w->end - 2,
			       "EOI: no scan before it");
	else if (w->eoi && !any)
		isn_jpeg_fault(f, IMGSNIFF_ERR_CORRUPT, w->end - 2,
			       "EOI: a component had no scan");
	else if (!w->eoi && !w->complete)
		isn_jpeg_fault(f, IMGSNIFF_ERR_TRUNCATED, w->end,
			       "scan: the file ends before the last");
}

static int
view_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	const struct imgsniff_view *bytes = user;
	size_t skip = offset < bytes->size ? (size_t)offset : bytes->size;

	(void)size;
	*view = (struct imgsniff_view){ bytes->data + skip, bytes->size - skip };
	return 0;
}

void
isn_jpeg_walk(const struct imgsniff_decoder *d, struct imgsniff_view bytes,
	      bool for_pixels, struct isn_jpeg_walk *w)
{
	struct imgsniff_source source = { view_peek, &bytes };
	struct walker k = { .d = d, .w = w, .for_pixels = for_pixels };

	memset(w, 0, sizeof(*w));
	memset(w->sent, -1, sizeof(w->sent));
	isn_reader_init(&k.in, &source);
	isn_skip(&k.in, 2);		/* SOI: detection has seen it */
	while (walk_step(&k))
		;
	w->end = isn_tell(&k.in);
	if (w->end > bytes.size)
		w->end = bytes.size;
	walk_judge(w);
	if (w->fault.status == IMGSNIFF_ERR_TRUNCATED)
		w->fault.offset = bytes.size;
}

enum imgsniff_status
isn_jpeg_fail(struct imgsniff_decoder *d, const struct isn_jpeg_fault *f,
	      size_t size)
{
	if (f->status != IMGSNIFF_ERR_TRUNCATED ||
	    !(d->flags & IMGSNIFF_PARTIAL))
		return isn_fail(d, f->status, f->offset, f->message);
	isn_fail(d, IMGSNIFF_MORE, f->offset, f->message);
	d->error.needed = (uint64_t)size + 1;
	return IMGSNIFF_MORE;
}
