# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the commands and names in Markdown pages against the tree.

Blocks of commands are marked "sh", or "console" if output follows a command. The test passes the words of Pixmill's
commands to the commands' parsers, starts the machines of QEMU's command lines, and searches the sources of Pixmill's
tools for their options. Any other command needs a mark before its block: `<!-- run by: FILE -->`, where FILE is a
file that names the page, or `<!-- not run: REASON -->`. scripts/test doors runs many of these commands.
"""

import functools
import glob
import os
import re
import shlex
import subprocess

from pixmill import bench, demo, results, run, test
from pixmill.failure import Failure, Usage
from pixmill.places import REPO
from tests import setting, test_doors
from tests.files import Test, empty, text_of, written

FENCE = re.compile(r"(?:<!-- (?P<mark>run by|not run): (?P<reason>[^>]+) -->\n\n?)?^(?P<indent> *)```(?P<kind>[\w-]*)\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
HISTORY = ("CHANGELOG.md", "docs/found.md")  # may name things that no longer exist
# Options and paths of other projects, which pages may name.
FOREIGN = ("--baseline", "--boot-args", "--prefix")  # deqp-runner, tuxrun, Meson
ELSEWHERE = ("hw/core", "hw/display/edid-generate.c", "hw/display/imx6ul_lcdif.c", "hw/display/imx_ipu.c", "hw/pixmill", "tests/qtest/NAME-test.c",  # QEMU
             "include/video/imx-ipu-v3.h",  # Linux
             "tools/data/gpus.json", "tools/detiler.py")  # etna_viv
KINDS = ("sh", "console", "text", "c", "cpp", "python", "diff", "yaml", "ini")
OURS = {"run": run.options, "demo": demo.options, "test": test.options, "bench": bench.options, "results": results.options}
OUR_COMMAND = re.compile(rf"(?:\.\./\.\./)?scripts/(?:{'|'.join(OURS)})|pixmill-(?:run|demo|results)")  # the last are installed
SHELL = {"cat", "cd", "cp", "echo", "export", "grep", "head", "less", "mkdir", "printf", "rm", "stat", "tail", "tee", "truncate"}  # with any words
QEMU = {"qemu-system-arm": "QEMU", "qemu-system-i386": "QEMU_I386", "qemu-system-aarch64": "QEMU_AARCH64"}
FOLDERS = ("--guest", "--modules", "--share", "--rootfs", "--library-path")


def tracked(*patterns):
    command = ["git", "-c", "safe.directory=*", "-C", REPO, "ls-files", "-z", "--", *patterns]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")[:-1]


@functools.cache
def pages():
    """Returns {path: text} of all Markdown files."""
    return {path: text_of(os.path.join(REPO, path)) for path in tracked("*.md")}


def blocks():
    """Yields (page, block)."""
    for page, text in pages().items():
        for block in FENCE.finditer(text):
            yield page, block


def lines(block):
    """Returns the command lines of a block. Continued lines are joined."""
    text = block["text"].replace("\\\n", " ")
    if block["kind"] == "console":
        return re.findall(r"^ *\$ (.*)", text, re.MULTILINE)
    return text.splitlines()


def commands(line):
    """Yields the words of each command in a line, without environment, redirections and comment."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split, lexer.commenters = True, "#"
    words = []
    for word in [*lexer, ";"]:
        if set(word) <= set("|&;()"):
            while words and re.match(r"\w+=", words[0]):
                words.pop(0)
            if words:
                yield words
            words = []
        elif words and words[-1][0] in "<>":
            words.pop()  # a redirection, whose file this word names
        else:
            words.append(word)


def unmarked():
    """Yields (page, words) of each command in a block without a mark."""
    for page, block in blocks():
        if block["kind"] in ("sh", "console") and not block["mark"]:
            for line in lines(block):
                for words in commands(line):
                    yield page, words


def kind_of(words):
    """Returns the kind of check that applies: a QEMU program, "ours", "script", "tool", "tests", "shell", or "" if
    none does."""
    name = os.path.basename(words[0])
    if name in QEMU:
        return name
    if OUR_COMMAND.fullmatch(words[0]):
        return "ours"
    if words[0].startswith(("scripts/", ".ci/")):
        return "script"
    if name in tools() or words[0].startswith(("tools/", "tests/")):
        return "tool"
    if words[:3] in (["python3", "-m", "tests"], ["python3", "-m", "unittest"]):
        return "tests"
    return "shell" if words[0] in SHELL else ""


@functools.cache
def tools():
    """Returns the programs that tools/meson.build builds."""
    return set(re.findall(r"executable\('(pixmill-[\w-]+)'", text_of(os.path.join(REPO, "tools", "meson.build"))))


@functools.cache
def sources(*patterns):
    """Returns the text of all files that match, joined."""
    return "".join(text_of(os.path.join(REPO, path)) for path in tracked(*patterns))


