# SPDX-License-Identifier: GPL-2.0-or-later
"""Defines paths, as scripts/lib/common.bash does, in a clone or in an installed tree (scripts/install/meson.build).
An installed tree has a file "installed", is read-only, and has the folder "prebuilt" instead of builds."""

import hashlib
import os
import re

from pixmill.failure import OURS, Failure, Status, foreign, of_os_error

RUNNER = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
REPO = os.path.dirname(RUNNER)
SCRIPTS = os.path.join(REPO, "scripts")
BOARDS = os.path.join(REPO, "board-configs")
SUITES = os.path.join(REPO, "guest", "suites")
GOLDEN = os.path.join(REPO, "tests", "golden")

INSTALLED = os.path.exists(os.path.join(REPO, "installed"))
CACHE = os.environ.get("PIXMILL_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "pixmill")


def work_folder():
    """Returns the folder for builds; it is outside the clone if the clone's path has white space or colons, which
    QEMU's build rejects."""
    if INSTALLED:
        return os.path.join(CACHE, "installed")
    if re.search(r"[\s:]", REPO):
        return os.path.join(CACHE, "work", hashlib.sha256(REPO.encode()).hexdigest()[:16])
    return os.path.join(REPO, "build")


WORK = work_folder()
LOGS = os.path.join(WORK, "logs")
BASES = os.path.join(SCRIPTS, "qemu", "bases")
OUT = os.path.join(os.getcwd(), "pixmill-out") if INSTALLED else os.path.join(REPO, "out")
OURS += [CACHE, WORK, OUT]


def command_name(name):
    """Returns the command as the user types it: scripts/NAME in a clone, pixmill-NAME if Pixmill is installed."""
    return f"pixmill-{name}" if INSTALLED else f"scripts/{name}"


def qemu_bases():
    """Returns the QEMU series that can be built, the default first."""
    with open(BASES, encoding="utf-8") as file:
        return [line.split()[0] for line in file if not line.startswith("#")]


def qemu_base():
    """Returns the series that QEMU_BASE chooses for this command or chose for an earlier one; see choose_base in
    scripts/lib/common.bash."""
    known = qemu_bases()
    base = os.environ.get("pixmill_qemu_base") or os.environ.get("QEMU_BASE")
    if not base:
        try:
            with open(os.path.join(WORK, "qemu.base"), encoding="utf-8") as file:
                base = file.read().strip()
        except OSError:
            base = ""
    base = base or known[0]
    if base not in known:
        raise Failure(Status.USAGE, f"Pixmill does not support QEMU {base}", f"available: {' '.join(known)}; QEMU_BASE={known[0]} chooses the first")
    return base


def qemu(target):
    """Returns the path of the QEMU that scripts/qemu/build builds for this target."""
    program = f"qemu-system-{target}"
    if INSTALLED:
        return os.path.normpath(os.path.join(REPO, "..", "..", "bin", program))
    base = qemu_base()
    return os.path.join(WORK, "" if base == qemu_bases()[0] else base, "qemu", program)


def make_places():
    """Makes the folders that commands write to, and stores the choice of QEMU_BASE. If builds are outside the clone,
    makes "build" in the clone a link to them."""
    inside = WORK.startswith(os.path.join(CACHE, ""))
    advice = "set the folder for downloads" + (" and builds with PIXMILL_CACHE=FOLDER" if inside else f" with PIXMILL_CACHE=FOLDER; builds go to {WORK}")
    for place in (CACHE, WORK, LOGS):
        found = foreign(place)
        if found:
            raise Failure(Status.USAGE, found)
        try:
            os.makedirs(place, exist_ok=True)
        except OSError as error:
            raise Failure(of_os_error(error).status, f"{place} cannot be created: {error.strerror}", advice) from error
        if not os.access(place, os.W_OK):
            raise Failure(Status.USAGE, f"{place} cannot be written to", advice)
    if not INSTALLED:
        base = qemu_base()
        if os.environ.get("QEMU_BASE") and not os.environ.get("pixmill_qemu_base"):
            with open(os.path.join(WORK, "qemu.base"), "w", encoding="utf-8") as file:
                file.write(f"{base}\n")
        os.environ["pixmill_qemu_base"] = base
    link = os.path.join(REPO, "build")
    if not INSTALLED and WORK != link and not os.path.lexists(link):
        os.symlink(WORK, link)
