# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of nema-fuzz: byte programs for Guest::play() in nema_fuzz.cpp."""

import os
import random

VECTORS = os.path.join(os.path.dirname(__file__), "../data/nema_vectors.txt")

# Same order as kOps in nema_fuzz.cpp.
OPS = ["write", "write again", "read", "narrow", "memory", "pair", "pair 2", "pair 3", "start", "ring", "jump",
       "program", "surface", "surface again", "place", "draw", "draw again", "matrix", "step", "render", "work",
       "work again", "migrate", "corrupt", "inject", "stop", "reset", "look", "tire",
       "memory ends", "move"]
LISTS, LIST_BYTES, SPLIT_LISTS = 0x20000, 0x400, 0x100F00
SURFACE = [0x000, 0x010, 0x020, 0x030]
BREAKPOINT, BREAKPOINT_MASK, IMEM_ADDR, IMEM_LOW, IMEM_HIGH = 0x80, 0x8C, 0xC4, 0xC8, 0xCC
RING, CMD_ADDR, CMD_SIZE, INT_CTRL, DRAW_CMD, CODEPTR, COLOR = 0xEC, 0xF0, 0xF4, 0xF8, 0x100, 0x11C, 0x12C
START, END, CLIP_MIN, CLIP_MAX, MATRIX, MAT_MCL, BLEND, IRQ_ID = 0x104, 0x108, 0x110, 0x114, 0x160, 0x118, 0x1D0, 0xFF0
GP_FLAGS, BUS_ERROR_MASK = 0xFF4, 0xFFC
NOP, ABORT, RETURN, PUSH = 0x10000, 0x90000, 0x50000, 0x20000
HOLD_ALL, HOLD_GP_FLAGS = 0xFF000000, 0x08000000
LINE, RECTANGLE, TRIANGLE, QUADRILATERAL = 1, 2, 4, 5
ONE, MINUS, HALF = 0x3F800000, 0xBF800000, 0x3F000000


def half(value):
    return value.to_bytes(2, "little")


def word(value):
    return value.to_bytes(4, "little")


def op(name, *operands):
    return bytes([OPS.index(name), *operands])


def write(*pairs):
    return b"".join(op("write", 255) + half(at) + b"\xff" + word(value) for at, value in pairs)


def pair(flags, offset, value):
    return op("pair", 240) + word(flags) + b"\xff" + half(offset) + b"\xff" + word(value)


def run(*pairs, next_list=0):
    """Writes a list from its start and runs it. Pairs that follow go to list `next_list`."""
    return b"".join(pair(*p) for p in pairs) + op("start", 0, 1, next_list)


def jump(address, words, flags=0):
    return (flags, CMD_ADDR, address), (flags, CMD_SIZE, words)


def surface(number, base, code, mode=0, stride=256, width=64, height=64):
    at = SURFACE[number]
    return write((at, base), (at + 4, code << 24 | mode << 16 | stride), (at + 8, height << 16 | width))


def program(pointer, *words):
    return (write((IMEM_ADDR, 0)) + b"".join(write((IMEM_LOW, w & 0xFFFFFFFF), (IMEM_HIGH, w >> 32)) for w in words)
            + write((CODEPTR, 0x141F0000 | pointer)))


def draw(code, flags=0):
    return write((DRAW_CMD, flags | code)) + op("work", 31)


# Position and width of each field in the 64 bits of an instruction.
FIELDS = {"memory_op": (0, 3), "at_texture": (3, 1), "modifier": (4, 3), "image": (7, 2), "predicate": (10, 3),
          "compare_b": (17, 3), "compare": (20, 2), "compare_a": (22, 3), "compares_alpha": (25, 1), "read_to": (27, 2),
          "alpha_op": (32, 2), "color_op": (34, 3), "a1": (37, 4), "r0": (41, 2), "r2": (43, 3), "r1": (46, 5),
          "a0": (51, 2), "a2": (53, 3), "color_to": (56, 2), "alpha_to": (58, 2), "unit": (60, 3), "end": (63, 1)}
