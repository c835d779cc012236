/*
 * image.h - sizes of pixels, and images that callers own
 */

#ifndef ISN_LIB_IMAGE_H
#define ISN_LIB_IMAGE_H

#include <imgsniff.h>

/* Bytes of one pixel; 0 if there is no such layout. */
size_t isn_pixel_size(enum imgsniff_pixel layout);

/* Pixels not cleared; the size must not overflow. NULL if memory ran out. */
struct imgsniff_image *
isn_image_new(const struct imgsniff_allocator *allocator,
	      enum imgsniff_pixel layout, uint32_t width, uint32_t height);

#endif /* ISN_LIB_IMAGE_H */
