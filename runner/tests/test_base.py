# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the choice of QEMU's series. Run python3 -m unittest tests.test_base in the folder runner."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from pixmill.places import REPO, qemu_bases
from tests.files import written

BASH = '. scripts/lib/common.bash; for target in arm aarch64 i386; do say "$qemu_work/qemu/qemu-system-$target"; done'
PYTHON = ("import sys; sys.path.insert(0, 'runner')\nfrom pixmill import places\nfrom pixmill.processes import ended\n"
          "def main():\n    places.make_places()\n    print(*map(places.qemu, ('arm', 'aarch64', 'i386')), sep='\\n')\nsys.exit(ended(main))")
LANGUAGES = {"bash": ("bash", "-c", BASH), "python": (sys.executable, "-c", PYTHON)}


class BareClone(unittest.TestCase):
    """Makes a clone with only the scripts and the runner, so that the choice stored in this clone does not change."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="pixmill-base-")
        self.addCleanup(place.cleanup)
        self.clone, self.cache = os.path.join(place.name, "clone"), os.path.join(place.name, "cache")
        for folder in ("scripts", os.path.join("runner", "pixmill")):
            shutil.copytree(os.path.join(REPO, folder), os.path.join(self.clone, folder), ignore=shutil.ignore_patterns("__pycache__"))
        self.default, self.other = qemu_bases()[:2]

    def ended(self, *words, **environment):
        inherited = {name: value for name, value in os.environ.items()
                     if name not in ("QEMU_BASE", "QEMU_SRC", "QEMU_TARBALL", "pixmill_qemu_base", "pixmill_outer")}
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd=self.clone,
                              env={**inherited, "PIXMILL_CACHE": self.cache, **environment})


class PlacesTest(BareClone):
    def test_advice_names_no_folder_that_cannot_be_made(self):
        """If the clone's path has a space, builds go to the cache, so a different cache folder solves both problems."""
        blank = os.path.join(os.path.dirname(self.clone), "a clone")
        os.rename(self.clone, blank)
        for clone, advice in ((blank, "set the folder for downloads and builds with PIXMILL_CACHE=FOLDER"),
                              (self.clone, f"set the folder for downloads with PIXMILL_CACHE=FOLDER; builds go to {self.clone}/build")):
            os.rename(blank, clone)
            self.clone = clone
            for language, words in LANGUAGES.items():
                with self.subTest(clone=clone, language=language):
                    ended = self.ended(*words, PIXMILL_CACHE="/proc/nowhere")
                    self.assertEqual((ended.returncode, ended.stderr.splitlines()[1:]), (2, [f"  {advice}"]), ended.stderr)

    def test_only_a_clone_in_a_path_without_a_space_shares_objects(self):
        blank = os.path.join(os.path.dirname(self.clone), "a clone")
        self.assertEqual(self.shared(), ["CCACHE_BASEDIR", "CCACHE_DEPEND", "CCACHE_NOHASHDIR"])
        os.rename(self.clone, blank)
        self.clone = blank
        self.assertEqual(self.shared(), ["CCACHE_DEPEND"])

    def shared(self):
        ended = self.ended("bash", "-c", 'unset CCACHE_BASEDIR CCACHE_NOHASHDIR; . scripts/lib/common.bash; . scripts/lib/meson.bash; '
                           'use_ccache "$work"; compgen -e CCACHE_ | grep -v "DIR$\\|SLOP" ; compgen -e CCACHE_ | grep "BASEDIR\\|NOHASH"')
        return sorted(set(ended.stdout.split()))


class BaseTest(BareClone):
    def assert_base(self, base, language, **environment):
        ended = self.ended(*LANGUAGES[language], **environment)
        self.assertEqual(ended.stdout.split(), [self.built(base, "qemu", f"qemu-system-{target}") for target in ("arm", "aarch64", "i386")], (language, environment, ended.stderr))

    def built(self, base, *names):
        return os.path.join(self.clone, "build", "" if base == self.default else base, *names)

    def test_a_choice_holds_until_the_next(self):
        for first in LANGUAGES:
            for then in LANGUAGES:
                with self.subTest(first=first, then=then):
                    shutil.rmtree(os.path.join(self.clone, "build"), ignore_errors=True)
                    self.assert_base(self.default, then)
                    self.assert_base(self.other, first, QEMU_BASE=self.other)
                    self.assert_base(self.other, then)
                    self.assert_base(self.default, first, pixmill_qemu_base=self.default)
                    self.assert_base(self.other, then)
                    self.assert_base(self.default, first, QEMU_BASE=self.default)
                    self.assert_base(self.default, then)

    def test_an_unknown_base_is_refused_with_the_list(self):
        for language, words in LANGUAGES.items():
            ended = self.ended(*words, QEMU_BASE="9.9")
            self.assertEqual(ended.returncode, 2, language)
            self.assertIn("Pixmill does not support QEMU 9.9", ended.stderr, language)
            self.assertIn(f"available: {' '.join(qemu_bases())};", ended.stderr, language)
            self.assert_base(self.default, language)

    def test_the_source_is_the_pinned_one_or_another_of_its_series(self):
        for base in qemu_bases():
            packages = os.path.join(self.cache, "qemu" if base == self.default else f"qemu-{base}")
            with open(os.path.join(self.clone, "scripts", "qemu", "bases"), encoding="utf-8") as file:
                version, = (line.split()[2].partition(":")[2] for line in file if line.startswith(f"{base} "))
            other = written(os.path.join(packages, f"qemu_{base}.99+ds-1.dsc"), "another")
            ended = self.ended("scripts/qemu/fetch", QEMU_BASE=base)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            with open(self.built(base, "qemu.source"), encoding="utf-8") as file:
                self.assertEqual(file.read().splitlines()[:2], ["debian", other])
            written(os.path.join(packages, f"qemu_{version}.dsc"), "changed")
            ended = self.ended("scripts/qemu/fetch", QEMU_BASE=base)
            self.assertEqual(ended.returncode, 2, ended.stderr)
            self.assertIn("is not what scripts/qemu/bases names", ended.stderr)

    def test_a_tree_of_another_series_is_refused(self):
        tree = os.path.join(self.clone, "tree")
        written(os.path.join(tree, "VERSION"), f"{self.other}.1\n")
        ended = self.ended("scripts/qemu/fetch", QEMU_SRC=tree)
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn(f"is not a QEMU {self.default}.x source tree", ended.stderr)
        self.assertEqual(self.ended("scripts/qemu/fetch", QEMU_SRC=tree, QEMU_BASE=self.other).returncode, 0)