READ_CONDITIONAL, PIXEL_OUT, READ = 1, 2, 3


def instruction(**fields):
    return sum(value << FIELDS[name][0] for name, value in fields.items())


def output(image=0, **fields):
    """Returns a last instruction, which outputs T0."""
    return instruction(end=1, memory_op=PIXEL_OUT, image=image, **fields)


def any_instruction(source, **fields):
    return instruction(**{**{name: source.randrange(1 << width) for name, (_, width) in FIELDS.items()}, "end": 0,
                          **fields})


def texels(base, data):
    """Writes consecutive words of guest memory. `base` is below 64 KiB."""
    return b"".join(op("memory", 0) + half(base + 4 * i) + b"\xff" + word(value) for i, value in enumerate(data))


# Programs of Goodix's hal_gfx, LVGL and Ambiq's nema_gfx, as in tests/unit/nema/cases.cpp. All start at slot 0.
BLIT, FILL = 0x8000, 0
PROGRAMS_OF_LIBRARIES = {
    "fill": (FILL, 0x8000000908000002), "blit": (BLIT, 0x8000000908000002), "over": (BLIT, 0x8A0761C7080C0002),
    "key": (BLIT, 0x8A0761C7081C0002), "modulate": (BLIT, 0x800121C7080C0002), "tint": (BLIT, 0x80046185081C0002),
    "palette": (0xA000, 0x000000000000110B, 0x8A0761C7080C0002),
    "palette-2": (BLIT, 0x00002000080C108B, 0x000000000000110B, 0x80076187080C0002),
    "mask": (BLIT, 0x00002000100C118B, 0x0081A042000C0000, 0x8A0761C7080C0002),
    "screen-mask": (BLIT, 0x00002000100C1183, 0x0081A042000C0000, 0x80076187080C0002),
    "no-rop": (BLIT, 0x0A0761C7080C0003, 0x804B1286004E0002), "dst-key": (BLIT, 0x0A012007081C0003, 0x804B1286006E0002),
    "dst-key-neg": (BLIT, 0x0A012007080C0103, 0x804B1286005E0002), "path": (FILL, 0x8A8761C6080C0182),
    "winding": (0xBC00, 0x8A0260A7080C0182), "winding-2": (0xBC00, 0x800F43C6004E0182),
    "inversion": (0xBC00, 0x8A2743D6080C0182), "paint": (0xBC00, 0x000000000000110B, 0x8000000908001182),
    "coverage": (0xDC00, 0x8081A0460A980002),
    "planes": (FILL, 0x00000000000010EB, 0x000000001000110B, 0x0000100C1800118B, 0x0000180C00001000,
               0x9000001008001002),
    "blur": (FILL, 0x000000001000109B, 0x030464041000109B, 0x0F549C451000108B, 0x8F7CDC6500001002),
    "edge": (FILL, 0x000000001000109B, 0x030464041000109B, 0x0C5000411000108B, 0x8F7C5C7500001002),
    "contrast": (0xC000, 0x03076C5400001000, 0x0200D44800001000, 0x8004944500001002),
    "median": (FILL, 0x030464401000109B, 0x03046444100010AB, 0x03045C44100010BB, 0x03049C44100010BB, 0x03049C44100010CB,
               0x03049C44100010CB, 0x03045C441000109B, 0x03049C441000109B, 0x03049C441000108B, 0x80049C4510001002),
    "ycbcr": (BLIT, 0x0100266400001000, 0x0207487400001000, 0x0204566400001000, 0x0307266800001000,
              0x0100266400001000, 0x0204D66400001000, 0x02074C7400001000, 0x0307166800001000, 0x8004966500001002),
    "three-planes": (0xE400, 0x0006400800001102, 0x0006800800001182, 0x8006000800001082),
    "displacement": (BLIT, 0x8000300D003A1002), "copy-of-a-texture": (0xA800, 0x000000000000108B, 0x8000000908001002),
    "key-modulate": (BLIT, 0x80046185081C0002), "simple": (FILL, 0x8A07A1E7080C0002),
    "threshold": (0x9000, 0x030010401000109B, 0x03001058100010C8, 0x0000105C100010DB, 0x0200105810001088,
                  0x0000D05C10001088, 0x0300D058100010CB, 0x0000105810001008, 0x8000185D1000100A),
}
FORMATS = [*range(0x50), 0x7F]
PICTURE = texels(0x8000, [0x80FF4020, 0xFF102030, 0x00000000, 0x12345678, 0xFFFFFFFF, 0x7F7F0101] * 2)
TEXTURED = PICTURE + program(*PROGRAMS_OF_LIBRARIES["over"]) + write((BLEND, 0x504))
CALLED = LISTS + 2 * LIST_BYTES


