# SPDX-License-Identifier: GPL-2.0-or-later
"""Follows the output of the guest and of QEMU until the run ends.

Lines with a meaning:
    pixmill-host: COMMAND       a request to the host (host.py), usually answered "done"
    pixmill-host: results SUITE a request that is answered once all of these results have arrived
    pixmill: results SUITE      a tar.gz file in base64 follows, until
    pixmill: end of results
    pixmill: cause: TEXT        why the guest cannot do its work; the run fails
    pixmill: note: TEXT         a remark, not a failure
    pixmill: the end            a reset follows if the kernel can reset the board
"""

import contextlib
import math
import os
import re
import selectors

from pixmill.failure import PASSING_WORDS, about
from pixmill.host import serve
from pixmill.judge import KERNEL_LINE
from pixmill.starvation import PROPORTION


# QEMU's warning about a NIC of the board that this run does not use. It never explains a failure.
NO_PEER = re.compile(rb"warning: nic \S+ has no peer")


# An error message of QEMU (qemu util/error-report.c). Lines with hints may follow, which do not begin with QEMU's name.
ERROR = re.compile(r"qemu(-system-\S+)?: (?!warning)")
OTHER_ERROR = re.compile("ERROR|Bail out|Assertion")  # from GLib or a sanitizer


# QEMU's message if a signal ends it (qemu system/runstate.c).
ENDED_BY = re.compile(r"terminating on signal \d+")


def is_worth_telling(line):
    return not NO_PEER.search(line)


class Lines:
    """Splits a channel's data into lines, stores archives of results in `result`, and shows the rest on the terminal, if any."""

    RESULTS = b"pixmill: results "

    def __init__(self, channel, result, terminal=None):
        self.channel, self.result, self.terminal = channel, result, terminal
        self.rest, self.suite = b"", None
        self.shown = 0  # bytes of `rest` that the terminal has

    def read(self):
        """Returns new lines that are not results; None if the channel has closed."""
        try:
            text = self.channel.recv(65536)
        except ConnectionResetError:
            text = b""
        if not text:
            return None
        *lines, self.rest = (self.rest + text).split(b"\n")
        seen = []
        for line in lines:
            begun = self.suite
            if self.take(line.rstrip(b"\r")):
                continue
            seen.append(line.rstrip(b"\r"))
            if not begun and not self.suite:
                self.show(line + b"\n")
            self.shown = 0
        if not self.suite and not self.may_be_results(self.rest):
            self.show(self.rest)
            self.shown = len(self.rest)
        return seen

    def may_be_results(self, rest):
        return self.RESULTS.startswith(rest[:len(self.RESULTS)])

    def show(self, text):
        """Writes new bytes to the terminal, even if the line is incomplete, since it may be a prompt."""
        if self.terminal is not None and len(text) > self.shown:
            with contextlib.suppress(BrokenPipeError):  # the terminal has closed
                view = memoryview(text)[self.shown:]
                while view:
                    view = view[os.write(self.terminal, view):]

    def take(self, line):
        if line == b"pixmill: end of results" and self.suite:
            self.result.ends[self.suite] = self.result.now()
            self.suite = None
            return False
        if self.suite:
            self.result.archives[self.suite] += line
            return True
        if line.startswith(self.RESULTS):
            self.suite = line.split()[2].decode(errors="replace")
            self.result.archives[self.suite] = b""
        for text in self.result.look_for:  # here, to know if it came before or after a suite's end
            if text.encode() in line:
                self.result.starvation.note()
                self.result.seen.append((text, self.result.now()))
        return False


class Limits:
    """Time limits. They count only seconds in which QEMU had a CPU, so they do not depend on the host's load. A run
    that takes PROPORTION times as long on the clock fails because of the host."""

    LEAST = 60
    RESET = 10  # from the guest's last line to the board's reset

    def __init__(self, timeout, patience, hint=""):
        self.timeout, self.patience = timeout, patience
        self.hint = hint  # a possible cause, added if the kernel does not boot
        self.clock = max(PROPORTION * timeout, self.LEAST)


