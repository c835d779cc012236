/*
 * peers_webp.c - libwebp as it is
 *
 * Its animation decoder lends its own canvas. It is looked at there, not copied:
 * the least that a user can do.
 */

#include <webp/decode.h>
#include <webp/demux.h>

#include "decode.h"

static bool
animation_decode(const struct bench_file *file, struct canvas *to)
{
	const WebPData data = { file->data, file->size };
	WebPAnimDecoderOptions options;
	WebPAnimDecoder *a;
	uint8_t *pixels;
	int time;
	bool done = true;

	WebPAnimDecoderOptionsInit(&options);
	options.color_mode = MODE_RGBA;
	a = WebPAnimDecoderNew(&data, &options);
	if (a == NULL)
		return false;
	while (done && WebPAnimDecoderHasMoreFrames(a)) {
		done = WebPAnimDecoderGetNext(a, &pixels, &time);
		if (done)
			canvas_frame_done(to, pixels);
	}
	WebPAnimDecoderDelete(a);
	return done;
}

static bool
libwebp_decode(const struct bench_file *file, struct canvas *to)
{
	WebPBitstreamFeatures features;

	if (WebPGetFeatures(file->data, file->size, &features) !=
	    VP8_STATUS_OK)
		return false;
	if (features.has_animation)
		return animation_decode(file, to);
	if (WebPDecodeRGBAInto(file->data, file->size, to->pixels, to->size,
			       (int)to->width * 4) == NULL)
		return false;
	canvas_frame_done(to, to->pixels);
	return true;
}

const struct peer peer_libwebp = {
	.name = "libwebp", .decode = libwebp_decode,
};
