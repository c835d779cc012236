/*
 * libjpeg.c - a JPEG's pixels by libjpeg-turbo
 *
 * Its context is kept from image to image, it reads the very bytes that the
 * parser read, and it writes rows straight into the destination wherever it
 * knows the layout. What it calls a warning is mostly damage: the first one that
 * is ends the decoding, with the rows that were out by then.
 */

#include "codec/jpeg/jpeg.h"

#if HAVE_LIBJPEG

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "codec/jpeg/dc.h"
#include "pixel/row.h"

/* Row pointers made at a time. */
#define ROWS_AT_ONCE	128

/* What the library needs besides what memory_estimate() counts. */
#define FIXED_MEMORY	(256u << 10)

/* A run of the bytes that the library is given. */
struct run {
	const uint8_t *data;
	size_t size;
	uint64_t offset;		/* in the input */
};

struct context {
	struct jpeg_decompress_struct cinfo;
	struct jpeg_error_mgr errors;
	struct jpeg_source_mgr source;
	struct jpeg_progress_mgr progress;
	bool created;

	/* The decode under way. */
	jmp_buf escape;
	const struct imgsniff_decoder *d;
	struct isn_sink *sink;		/* NULL: rows go to a pixmap */
	struct run runs[JPEG_AC_SCANS + 4];	/* the last one is the end, and
						   empty; no other one is */
	const struct run *run;
	uint8_t height[2];		/* what DNL said, for SOF */
	long allowance;			/* bytes for its large arrays */
	bool skipping;			/* scans that do not matter */
	bool reading;			/* scans are being read */
	bool writing;			/* rows are coming out */
	uint32_t rows;			/* that were out when it failed */
	uint64_t left_over;		/* data no row needs; 0: none */
	struct isn_jpeg_fault fault;
};

/* How to get from the image's colours to a layout. */
struct way {
	J_COLOR_SPACE space;		/* what the library gives */
	bool direct;			/* and it is the layout itself */
	enum isn_row kind;		/* else what to convert from */
};

_Noreturn static void
context_escape(struct context *c, enum imgsniff_status status, uint64_t offset,
	       const char *message)
{
	isn_jpeg_fault(&c->fault, status, offset, message);
	c->rows = c->writing ? c->cinfo.output_scanline : 0;
	longjmp(c->escape, 1);
}

/* Where the library has come to in the input; some bytes behind, in a scan. */
static uint64_t
context_offset(const struct context *c)
{
	const struct run *run = c->run;

	if (run->size == 0)
		return run->offset;
	return run->offset + (run->size - c->source.bytes_in_buffer);
}

static bool
context_ended(const struct context *c)
{
	return c->run->size == 0;
}

/* Errors */

