/*
 * identify.c - a file into a record
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe.h"
#include "identify.h"
#include "message.h"

#define FRAMES_MAX	10000		/* the library's max_frames */
#define INPUT_MAX	(UINT64_C(1) << 30)
#define MEMORY_MAX	(UINT64_C(2) << 30)

/* What is read of a pipe is kept: both limits are meant. */
static void
stream_limit(struct identifier *id, const struct imgsniff_limits *limits)
{
	uint64_t input = limits->max_input ? limits->max_input : INPUT_MAX;
	uint64_t memory = limits->max_memory ? limits->max_memory : MEMORY_MAX;

	id->stream.limit = memory < input ? memory : input;
	id->stream_message = memory < input
		? "input: needs more than max-memory allows"
		: "input: more bytes than max-input allows";
}

bool
identifier_init(struct identifier *id, const struct options *o,
		unsigned int needs)
{
	*id = (struct identifier){ .options = o, .needs = needs };
	stream_limit(id, &o->library.limits);
	id->decoder = imgsniff_new(&o->library);
	if (id->decoder != NULL)
		return true;
	if (errno == EINVAL && o->library.backend != NULL)
		complain("--backend", "'%s' is not built in; this build has %s",
			 o->library.backend, imgsniff_features());
	else
		complain(NULL, "%s", strerror(errno));
	return false;
}

void
identifier_free(struct identifier *id)
{
	imgsniff_free(id->decoder);
	stream_free(&id->stream);
	free(id->durations);
	describe_end();
}

void
identify_error(struct identifier *id, struct record *r,
	       const struct imgsniff_error *error)
{
	r->status = error->status;
	r->offset = error->offset;
	r->message = error->message;
	if (id->stream.over_limit) {
		r->status = IMGSNIFF_ERR_LIMIT;
		r->message = id->stream_message;
	} else if (error->system_errno != 0) {
		snprintf(id->message, sizeof(id->message), "%s: %s",
			 error->message, strerror(error->system_errno));
		r->message = id->message;
	}
}

static void
unreadable_fill(struct identifier *id, struct record *r, int error,
		const char *problem)
{
	r->kind = RECORD_UNREADABLE;
	r->status = IMGSNIFF_ERR_IO;
	snprintf(id->message, sizeof(id->message), "%s%s%s",
		 problem ? problem : "", problem ? ": " : "", strerror(error));
	r->message = id->message;
}

static bool
format_is_wanted(const struct options *o, enum imgsniff_format format)
{
	return o->formats == 0 ||
	       (o->formats & UINT32_C(1) << (unsigned int)format) != 0;
}

/* By its leading bytes, where they can be read in advance. */
static enum imgsniff_format
head_format(int fd)
{
	uint8_t head[IMGSNIFF_DETECT_BYTES];
	enum imgsniff_format format = IMGSNIFF_FORMAT_UNKNOWN;
	ssize_t n = pread(fd, head, sizeof(head), 0);

	if (n > 0 && imgsniff_detect(head, (size_t)n, true, &format) < 0)
		return IMGSNIFF_FORMAT_UNKNOWN;
	return format;
}

static enum imgsniff_status
file_open(struct identifier *id, int fd, bool named)
{
	unsigned int flags = id->options->fast ? IMGSNIFF_HEAD : 0;
	struct imgsniff_source source;

	if (!named || !is_stream(fd))
		return imgsniff_open_fd(id->decoder, fd, flags);
	source = stream_source(&id->stream, fd);
	return imgsniff_open_source(id->decoder, &source, flags);
}

static void
size_fill(struct record *r, int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		r->has_size = true;
		r->size = (uint64_t)st.st_size;
	}
}

static bool
durations_grow(struct identifier *id, size_t count)
{
	size_t size = (count + 64) * 2 * sizeof(*id->durations);
	uint64_t *durations;

	if (count * sizeof(*durations) < id->durations_size)
		return true;
	durations = realloc(id->durations, size);
	if (durations == NULL)
		return false;
	id->durations = durations;
	id->durations_size = size;
	return true;
}

/*
 * Of every frame, unless there are more than may be decoded: whoever wants such
 * a list raises --max-frames.
 */
