# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests scripts/demo --firmware with programs that run: programs.c, most of which fail, and examples/gr5526 and imxrt1170, all
built with the Arm compiler. test_program_files.py tests programs that cannot run. """

import contextlib
import os
import pty
import re
import shutil
import signal
import socket
import struct
import subprocess
import time
import zlib

from pixmill import boards, firmware_image, picture
from pixmill.places import BOARDS, REPO
from pixmill.qmp import Qmp
from tests import setting
from tests.files import Test, ends, for_each, written
from tests.test_program_files import FRONT, MEMORY, run

HERE = os.path.dirname(os.path.realpath(__file__))
BOARD = os.path.join(BOARDS, "gr5526")
EXAMPLE = os.path.join(REPO, "examples", "gr5526")

FLAGS = ["-mthumb", "-ffreestanding", "-nostdlib", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{EXAMPLE}",
         "-T", os.path.join(EXAMPLE, "gr5526.ld"), os.path.join(EXAMPLE, "startup.c"), "-lgcc"]
M4_FLAGS = ["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
NO_PICTURE = "no picture: layer 0 of the display is off"
OF_NOWHERE = "memory: " + MEMORY

# Each row has a function of programs.c, more arguments, the exit status, words in the output, words not in the output,
# and True if the picture must be saved (None if that depends on timing).
PROGRAMS = [
    ("run_exit", [], 7, [NO_PICTURE, "the GPU has drawn nothing"], [], False),
    ("run_lockup", [], 69, ["locked up", "address: 0x60000010", OF_NOWHERE, "(in main)"], [], True),
    ("run_fault", [], 70, ["HardFault", "address: 0x60000020", OF_NOWHERE, "taken at PC", "(in main)",
                           "(in fault_handler)"], [], True),
    ("run_no_fpu", [], 70, ["HardFault", "the FPU is off", "CPACR (0xe000ed88)"], ["address:"], False),
    ("run_undefined", [], 70, ["HardFault", "an instruction that this processor does not implement"], [], False),
    ("run_vector_graphics", [], 0, ["nema-gfx: PVG_PT0_X = 0x41000000, a vertex in floating point: only cores with "
                                    "vector graphics draw it", "DRAW_CMD_NOHOLD = 0x00000006, a curve fan",
                                    NO_PICTURE], [], False),
    ("run_missing_blocks", [], 0, ["gr5526.PMU: unimplemented device write", "gr5526.GPIO0: unimplemented device read",
                                   "2 more lines of these kinds"], ["offset 0x14"], False),
    ("run_repeated", [], 0, ["1 more line equal to these", "2 more lines of these kinds, with other numbers"], [], True),
    ("run_unknown_format", [], 0, ["no picture: layer 0 of the display cannot be shown: format unknown, 8x4 pixels, 32 "
                                   "bytes from row to row, at 0x20080000"], [], False),
    ("run_endless", ["--timeout=2"], 124, ["did not end within 2 seconds", "asleep in WFI; no interrupt is pending",
                                           "now at PC 0x0020", "(in run_endless)"], ["cause:"], True),
    ("run_asleep", ["--timeout=2"], 124, ["asleep in WFI; interrupt 51 is pending, but not enabled in the NVIC (bit 19 of 0xe000e104)",
                                          "(in run_asleep)"], [], False),
    ("run_reset", [], 71, ["reset the machine", "-action reboot=reset"], [], True),
    ("run_reset", ["--timeout=2", "--qemu-options=-action reboot=reset"], 124, [], ["reset the machine"], None),
    ("run_exit", ["--qemu-options=-nonsense"], 68, ["-nonsense: invalid option", "QEMU did not start"], [], False),
    ("run_missing_blocks", ["--qemu-options=-d unimp -D 'all of it'"], 0, [], ["pixmill: gr5526.PMU"], False),
]


def heeds_interrupts():
    """Enables SIGINT in a child process, since shells, and therefore CI, make background jobs ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def shown_picture():
    """Returns the picture of show_picture() in programs.c."""
    return picture.Picture(8, 4, [16 * x << 16 | 32 * y << 8 | 7 for y in range(4) for x in range(8)])


