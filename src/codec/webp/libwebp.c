/*
 * libwebp.c - a WebP's pixels, by libwebp
 *
 * libwebp is given the chunks of one picture, ALPH and VP8 or VP8L alone, in
 * the memory they are in: the container has been read already, and what else is
 * in it, or is missing from it, cannot keep a sound picture from being decoded.
 */

#include <limits.h>
#include <string.h>

#include <webp/decode.h>

#include "base/written.h"
#include "codec/webp/webp.h"
#include "pixel/row.h"

#define CHUNK_HEADER	8

/* Where libwebp puts pixels, scaled down to as many as there are. */
struct target {
	uint8_t *pixels;
	size_t stride;
	uint32_t width, height;
	WEBP_CSP_MODE mode;
};

static const struct {
	WEBP_CSP_MODE mode;
	bool direct;			/* it is the layout itself */
} modes[] = {
	[IMGSNIFF_GRAY8] = { MODE_RGBA, false },
	[IMGSNIFF_RGB8] = { MODE_RGB, true },
	[IMGSNIFF_RGBA8] = { MODE_RGBA, true },
	[IMGSNIFF_BGRA8] = { MODE_BGRA, true },
	[IMGSNIFF_RGBA16] = { MODE_RGBA, false },
};

static size_t
mode_bytes(WEBP_CSP_MODE mode)
{
	return mode == MODE_RGB ? 3 : 4;
}

/*
 * What libwebp will allocate: a few rows for VP8, and with alpha a plane of
 * bytes, or of words while they are decoded; for VP8L all pixels as words, and
 * 20 KB of tables for each group of Huffman codes. There may be a group for each
 * 4 x 4 pixels, but it takes 20 bits to write one down, and more than a thousand
 * are not seen in practice. A file made for it can have 65536 of some 6 KB, and
 * use about 380 MB that are not counted; how many it has is known only once its
 * transforms are decoded.
 */
static uint64_t
image_memory(const struct isn_webp_image *image)
{
	uint64_t pixels = (uint64_t)image->width * image->height;
	uint64_t rows = (uint64_t)image->width * 256 + 65536;
	uint64_t groups = (image->end - image->chunk) * 8 / 20 + 1;

	if (groups > pixels / 16 + 1)
		groups = pixels / 16 + 1;
	if (groups > 1000)
		groups = 1000;
	if (image->lossless)
		return rows + pixels * 4 + groups * 20000;
	return rows + (image->alpha ? pixels * 5 : 0);
}

/*
 * Without use_threads: it helps lossy pictures alone, and 12 million pixels come
 * 1.4 times as soon for no less work. Who decodes much runs a decoder a core.
 */
static bool
config_init(WebPDecoderConfig *config, const struct isn_webp_image *image,
	    const struct target *to)
{
	if (!WebPInitDecoderConfig(config))
		return false;
	isn_written(config, sizeof(*config));
	config->output.colorspace = to->mode;
	config->output.is_external_memory = 1;
	config->output.u.RGBA.rgba = to->pixels;
	config->output.u.RGBA.stride = (int)to->stride;
	config->output.u.RGBA.size = to->stride * (to->height - 1) +
				     mode_bytes(to->mode) * to->width;
	if (to->width == image->width && to->height == image->height)
		return true;
	config->options.use_scaling = 1;
	config->options.scaled_width = (int)to->width;
	config->options.scaled_height = (int)to->height;
	return true;
}

static void
rows_mark_written(const struct target *to, uint32_t rows)
{
	for (uint32_t y = 0; y < rows; y++)
		isn_written(to->pixels + (size_t)y * to->stride,
			    mode_bytes(to->mode) * to->width);
}

/* Four pixels, wherever they lie. */
typedef uint32_t four_pixels
	__attribute__((vector_size(16), aligned(1), may_alias));

