"""The pictures: small, smooth enough to compress, and none looks the same turned.

Every picture has a red block in its top left corner and a dark diagonal that
starts there; red grows to the right, green grows downwards.
"""

WIDTH, HEIGHT = 32, 24


def in_corner(x, y, w, h):
    return x * 4 < w and y * 4 < h


def pixels(w, h, colour):
    """The bytes of colour(x, y) for every pixel, row by row."""
    return b"".join(bytes(colour(x, y)) for y in range(h) for x in range(w))


def ramp(i, n, top=255):
    return top * i // max(n - 1, 1)


def rgb_at(x, y, w, h):
    if in_corner(x, y, w, h):
        return 255, 0, 0
    if abs(x * h - y * w) < w:
        return 16, 16, 48
    return ramp(x, w), ramp(y, h), 128


def alpha_at(x, y, w, h):
    """Transparent at the right edge; the corner is opaque."""
    return 255 if in_corner(x, y, w, h) else 255 - ramp(x, w)


def gray_at(x, y, w, h):
    if in_corner(x, y, w, h):
        return 255
    return ramp(x + 2 * y, w + 2 * h)


def rgb(w=WIDTH, h=HEIGHT):
    return pixels(w, h, lambda x, y: rgb_at(x, y, w, h))


def rgba(w=WIDTH, h=HEIGHT):
    return pixels(w, h, lambda x, y: rgb_at(x, y, w, h) + (alpha_at(x, y, w, h),))


def rgbx(w=WIDTH, h=HEIGHT):
    return pixels(w, h, lambda x, y: rgb_at(x, y, w, h) + (255,))


def gray(w=WIDTH, h=HEIGHT):
    return pixels(w, h, lambda x, y: (gray_at(x, y, w, h),))


def cmyk(w=WIDTH, h=HEIGHT):
    """Ink: 255 is a lot of it. Some black everywhere, so that K counts."""
    def at(x, y):
        r, g, b = rgb_at(x, y, w, h)
        return 255 - r, 255 - g, 255 - b, 40 + ramp(y, h, 80)
    return pixels(w, h, at)


def inverted(data):
    return bytes(255 - b for b in data)


def index_at(x, y, w, h, colours):
    if in_corner(x, y, w, h):
        return colours - 1
    return (x * colours // w + y * colours // h) % colours


def indices(colours, w=WIDTH, h=HEIGHT):
    return pixels(w, h, lambda x, y: (index_at(x, y, w, h, colours),))


def palette(colours):
    """RGB triples; the last one is red, the corner's colour."""
    some = [(ramp(i, colours), 255 - ramp(i, colours), i * 97 % 256)
            for i in range(colours - 1)]
    return some + [(255, 0, 0)]


def noise(n, top):
    """n numbers below top that look random and are always the same."""
    state, out = 1, []
    for _ in range(n):
        state = (state * 1103515245 + 12345) & 0x7fffffff
        out.append((state >> 16) % top)
    return bytes(out)
