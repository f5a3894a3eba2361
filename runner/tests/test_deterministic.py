# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests runs that repeat exactly with a fake QEMU: options, what they exclude, and the comparison of repeats."""

import os
import subprocess
import unittest
from unittest.mock import Mock

from pixmill import boards, deterministic
from pixmill.judge import Suite
from pixmill.places import BOARDS, SCRIPTS, SUITES
from pixmill.run import BootOnly, Session
from tests.files import UP, Test, ends, guest_folder, initramfs, text_of, written
from tests.test_run_command import run, script

PASSES = UP + "results program 0 test.sh"


class OptionsTest(Test):
    def words(self, *words, board="sabrelite"):
        """Returns QEMU's command line of a run."""
        told = self.path("command")
        ends(run(self.out, PASSES, "--program", script(self.out), *words, board=board, FAKE_COMMAND=told), 0)
        return text_of(told).split("\n")

    def check_pairs(self, words, *pairs):
        for pair in pairs:
            assert pair in zip(words, words[1:]), (pair, words)

    def test_time_counts_instructions_of_one_processor(self):
        words = self.words("--deterministic")
        self.check_pairs(words, ("-icount", "shift=2,sleep=off"), ("-rtc", "base=2026-01-01T00:00:00,clock=vm"), ("-seed", "0"),
                         ("-smp", "1"), ("-global", "vivante-gc.work-time=100"))
        assert not [word for word in words if "x-seed" in word or "virtio" in word], words
        line = words[words.index("-append") + 1]
        for word in ("pixmill.unattended", "maxcpus=1", "cryptomgr.notests"):
            assert word in line.split(), line

    def test_without_the_option_all_is_as_before(self):
        words = self.words()
        assert "-icount" not in words and "-seed" not in words, words
        self.check_pairs(words, ("-smp", "2"))
        assert "pixmill.unattended" not in words[words.index("-append") + 1]

    def test_the_processor_handles_requests_of_virtio(self):
        words = self.words("--deterministic", board="am57xx")
        self.check_pairs(words, ("-global", "virtio-mmio.ioeventfd=off"))
        assert "virtio-serial-device" not in words, words

    def test_a_seed_reaches_qemu_and_the_cores(self):
        self.check_pairs(self.words("--deterministic", "--seed", "77"), ("-seed", "77"), ("-global", "vivante-gc.x-seed=77"))

    def test_what_takes_the_hosts_time_is_refused(self):
        folder, image = self.path("folder"), written(self.path("image"), bytes(4096))
        os.makedirs(folder)
        for words, told in ((["--share", folder], "--share"), (["--network"], "--network"), (["--display"], "--display"),
                            (["--shell"], "--shell"), (["--snapshot"], "--snapshot"), (["--rootfs", folder], "an archive as --rootfs"),
                            (["--rootfs", image], "an archive as --rootfs"), (["--qemu-options", "-icount shift=3"], "-icount itself"),
                            (["--qemu-options", "--smp 2"], "-smp itself"), (["--seed", "0"], "--seed needs a number"),
                            (["--seed", "4294967296"], "--seed needs a number"),
                            (["--suite", "hang"], "the suite hang: it asks the host")):
            ends(run(self.out, PASSES, "--deterministic", *words), 2, told)
        ends(run(self.out, PASSES, "--seed", "1"), 2, "add --deterministic")

    def test_a_value_of_an_option_is_not_taken_for_an_option(self):
        self.check_pairs(self.words("--deterministic", "--qemu-options", "-name smp"), ("-name", "smp"))

    def test_only_the_users_time_limit_is_kept(self):
        session = Session.__new__(Session)
        session.args = Mock(deterministic=True)
        for given, limit in ((7, 7), (None, 4 * 120)):
            session.front = Mock(gdb=None, timeout=given)
            assert session.timeout([BootOnly()]) == limit, given


