/*
 * test_isolate.c - workers that do their work, and workers that an image has
 * taken over
 *
 * Images that begin with "EVIL" and a word make a worker of this program (and of
 * no other) do the worst it can.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/isolate/pool.h"

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

#define PNG		"test-images/png/rgba-8.png"
#define ANIMATED	"test-images/gif/animated-dispose-previous.gif"

/* ---- Evil ----------------------------------------------------------------- */

static char evil[16];			/* what the worker is to do; "" nothing */

static void
memory_eat(void)
{
	for (;;) {
		char *p = malloc(1 << 20);

		if (p == NULL)
			abort();
		memset(p, 1, 1 << 20);
	}
}

static void
nowhere_write(void)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	*(volatile char *)page = 1;
}

static void
evil_open(struct isn_worker *w, struct isn_reply *reply)
{
	size_t count;

	if (strcmp(evil, "segv") == 0)
		nowhere_write();
	if (strcmp(evil, "abort") == 0)
		abort();
	if (strcmp(evil, "exit") == 0)
		_exit(3);
	if (strcmp(evil, "eat") == 0)
		memory_eat();
	if (strcmp(evil, "close") == 0)
		close(w->socket);
	while (strcmp(evil, "hang") == 0 || strcmp(evil, "close") == 0)
		;
	if (strcmp(evil, "sleep") == 0)
		for (;;)
			isn_wire_receive(w->socket, evil, 1, NULL, 0, &count);
	if (strcmp(evil, "file") == 0)
		close(openat(AT_FDCWD, "/etc/passwd", O_RDONLY));
	if (strcmp(evil, "socket") == 0)
		socket(AF_INET, SOCK_STREAM, 0);
	if (strcmp(evil, "fork") == 0)
		fork();
	if (strcmp(evil, "kill") == 0)
		kill(getppid(), SIGKILL);
	if (strcmp(evil, "ptrace") == 0)
		prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	if (strcmp(evil, "code") == 0)
		(void)!mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (strcmp(evil, "short") == 0)
		isn_wire_send(w->socket, (char[1]){ 0 }, 1, NULL, 0);
	if (strcmp(evil, "long") == 0)
		isn_wire_send(w->socket, (char[9000]){ 0 }, 9000, NULL, 0);
	if (strcmp(evil, "gift") == 0) {
		const int fds[] = { w->socket, w->socket, w->socket };

		isn_wire_send(w->socket, reply, sizeof(*reply), fds, 3);
		isn_wire_send(w->socket, reply, sizeof(*reply), fds, 3);
	}
}

/* A reply that looks well, but for one thing. */
static void
evil_lie(struct isn_worker *w, const struct isn_request *q, struct isn_reply *r)
{
	static const char *const lies[] = {
		"status", "format", "orient", "color", "errno", "serial",
		"verdict", "agrees", "trailer", "size", "rows", "wide", "again",
		"frame", "count", "text", "crashed",
		"blank", "end", "more", "later",
	};
	size_t lie = 0;

	while (lie < sizeof(lies) / sizeof(lies[0]) &&
	       strcmp(evil, lies[lie]) != 0)
		lie++;
	if (lie == sizeof(lies) / sizeof(lies[0]))
		return;
	*r = (struct isn_reply){
		.op = q->op, .serial = q->serial, .width = 4, .height = 4,
		.rows_valid = 4, .count = 1,
		.info = { .known = 1, .format = IMGSNIFF_FORMAT_PNG,
			  .width = 4, .height = 4, .frames = 300 },
		.frame = { .index = q->frame },
		.verdict = { .integrity = IMGSNIFF_INTACT },
	};
	if (q->op == ISN_OP_DECODE && w->pixels.data == NULL)
		r->too_small = 1;
	if (strcmp(evil, "status") == 0)
		r->status = 77;
	if (strcmp(evil, "crashed") == 0)
		r->status = r->error.status = IMGSNIFF_ERR_CRASHED;
	if (strcmp(evil, "format") == 0)
		r->info.format = 0xffffffff;
	if (strcmp(evil, "blank") == 0)
		r->info.known = 0;
	if (strcmp(evil, "end") == 0)
		r->status = r->error.status = IMGSNIFF_END;
	if (strcmp(evil, "more") == 0)
		r->status = r->error.status = IMGSNIFF_MORE;
	if (strcmp(evil, "later") == 0 && q->op != ISN_OP_OPEN)
		r->status = r->error.status = IMGSNIFF_END;
	if (strcmp(evil, "orient") == 0)
		r->info.orientation = 9;
	if (strcmp(evil, "color") == 0)
		r->info.color = 0x80000000;
	if (strcmp(evil, "serial") == 0)
		r->serial++;
	if (strcmp(evil, "verdict") == 0)
		r->verdict.integrity = 0x7fffffff;
	if (strcmp(evil, "agrees") == 0)
		r->verdict.status = IMGSNIFF_ERR_CORRUPT;
	if (strcmp(evil, "trailer") == 0)
		r->verdict.trailer = 99;
	if (strcmp(evil, "size") == 0)		/* 64 GiB, but "it fits" */
		r->width = r->height = 16000, r->too_small = 0;
	if (strcmp(evil, "rows") == 0 && q->op == ISN_OP_DECODE)
		r->rows_valid = 5, r->status = r->error.status =
			IMGSNIFF_ERR_CORRUPT;
	if (strcmp(evil, "wide") == 0)
		r->width = 0xffffffff, r->height = 0xffffffff;
	if (strcmp(evil, "again") == 0)
		r->too_small = 1;
	if (strcmp(evil, "frame") == 0 && q->op == ISN_OP_DECODE)
		r->frame.index = q->frame + 1;
	if (strcmp(evil, "count") == 0)
		r->count = 0xffffffff;
	if (strcmp(evil, "errno") == 0) {
		r->status = r->error.status = IMGSNIFF_ERR_IO;
		r->error.system_errno = -1;
	}
	if (strcmp(evil, "text") == 0) {
		r->status = r->error.status = IMGSNIFF_ERR_CORRUPT;
		memset(r->error.message, 0x1b, sizeof(r->error.message));
		r->info.known = 0;
	}
}

