/*
 * walk.c - the files to work on: operands, lists of names, directories
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"
#include "list.h"
#include "match.h"
#include "walk.h"

/*
 * O_NONBLOCK: opening a FIFO without a writer must not hang, in a walk not even
 * where one takes a file's place; O_NOCTTY: nor may a terminal become ours.
 */
#define OPEN_FLAGS	(O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

struct walk {
	const struct options *o;
	entry_visitor visit;
	void *user;
	struct match match;
	struct folders folders;
	size_t root_size;		/* of a path: what was named */
};

static bool
problem_report(struct walk *w, const char *path, bool named, int error,
	       const char *problem)
{
	struct entry e = {
		.path = path,
		.fd = -1,
		.error = error,
		.problem = problem,
		.named = named,
	};

	return w->visit(w->user, &e);
}

/* Visits it and closes it. */
static bool
file_visit(struct walk *w, const char *path, const char *below, bool named,
	   int fd)
{
	struct entry e = {
		.path = path, .below = below, .fd = fd, .named = named,
	};
	bool go_on = w->visit(w->user, &e);

	close(fd);
	return go_on;
}

/* ---- In folders ----------------------------------------------------------- */

/* A link may lead to what is inside of it as well. */
static bool
is_left_out(const struct options *o, int fd, bool by_link)
{
	struct stat st;

	if (o->leave_out.inode == 0)
		return false;
	if (by_link)
		return identity_holds(o->leave_out, fd);
	return fstat(fd, &st) == 0 &&
	       identity_equal(identity_of(&st), o->leave_out);
}

static bool
folder_enter(struct walk *w, int fd, bool by_link)
{
	bool named = w->folders.depth == 0;
	int error;

	if (is_left_out(w->o, fd, by_link)) {
		close(fd);
		return true;
	}
	error = folders_push(&w->folders, fd);
	if (error == 0)
		return true;
	return problem_report(w, w->folders.path, named, error, error == ELOOP
			      ? "the folder contains itself by a link"
			      : "cannot read the folder");
}

/*
 * What 'name' is, as a mode: d_type tells without asking, but for links that are
 * to be followed and file systems that do not say. 0 with errno on failure.
 */
static mode_t
name_mode(const struct walk *w, int at, const char *name, unsigned char type)
{
	int flags = w->o->follow ? 0 : AT_SYMLINK_NOFOLLOW;
	struct stat st;

	if (type != DT_UNKNOWN && (type != DT_LNK || !w->o->follow))
		return (mode_t)DTTOIF(type);
	return fstatat(at, name, &st, flags) == 0 ? st.st_mode : 0;
}

static bool
name_is_wanted(const struct walk *w, mode_t mode, const char *name)
{
	if (S_ISREG(mode))
		return match_file(&w->match, w->folders.path, name);
	if (S_ISDIR(mode))
		return match_folder(&w->match, w->folders.path, name);
	return false;
}

static bool
name_visit(struct walk *w, int at, const char *name, unsigned char type)
{
	int flags = OPEN_FLAGS | (w->o->follow ? 0 : O_NOFOLLOW);
	const char *path = w->folders.path;
	mode_t mode = name_mode(w, at, name, type);
	int fd;

	if (mode == 0)
		return problem_report(w, path, false, errno, "cannot open");
	if (!name_is_wanted(w, mode, name))
		return true;
	if (S_ISDIR(mode))
		flags |= O_DIRECTORY;
	fd = openat(at, name, flags);
	if (fd < 0)
		return problem_report(w, path, false, errno, "cannot open");
	if (S_ISDIR(mode))
		return folder_enter(w, fd, type != DT_DIR);
	return file_visit(w, path, w->folders.path + w->root_size, false, fd);
}

