/*
 * chunk.c - from chunk to chunk, reading no more of each than is asked for
 */

#include "base/crc.h"
#include "codec/png/chunk.h"

/* PNG third edition, 5.3 and 7.1: four-byte integers end at 2^31 - 1. */
#define INTEGER_MAX	INT32_MAX

/* 5.4: a type is four letters. */
static bool
type_is_letters(const uint8_t *type)
{
	for (int i = 0; i < 4; i++) {
		uint8_t lower = type[i] | 0x20;

		if (lower < 'a' || lower > 'z')
			return false;
	}
	return true;
}

enum imgsniff_status
isn_png_chunk_read(struct imgsniff_decoder *d, uint64_t at, struct png_chunk *c)
{
	struct png_state *s = d->state;
	const uint8_t *header;

	if (d->in.overrun)
		isn_reader_restart(&d->in, at);	/* by a chunk before this one */
	isn_seek(&d->in, at);
	header = isn_bytes(&d->in, PNG_CHUNK_HEADER);
	if (header == NULL) {
		if (!s->walked)
			s->end = at;
		return isn_fail_overrun(d, "chunk: the file ends before its "
					   "type");
	}
	c->at = at;
	c->length = isn_load_u32be(header);
	c->type = isn_load_u32be(header + 4);
	if (!type_is_letters(header + 4))
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, at + 4,
				"chunk: the type is not four letters");
	if (c->length > INTEGER_MAX)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, at,
				"chunk: the length is above 2^31 - 1");
	return IMGSNIFF_OK;
}

static const struct {
	uint32_t type;			/* 0: any other */
	const char *message;
} cuts[] = {
	{ PNG_IHDR, "IHDR: the file ends inside it" },
	{ PNG_PLTE, "PLTE: the file ends inside it" },
	{ PNG_TRNS, "tRNS: the file ends inside it" },
	{ PNG_IDAT, "IDAT: the file ends inside it" },
	{ PNG_IEND, "IEND: the file ends inside it" },
	{ PNG_ICCP, "iCCP: the file ends inside it" },
	{ PNG_EXIF, "eXIf: the file ends inside it" },
	{ PNG_ITXT, "iTXt: the file ends inside it" },
	{ PNG_ACTL, "acTL: the file ends inside it" },
	{ PNG_FCTL, "fcTL: the file ends inside it" },
	{ PNG_FDAT, "fdAT: the file ends inside it" },
	{ 0, "chunk: the file ends inside it" },
};

enum imgsniff_status
isn_png_chunk_cut(struct imgsniff_decoder *d, const struct png_chunk *c)
{
	size_t i = 0;

	while (cuts[i].type != 0 && cuts[i].type != c->type)
		i++;
	return isn_fail_overrun(d, cuts[i].message);
}

enum imgsniff_status
isn_png_chunk_end(struct imgsniff_decoder *d, const struct png_chunk *c,
		  uint64_t *next)
{
	isn_seek(&d->in, isn_png_chunk_crc(c));
	isn_u32be(&d->in);
	if (d->in.overrun)
		return isn_png_chunk_cut(d, c);
	*next = c->at + PNG_CHUNK_AROUND + c->length;
	return IMGSNIFF_OK;
}

const uint8_t *
isn_png_chunk_load(struct imgsniff_decoder *d, const struct png_chunk *c,
		   bool *crc_right)
{
	const uint8_t *data;
	uint8_t type[4];
	uint32_t crc;

	isn_seek(&d->in, isn_png_chunk_data(c));
	data = isn_bytes(&d->in, (size_t)c->length + 4);
	if (data == NULL)
		return NULL;
	for (int i = 0; i < 4; i++)
		type[i] = (uint8_t)(c->type >> (24 - 8 * i));
	crc = isn_crc32(isn_crc32(0, type, 4), data, c->length);
	*crc_right = crc == isn_load_u32be(data + c->length);
	return data;
}

void
isn_png_fault(struct imgsniff_decoder *d, enum imgsniff_status status,
	      uint64_t offset, const char *message)
{
	struct png_state *s = d->state;

	if (s->fault.status != IMGSNIFF_OK)
		return;
	isn_fail(d, status, offset, message);
	s->fault = d->error;
}

/* The input ends inside 'c', the last chunk of 'data': what is there counts. */
static enum imgsniff_status
data_cut(struct imgsniff_decoder *d, const struct png_chunk *c,
	 struct png_data *data)
{
	struct png_state *s = d->state;
	enum imgsniff_status st = isn_png_chunk_cut(d, c);

	if (st != IMGSNIFF_ERR_TRUNCATED && st != IMGSNIFF_MORE)
		return st;
	if (s->fault.status == IMGSNIFF_OK)
		s->fault = d->error;
	data->cut = true;
	data->chunks++;
	data->end = UINT64_MAX;
	return IMGSNIFF_OK;
}

/* An fdAT begins with a sequence number, which is no part of the stream. */
static enum imgsniff_status
sequence_check(struct imgsniff_decoder *d, const struct png_chunk *c,
	       uint32_t *sequence)
{
	uint32_t number;

	if (c->length < 4)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, c->at,
				"fdAT: no room for a sequence number");
	number = isn_u32be(&d->in);
	if (d->in.overrun)
		return IMGSNIFF_OK;	/* as any other cut: see data_chunk() */
	if (number != (*sequence)++)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, isn_png_chunk_data(c),
				"fdAT: sequence number out of order");
	return IMGSNIFF_OK;
}

/* One chunk of the stream. */
static enum imgsniff_status
data_chunk(struct imgsniff_decoder *d, const struct png_chunk *c,
	   struct png_data *data, uint32_t *sequence, uint64_t *next)
{
	enum imgsniff_status st = IMGSNIFF_OK;

	if (c->type == PNG_FDAT)
		st = sequence_check(d, c, sequence);
	if (st != IMGSNIFF_OK)
		return st;
	if (isn_png_chunk_end(d, c, next) != IMGSNIFF_OK)
		return data_cut(d, c, data);
	data->chunks++;
	data->bytes += c->length - (c->type == PNG_FDAT ? 4 : 0);
	data->end = *next;
	return IMGSNIFF_OK;
}

/* Is there another chunk? Between fdATs others may stand, which are passed. */
static bool
data_goes_on(struct imgsniff_decoder *d, uint32_t type, struct png_chunk *c,
	     uint64_t *next)
{
	for (;;) {
		isn_seek(&d->in, *next);
		if (isn_at_end(&d->in) ||
		    isn_png_chunk_read(d, *next, c) != IMGSNIFF_OK)
			return false;
		if (c->type == type)
			return true;
		if (type == PNG_IDAT || c->type == PNG_FCTL ||
		    c->type == PNG_IEND)
			return false;
		if (isn_png_chunk_handle(d, c) != IMGSNIFF_OK ||
		    isn_png_chunk_end(d, c, next) != IMGSNIFF_OK)
			return false;
	}
}

enum imgsniff_status
isn_png_data_walk(struct imgsniff_decoder *d, uint64_t at, uint32_t type,
		  struct png_data *data, uint32_t *sequence, uint64_t *next)
{
	enum imgsniff_status st = IMGSNIFF_OK;
	struct png_chunk c = { 0, 0, 0 };

	*data = (struct png_data){ .type = type, .at = at, .end = at };
	*next = at;
	/* What is wrong with the chunk behind is for who goes on there to tell. */
	while (st == IMGSNIFF_OK && !data->cut &&
	       data_goes_on(d, type, &c, next))
		st = data_chunk(d, &c, data, sequence, next);
	return st;
}
