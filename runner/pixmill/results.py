# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the results of runs as results.json (complete), results.ktap, junit.xml, and report.html (report.py). Merges the results
of shards: scripts/results.
"""

import collections
import json
import os
import re
import sys
import time
import xml.sax.saxutils

from pixmill import expectations, report as pages
from pixmill.counts import line as counts_line
from pixmill.failure import WEIGHT, Status, Usage, heaviest, writing
from pixmill.options import Parser
from pixmill.places import command_name

FORMAT = 1
LOG_LINES = 50
ORDER = ("failed", "passed", "skipped")
NAMES = ("results.json", "results.ktap", "junit.xml", "report.html")
WHERE = "        results: {}/report.html, results.ktap, junit.xml, results.json"


class Merging(Usage):
    """Raised for results that cannot be read."""


def tail_of(path, count=LOG_LINES):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return [line.rstrip() for line in collections.deque(file, count)]
    except OSError:
        return []


class Report:
    """All cases of a run; `suites` and `cases` have the form of results.json."""

    def __init__(self):
        self.suites, self.cases = [], []
        self.about = {}  # properties of the run
        self.parts = []  # the properties of each merged run, with its folder's name as "name"
        self.qemu = ""

    def add(self, board, series, suite, cases, seconds=0.0, log=""):
        place = {"board": board, "series": series, "suite": suite}
        self.suites.append({**place, "seconds": round(seconds, 2), "log": log and os.path.abspath(log),
                            "when": int(time.time() - seconds), "failed": any(case.outcome == "failed" for case in cases)})
        for case in cases:
            self.cases.append({**place, "case": case.name.replace(" ", "-"),
                               "name": expectations.full_name(board, series, suite, case.name), "outcome": case.outcome,
                               "result": case.result, "why": case.why, "seconds": case.seconds,
                               "expected": case.expected, "log": case.log and os.path.abspath(case.log),
                               "files": list(map(os.path.abspath, case.files))})

    def unite_repeats(self):
        """Merges repeats of a case into one, which failed if any of them failed."""
        found = {}
        for case in self.cases:
            found.setdefault(case["name"], []).append(case)
        self.cases = [united(cases) for cases in found.values()]

    def counts(self, of=None):
        counted = collections.Counter(case["outcome"] for case in (self.cases if of is None else of))
        return {outcome: counted[outcome] for outcome in ("passed", "failed", "skipped")}

    def write(self, folder, qemu=None):
        """Writes all formats to the folder, and makes paths relative to the folder."""
        self.qemu = self.qemu if qemu is None else qemu
        for suite in self.suites:
            suite["tail"] = suite.get("tail") or tail_of(suite["log"])  # read it now, as a later boot may overwrite the log
            suite["log"] = relative(suite["log"], folder)
        for case in self.cases:
            case["files"] = [relative(path, folder) for path in case["files"]]
            case["log"] = relative(case.get("log", ""), folder)
        for name, content in zip(NAMES, (self.json(), self.ktap(), self.junit(), pages.page(self, folder))):
            with writing(os.path.join(folder, name + ".new"), "w", encoding="utf-8", errors="replace") as file:
                file.write(content)
            os.replace(os.path.join(folder, name + ".new"), os.path.join(folder, name))

    def of(self, suite):
        key = [suite[word] for word in ("board", "series", "suite")]
        return [case for case in self.cases if [case[word] for word in ("board", "series", "suite")] == key]

    def distinct_suites(self):
        """Returns each suite once, with the total time of all its runs. The other properties are those of the first
        failed run, if there is one."""
        found = {}
        for suite in self.suites:
            found.setdefault((suite["board"], suite["series"], suite["suite"]), []).append(suite)
        return [{**next((suite for suite in runs if suite.get("failed")), runs[0]), "seconds": sum(suite["seconds"] for suite in runs),
                 "logs": list(dict.fromkeys(suite["log"] for suite in runs))} for runs in found.values()]

    # ---- the formats ------------------------------------------------------------------------

    def json(self):
        return json.dumps({"format": FORMAT, "qemu": self.qemu, "about": self.about, "counts": self.counts(),
                           **({"parts": self.parts} if self.parts else {}), "suites": self.suites, "cases": self.cases}, indent=1) + "\n"

    def ktap(self):
        """Returns the results in the format of linux Documentation/dev-tools/ktap.rst."""
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


def united(cases):
    """Merges repeats of one case; the worst outcome counts."""
    if len(cases) == 1:
        return cases[0]
    worst = min(cases, key=lambda case: ORDER.index(case["outcome"]))
    failed = sum(case["outcome"] == "failed" for case in cases)
    why = f"failed in {failed} of {len(cases)} runs: {worst['why']}" if failed else worst["why"]
    return {**worst, "why": why, "repeats": [case["outcome"] for case in cases]}


def relative(path, folder):
    """Makes an absolute path relative to the folder; does not change a relative path, so it may be called
    repeatedly."""
    return os.path.relpath(path, os.path.abspath(folder)) if os.path.isabs(path) else path


def one_line(words):
    return " ".join(words.split())


def ktap_lines(number, case):
    name = case["case"].replace("#", "-")
    why = one_line(case["why"])
    if case["outcome"] == "skipped":
        return [f"ok {number} {name} # SKIP {why}".rstrip()]
    return [f"# {why}"] * bool(why) + [f"{'not ok' if case['outcome'] == 'failed' else 'ok'} {number} {name}"]


# Characters that XML 1.0 forbids, even as character references.
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


# ---- shards ------------------------------------------------------------------------------------


def shard_of(units, words):
    """Returns the part of a list that belongs to shard "I/N": every Nth item in the order of names, starting with
    the Ith."""
    number, count = (int(word) for word in words.split("/"))
    return sorted(units)[number - 1::count]


def is_shard(words):
    match = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", words)
    return bool(match) and int(match[1]) <= int(match[2])


def read(folder):
    """Reads a run's results.json, with absolute paths. Results of older versions lack some fields."""
    path = os.path.join(folder, NAMES[0])
    if not os.path.isdir(folder):
        raise Merging(f"there is no folder {folder}")
    if not os.path.exists(path):
        raise Merging(f"{folder} has no {NAMES[0]}: it is not from a run, or the run was interrupted")
    try:
        with open(path, encoding="utf-8") as file:
            read_in = json.load(file)
        if read_in.get("format") != FORMAT:
            raise Merging(f"{path} has an unknown format: {read_in.get('format')}")
        for suite in read_in["suites"]:
            suite["log"] = whole_path(folder, suite["log"])
            suite["seconds"], suite["when"], suite["tail"] = float(suite["seconds"]), int(suite["when"]), list(suite["tail"])
            require_words(suite, "board", "series", "suite")
        for case in read_in["cases"]:
            case["files"] = [whole_path(folder, name) for name in case["files"]]
            case["log"] = whole_path(folder, case.get("log", ""))
            require_words(case, "board", "series", "suite", "case", "name", "outcome", "result", "why")
            case["seconds"] = None if case["seconds"] is None else float(case["seconds"])
            ORDER.index(case["outcome"])
        require_words(read_in, "qemu")
        read_in["about"] = dict(read_in["about"])
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Merging(f"{path} is damaged: {type(error).__name__} {error}") from error
    return read_in


