# SPDX-License-Identifier: GPL-2.0-or-later
"""Serves the requests that a guest prints on its console as "pixmill-host: COMMAND"."""

import contextlib
import json
import os
import threading
import time

from pixmill import viewer
from pixmill.qmp import save_state


def serve(console, qmp, words, folder, save=None, fail=None, slowdown=1):
    """Serves one request on a separate thread. The console must be read meanwhile: if its buffer is full, the
    guest's CPU waits in the UART, and QEMU answers no QMP command. Failing to save a guest is a failure of the host."""
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
    """Stops the guest until its answer is sent. Otherwise QEMU would resume the guest as soon as the snapshot job
    ends."""
    qmp.command("stop")
    try:
        yield
    finally:
        qmp.command("cont")


def make_snapshot_disk(qmp, folder):
    """Adds a disk for snapshots only. The guest does not use the disk. Its file is unlinked immediately, so it
    disappears when QEMU ends."""
    path = os.path.join(os.path.abspath(folder), "snapshot.qcow2")
    qmp.job("blockdev-create", options={"driver": "file", "filename": path, "size": 0})
    qmp.command("blockdev-add", **{"driver": "file", "filename": path, "node-name": "snapshot-file"})
    qmp.job("blockdev-create", options={"driver": "qcow2", "file": "snapshot-file", "size": 1 << 20})
    qmp.command("blockdev-add", **{"driver": "qcow2", "file": "snapshot-file", "node-name": "snapshot"})
    os.unlink(path)


def snapshot(qmp, what, folder):
    """Saves the machine, replacing an earlier snapshot, or loads it. After a load, the answer goes to the loaded
    guest, which is waiting for it."""
    if what == "save":
        if any(node["node-name"] == "snapshot" for node in qmp.command("query-named-block-nodes")):
            qmp.job("snapshot-delete", tag="one", devices=["snapshot"])
        else:
            make_snapshot_disk(qmp, folder)
    qmp.job(f"snapshot-{what}", tag="one", vmstate="snapshot", devices=["snapshot"])
    return b"saved\n" if what == "save" else b"loaded\n"


def dump(qmp, path, device=None):
    """Saves a screen as PPM: that of the device with this id, or the first one."""
    qmp.command("screendump", filename=os.path.abspath(path), **({"device": device} if device else {}))


def view(qmp, events, updates, folder):
    """Connects a VNC viewer that disturbs the machine with input events; saves screen dumps and snapshots in
    between. Then waits until the viewer has received that many screen updates. Returns their number, which is less if the
    updates cease."""
    def between(number):
        if number % 200 == 199:
            dump(qmp, os.path.join(folder, "viewer.ppm"))
        if number % 500 == 499:
            with stopped(qmp):
                snapshot(qmp, "load" if number % 2000 == 1499 else "save", folder)
    looks = viewer.connect(qmp)
    viewer.disturb(looks, events, between)
    viewer.await_updates(looks, updates)
    return f"{looks.updates}\n".encode()


def still(qmp, device, seconds, limit, folder, pause=1.0):
    """Waits until a screen has not changed for some seconds; gives up after `limit` seconds. Returns true if it rests."""
    path, last, since = os.path.join(folder, "still.ppm"), None, time.monotonic()
    end = since + limit
    while time.monotonic() < end:
        dump(qmp, path, device)
        with open(path, "rb") as file:
            now = file.read()
        if now != last:
            last, since = now, time.monotonic()
        elif time.monotonic() >= since + seconds:
            os.unlink(path)
            return True
        time.sleep(pause)
    return False


def do(qmp, words, folder, slowdown=1):
    """Executes a request and returns the answer: "done" unless listed here, "refused: REASON" after an error.

    qom-set PATH PROPERTY VALUE  the value is a string, or true or false
    qom-get PATH PROPERTY        answers the value
    screendump FILE [DEVICE]     saves a screen (PPM) in the folder of the logs: that of the device with this id, or the first one
    still DEVICE SECONDS LIMIT   waits until that screen has not changed for SECONDS, at most LIMIT seconds; answers "still" or "restless"
    snapshot save, snapshot load answer "saved" and "loaded"
    viewer EVENTS UPDATES        answers the number of screen updates, see view()
    slowdown                     answers the factor by which the guest multiplies its time limits
    results SUITE                needs no action here
    COMMAND [JSON]               any other QMP command, with its arguments"""
    try:
        if words[0] == "qom-set":
            path, name, value = words[1:]
            qmp.command("qom-set", path=path, property=name, value={"true": True, "false": False}.get(value, value))
        elif words[0] == "qom-get":
            path, name = words[1:]
            return f"{qmp.command('qom-get', path=path, property=name)}\n".encode()
        elif words[0] == "screendump":
            name, *more = words[1:]
            device, = more or [None]
            dump(qmp, os.path.join(folder, os.path.basename(name)), device)
        elif words[0] == "still":
            device, seconds, limit = words[1:]
            return b"still\n" if still(qmp, device, int(seconds), int(limit) * slowdown, folder) else b"restless\n"
        elif words[0] == "snapshot":
            return snapshot(qmp, words[1], folder)
        elif words[0] == "viewer":
            return view(qmp, int(words[1]), int(words[2]), folder)
        elif words[0] == "slowdown":
            return f"{slowdown}\n".encode()
        elif words[0] != "results":
            qmp.command(words[0], **json.loads(" ".join(words[1:]) or "{}"))
        return b"done\n"
    except (OSError, RuntimeError, ValueError) as error:
        return f"refused: {' '.join(str(error).split())}\n".encode()
