# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots Debian's kernel, or firmware, on a board, lets it draw, and saves the picture: scripts/demo."""

import contextlib
import glob
import os
import re
import shutil
import subprocess
import sys
import time

from pixmill import boards, deterministic, kernel_files, prepare
from pixmill.failure import Failure, Status
from pixmill.folder import Folder
from pixmill.options import Parser
from pixmill.places import CACHE, OUT, SCRIPTS, WORK, command_name, make_places
from pixmill.processes import attend
from pixmill.steps import elapsed

HELP = f"""
Builds QEMU with our GPUs, boots Debian's kernel or runs our firmware on a
board, lets it draw, and saves the picture in the folder {os.path.basename(OUT)}.

boards:
  sabrelite   libdrm's etnaviv tests (default)     etnaviv_2d_test.png
  am57xx      the same, on TI's SoC                etnaviv_2d_test.png
  am57xx-idk, am57xx-x15
              the same, with their device trees    etnaviv_2d_test.png
  imx8mp      the same, on an arm64 i.MX8M Plus    etnaviv_2d_test.png
  geode-lx    a PC with Debian's lxfb and its X    lxfb-console.png,
              server with the geode driver         x11-accelerated.png
  gr5526      a watch, drawn with the NEMA|GFX     gr5526-watch.png
  imxrt1170   paths and text, drawn with the GC355 imxrt1170-scene.png

options:
  --board BOARD         run the demo of this board (default: sabrelite)
  --out DIR             put pictures into DIR (default: {os.path.basename(OUT)})
  --keep                keep the run's files (console, results, frames) in the
                        folder demo, next to the pictures
  --display             serve the screen to VNC viewers at localhost:5900 (on
                        boards that run firmware: only with --firmware); with
                        --desktop, open a window instead if QEMU and the host
                        can
  --deterministic       make equal runs give equal bytes: see {command_name('run')}
  --yes                 install missing Debian packages without asking (sudo)
  -h, --help            show this help message and exit

For boards that boot a kernel:
  --scene 2d            draw our test card of the 2D features instead: 2d.png
  --scene gles2         draw our OpenGL ES 2 test card with Debian's Mesa
                        instead: gles2.png (sabrelite and imx8mp)
                        Boards with a demo of their own (geode-lx) have no
                        scenes.
  --desktop             show a desktop that the GPU draws: Weston, a terminal and
                        an OpenGL program: desktop.png (sabrelite only). With
                        --display, it stays until you end it with Ctrl-C
  --kernel-series S     boot Debian's kernel of this series: 6.12 (Debian 13,
                        default), 6.1 (Debian 12; the only one of geode-lx) or
                        sid (Debian's newest)
  --kernel FILE         boot this kernel instead of Debian's
  --dtb FILE            use this device tree instead of Debian's
  --shell               open a shell in the guest, on this terminal, instead

For boards that run firmware (gr5526, imxrt1170); all of these need --firmware:
  --firmware FILE.elf   run this program instead of ours. Its first UART is on
                        stdout, its screen in screen-*.png; its semihosting exit
                        sets the exit status. Ctrl-C ends it.
  --cpu MODEL           emulate a cortex-m4 (default of gr5526), cortex-m7 (the
                        only one of imxrt1170), cortex-m33 or cortex-m55
  --caches SIZE         make each cache of a cortex-m7 or cortex-m55 this large:
                        0, 4K, 8K, 16K, 32K (default) or 64K
  --check-cache [MODE]  check how the program maintains the data cache of a
                        cortex-m7: "report" (default) writes cache-report.txt;
                        "act" also gives the GPU, the display and the CPU old
                        data, as the cache of a board may
  --cache-suppressions FILE
                        leave out the reports that this file names
  --cache-rules RULES   also report redundant, missing-barrier
  --frames N            save the screen N times, once a second (default: 1), and
                        once more at the end
  --timeout SECONDS     end the program after SECONDS
  --qemu-options '...'  pass more options to QEMU, quoted as in a shell, such as
                        '-s -S' to wait for a debugger

exit status:
  0 if all passed, 1 if a case failed, 2 to 5 as for {command_name('run')}.
  With --firmware it is the program's own, unless the program could not run:
  2    wrong options
  64   not an ELF file for a Cortex-M
  65   a segment is outside of memory
  66   bad stack pointer or reset vector
  67   built for a different CPU, see --cpu
  68   QEMU failed
  69   the processor locked up
  70   fault handler did not return
  71   the program reset the machine
  72   --check-cache found a mistake, and the program ended with 0
  124  timeout
  See docs/use/firmware.md.

QEMU is built from the source tree QEMU_SRC=DIR, else from QEMU_TARBALL=FILE,
else from Debian's source package. QEMU_BASE=SERIES chooses one of the releases of
scripts/qemu/bases, for this and later commands.
Downloads are kept in {CACHE} (PIXMILL_CACHE=DIR),
builds in {WORK},
pictures in {OUT}; remove them to free the space.
"""

