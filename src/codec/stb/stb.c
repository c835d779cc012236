/*
 * stb.c - stb_image, the portable second backend of JPEG, PNG and GIF
 *
 * Its memory comes from the decoder's. It has no way to say whose, so that is in
 * a thread-local variable while it runs. Every block is handed out zeroed: what
 * it forgets to write shows as black, never as somebody's memory. Blocks that it
 * gives back, and those that it forgets, are kept for the next image.
 */

#include <limits.h>
#include <stdalign.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/stb/stb.h"
#include "pixel/row.h"

/* Blocks together larger than this are not held for the next image. */
#define KEEP_MAX	((size_t)16 << 20)

struct block {
	struct block *next;
	size_t size;			/* of 'bytes' */
	bool taken;
	alignas(max_align_t) uint8_t bytes[];
};

struct heap {				/* kept from image to image */
	struct block *blocks;
	struct isn_memory *memory;
	bool refused;			/* there was no memory for a block */
};

static _Thread_local struct heap *heap;

static struct block *
block_of(void *ptr)
{
	return (struct block *)((uint8_t *)ptr - offsetof(struct block, bytes));
}

static struct block *
block_find(size_t size)
{
	for (struct block *b = heap->blocks; b != NULL; b = b->next)
		if (!b->taken && b->size >= size && b->size / 2 <= size)
			return b;
	return NULL;
}

static struct block *
block_new(size_t size)
{
	struct block *b = NULL;
	size_t total;

	if (isn_size_add(size, sizeof(*b), &total))
		b = isn_memory_alloc(heap->memory, total);
	if (b == NULL) {
		heap->refused = true;
		return NULL;
	}
	b->size = size;
	b->next = heap->blocks;
	heap->blocks = b;
	return b;
}

static void *
heap_take(size_t size)
{
	struct block *b = block_find(size);

	if (b == NULL)
		b = block_new(size);
	if (b == NULL)
		return NULL;
	b->taken = true;
	memset(b->bytes, 0, b->size);
	return b->bytes;
}

static void
heap_give(void *ptr)
{
	if (ptr != NULL)
		block_of(ptr)->taken = false;
}

static void *
heap_resize(void *ptr, size_t old_size, size_t size)
{
	void *larger;

	if (ptr != NULL && block_of(ptr)->size >= size)
		return ptr;
	larger = heap_take(size);
	if (larger != NULL && ptr != NULL) {
		memcpy(larger, ptr, old_size < size ? old_size : size);
		heap_give(ptr);
	}
	return larger;
}

/* All blocks are free again; 'keep' bytes of them stay. */
static void
heap_trim(struct heap *h, size_t keep)
{
	struct block **link = &h->blocks;

	while (*link != NULL) {
		struct block *b = *link;

		b->taken = false;
		/* Their heads count too: there are blocks of no bytes. */
		if (sizeof(*b) + b->size <= keep) {
			keep -= sizeof(*b) + b->size;
			link = &b->next;
		} else {
			*link = b->next;
			isn_memory_free(h->memory, b, sizeof(*b) + b->size);
		}
	}
}

static void
heap_release(struct imgsniff_decoder *d, void *data)
{
	struct heap *h = data;

	h->memory = &d->memory;
	heap_trim(h, 0);
}

/*
 * Assertions are off: where one would fail, the parsers have not proved what they
 * should have, and the process is not to die of it.
 */
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBIDEF			static __attribute__((unused))
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_GIF
#define STBI_NO_STDIO
#define STBI_NO_FAILURE_STRINGS
#define STBI_MAX_DIMENSIONS	65535
#define STBI_ASSERT(x)		((void)0)
#define STBI_MALLOC(size)	heap_take(size)
#define STBI_FREE(ptr)		heap_give(ptr)
#define STBI_REALLOC_SIZED(ptr, old, size)	heap_resize(ptr, old, size)

/* A system header, so it warns of little; one function is never defined. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>

/* What it gave: 'channels' samples a pixel, 8 or 16 bits each in host order. */
struct result {
	const uint8_t *pixels;
	uint32_t width, height;
	unsigned int channels;
	bool deep;
};

/* Only gray has an answer that later conversion would not give: JPEG's own luma. */
static int
channels_wanted(const struct imgsniff_decoder *d,
		const struct imgsniff_pixmap *dst)
{
	if (dst->layout == IMGSNIFF_GRAY8 &&
	    d->info.color == IMGSNIFF_COLOR_YCBCR)
		return 1;
	return 0;
}

