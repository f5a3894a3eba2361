# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots a guest in QEMU and follows it until it ends. Results arrive over a virtio serial port if the board has one
(setting "results"), otherwise over the console.
"""

import base64
import binascii
import contextlib
import math
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time

from pixmill.console import ENDED_BY, Follower, Limits, is_worth_telling
from pixmill.failure import PASSING_WORDS, Failure, Status, about, writing
from pixmill.processes import die_with_parent, kept_terminal
from pixmill.qmp import Qmp, load_state
from pixmill.starvation import PROPORTION, Starvation


def qemu_version(qemu):
    """Returns the version that this QEMU prints; "" if it prints none."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run([qemu, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
        return said.partition("\n")[0].rpartition("version ")[2]
    return ""


def arguments(qemu, board, kernel, dtb, initrd, suites):
    """Returns QEMU's command line, without serial ports. `dtb` is None if the machine generates the device tree."""
    return [qemu, "-M", board["machine"], "-smp", board["cpus"], "-m", board["memory"],
            *shlex.split(board.get("options") or ""),
            "-display", "none", "-nic", "none", "-no-reboot", "-kernel", kernel, *(["-dtb", dtb] if dtb else []),
            "-initrd", initrd, "-append", f"{board['command-line']} pixmill.suite={suites}"]


UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def bytes_of(words):
    """Parses a size such as 64M; returns None if it is not one."""
    match = re.fullmatch(r"(\d+)([KMG]?)", words.upper())
    return match and int(match[1]) * UNITS[match[2]]


def memory_hint(command, board):
    """Returns a hint if "mem=" on the kernel command line excludes the initramfs, otherwise "". QEMU loads the
    initramfs at half of the memory on Arm, but at most at 128 MiB (hw/arm/boot.c), and at the end of memory on a PC
    (hw/i386/x86-common.c)."""
    with contextlib.suppress(ValueError, IndexError, OSError):
        said = re.findall(r"(?:^|\s)mem=(\d+[KkMmGg]?)(?=\s|$)", command[command.index("-append") + 1])
        initramfs = os.path.getsize(command[command.index("-initrd") + 1])
        memory = bytes_of(command[command.index("-m") + 1])
        end = memory if board.target == "i386" else min(memory // 2, 128 << 20) + initramfs
        if said and bytes_of(said[-1]) < end:
            return f"; mem={said[-1]} on the kernel command line excludes the initramfs, which ends at {-(-end // UNITS['M'])}M"
    return ""


def run_shell(command, board):
    """Connects the guest's console to this terminal until QEMU ends."""
    for use in board["serial"].split():
        command += ["-serial", "mon:stdio" if use == "console" else "null"]
    said = ""
    with kept_terminal(), subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=die_with_parent) as qemu:
        try:
            for line in qemu.stderr:
                if is_worth_telling(line):
                    sys.stderr.buffer.write(line)
                    sys.stderr.flush()
                    said = line.decode(errors="replace").strip()
            status = qemu.wait()
        finally:
            qemu.kill()
    if status:
        raise Failure(Status.HOST if status < 0 or PASSING_WORDS.search(said) else Status.USAGE, ended_how(status, said))
    return Status.PASSED


def ended_how(status, said):
    """Describes how QEMU ended, given its exit status (negative for a signal) and last output."""
    how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
    return f"QEMU {how}: {said or 'no output'}"


CHANNELS = ("qmp", "console", "results")


class Result:
    """The result of a run. Times are in seconds since the start of the run."""

    def __init__(self, look_for):
        self.start = time.monotonic()
        self.failure = ""  # why it failed; empty if the guest ended it properly
        self.kind = ""  # kind of failure: "boot", "full", "timeout", "starved", "host", "broken", "qemu" (it did not start)
        self.notes = []  # remarks that are not failures
        self.booted = False  # true if the console showed the first process
        self.last = ""  # the last line of the console
        self.seconds = 0.0  # duration
        self.archives = {}  # the guest's result files by suite: base64, at the end a tar.gz file
        self.ends = {}  # when the results of each suite ended
        self.look_for = look_for
        self.seen = []  # (text, when) for each time that the console printed one of look_for
        self.slowdowns = []  # (when, factor) for each time that the guest asked for the factor of its time limits
        self.starvation = None

    def fail(self, kind, why):
        """Records a failure. Only the first failure counts, since it causes the others."""
        if not self.failure:
            self.kind, self.failure = kind, why

    def now(self):
        return time.monotonic() - self.start

    def had_processor(self):
        """Returns the seconds so far in which QEMU did not wait for a processor."""
        now = time.monotonic()
        return now - self.start - self.starvation.between(self.start, now)

    def slowdown(self):
        """Returns how many times slower the run is than on a quiet host. The guest multiplies its time limits by
        this factor."""
        return min(PROPORTION, max(1, math.ceil(self.now() / max(self.had_processor(), 1e-3) - 0.25)))

    def waited_before(self, when, span):
        """Returns how long QEMU waited for a processor in the `span` seconds before `when`."""
        return self.starvation.between(self.start + when - span, self.start + when)

    def longest_wait(self, start, end, span):
        """Returns how long QEMU waited for a processor in the worst `span` seconds between two times."""
        return self.starvation.longest(self.start + start, self.start + end, span)


