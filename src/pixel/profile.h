/*
 * profile.h - what an ICC profile says, as far as it must be told without lcms2
 */

#ifndef ISN_PIXEL_PROFILE_H
#define ISN_PIXEL_PROFILE_H

#include <imgsniff.h>

enum isn_profile_space {
	ISN_PROFILE_OTHER,		/* none we use, or no profile at all */
	ISN_PROFILE_GRAY,
	ISN_PROFILE_RGB,
	ISN_PROFILE_CMYK,
};

/* The colour space of the device that the profile describes. */
enum isn_profile_space isn_profile_space(struct imgsniff_view profile);

/*
 * Is converting from it to sRGB, or from its gray to that of sRGB, no change: by
 * less than one of 255 steps? Profiles with tables in place of a matrix are not
 * looked into.
 */
bool isn_profile_is_srgb(struct imgsniff_view profile);

#endif /* ISN_PIXEL_PROFILE_H */
