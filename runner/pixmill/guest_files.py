# SPDX-License-Identifier: GPL-2.0-or-later
"""Collects files that a run adds to the guest's initramfs: programs with their libraries, modules, root file systems.

They form a second archive after the initramfs. The user's files are in /tmp/program, which is also visible in a root
file system that the guest enters: bin/ has the programs, lib/ the user's libraries for them, and "setup" the
commands that init runs first. Libraries of the guest's packages go to /lib, as in the initramfs.
"""

import bz2
import contextlib
import gzip
import lzma
import os
import re
import shlex
import shutil
import struct
import subprocess
import tarfile
import zlib

from pixmill import cpio, kernel_files
from pixmill.failure import Failure, Usage, status_of_step

PLACE = "tmp/program"


class Unfit(Usage):
    """Raised for a user's file that cannot be added to the guest; the text says why."""


@contextlib.contextmanager
def reading(source):
    """Reports any error in parsing a user's file as damage to that file."""
    try:
        yield
    except OSError as error:
        if error.errno:
            raise
        raise Unfit(f"{source} is damaged: {error}") from error  # raised by gzip and bzip2
    except (ValueError, EOFError, tarfile.TarError, lzma.LZMAError, zlib.error, struct.error) as error:
        raise Unfit(f"{source} is damaged: {error}") from error


# ---- initramfs and root file systems -----------------------------------------------------------

# Formats that the kernel decompresses (linux lib/decompress.c): those that this module can read, and the others.
UNPACKERS = ((b"\x1f\x8b", lambda: zlib.decompressobj(31)), (b"\xfd7zXZ\0", lzma.LZMADecompressor), (b"BZh", bz2.BZ2Decompressor))
PACKED_OTHERWISE = ((b"\x28\xb5\x2f\xfd", "zstd"), (b"\x02\x21\x4c\x18", "lz4"), (b"\x04\x22\x4d\x18", "lz4"), (b"\x89LZO", "lzo"),
                    (b"\x5d\0\0", "lzma"))
# Magic numbers of file systems: offset and bytes.
FILE_SYSTEMS = {"ext": (0x438, b"\x53\xef"), "squashfs": (0, b"hsqs"), "xfs": (0, b"XFSB"), "btrfs": (0x10040, b"_BHRfS_M"),
                "f2fs": (0x400, b"\x10\x20\xf5\xf2"), "erofs": (0x400, b"\xe2\xe1\xf5\xe0"), "cramfs": (0, b"\x45\x3d\xcd\x28"),
                "romfs": (0, b"-rom1fs-"), "iso9660": (0x8001, b"CD001"), "vfat": (0x52, b"FAT32"), "vfat of 16 bits": (0x36, b"FAT1"),
                "jffs2": (0, b"\x85\x19"), "ubi": (0, b"UBI#"), "nilfs2": (0x406, b"\x34\x34")}


def file_system_of(data):
    return next((name for name, (at, magic) in FILE_SYSTEMS.items() if data[at:at + len(magic)] == magic), None)


def packing_of(data):
    """Returns the name of the compression format if this module cannot read it."""
    return next((name for magic, name in PACKED_OTHERWISE if data.startswith(magic)), None)


def check_initramfs(path):
    """Checks the user's initramfs: concatenated archives, compressed or not, or a ramdisk image."""
    with reading(path):
        data = kernel_files.content_of(path)
        if not any(data[:1 << 16]) and not data.strip(b"\0"):
            raise Unfit(f"{path} is empty: it is not an initramfs")
        if not file_system_of(data) and not check_archives(data):
            raise Unfit(f"{path} is not an initramfs: neither a cpio archive (newc, compressed or not) nor a file system image")


