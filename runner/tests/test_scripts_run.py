# SPDX-License-Identifier: GPL-2.0-or-later
"""scripts/run without a guest: its options, what it says of files, what it brings into the guest, how it ends; with a
stand-in for QEMU. usage: test_scripts_run.py OUT
"""

import gzip
import json
import os
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import time

import cases
from pixmill import cpio, guest_files, kernel_files, processes
from pixmill.places import REPO

HERE = os.path.dirname(os.path.realpath(__file__))
RUN = os.path.join(REPO, "scripts", "run")
FAKE = os.path.join(HERE, "fake_qemu.py")


def written(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    return path


# ---- files as they come from other tools, made from the documents ------------------------------


def zimage():
    return bytes(0x24) + struct.pack("<III", 0x016F2818, 0, 0x1000) + bytes(64)


def bzimage(flags):
    return bytes(0x202) + b"HdrS" + bytes(0x30) + bytes([flags]) + bytes(64)


def elf(machine_number, dynamic=(), interpreter=b"", kind=1):
    """A 32-bit ELF file whose only segment is itself; "dynamic" are (tag, string)."""
    head, size = 52, 32
    strings = b"\0" + b"".join(text + b"\0" for _, text in dynamic)
    entries, at = b"", 1
    for tag, text in dynamic:
        entries += struct.pack("<II", tag, at)
        at += len(text) + 1
    start = head + 3 * size
    table = start + len(entries) + 16
    entries += struct.pack("<IIII", 5, 0x10000 + table, 0, 0)
    interpreter_at = table + len(strings)
    whole = interpreter_at + len(interpreter)
    segments = (struct.pack("<8I", 1, 0, 0x10000, 0, whole, whole, 5, 4096)
                + struct.pack("<8I", 2, start, 0x10000 + start, 0, len(entries), len(entries), 6, 4)
                + struct.pack("<8I", 3 if interpreter else 0, interpreter_at, 0, 0, len(interpreter), len(interpreter), 4, 1))
    ident = b"\x7fELF" + bytes([kind, 1, 1]) + bytes(9)
    return (ident + struct.pack("<HHIIIIIHHHHHH", 2, machine_number, 1, 0, head, 0, 0, head, size, 3, 0, 0, 0)
            + segments + entries + strings + interpreter)


def tree(*compatible):
    value = b"".join(name.encode() + b"\0" for name in compatible)
    value += b"\0" * (-len(value) % 4)
    length = sum(len(name) + 1 for name in compatible)
    body = (struct.pack(">II", 1, 0) + struct.pack(">III", 3, 4, 0) + bytes(4)  # a property "x" before
            + struct.pack(">III", 3, length, 2) + value + struct.pack(">III", 1, 0x61000000, 2) + struct.pack(">II", 2, 9))
    strings = b"x\0compatible\0"
    return struct.pack(">10I", 0xD00DFEED, 40 + len(body) + len(strings), 40, 40 + len(body), 40, 17, 16, 0, len(strings),
                       len(body)) + body + strings


def refused(function, *arguments):
    try:
        function(*arguments)
    except (kernel_files.Wrong, guest_files.Unfit) as error:
        return str(error)
    raise AssertionError(f"{arguments} passed")


def kernels_are_known_by_their_first_bytes(out):
    path = os.path.join(out, "kernel")
    for content, processor, words in (
            (zimage(), "x86", "zImage for arm"), (bytes(0x38) + b"ARM\x64" + bytes(8), "arm", "Image for arm64"),
            (gzip.compress(bytes(0x38) + b"ARM\x64" + bytes(8)), "arm", "compressed Image for arm64"),
            (bzimage(1), "x86", "bzImage for x86-64"), (bzimage(1), "arm", "bzImage for x86-64"),
            (elf(62), "arm", "vmlinux for x86-64"), (elf(40), "arm", "take the zImage"), (b"", "arm", "is empty"),
            (tree("fsl,imx6q"), "arm", "device tree or FIT"), (b"\x1f\x8b damaged", "arm", "damaged gzip"),
            (b"\x27\x05\x19\x56" + bytes(25) + b"\x16" + bytes(40), "arm", "uImage for arm64")):
        told = refused(kernel_files.check_kernel, written(path, content), processor)
        assert words in told, (words, told)
    for content, processor in ((zimage(), "arm"), (bzimage(0), "x86"), ((0xEAFFFFFE).to_bytes(4, "little"), "arm"),
                               (b"\x27\x05\x19\x56" + bytes(25) + b"\x02" + bytes(40), "arm")):
        kernel_files.check_kernel(written(path, content), processor)


def trees_are_known_by_their_root(out):
    path = os.path.join(out, "tree.dtb")
    kernel_files.check_tree(written(path, tree("fsl,imx6q-sabrelite", "fsl,imx6q")), "sabrelite", ["fsl,imx6q"])
    told = refused(kernel_files.check_tree, written(path, tree("ti,am5728", "ti,dra7")), "sabrelite", ["fsl,imx6q"])
    assert "device tree of ti,am5728, ti,dra7; sabrelite needs one of fsl,imx6q" in told, told
    assert "cut off" in refused(kernel_files.check_tree, written(path, tree("fsl,imx6q")[:-1]), "b", ["fsl"])
    assert "not a device tree" in refused(kernel_files.check_tree, written(path, zimage()), "b", ["fsl"])
    assert "nothing" in refused(kernel_files.check_tree, written(path, tree()), "b", ["fsl"])


def damaged_files_are_refused_in_words(out):
    """Each prefix of good ones, and bytes changed."""
    for name, content, read in (("tree", tree("fsl,imx6q"), kernel_files.compatible_of),
                                ("program", elf(40, [(1, b"libc.so.6")], b"/lib/ld.so"), kernel_files.Program)):
        for at in range(len(content)):
            for damaged in (content[:at], content[:at] + b"\xff" + content[at + 1:]):
                try:
                    read(written(os.path.join(out, name), damaged))
                except kernel_files.Wrong:
                    pass


def programs_say_what_they_need(out):
    path = written(os.path.join(out, "app", "bin", "app"),
                   elf(40, [(1, b"libc.so.6"), (1, b"libown.so"), (29, b"$ORIGIN/../lib")], b"/lib/ld-linux-armhf.so.3\0"))
    program = kernel_files.Program(path)
    assert program.machine == "arm" and program.needed == ["libc.so.6", "libown.so"], program.needed
    assert program.interpreter == "/lib/ld-linux-armhf.so.3"
    assert program.folders == [os.path.join(out, "app", "bin") + "/../lib"], program.folders


def packages_of(out):
    root = os.path.join(out, "packages", "root")
    inner = os.path.join(root, "usr", "lib", "arm-linux-gnueabihf")
    written(os.path.join(inner, "libc.so.6"), elf(40, [(1, b"ld-linux-armhf.so.3")]))
    written(os.path.join(inner, "ld-linux-armhf.so.3"), elf(40))
    return root


def libraries_come_along(out):
    programs_say_what_they_need(out)
    written(os.path.join(out, "app", "lib", "libown.so"), elf(40, [(1, b"libc.so.6")]))
    archive = cpio.Archive()
    libraries = guest_files.Libraries(archive, [], packages_of(out), "arm")
    guest_files.add_program(archive, os.path.join(out, "app", "bin", "app"), "arm", libraries)
    assert {path for path, (mode, _) in archive.entries.items() if not mode & 0o40000} == {
        "tmp/program/bin/app", "tmp/program/lib/libown.so", "lib/libc.so.6", "lib/ld-linux-armhf.so.3"}, archive.entries.keys()


def missing_libraries_and_other_processors_are_told(out):
    libraries = guest_files.Libraries(cpio.Archive(), [], packages_of(out), "arm")
    lost = written(os.path.join(out, "lost"), elf(40, [(1, b"libnowhere.so")]))
    assert "needs libnowhere.so" in refused(guest_files.add_program, cpio.Archive(), lost, "arm", libraries)
    native = written(os.path.join(out, "native"), elf(62, kind=2))
    assert "for x86-64" in refused(guest_files.add_program, cpio.Archive(), native, "arm", libraries)
    text = written(os.path.join(out, "text"), b"no program\n")
    assert "no program" in refused(guest_files.add_program, cpio.Archive(), text, "arm", libraries)
    other = written(os.path.join(out, "other", "libx.so"), elf(3))
    needs = written(os.path.join(out, "needs"), elf(40, [(1, b"libx.so")]))
    libraries.folders = [os.path.dirname(other)]
    assert "needs libx.so" in refused(guest_files.add_program, cpio.Archive(), needs, "arm", libraries)


def archives_can_be_unpacked(out):
    """By Debian's cpio."""
    archive = cpio.Archive()
    archive.add("a/b/file", b"x" * 4097, 0o755)
    archive.add_link("a/link", "b/file")
    archive.add("empty", b"")
    folder = os.path.join(out, "unpacked")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run(["cpio", "-idm", "--quiet"], cwd=folder, input=b"".join(archive.bytes()), check=True)
    with open(os.path.join(folder, "a", "link"), "rb") as file:
        assert file.read() == b"x" * 4097
    assert os.access(os.path.join(folder, "a", "b", "file"), os.X_OK)
    assert os.path.getsize(os.path.join(folder, "empty")) == 0


def root_file_systems_are_read(out):
    """What Debian's cpio and tar have made; nothing leads out of the folder."""
    source = os.path.join(out, "root")
    written(os.path.join(source, "bin", "sh"), b"#!")
    packed = subprocess.run("find . | cpio -oH newc --quiet | gzip", shell=True, cwd=source, capture_output=True, check=True).stdout
    made = {"root.cpio.gz": packed,
            "root.tar": subprocess.run(["tar", "-c", "."], cwd=source, capture_output=True, check=True).stdout}
    for name, content in made.items():
        archive = cpio.Archive()
        cpio.add_tree(archive, written(os.path.join(out, name), content), "rootfs")
        assert archive.entries["rootfs/bin/sh"][1] == b"#!", name
    evil = cpio.Archive()
    evil.entries["../evil"] = (0o100644, b"")
    try:
        cpio.add_tree(cpio.Archive(), written(os.path.join(out, "evil.cpio"), b"".join(evil.bytes())), "rootfs")
    except ValueError as error:
        assert "leads out" in str(error)
    else:
        raise AssertionError("it left the folder")


def modules_of_folders_and_archives(out):
    """As "make modules_install" leaves them; the user's folder stays as it is."""
    source = os.path.join(out, "modules")
    shutil.rmtree(source, ignore_errors=True)
    path = written(os.path.join(source, "lib", "modules", "6.99.0-mine", "kernel", "etnaviv.ko"), b"\x7fELF")
    written(os.path.join(source, "lib", "modules", "6.99.0-mine", "modules.order"), b"kernel/etnaviv.ko\n")
    written(os.path.join(source, "lib", "modules", "6.99.0-mine", "modules.builtin"), b"")
    before = sorted(os.listdir(os.path.dirname(os.path.dirname(path))))
    packed = os.path.join(out, "modules.tar.xz")
    with tarfile.open(packed, "w:xz") as tar:
        tar.add(source, ".")
    for number, given in enumerate((source, os.path.join(source, "lib/modules/6.99.0-mine"), packed)):
        scratch = os.path.join(out, f"scratch-{number}")
        shutil.rmtree(scratch, ignore_errors=True)
        assert guest_files.unpack_modules(given, scratch) == "6.99.0-mine"
        with open(os.path.join(scratch, "lib/modules/6.99.0-mine/kernel/etnaviv.ko"), "rb") as file:
            assert file.read() == b"\x7fELF"
        guest_files.checked(guest_files.tool("depmod"), "-b", scratch, "6.99.0-mine")
    assert sorted(os.listdir(os.path.dirname(os.path.dirname(path)))) == before
    written(os.path.join(source, "lib", "modules", "6.98.0", "modules.order"), b"")
    assert "several kernels: 6.98.0 6.99.0-mine" in refused(guest_files.unpack_modules, source, os.path.join(out, "scratch-x"))


def modules_pass_through_any_folder(out):
    """Temporary files may lie in one with a blank, and what modprobe loads may have parameters behind it."""
    source = os.path.join(out, "modules with a blank")
    shutil.rmtree(source, ignore_errors=True)
    for name in ("one.ko", "two.ko"):
        written(os.path.join(source, "lib/modules/6.99/kernel", name), elf(40, kind=1))
    written(os.path.join(source, "lib/modules/6.99/modules.order"), b"kernel/one.ko\nkernel/two.ko\n")
    archive, scratch = cpio.Archive(), os.path.join(out, "a scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    assert guest_files.add_modules(archive, source, ["one", "two", "three"], ["one"], scratch) == ("6.99", ["three"])
    assert {"lib/modules/6.99/one.ko", "lib/modules/6.99/two.ko"} < archive.entries.keys(), archive.entries.keys()
    assert guest_files.inserted("insmod /a b/c.ko.xz size=1 d.ko\nbuiltin e\ninsmod /f.ko \n") == ["/a b/c.ko.xz", "/f.ko"]


# ---- runs --------------------------------------------------------------------------------------

UP = "print pixmill: up after 3.00 s: Linux 6.99\n"


def guest_folder(out):
    folder = os.path.join(out, "guest", "sabrelite-6.12")
    for name in ("boot/vmlinuz", "boot/imx6q-sabrelite.dtb", "initramfs.cpio"):
        written(os.path.join(folder, name), b"")
    return folder


def command_of(out, *words):
    return [RUN, "--qemu", FAKE, "--guest", guest_folder(out), *words]


def run(out, guest, *words, to="run", **environment):
    command = command_of(out, *([] if to is None else ["--out", os.path.join(out, to)]), *words)
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, "FAKE_GUEST": guest, **environment})


