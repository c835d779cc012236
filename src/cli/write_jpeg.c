/*
 * write_jpeg.c - baseline JPEG by libjpeg-turbo
 *
 * There is no alpha in it: what can be seen through lies on white, as on a page.
 * Gray images get one component. Below a quality of 90 colour is stored at half
 * the resolution (4:2:0), from there on at all of it.
 */

#include "write.h"

#if HAVE_LIBJPEG

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>

#define QUALITY		85		/* unless another is asked for */
#define FULL_COLOR	90		/* from this quality on */
#define STEP		16384		/* bytes the file has room for at first */

struct jpeg {
	struct jpeg_error_mgr errors;
	struct jpeg_destination_mgr destination;
	struct jpeg_compress_struct c;
	jmp_buf failed;
	int error;			/* errno of what went wrong */
	struct bytes *file;
};

static _Noreturn void
jpeg_fail(struct jpeg *j, int error)
{
	j->error = error;
	longjmp(j->failed, 1);
}

static _Noreturn void
jpeg_exit(j_common_ptr c)
{
	jpeg_fail(c->client_data,
		  c->err->msg_code == JERR_OUT_OF_MEMORY ? ENOMEM : EINVAL);
}

static void
jpeg_message(j_common_ptr c)
{
	(void)c;
}

/* ---- Into memory ---------------------------------------------------------- */

static void
destination_more(struct jpeg *j)
{
	if (!bytes_reserve(j->file, STEP))
		jpeg_fail(j, ENOMEM);
	j->destination.next_output_byte = j->file->data + j->file->size;
	j->destination.free_in_buffer = j->file->room - j->file->size;
}

static void
destination_init(j_compress_ptr c)
{
	struct jpeg *j = c->client_data;

	j->file->size = 0;
	destination_more(j);
}

/* All of the room is used, whatever free_in_buffer says. */
static boolean
destination_empty(j_compress_ptr c)
{
	struct jpeg *j = c->client_data;

	j->file->size = j->file->room;
	destination_more(j);
	return TRUE;
}

static void
destination_term(j_compress_ptr c)
{
	struct jpeg *j = c->client_data;

	j->file->size = j->file->room - j->destination.free_in_buffer;
}

/* ---- Pixels --------------------------------------------------------------- */

/* A sample on white, rounded to the nearest. */
static unsigned char
on_white(unsigned int sample, unsigned int alpha)
{
	return (unsigned char)((sample * alpha + 255 * (255 - alpha) + 127) /
			       255);
}

static void
row_flatten(unsigned char *to, const uint8_t *p, size_t width, int components)
{
	for (size_t x = 0; x < width; x++, p += 4)
		for (int i = 0; i < components; i++)
			*to++ = on_white(p[i], p[3]);
}

static void
jpeg_start(struct jpeg *j, const struct writing *w,
	   const struct imgsniff_pixmap *map)
{
	int quality = w->quality != 0 ? (int)w->quality : QUALITY;
	bool gray = pixels_look_at(map).gray;

	j->c.image_width = map->width;
	j->c.image_height = map->height;
	j->c.input_components = gray ? 1 : 3;
	j->c.in_color_space = gray ? JCS_GRAYSCALE : JCS_RGB;
	jpeg_set_defaults(&j->c);
	jpeg_set_quality(&j->c, quality, TRUE);
	if (!gray && quality >= FULL_COLOR) {
		j->c.comp_info[0].h_samp_factor = 1;
		j->c.comp_info[0].v_samp_factor = 1;
	}
	j->c.optimize_coding = TRUE;
	jpeg_start_compress(&j->c, TRUE);
}

/* False: see j->error. Everything that can fail is called from here. */
static bool
jpeg_make(struct jpeg *j, struct writing *w, const struct imgsniff_pixmap *map)
{
	if (setjmp(j->failed) != 0)
		return false;
	jpeg_create_compress(&j->c);
	j->c.dest = &j->destination;
	jpeg_start(j, w, map);
	w->rows.size = 0;
	if (!bytes_reserve(&w->rows, 3 * (size_t)map->width))
		jpeg_fail(j, ENOMEM);
	for (size_t y = 0; y < map->height; y++) {
		JSAMPROW row = w->rows.data;

		row_flatten(row, pixels_row(map, y), map->width,
			    j->c.input_components);
		jpeg_write_scanlines(&j->c, &row, 1);
	}
	jpeg_finish_compress(&j->c);
	return true;
}

static bool
jpeg_write(struct writing *w, int fd, const struct imgsniff_pixmap *map)
{
	struct jpeg j = {
		.destination = {
			.init_destination = destination_init,
			.empty_output_buffer = destination_empty,
			.term_destination = destination_term,
		},
		.file = &w->file,
	};
	bool made;

	if (map->layout != IMGSNIFF_RGBA8) {
		errno = EINVAL;
		return false;
	}
	j.c.err = jpeg_std_error(&j.errors);
	j.errors.error_exit = jpeg_exit;
	j.errors.output_message = jpeg_message;
	j.c.client_data = &j;
	made = jpeg_make(&j, w, map);
	jpeg_destroy_compress(&j.c);
	errno = j.error;
	return made && bytes_write(&w->file, fd);
}

#else

#define jpeg_write	NULL

#endif

const struct writer writer_jpeg = {
	.name = "jpeg",
	.suffixes = "jpg jpeg jpe jfif",
	.missing = !HAVE_LIBJPEG,
	.lossy = true,
	.max_side = 65500,		/* libjpeg's own limit */
	.layout8 = IMGSNIFF_RGBA8,
	.write = jpeg_write,
};
