# SPDX-License-Identifier: GPL-2.0-or-later
"""What fuzzers have learnt, between runs: one archive for each corpus, in the cache of all clones.

An archive is replaced whole or not at all, so whoever reads needs no lock and whoever is killed leaves the old one.
One that cannot be read is as good as none.
"""

import contextlib
import fcntl
import io
import os
import sys
import tarfile

# Of one corpus. An input has 4 KiB at most; all of them are run before anything new is tried.
MOST_INPUTS, MOST_BYTES = 10000, 8 << 20


def load(archive, folder):
    """Writes the inputs to a folder that is there, and returns how many there are."""
    inputs = read(archive)
    for number, data in enumerate(inputs):
        with open(os.path.join(folder, f"{number:05}"), "wb") as file:
            file.write(data)
    return len(inputs)


def read(archive):
    """The inputs of an archive; none, if there is no archive that can be read."""
    try:
        with tarfile.open(archive, "r:") as tar:
            return [tar.extractfile(member).read() for member in tar if member.isreg()]
    except FileNotFoundError:
        return []
    except (tarfile.TarError, EOFError, OSError) as error:
        print(f"{archive} cannot be read ({error}); the corpus begins anew", file=sys.stderr)
        return []


def store(archive, *folders):
    """Replaces the archive by the inputs in folders, the small ones if there are too many. Inside alone()."""
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
    """For whoever reads an archive and stores what became of it: one at a time, of whichever clone."""
    with open(f"{archive}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
