/*
 * encode.c - raw pixels to JPEG and WebP, with every knob the images need
 *
 *	encode jpeg WIDTH HEIGHT COMPONENTS [KEY=VALUE]... <pixels >image
 *	encode webp WIDTH HEIGHT 4          [KEY=VALUE]... <pixels >image
 *
 * Pixels are 1 (gray), 3 (RGB), 4 (jpeg: CMYK, webp: RGBA) bytes each.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <webp/encode.h>

struct job {
	int width, height, components;
	unsigned char *pixels;
	int argc;
	char **argv;
};

static const char *
option(const struct job *j, const char *key, const char *otherwise)
{
	size_t length = strlen(key);

	for (int i = 0; i < j->argc; i++)
		if (strncmp(j->argv[i], key, length) == 0 &&
		    j->argv[i][length] == '=')
			return j->argv[i] + length + 1;
	return otherwise;
}

static int
number(const struct job *j, const char *key, int otherwise)
{
	const char *value = option(j, key, NULL);

	return value ? atoi(value) : otherwise;
}

static J_COLOR_SPACE
space(const char *name)
{
	static const struct { const char *name; J_COLOR_SPACE space; } all[] = {
		{ "gray", JCS_GRAYSCALE }, { "rgb", JCS_RGB },
		{ "ycbcr", JCS_YCbCr }, { "cmyk", JCS_CMYK }, { "ycck", JCS_YCCK },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(all[i].name, name) == 0)
			return all[i].space;
	fprintf(stderr, "encode: no colour space %s\n", name);
	exit(2);
}

/* One scan a component, as a sequential JPEG may also be laid out. */
static const jpeg_scan_info one_by_one[] = {
	{ 1, { 0 }, 0, 63, 0, 0 }, { 1, { 1 }, 0, 63, 0, 0 },
	{ 1, { 2 }, 0, 63, 0, 0 },
};

static void
jpeg_encode(const struct job *j)
{
	static const J_COLOR_SPACE input[] = {
		[1] = JCS_GRAYSCALE, [3] = JCS_RGB, [4] = JCS_CMYK,
	};
	static const char *const stored[] = {
		[1] = "gray", [3] = "ycbcr", [4] = "cmyk",
	};
	struct jpeg_compress_struct c;
	struct jpeg_error_mgr errors;
	const char *sampling = option(j, "sampling", "");

	c.err = jpeg_std_error(&errors);
	jpeg_create_compress(&c);
	jpeg_stdio_dest(&c, stdout);
	c.image_width = (JDIMENSION)j->width;
	c.image_height = (JDIMENSION)j->height;
	c.input_components = j->components;
	c.in_color_space = input[j->components];
	jpeg_set_defaults(&c);
	jpeg_set_colorspace(&c, space(option(j, "space", stored[j->components])));
	jpeg_set_quality(&c, number(j, "quality", 85), number(j, "baseline", 1));
	for (int i = 0; i < c.num_components; i++) {
		c.comp_info[i].h_samp_factor = 1;
		c.comp_info[i].v_samp_factor = 1;
	}
	/* "22,11,11": horizontal and vertical factor of each component */
	for (int i = 0; i < c.num_components && *sampling != '\0'; i++) {
		c.comp_info[i].h_samp_factor = sampling[0] - '0';
		c.comp_info[i].v_samp_factor = sampling[1] - '0';
		sampling += sampling[2] == ',' ? 3 : 2;
	}
	c.write_JFIF_header &= number(j, "jfif", 1);
	c.write_Adobe_marker &= number(j, "adobe", 1);
	c.arith_code = number(j, "arithmetic", 0);
	c.optimize_coding = number(j, "optimize", 0);
	c.restart_interval = (unsigned int)number(j, "restart", 0);
	if (number(j, "one_by_one", 0)) {
		c.scan_info = one_by_one;
		c.num_scans = 3;
	}
	if (number(j, "progressive", 0))
		jpeg_simple_progression(&c);

	jpeg_start_compress(&c, TRUE);
	while (c.next_scanline < c.image_height) {
		JSAMPROW row = j->pixels + (size_t)c.next_scanline *
			       (size_t)(j->width * j->components);

		jpeg_write_scanlines(&c, &row, 1);
	}
	jpeg_finish_compress(&c);
	jpeg_destroy_compress(&c);
}

static int
webp_write(const uint8_t *bytes, size_t size, const WebPPicture *picture)
{
	(void)picture;
	return fwrite(bytes, 1, size, stdout) == size;
}

static void
webp_encode(const struct job *j)
{
	WebPConfig config;
	WebPPicture picture;

	if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
		exit(1);
	config.lossless = number(j, "lossless", 0);
	config.quality = (float)number(j, "quality", 75);
	config.exact = 1;
	config.alpha_compression = number(j, "alpha_compression", 1);
	config.alpha_filtering = number(j, "alpha_filtering", 1);
	config.filter_type = number(j, "strong", 1);
	config.partitions = number(j, "partitions", 0);
	config.segments = number(j, "segments", 4);
	picture.use_argb = config.lossless;
	picture.width = j->width;
	picture.height = j->height;
	picture.writer = webp_write;
	if (!WebPPictureImportRGBA(&picture, j->pixels, j->width * 4) ||
	    !WebPEncode(&config, &picture)) {
		fprintf(stderr, "encode: libwebp: error %d\n",
			(int)picture.error_code);
		exit(1);
	}
	WebPPictureFree(&picture);
}

int
main(int argc, char **argv)
{
	struct job j = { 0 };
	size_t size;

	if (argc < 5)
		return 2;
	j.width = atoi(argv[2]);
	j.height = atoi(argv[3]);
	j.components = atoi(argv[4]);
	j.argc = argc - 5;
	j.argv = argv + 5;
	size = (size_t)(j.width * j.height * j.components);
	j.pixels = malloc(size);
	if (j.pixels == NULL || fread(j.pixels, 1, size, stdin) != size) {
		fprintf(stderr, "encode: want %zu bytes of pixels\n", size);
		return 1;
	}
	if (strcmp(argv[1], "jpeg") == 0)
		jpeg_encode(&j);
	else
		webp_encode(&j);
	free(j.pixels);
	return fclose(stdout) != 0;
}
