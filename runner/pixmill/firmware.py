# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs our firmware's suites on a board, and judges them. program.py runs the user's firmware.

The suite's name is the firmware's argument. The firmware prints lines (guest/nema/stage.hpp) to the first serial port and saves
its frames as files. The reference device has run the same suite: all lines except figures, and all frames, must be identical.
Frames that the reference omits because it would take long are compared with tests/golden, which it drew earlier
(scripts/guest/firmware BOARD --golden).
"""

import argparse
import os
import shlex
import shutil
import subprocess
import time
import zlib

from pixmill import boards, captures, deterministic, judge, picture, processes, starvation
from pixmill.counts import line as counts_line
from pixmill.failure import PASSING_WORDS, Status, heaviest, writing
from pixmill.places import BOARDS, GOLDEN

HERE = os.path.dirname(os.path.realpath(__file__))
STRIP = 6  # pictures of an animation, side by side
REPO = os.path.dirname(os.path.dirname(HERE))


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--qemu", required=True, help="use this QEMU")
    parser.add_argument("--board", default="gr5526", help="run on this board (default: gr5526)")
    parser.add_argument("--firmware", required=True, help="run this ELF file")
    parser.add_argument("--expected", required=True, help="compare with the reference output in this folder: SUITE.txt and "
                                                          "SUITE/*.raw")
    parser.add_argument("--label", default="", help="print this before each case's name")
    parser.add_argument("--out", required=True, help="write logs and pictures to this folder")
    parser.add_argument("--keep", action="store_true", help="keep all frames, as PNG if they are RGBA8888")
    parser.add_argument("--timeout", type=float, help="time limit in seconds per suite")
    parser.add_argument("--replay", metavar="PROGRAM",
                        help="capture the suites that the board names, and check that this pixmill-replay reproduces the "
                        "captures")
    parser.add_argument("--deterministic", action="store_true", help="run so that equal runs give equal bytes")
    parser.add_argument("--seed", metavar="N", help="with --deterministic: vary latencies, equally for equal N")
    parser.add_argument("--qemu-options", default="", help="pass more options to QEMU, such as -trace")
    parser.add_argument("suites", nargs="*", help="run these suites (default: all of the board's)")
    return parser.parse_args()


def command_of(args, board, words):
    semihosting = ",".join(["enable=on,target=native", "arg=firmware", *(f"arg={word}" for word in words)])
    return [os.path.realpath(args.qemu), "-M", board["machine"], "-display", "none", "-monitor", "none", "-no-reboot",
            "-kernel", os.path.realpath(args.firmware), "-semihosting-config", semihosting,
            *(deterministic.options(board, args.seed) if args.deterministic else []), *shlex.split(args.qemu_options)]


# ---- Suites ----------------------------------------------------------------------------------


class Frame:
    """A line "frame NAME FORMAT WIDTH ROWS BYTES-A-ROW CRC"."""

    def __init__(self, words):
        self.name, self.format = words[:2]
        self.width, self.rows, self.stride = map(int, words[2:5])
        self.crc = words[5]
        self.line = " ".join(words)

    def data(self, folder):
        with open(os.path.join(folder, self.name + ".raw"), "rb") as file:
            return file.read()

    def read(self, folder):
        data = self.data(folder)
        unit = self.stride // self.width  # in TSC formats, one column of a block
        if len(data) != self.stride * self.rows:
            raise ValueError(f"a file of {len(data)} bytes, expected {self.stride * self.rows}")
        return picture.Picture(self.width, self.rows, [int.from_bytes(data[i:i + unit], "little")
                                                       for i in range(0, len(data), unit)])

    def rgb(self, folder):
        return picture.rgb_of(self.data(folder))

    def to_png(self, folder, path):
        if self.format == "rgba8888":
            picture.write_png_rgb(path, self.width, self.rows, self.rgb(folder))


class Report:
    """The parsed output of a run. Unknown lines are in "other"; a good run has none."""

    def __init__(self, text):
        self.frames, self.checks, self.omitted, self.figures, self.ends, self.other = {}, {}, set(), [], [], []
        for line in text.splitlines():
            if line.strip() and not self.take(*line.split()):
                self.other.append(line)

    def take(self, kind, *words):
        if kind == "frame" and len(words) == 6 and words[0] not in self.frames:
            try:
                self.frames[words[0]] = Frame(words)
            except ValueError:
                return False
        elif kind == "check" and len(words) == 2 and words[0] not in self.checks:
            self.checks[words[0]] = words[1]
        elif kind == "omitted" and len(words) == 1:
            self.omitted.add(words[0])
        elif kind == "figure" and len(words) == 3:
            self.figures.append(" ".join(words))
        elif kind == "end" and len(words) == 1:
            self.ends.append(words[0])
        else:
            return False
        return True


def run_suite(args, board, suite, folder, options=()):
    """Returns (report, reason, status). The reason is empty if the run did not fail."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    timeout = args.timeout or float(board.get("timeout") or 120)
    command = command_of(args, board, [suite]) + ["-serial", "stdio", *options]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=processes.die_with_parent) as qemu:
        text, errors, in_time = starvation.communicate(qemu, timeout)
    text, errors = text.decode(errors="replace"), errors.decode(errors="replace")
    failure, status = "", Status.FAILED
    if not in_time:
        failure, status = f"it did not end within {timeout:g} seconds, not counting waits for a busy host", Status.TIMEOUT
    elif qemu.returncode:
        failure = f"QEMU ended with status {qemu.returncode}"
        if qemu.returncode < 0 or PASSING_WORDS.search(errors):
            status = Status.HOST
        elif not text:
            status = Status.USAGE
    with writing(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
        log.write(text + errors)
    report = Report(text)
    if not failure and report.ends != [suite]:
        failure = "the firmware did not reach the suite's end"
    if not failure and report.other:
        failure = "the firmware printed unknown lines"
    said = " / ".join((report.other + errors.splitlines())[-3:])
    return report, failure and (f"{failure}: {said}" if said else failure), status


def frame_case(wanted, seen, folder, expected_folder):
    if not seen:
        return judge.Case(wanted.name, "failed", "the firmware did not draw it")
    try:
        if wanted.line == seen.line and wanted.data(expected_folder) == seen.data(folder):
            return judge.verdict(wanted.name, "")
        difference = seen.read(folder).first_difference(wanted.read(expected_folder))
        seen.to_png(folder, os.path.join(folder, seen.name + ".png"))
        wanted.to_png(expected_folder, os.path.join(folder, seen.name + "-expected.png"))
    except (FileNotFoundError, ValueError, ZeroDivisionError) as error:
        difference = str(error)
    return judge.Case(wanted.name, "failed", difference or f"'{seen.line}', expected '{wanted.line}'")


def golden_frames(board, suite):
    try:
        with open(os.path.join(GOLDEN, board.name, suite + ".txt"), encoding="utf-8") as file:
            return Report(file.read()).frames
    except FileNotFoundError:
        return {}


def golden_case(name, golden, seen, folder):
    """Compares a frame with its entry in tests/golden, which has the size and the CRC but not the pixels."""
    try:
        if not golden or not seen:
            why = "the firmware did not draw it" if golden else "it is not in tests/golden"
        elif f"{zlib.crc32(seen.data(folder)):08x}" != golden.crc or seen.line != golden.line:
            why = f"'{seen.line}', expected '{golden.line}'"
        else:
            why = ""
    except FileNotFoundError as error:
        why = str(error)
    return judge.verdict(name, why)


def stale_frames(golden, wanted):
    """Returns the golden frames that differ from what the reference draws now."""
    return [name for name, frame in golden.items() if name in wanted.frames and wanted.frames[name].line != frame.line]


def cases_of(board, suite, report, failure, folder, expected):
    with open(os.path.join(expected, suite + ".txt"), encoding="utf-8") as file:
        wanted = Report(file.read())
    yield judge.verdict("run", failure)
    golden = golden_frames(board, suite)
    if wanted.ends != [suite] or wanted.other:
        yield judge.Case("reference", "failed", "the reference did not reach the suite's end")
    if golden:
        stale = stale_frames(golden, wanted)
        yield judge.verdict("golden", stale and "the reference now draws these frames differently: " + " ".join(stale))
    for name, frame in wanted.frames.items():
        if failure and name not in report.frames:  # one cause is one failure
            yield judge.Case(name, "skipped", f"never drawn: {failure}")
        else:
            yield frame_case(frame, report.frames.get(name), folder, os.path.join(expected, suite))
    for name in sorted(report.frames.keys() - wanted.frames.keys() - wanted.omitted):
        yield judge.Case(name, "failed", "the reference has no such frame")
    for name in sorted(wanted.omitted):
        if failure and name not in report.frames:
            yield judge.Case(name, "skipped", f"never drawn: {failure}")
            continue
        yield golden_case(name, golden.get(name), report.frames.get(name), folder)
    for name in wanted.checks | report.checks:
        if failure and name not in report.checks:
            yield judge.Case(name, "skipped", f"never checked: {failure}")
            continue
        said = {"firmware": report.checks.get(name, "not made"), "reference": wanted.checks.get(name, "not made")}
        yield judge.verdict(name, ", ".join(f"{who}: {what}" for who, what in said.items() if what != "ok"))


def keep_pictures(frames, folder):
    """Saves all frames as PNG, and some of them also side by side in a strip."""
    for frame in frames:
        frame.to_png(folder, os.path.join(folder, frame.name + ".png"))
    alike = [frame for frame in frames if frame.format == "rgba8888"
             and (frame.width, frame.rows) == (frames[0].width, frames[0].rows)]
    if len(alike) >= STRIP:
        pictures = [frame.rgb(folder) for frame in alike[::len(alike) // STRIP][:STRIP]]
        strip = picture.strip_of(alike[0].width, alike[0].rows, pictures)
        picture.write_png_rgb(os.path.join(folder, "strip.png"), *strip)


def captured_cases(args, board, suite, before):
    """If the board captures this suite, runs it again with captures enabled. The second run must draw the same
    frames. Returns (cases, status)."""
    types, folder = board.captured(suite), os.path.join(args.out, "captures", suite)
    if not types or not args.replay:
        return [], Status.PASSED
    again = os.path.join(args.out, suite + "-captured")
    report, failure, status = run_suite(args, board, suite, again, captures.options(types, folder))
    other = [name for name, frame in before.frames.items()
             if name not in report.frames or report.frames[name].line != frame.line]
    if failure:  # the captures are incomplete
        return [judge.verdict("captured run", failure)], status
    if not other:
        shutil.rmtree(again)
    return [judge.verdict("captured run", other and "these frames differ from those of the first run: " + " ".join(other)),
            *captures.cases(args.replay, types, folder)], Status.PASSED


def of_cases(cases):
    return Status.FAILED if any(case.outcome == "failed" for case in cases) else Status.PASSED


def chosen(args, board):
    """Returns the suites to run. Those that measure with the host's clock cannot repeat exactly."""
    suites = args.suites or board.own_suites()
    timed = (board.get("timed") or "").split() if args.deterministic else []
    for suite in set(suites) & set(timed):
        print(f"note    {args.label}{suite} is left out with --deterministic: it measures with the host's clock", flush=True)
    return [suite for suite in suites if suite not in timed]


def run_suites(args, board):
    counts, ends = {"passed": 0, "failed": 0, "skipped": 0}, []
    for suite in chosen(args, board):
        folder, start = os.path.join(args.out, suite), time.monotonic()
        report, failure, status = run_suite(args, board, suite, folder)
        cases = list(cases_of(board, suite, report, failure, folder, args.expected))
        more, captured = captured_cases(args, board, suite, report)
        ends += [status if failure else of_cases(cases), captured or of_cases(more)]
        cases += more
        for case in cases:
            counts[case.outcome] += 1
            print(f"{case.outcome:7} {args.label}{suite}: {case.name}" + (f": {case.why}" if case.why else ""),
                  flush=True)
        for figure in report.figures:
            print(f"        {figure}")
        print(f"        {args.label}{suite} took {time.monotonic() - start:.1f} s; log: {folder}/log", flush=True)
        if args.keep:
            keep_pictures(list(report.frames.values()), folder)
        for frame in report.frames.values():
            if os.path.exists(os.path.join(folder, frame.name + ".raw")):
                os.unlink(os.path.join(folder, frame.name + ".raw"))
    print(counts_line(counts))
    return heaviest(ends)


def main():
    args = options()
    deterministic.check(args)
    board = boards.Board(os.path.join(BOARDS, args.board))
    return run_suites(args, board)
