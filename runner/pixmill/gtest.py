# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes jobs that run test programs: GoogleTest programs, in shards that run in parallel, and other programs in
Meson's list."""

import json
import os
import subprocess

from pixmill.scheduler import Job, Report, tail

SKIPPED = 77  # exit status, as in Meson and Automake


def jobs(stage, name, command, logs, parts=1, environment=None, needs=(), nice=0, folder=None, processors=1):
    """Yields a job for each shard of a GoogleTest program, whose cases must be independent. Results are stored next to the logs."""
    ran = []  # the number of cases of each finished shard
    for part in range(parts):
        title = f"{stage}/{name.replace(', ', '-')}" + (f"-{part + 1}" if parts > 1 else "")
        results = os.path.join(logs, f"{title}.json")

        def judge(log, status, results=results):
            found = report(name, results, log, status)
            ran.append(sum(found.counts().values()))
            if len(ran) == parts and not any(ran) and "GTEST_FILTER" not in os.environ:  # the user's filter may exclude a program
                found.failed.append(f"{name}: no test matches {(environment or {}).get('GTEST_FILTER', '*')}")
            return found

        yield Job(title, stage, command, needs=needs, nice=nice, folder=folder, processors=processors, judge=judge, environment={
            **(environment or {}), "GTEST_TOTAL_SHARDS": str(parts), "GTEST_SHARD_INDEX": str(part),
            "GTEST_OUTPUT": f"json:{results}"})


def report(name, results, log, status):
    """Returns the report of one shard."""
    found = cases(name, results)
    if status == SKIPPED and not (found and found.passed):
        return Report(skipped=[f"{name}: see {log}"])
    if found is None:
        return Report(failed=[f"{name} ended with status {status} and left no complete results{tail(log)}"])
    if status != 0 and not found.failed:
        found.failed.append(f"{name} ended with status {status}{tail(log)}")
    return found


def of_program(name, log, status):
    """Returns the report of a program that is a single case."""
    if status == SKIPPED:
        return Report(skipped=[f"{name}: see {log}"])
    return Report(failed=[f"{name} ended with status {status}{tail(log)}"]) if status else Report(passed=1)


def cases(name, results):
    """Returns a report of the cases in a GoogleTest result file; None if it is missing or incomplete."""
    found = Report()
    try:
        with open(results, encoding="utf-8") as file:
            suites = json.load(file)["testsuites"]
    except (OSError, ValueError, KeyError):
        return None
    for suite in suites:
        for case in suite["testsuite"]:
            title = f"{name}: {suite['name']}.{case['name']}"
            if case.get("failures"):
                said = case["failures"][0]["failure"].strip().splitlines()[:20]
                found.failed.append(title + "".join(f"\n      | {line}" for line in said))
            elif case["result"] == "SKIPPED" or case["status"] == "NOTRUN":
                found.skipped.append(title)
            else:
                found.passed += 1
    return found


def meson_tests(python, build):
    """Returns Meson's list of the tests in a build folder: dictionaries with name, protocol, cmd, env, workdir."""
    listed = subprocess.run([python, "-m", "mesonbuild.mesonmain", "introspect", "--tests", build], check=True,
                            stdout=subprocess.PIPE).stdout
    return json.loads(listed)
