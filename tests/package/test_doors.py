# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands that README and docs name, on fresh machines: usage: test_doors.py BUILT DOWNLOADS OUT SUITE=ARCHIVE...

An ARCHIVE is a root file system that scripts/lib/roots.bash has made, without a package of ours; in it lie clones of this
tree, of users who log in: the superuser, one who may use sudo, one who may not, whose clone has a blank in its path. What is
tested is packages and PATH: where a command has got all that and begins to compile for minutes, it is interrupted. BUILT is a
folder with qemu/qemu-system-arm and guest/sabrelite-6.12, for real runs; of DOWNLOADS, a cache (PIXMILL_CACHE), the clones
have copies. Needs root, and the network for packages. Prints a line for each case and, last, the counts.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(TREE, "runner", "tests"))

import cases  # noqa: E402

QEMU = "--qemu /built/qemu/qemu-system-arm"
GUEST = "--guest /built/guest/sabrelite-6.12"

# What must be installed before it: packages that its refusal names. Of those who may not install anything.
REFUSED = (
    ("scripts/demo", "ninja-build cpio kmod"), ("scripts/demo --scene 2d", "ninja-build"), ("scripts/demo --board gr5526", "ninja-build"),
    ("scripts/run", "ninja-build cpio kmod"), ("scripts/bench", "libbenchmark-dev"), ("scripts/test unit", "libgtest-dev"),
    ("scripts/soak fuzz=1000", "clang libgtest-dev"), ("scripts/tidy", "clang-tidy"), ("scripts/results --help", "python3"),
    ("scripts/package", "mmdebstrap"), ("scripts/qemu/build", "ninja-build libglib2.0-dev"), ("scripts/qemu/fetch", "python3"),
    ("scripts/guest/fetch sabrelite 6.12", "python3"), ("scripts/guest/userland sabrelite 6.12 gles2", "g++-arm-linux-gnueabihf libegl-dev"),
    ("scripts/guest/firmware gr5526", "gcc-arm-none-eabi"), ("scripts/guest/export sabrelite 6.12 /tmp/x", "kmod g++-arm-linux-gnueabihf"),
    ("scripts/guest/kernel 6.12", "flex bison"), (".ci/run", "ninja-build"))

# COMMAND, and the line at which it is interrupted, if it is: then it has its packages, and what comes would take minutes.
COMMANDS = (
    ("scripts/run --list", ""), ("scripts/results --help", ""), ("scripts/qemu/fetch", ""), ("scripts/guest/fetch sabrelite 6.12", ""),
    ("scripts/guest/initramfs sabrelite 6.12 --bare", ""), (f"scripts/run {QEMU} --suite libdrm", ""),
    (f"scripts/run {QEMU} --suite perfmon", ""), ("scripts/guest/export sabrelite 6.12 exported", ""),
    ("scripts/guest/firmware gr5526", ""), ("scripts/guest/userland sabrelite 6.12 gles2", "Drawing the scenes of gles2"),
    ("scripts/qemu/build", "Building qemu"), ("scripts/demo", "Building qemu"), ("scripts/demo --scene 2d", "Building qemu"),
    ("scripts/demo --board gr5526", "Building qemu"), ("scripts/bench", "Building pixmill-bench"),
    ("scripts/soak fuzz=1000", "Building the tests of QEMU"), ("scripts/test unit", "Building"),
    ("scripts/package --no-gles2", "Building qemu"), ("scripts/tidy", "Building qemu"),
    ("scripts/guest/kernel 6.12", "Fetching Debian's source"))

# Of a user who may not install anything, where all is there.
UNPRIVILEGED = (
    ("scripts/run --list", ""), ("scripts/guest/fetch sabrelite 6.12", ""), ("scripts/guest/initramfs sabrelite 6.12", ""),
    (f"scripts/run {QEMU} --suite libdrm", ""), (f"scripts/run {QEMU} {GUEST} --suite libdrm --snapshot", ""),
    (f"scripts/run {QEMU} --modules build/guest/sabrelite-6.12/root/usr", ""), ("scripts/demo", "Building qemu"),
    ("scripts/guest/firmware imxrt1170 --expected", ""), ("scripts/bench", "Building pixmill-bench"))


