# SPDX-License-Identifier: GPL-2.0-or-later
"""Formats and parses the counts of a run, which every command that judges cases prints as its last line."""

import re

LINE = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")
OUTCOMES = ("passed", "failed", "skipped")


def line(counts):
    """Formats counts, given as {outcome: number}."""
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES)


def read(text):
    """Returns the counts in the last line of a text; None if there are none."""
    lines = text.rstrip().splitlines()
    match = LINE.fullmatch(lines[-1]) if lines else None
    return match and dict(zip(OUTCOMES, map(int, match.groups())))