def ends(ended, status, *words):
    assert ended.returncode == status, ended
    assert "Traceback" not in ended.stderr, ended.stderr
    for word in words:
        assert word in ended.stdout + ended.stderr, (word, ended)


def script(out, name="test.sh"):
    return written(os.path.join(out, name), b"#!/bin/sh\n")


def wrong_usage_is_2(out):
    program = script(out)
    for words, told in ((["--board", "nosuch"], "no board nosuch"), (["--board", "gr5526"], "no board gr5526"),
                        (["--kernel-series", "1.0"], "it has: 6.12"), (["--kernel", "/nowhere"], "no file /nowhere"),
                        (["--program", "/nowhere"], "no file"), (["--modules", "/nowhere"], "/nowhere"),
                        (["--suite", "nosuch"], "no suite nosuch"), (["--suite", "x11"], "no suite x11"),
                        (["--shard", "3/2"], "--shard"), (["--repeat", "0"], "--repeat"), (["--timeout", "soon"], "--timeout"),
                        (["--nosuch"], "--nosuch"), (["--", "a"], "--program"), (["--qemu-options", "-a 'b"], "--qemu-options"), (["--case", "("], "--case"),
                        (["--initrd", program, "--program", program], "--initrd"), (["--qemu", "/nowhere"], "/nowhere"),
                        (["--board", "am57xx-x15", "--network"], "--network could use; am57xx, geode-lx, sabrelite have"), (["--board", "geode-lx", "--dtb", program], "--dtb"),
                        (["--program", program, program], "one program"), (["--guest", "/nowhere"], "/nowhere"),
                        (["--fails", written(os.path.join(out, "bad"), b"a b\n")], "bad:1")):
        ends(run(out, UP, *words), 2, told)