/* Sixteen at a time: one by one, this takes 4 % of a whole decode. */
static void
row_make_opaque(uint8_t *p, size_t width)
{
	static const uint8_t bytes[16] = { 0, 0, 0, 255, 0, 0, 0, 255,
					   0, 0, 0, 255, 0, 0, 0, 255 };
	four_pixels alpha;
	size_t x = 0;

	memcpy(&alpha, bytes, sizeof(alpha));

	for (; width - x >= 16; x += 16, p += 64) {
		four_pixels *four = (four_pixels *)p;

		four[0] |= alpha;
		four[1] |= alpha;
		four[2] |= alpha;
		four[3] |= alpha;
	}
	for (; x < width; x++, p += 4)
		p[3] = 255;
}

/* libwebp keeps alpha that VP8L's header says is not used. */
static void
rows_make_opaque(const struct isn_webp_image *image, const struct target *to,
		 uint32_t rows)
{
	if (!image->lossless || image->alpha || to->mode == MODE_RGB)
		return;
	for (uint32_t y = 0; y < rows; y++)
		row_make_opaque(to->pixels + (size_t)y * to->stride, to->width);
}

/* ---- Damaged pictures ---------------------------------------------------- */

/*
 * libwebp decodes a VP8L that is not all there only if its chunk says that there
 * is more to come, and only once an eighth of that is there. So it gets a copy,
 * in a chunk that seems to lack its last bytes.
 */
static bool
lossless_cut(struct imgsniff_decoder *d, struct imgsniff_view *bytes)
{
	size_t data = bytes->size - CHUNK_HEADER;
	size_t size = data + 2;
	uint8_t *copy;

	copy = isn_scratch(d, ISN_SCRATCH_GATHER, bytes->size);
	if (copy == NULL)
		return false;
	memcpy(copy, "VP8L", 4);
	for (int i = 0; i < 4; i++)
		copy[4 + i] = (uint8_t)(size >> 8 * i);
	memcpy(copy + CHUNK_HEADER, bytes->data + CHUNK_HEADER, data);
	bytes->data = copy;
	return true;
}

/* Decodes as far as that goes. Returns how many rows are exact. */
static uint32_t
image_salvage(struct imgsniff_decoder *d, const struct isn_webp_image *image,
	      struct imgsniff_view bytes, const struct target *to)
{
	int last = 0, width = 0, height = 0;
	WebPDecoderConfig config;
	WebPIDecoder *decoder;

	if (bytes.size <= CHUNK_HEADER || !config_init(&config, image, to) ||
	    (image->lossless && !lossless_cut(d, &bytes)))
		return 0;
	decoder = WebPIDecode(NULL, 0, &config);
	if (decoder == NULL)
		return 0;
	WebPIUpdate(decoder, bytes.data, bytes.size);
	if (WebPIDecGetRGB(decoder, &last, &width, &height, NULL) == NULL ||
	    (uint32_t)width != to->width ||
	    (uint32_t)height != to->height || last < 0)
		last = 0;
	WebPIDelete(decoder);
	return (uint32_t)last;
}

static enum imgsniff_status
image_fail(struct imgsniff_decoder *d, const struct isn_webp_image *image)
{
	/* Is it the end of the file that is missing? Then this overruns. */
	isn_reader_restart(&d->in, image->end - 1);
	isn_u8(&d->in);
	if (d->in.overrun)
		return isn_fail_overrun(d, image->lossless
					? "VP8L: the file ends inside it"
					: "VP8: the file ends inside it");
	return isn_fail(d, IMGSNIFF_ERR_CORRUPT, image->chunk + CHUNK_HEADER,
			image->lossless ? "VP8L: the data are damaged"
			: image->alpha ? "VP8: its data, or those of ALPH, are "
					 "damaged"
				       : "VP8: the data are damaged");
}

/* ---- Pictures ------------------------------------------------------------ */

/* Has the picture still the size that was found when the file was opened? */
static bool
image_is_same(const struct isn_webp_image *image, struct imgsniff_view bytes)
{
	WebPBitstreamFeatures f;
	VP8StatusCode code = WebPGetFeatures(bytes.data, bytes.size, &f);

	isn_written(&f, sizeof(f));
	return code == VP8_STATUS_OK && (uint32_t)f.width == image->width &&
	       (uint32_t)f.height == image->height;
}

static VP8StatusCode
image_decode_whole(const struct isn_webp_image *image,
		   struct imgsniff_view bytes, const struct target *to)
{
	WebPDecoderConfig config;

