/*
 * isolated.h - an image that a worker has
 */

#ifndef ISN_LIB_ISOLATE_ISOLATED_H
#define ISN_LIB_ISOLATE_ISOLATED_H

#include "lib/isolate/belief.h"
#include "lib/isolate/pool.h"

struct imgsniff_isolated {
	struct imgsniff_isolate *pool;
	struct isn_slot *slot;
	bool open;			/* 'info' and 'frame' tell of it */
	bool partial;			/* MORE is an answer */
	struct imgsniff_info info;
	struct imgsniff_frame frame;

	struct imgsniff_error error;
	struct imgsniff_error lost;	/* status not OK: so is the worker */
	char error_text[ISN_WIRE_TEXT];
	char verdict_text[ISN_WIRE_TEXT];

	uint64_t *durations;
	size_t duration_count;
	bool durations_known;

	struct imgsniff_error faults[ISN_FAULTS];
	char (*fault_texts)[ISN_WIRE_TEXT];	/* of ISN_FAULTS */
	size_t fault_count;		/* so many are here */
	bool faults_known;		/* and there are no more */
};

/*
 * Asks the worker; false if it is lost, and then image->error says so. The
 * reply's status has been believed, its error is image->error, if it is one.
 */
bool isn_isolated_ask(struct imgsniff_isolated *image,
		      struct isn_request *request, int file,
		      struct isn_reply *reply, enum imgsniff_status *status);

/* The worker said what cannot be. Returns CRASHED. */
enum imgsniff_status isn_isolated_distrust(struct imgsniff_isolated *image);

/* An error of the host's own. */
enum imgsniff_status isn_isolated_fail(struct imgsniff_isolated *image,
				       enum imgsniff_status status,
				       const char *message);

#endif /* ISN_LIB_ISOLATE_ISOLATED_H */
