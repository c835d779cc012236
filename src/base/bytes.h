/*
 * bytes.h - integers out of bytes, sizes that cannot wrap
 */

#ifndef ISN_BASE_BYTES_H
#define ISN_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint16_t
isn_load_u16be(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint16_t
isn_load_u16le(const uint8_t *p)
{
	return (uint16_t)(p[1] << 8 | p[0]);
}

static inline uint32_t
isn_load_u24le(const uint8_t *p)
{
	return (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint32_t
isn_load_u32be(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t
isn_load_u32le(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[1] << 8 | p[0];
}

/* a * b and a + b in *result; false, and *result 0, if they do not fit. */
static inline bool
isn_size_mul(size_t a, size_t b, size_t *result)
{
	if (!__builtin_mul_overflow(a, b, result))
		return true;
	*result = 0;
	return false;
}

static inline bool
isn_size_add(size_t a, size_t b, size_t *result)
{
	if (!__builtin_add_overflow(a, b, result))
		return true;
	*result = 0;
	return false;
}

#endif /* ISN_BASE_BYTES_H */
