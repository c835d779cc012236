/*
 * failure.c - the n-th allocation or read fails, for every n and every image
 *
 * A session does with an image all that can be done, in steps. Where something
 * failed each step gives what it gives otherwise, or says what was missing; and
 * the next session of the same decoder is as if nothing had happened.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "property/images.h"

/* ---- What fails ------------------------------------------------------------------ */

enum fallible {
	ALLOCATIONS,			/* the decoder's */
	MALLOCS,			/* and those of foreign libraries */
	READS,
};

/* 'left' of them until one fails, and those after it succeed. */
static struct fuse {
	enum fallible what;
	size_t left;
	bool set, failed;
} fuse;

static void
fuse_set(enum fallible what, size_t left)
{
	fuse = (struct fuse){ what, left, true, false };
}

static bool
fuse_blows(enum fallible what)
{
	if (!fuse.set || fuse.what != what || fuse.left-- > 0)
		return false;
	fuse.set = false;
	fuse.failed = true;
	return true;
}

static size_t held;

static void *
failing_allocate(void *user, size_t size)
{
	void *p = fuse_blows(ALLOCATIONS) ? NULL : malloc(size);

	(void)user;
	held += p ? size : 0;
	return p;
}

static void
failing_release(void *user, void *ptr, size_t size)
{
	(void)user;
	held -= ptr ? size : 0;
	free(ptr);
}

static const struct imgsniff_allocator failing_allocator = {
	failing_allocate, failing_release, NULL,
};

/*
 * malloc() and its like of all libraries, where no sanitizer has its own. Memory
 * that they lose shows under valgrind.
 */
#ifdef __has_feature
#define SANITIZED	(__has_feature(address_sanitizer) ||		\
			 __has_feature(memory_sanitizer) ||		\
			 __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED	1
#else
#define SANITIZED	0
#endif

#if defined(__GLIBC__) && !SANITIZED
#define MALLOC_FAILS	1

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *ptr, size_t size);

void *
malloc(size_t size)
{
	return fuse_blows(MALLOCS) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fuse_blows(MALLOCS) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *ptr, size_t size)
{
	return fuse_blows(MALLOCS) ? NULL : __libc_realloc(ptr, size);
}
#else
#define MALLOC_FAILS	0
#endif

/* What pread() and read() of this program do, the library's among them. */
static struct {
	size_t most;			/* bytes at once; 0: as asked */
	bool interrupted;		/* every other call */
} reads;

static ssize_t
read_how(long number, int fd, void *to, size_t size, off_t offset)
{
	static unsigned int calls;

	if (reads.interrupted && calls++ % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	if (fuse_blows(READS)) {
		errno = EIO;
		return -1;
	}
	if (reads.most != 0 && size > reads.most)
		size = reads.most;
	return syscall(number, fd, to, size, offset);
}

/* In place of those of the C library. */
ssize_t
pread(int fd, void *to, size_t size, off_t offset)
{
	return read_how(SYS_pread64, fd, to, size, offset);
}

ssize_t
read(int fd, void *to, size_t size)
{
	return read_how(SYS_read, fd, to, size, 0);
}

/* A source that gives no more than was asked for. */
static int
failing_peek(void *user, uint64_t offset, size_t size,
	     struct imgsniff_view *view)
{
	const struct image_file *image = user;
	size_t at = offset < image->size ? (size_t)offset : image->size;

	if (fuse_blows(READS))
		return EIO;
	view->data = image->data + at;
	view->size = image->size - at < size ? image->size - at : size;
	return 0;
}

/* ---- Sessions ---------------------------------------------------------------------- */

enum input {
	MEMORY, SOURCE, DESCRIPTOR, STREAM,
};

static const char *const input_names[] = {
	[MEMORY] = "memory", [SOURCE] = "source",
	[DESCRIPTOR] = "descriptor", [STREAM] = "stream",
};

static const struct imgsniff_decode_options ways[] = {
	{ .struct_size = sizeof(ways[0]), .layout = IMGSNIFF_RGB8 },
	{ .struct_size = sizeof(ways[0]),
	  .flags = IMGSNIFF_ORIENT | IMGSNIFF_SRGB | IMGSNIFF_KEEP_DAMAGED,
	  .fit_width = 7 },
};

#define WAYS		(sizeof(ways) / sizeof(ways[0]))
#define FRAMES		3
#define FRAME_STEPS	(WAYS + 1)

enum step_name {
	OPEN, ICC, EXIF, XMP, CHECK, FRAME, REWIND = FRAME + FRAMES * FRAME_STEPS,
	STEPS,
};

struct step {
	bool done;
	enum imgsniff_status status;
	uint64_t hash;			/* of all that it tells */
	struct imgsniff_image *image;
};

struct session {
	struct step steps[STEPS];
};

/* FNV-1a, 64 bits. */
static uint64_t
hash_of(const void *data, size_t size)
{
	const uint8_t *p = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static struct step *
step_end(struct session *s, size_t name, const struct imgsniff_decoder *d,
	 enum imgsniff_status st, uint64_t hash)
{
	const struct imgsniff_error *e = imgsniff_last_error(d);
	struct step *step = &s->steps[name];

	step->done = true;
	step->status = st;
	step->hash = hash;
	if (st != IMGSNIFF_OK)
		step->hash ^= hash_of(e->message, strlen(e->message)) +
			      e->offset;
	return step;
}

static uint64_t
info_hash(const struct imgsniff_decoder *d)
{
	const struct imgsniff_info *i = imgsniff_get_info(d);
	const uint64_t facts[] = {
		i->format, i->width, i->height, i->color, i->bit_depth,
		i->orientation, i->has_alpha, i->compression, i->progressive,
		i->frames, i->loop, i->has_loop, i->plays, i->duration_us,
		i->best, i->icc_bytes, i->exif_bytes, i->xmp_bytes,
	};

	return hash_of(facts, sizeof(facts));
}

static void
metadata_step(struct session *s, struct imgsniff_decoder *d, size_t name,
	      enum imgsniff_metadata which)
{
	struct imgsniff_view v;
	enum imgsniff_status st = imgsniff_get_metadata(d, which, &v);

	step_end(s, name, d, st, hash_of(v.data, v.size));
}

static void
check_step(struct session *s, struct imgsniff_decoder *d)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };
	enum imgsniff_status st = imgsniff_check(d, &v);
	const uint64_t facts[] = {
		v.integrity, (uint64_t)v.status, v.frames_valid, v.rows_valid,
		v.end_offset, v.trailing_bytes, v.trailer, v.offset,
	};

	step_end(s, CHECK, d, st, st == IMGSNIFF_OK
		 ? hash_of(facts, sizeof(facts)) : 0);
}

