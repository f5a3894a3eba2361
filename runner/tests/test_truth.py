# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests that each kind of failure has its own status and message in every command, with a fake QEMU."""

import contextlib
import errno
import gzip
import io
import json
import lzma
import os
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
import unittest.mock

from pixmill import run as run_module
from pixmill import boards, cpio, failure, firmware, guest_files, host, judge, kernel_files, machine, results, session, snapshots, steps
from pixmill.failure import Status
from pixmill.places import BOARDS, REPO, SCRIPTS
from tests.files import (FAKE, UP, Test, bzimage, elf, empty, ends, guest_folder, image, initramfs, is_gone, text_of, tree, uimage, wait_for,
                         written, zboot, zimage)
from tests.test_run_command import command_of, refused, run, script, started

SAID_ALL = "No space left on device"


def full_disk(folder, command, size="64k", **environment):
    """Runs the command with a file system of that size mounted on the folder; only the command sees it."""
    os.makedirs(folder, exist_ok=True)
    words = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size="$1" none "$2" && shift 2 && exec "$@"', "sh", size, folder, *command]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                           env={**os.environ, "FAKE_GUEST": UP + "results program 0 test.sh", **environment})
    if "unshare" in ended.stderr or "mount:" in ended.stderr:
        raise unittest.SkipTest(f"no file system can be mounted here: {ended.stderr.strip()}")
    return ended


def cases_of(folder):
    return {case["case"]: case for case in json.loads(text_of(folder, "results.json"))["cases"]}


class HostTest(Test):
    """Tests that problems of the host never count as failed cases."""

    def test_errors_have_the_status_of_their_kind(self):
        for error, status, words in (
                (OSError(errno.ENOSPC, SAID_ALL, "/a/file"), Status.HOST, f"/a/file: {SAID_ALL}"),
                (OSError(errno.ENOSPC, SAID_ALL), Status.HOST, SAID_ALL),
                (OSError(errno.EDQUOT, "Disk quota exceeded", "/a"), Status.HOST, "/a: Disk quota exceeded"),
                (OSError(errno.ENETUNREACH, "Network is unreachable"), Status.HOST, "Network is unreachable"),
                (socket.gaierror(-3, "Temporary failure in name resolution"), Status.HOST, "Temporary failure"),
                (TimeoutError("timed out"), Status.HOST, "timed out"), (MemoryError(), Status.HOST, "out of memory"),
                (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), Status.HOST, "temporarily"),
                (FileNotFoundError(errno.ENOENT, "No such file or directory", "tool"), Status.USAGE, "tool: No such file"),
                (PermissionError(errno.EACCES, "Permission denied", "/root/x"), Status.USAGE, "/root/x: Permission denied"),
                (OSError(errno.EROFS, "Read-only file system", "/x"), Status.USAGE, "/x: Read-only"),
                (BrokenPipeError(errno.EPIPE, "Broken pipe"), Status.USAGE, "stdout was closed"),
                (subprocess.CalledProcessError(2, ["tar"], stderr=b"tar: " + SAID_ALL.encode()), Status.HOST, "tar ended with status 2"),
                (subprocess.CalledProcessError(2, ["tar"], stderr=b"tar: what?"), Status.USAGE, "tar: what?"),
                (subprocess.TimeoutExpired(["a", "b"], 3), Status.HOST, "a b did not end within 3 seconds")):
            found = failure.of_error(error)
            assert found.status == status and words in found.text(), (error, found.status, found.text())

    def test_a_mistake_of_ours_is_no_verdict(self):
        def stumble():
            raise KeyError("a key")
        with contextlib.suppress(KeyError):
            stumble()
        code = ("import sys; sys.argv=['x', 'results']; import runpy, pixmill.results as r\n"
                "def main(): return {}['a key']\n"
                "r.main = main\n"
                "from pixmill.processes import ended; sys.exit(ended(r.main))")
        ended = subprocess.run([sys.executable, "-c", code], cwd=os.path.join(REPO, "runner"), capture_output=True, text=True, check=False)
        ends(ended, 5, "Pixmill itself failed; this is not a verdict: KeyError: 'a key'", "in main")

    def test_a_full_disk_ends_a_run_with_5(self):
        """The disk is full before the boot, becomes full during the run (the guest's log exceeds 64 KiB), or is full
        for stdout."""
        folder, log = self.path("small"), UP + "\n".join("print " + "x" * 1000 for _ in range(100))
        for name, size, guest in (("before", "4k", ""), ("in the middle", "64k", log)):
            place = os.path.join(folder, name)
            ended = full_disk(place, command_of(self.out, "--out", os.path.join(place, "out"), "--program", script(self.out)), size,
                              FAKE_GUEST=guest)
            ends(ended, 5, place + "/out", SAID_ALL, without=["verdict"])
        with open("/dev/full", "w", encoding="ascii") as full:
            ended = subprocess.run(command_of(self.out, "--out", self.path("run"), "--program", script(self.out)), stdout=full, check=False,
                                   stderr=subprocess.PIPE, text=True, env={**os.environ, "FAKE_GUEST": UP + "results program 0 test.sh"})
        assert ended.returncode == 5 and f"standard output: {SAID_ALL}" in ended.stderr, ended
        assert "Traceback" not in ended.stderr and "Exception ignored" not in ended.stderr, ended

    def test_a_full_disk_ends_other_commands_with_5(self):
        whole = self.path("whole")
        ends(run(self.out, UP + "results program 0 test.sh", "--program", script(self.out)), 0)
        small = self.path("small")
        ends(full_disk(small, [os.path.join(SCRIPTS, "results"), small, self.path("run")], "8k"), 5, small, SAID_ALL)
        suites = [os.path.join(SCRIPTS, "lib", "pixmill"), "suites", "--qemu", FAKE, "--guest", guest_folder(self.path("g")), "--out"]
        ends(full_disk(small, [*suites, small, "libdrm"], "4k", FAKE_GUEST=UP + "results libdrm 0 a-case"), 5, small, SAID_ALL)
        assert not os.path.exists(whole)

    def test_a_bisection_skips_a_full_disk(self):
        """Tests the line for such failures in docs/use/bisect.md."""
        text = text_of(REPO, "docs", "use", "bisect.md")
        line = next(line for line in text.splitlines() if line.startswith("case $? in"))
        for status, wanted in ((0, 0), (1, 1), (2, 125), (3, 1), (4, 1), (5, 125), (129, 255), (130, 255), (143, 255)):
            ended = subprocess.run(["sh", "-c", f"(exit {status})\n{line}"], check=False)
            assert ended.returncode == wanted, (status, ended)

    def test_a_host_without_memory_for_qemu_ends_with_5(self):
        for words in ("qemu-system-arm: cannot set up guest memory 'x': Cannot allocate memory", f"qemu-system-arm: -drive: {SAID_ALL}"):
            ends(run(self.out, f"stderr {words}\nexit 1", "--program", script(self.out)), 5, words, "(exit status 5)")
        ends(run(self.out, "stderr qemu: no such machine\nexit 1", "--program", script(self.out)), 2, "no such machine")

    def test_a_snapshot_that_cannot_be_saved_is_a_failure_of_the_host(self):
        class Qmp:
            def command(self, name, **_):
                return {"status": "failed", "error-desc": SAID_ALL} if name == "query-migrate" else {}
        told = []
        host.serve(None, Qmp(), ["snapshot", "point"], "", "/a/file", lambda *words: told.append(words))
        wait_for(lambda: told)
        assert told == [("host", f"the guest could not be saved to /a/file: a snapshot failed: {SAID_ALL}")], told

    def test_pictures_that_cannot_be_written_are_errors_of_the_host(self):
        os.symlink("/dev/full", self.path("a.png"))
        content = b"BM" + struct.pack("<I", 0) + bytes(4) + struct.pack("<I", 54) + bytes(4) + struct.pack("<IIHH", 1, 1, 1, 32) + bytes(28)
        with self.assertRaises(OSError) as raised:
            judge.picture_case("a.bmp", judge.picture.read_bmp, content, self.out, self.out)
        assert raised.exception.filename == self.path("a.png")

    def test_an_output_that_nobody_reads_is_no_failed_case(self):
        process = subprocess.Popen(command_of(self.out, "--out", self.path("run"), "--program", script(self.out)), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env={**os.environ, "FAKE_GUEST": UP + "sleep 1\nresults program 0 test.sh"})
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        assert process.wait(60) == 2 and said.startswith("pixmill: stdout was closed"), said
        assert "Traceback" not in said and "ignored" not in said, said

    def test_one_kind_of_end_has_one_status_in_every_command(self):
        suites = [os.path.join(SCRIPTS, "lib", "pixmill"), "suites", "--qemu", FAKE, "--guest", guest_folder(self.path("g")),
                  "--out", self.path("suites"), "libdrm"]
        for guest, status in (("print Kernel panic - not syncing: x\nprint ---[ end Kernel panic - not syncing: x ]---", 3),
                              ("stderr qemu: no such option\nexit 1", 2), (UP + "kill 9", 5), (UP + "results libdrm 1 a", 1)):
            ends(run(self.out, guest, "--suite", "libdrm"), status)
            ended = subprocess.run(suites, capture_output=True, text=True, check=False, env={**os.environ, "FAKE_GUEST": guest})
            ends(ended, status)


