/*
 * report_json.c - one JSON object a line
 */

#include "escape.h"
#include "report.h"

/* {"integrity":"damaged","offset":680,"message":"..."} */
static void
fault_print(struct output *out, const struct imgsniff_error *fault)
{
	output_string(out, "{\"integrity\":\"");
	output_string(out, integrity_name(fault_integrity(fault)));
	output_string(out, "\",\"offset\":");
	if (fault->offset == IMGSNIFF_NO_OFFSET)
		output_string(out, "null");
	else
		output_number(out, fault->offset);
	output_string(out, ",\"message\":");
	escape_json(out, fault->message);
	output_char(out, '}');
}

static const struct value_style json_style = {
	.string = escape_json, .fault = fault_print, .path = escape_json, .null = "null",
	.list_begin = "[", .list_separator = ",", .list_end = "]",
	.base64_quote = "\"",
};

bool
json_print(struct report *r, const struct record *record)
{
	struct output *out = r->out;
	char before = '{';

	for (size_t i = 0; i < field_count; i++) {
		const struct field *f = &fields[i];
		struct value v;

		if (!(f->kinds & record->kind) ||
		    (f->of_check && !record->checked))
			continue;
		v = f->value(record);
		if (f->optional && v.kind == VALUE_NULL)
			continue;
		output_char(out, before);
		output_char(out, '"');
		output_write(out, f->key, f->key_size);
		output_write(out, "\":", 2);
		value_print(out, &json_style, record, v);
		before = ',';
	}
	output_char(out, '}');
	return true;
}