/* The real answer, unless the input is one of ours. */
static void
answer(struct isn_worker *w, const struct isn_request *q, const int *fds,
       struct isn_reply *reply)
{
	isn_worker_answer(w, q, fds, reply);
	if (q->op == ISN_OP_OPEN) {
		evil[0] = '\0';
		if (w->input.data != NULL && q->size > 4 && w->file < 0 &&
		    memcmp(w->input.data, "EVIL", 4) == 0)
			snprintf(evil, sizeof(evil), "%.*s", (int)q->size - 4,
				 (const char *)w->input.data + 4);
		if (evil[0] != '\0')
			evil_open(w, reply);
	}
	if (evil[0] != '\0' && q->op != ISN_OP_CLOSE)
		evil_lie(w, q, reply);
}

/* ---- Helpers -------------------------------------------------------------- */

static struct imgsniff_isolate *pool;
static struct imgsniff_isolated *image;

static struct imgsniff_isolate *
pool_with(uint32_t workers, uint32_t timeout, uint32_t images)
{
	const struct imgsniff_isolate_options o = {
		.struct_size = sizeof(o),
		.workers = workers, .timeout = timeout, .images = images,
		.memory = UINT64_C(512) << 20,
	};

	return isn_pool_new(&o, answer);
}

static int
set_up(void **state)
{
	(void)state;
	pool = pool_with(2, 0, 0);
	image = NULL;
	return pool == NULL;
}

static int
set_up_hasty(void **state)
{
	(void)state;
	pool = pool_with(1, 200, 0);
	image = NULL;
	return pool == NULL;
}

static int
tear_down(void **state)
{
	(void)state;
	imgsniff_isolate_close(image);
	imgsniff_isolate_free(pool);
	image = NULL;
	pool = NULL;
	return 0;
}

static enum imgsniff_status
open_evil(const char *what)
{
	char bytes[32];
	int size = snprintf(bytes, sizeof(bytes), "EVIL%s", what);

	imgsniff_isolate_close(image);
	return imgsniff_isolate_open_memory(pool, bytes, (size_t)size, 0, &image);
}

static enum imgsniff_status
open_path(const char *path)
{
	imgsniff_isolate_close(image);
	return imgsniff_isolate_open_file(pool, path, 0, &image);
}

static void
last_message_is(const char *message)
{
	assert_string_equal(imgsniff_isolate_last_error(image)->message,
			    message);
}

/* The worker of the last image is lost, and the next image does not mind. */
static void
next_image_is_well(void)
{
	struct imgsniff_pixmap view = { .struct_size = sizeof(view) };

	assert_int_equal(open_path(PNG), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_decode(image, 0, NULL, &view),
			 IMGSNIFF_OK);
	assert_int_equal(view.rows_valid, view.height);
	imgsniff_isolate_close(image);
	image = NULL;
}

static size_t
descriptors_count(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t count = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count;
}

/* Of every process called so: the sum of what is in memory, in pages. */
static long
pages_of(const char *path)
{
	FILE *f = fopen(path, "r");
	long size = 0, resident = 0;

	if (f != NULL) {
		if (fscanf(f, "%ld %ld", &size, &resident) != 2)
			resident = 0;
		fclose(f);
	}
	return resident;
}

/* ---- Well-behaved images -------------------------------------------------- */

