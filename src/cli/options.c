/*
 * options.c - the command line, by the table of options
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"
#include "option_table.h"
#include "words.h"
#include "write.h"

#define LONG		256		/* getopt_long()'s value for row 0 */

static _Noreturn void
usage_exit(void)
{
	exit(2);
}

/* "a, b, c" of "a b c", or whatever stands between. */
struct joined {
	char text[512];
	size_t used;
};

static void
joined_add(void *user, const char *word, size_t size)
{
	struct joined *j = user;
	size_t room = sizeof(j->text) - j->used;
	int n = snprintf(j->text + j->used, room, "%s%.*s",
			 j->used > 0 ? ", " : "", (int)size, word);

	if (n > 0)
		j->used += (size_t)n < room ? (size_t)n : room - 1;
}

static void
formats_join(struct joined *j)
{
	const struct imgsniff_format_info *f = NULL;

	while ((f = imgsniff_format_next(f)) != NULL)
		joined_add(j, f->name, strlen(f->name));
}

/* Wrong usage: "imgsniff: --to: 'jpg' is none of pam, ppm, raw". */
static _Noreturn void
value_refuse(const struct option_row *row, const char *value, const char *why,
	     const char *more)
{
	char name[64];

	snprintf(name, sizeof(name), "--%s", row->name);
	complain(name, "'%s' %s%s", value, why, more);
	usage_exit();
}

struct wanted {
	const char *value;
	bool found;
};

static void
wanted_compare(void *user, const char *word, size_t size)
{
	struct wanted *w = user;

	w->found |= strlen(w->value) == size && memcmp(w->value, word, size) == 0;
}

static void
choice_check(const struct option_row *row, const char *value)
{
	struct wanted w = { value, false };
	struct joined j = { "", 0 };

	option_choices(row, wanted_compare, &w);
	if (w.found)
		return;
	option_choices(row, joined_add, &j);
	value_refuse(row, value, "is none of ", j.text);
}

static enum when
when_read(const struct option_row *row, const char *value)
{
	choice_check(row, value);
	if (strcmp(value, "always") == 0)
		return WHEN_ALWAYS;
	return strcmp(value, "never") == 0 ? WHEN_NEVER : WHEN_AUTO;
}

/* The factor of a suffix, 0 if it is none. */
static uint64_t
suffix_factor(const char *suffix, uint64_t thousand)
{
	static const char letters[] = "kMG";
	uint64_t factor = 1;

	if (*suffix == '\0')
		return 1;
	for (const char *p = letters; *p != '\0'; p++) {
		factor *= thousand;
		if ((*suffix == *p || (*suffix == 'K' && *p == 'k')) &&
		    suffix[1] == '\0')
			return factor;
	}
	return 0;
}

/* From 1 to 'max'; "none" is 'max', which the library takes for no limit. */
static uint64_t
limit_read(const struct option_row *row, const char *value, uint64_t max,
	   uint64_t thousand)
{
	const char *example = thousand == 1024
		? "is no number of bytes such as 65536, 64k, 16M, 2G or none"
		: "is no number such as 500000, 500k, 16M, 2G or none";
	uint64_t n, factor, result;
	char *end;

	if (strcmp(value, "none") == 0)
		return max;
	if (*value < '0' || *value > '9')
		value_refuse(row, value, example, "");
	errno = 0;
	n = strtoull(value, &end, 10);
	factor = suffix_factor(end, thousand);
	if (factor == 0)
		value_refuse(row, value, example, "");
	if (errno != 0 || __builtin_mul_overflow(n, factor, &result) ||
	    result > max)
		value_refuse(row, value, "is too much: write none for no limit",
			     "");
	if (result == 0)
		value_refuse(row, value, "is too little: at least 1", "");
	return result;
}

