/*
 * test_escape.c - names and texts for terminals, JSON and tables
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/escape.h"

static struct output out;

static void
expect(void (*escape)(struct output *out, const char *s), const char *s,
       const char *wanted)
{
	out.used = 0;
	escape(&out, s);
	output_char(&out, '\0');
	assert_string_equal(out.bytes, wanted);
}

static void
plain_names_stay_as_they_are(void **state)
{
	static const char name[] = "dir/Schöne Grüße %s [1] ':~日本 👍🏽.jpg";

	(void)state;

	expect(escape_terminal, name, name);
	expect(escape_tsv, name, name);
	expect(escape_csv, name, name);
}

static void
a_terminal_gets_no_control_character(void **state)
{
	(void)state;

	expect(escape_terminal, "a\nb\tc\rd", "a\\nb\\tc\\rd");
	expect(escape_terminal, "\033[2J\007\177", "\\x1b[2J\\x07\\x7f");
	expect(escape_terminal, "\xC2\x9B" "2J", "\\u009b2J");
}

static void
a_terminal_gets_no_change_of_direction(void **state)
{
	(void)state;

	expect(escape_terminal, "\xE2\x80\xAEgpj.exe", "\\u202egpj.exe");
	expect(escape_terminal, "\xE2\x81\xA6x\xE2\x80\xA8", "\\u2066x\\u2028");
	expect(escape_terminal, "\xF3\xA0\x80\xA0", "\\U000e0020");
}

static void
an_escaped_name_can_be_told_back(void **state)
{
	(void)state;

	expect(escape_terminal, "a\\nb", "a\\\\nb");
	expect(escape_terminal, "caf\xE9", "caf\\xe9");
	expect(escape_text, "a\\nb\n", "a\\nb\\n");
}

static void
json_strings_are_json(void **state)
{
	(void)state;

	expect(escape_json, "", "\"\"");
	expect(escape_json, "a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
	expect(escape_json, "\b\f\n\r\t\001\177",
	       "\"\\b\\f\\n\\r\\t\\u0001\\u007f\"");
	expect(escape_json, "\xE2\x80\xAE", "\"\\u202e\"");
	expect(escape_json, "\xF3\xA0\x80\xA0", "\"\\udb40\\udc20\"");
	expect(escape_json, "\xF0\x9F\x91\x8D", "\"\xF0\x9F\x91\x8D\"");
}

/* One for each byte: no part of it may be taken for something else. */
static void
what_is_no_utf8_is_replaced(void **state)
{
	static const char *const bad[] = {
		"\x80", "\xC0", "\xC1", "\xF5", "\xFF", "\xC3", "\xE2\"",
	};

	(void)state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]) - 1; i++)
		expect(escape_json, bad[i], "\"\xEF\xBF\xBD\"");
	expect(escape_json, bad[6], "\"\xEF\xBF\xBD\\\"\"");
	expect(escape_tsv, "\xE2\x80", "\xEF\xBF\xBD\xEF\xBF\xBD");
}

static void
utf8_is_told_from_what_looks_like_it(void **state)
{
	(void)state;

	assert_true(utf8_is_valid(""));
	assert_true(utf8_is_valid("a\xC2\x80\xDF\xBF"));
	assert_true(utf8_is_valid("\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80"));
	assert_true(utf8_is_valid("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
	assert_false(utf8_is_valid("\xC0\xAF"));		/* not shortest */
	assert_false(utf8_is_valid("\xE0\x9F\xBF"));
	assert_false(utf8_is_valid("\xF0\x8F\xBF\xBF"));
	assert_false(utf8_is_valid("\xED\xA0\x80"));		/* a surrogate */
	assert_false(utf8_is_valid("\xF4\x90\x80\x80"));	/* too high */
	assert_false(utf8_is_valid("\xF0\x90\x80"));		/* too short */
	assert_false(utf8_is_valid("\xE2\x82x"));
}

static void
csv_quotes_only_what_must_be(void **state)
{
	(void)state;

	expect(escape_csv, "a b", "a b");
	expect(escape_csv, "a,b", "\"a,b\"");
	expect(escape_csv, "a\"b", "\"a\"\"b\"");
	expect(escape_csv, "a\nb", "\"a\nb\"");
	expect(escape_csv, "\xE9,", "\"\xEF\xBF\xBD,\"");
	expect(escape_csv_bytes, "\xE9,\"", "\"\xE9,\"\"\"");
}

static void
tsv_keeps_lines_and_fields_apart(void **state)
{
	(void)state;

	expect(escape_tsv, "a\tb\nc\rd\\e\bf\"", "a\\tb\\nc\\rd\\\\e\bf\"");
}

static void
base64_is_that_of_rfc_4648(void **state)
{
	(void)state;

	expect(escape_base64, "", "");
	expect(escape_base64, "f", "Zg==");
	expect(escape_base64, "fo", "Zm8=");
	expect(escape_base64, "foo", "Zm9v");
	expect(escape_base64, "\xFF\xFE\xFD\xFC", "//79/A==");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_names_stay_as_they_are),
		cmocka_unit_test(a_terminal_gets_no_control_character),
		cmocka_unit_test(a_terminal_gets_no_change_of_direction),
		cmocka_unit_test(an_escaped_name_can_be_told_back),
		cmocka_unit_test(json_strings_are_json),
		cmocka_unit_test(what_is_no_utf8_is_replaced),
		cmocka_unit_test(utf8_is_told_from_what_looks_like_it),
		cmocka_unit_test(csv_quotes_only_what_must_be),
		cmocka_unit_test(tsv_keeps_lines_and_fields_apart),
		cmocka_unit_test(base64_is_that_of_rfc_4648),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
