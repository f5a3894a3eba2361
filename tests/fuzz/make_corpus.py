#!/usr/bin/env python3
"""Writes seeds for a fuzzer: one byte program per thing a driver does, for each model.

usage: make_corpus.py FUZZER FOLDER     (of a fuzzer without seeds: nothing)
"""

import os
import sys

# ---- vivante-fuzz ----

# In the order of Guest::play() in vivante_fuzz.cpp.
OPS = ["write", "read", "memory", "command", "start", "clock", "run", "draw", "work", "migrate", "corrupt",
       "inject", "reset", "table", "mmu", "blit", "look", "patch", "loop", "trace", "barrier"]
MODELS = 23


def op(name, *operands):
    return bytes([OPS.index(name), *operands])


def half(value):
    return value.to_bytes(2, "little")


def word(value):
    return value.to_bytes(4, "little")


def blit(flags=8, source=(1, 0), destination=0, code=0xCC, formats=(6, 6)):
    rectangles = bytes([1, 4, 4, 40, 40, 10, 10, 30, 30])
    return (op("blit", flags, source[0]) + half(source[1]) + half(256) + bytes([formats[0], 0, 3, 3])
            + half(destination) + half(256) + bytes([formats[1], 0, code])
            + word(0xFF112233) + word(0xFF445566) + rectangles)


VIVANTE = {
    "idle": op("loop", 200, 0) + op("work", 4) + op("clock", 0, 16, 8) + op("work", 4) + op("look", 0),
    "patched": op("loop", 200, 0) + op("work", 4) + op("patch", 0, *half(0x2000), *half(4)) + op("work", 8),
    "announced": op("loop", 200, 0) + op("work", 4) + op("patch", 0, *half(0x2000), *half(4)) + op("barrier") + op("work", 8),
    "fill": blit(flags=0) + op("work", 16),
    "copy": blit() + op("work", 16),
    "move": blit(flags=9) + op("run", 64) + op("draw", *half(500)) + op("migrate") + op("work", 31),
    "scattered": op("mmu", 0, 1) + op("table", *half(0x801), 1, *half(0x1000), 5) + blit() + op("work", 16),
    "fault": op("mmu", 0, 0) + blit(destination=0x3000) + op("work", 16) + op("reset", 1),
    "event": op("command", 7, 0x45) + op("command", 9) + op("start", 0, 0) + op("work", 4) + op("read", 2, 2),
    "hang": op("command", 11, *word(0), *word(0)) + op("start", 0, 0) + op("work", 4) + op("reset", 1),
    "inject": op("inject", 1) + blit() + op("work", 16) + op("inject", 3) + op("loop", 1, 0) + op("work", 4),
    "corrupt": blit() + op("run", 64) + op("corrupt", 1, 0, *half(0x900), 255, 0, *half(0x940), 255) + op("work", 9),
    "traced": op("trace", 1) + op("loop", 10, 0) + op("work", 4) + op("write", 0, 13),
}


# ---- vivante-2d-fuzz ----

# Tables of vivante_2d_fuzz.cpp: what a byte of the input chooses.
MODELS_2D = 6
THREADS_2D = 2 * MODELS_2D  # to be added to a model: two threads
STATES = [0x120C, 0x1218, 0x121C, 0x123C, 0x1240, 0x1248, 0x1250, 0x1254, 0x125C, 0x126C,
          0x127C, 0x1280, 0x12BC, 0x12C0, 0x12C4, 0x12C8, 0x12CC, 0x12D0, 0x12D4, 0x12D8,
          0x12DC, 0x12E0, 0x12E4, 0x12E8, 0x12EC, 0x1300, 0x1308, 0x130C, 0x1328, 0x132C]
TABLES = [0x1800, 0x1C00, 0x2800, 0x2A00, 0x3400]
COMMANDS = {"clear": 0, "line": 1, "blit": 2, "stretch": 5, "multi": 7, "filter": 9}
ARGB, YUY2, MONO, YV12, NV12, R8 = 6, 7, 10, 15, 0x11, 0x14
SIDE = word(40 << 16 | 40)


