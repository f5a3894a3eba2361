# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of releases whose archive changes. Run python3 -m unittest tests.test_archive in the folder runner."""

import contextlib
import functools
import hashlib
import http.server
import io
import os
import shutil
import subprocess
import tempfile
import threading
import unittest
from unittest import mock

from pixmill import archive, boards, long
from pixmill.places import REPO
from pixmill.scheduler import Report
from tests.files import text_of, written

KERNEL, GPU = "linux-image-armmp", "libgl1-mesa-dri"


def kernel(version):
    """Returns the metapackage and the kernel package of that version."""
    real = f"linux-image-{version}-armmp"
    return [(KERNEL, version, {"Depends": f"{real} (= {version})"}, {}), (real, version, {}, {f"boot/vmlinuz-{version}": version})]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def send_head(self):
        """Always sends the file, since a test changes lists within one second, the resolution of If-Modified-Since."""
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class Mirror:
    """A mirror of Debian's sid for armhf, in a folder. Packages are (name, version, more fields, files)."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        written(os.path.join(folder, "etc", "sources", "toy.sources"), f"Types: deb\nURIs: http://127.0.0.1:{self.server.server_port}\n"
                                                                       "Suites: sid\nComponents: main\nTrusted: yes\n")
        self.config = written(os.path.join(folder, "etc", "apt.conf"), 'Dir::Etc::SourceList "/dev/null"; Acquire::http::Proxy::127.0.0.1 "DIRECT"; '
                                                                       f'Dir::Etc::SourceParts "{folder}/etc/sources";')

    def has(self, *packages):
        """Replaces the mirror's packages with these."""
        shutil.rmtree(os.path.join(self.folder, "pool"), ignore_errors=True)
        lists = "".join(self.package(*package) for package in packages).encode()
        place = "main/binary-armhf/Packages"
        written(os.path.join(self.folder, "dists/sid", place), lists)
        written(os.path.join(self.folder, "dists/sid/Release"),
                "Origin: Debian\nSuite: unstable\nCodename: sid\nArchitectures: armhf\nComponents: main\n"
                f"SHA256:\n {hashlib.sha256(lists).hexdigest()} {len(lists)} {place}\n")

    def package(self, name, version, fields, files):
        """Builds a package and returns its stanza for the package list."""
        control = "".join(f"{field}: {value}\n" for field, value in {
            "Package": name, "Version": version, "Architecture": "armhf", "Maintainer": "nobody", "Description": "a toy", **fields}.items())
        with tempfile.TemporaryDirectory() as root:
            written(os.path.join(root, "DEBIAN", "control"), control)
            for path, content in files.items():
                written(os.path.join(root, path), content)
            deb = os.path.join("pool", f"{name}_{version}_armhf.deb")
            os.makedirs(os.path.join(self.folder, "pool"), exist_ok=True)
            subprocess.run(["dpkg-deb", "--build", "-Znone", "--root-owner-group", root, os.path.join(self.folder, deb)], check=True, capture_output=True)
        with open(os.path.join(self.folder, deb), "rb") as file:
            content = file.read()
        return f"{control}Filename: {deb}\nSize: {len(content)}\nSHA256: {hashlib.sha256(content).hexdigest()}\n\n"


