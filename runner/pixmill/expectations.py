# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares results with the expected ones: three lists in the format of Mesa's CI (deqp-runner).

fails     "NAME,RESULT": the expected result, Fail, Crash or Timeout; any other result, even Pass, fails the run. A suite with an
          expected Crash or Timeout may end the guest, so it runs in a separate boot
flakes    regular expressions: a case that fails and matches is run again, and may then pass
skips     regular expressions: a matching case is not run; a case of a program that runs many cases is not judged

"#" begins a comment; empty lines are ignored. A comment above lines of "fails" is their reason. NAME is
BOARD/SERIES/SUITE/CASE; the board, or the board and the series, may be omitted. In a suite's own list
(board-configs/BOARD/SUITE-fails) it is only CASE. Spaces in a case's name are written as "-".
"""

import os
import re

from pixmill.failure import Usage

RESULTS = ("Fail", "Crash", "Timeout")


class BadList(Usage):
    """Raised for a list that cannot be parsed; the text names the file and the line."""


def full_name(board, series, suite, case):
    return "/".join(part.replace(" ", "-") for part in (board, series, suite, case) if part)


def names_of(board, series, suite, case):
    """Returns the names that lists may use for a case, the full name first."""
    full = full_name(board, series, suite, case)
    parts = [part for part in (board, series) if part]
    return [full] + [full.split("/", count)[count] for count in range(1, len(parts) + 1)]


def lines_of(path):
    """Yields (number, line, comment right above it) for each line that is neither empty nor a comment."""
    reason, fresh = [], False
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line = line.decode().strip()
            except UnicodeDecodeError as error:
                raise BadList(f"{path}:{number}: this is not UTF-8 text: {error.reason}") from error
            if line.startswith("#"):
                reason = reason if fresh else []
                reason.append(line[1:].strip())
                fresh = True
            elif line:
                fresh = False
                yield number, line, " ".join(reason)
            else:
                reason, fresh = [], False


class Expectations:
    def __init__(self):
        self.fails = {}  # name: (result, reason)
        self.flakes, self.skips = [], []

    def read_fails(self, path):
        for number, line, reason in lines_of(path):
            name, _, result = line.rpartition(",")
            if not name or result not in RESULTS:
                raise BadList(f"{path}:{number}: expected NAME,RESULT with one of {' '.join(RESULTS)}: {line}")
            self.fails[name] = (result, reason)

    def read_expressions(self, path, to):
        for number, line, _ in lines_of(path):
            try:
                expression = re.compile(line)
            except re.error as error:
                raise BadList(f"{path}:{number}: {error}: {line}") from error
            if expression.search(""):
                raise BadList(f"{path}:{number}: this matches every name: {line}")
            to.append(expression)

    def read(self, fails=(), flakes=(), skips=()):
        for path in fails:
            self.read_fails(path)
        for path in flakes:
            self.read_expressions(path, self.flakes)
        for path in skips:
            self.read_expressions(path, self.skips)
        return self

    def read_board(self, folder):
        """Reads the board's lists, as far as they exist."""
        paths = {kind: [os.path.join(folder, kind)] for kind in ("fails", "flakes", "skips")}
        return self.read(**{kind: [path for path in named if os.path.exists(path)] for kind, named in paths.items()})

    def has_ends(self, suites):
        """True if a case of the suite is expected to end the guest, or if the suite is expected to end early.
        `suites` has all names of the suite."""
        return any(name.startswith(f"{suite}/") and (result != "Fail" or name == f"{suite}/run")
                   for suite in suites for name, (result, _) in self.fails.items())

    def is_flake(self, name):
        return any(expression.search(name) for expression in self.flakes)

    def is_skipped(self, name):
        return any(expression.search(name) for expression in self.skips)

    def apply(self, case, names):
        """Adjusts the outcome of a case to the lists, in which it may have any of these names. An expected failure
        counts as skipped."""
        expected = next((self.fails[name] for name in names if name in self.fails), None)
        if self.is_skipped(names[0]):
            case.outcome, case.why = "skipped", "it is in the list of skips"
        elif expected and case.outcome != "skipped":
            result, reason = expected
            case.expected = result
            if case.result == result:
                case.outcome, case.why = "skipped", f"{case.why}; known failure: {reason or 'it is in the list of fails'}"
            elif case.outcome == "passed":
                case.outcome = "failed"
                case.why = f"it passes, but is in the list of known failures: {reason}".rstrip(": ")
            else:
                case.why += f" ({case.result}, but {result} is the known result)"
        return case
