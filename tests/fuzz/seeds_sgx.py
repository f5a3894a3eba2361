# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of sgx-fuzz: byte programs for Guest::play() in sgx_fuzz.cpp."""

# Same order as kOps in sgx_fuzz.cpp.
OPS = ["write", "write again", "read", "narrow", "memory", "map", "walk", "walk again", "event", "clock", "migrate",
       "corrupt", "inject", "reset", "look", "trace", "memory ends", "move"]
REQUESTERS = ["EDM", "VDM", "TA", "PBE", "TSPP", "ISP", "PTLA"]
BASES = {0: 0, 0x100000: 1, 0x200000: 2, 0x80000000: 3, 0x190000000: 4, 0xFFFFF000: 5}  # as in Input::address()
EVENTS = 64
CORE0, CORE1, MASTER, WRAPPER = 0x8000, 0xC000, 0x4000, 0xFE00
SOFT_RESET, TIMER, KICK, BIF_CTRL, BANK_SET, BANK0, DIRECTORY = 0x80, 0xACC, 0xAC8, 0xC00, 0xC74, 0xC78, 0xC84


def op(name, *operands):
    return bytes([OPS.index(name), *operands])


def write(offset, value):
    return op("write", 200) + offset.to_bytes(2, "little") + b"\xff" + value.to_bytes(4, "little")


def read(offset):
    return op("read", 200) + offset.to_bytes(2, "little")


def page(top, index, base, offset=0, size=0, flags=1, directory=True, valid=1):
    """Writes entry `top` of the page directory, with page size `size`, and an entry of its page table."""
    return (op("map", top, index, valid | size << 1, BASES[base]) + offset.to_bytes(2, "little")
            + bytes([flags, directory]))


def walk(top, index, requester="TA", core=0, store=False):
    return op("walk", 0, top, index, core | 4 * store if core < 3 else 0, REQUESTERS.index(requester))


def walks(store=False):
    return b"".join(walk(1, 5, name, 0, store) for name in REQUESTERS)


