# SPDX-License-Identifier: GPL-2.0-or-later
"""Dispatches Pixmill's commands. The programs in scripts/ run python3 runner/pixmill COMMAND [...]."""

import importlib
import os
import sys

# A user's PATH may lack the sbin folders, which have depmod and mkfs. scripts/lib/common.bash does the same.
SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
os.environ["PATH"] = ":".join(filter(None, (os.environ.get("PATH"), SYSTEM)))

sys.path[0] = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

COMMANDS = {
    "demo": "boots Debian's kernel, or firmware, and saves a picture",
    "run": "boots a kernel on a board and runs programs or suites",
    "results": "merges the results of shards",
    "suites": "runs the suites of a board and judges them",
    "firmware": "runs our firmware's suites on a board and judges them",
    "program": "runs the user's firmware on a board",
    "test": "builds what is missing and runs the test suites",
    "bench": "compares the speed of the cores with other libraries",
    "nearest": "prints the word of a list that is most similar to another word",
    "gles2_pictures": "lists the scenes that two folders of pictures have in common",
}


def main():
    # pylint: disable=import-outside-toplevel
    from pixmill.failure import Status
    from pixmill.processes import ended

    from pixmill.nearest import nearest

    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        near = nearest(sys.argv[1], COMMANDS) if len(sys.argv) > 1 else ""
        print(f"pixmill: usage: pixmill COMMAND [...]; the commands: {' '.join(COMMANDS)}"
              + (f"; the nearest is {near}" if near else ""), file=sys.stderr)
        return Status.USAGE
    command = sys.argv.pop(1)
    return ended(lambda: importlib.import_module(f"pixmill.{command}").main())


if __name__ == "__main__":
    sys.exit(main())
