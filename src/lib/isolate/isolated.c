/*
 * isolated.c - an image that a worker has: opened, asked about, closed
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/isolate/isolated.h"

/* ---- Asking --------------------------------------------------------------- */

enum imgsniff_status
isn_isolated_fail(struct imgsniff_isolated *image, enum imgsniff_status status,
		  const char *message)
{
	image->error = (struct imgsniff_error){
		.status = status,
		.format = image->info.format,
		.offset = IMGSNIFF_NO_OFFSET,
		.message = message,
	};
	return status;
}

static enum imgsniff_status
lost_tell(struct imgsniff_isolated *image)
{
	image->lost.format = image->info.format;
	image->error = image->lost;
	return image->error.status;
}

enum imgsniff_status
isn_isolated_distrust(struct imgsniff_isolated *image)
{
	isn_slot_distrust(image->pool, image->slot, &image->lost);
	return lost_tell(image);
}

/* Is that what an honest worker may say to it? */
static bool
answer_is_possible(const struct imgsniff_isolated *image,
		   const struct isn_request *request,
		   enum imgsniff_status status)
{
	if (status == IMGSNIFF_MORE)
		return image->partial;
	if (status == IMGSNIFF_END)
		return request->op == ISN_OP_DURATIONS ||
		       request->op == ISN_OP_DECODE;
	return true;
}

bool
isn_isolated_ask(struct imgsniff_isolated *image, struct isn_request *request,
		 int file, struct isn_reply *reply, enum imgsniff_status *status)
{
	bool answered = image->lost.status == IMGSNIFF_OK &&
			isn_slot_ask(image->pool, image->slot, request, file,
				     reply, &image->lost);

	if (!answered) {
		*status = lost_tell(image);
		return false;
	}
	if (isn_believe_status(reply->status, status) &&
	    answer_is_possible(image, request, *status) &&
	    (*status == IMGSNIFF_OK ||
	     isn_believe_error(&reply->error, *status, &image->error,
			       image->error_text)))
		return true;
	*status = isn_isolated_distrust(image);
	return false;
}

/* ---- Opening -------------------------------------------------------------- */

static enum imgsniff_status
image_new(struct imgsniff_isolate *pool, struct imgsniff_isolated **result)
{
	struct imgsniff_isolated *image;

	*result = NULL;
	image = calloc(1, sizeof(*image));
	if (image == NULL)
		return IMGSNIFF_ERR_MEMORY;
	image->pool = pool;
	image->error.offset = IMGSNIFF_NO_OFFSET;
	image->error.message = "no error";
	image->slot = isn_pool_acquire(pool);
	if (image->slot == NULL) {
		free(image);
		return IMGSNIFF_ERR_IO;
	}
	*result = image;
	return IMGSNIFF_OK;
}

/* 'file', or -1 for so many bytes of the slot's input. */
static enum imgsniff_status
image_open(struct imgsniff_isolated *image, int file, size_t size,
	   unsigned int flags)
{
	struct isn_request request = {
		.op = ISN_OP_OPEN, .open_flags = flags, .size = size,
	};
	struct isn_reply reply;
	enum imgsniff_status st;

	image->partial = flags & IMGSNIFF_PARTIAL;
	if (!isn_isolated_ask(image, &request, file, &reply, &st))
		return st;
	/* Who is told OK asks for the facts, and relies on their being there. */
	if (st == IMGSNIFF_OK && !reply.info.known)
		return isn_isolated_distrust(image);
	if (!reply.info.known)
		return st;
	if (!isn_believe_info(&reply.info, &image->info) ||
	    !isn_believe_frame(&reply.frame, 0, &image->frame))
		return isn_isolated_distrust(image);
	image->open = true;
	return st;
}

