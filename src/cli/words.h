/*
 * words.h - lists of words in one string: "jpg jpeg jpe"
 */

#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Is 'word', which has 'size' bytes, among them? Case does not matter. */
static inline bool
words_have(const char *words, const char *word, size_t size)
{
	while (*words != '\0') {
		size_t n = strcspn(words, " ");

		if (n == size && strncasecmp(words, word, n) == 0)
			return true;
		words += n + strspn(words + n, " ");
	}
	return false;
}

#endif /* WORDS_H */