	if (bytes.size < image->end - image->start)
		return VP8_STATUS_NOT_ENOUGH_DATA;
	if (!config_init(&config, image, to) || !image_is_same(image, bytes))
		return VP8_STATUS_BITSTREAM_ERROR;
	return WebPDecode(bytes.data, bytes.size, &config);
}

/*
 * Decodes the picture to 'to'. On an error *rows says how many of its rows are
 * exact, if 'salvage' asks to find that out.
 */
static enum imgsniff_status
image_decode(struct imgsniff_decoder *d, const struct isn_webp_image *image,
	     const struct target *to, bool salvage, uint32_t *rows)
{
	uint64_t memory = image_memory(image);
	struct imgsniff_view bytes;
	VP8StatusCode code;
	enum imgsniff_status st;

	*rows = 0;
	st = isn_view(d, image->start, (size_t)(image->end - image->start),
		      &bytes);
	if (st != IMGSNIFF_OK)
		return st;
	if (!isn_memory_reserve(&d->memory, memory))
		return isn_fail_memory(d, "libwebp: no memory left");
	code = image_decode_whole(image, bytes, to);
	if (code == VP8_STATUS_OK)
		*rows = to->height;
	else if (code != VP8_STATUS_OUT_OF_MEMORY && salvage)
		*rows = image_salvage(d, image, bytes, to);
	isn_memory_release(&d->memory, memory);
	rows_mark_written(to, *rows);
	rows_make_opaque(image, to, *rows);
	if (code == VP8_STATUS_OUT_OF_MEMORY)
		return isn_fail_memory(d, "libwebp: no memory left");
	return code == VP8_STATUS_OK ? IMGSNIFF_OK : image_fail(d, image);
}

static void
rows_convert(const struct imgsniff_pixmap *dst, const uint8_t *rgba,
	     uint32_t rows)
{
	for (uint32_t y = 0; y < rows; y++)
		isn_row_convert(isn_pixmap_row(dst, y), dst->layout,
				rgba + (size_t)y * dst->width * 4,
				ISN_ROW_RGBA8, dst->width);
}

static enum imgsniff_status
still_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	const struct isn_webp *w = d->state;
	const struct isn_webp_image *image = &w->frame.image;
	struct target to = {
		dst->pixels, dst->stride, dst->width, dst->height,
		modes[dst->layout].mode,
	};
	bool direct = modes[dst->layout].direct && dst->stride <= INT_MAX;
	enum imgsniff_status st;

	if (!direct) {
		to.stride = (size_t)dst->width * 4;
		to.mode = MODE_RGBA;
		to.pixels = isn_scratch(d, ISN_SCRATCH_RAW,
					to.stride * dst->height);
		if (to.pixels == NULL)
			return isn_fail_memory(d, "decode: no memory left");
	}
	st = image_decode(d, image, &to, d->keep_damaged, &dst->rows_valid);
	if (!direct)
		rows_convert(dst, to.pixels, dst->rows_valid);
	return st;
}

/* ---- Animations ---------------------------------------------------------- */

/* Clears what the frame before leaves behind and this one must not see. */
static void
canvas_prepare(struct isn_canvas *map, const struct isn_webp_frame *previous,
	       const struct isn_webp_frame *frame)
{
	const struct imgsniff_frame *p = &previous->shown;

	if (frame->key)
		isn_canvas_clear(map, (struct isn_rect){ 0, 0, map->width,
							 map->height });
	else if (previous->dispose)
		isn_canvas_clear(map, (struct isn_rect){ p->x, p->y, p->width,
							 p->height });
}

/* Decodes where nothing needs to be blended: on the canvas itself. */
static enum imgsniff_status
frame_decode_in_place(struct imgsniff_decoder *d,
		      const struct isn_webp_frame *frame,
		      struct isn_canvas *map, uint32_t *rows)
{
	const struct imgsniff_frame *f = &frame->shown;
	struct target to = {
		isn_canvas_at(map, f->x, f->y), isn_canvas_stride(map),
		f->width, f->height, MODE_RGBA,
	};
	enum imgsniff_status st;

