/*
 * icc.h - from an embedded ICC profile to sRGB
 */

#ifndef ISN_PIXEL_ICC_H
#define ISN_PIXEL_ICC_H

#include <imgsniff.h>

#include "base/memory.h"

/* What is to be done with an image that has such a profile. */
enum isn_icc_use {
	ISN_ICC_KEEP,			/* it is sRGB, or the profile is of no use */
	ISN_ICC_CONVERT,
	ISN_ICC_UNSUPPORTED,
	ISN_ICC_NO_MEMORY,
};

/* A profile made ready, and all that depends on it. Zeroed before first use. */
struct isn_icc {
	struct isn_memory *memory;
	size_t held;			/* bytes that lcms2 holds */
	size_t reserved;		/* how many were reserved for it */
	bool refused;			/* and there were none left */
	uint8_t *spare;			/* some for lcms2 even then ... */
	size_t spare_used;		/* of which this is in use */
	uint64_t hash;			/* of the profile made ready */
	size_t size;
	enum imgsniff_color color;
	enum imgsniff_pixel layout;	/* 0: none is */
	enum isn_icc_use use;
	bool gray;
	bool cmyk;
	void *context;			/* lcms2's */
	void *transform;
	uint16_t *table;		/* gray: each of 256 or 65536 values */
	size_t table_size;
};

static inline bool
isn_icc_is_gray(enum imgsniff_color color)
{
	return color == IMGSNIFF_COLOR_GRAY ||
	       color == IMGSNIFF_COLOR_GRAY_ALPHA;
}

static inline bool
isn_icc_is_cmyk(enum imgsniff_color color)
{
	return color == IMGSNIFF_COLOR_CMYK || color == IMGSNIFF_COLOR_YCCK;
}

/*
 * Makes ready to convert rows of 'layout' of an image stored as 'color'. Nothing
 * is done again for the profile and layout of the call before. A profile that
 * cannot be understood or is of another colour space is one to ignore. For CMYK
 * and YCCK 'layout' is RGBA8; what is converted are the four inks, 255 being all
 * of one, and what comes out is opaque.
 *
 * The intent is perceptual, which is what browsers take a profile to be for:
 * its table where it has one, else the plain, relative colorimetric, matrix.
 */
enum isn_icc_use
isn_icc_prepare(struct isn_icc *icc, struct isn_memory *memory,
		struct imgsniff_view profile, enum imgsniff_color color,
		enum imgsniff_pixel layout);

/* A row in place; alpha stays as it is. */
void isn_icc_convert(const struct isn_icc *icc, void *row, uint32_t width);

void isn_icc_free(struct isn_icc *icc);

#endif /* ISN_PIXEL_ICC_H */
