# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the ELF file of a microcontroller program, and reports why a board cannot run it before QEMU tries.

ELF: System V ABI, "Object Files". Build attributes: Arm ABI addenda (IHI 0045), "Build attributes". Vector table:
Armv7-M Architecture Reference Manual, B1.5.3; docs/use/firmware.md says where the machine searches for it.
"""

import bisect
import enum
import os
import struct


class Status(enum.IntEnum):
    """Exit statuses; docs/use/firmware.md documents them for users."""
    USAGE = 2
    FOREIGN = 64
    ADDRESS = 65
    VECTORS = 66
    PROCESSOR = 67
    QEMU = 68
    LOCKUP = 69
    FAULT = 70
    RESET = 71
    CACHE = 72
    TIMEOUT = 124
    INTERRUPTED = 130


class Refusal(Exception):
    """Raised to end the command. The first line says what failed; further lines say why and what to do."""

    def __init__(self, status, *lines):
        super().__init__(*lines)
        self.status, self.lines = status, lines


# ---- Memory of the board ---------------------------------------------------------------------


class Range:
    """The addresses from start up to, but not including, end."""

    def __init__(self, name, start, end):
        self.name, self.start, self.end = name, start, end

    def __str__(self):
        return f"{self.name} 0x{self.start:08x} to 0x{self.end - 1:08x}"

    def holds(self, start, end):
        return self.start <= start and end <= self.end


class MemoryMap:
    """The memory in board-configs/BOARD/memory."""

    def __init__(self, lines):
        rows = [line.split() for line in lines]
        self.ranges = [Range(name, int(start, 0), int(start, 0) + int(size, 0)) for name, start, size, _ in rows]
        self.anywhere = merged(self.ranges)
        self.ram = merged([r for r, row in zip(self.ranges, rows) if row[3] == "ram"])

    def holds(self, start, end):
        return any(r.holds(start, end) for r in self.anywhere)

    def is_stack(self, pointer):
        """True if a stack can grow down from there: the end of RAM is valid, the start is not."""
        return pointer % 4 == 0 and any(r.start < pointer <= r.end for r in self.ram)

    def __str__(self):
        return ", ".join(map(str, self.ranges))


def merged(ranges):
    """Returns the ranges, with adjacent ones merged."""
    result = []
    for r in sorted(ranges, key=lambda r: r.start):
        if result and result[-1].end == r.start:
            result[-1] = Range(f"{result[-1].name} and {r.name}", result[-1].start, r.end)
        else:
            result.append(r)
    return result


# ---- Processors ------------------------------------------------------------------------------


class Processor:
    """The capabilities of a CPU: `architecture` is an index into ARCHITECTURES, `floats` the scalar floating point
    (1: FPv4, 2: FPv5), `doubles` is true with double precision, and `vectors` is MVE (1: integers, 2: also floats).
    `caches` is true if the processor has caches, `checked` if the cache checker knows it."""

    def __init__(self, architecture, floats, doubles, vectors, caches=False, checked=False):
        self.architecture, self.floats, self.doubles, self.vectors = architecture, floats, doubles, vectors
        self.caches, self.checked = caches, checked

    def runs(self, needs):
        return (self.architecture >= needs.architecture and self.floats >= needs.floats
                and self.doubles >= needs.doubles and self.vectors >= needs.vectors)


ARCHITECTURES = ("Armv6-M", "Armv7-M", "Armv7E-M", "Armv8-M", "Armv8.1-M")
PROCESSORS = {
    "cortex-m4": Processor(2, 1, False, 0),
    "cortex-m7": Processor(2, 2, True, 0, caches=True, checked=True),
    "cortex-m33": Processor(3, 2, False, 0),
    "cortex-m55": Processor(4, 2, True, 2, caches=True),
}
CACHE_SIZES = ("0", "4K", "8K", "16K", "32K", "64K")

# Tags of build attributes, and their values in terms of Processor.
CPU_ARCH, CPU_ARCH_PROFILE, FP_ARCH, HARDFP_USE, MVE_ARCH = 6, 7, 10, 27, 48
ARCHITECTURE_OF = {10: 1, 11: 0, 12: 0, 13: 2, 16: 3, 17: 3, 21: 4}  # values of CPU_ARCH for the M profile
FLOATS_OF = {0: 0, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2}  # values of FP_ARCH: VFPv1 to v4, Armv8
SINGLE_ONLY = 1  # a value of HARDFP_USE
TEXT_TAGS = {4, 5, 65, 67}
COMPATIBILITY = 32  # this tag's value is a number and a text


class Needs(Processor):
    """The capabilities that a program's build attributes require."""

    def __init__(self, attributes):
        floats = FLOATS_OF.get(attributes.get(FP_ARCH, 0), 0)
        super().__init__(ARCHITECTURE_OF.get(attributes.get(CPU_ARCH, 0), 0), floats,
                         bool(floats) and attributes.get(HARDFP_USE, 0) != SINGLE_ONLY, attributes.get(MVE_ARCH, 0))

    def __str__(self):
        words = [ARCHITECTURES[self.architecture]]
        if self.floats:
            words.append(f"FPv{3 + self.floats} of {'double' if self.doubles else 'single'} precision")
        if self.vectors:
            words.append("vector extension (MVE)")
        return " with ".join([words[0], " and ".join(words[1:])] if words[1:] else words)


