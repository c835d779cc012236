"""JPEG: libjpeg codes the picture; markers are added and changed here."""
import struct

import draw
import meta
from encode import encode

SOI, EOI = b"\xff\xd8", b"\xff\xd9"
W, H = 40, 30           # no multiple of a block: the edges count


def rgb(w=W, h=H, **options):
    return encode("jpeg", w, h, 3, draw.rgb(w, h), **options)


def segment(marker, payload):
    return bytes((0xff, marker)) + struct.pack(">H", len(payload) + 2) + payload


def insert(image, *segments):
    """Segments right after SOI, or after the JFIF segment if there is one."""
    at = 2
    if image[2:4] == b"\xff\xe0":
        at = 4 + struct.unpack(">H", image[4:6])[0]
    return image[:at] + b"".join(segments) + image[at:]


def exif_segment(tiff):
    return segment(0xe1, b"Exif\0\0" + tiff)


def xmp_segment(xmp):
    return segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0" + xmp)


def icc_segments(profile, parts):
    size = -(-len(profile) // parts)
    return [segment(0xe2, b"ICC_PROFILE\0" + bytes((i + 1, parts)) +
                    profile[i * size:(i + 1) * size]) for i in range(parts)]


def segments(image):
    """(marker, offset, end) of every segment up to the first SOS."""
    at = 2
    while True:
        marker = image[at + 1]
        end = at + 2 + struct.unpack(">H", image[at + 2:at + 4])[0]
        yield marker, at, end
        if marker == 0xda:
            return
        at = end


def find(image, *markers):
    return next((at, end) for m, at, end in segments(image) if m in markers)


def patch(image, at, data):
    return image[:at] + data + image[at + len(data):]


def without(image, *markers):
    """The image without the segments that have one of these markers."""
    gone = [(at, end) for m, at, end in segments(image) if m in markers]
    for at, end in reversed(gone):
        image = image[:at] + image[end:]
    return image


def frame_height(image, height):
    at, _ = find(image, 0xc0, 0xc1, 0xc2)
    return patch(image, at + 5, struct.pack(">H", height))


def dnl():
    """SOF says height 0; a DNL segment after the scan says how many lines."""
    image = frame_height(rgb(), 0)
    assert image.endswith(EOI)
    return image[:-2] + segment(0xdc, struct.pack(">H", H)) + EOI


def fill_bytes():
    """Two more FF before every marker that is outside of the scan."""
    image, out = rgb(), SOI
    for _, at, end in segments(image):
        out += b"\xff\xff" + image[at:end]
        rest = image[end:]
    return out + rest[:-2] + b"\xff\xff" + EOI


def images():
    plain = rgb(sampling="22,11,11")
    thumbnail = rgb(16, 12, quality=50)
    big = meta.icc_swapped(padding=300)
    yield "baseline-444", rgb()
    yield "baseline-422", rgb(sampling="21,11,11")
    yield "baseline-440", rgb(sampling="12,11,11")
    yield "baseline-420", plain
    yield "baseline-411", rgb(sampling="41,11,11")
    yield "baseline-410", rgb(sampling="42,11,11")
    yield "sampling-uneven", rgb(sampling="22,12,21")
    yield "optimized-tables", rgb(optimize=1)
    yield "one-pixel", rgb(1, 1)
    yield "one-column", rgb(1, 30, sampling="22,11,11")
    yield "one-row", rgb(40, 1, sampling="22,11,11")
    yield "quality-100", rgb(quality=100)
    yield "extended-16-bit-quantisation", rgb(quality=1, baseline=0)
    yield "not-interleaved", rgb(one_by_one=1, sampling="22,11,11")
    yield "progressive", rgb(progressive=1, sampling="22,11,11")
    yield "progressive-444", rgb(progressive=1)
    yield "progressive-gray", encode("jpeg", W, H, 1, draw.gray(W, H), progressive=1)
    yield "arithmetic", rgb(arithmetic=1, sampling="22,11,11")
    yield "arithmetic-progressive", rgb(arithmetic=1, progressive=1)
    yield "restart", rgb(restart=2)
    yield "restart-420", rgb(restart=1, sampling="22,11,11")
    yield "restart-progressive", rgb(restart=3, progressive=1)
    yield "gray", encode("jpeg", W, H, 1, draw.gray(W, H))
    yield "gray-sampling-22", encode("jpeg", W, H, 1, draw.gray(W, H), sampling="22")
    yield "rgb-adobe", rgb(space="rgb")
    yield "rgb-component-letters", rgb(space="rgb", adobe=0)
    yield "no-jfif", rgb(jfif=0)
    yield "cmyk-adobe", encode("jpeg", W, H, 4, draw.inverted(draw.cmyk(W, H)))
    yield "cmyk-plain", encode("jpeg", W, H, 4, draw.cmyk(W, H), adobe=0)
    yield "ycck-adobe", encode("jpeg", W, H, 4, draw.inverted(draw.cmyk(W, H)),
                               space="ycck")
    yield "ycck-420", encode("jpeg", W, H, 4, draw.inverted(draw.cmyk(W, H)),
                             space="ycck", sampling="22,11,11,22")
    for o in range(1, 9):
        yield "orientation-%d" % o, insert(plain, exif_segment(meta.exif(o)))
    yield "exif-big-endian", insert(plain, exif_segment(meta.exif(3, order=">")))
    yield "exif-orientation-9", insert(plain, exif_segment(meta.exif(9)))
    yield "exif-thumbnail", insert(plain, exif_segment(meta.exif(1, thumbnail)))
    yield "icc", insert(plain, *icc_segments(meta.icc_swapped(), 1))
    yield "icc-multipart", insert(plain, *icc_segments(big, 3))
    yield "icc-multipart-unordered", insert(plain, *icc_segments(big, 3)[::-1])
    yield "xmp", insert(plain, xmp_segment(meta.XMP))
    yield "no-huffman-tables", without(plain, 0xc4)
    yield "comment", insert(plain, segment(0xfe, b"FF D9 in a comment: \xff\xd9"))
    yield "dnl", dnl()
    yield "fill-bytes", fill_bytes()
    yield "trailing-zeros", plain + bytes(100)
    yield "trailing-image", plain + thumbnail
    yield "no-eoi", plain[:-2]