static bool
frame_steps(struct session *s, struct imgsniff_decoder *d, size_t name)
{
	enum imgsniff_status st;

	for (size_t way = 0; way < WAYS; way++) {
		struct imgsniff_image *image;
		struct step *step;

		st = imgsniff_decode(d, &ways[way], &image);
		step = step_end(s, name + way, d, st, image == NULL ? 0 :
				hash_of(image->map.pixels, image->map.size));
		step->image = image;
	}
	st = imgsniff_next_frame(d);
	step_end(s, name + WAYS, d, st,
		 hash_of(imgsniff_get_frame(d), sizeof(struct imgsniff_frame)));
	return st == IMGSNIFF_OK;
}

static enum imgsniff_status
input_open(struct imgsniff_decoder *d, struct image_file *image,
	   enum input input, int fd)
{
	const struct imgsniff_source source = { failing_peek, image };

	switch (input) {
	case MEMORY:
		return imgsniff_open_memory(d, image->data, image->size, 0);
	case SOURCE:
		return imgsniff_open_source(d, &source, 0);
	case DESCRIPTOR:
	case STREAM:
		break;
	}
	return imgsniff_open_fd(d, fd, 0);
}

/* A pipe that all of the image is in, or the file. */
static int
input_fd(const struct image_file *image, enum input input)
{
	int ends[2];

	if (input == DESCRIPTOR)
		return open(image->name, O_RDONLY | O_CLOEXEC);
	if (input != STREAM || pipe(ends) != 0)
		return -1;
	if (fcntl(ends[1], F_SETPIPE_SZ, (int)image->size + 4096) < 0 ||
	    write(ends[1], image->data, image->size) != (ssize_t)image->size)
		fail_msg("%s does not go into a pipe", image->name);
	close(ends[1]);
	return ends[0];
}

static void
session_run(struct session *s, struct imgsniff_decoder *d,
	    struct image_file *image, enum input input)
{
	static const enum imgsniff_metadata kinds[] = {
		[ICC] = IMGSNIFF_ICC, [EXIF] = IMGSNIFF_EXIF,
		[XMP] = IMGSNIFF_XMP,
	};
	int fd = input_fd(image, input);
	enum imgsniff_status st = input_open(d, image, input, fd);

	memset(s, 0, sizeof(*s));
	step_end(s, OPEN, d, st, imgsniff_get_info(d) ? info_hash(d) : 0);
	if (imgsniff_get_info(d) != NULL) {
		for (size_t i = ICC; i <= XMP; i++)
			metadata_step(s, d, i, kinds[i]);
		check_step(s, d);
		for (size_t i = 0; i < FRAMES; i++)
			if (!frame_steps(s, d, FRAME + i * FRAME_STEPS))
				break;
		step_end(s, REWIND, d, imgsniff_rewind(d), 0);
		imgsniff_close(d);
	}
	if (fd >= 0)
		close(fd);
}

