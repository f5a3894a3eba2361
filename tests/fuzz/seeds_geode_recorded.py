# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns recorded writes of lxfb and the X driver (recordings/, written by record_geode.py) into seeds of geode-gp-fuzz
and geode-display-fuzz: once unchanged, and once with addresses folded into the fuzzer's small memory.
"""

import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recordings")
BLT = (0x38, 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x1C, 0x30, 0x34, 0x60, 0x64, 0x68, 0x4C, 0x40)
VECTOR = (0x38, 0x00, 0x04, 0x08, 0x0C, 0x10, 0x18, 0x1C, 0x30, 0x34, 0x64, 0x4C, 0x3C)
PACKETS = {0: BLT, 1: VECTOR}
CMD_TOP, CMD_WRITE = 0x50, 0x5C
MORE = 4  # the doorbell: the packets so far
DATA_OF = {0x48: 0, 0x6C: 1, 0x20: 2, 0x74: 3}

# Folding changes a register's word as follows: offsets keep their low bits, sizes become small, bases become those of
# the fuzzer's memory, and all rows of the screen become the first row.
ORIGINS, OFFSET = 0xFE000000, 0x3FFF


def folded_size(value):
    return min(value >> 16, 40) << 16 | min(value & 0xFFFF, 8)


FOLDED_GP = {
    0x00: lambda value: value & (ORIGINS | OFFSET), 0x04: lambda value: value & (ORIGINS | OFFSET),
    0x60: lambda value: value & (ORIGINS | OFFSET), 0x0C: folded_size, 0x68: folded_size, 0x4C: lambda value: value & 3,
}
FOLDED_DISPLAY = {
    **{at: lambda value: value & 0x7FF8 for at in (0x10, 0x14, 0x18, 0x20, 0x24, 0x28)},
    0x34: lambda value: 0, 0x38: lambda value: 0,
}


def as_it_was(_, value):
    return value


def folded(table):
    return lambda at, value: table[at](value) if at in table else value


def windows(name):
    """Returns the excerpts of a recording, each a list of lines split into words."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    pieces = []
    for line in lines:
        if line == ["window"]:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces


def packet_words(header, pairs, change):
    values = {int(at, 16): int(value, 16) for at, value in (pair.split("=") for pair in pairs)}
    return [header, *(change(at, values[at]) if at in values else 0 for at in PACKETS[header >> 29 & 3])]


def data_words(header, taker, words):
    return [header, DATA_OF[taker] << 29 | len(words), *words]


def gp_streams(op, write):
    """Returns seeds of geode-gp-fuzz, grouped into families."""
    def recorded(words):
        return op("recorded", len(words) - 1) + b"".join(word.to_bytes(4, "little") for word in words) + bytes([MORE])

    def move(kind, first, *rest, change):
        first = int(first, 16)
        if kind == "packet":
            return recorded(packet_words(first, rest, change))
        if kind == "data":
            return recorded(data_words(first, int(rest[0], 16), [int(word, 16) for word in rest[2:]]))
        own = first in range(CMD_TOP, CMD_WRITE + 4, 4)  # the fuzzer has its own ring
        return b"" if own else write(first, change(first, int(rest[0], 16)))

    start = write(CMD_TOP, 0) + write(0x54, 0xFE0) + write(0x58, 0)
    return {f"recorded-{n}-{name}": start + b"".join(move(*line, change=change) for line in piece)
            for n, piece in enumerate(windows("geode-gp.txt"))
            for name, change in (("folded", folded(FOLDED_GP)), ("as-it-was", as_it_was))}


def display_streams(write, paint, screen, each=24):
    """Returns seeds of geode-display-fuzz, grouped into families. They draw the screen after every `each` accesses."""
    def program(piece, change):
        made = paint
        for n, (_, at, value) in enumerate(piece, 1):
            at = int(at, 16)
            made += write(at, change(at, int(value, 16))) + (screen if n % each == 0 else b"")
        return made + screen

    return {f"recorded-{n}-{name}": program(piece, change) for n, piece in enumerate(windows("geode-display.txt"))
            for name, change in (("folded", folded(FOLDED_DISPLAY)), ("as-it-was", as_it_was))}
