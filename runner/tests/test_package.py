# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of Pixmill's Debian package (scripts/package) in root file systems of Debian's releases."""

import glob
import json
import os
import shutil
import subprocess
import unittest

from pixmill.places import CACHE, REPO
from tests import setting
from tests.files import Test, empty, written

COMMANDS = ("pixmill", "pixmill-demo", "pixmill-export", "pixmill-results", "pixmill-run")
USER = 4711


class Root:
    """An unpacked root file system in which programs can run."""

    def __init__(self, folder, archive, guest):
        self.folder, self.guest = folder, guest
        empty(folder)
        subprocess.run(["tar", "-C", folder, "-xf", archive, "--exclude=./dev/*"], check=True)
        os.makedirs(os.path.join(folder, "guest"))
        os.makedirs(self.home)
        os.chown(self.home, USER, USER)

    @property
    def home(self):
        return os.path.join(self.folder, "home", "a user")

    def run(self, *command, user=0):
        """Runs a command, as root in / or as a user in the home folder, and kills all processes that it leaves."""
        enter = ('mount --bind /dev "$1/dev" && mount --bind "$2" "$1/guest" && mount -o remount,bind,ro "$1/guest" && '
                 'mount -t proc proc "$1/proc" && shift 2 && exec "$@"')
        path = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games" if user else "/usr/sbin:/usr/bin:/sbin:/bin"  # as after a login
        environment = {"PATH": path, "HOME": "/home/a user" if user else "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        chroot = shutil.which("chroot", path="/usr/sbin:/sbin")  # not in a user's PATH
        into = [chroot, *([f"--userspec={user}:{user}"] if user else []), self.folder, "/bin/sh", "-c", 'cd "$HOME" && exec "$@"', "sh"]
        return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, "sh", self.folder, self.guest,
                               *into, *command],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=environment)

    def install(self, deb):
        shutil.copy(deb, os.path.join(self.folder, "pixmill.deb"))
        return self.run("apt-get", "install", "--yes", "--no-install-recommends", "/pixmill.deb")

    def qemus(self):
        """Returns the targets of the QEMUs in the package."""
        place = os.path.join(self.folder, "usr/lib/pixmill/bin")
        return {name.removeprefix("qemu-system-") for name in os.listdir(place) if name.startswith("qemu-system-")}

    def files(self):
        """Returns the files in folders to which packages install. Paths are relative to the root, since the path of
        a clone may contain "pixmill"."""
        return {os.path.join(os.path.relpath(place, self.folder), name)
                for top in ("usr", "etc", "opt") for place, _, names in os.walk(os.path.join(self.folder, top)) for name in names}


def ends(ended, status, *words):
    """Checks the exit status, and that stdout has these words."""
    assert ended.returncode == status, ended
    for word in words:
        assert word in ended.stdout, (word, ended)


def version():
    return subprocess.run([os.path.join(REPO, "scripts", "qemu", "version")], capture_output=True, text=True, check=True).stdout.strip()


class PackageTest(Test):
    def test_lintian_has_no_error(self):
        """Errors that the package overrides, with reasons, do not count."""
        told = subprocess.run(["lintian", "--allow-root", "--no-cfg", "--fail-on", "error", "--tag-display-limit", "0",
                               setting.needed("PACKAGE")], capture_output=True, text=True, check=False)
        written(self.path("lintian.log"), told.stdout + told.stderr)
        assert told.returncode == 0, told.stdout

    def test_has_no_path_of_the_build(self):
        """Checks the list of files; their owner must be root."""
        listed = subprocess.run(["dpkg-deb", "--contents", setting.needed("PACKAGE")], capture_output=True, text=True, check=True).stdout
        assert "./usr/lib/pixmill/share/pixmill/installed" in listed, listed
        assert not [line for line in listed.splitlines() if REPO in line or not line.split()[1] == "root/root"], listed