def wrong_kernels_are_told_at_once(out):
    ends(run(out, UP, "--kernel", written(os.path.join(out, "bzImage"), bzimage(1))), 3, "bzImage for x86-64")
    wrong = written(os.path.join(out, "x15.dtb"), tree("ti,am5728"))
    ends(run(out, UP, "--dtb", wrong), 3, "device tree of ti,am5728")


def a_program_gives_its_status(out):
    program = script(out)
    for status, verdict in ((0, "passed"), (9, "failed"), (77, "passed")):
        ended = run(out, UP + f"results program {status} test.sh", "--program", program, "--", "a")
        ends(ended, 0 if status == 77 else status, f"verdict: {verdict}")


def what_it_says_is_shown(out):
    guest = UP + ("print before\nprint pixmill: program test.sh begins\nprint a word\nprint [    3.141592] of the kernel\n"
                  "print pixmill: program test.sh ended with status 0\nprint behind\nresults program 0 test.sh")
    ended = run(out, guest, "--program", script(out))
    ends(ended, 0)
    lines = ended.stdout.splitlines()
    assert "a word" in lines and not {"before", "behind", "[    3.141592] of the kernel"} & set(lines), lines


def causes_have_their_status(out):
    for guest, status, words in (
            ("print Kernel panic - not syncing: VFS: Unable to mount root fs", 3, "VFS: Unable to mount"),
            ("print pixmill: cause: the kernel 6.99 has no etnaviv-gpu\nprint pixmill: the end", 3, "has no etnaviv-gpu"),
            ("", 3, "the guest has reset the board without a byte on the console"),
            ("print Booting Linux\nprint a word", 3, "before its first process. Its last line: a word"),
            (UP + "hang", 4, "in time"), ("stderr qemu: no such option\nexit 1", 2, "no such option"),
            (UP + "print Kernel panic - not syncing: oops", 1, "oops")):
        ended = run(out, guest, "--program", script(out), "--timeout", "2")
        ends(ended, status, words, f"(exit status {status})")