def check_archives(data):
    """True if the data begins with an archive. Raises ValueError if an archive is damaged."""
    begun = False
    while data := data.lstrip(b"\0"):
        if data.startswith((cpio.MAGIC, b"070702")):
            data = data[cpio.length(data):]
        elif unpacker := next((made for magic, made in UNPACKERS if data.startswith(magic)), None):
            stream = unpacker()
            inner = stream.decompress(data)
            if not stream.eof:
                raise ValueError("its compressed data is cut off")
            if not begun and not check_archives(inner) and not file_system_of(inner):
                return False
            data = stream.unused_data
        else:
            return begun or bool(packing_of(data))  # after an archive, the kernel ignores this as junk
        begun = True
    return begun


def check_rootfs(path):
    """Checks the image of a root file system. Archives are checked later, when they are added to the initramfs."""
    with open(path, "rb") as file:
        data = file.read(0x10100)
    packed = packing_of(data)
    if packed:
        raise Unfit(f"--rootfs {path} is compressed with {packed}, which is not supported: uncompress it, or use gzip or xz")
    if not file_system_of(data):
        raise Unfit(f"--rootfs {path} is neither a folder, nor a tar or cpio archive, nor an image of a known file system"
                    + ("; it has a partition table: name the image of one partition" if data[510:512] == b"\x55\xaa" else ""))
    if file_system_of(data) == "ext":
        blocks, = struct.unpack_from("<I", data, 0x404)
        size, = struct.unpack_from("<I", data, 0x418)
        wanted, have = blocks << 10 + min(size, 6), os.path.getsize(path)
        if have < wanted:
            raise Unfit(f"--rootfs {path} is cut off: {have} of the {wanted} bytes of its file system")


# ---- programs ----------------------------------------------------------------------------------


class Libraries:
    """Finds libraries: first in the folders that the user or the program names, then in the guest's packages."""

    def __init__(self, archive, folders, root, machine):
        self.archive, self.folders, self.machine = archive, list(folders), machine
        self.packages = self.package_folders(root)
        self.added = set()

    @staticmethod
    def package_folders(root):
        if not root or not os.path.isdir(root):
            return []
        library = os.path.join(root, "usr", "lib")
        inner = [entry.path for entry in os.scandir(library) if entry.is_dir() and "-linux-gnu" in entry.name]
        return [*inner, library, os.path.join(root, "lib")]

    def add_needed(self, program):
        """Adds the libraries that a program or library needs, recursively."""
        if program.interpreter:
            self.add(os.path.basename(program.interpreter), program, place=program.interpreter.strip("/"))
        for name in program.needed:
            self.add(os.path.basename(name), program)

    def add(self, name, program, place=None):
        if name in self.added:
            return
        self.added.add(name)
        for folders, target in (([*program.folders, *self.folders], f"{PLACE}/lib"), (self.packages, "lib")):
            for folder in folders:
                path = os.path.join(folder, name)
                try:
                    found = os.path.isfile(path) and kernel_files.Program(path)
                except kernel_files.Wrong as error:
                    raise Unfit(str(error)) from error
                if found and found.machine == self.machine:
                    self.archive.add_file(place or f"{target}/{name}", path, 0o755)
                    self.add_needed(found)
                    return
        raise Unfit(f"{program.path} needs {name}, which is neither in the guest's packages nor in its RUNPATH: "
                    "name its folder with --library-path, or a root file system with it with --rootfs")


class Files:
    """Resolves paths as programs in the guest will see them. `applets` are busybox links that the guest's init makes: all of them
    in /usr/bin, and possible interpreters also in /bin."""

    IN_BIN = ("ash", "busybox", "cat", "echo", "false", "sed", "sh", "true")

    def __init__(self, entry_of, applets=()):
        self.entry_of, self.applets = entry_of, applets

    def has(self, path, patience=20):
        """True if the file exists, following all symbolic links."""
        done, parts = [], [part for part in path.split("/") if part not in ("", ".")]
        while parts:
            part = parts.pop(0)
            if part == "..":
                done = done[:-1]
                continue
            entry = self.entry_of("/".join([*done, part]))
            if entry is None:
                folder, name = os.path.split("/".join([*done, part, *parts]))
                return name in self.applets and (folder == "usr/bin" or folder == "bin" and name in self.IN_BIN)
            if isinstance(entry, str):
                patience -= 1
                if patience < 0:
                    return False
                parts = [word for word in entry.split("/") if word not in ("", ".")] + parts
                done = [] if entry.startswith("/") else done
            else:
                done.append(part)
        return True


