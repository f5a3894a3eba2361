# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs preparation steps. Their output goes to a log file, while a line shows the progress."""

import os
import re
import subprocess
import sys
import time

from pixmill.failure import Failure, status_of_step, writing
from pixmill.places import LOGS
from pixmill.processes import started

PROGRESS = re.compile(rb"\[\d+/\d+\]|\d+%")  # ninja's, apt's


def elapsed(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def progress(log):
    """Returns the last progress figure in a log."""
    with open(log, "rb") as file:
        file.seek(max(0, os.path.getsize(log) - 400))
        found = PROGRESS.findall(file.read())
    return found[-1].decode() if found else ""


def show_tail(log, lines=25):
    with open(log, encoding="utf-8", errors="replace") as file:
        for text in file.read().splitlines()[-lines:]:
            print(f"  | {text}", file=sys.stderr)


def step(what, command, advice="run the same command again to continue from here", status=None, **more):
    """Runs the command. If it fails, prints the end of its log and raises Failure, with `status` or a status derived
    from the log, but never 1, since no case failed."""
    log = os.path.join(LOGS, re.sub(r"[^A-Za-z0-9.]+", "-", what) + ".log")
    terminal, start, shown = sys.stdout.isatty(), time.monotonic(), 0
    if not terminal:
        print(f"{what} ...", flush=True)
    with writing(log) as output, started(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, **more) as process:
        while True:
            try:
                process.wait(0.2)
                break
            except subprocess.TimeoutExpired:
                now = time.monotonic() - start
                if terminal:
                    print(f"\r\033[K{what} ... {elapsed(now)} {progress(log)}", end="", flush=True)
                elif now >= shown + 30:
                    shown = now
                    print(f"  {elapsed(now)} {progress(log)}", flush=True)
    took = elapsed(time.monotonic() - start)
    print("\r\033[K" * terminal + (f"{what}: done in {took}" if process.returncode == 0 else ""), flush=True)
    if process.returncode:
        show_tail(log)
        with open(log, encoding="utf-8", errors="replace") as file:
            status = status or status_of_step(process.returncode, file.read()[-4000:])
        raise Failure(status, f"{what}: failed after {took} (exit status {status:d})", f"the whole log: {log}", advice)
