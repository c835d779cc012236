/*
 * image.c - sizes of pixels, and images that callers own
 */

#include <string.h>

#include "base/bytes.h"
#include "lib/image.h"

static const uint8_t pixel_sizes[] = {
	[IMGSNIFF_GRAY8] = 1, [IMGSNIFF_RGB8] = 3, [IMGSNIFF_RGBA8] = 4,
	[IMGSNIFF_BGRA8] = 4, [IMGSNIFF_RGBA16] = 8,
};

struct owned_image {
	struct imgsniff_image image;	/* first: the caller's pointer is ours */
	struct imgsniff_allocator allocator;
};

size_t
isn_pixel_size(enum imgsniff_pixel layout)
{
	size_t i = (size_t)layout;

	return i < sizeof(pixel_sizes) ? pixel_sizes[i] : 0;
}

IMGSNIFF_API size_t
imgsniff_row_size(enum imgsniff_pixel layout, uint32_t width)
{
	size_t size;

	isn_size_mul(isn_pixel_size(layout), width, &size);
	return size;
}

IMGSNIFF_API size_t
imgsniff_image_size(enum imgsniff_pixel layout, uint32_t width, uint32_t height)
{
	size_t size;

	isn_size_mul(imgsniff_row_size(layout, width), height, &size);
	return size;
}

struct imgsniff_image *
isn_image_new(const struct imgsniff_allocator *allocator,
	      enum imgsniff_pixel layout, uint32_t width, uint32_t height)
{
	size_t size = imgsniff_image_size(layout, width, height);
	struct owned_image *own;

	own = allocator->allocate(allocator->user, sizeof(*own));
	if (own == NULL)
		return NULL;
	own->allocator = *allocator;
	own->image.map = (struct imgsniff_pixmap){
		.struct_size = sizeof(struct imgsniff_pixmap),
		.pixels = allocator->allocate(allocator->user, size),
		.size = size,
		.stride = imgsniff_row_size(layout, width),
		.width = width,
		.height = height,
		.layout = layout,
	};
	if (own->image.map.pixels == NULL) {
		allocator->release(allocator->user, own, sizeof(*own));
		return NULL;
	}
	return &own->image;
}

IMGSNIFF_API void
imgsniff_image_free(struct imgsniff_image *image)
{
	struct owned_image *own = (struct owned_image *)image;
	struct imgsniff_allocator allocator;

	if (image == NULL)
		return;
	allocator = own->allocator;
	allocator.release(allocator.user, image->map.pixels, image->map.size);
	allocator.release(allocator.user, own, sizeof(*own));
}