def a_qemu_that_is_ended_from_outside_is_the_hosts_doing(out):
    """By a kernel that lacks memory, or by somebody: QEMU says who it was, and ends well."""
    for how, told in (("kill 9", "QEMU was killed"), ("stderr qemu-system-arm: terminating on signal 15 from pid 7 (kill)", "on signal 15")):
        for before in ("", UP):
            ends(run(out, before + how, "--program", script(out)), 5, told, "(exit status 5)")


def the_kernel_is_named_by_its_own_words(out):
    """Also one that does not come to its first process, and one with an initramfs of the user's."""
    says = "print [    0.000000] Linux version 6.99-mine (me@here)\n"
    ended = run(out, says + "print Kernel panic - not syncing: VFS: no root", "--program", script(out))
    ends(ended, 3, "Linux 6.99-mine on sabrelite")
    ends(run(out, says, "--initrd", script(out, "own.cpio")), 0, "Linux 6.99-mine on sabrelite")


def a_case_that_fails_is_1(out):
    ends(run(out, UP + "results libdrm 1 a-case", "--suite", "libdrm"), 1, "failed  libdrm: a-case", "verdict: failed")


def lists_count(out):
    fails = written(os.path.join(out, "fails"), b"# why\nprogram/test.sh,Fail\n")
    program = script(out)
    two = [program, script(out, "two.sh")]
    ends(run(out, UP + "results program 1 test.sh", "--program", *two, "--fails", fails), 0, "as is known: why")
    ends(run(out, UP + "results program 0 test.sh", "--program", *two, "--fails", fails), 1, "it passes")


