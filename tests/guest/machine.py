# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots a guest in QEMU, and talks with it over its console.

Lines that matter here:
    pixmill-host: COMMAND       the guest asks for a command of QMP, and is answered "done"
    pixmill-host: results SUITE it is answered when all of these results have come
    pixmill: results SUITE      a tar.gz file in base64 follows, up to
    pixmill: end of results
    pixmill: cause: TEXT        why the guest cannot run what it was asked to: this run has failed
    pixmill: the end            a reset follows, if the kernel has a way to reset the board

Results come over the console, a character at a time, or over a virtio serial port where the board has a transport
for one ("results" of its settings).
"""

import base64
import binascii
import contextlib
import ctypes
import errno
import json
import math
import os
import re
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time


class Board:
    """board-configs/NAME, read."""

    def __init__(self, folder):
        self.folder = folder
        self.name = os.path.basename(folder)
        self.settings = {}
        for line in lines_of(os.path.join(folder, "board")):
            name, _, value = line.partition(" ")
            self.settings[name] = value.strip()

    def __getitem__(self, name):
        return self.settings[name]

    def get(self, name):
        return self.settings.get(name)

    def captured(self, *names):
        """The types of devices whose cores leave captures in the suite of one of these names ("captures" of its settings)."""
        types, *suites = (self.get("captures") or "").split() or [""]
        return types.split(",") if set(names) & set(suites) else []

    def expectations(self):
        """("+" or "-", regular expression) for each line of the kernel's log that must or must not be."""
        return [tuple(line.split(" ", 1)) for line in lines_of(os.path.join(self.folder, "expect"))]


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


class Qmp:
    """One command at a time; events that came before its answer are kept."""

    def __init__(self, connection, patience=10):
        """Waits that many seconds for QEMU's greeting and for each answer; after one that did not come, for no more."""
        connection.settimeout(patience)
        # One stream for both would drop what it has read ahead whenever a command is written.
        self.stream = connection.makefile("r", encoding="utf-8")
        self.commands = connection.makefile("w", encoding="utf-8")
        self.events = []
        self.stream.readline()
        self.command("qmp_capabilities")

    def command(self, name, **arguments):
        json.dump({"execute": name, "arguments": arguments}, self.commands)
        self.commands.write("\n")
        self.commands.flush()
        while True:
            answer = json.loads(self.stream.readline())
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise RuntimeError(f"{name}: {answer['error']['desc']}")
            self.events.append(answer)

    def job(self, name, **arguments):
        """A command that QEMU goes on with behind its answer."""
        self.command(name, **{"job-id": "job"}, **arguments)
        while True:
            job, = self.command("query-jobs")
            if job["status"] == "concluded":
                self.command("job-dismiss", id="job")
                if "error" in job:
                    raise RuntimeError(f"{name}: {job['error']}")
                return
            time.sleep(0.05)

    def last_events(self):
        """Of a QEMU that has ended."""
        with contextlib.suppress(OSError, ValueError):
            self.events += map(json.loads, self.stream)
        return self.events


def save_state(qmp, path):
    """Of a machine that stands still, into a file."""
    qmp.command("migrate", uri="file:" + path)
    await_migration(qmp)


def load_state(qmp, path):
    """Into a QEMU that was started with "-incoming defer"; the machine goes on."""
    qmp.command("migrate-incoming", uri="file:" + path)
    await_migration(qmp)
    qmp.command("cont")


def await_migration(qmp):
    while True:
        state = qmp.command("query-migrate")
        if state.get("status") == "completed":
            return
        if state.get("status") in ("failed", "cancelled"):
            raise RuntimeError(f"a snapshot failed: {state.get('error-desc', state['status'])}")
        time.sleep(0.02)


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


PR_SET_PDEATHSIG = 1


