# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the guest's requests to the host."""

import os

from pixmill import host
from tests.files import Test


class Monitor:
    """Records the commands instead of sending them."""

    def __init__(self):
        self.said = []

    def command(self, name, **arguments):
        self.said.append((name, arguments))


class RequestTest(Test):
    def asked(self, *words):
        """Returns QEMU's only command for a request."""
        monitor = Monitor()
        self.assertEqual(host.do(monitor, words, self.out), b"done\n")
        said, = monitor.said
        return said

    def test_booleans_of_qom_set(self):
        for word, value in (("true", True), ("false", False), ("1", "1"), ("mmu", "mmu")):
            self.assertEqual(self.asked("qom-set", "/machine/x", "name", word),
                             ("qom-set", {"path": "/machine/x", "property": "name", "value": value}))

    def test_screen_of_a_device(self):
        path = os.path.join(os.path.abspath(self.out), "x.ppm")
        self.assertEqual(self.asked("screendump", "/etc/x.ppm"), ("screendump", {"filename": path}))
        self.assertEqual(self.asked("screendump", "x.ppm", "lvds"), ("screendump", {"filename": path, "device": "lvds"}))