def flakes_are_run_again(out):
    """The guest of the second boot says something else: the script is a file that changes."""
    flakes = written(os.path.join(out, "flakes"), b"program/.*\n")
    two = [script(out), script(out, "two.sh")]
    if os.path.exists(os.path.join(out, "flaked")):
        os.unlink(os.path.join(out, "flaked"))
    ended = run(out, UP + "once " + os.path.join(out, "flaked") + "\nresults program 0 test.sh two.sh", "--program", *two,
                "--flakes", flakes)
    ends(ended, 0, "again", "a flake: it had failed before")
    os.unlink(os.path.join(out, "flaked"))
    ends(run(out, UP + "results program 1 test.sh", "--program", *two, "--flakes", flakes), 1, "again", "failed  program: test.sh")


def cases_can_be_chosen(out):
    ended = run(out, UP + "results program 0 test.sh two.sh", "--program", script(out), script(out, "two.sh"), "--case", "/two")
    ends(ended, 0, "passed  program: two.sh")
    assert "test.sh:" not in ended.stdout and "passed  program: test.sh" not in ended.stdout, ended.stdout


def what_the_guest_gets(out):
    """Kernel command line, devices, and the archive behind the initramfs."""
    told = os.path.join(out, "command")
    kept = os.path.join(out, "kept.cpio")
    program = script(out)
    share = os.path.join(out, "shared")
    os.makedirs(share, exist_ok=True)
    ended = run(out, UP + f"keep {kept}\nresults program 0 test.sh", "--program", program, "--append", "quiet panic=5",
                "--share", share, "--network", "--no-gpu", "--qemu-options", "-trace x", "--", "a b", "c", FAKE_COMMAND=told)
    ends(ended, 0)
    with open(told, encoding="utf-8") as file:
        words = file.read().split("\n")
    append = words[words.index("-append") + 1]
    assert append.endswith(" quiet panic=5") and "pixmill.suite=program" in append and "pixmill.gpu=no" in append, append
    assert f"local,id=share,path={share},security_model=none" in words
    assert "virtio-9p-pci,bus=dw-pcie,addr=0.0,multifunction=on,fsdev=share,mount_tag=share" in words
    assert "virtio-net-pci,bus=dw-pcie,addr=0.1,multifunction=on,romfile=,netdev=user-network" in words
    assert words[-2:] != ["-trace", "x"] and "-trace" in words
    with open(kept, "rb") as file:
        files = {path: content for path, _, content in cpio.read(file.read())}
    assert files["tmp/program/bin/test.sh"] == b"#!/bin/sh\n"
    assert b"run_program test.sh /tmp/program/bin/test.sh 'a b' c\n" in files["suites/program"], files["suites/program"]
    assert b"mount -t 9p" in files["tmp/program/setup"] and b"10.0.2.15" in files["tmp/program/setup"]


