# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the packages that commands need, and of the commands' options. Run python3 -m unittest tests.test_prepare
in the folder runner."""

import contextlib
import gzip
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from pixmill import bench, boards, catalog, demo, guest_files, kernel_files, long, nearest, prepare, run, test
from pixmill.failure import Failure, Status
from pixmill.options import Parser
from pixmill.places import REPO, SCRIPTS, SUITES
from tests.files import initramfs, tree, written, zimage

COMMON = shlex.quote(os.path.join(SCRIPTS, "lib", "common.bash"))


def ended(*words, **environment):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def asked_without_python(case, *words):
    """Returns the arguments with which a command calls scripts/install-packages on a machine without Python."""
    with tempfile.TemporaryDirectory() as folder:
        asked = written(os.path.join(folder, "asked"), b'#!/bin/sh\necho "$@"\nexit 2\n')
        os.chmod(asked, 0o755)
        told = ended("unshare", "-rm", "sh", "-ec", 'mount --bind /dev/null /usr/bin/python3; mount --bind "$1" "$2"; shift 2; exec "$@"', "sh",
                     asked, os.path.join(SCRIPTS, "install-packages"), os.path.join(SCRIPTS, "lib", "pixmill"), *words)
    if "unshare" in told.stderr or "mount:" in told.stderr:
        case.skipTest(f"no file can be hidden here: {told.stderr.strip()}")
    case.assertEqual((told.returncode, told.stderr), (2, ""))
    return told.stdout.split()


class Table(unittest.TestCase):
    """Tests of scripts/packages."""

    def setUp(self):
        with open(os.path.join(SCRIPTS, "packages"), encoding="utf-8") as file:
            table, self.lists = re.split(r"(?m)^(?=\[)", file.read(), maxsplit=1)
        self.commands = dict(re.findall(r"(?m)^([\w/-]+): (.+)$", table))
        self.groups = re.findall(r"(?m)^\[([\w-]+)\] \w", self.lists)

    def test_names_are_unique(self):
        names = [*self.commands, *self.groups]
        self.assertEqual(len(names), len(set(names)))

    def test_commands_name_existing_groups(self):
        for command, words in self.commands.items():
            self.assertLessEqual(set(words.split()), {*self.commands, *self.groups}, command)

    def test_commands_are_scripts(self):
        for command in self.commands:
            if not command.startswith(("userland/", "test/", "bench/")):
                self.assertTrue(os.access(os.path.join(SCRIPTS, command), os.X_OK), command)

    def test_each_group_is_sorted(self):
        for group in re.split(r"(?m)^\[.*\n", self.lists)[1:]:
            self.assertEqual(group.split(), sorted(set(group.split())))

    def test_each_userland_has_its_packages(self):
        for board in map(boards.board, boards.names()):
            folder = os.path.join(board.folder, "userland")
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                self.assertIn(f"userland/{name}", self.commands)

    def test_scripts_ask_for_what_they_name(self):
        """A command in the table must ask for packages by its name, or run the runner, which does so."""
        for command in self.commands:
            if not command.startswith(("userland/", "test/", "bench/", "guest/userland", "results")):
                with open(os.path.join(SCRIPTS, command), encoding="utf-8") as file:
                    text = file.read()
                self.assertTrue(f"needs {command}" in text or "/lib/pixmill" in text, command)

    def test_the_test_suites_have_packages(self):
        self.assertLessEqual({f"test/{name}" for name in test.SUITES}, set(self.commands))
        self.assertEqual(set(self.commands["test"].split()), {f"test/{name}" for name in test.SUITES if name not in test.ASKED})

    def test_the_parts_of_long_tests_have_packages(self):
        """Only the packages of the named parts must be needed."""
        self.assertEqual({name for name in self.commands if name.startswith("test/long/")}, {f"test/long/{part}" for part in long.PARTS})
        self.assertEqual(test.needed(test.options(["--long", "fuzz=1000", "latency"])), ["test/long/fuzz", "test/long/latency"])
        self.assertEqual(len(test.needed(test.options(["--long"]))), len(long.PARTS))
        self.assertIn("bench/instructions", test.needed(test.options(["--thorough", "runner"])))

    def test_a_part_of_long_tests_is_no_suite(self):
        for word in ("fuzz=1000", "latency"):
            with self.assertRaises(Failure) as caught:
                test.options([word])
            self.assertIn(f"run scripts/test --long {word}", caught.exception.text())

    def test_the_needs_of_commands_are_known_without_python(self):
        """All packages must be named at once, so that the administrator is needed only once."""
        every = " ".join(name for name in self.commands if name.startswith("test/long/"))
        for words, names in (("run --list", "python"), ("demo --help", "python"), ("results --help", "python"), ("test --long -h", "python"),
                             ("results out", "python results"), ("bench --instructions", "python bench/instructions"), ("test", "python"),
                             ("run --program x -- --suite scene2d", "python qemu guest"), ("run --yes --qemu q --guest=g", "--yes python"),
                             ("run --suite scene2d --suite=all", "python qemu guest suite/sabrelite/scene2d suite/sabrelite/all"),
                             ("demo --yes --scene 2d", "--yes python qemu guest suite/sabrelite/scene2d"),
                             ("demo --desktop --display", "python qemu guest suite/sabrelite/desktop-show"), ("demo --board gr5526", "python qemu firmware"),
                             ("demo --board imxrt1170 --firmware x", "python qemu"), ("run --suite nosuite --board noboard", "python qemu guest"),
                             ("test unit --yes fuzz", "--yes python test/unit test/fuzz"), ("test fuzz --coverage", "python test/fuzz test/coverage"),
                             ("test --long latency=1 fuzz", "python test/long/latency test/long/fuzz"),
                             ("test fuzz=1000 --long --again", "python test/long/fuzz"), ("test --long", f"python {every}")):
            self.assertEqual(asked_without_python(self, *words.split()), names.split(), words)

    def test_unknown_names_are_told(self):
        told = ended(os.path.join(SCRIPTS, "install-packages"), "nogroup")
        self.assertEqual((told.returncode, "there is no group of packages nogroup" in told.stderr), (2, True))


class Architectures(unittest.TestCase):
    """Tests of scripts/lib/architectures."""

    def test_scripts_and_the_runner_read_the_same(self):
        told = ended("bash", "-c", f'. {COMMON}; for board; do arch=$(arch_of "$board"); say "$board $arch '
                     '$(qemu_target_of "$board") $(triplet_of "$arch")"; done', "bash", *boards.names())
        words = {board.name: [board.name, board.arch.debian, board.target, board.arch.triplet] for board in map(boards.board, boards.names())}
        self.assertEqual([line.split() for line in told.stdout.splitlines()], list(words.values()), told)
        self.assertEqual([words[name][1:] for name in ("sabrelite", "imx8mp", "geode-lx")],
                         [["armhf", "arm", "arm-linux-gnueabihf"], ["arm64", "aarch64", "aarch64-linux-gnu"], ["i386", "i386", "i386-linux-gnu"]])

    def test_all_are_known_to_kernel_files(self):
        for arch in boards.architectures().values():
            self.assertIn(arch.processor, kernel_files.WANTED)

    def test_our_program_is_for_boards_of_etnaviv(self):
        told = ended("bash", "-c", f". {COMMON}; for board; do program_packages_of $board; done", "bash",
                     "am57xx", "imx8mp", "geode-lx")
        self.assertEqual(told.stdout, "guest-program cross-armhf\nguest-program cross-arm64\n", told)


class Install(unittest.TestCase):
    """Tests of scripts/install-packages, with a dpkg-query that finds nothing and a sudo that refuses."""

    def setUp(self):
        if os.geteuid() == 0 and not os.path.exists("/usr/bin/setpriv"):
            self.skipTest("there is no setpriv, with which root becomes another user")
        self.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(self.folder.cleanup)
        os.chmod(self.folder.name, 0o777)
        for name in ("dpkg-query", "sudo"):
            with open(os.path.join(self.folder.name, name), "w", encoding="ascii") as file:
                file.write("#!/bin/sh\nexit 1\n")
            os.chmod(file.name, 0o755)

    def refused(self, *words, command="install-packages"):
        """Runs a command as an ordinary user, in a copy of the scripts, since that user may not be able to read this
        clone."""
        copy = os.path.join(self.folder.name, "clone")
        shutil.rmtree(copy, ignore_errors=True)
        for name in ("scripts", "board-configs", "guest/suites"):
            shutil.copytree(os.path.join(REPO, name), os.path.join(copy, name))
        written(os.path.join(copy, "build", "guest", "sabrelite-6.12", "stamp"), "")
        return self.refused_in(copy, os.path.join("scripts", command), *words)

    def refused_in(self, copy, command, *words):
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        os.makedirs(os.path.join(copy, "build"), exist_ok=True)
        os.chmod(os.path.join(copy, "build"), 0o777)
        told = ended(*user, os.path.join(copy, command), *words, PATH=f"{self.folder.name}:{os.environ['PATH']}",
                     PIXMILL_CACHE=os.path.join(self.folder.name, "cache"))
        self.assertEqual(told.returncode, 2, told)
        return told.stderr

    def test_the_container_has_the_files_for_its_packages(self):
        """ci/Containerfile.host copies a few files and runs one of them, which must not need any other file."""
        with open(os.path.join(REPO, "ci", "Containerfile.host"), encoding="utf-8") as file:
            lines = file.read().replace("\\\n", " ").splitlines()
        for *names, to in (line.split()[1:] for line in lines if line.startswith("COPY ")):
            os.makedirs(os.path.join(self.folder.name, to.strip("/")), exist_ok=True)
            for name in names:
                shutil.copy(os.path.join(REPO, name), os.path.join(self.folder.name, to.strip("/")))
        run_words, = (line.partition("&&")[0].split()[1:] for line in lines if line.startswith("RUN "))
        said = self.refused_in(os.path.join(self.folder.name, "pixmill-packages"),
                               run_words[0].removeprefix("/pixmill-packages/"), *run_words[1:])
        self.assertRegex(said, r"^pixmill: packages are missing; as root: apt-get install .*\bcpio\b.*\bninja-build\b")

    def test_one_line_says_what_to_do(self):
        line, more = self.refused("bench").splitlines()
        self.assertRegex(line, r"^pixmill: packages are missing; as root: apt-get install .*\blibbenchmark-dev\b.*\bninja-build\b")
        self.assertIn("--yes", more)

    def test_a_script_names_all_that_it_needs_at_once(self):
        """A script must name both its own packages and those for its arguments."""
        line, _ = self.refused("sabrelite", "6.12", command="guest/initramfs").splitlines()
        self.assertLessEqual({"kmod", "g++-arm-linux-gnueabihf"}, set(line.split()))
        line, _ = self.refused("sabrelite", "6.12", "--bare", command="guest/initramfs").splitlines()
        self.assertNotIn("g++-arm-linux-gnueabihf", line.split())

    def packages(self, *names):
        return set(self.refused(*names).splitlines()[0].partition("apt-get install ")[2].split())

    def test_what_suites_need(self):
        bare = self.packages("guest")
        for name, more in (("sabrelite/libdrm", ""), ("sabrelite/scene2d", "ccache g++ g++-arm-linux-gnueabihf"),
                           ("imx8mp/scene2d", "ccache g++ g++-aarch64-linux-gnu"), ("imx8mp/mesa", "g++-aarch64-linux-gnu"), ("geode-lx/all", ""),
                           ("am57xx-x15/all", ""), ("am57xx/all", "ccache g++ g++-arm-linux-gnueabihf")):
            self.assertEqual(self.packages("guest", f"suite/{name}") - bare, set(more.split()), name)
        self.assertLessEqual({"g++-arm-linux-gnueabihf", "libegl-dev"}, self.packages("suite/sabrelite/gles2"))
        self.assertLessEqual({"g++-arm-linux-gnueabihf", "weston"}, self.packages("suite/sabrelite/glmark2"))
        self.assertNotIn("weston", self.packages("suite/sabrelite/all"))
        for name in ("suite/sabrelite/nosuite", "suite/noboard/all", "suite/sabrelite/"):
            self.assertIn(f"there is no group of packages {name}", self.refused(name))

    def test_python_asks_for_no_more(self):
        """With Python, a command must ask for the same packages as without it."""
        for command, words in ((demo, ""), (demo, "--scene 2d"), (demo, "--scene=2d --board imx8mp"), (demo, "--scene gles2"),
                               (demo, "--board geode-lx"), (demo, "--board gr5526"), (run, ""), (run, "--board am57xx-idk --suite all"),
                               (run, "--board geode-lx --suite all"), (run, "--suite vg --suite glmark2"), (run, "--suite all"),
                               (run, f"--qemu {sys.executable} --suite hang"), (bench, ""), (bench, "--instructions")):
            name, words = command.__name__.rpartition(".")[2], words.split() + ["--out", os.path.join(self.folder.name, "out")] * (command is not bench)
            with self.subTest((name, *words)), mock.patch.object(sys, "argv", [name, *words]), \
                    mock.patch.object(prepare, "packages", side_effect=StopIteration) as asked:
                self.assertRaises(StopIteration, command.main)
                python, *names = asked_without_python(self, name, *words)
                self.assertEqual((python, self.packages(*names)), ("python", self.packages(*asked.call_args.args)))

    def test_a_sudo_that_refuses_is_told(self):
        self.assertIn("sudo refused", self.refused("--yes", "results"))


class Step(unittest.TestCase):
    """Tests of step() in scripts/lib/common.bash."""

    def test_it_hides_no_variable_of_a_script(self):
        """A step may be a function of the script, which sees step()'s local variables. scripts/package, for example, has a
        "place"."""
        script = f". {COMMON}; set -u; place=mine there=mine foreign=mine; tell() {{ say $place $there $foreign; }}; step Telling tell"
        with tempfile.TemporaryDirectory() as cache:
            told = ended("bash", "-c", f'{script}; cat "$logs/Telling.log"; rm "$logs/Telling.log"', PIXMILL_CACHE=cache)
        self.assertEqual((told.returncode, told.stdout.splitlines()[-1:]), (0, ["mine mine mine"]), told)


class Options(unittest.TestCase):
    """Tests of options.py."""

    def setUp(self):
        self.parser = Parser("demo")
        self.parser.add_argument("--qemu-options")
        self.parser.add_argument("--suite", action="append")
        self.parser.add_argument("--gdb", nargs="?", const="1234")
        self.parser.add_argument("--yes", action="store_true")

    def refused(self, *words):
        with self.assertRaises(Failure) as caught:
            self.parser.parse_args(words)
        self.assertEqual(caught.exception.status, Status.USAGE)
        return caught.exception.text()

    def test_a_value_may_begin_with_a_dash(self):
        self.assertEqual(self.parser.parse_args(["--qemu-options", "-s"]).qemu_options, "-s")
        self.assertEqual(self.parser.parse_args(["--qemu-options", "--yes", "--yes"]).qemu_options, "--yes")

    def test_a_value_may_be_left_out_where_it_is_optional(self):
        self.assertEqual(self.parser.parse_args(["--gdb", "--yes"]).gdb, "1234")

    def test_a_missing_value_is_told(self):
        self.assertIn("--suite needs a value", self.refused("--yes", "--suite"))

    def test_the_nearest_option_is_named(self):
        self.assertIn("unknown argument: --sute=x; the nearest is --suite", self.refused("--sute=x"))
        self.assertNotIn("nearest", self.refused("--zzz"))

    def test_every_command_names_the_nearest(self):
        for command, word, near in (("demo", "--scen", "--scene"), ("run", "--suit", "--suite"), ("bench", "--fliter", "--filter"),
                                    ("package", "--bord", "--board"), ("test", "--bord", "--board"), ("tidy", "--ys", "--yes")):
            told = ended(os.path.join(SCRIPTS, command), word)
            self.assertEqual(told.returncode, 2, told)
            self.assertIn(f"the nearest is {near}", told.stderr)

    def test_commands_that_are_not_there(self):
        told = ended(os.path.join(SCRIPTS, "lib", "pixmill"), "dmeo")
        self.assertEqual((told.returncode, "the nearest is demo" in told.stderr), (2, True), told)
        self.assertEqual(nearest.nearest("xyzzy", ["demo", "run"]), "")


class Prepare(unittest.TestCase):
    """Tests of prepare(), which derives the needs of a run from its suites."""

    def needs(self, board, *suites, **more):
        """Returns (packages, commands) that would be installed and called."""
        asked, called = [], []
        with mock.patch.object(prepare, "packages", lambda *names, yes: asked.extend(names)), \
                mock.patch.object(prepare, "call", lambda *words: called.append(words)):
            prepare.prepare(boards.board(board), "6.12", suites, **more)
        return asked, called

    def test_all_packages_are_installed_at_once(self):
        self.assertEqual(self.needs("sabrelite", "libdrm", "scene2d")[0], ["qemu", "guest", "suite/sabrelite/libdrm", "suite/sabrelite/scene2d"])
        self.assertEqual(self.needs("sabrelite")[0], ["qemu", "guest"])

    def test_the_initramfs_is_bare_unless_a_suite_needs_our_program(self):
        self.assertIn(("guest/initramfs", "sabrelite", "6.12", "--bare"), self.needs("sabrelite", "libdrm")[1])
        self.assertIn(("guest/initramfs", "sabrelite", "6.12"), self.needs("sabrelite", "libdrm", "perfmon")[1])

    def test_userlands_are_made(self):
        asked, called = self.needs("sabrelite", "gles2", "glmark2")
        self.assertEqual(asked, ["qemu", "guest", "suite/sabrelite/gles2", "suite/sabrelite/glmark2"])
        self.assertEqual(called[-2:], [("guest/userland", "sabrelite", "6.12", name) for name in ("gles2", "glmark2")])

    def test_a_given_qemu_or_guest_is_not_made(self):
        self.assertEqual(self.needs("sabrelite", "scene2d", qemu=False, guest=False), ([], []))
        asked, called = self.needs("sabrelite", "scene2d", guest=False)
        self.assertEqual((asked, called), (["qemu"], [("qemu/build", "arm")]))
        asked, called = self.needs("sabrelite", "scene2d", qemu=False)
        self.assertEqual((asked, [words[0] for words in called]), (["guest", "suite/sabrelite/scene2d"], ["guest/fetch", "guest/initramfs"]))

    def test_suites_that_run_our_program_are_found(self):
        """Fails if a suite runs the program without naming it in its text."""
        for name in os.listdir(SUITES):
            with open(os.path.join(SUITES, name), encoding="utf-8") as file:
                self.assertEqual("pixmill-guest" in file.read() or name == "versus-pixman", bool(prepare.our_programs([name])), name)

    def test_a_failure_of_a_script_is_no_failed_case(self):
        for end, told in (("exit 1", 2), ("exit 2", 2), ("exit 5", 5), ("exit 130", 130), ("kill $$", 143), ("kill -9 $$", 5), ("exit 137", 5)):
            with mock.patch.object(prepare, "SCRIPTS", "/bin"), self.assertRaises(SystemExit) as caught:
                prepare.call("sh", "-c", end)
            self.assertEqual(caught.exception.code, told)


class Refused(unittest.TestCase):
    """Tests that wrong options are refused before anything is built."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def made(self, command, *words):
        """Returns true if the command would start to build; raises Failure if it refuses."""
        with mock.patch.object(sys, "argv", [command.__name__, *words]), contextlib.redirect_stdout(io.StringIO()), \
                mock.patch.object(prepare, "packages", side_effect=StopIteration) as first:
            try:
                command.main()
            except StopIteration:
                pass
            return bool(first.mock_calls)

    def test_a_shell_leaves_no_folder(self):
        self.assertTrue(self.made(demo, "--board", "geode-lx", "--shell", "--display", "--out", self.path("out")))
        self.assertFalse(os.path.exists(self.path("out")))

    def refused(self, command, *words, status=Status.USAGE):
        with self.assertRaises(Failure) as caught:
            self.made(command, *words)
        self.assertEqual(caught.exception.status, status)
        return caught.exception.text()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def written(self, *names):
        return written(self.path(*names), b"mine\n")

    def test_a_run(self):
        out = ("--out", self.path("out"))
        self.assertTrue(self.made(run, *out))
        self.assertFalse(os.path.exists(self.path("out")))
        mine = self.written("mine", "letter")
        for words, told in ((("--out", os.path.dirname(mine)), "has no results of a run"), (("--out", "/proc/nowhere"), "cannot create"),
                            ((*out, "--qemu", "/nowhere"), "/nowhere"), ((*out, "--guest", "/nowhere"), "/nowhere has no initramfs"),
                            ((*out, "--fails", mine), "letter:1"), ((*out, "--skips", self.path("mine", "letter"), "--fails", mine), "letter:1"),
                            ((*out, "--modules", os.path.dirname(mine)), "has no modules")):
            with self.subTest(words):
                self.assertIn(told, self.refused(run, *words))
        self.assertTrue(os.path.exists(mine))

    def test_a_damaged_file_although_builds_exist(self):
        """Existing builds may be from an older commit, so a rebuild could take minutes before the file is read."""
        dos = written(self.path("dos"), b"#!/bin/sh\r\n")
        cut = written(self.path("cut"), gzip.compress(initramfs())[:-9])
        for words, told in ((("--program", dos), "CR LF"), (("--initrd", cut), "is damaged")):
            with self.subTest(words), mock.patch.object(boards.Board, "qemu", return_value=dos), \
                    mock.patch.object(boards.Board, "guest_folder", return_value=self.folder):
                written(self.path("initramfs.cpio"), initramfs())
                self.assertIn(told, self.refused(run, *words, "--out", self.path("out")))

    def test_a_demo(self):
        for board in ("sabrelite", "gr5526"):
            with self.subTest(board):
                mine = self.written(board, "demo", "letter")
                self.assertIn("demo: this folder is not empty", self.refused(demo, "--board", board, "--out", self.path(board)))
                self.assertTrue(os.path.exists(mine))
                frame = self.written("out", "gr5526-watch", "my own.png")
                self.assertTrue(self.made(demo, "--board", board, "--out", self.path("out")))
                self.assertTrue(os.path.exists(frame))
                self.assertFalse(os.path.exists(self.path("out", "demo")))

    def test_a_demo_of_files_that_cannot_boot(self):
        """The demo must refuse such files as scripts/run does: before anything is built, with status 3."""
        cut = written(self.path("cut"), zimage()[:-1])
        for words, told in ((("--kernel", self.written("text")), "is not a kernel"), (("--kernel", cut, "--shell"), "is cut off"),
                            (("--dtb", written(self.path("tree"), tree("ti,am5728"))), "is the device tree of ti,am5728")):
            with self.subTest(words):
                self.assertIn(told, self.refused(demo, *words, "--out", self.path("out"), status=Status.NO_BOOT))

    def test_files_of_an_older_demo_in_our_own_folder_may_be_removed(self):
        left = self.written("out", "demo", "results.json")
        with mock.patch.object(demo, "OUT", self.path("out")):
            self.assertTrue(self.made(demo, "--board", "sabrelite"))
        self.assertFalse(os.path.exists(left))