def whole_path(folder, path):
    return path and os.path.join(os.path.abspath(folder), path)


def require_words(thing, *names):
    for name in names:
        if not isinstance(thing[name], str):
            raise TypeError(f"{name} is not a string")


def shards_in(results):
    return {part.get("shard") for part in results.get("parts") or [results["about"]]} - {None}


def are_shards(one, other, case):
    """True if both results may contain the case, because they are shards that split the programs of a run."""
    found = shards_in(one), shards_in(other)
    return (case["suite"], case["case"]) == ("program", "run") and all(found) and not found[0] & found[1]


def merge(folders, expected=()):
    """Merges the results of shards; returns (Report, complaints)."""
    report, seen, complaints = Report(), {}, []
    for folder in folders:
        shard = read(folder)
        report.qemu = report.qemu or shard["qemu"]
        if shard["qemu"] != report.qemu:
            complaints.append(f"{folder} comes from QEMU {shard['qemu']}, others from {report.qemu}")
        report.suites += shard["suites"]
        name = os.path.basename(os.path.abspath(folder))
        report.about.update({f"{key} of {name}": value for key, value in shard["about"].items()})
        report.parts += shard.get("parts") or [{"name": name, **shard["about"]}]
        for case in shard["cases"]:
            others = seen.setdefault(case["name"], [])
            twice = next((there for there, other, _ in others if not are_shards(other, shard, case)), None)
            if twice:
                complaints.append(f"{case['name']} is in {twice} and in {folder}")
                continue
            others.append((folder, shard, case))
    report.cases = [min((case for _, _, case in found), key=lambda case: ORDER.index(case["outcome"])) for found in seen.values()]
    complaints += [f"{name} is missing" for name in expected if name not in seen]
    complaints += [] if seen else ["no folder has a case: nothing was run"]
    return report, complaints


