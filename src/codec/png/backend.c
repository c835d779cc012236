/*
 * backend.c - the ways to get at pixels
 */

#include "codec/png/png.h"
#include "codec/stb/stb.h"

static enum imgsniff_status
decode_with(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst,
	    enum png_method method)
{
	const struct png_state *s = d->state;
	enum imgsniff_status st = isn_png_rest_fetch(d);

	if (st != IMGSNIFF_OK)
		return st;
	if (s->animation)
		return isn_png_compose(d, dst, method);
	return isn_png_pixels(d, &s->first, dst, method);
}

static enum imgsniff_status
stream_with(struct imgsniff_decoder *d, struct isn_sink *sink,
	    enum png_method method)
{
	const struct png_state *s = d->state;
	enum imgsniff_status st = isn_png_rest_fetch(d);

	if (st != IMGSNIFF_OK)
		return st;
	if (s->animation || s->interlaced)
		return IMGSNIFF_END;
	return isn_png_stream(d, &s->first, sink, method);
}

static enum imgsniff_status
zlib_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	return decode_with(d, dst, PNG_ROWS);
}

static enum imgsniff_status
zlib_stream(struct imgsniff_decoder *d, struct isn_sink *sink)
{
	return stream_with(d, sink, PNG_ROWS);
}

#if HAVE_LIBDEFLATE
static enum imgsniff_status
libdeflate_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	return decode_with(d, dst, PNG_WHOLE);
}

static enum imgsniff_status
libdeflate_stream(struct imgsniff_decoder *d, struct isn_sink *sink)
{
	return stream_with(d, sink, PNG_WHOLE);
}
#endif

/*
 * stb_image checks little and its faults are public: it gets what was proved to
 * be a still without any fault, and nothing else.
 */
static enum imgsniff_status
stb_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst)
{
	const struct png_state *s = d->state;
	enum imgsniff_status st = isn_png_rest_fetch(d);
	struct imgsniff_view bytes;

	if (st != IMGSNIFF_OK)
		return st;
	if (s->actl != 0)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, s->actl + 4,
				"acTL: stb_image knows no animations");
	st = isn_png_prove(d, &s->first);
	if (st != IMGSNIFF_OK)
		return st;
	if (s->fault.status != IMGSNIFF_OK || !s->has_end)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED,
				IMGSNIFF_NO_OFFSET,
				"chunks: stb_image wants them without fault");
	st = isn_view(d, 0, (size_t)s->end, &bytes);
	return st == IMGSNIFF_OK ? isn_stb_decode(d, bytes, dst) : st;
}

const struct isn_backend isn_png_backends[] = {
#if HAVE_LIBDEFLATE
	{ "libdeflate", libdeflate_decode, libdeflate_stream },
#endif
	{ "zlib", zlib_decode, zlib_stream },
	{ "stb", stb_decode, NULL },
	{ NULL, NULL, NULL },
};
