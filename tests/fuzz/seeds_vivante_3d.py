# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of vivante-3d-fuzz: programs with their bytes in the order in which Artist::play() reads them."""

import record_vivante_3d

MODELS = 5
PORTABLE, COMPILED = MODELS, 2 * MODELS  # added to the first byte


def half(value):
    return value.to_bytes(2, "little")


def word(value):
    return value.to_bytes(4, "little")


# ---- parts of programs ----

LOW, HIGHER, NOWHERE = 0, 1, 207  # surface(): 0x8000, 0x10000, 0x70000000 (choice % 11 == 9)


def surface(base=LOW, offset=0):
    return bytes([base]) + half(offset)


def targets(color=HIGHER, depth=HIGHER, format_number=0, components=0x00110F00, status=b"\0"):
    """Sets up the targets: color at 0x10000, then depth."""
    return (bytes([0, format_number]) + word(components) + b"\0\0"
            + surface(color) + surface(depth, 0x1000) + surface(color) + surface(color, 0x800)
            + surface(depth, 0x1000) + surface(depth, 0x1800) + surface(HIGHER) * 2
            + status + surface(2) + surface(HIGHER) + surface(2) + surface(HIGHER) + word(0x11223344) + word(0xFFFFFF00))


# Indices of position values: x and y of three vertices that cover the target.
POSITIONS = b"".join(bytes([1, n]) for n in (0, 0, 4, 0, 0, 4)) + b"\0"


def vertices(element=0x00002008, stride=8, varyings=0):
    return (b"\0" + b"\xff" + word(element) + (surface(LOW) + bytes([0, stride])) * 4 + POSITIONS + surface(LOW)
            + word(0) + b"\0" + bytes([varyings, 0]) + word(0) + word(0x02010000))


def primitives(config=0x00012000, samples=b"\0", positions=b"\0"):
    """Sets up the primitives and a window of 64 x 64, which the scissor covers."""
    return (bytes([0, 0, 6, 0, 0, 3]) + bytes([2, 2, 2]) + b"\x11" + word(config) + bytes(4) + bytes([0, 0, 63, 63])
            + bytes([3, 3]) + b"\0" + samples + positions + word(0x04) + b"\0")


def pixels(depth=0x01000700, stencil=0, blend=0, output=0, alpha=0):
    return (word(output) + b"\x02\0" + word(depth) + b"\1" + word(stencil) + word(0xFFFFFF02 if stencil else 0)
            + word(alpha) + word(0x80808080) + word(blend) + b"\0" + half(0xFFFF))


def texture(format_code=9, kind=1, base=LOW, filters=0x02880):
    """16 x 16 texels."""
    return (bytes([kind]) + word(filters | format_code << 13) + word(0x00100010) + word(0x20020080) + word(0)
            + word(1) + b"\0\0" + surface(base) * 4 + half(64))


TEXTURES = texture() * 3


def source(register, group=0, swizzle=0xE4):
    """Returns an operand for instruction(): register, swizzle, modifiers, addressing, group."""
    return word(register | swizzle << 3 | (group & 2) << 28)


USUAL = (0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x16, 0x17, 0x18,
         0x19, 0x1A, 0x1B, 0x21, 0x22, 0x23, 0x25, 0x26, 0x27, 0x2C, 0x2D, 0x2E, 0x2F, 0x31, 0x32, 0x36, 0x3B, 0x3C, 0x40,
         0x44, 0x48, 0x4C, 0x4E, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F, 0x60, 0x61, 0x64, 0x6D, 0x6F,
         0x70, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x7F)


def instruction(opcode, target=0, s0=source(0), s1=source(1, 2), s2=source(1, 2), condition=0, mask=15):
    shape = condition | target << 5 | mask << 8 | 0xE4 << 16
    return bytes([USUAL.index(opcode), 255]) + word(shape) + s0 + s1 + s2


def shader(*instructions):
    code = instructions or (instruction(0x09),)
    return bytes([len(code) - 1, 0]) + b"".join(code) + bytes([1, 0, 3, 1, 4, 2, 5, 1])


