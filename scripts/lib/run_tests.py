# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs test programs and counts their cases.

usage: run_tests.py LOGS --meson BUILD              every test that Meson knows
       run_tests.py LOGS --meson BUILD gtest [NAMES [RUNNER...]]
                                                    those of GoogleTest alone, of them only NAMES (a,b,c) if there are
                                                    any, each started by the command RUNNER, an emulator
       run_tests.py LOGS --fuzz SECONDS CORPORA CAPTURED PROGRAM...
                                                    each libFuzzer program for that long: scripts/lib/fuzz.py
       run_tests.py LOGS --gtest NAME PROGRAM       one GoogleTest program

A GoogleTest program counts by its cases, any other program as one (exit status 77: skipped). There are as many
programs at once as processors, and each GoogleTest program in as many parts. Prints what failed or was skipped,
and last the counts.
"""

import concurrent.futures
import functools
import json
import os
import subprocess
import sys

import fuzz


class Report:
    def __init__(self):
        self.passed, self.failed, self.skipped, self.notes = 0, [], [], []

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.notes += other.notes


PROCESSORS = os.cpu_count()
HANGS = 1800  # A program that takes more seconds. With sanitizers, on a busy host, 300 were too few: time decides no test.


def parts(name, command, environment=None, folder=None):
    """Of a GoogleTest program, whose cases depend on nothing but themselves."""
    for part in range(PROCESSORS):
        shard = {"GTEST_TOTAL_SHARDS": str(PROCESSORS), "GTEST_SHARD_INDEX": str(part)}
        yield name, command, {**(environment or {}), **shard}, folder, f"-{part + 1}"


def run(logs, name, command, environment=None, folder=None, part="", timeout=HANGS):
    """Runs one program; its output goes to LOGS/NAME.log."""
    base = os.path.join(logs, name.replace("/", "-").replace(" ", "-") + part)
    results = base + ".json"
    if os.path.exists(results):
        os.unlink(results)
    environment = {**os.environ, **(environment or {}), "GTEST_OUTPUT": f"json:{results}"}
    with open(base + ".log", "wb") as log:
        try:
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                    env=environment, cwd=folder, timeout=timeout, check=False).returncode
            ended = f"ended with status {status}"
        except subprocess.TimeoutExpired:
            status, ended = -1, f"did not end in {timeout} s"
        except OSError as error:
            status, ended = -1, str(error)
    report = cases(name, results)
    if status == 77 and not report.passed:
        report.skipped.append(f"{name}: see {base}.log")
    elif status == 0 and not os.path.exists(results):
        report.passed += 1
    elif status != 0 and not report.failed:
        report.failed.append(f"{name} {ended}\n{tail(base + '.log')}")
    return report


def cases(name, results):
    """The cases in a GoogleTest result file, if there is one."""
    report = Report()
    try:
        with open(results, encoding="utf-8") as file:
            suites = json.load(file)["testsuites"]
    except (OSError, ValueError):
        return report
    for suite in suites:
        for case in suite["testsuite"]:
            title = f"{name}: {suite['name']}.{case['name']}"
            if case.get("failures"):
                said = case["failures"][0]["failure"].strip()
                report.failed.append(f"{title}\n{indent(said)}")
            elif case["result"] == "SKIPPED" or case["status"] == "NOTRUN":
                report.skipped.append(title)
            else:
                report.passed += 1
    return report


def indent(text):
    return "\n".join("      | " + line for line in text.splitlines()[:20])


def tail(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return indent("\n".join(file.read().splitlines()[-15:])) + f"\n      the whole log: {path}"


def meson_tests(build, protocol="", names="", *runner):
    tests = subprocess.run([sys.executable, "-m", "mesonbuild.mesonmain", "introspect", "--tests", build],
                           check=True, stdout=subprocess.PIPE).stdout
    for test in json.loads(tests):
        if protocol not in ("", test["protocol"]) or (names and test["name"] not in names.split(",")):
            continue
        program = test["name"], [*runner, *test["cmd"]], test["env"], test["workdir"]
        if test["protocol"] == "gtest":
            yield from parts(*program)
        else:
            yield program


def fuzz_one(logs, seconds, corpora, captured, program):
    """Two tests: whether the seeds reach what they are there for, and whether nothing is found in that time."""
    job = fuzz.Fuzzer(program, logs, corpora, captured)
    report = run(logs, f"{job.name} seeds", job.seeds_command(), {"PIXMILL_LANDMARKS": "1"})
    report.add(run(logs, job.name, job.command(seconds), timeout=int(seconds) + HANGS))
    report.notes += job.keep(os.path.join(logs, f"{job.name}.log"))
    return report


def main():
    logs, first, *rest = sys.argv[1:]
    os.makedirs(logs, exist_ok=True)
    if first == "--meson":
        jobs = [functools.partial(run, logs, *program) for program in meson_tests(*rest)]
    elif first == "--fuzz":
        jobs = [functools.partial(fuzz_one, logs, *rest[:3], program) for program in rest[3:]]
    elif first == "--gtest":
        jobs = [functools.partial(run, logs, *program) for program in parts(rest[0], rest[1:])]
    else:
        sys.exit(__doc__)
    total = Report()
    with concurrent.futures.ThreadPoolExecutor(PROCESSORS) as pool:
        for report in pool.map(lambda job: job(), jobs):
            total.add(report)
    for note in total.notes:
        print(note)
    for case in total.failed:
        print(f"failed  {case}")
    for case in total.skipped:
        print(f"skipped {case}")
    print(f"{total.passed} passed, {len(total.failed)} failed, {len(total.skipped)} skipped")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
