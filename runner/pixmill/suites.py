# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs suites in a guest and judges them.

Boots the board's guest, once for all suites that can share a boot, and prints a line for each case and finally the counts. The
kernel, device trees and initramfs come from scripts/guest; a kernel or device tree can be given instead of Debian's.
"""

import argparse
import dataclasses
import os

from pixmill import counts, deterministic, judge, machine
from pixmill.failure import Status, Usage
from pixmill.places import BOARDS, SUITES
from pixmill.session import Options, Session


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--qemu", required=True, help="use this QEMU")
    parser.add_argument("--guest", required=True, help="boot the guest in this folder (boot/, initramfs.cpio)")
    parser.add_argument("--board", default="sabrelite", help="boot this board (default: sabrelite)")
    parser.add_argument("--kernel", help="boot this kernel instead of Debian's")
    parser.add_argument("--dtb", help="use this device tree instead of the board's")
    parser.add_argument("--label", default="", help="print this before each case's name")
    parser.add_argument("--out", required=True, help="write logs, results and pictures to this folder")
    parser.add_argument("--series", help="name this kernel series in the results (default: that of the folder --guest)")
    for kind in ("fails", "flakes", "skips"):
        parser.add_argument(f"--{kind}", action="append", default=[], metavar="FILE",
                            help=f"read a list of {kind}, in the format of Mesa's CI, in addition to the board's; may be "
                            "repeated")
    parser.add_argument("--thorough", action="store_true", help="run checks with all their repetitions")
    parser.add_argument("--brief", action="store_true",
                        help="boot the kernel without self-tests and initcalls that have nothing to do with the devices")
    parser.add_argument("--ignore-starved", action="store_true",
                        help="accept runs in which the GPU driver reset the core because QEMU was starved of CPU")
    parser.add_argument("--deterministic", action="store_true", help="run so that equal runs give equal bytes")
    parser.add_argument("--seed", metavar="N", help="with --deterministic: vary latencies, equally for equal N")
    parser.add_argument("--shell", action="store_true", help="open a shell in the guest instead of running suites")
    parser.add_argument("--replay", metavar="PROGRAM",
                        help="capture the suites that the board names, and check that this pixmill-replay reproduces the "
                        "captures")
    parser.add_argument("--qemu-options", default="", help="pass more options to QEMU, such as -trace")
    parser.add_argument("suites", nargs="*", help="run these suites (default: all of the board's)")
    return parser.parse_args()


def check(args):
    """Returns the reason why the run cannot start, or ""."""
    for folder, what, name in ((BOARDS, "board", args.board), *((SUITES, "suite", name) for name in args.suites)):
        known = sorted(os.listdir(folder))
        if name not in known:
            return f"there is no {what} {name}; available: {' '.join(known)}"
    if not os.access(args.qemu, os.X_OK) or os.path.isdir(args.qemu):
        return f"--qemu {args.qemu}: no such program"
    if args.replay and not os.access(args.replay, os.X_OK):
        return f"--replay {args.replay}: no such program"
    for path in filter(None, (args.kernel, args.dtb, os.path.join(args.guest, "initramfs.cpio"))):
        if not os.path.isfile(path):
            return f"there is no file {path}"
    return ""


def can_repeat(session, suite):
    """True if the suite can be part of this run; otherwise prints why it is left out."""
    why = session.obstacle(suite)
    if why:
        print(f"note    {session.args.label}{suite.name} is left out with --deterministic: {why}", flush=True)
    return not why


def main():
    args = options()
    deterministic.check(args)
    complaint = check(args)
    if complaint:
        raise Usage(complaint)
    return run(args)


def run(args):
    session = Session(Options(**{field.name: getattr(args, field.name) for field in dataclasses.fields(Options)}))
    if args.shell:
        return machine.run_shell(session.command("shell"), session.board)
    os.makedirs(args.out, exist_ok=True)
    every = sorted(os.listdir(SUITES))
    names = args.suites or session.board.own_suites() or every
    suites = [judge.Suite(os.path.join(SUITES, name)) for name in names]
    suites = [suite for suite in suites
              if suite.is_for(session.board) and (args.suites or not suite.waits_to_be_asked(session.series))]
    suites = [suite for suite in suites if can_repeat(session, suite)]
    for boot in session.boots(suites):
        session.boot(boot)
    for name, times in session.again.items():
        print(f"        {args.label}{name} was run again {'once' if times == 1 else 'twice'}")
    session.report.about = {"board": args.board, **({"Linux": session.version} if session.version else {})}
    session.report.write(args.out, machine.qemu_version(args.qemu))
    status, verdict = session.status()
    if status == Status.HOST:
        print(f"        {args.label}{verdict}")
    print(counts.line(session.counts))
    return status
