/*
 * dc.h - a JPEG at an eighth of its size, from DC coefficients alone
 */

#ifndef ISN_CODEC_JPEG_DC_H
#define ISN_CODEC_JPEG_DC_H

#include "codec/jpeg/jpeg.h"

/*
 * At an eighth of the size, is a block of component 'i' four samples, not one?
 * Where its samples are half as many both ways, they still are a pixel each, and
 * need the lowest AC coefficients.
 */
bool isn_jpeg_quartered(const struct isn_jpeg_frame *f, unsigned int i);

/*
 * Can it, and is it worth while? The walk was for pixels and found no fault.
 * That leaves sequential Huffman coding, one scan, and gray or three components
 * of which the first has the most samples.
 */
bool isn_jpeg_dc_suits(const struct isn_jpeg *j, const struct isn_jpeg_walk *w,
		       size_t size);

/*
 * Decodes to 'dst', an eighth of the frame's size, rounded up; with a sink, which
 * may be NULL, each row is given to it. False and *fault say what is wrong and
 * where: then no row was written, and none is valid.
 */
bool isn_jpeg_dc_decode(struct imgsniff_decoder *d, struct imgsniff_view bytes,
			const struct isn_jpeg_walk *w,
			struct imgsniff_pixmap *dst, struct isn_sink *sink,
			struct isn_jpeg_fault *fault);

#endif /* ISN_CODEC_JPEG_DC_H */
