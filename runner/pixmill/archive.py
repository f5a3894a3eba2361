# SPDX-License-Identifier: GPL-2.0-or-later
"""What Debian's archive has of a release that changes every day, such as sid, and whether our lists of expected failures are for
that. An archive that has moved on is nobody's failure: what needs it is skipped, in one line."""

import re

from pixmill.scheduler import Report, tail

MOVED_ON = re.compile(r"(?m)^pixmill: (the archive has moved on: .*)$")  # scripts/lib/apt.bash

# The name of a package's file begins so, up to its version.
FILES = {"linux": "linux-image-", "mesa": "libgl1-mesa-dri_"}


def judging(what, folder, expected):
    """The judge of a script that fetches packages into the folder, of which these versions are expected."""
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
    """Lines of what has been fetched into the folder that is not of the expected versions, {a word of FILES: version}."""
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
