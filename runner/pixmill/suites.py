# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs suites in a guest and judges them.

Boots the board's guest, once for all suites that can share a boot, prints a line for each case and, last, the
counts. The guest's kernel, device trees and initramfs are what scripts/guest made; your own kernel or
device tree may stand in for Debian's.
"""

import argparse
import os

from pixmill import counts, judge, machine
from pixmill.failure import Usage
from pixmill.places import BOARDS, SUITES
from pixmill.session import Session


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--qemu", required=True, help="the QEMU binary")
    parser.add_argument("--guest", required=True, help="folder with boot/ and initramfs.cpio")
    parser.add_argument("--board", default="sabrelite")
    parser.add_argument("--kernel", help="a kernel image instead of Debian's")
    parser.add_argument("--dtb", help="a device tree instead of the board's")
    parser.add_argument("--label", default="", help="goes before each case's name")
    parser.add_argument("--out", required=True, help="folder for logs, results and pictures")
    parser.add_argument("--series", help="the kernel series in the results (default: that of the folder --guest)")
    for kind in ("fails", "flakes", "skips"):
        parser.add_argument(f"--{kind}", action="append", default=[], metavar="FILE",
                            help=f"a list of {kind} beside the board's, in the format of Mesa's CI")
    parser.add_argument("--thorough", action="store_true", help="no check repeats less than it can")
    parser.add_argument("--brief", action="store_true",
                        help="kernels leave out at their start what has nothing to do with the devices")
    parser.add_argument("--shell", action="store_true", help="a shell in the guest instead of suites")
    parser.add_argument("--replay", metavar="PROGRAM",
                        help="pixmill-replay: suites that the board names leave captures, which it must replay to the same")
    parser.add_argument("--qemu-options", default="", help="more of QEMU's options, such as -trace")
    parser.add_argument("suites", nargs="*", help="default: all that are for the board")
    return parser.parse_args()


def check(args):
    """What keeps a run from its start, in words; nothing otherwise."""
    for folder, what, name in ((BOARDS, "board", args.board), *((SUITES, "suite", name) for name in args.suites)):
        known = sorted(os.listdir(folder))
        if name not in known:
            return f"there is no {what} {name}; available: {' '.join(known)}"
    if not os.access(args.qemu, os.X_OK) or os.path.isdir(args.qemu):
        return f"--qemu {args.qemu}: there is no such program"
    if args.replay and not os.access(args.replay, os.X_OK):
        return f"--replay {args.replay}: there is no such program"
    for path in filter(None, (args.kernel, args.dtb, os.path.join(args.guest, "initramfs.cpio"))):
        if not os.path.isfile(path):
            return f"there is no file {path}"
    return ""


def main():
    args = options()
    complaint = check(args)
    if complaint:
        raise Usage(complaint)
    return run(args)


def run(args):
    session = Session(args)
    if args.shell:
        return machine.run_shell(session.command("shell"), session.board)
    os.makedirs(args.out, exist_ok=True)
    every = sorted(os.listdir(SUITES))
    names = args.suites or (session.board.get("suites") or "").split() or every
    suites = [judge.Suite(os.path.join(SUITES, name)) for name in names]
    suites = [suite for suite in suites
              if suite.is_for(session.board) and (args.suites or not suite.waits_to_be_asked(session.series))]
    for boot in session.boots(suites):
        session.boot(boot)
    for name, times in session.again.items():
        print(f"        {args.label}{name} was run again {'once' if times == 1 else 'twice'}")
    session.report.write(args.out, machine.qemu_version(args.qemu))
    print(counts.line(session.counts))
    return session.status()[0]
