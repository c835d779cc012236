/*
 * match.h - --include and --exclude: which names met in a walk are wanted
 */

#ifndef MATCH_H
#define MATCH_H

#include "options.h"

struct glob {
	char *pattern;
	bool whole_path;		/* else the last part of it */
	bool only_folders;
};

struct match {
	struct glob *globs;		/* the includes, then the excludes */
	size_t includes, count;
};

/*
 * A pattern without a slash is for a name, one with a slash for the whole path
 * as it is printed; a '*' matches slashes and a leading dot too. A pattern that
 * ends in a slash is for folders only, and that slash does not count. Bytes are
 * compared, whatever the locale. False when memory ran out.
 */
bool match_init(struct match *m, const struct options *o);
void match_free(struct match *m);

/* Is it included (or is nothing named to be included), and not excluded? */
bool match_file(const struct match *m, const char *path, const char *name);

/* Is it not excluded? Includes are for files. */
bool match_folder(const struct match *m, const char *path, const char *name);

#endif /* MATCH_H */