PATIENCE = 60  # seconds without output during boot; a zImage of Debian's prints its first line after 6 to 12


def run_suites(command, board, log_path, timeout, look_for, patience=PATIENCE, heard=None, save=None, restore=None, terminal=None,
               pipe=None):
    """Runs the guest until it resets the board, serving its requests to the host. Returns a Result.

    timeout   time limit, in seconds in which QEMU had a CPU
    look_for  texts; Result.seen gets the times at which the console prints one of them
    patience  time limit, in such seconds, for a guest that prints nothing during boot
    heard     called with each line of the console
    save      file to which the machine is saved when the guest asks for it ("snapshot point"), which ends the run
    restore   file saved in this way, from which the run continues
    terminal  two file descriptors, for the console's input and its unbuffered output
    pipe      a deterministic.Pipe for the console's output; the guest then gets no input, and all results over the console"""
    result = Result(look_for)
    near, far = zip(*(socket.socketpair() for _ in CHANNELS))
    if restore:
        command = command + ["-incoming", "defer"]
    for name, end in zip(CHANNELS, far):
        kind = pipe.option(name) if pipe and name == "console" else f"socket,id={name},fd={end.fileno()}"
        command = command + ["-chardev", kind]
    command += ["-mon", "chardev=qmp,mode=control"]
    for use in board["serial"].split():
        command += ["-serial", "chardev:console" if use == "console" else "null"]
    if board.get("results") and not pipe:
        command += ["-device", board["results"], "-device", "virtserialport,chardev=results"]
    qmp, console, results = near
    console = pipe or console
    said, says = socket.socketpair()
    with writing(log_path) as log:
        limits = Limits(timeout, min(patience, timeout), memory_hint(command, board))
        follower = Follower(result, log, limits, heard, save, terminal and terminal[1])
        qemu = None

        def connect():
            monitor = Qmp(qmp, min(limits.clock, LONGEST))
            if restore:
                load_state(monitor, restore)
                console.sendall(b"loaded\n")
                follower.booted = True
            return monitor

        try:
            with about(command[0]):
                qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=says, stderr=subprocess.STDOUT,
                                        preexec_fn=die_with_parent,
                                        pass_fds=[end.fileno() for end in far] + ([pipe.far] if pipe else []))
            result.starvation = Starvation(qemu.pid, result.start)
            for end in (*far, says, *([pipe] if pipe else [])):
                end.close()
            if terminal:
                threading.Thread(target=type_into, args=(console, terminal[0]), daemon=True).start()
            # The time to save a snapshot depends on the host's disk, so it has no limit; the wait ends when the run
            # ends.
            follower.follow(console, results, said, connect)
            if not follower.given_up:
                qemu.wait(timeout=10)
        except subprocess.TimeoutExpired:
            result.fail("broken", "QEMU did not end after the guest's reset")
        except (OSError, RuntimeError, ValueError) as error:
            if getattr(error, "filename", None):
                raise  # an error of the log or of starting QEMU, not of a channel
            result.fail(follower.kind_of_end(), f"QEMU ended early: {follower.last_of_qemu or error}")
        finally:
            if qemu:  # None if it could not be started
                if qemu.poll() is None:
                    follower.given_up = True
                    qemu.kill()
                qemu.wait()
            if result.starvation:
                result.starvation.stop()
    if ENDED_BY.search(follower.last_of_qemu):
        result.fail("host", f"QEMU was ended from outside: {follower.last_of_qemu}")
    elif qemu.returncode == -signal.SIGKILL and not follower.given_up:
        result.fail("host", "QEMU was killed: does the host have enough memory?")
    elif qemu.returncode not in (0, -signal.SIGKILL):
        result.fail(follower.kind_of_end(), ended_how(qemu.returncode, follower.last_of_qemu))
    if follower.spoken is None:
        result.fail("boot", "the guest reset the board without any output on the console: is this a kernel for this board, with "
                            "the right device tree?")
    result.booted, result.last = follower.booted, follower.last.decode(errors="replace")
    result.seconds = result.now()
    for suite, text in result.archives.items():
        try:
            result.archives[suite] = base64.b64decode(text, validate=True)
        except binascii.Error:
            result.archives[suite] = b""
            result.fail("broken", f"the results of {suite} arrived damaged from the guest")
    return result


def type_into(console, terminal):
    """Forwards the terminal's input to the console until either ends."""
    with contextlib.suppress(OSError):  # the guest may be gone
        while text := os.read(terminal, 4096):
            console.sendall(text)


LONGEST = 86400  # seconds; the timeout of a socket in a run without a limit
