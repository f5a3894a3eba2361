# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures how long QEMU waits for a CPU of the host."""

import collections
import contextlib
import os
import re
import subprocess
import threading
import time

PROPORTION = 8  # the longest time on the clock, as a multiple of a time limit


class Starvation:
    """Records how long QEMU waits for a CPU.

    Samples ten times a second how long each of QEMU's threads has been in the run queue (linux sched-stats.rst: the second number
    in schedstat, in ns), how long a hypervisor has kept their CPUs from this host (linux proc.rst: steal in /proc/stat), and its
    own lateness."""

    PERIOD = 0.1
    TICK = 1 / os.sysconf("SC_CLK_TCK")

    def __init__(self, pid, began=None):
        """Watches a process that started at `began` (time.monotonic()), or just now."""
        self.folder = f"/proc/{pid}/task"
        self.lock, self.then = threading.Lock(), began or time.monotonic()
        self.before = {}  # empty: waits before the first sample count, too
        self.stolen_before = self.stolen()
        self.found = []  # [last sample's time, this sample's time, longest wait of a thread until then, in seconds]
        self.total = 0.0  # waits of all periods, each at most as long as its period
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def look(self):
        """Returns {thread: (seconds in the run queue so far, CPU on which it last ran)}."""
        seen = {}
        with contextlib.suppress(OSError):  # QEMU may end meanwhile, and so may a thread
            for thread in os.listdir(self.folder):
                with contextlib.suppress(OSError):
                    with open(f"{self.folder}/{thread}/schedstat", encoding="ascii") as file:
                        waited = int(file.read().split()[1]) / 1e9
                    with open(f"{self.folder}/{thread}/stat", encoding="utf-8", errors="replace") as file:
                        seen[thread] = waited, int(file.read().rpartition(")")[2].split()[36])  # field 39 of proc_pid_stat(5)
        return seen

    @classmethod
    def stolen(cls, path="/proc/stat"):
        """Returns {CPU: seconds for which a hypervisor has kept it so far}."""
        with open(path, encoding="ascii") as file:
            return {int(cpu): int(ticks) * cls.TICK for cpu, ticks in re.findall(r"^cpu(\d+)(?: \d+){7} (\d+)", file.read(), re.MULTILINE)}

    def watch(self):
        while not self.end.wait(self.PERIOD):
            self.note(late=True)

    def note(self, late=False):
        """Takes a sample. Callers that need the current value also call this, since on a busy host the next periodic
        sample is late, and QEMU may have ended by then."""
        with self.lock:
            seen, stolen, now = self.look(), self.stolen(), time.monotonic()
            waits = [waited - self.before.get(thread, 0) for thread, (waited, _) in seen.items()]
            kept = [stolen[cpu] - self.stolen_before[cpu] for _, cpu in seen.values() if cpu in stolen.keys() & self.stolen_before.keys()]
            longest = max(*waits, *(min(steal, now - self.then) for steal in kept), late and now - self.then - self.PERIOD, 0)
            self.add(self.then, now, longest)
            self.before, self.stolen_before, self.then = {thread: waited for thread, (waited, _) in seen.items()}, stolen, now

    def stop(self):
        self.end.set()
        self.thread.join()

    def add(self, then, now, waited):
        """Adds a sample. Linux accounts for a wait when it ends: one that is longer than the period extends into earlier
        periods, in which other threads may have waited as well."""
        self.found.append([then, now, 0.0])
        for period in reversed(self.found):
            then, now, before = period
            if waited <= before:
                break
            self.total += min(waited, now - then) - min(before, now - then)
            period[2] = waited
            waited -= now - then

    def between(self, start, end):
        """Returns the seconds of waiting between two times. A period never counts for more than its overlap with the
        interval."""
        if self.found and start <= self.found[0][0] and end >= self.found[-1][1]:
            return self.total  # called twice a second for the whole run
        total = 0.0
        for then, now, waited in reversed(self.found):
            if now <= start:
                break
            total += min(waited, now - then, max(0.0, min(now, end) - max(then, start)))
        return total

    def longest(self, start, end, span):
        """Returns the longest wait in any `span` seconds between two times."""
        recent, total, longest = collections.deque(), 0.0, 0.0
        for then, now, waited in self.found:
            if now <= start or then >= end:
                continue
            recent.append((then, min(waited, now - then)))
            total += recent[-1][1]
            while len(recent) > 1 and now - recent[0][0] > span:
                total -= recent.popleft()[1]
            longest = max(longest, min(total, span))
        return longest


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
