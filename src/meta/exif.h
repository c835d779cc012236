/*
 * exif.h - the one Exif fact that changes what people see
 */

#ifndef ISN_META_EXIF_H
#define ISN_META_EXIF_H

#include "base/reader.h"

/*
 * The orientation in IFD0 of the TIFF structure of 'size' bytes at 'start': 1 to
 * 8, or 0 if there is none that counts. Reads only what it must, and never
 * outside of the structure. Moves 'in'; where the input itself ends inside, 'in'
 * overruns.
 */
uint8_t isn_exif_orientation(struct isn_reader *in, uint64_t start,
			     uint64_t size);

#endif /* ISN_META_EXIF_H */
