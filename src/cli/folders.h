/*
 * folders.h - where a walk stands: the folders from its start down to here
 *
 * A stack in memory, not calls, so that a tree may be as deep as it likes. Only
 * the deepest few folders are held open; a folder that was closed is opened
 * again when the walk comes back to it. Paths may be longer than PATH_MAX, since
 * names are only ever used relative to their folder's descriptor.
 */

#ifndef FOLDERS_H
#define FOLDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "identity.h"

struct folder {
	struct identity id;
	int fd;				/* or -1: closed to spare descriptors */
	size_t path_size;		/* of folders.path: up to this folder */
	size_t names;			/* of folders.names, before its own */
	size_t next, end;		/* in folders.order */
};

struct folders {
	bool find_loops;		/* links are followed */
	char *path;			/* of what the walk is at */
	size_t path_size, path_room;
	struct folder *stack;
	size_t depth, stack_room;
	char *names;			/* a type, a name, NUL; again and again */
	size_t names_size, names_room;
	size_t *order;			/* offsets in 'names', sorted */
	size_t order_size, order_room;
	size_t *seen;			/* hash of 'stack': index + 1, or 0 */
	size_t seen_room;		/* a power of two, or 0 */
};

void folders_free(struct folders *fs);

/* The path of an operand; false when memory ran out. */
bool folders_path_set(struct folders *fs, const char *path);

/*
 * Goes into the folder at fs->path, open as 'fd', which the stack now owns, and
 * reads its names. Returns 0 or an errno value; ELOOP if the walk is in it
 * already. After an error the walk may be in it (what could be read of it is
 * walked) or not.
 */
int folders_push(struct folders *fs, int fd);

/* Goes back to the folder above; the path is what it was when that was left. */
void folders_pop(struct folders *fs);

/*
 * The next name in the current folder and its DT_ type, with fs->path set to it;
 * NULL after the last one. Where memory runs out: NULL with errno ENOMEM, else
 * errno is 0. The name is valid until the next call of any of these.
 */
const char *folders_next(struct folders *fs, unsigned char *type);

/* Leaves out what is left of the current folder, and sets fs->path to it. */
void folders_skip(struct folders *fs);

/*
 * The current folder's descriptor, opened again if it has to be; -1 with errno
 * if the folder is no longer where it was.
 */
int folders_fd(struct folders *fs);

#endif /* FOLDERS_H */