static void
durations_fill(struct identifier *id, struct record *r)
{
	uint32_t max = id->options->library.limits.max_frames;
	size_t count = 0;

	if (max == 0)
		max = FRAMES_MAX;
	if (r->info.frames == 0 || r->info.frames > max ||
	    (r->fast && r->info.frames > 1))
		return;
	do {
		if (!durations_grow(id, count))
			return;
		id->durations[count++] =
			imgsniff_get_frame(id->decoder)->duration_us;
	} while (count < r->info.frames &&
		 imgsniff_next_frame(id->decoder) == IMGSNIFF_OK);
	r->durations = id->durations;
	r->duration_count = count;
}

/* A header that gave no width told nothing. */
static void
image_fill(struct identifier *id, struct record *r,
	   const struct imgsniff_info *info)
{
	r->kind = RECORD_IMAGE;
	r->format = imgsniff_get_format_info(info->format);
	if (info->width != 0)
		r->info = *info;
	r->extension_ok = extension_check(r->path, r->format);
	if (id->needs & NEED_DURATIONS)
		durations_fill(id, r);
}

static void
other_fill(struct identifier *id, struct record *r, int fd)
{
	struct description d;
	unsigned int want = 0;

	r->kind = RECORD_OTHER;
	r->offset = IMGSNIFF_NO_OFFSET;
	r->message = NULL;
	if (id->needs & NEED_DESCRIPTION)
		want |= DESCRIBE_TEXT;
	if (id->needs & NEED_MIME)
		want |= DESCRIBE_MIME;
	if (want != 0) {
		d = describe(fd, id->stream.bytes, id->stream.used, want);
		r->description = d.text;
		r->mime = d.mime;
	}
}

/* An image, but not one of those that were asked for: of these, no facts. */
static void
unwanted_fill(struct record *r, enum imgsniff_format format)
{
	r->kind = RECORD_IMAGE;
	r->format = imgsniff_get_format_info(format);
	r->extension_ok = extension_check(r->path, r->format);
	r->status = IMGSNIFF_ERR_UNSUPPORTED;
	r->offset = IMGSNIFF_NO_OFFSET;
	r->message = "format: not one of those in --formats";
	r->unwanted = true;
}

static bool
opened_fill(struct identifier *id, const struct entry *e, struct record *r,
	    enum imgsniff_status st)
{
	const struct imgsniff_info *info = imgsniff_get_info(id->decoder);

	r->fast = id->options->fast;
	if (st != IMGSNIFF_OK)
		identify_error(id, r, imgsniff_last_error(id->decoder));
	if (info != NULL) {
		if (format_is_wanted(id->options, info->format)) {
			image_fill(id, r, info);
		} else {
			unwanted_fill(r, info->format);
		}
		return true;
	}
	if (r->status != IMGSNIFF_ERR_FORMAT) {
		r->kind = RECORD_UNREADABLE;
		return true;
	}
	if (!e->named && !id->options->all)
		return false;
	other_fill(id, r, e->fd);
	return true;
}

/* A file of a format that is not wanted is not even opened, if that can be. */
static bool
file_fill(struct identifier *id, const struct entry *e, struct record *r)
{
	enum imgsniff_format format;

	if (id->options->formats != 0) {
		format = head_format(e->fd);
		if (format != IMGSNIFF_FORMAT_UNKNOWN &&
		    !format_is_wanted(id->options, format)) {
			unwanted_fill(r, format);
			return e->named;
		}
	}
	return opened_fill(id, e, r, file_open(id, e->fd, e->named));
}

bool
identify(struct identifier *id, const struct entry *e, struct record *r)
{
	*r = (struct record){
		.path = e->path, .offset = IMGSNIFF_NO_OFFSET,
		.extension_ok = ANSWER_UNKNOWN,
	};
	if (e->error != 0) {
		unreadable_fill(id, r, e->error, e->problem);
		return true;
	}
	stream_reset(&id->stream);
	if (!file_fill(id, e, r))
		return false;
	if (id->needs & NEED_SIZE)
		size_fill(r, e->fd);
	return true;
}
