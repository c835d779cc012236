/*
 * write_pam.c - Netpbm's PAM: a head of lines, then rows of samples
 *
 *	P7 / WIDTH w / HEIGHT h / DEPTH samples a pixel / MAXVAL 255 or 65535 /
 *	TUPLTYPE what they are / ENDHDR, a line each; then the samples, 16-bit
 *	ones big-endian, pixel after pixel, without any padding.
 *
 * Images may follow one another in one file.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "write.h"

static const struct tuple {
	unsigned int depth;
	unsigned int maxval;
	const char *type;
	pixels_converter convert;
} tuples[] = {
	[IMGSNIFF_GRAY8] = { 1, 255, "GRAYSCALE", NULL },
	[IMGSNIFF_RGB8] = { 3, 255, "RGB", NULL },
	[IMGSNIFF_RGBA8] = { 4, 255, "RGB_ALPHA", NULL },
	[IMGSNIFF_RGBA16] = { 4, 65535, "RGB_ALPHA", pixels_to_be },
};

static bool
pam_write(struct writing *w, int fd, const struct imgsniff_pixmap *map)
{
	size_t i = (size_t)map->layout;
	const struct tuple *t = &tuples[i < sizeof(tuples) / sizeof(*t) ? i : 0];
	char head[160];

	(void)w;
	if (t->depth == 0) {
		errno = EINVAL;
		return false;
	}
	snprintf(head, sizeof(head),
		 "P7\nWIDTH %" PRIu32 "\nHEIGHT %" PRIu32 "\nDEPTH %u\n"
		 "MAXVAL %u\nTUPLTYPE %s\nENDHDR\n",
		 map->width, map->height, t->depth, t->maxval, t->type);
	return pixels_write(fd, head, map, t->convert, 2 * (size_t)t->depth);
}

const struct writer writer_pam = {
	.name = "pam",
	.suffixes = "pam",
	.many_frames = true,
	.many_files = true,
	.lossless = true,
	.layout8 = IMGSNIFF_RGBA8,
	.layout16 = IMGSNIFF_RGBA16,
	.write = pam_write,
};
