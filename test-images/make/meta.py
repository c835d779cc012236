"""Metadata: Exif, ICC profiles and XMP, as small as they can be."""
import struct


def exif(orientation=None, thumbnail=None, order="<"):
    """A TIFF structure: IFD0 with the orientation, IFD1 with a JPEG thumbnail."""
    entries = []
    if orientation is not None:
        entries.append(struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0))
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    ifd0 = struct.pack(order + "H", len(entries)) + b"".join(entries)
    after = len(head) + len(ifd0) + 4
    if thumbnail is None:
        return head + ifd0 + struct.pack(order + "I", 0)
    at = after + 2 + 3 * 12 + 4
    ifd1 = struct.pack(order + "H", 3) + b"".join((
        struct.pack(order + "HHIHH", 0x0103, 3, 1, 6, 0),       # Compression: JPEG
        struct.pack(order + "HHII", 0x0201, 4, 1, at),
        struct.pack(order + "HHII", 0x0202, 4, 1, len(thumbnail))))
    return (head + ifd0 + struct.pack(order + "I", after) + ifd1 +
            struct.pack(order + "I", 0) + thumbnail)


def s15f16(*values):
    return b"".join(struct.pack(">i", round(v * 65536)) for v in values)


# sRGB's primaries, adapted to D50.
RED, GREEN, BLUE = ((0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971),
                    (0.1431, 0.0606, 0.7141))


def icc_swapped(padding=0):
    """An RGB profile, gamma 2.2, that has red and green exchanged.

    Whoever applies it shows the red corner green; whoever does not, does not.
    """
    name = b"red and green exchanged\0"
    desc = (b"desc" + bytes(4) + struct.pack(">I", len(name)) + name + bytes(78))
    curve = b"curv" + bytes(4) + struct.pack(">IH", 1, round(2.2 * 256))
    tags = {
        b"desc": desc, b"cprt": b"text" + bytes(4) + b"CC0\0",
        b"wtpt": b"XYZ " + bytes(4) + s15f16(0.9642, 1.0, 0.8249),
        b"rXYZ": b"XYZ " + bytes(4) + s15f16(*GREEN),
        b"gXYZ": b"XYZ " + bytes(4) + s15f16(*RED),
        b"bXYZ": b"XYZ " + bytes(4) + s15f16(*BLUE),
        b"rTRC": curve, b"gTRC": curve, b"bTRC": curve,
    }
    if padding:
        tags[b"note"] = b"text" + bytes(4) + b"." * padding + b"\0"
    table, data = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for tag, value in tags.items():
        table += tag + struct.pack(">II", start + len(data), len(value))
        data += value + bytes(-len(value) % 4)
    header = bytearray(128)
    header[0:4] = struct.pack(">I", start + len(data))
    header[8:12] = b"\x02\x10\0\0"                              # version 2.1
    header[12:24] = b"mntrRGB XYZ "
    header[24:36] = struct.pack(">6H", 2020, 1, 1, 0, 0, 0)
    header[36:40] = b"acsp"
    header[68:80] = s15f16(0.9642, 1.0, 0.8249)
    return bytes(header) + table + data


XMP = (b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>'
       b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
       b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
       b'<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" '
       b'dc:format="test"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>')
