# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of capture-fuzz: whole files, and records that follow the header of a toy's capture (docs/use/capture.md)."""

import zlib

PAGE, MAP, READ, WRITE, RUN, DRAW, RESET, INJECT, CALL, LOAD, SAVE = range(1, 12)
END = b"\0"
RAM = 0x80000000
ADDRESS, SIZE, FILL, STATUS = 0, 4, 8, 12  # registers of the toy
IDLE, DRAW_NEXT = 0, 3
REQUESTED, PAGES = 2, 8  # flags


def word(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def record(op, *words, flags=0, pages=()):
    head = bytes([op]) if op < READ else bytes([op, flags | (PAGES if pages else 0), 0])
    listed = b"".join(word(page) + digest.to_bytes(8, "little") for page, digest in pages)
    return head + b"".join(map(word, words)) + (word(len(pages)) + listed if pages else b"")


def write(offset, value, flags=0):
    return record(WRITE, offset, 4, value, 0, flags=flags)


def file(stream):
    packed = zlib.compress(stream)
    return b"Pixmcap\n" + (1).to_bytes(4, "little") + len(stream).to_bytes(4, "little") + \
        len(packed).to_bytes(4, "little") + packed


FOUND = record(MAP, 1, RAM, 4096, 0, 0)
START = write(ADDRESS, RAM) + write(SIZE, 64) + write(FILL, 90, REQUESTED) + record(RUN, 64, DRAW_NEXT, 0)
FILLED = FOUND + START + record(DRAW, 1 << 20, pages=[(0, 1)]) + record(RUN, 64, IDLE, 0)
RECORDS = {
    "fill": FILLED + END,
    "fill-of-other-bytes": record(PAGE, 0, 5, 3) + b"abc" + FILLED + END,
    "unknown": START + record(DRAW, 1 << 20) + END,
    "cut": FILLED[:-1],
    "all": FOUND + b"".join((record(READ, STATUS, 4, 0, 0), record(RESET), record(INJECT, 0), record(SAVE, 0))) + END,
    "call": record(CALL, 0, *range(10)) + END,
    "load": record(LOAD, 0, 0) + END,
    "endless": bytes([PAGE]) + b"\xff" * 11,
    "page": record(PAGE, 1, 0, 1) + b"x",
}
FILES = {
    "empty": b"",
    "block": file(b"\3toy\1\0\0\0\0"),
    "bad-block": file(b"\3toy\1\0\0\0\0")[:-1] + b"?",
}
CHOICES = {"": b""}
PROGRAMS = {
    **{f"file-{name}": b"\0" + bytes_ for name, bytes_ in FILES.items()},
    **{f"stream-{name}": b"\1" + stream for name, stream in (("none", b""), ("toy", b"\3toy\1\0\0\0\0"))},
    **{f"records-{name}": b"\2" + records for name, records in RECORDS.items()},
}
