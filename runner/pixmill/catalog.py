# SPDX-License-Identifier: GPL-2.0-or-later
"""Lists the boards with their kernels and suites, for --list."""

import os
import shutil
import textwrap

from pixmill import boards, judge
from pixmill.places import INSTALLED, SUITES, command_name

FIRMWARE = command_name("demo") if INSTALLED else "scripts/demo and scripts/test"


def suites_of(board):
    """Returns (name, True if it runs by default) for each suite of the board."""
    if board.firmware:
        return [(name, True) for name in board.own_suites()]
    every = [judge.Suite(os.path.join(SUITES, name)) for name in sorted(os.listdir(SUITES))]
    chosen = board.own_suites()
    return [(suite.name, (not chosen or suite.name in chosen) and not suite.waits_to_be_asked())
            for suite in every if suite.is_for(board)]


def kernels_of(board):
    """Returns the board's kernel series as text; "*" marks those that only run if they are named."""
    if board.firmware:
        return "firmware"
    named = board.kernels()
    return " ".join([*named, *(f"{series}*" for series in board.kernels(asked=True) if series not in named)])


def text():
    width = max(60, min(130, shutil.get_terminal_size((100, 24)).columns))
    rows = [("board", "kernels", "suites (* here or at kernels: only if named)")]
    for board in map(boards.board, boards.names()):
        suites = " ".join(suite + "*" * (not unasked) for suite, unasked in suites_of(board))
        rows.append((board.name, kernels_of(board), suites))
    columns = [max(map(len, column)) + 2 for column in list(zip(*rows))[:2]]
    lines = [textwrap.fill(suites, width, initial_indent=f"{name:<{columns[0]}}{kernels:<{columns[1]}}",
                           subsequent_indent=" " * sum(columns), break_on_hyphens=False) for name, kernels, suites in rows]
    return "\n".join([*lines, f"Boards with firmware are for {FIRMWARE}."])