static enum imgsniff_status
memory_open(struct imgsniff_isolated *image, const void *data, size_t size,
	    unsigned int flags)
{
	struct isn_region *input = &image->slot->input;

	if (!isn_region_need(input, size))
		return isn_isolated_fail(image, IMGSNIFF_ERR_MEMORY, errno == EFBIG
			? "isolate: RLIMIT_FSIZE is in the way of shared memory"
			: "isolate: no memory left for the input");
	if (size > 0)
		memcpy(input->data, data, size);
	input->used = size;
	return image_open(image, -1, size, flags);
}

static enum imgsniff_status
io_fail(struct imgsniff_isolated *image, const char *message, int error)
{
	isn_isolated_fail(image, IMGSNIFF_ERR_IO, message);
	image->error.system_errno = error;
	return IMGSNIFF_ERR_IO;
}

struct bytes {
	uint8_t *data;
	size_t used, room;
};

static bool
bytes_grow(struct bytes *b)
{
	size_t room = b->room ? b->room * 2 : 65536;
	uint8_t *data = room > b->room ? realloc(b->data, room) : NULL;

	if (data == NULL)
		return false;
	b->data = data;
	b->room = room;
	return true;
}

/* To the end, but no further than one byte past max_input. */
static int
file_read(int fd, bool seeks, uint64_t max, struct bytes *b)
{
	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n;

		if (b->used > max)
			return EFBIG;
		if (b->used == b->room && !bytes_grow(b))
			return ENOMEM;
		if (seeks) {
			n = pread(fd, b->data + b->used, b->room - b->used,
				  (off_t)b->used);
		} else {
			/* A FIFO without a writer yet reads as empty. */
			poll(&p, 1, -1);
			n = read(fd, b->data + b->used, b->room - b->used);
		}
		if (n == 0)
			return 0;
		if (n > 0)
			b->used += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			return errno;
	}
}

/* What the worker must not have a descriptor of: its bytes. */
static enum imgsniff_status
file_copy(struct imgsniff_isolated *image, int fd, unsigned int flags)
{
	const uint64_t max = image->pool->decoder->limits.max_input;
	bool seeks = lseek(fd, 0, SEEK_CUR) >= 0;
	struct bytes b = { NULL, 0, 0 };
	int error = file_read(fd, seeks, max, &b);
	enum imgsniff_status st;

	if (error == 0)
		st = memory_open(image, b.data, b.used, flags);
	else if (error == EFBIG)
		st = isn_isolated_fail(image, IMGSNIFF_ERR_LIMIT,
			"input: more bytes than max-input allows");
	else if (error == ENOMEM)
		st = isn_isolated_fail(image, IMGSNIFF_ERR_MEMORY,
			"input: no memory left");
	else
		st = io_fail(image, "input: reading failed", error);
	free(b.data);
	return st;
}

