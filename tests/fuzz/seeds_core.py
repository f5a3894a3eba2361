# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds for the fuzzers that are built from core_fuzz.cpp alone: byte programs for its Guest::play()."""

# Same order as kOps in core_fuzz.cpp.
OPS = ["write", "read", "narrow", "memory", "clock", "run", "draw", "work", "migrate", "trace", "corrupt", "inject",
       "reset", "look", "interrupt", "memory ends", "move"]
REGISTERS = range(16)  # by index, modulo the number of registers
VALUES = (0, 1, 0x40, 0x2FFF0, 0x100FF0, 0x80000000, 0xFFFFFFFF)


def op(name, *operands):
    return bytes([OPS.index(name), *operands])


def write(register, value):
    return op("write", 0, register) + b"\xff\xff" + value.to_bytes(4, "little")


def write_all(value, registers=REGISTERS):
    return b"".join(write(n, value) for n in registers)


WORK = op("work", 31)
SOME_WORK = op("run", 0, 64) + op("draw", 16, 0)
BUSY = write_all(0x40, REGISTERS[:4])
PROGRAMS = {
    **{f"all-{value:x}": op("trace", 1) + write_all(value) + WORK + write_all(value, reversed(REGISTERS)) + WORK
       for value in VALUES},
    **{f"fault-{n}": op("inject", n) + BUSY + WORK + op("clock", 255, 255, 10) + WORK for n in range(8)},
    **{f"between-{name}": (BUSY + SOME_WORK + op(name, *operands)) * 2 + SOME_WORK + WORK for name, *operands in (
        ("migrate",), ("move",), ("memory ends", 0), ("reset",), ("interrupt",), ("look", 0),
        ("write", 0, 0, 255, 255, 1, 0, 0, 0),
        ("corrupt", 3, *(n for at in range(0, 16, 4) for n in (0, at, 0, 255))))},
    "read": b"".join(op("read", 0, n) for n in REGISTERS) + op("read", 255, 0, 0, 2, 0),
    "narrow": b"".join(op("narrow", 0, n, at, size, 1) + op("narrow", 0, n, at, size, 0, 1, 2, 3, 4)
                       for n, at, size in ((0, 0, 1), (1, 2, 2), (2, 1, 4), (3, 0, 8), (0, 0, 0), (3, 3, 3))),
    "memory": b"".join(op("memory", base, 0, 0, 255, 1, 2, 3, 4) for base in range(6)) + BUSY + WORK,
}
