# SPDX-License-Identifier: GPL-2.0-or-later
"""How runner/pixmill/suites.py ends when something is not there, and what machine.py says of a guest that does not come up; with
a stand-in for QEMU. usage: test_run.py OUT REPLAY, which is pixmill-replay
"""

import os
import re
import subprocess
import sys

import cases
from pixmill import boards, console, machine
from pixmill.places import REPO, SCRIPTS

HERE = os.path.dirname(os.path.realpath(__file__))
RUN = [os.path.join(SCRIPTS, "lib", "pixmill"), "suites"]
FAKE = os.path.join(HERE, "fake_qemu.py")


def guest_folder(out):
    """As scripts/guest makes it, with nothing in its files."""
    folder = os.path.join(out, "sabrelite-6.12")
    os.makedirs(os.path.join(folder, "boot"), exist_ok=True)
    for name in ("initramfs.cpio", "boot/vmlinuz", "boot/imx6q-sabrelite.dtb"):
        with open(os.path.join(folder, name), "wb"):
            pass
    return folder


def run(out, *more, qemu=FAKE, guest="", to="run"):
    command = [*RUN, "--qemu", qemu, "--guest", guest_folder(out), "--out", os.path.join(out, to), *more]
    return subprocess.run(command, env={**os.environ, "FAKE_GUEST": guest}, capture_output=True, text=True, check=False)


def ends_with_words(ended, status, *words):
    assert "Traceback" not in ended.stderr, ended.stderr
    assert ended.returncode == status, ended
    for word in words:
        assert word in ended.stderr + ended.stdout, (word, ended)


def unknown_names_are_told(out):
    ends_with_words(run(out, "nosuch"), 2, "no suite nosuch", "libdrm")
    ends_with_words(run(out, "--board", "nosuch", "libdrm"), 2, "no board nosuch", "sabrelite")
    ends_with_words(run(out, "libdrm", qemu="/nonexistent"), 2, "/nonexistent")
    ends_with_words(run(out, "libdrm", qemu=out), 2, out)


def a_program_that_is_no_qemu_is_told(out):
    path = os.path.join(out, "no-qemu")
    with open(path, "w", encoding="ascii") as file:
        file.write("no program\n")
    os.chmod(path, 0o755)
    ends_with_words(run(out, "libdrm", qemu=path), 1, "the run broke off", "Exec format error")


def a_full_disk_is_told(out):
    os.makedirs(os.path.join(out, "full", "libdrm"), exist_ok=True)
    if not os.path.lexists(os.path.join(out, "full", "libdrm", "cases")):
        os.symlink("/dev/full", os.path.join(out, "full", "libdrm", "cases"))
    ended = run(out, "libdrm", guest="print pixmill: up after 1 s\nresults libdrm 0 a-case", to="full")
    ends_with_words(ended, 1, "the run broke off", "No space left")


def captured(out, content, replay, *more):
    """A run of vg, whose capture of a GC355 has that content, on a kernel with which the board has it leave captures."""
    with open(os.path.join(out, "captured"), "wb") as file:
        file.write(content)
    script_ = f"print pixmill: up after 1 s\ncapture gc355 {out}/captured\nresults vg 0 draws\nprint pixmill: the end"
    return run(out, "--series", "6.1", "--replay", replay, *more, "vg", guest=script_)


def stand_in_for_replay(out):
    """Its verdict and status are what the capture says."""
    path = os.path.join(out, "replay")
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n"
                   "read -r status verdict <\"$2\"\n"
                   "printf '%s\\t12 calls\\t3 draws\\t1.500 ms\\t%s\\n' \"$2\" \"$verdict\"\n"
                   "exit $status\n")
    os.chmod(path, 0o755)
    return path


def captures_are_judged_by_a_replay(out):
    replay = stand_in_for_replay(out)
    for content, told in ((b"0 same", "passed  vg: capture gc355: same: 12 calls, 3 draws, 1.500 ms"),
                          (b"0 same, 2 uncertain", "passed  vg: capture gc355: same, 2 uncertain"),
                          (b"0 cut", "passed  vg: capture gc355: cut"),
                          (b"1 differs: call 7", "failed  vg: capture gc355: differs: call 7")):
        ends_with_words(captured(out, content, replay), 1, told)  # 1: there is no log of a kernel
    ends_with_words(captured(out, b"", "/bin/false"), 1, "failed  vg: capture gc355: the replay ended with status 1")
    ends_with_words(captured(out, b"", out), 1, "failed  vg: capture gc355: ", "Permission denied")


