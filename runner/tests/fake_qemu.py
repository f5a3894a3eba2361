#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Replaces QEMU in tests of the runner: speaks QMP, then executes the script in the environment variable FAKE_GUEST or else in the
kernel file, after its line FAKE_GUEST.

Lines of a script:
    print TEXT      prints a line to the console
    word TEXT       prints to the console without a newline
    stderr TEXT     prints a line to stderr
    echo            reads input from the console and prints it after "got"
    sleep SECONDS
    unanswered      exits with status 9 if input arrives within half a second
    results SUITE STATUS NAME...
                    sends complete results of a suite with these cases, each with that status
    port            sends further results over their own channel
    once FILE       creates the file and gives status 1 to all further results, unless the file exists
    first FILE<TAB>LINE
                    creates the file and executes LINE, unless the file exists
    starve          competes for a CPU until it has waited for half a second
    keep FILE       copies its initramfs to the file
    capture CORE FILE
                    copies the file to each place where the command line wants a capture, as that of the core
    exit STATUS
    kill SIGNAL     sends the signal to itself
    hang            waits to be killed
After the last line it exits with 0. FAKE_COMMAND names a file for its command line, FAKE_FILES a folder with files to add to the
results, replacing those with the same name.
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
    """Makes an archive of a suite's results as the guest's init sends it."""
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
    """Competes for one CPU until this thread has been in its run queue for `seconds`."""
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


class Output:
    """The console if it is a file, for output only."""

    def __init__(self):
        path, = re.findall(r"file,id=console,path=(\S+)", " ".join(sys.argv))
        self.file = open(path, "wb", buffering=0)  # pylint: disable=consider-using-with

    def sendall(self, text):
        self.file.write(text)


def main():
    if "FAKE_COMMAND" in os.environ and "--version" not in sys.argv:
        with open(os.environ["FAKE_COMMAND"], "w", encoding="utf-8") as file:
            file.write("\n".join(sys.argv))
    if "--version" in sys.argv:
        print("QEMU emulator version 0.0 (fake)")
        return
    ends = dict(re.findall(r"id=(\w+),fd=(\d+)", " ".join(sys.argv)))
    qmp, port = (socket.socket(fileno=int(ends[name])) for name in ("qmp", "results"))
    console = socket.socket(fileno=int(ends["console"])) if "console" in ends else Output()
    qmp.sendall(b"{}\n")
    qmp.recv(4096)
    qmp.sendall(b'{"return": {}}\n')
    forced, channel = None, console
    for line in script().splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "first":
            path, _, rest = rest.partition("\t")  # a path may contain spaces
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
