"""Looks at images that the program has written.

pixels.py same DIR      every DIR/NAME.png has the pixels of DIR/NAME.pam; read
                        here by the book, not by the program
pixels.py form FILE...  colour type and depth of PNG files, a line each
pixels.py psnr A B      of two PAM files, in dB: of what is seen on white
pixels.py upright A N B  B.pam is A.pam as orientation N shows it
pixels.py size FILE...  width and height of PAM files, a line each
"""

import math
import os
import struct
import sys
import zlib

SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no signature"
    at = 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        crc = struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]
        assert zlib.crc32(name + body) == crc, "CRC of %r" % name
        yield name, body
        at += 12 + size
    assert at == len(data) and name == b"IEND", "an odd end"


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def unfiltered(raw, size, bpp, height):
    above = bytes(size)
    for y in range(height):
        kind, row = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:][:size])
        for i in range(size):
            a = row[i - bpp] if i >= bpp else 0
            c = above[i - bpp] if i >= bpp else 0
            b = above[i]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) & 255
        yield row
        above = row


def head_of(data):
    name, body = next(chunks(data))
    assert name == b"IHDR" and body[10:] == b"\0\0\0", "IHDR"
    return struct.unpack(">IIBB", body[:10])


def png_pixels(data):
    """Width, height, most of a sample, and RGBA as a list of numbers."""
    width, height, depth, color = head_of(data)
    parts = list(chunks(data))
    raw = zlib.decompress(b"".join(b for n, b in parts if n == b"IDAT"))
    parts = dict(parts)
    bits = depth * SAMPLES[color]
    size = (width * bits + 7) // 8
    assert len(raw) == (size + 1) * height, "rows"
    pixels = []
    most = 65535 if depth == 16 else 255
    for row in unfiltered(raw, size, (bits + 7) // 8, height):
        if depth == 16:
            s = struct.unpack(">%dH" % (size // 2), row)
        else:
            s = [row[i * depth // 8] >> (8 - depth - i * depth % 8) & ((1 << depth) - 1)
                 for i in range(width * SAMPLES[color])]
        if color == 3:
            plte, trns = parts[b"PLTE"], parts.get(b"tRNS", b"")
            for i in s:
                pixels += plte[3 * i:3 * i + 3]
                pixels.append(trns[i] if i < len(trns) else 255)
            continue
        if depth < 8:
            s = [v * 255 // ((1 << depth) - 1) for v in s]
        n = SAMPLES[color]
        for i in range(0, len(s), n):
            if n < 3:
                pixels += [s[i]] * 3
            else:
                pixels += s[i:i + 3]
            pixels.append(s[i + n - 1] if n in (2, 4) else most)
    return width, height, most, pixels


def pam_pixels(data):
    end = data.index(b"ENDHDR\n") + 7
    head = dict(line.split(" ", 1) for line in data[:end].decode().split("\n")
                if " " in line)
    width, height, most = (int(head[k]) for k in ("WIDTH", "HEIGHT", "MAXVAL"))
    count = 4 * width * height
    return width, height, most, list(struct.unpack(
        ">%d%s" % (count, "H" if most > 255 else "B"), data[end:]))


def read(path):
    with open(path, "rb") as f:
        return f.read()


def same(folder):
    count = 0
    for name in sorted(os.listdir(folder)):
        stem, suffix = os.path.splitext(name)
        path = os.path.join(folder, stem)
        if suffix == ".png":
            assert png_pixels(read(path + ".png")) == pam_pixels(
                read(path + ".pam")), path
            count += 1
    print(count)


def on_white(pixels):
    for i in range(0, len(pixels), 4):
        a = pixels[i + 3]
        for v in pixels[i:i + 3]:
            yield (v * a + 255 * (255 - a)) / 255


def psnr(a, b):
    a, b = pam_pixels(read(a)), pam_pixels(read(b))
    assert a[:3] == b[:3], "sizes differ"
    error = sum((x - y) ** 2 for x, y in zip(on_white(a[3]), on_white(b[3])))
    if error == 0:
        return 99
    return int(10 * math.log10(255 ** 2 * 3 * a[0] * a[1] / error))


# Of Exif: where in the stored image what is shown at (x, y) stands.
SHOWN = {
    1: lambda x, y, w, h: (x, y),
    2: lambda x, y, w, h: (w - 1 - x, y),
    3: lambda x, y, w, h: (w - 1 - x, h - 1 - y),
    4: lambda x, y, w, h: (x, h - 1 - y),
    5: lambda x, y, w, h: (y, x),
    6: lambda x, y, w, h: (y, h - 1 - x),
    7: lambda x, y, w, h: (w - 1 - y, h - 1 - x),
    8: lambda x, y, w, h: (w - 1 - y, x),
}


def upright(stored, orientation, shown):
    w, h, _, a = pam_pixels(read(stored))
    width, height, _, b = pam_pixels(read(shown))
    assert (width, height) == ((h, w) if orientation > 4 else (w, h)), "size"
    for y in range(height):
        for x in range(width):
            sx, sy = SHOWN[orientation](x, y, w, h)
            i, j = 4 * (sy * w + sx), 4 * (y * width + x)
            assert a[i:i + 4] == b[j:j + 4], (x, y)


command, words = sys.argv[1], sys.argv[2:]
if command == "same":
    same(words[0])
elif command == "psnr":
    print(psnr(*words))
elif command == "upright":
    upright(words[0], int(words[1]), words[2])
elif command == "form":
    for word in words:
        print(*head_of(read(word))[:1:-1])
elif command == "size":
    for word in words:
        print(*pam_pixels(read(word))[:2])
