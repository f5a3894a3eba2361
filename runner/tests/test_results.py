# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of results in all formats, of shards, and of lists of expectations."""

import json
import os
import subprocess
import xml.etree.ElementTree
from unittest import mock

from pixmill import boards, expectations, judge, picture, results, session
from pixmill.places import BOARDS, SCRIPTS, SUITES
from tests.files import Test, empty, text_of, written

MERGE = os.path.join(SCRIPTS, "results")


def some_cases():
    slow = judge.Case("slow", "passed")
    slow.seconds = 1.25
    return [slow, judge.Case("kernel log has what it must", "failed", "no <line> & \"quotes\" \x1b[0m"),
            judge.Case("left#out", "skipped", "no such\nprogram")]


def report_in(folder, suites=("libdrm", "hang")):
    report = results.Report()
    log = written(os.path.join(folder, "shared.log"), "".join(f"line {number}\n" for number in range(60)))
    for suite in suites:
        report.add("sabrelite", "6.12", suite, some_cases(), 2.5, log)
    report.write(folder, "10.0.13")
    return report


class FormatsTest(Test):
    def test_ktap_has_the_kernels_format(self):
        folder = empty(self.path("ktap"))
        report_in(folder)
        lines = text_of(folder, "results.ktap").splitlines()
        assert lines[:2] == ["KTAP version 1", "1..2"], lines
        assert lines[2:5] == ["  KTAP version 1", "  # Subtest: sabrelite/6.12/libdrm", "  1..3"], lines
        assert "  ok 1 slow" in lines
        assert "  not ok 2 kernel-log-has-what-it-must" in lines
        assert "  ok 3 left-out # SKIP no such program" in lines
        assert [line for line in lines if not line.startswith((" ", "#"))][2:] == \
            ["not ok 1 sabrelite/6.12/libdrm", "not ok 2 sabrelite/6.12/hang"], lines

    def test_junit_is_xml(self):
        folder = empty(self.path("junit"))
        report_in(folder)
        root = xml.etree.ElementTree.parse(os.path.join(folder, "junit.xml")).getroot()
        assert root.attrib == {"tests": "6", "failures": "2", "errors": "0", "skipped": "2"}, root.attrib
        suite = root[0]
        assert suite.get("name") == "sabrelite.6.12.libdrm" and suite.get("tests") == "3", suite.attrib
        slow, failed, skipped = suite.findall("testcase")
        assert slow.get("time") == "1.25" and not list(slow)
        assert failed.find("failure").get("message").startswith('no <line> & "quotes" ?[0m'), failed[0].attrib
        assert skipped.find("skipped") is not None
        tail = suite.find("system-out").text.splitlines()
        assert (tail[0], tail[-1], len(tail)) == ("line 10", "line 59", 50), tail

    def test_pictures_are_attached(self):
        folder = empty(self.path("pictures"))
        case = judge.Case("a.bmp", "failed", "wrong")
        case.files = [os.path.join(folder, "a.png")]
        report = results.Report()
        report.add("sabrelite", "6.12", "libdrm", [case])
        report.write(folder, "")
        assert "[[ATTACHMENT|a.png]]" in text_of(folder, "junit.xml")
        assert '<img src="a.png"' in text_of(folder, "report.html")

    def test_html_escapes(self):
        folder = empty(self.path("html"))
        report_in(folder)
        page = text_of(folder, "report.html")
        assert "no &lt;line&gt; &amp;" in page and "<line>" not in page
        assert page.index("class=failed") < page.index("class=skipped") < page.index("class=passed"), "failures come first"

    def test_difference_pictures_are_bright(self):
        one, other = picture.Picture(2, 1, [0xFF102030, 0x00000000]), picture.Picture(2, 1, [0xFF112030, 0x000000FF])
        assert one.difference(other).words == [0x100000, 0x0000FF], one.difference(other).words
        assert one.difference(picture.Picture(1, 1, [0])) is None

    def test_repeats_are_one_case(self):
        report = results.Report()
        for outcome in ("passed", "failed", "passed"):
            report.add("b", "s", "suite", [judge.Case("x", outcome, "why" if outcome == "failed" else "")])
        report.unite_repeats()
        case, = report.cases
        assert case["outcome"] == "failed" and case["why"] == "failed in 1 of 3 runs: why", case
        assert case["repeats"] == ["passed", "failed", "passed"]

    def test_reports_show_the_failed_repeat(self):
        """Reports must link to the console log of the failed repeat and show its last lines."""
        folder = empty(self.path("repeated"))
        report = results.Report()
        for number, outcome in enumerate(("passed", "failed", "passed"), 1):
            log = written(os.path.join(folder, f"{number}.log"), f"the console of run {number}\n")
            report.add("b", "s", "suite", [judge.Case("x", outcome, "")], 2.0, log)
        report.unite_repeats()
        report.write(folder, "10.0.13")
        junit, html = text_of(folder, "junit.xml"), text_of(folder, "report.html")
        assert "the console of run 2" in junit and "the console of run 1" not in junit and 'time="6.00"' in junit, junit
        assert 'href="2.log"' in html and 'href="1.log"' not in html, html


