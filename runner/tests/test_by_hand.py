# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the commands of docs/use/geode-lx.md, "By hand", as the page gives them: a guest with a disk, a network and a
screen for viewers. Replaces only the paths of builds (setting.py) and the VNC port, which may be in use.
"""

import contextlib
import os
import re
import selectors
import shlex
import socket
import struct
import subprocess
import tempfile
import time

from pixmill import processes
from pixmill.places import REPO
from pixmill.qmp import Qmp
from tests import setting
from tests.files import Test, text_of

PATIENCE = 600  # seconds on the clock; the host may be busy
PROMPT = re.compile(rb"root@pixmill:\S*# ")
QEMU, GUEST, VNC = "build/qemu/qemu-system-i386", "build/guest/geode-lx-6.1/", "vnc=localhost:0"


def blocks():
    """Returns the page's blocks of commands, without comments and with continued lines joined."""
    section = re.search(r"\n### By hand\n(.*?)\n##", text_of(os.path.join(REPO, "docs", "use", "geode-lx.md")), re.DOTALL)[1]
    return [[re.sub(r" +#.*", "", line) for line in block.replace("\\\n", " ").splitlines()]
            for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL)]


class Guest:
    """A QEMU started as on the page, whose terminal is connected to the test."""

    def __init__(self, command, folder):
        near, far = socket.socketpair()
        self.said = b""
        self.errors = os.path.join(folder, "qemu.log")
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [*command, "-chardev", f"socket,id=qmp,fd={far.fileno()}", "-mon", "chardev=qmp,mode=control"], cwd=folder,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, pass_fds=[far.fileno()],
                preexec_fn=processes.die_with_parent)
        far.close()
        self.qmp = Qmp(near, PATIENCE)

    def wait_for_prompt(self):
        """Waits for the shell's prompt and returns the output before it."""
        end = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not (prompt := PROMPT.search(self.said)):
                assert selector.select(max(0, end - time.monotonic())), f"no prompt in {PATIENCE} s: {self.said[-2000:]!r}"
                more = os.read(self.process.stdout.fileno(), 4096)
                assert more, f"QEMU has ended: {text_of(self.errors)} {self.said[-2000:]!r}"
                self.said += more
        before, self.said = self.said[:prompt.start()], self.said[prompt.end():]
        return before.decode(errors="replace").replace("\r", "")

    def type(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def run(self, line):
        """Runs a command in the guest; returns the lines of its output and of kernel messages."""
        self.type(line)
        return self.wait_for_prompt().split("\n")[1:]


@contextlib.contextmanager
def started(command, folder):
    guest = Guest(command, folder)
    try:
        yield guest
    finally:
        guest.process.kill()
        guest.process.communicate()


class GeodeTest(Test):
    def test_the_command_has_a_disk_a_network_and_a_viewer(self):
        (*before, command), inside = blocks()
        program, guest_folder = setting.needed("QEMU_I386"), setting.guest("geode-lx", "6.1") + os.sep
        assert command.startswith(QEMU) and command.count(GUEST) == 2 and VNC in command, command
        for line in before:  # the builds exist already
            if not line.startswith("scripts/"):
                subprocess.run(line, shell=True, cwd=self.out, check=True)
        with tempfile.TemporaryDirectory() as folder:
            viewer = os.path.join(folder, "viewer")
            words = [word.replace(GUEST, guest_folder).replace(VNC, f"vnc=unix:{viewer}") for word in shlex.split(command)]
            with started([program, *words[1:]], self.out) as guest:
                guest.wait_for_prompt()
                self.check_devices(guest, inside)
                self.check_picture(guest.qmp)
                self.check_viewer(viewer)
                guest.type("exit")
                assert guest.process.wait(PATIENCE) == 0
                assert text_of(guest.errors) == ""

    def check_devices(self, guest, commands):
        for line in commands:
            said = guest.run(f"{line} && echo done")
            assert "done" in said, (line, said)
        said = guest.run("cat /sys/block/vda/size")
        assert str(os.path.getsize(self.path("disk.img")) // 512) in said, said
        said = guest.run("ping -c 1 -W 30 10.0.2.2")
        assert any("1 packets received" in line for line in said), said

    def check_picture(self, qmp):
        """Checks the PNG signature and the first chunk (RFC 2083, 3.1 and 4.1.1)."""
        qmp.command("screendump", filename=self.path("screen.png"), format="png")
        with open(self.path("screen.png"), "rb") as file:
            head = file.read(24)
        assert head[:16] == b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", head
        assert struct.unpack(">II", head[16:]) == (1024, 768), head

    def check_viewer(self, path):
        """Checks the VNC server's version message (RFC 6143, 7.1.1)."""
        with socket.socket(socket.AF_UNIX) as viewer:
            viewer.settimeout(PATIENCE)
            viewer.connect(path)
            assert viewer.recv(12) == b"RFB 003.008\n"
