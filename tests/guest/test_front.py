# SPDX-License-Identifier: GPL-2.0-or-later
"""How a run with a kernel of the user's own ends when there is nothing to run: usage: test_front.py QEMU OUT

Prints a line for each case and, last, the counts.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time

import machine

HERE = os.path.dirname(os.path.realpath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
DEMO = os.path.join(REPO, "scripts", "demo")
PICTURE = os.path.join(REPO, "out", "etnaviv_2d_test.png")
SILENT = (0xEAFFFFFE).to_bytes(4, "little")  # Arm: a branch to itself


def silent_kernel(out):
    path = os.path.join(out, "a silent kernel")
    with open(path, "wb") as file:
        file.write(SILENT)
    return path


def silence_is_named(qemu, out):
    """A kernel that says nothing ends the run long before its time, and the cause says so."""
    board = machine.Board(os.path.join(REPO, "board-configs", "sabrelite"))
    command = machine.arguments(qemu, board, silent_kernel(out), None, silent_kernel(out), "libdrm")
    run = machine.run_suites(command, board, os.path.join(out, "silent.log"), 600, "", patience=1)
    assert "not said a byte" in run.failure, run.failure
    assert run.seconds < 300, run.seconds


def speech_is_heard(_, out):
    """A console that has spoken once may be silent for longer than that. The "QEMU" speaks QMP, one word, and sleeps."""
    program = os.path.join(out, "qemu.py")
    with open(program, "w", encoding="ascii") as file:
        file.write("""import re, socket, sys, time
ends = dict(re.findall(r"id=(\\w+),fd=(\\d+)", " ".join(sys.argv)))
qmp, console = (socket.socket(fileno=int(ends[name])) for name in ("qmp", "console"))
qmp.sendall(b"{}\\n")
qmp.recv(4096)
qmp.sendall(b'{"return": {}}\\n')
console.sendall(b"a word")
time.sleep(3)
console.sendall(b"\\n")
""")
    board = machine.Board(os.path.join(REPO, "board-configs", "sabrelite"))
    run = machine.run_suites([sys.executable, program], board, os.path.join(out, "speech.log"), 600, "", patience=1)
    assert run.failure == "", run.failure


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        own = [int(word) for word in file.read().split()]
    return own + [one for child in own for one in children(child)]


def name_of(pid):
    with open(f"/proc/{pid}/comm", encoding="ascii") as file:
        return file.read()


def wait_for(what):
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            found = what()
        except OSError:  # processes come and go
            found = None
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what.__name__}: not in two minutes")


@contextlib.contextmanager
def earlier_picture():
    """One is there. What was there before is there again afterwards."""
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


def sigterm_ends_demo(_, out):
    """It ends QEMU and itself at once, and the picture of an earlier run is gone."""
    with earlier_picture():
        start_and_end_demo(out)
        assert not os.path.exists(PICTURE), "the picture of an earlier run is still there"


def start_and_end_demo(out):
    with open(os.path.join(out, "demo.log"), "wb") as log, subprocess.Popen(
            [DEMO, "--yes", "--kernel", silent_kernel(out)], stdin=subprocess.DEVNULL, stdout=log, stderr=log) as demo:
        def qemu_runs():
            return [pid for pid in children(demo.pid) if name_of(pid).startswith("qemu-system")]

        qemu, = wait_for(qemu_runs)
        demo.send_signal(signal.SIGTERM)
        assert demo.wait(timeout=20) == 143, demo.returncode  # the run's own end would come after 30 s, with another
        assert not os.path.exists(f"/proc/{qemu}"), "QEMU still runs"


def main():
    qemu, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    counts = {"passed": 0, "failed": 0}
    for case in (silence_is_named, speech_is_heard, sigterm_ends_demo):
        try:
            case(qemu, out)
            outcome, why = "passed", ""
        except (AssertionError, OSError, subprocess.SubprocessError, ValueError) as error:
            outcome, why = "failed", f": {error}"
        counts[outcome] += 1
        print(f"{outcome:7} front: {case.__name__}{why}", flush=True)
    print("{passed} passed, {failed} failed, 0 skipped".format(**counts))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
