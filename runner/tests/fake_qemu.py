#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Stands in for QEMU in tests of the front end: speaks QMP, then plays the script in the environment's FAKE_GUEST, or, if there is
none, the one that the kernel has behind the line FAKE_GUEST.

Its lines:
    print TEXT      a line of the console
    word TEXT       the same without an end of line
    stderr TEXT     a line of QEMU's own
    echo            a line of the console: "got" and what has been typed
    sleep SECONDS
    unanswered      an exit with status 9 if anything has been typed within half a second
    results SUITE STATUS NAME...
                    results of a suite with these cases, each with that status, and its end
    port            what follows of results comes over their own channel
    once FILE       if there is no such file: makes it, and all results that follow have status 1
    first FILE LINE LINE, if there is no such file, which is made
    starve          waits for a processor, which others want, for half a second
    keep FILE       copies its initramfs there
    capture CORE FILE
                    that file is the capture of a core, wherever its command line wants captures
    exit STATUS
    kill SIGNAL     itself
    hang            until it is killed
After the last line it exits with 0. FAKE_COMMAND names a file that gets its command line, FAKE_FILES a folder whose files come
along with results, in the place of those of the same name.
"""

import base64
import io
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import tarfile
import time


def archive(status, names):
    """What the guest's init sends of a suite."""
    files = {"ended": b"", "cases": "".join(f"{status} {name}\n" for name in names).encode(),
             "kernel.log": os.environ.get("FAKE_LOG", "").encode(), "kernel.log.before": b"0"}
    files.update({f"{name}.log": b"the last words of " + name.encode() + b"\n" for name in names})
    for folder in filter(None, [os.environ.get("FAKE_FILES")]):
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = file.read()
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return base64.encodebytes(whole.getvalue())


def script():
    if "FAKE_GUEST" in os.environ:
        return os.environ["FAKE_GUEST"]
    with open(sys.argv[sys.argv.index("-kernel") + 1], "rb") as file:
        return file.read().partition(b"FAKE_GUEST\n")[2].decode()


def starve(seconds):
    """Until this thread has stood in the run queue of its only processor for so long."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]

    def waited():
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9

    begun = waited()
    while waited() - begun < seconds:
        pass
    for other in others:
        other.kill()
        other.wait()


def main():
    if "FAKE_COMMAND" in os.environ and "--version" not in sys.argv:
        with open(os.environ["FAKE_COMMAND"], "w", encoding="utf-8") as file:
            file.write("\n".join(sys.argv))
    if "--version" in sys.argv:
        print("QEMU emulator version 0.0 (fake)")
        return
    ends = dict(re.findall(r"id=(\w+),fd=(\d+)", " ".join(sys.argv)))
    qmp, console, port = (socket.socket(fileno=int(ends[name])) for name in ("qmp", "console", "results"))
    qmp.sendall(b"{}\n")
    qmp.recv(4096)
    qmp.sendall(b'{"return": {}}\n')
    forced, channel = None, console
    for line in script().splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "first":
            path, _, rest = rest.partition(" ")
            if os.path.exists(path):
                continue
            with open(path, "w", encoding="ascii"):
                word, _, rest = rest.partition(" ")
        if word == "print":
            console.sendall(rest.encode() + b"\r\n")
        elif word == "word":
            console.sendall(rest.encode())
        elif word == "echo":
            console.sendall(b"got " + console.recv(4096).strip() + b"\r\n")
        elif word == "unanswered":
            if select.select([console], [], [], 0.5)[0]:
                sys.exit(9)
        elif word == "port":
            channel = port
        elif word == "stderr":
            print(rest, file=sys.stderr, flush=True)
        elif word == "sleep":
            time.sleep(float(rest))
        elif word == "starve":
            starve(0.5)
        elif word == "results":
            suite, status, *names = rest.split()
            channel.sendall(b"pixmill: results " + suite.encode() + b"\n" + archive(forced or status, names) + b"pixmill: end of results\n")
        elif word == "once":
            forced = None if os.path.exists(rest) else "1"
            with open(rest, "w", encoding="ascii"):
                pass
        elif word == "keep":
            shutil.copyfile(sys.argv[sys.argv.index("-initrd") + 1], rest)
        elif word == "capture":
            core, source = rest.split(maxsplit=1)
            for path in re.findall(r"(?m)\.x-capture=(.*)$", "\n".join(sys.argv)):
                shutil.copyfile(source, path.replace("%n", core))
        elif word == "exit":
            sys.exit(int(rest))
        elif word == "kill":
            os.kill(os.getpid(), int(rest))
        elif word == "hang":
            time.sleep(3600)


if __name__ == "__main__":
    main()
