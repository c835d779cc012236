/*
 * options.h - the command line, as one table
 */

#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <imgsniff.h>

#include "identity.h"

enum action { ACTION_IDENTIFY, ACTION_CHECK, ACTION_DECODE, ACTION_THUMBNAIL };
enum style {
	STYLE_TEXT, STYLE_JSON, STYLE_CSV, STYLE_TSV, STYLE_TEMPLATE,
	STYLE_MIME, STYLE_QUIET, STYLE_COUNT,
};
enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

/* A repeatable option's values, in the order given. */
struct strings {
	const char **items;
	size_t count;
};

struct options {
	enum action action;
	enum style style;
	const char *template;		/* for STYLE_TEMPLATE */
	bool brief;			/* text and mime: without the name */
	bool print0;			/* records end in NUL, names unescaped */
	enum when color;

	/* Input. */
	const char *files_from;		/* list of names, "-" is stdin; or NULL */
	bool null;			/* its names end in NUL */
	uint32_t formats;		/* bit 1 << enum imgsniff_format; 0: all */
	struct strings include;		/* globs */
	struct strings exclude;
	bool follow;			/* links met in a walk */
	bool all;			/* report non-images met in a walk too */
	bool fast;			/* IMGSNIFF_HEAD */

	/* Checking. */
	bool strict;			/* what is tolerable is trouble, too */
	bool all_faults;		/* tell every one of them */

	/* Decoding, thumbnails. */
	const char *output;		/* -o, or NULL: standard output */
	const char *to;			/* a writer's name */
	uint32_t quality;		/* 1 to 100; 0: the format's default */
	bool lossless;
	uint32_t depth;			/* 8 or 16 */
	bool all_frames;		/* one after another */
	uint32_t frame;			/* else this one, from 0 */
	bool keep_damaged;		/* write what a damaged file yields */
	bool force;			/* overwrite */
	uint32_t fit_width, fit_height;	/* of a thumbnail, at most */
	bool update;			/* overwrite what is older */
	bool into_folder;		/* 'output' is the folder of many */

	/* Where the program writes: a walk keeps out of this folder, if any. */
	struct identity leave_out;

	struct imgsniff_options library;	/* limits and backend */
	enum when isolate;
	uint32_t timeout;		/* seconds; 0: the library's */
};

/* Pixels are what is asked for. */
static inline bool
action_decodes(enum action action)
{
	return action == ACTION_DECODE || action == ACTION_THUMBNAIL;
}

/* May a thumbnail take the place of a file? */
static inline bool
options_replace(const struct options *o)
{
	return o->force || o->update;
}

/*
 * Parses argv into *o, which it fills with defaults first. Returns the index of
 * the first operand; on wrong usage complains and exits 2; --help, --version and
 * --completion print and exit 0.
 */
int options_parse(struct options *o, int argc, char **argv);

void options_free(struct options *o);

#endif /* OPTIONS_H */
