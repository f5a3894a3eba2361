# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of report.html."""

import html.parser
import json
import os
import re

from pixmill import judge, report, results
from tests.files import UP, Test, text_of, written
from tests.test_run_command import run, script

VOID = ("meta", "img", "br", "input", "wbr")
OPTIONAL = ("td", "th", "tr")  # their end tags are optional


class Page(html.parser.HTMLParser):
    """Collects the text, links and pictures of a page, and checks that every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.images, self.said, self.tags = [], [], [], [], []
        self.feed(text)
        self.close()
        assert not [tag for tag in self.open if tag not in OPTIONAL], self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "a":
            self.links.append(dict(attrs)["href"])
        if tag == "img":
            self.images.append((list(self.open), dict(attrs)["src"]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open[-1] in OPTIONAL and self.open[-1] != tag:
            self.open.pop()
        assert self.open.pop() == tag, (tag, self.open)

    def handle_data(self, data):
        if "style" not in self.open:
            self.said.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.said).split())


def page_of(folder):
    return Page(text_of(folder, "report.html"))


class ReportTest(Test):
    def case(self, name, outcome, why="", pictures=(), log=""):
        case = judge.Case(name, outcome, why)
        case.files = [written(self.path(picture), b"") for picture in pictures]
        case.log = log and written(self.path("libdrm", f"{name}.log"), log)
        return case

    def written(self, *cases, **about):
        made = results.Report()
        made.about = about
        made.add("sabrelite", "6.12", "libdrm", list(cases), 2.5, written(self.path("the console.log"), "".join(f"line {n}\n" for n in range(60))))
        made.write(self.out, "10.0.13")
        return page_of(self.out)

    def test_verdict_and_cause_come_first(self):
        page = self.written(self.case("run", "failed", "x"), verdict="the guest did not boot", cause="no <byte>", **{"exit status": 3})
        assert page.text.index("The guest did not boot : 1 of 1 case failed") < page.text.index("no <byte>") < page.text.index("What failed"), page.text
        assert "exit status 3" in page.text
        page = self.written(self.case("a", "passed"), verdict="passed")
        assert "Passed : all of 1 case" in page.text and "What failed" not in page.text, page.text
        page = self.written(self.case("a", "failed", "the first cause"), self.case("b", "failed"), verdict="failed")
        assert "libdrm: a: the first cause (and 1 other)" in page.text, page.text

    def test_what_ran_has_no_empty_rows(self):
        page = self.written(self.case("a", "passed"), verdict="passed", board="sabrelite", kernel="zImage", append="", seconds=75.2, Linux="6.99",
                            begun="2026-11-28T06:20:11+0000", command="scripts/run --suite 'a b'")
        for words in ("6.99", "zImage", "1 min 15 s", "2026-11-28 06:20:11 UTC", "scripts/run --suite 'a b'", "10.0.13"):
            assert words in page.text, words
        assert "kernel command line" not in page.text, page.text
        assert not re.search(r"<dd>(<code></code>)?</dd>", text_of(self.out, "report.html"))

    def test_a_failure_has_its_log_and_the_console(self):
        said = "".join(f"said {number}\n" for number in range(100)) + "\x1b[31mred\x1b[0m \x01\n"
        page = self.written(self.case("bad", "failed", "status 1", log=said), self.case("good", "passed", log="fine\n"))
        assert "said 99 red ?" in page.text and "said 10 " not in page.text, page.text
        assert "line 59" in page.text and "line 1 " not in page.text
        for path in ("libdrm/bad.log", "libdrm/good.log", "the%20console.log"):
            assert path in page.links, page.links

    def test_pictures_are_side_by_side(self):
        page = self.written(self.case("a.bmp", "failed", "wrong", ["a.png", "a-expected.png", "a-difference.png"]), self.case("b.bmp", "passed", "", ["b c.png"]))
        assert [src for _, src in page.images] == ["a.png", "a-expected.png", "a-difference.png", "b%20c.png"], page.images
        assert not any("table" in where for where, _ in page.images), "a picture is inside of a table"
        assert "seen expected difference" in page.text, page.text

    def test_it_needs_no_other_file_and_fits_any_screen(self):
        self.written(self.case("a", "failed", "w"))
        text = text_of(self.out, "report.html")
        assert "<script" not in text and "http" not in text and "@import" not in text
        assert "prefers-color-scheme:dark" in text and "width=device-width" in text and "max-width:40rem" in text

    def test_thousands_of_failures_are_a_table(self):
        page = self.written(*(self.case(f"c{number}", "failed", "w") for number in range(report.SHOWN + 7)))
        assert sum(tag == "article" for tag, _ in page.tags) == report.SHOWN and "7 more are in the tables below" in page.text

    def test_a_run_has_a_complete_report(self):
        run(self.out, UP + "results program 3 test.sh", "--program", script(self.out), "--append", "a=1", "--", "b c")
        page, about = page_of(self.path("run")), json.loads(text_of(self.out, "run", "results.json"))["about"]
        assert about["command"].startswith("scripts/run --qemu") and about["command"].endswith("--append a=1 -- 'b c'"), about
        assert about["seconds"] >= 0 and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}", about["begun"]), about
        assert "program/test.sh.log" in page.links and "the last words of test.sh" in page.text, page.links
        case, = [case for case in json.loads(text_of(self.out, "run", "results.json"))["cases"] if case["case"] == "test.sh"]
        assert case["log"] == "program/test.sh.log" and os.path.exists(self.path("run", case["log"]))

    def test_merged_runs_keep_their_properties(self):
        for number, verdict in ((1, "passed"), (2, "timeout")):
            made = results.Report()
            made.about = {"verdict": verdict, "kernel": f"kernel-{number}"}
            folder = os.path.dirname(written(self.path(f"r{number}", "x.log"), "x\n"))
            made.add("b", "s", f"suite-{number}", [judge.Case("run", "passed")], 1.0, os.path.join(folder, "x.log"))
            made.write(folder, "10.0")
        merged, _ = results.merge([self.path("r1"), self.path("r2")])
        os.makedirs(self.path("all"))
        merged.write(self.path("all"))
        page = page_of(self.path("all"))
        for words in ("Timeout", "r1: passed", "r2: timeout", "kernel-1", "kernel-2"):
            assert words in page.text, (words, page.text)
        assert "../r1/x.log" in page.links, page.links
