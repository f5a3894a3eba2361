# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the benchmarks and prints each result next to its reference from the same run: scripts/bench."""

import json
import os
import re
import subprocess
import sys
import tempfile

from pixmill import bench_page, prepare
from pixmill.failure import Failure, Status, heaviest, status_of_program
from pixmill.options import Parser
from pixmill.places import OUT, REPO, SCRIPTS, WORK, command_name, make_places
from pixmill.steps import step

HELP = """A benchmark NAME/pixmill is compared with these references, where they exist:
  NAME/memset, NAME/memcpy, NAME/pixman, NAME/cairo
  NAME/single    our own code on one thread
  NAME/loops     our own code without pixman
  NAME/unmapped  our own code on scattered pages without an MMU
  NAME/llvmpipe  the host's OpenGL ES, on as many threads
A ratio is our speed divided by the reference's: 2.00 is twice as fast. Speeds
are in GB/s written and in Mpixel/s, on one core unless the name says
`two_threads`, and are medians over the repetitions.

--instructions counts instructions with callgrind instead of time: stable on a
busy host, but blind to memory latency and waiting. The ratio is the reference's
count divided by ours.

--budgets counts the instructions of the rows that have a budget in
docs/benchmarks/goals.toml, and fails if one needs over 2 % more.

--latency searches for draws that are slow to interrupt, for SECONDS on each
engine, and prints the worst of each kind: the work between two checks for
requests, and the CPU time. It fails if a step does more work than core.h
allows.

--page writes docs/benchmarks.md from the files in docs/benchmarks, which were
written by --json and --instructions --json."""

BUILD = os.path.join(WORK, "bench")
LLVMPIPE = "pixmill-bench-llvmpipe"
TOLERANCE = 1.02  # of a budget
# Makes glibc move memory by AVX2 on all processors, without string instructions, which count as one instruction for each repetition.
SAME_GLIBC = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-ERMS,-FSRM:glibc.cpu.x86_non_temporal_threshold=0x7fffffff"}
SEARCHED = ("vivante", "3d", "vg", "nema", "geode")  # pixmill-latency-ENGINE


def options(words):
    parser = Parser("bench", epilog=HELP,
                    description="Runs the benchmarks and prints each result next to its reference from\nthe same run.",
                    usage=f"{command_name('bench')} [--filter REGEX] [--repetitions N] [--min-time SECONDS]\n"
                          f"{' ' * len(command_name('bench'))}        [--json FILE] [--yes]\n"
                          f"       {command_name('bench')} --instructions [--filter REGEX] [--json FILE] [--yes]\n"
                          f"       {command_name('bench')} --budgets [--yes]\n"
                          f"       {command_name('bench')} --latency SECONDS [--seed N] [--yes]\n"
                          f"       {command_name('bench')} --page")
    parser.add_argument("--filter", metavar="REGEX",
                        help="run only benchmarks whose name matches (default: all; with --instructions: all but two_threads)")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N", help="repeat each benchmark N times (default: 5)")
    parser.add_argument("--min-time", type=float, default=0.05, metavar="SECONDS",
                        help="run each repetition for at least SECONDS (default: 0.05)")
    parser.add_argument("--json", metavar="FILE", default=os.path.join(OUT, "bench.json"),
                        help="write all results to FILE (default: out/bench.json)")
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of measuring time")
    parser.add_argument("--budgets", action="store_true", help="count instructions and compare them with their budgets")
    parser.add_argument("--page", action="store_true", help="write docs/benchmarks.md instead")
    parser.add_argument("--latency", metavar="SECONDS", help="search for draws that are slow to interrupt instead")
    parser.add_argument("--seed", default="1", metavar="N", help="random seed of --latency (default: 1)")
    parser.add_argument("--yes", action="store_true", help="install missing Debian packages without asking (sudo)")
    args = parser.parse_args(words)
    if args.latency and not re.fullmatch(r"\d+(\.\d+)?", args.latency):
        parser.error(f"--latency needs a number of seconds, not {args.latency}")
    if not re.fullmatch(r"\d+", args.seed):
        parser.error(f"--seed needs a number, not {args.seed}")
    try:
        re.compile(args.filter or "")
    except re.error as error:
        parser.error(f"--filter {args.filter}: {error}")
    return args


def fail(what, why, *todo, status=Status.FAILED):
    raise Failure(status or Status.FAILED, f"{what}: {why}", *todo)


def build(*names):
    """Builds these programs of tests/bench and returns their paths."""
    programs = [os.path.join("tests", "bench", name) for name in names]
    step(f"Building {names[0]}", [os.path.join(SCRIPTS, "lib", "build"), "bench", *programs])
    return [os.path.join(BUILD, program) for program in programs]


def measure(program, args, env=None, may_be_empty=False):
    command = [program, "--benchmark_format=json",
               f"--benchmark_repetitions={args.repetitions}",
               "--benchmark_report_aggregates_only=true",
               "--benchmark_enable_random_interleaving=true",
               f"--benchmark_min_time={args.min_time}"]
    if args.filter:
        command.append(f"--benchmark_filter={args.filter}")
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(env or {})},
                          check=False)
    if may_be_empty and not done.returncode and not done.stdout:
        return {"benchmarks": []}  # the filter matches none of them
    sys.stderr.write(done.stderr)
    if done.returncode or not done.stdout:
        fail("run", f"{program} exited with {done.returncode}", "run it by hand", status=status_of_program(done.returncode))
    return json.loads(done.stdout)


