# SPDX-License-Identifier: GPL-2.0-or-later
"""scripts/test: builds what is missing and runs the suites of tests, side by side."""

import contextlib
import fcntl
import os
import shutil
import tomllib

from pixmill import boards, counts, long, prepare
from pixmill.failure import Failure, Status
from pixmill.options import Parser
from pixmill.places import LOGS, OUT, RUNNER, WORK, command_name, make_places
from pixmill.processes import end_on_sigterm
from pixmill.scheduler import Scheduler
from pixmill.stages import Plan, Stages, guest_suites

SUITES = {
    "unit": "the cores alone",
    "qtest": "the devices in the built QEMU, through its qtest protocol",
    "runner": "what boots guests and judges them, with a stand-in for QEMU and with QEMU",
    "guest": "Debian's kernels and drivers, its X server, and our firmware on the devices of every board",
    "engines": "a guest's suite under LAVA and labgrid (as root), compared with what our own runner has seen",
    "sanitize": "the unit tests under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer, and random programs and "
                "migration streams on a QEMU with sanitized devices",
    "fuzz": "the cores fed with random input, under sanitizers",
    "aarch64": "the cores cross-compiled, and a sample of their unit tests under qemu-user (AARCH64_ALL=1: all of them)",
    "style": "format, layers, names, shell, Python, clang-tidy; only if it is named, as .ci/run does",
    "package": "the Debian package, installed and used in root file systems of Debian 12 and 13 (as root); only if it is named",
    "doors": "the commands that the docs name, in fresh root file systems of Debian 12 and 13 (as root): do they get the packages that "
             "they need; only if it is named",
}
ASKED = ("style", "package", "doors")

# Whose jobs come first: the longest chains, and what others wait for. Fuzzers are many small jobs: they fill what is left.
ORDER = ("guest", "runner", "unit", "qtest", "sanitize", "aarch64", "style", "engines", "package", "doors", "fuzz")

def parser():
    suites = "\n".join(f"  {name:9} {what}" for name, what in SUITES.items())
    parse = Parser(
        "test", description=f"Builds what is missing and runs the suites, all but the last three unless some are named:\n\n{suites}",
        epilog=f"{long.help_text()}\n\nEnds with a table of what each stage has cost, and the counts: N passed, N failed, N skipped.\nExits with 0 only if none failed. "
               "Logs: out/test.")
    add = parse.add_argument
    add("suites", nargs="*", metavar="SUITE", help="one of these; with --long PART or PART=AMOUNT")
    add("--long", action="store_true", help="what takes hours instead, part by part: see below")
    add("--again", action="store_true", help="with --long: parts that are done, too")
    add("--thorough", action="store_true", help="what CI runs: more of the random work, and guests that check more often")
    add("--board", action="append", default=[], help="only this board in the guest suite, a folder of board-configs")
    add("--kernel-series", action="append", default=[], metavar="S", help="only this kernel series there, and no board that runs firmware")
    add("--only", action="append", default=[], metavar="NAME",
        help="only this suite of guest/suites, or of a board with firmware (\"programs\": others' programs)")
    add("--coverage", action="store_true", help="after the suite fuzz: which lines and branches of hw/ its inputs reach")
    add("--yes", action="store_true", help="install missing Debian packages without asking (sudo)")
    return parse


def options(words=None):
    args = parser().parse_args(words)
    if args.long:
        long.amounts(args.suites)
        return args
    for name in args.suites:
        if name not in SUITES:
            refuse(f"there is no suite {name}", f"available: {' '.join(SUITES)}")
    chosen = [boards.board(name) for name in args.board or boards.names()]
    if args.kernel_series:
        booting = [board for board in chosen if not board.firmware]
        if not booting:
            refuse("--kernel-series is for boards that boot a kernel",
                   f"{' '.join(board.name for board in chosen)} runs firmware: name another --board, or leave --kernel-series out")
        chosen = booting
        for board in chosen:
            for series in args.kernel_series:
                board.require_kernel(series)
    known = {name for board in chosen for name in guest_suites(board)}
    for name in args.only:
        if name not in known:
            refuse(f"there is no guest suite {name}", f"available: {' '.join(sorted(known))}")
    args.boards = [board.name for board in chosen]
    args.suites = args.suites or [name for name in SUITES if name not in ASKED]
    return args


def refuse(what, *advice):
    raise Failure(Status.USAGE, what, *advice)


def plan_of(args):
    budget = budgets()["thorough" if args.thorough else "brief"]
    random = {stage: {name: str(value) for name, value in environment.items()} for stage, environment in budget["random"].items()}
    seconds = float(os.environ.get("FUZZ_SECONDS") or budget["fuzz"])
    return Plan(os.path.join(OUT, "test"), args.boards, args.kernel_series, args.only, args.suites, args.thorough, args.coverage,
                random, seconds)


def budgets():
    """runner/budget.toml."""
    with open(os.path.join(RUNNER, "budget.toml"), "rb") as file:
        return tomllib.load(file)


@contextlib.contextmanager
def alone():
    """Two runs in one clone would remove each other's results."""
    os.makedirs(LOGS, exist_ok=True)
    with open(os.path.join(WORK, "test.lock"), "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refuse(f"another {command_name('test')} runs in this clone", "wait for its end, or use another clone")
        yield


def needed(args):
    """What scripts/packages calls the packages for that."""
    if args.long:
        return ["test/long"]
    return ([f"test/{suite}" for suite in args.suites] + ["test/coverage"] * args.coverage
            + ["test/glmark2"] * any(name.startswith("glmark2") for name in args.only))


def main():
    end_on_sigterm()
    args = options()
    make_places()
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
        print("== what failed")  # again: of a long output the end is all that is read, or kept
        for case in total.failed:
            print(f"failed  {case}")
    print("== what it has cost")
    for line in scheduler.table(seconds):
        print(line)
    print(counts.line(total.counts()))
    return Status.FAILED if total.failed or not total.passed else Status.PASSED
