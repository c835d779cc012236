/*
 * report_text.c - a line for people, and the one with the media type
 */

#include "escape.h"
#include "picture.h"
#include "report.h"

#define BOLD	"\033[1m"
#define DIM	"\033[2m"
#define RED	"\033[31m"
#define GREEN	"\033[32m"
#define YELLOW	"\033[33m"
#define PLAIN	"\033[0m"

static void
color_begin(struct report *r, const char *color)
{
	if (r->color)
		output_string(r->out, color);
}

static void
color_end(struct report *r)
{
	color_begin(r, PLAIN);
}

static void
name_print(struct report *r, const struct record *record)
{
	if (r->options->brief)
		return;
	if (r->options->print0)
		output_string(r->out, record->path);
	else
		escape_terminal(r->out, record->path);
	output_write(r->out, ": ", 2);
}

static void
size_print(struct output *out, uint32_t width, uint32_t height)
{
	output_number(out, width);
	output_char(out, 'x');
	output_number(out, height);
}

static void
fact_print(struct output *out, const char *fact)
{
	output_write(out, ", ", 2);
	output_string(out, fact);
}

/* "8-bit YCbCr"; a GIF's palette is always the same. */
static void
color_print(struct output *out, const struct imgsniff_info *info)
{
	static const char *const names[] = {
		[0] = NULL,
		[IMGSNIFF_COLOR_GRAY] = "gray",
		[IMGSNIFF_COLOR_GRAY_ALPHA] = "gray and alpha",
		[IMGSNIFF_COLOR_RGB] = "RGB",
		[IMGSNIFF_COLOR_RGBA] = "RGBA",
		[IMGSNIFF_COLOR_PALETTE] = "palette",
		[IMGSNIFF_COLOR_YCBCR] = "YCbCr",
		[IMGSNIFF_COLOR_CMYK] = "CMYK",
		[IMGSNIFF_COLOR_YCCK] = "YCCK",
	};
	size_t i = (size_t)info->color;
	const char *name = i < sizeof(names) / sizeof(names[0]) ? names[i]
								: NULL;

	if (name == NULL)
		return;
	output_write(out, ", ", 2);
	if (info->bit_depth != 0 && info->format != IMGSNIFF_FORMAT_GIF) {
		output_number(out, info->bit_depth);
		output_string(out, "-bit ");
	}
	output_string(out, name);
	if (info->has_alpha && info->color != IMGSNIFF_COLOR_RGBA &&
	    info->color != IMGSNIFF_COLOR_GRAY_ALPHA)
		output_string(out, " with transparency");
}

/* WebP alone has both kinds; the others' follows from the format. */
static void
compression_print(struct output *out, const struct imgsniff_info *info)
{
	if (info->format != IMGSNIFF_FORMAT_WEBP)
		return;
	switch (info->compression) {
	case IMGSNIFF_LOSSY:
		fact_print(out, "lossy");
		return;
	case IMGSNIFF_LOSSLESS:
		fact_print(out, "lossless");
		return;
	case IMGSNIFF_MIXED:
		fact_print(out, "lossy and lossless");
		return;
	}
}

static void
orientation_print(struct output *out, const struct imgsniff_info *info)
{
	if (info->orientation <= 1)
		return;
	output_string(out, ", orientation ");
	output_number(out, info->orientation);
	if (info->display_width != info->width) {
		output_string(out, " (shown ");
		size_print(out, info->display_width, info->display_height);
		output_char(out, ')');
	}
}

static void
animation_print(struct output *out, const struct record *record)
{
	const struct imgsniff_info *info = &record->info;

	if (!info->animated)
		return;
	output_write(out, ", ", 2);
	output_number(out, info->frames);
	output_string(out, " frames");
	if (!record->fast) {
		output_write(out, ", ", 2);
		thousandths_print(out, info->duration_us / 1000);
		output_string(out, " s");
	}
	if (info->plays == 0) {
		fact_print(out, "loops for ever");
	} else if (info->plays == 1) {
		fact_print(out, "plays once");
	} else {
		output_string(out, ", plays ");
		output_number(out, info->plays);
		output_string(out, " times");
	}
}

static void
facts_print(struct output *out, const struct record *record)
{
	const struct imgsniff_info *info = &record->info;

	compression_print(out, info);
	color_print(out, info);
	if (info->progressive)
		fact_print(out, info->format == IMGSNIFF_FORMAT_JPEG
				? "progressive" : "interlaced");
	animation_print(out, record);
	orientation_print(out, info);
	if (info->icc_bytes != 0)
		fact_print(out, "ICC");
}

static void
place_print(struct output *out, uint64_t offset)
{
	if (offset == IMGSNIFF_NO_OFFSET)
		return;
	output_string(out, " (at byte ");
	output_number(out, offset);
	output_char(out, ')');
}

