/*
 * peers_jpeg.c - libjpeg-turbo as it is: a context kept, rows straight into place
 */

#include <stdio.h>
#include <stdlib.h>

#include "decode.h"

#if HAVE_LIBJPEG

#include <jpeglib.h>
#include <setjmp.h>

#define ROWS_AT_ONCE	16

static struct {
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	jmp_buf failed;
	bool ready;
} bare;

static void
bare_fail(j_common_ptr jpeg)
{
	(void)jpeg;
	longjmp(bare.failed, 1);
}

static void
bare_rows(struct canvas *to)
{
	struct jpeg_decompress_struct *j = &bare.jpeg;

	while (j->output_scanline < j->output_height) {
		JSAMPROW rows[ROWS_AT_ONCE];

		for (uint32_t i = 0; i < ROWS_AT_ONCE; i++)
			rows[i] = to->pixels + (size_t)4 * to->width *
				  (j->output_scanline + i);
		jpeg_read_scanlines(j, rows, ROWS_AT_ONCE);
	}
}

/* At 'eighths' of the size. */
static bool
bare_decode(const struct bench_file *file, struct canvas *to,
	    unsigned int eighths)
{
	struct jpeg_decompress_struct *j = &bare.jpeg;

	if (!bare.ready) {
		j->err = jpeg_std_error(&bare.errors);
		bare.errors.error_exit = bare_fail;
		jpeg_create_decompress(j);
		bare.ready = true;
	}
	if (setjmp(bare.failed)) {
		jpeg_abort_decompress(j);
		return false;
	}
	jpeg_mem_src(j, file->data, file->size);
	jpeg_read_header(j, TRUE);
	j->out_color_space = JCS_EXT_RGBA;
	j->scale_num = eighths;
	j->scale_denom = 8;
	jpeg_start_decompress(j);
	if (j->output_width != to->width || j->output_height != to->height) {
		jpeg_abort_decompress(j);
		return false;
	}
	bare_rows(to);
	jpeg_finish_decompress(j);
	canvas_frame_done(to, to->pixels);
	return true;
}

static bool
libjpeg_decode(const struct bench_file *file, struct canvas *to)
{
	return bare_decode(file, to, 8);
}

static bool
libjpeg_eighth_decode(const struct bench_file *file, struct canvas *to)
{
	return bare_decode(file, to, 1);
}
#else
#define libjpeg_decode NULL
#define libjpeg_eighth_decode NULL
#endif

const struct peer peer_libjpeg = {
	.name = "libjpeg", .decode = libjpeg_decode,
};

const struct peer peer_libjpeg_eighth = {
	.name = "libjpeg", .kind = PEER_CLOSE, .decode = libjpeg_eighth_decode,
};
