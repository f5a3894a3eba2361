#!/usr/bin/env python3
"""Writes seeds for vivante-fuzz: one byte program per thing a driver does.

usage: make_corpus.py FOLDER
"""

import os
import sys

# In the order of Guest::play() in vivante_fuzz.cpp.
OPS = ["write", "read", "memory", "command", "start", "clock", "run", "draw", "work", "migrate", "corrupt",
       "inject", "reset", "table", "mmu", "blit", "look", "patch", "loop", "trace"]
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


SEEDS = {
    "idle": op("loop", 200, 0) + op("work", 4) + op("clock", 0, 16, 8) + op("work", 4) + op("look", 0),
    "patched": op("loop", 200, 0) + op("work", 4) + op("patch", 0, *half(0x2000), *half(4)) + op("work", 8),
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


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for model in range(MODELS):
        for name, program in SEEDS.items():
            with open(os.path.join(folder, f"{name}-{model}"), "wb") as file:
                file.write(bytes([model]) + program)


if __name__ == "__main__":
    main()
