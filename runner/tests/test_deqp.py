# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests examples/deqp/deqp, which runs Khronos' dEQP in a guest, with a program that writes dEQP's logs."""

import os
import subprocess

from pixmill.places import REPO
from tests.files import Test, empty, ends, text_of, written

# Fails a case whose name ends in "fail"; ends in the middle of one whose name ends in "crash".
FAKE = """#!/bin/bash
for word; do
  case $word in
    --deqp-caselist-file=*) cases=${word#*=} ;;
    --deqp-log-filename=*) log=${word#*=} ;;
  esac
done
while read -r case; do
  echo "#beginTestCaseResult $case"
  case $case in
    *crash) exit 1 ;;
    *fail) result=Fail ;;
    *) result=Pass ;;
  esac
  printf '<TestCaseResult CasePath="%s">\n <Result StatusCode="%s">text</Result>\n#endTestCaseResult\n' "$case" "$result"
done <"$cases" >"$log"
"""


class DeqpTest(Test):
    def deqp(self, cases, *fails, program=FAKE):
        share = empty(self.path("share"))
        written(os.path.join(share, "deqp-gles2"), program, 0o755)
        written(os.path.join(share, "cases"), "".join(f"{case}\n" for case in cases))
        written(os.path.join(share, "fails"), "# reason\n" + "".join(f"{line}\n" for line in fails))
        return subprocess.run([os.path.join(REPO, "examples", "deqp", "deqp"), "2", "fails"], env=os.environ | {"DEQP_FOLDER": share},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def test_results_equal_to_the_list_pass(self):
        cases = [f"case.{number}" for number in range(700)] + ["a.fail", "b.crash", "c"]
        ends(self.deqp(cases, "a.fail,Fail", "b.crash,Crash", "not.run,Fail"), 0, "703 cases, 703 results, 701 without failure")
        results = text_of(self.path("share", "results")).splitlines()
        self.assertEqual((len(results), len(set(results))), (703, 703))
        self.assertTrue({"a.fail,Fail", "b.crash,Crash", "c,Pass"} <= set(results))

    def test_logs_are_written_in_the_guest_and_kept_in_the_shared_folder(self):
        """dEQP flushes each line; in the shared folder, its watchdog ended cases with long logs."""
        slow = FAKE.replace("while read", 'case $(realpath "$log") in "$PWD"/*) exit 1 ;; esac\nwhile read')
        ends(self.deqp(["a", "b"], program=slow), 0, "2 cases, 2 results, 2 without failure")
        self.assertEqual(len(os.listdir(self.path("share", "logs"))), 2)  # .qpa and .txt of a chunk

    def test_each_difference_is_named(self):
        ended = self.deqp(["good", "new.fail", "new.crash", "fixed"], "fixed,Fail")
        ends(ended, 1, "differs: new.fail: Fail, expected Pass", "differs: new.crash: Crash, expected Pass",
             "differs: fixed: Pass, expected Fail")
        self.assertEqual(ended.stdout.count("differs"), 3)

    def test_cases_without_a_result_are_a_difference(self):
        ends(self.deqp(["a", "b"], program="#!/bin/sh\necho no EGL display\nexit 1\n"), 1, "no EGL display", "2 cases have no result")

    def test_cases_may_have_windows_line_endings_blanks_and_comments(self):
        ends(self.deqp(["a\r", "", "# a comment", "b.fail\r"], "b.fail,Fail"), 0, "2 cases, 2 results, 1 without failure")

    def test_results_of_other_cases_do_not_repeat_forever(self):
        ends(self.deqp(["a"], program=FAKE.replace("$case\"\n  case", "other.$case\"\n  case")), 1, "ran none of these cases", "differs")

    def test_an_empty_list_of_cases_is_refused(self):
        ends(self.deqp(["# none"]), 2, "has no case")

    def test_a_terminated_case_counts(self):
        program = FAKE.replace("#endTestCaseResult", "#terminateTestCaseResult Timeout")
        ends(self.deqp(["a", "b"], "a,Timeout", "b,Timeout", program=program), 0, "2 cases, 2 results")

    def test_a_missing_file_is_refused(self):
        ended = subprocess.run([os.path.join(REPO, "examples", "deqp", "deqp"), "2", "fails"], env=os.environ | {"DEQP_FOLDER": self.path("none")},
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        ends(ended, 2, "deqp: the shared folder needs deqp-gles2, cases and fails")
