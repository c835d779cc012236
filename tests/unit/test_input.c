/*
 * test_input.c - memory, files, streams and sources, lib/input.c
 */

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "codec.h"
#include "riff.h"

#define W	61
#define H	47

static char dir[] = "/tmp/test_input.XXXXXX";

/*
 * VP8X, 'junk' bytes of an unknown chunk, the picture, Exif: the facts are at
 * both ends.
 */
static struct riff
file_new(size_t junk)
{
	uint8_t *rgba = picture_new(W, H, 1, false);
	uint8_t *zeros = calloc(1, junk + 1);
	struct riff r = riff_begin();

	vp8x_add(&r, VP8X_EXIF, W, H);
	chunk_add(&r, "junk", zeros, junk);
	picture_add(&r, rgba, W, H, PICTURE_LOSSLESS);
	chunk_add(&r, "EXIF", exif_orientation_6, sizeof(exif_orientation_6));
	riff_end(&r);
	free(rgba);
	free(zeros);
	return r;
}

/* The path of a new file with these bytes; valid until the next call. */
static const char *
file_write(const void *data, size_t size)
{
	static char path[sizeof(dir) + 8];
	FILE *f;

	snprintf(path, sizeof(path), "%s/file", dir);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	return path;
}

static void
write_all(int fd, const uint8_t *data, size_t size, size_t step)
{
	while (size > 0) {
		ssize_t n = write(fd, data, step < size ? step : size);

		if (n <= 0)
			_exit(1);
		data += n;
		size -= (size_t)n;
	}
}

/* The reading end of a pipe that a child fills, 'step' bytes at a time. */
static int
pipe_from(const struct riff *r, size_t step, pid_t *child)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	*child = fork();
	assert_true(*child >= 0);
	if (*child == 0) {
		close(ends[0]);
		write_all(ends[1], r->data, r->size, step);
		_exit(0);
	}
	close(ends[1]);
	return ends[0];
}

static void
child_wait(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
}

/* A source of the caller's, with a manner of its own. */
enum manner { EXACTLY, MORE_THAN_ASKED, IN_STEPS_OF_100, IN_ONE_BUFFER };

struct given {
	const struct riff *riff;
	enum manner manner;
	uint8_t *buffer;		/* what was served last */
};

static int
given_peek(void *user, uint64_t offset, size_t size, struct imgsniff_view *view)
{
	struct given *g = user;
	size_t left = offset < g->riff->size ? g->riff->size - (size_t)offset : 0;

	if (g->manner == EXACTLY && size < left)
		left = size;
	if (g->manner == IN_STEPS_OF_100 && (size + 99) / 100 * 100 < left)
		left = (size + 99) / 100 * 100;
	view->data = left > 0 ? g->riff->data + offset : NULL;
	view->size = left;
	if (g->manner != IN_ONE_BUFFER)
		return 0;
	/* A view is valid until the next peek, and not a moment longer. */
	if (size < left)
		view->size = left = size;
	free(g->buffer);
	g->buffer = malloc(left + 1);
	if (left > 0)
		memcpy(g->buffer, view->data, left);
	view->data = g->buffer;
	return 0;
}

enum kind {
	FROM_MEMORY, FROM_BUFFER, FROM_FILE, FROM_FD, FROM_PIPE, FROM_EXACTLY,
	FROM_MORE_THAN_ASKED, FROM_STEPS, FROM_ONE_BUFFER, KINDS,
};

/* An input of any kind over the same bytes, and what has to be given back. */
struct opened {
	enum kind kind;
	int fd;
	pid_t child;
	struct given given;
	struct riff inside;
};

