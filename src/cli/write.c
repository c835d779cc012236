/*
 * write.c - pixels to a descriptor: what the formats share
 */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "words.h"
#include "write.h"

#define CHUNK	65536			/* bytes converted for one write */

#define LEAST		4096		/* room for bytes */

const struct writer *const writers[] = {
	&writer_pam,
	&writer_ppm,
	&writer_png,
	&writer_jpeg,
	&writer_webp,
	&writer_raw,
	NULL,
};

const struct writer *
writer_find(const char *name)
{
	for (const struct writer *const *w = writers; *w != NULL; w++)
		if (strcmp((*w)->name, name) == 0 ||
		    words_have((*w)->suffixes, name, strlen(name)))
			return *w;
	return NULL;
}

const char *
path_suffix(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	return dot != NULL ? dot + 1 : NULL;
}

const struct writer *
writer_of_file(const char *path)
{
	const char *suffix = path_suffix(path);

	return suffix != NULL ? writer_find(suffix) : NULL;
}

/* ---- Memory --------------------------------------------------------------- */

bool
bytes_reserve(struct bytes *b, size_t more)
{
	size_t room = b->room < LEAST ? LEAST : b->room;
	unsigned char *data;

	if (more <= b->room - b->size)
		return true;
	while (room - b->size < more) {
		if (room > SIZE_MAX / 2) {
			errno = ENOMEM;
			return false;
		}
		room *= 2;
	}
	data = realloc(b->data, room);
	if (data == NULL)
		return false;
	b->data = data;
	b->room = room;
	return true;
}

bool
bytes_add(struct bytes *b, const void *data, size_t size)
{
	if (!bytes_reserve(b, size))
		return false;
	if (size > 0)
		memcpy(b->data + b->size, data, size);
	b->size += size;
	return true;
}

void
bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

void
writing_free(struct writing *w)
{
	bytes_free(&w->file);
	bytes_free(&w->rows);
}

/* ---- Writing -------------------------------------------------------------- */

/* Takes 'done' bytes off the front of 'parts'. */
static void
parts_advance(struct iovec *parts, size_t count, size_t done)
{
	for (size_t i = 0; i < count; i++) {
		size_t n = done < parts[i].iov_len ? done : parts[i].iov_len;

		if (n == 0)
			continue;	/* what is empty may be NULL */
		parts[i].iov_base = (char *)parts[i].iov_base + n;
		parts[i].iov_len -= n;
		done -= n;
	}
}

/* Two runs of bytes, all of them. */
static bool
parts_write(int fd, struct iovec parts[2])
{
	while (parts[0].iov_len + parts[1].iov_len > 0) {
		ssize_t n = writev(fd, parts, 2);

		if (n >= 0) {
			parts_advance(parts, 2, (size_t)n);
		} else if (errno == EAGAIN) {	/* somebody's pipe */
			struct pollfd p = { .fd = fd, .events = POLLOUT };

			poll(&p, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

static struct iovec
part_of(const void *bytes, size_t size)
{
	return (struct iovec){ (void *)bytes, size };
}

bool
bytes_write(struct bytes *b, int fd)
{
	struct iovec parts[2] = { part_of(b->data, b->size), { NULL, 0 } };

	b->size = 0;
	return parts_write(fd, parts);
}

/* A run of pixels, with what is left of the head before it. */
static bool
run_write(int fd, struct iovec *head, const unsigned char *from, size_t count,
	  size_t from_size, pixels_converter convert, size_t size)
{
	unsigned char chunk[CHUNK];

	while (convert != NULL && count > 0) {
		size_t n = CHUNK / size < count ? CHUNK / size : count;
		struct iovec parts[2] = { *head, part_of(chunk, n * size) };

		convert(chunk, from, n);
		if (!parts_write(fd, parts))
			return false;
		head->iov_len = 0;
		from += n * from_size;
		count -= n;
	}
	if (count > 0) {
		struct iovec parts[2] = {
			*head, part_of(from, count * from_size),
		};

		head->iov_len = 0;
		return parts_write(fd, parts);
	}
	return true;
}

bool
pixels_write(int fd, const char *head, const struct imgsniff_pixmap *map,
	     pixels_converter convert, size_t size)
{
	size_t row = imgsniff_row_size(map->layout, map->width);
	size_t runs = map->height, count = map->width;
	struct iovec rest = part_of(head, strlen(head));

	if (map->stride == row) {	/* no gaps: one run of all rows */
		count *= runs;
		runs = 1;
	}
	for (size_t y = 0; y < runs; y++)
		if (!run_write(fd, &rest,
			       pixels_row(map, y), count, row / map->width,
			       convert, size))
			return false;
	return true;
}

void
pixels_to_be(unsigned char *to, const void *from, size_t count)
{
	const uint16_t *samples = from;

	for (size_t i = 0; i < 4 * count; i++) {
		to[2 * i] = (unsigned char)(samples[i] >> 8);
		to[2 * i + 1] = (unsigned char)samples[i];
	}
}

/* ---- Looking -------------------------------------------------------------- */

static void
row_look_at8(struct pixels_look *look, const uint8_t *p, size_t width)
{
	unsigned int alpha = 255, differ = 0;

	for (size_t x = 0; x < width; x++, p += 4) {
		differ |= (unsigned int)((p[0] ^ p[1]) | (p[1] ^ p[2]));
		alpha &= p[3];
	}
	look->opaque &= alpha == 255;
	look->gray &= differ == 0;
}

static void
row_look_at16(struct pixels_look *look, const uint16_t *p, size_t width)
{
	unsigned int alpha = 65535, differ = 0;

	for (size_t x = 0; x < width; x++, p += 4) {
		differ |= (unsigned int)((p[0] ^ p[1]) | (p[1] ^ p[2]));
		alpha &= p[3];
	}
	look->opaque &= alpha == 65535;
	look->gray &= differ == 0;
}

struct pixels_look
pixels_look_at(const struct imgsniff_pixmap *map)
{
	struct pixels_look look = { true, true };

	for (size_t y = 0; y < map->height && (look.opaque || look.gray); y++)
		if (map->layout == IMGSNIFF_RGBA16)
			row_look_at16(&look, pixels_row(map, y), map->width);
		else
			row_look_at8(&look, pixels_row(map, y), map->width);
	return look;
}