class StepsTest(Test):
    """Tests of preparation steps in bash and in Python."""

    def bash(self, text, **environment):
        path = written(self.path("a-script"), f'set -euo pipefail\n. "{SCRIPTS}/lib/common.bash"\n{text}\n')
        return subprocess.run(["bash", path], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, "PIXMILL_CACHE": self.path("cache"), **environment})

    def test_steps_of_bash(self):
        """The message must contain the exit status of the script."""
        ends(self.bash("step 'Doing' sh -c 'echo what; exit 1'"), 2, "Doing: failed after 0:0", "(exit status 2)")
        ends(self.bash(f"step 'Doing' sh -c 'echo cp: {SAID_ALL}; exit 1'"), 5, "(exit status 5)")
        ends(self.bash("step 'Doing' nosuchprogram"), 2, "nosuchprogram: command not found", "(exit status 2)")
        ends(self.bash("step_status=5\nstep 'Fetching' false"), 5, "Fetching: failed", "(exit status 5)")
        ends(self.bash("step 'Doing' sh -c 'kill -9 $$'"), 5, "(exit status 5)")
        ends(self.bash("die 'this is missing' 'install it'"), 2, "pixmill: this is missing")

    def test_a_command_that_breaks_a_script(self):
        ends(self.bash("false"), 2, "pixmill: a-script: this command failed (status 1): false")
        ends(self.bash("sh -c 'exit 5'"), 5, without=["this command failed"])
        ends(self.bash("die_status=1\nsh -c 'exit 1'"), 1, without=["this command failed"])
        ends(self.bash("false || true\nif false; then :; fi\n[[ -n '' ]] && true\nset +e\nfalse\nexit 0"), 0)

    def test_a_cache_that_cannot_be_written_is_2(self):
        ends(self.bash("true", PIXMILL_CACHE="/proc/nowhere"), 2, "/proc/nowhere", "PIXMILL_CACHE=FOLDER")

    @unittest.skipIf(os.geteuid() != 0 or not shutil.which("setpriv"), "it needs root, and setpriv, to be two users")
    def test_a_file_of_another_user_is_named(self):
        """A command that root ran has left the file in the clone or the cache of another user."""
        with tempfile.TemporaryDirectory() as folder:  # readable by other users
            clone, cache = os.path.join(folder, "clone"), os.path.join(folder, "cache")
            user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            for name in ("scripts", "runner/pixmill", "board-configs"):
                shutil.copytree(os.path.join(REPO, name), os.path.join(clone, name))
            python = ("import sys; from pixmill import places, test, snapshots, processes\n"
                      "def main():\n places.make_places()\n {}\nsys.exit(processes.ended(main))")
            for place, word, text in (
                    ("clone/build/guest.lock", "bash", "alone guest"), ("clone/build/logs/A-step.log", "bash", "step 'A step' true"),
                    ("cache/lock", "bash", "in_cache true"), ("clone/build/stamp.new", "bash", 'mark_done "$work/stamp" 1'),
                    ("clone/build/guest/", "bash", 'make_folder "$work/guest/x"'), ("clone/build/logs/", "bash", "true"), ("cache/", "bash", "true"),
                    ("clone/build/guest/x/", "bash", "step 'A step' touch \"$work/guest/x/y\""),
                    ("clone/build/logs/", "python", "pass"), ("clone/build/test.lock", "python", "test.alone().__enter__()"),
                    ("cache/snapshots/", "python", "open(snapshots.folder() + '/a', 'w')")):
                for made in ("clone/build/logs/", "clone/build/guest/", "cache/"):
                    os.makedirs(os.path.join(folder, made))
                path = os.path.join(folder, place)
                if place.endswith("/"):
                    os.makedirs(path, exist_ok=True)
                else:
                    written(path, b"")
                os.chmod(folder, 0o755)
                subprocess.run(["chown", "-R", "65534", os.path.join(clone, "build"), cache], check=True)
                os.chown(path, 0, 0)
                body = f'set -euo pipefail\n. "{clone}/scripts/lib/common.bash"\n{text}\n'
                command = {"bash": ["bash", "-c", body], "python": ["/usr/bin/python3", "-c", python.format(text)]}[word]
                ended = subprocess.run([*user, *command], cwd=os.path.join(clone, "runner"), stdin=subprocess.DEVNULL, capture_output=True,
                                       text=True, check=False, env={**os.environ, "PIXMILL_CACHE": cache})
                ours = cache if place.startswith("cache") else os.path.join(clone, "build")
                with self.subTest(place=place, text=text):
                    ends(ended, 2, f"pixmill: {path.rstrip('/')} belongs to root, and nobody cannot write to it; as root: "
                                   f"chown -R nobody {ours}; or run this command as root\n")
                    assert len(ended.stderr.splitlines()) == 1 or "touch" in text, ended.stderr  # a step also prints its log
                shutil.rmtree(os.path.join(clone, "build"))
                shutil.rmtree(cache)

    def test_steps_of_python(self):
        for said, returncode, status in (("what", 1, 2), (f"x: {SAID_ALL}", 1, 5), ("", 137, 5), ("", -9, 5), ("", 5, 5),
                                         ("E: Could not resolve 'deb'", 100, 5)):
            assert failure.status_of_step(returncode, said) == status, (said, returncode)
            with self.assertRaises(failure.Failure) as caught, unittest.mock.patch.object(steps, "LOGS", self.out), \
                    contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                steps.step("Doing", ["sh", "-c", f"echo {shlex.quote(said)}; " + (f"exit {returncode}" if returncode > 0 else "kill -9 $$")])
            assert f" (exit status {status})" in caught.exception.text(), caught.exception.text()


