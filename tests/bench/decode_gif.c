/*
 * decode_gif.c - GIF against giflib and stb_image
 */

#include <stdio.h>

#include "decode.h"
#include "images.h"

#define GIFLIB	(1u << 1)

static const struct {
	const char *name;
	struct gif_kind kind;
} made[] = {
	{ "photo", { .frames = 1 } },
	{ "photo, interlaced", { .interlaced = true } },
	{ "photo, transparent", { .transparent = true } },
	{ "graphic", { .graphic = true } },
	{ "graphic, interlaced", { .graphic = true, .interlaced = true } },
	{ "graphic, transparent", { .graphic = true, .transparent = true } },
	{ "photo, 6 frames", { .frames = 6 } },
	{ "graphic, 6 frames", { .frames = 6, .graphic = true } },
};

void
bench_decode_gif(void)
{
	static const uint32_t sizes[][2] = { { 100, 75 }, { 1200, 800 } };
	const struct peer peers[] = {
		{ .name = "imgsniff", .decode = decode_ours },
		peer_giflib, peer_stb_exact,
	};
	static struct decode_table t = {
		.title = "GIF to RGBA8: how many times as fast as each peer",
		.peer_count = sizeof(peers) / sizeof(peers[0]),
		.scale = 1,
	};
	struct decode_summary all;
	char name[64];

	t.peers = peers;
	decode_head(&t);
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
			snprintf(name, sizeof(name), "%s, %ux%u", made[i].name,
				 sizes[s][0], sizes[s][1]);
			decode_file(&t, name, 0,
				    image_gif(&made[i].kind, sizes[s][0],
					      sizes[s][1]));
		}
	decode_shared(&t, "gif_4.8mp_still.gif", 0);
	decode_shared(&t, "gif_800x600_15frames.gif", 0);
	decode_foot(&t);
	all = decode_summarise(&t, 0, GIFLIB, false);
	decode_claim("GIF, times giflib, mean", &all, all.mean, ">=", 4);
	decode_claim("  the least of them", &all, all.least, ">=", 2.3);
	bench_claim("allocations of a warm decode, the most",
		    decode_allocations(&t), "<=", 0);
}
