/*
 * fuzz_isolate.c - what the host believes of a worker's reply is what callers may
 * rely on
 *
 * The input is a reply, cut or filled with zeros to its size; each function that
 * judges a part of a reply is given that part.
 */

#include <stdlib.h>
#include <string.h>

#include "lib/isolate/belief.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
text_test(const char *text)
{
	size_t i;

	for (i = 0; i < ISN_WIRE_TEXT && text[i] != '\0'; i++)
		must(text[i] >= ' ' && text[i] <= '~');
	must(i < ISN_WIRE_TEXT);
}

static bool
status_is_known(enum imgsniff_status status)
{
	return status >= IMGSNIFF_ERR_IO && status <= IMGSNIFF_MORE;
}

static void
error_test(const struct isn_reply *r)
{
	char text[ISN_WIRE_TEXT];
	struct imgsniff_error e;
	enum imgsniff_status st;

	if (!isn_believe_status(r->error.status, &st))
		return;
	must(status_is_known(st));
	if (!isn_believe_error(&r->error, st, &e, text))
		return;
	must(e.status == st && e.system_errno >= 0 && e.message == text);
	must(e.format == IMGSNIFF_FORMAT_UNKNOWN ||
	     imgsniff_get_format_info(e.format) != NULL);
	text_test(text);
}

static void
info_test(const struct isn_reply *r)
{
	struct imgsniff_info i;

	if (!isn_believe_info(&r->info, &i))
		return;
	must(imgsniff_get_format_info(i.format) != NULL);
	must(i.color <= IMGSNIFF_COLOR_YCCK && i.orientation <= 8);
	must(i.compression <= IMGSNIFF_MIXED && i.best <= IMGSNIFF_RGBA16);
	must(i.animated == (i.frames > 1));
	must((uint64_t)i.display_width * i.display_height ==
	     (uint64_t)i.width * i.height);
}

static void
frame_test(const struct isn_reply *r)
{
	struct imgsniff_frame f;

	if (isn_believe_frame(&r->frame, 0, &f))
		must(f.index == 0);
}

static void
verdict_test(const struct isn_reply *r)
{
	char text[ISN_WIRE_TEXT];
	struct imgsniff_verdict v;

	if (!isn_believe_verdict(&r->verdict, &v, text))
		return;
	must(v.integrity >= IMGSNIFF_INTACT &&
	     v.integrity <= IMGSNIFF_UNCHECKED);
	must(v.trailer <= IMGSNIFF_TRAILER_OTHER && status_is_known(v.status));
	must((v.status == IMGSNIFF_OK) == (v.integrity == IMGSNIFF_INTACT ||
					   v.integrity == IMGSNIFF_TOLERABLE));
	must(v.message == NULL || v.message == text);
	text_test(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct isn_reply reply;

	memset(&reply, 0, sizeof(reply));
	if (size > 0)
		memcpy(&reply, data,
		       size < sizeof(reply) ? size : sizeof(reply));
	error_test(&reply);
	info_test(&reply);
	frame_test(&reply);
	verdict_test(&reply);
	return 0;
}
