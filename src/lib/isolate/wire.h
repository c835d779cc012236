/*
 * wire.h - what the host and its workers say to each other
 *
 * Every message is one packet of a fixed size, without pointers, booleans or
 * enumerations: any bytes are a valid value of it, whoever sent them. The host
 * asks, the worker answers; only ISN_OP_CLOSE has no answer, and ISN_OP_HELLO,
 * which a new worker sends by itself, no question.
 */

#ifndef ISN_LIB_ISOLATE_WIRE_H
#define ISN_LIB_ISOLATE_WIRE_H

#include <imgsniff.h>

#define ISN_WIRE_TEXT		128	/* of a message, with its NUL */
#define ISN_WIRE_DURATIONS	64	/* in one reply */
#define ISN_WIRE_DESCRIPTORS	3	/* with one request */

enum isn_wire_op {
	ISN_OP_HELLO = 1,		/* 'count': the barriers around it */
	ISN_OP_OPEN,
	ISN_OP_SIZE,			/* imgsniff_output_size() */
	ISN_OP_DECODE,
	ISN_OP_CHECK,
	ISN_OP_FAULT,			/* the one at index 'first' */
	ISN_OP_DURATIONS,		/* from frame 'first' on */
	ISN_OP_CLOSE,
};

/* Which descriptors come along, in this order. */
enum isn_wire_descriptor {
	ISN_WITH_FILE = 1 << 0,		/* what to open, else it is in memory */
	ISN_WITH_INPUT = 1 << 1,	/* memory for input: 'input_room' bytes */
	ISN_WITH_PIXELS = 1 << 2,	/* for pixels: 'pixels_room' bytes */
};

struct isn_request {
	uint32_t op;
	uint32_t serial;		/* the reply has the same */
	uint32_t descriptors;		/* enum isn_wire_descriptor */
	uint32_t open_flags;
	uint64_t input_room;
	uint64_t pixels_room;
	uint64_t size;			/* open: bytes of input in memory */
	uint32_t frame;
	uint32_t layout;
	uint32_t decode_flags;
	uint32_t fit_width, fit_height;
	uint32_t width, height;		/* decode: what it must give; 0: any */
	uint32_t first;
	uint32_t drop;			/* close: which memory is gone */
	uint32_t reserved;
};

struct isn_wire_error {
	int32_t status;
	uint32_t format;
	uint64_t offset;
	uint64_t needed;
	int32_t system_errno;
	uint32_t reserved;
	char message[ISN_WIRE_TEXT];
};

struct isn_wire_info {
	uint32_t known;			/* 0: no image is open */
	uint32_t format;
	uint32_t width, height;
	uint32_t color, bit_depth, orientation, has_alpha, compression;
	uint32_t progressive, frames, loop, has_loop, plays, best, reserved;
	uint64_t duration_us;
	uint64_t icc_bytes, exif_bytes, xmp_bytes;
};

struct isn_wire_frame {
	uint32_t index, x, y, width, height, reserved;
	uint64_t duration_us;
};

struct isn_wire_verdict {
	uint32_t integrity;
	int32_t status;
	uint32_t frames_valid, rows_valid;
	uint64_t end_offset, trailing_bytes, offset;
	uint32_t trailer, has_message;
	char message[ISN_WIRE_TEXT];
};

struct isn_reply {
	uint32_t op;
	uint32_t serial;
	int32_t status;
	uint32_t too_small;		/* decode: the pixels need more room */
	uint32_t width, height;		/* of the result */
	uint32_t rows_valid;
	uint32_t count;
	struct isn_wire_error error;
	struct isn_wire_info info;
	struct isn_wire_frame frame;
	struct isn_wire_verdict verdict;
	uint64_t durations[ISN_WIRE_DURATIONS];
};

/* To the process that makes the workers, and back, with the worker's socket. */
struct isn_spawn {
	uint32_t slot;
};

struct isn_spawned {
	int32_t error;			/* errno, or 0 */
	int32_t wait_status;		/* of the worker before, as waitpid() */
};

/* Sends a packet with descriptors; 'data' stays as it is. Returns 0 or an errno value. */
int isn_wire_send(int socket, void *data, size_t size, const int *fds,
		  size_t count);

/*
 * Receives one packet of 'size' bytes and up to 'room' descriptors; how many came
 * is in *count. With 'fds' NULL those that come are refused. Returns 0, or an
 * errno value: EPIPE at the end, EPROTO for a packet of another size.
 */
int isn_wire_receive(int socket, void *data, size_t size, int *fds,
		     size_t room, size_t *count);

/* A message into the room that there is for it. NULL is an empty one. */
void isn_wire_text(char to[ISN_WIRE_TEXT], const char *message);

#endif /* ISN_LIB_ISOLATE_WIRE_H */
