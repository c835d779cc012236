/*
 * decode.c - pixels of one file into one file, as they are or as a thumbnail
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "decode.h"
#include "message.h"
#include "save.h"
#include "write.h"

/* Memory larger than this is not kept for the next file. */
#define KEEP_MAX	((size_t)64 << 20)

/* Where pixels go, from frame to frame and from file to file. */
static struct imgsniff_image *pixels;
static struct writing writing;

struct job {
	const struct options *o;
	struct imgsniff_decoder *d;
	const struct writer *writer;
	struct target *target;
	bool animated;			/* frames of one animation */
	uint64_t moment;		/* when its next frame begins */
	struct imgsniff_decode_options how;
	struct save save;
	uint32_t count;			/* frames written */
};

/*
 * The library makes the image, and so says when it would be too large; one that
 * is large enough already serves again.
 */
static enum imgsniff_status
frame_decode(struct job *j, struct imgsniff_pixmap *map)
{
	uint32_t width, height;
	enum imgsniff_status st;
	size_t size;

	*map = (struct imgsniff_pixmap){ 0 };
	st = imgsniff_output_size(j->d, &j->how, &width, &height);
	if (st != IMGSNIFF_OK)
		return st;
	size = imgsniff_image_size(j->how.layout, width, height);
	if (size == 0 || pixels == NULL || pixels->map.size < size) {
		imgsniff_image_free(pixels);
		st = imgsniff_decode(j->d, &j->how, &pixels);
		if (pixels != NULL)
			*map = pixels->map;
		return st;
	}
	*map = (struct imgsniff_pixmap){
		.struct_size = sizeof(*map),
		.pixels = pixels->map.pixels,
		.size = size,
		.stride = imgsniff_row_size(j->how.layout, width),
		.width = width,
		.height = height,
		.layout = j->how.layout,
	};
	return imgsniff_decode_into(j->d, &j->how, map);
}

/* The format sets limits of its own. */
static bool
side_check(struct job *j, const struct imgsniff_pixmap *map)
{
	uint32_t max = j->writer->max_side;
	char why[80];

	if (max == 0 || (map->width <= max && map->height <= max))
		return true;
	snprintf(why, sizeof(why), "%s has at most %" PRIu32 " pixels a side, not "
		 "%" PRIu32 "x%" PRIu32, j->writer->name, max, map->width,
		 map->height);
	j->target->failed = true;
	return save_refuse(&j->save, why);
}

static bool
pixels_put(struct job *j, const struct imgsniff_pixmap *map)
{
	bool put;

	if (j->animated)
		put = j->writer->add(&writing, map, j->moment);
	else
		put = j->writer->write(&writing, j->save.fd, map);
	if (!put) {
		save_complain(&j->save, "cannot write");
		j->target->failed = true;
	}
	j->target->width = map->width;
	j->target->height = map->height;
	return put;
}

static enum imgsniff_status
frame_write(struct job *j)
{
	struct imgsniff_pixmap map;
	enum imgsniff_status st = frame_decode(j, &map);

	/* Unless there is nothing that is the file's. */
	if (map.rows_valid != 0 && side_check(j, &map) && pixels_put(j, &map))
		j->count++;
	j->moment += imgsniff_get_frame(j->d)->duration_us;
	return st;
}

static bool
is_damage(enum imgsniff_status st)
{
	return st == IMGSNIFF_ERR_TRUNCATED || st == IMGSNIFF_ERR_CORRUPT;
}

/* Goes on after a damaged frame if what there is shall be kept. */
static enum imgsniff_status
frames_write(struct job *j, struct imgsniff_error *error)
{
	enum imgsniff_status st = IMGSNIFF_OK;

	*error = (struct imgsniff_error){ 0 };
	while (st == IMGSNIFF_OK) {
		st = frame_write(j);
		if (st != IMGSNIFF_OK && error->status == IMGSNIFF_OK)
			*error = *imgsniff_last_error(j->d);
		if (j->target->failed || !j->o->all_frames)
			break;
		if (st == IMGSNIFF_OK || (j->o->keep_damaged && is_damage(st)))
			st = imgsniff_next_frame(j->d);
	}
	if (st != IMGSNIFF_OK && st != IMGSNIFF_END &&
	    error->status == IMGSNIFF_OK)
		*error = *imgsniff_last_error(j->d);
	return error->status;
}