static void
pixels_equal_those_decoded_in_process(const char *path, uint32_t fit,
				      unsigned int flags)
{
	struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .fit_width = fit, .fit_height = fit,
		.flags = flags,
	};
	struct imgsniff_pixmap view = { .struct_size = sizeof(view) };
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct imgsniff_image *plain = NULL;
	enum imgsniff_status st, expected, decoded;
	uint32_t frame = 0, width = 0, height = 0, w = 0, h = 0;

	assert_non_null(d);
	expected = imgsniff_open_file(d, path, 0);
	st = open_path(path);
	assert_int_equal(st, expected);
	if (st != IMGSNIFF_OK)
		last_message_is(imgsniff_last_error(d)->message);
	if (imgsniff_get_info(d) == NULL)
		assert_null(imgsniff_isolate_get_info(image));
	else
		assert_memory_equal(imgsniff_isolate_get_info(image),
				    imgsniff_get_info(d),
				    sizeof(struct imgsniff_info));
	for (;; frame++) {
		expected = imgsniff_output_size(d, &o, &width, &height);
		st = imgsniff_isolate_output_size(image, &o, &w, &h);
		assert_int_equal(st, expected);
		assert_int_equal(w, width);
		assert_int_equal(h, height);
		decoded = imgsniff_decode(d, &o, &plain);
		st = imgsniff_isolate_decode(image, frame, &o, &view);
		assert_int_equal(st, decoded);
		assert_int_equal(view.pixels != NULL, plain != NULL);
		if (plain != NULL) {
			assert_int_equal(view.width, plain->map.width);
			assert_int_equal(view.height, plain->map.height);
			assert_int_equal(view.rows_valid, plain->map.rows_valid);
			assert_memory_equal(view.pixels, plain->map.pixels,
					    plain->map.size);
		}
		imgsniff_image_free(plain);
		plain = NULL;
		if (decoded != IMGSNIFF_OK || imgsniff_next_frame(d) < 0 ||
		    imgsniff_last_error(d)->status == IMGSNIFF_END)
			break;
	}
	imgsniff_free(d);
}

static void
every_test_image_decodes_as_in_process(void **state)
{
	static const char *const folders[] = { "png", "gif", "jpeg", "webp",
					       "other", "bad" };

	(void)state;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char path[512];
		DIR *dir;
		struct dirent *e;

		snprintf(path, sizeof(path), "test-images/%s", folders[i]);
		dir = opendir(path);
		assert_non_null(dir);
		while ((e = readdir(dir)) != NULL) {
			if (e->d_name[0] == '.')
				continue;
			snprintf(path, sizeof(path), "test-images/%s/%s",
				 folders[i], e->d_name);
			pixels_equal_those_decoded_in_process(path, 0,
				IMGSNIFF_KEEP_DAMAGED);
			pixels_equal_those_decoded_in_process(path, 7,
				IMGSNIFF_ORIENT | IMGSNIFF_SRGB);
		}
		closedir(dir);
	}
}

static void
a_verdict_and_its_faults_arrive(void **state)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };
	struct imgsniff_verdict expected = { .struct_size = sizeof(v) };
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	const struct imgsniff_error *fault;
	size_t i = 0;

	(void)state;
	assert_non_null(d);
	assert_int_equal(imgsniff_open_file(d,
		"test-images/bad/cut-in-frame-3.gif", 0),
		IMGSNIFF_ERR_TRUNCATED);
	assert_int_equal(open_path("test-images/bad/cut-in-frame-3.gif"),
			 IMGSNIFF_ERR_TRUNCATED);

	assert_int_equal(imgsniff_check(d, &expected), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_check(image, &v), IMGSNIFF_OK);

	assert_int_equal(v.integrity, IMGSNIFF_TRUNCATED);
	assert_int_equal(v.status, expected.status);
	assert_int_equal(v.frames_valid, expected.frames_valid);
	assert_int_equal(v.rows_valid, expected.rows_valid);
	assert_int_equal(v.offset, expected.offset);
	assert_int_equal(v.trailer, expected.trailer);
	assert_int_equal(v.trailing_bytes, expected.trailing_bytes);
	assert_int_equal(v.end_offset, expected.end_offset);
	assert_string_equal(v.message, expected.message);
	while ((fault = imgsniff_isolate_get_fault(image, i)) != NULL) {
		assert_string_equal(fault->message,
				    imgsniff_get_fault(d, i)->message);
		i++;
	}
	assert_true(i > 0);
	assert_null(imgsniff_get_fault(d, i));
	imgsniff_free(d);
}

static void
an_intact_image_has_no_message(void **state)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };

	(void)state;
	assert_int_equal(open_path(PNG), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_check(image, &v), IMGSNIFF_OK);

	assert_int_equal(v.integrity, IMGSNIFF_INTACT);
	assert_null(v.message);
	assert_null(imgsniff_isolate_get_fault(image, 0));
}

/* Not from the thread that began the program: its heap is another. */
static int
pool_use(void *user)
{
	struct imgsniff_isolate **own = user;

	free(malloc(100));
	*own = pool_with(1, 0, 0);
	return 0;
}

