# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the commands for users with QEMU, some of them with a real guest (sabrelite, 6.12)."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from pixmill import boards, machine
from pixmill.places import REPO, SCRIPTS
from pixmill.session import BRIEF
from tests import setting
from tests.files import Test, is_gone, text_of, wait_for, written, zimage

DEMO = os.path.join(REPO, "scripts", "demo")
PICTURE = os.path.join(REPO, "out", "etnaviv_2d_test.png")
SILENT = (0xEAFFFFFE).to_bytes(4, "little")  # Arm: a branch to itself


# A fake QEMU that speaks QMP, prints one word, and sleeps.
SPEAKER = """import re, socket, sys, time
ends = dict(re.findall(r"id=(\\w+),fd=(\\d+)", " ".join(sys.argv)))
qmp, console = (socket.socket(fileno=int(ends[name])) for name in ("qmp", "console"))
qmp.sendall(b"{}\\n")
qmp.recv(4096)
qmp.sendall(b'{"return": {}}\\n')
console.sendall(b"pixmill: up after 1 s\\n" b"a word")
time.sleep(3)
console.sendall(b"\\n")
"""


def silent_kernel(out):
    return written(os.path.join(out, "a silent kernel"), SILENT + zimage()[len(SILENT):])


# ---- scripts/run on a real guest ---------------------------------------------------------------


def guest():
    return setting.guest("sabrelite", "6.12")


