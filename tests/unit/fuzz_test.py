#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of scripts/lib/fuzz.py with a stand-in for a fuzzer."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../scripts/lib"))
import fuzz  # pylint: disable=wrong-import-position

# Plays its inputs first. Then runs until SIGUSR1, or exits with status 1 if it "finds" a failure. Merges if called with
# -merge=1.
STAND_IN = """#!/usr/bin/python3 -B
import os, signal, sys, time
folders = [word for word in sys.argv[1:] if not word.startswith("-")]
if "-merge=1" in sys.argv:
    files = [os.path.join(folder, name) for folder in folders[1:] for name in os.listdir(folder)]
    for number, name in enumerate(files[:5]):
        os.link(name, os.path.join(folders[0], str(number)))
    sys.exit()
asked = []
signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
while time.process_time() < BEFORE:
    pass
print("#7\\tINITED cov: 1", flush=True)
while not asked:
    if FINDS:
        sys.exit(1)
print("stat::number_of_executed_units: 1234")
print(f"used {time.process_time() - BEFORE:.2f}")
"""


class Play(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def fuzzer(self, logs, before=0.0, finds=False):
        with open(self.path("toy-fuzz"), "w", encoding="utf-8") as file:
            file.write(STAND_IN.replace("BEFORE", str(before)).replace("FINDS", str(finds)))
        os.chmod(self.path("toy-fuzz"), 0o755)
        os.makedirs(self.path(logs))
        return fuzz.Fuzzer(self.path("toy-fuzz"), self.path(logs), self.path("corpora"))

    def used(self, fuzzer):
        with open(fuzzer.log(), encoding="utf-8") as file:
            return float(file.read().rpartition("used ")[2])

    def test_seconds_begin_when_the_inputs_are_played(self):
        for before in (0.0, 0.6):
            with self.subTest(before=before):
                fuzzer = self.fuzzer(f"before-{before}", before)
                self.assertEqual(fuzzer.play(0.3), 0)
                self.assertGreater(self.used(fuzzer), 0.2)

    def test_what_is_found_is_a_failure(self):
        self.assertEqual(self.fuzzer("finds", finds=True).play(0.3), 1)

    def test_seeds_are_played_again_only_with_another_program(self):
        first = self.fuzzer("first")
        self.assertIn(first.folder["seeds"], first.inputs())
        first.play(0)
        self.assertEqual(first.keep(first.log()), ["toy-fuzz: 1,234 executions, of captures 0, corpus 0, now 5 inputs"])
        self.assertNotIn("seeds", " ".join(self.fuzzer("second").inputs()))
        other = self.fuzzer("other", before=0.1)
        self.assertIn(other.folder["seeds"], other.inputs())

    def test_what_is_new_is_kept_and_merged_once_it_is_much(self):
        for name, found, kept in (("first", 0, 5), ("one", 1, 6), ("two", 1, 5)):  # merges the first time, and when 7 inputs exceed 6
            fuzzer = self.fuzzer(name)
            for number in range(found):
                with open(os.path.join(fuzzer.folder["new"], f"{number}"), "wb") as file:
                    file.write(f"{name} {number}".encode())
            fuzzer.play(0)
            self.assertIn(f"now {kept} inputs", fuzzer.keep(fuzzer.log())[0])

    def test_shares(self):
        shares = fuzz.shares(9, ["x/nema-fuzz", "x/toy-fuzz", "x/sgx-fuzz"])
        self.assertEqual(shares, {"x/nema-fuzz": 4, "x/toy-fuzz": 1, "x/sgx-fuzz": 4})


if __name__ == "__main__":
    unittest.main()