KERNEL_OPTIONS = ("kernel_series", "kernel", "dtb", "scene", "desktop", "shell")
PROGRAM_OPTIONS = ("firmware", "cpu", "caches", "check_cache", "cache_suppressions", "cache_rules", "frames",
                   "timeout", "display", "qemu_options")
SCENES = {"2d": "scene2d", "gles2": "gles2-card"}
JUDGED = (Status.PASSED, Status.FAILED)  # other ends of a demo leave no usable picture


class Demo(Parser):
    """Replaces argparse's help with a fixed text, since the two kinds of boards have different options."""

    def __init__(self):
        super().__init__("demo", add_help=False)
        for name in ("board", "kernel-series", "kernel", "dtb", "scene", "firmware", "cpu", "caches", "cache-suppressions",
                     "cache-rules", "frames", "timeout", "qemu-options", "out"):
            self.add_argument(f"--{name}", default="sabrelite" if name == "board" else None)
        self.add_argument("--check-cache", nargs="?", const="report")
        for name in ("shell", "display", "desktop", "deterministic", "keep", "yes"):
            self.add_argument(f"--{name}", action="store_true")
        self.add_argument("--help", "-h", action="help")

    def format_help(self):
        return f"usage: {self.prog} [options]\n{HELP}"


def refuse(what, *advice):
    raise Failure(Status.USAGE, what, *advice)


def options(words):
    args = Demo().parse_args(words)
    for name, without in (("kernel", "to take Debian's"), ("dtb", "to take Debian's"), ("firmware", "to run ours")):
        path = getattr(args, name)
        if path is not None:
            if not os.path.isfile(path):
                refuse(f"--{name}: there is no file {path}", f"name one, or leave out --{name} {without}")
            setattr(args, name, os.path.realpath(path))
    if args.scene is not None and args.scene not in SCENES:
        refuse(f"there is no scene {args.scene}", f"available: {' '.join(SCENES)}")
    if args.frames is not None and not re.fullmatch(r"[1-9]\d{0,3}", args.frames):
        refuse(f"--frames needs a number from 1 to 9999, not {args.frames}", "it is the number of pictures to save, one a second")
    if args.timeout is not None and not re.fullmatch(r"[1-9]\d{0,5}", args.timeout):
        refuse(f"--timeout needs a number of seconds from 1 to 999999, not {args.timeout}")
    args.settings = boards.board(args.board)
    if args.deterministic and (option := given(args, ("display", "shell", "desktop", "firmware"))):
        refuse(f"{option} and --deterministic exclude each other",
               "for a program of your own, use --qemu-options '-icount shift=2,sleep=off'" if args.firmware else
               f"leave out {option}, or --deterministic")
    if args.settings.firmware:
        check_for_firmware(args)
    else:
        check_for_kernel(args)
    args.out = os.path.abspath(args.out or OUT)
    args.files = os.path.join(args.out, "demo")
    return args


def given(args, names):
    """Returns the first of these options that was given, or ""."""
    return next((f"--{name.replace('_', '-')}" for name in names if getattr(args, name)), "")


def check_for_firmware(args):
    option = given(args, KERNEL_OPTIONS)
    if option:
        refuse(f"{option} is for boards that boot a kernel",
               f"{args.board} runs firmware: leave out {option}, or name another --board")
    option = given(args, PROGRAM_OPTIONS[1:])
    if option and not args.firmware:
        refuse(f"{option} needs --firmware FILE.elf",
               f"it applies only to a program of your own: see {command_name('demo')} --help")