static enum imgsniff_status
opened_begin(struct opened *o, struct imgsniff_decoder *d, enum kind kind,
	     const struct riff *r, unsigned int flags)
{
	struct imgsniff_source source = { given_peek, &o->given };
	struct imgsniff_buffer buffer;

	*o = (struct opened){ .kind = kind, .fd = -1 };
	switch (kind) {
	case FROM_MEMORY:
		return imgsniff_open_memory(d, r->data, r->size, flags);
	case FROM_BUFFER:
		riff_add(&o->inside, "before", 6);
		riff_add(&o->inside, r->data, r->size);
		buffer = imgsniff_buffer_of(o->inside.data, o->inside.size);
		imgsniff_skip(&buffer, 6);
		return imgsniff_open_buffer(d, &buffer, flags);
	case FROM_FILE:
		return imgsniff_open_file(d, file_write(r->data, r->size), flags);
	case FROM_FD:
		o->fd = open(file_write(r->data, r->size), O_RDONLY);
		assert_int_equal(lseek(o->fd, 3, SEEK_SET), 3);
		return imgsniff_open_fd(d, o->fd, flags);
	case FROM_PIPE:
		o->fd = pipe_from(r, 777, &o->child);
		return imgsniff_open_fd(d, o->fd, flags);
	case FROM_EXACTLY:
	case FROM_MORE_THAN_ASKED:
	case FROM_STEPS:
	case FROM_ONE_BUFFER:
		o->given = (struct given){
			r, (enum manner)(kind - FROM_EXACTLY), NULL,
		};
		return imgsniff_open_source(d, &source, flags);
	case KINDS:
		break;
	}
	return IMGSNIFF_ERR_USAGE;
}

static void
opened_end(struct opened *o, struct imgsniff_decoder *d)
{
	imgsniff_close(d);
	if (o->fd >= 0)
		assert_int_equal(close(o->fd), 0);	/* it is still ours */
	if (o->child > 0)
		child_wait(o->child);
	free(o->given.buffer);
	free(o->inside.data);
}

static void
every_kind_of_input_tells_the_same(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(100000);
	uint8_t *rgba = picture_new(W, H, 1, false);
	(void)state;

	for (int kind = 0; kind < KINDS; kind++) {
		struct opened o;
		struct imgsniff_image *image;
		struct imgsniff_view exif, again;

		assert_int_equal(opened_begin(&o, d, (enum kind)kind, &r, 0),
				 IMGSNIFF_OK);
		assert_int_equal(imgsniff_get_info(d)->width, W);
		assert_int_equal(imgsniff_get_info(d)->orientation, 6);
		assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_EXIF, &exif),
				 IMGSNIFF_OK);
		assert_int_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_OK);
		assert_memory_equal(image->map.pixels, rgba, image->map.size);
		assert_int_equal(imgsniff_get_metadata(d, IMGSNIFF_EXIF, &again),
				 IMGSNIFF_OK);
		assert_int_equal(exif.size, sizeof(exif_orientation_6));
		assert_memory_equal(exif.data, exif_orientation_6, exif.size);
		assert_ptr_equal(exif.data, again.data);
		imgsniff_image_free(image);
		opened_end(&o, d);
	}
	free(rgba);
	free(r.data);
	imgsniff_free(d);
}

static void
every_kind_of_input_ends_alike(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(300);
	size_t cuts[] = { 0, 3, 15, 25, 200, r.size - 200, r.size - 3 };
	(void)state;

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++)
		for (int kind = 0; kind < KINDS; kind++) {
			struct riff cut = { r.data, cuts[i] };
			struct imgsniff_error e;
			enum imgsniff_status st;
			struct opened o;

			st = imgsniff_open_memory(d, cut.data, cut.size, 0);
			e = *imgsniff_last_error(d);
			assert_true(st < 0);

			assert_int_equal(opened_begin(&o, d, (enum kind)kind,
						      &cut, 0), st);
			assert_string_equal(imgsniff_last_error(d)->message,
					    e.message);
			assert_int_equal(imgsniff_last_error(d)->offset,
					 e.offset);
			assert_int_equal(imgsniff_last_error(d)->needed,
					 e.needed);
			opened_end(&o, d);
		}
	free(r.data);
	imgsniff_free(d);
}

