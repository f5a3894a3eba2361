# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests with QEMU and real guests that equal runs with --deterministic give equal bytes (docs/use/deterministic.md).

Two runs start at the same time, one of them on a single processor of the host, while other processes take the processors away at
random times. The test compares the files itself, without runner/pixmill/deterministic.py.
"""

import contextlib
import os
import re
import subprocess
import sys
import unittest

from pixmill import boards, deterministic, machine
from pixmill.places import REPO, SCRIPTS, WORK
from pixmill.processes import die_with_parent
from pixmill.qmp import load_state, save_state
from pixmill.session import BRIEF
from tests import setting
from tests.bare import started
from tests.files import Test, for_each, wait_for

# Takes a processor for up to 20 ms, again and again.
PULSES = """import random, time
while True:
    end = time.monotonic() + random.uniform(0, 0.02)
    while time.monotonic() < end:
        pass
    time.sleep(random.uniform(0, 0.02))
"""


@contextlib.contextmanager
def busy_host():
    with contextlib.ExitStack() as stack:
        for _ in os.sched_getaffinity(0):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", PULSES], preexec_fn=die_with_parent))
            stack.callback(process.kill)
        yield


def on_one_processor():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def files_in(folder, *places):
    """Returns {path: content} of these files and folders in the folder."""
    found = {}
    for place in places:
        whole = os.path.join(folder, place)
        paths = [whole] if os.path.isfile(whole) else [os.path.join(inner, name) for inner, _, names in os.walk(whole) for name in names]
        for path in paths:
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def differences(one, other):
    """Returns the paths of files that are missing or differ, each with the offset of the first different byte."""
    found = {path: "only in one" for path in one.keys() ^ other.keys()}
    for path in one.keys() & other.keys():
        if one[path] != other[path]:
            found[path] = len(os.path.commonprefix([one[path], other[path]]))
    return found


def qemu_of(board):
    return setting.needed({"arm": "QEMU", "aarch64": "QEMU_AARCH64"}[board.target])


def side_by_side(out, **commands):
    """Runs the commands at the same time on a busy host; each gets a folder for its results, with the name of its keyword."""
    with busy_host():
        running = {}
        for number, (name, command) in enumerate(commands.items()):
            with open(os.path.join(out, f"{name}.log"), "wb") as log:
                running[name] = subprocess.Popen([*command, "--out", os.path.join(out, name), "--deterministic"], stdin=subprocess.DEVNULL, stdout=log,
                                                 stderr=log, preexec_fn=on_one_processor if number % 2 else None)
        ended = {name: process.wait() for name, process in running.items()}
    for name, status in ended.items():
        with open(os.path.join(out, f"{name}.log"), encoding="utf-8", errors="replace") as log:
            assert status == 0, (name, status, log.read()[-3000:])


def run_of(board, suite, *words):
    """Returns the command that runs a suite on Debian's kernel."""
    return [os.path.join(REPO, "scripts", "run"), "--board", board.name, "--qemu", qemu_of(board), "--guest", setting.guest(board.name, board.kernels()[0]),
            "--append", BRIEF, "--suite", suite, *words]


@for_each((("an i.MX6", "sabrelite", "scene2d"), ("an i.MX 8M Plus", "imx8mp", "libdrm")))
class GuestTest(Test):
    def check(self, name, suite):
        board = boards.board(name)
        command = run_of(board, suite)
        side_by_side(self.out, one=command, other=command)
        one = read_run(self.path("one"), board, suite)
        other = read_run(self.path("other"), board, suite)
        assert one == other, differences(one, other)


class SeedTest(Test):
    def test_a_seed_repeats_and_has_an_effect(self):
        board, suite = boards.board("am57xx"), "libdrm"
        without, seven = run_of(board, suite), run_of(board, suite, "--seed", "7")
        side_by_side(self.out, one=without, other=without)
        side_by_side(self.out, seven=seven, again=seven)
        one, other, seven, again = (read_run(self.path(name), board, suite) for name in ("one", "other", "seven", "again"))
        assert one == other, differences(one, other)
        assert seven == again, differences(seven, again)
        assert one["libdrm.log"] != seven["libdrm.log"], "the seed has no effect on the console"
        assert one["libdrm/etnaviv_2d_test.bmp"] == seven["libdrm/etnaviv_2d_test.bmp"], "latencies must not change a picture"


