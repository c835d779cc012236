/*
 * test_record.c - the facts of one file, and the names they go by
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/record.h"
#include "cli/report.h"

static const struct imgsniff_format_info *jpeg;

static void
an_extension_is_right_wrong_or_missing(void **state)
{
	(void)state;

	assert_int_equal(extension_check("a/b.jpg", jpeg), ANSWER_YES);
	assert_int_equal(extension_check("B.JPEG", jpeg), ANSWER_YES);
	assert_int_equal(extension_check("b.png", jpeg), ANSWER_NO);
	assert_int_equal(extension_check("b.jpg.bak", jpeg), ANSWER_NO);
	assert_int_equal(extension_check("b.jp", jpeg), ANSWER_NO);
	assert_int_equal(extension_check("b", jpeg), ANSWER_UNKNOWN);
	assert_int_equal(extension_check("a.png/b", jpeg), ANSWER_UNKNOWN);
	assert_int_equal(extension_check("a/.jpg", jpeg), ANSWER_UNKNOWN);
	assert_int_equal(extension_check("a.", jpeg), ANSWER_UNKNOWN);
	assert_int_equal(extension_check("-", jpeg), ANSWER_UNKNOWN);
}

static void
short_durations_are_shown_as_browsers_do(void **state)
{
	(void)state;

	assert_int_equal(duration_shown(0), 100000);
	assert_int_equal(duration_shown(10000), 100000);
	assert_int_equal(duration_shown(11000), 11000);
}

static void
every_key_is_found_by_its_whole_name(void **state)
{
	(void)state;

	for (size_t i = 0; i < field_count; i++) {
		const char *key = fields[i].key;

		assert_int_equal(fields[i].key_size, strlen(key));
		assert_ptr_equal(field_find(key, strlen(key)), &fields[i]);
	}
	assert_null(field_find("pat", 3));
	assert_null(field_find("paths", 5));
	assert_null(field_find("", 0));
}

static struct output out;

static const char *
template_result(const char *text, unsigned int *needs)
{
	struct record record = {
		.kind = RECORD_IMAGE, .path = "a\tb.jpg", .format = jpeg,
		.info = { .width = 640, .height = 480 },
		.offset = IMGSNIFF_NO_OFFSET,
	};
	struct options o = { .style = STYLE_TEMPLATE };
	struct report r = { .options = &o, .out = &out };
	const char *why = "";

	*needs = 0;
	r.template = template_compile(text, needs, &why);
	if (r.template == NULL)
		return why;
	out.used = 0;
	template_print(&r, &record);
	out.bytes[out.used] = '\0';
	report_free(&r);
	return out.bytes;
}

static void
a_template_is_text_with_fields(void **state)
{
	unsigned int needs;

	(void)state;

	assert_string_equal(template_result("", &needs), "");
	assert_string_equal(template_result("{path} {width}x{height}", &needs),
			    "a\\tb.jpg 640x480");
	assert_int_equal(needs, 0);
	assert_string_equal(template_result("<{size}{offset}{loop}>", &needs),
			    "<>");
	assert_int_equal(needs, NEED_SIZE);
	assert_string_equal(template_result("{{{mime}}}\\t\\n\\\\", &needs),
			    "{image/jpeg}\t\n\\");
	template_result("a\\0b", &needs);
	assert_int_equal(out.used, 3);
	assert_memory_equal(out.bytes, "a\0b", 3);
}

static void
a_template_that_makes_no_sense_says_why(void **state)
{
	unsigned int needs;

	(void)state;

	assert_non_null(strstr(template_result("{widht}", &needs),
			       "no such key: 'widht'; there are path, "));
	assert_non_null(strstr(template_result("{}", &needs), "no such key"));
	assert_non_null(strstr(template_result("a{", &needs), "not closed"));
	assert_non_null(strstr(template_result("{path", &needs), "not closed"));
	assert_non_null(strstr(template_result("a}b", &needs), "not opened"));
	assert_non_null(strstr(template_result("\\", &needs), "backslash"));
	assert_non_null(strstr(template_result("\\x", &needs), "backslash"));
}

static void
thousandths_have_no_zeros_at_their_end(void **state)
{
	(void)state;
	out.used = 0;

	thousandths_print(&out, 3200);
	output_char(&out, ' ');
	thousandths_print(&out, 33333);
	output_char(&out, ' ');
	thousandths_print(&out, 100000);
	output_char(&out, ' ');
	thousandths_print(&out, 1);
	output_char(&out, ' ');
	thousandths_print(&out, 0);
	output_char(&out, '\0');

	assert_string_equal(out.bytes, "3.2 33.333 100 0.001 0");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_extension_is_right_wrong_or_missing),
		cmocka_unit_test(short_durations_are_shown_as_browsers_do),
		cmocka_unit_test(every_key_is_found_by_its_whole_name),
		cmocka_unit_test(a_template_is_text_with_fields),
		cmocka_unit_test(a_template_that_makes_no_sense_says_why),
		cmocka_unit_test(thousandths_have_no_zeros_at_their_end),
	};

	jpeg = imgsniff_get_format_info(IMGSNIFF_FORMAT_JPEG);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
