# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of vivante-vg-fuzz: programs whose bytes are in the order in which Draftsman::play() (vivante_vg_fuzz.cpp)
reads them, and the unit tests' streams in tests/data/vivante_vg_vectors.txt, folded into the fuzzer's memory.
"""

import os

MODELS = 3


def half(value):
    return value.to_bytes(2, "little")


def word(value):
    return value.to_bytes(4, "little")


USUAL, ANY = b"\0", b"\xff"  # often()
LOW, HIGHER, THIRD, NOWHERE = 0, 1, 2, 207  # surface(): 0x8000, 0x10000, 0x18000, 0x70000000 (choice % 11 == 9)


def surface(base=LOW, offset=0):
    return bytes([base]) + half(offset)


def number(value=0):
    return USUAL + bytes([value & 0xFF])


def target(kind=3, flags=3, base=HIGHER, tiled=False, top_down=True, size=0x00400040):
    return (USUAL + bytes([kind, flags]) + (b"\0" if top_down else b"\xff") + surface(base) + USUAL + b"\x80"
            + (b"\0" if tiled else b"\xff") + word(size))


def source(kind=8, flags=0x01000100, base=LOW, tiled=False, any_config=None):
    """Sets up an image of 32 x 32 texels. The index of its format is (`kind` - 1) modulo 9."""
    config = USUAL if any_config is None else ANY
    return (word(flags | kind if any_config is None else any_config) + config + word(0x80FF4020) + surface(base) + USUAL
            + b"\x20" + (b"\0" if tiled else b"\xff") + USUAL + USUAL + word(0x00200020))


def paint(w=0, u=2, radial=4):
    """u grows with x, v with y."""
    image = (number(), number(u), number(), number(), number(), number(u), number(w), number(w), number())
    return b"".join(image) + number(radial) * 9


def options(*states):
    return surface(THIRD) + b"\x40" + surface(THIRD, 0x1000) + b"\x10" + bytes([len(states)]) + b"".join(states)


def option(index, value):
    """Writes a state. `index` is an index in the fuzzer's table `likely`."""
    return bytes([index]) + word(value)


