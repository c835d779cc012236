/*
 * thumbs.c - where thumbnails go
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "list.h"
#include "message.h"
#include "thumbs.h"
#include "write.h"

/* ---- Files that must stay ------------------------------------------------- */

/* The place of it, or the free one for it; there is room. */
static struct identity *
taken_find(const struct thumbs *t, struct identity wanted)
{
	for (size_t at = identity_hash(wanted);; at++) {
		struct identity *id = &t->taken[at & (t->taken_room - 1)];

		if (id->inode == 0 || identity_equal(*id, wanted))
			return id;
	}
}

static bool
taken_has(const struct thumbs *t, const struct stat *st)
{
	return t->taken_room > 0 && taken_find(t, identity_of(st))->inode != 0;
}

static bool
taken_grow(struct thumbs *t)
{
	struct thumbs larger = *t;

	larger.taken_room = t->taken_room ? t->taken_room * 2 : 64;
	larger.taken = calloc(larger.taken_room, sizeof(*larger.taken));
	if (larger.taken == NULL)
		return false;
	for (size_t i = 0; i < t->taken_room; i++) {
		const struct identity *id = &t->taken[i];

		if (id->inode != 0)
			*taken_find(&larger, *id) = *id;
	}
	free(t->taken);
	t->taken = larger.taken;
	t->taken_room = larger.taken_room;
	return true;
}

static bool
taken_add(struct thumbs *t, const struct stat *st)
{
	struct identity *id;

	if (t->taken_count >= t->taken_room / 2 && !taken_grow(t)) {
		complain(NULL, "%s", strerror(ENOMEM));
		return false;
	}
	id = taken_find(t, identity_of(st));
	t->taken_count += id->inode == 0;
	*id = identity_of(st);
	return true;
}

/* ---- Folders -------------------------------------------------------------- */

static bool
folder_make(const char *path)
{
	struct stat st;
	int error;

	if (mkdir(path, 0777) == 0)
		return true;
	error = errno;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	complain(path, "cannot make the folder: %s", strerror(error));
	return false;
}

/* With all that are above it; what stands after the last slash does not count. */
bool
thumbs_folder_make(struct thumbs *t, const char *path)
{
	bool made = true;
	char *folder, *end;

	if (!t->o->into_folder)
		return true;
	folder = strdup(path);
	if (folder == NULL) {
		complain(path, "%s", strerror(ENOMEM));
		return false;
	}
	end = strrchr(folder, '/');
	*end = '\0';
	if (t->ready != NULL && strcmp(folder, t->ready) == 0) {
		free(folder);
		return true;
	}
	for (char *p = folder + 1; made && p < end; p++)
		if (*p == '/' && p[-1] != '/') {
			*p = '\0';
			made = folder_make(folder);
			*p = '/';
		}
	made = made && folder_make(folder);
	free(t->ready);
	t->ready = folder;
	if (!made)
		*folder = '\0';
	return made;
}

static bool
path_reserve(struct thumbs *t, size_t size)
{
	char *path;

	if (size <= t->path_room)
		return true;
	size += 256;
	path = realloc(t->path, size);
	if (path == NULL) {
		complain(NULL, "%s", strerror(ENOMEM));
		return false;
	}
	t->path = path;
	t->path_room = size;
	return true;
}

/* --output with one slash at its end. */
static bool
root_make(struct thumbs *t, struct options *o)
{
	size_t size = strlen(o->output);
	struct stat st;

	while (size > 1 && o->output[size - 1] == '/')
		size--;
	if (!path_reserve(t, size + 2))
		return false;
	memcpy(t->path, o->output, size);
	if (t->path[size - 1] != '/')
		t->path[size++] = '/';
	t->path[size] = '\0';
	t->root_size = size;
	if (!thumbs_folder_make(t, t->path))
		return false;
	if (stat(t->path, &st) != 0) {
		complain(t->path, "%s", strerror(errno));
		return false;
	}
	o->leave_out = identity_of(&st);
	return true;
}

/* What could be replaced there may be an image that the walk comes to later. */
static bool
folder_is_apart(const struct thumbs *t, const char *path, const struct stat *st)
{
	int fd;
	bool inside;

	if (!t->o->into_folder)
		return true;
	if (identity_equal(identity_of(st), t->o->leave_out)) {
		complain(path, "cannot be where the thumbnails go as well");
		return false;
	}
	if (!options_replace(t->o))
		return true;
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	inside = fd >= 0 && identity_holds(t->o->leave_out, fd);
	if (inside)
		complain(path, "lies in %s, where thumbnails replace files: "
			 "without --force and --update, or with another "
			 "--output", t->o->output);
	if (fd >= 0)
		close(fd);
	return !inside;
}

