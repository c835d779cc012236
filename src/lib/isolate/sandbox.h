/*
 * sandbox.h - what a worker may still do
 */

#ifndef ISN_LIB_ISOLATE_SANDBOX_H
#define ISN_LIB_ISOLATE_SANDBOX_H

#include <imgsniff.h>

struct isn_sandbox {
	uint64_t memory;		/* bytes beyond what there is, UINT64_MAX: any */
	uint64_t cpu_seconds;		/* UINT64_MAX: any */
	void *filter;			/* of system calls; see sandbox.c */
};

/* What this build and this kernel have, without trying it. */
unsigned int isn_sandbox_available(void);

/* Once, in the process that makes workers: what is the same for each of them. */
void isn_sandbox_prepare(struct isn_sandbox *s);

/*
 * The worker's last step before it meets anything hostile; there is no way back.
 * Returns what is in force, enum imgsniff_barrier.
 */
unsigned int isn_sandbox_enter(const struct isn_sandbox *s);

#endif /* ISN_LIB_ISOLATE_SANDBOX_H */
