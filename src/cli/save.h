/*
 * save.h - a file that appears under its name only when it is complete
 */

#ifndef SAVE_H
#define SAVE_H

#include <stdbool.h>

struct save {
	const char *path;		/* as given; must stay until the end */
	int fd;				/* to write to */
	bool force;			/* may replace a file */
	int error;			/* errno of what failed, or 0 */
	char *temporary;		/* NULL: 'fd' is written to straight */
};

/*
 * Opens 'path' for writing; NULL and "-" are standard output. What is no file
 * (/dev/null, a FIFO, a terminal) is written to straight, and so is what a link
 * such as /dev/stdout leads to, if it is standard output or standard error. Else
 * a new file is begun in the same folder. Refused are: a folder; a file that
 * exists, and a block device, without 'force'; and always the file that is open
 * as 'input', -1 for none, by whatever name. Any other link counts as a file that
 * exists: with 'force' it is replaced, what it leads to stays as it is.
 *
 * False if it failed; the user has been told.
 */
bool save_begin(struct save *s, const char *path, bool force, int input);

/*
 * Closes the file and gives it its name. Without 'force' never over another, not
 * even over one that came meanwhile. False if it failed: told, and nothing left.
 */
bool save_commit(struct save *s);

/* Closes and removes it. */
void save_abandon(struct save *s);

/* Tells the user that writing failed, by errno. */
void save_complain(struct save *s, const char *what);

/* Tells the user why it is not written. False. */
bool save_refuse(const struct save *s, const char *why);

#endif /* SAVE_H */
