/*
 * crc.h - the CRC-32 that PNG and zip use
 */

#ifndef ISN_BASE_CRC_H
#define ISN_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Of 'size' more bytes; 'crc' is 0 at first, later what it returned before. */
uint32_t isn_crc32(uint32_t crc, const void *data, size_t size);

#endif /* ISN_BASE_CRC_H */
