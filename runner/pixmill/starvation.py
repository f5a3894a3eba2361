# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures how long QEMU waits for a CPU or a disk of the host."""

import contextlib
import os
import re
import subprocess
import threading
import time

PROPORTION = 8  # the longest time on the clock, as a multiple of a time limit


class Starvation:
    """Records how long QEMU waits for a CPU or a disk.

    Samples ten times a second how long each of QEMU's threads has been in the run queue (linux sched-stats.rst: the second number
    in schedstat, in ns), whether one is in an uninterruptible sleep (linux proc.rst: state D), how long a hypervisor kept the CPUs
    from this host (linux proc.rst: steal in /proc/stat), and its own lateness."""

    PERIOD = 0.1
    TICK = 1 / os.sysconf("SC_CLK_TCK")

    def __init__(self, pid, began=None):
        """Watches a process that started at `began` (time.monotonic()), or just now."""
        self.folder = f"/proc/{pid}/task"
        self.lock, self.then = threading.Lock(), began or time.monotonic()
        self.before = {}  # empty: waits before the first sample count, too
        self.stolen_before = self.stolen()
        self.found = []  # (last sample's time, this sample's time, the longest wait of a thread in between, in seconds)
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def look(self):
        waited = {}
        with contextlib.suppress(OSError):  # QEMU and its threads may end meanwhile
            for thread in os.listdir(self.folder):
                with open(f"{self.folder}/{thread}/schedstat", encoding="ascii") as file:
                    waited[thread] = int(file.read().split()[1]) / 1e9
        return waited

    def is_blocked(self):
        """True if a thread waits for a disk. The sample then counts for its whole period."""
        with contextlib.suppress(OSError):
            for thread in os.listdir(self.folder):
                with open(f"{self.folder}/{thread}/stat", encoding="utf-8", errors="replace") as file:
                    if file.read().rpartition(")")[2].split()[0] == "D":
                        return True
        return False

    @classmethod
    def stolen(cls):
        """Returns for each CPU the seconds that a hypervisor has kept it so far."""
        with open("/proc/stat", encoding="ascii") as file:
            return [int(line.split()[8]) * cls.TICK for line in file if re.match(r"cpu\d", line)]

    def watch(self):
        while not self.end.wait(self.PERIOD):
            self.note(late=True)

    def note(self, late=False):
        """Takes a sample. Callers that need the current value also call this, since on a busy host the next periodic
        sample is late, and QEMU may have ended by then."""
        with self.lock:
            waited, stolen, now = self.look(), self.stolen(), time.monotonic()
            worst = max([waited[thread] - self.before.get(thread, 0) for thread in waited], default=0)
            blocked = now - self.then if self.is_blocked() else 0
            kept = max((after - before for after, before in zip(stolen, self.stolen_before)), default=0)
            self.found.append((self.then, now, max(worst, blocked, kept, late and now - self.then - self.PERIOD)))
            self.before, self.stolen_before, self.then = waited, stolen, now

    def stop(self):
        self.end.set()
        self.thread.join()

    def between(self, start, end):
        """Returns the seconds of waiting between two times. Linux accounts for a wait when it ends. If a wait is
        longer than a sampling period, it extends into earlier periods, in which other threads may have waited as
        well. A period never counts for more than its overlap with the interval."""
        total = reach = 0.0
        for then, now, waited in reversed(self.found):
            reach = max(reach, waited)
            total += min(reach, now - then, max(0.0, min(now, end) - max(then, start)))
            reach -= now - then
        return total


def communicate(process, timeout):
    """Returns (output, errors, True if the process ended by itself). Kills the process after `timeout` seconds in
    which it had a CPU, or after PROPORTION times as many on the clock."""
    starvation, start = Starvation(process.pid), time.monotonic()
    try:
        while True:
            try:
                return *process.communicate(timeout=0.5), True
            except subprocess.TimeoutExpired:
                now = time.monotonic()
                if max(now - start - starvation.between(start, now), (now - start) / PROPORTION) >= timeout:
                    process.kill()
                    return *process.communicate(), False
    finally:
        starvation.stop()
