/*
 * test_walk.c - what a walk meets while the tree changes under it
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/walk.h"

/* Everything visited, a line each: a path, and an error by its number. */
static char seen[8192];

/* At this path, something is done to the tree. */
static const char *when;
static void (*then)(void);
static const char *stop_at;

static char folder[] = "/tmp/test-walk-XXXXXX";

static bool
entry_note(void *user, const struct entry *e)
{
	size_t used = strlen(seen);

	(void)user;
	if (e->error != 0)
		snprintf(seen + used, sizeof(seen) - used, "%s!%d\n", e->path,
			 e->error);
	else
		snprintf(seen + used, sizeof(seen) - used, "%s\n", e->path);
	assert_true((e->fd >= 0) == (e->error == 0));
	if (when != NULL && strcmp(e->path, when) == 0)
		then();
	return stop_at == NULL || strcmp(e->path, stop_at) != 0;
}

static void
file_make(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0666);

	assert_true(fd >= 0);
	close(fd);
}

/* a/b/c/d/e/f/g, each with a file 1 before the next folder and a z after it. */
static int
tree_make(void **state)
{
	char path[64] = "t";

	(void)state;
	seen[0] = '\0';
	when = stop_at = NULL;
	assert_int_equal(system("rm -rf t moved gone"), 0);
	for (char c = 'a'; c <= 'g'; c++) {
		size_t n = strlen(path);

		assert_int_equal(mkdir(path, 0777), 0);
		snprintf(path + n, sizeof(path) - n, "/1");
		file_make(path);
		snprintf(path + n, sizeof(path) - n, "/z");
		file_make(path);
		snprintf(path + n, sizeof(path) - n, "/%c", c);
	}
	return 0;
}

static bool
walk(bool follow)
{
	struct options o = { .follow = follow };
	char *operands[] = { (char[]){ "t" } };

	return walk_inputs(&o, operands, 1, entry_note, NULL);
}

#define DOWN	"t/1\nt/a/1\nt/a/b/1\nt/a/b/c/1\nt/a/b/c/d/1\n" \
		"t/a/b/c/d/e/1\nt/a/b/c/d/e/f/1\n"
#define UP	"t/a/b/c/d/e/f/z\nt/a/b/c/d/e/z\nt/a/b/c/d/z\n" \
		"t/a/b/c/z\nt/a/b/z\nt/a/z\nt/z\n"

static void
the_way_back_leads_through_folders_that_were_closed(void **state)
{
	(void)state;

	assert_true(walk(false));

	assert_string_equal(seen, DOWN UP);
}

static void
folder_move(void)
{
	assert_int_equal(rename("t/a/b/c", "moved"), 0);
}

static void
a_folder_that_was_moved_away_is_walked_to_its_end(void **state)
{
	(void)state;
	when = "t/a/b/c/d/e/f/1";
	then = folder_move;

	assert_true(walk(false));

	/* The way out of it leads elsewhere; "t/a/b" is found by its path. */
	assert_string_equal(seen, DOWN UP);
}

static void
folder_replace(void)
{
	assert_int_equal(rename("t/a", "gone"), 0);
	assert_int_equal(mkdir("t/a", 0777), 0);
	file_make("t/a/z");
}

static void
a_folder_in_the_place_of_another_is_not_taken_for_it(void **state)
{
	char expected[512];

	(void)state;
	assert_int_equal(rename("t/a/b", "moved"), 0);
	assert_int_equal(symlink("../../moved", "t/a/b"), 0);
	when = "t/a/b/c/d/e/f/1";
	then = folder_replace;

	assert_true(walk(true));

	/* From where the link led there is no way back but by the path. */
	snprintf(expected, sizeof(expected),
		 DOWN "t/a/b/c/d/e/f/z\nt/a/b/c/d/e/z\nt/a/b/c/d/z\n"
		 "t/a/b/c/z\nt/a/b/z\nt/a!%d\nt/z\n", ESTALE);
	assert_string_equal(seen, expected);
}

static void
folder_remove(void)
{
	assert_int_equal(system("rm -rf t/a"), 0);
}

static void
a_folder_that_vanishes_is_told_and_the_walk_goes_on(void **state)
{
	char expected[64];

	(void)state;
	when = "t/1";
	then = folder_remove;

	assert_true(walk(false));

	snprintf(expected, sizeof(expected), "t/1\nt/a!%d\nt/z\n", ENOENT);
	assert_string_equal(seen, expected);
}

static void
fifo_put(void)
{
	assert_int_equal(unlink("t/z"), 0);
	assert_int_equal(mkfifo("t/z", 0666), 0);
	assert_int_equal(system("rm -rf t/a"), 0);
	assert_int_equal(symlink("z", "t/a"), 0);
}

static void
what_took_the_place_of_a_file_or_folder_does_not_hang_the_walk(void **state)
{
	char expected[64];

	(void)state;
	when = "t/1";
	then = fifo_put;

	assert_true(walk(false));

	snprintf(expected, sizeof(expected), "t/1\nt/a!%d\nt/z\n", ENOTDIR);
	assert_string_equal(seen, expected);
}