def check_for_kernel(args):
    """Checks the options for a board that boots a kernel; also sets the suites, the pictures and their description."""
    board = args.settings
    option = given(args, [name for name in PROGRAM_OPTIONS if name != "display"])
    if option:
        refuse(f"{option} is for boards that run firmware", f"{args.board} boots a kernel: add --board gr5526")
    args.suites, args.pictures, args.what = ["libdrm"], ["etnaviv_2d_test.png"], "libdrm's etnaviv tests"
    args.takes, args.driver, args.device = "20 seconds", "an unmodified Debian kernel", board["device"]
    if args.scene:
        args.suites, args.pictures, args.what = [SCENES[args.scene]], [f"{args.scene}.png"], f"the scene {args.scene}"
    if args.scene == "gles2":
        args.takes, args.device = "a minute", board.get("renderer")
    if args.desktop:
        if args.scene:
            refuse("--desktop and --scene are different demos", "leave out one of them")
        args.suites, args.pictures, args.what = ["desktop-show"], ["desktop.png"], "a desktop"
        args.takes, args.device = "5 minutes", board.get("renderer")
    if board.get("demo"):
        option = given(args, ("scene", "desktop"))
        if option:
            refuse(f"{option} is for boards whose GPU the etnaviv driver drives",
                   f"{args.board} has its own demo: leave out {option}")
        suites, *args.pictures = board["demo"].split()
        args.suites = suites.split(",")
        args.what = f"the suites {' and '.join(args.suites)}"
        args.takes, args.driver, args.device = board["takes"], board["driver"], board["device"]
    for name in args.suites if args.deterministic else ():
        if why := deterministic.obstacle(prepare.text_of(name)):
            refuse(f"the suite {name} cannot be run with --deterministic: {why}", "leave out --deterministic, or name another demo")
    for name in prepare.userlands(args.suites):
        if not prepare.has_userland(board, name):
            refuse(f"{'--desktop' if args.desktop else '--scene ' + args.scene} is for boards with the userland {name}",
                   f"leave out --board {args.board}")
    args.kernel_series = args.kernel_series or board.kernels()[0]
    board.require_kernel(args.kernel_series)
    kernel_files.check_files(board, args.kernel, args.dtb)
    if args.kernel:
        args.driver = f"the kernel {args.kernel}"


def command(name, *words):
    return [os.path.join(SCRIPTS, "lib", "pixmill"), name, *words]


def remove(*paths):
    """Removes the files that exist."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def say(text=""):
    print(text, flush=True)


# ---- boards that run firmware -----------------------------------------------------------------


def run_program(args):
    """Checks the user's firmware, then replaces this process with the command that runs it."""
    more = [f"--{name.replace('_', '-')}={getattr(args, name)}" for name in PROGRAM_OPTIONS
            if name not in ("firmware", "display") and getattr(args, name) is not None] + ["--display"] * args.display
    words = ["--board", args.board, "--firmware", args.firmware, *more]
    remove(*glob.glob(os.path.join(glob.escape(args.out), "screen-*.png")))
    status = attend(command("program", "--check", *words), stdin=subprocess.DEVNULL)  # before anything is built
    if status:
        return status if status > 0 else Status.HOST
    prepare.prepare_firmware(args.settings, ours=False, yes=args.yes)
    say(f"Running {args.firmware} on {args.board}; screens go to {args.out}")
    words = command("program", *words, "--qemu", args.settings.qemu(), "--out", args.out)
    os.execv(words[0], words)


