"""GIF, with an LZW coder that can be told when to start a new table."""
import struct

import draw
import meta

W, H = draw.WIDTH, draw.HEIGHT
KEEP, BACKGROUND, PREVIOUS = 1, 2, 3
LOOP_NETSCAPE, LOOP_ANIMEXTS = b"NETSCAPE2.0", b"ANIMEXTS1.0"


def lzw(data, bits, clear_when_full=True, clear_first=True, end=True):
    """Codes for data, packed; 'bits' is the LZW minimum code size."""
    clear, stop = 1 << bits, (1 << bits) + 1
    out, held, count = bytearray(), 0, 0
    table, width = {}, bits + 1

    def put(code):
        nonlocal held, count
        held |= code << count
        count += width
        while count >= 8:
            out.append(held & 255)
            held >>= 8
            count -= 8

    def reset():
        nonlocal table, width
        table = {bytes((i,)): i for i in range(clear)}
        width = bits + 1
    reset()
    if clear_first:
        put(clear)
    following, word = stop + 1, b""
    for i in range(len(data)):
        longer = word + data[i:i + 1]
        if longer in table:
            word = longer
            continue
        put(table[word])
        if following < 4096:
            table[longer] = following
            if following == 1 << width:
                width += 1
            following += 1
        elif clear_when_full:
            put(clear)
            reset()
            following = stop + 1
        word = data[i:i + 1]
    if word:
        put(table[word])
        if following == 1 << width and width < 12:
            width += 1          # the decoder has added an entry by now
    if end:
        put(stop)
    if count:
        out.append(held & 255)
    return bytes(out)


def blocks(data, size=255):
    return b"".join(bytes((len(data[i:i + size]),)) + data[i:i + size]
                    for i in range(0, len(data), size)) + b"\0"


def table(colours):
    return b"".join(bytes(c) for c in colours)


def table_bits(colours):
    return max(1, (len(colours) - 1).bit_length())


def header(w=W, h=H, colours=None, version=b"89a", background=0):
    flags = 0x80 | table_bits(colours) - 1 if colours else 0
    return (b"GIF" + version + struct.pack("<HHBBB", w, h, flags | 0x70, background, 0) +
            (table(colours) if colours else b""))


def control(dispose=0, delay=10, transparent=None):
    """Graphic control extension; the delay counts hundredths of a second."""
    flags = dispose << 2 | (transparent is not None)
    return b"!\xf9\x04" + struct.pack("<BHB", flags, delay, transparent or 0) + b"\0"


def loop(n, name=LOOP_NETSCAPE):
    return b"!\xff\x0b" + name + b"\x03\x01" + struct.pack("<H", n) + b"\0"


def frame(data, x=0, y=0, w=W, h=H, bits=4, colours=None, interlaced=False, sub_block=255, **how):
    if interlaced:
        order = [r for start, step in ((0, 8), (4, 8), (2, 4), (1, 2))
                 for r in range(start, h, step)]
        data = b"".join(data[r * w:(r + 1) * w] for r in order)
    flags = (0x80 | table_bits(colours) - 1 if colours else 0) | 0x40 * interlaced
    return (b"," + struct.pack("<HHHHB", x, y, w, h, flags) +
            (table(colours) if colours else b"") + bytes((max(bits, 2),)) +
            blocks(lzw(data, max(bits, 2), **how), sub_block))


SIXTEEN = draw.palette(16)
PICTURE = draw.indices(16)


def still(bits=4, **how):
    colours = draw.palette(1 << bits)
    return header(colours=colours) + frame(draw.indices(1 << bits), bits=bits, **how) + b";"


def patch(index, w, h):
    """A frame's pixels: one colour, its left column in colour 15."""
    return (b"\x0f" + bytes((index,)) * (w - 1)) * h


def animation(dispose, loops=None, delay=10, name=LOOP_NETSCAPE, transparent=15):
    """The whole picture, then three patches on it."""
    out = header(colours=SIXTEEN) + (b"" if loops is None else loop(loops, name))
    out += control(KEEP, delay) + frame(PICTURE)
    for index, (x, y, w, h) in enumerate(((4, 4, 12, 8), (10, 8, 14, 10), (0, 12, 10, 12))):
        out += control(dispose, delay + index, transparent)
        out += frame(patch(index * 4 + 2, w, h), x, y, w, h)
    return out + b";"


def application(name, data):
    return b"!\xff\x0b" + name + data


