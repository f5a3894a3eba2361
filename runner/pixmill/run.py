# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots a kernel on a board and runs programs or suites there, for scripts/run (docs/use/run.md). First builds
anything that is missing (prepare.py). With --plan, only checks the options and prints what would be built.
"""

import argparse
import functools
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
import time

from pixmill import (boards, catalog, cpio, deterministic, expectations, guest_files, judge, kernel_files, machine, prepare, results,
                     session as sessions, snapshots)
from pixmill.counts import line as counts_line
from pixmill.failure import Status, Usage, about, writing
from pixmill.folder import Folder
from pixmill.options import Parser
from pixmill.places import BOARDS, CACHE, INSTALLED, OUT, SUITES, WORK, command_name, make_places

COMMAND = command_name("run")

HELP = f"""examples:
  {COMMAND} --program ./my-test -- --fast
  {COMMAND} --kernel zImage --modules mods --dtb imx6q-sabrelite.dtb --suite all
  {COMMAND} --board am57xx --suite scene2d --repeat 10
  {COMMAND} --shell --share . --network

result files, in the folder that the output names:
  report.html   the verdict and its cause; failures with pictures and logs
  results.ktap  KTAP, a subtest per suite
  junit.xml     for GitLab, Jenkins and others
  results.json  everything

exit status:
  0  all passed
  1  a case failed
  2  something you can fix: options, a file, a missing tool or package, a QEMU
     that does not start
  3  the guest did not boot, or its memory is full
  4  timeout
  5  a problem of the host, try again: a full disk, no network, a host too busy
     for a verdict
  129, 130, 143  interrupted by SIGHUP, Ctrl-C or SIGTERM
With a single --program it is the program's own status, unless the run ended
early with 2 to 5; the last line of the output says which.

