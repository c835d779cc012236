/*
 * check.c - a JPEG's markers to the last: what is odd but harms no pixel
 *
 * The walk proves the structure and the decoder the data; what they find is
 * damage. They overlook what other programs overlook, and what comes after the
 * last row: that is found here, on a second way from marker to marker.
 */

#include "codec/jpeg/jpeg.h"

static void
tolerate(struct imgsniff_decoder *d, uint64_t offset, const char *message)
{
	isn_fault(d, IMGSNIFF_OK, offset, message);
}

/*
 * B.2.3: a sequential scan has all coefficients, with all their bits. 'w' knows
 * of one that has not, but not which.
 */
static void
scan_check(struct imgsniff_decoder *d, const struct isn_jpeg_segment *s)
{
	const uint8_t *p;

	if (s->size < 3)
		return;
	isn_seek(&d->in, s->start + s->size - 3);
	p = isn_bytes(&d->in, 3);
	if (p != NULL && (p[0] != 0 || p[1] != 63 || p[2] != 0))
		tolerate(d, s->start + s->size - 3,
			 "SOS: not for all coefficients, as it should be");
}

static void
segment_check(struct imgsniff_decoder *d, const struct isn_jpeg_walk *w,
	      const struct isn_jpeg_segment *s)
{
	const struct isn_jpeg *j = d->state;

	if (s->junk > 0)
		tolerate(d, s->offset - s->junk,
			 "marker: other bytes before it");
	if (s->short_length)
		tolerate(d, s->start - 2, "segment: its length is below 2");
	if (s->code == JPEG_TEM ||
	    (s->code >= JPEG_RST0 && s->code <= JPEG_RST7))
		tolerate(d, s->offset, "marker: it is not inside a scan");
	if (s->code == JPEG_DNL && !j->delayed_height)
		tolerate(d, s->offset, "DNL: the height is known already");
	if (s->code == JPEG_SOS && w->odd_scan)
		scan_check(d, s);
}

/* The end is found this way, whatever the scans and tables are like. */
static void
markers_check(struct imgsniff_decoder *d, const struct isn_jpeg_walk *w)
{
	struct isn_jpeg_fault fault;
	struct isn_jpeg_segment s;

	isn_reader_restart(&d->in, 2);
	do {
		if (!isn_jpeg_next(&d->in, &s, &fault) ||
		    !isn_jpeg_pass(&d->in, &s, &fault))
			return;
		segment_check(d, w, &s);
		if (s.code == JPEG_EOI) {
			d->check->end = s.offset + 2;
			return;
		}
		isn_seek(&d->in, s.start + s.size);
	} while (s.code != JPEG_SOS || isn_jpeg_pass_scan(&d->in));
}

/* The Adobe marker's transforms: none, YCbCr, YCCK. */
static bool
adobe_fits(const struct isn_jpeg *j)
{
	if (!j->adobe || j->adobe_transform == 0)
		return true;
	return j->frame.count == 3 ? j->adobe_transform == 1
	     : j->frame.count == 4 ? j->adobe_transform == 2 : true;
}

/* What holds for the whole, where nothing worse was found. */
static void
image_check(struct imgsniff_decoder *d, const struct isn_jpeg_walk *w,
	    size_t size)
{
	const struct isn_jpeg *j = d->state;

	if (!w->eoi) {
		tolerate(d, size, "EOI: it is missing");
		d->check->end = size;
	} else if (!w->complete) {
		tolerate(d, w->end - 2,
			 "EOI: the progression stops before its last bits");
	}
	if (w->standard_tables)
		tolerate(d, w->first_scan,
			 "SOS: a Huffman table is missing, the usual one is "
			 "meant");
	if (!adobe_fits(j))
		tolerate(d, w->frame.offset,
			 "Adobe: its transform is not for these components");
	if (j->icc != NULL && (j->icc->bad || j->icc->found < j->icc->count))
		tolerate(d, w->frame.offset,
			 "ICC: the parts of the profile are not complete");
}

enum imgsniff_status
isn_jpeg_check(struct imgsniff_decoder *d)
{
	struct imgsniff_view bytes;
	struct isn_jpeg_walk w;
	enum imgsniff_status st = isn_view(d, 0, SIZE_MAX, &bytes);

	if (st != IMGSNIFF_OK)
		return st;
	isn_jpeg_walk(d, bytes, false, &w);
	markers_check(d, &w);
	if (d->in.io_error != 0)
		return isn_fail_overrun(d, "JPEG: the file ends inside it");
	if (w.fault.status == IMGSNIFF_OK)
		image_check(d, &w, bytes.size);
	else
		st = isn_jpeg_fail(d, &w.fault, bytes.size);
	return isn_fault_from_error(d, st);
}
