/*
 * lzw.h - the codes of a GIF frame to palette indices
 */

#ifndef ISN_CODEC_GIF_LZW_H
#define ISN_CODEC_GIF_LZW_H

#include <stddef.h>
#include <stdint.h>

/* Codes have at most 12 bits: GIF89a, Appendix F. */
#define ISN_LZW_CODE_SIZE_MAX	11

/*
 * Readable bytes behind the input, and writable ones behind the output, that a
 * decoder may touch to work in larger steps. What it leaves there means nothing.
 */
#define ISN_LZW_PAD	16
#define ISN_LZW_SLACK	64

enum isn_lzw_end {
	ISN_LZW_FULL,			/* every pixel is there */
	ISN_LZW_STOPPED,		/* the end code comes too early */
	ISN_LZW_STARVED,		/* the input ends too early */
	ISN_LZW_BROKEN,			/* a code that stands for nothing */
};

struct isn_lzw_result {
	enum isn_lzw_end end;
	size_t pixels;			/* right ones, from the start of 'out' */
	size_t used;			/* input up to the last code that was read */
};

/*
 * Decodes the joined sub-blocks 'in' until 'room' pixels are written. 'code_size'
 * is the stored minimum, 1 to ISN_LZW_CODE_SIZE_MAX. A first clear code and the
 * end code may be missing. 'room' is less than 2^32.
 */
struct isn_lzw_result isn_lzw_decode(const uint8_t *in, size_t size,
				     unsigned int code_size, uint8_t *out,
				     size_t room);

/* The same result in plain steps: what the other is compared with. */
struct isn_lzw_result isn_lzw_decode_plain(const uint8_t *in, size_t size,
					   unsigned int code_size, uint8_t *out,
					   size_t room);

#endif /* ISN_CODEC_GIF_LZW_H */
