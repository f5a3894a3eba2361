# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests scripts/run with a fake QEMU: options, checks of files, files for the guest, exit statuses."""

import gzip
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tarfile
import time

from pixmill import cpio, guest_files, kernel_files
from pixmill.places import REPO
from tests.files import (FAKE, UP, Test, bzimage, elf, empty, ends, guest_folder, image, initramfs, is_gone, text_of, tree, uimage, written,
                         zboot, zimage)

RUN = os.path.join(REPO, "scripts", "run")


def refused(function, *arguments):
    try:
        function(*arguments)
    except (kernel_files.Wrong, guest_files.Unfit) as error:
        return str(error)
    raise AssertionError(f"{arguments} passed")


def application(out):
    """Writes a program that has a library folder, and returns its path."""
    return written(os.path.join(out, "app", "bin", "app"),
                   elf(40, [(1, b"libc.so.6"), (1, b"libown.so"), (29, b"$ORIGIN/../lib")], b"/lib/ld-linux-armhf.so.3\0"))


def packages_of(out):
    root = os.path.join(out, "packages", "root")
    inner = os.path.join(root, "usr", "lib", "arm-linux-gnueabihf")
    written(os.path.join(inner, "libc.so.6"), elf(40, [(1, b"ld-linux-armhf.so.3")]))
    written(os.path.join(inner, "ld-linux-armhf.so.3"), elf(40))
    return root