static void
a_link_to_a_folder_above_is_told_and_not_entered(void **state)
{
	char expected[512];

	(void)state;
	assert_int_equal(symlink("../../..", "t/a/b/c/d/up"), 0);

	assert_true(walk(true));

	snprintf(expected, sizeof(expected),
		 DOWN "t/a/b/c/d/e/f/z\nt/a/b/c/d/e/z\nt/a/b/c/d/up!%d\n"
		 "t/a/b/c/d/z\nt/a/b/c/z\nt/a/b/z\nt/a/z\nt/z\n", ELOOP);
	assert_string_equal(seen, expected);
}

static void
the_way_back_from_a_link_is_not_where_it_leads(void **state)
{
	(void)state;
	assert_int_equal(rename("t/a/b", "moved"), 0);
	assert_int_equal(symlink("../../moved", "t/a/b"), 0);

	assert_true(walk(true));

	assert_string_equal(seen, DOWN UP);
}

static void
links_are_passed_over_unless_they_are_followed(void **state)
{
	(void)state;
	assert_int_equal(rename("t/a", "moved"), 0);
	assert_int_equal(symlink("../moved", "t/a"), 0);
	assert_int_equal(symlink("z", "t/link"), 0);

	assert_true(walk(false));

	assert_string_equal(seen, "t/1\nt/z\n");
}

static void
the_visitor_can_stop_the_walk(void **state)
{
	(void)state;
	stop_at = "t/a/b/1";

	assert_false(walk(false));

	assert_string_equal(seen, "t/1\nt/a/1\nt/a/b/1\n");
}

static void
no_descriptor_is_left_open(void **state)
{
	int before = dup(0), after;

	(void)state;
	close(before);
	when = "t/a/b/c/d/e/f/1";
	then = folder_remove;
	walk(false);
	tree_make(NULL);
	stop_at = "t/a/b/c/d/e/f/1";
	walk(true);

	after = dup(0);
	close(after);

	assert_int_equal(before, after);
}

static bool
below_note(void *user, const struct entry *e)
{
	size_t used = strlen(seen);

	(void)user;
	snprintf(seen + used, sizeof(seen) - used, "%s\n", e->below);
	return true;
}

static void
a_file_knows_its_place_below_what_was_named(void **state)
{
	struct options o = { .exclude.count = 0 };
	char *operands[] = {
		(char[]){ "t/a/b/c/d/e/f/" }, (char[]){ "t/a/b/c/d/e" },
		(char[]){ "./t/1" }, (char[]){ "z" },
	};

	(void)state;
	file_make("z");

	walk_inputs(&o, operands, 4, below_note, NULL);

	assert_string_equal(seen, "1\nz\n" "1\nf/1\nf/z\nz\n" "1\n" "z\n");
}

/* In a list, more than the name is told. */
static void
a_listed_file_keeps_its_path(void **state)
{
	struct options o = { .files_from = "list" };
	FILE *list = fopen("list", "w");

	(void)state;
	assert_non_null(list);
	fprintf(list, "t/a/1\n./t/a/b/1\n%s/t/z\nt/../t/1\nt/a/b/c/d/e/f\n",
		folder);
	fclose(list);

	walk_inputs(&o, NULL, 0, below_note, NULL);

	assert_memory_equal(seen, "t/a/1\nt/a/b/1\ntmp/test-walk-", 28);
	assert_string_equal(strstr(seen, "/t/z"), "/t/z\n1\n1\nz\n");
}

static void
the_walk_keeps_out_of_a_folder(void **state)
{
	struct options o = { 0 };
	char *operands[] = { (char[]){ "t/a/b/c/d" } };
	struct stat st;

	(void)state;
	assert_int_equal(stat("t/a/b/c/d/e/f", &st), 0);
	o.leave_out = identity_of(&st);

	walk_inputs(&o, operands, 1, below_note, NULL);

	assert_string_equal(seen, "1\ne/1\ne/z\nz\n");
}

int
main(void)
{
#define TEST(f)	cmocka_unit_test_setup(f, tree_make)
	const struct CMUnitTest tests[] = {
		TEST(the_way_back_leads_through_folders_that_were_closed),
		TEST(a_folder_that_was_moved_away_is_walked_to_its_end),
		TEST(a_folder_in_the_place_of_another_is_not_taken_for_it),
		TEST(a_folder_that_vanishes_is_told_and_the_walk_goes_on),
		TEST(what_took_the_place_of_a_file_or_folder_does_not_hang_the_walk),
		TEST(a_link_to_a_folder_above_is_told_and_not_entered),
		TEST(the_way_back_from_a_link_is_not_where_it_leads),
		TEST(links_are_passed_over_unless_they_are_followed),
		TEST(the_visitor_can_stop_the_walk),
		TEST(no_descriptor_is_left_open),
		TEST(a_file_knows_its_place_below_what_was_named),
		TEST(a_listed_file_keeps_its_path),
		TEST(the_walk_keeps_out_of_a_folder),
	};
	int failed;

	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (chdir("/") == 0) {
		char command[64];

		snprintf(command, sizeof(command), "rm -rf %s", folder);
		failed += system(command) != 0;
	}
	return failed;
}
