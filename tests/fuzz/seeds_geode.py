# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of geode-gp-fuzz: byte programs for Guest::play() in geode_gp_fuzz.cpp."""

import seeds_geode_drivers
import seeds_geode_recorded

# Same order as kOps in geode_gp_fuzz.cpp.
OPS = ["write", "read", "narrow", "memory", "blt", "vector", "packet", "data", "words", "blank", "work", "run", "draw",
       "migrate", "corrupt", "inject", "reset", "look", "trace", "interrupt", "memory ends", "move", "recorded"]
CH3_ON, PS, HS, PATTERN = 1 << 31, 1 << 30, 1 << 18, 1 << 21


def op(name, *operands):
    return bytes([OPS.index(name), *operands])


def word(value):
    return value.to_bytes(4, "little")


def half(value):
    return value.to_bytes(2, "little")


def write(offset, value):
    return op("write", 200) + half(offset) + b"\xff" + word(value)


def operation(name, raster, mode, words=(), size=(8, 8), ch3=(8, 8), base=0):
    """Returns the move of an operation. `words` are DST, SRC, STRIDE, FG, BG, PATTERN, CH3_OFFSET, CH3_MODE_STR."""
    words = list(words) + [0] * (8 - len(words))
    return (op(name) + word(raster) + b"".join(b"\x01" + word(value) for value in words) + bytes([*size, *ch3, base])
            + half(mode))


def blt(raster, mode, ch3_mode=0, **more):
    return operation("blt", raster, mode, (0x100, 0x40, 0x00400040, 0x11223344, 0xFFFF, 0x5A, 0x80, ch3_mode), **more)


def packet(header, words, how=7):
    """Returns the move of a packet. `words` maps indices in the packet to values; words 5 and 14 are sizes, always 4 x
    4.
    """
    length = 14 if header >> 29 & 1 else 17
    body = b"".join(bytes([4, 4]) if i in (5, 14) else b"\x01" + word(words.get(i, 0)) for i in range(1, length))
    return op("packet") + word(header) + body + bytes([how])


def data(count, how, kind, bell=7, lut=0):
    return op("data", count, how) + (b"" if how & 1 else half(lut)) + bytes([kind, *range(count), bell])


