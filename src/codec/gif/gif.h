/*
 * gif.h - what the files of the GIF codec share
 */

#ifndef ISN_CODEC_GIF_GIF_H
#define ISN_CODEC_GIF_GIF_H

#include "codec.h"
#include "pixel/canvas.h"

enum isn_gif_block {
	ISN_GIF_STRAY = 0x00, ISN_GIF_EXTENSION = 0x21, ISN_GIF_IMAGE = 0x2C,
	ISN_GIF_TRAILER = 0x3B,
};

enum isn_gif_label {
	ISN_GIF_TEXT = 0x01, ISN_GIF_CONTROL = 0xF9, ISN_GIF_APPLICATION = 0xFF,
};

#define ISN_GIF_NO_INDEX	256	/* no index of the palette is transparent */

/* GIF89a, 23; 4 is an old misreading of "bit 3", 5 to 7 are not defined. */
enum isn_gif_disposal {
	ISN_GIF_KEEP,
	ISN_GIF_CLEAR,			/* to transparent, as browsers do */
	ISN_GIF_RESTORE,
};

/* An image descriptor and the graphic control before it. */
struct isn_gif_frame {
	struct isn_rect rect;		/* as stored; may reach off the canvas */
	uint64_t descriptor;		/* where that begins */
	uint64_t palette;		/* where its own colours begin, or data */
	uint64_t data;			/* where the LZW code size is */
	uint64_t end;			/* past its data; 0: not yet looked for */
	uint32_t index;
	uint16_t palette_size;		/* colours of its own; 0: the global ones */
	uint16_t transparent;		/* or ISN_GIF_NO_INDEX */
	uint16_t delay;			/* hundredths of a second */
	enum isn_gif_disposal disposal;
	bool interlaced;
	bool odd_control;		/* of another size than 4 */
};

/* Data of an application extension. */
struct isn_gif_chunk {
	uint64_t start;			/* of the first sub-block; 0: none */
	uint64_t end;			/* past the last */
	uint64_t size;			/* of the data in them */
	bool bare;			/* 'size' bytes in one piece: XMP */
	const uint8_t *joined;		/* once asked for */
};

/* What has been laid on the canvas so far. */
struct isn_gif_drawn {
	struct isn_gif_frame frame;	/* the last one, not disposed of yet */
	uint32_t count;
	enum imgsniff_status status;	/* what drawing the last one said */
	struct imgsniff_error error;
	uint32_t rows_valid;
};

struct isn_gif {
	struct isn_gif_frame first;
	struct isn_gif_frame frame;	/* the current one */
	struct isn_gif_drawn drawn;
	struct isn_gif_chunk icc;
	struct isn_gif_chunk xmp;
	uint64_t end;			/* past the trailer; 0: none met */
	uint16_t stored_width;		/* of the logical screen */
	uint16_t stored_height;
	uint16_t palette_size;
	uint8_t palette[256 * 3];	/* the global one */
	uint8_t background;		/* an index; painted by nobody */
	bool opened;			/* facts are complete: only step now */
	bool colored;			/* a palette has more than grays */
	bool clears;			/* a frame may uncover the canvas */
};

/* Colours in the table that the flags of a screen or an image announce; or 0. */
unsigned int isn_gif_palette_size(unsigned int flags);

/* check.c: the codec's check(). */
enum imgsniff_status isn_gif_check(struct imgsniff_decoder *d);

/* Moves 'f' on to the next frame: OK, END or an error, which leaves it. */
enum imgsniff_status
isn_gif_frame_next(struct imgsniff_decoder *d, struct isn_gif_frame *f);

/* Finds f->end. Where the input ends first, that is the error. */
enum imgsniff_status
isn_gif_frame_measure(struct imgsniff_decoder *d, struct isn_gif_frame *f);

/* Joins the sub-blocks that 'from' begins with; returns how many bytes. */
size_t isn_gif_gather(uint8_t *to, struct imgsniff_view from);

/* A frame's indices, from the LZW decoder, and what they stand for. */
struct isn_gif_indices {
	const uint8_t *data;		/* rows in the order of the file */
	size_t count;			/* those that are there */
	unsigned int palette_size;
	uint8_t palette[256 * 3];
};

/*
 * Decodes the indices of 'f' into scratch. After an error of the data 'indices'
 * has as many as there are, after any other it is unset.
 */
enum imgsniff_status
isn_gif_indices(struct imgsniff_decoder *d, struct isn_gif_frame *f,
		struct isn_gif_indices *indices);

/* The current frame, by our own decoder. */
enum imgsniff_status
isn_gif_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst);

enum imgsniff_status
isn_gif_decode_rows(struct imgsniff_decoder *d, struct isn_sink *sink);

/* The same by stb_image, where it is known to agree. */
enum imgsniff_status
isn_gif_decode_stb(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst);

#endif /* ISN_CODEC_GIF_GIF_H */
