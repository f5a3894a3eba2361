# SPDX-License-Identifier: GPL-2.0-or-later
"""How commands end: the exit statuses, and the exception that ends a command with one of them."""

import enum


class Status(enum.IntEnum):
    """Of every command. docs/use/ci.md has this table for users."""

    PASSED = 0
    FAILED = 1  # a case failed
    USAGE = 2  # what the user can mend: options, a file, a missing tool or package, a folder that cannot be written to
    NO_BOOT = 3  # the guest did not boot
    TIMEOUT = 4
    HOST = 5  # what may pass by itself: a full disk, no network, a starved host
    INTERRUPTED = 130


class Failure(Exception):
    """Ends a command: one line of what failed, then lines of why and what to do."""

    def __init__(self, status, what, *advice):
        super().__init__(what)
        self.status, self.what, self.advice = status, what, advice

    def text(self):
        return "\n  ".join((f"pixmill: {self.what}", *self.advice))