static void
memory_is_never_copied(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(10);
	struct imgsniff_view view;
	(void)state;

	assert_int_equal(imgsniff_open_memory(d, r.data, r.size, 0),
			 IMGSNIFF_OK);
	assert_int_equal(isn_view(d, 7, 20, &view), IMGSNIFF_OK);
	assert_ptr_equal(view.data, r.data + 7);
	assert_int_equal(view.size, 20);
	assert_int_equal(isn_view(d, 7, SIZE_MAX, &view), IMGSNIFF_OK);
	assert_int_equal(view.size, r.size - 7);
	assert_int_equal(isn_view(d, r.size + 1, SIZE_MAX, &view), IMGSNIFF_OK);
	assert_int_equal(view.size, 0);
	assert_null(d->scratch[ISN_SCRATCH_INPUT].data);
	free(r.data);
	imgsniff_free(d);
}

static void
the_headers_of_a_large_file_take_few_reads(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(3 << 20);
	struct imgsniff_image *image;
	(void)state;

	assert_int_equal(imgsniff_open_file(d, file_write(r.data, r.size), 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->orientation, 6);
	assert_true(d->input.read_total < 6000);
	assert_int_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_OK);
	assert_true(d->input.read_total < 20000);
	imgsniff_image_free(image);
	free(r.data);
	imgsniff_free(d);
}

/* Every offset, in an order that goes back and forth, against the memory. */
static void
a_window_moves_anywhere(void **state)
{
	static const uint64_t steps[] = { 1, 63, 64, 65, 4096, 70001 };
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(200000);
	(void)state;

	for (size_t i = 0; i < r.size; i++)	/* so that places differ */
		r.data[50 + i % 199000] = (uint8_t)(i * i >> 3);
	r.data[0] = 'R';
	(void)!imgsniff_open_file(d, file_write(r.data, r.size), 0);
	for (size_t i = 0; i < 6; i++) {
		uint64_t at = 5;

		isn_reader_restart(&d->in, 0);
		for (int n = 0; n < 500; n++) {
			size_t size = 1 + (size_t)n * steps[i] % 300;
			const uint8_t *p;

			at = (at + steps[i] + (n % 7 == 0 ? 90000 : 0)) %
			     (r.size - 300);
			isn_seek(&d->in, at);
			p = isn_bytes(&d->in, size);
			assert_non_null(p);
			assert_memory_equal(p, r.data + at, size);
		}
	}
	free(r.data);
	imgsniff_free(d);
}

static void
a_view_larger_than_the_window_is_read_in_one_piece(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(3 << 20);
	struct imgsniff_view view;
	pid_t child;
	int fd;
	(void)state;

	assert_int_equal(imgsniff_open_file(d, file_write(r.data, r.size), 0),
			 IMGSNIFF_OK);
	for (size_t at = 0; at < 100; at += 33) {
		assert_int_equal(isn_view(d, at, SIZE_MAX, &view), IMGSNIFF_OK);
		assert_int_equal(view.size, r.size - at);
		assert_memory_equal(view.data, r.data + at, view.size);
	}
	fd = pipe_from(&r, 65536, &child);
	assert_int_equal(imgsniff_open_fd(d, fd, 0), IMGSNIFF_OK);
	assert_int_equal(isn_view(d, 5, SIZE_MAX, &view), IMGSNIFF_OK);
	assert_int_equal(view.size, r.size - 5);
	assert_memory_equal(view.data, r.data + 5, view.size);
	close(fd);
	child_wait(child);
	free(r.data);
	imgsniff_free(d);
}

static void
a_view_keeps_the_readers_place(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(100000);
	struct imgsniff_view view;
	(void)state;

	assert_int_equal(imgsniff_open_file(d, file_write(r.data, r.size), 0),
			 IMGSNIFF_OK);
	isn_reader_restart(&d->in, 8);
	isn_u8(&d->in);
	assert_int_equal(isn_view(d, 90000, 10000, &view), IMGSNIFF_OK);
	assert_int_equal(isn_tell(&d->in), 9);
	assert_int_equal(isn_u24le(&d->in), 'E' | 'B' << 8 | 'P' << 16);
	free(r.data);
	imgsniff_free(d);
}

