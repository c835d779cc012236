/*
 * check.h - whether images are whole
 */

#ifndef CHECK_H
#define CHECK_H

#include "identify.h"

/*
 * Checks the image that identify() has opened and puts the verdict into the
 * record: also the status, and what is wrong where.
 */
void check_fill(struct identifier *id, struct record *r);

/* Does the record make the program fail? With --strict little is enough. */
bool check_is_trouble(const struct options *o, const struct record *r);

#endif /* CHECK_H */