def merge(*words):
    return subprocess.run([MERGE, *words], capture_output=True, text=True, check=False)


class ShardsTest(Test):
    def test_shards_are_disjoint_and_whole(self):
        units = [f"suite-{number}" for number in range(23)]
        parts = [results.shard_of(units, f"{number}/5") for number in range(1, 6)]
        assert sorted(sum(parts, [])) == sorted(units)
        assert results.shard_of(list(reversed(units)), "2/5") == parts[1], "the order of the units counts"
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
        assert [results.is_shard(words) for words in ("1/1", "5/5", "0/5", "6/5", "1", "a/b", "1/0")] == \
            [True, True, False, False, False, False, False]

    def test_shards_are_merged(self):
        one, two, whole = (empty(self.path(name)) for name in ("one", "two", "whole"))
        report_in(one, ["libdrm"])
        report_in(two, ["hang"])
        done = merge(whole, one, two)
        assert done.returncode == 1 and not done.stderr and done.stdout == (
            f"        results: {whole}/report.html, results.ktap, junit.xml, results.json\n"
            "2 passed, 2 failed, 2 skipped\nverdict: failed (exit status 1)\n"), done
        cases_ = json.loads(text_of(whole, "results.json"))["cases"]
        assert [case["name"] for case in cases_[::3]] == ["sabrelite/6.12/libdrm/slow", "sabrelite/6.12/hang/slow"]
        assert os.path.exists(os.path.join(whole, json.loads(text_of(whole, "results.json"))["suites"][0]["log"]))
        for name in results.NAMES:
            assert os.path.exists(os.path.join(whole, name)), name

    def test_the_verdict_is_that_of_the_shard_with_the_status(self):
        report = results.Report()
        report.about = {"verdict": "timeout", "exit status": 4}
        report.add("b", "s", "x", [judge.Case("c", "failed")])
        report.write(empty(self.path("one")), "")
        done = merge(self.path("whole"), self.path("one"))
        assert done.returncode == 4 and done.stdout.endswith("\nverdict: timeout (exit status 4)\n"), done

    def test_a_folder_without_results_is_named(self):
        for folder, words in ((self.path("nowhere"), f"there is no folder {self.path('nowhere')}"),
                              (empty(self.path("empty")), f"{self.path('empty')} has no results.json: it is not from a run, or the run was interrupted")):
            done = merge(self.path("whole"), folder)
            assert done.returncode == 2 and done.stderr == f"pixmill: {words}\n", done

    def test_duplicate_and_missing_cases_are_errors(self):
        one, whole = empty(self.path("one")), empty(self.path("whole"))
        report = results.Report()
        report.add("sabrelite", "6.12", "libdrm", [judge.Case("x", "passed")])
        report.write(one, "")
        assert merge(whole, one).returncode == 0
        twice = merge(whole, one, one)
        assert twice.returncode == 1 and "sabrelite/6.12/libdrm/x is in" in twice.stderr, twice
        expected = written(self.path("expected"), "# all\nsabrelite/6.12/libdrm/x\nsabrelite/6.12/libdrm/y\n")
        missing = merge(whole, one, "--expect", expected)
        assert missing.returncode == 1 and missing.stderr == "pixmill: sabrelite/6.12/libdrm/y is missing\n", missing
        written(os.path.join(one, "results.json"), "{}")
        assert merge(whole, one).returncode == 2
        assert merge(whole, self.path("nowhere")).returncode == 2