/* To the frame that was asked for, from the one that was looked at last. */
static enum imgsniff_status
frame_seek(struct job *j, struct imgsniff_error *error)
{
	enum imgsniff_status st = IMGSNIFF_OK;

	*error = (struct imgsniff_error){ 0 };
	if (imgsniff_get_frame(j->d)->index != 0)
		st = imgsniff_rewind(j->d);
	for (uint32_t i = 0; st == IMGSNIFF_OK && i < j->o->frame; i++)
		st = imgsniff_next_frame(j->d);
	if (st != IMGSNIFF_OK)
		*error = *imgsniff_last_error(j->d);
	return st;
}

static bool
output_begin(struct job *j, int input)
{
	const char *output = j->target->path;

	if (output == NULL && isatty(STDOUT_FILENO)) {
		complain(NULL, "pixels are not written to a terminal; "
			 "use -o FILE, or -o - to do it all the same");
		return false;
	}
	return save_begin(&j->save, output, j->target->force, input);
}

/* True if it has been written. */
static bool
output_end(struct job *j, enum imgsniff_status st)
{
	bool wanted = !j->target->failed && j->count > 0 &&
		      (st == IMGSNIFF_OK || j->o->keep_damaged);

	if (wanted && j->animated &&
	    !j->writer->finish(&writing, j->save.fd, j->moment)) {
		save_complain(&j->save, "cannot write");
		wanted = false;
	}
	if (j->animated)
		j->writer->drop(&writing);
	if (wanted)
		return save_commit(&j->save);
	save_abandon(&j->save);
	return false;
}

/* No other file will be better off. */
static bool
is_lasting(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EROFS ||
	       error == EIO;
}

static void
memory_limit(void)
{
	if (pixels != NULL && pixels->map.size > KEEP_MAX) {
		imgsniff_image_free(pixels);
		pixels = NULL;
	}
	if (writing.file.room > KEEP_MAX)
		bytes_free(&writing.file);
	if (writing.rows.room > KEEP_MAX)
		bytes_free(&writing.rows);
}

void
decode_end(void)
{
	imgsniff_image_free(pixels);
	pixels = NULL;
	writing_free(&writing);
}

static void
job_begin(struct job *j)
{
	const struct options *o = j->o;
	const struct imgsniff_info *info = imgsniff_get_info(j->d);

	writing.quality = o->quality;
	writing.lossless = o->lossless;
	writing.plays = info->plays;
	j->animated = o->all_frames && j->writer->add != NULL &&
		      info->frames != 1;
	j->how.struct_size = sizeof(j->how);
	j->how.layout = o->depth == 16 ? j->writer->layout16
				       : j->writer->layout8;
	j->how.fit_width = o->fit_width;
	j->how.fit_height = o->fit_height;
	if (o->action == ACTION_THUMBNAIL)
		j->how.flags = IMGSNIFF_ORIENT | IMGSNIFF_SRGB;
	if (o->keep_damaged)
		j->how.flags |= IMGSNIFF_KEEP_DAMAGED;
}

enum imgsniff_status
decode_to_output(const struct options *o, struct imgsniff_decoder *d, int input,
		 struct target *target, struct imgsniff_error *error)
{
	struct job j = {
		.o = o, .d = d, .target = target, .writer = writer_find(o->to),
	};
	enum imgsniff_status st = IMGSNIFF_OK;

	*error = (struct imgsniff_error){ 0 };
	job_begin(&j);
	if (output_begin(&j, input)) {
		st = frame_seek(&j, error);
		if (st == IMGSNIFF_OK)
			st = frames_write(&j, error);
		target->written = output_end(&j, st);
		target->failed |= j.save.error != 0;
	} else {
		target->failed = true;
	}
	target->hopeless = is_lasting(j.save.error);
	memory_limit();
	return st;
}
