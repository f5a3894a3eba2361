# SPDX-License-Identifier: GPL-2.0-or-later
"""Streams of the Geode's X driver (xf86-video-geode and its Cimarron library) and of lxfb, for geode-gp-fuzz.

Headers, write enables and operands are those of the drivers. Pictures are smaller and lie in the fuzzer's memory.
"""

# Word indices of the registers in a BLT packet.
PLACES = {"raster": 1, "dst": 2, "src": 3, "stride": 4, "fg": 6, "pattern": 8, "ch3": 12, "ch3_mode": 13, "base": 15,
          "mode": 16}
CMD_TOP, CMD_BOT, CMD_READ = 0x50, 0x54, 0x58
STALL, WRAP, MORE = 1 << 28, 1 << 31, 4  # the doorbell: one more packet
CHANNEL3 = 0xC0000000  # enabled, as the source
READS = 4  # BLT_MODE: reads the destination
PITCH = 0x80

# ROPs from GXclear to GXset, with a full and a partial plane mask. The ROP determines whether the destination is read.
ALL_PLANES = bytes.fromhex("00 88 44 CC 22 AA 66 EE 11 99 55 DD 33 BB 77 FF")
SOME_PLANES = bytes.fromhex("0A 8A 4A CA 2A AA 6A EA 1A 9A 5A DA 3A BA 7A FA")
DEPTHS = {8: (0x00000000, 0x00000000), 16: (0x60000000, 0x06000000), 32: (0x80000000, 0x08000000)}

# Values of RASTER_MODE for Composite: a8r8g8b8 onto a8r8g8b8, onto x8r8g8b8 and onto r5g6b5 (0: the driver refuses it).
OPERATIONS = {
    "clear": (0x80C40000, 0x80440000, 0x60440000), "src": (0x80C60000, 0x80460000, 0x60460000),
    "dst": (0x80C70000, 0x80470000, 0x60470000), "over": (0x80E00000, 0x806C0000, 0x606C0000),
    "over-reverse": (0x80E10000, 0, 0), "in": (0x80C20000, 0, 0), "in-reverse": (0x80C30000, 0x80430000, 0x60430000),
    "out": (0x80D10000, 0, 0), "out-reverse": (0x80D00000, 0x805C0000, 0x605C0000),
    "add": (0x80E40000, 0x80640000, 0x60640000),
}
DO_NOT_READ = ("clear", "src")
FORMATS = {"a8r8g8b8": 0x08000000, "x8b8g8r8": 0x08400000, "a4r4g4b4": 0x04000000, "a1r5g5b5": 0x05000000,
           "x1b5g5r5": 0x05400000, "r5g6b5": 0x06000000, "b5g6r5": 0x06400000, "r3g3b2": 0x00000000}
MASKS = {"a8": 0x82000000, "a4": 0x8E000000}  # as the pattern
# Flags of channel 3 for rotations by 90, 180 and 270 degrees.
ROTATIONS = {90: 0x10800000, 180: 0x30000000, 270: 0x20800000}


def reads_destination(rop):
    return READS if (rop >> 1 ^ rop) & 0x55 else 0