Downloads are kept in {CACHE} (PIXMILL_CACHE=DIR),
builds in {WORK},
results in {OUT}; remove them to free the space.
More: docs/use/run.md
"""


def parser():
    parse = Parser(
        "run", epilog=HELP,
        usage=f"{COMMAND} [--board BOARD] [options] [--program FILE...] [-- ARGUMENT...]",
        description="Boots a kernel on a board in QEMU, and runs programs or test suites there.")
    add = parse.add_argument
    add("--board", default="sabrelite", help="boot this board, see --list (default: sabrelite)")
    add("--list", action="store_true", help="print the boards with their kernels and suites, and exit")
    add("--kernel-series", metavar="S", help="boot Debian's kernel of this series, with the libraries of its release, see --list "
        "(default: the board's first)")
    what = parse.add_argument_group("kernel and root file system")
    add = what.add_argument
    add("--kernel", metavar="FILE", help="boot this kernel instead of Debian's: a zImage, uImage, Image or bzImage")
    add("--modules", metavar="DIR|TAR", help="use these kernel modules: the DIR of make modules_install INSTALL_MOD_PATH=DIR, "
        "or a tar file of it")
    add("--dtb", metavar="FILE", help="use this device tree instead of Debian's; \"none\" if one is appended to the kernel")
    add("--append", metavar="ARGS", default="", help="append ARGS to the kernel command line")
    add("--initrd", metavar="FILE", help="boot this initramfs instead of ours. Nothing of ours runs in it: the run passes if "
        "the kernel prints to the console, does not panic, and the guest resets before the time limit")
    add("--rootfs", metavar="FILE|DIR", help="run programs in this root file system: a folder (mounted read-only), a tar or "
        "cpio archive, or a file system image (changes are discarded)")
    add("--no-gpu", action="store_true", help="accept a kernel without a driver for the GPU")
    what = parse.add_argument_group("what to run (default: the suite libdrm, or the board's own demo)")
    add = what.add_argument
    add("--program", metavar="FILE", action="append", nargs="+", default=[],
        help="copy these programs (static, dynamic, or scripts) with their libraries into the guest, and run each with the "
        "arguments after -- (names: letters, digits and ._+- only); may be repeated")
    add("--library-path", metavar="DIR", action="append", default=[], help="search DIR, too, for the programs' libraries; may be "
        "repeated")
    add("--suite", metavar="NAME", action="append", default=[], help="run this suite, see --list, or \"all\" of the board's "
        "except those marked with * there; may be repeated")
    add("--case", metavar="REGEX", action="append", default=[], help="run only cases whose SUITE/CASE matches (grep -E); may be "
        "repeated")
    add("--shard", metavar="I/N", help="run only the Ith of N equal parts of the suites and programs")
    add("--repeat", metavar="N", default="1", help="run everything N times (default: 1); a case that fails once has failed")
    add("--shell", action="store_true", help="open a shell in the guest, on this terminal, instead")
    what = parse.add_argument_group("guest environment")
    add = what.add_argument
    add("--share", metavar="DIR", help="mount DIR, whose path must not contain a comma, at /share in the guest, writable")
    add("--network", action="store_true", help="attach QEMU's user network: the guest is 10.0.2.15, the host 10.0.2.2")
    add("--gdb", metavar="PORT", nargs="?", const="1234", help="wait for GDB on this port (default: 1234) before the first "
        "instruction; disables the time limit")
    add("--display", action="store_true", help="serve the screen to VNC viewers at localhost:5900")
    add("--snapshot", action="store_true", help="save the booted guest before the tests start, and start this and later runs "
        f"from there. Boards {', '.join(boards_where(keeps_snapshots))} only; not with --gdb, --initrd, --no-gpu, --shell or an image "
        "as --rootfs")
    add("--deterministic", action="store_true", help="make equal runs give equal bytes: the guest's time counts instructions, and the "
        "GPU's work takes guest time; with --repeat, compare the runs. Excludes --display, --network, --share, --shell and "
        "--snapshot")
    add("--seed", metavar="N", help="needs --deterministic and varies the latency of interrupts and of the GPU's work, equally for "
        "equal N")
    add("--timeout", metavar="S", help="time limit in seconds, not counting waits for a busy host (default: 120 per suite, 600 "
        "per program)")
    add("--ignore-starved", action="store_true", help="accept runs in which the GPU driver reset the core because QEMU was starved of "
        "CPU; by default such runs are repeated up to twice, then end with status 5")
    add("--qemu-options", metavar="'...'", default="", help="pass more options to QEMU, quoted as in a shell, such as '-trace "
        "pixmill_core_irq'")
    what = parse.add_argument_group("results")
    add = what.add_argument
    add("--out", metavar="DIR", help="put results into DIR: a new or empty folder, or one of an earlier run, whose results are "
        f"removed (default: a new folder in {os.path.basename(OUT)}/run)")
    add("--label", metavar="TEXT", help="put TEXT into the names of cases instead of the kernel series")
    for kind, effect in (("fails", "that must fail"), ("flakes", "that may fail once"), ("skips", "not to be run")):
        add(f"--{kind}", metavar="FILE", action="append", default=[], help=f"read a list of cases {effect}, in the format of "
            "Mesa's CI, in addition to the board's; may be repeated")
    what = parse.add_argument_group("build")
    add = what.add_argument
    add("--qemu", metavar="FILE", help="use this QEMU instead of building one")
    add("--guest", metavar="DIR", help="use this guest instead of building one: a folder with boot/ and initramfs.cpio")
    add("--yes", action="store_true", help="install missing Debian packages without asking (sudo)")
    parse.add_argument("--plan", action="store_true", help=argparse.SUPPRESS)
    parse.error = lambda message: refuse(message + f"; see {COMMAND} --help")
    return parse


def refuse(message):
    raise Usage(message)


def options(words):
    words, arguments = (words[:words.index("--")], words[words.index("--") + 1:]) if "--" in words else (words, [])
    args = parser().parse_args(words)
    args.arguments = arguments
    args.words = words + ["--", *arguments] * bool(arguments)
    args.program = [path for group in args.program for path in group]
    return args if args.list else check(args)


def number(option, words, least, most):
    if not re.fullmatch(r"\d{1,7}", words) or not least <= int(words) <= most:
        refuse(f"{option} needs a number from {least} to {most}, not {words}")
    return int(words)


def check(args):
    """Checks the options, without reading the kernel."""
    names = [name for name in sorted(os.listdir(BOARDS)) if "kernels" in os.listdir(os.path.join(BOARDS, name))
              or boards.Board(os.path.join(BOARDS, name)).get("guest")]
    if args.board not in names:
        refuse(f"there is no board {args.board} that boots a kernel; available: {' '.join(names)}")
    board = args.settings = boards.Board(os.path.join(BOARDS, args.board))
    known = [line.split()[0] for line in boards.lines_of(os.path.join(BOARDS, board.get("guest") or args.board, "kernels"))]
    found = sessions.series_of(args.guest) if args.guest else ""
    series = args.kernel_series or (found if found in known else known[0])
    if series not in known:
        refuse(f"{args.board} has no kernel series {series}; it has: {' '.join(known)}")
    if found in known and found != series:
        refuse(f"--guest {args.guest} has kernel series {found}, not {series}: leave out --kernel-series, or name another guest")
    args.kernel_series = series
    for option, path in (("--kernel", args.kernel), ("--dtb", args.dtb if args.dtb != "none" else None), ("--initrd", args.initrd),
                         *(("--program", path) for path in args.program), *(("--fails", path) for path in args.fails),
                         *(("--flakes", path) for path in args.flakes), *(("--skips", path) for path in args.skips)):
        if path and not os.path.isfile(path):
            refuse(f"{option}: {path} is a folder" if os.path.isdir(path) else f"{option}: there is no file {path}")
    for option, path in (("--share", args.share), *(("--library-path", path) for path in args.library_path)):
        if path and not os.path.isdir(path):
            refuse(f"{option}: there is no folder {path}")
    for option, path in (("--modules", args.modules), ("--rootfs", args.rootfs)):
        if path and not os.path.exists(path):
            refuse(f"{option}: there is no {path}")
    programs = [os.path.basename(path) for path in args.program]
    for name in programs:
        if programs.count(name) > 1:
            refuse(f"--program: {name} is given twice")
        if not re.fullmatch(r"[\w.+-]+", name):
            refuse(f"--program: the name {name} must consist of letters, digits and ._+- only")
    if args.arguments and not args.program:
        refuse("arguments after -- need a --program to pass them to")
    if args.initrd and (args.program or args.suite or args.shell or args.rootfs or args.modules or args.share or args.network):
        refuse("with --initrd the guest runs only what is in it: leave out --program, --suite, --shell, --modules, --rootfs, "
               "--share and --network")
    if args.snapshot:
        check_snapshot(args, board)
    if args.dtb == "none" and board.arch.debian != "armhf":
        refuse(f"--dtb none does not work on {args.board}: no kernel for {board.arch.debian} has a device tree appended; name the file")
    if args.dtb and not board.get("compatible"):
        refuse(f"{args.board} uses no device tree: leave out --dtb")
    for option in ("share", "network", "rootfs"):
        if getattr(args, option) and not (option == "rootfs" and is_archive(args.rootfs)):
            check_option(option, board, lambda one: one.get("virtio"))
    if args.shard and not results.is_shard(args.shard):
        refuse(f"--shard needs I/N with I from 1 to N, not {args.shard}")
    try:
        shlex.split(args.qemu_options)
    except ValueError as error:
        refuse(f"--qemu-options {args.qemu_options}: {error}")
    args.repeat = number("--repeat", args.repeat, 1, 9999)
    args.timeout = args.timeout and number("--timeout", args.timeout, 1, 999999)
    args.gdb = args.gdb and number("--gdb", args.gdb, 1, 65535)
    for word in args.case:
        try:
            re.compile(word)
        except re.error as error:
            refuse(f"--case {word}: {error}")
    for path in (args.share, args.rootfs):
        if path and "," in os.path.abspath(path):
            refuse(f"QEMU does not accept a comma in the path of a folder or image: {path}")
    if args.dtb == "none" and not args.kernel:
        refuse("--dtb none needs a --kernel that has a device tree appended: Debian's has none")
    if args.share and args.rootfs and os.path.isdir(args.rootfs) and not os.path.isdir(os.path.join(args.rootfs, "share")):
        refuse(f"--rootfs {args.rootfs} has no folder share for --share, and is mounted read-only: create one in it")
    deterministic.check(args)
    if args.deterministic and args.rootfs and not is_archive(args.rootfs):
        refuse("--deterministic needs an archive as --rootfs: a folder's or disk's answers take the host's time")
    args.all = "all" in args.suite
    args.suite, args.left_out = suites_of(args, board)
    return args


def check_option(option, board, has):
    """Refuses an option that this board does not support; the message names the boards that do."""
    if not has(board):
        refuse(f"--{option} does not work on {board.name}, only on {', '.join(boards_where(has))}")


def boards_where(has):
    return [name for name in boards.names() if has(boards.board(name))]


def keeps_snapshots(board):
    return board.get("virtio") and board.target != "i386"


def check_snapshot(args, board):
    """Refuses options that --snapshot excludes. A disk image, for example, is mounted before the snapshot, so later
    runs could not use a different one."""
    check_option("snapshot", board, keeps_snapshots)
    for option in ("initrd", "shell", "gdb", "no_gpu"):
        if getattr(args, option):
            refuse(f"--snapshot cannot be combined with --{option.replace('_', '-')}")
    if args.rootfs and not os.path.isdir(args.rootfs) and not is_archive(args.rootfs):
        refuse("--snapshot needs a folder or an archive as --rootfs, not an image")


def is_archive(path):
    if not path or os.path.isdir(path):
        return False
    head = kernel_files.head_of(path, 512)
    if not any(head) or guest_files.file_system_of(kernel_files.head_of(path, 0x10100)):
        return False  # an image with an empty first sector, which tarfile takes for an empty archive
    return head.startswith((b"07070", b"\x1f\x8b", b"\xfd7zXZ\0", b"BZh")) or cpio.is_tar(path)


def obstacle(args, suite):
    """Returns why the suite cannot be part of a run that repeats exactly; "" if it can or need not."""
    return deterministic.obstacle(prepare.text_of(suite.name)) if args.deterministic else ""


def lack_of(args, suite):
    """Returns (what the user's guest lacks for the suite, what creates it); None if it lacks nothing."""
    if not args.guest:
        return None
    for folder in (sessions.userland_of(args.guest, name) for name in suite.all("userland")):
        if not os.path.isdir(folder):
            return folder, "scripts/guest/userland"
    files = files_given(os.path.join(args.guest, "initramfs.cpio"))
    for path, maker in ((f"suites/{suite.name}", "scripts/guest/initramfs"),
                        *((f"bin/{name}", "scripts/guest/initramfs without --bare") for name in prepare.our_programs([suite.name]))):
        if files and not files.has(path):
            return f"{path} in its initramfs", maker
    return None


def lack_of_package(suite):
    """Returns the same for a suite whose userland has our programs that the package lacks (take_built in scripts/guest/userland)."""
    lacking = [name for name in suite.all("userland") if name in ("desktop", "glmark2")] if INSTALLED else []
    return (f"userland {lacking[0]}, for which a clone of Pixmill's repository is needed", "") if lacking else None


@functools.cache
def files_given(initramfs):
    """Returns guest_files.Files for an initramfs; None if its files are unknown or if it is missing, which
    check_given() refuses."""
    return guest_files.files_of_guest(initramfs) if os.path.isfile(initramfs) else None


def suites_of(args, board):
    """Returns (names of the suites to run, {suite of "all" that is left out: why})."""
    every = {name: judge.Suite(os.path.join(SUITES, name)) for name in sorted(os.listdir(SUITES))}
    own = [name for name in board.own_suites() or every
           if every[name].is_for(board) and not every[name].waits_to_be_asked()]
    chosen, left_out = [], {}
    names = args.suite
    if not names and not args.program and not args.initrd and not args.shell:
        names = ((board.get("demo") or "").split() or ["libdrm"])[0].split(",")
    for name in names:
        if name == "all":
            left_out = {name: f"the guest has no {lack[0]}" for name in own
                        if (lack := lack_of_package(every[name]) or lack_of(args, every[name]))}
            left_out |= {name: f"with --deterministic: {why}" for name in own if (why := obstacle(args, every[name]))}
            chosen += [name for name in own if name not in left_out]
        elif name not in every or not every[name].is_for(board):
            refuse(f"{args.board} has no suite {name}; it has: {' '.join(name for name, suite in every.items() if suite.is_for(board))}")
        elif why := obstacle(args, every[name]):
            refuse(f"--deterministic cannot run the suite {name}: {why}")
        elif lack := lack_of(args, every[name]):
            refuse(f"--guest {args.guest}: suite {name} needs {lack[0]} (created by {lack[1]}): create it, or drop --guest")
        else:
            chosen.append(name)
    return sorted(set(chosen)), left_out


def plan(args):
    """Returns lines "WORD VALUE" that describe what would be built."""
    lines = [f"board {args.board}", f"series {args.kernel_series}"]
    lines += ["qemu"] * (not args.qemu) + ["guest"] * (not args.guest)
    return lines + [f"userland {name}" for name in prepare.userlands(args.suite)]


def check_whole(args):
    """Checks all the user's files before anything is built."""
    board = args.settings
    kernel_files.check_files(board, args.kernel, args.dtb, not args.no_gpu and board.get("gpu"))
    expectations.Expectations().read(fails=args.fails, flakes=args.flakes, skips=args.skips)
    if not args.qemu or not args.guest:  # else nothing is built first; the run itself reads them
        check_archives(args)


def check_given(args):
    """Checks the QEMU and the guest that the user has named."""
    if args.qemu and (not os.access(args.qemu, os.X_OK) or os.path.isdir(args.qemu)):
        refuse(f"--qemu {args.qemu}: no such program")
    for name in ("initramfs.cpio", "boot/vmlinuz") if args.guest else ():
        if not os.path.isfile(os.path.join(args.guest, name)):
            refuse(f"--guest {args.guest} has no {name}")


def make(args):
    """Builds QEMU and the guest, unless the user has named them. Installs the packages for that first."""
    board = args.settings
    make_places()
    prepare.prepare(board, args.kernel_series, args.suite, args.yes, qemu=not args.qemu, guest=not args.guest)
    args.qemu = args.qemu or board.qemu()
    args.guest = args.guest or board.guest_folder(args.kernel_series)


def check_archives(args):
    """Completely reads all files that go into the guest, to find damaged ones."""
    for path in args.program:
        guest_files.read_program(path, args.settings.arch.processor)
    if args.modules:
        print(f"        reading the modules of {args.modules}", flush=True)  # xz takes a minute of a busy host
        guest_files.check_modules(args.modules)
    if args.initrd:
        guest_files.check_initramfs(args.initrd)
    if args.rootfs and is_archive(args.rootfs):
        with guest_files.reading(args.rootfs):
            cpio.add_tree(cpio.Archive(), args.rootfs, "rootfs")
    elif args.rootfs and not os.path.isdir(args.rootfs):
        guest_files.check_rootfs(args.rootfs)


# ---- a run -------------------------------------------------------------------------------------


FOR_ALL = {"boot", "full", "qemu", "host"}  # these kinds of failures would hit further boots as well


class Spoken:
    """Prints the output of programs immediately, without the kernel's messages, which go only to the console log."""

    CURSOR = re.compile(rb"\x1b\[6n")

    def __init__(self, to):
        self.to, self.speaks = to, False

    def __call__(self, line):
        if line.startswith(b"pixmill: program ") and line.endswith(b" begins"):
            self.speaks = True
        elif line.startswith(b"pixmill: program ") and b" ended with status " in line:
            self.speaks = False
        elif self.speaks and not judge.KERNEL_LINE.match(line):
            self.to.write(self.CURSOR.sub(b"", line) + b"\n")
            self.to.flush()


class Session(sessions.Session):
    """A session (runner/pixmill/session.py) with the options of scripts/run."""

    def __init__(self, args, folder):
        self.front = args
        self.place = folder
        self.started = {}
        self.job = None
        self.begun = time.time()
        super().__init__(sessions.Options(
            qemu=args.qemu, guest=args.guest, board=args.board, kernel=args.kernel, dtb=args.dtb, out=folder,
            qemu_options=args.qemu_options, series=args.label or args.kernel_series, fails=args.fails, flakes=args.flakes,
            skips=args.skips, ignore_starved=args.ignore_starved, deterministic=args.deterministic, seed=args.seed))
        self.report.about = {"board": args.board, **facts(args)}
        self.spoken = Spoken(sys.stdout.buffer)
        if args.gdb:
            self.patience = math.inf

    def goes_to(self, name):
        """Sends further results to a subfolder of the run's folder."""
        self.args.out = os.path.join(self.place, name)
        os.makedirs(self.args.out)

    def heard(self, line):
        super().heard(line)
        self.spoken(line)

    # ---- QEMU's options ---------------------------------------------------------------

    def around(self):
        args, words = self.front, []
        if args.share:
            words.append(self.shared("share", args.share, "rw"))
        if args.rootfs and os.path.isdir(args.rootfs):
            words.append(self.shared("rootfs", args.rootfs, "ro"))
        elif args.rootfs and not is_archive(args.rootfs):
            path = shlex.quote(os.path.abspath(args.rootfs))
            words.append(f"-drive if=none,id=rootfs,format=raw,snapshot=on,file={path} " + self.virtio("blk", "drive=rootfs"))
        if args.network:
            words.append("-netdev user,id=user-network " + self.virtio("net", "netdev=user-network"))
        if args.gdb:
            words.append(f"-gdb tcp:localhost:{args.gdb} -S")
        if args.display:
            words.append("-vnc localhost:0")
        return " ".join(words)

    def ended(self, run):
        rootfs = self.front.rootfs
        if is_archive(rootfs) and (run.kind == "full" or "unpack the initramfs" in run.failure):
            run.failure += (f". The archive --rootfs {rootfs} is unpacked into it: use a smaller one" +
                            (", or a folder or a file system image, which need none" if self.board.get("virtio") else ""))
        super().ended(run)

    def start(self, command, suites, log_path):
        if not self.front.snapshot:
            return super().start(command, suites, log_path)
        try:
            snapshot = snapshots.ready(command, self.board, f"{log_path[:-len('.log')]}-snapshot.log", max(120, self.timeout(suites)),
                                       self.patience, self.version_in)
        except snapshots.Failed as failed:
            os.replace(f"{log_path[:-len('.log')]}-snapshot.log", log_path)
            return failed.result
        print(f"        snapshot: {snapshot}", flush=True)
        self.report.about["snapshot"] = str(snapshot)
        self.version = snapshot.version or self.version
        self.write_job(suites)
        result = machine.run_suites(command, self.board, log_path, self.timeout(suites), sessions.WATCHDOGS, self.patience,
                                    self.heard, restore=snapshot.path)
        if result.kind != "qemu" or result.booted or snapshot.made:
            return result
        print(f"note    the snapshot cannot be loaded and is made again: {result.failure}", flush=True)
        snapshots.forget(snapshot.path)
        return self.start(command, suites, log_path)

    def write_job(self, suites):
        """Writes the archive that the guest reads when it continues from the snapshot."""
        self.job.add(f"{guest_files.PLACE}/suites", ",".join(suite.name for suite in suites).encode())
        with writing(os.path.join(self.place, "job", "job.cpio")) as file:
            file.writelines(self.job.bytes())

    def command(self, suites, options="", more=""):
        if self.front.no_gpu:
            options += " pixmill.gpu=no"
        if self.front.snapshot:
            os.makedirs(os.path.join(self.place, "job"), exist_ok=True)
            more = self.shared(snapshots.JOB, os.path.join(self.place, "job"), "ro") + " " + more
            suites = "snapshot"
        command = super().command(suites, f"{options} {self.front.append}", f"{self.around()} {more}")
        command[command.index("-initrd") + 1] = self.front.initrd or os.path.join(self.place, "initramfs.cpio")
        if self.front.dtb == "none":
            at = command.index("-dtb")
            del command[at:at + 2]
        return command

    def timeout(self, suites):
        if self.front.gdb:
            return math.inf
        return self.front.timeout or super().timeout(suites)

    # ---- results ----------------------------------------------------------------------

    def expect(self, suite, cases):
        wanted = self.front.case
        if wanted:
            cases = [case for case in cases if case.name == "run" or
                     any(re.search(word, f"{suite.name}/{case.name}") for word in wanted)]
        return super().expect(suite, cases)

    def tell(self, suite, cases, files, took):
        super().tell(suite, cases, files, took)
        self.started.update(judge.statuses(files))
        if suite.one("log", "yes") == "no":
            unwanted = judge.unwanted_lines(self.board.expectations(), [], files)
            for line in unwanted[:3]:
                print(f"note    the kernel log has a line that would fail our own suites: {line}", flush=True)


def device_tree(args):
    if args.dtb:
        return "the kernel's own" if args.dtb == "none" else os.path.abspath(args.dtb)
    return "Debian's" if args.settings.get("dtb") else "the machine's"


def facts(args):
    """Returns {property: text} that describes what runs."""
    debian = f"Debian's, series {args.kernel_series}" if sessions.series_of(args.guest) == args.kernel_series else "the guest's"
    return {
        "kernel": os.path.abspath(args.kernel) if args.kernel else debian,
        **({"device tree": device_tree(args)} if args.settings.get("compatible") else {}),
        "modules": os.path.abspath(args.modules) if args.modules else "Debian's", **({"append": args.append} if args.append else {}),
        **({"shard": args.shard} if args.shard else {}),
        **({"deterministic": f"seed {args.seed}" if args.seed else "yes"} if args.deterministic else {}),
        **({"programs": " ".join(map(os.path.abspath, args.program))} if args.program else {}),
        **({"root file system": os.path.abspath(args.rootfs)} if args.rootfs else {}),
        **({"initramfs": os.path.abspath(args.initrd)} if args.initrd else {})}


def guest_module_lists(board):
    """Returns (all of the board's modules, those that init loads)."""
    folder = os.path.join(BOARDS, board.get("guest") or board.name)
    lines = [line.partition("#")[0].split() for line in boards.lines_of(os.path.join(folder, "modules"))]
    return [words[0] for words in lines if words], [words[0] for words in lines if len(words) == 1]


def make_initramfs(args, folder, programs, skips):
    """Writes the guest's initramfs, followed by an archive with this run's files. Returns the suite that runs the
    programs, and the archive; with --snapshot, the guest receives the archive later."""
    board = args.settings
    archive = cpio.Archive()
    early = cpio.Archive() if args.snapshot else archive  # for the initramfs
    processor = board.arch.processor
    libraries = None
    if not args.rootfs:
        libraries = guest_files.Libraries(archive, args.library_path, os.path.join(args.guest, "root"), processor)
    setup = ""
    if args.modules:
        every, now = guest_module_lists(board)
        with tempfile.TemporaryDirectory() as scratch, about(scratch):
            version, missing = guest_files.add_modules(early, args.modules, every, now, scratch)
        print(f"        modules of Linux {version}" + (f"; missing: {', '.join(missing)}" if missing else ""), flush=True)
    if args.share:
        setup += guest_files.share("share", "/share", "rw", "the shared folder")
    if args.rootfs:
        if os.path.isdir(args.rootfs):
            setup += guest_files.share("rootfs", "/rootfs", "ro,cache=loose", "the root file system")
        elif is_archive(args.rootfs):
            with guest_files.reading(args.rootfs):
                cpio.add_tree(early, args.rootfs, "rootfs")
        else:
            guest_files.check_rootfs(args.rootfs)
            setup += guest_files.disk("/rootfs")
        setup += guest_files.ENTER
    files = files_there(args, early) if args.program else None
    for path in args.program:
        guest_files.add_program(archive, path, processor, libraries, files)
    if args.network:
        setup += guest_files.NETWORK
    if setup:
        archive.add(f"{guest_files.PLACE}/setup", setup.encode())
    for name, expressions in (("cases", args.case), ("skips", [skip.pattern for skip in skips])):
        if expressions:
            archive.add(f"{guest_files.PLACE}/{name}", "".join(f"{word}\n" for word in expressions).encode())
    archive.add(f"{guest_files.PLACE}/prefix", f"{args.board}/{args.label or args.kernel_series}/\n".encode())
    text = guest_files.suite_text(programs, args.arguments, bool(args.rootfs))
    archive.add("suites/program", os.fsencode(text))
    suite = os.path.join(folder, "program.suite", "program")
    os.makedirs(os.path.dirname(suite))
    with writing(suite) as file:
        file.write(os.fsencode(text.replace("#: log no", f"#: log no\n#: timeout {600 * max(1, len(programs))}")))
    with writing(os.path.join(folder, "initramfs.cpio")) as file:
        with open(os.path.join(args.guest, "initramfs.cpio"), "rb") as base:
            shutil.copyfileobj(base, file)
        file.writelines(early.bytes())
    return judge.Suite(suite), archive


def files_there(args, early):
    """Returns guest_files.Files for the root file system in which programs run; None if its files are unknown."""
    if not args.rootfs:
        return files_given(os.path.join(args.guest, "initramfs.cpio"))
    if not os.path.isdir(args.rootfs) and not is_archive(args.rootfs):
        return None
    files = guest_files.files_of_folder(args.rootfs) if os.path.isdir(args.rootfs) else \
        guest_files.files_of_entries(early.entries, "rootfs/")
    if not files.has("bin/sh"):
        raise guest_files.Unfit(f"--rootfs {args.rootfs} has no /bin/sh, which starts the programs")
    return files


class BootOnly(judge.Suite):
    """The suite of a guest that runs the user's initramfs: the kernel must get as far as a reset."""

    def __init__(self):
        super().__init__(os.devnull)
        self.name = "boot"


def boot_only(session, args):
    log = os.path.join(session.args.out, "boot.log")
    run = machine.run_suites(session.command("none"), session.board, log, session.timeout([BootOnly()]), sessions.WATCHDOGS,
                             session.patience, session.heard, pipe=session.console())
    session.ended(run)
    starved = session.false_alarms(BootOnly(), [], [], run, 0, math.inf)
    cases = session.expect(BootOnly(), [judge.run_case(run.failure, run.kind)])
    failed = cases[0].outcome == "failed"
    starved = [] if args.ignore_starved and not failed else starved
    session.alarms += starved
    session.broken = session.broken or failed and not starved and run.kind not in sessions.HOSTS
    session.report.add(session.board.name, session.series, "boot", cases, run.seconds, log)
    session.tell(BootOnly(), cases, {}, f"{run.seconds:.1f} s; console: {log}")
    if run.kind and sessions.is_known(judge.End(run.failure, run.kind), cases):
        session.forget_end(run)
    elif run.failure:
        sessions.show_tail(log)


def run(args, folder):
    board = args.settings
    units = [f"suite {name}" for name in args.suite] + [f"program {path}" for path in args.program]
    if args.shard:
        units = results.shard_of(units, args.shard)
    programs = [path for path in args.program if f"program {path}" in units]
    session = Session(args, folder.path)
    if args.initrd:
        guest_files.check_initramfs(args.initrd)
    else:
        program_suite, session.job = make_initramfs(args, folder.path, programs, session.lists.skips)
    for name, value in session.report.about.items():
        if value:
            print(f"        {name}: {value}", flush=True)
    for name, why in args.left_out.items():
        print(f"note    the suite {name} is left out: {why}", flush=True)
    if args.gdb:
        print(f"        QEMU waits for a debugger: gdb-multiarch vmlinux -ex 'target remote localhost:{args.gdb}'", flush=True)
    if args.shell:
        print("        Leave with 'exit' in the guest, or Ctrl-A x", flush=True)
        return machine.run_shell(session.command("shell"), board)
    suites = [judge.Suite(os.path.join(SUITES, unit.split()[1])) for unit in units if unit.startswith("suite ")]
    suites = [suite for suite in suites if can_repeat(args, session, suite)]
    if programs:
        suites.append(program_suite)
    boots = session.boots(suites)
    for number_ in range(args.repeat):
        if args.repeat > 1:
            print(f"        run {number_ + 1} of {args.repeat}", flush=True)
            session.goes_to(f"run-{number_ + 1}")
        if args.initrd:
            boot_only(session, args)
        for boot in boots:
            session.boot(boot)
            if session.kinds[-1] in FOR_ALL:
                break
        if FOR_ALL & set(session.kinds):
            break
        if args.deterministic and number_:
            compare(session, number_ + 1)
    return finish(args, session, folder.path, programs)


def can_repeat(args, session, suite):
    """True if the suite can be part of this run. Otherwise refuses it, or leaves it out of "all"."""
    why = session.obstacle(suite)
    if why and not args.all:
        refuse(f"--deterministic cannot run the suite {suite.name}: {why}")
    if why:
        print(f"note    the suite {suite.name} is left out: with --deterministic: {why}", flush=True)
    return not why


def compare(session, number_):
    """Fails the run if this repeat differs from the first one."""
    first, this = (os.path.join(session.place, f"run-{which}") for which in (1, number_))
    where, *lines = deterministic.first_difference(first, this) or [""]
    why = f"run {number_} differs from run 1: {where}" if where else ""
    case = judge.verdict(f"run-{number_}", why)
    print(f"{case.outcome:7} repeats: {case.name}" + (f": {why}" if why else ""), *lines, sep="\n", flush=True)
    session.broken = session.broken or bool(why)
    session.report.add(session.board.name, session.series, "repeats", [case])


def require_a_case(args, session):
    """Fails the run if no case matches --case, since the expression may be misspelled. A shard may have no matching
    case."""
    ran = [case for case in session.report.cases if case["case"] != "run"]
    if args.case and not (args.shard or args.initrd or ran or any(session.kinds)):
        case = judge.Case("chosen", "failed", f"no case matches --case {' '.join(args.case)}")
        print(f"failed  {case.why}", flush=True)
        session.broken = True
        session.report.add(args.board, session.series, session.report.suites[-1]["suite"], [case])


def finish(args, session, folder, programs):
    require_a_case(args, session)
    report, begun = session.report, session.begun
    report.unite_repeats()
    status, verdict = session.status()
    own = status_of_program(args, session, programs) if status == Status.FAILED and not any(session.kinds) else 0
    if own:
        status, verdict = own, "failed: it is the program's own status"
    report.about.update({
        "verdict": verdict, "exit status": int(status), **({"cause": session.causes[0]} if session.causes else {}),
        **({"Linux": session.version} if session.version else {}), "begun": time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(begun)),
        "seconds": round(time.time() - begun, 1), "command": shlex.join([COMMAND, *args.words])})
    report.write(folder, machine.qemu_version(args.qemu))
    print(results.WHERE.format(folder))
    who = f"Linux {session.version}" if session.version else "a kernel of unknown version"
    print(f"        {who} on {args.board}")
    print(counts_line(report.counts()))
    print(f"verdict: {verdict} (exit status {status:d})", flush=True)
    return status


def status_of_program(args, session, programs):
    """Returns the exit status of the program if it is the only one and failed unexpectedly; otherwise 0."""
    if len(programs) != 1 or args.suite or args.repeat > 1:
        return 0
    name = os.path.basename(programs[0])
    failed = [case["case"] for case in session.report.cases if case["outcome"] == "failed"]
    own = session.started.get(name, 0)
    return own if name in failed and own not in (0, judge.SKIP) else 0


def main():
    args = options(sys.argv[1:])
    if args.list:
        print(catalog.text())
        return Status.PASSED
    check_whole(args)
    if args.plan:
        print("\n".join(plan(args)))
        return Status.PASSED
    check_given(args)
    with Folder(args.out, os.path.join(OUT, "run")) as folder:
        make(args)
        with about(folder.path):
            return run(args, folder)
