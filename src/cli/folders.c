/*
 * folders.c - where a walk stands: the folders from its start down to here
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"

/*
 * Folders held open. A process may have as few as 16 descriptors, and besides
 * these there are the three standard ones, a list of names, a folder being
 * read (twice), the file itself, libmagic's database and an output.
 */
#define OPEN_MAX_FOLDERS	4

/* Room for 'need' items: the same array or a larger one, NULL without memory. */
static void *
array_grow(void *array, size_t *room, size_t need, size_t item)
{
	size_t larger = *room < 64 ? 64 : *room;

	if (need <= *room && array != NULL)
		return array;
	while (larger < need) {
		if (larger > SIZE_MAX / 2)
			return NULL;
		larger *= 2;
	}
	if (larger > SIZE_MAX / item)
		return NULL;
	array = realloc(array, larger * item);
	if (array != NULL)
		*room = larger;
	return array;
}

void
folders_free(struct folders *fs)
{
	while (fs->depth > 0)
		folders_pop(fs);
	free(fs->path);
	free(fs->stack);
	free(fs->names);
	free(fs->order);
	free(fs->seen);
	*fs = (struct folders){ 0 };
}

/* ---- The path ------------------------------------------------------------- */

/* Puts 'name' after the first 'size' bytes of the path. */
static bool
path_append(struct folders *fs, size_t size, const char *name)
{
	size_t length = strlen(name);
	char *path = array_grow(fs->path, &fs->path_room, size + length + 2, 1);

	if (path == NULL)
		return false;
	fs->path = path;
	if (size > 0 && path[size - 1] != '/')
		path[size++] = '/';
	memcpy(path + size, name, length + 1);
	fs->path_size = size + length;
	return true;
}

static void
path_cut(struct folders *fs, size_t size)
{
	fs->path[size] = '\0';
	fs->path_size = size;
}

bool
folders_path_set(struct folders *fs, const char *path)
{
	return path_append(fs, 0, path);
}

/* ---- Loops ---------------------------------------------------------------- */

static size_t
seen_slot(const struct folders *fs, struct identity id)
{
	size_t mask = fs->seen_room - 1;
	size_t slot = identity_hash(id) & mask;

	while (fs->seen[slot] != 0) {
		if (identity_equal(fs->stack[fs->seen[slot] - 1].id, id))
			break;
		slot = (slot + 1) & mask;
	}
	return slot;
}

/* Makes the table at least twice as large as what it will hold. */
static bool
seen_grow(struct folders *fs)
{
	size_t room = fs->seen_room == 0 ? 64 : fs->seen_room * 2;
	size_t *table;

	if (fs->seen_room / 2 > fs->depth)
		return true;
	table = calloc(room, sizeof(*table));
	if (table == NULL)
		return false;
	free(fs->seen);
	fs->seen = table;
	fs->seen_room = room;
	for (size_t i = 0; i < fs->depth; i++)
		table[seen_slot(fs, fs->stack[i].id)] = i + 1;
	return true;
}

/* Notes the folder that is to be stack[depth]. */
static int
seen_add(struct folders *fs, const struct folder *f)
{
	size_t slot;

	if (!fs->find_loops)
		return 0;
	if (!seen_grow(fs))
		return ENOMEM;
	slot = seen_slot(fs, f->id);
	if (fs->seen[slot] != 0)
		return ELOOP;
	fs->seen[slot] = fs->depth + 1;
	return 0;
}

/*
 * Forgets the folder added last. No folder still in the table was moved on by
 * this slot's being taken, since all of them came before: it may be emptied.
 */
static void
seen_remove(struct folders *fs, const struct folder *f)
{
	if (fs->find_loops)
		fs->seen[seen_slot(fs, f->id)] = 0;
}

/* ---- Names ---------------------------------------------------------------- */

static bool
name_add(struct folders *fs, unsigned char type, const char *name)
{
	size_t size = strlen(name) + 1;
	char *names = array_grow(fs->names, &fs->names_room,
				 fs->names_size + 1 + size, 1);
	size_t *order;

	if (names == NULL)
		return false;
	fs->names = names;
	order = array_grow(fs->order, &fs->order_room, fs->order_size + 1,
			   sizeof(*order));
	if (order == NULL)
		return false;
	fs->order = order;
	order[fs->order_size++] = fs->names_size;
	names[fs->names_size] = (char)type;
	memcpy(names + fs->names_size + 1, name, size);
	fs->names_size += 1 + size;
	return true;
}

static int
name_compare(const void *a, const void *b, void *names)
{
	const char *base = names;

	return strcmp(base + *(const size_t *)a + 1,
		      base + *(const size_t *)b + 1);
}

