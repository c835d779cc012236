/*
 * describe.c - what a file is that is no image of ours, by libmagic
 *
 * libmagic reads tens of megabytes of rules and takes its time: it is opened for
 * the first file that needs it, given bytes rather than a descriptor, and not
 * many of them. It also calls things images that are not: imgsniff_detect() has
 * looked at the same bytes and has the last word on the formats it decodes.
 */

#include <errno.h>
#include <magic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <imgsniff.h>

#include "describe.h"

/* ISO 9660 is known by its byte 32769; nothing further in is worth the time. */
#define LOOK_MAX	65536

/* No unpacking, and no way through the tables of an ELF file. */
#define MAGIC_FLAGS	(MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_ELF)

#define MIME_DATA	"application/octet-stream"

static const struct description data = { "data", MIME_DATA };

static magic_t magic;
static bool magic_failed;		/* it was tried: do without */
static char text_kept[1024];		/* the next call overwrites libmagic's */
static unsigned char bytes[LOOK_MAX];

static bool
magic_begin(void)
{
	size_t look = LOOK_MAX;

	if (magic != NULL || magic_failed)
		return magic != NULL;
	magic = magic_open(MAGIC_FLAGS);
	if (magic != NULL && magic_load(magic, NULL) != 0) {
		magic_close(magic);	/* no database: */
		magic = NULL;		/* described by looks alone */
	}
	magic_failed = magic == NULL;
	if (magic != NULL)
		magic_setparam(magic, MAGIC_PARAM_BYTES_MAX, &look);
	return magic != NULL;
}

static const char *
magic_ask(int flags, const void *head, size_t size)
{
	if (magic_setflags(magic, MAGIC_FLAGS | flags) != 0)
		return NULL;
	return magic_buffer(magic, head, size);
}

/* Does libmagic take it for one of the formats that it certainly is not? */
static bool
is_denied(const char *text, const char *mime)
{
	const struct imgsniff_format_info *f = NULL;

	if (strstr(text, "Web/P") != NULL)
		return true;
	while ((f = imgsniff_format_next(f)) != NULL) {
		size_t title = strlen(f->title);

		if (f->can_decode && (strcmp(mime, f->mime) == 0 ||
				      (strncmp(text, f->title, title) == 0 &&
				       strncmp(text + title, " image", 6) == 0)))
			return true;
	}
	return false;
}

static struct description
magic_describe(const void *head, size_t size, unsigned int want)
{
	struct description found = data;
	const char *answer;

	if (want & DESCRIBE_TEXT) {
		answer = magic_ask(MAGIC_NONE, head, size);
		if (answer != NULL) {
			strncpy(text_kept, answer, sizeof(text_kept) - 1);
			found.text = text_kept;
		}
	}
	if (want & DESCRIBE_MIME) {
		answer = magic_ask(MAGIC_MIME_TYPE, head, size);
		if (answer != NULL)
			found.mime = answer;
	}
	if (!is_denied(found.text, found.mime))
		return found;
	if (size >= 4 && memcmp(head, "RIFF", 4) == 0)
		return (struct description){ "RIFF data", MIME_DATA };
	return data;
}

/* Printable, or above ASCII, or white space. */
static bool
is_text(const unsigned char *p, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((p[i] < 0x20 && (p[i] < '\t' || p[i] > '\r')) ||
		    p[i] == 0x7f)
			return false;
	return true;
}

static struct description
looks_describe(const void *head, size_t size)
{
	if (is_text(head, size))
		return (struct description){ "text", "text/plain" };
	return data;
}

/* The head of a file that can seek, in 'bytes'; -1 of one that cannot. */
static ssize_t
head_read(int fd)
{
	size_t used = 0;
	ssize_t n;

	while (used < sizeof(bytes)) {
		n = pread(fd, bytes + used, sizeof(bytes) - used,
			  (off_t)used);
		if (n == 0)
			break;
		if (n > 0)
			used += (size_t)n;
		else if (errno != EINTR)
			return used > 0 ? (ssize_t)used : -1;
	}
	return (ssize_t)used;
}

static struct description
bytes_describe(const void *head, size_t size, unsigned int want)
{
	if (size == 0)
		return (struct description){ "empty", "inode/x-empty" };
	if (size > LOOK_MAX)
		size = LOOK_MAX;
	if (magic_begin())
		return magic_describe(head, size, want);
	return looks_describe(head, size);
}

struct description
describe(int fd, const void *head, size_t size, unsigned int want)
{
	ssize_t n = head_read(fd);
	struct description found;

	found = n >= 0 ? bytes_describe(bytes, (size_t)n, want)
		       : bytes_describe(head, size, want);
	if (!(want & DESCRIBE_TEXT))
		found.text = NULL;
	if (!(want & DESCRIBE_MIME))
		found.mime = NULL;
	return found;
}

void
describe_end(void)
{
	if (magic != NULL)
		magic_close(magic);
	magic = NULL;
	magic_failed = false;
}
