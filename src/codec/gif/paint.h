/*
 * paint.h - palette indices to pixels of four bytes
 */

#ifndef ISN_CODEC_GIF_PAINT_H
#define ISN_CODEC_GIF_PAINT_H

#include <stddef.h>
#include <stdint.h>

struct isn_gif_paint {
	/* By index: 0 for the transparent one, opaque for all others. */
	uint8_t color[256][4];
	unsigned int transparent;	/* the index that paints nothing, or one
					   that there is not */
};

/* 'width' pixels. Those whose index is transparent stay as they are. */
void isn_gif_row_paint(uint8_t *to, const uint8_t *indices, size_t width,
		       const struct isn_gif_paint *paint);

/* The same, one by one: what the other is compared with. */
void isn_gif_row_paint_plain(uint8_t *to, const uint8_t *indices, size_t width,
			     const struct isn_gif_paint *paint);

#endif /* ISN_CODEC_GIF_PAINT_H */