/* "; 12 of 30 rows are whole" */
static void
whole_print(struct output *out, const struct record *record)
{
	const struct imgsniff_verdict *v = &record->verdict;
	bool animated = record->info.animated;
	uint64_t all = animated ? record->info.frames : record->info.height;
	uint64_t whole = animated ? v->frames_valid : v->rows_valid;

	if (!animated && v->frames_valid > 0)
		whole = all;
	if (all == 0)
		return;
	if (whole == 0) {
		output_string(out, animated ? "; no frame is whole"
					    : "; no row is whole");
	} else if (whole >= all && !animated) {
		output_string(out, "; all rows are whole");
	} else if (whole >= all) {
		/* In a file that is cut, "all" would be those that are left. */
		output_string(out, "; ");
		output_number(out, whole);
		output_string(out, " frames are whole");
	} else {
		output_string(out, "; ");
		output_number(out, whole);
		output_string(out, " of ");
		output_number(out, all);
		output_string(out, animated ? " frames" : " rows");
		output_string(out, whole == 1 ? " is whole" : " are whole");
	}
}

static void
trailer_print(struct output *out, const struct imgsniff_verdict *v)
{
	static const char *const names[] = {
		[IMGSNIFF_TRAILER_ZEROS] = ", zeros",
		[IMGSNIFF_TRAILER_IMAGE] = ", an image",
		[IMGSNIFF_TRAILER_ARCHIVE] = ", an archive",
		[IMGSNIFF_TRAILER_TEXT] = ", text",
	};
	size_t i = (size_t)v->trailer;

	if (v->trailing_bytes == 0)
		return;
	output_string(out, "; ");
	output_number(out, v->trailing_bytes);
	output_string(out, v->trailing_bytes == 1 ? " byte follows"
						  : " bytes follow");
	if (i < sizeof(names) / sizeof(names[0]) && names[i] != NULL)
		output_string(out, names[i]);
}

/* A line for each fault, below that of the image. */
static void
faults_print(struct output *out, const struct picture *picture)
{
	const struct imgsniff_error *e;

	for (size_t i = 0; (e = picture_fault(picture, i)) != NULL; i++) {
		output_string(out, "\n\t");
		output_string(out, integrity_name(fault_integrity(e)));
		output_string(out, ": ");
		output_string(out, e->message);
		place_print(out, e->offset);
	}
}

/* Then the message says it all: "crashed: SIGSEGV". */
static bool
is_lost(const struct imgsniff_verdict *v)
{
	return v->integrity == IMGSNIFF_CRASHED ||
	       v->integrity == IMGSNIFF_TIMEOUT;
}

/* "; see --max-pixels" */
static void
limit_print(struct output *out, const struct record *record)
{
	const char *option;
	int size = record_limit_option(record, &option);

	if (size == 0)
		return;
	output_string(out, "; see --");
	output_write(out, option, (size_t)size);
}

/* ": truncated: scan: the file ends inside it (at byte 900); ..." */
static void
verdict_print(struct report *r, const struct record *record)
{
	const struct imgsniff_verdict *v = &record->verdict;
	struct output *out = r->out;

	output_string(out, ": ");
	color_begin(r, v->integrity == IMGSNIFF_INTACT ? GREEN :
		       v->integrity == IMGSNIFF_TOLERABLE ? YELLOW : RED);
	if (is_lost(v))
		escape_text(out, record->message);
	else
		output_string(out, integrity_name(v->integrity));
	color_end(r);
	if (!is_lost(v) && record->message != NULL) {
		output_string(out, ": ");
		escape_text(out, record->message);
		place_print(out, record->offset);
		limit_print(out, record);
	}
	if (v->integrity == IMGSNIFF_TRUNCATED ||
	    v->integrity == IMGSNIFF_DAMAGED)
		whole_print(out, record);
	trailer_print(out, v);
	if (record->faults != NULL)
		faults_print(out, record->faults);
}

static void
image_print(struct report *r, const struct record *record)
{
	const struct imgsniff_info *info = &record->info;
	struct output *out = r->out;

	color_begin(r, BOLD);
	output_string(out, record->format->title);
	if (info->width != 0 && info->height != 0) {
		output_char(out, ' ');
		size_print(out, info->width, info->height);
	}
	color_end(r);
	if (info->width != 0)
		facts_print(out, record);
	if (record->checked) {
		verdict_print(r, record);
	} else if (record->status != IMGSNIFF_OK) {
		output_write(out, ", ", 2);
		color_begin(r, RED);
		output_string(out, imgsniff_status_name(record->status));
		color_end(r);
	}
}

bool
text_print(struct report *r, const struct record *record)
{
	switch (record->kind) {
	case RECORD_IMAGE:
		name_print(r, record);
		image_print(r, record);
		return true;
	case RECORD_OTHER:
		name_print(r, record);
		color_begin(r, DIM);
		output_string(r->out, "not an image: ");
		escape_text(r->out, record->description);
		color_end(r);
		return true;
	case RECORD_UNREADABLE:
		return false;		/* standard error tells */
	}
	return false;
}

bool
mime_print(struct report *r, const struct record *record)
{
	if (record->kind == RECORD_UNREADABLE)
		return false;
	name_print(r, record);
	escape_text(r->out, record->format ? record->format->mime
					   : record->mime);
	return true;
}