def die_with_parent():
    """In the child: whoever kills this program, and leaves it no time to clean up, leaves no QEMU either."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


# What QEMU says of a board whose network nobody has asked for: it explains no failure.
NO_PEER = re.compile(rb"warning: nic \S+ has no peer")


# What it says of whoever ended it (qemu system/runstate.c).
ENDED_BY = re.compile(r"terminating on signal \d+")


def is_worth_telling(line):
    return not NO_PEER.search(line)


CHANNELS = ("qmp", "console", "results")


class Starvation:
    """How long the host let QEMU wait for a processor.

    Looks ten times a second at what each of QEMU's threads has stood in the run queue (linux sched-stats.rst:
    schedstat, the second number, ns), and how late it is itself: that has the times, too, in which the machine that
    all this runs on was not scheduled.
    """

    PERIOD = 0.1

    def __init__(self, pid):
        self.folder = f"/proc/{pid}/task"
        self.before = self.look()
        self.found = []  # (time, seconds that the unluckiest thread has waited since the last look)
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def look(self):
        waited = {}
        with contextlib.suppress(OSError):  # QEMU and its threads may end meanwhile
            for thread in os.listdir(self.folder):
                with open(f"{self.folder}/{thread}/schedstat", encoding="ascii") as file:
                    waited[thread] = int(file.read().split()[1]) / 1e9
        return waited

    def watch(self):
        then = time.monotonic()
        while not self.end.wait(self.PERIOD):
            waited, now = self.look(), time.monotonic()
            worst = max([waited[thread] - self.before.get(thread, 0) for thread in waited], default=0)
            self.found.append((now, max(worst, now - then - self.PERIOD)))
            self.before, then = waited, now

    def stop(self):
        self.end.set()
        self.thread.join()

    def between(self, start, end):
        """Seconds."""
        return sum(waited for when, waited in self.found if start <= when <= end + 2 * self.PERIOD)


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


def end_on_sigterm():
    """SIGTERM ends this program through its clean-up, which ends QEMU."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


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


class Lines:
    """What comes over a channel, line by line; the results among them go to the result, all else to a terminal, too."""

    RESULTS = b"pixmill: results "

    def __init__(self, channel, result, terminal=None):
        self.channel, self.result, self.terminal = channel, result, terminal
        self.rest, self.suite = b"", None
        self.shown = 0  # bytes of the rest that the terminal has

    def read(self):
        """Those that are no results; None when the channel has closed."""
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
        """A prompt has no end of line, and whoever waits for it wants it now."""
        if self.terminal is not None and len(text) > self.shown:
            with contextlib.suppress(BrokenPipeError):  # nobody looks any more
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
        return False


class Limits:
    """Seconds in which QEMU had a processor: a busy host takes nothing from them. Up to so many times as long on the
    clock; what takes longer is the host's failure."""

    PROPORTION, LEAST = 8, 60
    RESET = 10  # between the guest's last line and the board's reset

    def __init__(self, timeout, patience):
        self.timeout, self.patience = timeout, patience
        self.clock = max(self.PROPORTION * timeout, self.LEAST)


class Follower:
    """Takes what comes over the channels apart until all close, or a limit is reached."""

    DYING = 2  # seconds for a panic's last words
    BOOTED = re.compile(rb"pixmill: up after|Run \S+ as init process")
    HALTED = re.compile(rb"Reboot failed -- System halted")
    CAUSE = b"pixmill: cause: "

    def __init__(self, result, log, limits, heard, save, terminal):
        self.save, self.terminal = save, terminal
        self.result, self.log, self.limits, self.heard = result, log, limits, heard or (lambda line: None)
        self.spoken = None  # when the console has said something, in QEMU's time
        self.last = b""
        self.last_of_qemu = ""
        self.booted = False
        self.given_up = False
        self.dead = math.inf  # when to give up, in QEMU's time, and not as a failure of its own
        self.serve = None
        self.asked = []  # for what the guest still waits

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
            self.serve = lambda words: serve(console, qmp, words, os.path.dirname(self.log.name), self.save)
            while selector.get_map() and not self.is_over():
                for key, _ in selector.select(0.5):
                    lines = key.data.read()
                    if lines is None:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is said:
                        self.take_of_qemu(lines)
                    else:
                        self.spoken = self.result.had_processor()
                        self.take(lines)

    def take_of_qemu(self, lines):
        for line in filter(is_worth_telling, lines):
            self.write(line)
            self.last_of_qemu = line.decode(errors="replace").strip() or self.last_of_qemu

    def write(self, line):
        self.log.write(line + b"\n")
        self.log.flush()

    def take(self, lines):
        result = self.result
        for line in lines:
            self.write(line)
            self.heard(line)
            self.last = line.strip() or self.last
            self.booted = self.booted or bool(self.BOOTED.search(line))
            if result.look_for and result.look_for in line:
                result.seen.append(result.now())
            if b"Kernel panic" in line:
                result.fail("boot" if not self.booted else "broken",
                            "the guest's kernel panicked: " + line.decode(errors="replace").strip())
                self.give_up_in(self.DYING)
            elif line.startswith(self.CAUSE):
                result.fail("boot", line[len(self.CAUSE):].decode(errors="replace"))
                self.give_up_in(self.limits.RESET)
            elif line == b"pixmill: the end":
                self.give_up_in(self.limits.RESET)
            elif self.HALTED.search(line):
                self.give_up_in(0)
            elif line.startswith(b"pixmill-host: "):
                self.asked.append(line.decode(errors="replace").split()[1:])
            self.asked = [words for words in self.asked if not self.serves(words)]

    def serves(self, words):
        """Whether it could be done now. What the guest has written to its virtio port still waits in the guest's memory
        while we are slow to read: if it were answered, it would reset the board, and the end of its results be gone."""
        if words[:1] == ["results"] and not self.result.ends.keys() >= set(words[1:]):
            return False
        self.serve(words)
        return True

    def give_up_in(self, seconds):
        self.dead = min(self.dead, self.result.had_processor() + seconds)

    def is_over(self):
        result, limits = self.result, self.limits
        had = result.had_processor()
        self.given_up = True
        if had >= self.dead:
            if not result.failure:
                result.notes.append("the kernel has no way to reset the board: the host has ended the run")
        elif not self.booted and self.spoken is None and had >= limits.patience:
            result.fail("boot", f"the kernel has not said a byte on the console in {limits.patience} s: is it a kernel for "
                                f"this board's processor, and is the console of its command line the board's?")
        elif not self.booted and self.spoken is not None and had - self.spoken >= limits.patience:
            result.fail("boot", f"the kernel has not said anything for {limits.patience} s, and had not come to its first "
                                f"process. Its last line: " + self.last.decode(errors="replace"))
        elif had >= limits.timeout:
            result.fail("timeout", "the guest did not finish in time")
        elif result.now() >= limits.clock:
            result.fail("starved", f"the host was too busy: of {result.now():.0f} s, QEMU had a processor for {had:.0f}")
        else:
            self.given_up = False
        return self.given_up


