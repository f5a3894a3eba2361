# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs jobs in parallel, as many as the host has CPUs, and records their cost.

A job is a command with a log. Jobs start in the order in which they were added, as soon as the jobs that they need
have succeeded. Jobs on which others depend should therefore be added first. A finished job may add more jobs; the
tests of a build, for example, are known only after the build."""

import collections
import contextlib
import dataclasses
import os
import signal
import subprocess
import time
import typing

from pixmill.counts import OUTCOMES, read
from pixmill.failure import Status, heaviest, of_error, status_of_command, status_of_program, status_of_step
from pixmill.processes import die_with_parent, hear_signals, later_signals
from pixmill.steps import elapsed as clock, progress


@dataclasses.dataclass
class Report:
    """The results of a job: the number of passed cases, the texts of failed and skipped cases, notes, and the exit
    statuses of failures."""

    passed: int = 0
    failed: list = dataclasses.field(default_factory=list)
    skipped: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)
    ends: list = dataclasses.field(default_factory=list)

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.notes += other.notes
        self.ends += other.ends

    def status(self):
        return heaviest(self.ends or [Status.FAILED]) if self.failed else Status.PASSED

    def counts(self):
        return dict(zip(OUTCOMES, (self.passed, len(self.failed), len(self.skipped))))


@dataclasses.dataclass
class Job:
    """A command with a unique name; its log is LOGS/NAME.log.

    judge(log, status) returns a Report. A job without judge() prepares something; it is reported only if it fails.
    then() is called after success, and may return more jobs.
    """

    name: str
    stage: str
    command: list
    needs: tuple = ()  # jobs that must have succeeded
    after: tuple = ()  # jobs that must have ended
    environment: dict = dataclasses.field(default_factory=dict)
    folder: typing.Optional[str] = None
    judge: typing.Optional[typing.Callable] = None
    then: typing.Optional[typing.Callable] = None
    processors: float = 1  # less for a job that mostly waits
    nice: int = 0
    may_fail: bool = False  # true if jobs that need it run even if it fails
    timeout: typing.Optional[float] = None  # seconds; None: that of the scheduler


def tail(log, lines=20):
    """Returns the last lines of a log, formatted for a failure's text."""
    with open(log, encoding="utf-8", errors="replace") as file:
        last = collections.deque(file, lines)
    return "".join(f"\n      | {line.rstrip()}" for line in last) + f"\n      the whole log: {log}"


def by_counts(log, status):
    """Returns the report of a job that prints a line such as "passed  NAME" for each case, and the counts as its last line."""
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    counts = read(text)
    if not counts:
        return Report(failed=[f"{os.path.basename(log).removesuffix('.log')} did not run to its end (status {status}){tail(log)}"],
                      ends=[status_of_command(status) or Status.HOST])
    report, lines = Report(passed=counts["passed"]), text.splitlines()
    if status and not counts["failed"]:
        report.failed.append(f"{os.path.basename(log).removesuffix('.log')} ended with status {status} but counted no failure{tail(log)}")
    for number, line in enumerate(lines):
        outcome, _, rest = line.partition(" ")
        if outcome == "failed" and len(report.failed) < counts["failed"]:
            more = []
            for below in lines[number + 1:number + 21]:
                if not below.startswith("      |"):
                    break
                more.append(below)
            report.failed.append("\n".join([rest.strip(), *more]))
        elif outcome == "skipped" and len(report.skipped) < counts["skipped"]:
            report.skipped.append(rest.strip())
        elif outcome in ("note", "again"):
            report.notes.append(line)
    for outcome, found in (("failed", report.failed), ("skipped", report.skipped)):
        found += [f"a case without a line of its own: {log}"] * (counts[outcome] - len(found))
    report.ends = [status_of_command(status) or Status.FAILED] if report.failed else []
    return report


@dataclasses.dataclass
class Ended:
    """The cost of a finished job, in seconds; `start` and `end` count from the scheduler's start."""

    job: Job
    start: float
    end: float
    processor: float
    status: int
    report: Report


