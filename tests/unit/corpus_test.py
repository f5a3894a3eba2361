#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of scripts/lib/corpus.py: a cached fuzzing corpus survives concurrent, killed and damaged runs."""

import multiprocessing
import os
import signal
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../scripts/lib"))
import corpus  # pylint: disable=wrong-import-position


def add(archive, inputs):
    """Adds inputs to the corpus, as a clone's fuzzing run does at its end."""
    with corpus.alone(archive), tempfile.TemporaryDirectory() as folder:
        known = corpus.load(archive, folder)
        for number, data in enumerate(inputs):
            fill(folder, {f"new-{known + number}": data})
        corpus.store(archive, folder)


def fill(folder, files):
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def store_until_killed(archive, folder):
    while True:
        corpus.store(archive, folder)


class CorpusTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.archive = os.path.join(self.folder.name, "x-fuzz-1.tar")
        self.inputs = os.path.join(self.folder.name, "inputs")
        os.mkdir(self.inputs)

    def test_nothing_is_kept_at_first(self):
        self.assertEqual(corpus.load(self.archive, self.inputs), 0)
        self.assertEqual(os.listdir(self.inputs), [])

    def test_inputs_come_back_by_their_bytes(self):
        fill(self.inputs, {"b": b"\0\1\2", "a": b"", "c": bytes(range(256)) * 16})
        corpus.store(self.archive, self.inputs)
        self.assertEqual(corpus.read(self.archive), [b"", b"\0\1\2", bytes(range(256)) * 16])

    def test_a_damaged_archive_is_as_good_as_none(self):
        fill(self.inputs, {"a": b"abc" * 1000})
        corpus.store(self.archive, self.inputs)
        for damage in (lambda data: data[:700], lambda data: b"\xff" * len(data), lambda data: b""):
            with open(self.archive, "rb") as file:
                good = file.read()
            with open(self.archive, "wb") as file:
                file.write(damage(good))
            self.assertEqual(corpus.read(self.archive), [])
            corpus.store(self.archive, self.inputs)
            self.assertEqual(corpus.read(self.archive), [b"abc" * 1000])

    def test_the_small_inputs_stay_within_the_limits(self):
        fill(self.inputs, {f"{n}": bytes([n]) * (n + 1) for n in range(10)})
        most = corpus.MOST_INPUTS, corpus.MOST_BYTES
        try:
            corpus.MOST_INPUTS = 4
            corpus.store(self.archive, self.inputs)
            self.assertEqual(corpus.read(self.archive), [b"\0", b"\1\1", b"\2\2\2", b"\3\3\3\3"])
            corpus.MOST_INPUTS, corpus.MOST_BYTES = 100, 6
            corpus.store(self.archive, self.inputs)
            self.assertEqual(corpus.read(self.archive), [b"\0", b"\1\1", b"\2\2\2"])
        finally:
            corpus.MOST_INPUTS, corpus.MOST_BYTES = most

    def test_whoever_is_killed_leaves_a_whole_archive(self):
        fill(self.inputs, {f"{n}": n.to_bytes(2, "little") * 500 for n in range(200)})
        corpus.store(self.archive, self.inputs)
        whole = corpus.read(self.archive)
        for wait in range(10):
            writer = multiprocessing.Process(target=store_until_killed, args=(self.archive, self.inputs))
            writer.start()
            time.sleep(0.02 + wait / 500)
            os.kill(writer.pid, signal.SIGKILL)
            writer.join()
            self.assertEqual(corpus.read(self.archive), whole)

    def test_of_several_clones_nothing_is_lost(self):
        clones = [multiprocessing.Process(target=add, args=(self.archive, [bytes([clone, n]) for n in range(20)]))
                  for clone in range(8)]
        for clone in clones:
            clone.start()
        for clone in clones:
            clone.join()
        self.assertEqual(corpus.read(self.archive), [bytes([clone, n]) for clone in range(8) for n in range(20)])

    def test_nothing_else_is_left_behind(self):
        fill(self.inputs, {"a": b"abc"})
        corpus.store(self.archive, self.inputs)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["inputs", "x-fuzz-1.tar"])


if __name__ == "__main__":
    unittest.main()