class ShardsTest(Test):
    def test_programs_in_two_shards_merge(self):
        """Merging the same shard twice must be an error, and so must merging complete runs."""
        programs = [script(self.out, "a.sh"), script(self.out, "b.sh")]
        folders = []
        for number, name in ((1, "a.sh"), (2, "b.sh")):
            folders.append(self.path(f"r{number}"))
            ends(run(self.out, UP + f"results program 0 {name}", "--program", *programs, "--shard", f"{number}/2", to=f"r{number}"), 0)
        merge = [os.path.join(SCRIPTS, "results"), self.path("all")]
        merged = subprocess.run([*merge, *folders], capture_output=True, text=True, check=False)
        ends(merged, 0, "3 passed, 0 failed, 0 skipped")
        assert set(cases_of(self.path("all"))) == {"run", "a.sh", "b.sh"}
        twice = subprocess.run([*merge, folders[0], folders[0]], capture_output=True, text=True, check=False)
        ends(twice, 1, "program/run is in", "program/a.sh is in")
        again = subprocess.run([*merge[:1], self.path("again"), self.path("all"), folders[0]], capture_output=True, text=True, check=False)
        ends(again, 1, "program/run is in")

    def test_a_failed_shard_fails_the_merge(self):
        programs = [script(self.out, "a.sh"), script(self.out, "b.sh")]
        ends(run(self.out, UP + "results program 0 a.sh", "--program", *programs, "--shard", "1/2", to="r1"), 0)
        ends(run(self.out, "print Kernel panic - not syncing: x", "--program", *programs, "--shard", "2/2", to="r2"), 3)
        ended = subprocess.run([os.path.join(SCRIPTS, "results"), self.path("all"), self.path("r1"), self.path("r2")], capture_output=True,
                               text=True, check=False)
        ends(ended, 3, "r2: the guest did not boot")
        assert cases_of(self.path("all"))["run"]["outcome"] == "failed"

    def test_a_shard_of_a_busy_host_ends_the_merge_with_5(self):
        """The merge must end with 5 even if the cases of the shard passed, but a failed case takes precedence."""
        def left(name, verdict, status, *outcomes):
            report = results.Report()
            report.add("b", "s", name, [judge.Case(f"{name}-{number}", outcome) for number, outcome in enumerate(outcomes)])
            report.about = {"verdict": verdict, **({} if status is None else {"exit status": status})}
            report.write(empty(self.path(name)), "")
            return self.path(name)

        good, busy, killed = left("good", "passed", 0, "passed"), left("busy", "busy", 5, "passed"), left("killed", "killed", 5, "failed")
        bad, own, old = left("bad", "failed", 1, "failed"), left("own", "failed: its own", 3, "failed"), left("old", "passed", None, "failed")
        for folders, status in (((good,), 0), ((good, busy), 5), ((good, killed), 5), ((busy, bad), 1), ((killed, own), 1), ((own,), 1),
                                ((busy, old), 1), ((good, busy, self.path("nowhere")), 2)):
            merged = subprocess.run([os.path.join(SCRIPTS, "results"), self.path("all"), *folders], capture_output=True, text=True, check=False)
            ends(merged, status)
            if status != 2:
                again = subprocess.run([os.path.join(SCRIPTS, "results"), self.path("again"), self.path("all")], capture_output=True, text=True, check=False)
                ends(again, status)

    def test_damaged_results_are_told(self):
        for content in (b"", b"[]", b"{", b'{"format": 1}', b'{"format": 1, "suites": 3, "cases": [], "qemu": "", "about": {}}',
                        b'{"format": 1, "suites": [], "cases": [{"files": 1}], "qemu": "", "about": {}}', b"\xff\xfe", bytes(100)):
            path = written(self.path("r", "results.json"), content)
            ended = subprocess.run([os.path.join(SCRIPTS, "results"), self.path("all"), self.path("r")], capture_output=True, text=True, check=False)
            ends(ended, 2, path)

    def test_results_of_an_older_pixmill_merge(self):
        """Results of older versions have no logs of cases, and no options of runs."""
        old = {"format": 1, "qemu": "10.0", "about": {"board": "b"}, "counts": {},
               "suites": [{"board": "b", "series": "s", "suite": "x", "seconds": 1.0, "log": "x.log", "when": 1, "failed": False, "tail": []}],
               "cases": [{"board": "b", "series": "s", "suite": "x", "case": "c", "name": "b/s/x/c", "outcome": "passed", "result": "Pass",
                          "why": "", "seconds": None, "expected": None, "files": []}]}
        written(self.path("r", "results.json"), json.dumps(old))
        ended = subprocess.run([os.path.join(SCRIPTS, "results"), self.path("all"), self.path("r")], capture_output=True, text=True, check=False)
        ends(ended, 0, "1 passed")
        assert "b/s/x" in text_of(self.path("all"), "report.html")


class OneProgramTest(Test):
    def test_a_known_failure_of_one_program_is_no_failure(self):
        for status, result in ((9, "Fail"), (3, "Fail"), (4, "Fail"), (139, "Crash")):
            fails = written(self.path("fails"), f"# why\nprogram/test.sh,{result}\n")
            ends(run(self.out, UP + f"results program {status} test.sh", "--program", script(self.out), "--fails", fails), 0,
                 "known failure: why", "verdict: passed (exit status 0)")
        fails = written(self.path("fails"), "program/test.sh,Fail\n")
        ends(run(self.out, UP + "results program 0 test.sh", "--program", script(self.out), "--fails", fails), 1, "verdict: failed (exit status 1)")
        ends(run(self.out, UP + "results program 139 test.sh", "--program", script(self.out), "--fails", fails), 139, "verdict: failed")
        skips = written(self.path("skips"), "test.sh\n")
        ends(run(self.out, UP + "results program 3 test.sh", "--program", script(self.out), "--skips", skips), 0, "verdict: passed")

    def test_its_own_status_is_told_as_that(self):
        for status in (2, 3, 4, 5, 9):
            ends(run(self.out, UP + f"results program {status} test.sh", "--program", script(self.out)), status,
                 f"verdict: failed: it is the program's own status (exit status {status})")
        about = json.loads(text_of(self.out, "run", "results.json"))["about"]
        assert (about["verdict"], about["exit status"]) == ("failed: it is the program's own status", 9), about


class StarvedTest(Test):
    """Tests resets of the core by the driver because QEMU was starved. They make pictures wrong without an error."""
    HUNG = "print [   12.345678] etnaviv-gpu 130000.gpu: recover hung GPU!\n"
    ENDS = "results program 0 test.sh"

    def play(self, guest, *words):
        return run(self.out, UP + guest, "--program", script(self.out), *words)

    def test_a_run_with_a_recovery_does_not_pass(self):
        told = "the host was too busy: the GPU driver reset the core 2 times because QEMU was starved of CPU"
        ended = self.play(f"starve\n{self.HUNG}{self.HUNG}{self.ENDS}")
        ends(ended, 5, f"verdict: {told} (exit status 5)", "passed  program: test.sh", "the limit of repeats is reached")
        about = json.loads(text_of(self.out, "run", "results.json"))["about"]
        assert (about["verdict"], about["exit status"]) == (told, 5), about
        assert ended.stdout.count("again   program") == 2, ended.stdout

    def test_a_repeated_run_without_one_passes(self):
        ended = self.play(f"first {self.path('starved')}\tstarve\nfirst {self.path('hung')}\t{self.HUNG}{self.ENDS}")
        ends(ended, 0, "verdict: passed (exit status 0)", "again   program: the GPU driver reset the core once")

    def test_ignore_starved_lets_it_pass(self):
        ended = self.play(f"starve\n{self.HUNG}{self.ENDS}", "--ignore-starved")
        ends(ended, 0, "verdict: passed (exit status 0)", "the GPU driver reset the core; QEMU had waited")
        assert "again" not in ended.stdout, ended.stdout

    def test_a_failure_in_a_starved_run_is_the_hosts(self):
        failing = f"starve\n{self.HUNG}results program 1 test.sh"
        for words in ((), ("--ignore-starved",)):
            ends(self.play(failing, *words), 5, "the GPU driver reset the core once because QEMU was starved of CPU (exit status 5)")

    def test_a_soft_lockup_is_the_guests_if_qemu_was_not_starved(self):
        said = "print [   91.137446] watchdog: BUG: soft lockup - CPU#1 stuck for 21s! [kworker/1:1:25]\n"
        ends(self.play(f"{said}results program 1 test.sh"), 1, "the kernel reported a soft lockup; QEMU had waited", without=["again"])

    def test_an_initramfs_of_the_users_does_not_pass_either(self):
        own = written(self.path("own.cpio"), initramfs())
        ends(run(self.out, UP + f"starve\n{self.HUNG}", "--initrd", own), 5, "the GPU driver reset the core once")
        ends(run(self.out, UP + f"starve\n{self.HUNG}", "--initrd", own, "--ignore-starved"), 0, "verdict: passed")


class BlameTest(Test):
    """Tests of boots that the host ends, and of the suites that run again because of that."""

    def play(self, guest):
        """Runs the suite libdrm and a program in the same boot."""
        return run(self.out, UP + guest, "--suite", "libdrm", "--case", "a-case", "--program", script(self.out), "--case", "program")

    def firsts(self, *lines):
        """Returns script lines for the first boot only."""
        return "".join(f"first {self.path(str(number))}\t{line}\n" for number, line in enumerate(lines))

    def test_an_end_during_a_suite_that_is_not_run_again_counts(self):
        first = self.firsts("starve", StarvedTest.HUNG.strip(), "results libdrm 0 a-case", "kill 9")
        ended = self.play(first + "results libdrm 0 a-case\nprint pixmill: the end")
        ends(ended, 5, "again   libdrm", "failed  program: run: QEMU was killed", "verdict: the host ended QEMU (exit status 5)")

    def test_suites_that_never_began_run_when_the_one_before_runs_again(self):
        first = self.firsts("starve", StarvedTest.HUNG.strip(), "kill 9")
        ended = self.play(first + "results libdrm 0 a-case\nresults program 0 test.sh\nprint pixmill: the end")
        ends(ended, 0, "passed  libdrm: a-case", "passed  program: test.sh", "verdict: passed")

    def test_a_failure_counts_even_if_the_host_ends_the_next_boot(self):
        guest = UP + self.firsts("results program 1 test.sh", "print pixmill: the end", "exit 0") + "kill 9"
        ends(run(self.out, guest, "--program", script(self.out), "--repeat", "2"), 1, "verdict: failed (exit status 1)")

    def test_a_failure_in_a_boot_that_the_host_ends_is_the_hosts(self):
        ends(self.play("results libdrm 1 a-case\nkill 9"), 5, "verdict: the host ended QEMU (exit status 5)")

    def test_an_end_that_explains_a_failure_counts(self):
        """The interrupted suite must run again, but not the suite that failed before it."""
        first = "results libdrm 1 a-case\n" + self.firsts("starve", StarvedTest.HUNG.strip(), "kill 9")
        ended = self.play(first + "results program 0 test.sh\nprint pixmill: the end")
        ends(ended, 5, "failed  libdrm: a-case", "passed  program: test.sh", "verdict: the host ended QEMU (exit status 5)")


