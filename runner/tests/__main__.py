# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tests, and prints a line for each and finally the counts.

usage: python3 -m tests [--shard I/N] [NAME...]

Run it in the folder runner. NAME is a module without "test_" (judge), or a class or a test in it (judge.PiglitTest,
judge.alpha_counts); without names, all tests run. --shard runs the Ith of N parts. Exits with 1 if a test failed, with 2 if a name
is unknown. setting.py describes the environment variables that tests need.
"""

import glob
import os
import signal
import sys
import traceback
import unittest

from pixmill import counts, processes, results
from pixmill.places import REPO

HERE = os.path.dirname(os.path.realpath(__file__))
PREFIX = "test_"


class Lines(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.counts = dict.fromkeys(counts.OUTCOMES, 0)

    def tell(self, outcome, test, why=""):
        first, *more = str(why).splitlines() or [""]
        self.counts[outcome] += 1
        print(f"{outcome:7} {name_of(test)}{first and ': '}{first}", *(f"      | {line}" for line in more), sep="\n", flush=True)

    def addSuccess(self, test):
        self.tell("passed", test)

    def addSkip(self, test, reason):
        self.tell("skipped", test, reason)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.tell("failed", test, reason_of(test, err[1]))

    def addError(self, test, err):
        super().addError(test, err)
        self.tell("failed", test, reason_of(test, err[1]))

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.addFailure(subtest, err)

    def addExpectedFailure(self, test, err):
        self.tell("passed", test)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.tell("failed", test, "it passes unexpectedly")


def name_of(test):
    """Returns "MODULE: TEST"."""
    words = test.id().split(".")
    if not isinstance(test, unittest.TestCase) or words[0] != "tests":
        return test.id()  # set-up of a class or a module
    return f"{words[1].removeprefix(PREFIX)}: {'.'.join(words[3:]).removeprefix(PREFIX)}"


def reason_of(test, error):
    """Returns the failure and where it happened: the line in the test and the innermost line."""
    machinery = os.path.dirname(unittest.__file__) + os.sep
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(machinery)]
    own = [frame for frame in frames if test.id().endswith("." + frame.name)]
    places = dict.fromkeys(f"{os.path.relpath(frame.filename, REPO)}:{frame.lineno}" for frame in (*own[:1], *frames[-1:]))
    text = str(error)
    if not isinstance(error, AssertionError):
        text = f"{type(error).__name__} {text}"
    elif not text and frames:
        text = frames[-1].line  # the assertion
    first, _, more = text.partition("\n")
    return first + (f" ({', '.join(places)})" if places else "") + (f"\n{more}" if more else "")


def tests_in(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_in(test)
        else:
            yield test


def modules():
    return sorted(os.path.basename(path)[len(PREFIX):-len(".py")] for path in glob.glob(os.path.join(glob.escape(HERE), PREFIX + "*.py")))


def chosen(name):
    """Returns the tests that the name selects."""
    module, *words = name.split(".")
    if module not in modules():
        raise LookupError(f"there are no tests {module}; available: {' '.join(modules())}")
    found = [test for test in tests_in(unittest.defaultTestLoader.loadTestsFromName(f"tests.{PREFIX}{module}"))
             if set(words) <= {*test.id().split("."), test.id().split(".")[-1].removeprefix(PREFIX)} or not test.id().startswith("tests.")]
    if not found:
        raise LookupError(f"no test {name}")
    return found


def shard_of(tests, words):
    """Selects the tests of a shard by their names. Classes with an expensive set-up stay in one shard."""
    unit = {test: test.id().rpartition(".")[0] if getattr(test, "in_one_shard", False) else test.id() for test in tests}
    units = set(results.shard_of(set(unit.values()), words))
    return [test for test in tests if unit[test] in units]


def main():
    words, shard = sys.argv[1:], "1/1"
    if words[:1] == ["--shard"] and len(words) > 1:
        shard, words = words[1], words[2:]
    if {"-h", "--help"} & set(words):
        print(__doc__)
        return 0
    try:
        if [word for word in words if word.startswith("-")] or not results.is_shard(shard):
            raise LookupError("wrong usage: see --help")
        tests = list(dict.fromkeys(test for name in words or modules() for test in chosen(name)))
    except LookupError as error:
        print(f"tests: {error.args[0]}", file=sys.stderr)
        return 2
    os.environ.pop(processes.INNER, None)  # commands under test are the outermost ones
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in background jobs
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup(1) ignores it
    processes.end_on_sigterm()
    lines = Lines()
    unittest.TestSuite(shard_of(tests, shard)).run(lines)
    print(counts.line(lines.counts))
    return 1 if lines.counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
