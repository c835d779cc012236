/*
 * thumbs.h - where thumbnails go
 *
 * Below the folder of --output, where its input lies below what was named; its
 * name is all of the input's name and one suffix more. So no two files of a
 * folder have the same thumbnail, whatever else comes into that folder later.
 */

#ifndef THUMBS_H
#define THUMBS_H

#include "identity.h"
#include "walk.h"

struct thumbs {
	const struct options *o;
	const char *suffix;
	char *path;			/* of the thumbnail, in a folder */
	size_t path_room;
	size_t root_size;		/* of it: --output and a slash */
	char *ready;			/* a folder that is there */
	struct identity *taken;		/* hash; inode 0 is a free place */
	size_t taken_count, taken_room;
};

/*
 * Makes the folder, if it is one, and tells the walk to keep out of it. 'inputs'
 * are those that were named: none of them is overwritten. Nor is what a walk has
 * not met yet: where files may be replaced, only such as lie inside the folder
 * are, and nothing inside it is walked. False after a complaint.
 */
bool thumbs_init(struct thumbs *t, struct options *o, char **inputs,
		 size_t count);
void thumbs_free(struct thumbs *t);

enum thumbs_answer {
	THUMBS_MAKE,
	THUMBS_FRESH,			/* with --update: no older than the input */
	THUMBS_REFUSED,			/* the user has been told why */
};

/*
 * Where the thumbnail of 'e' goes, valid until the next call; NULL is standard
 * output.
 */
enum thumbs_answer thumbs_place(struct thumbs *t, const struct entry *e,
				const char **path);

/* Makes the folders between --output and that; false after a complaint. */
bool thumbs_folder_make(struct thumbs *t, const char *path);

/* It has been written, and must stay, whatever comes after it. */
void thumbs_keep(struct thumbs *t, const char *path);

#endif /* THUMBS_H */
