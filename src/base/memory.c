/*
 * memory.c - every byte the library allocates is counted, and limited, here
 */

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"

/* Enough for the parsers' state of one image of any format. */
#define ARENA_BLOCK	8192

struct isn_arena_block {
	struct isn_arena_block *next;
	size_t size;			/* of 'bytes' */
	alignas(max_align_t) uint8_t bytes[];
};

static bool
memory_has_room(const struct isn_memory *m, uint64_t size)
{
	return m->used <= m->limit && size <= m->limit - m->used;
}

/* True if it freed something. */
static bool
memory_reclaim(struct isn_memory *m)
{
	uint64_t used = m->used;

	if (m->reclaim != NULL)
		m->reclaim(m);
	return m->used < used;
}

bool
isn_memory_reserve(struct isn_memory *m, uint64_t size)
{
	m->over_limit = !memory_has_room(m, size) &&
			!(memory_reclaim(m) && memory_has_room(m, size));
	if (!m->over_limit)
		m->used += size;
	return !m->over_limit;
}

void
isn_memory_release(struct isn_memory *m, uint64_t size)
{
	m->used -= size;
}

void *
isn_memory_alloc(struct isn_memory *m, size_t size)
{
	void *ptr;

	if (!isn_memory_reserve(m, size))
		return NULL;
	ptr = m->allocator.allocate(m->allocator.user, size);
	if (ptr == NULL && memory_reclaim(m))
		ptr = m->allocator.allocate(m->allocator.user, size);
	if (ptr == NULL)
		isn_memory_release(m, size);
	return ptr;
}

void
isn_memory_free(struct isn_memory *m, void *ptr, size_t size)
{
	if (ptr == NULL)
		return;
	m->allocator.release(m->allocator.user, ptr, size);
	isn_memory_release(m, size);
}

void *
isn_scratch_get(struct isn_memory *m, struct isn_scratch *s, size_t size)
{
	if (s->size >= size && s->data != NULL)
		return s->data;
	isn_scratch_free(m, s);
	return isn_scratch_grow(m, s, size, 0);
}

void *
isn_scratch_grow(struct isn_memory *m, struct isn_scratch *s, size_t size,
		 size_t keep)
{
	uint8_t *data;

	if (size == 0)
		size = 1;
	if (s->size >= size)
		return s->data;
	data = isn_memory_alloc(m, size);
	if (data == NULL)
		return NULL;
	if (keep > 0)
		memcpy(data, s->data, keep);
	isn_scratch_free(m, s);
	s->data = data;
	s->size = size;
	return data;
}

void
isn_scratch_free(struct isn_memory *m, struct isn_scratch *s)
{
	isn_memory_free(m, s->data, s->size);
	*s = (struct isn_scratch){ NULL, 0 };
}

static bool
arena_add_block(struct isn_arena *arena, size_t size)
{
	struct isn_arena_block *block;

	if (size < ARENA_BLOCK)
		size = ARENA_BLOCK;
	block = isn_memory_alloc(arena->memory, sizeof(*block) + size);
	if (block == NULL)
		return false;
	block->next = arena->blocks;
	block->size = size;
	arena->blocks = block;
	arena->used = 0;
	return true;
}

void *
isn_arena_alloc(struct isn_arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	uint8_t *ptr;

	if (size > SIZE_MAX - align - sizeof(struct isn_arena_block)) {
		arena->memory->over_limit = true;
		return NULL;
	}
	size = (size + align - 1) / align * align;
	if (arena->blocks == NULL || size > arena->blocks->size - arena->used)
		if (!arena_add_block(arena, size))
			return NULL;
	ptr = arena->blocks->bytes + arena->used;
	arena->used += size;
	return ptr;
}

void *
isn_arena_zalloc(struct isn_arena *arena, size_t size)
{
	void *ptr = isn_arena_alloc(arena, size);

	if (ptr != NULL)
		memset(ptr, 0, size);
	return ptr;
}

static void
arena_drop_newest(struct isn_arena *arena)
{
	struct isn_arena_block *block = arena->blocks;

	arena->blocks = block->next;
	isn_memory_free(arena->memory, block, sizeof(*block) + block->size);
}

void
isn_arena_reset(struct isn_arena *arena)
{
	while (arena->blocks != NULL && (arena->blocks->next != NULL ||
					 arena->blocks->size > ARENA_BLOCK))
		arena_drop_newest(arena);
	arena->used = 0;
}

void
isn_arena_free(struct isn_arena *arena)
{
	while (arena->blocks != NULL)
		arena_drop_newest(arena);
	arena->used = 0;
}
