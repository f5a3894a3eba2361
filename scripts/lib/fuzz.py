# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a libFuzzer program of tests/fuzz and stores its corpus.

usage: fuzz.py seeds LOGS CORPORA CAPTURED PROGRAM           checks that the seeds reach their targets
       fuzz.py play SECONDS LOGS CORPORA CAPTURED PROGRAM    fuzzes, and stores the new corpus
       fuzz.py shares SECONDS PROGRAM...                     prints the share of each program in the total time

SECONDS are CPU seconds after the fuzzer has run its initial inputs. LOGS gets PROGRAM.log and other files. Exits with the program's
status.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys

import corpus

FUZZ = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../tests/fuzz"))
sys.path.insert(0, FUZZ)

import make_corpus  # pylint: disable=wrong-import-position

# Limits for one input. libFuzzer's default status for a finding, 77, would mean "skipped" here. Entropic scheduling,
# libFuzzer's default, takes a third of the time and finds less here.
LIMITS = ["-error_exitcode=1", "-timeout=10", "-rss_limit_mb=2048"]
SCHEDULE = ["-entropic=0"]

SMALL = ("toy-fuzz", "capture-fuzz", "dump-fuzz")  # these get a quarter of another fuzzer's share
HANGS = 1800  # seconds on the clock, after which a fuzzer counts as hung
GROWTH = 1.2  # factor of growth after which a corpus is minimized again


def shares(seconds, programs):
    """Splits CPU time among programs; returns {program: seconds}."""
    weights = {program: 1 if os.path.basename(program) in SMALL else 4 for program in programs}
    return {program: seconds * weight / sum(weights.values()) for program, weight in weights.items()}


