# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the command "suites" and machine.py with a fake QEMU: missing files, guests that do not boot, captures."""

import errno
import os
import pty
import re
import shutil
import subprocess
import sys
import termios
import time
from unittest import mock

from pixmill import boards, console, failure, machine
from pixmill.places import REPO, RUNNER, SCRIPTS
from tests import setting
from tests.files import FAKE, Test, ends, guest_folder, text_of, written

RUN = [os.path.join(SCRIPTS, "lib", "pixmill"), "suites"]


def run(out, *more, qemu=FAKE, guest="", to="run", **environment):
    command = [*RUN, "--qemu", qemu, "--guest", guest_folder(os.path.join(out, "sabrelite-6.12")), "--out", os.path.join(out, to), *more]
    return subprocess.run(command, env={**os.environ, "FAKE_GUEST": guest, **environment}, capture_output=True, text=True, check=False)


def captured(out, content, replay, *more):
    """Runs the suite vg on a kernel series that the board captures; `content` is that of the GC355's capture."""
    with open(os.path.join(out, "captured"), "wb") as file:
        file.write(content)
    script_ = f"print pixmill: up after 1 s\ncapture gc355 {out}/captured\nresults vg 0 draws\nprint pixmill: the end"
    return run(out, "--series", "6.1", "--replay", replay, *more, "vg", guest=script_)


def stand_in_for_replay(out):
    """Writes a fake pixmill-replay, which takes its status and verdict from the capture."""
    path = os.path.join(out, "replay")
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n"
                   "read -r status verdict <\"$2\"\n"
                   "printf '%s\\t12 calls\\t3 draws\\t1.500 ms\\t%s\\n' \"$2\" \"$verdict\"\n"
                   "exit $status\n")
    os.chmod(path, 0o755)
    return path


class CommandTest(Test):
    def test_unknown_names_are_told(self):
        ends(run(self.out, "nosuch"), 2, "no suite nosuch", "libdrm")
        ends(run(self.out, "--board", "nosuch", "libdrm"), 2, "no board nosuch", "sabrelite")
        ends(run(self.out, "libdrm", qemu="/nonexistent"), 2, "/nonexistent")
        ends(run(self.out, "libdrm", qemu=self.out), 2, self.out)

    def test_a_program_that_is_no_qemu_is_told(self):
        path = self.path("no-qemu")
        with open(path, "w", encoding="ascii") as file:
            file.write("no program\n")
        os.chmod(path, 0o755)
        ends(run(self.out, "libdrm", qemu=path), 2, path + ": Exec format error")

    def test_a_full_disk_is_told(self):
        os.makedirs(self.path("full", "libdrm"), exist_ok=True)
        if not os.path.lexists(self.path("full", "libdrm", "cases")):
            os.symlink("/dev/full", self.path("full", "libdrm", "cases"))
        ended = run(self.out, "libdrm", guest="print pixmill: up after 1 s\nresults libdrm 0 a-case", to="full")
        ends(ended, 5, self.path("full", "libdrm", "cases") + ": No space left on device")

    def test_a_userland_may_have_a_blank_in_its_path(self):
        folder, said = self.path("a folder"), self.path("command")
        run(folder, "gles2", FAKE_COMMAND=said)
        with open(said, encoding="utf-8") as file:
            assert f"local,id=gles2,path={folder}/sabrelite-6.12-gles2,security_model=none,readonly=on\n" in file.read()


def guest_of(out, script, timeout=600, patience=1, heard=None):
    board = boards.Board(os.path.join(REPO, "board-configs", "sabrelite"))
    with mock.patch.dict(os.environ, FAKE_GUEST=script):
        return machine.run_suites([FAKE], board, os.path.join(out, "guest.log"), timeout, (), patience, heard)


def fails_with(run_, kind, *words):
    assert run_.kind == kind, (run_.kind, run_.failure)
    for word in words:
        assert word in run_.failure, (word, run_.failure)