static uint32_t
number_read(const struct option_row *row, const char *value)
{
	unsigned long n;
	char *end;

	if (row->choices != NULL)
		choice_check(row, value);
	errno = 0;
	n = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end != '\0')
		value_refuse(row, value, "is no number such as 0 or 12", "");
	if (errno != 0 || n > UINT32_MAX)
		value_refuse(row, value, "is too much: at most 4294967295", "");
	return (uint32_t)n;
}

static uint32_t
quality_read(const struct option_row *row, const char *value)
{
	uint32_t n = number_read(row, value);

	if (n < 1 || n > 100)
		value_refuse(row, value, "is not from 1 to 100", "");
	return n;
}

static uint32_t
seconds_read(const struct option_row *row, const char *value)
{
	uint32_t n;

	if (strcmp(value, "none") == 0)
		return UINT32_MAX;
	if (value[strspn(value, "0123456789")] != '\0' || *value == '\0')
		value_refuse(row, value, "is no number of seconds such as 5, 60 "
			     "or none", "");
	n = number_read(row, value);
	if (n == 0)
		value_refuse(row, value, "is too little: at least 1", "");
	return n;
}

/* "200" or "320x240" */
static void
fit_read(const struct option_row *row, const char *value, struct options *o)
{
	unsigned long w, h;
	const char *from = value;
	char *end;

	w = h = strtoul(from, &end, 10);
	if (*end == 'x' && *from >= '0' && *from <= '9') {
		from = end + 1;
		h = strtoul(from, &end, 10);
	}
	if (*value < '0' || *value > '9' || *from < '0' || *from > '9' ||
	    *end != '\0' || w == 0 || h == 0)
		value_refuse(row, value, "is no size such as 200 or 320x240", "");
	if (w > UINT32_MAX || h > UINT32_MAX)
		value_refuse(row, value, "is too much: at most 4294967295", "");
	o->fit_width = (uint32_t)w;
	o->fit_height = (uint32_t)h;
}

/* By its name, or by one of its file name extensions. */
static const struct imgsniff_format_info *
format_find(const char *word, size_t size)
{
	const struct imgsniff_format_info *f = NULL;

	while ((f = imgsniff_format_next(f)) != NULL)
		if (words_have(f->name, word, size) ||
		    words_have(f->extensions, word, size))
			return f;
	return NULL;
}

static uint32_t
formats_read(const struct option_row *row, const char *value)
{
	uint32_t formats = 0;
	const char *p = value;

	for (;;) {
		size_t n = strcspn(p, ",");
		const struct imgsniff_format_info *f = format_find(p, n);
		struct joined j = { "", 0 };

		if (f == NULL) {
			formats_join(&j);
			value_refuse(row, value, "must be a list, with commas, "
				     "out of ", j.text);
		}
		formats |= UINT32_C(1) << f->format;
		if (p[n] == '\0')
			return formats;
		p += n + 1;
	}
}

static void
strings_add(struct strings *list, const char *item)
{
	const char **items = realloc(list->items,
				     (list->count + 1) * sizeof(*items));

	if (items == NULL) {
		complain(NULL, "%s", strerror(ENOMEM));
		usage_exit();
	}
	list->items = items;
	list->items[list->count++] = item;
}

/* What was asked for instead of work: prints it, and ends. */
static _Noreturn void
print_exit(const struct option_row *row, const char *value)
{
	if (row->kind == OPTION_HELP)
		help_print();
	else if (row->kind == OPTION_VERSION)
		printf("imgsniff %s\n%s\n", imgsniff_version(),
		       imgsniff_features());
	else if (!completion_print(value))
		choice_check(row, value);
	if (fflush(stdout) != 0 || fclose(stdout) != 0) {
		complain(NULL, "standard output: %s", strerror(errno));
		exit(2);
	}
	exit(0);
}