def a_damaged_capture_fails(out):
    replay = sys.argv[2]
    for content, why in ((b"", "this is no capture"), (b"Pixmcap\n" + bytes((9, 0, 0, 0)), "version 9"),
                         (b"Pixmcap\n" + bytes((1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0)) + b"none", "cannot be decompressed")):
        ends_with_words(captured(out, content, replay), 1, "failed  vg: capture gc355: damaged: ", why)


def a_capture_that_is_not_there_fails(out):
    script_ = "print pixmill: up after 1 s\nresults vg 0 draws\nprint pixmill: the end"
    for _ in range(2):  # one of the run before does not count
        ended = run(out, "--series", "6.1", "--replay", stand_in_for_replay(out), "vg", guest=script_)
        ends_with_words(ended, 1, "failed  vg: capture vivante-gc: no device of that type")
        captured(out, b"0 same", stand_in_for_replay(out))


def captures_are_made_where_the_board_says_so(out):
    replay, said = stand_in_for_replay(out), os.path.join(out, "command")
    for more, wanted in ((("--series", "6.1", "--replay", replay), True), (("--series", "6.12", "--replay", replay), False),
                         (("--series", "6.1"), False)):
        os.environ["FAKE_COMMAND"] = said
        ended = run(out, *more, "vg", guest="print pixmill: up after 1 s\nresults vg 0 draws\nprint pixmill: the end")
        del os.environ["FAKE_COMMAND"]
        with open(said, encoding="utf-8") as file:
            assert ("vivante-gc.x-capture=" in file.read()) == wanted, more
        assert ("capture" in ended.stdout) == wanted, ended
    ends_with_words(run(out, "--replay", "/nonexistent", "vg"), 2, "--replay /nonexistent")


def a_userland_may_have_a_blank_in_its_path(out):
    out, said = os.path.join(out, "a folder"), os.path.join(out, "command")
    os.environ["FAKE_COMMAND"] = said
    run(out, "gles2")
    del os.environ["FAKE_COMMAND"]
    with open(said, encoding="utf-8") as file:
        assert f"local,id=gles2,path={out}/sabrelite-6.12-gles2,security_model=none,readonly=on\n" in file.read()


def guest_of(out, script, timeout=600, patience=1, heard=None):
    board = boards.Board(os.path.join(REPO, "board-configs", "sabrelite"))
    os.environ["FAKE_GUEST"] = script
    return machine.run_suites([FAKE], board, os.path.join(out, "guest.log"), timeout, "", patience, heard)


def fails_with(run_, kind, *words):
    assert run_.kind == kind, (run_.kind, run_.failure)
    for word in words:
        assert word in run_.failure, (word, run_.failure)


def a_full_disk_ends_the_guest(out):
    board = boards.Board(os.path.join(REPO, "board-configs", "sabrelite"))
    os.environ["FAKE_GUEST"] = "print a line\nhang"
    try:
        machine.run_suites([FAKE], board, "/dev/full", 20, "")
    except OSError as error:
        assert "No space left" in str(error), error
    else:
        raise AssertionError("nobody was told")


def silence_is_a_failure_to_boot(out):
    fails_with(guest_of(out, "hang"), "boot", "not said a byte")


def silence_behind_words_names_the_last(out):
    fails_with(guest_of(out, "print Uncompressing Linux... done, booting the kernel.\nhang"), "boot",
               "not said anything", "booting the kernel")


def a_program_may_be_silent(out):
    run_ = guest_of(out, "print pixmill: up after 3 s\nsleep 3")
    assert run_.failure == "", run_.failure


def a_panic_is_quoted(out):
    run_ = guest_of(out, "print [    1.0] Kernel panic - not syncing: VFS: Unable to mount root fs\nhang", patience=30)
    fails_with(run_, "boot", "Kernel panic - not syncing: VFS")
    assert run_.seconds < 20, run_.seconds


def a_panic_of_a_running_guest_is_no_failure_to_boot(out):
    run_ = guest_of(out, "print pixmill: up after 3 s\nprint Kernel panic - not syncing: oops", patience=30)
    fails_with(run_, "broken", "oops")


def causes_of_the_guest_are_taken(out):
    fails_with(guest_of(out, "print pixmill: cause: the kernel 6.0 has no etnaviv-gpu\nprint pixmill: the end"), "boot",
               "the kernel 6.0 has no etnaviv-gpu")


def no_reset_is_no_failure(out):
    run_ = guest_of(out, "print pixmill: up after 1 s\nprint pixmill: the end\nprint Reboot failed -- System halted\nhang")
    assert run_.failure == "" and "no way to reset" in run_.notes[0], (run_.failure, run_.notes)


