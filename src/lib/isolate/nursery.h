/*
 * nursery.h - the process that makes workers
 *
 * It is forked once, when the pool is made, while the host is still small and
 * before it has met any image; it has one thread, holds no descriptor but its
 * socket, and never sees a byte of an image. So replacing a worker costs the same
 * however large the host has become, and meets none of its locks.
 */

#ifndef ISN_LIB_ISOLATE_NURSERY_H
#define ISN_LIB_ISOLATE_NURSERY_H

#include <sys/types.h>

#include "lib/isolate/sandbox.h"
#include "lib/isolate/worker.h"

struct isn_nursery {
	pid_t pid;
	int socket;			/* -1: there is none */
};

/* Workers use their copies of 'decoder'. Returns 0 or an errno value. */
int isn_nursery_begin(struct isn_nursery *n, struct imgsniff_decoder *decoder,
		      const struct isn_sandbox *sandbox, uint32_t workers,
		      isn_worker_answers *answer);

/*
 * A new worker for the slot, after the end of the one that is there: how that
 * ended is in *wait_status, as by waitpid(); 0 if there was none. Returns 0 or an
 * errno value; one thread at a time.
 */
int isn_nursery_spawn(struct isn_nursery *n, uint32_t slot, int *socket,
		      int *wait_status);

/* Ends it, and all workers with it. */
void isn_nursery_end(struct isn_nursery *n);

#endif /* ISN_LIB_ISOLATE_NURSERY_H */
