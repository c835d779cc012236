/*
 * help.c - --help, made from the table of options
 */

#include <stdio.h>
#include <string.h>

#include "option_table.h"

#define HELP_COLUMN	34

static const char *const headings[GROUP_COUNT] = {
	[GROUP_CHECK] = "Checking",
	[GROUP_DECODE] = "Decoding, thumbnails",
	[GROUP_INPUT] = "Input",
	[GROUP_OUTPUT] = "Output",
	[GROUP_LIMITS] = "Safety (N may end in k, M or G, or be none)",
	[GROUP_OTHER] = "Others",
};

/* "-o, --output=FILE"; returns its length. */
static int
option_print(const struct option_row *row)
{
	int n = 0;

	if (row->letter != 0)
		n += printf("-%c, ", row->letter);
	n += printf("--%s", row->name);
	if (row->arg != NULL)
		n += printf("=%s", row->arg);
	return n;
}

void
help_print(void)
{
	int column = 0;

	fputs("usage: imgsniff [OPTION]... [FILE | DIRECTORY | -]...\n"
	      "Identify, check or decode images. Folders are walked; "
	      "- is standard input.\n", stdout);
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_table[i];

		if (i == 0 || row->group != row[-1].group)
			printf("%s\n", headings[row->group]);
		column += printf(column == 0 ? "  " : ", ");
		column += option_print(row);
		if (row->help == NULL)
			continue;
		printf("%*s%s\n", column < HELP_COLUMN ? HELP_COLUMN - column : 2,
		       "", row->help);
		column = 0;
	}
}
