# SPDX-License-Identifier: GPL-2.0-or-later
"""How long the host let QEMU wait for a processor."""

import contextlib
import os
import subprocess
import threading
import time

PROPORTION = 8  # times as long as a limit may take on the clock


class Starvation:
    """How long the host let QEMU wait for a processor.

    Looks ten times a second at what each of QEMU's threads has stood in the run queue (linux sched-stats.rst:
    schedstat, the second number, ns), and how late it is itself: that has the times, too, in which the machine that
    all this runs on was not scheduled.
    """

    PERIOD = 0.1

    def __init__(self, pid, began=None):
        """Of a process that began then (time.monotonic()), or about now."""
        self.folder = f"/proc/{pid}/task"
        self.lock, self.then = threading.Lock(), began or time.monotonic()
        self.before = {}  # the process is ours: all that it has waited before the first look counts, too
        self.found = []  # (last look, this one, seconds that the unluckiest thread has waited in between)
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

    def watch(self):
        while not self.end.wait(self.PERIOD):
            self.note(late=True)

    def note(self, late=False):
        """What has been waited up to now; whoever needs to know it then asks for it: on such a host the next look comes late,
        when QEMU may be gone."""
        with self.lock:
            waited, now = self.look(), time.monotonic()
            worst = max([waited[thread] - self.before.get(thread, 0) for thread in waited], default=0)
            self.found.append((self.then, now, max(worst, late and now - self.then - self.PERIOD)))
            self.before, self.then = waited, now

    def stop(self):
        self.end.set()
        self.thread.join()

    def between(self, start, end):
        """Seconds. Linux adds up a wait when it ends: one that is longer than the span between two looks in which it was seen
        reaches back into earlier ones, where others may have waited, too. Of a span that is not all in there, no more than is."""
        total = reach = 0.0
        for then, now, waited in reversed(self.found):
            reach = max(reach, waited)
            total += min(reach, now - then, max(0.0, min(now, end) - max(then, start)))
            reach -= now - then
        return total


def communicate(process, timeout):
    """(output, errors, whether it has ended by itself). It is killed after so many seconds in which it had a processor: a busy
    host takes nothing from them."""
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
