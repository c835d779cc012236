/*
 * record.c - the facts of one file, and the names they go by
 *
 * fields[] is the one list of them: JSON, tables and templates are made from it.
 */

#include <string.h>

#include "escape.h"
#include "record.h"
#include "words.h"

static const struct value no_value = { .kind = VALUE_NULL };

static struct value
value_bool(bool truth)
{
	return (struct value){ .kind = VALUE_BOOL, .number = truth };
}

static struct value
value_number(uint64_t n)
{
	return (struct value){ .kind = VALUE_NUMBER, .number = n };
}

/* Where zero means that it is not known. */
static struct value
value_known(uint64_t n)
{
	return n != 0 ? value_number(n) : no_value;
}

static struct value
value_string(const char *s)
{
	if (s == NULL)
		return no_value;
	return (struct value){ .kind = VALUE_STRING, .string = s };
}

/* Flags mean something once the header has been read. */
static struct value
value_flag(const struct record *r, bool flag)
{
	return r->info.width != 0 ? value_bool(flag) : no_value;
}

static struct value
value_size(const struct record *r, uint64_t size)
{
	return r->info.width != 0 ? value_number(size) : no_value;
}

static struct value
path_value(const struct record *r)
{
	return (struct value){ .kind = VALUE_PATH, .string = r->path };
}

static struct value
path_b64_value(const struct record *r)
{
	if (utf8_is_valid(r->path))
		return no_value;
	return (struct value){ .kind = VALUE_BASE64, .string = r->path };
}

/* Of an archive; none is looked into. */
static struct value
member_value(const struct record *r)
{
	(void)r;
	return no_value;
}

static struct value
size_value(const struct record *r)
{
	return r->has_size ? value_number(r->size) : no_value;
}

static struct value
format_value(const struct record *r)
{
	return value_string(r->format ? r->format->name : NULL);
}

static struct value
mime_value(const struct record *r)
{
	return value_string(r->format ? r->format->mime : r->mime);
}

static struct value
description_value(const struct record *r)
{
	return value_string(r->description);
}

static struct value
extension_ok_value(const struct record *r)
{
	if (r->kind != RECORD_IMAGE || r->extension_ok == ANSWER_UNKNOWN)
		return no_value;
	return value_bool(r->extension_ok == ANSWER_YES);
}

static struct value
width_value(const struct record *r)
{
	return value_known(r->info.width);
}

static struct value
height_value(const struct record *r)
{
	return value_known(r->info.height);
}

static struct value
display_width_value(const struct record *r)
{
	return value_known(r->info.display_width);
}

static struct value
display_height_value(const struct record *r)
{
	return value_known(r->info.display_height);
}

static struct value
orientation_value(const struct record *r)
{
	return value_known(r->info.orientation);
}

static struct value
bit_depth_value(const struct record *r)
{
	return value_known(r->info.bit_depth);
}

static struct value
color_type_value(const struct record *r)
{
	static const char *const names[] = {
		[IMGSNIFF_COLOR_GRAY] = "gray",
		[IMGSNIFF_COLOR_GRAY_ALPHA] = "gray_alpha",
		[IMGSNIFF_COLOR_RGB] = "rgb",
		[IMGSNIFF_COLOR_RGBA] = "rgba",
		[IMGSNIFF_COLOR_PALETTE] = "palette",
		[IMGSNIFF_COLOR_YCBCR] = "ycbcr",
		[IMGSNIFF_COLOR_CMYK] = "cmyk",
		[IMGSNIFF_COLOR_YCCK] = "ycck",
	};
	size_t i = (size_t)r->info.color;

	return value_string(i < sizeof(names) / sizeof(names[0]) ? names[i]
								 : NULL);
}

static struct value
has_alpha_value(const struct record *r)
{
	return value_flag(r, r->info.has_alpha);
}

static struct value
compression_value(const struct record *r)
{
	static const char *const names[] = {
		[IMGSNIFF_LOSSY] = "lossy",
		[IMGSNIFF_LOSSLESS] = "lossless",
		[IMGSNIFF_MIXED] = "mixed",
	};
	size_t i = (size_t)r->info.compression;

	return value_string(i < sizeof(names) / sizeof(names[0]) ? names[i]
								 : NULL);
}

/* The library has one flag: a JPEG is progressive, the others are interlaced. */
static struct value
interlaced_value(const struct record *r)
{
	return value_flag(r, r->info.progressive &&
			     r->info.format != IMGSNIFF_FORMAT_JPEG);
}

static struct value
progressive_value(const struct record *r)
{
	return value_flag(r, r->info.progressive &&
			     r->info.format == IMGSNIFF_FORMAT_JPEG);
}

static struct value
animated_value(const struct record *r)
{
	return r->info.frames != 0 ? value_bool(r->info.animated) : no_value;
}

