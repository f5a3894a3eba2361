# SPDX-License-Identifier: GPL-2.0-or-later
"""Stores the corpora of fuzzers between runs, one archive each, in the cache shared by all clones.

Archives are replaced atomically, so readers need no lock, and a killed writer leaves the old archive in place. An
unreadable archive is treated as missing."""

import contextlib
import fcntl
import io
import os
import sys
import tarfile

# Limits of one corpus. An input has at most 4 KiB; a fuzzer runs all inputs before it tries new ones.
MOST_INPUTS, MOST_BYTES = 10000, 8 << 20


def load(archive, folder):
    """Writes the inputs to an existing folder, and returns their number."""
    inputs = read(archive)
    for number, data in enumerate(inputs):
        with open(os.path.join(folder, f"{number:05}"), "wb") as file:
            file.write(data)
    return len(inputs)


def read(archive):
    """Returns the inputs in an archive; [] if it is missing or unreadable."""
    try:
        with tarfile.open(archive, "r:") as tar:
            return [tar.extractfile(member).read() for member in tar if member.isreg()]
    except FileNotFoundError:
        return []
    except (tarfile.TarError, EOFError, OSError) as error:
        print(f"{archive} cannot be read ({error}); the corpus starts from scratch", file=sys.stderr)
        return []


def store(archive, *folders):
    """Replaces the contents of the archive with the inputs in the folders; prefers small inputs if there are too
    many. The caller must hold the lock of alone()."""
    inputs = set()
    for entry in (entry for folder in folders for entry in os.scandir(folder)):
        with open(entry, "rb") as file:
            inputs.add(file.read())
    inputs = sorted(inputs, key=lambda data: (len(data), data))
    new, size = f"{archive}.new", 0
    with open(new, "wb") as file:
        with tarfile.open(fileobj=file, mode="w") as tar:
            for number, data in enumerate(inputs[:MOST_INPUTS]):
                size += len(data)
                if size > MOST_BYTES:
                    break
                member = tarfile.TarInfo(f"{number:05}")
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, archive)


@contextlib.contextmanager
def alone(archive):
    """Locks an archive against other processes, in this or any other clone, that replace it."""
    with open(f"{archive}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
