# SPDX-License-Identifier: GPL-2.0-or-later
"""The boards of board-configs, and how their files are read."""

import collections
import functools
import os

from pixmill.failure import Failure, Status
from pixmill.places import BOARDS, SCRIPTS, WORK, qemu

# Names of a board's processors: Debian's, QEMU's, the triplet of libraries and cross compilers, and that of kernel_files.py.
Architecture = collections.namedtuple("Architecture", "debian qemu triplet processor")


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

    def own_suites(self):
        """The names of "suites" of its settings: those that run, unless others are named, on a board that does not run all."""
        return (self.get("suites") or "").split()

    def expectations(self):
        """("+" or "-", regular expression) for each line of the kernel's log that must or must not be."""
        return [tuple(line.split(" ", 1)) for line in lines_of(os.path.join(self.folder, "expect"))]

    # ---- what it runs ---------------------------------------------------------------------

    @property
    def firmware(self):
        """The folder of guest/ whose firmware it runs; None for a board that boots a kernel."""
        return self.get("firmware")

    @property
    def guest(self):
        """The board whose packages, kernels and initramfs it takes: its own, or "guest" of its settings."""
        return self.get("guest") or self.name

    def kernels(self, asked=False):
        """The kernel series that it is tested with; with those that must be asked for, too, if wanted."""
        return [series for series, _, *more in self.kernel_lines() if asked or "asked" not in more]

    def kernel_lines(self):
        """The words of each line of its "kernels": SERIES RELEASE [asked [WHAT=VERSION...]]."""
        return [] if self.firmware else [line.split() for line in lines_of(os.path.join(BOARDS, self.guest, "kernels"))]

    def expected_versions(self, series):
        """{"linux" or "mesa": version} that the lists of expected failures are for, of a series that changes."""
        return dict(word.split("=") for name, _, *more in self.kernel_lines() if name == series for word in more if "=" in word)

    def tested(self):
        """Those that scripts/test boots: of a board that takes another's guest only the default, since the tree is what differs."""
        return self.kernels()[: 1 if self.guest != self.name else None]

    def require_kernel(self, series):
        if series not in self.kernels(asked=True):
            raise Failure(Status.USAGE, f"no Debian release is known for kernel series {series}",
                          f"known for {self.name}: {' '.join(self.kernels(asked=True))}; others: a line in "
                          f"board-configs/{self.guest}/kernels")

    # ---- what is built for it -------------------------------------------------------------

    @property
    def arch(self):
        """Its line of scripts/lib/architectures."""
        return architectures()[self.get("arch") or "armhf"]

    @property
    def target(self):
        """The processors of the QEMU that has it, in QEMU's words."""
        return self.arch.qemu

    def qemu(self):
        """That QEMU, once it is built."""
        return qemu(self.target)

    def guest_folder(self, series):
        """Where scripts/guest leaves its guest."""
        return os.path.join(WORK, "guest", f"{self.guest}-{series}")


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


@functools.cache
def architectures():
    """{Debian's name: Architecture}."""
    return {line.split()[0]: Architecture(*line.split()) for line in lines_of(os.path.join(SCRIPTS, "lib", "architectures"))}


def names():
    return sorted(os.listdir(BOARDS))


def board(name):
    """That of board-configs; ends the command if there is none."""
    if name not in names():
        raise Failure(Status.USAGE, f"there is no board {name}", f"available: {' '.join(names())}")
    return Board(os.path.join(BOARDS, name))
