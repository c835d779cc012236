/*
 * codec.h - what the library asks of an image format
 *
 * To add a format:
 *	1. add a value to enum imgsniff_format in include/imgsniff.h;
 *	2. write src/codec/NAME/parse.c, which defines isn_codec_NAME, and a
 *	   file for each backend;
 *	3. add the row to isn_codecs[] in src/lib/format.c and its leading bytes
 *	   to the table in src/lib/detect.c.
 */

#ifndef ISN_CODEC_H
#define ISN_CODEC_H

#include <imgsniff.h>

#include "base/memory.h"
#include "base/reader.h"

/* Who takes a picture row by row, from the top. */
struct isn_sink {
	uint8_t *row;			/* write the next one here ... */
	void (*take)(struct isn_sink *sink);	/* ... and call this */
	enum imgsniff_pixel layout;
	uint32_t width, height;		/* those of decode()'s 'dst' */
};

/* One way to get a format's pixels. */
struct isn_backend {
	const char *name;		/* what --backend and options name */
	/*
	 * Decode the current frame, whole canvas, dispositions and blending
	 * applied, in dst->layout. 'dst' is checked: its size is the canvas',
	 * or 1 / d->shrink of it, rounded up, where the codec can shrink, or
	 * any smaller one where it scales(); its rows hold garbage. Set
	 * dst->rows_valid to the rows that are exact before returning an error
	 * (or leave it 0); the caller clears the rest.
	 */
	enum imgsniff_status (*decode)(struct imgsniff_decoder *d,
				       struct imgsniff_pixmap *dst);
	/*
	 * The same, without memory for the whole picture: each row is given to
	 * 'sink' once it is exact, and so on an error there may be fewer than
	 * all. IMGSNIFF_END, before anything was done: the current frame is to
	 * be had from decode() only. May be NULL.
	 */
	enum imgsniff_status (*decode_rows)(struct imgsniff_decoder *d,
					    struct isn_sink *sink);
};

struct isn_codec {
	struct imgsniff_format_info info;

	/* Best first; the last one has no name. NULL: only detected. */
	const struct isn_backend *backends;
	unsigned int max_shrink;	/* 8: can decode at 1/2, 1/4, 1/8 */
	/*
	 * Can the current frame be decoded at any smaller size? All of its pixels
	 * are looked at even so, and count for the limits. May be NULL.
	 */
	bool (*scales)(const struct imgsniff_decoder *d);

	/* Bytes at d->state, zeroed before open(). */
	size_t state_size;

	/*
	 * d->in stands at offset 0. Read the headers, walk the structure as far
	 * as d->flags ask, fill in d->info and, for frame 0, d->frame. On an
	 * error, what was read stays in d->info. Set d->can_decode as soon as
	 * the headers suffice to try decoding, also when open() then fails.
	 */
	enum imgsniff_status (*open)(struct imgsniff_decoder *d);
	/*
	 * Describe the next frame in d->frame: IMGSNIFF_OK, IMGSNIFF_END or an
	 * error. Decodes nothing. NULL for formats with one frame.
	 */
	enum imgsniff_status (*next)(struct imgsniff_decoder *d);
	/* Describe the first frame in d->frame again. */
	enum imgsniff_status (*rewind)(struct imgsniff_decoder *d);
	/* Joined and inflated, in the arena or the input; empty if none. */
	enum imgsniff_status (*metadata)(struct imgsniff_decoder *d,
					 enum imgsniff_metadata which,
					 struct imgsniff_view *view);
	/*
	 * Verify what decoding does not: walk the whole structure, checksums
	 * and all, tell every fault by isn_fault() and put the offset of the
	 * image's end into d->check->end. Only an error that keeps it from
	 * looking (memory, I/O, a limit) is returned. May be NULL.
	 */
	enum imgsniff_status (*check)(struct imgsniff_decoder *d);
	/* Only for codecs that hold a foreign handle; the rest is the arena's. */
	void (*close)(struct imgsniff_decoder *d);
};