MAPPED = page(1, 5, 0x100000)
TRANSLATES = write(BIF_CTRL, 0)  # the MMU is bypassed after a reset
PROGRAMS = {
    "walk": MAPPED + walks() + walks(True),
    "walk-sizes": b"".join(page(1, 5 >> 2 * size, 0x100000, size=size) + walk(1, 5) for size in range(8)),
    "no-page": MAPPED + walk(1, 6) + walk(2, 0) + read(CORE0 + 0xC04) + write(CORE0 + BIF_CTRL, 0x10) + walk(1, 6),
    "write-only": page(1, 5, 0x100000, flags=3) + walk(1, 5) + write(CORE0 + BIF_CTRL, 0x10),
    "read-only": page(1, 5, 0x100000, flags=5) + walk(1, 5, store=True),
    "protected": page(1, 5, 0x100000, flags=0x11) + walks(),
    "rom": page(1, 5, 0x200000) + walk(1, 5, store=True),
    "hole": page(1, 5, 0xFFFFF000) + walks() + walks(True),
    "no-directory": TRANSLATES + b"".join(write(core + DIRECTORY, 0x70000000) + write(core + 0xC50, 0x70000000)
                             for core in (CORE0, CORE1)) + walk(0, 0, "EDM") + walk(0, 0, "EDM", 1),
    "no-table": MAPPED + op("memory", 0, 4, 0, 255, 1, 0, 0, 0x70) + write(CORE0 + DIRECTORY, 0) + walk(1, 0),
    "bypass": write(CORE0 + BIF_CTRL, 0xFF600) + write(MASTER + BIF_CTRL, 0xFF600) + walks() + walks(True),
    "paused": write(CORE0 + BIF_CTRL, 1 << 1) + walks() + write(CORE0 + BIF_CTRL, 1 << 0) + walks(),
    "banks": write(CORE0 + BANK_SET, 0x3DD) + write(CORE0 + BANK0, 0x77777) + write(CORE0 + 0xC7C, 0x17777) + MAPPED
             + walks() + write(CORE0 + BANK0, 0xFFFFF) + write(CORE0 + 0xC7C, 0xFFFFF) + walks()
             + write(MASTER + BANK0, 0xFFFFF) + walks(),
    "held": MAPPED + write(SOFT_RESET, 0xFFFFF) + write(MASTER + SOFT_RESET, 0xFFFFF) + walks()
            + write(CORE0 + KICK, 1) + write(SOFT_RESET, 0) + walks(),
    "events": write(CORE0 + 0x130, 0xFFFFFFFF) + write(CORE0 + 0x110, 0xFFFFFFFF) + write(WRAPPER + 0x3C, 7)
              + write(WRAPPER + 0x44, 7) + b"".join(op("event", n, n % 2) for n in range(EVENTS))
              + op("migrate") + write(CORE0 + 0x134, 0xFFFFFFFF) + write(CORE0 + 0x114, 0xFFFFFFFF),
    "lost": op("inject", 0) + op("event", 3, 0) + op("inject", 1) + write(CORE0 + KICK, 1) + op("inject", 2)
            + op("inject", 3) + MAPPED + walk(1, 5),
    "lost-event": op("inject", 2) + op("event", 3, 0) + op("event", 3, 0) + MAPPED + write(CORE0 + DIRECTORY, 0x10000)
                  + op("inject", 3) + write(CORE0 + KICK, 1) + write(CORE0 + KICK, 1) + op("inject", 4),
    "moved": MAPPED + walks() + op("move") + walks(True) + write(CORE0 + KICK, 1) + op("memory ends", 0) + op("move"),
    "no-core": walk(1, 5, core=2),
    "idle": b"".join(write(WRAPPER + 0x108, value) + read(WRAPPER + 0x10C) for value in range(16)),
    "ended": write(CORE0 + 0x13C, 0x17) + write(CORE0 + 0x130, 0xFFFFFFFF) + write(WRAPPER + 0x44, 1)
             + b"".join(write(bank + at, 1) for bank in (0, CORE1) for at in (0x808, 0x810, 0xAD0, 0xAD4, 0xADC, 0xAE0))
             + op("migrate") + write(0x140, 0x17) + write(0x134, 0xFFFFFFFF) + write(0x114, 0xFFFFFFFF),
    "set-by-host": b"".join(write(bank + 0x130, 0xFFFFFFFF) + write(bank + at, 0xFFFFFFFF) + write(WRAPPER + 0x44, 1)
                            + write(bank + 0x134, 0xFFFFFFFF) for bank in (MASTER, CORE0, CORE1)
                            for at in (0x12C, 0x118, 0x138)),
    "slc": b"".join(write(MASTER + at, 0xFF) + read(MASTER + 0xD10) for at in (0xD28, 0xD2C, 0xD34, 0xD14)),
    "ptla": write(MASTER + 0x180, 1) + write(MASTER + SOFT_RESET, 0x400) + write(MASTER + 0x1FC, 1),
    "starts": write(0x200, 1) + write(MASTER + 0x428, 1) + write(MASTER + 0x290, 1),
    "invalidated": MAPPED + walks() + write(MASTER + 0xC34, 1) + write(CORE0 + 0xC34, 0xF) + walks(),
    "timer": write(CORE0 + TIMER, 0x1000100) + op("clock", 255, 255, 10) + op("migrate") + op("clock", 255, 255, 10)
             + write(CORE0 + 0x134, 0xFFFFFFFF) + op("clock", 1, 0, 0) + write(CORE0 + TIMER, 0x100),
    "kick": MAPPED + write(CORE0 + DIRECTORY, 0x10000)
            + b"".join(write(core + at, 1) for core in (CORE0, CORE1) for at in (0xAB0, 0xAC0, KICK, 0xAD8)),
    "kick-too-early": TRANSLATES + write(CORE0 + KICK, 1) + write(CORE1 + KICK, 1),
    "bypass-kick": write(CORE0 + BIF_CTRL, 1 << 15) + write(CORE0 + KICK, 1),
    **{f"narrow-{size}": b"".join(op("narrow", 200) + (at + 2).to_bytes(2, "little")
                                  + bytes([1, size, reads, 1, 2, 3, 4])
                                  for at in (WRAPPER, CORE0) for reads in (0, 1)) for size in range(9)},
    **{f"wrapper-{first:x}": b"".join(write(WRAPPER + at, value) + read(WRAPPER + at) for value in (0xFFFFFFFF, 0)
                                      for at in range(first, first + 32, 4)) for first in range(0, 0x120, 32)},
    "banks-of-registers": b"".join(read(bank + at) + write(bank + at, 0xFFFFFFFF)
                                   for bank in (0, MASTER, CORE0, CORE1) for at in (0x8, 0x20, 0x144, 0xE04, 0x3F0)),
    "clocks": b"".join(write(CORE0 + at, value) + read(CORE0 + 8)
                       for at in (0, 4) for value in (0, 0x11111111, 0x22222222)),
    "beyond": op("write", 255, 0, 0, 2, 0, 255, 1, 2, 3, 4) + op("read", 255, 0, 0, 2, 0),
    **{f"named-{n}": b"".join(op("look", k) for k in range(n, n + 64, 8)) for n in range(0, 256, 64)},
    "traced": op("trace", 1) + MAPPED + walks() + write(CORE0 + KICK, 1) + op("reset") + op("narrow", 0, 1, 1, 0)
              + b"".join(read(at) for at in (WRAPPER, MASTER, MASTER + 0x3F0, CORE0, CORE0 + 0x3F0)),
    "corrupt": op("corrupt", 7, *(n for at in range(8) for n in (0, at * 30, at % 3, 255))) + op("migrate"),
    "foreign": op("corrupt", 0, 0, 17, 0, 255) + write(CORE0 + KICK, 1),
    "fifo": b"".join(write(CORE0 + 0xE10, value) for value in (1, 0xFFFF)) + write(CORE0 + 0xC34, 0xC),
}


def first(flags, clock=0):
    """Returns the configuration. Bits of `flags`: trm_debug_config 1, fake_microkernel 2, a clock rate follows 4."""
    return bytes([flags]) + (clock.to_bytes(4, "little") if flags & 4 else b"")


CHOICES = {"": first(0) + bytes([0, 0, 0]), "fake": first(2) + bytes([1, 0, 0]), "debug": first(1) + bytes([0, 0, 0]),
           "fake-hole": first(7, 1000000) + bytes([5, 0, 0])}
