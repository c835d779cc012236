"""WebP: libwebp codes the pictures; the RIFF around them is built here."""
import struct

import draw
import meta
from encode import encode

W, H = draw.WIDTH, draw.HEIGHT
ANIMATION, XMP, EXIF, ALPHA, ICC = 2, 4, 8, 16, 32     # flags of VP8X


def chunk(kind, data):
    return kind + struct.pack("<I", len(data)) + data + bytes(len(data) & 1)


def riff(*chunks):
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def u24(n):
    return struct.pack("<I", n)[:3]


def vp8x(flags, w=W, h=H):
    return chunk(b"VP8X", bytes((flags, 0, 0, 0)) + u24(w - 1) + u24(h - 1))


def coded(pixels, w=W, h=H, **options):
    return encode("webp", w, h, 4, pixels, **options)


def chunks(image):
    """(kind, whole chunk) of each chunk."""
    at, out = 12, []
    while at < len(image):
        size = struct.unpack("<I", image[at + 4:at + 8])[0]
        out.append((image[at:at + 4], image[at:at + 8 + size + (size & 1)]))
        at += 8 + size + (size & 1)
    return out


def pixels_of(image):
    """The chunks that hold the pixels: ALPH, VP8 or VP8L."""
    return b"".join(c for kind, c in chunks(image) if kind in (b"ALPH", b"VP8 ", b"VP8L"))


def solid(w, h, colour):
    """One colour, its left column transparent."""
    return (bytes(4) + bytes(colour) * (w - 1)) * h


FRAMES = (      # x, y (even), width, height, colour
    (4, 4, 12, 8, (255, 0, 0, 255)),
    (10, 8, 14, 10, (0, 255, 0, 128)),
    (0, 12, 10, 12, (0, 0, 255, 255)),
)


def anmf(data, x=0, y=0, w=W, h=H, duration=100, dispose=0, no_blend=0):
    return chunk(b"ANMF", u24(x // 2) + u24(y // 2) + u24(w - 1) + u24(h - 1) +
                 u24(duration) + bytes((no_blend << 1 | dispose,)) + data)


def animation(dispose=0, no_blend=0, lossless=(1, 1, 1, 1), loop=0, frames=FRAMES):
    parts = [anmf(pixels_of(coded(draw.rgba(), lossless=lossless[0], quality=90)))]
    for i, (x, y, w, h, colour) in enumerate(frames):
        image = coded(solid(w, h, colour), w, h, lossless=lossless[i + 1], quality=90)
        parts.append(anmf(pixels_of(image), x, y, w, h, 100 + 10 * i, dispose, no_blend))
    return riff(vp8x(ANIMATION | ALPHA), chunk(b"ANIM", bytes((255, 255, 255, 255)) +
                struct.pack("<H", loop)), *parts)


def images():
    lossy, lossless = coded(draw.rgbx()), coded(draw.rgbx(), lossless=1)
    alpha = coded(draw.rgba())
    yield "lossy", lossy
    yield "lossy-odd-size", coded(draw.rgbx(31, 23), 31, 23)
    yield "lossy-one-pixel", coded(draw.rgbx(1, 1), 1, 1)
    yield "lossy-simple-filter", coded(draw.rgbx(), strong=0, quality=20)
    yield "lossy-8-partitions", coded(draw.rgbx(), partitions=3)
    yield "lossy-alpha", alpha
    yield "lossy-alpha-raw", coded(draw.rgba(), alpha_compression=0)
    yield "lossy-alpha-filtered", coded(draw.rgba(), alpha_filtering=2)
    yield "lossless", lossless
    yield "lossless-alpha", coded(draw.rgba(), lossless=1)
    yield "lossless-one-pixel", coded(draw.rgbx(1, 1), 1, 1, lossless=1)
    yield "lossless-4-colours", coded(
        draw.pixels(W, H, lambda x, y: draw.palette(4)[draw.index_at(x, y, W, H, 4)] + (255,)),
        lossless=1)
    # The bit that says there is alpha is off, though the pixels have it: opaque.
    at = 12 + 8 + 4
    image = bytearray(coded(draw.rgba(), lossless=1))
    image[at] &= ~0x10
    yield "lossless-alpha-bit-off", bytes(image)
    yield "extended", riff(vp8x(0), pixels_of(lossy))
    # The flag is there, the alpha is not.
    yield "extended-alpha-flag-only", riff(vp8x(ALPHA), pixels_of(lossy))
    yield "icc", riff(vp8x(ICC), chunk(b"ICCP", meta.icc_swapped()), pixels_of(lossy))
    yield "icc-lossless", riff(vp8x(ICC), chunk(b"ICCP", meta.icc_swapped()), pixels_of(lossless))
    yield "exif-orientation-6", riff(vp8x(EXIF), pixels_of(lossy), chunk(b"EXIF", meta.exif(6)))
    yield "xmp", riff(vp8x(XMP), pixels_of(lossless), chunk(b"XMP ", meta.XMP))
    yield "unknown-chunk", riff(vp8x(0), chunk(b"teSt", b"odd"), pixels_of(lossy))
    yield "animated-lossless", animation()
    yield "animated-lossy", animation(lossless=(0, 0, 0, 0))
    yield "animated-mixed", animation(lossless=(0, 1, 0, 1))
    yield "animated-dispose-background", animation(dispose=1)
    yield "animated-no-blend", animation(no_blend=1)
    yield "animated-loop-3", animation(loop=3)
    yield "animated-one-frame", animation(frames=())
    yield "trailing-zeros", lossy + bytes(100)