class Catalog(unittest.TestCase):
    """Tests of scripts/run --list."""

    def test_all_boards_and_suites_are_on_one_screen(self):
        text = catalog.text()
        self.assertLessEqual(len(text.splitlines()), 24)
        for name in boards.names():
            self.assertRegex(text, rf"(?m)^{name} ")
        for name in os.listdir(SUITES):
            self.assertRegex(text, rf"\b{name}\*?(\s|$)")

    def test_it_needs_nothing(self):
        told = ended(os.path.join(SCRIPTS, "run"), "--list", HOME="/proc", PIXMILL_CACHE="/proc/nowhere")
        self.assertEqual((told.returncode, told.stderr), (0, ""))


class Demo(unittest.TestCase):
    """Tests of scripts/demo's options; test_programs.py tests the options for firmware."""

    def refused(self, *words):
        with self.assertRaises(Failure) as caught:
            demo.options(words)
        return caught.exception.text()

    def test_scenes_are_for_boards_that_have_them(self):
        self.assertIn("available: 2d gles2", self.refused("--scene", "3d"))
        self.assertIn("has its own demo", self.refused("--board", "geode-lx", "--scene", "2d"))
        self.assertIn("boards with the userland gles2", self.refused("--board", "am57xx", "--scene", "gles2"))
        self.assertIn("--scene is for boards that boot a kernel", self.refused("--board", "gr5526", "--scene", "2d"))

    def test_boards_and_kernels_are_known(self):
        self.assertIn("there is no board x", self.refused("--board", "x"))
        self.assertIn("no Debian release is known for kernel series 1.0", self.refused("--kernel-series", "1.0"))

    def test_what_runs(self):
        args = demo.options(["--board", "geode-lx", "--out", "a folder"])
        self.assertEqual((args.suites, args.pictures), (["lxfb", "x11"], ["lxfb-console.png", "x11-accelerated.png"]))
        self.assertEqual(args.files, os.path.join(os.getcwd(), "a folder", "demo"))
        self.assertEqual(demo.options(["--scene", "gles2"]).suites, ["gles2-card"])
        args = demo.options(["--desktop"])
        self.assertEqual((args.suites, args.pictures), (["desktop-show"], ["desktop.png"]))

    def test_a_desktop_is_for_boards_with_a_display(self):
        for board in ("am57xx", "imx8mp"):
            self.assertIn("--desktop is for boards with the userland desktop", self.refused("--board", board, "--desktop"))
        self.assertIn("--desktop is for boards that boot a kernel", self.refused("--board", "gr5526", "--desktop"))
        self.assertIn("has its own demo: leave out --desktop", self.refused("--board", "geode-lx", "--desktop"))
        self.assertIn("leave out one of them", self.refused("--desktop", "--scene", "2d"))

    def test_a_window_needs_gtk_and_a_display(self):
        """Runs programs that answer "-display help" as QEMU does."""
        for there, window, variables, expected in (
                ("none gtk curses", True, {"DISPLAY": ":0"}, "-display gtk"), ("none gtk", True, {"WAYLAND_DISPLAY": "w"}, "-display gtk"),
                ("none gtk", True, {}, "-vnc localhost:0"), ("none curses", True, {"DISPLAY": ":0"}, "-vnc localhost:0"),
                ("none gtk", False, {"DISPLAY": ":0"}, "-vnc localhost:0")):
            with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, variables), \
                    contextlib.redirect_stdout(io.StringIO()):
                for name in {"DISPLAY", "WAYLAND_DISPLAY"} - set(variables):
                    os.environ.pop(name, None)
                qemu = written(os.path.join(folder, "qemu"), f"#!/bin/sh\necho {there}\n", 0o755)
                self.assertEqual(demo.display_options(qemu, window), expected, (there, window, variables))

    def ended(self, board, status, *files):
        """Runs a demo whose guest or firmware leaves these files and ends with that status; returns (output, failure)."""
        def attend(words, **_):
            folder = words[words.index("--out") + 1]
            for name in files:
                written(os.path.join(folder, name), b"mine\n")
            return status
        with tempfile.TemporaryDirectory() as out, mock.patch.object(sys, "argv", ["demo", "--board", board, "--out", out]), \
                mock.patch.multiple(prepare, packages=mock.DEFAULT, call=mock.DEFAULT), mock.patch.object(demo, "attend", attend), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            try:
                why = "" if demo.main() == Status.PASSED else "no failure"
            except Failure as failure:
                self.assertEqual(failure.status, status)
                why = failure.text()
        return said.getvalue(), why

    def test_only_judged_demos_have_pictures_and_failures(self):
        for board, *files in (("sabrelite", "etnaviv_2d_test.png"), ("gr5526", "watch/watch-36.png", "watch/strip.png")):
            with self.subTest(board):
                for status, seen, reason in ((Status.PASSED, True, ""), (Status.FAILED, True, "the failures are listed above"),
                                             (Status.HOST, False, "the cause is above"), (Status.TIMEOUT, False, "the cause is above")):
                    said, why = self.ended(board, status, *files)
                    self.assertEqual(("The picture: " in said, reason in why, bool(why)), (seen, True, bool(reason)), (status, said, why))
                self.assertNotIn("The picture: ", self.ended(board, Status.HOST, files[0])[0])  # the disk was full before the last file

    def test_help_has_every_option(self):
        with contextlib.redirect_stdout(io.StringIO()) as said, self.assertRaises(SystemExit):
            demo.options(["--help"])
        for option in demo.Demo()._option_string_actions:  # pylint: disable=protected-access
            self.assertTrue(option == "-h" or f"{option} " in said.getvalue() or f"{option}\n" in said.getvalue(), option)


