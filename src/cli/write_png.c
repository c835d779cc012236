/*
 * write_png.c - PNG, in the smallest of its forms that holds every sample
 *
 *	signature; then chunks: length (4), type (4), data, CRC of type and data (4)
 *	IHDR  width (4), height (4), depth, colour type, 0, 0, not interlaced
 *	PLTE  red, green, blue of each colour; tRNS  alpha of the first ones
 *	IDAT  zlib stream of rows: filter type, samples (big-endian)
 *	IEND
 *
 * 8-bit images become gray (of 1, 2, 4 or 8 bits), indexed, gray with alpha, RGB
 * or RGBA, 16-bit images stay so. What the choice is has no effect on the pixels,
 * not even on the colour of those that cannot be seen.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#if HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "png_form.h"
#include "write.h"

#define LEVEL		6
/* libdeflate wants all of it at once; what is larger than this goes by zlib. */
#define AT_ONCE_MAX	((size_t)64 << 20)
#define IDAT_SIZE	65536		/* of zlib's */
#define CHUNK_SIZE	12		/* besides its data */

struct png {
	struct bytes *file;
	int fd;
	const struct imgsniff_pixmap *map;
	struct png_form form;
	size_t row_size;		/* without the filter type */
	struct png_filter filter;
};

static void
be32_put(unsigned char *to, uint32_t n)
{
	to[0] = (unsigned char)(n >> 24);
	to[1] = (unsigned char)(n >> 16);
	to[2] = (unsigned char)(n >> 8);
	to[3] = (unsigned char)n;
}

/* ---- Chunks --------------------------------------------------------------- */

/* Room for a chunk of at most 'size' bytes; where to put them, or NULL. */
static unsigned char *
chunk_begin(struct bytes *file, const char *type, size_t size)
{
	if (size > SIZE_MAX - CHUNK_SIZE ||
	    !bytes_reserve(file, size + CHUNK_SIZE))
		return NULL;
	memcpy(file->data + file->size + 4, type, 4);
	return file->data + file->size + 8;
}

/* It has become 'size' bytes. */
static void
chunk_end(struct bytes *file, size_t size)
{
	unsigned char *chunk = file->data + file->size;
	uLong crc = crc32(0, chunk + 4, (uInt)size + 4);

	be32_put(chunk, (uint32_t)size);
	be32_put(chunk + 8 + size, (uint32_t)crc);
	file->size += size + CHUNK_SIZE;
}

static bool
chunk_add(struct bytes *file, const char *type, const void *data, size_t size)
{
	unsigned char *to = chunk_begin(file, type, size);

	if (to == NULL)
		return false;
	if (size > 0)
		memcpy(to, data, size);
	chunk_end(file, size);
	return true;
}

static bool
head_add(struct png *p)
{
	static const unsigned char signature[] = "\x89PNG\r\n\x1a\n";
	const struct png_palette *colors = &p->form.palette;
	unsigned char ihdr[13] = { 0 };
	unsigned char rgb[3 * PALETTE_MAX], alpha[PALETTE_MAX];

	be32_put(ihdr, p->map->width);
	be32_put(ihdr + 4, p->map->height);
	ihdr[8] = (unsigned char)p->form.depth;
	ihdr[9] = (unsigned char)p->form.color;
	p->file->size = 0;
	if (!bytes_add(p->file, signature, 8) ||
	    !chunk_add(p->file, "IHDR", ihdr, sizeof(ihdr)))
		return false;
	if (p->form.color != PNG_PALETTE)
		return true;
	for (size_t i = 0; i < colors->count; i++) {
		memcpy(rgb + 3 * i, colors->rgba[i], 3);
		alpha[i] = colors->rgba[i][3];
	}
	return chunk_add(p->file, "PLTE", rgb, 3 * colors->count) &&
	       (colors->translucent == 0 ||
		chunk_add(p->file, "tRNS", alpha, colors->translucent));
}

/* ---- Rows ----------------------------------------------------------------- */

/* The row 'y' as the file has it, its filter type first. */
static const unsigned char *
row_make(struct png *p, size_t y)
{
	unsigned char *row = png_filter_next(&p->filter);

	png_form_row(&p->form, row, pixels_row(p->map, y), p->map->width);
	return png_filter_row(&p->filter);
}

