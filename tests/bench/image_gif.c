/*
 * image_gif.c - writing GIFs: stills, interlaced, transparent, animated
 */

#include <stdlib.h>
#include <string.h>

#include "images.h"
#include "picture.h"

/* Bits are packed from the lowest up, into sub-blocks of 255 bytes. */
struct gif_writer {
	uint8_t *data;
	size_t size;
	uint32_t bits;
	unsigned int count;
	unsigned int block;		/* bytes in the current sub-block */
};

static void
put_bytes(struct gif_writer *g, const void *bytes, size_t size)
{
	memcpy(g->data + g->size, bytes, size);
	g->size += size;
}

static void
code_byte(struct gif_writer *g, uint8_t byte)
{
	if (g->block == 0)
		g->data[g->size++] = 0;
	g->data[g->size++] = byte;
	g->block++;
	g->data[g->size - g->block - 1] = (uint8_t)g->block;
	if (g->block == 255)
		g->block = 0;
}

static void
code_put(struct gif_writer *g, uint32_t code, unsigned int width)
{
	g->bits |= code << g->count;
	for (g->count += width; g->count >= 8; g->count -= 8) {
		code_byte(g, (uint8_t)g->bits);
		g->bits >>= 8;
	}
}

#define CLEAR	256
#define END	257

/* LZW of 8-bit indices with a table of prefix and byte (GIF89a, appendix F). */
static void
codes_put(struct gif_writer *g, const uint8_t *index, size_t count)
{
	static uint16_t child[4096][256];
	uint32_t next = END + 1, prefix = index[0];
	unsigned int width = 9;

	g->bits = g->count = g->block = 0;
	g->data[g->size++] = 8;
	memset(child, 0, sizeof(child));
	code_put(g, CLEAR, width);
	for (size_t i = 1; i < count; i++) {
		uint16_t *c = &child[prefix][index[i]];

		if (*c != 0) {
			prefix = *c;
			continue;
		}
		code_put(g, prefix, width);
		if (next == 4095) {
			code_put(g, CLEAR, width);
			memset(child, 0, sizeof(child));
			next = END + 1;
			width = 9;
		} else {
			*c = (uint16_t)next++;
			if (next > 1u << width)
				width++;
		}
		prefix = index[i];
	}
	code_put(g, prefix, width);
	code_put(g, END, width);
	code_put(g, 0, 7);
	g->data[g->size++] = 0;
}

/* The order of rows in the file (GIF89a, appendix E). */
static uint8_t *
rows_interlace(uint8_t *index, uint32_t width, uint32_t height)
{
	static const uint8_t start[] = { 0, 4, 2, 1 }, step[] = { 8, 8, 4, 2 };
	uint8_t *out = malloc((size_t)width * height), *to = out;

	for (size_t pass = 0; pass < 4; pass++)
		for (uint32_t y = start[pass]; y < height; y += step[pass]) {
			memcpy(to, index + (size_t)y * width, width);
			to += width;
		}
	free(index);
	return out;
}

static void
put_head(struct gif_writer *g, uint32_t width, uint32_t height)
{
	const uint8_t screen[] = {
		(uint8_t)width, (uint8_t)(width >> 8),
		(uint8_t)height, (uint8_t)(height >> 8), 0xF7, 0, 0,
	};
	uint8_t color[3];

	put_bytes(g, "GIF89a", 6);
	put_bytes(g, screen, sizeof(screen));
	for (int i = 0; i < 256; i++) {
		picture_color((uint8_t)i, color);
		put_bytes(g, color, 3);
	}
}

/* Frames after the first leave out what has not changed. */
static void
pixels_keep(uint8_t *index, const uint8_t *before, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (index[i] == before[i])
			index[i] = PICTURE_TRANSPARENT;
}

static void
pixels_cut(uint8_t *index, uint32_t width, uint32_t height)
{
	uint8_t *alpha = picture_alpha(width, height);

	for (size_t i = 0; i < (size_t)width * height; i++)
		if (alpha[i] < 128)
			index[i] = PICTURE_TRANSPARENT;
	free(alpha);
}

static void
put_frame(struct gif_writer *g, const struct gif_kind *k, uint8_t **index,
	  uint32_t width, uint32_t height, bool transparent)
{
	const uint8_t control[] = { '!', 0xF9, 4, transparent ? 5 : 4, 7, 0,
				    PICTURE_TRANSPARENT, 0 };
	const uint8_t descriptor[] = { ',', 0, 0, 0, 0,
		(uint8_t)width, (uint8_t)(width >> 8),
		(uint8_t)height, (uint8_t)(height >> 8),
		k->interlaced ? 0x40 : 0 };

	if (k->interlaced)
		*index = rows_interlace(*index, width, height);
	put_bytes(g, control, sizeof(control));
	put_bytes(g, descriptor, sizeof(descriptor));
	codes_put(g, *index, (size_t)width * height);
}

struct bench_file
image_gif(const struct gif_kind *k, uint32_t width, uint32_t height)
{
	size_t count = (size_t)width * height;
	uint32_t frames = k->frames > 0 ? k->frames : 1;
	struct gif_writer g = { malloc((count * 2 + 1024) * frames + 1024),
				0, 0, 0, 0 };
	uint8_t *shown = NULL;

	put_head(&g, width, height);
	for (uint32_t i = 0; i < frames; i++) {
		uint8_t *index = k->graphic ?
			picture_graphic(width, height, i * 3) :
			picture_dithered(width, height, i * 3);
		uint8_t *next = malloc(count);

		memcpy(next, index, count);
		if (shown != NULL)
			pixels_keep(index, shown, count);
		if (k->transparent)
			pixels_cut(index, width, height);
		put_frame(&g, k, &index, width, height,
			  k->transparent || i > 0);
		free(index);
		free(shown);
		shown = next;
	}
	free(shown);
	g.data[g.size++] = ';';
	return (struct bench_file){ g.data, g.size };
}
