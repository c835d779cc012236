/*
 * belief.h - what the host takes a worker's word for
 *
 * Each returns false if no honest worker says so; then it is not to be trusted
 * with anything else either. Nothing of a reply is used but through these.
 */

#ifndef ISN_LIB_ISOLATE_BELIEF_H
#define ISN_LIB_ISOLATE_BELIEF_H

#include "lib/isolate/wire.h"

bool isn_believe_status(int32_t status, enum imgsniff_status *to);

/* 'text' has room for a message, which to->message points to. */
bool isn_believe_error(const struct isn_wire_error *from,
		       enum imgsniff_status status, struct imgsniff_error *to,
		       char text[ISN_WIRE_TEXT]);

bool isn_believe_info(const struct isn_wire_info *from,
		      struct imgsniff_info *to);

/* Not unless it is the frame that was asked about. */
bool isn_believe_frame(const struct isn_wire_frame *from, uint32_t index,
		       struct imgsniff_frame *to);

bool isn_believe_verdict(const struct isn_wire_verdict *from,
			 struct imgsniff_verdict *to, char text[ISN_WIRE_TEXT]);

#endif /* ISN_LIB_ISOLATE_BELIEF_H */
