/*
 * record.h - the facts of one file, and the names they go by
 */

#ifndef RECORD_H
#define RECORD_H

#include <imgsniff.h>

enum record_kind {
	RECORD_IMAGE = 1 << 0,		/* of a format the library knows */
	RECORD_OTHER = 1 << 1,		/* read, but no such image */
	RECORD_UNREADABLE = 1 << 2,	/* it cannot be told what it is */
};

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

struct picture;

struct record {
	enum record_kind kind;
	const char *path;
	bool has_size;
	uint64_t size;
	const struct imgsniff_format_info *format;	/* of an image */
	enum answer extension_ok;
	struct imgsniff_info info;	/* zero where it is not known */
	bool fast;			/* frames beyond the first: unknown */
	bool unwanted;			/* not one of those in --formats */

	/* Of each frame, in microseconds; NULL where they are not known. */
	const uint64_t *durations;
	size_t duration_count;

	/* Of what is no image: by libmagic. */
	const char *mime;
	const char *description;

	/* Of an image that was checked. */
	bool checked;
	struct imgsniff_verdict verdict;
	const struct picture *faults;	/* NULL: the first is enough */

	/* Of the thumbnail that was made of it. */
	const char *thumbnail;
	uint32_t thumbnail_width, thumbnail_height;

	enum imgsniff_status status;
	uint64_t offset;
	const char *message;		/* NULL if all is well */
};

/* A fact, ready to be printed. */
enum value_kind {
	VALUE_NULL,
	VALUE_BOOL,
	VALUE_NUMBER,
	VALUE_STRING,
	VALUE_PATH,			/* a string that need not be UTF-8 */
	VALUE_BASE64,			/* such a string, to be told in full */
	VALUE_MS,			/* 'number' is in microseconds */
	VALUE_MS_LIST,			/* the record's durations */
	VALUE_MS_LIST_SHOWN,		/* as a browser shows them */
	VALUE_FAULTS,			/* all that the record's check found */
};

struct value {
	enum value_kind kind;
	uint64_t number;
	const char *string;
};

/* What must be found out for a fact, beyond opening the file. */
enum record_need {
	NEED_SIZE = 1 << 0,
	NEED_DURATIONS = 1 << 1,
	NEED_DESCRIPTION = 1 << 2,
	NEED_MIME = 1 << 3,
};

struct field {
	const char *key;
	size_t key_size;
	unsigned int kinds;		/* enum record_kind: JSON has it for */
	unsigned int needs;		/* enum record_need */
	bool optional;			/* JSON leaves it out where it is null */
	bool of_thumbnail;		/* tables leave it out */
	bool of_check;			/* there only if that was asked for */
	struct value (*value)(const struct record *r);
};

/* In the order of JSON. */
extern const struct field fields[];
extern const size_t field_count;

/* NULL if there is no such key. */
const struct field *field_find(const char *key, size_t size);

/* Does the name end as a file of this format should? */
enum answer extension_check(const char *path,
			    const struct imgsniff_format_info *format);

/* NULL of NONE. */
const char *trailer_name(enum imgsniff_trailer trailer);
const char *integrity_name(enum imgsniff_integrity integrity);

/* What kind of verdict the fault alone would give. */
enum imgsniff_integrity fault_integrity(const struct imgsniff_error *fault);

/* Browsers show 10 ms and less as 100 ms. */
uint64_t duration_shown(uint64_t us);

/*
 * The option that raises the limit which the message names: how many characters
 * of *name; 0 if it names none.
 */
int record_limit_option(const struct record *r, const char **name);

#endif /* RECORD_H */
