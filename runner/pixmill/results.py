# SPDX-License-Identifier: GPL-2.0-or-later
"""Results of runs in the formats of those who read them: results.json (all there is), results.ktap, junit.xml, report.html.

usage: results.py OUT IN... [--expect FILE]    merges the results of shards, of the folders IN, into the folder OUT

A case's name is BOARD/SERIES/SUITE/CASE. Shards share no name: one that is there twice is an error, and so is one that
is in FILE, a name a line, and nowhere in the results. Exits with 1 if there is such an error or if a case failed.
"""

import argparse
import collections
import html
import json
import os
import re
import sys
import time
import xml.sax.saxutils

from pixmill import expectations
from pixmill.counts import line as counts_line

FORMAT = 1
LOG_LINES = 50
NAMES = ("results.json", "results.ktap", "junit.xml", "report.html")


class Merging(ValueError):
    """Results that do not fit together."""


def tail_of(path, count=LOG_LINES):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return [line.rstrip() for line in collections.deque(file, count)]
    except OSError:
        return []


class Report:
    """All cases of a run: "suites" and "cases" are what results.json has."""

    def __init__(self):
        self.suites, self.cases = [], []
        self.about = {}  # of the run: words and figures
        self.qemu = ""

    def add(self, board, series, suite, cases, seconds=0.0, log=""):
        place = {"board": board, "series": series, "suite": suite}
        self.suites.append({**place, "seconds": round(seconds, 2), "log": log and os.path.abspath(log),
                            "when": int(time.time() - seconds), "failed": any(case.outcome == "failed" for case in cases)})
        for case in cases:
            self.cases.append({**place, "case": case.name.replace(" ", "-"),
                               "name": expectations.full_name(board, series, suite, case.name), "outcome": case.outcome,
                               "result": case.result, "why": case.why, "seconds": case.seconds,
                               "expected": case.expected, "files": list(map(os.path.abspath, case.files))})

    def unite_repeats(self):
        """Of a case that was run several times, one is left, which has failed if any of them has."""
        found = {}
        for case in self.cases:
            found.setdefault(case["name"], []).append(case)
        self.cases = [united(cases) for cases in found.values()]

    def counts(self, of=None):
        counted = collections.Counter(case["outcome"] for case in (self.cases if of is None else of))
        return {outcome: counted[outcome] for outcome in ("passed", "failed", "skipped")}

    def write(self, folder, qemu=None):
        """All formats; paths of files become relative to the folder."""
        self.qemu = self.qemu if qemu is None else qemu
        for suite in self.suites:
            suite["tail"] = suite.get("tail") or tail_of(suite["log"])  # which a later boot may write anew
            suite["log"] = relative(suite["log"], folder)
        for case in self.cases:
            case["files"] = [relative(path, folder) for path in case["files"]]
        for name, text in zip(NAMES, (self.json(), self.ktap(), self.junit(), self.html())):
            with open(os.path.join(folder, name + ".new"), "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            os.replace(os.path.join(folder, name + ".new"), os.path.join(folder, name))

    def of(self, suite):
        key = [suite[word] for word in ("board", "series", "suite")]
        return [case for case in self.cases if [case[word] for word in ("board", "series", "suite")] == key]

    def distinct_suites(self):
        """Each once, with the seconds of all its runs, and otherwise as the first that failed, if one has."""
        found = {}
        for suite in self.suites:
            found.setdefault((suite["board"], suite["series"], suite["suite"]), []).append(suite)
        return [{**next((suite for suite in runs if suite.get("failed")), runs[0]), "seconds": sum(suite["seconds"] for suite in runs)}
                for runs in found.values()]

    # ---- the formats ------------------------------------------------------------------------

    def json(self):
        return json.dumps({"format": FORMAT, "qemu": self.qemu, "about": self.about, "counts": self.counts(),
                           "suites": self.suites, "cases": self.cases}, indent=1) + "\n"

    def ktap(self):
        """linux Documentation/dev-tools/ktap.rst."""
        suites = self.distinct_suites()
        lines = ["KTAP version 1", f"1..{len(suites)}"]
        for number, suite in enumerate(suites, 1):
            cases = self.of(suite)
            name = "/".join(suite[word] for word in ("board", "series", "suite") if suite[word])
            lines += ["  KTAP version 1", f"  # Subtest: {name}", f"  1..{len(cases)}"]
            lines += [f"  {line}" for count, case in enumerate(cases, 1) for line in ktap_lines(count, case)]
            outcome = "not ok" if any(case["outcome"] == "failed" for case in cases) else "ok"
            lines.append(f"{outcome} {number} {name}")
        counts = self.counts()
        lines.append(f"# Totals: pass:{counts['passed']} fail:{counts['failed']} xfail:0 xpass:0 skip:{counts['skipped']} error:0")
        return "\n".join(lines) + "\n"

    def junit(self):
        parts = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites{junit_counts(self.cases)}>"]
        for suite in self.distinct_suites():
            cases = self.of(suite)
            name = ".".join(suite[word] for word in ("board", "series", "suite") if suite[word])
            when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(suite["when"]))
            parts.append(f'<testsuite name={quoted(name)} time="{suite["seconds"]:.2f}" timestamp="{when}" '
                         f'hostname={quoted(os.uname().nodename)}{junit_counts(cases)}>')
            parts.append("<properties>" + "".join(
                f"<property name={quoted(key)} value={quoted(str(value))}/>"
                for key, value in {"qemu": self.qemu, **self.about}.items()) + "</properties>")
            parts += [junit_case(name, case) for case in cases]
            parts.append(f"<system-out>{text(chr(10).join(suite['tail']))}</system-out></testsuite>")
        parts.append("</testsuites>")
        return "\n".join(parts) + "\n"

    def html(self):
        counts = self.counts()
        rows = {"failed": [], "skipped": [], "passed": []}
        for case in self.cases:
            rows[case["outcome"]].append(html_row(case))
        about = "".join(f"<tr><th>{html.escape(str(key))}<td>{html.escape(str(value))}"
                        for key, value in {"QEMU": self.qemu, **self.about}.items())
        suites = "".join(
            f"<tr><td>{html.escape('/'.join(suite[word] for word in ('board', 'series', 'suite') if suite[word]))}"
            f"<td>{' '.join(f'{count} {outcome}' for outcome, count in self.counts(self.of(suite)).items())}"
            f"<td class=n>{suite['seconds']:.1f} s<td><a href=\"{html.escape(suite['log'])}\">console</a>"
            for suite in self.distinct_suites())
        title = f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped"
        return (f"<!DOCTYPE html><meta charset=utf-8><title>{title}</title><style>{STYLE}</style><h1>{title}</h1>"
                f"<table>{about}</table><h2>Suites</h2><table>{suites}</table><h2>Cases</h2><table>"
                + "".join(row for outcome in rows.values() for row in outcome) + "</table>\n")


