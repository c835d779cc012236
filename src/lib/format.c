/*
 * format.c - the formats, a row each
 */

#include <string.h>

#include "codec.h"
#include "codec/codecs.h"

const struct isn_codec *const isn_codecs[] = {
	&isn_codec_jpeg,
	&isn_codec_png,
	&isn_codec_gif,
	&isn_codec_webp,
	&isn_codec_bmp,
	&isn_codec_ico,
	&isn_codec_tiff,
	&isn_codec_avif,
	&isn_codec_heic,
	&isn_codec_jxl,
	&isn_codec_jp2,
	&isn_codec_qoi,
	&isn_codec_psd,
	NULL,
};

const struct isn_codec *
isn_codec_find(enum imgsniff_format format)
{
	for (const struct isn_codec *const *c = isn_codecs; *c != NULL; c++)
		if ((*c)->info.format == format)
			return *c;
	return NULL;
}

IMGSNIFF_API const struct imgsniff_format_info *
imgsniff_get_format_info(enum imgsniff_format format)
{
	const struct isn_codec *codec = isn_codec_find(format);

	return codec ? &codec->info : NULL;
}

IMGSNIFF_API const struct imgsniff_format_info *
imgsniff_format_next(const struct imgsniff_format_info *previous)
{
	const struct isn_codec *const *c = isn_codecs;

	if (previous != NULL) {
		while (*c != NULL && &(*c)->info != previous)
			c++;
		if (*c != NULL)
			c++;
	}
	return *c ? &(*c)->info : NULL;
}