static void
session_free(struct session *s)
{
	for (size_t i = 0; i < STEPS; i++)
		imgsniff_image_free(s->steps[i].image);
	memset(s, 0, sizeof(*s));
}

/* ---- Comparing ----------------------------------------------------------------------- */

static bool
steps_agree(const struct step *a, const struct step *b)
{
	return a->done == b->done && a->status == b->status &&
	       a->hash == b->hash;
}

/* Rows that are said to be valid are those of the image. */
static bool
rows_agree(const struct imgsniff_image *got, const struct imgsniff_image *want)
{
	size_t row;

	if (got == NULL)
		return true;
	row = imgsniff_row_size(got->map.layout, got->map.width);
	return want != NULL && want->map.width == got->map.width &&
	       want->map.rows_valid >= got->map.rows_valid &&
	       memcmp(got->map.pixels, want->map.pixels,
		      row * got->map.rows_valid) == 0;
}

/*
 * After the step that failed those before the end may be missing, and an image
 * that was not opened as far as it goes can say no more than that.
 */
static void
session_check(const struct image_file *image, enum input input, size_t n,
	      const struct session *got, const struct session *want,
	      enum imgsniff_status failure)
{
	bool opened = got->steps[OPEN].status != failure;

	for (size_t i = 0; i < STEPS; i++) {
		const struct step *g = &got->steps[i], *w = &want->steps[i];

		if (steps_agree(g, w) || (failure != IMGSNIFF_OK && !g->done))
			continue;
		if (failure != IMGSNIFF_OK && g->status == failure &&
		    rows_agree(g->image, w->image))
			continue;
		if (!opened && g->image == NULL)
			continue;
		fail_msg("%s from %s, failure %zu, step %zu: %s, not %s",
			 image->name, input_names[input], n, i,
			 imgsniff_status_name(g->status),
			 imgsniff_status_name(w->status));
	}
}

static struct imgsniff_decoder *
decoder_new(const char *backend)
{
	const struct imgsniff_options o = {
		.struct_size = sizeof(o), .allocator = &failing_allocator,
		.backend = backend,
	};

	return imgsniff_new(&o);
}

static const char *const backends[] = { NULL, "zlib", "stb" };

#define BACKENDS	(sizeof(backends) / sizeof(backends[0]))

/*
 * A session of a new decoder, in which allocation 'n' fails, and another one.
 * False if there are not so many.
 */
static bool
failing_allocation_run(struct image_file *image, const char *backend,
		       enum input input, enum fallible what, size_t n,
		       const struct session *want)
{
	size_t held_before = held;
	struct imgsniff_decoder *d = decoder_new(backend);
	struct session got;

	fuse_set(what, n);
	session_run(&got, d, image, input);
	fuse.set = false;
	if (fuse.failed) {
		session_check(image, input, n, &got, want, IMGSNIFF_ERR_MEMORY);
		session_free(&got);
		session_run(&got, d, image, input);
	}
	session_check(image, input, n, &got, want, IMGSNIFF_OK);
	session_free(&got);
	imgsniff_free(d);
	if (held != held_before)
		fail_msg("%s, failure %zu: memory was not given back",
			 image->name, n);
	return fuse.failed;
}

/* A colour profile is hundreds of allocations, the same ones in many images. */
#define MANY		60
#define MANY_STEP	4

static void
failing_allocations_run(const char *backend, enum input input,
			enum fallible what)
{
	size_t tried = 0;

	for (size_t i = 0; i < image_count; i++) {
		struct imgsniff_decoder *d = decoder_new(backend);
		struct session want;
		size_t n = 0;

		if (d == NULL)
			return;		/* that backend is not built in */
		session_run(&want, d, &images[i], input);
		imgsniff_free(d);
		for (; failing_allocation_run(&images[i], backend, input, what,
					      n, &want); tried++)
			n += n < MANY ? 1 : MANY_STEP + i % 3;
		session_free(&want);
	}
	print_message("%zu allocations of %s, %s\n", tried,
		      backend != NULL ? backend : "the best",
		      input_names[input]);
	assert_true(tried > image_count);
	assert_int_equal(held, 0);
}

static void
every_failed_allocation_is_told_and_leaks_nothing(void **state)
{
	(void)state;
	for (size_t b = 0; b < BACKENDS; b++)
		failing_allocations_run(backends[b], MEMORY, ALLOCATIONS);
	failing_allocations_run(NULL, DESCRIPTOR, ALLOCATIONS);
	failing_allocations_run(NULL, STREAM, ALLOCATIONS);
}

