/*
 * walk.h - the files to work on: operands, lists of names, directories
 */

#ifndef WALK_H
#define WALK_H

#include "options.h"

struct entry {
	const char *path;		/* as given, or as reached; "-" is stdin */
	const char *below;		/* its place below what was named */
	int fd;				/* open for reading, or -1 if 'error' */
	int error;			/* errno of what went wrong, else 0 */
	const char *problem;		/* what went wrong, "cannot open": for people */
	bool named;			/* by the user, not met in a walk */
};

/* Returns false to stop the walk. The descriptor is closed by the walker. */
typedef bool (*entry_visitor)(void *user, const struct entry *e);

/*
 * Visits every operand, every name in --files-from, and every file in the
 * directories among them (sorted, depth first). A directory that cannot be read,
 * is met again through a link, or vanishes is visited with 'error' set. Returns
 * false if the visitor did.
 */
bool walk_inputs(const struct options *o, char **operands, size_t count,
		 entry_visitor visit, void *user);

#endif /* WALK_H */
