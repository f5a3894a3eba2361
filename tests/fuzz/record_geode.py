#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns a QEMU trace of the Geode's drivers into recordings, which are seeds for the Geode fuzzers.

usage: record_geode.py TRACE FOLDER

Run a guest with
    -trace pixmill_core_reg_write -trace pixmill_core_command -trace pixmill_core_state -D TRACE
to get TRACE. FOLDER receives geode-gp.txt and geode-display.txt. Each line is one access; numbers are hexadecimal:

    write OFFSET VALUE              a register write
    packet HEADER OFFSET=VALUE...   the registers that a packet enables
    data HEADER OFFSET COUNT WORD...  the first of the COUNT words that a packet carries to the register or port at OFFSET

"window" starts an excerpt. Only excerpts around new kinds of accesses are kept. Excerpts of display accesses start with
the values that the display's registers held.
"""

import os
import re
import sys

LINE = re.compile(r"pixmill_core_(reg_write|command|state) (\S+): (?:at |state )?0x([0-9a-f]+)(?: <-| =|:) 0x([0-9a-f]+)")
MOST_DATA = 24  # most data words of a packet that are kept
RASTER_MODE, BLT_MODE, CH3_MODE_STR, CMD_WRITE = 0x38, 0x40, 0x64, 0x5C
HST_SRC, CH3_HSRC, PAT_COLOR_2, LUT_DATA = CARRIED = 0x48, 0x6C, 0x20, 0x74
MODES = 0x04, 0x08, 0x4000, 0x4008, 0x4050, 0x4410  # display registers, each value of which is a new kind
INDEXED, COEFFICIENTS = (0x70, 0x74, 0x4038, 0x4040), 0x5000
LUT = 2  # first type of data packets


def accesses(lines):
    """Yields (kind, core, words...) in stream order; the words of a packet follow its header."""
    for line in lines:
        match = LINE.search(line)
        if match:
            yield match[1], match[2], int(match[3], 16), int(match[4], 16)


class Recorder:
    """Turns accesses into lines of a recording."""

    def __init__(self):
        self.lines = []  # (kind, text)
        self.packet = None

    def end_packet(self):
        if not self.packet:
            return
        header, states = self.packet
        self.packet = None
        written = [(at, value) for at, value in states if at not in CARRIED]
        carried = [(at, value) for at, value in states if at in CARRIED]
        registers = "".join(f" {at:x}={value:x}" for at, value in written)
        if header >> 29 & 3 < LUT:
            known = dict(written)
            kind = header, known.get(RASTER_MODE), known.get(BLT_MODE), known.get(CH3_MODE_STR, 0) >> 16
            self.lines.append((kind, f"packet {header:x}{registers}"))
        else:
            taker = carried[0][0] if carried else 0
            words = "".join(f" {value:x}" for _, value in carried[:MOST_DATA])
            kind = header, taker, len(carried) > MOST_DATA
            self.lines.append((kind, f"data {header:x} {taker:x} {len(carried):x}{words}"))

    def command(self, header):
        self.end_packet()
        self.packet = header, []

    def state(self, at, value):
        if self.packet:
            self.packet[1].append((at, value))

    def write(self, at, value, kind):
        if at != CMD_WRITE:
            self.end_packet()
        if at != CMD_WRITE or not self.packet:
            self.lines.append((kind, f"write {at:x} {value:x}"))


def held(lines):
    """Returns writes that restore the registers after `lines`: the unlock key first, and neither palette nor
    coefficients.
    """
    values = {}
    for _, text in lines:
        _, at, value = text.split()
        if int(at, 16) not in INDEXED and int(at, 16) < COEFFICIENTS:
            values[int(at, 16)] = value
    return ["write 0 4758"] * bool(values) + [f"write {at:x} {values[at]}" for at in sorted(values) if at]


def windows(lines, before, longest, prepare=lambda lines: []):
    """Returns excerpts that begin `before` lines before an access of a new kind. `prepare` returns lines that restore
    the state at the excerpt's start.
    """
    seen, pieces, end = set(), [], 0
    for n, (kind, _) in enumerate(lines):
        new = kind not in seen
        seen.add(kind)
        if new and n >= end:
            begin = max(end, n - before)
            end = min(begin + longest, len(lines))
            pieces.append(prepare(lines[:begin]) + [text for _, text in lines[begin:end]])
    return pieces


def shorter(lines, most=12):
    """Keeps at most `most` consecutive accesses of one kind, which shortens palettes and polls."""
    kept, runs, last = [], 0, None
    for kind, text in lines:
        runs = 0 if kind != last else runs + 1
        last = kind
        if runs < most:
            kept.append((kind, text))
    return kept


def store(path, pieces):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Recorded by tests/fuzz/record_geode.py from our guest: Debian's lxfb and X server with its geode driver.\n")
        for piece in pieces:
            file.write("window\n" + "\n".join(piece) + "\n")


def main(trace, folder):
    gp, display = Recorder(), Recorder()
    with open(trace, encoding="utf-8", errors="replace") as file:
        for kind, core, at, value in accesses(file):
            recorder = display if "display" in core else gp
            if kind == "command":
                recorder.command(value)
            elif kind == "state":
                recorder.state(at, value)
            else:
                recorder.write(at, value, (at, value if at in MODES and recorder is display else 0))
    gp.end_packet()
    os.makedirs(folder, exist_ok=True)
    store(os.path.join(folder, "geode-gp.txt"), windows(shorter(gp.lines), 12, 28))
    store(os.path.join(folder, "geode-display.txt"), windows(shorter(display.lines, 4), 24, 130, held))


if __name__ == "__main__":
    main(*sys.argv[1:])
