# SPDX-License-Identifier: GPL-2.0-or-later
"""What was probably meant: pixmill nearest WORD KNOWN..., for scripts that are no Python."""

import difflib
import sys

from pixmill.failure import Status


def nearest(word, known):
    """That of "known" which was probably meant; "" if none was."""
    found = difflib.get_close_matches(word.partition("=")[0], known, n=1)
    return found[0] if found else ""


def main():
    near = nearest(sys.argv[1], sys.argv[2:])
    print(near)
    return Status.PASSED if near else Status.FAILED