STYLE = ("body{font:14px sans-serif;margin:2em}td,th{text-align:left;vertical-align:top;padding:2px 1em 2px 0}"
         "tr.failed td:first-child{color:#b00;font-weight:bold}tr.skipped td{color:#777}.n{text-align:right}"
         "img{max-width:320px;margin-right:8px;image-rendering:pixelated;border:1px solid #999}")


def united(cases):
    """Repeats of one case."""
    if len(cases) == 1:
        return cases[0]
    worst = min(cases, key=lambda case: ("failed", "passed", "skipped").index(case["outcome"]))
    failed = sum(case["outcome"] == "failed" for case in cases)
    why = f"failed in {failed} of {len(cases)} runs: {worst['why']}" if failed else worst["why"]
    return {**worst, "why": why, "repeats": [case["outcome"] for case in cases]}


def relative(path, folder):
    """Again and again: what is relative already stays."""
    return os.path.relpath(path, os.path.abspath(folder)) if os.path.isabs(path) else path


def one_line(words):
    return " ".join(words.split())


def ktap_lines(number, case):
    name = case["case"].replace("#", "-")
    why = one_line(case["why"])
    if case["outcome"] == "skipped":
        return [f"ok {number} {name} # SKIP {why}".rstrip()]
    return [f"# {why}"] * bool(why) + [f"{'not ok' if case['outcome'] == 'failed' else 'ok'} {number} {name}"]


# What XML 1.0 cannot have, not even as a reference.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(words):
    return xml.sax.saxutils.escape(FORBIDDEN.sub("?", words))


def quoted(words):
    return xml.sax.saxutils.quoteattr(FORBIDDEN.sub("?", words))


