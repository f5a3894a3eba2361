# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures of the cores (docs/use/capture.md) that a suite leaves where its board says so, and what a replay makes of them."""

import glob
import os
import shutil
import subprocess

from pixmill import judge

PATIENCE = 600  # seconds for a replay, which takes less than the guest did


def options(types, folder):
    """QEMU's, for devices of these types. The folder gets nothing else, and keeps nothing of an earlier run."""
    if types:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    return [word for kind in types
            for word in ("-global", f"{kind}.x-capture={os.path.abspath(folder)}/{kind}.%n.capture")]


def cases(replay, types, folder):
    """One for each capture, by the core's name. A type of which there is none has failed."""
    for kind in types:
        paths = sorted(glob.glob(os.path.join(glob.escape(folder), f"{kind}.*.capture")))
        if not paths:
            yield judge.Case(f"capture {kind}", "failed", "no device of that type has left one")
        for path in paths:
            yield case_of(replay, path, os.path.basename(path).removeprefix(f"{kind}.").removesuffix(".capture"))


def case_of(replay, path, core):
    """What differs or is damaged has failed; where a capture ends early, or a replay cannot be certain, that is told."""
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