def serve(console, qmp, words, folder, save=None):
    """Does what the guest asks for, and answers. On a thread: until somebody reads what the guest has sent, its
    processor may stand still in a UART, and then QEMU answers nobody."""
    def answer():
        with contextlib.suppress(OSError, RuntimeError, ValueError):  # the guest, or QEMU, may be gone
            if save and words == ["snapshot", "point"]:
                qmp.command("stop")
                save_state(qmp, save)
                qmp.command("quit")
                return
            with stopped(qmp) if words[:1] == ["snapshot"] else contextlib.nullcontext():
                console.sendall(do(qmp, words, folder))
    threading.Thread(target=answer, daemon=True).start()


@contextlib.contextmanager
def stopped(qmp):
    """The guest goes on only when its answer is there: QEMU alone would start it as soon as a snapshot is made."""
    qmp.command("stop")
    try:
        yield
    finally:
        qmp.command("cont")


def make_snapshot_disk(qmp, folder):
    """For snapshots only: nothing of the guest is on it, and it is gone with QEMU."""
    path = os.path.join(os.path.abspath(folder), "snapshot.qcow2")
    qmp.job("blockdev-create", options={"driver": "file", "filename": path, "size": 0})
    qmp.command("blockdev-add", **{"driver": "file", "filename": path, "node-name": "snapshot-file"})
    qmp.job("blockdev-create", options={"driver": "qcow2", "file": "snapshot-file", "size": 1 << 20})
    qmp.command("blockdev-add", **{"driver": "qcow2", "file": "snapshot-file", "node-name": "snapshot"})
    os.unlink(path)


def snapshot(qmp, what, folder):
    """Saves the machine in place of what was saved before, or loads it: that guest is answered, as it is the one which
    waits."""
    if what == "save":
        if any(node["node-name"] == "snapshot" for node in qmp.command("query-named-block-nodes")):
            qmp.job("snapshot-delete", tag="one", devices=["snapshot"])
        else:
            make_snapshot_disk(qmp, folder)
    qmp.job(f"snapshot-{what}", tag="one", vmstate="snapshot", devices=["snapshot"])
    return b"saved\n" if what == "save" else b"loaded\n"


def do(qmp, words, folder):
    """qom-set PATH PROPERTY VALUE; qom-get PATH PROPERTY, which is the answer; screendump FILE, a picture (PPM) of the
    console, into the folder of the logs; snapshot save, and snapshot load, answered "saved" and "loaded"; or
    another QMP command, with its arguments as JSON; or results SUITE, with which nothing is left to do. The answer to what
    went wrong begins with "refused: "."""
    try:
        if words[0] == "qom-set":
            path, name, value = words[1:]
            qmp.command("qom-set", path=path, property=name, value=value)
        elif words[0] == "qom-get":
            path, name = words[1:]
            return f"{qmp.command('qom-get', path=path, property=name)}\n".encode()
        elif words[0] == "screendump":
            name, = words[1:]
            qmp.command("screendump", filename=os.path.join(os.path.abspath(folder), os.path.basename(name)))
        elif words[0] == "snapshot":
            return snapshot(qmp, words[1], folder)
        elif words[0] != "results":
            qmp.command(words[0], **json.loads(" ".join(words[1:]) or "{}"))
        return b"done\n"
    except (OSError, RuntimeError, ValueError) as error:
        return f"refused: {' '.join(str(error).split())}\n".encode()