static void
a_pool_may_be_made_by_any_thread(void **state)
{
	thrd_t thread;

	(void)state;
	imgsniff_isolate_free(pool);
	pool = NULL;
	assert_int_equal(thrd_create(&thread, pool_use, &pool), thrd_success);
	thrd_join(thread, NULL);
	assert_non_null(pool);
	assert_int_equal(open_path("test-images/jpeg/icc.jpg"), IMGSNIFF_OK);
	next_image_is_well();
	assert_int_equal(open_evil("segv"), IMGSNIFF_ERR_CRASHED);
	next_image_is_well();
	pixels_equal_those_decoded_in_process("test-images/jpeg/icc.jpg", 9,
					      IMGSNIFF_SRGB);
	pixels_equal_those_decoded_in_process("test-images/webp/animated-mixed.webp",
					      0, 0);
}

static void
durations_of_all_frames_arrive(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	const uint64_t *durations;
	size_t count;

	(void)state;
	assert_non_null(d);
	assert_int_equal(imgsniff_open_file(d, ANIMATED, 0), IMGSNIFF_OK);
	assert_int_equal(open_path(ANIMATED), IMGSNIFF_OK);

	assert_int_equal(imgsniff_isolate_get_durations(image, &durations,
							&count), IMGSNIFF_OK);

	assert_int_equal(count, imgsniff_get_info(d)->frames);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(durations[i],
				 imgsniff_get_frame(d)->duration_us);
		(void)!imgsniff_next_frame(d);
	}
	imgsniff_free(d);
}

static void
frames_can_be_had_in_any_order(void **state)
{
	struct imgsniff_pixmap view = { .struct_size = sizeof(view) };
	struct imgsniff_pixmap dst = { .struct_size = sizeof(dst) };
	uint8_t *first;

	(void)state;
	assert_int_equal(open_path(ANIMATED), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_decode(image, 0, NULL, &view),
			 IMGSNIFF_OK);
	first = malloc(view.size);
	assert_non_null(first);
	memcpy(first, view.pixels, view.size);
	dst = view;
	dst.pixels = malloc(view.size);
	assert_non_null(dst.pixels);

	assert_int_equal(imgsniff_isolate_decode(image, 2, NULL, &view),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_get_frame(image)->index, 2);
	assert_memory_not_equal(view.pixels, first, view.size);
	assert_int_equal(imgsniff_isolate_decode_into(image, 0, NULL, &dst),
			 IMGSNIFF_OK);
	assert_memory_equal(dst.pixels, first, view.size);
	assert_int_equal(imgsniff_isolate_decode(image, 99, NULL, &view),
			 IMGSNIFF_END);
	free(first);
	free(dst.pixels);
}

static void
a_padded_pixmap_keeps_its_padding(void **state)
{
	uint32_t w, h;
	struct imgsniff_pixmap dst = { .struct_size = sizeof(dst),
				       .layout = IMGSNIFF_RGB8 };
	uint8_t *pixels;

	(void)state;
	assert_int_equal(open_path(PNG), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_output_size(image, NULL, &w, &h),
			 IMGSNIFF_OK);
	dst.width = w;
	dst.height = h;
	dst.stride = 3 * w + 5;
	dst.size = dst.stride * h;
	dst.pixels = pixels = malloc(dst.size);
	assert_non_null(pixels);
	memset(pixels, 0xaa, dst.size);

	assert_int_equal(imgsniff_isolate_decode_into(image, 0, NULL, &dst),
			 IMGSNIFF_OK);

	assert_int_equal(dst.rows_valid, h);
	for (uint32_t y = 0; y < h; y++)
		for (uint32_t x = 3 * w; x < dst.stride; x++)
			assert_int_equal(pixels[y * dst.stride + x], 0xaa);
	dst.width++;
	assert_int_equal(imgsniff_isolate_decode_into(image, 0, NULL, &dst),
			 IMGSNIFF_ERR_BUFFER);
	dst.width--;
	dst.size = 3 * w;
	assert_int_equal(imgsniff_isolate_decode_into(image, 0, NULL, &dst),
			 IMGSNIFF_ERR_BUFFER);
	free(pixels);
}

static struct imgsniff_view
file_load(const char *path)
{
	static uint8_t bytes[65536];
	FILE *f = fopen(path, "rb");
	size_t size;

	assert_non_null(f);
	size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	return (struct imgsniff_view){ bytes, size };
}

