# SPDX-License-Identifier: GPL-2.0-or-later
"""Suites of the guest, and a fault in the middle of the driver's work: what a test of your own may look like."""

import os
import time

from pixmill import judge
from pixmill.places import SUITES


def test_suite(guest, suite, record_property):
    """Each case goes into the report as a property of its suite."""
    cases = guest.run(judge.Suite(os.path.join(SUITES, suite)))
    for case in cases:
        record_property(case.name, case.outcome)
    assert not [str(case) for case in cases if case.outcome == "failed"]


def recoveries(guest):
    """How often the driver has taken the core away from a job."""
    found, _, _ = guest.shell.run("dmesg | grep -c 'recover hung GPU'")
    return int(found[0])


def test_driver_recovers(guest):
    """The core stops for good in its next job; the driver takes it away from the job, resets it, and the next job runs."""
    libdrm = "cd /tmp && etnaviv_2d_test /dev/dri/renderD128 /tmp/picture.bmp"
    power = f"/sys/bus/platform/devices/{guest.board['gpu']}/power/control"
    guest.shell.run_check("dmesg -n 1")  # nothing of the kernel's comes between answers
    guest.shell.run_check(f"echo on >{power}")  # or what hangs may be the END of a suspend
    guest.shell.run_check(libdrm)
    before = recoveries(guest)
    guest.monitor.command("qom-set", path=guest.board["gpu-qom"], property="x-inject", value="hang")
    _, _, status = guest.shell.run(libdrm, timeout=60)
    assert status != 0, "the job was not lost"
    # The program gives up before the driver does: etna_pipe_wait() multiplies its 5000 ms by 10^6 in 32 bits, which
    # leaves 0.7 s (libdrm etnaviv_pipe.c); the driver looks every 500 ms, and acts when nothing has moved since.
    end = time.monotonic() + 60
    while recoveries(guest) == before and time.monotonic() < end:
        time.sleep(0.2)
    assert recoveries(guest) == before + 1
    guest.shell.run_check(f"echo auto >{power}")
    guest.shell.run_check(libdrm)
