# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of dumps of hung jobs (dumps.py). The dumps here are built from linux etnaviv_dump.h."""

import os
import struct

from pixmill import dumps, judge
from pixmill.places import REPO
from tests import setting
from tests.files import Test

REGISTERS, TABLES, RING, JOB, LIST, BUFFER, END = range(7)
JOB_AT = 0x2000


def dump(*objects):
    """Returns a dump of objects (type, address, 32-bit words)."""
    content, headers = b"", b""
    begin = 32 * (len(objects) + 1)
    for kind, address, words in (*objects, (END, 0, ())):
        data = struct.pack(f"<{len(words)}I", *words)
        headers += b"ETNA" + struct.pack("<IIIQII", kind, begin + len(content), len(data), address, 0, 0)
        content += data
    return headers + content


def starved():
    """A GC320 that takes the LINK at the end of its job as data: LOAD_STATE with a count of 0 loads 1024 words."""
    job = (0x08000000, 0, 0x40000007, 0x1010)
    registers = {0x020: 0x320, 0x024: 0x5301, 0x004: 0x7FFFFFFE, 0x664: JOB_AT + 16, 0x668: job[2], 0x66C: job[3]}
    return dump((REGISTERS, 0, [word for pair in registers.items() for word in pair]), (TABLES, 0, [2] * 1024),
                (RING, 0x1000, [0] * 16), (JOB, JOB_AT, job))


def suite_of(out, *said):
    path = os.path.join(out, "mine")
    with open(path, "w", encoding="ascii") as file:
        file.write("".join(f"#: dump {line}\n" for line in said))
    return judge.Suite(path)


def stand_in(out, status, *said):
    path = os.path.join(out, "pixmill-dump")
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in said) + f"exit {status}\n")
    os.chmod(path, 0o755)
    return path


class DumpsTest(Test):
    def only(self, program, *said):
        cases = list(dumps.cases(program, suite_of(self.out, *said), self.out))
        assert len(cases) == 1, cases
        return cases[0]

    def test_the_words_must_be_told(self):
        program = stand_in(self.out, 0, "The front end starved: LOAD_STATE.", "Guilty: the job.")
        for words, outcome in (("front end starved: LOAD", "passed"), ("a bus error", "failed")):
            case = self.only(program, f"a.dump {words}")
            assert (case.name, case.outcome) == ("dump a.dump", outcome), case

    def test_a_damaged_dump_fails(self):
        case = self.only(stand_in(self.out, 1, "starved", "Damaged: cut"), "a.dump starved")
        assert case.outcome == "failed" and "status 1 and said: starved\nDamaged: cut" in case.why, case

    def test_a_program_that_is_missing_fails(self):
        case = self.only(os.path.join(self.out, "nosuch"), "a.dump starved")
        assert case.outcome == "failed" and "nosuch" in case.why, case

    def test_a_suite_without_dumps_has_no_cases(self):
        assert not list(dumps.cases("/nonexistent", suite_of(self.out), self.out))

    def test_the_suites_words_match_the_program(self):
        program = dumps.beside(setting.needed("REPLAY"))
        words = dict(line.split(" ", 1) for line in judge.Suite(os.path.join(REPO, "guest", "suites", "hang")).all("dump"))
        with open(self.path("a.dump"), "wb") as file:
            file.write(starved())
        case = self.only(program, "a.dump " + words["starved.dump"])
        assert case.outcome == "passed", case
        with open(self.path("a.dump"), "wb") as file:
            file.write(starved()[:-4])
        case = self.only(program, "a.dump " + words["starved.dump"])
        assert case.outcome == "failed" and "is truncated: 12 of 16 bytes" in case.why, case
