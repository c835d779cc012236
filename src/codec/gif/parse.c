/*
 * parse.c - the structure of a GIF
 */

#include "codec/codecs.h"

const struct isn_codec isn_codec_gif = { .info = {
	.format = IMGSNIFF_FORMAT_GIF, .name = "gif", .title = "GIF",
	.mime = "image/gif", .extensions = "gif",
	.can_decode = true, .can_animate = true,
} };