class Bytes:
    """Reads consecutive items from a byte string."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def __bool__(self):
        return self.at < len(self.data)

    def take(self, count):
        if count < 0 or count > len(self.data) - self.at:
            raise ValueError("it ends too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def word(self):
        return int.from_bytes(self.take(4), "little")

    def uleb(self):
        value = shift = 0
        while True:
            byte, = self.take(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def text(self):
        end = self.data.index(0, self.at)
        return self.take(end + 1 - self.at)[:-1]


def attributes_of(section):
    """Returns {tag: number} for the attributes with file scope. By the ABI, odd tags above 32 have text values, even
    ones have numbers."""
    found, data = {}, Bytes(section)
    if data.take(1) != b"A":
        raise ValueError("unknown build attributes")
    while data:
        vendor = Bytes(data.take(data.word() - 4))
        if vendor.text() != b"aeabi":
            continue
        while vendor:
            scope, size = vendor.uleb(), vendor.word()
            values = Bytes(vendor.take(size - 5))
            while scope == 1 and values:
                tag = values.uleb()
                if tag in TEXT_TAGS or (tag > COMPATIBILITY and tag % 2):
                    values.text()
                else:
                    found[tag] = values.uleb()
                    if tag == COMPATIBILITY:
                        values.text()
    return found


# ---- ELF -------------------------------------------------------------------------------------

MACHINE_ARM = 40
MACHINES = {2: "SPARC", 3: "x86", 8: "MIPS", 20: "PowerPC", 40: "Arm", 62: "x86-64", 83: "AVR", 94: "Xtensa",
            105: "MSP430", 183: "AArch64", 243: "RISC-V"}
TYPES = {1: ("an object file", "link it, with a linker script"),
         2: ("an executable", ""),
         3: ("a shared object or position-independent", "link it with -static -no-pie and a linker script"),
         4: ("a core dump", "name the program")}
EXECUTABLE, LOAD, INTERPRETER = 2, 1, 3
ALLOCATED, NO_BITS, ARM_ATTRIBUTES, SYMBOLS, OBJECT, FUNCTION = 2, 8, 0x70000003, 2, 1, 2


class Segment:
    def __init__(self, row, data):
        self.kind, self.offset, self.virtual, self.physical, self.file_size, self.memory_size = row[:6]
        if self.file_size > self.memory_size or self.offset + self.file_size > len(data):
            raise ValueError("a segment reaches past the end of the file")
        self.data = data[self.offset:self.offset + self.file_size]


class Section:
    def __init__(self, row, data):
        self.name_at, self.kind, self.flags, self.address, self.offset, self.size, self.link = row[:7]
        self.data = b"" if self.kind == NO_BITS else data[self.offset:self.offset + self.size]
        self.name = ""


class Program:
    """An ELF file for 32-bit little-endian Arm. Raises ValueError if it is damaged."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        with open(path, "rb") as file:
            data = file.read()
        self.refuse_foreign(data)
        try:
            self.read(data)
        except (struct.error, ValueError, IndexError) as error:
            raise Refusal(Status.FOREIGN, f"{self.name} is damaged: {error}", "link it again") from error

    def refuse_foreign(self, data):
        if data[:4] != b"\x7fELF" or len(data) < 20:
            raise Refusal(Status.FOREIGN, f"{self.name} is not an ELF file", "link the firmware, but do not objcopy it")
        bits, big = {1: 32, 2: 64}.get(data[4], 0), data[5] == 2
        kind, machine = struct.unpack_from(">HH" if big else "<HH", data, 16)
        if bits != 32 or big or machine != MACHINE_ARM:
            raise Refusal(Status.FOREIGN,
                          f"{self.name} is for {MACHINES.get(machine, f'machine {machine}')} ({bits} bits, "
                          f"{'big' if big else 'little'}-endian), not for a Cortex-M (32-bit little-endian Arm)",
                          "build it with arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb: examples/gr5526 shows how")
        if kind != EXECUTABLE:
            what, advice = TYPES.get(kind, (f"of type {kind}", "link it"))
            raise Refusal(Status.FOREIGN, f"{self.name} is {what}, not an executable with fixed addresses", advice)

    def read(self, data):
        segments_at, sections_at = struct.unpack_from("<II", data, 28)
        segment_size, segments, section_size, sections, names = struct.unpack_from("<HHHHH", data, 42)
        rows = [struct.unpack_from("<8I", data, segments_at + segment_size * i) for i in range(segments)]
        self.interpreter = any(row[0] == INTERPRETER for row in rows)
        self.segments = [Segment(row, data) for row in rows if row[0] == LOAD and row[5]]
        rows = [struct.unpack_from("<10I", data, sections_at + section_size * i) for i in range(sections)]
        self.sections = [Section(row, data) for row in rows]
        for section in self.sections if names else []:
            section.name = Bytes(self.sections[names].data[section.name_at:]).text().decode(errors="replace")
        attributes = [section.data for section in self.sections if section.kind == ARM_ATTRIBUTES]
        self.attributes = attributes_of(attributes[0]) if attributes else {}
        self.functions = sorted((address, name) for address, _, name in self.symbols(FUNCTION))
        self.objects = sorted(self.symbols(OBJECT))

    def symbols(self, kind):
        """Yields the address, the size and the name of each symbol of a kind."""
        for section in self.sections:
            if section.kind == SYMBOLS:
                names = self.sections[section.link].data
                for at, value, size, info, _, _ in struct.iter_unpack("<IIIBBH", section.data):
                    if info & 0xF == kind:
                        yield value & ~(kind == FUNCTION), size, Bytes(names[at:]).text().decode(errors="replace")

    def function(self, address):
        """Returns the name of the function that contains an address, or ""."""
        at = bisect.bisect_right(self.functions, (address, "\U0010ffff")) - 1
        inside = any(s.virtual <= address < s.virtual + s.memory_size for s in self.segments)
        return self.functions[at][1] if at >= 0 and inside else ""

    def object(self, address):
        """Returns the name of the variable that contains an address, or ""."""
        at = bisect.bisect_right(self.objects, (address, 1 << 32, "")) - 1
        start, size, name = self.objects[at] if at >= 0 else (0, 0, "")
        return name if start <= address < start + size else ""

    def place(self, address):
        """Formats an address, with the name of the function that contains it if the file has symbols."""
        name = self.function(address)
        return f"0x{address:08x}" + (f" (in {name})" if name else "")

    def word(self, address):
        """Returns a word of the loaded image; 0 if the file does not contain the address."""
        for s in self.segments:
            if s.physical <= address and address + 4 <= s.physical + s.file_size:
                return int.from_bytes(s.data[address - s.physical:][:4], "little")
        return 0

    def first_section(self):
        """Returns the lowest load address of the file's sections; a segment may begin with the file's own headers."""
        places = [s.physical + section.offset - s.offset for s in self.segments for section in self.sections
                  if section.flags & ALLOCATED and section.kind != NO_BITS and section.size
                  and s.offset <= section.offset < s.offset + s.file_size]
        return min(places or [s.physical for s in self.segments])

    def sections_in(self, segment):
        names = [section.name for section in self.sections if section.flags & ALLOCATED and section.size
                 and segment.virtual <= section.address < segment.virtual + segment.memory_size]
        return " ".join(names) or "no sections"


