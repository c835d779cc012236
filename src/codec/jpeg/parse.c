/*
 * parse.c - the structure of a JPEG
 */

#include "codec/codecs.h"

const struct isn_codec isn_codec_jpeg = { .info = {
	.format = IMGSNIFF_FORMAT_JPEG, .name = "jpeg", .title = "JPEG",
	.mime = "image/jpeg", .extensions = "jpg jpeg jpe jfif",
	.can_decode = true,
} };
