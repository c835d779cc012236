/*
 * message.h - one line to standard error
 */

#ifndef MESSAGE_H
#define MESSAGE_H

#include "output.h"

/*
 * "imgsniff: NAME: ..." and a newline, in one write, escaped for a terminal.
 * 'name' is a file's or an option's; NULL leaves it out. What waits in standard
 * output goes first if both lead to the same place.
 */
__attribute__((format(printf, 2, 3)))
void complain(const char *name, const char *format, ...);

/* Tells complain() which output is standard output. */
void complain_after(struct output *out);

#endif /* MESSAGE_H */