static void
option_apply(const struct option_row *row, struct options *o, const char *value)
{
	void *member = (char *)o + row->member;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)member = true;
		return;
	case OPTION_ACTION:
		*(enum action *)member = (enum action)row->value;
		return;
	case OPTION_SIZE:
		*(enum action *)member = (enum action)row->value;
		fit_read(row, value, o);
		return;
	case OPTION_STYLE:
		*(enum style *)member = (enum style)row->value;
		return;
	case OPTION_TEMPLATE:
		o->style = (enum style)row->value;
		*(const char **)member = value;
		return;
	case OPTION_CHOICE:
		choice_check(row, value);
		*(const char **)member = value;
		return;
	case OPTION_STRING:
		*(const char **)member = value;
		return;
	case OPTION_STRINGS:
		strings_add(member, value);
		return;
	case OPTION_WHEN:
		*(enum when *)member = when_read(row, value);
		return;
	case OPTION_NUMBER:
		*(uint32_t *)member = number_read(row, value);
		return;
	case OPTION_QUALITY:
		*(uint32_t *)member = quality_read(row, value);
		return;
	case OPTION_SECONDS:
		*(uint32_t *)member = seconds_read(row, value);
		return;
	case OPTION_COUNT32:
		*(uint32_t *)member = (uint32_t)limit_read(row, value,
							   UINT32_MAX, 1000);
		return;
	case OPTION_COUNT64:
		*(uint64_t *)member = limit_read(row, value, UINT64_MAX, 1000);
		return;
	case OPTION_BYTES:
		*(uint64_t *)member = limit_read(row, value, UINT64_MAX, 1024);
		return;
	case OPTION_FORMATS:
		*(uint32_t *)member |= formats_read(row, value);
		return;
	case OPTION_HELP:
	case OPTION_VERSION:
	case OPTION_COMPLETION:
		print_exit(row, value);
	}
}

/* Adds the long options that begin as 'word' does; false if none does. */
static bool
beginnings_join(const char *word, struct joined *j)
{
	size_t size = strcspn(word, "=");
	bool found = false;

	for (size_t i = 0; i < option_count; i++)
		if (size > 2 && strncmp(option_table[i].name, word + 2,
					size - 2) == 0) {
			char name[64];
			int n = snprintf(name, sizeof(name), "--%s",
					 option_table[i].name);

			joined_add(j, name, (size_t)n);
			found = true;
		}
	return found;
}

/* What getopt_long() made nothing of. */
static _Noreturn void
option_refuse(int c, char **argv)
{
	const char *word = argv[optind - 1];
	struct joined j = { "", 0 };

	if (optopt >= LONG) {
		complain(NULL, c == ':' ? "--%s needs a value"
					: "--%s takes no value",
			 option_table[optopt - LONG].name);
	} else if (c == ':') {
		complain(NULL, "-%c needs a value", optopt);
	} else if (optopt != 0) {
		complain(NULL, "no such option: -%c; see imgsniff --help",
			 optopt);
	} else if (beginnings_join(word, &j)) {
		complain(NULL, "%s is short for several options: %s", word, j.text);
	} else {
		complain(NULL, "no such option: %s; see imgsniff --help", word);
	}
	usage_exit();
}

static bool
is_given(const bool *given, const char *name)
{
	for (size_t i = 0; i < option_count; i++)
		if (strcmp(option_table[i].name, name) == 0)
			return given[i];
	return false;
}

static _Noreturn void
together_refuse(const char *a, const char *b)
{
	complain(NULL, "--%s and --%s do not go together", a, b);
	usage_exit();
}

/* Records of thumbnails are told in those styles that have room for theirs. */
static bool
style_goes(const struct options *o, const struct option_row *row)
{
	if (row->group != GROUP_OUTPUT || row->kind == OPTION_WHEN ||
	    row->value == STYLE_QUIET)
		return true;
	return o->action == ACTION_THUMBNAIL &&
	       (o->style == STYLE_JSON || o->style == STYLE_TEMPLATE) &&
	       (row->kind == OPTION_STYLE || row->kind == OPTION_TEMPLATE ||
		strcmp(row->name, "print0") == 0);
}

