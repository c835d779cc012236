/*
 * report.c - records on standard output, in the style that was asked for
 */

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "message.h"
#include "picture.h"
#include "report.h"

/* The largest number that every JSON reader takes for what it is. */
#define NUMBER_MAX	((UINT64_C(1) << 53) - 1)

static const struct {
	unsigned int needs;
	void (*begin)(struct report *r);
	bool (*print)(struct report *r, const struct record *record);
} styles[STYLE_COUNT] = {
	[STYLE_TEXT] = { NEED_DESCRIPTION, NULL, text_print },
	[STYLE_MIME] = { NEED_MIME, NULL, mime_print },
	[STYLE_JSON] = { UINT32_MAX, NULL, json_print },
	[STYLE_CSV] = { UINT32_MAX, csv_begin, csv_print },
	[STYLE_TSV] = { UINT32_MAX, tsv_begin, tsv_print },
	[STYLE_TEMPLATE] = { 0, NULL, template_print },
	[STYLE_QUIET] = { 0, NULL, NULL },
};

/* no-color.org: set and not empty. */
static bool
color_wanted(enum when when, const struct output *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	switch (when) {
	case WHEN_ALWAYS:
		return true;
	case WHEN_NEVER:
		return false;
	case WHEN_AUTO:
		break;
	}
	return out->by_line && (no_color == NULL || *no_color == '\0') &&
	       term != NULL && strcmp(term, "dumb") != 0;
}

bool
report_init(struct report *r, const struct options *o, struct output *out)
{
	const char *why;

	*r = (struct report){
		.options = o, .out = out, .needs = styles[o->style].needs,
		.color = color_wanted(o->color, out),
	};
	if (o->style == STYLE_TEMPLATE) {
		r->template = template_compile(o->template, &r->needs, &why);
		if (r->template == NULL) {
			complain("--template", "%s", why);
			return false;
		}
	}
	return true;
}

void
report_free(struct report *r)
{
	template_free(r->template);
}

static void
record_finish(struct report *r)
{
	output_char(r->out, r->options->print0 ? '\0' : '\n');
	output_record_end(r->out);
}

void
report_begin(struct report *r)
{
	if (styles[r->options->style].begin == NULL)
		return;
	output_record_begin(r->out);
	styles[r->options->style].begin(r);
	record_finish(r);
}

void
report_record(struct report *r, const struct record *record)
{
	if (styles[r->options->style].print == NULL)
		return;
	output_record_begin(r->out);
	if (styles[r->options->style].print(r, record))
		record_finish(r);
	else
		output_record_end(r->out);
}

static void
number_print(struct output *out, uint64_t n)
{
	output_number(out, n < NUMBER_MAX ? n : NUMBER_MAX);
}

void
thousandths_print(struct output *out, uint64_t n)
{
	char digits[4] = { '.', (char)('0' + n / 100 % 10),
			   (char)('0' + n / 10 % 10), (char)('0' + n % 10) };
	size_t size = sizeof(digits);

	number_print(out, n / 1000);
	while (size > 0 && (digits[size - 1] == '0' || digits[size - 1] == '.'))
		size--;
	output_write(out, digits, size);
}

static void
list_print(struct output *out, const struct value_style *style,
	   const struct record *record, bool shown)
{
	output_string(out, style->list_begin);
	for (size_t i = 0; i < record->duration_count; i++) {
		uint64_t us = record->durations[i];

		if (i > 0)
			output_string(out, style->list_separator);
		thousandths_print(out, shown ? duration_shown(us) : us);
	}
	output_string(out, style->list_end);
}

static void
faults_print(struct output *out, const struct value_style *style,
	     const struct picture *picture)
{
	const struct imgsniff_error *fault;

	output_string(out, style->list_begin);
	for (size_t i = 0;
	     (fault = picture_fault(picture, i)) != NULL; i++) {
		if (i > 0)
			output_string(out, style->list_separator);
		style->fault(out, fault);
	}
	output_string(out, style->list_end);
}

void
value_print(struct output *out, const struct value_style *style,
	    const struct record *record, struct value v)
{
	switch (v.kind) {
	case VALUE_NULL:
		output_string(out, style->null);
		return;
	case VALUE_BOOL:
		output_string(out, v.number ? "true" : "false");
		return;
	case VALUE_NUMBER:
		number_print(out, v.number);
		return;
	case VALUE_STRING:
		style->string(out, v.string);
		return;
	case VALUE_PATH:
		style->path(out, v.string);
		return;
	case VALUE_BASE64:
		output_string(out, style->base64_quote);
		escape_base64(out, v.string);
		output_string(out, style->base64_quote);
		return;
	case VALUE_MS:
		thousandths_print(out, v.number);
		return;
	case VALUE_MS_LIST:
		list_print(out, style, record, false);
		return;
	case VALUE_MS_LIST_SHOWN:
		list_print(out, style, record, record->info.animated);
		return;
	case VALUE_FAULTS:
		faults_print(out, style, record->faults);
		return;
	}
}