/* The first image of that name, with so many letters more before 'text' in it. */
static void
image_lengthen(struct image_file *to, const char *name, const char *text,
	       size_t more)
{
	const struct image_file *from = images;
	const uint8_t *found;
	size_t at;

	while (strcmp(from->name, name) != 0)
		from++;
	found = memmem(from->data, from->size, text, strlen(text));
	assert_non_null(found);
	at = (size_t)(found - from->data);
	*to = (struct image_file){ .size = from->size + more };
	snprintf(to->name, sizeof(to->name), "%s, longer", name);
	to->data = malloc(to->size);
	assert_non_null(to->data);
	memcpy(to->data, from->data, at);
	memset(to->data + at, 'a', more);
	memcpy(to->data + at + more, found, from->size - at);
}

/* What is small fits into what the parser's state has left of its block. */
static void
large_metadata_without_memory_are_told(void **state)
{
	struct image_file image;
	struct imgsniff_decoder *d = decoder_new(NULL);
	struct session want;
	size_t n = 0;

	(void)state;
	image_lengthen(&image, "test-images/gif/xmp.gif", "<x:xmpmeta", 20000);
	session_run(&want, d, &image, MEMORY);
	assert_int_equal(want.steps[XMP].status, IMGSNIFF_OK);
	assert_true(imgsniff_open_memory(d, image.data, image.size, 0) ==
		    IMGSNIFF_OK && imgsniff_get_info(d)->xmp_bytes > 20000);
	imgsniff_free(d);
	while (failing_allocation_run(&image, NULL, MEMORY, ALLOCATIONS, n,
				      &want))
		n++;
	assert_true(n > 3);
	session_free(&want);
	free(image.data);
	assert_int_equal(held, 0);
}

static void
every_failed_malloc_of_a_library_is_told(void **state)
{
	(void)state;
	if (!MALLOC_FAILS)
		skip();
	failing_allocations_run(NULL, MEMORY, MALLOCS);
}

static void
no_decoder_is_made_without_memory(void **state)
{
	(void)state;
	fuse_set(ALLOCATIONS, 0);
	errno = 0;

	assert_null(decoder_new(NULL));

	assert_int_equal(errno, ENOMEM);
	fuse.set = false;
}

/* The same decoder all along: a failed read costs no more than the image. */
static size_t
failing_reads_run(struct imgsniff_decoder *d, struct image_file *image,
		  enum input input)
{
	struct session want, got;
	size_t n = 0;

	session_run(&want, d, image, input);
	for (;; n++) {
		fuse_set(READS, n);
		session_run(&got, d, image, input);
		fuse.set = false;
		if (!fuse.failed)
			break;
		session_check(image, input, n, &got, &want, IMGSNIFF_ERR_IO);
		session_free(&got);
	}
	session_check(image, input, n, &got, &want, IMGSNIFF_OK);
	session_free(&got);
	session_free(&want);
	return n;
}

static void
every_failed_read_is_told(void **state)
{
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	assert_non_null(d);
	for (enum input input = SOURCE; input <= STREAM; input++) {
		size_t tried = 0;

		for (size_t i = 0; i < image_count; i++)
			tried += failing_reads_run(d, &images[i], input);
		print_message("%s: %zu reads\n", input_names[input], tried);
		assert_true(tried > image_count);
	}
	imgsniff_free(d);
	assert_int_equal(held, 0);
}

static void
short_and_interrupted_reads_change_nothing(void **state)
{
	struct imgsniff_decoder *d = decoder_new(NULL);

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < image_count; i++)
		for (enum input input = DESCRIPTOR; input <= STREAM; input++) {
			struct session want, got;

			session_run(&want, d, &images[i], input);
			reads.most = 1 + i % 7;
			reads.interrupted = true;
			session_run(&got, d, &images[i], input);
			reads.most = 0;
			reads.interrupted = false;
			session_check(&images[i], input, 0, &got, &want,
				      IMGSNIFF_OK);
			session_free(&got);
			session_free(&want);
		}
	imgsniff_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_decoder_is_made_without_memory),
		cmocka_unit_test(
			every_failed_allocation_is_told_and_leaks_nothing),
		cmocka_unit_test(large_metadata_without_memory_are_told),
		cmocka_unit_test(every_failed_malloc_of_a_library_is_told),
		cmocka_unit_test(every_failed_read_is_told),
		cmocka_unit_test(short_and_interrupted_reads_change_nothing),
	};
	int failed;

	images_read();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	images_free();
	return failed;
}
