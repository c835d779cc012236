/*
 * report.h - records on standard output, in the style that was asked for
 */

#ifndef REPORT_H
#define REPORT_H

#include "options.h"
#include "output.h"
#include "record.h"

struct template;

struct report {
	const struct options *options;
	struct output *out;
	struct template *template;	/* for STYLE_TEMPLATE */
	unsigned int needs;		/* enum record_need */
	bool color;
};

/* False, after a complaint, if the template makes no sense. */
bool report_init(struct report *r, const struct options *o, struct output *out);

/* What stands before the first record. */
void report_begin(struct report *r);

void report_record(struct report *r, const struct record *record);

void report_free(struct report *r);

/* How a style writes values; see value_print(). */
struct value_style {
	void (*string)(struct output *out, const char *s);
	void (*path)(struct output *out, const char *s);
	const char *null;
	const char *list_begin;
	const char *list_separator;
	const char *list_end;
	const char *base64_quote;	/* around what needs no escaping */
	void (*fault)(struct output *out, const struct imgsniff_error *fault);
};

void value_print(struct output *out, const struct value_style *style,
		 const struct record *record, struct value v);

/* 'n' thousandths: 3200 is "3.2". */
void thousandths_print(struct output *out, uint64_t n);

/* The styles. Each prints one record without its end; false: nothing to say. */
bool text_print(struct report *r, const struct record *record);
bool mime_print(struct report *r, const struct record *record);
bool json_print(struct report *r, const struct record *record);
bool csv_print(struct report *r, const struct record *record);
bool tsv_print(struct report *r, const struct record *record);
bool template_print(struct report *r, const struct record *record);

void csv_begin(struct report *r);
void tsv_begin(struct report *r);

/*
 * NULL, with what is wrong in *why, if 'text' is none. 'needs' gets what its
 * fields need.
 */
struct template *template_compile(const char *text, unsigned int *needs,
				  const char **why);
void template_free(struct template *t);

#endif /* REPORT_H */