static bool
input_protect(struct thumbs *t, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return true;		/* the walk will tell */
	if (S_ISDIR(st.st_mode) && !folder_is_apart(t, path, &st))
		return false;
	return taken_add(t, &st);
}

/* Names in a file can be read twice; those from a pipe are not known yet. */
static bool
listed_protect(struct thumbs *t)
{
	const char *path = t->o->files_from;
	struct list_name n;
	struct list l;
	struct stat st;
	bool safe = true;

	if (!options_replace(t->o) || strcmp(path, "-") == 0 ||
	    stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    list_open(&l, path, t->o->null) != 0)
		return true;
	while (safe && (n = list_next(&l)).name != NULL)
		safe = n.error != 0 || input_protect(t, n.name);
	list_close(&l);
	return safe;
}

bool
thumbs_init(struct thumbs *t, struct options *o, char **inputs, size_t count)
{
	*t = (struct thumbs){ .o = o };
	if (o->action != ACTION_THUMBNAIL)
		return true;
	t->suffix = writer_find(o->to)->suffixes;
	if (o->into_folder && !root_make(t, o))
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(inputs[i], "-") != 0 && !input_protect(t, inputs[i]))
			return false;
	return o->files_from == NULL || listed_protect(t);
}

void
thumbs_free(struct thumbs *t)
{
	free(t->path);
	free(t->ready);
	free(t->taken);
}

/* ---- Files ---------------------------------------------------------------- */

static bool
path_make(struct thumbs *t, const struct entry *e)
{
	size_t below = strlen(e->below), suffix = strcspn(t->suffix, " ");
	char *p;

	if (!path_reserve(t, t->root_size + below + suffix + 2))
		return false;
	p = t->path + t->root_size;
	memcpy(p, e->below, below);
	p += below;
	*p++ = '.';
	memcpy(p, t->suffix, suffix);
	p[suffix] = '\0';
	return true;
}

static bool
is_older(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec < b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec < b->st_mtim.tv_nsec;
}

/* Does 'path', which begins with --output, lie in that, and not behind a link? */
static bool
path_is_inside(const struct thumbs *t, char *path)
{
	char *slash = strrchr(path, '/');
	int fd;
	bool inside;

	*slash = '\0';
	fd = open(slash == path ? "/" : path,
		  O_PATH | O_DIRECTORY | O_CLOEXEC);
	*slash = '/';
	inside = fd >= 0 && identity_holds(t->o->leave_out, fd);
	if (fd >= 0)
		close(fd);
	return inside;
}

/* There is something already: 'st'. */
static enum thumbs_answer
existing_weigh(struct thumbs *t, const struct entry *e, const char *path,
	       const struct stat *st)
{
	struct stat input;

	if (taken_has(t, st) && S_ISREG(st->st_mode)) {
		complain(e->path, "no thumbnail over %s: it is an input, or has "
			 "been made in this run", path);
		return THUMBS_REFUSED;
	}
	if (t->o->into_folder && options_replace(t->o) &&
	    !path_is_inside(t, t->path)) {
		complain(e->path, "no thumbnail over %s: a link leads there, out "
			 "of %s", path, t->o->output);
		return THUMBS_REFUSED;
	}
	if (!t->o->update || fstat(e->fd, &input) != 0 ||
	    !S_ISREG(input.st_mode) || is_older(st, &input))
		return THUMBS_MAKE;
	return taken_add(t, st) ? THUMBS_FRESH : THUMBS_REFUSED;
}

enum thumbs_answer
thumbs_place(struct thumbs *t, const struct entry *e, const char **path)
{
	struct stat st;

	*path = t->o->output;
	if (t->o->into_folder) {
		if (!path_make(t, e))
			return THUMBS_REFUSED;
		*path = t->path;
	}
	if (fstat(e->fd, &st) == 0 && S_ISREG(st.st_mode) && !taken_add(t, &st))
		return THUMBS_REFUSED;
	if (*path == NULL || strcmp(*path, "-") == 0 || stat(*path, &st) != 0)
		return THUMBS_MAKE;
	return existing_weigh(t, e, *path, &st);
}

void
thumbs_keep(struct thumbs *t, const char *path)
{
	struct stat st;

	if (t->o->into_folder && stat(path, &st) == 0)
		taken_add(t, &st);
}