static void
a_pipe_may_give_byte_after_byte(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(100);
	pid_t child;
	int fd = pipe_from(&r, 1, &child);
	struct imgsniff_image *image;
	(void)state;

	assert_int_equal(imgsniff_open_fd(d, fd, 0), IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->orientation, 6);
	assert_int_equal(imgsniff_decode(d, NULL, &image), IMGSNIFF_OK);
	assert_int_equal(d->input.read_total, r.size);
	imgsniff_image_free(image);
	close(fd);
	child_wait(child);
	free(r.data);
	imgsniff_free(d);
}

static void
a_pipe_is_read_only_as_far_as_is_needed(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(3 << 20);
	pid_t child;
	int fd;
	(void)state;

	memcpy(r.data, "text", 4);
	fd = pipe_from(&r, 65536, &child);
	assert_int_equal(imgsniff_open_fd(d, fd, 0), IMGSNIFF_ERR_FORMAT);
	assert_true(d->input.read_total <= 65536);
	close(fd);			/* ends the child */
	child_wait(child);
	free(r.data);

	r = still_new(W, H, PICTURE_LOSSLESS, false);
	riff_set_size(&r, 4, 3 << 20);
	r.data = realloc(r.data, 3 << 20);
	memset(r.data + r.size, 0, (3 << 20) - r.size);
	r.size = 3 << 20;
	fd = pipe_from(&r, 65536, &child);
	assert_int_equal(imgsniff_open_fd(d, fd, IMGSNIFF_HEAD), IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->width, W);
	assert_true(d->input.read_total <= 65536);
	close(fd);
	child_wait(child);
	free(r.data);
	imgsniff_free(d);
}

static void
a_fifo_may_be_opened_before_its_writer(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(100000);
	char path[sizeof(dir) + 8];
	pid_t child;
	(void)state;

	snprintf(path, sizeof(path), "%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		int fd;

		usleep(50000);
		fd = open(path, O_WRONLY);
		write_all(fd, r.data, 10, 10);
		usleep(50000);
		write_all(fd, r.data + 10, r.size - 10, 5000);
		_exit(0);
	}
	assert_int_equal(imgsniff_open_file(d, path, 0), IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->orientation, 6);
	child_wait(child);
	assert_int_equal(unlink(path), 0);
	free(r.data);
	imgsniff_free(d);
}

static void
a_file_may_shrink_while_it_is_read(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(100000);
	size_t sizes[] = { 0, 50, 50000, r.size - 60, r.size - 1 };
	(void)state;

	for (size_t i = 0; i < 5; i++) {
		const char *path = file_write(r.data, r.size);
		struct imgsniff_image *image;
		enum imgsniff_status st;

		assert_int_equal(imgsniff_open_file(d, path, 0), IMGSNIFF_OK);
		assert_int_equal(truncate(path, (off_t)sizes[i]), 0);
		st = imgsniff_decode(d, NULL, &image);
		assert_int_equal(st, sizes[i] < r.size - 40
				 ? IMGSNIFF_ERR_TRUNCATED : IMGSNIFF_OK);
		imgsniff_image_free(image);
	}
	free(r.data);
	imgsniff_free(d);
}

