# SPDX-License-Identifier: GPL-2.0-or-later
"""QEMU's monitor protocol (QEMU docs/interop/qmp-spec.rst), as far as runs need it."""

import contextlib
import json
import socket
import time


class Qmp:
    """One command at a time; events that came before its answer are kept."""

    def __init__(self, connection, patience=10):
        """Waits that many seconds for QEMU's greeting and for each answer; after one that did not come, for no more."""
        connection.settimeout(patience)
        self.connection = connection
        # One stream for both would drop what it has read ahead whenever a command is written.
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
        """Gives QEMU an open file, for a command that takes a name of one."""
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
        """A command that QEMU goes on with behind its answer."""
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
        """Of a QEMU that has ended."""
        with contextlib.suppress(OSError, ValueError):
            self.events += map(json.loads, self.stream)
        return self.events


def save_state(qmp, path):
    """Of a machine that stands still, into a file."""
    qmp.command("migrate", uri="file:" + path)
    await_migration(qmp)


def load_state(qmp, path):
    """Into a QEMU that was started with "-incoming defer"; the machine goes on."""
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