static void
memory_pipes_and_writable_files_are_copied(void **state)
{
	struct imgsniff_view v = file_load(PNG);
	char path[] = "/tmp/isolate-XXXXXX";
	int ends[2], fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(imgsniff_isolate_open_memory(pool, v.data, v.size, 0,
						      &image), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_get_info(image)->width, 32);
	imgsniff_isolate_close(image);

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], v.data, v.size), v.size);
	close(ends[1]);
	assert_int_equal(imgsniff_isolate_open_fd(pool, ends[0], 0, &image),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_get_info(image)->width, 32);
	imgsniff_isolate_close(image);
	close(ends[0]);

	assert_int_equal(write(fd, v.data, v.size), v.size);
	assert_int_equal(imgsniff_isolate_open_fd(pool, fd, 0, &image),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_get_info(image)->width, 32);
	close(fd);
}

static void
what_cannot_be_read_is_told(void **state)
{
	(void)state;
	assert_int_equal(open_path("test-images/no-such-file"), IMGSNIFF_ERR_IO);
	assert_int_equal(imgsniff_isolate_last_error(image)->system_errno,
			 ENOENT);
	assert_int_equal(open_path("test-images"), IMGSNIFF_ERR_IO);
	assert_int_equal(imgsniff_isolate_last_error(image)->system_errno,
			 EISDIR);
	assert_int_equal(imgsniff_isolate_open_fd(pool, -1, 0, NULL),
			 IMGSNIFF_ERR_USAGE);
}

/* It was taken for the answer of a worker that lies. */
static void
a_bit_depth_that_there_is_not_is_told_as_it_is(void **state)
{
	static const uint8_t png[] = {
		0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A,
		0, 0, 0, 13, 'I', 'H', 'D', 'R',
		0, 0, 0, 32, 0, 0, 0, 32,	/* width, height */
		99, 0, 0, 0, 0,			/* bit depth, ... */
		0, 0, 0, 0,			/* CRC */
	};

	(void)state;
	imgsniff_isolate_close(image);
	assert_int_equal(imgsniff_isolate_open_memory(pool, png, sizeof(png), 0,
						      &image),
			 IMGSNIFF_ERR_CORRUPT);
	assert_int_equal(imgsniff_isolate_get_info(image)->bit_depth, 99);
}

static void
limits_hold_in_workers(void **state)
{
	const struct imgsniff_options limited = {
		.struct_size = sizeof(limited), .limits.max_pixels = 100,
	};
	const struct imgsniff_isolate_options o = {
		.struct_size = sizeof(o), .decoder = &limited,
	};
	struct imgsniff_pixmap view = { .struct_size = sizeof(view) };

	(void)state;
	imgsniff_isolate_free(pool);
	pool = imgsniff_isolate_new(&o);
	assert_non_null(pool);
	assert_int_equal(open_path(PNG), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_decode(image, 0, NULL, &view),
			 IMGSNIFF_ERR_LIMIT);
	last_message_is("size: more pixels than max-pixels allows");
}

static void
bad_options_are_refused(void **state)
{
	const struct imgsniff_options no_backend = {
		.struct_size = sizeof(no_backend), .backend = "no such",
	};
	const struct imgsniff_isolate_options bad[] = {
		{ .struct_size = 4 },
		{ .struct_size = sizeof(bad[0]), .workers = 1025 },
		{ .struct_size = sizeof(bad[0]),
		  .strictness = (enum imgsniff_strictness)7 },
		{ .struct_size = sizeof(bad[0]), .decoder = &no_backend },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		errno = 0;
		assert_null(imgsniff_isolate_new(&bad[i]));
		assert_int_equal(errno, EINVAL);
	}
}

/* ---- Images that take their worker over ----------------------------------- */

static void
a_dead_worker_costs_one_image(void **state)
{
	static const char *const deaths[][2] = {
		{ "segv", "crashed: SIGSEGV" },
		{ "abort", "crashed: SIGABRT" },
		{ "exit", "crashed: exit" },
		{ "close", "crashed: SIGKILL" },
	};
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };

	(void)state;
	for (size_t i = 0; i < sizeof(deaths) / sizeof(deaths[0]); i++) {
		assert_int_equal(open_evil(deaths[i][0]), IMGSNIFF_ERR_CRASHED);
		last_message_is(deaths[i][1]);
		assert_int_equal(imgsniff_isolate_check(image, &v), IMGSNIFF_OK);
		assert_int_equal(v.integrity, IMGSNIFF_CRASHED);
		assert_int_equal(v.status, IMGSNIFF_ERR_CRASHED);
		assert_string_equal(v.message, deaths[i][1]);
		next_image_is_well();
	}
}

static void
a_refused_call_ends_the_worker(void **state)
{
	static const char *const calls[] = {
		"file", "socket", "fork", "kill", "ptrace", "code",
	};

	(void)state;
	if (!(imgsniff_isolate_barriers(pool) & IMGSNIFF_BARRIER_CALLS))
		skip();
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		/* AddressSanitizer itself needs these. */
		if (SANITIZED && (strcmp(calls[i], "file") == 0 ||
				  strcmp(calls[i], "ptrace") == 0))
			continue;
		assert_int_equal(open_evil(calls[i]), IMGSNIFF_ERR_CRASHED);
		last_message_is("crashed: SIGSYS");
		next_image_is_well();
	}
}

