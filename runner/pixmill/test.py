# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds anything that is missing and runs the test suites in parallel, for scripts/test."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import textwrap
import tomllib

from pixmill import boards, counts, long, prepare
from pixmill.failure import Failure, Status
from pixmill.options import Parser
from pixmill.places import LOGS, OUT, RUNNER, WORK, command_name, make_places
from pixmill.processes import end_on_sigterm
from pixmill.scheduler import Scheduler
from pixmill.stages import Plan, Stages, guest_suites

SUITES = {
    "unit": "unit tests of the device cores, without QEMU",
    "qtest": "device tests in the built QEMU, over the qtest protocol",
    "runner": "the test runner itself, with a fake QEMU and with the real one",
    "guest": "Debian's kernels, drivers and X server, and our firmware, on every board",
    "engines": "a guest suite under LAVA and labgrid (as root), compared with the results of our own runner",
    "sanitize": "unit tests under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer; random programs and "
                "migration streams in a QEMU with sanitized devices",
    "fuzz": "fuzzers of the device cores, under sanitizers",
    "aarch64": "the device cores, cross-compiled, and a sample of their unit tests under qemu-user (AARCH64_ALL=1: all of them)",
    "style": "format, layers, names, shell, Python, clang-tidy",
    "package": "the Debian package, installed and used in root file systems of Debian 12 and 13 (as root)",
    "doors": "the commands that the docs name install the packages they need, in fresh root file systems of Debian 12 and 13 "
             "(as root)",
}
ASKED = ("style", "package", "doors")

# The order in which jobs are added: first the longest chains and the jobs that others need. The fuzzers' many small
# jobs fill gaps.
ORDER = ("guest", "runner", "unit", "qtest", "sanitize", "aarch64", "style", "engines", "package", "doors", "fuzz")


def help_texts():
    """Returns the help texts before and after the options."""
    rows = "\n".join(textwrap.fill(what, 80, initial_indent=f"  {name:9} ", subsequent_indent=" " * 12, break_on_hyphens=False)
                     for name, what in SUITES.items())
    before = f"Builds what is missing and runs test suites: those named, or all but style,\npackage and doors:\n\n{rows}"
    after = f"""examples:
  {command_name('test')} unit
  {command_name('test')} guest --board sabrelite --kernel-series 6.12 --only libdrm
  GTEST_FILTER='*Migration*' {command_name('test')} qtest

All suites take half an hour on two cores and 6 GB of disk; the first run takes
longer, as it builds QEMU, the guests and the tests.

{long.help_text()}

Ends with a table of the cost of each stage, and the counts: N passed, N failed,
N skipped. Exits with 0 only if none failed, with 1 if a test failed, with 2 to 5
if tests could not run or the host ended them (as {command_name('run')} does). Logs:
out/test."""
    return before, after


def parser():
    before, after = help_texts()
    parse = Parser("test", description=before, epilog=after)
    add = parse.add_argument
    add("suites", nargs="*", metavar="SUITE", help="run this suite; with --long, PART or PART=AMOUNT")
    add("--long", action="store_true", help="run the long tests instead, part by part: see below")
    add("--again", action="store_true", help="with --long: repeat parts that are finished, too")
    add("--thorough", action="store_true", help="test as CI does: with more random tests, and more repetitions in guests")
    add("--board", action="append", default=[], help="restrict the suite guest to this board, see scripts/run --list; may be "
        "repeated")
    add("--kernel-series", action="append", default=[], metavar="S", help="restrict it to this kernel series, and to boards "
        "that boot a kernel; may be repeated")
    add("--only", action="append", default=[], metavar="NAME", help="restrict it to this guest suite, see scripts/run --list, "
        "or to \"programs\": users' programs on boards that run firmware; may be repeated")
    add("--deterministic", action="store_true", help="run the suite guest so that equal runs give equal bytes, without the suites "
        "that cannot; see scripts/run")
    add("--coverage", action="store_true", help="after the suite fuzz, report which lines and branches of hw/ its inputs reach")
    add("--yes", action="store_true", help="install missing Debian packages without asking (sudo)")
    return parse


