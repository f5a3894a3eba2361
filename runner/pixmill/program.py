# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the user's program on a board that runs firmware: scripts/demo --firmware.

The program's first UART goes to stdout; its semihosting exit sets the exit status. Failures to run have separate statuses
(firmware_image.Status). The ELF file is checked before QEMU starts (--check); a lockup or a fault handler that does not return is
detected while it runs. QEMU's log messages about the guest are printed, each kind once. The screen is saved as
OUT/screen-000.png and so on, once a second, and at the end as OUT/screen-last.png.
"""

import argparse
import contextlib
import glob
import math
import os
import re
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from pixmill import boards, cache_report, firmware_image, picture
from pixmill.firmware_image import Refusal, Status
from pixmill.places import BOARDS
from pixmill.processes import die_with_parent, kept_terminal
from pixmill.qmp import Qmp

VNC = "vnc=localhost:0"


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", default="gr5526", help="run on this board (default: gr5526)")
    parser.add_argument("--firmware", required=True, help="run this ELF file")
    parser.add_argument("--cpu", help="emulate this CPU (default: the board's own)")
    parser.add_argument("--caches", help="make each cache of the CPU this large; 0: the CPU has none (default: 32K)")
    parser.add_argument("--check-cache", nargs="?", const="report", metavar="MODE", help="check the program's cache maintenance: report, or act")
    parser.add_argument("--cache-suppressions", metavar="FILE", help="leave out the cache reports that this file names")
    parser.add_argument("--cache-rules", metavar="RULE,...", default="", help=f"also report {' and '.join(cache_report.QUIET)}")
    parser.add_argument("--qemu-options", default="", help="pass more options to QEMU, quoted as in a shell")
    parser.add_argument("--check", action="store_true", help="only check the file")
    parser.add_argument("--qemu", help="use this QEMU")
    parser.add_argument("--out", help="write pictures to this folder")
    parser.add_argument("--frames", type=int, default=1, help="save this many screens, one per second (default: 1)")
    parser.add_argument("--display", action="store_true", help="serve the screen to VNC viewers at localhost:5900")
    parser.add_argument("--timeout", type=float, default=math.inf, help="end the run after this many seconds")
    args = parser.parse_args()
    if not args.check and not (args.qemu and args.out):
        parser.error("a run needs --qemu and --out")
    return args


def say(*lines):
    with Output.between_lines():
        for indent, line in zip(["pixmill: "] + ["  "] * len(lines), lines):
            print(indent + line, file=sys.stderr, flush=True)


# ---- The program's output --------------------------------------------------------------------


class Output(threading.Thread):
    """Passes the program's output on to stdout, QEMU's stderr to ours, and QEMU's log to `log`, in the order in which QEMU
    wrote them. Messages on stderr never continue an incomplete line of the program."""

    follows = None  # the only instance, while a program runs

    def __init__(self, log):
        super().__init__(daemon=True)
        self.end, self.writer = os.pipe()
        self.errors_end, self.errors_writer = os.pipe()
        self.lock, self.last = threading.Lock(), b"\n"
        # A stream that is read later is complete up to all that was read before, so the last one is passed on first.
        self.takers = {self.errors_end: self.complain, self.end: self.write, log.end: log.take}
        Output.follows = self

    def run(self):
        for end in self.takers:
            os.set_blocking(end, False)
        while self.takers:
            select.select(list(self.takers), [], [])
            for end, data in reversed([(end, self.read(end)) for end in self.takers]):
                if data:
                    with contextlib.suppress(OSError):  # without a reader, as after `| head -1`, QEMU runs on
                        self.takers[end](data)
                elif data is not None:
                    del self.takers[end]

    @staticmethod
    def read(end):
        """Reads as much as a pipe can contain. Returns None if there is nothing, b"" at the end."""
        with contextlib.suppress(BlockingIOError):
            return os.read(end, 1 << 16)
        return None

    def write(self, data):
        with self.lock:
            self.last = data[-1:]
            self.write_all(1, data)

    def complain(self, data):
        with self.between_lines():
            self.write_all(2, data)

    @staticmethod
    def write_all(end, data):
        while data:
            try:
                data = data[os.write(end, data):]
            except BlockingIOError:
                select.select([], [end], [])

    @classmethod
    @contextlib.contextmanager
    def between_lines(cls):
        """Holds the program's output back and ends its incomplete line, if stdout and stderr are the same file."""
        output = cls.follows
        if not output or not os.path.sameopenfile(1, 2):
            yield
            return
        with output.lock:
            print("" if output.last == b"\n" else "\n", end="", file=sys.stderr, flush=True)
            output.last = b"\n"
            yield


