/*
 * image_webp.c - writing WebPs: lossy, lossless, with alpha, animated
 */

#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>

#include "images.h"
#include "picture.h"

static void
put_u24le(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
	p[2] = (uint8_t)(v >> 16);
}

static void
put_u32le(uint8_t *p, uint32_t v)
{
	put_u24le(p, v);
	p[3] = (uint8_t)(v >> 24);
}

static void
picture_fill(WebPPicture *p, const struct webp_kind *k, uint32_t shift)
{
	uint32_t width = (uint32_t)p->width, height = (uint32_t)p->height;
	uint8_t *rgb = picture_photo(width, height, shift);
	uint8_t *alpha = k->alpha ? picture_alpha(width, height) : NULL;

	WebPPictureImportRGB(p, rgb, p->width * 3);
	for (size_t i = 0; alpha != NULL && i < (size_t)width * height; i++)
		p->argb[i] = (p->argb[i] & 0xFFFFFF) |
			     (uint32_t)alpha[i] << 24;
	free(rgb);
	free(alpha);
}

/* A still image; the effort is small, since it changes little for a decoder. */
static struct bench_file
still(const struct webp_kind *k, uint32_t width, uint32_t height,
      uint32_t shift)
{
	WebPConfig config;
	WebPPicture p;
	WebPMemoryWriter writer;

	WebPMemoryWriterInit(&writer);
	if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, 80) ||
	    !WebPPictureInit(&p))
		abort();
	config.method = k->lossless ? 1 : 2;
	config.lossless = k->lossless;
	p.width = (int)width;
	p.height = (int)height;
	p.use_argb = 1;
	p.writer = WebPMemoryWrite;
	p.custom_ptr = &writer;
	picture_fill(&p, k, shift);
	if (!WebPEncode(&config, &p))
		abort();
	WebPPictureFree(&p);
	return (struct bench_file){ writer.mem, writer.size };
}

/* RIFF, VP8X that says "animation", ANIM that loops for ever. */
static size_t
put_head(uint8_t *p, uint32_t width, uint32_t height, bool alpha)
{
	memcpy(p, "RIFF....WEBPVP8X", 16);
	memset(p + 16, 0, 28);
	put_u32le(p + 16, 10);
	p[20] = alpha ? 0x12 : 0x02;
	put_u24le(p + 24, width - 1);
	put_u24le(p + 27, height - 1);
	memcpy(p + 30, "ANIM", 4);
	put_u32le(p + 34, 6);
	return 44;
}

/* ANMF around the chunks of a still image: not RIFF's 12 bytes nor VP8X's 18. */
static size_t
put_frame(uint8_t *p, const struct bench_file *image, uint32_t width,
	  uint32_t height)
{
	size_t skip = memcmp(image->data + 12, "VP8X", 4) == 0 ? 12 + 18 : 12;
	size_t size = image->size - skip;

	memcpy(p, "ANMF", 4);
	put_u32le(p + 4, (uint32_t)size + 16);
	memset(p + 8, 0, 16);
	put_u24le(p + 14, width - 1);
	put_u24le(p + 17, height - 1);
	put_u24le(p + 20, 70);
	memcpy(p + 24, image->data + skip, size);
	return size + 24;
}

struct bench_file
image_webp(const struct webp_kind *k, uint32_t width, uint32_t height)
{
	struct bench_file file = { NULL, 0 };

	if (k->frames < 2)
		return still(k, width, height, 0);
	file.data = malloc(64);
	file.size = put_head(file.data, width, height, k->alpha);
	for (uint32_t i = 0; i < k->frames; i++) {
		struct bench_file image = still(k, width, height, i * 3);

		file.data = realloc(file.data, file.size + image.size + 24);
		file.size += put_frame(file.data + file.size, &image, width,
				       height);
		WebPFree(image.data);
	}
	put_u32le(file.data + 4, (uint32_t)file.size - 8);
	return file;
}
