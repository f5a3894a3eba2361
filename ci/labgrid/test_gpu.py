# SPDX-License-Identifier: GPL-2.0-or-later
"""Example tests: runs suites of the guest, and injects a fault while the driver works."""

import os
import time

from pixmill import judge
from pixmill.places import SUITES


def test_suite(guest, suite, record_property):
    """Runs a suite and reports each case as a property of its test."""
    cases = guest.run(judge.Suite(os.path.join(SUITES, suite)))
    for case in cases:
        record_property(case.name, case.outcome)
    assert not [str(case) for case in cases if case.outcome == "failed"]


def recoveries(guest):
    """Returns how often the driver has recovered the core from a hang."""
    found, _, _ = guest.shell.run("dmesg | grep -c 'recover hung GPU'")
    return int(found[0])


def test_driver_recovers(guest):
    """Hangs the core in its next job. The driver must give up on the job and reset the core, after which another job
    must run."""
    libdrm = "cd /tmp && etnaviv_2d_test /dev/dri/renderD128 /tmp/picture.bmp"
    power = f"/sys/bus/platform/devices/{guest.board['gpu']}/power/control"
    guest.shell.run_check("dmesg -n 1")  # keeps kernel messages out of the answers
    guest.shell.run_check(f"echo on >{power}")  # otherwise the END of a suspend might hang instead
    guest.shell.run_check(libdrm)
    before = recoveries(guest)
    guest.monitor.command("qom-set", path=guest.board["gpu-qom"], property="x-inject", value="hang")
    _, _, status = guest.shell.run(libdrm, timeout=60)
    assert status != 0, "the job was not lost"
    # The program gives up before the driver does: etna_pipe_wait() multiplies its 5000 ms by 10^6 in 32 bits, which
    # leaves 0.7 s (libdrm etnaviv_pipe.c). The driver checks every 500 ms whether the core has made progress.
    end = time.monotonic() + 60
    while recoveries(guest) == before and time.monotonic() < end:
        time.sleep(0.2)
    assert recoveries(guest) == before + 1
    guest.shell.run_check(f"echo auto >{power}")
    guest.shell.run_check(libdrm)
