# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the scheduler of scripts/test: order of jobs, counts, interrupts."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from pixmill import boards, gtest, long, test
from pixmill.failure import Status
from pixmill.places import RUNNER
from pixmill.scheduler import Job, Report, Scheduler, by_counts
from pixmill.stages import Plan, Stages, guest_suites
from tests.files import is_gone


def shell(name, text, stage="stage", **more):
    return Job(name, stage, ["/bin/sh", "-c", text], **more)


class Base(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.told = folder.name, []

    def scheduler(self, processors=2):
        return Scheduler(os.path.join(self.folder, "logs"), self.told.append, processors)

    def run_jobs(self, *jobs, processors=2):
        scheduler = self.scheduler(processors)
        scheduler.add(*jobs)
        scheduler.run()
        return scheduler

    def path(self, name):
        return os.path.join(self.folder, name)


class Order(Base):
    def test_a_job_waits_for_those_that_it_needs(self):
        done = self.run_jobs(shell("second", f"cat {self.path('made')}", needs=("first",)),
                             shell("first", f"sleep 0.3; echo 1 >{self.path('made')}"))
        self.assertEqual([done.ended[name].status for name in ("first", "second")], [0, 0])
        self.assertGreaterEqual(done.ended["second"].start, done.ended["first"].end)

    def test_no_more_jobs_run_in_parallel_than_processors(self):
        # Each job records how many jobs are running.
        text = f"mkdir -p {self.path('in')}; touch {self.path('in')}/$$; sleep 0.4; ls {self.path('in')} | wc -l >>{self.path('seen')}; rm {self.path('in')}/$$"
        self.run_jobs(*(shell(f"job-{number}", text) for number in range(5)))
        with open(self.path("seen"), encoding="ascii") as file:
            self.assertEqual(max(map(int, file.read().split())), 2)

    def test_jobs_that_wait_share_a_processor(self):
        """Each job ends once the other one runs."""
        meet = "touch {}; until [ -e {} ]; do sleep 0.05; done"
        self.run_jobs(*(shell(name, meet.format(self.path(name), self.path(other)), processors=0.5, timeout=60)
                        for name, other in (("one", "two"), ("two", "one"))), processors=1)
        self.assertTrue(os.path.exists(self.path("one")) and os.path.exists(self.path("two")))

    def test_a_job_of_several_processors_gets_its_turn(self):
        done = self.run_jobs(shell("one", "sleep 0.2"), shell("wide", "true", processors=2), *(
            shell(f"small-{number}", "sleep 0.1") for number in range(6)))
        started = sorted(done.ended.values(), key=lambda ended: ended.start)
        self.assertEqual([ended.job.name for ended in started[:2]], ["one", "wide"])

    def test_a_job_can_add_others(self):
        done = self.run_jobs(shell("build", "true", then=lambda: [shell("test", "true")]))
        self.assertEqual(list(done.ended), ["build", "test"])


class Verdicts(Base):
    def test_jobs_that_need_a_failed_job_fail(self):
        done = self.run_jobs(shell("build", "echo no compiler; exit 3"), shell("test", "true", needs=("build",), judge=by_counts),
                             shell("last", "true", needs=("test",)))
        failed = done.total().failed
        self.assertEqual(len(failed), 3)
        self.assertIn("build failed (status 3)", failed[0])
        self.assertIn("no compiler", failed[0])
        self.assertEqual(failed[1:], ["test did not run: build failed", "last did not run: test failed"])

    def test_a_job_that_may_fail_does_not_stop_others(self):
        done = self.run_jobs(shell("userland", "exit 1", may_fail=True, judge=lambda log, status: Report()),
                             shell("guest", "echo 1 passed, 0 failed, 0 skipped", needs=("userland",), judge=by_counts))
        self.assertEqual(done.total().counts(), {"passed": 1, "failed": 0, "skipped": 0})

    def test_failed_cases_do_not_stop_jobs_that_need_their_results(self):
        done = self.run_jobs(shell("guest", "echo failed  a; echo 5 passed, 1 failed, 0 skipped; exit 1", judge=by_counts),
                             shell("engines", "echo 1 passed, 0 failed, 0 skipped", needs=("guest",), judge=by_counts))
        self.assertEqual(done.total().counts(), {"passed": 6, "failed": 1, "skipped": 0})

    def test_a_program_that_is_not_there_is_a_failure(self):
        failed = self.run_jobs(Job("gone", "stage", ["/nonexistent/program"])).total().failed
        self.assertEqual(len(failed), 1)
        self.assertIn("No such file", failed[0])

    def test_a_job_that_hangs_ends(self):
        done = self.run_jobs(shell("hangs", "sleep 3600 & wait", timeout=0.5))
        self.assertEqual(done.ended["hangs"].status, -signal.SIGTERM)

    def test_a_job_that_ignores_its_end_is_killed(self):
        with unittest.mock.patch("pixmill.scheduler.GRACE", 0.3):
            done = self.run_jobs(shell("hangs", "trap '' TERM; while :; do sleep 0.1; done", timeout=0.3))
        self.assertEqual(done.ended["hangs"].status, -signal.SIGKILL)

    def test_a_job_after_another_runs_even_if_that_failed(self):
        done = self.run_jobs(shell("first", "sleep 0.2; exit 1"), shell("second", "true", after=("first",)))
        self.assertEqual(done.ended["second"].status, 0)
        self.assertGreaterEqual(done.ended["second"].start, done.ended["first"].end)

    def test_a_job_that_needs_an_unknown_job_fails(self):
        failed = self.run_jobs(shell("test", "true", needs=("nobody",)), shell("other", "true")).total().failed
        self.assertEqual(failed, ["test did not run: there is no job nobody"])

    def test_an_error_in_adding_jobs_is_a_failure(self):
        def lost():
            raise OSError(2, "No such file or directory", "introspection")
        done = self.run_jobs(shell("build", "true", then=lost), shell("other", "echo 1 passed, 0 failed, 0 skipped", judge=by_counts))
        self.assertEqual(done.total().passed, 1)
        self.assertIn("introspection: No such file", done.total().failed[0])

    def test_results_that_cannot_be_read_are_a_failure(self):
        def lost(log, status):
            raise ValueError(f"{status} {bool(log)}")
        failed = self.run_jobs(shell("test", "true", judge=lost)).total().failed
        self.assertIn("test: its results cannot be read", failed[0])


class Statuses(Base):
    """Tests of the overall status for each kind of failure."""

    def status(self, *jobs):
        return self.run_jobs(*jobs).total().status()

    @staticmethod
    def counted(name, text, status, **more):
        return shell(name, f"echo {text}; exit {status}", judge=by_counts, **more)

    def test_jobs_ended_by_the_host_are_its_failure(self):
        for text, status in (("2 passed, 0 failed, 0 skipped", 5), ("1 passed, 1 failed, 0 skipped", 5), ("nothing", 5), ("nothing", 143)):
            with self.subTest(text):
                self.assertEqual(self.status(self.counted("guest", text, status)), Status.HOST)
        self.assertEqual(self.status(shell("guest", "kill -9 $$", judge=by_counts)), Status.HOST)
        self.assertEqual(self.status(shell("unit", "kill -9 $$", judge=lambda log, status: Report(failed=["unit"]))), Status.HOST)

    def test_a_failed_build_is_for_the_user_to_fix(self):
        build = shell("build", "exit 2")
        self.assertEqual(self.status(build, self.counted("guest", "1 passed, 0 failed, 0 skipped", 0, needs=("build",))), Status.USAGE)
        self.assertEqual(self.status(shell("build", "echo No space left on device; exit 1")), Status.HOST)

    def test_a_failure_outweighs_the_host(self):
        host = self.counted("guest", "2 passed, 0 failed, 0 skipped", 5)
        for text, status in (("1 passed, 1 failed, 0 skipped", 1), ("1 passed, 1 failed, 0 skipped", 0)):
            self.assertEqual(self.status(host, self.counted("other", text, status)), Status.FAILED)
        for status in ("exit 5", "exit 139", "kill -SEGV $$"):  # statuses of a program that is not one of our commands
            with self.subTest(status):
                self.assertEqual(self.status(host, shell("unit", status, judge=lambda log, status: Report(failed=["unit"]))), Status.FAILED)

    def test_a_job_that_hangs_is_a_timeout(self):
        self.assertEqual(self.status(shell("hangs", "sleep 60 & wait", timeout=0.5, judge=by_counts)), Status.TIMEOUT)

    def test_success_is_0(self):
        self.assertEqual(self.status(self.counted("guest", "2 passed, 0 failed, 0 skipped", 0)), Status.PASSED)

    def test_the_limit_applies_to_jobs_that_others_add(self):
        scheduler = Scheduler(os.path.join(self.folder, "logs"), self.told.append, 2, timeout=0.5)
        scheduler.add(shell("build", "true", then=lambda: [shell("hangs", "sleep 60 & wait"), shell("own", "sleep 1", timeout=60)]))
        scheduler.run()
        self.assertEqual([scheduler.ended[name].status for name in ("hangs", "own")], [-signal.SIGTERM, 0])

    def test_scripts_test_ends_with_it(self):
        for job, status in ((self.counted("guest", "2 passed, 0 failed, 0 skipped", 5), 5), (shell("build", "exit 2"), 2),
                            (self.counted("guest", "0 passed, 0 failed, 3 skipped", 0), 1), (self.counted("guest", "1 passed, 0 failed, 0 skipped", 0), 0)):
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(test.finish(self.run_jobs(job), {}), status)

    def test_long_tests_end_with_it(self):
        made = long.Long.__new__(long.Long)
        made.wanted, made.again, made.folder, made.total = {"random": "1"}, True, self.folder, Report()
        made.state = unittest.mock.Mock()
        for job, status in ((self.counted("guest", "2 passed, 0 failed, 0 skipped", 5), 5), (shell("build", "exit 2"), 2)):
            made.random = lambda amount, job=job: (self.run_jobs(job).total(), [])
            made.total = Report()
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(made.run(), status)


class Long(Base):
    def test_suites_have_no_limit(self):
        made = long.Long.__new__(long.Long)
        made.folder = self.folder
        with unittest.mock.patch.object(long, "Stages") as stages, unittest.mock.patch.object(Scheduler, "run"):
            made.suites("part", ["unit"])
        self.assertEqual(stages.call_args.args[1].limit(shell("brought", "true")), float("inf"))

    def test_memory_is_tested_with_a_plain_qemu(self):
        made = long.Long.__new__(long.Long)
        made.folder = self.folder
        with unittest.mock.patch.object(Scheduler, "run"), unittest.mock.patch.object(Scheduler, "add") as add:
            made.memory("1")
        jobs = [job for call in add.call_args_list for job in call.args]
        soaks = [job for job in jobs if job.stage == "memory"]
        self.assertEqual({job.environment["PIXMILL_QEMU"] for job in soaks}, {boards.qemu("arm")})
        self.assertFalse([job.name for job in jobs if "sanitized" in job.name])


class Counts(Base):
    def judged(self, text, status=0):
        with open(self.path("job.log"), "w", encoding="utf-8") as file:
            file.write(text)
        return by_counts(self.path("job.log"), status)

    def test_cases_are_taken_from_their_lines(self):
        report = self.judged("passed  a\nfailed  b: why\n      | more\nnot of it\nskipped c: reason\nnote    d\n1 passed, 1 failed, 1 skipped\n", 1)
        self.assertEqual((report.passed, report.failed, report.skipped, report.notes),
                         (1, ["b: why\n      | more"], ["c: reason"], ["note    d"]))

    def test_a_job_without_counts_has_failed(self):
        for text in ("", "passed  a\n", "Traceback\n"):
            with self.subTest(text):
                self.assertEqual(self.judged(text).counts(), {"passed": 0, "failed": 1, "skipped": 0})

    def test_counts_are_right_even_if_lines_are_missing(self):
        self.assertEqual(self.judged("2 passed, 1 failed, 1 skipped\n", 1).counts(), {"passed": 2, "failed": 1, "skipped": 1})

    def test_a_program_of_googletest_counts_by_its_cases(self):
        results = self.path("results.json")
        with open(results, "w", encoding="utf-8") as file:
            file.write('{"testsuites": [{"name": "S", "testsuite": [{"name": "a", "status": "RUN", "result": "COMPLETED"},'
                       '{"name": "b", "status": "RUN", "result": "COMPLETED", "failures": [{"failure": "x\\ny"}]},'
                       '{"name": "c", "status": "RUN", "result": "SKIPPED"}]}]}')
        report = gtest.report("unit", results, self.path("log"), 1)
        self.assertEqual((report.passed, report.failed, report.skipped), (1, ["unit: S.b\n      | x\n      | y"], ["unit: S.c"]))

    def test_a_filter_that_matches_nothing_is_a_failure(self):
        """The filter must fail only if no shard of the program has a case."""
        for counts_, failed in (((0, 0), 1), ((0, 1), 0), ((1, 0), 0)):
            jobs = list(gtest.jobs("unit", "mine", ["true"], self.folder, 2, {"GTEST_FILTER": "Lost.*"}))
            os.makedirs(self.path("unit"), exist_ok=True)
            total = Report()
            with unittest.mock.patch.dict(os.environ):
                os.environ.pop("GTEST_FILTER", None)
                for job, count in zip(jobs, counts_):
                    with open(job.environment["GTEST_OUTPUT"].removeprefix("json:"), "w", encoding="utf-8") as file:
                        json.dump({"testsuites": [{"name": "S", "testsuite": [{"name": "a", "status": "RUN", "result": "COMPLETED"}] * count}]}, file)
                    total.add(job.judge(self.path("log"), 0))
            self.assertEqual((len(total.failed), total.passed), (failed, sum(counts_)))

    def test_a_failed_status_without_a_failed_case_is_a_failure(self):
        self.assertEqual(self.judged("2 passed, 0 failed, 0 skipped\n", 4).counts(), {"passed": 2, "failed": 1, "skipped": 0})

    def test_a_program_of_googletest_with_incomplete_results_has_failed(self):
        with open(self.path("log"), "w", encoding="utf-8") as file:
            file.write("[ RUN ] x\n")
        for text in (None, "", '{"testsuites": [{"name": "S", "te'):
            results = self.path("results.json")
            if text is not None:
                with open(results, "w", encoding="utf-8") as file:
                    file.write(text)
            with self.subTest(text):
                self.assertEqual(gtest.report("unit", results, self.path("log"), 0).counts(), {"passed": 0, "failed": 1, "skipped": 0})

    def test_a_program_of_googletest_that_crashes_has_failed(self):
        with open(self.path("log"), "w", encoding="utf-8") as file:
            file.write("Segmentation fault\n")
        report = gtest.report("unit", self.path("none.json"), self.path("log"), -11)
        self.assertIn("unit ended with status -11", report.failed[0])
        self.assertIn("Segmentation fault", report.failed[0])


class Account(Base):
    def test_processor_seconds_include_child_processes(self):
        burn = "import time\nwhile time.process_time() < 0.4: pass"
        done = self.run_jobs(shell("burns", f"{sys.executable} -c '{burn}'; {sys.executable} -c '{burn}'"), shell("sleeps", "sleep 0.5"))
        self.assertGreaterEqual(done.ended["burns"].processor, 0.8)
        self.assertLess(done.ended["sleeps"].processor, 0.4)

    def test_the_table_has_each_stage_with_its_budget(self):
        done = self.run_jobs(shell("a", "true", stage="unit"), shell("b", "true", stage="guest"), processors=1)
        done.ended["a"].processor = 30
        lines = done.table({"unit": 20})
        self.assertRegex(lines[1], r"^unit +1 .* 30 s +150% of 20 s +a, ")
        self.assertRegex(lines[2], r"^guest +1 .* - +b, ")
        self.assertIn("of a processor", lines[-1])


class Interrupts(Base):
    PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from pixmill.processes import end_on_sigterm
from pixmill.scheduler import Job, Scheduler
from tests.files import is_gone
end_on_sigterm()
scheduler = Scheduler(sys.argv[2])
scheduler.add(Job("long", "stage", ["/bin/sh", "-c", "sleep 300 & echo $! >" + sys.argv[2] + "/pid; wait"]))
scheduler.run()
"""

    def test_a_signal_ends_all_jobs(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                logs = tempfile.mkdtemp(dir=self.folder)
                with subprocess.Popen([sys.executable, "-c", self.PROGRAM, RUNNER, logs], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL) as process:
                    pid = self.wait_for(os.path.join(logs, "pid"))
                    process.send_signal(number)
                    process.wait(20)
                self.assertNotEqual(process.returncode, 0)
                self.assertTrue(is_gone(pid), "a child still runs")

    def test_a_signal_in_the_middle_of_a_start_leaves_no_child(self):
        early = """
import os, signal, subprocess, time
class Popen(subprocess.Popen):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        while not (os.path.exists(sys.argv[2] + "/pid") and os.path.getsize(sys.argv[2] + "/pid")):
            time.sleep(0.01)
        os.kill(os.getpid(), int(sys.argv[3]))
subprocess.Popen = Popen
end_on_sigterm()
"""
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                logs = tempfile.mkdtemp(dir=self.folder)
                ended = subprocess.run([sys.executable, "-c", self.PROGRAM.replace("end_on_sigterm()\n", early), RUNNER, logs,
                                        str(int(number))], capture_output=True, timeout=60, check=False)
                self.assertNotEqual(ended.returncode, 0)
                self.assertTrue(is_gone(self.wait_for(os.path.join(logs, "pid")), 10), "a child still runs")

    def wait_for(self, path):
        for _ in range(400):
            if os.path.exists(path) and os.path.getsize(path):
                with open(path, encoding="ascii") as file:
                    return int(file.read())
            time.sleep(0.05)
        self.fail(f"{path} did not appear")


class OlderKernels(Base):
    def test_a_run_has_no_suite_that_the_board_leaves_out(self):
        for thorough in (False, True):
            plan = Plan(results=self.folder, boards=boards.names(), series=[], only=[], suites=[], thorough=thorough, coverage=False,
                        random={}, fuzz_seconds=0)
            older = [(board, series) for board, series in plan.guests() if series != board.kernels()[0]]
            self.assertGreaterEqual(len(older), 2)
            for board, series in older:
                chosen = Stages(plan, self.scheduler()).chosen(board, series)
                self.assertTrue(chosen, board.name)
                self.assertLessEqual(set(chosen), set((board.get("suites") or "").split() or guest_suites(board)), board.name)

    def test_a_board_that_uses_anothers_guest_boots_only_the_default(self):
        self.assertEqual(["6.12"], boards.board("am57xx-idk").tested())
        self.assertEqual(["6.12", "6.1"], boards.board("am57xx").tested())
        self.assertIn("6.1", boards.board("am57xx-idk").kernels(), "--kernel-series may name it")


if __name__ == "__main__":
    unittest.main()