/* A regular file, open to be read and for nothing else. */
static bool
file_is_harmless(int fd)
{
	int mode = fcntl(fd, F_GETFL);
	struct stat st;

	return mode >= 0 && (mode & (O_ACCMODE | O_PATH)) == O_RDONLY &&
	       fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static enum imgsniff_status
file_open(struct imgsniff_isolated *image, int fd, unsigned int flags)
{
	if (file_is_harmless(fd))
		return image_open(image, fd, 0, flags);
	return file_copy(image, fd, flags);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_isolate_open_file(struct imgsniff_isolate *pool, const char *path,
			   unsigned int flags, struct imgsniff_isolated **image)
{
	enum imgsniff_status st;
	int fd;

	if (image == NULL)
		return IMGSNIFF_ERR_USAGE;
	*image = NULL;
	if (path == NULL)
		return IMGSNIFF_ERR_USAGE;
	/* O_NONBLOCK: opening a FIFO without a writer must not hang. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0) {
		st = imgsniff_isolate_open_fd(pool, fd, flags, image);
		close(fd);
		return st;
	}
	int error = errno;

	st = image_new(pool, image);
	return st == IMGSNIFF_OK
		? io_fail(*image, "open: cannot open the file", error) : st;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_isolate_open_fd(struct imgsniff_isolate *pool, int fd,
			 unsigned int flags, struct imgsniff_isolated **image)
{
	enum imgsniff_status st;

	if (image == NULL)
		return IMGSNIFF_ERR_USAGE;
	st = image_new(pool, image);
	return st == IMGSNIFF_OK ? file_open(*image, fd, flags) : st;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_isolate_open_memory(struct imgsniff_isolate *pool, const void *data,
			     size_t size, unsigned int flags,
			     struct imgsniff_isolated **image)
{
	enum imgsniff_status st;

	if (image == NULL)
		return IMGSNIFF_ERR_USAGE;
	*image = NULL;
	if (data == NULL && size != 0)
		return IMGSNIFF_ERR_USAGE;
	st = image_new(pool, image);
	return st == IMGSNIFF_OK ? memory_open(*image, data, size, flags) : st;
}

/* The worker lets go of the image while we go on. */
IMGSNIFF_API void
imgsniff_isolate_close(struct imgsniff_isolated *image)
{
	struct isn_request request = { .op = ISN_OP_CLOSE };
	struct imgsniff_error ignored;
	struct isn_reply none;

	if (image == NULL)
		return;
	if (isn_region_wipe(&image->slot->input))
		request.drop |= ISN_WITH_INPUT;
	if (isn_region_wipe(&image->slot->pixels))
		request.drop |= ISN_WITH_PIXELS;
	if (image->lost.status == IMGSNIFF_OK)
		(void)isn_slot_ask(image->pool, image->slot, &request, -1, &none,
				   &ignored);
	isn_pool_release(image->pool, image->slot);
	free(image->durations);
	free(image->fault_texts);
	free(image);
}

/* ---- Facts ---------------------------------------------------------------- */

IMGSNIFF_API const struct imgsniff_info *
imgsniff_isolate_get_info(const struct imgsniff_isolated *image)
{
	return image->open ? &image->info : NULL;
}

IMGSNIFF_API const struct imgsniff_frame *
imgsniff_isolate_get_frame(const struct imgsniff_isolated *image)
{
	return image->open ? &image->frame : NULL;
}

IMGSNIFF_API const struct imgsniff_error *
imgsniff_isolate_last_error(const struct imgsniff_isolated *image)
{
	return &image->error;
}

/* The next few. False if that was an error, in *st, or the last. */
static bool
durations_ask(struct imgsniff_isolated *image, size_t room,
	      enum imgsniff_status *st)
{
	struct isn_request request = {
		.op = ISN_OP_DURATIONS,
		.first = (uint32_t)image->duration_count,
	};
	struct isn_reply reply;

	if (!isn_isolated_ask(image, &request, -1, &reply, st) ||
	    *st != IMGSNIFF_OK)
		return false;
	if (reply.count == 0 || reply.count > ISN_WIRE_DURATIONS) {
		*st = isn_isolated_distrust(image);
		return false;
	}
	for (uint32_t i = 0; i < reply.count && image->duration_count < room; i++)
		image->durations[image->duration_count++] = reply.durations[i];
	return image->duration_count < room;
}

/* Of no more frames than the image is said to have, and may have. */
static enum imgsniff_status
durations_fetch(struct imgsniff_isolated *image)
{
	const uint32_t max = image->pool->decoder->limits.max_frames;
	size_t room = image->info.frames;
	enum imgsniff_status st = IMGSNIFF_OK;

	if (room > max)
		return isn_isolated_fail(image, IMGSNIFF_ERR_LIMIT,
			"frames: more than max-frames allows");
	if (room == 0)
		return IMGSNIFF_OK;
	if (image->durations == NULL)
		image->durations = calloc(room, sizeof(*image->durations));
	if (image->durations == NULL)
		return isn_isolated_fail(image, IMGSNIFF_ERR_MEMORY,
			"isolate: no memory left for durations");
	while (durations_ask(image, room, &st))
		;
	return st == IMGSNIFF_END ? IMGSNIFF_OK : st;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_isolate_get_durations(struct imgsniff_isolated *image,
			       const uint64_t **durations, size_t *count)
{
	enum imgsniff_status st = IMGSNIFF_OK;

	if (durations == NULL || count == NULL || !image->open) {
		if (image->lost.status != IMGSNIFF_OK)
			return lost_tell(image);
		return isn_isolated_fail(image, IMGSNIFF_ERR_USAGE,
			"call: no image is open, or no place for the result");
	}
	if (!image->durations_known)
		st = durations_fetch(image);
	image->durations_known = st == IMGSNIFF_OK;
	*durations = image->durations;
	*count = image->duration_count;
	return st;
}

/* ---- Checking ------------------------------------------------------------- */

/* The members of the verdict that the caller's header has. */
static void
verdict_give(struct imgsniff_verdict *to, const struct imgsniff_verdict *from)
{
	size_t size = to->struct_size;

	memcpy(to, from, sizeof(*from) < size ? sizeof(*from) : size);
	to->struct_size = size;
}

static enum imgsniff_status
verdict_of_lost(const struct imgsniff_isolated *image,
		struct imgsniff_verdict *verdict)
{
	const struct imgsniff_verdict v = {
		.integrity = image->lost.status == IMGSNIFF_ERR_TIMEOUT
			     ? IMGSNIFF_TIMEOUT : IMGSNIFF_CRASHED,
		.status = image->lost.status,
		.end_offset = IMGSNIFF_NO_OFFSET,
		.offset = IMGSNIFF_NO_OFFSET,
		.message = image->lost.message,
	};

	verdict_give(verdict, &v);
	return IMGSNIFF_OK;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_isolate_check(struct imgsniff_isolated *image,
		       struct imgsniff_verdict *verdict)
{
	struct isn_request request = { .op = ISN_OP_CHECK };
	struct imgsniff_verdict v;
	struct isn_reply reply;
	enum imgsniff_status st;

	if (verdict == NULL ||
	    verdict->struct_size < offsetof(struct imgsniff_verdict, message) +
				   sizeof(verdict->message))
		return isn_isolated_fail(image, IMGSNIFF_ERR_USAGE,
			"call: the verdict has no struct_size");
	image->fault_count = 0;
	image->faults_known = false;
	if (!isn_isolated_ask(image, &request, -1, &reply, &st))
		return verdict_of_lost(image, verdict);
	if (st != IMGSNIFF_OK)
		return st;
	if (!isn_believe_verdict(&reply.verdict, &v, image->verdict_text)) {
		isn_isolated_distrust(image);
		return verdict_of_lost(image, verdict);
	}
	verdict_give(verdict, &v);
	return IMGSNIFF_OK;
}

/* False: there is no further one. */
static bool
fault_fetch(struct imgsniff_isolated *image)
{
	const size_t i = image->fault_count;
	const struct imgsniff_error before = image->error;
	struct isn_request request = {
		.op = ISN_OP_FAULT, .first = (uint32_t)i,
	};
	struct isn_reply reply;
	enum imgsniff_status st, status;

	if (i == ISN_FAULTS || image->lost.status != IMGSNIFF_OK)
		return false;
	if (image->fault_texts == NULL)
		image->fault_texts = calloc(ISN_FAULTS, ISN_WIRE_TEXT);
	if (image->fault_texts == NULL ||
	    !isn_isolated_ask(image, &request, -1, &reply, &st))
		return false;
	image->error = before;		/* a fault is none of the call's */
	if (reply.count == 0)
		return false;
	if (!isn_believe_status(reply.error.status, &status) ||
	    !isn_believe_error(&reply.error, status, &image->faults[i],
			       image->fault_texts[i])) {
		isn_isolated_distrust(image);
		return false;
	}
	image->fault_count++;
	return true;
}

IMGSNIFF_API const struct imgsniff_error *
imgsniff_isolate_get_fault(struct imgsniff_isolated *image, size_t index)
{
	while (!image->faults_known && image->fault_count <= index)
		image->faults_known = !fault_fetch(image);
	return index < image->fault_count ? &image->faults[index] : NULL;
}
