/*
 * images.c - images to measure on, made on the spot: smooth shapes with grain,
 * so that they compress about as photographs do
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>
#include <zlib.h>

#if HAVE_LIBJPEG
#include <jpeglib.h>
#endif

#include "bench.h"

static uint32_t
grain(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 24;
}

/* RGB rows, tightly packed. */
static uint8_t *
picture(uint32_t width, uint32_t height)
{
	uint8_t *rgb = malloc((size_t)width * height * 3), *p = rgb;
	uint32_t state = 1;

	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++) {
			uint32_t g = grain(&state) >> 3;

			*p++ = (uint8_t)(x * 200 / width + g);
			*p++ = (uint8_t)(y * 200 / height + g);
			*p++ = (uint8_t)((x ^ y) / 16 % 200 + g);
		}
	return rgb;
}

#if HAVE_LIBJPEG
struct bench_file
bench_make_jpeg(uint32_t width, uint32_t height, int quality)
{
	struct jpeg_compress_struct c;
	struct jpeg_error_mgr errors;
	uint8_t *rgb = picture(width, height);
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
	jpeg_set_quality(&c, quality, TRUE);
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
bench_make_jpeg(uint32_t width, uint32_t height, int quality)
{
	(void)width;
	(void)height;
	(void)quality;
	return (struct bench_file){ NULL, 0 };
}
#endif

static void
put_u32be(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

static size_t
put_chunk(uint8_t *to, const char *type, const uint8_t *data, size_t size)
{
	put_u32be(to, (uint32_t)size);
	memcpy(to + 4, type, 4);
	if (size > 0)
		memcpy(to + 8, data, size);
	put_u32be(to + 8 + size,
		  (uint32_t)crc32(0, to + 4, (unsigned int)size + 4));
	return size + 12;
}

/* Filter Up, IDATs of 8 KiB as libpng writes them. */
struct bench_file
bench_make_png(uint32_t width, uint32_t height)
{
	const size_t row = (size_t)width * 3, idat = 8192;
	uint8_t *rgb = picture(width, height);
	uint8_t *raw = malloc((row + 1) * height), *z, *png;
	uLongf zsize = compressBound((row + 1) * height);
	uint8_t ihdr[13] = { 0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0 };
	size_t size = 8;

	for (uint32_t y = 0; y < height; y++) {
		raw[y * (row + 1)] = y > 0 ? 2 : 0;
		for (size_t x = 0; x < row; x++)
			raw[y * (row + 1) + 1 + x] = (uint8_t)
				(rgb[y * row + x] -
				 (y > 0 ? rgb[(y - 1) * row + x] : 0));
	}
	z = malloc(zsize);
	compress2(z, &zsize, raw, (row + 1) * height, 1);
	png = malloc(zsize + (zsize / idat + 4) * 12 + 64);
	memcpy(png, "\x89PNG\r\n\x1a\n", 8);
	put_u32be(ihdr, width);
	put_u32be(ihdr + 4, height);
	size += put_chunk(png + size, "IHDR", ihdr, sizeof(ihdr));
	for (size_t at = 0; at < zsize; at += idat)
		size += put_chunk(png + size, "IDAT", z + at,
				  zsize - at < idat ? zsize - at : idat);
	size += put_chunk(png + size, "IEND", NULL, 0);
	free(rgb);
	free(raw);
	free(z);
	return (struct bench_file){ png, size };
}

/* Bits are packed from the lowest up, into sub-blocks of 255 bytes. */
struct gif_bits {
	uint8_t *data;
	size_t size;
	uint32_t bits;
	unsigned int count;
	unsigned int block;		/* bytes in the current sub-block */
};

static void
gif_put_byte(struct gif_bits *b, uint8_t byte)
{
	if (b->block == 0)
		b->data[b->size++] = 0;
	b->data[b->size++] = byte;
	b->block++;
	b->data[b->size - b->block - 1] = (uint8_t)b->block;
	if (b->block == 255)
		b->block = 0;
}

static void
gif_put_code(struct gif_bits *b, uint32_t code, unsigned int width)
{
	b->bits |= code << b->count;
	for (b->count += width; b->count >= 8; b->count -= 8) {
		gif_put_byte(b, (uint8_t)b->bits);
		b->bits >>= 8;
	}
}

/* LZW of 6-bit indices with a table of prefix and byte. */
static void
gif_put_image(struct gif_bits *b, const uint8_t *index, size_t count)
{
	static uint16_t child[4096][64];
	uint32_t next = 66, prefix = index[0];
	unsigned int width = 7;

	memset(child, 0, sizeof(child));
	gif_put_code(b, 64, width);
	for (size_t i = 1; i < count; i++) {
		uint16_t *c = &child[prefix][index[i]];

		if (*c != 0) {
			prefix = *c;
			continue;
		}
		gif_put_code(b, prefix, width);
		if (next == 4095) {
			gif_put_code(b, 64, width);
			memset(child, 0, sizeof(child));
			next = 66;
			width = 7;
		} else {
			*c = (uint16_t)next++;
			if (next > 1u << width)
				width++;
		}
		prefix = index[i];
	}
	gif_put_code(b, prefix, width);
	gif_put_code(b, 65, width);
	gif_put_code(b, 0, 7);
}

struct bench_file
bench_make_gif(uint32_t width, uint32_t height)
{
	size_t count = (size_t)width * height;
	uint8_t *rgb = picture(width, height), *index = malloc(count);
	struct gif_bits b = { malloc(count * 2 + 1024), 0, 0, 0, 0 };
	const uint8_t head[] = { 'G', 'I', 'F', '8', '9', 'a',
		(uint8_t)width, (uint8_t)(width >> 8),
		(uint8_t)height, (uint8_t)(height >> 8), 0xD5, 0, 0 };
	const uint8_t descriptor[] = { ',', 0, 0, 0, 0,
		(uint8_t)width, (uint8_t)(width >> 8),
		(uint8_t)height, (uint8_t)(height >> 8), 0, 6 };

	for (size_t i = 0; i < count; i++)
		index[i] = (uint8_t)(rgb[3 * i] >> 6 << 4 |
				     rgb[3 * i + 1] >> 6 << 2 |
				     rgb[3 * i + 2] >> 6);
	memcpy(b.data, head, sizeof(head));
	b.size = sizeof(head);
	for (int i = 0; i < 64; i++) {
		b.data[b.size++] = (uint8_t)((i >> 4) * 85);
		b.data[b.size++] = (uint8_t)((i >> 2 & 3) * 85);
		b.data[b.size++] = (uint8_t)((i & 3) * 85);
	}
	memcpy(b.data + b.size, descriptor, sizeof(descriptor));
	b.size += sizeof(descriptor);
	gif_put_image(&b, index, count);
	b.data[b.size++] = 0;
	b.data[b.size++] = ';';
	free(rgb);
	free(index);
	return (struct bench_file){ b.data, b.size };
}

struct bench_file
bench_make_webp(uint32_t width, uint32_t height)
{
	uint8_t *rgb = picture(width, height), *data = NULL;
	struct bench_file file;

	file.size = WebPEncodeRGB(rgb, (int)width, (int)height, (int)width * 3,
				  100, &data);
	file.data = malloc(file.size);
	memcpy(file.data, data, file.size);
	WebPFree(data);
	free(rgb);
	return file;
}
