"""PNG and APNG, written from the chunks up."""
import struct
import zlib

import draw
import meta

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
SAMPLES = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}
NAMES = {GRAY: "gray", RGB: "rgb", PALETTE: "palette", GRAY_ALPHA: "gray-alpha",
         RGBA: "rgba"}
DEPTHS = {GRAY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8),
          GRAY_ALPHA: (8, 16), RGBA: (8, 16)}
# x and y of the first pixel, and the steps, of the seven passes
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
         (1, 0, 2, 2), (0, 1, 1, 2))
NONE, SUB, UP, AVERAGE, PAETH = range(5)
W, H = draw.WIDTH, draw.HEIGHT


def chunk(kind, data=b""):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def ihdr(w, h, depth, colour, interlaced=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, depth, colour, 0, 0, interlaced))


def samples_at(x, y, w, h, depth, colour):
    """The samples of a pixel, at their full depth; low bits differ from high ones."""
    top = (1 << depth) - 1
    if colour == PALETTE:
        return [draw.index_at(x, y, w, h, top + 1)]
    corner = draw.in_corner(x, y, w, h)
    if colour in (GRAY, GRAY_ALPHA):
        out = [top if corner else draw.ramp(x + 2 * y, w + 2 * h, top)]
    elif depth == 8:
        out = list(draw.rgb_at(x, y, w, h))
    else:
        out = [top, 0, 0] if corner else [draw.ramp(x, w, top), draw.ramp(y, h, top), 0x80ff]
    if colour in (GRAY_ALPHA, RGBA):
        out.append(top if corner else top - draw.ramp(x, w, top))
    return out


def pack(samples, depth):
    """One row of samples as bytes."""
    if depth == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    if depth == 8:
        return bytes(samples)
    bits = "".join(format(s, "0%db" % depth) for s in samples)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def filtered(kind, row, above, step):
    """The row with its filter byte."""
    out = bytearray((kind,))
    for i, value in enumerate(row):
        a = row[i - step] if i >= step else 0
        b = above[i]
        c = above[i - step] if i >= step else 0
        guess = (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]
        out.append((value - guess) & 255)
    return bytes(out)


def scanlines(rows, step, filters):
    out, above = b"", bytes(len(rows[0]))
    for y, row in enumerate(rows):
        out += filtered(filters[y % len(filters)], row, above, step)
        above = row
    return out