class FilesTest(Test):
    def test_kernels_are_known_by_their_first_bytes(self):
        path = self.path("kernel")
        for content, processor, words in (
                (zimage(), "x86", "zImage for arm"), (image(), "arm", "Image for arm64, and the board's processor is arm"),
                (zimage(), "arm64", "zImage for arm, and the board's processor is arm64"), (gzip.compress(image()), "x86", "compressed Image for arm64"),
                (gzip.compress(image()), "arm", "compressed Image for arm64"), (zboot(gzip.compress(image())), "arm", "vmlinuz.efi with an Image for arm64"),
                (zboot(b"", b"zstd22"), "arm64", "packed with zstd22, which QEMU cannot unpack: use the Image of the same build"),
                (zboot(gzip.compress(image()))[:-1], "arm64", "bytes of its vmlinuz.efi"), (elf(183, kind=2), "arm64", "use the Image"),
                (bytes(64), "arm64", "no signature of an Image or Image.gz"), (uimage(2), "arm64", "uImage for arm,"),
                (bzimage(1), "x86", "bzImage for x86-64"), (bzimage(1), "arm", "bzImage for x86-64"),
                (elf(62), "arm", "vmlinux for x86-64"), (elf(40), "arm", "use the zImage"), (b"", "arm", "is empty"),
                (tree("fsl,imx6q"), "arm", "device tree or FIT"), (b"\x1f\x8b damaged", "arm", "damaged gzip"),
                (uimage(22), "arm", "uImage for arm64"), ((0xEAFFFFFE).to_bytes(4, "little"), "arm", "is not a kernel")):
            told = refused(kernel_files.check_kernel, written(path, content), processor)
            assert words in told, (words, told)
        for content, processor in ((zimage(), "arm"), (bzimage(0), "x86"), (uimage(), "arm"), (image(), "arm64"),
                                   (gzip.compress(image()), "arm64"), (zboot(gzip.compress(image())), "arm64")):
            kernel_files.check_kernel(written(path, content), processor)

    def test_trees_are_known_by_their_root(self):
        path = self.path("tree.dtb")
        kernel_files.check_tree(written(path, tree("fsl,imx6q-sabrelite", "fsl,imx6q")), "sabrelite", ["fsl,imx6q"])
        told = refused(kernel_files.check_tree, written(path, tree("ti,am5728", "ti,dra7")), "sabrelite", ["fsl,imx6q"])
        assert "device tree of ti,am5728, ti,dra7; sabrelite needs one of fsl,imx6q" in told, told
        assert "cut off" in refused(kernel_files.check_tree, written(path, tree("fsl,imx6q")[:-1]), "b", ["fsl"])
        assert "not a device tree" in refused(kernel_files.check_tree, written(path, zimage()), "b", ["fsl"])
        assert "nothing" in refused(kernel_files.check_tree, written(path, tree()), "b", ["fsl"])

    def test_damaged_files_are_refused_in_words(self):
        """Tries good files truncated at every length, and with single bytes changed."""
        for name, content, read in (("tree", tree("fsl,imx6q"), kernel_files.compatible_of),
                                    ("program", elf(40, [(1, b"libc.so.6")], b"/lib/ld.so"), kernel_files.Program),
                                    ("program", elf(183, [(1, b"libc.so.6")], b"/lib/ld.so", kind=2), kernel_files.Program)):
            for at in range(len(content)):
                for damaged in (content[:at], content[:at] + b"\xff" + content[at + 1:]):
                    try:
                        read(written(self.path(name), damaged))
                    except kernel_files.Wrong:
                        pass

    def test_programs_say_what_they_need(self):
        program = kernel_files.Program(application(self.out))
        assert program.machine == "arm" and program.needed == ["libc.so.6", "libown.so"], program.needed
        assert program.interpreter == "/lib/ld-linux-armhf.so.3"
        assert program.folders == [self.path("app", "bin") + "/../lib"], program.folders

    def test_programs_of_64_bits_say_so_too(self):
        content = elf(183, [(1, b"libc.so.6"), (29, b"/opt/lib")], b"/lib/ld-linux-aarch64.so.1\0", kind=2)
        program = kernel_files.Program(written(self.path("app"), content))
        assert (program.machine, program.needed, program.interpreter, program.folders) == (
            "arm64", ["libc.so.6"], "/lib/ld-linux-aarch64.so.1", ["/opt/lib"]), vars(program)
        assert "is cut off" in refused(kernel_files.Program, written(self.path("cut"), content[:-1]))

    def test_libraries_come_along(self):
        program = application(self.out)
        written(self.path("app", "lib", "libown.so"), elf(40, [(1, b"libc.so.6")]))
        archive = cpio.Archive()
        libraries = guest_files.Libraries(archive, [], packages_of(self.out), "arm")
        guest_files.add_program(archive, program, "arm", libraries)
        assert {path for path, (mode, _) in archive.entries.items() if not mode & 0o40000} == {
            "tmp/program/bin/app", "tmp/program/lib/libown.so", "lib/libc.so.6", "lib/ld-linux-armhf.so.3"}, archive.entries.keys()

    def test_missing_libraries_and_other_processors_are_told(self):
        libraries = guest_files.Libraries(cpio.Archive(), [], packages_of(self.out), "arm")
        lost = written(self.path("lost"), elf(40, [(1, b"libnowhere.so")]))
        assert "needs libnowhere.so" in refused(guest_files.add_program, cpio.Archive(), lost, "arm", libraries)
        native = written(self.path("native"), elf(62, kind=2))
        assert "for x86-64" in refused(guest_files.add_program, cpio.Archive(), native, "arm", libraries)
        for machine, kind, board, told in ((40, 1, "arm64", "for arm, and the board's processor is arm64"),
                                           (183, 2, "arm", "for arm64, and the board's processor is arm")):
            assert told in refused(guest_files.read_program, written(self.path("foreign"), elf(machine, kind=kind)), board)
        text = written(self.path("text"), b"no program\n")
        assert "not a program" in refused(guest_files.add_program, cpio.Archive(), text, "arm", libraries)
        other = written(self.path("other", "libx.so"), elf(3))
        needs = written(self.path("needs"), elf(40, [(1, b"libx.so")]))
        libraries.folders = [os.path.dirname(other)]
        assert "needs libx.so" in refused(guest_files.add_program, cpio.Archive(), needs, "arm", libraries)

    def test_archives_can_be_unpacked(self):
        """Debian's cpio must be able to unpack Pixmill's archives."""
        archive = cpio.Archive()
        archive.add("a/b/file", b"x" * 4097, 0o755)
        archive.add_link("a/link", "b/file")
        archive.add("empty", b"")
        folder = empty(self.path("unpacked"))
        subprocess.run(["cpio", "-idm", "--quiet"], cwd=folder, input=b"".join(archive.bytes()), check=True)
        with open(os.path.join(folder, "a", "link"), "rb") as file:
            assert file.read() == b"x" * 4097
        assert os.access(os.path.join(folder, "a", "b", "file"), os.X_OK)
        assert os.path.getsize(os.path.join(folder, "empty")) == 0

    def test_root_file_systems_are_read(self):
        """Archives made by Debian's cpio and tar must be readable; paths that leave the folder must be rejected."""
        source = self.path("root")
        written(os.path.join(source, "bin", "sh"), b"#!")
        packed = subprocess.run("find . | cpio -oH newc --quiet | gzip", shell=True, cwd=source, capture_output=True, check=True).stdout
        made = {"root.cpio.gz": packed,
                "root.tar": subprocess.run(["tar", "-c", "."], cwd=source, capture_output=True, check=True).stdout}
        for name, content in made.items():
            archive = cpio.Archive()
            cpio.add_tree(archive, written(self.path(name), content), "rootfs")
            assert archive.entries["rootfs/bin/sh"][1] == b"#!", name
        evil = cpio.Archive()
        evil.entries["../evil"] = (0o100644, b"")
        with self.assertRaisesRegex(ValueError, "leads out"):
            cpio.add_tree(cpio.Archive(), written(self.path("evil.cpio"), b"".join(evil.bytes())), "rootfs")

    def test_modules_of_folders_and_archives(self):
        """Modules installed by "make modules_install" must be readable, and the user's folder must not change."""
        source = self.path("modules")
        path = written(os.path.join(source, "lib", "modules", "6.99.0-mine", "kernel", "etnaviv.ko"), b"\x7fELF")
        written(os.path.join(source, "lib", "modules", "6.99.0-mine", "modules.order"), b"kernel/etnaviv.ko\n")
        written(os.path.join(source, "lib", "modules", "6.99.0-mine", "modules.builtin"), b"")
        before = sorted(os.listdir(os.path.dirname(os.path.dirname(path))))
        packed = self.path("modules.tar.xz")
        with tarfile.open(packed, "w:xz") as tar:
            tar.add(source, ".")
        for number, given in enumerate((source, os.path.join(source, "lib/modules/6.99.0-mine"), packed)):
            scratch = self.path(f"scratch-{number}")
            assert guest_files.unpack_modules(given, scratch) == "6.99.0-mine"
            with open(os.path.join(scratch, "lib/modules/6.99.0-mine/kernel/etnaviv.ko"), "rb") as file:
                assert file.read() == b"\x7fELF"
            guest_files.checked(guest_files.tool("depmod"), "-b", scratch, "6.99.0-mine")
        assert sorted(os.listdir(os.path.dirname(os.path.dirname(path)))) == before
        written(os.path.join(source, "lib", "modules", "6.98.0", "modules.order"), b"")
        assert "several kernels: 6.98.0 6.99.0-mine" in refused(guest_files.unpack_modules, source, self.path("scratch-x"))

    def test_modules_pass_through_any_folder(self):
        """The temporary folder's path may have a space, and modprobe's output may have module parameters."""
        source = self.path("modules with a blank")
        for name in ("one.ko", "two.ko"):
            written(os.path.join(source, "lib/modules/6.99/kernel", name), elf(40, kind=1))
        written(os.path.join(source, "lib/modules/6.99/modules.order"), b"kernel/one.ko\nkernel/two.ko\n")
        archive, scratch = cpio.Archive(), empty(self.path("a scratch"))
        assert guest_files.add_modules(archive, source, ["one", "two", "three"], ["one"], scratch) == ("6.99", ["three"])
        assert {"lib/modules/6.99/one.ko", "lib/modules/6.99/two.ko"} < archive.entries.keys(), archive.entries.keys()
        assert guest_files.inserted("insmod /a b/c.ko.xz size=1 d.ko\nbuiltin e\ninsmod /f.ko \n") == ["/a b/c.ko.xz", "/f.ko"]


