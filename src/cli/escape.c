/*
 * escape.c - names and texts for terminals, JSON and tables
 */

#include <string.h>

#include "escape.h"

#define REPLACEMENT	"\xEF\xBF\xBD"	/* U+FFFD */

/* RFC 3629, 4: what may stand second depends on the first byte. */
static size_t
utf8_shape(const uint8_t *p, uint8_t *low, uint8_t *high)
{
	*low = 0x80;
	*high = 0xBF;
	if (p[0] >= 0xC2 && p[0] <= 0xDF)
		return 2;
	if (p[0] >= 0xE0 && p[0] <= 0xEF) {
		if (p[0] == 0xE0)
			*low = 0xA0;
		else if (p[0] == 0xED)
			*high = 0x9F;	/* no surrogates */
		return 3;
	}
	if (p[0] >= 0xF0 && p[0] <= 0xF4) {
		if (p[0] == 0xF0)
			*low = 0x90;
		else if (p[0] == 0xF4)
			*high = 0x8F;	/* up to U+10FFFF */
		return 4;
	}
	return 0;
}

size_t
utf8_decode(const char *s, size_t size, uint32_t *c)
{
	const uint8_t *p = (const uint8_t *)s;
	uint8_t low, high;
	size_t n;

	*c = p[0];
	if (p[0] < 0x80)
		return 1;
	n = utf8_shape(p, &low, &high);
	if (n == 0 || size < n || p[1] < low || p[1] > high)
		return 0;
	*c = (uint32_t)(p[0] & (0xFF >> (n + 1))) << 6 | (p[1] & 0x3F);
	for (size_t i = 2; i < n; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3F);
	}
	return n;
}

bool
utf8_is_valid(const char *s)
{
	size_t size = strlen(s), n;
	uint32_t c;

	for (; size > 0; s += n, size -= n) {
		n = utf8_decode(s, size, &c);
		if (n == 0)
			return false;
	}
	return true;
}

/* Moves the cursor, ends the line or changes its direction. */
static bool
is_unsafe(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) ||
	       c == 0x061C ||				/* Arabic letter mark */
	       c == 0x200B || c == 0x200E || c == 0x200F ||	/* marks */
	       (c >= 0x2028 && c <= 0x202E) ||		/* line ends, embedding */
	       (c >= 0x2060 && c <= 0x206F) ||		/* isolates, unseen */
	       c == 0xFEFF ||
	       (c >= 0xE0000 && c <= 0xE007F);		/* tags, unseen */
}

/*
 * Printable ASCII without the two that are special somewhere: the run of it at
 * 's', which is most of most names, is copied in one go.
 */
static size_t
plain_run(const char *s)
{
	size_t n = 0;

	while (s[n] >= 0x20 && s[n] < 0x7F && s[n] != '\\' && s[n] != '"')
		n++;
	return n;
}

static const char hex[] = "0123456789abcdef";

static void
hex_write(struct output *out, const char *prefix, uint32_t c, int digits)
{
	output_string(out, prefix);
	while (digits-- > 0)
		output_char(out, hex[c >> (4 * digits) & 15]);
}

/* \n and its like; false if there is no such letter. */
static bool
letter_write(struct output *out, uint32_t c)
{
	static const char letters[] = "\bb\ff\nn\rr\tt\\\\";

	for (const char *p = letters; *p != '\0'; p += 2) {
		if ((uint32_t)*p == c) {
			output_char(out, '\\');
			output_char(out, p[1]);
			return true;
		}
	}
	return false;
}

static void
terminal_char(struct output *out, const char *s, size_t n, uint32_t c)
{
	if (n == 0)
		hex_write(out, "\\x", (uint8_t)*s, 2);
	else if (letter_write(out, c))
		return;
	else if (!is_unsafe(c))
		output_write(out, s, n);
	else if (c < 0x80)
		hex_write(out, "\\x", c, 2);
	else if (c < 0x10000)
		hex_write(out, "\\u", c, 4);
	else
		hex_write(out, "\\U", c, 8);
}