class BlocksTest(Test):
    def test_each_says_what_it_is(self):
        strange = [f"{page}: {block['kind'] or 'nothing'}: {block['text'].splitlines()[0]}" for page, block in blocks()
                   if block["kind"] not in KINDS]
        self.assertEqual(strange, [])

    def test_a_command_that_nobody_checks_is_marked(self):
        self.assertEqual([f"{page}: {' '.join(words)}" for page, words in unmarked() if not kind_of(words)], [])

    def test_what_runs_a_block_names_its_page(self):
        for page, block in blocks():
            if block["mark"] == "run by":
                self.assertIn(os.path.basename(page), text_of(os.path.join(REPO, block["reason"])), f"{page}: {block['reason']}")

    def test_what_is_marked_is_not_ours_alone(self):
        """Checks that no mark hides commands that the test could check."""
        for page, block in blocks():
            if block["mark"]:
                kinds = [kind_of(words) for line in lines(block) for words in commands(line)]
                self.assertIn("", kinds, f"{page}: {block['text']}")


class OursTest(Test):
    """Creates the files and folders that a command names, and lets the command parse its words."""

    def make_files(self, words):
        before = ""
        for word in words[1:]:
            option, _, value = word.rpartition("=") if word.startswith("--") else (before, "", word)
            if option in FOLDERS and not value.startswith("/"):
                # Mesa is in a folder next to the guest; a root file system has a mount point for --share.
                for name in (value, *{"--guest": [f"{value}-gles2"], "--rootfs": [f"{value}/share"]}.get(option, ())):
                    os.makedirs(self.path(name), exist_ok=True)
            elif re.fullmatch(r"(\./)?[\w./-]*[a-z][\w./-]*", value) and not value.startswith("-") and not os.path.exists(self.path(value)):
                written(self.path(value), "")
            before = word

    def test_they_know_their_options(self):
        seen = 0
        for page, words in unmarked():
            if kind_of(words) != "ours":
                continue
            name, words = os.path.basename(words[0]).removeprefix("pixmill-"), [re.sub(r"\$\w+", "1", word) for word in words]
            here = os.getcwd()
            os.chdir(empty(self.out))
            try:
                self.make_files(words)
                OURS[name](words[1:])
            except (Failure, Usage) as failure:
                self.fail(f"{page}: {' '.join(words)}: {failure}")
            finally:
                os.chdir(here)
            seen += 1
        self.assertGreater(seen, 20)

    def test_scripts_are_run_in_clean_root_file_systems(self):
        """Scripts that scripts/package calls count, too, because the package is installed in such a system."""
        known = {command.split()[0] for command, *_ in (*test_doors.REFUSED, *test_doors.COMMANDS, *test_doors.UNPRIVILEGED)} \
            | {f"scripts/{name}" for name in re.findall(r"\$repo/scripts/([\w/-]+)", sources("scripts/package"))}
        for page, words in unmarked():
            if kind_of(words) == "script":
                self.assertIn(words[0], known, page)

    def test_tools_know_their_options(self):
        seen = 0
        for page, words in unmarked():
            if kind_of(words) != "tool":
                continue
            text = sources("tools/*.cpp") if os.path.basename(words[0]) in tools() else text_of(os.path.join(REPO, words[0]))
            for option in words[1:]:
                if re.match(r"--\w", option):
                    self.assertIn(option.partition("=")[0], text, f"{page}: {' '.join(words)}")
            seen += 1
        self.assertGreater(seen, 3)

    def test_modules_of_tests_are_there(self):
        for page, words in unmarked():
            if kind_of(words) == "tests":
                for word in words[3:]:
                    if re.match(r"[a-z]", word):
                        module = word.removeprefix("tests.").removeprefix("test_").partition(".")[0]
                        self.assertTrue(os.path.exists(os.path.join(REPO, "runner", "tests", f"test_{module}.py")), f"{page}: {word}")


class QemuTest(Test):
    """Starts QEMU with each command line, but without kernel files, and stops before the first instruction."""
    FILES = ("-kernel", "-initrd", "-dtb", "-append", "-D")

    def arguments(self, words):
        words = [word for word in words if word != "..."]
        kept = []
        while words:
            word = words.pop(0)
            if word in self.FILES:
                words.pop(0)
            else:
                kept.append(word.replace("file=disk.img", f"file={written(self.path('disk.img'), chr(0) * 4096)}"))
        return kept

    def test_machines_start(self):
        started = set()
        for page, words in unmarked():
            name = os.path.basename(words[0])
            if name not in QEMU or "-M" not in words or tuple(words) in started:
                continue
            started.add(tuple(words))
            command = [setting.needed(QEMU[name]), *self.arguments(words[1:]), "-S", "-qmp", "stdio"]
            for option in ("-serial", "-monitor", "-display"):
                while option in command:
                    del command[command.index(option):command.index(option) + 2]
            command += ["-display", "none", "-serial", "null", "-monitor", "none"]
            ended = subprocess.run(command, cwd=self.out, capture_output=True, text=True, timeout=600, check=False,
                                   input='{"execute": "qmp_capabilities"}\n{"execute": "quit"}\n')
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), f"{page}: {' '.join(command)}")
        self.assertGreater(len(started), 4)


