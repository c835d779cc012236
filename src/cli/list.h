/*
 * list.h - names from a file, one after another, however many there are
 */

#ifndef LIST_H
#define LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	int fd;
	char end;			/* what ends a name: newline or NUL */
	bool ended;			/* nothing more can be read */
	bool skipping;			/* inside a name that is too long */
	size_t start, used;		/* what was not handed out yet */
	char bytes[65537];		/* and one for a NUL */
};

struct list_name {
	const char *name;		/* NULL: the list ends */
	int error;			/* errno of what is wrong, else 0 */
	const char *problem;		/* for people */
};

/* 'path' "-" is standard input; names end in NUL if 'null'. 0 or errno. */
int list_open(struct list *l, const char *path, bool null);
void list_close(struct list *l);

/*
 * The next name that is not empty, valid until the next call. A name that cannot
 * be one comes with an error; an error without a name ends the list.
 */
struct list_name list_next(struct list *l);

#endif /* LIST_H */
