# SPDX-License-Identifier: GPL-2.0-or-later
"""Pixmill's commands: python3 runner/pixmill COMMAND [...], as the programs in scripts/ call it."""

import importlib
import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

COMMANDS = {
    "run": "boots a kernel on a board, and runs programs or suites there",
    "results": "merges the results of shards",
    "suites": "runs the suites of a board and judges them",
    "firmware": "runs our firmware's suites on a board and judges them",
    "program": "runs a program on a board that runs firmware",
    "test": "builds what is missing and runs the suites of tests",
    "gles2_pictures": "lists the scenes that two folders of pictures have in common",
}


def main():
    # pylint: disable=import-outside-toplevel
    from pixmill.failure import Status
    from pixmill.processes import ended

    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        print(f"pixmill: usage: pixmill COMMAND [...]; the commands: {' '.join(COMMANDS)}", file=sys.stderr)
        return Status.USAGE
    command = sys.argv.pop(1)
    return ended(lambda: importlib.import_module(f"pixmill.{command}").main())


if __name__ == "__main__":
    sys.exit(main())
