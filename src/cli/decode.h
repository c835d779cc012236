/*
 * decode.h - the action --decode: pixels of one file into one file
 */

#ifndef DECODE_H
#define DECODE_H

#include "options.h"

/*
 * Decodes the image that is open in 'd' and writes it as o->to into o->output,
 * or standard output (but not to a terminal, unless o->output is "-"). The file
 * appears under its name only when it is complete (temporary file and rename),
 * never over 'input' (its descriptor) and, without --force, over nothing that
 * exists.
 *
 * Returns the library's status, the first that was not good, with what it was in
 * *error; IMGSNIFF_END: there is no such frame. With --keep-damaged, pixels may
 * have been written all the same. Where the output is at fault, complains and
 * returns false in *written.
 */
enum imgsniff_status decode_to_output(const struct options *o,
				      struct imgsniff_decoder *d, int input,
				      struct imgsniff_error *error,
				      bool *written);

/* Frees what was kept from file to file. */
void decode_end(void);

#endif /* DECODE_H */