static int
names_read_from(struct folders *fs, DIR *dir)
{
	struct dirent *e;

	while (errno = 0, (e = readdir(dir)) != NULL) {
		const char *n = e->d_name;

		if (n[0] == '.' && (!n[1] || (n[1] == '.' && !n[2])))
			continue;
		if (!name_add(fs, e->d_type, n))
			return ENOMEM;
	}
	return errno;
}

/* Reads and sorts the names in the folder 'fd', which stays open. */
static int
names_read(struct folders *fs, int fd)
{
	size_t start = fs->order_size;
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	int error = errno;

	if (dir == NULL) {
		if (copy >= 0)
			close(copy);
		return error;
	}
	error = names_read_from(fs, dir);
	closedir(dir);
	if (fs->order_size > start)
		qsort_r(fs->order + start, fs->order_size - start,
			sizeof(*fs->order), name_compare, fs->names);
	return error;
}

/* ---- The stack ------------------------------------------------------------ */

static void
folder_close(struct folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

int
folders_push(struct folders *fs, int fd)
{
	struct folder f = { .fd = fd, .path_size = fs->path_size };
	struct folder *stack;
	struct stat st;
	int error = 0;

	stack = array_grow(fs->stack, &fs->stack_room, fs->depth + 1,
			   sizeof(*stack));
	if (stack != NULL)
		fs->stack = stack;
	if (stack == NULL || fstat(fd, &st) != 0) {
		error = stack == NULL ? ENOMEM : errno;
	} else {
		f.id = identity_of(&st);
		error = seen_add(fs, &f);
	}
	if (error != 0) {
		close(fd);
		return error;
	}
	f.names = fs->names_size;
	f.next = fs->order_size;
	error = names_read(fs, fd);
	f.end = fs->order_size;
	if (fs->depth >= OPEN_MAX_FOLDERS)
		folder_close(&stack[fs->depth - OPEN_MAX_FOLDERS]);
	stack[fs->depth++] = f;
	return error;
}

static bool
folder_is(const struct folder *f, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && identity_equal(identity_of(&st), f->id);
}

/* Opens 'name' below 'at' if it is the folder 'f' still; -1 with errno if not. */
static int
folder_open(const struct folder *f, int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && !folder_is(f, fd)) {
		close(fd);
		errno = ESTALE;
		return -1;
	}
	return fd;
}

void
folders_pop(struct folders *fs)
{
	struct folder *f = &fs->stack[--fs->depth];
	struct folder *above = fs->depth > 0 ? f - 1 : NULL;

	seen_remove(fs, f);
	fs->names_size = f->names;
	fs->order_size = above ? above->end : 0;
	/* Not the way back if a link led here: folders_fd() will see to it. */
	if (above != NULL && above->fd < 0 && f->fd >= 0)
		above->fd = folder_open(above, f->fd, "..");
	folder_close(f);
	if (above != NULL)
		path_cut(fs, above->path_size);
}

const char *
folders_next(struct folders *fs, unsigned char *type)
{
	struct folder *f = &fs->stack[fs->depth - 1];
	const char *record;

	errno = 0;
	if (f->next == f->end)
		return NULL;
	record = fs->names + fs->order[f->next++];
	*type = (unsigned char)record[0];
	if (!path_append(fs, f->path_size, record + 1)) {
		errno = ENOMEM;
		return NULL;
	}
	return record + 1;
}

void
folders_skip(struct folders *fs)
{
	struct folder *f = &fs->stack[fs->depth - 1];

	f->next = f->end;
	path_cut(fs, f->path_size);
}

/*
 * Opens stack[i] below the folder above it, 'at'. Its name stands in the path,
 * which goes on behind it; for the first folder that is the operand.
 */
static int
folder_open_by_path(struct folders *fs, size_t i, int at)
{
	const struct folder *f = &fs->stack[i];
	size_t start = i > 0 ? f[-1].path_size : 0;
	char kept = fs->path[f->path_size];
	int fd;

	if (i > 0 && fs->path[start] == '/')
		start++;
	fs->path[f->path_size] = '\0';
	fd = folder_open(f, at, fs->path + start);
	fs->path[f->path_size] = kept;
	return fd;
}

/* All the way from the operand down. The last few are kept for the way back. */
static int
folders_reopen(struct folders *fs)
{
	int at = AT_FDCWD;

	for (size_t i = 0; i < fs->depth; i++) {
		int fd = folder_open_by_path(fs, i, at);
		int error = errno;

		if (i > 0 && (fd < 0 || fs->depth - i >= OPEN_MAX_FOLDERS))
			folder_close(&fs->stack[i - 1]);
		if (fd < 0) {
			for (size_t k = 0; k < i; k++)
				folder_close(&fs->stack[k]);
			errno = error;
			return -1;
		}
		fs->stack[i].fd = at = fd;
	}
	return at;
}

int
folders_fd(struct folders *fs)
{
	struct folder *f = &fs->stack[fs->depth - 1];

	if (f->fd < 0)
		return folders_reopen(fs);
	return f->fd;
}
