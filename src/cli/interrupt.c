/*
 * interrupt.c - signals: whole records go out before the program ends
 *
 * The handlers do the work themselves, so that it makes no difference where the
 * program is held up: reading a list of names from a pipe, or decoding. They call
 * nothing but what may be called there, and touch the buffer only while it ends
 * in a whole record (see struct output).
 */

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include "interrupt.h"

#define WAIT_USEC	200000

static struct output *watched;
static struct output to_stderr = { .fd = STDERR_FILENO };
static volatile sig_atomic_t stop_signal;	/* it came, and waits its turn */
static volatile sig_atomic_t flush_due;		/* so did the timer */
static volatile sig_atomic_t timer_runs;
static volatile uint64_t files_done;
static const char *volatile half_written;

static void
interrupt_finish(int sig)
{
	sigset_t set;

	output_flush(watched);
	if (half_written != NULL)
		unlink(half_written);
	output_string(&to_stderr, "imgsniff: interrupted after ");
	output_number(&to_stderr, files_done);
	output_string(&to_stderr, files_done == 1 ? " file\n" : " files\n");
	output_flush(&to_stderr);
	raise(sig);			/* SA_RESETHAND: the default again */
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void
timer_finish(void)
{
	timer_runs = 0;
	flush_due = 0;
	output_flush(watched);
}

/* What came while the buffer was busy. */
static void
interrupt_wake(void)
{
	if (stop_signal != 0)
		interrupt_finish(stop_signal);
	if (flush_due)
		timer_finish();
}

static void
stop_handle(int sig)
{
	int saved = errno;

	stop_signal = sig;
	if (watched->busy)
		watched->late = 1;
	else
		interrupt_finish(sig);
	errno = saved;
}

static void
timer_handle(int sig)
{
	int saved = errno;

	(void)sig;
	flush_due = 1;
	if (watched->busy)
		watched->late = 1;
	else
		timer_finish();
	errno = saved;
}

/* One that is ignored, as nohup(1) and background jobs have it, stays so. */
static void
stop_watch(int sig)
{
	struct sigaction now, action = {
		.sa_handler = stop_handle,
		.sa_flags = SA_RESTART | (int)SA_RESETHAND,
	};

	if (sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
		return;
	sigemptyset(&action.sa_mask);
	sigaction(sig, &action, NULL);
}

void
interrupt_watch(struct output *out)
{
	struct sigaction action = {
		.sa_handler = timer_handle, .sa_flags = SA_RESTART,
	};

	watched = out;
	out->wake = interrupt_wake;
	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	stop_watch(SIGINT);
	stop_watch(SIGTERM);
	stop_watch(SIGHUP);
	/* Past RLIMIT_FSIZE write() fails, and what is half written is removed. */
	signal(SIGXFSZ, SIG_IGN);
}

void
interrupt_flush_soon(void)
{
	const struct itimerval wait = { .it_value = { .tv_usec = WAIT_USEC } };

	if (timer_runs)
		return;
	timer_runs = 1;
	setitimer(ITIMER_REAL, &wait, NULL);
}

void
interrupt_count(void)
{
	files_done = files_done + 1;
}

void
interrupt_remove(const char *path)
{
	half_written = path;
}