class Scheduler:
    """Runs jobs; tell(text) prints a line."""

    SILENCE = 30  # seconds without output, after which the running jobs are printed

    def __init__(self, logs, tell=print, processors=None, timeout=5400):
        """`timeout`, in seconds, ends jobs that hang. It is too long to affect any other verdict."""
        self.logs, self.tell, self.timeout = logs, tell, timeout
        self.processors = processors or os.cpu_count() or 1
        self.began = time.monotonic()
        self.waiting, self.running, self.ended = [], {}, {}
        self.late = set()  # names of jobs ended by the timeout
        self.busy = 0
        self.idle = 0.0  # CPU seconds without a job
        self.looked, self.shown = self.began, 0.0

    def add(self, *jobs):
        for job in jobs:
            assert job.name not in self.ended and all(job.name != other.name for other in self.waiting), job.name
            self.waiting.append(job)

    def run(self):
        """Runs all jobs until they end. If interrupted, ends the running jobs."""
        try:
            while self.waiting or self.running:
                before = len(self.ended)
                self.start_what_can()
                if self.running:
                    self.reap()
                elif self.waiting and len(self.ended) == before:
                    self.give_up(self.waiting.pop(0))
        finally:
            stop([process for process, _, _ in self.running.values()])
            self.account()

    def give_up(self, job):
        missing = ", ".join(name for name in (*job.needs, *job.after) if name not in self.ended)
        self.finish(Ended(job, self.now(), self.now(), 0, -1, Report(
            failed=[f"{job.name} did not run: there is no job {missing}"], ends=[Status.HOST])))

    # ---- starting -------------------------------------------------------------------------

    def start_what_can(self):
        for job in list(self.waiting):
            lost = [name for name in job.needs if name in self.ended and not is_good(self.ended[name])]
            if lost:
                self.waiting.remove(job)
                self.finish(Ended(job, self.now(), self.now(), 0, -1, Report(failed=[f"{job.name} did not run: {lost[0]} failed"])))
            elif all(name in self.ended for name in (*job.needs, *job.after)):
                if not self.has_room(job):
                    break  # else smaller jobs could starve one that needs several CPUs
                self.waiting.remove(job)
                self.start(job)

    def has_room(self, job):
        return self.busy + min(job.processors, self.processors) <= self.processors + 1e-6  # thirds add up inexactly

    def start(self, job):
        self.account()
        self.busy += min(job.processors, self.processors)
        log = self.log(job)
        os.makedirs(os.path.dirname(log), exist_ok=True)

        def prepare():
            os.setpgid(0, 0)  # so that an interrupt can end all of the job's processes
            for number in (signal.SIGINT, signal.SIGHUP):  # a shell or nohup(1) may have set these to be ignored
                signal.signal(number, signal.SIG_DFL)
            hear_signals()
            os.nice(job.nice)
            die_with_parent()

        with open(log, "wb", buffering=0) as output, later_signals():
            try:
                process = subprocess.Popen(job.command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                           env={**os.environ, **job.environment}, cwd=job.folder, preexec_fn=prepare)
            except OSError as error:
                output.write(f"{job.command[0]}: {error.strerror}\n".encode())
                self.busy -= min(job.processors, self.processors)
                self.finish(Ended(job, self.now(), self.now(), 0, 127, self.judged(job, log, 127)))
                return
            self.running[process.pid] = process, job, self.now()

    # ---- ending ---------------------------------------------------------------------------

    def reap(self):
        """Waits briefly for a job to end. wait4() returns the cost of the job and of all children for which it waited."""
        pid, status, usage = os.wait4(-1, os.WNOHANG)
        if not pid:
            time.sleep(0.05)
            self.show_running()
            for process, job, start in self.running.values():
                if self.now() - start > self.limit(job):  # SIGTERM first, so that it can clean up
                    self.late.add(job.name)
                    os.killpg(process.pid, signal.SIGTERM if self.now() - start < self.limit(job) + GRACE else signal.SIGKILL)
            return
        if pid not in self.running:
            return
        self.account()
        process, job, start = self.running.pop(pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.busy -= min(job.processors, self.processors)
        report = self.judged(job, self.log(job), process.returncode)
        if report.failed and job.name in self.late:
            report.ends = [Status.TIMEOUT]
        self.finish(Ended(job, start, self.now(), usage.ru_utime + usage.ru_stime, process.returncode, report))

    def limit(self, job):
        return self.timeout if job.timeout is None else job.timeout

    def judged(self, job, log, status):
        if job.judge:
            try:
                report = job.judge(log, status)
            except Exception as error:  # pylint: disable=broad-exception-caught
                return Report(failed=[f"{job.name}: its results cannot be read: {of_error(error).text()}{tail(log)}"], ends=[Status.HOST])
            if report.failed:
                report.ends = report.ends or [status_of_program(status) or Status.FAILED]
            return report
        if not status:
            return Report()
        last = tail(log)
        return Report(failed=[f"{job.name} failed (status {status}){last}"], ends=[status_of_step(status, last)])

    def finish(self, ended):
        self.ended[ended.job.name] = ended
        self.show(ended)
        if ended.job.then and is_good(ended):
            try:
                self.add(*ended.job.then())
            except Exception as error:  # pylint: disable=broad-exception-caught
                ended.report.failed.append(f"{ended.job.name}: the jobs that it adds are not known: {of_error(error).text()}")
                ended.report.ends.append(Status.HOST)
                self.say(f"failed  {ended.report.failed[-1]}")

    def show(self, ended):
        report = ended.report
        said = ", ".join(f"{count} {outcome}" for outcome, count in report.counts().items() if count or ended.job.judge)
        self.say(f"{clock(self.now())}  {ended.job.name}: {said or 'done'} ({ended.end - ended.start:.0f} s, "
                  f"{ended.processor:.0f} s of a processor)")
        for line in report.notes:
            self.tell(line)
        for outcome, cases in (("failed ", report.failed), ("skipped", report.skipped)):
            for case in cases:
                self.tell(f"{outcome} {case}")

    def show_running(self):
        """Prints the running jobs if nothing was printed for a while."""
        if self.now() - self.shown >= self.SILENCE:
            running = ", ".join(f"{job.name} {progress(self.log(job))}".strip() for _, job, _ in self.running.values())
            self.say(f"{clock(self.now())}  running: {running}; {len(self.waiting)} wait")

    def say(self, text):
        self.shown = self.now()
        self.tell(text)

    # ---- the account ----------------------------------------------------------------------

    def now(self):
        return time.monotonic() - self.began

    def log(self, job):
        return os.path.join(self.logs, f"{job.name}.log")

    def account(self):
        now = time.monotonic()
        self.idle += (self.processors - self.busy) * (now - self.looked)
        self.looked = now

    def total(self):
        whole = Report()
        for ended in self.ended.values():
            whole.add(ended.report)
        return whole

    def table(self, budgets):
        """Returns the lines of a table with each stage's cost next to its budget, in CPU seconds, and the idle time."""
        rows = [("stage", "jobs", "from", "to", "processor", "budget", "longest job")]
        stages = list(dict.fromkeys(ended.job.stage for ended in self.ended.values()))
        for stage in stages:
            jobs = [ended for ended in self.ended.values() if ended.job.stage == stage]
            cost = sum(ended.processor for ended in jobs)
            longest = max(jobs, key=lambda ended: ended.end - ended.start)
            budget = budgets.get(stage)
            rows.append((stage, str(len(jobs)), clock(min(ended.start for ended in jobs)), clock(max(ended.end for ended in jobs)),
                         f"{cost:.0f} s", f"{cost / budget:.0%} of {budget} s" if budget else "-",
                         f"{longest.job.name}, {longest.end - longest.start:.0f} s"))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        whole, cost = self.now(), sum(ended.processor for ended in self.ended.values())
        lines.append(f"in all {clock(whole)}, {cost:.0f} s of a processor; of {self.processors} processors' time "
                     f"{self.idle / max(whole * self.processors, 0.001):.0%} had no job")
        return lines


def is_good(ended):
    """True if jobs that need this one can run. A job with cases has done its work even if some of them failed."""
    return ended.status == 0 or ended.job.may_fail or bool(ended.job.judge) and ended.status > 0 and ended.report.passed > 0


GRACE = 5  # seconds for a job to clean up after SIGTERM


def stop(processes):
    """Ends the process groups of these processes."""
    if processes:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would interrupt this
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        end = time.monotonic() + GRACE
        for process in list(processes):
            with contextlib.suppress(subprocess.TimeoutExpired, ChildProcessError):
                process.wait(max(0.0, end - time.monotonic()))
                processes.remove(process)
