/*
 * worker.c - the process that meets the image
 *
 * It trusts the host, which is who made it, and does what any user of the library
 * does. Nothing here guards against the image: that is the decoder's part, and
 * when it fails at that, this process's end.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/isolate/worker.h"

/* ---- Into fixed sizes ----------------------------------------------------- */

static void
error_write(struct isn_wire_error *to, const struct imgsniff_error *e)
{
	to->status = (int32_t)e->status;
	to->format = (uint32_t)e->format;
	to->offset = e->offset;
	to->needed = e->needed;
	to->system_errno = e->system_errno;
	isn_wire_text(to->message, e->message);
}

static void
info_write(struct isn_wire_info *to, const struct imgsniff_info *i)
{
	if (i == NULL)
		return;
	*to = (struct isn_wire_info){
		.known = 1,
		.format = (uint32_t)i->format,
		.width = i->width,
		.height = i->height,
		.color = (uint32_t)i->color,
		.bit_depth = i->bit_depth,
		.orientation = i->orientation,
		.has_alpha = i->has_alpha,
		.compression = (uint32_t)i->compression,
		.progressive = i->progressive,
		.frames = i->frames,
		.loop = i->loop,
		.has_loop = i->has_loop,
		.plays = i->plays,
		.best = (uint32_t)i->best,
		.duration_us = i->duration_us,
		.icc_bytes = i->icc_bytes,
		.exif_bytes = i->exif_bytes,
		.xmp_bytes = i->xmp_bytes,
	};
}

static void
frame_write(struct isn_wire_frame *to, const struct imgsniff_frame *f)
{
	if (f == NULL)
		return;
	*to = (struct isn_wire_frame){
		.index = f->index, .x = f->x, .y = f->y,
		.width = f->width, .height = f->height,
		.duration_us = f->duration_us,
	};
}

static void
verdict_write(struct isn_wire_verdict *to, const struct imgsniff_verdict *v)
{
	to->integrity = (uint32_t)v->integrity;
	to->status = (int32_t)v->status;
	to->frames_valid = v->frames_valid;
	to->rows_valid = v->rows_valid;
	to->end_offset = v->end_offset;
	to->trailing_bytes = v->trailing_bytes;
	to->offset = v->offset;
	to->trailer = (uint32_t)v->trailer;
	to->has_message = v->message != NULL;
	isn_wire_text(to->message, v->message);
}

/* ---- Memory and files ----------------------------------------------------- */

static void
shared_drop(struct isn_shared *s)
{
	if (s->data != NULL)
		munmap(s->data, s->room);
	*s = (struct isn_shared){ NULL, 0 };
}

static void
shared_take(struct isn_shared *s, int fd, uint64_t room, int protection)
{
	void *data;

	shared_drop(s);
	data = mmap(NULL, (size_t)room, protection, MAP_SHARED, fd, 0);
	if (data != MAP_FAILED)
		*s = (struct isn_shared){ data, (size_t)room };
	close(fd);
}

static void
file_close(struct isn_worker *w)
{
	imgsniff_close(w->decoder);
	if (w->file >= 0)
		close(w->file);
	w->file = -1;
}

static void
descriptors_take(struct isn_worker *w, const struct isn_request *q,
		 const int *fds)
{
	if (q->op == ISN_OP_OPEN)
		file_close(w);
	if (q->descriptors & ISN_WITH_FILE)
		w->file = *fds++;
	if (q->descriptors & ISN_WITH_INPUT)
		shared_take(&w->input, *fds++, q->input_room, PROT_READ);
	if (q->descriptors & ISN_WITH_PIXELS)
		shared_take(&w->pixels, *fds++, q->pixels_room,
			    PROT_READ | PROT_WRITE);
}

/* ---- Requests ------------------------------------------------------------- */

/* The error of a call that never came to the decoder. */
static void
reply_fail(struct isn_reply *r, enum imgsniff_status status,
	   const char *message)
{
	const struct imgsniff_error error = {
		.status = status,
		.offset = IMGSNIFF_NO_OFFSET,
		.message = message,
	};

	r->status = (int32_t)status;
	error_write(&r->error, &error);
}

static void
reply_finish(struct isn_reply *r, struct imgsniff_decoder *d,
	     enum imgsniff_status st)
{
	r->status = (int32_t)st;
	if (st != IMGSNIFF_OK)
		error_write(&r->error, imgsniff_last_error(d));
}

