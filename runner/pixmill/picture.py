# SPDX-License-Identifier: GPL-2.0-or-later
"""Pictures: reads the BMP that libdrm's test writes and the PPM of QEMU's screendump, knows what they must show,
writes PNG."""

import os
import re
import struct
import zlib

from pixmill.failure import writing


class Picture:
    """width x height pixels, each a 32-bit word A8R8G8B8, row after row."""

    def __init__(self, width, height, words):
        self.width, self.height, self.words = width, height, words

    def first_difference(self, other):
        """A sentence, or None when both are the same."""
        if (self.width, self.height) != (other.width, other.height):
            return f"size {self.width}x{self.height}, expected {other.width}x{other.height}"
        wrong = [i for i, pair in enumerate(zip(self.words, other.words)) if pair[0] != pair[1]]
        if not wrong:
            return None
        y, x = divmod(wrong[0], self.width)
        return (f"{len(wrong)} of {len(self.words)} pixels differ, the first at ({x}, {y}): "
                f"{self.words[wrong[0]]:08x}, expected {other.words[wrong[0]]:08x}")

    def difference(self, other):
        """How far the channels of each pixel are apart, 16 times as bright; nothing for pictures of two sizes."""
        if (self.width, self.height) != (other.width, other.height):
            return None
        def apart(one, two):
            return sum(min(255, 16 * abs((one >> shift & 255) - (two >> shift & 255))) << shift for shift in (0, 8, 16))
        return Picture(self.width, self.height, [apart(*pair) for pair in zip(self.words, other.words)])

    def turned(self, quarters):
        """A quarter of a turn to the left, so many times."""
        words, width, height = self.words, self.width, self.height
        for _ in range(quarters):
            words = [word for column in reversed(range(width)) for word in words[column::width]]
            width, height = height, width
        return Picture(width, height, words)

    def box(self, width, height, left, top):
        """A rectangle of it."""
        return Picture(width, height, [word for y in range(top, top + height)
                                       for word in self.words[self.width * y + left:self.width * y + left + width]])

    def narrowed(self):
        """What a screen of 5, 6 and 5 bits a pixel shows of it: the lower bits are cut off."""
        return Picture(self.width, self.height, [r5g6b5(word >> 8 & 0xF800 | word >> 5 & 0x7E0 | word >> 3 & 0x1F)
                                                 for word in self.words])

    def cover(self, width, height, left, top):
        """The same without that rectangle."""
        words = list(self.words)
        for y in range(top, top + height):
            words[self.width * y + left:self.width * y + left + width] = [0] * width
        return Picture(self.width, self.height, words)


def read_bmp(data):
    """An uncompressed 32-bit BMP, its rows in the order of the file: the test writes its memory as it lies."""
    if data[:2] != b"BM" or len(data) < 54:
        raise ValueError("not a BMP file")
    offset, = struct.unpack_from("<I", data, 10)
    width, height, _, bits = struct.unpack_from("<IIHH", data, 18)
    if bits != 32 or len(data) < offset + 4 * width * height:
        raise ValueError(f"a BMP of {bits} bits per pixel and {len(data)} bytes, not of 32 bits and whole")
    return Picture(width, height, struct.unpack_from(f"<{width * height}I", data, offset))


def read_ppm(data):
    """A PPM of 8 bits a channel; alpha becomes 0."""
    head = re.match(rb"P6\s+(\d{1,5})\s+(\d{1,5})\s+255\s", data)
    if not head:
        raise ValueError("not a PPM file")
    width, height = int(head[1]), int(head[2])
    pixels = data[head.end():]
    if len(pixels) != 3 * width * height:
        raise ValueError(f"a PPM of {width}x{height} that is cut off")
    return Picture(width, height, [int.from_bytes(pixels[i:i + 3], "big") for i in range(0, len(pixels), 3)])


def read_xwd(data):
    """What xwd(1) saves of a screen of 24 planes (XWDFile.h of x11proto): a header of words, most significant byte
    first, a color map, pixels."""
    if len(data) < 100:
        raise ValueError("not an XWD file")
    header = struct.unpack_from(">25I", data)
    size, version, depth, width, height, order, bits, pitch, colors = (header[i] for i in (0, 1, 3, 4, 5, 7, 11, 12, 19))
    if version != 7 or depth != 24 or bits != 32 or order != 0 or pitch != 4 * width:
        raise ValueError("not an XWD file of 24 planes, least significant byte first")
    words = struct.unpack_from(f"<{width * height}I", data, size + 12 * colors)
    return Picture(width, height, [word & 0xFFFFFF for word in words])


def write_png(picture, path):
    """The colors, without alpha."""
    rows = bytearray()
    for y in range(picture.height):
        rows.append(0)
        for word in picture.words[y * picture.width:(y + 1) * picture.width]:
            rows += (word & 0xFFFFFF).to_bytes(3, "big")
    write_png_rows(path, picture.width, picture.height, rows)


def rgb_of(rgba):
    """Of bytes R, G, B, A the first three."""
    rgb = bytearray(len(rgba) // 4 * 3)
    for channel in range(3):
        rgb[channel::3] = rgba[channel::4]
    return rgb


def write_png_rgb(path, width, height, rgb):
    """Three bytes a pixel."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        rows += rgb[3 * width * y:3 * width * (y + 1)]
    write_png_rows(path, width, height, rows)


def strip_of(width, height, pictures):
    """Pictures (three bytes a pixel) beside each other, at half the size: its width, height and bytes."""
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
    """Rows as the format has them: a 0, then three bytes a pixel."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    with writing(path) as file:
        file.write(b"\x89PNG\r\n\x1a\n"
                   + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def etnaviv_2d_test():
    """libdrm tests/etnaviv/etnaviv_2d_test.c: 16 x 16 rectangles of 4 x 4 at a pitch of 8, in a clear buffer."""
    words = [0] * (256 * 256)
    for k in range(256):
        left, top = 8 * (k % 16), 8 * (k // 16)
        for y in range(top, top + 4):
            words[256 * y + left:256 * y + left + 4] = [0xFF40FF40] * 4
    return Picture(256, 256, words)


def screen_of_the_processor():
    """pixmill-guest screen gradient"""
    return Picture(1024, 768, [(x & 0xFF) << 16 | (y & 0xFF) << 8 | (x ^ y) & 0xFF
                               for y in range(768) for x in range(1024)])


def screen_of_the_gpu():
    """pixmill-guest screen rectangles, on top of that"""
    picture = screen_of_the_processor()
    for i in range(10):
        left, top, width, height = 16 + 100 * i, 24 + 70 * i, 64 + 4 * i, 48 + 3 * i
        for y in range(top, top + height):
            picture.words[1024 * y + left:1024 * y + left + width] = [0x181008 * (i + 1)] * width
    return picture


def lxfb_bars(pixel):
    """guest/suites/lxfb: 16 bars of 48 rows, the color of which is a function of their number."""
    def picture():
        return Picture(1024, 768, [pixel(bar) for bar in range(16) for _ in range(48 * 1024)])
    return picture


def console_color(index):
    """The 16 colors of a text console (linux fbcmap.c, default_16_colors): intensity, red, green and blue are bits,
    and dark yellow is brown."""
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
    """What a picture must show: computed here, or a BMP in the folder, which scripts/guest/initramfs has made."""
    if name in COMPUTED:
        return COMPUTED[name]()
    with open(os.path.join(folder, name), "rb") as file:
        return read_bmp(file.read())