def template_picture():
    """Returns the picture of main.c in examples/gr5526, whose colors have red in the lowest byte."""
    inside = [[40 <= x < 280 and 60 <= y < 180 for x in range(320)] for y in range(240)]
    return picture.Picture(320, 240, [0xFF8020 if pixel else 0x102040 for row in inside for pixel in row])


def read_png(path):
    """Reads a PNG written by picture.py."""
    with open(path, "rb") as file:
        data = file.read()
    width, height = struct.unpack_from(">II", data, 16)
    size, = struct.unpack_from(">I", data, 33)
    rows = zlib.decompress(data[41:41 + size])
    return picture.Picture(width, height, [int.from_bytes(rows[at:at + 3], "big") for y in range(height)
                                           for at in range(y * (3 * width + 1) + 1, (y + 1) * (3 * width + 1), 3)])


class ProgramTest(Test):
    """Base class of tests that run a program."""

    def setUp(self):
        super().setUp()
        self.qemu = setting.needed("QEMU")
        self.screens = self.path("screens, and more")  # a comma separates parts of a QEMU option

    def front(self, program, *arguments):
        return [*FRONT, "--qemu", self.qemu, "--out", self.screens, "--firmware", program, *arguments]

    def compiled(self, name, *words):
        path = self.path(name)
        subprocess.run(["arm-none-eabi-gcc", *words, "-o", path], check=True)
        return path

    def built(self, case):
        return self.compiled(f"{case}.elf", *M4_FLAGS, f"-DCASE={case}", os.path.join(HERE, "programs.c"), *FLAGS)

    def shows(self, wanted):
        """Checks the last screen; if `wanted` is None, checks that there is none."""
        path = os.path.join(self.screens, "screen-last.png")
        if wanted is None:
            assert not os.path.exists(path), "it saved a picture, but drew none"
            return
        assert os.path.exists(path), "it saved no picture"
        difference = read_png(path).first_difference(wanted)
        assert not difference, difference


