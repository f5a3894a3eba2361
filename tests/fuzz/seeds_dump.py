# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds of dump-fuzz: dumps in the format of linux etnaviv_dump.h."""

import struct

REGISTERS, TABLES, RING, JOB, PAGES, BUFFER, END, UNKNOWN = range(8)
FILLED, WITH_TABLES = 1, 2  # the first byte of an input
AXI_STATUS, IDLE, BASE_FE, FE_STATE, FE_ADDRESS, FE_LOW, FE_HIGH = 0x00C, 0x004, 0x41C, 0x660, 0x664, 0x668, 0x66C
# CHIP_FEATURE, MODEL, REV and MINOR_FEATURE_0 of a GC320 with MMU v1, and of one with MMU v2
CORES = {"1": {0x01C: 0xE02C7ECA, 0x020: 0x320, 0x024: 0x5007, 0x034: 0xC1399EFF, BASE_FE: 0x10000000},
         "2": {0x01C: 0xE02CFECA, 0x020: 0x320, 0x024: 0x5301, 0x034: 0xC9399EFF}}

RING_AT, RETURN_AT, JOB_AT, PICTURE_AT = 0x1000, 0x1010, 0x2000, 0x3000
WAIT, LINK, STALL, FE_TO_PE = 0x38000000, 0x40000000, 0x48000000, 0x701
DESTINATION, SEMAPHORE = 0x0801048A, 0x08010E02
RING_WORDS = (LINK | 6, JOB_AT, LINK | 2, RING_AT, WAIT | 200, 0, LINK | 2, RETURN_AT)
DRAW = (DESTINATION, PICTURE_AT, 0x20000100, 0, 0, 0x00080010)  # a rectangle of 16 x 8
SYNC = (SEMAPHORE, FE_TO_PE, STALL, FE_TO_PE)
BACK = (LINK | 2, RETURN_AT)


def dump(*objects):
    """Returns a dump of objects (type, address, 32-bit words, size if not that of the words)."""
    content, headers = b"", b""
    begin = 32 * (len(objects) + 1)
    for kind, address, words, *size in (*objects, (END, 0, ())):
        data = struct.pack(f"<{len(words)}I", *words)
        headers += b"ETNA" + struct.pack("<IIIQII", kind, begin + len(content), *(size or [len(data)]), address, 0, 0)
        content += data
    return headers + content


def hang(core, *commands, at, idle=0x7FFFFFFE, axi=0, tables=(2,) * 16, tables_bytes=64, more=()):
    """Returns a dump of a job. `at` is the index in the job of the two words that the front end had fetched last, or their
    address and themselves. The tables come last, so that filling extends them."""
    job = (*commands, *BACK)
    address, words = at if isinstance(at, tuple) else (JOB_AT + 4 * at, job[at:at + 2])
    registers = {AXI_STATUS: axi, IDLE: idle, **CORES[core], FE_STATE: 0, FE_ADDRESS: address,
                 FE_LOW: words[0], FE_HIGH: words[1]}
    return dump((REGISTERS, 0, [word for pair in registers.items() for word in pair]), (RING, RING_AT, RING_WORDS),
                (JOB, JOB_AT, job), (PAGES, 0, (0x20005000, 0)), (BUFFER, PICTURE_AT, (0,) * 8, 4096), *more,
                (TABLES, 0, tables, tables_bytes))


BUSY = 0x7FFFFFFC  # IDLE without FE and DE
ALL_MAPPED = {"tables": (0x20005005,), "tables_bytes": 12288}
STALLED = {core: hang(core, *DRAW, *SYNC, at=8, idle=BUSY) for core in CORES}
CUT = dump((REGISTERS, 0, (FE_ADDRESS, JOB_AT + 8)), (JOB, JOB_AT, BACK, 64))
FILES = {
    **{f"stalled-{core}": dumped for core, dumped in STALLED.items()},
    "starved": hang("2", 0x08000000, 0, at=2),
    "illegal": hang("2", 0xF8000000, 0, at=0),
    "wrong-link": hang("2", LINK | 2, 0x70000000, at=(0x70000000, (0, 0))),
    "ended": hang("2", *DRAW, *SYNC, at=(RETURN_AT, RING_WORDS[4:6])),
    "bus-error": hang("1", *DRAW, *SYNC, at=8, axi=1 << 9),
    "too-far": hang("2", *DRAW, at=0, more=((BUFFER, 1 << 32, (0,) * 4), (UNKNOWN, 0, ()))),
    "cut": CUT,
    "empty": b"",
    "another": b"\x7fELF" + bytes(60),
}
CHOICES = {"": b""}
PROGRAMS = {
    **{name: b"\0" + content for name, content in FILES.items()},
    "mapped": bytes([FILLED | WITH_TABLES]) + hang("2", *DRAW, *SYNC, at=8, idle=BUSY, **ALL_MAPPED),
    "mapped-v1": bytes([FILLED | WITH_TABLES]) + hang("1", *DRAW, *SYNC, at=8, idle=BUSY, **ALL_MAPPED),
}
