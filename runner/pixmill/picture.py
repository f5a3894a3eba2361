# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads pictures (the BMP of libdrm's test, the PPM of QEMU's screendump, XWD), computes the expected ones, and writes PNG."""

import os
import re
import struct
import zlib

from pixmill.failure import writing


class Picture:
    """width x height pixels in row order, each a 32-bit word A8R8G8B8."""

    def __init__(self, width, height, words):
        self.width, self.height, self.words = width, height, words

    def first_difference(self, other):
        """Returns a sentence that describes the first difference, or None if the pictures are equal."""
        if (self.width, self.height) != (other.width, other.height):
            return f"size {self.width}x{self.height}, expected {other.width}x{other.height}"
        wrong = [i for i, pair in enumerate(zip(self.words, other.words)) if pair[0] != pair[1]]
        if not wrong:
            return None
        y, x = divmod(wrong[0], self.width)
        return (f"{len(wrong)} of {len(self.words)} pixels differ, the first at ({x}, {y}): "
                f"{self.words[wrong[0]]:08x}, expected {other.words[wrong[0]]:08x}")

    def difference(self, other):
        """Returns a picture of the channel differences, amplified 16 times; None if the sizes differ."""
        if (self.width, self.height) != (other.width, other.height):
            return None
        def apart(one, two):
            return sum(min(255, 16 * abs((one >> shift & 255) - (two >> shift & 255))) << shift for shift in (0, 8, 16))
        return Picture(self.width, self.height, [apart(*pair) for pair in zip(self.words, other.words)])

    def box_of_differences(self, other, limit):
        """Returns (width, height, left, top) of the smallest box with all pixels that differ by more than `limit` in a channel; None
        if there are none. Raises ValueError if the sizes differ."""
        if (self.width, self.height) != (other.width, other.height):
            raise ValueError(f"sizes {self.width}x{self.height} and {other.width}x{other.height}")
        known, columns, rows = {}, set(), set()
        for i, pair in enumerate(zip(self.words, other.words)):
            if pair[0] != pair[1]:
                if pair not in known:
                    known[pair] = max(abs((pair[0] >> shift & 255) - (pair[1] >> shift & 255)) for shift in (16, 8, 0)) > limit
                if known[pair]:
                    rows.add(i // self.width)
                    columns.add(i % self.width)
        return (max(columns) - min(columns) + 1, max(rows) - min(rows) + 1, min(columns), min(rows)) if rows else None

    def shows(self, other, left, top):
        """True if the other picture is part of this one, at that place."""
        return all(self.words[self.width * (top + y) + left:][:other.width] == other.words[other.width * y:][:other.width]
                   for y in range(other.height))

    def turned(self, quarters):
        """Returns the picture rotated to the left by `quarters` quarter turns."""
        words, width, height = self.words, self.width, self.height
        for _ in range(quarters):
            words = [word for column in reversed(range(width)) for word in words[column::width]]
            width, height = height, width
        return Picture(width, height, words)

    def box(self, width, height, left, top):
        """Returns a rectangle of the picture."""
        return Picture(width, height, [word for y in range(top, top + height)
                                       for word in self.words[self.width * y + left:self.width * y + left + width]])

    def narrowed(self):
        """Returns the picture as an r5g6b5 screen shows it, with the lower bits cut off."""
        return Picture(self.width, self.height, [r5g6b5(word >> 8 & 0xF800 | word >> 5 & 0x7E0 | word >> 3 & 0x1F)
                                                 for word in self.words])

    def cover(self, width, height, left, top):
        """Returns the picture with that rectangle filled with 0."""
        words = list(self.words)
        for y in range(top, top + height):
            words[self.width * y + left:self.width * y + left + width] = [0] * width
        return Picture(self.width, self.height, words)


def read_bmp(data):
    """Reads an uncompressed 32-bit BMP, with its rows in file order, since libdrm's test writes the top row of its
    buffer first."""
    if data[:2] != b"BM" or len(data) < 54:
        raise ValueError("not a BMP file")
    offset, = struct.unpack_from("<I", data, 10)
    width, height, _, bits = struct.unpack_from("<IIHH", data, 18)
    if bits != 32 or len(data) < offset + 4 * width * height:
        raise ValueError(f"not a complete 32-bit BMP: {bits} bits per pixel, {len(data)} bytes")
    return Picture(width, height, struct.unpack_from(f"<{width * height}I", data, offset))


def read_ppm(data):
    """Reads a PPM with 8 bits per channel, and sets alpha to 0."""
    head = re.match(rb"P6\s+(\d{1,5})\s+(\d{1,5})\s+255\s", data)
    if not head:
        raise ValueError("not a PPM file")
    width, height = int(head[1]), int(head[2])
    pixels = data[head.end():]
    if len(pixels) != 3 * width * height:
        raise ValueError(f"a truncated PPM of {width}x{height}")
    return Picture(width, height, [int.from_bytes(pixels[i:i + 3], "big") for i in range(0, len(pixels), 3)])


def read_xwd(data):
    """Reads a file that xwd(1) saved from a screen with 24 planes: a header of big-endian words, a color map, and
    pixels (XWDFile.h of x11proto)."""
    if len(data) < 100:
        raise ValueError("not an XWD file")
    header = struct.unpack_from(">25I", data)
    size, version, depth, width, height, order, bits, pitch, colors = (header[i] for i in (0, 1, 3, 4, 5, 7, 11, 12, 19))
    if version != 7 or depth != 24 or bits != 32 or order != 0 or pitch != 4 * width:
        raise ValueError("not an XWD file of 24 planes, least significant byte first")
    words = struct.unpack_from(f"<{width * height}I", data, size + 12 * colors)
    return Picture(width, height, [word & 0xFFFFFF for word in words])


def write_png(picture, path):
    """Writes the picture as PNG, without alpha."""
    rows = bytearray()
    for y in range(picture.height):
        rows.append(0)
        for word in picture.words[y * picture.width:(y + 1) * picture.width]:
            rows += (word & 0xFFFFFF).to_bytes(3, "big")
    write_png_rows(path, picture.width, picture.height, rows)


def rgb_of(rgba):
    """Drops the alpha bytes of RGBA data."""
    rgb = bytearray(len(rgba) // 4 * 3)
    for channel in range(3):
        rgb[channel::3] = rgba[channel::4]
    return rgb


def write_png_rgb(path, width, height, rgb):
    """Writes a PNG from pixels of three bytes each."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        rows += rgb[3 * width * y:3 * width * (y + 1)]
    write_png_rows(path, width, height, rows)


def strip_of(width, height, pictures):
    """Puts pictures (three bytes per pixel) side by side at half their size; returns the strip's width, height and
    bytes."""
    across, down = width // 2, height // 2
    rows = bytearray()
    for y in range(down):
        for rgb in pictures:
            pair = [rgb[3 * width * line:][:6 * across] for line in (2 * y, 2 * y + 1)]
            half = bytearray(3 * across)
            for channel in range(3):
                four = [line[begin::6] for line in pair for begin in (channel, channel + 3)]
                half[channel::3] = bytes(sum(pixels) >> 2 for pixels in zip(*four))
            rows += half
    return across * len(pictures), down, rows


def write_png_rows(path, width, height, rows):
    """Writes a PNG from rows in PNG's format: a filter byte 0, then three bytes per pixel."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    with writing(path) as file:
        file.write(b"\x89PNG\r\n\x1a\n"
                   + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def etnaviv_2d_test():
    """Computes the picture of libdrm's tests/etnaviv/etnaviv_2d_test.c: 16 x 16 squares of 4 x 4 pixels at a pitch of 8."""
    words = [0] * (256 * 256)
    for k in range(256):
        left, top = 8 * (k % 16), 8 * (k // 16)
        for y in range(top, top + 4):
            words[256 * y + left:256 * y + left + 4] = [0xFF40FF40] * 4
    return Picture(256, 256, words)


def screen_of_the_processor():
    """Computes the picture of "pixmill-guest screen gradient"."""
    return Picture(1024, 768, [(x & 0xFF) << 16 | (y & 0xFF) << 8 | (x ^ y) & 0xFF
                               for y in range(768) for x in range(1024)])


def screen_of_the_gpu():
    """Computes the picture of "pixmill-guest screen rectangles", drawn over the gradient."""
    picture = screen_of_the_processor()
    for i in range(10):
        left, top, width, height = 16 + 100 * i, 24 + 70 * i, 64 + 4 * i, 48 + 3 * i
        for y in range(top, top + height):
            picture.words[1024 * y + left:1024 * y + left + width] = [0x181008 * (i + 1)] * width
    return picture


def lxfb_bars(pixel):
    """Returns a function that computes the picture of guest/suites/lxfb: 16 bars of 48 rows each; pixel(n) is the
    color of bar n."""
    def picture():
        return Picture(1024, 768, [pixel(bar) for bar in range(16) for _ in range(48 * 1024)])
    return picture


def console_color(index):
    """Returns one of a text console's 16 colors (linux fbcmap.c, default_16_colors): the index has one bit each for
    intensity, red, green and blue, but dark yellow is replaced with brown."""
    channels = [0xAA * (index >> bit & 1) + 0x55 * (index >> 3) for bit in (2, 1, 0)]
    if index == 6:
        channels[1] = 0x55
    return int.from_bytes(channels, "big")


def r5g6b5(word):
    red, green, blue = word >> 11, word >> 5 & 63, word & 31
    return (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8 | blue << 3 | blue >> 2


COMPUTED = {
    "etnaviv_2d_test.bmp": etnaviv_2d_test,
    "screen-of-the-processor.ppm": screen_of_the_processor,
    "screen-of-the-gpu.ppm": screen_of_the_gpu,
    "lxfb-8.ppm": lxfb_bars(console_color),
    "lxfb-16.ppm": lxfb_bars(lambda bar: r5g6b5(0x1111 * bar)),
    "lxfb-32.ppm": lxfb_bars(lambda bar: 0x111111 * bar),
    "lxfb-level-0.ppm": lxfb_bars(lambda bar: 0x111111 * bar),
}


def expected(name, folder):
    """Returns the expected picture: computed here, or read from a BMP in the folder, which scripts/guest/initramfs wrote."""
    if name in COMPUTED:
        return COMPUTED[name]()
    with open(os.path.join(folder, name), "rb") as file:
        return read_bmp(file.read())