def files_of_folder(root):
    def entry_of(path):
        whole = os.path.join(root, path)
        try:
            return os.readlink(whole) if os.path.islink(whole) else True if os.path.lexists(whole) else None
        except OSError:
            return None
    return Files(entry_of)


def files_of_entries(entries, prefix=""):
    """Returns Files for an archive: {path: (mode, content)}."""
    def entry_of(path):
        mode, content = entries.get(prefix + path, (None, b""))
        return None if mode is None else os.fsdecode(content) if mode & 0o170000 == 0o120000 else True
    return Files(entry_of)


BUSYBOX = ("bin/busybox", "usr/bin/busybox")


def files_of_guest(initramfs):
    """Returns Files for the guest's own initramfs, whose init links all applets of its busybox. Returns None if the
    initramfs is empty."""
    if not os.path.getsize(initramfs):
        return None
    with reading(initramfs):
        entries = {path.removeprefix("./"): (mode, content) for path, mode, content in cpio.read(cpio.unpacked(initramfs))}
    busybox = next((entries[path][1] for path in BUSYBOX if path in entries), b"")
    files = files_of_entries(entries)
    # Busybox's table of applet names: zero-terminated, in alphabetical order (busybox applets/applet_tables.c).
    table = re.search(rb"\[\0\[\[\0(?:[a-z0-9_.+-]+\0)+", busybox)
    files.applets = {name.decode() for name in table[0].split(b"\0")} if table else set()
    return files if busybox and table else None


def check_script(path, data, files):
    """Checks that the interpreter in the script's first line exists. `files` is None if the guest's files are
    unknown."""
    first = data[2:data.find(b"\n", 0, 4096) if b"\n" in data[:4096] else 4096]
    if first.endswith(b"\r"):
        raise Unfit(f"{path} has CR LF line ends: the guest would look for {os.fsdecode(first.strip())}\\r. Convert "
                    "it to LF (dos2unix)")
    words = [os.fsdecode(word) for word in first.split()]
    if not words or not words[0].startswith("/"):
        raise Unfit(f"{path} does not name an interpreter in its first line: #!{os.fsdecode(first).strip()}")
    if files is None:
        return
    if not files.has(words[0]):
        raise Unfit(f"{path} needs {words[0]}, which the guest does not have: name a root file system with it with --rootfs")
    named = [word for word in words[1:] if not word.startswith("-") and "=" not in word][:1]
    if os.path.basename(words[0]) == "env" and named and "/" not in named[0] and not any(
            files.has(f"{folder}/{named[0]}") for folder in (f"/{PLACE}/bin", "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin")):
        raise Unfit(f"{path} needs {named[0]}, which the guest does not have: name a root file system with it with --rootfs")


def read_program(path, machine, files=None):
    """Reads and checks a program: it must be for that processor, or a script whose interpreter is among the files."""
    try:
        program = kernel_files.Program(path)
    except kernel_files.Wrong as error:
        raise Unfit(str(error)) from error
    if program.script:
        check_script(path, program.data, files)
    elif not program.machine:
        raise Unfit(f"{path} is not a program: neither an ELF file nor a script")
    elif program.machine != machine:
        raise Unfit(f"{path} is a program for {program.machine}, and the board's processor is {machine}")
    return program


