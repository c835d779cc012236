/*
 * crc.c - the CRC-32 that PNG and zip use, from whichever library is faster
 */

#include "base/crc.h"

#if HAVE_LIBDEFLATE
#include <libdeflate.h>

uint32_t
isn_crc32(uint32_t crc, const void *data, size_t size)
{
	return size > 0 ? libdeflate_crc32(crc, data, size) : crc;
}
#else
#include <zlib.h>

uint32_t
isn_crc32(uint32_t crc, const void *data, size_t size)
{
	return size > 0 ? (uint32_t)crc32_z(crc, data, size) : crc;
}
#endif