static struct value
frames_value(const struct record *r)
{
	return value_known(r->info.frames);
}

static struct value
loop_value(const struct record *r)
{
	return r->info.has_loop ? value_number(r->info.loop) : no_value;
}

static struct value
plays_value(const struct record *r)
{
	return r->info.frames != 0 ? value_number(r->info.plays) : no_value;
}

static struct value
duration_value(const struct record *r)
{
	if (r->info.frames == 0 || (r->fast && r->info.frames > 1))
		return no_value;
	return (struct value){ .kind = VALUE_MS,
			       .number = r->info.duration_us };
}

static struct value
durations_value(const struct record *r)
{
	return (struct value){ .kind = r->durations ? VALUE_MS_LIST
						    : VALUE_NULL };
}

static struct value
display_durations_value(const struct record *r)
{
	return (struct value){ .kind = r->durations ? VALUE_MS_LIST_SHOWN
						    : VALUE_NULL };
}

static struct value
icc_bytes_value(const struct record *r)
{
	return value_size(r, r->info.icc_bytes);
}

static struct value
exif_bytes_value(const struct record *r)
{
	return value_size(r, r->info.exif_bytes);
}

static struct value
xmp_bytes_value(const struct record *r)
{
	return value_size(r, r->info.xmp_bytes);
}

/* Its path; NULL if none was made. */
static struct value
thumbnail_value(const struct record *r)
{
	if (r->thumbnail == NULL)
		return no_value;
	return (struct value){ .kind = VALUE_PATH, .string = r->thumbnail };
}

static struct value
thumbnail_width_value(const struct record *r)
{
	return value_known(r->thumbnail_width);
}

static struct value
thumbnail_height_value(const struct record *r)
{
	return value_known(r->thumbnail_height);
}

static struct value
status_value(const struct record *r)
{
	return value_string(imgsniff_status_name(r->status));
}

static struct value
offset_value(const struct record *r)
{
	return r->offset != IMGSNIFF_NO_OFFSET ? value_number(r->offset)
					       : no_value;
}

static struct value
message_value(const struct record *r)
{
	return value_string(r->message);
}

static struct value
integrity_value(const struct record *r)
{
	return r->checked ? value_string(integrity_name(r->verdict.integrity))
			  : no_value;
}

static struct value
frames_valid_value(const struct record *r)
{
	return r->checked ? value_number(r->verdict.frames_valid) : no_value;
}

/* Of the frame that is not whole. */
static struct value
rows_valid_value(const struct record *r)
{
	if (r->verdict.integrity != IMGSNIFF_TRUNCATED &&
	    r->verdict.integrity != IMGSNIFF_DAMAGED)
		return no_value;
	return value_number(r->verdict.rows_valid);
}

static bool
end_is_known(const struct record *r)
{
	return r->checked && r->verdict.end_offset != IMGSNIFF_NO_OFFSET;
}

static struct value
end_offset_value(const struct record *r)
{
	return end_is_known(r) ? value_number(r->verdict.end_offset) : no_value;
}

static struct value
trailing_bytes_value(const struct record *r)
{
	return end_is_known(r) ? value_number(r->verdict.trailing_bytes)
			       : no_value;
}

static struct value
trailer_value(const struct record *r)
{
	return value_string(trailer_name(r->verdict.trailer));
}

static struct value
faults_value(const struct record *r)
{
	return (struct value){ .kind = r->faults ? VALUE_FAULTS : VALUE_NULL };
}

#define IMAGE		RECORD_IMAGE
#define OTHER		RECORD_OTHER
#define UNREADABLE	RECORD_UNREADABLE
#define EVERY		(IMAGE | OTHER | UNREADABLE)
#define KEY(k)		.key = #k, .key_size = sizeof(#k) - 1, .value = k##_value

