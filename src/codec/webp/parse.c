/*
 * parse.c - the structure of a WebP
 */

#include "codec/codecs.h"

const struct isn_codec isn_codec_webp = { .info = {
	.format = IMGSNIFF_FORMAT_WEBP, .name = "webp", .title = "WebP",
	.mime = "image/webp", .extensions = "webp",
	.can_decode = true, .can_animate = true,
} };