static void
a_file_may_change_while_it_is_read(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	const size_t large = 90000;	/* so that the window has moved on */
	uint8_t *zeros = calloc(1, large);
	struct imgsniff_image *image;
	(void)state;

	for (uint32_t i = 0; i < 2; i++) {
		struct riff r = still_new(W - 9 * i, H - 9 * i,
					  PICTURE_LOSSLESS, false);
		const char *path;

		chunk_add(&r, "junk", zeros, large - r.size);
		riff_end(&r);
		path = file_write(r.data, r.size);
		if (i == 0)
			assert_int_equal(imgsniff_open_file(d, path, 0),
					 IMGSNIFF_OK);
		free(r.data);
	}
	/* The picture is smaller now than the memory for it. */
	assert_int_equal(imgsniff_decode(d, NULL, &image),
			 IMGSNIFF_ERR_CORRUPT);
	free(zeros);
	imgsniff_free(d);
}

static void
what_cannot_be_read_is_told_with_errno(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	(void)state;

	assert_int_equal(imgsniff_open_file(d, "/nonexistent/file", 0),
			 IMGSNIFF_ERR_IO);
	assert_int_equal(imgsniff_last_error(d)->system_errno, ENOENT);
	assert_int_equal(imgsniff_open_file(d, dir, 0), IMGSNIFF_ERR_IO);
	assert_int_equal(imgsniff_last_error(d)->system_errno, EISDIR);
	assert_int_equal(imgsniff_open_fd(d, -1, 0), IMGSNIFF_ERR_IO);
	assert_int_equal(imgsniff_last_error(d)->system_errno, EBADF);
	assert_int_equal(imgsniff_open_file(d, file_write("", 0), 0),
			 IMGSNIFF_ERR_FORMAT);
	assert_string_equal(imgsniff_last_error(d)->message,
			    "format: the input is empty");
	assert_int_equal(imgsniff_open_file(d, "/proc/self/status", 0),
			 IMGSNIFF_ERR_FORMAT);
	imgsniff_free(d);
}

/* ---- Limits -------------------------------------------------------------- */

static struct imgsniff_decoder *
decoder_with(uint64_t max_input, uint64_t max_memory)
{
	struct imgsniff_options o = { .struct_size = sizeof(o) };

	o.limits.max_input = max_input;
	o.limits.max_memory = max_memory;
	return imgsniff_new(&o);
}

static void
an_input_of_exactly_max_input_bytes_passes(void **state)
{
	struct riff r = file_new(50000);
	(void)state;

	for (int kind = FROM_FILE; kind <= FROM_PIPE; kind++)
		for (size_t less = 0; less < 2; less++) {
			struct imgsniff_decoder *d = decoder_with(r.size - less, 0);
			enum imgsniff_status st;
			struct imgsniff_view view;
			struct opened o;

			st = opened_begin(&o, d, (enum kind)kind, &r, 0);
			if (st == IMGSNIFF_OK)
				st = isn_view(d, 0, SIZE_MAX, &view);
			if (less == 0) {
				assert_int_equal(st, IMGSNIFF_OK);
				assert_int_equal(view.size, r.size);
			} else {
				assert_int_equal(st, IMGSNIFF_ERR_LIMIT);
				assert_string_equal(
					imgsniff_last_error(d)->message,
					"input: more bytes than max-input "
					"allows");
			}
			opened_end(&o, d);
			imgsniff_free(d);
		}
	free(r.data);
}

static void
max_input_does_not_count_what_is_jumped_over(void **state)
{
	struct imgsniff_decoder *d = decoder_with(20000, 0);
	struct riff r = file_new(1 << 20);
	struct imgsniff_view view;
	(void)state;

	assert_int_equal(imgsniff_open_file(d, file_write(r.data, r.size), 0),
			 IMGSNIFF_OK);
	assert_int_equal(imgsniff_get_info(d)->orientation, 6);
	assert_int_equal(isn_view(d, 0, SIZE_MAX, &view), IMGSNIFF_ERR_LIMIT);
	/* One limit met is no reason to call what follows over the limit. */
	isn_reader_restart(&d->in, r.size + 5);
	isn_u8(&d->in);
	assert_int_equal(isn_fail_overrun(d, "it: ends"),
			 IMGSNIFF_ERR_TRUNCATED);
	free(r.data);
	imgsniff_free(d);
}

