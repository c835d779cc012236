/*
 * expand.h - samples that stand for something: palette indices, few bits, the
 * colour that is transparent
 */

#ifndef ISN_CODEC_PNG_EXPAND_H
#define ISN_CODEC_PNG_EXPAND_H

#include "codec/png/png.h"

/* Samples of 1, 2 or 4 bits, the high bits first (7.2), a byte each. */
void isn_png_samples_unpack(uint8_t *to, const uint8_t *from, uint32_t width,
			    unsigned int bits);

/*
 * For images of one sample of up to 8 bits: the pixels that each byte stands for,
 * 8 / bit_depth of them. 'table' has 256 times isn_png_table_step() bytes.
 */
size_t isn_png_table_step(const struct png_state *s,
			  enum imgsniff_pixel layout);
void isn_png_table_fill(uint8_t *table, const struct png_state *s,
			enum imgsniff_pixel layout);
void isn_png_table_apply(uint8_t *to, const uint8_t *table, size_t step,
			 const uint8_t *line, uint32_t width, size_t pixel);

/* Adds alpha: 0 where the pixel is the one that tRNS names, at full depth. */
void isn_png_key_add(uint8_t *to, const uint8_t *from, uint32_t width,
		     const struct png_state *s);

/* The same for RGB of 8 bits that has become RGBA or BGRA already. */
void isn_png_key_clear(uint8_t *pixels, enum imgsniff_pixel layout,
		       uint32_t width, const struct png_state *s);

#endif /* ISN_CODEC_PNG_EXPAND_H */