def add_program(archive, path, machine, libraries, files=None):
    """Adds a program with the libraries that it needs, unless a root file system has these (then `libraries` is
    None). `files` are the files that the program will see in the guest, or None if they are unknown."""
    program = read_program(path, machine, files)
    if not program.script:
        if libraries:
            libraries.add_needed(program)
        elif files and program.interpreter and not files.has(program.interpreter):
            raise Unfit(f"{path} needs {program.interpreter}, which is not in the root file system")
    archive.add_file(f"{PLACE}/bin/{os.path.basename(path)}", path, 0o755)


# ---- modules -----------------------------------------------------------------------------------


def tool(name):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
    if not path:
        raise Unfit(f"{name} is missing, which --modules needs: install the package kmod")
    return path


def check_modules(source):
    """Checks that a tar file is complete, or that a folder has the modules of exactly one kernel."""
    if os.path.isdir(source):
        only_version(versions_in(source), source)
    else:
        if not cpio.is_tar(source):
            raise Unfit(f"{source} is neither a folder nor an intact tar file")
        with reading(source):
            for _ in cpio.members(source):
                pass


def versions_in(source):
    """Returns {kernel version: folder of its modules}."""
    found = source
    for inner in ("lib/modules", "usr/lib/modules"):
        if os.path.isdir(os.path.join(source, inner)):
            found = os.path.join(source, inner)
    if os.path.exists(os.path.join(found, "modules.order")) or os.path.isdir(os.path.join(found, "kernel")):
        return {os.path.basename(os.path.realpath(found)): found}
    return {name: os.path.join(found, name) for name in os.listdir(found) if os.path.isdir(os.path.join(found, name))}


def unpack_modules(source, folder):
    """Copies modules from a folder or a tar file to folder/lib/modules/VERSION, and returns the version."""
    modules = os.path.join(folder, "lib", "modules")
    os.makedirs(modules, exist_ok=True)
    if os.path.isdir(source):
        versions = versions_in(source)
        version = only_version(versions, source)
        shutil.copytree(versions[version], os.path.join(modules, version), copy_function=link, symlinks=False,
                        ignore=shutil.ignore_patterns("build", "source"), ignore_dangling_symlinks=True)
    elif cpio.is_tar(source):
        with reading(source):
            for tar, member in cpio.members(source):
                parts = cpio.place("", member.name).strip("/").split("/")
                if "modules" in parts and member.isfile():
                    path = os.path.join(modules, *parts[parts.index("modules") + 1:])
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as file:
                        shutil.copyfileobj(tar.extractfile(member), file)
        version = only_version(os.listdir(modules), source)
    else:
        raise Unfit(f"{source} is neither a folder nor an intact tar file")
    return version


def link(source, target):
    """Links modules, but copies depmod's files, so that depmod does not overwrite those in the user's folder."""
    if os.path.basename(target).startswith("modules."):
        return shutil.copyfile(source, target)
    return os.symlink(os.path.realpath(source), target)


def only_version(versions, source):
    versions = list(versions)
    if len(versions) != 1:
        raise Unfit(f"{source} has {'modules of several kernels: ' + ' '.join(sorted(versions)) if versions else 'no modules'}; "
                    "name the DIR of \"make modules_install INSTALL_MOD_PATH=DIR\"")
    return versions[0]


