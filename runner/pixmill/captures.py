# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures the cores during a suite (docs/use/capture.md), and judges the captures by replaying them."""

import glob
import os
import shutil
import subprocess

from pixmill import judge

PATIENCE = 600  # seconds; a replay takes less time than the guest


def options(types, folder):
    """Empties the folder and returns QEMU options that capture devices of these types into it."""
    if types:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    return [word for kind in types
            for word in ("-global", f"{kind}.x-capture={os.path.abspath(folder)}/{kind}.%n.capture")]


def cases(replay, types, folder):
    """Yields a case for each capture, named after the core. A type without any capture fails."""
    for kind in types:
        paths = sorted(glob.glob(os.path.join(glob.escape(folder), f"{kind}.*.capture")))
        if not paths:
            yield judge.Case(f"capture {kind}", "failed", "no device of that type left one")
        for path in paths:
            yield case_of(replay, path, os.path.basename(path).removeprefix(f"{kind}.").removesuffix(".capture"))


def case_of(replay, path, core):
    """Replays a capture. The case fails if the replay differs or the capture is damaged; its verdict mentions an
    early end or an uncertain replay."""
    try:
        done = subprocess.run([replay, "--check", path], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return judge.Case(f"capture {core}", "failed", str(error))
    told = done.stdout.strip().split("\t")
    if len(told) != 5:
        return judge.Case(f"capture {core}", "failed", f"the replay ended with status {done.returncode} and said: "
                                                       f"{(done.stdout + done.stderr).strip()[-300:]}")
    _, calls, draws, took, verdict = told
    return judge.Case(f"capture {core}", "failed" if done.returncode else "passed", f"{verdict}: {calls}, {draws}, {took}")