/* There is one thing to do. Returns its name, or NULL. */
static const char *
action_check(const bool *given)
{
	const char *action = NULL;

	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_table[i];

		if (!given[i] || (row->kind != OPTION_ACTION &&
				  row->kind != OPTION_SIZE))
			continue;
		if (action != NULL)
			together_refuse(action, row->name);
		action = row->name;
	}
	return action;
}

/* Options that say nothing together are a mistake of the one who wrote them. */
static void
options_check(const struct options *o, const bool *given)
{
	const char *action = action_check(given);
	bool decoding = action_decodes(o->action);

	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_table[i];

		if (!given[i])
			continue;
		if (row->decoding && !decoding) {
			complain(NULL, "--%s needs %s--thumbnail", row->name,
				 strcmp(row->name, "update") == 0
				 ? "" : "--decode or ");
			usage_exit();
		}
		if (row->checking && o->action != ACTION_CHECK) {
			complain(NULL, "--%s needs --check", row->name);
			usage_exit();
		}
		if (decoding && !style_goes(o, row))
			together_refuse(row->name, action);
	}
	if (o->update && o->action != ACTION_THUMBNAIL) {
		complain(NULL, "--update needs --thumbnail");
		usage_exit();
	}
	if (o->all_frames && is_given(given, "frame"))
		together_refuse("all-frames", "frame");
	if (o->isolate == WHEN_NEVER && is_given(given, "timeout")) {
		complain(NULL, "--timeout needs isolation: it does not go with "
			 "--isolate=never");
		usage_exit();
	}
	if (action != NULL && o->fast)
		together_refuse("fast", action);
	if (o->null && o->files_from == NULL) {
		complain(NULL, "--null needs --files-from (for records that end "
			 "in NUL see --print0)");
		usage_exit();
	}
	if (o->brief && o->style != STYLE_TEXT && o->style != STYLE_MIME &&
	    o->style != STYLE_QUIET) {
		complain(NULL, "--brief is for text and --mime-type");
		usage_exit();
	}
}

static void
input_check(const struct options *o, char **operands, int count)
{
	if (o->files_from == NULL || strcmp(o->files_from, "-") != 0)
		return;
	for (int i = 0; i < count; i++)
		if (strcmp(operands[i], "-") == 0) {
			complain(NULL, "standard input is either a list or an "
				 "image, not both");
			usage_exit();
		}
}

/*
 * A PAM under a name such as a.gif would be what this program is there to find:
 * a file that is not what it is called.
 */
static void
suffix_check(const char *path)
{
	const char *suffix = path_suffix(path);
	const struct imgsniff_format_info *f = NULL;

	while (suffix != NULL && (f = imgsniff_format_next(f)) != NULL)
		if (words_have(f->extensions, suffix, strlen(suffix))) {
			complain(path, "%s is not written here: name one of "
				 "another form, or choose one by --to", f->title);
			usage_exit();
		}
}

/*
 * The format to write, and what it is not capable of. Where it is not named, the
 * output's suffix tells. Thumbnails are WebP, since that has all there can be in
 * an image, is small, and is in every build; so their names are known before.
 */
