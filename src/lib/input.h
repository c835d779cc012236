/*
 * input.h - memory, files, streams and the caller's own source, as one source
 */

#ifndef ISN_LIB_INPUT_H
#define ISN_LIB_INPUT_H

#include "codec.h"

/* Each makes d->input serve from there, and d->in stand at its start. */
void isn_input_memory(struct imgsniff_decoder *d, struct imgsniff_view bytes);
void isn_input_fd(struct imgsniff_decoder *d, int fd, bool owned);
void isn_input_source(struct imgsniff_decoder *d,
		      const struct imgsniff_source *source);

/*
 * What a call returns that went on to 'st'. Where a read failed the failure is the
 * answer, whatever the codec made of the bytes that it did not get.
 */
enum imgsniff_status
isn_input_settle(struct imgsniff_decoder *d, enum imgsniff_status st);

/* Lets go of it; closes the descriptor if it is ours. */
void isn_input_close(struct imgsniff_decoder *d);

#endif /* ISN_LIB_INPUT_H */
