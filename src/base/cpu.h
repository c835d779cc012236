/*
 * cpu.h - what the processor can do, asked once
 *
 * CPUID traps inside a virtual machine and takes microseconds there, so it is
 * not for every image. Faster versions stand beside plain C ones and are chosen
 * by this; with anything but x86-64 and a compiler of GCC's kind only the plain
 * ones are built.
 */

#ifndef ISN_BASE_CPU_H
#define ISN_BASE_CPU_H

#if defined(__x86_64__) && defined(__GNUC__)
#define ISN_CPU_X86	1
#else
#define ISN_CPU_X86	0
#endif

enum isn_cpu {
	ISN_CPU_PLAIN,
	ISN_CPU_SSE41,			/* with SSSE3 */
	ISN_CPU_AVX2,
	ISN_CPU_LEVELS,
};

enum isn_cpu isn_cpu(void);

/* For tests: use nothing better; not while another thread decodes. */
void isn_cpu_limit(enum isn_cpu level);

#endif /* ISN_BASE_CPU_H */
