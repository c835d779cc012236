/*
 * main.c - identify, check and decode images from the command line
 *
 * Exit status: 0 all well; 1 a file was no image, could not be read or failed;
 * 2 wrong usage, or the output could not be written.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "decode.h"
#include "identify.h"
#include "interrupt.h"
#include "message.h"
#include "report.h"
#include "thumbs.h"

enum { EXIT_WELL, EXIT_TROUBLE, EXIT_WRONG };

struct run {
	const struct options *options;
	struct identifier identifier;
	struct report report;
	struct thumbs thumbs;
	struct workplace place;
	struct picture checked;		/* what the record at hand is of */
	bool trouble;			/* a file was not as it should be */
	bool output_failed;		/* other than standard output */
	bool stop;
};

static struct output standard_output;

/*
 * A file that is opened must not become standard output: a closed descriptor
 * gets something that cannot be used for its purpose.
 */
static void
descriptors_fill(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY
							     : O_RDONLY);
}

/* "cat.png: IHDR: width is zero (at byte 16)" */
static void
trouble_tell(const struct record *r)
{
	const char *option;
	int size = record_limit_option(r, &option);
	char place[40] = "", hint[64] = "";

	if (r->offset != IMGSNIFF_NO_OFFSET)
		snprintf(place, sizeof(place), " (at byte %llu)",
			 (unsigned long long)r->offset);
	if (size > 0)
		snprintf(hint, sizeof(hint), "; see --%.*s", size, option);
	complain(r->path, "%s%s%s", r->message, place, hint);
}

/* With --quiet only what kept a file from being looked at is told. */
static bool
trouble_is_told(const struct run *run, const struct record *r)
{
	if (r->message == NULL)
		return false;
	if (r->checked && (run->options->style == STYLE_TEXT ||
			   !check_is_trouble(run->options, r)))
		return false;		/* the record has told it */
	return run->options->style != STYLE_QUIET ||
	       r->kind == RECORD_UNREADABLE || r->status == IMGSNIFF_ERR_IO;
}

static void
identified(struct run *run, const struct record *r)
{
	report_record(&run->report, r);
	if (trouble_is_told(run, r))
		trouble_tell(r);
}

/* Pixels are what was asked for: of what has none, only that is told. */
static void
decoded(struct run *run, const struct entry *e, struct record *r,
	struct target *target)
{
	struct imgsniff_error error;
	enum imgsniff_status st;

	if (r->kind == RECORD_OTHER) {
		if (run->options->style != STYLE_QUIET)
			complain(r->path, "not an image: %s", r->description);
		return;
	}
	if (r->kind == RECORD_IMAGE && r->info.width != 0) {
		st = decode_to_output(run->options, &run->place, e->fd,
				      &run->identifier.stream, target, &error);
		run->output_failed |= target->failed;
		run->stop |= target->hopeless;
		if (st != IMGSNIFF_OK)
			identify_error(&run->identifier, r, &error);
	}
	if (trouble_is_told(run, r))
		trouble_tell(r);
}

static void
thumbnail_made(struct run *run, const struct entry *e, struct record *r,
	       const char *path)
{
	const struct options *o = run->options;
	struct target target = { .path = path, .force = options_replace(o) };

	if (r->kind == RECORD_IMAGE && !thumbs_folder_make(&run->thumbs, path)) {
		run->output_failed = true;
		return;
	}
	decoded(run, e, r, &target);
	if (target.written && path != NULL) {
		thumbs_keep(&run->thumbs, path);
		r->thumbnail = path;
		r->thumbnail_width = target.width;
		r->thumbnail_height = target.height;
	}
	if (o->style == STYLE_JSON || o->style == STYLE_TEMPLATE)
		report_record(&run->report, r);
}

/* False: there is nothing to be done with it; the record is not filled in. */
static bool
entry_is_due(struct run *run, const struct entry *e, const char **path)
{
	*path = NULL;
	if (run->options->action != ACTION_THUMBNAIL || e->error != 0)
		return true;
	switch (thumbs_place(&run->thumbs, e, path)) {
	case THUMBS_MAKE:
		return true;
	case THUMBS_FRESH:
		return false;
	case THUMBS_REFUSED:
		run->output_failed = true;
		return false;
	}
	return false;
}

static void
entry_work(struct run *run, const struct entry *e, struct record *r,
	   const char *path)
{
	const struct options *o = run->options;
	struct target target = { .path = o->output, .force = o->force };

	switch (o->action) {
	case ACTION_IDENTIFY:
		identified(run, r);
		return;
	case ACTION_CHECK:
		check_fill(&run->identifier, &run->checked, e->fd, r);
		identified(run, r);
		return;
	case ACTION_DECODE:
		decoded(run, e, r, &target);
		run->stop |= target.failed;
		return;
	case ACTION_THUMBNAIL:
		thumbnail_made(run, e, r, path);
		return;
	}
}

static bool
entry_visit(void *user, const struct entry *e)
{
	struct run *run = user;
	struct record r;
	const char *path;

	if (!entry_is_due(run, e, &path) || !identify(&run->identifier, e, &r))
		return true;
	entry_work(run, e, &r, path);
	run->trouble |= check_is_trouble(run->options, &r);
	interrupt_count();
	if (standard_output.is_pipe && standard_output.used > 0)
		interrupt_flush_soon();
	return standard_output.error == 0 && !run->stop;
}

static bool
run_init(struct run *run, const struct options *o)
{
	unsigned int needs;

	*run = (struct run){ .options = o };
	if (!report_init(&run->report, o, &standard_output))
		return false;
	needs = run->report.needs;
	if (action_decodes(o->action) && o->style != STYLE_QUIET)
		needs |= NEED_DESCRIPTION;
	if (!identifier_init(&run->identifier, o, needs))
		return false;
	run->place.decoder = run->identifier.decoder;
	run->checked.place = &run->place;
	return workplace_init(&run->place, o);
}

/* False, after a complaint, if not all of it arrived. */
static bool
output_finish(void)
{
	bool ok = output_flush(&standard_output);

	if (close(STDOUT_FILENO) != 0 && ok) {
		standard_output.error = errno;
		ok = false;
	}
	if (!ok)
		complain("standard output", "%s",
			 strerror(standard_output.error));
	return ok;
}

int
main(int argc, char **argv)
{
	struct options o;
	struct run run;
	int first;

	descriptors_fill();
	output_init(&standard_output, STDOUT_FILENO);
	complain_after(&standard_output);
	first = options_parse(&o, argc, argv);
	if (!run_init(&run, &o))
		return EXIT_WRONG;
	interrupt_watch(&standard_output);
	if (!action_decodes(o.action))
		report_begin(&run.report);
	if (thumbs_init(&run.thumbs, &o, argv + first, (size_t)(argc - first)))
		walk_inputs(&o, argv + first, (size_t)(argc - first),
			    entry_visit, &run);
	else
		run.output_failed = true;
	decode_end();
	picture_close(&run.checked);
	workplace_free(&run.place);
	thumbs_free(&run.thumbs);
	identifier_free(&run.identifier);
	report_free(&run.report);
	options_free(&o);
	if (!output_finish() || run.output_failed)
		return EXIT_WRONG;
	return run.trouble ? EXIT_TROUBLE : EXIT_WELL;
}