#if HAVE_LIBDEFLATE
static bool
idat_add_at_once(struct png *p, struct bytes *rows)
{
	struct libdeflate_compressor *c;
	unsigned char *to;
	size_t size;

	rows->size = 0;
	if (!bytes_reserve(rows, (p->row_size + 1) * p->map->height))
		return false;
	for (size_t y = 0; y < p->map->height; y++)
		bytes_add(rows, row_make(p, y), p->row_size + 1);
	c = libdeflate_alloc_compressor(LEVEL);
	size = c ? libdeflate_zlib_compress_bound(c, rows->size) : 0;
	to = c ? chunk_begin(p->file, "IDAT", size) : NULL;
	if (to == NULL) {
		libdeflate_free_compressor(c);
		errno = ENOMEM;
		return false;
	}
	size = libdeflate_zlib_compress(c, rows->data, rows->size, to, size);
	chunk_end(p->file, size);
	libdeflate_free_compressor(c);
	return true;
}
#endif

/* What has been compressed goes out as a chunk whenever there is enough of it. */
static bool
stream_step(struct png *p, z_stream *z, int flush)
{
	int status;

	do {
		if (z->avail_out == 0) {
			chunk_end(p->file, IDAT_SIZE);
			if (!bytes_write(p->file, p->fd))
				return false;
			z->next_out = chunk_begin(p->file, "IDAT", IDAT_SIZE);
			z->avail_out = IDAT_SIZE;
			if (z->next_out == NULL)
				return false;
		}
		status = deflate(z, flush);
	} while (status == Z_OK && z->avail_out == 0);
	if (status == (flush == Z_FINISH ? Z_STREAM_END : Z_OK) ||
	    status == Z_BUF_ERROR)
		return true;
	errno = EINVAL;
	return false;
}

static bool
idat_add_by_stream(struct png *p)
{
	z_stream z = { 0 };
	bool good = true;

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, 15, 8,
			 p->filter.adaptive ? Z_FILTERED : Z_DEFAULT_STRATEGY)
	    != Z_OK) {
		errno = ENOMEM;
		return false;
	}
	z.next_out = chunk_begin(p->file, "IDAT", IDAT_SIZE);
	z.avail_out = IDAT_SIZE;
	good = z.next_out != NULL;
	for (size_t y = 0; good && y < p->map->height; y++) {
		z.next_in = (Bytef *)row_make(p, y);
		z.avail_in = (uInt)(p->row_size + 1);
		good = stream_step(p, &z, Z_NO_FLUSH);
	}
	good = good && stream_step(p, &z, Z_FINISH);
	if (good)
		chunk_end(p->file, IDAT_SIZE - z.avail_out);
	deflateEnd(&z);
	return good;
}

static bool
idat_add(struct png *p, struct bytes *rows)
{
#if HAVE_LIBDEFLATE
	if (p->row_size < AT_ONCE_MAX / p->map->height)
		return idat_add_at_once(p, rows);
#endif
	(void)rows;
	return idat_add_by_stream(p);
}

static bool
png_write(struct writing *w, int fd, const struct imgsniff_pixmap *map)
{
	struct png p = { .file = &w->file, .fd = fd, .map = map };
	size_t bits;
	bool made;

	if (map->layout != IMGSNIFF_RGBA8 && map->layout != IMGSNIFF_RGBA16) {
		errno = EINVAL;
		return false;
	}
	png_form_choose(&p.form, map);
	bits = (size_t)p.form.samples * p.form.depth;
	p.row_size = (map->width * bits + 7) / 8;
	made = png_filter_init(&p.filter, p.row_size, (bits + 7) / 8,
			       p.form.color != PNG_PALETTE && p.form.depth >= 8) &&
	       head_add(&p) && idat_add(&p, &w->rows) &&
	       chunk_add(p.file, "IEND", NULL, 0) && bytes_write(p.file, fd);
	png_filter_free(&p.filter);
	return made;
}

const struct writer writer_png = {
	.name = "png",
	.suffixes = "png",
	.lossless = true,
	.layout8 = IMGSNIFF_RGBA8,
	.layout16 = IMGSNIFF_RGBA16,
	.write = png_write,
};