# ---- Checks ----------------------------------------------------------------------------------

VECTORS_ALIGN, VECTORS_FAR = 128, 64 * 1024  # hw/qemu/boards/gr5526/gr5526.c


def check(path, memory, processors, processor, vectors=None):
    """Returns the program if it can run on that processor; otherwise raises Refusal."""
    program = Program(path)
    check_segments(program, memory)
    check_processor(program, processors, processor)
    check_vectors(program, memory, vectors)
    return program


def check_segments(program, memory):
    if program.interpreter:
        raise Refusal(Status.FOREIGN, f"{program.name} is a program for an operating system (it names a dynamic linker)",
                      "link it with -static, a start-up file and a linker script: examples/gr5526 shows how")
    if not program.segments:
        raise Refusal(Status.FOREIGN, f"{program.name} has nothing to load (no segments)",
                      "link it with a linker script")
    for s in program.segments:
        # Start-up code copies data from the load address to the run address; both must be in memory.
        for start, what in ((s.physical, "is to be loaded"), (s.virtual, "is to be used")):
            if not memory.holds(start, start + s.memory_size):
                raise Refusal(Status.ADDRESS,
                              f"{program.name}: {program.sections_in(s)} {what} at 0x{start:08x} to "
                              f"0x{start + s.memory_size - 1:08x}, where there is no memory",
                              f"valid: {memory}", "the linker script says where: MEMORY in examples/gr5526/gr5526.ld")


