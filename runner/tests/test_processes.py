# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests that ending a command ends its children, even those started through flock(1), as scripts/lib/common.bash does."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from pixmill.places import RUNNER
from tests.files import is_gone, wait_for, written

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from pixmill import processes
processes.end_on_sigterm()
sys.exit(processes.attend(sys.argv[2:]))
"""


class AttendTest(unittest.TestCase):
    def started(self, *command):
        return subprocess.Popen([sys.executable, "-c", PROGRAM, RUNNER, *command], stdin=subprocess.DEVNULL)

    def test_attend_returns_the_commands_status(self):
        with self.started("/bin/sh", "-c", "exit 7") as process:
            self.assertEqual(process.wait(), 7)

    def test_children_of_flock_are_ended(self):
        """The children's cleanup may take time, such as that of a script that ends QEMU."""
        with tempfile.TemporaryDirectory() as folder:
            pid = os.path.join(folder, "pid")
            script = f"trap 'sleep 1; exit 3' TERM; echo $$ >{pid}.new; mv {pid}.new {pid}; while :; do sleep 0.1; done"
            with self.started("flock", "-o", os.path.join(folder, "lock"), "/bin/sh", "-c", script) as process:
                for _ in range(600):
                    if os.path.exists(pid):
                        break
                    time.sleep(0.05)
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(60), 143)
            with open(pid, encoding="ascii") as file:
                number = file.read().strip()
            self.assertTrue(is_gone(number, 0), "the command's child still runs")

    def test_nothing_is_left_of_a_killed_demo(self):
        """If the process that runs the user's firmware is killed, QEMU must end, too."""
        with tempfile.TemporaryDirectory() as folder:
            pid, qemu = os.path.join(folder, "pid"), os.path.join(folder, "qemu")
            written(qemu, f"#!/bin/sh\necho $$ >{pid}.new && mv {pid}.new {pid}\nexec sleep 300\n", 0o755)
            start = (f"import types; from pixmill.program import Run\n"
                     f"Run(types.SimpleNamespace(qemu={qemu!r}, board='b', cpu='c', caches=None, display='', firmware='f', check_cache=None), 'd', [], {folder!r}).qemu.wait()")
            with subprocess.Popen([sys.executable, "-c", start], cwd=RUNNER) as process:
                wait_for(lambda: os.path.exists(pid))
                process.kill()
            with open(pid, encoding="ascii") as file:
                self.assertTrue(is_gone(int(file.read())), "QEMU still runs")


if __name__ == "__main__":
    unittest.main()
