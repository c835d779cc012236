/*
 * peers_gif.c - giflib
 *
 * It decodes to palette indices; the canvas is up to its user. Rows are asked for
 * one image at a time, into memory that is kept: less work than DGifSlurp(), which
 * allocates every frame.
 */

#include <stdlib.h>
#include <string.h>

#include "decode.h"

#if HAVE_GIFLIB

#include <gif_lib.h>

/* What the frame under way looks like, and the canvas as it was before it. */
struct gif_state {
	GifFileType *gif;
	GraphicsControlBlock control;
	struct canvas *to;
	uint8_t *index;
	size_t index_size;
	uint8_t *before;
	size_t before_size;
};

static int
giflib_read(GifFileType *gif, GifByteType *to, int size)
{
	struct bench_file *left = gif->UserData;

	if ((size_t)size > left->size)
		size = (int)left->size;
	memcpy(to, left->data, (size_t)size);
	left->data += size;
	left->size -= (size_t)size;
	return size;
}

static uint8_t *
kept_memory(uint8_t **memory, size_t *have, size_t need)
{
	if (need > *have) {
		free(*memory);
		*memory = malloc(need);
		*have = need;
	}
	return *memory;
}

static bool
indices_read(struct gif_state *s, const GifImageDesc *d)
{
	static const int start[] = { 0, 4, 2, 1 }, step[] = { 8, 8, 4, 2 };
	uint8_t *index = kept_memory(&s->index, &s->index_size,
				     (size_t)d->Width * (size_t)d->Height);

	if (!d->Interlace)
		return DGifGetLine(s->gif, index, d->Width * d->Height) ==
		       GIF_OK;
	for (int pass = 0; pass < 4; pass++)
		for (int y = start[pass]; y < d->Height; y += step[pass])
			if (DGifGetLine(s->gif, index + (size_t)y *
					(size_t)d->Width, d->Width) != GIF_OK)
				return false;
	return true;
}

static void
palette_load(uint32_t palette[256], const ColorMapObject *map)
{
	memset(palette, 0, 256 * sizeof(*palette));
	for (int i = 0; i < map->ColorCount; i++) {
		const GifColorType *c = &map->Colors[i];
		const uint8_t rgba[] = { c->Red, c->Green, c->Blue, 255 };

		memcpy(&palette[i], rgba, 4);
	}
}

static void
row_draw(uint8_t *to, const uint8_t *index, int width,
	 const uint32_t palette[256], int transparent)
{
	if (transparent < 0)
		for (int x = 0; x < width; x++)
			memcpy(to + 4 * (size_t)x, &palette[index[x]], 4);
	else
		for (int x = 0; x < width; x++)
			if (index[x] != transparent)
				memcpy(to + 4 * (size_t)x, &palette[index[x]],
				       4);
}

static uint8_t *
canvas_row(const struct canvas *c, const GifImageDesc *d, int y)
{
	return c->pixels + ((size_t)(d->Top + y) * c->width +
			    (size_t)d->Left) * 4;
}

static bool
frame_draw(struct gif_state *s)
{
	const GifImageDesc *d = &s->gif->Image;
	const ColorMapObject *map = d->ColorMap ? d->ColorMap :
						  s->gif->SColorMap;
	uint32_t palette[256];

	if (map == NULL || (uint32_t)(d->Left + d->Width) > s->to->width ||
	    (uint32_t)(d->Top + d->Height) > s->to->height ||
	    !indices_read(s, d))
		return false;
	palette_load(palette, map);
	if (s->control.DisposalMode == DISPOSE_PREVIOUS)
		memcpy(kept_memory(&s->before, &s->before_size, s->to->size),
		       s->to->pixels, s->to->size);
	for (int y = 0; y < d->Height; y++)
		row_draw(canvas_row(s->to, d, y),
			 s->index + (size_t)y * (size_t)d->Width, d->Width,
			 palette, s->control.TransparentColor);
	canvas_frame_done(s->to, s->to->pixels);
	return true;
}

/* Before the next frame. */
static void
frame_dispose(struct gif_state *s)
{
	const GifImageDesc *d = &s->gif->Image;

	if (s->control.DisposalMode == DISPOSE_PREVIOUS)
		memcpy(s->to->pixels, s->before, s->to->size);
	else if (s->control.DisposalMode == DISPOSE_BACKGROUND)
		for (int y = 0; y < d->Height; y++)
			memset(canvas_row(s->to, d, y), 0,
			       (size_t)d->Width * 4);
	s->control = (GraphicsControlBlock){
		.TransparentColor = NO_TRANSPARENT_COLOR,
	};
}

static bool
extension_read(struct gif_state *s)
{
	GifByteType *block;
	int code;

	if (DGifGetExtension(s->gif, &code, &block) != GIF_OK)
		return false;
	if (code == GRAPHICS_EXT_FUNC_CODE && block != NULL)
		DGifExtensionToGCB(block[0], block + 1, &s->control);
	while (block != NULL)
		if (DGifGetExtensionNext(s->gif, &block) != GIF_OK)
			return false;
	return true;
}

static bool
records_read(struct gif_state *s)
{
	GifRecordType type;
	bool drawn = false;

	for (;;) {
		if (DGifGetRecordType(s->gif, &type) != GIF_OK)
			return false;
		if (type == TERMINATE_RECORD_TYPE)
			return true;
		if (type == EXTENSION_RECORD_TYPE) {
			if (drawn)
				frame_dispose(s);
			drawn = false;
			if (!extension_read(s))
				return false;
		} else if (type == IMAGE_DESC_RECORD_TYPE) {
			if (drawn)
				frame_dispose(s);
			if (DGifGetImageDesc(s->gif) != GIF_OK ||
			    !frame_draw(s))
				return false;
			drawn = true;
		}
	}
}

static bool
giflib_decode(const struct bench_file *file, struct canvas *to)
{
	static struct gif_state s;
	struct bench_file left = *file;
	int error;
	bool done;

	s.gif = DGifOpen(&left, giflib_read, &error);
	if (s.gif == NULL)
		return false;
	s.to = to;
	s.control = (GraphicsControlBlock){
		.TransparentColor = NO_TRANSPARENT_COLOR,
	};
	memset(to->pixels, 0, to->size);
	done = records_read(&s);
	DGifCloseFile(s.gif, &error);
	return done;
}
#else
#define giflib_decode NULL
#endif

const struct peer peer_giflib = { .name = "giflib", .decode = giflib_decode };
