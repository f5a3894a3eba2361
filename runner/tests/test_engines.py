# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs suites with CI engines in parallel (LAVA on the sabrelite, labgrid with pytest on the am57xx), and compares
the outcome of each case with that of Pixmill's runner.
"""

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET

from pixmill import expectations
from pixmill.places import REPO
from tests import setting
from tests.files import Test
from tests.test_repeats import differences, files_in

SERIES = "6.12"
BOARDS = ("sabrelite", "am57xx")
SUITES = {"sabrelite": "scene2d", "am57xx": "libdrm"}  # for LAVA and for labgrid
# A case that passes or is skipped, depending on the guest kernel's memory layout in that boot (guest/suites/scene2d).
CHANCE = re.compile(r"scene2d.in.pieces$")


# ---- The engines -----------------------------------------------------------------------------

class Setup:
    def __init__(self, out):
        self.out, self.qemu, self.lava, self.results = out, setting.needed("QEMU"), setting.needed("LAVA"), setting.path_of("RESULTS")
        self.guests = {board: setting.guest(board, SERIES) for board in BOARDS}

    def start(self, name, command, **environment):
        with open(os.path.join(self.out, f"{name}.log"), "w", encoding="utf-8") as log:
            return subprocess.Popen(command, env={**os.environ, "PIXMILL_QEMU": self.qemu, "PIXMILL_SERIES": SERIES, **environment},
                                    stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def start_lava(self, name="lava", *options):
        return self.start(name, [os.path.join(REPO, "ci", "lava", "run-job"), "--board", "sabrelite", "--guest", self.guests["sabrelite"],
                          "--suites", SUITES["sabrelite"], "--out", os.path.join(self.out, name), "--lava", self.lava, *options])

    def start_labgrid(self):
        folder = os.path.join(REPO, "ci", "labgrid")
        return self.start("labgrid", ["/usr/bin/python3", "-m", "pytest", folder, "-p", "no:cacheprovider", "--lg-env",
                          os.path.join(folder, "am57xx.yaml"), "--board", "am57xx", "--suites", SUITES["am57xx"], "--out",
                          os.path.join(self.out, "labgrid"), f"--junitxml={self.out}/labgrid.xml"],
                          LG_QEMU=self.qemu, LG_GUEST=self.guests["am57xx"], PYTHONDONTWRITEBYTECODE="1")

    def own(self, board):
        """Returns {name: outcome} from Pixmill's runner. Runs the suite first if there are no results."""
        folder = os.path.join(self.results or self.out, f"guest-{board}-{SERIES}")
        if not os.path.exists(os.path.join(folder, "results.json")):
            folder = os.path.join(self.out, f"own-{board}")
            self.start(f"own-{board}", [os.path.join(REPO, "scripts", "lib", "pixmill"), "suites", "--board", board, "--qemu", self.qemu, "--guest", self.guests[board],
                       "--out", folder, SUITES[board]]).wait()
        with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
            found = json.load(file)["cases"]
        return {case["name"]: case["outcome"] for case in found if case["suite"] == SUITES[board]}


def of_lava(setup):
    """Returns {name: outcome}. LAVA's names are in lower case, with "_" for everything except letters and digits."""
    found = {}
    with open(os.path.join(setup.out, "lava.log"), encoding="utf-8") as log:
        for result, name in re.findall(r"(?m)^(pass|fail|skip) +pixmill: (\S+)$", log.read()):
            assert name not in found, f"{name} appears twice"
            found[name] = {"pass": "passed", "fail": "failed", "skip": "skipped"}[result]
    return found


def of_labgrid(setup):
    root = ET.parse(os.path.join(setup.out, "labgrid.xml")).getroot()
    return {expectations.full_name("am57xx", SERIES, re.search(r"\[(.*)\]", case.get("name"))[1], one.get("name")): one.get("value")
            for case in root.iter("testcase") for one in case.iter("property")}


def ended_well(setup, name, process):
    with open(os.path.join(setup.out, f"{name}.log"), encoding="utf-8") as log:
        assert process.wait() == 0, log.read()[-3000:]


def require_agreement(seen, ours):
    """Checks that both runs have the same cases with the same outcomes, except for cases that match CHANCE."""
    def certain(cases):
        return {(name, outcome == "failed" if CHANCE.search(name) else outcome) for name, outcome in cases.items()}
    assert certain(seen) == certain(ours) and len(ours) > 5, (certain(seen) ^ certain(ours), len(ours))


class EnginesTest(Test):
    def test_only_chance_may_differ(self):
        chance, certain = "am57xx/6.12/scene2d/in-pieces", "am57xx/6.12/libdrm/"
        ours = {**{f"{certain}{n}": "passed" for n in range(11)}, chance: "passed"}
        require_agreement({**ours, chance: "skipped"}, ours)
        for other in ({chance: "failed"}, {f"{certain}3": "skipped"}, {f"{certain}11": "passed"}):
            try:
                require_agreement({**ours, **other}, ours)
            except AssertionError:
                continue
            raise AssertionError(f"{other} is not noticed")

    def test_engines_see_what_we_see(self):
        """Runs both engines at the same time, as a host with several workers does."""
        setting.superuser()  # lava-run requires it
        setup = Setup(self.out)
        labgrid, lava = setup.start_labgrid(), setup.start_lava()
        ended_well(setup, "lava", lava)
        ended_well(setup, "labgrid", labgrid)

        seen = of_lava(setup)
        assert seen.pop("sabrelite_6_12_host_processor") == "passed", seen
        ours = {re.sub(r"\W+", "_", name).lower(): outcome for name, outcome in setup.own("sabrelite").items()}
        require_agreement(seen, ours)

        seen, ours = of_labgrid(setup), setup.own("am57xx")
        require_agreement(seen, ours)

    def test_deterministic_jobs_give_equal_bytes(self):
        setting.superuser()
        setup = Setup(self.out)
        jobs = {name: setup.start_lava(name, "--deterministic", "--seed", "7", "--timeout", "30") for name in ("one", "other")}
        for name, job in jobs.items():
            ended_well(setup, name, job)
        suite = SUITES["sabrelite"]
        one, other = (files_in(self.path(name, "pixmill"), f"{suite}.log", suite) for name in jobs)
        assert one == other, differences(one, other)
        assert {f"{suite}/kernel.log", f"{suite}/interrupts", f"{suite}/2d.bmp"} <= one.keys(), one.keys()