/* Scratch kept from image to image; each has one user at a time. */
enum isn_scratch_slot {
	ISN_SCRATCH_INPUT,		/* file and stream windows: lib/input.c */
	ISN_SCRATCH_RAW,		/* inflated PNG, GIF indices */
	ISN_SCRATCH_GATHER,		/* IDATs, sub-blocks: compressed, joined */
	ISN_SCRATCH_ROW,		/* a row or a few */
	ISN_SCRATCH_CANVAS,		/* an animation's canvas */
	ISN_SCRATCH_SAVED,		/* what disposal "previous" restores */
	ISN_SCRATCH_FRAME,		/* a frame before it is laid over it */
	ISN_SCRATCH_PIXELS,		/* decoded, before it is transformed */
	ISN_SCRATCH_RESIZED,
	ISN_SCRATCH_CHECK,		/* what imgsniff_check() decodes to */
	ISN_SCRATCH_SINK,		/* rows before and after they are scaled */
	ISN_SCRATCH_COUNT,
};

/* Foreign contexts kept from image to image. */
enum isn_kept_slot {
	ISN_KEPT_JPEG,
	ISN_KEPT_JPEG_DC,
	ISN_KEPT_INFLATE,
	ISN_KEPT_STB,
	ISN_KEPT_ICC,
	ISN_KEPT_RESIZER,
	ISN_KEPT_COUNT,
};

struct isn_kept {
	void *data;
	size_t size;
	void (*release)(struct imgsniff_decoder *d, void *data);
};

/* Where the bytes come from; see lib/input.c. */
struct isn_input {
	struct imgsniff_source source;	/* what d->in peeks through */
	struct imgsniff_view memory;	/* if the caller's memory */
	struct imgsniff_source given;	/* if the caller's source */
	int fd;				/* else -1 */
	bool owned;			/* open_file() opened 'fd' */
	bool stream;			/* 'fd' cannot seek */
	bool ended;			/* a stream's end was met */
	uint64_t size;			/* of the input, UINT64_MAX: not known */
	uint64_t window;		/* offset of the scratch's first byte,
					   or of the last view of 'given' */
	size_t filled;			/* bytes in it */
	uint64_t read_total;		/* bytes read since open ... */
	uint64_t read_before;		/* and before the last isn_view(), but
					   of a stream: max_input is for each */
	bool over_limit;		/* the last peek would pass max_input */
	int failed;			/* errno of a read that failed: no more
					   is read until the next open */
};

/* What imgsniff_check() has found; lib/check.c makes a verdict of it. */
#define ISN_FAULTS	100

struct isn_check {
	uint64_t end;			/* of the image, or IMGSNIFF_NO_OFFSET */
	struct imgsniff_error fatal;	/* the first that is not tolerable */
	size_t count;
	struct imgsniff_error faults[ISN_FAULTS];	/* by offset */
};

/* The decoder as its codec sees it. */
struct imgsniff_decoder {
	const struct isn_codec *codec;	/* of the open image, or NULL */
	const struct isn_backend *backend;	/* chosen for it */
	void *state;			/* codec->state_size bytes */
	struct isn_reader in;		/* for parsers; see isn_view() below */
	struct imgsniff_info info;
	struct imgsniff_frame frame;
	struct imgsniff_error error;
	struct imgsniff_error open_error;	/* what open() failed with */
	unsigned int flags;		/* enum imgsniff_open_flags */
	unsigned int shrink;		/* 1, 2, 4 or 8: see isn_backend */
	bool can_decode;
	bool keep_damaged;		/* decode: partial rows are wanted */
	bool inks;			/* decode: C, M, Y and K in place of R, G, B
					   and A; 255 is all of an ink */

	struct isn_memory memory;
	struct isn_arena arena;		/* lives as long as the open image */
	struct isn_scratch scratch[ISN_SCRATCH_COUNT];
	bool scratch_used[ISN_SCRATCH_COUNT];	/* by the open image */
	struct isn_kept kept[ISN_KEPT_COUNT];
	struct isn_input input;
	struct imgsniff_limits limits;	/* defaults filled in */
	const char *backend_name;	/* what the options ask for, or NULL */
	struct isn_check *check;	/* of the open image, once checked */
};

