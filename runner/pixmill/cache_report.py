# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns what the cache checker has found (include/pixmill/cache_check.h) into a report for developers: cache-report.txt, and
cache-report.xml with a JUnit case for each rule. docs/use/cache-checker.md explains the rules.

A file of suppressions has lines "RULE PATTERN", where PATTERN names a function or a variable and may contain *, and RULE may be *.
The rest of a line from # on is a comment.
"""

import fnmatch
import json
import os
import shutil
import subprocess

from pixmill.failure import writing
from pixmill.firmware_image import Refusal, Status

NAMES = ("cache-report.json", "cache-report.txt", "cache-report.xml")
MODES = ("report", "act")
QUIET = ("redundant", "missing-barrier")  # rules that are not reported unless asked for
LINE = 32

# Each rule has a sentence with the report's words, what the program counter did, and the remedy.
RULES = {
    "gpu-reads-dirty": ("{master} reads ({access}) bytes that the CPU has stored and not cleaned", "stored by",
                        "SCB_CleanDCache_by_Addr((void *)0x{first:08x}, {size}) after these stores, before {master} starts"),
    "cpu-reads-stale": ("the CPU reads old bytes: a bus master has written them since they came into the cache", "read by",
                        "SCB_InvalidateDCache_by_Addr((void *)0x{first:08x}, {size}) when the master is done, before this read"),
    "cpu-may-prefetch-stale": ("the CPU may read old bytes: only a speculative read can have put them into the cache", "read by",
                               "SCB_InvalidateDCache_by_Addr((void *)0x{first:08x}, {size}) when the master is done, before this read"),
    "dirty-under-output": ("{master} writes into lines that the CPU has stored to and not cleaned: they will overwrite its output",
                           "stored by", "SCB_CleanInvalidateDCache_by_Addr((void *)0x{first:08x}, {size}) before {master} starts"),
    "stale-line-stored": ("the CPU stores into a line that is old: writing it back overwrites what a master has written there",
                          "stored by", "align the buffer to 32 bytes, and invalidate it when the master is done"),
    "lost-cpu-data": ("invalidating discards bytes that the CPU has stored", "invalidated by",
                      "SCB_CleanInvalidateDCache_by_Addr() instead, or align the buffer and its size to 32 bytes"),
    "shared-line": ("a line has bytes of the CPU beside those of a master", "by", "align the buffer and its size to 32 bytes"),
    "cpu-writes-busy": ("the CPU stores to what {master} may still use ({access})", "stored by", "wait for job {job} first"),
    "cpu-reads-busy": ("the CPU reads what {master} may still write", "read by", "wait for job {job} first"),
    "missing-barrier": ("no barrier between a store and the start of the job that reads it", "stored by",
                        "__DSB() before {master} starts"),
    "no-effect": ("maintenance without effect: {note}", "done by", "leave it out, or enable the cache first"),
    "redundant": ("a clean of lines that are clean", "done by", "leave it out"),
    "mixed-attributes": ("an access that does not see the line that the cache holds", "by",
                         "use one address and one MPU attribute for this memory, or clean and invalidate it in between"),
    "disabled-dirty": ("the cache is off, and holds bytes that are not in memory", "accessed by",
                       "SCB_CleanInvalidateDCache() directly after the cache is switched off"),
}

# The action of a range's program counter, if it did not store the bytes.
RANGE_VERBS = {"missing-barrier": "started by"}


# ---- Names -------------------------------------------------------------------------------------


class Names:
    """Finds functions, source lines and variables of a program."""

    def __init__(self, program):
        self.program = program
        self.tool = shutil.which("arm-none-eabi-addr2line") or shutil.which("llvm-addr2line")
        self.lines = {}

    def line(self, address):
        """Returns FILE:LINE of an instruction, or "" without debug information or without the toolchain."""
        if address not in self.lines and self.tool:
            told = subprocess.run([self.tool, "-e", self.program.path, hex(address)], capture_output=True, text=True, check=False).stdout
            file, _, number = told.partition(" ")[0].strip().rpartition(":")
            self.lines[address] = f"{os.path.basename(file)}:{number}" if number.isdigit() and number != "0" else ""
        return self.lines.get(address, "")

    def code(self, address):
        where = ", ".join(filter(None, [self.line(address), f"0x{address:08x}"]))
        function = self.program.function(address)
        return f"{function} ({where})" if function else where

    def buffer(self, first, last):
        names = dict.fromkeys(filter(None, (self.program.object(first), self.program.object(last))))
        return " and ".join(names)


# ---- Groups ------------------------------------------------------------------------------------


class Group:
    """All findings of a rule at one place of the program, later in one function of it."""

    def __init__(self, found, names):
        self.rule, self.level, self.count = found["rule"], found["level"], int(found["count"])
        self.likely, self.pc, self.lr = bool(found["likely"]), int(found["pc"]), int(found["lr"])
        self.ranges = [(int(r["first"]), int(r["last"]), int(r["pc"])) for r in found["ranges"]]
        self.more, self.sample, self.found, self.names = bool(found["more_ranges"]), found.get("sample"), found, names
        self.suppressed, self.places = False, 1

    def key(self):
        """Returns what findings have in common that are one report."""
        return (self.rule, self.level, self.likely, self.names.program.function(self.pc) or self.pc,
                *(self.found.get(name) for name in ("master", "access", "note")))

    def join(self, other):
        """Adds the findings of another place in the function."""
        self.more = self.more or other.more
        self.count += other.count
        self.places += other.places
        self.ranges = joined(self.ranges + other.ranges)
        self.sample = self.sample or other.sample

    def words(self):
        """Returns what a suppression may name: functions and variables."""
        codes = [self.pc, *(pc for _, _, pc in self.ranges if pc)]
        return [self.names.program.function(code) for code in codes] + [
            self.names.program.object(address) for first, last, _ in self.ranges for address in (first, last)]

    def lines(self):
        sentence, did, remedy = RULES[self.rule]
        first, last = self.ranges[0][:2]
        start = first - first % LINE
        values = {**{"master": "a master", "access": "", "job": 0, "note": ""}, **self.found, "first": start,
                  "size": last - last % LINE + LINE - start}
        level = {"visible": "", "latent": " (the bytes happen to be equal)", "info": " (information)"}[self.level]
        rare = " (rare: the line has usually left the cache)" if self.level == "visible" and not self.likely else ""
        yield f"{self.rule}{level}{rare}: {sentence.format(**values)}"
        more = f" and at {self.places - 1} more {'place' if self.places == 2 else 'places'} of it" if self.places > 1 else ""
        yield f"  {did} {self.names.code(self.pc)}{more}" + (f", called from {self.names.code(self.lr & ~1)}" if self.lr else "")
        for first, last, pc in self.ranges:
            buffer = self.names.buffer(first, last)
            yield (f"  0x{first:08x} to 0x{last:08x}" + (f" in {buffer}" if buffer else "")
                   + (f", {RANGE_VERBS.get(self.rule, 'stored by')} {self.names.code(pc)}" if pc and pc != self.pc else ""))
        if self.more:
            yield "  and other addresses"
        if self.sample:
            yield "  at 0x{address:08x} the CPU has 0x{cpu:02x}, and memory 0x{memory:02x}".format(**self.sample)
        if self.found.get("note") and "{note}" not in sentence:
            yield f"  {self.found['note']}"
        if self.found.get("job"):
            yield f"  first in job {self.found['job']}"
        yield f"  {self.count} {'line' if self.count == 1 else 'lines'} in all"
        others = ", and likewise for the other ranges" if "{first" in remedy and (len(self.ranges) > 1 or self.more) else ""
        yield f"  to mend it: {remedy.format(**values)}{others}"


def joined(ranges):
    """Returns the ranges, with those joined whose lines adjoin and whose stores are the same."""
    result = []
    for first, last, pc in sorted(ranges):
        if result and result[-1][2] == pc and first - first % LINE <= result[-1][1] - result[-1][1] % LINE + LINE:
            result[-1] = (result[-1][0], max(result[-1][1], last), pc)
        else:
            result.append((first, last, pc))
    return result


def by_function(groups):
    """Returns the groups, with those of one function joined: a compiler makes many stores of one line of source."""
    functions = {}
    for group in groups:
        known = functions.setdefault(group.key(), group)
        if known is not group:
            known.join(group)
    return list(functions.values())


def read(path, program):
    """Returns (groups in the checker's output, by function; number of findings that the checker has dropped)."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        names = Names(program)
        groups = [Group(group, names) for group in found["groups"]]
        if any(group.rule not in RULES or not group.ranges for group in groups):
            raise ValueError("unknown rule")
        return by_function(groups), int(found["dropped"])
    except FileNotFoundError as error:
        raise Refusal(Status.QEMU, "QEMU has written no cache report", "QEMU's message above says why") from error
    except (ValueError, LookupError, TypeError) as error:
        raise Refusal(Status.QEMU, f"QEMU's cache report is damaged: {error}", "build QEMU again") from error


# ---- Suppressions ------------------------------------------------------------------------------


def read_suppressions(path):
    """Returns [(rule, pattern)]."""
    rows = []
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                words = line.partition("#")[0].split()
                if words and (len(words) != 2 or words[0] not in (*RULES, "*")):
                    raise Refusal(Status.USAGE, f"{path}:{number}: a suppression is RULE PATTERN",
                                  f"rules: {' '.join(RULES)}, or * for all")
                rows += [tuple(words)] if words else []
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(Status.USAGE, f"{path}: {error}", "name a text file of suppressions") from error
    return rows


def suppress(groups, rows):
    for group in groups:
        group.suppressed = any(rule in (group.rule, "*") and any(word and fnmatch.fnmatchcase(word, pattern) for word in group.words())
                               for rule, pattern in rows)


# ---- The report --------------------------------------------------------------------------------


def summary(groups, dropped=0):
    shown = [group for group in groups if not group.suppressed]
    counts = {level: sum(group.level == level for group in shown) for level in ("visible", "latent", "info")}
    return (f"cache check: {counts['visible']} mistakes, {counts['latent']} without effect this time, {counts['info']} remarks, "
            f"{len(groups) - len(shown)} suppressed" + (f"; {dropped} findings were dropped, because there are too many" if dropped else ""))


def text(groups, dropped=0):
    blocks = ["\n".join(group.lines()) for group in groups if not group.suppressed]
    return "\n\n".join([*blocks, summary(groups, dropped)]) + "\n"


def junit(groups):
    """Returns one case for each rule. Remarks are no failures."""
    from pixmill.results import quoted, text as escaped
    failed = {rule: [g for g in groups if g.rule == rule and not g.suppressed and g.level == "visible"] for rule in RULES}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f'<testsuite name="cache-check" tests="{len(RULES)}" failures="{sum(map(bool, failed.values()))}" errors="0" skipped="0">']
    for rule, found in failed.items():
        inner = "".join(f"<failure message={quoted(next(group.lines()))}>{escaped(chr(10).join(group.lines()))}</failure>"
                        for group in found[:1])
        more = "".join(f"<system-out>{escaped(chr(10).join(group.lines()))}</system-out>" for group in found[1:])
        lines.append(f'<testcase classname="cache-check" name={quoted(rule)}>{inner}{more}</testcase>')
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def write(folder, program, suppressions=(), rules=()):
    """Writes the report from the checker's output, which is in the folder. Returns (lines for the terminal, status)."""
    found, dropped = read(os.path.join(folder, NAMES[0]), program)
    groups = [group for group in found if group.rule not in QUIET or group.rule in rules]
    suppress(groups, suppressions)
    for name, content in zip(NAMES[1:], (text(groups, dropped), junit(groups))):
        with writing(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
    failed = dropped or any(group.level == "visible" and not group.suppressed for group in groups)
    return [summary(groups, dropped), os.path.join(folder, NAMES[1])], Status.CACHE if failed else 0


def remove(folder):
    for name in NAMES:
        if os.path.exists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))
