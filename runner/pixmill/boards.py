# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the boards of board-configs."""

import collections
import functools
import os
import re

from pixmill.failure import Failure, Status
from pixmill.places import BOARDS, SCRIPTS, WORK, qemu

# The names of an architecture: Debian's, QEMU's, the triplet of libraries and cross compilers, and the name in kernel_files.py.
Architecture = collections.namedtuple("Architecture", "debian qemu triplet processor")


class Board:
    """The settings and lists in board-configs/NAME."""

    def __init__(self, folder):
        self.folder = folder
        self.name = os.path.basename(folder)
        self.one_processor = False  # true if the guest starts just one, as in a run that repeats exactly
        self.settings = {}
        for line in lines_of(os.path.join(folder, "board")):
            name, _, value = line.partition(" ")
            self.settings[name] = value.strip()

    def __getitem__(self, name):
        return self.settings[name]

    def get(self, name):
        return self.settings.get(name)

    def captured(self, *names):
        """Returns the device types to capture in the suite with any of these names (setting "captures")."""
        types, *suites = (self.get("captures") or "").split() or [""]
        return types.split(",") if set(names) & set(suites) else []

    def own_suites(self):
        """Returns the setting "suites": the suites that run by default on a board that does not run all of them."""
        return (self.get("suites") or "").split()

    def expectations(self):
        """Returns ("+" or "-", regular expression) for each line that the kernel log must or must not have."""
        lines = lines_of(os.path.join(self.folder, "expect"))
        if self.one_processor:
            lines = [re.sub(r"\b\d+ CPUs$", "1 CPU$", line) for line in lines]
        return [tuple(line.split(" ", 1)) for line in lines]

    # ---- software -------------------------------------------------------------------------

    @property
    def firmware(self):
        """The folder in guest/ with the board's firmware; None if the board boots a kernel."""
        return self.get("firmware")

    @property
    def guest(self):
        """The board whose packages, kernels and initramfs this board uses: the setting "guest", or the board itself."""
        return self.get("guest") or self.name

    def kernels(self, asked=False):
        """Returns the kernel series to test; with `asked`, also those that only run if they are named."""
        return [series for series, _, *more in self.kernel_lines() if asked or "asked" not in more]

    def kernel_lines(self):
        """Returns the words of each line in the file "kernels": SERIES RELEASE [asked [NAME=VERSION...]]."""
        return [] if self.firmware else [line.split() for line in lines_of(os.path.join(BOARDS, self.guest, "kernels"))]

    def expected_versions(self, series):
        """Returns {"linux" or "mesa": version} for which the lists of expected failures were written; {} for a stable series."""
        return dict(word.split("=") for name, _, *more in self.kernel_lines() if name == series for word in more if "=" in word)

    def tested(self):
        """Returns the series that scripts/test boots: only the first one if just the device tree differs from
        another board."""
        return self.kernels()[: 1 if self.guest != self.name else None]

    def require_kernel(self, series):
        if series not in self.kernels(asked=True):
            raise Failure(Status.USAGE, f"no Debian release is known for kernel series {series}",
                          f"known for {self.name}: {' '.join(self.kernels(asked=True))}; to add one: a line in "
                          f"board-configs/{self.guest}/kernels")

    # ---- builds ---------------------------------------------------------------------------

    @property
    def arch(self):
        """The board's Architecture, a line of scripts/lib/architectures."""
        return architectures()[self.get("arch") or "armhf"]

    @property
    def target(self):
        """The QEMU target of the board's machine, such as "arm"."""
        return self.arch.qemu

    def qemu(self):
        """Returns the path where the board's QEMU is built."""
        return qemu(self.target)

    def guest_folder(self, series):
        """Returns the folder to which scripts/guest writes the board's guest."""
        return os.path.join(WORK, "guest", f"{self.guest}-{series}")


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


@functools.cache
def architectures():
    """Returns {Debian's name: Architecture}."""
    return {line.split()[0]: Architecture(*line.split()) for line in lines_of(os.path.join(SCRIPTS, "lib", "architectures"))}


def names():
    return sorted(os.listdir(BOARDS))


def board(name):
    """Returns the board of that name; ends the command if there is none."""
    if name not in names():
        raise Failure(Status.USAGE, f"there is no board {name}", f"available: {' '.join(names())}")
    return Board(os.path.join(BOARDS, name))
