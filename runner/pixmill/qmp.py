# SPDX-License-Identifier: GPL-2.0-or-later
"""A client for QEMU's monitor protocol (QEMU docs/interop/qmp-spec.rst)."""

import contextlib
import json
import socket
import time


class Qmp:
    """A connection that sends one command at a time and stores events that arrive before the answer."""

    def __init__(self, connection, patience=10):
        """Waits `patience` seconds for QEMU's greeting and for each answer; after a timeout the connection is unusable."""
        connection.settimeout(patience)
        self.connection = connection
        # A single stream for both directions would drop its read-ahead whenever a command is written.
        self.stream = connection.makefile("r", encoding="utf-8")
        self.commands = connection.makefile("w", encoding="utf-8")
        self.events = []
        self.stream.readline()
        self.command("qmp_capabilities")

    def command(self, name, **arguments):
        json.dump({"execute": name, "arguments": arguments}, self.commands)
        self.commands.write("\n")
        self.commands.flush()
        return self.answer(name)

    def send_file(self, name, descriptor):
        """Passes an open file to QEMU, for a later command that takes its name."""
        text = json.dumps({"execute": "getfd", "arguments": {"fdname": name}})
        socket.send_fds(self.connection, [text.encode() + b"\n"], [descriptor])
        self.answer("getfd")

    def answer(self, name):
        while True:
            answer = json.loads(self.stream.readline())
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise RuntimeError(f"{name}: {answer['error']['desc']}")
            self.events.append(answer)

    def job(self, name, **arguments):
        """Starts a background job and waits for its end."""
        self.command(name, **{"job-id": "job"}, **arguments)
        while True:
            job, = self.command("query-jobs")
            if job["status"] == "concluded":
                self.command("job-dismiss", id="job")
                if "error" in job:
                    raise RuntimeError(f"{name}: {job['error']}")
                return
            time.sleep(0.05)

    def last_events(self):
        """Returns all events, including the unread ones of a QEMU that has ended."""
        with contextlib.suppress(OSError, ValueError):
            self.events += map(json.loads, self.stream)
        return self.events


def save_state(qmp, path):
    """Saves the state of a stopped machine to a file."""
    qmp.command("migrate", uri="file:" + path)
    await_migration(qmp)


def load_state(qmp, path):
    """Loads the state into a QEMU that was started with "-incoming defer", and starts the machine."""
    qmp.command("migrate-incoming", uri="file:" + path)
    await_migration(qmp)
    qmp.command("cont")


def await_migration(qmp):
    while True:
        state = qmp.command("query-migrate")
        if state.get("status") == "completed":
            return
        if state.get("status") in ("failed", "cancelled"):
            raise RuntimeError(f"a snapshot failed: {state.get('error-desc', state['status'])}")
        time.sleep(0.02)
