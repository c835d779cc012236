/*
 * profile.c - what an ICC profile says, as far as it must be told without lcms2
 *
 * ICC.1:2010, 7:	0	size of the profile
 *			12	class: input, display, output, ...
 *			16	colour space of the device
 *			36	"acsp"
 *			128	number of tags; each: name, offset, size
 */

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "pixel/profile.h"

#define HEADER_SIZE	128
#define TAG_SIZE	12
/* Real profiles have twenty, or forty; who looks must come to an end. */
#define TAGS_MAX	256

#define NAME(a, b, c, d)						\
	((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | \
	 (uint32_t)(d))

static bool
class_is_device(uint32_t class)
{
	return class == NAME('s', 'c', 'n', 'r') ||
	       class == NAME('m', 'n', 't', 'r') ||
	       class == NAME('p', 'r', 't', 'r') ||
	       class == NAME('s', 'p', 'a', 'c');
}

enum isn_profile_space
isn_profile_space(struct imgsniff_view profile)
{
	const uint8_t *p = profile.data;

	if (profile.size < HEADER_SIZE + 4 ||
	    isn_load_u32be(p) > profile.size ||
	    isn_load_u32be(p + 36) != NAME('a', 'c', 's', 'p') ||
	    !class_is_device(isn_load_u32be(p + 12)))
		return ISN_PROFILE_OTHER;
	switch (isn_load_u32be(p + 16)) {
	case NAME('G', 'R', 'A', 'Y'):
		return ISN_PROFILE_GRAY;
	case NAME('R', 'G', 'B', ' '):
		return ISN_PROFILE_RGB;
	case NAME('C', 'M', 'Y', 'K'):
		return ISN_PROFILE_CMYK;
	default:
		return ISN_PROFILE_OTHER;
	}
}

/* What the tag holds; empty if there is none. */
static struct imgsniff_view
tag_find(struct imgsniff_view profile, uint32_t name)
{
	struct imgsniff_view tag = { profile.data, 0 };
	size_t room = (profile.size - HEADER_SIZE - 4) / TAG_SIZE;
	uint32_t count = isn_load_u32be(profile.data + HEADER_SIZE);
	const uint8_t *p = profile.data + HEADER_SIZE + 4;

	for (size_t i = 0; i < count && i < room && i < TAGS_MAX; i++) {
		uint32_t offset = isn_load_u32be(p + 4);
		uint32_t size = isn_load_u32be(p + 8);

		if (isn_load_u32be(p) == name && offset <= profile.size &&
		    size <= profile.size - offset) {
			tag.data = profile.data + offset;
			tag.size = size;
			return tag;
		}
		p += TAG_SIZE;
	}
	return tag;
}

/* s15Fixed16Number */
static double
fixed_load(const uint8_t *p)
{
	return (double)(int32_t)isn_load_u32be(p) / 65536;
}

/* ---- Curves: from 0..1 as stored to 0..1 as light ------------------------- */

struct curve {
	const uint8_t *table;		/* NULL: parametric */
	uint32_t entries;
	unsigned int kind;		/* of parametricCurveType */
	double g, a, b, c, d, e, f;
};

/* ICC.1:2010, 10.5: a table, one gamma as u8Fixed8Number, or the identity. */
static bool
curve_parse_table(struct curve *curve, struct imgsniff_view tag)
{
	uint32_t n = isn_load_u32be(tag.data + 8);

	if (n > (tag.size - 12) / 2)
		return false;
	curve->g = 1;
	if (n == 1)
		curve->g = isn_load_u16be(tag.data + 12) / 256.0;
	if (n > 1) {
		curve->table = tag.data + 12;
		curve->entries = n;
	}
	return true;
}

/* ICC.1:2010, 10.15 */
static bool
curve_parse_parameters(struct curve *curve, struct imgsniff_view tag)
{
	static const uint8_t counts[] = { 1, 3, 4, 5, 7 };
	double v[7] = { 0 };

	curve->kind = isn_load_u16be(tag.data + 8);
	if (curve->kind >= sizeof(counts) ||
	    counts[curve->kind] > (tag.size - 12) / 4)
		return false;
	for (size_t i = 0; i < counts[curve->kind]; i++)
		v[i] = fixed_load(tag.data + 12 + 4 * i);
	curve->g = v[0];
	curve->a = v[1];
	curve->b = v[2];
	curve->c = v[3];
	curve->d = v[4];
	curve->e = v[5];
	curve->f = v[6];
	return true;
}

static bool
curve_parse(struct curve *curve, struct imgsniff_view tag)
{
	memset(curve, 0, sizeof(*curve));
	if (tag.size < 12)
		return false;
	switch (isn_load_u32be(tag.data)) {
	case NAME('c', 'u', 'r', 'v'):
		return curve_parse_table(curve, tag);
	case NAME('p', 'a', 'r', 'a'):
		return curve_parse_parameters(curve, tag);
	default:
		return false;
	}
}

static double
curve_look_up(const struct curve *curve, double x)
{
	double at = x * (curve->entries - 1);
	uint32_t i = (uint32_t)at;
	double here = isn_load_u16be(curve->table + 2 * (size_t)i), next = here;

	if (i + 1 < curve->entries)
		next = isn_load_u16be(curve->table + 2 * (size_t)(i + 1));
	return (here + (at - i) * (next - here)) / 65535;
}

static double
curve_at(const struct curve *k, double x)
{
	if (k->table != NULL)
		return curve_look_up(k, x);
	switch (k->kind) {
	case 1:
	case 2:
		return k->a * x + k->b >= 0
			? pow(k->a * x + k->b, k->g) + k->c : k->c;
	case 3:
	case 4:
		return x >= k->d ? pow(k->a * x + k->b, k->g) + k->e
				 : k->c * x + k->f;
	default:
		return pow(x, k->g);
	}
}

/* ---- Comparing with sRGB ---------------------------------------------------- */

/* IEC 61966-2-1: light as the value that is stored. */
static double
srgb_of_light(double light)
{
	if (light <= 0.0031308)
		return light * 12.92;
	return 1.055 * pow(light, 1 / 2.4) - 0.055;
}

/*
 * XYZ as a profile has it, adapted to D50, to the light of sRGB's primaries:
 * the inverse of the matrix that sRGB profiles hold.
 */
static const double light_of_xyz[3][3] = {
	{ 3.1338564, -1.6168668, -0.4906148 },
	{ -0.9787686, 1.9161416, 0.0334541 },
	{ 0.0719452, -0.2289913, 1.4052427 },
};

struct device {
	double xyz[3][3];		/* of red, green, blue at full */
	struct curve curves[3];
};

static bool
device_parse(struct device *device, struct imgsniff_view profile)
{
	static const char letters[3] = { 'r', 'g', 'b' };

	for (size_t i = 0; i < 3; i++) {
		struct imgsniff_view xyz = tag_find(profile,
			NAME(letters[i], 'X', 'Y', 'Z'));
		struct imgsniff_view curve = tag_find(profile,
			NAME(letters[i], 'T', 'R', 'C'));

		if (xyz.size < 20 || !curve_parse(&device->curves[i], curve) ||
		    isn_load_u32be(xyz.data) != NAME('X', 'Y', 'Z', ' '))
			return false;
		for (size_t k = 0; k < 3; k++)
			device->xyz[i][k] = fixed_load(xyz.data + 8 + 4 * k);
	}
	return true;
}

/* Half a step of 255 is lost in rounding anyway; allow another half. */
static bool
values_agree(double a, double b)
{
	return fabs(a - b) < 1.0 / 255;	/* false if one is no number */
}

static bool
colour_is_kept(const struct device *device, const double stored[3])
{
	double xyz[3] = { 0 };

	for (size_t i = 0; i < 3; i++) {
		double light = curve_at(&device->curves[i], stored[i]);

		for (size_t k = 0; k < 3; k++)
			xyz[k] += light * device->xyz[i][k];
	}
	for (size_t i = 0; i < 3; i++) {
		double light = light_of_xyz[i][0] * xyz[0] +
			       light_of_xyz[i][1] * xyz[1] +
			       light_of_xyz[i][2] * xyz[2];

		if (!values_agree(srgb_of_light(light), stored[i]))
			return false;
	}
	return true;
}

/* A cube of colours, and more of the grays, where the curves show. */
static bool
device_is_srgb(const struct device *device)
{
	const int cube = 4, grays = 32;

	for (int i = 0; i <= grays; i++) {
		double g = (double)i / grays;

		if (!colour_is_kept(device, (const double[3]){ g, g, g }))
			return false;
	}
	for (int i = 0; i < (cube + 1) * (cube + 1) * (cube + 1); i++) {
		const int b = i / (cube + 1) / (cube + 1);
		const double stored[3] = {
			(double)(i % (cube + 1)) / cube,
			(double)(i / (cube + 1) % (cube + 1)) / cube,
			(double)b / cube,
		};

		if (!colour_is_kept(device, stored))
			return false;
	}
	return true;
}

static bool
gray_is_srgb(const struct curve *curve)
{
	for (int i = 0; i < 256; i++) {
		double light = curve_at(curve, i / 255.0);

		if (!values_agree(srgb_of_light(light), i / 255.0))
			return false;
	}
	return true;
}

bool
isn_profile_is_srgb(struct imgsniff_view profile)
{
	enum isn_profile_space space = isn_profile_space(profile);
	struct device device;
	struct curve gray;

	if (space == ISN_PROFILE_OTHER || space == ISN_PROFILE_CMYK ||
	    tag_find(profile, NAME('A', '2', 'B', '0')).size > 0)
		return false;
	if (space == ISN_PROFILE_GRAY)
		return curve_parse(&gray, tag_find(profile,
				   NAME('k', 'T', 'R', 'C'))) &&
		       gray_is_srgb(&gray);
	return device_parse(&device, profile) && device_is_srgb(&device);
}
