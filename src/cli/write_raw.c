/*
 * write_raw.c - rows of RGBA and nothing else; 16-bit samples big-endian
 */

#include "write.h"

static bool
raw_write(struct writing *w, int fd, const struct imgsniff_pixmap *map)
{
	(void)w;
	return pixels_write(fd, "", map, map->layout == IMGSNIFF_RGBA16
			    ? pixels_to_be : NULL, 8);
}

const struct writer writer_raw = {
	.name = "raw",
	.suffixes = "raw rgba",
	.many_frames = true,
	.lossless = true,
	.layout8 = IMGSNIFF_RGBA8,
	.layout16 = IMGSNIFF_RGBA16,
	.write = raw_write,
};