PATTERN_IN_LUT = write(0x70, 0x100) + b"".join(write(0x74, k * 0x01234567 & 0xFFFFFFFF) for k in range(32))
STEP = op("run", 0, 64) + op("draw", 1, 0)
WORDS = op("words", 1, 63, *range(64)) + op("words", 0, 63, *range(64))
FILL = blt(0xF0, 0)
PROGRAMS = {
    **{f"fill-{bpp}": blt(bpp << 28 | 0xF0, mode) for bpp, mode in ((0, 0), (4, 0x100), (6, 0x200), (8, 0x300))},
    **{f"rop-{rop:x}": blt(0x80000000 | rop, 5) for rop in (0x5A, 0xCA, 0x66, 0xCC)},
    **{f"source-{mode:x}": blt(0x60000000 | 0x8CC, mode) + WORDS for mode in (1, 0x41, 0x81, 0x301, 2, 0x42, 0x82)},
    **{f"channel3-{n:x}-{host}": blt(0x800000CC, 0, CH3_ON | PS | n << 24 | host * HS | 0x40) + WORDS
       for n in range(16) for host in (0, 1)},
    **{f"turned-{n:x}": blt(0x600000CC, 0, CH3_ON | PS | 0x08800040 | n << 28) for n in range(4)},
    **{f"alpha-{n:x}": blt(0x80000040 | (n % 3 + 1) << 22 | n % 4 << 20 | n % 8 << 17 | n % 2 << 16, 4,
                           CH3_ON | PS | 0x08000040) for n in range(24)},
    **{f"pattern-{n}": blt(n << 8 | 0xF0, 0, (CH3_ON | PATTERN) * (n == 3)) for n in range(4)},
    **{f"vector-{mode}": operation("vector", 0xF0, mode, (0x200, 0x0006FFF8, 0x40), size=(8, 8)) for mode in range(32)},
    "ring-blt": packet(0x0000D09B, {1: 0xF0, 2: 0x400, 4: 0x20, 8: 0x55, 15: 0, 16: 0}) + op("migrate"),
    "ring-prepare": packet(0x00000029, {1: 0x600000CC, 4: 0x00400040, 6: 0x1234}) + packet(0xF012, {2: 0x80}),
    "ring-vector": packet(0x20001C5F, {1: 0xF0, 2: 0x200, 3: 0x0004FFFE, 4: 0x10, 7: 0x7E, 13: 6}),
    "ring-data": packet(0x0000D09F, {1: 0xCC, 2: 0x400, 4: 0x20, 16: 2}) + data(8, 1, 0) + op("migrate") + data(8, 1, 0),
    "ring-post": packet(0x0001D09F, {1: 0xCC, 2: 0x400, 4: 0x20, 16: 2}) + data(32, 1, 0),
    "ring-lut": data(16, 0, 3, lut=0x100) + data(16, 2, 3) + data(6, 1, 2) + data(6, 3, 7),
    "ring-beyond": op("data", 0, 1, 0, 1) + word(0x00800000) + op("work", 31) * 8,
    "queued": blt(0xCC, 2) + FILL + FILL + op("migrate") + WORDS + FILL,
    "interrupts": write(0x78, 0) + FILL + write(0x78, 0x30000) + packet(1, {}),
    "nowhere": blt(0xCC, 1, base=4) + blt(0xF0, 0, base=4),
    "throttle": op("blank", 3) + blt(0xF0, 0x400) + op("migrate") + op("blank", 0) + op("blank", 1),
    "reset": blt(0xCC, 2) + write(0x44, 0x69000000) + FILL + op("reset"),
    "corrupt": blt(0xCC, 2) + b"".join(op("corrupt", 0, 0, at % 256, at // 256, 2) for at in range(0, 0x180, 3)),
    "inject": op("inject", 0) + FILL + write(0x78, 0) + op("inject", 1) + FILL,
    "looks": b"".join(op("look", n) for n in range(0, 32, 8)) + op("trace", 1) + FILL + op("trace", 0),
    "pieces": blt(0x80E00000, 4, CH3_ON | PS | 0x08000040) + (op("draw", 1, 0) + op("run", 1, 1) + op("interrupt")) * 8,
}
# Operations whose pictures do not overlap: a conversion, a rotation, a mirroring, a backward copy.
APART = b"".join(operation("blt", raster, mode, (dst, 0x40, 0x00800080, 0, 0, 0, offset, ch3), size=(32, 32),
                           ch3=(32, 32)) for raster, mode, dst, offset, ch3 in (
                     (0x600000CC, 0, 0x4000, 0, CH3_ON | PS | 0x08000080), (0x800000CC, 0, 0x4000, 0x1F00,
                                                                           CH3_ON | PS | 0x18800080),
                     (0x800000CC, 0, 0x4000, 0x7F, CH3_ON | PS | 0x28000080), (0x800000CC, 0x301, 0x3000, 0, 0)))
PROGRAMS |= {
    **{f"memory-ends-{n}": op("memory ends", 2 * n) + APART + op("memory ends", 255) + APART for n in range(12)},
    **{f"memory-ends-at-load-{n}": b"".join(write(at, value) for at, value in (
        (0x38, 0x600000CC), (0x00, 0x4000), (0x08, 0x00800080), (0x0C, 0x00200020), (0x68, 0x00200020), (0x4C, 0),
        (0x64, CH3_ON | PS | 0x08000080), (0x40, 0))) + STEP + op("migrate") + op("memory ends", 2 * n) + op("move")
       + op("memory ends", 255) + op("move") + FILL for n in range(12)},
    "held-writes": write(0x0C, 0x00200020) + write(0x40, 0) + STEP + write(0x40, 0) + write(0x40, 0) + write(0x40, 1)
                   + STEP + op("read", 200, 0x44, 0) + op("migrate") + write(0x40, 0) + op("work", 8),
    "dropped": write(0x0C, 0x00200020) + write(0x40, 0) + op("run", 0, 64) + write(0x44, 0x69000000) + op("work", 4)
               + write(0x0C, 0x00200020) + write(0x40, 0) + op("run", 0, 64) + op("reset") + op("work", 4),
    "other-port": blt(0xCC, 2) + op("words", 0, 63, *range(64)) + blt(0x800000CC, 0, CH3_ON | PS | HS | 0x08000040)
                  + op("words", 1, 63, *range(64)),
    "fixed-source": PATTERN_IN_LUT + b"".join(
        blt(bpp << 28 | rop, mode, CH3_ON | PS | PATTERN | n << 24) for bpp in (0, 6, 8) for n in (0, 6, 8)
        for rop, mode in ((0xCC, 0), (0x800CC, 4), (0xE00000, 4))),
    "stalled-packets": packet(0x0000D09F, {1: 0xCC, 2: 0x400, 4: 0x20, 16: 2}, 7) + packet(
        0x0000D09F, {1: 0xCC, 2: 0x400, 4: 0x20, 16: 2}, 4) + packet(0x1000D09B, {1: 0xF0, 2: 0x400}, 4) + packet(
            0x0000D09B, {1: 0xF0, 2: 0x400}, 4) + data(4, 0, 3, 4) + op("migrate") + WORDS + WORDS + op("work", 8),
    **{f"stalled-data-{kind}": packet(0x0000D09F, {1: 0xCC, 2: 0x400, 4: 0x20, 16: 2}, 7) + data(4, 0, 3, 4)
       + data(4, 1, kind, 4) + op("migrate") + WORDS + op("work", 8) for kind in (0, 1, 2, 3, 7)},
    "ring-in-a-hole": write(0x50, 0) + write(0x54, 0xFFFFE0) + write(0x58, 0x20000) + write(0x5C, 0x20100)
                      + op("work", 31),
    "ring-in-two-runs": write(0x54, 0xFFFFE0) + write(0x58, 0xFC0) + write(0x5C, 0x1080) + op("work", 31),
    "endless": write(0x50, 0) + write(0x54, 0xFE0) + write(0x58, 0) + write(0x5C, 0x2000) + op("work", 31) * 64,
    "named-packets": op("trace", 1) + packet(0x0000D09B, {1: 0xF0, 2: 0x400, 4: 0x20, 8: 0x55}) + data(4, 1, 0) + data(
        4, 0, 3) + packet(0x20001C5F, {1: 0xF0, 2: 0x200}) + op("look", 0) + op("look", 8),
    "nowhere-there": b"".join(op(what, 200) + half(at) + (b"\xff" + word(1) if what == "write" else b"")
                              for at in (0x7C, 0x80, 0xFC, 0x100, 0x200, 0x3FC, 0x400, 0x3FFC)
                              for what in ("write", "read")),
    **{f"channel3-pattern-{n:x}": PATTERN_IN_LUT + b"".join(
        blt(bpp << 28 | rop, mode, CH3_ON | PATTERN | n << 24 | source) for bpp, rop, mode, source in (
            (8, 0xF0, 0, 0), (6, 0xCA, 0x105, 0), (0, 0xF0, 0x200, 0), (8, 0xCC, 4, PS))) for n in range(16)},
    **{f"host-alpha-{n:x}": blt(0x80F00000, 4, CH3_ON | n << 24 | HS | 0x40) + WORDS + blt(
        0x60700000, 4, CH3_ON | n << 24 | 0x40) for n in (2, 0xE)},
    **{f"turned-alpha-{n}": blt(0x80E00000, 4, CH3_ON | PS | 0x08800040 | n << 28) + blt(
        0x80000000 | 0x66, 4, CH3_ON | PS | 0x06800040 | n << 28) for n in range(4)},
    **{f"mono-pattern-{bits:x}": b"".join(operation("blt", 0x800000CA | bits << 8, mode, (
        0x12000100 | n << 29, 0x40, 0x00400040, 0x11223344, 0xFFFF, 0x5A)) for n in range(4) for mode in (5, 0x305))
       for bits in (1, 2, 5, 0x11, 0x15)},
    **{f"dashes-{mode}": write(0x70, 0x100) + write(0x74, 0xF0F0F0F0) + write(0x74, 0xFFFFFF) + operation(
        "vector", 0xF0, mode, (0x200, 0x0006FFF8, 0x40, 0, 0, 0, 0, CH3_ON | PATTERN)) for mode in (0, 6, 7, 15)},
    **seeds_geode_drivers.streams(op, packet, data, write),
}
CHOICES = {"": b"\x00", "auto": b"\x05", "held": b"\x02"}
FAMILIES = seeds_geode_recorded.gp_streams(op, write)