# ---- Before QEMU -----------------------------------------------------------------------------


def check_caches(args, processors):
    if args.caches in (None, "0"):
        return
    if not firmware_image.PROCESSORS[args.cpu].caches:
        able = [name for name in processors if firmware_image.PROCESSORS[name].caches]
        raise Refusal(Status.USAGE, f"a {args.cpu} has no caches", f"leave out --caches, or add --cpu {able[0]}")
    if args.caches not in firmware_image.CACHE_SIZES:
        raise Refusal(Status.USAGE, f"a cache of a {args.cpu} cannot have the size {args.caches}",
                      f"available: {' '.join(firmware_image.CACHE_SIZES)}")


def check_cache_check(args):
    """Checks the options of the cache checker, and reads the suppressions."""
    args.suppressions = []
    if args.check_cache is None:
        for option in ("cache_suppressions", "cache_rules"):
            if getattr(args, option):
                raise Refusal(Status.USAGE, f"--{option.replace('_', '-')} needs --check-cache")
        return
    if args.check_cache not in cache_report.MODES:
        raise Refusal(Status.USAGE, f"--check-cache has no mode {args.check_cache}", f"available: {' '.join(cache_report.MODES)}")
    if not firmware_image.PROCESSORS[args.cpu].checked:
        raise Refusal(Status.USAGE, f"--check-cache checks a cortex-m7, not a {args.cpu}", "add --cpu cortex-m7, or name another board")
    for rule in filter(None, args.cache_rules.split(",")):
        if rule not in cache_report.QUIET:
            raise Refusal(Status.USAGE, f"--cache-rules has no rule {rule}", f"available: {' '.join(cache_report.QUIET)}")
    if args.cache_suppressions:
        args.suppressions = cache_report.read_suppressions(args.cache_suppressions)


def machine_of(args):
    """Returns the value of QEMU's option -M. A comma in a file's name is written twice."""
    checks = f",cache-check={args.check_cache},cache-check-file={file_of(args).replace(',', ',,')}" if args.check_cache else ""
    return args.board + (f",dcache-size={args.caches},icache-size={args.caches}" if args.caches else "") + checks


def file_of(args):
    """Returns the file for what the cache checker has found."""
    return os.path.join(os.path.realpath(args.out), cache_report.NAMES[0])


def check(args, board, memory):
    """Returns the checked program, and the user's options for QEMU."""
    processors = board["processors"].split()
    args.cpu = args.cpu or processors[0]
    if args.cpu not in processors:
        raise Refusal(Status.USAGE, f"{args.board} has no processor {args.cpu}", f"available: {' '.join(processors)}")
    check_caches(args, processors)
    check_cache_check(args)
    try:
        more = shlex.split(args.qemu_options)
    except ValueError as error:
        raise Refusal(Status.USAGE, f"--qemu-options {args.qemu_options}: {error}",
                      "quote as in a shell") from error
    try:
        named = re.search(r"\bvector-table=(\w+)", args.qemu_options)
        vectors = int(named[1], 0) if named else None
    except ValueError as error:
        raise Refusal(Status.USAGE, f"vector-table: {error}", "name an address, such as 0x00202000") from error
    try:
        return firmware_image.check(args.firmware, memory, processors, args.cpu, vectors), more
    except OSError as error:
        raise Refusal(Status.USAGE, str(error), "name the ELF file of a program") from error


# ---- QEMU's log ------------------------------------------------------------------------------


