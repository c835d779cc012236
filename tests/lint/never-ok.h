/*
 * never-ok.h - what the analyser cannot see from another file: that these never
 * return IMGSNIFF_OK. Included before everything else, in make lint alone.
 */

#ifndef ISN_LINT_NEVER_OK_H
#define ISN_LINT_NEVER_OK_H

#include "codec.h"

static inline enum imgsniff_status
never_ok(enum imgsniff_status status)
{
	if (status == IMGSNIFF_OK)
		__builtin_unreachable();
	return status;
}

#define isn_fail(...)		never_ok(isn_fail(__VA_ARGS__))
#define isn_fail_overrun(...)	never_ok(isn_fail_overrun(__VA_ARGS__))
#define isn_fail_memory(...)	never_ok(isn_fail_memory(__VA_ARGS__))

#endif /* ISN_LINT_NEVER_OK_H */
