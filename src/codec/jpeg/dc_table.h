/*
 * dc_table.h - tables that take several symbols of a scan at once
 */

#ifndef ISN_CODEC_JPEG_DC_TABLE_H
#define ISN_CODEC_JPEG_DC_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define JPEG_LENGTH_MAX	16
#define JPEG_SYMBOLS_MAX	256
#define JPEG_BLOCK_SIZE	64
#define JPEG_AC_BITS		12
#define JPEG_VALUE_BITS	10

/* A Huffman table as DHT has it, and what finds its longer codes (F.2.2.3). */
struct isn_jpeg_codes {
	uint8_t counts[JPEG_LENGTH_MAX];
	uint8_t symbols[JPEG_SYMBOLS_MAX];
	/*
	 * By length: past its codes, with zeros for the bits up to 16; and its
	 * first symbol less its first code.
	 */
	uint32_t end[JPEG_LENGTH_MAX + 1];
	int32_t first[JPEG_LENGTH_MAX + 1];
};

/*
 * By the next JPEG_AC_BITS bits: the bits of the symbols and magnitudes that
 * begin with them, and how many coefficients they are, times JPEG_AC_STEP;
 * JPEG_ENDED is added for an end of block. 0: the first code is longer.
 */
struct isn_jpeg_skips {
	struct isn_jpeg_codes codes;
	uint16_t entries[1 << JPEG_AC_BITS];
};

#define JPEG_AC_STEP		64
#define JPEG_ENDED		128

/* By the next JPEG_VALUE_BITS bits: one symbol and its value, if both are there. */
struct isn_jpeg_value {
	int16_t value;
	uint8_t length;			/* of both, bits to drop; 0: longer */
	uint8_t advance;		/* of AC: coefficients, or JPEG_ENDED */
};

struct isn_jpeg_values {
	struct isn_jpeg_codes codes;
	struct isn_jpeg_value entries[1 << JPEG_VALUE_BITS];
};

struct isn_jpeg_tables {
	struct isn_jpeg_values dc[4];
	struct isn_jpeg_values low[4];	/* AC, where values count */
	struct isn_jpeg_skips skip[4];	/* AC, where not */
	uint16_t symbols[1 << JPEG_AC_BITS];	/* while building: length << 8 |
						   symbol */
};

/*
 * Coefficients that an AC symbol stands for: a run of zeros and one, 16 zeros, or
 * the end of the block. libjpeg ends it at any other run without a value.
 */
static inline unsigned int
isn_jpeg_symbol_advance(unsigned int symbol)
{
	unsigned int run = symbol >> 4;

	return symbol & 15 || run == 15 ? run + 1 : JPEG_ENDED;
}

/* F.2.2.1: EXTEND. */
static inline int
isn_jpeg_value_extend(unsigned int bits, unsigned int size)
{
	int value = (int)bits;

	return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

/* From 'dht', 16 counts and the symbols; nothing is done if nothing has changed. */
void isn_jpeg_skip_build(struct isn_jpeg_tables *t,
			 struct isn_jpeg_skips *skip, const uint8_t *dht);
void isn_jpeg_value_build(struct isn_jpeg_tables *t,
			  struct isn_jpeg_values *table, const uint8_t *dht);

#endif /* ISN_CODEC_JPEG_DC_TABLE_H */
