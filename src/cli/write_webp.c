/*
 * write_webp.c - WebP by libwebp, animated by libwebpmux
 *
 * Lossless keeps the colour of pixels that cannot be seen as well.
 */

#include <errno.h>
#include <stdlib.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "write.h"

#define QUALITY		80		/* unless another is asked for */
#define PLAYS_MAX	65535		/* ANIM has 16 bits for it */
#define FRAME_MS_MAX	0xffffff	/* ANMF has 24 for this */

static bool
config_make(WebPConfig *config, const struct writing *w)
{
	if (!WebPConfigInit(config))
		return false;
	config->lossless = w->lossless;
	config->exact = w->lossless;
	/* Of a lossless image it is the effort; libwebp's own default. */
	config->quality = w->lossless ? 75 : QUALITY;
	if (w->quality != 0)
		config->quality = (float)w->quality;
	return true;
}

static bool
picture_make(WebPPicture *picture, const struct imgsniff_pixmap *map,
	     bool argb)
{
	int stride = (int)map->stride;

	if (!WebPPictureInit(picture) || map->layout != IMGSNIFF_RGBA8 ||
	    map->stride > INT32_MAX) {
		errno = EINVAL;
		return false;
	}
	picture->width = (int)map->width;
	picture->height = (int)map->height;
	picture->use_argb = argb;
	if (pixels_look_at(map).opaque
	    ? WebPPictureImportRGBX(picture, map->pixels, stride)
	    : WebPPictureImportRGBA(picture, map->pixels, stride))
		return true;
	WebPPictureFree(picture);
	errno = ENOMEM;
	return false;
}

/* What a picture could not be encoded for. */
static int
picture_errno(const WebPPicture *picture)
{
	switch (picture->error_code) {
	case VP8_ENC_ERROR_OUT_OF_MEMORY:
	case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
	case VP8_ENC_ERROR_BAD_WRITE:	/* picture_put() */
		return ENOMEM;
	case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
	case VP8_ENC_ERROR_PARTITION_OVERFLOW:
	case VP8_ENC_ERROR_FILE_TOO_BIG:
		return EFBIG;
	case VP8_ENC_OK:
	case VP8_ENC_ERROR_NULL_PARAMETER:
	case VP8_ENC_ERROR_INVALID_CONFIGURATION:
	case VP8_ENC_ERROR_BAD_DIMENSION:
	case VP8_ENC_ERROR_USER_ABORT:
	case VP8_ENC_ERROR_LAST:
		break;
	}
	return EINVAL;
}

static int
picture_put(const uint8_t *data, size_t size, const WebPPicture *picture)
{
	return bytes_add(picture->custom_ptr, data, size);
}

static bool
webp_write(struct writing *w, int fd, const struct imgsniff_pixmap *map)
{
	WebPConfig config;
	WebPPicture picture;
	bool made;

	if (!config_make(&config, w) ||
	    !picture_make(&picture, map, w->lossless))
		return false;
	w->file.size = 0;
	picture.writer = picture_put;
	picture.custom_ptr = &w->file;
	made = WebPEncode(&config, &picture);
	errno = picture_errno(&picture);
	WebPPictureFree(&picture);
	return made && bytes_write(&w->file, fd);
}

/* ---- Animations ----------------------------------------------------------- */

struct animation {
	WebPAnimEncoder *encoder;
	uint64_t last;			/* when the last frame begins, in ms */
	uint64_t shift;			/* how much earlier than asked for, in ms */
};

static bool
animation_begin(struct writing *w, const struct imgsniff_pixmap *map)
{
	WebPAnimEncoderOptions options;

	w->animation = calloc(1, sizeof(*w->animation));
	if (w->animation == NULL || !WebPAnimEncoderOptionsInit(&options))
		return false;
	options.anim_params.loop_count = (int)(w->plays < PLAYS_MAX ? w->plays
								     : PLAYS_MAX);
	options.anim_params.bgcolor = 0;
	w->animation->encoder = WebPAnimEncoderNew((int)map->width,
						   (int)map->height, &options);
	return w->animation->encoder != NULL;
}

/*
 * Milliseconds of the file for a moment of the animation. They are rounded where
 * a frame begins, not its duration, so that no error grows. A frame that would
 * last too long is shortened, and all after it come earlier.
 */
static int
animation_ms(struct animation *a, uint64_t us)
{
	uint64_t ms = us / 1000 + (us % 1000 >= 500) - a->shift;

	if (ms - a->last > FRAME_MS_MAX) {
		a->shift += ms - a->last - FRAME_MS_MAX;
		ms = a->last + FRAME_MS_MAX;
	}
	if (ms > INT32_MAX) {		/* 24 days: they stand still */
		a->shift += ms - INT32_MAX;
		ms = INT32_MAX;
	}
	a->last = ms;
	return (int)ms;
}

static bool
webp_add(struct writing *w, const struct imgsniff_pixmap *map, uint64_t start)
{
	WebPConfig config;
	WebPPicture picture;
	bool added;

	if (w->animation == NULL && !animation_begin(w, map)) {
		errno = ENOMEM;
		return false;
	}
	if (!config_make(&config, w) || !picture_make(&picture, map, true))
		return false;
	added = WebPAnimEncoderAdd(w->animation->encoder, &picture,
				   animation_ms(w->animation, start), &config);
	errno = picture_errno(&picture);
	WebPPictureFree(&picture);
	return added;
}

static void
webp_drop(struct writing *w)
{
	if (w->animation != NULL)
		WebPAnimEncoderDelete(w->animation->encoder);
	free(w->animation);
	w->animation = NULL;
}

static bool
webp_finish(struct writing *w, int fd, uint64_t end)
{
	WebPAnimEncoder *encoder = w->animation->encoder;
	WebPData data = { NULL, 0 };
	bool made;

	made = WebPAnimEncoderAdd(encoder, NULL,
				  animation_ms(w->animation, end), NULL) &&
	       WebPAnimEncoderAssemble(encoder, &data);
	webp_drop(w);
	w->file.size = 0;
	made = made && bytes_add(&w->file, data.bytes, data.size);
	WebPDataClear(&data);
	if (made)
		return bytes_write(&w->file, fd);
	errno = ENOMEM;
	return false;
}

const struct writer writer_webp = {
	.name = "webp",
	.suffixes = "webp",
	.lossy = true,
	.lossless = true,
	.max_side = WEBP_MAX_DIMENSION,
	.layout8 = IMGSNIFF_RGBA8,
	.write = webp_write,
	.add = webp_add,
	.finish = webp_finish,
	.drop = webp_drop,
};