class CapturesTest(Test):
    def tearDown(self):
        """Removes the fake captures, which the fuzzers of scripts/test would use as seeds."""
        shutil.rmtree(self.path("run"), ignore_errors=True)

    def test_captures_are_judged_by_a_replay(self):
        replay = stand_in_for_replay(self.out)
        for content, told in ((b"0 same", "passed  vg: capture gc355: same: 12 calls, 3 draws, 1.500 ms"),
                              (b"0 same, 2 uncertain", "passed  vg: capture gc355: same, 2 uncertain"),
                              (b"0 cut", "passed  vg: capture gc355: cut"),
                              (b"1 differs: call 7", "failed  vg: capture gc355: differs: call 7")):
            ends(captured(self.out, content, replay), 1, told)  # 1, as there is no kernel log
        ends(captured(self.out, b"", "/bin/false"), 1, "failed  vg: capture gc355: the replay ended with status 1")
        ends(captured(self.out, b"", self.out), 1, "failed  vg: capture gc355: ", "Permission denied")

    def test_a_damaged_capture_fails(self):
        replay = setting.needed("REPLAY")
        for content, why in ((b"", "this is not a capture"), (b"Pixmcap\n" + bytes((9, 0, 0, 0)), "version 9"),
                             (b"Pixmcap\n" + bytes((1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0)) + b"none", "cannot be decompressed")):
            ends(captured(self.out, content, replay), 1, "failed  vg: capture gc355: damaged: ", why)

    def test_a_capture_that_is_not_there_fails(self):
        script_ = "print pixmill: up after 1 s\nresults vg 0 draws\nprint pixmill: the end"
        for _ in range(2):  # a capture of an earlier run does not count
            ended = run(self.out, "--series", "6.1", "--replay", stand_in_for_replay(self.out), "vg", guest=script_)
            ends(ended, 1, "failed  vg: capture vivante-gc: no device of that type left one")
            captured(self.out, b"0 same", stand_in_for_replay(self.out))

    def test_captures_are_made_where_the_board_says_so(self):
        replay, said = stand_in_for_replay(self.out), self.path("command")
        for more, wanted in ((("--series", "6.1", "--replay", replay), True), (("--series", "6.12", "--replay", replay), False),
                             (("--series", "6.1"), False)):
            ended = run(self.out, *more, "vg", guest="print pixmill: up after 1 s\nresults vg 0 draws\nprint pixmill: the end",
                        FAKE_COMMAND=said)
            with open(said, encoding="utf-8") as file:
                assert ("vivante-gc.x-capture=" in file.read()) == wanted, more
            assert ("capture" in ended.stdout) == wanted, ended
        ends(run(self.out, "--replay", "/nonexistent", "vg"), 2, "--replay /nonexistent")


