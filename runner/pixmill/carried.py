# SPDX-License-Identifier: GPL-2.0-or-later
"""Puts userlands into the initramfs. A run that repeats exactly (deterministic.py) cannot share folders with the guest, since QEMU's
9p server answers at any time."""

import contextlib
import os
import shutil

from pixmill import cpio, machine
from pixmill.failure import writing

PLACE = "userland"  # in the guest; see enter_userland in guest/suite-functions
PAGE = 4096

# The largest part of the guest's memory for the unpacked files, in percent. During a boot, the kernel has the archive in memory, too,
# and Linux limits the file system of the initramfs to half of it (mm/shmem.c).
MOST = 40


def size_of(folder):
    """Returns the memory that the files of a folder need when they are unpacked, in bytes."""
    sizes = (entry.stat(follow_symlinks=False).st_size for entry in cpio.tree(folder))
    return sum(-(-size // PAGE) * PAGE for size in sizes)


def obstacle(board, initramfs, folders):
    """Returns why the guest cannot have these folders in its initramfs; "" if it can."""
    if not folders:
        return ""
    for folder in folders:
        if not os.path.isdir(folder):
            return f"there is no {folder} (created by scripts/guest/userland)"
    needed = os.path.getsize(initramfs) + sum(map(size_of, folders))
    room = machine.bytes_of(board["memory"]) * MOST // 100
    if needed <= room:
        return ""
    return (f"its programs come over a shared folder, whose answers take the host's time; its {needed >> 20} MiB are too large for an "
            f"initramfs, which may have {room >> 20} MiB")


@contextlib.contextmanager
def command_with(command, folders, path):
    """Yields QEMU's command line with these folders in the initramfs. It is in the file `path` until the block ends."""
    if not folders:
        yield command
        return
    at = command.index("-initrd") + 1
    try:
        with writing(path) as file:
            with open(command[at], "rb") as base:
                shutil.copyfileobj(base, file)
            for folder in folders:
                file.writelines(cpio.packed(folder, PLACE))
        yield [*command[:at], path, *command[at + 1:]]
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
