/*
 * worker.h - the process that meets the image
 */

#ifndef ISN_LIB_ISOLATE_WORKER_H
#define ISN_LIB_ISOLATE_WORKER_H

#include "lib/isolate/wire.h"

/* Memory that the host shares with this worker, and with no other. */
struct isn_shared {
	uint8_t *data;			/* NULL: none yet */
	size_t room;
};

struct isn_worker {
	int socket;
	struct imgsniff_decoder *decoder;
	struct isn_shared input;
	struct isn_shared pixels;
	int file;			/* of the open image, or -1 */
};

/*
 * Answers one request; 'fds' are those that came with it, and are now its own.
 * The pool's own is isn_worker_answer(); tests put a worse one in its place.
 */
typedef void isn_worker_answers(struct isn_worker *w,
				const struct isn_request *request,
				const int *fds, struct isn_reply *reply);

isn_worker_answers isn_worker_answer;

/* Says hello, then answers until the host is gone. */
_Noreturn void isn_worker_run(struct isn_worker *w, unsigned int barriers,
			      isn_worker_answers *answer);

/*
 * Decodes an image of one pixel, made on the spot: what decoding libraries look
 * up when they are first used (some read /proc/cpuinfo), they look up now.
 */
void isn_worker_warm(struct imgsniff_decoder *d);

#endif /* ISN_LIB_ISOLATE_WORKER_H */
