/*
 * orient.h - turn a picture upright
 */

#ifndef ISN_PIXEL_ORIENT_H
#define ISN_PIXEL_ORIENT_H

#include <imgsniff.h>

/* Exif orientations 5 to 8 exchange width and height. */
static inline bool
isn_orient_swaps(unsigned int orientation)
{
	return orientation >= 5 && orientation <= 8;
}

/*
 * 'src', stored with Exif orientation 1 to 8, upright in 'dst', which has its
 * layout and its size, exchanged where isn_orient_swaps(). They may not overlap.
 */
void isn_orient(const struct imgsniff_pixmap *dst,
		const struct imgsniff_pixmap *src, unsigned int orientation);

/* The same in place, for orientations 1 to 4. */
void isn_orient_in_place(const struct imgsniff_pixmap *map,
			 unsigned int orientation);

#endif /* ISN_PIXEL_ORIENT_H */
