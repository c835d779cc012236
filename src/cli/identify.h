/*
 * identify.h - a file into a record
 */

#ifndef IDENTIFY_H
#define IDENTIFY_H

#include "options.h"
#include "record.h"
#include "stream.h"
#include "walk.h"

/* What serves from file to file. */
struct identifier {
	const struct options *options;
	struct imgsniff_decoder *decoder;
	unsigned int needs;		/* enum record_need */
	uint64_t *durations;
	size_t durations_size;		/* in bytes */
	char message[512];		/* what the library's had to be joined to */
	struct stream stream;
	const char *stream_message;	/* when it is over its limit */
};

/* False, after a complaint, if there is no such decoder. */
bool identifier_init(struct identifier *id, const struct options *o,
		     unsigned int needs);
void identifier_free(struct identifier *id);

/*
 * Opens the file with id->decoder and fills in all of *r. False: it is passed
 * over. What *r points to is valid until the next call.
 */
bool identify(struct identifier *id, const struct entry *e, struct record *r);

/* Puts an error of the library into the record. */
void identify_error(struct identifier *id, struct record *r,
		    const struct imgsniff_error *error);

#endif /* IDENTIFY_H */
