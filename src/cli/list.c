/*
 * list.c - names from a file, one after another, however many there are
 *
 * A name is handed out as soon as its end was read, so that a pipe may feed the
 * names one by one.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "list.h"

#define ROOM	(sizeof(((struct list *)0)->bytes) - 1)

int
list_open(struct list *l, const char *path, bool null)
{
	l->end = null ? '\0' : '\n';
	l->ended = l->skipping = false;
	l->start = l->used = 0;
	l->fd = STDIN_FILENO;
	if (strcmp(path, "-") != 0)
		l->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return l->fd < 0 ? errno : 0;
}

void
list_close(struct list *l)
{
	if (l->fd > STDIN_FILENO)
		close(l->fd);
	l->fd = -1;
}

/* Reads more behind what is left, which is moved to the front. 0 or errno. */
static int
list_fill(struct list *l)
{
	ssize_t n;

	memmove(l->bytes, l->bytes + l->start, l->used - l->start);
	l->used -= l->start;
	l->start = 0;
	while ((n = read(l->fd, l->bytes + l->used, ROOM - l->used)) < 0) {
		struct pollfd p = { .fd = l->fd, .events = POLLIN };

		if (errno == EAGAIN)	/* a pipe that somebody made so */
			poll(&p, 1, -1);
		else if (errno != EINTR)
			return errno;
	}
	l->used += (size_t)n;
	l->ended = n == 0;
	return 0;
}

/* The bytes up to 'end' are a name, or as much of one as there is room for. */
static struct list_name
list_take(struct list *l, char *end, bool whole)
{
	struct list_name n = { .name = l->bytes + l->start };

	*end = '\0';
	if (!whole) {
		n.error = ENAMETOOLONG;
		n.problem = "cannot open";
	} else if (strlen(n.name) != (size_t)(end - n.name)) {
		n.error = EINVAL;
		n.problem = "has a NUL in its name (is --null missing?)";
	}
	l->start = (size_t)(end - l->bytes) + 1;
	if (l->start > l->used)
		l->start = l->used;
	return n;
}

struct list_name
list_next(struct list *l)
{
	struct list_name n = { 0 };

	while (n.error == 0) {
		size_t left = l->used - l->start;
		char *end = memchr(l->bytes + l->start, l->end, left);
		bool whole = end != NULL || l->ended;
		bool skip = l->skipping;

		if (!whole && left < ROOM) {
			n.error = list_fill(l);
			n.problem = "cannot read the list";
			continue;
		}
		if (end == NULL && left == 0)
			break;
		l->skipping = !whole;
		n = list_take(l, end ? end : l->bytes + l->used, whole);
		if (!skip && n.name[0] != '\0')
			return n;
		n = (struct list_name){ 0 };
	}
	return n;
}