static void
an_endless_input_meets_max_input(void **state)
{
	struct imgsniff_decoder *d = decoder_with(100000, 0);
	struct imgsniff_view view;
	int fd = open("/dev/zero", O_RDONLY);
	(void)state;

	assert_true(fd >= 0);
	assert_int_equal(imgsniff_open_fd(d, fd, 0), IMGSNIFF_ERR_FORMAT);
	isn_reader_restart(&d->in, 0);
	assert_int_equal(isn_view(d, 0, SIZE_MAX, &view), IMGSNIFF_ERR_LIMIT);
	assert_true(d->input.read_total < 300000);
	close(fd);
	imgsniff_free(d);
}

/* A GIF that goes on with zeros, which may stand between blocks. */
static int
endless_peek(void *user, uint64_t offset, size_t size,
	     struct imgsniff_view *view)
{
	static uint8_t zeros[1 << 20];
	static const uint8_t head[] = "GIF89a\1\0\1\0\0\0";

	assert_true(++*(unsigned int *)user < 10000);
	if (offset < sizeof(head))
		*view = (struct imgsniff_view){
			head + offset, sizeof(head) - (size_t)offset,
		};
	else
		*view = (struct imgsniff_view){
			zeros, size < 1000 ? 1000 : size,
		};
	return size <= sizeof(zeros) ? 0 : ENOMEM;
}

/* It was read from for ever. */
static void
an_endless_source_meets_max_input(void **state)
{
	unsigned int peeks = 0;
	const struct imgsniff_source source = { endless_peek, &peeks };
	struct imgsniff_decoder *d = decoder_with(100000, 0);
	struct imgsniff_view view;
	(void)state;

	assert_int_equal(imgsniff_open_source(d, &source, 0),
			 IMGSNIFF_ERR_LIMIT);
	assert_true(peeks < 110);
	assert_int_equal(isn_view(d, 20, SIZE_MAX, &view), IMGSNIFF_ERR_LIMIT);
	assert_int_equal(isn_view(d, 20, 100000, &view), IMGSNIFF_OK);
	assert_int_equal(isn_view(d, 20, 100001, &view), IMGSNIFF_ERR_LIMIT);
	imgsniff_free(d);
}

/* One that gives all there is may be jumped about in. */
static void
a_source_that_gives_more_is_not_charged_for_it(void **state)
{
	struct imgsniff_decoder *d = decoder_with(200000, 0);
	struct riff r = file_new(1 << 20);
	(void)state;

	for (int kind = FROM_EXACTLY; kind < KINDS; kind++) {
		struct opened o;

		assert_int_equal(opened_begin(&o, d, (enum kind)kind, &r, 0),
				 IMGSNIFF_OK);
		assert_int_equal(imgsniff_get_info(d)->orientation, 6);
		opened_end(&o, d);
	}
	free(r.data);
	imgsniff_free(d);
}

static void
max_memory_holds_for_the_window(void **state)
{
	struct riff r = file_new(200000);
	(void)state;

	for (int kind = FROM_FILE; kind <= FROM_PIPE; kind++) {
		struct imgsniff_decoder *d = decoder_with(0, 100000);
		enum imgsniff_status st;
		struct imgsniff_view view;
		struct opened o;

		st = opened_begin(&o, d, (enum kind)kind, &r, 0);
		if (st == IMGSNIFF_OK)
			st = isn_view(d, 0, SIZE_MAX, &view);
		assert_int_equal(st, IMGSNIFF_ERR_LIMIT);
		assert_string_equal(imgsniff_last_error(d)->message,
				    "input: needs more than max-memory allows");
		assert_true(d->memory.used <= 100000);
		opened_end(&o, d);
		imgsniff_free(d);
	}
	free(r.data);
}

/* malloc(), but the 'fail_at'th call (from 1) gives NULL. */
struct counter {
	unsigned int calls, fail_at;
	size_t live;
};

