#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fails if the C ABI has changed and PIXMILL_API_VERSION has not.

usage: api_test.py [--update] [HEADERS DATA]

tests/data/api-N.txt holds the declarations of include/pixmill in version N, without comments and layout. To change a
struct, a function, an enumerator or a macro, raise PIXMILL_API_VERSION in host.h, then run "tests/unit/api_test.py
--update".
"""

import difflib
import glob
import os
import re
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# The next line is written to api-N.txt and does not apply to this file. REUSE-IgnoreStart
HEAD = "# SPDX-License-Identifier: GPL-2.0-or-later\n"
# REUSE-IgnoreEnd
VERSION = re.compile(r"^#define PIXMILL_API_VERSION (\d+)$", re.MULTILINE)
# Lines that declare nothing: include guards, includes, C++ linkage, and the version number.
SILENT = re.compile(r'#(ifndef|define) PIXMILL_\w+_H$|#include |#endif|#ifdef __cplusplus$|extern"C"{$|}$|'
                    r"#define PIXMILL_API_VERSION ")


def lines(text):
    """Yields the declarations and members of a header's text, one per line."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL).replace("\\\n", " ")
    statement, depth = "", 0
    for line in (line.strip() for line in text.splitlines()):
        if line.startswith("#"):
            yield " ".join(line.split())
            continue
        for part in re.findall(r"[^;,{}()]+|[;,{}()]", line + " "):
            statement += part
            depth += {"(": 1, ")": -1}.get(part, 0)
            if part in ";,{" and depth == 0:
                yield tidy(statement)
                statement = ""
    if statement.strip():
        yield tidy(statement)


def tidy(statement):
    """Removes all blanks but those between words, so that layout does not matter."""
    return re.sub(r" ?([^\w ]) ?", r"\1", " ".join(statement.split()))


def canonical(headers):
    """Returns the text of api-N.txt for `headers`, which maps file names to texts."""
    found = []
    for name in sorted(headers):
        found += [f"# {name}"] + [line for line in lines(headers[name]) if not SILENT.match(line)]
    return "\n".join(found) + "\n"


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def check_itself():
    text = "struct A {\n    int a; /* one */\n    void (*f)(int x,\n              int y);\n};\n"
    same = "struct A { int a;\n void (* f)( int x, int y ); // two\n};\n"
    assert canonical({"a.h": text}) == canonical({"a.h": same})
    for before, after in (("int a", "long a"), ("int y", "long y"), ("int a;", "int a; int b;"), ("(*f)", "(*g)")):
        assert canonical({"a.h": text}) != canonical({"a.h": text.replace(before, after)}), after
    assert canonical({"a.h": "enum { A, B };\n"}) != canonical({"a.h": "enum { B, A };\n"})
    assert canonical({"a.h": "#define PIXMILL_A 1\n"}) != canonical({"a.h": "#define PIXMILL_A 2\n"})


def main():
    words = sys.argv[1:]
    update = "--update" in words
    folders = [word for word in words if word != "--update"]
    include, data = folders or (os.path.join(TOP, "include", "pixmill"), os.path.join(TOP, "tests", "data"))
    check_itself()
    headers = {os.path.basename(name): read(name) for name in glob.glob(os.path.join(include, "*.h"))}
    number = VERSION.search(headers["host.h"])[1]
    now, kept = canonical(headers), os.path.join(data, f"api-{number}.txt")
    others = sorted(set(glob.glob(os.path.join(data, "api-*.txt"))) - {kept})
    if update and not os.path.exists(kept):
        for name in others:
            os.remove(name)
        with open(kept, "w", encoding="utf-8") as file:
            file.write(HEAD + now)
        return 0
    then = read(kept).split("\n", 1)[1] if os.path.exists(kept) else ""
    diff = difflib.unified_diff(then.splitlines(True), now.splitlines(True), f"api-{number}.txt", "include/pixmill")
    sys.stdout.writelines(diff)
    if not then or others:
        print(f"tests/data must have api-{number}.txt and no other number: run tests/unit/api_test.py --update")
    elif then != now:
        print(f"the C ABI has changed, and PIXMILL_API_VERSION is still {number}: raise it, then tests/unit/api_test.py --update")
    return int(then != now or bool(others))


if __name__ == "__main__":
    sys.exit(main())
