/*
 * belief.c - what the host takes a worker's word for
 */

#include <string.h>

#include "lib/isolate/belief.h"

#define ERRNO_MAX	4095		/* of Linux */

bool
isn_believe_status(int32_t status, enum imgsniff_status *to)
{
	*to = IMGSNIFF_OK;
	if (status > IMGSNIFF_MORE || status < IMGSNIFF_ERR_IO)
		return false;
	*to = (enum imgsniff_status)status;
	return true;
}

static bool
format_is_known(uint32_t format)
{
	return format <= INT32_MAX &&
	       imgsniff_get_format_info((enum imgsniff_format)format) != NULL;
}

/* Nothing that could speak to a terminal. */
static void
text_copy(char to[ISN_WIRE_TEXT], const char from[ISN_WIRE_TEXT])
{
	size_t i;

	for (i = 0; i < ISN_WIRE_TEXT - 1 && from[i] != '\0'; i++)
		to[i] = (char)(from[i] >= ' ' && from[i] <= '~' ? from[i]
								: '?');
	to[i] = '\0';
}

bool
isn_believe_error(const struct isn_wire_error *from,
		  enum imgsniff_status status, struct imgsniff_error *to,
		  char text[ISN_WIRE_TEXT])
{
	if (from->status != (int32_t)status || from->system_errno < 0 ||
	    from->system_errno > ERRNO_MAX ||
	    (from->format != IMGSNIFF_FORMAT_UNKNOWN &&
	     !format_is_known(from->format)))
		return false;
	text_copy(text, from->message);
	*to = (struct imgsniff_error){
		.status = status,
		.format = (enum imgsniff_format)from->format,
		.offset = from->offset,
		.needed = from->needed,
		.system_errno = from->system_errno,
		.message = text,
	};
	return true;
}

bool
isn_believe_info(const struct isn_wire_info *from, struct imgsniff_info *to)
{
	bool turned = from->orientation >= 5;

	if (!format_is_known(from->format) || from->orientation > 8 ||
	    from->color > IMGSNIFF_COLOR_YCCK ||
	    from->bit_depth > UINT8_MAX ||	/* any byte may be stored */
	    from->compression > IMGSNIFF_MIXED ||
	    from->best > IMGSNIFF_RGBA16)
		return false;
	*to = (struct imgsniff_info){
		.format = (enum imgsniff_format)from->format,
		.width = from->width,
		.height = from->height,
		.display_width = turned ? from->height : from->width,
		.display_height = turned ? from->width : from->height,
		.color = (enum imgsniff_color)from->color,
		.bit_depth = (uint8_t)from->bit_depth,
		.orientation = (uint8_t)from->orientation,
		.has_alpha = from->has_alpha != 0,
		.compression = (enum imgsniff_compression)from->compression,
		.progressive = from->progressive != 0,
		.animated = from->frames > 1,
		.frames = from->frames,
		.loop = from->loop,
		.has_loop = from->has_loop != 0,
		.plays = from->plays,
		.duration_us = from->duration_us,
		.best = (enum imgsniff_pixel)from->best,
		.icc_bytes = from->icc_bytes,
		.exif_bytes = from->exif_bytes,
		.xmp_bytes = from->xmp_bytes,
	};
	return true;
}

bool
isn_believe_frame(const struct isn_wire_frame *from, uint32_t index,
		  struct imgsniff_frame *to)
{
	if (from->index != index)
		return false;
	*to = (struct imgsniff_frame){
		.index = from->index,
		.x = from->x, .y = from->y,
		.width = from->width, .height = from->height,
		.duration_us = from->duration_us,
	};
	return true;
}

/* Which statuses go with which verdict; see imgsniff_check(). */
static bool
verdict_agrees(uint32_t integrity, enum imgsniff_status status)
{
	switch ((enum imgsniff_integrity)integrity) {
	case IMGSNIFF_INTACT:
	case IMGSNIFF_TOLERABLE:
		return status == IMGSNIFF_OK;
	case IMGSNIFF_TRUNCATED:
	case IMGSNIFF_DAMAGED:
	case IMGSNIFF_UNCHECKED:
		return status < IMGSNIFF_OK;
	case IMGSNIFF_CRASHED:
	case IMGSNIFF_TIMEOUT:
		return false;
	}
	return false;
}

bool
isn_believe_verdict(const struct isn_wire_verdict *from,
		    struct imgsniff_verdict *to, char text[ISN_WIRE_TEXT])
{
	enum imgsniff_status status;

	if (from->integrity < IMGSNIFF_INTACT ||
	    from->integrity > IMGSNIFF_UNCHECKED ||
	    from->trailer > IMGSNIFF_TRAILER_OTHER ||
	    !isn_believe_status(from->status, &status) ||
	    !verdict_agrees(from->integrity, status))
		return false;
	text_copy(text, from->message);
	*to = (struct imgsniff_verdict){
		.struct_size = sizeof(*to),
		.integrity = (enum imgsniff_integrity)from->integrity,
		.status = status,
		.frames_valid = from->frames_valid,
		.rows_valid = from->rows_valid,
		.end_offset = from->end_offset,
		.trailing_bytes = from->trailing_bytes,
		.trailer = (enum imgsniff_trailer)from->trailer,
		.offset = from->offset,
		.message = from->has_message ? text : NULL,
	};
	return true;
}