def raw(w, h, depth, colour, interlaced=False, filters=(NONE, SUB, UP, AVERAGE, PAETH),
        at=samples_at):
    """What is to be compressed."""
    step = max(1, depth * SAMPLES[colour] // 8)
    out = b""
    for x0, y0, dx, dy in ADAM7 if interlaced else ((0, 0, 1, 1),):
        rows = [pack([s for x in range(x0, w, dx) for s in at(x, y, w, h, depth, colour)],
                     depth) for y in range(y0, h, dy)]
        rows = [r for r in rows if r]
        if rows:
            out += scanlines(rows, step, filters)
    return out


def plte(depth):
    return chunk(b"PLTE", b"".join(bytes(c) for c in draw.palette(1 << depth)))


def png(colour, depth, w=W, h=H, interlaced=False, extra=b"", data=None, palette=None,
        before=b"", idat=None, **how):
    """'before' goes before PLTE, 'extra' right before IDAT."""
    if idat is None:
        if data is None:
            data = zlib.compress(raw(w, h, depth, colour, interlaced, **how), 9)
        idat = chunk(b"IDAT", data)
    if palette is None:
        palette = plte(depth) if colour == PALETTE else b""
    return (SIGNATURE + ihdr(w, h, depth, colour, int(interlaced)) + before + palette +
            extra + idat + chunk(b"IEND"))


def split(data, size):
    return b"".join(chunk(b"IDAT", data[i:i + size]) for i in range(0, len(data), size))


def deflate(data, level, strategy, window=15):
    z = zlib.compressobj(level, zlib.DEFLATED, window, 9, strategy)
    return z.compress(data) + z.flush()


def itxt(keyword, text, compressed):
    return chunk(b"iTXt", keyword + b"\0" + bytes((compressed, 0)) + b"\0\0" +
                 (zlib.compress(text) if compressed else text))


# ---- APNG ------------------------------------------------------------------

DISPOSE_NONE, DISPOSE_BACKGROUND, DISPOSE_PREVIOUS = range(3)
SOURCE, OVER = range(2)


def block(w, h, colour):
    """A frame's compressed pixels: one RGBA colour, its left column clear."""
    row = b"\0" + bytes(4) + bytes(colour) * (w - 1)
    return zlib.compress(row * h, 9)


FRAMES = (      # x, y, width, height, colour
    (4, 4, 12, 8, (255, 0, 0, 255)),
    (10, 8, 14, 10, (0, 255, 0, 128)),
    (0, 12, 10, 12, (0, 0, 255, 255)),
)


def apng(dispose, blend, plays=0, hidden=False, frames=FRAMES, delay=(1, 10)):
    """The first frame is the whole picture, unless that one is hidden."""
    first = zlib.compress(raw(W, H, 8, RGBA), 9)
    count = len(frames) + (0 if hidden else 1)
    out = SIGNATURE + ihdr(W, H, 8, RGBA) + chunk(b"acTL", struct.pack(">II", count, plays))
    sequence = 0

    def control(x, y, w, h, dispose_op, blend_op):
        nonlocal sequence
        sequence += 1
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence - 1, w, h, x, y,
                                          *delay, dispose_op, blend_op))
    if not hidden:
        out += control(0, 0, W, H, DISPOSE_NONE, SOURCE)
    out += chunk(b"IDAT", first)
    for x, y, w, h, colour in frames:
        if hidden and (x, y, w, h) == frames[0][:4]:
            x, y, w, h = 0, 0, W, H
        out += control(x, y, w, h, dispose, blend)
        out += chunk(b"fdAT", struct.pack(">I", sequence) + block(w, h, colour))
        sequence += 1
    return out + chunk(b"IEND")


