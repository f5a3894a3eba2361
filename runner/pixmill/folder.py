# SPDX-License-Identifier: GPL-2.0-or-later
"""Manages the folder for a command's results, without removing any of the user's files."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time

from pixmill.failure import Failure, Usage, of_os_error


def remove(*paths):
    """Removes those files and folders that exist."""
    for path in paths:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)


class Folder:
    """A folder that belongs to one run at a time. Entering it removes the results of an earlier run."""

    MARK = ".pixmill-run"
    HALF_MADE = ("initramfs.cpio", "job", "program.suite")  # only needed during the run

    def __init__(self, path, every=None, ours=False):
        """Uses the folder `path`, or makes a new one in `every`. If `ours` is true, the folder contains none of the
        user's files."""
        self.given, self.made, self.ours = path, not path or not os.path.exists(path), ours
        if path:
            self.path = os.path.abspath(path)
            try:
                os.makedirs(self.path, exist_ok=True)
            except OSError as error:
                raise Failure(of_os_error(error).status, f"--out {path}: cannot create this folder: {error.strerror}") from error
        else:
            os.makedirs(every, exist_ok=True)
            self.path = tempfile.mkdtemp(prefix=time.strftime("%Y%m%d-%H%M%S-"), dir=every)
            os.chmod(self.path, 0o755)
        self.mark = os.path.join(self.path, self.MARK)
        self.lock = None

    def __enter__(self):
        path = self.given
        if not self.ours and not os.path.exists(self.mark) and os.listdir(self.path):
            raise Usage(f"--out {path}: this folder is not empty and has no results of a run; name another one")
        self.lock = open(self.mark, "a", encoding="ascii")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Usage(f"--out {path}: another run is using this folder; name another one") from error
        self.empty()
        return self

    def empty(self, names=None):
        """Removes the files with these names, or all files."""
        names = os.listdir(self.path) if names is None else names
        remove(*(os.path.join(self.path, name) for name in names if name != self.MARK))

    def __exit__(self, *_):
        """Removes intermediate files, and the folder if the run left nothing in it."""
        with contextlib.suppress(OSError):
            self.empty(self.HALF_MADE)
            if os.listdir(self.path) == [self.MARK]:
                os.unlink(self.mark)
                if self.made:
                    os.rmdir(self.path)
        self.lock.close()
