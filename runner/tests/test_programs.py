#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests what scripts/demo --firmware says and does with programs, good and bad ones.

usage: test_programs.py files              ELF files that are made here; needs no QEMU and no compiler
       test_programs.py runs QEMU LOGS     programs that the Arm compiler builds, among them examples/gr5526 and imxrt1170

Addresses are those of docs/use/gr5526.md; ELF and its build attributes are written here by hand from their documents.
The last line is "N passed, N failed, N skipped".
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import zlib

from pixmill import boards, firmware_image, picture
from pixmill.places import BOARDS, REPO, SCRIPTS
from pixmill.qmp import Qmp

HERE = os.path.dirname(os.path.realpath(__file__))
BOARD = os.path.join(BOARDS, "gr5526")
EXAMPLE = os.path.join(REPO, "examples", "gr5526")
FRONT = [os.path.join(SCRIPTS, "lib", "pixmill"), "program"]

counts = {"passed": 0, "failed": 0}


def heeds_interrupts():
    """In a new process: a shell's jobs in the background, and so CI's, are made to ignore them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def report(name, why):
    """Passed when there is nothing to say against it."""
    outcome = "failed" if why else "passed"
    counts[outcome] += 1
    if why:
        print(f"failed  programs: {name}: {why}", flush=True)


def differences(done, status, words, without=()):
    """Of a run that has ended from what it must be."""
    said = done.stderr + done.stdout
    if done.returncode != status:
        return f"status {done.returncode}, expected {status}: {said.strip()[-600:]}"
    missing = [word for word in words if word not in said]
    if missing:
        return f"it does not say {missing}: {said.strip()[-600:]}"
    unwanted = [word for word in without if word in said]
    return f"it says {unwanted}: {said.strip()[-600:]}" if unwanted else ""


# ---- Files -----------------------------------------------------------------------------------

BASE = 0x00202000
MEMORY = "flash 0x00200000 to 0x009fffff, SRAM 0x20000000 to 0x2007ffff, PSRAM 0x20080000 to 0x2087ffff"
STACKS = "up to 0x20880000 (SRAM and PSRAM from 0x20000000 on)"


def vectors(stack=0x20080000, reset=BASE + 9):
    return struct.pack("<III", stack, reset, 0xE7FEE7FE)  # b .


def load(physical=BASE, data=vectors(), virtual=None, memory=None):
    """A segment."""
    return (1, physical if virtual is None else virtual, physical, data, len(data) if memory is None else memory)


def attributes(*pairs):
    """Arm ABI addenda, "Build attributes": tags and values, all below 128."""
    values = bytes(number for pair in pairs for number in pair)
    scope = b"\x01" + struct.pack("<I", 5 + len(values)) + values
    return b"A" + struct.pack("<I", 10 + len(scope)) + b"aeabi\0" + scope


def elf(segments=(load(),), attribute_section=b"", machine_code=40, kind=2, bits=1, order=1):
    """Headers, then the segments' bytes, then the sections."""
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

# A name, the file's bytes, more arguments, the exit status, what it says.
FILES = [
    ("a good program", elf(), [], 0, []),
    ("built for a Cortex-M4", elf(attribute_section=M4), [], 0, []),
    ("built for a Cortex-M4, runs on the others", elf(attribute_section=M4), ["--cpu=cortex-m55"], 0, []),
    ("built for a Cortex-M7", elf(attribute_section=M7), ["--cpu=cortex-m7"], 0, []),
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
    ("a quote that is open", elf(), ["--qemu-options=-D 'x"], 2, ["--qemu-options", "closing quotation"]),
    ("a table at no number", elf(), ["--qemu-options=-M vector-table=flash"], 2, ["vector-table", "0x00202000"]),
]

