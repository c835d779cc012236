/*
 * identity.c - which file it is, whatever its name
 */

#include <fcntl.h>
#include <unistd.h>

#include "identity.h"

bool
identity_holds(struct identity top, int fd)
{
	struct identity id = { 0 }, below;
	int at = fd;
	bool holds = true;

	for (const char *name = ".";; name = "..") {
		int next = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		struct stat st;

		if (at != fd)
			close(at);
		at = next;
		if (at < 0 || fstat(at, &st) != 0)
			break;
		below = id;
		id = identity_of(&st);
		if (identity_equal(id, top))
			break;
		if (identity_equal(id, below)) {	/* the root */
			holds = false;
			break;
		}
	}
	if (at >= 0)
		close(at);
	return holds;
}