static void
format_check(struct options *o)
{
	const struct writer *w = o->action == ACTION_THUMBNAIL ? &writer_webp
							       : &writer_pam;

	if (o->to != NULL)
		w = writer_find(o->to);
	else if (o->output != NULL && !o->into_folder) {
		if (writer_of_file(o->output) != NULL)
			w = writer_of_file(o->output);
		else
			suffix_check(o->output);
	}
	o->to = w->name;
	if (w->missing)
		complain(NULL, "--to=%s is not built in; this build has %s",
			 w->name, imgsniff_features());
	else if (o->depth == 16 && w->layout16 == 0)
		complain(NULL, "--to=%s has 8 bits, not 16", w->name);
	else if (o->all_frames && !w->many_frames && w->add == NULL)
		complain(NULL, "--to=%s holds one frame: --all-frames needs "
			 "another form", w->name);
	else if (o->quality != 0 && !w->lossy)
		complain(NULL, "--to=%s is lossless: there is no --quality to "
			 "choose", w->name);
	else if (o->lossless && !w->lossless)
		complain(NULL, "--to=%s is always lossy: --lossless needs "
			 "another form", w->name);
	else
		return;
	usage_exit();
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* One file holds one input: what comes out of several would be the last one. */
static void
several_check(const struct options *o)
{
	if (o->output != NULL && strcmp(o->output, "-") != 0) {
		complain(NULL, "--output takes the pixels of one file, "
			 "not of several or of a directory");
		usage_exit();
	}
	if (!writer_find(o->to)->many_files) {
		complain(NULL, "--to=%s is for one file: the next one would not "
			 "be found behind it", o->to);
		usage_exit();
	}
}

/* Thumbnails of several go into a folder, and one may. */
static void
folder_check(struct options *o, bool several)
{
	size_t size = o->output ? strlen(o->output) : 0;
	bool to_stdout = size == 0 || strcmp(o->output, "-") == 0;

	if (several && to_stdout) {
		complain(NULL, "thumbnails of several files need --output=DIRECTORY");
		usage_exit();
	}
	o->into_folder = !to_stdout && (several || o->output[size - 1] == '/' ||
					is_folder(o->output));
	if (to_stdout && (o->style == STYLE_JSON || o->style == STYLE_TEMPLATE)) {
		complain(NULL, "records and a thumbnail on standard output would "
			 "be mixed: use --output");
		usage_exit();
	}
}

static void
operands_check(struct options *o, char **operands, int count)
{
	bool several = count > 1 || o->files_from != NULL;

	if (count == 0 && o->files_from == NULL) {
		complain(NULL, "which files? Name some, or - for standard input; "
			 "see imgsniff --help");
		usage_exit();
	}
	input_check(o, operands, count);
	if (!action_decodes(o->action))
		return;
	if (!several && strcmp(operands[0], "-") != 0)
		several = is_folder(operands[0]);
	if (o->action == ACTION_THUMBNAIL)
		folder_check(o, several);
	format_check(o);
	if (several && !o->into_folder)
		several_check(o);
}

/* For getopt_long(): a ':' first, so that a missing value is told apart. */
static void
getopt_tables(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_table[i];

		longs[i].name = row->name;
		longs[i].has_arg = row->arg != NULL;
		longs[i].val = LONG + (int)i;
		if (row->letter != 0) {
			*shorts++ = row->letter;
			if (row->arg != NULL)
				*shorts++ = ':';
		}
	}
	*shorts = '\0';
}

static size_t
row_find(int c)
{
	size_t i = 0;

	if (c >= LONG)
		return (size_t)(c - LONG);
	while (option_table[i].letter != c)
		i++;
	return i;
}

int
options_parse(struct options *o, int argc, char **argv)
{
	struct option longs[OPTION_MAX + 1] = { 0 };
	char shorts[2 * OPTION_MAX + 2] = "";
	bool given[OPTION_MAX] = { false };
	int c;

	*o = (struct options){
		.depth = 8,
		.library.struct_size = sizeof(o->library),
	};
	getopt_tables(longs, shorts);
	opterr = 0;
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		size_t i;

		if (c == '?' || c == ':')
			option_refuse(c, argv);
		i = row_find(c);
		given[i] = true;
		option_apply(&option_table[i], o, optarg);
	}
	options_check(o, given);
	operands_check(o, argv + optind, argc - optind);
	return optind;
}

void
options_free(struct options *o)
{
	free(o->include.items);
	free(o->exclude.items);
	o->include = o->exclude = (struct strings){ 0 };
}
