# SPDX-License-Identifier: GPL-2.0-or-later
"""What a guest asks of the host in lines "pixmill-host: COMMAND" on its console, and the answers."""

import contextlib
import json
import os
import threading

from pixmill import viewer
from pixmill.qmp import save_state


def serve(console, qmp, words, folder, save=None, fail=None, slowdown=1):
    """Does what the guest asks for, and answers. On a thread: until somebody reads what the guest has sent, its
    processor may stand still in a UART, and then QEMU answers nobody. A guest that cannot be saved is a failure of the
    host's."""
    def answer():
        with contextlib.suppress(OSError, RuntimeError, ValueError):  # the guest, or QEMU, may be gone
            if save and words == ["snapshot", "point"]:
                qmp.command("stop")
                try:
                    save_state(qmp, save)
                except RuntimeError as error:
                    fail("host", f"the guest could not be saved to {save}: {error}")
                qmp.command("quit")
                return
            with stopped(qmp) if words[:1] == ["snapshot"] else contextlib.nullcontext():
                console.sendall(do(qmp, words, folder, slowdown))
    threading.Thread(target=answer, daemon=True).start()


@contextlib.contextmanager
def stopped(qmp):
    """The guest goes on only when its answer is there: QEMU alone would start it as soon as a snapshot is made."""
    qmp.command("stop")
    try:
        yield
    finally:
        qmp.command("cont")


def make_snapshot_disk(qmp, folder):
    """For snapshots only: nothing of the guest is on it, and it is gone with QEMU."""
    path = os.path.join(os.path.abspath(folder), "snapshot.qcow2")
    qmp.job("blockdev-create", options={"driver": "file", "filename": path, "size": 0})
    qmp.command("blockdev-add", **{"driver": "file", "filename": path, "node-name": "snapshot-file"})
    qmp.job("blockdev-create", options={"driver": "qcow2", "file": "snapshot-file", "size": 1 << 20})
    qmp.command("blockdev-add", **{"driver": "qcow2", "file": "snapshot-file", "node-name": "snapshot"})
    os.unlink(path)


def snapshot(qmp, what, folder):
    """Saves the machine in place of what was saved before, or loads it: that guest is answered, as it is the one which
    waits."""
    if what == "save":
        if any(node["node-name"] == "snapshot" for node in qmp.command("query-named-block-nodes")):
            qmp.job("snapshot-delete", tag="one", devices=["snapshot"])
        else:
            make_snapshot_disk(qmp, folder)
    qmp.job(f"snapshot-{what}", tag="one", vmstate="snapshot", devices=["snapshot"])
    return b"saved\n" if what == "save" else b"loaded\n"


def view(qmp, events, folder):
    """A viewer disturbs the machine, whose screen is dumped and which is saved and loaded in between. The answer is how many
    updates of the screen it was sent."""
    def between(number):
        if number % 200 == 199:
            qmp.command("screendump", filename=os.path.join(os.path.abspath(folder), "viewer.ppm"))
        if number % 500 == 499:
            with stopped(qmp):
                snapshot(qmp, "load" if number % 2000 == 1499 else "save", folder)
    looks = viewer.connect(qmp)
    viewer.disturb(looks, events, between)
    return f"{looks.updates}\n".encode()


def do(qmp, words, folder, slowdown=1):
    """qom-set PATH PROPERTY VALUE; qom-get PATH PROPERTY, which is the answer; screendump FILE, a picture (PPM) of the
    console, into the folder of the logs; snapshot save, and snapshot load, answered "saved" and "loaded"; viewer EVENTS, which
    view() answers; or another QMP command, with its arguments as JSON; or slowdown, by which the guest multiplies its time limits and which
    is the answer; or results SUITE, with which nothing is left to do. The answer to what went wrong begins with "refused: "."""
    try:
        if words[0] == "qom-set":
            path, name, value = words[1:]
            qmp.command("qom-set", path=path, property=name, value=value)
        elif words[0] == "qom-get":
            path, name = words[1:]
            return f"{qmp.command('qom-get', path=path, property=name)}\n".encode()
        elif words[0] == "screendump":
            name, = words[1:]
            qmp.command("screendump", filename=os.path.join(os.path.abspath(folder), os.path.basename(name)))
        elif words[0] == "snapshot":
            return snapshot(qmp, words[1], folder)
        elif words[0] == "viewer":
            return view(qmp, int(words[1]), folder)
        elif words[0] == "slowdown":
            return f"{slowdown}\n".encode()
        elif words[0] != "results":
            qmp.command(words[0], **json.loads(" ".join(words[1:]) or "{}"))
        return b"done\n"
    except (OSError, RuntimeError, ValueError) as error:
        return f"refused: {' '.join(str(error).split())}\n".encode()