def an_image_is_a_disk(out):
    """Its first kilobyte is nobody's (ext4: the superblock is behind it), as is the end of a tar archive."""
    image, told = written(os.path.join(out, "root.ext4"), bytes(1080) + b"\x53\xef" + bytes(4096)), os.path.join(out, "command")
    ends(run(out, UP + "results program 0 test.sh", "--program", script(out), "--rootfs", image, FAKE_COMMAND=told), 0)
    with open(told, encoding="utf-8") as file:
        words = file.read().split("\n")
    assert f"if=none,id=rootfs,format=raw,snapshot=on,file={image}" in words, words
    ends(run(out, UP, "--program", script(out), "--rootfs", image, "--snapshot"), 2, "no image")


def an_initramfs_of_the_users_own(out):
    own = written(os.path.join(out, "own.cpio"), b"")
    ends(run(out, "print Run /init as init process\nsleep 0.2", "--initrd", own), 0, "passed  boot: run")
    ends(run(out, "print Kernel panic - not syncing: no init", "--initrd", own), 3, "no init")


def a_kernel_that_resets_in_silence_has_not_booted(out):
    ends(run(out, "", "--initrd", script(out, "own.cpio")), 3, "without a byte on the console")


def shards_run_all_once(out):
    programs = [script(out, f"p{number}.sh") for number in range(5)]
    told = os.path.join(out, "kept.cpio")
    seen = []
    for number in (1, 2):
        ends(run(out, UP + f"keep {told}\nresults program 0 x", "--program", *programs, "--shard", f"{number}/2"), 0)
        with open(told, "rb") as file:
            text = {path: content for path, _, content in cpio.read(file.read())}["suites/program"].decode()
        seen += [line.split()[1] for line in text.splitlines() if line.startswith("run_program")]
    assert sorted(seen) == [f"p{number}.sh" for number in range(5)], seen


def suites_need_their_userland(out):
    """The folder beside the guest. "all" goes on without those whose folder an exported guest does not have."""
    shutil.rmtree(os.path.join(out, "guest"), ignore_errors=True)
    told = os.path.join(out, "command")
    folder = guest_folder(out) + "-gles2"
    ends(run(out, UP, "--suite", "gles2"), 2, f"the suite gles2 needs {folder}")
    ended = run(out, UP, "--suite", "all", "--shard", "1/99", FAKE_COMMAND=told)
    ends(ended, 1, f"note    the suite gles2 is left out: the guest has no {folder}")
    os.makedirs(folder)
    assert "gles2 is left out" not in run(out, UP, "--suite", "all", "--shard", "1/99").stdout
    run(out, UP, "--suite", "gles2", FAKE_COMMAND=told)
    with open(told, encoding="utf-8") as file:
        assert f"path={folder}," in file.read()