def show_firmware(args):
    """Runs Pixmill's firmware. The board's settings "show" and "what" name the suites, the frame to show, and their
    description."""
    board = args.settings
    suite, frame, *more = board["show"].split()
    picture = os.path.join(args.out, f"{args.board}-{suite}")
    frames = os.path.join(glob.escape(picture), f"{suite}-[0-9][0-9].png")
    remove(f"{picture}.png", f"{picture}-strip.png", *glob.glob(frames))
    prepare.prepare_firmware(board, ours=True, yes=args.yes)
    say(f"Running our firmware on {args.board}: {board['what']}")
    start = time.monotonic()
    made = os.path.join(WORK, "guest", "firmware", board.firmware)
    status = attend(command("firmware", "--board", args.board, "--qemu", board.qemu(), "--firmware", f"{made}.elf",
                            "--expected", f"{made}-expected", "--out", args.files, "--keep",
                            *["--deterministic"] * args.deterministic, suite, *more), stdin=subprocess.DEVNULL)
    say()
    drawn = os.path.join(args.files, suite)
    if status in JUDGED and os.path.isfile(os.path.join(drawn, f"{suite}-{frame}.png")):
        shutil.copyfile(os.path.join(drawn, f"{suite}-{frame}.png"), f"{picture}.png")
        shutil.copyfile(os.path.join(drawn, "strip.png"), f"{picture}-strip.png")
        os.makedirs(picture, exist_ok=True)
        for path in glob.glob(os.path.join(glob.escape(drawn), f"{suite}-[0-9][0-9].png")):
            shutil.move(path, picture)
        say(f"The picture: {picture}.png; some of the frames: {picture}-strip.png; all: {picture}")
    return end(args, status, start, "firmware", board["device"])


# ---- boards that boot a kernel ----------------------------------------------------------------


def display_options(qemu, window):
    """Returns QEMU's options for --display: a window if one is wanted, QEMU was built with GTK, and there is a display; else VNC."""
    if window and (os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")):
        told = subprocess.run([qemu, "-display", "help"], capture_output=True, text=True, check=False).stdout
        if "gtk" in told.split():
            return "-display gtk"
    say("The screen is at localhost:5900, for VNC viewers")
    return "-vnc localhost:0"


def show_guest(args):
    board = args.settings
    if not args.shell:  # so that any picture is from this run
        remove(*(os.path.join(args.out, name) for name in args.pictures))
    prepare.prepare(board, args.kernel_series, args.suites, yes=args.yes)
    words = command("suites", "--board", args.board, "--qemu", board.qemu(), "--guest", board.guest_folder(args.kernel_series),
                    "--out", args.files)
    for name in ("kernel", "dtb"):
        words += [f"--{name}", getattr(args, name)] if getattr(args, name) else []
    words += ["--deterministic"] * args.deterministic
    words += [f"--qemu-options={display_options(board.qemu(), args.desktop)}"] if args.display else []
    if args.shell:
        say("Booting; leave with 'exit' in the guest, or Ctrl-A x")
        os.execv(words[0], [*words, "--shell"])
    say(f"Booting Linux on {args.board} and running {args.what} (about {args.takes})")
    start = time.monotonic()
    if args.desktop and args.display:
        os.environ["PIXMILL_STAY"] = "1"
        say("The desktop stays until you press Ctrl-C")
    status = attend([*words, *args.suites], stdin=subprocess.DEVNULL)
    say()
    for name in args.pictures:
        if status in JUDGED and os.path.isfile(os.path.join(args.files, name)):
            os.replace(os.path.join(args.files, name), os.path.join(args.out, name))
            say(f"The picture: {os.path.join(args.out, name)}")
    return end(args, status, start, args.driver, args.device,
               f"to look around in the guest: {command_name('demo')} --board {args.board} --shell")


def end(args, status, start, driver, device, *advice):
    took = elapsed(time.monotonic() - start)
    if status:
        raise Failure(Status.HOST if status < 0 else status, f"the demo failed after {took}",
                      f"{'the failures are listed' if status == Status.FAILED else 'the cause is'} above; logs, results and pictures: "
                      f"{args.files}", *advice)
    say(f"All passed in {took}: {driver} drove our {device}.")
    if args.keep:
        say(f"Logs, results and pictures: {args.files}")
    else:
        args.folder.empty()
    return Status.PASSED


def main():
    args = options(sys.argv[1:])
    make_places()
    if args.shell:
        return show_guest(args)  # writes nothing to --out
    try:
        os.makedirs(args.out, exist_ok=True)
    except OSError as error:
        refuse(f"--out {args.out}: cannot create this folder: {error.strerror}")
    if args.firmware:
        return run_program(args)
    with Folder(args.files, ours=args.out == OUT) as args.folder:
        status = show_firmware(args) if args.settings.firmware else show_guest(args)
    with contextlib.suppress(OSError):  # not empty with --keep
        os.rmdir(args.files)
    return status
