/*
 * decoder.c - make a decoder, open an image with it, step through its frames
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/input.h"

/* Scratch larger than this, all slots together, is not held for the next image. */
#define POOL_CAP	((size_t)64 << 20)

/*
 * A large block is to have huge pages, where the system gives them to who asks:
 * fresh memory is dear by the page. CPU of decoding at full size, in ms:
 *
 *					without		with
 *	12 MP JPEG, first and later	65, 63		49, 48	12,000 faults fewer
 *	12 MP gray PNG, RGBA8		120, 109	95, 90
 *	4.8 MP GIF			21, 7.4		13, 6.9
 *
 * Blocks aligned to huge pages were no better, and worse where malloc() then
 * mapped each of them anew: 9.0 for that GIF.
 */
#define HUGE_PAGE	((size_t)2 << 20)
#define HUGE_MIN	((size_t)4 << 20)

#ifdef MADV_HUGEPAGE
static void
pages_advise(uint8_t *p, size_t size)
{
	size_t skip = -(uintptr_t)p % HUGE_PAGE;

	if (size >= HUGE_MIN)		/* and so there is more than 'skip' */
		madvise(p + skip, (size - skip) / HUGE_PAGE * HUGE_PAGE,
			MADV_HUGEPAGE);
}
#else
#define pages_advise(p, size)	((void)(p), (void)(size))
#endif

static void *
default_allocate(void *user, size_t size)
{
	void *p = malloc(size);

	(void)user;
	if (p != NULL)
		pages_advise(p, size);
	return p;
}

static void
default_release(void *user, void *ptr, size_t size)
{
	(void)user;
	(void)size;
	free(ptr);
}

static const struct imgsniff_allocator default_allocator = {
	default_allocate, default_release, NULL,
};

static const struct imgsniff_limits default_limits = {
	.max_dimension = 65535,
	.max_frames = 10000,
	.max_scans = 100,
	.max_pixels = 268000000,
	.max_animation_pixels = UINT64_C(4000000000),
	.max_memory = UINT64_C(2) << 30,
	.max_metadata = UINT64_C(16) << 20,
	.max_input = UINT64_C(1) << 30,
};

static void
limits_fill(struct imgsniff_limits *to, const struct imgsniff_limits *from)
{
	*to = default_limits;
#define FILL(member)					\
	do {						\
		if (from->member != 0)			\
			to->member = from->member;	\
	} while (0)
	FILL(max_dimension);
	FILL(max_frames);
	FILL(max_scans);
	FILL(max_pixels);
	FILL(max_animation_pixels);
	FILL(max_memory);
	FILL(max_metadata);
	FILL(max_input);
#undef FILL
}

static const struct isn_backend *
backend_find(const struct isn_codec *codec, const char *name)
{
	const struct isn_backend *b = codec->backends;

	for (; b != NULL && b->name != NULL; b++)
		if (strcmp(b->name, name) == 0)
			return b;
	return NULL;
}

/* The one that was asked for, where the format has it; else its best. */
static const struct isn_backend *
backend_choose(const struct isn_codec *codec, const char *name)
{
	const struct isn_backend *b = name ? backend_find(codec, name) : NULL;

	if (b == NULL && codec->backends != NULL && codec->backends->name)
		b = codec->backends;
	return b;
}

static const char *
backend_known(const char *name)
{
	for (const struct isn_codec *const *c = isn_codecs; *c != NULL; c++) {
		const struct isn_backend *b = backend_find(*c, name);

		if (b != NULL)
			return b->name;
	}
	return NULL;
}

/* The options this library knows of those the caller's header has. */
static bool
options_read(struct imgsniff_options *to, const struct imgsniff_options *from)
{
	memset(to, 0, sizeof(*to));
	if (from == NULL)
		return true;
	if (from->struct_size < offsetof(struct imgsniff_options, limits))
		return false;
	memcpy(to, from, from->struct_size < sizeof(*to) ? from->struct_size
							 : sizeof(*to));
	if (to->allocator != NULL &&
	    (to->allocator->allocate == NULL || to->allocator->release == NULL))
		return false;
	if (to->backend != NULL) {
		to->backend = backend_known(to->backend);
		return to->backend != NULL;
	}
	return true;
}