static void
text_char(struct output *out, const char *s, size_t n, uint32_t c)
{
	if (c == '\\' && n == 1)
		output_char(out, '\\');
	else
		terminal_char(out, s, n, c);
}

static void
json_char(struct output *out, const char *s, size_t n, uint32_t c)
{
	if (n == 0) {
		output_string(out, REPLACEMENT);
	} else if (c == '"') {
		output_string(out, "\\\"");
	} else if (letter_write(out, c)) {
		return;
	} else if (!is_unsafe(c)) {
		output_write(out, s, n);
	} else if (c < 0x10000) {
		hex_write(out, "\\u", c, 4);
	} else {		/* RFC 8259, 7: as a surrogate pair */
		hex_write(out, "\\u", 0xD7C0 + (c >> 10), 4);
		hex_write(out, "\\u", 0xDC00 | (c & 0x3FF), 4);
	}
}

/* 'n' is 0 for a byte that is no UTF-8. */
typedef void (*char_writer)(struct output *out, const char *s, size_t n,
			    uint32_t c);

static void
escape_each(struct output *out, const char *s, char_writer write)
{
	size_t size = strlen(s);

	while (size > 0) {
		size_t n = plain_run(s);
		uint32_t c;

		if (n > 0) {
			output_write(out, s, n);
		} else {
			n = utf8_decode(s, size, &c);
			write(out, s, n, c);
			n += n == 0;
		}
		s += n;
		size -= n;
	}
}

void
escape_terminal(struct output *out, const char *s)
{
	escape_each(out, s, terminal_char);
}

void
escape_text(struct output *out, const char *s)
{
	escape_each(out, s, text_char);
}

void
escape_json(struct output *out, const char *s)
{
	output_char(out, '"');
	escape_each(out, s, json_char);
	output_char(out, '"');
}

static void
utf8_char(struct output *out, const char *s, size_t n, uint32_t c)
{
	(void)c;
	if (n == 0)
		output_string(out, REPLACEMENT);
	else
		output_write(out, s, n);
}

static void
csv_char(struct output *out, const char *s, size_t n, uint32_t c)
{
	if (c == '"' && n == 1)
		output_char(out, '"');
	utf8_char(out, s, n, c);
}

/* The same, byte for byte. */
static void
csv_byte(struct output *out, const char *s, size_t n, uint32_t c)
{
	if (n == 0)
		output_char(out, *s);
	else
		csv_char(out, s, n, c);
}

static void
csv_quote(struct output *out, const char *s, char_writer write)
{
	bool quoted = s[strcspn(s, "\",\r\n")] != '\0';

	if (quoted)
		output_char(out, '"');
	escape_each(out, s, write);
	if (quoted)
		output_char(out, '"');
}

void
escape_csv(struct output *out, const char *s)
{
	csv_quote(out, s, csv_char);
}

void
escape_csv_bytes(struct output *out, const char *s)
{
	csv_quote(out, s, csv_byte);
}

static void
tsv_char(struct output *out, const char *s, size_t n, uint32_t c)
{
	if (n != 1 || !(c == '\t' || c == '\n' || c == '\r' || c == '\\') ||
	    !letter_write(out, c))
		utf8_char(out, s, n, c);
}

void
escape_tsv(struct output *out, const char *s)
{
	escape_each(out, s, tsv_char);
}

static const char base64_digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
escape_base64(struct output *out, const char *s)
{
	const uint8_t *p = (const uint8_t *)s;
	size_t size = strlen(s);

	while (size > 0) {
		size_t n = size < 3 ? size : 3;
		uint32_t bits = (uint32_t)p[0] << 16;
		char four[4] = "====";

		if (n > 1)
			bits |= (uint32_t)p[1] << 8;
		if (n > 2)
			bits |= p[2];
		for (size_t i = 0; i <= n; i++)
			four[i] = base64_digits[bits >> (18 - 6 * i) & 63];
		output_write(out, four, sizeof(four));
		p += n;
		size -= n;
	}
}
