/*
 * decode.c - pixels of one file into one file, as they are or as a thumbnail
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "decode.h"
#include "message.h"
#include "picture.h"
#include "save.h"
#include "write.h"

/* Memory larger than this is not kept for the next file. */
#define KEEP_MAX	((size_t)64 << 20)

/* Kept from file to file. */
static struct writing writing;

static char message[256];		/* of the error that is told */

struct job {
	const struct options *o;
	struct picture picture;
	const struct writer *writer;
	struct target *target;
	bool animated;			/* frames of one animation */
	uint64_t moment;		/* when its next frame begins */
	struct imgsniff_decode_options how;
	struct save save;
	uint32_t count;			/* frames written */
};

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
	enum imgsniff_status st = picture_frame(&j->picture, &j->how, &map);

	if (st == IMGSNIFF_END)
		return st;
	/* Unless there is nothing that is the file's. */
	if (map.rows_valid != 0 && side_check(j, &map) && pixels_put(j, &map))
		j->count++;
	j->moment += picture_duration(&j->picture);
	return st;
}

static bool
is_damage(enum imgsniff_status st)
{
	return st == IMGSNIFF_ERR_TRUNCATED || st == IMGSNIFF_ERR_CORRUPT;
}

/* After a damaged frame there may be others, if what there is shall be kept. */
static bool
frames_go_on(const struct job *j, enum imgsniff_status st)
{
	if (j->target->failed || !j->o->all_frames)
		return false;
	return st == IMGSNIFF_OK || (j->o->keep_damaged && is_damage(st) &&
				     picture_goes_on(&j->picture));
}

/* The first error is the one that is told; the end is one if nothing came. */
static void
error_note(const struct job *j, enum imgsniff_status st,
	   struct imgsniff_error *error)
{
	if (st == IMGSNIFF_OK || error->status != IMGSNIFF_OK ||
	    (st == IMGSNIFF_END && j->o->all_frames))
		return;
	*error = j->picture.error;
	if (st == IMGSNIFF_END)
		snprintf(message, sizeof(message), "frame: there is none of this "
			 "number (the first one is 0)");
	else
		snprintf(message, sizeof(message), "%s", error->message);
	error->message = message;
}

static enum imgsniff_status
frames_write(struct job *j, struct imgsniff_error *error)
{
	enum imgsniff_status st = picture_seek(&j->picture, j->o->frame);

	error_note(j, st, error);
	while (st == IMGSNIFF_OK) {
		st = frame_write(j);
		error_note(j, st, error);
		if (!frames_go_on(j, st))
			break;
		st = picture_next(&j->picture);
		error_note(j, st, error);
	}
	return error->status;
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
	picture_trim(KEEP_MAX);
	if (writing.file.room > KEEP_MAX)
		bytes_free(&writing.file);
	if (writing.rows.room > KEEP_MAX)
		bytes_free(&writing.rows);
}

void
decode_end(void)
{
	picture_trim(0);
	writing_free(&writing);
}

static void
job_begin(struct job *j, const struct imgsniff_info *info)
{
	const struct options *o = j->o;

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
decode_to_output(const struct options *o, struct workplace *place, int input,
		 struct stream *stream, struct target *target,
		 struct imgsniff_error *error)
{
	struct job j = {
		.o = o, .target = target, .writer = writer_find(o->to),
	};
	enum imgsniff_status st = IMGSNIFF_OK;

	*error = (struct imgsniff_error){ 0 };
	job_begin(&j, imgsniff_get_info(place->decoder));
	if (output_begin(&j, input)) {
		picture_open(&j.picture, place, input, stream);
		st = frames_write(&j, error);
		picture_close(&j.picture);
		target->written = output_end(&j, st);
		target->failed |= j.save.error != 0;
	} else {
		target->failed = true;
	}
	target->hopeless = is_lasting(j.save.error);
	memory_limit();
	return st;
}
