# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges scripts that fetch packages of a release that changes daily, such as sid. If the archive has newer versions
than those for which the lists of expected failures were written, the tests that need these packages are skipped
instead of failed."""

import re

from pixmill.scheduler import Report, tail

MOVED_ON = re.compile(r"(?m)^pixmill: (the archive has moved on: .*)$")  # scripts/lib/apt.bash

# The package file names, up to the version.
FILES = {"linux": "linux-image-", "mesa": "libgl1-mesa-dri_"}


def judging(what, folder, expected):
    """Returns a judge for a script that fetches packages into the folder, expecting these versions (see newer())."""
    def judged(log, status):
        if not status:
            return Report(skipped=[f"{what}: {line}" for line in newer(folder, expected)])
        with open(log, encoding="utf-8", errors="replace") as file:
            gone = MOVED_ON.search(file.read())
        if gone:
            return Report(skipped=[f"{what}: {gone[1]}"])
        return Report(failed=[f"{what}: the packages could not be fetched (status {status}){tail(log)}"])
    return judged


def newer(folder, expected):
    """Returns a line for each package in the folder whose version differs from the expected one, {a key of FILES: version}."""
    with open(f"{folder}.packages", encoding="utf-8") as file:
        packages = file.read().splitlines()
    lines = []
    for what, version in expected.items():
        for name in packages:
            match = re.match(re.escape(FILES[what]) + r"(?:\d+%3a)?(\d[\d.]*)", name)
            if match and not f"{match[1]}.".startswith(f"{version}."):
                lines.append(f"the archive has moved on: it has {what.capitalize()} {match[1]}, and the lists of expected failures are "
                             f"for {version}")
    return lines
