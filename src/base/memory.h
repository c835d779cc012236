/*
 * memory.h - every byte the library allocates is counted, and limited, here
 *
 * Three kinds of memory hang off one counter:
 *
 *	arena	lives as long as the open image, never freed piece by piece
 *	scratch	one growing block for one purpose, kept from image to image
 *	plain	what a single owner frees by itself
 */

#ifndef ISN_BASE_MEMORY_H
#define ISN_BASE_MEMORY_H

#include <imgsniff.h>

struct isn_memory {
	struct imgsniff_allocator allocator;
	uint64_t limit;			/* bytes at one time */
	uint64_t used;
	bool over_limit;		/* the last NULL was the limit's doing */
	/* NULL, or frees what is only held for later, before a NULL. */
	void (*reclaim)(struct isn_memory *m);
};

/* NULL if 'size' would pass the limit or the allocator has no more. */
void *isn_memory_alloc(struct isn_memory *m, size_t size);

/* NULL is allowed. 'size' is what was asked for. */
void isn_memory_free(struct isn_memory *m, void *ptr, size_t size);

/*
 * Counts what a foreign library is about to allocate by itself, by estimate.
 * False if that would pass the limit. Give it back with isn_memory_release().
 */
bool isn_memory_reserve(struct isn_memory *m, uint64_t size);
void isn_memory_release(struct isn_memory *m, uint64_t size);

struct isn_scratch {
	uint8_t *data;
	size_t size;
};

/* At least 'size' bytes, old contents lost; NULL leaves the scratch empty. */
void *isn_scratch_get(struct isn_memory *m, struct isn_scratch *s, size_t size);

/* The same, but the first 'keep' bytes stay; NULL leaves it as it was. */
void *isn_scratch_grow(struct isn_memory *m, struct isn_scratch *s, size_t size,
		       size_t keep);

void isn_scratch_free(struct isn_memory *m, struct isn_scratch *s);

struct isn_arena {
	struct isn_memory *memory;
	struct isn_arena_block *blocks;	/* newest first */
	size_t used;			/* bytes of the newest block */
};

/* Aligned for any type; the zalloc one is zeroed. NULL as isn_memory_alloc(). */
void *isn_arena_alloc(struct isn_arena *arena, size_t size);
void *isn_arena_zalloc(struct isn_arena *arena, size_t size);

/* Forgets everything in it; keeps one small block for the next image. */
void isn_arena_reset(struct isn_arena *arena);
void isn_arena_free(struct isn_arena *arena);

#endif /* ISN_BASE_MEMORY_H */
