# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots a guest in QEMU, and follows it to its end. Results come over the console, a character at a time, or over a virtio
serial port where the board has a transport for one ("results" of its settings).
"""

import base64
import binascii
import errno
import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time

from pixmill.console import ENDED_BY, Follower, Limits, is_worth_telling
from pixmill.processes import die_with_parent
from pixmill.qmp import Qmp, load_state
from pixmill.starvation import Starvation


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


def run_shell(command, board):
    """The guest's console on this terminal; returns QEMU's exit status."""
    for use in board["serial"].split():
        command += ["-serial", "mon:stdio" if use == "console" else "null"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=die_with_parent) as qemu:
        try:
            for line in qemu.stderr:
                if is_worth_telling(line):
                    sys.stderr.buffer.write(line)
                    sys.stderr.flush()
            return qemu.wait()
        finally:
            qemu.kill()


CHANNELS = ("qmp", "console", "results")


class Result:
    """What is left of a run. Times are seconds since its start."""

    def __init__(self, look_for):
        self.start = time.monotonic()
        self.failure = ""  # why it ended; nothing when the guest ended it as it should
        self.kind = ""  # of that: "boot", "timeout", "starved", "broken", "qemu" (it did not start)
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
    with open(log_path, "wb") as log:
        qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=says, stderr=subprocess.STDOUT,
                                preexec_fn=die_with_parent, pass_fds=[end.fileno() for end in far])
        result.starvation = Starvation(qemu.pid)
        for end in (*far, says):
            end.close()
        limits = Limits(timeout, patience)
        follower = Follower(result, log, limits, heard, save, terminal and terminal[1])
        if terminal:
            threading.Thread(target=type_into, args=(console, terminal[0]), daemon=True).start()

        def connect():
            monitor = Qmp(qmp, min(limits.clock, LONGEST))
            if restore:
                load_state(monitor, restore)
                console.sendall(b"loaded\n")
                follower.booted = True
            return monitor

        try:
            # A snapshot takes as long as the host's disk has to do: the end of the run ends the wait for it.
            follower.follow(console, results, said, connect)
            if not follower.given_up:
                qemu.wait(timeout=10)
        except subprocess.TimeoutExpired:
            result.fail("broken", "QEMU did not end after the guest's reset")
        except (OSError, RuntimeError, ValueError) as error:
            if getattr(error, "errno", None) in FULL:
                raise
            result.fail("broken" if follower.spoken else "qemu", f"QEMU ended early: {follower.last_of_qemu or error}")
        finally:
            if qemu.poll() is None:
                follower.given_up = True
                qemu.kill()
            qemu.wait()
            result.starvation.stop()
    if ENDED_BY.search(follower.last_of_qemu):
        result.fail("starved", f"QEMU was ended from outside: {follower.last_of_qemu}")
    elif qemu.returncode == -signal.SIGKILL and not follower.given_up:
        result.fail("starved", "QEMU was killed: does the host have enough memory?")
    elif qemu.returncode not in (0, -signal.SIGKILL):
        result.fail("broken" if follower.spoken else "qemu", f"QEMU ended with status {qemu.returncode}: {follower.last_of_qemu or 'it said nothing'}")
    if follower.spoken is None:
        result.fail("boot", "the guest has reset the board without a byte on the console: is it a kernel for this board, with this "
                            "device tree?")
    result.booted, result.last = follower.booted, follower.last.decode(errors="replace")
    result.seconds = result.now()
    for suite, text in result.archives.items():
        try:
            result.archives[suite] = base64.b64decode(text, validate=True)
        except binascii.Error:
            result.archives[suite] = b""
            result.fail("broken", f"the results of {suite} that came out of the guest are damaged")
    return result


def type_into(console, terminal):
    """What is typed, to its end."""
    with contextlib.suppress(OSError):  # the guest may be gone
        while text := os.read(terminal, 4096):
            console.sendall(text)


LONGEST = 86400  # seconds that a socket waits, where nothing limits a run

# The host's disk, not the guest's or QEMU's failure.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
