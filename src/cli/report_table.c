/*
 * report_table.c - CSV and TSV: all fields of all kinds of records
 *
 * With --print0 names keep their bytes. In TSV nothing marks a tab in one then; it
 * is the first column, and how many follow is known.
 */

#include "escape.h"
#include "report.h"

static const struct value_style csv_style = {
	.string = escape_csv, .path = escape_csv, .null = "",
	.list_begin = "", .list_separator = ";", .list_end = "",
	.base64_quote = "",
};

static const struct value_style tsv_style = {
	.string = escape_tsv, .path = escape_tsv, .null = "",
	.list_begin = "", .list_separator = ";", .list_end = "",
	.base64_quote = "",
};

/* Faults are many, and each has parts: that is for JSON. */
static bool
field_is_column(const struct report *r, const struct field *f)
{
	if (f->of_check)
		return r->options->action == ACTION_CHECK && !f->optional;
	return !f->of_thumbnail;
}

static void
header_print(struct report *r, char separator)
{
	for (size_t i = 0; i < field_count; i++) {
		if (!field_is_column(r, &fields[i]))
			continue;
		if (i > 0)
			output_char(r->out, separator);
		output_write(r->out, fields[i].key, fields[i].key_size);
	}
}

static void
row_print(struct report *r, const struct record *record,
	  const struct value_style *style, char separator)
{
	for (size_t i = 0; i < field_count; i++) {
		if (!field_is_column(r, &fields[i]))
			continue;
		if (i > 0)
			output_char(r->out, separator);
		value_print(r->out, style, record, fields[i].value(record));
	}
}

void
csv_begin(struct report *r)
{
	header_print(r, ',');
}

void
tsv_begin(struct report *r)
{
	header_print(r, '\t');
}

bool
csv_print(struct report *r, const struct record *record)
{
	struct value_style style = csv_style;

	if (r->options->print0)
		style.path = escape_csv_bytes;
	row_print(r, record, &style, ',');
	return true;
}

bool
tsv_print(struct report *r, const struct record *record)
{
	struct value_style style = tsv_style;

	if (r->options->print0)
		style.path = output_string;
	row_print(r, record, &style, '\t');
	return true;
}
