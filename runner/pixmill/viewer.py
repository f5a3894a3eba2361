# SPDX-License-Identifier: GPL-2.0-or-later
"""A minimal VNC viewer (RFC 6143) that moves the mouse, types, and receives screen updates."""

import random
import select
import socket
import struct

# Client messages, server messages and encodings (RFC 6143, 7.5 to 7.7 and 7.8.2).
SET_ENCODINGS, UPDATE_REQUEST, KEY, POINTER = 2, 3, 4, 5
UPDATE, COLOR_MAP, BELL, CUT_TEXT = 0, 1, 2, 3
RAW, DESKTOP_SIZE = 0, -223


class Viewer:
    """A viewer on a socket to QEMU's VNC server. Waits at most `patience` seconds for each message."""

    def __init__(self, connection, patience=60):
        connection.settimeout(patience)
        self.connection, self.arrived = connection, bytearray()
        self.updates = self.bytes = 0
        self.waiting = False  # for an update
        self.shake_hands()

    def receive(self):
        data = self.connection.recv(1 << 16)
        if not data:
            raise ConnectionError("the VNC server has closed the connection")
        self.arrived += data

    def read(self, form):
        size = struct.calcsize(">" + form)
        while len(self.arrived) < size:
            self.receive()
        data = bytes(self.arrived[:size])
        del self.arrived[:size]
        return struct.unpack(">" + form, data)

    def send(self, form, *values):
        self.connection.sendall(struct.pack(">" + form, *values))

    def shake_hands(self):
        """Negotiates protocol version 3.8, no authentication, and a shared session."""
        self.read("12s")
        self.send("12s", b"RFB 003.008\n")
        count, = self.read("B")
        if 1 not in self.read(f"{count}B"):
            raise ConnectionError("the VNC server wants a password")
        self.send("B", 1)
        if self.read("I") != (0,):
            raise ConnectionError("the VNC server refuses the viewer")
        self.send("B", 1)
        self.width, self.height, depth, *_, name = self.read("HHBBBBHHHBBBxxxI")
        self.pixel = depth // 8
        self.read(f"{name}s")
        self.send("BxHii", SET_ENCODINGS, 2, RAW, DESKTOP_SIZE)

    # ---- input ----

    def point(self, x, y, buttons=0):
        self.send("BBHH", POINTER, buttons, x, y)

    def press(self, symbol):
        """Presses and releases a key, given by its X keysym (keysymdef.h)."""
        for down in (1, 0):
            self.send("BBxxI", KEY, down, symbol)

    # ---- screen ----

    def ask(self, incremental=True):
        self.waiting = True
        self.send("BBHHHH", UPDATE_REQUEST, incremental, 0, 0, self.width, self.height)

    def look(self, seconds):
        """Receives the messages that have arrived or arrive within that time. Then requests the next update if an
        update was among them."""
        while self.arrived or self.is_readable(seconds):  # several messages may have arrived together
            self.take()
            seconds = 0
        if not self.waiting:
            self.ask()

    def look_at_all(self):
        """Waits until the server has answered all previous messages. The first full update may still answer an
        earlier request; the second one does not."""
        for _ in range(2):
            self.ask(incremental=False)
            while not self.take():
                if not self.waiting:
                    self.ask(incremental=False)

    def is_readable(self, seconds):
        return bool(select.select([self.connection], [], [], seconds)[0])

    def take(self):
        """Receives one message. Returns true if it was an update of the whole screen."""
        kind, = self.read("B")
        if kind == UPDATE:
            pixels = sum(self.take_rectangle() for _ in range(self.read("xH")[0]))
            self.updates += 1
            self.waiting = False
            return pixels >= self.width * self.height
        if kind == CUT_TEXT:
            self.skip(self.read("xxxI")[0])
        elif kind == COLOR_MAP:
            self.skip(6 * self.read("xHH")[1])
        elif kind != BELL:
            raise ConnectionError(f"the VNC server sends message {kind}")
        return False

    def take_rectangle(self):
        """Receives a rectangle and returns its number of pixels."""
        _, _, width, height, encoding = self.read("HHHHi")
        if encoding == DESKTOP_SIZE:
            self.width, self.height = width, height
            return 0
        if encoding != RAW:
            raise ConnectionError(f"the VNC server sends encoding {encoding}")
        self.skip(width * height * self.pixel)
        return width * height

    def skip(self, count):
        self.bytes += count
        while count:
            if not self.arrived:
                self.receive()
            piece = min(count, len(self.arrived))
            del self.arrived[:piece]
            count -= piece


def connect(qmp, patience=60):
    """Connects a viewer to a QEMU that was started with "-vnc none"."""
    ours, theirs = socket.socketpair()
    with theirs:
        qmp.send_file("viewer", theirs.fileno())
    qmp.command("add_client", protocol="vnc", fdname="viewer", skipauth=True)
    return Viewer(ours, patience)


KEYS = [ord(letter) for letter in "abcxyz 019"] + [0xFF0D, 0xFF08, 0xFF51, 0xFF52, 0xFF53, 0xFF54]  # Return, BackSpace, arrows


def disturb(viewer, events, between, seed=1):
    """Sends mouse and key events while receiving screen updates, and calls between(number) after each event. This
    does not wait for the guest, and the guest must not stall because of the viewer."""
    dice = random.Random(seed)
    buttons = 0
    viewer.ask(incremental=False)
    for number in range(events):
        kind = dice.randrange(10)
        if kind == 0:
            viewer.press(dice.choice(KEYS))
        else:
            buttons = dice.randrange(8) if kind == 1 else 0 if kind == 2 else buttons
            viewer.point(dice.randrange(viewer.width), dice.randrange(viewer.height), buttons)
        viewer.look(0.005)
        between(number)
    viewer.point(0, 0)
    viewer.look_at_all()  # the server must still answer at the end


def await_updates(viewer, least, patience=60):
    """Receives screen updates until there were that many, or none for that many seconds."""
    had = -1
    while had < viewer.updates < least:
        had = viewer.updates
        viewer.look(patience)