static bool
image_load(const struct imgsniff_decoder *d, struct imgsniff_view bytes,
	   const struct imgsniff_pixmap *dst, struct result *r)
{
	int want = channels_wanted(d, dst), width = 0, height = 0, has = 0;

	r->deep = dst->layout == IMGSNIFF_RGBA16 && d->info.bit_depth == 16;
	if (r->deep) {
		want = 4;
		r->pixels = (const uint8_t *)stbi_load_16_from_memory(
			bytes.data, (int)bytes.size, &width, &height, &has, 4);
	} else {
		r->pixels = stbi_load_from_memory(
			bytes.data, (int)bytes.size, &width, &height, &has,
			want);
	}
	r->channels = (unsigned int)(want != 0 ? want : has);
	r->width = (uint32_t)width;
	r->height = (uint32_t)height;
	return r->pixels != NULL && r->channels >= 1 && r->channels <= 4 &&
	       r->width == d->info.width && r->height == d->info.height;
}

static enum isn_row
row_kind(unsigned int channels)
{
	static const enum isn_row kinds[] = {
		[1] = ISN_ROW_GRAY8, [2] = ISN_ROW_GRAY_ALPHA8,
		[3] = ISN_ROW_RGB8, [4] = ISN_ROW_RGBA8,
	};

	return kinds[channels];
}

/* The mean of sample 'i' in a square of pixels at (x, y), smaller at the edges. */
static uint8_t
square_mean(const struct result *r, uint32_t x, uint32_t y, uint32_t shrink,
	    size_t i)
{
	uint32_t sum = 0, count = 0;

	for (uint32_t v = y; v < r->height && v - y < shrink; v++)
		for (uint32_t u = x; u < r->width && u - x < shrink; u++) {
			size_t pixel = (size_t)v * r->width + u;

			sum += r->pixels[pixel * r->channels + i];
			count++;
		}
	return count ? (uint8_t)((sum + count / 2) / count) : 0;
}

static void
row_shrink(uint8_t *to, const struct result *r, uint32_t y, uint32_t shrink)
{
	for (uint32_t x = 0; x < r->width; x += shrink)
		for (size_t i = 0; i < r->channels; i++)
			*to++ = square_mean(r, x, y, shrink, i);
}

static enum imgsniff_status
rows_write(struct imgsniff_decoder *d, const struct result *r,
	   const struct imgsniff_pixmap *dst)
{
	size_t stride = (size_t)r->channels * r->width * (r->deep ? 2 : 1);
	uint8_t *small = isn_scratch(d, ISN_SCRATCH_ROW, 4 * (size_t)dst->width);

	if (small == NULL)
		return isn_fail_memory(d, "stb: no memory left");
	for (uint32_t y = 0; y < dst->height; y++) {
		const uint8_t *src = r->pixels + (size_t)y * d->shrink * stride;
		void *to = isn_pixmap_row(dst, y);

		if (r->deep) {
			memcpy(to, src, 8 * (size_t)dst->width);
			continue;
		}
		if (d->shrink > 1) {
			row_shrink(small, r, y * d->shrink, d->shrink);
			src = small;
		}
		isn_row_convert(to, dst->layout, src, row_kind(r->channels),
				dst->width);
	}
	return IMGSNIFF_OK;
}

static enum imgsniff_status
heap_decode(struct imgsniff_decoder *d, struct imgsniff_view bytes,
	    const struct imgsniff_pixmap *dst)
{
	struct result r = { .pixels = NULL };

	if (image_load(d, bytes, dst, &r))
		return rows_write(d, &r, dst);
	if (heap->refused)
		return isn_fail_memory(d, "stb: no memory left");
	return isn_fail(d, IMGSNIFF_ERR_CORRUPT, IMGSNIFF_NO_OFFSET,
			"stb: stb_image refuses the image");
}

enum imgsniff_status
isn_stb_decode(struct imgsniff_decoder *d, struct imgsniff_view bytes,
	       struct imgsniff_pixmap *dst)
{
	uint64_t pixels = (uint64_t)d->info.width * d->info.height;
	enum imgsniff_status st;

	/* It counts in int: bytes of four 16-bit samples must fit that. */
	if (bytes.size > INT_MAX || pixels > INT_MAX / 8 ||
	    d->info.width > STBI_MAX_DIMENSIONS ||
	    d->info.height > STBI_MAX_DIMENSIONS)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, IMGSNIFF_NO_OFFSET,
				"stb: larger than stb_image can take");
	/* Those that are shrunk were held against the limits when they were so. */
	if (d->info.width > d->limits.max_dimension ||
	    d->info.height > d->limits.max_dimension)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, IMGSNIFF_NO_OFFSET,
				"size: wider or higher than max-dimension "
				"allows");
	if (pixels > d->limits.max_pixels)
		return isn_fail(d, IMGSNIFF_ERR_LIMIT, IMGSNIFF_NO_OFFSET,
				"size: more pixels than max-pixels allows");
	heap = isn_kept(d, ISN_KEPT_STB, sizeof(*heap), heap_release);
	if (heap == NULL)
		return isn_fail_memory(d, "stb: no memory left");
	heap->memory = &d->memory;
	heap->refused = false;
	st = heap_decode(d, bytes, dst);
	heap_trim(heap, KEEP_MAX);
	heap = NULL;
	return st;
}
