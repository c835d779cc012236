"""Formats that are only named, and a good image under a wrong name.

BMP, ICO, TIFF, QOI and PSD are whole images of few pixels; of the others only
the first bytes are there, which is all that naming them takes.
"""
import struct

import draw
import png


def bmp():
    w, h = 4, 3
    rows = [draw.rgb(w, h)[y * w * 3:(y + 1) * w * 3] for y in range(h)]
    data = b"".join(r[i:i + 3][::-1] for r in reversed(rows) for i in range(0, w * 3, 3))
    return (b"BM" + struct.pack("<IHHI", 54 + len(data), 0, 0, 54) +
            struct.pack("<IiiHHIIiiII", 40, w, h, 1, 24, 0, len(data), 2835, 2835, 0, 0) + data)


def ico():
    image = png.png(png.RGBA, 8, 16, 16)
    return struct.pack("<HHH", 0, 1, 1) + struct.pack(
        "<BBBBHHII", 16, 16, 0, 0, 1, 32, len(image), 22) + image


def tiff():
    """Gray, 4 x 3, one strip."""
    data = draw.gray(4, 3)
    tags = ((256, 3, 4), (257, 3, 3), (258, 3, 8), (259, 3, 1), (262, 3, 1),
            (273, 4, 8 + 2 + 9 * 12 + 4), (277, 3, 1), (278, 3, 3), (279, 4, len(data)))
    return (b"II*\0" + struct.pack("<IH", 8, len(tags)) +
            b"".join(struct.pack("<HHII", t, kind, 1, value) for t, kind, value in tags) +
            bytes(4) + data)


def qoi():
    """One pixel, RGBA."""
    return b"qoif" + struct.pack(">IIBB", 1, 1, 4, 0) + b"\xff\x10\x20\x30\x40" + bytes(7) + b"\x01"


def psd():
    """One gray pixel."""
    return b"8BPS" + struct.pack(">H6xHIIHH", 1, 1, 1, 1, 8, 1) + bytes(12) + b"\0\0\x80"


def ftyp(brand, *others):
    brands = b"".join(others)
    return struct.pack(">I", 16 + len(brands)) + b"ftyp" + brand + bytes(4) + brands


def files():
    """(name, bytes)"""
    yield "bmp.bmp", bmp()
    yield "ico.ico", ico()
    yield "tiff.tif", tiff()
    yield "qoi.qoi", qoi()
    yield "psd.psd", psd()
    yield "avif-first-bytes.avif", ftyp(b"avif", b"mif1", b"avif")
    yield "heic-first-bytes.heic", ftyp(b"heic", b"mif1", b"heic")
    yield "jxl-first-bytes.jxl", b"\xff\x0a\xfa\x1f"
    yield "jp2-first-bytes.jp2", b"\0\0\0\x0cjP  \r\n\x87\n" + ftyp(b"jp2 ", b"jp2 ")
    yield "png-named.jpg", png.png(png.RGB, 8)
