# SPDX-License-Identifier: GPL-2.0-or-later
"""What commands need before they run: packages of the host, a QEMU, guests, firmware. What scripts/ makes is made there, and
what is there already costs seconds."""

import os
import re
import subprocess

from pixmill import boards
from pixmill.failure import Status, status_of_step
from pixmill.places import SCRIPTS, SUITES
from pixmill.processes import attend

ENDS = (Status.USAGE, Status.HOST, 129, Status.INTERRUPTED, 143)  # that scripts have of their own
OUR_PROGRAM = re.compile(r"\bpixmill-(?:guest|versus-pixman)\b")  # what the cross compiler makes for suites


def call(*command, **more):
    """A script of scripts/, which tells itself how far it is. Where it fails, this program ends: with its status, but a failure
    of no special kind (1) is nothing that a case has done."""
    status = attend([os.path.join(SCRIPTS, command[0]), *command[1:]], stdin=subprocess.DEVNULL, **more)
    if status:
        raise SystemExit(end_of(status))


def end_of(status):
    """Of a command that ends with what a script did."""
    status = status if status >= 0 else 128 - status
    return status if status in ENDS else status_of_step(status, "")


def packages(*names, yes=False):
    """Of these groups, commands and suites (scripts/install-packages), installed, or the program ends and says how. It may ask."""
    status = attend([os.path.join(SCRIPTS, "install-packages"), *["--yes"] * yes, *names], group=False)
    if status:
        raise SystemExit(end_of(status))


def text_of(suite):
    with open(os.path.join(SUITES, suite), encoding="utf-8", errors="replace") as file:
        return file.read()


def our_programs(suites):
    """Those of ours that the suites call in the guest."""
    return sorted({name for suite in suites for name in OUR_PROGRAM.findall(text_of(suite))})


def userlands(suites):
    """The names of those that the suites name."""
    return sorted({name for suite in suites for name in re.findall(r"(?m)^#: userland (\S+)$", text_of(suite))})


def prepare(board, series=None, suites=(), yes=False, qemu=True, guest=True):
    """Everything for suites on a board: the packages, all at once and before anything else; then QEMU and the guest, unless they
    are not wanted. Only what builds these needs packages."""
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
    """For a board without a kernel: its QEMU, and our firmware with what that must show, if it is to run."""
    packages("qemu", *["firmware"] * ours, yes=yes)
    call("qemu/build", board.target)
    if ours:
        call("guest/firmware", board.name, "--expected")


def has_userland(board, name):
    return os.path.isfile(os.path.join(boards.BOARDS, board.guest, "userland", name))