def surface(base, stride=64):
    """One of four places that are 32 KiB apart, and bytes to the next row."""
    return bytes([base]) + half(0) + bytes([stride // 4])


def surfaces(source=ARGB, swizzles=0, size=40):
    rotation = bytes([size])
    planes = surface(1) + surface(2) + surface(3) + surface(1)
    return (bytes([0, swizzles]) + surface(0, 160) + rotation + bytes([source, 0]) + bytes([0, 0, 20, 20]) + rotation
            + surface(3, 160) + rotation * 2 + planes + bytes([2]) + half(0) + bytes([1]) + half(0))


def states(values):
    return bytes([len(values)]) + b"".join(bytes([STATES.index(at), 1]) + word(value)
                                           for at, value in values.items())


def tables(entries):
    return bytes([len(entries)]) + b"".join(bytes([TABLES.index(base), index]) + word(value)
                                            for base, index, value in entries)


def program(command, source=ARGB, target=ARGB, values=None, entries=(), data=(), swizzles=0, config=None):
    """Surfaces, states, tables, DEST_CONFIG (`config`: more bits of it), the clip, and a draw or a kick of the
    filter."""
    more = bytes([255]) if config is None else bytes([0]) + word(config)
    what = (surfaces(source, swizzles) + states({0x125C: 0x0030CCCC, **(values or {})}) + tables(entries)
            + bytes([COMMANDS[command], target, 0]) + more + word(0) + SIDE)
    if command == "filter":
        kick = word(0x8000) * 2 + b"\0" + word(0) + b"\0" + SIDE + word(0x8000) * 2 + word(0) + b"\377" + SIDE
        return what + kick + b"\2" + b"\377"
    rectangles = bytes([1, 255 if data else 0]) + (bytes([len(data)]) if data else b"") + b"\377"
    corners = word(1 << 16 | 1) + word(30 << 16 | 35) + word(0) + word(8 << 16 | 8)
    return what + b"\377" + rectangles + corners + b"".join(map(word, data)) + b"\377"


IDENTITY = [(base, row * 9 // 2 + 2, 0x4000 << 16 * (row & 1)) for base in (0x2800, 0x2A00) for row in (0, 16)]
VIVANTE_2D = {
    "clear": program("clear", values={0x12C0: 0xFF112233}),
    "line": program("line", values={0x125C: 0x0030F0F0, 0x1254: 0xFF445566, 0x123C: 0xC0}),
    "copy": program("blit"),
    "brush": program("blit", values={0x125C: 0x0030F0F0, 0x123C: 0x060000D0}),
    "blend": program("blit", values={0x127C: 1, 0x1280: 0x31000000}),
    "key": program("blit", values={0x12D4: 2, 0x125C: 0x0030AACC}),
    "turned": program("blit", values={0x12BC: 0x24}),
    "turned-pe10": program("blit", swizzles=0x40),
    "to-r8": program("blit", target=R8),
    "tile-modes": b"".join(program("blit", config=0x100 | mode << 9) for mode in range(4)),
    "stream": program("blit", source=MONO, values={0x120C: 0x0A000100}, data=[0x10204080] * 32),
    "stretch": program("stretch"),
    "filter": program("filter", entries=IDENTITY),
    "several": program("multi", values={0x1308: 1}),
    "from-nv12": program("blit", source=NV12),
    "to-yuy2": program("blit", target=YUY2),
    "to-nv12": program("filter", target=NV12, entries=IDENTITY),
    "planes": program("blit", values={0x130C: 0xE47424AB}),
    "nv12-planes": program("blit", source=YUY2, target=NV12, values={0x130C: 0x00010212}),
    "yv12-planes": program("filter", source=YUY2, target=YV12, entries=IDENTITY, values={0x130C: 0x00010203}),
}

# What the first byte of the input may be, and the programs that follow it.
SEEDS = {
    "vivante-fuzz": (range(MODELS), VIVANTE),
    "vivante-2d-fuzz": ([*range(MODELS_2D), *range(THREADS_2D, THREADS_2D + MODELS_2D)], VIVANTE_2D),
}


def main():
    fuzzer, folder = sys.argv[1:]
    choices, programs = SEEDS.get(fuzzer, ((), {}))
    os.makedirs(folder, exist_ok=True)
    for choice in choices:
        for name, program in programs.items():
            with open(os.path.join(folder, f"{name}-{choice}"), "wb") as file:
                file.write(bytes([choice]) + program)


if __name__ == "__main__":
    main()
