# SPDX-License-Identifier: GPL-2.0-or-later
"""Parses the options of commands. The word after an option is always its value; the message about an unknown option suggests a
similar one."""

import argparse
import sys
import textwrap

from pixmill.failure import Failure, Status
from pixmill.nearest import nearest
from pixmill.places import command_name


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Formats help texts without breaking lines at hyphens, which options contain."""

    def _split_lines(self, text, width):
        return textwrap.wrap(text, width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """The parser of a command; wrong usage raises Failure."""

    def __init__(self, name, **more):
        super().__init__(**{"prog": command_name(name), "formatter_class": Formatter,
                            "allow_abbrev": False, **more})

    def joined(self, words):
        """Joins "--option value" to "--option=value", since a value may begin with "-", such as QEMU's options."""
        words, joined = list(words), []
        while words:
            word = words.pop(0)
            option = self._option_string_actions.get(word)
            if word == "--":
                return [*joined, word, *words]
            if option and option.nargs is None:
                if not words:
                    self.error(f"{word} needs a value")
                word = f"{word}={words.pop(0)}" if word.startswith("--") else word
            joined.append(word)
        return joined

    def parse_args(self, args=None, namespace=None):
        parsed, unknown = self.parse_known_args(self.joined(sys.argv[1:] if args is None else args), namespace)
        if unknown:
            shown = [name for name, option in self._option_string_actions.items() if option.help != argparse.SUPPRESS]
            near = nearest(unknown[0], shown)
            self.error(f"unknown argument: {unknown[0]}" + (f"; the nearest is {near}" if near else ""))
        return parsed

    def error(self, message):
        raise Failure(Status.USAGE, message, f"see {self.prog} --help")