# ---- runs --------------------------------------------------------------------------------------


def guest_of(out, board="sabrelite"):
    return guest_folder(os.path.join(out, "guest", f"{board}-6.12"))


def command_of(out, *words, board="sabrelite"):
    return [RUN, "--qemu", FAKE, "--board", board, "--guest", guest_of(out, board), *words]


def run(out, guest, *words, to="run", board="sabrelite", **environment):
    command = command_of(out, *([] if to is None else ["--out", os.path.join(out, to)]), *words, board=board)
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, "FAKE_GUEST": guest, **environment})


def script(out, name="test.sh"):
    return written(os.path.join(out, name), b"#!/bin/sh\n")


class OtherProcessorsTest(Test):
    """Tests of an arm64 board."""

    def run_there(self, *words, guest=UP + "results program 0 app", **environment):
        return run(self.out, guest, *words, board="imx8mp", **environment)

    def test_files_of_others_are_refused(self):
        """A single line must name the processors of the file and of the board."""
        arm, arm64 = (written(self.path(name, "app"), content) for name, content in (("armhf", elf(40)), ("arm64", elf(183, kind=2))))
        for words, board, status, told in (
                (["--program", arm], "imx8mp", 2, f"{arm} is a program for arm, and the board's processor is arm64"),
                (["--program", arm64], "sabrelite", 2, f"{arm64} is a program for arm64, and the board's processor is arm"),
                (["--kernel", written(self.path("zImage"), zimage())], "imx8mp", 3, "zImage is a zImage for arm, and the board's processor is arm64"),
                (["--kernel", written(self.path("Image"), image())], "sabrelite", 3, "Image is an Image for arm64, and the board's processor is arm"),
                (["--kernel", self.path("Image"), "--dtb", "none"], "imx8mp", 2, "no kernel for arm64 has a device tree appended"),
                (["--dtb", written(self.path("x.dtb"), tree("fsl,imx6q"))], "imx8mp", 3, "is the device tree of fsl,imx6q; imx8mp needs one of fsl,imx8mp")):
            ended = run(self.out, UP, *words, board=board)
            ends(ended, status, told)
            assert len(ended.stderr.splitlines()) == 1, ended

    def test_its_own_run(self):
        """Virtio devices must use the machine's transports."""
        program, told = written(self.path("app"), elf(183, kind=2)), self.path("command")
        kernel = written(self.path("Image.gz"), gzip.compress(image()))
        ends(self.run_there("--kernel", kernel, "--program", program, "--share", self.out, "--network", FAKE_COMMAND=told), 0)
        words = text_of(told).split("\n")
        for word in ("imx8mp-evk", "virtio-9p-device,fsdev=share,mount_tag=share", "virtio-net-device,netdev=user-network",
                     self.path("guest", "imx8mp-6.12", "boot", "imx8mp-evk.dtb")):
            assert word in words, (word, words)


