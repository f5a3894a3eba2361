# SPDX-License-Identifier: GPL-2.0-or-later
"""Formats and parses the counts of a run, the last line of every command that judges cases."""

import re

LINE = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")
OUTCOMES = ("passed", "failed", "skipped")


def line(counts):
    """Formats a mapping from outcomes to numbers."""
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES)


def read(text):
    """Returns the counts in the last line of a text; None if there are none."""
    lines = text.rstrip().splitlines()
    match = LINE.fullmatch(lines[-1]) if lines else None
    return match and dict(zip(OUTCOMES, map(int, match.groups())))
