# SPDX-License-Identifier: GPL-2.0-or-later
"""How a libFuzzer program of tests/fuzz is run, and how its corpus is kept."""

import os
import re
import shutil
import subprocess
import sys

import corpus

FUZZ = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../tests/fuzz"))
sys.path.insert(0, FUZZ)

import make_corpus  # pylint: disable=wrong-import-position

# What one input may take. Scheduling by entropy (libFuzzer's default) costs a third of the time and finds less here.
# libFuzzer's own status of a finding is 77, which says skipped here.
LIMITS = ["-error_exitcode=1", "-timeout=10", "-rss_limit_mb=2048"]
SCHEDULE = ["-entropic=0"]


class Fuzzer:
    """Of X-fuzz, the dictionary is tests/fuzz/X.dict; what it finds is written to LOGS. CAPTURED/X-fuzz, if there is such a
    folder, has inputs that pixmill-replay has made of captures."""

    def __init__(self, program, logs, corpora, captured=None):
        self.program, self.name = program, os.path.basename(program)
        self.logs = logs
        self.folder = {}
        for what in ("seeds", "kept", "captured", "new", "merged"):
            self.folder[what] = os.path.join(logs, f"{self.name}.{what}")
            os.makedirs(self.folder[what], exist_ok=True)
        make_corpus.write(self.name, self.folder["seeds"])
        if captured and os.path.isdir(os.path.join(captured, self.name)):
            shutil.copytree(os.path.join(captured, self.name), self.folder["captured"], dirs_exist_ok=True)
        os.makedirs(corpora, exist_ok=True)
        self.archive = os.path.join(corpora, f"{self.name}-{make_corpus.version(self.name)}.tar")
        self.kept = corpus.load(self.archive, self.folder["kept"])

    def command(self, seconds):
        """New inputs go to the first folder."""
        options = [f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={self.logs}/{self.name}."]
        dictionary = os.path.join(FUZZ, self.name.replace("-fuzz", ".dict"))
        if os.path.exists(dictionary):
            options.append(f"-dict={dictionary}")
        return [self.program, *LIMITS, *SCHEDULE, *options, *self.inputs()]

    def seeds_command(self):
        return [self.program, *LIMITS, "-runs=0", self.folder["seeds"]]

    def inputs(self):
        return [self.folder[what] for what in ("new", "seeds", "kept", "captured")]

    def keep(self, log):
        """Adds what is new to the corpus in the cache and drops what adds nothing. Returns what there is to tell."""
        said = (f"{self.name}: {self.executions(log)}, of captures {len(os.listdir(self.folder['captured']))}, "
                f"corpus {self.kept}")
        with corpus.alone(self.archive):
            corpus.load(self.archive, self.folder["kept"])  # another clone may have added to it meanwhile
            # libFuzzer starts itself again by a shell, without quotes: names must have no blanks.
            merge = [os.path.realpath(self.program), "-merge=1", f"-artifact_prefix={self.name}.merge.", *LIMITS,
                     *(os.path.basename(folder) for folder in (self.folder["merged"], *self.inputs()))]
            with open(os.path.join(self.logs, f"{self.name}.merge.log"), "wb") as file:
                status = subprocess.run(merge, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                        cwd=self.logs, check=False).returncode
            if status or not os.listdir(self.folder["merged"]):
                return [f"{said}; it stays, merging ended with status {status}: {file.name}"]
            corpus.store(self.archive, self.folder["merged"])
        return [f"{said}, now {len(corpus.read(self.archive))} inputs"]

    @staticmethod
    def executions(log):
        """From what libFuzzer prints at its end."""
        with open(log, encoding="utf-8", errors="replace") as file:
            found = re.search(r"number_of_executed_units: (\d+)", file.read())
        return f"{int(found.group(1)):,} executions" if found else "no executions counted"
