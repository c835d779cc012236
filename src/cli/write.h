/*
 * write.h - pixels to a descriptor, a row for each format that can be written
 */

#ifndef WRITE_H
#define WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include <imgsniff.h>

struct writer {
	const char *name;		/* what --to names */
	enum imgsniff_pixel layout8;	/* what it wants for --depth=8 */
	enum imgsniff_pixel layout16;
	/* Writes the whole image; false with errno set. */
	bool (*write)(int fd, const struct imgsniff_pixmap *map);
};

extern const struct writer writer_pam, writer_ppm, writer_raw;

/* NULL if there is no such format. */
const struct writer *writer_find(const char *name);

/* All writers; ends with NULL. */
extern const struct writer *const writers[];

/* 'count' pixels from their layout to the file's bytes. */
typedef void (*pixels_converter)(unsigned char *to, const void *from,
				 size_t count);

/* Big-endian RGBA16. */
void pixels_to_be(unsigned char *to, const void *from, size_t count);

/*
 * Writes 'head' and then the pixels: as they lie in memory, in as few calls as
 * there can be, if 'convert' is NULL; else through it, 'size' bytes a pixel.
 * False with errno set.
 */
bool pixels_write(int fd, const char *head, const struct imgsniff_pixmap *map,
		  pixels_converter convert, size_t size);

#endif /* WRITE_H */