class RecoveryTest(Test):
    """Tests, with an artificial run, which resets of the core are blamed on the host."""

    def after(self, waited, failed=False, allow=(), message="recover hung GPU", log=(), worst=0.0):
        suite = unittest.mock.Mock(name="suite", all=lambda word: list(allow))
        suite.name = "own"
        made = session.Session.__new__(session.Session)
        made.args = unittest.mock.Mock(label="", ignore_starved=False, deterministic=False)
        made.again, made.alarms, made.broken, made.kinds = {}, [], False, []
        made.report = unittest.mock.Mock(counts=lambda: {"failed": int(failed)})
        run_ = unittest.mock.Mock(seen=[(message, when) for when in (1.0, 2.0, 9.0)],
                                  waited_before=lambda when, span: waited * span / 1.5,
                                  longest_wait=lambda start, end, span: worst)
        with contextlib.redirect_stdout(io.StringIO()):
            made.alarms = made.false_alarms(suite, [unittest.mock.Mock(outcome="failed")] * failed, log, run_, 0, 5)
        made.broken = failed and not made.alarms
        return made

    def test_that_of_a_hanging_core_is_not(self):
        assert self.after(0.2).status() == (Status.PASSED, "passed")
        assert self.after(0.2, failed=True).status() == (Status.FAILED, "failed")

    def test_that_of_a_starved_qemu_is_and_counts_for_its_suite(self):
        made = self.after(0.3)
        assert len(made.alarms) == 2, made.alarms
        assert made.status()[0] == Status.HOST and "2 times" in made.status()[1], made.status()

    def test_other_watchdogs_count_host_time_too(self):
        for message, event in (("BUG: soft lockup", "a soft lockup"), ("blocked for more than", "a blocked task")):
            found = self.after(0.4, failed=True, message=message).status()
            assert found[0] == Status.HOST and f"{event} 2 times because QEMU was starved" in found[1], found
            assert self.after(0.3, failed=True, message=message).status() == (Status.FAILED, "failed"), message

    def test_that_of_which_the_console_says_nothing_counts_too(self):
        """The kernel is quiet while the guest waits for an answer. The console shows two resets of the suite."""
        log = [f"[  {second}.256770] etnaviv-gpu 134000.gpu: recover hung GPU!" for second in (347, 348, 349)]
        assert len(self.after(0.2, log=log, worst=0.3).alarms) == 1
        assert len(self.after(0.3, log=log, worst=0.3).alarms) == 3
        assert not self.after(0.2, log=log, worst=0.2).alarms
        assert not self.after(0.2, log=log[:2], worst=0.3).alarms
        assert not self.after(0.2, log=log, worst=0.3, allow=["recover hung GPU"]).alarms

    def test_a_suite_that_hangs_the_core_on_purpose_does_not_count(self):
        assert self.after(0.9, allow=["recover hung GPU"]).status() == (Status.PASSED, "passed")

    def test_a_suite_that_hangs_the_core_on_purpose_counts_if_it_fails(self):
        assert self.after(0.9, failed=True, allow=["recover hung GPU"]).status()[0] == Status.HOST
        assert self.after(0.2, failed=True, allow=["recover hung GPU"]).status() == (Status.FAILED, "failed")

    def limits(self, waited, slowdown, result="Timeout"):
        made = session.Session.__new__(session.Session)
        made.args = unittest.mock.Mock(label="", deterministic=False)
        run_ = unittest.mock.Mock(slowdowns=[(1.0, 1), (9.0, slowdown), (120.0, 8)], waited_before=lambda when, span: waited)
        suite = unittest.mock.Mock()
        suite.name = "own"
        with contextlib.redirect_stdout(io.StringIO()):
            return made.early_limits(suite, [judge.Case("a", "failed", "it took too long", result)], run_, 10.0, 110.0)

    def test_a_limit_that_the_guest_could_not_keep_is_the_hosts(self):
        """In a suite of 100 s, QEMU had a CPU for a quarter of the time, but the guest only doubled its limits."""
        assert self.limits(75.0, 2) == [session.LIMIT]
        assert not self.limits(75.0, 5) and not self.limits(0.0, 1) and not self.limits(75.0, 2, "Fail")

    def test_a_failure_of_another_suite_stays_one(self):
        made = self.after(0.3, failed=True)
        made.broken = True
        assert made.status()[0] == Status.FAILED, made.status()


def noise(count):
    state, found = 1, bytearray()
    for _ in range(count):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        found.append(state >> 16 & 255)
    return bytes(found)


