/*
 * other.c - formats that are only named, so that a service can say what it got
 */

#include "codec/codecs.h"

const struct isn_codec isn_codec_bmp = { .info = {
	.format = IMGSNIFF_FORMAT_BMP, .name = "bmp", .title = "BMP",
	.mime = "image/bmp", .extensions = "bmp dib",
} };

const struct isn_codec isn_codec_ico = { .info = {
	.format = IMGSNIFF_FORMAT_ICO, .name = "ico", .title = "ICO",
	.mime = "image/vnd.microsoft.icon", .extensions = "ico",
} };

const struct isn_codec isn_codec_tiff = { .info = {
	.format = IMGSNIFF_FORMAT_TIFF, .name = "tiff", .title = "TIFF",
	.mime = "image/tiff", .extensions = "tif tiff",
} };

const struct isn_codec isn_codec_avif = { .info = {
	.format = IMGSNIFF_FORMAT_AVIF, .name = "avif", .title = "AVIF",
	.mime = "image/avif", .extensions = "avif avifs",
} };

const struct isn_codec isn_codec_heic = { .info = {
	.format = IMGSNIFF_FORMAT_HEIC, .name = "heic", .title = "HEIC",
	.mime = "image/heic", .extensions = "heic heif heics hif",
} };

const struct isn_codec isn_codec_jxl = { .info = {
	.format = IMGSNIFF_FORMAT_JXL, .name = "jxl", .title = "JPEG XL",
	.mime = "image/jxl", .extensions = "jxl",
} };

const struct isn_codec isn_codec_jp2 = { .info = {
	.format = IMGSNIFF_FORMAT_JP2, .name = "jp2", .title = "JPEG 2000",
	.mime = "image/jp2", .extensions = "jp2 j2k j2c jpx jpf",
} };

const struct isn_codec isn_codec_qoi = { .info = {
	.format = IMGSNIFF_FORMAT_QOI, .name = "qoi", .title = "QOI",
	.mime = "image/qoi", .extensions = "qoi",
} };

const struct isn_codec isn_codec_psd = { .info = {
	.format = IMGSNIFF_FORMAT_PSD, .name = "psd", .title = "PSD",
	.mime = "image/vnd.adobe.photoshop", .extensions = "psd psb",
} };
