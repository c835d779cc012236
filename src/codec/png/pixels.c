/*
 * pixels.c - the pixels of one frame, out of its IDATs or fdATs
 *
 * The fast way inflates all scanlines at once, straight from the input where one
 * chunk holds them all. Where that does not come out even, be it that the data
 * are damaged or that memory is short, it is done again scanline by scanline:
 * what comes before a fault is right, and the fault gets an offset.
 */

#include <string.h>

#include "base/crc.h"
#include "codec/png/rows.h"
#include "codec/png/unfilter.h"

/* All messages twice, the second time for fdAT. */
struct messages {
	const char *none, *ends, *short_stream, *damaged, *checksum, *crc,
		*filter, *memory, *extra, *index;
};

static const struct messages messages[2] = {
#define MESSAGES(part) {						\
	.none = part ": there is none",					\
	.ends = part ": the data end before the last row",		\
	.short_stream = part ": the zlib stream ends before the last row", \
	.damaged = part ": the compressed data are damaged",		\
	.checksum = part ": the Adler-32 of the zlib stream is wrong",	\
	.crc = part ": the CRC is wrong",				\
	.filter = part ": no such filter type",				\
	.memory = part ": no memory left to inflate it",		\
	.extra = part ": not exactly what the rows need",		\
	.index = part ": a palette index is past PLTE",			\
}
	MESSAGES("IDAT"), MESSAGES("fdAT"),
#undef MESSAGES
};

/*
 * More than this is not inflated at once where row by row will do. Row by row
 * takes 1.25 to 1.6 times as long, as it is zlib that inflates; what is below
 * this, 12 million pixels RGBA, is what cameras and screens give and is worth
 * the memory: 106 against 169 ms for 12 million pixels RGB, with 50 MB more.
 */
#define WHOLE_MAX	((size_t)48 << 20)

struct job {
	struct imgsniff_decoder *d;
	const struct png_data *data;
	const struct messages *say;
	struct isn_inflate *inflate;
	struct png_rows rows;

	struct imgsniff_view view;	/* from data->at on */
	size_t next;			/* chunk in 'view' */
	size_t fed;			/* end of the piece at hand */
	uint64_t bad_crc;		/* first one's offset; 0: all right */
	bool uneven;			/* tolerable, but not as it should be */
};

static void
inflate_release(struct imgsniff_decoder *d, void *data)
{
	isn_inflate_release(data, &d->memory);
}

struct isn_inflate *
isn_png_inflate(struct imgsniff_decoder *d)
{
	return isn_kept(d, ISN_KEPT_INFLATE, sizeof(struct isn_inflate),
			inflate_release);
}

static enum imgsniff_status
job_memory(struct job *j)
{
	return isn_fail_memory(j->d, j->say->memory);
}

static enum imgsniff_status
job_corrupt(struct job *j, size_t at, const char *message)
{
	return isn_fail(j->d, IMGSNIFF_ERR_CORRUPT, j->data->at + at, message);
}

/* ---- Pieces of the stream ------------------------------------------------ */

static void
pieces_rewind(struct job *j)
{
	j->next = j->fed = 0;
	j->bad_crc = 0;
}

/*
 * The next piece of the stream, and its CRC checked. The walk saw these chunks,
 * but a file may have changed since: nothing is taken for granted.
 */
static bool
piece_next(struct job *j, const uint8_t **piece, size_t *size)
{
	const size_t skip = j->data->type == PNG_FDAT ? 4 : 0;

	while (j->view.size - j->next > PNG_CHUNK_HEADER) {
		const uint8_t *chunk = j->view.data + j->next;
		size_t left = j->view.size - j->next - PNG_CHUNK_HEADER;
		size_t length = isn_load_u32be(chunk);
		size_t behind = left > length ? left - length : 0;

		if (length > left)
			length = left;
		chunk += PNG_CHUNK_HEADER;
		j->fed = j->next + PNG_CHUNK_HEADER + length;
		j->next = behind > 4 ? j->fed + 4 : j->view.size;
		if (isn_load_u32be(chunk - 4) != j->data->type || length < skip)
			continue;
		if (behind >= 4 && j->bad_crc == 0 &&
		    isn_crc32(0, chunk - 4, length + 4) !=
			    isn_load_u32be(chunk + length))
			j->bad_crc = j->data->at + j->fed;
		*piece = chunk + skip;
		*size = length - skip;
		return true;
	}
	return false;
}

