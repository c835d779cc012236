/*
 * canvas.c - what the frames of an animation are laid over each other on
 */

#include <string.h>

#include "base/bytes.h"
#include "pixel/canvas.h"
#include "pixel/row.h"

size_t
isn_canvas_size(enum isn_canvas_pixel pixel, uint32_t width, uint32_t height)
{
	size_t size;

	if (!isn_size_mul(width, height, &size))
		return 0;
	isn_size_mul(size, pixel, &size);
	return size;
}

/* How much of 'size' from 'at' on is below 'limit'. */
static uint32_t
span_clip(uint32_t at, uint32_t size, uint32_t limit)
{
	if (at >= limit)
		return 0;
	return size < limit - at ? size : limit - at;
}

struct isn_rect
isn_rect_clip(struct isn_rect rect, uint32_t width, uint32_t height)
{
	rect.width = span_clip(rect.x, rect.width, width);
	rect.height = span_clip(rect.y, rect.height, height);
	if (rect.width == 0 || rect.height == 0)
		return (struct isn_rect){ 0, 0, 0, 0 };
	return rect;
}

void
isn_canvas_clear(struct isn_canvas *canvas, struct isn_rect rect)
{
	rect = isn_rect_clip(rect, canvas->width, canvas->height);
	for (uint32_t y = 0; y < rect.height; y++)
		memset(isn_canvas_at(canvas, rect.x, rect.y + y), 0,
		       (size_t)rect.width * canvas->pixel);
}

void
isn_canvas_copy(struct isn_canvas *to, const struct isn_canvas *from,
		struct isn_rect rect)
{
	rect = isn_rect_clip(rect, to->width, to->height);
	for (uint32_t y = 0; y < rect.height; y++)
		memcpy(isn_canvas_at(to, rect.x, rect.y + y),
		       isn_canvas_at(from, rect.x, rect.y + y),
		       (size_t)rect.width * to->pixel);
}

void
isn_canvas_put_row(struct isn_canvas *canvas, uint32_t x, uint32_t y,
		   const void *src, uint32_t width)
{
	width = span_clip(x, width, canvas->width);
	if (width > 0 && y < canvas->height)
		memcpy(isn_canvas_at(canvas, x, y), src,
		       (size_t)width * canvas->pixel);
}

/*
 * "Over", not premultiplied (PNG third edition, 13.16, solved for the sum's own
 * alpha): with the weights u = sa * max and v = (max - sa) * da, the colour is
 * (s * u + d * v) / (u + v) and the alpha (u + v) / max.
 */
static void
blend8(uint8_t *d, const uint8_t *s)
{
	uint32_t u = s[3] * 255u;
	uint32_t v = (255u - s[3]) * d[3];
	uint32_t sum = u + v;

	for (int i = 0; i < 3; i++)
		d[i] = (uint8_t)((s[i] * u + d[i] * v) / sum);
	d[3] = (uint8_t)(sum / 255);
}

static void
blend16(uint8_t *d, const uint8_t *s)
{
	uint64_t sa = isn_load_u16be(s + 6);
	uint64_t u = sa * 65535;
	uint64_t v = (65535 - sa) * isn_load_u16be(d + 6);
	uint64_t sum = u + v;

	for (int i = 0; i < 8; i += 2) {
		uint64_t sample = i == 6 ? sum / 65535
			: (isn_load_u16be(s + i) * u +
			   isn_load_u16be(d + i) * v) / sum;

		d[i] = (uint8_t)(sample >> 8);
		d[i + 1] = (uint8_t)sample;
	}
}

static void
row_blend8(uint8_t *d, const uint8_t *s, uint32_t width)
{
	for (; width > 0; width--, d += 4, s += 4) {
		if (s[3] == 255 || (d[3] == 0 && s[3] != 0))
			memcpy(d, s, 4);
		else if (s[3] != 0)
			blend8(d, s);
	}
}

static void
row_blend16(uint8_t *d, const uint8_t *s, uint32_t width)
{
	for (; width > 0; width--, d += 8, s += 8) {
		uint16_t alpha = isn_load_u16be(s + 6);

		if (alpha == 65535 ||
		    (alpha != 0 && isn_load_u16be(d + 6) == 0))
			memcpy(d, s, 8);
		else if (alpha != 0)
			blend16(d, s);
	}
}

void
isn_canvas_blend_row(struct isn_canvas *canvas, uint32_t x, uint32_t y,
		     const void *src, uint32_t width)
{
	width = span_clip(x, width, canvas->width);
	if (width == 0 || y >= canvas->height)
		return;
	switch (canvas->pixel) {
	case ISN_CANVAS_RGBA8:
		row_blend8(isn_canvas_at(canvas, x, y), src, width);
		return;
	case ISN_CANVAS_RGBA16:
		row_blend16(isn_canvas_at(canvas, x, y), src, width);
		return;
	}
}

void
isn_canvas_export_rows(const struct isn_canvas *canvas,
		       struct imgsniff_pixmap *dst, uint32_t start, uint32_t end)
{
	enum isn_row kind = canvas->pixel == ISN_CANVAS_RGBA8 ? ISN_ROW_RGBA8
							      : ISN_ROW_RGBA16;

	for (uint32_t y = start; y < end; y++)
		isn_row_convert((uint8_t *)dst->pixels + (size_t)y * dst->stride,
				dst->layout, isn_canvas_at(canvas, 0, y), kind,
				canvas->width);
}

void
isn_canvas_export(const struct isn_canvas *canvas, struct imgsniff_pixmap *dst)
{
	isn_canvas_export_rows(canvas, dst, 0, canvas->height);
}
