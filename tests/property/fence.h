/*
 * fence.h - memory between two pages that nobody may touch
 */

#ifndef ISN_TESTS_FENCE_H
#define ISN_TESTS_FENCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

struct fence {
	uint8_t *start, *end;
};

static inline struct fence
fence_make(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct fence f;

	size = (size + page - 1) / page * page;
	f.start = mmap(NULL, size + 2 * page, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(f.start, MAP_FAILED);
	f.start += page;
	f.end = f.start + size;
	assert_int_equal(mprotect(f.start, size, PROT_READ | PROT_WRITE), 0);
	return f;
}

/* 'size' bytes of it, at one side. */
static inline uint8_t *
fence_at(const struct fence *f, size_t size, bool at_end)
{
	return at_end ? f->end - size : f->start;
}

static inline void
fence_free(const struct fence *f)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	munmap(f->start - page, (size_t)(f->end - f->start) + 2 * page);
}

#endif /* ISN_TESTS_FENCE_H */