class GuestsTest(Test):
    def test_a_full_disk_ends_the_guest(self):
        board = boards.Board(os.path.join(REPO, "board-configs", "sabrelite"))
        with mock.patch.dict(os.environ, FAKE_GUEST="print a line\nhang"), self.assertRaisesRegex(OSError, "No space left"):
            machine.run_suites([FAKE], board, "/dev/full", 20, ())

    def test_a_host_without_room_for_a_process_is_told(self):
        refused = BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        with mock.patch.object(machine.subprocess, "Popen", side_effect=refused), self.assertRaises(OSError) as caught:
            guest_of(self.out, "")
        told = failure.of_error(caught.exception)
        assert told.status == failure.Status.HOST and FAKE in told.what, told.text()

    def test_a_shell_leaves_the_terminal_as_it_was(self):
        """A QEMU that is killed cannot turn the terminal's echo back on."""
        terminal, user = pty.openpty()
        qemu = written(self.path("qemu"), "#!/bin/sh\nstty -echo\nkill -9 $$\n", 0o755)
        shell = f"from pixmill import machine; machine.run_shell([{qemu!r}], {{'serial': 'console'}})"
        try:
            before = termios.tcgetattr(user)
            ended = subprocess.run([sys.executable, "-c", shell], stdin=user, cwd=RUNNER, capture_output=True, text=True, check=False)
            assert "QEMU was ended by SIGKILL" in ended.stderr and termios.tcgetattr(user) == before, ended
        finally:
            os.close(terminal)
            os.close(user)

    def test_silence_is_a_failure_to_boot(self):
        fails_with(guest_of(self.out, "hang"), "boot", "no output on the console")

    def test_silence_after_output_quotes_the_last_line(self):
        fails_with(guest_of(self.out, "print Uncompressing Linux... done, booting the kernel.\nhang"), "boot",
                   "printed nothing", "booting the kernel")

    def test_a_program_may_be_silent(self):
        run_ = guest_of(self.out, "print pixmill: up after 3 s\nsleep 3")
        assert run_.failure == "", run_.failure

    def test_a_panic_is_quoted(self):
        run_ = guest_of(self.out, "print [    1.0] Kernel panic - not syncing: VFS: Unable to mount root fs\nhang", patience=30)
        fails_with(run_, "boot", "Kernel panic - not syncing: VFS")

    def test_a_panic_of_a_running_guest_is_no_failure_to_boot(self):
        run_ = guest_of(self.out, "print pixmill: up after 3 s\nprint Kernel panic - not syncing: oops", patience=30)
        fails_with(run_, "broken", "oops")

    def test_causes_of_the_guest_are_taken(self):
        fails_with(guest_of(self.out, "print pixmill: cause: the kernel 6.0 has no etnaviv-gpu\nprint pixmill: the end"), "boot",
                   "the kernel 6.0 has no etnaviv-gpu")

    def test_no_reset_is_no_failure(self):
        run_ = guest_of(self.out, "print pixmill: up after 1 s\nprint pixmill: the end\nprint Reboot failed -- System halted\nhang")
        assert run_.failure == "" and "cannot reset" in run_.notes[0], (run_.failure, run_.notes)

    def test_late_results_are_awaited(self):
        run_ = guest_of(self.out, "print pixmill: up after 1 s\nprint pixmill-host: results late\nunanswered\nport\n"
                             "results late 0 a-case\necho\nprint pixmill: the end", patience=20)
        with open(self.path("guest.log"), encoding="utf-8") as log:
            assert "got done" in log.read().splitlines(), run_.failure
        assert run_.failure == "" and run_.archives["late"], run_.failure

    def test_a_record_of_the_kernel_ends_a_request(self):
        run_ = guest_of(self.out, "print pixmill: up after 1 s\nprint pixmill-host: slowdown[    7.654321] random: crng init done\necho\n"
                             "print pixmill: the end", patience=20)
        with open(self.path("guest.log"), encoding="utf-8") as log:
            assert re.search(r"(?m)^got [1-8]$", log.read()), run_.failure  # the factor depends on the host's load

    def test_a_guest_is_told_how_slow_the_host_is(self):
        """The guest must multiply its time limits by the slowdown so far."""
        for share, expected in ((1, "1"), (0.4, "3"), (0.01, "8")):
            class Shared(machine.Starvation):
                def between(self, start, end, share=share):
                    return (end - start) * (1 - share)

            with self.subTest(share), mock.patch.object(machine, "Starvation", Shared):
                run_ = guest_of(self.out, "print pixmill: up after 1 s\nprint pixmill-host: slowdown\necho\nprint pixmill: the end",
                                patience=20)
                with open(self.path("guest.log"), encoding="utf-8") as log:
                    assert f"got {expected}" in log.read().splitlines(), run_.failure

    def test_time_is_up(self):
        fails_with(guest_of(self.out, "print pixmill: up after 1 s\nhang", timeout=2), "timeout", "in time")

    def test_a_starved_run_is_told(self):
        """QEMU never gets a CPU, so it always waits."""
        class Starved(machine.Starvation):
            def between(self, start, end):
                return end - start

        with mock.patch.object(machine, "Starvation", Starved), mock.patch.object(console.Limits, "LEAST", 4):
            fails_with(guest_of(self.out, "print pixmill: up after 1 s\nhang", timeout=0.1), "starved", "host was too busy")

    def test_output_that_waits_to_be_read_counts(self):
        """Our delay must not count as the guest's silence: 3 s pass while a line is handled, and the next ones wait in the socket."""
        run_ = guest_of(self.out, "print a line\nsleep 0.2\nprint pixmill: up after 3 s", heard=lambda line: time.sleep(3))
        assert run_.failure == "", run_.failure

    def test_qemus_last_line_is_the_cause(self):
        run_ = guest_of(self.out, "stderr qemu: unsupported machine type\nexit 1")
        fails_with(run_, "qemu", "unsupported machine type")

    def test_hints_do_not_hide_qemus_error(self):
        run_ = guest_of(self.out, "stderr qemu-system-arm: warning: old option\nstderr qemu-system-arm: there is no model x\n"
                                  "stderr Models are: a b\nexit 1")
        fails_with(run_, "qemu", "no model x")
        run_ = guest_of(self.out, "stderr qemu-system-arm: no good\nstderr ERROR:../core.c:7:run: not reached\nkill 6")
        fails_with(run_, "qemu", "not reached")

    def test_a_network_without_peer_is_not_told(self):
        guest_of(self.out, "stderr qemu-system-arm: warning: nic imx.enet.0 has no peer\nstderr another line\nhang")
        with open(self.path("guest.log"), encoding="utf-8") as log:
            assert log.read() == "another line\n"