def measure_llvmpipe(program, args):
    """Measures the host's llvmpipe once on the calling thread and once on two threads."""
    rows = []
    for threads in ("0", "2"):
        env = {"LP_NUM_THREADS": threads, "LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"}
        rows += measure(program, args, env, may_be_empty=True)["benchmarks"]
    return rows


def count(program, regex, env=None):
    """Counts instructions; each benchmark passes its name to callgrind after its first iteration."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no",
                   f"--callgrind-out-file={folder}/out", program, "--benchmark_min_time=1e-9",
                   f"--benchmark_filter={regex}"]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **(env or {})}, check=False)
        if done.returncode:
            fail("count", f"exit code {done.returncode}", f"run `{' '.join(command)}`", status=status_of_program(done.returncode))
        rows = {}
        for part in os.scandir(folder):
            with open(part.path, encoding="utf-8", errors="replace") as file:
                text = file.read()
            name = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.M)
            if name:
                total = re.search(r"^totals: (\d+)$", text, re.M)
                rows[name[1]] = {"instructions": int(total[1])}
        return rows


def check_budgets(program):
    """Prints the rows with a budget next to their counts. Returns FAILED if one needs too much or does not exist."""
    budgets = {f"{name}/pixmill": goal["budget"] for name, goal in bench_page.goals().items() if "budget" in goal}
    counts = count(program, "^(" + "|".join(map(re.escape, budgets)) + ")(/real_time)?$", SAME_GLIBC)
    good = True
    print(f"{'benchmark':48} {'instructions':>14} {'/budget':>8}")
    for name, budget in budgets.items():
        counted = counts.get(name, {}).get("instructions")
        fits = counted is not None and counted <= budget * TOLERANCE
        good &= fits
        print(f"{name:48} {counted or 'missing':>14} " + (f"{counted / budget:8.3f}" if counted else " " * 8) + ("" if fits else "  too much"))
    return Status.PASSED if good else Status.FAILED


def medians(report):
    """Returns {name: {rate: median}}, for the rates in bench_page.RATES."""
    rows = {}
    for entry in report["benchmarks"]:
        if entry.get("error_occurred"):
            fail("run", f"{entry['name']}: {entry['error_message']}", "the benchmark checked its own result")
        if entry.get("aggregate_name", "median") == "median":
            rows[entry["run_name"].removesuffix("/real_time")] = {key: entry[key] for key in bench_page.RATES if key in entry}
    return rows


def table(rows):
    lines = []
    for row in bench_page.compared(rows):
        ratios = "".join(f"{row.ratios[yard]:8.2f}" if yard in row.ratios else " " * 7 + "-" for yard in bench_page.YARDSTICKS)
        speed = f"{row.speed:9.2f}" if isinstance(row.speed, float) else f"{row.speed:9}"
        pixels = f"{row.pixels:9.0f}" if row.pixels else " " * 8 + "-"
        lines.append(f"{row.name:48} {speed} {row.unit:5}{pixels}{ratios}")
    head = f"{'benchmark':48} {'pixmill':>15} {'Mpixel/s':>8}"
    head += "".join(f"{'/' + y:>8}" for y in bench_page.YARDSTICKS)
    return "\n".join([head, "-" * len(head)] + lines)


def commit():
    """Returns git's name of the measured commit, with "-dirty" if files differ from it."""
    told = subprocess.run(["git", "-c", "safe.directory=*", "-C", REPO, "describe", "--always", "--abbrev=12", "--dirty"],
                          capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"


def machine():
    """Returns the model of the host's CPUs and their number."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        facts = dict(re.findall(r"^([\w ]+?)\s*: (.*)$", file.read(), re.M))
    name = facts.get("model name", "unknown")
    if "cpu family" in facts:  # for hypervisors that shorten the name
        name += f" (family {facts['cpu family']}, model {facts['model']})"
    return {"processor": name, "processors": os.cpu_count()}


def main():
    args = options(sys.argv[1:])
    if args.page:
        return bench_page.write()
    make_places()
    prepare.packages("bench/instructions" if args.instructions or args.budgets else "bench", yes=args.yes)
    if args.latency:
        programs = build(*(f"pixmill-latency-{engine}" for engine in SEARCHED))
        return heaviest(status_of_program(subprocess.run([program, args.latency, args.seed], check=False).returncode) for program in programs)
    if args.budgets:
        return check_budgets(*build("pixmill-bench"))
    measured = {"commit": commit(), "machine": machine()}
    if args.instructions:
        rows = count(*build("pixmill-bench"), args.filter or "-two_threads")
    else:
        program, llvmpipe = build("pixmill-bench", LLVMPIPE)
        report = measure(program, args)
        report["benchmarks"] += measure_llvmpipe(llvmpipe, args)
        rows = medians(report)
    print(table(rows))
    os.makedirs(os.path.dirname(os.path.abspath(args.json)), exist_ok=True)
    with open(args.json, "w", encoding="utf-8") as file:
        json.dump({**measured, "benchmarks": rows}, file, indent=1, sort_keys=True)
        file.write("\n")
    print(f"\nwritten: {args.json}")
    return Status.PASSED
