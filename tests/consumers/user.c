/*
 * user.c - a user of the installed library, in C
 *
 *	user FILE VERSION
 */

#include <stdio.h>
#include <string.h>

#include <imgsniff.h>

int
main(int argc, char **argv)
{
	struct imgsniff_decoder *d;
	struct imgsniff_image *image = NULL;
	const struct imgsniff_info *info;
	int failed = 1;

	if (argc != 3 || strcmp(imgsniff_version(), argv[2]) != 0 ||
	    imgsniff_version_number() != IMGSNIFF_VERSION_NUMBER) {
		fprintf(stderr, "wrong version: %s\n", imgsniff_version());
		return 1;
	}
	d = imgsniff_new(NULL);
	if (d == NULL)
		return 1;
	if (imgsniff_open_file(d, argv[1], 0) == IMGSNIFF_OK &&
	    imgsniff_decode(d, NULL, &image) == IMGSNIFF_OK) {
		info = imgsniff_get_info(d);
		printf("%s %lux%lu\n",
		       imgsniff_get_format_info(info->format)->name,
		       (unsigned long)image->map.width,
		       (unsigned long)image->map.height);
		failed = 0;
	} else {
		fprintf(stderr, "%s\n", imgsniff_last_error(d)->message);
	}
	imgsniff_image_free(image);
	imgsniff_free(d);
	return failed;
}
