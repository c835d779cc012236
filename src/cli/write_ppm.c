/*
 * write_ppm.c - Netpbm's PPM (P6): three lines, then rows of RGB
 *
 * 16-bit samples are big-endian. There is no alpha in it: it is dropped, the
 * colours stay as they are stored.
 */

#include <inttypes.h>
#include <stdio.h>

#include "write.h"

static void
ppm_from_rgba16(unsigned char *to, const void *from, size_t count)
{
	const uint16_t *samples = from;

	for (size_t i = 0; i < count; i++, samples += 4)
		for (size_t c = 0; c < 3; c++) {
			*to++ = (unsigned char)(samples[c] >> 8);
			*to++ = (unsigned char)samples[c];
		}
}

static bool
ppm_write(struct writing *w, int fd, const struct imgsniff_pixmap *map)
{
	bool deep = map->layout == IMGSNIFF_RGBA16;
	char head[64];

	(void)w;
	snprintf(head, sizeof(head), "P6\n%" PRIu32 " %" PRIu32 "\n%d\n",
		 map->width, map->height, deep ? 65535 : 255);
	return pixels_write(fd, head, map, deep ? ppm_from_rgba16 : NULL, 6);
}

const struct writer writer_ppm = {
	.name = "ppm",
	.suffixes = "ppm pnm",
	.many_frames = true,
	.many_files = true,
	.lossless = true,
	.layout8 = IMGSNIFF_RGB8,
	.layout16 = IMGSNIFF_RGBA16,
	.write = ppm_write,
};
