/*
 * png.h - what the files of the PNG codec share
 */

#ifndef ISN_CODEC_PNG_PNG_H
#define ISN_CODEC_PNG_PNG_H

#include "base/inflate.h"
#include "codec.h"

#define PNG_CHUNK(a, b, c, d)	((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | \
				 (uint32_t)(c) << 8 | (uint32_t)(d))

enum {
	PNG_IHDR = PNG_CHUNK('I', 'H', 'D', 'R'),
	PNG_PLTE = PNG_CHUNK('P', 'L', 'T', 'E'),
	PNG_TRNS = PNG_CHUNK('t', 'R', 'N', 'S'),
	PNG_IDAT = PNG_CHUNK('I', 'D', 'A', 'T'),
	PNG_IEND = PNG_CHUNK('I', 'E', 'N', 'D'),
	PNG_ICCP = PNG_CHUNK('i', 'C', 'C', 'P'),
	PNG_EXIF = PNG_CHUNK('e', 'X', 'I', 'f'),
	PNG_ITXT = PNG_CHUNK('i', 'T', 'X', 't'),
	PNG_ACTL = PNG_CHUNK('a', 'c', 'T', 'L'),
	PNG_FCTL = PNG_CHUNK('f', 'c', 'T', 'L'),
	PNG_FDAT = PNG_CHUNK('f', 'd', 'A', 'T'),
	PNG_CGBI = PNG_CHUNK('C', 'g', 'B', 'I'),
};

#define PNG_SIGNATURE_SIZE	8

/* Length and type before a chunk's data, CRC behind them. */
#define PNG_CHUNK_HEADER	8
#define PNG_CHUNK_AROUND	12

enum png_color_type {			/* PNG third edition, table 9 */
	PNG_GRAY = 0,
	PNG_RGB = 2,
	PNG_PALETTE = 3,
	PNG_GRAY_ALPHA = 4,
	PNG_RGB_ALPHA = 6,
	PNG_COLOR_TYPES = 7,
};

enum png_dispose {
	PNG_DISPOSE_NONE,
	PNG_DISPOSE_BACKGROUND,
	PNG_DISPOSE_PREVIOUS,
};

enum png_blend {
	PNG_BLEND_SOURCE,
	PNG_BLEND_OVER,
};

/* Where one zlib stream lies: a run of IDATs, or the fdATs of a frame. */
struct png_data {
	uint32_t type;			/* PNG_IDAT or PNG_FDAT */
	uint32_t chunks;		/* 0: there are none */
	uint64_t at;			/* of the first chunk */
	uint64_t end;			/* behind the last one's CRC */
	uint64_t bytes;			/* of the stream, all chunks together */
	bool cut;			/* the input ends inside the last one */
};

/* A frame of an animation; of a still, its only picture. */
struct png_frame {
	uint32_t index;
	uint32_t x, y, width, height;
	uint64_t duration_us;
	enum png_dispose dispose;
	enum png_blend blend;
	struct png_data data;
	uint64_t next;			/* the chunk to go on with */
	uint32_t sequence;		/* the number expected next */
};

/* Data of a metadata chunk that is read only when asked for. */
struct png_metadata {
	uint64_t chunk;			/* where it begins; 0: there is none */
	uint32_t length;		/* of its data */
	uint32_t skip;			/* of those, what is before the payload */
	bool deflated;
	bool joined;			/* 'view' is what was asked for */
	struct imgsniff_view view;
};

/* The canvas of an animation: what was drawn on it last. */
struct png_canvas {
	bool drawn;			/* else it is to be cleared */
	struct png_frame frame;
	enum imgsniff_pixel layout;	/* RGBA8 or RGBA16 */
	struct imgsniff_error error;	/* what drawing that frame gave */
	bool trusted;			/* every frame before it was whole */
	uint32_t rows_valid;
};

struct png_state {
	enum png_color_type color_type;
	unsigned int samples;		/* of a pixel */
	unsigned int bit_depth;
	bool interlaced;

	bool has_palette;
	unsigned int palette_size;
	uint8_t palette[256][4];	/* RGBA; past its size opaque black */
	bool has_key;			/* tRNS of gray and RGB */
	uint16_t key[3];

	struct png_metadata icc, exif, xmp;

	uint64_t actl;			/* where it is; 0: there is none */
	uint32_t frames;		/* what it says */
	uint64_t first_fctl;		/* before IDAT; 0: there is none */
	uint64_t extra_fctl;		/* another one */
	bool animation;			/* frames can be stepped through */

	struct png_frame first;
	struct png_frame current;
	struct png_canvas canvas;

	uint64_t idat;			/* the first; 0: not met yet */
	uint64_t end;			/* behind the last whole chunk */
	bool walked;			/* up to IEND or the fault */
	bool has_end;			/* IEND was met */
	struct imgsniff_error fault;	/* the first of the structure */
};

/*
 * Walks on behind the first IDAT, if open() did not because only the head was
 * wanted. Fails only if reading or memory does; faults stay unsaid.
 */
enum imgsniff_status isn_png_rest_fetch(struct imgsniff_decoder *d);

/* The frame behind 'frame', in place of it: OK, END or an error. */
enum imgsniff_status isn_png_frame_next(struct imgsniff_decoder *d,
					struct png_frame *frame);

/* The inflate context kept by the decoder; NULL if memory ran out. */
struct isn_inflate *isn_png_inflate(struct imgsniff_decoder *d);

enum imgsniff_status
isn_png_metadata(struct imgsniff_decoder *d, enum imgsniff_metadata which,
		 struct imgsniff_view *view);

/* The codec's check(): in check.c. */
enum imgsniff_status isn_png_check(struct imgsniff_decoder *d);

/* How the pixels of a frame are got. */
enum png_method {
	PNG_WHOLE,			/* all inflated at once, if that can be */
	PNG_ROWS,			/* inflated row by row */
};

/* The pixels of one frame, 'dst' of its size. Sets dst->rows_valid on failure. */
enum imgsniff_status
isn_png_pixels(struct imgsniff_decoder *d, const struct png_frame *frame,
	       struct imgsniff_pixmap *dst, enum png_method method);

/*
 * The same, row by row, of a frame that is not interlaced. Inflated at once are
 * only scanlines that take few bytes.
 */
enum imgsniff_status
isn_png_stream(struct imgsniff_decoder *d, const struct png_frame *frame,
	       struct isn_sink *sink, enum png_method method);

/*
 * The same without pixels. OK only if nothing at all is wrong with the data,
 * palette indices included; what is tolerable otherwise is ERR_UNSUPPORTED.
 */
enum imgsniff_status
isn_png_prove(struct imgsniff_decoder *d, const struct png_frame *frame);

/* Animations: the current frame, laid over those before it. */
enum imgsniff_status
isn_png_compose(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst,
		enum png_method method);

/* In backend.c. */
extern const struct isn_backend isn_png_backends[];

#endif /* ISN_CODEC_PNG_PNG_H */
