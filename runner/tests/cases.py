# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the front end share: runs cases, prints a line for each and, last, the counts."""

import subprocess
import traceback


class Skip(Exception):
    """A case that cannot be run here; its text says why."""


def run(name, cases, *arguments):
    """Each case is a function that raises if something is wrong. Returns the exit status."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in cases:
        outcome, why = "passed", ""
        try:
            case(*arguments)
        except Skip as reason:
            outcome, why = "skipped", f": {reason}"
        except (AssertionError, ArithmeticError, LookupError, OSError, RuntimeError, subprocess.SubprocessError, ValueError,
                TypeError, AttributeError) as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            outcome, why = "failed", f": {where.filename}:{where.lineno}: {type(error).__name__} {error}"
        counts[outcome] += 1
        print(f"{outcome:7} {name}: {case.__name__}{why}", flush=True)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 1 if counts["failed"] else 0
