#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Extracts shader programs, and inputs for the fuzzer, from a QEMU trace of a guest that draws with the GC2000.

usage: record_vivante_3d.py TRACE FOLDER [pixmill-vivante-shader [CORPUS]]

Run a guest with
    -trace pixmill_core_state -trace pixmill_core_command -D TRACE
to get TRACE. FOLDER receives programs/NNN-vs.bin and programs/NNN-ps.bin, the programs of all draws as stored in instruction
memory, and streams/NNN, the states before draws of different kinds as inputs of vivante-3d-fuzz. The disassembler, if given,
writes each program to NNN.txt; programs with an unknown word are listed and the exit status is 1. With CORPUS, the streams
are added to the fuzzer's corpus in that folder (corpus/ of the cache).
"""

import os
import re
import subprocess
import sys

LINE = re.compile(r"pixmill_core_(state|command) (\S+): (?:at |state )?0x([0-9a-f]+)(?: =|:) 0x([0-9a-f]+) ?(\S*)")
DRAWS = ("DRAW_PRIMITIVES", "DRAW_INDEXED_PRIMITIVES")
RANGES = {"vs": 0x85C, "ps": 0x101C}  # VS_RANGE, PS_RANGE: first and last instruction
INSTRUCTIONS, END = 0xC000, 0xE000
INSTRUCTION = 16  # bytes
MOST_STATES = 1023

# States that distinguish kinds of draws, in addition to the programs: formats, tests, blending, samplers.
KINDS = (0x0600, 0x0A34, 0x1400, 0x1418, 0x1428, 0x142C, 0x1420, 0x1654, 0x2000, 0x3818)

# First bytes of a fuzzer input (vivante_3d_fuzz.cpp): the model, and the kind "recorded".
GC2000, RECORDED = 0, 64
POSITIONS = b"".join(bytes([1, n]) for n in (0, 0, 2, 1, 4, 0, 2, 1, 0, 4, 2, 1)) + b"\0"  # x, y, z, w of three vertices
TRIANGLE_OF = {False: bytes([0, 0, 3, 0, 0, 1]), True: bytes([1, 0, 3, 0, 0, 1, 0, 0])}
TO_ITS_END = b"\xff"


def events(lines):
    """Yields ("state", address, value) and ("draw", indexed, 0) of the first core that draws."""
    core = None
    for line in lines:
        match = LINE.search(line)
        if not match:
            continue
        what, name, at, value, word = match.groups()
        if what == "state":
            if core in (None, name):
                yield "state", int(at, 16), int(value, 16)
        elif word in DRAWS:
            core = core or name
            if core == name:
                yield "draw", word == DRAWS[1], 0


def shader(states, kind):
    span = states.get(RANGES[kind], 0)
    words = (states.get(at, 0) for at in range(INSTRUCTIONS + INSTRUCTION * (span & 0xFFFF),
                                               INSTRUCTIONS + INSTRUCTION * ((span >> 16) + 1), 4))
    return b"".join(word.to_bytes(4, "little") for word in words)


def program(states, indexed):
    """Returns a program for the fuzzer. Zeros and instructions outside the shaders' ranges are left out."""
    used = set()
    for register in RANGES.values():
        span = states.get(register, 0)
        used.update(range(INSTRUCTIONS + INSTRUCTION * (span & 0xFFFF), INSTRUCTIONS + INSTRUCTION * ((span >> 16) + 1), 4))
    kept = [(at, value) for at, value in sorted(states.items()) if value and (not INSTRUCTIONS <= at < END or at in used)][:MOST_STATES]
    return (bytes([RECORDED]) + len(kept).to_bytes(2, "little")
            + b"".join((at // 4).to_bytes(2, "little") + value.to_bytes(4, "little") for at, value in kept)
            + POSITIONS + TRIANGLE_OF[indexed] + TO_ITS_END)


def record(lines):
    """Returns a list of (kind, program) in draw order, and a list of streams."""
    states, programs, streams, kinds = {}, {}, [], set()
    for what, at, value in events(lines):
        if what == "state":
            states[at] = value
            continue
        drawn = tuple(shader(states, kind) for kind in RANGES)
        programs.update(dict.fromkeys(zip(RANGES, drawn)))
        kind = drawn, at, tuple(states.get(register, 0) for register in KINDS)
        if kind not in kinds:
            kinds.add(kind)
            streams.append(bytes([GC2000]) + program(states, at))
    return list(programs), streams


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def disassemble(disassembler, path):
    """Writes the disassembly of a program. Returns True if all its words are known."""
    text = subprocess.run([disassembler, path], check=True, capture_output=True).stdout
    write(os.path.splitext(path)[0] + ".txt", text)
    return b" ? " not in text


def add_to_corpus(folder, corpora):
    import corpus
    import make_corpus
    archive = os.path.join(corpora, f"vivante-3d-fuzz-{make_corpus.version('vivante-3d-fuzz')}.tar")
    os.makedirs(corpora, exist_ok=True)
    with corpus.alone(archive):
        for number, data in enumerate(corpus.read(archive)):
            write(os.path.join(folder, f"kept-{number}"), data)
        corpus.store(archive, folder)
    return archive


def main(trace, folder, disassembler=None, corpora=None):
    with open(trace, encoding="utf-8", errors="replace") as file:
        programs, streams = record(file)
    for name in ("programs", "streams"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    unknown = []
    for number, (kind, words) in enumerate(programs):
        path = os.path.join(folder, "programs", f"{number:04}-{kind}.bin")
        write(path, words)
        if disassembler and not disassemble(disassembler, path):
            unknown.append(path)
    for number, data in enumerate(streams):
        write(os.path.join(folder, "streams", f"{number:04}"), data)
    print(f"{len(programs)} programs, {sum(len(words) // INSTRUCTION for _, words in programs)} instructions; {len(streams)} streams")
    for path in unknown:
        print(f"{path} has an unknown word")
    if corpora:
        print(f"streams are in {add_to_corpus(os.path.join(folder, 'streams'), corpora)}")
    return 1 if unknown or not programs else 0


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../scripts/lib"))
    if len(sys.argv) not in range(3, 6):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
