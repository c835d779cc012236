/*
 * icc.c - from an embedded ICC profile to sRGB, by lcms2
 *
 * Gray is converted by a table of all its values, made once; colour by lcms2's
 * transform, row by row.
 */

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "pixel/icc.h"
#include "pixel/profile.h"

/* FNV-1a, eight bytes at a time. */
static uint64_t
bytes_hash(struct imgsniff_view bytes)
{
	const uint64_t prime = UINT64_C(0x100000001b3);
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i = 0;

	for (; bytes.size - i >= 8; i += 8) {
		uint64_t word;

		memcpy(&word, bytes.data + i, 8);
		hash = (hash ^ word) * prime;
		hash ^= hash >> 32;
	}
	for (; i < bytes.size; i++)
		hash = (hash ^ bytes.data[i]) * prime;
	return hash;
}

/* What is left to do is lcms2's. */
static enum isn_icc_use
profile_judge(struct imgsniff_view profile, enum imgsniff_color color)
{
	const bool cmyk = isn_icc_is_cmyk(color);

	switch (isn_profile_space(profile)) {
	case ISN_PROFILE_OTHER:
		return ISN_ICC_KEEP;
	case ISN_PROFILE_CMYK:
		return cmyk ? ISN_ICC_CONVERT : ISN_ICC_KEEP;
	case ISN_PROFILE_GRAY:
		if (!isn_icc_is_gray(color))
			return ISN_ICC_KEEP;
		break;
	case ISN_PROFILE_RGB:
		if (cmyk || isn_icc_is_gray(color))
			return ISN_ICC_KEEP;
		break;
	}
	return isn_profile_is_srgb(profile) ? ISN_ICC_KEEP : ISN_ICC_CONVERT;
}

#if HAVE_LCMS2

#include <lcms2.h>
#include <lcms2_plugin.h>

/*
 * What lcms2 may hold for a profile: the tables it makes, the profile itself, and
 * that one's tables, 8 bits of which become 16. It is reserved before, as lcms2
 * does not survive everywhere that it is refused a few bytes: only large blocks
 * are, which it only asks for because a profile says so.
 */
#define HELD_BASE	((size_t)1 << 20)
#define HELD_FACTOR	4
#define LARGE_BLOCK	((size_t)64 << 10)

/* Where malloc() has no more, those few bytes come from here. */
#define SPARE_SIZE	((size_t)256 << 10)

/* ---- lcms2's memory: counted for each profile ------------------------------- */

struct held_block {
	struct isn_icc *owner;		/* NULL: the context itself */
	size_t size;			/* of all of it */
	alignas(max_align_t) uint8_t bytes[];
};

static struct held_block *
block_of(void *ptr)
{
	return (struct held_block *)((uint8_t *)ptr -
				     offsetof(struct held_block, bytes));
}

/* For once malloc() failed: what lcms2 makes of it is then thrown away. */
static struct held_block *
spare_take(struct isn_icc *owner, size_t total)
{
	const size_t align = alignof(max_align_t);
	size_t size = (total + align - 1) / align * align;
	uint8_t *block = owner->spare + owner->spare_used;

	owner->refused = true;
	if (size > LARGE_BLOCK || size > SPARE_SIZE - owner->spare_used)
		return NULL;
	owner->spare_used += size;
	return (struct held_block *)(void *)block;
}

static bool
spare_has(const struct isn_icc *owner, const struct held_block *block)
{
	uintptr_t start = (uintptr_t)owner->spare, at = (uintptr_t)block;

	return at >= start && at - start < SPARE_SIZE;
}

/* What the context is made of comes before it can tell whose it is. */
static void *
held_allocate(cmsContext context, cmsUInt32Number size)
{
	struct isn_icc *owner = cmsGetContextUserData(context);
	struct held_block *block;
	size_t total;

	if (!isn_size_add(size, sizeof(*block), &total))
		return NULL;
	if (owner != NULL && total > LARGE_BLOCK &&
	    (owner->held > owner->reserved ||
	     total > owner->reserved - owner->held))
		return NULL;
	block = malloc(total);
	if (block == NULL && owner != NULL)
		block = spare_take(owner, total);
	if (block == NULL)
		return NULL;
	block->owner = owner;
	block->size = total;
	if (owner != NULL)
		owner->held += total;
	/* cppcheck-suppress memleak ; block_of() finds it again */
	return block->bytes;
}