/* Where the input that inflate has taken ends, from data->at on. */
static size_t
input_place(const struct job *j)
{
	return j->fed - isn_inflate_left(j->inflate);
}

/* What is left when all rows are there: data that no row needs, their CRCs. */
static enum imgsniff_status
crc_finish(struct job *j)
{
	const uint8_t *piece;
	size_t size;

	while (piece_next(j, &piece, &size))
		j->uneven |= size > 0;
	if (j->bad_crc != 0)
		return isn_fail(j->d, IMGSNIFF_ERR_CORRUPT, j->bad_crc,
				j->say->crc);
	return IMGSNIFF_OK;
}

/* ---- All at once --------------------------------------------------------- */

/* How the fast way ends. */
enum whole {
	WHOLE_DONE,
	WHOLE_UNEVEN,			/* row by row tells what is wrong */
	WHOLE_MEMORY,			/* none left, not even for the other */
};

/* Over the limit the other way may still be under it, and needs none of this. */
static enum whole
whole_memory(struct job *j)
{
	struct isn_memory *m = &j->d->memory;

	if (!m->over_limit)
		return WHOLE_MEMORY;
	isn_scratch_free(m, &j->d->scratch[ISN_SCRATCH_RAW]);
	isn_scratch_free(m, &j->d->scratch[ISN_SCRATCH_GATHER]);
	isn_scratch_free(m, &j->d->scratch[ISN_SCRATCH_ROW]);
	isn_inflate_release(j->inflate, m);
	return WHOLE_UNEVEN;
}

/* The stream of several chunks, joined. */
static enum whole
pieces_gather(struct job *j, const uint8_t **stream, size_t *size)
{
	const uint8_t *piece;
	size_t length, room = (size_t)j->data->bytes;
	uint8_t *to;

	if (j->data->bytes > j->view.size)
		return WHOLE_UNEVEN;
	*stream = to = isn_scratch(j->d, ISN_SCRATCH_GATHER, room);
	if (to == NULL)
		return whole_memory(j);
	*size = 0;
	while (piece_next(j, &piece, &length)) {
		if (length > room - *size)
			return WHOLE_UNEVEN;
		memcpy(to + *size, piece, length);
		*size += length;
	}
	return WHOLE_DONE;
}

static enum whole
whole_inflate(struct job *j, uint8_t *raw, size_t size)
{
	const uint8_t *stream = NULL;
	size_t length = 0, used;
	enum whole got = WHOLE_UNEVEN;

	if (j->data->chunks > 1)
		got = pieces_gather(j, &stream, &length);
	else if (piece_next(j, &stream, &length))
		got = WHOLE_DONE;	/* it lies in the input as it is */
	if (got != WHOLE_DONE)
		return got;
	switch (isn_inflate_whole(j->inflate, &j->d->memory, stream, length,
				  raw, size, &used)) {
	case ISN_INFLATE_END:
		j->uneven = j->inflate->behind > 0;
		return used == size ? WHOLE_DONE : WHOLE_UNEVEN;
	case ISN_INFLATE_MEMORY:
		return whole_memory(j);
	case ISN_INFLATE_FULL:
	case ISN_INFLATE_HUNGRY:
	case ISN_INFLATE_DAMAGED:
	case ISN_INFLATE_CHECKSUM:
		break;
	}
	return WHOLE_UNEVEN;
}

