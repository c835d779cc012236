/*
 * write.h - pixels to a descriptor, a row for each format that can be written
 */

#ifndef WRITE_H
#define WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include <imgsniff.h>

/* Memory that grows with what is put into it. */
struct bytes {
	unsigned char *data;
	size_t size, room;
};

/* How to write, and the memory kept from one image to the next: zero at first. */
struct writing {
	uint32_t quality;		/* 1 to 100; 0 is the format's default */
	bool lossless;
	uint32_t plays;			/* of an animation; 0 is for ever */
	struct bytes file;		/* what is written, or a part of it */
	struct bytes rows;		/* what it is made of */
	struct animation *animation;	/* begun, and not finished yet */
};

void writing_free(struct writing *w);

struct writer {
	const char *name;		/* what --to names */
	const char *suffixes;		/* "jpg jpeg": first is preferred */
	bool missing;			/* its library is not built in */
	bool many_frames;		/* may follow one another in a file */
	bool many_files;		/* so may images of any size */
	bool lossy;			/* --quality means something to it */
	bool lossless;			/* --lossless does, or it is so anyway */
	uint32_t max_side;		/* 0: as large as an image can be */
	enum imgsniff_pixel layout8;	/* what it wants for --depth=8 */
	enum imgsniff_pixel layout16;	/* 0: it has no such depth */

	/* Writes the whole image; false with errno set. */
	bool (*write)(struct writing *w, int fd,
		      const struct imgsniff_pixmap *map);

	/*
	 * Of a format that moves, else NULL: a frame of w->animation that is shown
	 * from 'start' (in microseconds) on; then, after the last one, the file,
	 * whose last frame is shown until 'end'. False with errno set. What was
	 * begun and shall not be written is let go by drop().
	 */
	bool (*add)(struct writing *w, const struct imgsniff_pixmap *map,
		    uint64_t start);
	bool (*finish)(struct writing *w, int fd, uint64_t end);
	void (*drop)(struct writing *w);
};

extern const struct writer writer_pam, writer_ppm, writer_png, writer_jpeg,
			   writer_webp, writer_raw;

/* All writers; ends with NULL. */
extern const struct writer *const writers[];

/* By its name or one of its suffixes; NULL if there is no such format. */
const struct writer *writer_find(const char *name);

/* What follows the last dot of a file's name; NULL if there is none. */
const char *path_suffix(const char *path);

/* By the suffix of a file's name; NULL if that tells nothing. */
const struct writer *writer_of_file(const char *path);

/* ---- What the writers share ----------------------------------------------- */

/* Makes room for 'more' bytes after what there is; false with errno set. */
bool bytes_reserve(struct bytes *b, size_t more);

bool bytes_add(struct bytes *b, const void *data, size_t size);

/* Writes what there is, all of it, and forgets it; false with errno set. */
bool bytes_write(struct bytes *b, int fd);

/* Frees the memory; what is in it is forgotten. */
void bytes_free(struct bytes *b);

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

/* What is true of every pixel of an RGBA image. */
struct pixels_look {
	bool opaque;
	bool gray;			/* red, green and blue are the same */
};

struct pixels_look pixels_look_at(const struct imgsniff_pixmap *map);

/* The row 'y' of it. */
static inline const void *
pixels_row(const struct imgsniff_pixmap *map, size_t y)
{
	return (const unsigned char *)map->pixels + y * map->stride;
}

#endif /* WRITE_H */
