/*
 * version.c - which library this is, and what it is built with
 */

#include <stdio.h>
#include <threads.h>
#include <webp/decode.h>
#include <zlib.h>

#include "codec.h"

#if HAVE_LIBJPEG
#include <jpeglib.h>
#endif
#if HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#if HAVE_LCMS2
#include <lcms2.h>
#endif
#if HAVE_SECCOMP
#include <seccomp.h>
#endif

#define STRING_OF(token)	#token
#define STRING(macro)		STRING_OF(macro)

IMGSNIFF_API const char *
imgsniff_version(void)
{
	return STRING(IMGSNIFF_VERSION_MAJOR) "."
	       STRING(IMGSNIFF_VERSION_MINOR) "."
	       STRING(IMGSNIFF_VERSION_PATCH);
}

IMGSNIFF_API int
imgsniff_version_number(void)
{
	return IMGSNIFF_VERSION_NUMBER;
}

static once_flag features_once = ONCE_FLAG_INIT;
static char features[256];

/*
 * What can be asked while running is asked then: a shared library may be newer
 * than its header. The others tell only the compiler.
 */
static void
features_write(void)
{
	const int webp = WebPGetDecoderVersion();
	int end = 0;

#define ADD(...)							\
	(end += snprintf(features + end, sizeof(features) - (size_t)end,	\
			 __VA_ARGS__))
#if HAVE_LIBJPEG && defined(LIBJPEG_TURBO_VERSION)
	ADD("libjpeg-turbo %s ", STRING(LIBJPEG_TURBO_VERSION));
#elif HAVE_LIBJPEG
	ADD("libjpeg %d ", JPEG_LIB_VERSION);
#endif
#if HAVE_LIBDEFLATE
	ADD("libdeflate %s ", LIBDEFLATE_VERSION_STRING);
#endif
	ADD("libwebp %d.%d.%d ", webp >> 16 & 255, webp >> 8 & 255, webp & 255);
	ADD("zlib %.20s ", zlibVersion());
#if HAVE_LCMS2
	ADD("lcms2 %d.%d ", cmsGetEncodedCMMversion() / 1000,
	    cmsGetEncodedCMMversion() % 1000 / 10);
#endif
#if HAVE_SECCOMP
	ADD("libseccomp %u.%u.%u ", seccomp_version()->major,
	    seccomp_version()->minor, seccomp_version()->micro);
#endif
	ADD("stb_image %s", STRING(STB_IMAGE_VERSION));
#undef ADD
}

IMGSNIFF_API const char *
imgsniff_features(void)
{
	call_once(&features_once, features_write);
	return features;
}
