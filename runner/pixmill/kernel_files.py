# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that kernel images, device trees and programs are complete and for the board's processor. A wrong or damaged
file is reported before anything is built; otherwise the guest would just print nothing.

Magic numbers: linux arch/arm/boot/compressed/head.S (zImage), Documentation/arch/{arm64/booting,x86/boot,riscv/boot-image-
header}.rst, drivers/firmware/efi/libstub/zboot-header.S (vmlinuz.efi), u-boot include/image.h (uImage), the PE format (its COFF
header and section table), the Devicetree Specification 5.2 to 5.4, the ELF header of the System V ABI.
"""

import gzip
import struct
import zlib

from pixmill.failure import Failure, Status

ELF_MACHINES = {3: "x86", 8: "mips", 20: "powerpc", 21: "powerpc64", 22: "s390", 40: "arm", 62: "x86-64", 183: "arm64",
                243: "riscv"}
UIMAGE_MACHINES = {2: "arm", 3: "x86", 5: "mips", 7: "powerpc", 22: "arm64", 24: "x86-64", 26: "riscv"}

FDT_MAGIC = 0xD00DFEED
FDT_BEGIN_NODE, FDT_END_NODE, FDT_PROP, FDT_NOP = 1, 2, 3, 4


class Wrong(Failure):
    """Raised for a file that the board cannot boot; the text says why."""

    def __init__(self, what, *advice):
        super().__init__(Status.NO_BOOT, what, *advice)


def word(data, at, order="<"):
    return struct.unpack_from(order + "I", data, at)[0] if len(data) >= at + 4 else None


def elf_machine(data):
    if data[:4] != b"\x7fELF" or len(data) < 20:
        return None
    order = "<" if data[5] == 1 else ">"
    machine = struct.unpack_from(order + "H", data, 18)[0]
    return ELF_MACHINES.get(machine, f"ELF machine {machine}")


def x86_kind(data):
    """Returns the processor of a bzImage; bit 0 of XLOADFLAGS means that the kernel has a 64-bit entry point."""
    return "x86-64" if data[0x236] & 1 else "x86"


def kernel_kind(data):
    """Returns (file type, processor), or None if the type is unknown."""
    if word(data, 0x24) == 0x016F2818 or word(data, 0x24, ">") == 0x016F2818:
        return "zImage", "arm"
    if data[0x38:0x3C] == b"ARM\x64":
        return "Image", "arm64"
    if data[0x30:0x35] == b"RISCV":
        return "Image", "riscv"
    if data[0x202:0x206] == b"HdrS" and len(data) > 0x236:
        return "bzImage", x86_kind(data)
    if data[:4] == b"\x27\x05\x19\x56" and len(data) >= 64:
        return "uImage", UIMAGE_MACHINES.get(data[29], f"uImage machine {data[29]}")
    if word(data, 0, ">") == FDT_MAGIC:
        return "device tree or FIT image", None
    if elf_machine(data):
        return "vmlinux", elf_machine(data)
    return None


def head_of(path, count=4096):
    with open(path, "rb") as file:
        return file.read(count)


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


# For each processor: the file types that QEMU boots, the type that every kernel build produces, and True if QEMU
# decompresses the kernel (QEMU hw/arm/boot.c, hw/core/loader.c).
WANTED = {"arm": ("zImage or uImage", "zImage", False), "arm64": ("Image or Image.gz", "Image", True), "x86": ("bzImage", "bzImage", False)}


def a_or_an(words):
    """Prepends the article: an Image, a uImage."""
    return f"{'an' if words[0] in 'AEIO' else 'a'} {words}"


def gunzipped(path, data):
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise Wrong(f"{path} is a damaged gzip file: {error}") from error


def unpacked_kernel(path, data, usual):
    """Returns (description of the packing, unpacked kernel). `usual` is the type that the error message recommends instead."""
    if data[:2] == b"\x1f\x8b":
        return "compressed ", gunzipped(path, data)
    if data[:2] == b"MZ" and data[4:8] == b"zimg" and len(data) >= 64:
        at, size = word(data, 8), word(data, 12)
        how = data[24:32].rstrip(b"\0").decode(errors="replace")
        if how != "gzip":
            raise Wrong(f"{path} is a vmlinuz.efi whose kernel is packed with {how or 'nothing'}, which QEMU cannot unpack: use the {usual} "
                        "of the same build")
        require(path, "vmlinuz.efi", data, at + size)
        return "vmlinuz.efi with an ", gunzipped(path, data[at:at + size])
    return "", data


def check_kernel(path, processor):
    """Raises Wrong if the board cannot boot the kernel, as far as its headers tell."""
    wanted, usual, unpacks = WANTED[processor]
    data = content_of(path)
    if not data:
        raise Wrong(f"{path} is empty")
    packed, data = unpacked_kernel(path, data, usual)
    kind = kernel_kind(data)
    if not kind:
        raise Wrong(f"{path} is not a kernel: it has no signature of {a_or_an(wanted)}"
                    + (" (a raw Image has none either: use the zImage of the same build)" if processor == "arm" else ""))
    what, machine = kind
    if machine is None:
        raise Wrong(f"{path} is a {what}, not a kernel")
    if machine != processor:
        raise Wrong(f"{path} is {a_or_an(packed + what)} for {machine}, and the board's processor is {processor}")
    if what == "vmlinux" and processor != "x86" or packed and not unpacks:
        raise Wrong(f"{path} is {a_or_an(packed + what)}, which QEMU cannot boot: use the {usual} of the same build")
    check_whole(path, what, data)


def require(path, what, data, size):
    if len(data) < size:
        raise Wrong(f"{path} is cut off: {len(data)} of the {size} bytes of its {what}")


def check_whole(path, what, data):
    if what == "zImage":
        require(path, what, data, zimage_size(data))
    elif what == "uImage":
        check_uimage(path, data)
    elif what == "bzImage":
        require(path, what, data, bzimage_size(data))
    elif what == "Image":
        require(path, what, data, pe_size(data))


def zimage_size(data):
    """Returns the size without an appended device tree, from the words at 0x28 and 0x2c, the start and end address."""
    order = "<" if word(data, 0x24) == 0x016F2818 else ">"
    start, end = (word(data, at, order) or 0 for at in (0x28, 0x2C))
    return max(end - start, 0x30)


def bzimage_size(data):
    """Returns the size, from setup_sects (0 means 4) and syssize (in units of 16 bytes)."""
    return ((data[0x1F1] or 4) + 1) * 512 + word(data, 0x1F4) * 16


def pe_size(data):
    """Returns the end of the PE sections, or 0 if the Image is not also an EFI program. The Image header has only
    the size in memory, which includes the BSS."""
    head = word(data, 0x3C) or 0
    if data[:2] != b"MZ" or data[head:head + 4] != b"PE\0\0" or len(data) < head + 24:
        return 0
    count, = struct.unpack_from("<H", data, head + 6)
    optional, = struct.unpack_from("<H", data, head + 20)
    sections = range(head + 24 + optional, head + 24 + optional + 40 * count, 40)
    return max([sections.stop, *((word(data, at + 16) or 0) + (word(data, at + 20) or 0) for at in sections)])


UIMAGE_HEAD = 64
UIMAGE_TYPES = {1: "program", 2: "", 3: "ramdisk", 4: "multi-file image", 5: "firmware", 6: "script", 7: "file system",
                8: "device tree", 14: ""}


def check_uimage(path, data):
    """Checks the CRC of the header, in which the CRC field counts as 0, and that of the data. QEMU boots
    uncompressed and gzip-compressed kernels."""
    head_sum, size, data_sum = (word(data, at, ">") for at in (4, 12, 24))
    if zlib.crc32(data[:4] + bytes(4) + data[8:UIMAGE_HEAD]) != head_sum:
        raise Wrong(f"{path} is a uImage with a damaged header: its CRC is not {head_sum:08x}")
    kind, packing = data[30], data[31]
    if UIMAGE_TYPES.get(kind, "file of another kind"):
        raise Wrong(f"{path} is a uImage that holds a {UIMAGE_TYPES.get(kind, 'file of another kind')}, not a kernel")
    if packing > 1:
        raise Wrong(f"{path} is a uImage whose kernel has a compression that QEMU cannot unpack: use the zImage of the same "
                    "build")
    require(path, "uImage", data, UIMAGE_HEAD + size)
    if zlib.crc32(data[UIMAGE_HEAD:UIMAGE_HEAD + size]) != data_sum:
        raise Wrong(f"{path} is a uImage with damaged data: their CRC is not {data_sum:08x}")


def appended_tree(path):
    """Returns the device tree after the end of a zImage, which may be inside a uImage; None for other kernels."""
    data = content_of(path)
    if kernel_kind(data) == ("uImage", "arm") and data[31] == 0:
        data = data[UIMAGE_HEAD:]
    if kernel_kind(data) != ("zImage", "arm"):
        return None
    found = data[zimage_size(data):]
    if word(found, 0, ">") != FDT_MAGIC:
        raise Wrong(f"--dtb none: no device tree appended to the kernel in {path}",
                    "append one (cat zImage board.dtb), or name it with --dtb")
    return found


def properties_of(data, path):
    """Yields (node names from the root, name, value) for each property of a device tree blob, in order."""
    if len(data) < 40 or word(data, 0, ">") != FDT_MAGIC:
        raise Wrong(f"{path} is not a device tree blob")
    size, structure, strings = struct.unpack_from(">III", data, 4)
    if size > len(data):
        raise Wrong(f"{path} is cut off: {len(data)} of {size} bytes")
    at, nodes = structure, []
    while at + 4 <= size:
        token = word(data, at, ">")
        at += 4
        if token == FDT_BEGIN_NODE:
            end = data.find(b"\0", at, size)
            if end < 0:
                break
            nodes.append(data[at:end].decode(errors="replace"))
            at += (end - at) // 4 * 4 + 4
        elif token == FDT_END_NODE and nodes:
            nodes.pop()
        elif token == FDT_PROP and at + 8 <= size:
            length, name = struct.unpack_from(">II", data, at)
            at += 8
            end = data.find(b"\0", strings + name)
            if end < 0 or at + length > size:
                break
            yield nodes, data[strings + name:end].decode(errors="replace"), data[at:at + length]
            at += (length + 3) // 4 * 4
        elif token != FDT_NOP:
            break


def texts(value):
    return [text.decode(errors="replace") for text in value.split(b"\0") if text]


def compatible_of(path, data=None):
    """Returns the root node's compatible strings."""
    data = content_of(path) if data is None else data
    return next((texts(value) for nodes, name, value in properties_of(data, path) if len(nodes) <= 1 and name == "compatible"), [])