def images():
    for colour, depths in DEPTHS.items():
        for depth in depths:
            yield "%s-%d" % (NAMES[colour], depth), png(colour, depth)
            yield "adam7-%s-%d" % (NAMES[colour], depth), png(colour, depth, interlaced=True)
    for w, h in ((1, 1), (3, 2), (5, 3), (9, 1), (1, 9)):
        yield "adam7-size-%dx%d" % (w, h), png(RGB, 8, w, h, interlaced=True)
    yield "one-pixel", png(RGBA, 8, 1, 1)
    yield "width-not-whole-bytes", png(GRAY, 2, 13, 7)

    full = raw(W, H, 8, RGB)
    for kind, name in enumerate(("none", "sub", "up", "average", "paeth")):
        yield "filter-" + name, png(RGB, 8, filters=(kind,))
    yield "filter-paeth-16", png(RGBA, 16, filters=(PAETH,))
    yield "filter-average-1", png(GRAY, 1, filters=(AVERAGE,))
    yield "deflate-stored", png(RGB, 8, data=deflate(full, 0, zlib.Z_DEFAULT_STRATEGY))
    yield "deflate-fixed-codes", png(RGB, 8, data=deflate(full, 9, zlib.Z_FIXED))
    yield "deflate-small-window", png(RGB, 8, data=deflate(full, 9, zlib.Z_DEFAULT_STRATEGY, 9))
    small = zlib.compress(raw(W, H, 4, PALETTE), 9)
    yield "many-idat", png(PALETTE, 4, idat=split(small, 1))
    yield "empty-idat", png(PALETTE, 4, idat=chunk(b"IDAT") + split(small, 50) + chunk(b"IDAT"))

    # A sample value that stands for transparent, that of the corner.
    yield "trns-gray-1", png(GRAY, 1, extra=chunk(b"tRNS", struct.pack(">H", 1)))
    yield "trns-gray-2", png(GRAY, 2, extra=chunk(b"tRNS", struct.pack(">H", 3)))
    yield "trns-gray-8", png(GRAY, 8, extra=chunk(b"tRNS", struct.pack(">H", 255)))
    yield "trns-gray-16", png(GRAY, 16, extra=chunk(b"tRNS", struct.pack(">H", 65535)))
    yield "trns-rgb-8", png(RGB, 8, extra=chunk(b"tRNS", struct.pack(">HHH", 255, 0, 0)))
    yield "trns-rgb-16", png(RGB, 16, extra=chunk(b"tRNS", struct.pack(">HHH", 65535, 0, 0)))
    # Its high bytes are the corner's, its low bytes are not: nothing is transparent.
    yield "trns-rgb-16-low-byte", png(RGB, 16, extra=chunk(b"tRNS", struct.pack(">HHH", 65534, 0, 0)))
    yield "trns-palette-4", png(PALETTE, 4, extra=chunk(b"tRNS", bytes(range(0, 256, 17))))
    yield "trns-palette-8-short", png(PALETTE, 8, extra=chunk(b"tRNS", bytes((0, 64, 128))))
    yield "adam7-trns-rgb-8", png(RGB, 8, interlaced=True, extra=chunk(b"tRNS", struct.pack(">HHH", 255, 0, 0)))
    yield "palette-suggested", png(RGB, 8, palette=plte(4))
    # Only 10 of 16 colours are there: the others are opaque black.
    short = chunk(b"PLTE", b"".join(bytes(c) for c in draw.palette(16)[:10]))
    yield "palette-index-past-end", png(PALETTE, 4, palette=short)

    profile = meta.icc_swapped()
    yield "iccp", png(RGB, 8, before=chunk(b"iCCP", b"swapped\0\0" + zlib.compress(profile)))
    yield "exif-orientation-6", png(RGB, 8, extra=chunk(b"eXIf", meta.exif(6)))
    yield "exif-after-idat", png(RGB, 8, idat=chunk(b"IDAT", zlib.compress(full)) +
                                 chunk(b"eXIf", meta.exif(8, order=">")))
    yield "xmp", png(RGB, 8, extra=itxt(b"XML:com.adobe.xmp", meta.XMP, 0))
    yield "xmp-compressed", png(RGB, 8, extra=itxt(b"XML:com.adobe.xmp", meta.XMP, 1))
    yield "gamma-not-applied", png(RGB, 8, before=chunk(b"gAMA", struct.pack(">I", 100000)))
    yield "srgb", png(RGB, 8, before=chunk(b"sRGB", b"\0"))
    yield "unknown-chunk", png(RGB, 8, extra=chunk(b"teSt", b"ancillary, to be passed over"))

    yield "apng-dispose-none", apng(DISPOSE_NONE, SOURCE)
    yield "apng-dispose-background", apng(DISPOSE_BACKGROUND, SOURCE)
    yield "apng-dispose-previous", apng(DISPOSE_PREVIOUS, OVER)
    yield "apng-blend-over", apng(DISPOSE_NONE, OVER)
    yield "apng-hidden-default", apng(DISPOSE_NONE, OVER, hidden=True)
    yield "apng-plays-3", apng(DISPOSE_NONE, OVER, plays=3)
    yield "apng-delay-denominator-0", apng(DISPOSE_NONE, OVER, delay=(7, 0))
    yield "apng-one-frame", apng(DISPOSE_NONE, OVER, frames=())

    plain = png(RGB, 8)
    yield "trailing-text", plain + b"a note after the end"
    yield "no-iend", plain[:-12]
    text = chunk(b"tEXt", b"Comment\0its CRC is wrong")
    yield "ancillary-bad-crc", png(RGB, 8, extra=text[:-1] + bytes((text[-1] ^ 1,)))