static void *
counter_allocate(void *user, size_t size)
{
	struct counter *c = user;
	void *ptr = ++c->calls == c->fail_at ? NULL : malloc(size);

	if (ptr != NULL)
		c->live += size;
	return ptr;
}

static void
counter_release(void *user, void *ptr, size_t size)
{
	((struct counter *)user)->live -= size;
	free(ptr);
}

/* Open, metadata, decode; all that was allocated is given back. */
static enum imgsniff_status
run_with(struct counter *c, enum kind kind, const struct riff *r)
{
	struct imgsniff_allocator allocator = {
		counter_allocate, counter_release, c,
	};
	struct imgsniff_options options = {
		.struct_size = sizeof(options), .allocator = &allocator,
	};
	struct imgsniff_decode_options deep = {
		.struct_size = sizeof(deep), .layout = IMGSNIFF_RGBA16,
	};
	struct imgsniff_decoder *d = imgsniff_new(&options);
	struct imgsniff_image *image = NULL;
	struct imgsniff_view view;
	enum imgsniff_status st;
	struct opened o;

	if (d == NULL) {
		assert_int_equal(errno, ENOMEM);
		return IMGSNIFF_ERR_MEMORY;
	}
	st = opened_begin(&o, d, kind, r, 0);
	if (st == IMGSNIFF_OK)
		st = imgsniff_get_metadata(d, IMGSNIFF_EXIF, &view);
	if (st == IMGSNIFF_OK)
		st = imgsniff_decode(d, &deep, &image);
	if (st != IMGSNIFF_OK)
		assert_int_equal(imgsniff_last_error(d)->status, st);
	opened_end(&o, d);
	assert_true(d->memory.used <= c->live);
	imgsniff_free(d);
	imgsniff_image_free(image);	/* may outlive its decoder */
	return st;
}

static void
whichever_allocation_fails_nothing_leaks(void **state)
{
	static const enum kind kinds[] = { FROM_MEMORY, FROM_FILE, FROM_PIPE };
	struct riff r = file_new(100000);
	(void)state;

	for (int i = 0; i < 3; i++) {
		struct counter c = { 0 };
		unsigned int calls;

		assert_int_equal(run_with(&c, kinds[i], &r), IMGSNIFF_OK);
		calls = c.calls;
		assert_true(calls >= 4);
		for (unsigned int n = 1; n <= calls; n++) {
			c = (struct counter){ .fail_at = n };
			assert_int_equal(run_with(&c, kinds[i], &r),
					 IMGSNIFF_ERR_MEMORY);
			assert_int_equal(c.live, 0);
		}
	}
	free(r.data);
}

/* ---- Partial and awkward inputs ------------------------------------------ */

static void
growing_to_what_is_needed_always_makes_progress(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(5000);
	size_t size = 0;
	int opens = 0;
	(void)state;

	for (;; opens++) {
		uint8_t *part = malloc(size + 1);
		enum imgsniff_status st;
		uint64_t needed;

		assert_non_null(part);
		memcpy(part, r.data, size);
		st = imgsniff_open_memory(d, part, size, IMGSNIFF_PARTIAL);
		needed = imgsniff_last_error(d)->needed;
		imgsniff_close(d);
		free(part);
		if (st == IMGSNIFF_OK)
			break;
		assert_int_equal(st, IMGSNIFF_MORE);
		assert_true(needed > size);
		assert_true(needed <= r.size);
		size = (size_t)needed;
	}
	assert_int_equal(size, r.size);
	assert_true(opens < 20);
	free(r.data);
	imgsniff_free(d);
}

static void
more_is_asked_for_at_every_length(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(100);
	(void)state;

	for (size_t size = 0; size < r.size; size++) {
		assert_int_equal(imgsniff_open_memory(d, r.data, size,
						      IMGSNIFF_PARTIAL),
				 IMGSNIFF_MORE);
		assert_true(imgsniff_last_error(d)->needed > size);
	}
	assert_int_equal(imgsniff_open_memory(d, r.data, r.size,
					      IMGSNIFF_PARTIAL), IMGSNIFF_OK);
	free(r.data);
	imgsniff_free(d);
}

