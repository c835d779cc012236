/*
 * chunk.h - from chunk to chunk, reading no more of each than is asked for
 */

#ifndef ISN_CODEC_PNG_CHUNK_H
#define ISN_CODEC_PNG_CHUNK_H

#include "codec/png/png.h"

struct png_chunk {
	uint64_t at;			/* of its length field */
	uint32_t length;		/* of its data */
	uint32_t type;
};

static inline uint64_t
isn_png_chunk_data(const struct png_chunk *c)
{
	return c->at + PNG_CHUNK_HEADER;
}

static inline uint64_t
isn_png_chunk_crc(const struct png_chunk *c)
{
	return isn_png_chunk_data(c) + c->length;
}

/* The header of the chunk at 'at'; d->in then stands at its data. */
enum imgsniff_status
isn_png_chunk_read(struct imgsniff_decoder *d, uint64_t at,
		   struct png_chunk *c);

/* Is all of it there? Sets *next to the offset behind it. */
enum imgsniff_status
isn_png_chunk_end(struct imgsniff_decoder *d, const struct png_chunk *c,
		  uint64_t *next);

/*
 * All data of a small chunk, valid until the next read, and whether its CRC is
 * right; NULL when the input ends first: see isn_png_chunk_cut().
 */
const uint8_t *
isn_png_chunk_load(struct imgsniff_decoder *d, const struct png_chunk *c,
		   bool *crc_right);

/* The error to return when the input ends inside the chunk. */
enum imgsniff_status
isn_png_chunk_cut(struct imgsniff_decoder *d, const struct png_chunk *c);

/* Records a fault that the walk can go on behind; only the first is kept. */
void isn_png_fault(struct imgsniff_decoder *d, enum imgsniff_status status,
		   uint64_t offset, const char *message);

/* What a chunk tells, while open() walks; later nothing. In parse.c. */
enum imgsniff_status
isn_png_chunk_handle(struct imgsniff_decoder *d, const struct png_chunk *c);

/*
 * From the IDAT or fdAT at 'at' over all that belong to it; *next is the chunk
 * behind them. 'sequence' is used for fdATs only.
 */
enum imgsniff_status
isn_png_data_walk(struct imgsniff_decoder *d, uint64_t at, uint32_t type,
		  struct png_data *data, uint32_t *sequence, uint64_t *next);

/* The fcTL at 'at', checked; all of 'frame' but its data. In frame.c. */
enum imgsniff_status
isn_png_frame_read(struct imgsniff_decoder *d, uint64_t at,
		   struct png_frame *frame);

/* All frames that acTL promises; *next is the chunk behind them. */
enum imgsniff_status
isn_png_frames_walk(struct imgsniff_decoder *d, uint64_t *next);

/* d->frame from one of ours. */
void isn_png_frame_describe(struct imgsniff_decoder *d,
			    const struct png_frame *frame);

#endif /* ISN_CODEC_PNG_CHUNK_H */
