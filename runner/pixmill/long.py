# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the tests that take hours, in parts: scripts/test --long. Parts that have finished for the same commit are not repeated, so
an interrupted run can be continued."""

import collections
import dataclasses
import glob
import json
import os
import re
import shutil
import subprocess
import textwrap
import unittest.mock

from pixmill import archive, boards, counts, judge
from pixmill.bench import SEARCHED
from pixmill.failure import Failure, Status
from pixmill.places import OUT, REPO, SCRIPTS, SUITES, WORK, command_name, qemu_base, qemu_bases
from pixmill.processes import die_with_parent
from pixmill.scheduler import Job, Report, Scheduler, tail
from pixmill.stages import BUILD, PYTHON, QTEST, Plan, Stages, one_case, output_of, sanitized_qemu, suites_that_run

Part = collections.namedtuple("Part", "amount what")

PARTS = {
    "random": Part("1", "rounds of all random tests of unit, qtest and sanitize, each with a new seed"),
    "fuzz": Part("1e8", "executions of the fuzzers of the cores, in total, under sanitizers"),
    "streams": Part("1e5", "mutated migration streams, loaded by a QEMU with sanitized devices"),
    "programs": Part("1e4", "random programs of 500 steps on that QEMU"),
    "snapshots": Part("1e4", "round trips through a snapshot inside a running scene"),
    "latency": Part("600", "seconds of search on each engine for draws that are slow to interrupt"),
    "asked": Part("1", "rounds of the guest suites that run only if named, such as piglit and glmark2, and of all patterns of display"),
    "sharing": Part("10000", "rounds of buffers shared between etnaviv and each display, without a leak, on sabrelite"),
    "load": Part("10", "runs of all guests, ten guests at a time"),
    "viewer": Part("80000", "events of a VNC viewer on each machine that has a display, at a load of twenty"),
    "restarts": Part("1000", "reloads of etnaviv, and as many MMU faults, on am57xx, in eight guests at a time"),
    "bases": Part("1", "rounds of the patches' tests, of qtest, and of libdrm on sabrelite, on each QEMU except the one that "
                  "QEMU_BASE chooses"),
    "kernels": Part("1", "rounds of all guest suites on all kernels except each board's first, with the archive's current "
                    "packages"),
    "aarch64": Part("1", "rounds of all unit tests with all random tests, cross-compiled, each with a new seed"),
    "memory": Part("24", "hours of random programs in one QEMU, on two machines with both workers: memory, threads and open "
                         "files must not grow"),
}

FIGURES = re.compile(r"(?m)^figures: (.*)$")  # printed by test programs that count their work
MACHINES = 16  # with and without a worker thread; see fuzzed_machines() in tests/qtest/random_program.cpp
STREAMS_A_CASE = 8
PIECE = 600  # seconds per run of a fuzzer; the next run continues from the stored corpus
GUESTS_AT_ONCE = 10
LOAD = 20  # runnable processes
ASKED = (("sabrelite", ["piglit", "glmark2", "glmark2-rates", "compositor", "desktop-show", "desktop-x", "desktop-rates",
                        "display"]),
         ("geode-lx", ["rendercheck-all"]))


def help_text():
    rows = "\n".join(textwrap.fill(part.what, 80, initial_indent=f"  {name + '=' + part.amount:15} ", subsequent_indent=" " * 18)
                     for name, part in PARTS.items())
    return f"""Parts of --long (all of them take days), with their default AMOUNTs:

{rows}

