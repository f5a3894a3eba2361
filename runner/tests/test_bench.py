# SPDX-License-Identifier: GPL-2.0-or-later
"""How scripts/bench ends; with stand-ins for its programs."""

import contextlib
import io
import sys
import unittest.mock as mock

from pixmill import bench
from pixmill.failure import Failure, Status
from tests.files import Test, written


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