static enum whole
whole_decode(struct job *j)
{
	size_t size, room;
	uint8_t *raw;
	enum whole got;

	if (j->data->cut || !isn_png_rows_size(&j->rows, &size) ||
	    !isn_size_add(size, PNG_ROW_SLACK, &room))
		return WHOLE_UNEVEN;
	raw = isn_scratch(j->d, ISN_SCRATCH_RAW, room);
	if (raw == NULL)
		return whole_memory(j);
	got = whole_inflate(j, raw, size);
	if (got == WHOLE_DONE && !isn_png_rows_take_all(&j->rows, raw))
		return WHOLE_UNEVEN;
	return got;
}

/* ---- Row by row ---------------------------------------------------------- */

/* 'size' bytes, however many pieces they take; fewer with any other status. */
static enum isn_inflate_status
stream_read(struct job *j, uint8_t *to, size_t size)
{
	enum isn_inflate_status st = ISN_INFLATE_FULL;
	const uint8_t *piece;
	size_t got = 0, used, length;

	while (got < size) {
		st = isn_inflate_read(j->inflate, to + got, size - got, &used);
		got += used;
		if (st == ISN_INFLATE_HUNGRY && got < size) {
			if (!piece_next(j, &piece, &length))
				break;
			isn_inflate_feed(j->inflate, piece, length);
		} else if (st != ISN_INFLATE_FULL) {
			break;
		}
	}
	/* A fault behind the last byte is met again by the next read. */
	return got == size ? ISN_INFLATE_FULL : st;
}

/* Does the file end where the data do, so that it is no fault inside of it? */
static bool
input_is_short(const struct job *j)
{
	const struct png_state *s = j->d->state;

	return j->data->cut || (!s->has_end && j->data->end == s->end);
}

static enum imgsniff_status
stream_fail(struct job *j, enum isn_inflate_status st)
{
	switch (st) {
	case ISN_INFLATE_HUNGRY:
	case ISN_INFLATE_FULL:
		if (!input_is_short(j))
			return job_corrupt(j, j->view.size, j->say->ends);
		return isn_fail(j->d, j->d->flags & IMGSNIFF_PARTIAL
				? IMGSNIFF_MORE : IMGSNIFF_ERR_TRUNCATED,
				j->data->at + j->view.size, j->say->ends);
	case ISN_INFLATE_END:
		return job_corrupt(j, input_place(j), j->say->short_stream);
	case ISN_INFLATE_CHECKSUM:
		return job_corrupt(j, input_place(j), j->say->checksum);
	case ISN_INFLATE_DAMAGED:
		return job_corrupt(j, input_place(j), j->say->damaged);
	case ISN_INFLATE_MEMORY:
		break;
	}
	return job_memory(j);
}

/*
 * Every row is there. More data than rows is tolerable, and so is a stream that
 * stops without its end or checksum; one that goes wrong is not.
 */
static enum imgsniff_status
stream_finish(struct job *j)
{
	uint8_t extra;
	enum isn_inflate_status st = stream_read(j, &extra, 1);

	j->uneven = st != ISN_INFLATE_END || isn_inflate_left(j->inflate) > 0;
	if (st == ISN_INFLATE_CHECKSUM || st == ISN_INFLATE_DAMAGED ||
	    st == ISN_INFLATE_MEMORY)
		return stream_fail(j, st);
	return crc_finish(j);
}

static enum imgsniff_status
rows_decode(struct job *j)
{
	unsigned int turn = 0;

	if (!isn_inflate_begin(j->inflate, &j->d->memory))
		return job_memory(j);
	for (; isn_png_rows_more(&j->rows); turn ^= 1) {
		uint8_t *line = j->rows.lines[turn];
		enum isn_inflate_status st;

		st = stream_read(j, line, j->rows.line + 1);
		if (st != ISN_INFLATE_FULL)
			return stream_fail(j, st);
		if (!isn_png_rows_take(&j->rows, line))
			return job_corrupt(j, input_place(j), j->say->filter);
	}
	return stream_finish(j);
}

/* ---- Both ---------------------------------------------------------------- */