def check_processor(program, processors, processor):
    profile = program.attributes.get(CPU_ARCH_PROFILE, 0)
    if profile in (ord("A"), ord("R")):
        raise Refusal(Status.FOREIGN, f"{program.name} is built for the {chr(profile)}-profile of Arm, not for a Cortex-M",
                      "build it with -mcpu=cortex-m4 -mthumb")
    needs = Needs(program.attributes)
    if not PROCESSORS[processor].runs(needs):
        able = [name for name in processors if PROCESSORS[name].runs(needs)]
        raise Refusal(Status.PROCESSOR, f"{program.name} is built for {needs}, which a {processor} does not have",
                      f"run it with --cpu {able[0]}" if able else "no processor of this machine supports it",
                      f"or build it, and the archives that it links, for -mcpu={processor}")


def find_vectors(program, memory):
    """Searches for the vector table as the machine does in gr5526_find_vectors(); None if there is none."""
    low = min(s.physical for s in program.segments)
    high = max(s.physical + s.memory_size for s in program.segments)
    first = (low + VECTORS_ALIGN - 1) // VECTORS_ALIGN * VECTORS_ALIGN
    for at in range(first, min(high, low + VECTORS_FAR) - 7, VECTORS_ALIGN):
        reset = program.word(at + 4)
        if memory.is_stack(program.word(at)) and reset & 1 and low <= reset < high:
            return at
    return None


def check_vectors(program, memory, vectors):
    """Checks the vector table at the given address, or else the one that the machine finds. If it finds none, checks
    the address where the table should be."""
    at = find_vectors(program, memory) if vectors is None else vectors
    if at is None:
        at = -(-program.first_section() // VECTORS_ALIGN) * VECTORS_ALIGN
    stack, reset = program.word(at), program.word(at + 4)
    where = f"{program.name}: the vector table at 0x{at:08x}"
    if not memory.is_stack(stack):
        why = "is not a multiple of 4" if stack % 4 else "is not in RAM"
        valid = ", ".join(f"up to 0x{r.end:08x} ({r.name} from 0x{r.start:08x} on)" for r in memory.ram)
        raise Refusal(Status.VECTORS, f"{where} begins with the stack pointer 0x{stack:08x}, which {why}",
                      f"valid: multiples of 4 {valid}",
                      "is the table at the start of the first section? its first word is the end of the stack")
    inside = [s for s in program.segments if s.virtual <= reset & ~1 < s.virtual + s.file_size]
    if not reset & 1 or not inside:
        why = "is not in the program" if reset & 1 else "is not a Thumb function (bit 0 is 0)"
        code = ", ".join(f"0x{s.virtual:08x} to 0x{s.virtual + s.file_size - 1:08x}" for s in program.segments
                         if s.file_size)
        raise Refusal(Status.VECTORS, f"{where} has the reset vector 0x{reset:08x}, which {why}",
                      f"valid: odd addresses in {code}", "its second word is the address of the reset handler")