class NamesTest(Test):
    """Checks the names in code spans."""
    SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
    TOP = "hw|tests|scripts|runner|guest|tools|include|ci|examples|board-configs"
    maxDiff = None

    def strangers(self, pattern, is_known, least):
        """Returns the spans that match the pattern and are not known. Fails if fewer than `least` match."""
        spans = [(page, match) for page, text in pages().items() if page not in HISTORY
                 for span in self.SPAN.findall(FENCE.sub("", text)) if (match := re.fullmatch(pattern, span))]
        self.assertGreaterEqual(len(spans), least)
        return [f"{page}: {match[0]}" for page, match in spans if not is_known(match)]

    def test_files(self):
        """Checks paths. Capital letters stand for any name."""
        def is_there(match):
            path = os.path.join(REPO, re.sub(r"(?<![A-Za-z])[A-Z]+(?![A-Za-z])", "*", match[0]))
            return match[0] in ELSEWHERE or glob.glob(path) or glob.glob(path + ".*") or glob.glob(os.path.join(REPO, match[0]))
        self.assertEqual(self.strangers(rf"(?:{self.TOP})/[\w.*/+-]*", is_there, 40), [])

    def test_tests(self):
        known = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", sources("tests/*.cpp"))}
        self.assertEqual(self.strangers(r"([A-Z]\w+\.[A-Z]\w+[a-z]\w*)", lambda match: match[0] in known, 3), [])

    def test_properties(self):
        """Checks properties that begin with x- or stat-."""
        known = set(re.findall(r'"((?:x|stat)-[\w-]+)"', sources("hw/*", "include/*"))) \
            | {f"stat-{name}" for name in re.findall(r'\bCOUNTER\("([\w-]+)"', sources("hw/*"))}
        self.assertEqual(self.strangers(r"((?:x|stat)-[a-z][\w-]*)(?:=.*)?", lambda match: match[1] in known, 10), [])

    def test_options(self):
        """Checks options of Pixmill's commands and tools."""
        known = set(re.findall(r"--[a-z][\w-]*", sources("runner/pixmill/*.py", "tools/*", "scripts/*", "tests/fuzz/*", "ci/*"))) \
            | {f"--{name}" for name in re.findall(r'add\(f?"--([\w-]+)"', sources("runner/pixmill/*.py"))} | {"--fails", "--flakes", "--skips"}
        self.assertEqual(self.strangers(r"(--[a-z][\w-]*)(?:[= ].*)?", lambda match: match[1] in known or match[1] in FOREIGN, 40), [])


class ListsTest(Test):
    """Checks tables that list files, folders or suites, and numbers that pages state."""

    def table(self, page, header):
        """Returns the names in code spans in the first column of the page's table with this header."""
        rows = re.search(re.escape(header) + r"\n\|[-| ]+\n((?:\|.*\n)+)", pages()[page])
        self.assertTrue(rows, f"{page}: no table {header}")
        return {name for row in rows[1].splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])}

    def test_tables_list_all_files_and_no_others(self):
        def files(folder, pattern=r"(.*)", top=r"[^/]+"):
            paths = [path.removeprefix(folder + "/") for path in tracked(folder)]
            return {match[1] for path in paths if (match := re.fullmatch(pattern, re.match(top, path)[0]))}

        jit = "hw/vivante/3d/sh/jit"
        for page, header, expected in (
                ("examples/gr5526/README.md", "| file | contents |", files("examples/gr5526", r"([a-z].*)")),
                ("examples/imxrt1170/README.md", "| file | contents |", files("examples/imxrt1170", r"([a-z].*)")),
                ("docs/develop/engines.md", "| folder | block | what it does |", files("hw/vivante/3d", r"([a-z]+)", r"[^/]+(?=/)|")),
                ("docs/develop/engines.md", "| file | what it does |", files(jit, r"(?!no_)(\w+)\.[ch]pp")),
                ("docs/develop/testing.md", "| suite | where | what it tests |", set(test.SUITES))):
            with self.subTest(page, header=header):
                self.assertEqual(self.table(page, header), expected)

    def test_numbers(self):
        def rows(table):
            return len(re.findall(r"^0x.*\t\*\t", text_of(os.path.join(REPO, "tests", "data", table)), re.MULTILINE))

        def registers(page):
            return len(re.findall(r"^\| 0x", pages()[f"docs/hardware/registers/{page}.md"], re.MULTILINE))

        deqp = text_of(os.path.join(REPO, "board-configs", "sabrelite", "deqp-gles2-fails"))
        for page, sentence, expected in (
                ("docs/hardware/geode.md", r"\| (\d+) registers, byte lanes", registers("geode-gp")),
                ("docs/hardware/sgx544.md", r"wrapper: all (\d+) registers", rows("sgx_wrapper_registers.tsv")),
                ("docs/hardware/vivante-3d.md", r"exactly the (\d+) cases that fail on silicon", deqp.count("fragment_ops"))):
            with self.subTest(page, sentence=sentence):
                stated = re.findall(sentence, pages()[page])
                self.assertEqual(stated, [str(expected)])
