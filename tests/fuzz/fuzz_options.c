/*
 * fuzz_options.c - any command line is parsed, or refused with exit status 2
 *
 * The arguments are the input's lines. exit() of the program's parts comes back
 * here: the linker wraps it, and fclose(), as standard output is still needed. What
 * they say is the fuzzer's -close_fd_mask to hide.
 */

#include <getopt.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

#define ARGS_MAX	32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);
int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);

static jmp_buf back;
static bool parsing;

_Noreturn void
__wrap_exit(int status)
{
	if (!parsing)
		__real_exit(status);
	longjmp(back, 1 + status);
}

int
__wrap_fclose(FILE *file)
{
	return parsing ? fflush(file) : __real_fclose(file);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char name[] = "imgsniff";
	static struct options o;
	static char *text, *argv[ARGS_MAX + 2];
	volatile int argc = 1;
	int first, status;
	char *line;

	text = malloc(size + 1);
	if (text == NULL)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	argv[0] = name;
	for (line = text; line != NULL && argc <= ARGS_MAX; argc++) {
		argv[argc] = line;
		line = strchr(line, '\n');
		if (line != NULL)
			*line++ = '\0';
	}
	argv[argc] = NULL;
	optind = 0;	/* getopt_long() of glibc begins anew */
	status = setjmp(back);
	if (status == 0) {
		parsing = true;
		first = options_parse(&o, argc, argv);
		if (first < 1 || first > argc)
			abort();
	} else if (status != 1 && status != 3) {
		abort();
	}
	parsing = false;
	options_free(&o);
	free(text);
	return 0;
}