def checked(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise Failure(status_of_step(done.returncode, said), f"{command[0]} failed: {said}")
    return done.stdout


def add_modules(archive, source, names, now, folder):
    """Adds the named modules with their dependencies; init loads those in `now`. Returns (kernel version, missing modules)."""
    depmod, modprobe = tool("depmod"), tool("modprobe")
    version = unpack_modules(source, folder)
    checked(depmod, "-b", folder, version)
    staged = os.path.join(folder, "staged")
    target = os.path.join(staged, "lib", "modules", version)
    os.makedirs(target)
    missing = set()
    for name in names:
        shown = subprocess.run([modprobe, "-d", folder, "-S", version, "--show-depends", name], capture_output=True, text=True,
                               check=False)
        if shown.returncode:
            missing.add(name)
        for path in inserted(shown.stdout):
            place_module(path, target)
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        path = os.path.join(folder, "lib", "modules", version, name)
        if os.path.exists(path):
            shutil.copyfile(path, os.path.join(target, name))
    checked(depmod, "-b", staged, version)
    for name in os.listdir(target):
        archive.add_file(f"lib/modules/{version}/{name}", os.path.join(target, name), 0o644)
    archive.add("etc/modules-for", version.encode())
    archive.add("etc/modules", "".join(f"{name}\n" for name in now if name not in missing).encode())
    return version, sorted(missing)


def inserted(shown):
    """Returns the files in the output of "modprobe --show-depends", without the parameters that follow their names."""
    return re.findall(r"(?m)^insmod (.*?\.ko(?:\.\w+)?)(?: |$)", shown)


def place_module(path, folder):
    """Decompresses a module while copying it, since the guest's modprobe cannot decompress modules."""
    name = os.path.basename(path)
    for ending, opened in ((".xz", lzma.open), (".gz", gzip.open)):
        if name.endswith(ending):
            with reading(path), opened(path) as packed, open(os.path.join(folder, name[:-len(ending)]), "wb") as file:
                shutil.copyfileobj(packed, file)
            return
    if name.endswith(".zst"):
        checked(tool("zstd"), "-dqf", path, "-o", os.path.join(folder, name[:-4]))
        return
    shutil.copyfile(path, os.path.join(folder, name))


# ---- commands that init runs first -------------------------------------------------------------

MOUNT = """modprobe -a -q {modules}
mkdir -p {place}
mount {options} {place} || end "{what} cannot be mounted: the kernel needs {modules}"
"""
NINE = "9pnet_virtio 9p"
NINE_OPTIONS = "-t 9p -o trans=virtio,version=9p2000.L,msize=262144,{mode} {tag}"

NETWORK = """modprobe -q virtio_net
for interface in /sys/class/net/*; do
  case $(readlink -f "$interface/device/driver") in
    */virtio_net) network=${interface##*/} ;;
  esac
done
[ -n "$network" ] || end "there is no network: the kernel needs virtio_net"
ip link set "$network" up
ip address add 10.0.2.15/24 dev "$network"
ip route add default via 10.0.2.2
mkdir -p /etc
echo nameserver 10.0.2.3 >/etc/resolv.conf
"""

ENTER = """for folder in dev proc sys tmp share; do
  [ -d /$folder ] || continue # there is no /share without --share
  mkdir -p /rootfs/$folder 2>/dev/null
  mount -o bind /$folder /rootfs/$folder || end "the root file system has no folder $folder"
done
"""


def share(tag, place, mode, what):
    return MOUNT.format(modules=NINE, place=place, options=NINE_OPTIONS.format(mode=mode, tag=tag), what=what)


def disk(place):
    return MOUNT.format(modules="virtio_blk ext4", place=place, options="/dev/vda", what="the image of the root file system")


def suite_text(programs, arguments, enters):
    """Returns the text of a suite that runs the programs, each with the arguments."""
    lines = ["# Made for this run.", "#: interrupts no", "#: log no", 'export PATH=/tmp/program/bin:$PATH HOME=/tmp',
             "export LD_LIBRARY_PATH=/tmp/program/lib", *(f"#: program {os.path.basename(path)}" for path in programs)]
    for name in map(os.path.basename, programs):
        command = [f"/tmp/program/bin/{name}", *arguments]
        if enters:
            # chroot changes to /. Return to the working folder, whose files are results.
            inner = 'cd "$1" && shift && exec "$@"'
            words = f'chroot /rootfs /bin/sh -c {shlex.quote(inner)} sh "$PWD" ' + shlex.join(command)
        else:
            words = shlex.join(command)
        lines.append(f"run_program {shlex.quote(name)} {words}")
    return "\n".join(lines) + "\n"
