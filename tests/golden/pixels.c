/*
 * pixels.c - a line for every frame of every image named: its size and a hash of
 * its pixels as RGBA, or the error that decoding ends with
 *
 *	pixels FILE...
 */

#include <inttypes.h>
#include <stdio.h>

#include <imgsniff.h>

/* FNV-1a, 64 bits. */
static uint64_t
rows_hash(const struct imgsniff_pixmap *map)
{
	size_t row_size = imgsniff_row_size(map->layout, map->width);
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (uint32_t y = 0; y < map->height; y++) {
		const uint8_t *row = (const uint8_t *)map->pixels +
				     (size_t)y * map->stride;

		for (size_t i = 0; i < row_size; i++)
			hash = (hash ^ row[i]) * UINT64_C(0x100000001b3);
	}
	return hash;
}

static enum imgsniff_status
frame_print(struct imgsniff_decoder *d, const char *path)
{
	struct imgsniff_image *image;
	enum imgsniff_status st = imgsniff_decode(d, NULL, &image);

	if (st != IMGSNIFF_OK)
		return st;
	printf("%s %" PRIu32 " %" PRIu32 "x%" PRIu32 " %016" PRIx64 "\n", path,
	       imgsniff_get_frame(d)->index, image->map.width,
	       image->map.height, rows_hash(&image->map));
	imgsniff_image_free(image);
	return IMGSNIFF_OK;
}

static void
image_print(struct imgsniff_decoder *d, const char *path)
{
	enum imgsniff_status st = imgsniff_open_file(d, path, 0);
	enum imgsniff_status opened = st;

	/* Frames before the fault can be had, and must be right, too. */
	if (imgsniff_get_info(d) != NULL)
		do
			st = frame_print(d, path);
		while (st == IMGSNIFF_OK &&
		       (st = imgsniff_next_frame(d)) == IMGSNIFF_OK);
	if (st == IMGSNIFF_OK || st == IMGSNIFF_END)
		st = opened;
	if (st != IMGSNIFF_OK)
		printf("%s %s\n", path, imgsniff_status_name(st));
}

int
main(int argc, char **argv)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);

	if (d == NULL)
		return 1;
	for (int i = 1; i < argc; i++)
		image_print(d, argv[i]);
	imgsniff_free(d);
	return 0;
}
