/*
 * report_template.c - '{path} {width}x{height}'
 *
 * A template is compiled into pieces: texts, in which escapes have become what
 * they stand for, and fields.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "report.h"

struct piece {
	const struct field *field;	/* NULL: a text */
	size_t start, size;		/* of the text */
};

struct template {
	struct piece *pieces;
	size_t count;
	char *text;			/* of all pieces, one after another */
	size_t used;
};

static struct template *
template_new(size_t size)
{
	struct template *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	/* No character makes more than one piece, or one byte of text. */
	t->pieces = calloc(size + 1, sizeof(*t->pieces));
	t->text = malloc(size + 1);
	if (t->pieces == NULL || t->text == NULL) {
		template_free(t);
		return NULL;
	}
	return t;
}

void
template_free(struct template *t)
{
	if (t == NULL)
		return;
	free(t->pieces);
	free(t->text);
	free(t);
}

static void
text_add(struct template *t, char c)
{
	if (t->count == 0 || t->pieces[t->count - 1].field != NULL)
		t->pieces[t->count++] = (struct piece){ .start = t->used };
	t->text[t->used++] = c;
	t->pieces[t->count - 1].size++;
}

/* "no such key: X; there are path, size, ..." */
static const char *
keys_tell(const char *key, size_t size)
{
	static char text[1024];
	size_t used = (size_t)snprintf(text, sizeof(text),
				       "no such key: '%.*s'; there are",
				       size < 64 ? (int)size : 64, key);

	for (size_t i = 0; i < field_count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s %s", i > 0 ? "," : "",
					 fields[i].key);
	return text;
}

/* From "{key}" at 'p': how many characters, 0 if it is wrong. */
static size_t
field_add(struct template *t, const char *p, unsigned int *needs,
	  const char **why)
{
	size_t size = strcspn(p + 1, "}");
	const struct field *f = field_find(p + 1, size);

	if (p[1 + size] == '\0') {
		*why = "a '{' is not closed (for the character itself, {{)";
		return 0;
	}
	if (f == NULL) {
		*why = keys_tell(p + 1, size);
		return 0;
	}
	t->pieces[t->count++] = (struct piece){ .field = f };
	*needs |= f->needs;
	return size + 2;
}

/* From "\n" at 'p': two characters, 0 if it is wrong. */
static size_t
escape_add(struct template *t, const char *p, const char **why)
{
	static const char letters[] = "nt0\\", chars[] = "\n\t\0\\";
	const char *at = p[1] ? strchr(letters, p[1]) : NULL;

	if (at == NULL) {
		*why = "a backslash is followed by one of n, t, 0 and itself";
		return 0;
	}
	text_add(t, chars[at - letters]);
	return 2;
}

/* Compiles what is next; its length, 0 if it is wrong. */
static size_t
piece_add(struct template *t, const char *p, unsigned int *needs,
	  const char **why)
{
	bool doubled = p[1] == p[0];

	if (*p == '\\')
		return escape_add(t, p, why);
	if (*p == '{' && !doubled)
		return field_add(t, p, needs, why);
	if (*p == '}' && !doubled) {
		*why = "a '}' is not opened (for the character itself, }})";
		return 0;
	}
	text_add(t, *p);
	return *p == '{' || *p == '}' ? 2 : 1;
}

struct template *
template_compile(const char *text, unsigned int *needs, const char **why)
{
	struct template *t = template_new(strlen(text));

	*why = "no memory left";
	while (t != NULL && *text != '\0') {
		size_t n = piece_add(t, text, needs, why);

		if (n == 0) {
			template_free(t);
			return NULL;
		}
		text += n;
	}
	return t;
}

static void
fault_print(struct output *out, const struct imgsniff_error *fault)
{
	output_string(out, fault->message);
}

static const struct value_style template_style = {
	.string = escape_text, .fault = fault_print, .path = escape_terminal, .null = "",
	.list_begin = "", .list_separator = ",", .list_end = "",
	.base64_quote = "",
};

bool
template_print(struct report *r, const struct record *record)
{
	const struct template *t = r->template;
	struct value_style style = template_style;

	if (r->options->print0)
		style.path = output_string;
	for (size_t i = 0; i < t->count; i++) {
		const struct piece *p = &t->pieces[i];

		if (p->field == NULL)
			output_write(r->out, t->text + p->start, p->size);
		else
			value_print(r->out, &style, record,
				    p->field->value(record));
	}
	return true;
}
