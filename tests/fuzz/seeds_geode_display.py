# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of geode-display-fuzz: byte programs for Guest::play() in geode_display_fuzz.cpp."""

import seeds_geode_recorded

# Same order as kOps in geode_display_fuzz.cpp.
OPS = ["write", "set", "read", "narrow", "paint", "clock", "run", "migrate", "corrupt", "inject", "reset", "look",
       "trace", "mode", "cursor", "video", "screen", "screen again", "msr", "vsa", "gpio", "memory ends", "move"]
BITS_OF_MODE = {"palette8": 0, "r5g6b5": 1, "x1r5g5b5": 5, "x4r4g4b4": 9, "x8r8g8b8": 3}  # DISPLAY_CFG 11:8
BYPASS = 0x30  # palette and gamma
FRAME = 255, 255, 9  # clock step of 33 ms


def op(name, *operands):
    return bytes([OPS.index(name), *operands])


def half(value):
    return value.to_bytes(2, "little")


def word(value):
    return value.to_bytes(4, "little")


def at(offset):
    """Returns the bytes from which Guest::offset() reads this offset."""
    return bytes([0x90]) + half(offset)


def write(offset, value):
    return op("write") + at(offset) + b"\xff" + word(value)


def unlocked(offset, value):
    return op("set") + at(offset) + b"\xff" + word(value)


def read(offset):
    return op("read") + at(offset)


def mode(bits, width=240, height=150, pitch=0x80, start=0, general=0, config=0):
    return op("mode", bits) + half(width - 1) + bytes([height - 1, pitch]) + half(start) + bytes([general, config])


def screen(row=0, rows=1, size=None):
    some = bytes([0]) if size is None else bytes([255]) + half(size)
    return op("screen") + some + bytes([2, row, rows])


def cursor(color, x, y, skip=0, start=0x4000):
    return op("cursor", color) + half(x) + bytes([y, skip]) + half(start)


def video(flags=0x40, left=40, top=36, width=300, height=60, lines=64, step=0x4000, key=0, skip=0):
    """Returns a move that shows video. Bits of `flags` (hex): VDSE 1, a key 2, RGB 4, HD 8, component order 30, no
    scaling 40, planar 80.
    """
    return (op("video", flags) + half(0) + half(0x2000) + half(0x3000) + bytes([20, 40, 10, key]) + half(0)
            + half(left) + bytes([top]) + half(width) + bytes([height]) + half(lines) + half(step) * 2 + bytes([skip]))


def msr(number, low, high):
    return op("msr", number) + word(low) + word(high)


