/*
 * test_match.c - which names met in a walk are wanted
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/match.h"

#define STRINGS(...)							\
	{ (const char *[]){ __VA_ARGS__ },				\
	  sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *) }

static void
everything_is_wanted_without_patterns(void **state)
{
	struct options o = { 0 };
	struct match m;

	(void)state;
	assert_true(match_init(&m, &o));

	assert_true(match_file(&m, "a/b.png", "b.png"));
	assert_true(match_folder(&m, "a/b", "b"));

	match_free(&m);
}

static void
a_pattern_without_slash_is_for_the_name(void **state)
{
	struct options o = { .include = STRINGS("*.png", "?.gif") };
	struct match m;

	(void)state;
	assert_true(match_init(&m, &o));

	assert_true(match_file(&m, "a/b.png", "b.png"));
	assert_true(match_file(&m, "a/.png", ".png"));
	assert_true(match_file(&m, "a/b.gif", "b.gif"));
	assert_false(match_file(&m, "a/bb.gif", "bb.gif"));
	assert_false(match_file(&m, "a.png/b.jpg", "b.jpg"));
	assert_true(match_folder(&m, "a/b", "b"));

	match_free(&m);
}

static void
a_pattern_with_a_slash_is_for_the_whole_path(void **state)
{
	struct options o = { .exclude = STRINGS("a/b/*", "*/cache") };
	struct match m;

	(void)state;
	assert_true(match_init(&m, &o));

	assert_false(match_file(&m, "a/b/c.png", "c.png"));
	assert_false(match_file(&m, "a/b/c/d.png", "d.png"));
	assert_true(match_file(&m, "x/a/b/c.png", "c.png"));
	assert_false(match_folder(&m, "x/y/cache", "cache"));
	assert_true(match_folder(&m, "cache", "cache"));

	match_free(&m);
}

static void
a_slash_at_the_end_is_for_folders_only(void **state)
{
	struct options o = { .exclude = STRINGS("cache/") };
	struct match m;

	(void)state;
	assert_true(match_init(&m, &o));

	assert_false(match_folder(&m, "x/cache", "cache"));
	assert_true(match_file(&m, "x/cache", "cache"));

	match_free(&m);
}

static void
exclude_wins_over_include(void **state)
{
	struct options o = {
		.include = STRINGS("*.png"), .exclude = STRINGS("thumb*"),
	};
	struct match m;

	(void)state;
	assert_true(match_init(&m, &o));

	assert_true(match_file(&m, "a.png", "a.png"));
	assert_false(match_file(&m, "thumb.png", "thumb.png"));
	assert_false(match_folder(&m, "thumbs", "thumbs"));

	match_free(&m);
}

static void
names_that_are_no_utf8_match_by_their_bytes(void **state)
{
	struct options o = { .include = STRINGS("?\xff*") };
	struct match m;

	(void)state;
	assert_true(match_init(&m, &o));

	assert_true(match_file(&m, "\xfe\xff\n", "\xfe\xff\n"));

	match_free(&m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_wanted_without_patterns),
		cmocka_unit_test(a_pattern_without_slash_is_for_the_name),
		cmocka_unit_test(a_pattern_with_a_slash_is_for_the_whole_path),
		cmocka_unit_test(a_slash_at_the_end_is_for_folders_only),
		cmocka_unit_test(exclude_wins_over_include),
		cmocka_unit_test(names_that_are_no_utf8_match_by_their_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
