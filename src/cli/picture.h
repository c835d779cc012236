/*
 * picture.h - the pixels of one image, decoded here or by a worker
 */

#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>

#include "stream.h"

struct options;

/* Where images are decoded. */
struct workplace {
	struct imgsniff_decoder *decoder;	/* has the image at hand open */
	struct imgsniff_isolate *pool;	/* NULL: decoded here */
};

/*
 * Makes the pool, if the options ask for one; before much else is done, since it
 * forks. False, after a complaint: it must be, and cannot.
 */
bool workplace_init(struct workplace *w, const struct options *o);
void workplace_free(struct workplace *w);

struct picture {
	struct workplace *place;
	struct imgsniff_isolated *isolated;	/* or NULL */
	struct imgsniff_error error;	/* of what failed last; its message
					   stays until the next call */
	uint32_t index;			/* of the frame at hand */
};

/*
 * Of the image that the workplace's decoder has open, from 'fd' or, if it is one,
 * from 'stream'. Whatever is returned, it must be closed. The image may have been
 * opened with an error: of a worker that is lost, or input that cannot be read,
 * picture_frame() tells again.
 */
void picture_open(struct picture *p, struct workplace *w, int fd,
		  struct stream *stream);

void picture_close(struct picture *p);

/* To a frame, counted from 0. What cannot be may also turn out later. */
enum imgsniff_status picture_seek(struct picture *p, uint32_t frame);
enum imgsniff_status picture_next(struct picture *p);

/*
 * Decodes the frame at hand into memory that is kept from picture to picture, and
 * is the program's own. map->rows_valid is 0 if there is nothing. IMGSNIFF_END:
 * there is no such frame.
 */
enum imgsniff_status
picture_frame(struct picture *p, const struct imgsniff_decode_options *how,
	      struct imgsniff_pixmap *map);

/* How long the frame at hand is shown, once it was decoded. */
uint64_t picture_duration(const struct picture *p);

/*
 * False: it cannot be got past the frame at hand, only told what is wrong.
 */
bool picture_goes_on(const struct picture *p);

/* Like imgsniff_check(); p->error is only of use where that fails. */
enum imgsniff_status picture_check(struct picture *p,
				   struct imgsniff_verdict *verdict);

/* Like imgsniff_get_fault(). */
const struct imgsniff_error *picture_fault(const struct picture *p,
					   size_t index);

/* Memory larger than 'max' is not kept; 0 frees it. */
void picture_trim(size_t max);

#endif /* PICTURE_H */
