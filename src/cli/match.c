/*
 * match.c - --include and --exclude: which names met in a walk are wanted
 */

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "match.h"

static bool
glob_init(struct glob *g, const char *pattern)
{
	size_t size = strlen(pattern);

	*g = (struct glob){ .pattern = strdup(pattern) };
	if (g->pattern == NULL)
		return false;
	while (size > 1 && pattern[size - 1] == '/') {
		g->only_folders = true;
		g->pattern[--size] = '\0';
	}
	g->whole_path = strchr(g->pattern, '/') != NULL;
	return true;
}

static bool
globs_init(struct match *m, const struct strings *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (!glob_init(&m->globs[m->count++], patterns->items[i]))
			return false;
	return true;
}

bool
match_init(struct match *m, const struct options *o)
{
	size_t count = o->include.count + o->exclude.count;

	*m = (struct match){ .includes = o->include.count };
	if (count == 0)
		return true;
	m->globs = calloc(count, sizeof(*m->globs));
	if (m->globs == NULL)
		return false;
	if (globs_init(m, &o->include) && globs_init(m, &o->exclude))
		return true;
	match_free(m);
	return false;
}

void
match_free(struct match *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->globs[i].pattern);
	free(m->globs);
	*m = (struct match){ 0 };
}

static bool
globs_match(const struct match *m, size_t from, size_t to, bool folder,
	    const char *path, const char *name)
{
	for (size_t i = from; i < to; i++) {
		const struct glob *g = &m->globs[i];

		if (g->only_folders && !folder)
			continue;
		if (fnmatch(g->pattern, g->whole_path ? path : name, 0) == 0)
			return true;
	}
	return false;
}

bool
match_file(const struct match *m, const char *path, const char *name)
{
	if (m->includes > 0 &&
	    !globs_match(m, 0, m->includes, false, path, name))
		return false;
	return !globs_match(m, m->includes, m->count, false, path, name);
}

bool
match_folder(const struct match *m, const char *path, const char *name)
{
	return !globs_match(m, m->includes, m->count, true, path, name);
}
