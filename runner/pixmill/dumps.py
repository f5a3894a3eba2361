# SPDX-License-Identifier: GPL-2.0-or-later
"""Decodes the dumps that etnaviv keeps of hung jobs, and checks that pixmill-dump finds the cause (docs/use/hang.md)."""

import os
import subprocess

from pixmill import judge

PATIENCE = 300  # seconds; most of the time goes to executing the job on the model


def beside(replay):
    """Returns the pixmill-dump that was built with a pixmill-replay."""
    return os.path.join(os.path.dirname(replay), "pixmill-dump")


def cases(program, suite, folder):
    """Yields a case for each dump that the suite names; the guest's files are in `folder`."""
    for said in suite.all("dump"):
        name, words = said.split(" ", 1)
        yield judge.verdict(f"dump {name}", complaint(program, os.path.join(folder, name), words))


def complaint(program, path, words):
    """Returns what is wrong with the dump or with what pixmill-dump says of it, or ""."""
    try:
        done = subprocess.run([program, "--summary", path], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    told = (done.stdout + done.stderr).strip()
    if done.returncode:
        return f"pixmill-dump ended with status {done.returncode} and said: {told[-300:]}"
    return "" if words in told else f"pixmill-dump does not say \"{words}\", but: {told[:600]}"