	*rows = 0;
	if (to.stride > INT_MAX)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, IMGSNIFF_NO_OFFSET,
				"VP8X: the canvas is too wide");
	st = image_decode(d, &frame->image, &to, true, rows);
	isn_canvas_clear(map, (struct isn_rect){ f->x, f->y + *rows, f->width,
						 f->height - *rows });
	return st;
}

static enum imgsniff_status
frame_decode_blended(struct imgsniff_decoder *d,
		     const struct isn_webp_frame *previous,
		     const struct isn_webp_frame *frame,
		     const struct isn_canvas *map, uint32_t *rows)
{
	struct target to = {
		.stride = (size_t)frame->shown.width * 4,
		.width = frame->shown.width, .height = frame->shown.height,
		.mode = MODE_RGBA,
	};
	enum imgsniff_status st;

	*rows = 0;
	to.pixels = isn_scratch(d, ISN_SCRATCH_RAW,
				to.stride * frame->shown.height);
	if (to.pixels == NULL)
		return isn_fail_memory(d, "decode: no memory left");
	st = image_decode(d, &frame->image, &to, true, rows);
	isn_webp_frame_blend(map, previous, frame, to.pixels, *rows);
	return st;
}

/* Draws 'frame' on the canvas, which shows the one before it. */
static enum imgsniff_status
canvas_draw(struct imgsniff_decoder *d, const struct isn_webp_frame *frame)
{
	struct isn_webp_canvas *c = &((struct isn_webp *)d->state)->canvas;
	enum imgsniff_status st;
	uint32_t rows;

	canvas_prepare(&c->map, &c->frame, frame);
	if (frame->key)
		c->rows_valid = c->map.height;
	if (frame->key || !frame->blend || !frame->image.alpha)
		st = frame_decode_in_place(d, frame, &c->map, &rows);
	else
		st = frame_decode_blended(d, &c->frame, frame, &c->map, &rows);
	c->frame = *frame;
	c->error.status = IMGSNIFF_OK;
	if (st == IMGSNIFF_OK)
		return st;
	c->ready = isn_is_damage(st);
	c->error = d->error;
	if (c->rows_valid > frame->shown.y + rows)
		c->rows_valid = frame->shown.y + rows;
	return st;
}

/* Makes the canvas show the current frame, from where it stands if it can. */
static enum imgsniff_status
canvas_update(struct imgsniff_decoder *d)
{
	struct isn_webp *w = d->state;
	struct isn_webp_canvas *c = &w->canvas;
	enum imgsniff_status st = c->error.status;
	struct isn_webp_frame frame = c->frame;
	uint32_t at = frame.shown.index, to = w->frame.shown.index;

	if (!c->ready || at < w->key.shown.index || at > to) {
		frame = w->key;
		c->ready = true;
		st = canvas_draw(d, &frame);
	} else if (at == to && st != IMGSNIFF_OK) {
		d->error = c->error;
	}
	while (c->ready && frame.shown.index < to) {
		st = isn_webp_frame_next(d, &frame);
		if (st != IMGSNIFF_OK) {
			c->ready = false;
			return st;
		}
		st = canvas_draw(d, &frame);
	}
	return st;
}

static enum imgsniff_status
animation_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	struct isn_webp *w = d->state;
	struct isn_canvas *map = &w->canvas.map;
	enum imgsniff_status st;
	size_t size;

	*map = (struct isn_canvas){
		NULL, d->info.width, d->info.height, ISN_CANVAS_RGBA8,
	};
	size = isn_canvas_size(map->pixel, map->width, map->height);
	if (size != 0)
		map->pixels = isn_scratch(d, ISN_SCRATCH_CANVAS, size);
	if (map->pixels == NULL)
		return isn_fail_memory(d, "decode: no memory left");
	st = canvas_update(d);
	if (!w->canvas.ready)
		return st;
	isn_canvas_export(map, dst);
	dst->rows_valid = w->canvas.rows_valid;
	return st;
}

enum imgsniff_status
isn_webp_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	const struct isn_webp *w = d->state;

	return w->animation ? animation_decode(d, dst) : still_decode(d, dst);
}

bool
isn_webp_scales(const struct imgsniff_decoder *d)
{
	return !((const struct isn_webp *)d->state)->animation;
}
