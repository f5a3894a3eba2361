# SPDX-License-Identifier: GPL-2.0-or-later
"""A VNC viewer looks on while firmware draws. Boards that boot a kernel have suites for that: x11-viewer, framebuffer-viewer."""

import argparse
import os
import socket
import subprocess
import tempfile

from pixmill import boards, firmware, host, qmp, viewer
from pixmill.places import BOARDS, WORK
from pixmill.processes import die_with_parent
from tests import setting
from tests.files import Test, for_each

EVENTS = int(os.environ.get("PIXMILL_EVENTS", "2000"))


def command_of(board, suites):
    elf = os.path.join(WORK, "guest", "firmware", f"{board.firmware}.elf")
    args = argparse.Namespace(qemu=setting.needed("QEMU"), firmware=elf, qemu_options="-vnc none -serial null")
    command = firmware.command_of(args, board, suites)
    at = command.index("-monitor")
    return command[:at] + command[at + 2:]


def view(board, suites, folder):
    """Dumps the screen in between. Returns the viewer, and how often QEMU was seen to draw something else."""
    ours, theirs = socket.socketpair()
    picture, pictures = os.path.join(folder, "screen.ppm"), set()

    def between(number):
        if number % 100 == 99:
            monitor.command("screendump", filename=picture)
            with open(picture, "rb") as file:
                pictures.add(hash(file.read()))
        if number % 500 == 499:
            with host.stopped(monitor):
                host.snapshot(monitor, "load" if number % 2000 == 1499 else "save", folder)

    with ours, theirs, tempfile.TemporaryDirectory() as frames, open(os.path.join(folder, "log"), "wb") as log:
        command = command_of(board, suites) + ["-chardev", f"socket,id=qmp,fd={theirs.fileno()}", "-mon", "chardev=qmp,mode=control"]
        qemu = subprocess.Popen(command, cwd=frames, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[theirs.fileno()],
                                preexec_fn=die_with_parent)
        try:
            monitor = qmp.Qmp(ours, 120)
            looks = viewer.connect(monitor, 120)
            viewer.disturb(looks, EVENTS, between)
            monitor.command("quit")
            assert qemu.wait(120) == 0
        finally:
            qemu.kill()
            qemu.wait()
    return looks, len(pictures)


@for_each([
    ("the_watch_of_the_gr5526", "gr5526", ["watch", "1000"]),
    ("the_scene_of_the_imxrt1170", "imxrt1170", ["scene", "1000"]),
])
class ViewerTest(Test):
    def check(self, name, suites):
        looks, pictures = view(boards.Board(os.path.join(BOARDS, name)), suites, self.out)
        assert looks.updates >= 20 and pictures > 1, (looks.updates, pictures)