def draw(kind=3, indexed=0, count=1):
    return bytes([indexed, 0, kind, 0, 0, count]) + (b"\0\0" if indexed else b"")


# Bytes that select how the program is run: to its end, with migrations, with a fault or bus error at step n, or with
# only n allocations.
PLAIN, MIGRATING = b"\xff", b"\0"


def fault(step):
    return bytes([32 + step])


def scarce(count):
    return bytes([64 + count])


def picture(*, vs=shader(instruction(0x09, s2=source(0))), ps=shader(), how=PLAIN, target=None, vertex=None, primitive=None,
            pixel=None, sampler=None, query=b"\xff", command=None):
    return (b"\xff" + (target or targets()) + (vertex or vertices()) + (primitive or primitives()) + (pixel or pixels())
            + (sampler or TEXTURES) + vs + ps + query + b"\0" + (command or draw()) + how)


def resolve(source_format=6, destination_format=6, config=0x4000, source_stride=0, stride=0, window=0x000F000F,
            mode=0x1FFFF, base=HIGHER, kick=b"\0\0", target=None, how=PLAIN):
    return (b"\0" + (target or targets()) + bytes([0, source_format, 0, destination_format]) + word(config) + surface(base) * 2
            + word(source_stride) + b"\0" + word(stride) + b"\0" + word(window) + word(mode)
            + b"".join(word(0x11111111 * n) for n in range(4)) + surface(LOW) + surface(LOW, 0x800)
            + surface(base) + surface(base, 0x800) + b"\0" + b"\0\x10" + kick + how)


# Bytes of Artist::later_states(), in place of the command, for HALTI2 and for HALTI5, whose programs follow.
STATUS = (b"\0" + surface(LOW) + surface(LOW) + word(0) + word(0)) * 3 + b"\0"
LATER = (surface(LOW) + bytes([0, 8, 0])) * 4 + surface(HIGHER) * 2 + b"\0" + word(0) + word(0) + b"\0\0" + STATUS
DESCRIPTOR = (surface() * 4 + b"\0" + word(9 << 13) + b"\0" + word(0x00100010) + half(64) + word(0) + half(0) + word(0)
              + half(0) + b"\0\0\x40" + word(0x00202292) + word(2) + word(0xFFF) + word(0) + word(0))
LATER_5 = (word(0x00002008) + b"\0" + LATER + word(0x02010000) + b"\0" + word(0) + word(0) + word(0xF0) + word(0) * 3
           + b"\0" + DESCRIPTOR * 3)


def code(*instructions):
    return bytes([len(instructions) - 1]) + b"".join(instructions) + b"\0\0"


def instances(count=2, vertices=3, kind=4, indexed=0):
    return bytes([indexed, 0, kind, count, vertices, 0])


MOVE, SAMPLE = instruction(0x09, s2=source(0)), instruction(0x18)

# A branch jumps to the instruction whose index is the third operand & 15.
FOREVER = shader(bytes([USUAL.index(0x16), 255]) + word(0) + word(0) + word(0) + word(0))

# States that a driver could write before it draws a triangle whose positions come from a stream and are also the
# colors.
THIRTY_TWO, SIXTY_THREE, ONE = 0x42000000, 0x427C0000, 0x3F800000
DRIVEN = {
    0x0600: 0x10000088, 0x0680: 0x40, 0x06A0: 16, 0x0804: 1, 0x0808: 0x101, 0x080C: 1, 0x0800: 1,
    0x0A00: THIRTY_TWO, 0x0A04: THIRTY_TWO, 0x0A08: ONE, 0x0A0C: THIRTY_TWO, 0x0A10: THIRTY_TWO,
    0x0A28: 0x11, 0x0A2C: 0x34000001, 0x0A34: 0x00412000, 0x0C08: SIXTY_THREE, 0x0C0C: SIXTY_THREE,
    0x1000: 1, 0x1004: 1, 0x1008: 1, 0x100C: 2, 0x1010: 2, 0x101C: 0x01000100,
    0x1400: 0x01000700, 0x142C: 0x00110F06, 0x1434: 0x100, 0x1460: 0x10000, 0x1464: 0x10800, 0x3818: 0xF0,
    0xC000: 0x07801009, 0xC00C: 0x00390008,  # mov t0, t0
    0xD000: 0x07811009, 0xD00C: 0x00390008,  # mov t1, t0
}

