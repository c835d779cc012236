/*
 * pipeline.h - from a codec's pixels to those that were asked for
 */

#ifndef ISN_LIB_PIPELINE_H
#define ISN_LIB_PIPELINE_H

#include "codec.h"

/* What decoding the current frame comes to, all options weighed. */
struct isn_plan {
	enum imgsniff_pixel layout;	/* of the result */
	unsigned int shrink;		/* for the codec */
	uint32_t width, height;		/* what the codec decodes */
	uint32_t fitted_width;		/* after scaling, before turning */
	uint32_t fitted_height;
	unsigned int orientation;	/* 1: stays as it is */
	bool srgb;
	bool keep_damaged;
	bool whole;			/* rows of a damaged image: all or none */
};

static inline bool
isn_plan_scales(const struct isn_plan *plan)
{
	return plan->fitted_width != plan->width ||
	       plan->fitted_height != plan->height;
}

/*
 * Runs it. 'dst' has the plan's layout and final size; whatever is returned, its
 * rows are written and rows_valid tells how many of them are of the file.
 */
enum imgsniff_status
isn_pipeline_run(struct imgsniff_decoder *d, const struct isn_plan *plan,
		 struct imgsniff_pixmap *dst);

#endif /* ISN_LIB_PIPELINE_H */