static enum imgsniff_status
job_view(struct job *j)
{
	uint64_t size = j->data->end - j->data->at;
	enum imgsniff_status st;

	if (j->data->cut || size > SIZE_MAX)
		size = SIZE_MAX;
	st = isn_view(j->d, j->data->at, (size_t)size, &j->view);
	pieces_rewind(j);
	return st;
}

static enum imgsniff_status
job_begin(struct job *j, const struct png_frame *frame,
	  const struct imgsniff_pixmap *dst, enum png_method method)
{
	struct imgsniff_decoder *d = j->d;

	j->data = &frame->data;
	j->say = &messages[frame->data.type == PNG_FDAT];
	if (j->data->chunks == 0)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, IMGSNIFF_NO_OFFSET,
				j->say->none);
	j->inflate = isn_png_inflate(d);
	if (j->inflate == NULL ||
	    !isn_png_rows_begin(&j->rows, d, frame, dst, method))
		return job_memory(j);
	return job_view(j);
}

static enum imgsniff_status
job_decode(struct job *j, const struct png_frame *frame,
	   const struct imgsniff_pixmap *dst, enum png_method method)
{
	enum whole got = WHOLE_UNEVEN;

	if (method == PNG_WHOLE)
		got = whole_decode(j);
	if (got == WHOLE_DONE)
		return crc_finish(j);
	if (got == WHOLE_MEMORY)
		return job_memory(j);
	pieces_rewind(j);
	if (!isn_png_rows_begin(&j->rows, j->d, frame, dst, PNG_ROWS))
		return job_memory(j);
	return rows_decode(j);
}

static bool
job_has_odd_index(const struct job *j)
{
	const struct png_state *s = j->d->state;

	return s->has_palette && j->rows.index_max >= s->palette_size;
}

/* What is wrong with data all of whose pixels are there. */
static void
job_note(const struct job *j)
{
	if (j->d->check == NULL)
		return;
	if (j->uneven)
		isn_fault(j->d, IMGSNIFF_OK, j->data->at + 4, j->say->extra);
	if (job_has_odd_index(j))
		isn_fault(j->d, IMGSNIFF_OK, j->data->at + 4, j->say->index);
}

enum imgsniff_status
isn_png_pixels(struct imgsniff_decoder *d, const struct png_frame *frame,
	       struct imgsniff_pixmap *dst, enum png_method method)
{
	struct job j = { .d = d };
	enum imgsniff_status st = job_begin(&j, frame, dst, method);

	if (st != IMGSNIFF_OK)
		return st;
	st = job_decode(&j, frame, dst, method);
	if (st != IMGSNIFF_OK)
		dst->rows_valid = isn_png_rows_done(&j.rows);
	else
		job_note(&j);
	return st;
}

enum imgsniff_status
isn_png_stream(struct imgsniff_decoder *d, const struct png_frame *frame,
	       struct isn_sink *sink, enum png_method method)
{
	struct imgsniff_pixmap one = isn_sink_pixmap(sink);
	struct job j = { .d = d, .rows = { .sink = sink } };
	enum imgsniff_status st = job_begin(&j, frame, &one, method);
	size_t size;

	if (st != IMGSNIFF_OK)
		return st;
	if (!isn_png_rows_size(&j.rows, &size) || size > WHOLE_MAX)
		method = PNG_ROWS;
	return job_decode(&j, frame, &one, method);
}

enum imgsniff_status
isn_png_prove(struct imgsniff_decoder *d, const struct png_frame *frame)
{
	struct job j = { .d = d };
	enum imgsniff_status st = job_begin(&j, frame, NULL, PNG_ROWS);

	if (st == IMGSNIFF_OK)
		st = rows_decode(&j);
	if (st != IMGSNIFF_OK)
		return st;
	if (j.uneven)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, j.data->at + 4,
				j.say->extra);
	if (job_has_odd_index(&j))
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, j.data->at + 4,
				j.say->index);
	return IMGSNIFF_OK;
}
