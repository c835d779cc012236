/*
 * option_table.c - the one list of options
 */

#include <stddef.h>
#include <string.h>

#include "option_table.h"

#define MEMBER(m)	.member = offsetof(struct options, m)
#define LIMIT(m)	MEMBER(library.limits.m), .group = GROUP_LIMITS, .arg = "N"
#define WHENS		"auto always never"

const struct option_row option_table[] = {
	{ .kind = OPTION_ACTION, .letter = 'c', .name = "check",
	  MEMBER(action), .value = ACTION_CHECK, .group = GROUP_CHECK,
	  .help = "decode all, tell whether it is whole" },
	{ .kind = OPTION_FLAG, .name = "strict", MEMBER(strict),
	  .group = GROUP_CHECK, .checking = true },
	{ .kind = OPTION_FLAG, .name = "all-faults", MEMBER(all_faults),
	  .group = GROUP_CHECK, .checking = true,
	  .help = "fail for oddities too; tell every fault" },

	{ .kind = OPTION_ACTION, .letter = 'd', .name = "decode",
	  MEMBER(action), .value = ACTION_DECODE, .group = GROUP_DECODE,
	  .help = "write an image's pixels" },
	{ .kind = OPTION_SIZE, .letter = 't', .name = "thumbnail",
	  .arg = "SIZE", MEMBER(action), .value = ACTION_THUMBNAIL,
	  .group = GROUP_DECODE,
	  .help = "scaled down to SIZE or WxH, upright, sRGB" },
	{ .kind = OPTION_STRING, .letter = 'o', .name = "output",
	  .arg = "FILE", MEMBER(output), .group = GROUP_DECODE,
	  .decoding = true, .help = "to this file; thumbnails: or directory" },
	{ .kind = OPTION_CHOICE, .name = "to",
	  .arg = "pam|ppm|png|jpeg|webp|raw",
	  .choices = "pam ppm png jpeg jpg webp raw", MEMBER(to),
	  .group = GROUP_DECODE, .decoding = true, .help = "in this form" },
	{ .kind = OPTION_QUALITY, .name = "quality", .arg = "N",
	  MEMBER(quality), .group = GROUP_DECODE, .decoding = true },
	{ .kind = OPTION_FLAG, .name = "lossless", MEMBER(lossless),
	  .group = GROUP_DECODE, .decoding = true,
	  .help = "JPEG, WebP: 1 to 100; WebP without loss" },
	{ .kind = OPTION_NUMBER, .name = "depth", .arg = "8|16",
	  .choices = "8 16", MEMBER(depth), .group = GROUP_DECODE,
	  .decoding = true, .help = "bits of each sample" },
	{ .kind = OPTION_FLAG, .name = "all-frames", MEMBER(all_frames),
	  .group = GROUP_DECODE, .decoding = true },
	{ .kind = OPTION_NUMBER, .name = "frame", .arg = "N", MEMBER(frame),
	  .group = GROUP_DECODE, .decoding = true,
	  .help = "all frames, or the one counted from 0" },
	{ .kind = OPTION_FLAG, .name = "keep-damaged", MEMBER(keep_damaged),
	  .group = GROUP_DECODE, .decoding = true,
	  .help = "write what can be had of a damaged image" },
	{ .kind = OPTION_FLAG, .name = "force", MEMBER(force),
	  .group = GROUP_DECODE, .decoding = true },
	{ .kind = OPTION_FLAG, .name = "update", MEMBER(update),
	  .group = GROUP_DECODE, .decoding = true,
	  .help = "replace what exists; an older thumbnail" },

	{ .kind = OPTION_STRING, .name = "files-from", .arg = "LIST",
	  MEMBER(files_from), .group = GROUP_INPUT },
	{ .kind = OPTION_FLAG, .letter = '0', .name = "null", MEMBER(null),
	  .group = GROUP_INPUT,
	  .help = "names from a file or -, ended by NUL" },
	{ .kind = OPTION_FORMATS, .name = "formats", .arg = "LIST",
	  MEMBER(formats), .group = GROUP_INPUT,
	  .help = "only these: jpeg,png,..." },
	{ .kind = OPTION_STRINGS, .name = "include", .arg = "GLOB",
	  MEMBER(include), .group = GROUP_INPUT },
	{ .kind = OPTION_STRINGS, .name = "exclude", .arg = "GLOB",
	  MEMBER(exclude), .group = GROUP_INPUT,
	  .help = "only such files of a directory" },
	{ .kind = OPTION_FLAG, .name = "follow", MEMBER(follow),
	  .group = GROUP_INPUT, .help = "symbolic links in a directory too" },
	{ .kind = OPTION_FLAG, .name = "all", MEMBER(all),
	  .group = GROUP_INPUT, .help = "what is no image in a directory too" },
	{ .kind = OPTION_FLAG, .name = "fast", MEMBER(fast),
	  .group = GROUP_INPUT,
	  .help = "only what the head of a file tells" },

	{ .kind = OPTION_STYLE, .letter = 'J', .name = "json", MEMBER(style),
	  .value = STYLE_JSON, .group = GROUP_OUTPUT,
	  .help = "a JSON object a line" },
	{ .kind = OPTION_STYLE, .name = "csv", MEMBER(style),
	  .value = STYLE_CSV, .group = GROUP_OUTPUT },
	{ .kind = OPTION_STYLE, .name = "tsv", MEMBER(style),
	  .value = STYLE_TSV, .group = GROUP_OUTPUT,
	  .help = "a table with a header line" },
	{ .kind = OPTION_TEMPLATE, .name = "template", .arg = "TEXT",
	  MEMBER(template), .value = STYLE_TEMPLATE, .group = GROUP_OUTPUT,
	  .help = "'{path} {width}x{height}', by JSON's keys" },
	{ .kind = OPTION_STYLE, .letter = 'i', .name = "mime-type",
	  MEMBER(style), .value = STYLE_MIME, .group = GROUP_OUTPUT,
	  .help = "names and media types" },
	{ .kind = OPTION_FLAG, .letter = 'b', .name = "brief", MEMBER(brief),
	  .group = GROUP_OUTPUT, .help = "without the names" },
	{ .kind = OPTION_STYLE, .letter = 'q', .name = "quiet", MEMBER(style),
	  .value = STYLE_QUIET, .group = GROUP_OUTPUT,
	  .help = "nothing; the exit status tells" },
	{ .kind = OPTION_FLAG, .letter = 'Z', .name = "print0", MEMBER(print0),
	  .group = GROUP_OUTPUT,
	  .help = "records end in NUL, names unescaped" },
	{ .kind = OPTION_WHEN, .name = "color", .arg = "auto|always|never",
	  .choices = WHENS, MEMBER(color), .group = GROUP_OUTPUT,
	  .help = "colours on a terminal" },

	{ .kind = OPTION_COUNT64, .name = "max-pixels", LIMIT(max_pixels) },
	{ .kind = OPTION_COUNT32, .name = "max-dimension", LIMIT(max_dimension),
	  .help = "of an image to decode" },
	{ .kind = OPTION_COUNT32, .name = "max-frames", LIMIT(max_frames) },
	{ .kind = OPTION_COUNT64, .name = "max-animation-pixels",
	  LIMIT(max_animation_pixels), .help = "of an animation" },
	{ .kind = OPTION_COUNT32, .name = "max-scans", LIMIT(max_scans),
	  .help = "of a progressive JPEG" },
	{ .kind = OPTION_BYTES, .name = "max-memory", LIMIT(max_memory) },
	{ .kind = OPTION_BYTES, .name = "max-metadata", LIMIT(max_metadata) },
	{ .kind = OPTION_BYTES, .name = "max-input", LIMIT(max_input),
	  .help = "bytes" },
	{ .kind = OPTION_WHEN, .name = "isolate", .arg = "auto|always|never",
	  .choices = WHENS, MEMBER(isolate), .group = GROUP_LIMITS,
	  .help = "decode in a sandboxed process," },
	{ .kind = OPTION_SECONDS, .name = "timeout", .arg = "SECONDS",
	  MEMBER(timeout), .group = GROUP_LIMITS,
	  .help = "which may take so long for a frame" },
	{ .kind = OPTION_STRING, .name = "backend", .arg = "NAME",
	  MEMBER(library.backend), .group = GROUP_LIMITS,
	  .help = "decode by this library (stb)" },

	{ .kind = OPTION_HELP, .letter = 'h', .name = "help",
	  .group = GROUP_OTHER },
	{ .kind = OPTION_VERSION, .letter = 'V', .name = "version",
	  .group = GROUP_OTHER, .help = "this; what was built, with what" },
	{ .kind = OPTION_COMPLETION, .name = "completion",
	  .arg = "bash|zsh|fish", .choices = "bash zsh fish",
	  .group = GROUP_OTHER, .help = "a script for the shell" },
};

const size_t option_count = sizeof(option_table) / sizeof(option_table[0]);

_Static_assert(sizeof(option_table) / sizeof(option_table[0]) <= OPTION_MAX,
	       "too many options");

void
option_choices(const struct option_row *row,
	       void (*each)(void *user, const char *word, size_t size),
	       void *user)
{
	const char *p = row->choices;

	while (p != NULL && *p != '\0') {
		size_t n = strcspn(p, " ");

		each(user, p, n);
		p += n + strspn(p + n, " ");
	}
}