class SuitesTest(unittest.TestCase):
    def test_suites_that_ask_the_host_have_an_obstacle(self):
        def obstacle(name):
            return deterministic.obstacle(text_of(SUITES, name))
        for name in ("libdrm", "scene2d", "perfmon", "restarts", "suspend", "vg", "gles2", "glmark2", "piglit"):
            assert obstacle(name) == "", name
        for name, reason in (("snapshots", "asks the host"), ("hang", "asks the host"), ("desktop-x", "asks the host"), ("pcie", "devices")):
            assert reason in obstacle(name), name

    def test_no_suite_boots_as_in_such_a_run(self):
        """The words of "#: boot" reach the same command line, and a suite may use any word to get a boot of its own."""
        for name in os.listdir(SUITES):
            words = " ".join(Suite(os.path.join(SUITES, name)).all("boot")).split()
            assert not set(words) & set(deterministic.COMMAND_LINE.split()), (name, words)

    def test_the_kernel_log_must_have_one_processor(self):
        board = boards.Board(os.path.join(BOARDS, "am57xx"))
        assert ("+", "smp: Brought up 1 node, 2 CPUs") in board.expectations()
        board.one_processor = True
        assert ("+", "smp: Brought up 1 node, 1 CPU$") in board.expectations()
        assert not [regex for _, regex in board.expectations() if "CPUs" in regex]

    def test_a_comment_is_no_request(self):
        assert deterministic.obstacle("# ask the host\ncheck a host\n") == ""
        assert deterministic.obstacle("case $(ask qom-get a b) in\n")


class UserlandTest(Test):
    """Tests of suites whose programs otherwise come over a shared folder."""

    def run_gles2(self, *words, guest="guest", **environment):
        return run(self.out, UP + "keep " + self.path("kept.cpio") + "\nresults gles2 0 drawn", "--guest", self.path(guest), "--suite", "gles2",
                   "--deterministic", *words, **environment)

    def make_guest(self, name="guest"):
        folder = guest_folder(self.path(name))
        written(os.path.join(folder, "initramfs.cpio"), initramfs())
        written(f"{folder}-gles2/usr/bin/program", b"program", 0o755)
        written(f"{folder}-gles2/usr/lib/a file", b"12345")
        os.symlink("usr/bin", f"{folder}-gles2/bin")
        os.makedirs(f"{folder}-gles2/tmp")
        return folder

    def test_it_is_in_the_initramfs(self):
        """Debian's cpio unpacks it, one archive after the other, as Linux does."""
        self.make_guest()
        told = self.path("command")
        self.run_gles2(FAKE_COMMAND=told)
        assert "fsdev" not in text_of(told) and "9p" not in text_of(told), text_of(told)
        unpacked, trailer = self.path("unpacked"), b"TRAILER!!!\0"
        os.makedirs(unpacked)
        with open(self.path("kept.cpio"), "rb") as file:
            *archives, _ = file.read().split(trailer)
        for archive in archives:
            subprocess.run(["cpio", "-idum", "--quiet"], cwd=unpacked, input=archive.lstrip(b"\0") + trailer + bytes(512), check=True)
        inside = os.path.join(unpacked, "userland")
        assert text_of(inside, "usr", "lib", "a file") == "12345"
        assert text_of(inside, "bin", "program") == "program" and os.readlink(os.path.join(inside, "bin")) == "usr/bin"
        assert os.access(os.path.join(inside, "usr", "bin", "program"), os.X_OK) and os.path.isdir(os.path.join(inside, "tmp"))
        assert os.path.exists(os.path.join(unpacked, "init")) and os.path.exists(os.path.join(unpacked, "suites", "program"))
        assert not os.path.exists(self.path("run", "with-userland.cpio")), "the file must not stay"

    def test_equal_userlands_have_equal_archives(self):
        """Their files may have been made in another order, and at other times."""
        kept = []
        for name in ("guest", "other"):
            folder = self.make_guest(name)
            for number in (range(20) if name == "guest" else range(19, -1, -1)):
                written(f"{folder}-gles2/usr/share/{number}", str(number))
            self.run_gles2(guest=name)
            with open(self.path("kept.cpio"), "rb") as file:
                kept.append(file.read())
        assert kept[0] == kept[1] and b"userland/usr/share/19" in kept[0]

    def test_a_large_one_is_refused(self):
        folder = self.make_guest()
        with open(f"{folder}-gles2/large", "wb") as file:
            file.truncate(410 << 20)  # 40 % of the sabrelite's 1 GiB are 409 MiB
        ends(self.run_gles2(), 2, "cannot run the suite gles2: its programs come over a shared folder", "its 410 MiB are too large for an initramfs, which may have 409 MiB")

    def test_without_the_option_it_is_shared(self):
        self.make_guest()
        told = self.path("command")
        run(self.out, UP, "--guest", self.path("guest"), "--suite", "gles2", FAKE_COMMAND=told)
        assert f"local,id=gles2,path={self.path('guest')}-gles2,security_model=none,readonly=on" in text_of(told).split("\n"), text_of(told)


