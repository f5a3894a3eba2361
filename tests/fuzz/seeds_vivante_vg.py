"""Seeds of vivante-vg-fuzz: programs for Draftsman::play() in vivante_vg_fuzz.cpp, in the order in which it reads them."""

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
    """32 x 32 texels; the number of a format is `kind` - 1 of 9."""
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
    """Of the likely ones."""
    return bytes([index]) + word(value)


def segments(*values):
    """Words of path data in S32: opcodes, which are below 0, and operands."""
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


# How the work goes on: to its end, with migrations, with a fault or a bus error at step n, with n allocations.
PLAIN, MIGRATING = b"\xff", b"\0"


def fault(step):
    return bytes([32 + step])


def scarce(count):
    return bytes([64 + count])


def program(what=None, *, control=0x10000000, to=None, paint_source=None, image=None, colors=None, extra=options(),
            commands=b"\0", stream=USUAL, how=PLAIN):
    """`what`: a path(), or without it a rectangle."""
    return ((b"\xff" if what is None else b"\0") + (to or target()) + (paint_source or source()) + (image or source())
            + (colors or paint()) + extra + commands + word(control) + USUAL + (what or rectangles()) + b"\0"
            + word(0xFFFFFFFF) + stream + how)


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
}
