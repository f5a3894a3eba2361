# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the commands that README and docs name on fresh machines: root file systems of Debian's releases (scripts/lib/door-roots).

Three users log in there, each with a clone of this tree: root, a user with sudo, and a user without it, whose clone
has a space in its path. The tests are about packages and PATH, so a command that has everything it needs and starts
to compile is interrupted with Ctrl-C. Runs use the QEMU of PIXMILL_TEST_QEMU. Downloads are copied from this user's
cache; packages come from the network. The tests of a class run in order, on one machine.
"""

import os
import re
import shutil
import signal
import subprocess
import threading
import unittest

from pixmill.places import CACHE, REPO
from tests import setting
from tests.files import Test, empty

QEMU = "--qemu /built/qemu/qemu-system-arm"
GUEST = "--guest /built/guest"

# Commands, and packages that the error message must name for a user who cannot install any.
REFUSED = (
    ("scripts/demo", "ninja-build cpio kmod"), ("scripts/demo --scene 2d", "ninja-build kmod g++-arm-linux-gnueabihf"),
    ("scripts/demo --scene gles2 --board sabrelite", "ninja-build g++-arm-linux-gnueabihf libegl-dev"),
    ("scripts/demo --board gr5526", "ninja-build gcc-arm-none-eabi"), ("scripts/run", "ninja-build cpio kmod"), ("scripts/run --list", "python3"),
    ("scripts/run --board imx8mp --suite scene2d", "ninja-build kmod g++-aarch64-linux-gnu"), ("scripts/bench", "libbenchmark-dev"),
    ("scripts/bench --instructions", "libbenchmark-dev valgrind"), ("scripts/test unit", "libgtest-dev"),
    ("scripts/test fuzz", "clang libgtest-dev"), ("scripts/test --long latency=1", "libbenchmark-dev"), ("scripts/tidy", "clang-tidy"), ("scripts/results --help", "python3"),
    ("scripts/package", "mmdebstrap"), ("scripts/qemu/build", "ninja-build libglib2.0-dev"),
    ("env QEMU_GTK=1 scripts/qemu/build", "ninja-build libgtk-3-dev"), ("scripts/qemu/fetch", "python3"),
    ("scripts/guest/fetch sabrelite 6.12", "python3"), ("scripts/guest/userland sabrelite 6.12 gles2", "g++-arm-linux-gnueabihf libegl-dev"),
    ("scripts/guest/firmware gr5526", "gcc-arm-none-eabi"), ("scripts/guest/export sabrelite 6.12 /tmp/x", "kmod g++-arm-linux-gnueabihf"),
    ("scripts/guest/kernel 6.12", "flex bison"), (".ci/run", "ninja-build clang-tidy"))

# Commands, and the output at which they are interrupted. At that point they have their packages, and the rest would
# take minutes. With "" they run to the end. scripts/qemu/build precedes commands with --qemu, which do not install that
# QEMU's libraries.
COMMANDS = (
    ("scripts/run --list", ""), ("scripts/results --help", ""), ("scripts/qemu/fetch", ""), ("scripts/qemu/build", "Building qemu"),
    ("scripts/guest/fetch sabrelite 6.12", ""), ("scripts/guest/initramfs sabrelite 6.12 --bare", ""), (f"scripts/run {QEMU} --suite libdrm", ""),
    (f"scripts/run {QEMU} --suite perfmon", ""), ("scripts/guest/export sabrelite 6.12 exported", ""),
    ("scripts/guest/firmware gr5526", ""), ("scripts/guest/userland sabrelite 6.12 gles2", "Drawing the scenes of gles2"),
    ("scripts/demo", "Building qemu"), ("scripts/demo --scene 2d", "Building qemu"),
    ("scripts/demo --board gr5526", "Building qemu"), ("scripts/bench", "Building pixmill-bench"),
    ("scripts/test unit", "build/replay"), ("scripts/test fuzz", "build/fuzz"),
    ("scripts/package --no-gles2", "Building qemu"), ("scripts/tidy", "Building qemu"),
    ("scripts/guest/kernel 6.12", "Fetching Debian's source"))

# Commands and outputs as above, for a user who cannot install packages, on a machine that has all packages.
UNPRIVILEGED = (
    ("scripts/run --list", ""), ("scripts/guest/fetch sabrelite 6.12", ""), ("scripts/guest/initramfs sabrelite 6.12", ""),
    (f"scripts/run {QEMU} --suite libdrm", ""), (f"scripts/run {QEMU} {GUEST} --suite libdrm --snapshot", ""),
    (f"scripts/run {QEMU} --modules build/guest/sabrelite-6.12/root/usr", ""), ("scripts/demo", "Building qemu"),
    ("scripts/guest/firmware imxrt1170 --expected", ""), ("scripts/bench", "Building pixmill-bench"))


class Machine:
    """A root file system with three users, each with a clone."""

    HOMES = {"root": "root/clone", "sudoer": "home/sudoer/clone", "user": "home/user/a clone"}
    # The smallest system of some releases does not have useradd.
    SETUP = """mkdir -p /etc/sudoers.d /home
echo 'sudoer ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/sudoer
number=4711
for name in sudoer user; do
  echo "$name:x:$number:$number::/home/$name:/bin/bash" >>/etc/passwd
  echo "$name:x:$number:" >>/etc/group
  echo "$name:*:20000:0:99999:7:::" >>/etc/shadow
  number=$((number + 1))
done
"""

    ENTER = """root=$1 qemu=$2 guest=$3