static void
a_worker_that_hangs_is_ended_in_time(void **state)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };

	(void)state;
	assert_int_equal(open_evil("hang"), IMGSNIFF_ERR_TIMEOUT);
	last_message_is("timeout");
	assert_int_equal(imgsniff_isolate_check(image, &v), IMGSNIFF_OK);
	assert_int_equal(v.integrity, IMGSNIFF_TIMEOUT);
	next_image_is_well();
	assert_int_equal(open_evil("sleep"), IMGSNIFF_ERR_TIMEOUT);
	next_image_is_well();
}

static void
a_worker_that_eats_memory_gets_no_more(void **state)
{
	(void)state;
	if (!(imgsniff_isolate_barriers(pool) & IMGSNIFF_BARRIER_MEMORY))
		skip();
	assert_int_equal(open_evil("eat"), IMGSNIFF_ERR_CRASHED);
	last_message_is("crashed: SIGABRT");
	next_image_is_well();
}

static void
packets_of_a_wrong_size_are_not_believed(void **state)
{
	(void)state;
	assert_int_equal(open_evil("short"), IMGSNIFF_ERR_CRASHED);
	last_message_is("crashed: impossible answer");
	next_image_is_well();
	assert_int_equal(open_evil("long"), IMGSNIFF_ERR_CRASHED);
	last_message_is("crashed: impossible answer");
	next_image_is_well();
}

static void
descriptors_from_a_worker_are_not_taken(void **state)
{
	size_t before;

	(void)state;
	(void)!open_evil("short");	/* with what is kept from then on */
	imgsniff_isolate_close(image);
	image = NULL;
	before = descriptors_count();
	assert_int_equal(open_evil("gift"), IMGSNIFF_ERR_CRASHED);
	imgsniff_isolate_close(image);
	image = NULL;
	assert_int_equal(descriptors_count(), before);
	next_image_is_well();
}

static void
an_impossible_answer_to_open_is_not_believed(void **state)
{
	static const char *const lies[] = {
		"status", "crashed", "format", "orient", "color", "errno",
		"serial", "blank", "end", "more",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		assert_int_equal(open_evil(lies[i]), IMGSNIFF_ERR_CRASHED);
		last_message_is("crashed: impossible answer");
		next_image_is_well();
	}
}

/* Who asked for it is told so; see the lie "more" for who did not. */
static void
a_partial_image_asks_for_more(void **state)
{
	static const char head[] = "\x89PNG\r\n\x1A\n\0\0\0\x0D";

	(void)state;
	assert_int_equal(imgsniff_isolate_open_memory(pool, head, 12,
						      IMGSNIFF_PARTIAL, &image),
			 IMGSNIFF_MORE);
	assert_true(imgsniff_isolate_last_error(image)->needed > 12);
	next_image_is_well();
}

/* It would hand out pixels of the image before. */
static void
a_frame_past_the_last_has_no_pixels(void **state)
{
	struct imgsniff_pixmap view = { .struct_size = sizeof(view) };

	(void)state;
	assert_int_equal(open_evil("later"), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_decode(image, 0, NULL, &view),
			 IMGSNIFF_END);
	assert_null(view.pixels);
	next_image_is_well();
}

static void
an_impossible_verdict_is_not_believed(void **state)
{
	static const char *const lies[] = {
		"verdict", "agrees", "trailer", "later",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct imgsniff_verdict v = { .struct_size = sizeof(v) };

		assert_int_equal(open_evil(lies[i]), IMGSNIFF_OK);
		assert_int_equal(imgsniff_isolate_check(image, &v), IMGSNIFF_OK);
		assert_int_equal(v.integrity, IMGSNIFF_CRASHED);
		next_image_is_well();
	}
}

static void
a_lie_about_sizes_is_not_believed(void **state)
{
	static const char *const lies[] = {
		"size", "rows", "wide", "again", "frame",
	};
	uint8_t pixels[4 * 4 * 4 + 1] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct imgsniff_pixmap view = { .struct_size = sizeof(view) };
		struct imgsniff_pixmap dst = {
			.struct_size = sizeof(dst), .pixels = pixels,
			.size = sizeof(pixels) - 1, .stride = 16,
			.width = 4, .height = 4, .layout = IMGSNIFF_RGBA8,
		};

		assert_int_equal(open_evil(lies[i]), IMGSNIFF_OK);
		assert_int_equal(imgsniff_isolate_decode(image, 0, NULL, &view),
				 IMGSNIFF_ERR_CRASHED);
		assert_null(view.pixels);
		next_image_is_well();
		pixels[sizeof(pixels) - 1] = 0x5a;
		assert_int_equal(open_evil(lies[i]), IMGSNIFF_OK);
		assert_int_equal(imgsniff_isolate_decode_into(image, 0, NULL,
							      &dst),
				 IMGSNIFF_ERR_CRASHED);
		assert_int_equal(pixels[sizeof(pixels) - 1], 0x5a);
		next_image_is_well();
	}
}