def processor_seconds(pid):
    """Returns the CPU time of a process that is running or has not been reaped yet."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Fuzzer:
    """A fuzzer X-fuzz with the dictionary tests/fuzz/X.dict. Findings are written to the folder for logs. The folder
    captured/X-fuzz, if it exists, has inputs that pixmill-replay made from captures."""

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
        self.merged = self.archive.replace(".tar", ".merged")

    def command(self, seconds=0):
        """Returns the command; new inputs go to its first folder. `seconds` limits the time on the clock; 0 means no
        limit."""
        options = [f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={self.logs}/{self.name}."]
        dictionary = os.path.join(FUZZ, self.name.replace("-fuzz", ".dict"))
        if os.path.exists(dictionary):
            options.append(f"-dict={dictionary}")
        return [self.program, *LIMITS, *SCHEDULE, *options, *self.inputs()]

    def seeds_command(self):
        return [self.program, *LIMITS, "-runs=0", f"-artifact_prefix={self.logs}/{self.name}.", self.folder["seeds"]]

    def inputs(self):
        """Returns the folders of inputs. Seeds are left out if the corpus was made from the same seeds and program."""
        seeds = [] if self.knows_seeds() else ["seeds"]
        return [self.folder[what] for what in ("new", *seeds, "kept", "captured")]

    def play(self, seconds):
        """Runs the fuzzer on its initial inputs, then for that much CPU time. Its output goes to LOGS/NAME.log.
        Returns its status."""
        begun = None
        with open(self.log(), "w+b") as log:
            program = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
            try:
                for _ in range(int(4 * (HANGS + 8 * seconds))):
                    try:
                        return program.wait(0.25)
                    except subprocess.TimeoutExpired:
                        pass
                    used = processor_seconds(program.pid)
                    if begun is None and self.has_begun():
                        begun = used
                    if begun is not None and used - begun >= seconds:
                        program.send_signal(signal.SIGUSR1)  # libFuzzer ends after the current input
                log.write(f"did not end in {HANGS} s\n".encode())
                return 1
            finally:
                if program.poll() is None:
                    program.kill()
                    program.wait()

    def log(self):
        return os.path.join(self.logs, f"{self.name}.log")

    def has_begun(self):
        with open(self.log(), "rb") as log:
            return re.search(rb"^#\d+\tINITED", log.read(), re.MULTILINE) is not None

    def identity(self):
        """Returns a hash of the program and its seeds."""
        names = sorted(os.listdir(self.folder["seeds"]))
        sums = hashlib.sha256()
        for path in (self.program, *(os.path.join(self.folder["seeds"], name) for name in names)):
            with open(path, "rb") as file:
                sums.update(hashlib.sha256(file.read()).digest())
        return sums.hexdigest()

    def last_merge(self):
        """Returns (identity(), number of inputs) as of the last merge of the corpus; ("", 0) if unknown."""
        try:
            with open(self.merged, encoding="utf-8") as file:
                identity, inputs = file.read().split()
                return identity, int(inputs)
        except (OSError, ValueError):
            return "", 0

    def knows_seeds(self):
        return self.kept > 0 and self.last_merge()[0] == self.identity()

    def keep(self, log):
        """Adds new inputs to the corpus in the cache; returns lines for the user."""
        said = (f"{self.name}: {self.executions(log)}, of captures {len(os.listdir(self.folder['captured']))}, "
                f"corpus {self.kept}")
        with corpus.alone(self.archive):
            corpus.load(self.archive, self.folder["kept"])  # another clone may have added to it meanwhile
            learnt = sum(len(os.listdir(self.folder[what])) for what in ("kept", "new"))
            merged = self.last_merge()[1]
            if merged and learnt <= GROWTH * merged:
                corpus.store(self.archive, self.folder["kept"], self.folder["new"])
            elif trouble := self.merge():
                return [f"{said}; it stays, {trouble}"]
            inputs = len(corpus.read(self.archive))
        return [f"{said}, now {inputs} inputs"]

    def merge(self):
        """Rebuilds the corpus from all inputs that add coverage. Returns an error message, or ""."""
        # libFuzzer restarts itself through a shell without quoting, so names must not contain spaces.
        merge = [os.path.realpath(self.program), "-merge=1", f"-artifact_prefix={self.name}.merge.", *LIMITS,
                 *(os.path.basename(folder) for folder in (self.folder["merged"], *self.inputs()))]
        with open(os.path.join(self.logs, f"{self.name}.merge.log"), "wb") as file:
            status = subprocess.run(merge, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                    cwd=self.logs, check=False).returncode
        if status or not os.listdir(self.folder["merged"]):
            return f"merging ended with status {status}: {file.name}"
        corpus.store(self.archive, self.folder["merged"])
        inputs = len(corpus.read(self.archive))
        whole = inputs == len(os.listdir(self.folder["merged"]))  # the limits excluded none
        with open(self.merged, "w", encoding="utf-8") as file:
            file.write(f"{self.identity() if whole else '-'} {inputs}")
        return ""

    @staticmethod
    def executions(log):
        """Returns the number of executions that libFuzzer prints at its end, as text."""
        with open(log, encoding="utf-8", errors="replace") as file:
            found = re.search(r"number_of_executed_units: (\d+)", file.read())
        return f"{int(found.group(1)):,} executions" if found else "no executions counted"


def main():
    what, *rest = sys.argv[1:] or [""]
    if what == "shares":
        for program, seconds in shares(float(rest[0]), rest[1:]).items():
            print(f"{seconds:.2f} {program}")
        return 0
    if what not in ("seeds", "play"):
        sys.exit(__doc__)
    seconds = float(rest.pop(0)) if what == "play" else 0
    logs, corpora, captured, program = rest
    os.makedirs(logs, exist_ok=True)
    fuzzer = Fuzzer(program, logs, corpora, captured)
    if what == "seeds":
        return subprocess.run(fuzzer.seeds_command(), env={**os.environ, "PIXMILL_LANDMARKS": "1"}, check=False).returncode
    status = fuzzer.play(seconds)
    print("\n".join(fuzzer.keep(fuzzer.log())))
    return status


if __name__ == "__main__":
    sys.exit(main())