class RunsTest(Test):
    def test_wrong_usage_is_2(self):
        program = script(self.out)
        for words, told in ((["--board", "nosuch"], "no board nosuch"), (["--board", "gr5526"], "no board gr5526"),
                            (["--kernel-series", "1.0"], "it has: 6.12"), (["--kernel", "/nowhere"], "no file /nowhere"),
                            (["--program", "/nowhere"], "no file"), (["--modules", "/nowhere"], "/nowhere"),
                            (["--suite", "nosuch"], "no suite nosuch"), (["--suite", "x11"], "no suite x11"),
                            (["--shard", "3/2"], "--shard"), (["--repeat", "0"], "--repeat"), (["--timeout", "soon"], "--timeout"),
                            (["--nosuch"], "--nosuch"), (["--", "a"], "--program"), (["--qemu-options", "-a 'b"], "--qemu-options"), (["--case", "("], "--case"),
                            (["--initrd", program, "--program", program], "--initrd"), (["--qemu", "/nowhere"], "/nowhere"),
                            (["--board", "am57xx-x15", "--network"], "--network does not work on am57xx-x15, only on am57xx, geode-lx, imx8mp, sabrelite"), (["--board", "geode-lx", "--dtb", program], "--dtb"),
                            (["--board", "am57xx-idk", "--snapshot"], "--snapshot does not work on am57xx-idk, only on am57xx, imx8mp, sabrelite"),
                            (["--program", program, program], "is given twice"), (["--guest", "/nowhere"], "/nowhere"),
                            (["--fails", written(self.path("bad"), b"a b\n")], "bad:1")):
            ends(run(self.out, UP, *words), 2, told)

    def test_wrong_kernels_are_told_at_once(self):
        ends(run(self.out, UP, "--kernel", written(self.path("bzImage"), bzimage(1))), 3, "bzImage for x86-64")
        wrong = written(self.path("x15.dtb"), tree("ti,am5728"))
        ends(run(self.out, UP, "--dtb", wrong), 3, "device tree of ti,am5728")

    def test_a_program_gives_its_status(self):
        program = script(self.out)
        for status, verdict in ((0, "passed"), (9, "failed"), (77, "passed")):
            ended = run(self.out, UP + f"results program {status} test.sh", "--program", program, "--", "a")
            ends(ended, 0 if status == 77 else status, f"verdict: {verdict}")

    def test_output_of_programs_is_shown(self):
        guest = UP + ("print before\nprint pixmill: program test.sh begins\nprint a word\nprint [    3.141592] of the kernel\n"
                      "print pixmill: program test.sh ended with status 0\nprint behind\nresults program 0 test.sh")
        ended = run(self.out, guest, "--program", script(self.out))
        ends(ended, 0)
        lines = ended.stdout.splitlines()
        assert "a word" in lines and not {"before", "behind", "[    3.141592] of the kernel"} & set(lines), lines

    def test_causes_have_their_status(self):
        for guest, status, words in (
                ("print Kernel panic - not syncing: VFS: Unable to mount root fs", 3, "VFS: Unable to mount"),
                ("print pixmill: cause: the kernel 6.99 has no etnaviv-gpu\nprint pixmill: the end", 3, "has no etnaviv-gpu"),
                ("", 3, "the guest reset the board without any output on the console"),
                ("print Booting Linux\nprint a word", 3, "before its first process. Its last line: a word"),
                (UP + "hang", 4, "in time"), ("stderr qemu: no such option\nexit 1", 2, "no such option"),
                (UP + "print Kernel panic - not syncing: oops", 1, "oops")):
            ended = run(self.out, guest, "--program", script(self.out), "--timeout", "2")
            ends(ended, status, words, f"(exit status {status})")

    def test_a_qemu_ended_from_outside_is_a_failure_of_the_host(self):
        """Either the host's kernel runs out of memory and kills QEMU, or QEMU gets a SIGTERM, names the sender and
        exits with 0."""
        for how, told in (("kill 9", "QEMU was killed"), ("stderr qemu-system-arm: terminating on signal 15 from pid 7 (kill)", "on signal 15")):
            for before in ("", UP):
                ends(run(self.out, before + how, "--program", script(self.out)), 5, told, "(exit status 5)")

    def test_the_kernel_is_named_by_its_own_words(self):
        """The kernel's version must be found even if the kernel does not reach its first process or runs the user's
        initramfs."""
        says = "print [    0.000000] Linux version 6.99-mine (me@here)\n"
        ended = run(self.out, says + "print Kernel panic - not syncing: VFS: no root", "--program", script(self.out))
        ends(ended, 3, "Linux 6.99-mine on sabrelite")
        ends(run(self.out, says, "--initrd", written(self.path("own.cpio"), initramfs())), 0, "Linux 6.99-mine on sabrelite")

    def test_a_guest_says_its_kernel_series(self):
        """The series comes from the folder's name, or from an exported guest's manifest, and must be part of the
        names of cases."""
        guest = UP + "results program 0 test.sh"
        for name, manifest, words, kernel, series in (
                ("sabrelite-sid", "", [], "Debian's, series sid", "sid"), ("exported", '{"series": "6.1"}', [], "Debian's, series 6.1", "6.1"),
                ("exported-2", "{", [], "the guest's", "6.12"), ("mine", "", ["--kernel-series", "6.1"], "the guest's", "6.1"),
                ("sabrelite-6.1", "", ["--kernel-series", "6.1"], "Debian's, series 6.1", "6.1"),
                ("sabrelite-6.1", "", ["--label", "x"], "Debian's, series 6.1", "x")):
            folder = guest_folder(self.path(name))
            if manifest:
                written(os.path.join(folder, "manifest.json"), manifest)
            ended = run(self.out, guest, "--guest", folder, *words, "--program", script(self.out))
            ends(ended, 0, f"        kernel: {kernel}\n")
            names = [case["name"] for case in json.loads(text_of(self.path("run", "results.json")))["cases"]]
            assert names == [f"sabrelite/{series}/program/run", f"sabrelite/{series}/program/test.sh"], names
        ends(run(self.out, guest, "--guest", guest_folder(self.path("sabrelite-sid")), "--kernel-series", "6.12", "--program", script(self.out)),
             2, "has kernel series sid, not 6.12")

    def test_a_case_that_fails_is_1(self):
        ends(run(self.out, UP + "results libdrm 1 a-case", "--suite", "libdrm"), 1, "failed  libdrm: a-case", "verdict: failed")

    def test_lists_count(self):
        fails = written(self.path("fails"), b"# why\nprogram/test.sh,Fail\n")
        program = script(self.out)
        two = [program, script(self.out, "two.sh")]
        ends(run(self.out, UP + "results program 1 test.sh", "--program", *two, "--fails", fails), 0, "known failure: why")
        ends(run(self.out, UP + "results program 0 test.sh", "--program", *two, "--fails", fails), 1, "it passes")

    def test_programs_that_ended_before_a_crash_keep_their_verdicts(self):
        """According to the console, the first program ended, the second crashed the guest, and the third never ran."""
        three = [script(self.out, name) for name in ("a.sh", "b.sh", "c.sh")]
        said = UP + ("print pixmill: program a.sh begins\nprint good\nprint pixmill: program a.sh ended with status 0\n"
                     "print pixmill: program b.sh begins\nprint its last words\nprint [    3.141592] of the kernel\n")
        panic = "print Kernel panic - not syncing: oops\nprint ---[ end Kernel panic - not syncing: oops ]---"
        for guest, result, why, status, verdict in (
                ("hang", "Timeout", "the guest did not finish in time", 4, "timeout"),
                (panic, "Crash", "the guest's kernel panicked: Kernel panic - not syncing: oops", 1, "failed"),
                ("", "Crash", "no results came out of the guest", 1, "failed")):
            for known in (result, "Fail", ""):
                fails = written(self.path("fails"), f"# why\nprogram/b.sh,{known}\n" if known else "")
                ended = run(self.out, said + guest, "--program", *three, "--timeout", "2", "--fails", fails)
                is_known = known == result
                ends(ended, 0 if is_known else status, "passed  program: a.sh", f"program: b.sh: {why}: ", "last words",
                     "skipped program: c.sh: never run", "verdict: " + ("passed" if is_known else verdict))
                cases = {case["case"]: case for case in json.loads(text_of(self.path("run", "results.json")))["cases"]}
                assert {name: case["outcome"] for name, case in cases.items()} == {
                    "run": "skipped", "a.sh": "passed", "b.sh": "skipped" if is_known else "failed", "c.sh": "skipped"}, cases
                assert cases["b.sh"]["result"] == result and text_of(self.path("run", cases["b.sh"]["log"])).startswith("its last words\n")
                assert text_of(self.path("run", cases["a.sh"]["log"])) == "good\n", cases

    def test_a_run_that_hangs_outside_of_programs_is_a_timeout(self):
        """A list must be able to expect this timeout, even for the user's initramfs."""
        for suite, words in (("program", ["--program", script(self.out)]),
                             ("boot", ["--initrd", written(self.path("own.cpio"), initramfs())])):
            for known, status in (("Timeout", 0), ("Fail", 4)):
                fails = written(self.path("fails"), f"{suite}/run,{known}\n")
                ends(run(self.out, UP + "hang", *words, "--timeout", "2", "--fails", fails), status)

    def test_an_end_by_the_host_is_not_the_programs(self):
        said = UP + "print pixmill: program test.sh begins\nkill 9"
        fails = written(self.path("fails"), "program/test.sh,Crash\nprogram/run,Fail\n")
        ends(run(self.out, said, "--program", script(self.out), "--fails", fails), 5, "skipped program: test.sh: never run")

    def test_a_check_in_which_the_guest_dies_is_named_and_other_suites_run(self):
        """If a list expects the crash, the suite must run first, in a separate boot."""
        others = "\n".join(f"first {self.path(str(number))}\t{line}" for number, line in enumerate(("results program 0 test.sh", "exit 0")))
        dies = "print pixmill: check one\nprint pixmill: one ended with status 0\nprint pixmill: check two\nexit 0"
        fails = written(self.path("fails"), "libdrm/two,Crash\n")
        ended = run(self.out, f"{UP}{others}\n{dies}", "--suite", "libdrm", "--program", script(self.out), "--fails", fails)
        ends(ended, 0, "passed  libdrm: one", "skipped libdrm: two: no results came out of the guest; known failure", "passed  program: test.sh",
             "never run")

    def test_flakes_are_run_again(self):
        """The fake guest has different results in its second boot."""
        flakes = written(self.path("flakes"), b"program/.*\n")
        two = [script(self.out), script(self.out, "two.sh")]
        ended = run(self.out, UP + "once " + self.path("flaked") + "\nresults program 0 test.sh two.sh", "--program", *two,
                    "--flakes", flakes)
        ends(ended, 0, "again", "a flake: it failed before")
        os.unlink(self.path("flaked"))
        ends(run(self.out, UP + "results program 1 test.sh", "--program", *two, "--flakes", flakes), 1, "again", "failed  program: test.sh")

    def test_cases_can_be_chosen(self):
        ended = run(self.out, UP + "results program 0 test.sh two.sh", "--program", script(self.out), script(self.out, "two.sh"), "--case", "/two")
        ends(ended, 0, "passed  program: two.sh")
        assert "test.sh:" not in ended.stdout and "passed  program: test.sh" not in ended.stdout, ended.stdout

    def test_options_reach_the_guest(self):
        """Options are passed on the kernel command line, as devices, and in the archive after the initramfs."""
        told = self.path("command")
        kept = self.path("kept.cpio")
        program = script(self.out)
        share = self.path("shared")
        os.makedirs(share, exist_ok=True)
        ended = run(self.out, UP + f"keep {kept}\nresults program 0 test.sh", "--program", program, "--append", "quiet panic=5",
                    "--share", share, "--network", "--no-gpu", "--qemu-options", "-trace x", "--", "a b", "c", FAKE_COMMAND=told)
        ends(ended, 0)
        words = text_of(told).split("\n")
        append = words[words.index("-append") + 1]
        assert append.endswith(" quiet panic=5") and "pixmill.suite=program" in append and "pixmill.gpu=no" in append, append
        assert f"local,id=share,path={share},security_model=none" in words
        assert "virtio-9p-pci,bus=dw-pcie,addr=0.0,multifunction=on,fsdev=share,mount_tag=share" in words
        assert "virtio-net-pci,bus=dw-pcie,addr=0.1,multifunction=on,netdev=user-network" in words
        assert words[-2:] != ["-trace", "x"] and "-trace" in words
        with open(kept, "rb") as file:
            files = {path: content for path, _, content in cpio.read(file.read())}
        assert files["tmp/program/bin/test.sh"] == b"#!/bin/sh\n"
        assert b"run_program test.sh /tmp/program/bin/test.sh 'a b' c\n" in files["suites/program"], files["suites/program"]
        assert b"mount -t 9p" in files["tmp/program/setup"] and b"10.0.2.15" in files["tmp/program/setup"]

    def test_an_image_is_a_disk(self):
        """The first kilobyte of an ext4 image, before the superblock, is zero, so it must not be mistaken for the
        end of a tar archive."""
        image, told = written(self.path("root.ext4"), bytes(1080) + b"\x53\xef" + bytes(4096)), self.path("command")
        ends(run(self.out, UP + "results program 0 test.sh", "--program", script(self.out), "--rootfs", image, FAKE_COMMAND=told), 0)
        words = text_of(told).split("\n")
        assert f"if=none,id=rootfs,format=raw,snapshot=on,file={image}" in words, words
        ends(run(self.out, UP, "--program", script(self.out), "--rootfs", image, "--snapshot"), 2, "not an image")

    def test_an_initramfs_of_the_users_own(self):
        own = written(self.path("own.cpio"), initramfs())
        ends(run(self.out, "print Run /init as init process\nsleep 0.2", "--initrd", own), 0, "passed  boot: run")
        ends(run(self.out, "print Kernel panic - not syncing: no init", "--initrd", own), 3, "no init")

    def test_a_kernel_that_resets_in_silence_has_not_booted(self):
        ends(run(self.out, "", "--initrd", written(self.path("own.cpio"), initramfs())), 3, "without any output on the console")

    def test_shards_run_all_once(self):
        programs = [script(self.out, f"p{number}.sh") for number in range(5)]
        told = self.path("kept.cpio")
        seen = []
        for number in (1, 2):
            ends(run(self.out, UP + f"keep {told}\nresults program 0 x", "--program", *programs, "--shard", f"{number}/2"), 0)
            with open(told, "rb") as file:
                text = {path: content for path, _, content in cpio.read(file.read())}["suites/program"].decode()
            seen += [line.split()[1] for line in text.splitlines() if line.startswith("run_program")]
        assert sorted(seen) == [f"p{number}.sh" for number in range(5)], seen

    def test_suites_need_their_userland(self):
        """A userland is a folder next to the guest. "all" must leave out suites whose folder is missing from an
        exported guest."""
        told = self.path("command")
        folder = guest_of(self.out) + "-gles2"
        ends(run(self.out, UP, "--suite", "gles2"), 2, f"suite gles2 needs {folder} (created by scripts/guest/userland)")
        ended = run(self.out, UP, "--suite", "all", "--shard", "1/99", FAKE_COMMAND=told)
        ends(ended, 1, f"note    the suite gles2 is left out: the guest has no {folder}")
        os.makedirs(folder)
        assert "gles2 is left out" not in run(self.out, UP, "--suite", "all", "--shard", "1/99").stdout
        run(self.out, UP, "--suite", "gles2", FAKE_COMMAND=told)
        assert f"path={folder}," in text_of(told)

    def test_suites_need_their_programs(self):
        """Pixmill's programs are missing in a guest made with --bare, and the suite itself is missing in an older
        guest."""
        lacks = {"scene2d": "bin/pixmill-guest", "versus-pixman": "bin/pixmill-versus-pixman", "libdrm": "suites/libdrm"}

        def make(*without):
            archive = cpio.Archive()
            archive.add("bin/busybox", b"[\0[[\0ash\0sh\0", 0o755)
            for path in [*lacks.values(), *(f"suites/{name}" for name in lacks)]:
                if path not in without:
                    archive.add(path, b"")
            command = command_of(self.out, "--out", self.path("run"), "--suite", suite, "--case", "a-case")
            written(self.path("guest", "sabrelite-6.12", "initramfs.cpio"), b"".join(archive.bytes()))
            return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "FAKE_GUEST": UP + f"keep {kept}\nresults {suite} 0 a-case"})

        kept = self.path("kept.cpio")
        for suite, path in lacks.items():
            ends(make(path), 2, f"suite {suite} needs {path} in its initramfs (created by scripts/guest/initramfs", "drop --guest")
            assert not os.path.exists(kept), suite
        for suite in lacks:
            ends(make(), 0)
        suite = "all"
        ends(make("bin/pixmill-guest"), 1, "note    the suite scene2d is left out: the guest has no bin/pixmill-guest in its initramfs")

    def test_repeats_count(self):
        ended = run(self.out, UP + "results program 0 test.sh", "--program", script(self.out), "--repeat", "3")
        ends(ended, 0, "run 3 of 3")
        with open(self.path("run", "results.json"), encoding="utf-8") as file:
            case, = [case for case in json.load(file)["cases"] if case["case"] == "test.sh"]
        assert case["repeats"] == ["passed"] * 3, case

    def test_repeats_share_no_files(self):
        """The files of a failed repeat must remain when later repeats pass."""
        once = self.path("failed-once")
        ends(run(self.out, UP + f"once {once}\nresults program 0 test.sh", "--program", script(self.out), "--repeat", "2"), 1)
        for number, status in ((1, "1"), (2, "0")):
            folder = self.path("run", f"run-{number}")
            with open(os.path.join(folder, "program", "cases"), encoding="utf-8") as file:
                assert file.read().split()[0] == status, number
            assert os.path.exists(os.path.join(folder, "program.log"))
        with open(self.path("run", "report.html"), encoding="utf-8") as file:
            assert 'href="run-1/program.log"' in file.read()
        assert not os.path.exists(self.path("run", "program"))


