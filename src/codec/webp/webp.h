/*
 * webp.h - what the parser of a WebP tells its decoder
 */

#ifndef ISN_CODEC_WEBP_WEBP_H
#define ISN_CODEC_WEBP_WEBP_H

#include "codec.h"
#include "pixel/canvas.h"

/* One coded picture: a still one, or the contents of a frame. */
struct isn_webp_image {
	uint64_t start;			/* of its ALPH chunk, if any, else ... */
	uint64_t chunk;			/* of its VP8 or VP8L chunk */
	uint64_t end;			/* of the latter's data */
	uint32_t width, height;
	bool lossless;
	bool alpha;
};

struct isn_webp_frame {
	struct imgsniff_frame shown;
	struct isn_webp_image image;
	uint64_t next;			/* where the chunk after it begins */
	bool blend;			/* over the canvas, else in its place */
	bool dispose;			/* cleared before the next frame */
	bool key;			/* nothing of the canvas before shows */
};

/* The animation's canvas, in ISN_SCRATCH_CANVAS, RGBA. */
struct isn_webp_canvas {
	bool ready;
	struct isn_canvas map;
	struct isn_webp_frame frame;	/* the last one drawn */
	uint32_t rows_valid;
	struct imgsniff_error error;	/* of drawing it, if that failed */
};

struct isn_webp_metadata {
	uint64_t offset, size;
	struct imgsniff_view view;	/* once it was asked for */
};

struct isn_webp {
	uint64_t end;			/* of the RIFF chunk */
	bool extended;			/* has VP8X */
	bool animation;			/* made of ANMF chunks */
	bool has_anim;
	struct isn_webp_frame frame;	/* the current one */
	struct isn_webp_frame first;
	struct isn_webp_frame key;	/* the last key frame up to it */
	struct isn_webp_canvas canvas;
	struct isn_webp_metadata metadata[IMGSNIFF_XMP + 1];
};

/* Makes *frame the one that follows it: OK, END or an error. */
enum imgsniff_status
isn_webp_frame_next(struct imgsniff_decoder *d, struct isn_webp_frame *frame);

/* check.c: the codec's check(). */
enum imgsniff_status isn_webp_check(struct imgsniff_decoder *d);

/* libwebp.c */
enum imgsniff_status
isn_webp_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst);

/* The codec's scales(): a still one is at any size. */
bool isn_webp_scales(const struct imgsniff_decoder *d);

/*
 * compose.c: the first 'rows' rows of the frame's own pixels, RGBA, over the
 * canvas.
 */
void isn_webp_frame_blend(const struct isn_canvas *canvas,
			  const struct isn_webp_frame *previous,
			  const struct isn_webp_frame *frame,
			  const uint8_t *pixels, uint32_t rows);

#endif /* ISN_CODEC_WEBP_WEBP_H */
