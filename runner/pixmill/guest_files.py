# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run brings into the guest beside its initramfs: programs with their libraries, modules, root file systems.

All of it is one more archive behind the initramfs. What is the user's lies in /tmp/program, which a root file system that
the guest enters has, too: bin/ has programs, lib/ libraries that come with them, "setup" what init does first. Libraries of
the guest's packages go to /lib, as in the initramfs.
"""

import gzip
import lzma
import os
import re
import shlex
import shutil
import subprocess
import tarfile

from pixmill import cpio, kernel_files

PLACE = "tmp/program"


class Unfit(ValueError):
    """What the user has named cannot be brought into the guest; the text says why."""


class Libraries:
    """Finds libraries, first in folders that the user or the program names, then in the guest's packages."""

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
        """Of a program or a library; those that these need, too."""
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
                found = os.path.isfile(path) and kernel_files.Program(path)
                if found and found.machine == self.machine:
                    self.archive.add_file(place or f"{target}/{name}", path, 0o755)
                    self.add_needed(found)
                    return
        raise Unfit(f"{program.path} needs {name}, which is neither in the guest's packages nor in a folder that it names: "
                    "give its folder with --library-path, or a root file system that has it with --rootfs")


def add_program(archive, path, machine, libraries):
    """With what it needs, unless the guest has a root file system for that (libraries is None)."""
    try:
        program = kernel_files.Program(path)
    except kernel_files.Wrong as error:
        raise Unfit(str(error)) from error
    if not program.script:
        if not program.machine:
            raise Unfit(f"{path} is no program: neither an ELF file nor a script")
        if program.machine != machine:
            raise Unfit(f"{path} is a program for {program.machine}, and the board's processor is {machine}")
        if libraries:
            libraries.add_needed(program)
    archive.add_file(f"{PLACE}/bin/{os.path.basename(path)}", path, 0o755)


# ---- modules -----------------------------------------------------------------------------------


def tool(name):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
    if not path:
        raise Unfit(f"there is no {name}, which --modules needs: install the package kmod")
    return path


def unpack_modules(source, folder):
    """Of a folder or a tar file: leaves folder/lib/modules/VERSION; returns the version."""
    modules = os.path.join(folder, "lib", "modules")
    os.makedirs(modules, exist_ok=True)
    if os.path.isdir(source):
        found = source
        for inner in ("lib/modules", "usr/lib/modules"):
            if os.path.isdir(os.path.join(source, inner)):
                found = os.path.join(source, inner)
        if os.path.exists(os.path.join(found, "modules.order")) or os.path.isdir(os.path.join(found, "kernel")):
            versions = {os.path.basename(os.path.realpath(found)): found}
        else:
            versions = {name: os.path.join(found, name) for name in os.listdir(found)
                        if os.path.isdir(os.path.join(found, name))}
        version = only_version(versions, source)
        shutil.copytree(versions[version], os.path.join(modules, version), copy_function=link, symlinks=False,
                        ignore=shutil.ignore_patterns("build", "source"), ignore_dangling_symlinks=True)
    elif tarfile.is_tarfile(source):
        with tarfile.open(source) as tar:
            for member in tar:
                parts = cpio.place("", member.name).strip("/").split("/")
                if "modules" in parts and member.isfile():
                    path = os.path.join(modules, *parts[parts.index("modules") + 1:])
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as file:
                        shutil.copyfileobj(tar.extractfile(member), file)
        version = only_version(os.listdir(modules), source)
    else:
        raise Unfit(f"{source} is neither a folder nor a tar file")
    return version


def link(source, target):
    """depmod writes beside modules: never into the user's folder."""
    if os.path.basename(target).startswith("modules."):
        return shutil.copyfile(source, target)
    return os.symlink(os.path.realpath(source), target)


def only_version(versions, source):
    versions = list(versions)
    if len(versions) != 1:
        raise Unfit(f"{source} has {'modules of several kernels: ' + ' '.join(sorted(versions)) if versions else 'no modules'}; "
                    "wanted is what \"make modules_install INSTALL_MOD_PATH=DIR\" makes")
    return versions[0]


def checked(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unfit(f"{command[0]} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def add_modules(archive, source, names, now, folder):
    """Those that are named, with what they need; "now" are those that init loads. Returns the kernel's version."""
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
    """The files that "modprobe --show-depends" names; what it shows behind one are its parameters."""
    return re.findall(r"(?m)^insmod (.*?\.ko(?:\.\w+)?)(?: |$)", shown)


def place_module(path, folder):
    """Uncompressed, as the guest's modprobe wants it."""
    name = os.path.basename(path)
    for ending, opened in ((".xz", lzma.open), (".gz", gzip.open)):
        if name.endswith(ending):
            with opened(path) as packed, open(os.path.join(folder, name[:-len(ending)]), "wb") as file:
                shutil.copyfileobj(packed, file)
            return
    if name.endswith(".zst"):
        checked(tool("zstd"), "-dqf", path, "-o", os.path.join(folder, name[:-4]))
        return
    shutil.copyfile(path, os.path.join(folder, name))


# ---- what init does first ----------------------------------------------------------------------

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

ENTER = """for folder in dev proc sys tmp; do
  mkdir -p /rootfs/$folder 2>/dev/null
  mount -o bind /$folder /rootfs/$folder || end "the root file system has no folder $folder"
done
"""


def share(tag, place, mode, what):
    return MOUNT.format(modules=NINE, place=place, options=NINE_OPTIONS.format(mode=mode, tag=tag), what=what)


def disk(place):
    return MOUNT.format(modules="virtio_blk ext4", place=place, options="/dev/vda", what="the image of the root file system")


def suite_text(programs, arguments, enters):
    """The suite that runs them, each with the arguments."""
    lines = ["# Made for this run.", "#: interrupts no", "#: log no", 'export PATH=/tmp/program/bin:$PATH HOME=/tmp',
             "export LD_LIBRARY_PATH=/tmp/program/lib"]
    for name in map(os.path.basename, programs):
        command = [f"/tmp/program/bin/{name}", *arguments]
        if enters:
            # "chroot" changes to /: the files of a program are to come out of the guest.
            inner = 'cd "$1" && shift && exec "$@"'
            words = f'chroot /rootfs /bin/sh -c {shlex.quote(inner)} sh "$PWD" ' + shlex.join(command)
        else:
            words = shlex.join(command)
        lines.append(f"run_program {shlex.quote(name)} {words}")
    return "\n".join(lines) + "\n"
