/*
 * dc_table.c - what the loops of dc.c look their bits up in
 */

#include <stdbool.h>
#include <string.h>

#include "codec/jpeg/dc_table.h"

/* False if these are the codes that the table has. */
static bool
codes_read(struct isn_jpeg_codes *c, const uint8_t *dht)
{
	uint32_t code = 0;
	int32_t sum = 0;
	size_t size = 0;

	for (int i = 0; i < JPEG_LENGTH_MAX; i++)
		size += dht[i];
	if (c->end[JPEG_LENGTH_MAX] != 0 &&
	    memcmp(c->counts, dht, JPEG_LENGTH_MAX) == 0 &&
	    memcmp(c->symbols, dht + JPEG_LENGTH_MAX, size) == 0)
		return false;
	memset(c, 0, sizeof(*c));
	memcpy(c->counts, dht, JPEG_LENGTH_MAX);
	memcpy(c->symbols, dht + JPEG_LENGTH_MAX, size);
	for (unsigned int length = 1; length <= JPEG_LENGTH_MAX; length++) {
		c->first[length] = sum - (int32_t)code;
		sum += c->counts[length - 1];
		code += c->counts[length - 1];
		c->end[length] = code << (JPEG_LENGTH_MAX - length);
		code <<= 1;
	}
	return true;
}

/* Length << 8 | symbol for every 'bits' bits; 0 where the code is longer. */
static void
codes_spread(const struct isn_jpeg_codes *c, unsigned int bits, uint16_t *to)
{
	const uint8_t *symbol = c->symbols;
	size_t at = 0, size = (size_t)1 << bits;

	for (unsigned int length = 1; length <= bits; length++)
		for (unsigned int i = 0; i < c->counts[length - 1]; i++) {
			uint16_t entry = (uint16_t)(length << 8 | *symbol++);
			size_t n = (size_t)1 << (bits - length);

			while (n-- > 0 && at < size)
				to[at++] = entry;
		}
	memset(to + at, 0, (size - at) * sizeof(*to));
}

/* As many symbols as end within the bits of 'index', but for the last's value. */
static uint16_t
skip_of(const uint16_t *symbols, unsigned int index)
{
	unsigned int used = 0, advance = 0;

	do {
		unsigned int symbol = symbols[index << used &
					      ((1 << JPEG_AC_BITS) - 1)];
		unsigned int length = symbol >> 8, step;

		if (length == 0 || length > JPEG_AC_BITS - used)
			break;
		step = isn_jpeg_symbol_advance(symbol & 255);
		/* A block has 63: more of them is no common way to end. */
		if (step != JPEG_ENDED && advance + step >= JPEG_BLOCK_SIZE)
			break;
		advance += step;
		used += length + (symbol & 15);
	} while (used < JPEG_AC_BITS && advance < JPEG_ENDED);
	return (uint16_t)(advance * JPEG_AC_STEP + used);
}

void
isn_jpeg_skip_build(struct isn_jpeg_tables *t, struct isn_jpeg_skips *skip,
		    const uint8_t *dht)
{
	if (!codes_read(&skip->codes, dht))
		return;
	codes_spread(&skip->codes, JPEG_AC_BITS, t->symbols);
	for (unsigned int i = 0; i < 1 << JPEG_AC_BITS; i++)
		skip->entries[i] = skip_of(t->symbols, i);
}

static struct isn_jpeg_value
value_of(unsigned int symbol, unsigned int index)
{
	unsigned int length = symbol >> 8, size = symbol & 15;
	unsigned int left = JPEG_VALUE_BITS - length;
	unsigned int advance = isn_jpeg_symbol_advance(symbol & 255);
	struct isn_jpeg_value v = { 0, (uint8_t)length, (uint8_t)advance };

	if (length == 0 || size > left)
		return (struct isn_jpeg_value){ 0, 0, 0 };
	if (size != 0)
		v.value = (int16_t)isn_jpeg_value_extend(
			index >> (left - size) & ((1u << size) - 1), size);
	v.length = (uint8_t)(length + size);
	return v;
}

void
isn_jpeg_value_build(struct isn_jpeg_tables *t, struct isn_jpeg_values *table,
		     const uint8_t *dht)
{
	if (!codes_read(&table->codes, dht))
		return;
	codes_spread(&table->codes, JPEG_VALUE_BITS, t->symbols);
	for (unsigned int i = 0; i < 1 << JPEG_VALUE_BITS; i++)
		table->entries[i] = value_of(t->symbols[i], i);
}
