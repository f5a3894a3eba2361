# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds the word that the user probably meant. Scripts in other languages run pixmill nearest WORD KNOWN..."""

import difflib
import sys

from pixmill.failure import Status


def nearest(word, known):
    """Returns the most similar word in `known`, or "" if none is similar enough."""
    found = difflib.get_close_matches(word.partition("=")[0], known, n=1)
    return found[0] if found else ""


def main():
    near = nearest(sys.argv[1], sys.argv[2:])
    print(near)
    return Status.PASSED if near else Status.FAILED
