/*
 * decode_png.c - PNG against libpng, libspng, stb_image and bare inflate
 */

#include <stdio.h>

#include "decode.h"
#include "images.h"

enum {
	EIGHT = 1,			/* 8 bits a sample, not interlaced */
	SIXTEEN = 2,
	INTERLACED = 4,
	PHOTO = 8,			/* in RGB, of a megapixel and more */
};

/* Masks of the columns below. */
#define LIBRARIES	(1u << 1 | 1u << 2)
#define INFLATE		(1u << 4)

static const struct {
	const char *name;
	unsigned int tags;
	struct png_kind kind;
} made[] = {
	{ "RGB photo", EIGHT | PHOTO, { PNG_RGB, 8, PNG_ADAPTIVE, 0, 0 } },
	{ "RGB photo, all filters", EIGHT | PHOTO,
	  { PNG_RGB, 8, PNG_TURNS, 0, 0 } },
	{ "RGB photo, Paeth", EIGHT | PHOTO, { PNG_RGB, 8, PNG_PAETH, 0, 0 } },
	{ "RGB graphic", EIGHT, { PNG_RGB, 8, PNG_NONE, 0, 1 } },
	{ "RGBA photo", EIGHT, { PNG_RGB_ALPHA, 8, PNG_ADAPTIVE, 0, 0 } },
	{ "RGBA photo, all filters", EIGHT,
	  { PNG_RGB_ALPHA, 8, PNG_TURNS, 0, 0 } },
	{ "RGBA graphic", EIGHT, { PNG_RGB_ALPHA, 8, PNG_ADAPTIVE, 0, 1 } },
	{ "gray photo", EIGHT, { PNG_GRAY, 8, PNG_ADAPTIVE, 0, 0 } },
	{ "gray photo, all filters", EIGHT, { PNG_GRAY, 8, PNG_TURNS, 0, 0 } },
	{ "gray+alpha photo", EIGHT,
	  { PNG_GRAY_ALPHA, 8, PNG_ADAPTIVE, 0, 0 } },
	{ "palette graphic", EIGHT, { PNG_INDEXED, 8, PNG_NONE, 0, 1 } },
	{ "palette photo", EIGHT, { PNG_INDEXED, 8, PNG_NONE, 0, 0 } },
	{ "RGB, 16 bits", SIXTEEN, { PNG_RGB, 16, PNG_ADAPTIVE, 0, 0 } },
	{ "RGBA, 16 bits", SIXTEEN,
	  { PNG_RGB_ALPHA, 16, PNG_ADAPTIVE, 0, 0 } },
	{ "gray, 16 bits", SIXTEEN, { PNG_GRAY, 16, PNG_ADAPTIVE, 0, 0 } },
	{ "RGB interlaced", INTERLACED, { PNG_RGB, 8, PNG_ADAPTIVE, 1, 0 } },
	{ "RGBA interlaced", INTERLACED,
	  { PNG_RGB_ALPHA, 8, PNG_ADAPTIVE, 1, 0 } },
	{ "gray interlaced", INTERLACED, { PNG_GRAY, 8, PNG_ADAPTIVE, 1, 0 } },
	{ "palette interlaced", INTERLACED, { PNG_INDEXED, 8, PNG_NONE, 1, 1 } },
};

#define MADE	(sizeof(made) / sizeof(made[0]))

/* A kind in one size. */
static void
png_make(struct decode_table *t, size_t i, uint32_t width, uint32_t height)
{
	bool small = width < 1000;
	char name[64];

	snprintf(name, sizeof(name), "%s, %ux%u", made[i].name, width, height);
	decode_file(t, name, made[i].tags & ~(small ? PHOTO : 0u),
		    image_png(&made[i].kind, width, height));
}

static void
png_claim(const struct decode_table *t)
{
	struct decode_summary eight, sixteen, interlaced, photo;

	eight = decode_summarise(t, EIGHT, LIBRARIES, false);
	sixteen = decode_summarise(t, SIXTEEN, LIBRARIES, false);
	interlaced = decode_summarise(t, INTERLACED, LIBRARIES, false);
	photo = decode_summarise(t, PHOTO, INFLATE, false);
	decode_claim("8-bit PNG, times the faster of libpng and libspng, mean",
		     &eight, eight.mean, ">=", 2.4);
	decode_claim("  the least of them", &eight, eight.least, ">=", 1.7);
	decode_claim("16-bit PNG, the least", &sixteen, sixteen.least, ">=",
		     1.5);
	decode_claim("interlaced PNG, the least", &interlaced,
		     interlaced.least, ">=", 1.5);
	decode_claim("RGB photos of 1 MP and more, over inflate, the most",
		     &photo, 1 / photo.least, "<=", 1.5);
	bench_claim("allocations of a warm decode, the most",
		    decode_allocations(t), "<=", 0);
}

void
bench_decode_png(void)
{
	const struct peer peers[DECODE_PEERS] = {
		{ .name = "imgsniff", .decode = decode_ours },
		peer_libpng, peer_libspng, peer_stb_exact, peer_inflate,
	};
	static struct decode_table t = {
		.title = "PNG to RGBA8: how many times as fast as each peer; "
			 "'inflate': time over that of inflating alone",
		.peer_count = DECODE_PEERS,
		.scale = 1,
	};

	t.peers = peers;
	decode_head(&t);
	for (size_t i = 0; i < MADE; i++)
		png_make(&t, i, 100, 75);
	for (size_t i = 0; i < MADE; i++)
		png_make(&t, i, 1200, 800);
	if (!bench_quick)
		png_make(&t, 0, 3200, 2400);
	decode_shared(&t, "png_1.2mp_rgba8.png", EIGHT);
	decode_shared(&t, "png_4.2mp_rgb8.png", EIGHT | PHOTO);
	decode_shared(&t, "png_6mp_palette8.png", EIGHT);
	decode_shared(&t, "png_12mp_gray8.png", EIGHT);
	decode_shared(&t, "png_0.8mp_rgb16.png", SIXTEEN);
	decode_shared(&t, "png_3mp_rgb8_interlaced.png", INTERLACED);
	decode_foot(&t);
	png_claim(&t);
}
