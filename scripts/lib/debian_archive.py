# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints an apt source for another suite of the Debian archive that this machine already uses.

usage: debian_archive.py TYPES SUITE NUMBER

Reads the machine's own apt sources (in both formats), and prints a deb822 stanza for the NUMBERth (from 0) place that may be the
Debian main archive, with SUITE instead of the machine's suite. Fails if there is no such place. The caller must check in the signed
Release file that it really is Debian's archive.
"""

import glob
import re
import subprocess
import sys

RELEASES = {"bullseye", "bookworm", "trixie", "forky", "sid", "unstable",
            "testing", "stable", "oldstable", "oldoldstable"}
KEPT = ("Signed-By", "Trusted", "Check-Valid-Until", "Check-Date")


def configured(name):
    """Returns a path from apt's configuration."""
    shell = subprocess.run(["apt-config", "shell", "value", name],
                           check=True, capture_output=True, text=True).stdout
    match = re.fullmatch(r"value='(.*)'\n?", shell)
    return match.group(1) if match else ""


def stanzas(text):
    """Yields the fields of each stanza of a .sources file."""
    for block in re.split(r"\n\s*\n", re.sub(r"(?m)^#.*\n?", "", text)):
        fields = re.findall(r"(?m)^(\S+?):[ \t]*(.*(?:\n[ \t].*)*)", block)
        yield {name.title(): value for name, value in fields}


def one_line_stanzas(text):
    """Yields the same fields for each line of a .list file."""
    line_form = re.compile(r"(?m)^\s*(deb|deb-src)\s+(?:\[(.*?)\]\s+)?(\S+)\s+(\S+)\s+([^#\n]+)")
    for kind, options, uri, suite, components in line_form.findall(text):
        fields = {name.title(): value.strip('"')
                  for name, value in re.findall(r'([\w-]+)\+?=("[^"]*"|\S+)', options)}
        fields.update({"Types": kind, "Uris": uri, "Suites": suite, "Components": components})
        yield fields


def all_sources():
    parts = configured("Dir::Etc::sourceparts/d")
    for path in [configured("Dir::Etc::sourcelist/f"), *sorted(glob.glob(parts + "*"))]:
        if not path.endswith((".list", ".sources")):
            continue
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue
        yield from (stanzas if path.endswith(".sources") else one_line_stanzas)(text)


def archives():
    """Yields (URI, fields that concern trust) for each distinct place that may be the Debian main archive."""
    seen = set()
    for fields in all_sources():
        suites = set(fields.get("Suites", "").split())
        if (fields.get("Enabled", "yes").lower() in ("no", "false", "0")
                or not suites & RELEASES
                or "main" not in fields.get("Components", "").split()):
            continue
        for uri in fields.get("Uris", "").split():
            if uri.startswith("cdrom:") or uri in seen:
                continue
            seen.add(uri)
            yield uri, {name: fields[name] for name in KEPT if name in fields}


def main():
    types, suite, number = sys.argv[1:]
    found = list(archives())
    if int(number) >= len(found):
        sys.exit(1)
    uri, trust = found[int(number)]
    stanza = {"Types": types, "URIs": uri, "Suites": suite, "Components": "main", **trust}
    print("\n".join(f"{name}: {value}" for name, value in stanza.items()))


main()