class InstalledTest:
    """Tests that share the root file system of a release. It is removed if all tests pass."""
    in_one_shard = True
    release = ""
    root = installed = None
    failed = False

    def setUp(self):
        super().setUp()
        setting.superuser()
        cls = type(self)
        package, archive, guest = setting.needed("PACKAGE"), setting.root_of(cls.release), setting.guest("sabrelite", "6.12")
        if cls.root is None:
            root = Root(os.path.join(setting.out(), "package", cls.release), archive, guest)
            cls.before, cls.root = root.files(), root
        if cls.installed is None:
            cls.installed = cls.root.install(package)

    def run(self, result=None):
        result = super().run(result)
        type(self).failed = not result.wasSuccessful()
        return result

    @classmethod
    def tearDownClass(cls):
        if cls.root and not cls.failed:
            shutil.rmtree(cls.root.folder)

    def test_installs(self):
        ends(self.installed, 0, "Setting up pixmill")
        assert " to remove" not in self.installed.stdout or ", 0 to remove" in self.installed.stdout, self.installed.stdout

    def test_commands_know_help(self):
        for name in COMMANDS:
            ends(self.root.run(name, "--help", user=USER), 0, f"usage: {name}")
        ended = self.root.run("pixmill-run", "--nosuch", user=USER)
        ends(ended, 2)
        assert "see pixmill-run --help" in ended.stderr, ended
        for page in glob.glob(os.path.join(self.root.folder, "usr/share/man/man1/pixmill*")):
            assert os.path.exists(page), f"{page} leads nowhere"

    def test_qemu_names_its_commit(self):
        assert "arm" in self.root.qemus(), self.root.qemus()
        for name in self.root.qemus():
            ends(self.root.run(f"pixmill-qemu-system-{name}", "--version", user=USER), 0, f"({version()})")
        ends(self.root.run("pixmill", "--version"), 0, version())

    def test_machines_are_there(self):
        ended = self.root.run("pixmill-qemu-system-arm", "-M", "help", user=USER)
        ends(ended, 0, *(f"{name} " for name in ("sabrelite", "am57xx", "gr5526", "imxrt1170")))
        if "aarch64" in self.root.qemus():
            ends(self.root.run("pixmill-qemu-system-aarch64", "-M", "help", user=USER), 0, "imx8mp-evk ")

    def test_a_pc_finds_its_firmware(self):
        if "i386" not in self.root.qemus():
            raise unittest.SkipTest("the package was made without the Geode LX")
        ended = self.root.run("sh", "-c", "echo quit | pixmill-qemu-system-i386 -M pc -cpu pentium3 -vga none -device geode-lx-video "
                              "-nic none -display none -monitor stdio", user=USER)
        ends(ended, 0)
        assert not ended.stderr, ended.stderr

    def test_a_user_makes_a_guest(self):
        """Makes a guest with a PATH without sbin. Debian's packages are copied from this clone's cache, if it has
        them."""
        if not glob.glob(os.path.join(glob.escape(CACHE), "guest", "trixie-*")):
            raise unittest.SkipTest(f"there are no packages in {CACHE}/guest")
        cache = os.path.join(self.root.home, ".cache", "pixmill")
        shutil.copytree(os.path.join(CACHE, "guest"), os.path.join(cache, "guest"), dirs_exist_ok=True)
        subprocess.run(["chown", "-R", f"{USER}:{USER}", os.path.dirname(cache)], check=True)
        ends(self.root.run("pixmill-export", "sabrelite", "6.12", "exported", user=USER), 0, "Making the initramfs (6.12): done")

    def test_when_it_is_removed_nothing_is_left(self):
        """Runs last because of its name, since a later test would install the package again."""
        type(self).installed = None
        ends(self.root.run("apt-get", "purge", "--yes", "pixmill"), 0)
        left = {path for path in self.root.files() - self.before if "pixmill" in path}
        assert not left, left


class Debian12Test(InstalledTest, Test):
    release = "bookworm"


class Debian13Test(InstalledTest, Test):
    release = "trixie"

    def test_firmware_draws(self):
        """Uses the firmware and pictures in the package."""
        ended = self.root.run("pixmill-demo", "--board", "imxrt1170", user=USER)
        ends(ended, 0, "All passed")
        assert os.path.exists(os.path.join(self.root.home, "pixmill-out", "imxrt1170-scene.png"))

    def test_a_guest_boots(self):
        ended = self.root.run("pixmill-run", "--guest", "/guest", "--suite", "libdrm", user=USER)
        ends(ended, 0, "passed  libdrm: etnaviv_2d_test", "verdict: passed")
        path, = glob.glob(os.path.join(glob.escape(self.root.home), "pixmill-out/run/*/results.json"))
        with open(path, encoding="utf-8") as file:
            assert version() in json.load(file)["qemu"]
