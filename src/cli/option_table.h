/*
 * option_table.h - the one list of options
 *
 * The parser, --help and the completions are made from it, and a test compares
 * it with the manual.
 */

#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "options.h"

enum option_kind {
	OPTION_FLAG,			/* bool */
	OPTION_ACTION,			/* enum action, 'value' */
	OPTION_SIZE,			/* enum action, and what fits */
	OPTION_STYLE,			/* enum style, 'value' */
	OPTION_STRING,
	OPTION_STRINGS,
	OPTION_CHOICE,			/* string, one of 'choices' */
	OPTION_WHEN,			/* enum when, one of 'choices' */
	OPTION_NUMBER,			/* uint32_t, perhaps one of 'choices' */
	OPTION_QUALITY,			/* uint32_t, 1 to 100 */
	OPTION_SECONDS,			/* uint32_t, at least 1, or none */
	OPTION_COUNT32,			/* suffixes are decimal */
	OPTION_COUNT64,
	OPTION_BYTES,			/* suffixes are binary */
	OPTION_FORMATS,
	OPTION_TEMPLATE,
	OPTION_HELP,
	OPTION_VERSION,
	OPTION_COMPLETION,
};

enum option_group {
	GROUP_CHECK, GROUP_DECODE, GROUP_INPUT, GROUP_OUTPUT, GROUP_LIMITS, GROUP_OTHER,
	GROUP_COUNT,
};

struct option_row {
	const char *name;
	const char *arg;		/* NULL: takes none */
	const char *choices;		/* "pam ppm png", or NULL */
	const char *help;		/* NULL: stands on the next one's line */
	size_t member;			/* offset in struct options */
	enum option_kind kind;
	enum option_group group;
	int value;
	char letter;			/* 0: long only */
	bool decoding;			/* nothing to tell what images are */
	bool checking;			/* means something with --check only */
};

#define OPTION_MAX	64		/* rows */

extern const struct option_row option_table[];
extern const size_t option_count;

/* Calls each() with every word of a row's choices. */
void option_choices(const struct option_row *row,
		    void (*each)(void *user, const char *word, size_t size),
		    void *user);

/* Print on standard output; see help.c and completion.c. */
void help_print(void);
bool completion_print(const char *shell);	/* false: no such shell */

#endif /* OPTION_TABLE_H */
