# SPDX-License-Identifier: GPL-2.0-or-later
"""Boards that run a few hand-assembled instructions instead of a guest, for test_snapshot.py."""

import contextlib
import socket
import subprocess

from pixmill import processes
from pixmill.qmp import Qmp


@contextlib.contextmanager
def started(qemu, *options, stderr=subprocess.DEVNULL):
    """Starts QEMU; yields its QMP connection and its process."""
    near, far = socket.socketpair()
    with subprocess.Popen([qemu, "-display", "none", "-nic", "none", "-serial", "null",
                           "-chardev", f"socket,id=qmp,fd={far.fileno()}", "-mon", "chardev=qmp,mode=control", *options],
                          stdin=subprocess.DEVNULL, stderr=stderr, pass_fds=[far.fileno()], preexec_fn=processes.die_with_parent) as process:
        far.close()
        try:
            yield Qmp(near), process
        finally:
            process.kill()


# ---- instructions (Arm ARM, A8.8) --------------------------------------------------------------


def load(register, value):
    """Encodes MOVW and MOVT, which load a register with a value."""
    return [top | (half >> 12) << 16 | register << 12 | half & 0xFFF
            for top, half in ((0xE3000000, value & 0xFFFF), (0xE3400000, value >> 16))]


def mcr(register, crn, crm, opc2):
    return [0xEE000F10 | crn << 16 | register << 12 | opc2 << 5 | crm]


def mrc(register, crn, crm, opc2):
    return [mcr(register, crn, crm, opc2)[0] | 1 << 20]


def store(register, offset, base=1):
    """Encodes STR."""
    return [0xE5800000 | base << 16 | register << 12 | offset]


def fetch(register, offset, base):
    """Encodes LDR."""
    return [0xE5900000 | base << 16 | register << 12 | offset]


def branch(back):
    """Encodes a branch back by `back` instructions."""
    return [0xEA000000 | -(back + 2) & 0xFFFFFF]
