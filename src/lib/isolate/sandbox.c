/*
 * sandbox.c - limits, Landlock and a filter of system calls
 *
 * Each stands for itself: where the kernel or the build lacks one, the others are
 * put up all the same, and the answer tells which are.
 */

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if HAVE_SECCOMP
#include <seccomp.h>
#endif

#include "lib/isolate/sandbox.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED	1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED	1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED	0
#endif

/* ---- Limits --------------------------------------------------------------- */

/* 0 to 2, the socket, the open file, and what is on its way. */
#define DESCRIPTORS	16

static bool
limit_set(int resource, rlim_t value)
{
	struct rlimit limit = { value, value };

	return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

/* All of what the host had when the pool was made counts as ours too. */
static uint64_t
address_space_used(void)
{
	char text[32] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		if (read(fd, text, sizeof(text) - 1) < 0)
			text[0] = '\0';
		close(fd);
	}
	return strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The shadow of AddressSanitizer alone is many terabytes. */
static bool
memory_limit(uint64_t bytes)
{
	if (bytes == UINT64_MAX || SANITIZED)
		return false;
	return limit_set(RLIMIT_AS, bytes);
}

static void
limits_set(const struct isn_sandbox *s)
{
	limit_set(RLIMIT_CORE, 0);
	limit_set(RLIMIT_FSIZE, 0);
	limit_set(RLIMIT_NPROC, 0);
	limit_set(RLIMIT_NOFILE, DESCRIPTORS);
	if (s->cpu_seconds != UINT64_MAX)
		limit_set(RLIMIT_CPU, s->cpu_seconds);
}

/* ---- Landlock ------------------------------------------------------------- */

/*
 * The rights there are, by the version of the interface that brought them; a
 * program for all kernels cannot take them from the header of one.
 */
struct ruleset {
	uint64_t fs;
	uint64_t net;			/* from version 4 on */
	uint64_t scoped;		/* from version 6 on */
};

#define VERSION_FLAG	1U

static const struct {
	struct ruleset refuse;
	size_t size;			/* of the struct in that version */
} rulesets[] = {
	[1] = { { 0x1fff, 0, 0 }, 8 },	/* reading, writing, making, removing */
	[2] = { { 0x3fff, 0, 0 }, 8 },	/* moving to another folder */
	[3] = { { 0x7fff, 0, 0 }, 8 },	/* cutting off */
	[4] = { { 0x7fff, 3, 0 }, 16 },	/* TCP: bind and connect */
	[5] = { { 0xffff, 3, 0 }, 16 },	/* ioctl on devices */
	[6] = { { 0xffff, 3, 3 }, 24 },	/* abstract sockets, signals */
};

#define VERSIONS	(sizeof(rulesets) / sizeof(rulesets[0]))

#if defined(SYS_landlock_create_ruleset) && defined(SYS_landlock_restrict_self)
static long
landlock_version(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_FLAG);
}

/* A set of rules that allows nothing of what it governs. */
static bool
landlock_enter(void)
{
	long version = landlock_version();
	long fd;
	bool done;

	if (version < 1)
		return false;
	if (version >= (long)VERSIONS)
		version = (long)VERSIONS - 1;
	fd = syscall(SYS_landlock_create_ruleset, &rulesets[version].refuse,
		     rulesets[version].size, 0);
	if (fd < 0)
		return false;
	done = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
	close((int)fd);
	return done;
}
#else
static long
landlock_version(void)
{
	return -1;
}

static bool
landlock_enter(void)
{
	return false;
}
#endif

/* ---- System calls --------------------------------------------------------- */

#if HAVE_SECCOMP
/* All that a worker calls; whatever else it tries ends it. */
static const int calls[] = {
	SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(close),
	SCMP_SYS(pread64), SCMP_SYS(fstat), SCMP_SYS(newfstatat),
	SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk),
	SCMP_SYS(futex), SCMP_SYS(exit_group),
	/* abort(), so that it ends by SIGABRT and not by SIGSYS */
	SCMP_SYS(rt_sigprocmask), SCMP_SYS(getpid), SCMP_SYS(gettid),
	SCMP_SYS(writev),
#if SANITIZED
	SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(sigaltstack),
	SCMP_SYS(rt_sigaction), SCMP_SYS(clock_gettime), SCMP_SYS(sched_yield),
	SCMP_SYS(prctl), SCMP_SYS(openat), SCMP_SYS(readlink),
	SCMP_SYS(readlinkat), SCMP_SYS(lseek), SCMP_SYS(getrandom),
	SCMP_SYS(sched_getaffinity), SCMP_SYS(getrlimit), SCMP_SYS(prlimit64),
	SCMP_SYS(rt_sigreturn),
#endif
};

/* Memory, but none that can be run. */
static const int mapping_calls[] = { SCMP_SYS(mmap), SCMP_SYS(mprotect) };

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

static scmp_filter_ctx
filter_make(void)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int error = f == NULL;

	for (size_t i = 0; error == 0 && i < COUNT(calls); i++)
		error = seccomp_rule_add(f, SCMP_ACT_ALLOW, calls[i], 0);
	for (size_t i = 0; error == 0 && i < COUNT(mapping_calls); i++)
		error = seccomp_rule_add(f, SCMP_ACT_ALLOW, mapping_calls[i], 1,
			SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	if (error == 0)
		return f;
	seccomp_release(f);
	return NULL;
}

static bool
filter_enter(scmp_filter_ctx f)
{
	if (f == NULL)
		return false;
	/* A worker may end itself, and nobody else. */
	if (seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 2,
			     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0),
			     SCMP_A2(SCMP_CMP_EQ, SIGABRT, 0)) != 0)
		return false;
	return seccomp_load(f) == 0;
}

static bool
filter_is_known(void)
{
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}
#else
static void *
filter_make(void)
{
	return NULL;
}

static bool
filter_enter(void *f)
{
	return f != NULL;
}

static bool
filter_is_known(void)
{
	return false;
}
#endif

/* ---- All of it ------------------------------------------------------------ */

unsigned int
isn_sandbox_available(void)
{
	unsigned int barriers = IMGSNIFF_BARRIER_PROCESS;

	if (!SANITIZED)
		barriers |= IMGSNIFF_BARRIER_MEMORY;
	if (landlock_version() >= 1)
		barriers |= IMGSNIFF_BARRIER_FILES;
	if (filter_is_known())
		barriers |= IMGSNIFF_BARRIER_CALLS;
	return barriers;
}

void
isn_sandbox_prepare(struct isn_sandbox *s)
{
	uint64_t used = address_space_used();

	s->memory = s->memory > UINT64_MAX - used ? UINT64_MAX : s->memory + used;
	s->filter = filter_make();
}

unsigned int
isn_sandbox_enter(const struct isn_sandbox *s)
{
	unsigned int barriers = IMGSNIFF_BARRIER_PROCESS;
	bool no_privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;

	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	limits_set(s);
	if (no_privileges && landlock_enter())
		barriers |= IMGSNIFF_BARRIER_FILES;
	if (memory_limit(s->memory))
		barriers |= IMGSNIFF_BARRIER_MEMORY;
	if (no_privileges && filter_enter(s->filter))
		barriers |= IMGSNIFF_BARRIER_CALLS;
	return barriers;
}
