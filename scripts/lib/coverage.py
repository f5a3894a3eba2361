# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports which lines and branches of hw/ the fuzzers' inputs reach.

usage: coverage.py LOGS CORPORA PROGRAM...    programs of a build with -Dfuzz_coverage=true

Runs the seeds and the stored corpus of each program, prints a table and writes the unreached lines to LOGS/uncovered.txt.
"""

import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

import fuzz

REPO = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))

# No device runs these sources, even if they are linked.
NOT_OF_A_DEVICE = {
    "hw/nema/fragment/disassembler.cpp": "for tools/nema_list",
    "hw/vivante/3d/sh/disassembler.cpp": "for tools/vivante_shader",
}


class Counts:
    """Counts of lines and of branches, each as [reached, total]."""

    def __init__(self):
        self.lines, self.branches = [0, 0], [0, 0]

    def add(self, other):
        for mine, others in ((self.lines, other.lines), (self.branches, other.branches)):
            mine[0] += others[0]
            mine[1] += others[1]

    def row(self, name):
        def share(counts):
            reached, there = counts
            return f"{reached:6} of {there:6} {100 * reached / there if there else 100:6.1f} %"
        return f"{name:40} {share(self.lines)}   {share(self.branches)}"


def read(lcov, files):
    """Adds the execution counts of lines and branches in an lcov file to those in `files`, for sources in hw/."""
    lines = branches = None
    for record in lcov:
        kind, _, rest = record.rstrip("\n").partition(":")
        if kind == "SF":
            name = os.path.relpath(rest, REPO)
            lines, branches = collections.Counter(), collections.Counter()
            if name.startswith("hw/") and name not in NOT_OF_A_DEVICE:
                lines, branches = files.setdefault(name, (lines, branches))
        elif kind == "DA":
            line, count = rest.split(",")[:2]
            lines[int(line)] += int(count)
        elif kind == "BRDA":
            line, block, branch, taken = rest.split(",")
            branches[int(line), block, branch] += 0 if taken == "-" else int(taken)


def coded(profdata):
    """Returns the functions with generated code. Functions that only the compiler evaluates cannot be reached."""
    shown = subprocess.run(["llvm-profdata", "show", "-all-functions", profdata], stdout=subprocess.PIPE, check=True,
                           text=True).stdout
    return set(re.findall(r"^  (\S+):$", shown, re.MULTILINE))


def owners(functions):
    """Returns {source file: {line: True if the innermost function at that line has code}}.

    llvm-cov lists only the lines where functions begin; lines after a lambda belong to the enclosing function again.
    """
    spans = {}
    for coded_one, files, regions in functions:
        first, _, last, *_ = regions[0]
        file = spans.setdefault(files[0], {})
        file[first, last] = file.get((first, last), False) or coded_one
    lines = {}
    for name, spans_of_file in spans.items():
        lines[name] = {}
        for (first, last), coded_one in sorted(spans_of_file.items(), key=lambda span: span[0][0] - span[0][1]):
            lines[name].update(dict.fromkeys(range(first, last + 1), coded_one))
    return lines


def without_uncoded(lcov, lines):
    """Returns the lcov file without lines of functions that have no code."""
    of_file, result = {}, []
    for record in lcov:
        kind, _, rest = record.partition(":")
        if kind == "SF":
            of_file = lines.get(rest, {})
        elif kind in ("DA", "BRDA") and not of_file.get(int(rest.split(",", 1)[0]), True):
            continue
        result.append(record)
    return result


def profile(logs, corpora, program):
    """Runs a fuzzer on its inputs; returns their coverage as lines of an lcov file."""
    job = fuzz.Fuzzer(program, logs, corpora)
    raw, merged = (os.path.join(logs, f"{job.name}.{ending}") for ending in ("profraw", "profdata"))
    with open(os.path.join(logs, f"{job.name}.log"), "wb") as log:
        subprocess.run([program, *fuzz.LIMITS, "-runs=0", *job.inputs()], stdin=subprocess.DEVNULL, stdout=log,
                       stderr=subprocess.STDOUT, env={**os.environ, "LLVM_PROFILE_FILE": raw}, check=True)
    subprocess.run(["llvm-profdata", "merge", "-o", merged, raw], check=True)
    lcov, text = (subprocess.run(["llvm-cov", "export", f"-format={kind}", "-instr-profile", merged, program],
                                 stdout=subprocess.PIPE, check=True, text=True).stdout for kind in ("lcov", "text"))
    there = coded(merged)
    functions = ((function["name"] in there, function["filenames"], function["regions"])
                 for function in json.loads(text)["data"][0]["functions"])
    return without_uncoded(lcov.splitlines(), owners(functions))


def table(files):
    folders, total = {}, Counts()
    for name, (lines, branches) in sorted(files.items()):
        counts = Counts()
        counts.lines = [sum(map(bool, lines.values())), len(lines)]
        counts.branches = [sum(map(bool, branches.values())), len(branches)]
        folders.setdefault(os.path.dirname(name), []).append((os.path.basename(name), counts))
    yield f"{'':40} {'lines':>25}   {'branches':>25}"
    for folder, members in folders.items():
        sum_of = Counts()
        for name, counts in members:
            sum_of.add(counts)
            yield counts.row(f"  {name}")
        total.add(sum_of)
        yield sum_of.row(folder)
    yield total.row("hw")
    for name, why in NOT_OF_A_DEVICE.items():
        yield f"left out: {name} ({why})"
    yield "left out: lines of functions that only the compiler calls (constexpr without code, no input can reach them)"


def uncovered(files):
    for name, (lines, branches) in sorted(files.items()):
        with open(os.path.join(REPO, name), encoding="utf-8") as file:
            source = file.read().splitlines()
        half = {line for (line, _, _), taken in branches.items() if not taken and lines.get(line)}
        for line in sorted(half | {line for line, count in lines.items() if not count}):
            what = "branch" if line in half else "line"
            yield f"{name}:{line}: {what}: {source[line - 1].strip()}"


def main():
    logs, corpora, *programs = sys.argv[1:]
    os.makedirs(logs, exist_ok=True)
    files = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for lcov in pool.map(lambda program: profile(logs, corpora, program), programs):
            read(lcov, files)
    print("\n".join(table(files)))
    rest = os.path.join(logs, "uncovered.txt")
    with open(rest, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in uncovered(files))
    print(f"unreached lines and branches: {rest}")


if __name__ == "__main__":
    main()
