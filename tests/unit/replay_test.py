#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the commands pixmill-replay and compare-replays with two builds of the toy core. One build has a bug: fills
of 100 bytes and more write wrong bytes.

usage: replay_test.py REPLAY OTHER-REPLAY COMPARE-REPLAYS

The tests write captures in the format of docs/use/capture.md. tests/toy/toy.cpp defines the toy core.
"""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../fuzz"))
from seeds_capture import file as file_of, word

PAGE, RAM = 4096, 0x80000000
END, CHANGE, MAP, READ, WRITE, RUN, DRAW = range(7)
IDLE, DRAW_NEXT = 0, 3
ASKED, LINES, PAGES = 2, 4, 8
ADDRESS, SIZE, FILL, STATUS = 0, 4, 8, 12
CALLS_OF_A_FILL = 7


def text(value):
    return word(len(value)) + value.encode()


def fields(*rows):
    """Returns a table of 32-bit fields. Each row has a name and the field's values."""
    return word(len(rows)) + b"".join(text(name) + word(0) + word(len(values)) + b"".join(map(word, values))
                                      for name, *values in rows)


def hash_of(page):
    value = 0xCBF29CE484222325
    for at in range(0, PAGE, 8):
        value = (value ^ int.from_bytes(page[at:at + 8], "little")) * 0x9E3779B97F4A7C15 % 2**64
        value ^= value >> 29
    return value


def call(op, *words, flags=0, lines=(), pages=()):
    listed = bytes([op, flags | LINES * bool(lines) | PAGES * bool(pages), 0]) + b"".join(map(word, words))
    if lines:
        listed += word(len(lines)) + b"".join(map(word, lines))
    if pages:
        listed += word(len(pages)) + b"".join(word(number) + hash_of(page).to_bytes(8, "little") for number, page in pages)
    return listed


class Capture:
    """A capture of a toy core that fills parts of a page, as the build without the bug records it."""

    HEAD = text("toy") + word(1) + fields() + word(0) + word(0) + fields(
        ("reg", 0, 0, 0, 0), ("irq_level", 0), ("active", 0), ("done", 0))

    def __init__(self):
        self.page = bytearray(PAGE)
        self.stream = self.HEAD + bytes([MAP]) + b"".join(map(word, (1, RAM, PAGE, 0, 0)))

    def fill(self, at, size, byte):
        self.page[at:at + size] = bytes([byte]) * size
        self.stream += b"".join((
            call(WRITE, ADDRESS, 4, RAM + at, 0), call(WRITE, SIZE, 4, size, 0), call(WRITE, FILL, 4, byte, 0, flags=ASKED),
            call(RUN, 64, DRAW_NEXT, 0), call(DRAW, 1 << 20, pages=[(0, self.page)]), call(RUN, 64, IDLE, 0, lines=[1]),
            call(WRITE, STATUS, 4, 1, 0, lines=[0])))

    def write(self, path, end=bytes([END])):
        with open(path, "wb") as file:
            file.write(file_of(self.stream + end))
        return path


def capture_of(path, *sizes, **how):
    capture = Capture()
    for number, size in enumerate(sizes):
        capture.fill(0x400 * (number % 4), size, 0x10 + 2 * number)
    return capture.write(path, **how)


class ReplayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.small = capture_of(self.path("small.capture"), 8, 16, 24)
        self.large = capture_of(self.path("large.capture"), 8, 16, 200, 24, 300)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_(self, program, *arguments, status):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done)
        return done.stdout

    def verdict(self, program, capture, status):
        """Returns the verdict of --check and the number of calls."""
        name, calls, _, took, what = self.run_(program, "--check", capture, status=status).rstrip("\n").split("\t")
        self.assertEqual(name, capture)
        self.assertRegex(took, r"^\d+\.\d{3} ms$")
        return what, int(calls.split()[0])

    # ---- --check and no option ----

    def test_builds_are_told_apart(self):
        for program in (REPLAY, OTHER):
            self.assertEqual(self.verdict(program, self.small, 0), ("same", 3 * CALLS_OF_A_FILL))
        self.assertEqual(self.verdict(REPLAY, self.large, 0), ("same", 5 * CALLS_OF_A_FILL))
        what, calls = self.verdict(OTHER, self.large, 1)
        self.assertRegex(what, r"^differs: call 19, .*draw.*: leaves other bytes in the page at 0x80000000$")
        self.assertEqual(calls, 2 * CALLS_OF_A_FILL + 5)

    def test_the_worst_of_several_counts(self):
        damaged = self.path("damaged")
        with open(damaged, "wb") as file:
            file.write(b"Pixmcap\n")
        lines = self.run_(OTHER, "--check", self.small, damaged, self.large, self.path("none"), status=2).splitlines()
        self.assertEqual([line.split("\t")[4].split(":")[0] for line in lines], ["same", "damaged", "differs", "damaged"])

    def test_a_cut_one_is_good_up_to_there(self):
        cut = capture_of(self.path("cut"), 8, 8, end=b"")
        self.assertEqual(self.verdict(REPLAY, cut, 0), ("cut", 2 * CALLS_OF_A_FILL))

    def test_uncertain_reads_are_counted(self):
        """During a fill, the replay reads 0 from STATUS. The capture has 1, because its reader ran late."""
        capture = Capture()
        capture.stream += b"".join((
            call(WRITE, ADDRESS, 4, RAM, 0), call(WRITE, SIZE, 4, 8, 0), call(WRITE, FILL, 4, 0, 0, flags=ASKED),
            call(RUN, 64, DRAW_NEXT, 0), call(READ, STATUS, 4, 0, 1, flags=1)))
        self.assertEqual(self.verdict(REPLAY, capture.write(self.path("late")), 0), ("same, 1 uncertain", 5))

    def test_all_differences_are_shown(self):
        self.assertEqual(self.run_(OTHER, self.large, status=1).count("DIFFERS"), 1)
        self.assertEqual(self.run_(OTHER, "--keep-going", self.large, status=1).count("DIFFERS"), 3)  # 24 bytes, same page
        self.assertIn("0 differences", self.run_(REPLAY, self.large, status=0))

    def test_registers_are_named(self):
        said = self.run_(REPLAY, "--trace", "--time", self.small, status=0)
        self.assertRegex(said, r"(?m)^write +FILL +0x00000008 0x00000012$")
        self.assertRegex(said, r"(?m)^draw +3 calls +\d+\.\d{3} ms$")

    def test_wrong_usage_is_told(self):
        for arguments in ((), ("--nothing", self.small), (self.small, self.large), ("--minimise",), ("--until-draw", "x", self.small)):
            self.run_(REPLAY, *arguments, status=2)
        self.assertIn("--minimise OUT", self.run_(REPLAY, "--help", status=0))

    # ---- --rewrite ----

    def test_a_rewritten_one_is_of_the_build_that_wrote_it(self):
        again = self.path("again")
        self.run_(OTHER, "--rewrite", again, self.large, status=0)
        self.assertEqual(self.verdict(OTHER, again, 0), ("same", 5 * CALLS_OF_A_FILL))
        self.assertEqual(self.verdict(REPLAY, again, 1)[1], 2 * CALLS_OF_A_FILL + 5)

    # ---- --minimise ----

    def test_nothing_differs(self):
        least = self.path("least")
        self.assertIn("nothing differs", self.run_(OTHER, "--minimise", least, self.small, status=0))
        self.assertIn("nothing differs", self.run_(OTHER, "--minimise", least, "--against", REPLAY, self.small, status=0))
        self.assertFalse(os.path.exists(least))

    def test_minimised_by_what_was_captured(self):
        """Earlier fills of the same page must be kept, because the page's bytes are compared."""
        least = self.path("least")
        self.assertRegex(self.run_(OTHER, "--minimise", least, self.large, status=1), r": \d+ calls of 19$")
        _, calls = self.verdict(OTHER, least, 1)
        self.assertLess(calls, 19)
        self.assertEqual(self.verdict(REPLAY, least, 0), ("same", calls))

    def test_minimised_against_another_build(self):
        """Only the fill that differs must remain: SIZE of at least 100, the start with FILL, and a draw. ADDRESS may
        stay 0.
        """
        least = self.path("least")
        self.run_(OTHER, "--minimise", least, "--against", REPLAY, self.large, status=1)
        _, calls = self.verdict(OTHER, least, 1)
        self.assertIn(calls, (4, 5))
        self.assertEqual(self.verdict(REPLAY, least, 0), ("same", calls))
        self.assertEqual(sorted(os.listdir(self.folder)), ["large.capture", "least", "small.capture"])

    def test_the_other_build_is_not_there(self):
        self.run_(OTHER, "--minimise", self.path("least"), "--against", self.path("none"), self.large, status=2)

    # ---- compare-replays ----

    def compare(self, *arguments, status):
        rows = [line.split("\t") for line in self.run_(COMPARE, *arguments, status=status).splitlines()]
        return {os.path.basename(row[0]): row[-1] for row in rows}

    def test_two_builds_are_compared(self):
        said = self.compare(REPLAY, OTHER, self.folder, status=1)
        self.assertEqual(said["small.capture"], "same")
        self.assertTrue(said["large.capture"].startswith("differs: call 19"), said)
        self.assertRegex(said["all"], r"^\d+\.\d\d$")
        self.assertEqual(self.compare(REPLAY, REPLAY, self.folder, status=0)["large.capture"], "same")

    def test_what_captures_say_does_not_count(self):
        """A third build captured bytes that neither build writes. The first build must be the reference."""
        capture = Capture()
        capture.fill(0, 300, 1)
        capture.page[0] ^= 0xFF
        capture.fill(0x200, 8, 1)
        third = capture.write(self.path("third.capture"))
        self.assertEqual(self.verdict(REPLAY, third, 1)[1], CALLS_OF_A_FILL + 5)
        self.assertEqual(self.compare(REPLAY, REPLAY, third, status=0)["third.capture"], "same")
        self.assertTrue(self.compare(REPLAY, OTHER, third, status=1)["third.capture"].startswith("differs: call 5"))

    def test_what_cannot_be_compared(self):
        damaged = self.path("damaged.capture")
        with open(damaged, "wb") as file:
            file.write(b"Pixmcap\n")
        self.assertEqual(self.compare(REPLAY, OTHER, damaged, self.small, status=2)["damaged.capture"], "damaged")
        self.run_(COMPARE, REPLAY, status=2)
        self.run_(COMPARE, "--help", status=0)


if __name__ == "__main__":
    REPLAY, OTHER, COMPARE = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1])