static void
image_open(struct isn_worker *w, const struct isn_request *q,
	   struct isn_reply *r)
{
	struct imgsniff_decoder *d = w->decoder;

	if (q->descriptors & ISN_WITH_FILE)
		reply_finish(r, d, imgsniff_open_fd(d, w->file, q->open_flags));
	else if (w->input.room >= q->size)
		reply_finish(r, d, imgsniff_open_memory(d, w->input.data,
					(size_t)q->size, q->open_flags));
	else
		reply_fail(r, IMGSNIFF_ERR_MEMORY,
			   "isolate: no memory left for the input");
	info_write(&r->info, imgsniff_get_info(d));
	frame_write(&r->frame, imgsniff_get_frame(d));
}

static enum imgsniff_status
frame_seek(struct imgsniff_decoder *d, uint32_t index)
{
	const struct imgsniff_frame *f = imgsniff_get_frame(d);
	enum imgsniff_status st = IMGSNIFF_OK;

	if (f != NULL && f->index > index)
		st = imgsniff_rewind(d);
	while (st == IMGSNIFF_OK && f != NULL && f->index < index)
		st = imgsniff_next_frame(d);
	return st;
}

static struct imgsniff_decode_options
options_read(const struct isn_request *q)
{
	return (struct imgsniff_decode_options){
		.struct_size = sizeof(struct imgsniff_decode_options),
		.layout = (enum imgsniff_pixel)q->layout,
		.flags = q->decode_flags,
		.fit_width = q->fit_width,
		.fit_height = q->fit_height,
	};
}

static void
size_tell(struct isn_worker *w, const struct isn_request *q,
	  struct isn_reply *r)
{
	const struct imgsniff_decode_options o = options_read(q);

	reply_finish(r, w->decoder,
		     imgsniff_output_size(w->decoder, &o, &r->width,
					  &r->height));
}

static void
frame_decode(struct isn_worker *w, const struct isn_request *q,
	     struct isn_reply *r)
{
	const struct imgsniff_decode_options o = options_read(q);
	struct imgsniff_decoder *d = w->decoder;
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.pixels = w->pixels.data,
		.layout = o.layout,
	};
	enum imgsniff_status st = frame_seek(d, q->frame);

	if (st == IMGSNIFF_OK)
		st = imgsniff_output_size(d, &o, &map.width, &map.height);
	frame_write(&r->frame, imgsniff_get_frame(d));
	reply_finish(r, d, st);
	if (st != IMGSNIFF_OK)
		return;
	r->width = map.width;
	r->height = map.height;
	if (q->width != 0 &&
	    (q->width != map.width || q->height != map.height)) {
		reply_fail(r, IMGSNIFF_ERR_BUFFER,
			   "call: the pixmap does not fit the image");
		return;
	}
	map.stride = imgsniff_row_size(map.layout, map.width);
	map.size = imgsniff_image_size(map.layout, map.width, map.height);
	r->too_small = map.size == 0 || map.size > w->pixels.room;
	if (r->too_small)
		return;
	reply_finish(r, d, imgsniff_decode_into(d, &o, &map));
	r->rows_valid = map.rows_valid;
}

static void
image_check(struct isn_worker *w, struct isn_reply *r)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };

	reply_finish(r, w->decoder, imgsniff_check(w->decoder, &v));
	if (r->status == IMGSNIFF_OK)
		verdict_write(&r->verdict, &v);
}

static void
fault_tell(struct isn_worker *w, const struct isn_request *q,
	   struct isn_reply *r)
{
	const struct imgsniff_error *fault =
		imgsniff_get_fault(w->decoder, q->first);

	if (fault == NULL)
		return;
	r->count = 1;
	error_write(&r->error, fault);
}

static void
durations_tell(struct isn_worker *w, const struct isn_request *q,
	       struct isn_reply *r)
{
	struct imgsniff_decoder *d = w->decoder;
	enum imgsniff_status st = frame_seek(d, q->first);

	while (st == IMGSNIFF_OK && r->count < ISN_WIRE_DURATIONS) {
		const struct imgsniff_frame *f = imgsniff_get_frame(d);

		if (f == NULL)
			break;
		r->durations[r->count++] = f->duration_us;
		st = imgsniff_next_frame(d);
	}
	reply_finish(r, d, r->count > 0 ? IMGSNIFF_OK : st);
}