class Machine:
    """A root file system with three users, each with a clone."""

    HOMES = {"root": "root/clone", "sudoer": "home/sudoer/clone", "user": "home/user/a clone"}
    SETUP = ("useradd -m -s /bin/bash sudoer; useradd -m -s /bin/bash user; mkdir -p /etc/sudoers.d /built; "
             "echo 'sudoer ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/sudoer")

    def __init__(self, folder, archive, built, downloads):
        self.folder, self.built = folder, built
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.run(["tar", "-C", folder, "-xf", archive, "--exclude=./dev/*"], check=True)
        shutil.copyfile("/etc/resolv.conf", os.path.join(folder, "etc", "resolv.conf"))
        self.enter(["sh", "-ec", self.SETUP], 600)
        for name, home in self.HOMES.items():
            clone = os.path.join(folder, home)
            subprocess.run(["git", "-c", "safe.directory=*", "clone", "-q", "--no-hardlinks", TREE, clone], check=True)
            cache = os.path.join(folder, os.path.dirname(home), ".cache", "pixmill")
            os.makedirs(cache)
            for part in ("guest", "qemu", "meson", "ccache"):
                if os.path.isdir(os.path.join(downloads, part)):
                    shutil.copytree(os.path.join(downloads, part), os.path.join(cache, part), symlinks=True)
            self.enter(["chown", "-R", f"{name}:", "/" + os.path.dirname(home)], 600)

    def enter(self, words, seconds, until=""):
        """Runs it in there; what is left when it ends is killed. (status, output); interrupted at that line, if there is one."""
        enter = ('mount --bind /dev "$1/dev" && mkdir -p "$1/built" && mount --bind "$2" "$1/built" && mount -o remount,bind,ro "$1/built" && '
                 'mount -t proc proc "$1/proc" && cd / && root=$1 && shift 2 && exec chroot "$root" "$@"')
        with subprocess.Popen(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, "sh", self.folder, self.built,
                               *words], env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True) as process:
            late = threading.Timer(seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
            late.start()
            said = []
            for line in process.stdout:
                said.append(line)
                if until and until in line:
                    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
                    until = ""
            late.cancel()
        return process.returncode, "".join(said)

    def log_in(self, name, command, until="", seconds=3600):
        """As after a login, with the PATH that Debian gives."""
        clone = "/" + self.HOMES[name]
        return self.enter(["su", "-", name, f"--session-command=cd '{clone}' && exec {command}"], seconds, until)


def needs_no_path(machine):
    """The login's PATH has no sbin, or nothing here is worth its name."""
    _, said = machine.log_in("user", "sh -c 'echo $PATH'")
    assert "sbin" not in said and "/usr/bin" in said, said


def is_refused(machine, name, command, packages):
    status, said = machine.log_in(name, command)
    line, = [line for line in said.splitlines() if line.startswith("pixmill:")] or [said]
    assert status == 2, (status, said)
    assert re.search(r"packages are missing.*as root: apt-get install ", line), said
    assert not set(packages.split()) - set(line.split()), (packages, said)
    assert "not found" not in said and "Traceback" not in said, said


def works(machine, name, command, until):
    status, said = machine.log_in(name, command, until)
    assert status == (130 if until else 0), (status, said[-2000:])
    assert until in said and "not found" not in said and "Traceback" not in said, said[-2000:]


def case(machine, function, *words):
    def called():
        function(machine, *words)
    called.__name__ = f"{os.path.basename(machine.folder)}: {function.__name__} {' '.join(words[:2])}"
    return called


def installs_sudo(machine):
    status, said = machine.log_in("root", "apt-get install -y --no-install-recommends sudo git ca-certificates")
    assert status == 0, said


def with_yes(command):
    """Options of scripts/run may end with "--"; all know --yes as their first."""
    script, _, words = command.partition(" ")
    return f"{script} --yes {words}"


def of_a_user(machine):
    """Who may use sudo, and then who may not."""
    yield case(machine, needs_no_path)
    for command, packages in REFUSED:
        yield case(machine, is_refused, "user", command, packages)
    yield case(machine, installs_sudo)
    for command, packages in REFUSED[:2]:
        yield case(machine, is_refused, "sudoer", command, packages)
        yield case(machine, is_refused, "user", with_yes(command), packages)
    for command, until in COMMANDS:
        yield case(machine, works, "sudoer", with_yes(command), until)
    for command, until in UNPRIVILEGED:
        yield case(machine, works, "user", command, until)
        yield case(machine, works, "user", command, until)


def of_the_superuser(machine):
    for command, until in COMMANDS:
        yield case(machine, works, "root", command, until)


def main():
    built, downloads, out, *archives = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    status = 0
    for archive in archives:
        release, _, path = archive.partition("=")
        for who, chosen in (("user", of_a_user), ("root", of_the_superuser)):
            folder = os.path.join(os.path.realpath(out), f"{release}-{who}")
            ended = cases.run("doors", chosen(Machine(folder, path, built, downloads)))
            status = max(status, ended)
            if not ended:
                shutil.rmtree(folder)
    return status


if __name__ == "__main__":
    sys.exit(main())
