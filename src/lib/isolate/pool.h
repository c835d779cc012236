/*
 * pool.h - workers, who has them, and how they are asked
 */

#ifndef ISN_LIB_ISOLATE_POOL_H
#define ISN_LIB_ISOLATE_POOL_H

#include <stdatomic.h>
#include <threads.h>

#include "codec.h"
#include "lib/isolate/nursery.h"
#include "lib/isolate/region.h"

/* The place of a worker; the worker may change. */
struct isn_slot {
	uint32_t index;
	bool busy;			/* lent to an image */
	int socket;			/* -1: there is no worker now */
	uint32_t serial;		/* of the last request */
	uint32_t images;		/* that this worker has had */
	uint64_t worked_ns;		/* how long it was waited for */
	struct isn_region input;
	struct isn_region pixels;
};

struct imgsniff_isolate {
	mtx_t lock;			/* of 'busy' */
	cnd_t slot_freed;
	mtx_t nursery_lock;
	struct isn_nursery nursery;
	/* Never opens anything: its limits, and the one that workers copy. */
	struct imgsniff_decoder *decoder;
	bool strict;
	uint32_t timeout;		/* ms, UINT32_MAX: none */
	uint32_t images;		/* that a worker may have; 0: any number */
	atomic_uint barriers;		/* that every worker had so far */
	uint32_t slot_count;
	struct isn_slot *slots;
};

/* imgsniff_isolate_new() with workers that answer as they are told to. */
struct imgsniff_isolate *
isn_pool_new(const struct imgsniff_isolate_options *options,
	     isn_worker_answers *answer);

/* A free slot with a worker in it, waited for. NULL, with errno: none to be had. */
struct isn_slot *isn_pool_acquire(struct imgsniff_isolate *pool);
void isn_pool_release(struct imgsniff_isolate *pool, struct isn_slot *slot);

/*
 * Asks the slot's worker and waits for its answer, which has the request's op and
 * serial number. On any failure that worker is ended, and '*lost' is what became
 * of it: CRASHED or TIMEOUT, with a static message. For ISN_OP_CLOSE there is no
 * answer. The shared memory that the worker does not have yet goes with it.
 */
bool isn_slot_ask(struct imgsniff_isolate *pool, struct isn_slot *slot,
		  struct isn_request *request, int file, struct isn_reply *reply,
		  struct imgsniff_error *lost);

/* Ends a worker that cannot be trusted; *lost as above. */
void isn_slot_distrust(struct imgsniff_isolate *pool, struct isn_slot *slot,
		       struct imgsniff_error *lost);

#endif /* ISN_LIB_ISOLATE_POOL_H */