class Log:
    """Prints the first log line of each kind. At the end, prints how many other lines were equal to one of these,
    and how many differed only in numbers."""

    KINDS = 64
    OURS = "Guest crashed"  # Watch prints more about it
    NUMBER = re.compile(r"\b(0x[0-9a-fA-F]+|\d+)\b")

    def __init__(self):
        self.end, self.writer = os.pipe()
        self.rest = b""  # an incomplete line
        self.firsts = {}  # the first line by kind
        self.equal = self.others = 0  # the numbers of further lines

    def options(self, more):
        """Returns QEMU's options for the log; none if the user's options already configure a log."""
        if "-d" in more:
            return []
        return ["-d", "guest_errors,unimp"] + ([] if "-D" in more else ["-D", f"/dev/fd/{self.writer}"])

    def take(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.take_line(line.decode(errors="replace").strip())

    def take_line(self, line):
        kind = self.NUMBER.sub("#", line)
        if kind in self.firsts:
            self.equal += line == self.firsts[kind]
            self.others += line != self.firsts[kind]
        elif line and line != self.OURS and len(self.firsts) < self.KINDS:
            self.firsts[kind] = line
            say(line)
            if len(self.firsts) == self.KINDS:
                say("further lines of QEMU's log are not shown", "the whole log: --qemu-options '-D FILE'")

    def finish(self):
        self.take(b"\n" if self.rest else b"")
        for count, what in ((self.equal, "equal to these"), (self.others, "of these kinds, with other numbers")):
            if count:
                say(f"{count} more {'line' if count == 1 else 'lines'} {what}; all: --qemu-options '-D FILE'")


# ---- The processor ---------------------------------------------------------------------------

FAULTS = {3: "HardFault", 4: "MemManage", 5: "BusFault", 6: "UsageFault", 7: "SecureFault"}
CFSR, BFAR, MMFAR = 0xE000ED28, 0xE000ED38, 0xE000ED34
MMFAR_VALID, BFAR_VALID = 1 << 7, 1 << 15
EXC_RETURN = 0xFFFFFF00
NVIC_ISER, NVIC_ISPR, NVIC_WORDS = 0xE000E100, 0xE000E200, 8  # B3.4: a bit for each of interrupts 0 to 239
WFI = 0xBF30
# Bits of CFSR (Armv7-M Architecture Reference Manual, B3.2.15).
CAUSES = {
    0: "an instruction fetch from memory that is not executable",
    1: "an access that the MPU forbids",
    3: "a stack that the MPU forbids, on return from an exception",
    4: "a stack that the MPU forbids, on entry to an exception",
    8: "an instruction fetch from an address without memory",
    9: "an access to an unmapped address",
    10: "an access to an unmapped address",
    11: "the stack is not in memory, on return from an exception",
    12: "the stack is not in memory, on entry to an exception",
    16: "an instruction that this processor does not implement",
    17: "a jump to an even address: Thumb functions have odd ones",
    18: "an invalid return from an exception",
    19: "a floating-point instruction while the FPU is off: set CP10 and CP11 of CPACR (0xe000ed88) first",
    24: "an unaligned access",
    25: "a division by zero",
}


class Processor:
    """The CPU's state, read through QEMU's monitor."""

    def __init__(self, qmp):
        self.qmp = qmp
        text = qmp.command("human-monitor-command", **{"command-line": "info registers"})
        self.registers = {name: int(value, 16) for name, value in re.findall(r"\b(R\d\d|XPSR)=([0-9a-f]{8})", text)}
        self.exception = self.registers.get("XPSR", 0) & 0x1FF

    def words(self, address, count):
        """Reads words of guest memory; returns [] if there is no memory at the address."""
        text = self.qmp.command("human-monitor-command", **{"command-line": f"x /{count}wx 0x{address:x}"})
        words = [int(word, 16) for line in text.splitlines()
                 for word in re.findall(r"0x([0-9a-f]{8})", line.partition(":")[2])]
        return words if len(words) == count else []

    def sleep(self):
        """If the processor waits in WFI, returns a line that lists the interrupts that are pending but cannot wake
        it, because they are not enabled."""
        at = self.registers["R15"] - 2
        words = self.words(at & ~3, 1)
        if not words or words[0] >> 8 * (at & 2) & 0xFFFF != WFI:
            return []
        pending = [number for number, (set_pending, enabled) in enumerate(zip(self.bits(NVIC_ISPR), self.bits(NVIC_ISER)))
                   if set_pending and not enabled]
        return ["asleep in WFI; " + ("; ".join(f"interrupt {number} is pending, but not enabled in the NVIC (bit {number % 32} of "
                                               f"0x{NVIC_ISER + number // 32 * 4:x})" for number in pending) or "no interrupt is pending")]

    def bits(self, address):
        return [word >> bit & 1 for word in self.words(address, NVIC_WORDS) for bit in range(32)]

    def describe(self, program, memory):
        """Returns lines that describe the cause of a fault, what the processor waits for, and where it is."""
        lines = self.sleep()
        for status in self.words(CFSR, 1):
            lines += [f"cause: {text}" for bit, text in CAUSES.items() if status >> bit & 1]
            for valid, register in ((BFAR_VALID, BFAR), (MMFAR_VALID, MMFAR)):
                if status & valid:
                    lines += [f"address: 0x{word:08x}; memory: {memory}" for word in self.words(register, 1)]
        lines.append("now at PC " + program.place(self.registers["R15"])
                     + f", SP 0x{self.registers['R13']:08x}, LR 0x{self.registers['R14']:08x}")
        # While LR still has the EXC_RETURN value, SP points to the exception's stack frame, which contains the PC.
        if self.exception and self.registers["R14"] >= EXC_RETURN:
            frame = self.words(self.registers["R13"], 8)
            if frame and memory.holds(frame[6], frame[6] + 2):
                lines.insert(-1, "the exception was taken at PC " + program.place(frame[6]))
        return lines


class Watch:
    """Monitors the machine while it runs."""

    PERIOD = 0.5
    PATIENCE = 4  # a fault handler that runs for this many periods is assumed not to return

    def __init__(self, qmp, program, memory):
        self.qmp, self.program, self.memory = qmp, program, memory
        self.stuck = 0

    def describe(self):
        with contextlib.suppress(OSError, ValueError, RuntimeError, KeyError):
            return Processor(self.qmp).describe(self.program, self.memory)
        return []

    def look(self):
        status = self.qmp.command("query-status")
        if status["status"] == "guest-panicked":
            raise Refusal(Status.LOCKUP, "the processor locked up: it cannot handle a fault",
                          *Processor(self.qmp).describe(self.program, self.memory))
        processor = Processor(self.qmp)
        self.stuck = self.stuck + 1 if status["running"] and processor.exception in FAULTS else 0
        if self.stuck >= self.PATIENCE:
            raise Refusal(Status.FAULT, f"the program took a {FAULTS[processor.exception]}, and its handler does "
                          "not return", *processor.describe(self.program, self.memory))


# ---- A run -----------------------------------------------------------------------------------


def to_png(ppm, path):
    """Converts a PPM to PNG if it exists, and prints the file's name."""
    with contextlib.suppress(FileNotFoundError):
        with open(ppm, "rb") as file:
            picture.write_png(picture.read_ppm(file.read()), path)
        say(path)


def own_terminal():
    """Opens the terminal on stdin, if it is one. QEMU makes its stdin non-blocking, and with it a stdout and a stderr that
    share the open file, as in a shell."""
    with contextlib.suppress(OSError):
        return os.open(os.ttyname(0), os.O_RDWR | os.O_NOCTTY)
    return None


class Run:
    """A QEMU process that runs the program."""

    def __init__(self, args, display, more, folder):
        self.args, self.folder, self.log = args, folder, Log()
        self.output = Output(self.log)
        self.last = os.path.join(folder, "last.ppm")
        self.halted = "-S" in more
        near, far = socket.socketpair()
        command = [os.path.realpath(args.qemu), "-M", machine_of(args), "-cpu", args.cpu,
                   "-display", VNC if args.display else "none", "-monitor", "none", "-no-reboot",
                   "-kernel", os.path.realpath(args.firmware), "-semihosting-config",
                   "enable=on,target=native,arg=firmware", "-action", "panic=pause", "-S",
                   "-global", f"{display}.save-at-exit={self.last}", "-serial", "stdio",
                   "-chardev", f"socket,id=qmp,fd={far.fileno()}", "-mon", "chardev=qmp,mode=control",
                   *self.log.options(more), *more]
        terminal = own_terminal()
        self.qemu = subprocess.Popen(command, stdin=terminal, stdout=self.output.writer, stderr=self.output.errors_writer,
                                     pass_fds=[far.fileno(), self.log.writer], preexec_fn=die_with_parent)
        if terminal is not None:
            os.close(terminal)
        far.close()
        os.close(self.log.writer)
        os.close(self.output.writer)
        os.close(self.output.errors_writer)
        self.output.start()
        self.connection = near

    def start(self):
        try:
            qmp = Qmp(self.connection)
        except (OSError, ValueError, RuntimeError) as error:
            raise Refusal(Status.QEMU, "QEMU did not start the program",
                          "QEMU's message above says why; are --qemu-options right?") from error
        if not self.halted:
            with contextlib.suppress(OSError, ValueError):  # a short program may end before the answer
                qmp.command("cont")
        return qmp

    def follow(self, watch):
        """Monitors QEMU until it ends, and returns its status."""
        start, frames = time.monotonic(), 0
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                left = max(0, start + self.args.timeout - time.monotonic())
                return self.ended(self.qemu.wait(min(Watch.PERIOD, left)), watch.qmp)
            if time.monotonic() >= start + self.args.timeout:
                raise Refusal(Status.TIMEOUT, f"the program did not end within {self.args.timeout:g} seconds",
                              *watch.describe())
            # QEMU may have ended meanwhile, or may be too busy to answer. Try again in the next period.
            with contextlib.suppress(OSError, ValueError, RuntimeError, KeyError):
                watch.look()
                if frames < self.args.frames and time.monotonic() >= start + frames + 1:
                    frames += 1
                    self.save_screen(watch.qmp, f"screen-{frames - 1:03}")

    def ended(self, status, qmp):
        self.output.join()  # a reader may be slow: a pager waits for its user
        if status < 0:
            raise Refusal(Status.QEMU, f"QEMU was ended by signal {-status} ({signal.Signals(-status).name})")
        if any(event.get("data", {}).get("reason") == "guest-reset" for event in qmp.last_events()):
            raise Refusal(Status.RESET, "the program reset the machine, by SYSRESETREQ or by the watchdog",
                          "to let it restart: --qemu-options '-action reboot=reset'")
        return status

    def save_screen(self, qmp, name):
        """Saves the screen, if the program has shown anything yet."""
        ppm = os.path.join(self.folder, f"{name}.ppm")
        qmp.command("qom-set", path="/machine/display", property="save", value=ppm)
        to_png(ppm, os.path.join(self.args.out, f"{name}.png"))

    def end(self):
        """Ends QEMU, by force if it takes too long; then prints the rest of its output and saves the last screen."""
        for ask in (self.quit, self.qemu.terminate, self.qemu.kill):
            ask()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.qemu.wait(3)
                break
        self.output.join(1)
        self.log.finish()
        to_png(self.last, os.path.join(self.args.out, "screen-last.png"))

    def quit(self):
        """Sends the command without waiting for an answer: the monitor may be busy with another command."""
        with contextlib.suppress(OSError):
            self.connection.sendall(b'{"execute": "quit"}\n')


def remove_pictures(folder):
    for path in glob.glob(os.path.join(glob.escape(folder), "screen-*.png")):
        os.unlink(path)


def run(args, board, program, more, memory):
    os.makedirs(args.out, exist_ok=True)
    remove_pictures(args.out)
    cache_report.remove(args.out)
    with kept_terminal(), tempfile.TemporaryDirectory() as folder:
        session = Run(args, board["display"], more, folder)
        ended = found = None
        try:
            ended = session.follow(Watch(session.start(), program, memory))
        finally:
            session.end()
            if args.check_cache and (ended is not None or os.path.exists(file_of(args))):
                found = report_cache(args, program)
    return ended or found or 0


def report_cache(args, program):
    """Writes the cache report, also of a program that did not end by itself. Returns the exit status that it asks for."""
    lines, found = cache_report.write(args.out, program, args.suppressions, args.cache_rules.split(","))
    say(*lines)
    return found


def main():
    args = options()
    folder = os.path.join(BOARDS, args.board)
    memory = firmware_image.MemoryMap(boards.lines_of(os.path.join(folder, "memory")))
    try:
        board = boards.Board(folder)
        program, more = check(args, board, memory)
        return 0 if args.check else run(args, board, program, more, memory)
    except Refusal as refusal:
        say(*refusal.lines)
        return refusal.status