def results_that_are_on_their_way_are_waited_for(out):
    run_ = guest_of(out, "print pixmill: up after 1 s\nprint pixmill-host: results late\nunanswered\nport\n"
                         "results late 0 a-case\necho\nprint pixmill: the end", patience=20)
    with open(os.path.join(out, "guest.log"), encoding="utf-8") as log:
        assert "got done" in log.read().splitlines(), run_.failure
    assert run_.failure == "" and run_.archives["late"], run_.failure


def time_is_up(out):
    fails_with(guest_of(out, "print pixmill: up after 1 s\nhang", timeout=2), "timeout", "in time")


def a_starved_run_is_told(out):
    """QEMU that never gets a processor: all its time counts as waited for."""
    class Starved(machine.Starvation):
        def between(self, start, end):
            return end - start

    kept, machine.Starvation = machine.Starvation, Starved
    limits, console.Limits.LEAST = console.Limits.LEAST, 4
    try:
        fails_with(guest_of(out, "print pixmill: up after 1 s\nhang", timeout=0.1), "starved", "host was too busy")
    finally:
        machine.Starvation, console.Limits.LEAST = kept, limits


def qemus_last_line_is_the_cause(out):
    run_ = guest_of(out, "stderr qemu: unsupported machine type\nexit 1")
    fails_with(run_, "qemu", "unsupported machine type")


def a_network_without_peer_is_not_told(out):
    guest_of(out, "stderr qemu-system-arm: warning: nic imx.enet.0 has no peer\nstderr another line\nhang")
    with open(os.path.join(out, "guest.log"), encoding="utf-8") as log:
        assert log.read() == "another line\n"


def helpers_say_what_they_want(_):
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
        assert wrong.returncode == 2 and re.search("there is|is known", wrong.stderr), (words, wrong)


def script(name, *arguments, **environment):
    kept = {key: value for key, value in os.environ.items() if key not in environment}
    kept.update({key: value for key, value in environment.items() if value is not None})
    return subprocess.run([os.path.join(REPO, "scripts", name), *arguments], stdin=subprocess.DEVNULL, env=kept,
                          capture_output=True, text=True, check=False)


def help_needs_no_home(_):
    for home in (None, "/proc"):
        for name in ("demo", "test", "install-packages"):
            told = script(name, "--help", HOME=home, XDG_CACHE_HOME=None, PIXMILL_CACHE=None)
            assert told.returncode == 0 and not told.stderr, (name, home, told)


def a_home_that_cannot_be_written_to_is_told(_):
    told = script("demo", HOME="/proc", XDG_CACHE_HOME=None, PIXMILL_CACHE=None)
    assert told.returncode == 1 and "PIXMILL_CACHE=FOLDER" in told.stderr, told


def a_clone_with_a_blank_has_its_build(out):
    """In a copy of the scripts."""
    clone = os.path.join(out, "a clone")
    os.makedirs(os.path.join(clone, "scripts", "lib"), exist_ok=True)
    with open(os.path.join(REPO, "scripts", "lib", "common.bash"), encoding="utf-8") as source, \
            open(os.path.join(clone, "scripts", "lib", "common.bash"), "w", encoding="utf-8") as copy:
        copy.write(source.read())
    cache = os.path.join(out, "cache")
    subprocess.run(["bash", "-euc", '. "$1"', "_", os.path.join(clone, "scripts", "lib", "common.bash")], check=True,
                   env={**os.environ, "PIXMILL_CACHE": cache})
    assert os.path.realpath(os.path.join(clone, "build")).startswith(os.path.realpath(cache)), "build leads elsewhere"
    assert os.path.isdir(os.path.join(clone, "build", "logs"))


def main():
    out, _ = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    return cases.run("run", (
        unknown_names_are_told, a_program_that_is_no_qemu_is_told, a_full_disk_is_told, a_full_disk_ends_the_guest,
        silence_is_a_failure_to_boot,
        silence_behind_words_names_the_last, a_program_may_be_silent, a_panic_is_quoted,
        a_panic_of_a_running_guest_is_no_failure_to_boot, causes_of_the_guest_are_taken, no_reset_is_no_failure,
        results_that_are_on_their_way_are_waited_for, time_is_up,
        captures_are_judged_by_a_replay, a_damaged_capture_fails, a_capture_that_is_not_there_fails,
        captures_are_made_where_the_board_says_so, a_userland_may_have_a_blank_in_its_path, a_starved_run_is_told,
        qemus_last_line_is_the_cause, a_network_without_peer_is_not_told, helpers_say_what_they_want,
        help_needs_no_home, a_home_that_cannot_be_written_to_is_told, a_clone_with_a_blank_has_its_build), out)


if __name__ == "__main__":
    sys.exit(main())