# ---- git bisect ------------------------------------------------------------------------------

# The version contains the commit, as it does with CONFIG_LOCALVERSION_AUTO, the default.
MAKEFILE = """place = $(INSTALL_MOD_PATH)/lib/modules/6.99-g$(shell git rev-parse --short HEAD)
zImage dtbs:
modules:
	test ! -f broken
modules_install:
	mkdir -p $(place) && touch $(place)/modules.order
"""


def git(folder, *words, status=0):
    done = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@localhost", *words], cwd=folder, capture_output=True, text=True,
                          check=False, env={name: value for name, value in os.environ.items() if name != "FAKE_GUEST"})
    assert done.returncode == status, done
    return done.stdout


def bisect_step(out):
    """Writes the script of docs/use/bisect.md, changed to use the fake QEMU."""
    text = re.search(r"```sh\n(#!/bin/sh\n.*?)```", text_of(REPO, "docs", "use", "bisect.md"), re.DOTALL)[1]
    assert "/path/to/pixmill/scripts/run " in text, text
    words = shlex.join(command_of(out, "--out", os.path.join(out, "bisected"), "--case", "a-case"))
    return written(os.path.join(out, "bisect-step"), text.replace("/path/to/pixmill/scripts/run", words), 0o755)


class BisectionTest(Test):
    def test_a_bisection_finds_the_commit(self):
        """Bisects 16 commits. The 6th does not compile, the 9th breaks a case, and the 11th does not boot."""
        folder = self.path("linux")
        written(os.path.join(folder, "Makefile"), MAKEFILE)
        written(os.path.join(folder, ".gitignore"), b"mods\n")
        written(os.path.join(folder, "arch/arm/boot/dts/nxp/imx/imx6q-sabrelite.dtb"), tree("fsl,imx6q"))
        git(folder, "init", "-q")
        for number in range(17):
            says = UP + f"results libdrm {int(number >= 9)} a-case"
            if number == 11:
                says = "print Kernel panic - not syncing: no init"
            written(os.path.join(folder, "arch/arm/boot/zImage"), zimage() + f"{number}\nFAKE_GUEST\n{says}\n".encode())
            if number == 6:
                written(os.path.join(folder, "broken"), b"")
            elif number == 7:
                os.unlink(os.path.join(folder, "broken"))
            git(folder, "add", "-A")
            git(folder, "commit", "-q", "-m", f"commit {number}")
        git(folder, "bisect", "start", "HEAD", "HEAD~16")
        told = git(folder, "bisect", "run", bisect_step(self.out))
        assert "is the first bad commit" in told and "\n    commit 9\n" in told, told