def repeats_count(out):
    ended = run(out, UP + "results program 0 test.sh", "--program", script(out), "--repeat", "3")
    ends(ended, 0, "run 3 of 3")
    with open(os.path.join(out, "run", "results.json"), encoding="utf-8") as file:
        case, = [case for case in json.load(file)["cases"] if case["case"] == "test.sh"]
    assert case["repeats"] == ["passed"] * 3, case


def repeats_share_no_files(out):
    """What a run has left of its failure is there when the others have passed."""
    once = os.path.join(out, "failed-once")
    if os.path.exists(once):
        os.unlink(once)
    ends(run(out, UP + f"once {once}\nresults program 0 test.sh", "--program", script(out), "--repeat", "2"), 1)
    for number, status in ((1, "1"), (2, "0")):
        folder = os.path.join(out, "run", f"run-{number}")
        with open(os.path.join(folder, "program", "cases"), encoding="utf-8") as file:
            assert file.read().split()[0] == status, number
        assert os.path.exists(os.path.join(folder, "program.log"))
    with open(os.path.join(out, "run", "report.html"), encoding="utf-8") as file:
        assert 'href="run-1/program.log"' in file.read()
    assert not os.path.exists(os.path.join(out, "run", "program"))


# ---- git bisect ------------------------------------------------------------------------------

# As with CONFIG_LOCALVERSION_AUTO, which kernels have by default, each commit has a version of its own.
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
    """The page's, with the stand-in for QEMU, which has one case."""
    with open(os.path.join(REPO, "docs", "use", "ci.md"), encoding="utf-8") as file:
        text = file.read().split("## git bisect", 1)[1].split("```\n", 4)[3]
    assert text.startswith("#!/bin/sh\n") and "/path/to/pixmill/scripts/run " in text, text
    words = shlex.join(command_of(out, "--out", os.path.join(out, "bisected"), "--case", "a-case"))
    path = written(os.path.join(out, "bisect-step"), text.replace("/path/to/pixmill/scripts/run", words).encode())
    os.chmod(path, 0o755)
    return path


def a_bisection_finds_the_commit(out):
    """Among 16: the 6th does not compile, the 9th breaks a case, the 11th does not boot."""
    folder = os.path.join(out, "linux")
    shutil.rmtree(folder, ignore_errors=True)
    written(os.path.join(folder, "Makefile"), MAKEFILE.encode())
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
    told = git(folder, "bisect", "run", bisect_step(out))
    assert "is the first bad commit" in told and "\n    commit 9\n" in told, told


# ---- folders, and the end ----------------------------------------------------------------------


def a_run_finds_an_empty_folder(out):
    """What an earlier run has left is gone, a picture, too; what is nobody's run stays."""
    folder = os.path.join(out, "run")
    ends(run(out, UP + "results program 0 test.sh", "--program", script(out)), 0)
    picture = written(os.path.join(folder, "old.png"), b"")
    ends(run(out, "exit 1", "--program", script(out)), 2)
    assert not os.path.exists(picture)
    mine = written(os.path.join(out, "mine", "letter"), b"")
    ends(run(out, UP, "--program", script(out), to="mine"), 2, "no run's")
    assert os.path.exists(mine)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            own = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return own + [one for child in own for one in children(child)]


def started(out, *words):
    """A run whose guest waits, when its log is there."""
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


def is_gone(pid, patience=5):
    end = time.monotonic() + patience
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.05)
    return not os.path.exists(f"/proc/{pid}")


def words_need_not_be_utf_8(out):
    """They go to the guest as they are."""
    program, kept = script(out), os.path.join(out, "bytes.cpio")
    command = command_of(out, "--out", os.path.join(out, "run"), "--program", program, "--append", b"a=\xff", "--", b"\xfe")
    ended = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "FAKE_GUEST": UP + f"keep {kept}\n"
                                                                          "results program 0 test.sh"})
    assert ended.returncode == 0 and b"Traceback" not in ended.stderr, ended
    with open(kept, "rb") as file:
        assert b"\xfe" in {path: content for path, _, content in cpio.read(file.read())}["suites/program"]


