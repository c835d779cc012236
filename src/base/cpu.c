/*
 * cpu.c - what the processor can do, asked once
 */

#include "base/cpu.h"

static enum isn_cpu cpu_limit = ISN_CPU_LEVELS;

/*
 * The compiler's run-time library asks the processor before main() begins; this
 * only looks at what it noted.
 */
static enum isn_cpu
cpu_detect(void)
{
#if ISN_CPU_X86
	if (__builtin_cpu_supports("avx2"))
		return ISN_CPU_AVX2;
	if (__builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3"))
		return ISN_CPU_SSE41;
#endif
	return ISN_CPU_PLAIN;
}

enum isn_cpu
isn_cpu(void)
{
	enum isn_cpu found = cpu_detect();

	return found < cpu_limit ? found : cpu_limit;
}

void
isn_cpu_limit(enum isn_cpu level)
{
	cpu_limit = level;
}
