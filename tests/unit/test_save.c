/*
 * test_save.c - a file that appears under its name only when it is complete
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/save.h"

static char folder[] = "/tmp/test-save-XXXXXX";

static void
file_make(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void
file_expect(const char *path, const char *text)
{
	char found[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	found[fread(found, 1, sizeof(found) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(found, text);
}

/* Counts what is in the folder, hidden names too. */
static int
names_count(void)
{
	DIR *dir = opendir(".");
	int count = -2;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count;
}

static int
folder_clear(void **state)
{
	(void)state;
	umask(022);
	return system("rm -rf ./* ./.i*");
}

static void
a_file_appears_when_it_is_complete(void **state)
{
	struct save s;
	struct stat st;

	(void)state;
	umask(027);
	assert_true(save_begin(&s, "new", false, -1));
	assert_int_equal(write(s.fd, "pixels", 6), 6);
	assert_int_equal(access("new", F_OK), -1);

	assert_true(save_commit(&s));

	file_expect("new", "pixels");
	assert_int_equal(stat("new", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(names_count(), 1);
}

static void
nothing_is_left_of_what_is_abandoned(void **state)
{
	struct save s;

	(void)state;
	assert_true(save_begin(&s, "new", false, -1));
	assert_int_equal(names_count(), 1);

	save_abandon(&s);

	assert_int_equal(names_count(), 0);
}

static void
a_file_that_exists_is_replaced_only_by_force(void **state)
{
	struct save s;

	(void)state;
	file_make("old", "old");

	assert_false(save_begin(&s, "old", false, -1));
	file_expect("old", "old");
	assert_int_equal(names_count(), 1);

	assert_true(save_begin(&s, "old", true, -1));
	assert_int_equal(write(s.fd, "new", 3), 3);
	file_expect("old", "old");
	assert_true(save_commit(&s));
	file_expect("old", "new");
	assert_int_equal(names_count(), 1);
}

static void
a_file_that_came_meanwhile_is_not_replaced(void **state)
{
	struct save s;

	(void)state;
	assert_true(save_begin(&s, "new", false, -1));
	file_make("new", "theirs");

	assert_false(save_commit(&s));

	file_expect("new", "theirs");
	assert_int_equal(names_count(), 1);
}

static void
the_input_is_never_replaced_by_whatever_name(void **state)
{
	static const char *const names[] = { "in", "./in", "hard", "soft" };
	struct save s;
	int input;

	(void)state;
	file_make("in", "input");
	assert_int_equal(link("in", "hard"), 0);
	assert_int_equal(symlink("in", "soft"), 0);
	input = open("in", O_RDONLY);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_false(save_begin(&s, names[i], true, input));
		assert_false(save_begin(&s, names[i], false, input));
	}

	close(input);
	file_expect("in", "input");
	assert_int_equal(names_count(), 3);
}

static void
a_link_is_replaced_by_force_and_not_followed(void **state)
{
	struct save s;
	struct stat st;

	(void)state;
	file_make("target", "precious");
	assert_int_equal(symlink("target", "link"), 0);
	assert_int_equal(symlink("nowhere", "dangling"), 0);

	assert_false(save_begin(&s, "link", false, -1));
	assert_false(save_begin(&s, "dangling", false, -1));
	assert_true(save_begin(&s, "link", true, -1));
	assert_int_equal(write(s.fd, "new", 3), 3);
	assert_true(save_commit(&s));

	file_expect("target", "precious");
	file_expect("link", "new");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(access("nowhere", F_OK), -1);
}

static void
what_is_no_file_is_written_to_straight(void **state)
{
	struct save s;
	char got[8] = "";
	int reader;

	(void)state;
	assert_true(save_begin(&s, "/dev/null", false, -1));
	assert_null(s.temporary);
	assert_true(save_commit(&s));

	assert_int_equal(mkfifo("fifo", 0666), 0);
	reader = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_true(save_begin(&s, "fifo", false, -1));
	assert_int_equal(write(s.fd, "pixels", 6), 6);
	assert_int_equal(read(reader, got, sizeof(got)), 6);
	save_abandon(&s);
	close(reader);

	assert_int_equal(names_count(), 1);
}

static void
a_link_to_standard_output_is_standard_output(void **state)
{
	struct save s;
	int kept = dup(STDOUT_FILENO);
	int out = open("out", O_WRONLY | O_CREAT, 0666);
	bool begun, straight;

	(void)state;
	assert_int_equal(symlink("out", "stdout"), 0);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);

	begun = save_begin(&s, "stdout", true, -1);
	straight = begun && s.fd == STDOUT_FILENO && s.temporary == NULL;
	begun = begun && save_commit(&s);

	dup2(kept, STDOUT_FILENO);
	close(kept);
	close(out);
	assert_true(straight && begun);
}

static void
a_folder_and_a_path_that_leads_nowhere_are_refused(void **state)
{
	struct save s;

	(void)state;
	assert_int_equal(mkdir("folder", 0777), 0);

	assert_false(save_begin(&s, "folder", true, -1));
	assert_false(save_begin(&s, "nofolder/new", true, -1));
	assert_false(save_begin(&s, "", true, -1));
	assert_int_equal(names_count(), 1);
}

static void
a_name_may_be_as_long_as_names_can_be(void **state)
{
	char name[256];
	struct save s;

	(void)state;
	memset(name, 'x', 255);
	name[255] = '\0';

	assert_true(save_begin(&s, name, false, -1));
	assert_true(save_commit(&s));

	assert_int_equal(access(name, F_OK), 0);
}

static void
a_signal_leaves_nothing_half_written(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		pid_t child = fork();
		int status;

		assert_true(child >= 0);
		if (child == 0) {
			static struct output out;
			struct save s;

			output_init(&out, STDOUT_FILENO);
			signal(signals[i], SIG_DFL);	/* not ignored */
			interrupt_watch(&out);
			if (save_begin(&s, "new", false, -1) &&
			    names_count() == 1)
				raise(signals[i]);
			_exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), signals[i]);
		assert_int_equal(names_count(), 0);
	}
}

int
main(void)
{
#define TEST(f)	cmocka_unit_test_setup(f, folder_clear)
	const struct CMUnitTest tests[] = {
		TEST(a_file_appears_when_it_is_complete),
		TEST(nothing_is_left_of_what_is_abandoned),
		TEST(a_file_that_exists_is_replaced_only_by_force),
		TEST(a_file_that_came_meanwhile_is_not_replaced),
		TEST(the_input_is_never_replaced_by_whatever_name),
		TEST(a_link_is_replaced_by_force_and_not_followed),
		TEST(what_is_no_file_is_written_to_straight),
		TEST(a_link_to_standard_output_is_standard_output),
		TEST(a_folder_and_a_path_that_leads_nowhere_are_refused),
		TEST(a_name_may_be_as_long_as_names_can_be),
		TEST(a_signal_leaves_nothing_half_written),
	};
	int failed;

	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	folder_clear(NULL);
	if (chdir("/") != 0 || rmdir(folder) != 0)
		failed++;
	return failed;
}