shift 3
mount --bind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount --bind "$qemu" "$root/built/qemu"
mount --bind "$guest" "$root/built/guest"
mount -o remount,bind,ro "$root/built/qemu"
mount -o remount,bind,ro "$root/built/guest"
cd /
exec chroot "$root" "$@"
"""

    def __init__(self, folder, archive, qemu, guest):
        self.folder, self.built = empty(folder), {"qemu": os.path.dirname(qemu), "guest": guest}
        for name in self.built:
            os.makedirs(os.path.join(folder, "built", name))
        subprocess.run(["tar", "-C", folder, "-xf", archive, "--exclude=./dev/*"], check=True)
        shutil.copyfile("/etc/resolv.conf", os.path.join(folder, "etc", "resolv.conf"))
        self.done("sh", "-ec", self.SETUP)
        for name, home in self.HOMES.items():
            clone = os.path.join(folder, home)
            subprocess.run(["git", "-c", "safe.directory=*", "clone", "-q", "--no-hardlinks", REPO, clone], check=True)
            cache = os.path.join(folder, os.path.dirname(home), ".cache", "pixmill")
            os.makedirs(cache)
            for part in ("guest", "qemu", "meson"):
                if os.path.isdir(os.path.join(CACHE, part)):
                    shutil.copytree(os.path.join(CACHE, part), os.path.join(cache, part), symlinks=True)
            self.done("chown", "-R", f"{name}:", "/" + os.path.dirname(home))

    def done(self, *words):
        status, said = self.enter(words, 600)
        assert status == 0, said

    def enter(self, words, seconds, until=""):
        """Runs a command in the root file system and kills all processes that it leaves; Interrupts the command when
        it prints `until`. Returns (status, output)."""
        with subprocess.Popen(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", self.ENTER, "sh", self.folder,
                               self.built["qemu"], self.built["guest"], *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in case our parent ignores it
                              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}) as process:
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
        """Runs a command as after a login, with Debian's PATH."""
        clone = "/" + self.HOMES[name]
        return self.enter(["su", "-", name, f"--session-command=cd '{clone}' && exec {command}"], seconds, until)


def with_yes(command):
    """Adds --yes as the first option, where all commands accept it."""
    script, _, words = command.partition(" ")
    return f"{script} --yes {words}".strip()


def in_order(cls):
    """Decorates a class: adds a test for each row of steps() (method, user, command, more arguments of the method)."""
    for number, (method, user, command, *more) in enumerate(cls.steps()):
        def test(self, method=method, words=(user, command, *more)):
            getattr(self, method)(*words)
        test.__name__ = f"test_{number:03}_{method}_{user}_" + re.sub(r"\W+", "_", command).strip("_")
        setattr(cls, test.__name__, test)
    return cls


class MachineTest:
    in_one_shard = True
    release = ""
    machine = None
    failed = False

    def setUp(self):
        super().setUp()
        setting.superuser()
        cls = type(self)
        archive, qemu, guest = setting.root_of(cls.release), setting.needed("QEMU"), setting.guest("sabrelite", "6.12")
        if cls.machine is None:
            cls.machine = Machine(os.path.join(setting.out(), "doors", cls.__name__), archive, qemu, guest)

    def run(self, result=None):
        result = super().run(result)
        type(self).failed = not result.wasSuccessful()
        return result

    @classmethod
    def tearDownClass(cls):
        if cls.machine and not cls.failed:
            shutil.rmtree(cls.machine.folder)

    def has_no_sbin(self, user, command):
        """Checks that the login's PATH has no sbin; since otherwise these tests would prove nothing."""
        _, said = self.machine.log_in(user, command)
        assert "sbin" not in said and "/usr/bin" in said, said

    def installs(self, user, command):
        status, said = self.machine.log_in(user, command)
        assert status == 0, said

    def is_refused(self, user, command, packages):
        status, said = self.machine.log_in(user, command)
        line, = [line for line in said.splitlines() if line.startswith("pixmill:")] or [said]
        assert status == 2, (status, said)
        assert re.search(r"packages are missing.*as root: apt-get install ", line), said
        assert not set(packages.split()) - set(line.split()), (packages, said)
        assert "not found" not in said and "Traceback" not in said, said

    def works(self, user, command, until):
        status, said = self.machine.log_in(user, command, until)
        assert status == (130 if until else 0), (status, said[-2000:])
        assert until in said and "not found" not in said and "Traceback" not in said, said[-2000:]


class OfUsers(MachineTest):
    """Tests of a user with sudo and of a user without it."""

    @staticmethod
    def steps():
        yield "has_no_sbin", "user", "sh -c 'echo $PATH'"
        for command, packages in REFUSED:
            yield "is_refused", "user", command, packages
        yield "installs", "root", "apt-get install -y --no-install-recommends sudo git ca-certificates"
        for command, packages in REFUSED[:2]:
            yield "is_refused", "sudoer", command, packages
            yield "is_refused", "user", with_yes(command), packages
        for command, until in COMMANDS:
            yield "works", "sudoer", with_yes(command), until
        for again in ("", " "):  # a second run
            for command, until in UNPRIVILEGED:
                yield "works", "user", command + again, until


class OfTheSuperuser(MachineTest):
    @staticmethod
    def steps():
        yield "installs", "root", "apt-get install -y --no-install-recommends git ca-certificates"
        for command, until in COMMANDS:
            yield "works", "root", command, until


@in_order
class Debian12UsersTest(OfUsers, Test):
    release = "bookworm"


@in_order
class Debian12RootTest(OfTheSuperuser, Test):
    release = "bookworm"


@in_order
class Debian13UsersTest(OfUsers, Test):
    release = "trixie"


@in_order
class Debian13RootTest(OfTheSuperuser, Test):
    release = "trixie"


if __name__ == "__main__":
    unittest.main()