# Arguments that need no file, and what scripts/demo says to them.
USAGE = [
    (["--board", "gr5526", "--firmware", "/nonexistent"], ["there is no file /nonexistent"]),
    (["--board", "gr5526", "--firmware"], ["--firmware needs a value"]),
    (["--board", "gr5526", "--cpu", "cortex-m7"], ["--cpu needs --firmware"]),
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
    """scripts/demo takes a value as the next word."""
    return [word for argument in arguments for word in argument.split("=", 1)]


def test_files(folder):
    path = os.path.join(folder, "program.elf")
    for name, data, arguments, status, words in FILES:
        with open(path, "wb") as file:
            file.write(data)
        # A good one would go on to build QEMU.
        command = [*FRONT, "--check"] if status == 0 else [os.path.join(REPO, "scripts", "demo"), "--board", "gr5526"]
        report(name, differences(run(*command, "--firmware", path, *for_demo(arguments) if status else arguments),
                                 status, words, ["Traceback", "Building"]))
    for arguments, words in USAGE:
        done = run(os.path.join(REPO, "scripts", "demo"), *arguments)
        report(" ".join(arguments), differences(done, 2, words, ["Building"]))


def test_monitor():
    """Events that stand behind an answer are neither lost nor in the way, wherever the reader's buffer ends."""
    near, far = socket.socketpair()
    with near, far, far.makefile("w", encoding="utf-8") as monitor:
        for line in ('{"QMP": {}}', '{"return": {}}', '{"event": "RESET"}', '{"return": "R00=00000000"}'):
            monitor.write(line + "\n")
        monitor.flush()
        try:
            qmp = Qmp(near)
            answer = qmp.command("human-monitor-command")
            report("monitor", "" if (answer, len(qmp.events)) == ("R00=00000000", 1) else f"{answer}, {qmp.events}")
        except (OSError, ValueError) as error:
            report("monitor", repr(error))


# ---- Runs ------------------------------------------------------------------------------------

FLAGS = ["-mthumb", "-ffreestanding", "-nostdlib", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{EXAMPLE}",
         "-T", os.path.join(EXAMPLE, "gr5526.ld"), os.path.join(EXAMPLE, "startup.c"), "-lgcc"]
M4_FLAGS = ["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
NO_PICTURE = "no picture: layer 0 of the display is off"
OF_NOWHERE = "memory: " + MEMORY

# Of programs.c: its function, more arguments, the exit status, what is said, what is not, and whether the picture
# that it shows is left (None: that depends on the moment).
PROGRAMS = [
    ("run_exit", [], 7, [NO_PICTURE, "the GPU has drawn nothing"], [], False),
    ("run_lockup", [], 69, ["locked up", "address: 0x60000010", OF_NOWHERE, "(in main)"], [], True),
    ("run_fault", [], 70, ["HardFault", "address: 0x60000020", OF_NOWHERE, "taken at PC", "(in main)",
                           "(in fault_handler)"], [], True),
    ("run_no_fpu", [], 70, ["HardFault", "the FPU is off", "CPACR (0xe000ed88)"], ["address:"], False),
    ("run_undefined", [], 70, ["HardFault", "an instruction that this processor does not have"], [], False),
    ("run_vector_graphics", [], 0, ["nema-gfx: PVG_PT0_X = 0x41000000, a vertex in floating point: only cores with "
                                    "vector graphics draw it", "DRAW_CMD_NOHOLD = 0x00000006, a curve fan",
                                    NO_PICTURE], [], False),
    ("run_missing_blocks", [], 0, ["gr5526.PMU: unimplemented device write", "gr5526.GPIO0: unimplemented device read",
                                   "there were 2 lines more"], ["offset 0x14"], False),
    ("run_unknown_format", [], 0, ["no picture: layer 0 of the display cannot be shown: format unknown, 8x4 pixels, 32 "
                                   "bytes from row to row, at 0x20080000"], [], False),
    ("run_endless", ["--timeout=2"], 124, ["did not end within 2 seconds", "now at PC 0x0020",
                                     "(in run_endless)"], ["cause:"], True),
    ("run_reset", [], 71, ["has reset the machine", "-action reboot=reset"], [], True),
    ("run_reset", ["--timeout=2", "--qemu-options=-action reboot=reset"], 124, [], ["has reset"], None),
    ("run_exit", ["--qemu-options=-nonsense"], 68, ["-nonsense: invalid option", "QEMU did not start"], [], False),
    ("run_missing_blocks", ["--qemu-options=-d unimp -D 'all of it'"], 0, [], ["pixmill: gr5526.PMU"], False),
]


def shown_picture():
    """show_picture() of programs.c, in red, green, blue."""
    return picture.Picture(8, 4, [16 * x << 16 | 32 * y << 8 | 7 for y in range(4) for x in range(8)])


def template_picture():
    """main.c of examples/gr5526: its colors have red in the lowest byte."""
    inside = [[40 <= x < 280 and 60 <= y < 180 for x in range(320)] for y in range(240)]
    return picture.Picture(320, 240, [0xFF8020 if pixel else 0x102040 for row in inside for pixel in row])


def read_png(path):
    """As picture.py writes them."""
    with open(path, "rb") as file:
        data = file.read()
    width, height = struct.unpack_from(">II", data, 16)
    size, = struct.unpack_from(">I", data, 33)
    rows = zlib.decompress(data[41:41 + size])
    return picture.Picture(width, height, [int.from_bytes(rows[at:at + 3], "big") for y in range(height)
                                           for at in range(y * (3 * width + 1) + 1, (y + 1) * (3 * width + 1), 3)])


def picture_difference(folder, wanted):
    """Of the last screen from what it must be; None: there is none."""
    path = os.path.join(folder, "screen-last.png")
    if not os.path.exists(path):
        return wanted and "it left no picture"
    return read_png(path).first_difference(wanted) if wanted else "it left a picture, and has drawn none"


class Programs:
    def __init__(self, qemu, folder):
        self.qemu, self.folder = qemu, folder
        self.out = os.path.join(folder, "screens, and more")  # QEMU's options split at commas

    def front(self, program, arguments):
        return [*FRONT, "--qemu", self.qemu, "--out", self.out, "--firmware", program, *arguments]

    def build(self, case):
        path = os.path.join(self.folder, f"{case}.elf")
        subprocess.run(["arm-none-eabi-gcc", *M4_FLAGS, f"-DCASE={case}", os.path.join(HERE, "programs.c"), *FLAGS,
                        "-o", path], check=True)
        return path

    def test_programs(self):
        for case, arguments, status, words, without, drawn in PROGRAMS:
            os.makedirs(self.out, exist_ok=True)
            for stale in ("screen-last.png", "screen-007.png"):
                with open(os.path.join(self.out, stale), "w", encoding="utf-8") as file:
                    file.write("of an earlier run")
            done = run(*self.front(self.build(case), arguments), cwd=self.folder)
            why = differences(done, status, words, ["Traceback", *without])
            if drawn is not None:
                why = why or picture_difference(self.out, shown_picture() if drawn else None)
            if os.path.exists(os.path.join(self.out, "screen-007.png")):
                why = why or "a picture of an earlier run is left"
            report(" ".join([case, *arguments]), why)

    def test_imxrt1170(self):
        """The example of the other board, which shows the same picture."""
        folder = os.path.join(REPO, "examples", "imxrt1170")
        path = os.path.join(self.folder, "imxrt1170.elf")
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-d16", "-mthumb",
                        "-ffreestanding", "-nostdlib", "-O2", "-Wall", "-Wextra", "-Werror", "-T",
                        os.path.join(folder, "imxrt1170.ld"), os.path.join(folder, "startup.c"),
                        os.path.join(folder, "main.c"), "-lgcc", "-o", path], check=True)
        done = run(*self.front(path, ["--board", "imxrt1170"]), cwd=self.folder)
        report("examples/imxrt1170", differences(done, 0, ["hello from the i.MX RT1170"], ["Traceback", "no picture"])
               or picture_difference(self.out, template_picture()))
        done = run(*self.front(path, ["--board", "imxrt1170", "--cpu", "cortex-m4"]), cwd=self.folder)
        report("examples/imxrt1170 on another processor",
               differences(done, 2, ["imxrt1170 has no processor cortex-m4", "there is: cortex-m7"]))

    def test_log_file(self):
        """Of the last of those."""
        with open(os.path.join(self.folder, "all of it"), encoding="utf-8") as file:
            lines = file.read().count("gr5526.PMU: unimplemented device write")
        report("a log file by name", "" if lines == 3 else f"{lines} lines of three accesses")

    def test_lockup_by_hand(self):
        """QEMU without the front end: it fails, says where, and does not abort."""
        done = run(self.qemu, "-M", "gr5526", "-display", "none", "-kernel", self.build("run_lockup"), "-global",
                   "gr5526-display.save-at-exit=/nonexistent/picture.ppm")
        report("a lock-up by hand", differences(done, 1, ["Lockup: ", "(PC 0x0020", "no picture: '/nonexistent"]))

    def test_signals(self):
        """Ctrl-C reaches the whole group, kill one process; either way QEMU is gone afterwards."""
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            with subprocess.Popen(self.front(self.build("run_endless"), []), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                                  preexec_fn=heeds_interrupts) as front:
                line = front.stdout.readline()
                if number == signal.SIGINT:
                    os.killpg(front.pid, number)
                else:
                    front.send_signal(number)
                front.communicate(timeout=60)
                why = "" if (line, front.returncode) == ("ready\n", status) else f"{line!r}, status {front.returncode}"
            with contextlib.suppress(ProcessLookupError):
                os.killpg(front.pid, 0)
                why = why or "QEMU still runs"
            report(number.name, why or picture_difference(self.out, shown_picture()))

    def test_template(self):
        """The command is that of its README, in a copy; then for each processor that the machine can have."""
        copy = os.path.join(self.folder, "my program")
        shutil.copytree(EXAMPLE, copy)
        with open(os.path.join(EXAMPLE, "README.md"), encoding="utf-8") as file:
            command = re.search(r"^arm-none-eabi-gcc (.*?-o hello\.elf)$", file.read(), re.S | re.M)[0]
        subprocess.run(command, shell=True, check=True, cwd=copy)
        program = os.path.join(copy, "hello.elf")
        self.run_template("as its README says", program, [])
        for processor, unit in (("cortex-m7", "fpv5-d16"), ("cortex-m33", "fpv5-sp-d16"), ("cortex-m55", "auto")):
            subprocess.run(["arm-none-eabi-gcc", f"-mcpu={processor}", "-mfloat-abi=hard", f"-mfpu={unit}",
                            os.path.join(EXAMPLE, "main.c"), *FLAGS, "-o", program], check=True)
            report(f"for a {processor}, on a cortex-m4",
                   differences(run(*self.front(program, [])), 67, [f"--cpu {processor}"]))
            self.run_template(f"for a {processor}", program, ["--cpu", processor])

    def run_template(self, name, program, arguments):
        done = run(*self.front(program, arguments))
        why = differences(done, 0, ["hello from the GR5526\n"], ["Traceback", "no picture", "nema-gfx"])
        report(f"template {name}", why or picture_difference(self.out, template_picture()))

    def monitor(self, command):
        near, far = socket.socketpair()
        with subprocess.Popen([self.qemu, "-M", "gr5526", "-S", "-display", "none", "-serial", "null", "-chardev",
                               f"socket,id=qmp,fd={far.fileno()}", "-mon", "chardev=qmp,mode=control"],
                              pass_fds=[far.fileno()]) as qemu:
            far.close()
            try:
                return Qmp(near).command("human-monitor-command", **{"command-line": command})
            finally:
                qemu.kill()

    def test_board(self):
        """What the front end says without QEMU is what the machine has."""
        text = self.monitor("info mtree -f")
        view = text[text.index("cpu-memory"):] if "cpu-memory" in text else text
        there = {(int(start, 16), int(end, 16) + 1, kind)
                 for start, end, kind in re.findall(r"([0-9a-f]{16})-([0-9a-f]{16}) \(prio -?\d+, (ram|rom)\): gr5526\.",
                                                    view)}
        rows = [line.split() for line in boards.lines_of(os.path.join(BOARD, "memory"))]
        said = {(int(start, 0), int(start, 0) + int(size, 0), kind) for _, start, size, kind in rows}
        report("memory of the board", "" if there == said else f"the machine has {sorted(there)}, not {sorted(said)}")
        refused = run(self.qemu, "-M", "gr5526", "-cpu", "cortex-m3", "-display", "none").stderr
        valid = re.findall(r"cortex-m\d+", refused.partition("valid models")[2])
        said = boards.Board(BOARD)["processors"].split()
        report("processors of the board", "" if valid == said and set(said) <= firmware_image.PROCESSORS.keys()
               else f"the machine has {valid}, not {said}")


def main():
    what, *rest = sys.argv[1:] or [""]
    if what == "files":
        with tempfile.TemporaryDirectory(prefix="a program's ") as folder:
            test_files(folder)
        test_monitor()
    elif what == "runs" and len(rest) == 2:
        qemu, folder = map(os.path.realpath, rest)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        programs = Programs(qemu, folder)
        for test in (programs.test_board, programs.test_template, programs.test_imxrt1170,
                     programs.test_programs, programs.test_log_file,
                     programs.test_lockup_by_hand, programs.test_signals):
            test()
    else:
        sys.exit(__doc__)
    print("{passed} passed, {failed} failed, 0 skipped".format(**counts))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
