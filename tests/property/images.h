/*
 * images.h - every image in test-images/, for what must hold for all of them
 */

#ifndef TESTS_IMAGES_H
#define TESTS_IMAGES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <imgsniff.h>

struct image_file {
	char name[300];
	uint8_t *data;
	size_t size;
};

static const char *const image_folders[] = {
	"test-images/jpeg", "test-images/png", "test-images/gif",
	"test-images/webp", "test-images/bad",
};

#define IMAGES_MAX	1000

static struct image_file images[IMAGES_MAX];
static size_t image_count;

static inline void
image_read(const char *folder, const char *name)
{
	struct image_file *image = &images[image_count];
	FILE *f;
	long size;

	snprintf(image->name, sizeof(image->name), "%s/%s", folder, name);
	f = fopen(image->name, "rb");
	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0 ||
	    image_count == IMAGES_MAX) {
		fprintf(stderr, "%s: cannot be read\n", image->name);
		exit(1);
	}
	rewind(f);
	image->size = (size_t)size;
	image->data = malloc(image->size + (image->size == 0));
	if (image->data == NULL ||
	    fread(image->data, 1, image->size, f) != image->size)
		exit(1);
	fclose(f);
	image_count++;
}

static inline void
images_read(void)
{
	for (size_t i = 0; i < sizeof(image_folders) / sizeof(char *); i++) {
		DIR *dir = opendir(image_folders[i]);
		struct dirent *entry;

		if (dir == NULL) {
			perror(image_folders[i]);
			exit(1);
		}
		while ((entry = readdir(dir)) != NULL)
			if (entry->d_name[0] != '.')
				image_read(image_folders[i], entry->d_name);
		closedir(dir);
	}
}

static inline void
images_free(void)
{
	while (image_count > 0)
		free(images[--image_count].data);
}

#endif /* TESTS_IMAGES_H */
