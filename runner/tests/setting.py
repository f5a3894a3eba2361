# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the environment variables that give tests their files. A test without a variable that it needs is skipped; a path that does
not exist is an error.

    PIXMILL_TEST_OUT      a folder for files of tests, each in MODULE/CLASS/TEST, emptied first;
                          without it the files are removed at the end
    PIXMILL_TEST_QEMU     qemu-system-arm
    PIXMILL_TEST_QEMU_I386  qemu-system-i386
    PIXMILL_TEST_QEMU_AARCH64  qemu-system-aarch64
    PIXMILL_TEST_REPLAY   pixmill-replay
    PIXMILL_TEST_GUESTS   the guests by scripts/guest, BOARD-SERIES (default: build/guest)
    PIXMILL_TEST_RESULTS  results of the suite "guest", guest-BOARD-SERIES; without it the engines' tests boot these guests
    PIXMILL_TEST_BENCH    scripts/bench, which may build its programs
    PIXMILL_TEST_LAVA     the root of a tree that has LAVA's dispatcher
    PIXMILL_TEST_PACKAGE  Pixmill's Debian package
    PIXMILL_TEST_ROOTS    root file systems by scripts/lib/roots.bash: RELEASE=ARCHIVE:RELEASE=ARCHIVE
"""

import functools
import importlib
import os
import tempfile
import unittest

from pixmill.places import REPO


def path_of(name):
    """Returns the path in a variable, if it is set."""
    path = os.environ.get(f"PIXMILL_TEST_{name}")
    if path and not os.path.exists(path):
        raise FileNotFoundError(f"PIXMILL_TEST_{name} is {path}, which does not exist")
    return path and os.path.abspath(path)


def needed(name):
    path = path_of(name)
    if not path:
        raise unittest.SkipTest(f"PIXMILL_TEST_{name} is not set")
    return path


@functools.cache
def temporary():
    return tempfile.TemporaryDirectory(prefix="pixmill-tests-")  # removed when the program ends


def out():
    return os.path.realpath(os.environ.get("PIXMILL_TEST_OUT") or temporary().name)


def guest(board, series):
    path = os.path.join(path_of("GUESTS") or os.path.join(REPO, "build", "guest"), f"{board}-{series}")
    if not os.path.exists(os.path.join(path, "initramfs.cpio")):
        raise unittest.SkipTest(f"there is no {path}: scripts/guest/initramfs {board} {series}")
    return path


def root_of(release):
    """Returns the archive with the root file system of a Debian release."""
    roots = dict(item.split("=", 1) for item in os.environ.get("PIXMILL_TEST_ROOTS", "").split(os.pathsep) if item)
    if release not in roots:
        raise unittest.SkipTest(f"PIXMILL_TEST_ROOTS has no {release}")
    return os.path.abspath(roots[release])


def superuser():
    if os.geteuid() != 0:
        raise unittest.SkipTest("it needs root")


def module(name):
    """Imports a module that is not in the standard library; skips the test if it is missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise unittest.SkipTest(str(error)) from error
