/*
 * parse.c - the structure of a PNG
 */

#include "codec/codecs.h"

const struct isn_codec isn_codec_png = { .info = {
	.format = IMGSNIFF_FORMAT_PNG, .name = "png", .title = "PNG",
	.mime = "image/png", .extensions = "png apng",
	.can_decode = true, .can_animate = true,
} };