const struct field fields[] = {
	{ KEY(path), .kinds = EVERY },
	{ KEY(path_b64), .kinds = EVERY, .optional = true },
	{ KEY(member), .kinds = IMAGE },
	{ KEY(size), .kinds = IMAGE | OTHER, .needs = NEED_SIZE },
	{ KEY(format), .kinds = EVERY },
	{ KEY(mime), .kinds = IMAGE | OTHER, .needs = NEED_MIME },
	{ KEY(description), .kinds = OTHER, .needs = NEED_DESCRIPTION },
	{ KEY(extension_ok), .kinds = IMAGE },
	{ KEY(width), .kinds = IMAGE },
	{ KEY(height), .kinds = IMAGE },
	{ KEY(display_width), .kinds = IMAGE },
	{ KEY(display_height), .kinds = IMAGE },
	{ KEY(orientation), .kinds = IMAGE },
	{ KEY(bit_depth), .kinds = IMAGE },
	{ KEY(color_type), .kinds = IMAGE },
	{ KEY(has_alpha), .kinds = IMAGE },
	{ KEY(compression), .kinds = IMAGE },
	{ KEY(interlaced), .kinds = IMAGE },
	{ KEY(progressive), .kinds = IMAGE },
	{ KEY(animated), .kinds = IMAGE },
	{ KEY(frames), .kinds = IMAGE },
	{ KEY(loop), .kinds = IMAGE },
	{ KEY(plays), .kinds = IMAGE },
	{ .key = "duration_ms", .key_size = 11, .kinds = IMAGE,
	  .value = duration_value },
	{ .key = "durations_ms", .key_size = 12, .kinds = IMAGE,
	  .needs = NEED_DURATIONS, .value = durations_value },
	{ .key = "display_durations_ms", .key_size = 20, .kinds = IMAGE,
	  .needs = NEED_DURATIONS, .value = display_durations_value },
	{ KEY(icc_bytes), .kinds = IMAGE },
	{ KEY(exif_bytes), .kinds = IMAGE },
	{ KEY(xmp_bytes), .kinds = IMAGE },
	{ KEY(thumbnail), .kinds = IMAGE, .optional = true,
	  .of_thumbnail = true },
	{ KEY(thumbnail_width), .kinds = IMAGE, .optional = true,
	  .of_thumbnail = true },
	{ KEY(thumbnail_height), .kinds = IMAGE, .optional = true,
	  .of_thumbnail = true },
	{ KEY(status), .kinds = EVERY },
	{ KEY(offset), .kinds = IMAGE },
	{ KEY(message), .kinds = IMAGE | UNREADABLE },
	{ KEY(integrity), .kinds = IMAGE, .of_check = true },
	{ KEY(frames_valid), .kinds = IMAGE, .of_check = true },
	{ KEY(rows_valid), .kinds = IMAGE, .of_check = true },
	{ KEY(end_offset), .kinds = IMAGE, .of_check = true },
	{ KEY(trailing_bytes), .kinds = IMAGE, .of_check = true },
	{ KEY(trailer), .kinds = IMAGE, .of_check = true },
	{ KEY(faults), .kinds = IMAGE, .optional = true, .of_check = true },
};

const size_t field_count = sizeof(fields) / sizeof(fields[0]);

const struct field *
field_find(const char *key, size_t size)
{
	for (size_t i = 0; i < field_count; i++)
		if (fields[i].key_size == size &&
		    memcmp(fields[i].key, key, size) == 0)
			return &fields[i];
	return NULL;
}

enum answer
extension_check(const char *path, const struct imgsniff_format_info *format)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	if (dot == NULL || dot == name || dot[1] == '\0')
		return ANSWER_UNKNOWN;	/* there is none */
	return words_have(format->extensions, dot + 1, strlen(dot + 1))
		? ANSWER_YES : ANSWER_NO;
}

const char *
trailer_name(enum imgsniff_trailer trailer)
{
	static const char *const names[] = {
		[IMGSNIFF_TRAILER_NONE] = NULL,
		[IMGSNIFF_TRAILER_ZEROS] = "zeros",
		[IMGSNIFF_TRAILER_IMAGE] = "image",
		[IMGSNIFF_TRAILER_ARCHIVE] = "archive",
		[IMGSNIFF_TRAILER_TEXT] = "text",
		[IMGSNIFF_TRAILER_OTHER] = "other",
	};
	size_t i = (size_t)trailer;

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

const char *
integrity_name(enum imgsniff_integrity integrity)
{
	static const char *const names[] = {
		[IMGSNIFF_INTACT] = "intact",
		[IMGSNIFF_TOLERABLE] = "tolerable",
		[IMGSNIFF_TRUNCATED] = "truncated",
		[IMGSNIFF_DAMAGED] = "damaged",
		[IMGSNIFF_UNCHECKED] = "unchecked",
		[IMGSNIFF_CRASHED] = "crashed",
		[IMGSNIFF_TIMEOUT] = "timeout",
	};
	size_t i = (size_t)integrity;

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

enum imgsniff_integrity
fault_integrity(const struct imgsniff_error *fault)
{
	if (fault->status == IMGSNIFF_OK)
		return IMGSNIFF_TOLERABLE;
	return fault->status == IMGSNIFF_ERR_TRUNCATED ? IMGSNIFF_TRUNCATED
						       : IMGSNIFF_DAMAGED;
}

uint64_t
duration_shown(uint64_t us)
{
	return us <= 10000 ? 100000 : us;
}

int
record_limit_option(const struct record *r, const char **name)
{
	*name = r->message;
	if (r->status == IMGSNIFF_ERR_LIMIT)
		*name = strstr(r->message, "max-");
	if (r->status != IMGSNIFF_ERR_LIMIT || *name == NULL)
		return 0;
	return (int)strspn(*name, "abcdefghijklmnopqrstuvwxyz-");
}