def disabled_in(data, path, device):
    """Returns (path, status) if the node of a device such as 134000.gpu, or its child node in the module at that
    address, is disabled; otherwise None."""
    address, _, kind = device.partition(".")
    for nodes, name, value in properties_of(data, path):
        at = [number for number, node in enumerate(nodes) if node.partition("@")[2].lstrip("0") == address.lstrip("0")]
        if name == "status" and texts(value)[:1] not in (["okay"], ["ok"]) and at and \
                (at[0] == len(nodes) - 1 or nodes[-1].partition("@")[0] == kind):
            return "/".join(nodes), (texts(value) or ["nothing"])[0]
    return None


def check_tree(path, board, prefixes, device=None, data=None):
    """Raises Wrong unless a root compatible string begins with one of the prefixes and the device is enabled."""
    data = content_of(path) if data is None else data
    found = compatible_of(path, data)
    if prefixes and not any(name.startswith(tuple(prefixes)) for name in found):
        raise Wrong(f"{path} is the device tree of {', '.join(found) or 'nothing'}; {board} needs one of "
                    + " or ".join(f"{prefix}..." for prefix in prefixes))
    off = device and disabled_in(data, path, device)
    if off:
        raise Wrong(f"{path} disables the GPU: the status of {off[0]} is {off[1]}", "if that is intended, add --no-gpu")