class Installed(unittest.TestCase):
    def test_all_leaves_out_suites_with_programs_that_the_package_lacks(self):
        board = boards.board("sabrelite")
        with mock.patch("pixmill.run.INSTALLED", True):
            chosen, left_out = run.suites_of(mock.Mock(suite=["all"], guest=None, deterministic=False), board)
        self.assertIn("gles2", chosen)
        self.assertEqual(list(left_out), ["desktop"])
        self.assertNotIn("desktop", chosen)
        self.assertIn("desktop", run.suites_of(mock.Mock(suite=["all"], guest=None, deterministic=False), board)[0])


class Shared(unittest.TestCase):
    """Tests of --share with --rootfs."""

    def test_the_root_file_system_has_it(self):
        """Runs the lines of ENTER with a mount command that only prints its arguments."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("dev", "proc", "sys", "tmp", "share", "rootfs"):
                os.mkdir(os.path.join(folder, name))
            script = guest_files.ENTER.replace("/rootfs", f"{folder}/rootfs").replace("/$folder ]", f"/{folder}/$folder ]")
            script = script.replace("bind /$folder", f"bind {folder}/$folder")
            said = ended("sh", "-ec", 'mount() { echo "$*"; }\n' + script).stdout
            self.assertIn(f"-o bind {folder}/share {folder}/rootfs/share", said)
            os.rmdir(os.path.join(folder, "share"))
            self.assertNotIn("share", ended("sh", "-ec", 'mount() { echo "$*"; }\n' + script).stdout)

    def test_a_read_only_root_must_have_a_folder_for_it(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(run.Usage) as caught:
            run.options(["--rootfs", folder, "--share", folder])
        self.assertIn("has no folder share", str(caught.exception))


class Path(unittest.TestCase):
    """Tests that commands work with the PATH that a Debian user has after login."""

    LOGIN = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"

    def test_python_finds_what_is_in_sbin(self):
        code = (f"import runpy, sys; sys.argv = ['pixmill']; sys.path.insert(0, ''); runpy.run_path({os.path.join(REPO, 'runner/pixmill')!r}); "
                "import os; print(os.environ['PATH'])")
        self.assertIn("/usr/sbin", ended(sys.executable, "-c", code, PATH=self.LOGIN).stdout)

    def test_scripts_find_what_is_in_sbin(self):
        for path in (self.LOGIN, ""):
            said = ended("/bin/bash", "-c", f". {COMMON}; command -v chroot", PATH=path)
            self.assertIn("/sbin/chroot", said.stdout, said)


if __name__ == "__main__":
    unittest.main()