/* One step: the next name in the folder the walk is in, or out of it. */
static bool
folders_step(struct walk *w)
{
	struct folders *fs = &w->folders;
	unsigned char type;
	const char *name = folders_next(fs, &type);
	int error = errno, at;

	if (name == NULL && error == 0) {
		folders_pop(fs);
		return true;
	}
	at = name ? folders_fd(fs) : -1;
	if (at < 0) {
		if (name != NULL)
			error = errno;
		folders_skip(fs);
		return problem_report(w, fs->path, false, error,
				      "cannot go on in the folder");
	}
	return name_visit(w, at, name, type);
}

static bool
folder_walk(struct walk *w, const char *path, int fd)
{
	size_t size = strlen(path);
	bool go_on;

	/* And the slash that will follow, if it does not stand there already. */
	w->root_size = size + (size > 0 && path[size - 1] != '/');
	if (!folders_path_set(&w->folders, path)) {
		close(fd);
		return problem_report(w, path, true, ENOMEM,
				      "cannot read the folder");
	}
	go_on = folder_enter(w, fd, options_replace(w->o));
	while (go_on && w->folders.depth > 0)
		go_on = folders_step(w);
	return go_on;
}

/* ---- What was named ------------------------------------------------------- */

static bool
path_visit(struct walk *w, const char *path, const char *below)
{
	int fd = open(path, OPEN_FLAGS);
	struct stat st;

	if (fd < 0)
		return problem_report(w, path, true, errno, "cannot open");
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		return folder_walk(w, path, fd);
	return file_visit(w, path, below, true, fd);
}

/* The last part of a path. */
static const char *
path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/*
 * All of a path but what leads to the root or to where it begins anyway. If it
 * leads upwards, its name.
 */
static const char *
path_below(const char *path)
{
	const char *below = path;

	for (const char *p = path; *p != '\0'; p += strcspn(p, "/")) {
		p += strspn(p, "/");
		if (p[0] == '.' && p[1] == '.' && (p[2] == '/' || p[2] == '\0'))
			return path_name(path);
	}
	while (below[0] == '/' || (below[0] == '.' && below[1] == '/'))
		below++;
	return below;
}

static bool
operand_visit(struct walk *w, const char *operand)
{
	struct entry e = {
		.path = operand, .below = "stdin", .fd = STDIN_FILENO,
		.named = true,
	};

	if (strcmp(operand, "-") == 0)
		return w->visit(w->user, &e);
	return path_visit(w, operand, path_name(operand));
}

/* A name in a list is always a file's: "-" too. */
static bool
listed_visit(struct walk *w, const struct list_name *n)
{
	const char *name = strcmp(n->name, "-") == 0 ? "./-" : n->name;

	if (n->error != 0)
		return problem_report(w, name, true, n->error, n->problem);
	return path_visit(w, name, path_below(name));
}

static bool
list_visit(struct walk *w, const char *path)
{
	struct list l;
	struct list_name n;
	int error = list_open(&l, path, w->o->null);
	bool go_on = true;

	if (error != 0)
		return problem_report(w, path, true, error, "cannot open");
	while (go_on && (n = list_next(&l)).name != NULL)
		go_on = listed_visit(w, &n);
	if (go_on && n.error != 0)
		go_on = problem_report(w, path, true, n.error, n.problem);
	list_close(&l);
	return go_on;
}

bool
walk_inputs(const struct options *o, char **operands, size_t count,
	    entry_visitor visit, void *user)
{
	struct walk w = { .o = o, .visit = visit, .user = user };
	bool go_on = true;

	w.folders.find_loops = o->follow;
	if (!match_init(&w.match, o))
		return problem_report(&w, o->files_from ? o->files_from
				      : operands[0], true, ENOMEM,
				      "cannot be looked at");
	for (size_t i = 0; go_on && i < count; i++)
		go_on = operand_visit(&w, operands[i]);
	if (go_on && o->files_from != NULL)
		go_on = list_visit(&w, o->files_from);
	folders_free(&w.folders);
	match_free(&w.match);
	return go_on;
}
