/*
 * pool.c - workers, who has them, and how they are asked
 */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/isolate/pool.h"

#define WORKERS_MAX	1024
#define TIMEOUT_DEFAULT	60000		/* ms */
#define HELLO_TIMEOUT	10000

/*
 * A worker's limit of CPU time is for its whole life; one that has worked this
 * long gives way to a new one, so that only a call that outlives its timeout, with
 * nobody there to end it, comes near that limit.
 */
#define WORKED_MAX_S	300

/* ---- Time ----------------------------------------------------------------- */

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* For poll(): ms until then, rounded up; -1 for ever. */
static int
ms_until(uint64_t deadline)
{
	uint64_t now = now_ns(), ms;

	if (deadline == UINT64_MAX)
		return -1;
	ms = deadline > now ? (deadline - now + 999999) / 1000000 : 0;
	return ms < INT32_MAX ? (int)ms : INT32_MAX;
}

static uint64_t
deadline_in(uint32_t ms)
{
	return ms == UINT32_MAX ? UINT64_MAX : now_ns() + (uint64_t)ms * 1000000;
}

/* ---- The end of a worker -------------------------------------------------- */

static const struct {
	int number;
	const char *message;
} signals[] = {
	{ SIGSEGV, "crashed: SIGSEGV" },
	{ SIGBUS, "crashed: SIGBUS" },
	{ SIGABRT, "crashed: SIGABRT" },
	{ SIGFPE, "crashed: SIGFPE" },
	{ SIGILL, "crashed: SIGILL" },
	{ SIGTRAP, "crashed: SIGTRAP" },
	{ SIGSYS, "crashed: SIGSYS" },
	{ SIGKILL, "crashed: SIGKILL" },
	{ SIGXFSZ, "crashed: SIGXFSZ" },
};

static const char *
end_describe(int wait_status)
{
	if (WIFEXITED(wait_status))
		return "crashed: exit";
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (WTERMSIG(wait_status) == signals[i].number)
			return signals[i].message;
	return "crashed: signal";
}

static void
lost_set(struct imgsniff_error *lost, enum imgsniff_status status,
	 const char *message)
{
	*lost = (struct imgsniff_error){
		.status = status,
		.offset = IMGSNIFF_NO_OFFSET,
		.message = message,
	};
}

/* ---- Slots ---------------------------------------------------------------- */

static void
slot_vacate(struct isn_slot *slot)
{
	if (slot->socket >= 0)
		close(slot->socket);
	slot->socket = -1;
	slot->images = 0;
	slot->worked_ns = 0;
	slot->input.sent = slot->pixels.sent = false;
}

/* Waits for a packet until then. ETIMEDOUT, or as isn_wire_receive(). */
static int
slot_receive(struct isn_slot *slot, struct isn_reply *reply, uint64_t deadline)
{
	struct pollfd p = { .fd = slot->socket, .events = POLLIN };
	size_t none;
	int n;

	memset(reply, 0, sizeof(*reply));
	do
		n = poll(&p, 1, ms_until(deadline));
	while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n == 0)
		return ETIMEDOUT;
	if (n < 0)
		return errno;
	return isn_wire_receive(slot->socket, reply, sizeof(*reply), NULL, 0,
				&none);
}

/* A new worker says what is around it. */
static int
slot_greet(struct imgsniff_isolate *pool, struct isn_slot *slot)
{
	const unsigned int needed = IMGSNIFF_BARRIER_FILES |
				    IMGSNIFF_BARRIER_CALLS;
	struct isn_reply hello;
	int error = slot_receive(slot, &hello, deadline_in(HELLO_TIMEOUT));

	if (error != 0)
		return error;
	if (hello.op != ISN_OP_HELLO)
		return EPROTO;
	if (pool->strict && (hello.count & needed) != needed)
		return ENOTSUP;
	pool->barriers &= hello.count;
	return 0;
}

/* Ends the worker that is there, if any, and gets another. */
static int
slot_fill(struct imgsniff_isolate *pool, struct isn_slot *slot,
	  int *wait_status)
{
	int error;

	slot_vacate(slot);
	mtx_lock(&pool->nursery_lock);
	error = isn_nursery_spawn(&pool->nursery, slot->index, &slot->socket,
				  wait_status);
	mtx_unlock(&pool->nursery_lock);
	if (error == 0)
		error = slot_greet(pool, slot);
	if (error != 0)
		slot_vacate(slot);
	return error;
}

static void
slot_lose(struct imgsniff_isolate *pool, struct isn_slot *slot, int error,
	  struct imgsniff_error *lost)
{
	int wait_status = 0;

