# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the errors of scripts/demo --firmware about programs that cannot run and wrong arguments. Needs no QEMU and no compiler.

Addresses are from docs/use/gr5526.md; ELF files and build attributes are written by hand according to their
specifications.
"""

import os
import socket
import struct
import subprocess

from pixmill.places import SCRIPTS
from pixmill.qmp import Qmp
from tests.files import Test, ends, for_each, written

FRONT = [os.path.join(SCRIPTS, "lib", "pixmill"), "program"]


# ---- Files -----------------------------------------------------------------------------------

BASE = 0x00202000
MEMORY = "flash 0x00200000 to 0x009fffff, SRAM 0x20000000 to 0x2007ffff, PSRAM 0x20080000 to 0x2087ffff"
STACKS = "up to 0x20880000 (SRAM and PSRAM from 0x20000000 on)"


def vectors(stack=0x20080000, reset=BASE + 9):
    return struct.pack("<III", stack, reset, 0xE7FEE7FE)  # b .


def load(physical=BASE, data=vectors(), virtual=None, memory=None):
    """Returns a loaded segment."""
    return (1, physical if virtual is None else virtual, physical, data, len(data) if memory is None else memory)


def attributes(*pairs):
    """Returns a section of build attributes (Arm ABI addenda, "Build attributes"); tags and values must be below 128."""
    values = bytes(number for pair in pairs for number in pair)
    scope = b"\x01" + struct.pack("<I", 5 + len(values)) + values
    return b"A" + struct.pack("<I", 10 + len(scope)) + b"aeabi\0" + scope


def elf(segments=(load(),), attribute_section=b"", machine_code=40, kind=2, bits=1, order=1):
    """Returns an ELF file: headers, segments, sections."""
    body = bytearray()
    rows = bytearray()
    start = 52 + 32 * len(segments)
    for what, virtual, physical, data, memory in segments:
        rows += struct.pack("<8I", what, start + len(body), virtual, physical, len(data), memory, 5, 1)
        body += data
    sections = bytearray()
    if attribute_section:
        sections += bytes(40) + struct.pack("<10I", 0, 0x70000003, 0, 0, start + len(body), len(attribute_section),
                                            0, 0, 1, 0)
        body += attribute_section
    head = b"\x7fELF" + bytes([bits, order, 1]) + bytes(9)
    head += struct.pack(">HH" if order == 2 else "<HH", kind, machine_code)
    head += struct.pack("<IIIII", 1, BASE, 52, start + len(body) if sections else 0, 0x05000000)
    head += struct.pack("<6H", 52, 32, len(segments), 40, len(sections) // 40, 0)
    return bytes(head + rows + body + sections)


ARCH, PROFILE, FP, SINGLE, MVE = 6, 7, 10, 27, 48
M4 = attributes((ARCH, 13), (PROFILE, ord("M")), (FP, 6), (SINGLE, 1))
M7 = attributes((ARCH, 13), (PROFILE, ord("M")), (FP, 8))
M33 = attributes((ARCH, 17), (PROFILE, ord("M")), (FP, 8), (SINGLE, 1))
M55 = attributes((ARCH, 21), (PROFILE, ord("M")), (FP, 8), (MVE, 2))
A9 = attributes((ARCH, 10), (PROFILE, ord("A")), (FP, 3))

# Each row has a name, the contents of the file, more arguments, the exit status, and words in the message.
FILES = [
    ("a good program", elf(), [], 0, []),
    ("built for a Cortex-M4", elf(attribute_section=M4), [], 0, []),
    ("built for a Cortex-M4, runs on the others", elf(attribute_section=M4), ["--cpu=cortex-m55"], 0, []),
    ("built for a Cortex-M7", elf(attribute_section=M7), ["--cpu=cortex-m7"], 0, []),
    ("caches of another size", elf(attribute_section=M7), ["--cpu=cortex-m7", "--caches=16K"], 0, []),
    ("built for a Cortex-M33", elf(attribute_section=M33), ["--cpu=cortex-m33"], 0, []),
    ("built for a Cortex-M55", elf(attribute_section=M55), ["--cpu=cortex-m55"], 0, []),
    ("something before the table", elf([load(BASE - 0x80, bytes(0x80) + vectors())]), [], 0, []),
    ("stack at the end of the PSRAM", elf([load(data=vectors(0x20880000))]), [], 0, []),
    ("stack in the second window", elf([load(data=vectors(0x30000004))]), [], 0, []),
    ("data to be copied", elf([load(), load(0x00210000, bytes(64), 0x20000000, 4096)]), [], 0, []),
    ("across SRAM and PSRAM", elf([load(), load(0x2007FF00, b"", None, 0x1000)]), [], 0, []),
    ("a table that the machine is told", elf([load(data=bytes(0x10000) + vectors(reset=BASE + 0x10009))]),
     ["--qemu-options=-M vector-table=0x00212000"], 0, []),

    ("no ELF file", b"\0" * 4096, [], 64, ["program.elf is not an ELF file", "objcopy"]),
    ("an empty file", b"", [], 64, ["is not an ELF file"]),
    ("a PC's", elf(machine_code=62, bits=2), [], 64, ["is for x86-64 (64 bits, little-endian)"]),
    ("AArch64", elf(machine_code=183, bits=2), [], 64, ["is for AArch64 (64 bits"]),
    ("an old PC's", elf(machine_code=3), [], 64, ["is for x86 (32 bits"]),
    ("big-endian", elf(order=2), [], 64, ["is for Arm (32 bits, big-endian)"]),
    ("an object file", elf(kind=1), [], 64, ["an object file", "link it"]),
    ("position-independent", elf(kind=3), [], 64, ["position-independent", "-no-pie"]),
    ("a Linux program", elf([load(), (3, BASE, BASE, b"/lib/ld.so\0", 11)]), [], 64, ["names a dynamic linker"]),
    ("for a Cortex-A", elf(attribute_section=A9), [], 64, ["A-profile"]),
    ("no segments", elf([]), [], 64, ["nothing to load"]),
    ("cut off in its headers", elf()[:60], [], 64, ["is damaged"]),
    ("cut off in a segment", elf()[:-4], [], 64, ["is damaged"]),
    ("attributes cut off", elf(attribute_section=M4[:-3]), [], 64, ["is damaged"]),

    ("flash of an STM32", elf([load(0x08000000, vectors(reset=0x08000009))]), [], 65,
     ["0x08000000 to 0x0800000b", "no memory", "valid: " + MEMORY]),
    ("across the end of the flash", elf([load(), load(0x009FFFF0, bytes(32))]), [], 65,
     ["0x009ffff0 to 0x00a0000f", MEMORY]),
    ("behind the PSRAM", elf([load(), load(0x20880000, b"", None, 4)]), [], 65, ["0x20880000 to 0x20880003", MEMORY]),
    ("data used where nothing is", elf([load(), load(0x00210000, bytes(64), 0x24000000, 64)]), [], 65,
     ["is to be used at 0x24000000", MEMORY]),
    ("peripherals", elf([load(0x40000000, vectors())]), [], 65, ["0x40000000 to 0x4000000b", MEMORY]),

    ("stack of another part", elf([load(data=vectors(0x24080000))]), [], 66,
     ["vector table at 0x00202000", "stack pointer 0x24080000, which is not in RAM", STACKS]),
    ("no stack", elf([load(data=vectors(0))]), [], 66, ["stack pointer 0x00000000", STACKS]),
    ("an empty stack", elf([load(data=vectors(0x20000000))]), [], 66, ["stack pointer 0x20000000", STACKS]),
    ("behind the end of RAM", elf([load(data=vectors(0x20880004))]), [], 66, ["stack pointer 0x20880004", STACKS]),
    ("a stack at an odd place", elf([load(data=vectors(0x20001002))]), [], 66,
     ["stack pointer 0x20001002, which is not a multiple of 4"]),
    ("no Thumb function", elf([load(data=vectors(reset=BASE + 8))]), [], 66,
     ["reset vector 0x00202008, which is not a Thumb function (bit 0 is 0)"]),
    ("reset elsewhere", elf([load(data=vectors(reset=0x08000009))]), [], 66,
     ["reset vector 0x08000009, which is not in the program", "odd addresses in 0x00202000 to 0x0020200b"]),
    ("reset in memory that is cleared", elf([load(data=vectors(reset=0x20000001)), load(0x20000000, b"", None, 64)]),
     [], 66, ["reset vector 0x20000001, which is not in the program"]),
    ("told a table that is none", elf(), ["--qemu-options=-M vector-table=0x00202080"], 66,
     ["vector table at 0x00202080", "stack pointer 0x00000000"]),

    ("doubles on a Cortex-M4", elf(attribute_section=M7), [], 67,
     ["Armv7E-M with FPv5 of double precision", "a cortex-m4 does not have", "--cpu cortex-m7"]),
    ("Armv8-M on a Cortex-M7", elf(attribute_section=M33), ["--cpu=cortex-m7"], 67, ["Armv8-M", "--cpu cortex-m33"]),
    ("MVE on a Cortex-M33", elf(attribute_section=M55), ["--cpu=cortex-m33"], 67,
     ["Armv8.1-M", "vector extension (MVE)", "--cpu cortex-m55"]),

    ("an unknown processor", elf(), ["--cpu=cortex-a9"], 2,
     ["no processor cortex-a9", "cortex-m4 cortex-m7 cortex-m33 cortex-m55"]),
    ("caches on a Cortex-M4", elf(), ["--caches=16K"], 2, ["a cortex-m4 has no caches", "--cpu cortex-m7"]),
    ("a size that no cache has", elf(), ["--cpu=cortex-m7", "--caches=48K"], 2,
     ["cannot have the size 48K", "available: 0 4K 8K 16K 32K 64K"]),
    ("a quote that is open", elf(), ["--qemu-options=-D 'x"], 2, ["--qemu-options", "closing quotation"]),
    ("a table at no number", elf(), ["--qemu-options=-M vector-table=flash"], 2, ["vector-table", "0x00202000"]),
]

# Each row has arguments that need no file, and words in the message of scripts/demo.
USAGE = [
    (["--board", "gr5526", "--firmware", "/nonexistent"], ["there is no file /nonexistent"]),
    (["--board", "gr5526", "--firmware"], ["--firmware needs a value"]),
    (["--board", "gr5526", "--cpu", "cortex-m7"], ["--cpu needs --firmware"]),
    (["--board", "gr5526", "--caches", "16K"], ["--caches needs --firmware"]),
    (["--board", "gr5526", "--firmware", "/dev/null/x", "--frames", "0"], ["/dev/null/x"]),
    (["--board", "gr5526", "--timeout", "soon"], ["--timeout needs a number", "not soon"]),
    (["--board", "gr5526", "--frames", "0"], ["--frames needs a number", "not 0"]),
    (["--cpu", "cortex-m7"], ["--cpu is for boards that run firmware", "--board gr5526"]),
    (["--nonsense"], ["unknown argument: --nonsense"]),
]


def run(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False, timeout=120, **options)


def for_demo(arguments):
    """Splits "--option=value", since scripts/demo takes the value as the next word."""
    return [word for argument in arguments for word in argument.split("=", 1)]


@for_each(FILES)
class FilesTest(Test):
    def check(self, data, arguments, status, words):
        path = written(self.path("a program's folder", "program.elf"), data)
        # For a good program, scripts/demo would continue by building QEMU.
        command = [*FRONT, "--check"] if status == 0 else [os.path.join(SCRIPTS, "demo"), "--board", "gr5526"]
        ends(run(*command, "--firmware", path, *for_demo(arguments) if status else arguments), status, *words,
             without=["Traceback", "Building"])


@for_each((" ".join(arguments), arguments, words) for arguments, words in USAGE)
class UsageTest(Test):
    def check(self, arguments, words):
        ends(run(os.path.join(SCRIPTS, "demo"), *arguments), 2, *words, without=["Building"])


class MonitorTest(Test):
    def test_events_are_told_from_answers(self):
        """An event that follows an answer must neither be lost nor be taken for an answer, wherever the reader's
        buffer ends."""
        near, far = socket.socketpair()
        with near, far, far.makefile("w", encoding="utf-8") as monitor:
            for line in ('{"QMP": {}}', '{"return": {}}', '{"event": "RESET"}', '{"return": "R00=00000000"}'):
                monitor.write(line + "\n")
            monitor.flush()
            qmp = Qmp(near)
            answer = qmp.command("human-monitor-command")
            assert (answer, len(qmp.events)) == ("R00=00000000", 1), (answer, qmp.events)