class Follower:
    """Interprets the lines of all channels until they close or a limit is reached."""

    DYING = 10  # seconds on the clock to wait for a panic's last line
    BOOTED = re.compile(rb"pixmill: up after|Run \S+ as init process")
    HALTED = re.compile(rb"Reboot failed -- System halted")
    # The last line of a panic; it depends on "panic=" (linux kernel/panic.c).
    DEAD = re.compile(rb"---\[ end Kernel panic|Rebooting in \d+ seconds")
    UNPACKED = re.compile(rb"Initramfs unpacking failed: (.*)")
    FULL = "the guest's memory is full"  # guest/suite-functions
    CAUSE, NOTE = b"pixmill: cause: ", b"pixmill: note: "
    HINT = ("; before that it failed to unpack the initramfs: {}. Is the guest's memory large enough, and is the "
            "initramfs intact?")

    def __init__(self, result, log, limits, heard, save, terminal):
        self.save, self.terminal = save, terminal
        self.result, self.log, self.limits, self.heard = result, log, limits, heard or (lambda line: None)
        self.spoken = None  # when the console last printed something, in QEMU's time
        self.last = b""
        self.last_of_qemu = ""
        self.booted = False
        self.given_up = False
        self.dead = math.inf  # when to end the run, in QEMU's time, without a failure
        self.dead_by = math.inf  # the same, on the clock
        self.panicked = False
        self.unpacked = ""  # why the initramfs could not be unpacked
        self.serve = None
        self.asked = []  # the guest's requests without an answer

    def follow(self, console, results, said, connect):
        channels = {console: Lines(console, self.result, self.terminal), results: Lines(results, self.result),
                    said: Lines(said, self.result)}
        with selectors.DefaultSelector() as selector:
            for channel, lines in channels.items():
                selector.register(channel, selectors.EVENT_READ, lines)
            try:
                qmp = connect()
            except (OSError, RuntimeError, ValueError):
                said.settimeout(1)
                self.take_of_qemu(channels[said].read() or [])
                raise
            self.serve = lambda words: serve(console, qmp, words, os.path.dirname(self.log.name), self.save, self.result.fail,
                                             self.slowdown(words))
            over = False
            while selector.get_map() and not over:
                # Before reading: if this program was delayed, what QEMU printed meanwhile still counts.
                had, now = self.result.had_processor(), self.result.now()
                for key, _ in selector.select(0.5):
                    lines = key.data.read()
                    if lines is None:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is said:
                        self.take_of_qemu(lines)
                    else:
                        self.spoken = self.result.had_processor()
                        self.take(lines)
                over = bool(selector.get_map()) and self.is_over(had, now)

    def take_of_qemu(self, lines):
        for line in filter(is_worth_telling, lines):
            self.write(line)
            text = line.decode(errors="replace").strip()
            if text and (ERROR.match(text) or OTHER_ERROR.search(text) or not ERROR.match(self.last_of_qemu)):
                self.last_of_qemu = text

    def write(self, line):
        with about(self.log.name):
            self.log.write(line + b"\n")
            self.log.flush()

    def take(self, lines):
        result = self.result
        for line in lines:
            self.write(line)
            self.heard(line)
            self.last = line.strip() or self.last
            self.booted = self.booted or bool(self.BOOTED.search(line))
            unpacked = self.UNPACKED.search(line)
            if unpacked:
                self.unpacked = unpacked[1].decode(errors="replace").strip()
            if self.panicked and self.DEAD.search(line):
                self.dead_by = 0
            elif b"Kernel panic" in line:
                self.panicked = True
                result.fail("boot" if not self.booted else "broken",
                            "the guest's kernel panicked: " + line.decode(errors="replace").strip() + self.hint()
                            + ("" if self.booted else self.limits.hint))
                self.dead_by = min(self.dead_by, result.now() + self.DYING)
            elif line.startswith(self.CAUSE):
                cause = line[len(self.CAUSE):].decode(errors="replace")
                result.fail("full" if cause.startswith(self.FULL) else "boot", cause)
                self.give_up_in(self.limits.RESET)
            elif line.startswith(self.NOTE):
                result.notes.append(line[len(self.NOTE):].decode(errors="replace"))
            elif line == b"pixmill: the end":
                self.give_up_in(self.limits.RESET)
            elif self.HALTED.search(line):
                self.give_up_in(0)
            elif line.startswith(b"pixmill-host: "):
                # The kernel may print a record before the newline, which the tty writes separately (linux
                # drivers/tty/n_tty.c, do_output_char()).
                self.asked.append(KERNEL_LINE.split(line)[0].decode(errors="replace").split()[1:])
            self.asked = [words for words in self.asked if not self.serves(words)]

    def kind_of_end(self):
        """Classifies why QEMU ended by itself: "host" if the host lacked a resource, in which case a retry may help."""
        if PASSING_WORDS.search(self.last_of_qemu):
            return "host"
        return "broken" if self.spoken else "qemu"

    def slowdown(self, words):
        """Returns the factor for the guest's time limits, and records it if the guest asks for it."""
        slowdown = self.result.slowdown()
        if words == ["slowdown"]:
            self.result.slowdowns.append((self.result.now(), slowdown))
        return slowdown

    def serves(self, words):
        """Serves a request; returns False if it must wait.

        This process may read slowly, so the end of the results may still be in the guest's memory. An early answer
        would let the guest reset the board and lose them."""
        if words[:1] == ["results"] and not self.result.ends.keys() >= set(words[1:]):
            return False
        self.serve(words)
        return True

    def hint(self):
        return self.HINT.format(self.unpacked) if self.unpacked else ""

    def give_up_in(self, seconds):
        """Ends the run after that many seconds of QEMU's time, or PROPORTION times as many on the clock if the host is busy."""
        self.dead = min(self.dead, self.result.had_processor() + seconds)
        self.dead_by = min(self.dead_by, self.result.now() + PROPORTION * seconds)

    def is_over(self, had, now):
        """True if a limit was reached when QEMU had a CPU for `had` seconds, `now` seconds after its start."""
        result, limits = self.result, self.limits
        self.given_up = True
        if had >= self.dead or now >= self.dead_by:
            if not result.failure:
                result.notes.append("the kernel cannot reset the board: the host ended the run")
        elif not self.booted and self.spoken is None and had >= limits.patience:
            result.fail("boot", f"no output on the console for {limits.patience} s: is this an undamaged kernel for this CPU, and "
                                f"does console= point to the board's UART?{self.limits.hint}")
        elif not self.booted and self.spoken is not None and had - self.spoken >= limits.patience:
            result.fail("boot", f"the kernel printed nothing for {limits.patience} s, and has not started its first "
                                f"process. Its last line: " + self.last.decode(errors="replace") + self.hint() + self.limits.hint)
        elif had >= limits.timeout:
            result.fail("timeout", "the guest did not finish in time")
        elif now >= limits.clock:
            result.fail("starved", f"the host was too busy: of {now:.0f} s, QEMU had a processor for {had:.0f}")
        else:
            self.given_up = False
        return self.given_up
