# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares docs/use/run.md with the code that it documents."""

import json
import os
import re
import unittest

from pixmill import judge, results
from pixmill.places import REPO


def page(*path):
    with open(os.path.join(REPO, "docs", *path), encoding="utf-8") as file:
        return file.read()


class ResultsTest(unittest.TestCase):
    """Checks the tables about results.json."""

    TYPES = {"number": (int, float), "string": str, "object": dict, "array": list, "array of strings": list, "boolean": bool,
             "string or null": (str, type(None)), "number or null": (int, float, type(None))}

    def setUp(self):
        self.section = re.search(r"### results\.json\n(.*?)\n### ", page("use", "run.md"), re.DOTALL)[1]
        report = results.Report()
        report.about = {"board": "b"}
        report.add("b", "s", "suite", [judge.Case("case", "passed")])
        for suite in report.suites:
            suite["tail"] = []
        self.json = json.loads(report.json())

    def fields(self, head):
        """Returns {name: type} from the table with that heading."""
        table = re.search(rf"\| {head} \| type \| what \|\n\|---\|---\|---\|\n((?:\|.*\n?)+)", self.section)[1]
        rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
        return {name: kind for names, kind, *_ in rows for name in re.findall(r"`(\w+)`", names)}

    def check_fields(self, head, found, optional=()):
        wanted = self.fields(head)
        self.assertEqual(set(wanted) - set(optional), set(found))
        for name, value in found.items():
            self.assertIsInstance(value, self.TYPES[wanted[name]], name)

    def test_the_whole(self):
        self.check_fields("field", self.json)

    def test_a_suite(self):
        self.check_fields("field of a suite", self.json["suites"][0])

    def test_a_case(self):
        self.check_fields("field of a case", self.json["cases"][0], optional=("repeats",))

    def test_the_format(self):
        self.assertIn(f"`format` is {results.FORMAT}.", self.section)
