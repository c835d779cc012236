/*
 * check.h - whether images are whole
 */

#ifndef CHECK_H
#define CHECK_H

#include "identify.h"
#include "picture.h"

/*
 * Checks the image that identify() has opened, from 'fd', and puts the verdict
 * into the record: also the status, and what is wrong where. The record points
 * into 'p', of which only the workplace is needed at first; it is closed by the
 * next call, or by picture_close().
 */
void check_fill(struct identifier *id, struct picture *p, int fd,
		struct record *r);

/* Does the record make the program fail? With --strict little is enough. */
bool check_is_trouble(const struct options *o, const struct record *r);

#endif /* CHECK_H */
