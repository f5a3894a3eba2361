# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the exit status of scripts/bench with fake programs, and of its real programs."""

import contextlib
import glob
import io
import json
import os
import re
import subprocess
import sys
import unittest.mock as mock

from pixmill import bench, bench_page
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

    def test_a_benchmark_that_ends_by_a_signal_is_no_success(self):
        for end, status in (("kill -9 $$", Status.HOST), ("kill -SEGV $$", Status.FAILED), ("exit 3", Status.FAILED), ("exit 0", Status.FAILED)):
            self.assertEqual(self.status(self.programs(end, "exit 0")), status)


class PageTest(Test):
    ROWS = {"fill/pixmill": {"bytes_per_second": 6e9, "items_per_second": 1.5e9}, "fill/memset": {"bytes_per_second": 8e9},
            "nema/walk": {"items_per_second": 2e6}}
    COUNTS = {"fill/pixmill": {"instructions": 2000}, "fill/pixman": {"instructions": 1000}}

    def lines(self, rows):
        return list(bench_page.section("desk", {"machine": {"processor": "P", "processors": 2}, "commit": "c", "benchmarks": rows}))

    def test_a_speed_is_divided_by_its_references(self):
        said = self.lines(self.ROWS)
        self.assertIn("| `fill` | 6.00 GB/s | 1,500 | 0.75 |", said)
        self.assertIn("| `nema/walk` | 2.00 M/s |", said)
        self.assertIn("Processor: P; processors: 2. Commit: `c`.", said)

    def test_a_count_divides_its_references(self):
        self.assertIn("| `fill` | 2,000 | 0.50 |", self.lines(self.COUNTS))

    def test_a_column_that_no_row_fills_is_left_out(self):
        self.assertIn("| benchmark | speed | Mpixel/s | / memset |", self.lines(self.ROWS))

    def test_the_page_is_that_of_its_files(self):
        self.assertTrue(glob.glob(os.path.join(bench_page.FILES, "*.json")))
        self.assertEqual(text_of(bench_page.PAGE), bench_page.page(), "run scripts/bench --page")

    def test_a_goal_stands_next_to_what_was_reached(self):
        written(self.path("goals.toml"), '["fill"]\nreference = "memset"\nbefore = 0.5\ngoal = 0.8\nbudget = 1900\n["nema/walk"]\n')
        files = {"desk": {"benchmarks": self.ROWS}, "counts": {"benchmarks": self.COUNTS}}
        with mock.patch.object(bench_page, "GOALS", self.path("goals.toml")):
            self.assertEqual(list(bench_page.goal_table(files)), [
                "| benchmark | reference | before | desk | goal | bound | budget |", "|---|---|---:|---:|---:|---:|---:|",
                "| `fill` | memset | 0.50 | 0.75 | 0.80 |  | 1,900 |", "| `nema/walk` |  |  |  |  |  |  |"])

    def test_another_file_is_refused(self):
        for text in ("", "[]", '{"benchmarks": {}}', '{"machine": {}, "commit": "", "benchmarks": {}}'):
            with mock.patch.object(bench_page, "FILES", self.out):
                written(self.path("other.json"), text)
                self.assertRaises(Failure, bench_page.page)


class BudgetsTest(Test):
    GOALS = {"fill": {"budget": 1000}, "copy": {"budget": 500}, "walk": {}}

    def checked(self, **counts):
        rows = {f"{name}/pixmill": {"instructions": counted} for name, counted in counts.items()}
        with mock.patch.object(bench_page, "goals", return_value=self.GOALS), mock.patch.object(bench, "count", return_value=rows) as count, \
                contextlib.redirect_stdout(io.StringIO()) as said:
            status = bench.check_budgets("program")
        self.assertEqual([bool(re.search(count.call_args[0][1], name)) for name in ("fill/pixmill", "copy/pixmill/real_time", "fill/pixman", "walk/pixmill")],
                         [True, True, False, False])
        return status, said.getvalue()

    def test_a_row_may_need_a_little_more_than_its_budget(self):
        self.assertEqual(self.checked(fill=1020, copy=400)[0], Status.PASSED)

    def test_a_row_that_needs_too_much_fails(self):
        status, said = self.checked(fill=1021, copy=500)
        self.assertEqual(status, Status.FAILED)
        self.assertRegex(said, r"fill/pixmill +1021 +1\.021 +too much")

    def test_a_row_that_was_not_counted_fails(self):
        self.assertEqual(self.checked(fill=1000)[0], Status.FAILED)


class ProgramsTest(Test):
    def test_rows_keep_their_budgets(self):
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            if not re.search(r"^flags\b.* avx2\b.* ", file.read(), re.M):
                self.skipTest("budgets are for AVX2, which this processor lacks")
        ended = subprocess.run([setting.needed("BENCH"), "--budgets"], capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, Status.PASSED, ended.stdout + ended.stderr)

    def test_results_have_their_references(self):
        report = self.path("bench.json")
        ended = subprocess.run([setting.needed("BENCH"), "--filter", "^fill/32/64x64/contiguous/", "--repetitions", "1", "--min-time", "0.001",
                                "--json", report], capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, Status.PASSED, ended)
        written_there = json.loads(text_of(report))
        names = {name.rpartition("/")[2] for name in written_there["benchmarks"]}
        self.assertLessEqual({"pixmill", "memset"}, names, ended)
        self.assertTrue(list(bench_page.section("here", written_there)))
