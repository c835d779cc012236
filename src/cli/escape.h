/*
 * escape.h - names and texts for terminals, JSON and tables
 */

#ifndef ESCAPE_H
#define ESCAPE_H

#include "output.h"

/*
 * The length of the UTF-8 character at 'p', which has 'size' > 0 bytes, and its
 * number in *c; 0 if there is none (RFC 3629: no surrogates, shortest form).
 */
size_t utf8_decode(const char *p, size_t size, uint32_t *c);

bool utf8_is_valid(const char *s);

/*
 * For a terminal: control characters, line separators, bidirectional controls,
 * bytes that are no UTF-8, and the backslash itself become \n, \x1b or \u202e.
 */
void escape_terminal(struct output *out, const char *s);

/* The same for a text that need not be told back: the backslash stays. */
void escape_text(struct output *out, const char *s);

/*
 * A JSON string with its quotation marks. Each byte that is no UTF-8 becomes
 * U+FFFD; what a terminal might obey is written as \u, which means the same.
 */
void escape_json(struct output *out, const char *s);

/* A field of CSV, quoted where it must be (RFC 4180, 2); as UTF-8, or as it is. */
void escape_csv(struct output *out, const char *s);
void escape_csv_bytes(struct output *out, const char *s);

/* A field of TSV: \t, \n, \r and \\ for what would break the line. */
void escape_tsv(struct output *out, const char *s);

/* RFC 4648, 4. */
void escape_base64(struct output *out, const char *s);

#endif /* ESCAPE_H */
