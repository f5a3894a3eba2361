# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots a guest in QEMU, and follows it to its end. Results come over the console, a character at a time, or over a virtio
serial port where the board has a transport for one ("results" of its settings).
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
    """What it says of itself."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run([qemu, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
        return said.partition("\n")[0].rpartition("version ")[2]
    return ""


def arguments(qemu, board, kernel, dtb, initrd, suites):
    """QEMU's command line without its serial ports. The machine may generate the device tree: dtb is None."""
    return [qemu, "-M", board["machine"], "-smp", board["cpus"], "-m", board["memory"],
            *shlex.split(board.get("options") or ""),
            "-display", "none", "-nic", "none", "-no-reboot", "-kernel", kernel, *(["-dtb", dtb] if dtb else []),
            "-initrd", initrd, "-append", f"{board['command-line']} pixmill.suite={suites}"]


UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def bytes_of(words):
    """Of a size such as 64M; None if it is none."""
    match = re.fullmatch(r"(\d+)([KMG]?)", words.upper())
    return match and int(match[1]) * UNITS[match[2]]


def memory_hint(command, board):
    """What may keep a kernel from its initramfs: less memory by its command line ("mem=") than QEMU has put that into. On Arm
    it lies in the middle, at 128 MiB at most (QEMU hw/arm/boot.c), on a PC at the end (hw/i386/x86-common.c)."""
    with contextlib.suppress(ValueError, IndexError, OSError):
        said = re.findall(r"(?:^|\s)mem=(\d+[KkMmGg]?)(?=\s|$)", command[command.index("-append") + 1])
        initramfs = os.path.getsize(command[command.index("-initrd") + 1])
        memory = bytes_of(command[command.index("-m") + 1])
        end = memory if board.target == "i386" else min(memory // 2, 128 << 20) + initramfs
        if said and bytes_of(said[-1]) < end:
            return f"; mem={said[-1]} on the kernel command line excludes the initramfs, which ends at {-(-end // UNITS['M'])}M"
    return ""


def run_shell(command, board):
    """The guest's console on this terminal, to QEMU's end."""
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
    """In words, of a QEMU that has ended with that status; a signal's is negative."""
    how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
    return f"QEMU {how}: {said or 'no output'}"


CHANNELS = ("qmp", "console", "results")


class Result:
    """What is left of a run. Times are seconds since its start."""

    def __init__(self, look_for):
        self.start = time.monotonic()
        self.failure = ""  # why it ended; nothing when the guest ended it as it should
        self.kind = ""  # of that: "boot", "full", "timeout", "starved", "host", "broken", "qemu" (it did not start)
        self.notes = []  # what is worth telling and no failure
        self.booted = False  # whether it has come to its first process, as far as the console says
        self.last = ""  # line of the console
        self.seconds = 0.0  # how long it took
        self.archives = {}  # the guest's result files by suite: base64, then a tar.gz file
        self.ends = {}  # of each suite
        self.look_for = look_for.encode()
        self.seen = []  # when the console said that
        self.starvation = None

    def fail(self, kind, why):
        """The first failure is the cause of the others."""
        if not self.failure:
            self.kind, self.failure = kind, why

    def now(self):
        return time.monotonic() - self.start

    def had_processor(self):
        """Seconds up to now in which QEMU did not wait for a processor."""
        now = time.monotonic()
        return now - self.start - self.starvation.between(self.start, now)

    def slowdown(self):
        """How many times as long all has taken up to now as on a quiet host: the guest's own time limits take so much longer."""
        return min(PROPORTION, max(1, math.ceil(self.now() / max(self.had_processor(), 1e-3) - 0.25)))

    def waited_before(self, when, span):
        """Seconds, of the span before that time, that QEMU has waited for a processor."""
        return self.starvation.between(self.start + when - span, self.start + when)


def run_suites(command, board, log_path, timeout, look_for, patience=30, heard=None, save=None, restore=None, terminal=None):
    """Runs to the guest's reset, and does what the guest asks of the host. Notes when the console says LOOK_FOR. A guest
    that says nothing for so many seconds on its way up, in which QEMU had a processor, has not booted. The timeout
    counts such seconds, too. HEARD is called with each line of the console. A run ends when it has been saved to the file
    SAVE, which the guest asks for ("snapshot point"); it goes on from there with the file RESTORE. TERMINAL, two file
    descriptors, is where the console's input comes from and its output goes at once."""
    result = Result(look_for)
    near, far = zip(*(socket.socketpair() for _ in CHANNELS))
    if restore:
        command = command + ["-incoming", "defer"]
    for name, end in zip(CHANNELS, far):
        command = command + ["-chardev", f"socket,id={name},fd={end.fileno()}"]
    command += ["-mon", "chardev=qmp,mode=control"]
    for use in board["serial"].split():
        command += ["-serial", "chardev:console" if use == "console" else "null"]
    if board.get("results"):
        command += ["-device", board["results"], "-device", "virtserialport,chardev=results"]
    qmp, console, results = near
    said, says = socket.socketpair()
    with writing(log_path) as log:
        limits = Limits(timeout, patience, memory_hint(command, board))
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
                                        preexec_fn=die_with_parent, pass_fds=[end.fileno() for end in far])
            result.starvation = Starvation(qemu.pid, result.start)
            for end in (*far, says):
                end.close()
            if terminal:
                threading.Thread(target=type_into, args=(console, terminal[0]), daemon=True).start()
            # A snapshot takes as long as the host's disk has to do: the end of the run ends the wait for it.
            follower.follow(console, results, said, connect)
            if not follower.given_up:
                qemu.wait(timeout=10)
        except subprocess.TimeoutExpired:
            result.fail("broken", "QEMU did not end after the guest's reset")
        except (OSError, RuntimeError, ValueError) as error:
            if getattr(error, "filename", None):
                raise  # of the log or of QEMU's start, not of a channel to it
            result.fail(follower.kind_of_end(), f"QEMU ended early: {follower.last_of_qemu or error}")
        finally:
            if qemu:  # it may not have been found
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
    """What is typed, to its end."""
    with contextlib.suppress(OSError):  # the guest may be gone
        while text := os.read(terminal, 4096):
            console.sendall(text)


LONGEST = 86400  # seconds that a socket waits, where nothing limits a run
