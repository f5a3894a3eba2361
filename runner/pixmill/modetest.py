# SPDX-License-Identifier: GPL-2.0-or-later
"""Computes what a screen must show when modetest (libdrm tests/modetest) has filled its planes with test patterns.

The patterns and how they are stored in each format are those of libdrm tests/util/pattern.c and format.c. The display widens
components to eight bits by repeating their upper bits. The i.MX6's DP converts YUV and blends planes (linux
drivers/gpu/ipu-v3/ipu-dp.c); its rounding is unknown, so these results have a tolerance of 1.
"""

import collections
import re

from pixmill.picture import Picture

# ---- formats -----------------------------------------------------------------------------------

# Formats of RGB: bytes per pixel, then length and lowest bit of red, green, blue and alpha.
Rgb = collections.namedtuple("Rgb", "bytes red green blue alpha")


def _rgb_formats():
    """Returns {fourcc: Rgb}. The letters of a fourcc name the components from the highest bit on; digits give the size."""
    found = {}
    for order in ("AR", "XR", "AB", "XB", "RA", "RX", "BA", "BX"):
        for suffix, size, lengths in (("24", 4, (8, 8, 8, 8)), ("15", 2, (5, 5, 5, 1)), ("12", 2, (4, 4, 4, 4))):
            color, other = ("RGB" if "R" in order else "BGR"), order.strip("RB")
            letters = color + other if order[1] == other else other + color
            length = dict(zip("RGBAX", (*lengths, lengths[3])))
            place, at = {}, 8 * size
            for letter in letters:
                at -= length[letter]
                place[letter] = (length[letter], at)
            found[order + suffix] = Rgb(size, place["R"], place["G"], place["B"], place.get("A", (0, 0)))
    return found


RGB = {**_rgb_formats(), "RG16": Rgb(2, (5, 11), (6, 5), (5, 0), (0, 0)), "BG16": Rgb(2, (5, 0), (6, 5), (5, 11), (0, 0)),
       "RG24": Rgb(3, (8, 16), (8, 8), (8, 0), (0, 0)), "BG24": Rgb(3, (8, 0), (8, 8), (8, 16), (0, 0))}
# Formats of YUV: "packed" or "planar", and how many pixels share a chroma sample, across and down.
Yuv = collections.namedtuple("Yuv", "kind across down")
YUV = {"YUYV": Yuv("packed", 2, 1), "UYVY": Yuv("packed", 2, 1), "NV12": Yuv("planar", 2, 2), "NV16": Yuv("planar", 2, 1),
       "YU12": Yuv("planar", 2, 2), "YV12": Yuv("planar", 2, 2), "YU16": Yuv("planar", 2, 1), "YV16": Yuv("planar", 2, 1),
       "YU24": Yuv("planar", 1, 1), "YV24": Yuv("planar", 1, 1)}


def stored(component, value):
    """Returns a component of 8 bits as it is stored in this format and widened again."""
    length, _ = component
    return widened(value >> 8 - length, length) if length else 0


def widened(value, length):
    """Widens a component to 8 bits by repeating its bits, the highest ones first."""
    repeated, bits = value, length
    while bits < 8:
        repeated, bits = repeated << length | value, bits + length
    return repeated >> bits - 8


def rgb_word(form, red, green, blue, alpha):
    """Returns the word A8R8G8B8 for a color that is stored in the format. Without an alpha, a format is opaque."""
    opacity = stored(form.alpha, alpha) if form.alpha[0] else 255
    return opacity << 24 | stored(form.red, red) << 16 | stored(form.green, green) << 8 | stored(form.blue, blue)


def yuv_of(red, green, blue):
    """Converts with modetest's coefficients."""
    return ((66 * red + 129 * green + 25 * blue + 128 >> 8) + 16, (-38 * red - 74 * green + 112 * blue + 128 >> 8) + 128,
            (112 * red - 94 * green - 18 * blue + 128 >> 8) + 128)


# The DP's coefficients for BT.601, limited range: three rows with an offset each. Products have seven fractional bits, and the
# offsets one.
DP_BT601 = ((149, 0, 204, -446), (149, -50, -104, 266), (149, 255, 0, -554))


def yuv_word(luma, chroma_u, chroma_v):
    """Converts as the DP does."""
    word = 0xFF
    for a, b, c, offset in DP_BT601:
        word = word << 8 | max(0, min(255, a * luma + b * chroma_u + c * chroma_v + (offset << 6) + 64 >> 7))
    return word