def ends_of(report, complaints):
    """Returns the exit statuses of the merged runs, as far as they recorded one."""
    failed = report.counts()["failed"]
    ends = [Status.FAILED if str(part.get("verdict", "")).startswith("failed") or part.get("exit status", 0) not in WEIGHT
            else Status(part.get("exit status", 0)) for part in report.parts]  # any other is a program's own status
    if complaints or failed and (not any(ends) or any("exit status" not in part for part in report.parts)):
        ends.append(Status.FAILED)
    return ends


def version_of(words):
    """Returns the first two numbers of a version, such as 10.0; "" if there are none."""
    match = re.match(r"\d+\.\d+", words)
    return match[0] if match else ""


def table(folders):
    """Returns the lines of a Markdown table of how many cases of each suite passed, failed and were skipped, with a column for each
    QEMU, board and kernel."""
    columns, suites = {}, set()
    for folder in folders:
        found = read(folder)
        base, linux = version_of(found["qemu"]), version_of(str(found["about"].get("Linux", "")))
        for case in found["cases"]:
            series = case["series"] if version_of(case["series"]) or not linux else linux
            columns.setdefault((base, case["board"], series), {})[case["suite"], case["case"]] = case["outcome"]
            suites.add(case["suite"])
    rows = [["suite", *(f"{base} {board} {series}" for base, board, series in columns)], ["---"] + ["---:"] * len(columns)]
    for suite in [*sorted(suites), None]:
        rows.append([suite or "all", *(counted(outcome for (name, _), outcome in cases.items() if suite in (None, name))
                                       for cases in columns.values())])
    return ["| " + " | ".join(row) + " |" for row in rows]


def counted(outcomes):
    """Returns PASSED/FAILED/SKIPPED, or "" for a suite that did not run."""
    found = collections.Counter(outcomes)
    return "/".join(str(found[outcome]) for outcome in ("passed", "failed", "skipped")) if found else ""


def names_in(path):
    try:
        with open(path, encoding="utf-8") as file:
            return [line.strip() for line in file if line.strip() and not line.startswith("#")]
    except UnicodeDecodeError as error:
        raise Usage(f"--expect {path} is not UTF-8 text: {error.reason}") from error


HELP = f"""A case's name is BOARD/SERIES/SUITE/CASE, such as
sabrelite/6.12/libdrm/etnaviv_2d_test.
A case that is in the results of two shards is an error, as is a case of
--expect that is in none. If several shards have programs, their cases
program/run, which say whether the programs could run, become one case with the
worst result.

example:
  {command_name('run')} --suite all --shard 1/2 --out results-1
  {command_name('run')} --suite all --shard 2/2 --out results-2
  {command_name('results')} all results-1 results-2
  {command_name('results')} --table out/test/guest-*/

exit status:
  0  all passed
  1  a case failed, exists twice, or is missing
  2  wrong usage, or a folder without results
  3 to 5  that of a shard, see {command_name('run')} --help"""


def options(words=None):
    parser = Parser("results", epilog=HELP, usage=f"{command_name('results')} [--expect FILE] OUT IN...", description=(
        "Merges the results of shards, in the folders IN, into the folder OUT:\nresults.json, results.ktap, junit.xml and "
        "report.html."))
    parser.add_argument("--expect", metavar="FILE", help="read a list of cases that must be present, one per line")
    parser.add_argument("--table", action="store_true", help="print how many cases of each suite passed, failed and were skipped with each "
                        "QEMU, board and kernel (Markdown), and write nothing: IN... only, no OUT")
    parser.add_argument("out", metavar="OUT", help="write the merged results to this folder")
    parser.add_argument("folders", metavar="IN", nargs="*", help="read the results of a shard (results.json) from this folder")
    args = parser.parse_args(words)
    if not args.table and not args.folders:
        parser.error("the following arguments are required: IN")
    return args


def main():
    args = options()
    if args.table:
        print("\n".join(table([args.out, *args.folders])))
        return Status.PASSED
    report, complaints = merge(args.folders, names_in(args.expect) if args.expect else ())
    os.makedirs(args.out, exist_ok=True)
    report.write(args.out)
    for complaint in complaints:
        print(f"pixmill: {complaint}", file=sys.stderr)
    counts = report.counts()
    for part in report.parts:
        if part.get("verdict", "passed") != "passed":
            print(f"        {part['name']}: {part['verdict']}")
    print(WHERE.format(args.out))
    print(counts_line(counts))
    status = heaviest(ends_of(report, complaints))
    verdict = "passed" if status == Status.PASSED else "failed"
    print(f"verdict: {verdict_of(report.parts, status) or verdict} (exit status {status:d})")
    return status


def verdict_of(parts, status):
    """Returns the verdict of the first run that ended with that status, or ""."""
    return next((part["verdict"] for part in parts if part.get("exit status") == status and part.get("verdict")), "")
