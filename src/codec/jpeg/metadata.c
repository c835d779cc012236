/*
 * metadata.c - a JPEG's Exif, XMP and ICC profile, as one run of bytes each
 */

#include <string.h>

#include "codec/jpeg/jpeg.h"

/* 0 unless all parts are there, each once: what is left then is no profile. */
uint64_t
isn_jpeg_icc_size(const struct isn_jpeg_icc *icc)
{
	uint64_t total = 0;

	if (icc == NULL || icc->bad || icc->found != icc->count)
		return 0;
	for (unsigned int i = 0; i < icc->count; i++)
		total += icc->size[i];
	return total;
}

/* 'size' bytes at 'offset', which were there when the image was opened. */
static enum imgsniff_status
piece_view(struct imgsniff_decoder *d, uint64_t offset, size_t size,
	   struct imgsniff_view *view)
{
	enum imgsniff_status st = isn_view(d, offset, size, view);

	if (st == IMGSNIFF_OK && view->size < size)
		st = isn_fail(d, IMGSNIFF_ERR_TRUNCATED, offset + view->size,
			      "metadata: the file has become shorter");
	return st;
}

/* Room in the arena for 'size' bytes of metadata, or NULL and an error. */
static uint8_t *
room_make(struct imgsniff_decoder *d, uint64_t size)
{
	uint8_t *room = NULL;

	if (size > d->limits.max_metadata)
		isn_fail(d, IMGSNIFF_ERR_LIMIT, IMGSNIFF_NO_OFFSET,
			 "metadata: larger than max-metadata allows");
	else if ((room = isn_arena_alloc(&d->arena, (size_t)size)) == NULL)
		isn_fail_memory(d, "metadata: no memory left");
	return room;
}

/* Memory of the caller's stays put; anything else is copied, once. */
static enum imgsniff_status
piece_get(struct imgsniff_decoder *d, const struct isn_jpeg_piece *piece,
	  struct imgsniff_view *copied, struct imgsniff_view *view)
{
	size_t size = (size_t)piece->size;
	enum imgsniff_status st;
	uint8_t *to;

	if (copied->data != NULL || size == 0) {
		if (size != 0)
			*view = *copied;
		return IMGSNIFF_OK;
	}
	if (d->input.memory.data != NULL &&
	    piece->size <= d->limits.max_metadata)
		return piece_view(d, piece->offset, size, view);
	to = room_make(d, piece->size);
	if (to == NULL)
		return d->error.status;
	st = piece_view(d, piece->offset, size, view);
	if (st != IMGSNIFF_OK)
		return st;
	memcpy(to, view->data, size);
	*copied = *view = (struct imgsniff_view){ to, size };
	return IMGSNIFF_OK;
}

static enum imgsniff_status
icc_join(struct imgsniff_decoder *d, const struct isn_jpeg_icc *icc,
	 struct imgsniff_view *joined)
{
	uint64_t total = isn_jpeg_icc_size(icc);
	uint8_t *to = room_make(d, total);
	size_t used = 0;

	if (to == NULL)
		return d->error.status;
	for (unsigned int i = 0; i < icc->count; i++) {
		struct imgsniff_view part;
		enum imgsniff_status st;

		st = piece_view(d, icc->offset[i], icc->size[i], &part);
		if (st != IMGSNIFF_OK)
			return st;
		memcpy(to + used, part.data, part.size);
		used += part.size;
	}
	*joined = (struct imgsniff_view){ to, used };
	return IMGSNIFF_OK;
}

static enum imgsniff_status
icc_get(struct imgsniff_decoder *d, struct isn_jpeg *j,
	struct imgsniff_view *view)
{
	enum imgsniff_status st;

	if (isn_jpeg_icc_size(j->icc) == 0)
		return IMGSNIFF_OK;
	if (j->icc->count == 1)
		return piece_get(d, &(struct isn_jpeg_piece){
			j->icc->offset[0], j->icc->size[0] },
			&j->joined_icc, view);
	if (j->joined_icc.data == NULL) {
		st = icc_join(d, j->icc, &j->joined_icc);
		if (st != IMGSNIFF_OK)
			return st;
	}
	*view = j->joined_icc;
	return IMGSNIFF_OK;
}

enum imgsniff_status
isn_jpeg_metadata(struct imgsniff_decoder *d, enum imgsniff_metadata which,
		  struct imgsniff_view *view)
{
	struct isn_jpeg *j = d->state;

	switch (which) {
	case IMGSNIFF_ICC:
		return icc_get(d, j, view);
	case IMGSNIFF_EXIF:
		return piece_get(d, &j->exif, &j->copied_exif, view);
	case IMGSNIFF_XMP:
		return piece_get(d, &j->xmp, &j->copied_xmp, view);
	}
	return IMGSNIFF_OK;
}