void
isn_worker_answer(struct isn_worker *w, const struct isn_request *request,
		  const int *fds, struct isn_reply *reply)
{
	descriptors_take(w, request, fds);
	switch ((enum isn_wire_op)request->op) {
	case ISN_OP_HELLO:
		return;
	case ISN_OP_OPEN:
		image_open(w, request, reply);
		return;
	case ISN_OP_SIZE:
		size_tell(w, request, reply);
		return;
	case ISN_OP_DECODE:
		frame_decode(w, request, reply);
		return;
	case ISN_OP_CHECK:
		image_check(w, reply);
		return;
	case ISN_OP_FAULT:
		fault_tell(w, request, reply);
		return;
	case ISN_OP_DURATIONS:
		durations_tell(w, request, reply);
		return;
	case ISN_OP_CLOSE:
		file_close(w);
		if (request->drop & ISN_WITH_INPUT)
			shared_drop(&w->input);
		if (request->drop & ISN_WITH_PIXELS)
			shared_drop(&w->pixels);
		return;
	}
}

static void
reply_send(const struct isn_worker *w, struct isn_reply *reply)
{
	if (isn_wire_send(w->socket, reply, sizeof(*reply), NULL, 0) != 0)
		_exit(0);
}

_Noreturn void
isn_worker_run(struct isn_worker *w, unsigned int barriers,
	       isn_worker_answers *answer)
{
	struct isn_reply reply = { .op = ISN_OP_HELLO, .count = barriers };
	struct isn_request request = { 0 };
	int fds[ISN_WIRE_DESCRIPTORS];
	size_t count;

	reply_send(w, &reply);
	for (;;) {
		if (isn_wire_receive(w->socket, &request, sizeof(request), fds,
				     ISN_WIRE_DESCRIPTORS, &count) != 0)
			_exit(0);
		memset(&reply, 0, sizeof(reply));
		reply.op = request.op;
		reply.serial = request.serial;
		answer(w, &request, fds, &reply);
		if (request.op != ISN_OP_CLOSE)
			reply_send(w, &reply);
	}
}

/* ---- Warming up ----------------------------------------------------------- */

struct bytes {
	uint8_t data[512];
	size_t size;
};

static void
bytes_add(struct bytes *b, const uint8_t *data, size_t size)
{
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

/* ITU-T T.81, B.2.4.2: a table with one code, "0", for the value 0. */
static void
huffman_add(struct bytes *b, uint8_t class_and_number)
{
	const uint8_t head[] = { 0xff, 0xc4, 0, 20, class_and_number, 1 };

	bytes_add(b, head, sizeof(head));
	memset(b->data + b->size, 0, 16);
	b->size += 16;			/* 15 lengths without codes, the value */
}

/* Of one grey pixel: every step of the quantisation is 1, both codes are "0". */
static void
jpeg_make(struct bytes *b)
{
	static const uint8_t start[] = { 0xff, 0xd8, 0xff, 0xdb, 0, 67, 0 };
	static const uint8_t frame[] = {
		0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0,
	};
	static const uint8_t scan[] = {
		0xff, 0xda, 0, 8, 1, 1, 0x00, 0, 63, 0,
		0x3f,			/* DC 0, end of block, ones to fill */
		0xff, 0xd9,
	};

	bytes_add(b, start, sizeof(start));
	memset(b->data + b->size, 1, 64);
	b->size += 64;
	bytes_add(b, frame, sizeof(frame));
	huffman_add(b, 0x00);
	huffman_add(b, 0x10);
	bytes_add(b, scan, sizeof(scan));
}

void
isn_worker_warm(struct imgsniff_decoder *d)
{
	struct bytes jpeg = { .size = 0 };
	uint8_t pixel[4];
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.pixels = pixel, .size = sizeof(pixel), .stride = sizeof(pixel),
		.width = 1, .height = 1, .layout = IMGSNIFF_RGBA8,
	};

	jpeg_make(&jpeg);
	if (imgsniff_open_memory(d, jpeg.data, jpeg.size, 0) == IMGSNIFF_OK)
		(void)!imgsniff_decode_into(d, NULL, &map);
	imgsniff_close(d);
}
