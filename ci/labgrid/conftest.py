# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a Pixmill guest under labgrid and pytest:

    LG_QEMU=.../qemu-system-arm LG_GUEST=DIR pytest --lg-env ci/labgrid/sabrelite.yaml --board sabrelite \\
        --suites libdrm,scene2d --junitxml=junit.xml ci/labgrid

The fixture "guest" is a board that has booted to its shell, with access to QEMU's monitor.
"""

import base64
import json
import os
import sys
import time

import pytest

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(REPO, "runner"))

from pixmill import boards, host, judge  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--board", default="sabrelite", help="judge the guest by this folder of board-configs")
    parser.addoption("--suites", default="libdrm", help="run these suites, NAME,NAME... of guest/suites")
    parser.addoption("--out", default="pixmill-out", help="write pictures to this folder")


def pytest_generate_tests(metafunc):
    if "suite" in metafunc.fixturenames:
        metafunc.parametrize("suite", metafunc.config.getoption("--suites").split(","))


class Monitor:
    """Access to QEMU's monitor through labgrid's connection."""

    def __init__(self, driver):
        self.driver = driver

    def command(self, name, **arguments):
        if not arguments:
            return self.driver.monitor_command(name)
        # labgrid 0.4 cannot pass arguments.
        self.driver.qmp.monitor_in.write(json.dumps({"execute": name, "arguments": arguments}).encode() + b"\n")
        self.driver.qmp.monitor_in.flush()
        while True:
            answer = json.loads(self.driver.qmp.monitor_out.readline())
            if "error" in answer:
                raise RuntimeError(f"{name}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]


class Guest:
    SAID = [rb"pixmill-host: ([^\r\n]*)\r?\n", rb"pixmill: results (\S+)\r?\n((?:[A-Za-z0-9+/=]+\r?\n)*)pixmill: end of results"]

    def __init__(self, target, board, out):
        self.console = target.get_driver("QEMUDriver")
        self.console.on()
        self.shell = target.get_driver("ShellDriver")  # waits for the prompt
        self.monitor = Monitor(self.console)
        self.board = boards.Board(os.path.join(REPO, "board-configs", board))
        self.out = os.path.abspath(out)
        os.makedirs(self.out, exist_ok=True)

    def run(self, suite, timeout=120):
        """Runs a suite and returns its cases."""
        end = time.monotonic() + timeout
        self.console.sendline(f"(. /suite-functions; run_suite {suite.name})")
        words, archive = [], b""
        while words[:1] != ["results"]:  # a suite's last request, after its results
            number, _, found, _ = self.console.expect(self.SAID, timeout=max(1, end - time.monotonic()))
            if number == 1:
                archive = base64.b64decode(found[2])
            else:
                words = found[1].decode().split()
                self.console.write(host.do(self.monitor, words, self.out))
        self.shell.run_check("true")  # waits for the prompt
        expected = os.environ.get("PIXMILL_EXPECTED") or next(filter(os.path.isdir, (
            os.path.join(os.environ["LG_GUEST"], place) for place in ("expected", "../expected"))), self.out)
        return list(judge.judge(suite, self.board, judge.End(), judge.unpack(archive), self.out, expected))


@pytest.fixture(scope="session")
def guest(target, pytestconfig):
    guest = Guest(target, pytestconfig.getoption("--board"), pytestconfig.getoption("--out"))
    yield guest
    guest.console.off()