def junit_counts(cases):
    failed, skipped = (sum(case["outcome"] == outcome for case in cases) for outcome in ("failed", "skipped"))
    return f' tests="{len(cases)}" failures="{failed}" errors="0" skipped="{skipped}"'


def junit_case(suite, case):
    inner = ""
    if case["outcome"] == "failed":
        inner = f'<failure type={quoted(case["result"])} message={quoted(case["why"])}/>'
    elif case["outcome"] == "skipped":
        inner = f'<skipped message={quoted(case["why"])}/>'
    if case["files"]:
        inner += "<system-out>" + text("\n".join(f"[[ATTACHMENT|{path}]]" for path in case["files"])) + "</system-out>"
    return f'<testcase classname={quoted(suite)} name={quoted(case["case"])} time="{case["seconds"] or 0:.2f}">{inner}</testcase>'


def html_row(case):
    seconds = "" if case["seconds"] is None else f"{case['seconds']:.2f} s"
    pictures = "".join(f'<a href="{html.escape(path)}"><img src="{html.escape(path)}" alt="{html.escape(path)}"></a>'
                       for path in case["files"])
    return (f"<tr class={case['outcome']}><td>{case['outcome']}<td>{html.escape(case['name'])}<td class=n>{seconds}"
            f"<td>{html.escape(case['why'])}{'<br>' * bool(pictures)}{pictures}\n")


# ---- shards ------------------------------------------------------------------------------------


def shard_of(units, words):
    """Those of a list that belong to a shard "I/N", counted from 1: every Nth by the order of names, whoever asks."""
    number, count = (int(word) for word in words.split("/"))
    return sorted(units)[number - 1::count]


def is_shard(words):
    match = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", words)
    return bool(match) and int(match[1]) <= int(match[2])


def read(folder):
    with open(os.path.join(folder, NAMES[0]), encoding="utf-8") as file:
        read_in = json.load(file)
    if read_in.get("format") != FORMAT:
        raise Merging(f"{folder}/{NAMES[0]} is of another format: {read_in.get('format')}")
    for thing in read_in["suites"]:
        thing["log"] = os.path.join(os.path.abspath(folder), thing["log"])
    for thing in read_in["cases"]:
        thing["files"] = [os.path.join(os.path.abspath(folder), path) for path in thing["files"]]
    return read_in


def merge(folders, expected=()):
    """(Report, complaints)"""
    report, seen, complaints = Report(), {}, []
    for folder in folders:
        shard = read(folder)
        report.qemu = report.qemu or shard["qemu"]
        if shard["qemu"] != report.qemu:
            complaints.append(f"{folder} was run by QEMU {shard['qemu']}, others by {report.qemu}")
        report.suites += shard["suites"]
        report.about.update({f"{key} of {os.path.basename(os.path.abspath(folder))}": value
                             for key, value in shard["about"].items()})
        for case in shard["cases"]:
            if case["name"] in seen:
                complaints.append(f"{case['name']} is in {seen[case['name']]} and in {folder}")
            else:
                seen[case["name"]] = folder
                report.cases.append(case)
    complaints += [f"{name} is missing" for name in expected if name not in seen]
    return report, complaints


def main():
    parser = argparse.ArgumentParser(prog=os.environ.get("PIXMILL_COMMAND"), description=__doc__.splitlines()[0])
    parser.add_argument("--expect", metavar="FILE", help="names of cases that must be there, one a line")
    parser.add_argument("out", metavar="OUT", help="a folder")
    parser.add_argument("folders", metavar="IN", nargs="+", help="a folder with results.json")
    args = parser.parse_args()
    try:
        wanted = []
        if args.expect:
            with open(args.expect, encoding="utf-8") as file:
                wanted = [line.strip() for line in file if line.strip() and not line.startswith("#")]
        report, complaints = merge(args.folders, wanted)
        os.makedirs(args.out, exist_ok=True)
        report.write(args.out)
    except (OSError, ValueError, KeyError) as error:
        print(f"pixmill: {error}", file=sys.stderr)
        return 2
    for complaint in complaints:
        print(f"pixmill: {complaint}", file=sys.stderr)
    counts = report.counts()
    print(counts_line(counts))
    return 1 if complaints or counts["failed"] else 0