class DamagedFilesTest(Test):
    """Tests that damaged files are detected before anything is built."""

    def refused_kernel(self, content, processor="arm"):
        return refused(kernel_files.check_kernel, written(self.path("kernel"), content), processor)

    def test_truncated_kernels(self):
        for content, processor, what in ((zimage(), "arm", "zImage"), (uimage(content=bytes(1000)), "arm", "uImage"),
                                         (bzimage(0), "x86", "bzImage"), (image(), "arm64", "Image")):
            kernel_files.check_kernel(written(self.path("kernel"), content), processor)
            kernel_files.check_kernel(written(self.path("kernel"), content + b"more"), processor)
            told = self.refused_kernel(content[:-1], processor)
            assert f"is cut off: {len(content) - 1} of the {len(content)} bytes of its {what}" in told, told

    def test_files_that_are_not_kernels(self):
        for content in (bytes(1 << 20), b"a text\n" * 1000, noise(1 << 16), (0xEAFFFFFE).to_bytes(4, "little") * 1000, b"\n"):
            told = self.refused_kernel(content)
            assert "is not a kernel: it has no signature of a zImage or uImage" in told and "use the zImage of the same build" in told, told
            assert "is not a kernel: it has no signature of a bzImage" in self.refused_kernel(content, "x86")

    def test_a_uimage_has_sums(self):
        for at, words in ((5, "a damaged header"), (33, "a damaged header"), (64, "damaged data"), (69, "damaged data")):
            content = bytearray(uimage())
            content[at] ^= 1
            assert words in self.refused_kernel(bytes(content)), at
        assert "holds a ramdisk, not a kernel" in self.refused_kernel(uimage(kind=3))
        assert "cannot unpack" in self.refused_kernel(uimage(packing=5))

    def test_no_damage_is_a_traceback(self):
        for content in (zimage(), uimage(), bzimage(0), image(), zboot(gzip.compress(image())), tree("fsl,imx6q"), elf(40, [(1, b"libc.so.6")], b"/lib/ld.so"), initramfs(),
                        gzip.compress(initramfs())):
            path = self.path("damaged")
            for at in range(0, len(content), max(1, len(content) // 120)):
                for damaged in (content[:at], content[:at] + b"\xff" + content[at + 1:]):
                    written(path, damaged)
                    for read in (lambda: kernel_files.check_kernel(path, "arm"), lambda: kernel_files.check_kernel(path, "x86"),
                                 lambda: kernel_files.check_kernel(path, "arm64"),
                                 lambda: kernel_files.check_tree(path, "b", ["fsl"], "134000.gpu"), lambda: kernel_files.appended_tree(path),
                                 lambda: kernel_files.Program(path), lambda: guest_files.check_initramfs(path),
                                 lambda: guest_files.check_rootfs(path), lambda: guest_files.files_of_guest(path)):
                        with contextlib.suppress(failure.Failure):
                            read()

    def test_a_plan_sees_them(self):
        """--plan must end with 3 if the guest could not boot, and with 2 for other unusable files."""
        cut = written(self.path("cut"), zimage()[:-1])
        bad = written(self.path("bad.tar"), b"")
        with tarfile.open(bad, "w") as tar:
            tar.add(script(self.out), "bin/sh")
        whole = open(bad, "rb").read()  # pylint: disable=consider-using-with
        front = [os.path.join(SCRIPTS, "lib", "pixmill"), "run", "--plan", "--qemu", "/nowhere"]
        for words, status, said in ((["--kernel", cut], 3, "is cut off"),
                                    (["--initrd", written(self.path("i.cut"), initramfs()[:-200])], 2, "is damaged: a cpio archive that is cut off"),
                                    (["--initrd", written(self.path("i"), noise(5000))], 2, "is not an initramfs"),
                                    (["--rootfs", written(self.path("r.tar"), whole[:700])], 2, "damaged"),
                                    (["--rootfs", written(self.path("r.xz"), lzma.compress(whole)[:-30])], 2, "damaged"),
                                    (["--rootfs", written(self.path("r.zst"), b"\x28\xb5\x2f\xfd" + bytes(100))], 2, "compressed with zstd"),
                                    (["--modules", written(self.path("m.tar"), whole[:1024])], 2, "damaged"),
                                    (["--modules", written(self.path("m.xz"), lzma.compress(whole)[:-30])], 2, "damaged"),
                                    (["--program", written(self.path("text"), b"no program")], 2, "is not a program"),
                                    (["--program", written(self.path("crlf"), b"#!/bin/sh\r\n")], 2, "CR LF"),
                                    (["--program", written(self.path("cut.elf"), elf(40)[:-1])], 2, "is cut off"),
                                    (["--rootfs", written(self.path("r.img"), noise(100000))], 2, "neither a folder")):
            ends(subprocess.run([*front, *words], capture_output=True, text=True, check=False), status, said, words[1])

    def test_dtb_none_needs_an_appended_tree(self):
        kernel = written(self.path("zImage"), zimage())
        ends(run(self.out, UP, "--kernel", kernel, "--dtb", "none"), 3, "no device tree appended to the kernel")
        ends(run(self.out, UP, "--dtb", "none"), 2, "--dtb none needs a --kernel")
        for content in (zimage() + tree("fsl,imx6q"), uimage(content=zimage() + tree("fsl,imx6q"))):
            kernel = written(self.path("zImage"), content)
            ends(run(self.out, UP + "results libdrm 0 a", "--kernel", kernel, "--dtb", "none", "--suite", "libdrm", "--case", "/a"), 0)
        kernel = written(self.path("zImage"), zimage() + tree("ti,am5728"))
        ends(run(self.out, UP, "--kernel", kernel, "--dtb", "none"), 3, "device tree of ti,am5728")

    def test_a_tree_whose_gpu_is_disabled(self):
        for place in (self.nodes("gpu@134000"), self.nodes("gpu@00134000")):
            path = written(self.path("off.dtb"), place)
            ends(run(self.out, UP, "--dtb", path), 3, "disables the GPU", "is disabled", "--no-gpu")
        ends(run(self.out, UP + "results program 0 test.sh", "--dtb", path, "--no-gpu", "--program", script(self.out)), 0)
        path = written(self.path("on.dtb"), self.nodes("gpu@134000", b"okay\0"))
        ends(run(self.out, UP + "results program 0 test.sh", "--dtb", path, "--program", script(self.out)), 0)

    @staticmethod
    def nodes(name, status=b"disabled\0"):
        """Returns a device tree for the board with a node in /soc that has this status."""
        def text(words):
            return words + bytes(-len(words) % 4)
        strings = b"compatible\0status\0"
        body = (struct.pack(">I4x", 1) + struct.pack(">III", 3, 10, 0) + text(b"fsl,imx6q\0") + struct.pack(">I", 1) + text(b"soc\0")
                + struct.pack(">I", 1) + text(name.encode() + b"\0") + struct.pack(">III", 3, len(status), 11) + text(status)
                + struct.pack(">IIII", 2, 2, 2, 9))
        return struct.pack(">10I", 0xD00DFEED, 40 + len(body) + len(strings), 40, 40 + len(body), 40, 17, 16, 0, len(strings),
                           len(body)) + body + strings

    def test_an_initramfs_may_be_packed_and_in_parts(self):
        for content in (initramfs(), gzip.compress(initramfs()), lzma.compress(initramfs()), initramfs() + bytes(512) + gzip.compress(initramfs()),
                        b"\x28\xb5\x2f\xfd" + noise(100), bytes(0x438) + b"\x53\xef" + bytes(100)):
            guest_files.check_initramfs(written(self.path("i"), content))
        for content, words in ((bytes(1000), "is empty"), (b"", "is empty"), (gzip.compress(initramfs())[:-20], "cut off"),
                               (gzip.compress(b"a text"), "is not an initramfs"), (initramfs()[:-130], "damaged")):
            assert words in refused(guest_files.check_initramfs, written(self.path("i"), content)), content

    def test_images_are_known_by_their_file_system(self):
        ext = bytes(0x404) + struct.pack("<I", 100) + bytes(0x10) + struct.pack("<I", 0) + bytes(0x1C) + b"\x53\xef"
        guest_files.check_rootfs(written(self.path("image"), ext + bytes(102400)))
        assert "is cut off: " in refused(guest_files.check_rootfs, written(self.path("image"), ext + bytes(1000)))
        guest_files.check_rootfs(written(self.path("image"), b"hsqs" + bytes(1000)))
        disk = written(self.path("image"), bytes(510) + b"\x55\xaa" + bytes(512))
        assert "partition table" in refused(guest_files.check_rootfs, disk)
        ends(run(self.out, UP, "--rootfs", written(self.path("text"), b"text"), "--program", script(self.out)), 2, "neither a folder")

    def test_damaged_archives_of_modules_and_programs(self):
        with tarfile.open(self.path("m.tar"), "w") as tar:
            tar.add(written(self.path("x"), bytes(5000)), "lib/modules/6.99/kernel/x.ko")
        with open(self.path("m.tar"), "rb") as file:
            whole = file.read()
        for content in (whole[:3000], whole[:6144], gzip.compress(whole)[:-5], lzma.compress(whole)[:-10], b"text", bytes(3)):
            path = written(self.path("cut.tar"), content)
            ends(run(self.out, UP, "--modules", path, "--program", script(self.out)), 2, path)
        path = written(self.path("m", "lib/modules/6.99/kernel/x.ko.xz"), lzma.compress(bytes(1000))[:-8])
        told = refused(guest_files.place_module, path, empty(self.path("staged")))
        assert f"{path} is damaged" in told, told
        program = written(self.path("program"), elf(40, [(1, b"libc.so.6")])[:-1])
        ends(run(self.out, UP, "--program", program), 2, "is cut off")

    def test_lists_that_are_not_text(self):
        path = written(self.path("fails"), b"a,Fail\n\xff\xfe,Fail\n")
        ends(run(self.out, UP, "--program", script(self.out), "--fails", path), 2, f"{path}:2: this is not UTF-8 text")


class ScriptsTest(Test):
    """Tests that scripts without their interpreter are refused, like ELF programs without their libraries."""

    def guest(self):
        archive = cpio.Archive()
        archive.add("bin/busybox", b"\x7fELF\0[\0[[\0acpid\0ash\0awk\0env\0sed\0sh\0\1\2", 0o755)
        archive.add("bin/bash", b"", 0o755)
        archive.add_link("usr/bin/other", "../../bin/bash")
        return guest_files.files_of_guest(written(self.path("initramfs"), b"".join(archive.bytes())))

    def test_interpreters(self):
        files = self.guest()
        for first in (b"/bin/sh", b"/bin/sh -e", b" /usr/bin/env sh", b"/usr/bin/env -S awk -f", b"/bin/bash", b"/usr/bin/other", b"/usr/bin/env bash",
                      b"/usr/bin/sh", b"/usr/bin/awk -f"):
            path = written(self.path("good.sh"), b"#!" + first + b"\necho\n")
            guest_files.add_program(cpio.Archive(), path, "arm", None, files)
        for first, words in ((b"/usr/bin/python3", "needs /usr/bin/python3"), (b"/usr/bin/env python3", "needs python3"),
                             (b"/bin/sh\r", "CR LF"), (b"", "does not name an interpreter"), (b"python3", "does not name an interpreter"),
                             (b"/opt/sh", "needs /opt/sh"),
                             (b"/bin/awk -f", "needs /bin/awk")):
            path = written(self.path("bad.sh"), b"#!" + first + b"\necho\n")
            told = refused(guest_files.add_program, cpio.Archive(), path, "arm", None, files)
            assert words in told, (first, told)
        guest_files.add_program(cpio.Archive(), written(self.path("any.sh"), b"#!/opt/any\n"), "arm", None, None)

    def test_those_of_a_root_file_system(self):
        """Tests a folder and an archive; symbolic links must be resolved within the root file system."""
        root = self.path("root")
        for name in ("bin/busybox", "usr/bin/python3.11"):
            written(os.path.join(root, name), b"", 0o755)
        for name, target in (("bin/sh", "/bin/busybox"), ("usr/bin/python3", "python3.11"), ("usr/bin/lost", "/etc/alternatives/lost")):
            os.symlink(target, os.path.join(root, name))
        packed = self.path("root.tar")
        with tarfile.open(packed, "w") as tar:
            tar.add(root, ".")
        for place in (root, packed):
            good = written(self.path("good.py"), b"#!/usr/bin/python3\n")
            ends(run(self.out, UP + "results program 0 good.py", "--rootfs", place, "--program", good), 0)
            for first in ("/usr/bin/perl", "/usr/bin/lost", "/usr/bin/env sh"):
                bad = written(self.path("bad"), f"#!{first}\n")
                ends(run(self.out, UP, "--rootfs", place, "--program", bad), 2, f"{bad} needs {first.split()[0]}")
            dynamic = written(self.path("dynamic"), elf(40, [(1, b"libc.so.6")], b"/lib/ld-linux-armhf.so.3\0"))
            ends(run(self.out, UP, "--rootfs", place, "--program", dynamic), 2, "needs /lib/ld-linux-armhf.so.3, which is not in the root")
        os.unlink(os.path.join(root, "bin/sh"))
        ends(run(self.out, UP, "--rootfs", root, "--program", good), 2, "has no /bin/sh")

    def test_a_run_refuses_them(self):
        ends(run(self.out, UP, "--program", written(self.path("crlf.sh"), b"#!/bin/sh\r\necho\r\n")), 2, "crlf.sh", "CR LF")


SOME = {"kernel.log.before": b"", "interrupts": b"\xff", "modules": b""}


class OneCauseTest(Test):
    """Tests that a single cause is reported as a single failure."""

    def test_cases_that_never_ran_are_skipped(self):
        ended = run(self.out, "print Kernel panic - not syncing: no root", "--suite", "libdrm")
        ends(ended, 3, "0 passed, 1 failed", without=["passed  libdrm", "not a BMP", "no interrupt of", "no line matches"])
        found = cases_of(self.path("run"))
        assert found.pop("run")["outcome"] == "failed"
        assert len(found) >= 3 and {case["outcome"] for case in found.values()} == {"skipped"}, found
        assert all(case["why"].startswith("never run: the guest's kernel panicked") for case in found.values()), found

    def test_several_suites_of_a_boot_are_one_failure(self):
        ended = run(self.out, UP + "results libdrm 0 a\nprint Kernel panic - not syncing: oops", "--suite", "libdrm", "--suite", "perfmon",
                    "--suite", "reload", "--case", "/a", "--case", "run", FAKE_LOG="")
        ends(ended, 1, "passed  libdrm: run", "failed  perfmon: run: the guest's kernel panicked", "skipped reload: run: never run\n")
        assert ended.stdout.count("failed  ") == 1, ended.stdout

    def test_nothing_passes_on_silence(self):
        board = boards.Board(os.path.join(BOARDS, "sabrelite"))
        suite = judge.Suite(written(self.path("suite"), b""))
        for files in ({}, {"ended": b"", "cases": b"0 a\n"}, {"ended": b"", "cases": b"0 a\n", "kernel.log": b""}):
            found = {case.name: case.outcome for case in judge.judge(suite, board, judge.End(), files, self.out, self.out)}
            assert found["kernel log has nothing it must not"] == "skipped", (files, found)
            assert "failed" in found.values(), found

    def test_files_of_a_guest_whose_memory_is_full(self):
        board = boards.Board(os.path.join(BOARDS, "sabrelite"))
        for name in sorted(os.listdir(os.path.join(REPO, "guest", "suites"))):
            suite = judge.Suite(os.path.join(REPO, "guest", "suites", name))
            for rubbish in (b"", b"\xff\xfe\n", b"x\n", b"1\n", b"143 \n", b"9 a b c d\n", b"1 a 1.0\n", b"BM" + bytes(60), b"P6 1 1 255\n",
                            b"#x" + bytes(100)):
                wanted = {word for _, value in suite.said for word in value.split()} | {
                    "cases", "kernel.log", "kernel.log.before", "interrupts", "results", "chosen", "drawn.log", "report", "ended", "a.log"}
                files = {word: rubbish for word in wanted if "/" not in word}
                found = judge.judge(suite, board, judge.End(), files, self.out, self.out)
                assert any(case.outcome != "passed" for case in found), name
        told = run(self.out, UP + "results libdrm 0 a", "--suite", "libdrm", FAKE_FILES=self.files({"cases": b"0 a\n\xff", "kernel.log.before": b""}))
        ends(told, 1, "an unreadable line, as happens when its memory is full")

    def files(self, content):
        for name, text in content.items():
            written(self.path("files", name), text)
        return self.path("files")

    def test_a_full_memory_is_3_and_says_so(self):
        words = "the guest's memory is full: the results of the suite program are incomplete"
        ended = run(self.out, UP + f"results program 0 test.sh\nprint pixmill: cause: {words}\nprint pixmill: the end", "--program",
                    script(self.out), FAKE_FILES=self.files({"kernel.log.before": b"", "cases": b""}))
        ends(ended, 3, words, "verdict: the guest's memory is full (exit status 3)")
        ended = run(self.out, "print [    1.0] Initramfs unpacking failed: write error\nprint Kernel panic - not syncing: No working init found.",
                    "--program", script(self.out))
        ends(ended, 3, "No working init found", "failed to unpack the initramfs: write error", "memory large enough")

    def test_a_full_memory_leaves_the_verdicts_of_programs(self):
        """The guest's results are truncated, so the verdicts must come from the console."""
        two = [script(self.out), script(self.out, "two.sh"), script(self.out, "three.sh")]
        said = "".join(f"print pixmill: program {name} begins\nprint words of {name}\nprint pixmill: program {name} ended with status {status}\n"
                       for name, status in (("test.sh", 0), ("two.sh", 9), ("three.sh", 77)))
        why = "the guest's memory is full: the program two.sh has filled it, and later results are incomplete"
        guest = f"{UP}{said}results program 0 x\nprint pixmill-host: results program\nprint pixmill: cause: {why}\nprint pixmill: the end"
        ended = run(self.out, guest, "--program", *two, FAKE_FILES=self.files({"cases": b"0 test.sh 1.0 2.0\n9 two", "test.sh.log": b"of the guest\n"}))
        ends(ended, 3, f"failed  program: run: {why}\n", "passed  program: test.sh\n", "failed  program: two.sh: status 9: words of two.sh",
             "skipped program: three.sh: words of three.sh", without=["cannot be read"])

    def test_a_root_file_system_that_fills_the_memory_is_named(self):
        """On a board with virtio, the message must also name alternatives that use no memory."""
        archive = cpio.Archive()
        archive.add("bin/sh", b"", 0o755)
        rootfs = written(self.path("rootfs.cpio"), b"".join(archive.bytes()))
        full = UP + "print pixmill: cause: the guest's memory is full: the kernel could not unpack all\nprint pixmill: the end"
        panic = "print [    1.0] Initramfs unpacking failed: write error\nprint Kernel panic - not syncing: No working init found."
        for guest in (full, panic):
            for board, other in (("sabrelite", True), ("am57xx-x15", False)):
                ended = run(self.out, guest, "--board", board, "--program", script(self.out), "--rootfs", rootfs)
                ends(ended, 3, f"The archive --rootfs {rootfs} is unpacked into it: use a smaller one")
                assert (", or a folder or a file system image" in ended.stdout) == other, ended.stdout
        assert "--rootfs" not in run(self.out, full, "--program", script(self.out)).stdout

    def test_the_program_that_has_filled_the_memory_is_the_first_that_finds_no_room(self):
        """Runs guest/suite-functions in the host's shell, on a file system of 256 KiB."""
        place, links = self.path("small"), empty(self.path("links"))
        written(self.path("bin", "usleep"), "#!/bin/sh\nsleep 0.1\n", 0o755)
        body = ('. "$1"; cd "$2"; results=$2 filled=$3/by; board() { :; }\n'
                'run_program small sh -c "echo a >file"\nls "$3"\n'
                'run_program big sh -c "cat /dev/zero >full"\nrun_program later sh -c "exit 3"\nexit 0\n')
        done = full_disk(place, ["sh", "-c", body, "sh", os.path.join(REPO, "guest", "suite-functions"), place, links], "256k",
                         PATH=self.path("bin") + ":" + os.environ["PATH"], TMPDIR=empty(self.path("tmp")))
        assert done.returncode == 0 and os.readlink(os.path.join(links, "by")) == "big", done

    def test_a_command_line_that_excludes_the_initramfs_is_reported(self):
        board = boards.Board(os.path.join(BOARDS, "sabrelite"))
        pc = boards.Board(os.path.join(BOARDS, "geode-lx"))
        initrd = written(self.path("initrd"), bytes(5 << 20))
        excludes = "mem=16M on the kernel command line excludes the initramfs, which ends at 133M"
        for board_, append, memory, words in ((board, "mem=16M", "1G", excludes),
                                              (board, "a mem=1G mem=64m b", "1G", "mem=64m"), (board, "mem=512M", "1G", ""), (board, "", "1G", ""),
                                              (board, "mem=133M", "1G", ""), (board, "cma=16M somemem=1M", "1G", ""),
                                              (board, "mem=100M", "256M", "133M"), (pc, "mem=64M", "512M", "512M"), (board, "mem=x", "1G", "")):
            told = machine.memory_hint(["qemu", "-m", memory, "-initrd", initrd, "-append", append], board_)
            assert (words in told) if words else not told, (append, told)
        command = [FAKE, "-m", "1G", "-initrd", initrd, "-append", "mem=16M"]
        os.environ["FAKE_GUEST"] = "hang"
        try:
            ended = machine.run_suites(command, board, self.path("log"), 600, (), patience=1)
        finally:
            del os.environ["FAKE_GUEST"]
        assert ended.kind == "boot" and "no output on the console" in ended.failure and "mem=16M" in ended.failure, ended.failure


class EndsTest(Test):
    def follow(self, guest, **more):
        os.environ["FAKE_GUEST"] = guest
        try:
            return machine.run_suites([FAKE], boards.Board(os.path.join(BOARDS, "sabrelite")), self.path("log"), 600, (), 30, **more)
        finally:
            del os.environ["FAKE_GUEST"]

    def test_a_panic_ends_the_run_at_its_line(self):
        """A panic must end the run whatever "panic=" is, and even if QEMU never gets a CPU."""
        class Starved(machine.Starvation):
            def between(self, start, end):
                return end - start

        seen, follower = [], machine.Follower
        with unittest.mock.patch.object(machine, "Starvation", Starved), unittest.mock.patch.object(follower, "DYING", 1), \
                unittest.mock.patch.object(machine, "Follower", lambda *words: seen.append(follower(*words)) or seen[-1]):
            for last, by in (("---[ end Kernel panic - not syncing: x ]---", "a line"), ("Rebooting in 5 seconds..", "a line"), ("no last word", "the clock")):
                ended = self.follow(f"print [    1.0] Kernel panic - not syncing: x\nprint a trace\nprint {last}\nhang")
                assert ended.kind == "boot" and "not syncing: x" in ended.failure, ended.failure
                assert (seen[-1].dead_by == 0) == (by == "a line"), last
                assert last in text_of(self.path("log")), "the last words are in the log"

    def test_the_end_does_not_wait_for_a_processor(self):
        class Starved(machine.Starvation):
            def between(self, start, end):
                return end - start

        kept, machine.Starvation = machine.Starvation, Starved
        limit, machine.Limits.RESET = machine.Limits.RESET, 0.2
        try:
            ended = self.follow(UP + "print pixmill: the end\nhang")
            assert not ended.failure and "cannot reset" in ended.notes[0], (ended.failure, ended.notes)
        finally:
            machine.Starvation, machine.Limits.RESET = kept, limit

    def test_a_program_that_leaves_a_daemon_has_its_own_status(self):
        """Runs guest/suite-functions in the host's shell."""
        written(self.path("bin", "usleep"), "#!/bin/sh\nsleep 0.1\n", 0o755)
        body = ('. "$1"; cd "$2"; results=$2; board() { :; }\n'
                'run_program quiet sh -c "sleep 60 & echo said; exit 7"\n'
                'run_program loud sh -c "(for turn in $(seq 300 | xargs); do echo again; sleep 0.2; done) & exit 8"\n'
                'run_program plain sh -c "seq 20000; exit 0"\n'
                'cat cases; kill $(cat /dev/null) 2>/dev/null; true\n')
        done = subprocess.run(["timeout", "100", "setsid", "sh", "-c", body, "sh", os.path.join(REPO, "guest", "suite-functions"), empty(self.path("w"))],
                              env={**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"], "TMPDIR": os.path.realpath(empty(self.path("tmp")))}, stdout=open(self.path("said"), "wb"),
                              stderr=subprocess.STDOUT, check=False)
        assert done.returncode == 0, text_of(self.path("said"))
        found = {line.split()[1]: line.split()[0] for line in text_of(self.path("w"), "cases").splitlines()}
        assert found == {"quiet": "7", "loud": "8", "plain": "0"}, found
        assert text_of(self.path("w"), "plain.log").split()[-1] == "20000"
        said = text_of(self.path("said"))
        assert "program quiet ended with status 7\npixmill: note: quiet has left a process behind" in said, said[-500:]
        assert "note: plain" not in said

    def test_a_note_of_the_guest_is_told(self):
        ends(run(self.out, UP + "print pixmill: note: a word\nresults program 0 test.sh", "--program", script(self.out)), 0, "note    program: a word")

    def test_a_snapshot_knows_its_kernel(self):
        """Tests a new snapshot and one from an earlier run, each also with a quiet kernel."""
        says = {"loud": b"[    0.0] Linux version 6.99-loud (a@b)", "quiet": b"pixmill: up after 2.00 s: Linux 6.99-quiet"}
        front = __import__("pixmill.run", fromlist=["Session"]).Session

        def saved(command, board, log, timeout, look_for, patience=30, heard=None, save=None, **_):
            heard(b"a line")
            heard(says[command[0]])
            written(save, b"state")
            return machine.Result("")

        kept = snapshots.machine.run_suites, snapshots.CACHE
        snapshots.machine.run_suites, snapshots.CACHE = saved, self.path("cache")
        try:
            for name in says:
                first, second = (snapshots.ready([name], None, self.path("log"), 1, 1, lambda line: front.version_in(front, line)) for _ in range(2))
                assert (first.made, second.made) == (True, False)
                assert first.version == second.version == f"6.99-{name}", (first.version, second.version)
                assert str(first).startswith("new: ") and str(second).startswith("from an earlier run: ")
        finally:
            snapshots.machine.run_suites, snapshots.CACHE = kept

    def test_a_snapshot_that_cannot_be_loaded_is_made_again(self):
        """The snapshot must be made again only once. If the new one cannot be loaded either, the file is not the
        problem."""
        sound, loads = b"state", []

        def run_suites(*words, heard=None, save=None, restore=None):
            result = machine.Result("")
            if save:
                heard(b"a line")
                written(save, b"state")
            else:
                with open(restore, "rb") as file:
                    loads.append(file.read())
                result.booted = loads[-1] == sound
                if not result.booted:
                    result.fail("qemu", "load of migration failed")
            return result

        made = run_module.Session.__new__(run_module.Session)
        made.front, made.board, made.patience, made.heard, made.version = unittest.mock.Mock(snapshot=True, gdb=None, timeout=1), None, 1, None, ""
        made.report, made.write_job = unittest.mock.Mock(about={}), lambda suites: None
        with unittest.mock.patch.object(machine, "run_suites", lambda *words, **more: run_suites(*words[:6], **{"heard": (words + (None,))[6], **more})), \
                unittest.mock.patch.object(snapshots, "CACHE", self.path("cache")), contextlib.redirect_stdout(io.StringIO()):
            assert made.start(["qemu"], [], self.path("x.log")).booted and loads == [b"state"]
            path, = [entry.path for entry in os.scandir(self.path("cache", "snapshots")) if len(entry.name) == 32]
            written(path, b"")
            assert made.start(["qemu"], [], self.path("x.log")).booted and loads[1:] == [b"", b"state"], loads
            sound = b"another"
            assert made.start(["qemu"], [], self.path("x.log")).kind == "qemu" and loads[3:] == [b"state", b"state"], loads

    def test_a_signal_is_named_and_no_intermediate_file_stays(self):
        for number, status, name in ((signal.SIGTERM, 143, "SIGTERM"), (signal.SIGINT, 130, "SIGINT"), (signal.SIGHUP, 129, "SIGHUP")):
            folder = self.path(name)
            process, qemu = started(self.out, "--out", folder, "--program", script(self.out))
            os.kill(process.pid, number)
            _, said = process.communicate(timeout=30)
            assert process.returncode == status, (name, process.returncode)
            assert said.splitlines()[-1] == f"pixmill: interrupted by {name}" and "Traceback" not in said, said
            left = set(os.listdir(folder))
            assert left <= {".pixmill-run", "program.log"}, left  # the console log and the mark of a run's folder
            assert is_gone(qemu), "QEMU still runs"
            ends(run(self.out, UP + "results program 0 test.sh", "--program", script(self.out), to=name), 0)

    def test_a_run_that_is_refused_leaves_no_folder(self):
        for words, status in ((["--program", written(self.path("text"), b"no program")], 2), (["--qemu", "/nowhere"], 2)):
            ends(run(self.out, UP, *words, to="never"), status)
            assert not os.path.exists(self.path("never")), os.listdir(self.path("never"))
        ends(run(self.out, UP + "results program 0 test.sh", "--program", script(self.out)), 0)
        assert set(os.listdir(self.path("run"))) == {".pixmill-run", "program", "program.log", "results.json", "results.ktap", "junit.xml", "report.html"}

    def test_scripts_of_bash_name_the_signal(self):
        cleans = f"trap 'sleep 1; rm {self.path('dirt')}; exit 1' TERM; touch {self.path('dirt')}; while :; do sleep 0.1; done"
        path = written(self.path("waits"), f'set -euo pipefail\n. "{SCRIPTS}/lib/common.bash"\n'
                                           f'step Waiting flock -o "$1" sh -c "{cleans}"\n')
        process = subprocess.Popen(["bash", path, self.path("lock")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={name: value for name, value in os.environ.items() if name != "pixmill_outer"}
                                   | {"PIXMILL_CACHE": self.path("cache")})
        wait_for(lambda: os.path.exists(self.path("dirt")))
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
        assert not os.path.exists(self.path("dirt")), "the step's script under flock(1) did not clean up"
        assert process.returncode == 143 and "pixmill: interrupted by SIGTERM" in said, (process.returncode, said)

    def test_a_signal_to_nested_commands_is_reported_once(self):
        """A terminal signals the whole process group, which contains the Python command and possibly also the bash
        command."""
        frame = f'set -euo pipefail\n. "{SCRIPTS}/lib/common.bash"\n'
        steps = written(self.path("steps"), frame + f'step Waiting sh -c "touch {self.path("begun")}; sleep 60; true"\n')
        attends = written(self.path("attends"), frame + f'attend bash "{steps}"\n')
        python = ("import sys; from pixmill import processes\nsys.exit(processes.ended("
                  "lambda: processes.attend(sys.argv[2:], group=sys.argv[1] == 'group')))")
        for command in (["bash", steps], ["bash", attends], *([sys.executable, "-c", python, kind, "bash", script_]
                                                              for kind in ("group", "alone") for script_ in (steps, attends))):
            for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
                with self.subTest(command=command[-3:], signal=number.name):
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(self.path("begun"))
                    process = subprocess.Popen(command, cwd=os.path.join(REPO, "runner"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                               stderr=subprocess.PIPE, text=True, start_new_session=True,
                                               env={**os.environ, "PIXMILL_CACHE": self.path("cache")})
                    wait_for(lambda: os.path.exists(self.path("begun")))
                    os.killpg(process.pid, number)
                    said = process.communicate(timeout=60)[1]
                    assert (process.returncode, said) == (status, f"pixmill: interrupted by {number.name}\n"), (process.returncode, said)

    def test_a_lock_is_held_until_the_script_that_was_ended_is_gone(self):
        """Signals the script itself, or the script that runs it. A script that is waiting for the lock must end,
        too."""
        path = self.path("work")
        alone = (f'set -euo pipefail\n. "{SCRIPTS}/lib/common.bash"\nwork={path} logs={path}\nalone it\n'
                 f'step Working bash -c "trap \'touch {path}/cleaned; exit\' TERM; touch {path}/begun; while :; do sleep 0.1; done"\n')
        scripts = {"own": written(self.path("own"), alone, 0o755),
                   "attended": written(self.path("attended"), f'set -euo pipefail\n. "{SCRIPTS}/lib/common.bash"\nattend bash {self.path("own")}\n', 0o755)}
        environment = {name: value for name, value in os.environ.items() if name != "pixmill_outer"} | {"PIXMILL_CACHE": self.path("cache")}

        def start(script_):
            return subprocess.Popen(["bash", script_], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    env=environment)

        def is_free():
            return subprocess.run(["flock", "-n", os.path.join(path, "it.lock"), "true"], check=False).returncode == 0

        for name, script_ in scripts.items():
            empty(path)
            first = start(script_)
            wait_for(lambda: os.path.exists(os.path.join(path, "begun")))
            assert not is_free(), name
            second = start(scripts["own"])
            assert "waiting for another run" in second.stdout.readline(), name
            for process in (second, first):
                process.send_signal(signal.SIGTERM)
                said = process.communicate()[0]
                assert process.returncode == 143 and said.count("interrupted by SIGTERM") == 1, (name, process.returncode, said)
                assert is_free() == (process == first), name
            assert os.path.exists(os.path.join(path, "cleaned")), name

    def test_a_step_that_drops_signals_is_ended(self):
        """A process that was just forked can drop a signal, and so can its parent."""
        path = self.path("work")
        script_ = written(self.path("stubborn"), f'set -euo pipefail\n. "{SCRIPTS}/lib/common.bash"\nwork={path} logs={path}\n'
                          f'step Working bash -c "n=0; trap \'((++n < 3)) || exit\' TERM; touch {path}/begun; while :; do sleep 0.1; done"\n')
        empty(path)
        with subprocess.Popen(["bash", script_], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=os.environ | {"PIXMILL_CACHE": self.path("cache")}) as process:
            wait_for(lambda: os.path.exists(os.path.join(path, "begun")))
            process.send_signal(signal.SIGTERM)
            try:
                self.assertEqual(process.wait(60), 143)
            finally:
                process.kill()

    def test_every_kind_has_its_status(self):
        assert {kind: int(status) for kind, (status, _) in session.KINDS.items()} == {
            "qemu": 2, "boot": 3, "full": 3, "timeout": 4, "starved": 5, "host": 5, "broken": 1}


class SilenceTest(Test):
    def test_results_without_a_case_are_no_success(self):
        written(self.path("r", "results.json"), json.dumps({"format": 1, "qemu": "", "about": {}, "suites": [], "cases": []}))
        ended = subprocess.run([os.path.join(SCRIPTS, "results"), self.path("all"), self.path("r")], capture_output=True, text=True, check=False)
        ends(ended, 1, "no folder has a case")

    def test_piglit_without_a_test_is_no_success(self):
        known = written(self.path("known-fails"), b"")
        found = list(judge.piglit_cases({"ended": b""}, known))
        assert [(case.name, case.outcome) for case in found] == [("tests", "failed")], found

    def test_truncated_pictures_are_rejected(self):
        for content in (b"P6\n2 2\n255\n" + bytes(11), b"P6\n2 2\n255\n"):
            with self.assertRaises(ValueError):
                judge.picture.read_ppm(content)
        assert judge.picture.read_ppm(b"P6\n1 1\n255\n\n \n").words == [0x0A200A], "blanks may be pixels"
        assert judge.picture.read_ppm(b"P6\n2 2\n255\n" + bytes(9) + b"\1\2\3").words == [0, 0, 0, 0x010203]


class FirmwareTest(Test):
    """Tests the same kinds of failures on boards that run firmware."""

    def test_ends_of_qemu(self):
        expected = self.path("expected")
        written(self.path("expected", "mine.txt"), "frame mine-00 rgba8888 2 2 8 00000000\ncheck a ok\nend mine\n")
        for name, script_, status, words in (
                ("killed", "echo begins; kill -9 $$", 5, "QEMU ended with status -9"), ("late", "echo begins; exec sleep 60", 4, "did not end within"),
                ("wrong", "echo no such machine >&2; exit 1", 2, "no such machine"),
                ("full", f"echo x; echo {SAID_ALL} >&2; exit 1", 5, SAID_ALL), ("broken", "echo begins; exit 1", 1, "status 1"),
                ("bad", "echo check a bad; echo end mine", 1, "did not draw it")):
            qemu = written(self.path(name), f"#!/bin/sh\n{script_}\n", 0o755)
            ended = subprocess.run([os.path.join(SCRIPTS, "lib", "pixmill"), "firmware", "--qemu", qemu, "--firmware", qemu, "--expected", expected,
                                    "--out", self.path("out"), "--timeout", "1", "mine"], capture_output=True, text=True, check=False)
            ends(ended, status, words)
            assert (ended.stdout.count("failed  ") == 1) == (name != "bad"), ended.stdout

    def test_the_end_of_a_captured_run_counts(self):
        seen = firmware.Report("end mine")
        args = unittest.mock.Mock(out=self.out, suites=["mine"], label="", replay="replay", keep=False, deterministic=False)
        board = unittest.mock.Mock(captured=lambda suite: ["nema"])
        for end in (Status.HOST, Status.TIMEOUT, Status.FAILED):
            with unittest.mock.patch.object(firmware, "run_suite", side_effect=[(seen, "", Status.FAILED), (seen, "it ended", end)]), \
                    unittest.mock.patch.object(firmware, "cases_of", return_value=[judge.verdict("run", "")]), \
                    contextlib.redirect_stdout(io.StringIO()) as said:
                assert firmware.run_suites(args, board) == end, end
            assert said.getvalue().count("failed  ") == 1, said.getvalue()
