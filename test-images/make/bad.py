"""What must not pass for a whole image; the file's name says why."""
import struct
import zlib

import draw
import gif
import jpeg
import png
import webp


def flip(data, at):
    return data[:at] + bytes((data[at] ^ 0x55,)) + data[at + 1:]


def jpegs():
    plain = jpeg.rgb(sampling="22,11,11")
    scan = jpeg.find(plain, 0xda)[1]
    sof = jpeg.find(plain, 0xc0)[0]
    yield "cut-in-header", plain[:sof + 4]
    yield "cut-in-scan", plain[:(scan + len(plain)) // 2]
    yield "cut-progressive", jpeg.rgb(progressive=1)[:-200]
    yield "only-soi", plain[:2]
    yield "no-scan", plain[:jpeg.find(plain, 0xda)[0]] + jpeg.EOI
    yield "width-0", jpeg.patch(plain, sof + 7, b"\0\0")
    yield "height-0-without-dnl", jpeg.frame_height(plain, 0)
    yield "no-components", plain[:sof] + jpeg.segment(
        0xc0, b"\x08" + struct.pack(">HHB", jpeg.H, jpeg.W, 0)) + plain[sof + 19:]
    yield "no-quantisation-tables", jpeg.without(plain, 0xdb)
    at = jpeg.find(plain, 0xc4)[0]
    yield "huffman-lengths-impossible", jpeg.patch(plain, at + 5, b"\x03\x05")
    yield "sampling-factor-0", jpeg.patch(plain, sof + 11, b"\x20")
    yield "component-without-scan", jpeg.rgb(one_by_one=1)[:-2].rsplit(b"\xff\xda", 1)[0] + jpeg.EOI
    yield "marker-in-scan", plain[:scan + 40] + b"\xff\xd9" + plain[scan + 42:]
    yield "twelve-bit", jpeg.patch(plain, sof, b"\xff\xc1\0\x11\x0c")
    yield "lossless-process", jpeg.patch(plain, sof, b"\xff\xc3")


def pngs():
    plain = png.png(png.RGB, 8)
    idat = plain.index(b"IDAT")
    data = png.raw(png.W, png.H, 8, png.RGB)
    packed = zlib.compress(data, 9)
    yield "cut-in-ihdr", plain[:20]
    yield "cut-in-idat", plain[:(idat + len(plain)) // 2]
    yield "cut-before-idat", plain[:idat - 4]
    yield "only-signature", plain[:8]
    yield "ihdr-bad-crc", flip(plain, 30)
    yield "idat-bad-crc", flip(plain, len(plain) - 13)
    yield "idat-missing", png.png(png.RGB, 8, idat=b"")
    yield "idat-too-short", png.png(png.RGB, 8, data=zlib.compress(data[:len(data) // 2]))
    # A block of type 3, which there is not.
    yield "deflate-block-type-3", png.png(png.RGB, 8, data=packed[:2] + b"\x07" + packed[3:])
    yield "zlib-bad-adler", png.png(png.RGB, 8, data=flip(packed, len(packed) - 1))
    yield "zlib-header-wrong", png.png(png.RGB, 8, data=flip(packed, 0))
    yield "filter-5", png.png(png.RGB, 8, data=zlib.compress(b"\5" + data[1:]))
    yield "width-0", png.SIGNATURE + png.ihdr(0, png.H, 8, png.RGB) + plain[33:]
    yield "width-2-to-the-31", png.SIGNATURE + png.ihdr(1 << 31, png.H, 8, png.RGB) + plain[33:]
    yield "depth-3", png.SIGNATURE + png.ihdr(png.W, png.H, 3, png.GRAY) + plain[33:]
    yield "colour-type-5", png.SIGNATURE + png.ihdr(png.W, png.H, 8, 5) + plain[33:]
    yield "palette-missing", png.png(png.PALETTE, 4, palette=b"")
    yield "ihdr-missing", plain[:8] + plain[33:]
    yield "bomb", png.SIGNATURE + png.ihdr(60000, 60000, 8, png.RGBA) + plain[33:]
    yield "critical-unknown-chunk", png.png(png.RGB, 8, extra=png.chunk(b"TeSt", b"?"))


def gifs():
    still = gif.still()
    moving = gif.animation(gif.KEEP, 0)
    at = still.index(b",")
    yield "cut-in-header", still[:10]
    yield "cut-in-palette", still[:30]
    yield "cut-in-pixels", still[:-40]
    yield "cut-in-frame-3", moving[:-30]
    yield "no-frame", still[:at] + b";"
    yield "frame-0x0", still[:at + 5] + bytes(4) + still[at + 9:]
    yield "min-code-size-12", still[:at + 10] + b"\x0c" + still[at + 11:]
    # Clear, then a code that is not in the table yet.
    yield "lzw-code-unknown", still[:at + 11] + b"\x02\xf0\x7f\0;"
    yield "lzw-too-few-pixels", gif.header(colours=gif.SIXTEEN) + gif.frame(
        gif.PICTURE[:200]) + b";"
    yield "lzw-no-pixels", still[:at + 11] + b"\0;"
    yield "block-unknown", still[:at] + b"?" + still[at:]


def webps():
    lossy, lossless = webp.coded(draw.rgbx()), webp.coded(draw.rgbx(), lossless=1)
    moving = webp.animation()
    yield "cut-in-vp8", lossy[:len(lossy) // 2]
    yield "cut-in-vp8l", lossless[:len(lossless) // 2]
    yield "cut-in-frame-3", moving[:-30]
    yield "only-riff", webp.riff()
    yield "vp8-start-code-wrong", flip(lossy, 12 + 8 + 3)
    yield "vp8l-signature-wrong", flip(lossless, 12 + 8)
    yield "vp8l-version-7", lossless[:24] + bytes((lossless[24] | 0xe0,)) + lossless[25:]
    yield "extended-without-pixels", webp.riff(webp.vp8x(0))
    yield "extended-size-differs", webp.riff(webp.vp8x(0, 64, 64), webp.pixels_of(lossy))
    yield "animation-without-frames", webp.riff(
        webp.vp8x(webp.ANIMATION), webp.chunk(b"ANIM", bytes(6)))
    yield "frame-outside-canvas", webp.riff(
        webp.vp8x(webp.ANIMATION), webp.chunk(b"ANIM", bytes(6)),
        webp.anmf(webp.pixels_of(lossless), 16, 16))
    yield "riff-size-too-small", lossy[:4] + struct.pack("<I", 20) + lossy[8:]


NO_IMAGES = (
    ("text-that-poses.jpg", b"This is plain text, whatever its name says.\n"),
    ("page-that-poses.gif", b"<!DOCTYPE html>\n<title>no image</title>\n"),
    ("empty.png", b""),
)


def files():
    """(name, bytes)"""
    for kind, ending in ((jpegs, "jpg"), (pngs, "png"), (gifs, "gif"), (webps, "webp")):
        for name, data in kind():
            yield "%s.%s" % (name, ending), data
    yield from NO_IMAGES
