/*
 * metadata.c - ICC profile, Exif and XMP, inflated where they were deflated
 */

#include <string.h>

#include "base/crc.h"
#include "codec/png/chunk.h"

static enum imgsniff_status
metadata_memory(struct imgsniff_decoder *d)
{
	return isn_fail_memory(d, "metadata: no memory left");
}

static enum imgsniff_status
metadata_damaged(struct imgsniff_decoder *d, const struct png_metadata *m,
		 const struct isn_inflate *z)
{
	uint64_t end = m->chunk + PNG_CHUNK_HEADER + m->length;

	return isn_fail(d, IMGSNIFF_ERR_CORRUPT, end - isn_inflate_left(z),
			"metadata: the compressed data are damaged");
}

/* The chunk's data and CRC in one piece, checked. */
static enum imgsniff_status
chunk_view(struct imgsniff_decoder *d, const struct png_metadata *m,
	   struct imgsniff_view *data)
{
	const size_t size = (size_t)m->length + PNG_CHUNK_AROUND;
	enum imgsniff_status st = isn_view(d, m->chunk, size, data);
	const uint8_t *p = data->data;

	if (st != IMGSNIFF_OK)
		return st;
	if (data->size < size)
		return isn_fail(d, IMGSNIFF_ERR_TRUNCATED,
				m->chunk + data->size,
				"metadata: the file ends inside it");
	if (isn_crc32(0, p + 4, (size_t)m->length + 4) !=
	    isn_load_u32be(p + PNG_CHUNK_HEADER + m->length))
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT,
				m->chunk + PNG_CHUNK_HEADER + m->length,
				"metadata: the CRC of its chunk is wrong");
	data->data += PNG_CHUNK_HEADER + m->skip;
	data->size = m->length - m->skip;
	return IMGSNIFF_OK;
}

/* How large it becomes; it is inflated twice rather than grown and copied. */
static enum imgsniff_status
inflated_size(struct imgsniff_decoder *d, const struct png_metadata *m,
	      struct isn_inflate *z, struct imgsniff_view data, uint64_t *size)
{
	enum isn_inflate_status st;
	uint8_t part[4096];
	size_t used;

	*size = 0;
	if (!isn_inflate_begin(z, &d->memory))
		return metadata_memory(d);
	isn_inflate_feed(z, data.data, data.size);
	do {
		st = isn_inflate_read(z, part, sizeof(part), &used);
		*size += used;
		if (*size > d->limits.max_metadata)
			return isn_fail(d, IMGSNIFF_ERR_LIMIT, m->chunk + 4,
					"metadata: larger than max-metadata "
					"allows");
	} while (st == ISN_INFLATE_FULL);
	if (st == ISN_INFLATE_MEMORY)
		return metadata_memory(d);
	if (st != ISN_INFLATE_END)
		return metadata_damaged(d, m, z);
	return IMGSNIFF_OK;
}

static enum imgsniff_status
metadata_inflate(struct imgsniff_decoder *d, struct png_metadata *m,
		 struct imgsniff_view data)
{
	struct isn_inflate *z = isn_png_inflate(d);
	enum imgsniff_status st;
	uint64_t size;
	uint8_t *to;

	if (z == NULL)
		return metadata_memory(d);
	st = inflated_size(d, m, z, data, &size);
	if (st != IMGSNIFF_OK)
		return st;
	to = isn_arena_alloc(&d->arena, (size_t)size + 1);
	if (to == NULL)
		return metadata_memory(d);
	m->view = (struct imgsniff_view){ to, (size_t)size };
	switch (isn_inflate_whole(z, &d->memory, data.data, data.size, to,
				  (size_t)size + 1, &m->view.size)) {
	case ISN_INFLATE_END:
		return IMGSNIFF_OK;
	case ISN_INFLATE_MEMORY:
		return metadata_memory(d);
	case ISN_INFLATE_FULL:
	case ISN_INFLATE_HUNGRY:
	case ISN_INFLATE_DAMAGED:
	case ISN_INFLATE_CHECKSUM:
		break;
	}
	return metadata_damaged(d, m, z);
}

/* A view of the caller's memory may be handed out; one of ours moves. */
static enum imgsniff_status
metadata_keep(struct imgsniff_decoder *d, struct png_metadata *m,
	      struct imgsniff_view data)
{
	uint8_t *to;

	m->view = data;
	if (d->input.memory.data != NULL)
		return IMGSNIFF_OK;
	to = isn_arena_alloc(&d->arena, data.size);
	if (to == NULL)
		return metadata_memory(d);
	memcpy(to, data.data, data.size);
	m->view.data = to;
	return IMGSNIFF_OK;
}

enum imgsniff_status
isn_png_metadata(struct imgsniff_decoder *d, enum imgsniff_metadata which,
		 struct imgsniff_view *view)
{
	struct png_state *s = d->state;
	struct png_metadata *const all[] = {
		[IMGSNIFF_ICC] = &s->icc,
		[IMGSNIFF_EXIF] = &s->exif,
		[IMGSNIFF_XMP] = &s->xmp,
	};
	struct png_metadata *m = all[which];
	struct imgsniff_view data;
	enum imgsniff_status st = IMGSNIFF_OK;

	if (m->chunk == 0)
		return IMGSNIFF_OK;
	if (!m->joined)
		st = chunk_view(d, m, &data);
	if (st == IMGSNIFF_OK && !m->joined)
		st = m->deflated ? metadata_inflate(d, m, data)
				 : metadata_keep(d, m, data);
	if (st != IMGSNIFF_OK)
		return st;
	m->joined = true;
	*view = m->view;
	return IMGSNIFF_OK;
}