def each(items, size):
    """Splits items into groups of `size`, keyed by the index of the first."""
    return {first: items[first:first + size] for first in range(0, len(items), size)}


def image(code, mode=0, side=8):
    return surface(1, 0x8000, code, mode, 64, side, side) + draw(RECTANGLE)


def lists():
    """Returns command lists, each with one case of control flow."""
    call = (*jump(CALLED, 2, PUSH), (0, COLOR, 1), (0, IRQ_ID, 1))
    return {
        "list": run((0, COLOR, 1), (NOP, 0, 0), (HOLD_ALL, COLOR, 2)) + op("work", 4),
        "call": op("pair", 250, 2) + word(RETURN) + b"\xff" + half(COLOR) + b"\xff" + word(5) + op("start", 2, 0, 0, 0)
                + run(*call) + op("work", 4),
        "call-itself": run(*jump(LISTS, 8, PUSH), *jump(LISTS, 8, PUSH)) + op("work", 31) + op("migrate"),
        "jump": run(*jump(CALLED, 2)) + op("work", 4),
        "return": run((RETURN, COLOR, 3), (0, COLOR, 4)) + op("work", 4),
        "abort": run((ABORT, COLOR, 3), (0, COLOR, 4)) + op("work", 4),
        "list-end": write((INT_CTRL, 2)) + run((0, COLOR, 1)) + op("work", 4) + write((INT_CTRL, 8)),
        "odd-list": write((CMD_ADDR, 0x20004), (CMD_SIZE, 5)) + op("work", 4),
        "no-list": write((BUS_ERROR_MASK, 0x78), (CMD_ADDR, 0x70000000), (CMD_SIZE, 8)) + op("work", 4)
                   + write((0xFF8, 0xFFF)),
        "split-list": write((CMD_ADDR, SPLIT_LISTS + 0xF8), (CMD_SIZE, 64)) + op("work", 4),
        "breakpoint": write((BREAKPOINT_MASK, 1)) + run((0, BREAKPOINT, 1), (0, COLOR, 2), (0, COLOR, 3))
                      + op("work", 4) + op("migrate") + write((BREAKPOINT, 0)) + op("work", 4),
        "breakpoint-at-end": write((BREAKPOINT_MASK, 1)) + run((0, COLOR, 1), (0, BREAKPOINT, 1)) + op("work", 4)
                             + write((BREAKPOINT, 0)) + op("work", 4),
        "held": write((GP_FLAGS, 3)) + run((HOLD_GP_FLAGS, COLOR, 2), (0, COLOR, 3)) + op("work", 4) + op("migrate")
                + write((GP_FLAGS, 0x30000)) + op("work", 4),
        "flag-error": write((GP_FLAGS, 0xF00)) + write((GP_FLAGS, 0xF000F)) + write((0xFF8, 0xFFF)),
        "endless": run((0, COLOR, 1), *jump(LISTS, 6)) + op("tire", 3) + op("work", 4),
        "draws": write((INT_CTRL, 4)) + run((0, DRAW_CMD, RECTANGLE), (0, DRAW_CMD, LINE)) + op("work", 31),
        "stopped": run((0, DRAW_CMD, RECTANGLE)) + op("step", 8) + op("stop", 0) + op("render", 0, 1) + op("stop", 1)
                   + op("step", 8) + op("stop", 2) + op("work", 4),
        "hang": op("inject", 2) + run((0, COLOR, 1)) + op("work", 4) + op("migrate"),
        "lost": op("inject", 1) + write((IRQ_ID, 1)) + write((IRQ_ID, 2)) + write((INT_CTRL, 8)),
        "bus": op("inject", 0) + draw(RECTANGLE) + op("inject", 0) + run((0, COLOR, 1)) + op("work", 4),
        "ring": write((CMD_ADDR, LISTS), (CMD_SIZE, 0)) + pair(0, COLOR, 1) + pair(0, COLOR, 2)
                + write((RING, LISTS + 16 | 4)) + op("work", 4) + write((RING, LISTS + 24 | 4)) + op("step", 1)
                + op("work", 4) + write((RING, LISTS + 8 | 6)),
        "handler": write((INT_CTRL, 2)) + run((0, IRQ_ID, 1), (0, IRQ_ID, 2), (0, INT_CTRL, 1)) + op("work", 8)
                   + op("read", 255, 0x48, 1) + op("work", 8),
        "list-in-two-runs": b"".join(op("memory", 3) + half(0x3F0 + 4 * n) + b"\xff" + word(w) for n, w in enumerate(
            (COLOR, 1, COLOR, 2, NOP, 0))) + write((CMD_ADDR, 0x800003F0), (CMD_SIZE, 6)) + op("work", 4),
        "named-pairs": op("look", 0, 1) + run((HOLD_ALL | NOP, 0, 0), *jump(CALLED, 2, PUSH), (ABORT, COLOR, 3))
                       + op("work", 4) + run((HOLD_ALL, COLOR, 0), *jump(CALLED, 2), next_list=1) + op("work", 4),
        "vertices": b"".join(write((at, 0x3F800000)) for at in range(0x320, 0x360, 4)) + draw(TRIANGLE),
        "interrupts-again": write((INT_CTRL, 8)) + run(*[(0, IRQ_ID, n) for n in range(4)]) + op("step", 2)
                            + op("step", 8) + op("step", 8) + write((INT_CTRL, 0)) + op("work", 8),
        "unknown": write((0x044, 1), (0x1DC, 1), (0x138, 1), (0x13C, 0x112233), (0x138, 20), (0x13C, 1)),
        "bypass": b"".join(write((0x138, n), (0x13C, 0x12345678)) for n in range(13)),
        **{f"named-{n}": b"".join(op("look", k, 1) for k in range(n, n + 64, 8)) for n in range(0, 192, 64)},
        "looked-at": op("look", 0, 1) + op("read", 255, 0x98, 0)
                     + op("read", 255, 0x60, 1) + write((0x098, 0)) + op("read", 255, 0x44, 0),
        "narrow": b"".join(op("narrow", 255) + half(0x12C) + bytes([1, size, reads, 7]) for size in range(9)
                           for reads in (0, 1)),
        "corrupt": draw(RECTANGLE) + b"".join(op("corrupt", 1, 0, n, 0, 255, 200, n, 0, 0, 0, 255)
                                              for n in range(0, 40, 5)),
        "traced": op("look", 0, 1) + run((0, COLOR, 1), (RETURN | NOP, 0, 0)) + op("work", 4) + draw(RECTANGLE),
        "bare": op("reset") + draw(RECTANGLE) + write((0x204, 0xFFFFFFFF)) + draw(TRIANGLE) + run((0, DRAW_CMD, LINE)),
        "primitive": write((DRAW_CMD, 3), (DRAW_CMD, 0), (DRAW_CMD, 7)),
    }