def folders_that_cannot_be_are_told(out):
    for place in ("/proc/nowhere", written(os.path.join(out, "a file"), b"")):
        ends(run(out, UP, "--program", script(out), "--out", place, to=None), 2, f"--out {place}: ")


def a_filter_that_nothing_matches_fails(out):
    """A word that is written wrong must not pass for ever; a shard may well have none of what matches."""
    guest = UP + "results libdrm 0 a-case"
    ends(run(out, guest, "--suite", "libdrm", "--case", "acase"), 1, "no case matches --case acase", "verdict: failed")
    ends(run(out, guest, "--suite", "libdrm", "--case", "acase", "--shard", "1/1"), 0)
    ends(run(out, guest, "--suite", "libdrm", "--case", "a-case"), 0)


def a_board_without_a_device_tree_has_none(out):
    assert "device tree" not in run(out, UP, "--board", "geode-lx", "--program", script(out)).stdout


def two_runs_share_no_folder(out):
    words = ["--program", script(out)]
    first, _ = started(out, "--out", os.path.join(out, "shared-out"), *words)
    try:
        ends(run(out, UP, *words, to="shared-out"), 2, "another run is using")
    finally:
        first.terminate()
        first.communicate()
    ended = [run(out, UP + "results program 0 test.sh", *words, to=None).stdout for _ in range(2)]
    folders = {line.split("results: ", 1)[1].split(",")[0] for text in ended for line in text.splitlines() if "results: " in line}
    assert len(folders) == 2, folders
    for folder in folders:
        shutil.rmtree(os.path.dirname(folder.rstrip(",")))


def sigterm_ends_all_at_once(out):
    process, qemu = started(out, "--out", os.path.join(out, "sigterm"), "--program", script(out))
    begun = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 143, process.returncode
    assert time.monotonic() - begun < 5 and is_gone(qemu), "QEMU still runs"
    process.communicate()


def nothing_is_left_of_a_killed_run(out):
    process, qemu = started(out, "--out", os.path.join(out, "sigkill"), "--program", script(out))
    process.kill()
    process.communicate()
    assert is_gone(qemu), "QEMU still runs"


def help_has_every_option_of_the_page(_):
    told = subprocess.run([RUN, "--help"], capture_output=True, text=True, check=True).stdout
    with open(os.path.join(REPO, "docs", "use", "ci.md"), encoding="utf-8") as file:
        page = file.read()
    for option in {word.strip(" ,") for line in told.splitlines() for word in line.split() if word.startswith("--")}:
        if option.strip("[]") not in ("--", "--help"):
            assert option.strip("[]") in page, f"docs/use/ci.md does not have {option}"


def main():
    out, = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    processes.end_on_sigterm()
    return cases.run("scripts/run", (
        kernels_are_known_by_their_first_bytes, trees_are_known_by_their_root, damaged_files_are_refused_in_words,
        programs_say_what_they_need, libraries_come_along, missing_libraries_and_other_processors_are_told,
        archives_can_be_unpacked, root_file_systems_are_read, modules_of_folders_and_archives,
        modules_pass_through_any_folder, wrong_usage_is_2, wrong_kernels_are_told_at_once, a_program_gives_its_status,
        what_it_says_is_shown, causes_have_their_status, a_qemu_that_is_ended_from_outside_is_the_hosts_doing,
        the_kernel_is_named_by_its_own_words, a_case_that_fails_is_1, lists_count, flakes_are_run_again,
        cases_can_be_chosen, what_the_guest_gets, an_image_is_a_disk, a_bisection_finds_the_commit,
        an_initramfs_of_the_users_own, a_kernel_that_resets_in_silence_has_not_booted, shards_run_all_once,
        suites_need_their_userland, repeats_count, repeats_share_no_files, a_run_finds_an_empty_folder,
        words_need_not_be_utf_8, folders_that_cannot_be_are_told, a_filter_that_nothing_matches_fails,
        a_board_without_a_device_tree_has_none, two_runs_share_no_folder, sigterm_ends_all_at_once,
        nothing_is_left_of_a_killed_run, help_has_every_option_of_the_page), os.path.realpath(out))


if __name__ == "__main__":
    sys.exit(main())