class ArchiveTest(unittest.TestCase):
    """Runs scripts in a clone with only the scripts and a toy board."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="pixmill-archive-")
        self.addCleanup(place.cleanup)
        self.clone, self.cache = os.path.join(place.name, "clone"), os.path.join(place.name, "cache")
        shutil.copytree(os.path.join(REPO, "scripts"), os.path.join(self.clone, "scripts"))
        for name, content in (("board", "machine toy\n"), ("kernels", "sid sid asked linux=7.2 mesa=26.2\n"), ("packages", f"{KERNEL}\n"),
                              ("userland/piglit", f"{GPU}\n")):
            written(os.path.join(self.clone, "board-configs", "toy", name), content)
        self.mirror = Mirror(os.path.join(place.name, "mirror"))
        self.addCleanup(self.mirror.server.server_close)
        self.addCleanup(self.mirror.server.shutdown)

    def call(self, script, *more):
        return subprocess.run([os.path.join(self.clone, "scripts", "guest", script), "toy", "sid", *more], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, cwd=self.clone, env={
                                  **os.environ, "PIXMILL_CACHE": self.cache, "APT_CONFIG": self.mirror.config, "pixmill_outer": ""})

    def fetched(self, *more):
        ended = self.call("fetch", *more)
        self.assertEqual(ended.returncode, 0, ended)
        return text_of(self.clone, "build/guest/toy-sid/boot/vmlinuz")

    def moves_on(self, script, *more):
        """Returns the message about the archive, as scripts/test --long reports it."""
        ended = self.call(script, *more)
        self.assertEqual(ended.returncode, 5, ended)
        log = written(os.path.join(self.clone, "job.log"), ended.stdout + ended.stderr)
        report = archive.judging("toy", "unused", {})(log, ended.returncode)
        self.assertEqual((report.counts(), [ended.stderr.count("pixmill: the archive has moved on: ")]),
                         ({"passed": 0, "failed": 0, "skipped": 1}, [1]), ended)
        return report.skipped[0]

    def test_newest_fetches_what_the_mirror_has_now(self):
        self.mirror.has(*kernel("7.2.13"))
        self.assertEqual(self.fetched(), "7.2.13")
        self.mirror.has(*kernel("7.3.1"))
        self.assertEqual(self.fetched(), "7.2.13")
        self.assertEqual(self.fetched("--newest"), "7.3.1")
        self.assertIn("linux-image-7.3.1-armmp_7.3.1_armhf.deb", text_of(self.clone, "build/guest/toy-sid.packages"))
        self.mirror.has()
        self.assertEqual(self.fetched(), "7.3.1")

    def test_a_package_that_is_gone(self):
        self.mirror.has((GPU, "26.2.6", {}, {}))
        self.assertEqual(self.moves_on("fetch"), f"toy: the archive has moved on: it has no {KERNEL} (sid, armhf)")
        self.mirror.has(*kernel("7.2.13")[:1])
        self.assertIn("linux-image-7.2.13-armmp", self.moves_on("fetch"))
        self.assertIn(GPU, self.moves_on("userland", "piglit"))

    def test_a_file_that_is_gone(self):
        """Tests a listed file that the mirror no longer has, since mirrors do not update lists and files at the same
        time."""
        self.mirror.has(*kernel("7.2.13"), (GPU, "26.2.6", {}, {}))
        shutil.rmtree(os.path.join(self.mirror.folder, "pool"))
        self.assertRegex(self.moves_on("fetch"), "linux-image-7.2.13-armmp_7.2.13_armhf.deb")
        self.assertRegex(self.moves_on("userland", "piglit"), f"{GPU}_26.2.6_armhf.deb")

    def test_a_dependency_that_is_gone(self):
        self.mirror.has((GPU, "26.2.6", {"Depends": "libllvm99"}, {}))
        self.assertIn("unmet dependencies", self.moves_on("userland", "piglit"))


class JudgeTest(unittest.TestCase):
    def test_other_failures_are_failures(self):
        with tempfile.TemporaryDirectory() as folder:
            log = written(os.path.join(folder, "log"), "  | E: the archive has moved on: no\npixmill: Fetching packages: failed (exit status 5)\n")
            report = archive.judging("toy", "unused", {})(log, 5)
        self.assertEqual(report.counts(), {"passed": 0, "failed": 1, "skipped": 0})
        self.assertIn("toy: the packages could not be fetched (status 5)", report.failed[0])


class VersionsTest(unittest.TestCase):
    def newer(self, *files):
        with tempfile.TemporaryDirectory() as folder:
            written(os.path.join(folder, "guest.packages"), "\n".join(files))
            return archive.newer(os.path.join(folder, "guest"), {"linux": "7.2", "mesa": "26.2"})

    def test_those_that_are_expected(self):
        self.assertEqual(self.newer("linux-image-7.2.13+deb14-armmp_7.2.13-1_armhf.deb", "libc6_2.43-7_armhf.deb"), [])
        self.assertEqual(self.newer("libgl1-mesa-dri_26.2.6-1_armhf.deb"), [])
        self.assertEqual(self.newer("libgl1-mesa-dri_1%3a26.2~rc1-1_armhf.deb"), [])

    def test_others(self):
        for version in ("7.3.1", "7.20.1", "8.2"):
            line, = self.newer(f"linux-image-{version}+deb14-armmp_{version}-1_armhf.deb")
            self.assertEqual(line, f"the archive has moved on: it has Linux {version}, and the lists of expected failures are for 7.2")
        self.assertEqual(len(self.newer("libgl1-mesa-dri_26.3.0-1_armhf.deb")), 1)

    def test_boards_name_theirs(self):
        self.assertEqual(set(boards.board("sabrelite").expected_versions("sid")), {"linux", "mesa"})
        self.assertEqual(boards.board("sabrelite").expected_versions("6.12"), {})
        for board, series in long.other_kernels():
            self.assertLessEqual(set(board.expected_versions(series)), set(archive.FILES))
            if series == "sid":  # stable releases do not change
                self.assertIn("linux", board.expected_versions(series))


class PartTest(unittest.TestCase):
    """Runs scripts/test --long kernels with fake scripts and suites."""

    def run_part(self, reports=()):
        """Returns (Report, {(board, series): suites that would run})."""
        ran, reports = {}, dict(reports)
        made = long.Long.__new__(long.Long)
        made.fetched = lambda part, board, series, script, *names: reports.get("_".join([board.name, series, script, *names]), Report())
        made.suites = lambda part, names, boards, series, only: (ran.update({(boards[0], series[0]): only}), (Report(passed=1), ["1 passed"]))[1]
        with contextlib.redirect_stdout(io.StringIO()):
            report, _ = made.kernels("1")
        return report, ran

    def test_all_suites_run_on_all_kernels_but_the_first(self):
        report, ran = self.run_part()
        self.assertLessEqual({("sabrelite", "6.1"), ("sabrelite", "sid"), ("am57xx", "6.1"), ("am57xx", "sid")}, set(ran))
        self.assertNotIn(("sabrelite", "6.12"), ran)
        self.assertNotIn("geode-lx", {board for board, _ in ran})
        self.assertLessEqual({"gles2", "reload", "scene2d"}, set(ran["sabrelite", "sid"]))
        self.assertIn("piglit", ran["sabrelite", "sid"])
        self.assertNotIn("glmark2", ran["sabrelite", "sid"])
        self.assertEqual(ran["am57xx-x15", "sid"], ["libdrm", "stock"])
        self.assertEqual(report.passed, len(ran))

    def test_an_archive_without_the_kernel_skips_the_board(self):
        report, ran = self.run_part({"sabrelite_sid_fetch": Report(skipped=["moved on"])})
        self.assertNotIn(("sabrelite", "sid"), ran)
        self.assertEqual((report.failed, report.skipped), ([], ["moved on"]))

    def test_an_archive_without_mesa_skips_what_needs_it(self):
        _, ran = self.run_part({"sabrelite_sid_userland_gles2": Report(skipped=["moved on"])})
        self.assertNotIn("gles2", ran["sabrelite", "sid"])
        self.assertIn("scene2d", ran["sabrelite", "sid"])

    def test_a_part_that_ran_nothing_is_not_finished(self):
        made = long.Long.__new__(long.Long)
        made.wanted, made.again, made.total, made.state = {"kernels": "1"}, True, Report(), mock.Mock()
        with tempfile.TemporaryDirectory() as made.folder, contextlib.redirect_stdout(io.StringIO()):
            for report, notes in ((Report(skipped=["moved on"]), 0), (Report(passed=1, skipped=["moved on"]), 1)):
                made.kernels = lambda amount, report=report: (report, [])
                self.assertEqual(made.run(), 0)
                self.assertEqual(made.state.note.call_count, notes)


if __name__ == "__main__":
    unittest.main()
