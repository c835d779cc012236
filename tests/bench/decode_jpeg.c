/*
 * decode_jpeg.c - JPEG against bare libjpeg-turbo, which does the work for us too,
 * and stb_image
 */

#include <stdio.h>

#include "decode.h"
#include "images.h"

#define LIBJPEG	(1u << 1)

enum {
	SMALL = 1,
	LARGE = 2,			/* a megapixel and more */
};

static const struct {
	const char *name;
	struct jpeg_kind kind;
} made[] = {
	{ "4:2:0", { .quality = 85, .h = 2, .v = 2 } },
	{ "4:2:2", { .quality = 85, .h = 2, .v = 1 } },
	{ "4:4:4", { .quality = 92, .h = 1, .v = 1 } },
	{ "gray", { .quality = 85, .gray = true } },
	{ "4:2:0 progressive",
	  { .quality = 85, .h = 2, .v = 2, .progressive = true } },
	{ "4:2:0, restarts",
	  { .quality = 85, .h = 2, .v = 2, .restart = true } },
};

void
bench_decode_jpeg(void)
{
	static const uint32_t sizes[][2] = { { 100, 75 }, { 1200, 800 } };
	const struct peer peers[] = {
		{ .name = "imgsniff", .decode = decode_ours },
		peer_libjpeg, peer_stb_close,
	};
	static struct decode_table t = {
		.title = "JPEG to RGBA8: how many times as fast as each peer",
		.peer_count = sizeof(peers) / sizeof(peers[0]),
		.scale = 1,
	};
	struct decode_summary small, large;
	char name[64];

	t.peers = peers;
	decode_head(&t);
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
			snprintf(name, sizeof(name), "%s, %ux%u", made[i].name,
				 sizes[s][0], sizes[s][1]);
			decode_file(&t, name, s == 0 ? SMALL : LARGE,
				    image_jpeg(&made[i].kind, sizes[s][0],
					       sizes[s][1]));
		}
	decode_shared(&t, "jpeg_4.8mp_444_q90_restart.jpg", LARGE);
	decode_shared(&t, "jpeg_12mp_420_original.jpg", LARGE);
	decode_shared(&t, "jpeg_12mp_gray.jpg", LARGE);
	decode_shared(&t, "jpeg_12mp_progressive.jpg", LARGE);
	decode_shared(&t, "jpeg_13mp_422_original.jpg", LARGE);
	decode_shared(&t, "jpeg_24mp_420_original.jpg", LARGE);
	decode_shared(&t, "jpeg_33mp_progressive_422_original.jpg", LARGE);
	decode_foot(&t);
	small = decode_summarise(&t, SMALL, LIBJPEG, true);
	large = decode_summarise(&t, LARGE, LIBJPEG, true);
	decode_claim("JPEG, time over bare libjpeg-turbo, paired, mean",
		     &large, 1 / large.mean, "<=", 1.03);
	decode_claim("  the most of them", &large, 1 / large.least, "<=",
		     1.03);
	decode_claim("  of 100 px, mean", &small, 1 / small.mean, "<=", 1.03);
}
