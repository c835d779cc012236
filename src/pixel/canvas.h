/*
 * canvas.h - what the frames of an animation are laid over each other on
 */

#ifndef ISN_PIXEL_CANVAS_H
#define ISN_PIXEL_CANVAS_H

#include <imgsniff.h>

/* A pixel is what rows call ISN_ROW_RGBA8 or, big-endian, ISN_ROW_RGBA16. */
enum isn_canvas_pixel {
	ISN_CANVAS_RGBA8 = 4,		/* bytes of one */
	ISN_CANVAS_RGBA16 = 8,
};

/* Memory is the owner's: isn_canvas_size() bytes, rows one after the other. */
struct isn_canvas {
	uint8_t *pixels;
	uint32_t width;
	uint32_t height;
	enum isn_canvas_pixel pixel;
};

/* May lie anywhere and be of any size: what follows takes the part inside. */
struct isn_rect {
	uint32_t x, y, width, height;
};

/* Bytes that such a canvas takes; 0 if it has none or they overflow size_t. */
size_t isn_canvas_size(enum isn_canvas_pixel pixel, uint32_t width,
		       uint32_t height);

/* The part of 'rect' that is inside of 'width' x 'height'. */
struct isn_rect isn_rect_clip(struct isn_rect rect, uint32_t width,
			      uint32_t height);

static inline size_t
isn_canvas_stride(const struct isn_canvas *canvas)
{
	return (size_t)canvas->width * canvas->pixel;
}

/* (x, y) must be inside. */
static inline uint8_t *
isn_canvas_at(const struct isn_canvas *canvas, uint32_t x, uint32_t y)
{
	return canvas->pixels + (size_t)y * isn_canvas_stride(canvas) +
	       (size_t)x * canvas->pixel;
}

/* Makes the rectangle transparent black. */
void isn_canvas_clear(struct isn_canvas *canvas, struct isn_rect rect);

/* The rectangle from one canvas to another of the same size and pixel. */
void isn_canvas_copy(struct isn_canvas *to, const struct isn_canvas *from,
		     struct isn_rect rect);

/* 'width' pixels from (x, y) on in place of those there; clipped. */
void isn_canvas_put_row(struct isn_canvas *canvas, uint32_t x, uint32_t y,
			const void *src, uint32_t width);

/* The same, laid "over" those there; alpha is not premultiplied. */
void isn_canvas_blend_row(struct isn_canvas *canvas, uint32_t x, uint32_t y,
			  const void *src, uint32_t width);

/* All of it, to a pixmap of the same size. */
void isn_canvas_export(const struct isn_canvas *canvas,
		       struct imgsniff_pixmap *dst);

/* Its rows from 'start' to before 'end' alone. */
void isn_canvas_export_rows(const struct isn_canvas *canvas,
			    struct imgsniff_pixmap *dst, uint32_t start,
			    uint32_t end);

#endif /* ISN_PIXEL_CANVAS_H */