def check_files(board, kernel, dtb, device=None):
    """Checks the kernel and the device tree, if they are given, for the board. `dtb` may be "none", for a tree
    appended to the kernel. Raises Wrong."""
    if kernel:
        check_kernel(kernel, board.arch.processor)
    path, tree = dtb, None
    if dtb == "none":
        path, tree = kernel, appended_tree(kernel)
    elif dtb:
        tree = content_of(dtb)
    if tree is not None:
        check_tree(path, board.name, (board.get("compatible") or "").split(), device, tree)


# ---- programs ----------------------------------------------------------------------------------

PT_LOAD, PT_DYNAMIC, PT_INTERP = 1, 2, 3
DT_NEEDED, DT_STRTAB, DT_RPATH, DT_RUNPATH = 1, 5, 15, 29


class Layout:
    """The layout of an ELF class. `table` has the format and the offset of the program header table's offset,
    `counts` is the offset of the table's entry size and count, `segment` the format of an entry, `places` the
    indices of type, offset, address and file size in an entry, and `dynamic` the format of an entry of the dynamic
    section."""

    def __init__(self, table, counts, segment, places, dynamic):
        self.table, self.counts, self.segment, self.places = table, counts, struct.Struct(segment), places
        self.dynamic = struct.Struct(dynamic)