def images():
    yield "still-87a", header(colours=SIXTEEN, version=b"87a") + frame(PICTURE) + b";"
    yield "still-89a", still()
    for bits in (1, 2, 3, 5, 8):
        yield "colours-%d" % (1 << bits), still(bits)
    yield "one-pixel", header(1, 1, SIXTEEN) + frame(b"\x0f", w=1, h=1) + b";"
    yield "interlaced", still(interlaced=True)
    for h in (1, 3, 5):
        yield "interlaced-height-%d" % h, header(9, h, SIXTEEN) + frame(
            draw.indices(16, 9, h), w=9, h=h, interlaced=True) + b";"
    yield "local-palette", header() + frame(PICTURE, colours=SIXTEEN) + b";"
    yield "local-over-global-palette", header(colours=draw.palette(4)) + frame(
        PICTURE, colours=SIXTEEN) + b";"
    yield "transparent", header(colours=SIXTEEN) + control(transparent=15) + frame(PICTURE) + b";"
    yield "background-not-painted", header(colours=SIXTEEN, background=15) + frame(
        draw.indices(16, 16, 12), 8, 6, 16, 12) + b";"
    noisy = draw.noise(96 * 64, 256)
    wide = header(96, 64, draw.palette(256))
    yield "lzw-table-full-cleared", wide + frame(noisy, w=96, h=64, bits=8) + b";"
    yield "lzw-table-full-kept", wide + frame(noisy, w=96, h=64, bits=8, clear_when_full=False) + b";"
    yield "lzw-no-first-clear", still(clear_first=False)
    yield "lzw-no-end-code", still(end=False)
    yield "sub-blocks-of-1", still(sub_block=1)
    yield "min-code-size-8-of-4", header(colours=SIXTEEN) + frame(PICTURE, bits=8) + b";"
    yield "palette-index-past-end", header(colours=draw.palette(8)) + frame(PICTURE) + b";"

    yield "animated-dispose-none", animation(0, 0)
    yield "animated-dispose-keep", animation(KEEP, 0)
    yield "animated-dispose-background", animation(BACKGROUND, 0)
    yield "animated-dispose-previous", animation(PREVIOUS, 0)
    yield "animated-opaque", animation(KEEP, 0, transparent=None)
    yield "loop-none", animation(KEEP)
    yield "loop-1", animation(KEEP, 1)
    yield "loop-3", animation(KEEP, 3)
    yield "loop-animexts", animation(KEEP, 5, name=LOOP_ANIMEXTS)
    yield "loop-two-last-wins", animation(KEEP, 2).replace(loop(2), loop(7) + loop(2))
    yield "delay-0", animation(KEEP, 0, delay=0)
    yield "first-frame-transparent", (
        header(colours=SIXTEEN) + control(BACKGROUND, transparent=15) + frame(PICTURE) +
        control(KEEP) + frame(patch(3, 12, 8), 4, 4, 12, 8) + b";")
    yield "first-frame-previous", (
        header(colours=SIXTEEN) + control(PREVIOUS) + frame(PICTURE) +
        control(KEEP) + frame(patch(3, 12, 8), 4, 4, 12, 8) + b";")
    yield "frame-partly-outside", header(colours=SIXTEEN) + frame(PICTURE, x=20, y=14) + b";"
    yield "frame-wholly-outside", header(colours=SIXTEEN) + frame(PICTURE) + control(KEEP) + frame(
        patch(3, 12, 8), 40, 30, 12, 8) + b";"
    yield "screen-0x0", header(0, 0, SIXTEEN) + frame(PICTURE) + b";"
    yield "control-twice", header(colours=SIXTEEN) + control(transparent=1) + control(
        transparent=15) + frame(PICTURE) + b";"

    yield "comment", header(colours=SIXTEEN) + b"!\xfe" + blocks(b"; this is no trailer ;") + frame(PICTURE) + b";"
    yield "plain-text", header(colours=SIXTEEN) + b"!\x01\x0c" + struct.pack(
        "<HHHHBBBB", 0, 0, W, H, 8, 8, 1, 0) + blocks(b"text") + frame(PICTURE) + b";"
    magic = b"\x01" + bytes(range(255, -1, -1)) + b"\0"
    yield "xmp", header(colours=SIXTEEN) + application(b"XMP DataXMP", meta.XMP + magic) + frame(PICTURE) + b";"
    yield "icc", header(colours=SIXTEEN) + application(
        b"ICCRGBG1012", blocks(meta.icc_swapped())) + frame(PICTURE) + b";"
    yield "trailing-zeros", still() + bytes(100)
    yield "no-trailer", still()[:-1]
