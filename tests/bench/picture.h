/*
 * picture.h - what the images made for the benches show
 *
 * How fast a decoder is depends on what it decodes. A photograph has smooth
 * shapes, a few hard edges, and grain whose neighbours resemble each other; a
 * screenshot has flat areas and small print in few colours.
 */

#ifndef BENCH_PICTURE_H
#define BENCH_PICTURE_H

#include <stdint.h>

/* All are to be freed. 'shift' moves what is shown, for animations. */

/* A photograph: RGB rows, tightly packed. */
uint8_t *picture_photo(uint32_t width, uint32_t height, uint32_t shift);

/* Text and boxes, as indices into the palette. */
uint8_t *picture_graphic(uint32_t width, uint32_t height, uint32_t shift);

/* The photograph in the colours of the palette, dithered. */
uint8_t *picture_dithered(uint32_t width, uint32_t height, uint32_t shift);

/* Opaque in the middle, soft towards its edge, clear outside: a byte a pixel. */
uint8_t *picture_alpha(uint32_t width, uint32_t height);

/* The palette: a cube of 6 x 6 x 6 colours; the indices above it are black. */
#define PICTURE_COLORS		216
#define PICTURE_TRANSPARENT	255

void picture_color(uint8_t index, uint8_t rgb[3]);

#endif /* BENCH_PICTURE_H */