static void
another_size_than_the_callers_is_not_copied(void **state)
{
	uint8_t pixels[2 * 2 * 4 + 1] = { [16] = 0x5a };
	struct imgsniff_pixmap dst = {
		.struct_size = sizeof(dst), .pixels = pixels, .size = 16,
		.stride = 8, .width = 2, .height = 2, .layout = IMGSNIFF_RGBA8,
	};

	(void)state;
	assert_int_equal(open_evil("trailer"), IMGSNIFF_OK);

	assert_int_equal(imgsniff_isolate_decode_into(image, 0, NULL, &dst),
			 IMGSNIFF_ERR_CRASHED);

	assert_int_equal(pixels[16], 0x5a);
}

static void
a_lie_about_durations_is_not_believed(void **state)
{
	const uint64_t *durations;
	size_t count;

	(void)state;
	assert_int_equal(open_evil("count"), IMGSNIFF_OK);
	assert_int_equal(imgsniff_isolate_get_durations(image, &durations,
							&count),
			 IMGSNIFF_ERR_CRASHED);
	next_image_is_well();
}

static void
a_message_cannot_speak_to_a_terminal(void **state)
{
	const char *message;

	(void)state;
	assert_int_equal(open_evil("text"), IMGSNIFF_ERR_CORRUPT);
	message = imgsniff_isolate_last_error(image)->message;
	assert_int_equal(strlen(message), ISN_WIRE_TEXT - 1);
	assert_int_equal(strspn(message, "?"), ISN_WIRE_TEXT - 1);
}

/* A worker that says "done" without having painted anything. */
static void
pixels_of_one_image_are_not_seen_by_the_next(void **state)
{
	struct imgsniff_pixmap view = { .struct_size = sizeof(view) };
	const uint8_t *p;

	(void)state;
	imgsniff_isolate_free(pool);
	pool = pool_with(1, 0, 0);
	assert_non_null(pool);
	next_image_is_well();
	assert_int_equal(open_evil("trailer"), IMGSNIFF_OK);

	assert_int_equal(imgsniff_isolate_decode(image, 0, NULL, &view),
			 IMGSNIFF_OK);

	p = view.pixels;
	for (size_t i = 0; i < view.size; i++)
		assert_int_equal(p[i], 0);
}

/* ---- In the long run ------------------------------------------------------ */

#define JOBS	(SANITIZED ? 1000 : 10000)

static void
ten_thousand_images_leak_nothing(void **state)
{
	size_t descriptors = 0;
	long pages = 0;

	(void)state;
	for (int i = 0; i < JOBS; i++) {
		struct imgsniff_pixmap view = { .struct_size = sizeof(view) };

		if (i == JOBS / 10) {
			descriptors = descriptors_count();
			pages = pages_of("/proc/self/statm");
		}
		if (i % 50 == 7) {
			assert_int_equal(open_evil("segv"),
					 IMGSNIFF_ERR_CRASHED);
			continue;
		}
		assert_int_equal(open_path(i % 2 ? PNG : ANIMATED), IMGSNIFF_OK);
		assert_int_equal(imgsniff_isolate_decode(image, 0, NULL, &view),
				 IMGSNIFF_OK);
	}
	imgsniff_isolate_close(image);
	image = NULL;
	assert_int_equal(descriptors_count(), descriptors);
	if (!SANITIZED)		/* it keeps for a while what was freed */
		assert_true(pages_of("/proc/self/statm") <= pages + 64);
}

static int
thread_run(void *user)
{
	int *bad = user;

	for (int i = 0; i < 200; i++) {
		struct imgsniff_isolated *own = NULL;
		struct imgsniff_pixmap view = { .struct_size = sizeof(view) };
		enum imgsniff_status st;

		if (i % 20 == 3) {
			st = imgsniff_isolate_open_memory(pool, "EVILsegv", 8, 0,
							  &own);
			*bad += st != IMGSNIFF_ERR_CRASHED;
		} else {
			st = imgsniff_isolate_open_file(pool, PNG, 0, &own);
			*bad += st != IMGSNIFF_OK;
			st = imgsniff_isolate_decode(own, 0, NULL, &view);
			*bad += st != IMGSNIFF_OK || view.width != 32;
		}
		imgsniff_isolate_close(own);
	}
	return 0;
}

