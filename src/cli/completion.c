/*
 * completion.c - scripts for shells, made from the table of options
 *
 *	eval "$(imgsniff --completion=bash)"		likewise zsh
 *	imgsniff --completion=fish | source
 */

#include <stdio.h>
#include <string.h>

#include "option_table.h"

/* Its value is the name of a file. */
static bool
takes_file(const struct option_row *row)
{
	return strcmp(row->name, "output") == 0 ||
	       strcmp(row->name, "files-from") == 0;
}

/* A row without a help shares the one of those that follow. */
static const char *
help_of(const struct option_row *row)
{
	while (row->help == NULL && row + 1 < option_table + option_count)
		row++;
	return row->help ? row->help : "";
}

/* In single quotes, also what has such in it. */
static void
quoted_print(const char *s)
{
	putchar('\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*s);
	}
	putchar('\'');
}

/* ---- bash ----------------------------------------------------------------- */

static void
bash_values(const struct option_row *row)
{
	if (row->letter != 0)
		printf("\t-%c|", row->letter);
	else
		putchar('\t');
	printf("--%s) ", row->name);
	if (row->choices != NULL)
		printf("COMPREPLY=($(compgen -W '%s' -- \"$cur\"))",
		       row->choices);
	else if (takes_file(row))
		fputs("COMPREPLY=($(compgen -f -- \"$cur\"))", stdout);
	else
		putchar(':');
	puts("; return ;;");
}

static void
bash_print(void)
{
	puts("_imgsniff()\n"
	     "{\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} "
	     "prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	     "\n"
	     "\tCOMPREPLY=()\n"
	     "\t# '=' is a word of its own in bash\n"
	     "\tif [ \"$cur\" = = ]; then\n"
	     "\t\tcur=\n"
	     "\telif [ \"$prev\" = = ]; then\n"
	     "\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n"
	     "\tfi\n"
	     "\tcase $prev in");
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].arg != NULL)
			bash_values(&option_table[i]);
	fputs("\tesac\n"
	      "\t[ \"${cur:0:1}\" = - ] || return\n"
	      "\tCOMPREPLY=($(compgen -W '", stdout);
	for (size_t i = 0; i < option_count; i++)
		printf("%s--%s", i > 0 ? " " : "", option_table[i].name);
	puts("' -- \"$cur\"))\n"
	     "}\n"
	     "complete -o default -F _imgsniff imgsniff");
}

/* ---- zsh ------------------------------------------------------------------ */

/* A word of _arguments: '--to=[help]:pam|ppm|raw:(pam ppm raw)' */
static void
zsh_word(const struct option_row *row, const char *dashes, const char *name)
{
	char word[512];
	const char *equals = row->arg == NULL ? "" : dashes[1] ? "=" : "+";
	int n = snprintf(word, sizeof(word), "%s%s%s%s[%s]",
			 row->kind == OPTION_STRINGS ? "*" : "",
			 dashes, name, equals, help_of(row));

	if (row->arg != NULL && n > 0 && (size_t)n < sizeof(word)) {
		if (row->choices != NULL)
			snprintf(word + n, sizeof(word) - (size_t)n, ":%s:(%s)",
				 row->arg, row->choices);
		else
			snprintf(word + n, sizeof(word) - (size_t)n, ":%s:%s",
				 row->arg, takes_file(row) ? "_files" : "");
	}
	fputs(" \\\n\t", stdout);
	quoted_print(word);
}

static void
zsh_print(void)
{
	puts("#compdef imgsniff\n"
	     "_imgsniff()\n"
	     "{");
	fputs("\t_arguments -s -S", stdout);
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_table[i];
		const char letter[] = { row->letter, '\0' };

		if (row->letter != 0)
			zsh_word(row, "-", letter);
		zsh_word(row, "--", row->name);
	}
	puts(" \\\n\t'*:file:_files'\n"
	     "}\n"
	     "if [ \"$funcstack[1]\" = _imgsniff ]; then\n"
	     "\t_imgsniff \"$@\"\n"
	     "else\n"
	     "\tcompdef _imgsniff imgsniff\n"
	     "fi");
}

/* ---- fish ----------------------------------------------------------------- */

static void
fish_print(void)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_table[i];

		printf("complete -c imgsniff -l %s", row->name);
		if (row->letter != 0)
			printf(" -s %c", row->letter);
		if (row->choices != NULL)
			printf(" -x -a '%s'", row->choices);
		else if (row->arg != NULL)
			fputs(takes_file(row) ? " -r" : " -x", stdout);
		fputs(" -d ", stdout);
		quoted_print(help_of(row));
		putchar('\n');
	}
}

bool
completion_print(const char *shell)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} shells[] = {
		{ "bash", bash_print },
		{ "zsh", zsh_print },
		{ "fish", fish_print },
	};

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(shells[i].name, shell) == 0) {
			shells[i].print();
			return true;
		}
	}
	return false;
}