/* All codecs; ends with NULL. */
extern const struct isn_codec *const isn_codecs[];

/* NULL for a format that is unknown. */
const struct isn_codec *isn_codec_find(enum imgsniff_format format);

/*
 * Record an error and return it, so a codec can 'return isn_fail(...)'.
 * 'message' is static, "PART: what is wrong", lower case but for names, no full
 * stop; 'offset' that of the field itself, or IMGSNIFF_NO_OFFSET.
 */
enum imgsniff_status
isn_fail(struct imgsniff_decoder *d, enum imgsniff_status status,
	 uint64_t offset, const char *message);

/*
 * Does it lie in the data, so that what there is of them can be shown, and frames
 * after this one be drawn?
 */
static inline bool
isn_is_damage(enum imgsniff_status st)
{
	return st == IMGSNIFF_ERR_CORRUPT || st == IMGSNIFF_ERR_TRUNCATED ||
	       st == IMGSNIFF_MORE;
}

/*
 * The error to return once d->in has overrun: truncated, more, limit or I/O, at
 * the end of the input. 'message' says which part the input ends in:
 * "IHDR: the file ends inside it".
 */
enum imgsniff_status
isn_fail_overrun(struct imgsniff_decoder *d, const char *message);

/* The error to return when memory was refused: over the limit, or none left. */
enum imgsniff_status
isn_fail_memory(struct imgsniff_decoder *d, const char *message);

/*
 * Note a fault for the verdict: 'status' is TRUNCATED or CORRUPT, or OK where all
 * pixels are there all the same and the fault is tolerable. The same offset and
 * message count once; of more than ISN_FAULTS the later ones are dropped.
 */
void isn_fault(struct imgsniff_decoder *d, enum imgsniff_status status,
	       uint64_t offset, const char *message);

/*
 * The same of the last error, if it is about the image itself: OK then, and
 * whatever else 'st' is otherwise.
 */
enum imgsniff_status
isn_fault_from_error(struct imgsniff_decoder *d, enum imgsniff_status st);

/*
 * The bytes from 'offset' on in one piece, for decoders: 'size' of them, or all
 * that are left when the input ends first (SIZE_MAX: to the end). The caller's
 * own memory is never copied; a file is read into scratch. Valid until the next
 * isn_view() or read through d->in, which keeps its place but forgets an overrun.
 * Fails with IO, LIMIT or MEMORY.
 */
enum imgsniff_status
isn_view(struct imgsniff_decoder *d, uint64_t offset, size_t size,
	 struct imgsniff_view *view);

/*
 * How many bytes there are from 'offset' on. Only what does not know its size is
 * read for that: a stream or the caller's source.
 */
enum imgsniff_status
isn_rest(struct imgsniff_decoder *d, uint64_t offset, uint64_t *size);

/* d->scratch[slot] with at least 'size' bytes, not cleared, or NULL. */
void *isn_scratch(struct imgsniff_decoder *d, enum isn_scratch_slot slot,
		  size_t size);

/*
 * The context kept in 'slot', 'size' bytes, zeroed when first made; NULL if
 * memory ran out. release() frees what it holds, not the block itself, and
 * copes with a block that is still all zero.
 */
void *isn_kept(struct imgsniff_decoder *d, enum isn_kept_slot slot, size_t size,
	       void (*release)(struct imgsniff_decoder *d, void *data));

/* The next row to write, for loops over a pixmap. */
static inline uint8_t *
isn_pixmap_row(const struct imgsniff_pixmap *map, uint32_t y)
{
	return (uint8_t *)map->pixels + (size_t)y * map->stride;
}

/* A pixmap of all that 'sink' takes, every row of which is the one at hand. */
static inline struct imgsniff_pixmap
isn_sink_pixmap(const struct isn_sink *sink)
{
	return (struct imgsniff_pixmap){
		.struct_size = sizeof(struct imgsniff_pixmap),
		.pixels = sink->row,
		.size = imgsniff_row_size(sink->layout, sink->width),
		.stride = 0,
		.width = sink->width, .height = sink->height,
		.layout = sink->layout,
	};
}

#endif /* ISN_CODEC_H */