def instructions():
    """Yields programs that no library loads. They contain all values of each instruction field."""
    constants = write((0x200, 0), (0x204, 0xFFFFFFFF), (0x208, 0x80402010), (0x20C, 0x11223344))
    draws = draw(RECTANGLE) + write((START, 0x00020003)) + draw(RECTANGLE)

    def drawn(*words, pointer=BLIT):
        return program(pointer, *words) + draws

    sweeps = {
        "read-conditional": [(instruction(memory_op=READ_CONDITIONAL, modifier=modifier, image=1, read_to=to,
                                          at_texture=at), output()) for modifier in range(6) for to in (0, 1)
                             for at in (0, 1)],
        "post-step": [(instruction(memory_op=READ, image=1, modifier=modifier, at_texture=at),
                       instruction(memory_op=READ, image=1, modifier=modifier, at_texture=at, read_to=2),
                       output(to, at_texture=at)) for modifier in range(8) for at in (0, 1) for to in (0, 2)],
        "compare": [(instruction(compares_alpha=alpha, compare=compare, compare_a=a, compare_b=b), output())
                    for alpha in (0, 1) for compare in (1, 2, 3) for a, b in ((0, 0), (0, 4), (0, 1), (1, 5))],
        "class": [(instruction(unit=unit, color_op=low, alpha_op=high), output()) for unit in (1, 2)
                  for low in range(8) for high in (0, 1)],
        "memory": [(instruction(memory_op=n, image=1), output(modifier=n & 1, predicate=n)) for n in range(8)],
        "color": [(instruction(color_op=n, r0=0, r1=r1, r2=r2, alpha_op=n % 4, a0=n % 4, a1=r1 % 16, a2=r2), output())
                  for n in range(1, 8) for r1, r2 in ((0, 4), (0, 5), (16, 0), (17, 4), (17, 5), (29, 0), (30, 1),
                                             (18, 6))],
        "rows": [(instruction(color_op=2, r1=0, color_to=3), instruction(color_op=1 + n % 3, r1=n, r2=n % 8),
                  instruction(alpha_op=1 + n % 3, a1=n % 16, a0=n % 4, a2=n % 8), output()) for n in range(32)],
    }
    for name, programs in sweeps.items():
        for first, some in each(programs, 12).items():
            yield f"{name}-{first}", TEXTURED + constants + b"".join(drawn(*words) for words in some)
    source = random.Random(1)
    for n in range(48):
        words = [any_instruction(source, unit=source.randrange(2), image=source.choice((1, 1, 2, 3)))
                 for _ in range(source.randrange(1, 6))]
        yield f"any-{n}", TEXTURED + constants + drawn(*words, output(), pointer=source.choice((BLIT, FILL, 0xA000)))
    yield "endless", TEXTURED + program(BLIT, *[0] * 32) + draws