/* More threads than workers: some wait. */
static void
threads_share_the_workers(void **state)
{
	int bad[3] = { 0 };
	thrd_t threads[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(thrd_create(&threads[i], thread_run, &bad[i]),
				 thrd_success);
	for (int i = 0; i < 3; i++) {
		thrd_join(threads[i], NULL);
		assert_int_equal(bad[i], 0);
	}
}

static void
a_worker_gives_way_after_its_images(void **state)
{
	(void)state;
	imgsniff_isolate_free(pool);
	pool = pool_with(1, 0, 1);
	assert_non_null(pool);
	for (int i = 0; i < 5; i++) {
		next_image_is_well();
		assert_int_equal(pool->slots[0].socket, -1);
	}
}

static void
without_a_nursery_the_caller_is_told(void **state)
{
	(void)state;
	kill(pool->nursery.pid, SIGKILL);
	assert_int_equal(waitpid(pool->nursery.pid, NULL, 0), pool->nursery.pid);

	(void)!open_path(PNG);	/* its worker dies too, sooner or later */
	(void)!open_evil("segv");
	imgsniff_isolate_close(image);
	image = NULL;
	(void)!open_evil("segv");
	imgsniff_isolate_close(image);

	assert_int_equal(imgsniff_isolate_open_file(pool, PNG, 0, &image),
			 IMGSNIFF_ERR_IO);
	assert_null(image);
}

static void
all_ends_with_the_host(void **state)
{
	int ends[2], status;
	char byte;
	pid_t host;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	host = fork();
	if (host == 0) {
		struct imgsniff_isolate *own = pool_with(1, 0, 0);
		pid_t nursery = own ? own->nursery.pid : 0;

		(void)!write(ends[1], &nursery, sizeof(nursery));
		kill(getpid(), SIGKILL);
	}
	close(ends[1]);
	pid_t nursery = 0;
	assert_int_equal(read(ends[0], &nursery, sizeof(nursery)),
			 sizeof(nursery));
	assert_true(nursery > 0);
	assert_int_equal(waitpid(host, &status, 0), host);
	/* Its descriptors are closed: only the host's end was ever open. */
	assert_int_equal(read(ends[0], &byte, 1), 0);
	for (int i = 0; i < 200; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/%d/statm", (int)nursery);
		if (pages_of(path) == 0)
			break;
		usleep(10000);
		assert_true(i < 199);
	}
	close(ends[0]);
}

static void
strict_means_all_barriers(void **state)
{
	const struct imgsniff_isolate_options o = {
		.struct_size = sizeof(o), .strictness = IMGSNIFF_ISOLATE_STRICT,
	};
	const unsigned int needed = IMGSNIFF_BARRIER_FILES |
				    IMGSNIFF_BARRIER_CALLS;
	unsigned int there = imgsniff_isolate_barriers(NULL);

	(void)state;
	assert_int_equal(imgsniff_isolate_barriers(pool), there);
	imgsniff_isolate_free(pool);
	pool = imgsniff_isolate_new(&o);
	if ((there & needed) == needed) {
		assert_non_null(pool);
		next_image_is_well();
	} else {
		assert_null(pool);
		assert_int_equal(errno, ENOTSUP);
	}
}

#define TEST(f)		cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_test_image_decodes_as_in_process),
		TEST(a_verdict_and_its_faults_arrive),
		TEST(an_intact_image_has_no_message),
		TEST(a_pool_may_be_made_by_any_thread),
		TEST(durations_of_all_frames_arrive),
		TEST(frames_can_be_had_in_any_order),
		TEST(a_padded_pixmap_keeps_its_padding),
		TEST(memory_pipes_and_writable_files_are_copied),
		TEST(what_cannot_be_read_is_told),
		TEST(a_bit_depth_that_there_is_not_is_told_as_it_is),
		TEST(limits_hold_in_workers),
		cmocka_unit_test(bad_options_are_refused),
		TEST(a_dead_worker_costs_one_image),
		TEST(a_refused_call_ends_the_worker),
		cmocka_unit_test_setup_teardown(
			a_worker_that_hangs_is_ended_in_time, set_up_hasty,
			tear_down),
		TEST(a_worker_that_eats_memory_gets_no_more),
		TEST(packets_of_a_wrong_size_are_not_believed),
		TEST(descriptors_from_a_worker_are_not_taken),
		TEST(an_impossible_answer_to_open_is_not_believed),
		TEST(a_partial_image_asks_for_more),
		TEST(a_frame_past_the_last_has_no_pixels),
		TEST(an_impossible_verdict_is_not_believed),
		TEST(a_lie_about_sizes_is_not_believed),
		TEST(another_size_than_the_callers_is_not_copied),
		TEST(a_lie_about_durations_is_not_believed),
		TEST(a_message_cannot_speak_to_a_terminal),
		TEST(pixels_of_one_image_are_not_seen_by_the_next),
		TEST(ten_thousand_images_leak_nothing),
		TEST(threads_share_the_workers),
		TEST(a_worker_gives_way_after_its_images),
		TEST(without_a_nursery_the_caller_is_told),
		TEST(all_ends_with_the_host),
		TEST(strict_means_all_barriers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