static void
held_free(cmsContext context, void *ptr)
{
	struct held_block *block;

	(void)context;
	if (ptr == NULL)
		return;
	block = block_of(ptr);
	if (block->owner != NULL)
		block->owner->held -= block->size;
	if (block->owner == NULL || !spare_has(block->owner, block))
		free(block);
}

static void *
held_reallocate(cmsContext context, void *ptr, cmsUInt32Number size)
{
	void *moved = held_allocate(context, size);
	size_t old;

	if (moved == NULL || ptr == NULL)
		return moved;
	old = block_of(ptr)->size - sizeof(struct held_block);
	memcpy(moved, ptr, old < size ? old : size);
	held_free(context, ptr);
	return moved;
}

/* A decoder is used by one thread at a time, and its context is its own. */

static void *
mutex_make(cmsContext context)
{
	return context;			/* anything but NULL */
}

static void
mutex_drop(cmsContext context, void *mutex)
{
	(void)context;
	(void)mutex;
}

static cmsBool
mutex_lock(cmsContext context, void *mutex)
{
	(void)context;
	(void)mutex;
	return TRUE;
}

static cmsPluginMutex mutex_handler = {
	.base = { cmsPluginMagicNumber, 2060, cmsPluginMutexSig, NULL },
	.CreateMutexPtr = mutex_make,
	.DestroyMutexPtr = mutex_drop,
	.LockMutexPtr = mutex_lock,
	.UnlockMutexPtr = mutex_drop,
};

static cmsPluginMemHandler held_handler = {
	.base = { cmsPluginMagicNumber, 2060, cmsPluginMemHandlerSig,
		  &mutex_handler.base },
	.MallocPtr = held_allocate,
	.FreePtr = held_free,
	.ReallocPtr = held_reallocate,
};

static void
say_nothing(cmsContext context, cmsUInt32Number code, const char *text)
{
	(void)context;
	(void)code;
	(void)text;
}

static bool
context_make(struct isn_icc *icc)
{
	if (icc->spare == NULL)
		icc->spare = malloc(SPARE_SIZE);
	icc->refused = icc->spare == NULL;
	if (icc->context == NULL && !icc->refused) {
		icc->context = cmsCreateContext(&held_handler, icc);
		if (icc->context != NULL)
			cmsSetLogErrorHandlerTHR(icc->context, say_nothing);
		else
			icc->refused = true;
	}
	return icc->context != NULL;
}

/* ---- Transforms -------------------------------------------------------------- */

/*
 * Tags with elements of floating point would come first. They may be chained
 * without end, and no profile in images has them alone: go by the other tags.
 */
static cmsHPROFILE
profile_open(struct isn_icc *icc, struct imgsniff_view profile)
{
	static const cmsTagSignature floating[] = {
		cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag,
	};
	cmsHPROFILE h;

	if (profile.size > UINT32_MAX)
		return NULL;
	h = cmsOpenProfileFromMemTHR(icc->context, profile.data,
				     (cmsUInt32Number)profile.size);
	for (size_t i = 0; h != NULL && i < sizeof(floating) /
	     sizeof(floating[0]); i++)
		if (cmsIsTag(h, floating[i]) &&
		    !cmsWriteTag(h, floating[i], NULL)) {
			cmsCloseProfile(h);
			h = NULL;
		}
	return h;
}

/* sRGB with one channel: IEC 61966-2-1, as lcms2's parametric curve 4. */
static cmsHPROFILE
srgb_gray_open(struct isn_icc *icc)
{
	const cmsFloat64Number parameters[5] = {
		2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045,
	};
	cmsToneCurve *curve = cmsBuildParametricToneCurve(icc->context, 4,
							  parameters);
	cmsHPROFILE h = NULL;

	if (curve != NULL)
		h = cmsCreateGrayProfileTHR(icc->context, cmsD50_xyY(), curve);
	cmsFreeToneCurve(curve);
	return h;
}