def modes():
    """Yields textures of even and odd sizes in each component order, with each filter and wrap mode."""
    for mode in range(0, 256, 2):
        codes = (1, 4, 8, 9)
        yield f"{mode:x}", TEXTURED + write((MAT_MCL, mode % 16 << 28), (COLOR, 0x80402010)) + b"".join(
            surface(1, 0x8000, codes[(mode // 2 + n) % 4], mode | n % 2, 64, side, side) + write(
                (MATRIX, scale), (MATRIX + 16, scale)) + draw(RECTANGLE)
            for n, (side, scale) in enumerate(((8, ONE), (7, HALF), (16, MINUS), (7, 0x3DCCCCCD))))


TSC = (0x12, 0x16, 0x17)


def tiles():
    """Yields draws with compressed targets and textures."""
    colors = (0xFF8040C0, 0x00000000, 0x50FF0102, 0x60203040, 0xA0FF00FF, 0xFFFFFFFF, 0xC0010203)
    for code in TSC:
        surfaces = surface(0, 0x10000, code, 0, 256, 32, 32) + write((CLIP_MAX, 0x00200020), (END, 0x00190019))
        fill, over, blit = (program(*PROGRAMS_OF_LIBRARIES[name]) for name in ("fill", "over", "blit"))
        copy = program(BLIT, output(), 0) + surface(1, 0x10000, code, 0, 256, 32, 32)
        yield f"fills-{code:x}", surfaces + fill + b"".join(
            write((COLOR, color), (BLEND, blend)) + draw(shape) for color in colors for blend in (1, 0x504)
            for shape in (RECTANGLE, TRIANGLE))
        for kind in (1, 4, 8, 0x12, 0x16, 0x17):
            yield f"pictures-{code:x}-{kind:x}", PICTURE + surfaces + over + b"".join(
                surface(1, 0x8000 + at, kind, mode, 64, 16, 16) + write((BLEND, blend)) + draw(shape)
                for at in (0, 8) for mode, blend, shape in (
                    (0, 1, RECTANGLE), (1, 0x504, RECTANGLE), (0, 0x504, QUADRILATERAL), (3, 1, LINE)))
        for key in (0x40, 0x80):
            yield f"keyed-{code:x}-{key:x}", PICTURE + surfaces + blit + write(
                (BLEND, 0x504 | key << 24), (0x1D4, 0)) + draw(RECTANGLE) + draw(TRIANGLE, 0x7F << 23)
        yield f"over-itself-{code:x}", PICTURE + surfaces + b"".join(
            copy + write((START, at)) + draw(RECTANGLE) for at in (0, 0x00040004, 0x00010001))
        # One program draws to two images, which are the same or overlap.
        both = (instruction(memory_op=PIXEL_OUT, image=0), output(2))
        for name, other in (("same", surface(2, 0x10000, code, 0, 256, 32, 32)), ("moved", surface(
                2, 0x10008, code, 0, 256, 32, 32)), ("other", surface(2, 0x10000, 1, 0, 256, 32, 32))):
            yield f"twice-{name}-{code:x}", PICTURE + surfaces + other + program(BLIT, *both) + draw(
                RECTANGLE) + write((BLEND, 0x504)) + draw(TRIANGLE) + program(
                    BLIT, both[0], output(2, at_texture=1)) + draw(RECTANGLE)
        for where, base in (("hole", 0x70000000), ("rom", 0x200000), ("scattered", 0x100FF4), ("top", 0xFFFFFF00)):
            yield f"{where}-{code:x}", PICTURE + surfaces + write((0, base), (BLEND, 0x504)) + fill + draw(
                RECTANGLE) + over + draw(TRIANGLE) + surface(1, base, code) + draw(RECTANGLE)


def without_memory():
    """Yields draws whose memory requests fail from the n-th on. They are a core's first draws, and are repeated later.
    """
    for n in range(0, 24):
        ends = op("memory ends", 2 * n)
        yield f"memory-ends-{n}", PICTURE + ends + program(*PROGRAMS_OF_LIBRARIES["over"]) + surface(
            1, 0x8000, 1) + draw(RECTANGLE) + draw(TRIANGLE) + op("memory ends", 255) + draw(QUADRILATERAL)
        yield f"memory-ends-tiles-{n}", PICTURE + ends + surface(0, 0x10000, TSC[n % 3], 0, 256, 32, 32) + draw(
            TRIANGLE) + draw(RECTANGLE) + op("memory ends", 255) + draw(LINE)
    for n in range(0, 32, 2):
        yield f"memory-ends-at-load-{n}", TEXTURED + write((DRAW_CMD, RECTANGLE)) + op("step", 8) + op(
            "render", 0, 1) + op("memory ends", 2 * n) + op("move") + op("memory ends", 255) + op("move") + draw(
                RECTANGLE)


def families():
    """Returns all programs, grouped into families so that no family takes all the time."""
    seeds = {f"matrix-{name}": TEXTURED + data for name, data in matrices()}
    seeds |= {f"instruction-{name}": data for name, data in instructions()}
    seeds |= {f"mode-{name}": data for name, data in modes()}
    seeds |= {f"tiles-{name}": data for name, data in tiles()}
    seeds |= dict(without_memory())
    for source in range(16):
        seeds[f"fill-blend-{source}"] = program(*PROGRAMS_OF_LIBRARIES["fill"]) + b"".join(
            write((BLEND, source | destination << 8)) + draw(RECTANGLE) for destination in range(16))
    factors = [(source, destination) for source in range(16) for destination in range(16)]
    for first, some in each(factors, 4).items():
        seeds[f"blend-{first}"] = TEXTURED + b"".join(
            write((BLEND, source | destination << 8 | (n % 4) << 30)) + image(1) for n, (source, destination) in
            enumerate(some))
    for first, codes in each(FORMATS, 3).items():
        seeds[f"texture-{first}"] = TEXTURED + b"".join(image(code, n % 4) for n, code in enumerate(codes))
        seeds[f"target-{first}"] = TEXTURED + b"".join(
            surface(0, 0x4000, code, 0, 256) + draw(RECTANGLE) for code in codes)
    return seeds


def moved(value):
    """Moves an address from the vectors' memory at 0x20000000 to the fuzzer's at 0."""
    return value & 0xFFFF if value >> 16 == 0x2000 else value


def memory(address, data):
    return op("memory", 0) + half(moved(address) & 0xFFFF) + b"\xff" + word(moved(data))


def statement(kind, *operands):
    """Returns the moves for a statement of the vectors. Expectations need no moves."""
    if kind == "write":
        pairs = [[int(number, 16) for number in operand.split("=")] for operand in operands]
        return b"".join(write((at, moved(value))) + (op("work", 31) if at in (RING, CMD_SIZE, DRAW_CMD) else b"")
                        for at, value in pairs)
    if kind in ("words", "bytes"):
        at, *data = [int(operand, 16) for operand in operands]
        if kind == "bytes":
            data = [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]
        return b"".join(memory(at + 4 * i, data[i]) for i in range(len(data)))
    return op("reset") if kind == "reset" else b""


def vectors():
    seeds, name = {}, None
    with open(VECTORS, encoding="utf-8") as file:
        for kind, *operands in (line.split() for line in file if line.strip() and line[0] != "#"):
            if kind == "vector":
                name = operands[0]
                seeds[f"vector-{name}"] = write((0x158, 0), (0x15C, 0x7FFF7FFF), (BLEND, 1))
            else:
                seeds[f"vector-{name}"] += statement(kind, *operands)
    return {name: seed for name, seed in seeds.items() if len(seed) <= 4000}


def matrices():
    """Yields matrices for scaling, rotation, perspective, and coordinates outside the texture."""
    values = {"scale": {0: HALF, 4: HALF}, "turn": {0: 0, 1: ONE, 3: MINUS, 4: 0}, "flip": {0: MINUS, 4: MINUS},
              "perspective": {6: 0x3C23D70A, 7: 0x3C23D70A, 8: ONE}, "nothing": {0: 0, 4: 0, 8: 0},
              "far": {0: 0x7F7FFFFF, 4: 0xFF7FFFFF}, "not-a-number": {0: 0x7FC00000, 4: 0x7F800000}}
    for name, words in values.items():
        for n, control in enumerate((0, 0x80000000, 0x20000000, 0x10000000)):
            yield f"{name}-{n}", (
                write((0x168, 0x40000000), (0x174, ONE)) + write(*((MATRIX + 4 * n, w) for n, w in words.items()))
                + write((MAT_MCL, control)) + b"".join(image(1, mode) for mode in range(n, 16, 4)))


def drawings():
    whole = write((CLIP_MAX, 0x00400040), (END, 0x00300030))
    seeds = {
        "rectangle": whole + draw(RECTANGLE), "line": whole + draw(LINE) + write((END, 0x00000030)) + draw(LINE),
        "triangle": draw(TRIANGLE), "quadrilateral": draw(QUADRILATERAL),
        **{f"smooth-{code}": b"".join(draw(code, flags << 23) for flags in (1, 2, 4, 8, 15, 16, 32, 64, 128, 255))
           for code in (TRIANGLE, QUADRILATERAL, LINE, RECTANGLE)},
        "gradient": b"".join(draw(code, 1 << 30 | 1 << 27) for code in (RECTANGLE, TRIANGLE, LINE)),
        "wide": surface(0, 0x10000, 1, 0, 1024, 250, 60) + write((CLIP_MAX, 0x003C00FA), (END, 0x003C00FA))
                + draw(RECTANGLE) + write((BLEND, 0x504)) + draw(RECTANGLE) + program(*PROGRAMS_OF_LIBRARIES["over"])
                + surface(1, 0x8000, 1, 1, 1024, 250, 30) + draw(RECTANGLE),
        "in-steps": whole + write((DRAW_CMD, RECTANGLE)) + op("step", 8) + op("render", 0, 2) + op("step", 8)
                    + op("migrate") + op("render", 0, 2) + op("work", 31),
        "far-away": write((START, 0x7FFF7FFF), (END, 0x80008000)) + draw(RECTANGLE) + draw(LINE),
        "whole-rows": PICTURE + program(*PROGRAMS_OF_LIBRARIES["blit"]) + b"".join(
            surface(0, to, code, 0, 64 * size, 64, 32) + surface(1, at, code, 0, 64 * size, 64, height) + write(
                (BLEND, 1), (CLIP_MAX, 0x00200040), (START, 0), (END, 0x00200040), (MATRIX, ONE), (MATRIX + 16, ONE),
                (0x168, 0), (0x174, 0), (MAT_MCL, control)) + draw(RECTANGLE)
            for code, size in ((1, 4), (4, 2)) for control in (0, 0x90000000) for to, at, height in (
                (0x10000, 0x8000, 32), (0x10000, 0x8000, 16), (0x10000, 0x100000, 32), (0x10000, 0x70000000, 32))),
        "empty": write((CLIP_MAX, 0)) + draw(RECTANGLE) + draw(TRIANGLE),
        "rom": surface(0, 0x200000, 1) + draw(RECTANGLE),
        **{f"copy-{code:x}-{control >> 28:x}-{blend:x}": PICTURE + program(*PROGRAMS_OF_LIBRARIES[name]) + surface(
            0, 0x10000, code, 0, stride, stride // size, 40) + surface(1, 0x8000, code, 0, stride, stride // size, 40)
            + write((0x174, 0), (0x168, 0), (MAT_MCL, control), (BLEND, blend), (CLIP_MAX, 0x00280100), (START, 0),
                    (END, 0x00280000 | stride // size)) + draw(RECTANGLE) + write((START, 0x00030003)) + draw(RECTANGLE)
           for code, stride, size in ((1, 256, 4), (4, 256, 2), (8, 64, 1))
           for control in (0, 0x80000000, 0x90000000, 0xA0000000)
           for blend, name in ((1, "blit"), (0x504, "blit"), (1, "fill"), (0x504, "over"))},
        "hole": surface(0, 0x70000000, 1) + draw(RECTANGLE) + TEXTURED + surface(1, 0x70000000, 1) + draw(RECTANGLE),
        "scattered": surface(0, 0x100FF0, 1, 0, 260) + draw(RECTANGLE) + TEXTURED + surface(1, 0x101FF6, 1) + draw(2),
        "beyond-memory": surface(0, 0x2F000, 1, 0, 1024) + draw(RECTANGLE),
        "over-the-top": surface(0, 0xFFFFFF00, 1, 0, 1024) + draw(RECTANGLE),
        "dither": b"".join(surface(0, 0x4000, code | 0x80) + write((MAT_MCL, n << 24)) + draw(RECTANGLE)
                           for n, code in enumerate((4, 5, 6, 0x13, 0x38, 0x40))),
        "keys": TEXTURED + b"".join(write((BLEND, 0x504 | bits << 24), (0x1D4, 0x80FF4020), (0x1D8, 0x40302010))
                                    + image(1) for bits in (1, 2, 0x40, 0x80, 0xC2)),
    }
    for name, words in PROGRAMS_OF_LIBRARIES.items():
        seeds[f"program-{name}"] = (
            PICTURE + program(*words) + surface(2, 0x9000, 8, 0, 64, 16, 16) + surface(3, 0x9800, 1, 0, 64, 16, 16)
            + b"".join(image(code, mode) for code, mode in ((1, 0), (9, 1), (4, 2), (0x12, 3)))
            + write((0x200, 0xFF0000), (0x204, 0x80), (0x208, 1), (0x20C, 0x11223344)) + draw(TRIANGLE))
    return seeds


PROGRAMS = {**lists(), **drawings()}
FAMILIES = {**families(), **vectors()}
CHOICES = {"": b"\1", "portable": b"\x41", "vectors": b"\4" + word(0x2E3)}
