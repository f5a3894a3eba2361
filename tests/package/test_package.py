# SPDX-License-Identifier: GPL-2.0-or-later
"""Our Debian package in root file systems of Debian releases: usage: test_package.py DEB VERSION GUEST OUT SUITE=ARCHIVE...

VERSION is what scripts/qemu/version says; GUEST is a guest of the sabrelite; an ARCHIVE is what
scripts/lib/roots.bash has made. Needs root. In the last of them a guest boots. Prints a line for each case and, last, the counts.
"""

import glob
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "runner", "tests"))

import cases  # noqa: E402

COMMANDS = ("pixmill", "pixmill-demo", "pixmill-export", "pixmill-results", "pixmill-run")
USER = 4711


class Root:
    """A root file system that has been unpacked, and programs in it."""

    def __init__(self, folder, archive, guest):
        self.folder, self.guest = folder, guest
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.run(["tar", "-C", folder, "-xf", archive, "--exclude=./dev/*"], check=True)
        os.makedirs(os.path.join(folder, "guest"))
        os.makedirs(self.home)
        os.chown(self.home, USER, USER)

    @property
    def home(self):
        return os.path.join(self.folder, "home", "a user")

    def run(self, *command, user=0):
        """As the superuser in /, or as a user in his home. What is left when it ends is killed."""
        enter = ('mount --bind /dev "$1/dev" && mount --bind "$2" "$1/guest" && mount -o remount,bind,ro "$1/guest" && '
                 'mount -t proc proc "$1/proc" && shift 2 && exec "$@"')
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/home/a user" if user else "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        into = ["chroot", *([f"--userspec={user}:{user}"] if user else []), self.folder, "/bin/sh", "-c", 'cd "$HOME" && exec "$@"', "sh"]
        return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, "sh", self.folder, self.guest,
                               *into, *command],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=environment)

    def has_i386(self):
        return os.path.exists(os.path.join(self.folder, "usr/lib/pixmill/bin/qemu-system-i386"))

    def files(self):
        """Of the places where packages have theirs, as the root names them: a clone may itself lie in a folder "pixmill"."""
        return {os.path.join(os.path.relpath(place, self.folder), name)
                for top in ("usr", "etc", "opt") for place, _, names in os.walk(os.path.join(self.folder, top)) for name in names}


def ends(ended, status, *words):
    assert ended.returncode == status, ended
    for word in words:
        assert word in ended.stdout, (word, ended)


def lintian_has_no_error(deb, out):
    """But for those that the package's overrides name, with their reason."""
    told = subprocess.run(["lintian", "--allow-root", "--no-cfg", "--fail-on", "error", "--tag-display-limit", "0", deb],
                          capture_output=True, text=True, check=False)
    with open(os.path.join(out, "lintian.log"), "w", encoding="utf-8") as log:
        log.write(told.stdout + told.stderr)
    assert told.returncode == 0, told.stdout


def names_no_place_of_the_build(deb):
    """In scripts and texts; a program's debugging information is gone."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    listed = subprocess.run(["dpkg-deb", "--contents", deb], capture_output=True, text=True, check=True).stdout
    assert "./usr/lib/pixmill/share/pixmill/installed" in listed, listed
    assert not [line for line in listed.splitlines() if here in line or not line.split()[1] == "root/root"], listed


def installs(root, deb):
    shutil.copy(deb, os.path.join(root.folder, "pixmill.deb"))
    root.before = root.files()
    ended = root.run("apt-get", "install", "--yes", "--no-install-recommends", "/pixmill.deb")
    ends(ended, 0, "Setting up pixmill")
    assert " to remove" not in ended.stdout or ", 0 to remove" in ended.stdout, ended.stdout


def commands_know_help(root):
    for name in COMMANDS:
        ends(root.run(name, "--help", user=USER), 0, f"usage: {name}")
    ended = root.run("pixmill-run", "--nosuch", user=USER)
    ends(ended, 2)
    assert "see pixmill-run --help" in ended.stderr, ended
    for page in glob.glob(os.path.join(root.folder, "usr/share/man/man1/pixmill*")):
        assert os.path.exists(page), f"{page} leads nowhere"


def qemu_names_its_commit(root, version):
    for name in ("arm", "i386") if root.has_i386() else ("arm",):
        ends(root.run(f"pixmill-qemu-system-{name}", "--version", user=USER), 0, f"({version})")
    ends(root.run("pixmill", "--version"), 0, version)


def machines_are_there(root):
    ended = root.run("pixmill-qemu-system-arm", "-M", "help", user=USER)
    ends(ended, 0, *(f"{name} " for name in ("sabrelite", "am57xx", "gr5526", "imxrt1170")))


def a_pc_finds_its_firmware(root):
    if not root.has_i386():
        raise cases.Skip("the package has been made without the Geode LX")
    ended = root.run("sh", "-c", "echo quit | pixmill-qemu-system-i386 -M pc -cpu pentium3 -vga none -device geode-lx-video -nic none "
                     "-display none -monitor stdio", user=USER)
    ends(ended, 0)
    assert not ended.stderr, ended.stderr


def firmware_draws(root):
    """What the package has ready for boards without a kernel."""
    ended = root.run("pixmill-demo", "--board", "imxrt1170", user=USER)
    ends(ended, 0, "All passed")
    assert os.path.exists(os.path.join(root.home, "pixmill-out", "imxrt1170-scene.png"))


def a_guest_boots(root, version):
    ended = root.run("pixmill-run", "--guest", "/guest", "--suite", "libdrm", user=USER)
    ends(ended, 0, "passed  libdrm: etnaviv_2d_test", "verdict: passed")
    path, = glob.glob(os.path.join(glob.escape(root.home), "pixmill-out/run/*/results.json"))
    with open(path, encoding="utf-8") as file:
        assert version in json.load(file)["qemu"]


def nothing_is_left(root):
    ends(root.run("apt-get", "purge", "--yes", "pixmill"), 0)
    left = {path for path in root.files() - root.before if "pixmill" in path}
    assert not left, left


def case(function, *words, of=""):
    """For cases.run: with its arguments, and where it runs in its name."""
    def called():
        function(*words)
    called.__name__ = of + function.__name__
    return called


def main():
    deb, version, guest, out, *archives = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    chosen = [case(lintian_has_no_error, deb, out), case(names_no_place_of_the_build, deb)]
    for archive in archives:
        suite, _, path = archive.partition("=")
        root = Root(os.path.join(out, suite), path, guest)
        calls = [(installs, deb), (commands_know_help,), (qemu_names_its_commit, version), (machines_are_there,), (a_pc_finds_its_firmware,)]
        if archive == archives[-1]:
            calls += [(firmware_draws,), (a_guest_boots, version)]
        chosen += [case(function, root, *words, of=f"{suite}: ") for function, *words in (*calls, (nothing_is_left,))]
    status = cases.run("package", chosen)
    if status == 0:
        for archive in archives:
            shutil.rmtree(os.path.join(out, archive.partition("=")[0]))
    return status


if __name__ == "__main__":
    sys.exit(main())