static cmsUInt32Number
pixel_format(enum imgsniff_pixel layout, bool gray)
{
	if (gray)
		return TYPE_GRAY_16;
	switch (layout) {
	case IMGSNIFF_GRAY8:
		break;			/* colour is never converted in it */
	case IMGSNIFF_RGB8:
		return TYPE_RGB_8;
	case IMGSNIFF_RGBA8:
		return TYPE_RGBA_8;
	case IMGSNIFF_BGRA8:
		return TYPE_BGRA_8;
	case IMGSNIFF_RGBA16:
		return TYPE_RGBA_16;
	}
	return TYPE_GRAY_8;
}

/*
 * For 16 bits lcms2 would make a table of colours, which is off by up to 14 of
 * 255 steps where a colour is outside of sRGB; without it, it is exact, and slow.
 */
static cmsUInt32Number
transform_flags(const struct isn_icc *icc)
{
	return icc->layout == IMGSNIFF_RGBA16 || icc->gray
		? cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE : cmsFLAGS_NOCACHE;
}

static cmsHTRANSFORM
transform_make(struct isn_icc *icc, struct imgsniff_view profile)
{
	const cmsUInt32Number format = pixel_format(icc->layout, icc->gray);
	const cmsUInt32Number inks = icc->cmyk ? TYPE_CMYK_8 : format;
	cmsHPROFILE from = profile_open(icc, profile), to = NULL;
	cmsHTRANSFORM transform = NULL;

	if (from != NULL)
		to = icc->gray ? srgb_gray_open(icc)
			       : cmsCreate_sRGBProfileTHR(icc->context);
	if (to != NULL)
		transform = cmsCreateTransformTHR(icc->context, from, inks,
						  to, format, INTENT_PERCEPTUAL,
						  transform_flags(icc));
	if (from != NULL)
		cmsCloseProfile(from);
	if (to != NULL)
		cmsCloseProfile(to);
	return transform;
}

/* ---- Gray ---------------------------------------------------------------------- */

static size_t
table_entries(const struct isn_icc *icc)
{
	return icc->layout == IMGSNIFF_RGBA16 ? 65536 : 256;
}

static void
table_free(struct isn_icc *icc)
{
	isn_memory_free(icc->memory, icc->table, icc->table_size);
	icc->table = NULL;
}

static bool
table_make(struct isn_icc *icc)
{
	size_t entries = table_entries(icc);
	uint16_t *table;

	icc->table_size = entries * sizeof(*table);
	table = isn_memory_alloc(icc->memory, icc->table_size);
	if (table == NULL)
		return false;
	for (size_t i = 0; i < entries; i++)
		table[i] = (uint16_t)(i * 65535 / (entries - 1));
	cmsDoTransform(icc->transform, table, table, (cmsUInt32Number)entries);
	for (size_t i = 0; entries == 256 && i < entries; i++)
		table[i] = (uint16_t)((table[i] + 128u) / 257);
	icc->table = table;
	return true;
}

/* ---- A profile made ready --------------------------------------------------------- */

static void
profile_drop(struct isn_icc *icc)
{
	if (icc->transform != NULL)
		cmsDeleteTransform(icc->transform);
	icc->transform = NULL;
	isn_memory_release(icc->memory, icc->reserved);
	icc->reserved = 0;
	table_free(icc);
	icc->layout = 0;
}

/* The context may have part of the spare, too. */
static void
context_drop(struct isn_icc *icc)
{
	profile_drop(icc);
	if (icc->context != NULL)
		cmsDeleteContext(icc->context);
	icc->context = NULL;
	icc->spare_used = 0;
}

static enum isn_icc_use
profile_convert(struct isn_icc *icc, struct imgsniff_view profile)
{
	size_t size;

	icc->refused = false;
	if (!isn_size_mul(profile.size, HELD_FACTOR, &size) ||
	    !isn_size_add(size, HELD_BASE, &size) ||
	    !isn_memory_reserve(icc->memory, size))
		return ISN_ICC_NO_MEMORY;
	icc->reserved = size;
	if (context_make(icc))
		icc->transform = transform_make(icc, profile);
	if (icc->refused) {
		context_drop(icc);
		return ISN_ICC_NO_MEMORY;
	}
	if (icc->transform != NULL && icc->gray && !table_make(icc))
		return ISN_ICC_NO_MEMORY;
	icc->memory->over_limit = false;
	return icc->transform != NULL ? ISN_ICC_CONVERT : ISN_ICC_KEEP;
}

