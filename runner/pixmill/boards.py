# SPDX-License-Identifier: GPL-2.0-or-later
"""The boards of board-configs, and how their files are read."""

import os


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