CHOICES = {str(n): bytes([n]) for n in (*range(MODELS), PORTABLE, COMPILED)}
PROGRAMS = {
    "triangle": picture(),
    "migrating": picture(how=MIGRATING),
    **{f"fault-{n}": picture(how=fault(n)) for n in range(16)},
    **{f"scarce-{n}": picture(how=scarce(n)) for n in range(12)},
    "nowhere": picture(target=targets(color=NOWHERE)),
    "endless": picture(ps=FOREVER),
    "endless-vertices": picture(vs=FOREVER),
    "textured": picture(ps=shader(instruction(0x18))),
    "texture-nowhere": picture(ps=shader(instruction(0x18)), sampler=texture(base=NOWHERE) * 3),
    **{f"format-{n}": picture(ps=shader(instruction(0x18)), sampler=texture(format_code=n) * 3) for n in range(32)},
    **{f"texture-{n}": picture(ps=shader(instruction(0x18)), sampler=texture(kind=n) * 3) for n in range(6)},
    **{f"opcode-{op:x}": picture(ps=shader(instruction(op), instruction(0x09))) for op in USUAL},
    **{f"primitive-{kind}": picture(command=draw(kind=kind - 1, count=3)) for kind in range(1, 9)},
    "indexed": picture(command=draw(indexed=1)),
    "halti2": picture(command=LATER + instances()),
    "halti2-textured": picture(ps=shader(SAMPLE), command=LATER + instances()),
    "halti2-migrating": picture(command=LATER + instances(), how=MIGRATING),
    "halti5": picture(command=LATER_5 + code(MOVE) + code(instruction(0x09)) + instances()),
    "halti5-textured": picture(command=LATER_5 + code(MOVE) + code(SAMPLE) + instances()),
    "halti5-migrating": picture(command=LATER_5 + code(MOVE) + code(SAMPLE) + instances(), how=MIGRATING),
    **{f"halti5-fault-{n}": picture(command=LATER_5 + code(MOVE) + code(SAMPLE) + instances(), how=fault(n)) for n in range(16)},
    "points": picture(primitive=primitives(config=0x00010000)),
    "wireframe": picture(primitive=primitives(config=0x00011000)),
    "samples": picture(primitive=primitives(samples=b"\xff\xf2")),
    "depth": picture(pixel=pixels(depth=0x04001111)),
    "stencil": picture(pixel=pixels(depth=0x04001111, stencil=0x71253052)),
    "blend": picture(pixel=pixels(blend=0x541)),
    "alpha-test": picture(pixel=pixels(alpha=0x8041)),
    "query": picture(query=b"\0" + surface(3)),
    **{f"target-{n}": picture(target=targets(format_number=n)) for n in range(27)},
    "status": picture(target=targets(status=b"\xff" + word(3))),
    "recorded": record_vivante_3d.program(DRIVEN, indexed=False),
    "recorded-indexed": record_vivante_3d.program(DRIVEN, indexed=True),
    "fill": resolve(),
    **{f"copy-{config:x}": resolve(config=config, mode=0) for config in (0, 0x80, 0x4080, 0x4000, 0x40E0, 0x60000000)},
    **{f"tiling-{n}": resolve(source_stride=n << 30, stride=n << 30, config=0x4080, mode=0) for n in range(4)},
    "fill-nowhere": resolve(base=NOWHERE),
    "in-place": resolve(target=targets(status=b"\xff" + word(2)), kick=b"\0\xff" + half(8)),
    "fill-migrating": resolve(how=MIGRATING),
    **{f"fill-fault-{n}": resolve(how=fault(n)) for n in range(4)},
}
