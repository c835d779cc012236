/*
 * parse.c - the headers of a JPEG (ITU-T T.81, Annex B)
 *
 *	FF D8				SOI
 *	FF xx  length  parameters	segments: DQT, DHT, APPn, COM, ...
 *	FF Cx  length			SOF: the frame header
 *		precision, height, width, n,
 *		n x { id, h << 4 | v, quantisation table }
 *	FF DA  length			SOS: a scan header
 *		n, n x { id, DC << 4 | AC table }, Ss, Se, Ah << 4 | Al
 *	entropy-coded data		FF 00 is a byte FF; RSTn may be among them
 *	FF DC  length  height		DNL: only after the first scan
 *	...				more segments and scans
 *	FF D9				EOI
 *
 * 'length' counts itself, but not the marker. Integers are big-endian. Any number
 * of fill bytes FF may stand before a marker. APPn that matter here:
 *
 *	APP0	"JFIF" 0 ...				it is YCbCr or gray
 *	APP1	"Exif" 0 0, a TIFF structure
 *	APP1	"http://ns.adobe.com/xap/1.0/" 0, XMP
 *	APP2	"ICC_PROFILE" 0, number, count, a part of the profile
 *	APP14	"Adobe", version, flags, flags, transform
 *
 * Everything that open() has to tell stands before the first scan, except a
 * height that DNL brings later.
 */

#include <string.h>

#include "codec/codecs.h"
#include "codec/jpeg/jpeg.h"
#include "meta/exif.h"

#define JFIF_SIZE	14		/* of the parameters, without thumbnail */
#define ADOBE_SIZE	12
#define EXIF_HEAD	6
#define ICC_HEAD	14

static const char xmp_head[] = "http://ns.adobe.com/xap/1.0/";

/* The first 'size' bytes of the segment, or NULL if it has fewer. */
static const uint8_t *
segment_head(struct isn_reader *in, const struct isn_jpeg_segment *s,
	     size_t size)
{
	if (s->size < size)
		return NULL;
	isn_seek(in, s->start);
	return isn_bytes(in, size);
}

static void
jfif_note(struct isn_reader *in, const struct isn_jpeg_segment *s,
	  struct isn_jpeg *j)
{
	const uint8_t *p = segment_head(in, s, 5);

	if (p == NULL || memcmp(p, "JFIF", 5) != 0)
		return;
	if (s->size >= JFIF_SIZE)
		j->jfif = true;
	else
		j->odd_marker = true;
}

static void
adobe_note(struct isn_reader *in, const struct isn_jpeg_segment *s,
	   struct isn_jpeg *j)
{
	const uint8_t *p = segment_head(in, s, ADOBE_SIZE);

	if (p == NULL || memcmp(p, "Adobe", 5) != 0)
		return;
	j->adobe = true;
	j->adobe_transform = p[11];
	j->odd_marker |= p[5] != 0;	/* a version of 256 or above */
}

/* The first Exif and the first XMP count. */
static void
app1_note(struct imgsniff_decoder *d, const struct isn_jpeg_segment *s,
	  struct isn_jpeg *j)
{
	const uint8_t *p = segment_head(&d->in, s, EXIF_HEAD);

	/* The sixth byte is padding, and some writers put an FF there. */
	if (p != NULL && memcmp(p, "Exif", 5) == 0 && j->exif.size == 0) {
		j->exif.offset = s->start + EXIF_HEAD;
		j->exif.size = s->size - EXIF_HEAD;
		d->info.orientation = isn_exif_orientation(
			&d->in, j->exif.offset, j->exif.size);
		return;
	}
	p = segment_head(&d->in, s, sizeof(xmp_head));
	if (p != NULL && memcmp(p, xmp_head, sizeof(xmp_head)) == 0 &&
	    j->xmp.size == 0) {
		j->xmp.offset = s->start + sizeof(xmp_head);
		j->xmp.size = s->size - sizeof(xmp_head);
	}
}

