/*
 * main.c - identify, inspect and decode images from the command line
 *
 * Exit status: 0 all well; 1 a file was no image, could not be read or failed;
 * 2 wrong usage, or the output could not be written.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "decode.h"
#include "identify.h"
#include "interrupt.h"
#include "message.h"
#include "report.h"

enum { EXIT_WELL, EXIT_TROUBLE, EXIT_WRONG };

struct run {
	const struct options *options;
	struct identifier identifier;
	struct report report;
	bool trouble;			/* a file was not as it should be */
	bool output_failed;		/* other than standard output */
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

/* The option that raises the limit a message names; 0 characters if none. */
static int
limit_option(const struct record *r, const char **name)
{
	*name = r->message;
	if (r->status == IMGSNIFF_ERR_LIMIT)
		*name = strstr(r->message, "max-");
	if (r->status != IMGSNIFF_ERR_LIMIT || *name == NULL)
		return 0;
	return (int)strspn(*name, "abcdefghijklmnopqrstuvwxyz-");
}

/* "cat.png: IHDR: width is zero (at byte 16)" */
static void
trouble_tell(const struct record *r)
{
	const char *option;
	int size = limit_option(r, &option);
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

static void
decoded(struct run *run, const struct entry *e, struct record *r)
{
	struct imgsniff_error error;
	enum imgsniff_status st;
	bool written;

	if (r->kind == RECORD_OTHER) {
		if (run->options->style != STYLE_QUIET)
			complain(r->path, "not an image: %s", r->description);
		return;
	}
	if (r->kind == RECORD_IMAGE && r->info.width != 0) {
		st = decode_to_output(run->options, run->identifier.decoder,
				      e->fd, &error, &written);
		run->output_failed |= !written;
		if (st != IMGSNIFF_OK)
			identify_error(&run->identifier, r, &error);
	}
	if (trouble_is_told(run, r))
		trouble_tell(r);
}

static bool
entry_visit(void *user, const struct entry *e)
{
	struct run *run = user;
	struct record r;

	if (!identify(&run->identifier, e, &r))
		return true;
	if (run->options->action == ACTION_DECODE)
		decoded(run, e, &r);
	else
		identified(run, &r);
	run->trouble |= r.status != IMGSNIFF_OK;
	interrupt_count();
	if (standard_output.is_pipe && standard_output.used > 0)
		interrupt_flush_soon();
	return standard_output.error == 0 && !run->output_failed;
}

static bool
run_init(struct run *run, const struct options *o)
{
	unsigned int needs;

	*run = (struct run){ .options = o };
	if (!report_init(&run->report, o, &standard_output))
		return false;
	needs = run->report.needs;
	if (o->action == ACTION_DECODE)
		needs = o->style == STYLE_QUIET ? 0 : NEED_DESCRIPTION;
	return identifier_init(&run->identifier, o, needs);
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
	if (o.action == ACTION_IDENTIFY)
		report_begin(&run.report);
	walk_inputs(&o, argv + first, (size_t)(argc - first), entry_visit,
		    &run);
	decode_end();
	identifier_free(&run.identifier);
	report_free(&run.report);
	options_free(&o);
	if (!output_finish() || run.output_failed)
		return EXIT_WRONG;
	return run.trouble ? EXIT_TROUBLE : EXIT_WELL;
}
