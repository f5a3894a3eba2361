# SPDX-License-Identifier: GPL-2.0-or-later
"""How scripts/bench ends, with stand-ins for its programs; and with those that it builds."""

import contextlib
import io
import json
import subprocess
import sys
import unittest.mock as mock

from pixmill import bench
from pixmill.failure import Failure, Status
from tests import setting
from tests.files import Test, text_of, written


class EndsTest(Test):
    def programs(self, *ends):
        return [written(self.path(f"program-{number}"), f"#!/bin/sh\n{end}\n", 0o755) for number, end in enumerate(ends)]

    def status(self, programs, *words):
        with mock.patch.object(sys, "argv", ["bench", *words]), mock.patch.object(bench, "build", return_value=programs), \
                mock.patch.object(bench.prepare, "packages"), contextlib.redirect_stderr(io.StringIO()):
            try:
                return bench.main()
            except Failure as failure:
                return failure.status

    def test_a_search_that_ends_by_a_signal_is_no_success(self):
        for ends, status in ((("exit 0", "kill -9 $$"), Status.HOST), (("kill -SEGV $$", "exit 0"), Status.FAILED),
                             (("exit 1", "kill -9 $$"), Status.FAILED), (("exit 0", "exit 0"), Status.PASSED)):
            self.assertEqual(self.status(self.programs(*ends), "--latency", "1"), status)

    def test_so_is_a_benchmark(self):
        for end, status in (("kill -9 $$", Status.HOST), ("kill -SEGV $$", Status.FAILED), ("exit 3", Status.FAILED), ("exit 0", Status.FAILED)):
            self.assertEqual(self.status(self.programs(end, "exit 0")), status)


class ProgramsTest(Test):
    def test_what_is_measured_stands_beside_its_reference(self):
        report = self.path("bench.json")
        ended = subprocess.run([setting.needed("BENCH"), "--filter", "^fill/32/64x64/contiguous/", "--repetitions", "1", "--min-time", "0.001",
                                "--json", report], capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, Status.PASSED, ended)
        names = {row["name"].rpartition("/")[2].partition("_")[0] for row in json.loads(text_of(report))["benchmarks"]}
        self.assertLessEqual({"pixmill", "memset"}, names, ended)
