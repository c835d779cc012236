/*
 * decode_webp.c - WebP against bare libwebp, which does the work for us too
 */

#include <stdio.h>

#include "decode.h"
#include "images.h"

enum {
	STILL = 1,
	ANIMATED = 2,
	SMALL = 4,
	LARGE = 8,			/* a megapixel and more; animations too */
};

#define LIBWEBP	(1u << 1)

static const struct {
	const char *name;
	struct webp_kind kind;
} made[] = {
	{ "lossy", { .frames = 1 } },
	{ "lossless", { .lossless = true } },
	{ "lossy with alpha", { .alpha = true } },
	{ "lossless with alpha", { .lossless = true, .alpha = true } },
	{ "lossy, 4 frames", { .frames = 4 } },
	{ "alpha, 4 frames", { .frames = 4, .alpha = true } },
};

void
bench_decode_webp(void)
{
	static const uint32_t sizes[][2] = { { 100, 75 }, { 1200, 800 } };
	const struct peer peers[] = {
		{ .name = "imgsniff", .decode = decode_ours },
		peer_libwebp,
	};
	static struct decode_table t = {
		.title = "WebP to RGBA8: how many times as fast as each peer",
		.peer_count = sizeof(peers) / sizeof(peers[0]),
		.scale = 1,
	};
	struct decode_summary still, animated, small;
	char name[64];

	t.peers = peers;
	decode_head(&t);
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
			snprintf(name, sizeof(name), "%s, %ux%u", made[i].name,
				 sizes[s][0], sizes[s][1]);
			decode_file(&t, name,
				    (made[i].kind.frames > 1 ? ANIMATED :
							       STILL) |
				    (s == 0 ? SMALL : LARGE),
				    image_webp(&made[i].kind, sizes[s][0],
					       sizes[s][1]));
		}
	decode_shared(&t, "webp_1.2mp_lossy_alpha.webp", STILL | LARGE);
	decode_shared(&t, "webp_4.8mp_lossless.webp", STILL | LARGE);
	decode_shared(&t, "webp_12mp_lossy_q80.webp", STILL | LARGE);
	decode_shared(&t, "webp_24mp_lossy.webp", STILL | LARGE);
	decode_shared(&t, "webp_800x600_15frames_anim.webp", ANIMATED | LARGE);
	decode_foot(&t);
	still = decode_summarise(&t, STILL | LARGE, LIBWEBP, true);
	animated = decode_summarise(&t, ANIMATED | LARGE, LIBWEBP, true);
	small = decode_summarise(&t, SMALL, LIBWEBP, true);
	decode_claim("WebP, time over bare libwebp, paired, mean", &still,
		     1 / still.mean, "<=", 1.03);
	decode_claim("  the most of them", &still, 1 / still.least, "<=", 1.03);
	decode_claim("  animations, the most", &animated, 1 / animated.least,
		     "<=", 1.03);
	decode_claim("  of 100 px, mean", &small, 1 / small.mean, "<=", 1.03);
}