static void
nothing_behind_the_callers_memory_is_touched(void **state)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	struct riff r = file_new(100);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (r.size + page - 1) / page * page;
	uint8_t *pages = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct imgsniff_image *image;
	(void)state;

	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + room, page, PROT_NONE), 0);
	for (size_t size = 0; size <= r.size; size++) {
		uint8_t *at = pages + room - size;

		memcpy(at, r.data, size);
		if (imgsniff_open_memory(d, at, size, 0) == IMGSNIFF_OK)
			assert_int_equal(size, r.size);
		if (imgsniff_decode(d, NULL, &image) == IMGSNIFF_OK)
			imgsniff_image_free(image);
	}
	imgsniff_free(d);
	munmap(pages, room + page);
	free(r.data);
}

static int
failing_peek(void *user, uint64_t offset, size_t size,
	     struct imgsniff_view *view)
{
	(void)size;
	if (offset > 0)
		return *(int *)user;
	*view = (struct imgsniff_view){
		(const uint8_t *)"RIFF\xff\0\0\0WEBPVP8X\x0a\0\0\0", 20,
	};
	return 0;
}

static void
a_source_that_fails_gives_its_errno(void **state)
{
	static const int errors[] = { EIO, EFBIG, ETIMEDOUT };
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	(void)state;

	for (size_t i = 0; i < 3; i++) {
		int error = errors[i];
		struct imgsniff_source source = { failing_peek, &error };

		assert_int_equal(imgsniff_open_source(d, &source, 0),
				 IMGSNIFF_ERR_IO);
		assert_int_equal(imgsniff_last_error(d)->system_errno, error);
	}
	imgsniff_free(d);
}

static int
dir_make(void **state)
{
	(void)state;
	return mkdtemp(dir) == NULL;
}

static int
dir_remove(void **state)
{
	char path[sizeof(dir) + 8];
	(void)state;

	snprintf(path, sizeof(path), "%s/file", dir);
	unlink(path);
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_input_tells_the_same),
		cmocka_unit_test(every_kind_of_input_ends_alike),
		cmocka_unit_test(memory_is_never_copied),
		cmocka_unit_test(the_headers_of_a_large_file_take_few_reads),
		cmocka_unit_test(a_window_moves_anywhere),
		cmocka_unit_test(
			a_view_larger_than_the_window_is_read_in_one_piece),
		cmocka_unit_test(a_view_keeps_the_readers_place),
		cmocka_unit_test(a_pipe_may_give_byte_after_byte),
		cmocka_unit_test(a_pipe_is_read_only_as_far_as_is_needed),
		cmocka_unit_test(a_fifo_may_be_opened_before_its_writer),
		cmocka_unit_test(a_file_may_shrink_while_it_is_read),
		cmocka_unit_test(a_file_may_change_while_it_is_read),
		cmocka_unit_test(what_cannot_be_read_is_told_with_errno),
		cmocka_unit_test(an_input_of_exactly_max_input_bytes_passes),
		cmocka_unit_test(max_input_does_not_count_what_is_jumped_over),
		cmocka_unit_test(an_endless_input_meets_max_input),
		cmocka_unit_test(an_endless_source_meets_max_input),
		cmocka_unit_test(
			a_source_that_gives_more_is_not_charged_for_it),
		cmocka_unit_test(max_memory_holds_for_the_window),
		cmocka_unit_test(whichever_allocation_fails_nothing_leaks),
		cmocka_unit_test(growing_to_what_is_needed_always_makes_progress),
		cmocka_unit_test(more_is_asked_for_at_every_length),
		cmocka_unit_test(nothing_behind_the_callers_memory_is_touched),
		cmocka_unit_test(a_source_that_fails_gives_its_errno),
	};

	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