{command_name('test')} --long streams=1000 memory=0.1 takes minutes. The parts with a load slow
down everything else on the host.
A finished part is skipped until the commit, the amount or the seed changes;
--again repeats it. PIXMILL_SEED=N sets the seed. Figures: out/long/figures."""


def amounts(words):
    """Parses words PART[=AMOUNT]; returns {part: amount}, with all parts if `words` is empty."""
    found = {}
    for word in words:
        name, _, amount = word.partition("=")
        if name not in PARTS:
            raise Failure(Status.USAGE, f"--long has no part {name}", f"it has: {' '.join(PARTS)}")
        if "=" in word and not re.fullmatch(r"\d+(\.\d+)?(e\d)?", amount):
            raise Failure(Status.USAGE, f"{word}: {amount} is not an amount", f"see {command_name('test')} --help")
        found[name] = amount or PARTS[name].amount
    return found or {name: part.amount for name, part in PARTS.items()}


def whole(amount, divisor=1):
    """Returns amount / divisor, rounded up, at least 1."""
    return max(1, -(-int(float(amount)) // divisor))


class State:
    """The finished parts, stored in out/long/state.json."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "state.json")
        self.commit = output_of(os.path.join(SCRIPTS, "qemu", "version"))
        self.dirty = bool(output_of("git", "-c", "safe.directory=*", "-C", REPO, "status", "--porcelain", "-uno"))  # not a commit
        try:
            with open(self.path, encoding="utf-8") as file:
                self.done = json.load(file)
        except (OSError, ValueError):
            self.done = {}

    def has(self, part, amount):
        return not self.dirty and self.done.get(part, {}).get("of") == [self.commit, amount, os.environ.get("PIXMILL_SEED", "1")]

    def note(self, part, amount, figures, report):
        self.done[part] = {"of": [self.commit, amount, os.environ.get("PIXMILL_SEED", "1")], "figures": figures,
                           "counts": report.counts()}
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.done, file, indent=1)
        os.replace(self.path + ".new", self.path)


