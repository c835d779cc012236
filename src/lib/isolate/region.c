/*
 * region.c - memory that the host lends to one worker
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/isolate/region.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL	0x0008U
#endif

/* Rooms are whole numbers of these. */
#define STEP		((size_t)1 << 20)

/* Larger ones are not held for the next image. */
#define KEEP_MAX	((size_t)64 << 20)

/* Kernels before 6.3 do not know the last flag. */
static int
memory_file(void)
{
	const unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	int fd = memfd_create("imgsniff", flags | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("imgsniff", flags);
	return fd;
}

/* Beyond the limit there would be a signal. */
static bool
size_is_allowed(size_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur)
		return true;
	errno = EFBIG;
	return false;
}

/* It cannot be sealed against writing while the worker is to write to it. */
static bool
memory_seal(int fd, size_t size)
{
	return size_is_allowed(size) && ftruncate(fd, (off_t)size) == 0 &&
	       fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
		     F_SEAL_SEAL) == 0;
}

static bool
region_make(struct isn_region *r, size_t room)
{
	void *data = MAP_FAILED;

	r->fd = memory_file();
	if (r->fd >= 0 && memory_seal(r->fd, room))
		data = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED,
			    r->fd, 0);
	if (data == MAP_FAILED)
		return false;
	r->data = data;
	r->room = room;
	return true;
}

bool
isn_region_need(struct isn_region *r, size_t size)
{
	int error;

	if (r->data != NULL && size <= r->room)
		return true;
	isn_region_drop(r);
	if (size > SIZE_MAX / 2) {
		errno = ENOMEM;
		return false;
	}
	if (size <= KEEP_MAX)
		size += size / 4;	/* the next may be a little larger */
	if (region_make(r, (size / STEP + 1) * STEP))
		return true;
	error = errno;
	isn_region_drop(r);
	errno = error;
	return false;
}

bool
isn_region_wipe(struct isn_region *r)
{
	if (r->room > KEEP_MAX + KEEP_MAX / 4 + STEP) {
		isn_region_drop(r);
		return true;
	}
	if (r->used > 0)
		memset(r->data, 0, r->used);
	r->used = 0;
	return false;
}

void
isn_region_drop(struct isn_region *r)
{
	if (r->data != NULL)
		munmap(r->data, r->room);
	if (r->fd >= 0)
		close(r->fd);
	*r = (struct isn_region){ .fd = -1 };
}