static bool
icc_note(struct imgsniff_decoder *d, const struct isn_jpeg_segment *s,
	 struct isn_jpeg *j)
{
	const uint8_t *p = segment_head(&d->in, s, ICC_HEAD);
	unsigned int number, count;

	if (p == NULL || memcmp(p, "ICC_PROFILE", 12) != 0)
		return true;
	number = p[12];
	count = p[13];
	if (j->icc == NULL) {
		j->icc = isn_arena_zalloc(&d->arena, sizeof(*j->icc));
		if (j->icc == NULL)
			return false;
		j->icc->count = (uint8_t)count;
	}
	if (count != j->icc->count || number == 0 || number > count ||
	    j->icc->offset[number - 1] != 0) {
		j->icc->bad = true;
		return true;
	}
	j->icc->offset[number - 1] = s->start + ICC_HEAD;
	j->icc->size[number - 1] = s->size - ICC_HEAD;
	j->icc->found++;
	return true;
}

/* JPEG-LS (T.87, C.2.3): NEAR follows the scan's components. */
static void
scan_note(struct isn_reader *in, const struct isn_jpeg_segment *s,
	  struct isn_jpeg *j)
{
	const uint8_t *p = segment_head(in, s, 1);
	size_t near_at = p ? 1 + 2u * p[0] : 0;

	if (p == NULL || !(j->frame.process & JPEG_LS))
		return;
	p = segment_head(in, s, near_at + 1);
	j->near_lossless = p != NULL && p[near_at] != 0;
}

/* Takes from the segment what open() has to tell. */
static bool
segment_note(struct imgsniff_decoder *d, const struct isn_jpeg_segment *s,
	     struct isn_jpeg *j, struct isn_jpeg_fault *fault)
{
	if (isn_jpeg_process(s->code) != 0)
		return j->frame.process != 0 ||
		       isn_jpeg_read_frame(&d->in, s, &j->frame, fault);
	switch (s->code) {
	case JPEG_APP0:
		jfif_note(&d->in, s, j);
		return true;
	case JPEG_APP1:
		app1_note(d, s, j);
		return true;
	case JPEG_APP2:
		if (icc_note(d, s, j))
			return true;
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_MEMORY, s->offset,
				      "ICC: no memory left");
	case JPEG_APP14:
		adobe_note(&d->in, s, j);
		return true;
	case JPEG_SOS:
		scan_note(&d->in, s, j);
		if (j->frame.process != 0)
			return true;
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s->offset,
				      "SOS: no SOF before it");
	case JPEG_SOI:
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s->offset,
				      "SOI: a second one");
	case JPEG_EOI:
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s->offset,
				      j->frame.process == 0
				      ? "EOI: no SOF before it"
				      : "EOI: no scan before it");
	}
	return true;
}

/* The height, where SOF has none: right after the first scan (B.2.5). */
static bool
height_find(struct isn_reader *in, struct isn_jpeg *j,
	    struct isn_jpeg_fault *fault)
{
	struct isn_jpeg_segment s;

	if (!isn_jpeg_pass_scan(in))
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_TRUNCATED,
			isn_tell(in), "DNL: the file ends before it");
	if (!isn_jpeg_next(in, &s, fault))
		return false;
	if (s.code != JPEG_DNL || s.size != 2)
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT,
			j->frame.height_offset, "SOF: height is zero");
	j->frame.height = isn_u16be(in);
	if (!isn_jpeg_pass(in, &s, fault))
		return false;
	if (j->frame.height == 0)
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s.start,
				      "DNL: height is zero");
	j->delayed_height = true;
	return true;
}

/* All there is before the first scan's data, which 'in' then stands at. */
static bool
headers_read(struct imgsniff_decoder *d, struct isn_jpeg *j,
	     struct isn_jpeg_fault *fault)
{
	struct isn_jpeg_segment s;

	isn_skip(&d->in, 2);		/* SOI: detection has seen it */
	do {
		if (!isn_jpeg_next(&d->in, &s, fault) ||
		    !segment_note(d, &s, j, fault) ||
		    !isn_jpeg_pass(&d->in, &s, fault))
			return false;
	} while (s.code != JPEG_SOS);
	return j->frame.height != 0 || height_find(&d->in, j, fault);
}

