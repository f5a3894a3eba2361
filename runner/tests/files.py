# SPDX-License-Identifier: GPL-2.0-or-later
"""Helpers for tests: a folder for each test, the fake QEMU, and files in the formats of other tools, written
according to their documentation."""

import os
import re
import shutil
import struct
import time
import unittest
import zlib

from pixmill import cpio
from tests import setting

FAKE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "fake_qemu.py")
UP = "print pixmill: up after 3.00 s: Linux 6.99\n"  # a line of a script for fake_qemu.py


def wait_for(what, patience=120):
    """Calls a function until it returns a true value, and returns that value. Fails after `patience` seconds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            found = what()
        except OSError:  # a process may have ended meanwhile
            found = None
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what.__name__}: not within {patience} s")


def is_gone(pid, patience=120):
    """True if the process ends within `patience` seconds. A zombie counts as ended, since a container may have no
    process that reaps it."""
    end = time.monotonic() + patience
    while runs(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not runs(pid)


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Test(unittest.TestCase):
    """Gives each test an empty folder, `out`. The folder's name is the test's name in capitals, so that a path in a
    command's output does not match the words that the test expects."""
    in_one_shard = False  # true for a class with an expensive set-up

    def setUp(self):
        module, kind, name = self.id().split(".")[-3:]
        self.out = os.path.join(setting.out(), module.removeprefix("test_"), kind.removesuffix("Test").upper(),
                                name.removeprefix("test_").upper())
        empty(self.out)

    def path(self, *names):
        return os.path.join(self.out, *names)


def for_each(rows):
    """Decorates a class: adds a test for each row (name, arguments), which calls the method "check" with the arguments."""
    def extended(cls):
        for name, *values in rows:
            def test(self, values=tuple(values)):
                self.check(*values)
            test.__name__ = "test_" + re.sub(r"\W+", "_", name).strip("_")
            test.__doc__ = name
            assert not hasattr(cls, test.__name__), f"two rows are called {name}"
            setattr(cls, test.__name__, test)
        return cls
    return extended


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def written(path, content, mode=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    if mode is not None:
        os.chmod(path, mode)
    return path


def text_of(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def ends(ended, status, *words, without=()):
    """Checks the exit status of a command, and the words that its output must and must not contain."""
    assert "Traceback" not in ended.stderr, ended.stderr
    assert ended.returncode == status, ended
    for word in words:
        assert word in ended.stdout + ended.stderr, (word, ended)
    for word in without:
        assert word not in ended.stdout + ended.stderr, (word, ended)


def zimage():
    """Returns a minimal zImage; data may follow it."""
    return bytes(0x24) + struct.pack("<III", 0x016F2818, 0, 0x70) + bytes(0x40)


def uimage(machine=2, content=b"kernel", kind=2, packing=0):
    def head(own_sum):
        return struct.pack(">7I4B32s", 0x27051956, own_sum, 0, len(content), 0x10008000, 0x10008000, zlib.crc32(content),
                           5, machine, kind, packing, b"Linux")
    return head(zlib.crc32(head(0))) + content


def image(extra=b""):
    """Returns an arm64 Image, which is also an EFI program, with a section of 0x70 bytes at 0x110 (linux
    arch/arm64/kernel/{head,efi-header}.S)."""
    head = b"MZ" + bytes(0x36) + b"ARM\x64" + struct.pack("<I", 0x40)
    pe = b"PE\0\0" + struct.pack("<HH12xHH", 0xAA64, 1, 0x70, 0x206) + bytes(0x70) + struct.pack("<8s4I16x", b".text", 0x1000, 0x10000, 0x70, 0x110)
    whole = head + pe
    return whole + bytes(0x110 - len(whole)) + bytes(0x70) + extra


def zboot(content, how=b"gzip"):
    """Returns a vmlinuz.efi (linux drivers/firmware/efi/libstub/zboot-header.S)."""
    return b"MZ\0\0zimg" + struct.pack("<II8x32sII", 64, len(content), how, 0x818223CD, 0) + content


def bzimage(flags):
    """Returns a bzImage with one sector of setup code after the boot sector, and one sector of kernel."""
    whole = bytearray(3 * 512)
    whole[0x1F1], whole[0x1F4] = 1, 512 // 16
    whole[0x202:0x206], whole[0x236] = b"HdrS", flags
    return bytes(whole)


def initramfs():
    """Returns a complete initramfs with an empty script as init."""
    archive = cpio.Archive()
    archive.add("init", b"#!/bin/sh\n", 0o755)
    return b"".join(archive.bytes())


def elf(machine_number, dynamic=(), interpreter=b"", kind=1):
    """Returns a 32-bit (kind 1) or 64-bit (kind 2) ELF file whose only loaded segment is the whole file; `dynamic` has (tag,
    string)."""
    head, size, word = (52, 32, "I") if kind == 1 else (64, 56, "Q")
    strings = b"\0" + b"".join(text + b"\0" for _, text in dynamic)
    entries, at = b"", 1
    for tag, text in dynamic:
        entries += struct.pack(f"<2{word}", tag, at)
        at += len(text) + 1
    start = head + 3 * size
    table = start + len(entries) + 4 * struct.calcsize(word)
    entries += struct.pack(f"<4{word}", 5, 0x10000 + table, 0, 0)
    interpreter_at = table + len(strings)
    whole = interpreter_at + len(interpreter)

    def segment(what, place, address, length, flags, align):
        """Returns a program header; in 64-bit files, the flags are the second word."""
        if kind == 1:
            return struct.pack("<8I", what, place, address, 0, length, length, flags, align)
        return struct.pack("<2I6Q", what, flags, place, address, 0, length, length, align)

    ident = b"\x7fELF" + bytes([kind, 1, 1]) + bytes(9)
    return (ident + struct.pack(f"<HHI3{word}I6H", 2, machine_number, 1, 0, head, 0, 0, head, size, 3, 0, 0, 0)
            + segment(1, 0, 0x10000, whole, 5, 4096) + segment(2, start, 0x10000 + start, len(entries), 6, 4)
            + segment(3 if interpreter else 0, interpreter_at, 0, len(interpreter), 4, 1) + entries + strings + interpreter)


def tree(*compatible):
    value = b"".join(name.encode() + b"\0" for name in compatible)
    value += b"\0" * (-len(value) % 4)
    length = sum(len(name) + 1 for name in compatible)
    body = (struct.pack(">II", 1, 0) + struct.pack(">III", 3, 4, 0) + bytes(4)  # preceded by a property "x"
            + struct.pack(">III", 3, length, 2) + value + struct.pack(">III", 1, 0x61000000, 2) + struct.pack(">II", 2, 9))
    strings = b"x\0compatible\0"
    return struct.pack(">10I", 0xD00DFEED, 40 + len(body) + len(strings), 40, 40 + len(body), 40, 17, 16, 0, len(strings),
                       len(body)) + body + strings


def guest_folder(folder):
    """Makes a guest's folder like those of scripts/guest, with empty files."""
    for name in ("boot/vmlinuz", "boot/imx6q-sabrelite.dtb", "boot/imx8mp-evk.dtb", "initramfs.cpio"):
        written(os.path.join(folder, name), b"")
    return folder
