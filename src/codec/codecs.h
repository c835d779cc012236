/*
 * codecs.h - the codecs that lib/format.c lists
 */

#ifndef ISN_CODEC_CODECS_H
#define ISN_CODEC_CODECS_H

#include "codec.h"

/* Decoded: a folder each. */
extern const struct isn_codec isn_codec_jpeg;
extern const struct isn_codec isn_codec_png;
extern const struct isn_codec isn_codec_gif;
extern const struct isn_codec isn_codec_webp;

/* Only named: all in codec/other/. */
extern const struct isn_codec isn_codec_bmp;
extern const struct isn_codec isn_codec_ico;
extern const struct isn_codec isn_codec_tiff;
extern const struct isn_codec isn_codec_avif;
extern const struct isn_codec isn_codec_heic;
extern const struct isn_codec isn_codec_jxl;
extern const struct isn_codec isn_codec_jp2;
extern const struct isn_codec isn_codec_qoi;
extern const struct isn_codec isn_codec_psd;

#endif /* ISN_CODEC_CODECS_H */
