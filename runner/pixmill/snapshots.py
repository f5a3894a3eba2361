# SPDX-License-Identifier: GPL-2.0-or-later
"""Stores booted guests: scripts/run --snapshot boots a guest once and starts later runs from its saved state.

A snapshot is a migration file (QEMU's docs/devel/migration), saved when init has found the devices and asks for it.
The guest receives the programs to run later, over a shared folder. If QEMU, the kernel, the device tree, the
initramfs or an option changes, a new snapshot is made.
"""

import contextlib
import fcntl
import hashlib
import os
import re

from pixmill import machine
from pixmill.failure import writing
from pixmill.places import CACHE

KEPT = 8  # snapshots, of about 70 MiB each
JOB = "job"  # the shared folder's tag
PLACE = "/job"
VERSION = ".version"  # the suffix of the file with the kernel's version


class Snapshot:
    """A stored guest: the file, the kernel's version ("" if unknown), and `made`, which is true if it is new."""

    def __init__(self, path, made):
        self.path, self.made, self.version = path, made, ""
        with contextlib.suppress(OSError):
            with open(path + VERSION, encoding="utf-8", errors="replace") as file:
                self.version = file.read().strip()

    def __str__(self):
        return f"{'new' if self.made else 'from an earlier run'}: {self.path}"


class Failed(Exception):
    """Raised if no snapshot could be made; `result` is the result of the run."""

    def __init__(self, result):
        super().__init__(result.failure)
        self.result = result


def folder():
    path = os.path.join(CACHE, "snapshots")
    os.makedirs(path, exist_ok=True)
    return path


def key_of(command):
    """Returns a hash of the command with the contents of its files, but without the paths of shared folders, because
    the guest has not read these yet when it is saved."""
    whole = hashlib.sha256()
    for word in command:
        whole.update(re.sub(r"(?<=[,=])path=[^,]*", "path=", word).encode() if not os.path.isfile(word) else digest(word))
        whole.update(b"\0")
    return whole.hexdigest()[:32]


def digest(path):
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            whole.update(part)
    return whole.digest()


@contextlib.contextmanager
def alone(path):
    with open(path + ".lock", "a", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def ready(command, board, log_path, timeout, patience, version_in):
    """Returns the guest's Snapshot, and makes it if it is missing. version_in(line) returns the kernel version in a
    line of the console."""
    path = os.path.join(folder(), key_of(command))
    with alone(path):
        made = not os.path.exists(path)
        if made:
            make(path, command, board, log_path, timeout, patience, version_in)
        os.utime(path)
        snapshot = Snapshot(path, made)
    forget_oldest()
    return snapshot


def make(path, command, board, log_path, timeout, patience, version_in):
    said = []
    result = machine.run_suites(command, board, log_path, timeout, (), patience, heard=lambda line: said.append(version_in(line)),
                                save=path + ".new")
    try:
        if not os.path.exists(path + ".new") or result.failure:
            result.fail("broken", "the guest did not ask for its snapshot")
            raise Failed(result)
        with writing(path + VERSION, "w", encoding="utf-8") as file:
            file.write(next(filter(None, said), ""))
        with open(path + ".new", "rb") as file:
            os.fsync(file.fileno())  # so that a crash of the host cannot leave a partial file
        os.replace(path + ".new", path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + ".new")


def forget(path):
    """Removes a snapshot that cannot be loaded."""
    with alone(path), contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def forget_oldest():
    """Removes the oldest snapshots. A run that is loading one has the file open, so it can still read it."""
    files = [entry for entry in os.scandir(folder()) if re.fullmatch(r"[0-9a-f]{32}", entry.name)]
    for entry in sorted(files, key=lambda entry: entry.stat().st_mtime)[:-KEPT]:
        for ending in ("", VERSION, ".lock"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(entry.path + ending)