# ---- folders, and the end ----------------------------------------------------------------------


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            own = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return own + [one for child in own for one in children(child)]


def started(out, *words):
    """Starts a run whose guest hangs; returns (process, pid of QEMU)."""
    process = subprocess.Popen(command_of(out, *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, "FAKE_GUEST": UP + "hang"})
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        qemu = [pid for pid in children(process.pid) if is_fake(pid)]
        if qemu:
            return process, qemu[0]
        time.sleep(0.05)
    raise AssertionError(f"it did not start: {process.communicate()}")


def is_fake(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return FAKE.encode() in file.read().split(b"\0")[:2]
    except OSError:
        return False


class EndsTest(Test):
    def test_a_run_finds_an_empty_folder(self):
        """Files of an earlier run must be removed, and a folder that is not from a run must be refused."""
        folder = self.path("run")
        ends(run(self.out, UP + "results program 0 test.sh", "--program", script(self.out)), 0)
        picture = written(os.path.join(folder, "old.png"), b"")
        ends(run(self.out, "exit 1", "--program", script(self.out)), 2)
        assert not os.path.exists(picture)
        mine = written(self.path("mine", "letter"), b"")
        ends(run(self.out, UP, "--program", script(self.out), to="mine"), 2, "has no results of a run")
        assert os.path.exists(mine)

    def test_arguments_need_not_be_utf_8(self):
        """Arguments must reach the guest unchanged."""
        program, kept = script(self.out), self.path("bytes.cpio")
        command = command_of(self.out, "--out", self.path("run"), "--program", program, "--append", b"a=\xff", "--", b"\xfe")
        ended = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "FAKE_GUEST": UP + f"keep {kept}\n"
                                                                              "results program 0 test.sh"})
        assert ended.returncode == 0 and b"Traceback" not in ended.stderr, ended
        with open(kept, "rb") as file:
            assert b"\xfe" in {path: content for path, _, content in cpio.read(file.read())}["suites/program"]

    def test_folders_that_cannot_be_are_told(self):
        for place in ("/proc/nowhere", written(self.path("a file"), b"")):
            ends(run(self.out, UP, "--program", script(self.out), "--out", place, to=None), 2, f"--out {place}: ")

    def test_a_filter_that_nothing_matches_fails(self):
        """A misspelled expression must fail, but a shard may have no matching case."""
        guest = UP + "results libdrm 0 a-case"
        ends(run(self.out, guest, "--suite", "libdrm", "--case", "acase"), 1, "no case matches --case acase", "verdict: failed")
        ends(run(self.out, guest, "--suite", "libdrm", "--case", "acase", "--shard", "1/1"), 0)
        ends(run(self.out, guest, "--suite", "libdrm", "--case", "a-case"), 0)

    def test_a_board_without_a_device_tree_has_none(self):
        assert "device tree" not in run(self.out, UP, "--board", "geode-lx", "--program", script(self.out)).stdout

    def test_two_runs_cannot_share_a_folder(self):
        words = ["--program", script(self.out)]
        first, _ = started(self.out, "--out", self.path("shared-out"), *words)
        try:
            ends(run(self.out, UP, *words, to="shared-out"), 2, "another run is using")
        finally:
            first.terminate()
            first.communicate()
        ended = [run(self.out, UP + "results program 0 test.sh", *words, to=None).stdout for _ in range(2)]
        folders = {line.split("results: ", 1)[1].split(",")[0] for text in ended for line in text.splitlines() if "results: " in line}
        assert len(folders) == 2, folders
        for folder in folders:
            shutil.rmtree(os.path.dirname(folder.rstrip(",")))

    def test_sigterm_ends_everything_immediately(self):
        process, qemu = started(self.out, "--out", self.path("sigterm"), "--program", script(self.out))
        process.send_signal(signal.SIGTERM)
        process.communicate()
        assert process.returncode == 143 and is_gone(qemu), process.returncode  # 4 would mean that it waited for the time limit

    def test_nothing_is_left_of_a_killed_run(self):
        process, qemu = started(self.out, "--out", self.path("sigkill"), "--program", script(self.out))
        process.kill()
        process.communicate()
        assert is_gone(qemu), "QEMU still runs"

    def test_help_has_every_option_of_the_page(self):
        told = subprocess.run([RUN, "--help"], capture_output=True, text=True, check=True).stdout
        page = text_of(REPO, "docs", "use", "run.md")
        for option in {word.strip(" ,") for line in told.splitlines() for word in line.split() if word.startswith("--")}:
            if option.strip("[]") not in ("--", "--help"):
                assert option.strip("[]") in page, f"docs/use/run.md does not have {option}"
