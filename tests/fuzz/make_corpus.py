#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the seeds of a fuzzer: byte programs for each model, each of which does one thing that drivers do.

usage: make_corpus.py FUZZER FOLDER
"""

import itertools
import os
import sys

import seeds_capture
import seeds_core
import seeds_dump
import seeds_geode
import seeds_geode_display
import seeds_ipuv3
import seeds_nema
import seeds_sgx
import seeds_vivante_3d
import seeds_vivante_vg

# ---- vivante-fuzz ----

# Same order as in Guest::play() of vivante_fuzz.cpp.
OPS = ["write", "read", "memory", "command", "start", "clock", "run", "draw", "work", "migrate", "corrupt",
       "inject", "reset", "table", "mmu", "blit", "look", "patch", "loop", "trace", "barrier", "memory ends", "move"]
# Indices of the cores in the table of hw/vivante/chip.cpp: every GC320, and one core for each kind of MMU and front end
# (GC355, GC2000, GC600, GC620, GC7000 with and without security). The last index is the first core with portable loops.
MODELS_OF_EACH_KIND = (0, 1, 2, 4, 8, 11, 16, 18, 19, 25)


def op(name, *operands):
    return bytes([OPS.index(name), *operands])


def half(value):
    return value.to_bytes(2, "little")


def word(value):
    return value.to_bytes(4, "little")


def blit(flags=8, source=(1, 0), destination=0, code=0xCC, formats=(6, 6)):
    """Returns a blit. `destination` is an offset from 0x8000, or a pair of an index in BASES and an offset."""
    rectangles = bytes([1, 4, 4, 40, 40, 10, 10, 30, 30])
    flags |= 4 * isinstance(destination, tuple)
    target = address(*destination) if isinstance(destination, tuple) else half(destination)
    return (op("blit", flags, source[0]) + half(source[1]) + half(256)
            + bytes([formats[0], 0, 3, 3]) + target + half(256) + bytes([formats[1], 0, code])
            + word(0xFF112233) + word(0xFF445566) + rectangles)


STREAM, TABLES = 0x1000, 0x20000
BASES = {0: 0, 0x100000: 1, 0x200000: 2, 0x80000000: 3, 0x90000000: 4, 0xFFFFF000: 5}  # as in Input::address()
END, NOP, WAIT, LINK, STALL, CALL, RETURN, FENCE = (code << 27 for code in (2, 3, 7, 8, 9, 10, 11, 15))


def address(base, offset=0):
    return bytes([BASES[base]]) + half(offset)


def put(*pairs):
    return b"".join(op("write", 22) + half(at) + b"\xff" + word(value) for at, value in pairs)


def memory(base, offset, value):
    return op("memory") + address(base, offset) + b"\xff" + word(value)


def words(*values):
    """Appends words to the stream with one operation per pair. The core fetches no words after them."""
    pairs = [*values, *[0] * (len(values) % 2)]
    return b"".join(op("command", 11) + word(a) + word(b) for a, b in zip(pairs[::2], pairs[1::2]))


def state(at, value):
    return 0x08010000 | at // 4, value


def stream(*values, steps=4):
    """Returns a complete stream at STREAM and its start. It must come first in a program."""
    return words(*values, END, 0) + op("start", 0, 0) + op("work", steps)


def table(index, base, flags, offset=0):
    return op("table", *half(index)) + address(base, offset) + bytes([flags])


# Word indices, from the first level on, in the page tables that op("mmu") writes.
FIRST_LEVEL, SECOND_LEVEL, MODE_0, MODE_1 = 0, 0x400, 0, 1
SAFE_PAGE = half(0x3000)
TRANSLATED = op("mmu", MODE_0, 0) + SAFE_PAGE
START_BEHIND_MMU = op("start", 200) + address(0, STREAM + 32) + bytes([0])  # op("mmu") uses the start of the stream
FENCE_AT, FENCE_LOW, FENCE_HIGH, WAIT_LOW, WAIT_HIGH = 0x3868, 0x386C, 0x3898, 0x7E8, 0x7F4


def fence(at):
    return words(*state(FENCE_AT, at), *state(FENCE_LOW, 1), *state(FENCE_HIGH, 2), END, 0)


def fence_behind_mmu(at, *entries):
    return TRANSLATED + b"".join(entries) + fence(at) + START_BEHIND_MMU + op("work", 4)


def semaphores():
    """Yields a stall without a token, then a token and a stall for every pair of modules."""
    yield from (STALL, 7 << 8 | 5)
    for source in (1, 5, 7, 0xB, 0x10, 2):
        for to in (1, 5, 7, 0xB, 0x10, 3):
            yield from (*state(0x3808, to << 8 | source), STALL, to << 8 | source)


VIVANTE = {
    "fault-first": TRANSLATED + table(FIRST_LEVEL + 512, 0, 2) + blit(destination=(0x80000000,)) + op("work", 16),
    "fault-inside": TRANSLATED + table(SECOND_LEVEL + 9, 0, 2) + blit() + op("work", 16) + op("migrate")
                    + op("work", 4) + op("reset", 1),
    "fault-write": TRANSLATED + table(SECOND_LEVEL + 9, 0, 1, 0x9000) + blit() + op("work", 16) + op("reset", 0),
    "safe-page": TRANSLATED + table(SECOND_LEVEL + 9, 0, 0) + blit() + op("work", 16),
    "hole-written": TRANSLATED + table(SECOND_LEVEL + 9, 0xFFFFF000, 5) + blit() + op("work", 16),
    "hole-read": blit(source=(5, 0)) + op("work", 16),
    "large-pages": op("mmu", MODE_1, 0) + SAFE_PAGE + b"".join(table(SECOND_LEVEL + n, 0, 5, n << 12) for n in range(4))
                   + table(FIRST_LEVEL, 0, 4 << 0 | 1) + blit() + op("work", 16),
    "reserved-page-size": TRANSLATED + b"".join(memory(0, 4 * n, n << 12 | 5) for n in range(16))
                          + table(FIRST_LEVEL, 0, 2 << 2 | 1) + blit() + op("work", 8),
    "v1-table": put((0x400, TABLES), (0x408, TABLES)) + b"".join(table(n, 0x100000, 0, n << 12) for n in range(4))
                + blit(destination=(0x80000000, 0x100)) + op("work", 16),
    "table-hole": TRANSLATED + table(FIRST_LEVEL + 512, 0xFFFFF000, 1) + blit(destination=(0x80000000,))
                  + op("work", 16) + op("migrate") + op("reset", 1),
    "table-hole-of-front-end": TRANSLATED + table(FIRST_LEVEL, 0xFFFFF000, 1) + words(NOP, 0) + START_BEHIND_MMU
                               + op("work", 4),
    "tables-hole": TRANSLATED + words(*state(0x184, 0x70000000), NOP, 0, NOP, 0, NOP, 0, NOP, 0, END, 0)
                   + START_BEHIND_MMU + op("work", 4) + START_BEHIND_MMU + op("work", 4),
    **{f"memory-ends-{n}": op("memory ends", 2 * n) + blit(flags=n % 2 * 8, formats=(6 - n % 3, 4 + n % 3))
       + op("work", 16) + op("migrate") + op("memory ends", 255) + blit() + op("work", 16) for n in range(12)},
    "fence": stream(*state(FENCE_AT, 0x9000), *state(FENCE_LOW, 1), *state(FENCE_HIGH, 2)),
    "fence-split": stream(*state(FENCE_AT, 0x100FFC), *state(FENCE_LOW, 1), *state(FENCE_HIGH, 2)),
    "fence-hole": stream(*state(FENCE_AT, 0x70000000), *state(FENCE_HIGH, 2)),
    "fence-write-fault": fence_behind_mmu(0x9000, table(SECOND_LEVEL + 9, 0, 1, 0x9000)),
    "fence-safe": fence_behind_mmu(0x9000, table(SECOND_LEVEL + 9, 0, 0)),
    "fence-table-hole": fence_behind_mmu(0x400000, memory(0, 0, 0)),
    "wait-fence": stream(*state(WAIT_LOW, 7), FENCE | 100, 0x9000) + op("clock", 255, 255, 10) + op("work", 4)
                  + op("migrate") + op("barrier") + memory(0, 0x9000, 7) + op("clock", 255, 255, 10) + op("work", 4),
    "fetch-fault": TRANSLATED + table(SECOND_LEVEL + 9, 0, 2) + words(LINK | 8, 0x9000) + START_BEHIND_MMU
                   + op("work", 4) + START_BEHIND_MMU + put((0x658, 0)) + op("reset", 1),
    "fetch-safe": TRANSLATED + table(SECOND_LEVEL + 9, 0, 0) + words(LINK | 8, 0x9000) + START_BEHIND_MMU
                  + op("work", 4),
    "fetch-hole": stream(LINK | 2, 0x70000000),
    # The linear window of an MMU v1 makes a word cross two pages that are not contiguous in host memory.
    "split-words": put((0x41C, 0x100004)) + memory(0x100000, 0xFFC, NOP) + memory(0x100000, 0x1004, END)
                   + op("start", 200) + address(0, 0xFF8) + bytes([0]) + op("work", 4),
    "split-hole": put((0x41C, 0xFFFFF004 - 0x1000)) + stream(NOP, 0) + put((0x41C, 0x10FFFC - 0x1000))
                  + op("start", 0, 0) + op("work", 4),
    "swapped": words(0x00000018, 0) + put((0x654, STREAM), (0x658, 0x210010)) + op("work", 2)
               + put((0x654, STREAM), (0x658, 0x110010)) + op("work", 2),
    "return": stream(CALL | 4, STREAM + 0x18, 4, STREAM + 0x10, END, 0, RETURN, 0),
    "call-too-deep": stream(CALL | 4, STREAM, 4, STREAM),
    "return-alone": stream(RETURN, 0),
    "starved": words(NOP, 0, NOP, 0) + op("start", 0, 200, 1, 0) + op("work", 4),
    "illegal": stream(0, 0),
    "semaphores": stream(*semaphores(), steps=8),
    "pipes": stream(*state(0x3800, 1), *state(0x3800, 0), 5 << 27, 0, 0, 0, 6 << 27, 0, 0, 0, 0, 0, 12 << 27, 0, 0, 0,
                    16 << 27, 0, 13 << 27, 0, 13 << 27 | 1, 0, 19 << 27, 0, *state(0x1600, 1), *state(0x16B0, 1),
                    *state(0x14060, 1), *state(0x3FFFC, 1), *state(0x3900, 1), *state(0x380C, 1)),
    "draw-3d-in-2d": stream(*state(0x3800, 1), 5 << 27, 0, 0, 0),
    "events": stream(*(n for event in (0x40, 0x5D, 0x5E, 0x80) for n in state(0x3804, event)), END | 0x105, 0),
    "no-event": op("inject", 2) + stream(*state(0x3804, 0x45)),
    "burst-too-far": stream(0x0802FFFF, 1, 2, 0),
    "fixed-point": stream(0x0C020200, 0x18000, 0xFFFF8000, 0),
    "mmu-states": stream(*state(0x180, 0x3000), *state(0x180, 0x4000), *state(0x184, 0x108), *state(0x1A0, 0xFF00FF),
                         *state(0x1AC, 0x10000), *state(0x1AC, 513)),
    "pta": put((0x38C, TABLES + 0x800), (0x390, 0), (0x394, 1)) + table(0x200, 0x100000, 1)
           + stream(*state(0x1AC, 0), *state(0x184, 0)),
    "pta-hole": put((0x38C, 0x70000000), (0x394, 1)) + stream(*state(0x1AC, 0)),
    "secure": put((0x388, 1), (0x398, 0x3000), (0x3A0, 0)) + TRANSLATED + table(SECOND_LEVEL + 9, 0, 2) + blit()
              + op("work", 16) + op("migrate") + put((0x3A8, 1)),
    "endless": stream(LINK | 2, STREAM) + op("work", 9),
    "registers": b"".join(put((at, 0xFFFFFFFF)) for at in range(0x20, 0x120, 4)),
    "counters": put((0x470, 0xFFFFFFFF), (0x474, 0xFFFFFFFF), (0x478, 0xFFFFFFFF), (0x3C, 1), (0x3C, 0), (0x78, 0),
                      (0x438, 5), (0x7C, 0)) + b"".join(op("read", 22) + half(at) + bytes([2]) for at in (
                          0x40, 0x44, 0x4C, 0x50, 0x54, 0x58, 0x5C, 0x60, 0x78, 0x7C, 0x438, 0x448, 0x44C, 0x450, 0x454,
                          0x458, 0x45C, 0x460, 0x464, 0x468, 0x46C, 0x564, 0x65C, 0x660, 0x664, 0x668,
                          0x66C, 0x670, 0x1A4)),
    "parked": op("loop", 200, 0) + op("work", 4) + b"".join(
        op("read", 22) + half(at) + bytes([2]) + op("clock", 9, 0, 9) for at in (0x660, 0x664, 0x668, 0x66C, 4, 0x10))
              + op("barrier"),
    "interrupts": put((0x14, 0xFFFFFFFF)) + stream(*(n for event in (0x40, 0x5D) for n in state(0x3804, event)))
                  + op("read", 22) + half(0x10) + bytes([2]) + op("migrate"),
    "divided": put((0x00, 0x100 | 0x20 << 2 | 0x200), (0x00, 0x100 | 1 << 2 | 0x200)) + op("loop", 200, 0)
               + op("work", 4) + put((0x00, 0x104)),
    "moved": blit() + op("work", 1) + op("move") + op("work", 16) + op("loop", 200, 0) + op("work", 4) + op("move")
             + op("clock", 255, 255, 4) + op("work", 9) + TRANSLATED + op("move") + blit() + op("work", 16),
    "interrupted": blit() + op("work", 1) + op("reset", 2) + op("work", 8),
    "started-again": stream(NOP, 0) + put((0x658, 0x10004)) + op("work", 4) + put((0x658, 0x10004)) + op("work", 4),
    "draw-2d-in-3d": stream(*state(0x3800, 0), 0x20000100, 0, 0, 0x80008),
    "in-two-runs": op("start", 200) + address(0x80000000, 0x3F0) + bytes([0]) + b"".join(
        memory(0x80000000, 0x3F0 + 4 * n, word) for n, word in enumerate((NOP, 0, *state(0x12C0, 1), NOP, 0, END, 0)))
                   + op("start", 200) + address(0x80000000, 0x3F0) + bytes([0]) + op("work", 4),
    "linear-window-in-two-runs": put((0x41C, 0x80000000)) + op("start", 200) + address(0x80000000, 0x3F8) + bytes([0])
                                 + op("work", 4) + put((0x400, 0x800003FC), (0x408, 0x800003FC)) + blit()
                                 + op("work", 4),
    "engines": put((0x554, 1), (0x504, 1), (0x500, 1)),
    "brush-fault": TRANSLATED + table(SECOND_LEVEL + 9, 0, 2) + words(
        *state(0x3800, 1), *state(0x1238, 0x9000), *state(0x123C, 0x060000D0), END, 0) + START_BEHIND_MMU
        + op("work", 8) + op("migrate") + op("work", 4) + op("reset", 1),
    "brush-hole": stream(*state(0x3800, 1), *state(0x1238, 0x70000000), *state(0x123C, 0x060000D0)),
    "profile-stack": put((0x470, 0x10), (0x470, 0x11), (0x470, 0x0F), (0x470, 0x0E)) + op("read", 22) + half(0x450)
                     + bytes([2]) + b"".join(put((0x470, n)) + op("read", 22) + half(0x450) + bytes([2])
                                             for n in range(24)),
    "commands": stream(*state(0x3800, 1), *(w for n in (3, 5, 6, 7, 10, 11, 15) for w in (
        *state(0x1234, n << 12 | 6), 0x20000100, 0, 0, 8 << 16 | 8))),
    "hole-of-fence": TRANSLATED + put((0x18C, 1)) + fence(0x80000000) + START_BEHIND_MMU + op("work", 4),
    "in-reset": put((0x00, 0x1000), (0x654, STREAM), (0x658, 0x10001), (0x00, 0x100)) + put((0x658, 0x10001)),
    **{f"short-of-{name}": words(*command) + op("start", 0, 200) + half(left) + op("work", 2)
       for name, command, left in (("rectangle", (0x20000100, 0), 1), ("data", (0x20020100, 0, 1, 2), 2),
                                   ("address", (CALL, 0), 1), ("value", (0x08030480, 1), 1),
                                   ("primitive", (5 << 27, 0), 1), ("operand", (12 << 27, 0), 1))},
    "waiting-loop": stream(WAIT | 200, 0, NOP, 0, LINK | 9, STREAM, steps=9) + op("barrier")
                    + op("clock", 255, 255, 4) + op("read", 22) + half(0x664) + bytes([2]) + op("work", 9)
                    + op("barrier") + op("migrate") + op("work", 2),
    **{f"names-{n}": b"".join(op("look", k) for k in range(n, n + 64, 8)) for n in range(0, 256, 64)},
    "traced-states": op("trace", 1) + stream(*(n for at in (0x1200, 0x3848, 0x600, 0x12800, 0x40)
                                               for n in state(at, 0))),
    "idle": op("loop", 200, 0) + op("work", 4) + op("clock", 0, 16, 8) + op("work", 4) + op("look", 0),
    "patched": op("loop", 200, 0) + op("work", 4) + op("patch", 0, *half(0x2000), *half(4)) + op("work", 8),
    # The read of INTR_ACKNOWLEDGE (register 4) follows the link, reports the bus error there and clears it.
    "patched-behind-a-read": op("loop", 200, 0) + op("work", 4) + op("patch") + address(0xFFFFF000) + half(4) + op("look", 4),
    "announced": op("loop", 200, 0) + op("work", 4) + op("patch", 0, *half(0x2000), *half(4)) + op("barrier")
                 + op("work", 8),
    "fill": blit(flags=0) + op("work", 16),
    "copy": blit() + op("work", 16),
    "move": blit(flags=9) + op("run", 64) + op("draw", *half(500)) + op("migrate") + op("work", 31),
    "scattered": op("mmu", MODE_0, 1) + SAFE_PAGE + op("table", *half(0x801), 1, *half(0x1000), 5) + blit()
                 + op("work", 16),
    "fault": TRANSLATED + blit(destination=0x3000) + op("work", 16) + op("reset", 1),
    "event": op("command", 7, 0x45) + op("command", 9) + op("start", 0, 0) + op("work", 4) + op("read", 2, 2),
    "hang": op("command", 11, *word(0), *word(0)) + op("start", 0, 0) + op("work", 4) + op("reset", 1),
    "inject": op("inject", 1) + blit() + op("work", 16) + op("inject", 3) + op("loop", 1, 0) + op("work", 4),
    "corrupt-much": blit() + b"".join(op("run", 0, 64) + op("corrupt", 3, *(n for k in range(4) for n in (
        0, *half(at + 4 * k), 1 + k))) + op("work", 1) for at in range(0x840, 0xA40, 64)),
    "corrupt": blit() + op("run", 64) + op("corrupt", 1, 0, *half(0x900), 255, 0, *half(0x940), 255) + op("work", 9),
    "traced": op("trace", 1) + op("loop", 10, 0) + op("work", 4) + op("write", 0, 13),
}


# ---- vivante-2d-fuzz ----

# The number of models in vivante_2d_fuzz.cpp; the input's first byte selects one.
MODELS_2D = 6
# Added to a model to select two threads, loops without AVX2, or filter blits that copy if they do not scale.
THREADS_2D, PORTABLE_2D, COPYING_2D = 2 * MODELS_2D, 4 * MODELS_2D, 8 * MODELS_2D
STATES = [0x120C, 0x1218, 0x121C, 0x123C, 0x1240, 0x1248, 0x1250, 0x1254, 0x125C, 0x126C,
          0x127C, 0x1280, 0x12BC, 0x12C0, 0x12C4, 0x12C8, 0x12CC, 0x12D0, 0x12D4, 0x12D8,
          0x12DC, 0x12E0, 0x12E4, 0x12E8, 0x12EC, 0x1300, 0x1308, 0x130C, 0x1328, 0x132C]
TABLES = [0x1800, 0x1C00, 0x2800, 0x2A00, 0x3400]
COMMANDS = {"clear": 0, "line": 1, "blit": 2, "stretch": 5, "multi": 7, "filter": 9}
ARGB, YUY2, MONO, YV12, NV12, R8 = 6, 7, 10, 15, 0x11, 0x14
SIDE = word(40 << 16 | 40)


def surface(base, stride=64, offset=0):
    """Returns a surface. `base` selects one of four addresses 32 KiB apart. `stride` is in bytes; a wide program
    multiplies it by eight.
    """
    return bytes([base]) + half(offset) + bytes([stride // 4])


APART, SAME, NEAR = surface(0, 160), surface(3, 160), surface(3, 160, 164)


def surfaces(source=ARGB, swizzles=0, size=40, place=APART):
    rotation = bytes([size])
    planes = surface(1) + surface(2) + surface(3) + surface(1)
    return (bytes([0, swizzles]) + place + rotation + bytes([source, 0]) + bytes([0, 0, 20, 20]) + rotation
            + surface(3, 160) + rotation * 2 + planes + bytes([2]) + half(0) + bytes([1]) + half(0))


def states(values):
    def place(at):
        if at >= 0x12A00:  # block for eight sources: group of the state, source
            return bytes([161, (at - 0x12A00) // 32, at % 32 // 4])
        if at >= 0x12800:  # block for four sources
            return bytes([160, (at - 0x12800) // 16, at % 16 // 4])
        return bytes([STATES.index(at), 1]) if at in STATES else bytes([255]) + half((at - 0x1200) // 4)
    return bytes([len(values)]) + b"".join(place(at) + word(value) for at, value in values.items())


def tables(entries):
    return bytes([len(entries)]) + b"".join(bytes([TABLES.index(base), index]) + word(value)
                                            for base, index, value in entries)


def program(command, source=ARGB, target=ARGB, values=None, entries=(), data=(), swizzles=0, config=None, wide=False,
            place=APART, whole=False, how=255, factor=0x8000, start=2, image=SIDE):
    """Emits surfaces, states, tables, DEST_CONFIG with the additional bits `config`, the clip, and a draw or a filter
    kick.
    """
    more = bytes([255]) if config is None else bytes([0]) + word(config)
    side = word(15 << 16 | 500) if wide else SIDE
    what = (bytes([0 if wide else 255]) + surfaces(source, swizzles, place=place)
            + states({0x125C: 0x0030CCCC, **(values or {})}) + tables(entries)
            + bytes([COMMANDS[command], target, 0]) + more + word(0) + side)
    if command == "filter":
        kick = word(factor) * 2 + b"\0" + word(0) + b"\0" + image + word(0x8000) * 2 + word(0) + b"\377" + side
        return what + kick + bytes([start, how])
    rectangles = bytes([1, 255 if data else 0]) + (bytes([len(data)]) if data else b"") + b"\377"
    corners = word(1 << 16 | 1) + word(30 << 16 | 35) + word(0) + word(8 << 16 | 8)
    if whole:
        corners = word(0) + SIDE + word(0) + SIDE
    if wide:
        corners = word(0) + word(15 << 16 | 400) + word(1 << 16 | 3) + word(12 << 16 | 480)
    return what + b"\377" + rectangles + corners + b"".join(map(word, data)) + bytes([how])


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

NV16 = 0x12
DESTINATION_KEY, SOURCE_KEY = 0x200, 2
VIVANTE_2D |= {
    **{f"key-of-a-copy-{source:x}": program("blit", source=source, target=source, values={
        0x12D4: SOURCE_KEY, 0x1218: low, 0x12DC: high}, wide=wide) for source, low, high, wide in (
            (ARGB, 0, 0, False), (ARGB, 0, 0x10000000, True), (4, 0, 0, False), (4, 0x1111, 0x3333, True),
            (1, 0, 0, True), (0, 0, 0, True), (R8, 0, 0, True), (5, 0, 0, True))},
    "key-over-runs": program("blit", values={0x12D4: SOURCE_KEY, 0x1228: 0x100FF2}),
    "key-over-holes": program("blit", values={0x12D4: SOURCE_KEY, 0x1228: 0x2F000}, wide=True),
    "both-keys": program("blit", values={0x12D4: SOURCE_KEY | DESTINATION_KEY, 0x12C4: 1, 0x12E0: 1}, wide=True),
    "key-and-rop": program("blit", values={0x12D4: SOURCE_KEY, 0x125C: 0x00306666}, wide=True),
    "destination-keys": b"".join(program("blit", target=target, values={
        0x12D4: DESTINATION_KEY, 0x12C4: 0, 0x12E0: 0x11}) for target in (ARGB, 4, R8, 0)),
    **{f"overlap-{name}": b"".join(program(command, place=place, values=values) for command in ("blit", "stretch")
                                   for values in ({}, {0x12D4: SOURCE_KEY}, {0x125C: 0x00306666}, {0x12BC: 0x24}))
       for name, place in (("same", SAME), ("near", NEAR), ("over", surface(3, 128, 4)))},
    "gapless": b"".join(program(what, whole=True, values=values) for what in ("clear", "blit")
                        for values in ({}, {0x125C: 0x00306666})),
    "mono": b"".join(program("blit", source=MONO, target=target, values={0x120C: 0x0A000000, 0x1218: 1, 0x121C: 2,
                                                                       0x12D4: mode}) for target in (ARGB, 4)
                     for mode in (0, 1)),
    "streams": b"".join(program("blit", source=MONO, values={0x120C: 0x0A000100 | pack << 12, 0x12D4: pack & 1},
                                data=[0x10204080] * 60) for pack in range(4)),
    "masked": b"".join(program("blit", values={0x120C: 0x06000100 | pack << 12, 0x12D4: 1, 0x125C: 0x0030AACC},
                               data=[0x10204080] * 60) for pack in range(4)),
    "tiles": b"".join(program("blit", values={0x120C: 0x06000080, 0x1300: bits}) for bits in (1, 8, 9, 0x100)),
    "user-tables": b"".join(program("filter", source=source, target=target, entries=IDENTITY, values={
        0x132C: 2, 0x12D8: control, 0x1340: 0x00400100, 0x1360: 0x00400100}) for source, target, control in (
            (YUY2, ARGB, 2), (ARGB, YUY2, 0), (YUY2, NV12, 0x1002), (YUY2, ARGB, 0x11113))),
    **{f"bits-{at:x}-{first}": b"".join(program("blit", source=source, values={at: 1 << bit})
                                        for bit in range(first, first + 4) for source in (YUY2,))
       for at in (0x12D8, 0x1328, 0x132C, 0x12D0) for first in range(0, 28, 4)},
    "filter-bits": b"".join(program("filter", source=YUY2, entries=IDENTITY, values={0x12E4: bits})
                            for bits in (0x30000, 0x80, 0x8000, 0x2000)),
    "demultiply": b"".join(program("blit", values={0x127C: 1, 0x1280: 0x31000000, 0x12D0: bits})
                           for bits in (0x100000, 0x200000, 0x300000, 0x11)),
    "only-scaled": b"".join(program("blit", wide=True, values={
        0x127C: 1, 0x1280: 0x31000000 | bits, 0x12C8: 0x80000000, 0x12D0: multiply}) for bits in (0x100, 0x200)
                            for multiply in (0, 0x100)),
    "transparent-rop": b"".join(program("blit", values={0x125C: 0x003055CC, 0x12D4: mode, 0x123C: 0xD0})
                                for mode in (0, SOURCE_KEY, DESTINATION_KEY, 0x12)),
    **{f"config-{bit}": b"".join(program(what, values={0x126C: 1 << bit}) for what in ("stretch", "blit"))
       for bit in (0, 4, 5, 16, 17, 18, 20, 21)},
    "keys-of-several": b"".join(program("multi", target=target, values={
        0x1308: 1, **{0x12800 + 16 * group + 4 * n: value for n in (0, 1) for group, value in (
            (3, 0x06000000), (7, 0x0030CCCC), (19, mode))}}) for target in (ARGB, NV12) for mode in (0x200, 0x202)),
    "in-small-runs": b"".join(program(what, place=bytes([205]) + half(0) + bytes([40]))
                              for what in ("blit", "stretch")),
    "to-small-runs": b"".join(program("blit", values={0x1228: 0x80000000 + 4 * n, 0x12D4: key}) for n in (0, 3)
                              for key in (0, SOURCE_KEY)),
    "mirrors": b"".join(program("blit", values={0x12BC: n << 12 | (3 - n) << 16}) for n in range(4)),
    "mirrors-key": b"".join(program("blit", values={0x12BC: n << 12, 0x12D4: SOURCE_KEY}, wide=True)
                            for n in range(4)),
    "scattered": program("blit", values={0x1200: 0x101FE2, 0x1228: 0x100FF2}),
    "scattered-blend": program("blit", values={0x1200: 0x101FE2, 0x1228: 0x100FF2, 0x127C: 1, 0x1280: 0x31000000}),
    "hole-read": program("blit", values={0x1200: 0x70000000}),
    "hole-written": program("blit", values={0x1228: 0x70000000}),
    "rom-written": program("blit", values={0x1228: 0x200000}),
    "key-of-a-stretch": program("stretch", values={0x12D4: SOURCE_KEY}),
    "destination-key": program("blit", values={0x12D4: DESTINATION_KEY, 0x12C4: 1, 0x12E0: 2}),
    **{f"to-{target:x}-with-key-{mode}": program("blit", source=YUY2, target=target, values={
        0x12D4: mode, 0x12C4: 1, 0x12E0: 2, 0x1218: 1, 0x12DC: 2}) for target in (YV12, NV12, NV16)
       for mode in (DESTINATION_KEY, SOURCE_KEY)},
    **{f"wide-{what}": program(what, wide=True) for what in ("clear", "line", "blit", "stretch", "multi")},
    "wide-filter": program("filter", entries=IDENTITY, wide=True),
    "wide-key": program("blit", values={0x12D4: SOURCE_KEY}, wide=True),
    "wide-blend": program("blit", values={0x127C: 1, 0x1280: 0x31000000}, wide=True),
    "wide-nv12": program("blit", source=NV12, wide=True),
    "wide-to-nv12": program("filter", target=NV12, entries=IDENTITY, wide=True),
    "wide-mono": program("blit", source=MONO, values={0x120C: 0x0A000100}, data=[0x10204080] * 120, wide=True),
}
ROP3, UYVY = 2 << 20, 8
OVER = {0x127C: 1, 0x1280: 0x31000000}
LEFT_OR_RIGHT = (0, 1, 2, 3, 4, 5)  # values of ROT_ANGLE
VIVANTE_2D |= {
    # Transparent pixels keep the destination, whatever the second ROP is.
    **{f"kept-{mode:x}-{source:x}": b"".join(program("blit", source=source, target=source, wide=wide, values={
        0x12D4: mode, 0x125C: ROP3 | rop, 0x12C4: 0, 0x12E0: 0x10000000, 0x1218: 0, 0x12DC: 0x10000000})
                                             for wide in (False, True) for rop in (0xCC, 0x66))
       for mode in (SOURCE_KEY, DESTINATION_KEY, SOURCE_KEY | DESTINATION_KEY) for source in (ARGB, 4, R8)},
    "kept-in-small-runs": b"".join(program("blit", values={
        0x12D4: mode, 0x125C: ROP3 | 0xCC, 0x1228: at, 0x12C4: 0, 0x12E0: 0x11}) for mode in (
            SOURCE_KEY, DESTINATION_KEY) for at in (0x80000002, 0x100FF2)),
    "keeps-all": b"".join(program("blit", values={0x125C: 0x00300000 | rop, 0x12D4: mode, 0x12BC: turn})
                          for rop, mode, turn in ((0xCCAA, SOURCE_KEY, 4), (0xAACC, SOURCE_KEY, 4), (0xAAAA, 0, 4),
                                                  (0xAACC, 0, 0))),
    "keeps-lines": b"".join(program("line", values={0x125C: 0x00300000 | rop, 0x12D4: mode, 0x1254: 0xFF445566})
                            for rop, mode in ((0xAAAA, 0), (0xF0AA, DESTINATION_KEY), (0xAAF0, DESTINATION_KEY))),
    "blended-clear": b"".join(program("clear", target=target, config=swizzle << 16, values={
        **OVER, 0x12C0: 0x80112233}) for target in (ARGB, 4) for swizzle in (0, 2)),
    "blended-clear-runs": b"".join(program("clear", target=target, values={**OVER, 0x12C0: 0x80112233, 0x1228: at})
                                   for target in (ARGB, 4) for at in (0x100FF2, 0x80000002)),
    **{f"scaled-{mode}": b"".join(program("blit", target=target, values={
        0x127C: 1, 0x1280: 0x31000000 | mode << 8, 0x12C8: 0x80000000, 0x12D0: multiply << 8})
                                  for target in (ARGB, 4) for multiply in (1, 2)) for mode in (1, 2)},
    "added": b"".join(program("blit", source=source, target=ARGB, values={0x127C: 1, 0x1280: 0x11000000 | how})
                      for source in (ARGB, 5) for how in (0, 0x100)),
    "gdi": b"".join(program("stretch", config=1 << 24, values={0x12BC: turn, 0x1214: size})
                    for turn, size in ((0, 20 << 16 | 20), (4, 20 << 16 | 20), (0, 500 << 16 | 500),
                                       (4, 500 << 16 | 3))),
    "brushes": b"".join(program("blit", target=target, values={
        0x125C: 0x0030F0F0, 0x1248: 0x55AA, 0x1250: 0x10204080, 0x1254: 0xFF445566,
        0x123C: format << 24 | format | 0xD0})
                        for format in (MONO, 9) for target in (ARGB, 4)),
    "chroma-swapped": b"".join(program("blit", source=source, target=target, values={0x132C: 0x10, 0x12D8: 0x10})
                               for source in (YUY2, ARGB) for target in (NV12, YV12)),
    "too-many-sources": b"".join(program("multi", values={0x1308: n, 0x1380: 1}) for n in (3, 4, 7)),
    "fast-clear": program("blit", values={0x12FC0: 4}) + program("multi", values={0x1308: 1, 0x12FC4: 4, 0x1380: 1}),
    "sources-over-each-other": b"".join(program("multi", place=place, values={0x1308: 1, 0x1380: 1, **{
        base + step * group + 4 * n: value for n in (0, 1) for group, value in ((3, 0x06000000), (7, 0x0030CCCC))}})
                                        for place in (SAME, NEAR) for base, step in ((0x12800, 16), (0x12A00, 32))),
    **{f"taps-{count}": program("filter", entries=IDENTITY, values={0x12E4: count << 4 | 1 << 13 | (count + 2) << 15})
       for count in (1, 3, 5, 9)},
    "unscaled": b"".join(program("filter", source=source, entries=IDENTITY, factor=0x10000) for source in (ARGB, YUY2)),
    "yuv-order": b"".join(program("filter", source=source, target=target, entries=IDENTITY) for source, target in (
        (YUY2, UYVY), (UYVY, YUY2))),
    "filter-with-key": b"".join(program("filter", source=source, target=target, entries=IDENTITY, values={
        0x12D4: SOURCE_KEY, 0x12DC: 0xFFFFFF}) for source in (YUY2, ARGB) for target in (YUY2, ARGB)),
    "clamped": b"".join(program(what, source=source, values={0x12D8: 0x1000 | bits}, entries=IDENTITY)
                        for bits in (0, 1) for what, source in (("blit", YUY2), ("filter", NV12))),
    "dithered": b"".join(program(what, target=target, values={
        0x12E8: 0x048C26AE, 0x12EC: 0x159D37BF}) for what, target in (
            ("blit", 4), ("blit", 0), ("clear", 1), ("line", 4))),
    **{f"planar-lines-{target:x}": b"".join(program("line", source=YUY2, target=target, wide=wide, values={
        0x125C: 0x00300000 | rop, 0x1254: 0xFF445566}) for wide in (False, True) for rop in (0xF0F0, 0xCCCC))
       for target in (YV12, NV12, NV16)},
    **{f"pe10-{mode}-{source:x}": b"".join(program("blit", source=source, values={
        0x120C: source << 24 | (source & 15) | mode << 4 | stream << 8, 0x1218: 0x11223344, 0x125C: rop},
                                                   data=[0x10204080] * (100 * stream))
                                           for stream in (0, 1) for rop in (0x0030AACC, ROP3 | 0xCC))
       for mode in range(4) for source in (ARGB, MONO, YUY2, 9, 4)},
    "rop2": b"".join(program("blit", values={0x125C: kind << 20 | code, 0x123C: 0xD0}) for kind in (0, 1)
                     for code in (0xC, 0x6)),
    "forced": b"".join(program("blit", values={0x12D4: override << 16, 0x127C: blend, 0x1280: 0x31000000})
                       for override, blend in ((0x222, 0), (0x111, 1), (0x002, 1), (0x200, 1))),
    "not-forced": b"".join(program("blit", values={0x12D4: override << 16, 0x127C: blend, 0x1280: 0x31000000,
                                                   0x125C: 0x0030F0F0})
                           for override, blend in ((0x111, 0), (0x121, 1), (0x021, 1), (0x010, 1))),
    **{f"swapped-{n}": b"".join(program("blit", source=source, target=target, config=to << 20 | tiled << 8, values={
        0x120C: source << 24 | source & 15 | n << 30 | tiled << 7, 0x12BC: turn})
                                for source, target, to, tiled, turn in ((ARGB, ARGB, n, 0, 4), (4, ARGB, 3 - n, 0, 0),
                                                                        (ARGB, 4, n, 1, 0), (ARGB, R8, n, 0, 0)))
       for n in (1, 2, 3)},
    "byte-clear": b"".join(program("clear", config=config) for config in (0x100, 1 << 20, 2 << 20)),
    **{f"to-{first:x}": b"".join(program(what, target=first + n) for n in range(2) for what in ("blit", "clear"))
       for first in range(0, 32, 2)},
    "to-unknown-filtered": b"".join(program("filter", target=target, entries=IDENTITY)
                                    for target in (9, MONO, 0x1F, 0x16)),
    **{f"filter-{start}": b"".join(program("filter", source=source, entries=IDENTITY, start=start,
                                           values={0x12BC: turn}) for source in (ARGB, NV12) for turn in (0, 4)) for start in range(4)},
    "filter-of": b"".join(program("filter", source=source, entries=IDENTITY, image=image, values={0x12D4: SOURCE_KEY})
                          for source, image in ((MONO, SIDE), (9, SIDE), (ARGB, word(0)), (YUY2, word(0)))),
    "index-keys": b"".join(program("blit", source=9, values={0x12D4: SOURCE_KEY, 0x12DC: 0xFF, 0x12BC: turn},
                                   target=target) for target in (ARGB, 4) for turn in (0, 4)),
    "filter-in-small-runs": b"".join(program("filter", entries=IDENTITY, source=source, values={0x1200: 0x80000002})
                                     for source in (ARGB, 4, YUY2, NV12)),
    "far-away": b"".join(program("blit", values={at: 0xFFFFFFFF}) for at in (0x1204, 0x122C, 0x1200, 0x1228)),
    "far-away-tiled": b"".join(program("blit", config=0x100, values={0x120C: 0x06000080, at: 0xFFFFFFFF})
                               for at in (0x1204, 0x122C, 0x1200, 0x1228)),
    "far-rectangles": b"".join(program(what, values={at: 0x7FFF7FFF, 0x1264: 0x7FFF7FFF, 0x122C: 0x3FFFC})
                               for what in ("blit", "stretch") for at in (0x1210, 0x1214)),
}
VIVANTE_2D_OPERANDS = {
    "clear": {"command": "clear"}, "copy": {"command": "blit"}, "line": {"command": "line"},
    "key": {"command": "blit", "values": {0x12D4: SOURCE_KEY}},
    "destination-key": {"command": "blit", "values": {0x12D4: DESTINATION_KEY, 0x12C4: 1, 0x12E0: 1}},
    "kept": {"command": "blit", "values": {0x12D4: SOURCE_KEY, 0x125C: ROP3 | 0xCC}},
    "kept-destination": {"command": "blit", "values": {0x12D4: DESTINATION_KEY, 0x125C: ROP3 | 0xCC, 0x12E0: 1}},
    "rop": {"command": "blit", "values": {0x125C: 0x00306666}},
    "blend": {"command": "blit", "values": OVER}, "blended-clear": {"command": "clear", "values": OVER},
    "scaled": {"command": "blit", "values": {**OVER, 0x1280: 0x31000200, 0x12D0: 0x100}},
    "added": {"command": "blit", "values": {0x127C: 1, 0x1280: 0x11000000}},
    "dithered": {"command": "blit", "target": 4, "values": {0x12E8: 0x048C26AE}},
    "turned": {"command": "blit", "values": {0x12BC: 4}},
    "turned-stretch": {"command": "stretch", "values": {0x12BC: 4}},
    "turned-line": {"command": "line", "values": {0x12BC: 4}},
    "mirrored": {"command": "blit", "values": {0x12BC: 0x1000}},
    "overlap": {"command": "blit", "place": NEAR}, "stretch": {"command": "stretch"},
    "overlap-stretch": {"command": "stretch", "place": NEAR},
    "several": {"command": "multi", "values": {0x1308: 1}},
    "filter": {"command": "filter", "entries": IDENTITY},
    "filter-turned": {"command": "filter", "entries": IDENTITY, "values": {0x12BC: 4}},
    "nv12": {"command": "blit", "source": NV12}, "yuy2": {"command": "blit", "source": YUY2, "target": YUY2},
    "to-nv12": {"command": "blit", "source": YUY2, "target": NV12},
    "line-to-nv12": {"command": "line", "source": YUY2, "target": NV12},
    "index": {"command": "blit", "source": 9}, "converted": {"command": "blit", "target": 4},
    "to-r8": {"command": "blit", "source": 4, "target": R8},
    "tiled": {"command": "blit", "config": 0x100, "values": {0x120C: 0x06000080}},
    "mono": {"command": "blit", "source": MONO, "values": {0x120C: 0x0A000000, 0x1218: 1}},
}
VIVANTE_2D_FAMILIES = {
    **{f"from-{source:x}-to-{target:x}": b"".join(
        program("blit", source=source, target=target, values={0x12BC: turn}) for turn in (0, 0x24))
       for source in range(0x16) for target in (0, 1, 4, ARGB, 5, YUY2, 8, 0x10, NV12, R8)},
    **{f"{'fault' if step & 1 else 'bus-error'}-{name}-{step}{'-wide' * wide}": program(
        how=32 + step, wide=wide, **operands)
       for step in (1, 3, 5, 7, 2, 8) for wide in (False, True) for name, operands in VIVANTE_2D_OPERANDS.items()},
    # Memory runs out at different points of a core's first draw or of a later one.
    **{f"memory-ends-{name}-{n}": program(how=64 + n, **operands) + program(how=65 + n, wide=True, **operands)
       for n in range(0, 20) for name, operands in VIVANTE_2D_OPERANDS.items()},
    **{f"turn-{source}-{target}-{format:x}": b"".join(
        program(what, source=format, target=format, values={0x12BC: source | target << 3, 0x126C: 0}, wide=wide)
        for what in ("blit", "stretch") for wide in (False, True))
       for source in LEFT_OR_RIGHT for target in LEFT_OR_RIGHT for format in (ARGB, 4, R8) if source != target},
    **{f"rop-{code:x}": b"".join(program("blit", values={0x125C: 0x00300000 | (code + n) << 8 | code + n, 0x123C: 0xD0},
                                         target=(ARGB, 4, R8)[n % 3]) for n in range(4)) for code in range(0, 256, 4)},
    **{f"factors-{n}": b"".join(program("blit", values={0x127C: 1, 0x1280: (n + i) << 24 | (15 - n) << 28 | alpha,
                                                        0x12C8: 0x80402010, 0x12CC: 0x40FF0080,
                                                        0x12D0: 0x00300311 & (0x111 << i)})
                                for i, alpha in enumerate((0, 0x2200, 0x1100, 0x3311))) for n in range(16)},
    **{f"source-tiles-{n}": program("blit", values={0x120C: 0x06000000 | n << 21 | 1 << 7}) for n in range(4)},
}


def chosen(numbers):
    """Returns possible first bytes of an input, keyed by their values."""
    return {str(n): bytes([n]) for n in numbers}


# For each fuzzer: its version, the possible beginnings of an input, programs that follow every beginning, and programs
# that follow only one beginning each, in turn. Raise the version when the meaning of input bytes changes; this discards
# the old corpus (scripts/lib/fuzz.py).
SEEDS = {
    "vivante-fuzz": (3, chosen(MODELS_OF_EACH_KIND), VIVANTE, {}),
    "vivante-2d-fuzz": (2, chosen((*range(MODELS_2D), THREADS_2D, PORTABLE_2D, PORTABLE_2D + 3, COPYING_2D)),
                        VIVANTE_2D, VIVANTE_2D_FAMILIES),
    "vivante-3d-fuzz": (2, seeds_vivante_3d.CHOICES, seeds_vivante_3d.PROGRAMS, {}),
    "vivante-vg-fuzz": (2, seeds_vivante_vg.CHOICES, seeds_vivante_vg.PROGRAMS, {}),
    "sgx-fuzz": (2, seeds_sgx.CHOICES, seeds_sgx.PROGRAMS, {}),
    "geode-gp-fuzz": (3, seeds_geode.CHOICES, seeds_geode.PROGRAMS, seeds_geode.FAMILIES),
    "nema-fuzz": (2, seeds_nema.CHOICES, seeds_nema.PROGRAMS, seeds_nema.FAMILIES),
    "capture-fuzz": (1, seeds_capture.CHOICES, seeds_capture.PROGRAMS, {}),
    "dump-fuzz": (1, seeds_dump.CHOICES, seeds_dump.PROGRAMS, {}),
    "geode-display-fuzz": (2, seeds_geode_display.CHOICES, seeds_geode_display.PROGRAMS,
                           seeds_geode_display.FAMILIES),
    "ipuv3-fuzz": (1, seeds_ipuv3.CHOICES, seeds_ipuv3.PROGRAMS, {}),
}
FRAME_ALONE = (2, {"": b""}, seeds_core.PROGRAMS, {})  # any other fuzzer


def version(fuzzer):
    return SEEDS.get(fuzzer, FRAME_ALONE)[0]


def seeds(fuzzer):
    _, choices, programs, families = SEEDS.get(fuzzer, FRAME_ALONE)
    for choice, first in choices.items():
        for name, what in programs.items():
            yield f"{name}-{choice}", first + what
    for (choice, first), (name, what) in zip(itertools.cycle(choices.items()), families.items()):
        yield f"{name}-{choice}", first + what


def write(fuzzer, folder):
    os.makedirs(folder, exist_ok=True)
    for name, data in seeds(fuzzer):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    write(*sys.argv[1:])
