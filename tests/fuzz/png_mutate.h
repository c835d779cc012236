/*
 * png_mutate.h - mutations that know a PNG's chunks and mend their checksums
 *
 * Without them a fuzzer spends its time on the first wrong CRC. Other input is
 * mutated as ever. To be included once by a target; needs libFuzzer.
 */

#ifndef TESTS_FUZZ_PNG_MUTATE_H
#define TESTS_FUZZ_PNG_MUTATE_H

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#define PNG_SIGNATURE	8
#define PNG_AROUND	12		/* length, type and CRC */
#define PNG_CHUNKS_MAX	64

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed);

static uint32_t
png_u32_get(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static void
png_u32_put(uint8_t *p, size_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static bool
is_png(const uint8_t *data, size_t size)
{
	return size > PNG_SIGNATURE && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0;
}

/* Where whole chunks begin, and after the last of them, where it ends. */
static size_t
png_chunks_find(const uint8_t *data, size_t size, size_t at[PNG_CHUNKS_MAX + 1])
{
	size_t n = 0, next = PNG_SIGNATURE;

	while (n < PNG_CHUNKS_MAX && size - next >= PNG_AROUND &&
	       png_u32_get(data + next) <= size - next - PNG_AROUND) {
		at[n++] = next;
		next += PNG_AROUND + png_u32_get(data + next);
	}
	at[n] = next;
	return n;
}

static void
png_mend(uint8_t *data, size_t size)
{
	size_t at[PNG_CHUNKS_MAX + 1];
	size_t n = png_chunks_find(data, size, at);

	for (size_t i = 0; i < n; i++) {
		size_t covered = at[i + 1] - at[i] - 8;
		uLong crc = crc32(0, data + at[i] + 4, (uInt)covered);

		png_u32_put(data + at[i + 1] - 4, crc);
	}
}

/* The data of one chunk become others, longer or shorter. */
static size_t
png_chunk_mutate(uint8_t *data, size_t size, size_t max_size, size_t from,
		 size_t to)
{
	uint8_t part[4096];
	size_t old = to - from - PNG_AROUND, fresh;

	if (old > sizeof(part))
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(part, data + from + 8, old);
	fresh = LLVMFuzzerMutate(part, old, sizeof(part));
	if (fresh > old && fresh - old > max_size - size)
		fresh = old;
	memmove(data + from + 8 + fresh, data + from + 8 + old,
		size - from - 8 - old);
	memcpy(data + from + 8, part, fresh);
	png_u32_put(data + from, fresh);
	return size - old + fresh;
}

/* A chunk is written once more, in front of another one. */
static size_t
png_chunk_copy(uint8_t *data, size_t size, size_t max_size, size_t from,
	       size_t to, size_t before)
{
	uint8_t part[4096];
	size_t length = to - from;

	if (length > sizeof(part) || length > max_size - size)
		return size;
	memcpy(part, data + from, length);
	memmove(data + before + length, data + before, size - before);
	memcpy(data + before, part, length);
	return size + length;
}

static size_t
png_chunk_remove(uint8_t *data, size_t size, size_t from, size_t to)
{
	memmove(data + from, data + to, size - to);
	return size - (to - from);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			unsigned int seed)
{
	size_t at[PNG_CHUNKS_MAX + 1], n = 0, i;

	if (is_png(data, size))
		n = png_chunks_find(data, size, at);
	if (n == 0 || seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	i = seed / 8 % n;
	switch (seed % 8) {
	case 1:
		size = png_chunk_remove(data, size, at[i], at[i + 1]);
		break;
	case 2:
		size = png_chunk_copy(data, size, max_size, at[i], at[i + 1],
				      at[seed / 512 % n]);
		break;
	case 3:
		size = LLVMFuzzerMutate(data, size, max_size);
		break;
	default:
		size = png_chunk_mutate(data, size, max_size, at[i], at[i + 1]);
	}
	if (is_png(data, size))
		png_mend(data, size);
	return size;
}

#endif
#endif /* TESTS_FUZZ_PNG_MUTATE_H */
