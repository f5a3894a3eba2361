# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs that repeat exactly (docs/use/deterministic.md): the options of QEMU and of the guest, what such a run excludes, and the
comparison of repeats."""

import fcntl
import itertools
import os
import re
import shlex

from pixmill.failure import Usage

# Guest time counts instructions, 4 ns each, and does not wait for the host's clock. With 16 ns, long loops of the kernel take so
# much guest time that it reports a soft lockup.
CLOCK = "-icount shift=2,sleep=off -rtc base=2026-01-01T00:00:00,clock=vm"

# One processor, since instructions of two have no common order; the kernel's self-test of the drbg cipher fails at this speed. The
# guest does not ask the host, whose answers arrive at any time (guest/suite-functions).
COMMAND_LINE = "maxcpus=1 cryptomgr.notests pixmill.unattended"

# By the suffix of virtio devices (the board's setting "virtio"): the option that makes the processor that notifies a device handle
# the request. By default, QEMU's main loop handles it some time later. On PCI, each type of device has its own property; suites with
# such devices are excluded.
TRANSPORTS = {"-device": "-global virtio-mmio.ioeventfd=off"}

# QEMU's options that change the clock or the processors. QEMU also accepts them with two dashes.
FOREIGN = ("-icount", "-accel", "-enable-kvm", "-smp", "-rtc", "-seed", "-incoming")

SLOWER = 4  # time limits are multiplied by this factor
MOST_SEED = 0xFFFFFFFF

# Signs in a suite's text that it cannot repeat exactly, and the reasons.
OBSTACLES = (
    (r"(?m)^#: (?:qemu|devices) .*-(?:netdev|fsdev|vnc|icount|smp)\b", "its devices or its clock take the host's time"),
    (r"(?m)^[^#\n]*\b(?:ask|host|request) [a-z]|^#: (?:screen|shown|patterns|console|black|plain) ",
     "it asks the host in the middle, whose answers take the host's time"))


def arranged(command, board, seed):
    """Returns QEMU's command line for a run that repeats exactly, from one for a usual run of Linux."""
    command = [*command, *options(board, seed), "-smp", "1"]  # the last one counts
    command[command.index("-append") + 1] += " " + COMMAND_LINE
    return command


def options(board, seed):
    """Returns QEMU's options for a run of this board; a seed of None varies nothing."""
    words = [CLOCK, f"-seed {seed or 0}", f"-global {board['core']}.work-time=100"]
    if seed is not None:
        words.append(f"-global {board['core']}.x-seed={seed}")
    transport = (board.get("virtio") or "").partition(",")[0]
    return shlex.split(" ".join([*words, TRANSPORTS.get(transport, "")]))


def obstacle(text):
    """Returns why a suite with this text cannot repeat exactly; "" if it can."""
    return next((reason for expression, reason in OBSTACLES if re.search(expression, text)), "")


def check(args):
    """Refuses options that exclude a run which repeats exactly, and parses its seed."""
    if not args.deterministic:
        if args.seed is not None:
            raise Usage("--seed varies a run that repeats exactly: add --deterministic")
        return
    reasons = {"display": "a viewer's input arrives at any time", "shell": "your input arrives at any time",
               "network": "packets arrive at any time", "share": "the folder's answers take the host's time",
               "snapshot": "the run's files would come over a shared folder"}
    for name, reason in reasons.items():
        if getattr(args, name, None):
            raise Usage(f"--deterministic cannot be combined with --{name}: {reason}")
    foreign = [word for word in shlex.split(args.qemu_options or "") if re.sub("^--", "-", word) in FOREIGN]
    if foreign:
        raise Usage(f"--deterministic sets QEMU's {foreign[0]} itself: leave it out of --qemu-options")
    if args.seed is not None:
        args.seed = seed_of("--seed", args.seed)


def seed_of(option, words):
    if not (re.fullmatch(r"\d{1,10}", words) and 1 <= int(words) <= MOST_SEED):
        raise Usage(f"{option} needs a number from 1 to {MOST_SEED}, not {words}")
    return int(words)


# ---- the console -------------------------------------------------------------------------------


class Pipe:
    """The console's output, as the file of a chardev. QEMU writes each character when the guest does, without waiting: a socket
    counts hundreds of bytes for each character, and a UART would retry at any time when it is full."""

    ROOM = 1 << 20  # bytes; as much as an unprivileged process may have

    def __init__(self):
        self.end, self.far = os.pipe()
        self.file = os.fdopen(self.end, "rb", buffering=0)  # closes the end with this object
        for size in (self.ROOM, self.ROOM // 4):
            try:
                fcntl.fcntl(self.far, fcntl.F_SETPIPE_SZ, size)
                break
            except OSError:  # the user's share of pipes is used up
                continue

    def option(self, name):
        return f"file,id={name},path=/proc/self/fd/{self.far}"

    # As of a socket:

    def fileno(self):
        return self.end

    def recv(self, size):
        return os.read(self.end, size)

    def sendall(self, text):
        """Drops the text: nobody in the guest waits for it."""

    def close(self):
        """Closes QEMU's end in this process."""
        os.close(self.far)


# ---- the comparison of repeats ------------------------------------------------------------------


def files_of(folder):
    """Returns the paths of a run's files, relative to its folder: first the consoles, which show the earliest difference."""
    found = [os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names]
    return sorted(found, key=lambda path: (os.path.dirname(path) != "", path))


def first_difference(one, other):
    """Returns where two runs differ first, as lines of text; [] if all their files are equal."""
    left, right = files_of(one), files_of(other)
    for path in left + [path for path in right if path not in left]:
        if path not in left or path not in right:
            return [f"{path}: only in {one if path in left else other}"]
        with open(os.path.join(one, path), "rb") as file, open(os.path.join(other, path), "rb") as again:
            difference = of_bytes(file.read(), again.read())
        if difference:
            where, *lines = difference
            return [f"{path}, {where}", *lines]
    return []


def of_bytes(one, other):
    """Returns ("line N", both lines) of two texts that differ, ("byte N",) of other files, and None of equal ones."""
    if one == other:
        return None
    if b"\0" in one or b"\0" in other:
        at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
        return (f"byte {at}",)
    lines = itertools.zip_longest(one.split(b"\n"), other.split(b"\n"))
    number, pair = next((number, pair) for number, pair in enumerate(lines, 1) if pair[0] != pair[1])
    return (f"line {number}", *("  (no such line)" if line is None else "  " + line.decode(errors="replace").rstrip("\r")
                                for line in pair))
