# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests a VNC viewer while firmware draws. The suites x11-viewer and framebuffer-viewer test this on boards that
boot a kernel."""

import argparse
import contextlib
import os
import socket
import struct
import subprocess
import tempfile
import threading

from pixmill import boards, firmware, host, qmp, viewer
from pixmill.places import BOARDS, WORK
from pixmill.processes import die_with_parent
from tests import setting
from tests.files import Test, for_each, wait_for

EVENTS = int(os.environ.get("PIXMILL_EVENTS", "2000"))


def command_of(board, suites):
    elf = os.path.join(WORK, "guest", "firmware", f"{board.firmware}.elf")
    args = argparse.Namespace(qemu=setting.needed("QEMU"), firmware=elf, deterministic=False,
                              qemu_options="-vnc none -serial null")
    command = firmware.command_of(args, board, suites)
    at = command.index("-monitor")
    return command[:at] + command[at + 2:]


def view(board, suites, folder):
    """Runs suites with a viewer, and saves screen dumps and snapshots in between. Returns the viewer and the number
    of different pictures."""
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


UPDATE_REQUEST, WIDTH, HEIGHT = 3, 8, 4
SIZES = {0: 20, 2: 4, UPDATE_REQUEST: 10, 4: 8, 5: 6}  # sizes of client messages, without variable parts (RFC 6143, 7.5)


def update(width, height):
    """Returns an update with one rectangle of raw pixels (RFC 6143, 7.6.1)."""
    return struct.pack(">BxHHHHHi", 0, 1, 0, 0, width, height, 0) + bytes(4 * width * height)


class FakeServer:
    """A VNC server that answers a number of update requests, each with a bell, a text and the whole screen in one
    segment. It ignores the request after these, or hangs up."""

    def __init__(self, answers, hangs_up=False):
        self.answers, self.hangs_up = answers, hangs_up
        self.incremental = []  # the flag of each update request
        self.viewers, self.socket = socket.socketpair()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.viewers.shutdown(socket.SHUT_RDWR)
        self.viewers.close()
        self.thread.join()
        self.socket.close()

    def serve(self):
        with contextlib.suppress(OSError), self.socket.makefile("rb") as stream:
            self.shake_hands(stream)
            while kind := stream.read(1):
                message = stream.read(SIZES[kind[0]] - 1)
                if kind[0] == 2:
                    stream.read(4 * int.from_bytes(message[1:], "big"))
                elif kind[0] == UPDATE_REQUEST:
                    self.incremental.append(message[0])
                    if self.answers:
                        self.answers -= 1
                        self.socket.sendall(b"\2" + struct.pack(">BxxxI3s", 3, 3, b"cut") + update(WIDTH, HEIGHT))
                    elif self.hangs_up:
                        self.socket.shutdown(socket.SHUT_RDWR)

    def shake_hands(self, stream):
        self.socket.sendall(b"RFB 003.008\n")
        stream.read(12)
        self.socket.sendall(b"\1\1")
        stream.read(1)
        self.socket.sendall(bytes(4))
        stream.read(1)
        self.socket.sendall(struct.pack(">HHBBBBHHHBBBxxxI4s", WIDTH, HEIGHT, 32, 24, 0, 1, 255, 255, 255, 16, 8, 0, 4, b"fake"))


class FakeServerTest(Test):
    EVENTS = 20

    def disturb(self, server, patience):
        looks = viewer.Viewer(server.viewers, patience)
        viewer.disturb(looks, self.EVENTS, lambda number: None)
        return looks

    def test_messages_that_arrive_together_are_read_together(self):
        with FakeServer(1) as server:
            looks = viewer.Viewer(server.viewers)
            looks.ask()
            looks.look(60)
            self.assertEqual((looks.updates, looks.bytes), (1, 3 + 4 * WIDTH * HEIGHT))

    def test_updates_are_awaited_while_they_come(self):
        for answers, updates in ((9, 7), (4, 4)):
            with FakeServer(answers) as server:
                looks = viewer.Viewer(server.viewers)
                looks.ask()
                viewer.await_updates(looks, 7, patience=1 if answers < 7 else 60)
                self.assertEqual(looks.updates, updates)

    def test_the_whole_screen_is_requested_at_the_end(self):
        with FakeServer(1000) as server:
            looks = self.disturb(server, 60)
            self.assertGreaterEqual(looks.updates, 3)
            # The second update may answer the first of these requests, so the server may not have read the other one yet.
            wait_for(lambda: server.incremental[-2:] == [0, 0])

    def test_a_server_that_stops_answering_is_an_error(self):
        with FakeServer(2) as server, self.assertRaises(TimeoutError):
            self.disturb(server, 1)

    def test_a_server_that_hangs_up_is_an_error(self):
        with FakeServer(2, hangs_up=True) as server, self.assertRaises(ConnectionError):
            self.disturb(server, 60)