# ---- patterns ----------------------------------------------------------------------------------

GREY, YELLOW, CYAN, GREEN, MAGENTA, RED, BLUE = ((192, 192, 192), (192, 192, 0), (0, 192, 192), (0, 192, 0), (192, 0, 192),
                                                 (192, 0, 0), (0, 0, 192))
BLACK = (19, 19, 19)
SMPTE_TOP = (GREY, YELLOW, CYAN, GREEN, MAGENTA, RED, BLUE)
SMPTE_MIDDLE = (BLUE, BLACK, MAGENTA, BLACK, CYAN, BLACK, GREY)
SMPTE_BOTTOM = ((0, 33, 76), (255, 255, 255), (50, 0, 106), BLACK, (9, 9, 9), BLACK, (29, 29, 29), BLACK)


def smpte(x, y, width, height):
    """Returns the color and the alpha at a place of the pattern "smpte"."""
    if y < height * 6 // 9:
        return *SMPTE_TOP[x * 7 // width], 255
    if y < height * 7 // 9:
        return *SMPTE_MIDDLE[x * 7 // width], 127
    if x < width * 5 // 7:
        return *SMPTE_BOTTOM[x * 4 // (width * 5 // 7)], 255
    if x < width * 6 // 7:
        return *SMPTE_BOTTOM[(x - width * 5 // 7) * 3 // (width // 7) + 4], 255
    return *SMPTE_BOTTOM[7], 255


def tiles(x, y, width, _):
    """Returns the color at a place of the pattern "tiles", and alpha 255."""
    quotient, rest = divmod(x + y, width)
    word = 0x130502 * (quotient >> 6) + 0x0A1120 * (rest >> 6)
    return word >> 16 & 255, word >> 8 & 255, word & 255, 255


PATTERNS = {"smpte": smpte, "tiles": tiles}


def rows_of_rgb(pattern, form, width, height):
    """Yields rows of words."""
    draw, known = PATTERNS[pattern], {}
    for y in range(height):
        # Rows of "smpte" between two limits are equal, and each row of "tiles" is the previous one, shifted to the left.
        key = (y >= height * 6 // 9) + (y >= height * 7 // 9) if pattern == "smpte" else y
        if key not in known and pattern == "tiles" and y:
            known[key] = known.pop(y - 1)[1:] + [rgb_word(form, *draw(width - 1, y, width, height))]
        elif key not in known:
            known[key] = [rgb_word(form, *draw(x, y, width, height)) for x in range(width)]
        row = known[key]
        if pattern == "tiles" and form.bytes == 4 and form.alpha[0] and y < height // 2:
            row = [word & 0xFFFFFF | 127 << 24 for word in row[:width // 2]] + row[width // 2:]
        yield row


def rows_of_yuv(pattern, form, width, height):
    """Yields rows of words."""
    if pattern == "tiles" and (width % 2 or height % 2):
        raise ValueError("tiles of YUV need an even size")
    known = {}
    for y in range(height):
        if pattern == "tiles":  # depends on the sum of x and y, except for pairs of columns and rows
            key = y % 2
            if key not in known:
                known[key] = yuv_row(pattern, form, key, width, height, width + height)
            yield known[key][y - key:y - key + width]
            continue
        key = [(row >= rows * 6 // 9) + (row >= rows * 7 // 9) for row, rows in ((y, height), (y // form.down, height // form.down))]
        if tuple(key) not in known:
            known[tuple(key)] = yuv_row(pattern, form, y, width, height, width)
        yield known[tuple(key)]


def yuv_row(pattern, form, y, width, height, count):
    """Returns the first `count` words of a row. modetest computes chroma samples at one of the pixels that share them: in "smpte" at
    the first one, with limits of its own for the rows of a chroma plane; in "tiles" at the last one, except in packed formats,
    where both pixels of a pair have all components of the first."""
    draw, across, down, row = PATTERNS[pattern], form.across, form.down, []
    for x in range(count):
        first = x // across * across
        luma, chroma = (x, y, width, height), (first, y, width, height)
        if pattern == "smpte":
            chroma = (first, y // down, width, height // down)
        elif form.kind == "packed":
            luma = chroma
        else:
            chroma = (first + across - 1, y // down * down + down - 1, width, height)
        row.append(yuv_word(yuv_of(*draw(*luma)[:3])[0], *yuv_of(*draw(*chroma)[:3])[1:]))
    return row


def layer(pattern, fourcc, width, height):
    """Returns the pattern as a Picture of words A8R8G8B8."""
    rows = rows_of_rgb(pattern, RGB[fourcc], width, height) if fourcc in RGB else rows_of_yuv(pattern, YUV[fourcc], width, height)
    return Picture(width, height, [word for row in rows for word in row])


def turned(picture, rotation):
    """Returns the picture after a rotation or reflection of DRM (linux drm_blend.c) that keeps its size."""
    rows = [picture.words[picture.width * y:picture.width * (y + 1)] for y in range(picture.height)]
    if rotation in ("rotate-180", "reflect-y"):
        rows.reverse()
    if rotation in ("rotate-180", "reflect-x"):
        rows = [row[::-1] for row in rows]
    elif rotation not in ("rotate-0", "reflect-y"):
        raise ValueError(f"the rotation {rotation} is unknown here")
    return Picture(picture.width, picture.height, [word for row in rows for word in row])


# ---- screens -----------------------------------------------------------------------------------

PLANE = re.compile(r"(\w+) (\w+) (\d+)x(\d+)\+(\d+)\+(\d+) ([\w-]+)")


class Plane:
    """A plane of a screen: "PATTERN FOURCC WIDTHxHEIGHT+X+Y ROTATION"."""

    def __init__(self, text):
        said = PLANE.fullmatch(text)
        if not said or said[1] not in PATTERNS or said[2] not in {**RGB, **YUV}:
            raise ValueError(f"no such plane: {text}")
        self.pattern, self.fourcc, self.rotation = said[1], said[2], said[7]
        self.width, self.height, self.x, self.y = map(int, said.groups()[2:6])

    @property
    def is_exact(self):
        """True if the hardware's documents leave no choice of rounding."""
        return self.fourcc in RGB

    def picture(self):
        return turned(layer(self.pattern, self.fourcc, self.width, self.height), self.rotation)


def blended(over, under):
    """Blends two words as the DP does, with the alpha of the upper one, of which 255 is opaque."""
    alpha = over >> 24
    if alpha == 255:
        return over
    share = alpha + (alpha >> 7)
    word = 0
    for shift in (16, 8, 0):
        word |= ((over >> shift & 255) * share + (under >> shift & 255) * (256 - share) >> 8) << shift
    return word


def screen(width, height, planes):
    """Returns (Picture, tolerance of a channel) of a screen with these planes, the lowest first. Parts without a plane are black."""
    words, exact = [0] * (width * height), True
    for number, plane in enumerate(planes):
        picture, known = plane.picture(), {}
        opaque = number == 0  # nothing is below
        exact = exact and plane.is_exact and (opaque or not RGB[plane.fourcc].alpha[0])
        for y in range(max(0, -plane.y), min(plane.height, height - plane.y)):
            count = min(plane.width, width - plane.x)
            row, at = picture.words[plane.width * y:plane.width * y + count], width * (plane.y + y) + plane.x
            if not opaque:
                pairs = zip(row, words[at:at + count])
                row = [known.get(pair) or known.setdefault(pair, blended(*pair)) for pair in pairs]
            words[at:at + count] = row
    return Picture(width, height, [word & 0xFFFFFF for word in words]), 0 if exact else 1


def complaint(seen, wanted, tolerance):
    """Returns a sentence about the pixels that differ by more than the tolerance in a channel; "" if there are none."""
    if not tolerance or (seen.width, seen.height) != (wanted.width, wanted.height):
        return seen.first_difference(wanted) or ""
    apart = {}

    def far(one, other):
        return max(abs((one >> shift & 255) - (other >> shift & 255)) for shift in (16, 8, 0))
    wrong = [i for i, pair in enumerate(zip(seen.words, wanted.words))
             if pair[0] != pair[1] and apart.setdefault(pair, far(*pair)) > tolerance]
    if not wrong:
        return ""
    y, x = divmod(wrong[0], seen.width)
    return (f"{len(wrong)} of {len(seen.words)} pixels differ by more than {tolerance}, by up to {max(apart.values())}, the first at "
            f"({x}, {y}): {seen.words[wrong[0]]:06x}, expected {wanted.words[wrong[0]]:06x}")