	/* Where there is no new one, who asks for it next is told. */
	(void)slot_fill(pool, slot, &wait_status);
	if (error == ETIMEDOUT ||
	    (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGXCPU))
		lost_set(lost, IMGSNIFF_ERR_TIMEOUT, "timeout");
	else if (error == EPROTO)
		lost_set(lost, IMGSNIFF_ERR_CRASHED,
			 "crashed: impossible answer");
	else
		lost_set(lost, IMGSNIFF_ERR_CRASHED, end_describe(wait_status));
}

void
isn_slot_distrust(struct imgsniff_isolate *pool, struct isn_slot *slot,
		  struct imgsniff_error *lost)
{
	slot_lose(pool, slot, EPROTO, lost);
}

static int
slot_send(struct isn_slot *slot, struct isn_request *request, int file)
{
	int fds[ISN_WIRE_DESCRIPTORS];
	size_t count = 0;
	int error;

	request->serial = ++slot->serial;
	request->descriptors = 0;
	if (file >= 0) {
		request->descriptors |= ISN_WITH_FILE;
		fds[count++] = file;
	}
	if (slot->input.data != NULL && !slot->input.sent) {
		request->descriptors |= ISN_WITH_INPUT;
		request->input_room = slot->input.room;
		fds[count++] = slot->input.fd;
	}
	if (slot->pixels.data != NULL && !slot->pixels.sent) {
		request->descriptors |= ISN_WITH_PIXELS;
		request->pixels_room = slot->pixels.room;
		fds[count++] = slot->pixels.fd;
	}
	error = isn_wire_send(slot->socket, request, sizeof(*request), fds,
			      count);
	slot->input.sent = slot->input.data != NULL;
	slot->pixels.sent = slot->pixels.data != NULL;
	return error;
}

bool
isn_slot_ask(struct imgsniff_isolate *pool, struct isn_slot *slot,
	     struct isn_request *request, int file, struct isn_reply *reply,
	     struct imgsniff_error *lost)
{
	uint64_t begin = now_ns();
	int error;

	error = slot->socket >= 0 ? slot_send(slot, request, file) : EPIPE;
	if (error == 0 && request->op != ISN_OP_CLOSE) {
		error = slot_receive(slot, reply, deadline_in(pool->timeout));
		slot->worked_ns += now_ns() - begin;
		if (error == 0 && (reply->op != request->op ||
				   reply->serial != request->serial))
			error = EPROTO;
	}
	if (error == 0)
		return true;
	slot_lose(pool, slot, error, lost);
	return false;
}

/* ---- Lending -------------------------------------------------------------- */

/* One that has a worker, if any has. */
static struct isn_slot *
slot_find(struct imgsniff_isolate *pool)
{
	struct isn_slot *found = NULL;

	for (uint32_t i = 0; i < pool->slot_count; i++) {
		struct isn_slot *slot = &pool->slots[i];

		if (slot->busy)
			continue;
		if (slot->socket >= 0)
			return slot;
		if (found == NULL)
			found = slot;
	}
	return found;
}

struct isn_slot *
isn_pool_acquire(struct imgsniff_isolate *pool)
{
	struct isn_slot *slot;
	int error = 0, ignored;

	mtx_lock(&pool->lock);
	while ((slot = slot_find(pool)) == NULL)
		cnd_wait(&pool->slot_freed, &pool->lock);
	slot->busy = true;
	mtx_unlock(&pool->lock);
	if (slot->socket < 0)
		error = slot_fill(pool, slot, &ignored);
	if (error == 0) {
		slot->images++;
		return slot;
	}
	isn_pool_release(pool, slot);
	errno = error;
	return NULL;
}

static bool
slot_is_due(const struct imgsniff_isolate *pool, const struct isn_slot *slot)
{
	if (pool->images != 0 && slot->images >= pool->images)
		return true;
	return pool->timeout != UINT32_MAX &&
	       slot->worked_ns / 1000000000 >= WORKED_MAX_S;
}

/* A worker whose socket is closed ends by itself. */
void
isn_pool_release(struct imgsniff_isolate *pool, struct isn_slot *slot)
{
	if (slot_is_due(pool, slot))
		slot_vacate(slot);
	mtx_lock(&pool->lock);
	slot->busy = false;
	cnd_signal(&pool->slot_freed);
	mtx_unlock(&pool->lock);
}

/* ---- The pool ------------------------------------------------------------- */

/* The options of this library's size, from those of the caller's header. */
static bool
options_read(struct imgsniff_isolate_options *to,
	     const struct imgsniff_isolate_options *from)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	memset(to, 0, sizeof(*to));
	if (from != NULL && from->struct_size < sizeof(*to))
		return false;
	if (from != NULL)
		*to = *from;
	if (to->workers == 0)
		to->workers = processors < 1 ? 1
			: processors < WORKERS_MAX ? (uint32_t)processors
						   : WORKERS_MAX;
	if (to->timeout == 0)
		to->timeout = TIMEOUT_DEFAULT;
	return to->workers <= WORKERS_MAX &&
	       (to->strictness == IMGSNIFF_ISOLATE_AUTO ||
		to->strictness == IMGSNIFF_ISOLATE_STRICT);
}

