/*
 * image_jpeg.c - writing JPEGs of every kind
 */

#include <stdio.h>
#include <stdlib.h>

#include "images.h"
#include "picture.h"

#if HAVE_LIBJPEG

#include <jpeglib.h>

struct bench_file
image_jpeg(const struct jpeg_kind *k, uint32_t width, uint32_t height)
{
	struct jpeg_compress_struct c;
	struct jpeg_error_mgr errors;
	uint8_t *rgb = picture_photo(width, height, 0);
	unsigned char *data = NULL;
	unsigned long size = 0;

	c.err = jpeg_std_error(&errors);
	jpeg_create_compress(&c);
	jpeg_mem_dest(&c, &data, &size);
	c.image_width = width;
	c.image_height = height;
	c.input_components = 3;
	c.in_color_space = JCS_RGB;
	jpeg_set_defaults(&c);
	if (k->gray)
		jpeg_set_colorspace(&c, JCS_GRAYSCALE);
	else {
		c.comp_info[0].h_samp_factor = k->h;
		c.comp_info[0].v_samp_factor = k->v;
	}
	jpeg_set_quality(&c, k->quality, TRUE);
	if (k->progressive)
		jpeg_simple_progression(&c);
	c.restart_in_rows = k->restart;
	jpeg_start_compress(&c, TRUE);
	while (c.next_scanline < height) {
		JSAMPROW row = rgb + (size_t)c.next_scanline * width * 3;

		jpeg_write_scanlines(&c, &row, 1);
	}
	jpeg_finish_compress(&c);
	jpeg_destroy_compress(&c);
	free(rgb);
	return (struct bench_file){ data, size };
}

#else

struct bench_file
image_jpeg(const struct jpeg_kind *k, uint32_t width, uint32_t height)
{
	(void)k;
	(void)width;
	(void)height;
	return (struct bench_file){ NULL, 0 };
}

#endif
