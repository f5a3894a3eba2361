# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the report of the cache checker, and scripts/demo --check-cache with a fake QEMU. Needs no compiler."""

import json
import os
import struct
import xml.etree.ElementTree

from pixmill import cache_report, firmware_image
from pixmill.firmware_image import Refusal
from tests.files import Test, ends, for_each, written
from tests.test_program_files import BASE, FRONT, M7, elf, for_demo, load, run

# Speaks QMP as a QEMU that runs a program, writes what is in FAKE_CACHE to the file that -M names, and ends with FAKE_STATUS.
FAKE = r"""#!/usr/bin/python3
import os, re, socket, sys
qmp = socket.socket(fileno=int(re.search(r"id=qmp,fd=(\d+)", " ".join(sys.argv))[1]))
qmp.sendall(b'{"QMP": {}}\n')
for _ in range(2):
    qmp.recv(4096)
    qmp.sendall(b'{"return": {}}\n')
machine = sys.argv[sys.argv.index("-M") + 1]
if os.environ["FAKE_CACHE"]:
    with open(re.search(r"cache-check-file=([^,]*)", machine)[1], "w") as file:
        file.write(os.environ["FAKE_CACHE"])
print(machine, flush=True)
if os.environ["FAKE_STATUS"] == "hang":
    while b"quit" not in (asked := qmp.recv(4096)):
        qmp.sendall(b'{"return": {"status": "running", "running": true}}\n' if b"query-status" in asked else b'{"return": ""}\n')
    sys.exit(0)
sys.exit(int(os.environ["FAKE_STATUS"]))
"""

FUNCTION, TEXELS, OTHER = BASE + 0x100, 0x20001000, 0x20001100


def found(rule="gpu-reads-dirty", level="visible", **more):
    """Returns a group as the checker writes it."""
    return {"rule": rule, "level": level, "likely": True, "count": 2, "visible": 2, "pc": FUNCTION + 4, "lr": 0,
            "ranges": [{"first": TEXELS + 4, "last": TEXELS + 63, "pc": 0}], "more_ranges": False, **more}


GPU = {"master": "nema-gfx", "access": "read", "job": 3, "draw": 0}


def report(*groups, dropped=0):
    return json.dumps({"version": 1, "mode": "report", "dropped": dropped, "groups": groups})