/*
 * Gives back what was held for later, so that a decoder that has seen images
 * gets as far as a fresh one. A descriptor's window is used as long as it is open.
 */
static void
pool_reclaim(struct isn_memory *m)
{
	struct imgsniff_decoder *d = (struct imgsniff_decoder *)
		((uint8_t *)m - offsetof(struct imgsniff_decoder, memory));

	for (int i = 0; i < ISN_SCRATCH_COUNT; i++) {
		bool used = i == ISN_SCRATCH_INPUT ? d->input.fd >= 0
						   : d->scratch_used[i];

		if (!used)
			isn_scratch_free(&d->memory, &d->scratch[i]);
	}
}

IMGSNIFF_API struct imgsniff_decoder *
imgsniff_new(const struct imgsniff_options *options)
{
	const struct imgsniff_allocator *allocator = &default_allocator;
	struct imgsniff_options o;
	struct imgsniff_decoder *d;

	if (!options_read(&o, options)) {
		errno = EINVAL;
		return NULL;
	}
	if (o.allocator != NULL)
		allocator = o.allocator;
	d = allocator->allocate(allocator->user, sizeof(*d));
	if (d == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	memset(d, 0, sizeof(*d));
	d->memory.allocator = *allocator;
	limits_fill(&d->limits, &o.limits);
	d->memory.limit = d->limits.max_memory;
	d->memory.reclaim = pool_reclaim;
	d->arena.memory = &d->memory;
	d->backend_name = o.backend;
	d->error.message = "no error";
	d->error.offset = IMGSNIFF_NO_OFFSET;
	d->input.fd = -1;
	return d;
}

IMGSNIFF_API void
imgsniff_free(struct imgsniff_decoder *d)
{
	struct imgsniff_allocator allocator;

	if (d == NULL)
		return;
	imgsniff_close(d);
	for (int i = 0; i < ISN_KEPT_COUNT; i++) {
		struct isn_kept *k = &d->kept[i];

		if (k->data != NULL && k->release != NULL)
			k->release(d, k->data);
		isn_memory_free(&d->memory, k->data, k->size);
	}
	for (int i = 0; i < ISN_SCRATCH_COUNT; i++)
		isn_scratch_free(&d->memory, &d->scratch[i]);
	isn_arena_free(&d->arena);
	allocator = d->memory.allocator;
	allocator.release(allocator.user, d, sizeof(*d));
}

void *
isn_scratch(struct imgsniff_decoder *d, enum isn_scratch_slot slot, size_t size)
{
	d->scratch_used[slot] = true;
	return isn_scratch_get(&d->memory, &d->scratch[slot], size);
}

void *
isn_kept(struct imgsniff_decoder *d, enum isn_kept_slot slot, size_t size,
	 void (*release)(struct imgsniff_decoder *d, void *data))
{
	struct isn_kept *k = &d->kept[slot];

	if (k->data != NULL)
		return k->data;
	k->data = isn_memory_alloc(&d->memory, size);
	if (k->data == NULL)
		return NULL;
	memset(k->data, 0, size);
	k->size = size;
	k->release = release;
	return k->data;
}

/* Gives back the largest scratch until what is held is below the cap. */
static void
pool_trim(struct imgsniff_decoder *d)
{
	for (;;) {
		struct isn_scratch *largest = &d->scratch[0];
		size_t total = 0;

		for (int i = 0; i < ISN_SCRATCH_COUNT; i++) {
			total += d->scratch[i].size;
			if (d->scratch[i].size > largest->size)
				largest = &d->scratch[i];
		}
		if (total <= POOL_CAP)
			return;
		isn_scratch_free(&d->memory, largest);
	}
}

IMGSNIFF_API void
imgsniff_close(struct imgsniff_decoder *d)
{
	if (d->codec != NULL && d->codec->close != NULL && d->state != NULL)
		d->codec->close(d);
	d->codec = NULL;
	d->backend = NULL;
	d->state = NULL;
	d->check = NULL;
	d->can_decode = false;
	d->open_error = (struct imgsniff_error){ .status = IMGSNIFF_OK };
	memset(&d->info, 0, sizeof(d->info));
	memset(&d->frame, 0, sizeof(d->frame));
	isn_input_close(d);
	isn_arena_reset(&d->arena);
	memset(d->scratch_used, 0, sizeof(d->scratch_used));
	pool_trim(d);
}

static enum imgsniff_status
decoder_detect(struct imgsniff_decoder *d, enum imgsniff_format *format)
{
	struct imgsniff_view head = { NULL, 0 };
	enum imgsniff_status st;
	bool complete;
	int error = d->input.source.peek(d->input.source.user, 0,
					 IMGSNIFF_DETECT_BYTES, &head);

	if (error != 0) {
		d->in.io_error = error;
		return isn_fail_overrun(d, "input: reading failed");
	}
	complete = head.size < IMGSNIFF_DETECT_BYTES &&
		   !(d->flags & IMGSNIFF_PARTIAL);
	st = imgsniff_detect(head.data, head.size, complete, format);
	if (st == IMGSNIFF_MORE) {
		isn_fail(d, st, head.size, "format: more bytes are needed");
		d->error.needed = IMGSNIFF_DETECT_BYTES;
		return st;
	}
	if (st == IMGSNIFF_ERR_FORMAT)
		return isn_fail(d, st, 0, head.size == 0
				? "format: the input is empty"
				: "format: no known image");
	return IMGSNIFF_OK;
}

/* What is the same for all formats once a codec has read its headers. */
static void
info_finish(struct imgsniff_info *info)
{
	bool turned = info->orientation >= 5 && info->orientation <= 8;

	info->display_width = turned ? info->height : info->width;
	info->display_height = turned ? info->width : info->height;
	info->animated = info->frames > 1;
	if (info->frames == 1)
		info->plays = 1;
}

static enum imgsniff_status
codec_open(struct imgsniff_decoder *d)
{
	enum imgsniff_status st;

	d->info.format = d->codec->info.format;
	d->shrink = 1;
	if (d->codec->open == NULL)
		return isn_fail(d, IMGSNIFF_ERR_UNSUPPORTED, IMGSNIFF_NO_OFFSET,
				"format: detected, not decoded");
	d->backend = backend_choose(d->codec, d->backend_name);
	if (d->codec->state_size > 0) {
		d->state = isn_arena_zalloc(&d->arena, d->codec->state_size);
		if (d->state == NULL) {
			d->codec = NULL;
			return isn_fail_memory(d, "open: no memory left");
		}
	}
	st = d->codec->open(d);
	info_finish(&d->info);
	return st;
}

static enum imgsniff_status
decoder_open(struct imgsniff_decoder *d)
{
	enum imgsniff_format format;
	enum imgsniff_status st = decoder_detect(d, &format);

	if (st != IMGSNIFF_OK)
		return st;
	d->codec = isn_codec_find(format);
	st = isn_input_settle(d, codec_open(d));
	if (st != IMGSNIFF_OK)
		d->open_error = d->error;
	return st;
}

/* What every open begins with. */
static void
decoder_reopen(struct imgsniff_decoder *d, unsigned int flags)
{
	imgsniff_close(d);
	d->flags = flags;
}

/* The image before is closed all the same. */
static enum imgsniff_status
open_refuse(struct imgsniff_decoder *d, const char *message)
{
	imgsniff_close(d);
	return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET, message);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_open_memory(struct imgsniff_decoder *d, const void *data, size_t size,
		     unsigned int flags)
{
	struct imgsniff_buffer buffer = imgsniff_buffer_of(data, size);

	if (data == NULL && size != 0)
		return open_refuse(d, "open: data is NULL");
	return imgsniff_open_buffer(d, &buffer, flags);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_open_buffer(struct imgsniff_decoder *d,
		     const struct imgsniff_buffer *buffer, unsigned int flags)
{
	if (buffer == NULL || buffer->bytes.data == NULL)
		return open_refuse(d, "open: the buffer is NULL");
	if (buffer->offset > buffer->bytes.size)
		return open_refuse(d, "open: the buffer stands past its end");
	decoder_reopen(d, flags);
	isn_input_memory(d, imgsniff_peek(buffer, SIZE_MAX));
	return decoder_open(d);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_open_file(struct imgsniff_decoder *d, const char *path,
		   unsigned int flags)
{
	int fd;

	if (path == NULL)
		return open_refuse(d, "open: the path is NULL");
	decoder_reopen(d, flags);
	/* O_NONBLOCK: opening a FIFO without a writer must not hang. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		int error = errno;

		isn_fail(d, IMGSNIFF_ERR_IO, IMGSNIFF_NO_OFFSET,
			 "open: cannot open the file");
		d->error.system_errno = error;
		return IMGSNIFF_ERR_IO;
	}
	isn_input_fd(d, fd, true);
	return decoder_open(d);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_open_fd(struct imgsniff_decoder *d, int fd, unsigned int flags)
{
	decoder_reopen(d, flags);
	isn_input_fd(d, fd, false);
	return decoder_open(d);
}

IMGSNIFF_API enum imgsniff_status
imgsniff_open_source(struct imgsniff_decoder *d,
		     const struct imgsniff_source *source, unsigned int flags)
{
	if (source == NULL || source->peek == NULL)
		return open_refuse(d, "open: the source has no peek");
	decoder_reopen(d, flags);
	isn_input_source(d, source);
	return decoder_open(d);
}

IMGSNIFF_API const struct imgsniff_info *
imgsniff_get_info(const struct imgsniff_decoder *d)
{
	return d->codec ? &d->info : NULL;
}

IMGSNIFF_API const struct imgsniff_frame *
imgsniff_get_frame(const struct imgsniff_decoder *d)
{
	return d->codec ? &d->frame : NULL;
}

static enum imgsniff_status
no_image(struct imgsniff_decoder *d)
{
	return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
			"call: no image is open");
}

IMGSNIFF_API enum imgsniff_status
imgsniff_get_metadata(struct imgsniff_decoder *d, enum imgsniff_metadata which,
		      struct imgsniff_view *view)
{
	enum imgsniff_status st;

	if (view == NULL)
		return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
				"call: there is no place for the metadata");
	*view = imgsniff_buffer_of(NULL, 0).bytes;
	if (d->codec == NULL)
		return no_image(d);
	if (which != IMGSNIFF_ICC && which != IMGSNIFF_EXIF &&
	    which != IMGSNIFF_XMP)
		return isn_fail(d, IMGSNIFF_ERR_USAGE, IMGSNIFF_NO_OFFSET,
				"call: no such metadata");
	if (d->codec->metadata == NULL || d->state == NULL)
		return IMGSNIFF_OK;
	st = isn_input_settle(d, d->codec->metadata(d, which, view));
	if (st != IMGSNIFF_OK)
		*view = imgsniff_buffer_of(NULL, 0).bytes;
	return st;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_next_frame(struct imgsniff_decoder *d)
{
	enum imgsniff_status st = IMGSNIFF_END;

	if (d->codec == NULL)
		return no_image(d);
	if (d->codec->next != NULL && d->state != NULL)
		st = isn_input_settle(d, d->codec->next(d));
	if (st == IMGSNIFF_END)
		isn_fail(d, st, IMGSNIFF_NO_OFFSET, "frame: that was the last");
	return st;
}

IMGSNIFF_API enum imgsniff_status
imgsniff_rewind(struct imgsniff_decoder *d)
{
	if (d->codec == NULL)
		return no_image(d);
	if (d->codec->rewind != NULL && d->state != NULL)
		return isn_input_settle(d, d->codec->rewind(d));
	return IMGSNIFF_OK;
}
