/*
 * stb.h - stb_image, the portable second backend of JPEG, PNG and GIF
 *
 * Its faults are public, so it only ever sees what a parser of ours has proved:
 * see the codec's own stb backend.
 */

#ifndef ISN_CODEC_STB_STB_H
#define ISN_CODEC_STB_STB_H

#include "codec.h"

/*
 * Decodes the still image, or the first frame, in 'bytes' to dst->layout. All of
 * its memory comes from the decoder's and counts against max_memory.
 */
enum imgsniff_status
isn_stb_decode(struct imgsniff_decoder *d, struct imgsniff_view bytes,
	       struct imgsniff_pixmap *dst);

#endif /* ISN_CODEC_STB_STB_H */