class Long:
    """Runs parts one after the other; the jobs of a part run in parallel."""

    def __init__(self, wanted, again):
        self.wanted, self.again = wanted, again
        self.folder = os.path.join(OUT, "long")
        os.makedirs(self.folder, exist_ok=True)
        self.state, self.total = State(self.folder), Report()

    def run(self):
        for part, amount in self.wanted.items():
            if self.state.has(part, amount) and not self.again:
                print(f"{part}={amount} is finished already (--again repeats it): "
                      f"{'; '.join(self.state.done[part]['figures'])}", flush=True)
                continue
            print(f"== {part}={amount}: {PARTS[part].what}", flush=True)
            report, figures = getattr(self, part)(amount)
            self.total.add(report)
            if report.passed and not report.failed:  # a part that skipped everything is not finished
                self.state.note(part, amount, figures, report)
            with open(os.path.join(self.folder, "figures"), "a", encoding="utf-8") as file:
                for line in figures or ["no figures"] * bool(report.failed):
                    print(f"{part}: {line}", flush=True)
                    file.write(f"{self.state.commit} {part}={amount}: {line}\n")
        print(counts.line(self.total.counts()))
        return self.total.status()

    # ---- helpers --------------------------------------------------------------------------

    def scheduler(self, part, **more):
        shutil.rmtree(os.path.join(self.folder, part), ignore_errors=True)  # so as not to count logs of an earlier run
        return Scheduler(os.path.join(self.folder, part), tell=lambda text: print(text, flush=True), **more)

    def suites(self, part, names, random=None, environment=None, **more):
        """Runs suites of scripts/test, with all their random tests."""
        scheduler = self.scheduler(part, timeout=float("inf"))  # guests have their own limits; all random tests take hours
        random = {name: random or {} for name in ("unit", "qtest", "sanitize", "sanitize-qemu", "aarch64")}
        settings = {"boards": boards.names(), "series": [], "only": [], "thorough": True, "coverage": False, "fuzz_seconds": 0, **more}
        plan = Plan(results=scheduler.logs, suites=names, random=random, **settings)
        with unittest.mock.patch.dict(os.environ, environment or {}):
            stages = Stages(plan, scheduler)
            for name in names:
                getattr(stages, name)()
            scheduler.run()
        report = scheduler.total()
        return report, [counts.line(report.counts())]

    def play(self, part, jobs, test_filter, sanitized, **environment):
        """Runs the tests of tests/qtest that match the filter, in `jobs` parallel shards. They print "figures: ..."."""
        scheduler = self.scheduler(part)
        stages = Stages(Plan(scheduler.logs, [], [], [], [], True, False, {}, 0), scheduler)
        needs = [stages.core(), stages.sanitized("arm") if sanitized else stages.qemu("arm")]
        for number in range(jobs):
            scheduler.add(Job(f"{part}-{number + 1}", part, [QTEST, f"--gtest_filter={test_filter}"], needs=tuple(needs), judge=by_figures,
                              timeout=float("inf"), environment={
                                  **environment, "PIXMILL_QEMU": sanitized_qemu("arm") if sanitized else boards.qemu("arm"),
                                  "GTEST_TOTAL_SHARDS": str(jobs), "GTEST_SHARD_INDEX": str(number),
                                  "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}))
        scheduler.run()
        report = scheduler.total()
        if not report.passed and not report.failed:
            report.failed.append(f"{part}: no test matches {test_filter}")
        return report, figures_in(scheduler.logs, part)

    # ---- the parts ------------------------------------------------------------------------

    def random(self, amount):
        return self.rounds("random", ["unit", "qtest", "sanitize"], amount)

    def aarch64(self, amount):
        return self.rounds("aarch64", ["aarch64"], amount, {"AARCH64_ALL": "1"})

    def rounds(self, part, names, amount, environment=None):
        """Runs all random tests of these suites `amount` times, each time with a new seed."""
        report, figures, first = Report(), [], int(os.environ.get("PIXMILL_SEED", "1"), 0)
        for seed in range(first, first + whole(amount)):
            found, said = self.suites(f"{part}-{seed}", names, {"PIXMILL_SMOKE": "1", "PIXMILL_SEED": str(seed)}, environment)
            report.add(found)
            figures += [f"seed {seed}: {line}" for line in said]
        return report, figures

    def asked(self, amount):
        report, figures = Report(), []
        for number in range(whole(amount)):
            for board, only in ASKED:
                found, said = self.suites(f"asked-{number + 1}-{board}", ["guest"], environment={"PIXMILL_PIECE": "1/1"}, boards=[board],
                                          only=only, series=boards.board(board).kernels()[:1])
                report.add(found)
                figures += [f"run {number + 1}, {board}: {line}" for line in said]
        return report, figures

    def sharing(self, amount):
        report, said = self.suites("sharing", ["guest"], environment={"PIXMILL_POINTS": str(whole(amount))}, boards=["sabrelite"],
                                   only=["sharing"], series=boards.board("sabrelite").kernels())
        return report, [f"{whole(amount)} rounds: {line}" for line in said]

    def bases(self, amount):
        report, figures, chosen = Report(), [], qemu_base()
        for base in qemu_bases():
            for number in range(1, whole(amount) + 1) if base != chosen else ():
                environment = {"pixmill_qemu_base": base}
                for found, said in (self.patches(f"bases-{base}-patches", environment),
                                    self.suites(f"bases-{base}-qtest", ["qtest"], {"PIXMILL_SMOKE": "10"}, environment),
                                    self.suites(f"bases-{base}-guest", ["guest"], environment=environment, boards=["sabrelite"],
                                                only=["libdrm"], series=boards.board("sabrelite").kernels()[:1])):
                    report.add(found)
                    figures += [f"QEMU {base}, run {number}: {line}" for line in said]
        return report, figures

    def kernels(self, amount):
        report, figures = Report(), []
        for board, series in other_kernels():
            part = f"kernels-{board.name}-{series}"
            found, only = self.newest(part, board, series)
            report.add(found)
            for number in range(1, whole(amount) + 1) if only else ():
                found, said = self.suites(f"{part}-{number}", ["guest"], boards=[board.name], series=[series], only=only)
                report.add(found)
                figures += [f"{board.name}, {series}, run {number}: {line}" for line in said]
        return report, figures

    def newest(self, part, board, series):
        """Fetches the current packages for the suites that the board's first series runs. Returns (Report, names of
        the suites that can run). The other suites are reported as skipped, in one line, because packages are missing
        or differ in version from those in the lists of expected failures."""
        suites = {name: judge.Suite(os.path.join(SUITES, name)) for name in suites_that_run(board)}
        suites = {name: suite for name, suite in suites.items() if not suite.waits_to_be_asked(board.kernels()[0])}
        report = self.fetched(part, board, series, "fetch")
        if report.failed or report.skipped:
            return report, []
        for userland in sorted({name for suite in suites.values() for name in suite.all("userland")}):
            found = self.fetched(part, board, series, "userland", userland)
            report.add(found)
            if found.failed or found.skipped:
                suites = {name: suite for name, suite in suites.items() if userland not in suite.all("userland")}
        return report, list(suites)

    def fetched(self, part, board, series, script, *names):
        name = "-".join([part, script, *names])
        scheduler = self.scheduler(name)
        scheduler.add(Job(name, "prepare", [os.path.join(SCRIPTS, "guest", script), board.name, series, *names, "--newest"],
                          judge=archive.judging(f"{board.name}, {series}", "-".join([board.guest_folder(series), *names]),
                                                board.expected_versions(series))))
        scheduler.run()
        return scheduler.total()

    def patches(self, part, environment):
        """Runs the tests that Pixmill's patches add to QEMU."""
        scheduler = self.scheduler(part)
        scheduler.add(Job(part, "patches", [os.path.join(SCRIPTS, "qemu", "build"), "--tests", "arm"], environment=environment,
                          judge=one_case, timeout=float("inf")))
        scheduler.run()
        return scheduler.total(), [counts.line(scheduler.total().counts())]

    def load(self, amount):
        """Checks that verdicts do not depend on the host's load: a case that fails under load must also fail on a quiet host."""
        runs = [f"run-{number}" for number in range(1, whole(amount) + 1)]
        report, found = self.guests("load", runs, [], processors=GUESTS_AT_ONCE)
        return report, [f"{name} of {amount}: {line}" for name, line in found.items()]

    def viewer(self, amount):
        report, found = self.guests("viewer", ["viewer"], ["x11-viewer", "framebuffer-viewer", "viewer"], load=LOAD,
                                    PIXMILL_EVENTS=str(whole(amount)))
        return report, [f"at a load of {LOAD}: {line}" for line in found.values()]

    def restarts(self, amount):
        """Restarts the cores in several guests. The guests themselves are the load, since a reload takes a second of
        CPU time; each has two CPUs and a worker thread."""
        runs = [f"run-{number}" for number in range(1, 5)]  # each on both kernels
        report, found = self.guests("restarts", runs, ["restarts"], processors=2 * len(runs), PIXMILL_POINTS=str(whole(amount, 2 * len(runs))))
        return report, [f"{run}: {line}" for run, line in found.items()]

    def guests(self, part, runs, only, load=0, processors=None, **environment):
        """Runs guest suites several times; returns (Report, {run: counts}). Builds everything before the load
        starts, since builds would take hours under load."""
        report, scheduler, jobs = self.guests_made(), self.scheduler(part, processors=processors, timeout=float("inf")), []
        for run in runs:
            guests = Scheduler(os.path.join(scheduler.logs, run))
            with unittest.mock.patch.dict(os.environ, environment):
                Stages(guests_plan(guests.logs, only), guests).guest()
            for at, job in enumerate(job for job in guests.waiting if job.stage == "guest"):
                jobs.append((at, dataclasses.replace(job, name=f"{run}/{job.name}", needs=(), after=(),
                                                     environment={**job.environment, **environment})))
        scheduler.add(*(job for _, job in sorted(jobs, key=lambda job: job[0])))  # the longest first
        with busy_loops(load):
            scheduler.run()
        report.add(scheduler.total())
        return report, {run: counts.line(found.counts()) for run, found in by_folder(scheduler.ended).items()}

    def guests_made(self):
        """Builds everything for the guests."""
        scheduler = self.scheduler("guests-made")
        Stages(guests_plan(scheduler.logs, []), scheduler).guest()
        scheduler.waiting = [job for job in scheduler.waiting if job.stage in ("build", "prepare")]
        scheduler.run()
        return scheduler.total()

    def streams(self, amount):
        return self.play("streams", os.cpu_count() or 1, "On/FuzzStreams.*", True,
                         PIXMILL_CASES=str(whole(amount, STREAMS_A_CASE * MACHINES)))

    def programs(self, amount):
        return self.play("programs", os.cpu_count() or 1, "On/FuzzPrograms.*", True, PIXMILL_CASES=str(whole(amount, MACHINES)))

    def snapshots(self, amount):
        """Divides the amount among four tests, for two scenes, each with and without a worker thread."""
        return self.play("snapshots", os.cpu_count() or 1, "*RoundTrips.*", False, PIXMILL_CASES=str(whole(amount, 4)))

    def memory(self, amount):
        """Runs four tests in parallel, for two machines, each with and without a worker thread."""
        return self.play("memory", 4, "*Soak.*", False, PIXMILL_HOURS=amount)

    def latency(self, amount):
        """Runs a program for each engine; it prints the worst draw of each kind."""
        scheduler = self.scheduler("latency")
        names = [f"pixmill-latency-{engine}" for engine in SEARCHED]
        scheduler.add(Job("build", "build", [BUILD, "bench", *(f"tests/bench/{name}" for name in names)]), *(
            Job(name, "latency", [os.path.join(WORK, "bench", "tests", "bench", name), str(whole(amount)),
                                  os.environ.get("PIXMILL_SEED", "1")], needs=("build",), timeout=float("inf"), judge=one_case)
            for name in names))
        scheduler.run()
        return scheduler.total(), [f"{os.path.basename(path).removesuffix('.log')}: {worst_of(path)}"
                                   for path in sorted(glob.glob(os.path.join(scheduler.logs, "pixmill-latency-*.log")))]

    def fuzz(self, amount):
        """Runs the fuzzers repeatedly; each run continues from the stored corpus."""
        wanted, executions, report = whole(amount), 0, Report()
        while executions < wanted and not report.failed:
            found, _ = self.suites("fuzz", ["fuzz"], fuzz_seconds=PIECE * (os.cpu_count() or 1))
            report.add(found)
            now = executed(os.path.join(self.folder, "fuzz", "fuzz"))
            if not now:
                report.failed.append("the fuzzers did not execute anything")
            executions += now
            print(f"  {executions} executions", flush=True)
        return report, [f"{executions} executions of the cores' fuzzers"]


def other_kernels():
    """Returns (board, series) for all series except each board's default. Of these, scripts/test runs few or no
    suites."""
    return [(board, series) for board in map(boards.board, boards.names()) for series in board.kernels(asked=True)[1:]]


def guests_plan(folder, only):
    return Plan(results=folder, boards=boards.names(), series=[], only=only, suites=["guest"], thorough=False, coverage=False, random={},
                fuzz_seconds=0)


def by_folder(ended):
    """Groups jobs by the part of their names before "/"; returns {part: Report of these jobs}."""
    found = {}
    for name in sorted(ended):
        found.setdefault(name.partition("/")[0], Report()).add(ended[name].report)
    return found


def executed(folder):
    """Returns the number of executions in the fuzzers' last run, without the toy fuzzer, which is much faster."""
    total = 0
    for path in glob.glob(os.path.join(folder, "*.log")):
        if "toy-fuzz" not in path:
            with open(path, encoding="utf-8", errors="replace") as file:
                total += sum(map(int, re.findall(r"(?m)^stat::number_of_executed_units: (\d+)", file.read())))
    return total


def by_figures(log, status):
    """Judges a test program. It fails if it ran tests but printed no figures, or if a figure is 0."""
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    figures = FIGURES.findall(text)
    ran = re.search(r"\[==========\] Running [1-9]", text)
    if status or ran and not figures or any(figure.startswith("0 ") for figure in figures):
        return Report(failed=[f"{os.path.basename(log)} (status {status}){tail(log, 40)}"])
    return Report(passed=len(figures))


def figures_in(folder, part):
    found = []
    for path in sorted(glob.glob(os.path.join(folder, f"{part}-*.log"))):
        with open(path, encoding="utf-8", errors="replace") as file:
            found += FIGURES.findall(file.read())
    return found


def worst_of(path):
    """Returns the result line of a search for slow draws."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return next((line.strip() for line in file if line.startswith("worst:")), "no figure")


def runnable():
    """Returns the number of runnable tasks on the host."""
    with open("/proc/loadavg", encoding="ascii") as file:
        return int(file.read().split()[3].partition("/")[0])


class busy_loops:  # pylint: disable=invalid-name
    """Runs busy loops to raise the host's load to `load` runnable tasks."""

    def __init__(self, load):
        self.load, self.programs = load, []

    def __enter__(self):
        missing = max(0, self.load - runnable())
        self.programs = [subprocess.Popen([PYTHON, "-c", "while True: pass"], preexec_fn=die_with_parent) for _ in range(missing)]

    def __exit__(self, *_):
        for program in self.programs:
            program.kill()
            program.wait()


def main(args):
    return Long(amounts(args.suites), args.again).run()
