/*
 * nursery.c - the process that makes workers
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/isolate/nursery.h"

#define SOCKET		3		/* of the nursery, and of a worker */

struct nursery {
	struct isn_sandbox sandbox;
	isn_worker_answers *answer;
	struct imgsniff_decoder *decoder;
	uint32_t workers;
	pid_t *pids;			/* of each slot; 0: none */
};

/* ---- What was inherited --------------------------------------------------- */

static void
rest_close(int first)
{
	long end = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned int)first, ~0U, 0) == 0)
		return;
#endif
	for (long fd = first; fd < (end > 0 ? end : 65536); fd++)
		close((int)fd);
}

/*
 * The socket becomes SOCKET and all else is closed; in the place of the three
 * standard descriptors there is the end of a pipe that has no other: reading
 * finds nothing and writing fails, and nothing that is opened later can be taken
 * for standard error.
 */
static bool
descriptors_keep(int socket)
{
	int ends[2];

	if (socket != SOCKET && dup2(socket, SOCKET) < 0)
		return false;
	if (pipe(ends) != 0)
		return false;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (dup2(ends[0], fd) < 0)
			return false;
	rest_close(SOCKET + 1);
	return true;
}

/*
 * Those of a terminal are the host's business: it says what becomes of the file
 * at hand. When it ends, so do we.
 */
static void
signals_reset(void)
{
	static const int ignored[] = {
		SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP, SIGTTIN,
		SIGTTOU, SIGUSR1, SIGUSR2, SIGALRM,
	};
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &action, NULL);
	action.sa_handler = SIG_IGN;
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		sigaction(ignored[i], &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* ---- In the nursery ------------------------------------------------------- */

static _Noreturn void
worker_begin(const struct nursery *n, int socket, pid_t parent)
{
	struct isn_worker w = {
		.socket = SOCKET, .decoder = n->decoder, .file = -1,
	};

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent || !descriptors_keep(socket))
		_exit(1);
	prctl(PR_SET_NAME, "imgsniff-worker", 0, 0, 0);
	isn_worker_run(&w, isn_sandbox_enter(&n->sandbox), n->answer);
}

static int
worker_end(struct nursery *n, uint32_t slot)
{
	int status = 0;

	if (n->pids[slot] == 0)
		return 0;
	/* What has died by itself keeps the status it died with. */
	kill(n->pids[slot], SIGKILL);
	while (waitpid(n->pids[slot], &status, 0) < 0 && errno == EINTR)
		;
	n->pids[slot] = 0;
	return status;
}

/* Returns the host's end of the worker's socket, or -1. */
static int
worker_make(struct nursery *n, uint32_t slot)
{
	const pid_t parent = getpid();
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	pid = fork();
	if (pid == 0)
		worker_begin(n, ends[1], parent);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return -1;
	}
	n->pids[slot] = pid;
	return ends[0];
}

static void
workers_end(struct nursery *n)
{
	for (uint32_t i = 0; i < n->workers; i++)
		worker_end(n, i);
}

static void
nursery_serve(struct nursery *n)
{
	struct isn_spawn request = { 0 };
	struct isn_spawned reply;
	size_t count;
	int socket, error;

	while (isn_wire_receive(SOCKET, &request, sizeof(request), NULL, 0,
				&count) == 0 && request.slot < n->workers) {
		memset(&reply, 0, sizeof(reply));
		reply.wait_status = worker_end(n, request.slot);
		socket = worker_make(n, request.slot);
		reply.error = socket < 0 ? errno : 0;
		error = isn_wire_send(SOCKET, &reply, sizeof(reply), &socket,
				      socket >= 0);
		if (socket >= 0)
			close(socket);
		if (error != 0)
			break;
	}
	workers_end(n);
}

static _Noreturn void
nursery_run(struct nursery *n, int socket)
{
	signals_reset();
	if (!descriptors_keep(socket))
		_exit(1);
	prctl(PR_SET_NAME, "imgsniff-nursery", 0, 0, 0);
	isn_sandbox_prepare(&n->sandbox);
	n->pids = calloc(n->workers, sizeof(*n->pids));
	if (n->pids == NULL)
		_exit(1);
	isn_worker_warm(n->decoder);
	nursery_serve(n);
	_exit(0);
}

/* ---- In the host ---------------------------------------------------------- */

int
isn_nursery_begin(struct isn_nursery *n,
		  struct imgsniff_decoder *decoder,
		  const struct isn_sandbox *sandbox, uint32_t workers,
		  isn_worker_answers *answer)
{
	struct nursery nursery = {
		.sandbox = *sandbox, .answer = answer, .decoder = decoder,
		.workers = workers,
	};
	const time_t start = 0;
	sigset_t all, before;
	struct tm tm;
	int ends[2], error;

	n->socket = -1;
	/* The C library reads the time zone's file once: lcms2 asks for it. */
	gmtime_r(&start, &tm);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	/* No handler of the host's runs in the new process. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	n->pid = fork();
	error = errno;
	if (n->pid == 0)
		nursery_run(&nursery, ends[1]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	if (n->pid < 0) {
		close(ends[0]);
		return error;
	}
	n->socket = ends[0];
	return 0;
}

int
isn_nursery_spawn(struct isn_nursery *n, uint32_t slot, int *socket,
		  int *wait_status)
{
	struct isn_spawn request = { slot };
	struct isn_spawned reply = { 0 };
	size_t count = 0;
	int error;

	*socket = -1;
	*wait_status = 0;
	error = isn_wire_send(n->socket, &request, sizeof(request), NULL, 0);
	if (error == 0)
		error = isn_wire_receive(n->socket, &reply, sizeof(reply),
					 socket, 1, &count);
	if (error != 0)
		return error;
	*wait_status = reply.wait_status;
	if (reply.error != 0)
		return reply.error;
	return count == 1 ? 0 : EPROTO;
}

void
isn_nursery_end(struct isn_nursery *n)
{
	if (n->socket < 0)
		return;
	close(n->socket);
	n->socket = -1;
	while (waitpid(n->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
