/*
 * fuzz_detect.c - detection: a prefix is undecided or agrees with the whole
 */

#include <stdlib.h>

#include <imgsniff.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum imgsniff_format whole, part;
	enum imgsniff_status st = imgsniff_detect(data, size, true, &whole);
	size_t most = size < IMGSNIFF_DETECT_BYTES ? size
						   : IMGSNIFF_DETECT_BYTES;

	if (st == IMGSNIFF_MORE)
		abort();
	if ((st == IMGSNIFF_OK) != (whole != IMGSNIFF_FORMAT_UNKNOWN))
		abort();
	for (size_t n = 0; n <= most; n++) {
		enum imgsniff_status s = imgsniff_detect(data, n, false, &part);

		if (s == IMGSNIFF_MORE)
			continue;
		if (s != st || part != whole)
			abort();
	}
	return 0;
}
