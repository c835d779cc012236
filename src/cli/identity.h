/*
 * identity.h - which file it is, whatever its name
 */

#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* No file has inode 0. */
struct identity {
	dev_t device;
	ino_t inode;
};

static inline struct identity
identity_of(const struct stat *st)
{
	return (struct identity){ st->st_dev, st->st_ino };
}

static inline bool
identity_equal(struct identity a, struct identity b)
{
	return a.inode == b.inode && a.device == b.device;
}

/* For a table whose size is a power of two. */
static inline size_t
identity_hash(struct identity id)
{
	uint64_t hash = ((uint64_t)id.inode ^ (uint64_t)id.device << 40) *
			UINT64_C(0x9e3779b97f4a7c15);	/* 2^64 / golden ratio */

	return (size_t)(hash >> 32);
}

/*
 * Is the folder 'fd' the one that 'top' is, or inside of that, by the way up
 * from it, not by the one that led there? Where that cannot be told: true.
 */
bool identity_holds(struct identity top, int fd);

#endif /* IDENTITY_H */