class TableTest(Test):
    def folder(self, name, qemu, linux, *cases):
        report = results.Report()
        report.about = {"Linux": linux} if linux else {}
        for board, series, suite, outcome, *names in cases:
            report.add(board, series, suite, [judge.Case(name, outcome) for name in names])
        os.makedirs(self.path(name))
        report.write(self.path(name), qemu)
        return self.path(name)

    def test_suites_are_counted_by_qemu_board_and_kernel(self):
        one = self.folder("one", "10.0.13 (v1-3)", "", ("sabrelite", "6.12", "gles2", "passed", "a", "b"), ("sabrelite", "6.12", "gles2", "failed", "c"),
                          ("sabrelite", "6.12", "vg", "skipped", "a"))
        two = self.folder("two", "10.2.2 (v1-3)", "7.2.13+deb14-armmp", ("am57xx", "sid", "vg", "passed", "a"))
        three = self.folder("three", "10.2.2 (v1-3)", "7.2.13+deb14-armmp", ("am57xx", "sid", "vg", "failed", "b"), ("am57xx", "sid", "vg", "passed", "a"))
        ended = subprocess.run([os.path.join(SCRIPTS, "results"), "--table", one, two, three], capture_output=True, text=True, check=False)
        assert ended.returncode == 0 and ended.stdout.splitlines() == [
            "| suite | 10.0 sabrelite 6.12 | 10.2 am57xx 7.2 |", "| --- | ---: | ---: |",
            "| gles2 | 2/1/0 |  |", "| vg | 0/0/1 | 1/1/0 |", "| all | 2/1/1 | 1/1/0 |"], ended

    def test_a_merge_still_needs_folders(self):
        ended = subprocess.run([os.path.join(SCRIPTS, "results"), self.path("all")], capture_output=True, text=True, check=False)
        assert ended.returncode == 2 and "required: IN" in ended.stderr, ended


# ---- lists -------------------------------------------------------------------------------------


def applied(lists, case, suite="gles2", board="sabrelite", series="6.12"):
    return lists.apply(case, expectations.names_of(board, series, suite, case.name))


