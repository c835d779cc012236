/*
 * row.h - one row of samples to the layout that was asked for
 */

#ifndef ISN_PIXEL_ROW_H
#define ISN_PIXEL_ROW_H

#include <imgsniff.h>

/* What decoders have in hand. 16-bit samples are big-endian, as PNG has them. */
enum isn_row {
	ISN_ROW_GRAY8,
	ISN_ROW_GRAY_ALPHA8,
	ISN_ROW_RGB8,
	ISN_ROW_RGBA8,
	ISN_ROW_GRAY16,
	ISN_ROW_GRAY_ALPHA16,
	ISN_ROW_RGB16,
	ISN_ROW_RGBA16,
};

/*
 * 'width' pixels. Missing alpha is opaque; alpha is dropped where 'layout' has
 * none; 16 bits become 8 by their high byte, 8 become 16 by repeating the byte;
 * colour becomes gray as (77 R + 150 G + 29 B + 128) >> 8 (Rec. 601, as JPEG's
 * luma). 'dst' and 'src' may not overlap.
 */
void isn_row_convert(void *dst, enum imgsniff_pixel layout, const void *src,
		     enum isn_row kind, uint32_t width);

/*
 * The same for as many pixels of the row, from its beginning, as can be done
 * without touching anything behind it; returns their number, which can be 0.
 * Only where the processor has SSSE3.
 */
uint32_t isn_row_convert_ssse3(uint8_t *dst, enum imgsniff_pixel layout,
			       const uint8_t *src, enum isn_row kind,
			       uint32_t width);

#endif /* ISN_PIXEL_ROW_H */
