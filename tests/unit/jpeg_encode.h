/*
 * jpeg_encode.h - JPEGs with something to see, for unit tests; needs libjpeg
 */

#ifndef TESTS_UNIT_JPEG_ENCODE_H
#define TESTS_UNIT_JPEG_ENCODE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jpeglib.h>

struct encoding {
	unsigned int width, height;
	int components;			/* 1, 3 or 4 */
	int h, v;			/* sampling of the first one */
	int quality;
	bool progressive;
	bool arithmetic;
	bool optimized;			/* Huffman tables of its own */
	bool rgb;			/* stored as it is, with an Adobe marker */
	bool ycck;
	bool separate;			/* sequential, a scan a component */
	unsigned int restart_interval;
	/* What to see, if not what sample_of() has. */
	uint8_t (*sample)(unsigned int x, unsigned int y, int c);
};

struct encoded {
	uint8_t *bytes;
	size_t size;
};

/* Slopes, edges and noise; sample 'c' of the pixel. */
static inline uint8_t
sample_of(unsigned int x, unsigned int y, int c)
{
	uint32_t noise = (x * 2654435761u) ^ (y * 40503u) ^ (uint32_t)c * 977;

	if ((x / 9 + y / 7) % 3 == 0)
		return (uint8_t)(255 - 40 * c - 2 * (int)(y % 50));
	return (uint8_t)(x * 3 + y * (unsigned int)(c + 1) + (noise >> 28));
}

static inline void
encode_scans(struct jpeg_compress_struct *cinfo)
{
	static jpeg_scan_info scans[4];

	for (int i = 0; i < cinfo->num_components; i++)
		scans[i] = (jpeg_scan_info){ 1, { i }, 0, 63, 0, 0 };
	cinfo->scan_info = scans;
	cinfo->num_scans = cinfo->num_components;
}

static inline struct encoded
encode(const struct encoding *e)
{
	static const J_COLOR_SPACE spaces[] = {
		[1] = JCS_GRAYSCALE, [3] = JCS_RGB, [4] = JCS_CMYK,
	};
	struct jpeg_compress_struct cinfo;
	struct jpeg_error_mgr errors;
	unsigned char *out = NULL;
	unsigned long size = 0;
	uint8_t *row = malloc(e->width * 4);
	uint8_t (*sample)(unsigned int x, unsigned int y, int c) =
		e->sample ? e->sample : sample_of;

	assert_non_null(row);
	cinfo.err = jpeg_std_error(&errors);
	jpeg_create_compress(&cinfo);
	jpeg_mem_dest(&cinfo, &out, &size);
	cinfo.image_width = e->width;
	cinfo.image_height = e->height;
	cinfo.input_components = e->components;
	cinfo.in_color_space = spaces[e->components];
	jpeg_set_defaults(&cinfo);
	if (e->rgb)
		jpeg_set_colorspace(&cinfo, JCS_RGB);
	if (e->ycck)
		jpeg_set_colorspace(&cinfo, JCS_YCCK);
	jpeg_set_quality(&cinfo, e->quality ? e->quality : 75, TRUE);
	for (int i = 0; i < e->components; i++) {
		cinfo.comp_info[i].h_samp_factor = i == 0 && e->h ? e->h : 1;
		cinfo.comp_info[i].v_samp_factor = i == 0 && e->v ? e->v : 1;
	}
	if (e->progressive)
		jpeg_simple_progression(&cinfo);
	if (e->separate)
		encode_scans(&cinfo);
	cinfo.arith_code = e->arithmetic;
	cinfo.optimize_coding = e->optimized;
	cinfo.restart_interval = e->restart_interval;
	jpeg_start_compress(&cinfo, TRUE);
	while (cinfo.next_scanline < cinfo.image_height) {
		for (unsigned int x = 0; x < e->width; x++)
			for (int c = 0; c < e->components; c++)
				row[x * (unsigned int)e->components +
				    (unsigned int)c] =
					sample(x, cinfo.next_scanline, c);
		jpeg_write_scanlines(&cinfo, &row, 1);
	}
	jpeg_finish_compress(&cinfo);
	jpeg_destroy_compress(&cinfo);
	free(row);
	return (struct encoded){ out, size };
}

#endif /* TESTS_UNIT_JPEG_ENCODE_H */