class FirmwareTest(Test):
    def test_suites_that_read_the_hosts_clock_are_left_out(self):
        qemu = written(self.path("qemu"), "#!/bin/sh\nfor word; do case $word in *arg=speed*) echo end speed ;; *arg=scene*) echo end scene ;; esac; done\n", 0o755)
        for suite in ("scene", "speed"):
            written(self.path("expected", f"{suite}.txt"), f"end {suite}\n")
        command = [os.path.join(SCRIPTS, "lib", "pixmill"), "firmware", "--board", "imxrt1170", "--qemu", qemu, "--firmware", qemu,
                   "--expected", self.path("expected"), "--out", self.path("out")]
        said = "note    speed is left out with --deterministic: it measures with the host's clock"
        for words, ran, without in (([], ["passed  scene: run", "passed  speed: run"], [said]),
                                    (["--deterministic"], ["passed  scene: run", said], ["speed: run"])):
            ended = subprocess.run([*command, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            ends(ended, 0, *ran, without=without)


class RepeatsTest(Test):
    def repeat(self, guest, status, *words, **more):
        return ends(run(self.out, guest, "--program", script(self.out), "--deterministic", "--repeat", "2"), status, *words, **more)

    def test_equal_runs_pass(self):
        self.repeat(UP + "print a word\nresults program 0 test.sh", 0, "passed  repeats: run-2")

    def test_a_difference_on_the_console_is_shown(self):
        self.repeat(UP + f"first {self.path('once')}\tprint [    1.000001] early\nprint [    1.000002] late\nresults program 0 test.sh", 1,
                    "failed  repeats: run-2: run 2 differs from run 1: program.log, line 2\n  [    1.000001] early\n  [    1.000002] late\n")

    def test_a_difference_in_the_results_is_shown(self):
        once = self.path("once")
        self.repeat(UP + f"once {once}\nresults program 0 test.sh", 1, "program/cases, line 1\n  1 test.sh\n  0 test.sh\n")

    def test_without_the_option_runs_may_differ(self):
        guest = UP + f"first {self.path('once')}\tprint once\nresults program 0 test.sh"
        ends(run(self.out, guest, "--program", script(self.out), "--repeat", "2"), 0, without=("repeats: run-2",))


class PipeTest(unittest.TestCase):
    def test_a_quick_guest_waits_for_no_reader(self):
        """A default pipe holds 64 KiB."""
        pipe = deterministic.Pipe()
        self.addCleanup(pipe.close)
        os.set_blocking(pipe.far, False)
        text = 1200 * (70 * b"x" + b"\r\n") * 2
        assert os.write(pipe.far, text) == len(text)


class DifferenceTest(Test):
    def difference(self, one, other):
        for name, files in (("one", one), ("other", other)):
            for path, content in files.items():
                written(self.path(name, path), content)
        return deterministic.first_difference(self.path("one"), self.path("other"))

    def test_equal_folders_have_none(self):
        assert self.difference({"a.log": b"x", "s/a": b"\0"}, {"a.log": b"x", "s/a": b"\0"}) == []

    def test_consoles_come_first(self):
        assert self.difference({"a/results": b"1", "z.log": b"1\n2\n"}, {"a/results": b"2", "z.log": b"1\n3\n"}) == ["z.log, line 2", "  2", "  3"]

    def test_pictures_have_bytes(self):
        assert self.difference({"s/a.bmp": b"BM\0\1\2"}, {"s/a.bmp": b"BM\0\1\3"}) == ["s/a.bmp, byte 4"]
        assert deterministic.of_bytes(b"\0\1", b"\0\1\2") == ("byte 2",)

    def test_a_missing_line_and_a_missing_file_are_named(self):
        assert deterministic.of_bytes(b"a\nb", b"a") == ("line 2", "  b", "  (no such line)")
        where, = self.difference({"s/a": b"1"}, {})
        assert where == f"s/a: only in {self.path('one')}", where
