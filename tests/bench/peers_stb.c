/*
 * peers_stb.c - stb_image, which returns memory of its own
 */

#include <stdio.h>
#include <stdlib.h>

#include "decode.h"

/* Reported at the end of the file, where no pop may have come before. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#define STB_IMAGE_IMPLEMENTATION
#define STBIDEF	static __attribute__((unused))
#define STBI_NO_STDIO
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_GIF
#include <stb_image.h>
#pragma GCC diagnostic pop

static bool
stb_decode(const struct bench_file *file, struct canvas *to)
{
	int width, height, channels;
	uint8_t *pixels = stbi_load_from_memory(file->data, (int)file->size,
						&width, &height, &channels, 4);
	bool done = pixels != NULL && (uint32_t)width == to->width &&
		    (uint32_t)height == to->height;

	if (done)
		canvas_frame_done(to, pixels);
	stbi_image_free(pixels);
	return done;
}

const struct peer peer_stb_exact = {
	.name = "stb_image", .decode = stb_decode, .stills_only = true,
};

const struct peer peer_stb_close = {
	.name = "stb_image", .decode = stb_decode, .kind = PEER_CLOSE,
};
