# SPDX-License-Identifier: GPL-2.0-or-later
"""Prepares what commands need, with programs in scripts/: packages on the host, QEMU, guests, firmware. If nothing
is missing, this takes only seconds."""

import os
import re
import subprocess

from pixmill import boards
from pixmill.failure import Status, status_of_step
from pixmill.places import SCRIPTS, SUITES
from pixmill.processes import attend

ENDS = (Status.USAGE, Status.HOST, 129, Status.INTERRUPTED, 143)  # specific statuses of scripts
OUR_PROGRAM = re.compile(r"\bpixmill-(?:guest|versus-pixman)\b")  # cross-compiled for suites


def call(*command, **more):
    """Runs a program in scripts/, which prints its progress. If it fails, this program ends with the same status.
    The status 1 is replaced, since it would mean that a case failed."""
    status = attend([os.path.join(SCRIPTS, command[0]), *command[1:]], stdin=subprocess.DEVNULL, **more)
    if status:
        raise SystemExit(end_of(status))


def end_of(status):
    """Returns the exit status of a command that fails because a script ended with this status."""
    status = status if status >= 0 else 128 - status
    return status if status in ENDS else status_of_step(status, "")


def packages(*names, yes=False):
    """Installs the packages for these groups, commands and suites (scripts/install-packages), possibly after asking
    the user. If they cannot be installed, prints how to install them and ends the program."""
    status = attend([os.path.join(SCRIPTS, "install-packages"), *["--yes"] * yes, *names], group=False)
    if status:
        raise SystemExit(end_of(status))


def text_of(suite):
    with open(os.path.join(SUITES, suite), encoding="utf-8", errors="replace") as file:
        return file.read()


def our_programs(suites):
    """Returns the names of Pixmill's programs that the suites run in the guest."""
    return sorted({name for suite in suites for name in OUR_PROGRAM.findall(text_of(suite))})


def userlands(suites):
    """Returns the names of the userlands that the suites need."""
    return sorted({name for suite in suites for name in re.findall(r"(?m)^#: userland (\S+)$", text_of(suite))})


def prepare(board, series=None, suites=(), yes=False, qemu=True, guest=True):
    """Prepares suites on a board: first the packages, all at once, then QEMU and the guest, if requested. Packages
    are needed only to build these two."""
    if not qemu and not guest:
        return
    needed = userlands(suites) if guest else []
    program = bool(guest and board.get("gpu") and our_programs(suites))
    packages(*["qemu"] * qemu, *["guest"] * guest, *(f"suite/{board.name}/{name}" for name in suites if guest), yes=yes)
    if qemu:
        call("qemu/build", board.target)
    if guest:
        call("guest/fetch", board.name, series)
        call("guest/initramfs", board.name, series, *["--bare"] * (not program))
        for name in needed:
            call("guest/userland", board.name, series, name)


def prepare_firmware(board, ours, yes=False):
    """Prepares a board that runs firmware: builds its QEMU and, if `ours` is true, Pixmill's firmware with the
    reference output."""
    packages("qemu", *["firmware"] * ours, yes=yes)
    call("qemu/build", board.target)
    if ours:
        call("guest/firmware", board.name, "--expected")


def has_userland(board, name):
    return os.path.isfile(os.path.join(boards.BOARDS, board.guest, "userland", name))