LAYOUTS = {b"\x01\x01": Layout(("<I", 28), 42, "<8I", (0, 1, 2, 4), "<II"),
           b"\x02\x01": Layout(("<Q", 32), 54, "<2I6Q", (0, 2, 3, 5), "<QQ")}


class Program:
    """The interpreter, libraries and library paths that a little-endian ELF file needs."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.path, self.interpreter, self.needed, self.folders = path, None, [], []
        self.machine = elf_machine(self.data)
        self.script = self.data.startswith(b"#!")
        self.layout = LAYOUTS.get(self.data[4:6])
        if self.machine and self.layout:
            try:
                self.read()
            except (struct.error, OverflowError) as error:  # the latter from a 64-bit offset
                raise Wrong(f"{path} is a damaged ELF file") from error

    def read(self):
        layout = self.layout
        offset, = struct.unpack_from(layout.table[0], self.data, layout.table[1])
        size, count = struct.unpack_from("<HH", self.data, layout.counts)
        entries = [layout.segment.unpack_from(self.data, offset + size * i) for i in range(count)]
        segments = [[entry[place] for place in layout.places] for entry in entries]
        self.loads = [segment for segment in segments if segment[0] == PT_LOAD]
        for kind, at, _, length in segments:
            if kind == PT_LOAD and at + length > len(self.data):
                raise Wrong(f"{self.path} is cut off: {len(self.data)} of at least {at + length} bytes")
            if kind == PT_INTERP:
                self.interpreter = self.data[at:at + length].rstrip(b"\0").decode(errors="replace")
            elif kind == PT_DYNAMIC:
                self.read_dynamic(at, length)

    def read_dynamic(self, at, length):
        entries = []
        entry = self.layout.dynamic
        for tag, value in entry.iter_unpack(self.data[at:at + length // entry.size * entry.size]):
            if tag == 0:
                break
            entries.append((tag, value))
        strings = self.offset_of(dict(entries).get(DT_STRTAB, 0))
        for tag, value in entries:
            if tag == DT_NEEDED:
                self.needed.append(self.string(strings + value))
            elif tag in (DT_RPATH, DT_RUNPATH):
                here = os_folder(self.path)
                self.folders += [folder.replace("$ORIGIN", here).replace("${ORIGIN}", here)
                                 for folder in self.string(strings + value).split(":")]

    def offset_of(self, address):
        for _, at, start, length in self.loads:
            if start <= address < start + length:
                return at + address - start
        raise Wrong(f"{self.path} is a damaged ELF file")

    def string(self, at):
        end = self.data.find(b"\0", at)
        if not 0 <= at < end:
            raise Wrong(f"{self.path} is a damaged ELF file")
        return self.data[at:end].decode(errors="replace")


def os_folder(path):
    head, _, _ = path.rpartition("/")
    return head or "."