/* What a worker allocates is its own affair. */
static struct imgsniff_decoder *
decoder_new(const struct imgsniff_options *options)
{
	struct imgsniff_options own = { .struct_size = sizeof(own) };

	if (options == NULL)
		return imgsniff_new(NULL);
	if (options->struct_size < offsetof(struct imgsniff_options, limits))
		return imgsniff_new(options);	/* which tells that apart */
	memcpy(&own, options, options->struct_size < sizeof(own)
			      ? options->struct_size : sizeof(own));
	own.struct_size = sizeof(own);
	own.allocator = NULL;
	return imgsniff_new(&own);
}

static struct isn_sandbox
sandbox_for(const struct imgsniff_isolate *pool,
	    const struct imgsniff_isolate_options *o)
{
	const uint64_t spare = UINT64_C(1) << 30;
	uint64_t memory = pool->decoder->limits.max_memory;
	struct isn_sandbox s = { .cpu_seconds = UINT64_MAX };

	s.memory = o->memory != 0 ? o->memory
		 : memory < UINT64_MAX - spare ? memory + spare : UINT64_MAX;
	if (o->timeout != UINT32_MAX)
		s.cpu_seconds = WORKED_MAX_S + 60 + o->timeout / 1000 * 2;
	return s;
}

static bool
pool_init(struct imgsniff_isolate *pool,
	  const struct imgsniff_isolate_options *o)
{
	pool->nursery.socket = -1;
	pool->strict = o->strictness == IMGSNIFF_ISOLATE_STRICT;
	pool->timeout = o->timeout;
	pool->images = o->images;
	pool->barriers = UINT32_MAX;
	pool->slot_count = o->workers;
	pool->decoder = decoder_new(o->decoder);
	if (pool->decoder == NULL)
		return false;
	pool->slots = calloc(o->workers, sizeof(*pool->slots));
	if (pool->slots == NULL)
		return false;
	for (uint32_t i = 0; i < o->workers; i++)
		pool->slots[i] = (struct isn_slot){
			.index = i, .socket = -1,
			.input.fd = -1, .pixels.fd = -1,
		};
	return true;
}

static void
pool_free(struct imgsniff_isolate *pool)
{
	int error = errno;

	isn_nursery_end(&pool->nursery);
	for (uint32_t i = 0; pool->slots != NULL && i < pool->slot_count; i++) {
		slot_vacate(&pool->slots[i]);
		isn_region_drop(&pool->slots[i].input);
		isn_region_drop(&pool->slots[i].pixels);
	}
	free(pool->slots);
	imgsniff_free(pool->decoder);
	mtx_destroy(&pool->lock);
	mtx_destroy(&pool->nursery_lock);
	cnd_destroy(&pool->slot_freed);
	free(pool);
	errno = error;
}

/* The first worker shows whether there can be any, and behind which barriers. */
static bool
pool_begin(struct imgsniff_isolate *pool,
	   const struct imgsniff_isolate_options *o, isn_worker_answers *answer)
{
	const struct isn_sandbox sandbox = sandbox_for(pool, o);
	int ignored, error;

	error = isn_nursery_begin(&pool->nursery, pool->decoder, &sandbox,
				  o->workers, answer);
	if (error == 0)
		error = slot_fill(pool, &pool->slots[0], &ignored);
	errno = error;
	return error == 0;
}

struct imgsniff_isolate *
isn_pool_new(const struct imgsniff_isolate_options *options,
	     isn_worker_answers *answer)
{
	struct imgsniff_isolate_options o;
	struct imgsniff_isolate *pool;

	if (!options_read(&o, options)) {
		errno = EINVAL;
		return NULL;
	}
	pool = calloc(1, sizeof(*pool));
	if (pool == NULL)
		return NULL;
	mtx_init(&pool->lock, mtx_plain);
	mtx_init(&pool->nursery_lock, mtx_plain);
	cnd_init(&pool->slot_freed);
	if (pool_init(pool, &o) && pool_begin(pool, &o, answer))
		return pool;
	pool_free(pool);
	return NULL;
}

IMGSNIFF_API struct imgsniff_isolate *
imgsniff_isolate_new(const struct imgsniff_isolate_options *options)
{
	return isn_pool_new(options, isn_worker_answer);
}

IMGSNIFF_API void
imgsniff_isolate_free(struct imgsniff_isolate *pool)
{
	if (pool != NULL)
		pool_free(pool);
}

IMGSNIFF_API unsigned int
imgsniff_isolate_barriers(const struct imgsniff_isolate *pool)
{
	return pool != NULL ? pool->barriers : isn_sandbox_available();
}