def segments(*values):
    """Returns path data in S32. Negative values are opcodes, the others operands."""
    values += (-1,) * (len(values) % 2)
    return bytes([len(values) // 2 - 1]), b"".join(word(-v - 1) + b"\0" if v < 0 else word(v) + b"\xff" for v in values)


END, CLOSE, MOVE, LINE, QUAD, CUBIC = -1, -2, -3, -5, -7, -9
TRIANGLE = (MOVE, 0, 0, LINE, 60, 0, LINE, 0, 60, END)
CURVES = (MOVE, 0, 0, QUAD, 60, 0, 60, 60, CUBIC, 0, 60, 30, 30, 0, 0, CLOSE, MOVE - 1, 5, 5, LINE - 1, 9, 0, END)


def path(values=TRIANGLE, kind=0x20, quality=3, called=False):
    count, data = segments(*values)
    matrix = b"".join(USUAL + (number() if i % 4 else b"") for i in range(6))
    return bytes([kind, quality]) + USUAL * 4 + matrix + count + (b"\0" if called else b"\xff") + USUAL + data


def rectangles(count=1):
    return bytes([count - 1]) + (USUAL + word(0) + USUAL + word(0x00400040)) * count


# Bytes that select how the program is run: to its end, with migrations, with a fault or bus error at step n, or with
# only n allocations.
PLAIN, MIGRATING = b"\xff", b"\0"


def fault(step):
    return bytes([32 + step])


def scarce(count):
    return bytes([64 + count])


def program(what=None, *, control=0x10000000, to=None, paint_source=None, image=None, colors=None, extra=options(),
            commands=b"\0", stream=USUAL, how=PLAIN):
    """Returns a program that draws `what`, which is a path(), or a rectangle if it is None."""
    return ((b"\xff" if what is None else b"\0") + (to or target()) + (paint_source or source()) + (image or source())
            + (colors or paint()) + extra + commands + word(control) + USUAL + (what or rectangles()) + b"\0"
            + word(0xFFFFFFFF) + stream + how)


# ---- The vectors of the unit tests ----

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/vivante_vg_vectors.txt")
RECORDED = b"\x60"  # selects a recorded program
MOST_PIECES, MOST_WORDS = 31, 0xFFF  # limits of a program and of a stream
ROWS = 64  # height of a picture with 320 columns
# (begin, end, low): the addresses in [begin, end) are moved to the fuzzer's memory at `low`.
FOLDED = ((0x80100000, 0x8010F000, 0x01000), (0x80110080, 0x80114000, 0x0C000), (0x801904C0, 0x801A44C0, 0x10000),
          (0x802264C0, 0x802284C0, 0x28000), (0x802286C0, 0x8022C6C0, 0x24000), (0x802306C0, 0x802316C0, 0x0B000),
          (0x80300000, 0x80304000, 0x2A000), (0x80310000, 0x80312000, 0x2E000))
ADDRESSES = {0xA11, 0xA14, 0xA16, 0xA28, 0xA29, 0xA30, 0xA31, 0xA32, 0xA35, 0xA36, 0xA37}
CLIP, WINDOW = 0xA13, 0xA3A
JUMPS = {5, 6, 9}  # FETCH, CALL, RESTART


def folded(address):
    for begin, end, low in FOLDED:
        if begin <= address < end:
            return low + address - begin
    return address


def folded_state(address, value):
    if address in ADDRESSES:
        return folded(value)
    if address == CLIP:
        return min(value >> 16, ROWS) << 16 | min(value & 0xFFFF, 320)
    return value


def place(address):
    return half(folded(address) % 0x30000 // 4)


class Recording:
    """Turns a vector's actions on a core into input for Draftsman::recorded(). Expectations are left out."""

    def __init__(self):
        self.pieces, self.words, self.at = [], [], 0x80100000

    def memory(self, address, words):
        while words:
            self.pieces.append(b"\0" + place(address) + bytes([len(words[:255])]) + b"".join(map(word, words[:255])))
            address, words = address + 4 * 255, words[255:]

    def state(self, address, value):
        self.words += [0x30010000 | address, folded_state(address, value)]

    def data(self, payload):
        self.words += [0x40000000 | len(payload) // 2, 0, *payload]

    def run(self, qwords=None):
        if len(self.words) <= MOST_WORDS:
            stream = b"".join(map(word, self.words))
            qwords = (len(self.words) + 1) // 2 if qwords is None else qwords
            self.pieces.append(b"\2" + place(self.at) + half(len(self.words)) + stream + word(qwords) + PLAIN)
        self.words = []

    # One method per statement; operands are strings.

    def do_bytes(self, address, *values):
        padded = [int(v, 16) for v in values] + [0] * (-len(values) % 4)
        self.memory(int(address, 16), [int.from_bytes(bytes(padded[i:i + 4]), "little") for i in range(0, len(padded), 4)])

    def do_words(self, address, *values):
        self.memory(int(address, 16), [int(v, 16) for v in values])

    def do_write(self, *assignments):
        for offset, value in pairs(assignments):
            self.pieces.append(b"\1" + half(offset) + word(folded(value) if offset == 0x500 else value))

    def do_scene(self, width="320", height="480"):
        self.state(0xA10, 0x00010303)
        self.state(0xA11, 0x801904C0)
        self.state(0xA12, min(int(width), 320) * 4)
        self.state(CLIP, int(height) << 16 | int(width))
        self.state(WINDOW, 0x01000100)

    def do_at(self, address):
        self.at = int(address, 16)

    def do_states(self, *assignments):
        for address, value in pairs(assignments):
            self.state(address, value)

    def do_stream(self, *values):
        for value in values:
            value, before = int(value, 16), self.words[-1] if self.words else 0
            jumps = len(self.words) % 2 and before >> 28 in JUMPS
            self.words.append(folded(value) if jumps else value)

    def do_repeat(self, number, *values):
        self.words += [int(v, 16) for v in values] * min(int(number), MOST_WORDS + 1)

    def do_rectangle(self, x, y, width, height):
        self.data([int(y) << 16 | int(x), int(height) << 16 | int(width)])

    def do_path(self, *values):
        data = bytes(int(v, 16) for v in values)
        data += bytes(-len(data) % 8)
        self.data([int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)])

    def do_run(self, qwords=None):
        self.run(None if qwords is None else int(qwords, 16))

    def do_finish(self):
        self.words += [0x10000007, 0, 0x20000007, 0, 0, 0]
        self.run()

    def program(self):
        pieces = self.pieces[:MOST_PIECES]
        return RECORDED + bytes([len(pieces)]) + b"".join(pieces)


def pairs(assignments):
    for text in assignments:
        at, value = text.split("=")
        yield int(at, 16), int(value, 16)


def recorded():
    """Returns the vectors' programs by name, except X16, which takes 2^24 commands."""
    recordings = {}
    with open(VECTORS, encoding="utf-8") as file:
        for line in file:
            verb, *operands = line.split("#")[0].split() or ["nothing"]
            if verb == "vector":
                now = recordings[operands[0]] = Recording()
            elif statement := getattr(Recording, f"do_{verb}", None):
                statement(now, *operands)
    return {f"recorded-{name}": recording.program() for name, recording in recordings.items() if name != "X16"}


CHOICES = {str(n): bytes([n]) for n in range(MODELS)}
IMAGE, GRADIENT, RADIAL, PATTERN = 0x1000, 0x01000000, 0x02000000, 0x03000000
PROGRAMS = {
    "rectangle": program(),
    "triangle": program(path()),
    "called": program(path(called=True)),
    "migrating": program(path(), how=MIGRATING),
    **{f"curves-{kind}-{quality}": program(path(CURVES, kind << 4, quality)) for kind in range(4) for quality in (0, 1, 2, 3, 19)},
    **{f"fault-{n}": program(path(CURVES), how=fault(n)) for n in range(8)},
    **{f"scarce-{n}": program(path(CURVES), how=scarce(n)) for n in range(12)},
    "target-nowhere": program(to=target(base=NOWHERE)),
    "image-nowhere": program(control=0x10000000 | IMAGE, image=source(base=NOWHERE)),
    "stream-nowhere": program(stream=ANY + word(0x70000000)),
    **{f"target-{n}": program(path(), control=0x100, to=target(kind=n, flags=n & 3)) for n in range(16)},
    "tiles": program(path(), to=target(tiled=True), control=0x100),
    "bottom-up": program(path(), to=target(top_down=False), control=0x100),
    **{f"gamma-{n}": program(to=target(flags=3 | n << 4)) for n in range(4)},
    **{f"image-{n}": program(control=IMAGE | 0x100, image=source(kind=n)) for n in range(1, 10)},
    **{f"filter-{n}": program(control=IMAGE | 0x100, image=source(flags=n << 16 | n << 12), colors=paint(w=n)) for n in range(4)},
    **{f"index-{n}": program(control=IMAGE, image=source(any_config=n << 9)) for n in range(8)},
    **{f"mode-{n}": program(control=n << 12 | GRADIENT | 0x8000) for n in range(8)},
    **{f"paint-{n}": program(path(), control=n << 24 | 0x10000000, paint_source=source(flags=n << 12 | 0x10000)) for n in range(4)},
    **{f"blend-{n}": program(path(), control=n << 8, to=target(flags=2)) for n in range(16)},
    "mask": program(path(), control=0x10100110),
    "transform": program(control=0x00010000, extra=options(option(1, 0x00400080), option(2, 0xFF800100))),
    "keys": program(extra=options(option(7, 0x01000000), option(9, 0x7FFFFFFF))),
    "dither": program(to=target(kind=1), extra=options(option(5, 0x7B48F3C0), option(6, 0x596AD1E2))),
    **{f"command-{n}": program(commands=b"\1" + bytes([160 + (n - 160) % 14, 0])) for n in range(14)},
    **recorded(),
}