def streams(op, packet, data, write):
    """Programs by name."""
    start = write(CMD_TOP, 0) + write(CMD_BOT, 0x200000) + write(CMD_READ, 0)
    drawn = b"".join(op("memory", 0) + (4 * n).to_bytes(2, "little") + b"\xff" + (n * 0x10305070 & 0xFFFFFFFF).to_bytes(
        4, "little") for n in range(16))

    def blt(header, how=MORE, **words):
        return packet(header, {PLACES[name]: value for name, value in words.items()}, how)

    def solid(depth, rop, planes):
        raster, _ = DEPTHS[depth]
        mode = reads_destination(rop)
        return (blt(0xA9 if planes else 0x29, raster=raster | rop, pattern=0x00FF00FF, fg=0x12345678,
                    stride=PITCH << 16 | PITCH)
                + blt(0xF012, dst=0x100, mode=mode) + blt(0xF012 | (STALL if mode else 0), dst=0x104, mode=mode))

    def copy(depth, rop, planes, leftward, upward):
        raster, format = DEPTHS[depth]
        mode = reads_destination(rop) | leftward << 9
        begin = blt(0x89 if planes else 0x9, raster=raster | rop, pattern=0x0F0F0F0F, stride=PITCH << 16 | PITCH)
        if upward:
            last = 3 * PITCH + leftward * (4 * depth // 8 - 1)
            return begin + blt(0xF816, dst=0x400 + last, src=last, ch3_mode=0, mode=mode | 0x101)
        return begin + blt(0xF812, dst=0x400 + leftward * (4 * depth // 8 - 1), ch3=leftward * (4 * depth // 8 - 1),
                           ch3_mode=CHANNEL3 | leftward << 29 | format | PITCH, mode=mode)

    def composite(raster, format, reads, header=0xF81B, **more):
        return blt(header, **{"raster": raster, "dst": 0x800, "stride": PITCH << 16 | PITCH, "ch3": 0,
                              "ch3_mode": CHANNEL3 | format | PITCH, "mode": READS if reads else 0, **more})

    def masked(raster, format, mode=READS, **more):
        return composite(raster, 0, True, 0xF83B, fg=0x80FF4020, ch3_mode=format | 0x40, mode=mode, **more)

    programs = {}
    for depth in DEPTHS:
        for planes, rops in enumerate((ALL_PLANES, SOME_PLANES)):
            for first in range(0, 16, 4):
                programs[f"x-solid-{depth}-{planes}-{first:x}"] = start + b"".join(
                    solid(depth, rop, planes) for rop in rops[first:first + 4])
                programs[f"x-copy-{depth}-{planes}-{first:x}"] = start + drawn + b"".join(
                    copy(depth, rop, planes, n & 1, n >> 1 & 1) for n, rop in enumerate(rops[first:first + 4]))
        programs[f"x-scroll-{depth}"] = start + drawn + b"".join(copy(depth, 0xCC, 0, n & 1, n >> 1) for n in range(4))
    for name, rasters in OPERATIONS.items():
        programs[f"x-{name}"] = start + drawn + b"".join(composite(raster, FORMATS["a8r8g8b8"], name not in DO_NOT_READ)
                                                          for raster in rasters if raster)
        # If the source is smaller than the destination, the driver clears the rest and draws the source again.
        tile = rasters[0], FORMATS["a8r8g8b8"], name not in DO_NOT_READ
        programs[f"x-{name}-tiled"] = (start + drawn + composite(*tile) + composite(
            OPERATIONS["clear"][0], FORMATS["a8r8g8b8"], False, dst=0) + composite(*tile, dst=0xC00))
        # Operations with a mask use the scratch picture.
        programs[f"x-{name}-masked"] = start + drawn + b"".join(
            masked(0x80CC0000, format, dst=0x2000) + composite(
                raster | 0x000C0000, FORMATS["a8r8g8b8"], True, 0xF81B | STALL, ch3=0x2000)
            for raster in rasters if raster for format in MASKS.values())
    for to, depth in (("x8r8g8b8", 1), ("r5g6b5", 2)):
        programs[f"x-formats-to-{to}"] = start + drawn + b"".join(
            composite(OPERATIONS["src"][depth], format, False) for format in FORMATS.values())
    for name, format in MASKS.items():
        programs[f"x-mask-{name}"] = start + drawn + b"".join(
            masked(raster, format, base=bits) for raster in (0x80CC0000, 0x604C0000, 0x80DC0000, 0x605C0000, 0x80EC0000,
                                                             0x606C0000) for bits in (0, 3))
    programs["x-add-a8"] = start + drawn + composite(0x80E40000, 0x08000000, True) + op("work", 1) + blt(
        0xF81B, raster=0x80E40000, dst=0x900, stride=PITCH << 16 | PITCH, ch3_mode=0xC8000000 | PITCH, mode=READS)
    for turn, flags in ROTATIONS.items():
        programs[f"x-turn-{turn}"] = start + drawn + b"".join(
            composite(raster | 0xCC, flags | format, False, ch3=3 * PITCH + 15)
            for raster, format in DEPTHS.values())
    for name, raster in (("planar", 0), ("packed", 0x60000000)):
        image = blt(0xD09F, raster=raster | 0xCC, dst=0x400, stride=PITCH, mode=2)
        programs[f"xv-{name}"] = start + image + data(16, 1, 0, MORE) + op("migrate") + b"".join(
            image + data(1, 1, 0, MORE) for _ in range(4)) + image + data(16, 3, 0, MORE) + image + data(4, 1, 0, MORE)
    programs["x-dashes"] = start + data(1, 0, 3, MORE, lut=0x100) + packet(0x20001010, {13: 6}, MORE) + data(
        1, 0, 3, MORE, lut=0x100)
    programs["x-wrap"] = start + (solid(32, 0xCC, 0) + blt(0xF012 | WRAP, dst=0x200, mode=0)) * 4
    # Suspend reads all registers and resume writes them. This starts no operation.
    registers = range(0, 0x7C, 4)
    kept = [at for at in registers if at not in (0x3C, 0x40, 0x44, 0x48, 0x70, 0x74)]
    saved = b"".join(op("read", 200, *at.to_bytes(2, "little")) for at in (0x44, *registers))
    programs["lxfb-suspend"] = saved + b"".join(write(at, 0) for at in (0x38, *kept)) + op("work", 4)
    return programs