void
isn_icc_free(struct isn_icc *icc)
{
	if (icc->memory == NULL)
		return;
	context_drop(icc);
	free(icc->spare);
	icc->spare = NULL;
}

static inline void
row_look_up(uint8_t *p, uint32_t width, const uint16_t *table,
	    unsigned int colours, unsigned int samples)
{
	for (; width > 0; width--, p += samples)
		for (unsigned int i = 0; i < colours; i++)
			p[i] = (uint8_t)table[p[i]];
}

static void
row_look_up_deep(uint8_t *p, uint32_t width, const uint16_t *table)
{
	for (; width > 0; width--, p += 8)
		for (unsigned int i = 0; i < 3; i++) {
			uint16_t v;

			memcpy(&v, p + 2 * i, 2);
			memcpy(p + 2 * i, &table[v], 2);
		}
}

/* lcms2 wants 16-bit samples at even addresses; a row may lie anywhere. */
static void
row_transform_deep(cmsHTRANSFORM transform, uint8_t *p, uint32_t width)
{
	alignas(8) uint8_t part[256 * 8];

	while (width > 0) {
		uint32_t n = width < 256 ? width : 256;

		memcpy(part, p, (size_t)n * 8);
		cmsDoTransform(transform, part, part, n);
		memcpy(p, part, (size_t)n * 8);
		p += (size_t)n * 8;
		width -= n;
	}
}

static void
row_transform_inks(cmsHTRANSFORM transform, uint8_t *p, uint32_t width)
{
	cmsDoTransform(transform, p, p, width);
	for (; width > 0; width--, p += 4)
		p[3] = 255;		/* was ink */
}

void
isn_icc_convert(const struct isn_icc *icc, void *row, uint32_t width)
{
	switch (icc->layout) {
	case IMGSNIFF_GRAY8:
		row_look_up(row, width, icc->table, 1, 1);
		return;
	case IMGSNIFF_RGB8:
	case IMGSNIFF_RGBA8:
	case IMGSNIFF_BGRA8:
		if (icc->cmyk)
			row_transform_inks(icc->transform, row, width);
		else if (!icc->gray)
			cmsDoTransform(icc->transform, row, row, width);
		else if (icc->layout == IMGSNIFF_RGB8)
			row_look_up(row, width, icc->table, 3, 3);
		else
			row_look_up(row, width, icc->table, 3, 4);
		return;
	case IMGSNIFF_RGBA16:
		if (icc->gray)
			row_look_up_deep(row, width, icc->table);
		else
			row_transform_deep(icc->transform, row, width);
		return;
	}
}

#else /* !HAVE_LCMS2: what lcms2 would have to do is unsupported */

static void
profile_drop(struct isn_icc *icc)
{
	icc->layout = 0;
}

static enum isn_icc_use
profile_convert(struct isn_icc *icc, struct imgsniff_view profile)
{
	(void)icc;
	(void)profile;
	return ISN_ICC_UNSUPPORTED;
}

void
isn_icc_free(struct isn_icc *icc)
{
	(void)icc;
}

void
isn_icc_convert(const struct isn_icc *icc, void *row, uint32_t width)
{
	(void)icc;			/* never made ready */
	(void)row;
	(void)width;
}

#endif

enum isn_icc_use
isn_icc_prepare(struct isn_icc *icc, struct isn_memory *memory,
		struct imgsniff_view profile, enum imgsniff_color color,
		enum imgsniff_pixel layout)
{
	const uint64_t hash = bytes_hash(profile);

	if (icc->layout == layout && icc->color == color &&
	    icc->hash == hash && icc->size == profile.size)
		return icc->use;
	icc->memory = memory;
	profile_drop(icc);
	icc->use = profile_judge(profile, color);
	icc->gray = isn_icc_is_gray(color);
	icc->cmyk = isn_icc_is_cmyk(color);
	icc->layout = layout;
	if (icc->use == ISN_ICC_CONVERT)
		icc->use = profile_convert(icc, profile);
	icc->hash = hash;
	icc->size = profile.size;
	icc->color = color;
	if (icc->use != ISN_ICC_CONVERT)
		profile_drop(icc);
	if (icc->use != ISN_ICC_NO_MEMORY)
		icc->layout = layout;	/* else it may be there next time */
	return icc->use;
}
