"""Seeds of geode-gp-fuzz: byte programs for Guest::play() in geode_gp_fuzz.cpp."""

# In the order of its table.
OPS = ["write", "read", "narrow", "memory", "blt", "vector", "packet", "data", "words", "blank", "work", "run", "draw",
       "migrate", "corrupt", "inject", "reset", "look", "trace", "interrupt"]
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
    """`words`: DST, SRC, STRIDE, FG, BG, PATTERN, CH3_OFFSET, CH3_MODE_STR."""
    words = list(words) + [0] * (8 - len(words))
    return (op(name) + word(raster) + b"".join(b"\x01" + word(value) for value in words) + bytes([*size, *ch3, base])
            + half(mode))


def blt(raster, mode, ch3_mode=0, **more):
    return operation("blt", raster, mode, (0x100, 0x40, 0x00400040, 0x11223344, 0xFFFF, 0x5A, 0x80, ch3_mode), **more)


def packet(header, words, how=7):
    """`words` by their place; 5 and 14 are sizes of 4 x 4."""
    length = 14 if header >> 29 & 1 else 17
    body = b"".join(bytes([4, 4]) if i in (5, 14) else b"\x01" + word(words.get(i, 0)) for i in range(1, length))
    return op("packet") + word(header) + body + bytes([how])


def data(count, how, kind, bell=7, lut=0):
    return op("data", count, how) + (b"" if how & 1 else half(lut)) + bytes([kind, *range(count), bell])


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
CHOICES = {"": b"\x00", "auto": b"\x05", "held": b"\x02"}