static const struct {
	int code;
	enum imgsniff_status status;
	const char *message;
} errors[] = {
	{ JERR_OUT_OF_MEMORY, IMGSNIFF_ERR_MEMORY, "JPEG: no memory left" },
	{ JERR_NO_BACKING_STORE, IMGSNIFF_ERR_LIMIT,
	  "memory: needs more than max-memory allows" },
	{ JERR_IMAGE_TOO_BIG, IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: more than 65500 pixels wide or high is not supported" },
	{ JERR_WIDTH_OVERFLOW, IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: this width is not supported" },
	{ JERR_ARITH_NOTIMPL, IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: arithmetic coding is not built in" },
	{ JERR_BAD_PRECISION, IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: this precision is not supported" },
	{ JERR_SOF_UNSUPPORTED, IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: this coding process is not supported" },
	{ JERR_FRACT_SAMPLE_NOTIMPL, IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: fractional sampling is not supported" },
	{ JERR_CONVERSION_NOTIMPL, IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: this kind of colours is not supported" },
	{ JERR_NOT_COMPILED, IMGSNIFF_ERR_UNSUPPORTED,
	  "SOF: this coding process is not built in" },
	{ JERR_NO_HUFF_TABLE, IMGSNIFF_ERR_CORRUPT,
	  "SOS: a Huffman table is missing" },
	{ JERR_NO_QUANT_TABLE, IMGSNIFF_ERR_CORRUPT,
	  "SOS: a quantisation table is missing" },
	{ JERR_UNKNOWN_MARKER, IMGSNIFF_ERR_CORRUPT,
	  "marker: there is no such one" },
};

static void
on_error(j_common_ptr cinfo)
{
	struct context *c = cinfo->client_data;
	uint64_t at = context_offset(c);

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].code == c->errors.msg_code)
			context_escape(c, errors[i].status, at,
				       errors[i].message);
	if (context_ended(c))
		context_escape(c, IMGSNIFF_ERR_TRUNCATED, at,
			       "JPEG: the file ends inside it");
	context_escape(c, IMGSNIFF_ERR_CORRUPT, at,
		       "JPEG: breaks the rules of its format");
}

/*
 * Of a Huffman-coded scan that meets a marker too early, the marker's offset: the
 * library tells only where it was an MCU ago.
 */
static uint64_t
marker_offset(const struct context *c)
{
	uint64_t at = context_offset(c);
	const struct run *run = c->run;
	size_t i = (size_t)(at - run->offset);

	for (; i + 1 < run->size; i++)
		if (run->data[i] == 0xFF && run->data[i + 1] != 0 &&
		    run->data[i + 1] != 0xFF)
			return run->offset + i;
	return at;
}

/* Warnings that leave all pixels as they should be. */
static bool
warning_harmless(const struct context *c)
{
	switch (c->errors.msg_code) {
	case JWRN_ADOBE_XFORM:
	case JWRN_JFIF_MAJOR:
	case JWRN_NOT_SEQUENTIAL:
		return true;
	case JWRN_EXTRANEOUS_DATA:
		/* Between headers, or after the last scan; not inside one. */
		return c->cinfo.input_scan_number == 0 ||
		       c->errors.msg_parm.i[1] == JPEG_EOI;
	}
	return false;
}

static void
warning_note(struct context *c)
{
	if (c->errors.msg_code == JWRN_EXTRANEOUS_DATA &&
	    c->cinfo.input_scan_number > 0)
		c->left_over = context_offset(c) -
			       (uint64_t)c->errors.msg_parm.i[0];
}

static void
on_message(j_common_ptr cinfo, int level)
{
	struct context *c = cinfo->client_data;

	if (level >= 0)
		return;
	if (warning_harmless(c)) {
		warning_note(c);
		return;
	}
	if (context_ended(c))
		context_escape(c, IMGSNIFF_ERR_TRUNCATED, c->run->offset,
			       "scan: the file ends inside it");
	switch (c->errors.msg_code) {
	case JWRN_HIT_MARKER:
		context_escape(c, IMGSNIFF_ERR_CORRUPT, marker_offset(c),
			       "scan: a marker inside its data");
	case JWRN_HUFF_BAD_CODE:
		context_escape(c, IMGSNIFF_ERR_CORRUPT, context_offset(c),
			       "scan: there is no such Huffman code");
	case JWRN_MUST_RESYNC:
		context_escape(c, IMGSNIFF_ERR_CORRUPT, context_offset(c),
			       "scan: a restart marker is not where it belongs");
	case JWRN_EXTRANEOUS_DATA:
		context_escape(c, IMGSNIFF_ERR_CORRUPT, context_offset(c),
			       "scan: more data than it has use for");
	}
	context_escape(c, IMGSNIFF_ERR_CORRUPT, context_offset(c),
		       "scan: its data are damaged");
}

static void
on_output(j_common_ptr cinfo)
{
	(void)cinfo;			/* nothing goes to stderr */
}

/* The walk has counted the scans already; here it also bounds the time. */
static void
on_progress(j_common_ptr cinfo)
{
	struct context *c = cinfo->client_data;

	if (c->cinfo.input_scan_number > 0 &&
	    (unsigned int)c->cinfo.input_scan_number > c->d->limits.max_scans)
		context_escape(c, IMGSNIFF_ERR_LIMIT, context_offset(c),
			       "SOS: more scans than max-scans allows");
}

/* Source */

static void
source_init(j_decompress_ptr cinfo)
{
	(void)cinfo;
}

/* The next run. The end is an EOI, as often as it is asked for. */
static boolean
source_fill(j_decompress_ptr cinfo)
{
	static const JOCTET eoi[] = { 0xFF, JPEG_EOI };
	struct context *c = cinfo->client_data;

	if (!context_ended(c))
		c->run++;
	c->source.next_input_byte = c->run->size ? c->run->data : eoi;
	c->source.bytes_in_buffer = c->run->size ? c->run->size : sizeof(eoi);
	/*
	 * Where arithmetic data end, zeros follow without a warning, as an
	 * encoder may leave them out before a marker (D.1.8). Here is no marker.
	 */
	if (context_ended(c) && cinfo->arith_code && c->reading &&
	    cinfo->input_iMCU_row < cinfo->total_iMCU_rows)
		context_escape(c, IMGSNIFF_ERR_TRUNCATED, c->run->offset,
			       "scan: the file ends inside it");
	return TRUE;
}

static void
source_skip(j_decompress_ptr cinfo, long size)
{
	struct context *c = cinfo->client_data;

	while (size > 0 && !context_ended(c)) {
		size_t left = c->source.bytes_in_buffer;
		size_t step = (size_t)size < left ? (size_t)size : left;

		c->source.next_input_byte += step;
		c->source.bytes_in_buffer -= step;
		size -= (long)step;
		if (size > 0)
			source_fill(cinfo);
	}
}

/* The bytes from 'at' to 'to'; returns what is after them. */
static struct run *
run_add(struct run *run, const struct imgsniff_view *bytes, size_t at, size_t to)
{
	if (to > at)
		*run++ = (struct run){ bytes->data + at, to - at, at };
	return run;
}

/*
 * At 1/8 a pixel is a block's mean, its DC coefficient: scans of AC coefficients
 * are left out, but for those of a component whose blocks are four pixels. The
 * picture is the one that all scans give. So damage inside of a scan that is left
 * out is not noticed, as the pixels have nothing of it; but the walk has met all
 * markers up to EOI, so that a file cut short is: without EOI all scans are read.
 */
static bool
scans_skippable(const struct context *c, const struct isn_jpeg_walk *w)
{
	return c->d->shrink == 8 && w->eoi && w->complete && w->ac_count > 0;
}

static struct run *
runs_between_scans(struct run *run, const struct imgsniff_view *bytes,
		   const struct isn_jpeg_walk *w)
{
	size_t at = 0;

	for (unsigned int i = 0; i < w->ac_count; i++) {
		const struct isn_jpeg_piece *p = &w->ac_scans[i].piece;

		if (isn_jpeg_quartered(&w->frame, w->ac_scans[i].component))
			continue;
		run = run_add(run, bytes, at, (size_t)p->offset);
		at = (size_t)(p->offset + p->size);
	}
	return run_add(run, bytes, at, bytes->size);
}

/* Where the height comes late, it is put where libjpeg looks for it. */
static struct run *
runs_with_height(struct run *run, const struct imgsniff_view *bytes,
		 const struct isn_jpeg_frame *f, uint8_t *height)
{
	size_t at = (size_t)f->height_offset;

	height[0] = (uint8_t)(f->height >> 8);
	height[1] = (uint8_t)f->height;
	run = run_add(run, bytes, 0, at);
	*run++ = (struct run){ height, 2, at };
	return run_add(run, bytes, at + 2, bytes->size);
}

/* The caller's bytes, as they are, but for what these add or leave out. */
static void
source_set(struct context *c, struct imgsniff_view bytes,
	   const struct isn_jpeg_walk *w, bool delayed_height)
{
	struct run *run = c->runs;

	c->skipping = false;
	if (delayed_height) {
		run = runs_with_height(run, &bytes, &w->frame, c->height);
	} else if (scans_skippable(c, w)) {
		c->skipping = true;
		run = runs_between_scans(run, &bytes, w);
	} else {
		run = run_add(run, &bytes, 0, bytes.size);
	}
	*run = (struct run){ NULL, 0, bytes.size };
	c->run = c->runs;
	c->source = (struct jpeg_source_mgr){
		.next_input_byte = c->run->data,
		.bytes_in_buffer = c->run->size,
		.init_source = source_init,
		.fill_input_buffer = source_fill,
		.skip_input_data = source_skip,
		.resync_to_restart = jpeg_resync_to_restart,
		.term_source = source_init,
	};
}

/* Context */

static void
context_release(struct imgsniff_decoder *d, void *data)
{
	struct context *c = data;

	(void)d;
	if (c->created)
		jpeg_destroy_decompress(&c->cinfo);
	c->created = false;
}

/* Inside of the setjmp: creating may fail as anything else. */
static void
context_create(struct context *c)
{
	if (c->created)
		return;
	memset(&c->cinfo, 0, sizeof(c->cinfo));
	c->cinfo.err = jpeg_std_error(&c->errors);
	c->errors.error_exit = on_error;
	c->errors.emit_message = on_message;
	c->errors.output_message = on_output;
	c->cinfo.client_data = c;
	jpeg_create_decompress(&c->cinfo);
	c->created = true;
}

static long
memory_allowance(const struct imgsniff_decoder *d)
{
	uint64_t left = d->memory.limit - d->memory.used;

	return left < LONG_MAX ? (long)left : LONG_MAX;
}

/*
 * Rows of samples of every component, before and after they are brought to full
 * size and, unless one scan holds everything, all coefficients.
 */
static uint64_t
memory_estimate(const struct isn_jpeg_walk *w)
{
	const struct isn_jpeg_frame *f = &w->frame;
	uint64_t total = FIXED_MEMORY, h_max = 1, v_max = 1;

	for (int i = 0; i < f->count; i++) {
		h_max = f->components[i].h > h_max ? f->components[i].h : h_max;
		v_max = f->components[i].v > v_max ? f->components[i].v : v_max;
	}
	for (int i = 0; i < f->count; i++) {
		const struct isn_jpeg_component *c = &f->components[i];
		uint64_t mcus = (f->width + 8 * h_max - 1) / (8 * h_max);
		uint64_t rows = (f->height + 8 * v_max - 1) / (8 * v_max);

		total += mcus * h_max * 8 * (16 * (uint64_t)c->v + 2 * v_max);
		if (!w->one_scan)
			total += mcus * c->h * rows * c->v * 64 * sizeof(JCOEF);
	}
	return total;
}

/* Pixels */

static const J_COLOR_SPACE spaces[] = {
	[IMGSNIFF_GRAY8] = JCS_GRAYSCALE,
	[IMGSNIFF_RGB8] = JCS_RGB,
	[IMGSNIFF_RGBA8] = JCS_EXT_RGBA,
	[IMGSNIFF_BGRA8] = JCS_EXT_BGRA,
};

static struct way
way_choose(J_COLOR_SPACE from, enum imgsniff_pixel layout)
{
	if (from == JCS_CMYK || from == JCS_YCCK)
		return (struct way){ JCS_CMYK, false, ISN_ROW_RGBA8 };
	if (layout == IMGSNIFF_RGBA16)
		return from == JCS_GRAYSCALE
			? (struct way){ JCS_GRAYSCALE, false, ISN_ROW_GRAY8 }
			: (struct way){ JCS_RGB, false, ISN_ROW_RGB8 };
	/* Its gray of RGB is not quite that of the other formats. */
	if (layout == IMGSNIFF_GRAY8 && from == JCS_RGB)
		return (struct way){ JCS_RGB, false, ISN_ROW_RGB8 };
	return (struct way){ spaces[layout], true, ISN_ROW_RGBA8 };
}

/*
 * Ink to light, in place, without a profile. Adobe stores ink inverted: 255 is
 * none of it.
 */
static void
row_from_cmyk(uint8_t *row, uint32_t width, bool inverted)
{
	const unsigned int flip = inverted ? 0 : 255;

	for (uint32_t x = 0; x < width; x++, row += 4) {
		unsigned int k = row[3] ^ flip;

		for (int i = 0; i < 3; i++)
			row[i] = (uint8_t)(((row[i] ^ flip) * k + 127) / 255);
		row[3] = 255;
	}
}

/* Or the ink itself, for a profile. */
static void
row_to_inks(uint8_t *row, uint32_t width, bool inverted)
{
	for (size_t i = 0; inverted && i < 4 * (size_t)width; i++)
		row[i] ^= 255;
}

/* The library gives a row or two a call: the pointers are for many calls. */
static void
rows_read_direct(struct context *c, const struct imgsniff_pixmap *dst)
{
	JSAMPROW rows[ROWS_AT_ONCE];

	while (c->cinfo.output_scanline < dst->height) {
		uint32_t y = c->cinfo.output_scanline, n = 0, done = 0;

		while (n < ROWS_AT_ONCE && n < dst->height - y) {
			rows[n] = isn_pixmap_row(dst, y + n);
			n++;
		}
		while (done < n)
			done += jpeg_read_scanlines(&c->cinfo, rows + done,
						    n - done);
	}
}

static void
row_convert(const struct context *c, const struct way *way, void *to,
	    const struct imgsniff_pixmap *dst, uint8_t *row)
{
	if (way->space == JCS_CMYK && c->d->inks)
		row_to_inks(row, dst->width, c->cinfo.saw_Adobe_marker);
	else if (way->space == JCS_CMYK)
		row_from_cmyk(row, dst->width, c->cinfo.saw_Adobe_marker);
	isn_row_convert(to, dst->layout, row, way->kind, dst->width);
}

static void
rows_read_converted(struct context *c, const struct imgsniff_pixmap *dst,
		    const struct way *way, uint8_t *row)
{
	while (c->cinfo.output_scanline < dst->height) {
		void *to = isn_pixmap_row(dst, c->cinfo.output_scanline);

		jpeg_read_scanlines(&c->cinfo, &row, 1);
		row_convert(c, way, to, dst, row);
	}
}

static void
rows_read_to_sink(struct context *c, const struct imgsniff_pixmap *one,
		  const struct way *way, uint8_t *row)
{
	while (c->cinfo.output_scanline < one->height) {
		uint8_t *to = way->direct ? one->pixels : row;

		jpeg_read_scanlines(&c->cinfo, &to, 1);
		if (!way->direct)
			row_convert(c, way, one->pixels, one, row);
		c->sink->take(c->sink);
	}
}

static void
image_read(struct context *c, const struct imgsniff_pixmap *dst, uint8_t *row)
{
	struct jpeg_decompress_struct *cinfo = &c->cinfo;
	struct way way;

	cinfo->src = &c->source;
	cinfo->progress = &c->progress;
	c->progress.progress_monitor = on_progress;
	/* The environment's JPEGMEM was taken by jpeg_create_decompress(). */
	cinfo->mem->max_memory_to_use = c->allowance;
	jpeg_read_header(cinfo, TRUE);
	if (cinfo->image_width != c->d->info.width ||
	    cinfo->image_height != c->d->info.height)
		context_escape(c, IMGSNIFF_ERR_CORRUPT, IMGSNIFF_NO_OFFSET,
			       "SOF: has changed since it was opened");
	way = way_choose(cinfo->jpeg_color_space, dst->layout);
	cinfo->out_color_space = way.space;
	cinfo->dct_method = JDCT_ISLOW;
	cinfo->do_fancy_upsampling = TRUE;
	/* What was left out is not to be guessed at. */
	cinfo->do_block_smoothing = !c->skipping;
	cinfo->scale_num = 1;
	cinfo->scale_denom = c->d->shrink;
	c->reading = true;
	jpeg_start_decompress(cinfo);
	if (cinfo->output_width != dst->width ||
	    cinfo->output_height != dst->height)
		context_escape(c, IMGSNIFF_ERR_BUFFER, IMGSNIFF_NO_OFFSET,
			       "call: the pixmap does not fit the image");
	c->writing = true;
	if (c->sink != NULL)
		rows_read_to_sink(c, dst, &way, row);
	else if (way.direct)
		rows_read_direct(c, dst);
	else
		rows_read_converted(c, dst, &way, row);
}

/* All that can jump out is called from here. */
static bool
context_run(struct context *c, const struct imgsniff_pixmap *dst, uint8_t *row)
{
	if (setjmp(c->escape) != 0) {
		if (c->created)
			jpeg_abort_decompress(&c->cinfo);
		else
			jpeg_destroy_decompress(&c->cinfo);
		return false;
	}
	context_create(c);
	image_read(c, dst, row);
	/*
	 * All rows are out. What follows them, up to EOI, is checked elsewhere:
	 * jpeg_finish_decompress() would trip over it.
	 */
	jpeg_abort_decompress(&c->cinfo);
	return true;
}

/*
 * All rows are out: are there data left over? Of a single scan the library reads
 * no further than it must, give or take the few bytes that it has at hand.
 */
static void
left_over_note(struct imgsniff_decoder *d, const struct context *c,
	       const struct isn_jpeg_walk *w)
{
	const uint8_t *p = c->source.next_input_byte;
	uint64_t at = c->left_over;

	if (d->check == NULL)
		return;
	if (w->one_scan && !c->cinfo.arith_code && !context_ended(c) &&
	    c->cinfo.unread_marker == 0 && c->source.bytes_in_buffer >= 2 &&
	    (p[0] != 0xFF || p[1] == 0))
		at = context_offset(c);
	if (at != 0)
		isn_fault(d, IMGSNIFF_OK, at,
			  "scan: more data than it has use for");
}

/* Once the structure has been proved. */
static enum imgsniff_status
context_decode(struct imgsniff_decoder *d, struct context *c,
	       struct imgsniff_view bytes, const struct isn_jpeg_walk *w,
	       struct imgsniff_pixmap *dst)
{
	const struct isn_jpeg *j = d->state;
	uint64_t memory = memory_estimate(w);
	uint8_t *row = isn_scratch(d, ISN_SCRATCH_ROW, 4 * (size_t)dst->width);
	bool done;

	/* Tables of an earlier image would pass for those that this one lacks. */
	if (w->standard_tables)
		context_release(d, c);
	c->d = d;
	c->allowance = memory_allowance(d);
	c->reading = c->writing = false;
	c->left_over = 0;
	source_set(c, bytes, w, j->delayed_height);
	if (row == NULL || !isn_memory_reserve(&d->memory, memory))
		return isn_fail_memory(d, "JPEG: no memory left");
	done = context_run(c, dst, row);
	isn_memory_release(&d->memory, memory);
	if (done) {
		left_over_note(d, c, w);
		return IMGSNIFF_OK;
	}
	dst->rows_valid = w->one_scan ? c->rows : 0;
	return isn_jpeg_fail(d, &c->fault, bytes.size);
}

/*
 * The short way, where there is one. What it does not like, the library is given
 * to judge, so that a size decides on speed only, not on what counts as damage.
 */
static bool
eighth_decode(struct imgsniff_decoder *d, struct imgsniff_view bytes,
	      const struct isn_jpeg_walk *w, struct imgsniff_pixmap *dst,
	      struct isn_sink *sink)
{
	struct isn_jpeg_fault fault;

	return d->shrink == 8 && w->frame.width == d->info.width &&
	       w->frame.height == d->info.height &&
	       isn_jpeg_dc_suits(d->state, w, bytes.size) &&
	       isn_jpeg_dc_decode(d, bytes, w, dst, sink, &fault);
}

static enum imgsniff_status
image_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst,
	     struct isn_sink *sink)
{
	struct imgsniff_view bytes;
	struct isn_jpeg_walk w;
	struct context *c;
	enum imgsniff_status st = isn_view(d, 0, SIZE_MAX, &bytes);

	if (st != IMGSNIFF_OK)
		return st;
	isn_jpeg_walk(d, bytes, true, &w);
	if (w.fault.status != IMGSNIFF_OK)
		return isn_jpeg_fail(d, &w.fault, bytes.size);
	if (eighth_decode(d, bytes, &w, dst, sink))
		return IMGSNIFF_OK;
	c = isn_kept(d, ISN_KEPT_JPEG, sizeof(*c), context_release);
	if (c == NULL)
		return isn_fail_memory(d, "JPEG: no memory left");
	c->sink = sink;
	return context_decode(d, c, bytes, &w, dst);
}

enum imgsniff_status
isn_jpeg_libjpeg_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	return image_decode(d, dst, NULL);
}

enum imgsniff_status
isn_jpeg_libjpeg_rows(struct imgsniff_decoder *d, struct isn_sink *sink)
{
	struct imgsniff_pixmap one = isn_sink_pixmap(sink);

	return image_decode(d, &one, sink);
}

#endif /* HAVE_LIBJPEG */
