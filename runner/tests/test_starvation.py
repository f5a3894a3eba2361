# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests that time limits count only seconds in which a program had a CPU."""

import os
import subprocess
import time
import unittest
import unittest.mock

from pixmill import starvation
from pixmill.places import REPO
from tests.files import Test, written


def started(text):
    return subprocess.Popen(["/usr/bin/python3", "-c", text], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class CommunicateTest(unittest.TestCase):
    def test_a_program_that_ends_in_time_has_all_its_output(self):
        with started("import sys; print('out'); print('err', file=sys.stderr)") as process:
            self.assertEqual(starvation.communicate(process, 30), (b"out\n", b"err\n", True))

    def test_a_program_that_hangs_is_killed_and_has_its_output(self):
        start = time.monotonic()
        with started("import time; print('out', flush=True); time.sleep(600)") as process:
            self.assertEqual(starvation.communicate(process, 1), (b"out\n", b"", False))
        self.assertLess(time.monotonic() - start, 60)

    def test_waiting_for_a_processor_does_not_count(self):
        """A program that always waits in the run queue must be limited only by the clock."""
        starved = unittest.mock.Mock(between=lambda start, end: end - start)
        with unittest.mock.patch.object(starvation, "Starvation", return_value=starved), \
                started("import time; time.sleep(2); print('done')") as process:
            self.assertEqual(starvation.communicate(process, 1), (b"done\n", b"", True))
        starved.stop.assert_called_once()

    def test_the_clock_ends_a_program_that_never_runs(self):
        starved = unittest.mock.Mock(between=lambda start, end: end - start)
        with unittest.mock.patch.object(starvation, "Starvation", return_value=starved), \
                started("import time; time.sleep(600)") as process:
            self.assertEqual(starvation.communicate(process, 0.2), (b"", b"", False))


class StarvationTest(unittest.TestCase):
    """Tests of Starvation with artificial samples."""

    def made(self, *found):
        made = starvation.Starvation.__new__(starvation.Starvation)
        made.found, made.total = [], 0.0
        for period in found:
            made.add(*period)
        return made

    def test_a_late_sample_counts_for_its_whole_period(self):
        made = self.made((10.0, 12.0, 1.5))
        self.assertEqual(made.between(9.0, 11.0), 1.0)
        self.assertEqual(made.between(11.5, 20.0), 0.5)
        self.assertEqual(made.between(0.0, 9.9) + made.between(12.1, 20.0), 0.0)
        self.assertEqual(made.between(0.0, 20.0), 1.5)

    def test_a_wait_counts_when_it_happened_not_when_it_was_seen(self):
        """Linux accounts for a wait when it ends. Here, two threads wait at the same time, and their waits end one
        after the other."""
        made = self.made((0.0, 1.0, 0.0), (1.0, 2.0, 0.0), (2.0, 3.0, 2.5), (3.0, 4.0, 3.5))
        self.assertEqual(made.between(0.0, 4.0), 3.5)
        self.assertEqual(made.between(2.0, 4.0), 2.0)
        self.assertEqual(made.between(0.0, 1.0), 0.5)

    def test_the_whole_run_is_the_sum_of_its_parts(self):
        """The whole run has a total of its own, which does not go through all samples."""
        periods, then = [], 0.0
        for number in range(200):
            now = then + (0.1, 0.5, 2.0)[number % 3]
            periods.append((then, now, number * 37 % 11 / 4))
            then = now
        made = self.made(*periods)
        self.assertAlmostEqual(made.between(0.0, then), made.between(0.0, then / 3) + made.between(then / 3, then))
        self.assertEqual(made.between(-1.0, then + 1), made.between(0.0, then))

    def test_waits_are_never_longer_than_the_period(self):
        made = self.made((0.0, 1.0, 1.5), (1.0, 2.0, 9.0))
        self.assertEqual(made.between(0.0, 2.0), 2.0)

    def test_the_longest_wait_is_that_of_the_worst_span(self):
        made = self.made((0.0, 1.0, 0.1), (1.0, 2.0, 0.5), (2.0, 3.0, 0.75), (3.0, 4.0, 0.0), (4.0, 14.0, 9.0))
        self.assertEqual(made.longest(0.0, 4.0, 2.0), 1.25)
        self.assertEqual(made.longest(0.0, 4.0, 1.0), 0.75)
        self.assertEqual(made.longest(0.0, 2.0, 2.0), 0.6)
        self.assertEqual(made.longest(0.0, 20.0, 2.0), 2.0)
        self.assertEqual(made.longest(15.0, 20.0, 2.0), 0.0)

    def test_note_takes_a_sample_at_once(self):
        with started("import time; time.sleep(600)") as process:
            begun = time.monotonic()
            made = starvation.Starvation(process.pid, begun - 1)
            with unittest.mock.patch.object(made, "look", return_value={"1": (0.75, 0)}):
                made.note()
            self.assertGreaterEqual(made.between(begun - 1, time.monotonic()), 0.75)
            made.stop()
            process.kill()


class StealTest(Test):
    def test_time_that_a_hypervisor_keeps_does_not_count(self):
        everything = {cpu: 0 for cpu in os.sched_getaffinity(0)}
        with unittest.mock.patch.object(starvation.Starvation, "stolen", side_effect=lambda: dict.fromkeys(everything, time.monotonic())), \
                started("import time; time.sleep(2); print('done')") as process:
            self.assertEqual(starvation.communicate(process, 1), (b"done\n", b"", True))

    def test_steal_of_other_cpus_counts(self):
        """QEMU had its CPU while a hypervisor kept another one."""
        with unittest.mock.patch.object(starvation.Starvation, "stolen", side_effect=lambda: {1 << 20: time.monotonic()}), \
                started("import time; time.sleep(600)") as process:
            self.assertEqual(starvation.communicate(process, 1), (b"", b"", False))

    def test_steal_is_read_from_proc_stat(self):
        text = ("cpu  10 20 30 40 50 60 70 800 90 100\n" "cpu0 1 2 3 4 5 6 7 500 9 10\n" "cpu12 1 2 3 4 5 6 7 300 9 10\n" "intr 5 6 7 8 9 10 11 12 13\n")
        self.assertEqual(starvation.Starvation.stolen(written(self.path("stat"), text)),
                         {0: 500 * starvation.Starvation.TICK, 12: 300 * starvation.Starvation.TICK})


if __name__ == "__main__":
    unittest.main()


class GuestTest(unittest.TestCase):
    """The guest's functions multiply their time limits by the slowdown."""

    GUEST = os.path.join(REPO, "guest")

    def said(self, script):
        return subprocess.run(["sh", "-c", script], cwd=self.GUEST, capture_output=True, text=True, check=False).stdout.split()

    def test_the_factor_survives_the_functions_of_a_suite(self):
        self.assertEqual(self.said("slowdown=3; . ./suite-functions; . ./suite-functions; echo $slowdown"), ["3"])
        self.assertEqual(self.said("unset slowdown; . ./suite-functions; echo $slowdown"), ["1"])

    def test_a_wait_is_longer_on_a_busy_host(self):
        functions = "usleep() { :; }; expire() { echo expired $tries; }; fail() { echo failed; }; tried() { tries=$((tries + 1)); false; };"
        wait = functions + "eval \"$(sed -n '/^await/,/^}/p' x11-session)\"; tries=0 patience=5; "
        self.assertEqual(self.said(wait + "server=$$ slowdown=3; await it tried"), ["expired", "15"])
        self.assertEqual(self.said(wait + "server=$$ slowdown=1; await it tried"), ["expired", "5"])
        self.assertEqual(self.said(wait + "server=999999999 slowdown=1; await it tried"), ["failed"])