class ListsTest(Test):
    def test_known_failures_are_skipped_and_other_results_fail(self):
        path = written(self.path("fails"), "# licence\n\n# silicon does it, too:\n# see there\ngles2/known,Fail\ngles2/crash,Crash\n"
                                     "6.1/gles2/older,Fail\nam57xx/6.12/gles2/other,Fail\ngles2/a-name-of-words,Timeout\n")
        lists = expectations.Expectations().read(fails=[path])
        case = applied(lists, judge.Case("known", "failed", "wrong"))
        assert case.outcome == "skipped" and "silicon does it, too: see there" in case.why, case
        case = applied(lists, judge.Case("known", "passed"))
        assert case.outcome == "failed" and "it passes" in case.why, case
        assert applied(lists, judge.Case("known", "skipped")).outcome == "skipped"
        assert applied(lists, judge.Case("known", "failed", "", "Crash")).outcome == "failed"
        assert applied(lists, judge.Case("crash", "failed", "", "Crash")).outcome == "skipped"
        assert applied(lists, judge.Case("unknown", "failed")).outcome == "failed"
        assert applied(lists, judge.Case("older", "failed")).outcome == "failed"
        assert applied(lists, judge.Case("older", "failed"), series="6.1").outcome == "skipped"
        assert applied(lists, judge.Case("other", "failed")).outcome == "failed"
        assert applied(lists, judge.Case("other", "failed"), board="am57xx").outcome == "skipped"
        assert applied(lists, judge.Case("a name of words", "failed", "", "Timeout")).outcome == "skipped"

    def test_an_expected_crash_of_a_case_is_one_of_its_suite(self):
        lists = expectations.Expectations().read(fails=[written(self.path("fails"), (
            "6.1/reload/unload,Crash\nam57xx/6.1/slow/one,Timeout\nall/run,Fail\ngles2/known,Fail\n"))])
        for suite, board, series, breaks in (("reload", "sabrelite", "6.1", True), ("reload", "sabrelite", "6.12", False), ("unload", "sabrelite", "6.1", False),
                                             ("slow", "am57xx", "6.1", True), ("slow", "sabrelite", "6.1", False), ("all", "x", "y", True),
                                             ("gles2", "sabrelite", "6.1", False)):
            assert lists.has_ends(expectations.names_of(board, series, suite, "")) == breaks, (suite, board, series)

    def test_a_suite_that_is_expected_to_crash_has_its_own_boot(self):
        made = session.Session.__new__(session.Session)
        made.board, made.args = boards.board("sabrelite"), mock.Mock(replay=None)
        made.lists = expectations.Expectations().read(fails=[written(self.path("fails"), "6.1/reload/unload-1,Crash\n")])
        suites = [judge.Suite(os.path.join(SUITES, name)) for name in ("hang", "libdrm", "reload")]
        for made.series, wanted in (("6.1", [["hang", "libdrm"], ["reload"]]), ("6.12", [["hang", "libdrm", "reload"]])):
            assert [[suite.name for suite in boot] for boot in made.boots(suites)] == wanted, made.series

    def test_flakes_and_skips_are_expressions(self):
        lists = expectations.Expectations().read(flakes=[written(self.path("flakes"), "gles2/tri.*\n")],
                                                 skips=[written(self.path("skips"), "# slow\n/6.1/.*/big$\n")])
        assert lists.is_flake("sabrelite/6.12/gles2/triangle") and not lists.is_flake("sabrelite/6.12/gles2/a")
        assert applied(lists, judge.Case("big", "failed"), series="6.1").outcome == "skipped"
        assert applied(lists, judge.Case("big", "failed")).outcome == "failed"

    def test_bad_lists_name_the_line(self):
        for kind, text in (("fails", "# x\nno result\n"), ("fails", "a,Maybe\n"), ("fails", ",Fail\n"), ("flakes", "a\n(\n"),
                           ("skips", ".*\n")):
            path = written(self.path("bad"), text)
            try:
                expectations.Expectations().read(**{kind: [path]})
            except expectations.BadList as error:
                assert str(error).startswith(path + ":"), error
            else:
                raise AssertionError(f"{kind} took {text!r}")

    def test_lists_of_the_boards_can_be_read(self):
        boards = BOARDS
        read_in = 0
        for board in os.listdir(boards):
            expectations.Expectations().read_board(os.path.join(boards, board))
            for name in os.listdir(os.path.join(boards, board)):
                if "-fails" in name:
                    expectations.Expectations().read(fails=[os.path.join(boards, board, name)])
                    read_in += 1
        assert read_in, "there is no list"

    def test_results_of_the_guest_are_told_apart(self):
        log = b"0 good 1.00 3.50\n77 not-here 3.50 3.60\n143 slow 3.60 63.60\n139 crash 63.60 63.70\n1 bad\n"
        found = {case.name: (case.result, case.seconds) for case in judge.guest_cases({"cases": log})}
        assert found["good"] == ("Pass", 2.5) and found["bad"] == ("Fail", None), found
        assert [found[name][0] for name in ("not-here", "slow", "crash")] == ["Skip", "Timeout", "Crash"], found

    def test_checks_without_output_are_not_quoted(self):
        log = b"143 slow 3.60 63.60\n139 crash 63.60 63.70\n1 bad\n2 loud\n"
        found = [case.why for case in judge.guest_cases({"cases": log, "loud.log": b"no such file\n", "bad.log": b"\n"})]
        assert found == ["it took too long", "ended by signal 11", "status 1", "status 2: no such file"], found
