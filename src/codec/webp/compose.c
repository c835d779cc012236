/*
 * compose.c - a WebP's frame over what its canvas shows already
 *
 * The arithmetic is that of libwebpdemux, to the last bit, so that both show
 * the same picture. isn_canvas_blend_row() is exact, which differs by one.
 */

#include <string.h>

#include "codec/webp/webp.h"

#define PIXEL	4			/* bytes: R G B A */

/*
 * One pixel over another, neither premultiplied. 256 - alpha and the shift
 * stand for the exact (255 - alpha) / 255.
 */
static void
pixel_blend(uint8_t *dst, const uint8_t *src)
{
	const uint32_t below = dst[3] * (256u - src[3]) >> 8;
	const uint32_t alpha = src[3] + below;
	const uint32_t scale = (1u << 24) / alpha;

	for (int i = 0; i < 3; i++)
		dst[i] = (uint8_t)((src[i] * (uint32_t)src[3] +
				    dst[i] * below) * scale >> 24);
	dst[3] = (uint8_t)alpha;
}

static void
row_blend(uint8_t *dst, const uint8_t *src, size_t n)
{
	for (; n > 0; n--, dst += PIXEL, src += PIXEL)
		if (src[3] == 255)
			memcpy(dst, src, PIXEL);
		else if (src[3] != 0)
			pixel_blend(dst, src);
}

/* Where the frame before was cleared away, nothing is blended, or rounded. */
void
isn_webp_frame_blend(const struct isn_canvas *canvas,
		     const struct isn_webp_frame *previous,
		     const struct isn_webp_frame *frame, const uint8_t *pixels,
		     uint32_t rows)
{
	const struct imgsniff_frame *f = &frame->shown, *p = &previous->shown;
	uint32_t left = p->x > f->x ? p->x - f->x : 0;
	uint32_t right = p->x + p->width > f->x ? p->x + p->width - f->x : 0;

	if (left > f->width)
		left = f->width;
	if (right > f->width)
		right = f->width;
	for (uint32_t y = 0; y < rows; y++) {
		const uint8_t *src = pixels + (size_t)y * f->width * PIXEL;
		uint8_t *dst = isn_canvas_at(canvas, f->x, f->y + y);

		if (!previous->dispose || left >= right || f->y + y < p->y ||
		    f->y + y >= p->y + p->height) {
			row_blend(dst, src, f->width);
			continue;
		}
		row_blend(dst, src, left);
		memcpy(dst + (size_t)left * PIXEL, src + (size_t)left * PIXEL,
		       (size_t)(right - left) * PIXEL);
		row_blend(dst + (size_t)right * PIXEL,
			  src + (size_t)right * PIXEL, f->width - right);
	}
}
