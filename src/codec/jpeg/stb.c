/*
 * stb.c - a JPEG's pixels by stb_image, once all of it is proved
 *
 * stb_image takes much for granted and notices little. What it is not known to
 * do right is not asked of it.
 */

#include "codec/jpeg/jpeg.h"
#include "codec/stb/stb.h"

static bool
ids_differ(const struct isn_jpeg_frame *f)
{
	for (int i = 0; i < f->count; i++)
		for (int k = 0; k < i; k++)
			if (f->components[i].id == f->components[k].id)
				return false;
	return true;
}

/* Does it take the components for the colours that they are? */
static bool
color_agrees(const struct isn_jpeg *j, enum imgsniff_color color)
{
	const struct isn_jpeg_component *c = j->frame.components;
	bool rgb = (c[0].id == 'R' && c[1].id == 'G' && c[2].id == 'B') ||
		   (j->adobe && j->adobe_transform == 0 && !j->jfif);

	if (j->frame.count == 1)
		return true;
	if (j->odd_marker)
		return false;
	if (j->frame.count == 3)
		return rgb == (color == IMGSNIFF_COLOR_RGB);
	return j->adobe && (j->adobe_transform == 0 || j->adobe_transform == 2);
}

static enum imgsniff_status
unsupported(struct imgsniff_decoder *d, const char *message)
{
	return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, IMGSNIFF_NO_OFFSET,
			message);
}

static enum imgsniff_status
structure_prove(struct imgsniff_decoder *d, struct imgsniff_view bytes)
{
	const struct isn_jpeg *j = d->state;
	struct isn_jpeg_walk w;

	isn_jpeg_walk(d, bytes, false, &w);
	if (w.fault.status != IMGSNIFF_OK)
		return isn_jpeg_fail(d, &w.fault, bytes.size);
	/* It takes zeros for what is missing, without a word. */
	if (!w.eoi) {
		isn_jpeg_fault(&w.fault, IMGSNIFF_ERR_TRUNCATED, bytes.size,
			       "EOI: the file ends before it");
		return isn_jpeg_fail(d, &w.fault, bytes.size);
	}
	if (w.frame.width != d->info.width || w.frame.height != d->info.height)
		return isn_fail(d, IMGSNIFF_ERR_CORRUPT, IMGSNIFF_NO_OFFSET,
				"SOF: has changed since it was opened");
	if (w.frame.process & JPEG_ARITHMETIC)
		return unsupported(d, "SOF: stb_image has no arithmetic coding");
	if (w.standard_tables || w.full_table)
		return unsupported(d, "DHT: stb_image cannot use these tables");
	if (w.odd_scan || w.odd_segment || w.junk > 0 ||
	    !ids_differ(&w.frame))
		return unsupported(d, "JPEG: too unusual for stb_image");
	if (!color_agrees(j, d->info.color))
		return unsupported(d, "SOF: colours that stb_image mistakes");
	return IMGSNIFF_OK;
}

enum imgsniff_status
isn_jpeg_stb_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	struct imgsniff_view bytes;
	enum imgsniff_status st = isn_view(d, 0, SIZE_MAX, &bytes);

	if (st == IMGSNIFF_OK && d->inks)
		st = unsupported(d, "SOF: stb_image does not give the inks");
	if (st == IMGSNIFF_OK)
		st = structure_prove(d, bytes);
	return st == IMGSNIFF_OK ? isn_stb_decode(d, bytes, dst) : st;
}