/* The rules of libjpeg for three components. */
static enum imgsniff_color
color_of_three(const struct isn_jpeg *j)
{
	const struct isn_jpeg_component *c = j->frame.components;

	if (j->jfif)
		return IMGSNIFF_COLOR_YCBCR;
	if (j->adobe)
		return j->adobe_transform == 0 ? IMGSNIFF_COLOR_RGB
					       : IMGSNIFF_COLOR_YCBCR;
	if (c[0].id == 'R' && c[1].id == 'G' && c[2].id == 'B')
		return IMGSNIFF_COLOR_RGB;
	/* Without loss there was no conversion. */
	return j->frame.process & JPEG_LOSSLESS ? IMGSNIFF_COLOR_RGB
						: IMGSNIFF_COLOR_YCBCR;
}

static enum imgsniff_color
color_of(const struct isn_jpeg *j)
{
	switch (j->frame.count) {
	case 1:
		return IMGSNIFF_COLOR_GRAY;
	case 3:
		return color_of_three(j);
	case 4:
		return j->adobe && j->adobe_transform != 0
			? IMGSNIFF_COLOR_YCCK : IMGSNIFF_COLOR_CMYK;
	}
	return 0;			/* no one can say */
}

static void
info_fill(struct imgsniff_decoder *d, const struct isn_jpeg *j)
{
	const struct isn_jpeg_frame *frame = &j->frame;
	struct imgsniff_info *info = &d->info;

	info->frames = 1;
	info->plays = 1;
	info->exif_bytes = j->exif.size;
	info->xmp_bytes = j->xmp.size;
	info->icc_bytes = isn_jpeg_icc_size(j->icc);
	if (frame->process == 0)
		return;
	d->frame.width = info->width = frame->width;
	d->frame.height = info->height = frame->height;
	info->bit_depth = frame->precision;
	info->color = color_of(j);
	info->progressive = frame->process & JPEG_PROGRESSIVE;
	info->compression = IMGSNIFF_LOSSY;
	if (frame->process & JPEG_LOSSLESS && !j->near_lossless)
		info->compression = IMGSNIFF_LOSSLESS;
	info->best = frame->count == 1 ? IMGSNIFF_GRAY8 : IMGSNIFF_RGB8;
	if (frame->precision > 8)
		info->best = IMGSNIFF_RGBA16;
}

static enum imgsniff_status
jpeg_open(struct imgsniff_decoder *d)
{
	struct isn_jpeg_fault fault = { IMGSNIFF_OK, 0, NULL };
	struct isn_jpeg *j = d->state;

	headers_read(d, j, &fault);
	info_fill(d, j);
	if (fault.status == IMGSNIFF_OK) {
		d->can_decode = true;
		return IMGSNIFF_OK;
	}
	if (fault.status == IMGSNIFF_ERR_MEMORY)
		return isn_fail_memory(d, fault.message);
	if (d->in.overrun)
		return isn_fail_overrun(d, fault.message);
	return isn_fail(d, fault.status, fault.offset, fault.message);
}

static const struct isn_backend backends[] = {
#if HAVE_LIBJPEG
	{ "libjpeg-turbo", isn_jpeg_libjpeg_decode, isn_jpeg_libjpeg_rows },
#endif
	{ "stb", isn_jpeg_stb_decode, NULL },
	{ NULL, NULL, NULL },
};

const struct isn_codec isn_codec_jpeg = {
	.info = {
		.format = IMGSNIFF_FORMAT_JPEG, .name = "jpeg",
		.title = "JPEG", .mime = "image/jpeg",
		.extensions = "jpg jpeg jpe jfif", .can_decode = true,
	},
	.backends = backends,
	.max_shrink = 8,
	.state_size = sizeof(struct isn_jpeg),
	.open = jpeg_open,
	.metadata = isn_jpeg_metadata,
	.check = isn_jpeg_check,
};