@for_each((" ".join([case, *arguments]), case, arguments, *row) for case, arguments, *row in PROGRAMS)
class ProgramsTest(ProgramTest):
    def check(self, case, arguments, status, words, without, drawn):
        for stale in ("screen-last.png", "screen-007.png"):
            written(os.path.join(self.screens, stale), "of an earlier run")
        ends(run(*self.front(self.built(case), *arguments), cwd=self.out), status, *words, without=["Traceback", *without])
        if drawn is not None:
            self.shows(shown_picture() if drawn else None)
        assert not os.path.exists(os.path.join(self.screens, "screen-007.png")), "a picture of an earlier run is left"

    def test_a_log_file_has_its_name(self):
        run(*self.front(self.built("run_missing_blocks"), "--qemu-options=-d unimp -D 'all of it'"), cwd=self.out)
        with open(self.path("all of it"), encoding="utf-8") as file:
            lines = file.read().count("gr5526.PMU: unimplemented device write")
        assert lines == 3, f"{lines} lines of three accesses"

    def test_a_message_begins_a_line(self):
        """Sends both streams to the same file, as on a terminal."""
        done = subprocess.run(self.front(self.built("run_repeated")), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120, check=True)
        assert "done\npixmill: " in done.stdout and "\n\n" not in done.stdout, done.stdout

    def test_a_message_of_qemu_begins_a_line(self):
        """Without -D, QEMU prints its log on stderr."""
        done = subprocess.run(self.front(self.built("run_flood"), "--qemu-options=-d unimp"), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=True)
        lines = [line for line in done.stdout.splitlines() if "gr5526.PMU" in line]
        assert len(lines) == 3000, len(lines)
        self.assertEqual([line for line in lines if not line.startswith("gr5526.PMU")], [])

    def test_a_reader_may_leave(self):
        """The program runs to its end after its output has lost its reader, as after `| head -1`; so does QEMU if the
        messages have lost theirs, too."""
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer) as stdout:
            done = subprocess.run(self.front(self.built("run_flood")), stdin=subprocess.DEVNULL, stdout=stdout,
                                  stderr=subprocess.PIPE, text=True, timeout=120, check=False)
            done.stdout = ""
            ends(done, 0, "2999 more lines of these kinds", without=["BrokenPipe"])
            subprocess.run(self.front(self.built("run_flood")), stdin=subprocess.DEVNULL, stdout=stdout, stderr=stdout,
                           timeout=120, check=False)

    def test_a_slow_terminal_shows_all(self):
        """On a terminal, all three streams are one open file, which QEMU must not make non-blocking for the others."""
        master, slave = pty.openpty()
        with subprocess.Popen(self.front(self.built("run_flood")), stdin=slave, stdout=slave, stderr=slave,
                              start_new_session=True) as front:
            os.close(slave)
            shown = b""
            with contextlib.suppress(OSError):  # EIO at the end
                while data := os.read(master, 1024):
                    shown += data
                    time.sleep(0.01)
            os.close(master)
        # A message may interrupt a line, which then goes on after it.
        text = re.sub(rb"^(pixmill: |qemu-system-arm: |  ).*\r\n", b"", shown, flags=re.M).replace(b"\r\n", b"")
        self.assertEqual((front.returncode, len(text) // 31), (0, 3000))
        self.assertEqual(text, b"0123456789012345678901234567890" * 3000)

    def test_a_lockup_by_hand(self):
        """QEMU alone must also report where a lockup happened, and must not abort."""
        done = run(self.qemu, "-M", "gr5526", "-display", "none", "-kernel", self.built("run_lockup"), "-global",
                   "gr5526-display.save-at-exit=/nonexistent/picture.ppm")
        ends(done, 1, "Lockup: ", "(PC 0x0020", "no picture: '/nonexistent")


@for_each([("SIGTERM", signal.SIGTERM, 143), ("SIGINT", signal.SIGINT, 130)])
class SignalsTest(ProgramTest):
    """Ctrl-C signals the whole process group, and kill(1) a single process. Both must end QEMU."""

    def check(self, number, status):
        with subprocess.Popen(self.front(self.built("run_endless")), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                              preexec_fn=heeds_interrupts) as front:
            line = front.stdout.readline()
            if number == signal.SIGINT:
                os.killpg(front.pid, number)
            else:
                front.send_signal(number)
            front.communicate(timeout=60)
        assert (line, front.returncode) == ("ready\n", status), f"{line!r}, status {front.returncode}"
        with self.assertRaises(ProcessLookupError, msg="QEMU still runs"):
            os.killpg(front.pid, 0)
        self.shows(shown_picture())


PROCESSORS = (("cortex-m7", "fpv5-d16"), ("cortex-m33", "fpv5-sp-d16"), ("cortex-m55", "auto"))


class TemplateTest(ProgramTest):
    """Tests of examples/gr5526."""

    def draws(self, program, *arguments):
        ends(run(*self.front(program, *arguments)), 0, "hello from the GR5526\n", without=["Traceback", "no picture", "nema-gfx"])
        self.shows(template_picture())

    def built_for(self, processor, unit):
        return self.compiled("hello.elf", f"-mcpu={processor}", "-mfloat-abi=hard", f"-mfpu={unit}",
                             os.path.join(EXAMPLE, "main.c"), *FLAGS)


class TemplateAsItsReadmeSaysTest(TemplateTest):
    def test_template_as_its_readme_says(self):
        """Builds a copy of the example with the command in its README."""
        copy = self.path("my program")
        shutil.copytree(EXAMPLE, copy)
        with open(os.path.join(EXAMPLE, "README.md"), encoding="utf-8") as file:
            command = re.search(r"^arm-none-eabi-gcc (.*?-o hello\.elf)$", file.read(), re.S | re.M)[0]
        subprocess.run(command, shell=True, check=True, cwd=copy)
        self.draws(os.path.join(copy, "hello.elf"))


@for_each((f"template for a {processor}", processor, unit) for processor, unit in PROCESSORS)
class TemplateForOthersTest(TemplateTest):
    def check(self, processor, unit):
        self.draws(self.built_for(processor, unit), "--cpu", processor)


@for_each((f"for a {processor}, on a cortex-m4", processor, unit) for processor, unit in PROCESSORS)
class TemplateOnTheWrongProcessorTest(TemplateTest):
    def check(self, processor, unit):
        ends(run(*self.front(self.built_for(processor, unit))), 67, f"--cpu {processor}")


class Imxrt1170Test(ProgramTest):
    """Tests of examples/imxrt1170, which shows the same picture."""

    def setUp(self):
        super().setUp()
        folder = os.path.join(REPO, "examples", "imxrt1170")
        self.program = self.compiled("imxrt1170.elf", "-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-d16", "-mthumb",
                                     "-ffreestanding", "-nostdlib", "-O2", "-Wall", "-Wextra", "-Werror", "-T",
                                     os.path.join(folder, "imxrt1170.ld"), os.path.join(folder, "startup.c"),
                                     os.path.join(folder, "main.c"), "-lgcc")

    def test_imxrt1170(self):
        ends(run(*self.front(self.program, "--board", "imxrt1170"), cwd=self.out), 0, "hello from the i.MX RT1170",
             without=["Traceback", "no picture"])
        self.shows(template_picture())

    def test_imxrt1170_on_another_processor(self):
        ends(run(*self.front(self.program, "--board", "imxrt1170", "--cpu", "cortex-m4")), 2,
             "imxrt1170 has no processor cortex-m4", "available: cortex-m7")


# Each row has a board, a processor and its FPU, more arguments, and the output of caches.c. The registers are those of tables 3-1
# and 3-7 of the Cortex-M7's TRM; bit 9 of CCR is STKALIGN, bit 18 BP, and bit 0 is one in Armv8-M.
CACHES = [
    ("imxrt1170", "cortex-m7", "fpv5-d16", [],
     "CCR 00040200,CLIDR 09000003,CTR 8303c003,instructions f03fe009,data f01fe019,cleaned 00000000,invalidated 00000400,"
     "CCR 00070200,cleaned 0000000e,flushed 00000400,CCR 00040200"),
    ("gr5526", "cortex-m7", "fpv5-d16", ["--caches=16K"],
     "CCR 00040200,CLIDR 09000003,CTR 8303c003,instructions f01fe009,data f00fe019,cleaned 00000000,invalidated 00000200,"
     "CCR 00070200,cleaned 0000000e,flushed 00000200,CCR 00040200"),
    ("gr5526", "cortex-m7", "fpv5-d16", ["--caches=0"],
     "CCR 00040200,CLIDR 00000000,CTR 8303c003,instructions 00000000,data 00000000,cleaned 00000000,invalidated 00000001,"
     "CCR 00040200,cleaned 00000000,flushed 00000001,CCR 00040200"),
    ("gr5526", "cortex-m55", "auto", [],
     "CCR 00000201,CLIDR 09200003,CTR 8303c003,instructions f03fe009,data f01fe019,cleaned 00000000,invalidated 00000400,"
     "CCR 00030201,cleaned 0000000e,flushed 00000400,CCR 00000201"),
    ("gr5526", "cortex-m4", "fpv4-sp-d16", [],
     "CCR 00000200,CLIDR 00000000,CTR 00000000,instructions 00000000,data 00000000,cleaned 00000000,invalidated 00000001,"
     "CCR 00000200,cleaned 00000000,flushed 00000001,CCR 00000200"),
]


@for_each((" ".join([board, processor, *arguments]), board, processor, unit, arguments, output)
          for board, processor, unit, arguments, output in CACHES)
class CachesTest(ProgramTest):
    def check(self, board, processor, unit, arguments, output):
        folder = os.path.join(REPO, "examples", board)
        program = self.compiled("caches.elf", f"-mcpu={processor}", "-mfloat-abi=hard", f"-mfpu={unit}", "-mthumb", "-ffreestanding",
                                "-nostdlib", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{folder}", "-include", f"{board}.h", "-T",
                                os.path.join(folder, f"{board}.ld"), os.path.join(folder, "startup.c"), os.path.join(HERE, "caches.c"),
                                "-lgcc")
        ends(run(*self.front(program, "--board", board, "--cpu", processor, *arguments)), 0, output.replace(",", "\n") + "\n",
             without=["Traceback", "NVIC: "])


@for_each([("gr5526", "gr5526", ["-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16"]), ("imxrt1170", "imxrt1170", ["-mcpu=cortex-m7", "-mfpu=fpv5-d16"])])
class CLibraryTest(ProgramTest):
    """Tests programs that use newlib, with the flags in the examples' READMEs."""
    SOURCE = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char* text = malloc(100);
    strcpy(text, "of the heap");
    printf("%s: %d %.3f\\n", text, 42, 2.5);
    exit(9);
}
"""

    def check(self, board, processor):
        folder = os.path.join(REPO, "examples", board)
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
            flags = re.search(r"add\n`(-nostartfiles[^`]+)`", file.read())[1].split()
        program = self.compiled("library.elf", *processor, "-mthumb", "-mfloat-abi=hard", "-O2", "-Wall", "-Wextra", "-Werror", *flags, "-T",
                                os.path.join(folder, f"{board}.ld"), f"-I{folder}", os.path.join(folder, "startup.c"),
                                written(self.path("main.c"), self.SOURCE))
        ends(run(*self.front(program, "--board", board)), 9, "of the heap: 42 2.500\n", without=["Traceback"])


class BoardTest(ProgramTest):
    """Compares the board's settings with QEMU's machine."""

    def monitor(self, command):
        near, far = socket.socketpair()
        with subprocess.Popen([self.qemu, "-M", "gr5526", "-S", "-display", "none", "-serial", "null", "-chardev",
                               f"socket,id=qmp,fd={far.fileno()}", "-mon", "chardev=qmp,mode=control"],
                              pass_fds=[far.fileno()]) as qemu, near:
            far.close()
            try:
                return Qmp(near).command("human-monitor-command", **{"command-line": command})
            finally:
                qemu.kill()

    def test_memory_of_the_board(self):
        text = self.monitor("info mtree -f")
        view = text[text.index("cpu-memory"):] if "cpu-memory" in text else text
        there = {(int(start, 16), int(end, 16) + 1, kind)
                 for start, end, kind in re.findall(r"([0-9a-f]{16})-([0-9a-f]{16}) \(prio -?\d+, (ram|rom)\): gr5526\.",
                                                    view)}
        rows = [line.split() for line in boards.lines_of(os.path.join(BOARD, "memory"))]
        said = {(int(start, 0), int(start, 0) + int(size, 0), kind) for _, start, size, kind in rows}
        assert there == said, f"the machine has {sorted(there)}, not {sorted(said)}"

    def test_processors_of_the_board(self):
        refused = run(self.qemu, "-M", "gr5526", "-cpu", "cortex-m3", "-display", "none").stderr
        valid = re.findall(r"cortex-m\d+", refused.partition("valid models")[2])
        said = boards.Board(BOARD)["processors"].split()
        assert valid == said and set(said) <= firmware_image.PROCESSORS.keys(), f"the machine has {valid}, not {said}"
