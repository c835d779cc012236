/*
 * decode.h - decoders side by side: the same file to the same RGBA pixels
 */

#ifndef BENCH_DECODE_H
#define BENCH_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench.h"

/* Where every decoder puts its pixels: memory that is used again and again. */
struct canvas {
	uint8_t *pixels;		/* RGBA, tightly packed */
	size_t size;
	uint32_t width;
	uint32_t height;
	struct canvas_check *check;	/* NULL while time is taken */
};

/* Of the size that our own headers tell, over 'scale'; 'pixels' are to be freed. */
bool canvas_init(struct canvas *c, const struct bench_file *file,
		 uint32_t scale);

/* To be called for each frame; 'pixels' may be elsewhere than the canvas's. */
void canvas_frame_done(struct canvas *c, const uint8_t *pixels);

enum peer_kind {
	PEER_EXACT,			/* has to give the very same pixels */
	PEER_CLOSE,			/* rounds in another way */
	PEER_FLOOR,			/* gives no pixels at all */
};

struct peer {
	const char *name;
	enum peer_kind kind;
	/* NULL if it is not built in. */
	bool (*decode)(const struct bench_file *file, struct canvas *to);
	bool stills_only;
};

/* imgsniff itself: the first column of every table. */
bool decode_ours(const struct bench_file *file, struct canvas *to);

#define DECODE_PEERS	5
#define DECODE_FILES	64

struct decode_result {
	unsigned int tags;
	/* How many times as long as the first; 0: not measured. */
	double ratio[DECODE_PEERS];
	/* The same, but the median of each round's ratio. */
	double paired[DECODE_PEERS];
	double allocations;
};

struct decode_table {
	const char *title;
	const struct peer *peers;
	size_t peer_count;
	/* The size of what is decoded: 1, or 8 for an eighth of the size. */
	uint32_t scale;
	struct decode_result results[DECODE_FILES];
	size_t count;
};

/*
 * Prints the title and the heads of the columns. 'steady' is our shortest round
 * over our median, 'worst' the least of that of all; 'differ' how far a sample of
 * a peer that rounds in another way is from ours, on average.
 */
void decode_head(const struct decode_table *t);

/*
 * Compares the pixels, measures, prints a line. 'tags' is what the table's owner
 * wants to know it by later. Frees the file's data; does nothing without them.
 */
void decode_file(struct decode_table *t, const char *name, unsigned int tags,
		 struct bench_file file);

/* The same for a file of ../shared/bench-images, where there is one. */
void decode_shared(struct decode_table *t, const char *name, unsigned int tags);

/* Over the files that have all 'tags'; 'peers' is a mask: the fastest counts. */
struct decode_summary {
	size_t files;
	double mean;			/* geometric */
	double least;
	double most;
};

struct decode_summary decode_summarise(const struct decode_table *t,
				       unsigned int tags, unsigned int peers,
				       bool paired);

/* Geometric means of each column, to end a table. */
void decode_foot(const struct decode_table *t);

/* A claim about a summary, unless it has no file. */
void decode_claim(const char *what, const struct decode_summary *s,
		  double value, const char *relation, double bound);

/* What a warm decode allocates at most, over all files. */
double decode_allocations(const struct decode_table *t);

/* Peers; NULL in 'decode' if not built in. */
extern const struct peer peer_libpng, peer_libspng, peer_inflate;
extern const struct peer peer_giflib;
extern const struct peer peer_libjpeg, peer_libjpeg_eighth;
extern const struct peer peer_libwebp;
extern const struct peer peer_stb_exact, peer_stb_close;

#endif /* BENCH_DECODE_H */