def options(words=None):
    args = parser().parse_args(words)
    if args.long:
        long.amounts(args.suites)
        return args
    for name in args.suites:
        if name not in SUITES and name.partition("=")[0] in long.PARTS:
            refuse(f"there is no suite {name}; it is a part of the long tests", f"run {command_name('test')} --long {name}")
        if name not in SUITES:
            refuse(f"there is no suite {name}", f"available: {' '.join(SUITES)}")
    chosen = [boards.board(name) for name in args.board or boards.names()]
    if args.kernel_series:
        booting = [board for board in chosen if not board.firmware]
        if not booting:
            refuse("--kernel-series is for boards that boot a kernel",
                   f"{' '.join(board.name for board in chosen)} runs firmware: name another --board, or leave out "
                   "--kernel-series")
        chosen = booting
        for board in chosen:
            for series in args.kernel_series:
                board.require_kernel(series)
    known = {name for board in chosen for name in guest_suites(board)}
    for name in args.only:
        if name not in known:
            refuse(f"there is no guest suite {name}", f"available: {' '.join(sorted(known))}")
    args.boards = [board.name for board in chosen]
    args.named = bool(args.suites)
    args.suites = args.suites or [name for name in SUITES if name not in ASKED]
    return args


def refuse(what, *advice):
    raise Failure(Status.USAGE, what, *advice)


def plan_of(args):
    budget = budgets()["thorough" if args.thorough else "brief"]
    random = {stage: {name: str(value) for name, value in environment.items()} for stage, environment in budget["random"].items()}
    seconds = float(os.environ.get("FUZZ_SECONDS") or budget["fuzz"])
    return Plan(os.path.join(OUT, "test"), args.boards, args.kernel_series, args.only, args.suites, args.thorough, args.coverage,
                random, seconds, args.deterministic)


def budgets():
    """Returns the contents of runner/budget.toml."""
    with open(os.path.join(RUNNER, "budget.toml"), "rb") as file:
        return tomllib.load(file)


@contextlib.contextmanager
def alone():
    """Locks the clone, since two runs would remove each other's results."""
    os.makedirs(LOGS, exist_ok=True)
    with open(os.path.join(WORK, "test.lock"), "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refuse(f"another {command_name('test')} is running in this clone", "wait until it ends, or use another clone")
        yield


def needed(args):
    """Returns the groups in scripts/packages that are needed."""
    if args.long:
        return [f"test/long/{part}" for part in long.amounts(args.suites)]
    return ([f"test/{suite}" for suite in args.suites] + ["test/coverage"] * args.coverage
            + ["bench/instructions"] * (args.thorough and "runner" in args.suites)
            + ["test/glmark2"] * any(name.startswith("glmark2") for name in args.only))


def leave_out_engines(args):
    """Leaves out the suite "engines" if this release of Debian has no labgrid, as is the case for Debian 13. First
    installs the other packages, which updates apt's lists if necessary."""
    rest = [suite for suite in args.suites if suite != "engines"]
    prepare.packages(*(f"test/{suite}" for suite in rest), yes=args.yes)
    said = subprocess.run(["apt-cache", "policy", "python3-labgrid"], capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C"}).stdout
    if "Candidate: (none)" in said or not said.strip():
        print("note    the suite engines is left out: this release of Debian has no python3-labgrid", flush=True)
        args.suites = rest


def main():
    end_on_sigterm()
    args = options()
    make_places()
    if not args.long and not args.named and "engines" in args.suites:
        leave_out_engines(args)
    prepare.packages(*needed(args), yes=args.yes)
    with alone():
        return long.main(args) if args.long else run(args)


def run(args):
    plan = plan_of(args)
    shutil.rmtree(plan.results, ignore_errors=True)
    os.makedirs(plan.results)
    scheduler = Scheduler(plan.results, tell=lambda text: print(text, flush=True))
    stages = Stages(plan, scheduler)
    for suite in ORDER:
        if suite in args.suites:
            getattr(stages, suite)()
    scheduler.run()
    return finish(scheduler, budgets()["seconds"]["thorough" if args.thorough else "brief"])


def finish(scheduler, seconds):
    total = scheduler.total()
    if total.failed:
        print("== what failed")  # once more, since of a long output only the end is read or kept
        for case in total.failed:
            print(f"failed  {case}")
    print("== cost")
    for line in scheduler.table(seconds):
        print(line)
    print(counts.line(total.counts()))
    return total.status() or (Status.PASSED if total.passed else Status.FAILED)