def script(name, *arguments, **environment):
    kept = {key: value for key, value in os.environ.items() if key not in environment}
    kept.update({key: value for key, value in environment.items() if value is not None})
    return subprocess.run([os.path.join(REPO, "scripts", name), *arguments], stdin=subprocess.DEVNULL, env=kept,
                          capture_output=True, text=True, check=False)


class ScriptsTest(Test):
    def test_helpers_say_what_they_want(self):
        helpers = [os.path.join(folder, name) for folder, names in (
            ("", ("install-packages",)), ("guest", ("export", "fetch", "initramfs", "userland", "firmware")),
            ("qemu", ("build", "fetch", "patch", "firmware"))) for name in names]
        for helper in helpers:
            told = script(helper, "--help")
            assert told.returncode == 0 and told.stdout and "SPDX" not in told.stdout, (helper, told)
            wrong = script(helper, *["x"] * 100)
            assert wrong.returncode == 2 and f"{os.path.basename(helper)}" in wrong.stderr, (helper, wrong)
        for words in (("install-packages", "nogroup"), ("guest/fetch", "noboard", "6.12"), ("guest/fetch", "sabrelite", "1.0"),
                      ("guest/userland", "sabrelite", "6.12", "nouserland")):
            wrong = script(*words)
            assert wrong.returncode == 2 and re.search("available|is known", wrong.stderr), (words, wrong)

    def test_help_needs_no_home(self):
        for home in (None, "/proc"):
            for name in ("demo", "test", "install-packages"):
                told = script(name, "--help", HOME=home, XDG_CACHE_HOME=None, PIXMILL_CACHE=None)
                assert told.returncode == 0 and not told.stderr, (name, home, told)

    def test_a_home_that_cannot_be_written_to_is_told(self):
        told = script("demo", HOME="/proc", XDG_CACHE_HOME=None, PIXMILL_CACHE=None)
        assert told.returncode == 2 and "PIXMILL_CACHE=FOLDER" in told.stderr, told

    def test_a_clone_with_a_blank_has_its_build(self):
        """Tests a copy of the scripts in a folder whose name has a space."""
        clone = self.path("a clone")
        for place in (("lib", "common.bash"), ("qemu", "bases")):
            written(os.path.join(clone, "scripts", *place), text_of(REPO, "scripts", *place))
        cache = self.path("cache")
        subprocess.run(["bash", "-euc", '. "$1"', "_", os.path.join(clone, "scripts", "lib", "common.bash")], check=True,
                       env={**os.environ, "PIXMILL_CACHE": cache})
        assert os.path.realpath(os.path.join(clone, "build")).startswith(os.path.realpath(cache)), "build leads elsewhere"
        assert os.path.isdir(os.path.join(clone, "build", "logs"))