def with_symbols():
    """Returns an ELF file with the function fill and the variables texels (256 bytes) and other (4 bytes)."""
    names = b"\0fill\0texels\0other\0"
    symbols = bytes(16)
    for name, value, size, kind in ((b"fill", FUNCTION + 1, 32, 2), (b"texels", TEXELS, 256, 1), (b"other", OTHER, 4, 1)):
        symbols += struct.pack("<IIIBBH", names.index(name), value, size, kind, 0, 1)
    data = bytearray(elf([load(data=bytes(0x200))], M7))
    sections_at, = struct.unpack_from("<I", data, 32)
    old = bytes(data[sections_at:])
    start = sections_at
    data[sections_at:] = symbols + names
    rows = old + struct.pack("<10I", 0, 2, 0, 0, start, len(symbols), 3, 0, 4, 16)
    rows += struct.pack("<10I", 0, 3, 0, 0, start + len(symbols), len(names), 0, 0, 1, 0)
    struct.pack_into("<I", data, 32, len(data))
    struct.pack_into("<H", data, 48, len(rows) // 40)
    return bytes(data) + rows


class NamesTest(Test):
    def setUp(self):
        super().setUp()
        self.program = firmware_image.Program(written(self.path("program.elf"), with_symbols()))

    def test_functions_and_variables(self):
        assert self.program.function(FUNCTION + 4) == "fill"
        assert [self.program.object(a) for a in (TEXELS - 1, TEXELS, TEXELS + 255, OTHER, OTHER + 4)] == ["", "texels", "texels", "other", ""]

    def groups(self, *groups):
        return cache_report.read(written(self.path("found.json"), report(*groups).encode()), self.program)[0]

    def test_a_report_names_what_a_developer_needs(self):
        text = cache_report.text(self.groups(found(**GPU, sample={"address": TEXELS + 4, "cpu": 18, "memory": 0})))
        for words in ("gpu-reads-dirty: nema-gfx reads (read) bytes", f"stored by fill (0x{FUNCTION + 4:08x})", "0x20001004 to 0x2000103f in texels",
                      "the CPU has 0x12, and memory 0x00", "first in job 3", "2 lines in all",
                      "SCB_CleanDCache_by_Addr((void *)0x20001000, 64)", "cache check: 1 mistakes, 0 without effect this time, 0 remarks, 0 suppressed"):
            assert words in text, (words, text)

    def test_both_variables_of_a_line_are_named(self):
        ranges = [{"first": TEXELS + 240, "last": OTHER + 3, "pc": FUNCTION}]
        text = cache_report.text(self.groups(found("lost-cpu-data", ranges=ranges)))
        assert "in texels and other, stored by fill" in text, text

    def test_a_barrier_is_missing_where_the_job_is_started(self):
        ranges = [{"first": TEXELS, "last": TEXELS + 3, "pc": FUNCTION + 8}]
        text = cache_report.text(self.groups(found("missing-barrier", "info", ranges=ranges, **GPU)))
        assert f"  stored by fill (0x{FUNCTION + 4:08x})\n" in text and f"in texels, started by fill (0x{FUNCTION + 8:08x})\n" in text, text

    def test_the_remedy_says_if_it_has_one_range_of_several(self):
        one, two = ({"first": TEXELS + at, "last": TEXELS + at + 3, "pc": 0} for at in (0, 128))
        words = "SCB_CleanDCache_by_Addr((void *)0x20001000, 32) after these stores, before nema-gfx starts"
        for ranges, more, others in (([one], False, ""), ([one, two], False, ", and likewise for the other ranges"),
                                     ([one], True, ", and likewise for the other ranges")):
            text = cache_report.text(self.groups(found(ranges=ranges, more_ranges=more, **GPU)))
            assert f"{words}{others}\n" in text, text
        text = cache_report.text(self.groups(found("cpu-writes-busy", ranges=[one, two], **GPU)))
        assert "wait for job 3 first\n" in text, text

    def test_stores_of_one_function_are_one_report(self):
        ranges = [[{"first": TEXELS + first, "last": TEXELS + last, "pc": 0}] for first, last in ((32, 63), (4, 31), (128, 131))]
        groups = self.groups(*(found(pc=FUNCTION + 4 * i, ranges=ranges[i], **GPU) for i in range(3)),
                             found(**{**GPU, "access": "commands"}))
        assert [(group.count, group.places) for group in groups] == [(6, 3), (2, 1)], groups
        assert groups[0].ranges == [(TEXELS + 4, TEXELS + 63, 0), (TEXELS + 128, TEXELS + 131, 0)], groups[0].ranges
        text = "\n".join(groups[0].lines())
        assert f"stored by fill (0x{FUNCTION:08x}) and at 2 more places of it" in text, text

    def test_levels(self):
        text = cache_report.text(self.groups(found(**GPU), found(level="latent", **GPU), found("no-effect", "info", note="the cache is off"),
                                             found(likely=False, **GPU)))
        for words in ("the bytes happen to be equal", "maintenance without effect: the cache is off", "rare: the line",
                      "2 mistakes, 1 without effect this time, 1 remarks"):
            assert words in text, (words, text)

    def test_junit_has_a_case_for_each_rule(self):
        suite = xml.etree.ElementTree.fromstring(cache_report.junit(self.groups(found(**GPU), found(level="latent", rule="lost-cpu-data"))))
        failed = [case.get("name") for case in suite if case.find("failure") is not None]
        assert (len(suite), suite.get("failures"), failed) == (len(cache_report.RULES), "1", ["gpu-reads-dirty"]), failed

    def test_every_rule_of_the_checker_has_a_text(self):
        with open(os.path.join(os.path.dirname(cache_report.__file__), "..", "..", "hw", "cache", "reports.cpp"), encoding="utf-8") as file:
            names = file.read().partition("rule_names[] = {")[2].partition("};")[0].replace('"', "").replace("\n", " ").split(",")
        assert sorted(filter(None, map(str.strip, names))) == sorted(cache_report.RULES)

    def test_suppressions(self):
        for line, count in (("gpu-reads-dirty fill", 1), ("* tex*  # known", 1), ("lost-cpu-data fill", 0), ("* Fill", 0), ("", 0)):
            groups = self.groups(found(**GPU))
            cache_report.suppress(groups, cache_report.read_suppressions(written(self.path("list"), line.encode())))
            assert sum(group.suppressed for group in groups) == count, line
            assert f"{count} suppressed" in cache_report.text(groups)

    def test_wrong_suppressions(self):
        for line in ("fill", "no-such-rule fill", "* fill texels"):
            with self.assertRaises(Refusal) as caught:
                cache_report.read_suppressions(written(self.path("list"), line.encode()))
            assert ":1: a suppression is RULE PATTERN" in caught.exception.lines[0]

    def test_damaged_reports(self):
        for text in ("", "{", "[]", '{"groups": [{}]}', report(found("unknown")), report(found(ranges=[]))):
            with self.assertRaises(Refusal) as caught:
                cache_report.read(written(self.path("found.json"), text.encode()), self.program)
            assert "damaged" in caught.exception.lines[0]


# Each row has a name, what the checker has found, the program's status, more arguments, the exit status, and words in the output.
RUNS = [
    ("no mistake", report(), 0, [], 0, ["cache-check=report,cache-check-file=", "0 mistakes"]),
    ("a mistake", report(found(**GPU)), 0, [], 72, ["1 mistakes", "cache-report.txt"]),
    ("a mistake and a failure", report(found(**GPU)), 3, [], 3, ["1 mistakes"]),
    ("a latent mistake", report(found(level="latent", **GPU)), 0, [], 0, ["1 without effect this time"]),
    ("a remark", report(found("no-effect", "info", note="x")), 0, [], 0, ["1 remarks"]),
    ("a quiet rule", report(found("redundant", "info")), 0, [], 0, ["0 remarks"]),
    ("a quiet rule that is wanted", report(found("redundant", "info")), 0, ["--cache-rules=redundant"], 0, ["1 remarks"]),
    ("a mistake of a program that does not end", report(found(**GPU)), "hang", ["--timeout=1"], 124, ["1 mistakes"]),
    ("findings that were dropped", report(dropped=3), 0, [], 72, ["0 mistakes", "3 findings were dropped"]),
    ("no report and no end", "", "hang", ["--timeout=1"], 124, ["did not end"]),
    ("the default mode", report(), 0, ["--check-cache"], 0, ["cache-check=report"]),
    ("no report", "", 0, [], 68, ["QEMU has written no cache report"]),
]

# Each row has a name, arguments, and words in the message.
WRONG = [
    ("an unknown mode", ["--cpu=cortex-m7", "--check-cache=all"], ["--check-cache has no mode all", "report act"]),
    ("the wrong processor", ["--check-cache=report"], ["checks a cortex-m7, not a cortex-m4"]),
    ("MVE", ["--cpu=cortex-m55", "--check-cache=report"], ["not a cortex-m55"]),
    ("an unknown rule", ["--cpu=cortex-m7", "--check-cache=report", "--cache-rules=all"], ["--cache-rules has no rule all"]),
    ("rules alone", ["--cpu=cortex-m7", "--cache-rules=redundant"], ["--cache-rules needs --check-cache"]),
    ("a list that is missing", ["--cpu=cortex-m7", "--check-cache=act", "--cache-suppressions=/nonexistent"], ["/nonexistent"]),
]


@for_each(RUNS)
class RunTest(Test):
    def check(self, cache, status, arguments, expected, words):
        fake = written(self.path("qemu"), FAKE.encode())
        os.chmod(fake, 0o755)
        program = written(self.path("program.elf"), elf(attribute_section=M7))
        ends(run(*FRONT, "--firmware", program, "--cpu=cortex-m7", "--check-cache=report", "--qemu", fake, "--out", self.path("out"),
                 *arguments, env={**os.environ, "FAKE_CACHE": cache, "FAKE_STATUS": str(status)}), expected, *words, without=["Traceback"])
        assert os.path.exists(self.path("out", "cache-report.xml")) == bool(cache)


@for_each(WRONG)
class WrongTest(Test):
    def check(self, arguments, words):
        program = written(self.path("program.elf"), elf(attribute_section=b""))
        ends(run(*FRONT, "--check", "--firmware", program, *arguments), 2, *words, without=["Traceback"])

    def test_demo_passes_the_options_on(self):
        program = written(self.path("program.elf"), elf())
        ends(run(os.path.join(os.path.dirname(FRONT[0]), "..", "demo"), "--board", "gr5526", "--firmware", program,
                 *for_demo(["--cpu=cortex-m7", "--check-cache=all"])), 2, "--check-cache has no mode all", without=["Building"])
