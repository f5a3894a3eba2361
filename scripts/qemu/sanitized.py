#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes sanitized.ninja into a build folder of QEMU, as an addition to build.ninja.

usage: sanitized.py BUILD

"ninja -f sanitized.ninja sanitized/qemu-system-TARGET" links QEMU a second time. Pixmill's device models are
compiled with AddressSanitizer, UndefinedBehaviorSanitizer and checks of their locks (hw/qemu/cores/lock-check.h) and
draws (hw/common/draw_step.hpp); all other objects come from the plain build. Relies on Meson's layout of
build.ninja: statements of one line each, with blank lines between blocks.
"""

import os
import re
import sys

SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all"
# -O1 suffices, since more optimization would only take time. -Wno-error is needed because GCC emits false warnings with
# sanitizers.
FLAGS = f"{SANITIZERS} -DPIXMILL_CHECK_LOCKS -DPIXMILL_CHECK_STEPS -U_FORTIFY_SOURCE -fno-omit-frame-pointer -O1 -Wno-error"

# The sources that list the functions whose calls are checked (-Wl,--wrap), and the names of these functions in older
# QEMUs.
DEVICES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "hw", "qemu")
CHECKS, COMPAT = os.path.join(DEVICES, "cores", "lock-check.c"), os.path.join(DEVICES, "compat.h")


def wrapped():
    """Returns the linker's options that wrap these functions under both names; the linker ignores unknown names."""
    with open(CHECKS, encoding="utf-8") as checks, open(COMPAT, encoding="utf-8") as compat:
        names = re.findall(r"(?m)^CHECKED\(.*?, (\w+),", checks.read())
        older = dict(re.findall(r"(?m)^#define (\w+) (\w+)$", compat.read()))
    return "".join(f" -Wl,--wrap={name}" for name in [*names, *(older[name] for name in names if name in older)])


# Files that are built from Pixmill's sources, or linked with them.
OURS = re.compile(r"lib[^/]*\.a\.p/hw_pixmill_.*\.o|subprojects/pixmill/.*\.(o|a)|qemu-system-[^/.]*")
STATEMENT = re.compile(r"build (\S+): (\S+) ")


def statements(text):
    """Yields (output, rule, text) for each statement that builds one file."""
    for block in text.split("\n\n"):
        found = STATEMENT.match(block)
        if found:
            yield found[1], found[2], block


def derived(text):
    """Yields the rules and statements for the files that match OURS."""
    ours = {output: (rule, block) for output, rule, block in statements(text) if OURS.fullmatch(output)}
    files = set(ours) | {f"{output}.d" for output in ours}
    for rule in sorted({rule for rule, _ in ours.values()}):
        block = re.search(rf"(?m)^rule {rule}\n(?: .*\n)+", text)[0]
        command = re.search(r"(?m)^ command = (.*)", block)[1]
        if "COMPILER" in rule:
            command += f" {FLAGS}"
        elif not rule.startswith("STATIC"):
            more = SANITIZERS + wrapped()
            command = command.replace(" @", f" {more} @").replace(" $ARGS", f" {more} $ARGS")
        lines = [f" command = {command}" if line.startswith(" command = ") else line for line in block.splitlines()]
        yield "\n".join([f"rule sanitized_{rule}", *lines[1:], ""])
    for output, (rule, block) in ours.items():
        words = [f"sanitized/{word}" if word.rstrip(":") in files else word for word in block.replace("\n", " \n ").split(" ")]
        yield " ".join(words).replace(" \n ", "\n").replace(f": {rule} ", f": sanitized_{rule} ", 1) + "\n"


def main():
    os.chdir(sys.argv[1])
    with open("build.ninja", encoding="utf-8") as file:
        text = file.read()
    script = os.path.realpath(__file__)
    with open("sanitized.ninja", "w", encoding="utf-8") as file:
        file.write("# Written by scripts/qemu/sanitized.py.\ninclude build.ninja\n\n"
                   f"rule derive\n command = /usr/bin/python3 {script} .\n generator = 1\n\nbuild sanitized.ninja: derive build.ninja | {script} {os.path.realpath(CHECKS)} {os.path.realpath(COMPAT)}\n\n")
        file.write("\n".join(derived(text)))


if __name__ == "__main__":
    main()
