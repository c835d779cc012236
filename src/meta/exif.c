/*
 * exif.c - the one Exif fact that changes what people see
 *
 * Exif is a TIFF structure (TIFF 6.0, section 2; Exif 2.32, 4.5.2), offsets
 * counting from its start:
 *
 *	0	"II" little-endian or "MM" big-endian
 *	2	42
 *	4	offset of IFD0
 *
 * and at that offset:
 *
 *	0	number of entries
 *	2	entries of 12 bytes: tag 2, type 2, count 4, value or offset 4
 *
 * Only IFD0 is looked at: IFD1 describes the thumbnail.
 */

#include <string.h>

#include "meta/exif.h"

#define TIFF_HEADER	8
#define IFD_ENTRY	12

enum {
	TAG_ORIENTATION = 0x0112,
	TYPE_SHORT = 3,
	TYPE_LONG = 4,			/* not allowed there, but met */
};

static uint16_t
exif_u16(const uint8_t *p, bool big)
{
	return big ? isn_load_u16be(p) : isn_load_u16le(p);
}

static uint32_t
exif_u32(const uint8_t *p, bool big)
{
	return big ? isn_load_u32be(p) : isn_load_u32le(p);
}

/* 0 unless the entry is an orientation that counts. */
static uint8_t
entry_orientation(const uint8_t *entry, bool big)
{
	uint32_t value = 0;

	if (exif_u16(entry, big) != TAG_ORIENTATION ||
	    exif_u32(entry + 4, big) != 1)
		return 0;
	if (exif_u16(entry + 2, big) == TYPE_SHORT)
		value = exif_u16(entry + 8, big);
	else if (exif_u16(entry + 2, big) == TYPE_LONG)
		value = exif_u32(entry + 8, big);
	return value <= 8 ? (uint8_t)value : 0;
}

uint8_t
isn_exif_orientation(struct isn_reader *in, uint64_t start, uint64_t size)
{
	const uint8_t *p;
	uint64_t ifd, fit;
	uint8_t orientation = 0;
	unsigned int entries;
	bool big;

	if (size < TIFF_HEADER)
		return 0;
	isn_seek(in, start);
	p = isn_bytes(in, TIFF_HEADER);
	if (p == NULL || (memcmp(p, "II*\0", 4) != 0 &&
			  memcmp(p, "MM\0*", 4) != 0))
		return 0;
	big = p[0] == 'M';
	ifd = exif_u32(p + 4, big);
	if (ifd > size - 2)
		return 0;
	isn_seek(in, start + ifd);
	p = isn_bytes(in, 2);
	if (p == NULL)
		return 0;
	entries = exif_u16(p, big);
	/* A count that is too high does not spoil the entries there are. */
	fit = (size - ifd - 2) / IFD_ENTRY;
	if (entries > fit)
		entries = (unsigned int)fit;
	while (entries-- > 0 && orientation == 0) {
		p = isn_bytes(in, IFD_ENTRY);
		if (p == NULL)
			return 0;
		orientation = entry_orientation(p, big);
	}
	return orientation;
}
