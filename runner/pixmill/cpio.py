# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads and writes initramfs archives (cpio, format "newc"). Writing needs no root privileges; reading does not trust the data.

Linux unpacks concatenated archives in order (linux Documentation/driver-api/early-userspace/buffer-format.rst).
"""

import bz2
import gzip
import lzma
import os
import stat
import tarfile

MAGIC = b"070701"
TRAILER = "TRAILER!!!"
HEAD = 110
LARGEST = 1 << 31  # bytes of one file


class Archive:
    """Collects files; paths are relative to the root."""

    def __init__(self):
        self.entries = {}  # path: (mode, content)

    def add_folder(self, path):
        parts = [part for part in path.split("/") if part not in ("", ".")]
        for count in range(1, len(parts) + 1):
            self.entries.setdefault("/".join(parts[:count]), (stat.S_IFDIR | 0o755, b""))

    def add(self, path, content, mode=0o644, kind=stat.S_IFREG):
        path = path.strip("/")
        self.add_folder(os.path.dirname(path))
        self.entries[path] = (kind | mode & 0o7777, content)

    def add_link(self, path, target):
        self.add(path, target.encode(), 0o777, stat.S_IFLNK)

    def add_file(self, path, source, mode=None):
        with open(source, "rb") as file:
            self.add(path, file.read(), os.stat(source).st_mode if mode is None else mode)

    def bytes(self):
        """Yields the archive in parts; folders come before their contents."""
        for number, (path, (mode, content)) in enumerate(sorted(self.entries.items()), 1):
            yield from record(path, number, mode, content)
        yield from record(TRAILER, 0, 0, b"")


def tree(folder):
    """Yields os.DirEntry for everything in a folder, in the order of names; does not follow links."""
    with os.scandir(folder) as entries_there:
        for entry in sorted(entries_there, key=lambda entry: entry.name):
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from tree(entry.path)


def packed(folder, prefix):
    """Yields an archive of a folder, below the folder `prefix`, in parts, without device nodes and sockets. Equal folders have equal
    archives, and only one file is in memory at a time."""
    yield from record(prefix, 1, stat.S_IFDIR | 0o755, b"")
    for number, entry in enumerate(tree(folder), 2):
        mode = entry.stat(follow_symlinks=False).st_mode
        content = b""
        if stat.S_ISLNK(mode):
            content = os.fsencode(os.readlink(entry.path))
        elif stat.S_ISREG(mode):
            with open(entry.path, "rb") as file:
                content = file.read()
        elif not stat.S_ISDIR(mode):
            continue
        yield from record(place(prefix, os.path.relpath(entry.path, folder)), number, mode, content)
    yield from record(TRAILER, 0, 0, b"")


def padded(count):
    return b"\0" * (-count % 4)


def record(path, number, mode, content):
    name = os.fsencode(path) + b"\0"
    links = 2 if stat.S_ISDIR(mode) else 1
    fields = (number, mode, 0, 0, links, 0, len(content), 0, 0, 0, 0, len(name), 0)
    yield MAGIC + b"".join(b"%08x" % field for field in fields) + name + padded(HEAD + len(name))
    yield content + padded(len(content))


def unpacked(path):
    """Returns the contents of a file, decompressed if it is in gzip, xz or bzip2 format."""
    with open(path, "rb") as file:
        head = file.read(6)
    for magic, opened in ((b"\x1f\x8b", gzip.open), (b"\xfd7zXZ\0", lzma.open), (b"BZh", bz2.open)):
        if head.startswith(magic):
            with opened(path) as file:
                return file.read()
    with open(path, "rb") as file:
        return file.read()


def length(data):
    """Returns the length of the first archive in the data, up to the end of its last entry."""
    return max(end for _, _, _, end in entries(data, 1))


def read(data):
    """Yields (path, mode, content) for each entry. Of several hard links only the last one has the content."""
    for path, mode, content, _ in entries(data):
        if path != TRAILER:
            yield path, mode, content


def entries(data, archives=0):
    """Yields (path, mode, content, end offset) for each entry; archives=1 stops after the first archive."""
    at, ended = 0, False
    while at + HEAD <= len(data):
        if data[at:at + 6] not in (MAGIC, b"070702"):
            if data[at:at + 1] == b"\0":  # between archives
                at += 1
                continue
            raise ValueError("not a cpio archive of the format newc")
        ended = False
        fields = [int(data[at + 6 + 8 * i:at + 14 + 8 * i], 16) for i in range(13)]
        mode, size, length = fields[1], fields[6], fields[11]
        if not 0 < length <= 4096 or size > LARGEST or at + HEAD + length + size > len(data):
            raise ValueError("a cpio archive that is damaged")
        path = data[at + HEAD:at + HEAD + length - 1].decode(errors="surrogateescape")
        at += HEAD + length + -(HEAD + length) % 4
        content = data[at:at + size]
        at += size + -size % 4
        ended = path == TRAILER
        yield path, mode, content, at
        if ended and archives == 1:
            return
    if not ended or any(data[at:]):
        raise ValueError("a cpio archive that is cut off")


def add_tree(archive, source, prefix):
    """Adds a root file system from a cpio archive or a tar file below the folder `prefix`, without device nodes."""
    if is_tar(source):
        for tar, member in members(source):
            path = place(prefix, member.name)
            if member.isdir():
                archive.add_folder(path)
            elif member.issym():
                archive.add_link(path, member.linkname)
            elif member.isfile() or member.islnk():
                archive.add(path, tar.extractfile(member).read(), member.mode)
        return
    for name, mode, content in read(unpacked(source)):
        if stat.S_ISDIR(mode):
            archive.add_folder(place(prefix, name))
        elif stat.S_ISREG(mode) or stat.S_ISLNK(mode):
            archive.add(place(prefix, name), content, mode, stat.S_IFMT(mode))


def is_tar(path):
    """True if the file is a tar file, compressed or not. An uncompressed tar file is recognized even if it is
    truncated."""
    with open(path, "rb") as file:
        head = file.read(tarfile.BLOCKSIZE)
    return head[257:262] == b"ustar" or tarfile.is_tarfile(path)


def members(source):
    """Yields (tar, member). Raises ReadError if the final block of zeros is missing, since the file was then
    truncated between two members."""
    with tarfile.open(source) as tar:
        for member in tar:
            yield tar, member
        tar.fileobj.seek(tar.offset)
        if len(tar.fileobj.read(tarfile.BLOCKSIZE)) < tarfile.BLOCKSIZE:
            raise tarfile.ReadError("it is cut off: it has no end")
        while tar.fileobj.read(1 << 20):
            pass  # reading to the end verifies the checksum of a compressed file


def place(prefix, name):
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ValueError(f"a path leads out of the archive: {name}")
    return "/".join([prefix.strip("/"), *parts])