VSA_UNLOCKED = op("vsa", 1) + word(0xFC53)
SEEN = mode(BITS_OF_MODE["x8r8g8b8"] | BYPASS)
PAINTED = op("paint") + SEEN
PROGRAMS = {
    **{f"mode-{name}-{bypass:x}": op("paint") + mode(bits | bypass, start=16, config=config) + screen(3, 7)
       for name, bits in BITS_OF_MODE.items() for bypass, config in ((0, 0), (BYPASS, 0), (0x10, 2))},
    "black": screen() + mode(3, height=250, start=0xFFFF) + screen() + SEEN + screen(size=100),
    **{f"cursor-{color}": PAINTED + cursor(color, 30, 10) + screen(10, 7) + cursor(color, 230, 140, 3) + screen(140, 7)
       + cursor(color, 30, 10, start=0xFFFF) + screen(10, 7) + op("paint") for color in (0, 1)},
    **{f"video-{flags:x}": PAINTED + video(flags) + screen(10, 7) + video(flags, skip=1, top=40) + screen(10, 7)
       for flags in (0x40, 0x50, 0x60, 0x70, 0x00, 0x01, 0x44, 0x48, 0xC0, 0xD0, 0xE0, 0xF0, 0x80, 0x42, 0x02)},
    "video-coefficients": PAINTED + b"".join(write(0x5000 + 8 * n, 0x0FFF8001 + n) for n in range(16)) + video(0)
                          + screen(10, 7) + write(0x5000, 0xFFFFFFFF) + screen(10, 7),
    "video-key": PAINTED + write(0x4028, 0x112233) + video() + mode(0x33, config=1, general=8) + screen(10, 7),
    "interrupt": unlocked(8, 1) + write(0xC8, 0) + op("run", 1) + op("clock", *FRAME) + op("run", 1)
                 + write(0xC8, 0x10000) + op("migrate") + op("clock", *FRAME) + op("run", 1),
    "compared": unlocked(0x94, 100 << 16) + unlocked(8, 1) + write(0xC8, 2) + op("clock", *FRAME) + op("run", 1),
    "lost": op("inject", 0) + write(0xC8, 1) + write(0xC8, 0x20001),
    "locked": write(0, 0) + b"".join(write(n, 0xFFFFFFFF) for n in range(4, 0xF0, 4)),
    "pll": unlocked(8, 1) + write(0xC8, 2) + msr(0, 0, 0x215D) + read(0x6C) + msr(0, 0, 0x1FFFF) + msr(0, 0, 1)
           + b"".join(msr(n, 1, 1) for n in range(1, 6)) + op("msr", 255) + word(0x1234) + word(0) * 2,
    "vsa": op("vsa", 1) + word(0xFC53) + op("vsa", 1) + word(3) + op("vsa", 2) + word(0xFC530200)
           + op("vsa", 9) + word(0x500) + op("vsa", 0) + word(0),
    "vsa-written": b"".join(op("vsa", 1) + word(0xFC53) + op("vsa", 1) + word(index) + op("vsa", 10) + word(0xFFFF)
                            for index in (0x0002, 0x0003, 0x0100, 0x0200, 0x0201, 0x0202)),
    # lxfb: its accesses from its probe to its first picture, then blanking.
    "lxfb": VSA_UNLOCKED + op("vsa", 1) + word(3) + VSA_UNLOCKED + op("vsa", 1) + word(0x200)
            + unlocked(0x84, 0) + write(0, 0) + b"".join(write(0x4000 + 8 * n, 0) for n in (0x1A, 0x1B, 0x1C))
            + unlocked(0x04, 0) + unlocked(0x08, 0) + msr(0, 0, 0x31C)
            + b"".join(unlocked(at, 0) for at in (0x10, 0x14, 0x18)) + unlocked(0x90, 0x40004000) + unlocked(0x94, 0)
            + unlocked(0xD4, 0) + unlocked(0x34, 0xA0) + unlocked(0x30, 0xA0)
            + b"".join(unlocked(0x40 + 4 * n, 0x031F027F - n * 0x10001) for n in range(7)) + unlocked(0x5C, 0x027F01DF)
            + write(0x4008, 0x0020000B) + write(0x4050, 1) + write(0x4410, 0x01000000) + unlocked(0x08, 0x0B000159)
            + unlocked(0x04, 0x0002B601) + write(0, 0) + op("run", 1) + screen() + write(0x4008, 0) + screen(),
    "gpio": b"".join(op("gpio") + half(offset) + bytes([size]) + word(0x180018) + word(0xFFFFFFEF)
                     for offset, size in ((0, 4), (4, 4), (0x30, 4), (0x3C, 2), (0x81, 1), (2, 4), (0x100, 4))),
    "tables": b"".join(write(address, n) + write(data, 0x123456) + write(address, n) + read(data) + read(data)
                       for address, data in ((0x70, 0x74), (0x4038, 0x4040)) for n in (0, 0xFF, 0x104, 0x1FF)),
    "coefficients": b"".join(unlocked(0x94, n) + unlocked(0x98, n) + unlocked(0x9C, n) + read(0x98) + read(0x9C)
                             for n in (0, 0xFF, 0x400, 0x4FF)),
    "narrow": b"".join(op("narrow") + at(offset) + bytes([more, size, reads]) + word(0x12345678)
                       for offset in (0, 0x74, 0xC8, 0x4410, 0x5000) for more, size in ((0, 1), (2, 2), (1, 4), (0, 8))
                       for reads in (0, 1)),
    "corrupt": PAINTED + op("corrupt", 7, *(n for k in range(8) for n in (0, *half(0xE0 + 30 * k), 255))) + screen(),
    "foreign": op("corrupt", 0, 0, *half(208), 2) + screen(),
    "panel": write(0x4410, 0x01000000) + read(0x4410) + write(0x4410, 0xF) + read(0x4410),
    "to-another": PAINTED + video() + cursor(1, 30, 10) + op("move") + screen(10, 7) + op("clock", *FRAME)
                  + op("run", 1) + op("memory ends", 0) + op("move") + screen(10, 7),
    "moved": PAINTED + video() + op("migrate") + screen(10, 7) + op("reset") + screen() + op("trace", 1) + SEEN,
    **{f"named-{n}": b"".join(op("look", k) for k in range(n, n + 64, 8)) for n in range(0, 192, 64)},
    "unlisted": b"".join(write(n, 0xFFFFFFFF) + read(n) for n in (0xF0, 0x4004, 0x4070, 0x4900, 0x6000, 0x8008, 0x8084,
                                                                  0xBFFC)),
}

# Bits of the configuration flags (hex): 128 MiB 1, output 0E, panel 70, no VSA 80.
CHOICES = {"": b"\0", "panel": bytes([0x33]), "bare": bytes([0x80])}
FAMILIES = seeds_geode_recorded.display_streams(write, op("paint"), screen(10, 3))