def run(out, *words):
    return subprocess.run([os.path.join(REPO, "scripts", "run"), "--qemu", setting.needed("QEMU"), "--guest", guest(), "--out", os.path.join(out, "run"),
                           "--append", BRIEF, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def told(ended, status, *words):
    assert ended.returncode == status, ended
    for word in words:
        assert word in ended.stdout, (word, ended)


class SilenceTest(Test):
    def test_silence_is_named(self):
        """A kernel without output must end the run long before the time limit, and the message must name this cause."""
        board = boards.Board(os.path.join(REPO, "board-configs", "sabrelite"))
        command = machine.arguments(setting.needed("QEMU"), board, silent_kernel(self.out), None, silent_kernel(self.out), "libdrm")
        run = machine.run_suites(command, board, self.path("silent.log"), 600, (), patience=1)
        assert "no output on the console" in run.failure, run.failure
        assert run.seconds < 300, run.seconds

    def test_a_running_guest_may_be_silent(self):
        program = written(self.path("qemu.py"), SPEAKER)
        board = boards.Board(os.path.join(REPO, "board-configs", "sabrelite"))
        run = machine.run_suites([sys.executable, program], board, self.path("speech.log"), 600, (), patience=1)
        assert run.failure == "", run.failure


def root_folder(out):
    """Makes a root file system that has only busybox."""
    root = os.path.join(out, "root")
    for name in ("bin", "dev", "proc", "sys", "tmp"):
        os.makedirs(os.path.join(root, name), exist_ok=True)
    found, = [path for path in (os.path.join(guest(), "root", place, "bin", "busybox") for place in ("usr", "."))
              if os.path.exists(path)][:1]
    for name in ("sh", "cat", "ls"):
        shutil.copyfile(found, os.path.join(root, "bin", name))
        os.chmod(os.path.join(root, "bin", name), 0o755)
    written(os.path.join(root, "mark"), "the root file system\n")
    return root


class GuestTest(Test):
    def test_a_program_runs_with_its_libraries(self):
        """Runs one of Debian's programs as if it were the user's, and a script that uses the shared folder."""
        share = self.path("share")
        written(os.path.join(share, "there"), "of the host\n")
        script = written(self.path("look.sh"), "#!/bin/sh\ncat /share/there\necho of the guest >/share/back\n"
                           "ping -c 1 10.0.2.2 >/dev/null && echo the host answers\necho kept >left\n[ \"$1\" != /dev/dri/renderD128 ]\n", 0o755)
        program = os.path.join(guest(), "root", "usr", "bin", "etnaviv_bo_cache_test")
        ended = run(self.out, "--share", share, "--network", "--program", program, script, "--", "/dev/dri/renderD128")
        told(ended, 1, "passed  program: etnaviv_bo_cache_test", "failed  program: look.sh: status 1", "of the host", "the host answers",
             "Linux 6.12")
        for path in (os.path.join(share, "back"), self.path("run", "program", "left")):
            assert os.path.exists(path), path

    def test_a_program_runs_in_a_root_file_system(self):
        script = written(self.path("in-root.sh"), "#!/bin/sh\ncat /mark\nls /init && exit 9\ncat /proc/version >version\n"
                           "exit 42\n", 0o755)
        root = root_folder(self.out)
        told(run(self.out, "--rootfs", root, "--program", script), 42, "the root file system")
        assert text_of(self.path("run", "program", "version")).startswith("Linux version 6.12"), "the working folder is not the guest's"
        packed = self.path("root.tar")
        subprocess.run(["tar", "-C", root, "-cf", packed, "."], check=True)
        told(run(self.out, "--rootfs", packed, "--program", script), 42, "the root file system")

    def test_the_kernel_may_speak_while_the_host_is_asked(self):
        """Kernel messages that are printed in the middle of a request must not damage it."""
        script = written(self.path("ask.sh"), "#!/bin/sh\n. /suite-functions\necho on >/proc/sys/kernel/printk_devkmsg\n"
                           "while echo '<4>a record of the kernel' >/dev/kmsg; do :; done &\ntry=0\n"
                           "while [ $try -lt 20 ] && ask qom-get /machine type </dev/console | grep -qx sabrelite-machine; do try=$((try + 1)); done\n"
                           "kill $!\necho answered $try times\n", 0o755)
        told(run(self.out, "--no-gpu", "--program", script, "--timeout", "60"), 0, "answered 20 times")

    def test_a_kernel_without_its_driver_is_named(self):
        """With Debian's modules, but without etnaviv and the board's reset driver, the run must still end."""
        modules = self.path("modules")
        source = os.path.join(guest(), "root", "usr", "lib", "modules")
        shutil.copytree(source, os.path.join(modules, "lib", "modules"), symlinks=True,
                        ignore=shutil.ignore_patterns("etnaviv.ko*", "imx2_wdt.ko*"))
        start = time.monotonic()
        ended = run(self.out, "--modules", modules, "--suite", "libdrm")
        told(ended, 3, "has no etnaviv-gpu", "verdict: the guest did not boot (exit status 3)")
        ended = run(self.out, "--modules", modules, "--no-gpu", "--program", written(self.path("true.sh"), "#!/bin/sh\n", 0o755))
        told(ended, 0, "cannot reset the board")
        assert time.monotonic() - start < 500

    def test_modules_of_another_kernel_are_named(self):
        """The guest's own modules, which match the kernel, must not hide the mismatch."""
        modules = self.path("other modules")
        source = os.path.join(guest(), "root", "usr", "lib", "modules")
        version, = os.listdir(source)
        shutil.copytree(os.path.join(source, version), os.path.join(modules, "lib", "modules", "6.99-other"), symlinks=True)
        told(run(self.out, "--modules", modules, "--suite", "libdrm"), 3, "modules of Linux 6.99-other",
             "has no etnaviv-gpu (/sys/bus/platform/drivers/etnaviv-gpu), and the modules that it was given are for 6.99-other",
             "verdict: the guest did not boot (exit status 3)")

    def test_a_run_starts_from_a_snapshot(self):
        """The first run makes the snapshot; the second run starts from it and runs a different program."""
        cache = self.path("cache")
        environment = {**os.environ, "PIXMILL_CACHE": cache}
        command = [os.path.join(SCRIPTS, "lib", "pixmill"), "run", "--qemu", setting.needed("QEMU"), "--guest", guest(), "--append", BRIEF, "--snapshot"]
        made = subprocess.run([*command, "--out", self.path("made"), "--suite", "libdrm"], env=environment, capture_output=True,
                              text=True, check=False)
        told(made, 0, "passed  libdrm: etnaviv_2d_test")
        assert len([name for name in os.listdir(os.path.join(cache, "snapshots")) if "." not in name]) == 1
        script = written(self.path("later.sh"), "#!/bin/sh\necho of the later run\nexit 21\n", 0o755)
        later = subprocess.run([*command, "--out", self.path("later"), "--program", script], env=environment, capture_output=True,
                               text=True, check=False)
        told(later, 21, "of the later run")
        with open(self.path("later", "program.log"), encoding="utf-8", errors="replace") as log:
            text = log.read()
        assert "continues from a snapshot" in text and "Booting Linux" not in text, text[:500]

    def test_a_debugger_may_wait(self):
        """The guest is stopped, and no time limit must end the run."""
        command = [os.path.join(REPO, "scripts", "run"), "--qemu", setting.needed("QEMU"), "--guest", guest(), "--out", self.path("gdb"), "--gdb",
                   "34567"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as front:
            try:
                def answers():
                    with socket.create_connection(("localhost", 34567), 1) as gdb:
                        gdb.settimeout(5)
                        gdb.sendall(b"+$?#3f")
                        said = b""
                        while b"#" not in said:
                            said += gdb.recv(64) or b"#"
                        return said

                assert b"$T" in wait_for(answers)
                time.sleep(1)
                assert front.poll() is None, "the run has ended"
            finally:
                front.terminate()
        assert front.returncode == 143, front.returncode


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        own = [int(word) for word in file.read().split()]
    return own + [one for child in own for one in children(child)]


def name_of(pid):
    with open(f"/proc/{pid}/comm", encoding="ascii") as file:
        return file.read()


@contextlib.contextmanager
def earlier_picture():
    """Creates the picture as an earlier run would, and restores the previous file at the end."""
    os.makedirs(os.path.dirname(PICTURE), exist_ok=True)
    before = PICTURE + ".before"
    if os.path.exists(PICTURE):
        os.replace(PICTURE, before)
    try:
        with open(PICTURE, "wb") as file:
            file.write(b"of an earlier run")
        yield
    finally:
        if os.path.exists(before):
            os.replace(before, PICTURE)


class BoardsTest(Test):
    def test_boards_have_the_devices_of_options(self):
        """The QEMU of each board with virtio must have the devices for --share, --rootfs and --network."""
        qemu = setting.needed("QEMU")
        for name in sorted(os.listdir(os.path.join(REPO, "board-configs"))):
            board = boards.Board(os.path.join(REPO, "board-configs", name))
            transport = (board.get("virtio") or "").partition(",")[0]
            program = qemu if board.target == "arm" else board.qemu()
            if transport and os.path.exists(program):  # other QEMUs may not be built
                has = subprocess.run([program, "-M", "none", "-device", "help"], capture_output=True, text=True, check=True).stdout
                for device in ("9p", "blk", "net", "serial"):
                    assert f'name "virtio-{device}{transport}"' in has, (name, device)


def start_and_end_demo(out):
    with open(os.path.join(out, "demo.log"), "wb") as log, subprocess.Popen(
            [DEMO, "--yes", "--kernel", silent_kernel(out)], stdin=subprocess.DEVNULL, stdout=log, stderr=log) as demo:
        def qemu_runs():
            return [pid for pid in children(demo.pid) if name_of(pid).startswith("qemu-system")]

        qemu, = wait_for(qemu_runs)
        demo.send_signal(signal.SIGTERM)
        assert demo.wait(timeout=20) == 143, demo.returncode  # by itself the run would end after 30 s, with another status
        assert is_gone(qemu, 0), "QEMU still runs"


class DemoTest(Test):
    def test_sigterm_ends_demo(self):
        """SIGTERM must end QEMU and the command immediately; the picture of an earlier run must be removed."""
        for built in ("qemu/qemu-system-arm", "guest/sabrelite-6.12/initramfs.cpio"):
            if not os.path.exists(os.path.join(REPO, "build", built)):
                raise unittest.SkipTest(f"there is no build/{built}, which scripts/demo would make")
        with earlier_picture():
            start_and_end_demo(self.out)
            assert not os.path.exists(PICTURE), "the picture of an earlier run is still there"
