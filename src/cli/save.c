/*
 * save.c - a file that appears under its name only when it is complete
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "message.h"
#include "save.h"

#define TRIES	100

static const char *
save_name(const struct save *s)
{
	return s->path == NULL || strcmp(s->path, "-") == 0 ? "standard output"
							    : s->path;
}

void
save_complain(struct save *s, const char *what)
{
	s->error = errno;
	complain(save_name(s), "%s: %s", what, strerror(errno));
}

bool
save_refuse(const struct save *s, const char *why)
{
	complain(save_name(s), "%s", why);
	return false;
}

static bool
is_open_as(const struct stat *st, int fd)
{
	struct stat other;

	return fd >= 0 && fstat(fd, &other) == 0 &&
	       other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

/* As with >>; a terminal or a socket may well be both. */
static bool
is_input(int fd, int input)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       is_open_as(&st, input);
}

/* ---- Begin ---------------------------------------------------------------- */

static bool
straight_open(struct save *s)
{
	s->fd = open(s->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (s->fd >= 0)
		return true;
	save_complain(s, "cannot open for writing");
	return false;
}

/*
 * A new file beside 'path'. Its own name begins with a dot and does not grow with
 * that of the target, which may be as long as names can be. The mode is what the
 * umask leaves.
 */
static bool
temporary_open(struct save *s)
{
	const char *slash = strrchr(s->path, '/');
	int folder = slash ? (int)(slash + 1 - s->path) : 0;
	size_t size = (size_t)folder + sizeof(".imgsniff-0123456789abcdef");

	s->temporary = malloc(size);
	for (int i = 0; s->temporary != NULL && i < TRIES; i++) {
		uint64_t random;

		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			break;
		snprintf(s->temporary, size, "%.*s.imgsniff-%016" PRIx64,
			 folder, s->path, random);
		interrupt_remove(s->temporary);
		s->fd = open(s->temporary, O_WRONLY | O_CREAT | O_EXCL |
			     O_NOFOLLOW | O_CLOEXEC, 0666);
		if (s->fd >= 0)
			return true;
		if (errno != EEXIST)
			break;
	}
	save_complain(s, "cannot write");
	interrupt_remove(NULL);
	free(s->temporary);
	s->temporary = NULL;
	return false;
}

/*
 * Is 'path' a link to what is standard output or standard error already, as
 * /dev/stdout is? A new file in the place of that link would be a bad surprise.
 */
static bool
stream_find(struct save *s, const struct stat *st)
{
	struct stat link;

	if (lstat(s->path, &link) != 0 || !S_ISLNK(link.st_mode))
		return false;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (is_open_as(st, fd)) {
			s->fd = fd;
			return true;
		}
	return false;
}

/* 'path' leads to something: 'st'. */
static bool
existing_open(struct save *s, const struct stat *st, int input)
{
	if (S_ISDIR(st->st_mode))
		return save_refuse(s, "is a folder");
	if (is_open_as(st, input) && !S_ISCHR(st->st_mode))
		return save_refuse(s, "is the input itself");
	if (stream_find(s, st))
		return true;
	if (S_ISBLK(st->st_mode) && !s->force)
		return save_refuse(s, "is a block device (--force writes to it)");
	if (!S_ISREG(st->st_mode))
		return straight_open(s);
	if (!s->force)
		return save_refuse(s, "exists (--force replaces it)");
	return temporary_open(s);
}

bool
save_begin(struct save *s, const char *path, bool force, int input)
{
	struct stat st;

	*s = (struct save){ .path = path, .fd = STDOUT_FILENO, .force = force };
	if (path == NULL || strcmp(path, "-") == 0)
		return !is_input(STDOUT_FILENO, input) ||
		       save_refuse(s, "is the input itself");
	if (stat(path, &st) == 0)
		return existing_open(s, &st, input);
	if (lstat(path, &st) == 0) {	/* a link to nowhere */
		if (!force)
			return save_refuse(s, "exists (--force replaces it)");
	} else if (errno != ENOENT || path[0] == '\0') {
		save_complain(s, "cannot write");
		return false;
	}
	return temporary_open(s);
}

/* ---- End ------------------------------------------------------------------ */

static void
temporary_forget(struct save *s)
{
	interrupt_remove(NULL);
	free(s->temporary);
	s->temporary = NULL;
}

void
save_abandon(struct save *s)
{
	if (s->fd > STDERR_FILENO)
		close(s->fd);
	if (s->temporary != NULL) {
		unlink(s->temporary);
		temporary_forget(s);
	}
}

/*
 * Gives the file its name unless that is taken, in one step. Where a file system
 * cannot rename so, it may know hard links.
 */
static int
name_give(const struct save *s)
{
	if (s->force)
		return rename(s->temporary, s->path);
	if (renameat2(AT_FDCWD, s->temporary, AT_FDCWD, s->path,
		      RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (link(s->temporary, s->path) != 0)
		return -1;
	unlink(s->temporary);
	return 0;
}

bool
save_commit(struct save *s)
{
	int fd = s->fd;

	s->fd = -1;
	if (fd > STDERR_FILENO && close(fd) != 0) {
		save_complain(s, "cannot write");
		save_abandon(s);
		return false;
	}
	if (s->temporary == NULL)
		return true;
	if (name_give(s) != 0) {
		save_complain(s, "cannot give the file its name");
		save_abandon(s);
		return false;
	}
	temporary_forget(s);
	return true;
}
