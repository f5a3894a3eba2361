# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of ipuv3-fuzz: byte programs for Guest::play() in ipuv3_fuzz.cpp."""

# Same order as kOps in ipuv3_fuzz.cpp.
OPS = ["write", "read", "narrow", "memory", "paint", "clock", "run", "migrate", "corrupt", "inject", "reset", "look",
       "trace", "mode", "plane", "field", "dp", "frame", "screen", "memory ends", "move"]
CHANNELS = [23, 27, 28, 31, 51]  # kChannels
BACKGROUND, OVERLAY, DIRECT, OVERLAY_ALPHA, BACKGROUND_ALPHA = range(5)
RGB = 7
BPP = {32: 0, 24: 1, 18: 2, 16: 3, 12: 4, 8: 5}
X8R8G8B8 = 0xFFF  # WID; the fuzzer derives OFS from it


def op(name, *operands):
    return bytes([OPS.index(name), *operands])


def half(value):
    return value.to_bytes(2, "little")


def word(value):
    return value.to_bytes(4, "little")


def write(offset, value):
    """Writes a register or a memory, by an offset that is chosen freely."""
    return op("write") + b"\xff" + word(offset) + b"\xff" + word(value)


def read(offset):
    return op("read") + b"\xff" + word(offset)


def mode(di=0, width=64, height=32, interlaced=False, bad=False):
    return op("mode", di | 2 | interlaced << 2 | bad << 3) + half(width) + bytes([height])


def plane(channel=BACKGROUND, pfs=RGB, bpp=32, width=64, height=32, base=0x100, u=0x20, v=0x40, stride=256, flags=0,
          components=X8R8G8B8, anywhere=False):
    return (op("plane", channel, pfs | BPP.get(bpp, 7) << 4 | anywhere << 7, width - 1, height - 1, u, v) + word(base)
            + half(stride - 1) + word(components) + bytes([flags]))


def dp(flags=7, window=0x80112233, x=4, y=4, srm=1):
    """Bits of `flags` (hex): FG_EN 1, GWSEL 2, GWAM 4, GWCKE 8, CSC_DEF 30."""
    return op("dp", flags | srm << 6) + word(window) + bytes([x, y])


def screen(di=0, row=0, rows=12):
    return op("screen", di, row, rows)


FRAME = op("frame", 1)
ON = op("paint") + write(0x20003C, 0x18800000)
SHOWN = ON + plane() + mode()
SEPARATE = write(0x20800C, 0xFFFFFFFF)
PROGRAMS = {
    **{f"format-{pfs:x}-{bpp}": ON + plane(pfs=pfs, bpp=bpp, components=word_) + mode() + screen() + FRAME + screen(row=20)
       for pfs in range(16) for bpp, word_ in ((32, 0xFFF), (16, 0x1263), (24, 0xFFF), (8, 0x249), (12, 0), (18, 0), (6, 0))},
    **{f"blend-{flags:x}": ON + plane() + plane(OVERLAY, width=20, height=10, base=0x8000) + dp(flags) + mode() + screen()
       + dp(flags, x=40, y=28) + FRAME + screen(row=24) + screen() for flags in range(1, 64, 2)},
    "separate-alpha": ON + SEPARATE + plane(OVERLAY, flags=1, width=20, height=10)
                      + plane(OVERLAY_ALPHA, pfs=6, bpp=8, width=20, height=10) + plane() + dp(3) + mode() + screen(),
    "separate-alpha-below": ON + SEPARATE + plane(flags=1) + plane(BACKGROUND_ALPHA, pfs=6, bpp=8) + plane(OVERLAY)
                            + dp(1) + mode() + screen(),
    "all-areas": ON + SEPARATE + plane(pfs=2, stride=64) + plane(OVERLAY, pfs=4, stride=64) + dp(0x11) + mode() + screen(),
    "second-di": ON + plane(DIRECT) + mode(1) + FRAME + screen(1) + op("migrate") + screen(1),
    "interlaced": ON + plane(flags=0x0E) + mode(interlaced=True) + screen() + screen(row=10),
    "turned": ON + plane(flags=0xE0) + mode() + screen(),
    "bad-timing": ON + plane() + mode(bad=True) + FRAME + screen() + mode() + FRAME + screen(),
    "too-large": ON + plane() + mode(width=400) + FRAME + screen() + mode(height=0) + mode() + FRAME,
    "no-memory": ON + plane(base=0x70000000, anywhere=True) + mode() + screen() + plane(base=0x2F000) + FRAME + screen(),
    "wraps": ON + plane(base=0xFFFFFFF8, anywhere=True) + mode() + screen(row=0, rows=20),
    "scattered": ON + plane(base=0x100FF0, anywhere=True) + mode()
                 + screen(rows=30) + plane(base=0x80000100, anywhere=True) + FRAME + screen(rows=30),
    "flip": SHOWN + write(0x200150, 0x00800000) + write(0x200270, 0x00800000) + FRAME + screen()
            + write(0x200268, 0x00800000) + write(0x200270, 0x00800000) + FRAME + FRAME + screen(),
    "ready-cleared": SHOWN + write(0x200268, 0xFFFFFFFF) + write(0x2000E4, 0xF0000000) + write(0x200268, 0xFFFFFFFF)
                     + write(0x20023C, 0xFFFFFFFF),
    "srm": SHOWN + b"".join(dp(7, srm=srm) + FRAME + screen() for srm in (0, 1, 2, 3)),
    "lost": SHOWN + op("inject", 0) + FRAME + op("inject", 1) + write(0x20004C, 0x00800000) + FRAME,
    "stopped": SHOWN + FRAME + screen() + write(0x200000, 0) + screen() + write(0x200000, 0x40) + FRAME + screen(),
    "late": SHOWN + op("clock", 255, 255, 20) + op("run", 1) + op("clock", 255, 255, 23) + op("run", 1),
    "fields": SHOWN + b"".join(op("field", n % 5, n) + word(0x10204081 << n % 4) + FRAME + screen() for n in range(16)),
    "narrow": b"".join(op("narrow") + b"\xff" + word(offset) + bytes([more, size, reads]) + word(0x12345678)
                       for offset in (0x200000, 0x200268, 0x300000) for more, size in ((0, 1), (2, 2), (1, 4), (0, 8))
                       for reads in (0, 1)),
    "unlisted": b"".join(write(n, 0xFFFFFFFF) + read(n) for n in (0, 0x1FFFFC, 0x218000, 0x301400, 0x3FFFFC, 0x400000)),
    "memories": b"".join(write(n, 0x12345678) + read(n) for n in (0x300000, 0x3013FC, 0x320000, 0x340FFC, 0x367FFC,
                                                                  0x3807FC)),
    "corrupt": SHOWN + op("corrupt", 7, *(n for k in range(8) for n in (0, *half(40 * k), 255))) + screen() + FRAME
               + op("corrupt", 7, *(n for k in range(8) for n in (200, *half(48 * k), 255))) + FRAME + screen(),
    "moved": SHOWN + FRAME + op("move") + screen() + op("memory ends", 0) + op("move") + FRAME + screen() + op("reset")
             + screen() + op("trace", 1) + SHOWN,
    **{f"named-{n}": b"".join(op("look", k) for k in range(n, n + 64, 8)) for n in range(0, 256, 64)},
}

# Bits of the configuration flags (hex): 1000 frames per second 1.
CHOICES = {"": b"\0", "fast": b"\1"}