def read_run(folder, board, suite):
    """Returns {path: content}: the console and the guest's files. The kernel's messages must have times, the GPU interrupts, and the
    suite a picture, so that equality means something."""
    files = files_in(folder, f"{suite}.log", suite)
    log = files[f"{suite}/kernel.log"].decode()
    assert len(set(re.findall(r"(?m)^\[ *(\d+\.\d{6})\]", log))) > 50, log
    assert re.search(rf"(?m)^ *\d+: +[1-9]\d* .* {re.escape(board['gpu'])}$", files[f"{suite}/interrupts"].decode()), files[f"{suite}/interrupts"]
    assert any(path.endswith(".bmp") for path in files), files.keys()
    assert b"etnaviv" in files[f"{suite}.log"], files[f"{suite}.log"][-2000:]
    return files


class ContinuationTest(Test):
    def test_a_snapshot_continues_like_the_run(self):
        """Saves a run once it uses the GPU; what the run then prints, with all results, must be what the saved state prints."""
        board = boards.board("sabrelite")
        guest = setting.guest(board.name, board.kernels()[0])
        boot = os.path.join(guest, "boot")
        command = machine.arguments(qemu_of(board), board, os.path.join(boot, "vmlinuz"), os.path.join(boot, board["dtb"]),
                                    os.path.join(guest, "initramfs.cpio"), "scene2d")
        command[-1] += f" {BRIEF}"
        command = deterministic.arranged(command, board, None)
        state = self.path("state")
        with busy_host(), self.running("whole", command) as (qmp, qemu):
            wait_for(lambda: b"check " in files_in(self.out, "whole").get("whole", b""), 600)
            qmp.command("stop")
            before = os.path.getsize(self.path("whole"))
            save_state(qmp, state)
            qmp.command("cont")
            qemu.wait(timeout=600)
        with self.running("continued", [*command, "-incoming", "defer"]) as (qmp, qemu):
            load_state(qmp, state)
            qemu.wait(timeout=600)
        whole, continued = (files_in(self.out, name)[name] for name in ("whole", "continued"))
        assert len(continued) > 10000 and b"pixmill: end of results" in continued, continued[-2000:]
        assert whole[before:] == continued, differences({"": whole[before:]}, {"": continued})

    def running(self, name, command):
        return started(*command, "-chardev", f"file,id=console,path={self.path(name)}", "-serial", "chardev:console")


class FirmwareTest(Test):
    def test_firmware(self):
        board = boards.board("imxrt1170")
        firmware = os.path.join(WORK, "guest", "firmware", board.firmware)
        if not os.path.exists(f"{firmware}.elf"):
            raise unittest.SkipTest(f"there is no {firmware}.elf: scripts/guest/firmware {board.name} --expected")
        command = [os.path.join(SCRIPTS, "lib", "pixmill"), "firmware", "--board", board.name, "--qemu", qemu_of(board), "--firmware", f"{firmware}.elf",
                   "--expected", f"{firmware}-expected", "--keep", "--qemu-options", "-d int -D interrupts", "scene"]
        side_by_side(self.out, one=command, other=command)
        one, other = files_in(self.path("one"), "scene"), files_in(self.path("other"), "scene")
        assert one == other, differences(one, other)
        assert {"scene/log", "scene/scene-00.png"} <= one.keys(), one.keys()
        for interrupt in (71, 76):  # of the display and of the GPU; their order depends on the time that passes between them
            assert one["scene/interrupts"].count(b"taking pending nonsecure exception %d\n" % interrupt) >= 16, one["scene/interrupts"][:2000]


class ComparisonTest(unittest.TestCase):
    def test_differences_are_found(self):
        assert not differences({"a": b"1"}, {"a": b"1"})
        assert differences({"a": b"12", "b": b""}, {"a": b"13", "c": b""}) == {"a": 1, "b": "only in one", "c": "only in one"}
