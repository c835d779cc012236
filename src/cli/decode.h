/*
 * decode.h - the action --decode: pixels of one file into one file
 */

#ifndef DECODE_H
#define DECODE_H

#include "options.h"

/*
 * Decodes the image that is open in 'd' and writes it as o->to into o->output,
 * or standard output. The file appears under its name only when it is complete
 * (temporary file and rename), never over 'input' (its descriptor) and, without
 * --force, over nothing that exists. Returns the library's status; where the
 * output is at fault, complains and returns false in *written.
 */
enum imgsniff_status decode_to_output(const struct options *o,
				      struct imgsniff_decoder *d, int input,
				      bool *written);

#endif /* DECODE_H */
