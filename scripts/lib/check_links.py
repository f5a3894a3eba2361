# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that links in Markdown and references to pages in any file are valid.

usage: check_links.py [ROOT]

Three rules, for files that git tracks:
- a relative link in a *.md file names a tracked file or folder, and its anchor a heading of that page;
- a path docs/... in any text exists (one that ends in "-", "<", "{" or "@" is the beginning of a path);
- a section named after a page, as in: docs/develop/testing.md, "Piglit", is a heading of that page.

Prints a line for each failure; exits with 1 if there is any.
"""

import os
import re
import subprocess
import sys

FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)")
HEADING = re.compile(r"^ {0,3}#{1,6} +(.+?)[ #]*$", re.MULTILINE)
URL = re.compile(r"\w+://\S+")
PAGE = re.compile(r"(?<![\w-])docs/[\w./-]*")
SECTION = re.compile(r"(?<![\w-])(docs/[\w./-]+\.md),? \(?\"([^\"]+)\"")
COMMENT = re.compile(r"\n[ \t]*(?:///?|\*|#+|--)?[ \t]*")
# Folders of QEMU's documentation to which comments refer.
OTHERS = ("docs/devel/", "docs/specs/", "docs/interop/", "docs/system/")


def tracked(root):
    command = ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")[:-1]


def read(root, name):
    """Returns the text of a file; "" if it is not text or not a regular file."""
    path = os.path.join(root, name)
    if os.path.islink(path) or not os.path.isfile(path):
        return ""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return "" if b"\0" in data else data.decode()
    except UnicodeDecodeError:
        return ""


def anchors(text):
    """Returns the anchors of a page's headings, as GitHub makes them: lower case, no punctuation, "-" for spaces,
    and a number if they repeat."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number, unique = 0, name
        while unique in found:
            number += 1
            unique = f"{name}-{number}"
        found.add(unique)
    return found


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = tracked(root)
        self.places = set(self.files)
        for name in self.files:
            while name := os.path.dirname(name):
                self.places.add(name)
        self._anchors = {}

    def anchors(self, name):
        if name not in self._anchors:
            self._anchors[name] = anchors(read(self.root, name))
        return self._anchors[name]

    def bad_links(self, name, text):
        text = CODE.sub("", FENCE.sub("", text))
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            place = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if place not in self.places and place != ".":
                yield f"{name}: link to {target}: no such file"
            elif anchor and anchor not in self.anchors(place):
                yield f"{name}: link to {target}: no such heading"

    def bad_pages(self, name, text):
        for match in PAGE.finditer(text):
            path, after = match[0].rstrip("."), text[match.end() : match.end() + 1]
            if path.startswith(OTHERS):
                continue
            if path.endswith("-") or (after and after in "<{@*"):
                good = any(file.startswith(path) for file in self.files)
            else:
                good = path.rstrip("/") in self.places
            if not good:
                yield f"{name}: names {path}: no such file"
        for page, section in SECTION.findall(COMMENT.sub(" ", text)):
            if page in self.places and not self.has_section(page, section.rstrip(".,")):
                yield f"{name}: names {page}, \"{section}\": no such heading"

    def has_section(self, page, section):
        return re.sub(r"[^\w\- ]", "", section.lower()).replace(" ", "-") in self.anchors(page)

    def bad(self):
        for name in self.files:
            text = read(self.root, name)
            if name.endswith(".md"):
                yield from self.bad_links(name, text)
            yield from self.bad_pages(name, URL.sub("", text))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "..")
    failures = sorted(set(Tree(os.path.abspath(root)).bad()))
    for line in failures:
        print(line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
