# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs clang-tidy on sources of a tree, in parallel on all CPUs.

usage: tidy.py TREE CACHE FOLDER DATABASE... [-- FILE...]

TREE      the repository; files .clang-tidy there and in hw/ have the rules
CACHE     a folder that records which sources were clean, by a hash of the preprocessed source (with comments), the language, the
          rules and the version of clang-tidy. Only changed sources are checked again.
FOLDER    gets a compilation database that clang understands
DATABASE  compile_commands.json of a build with GCC
FILE      check only these sources (default: all of hw/)

Prints the findings and the number of files; fails if there are any findings.
"""

import concurrent.futures
import glob
import hashlib
import json
import os
import shlex
import subprocess
import sys
import time

FORGET_AFTER = 30 * 24 * 3600  # seconds since the entry was last used

# Options that affect the meaning of a source. Others, such as warnings and options that only GCC knows, are dropped.
WITH_VALUE = ("-isystem", "-iquote", "-include")
MEANING = ("-I", "-D", "-U", "-std=", "-m")


def meaning(arguments):
    """Yields the options of a compiler's command line that clang needs."""
    words = iter(arguments)
    for word in words:
        if word in WITH_VALUE:
            yield from (word, next(words))
        elif word.startswith(MEANING):
            yield word


def entries(tree, databases):
    """Returns {path: entry} for the sources of TREE/hw in the databases, in which they may appear several times and
    through links."""
    found = {}
    for database in databases:
        with open(database, encoding="utf-8") as file:
            for entry in json.load(file):
                path = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
                if path.startswith(os.path.join(tree, "hw", "")) and path not in found:
                    compiler = "clang++" if path.endswith("pp") else "clang"
                    options = list(meaning(shlex.split(entry["command"])))
                    found[path] = {"directory": entry["directory"], "file": path,
                                   "arguments": [compiler, *options, "-Wno-everything", "-c", path]}
    return found


def sources(tree):
    return sorted(path for path in glob.glob(f"{tree}/hw/**/*.c*", recursive=True) if path.endswith((".c", ".cpp")))


class Tidy:
    def __init__(self, tree, cache, folder):
        self.cache, self.folder = cache, folder
        os.makedirs(cache, exist_ok=True)
        os.makedirs(folder, exist_ok=True)
        self.rules = subprocess.run(["clang-tidy", "--version"], check=True, stdout=subprocess.PIPE).stdout
        for path in [f"{tree}/.clang-tidy", *sorted(glob.glob(f"{tree}/hw/**/.clang-tidy", recursive=True))]:
            with open(path, "rb") as file:
                self.rules += file.read()

    def key(self, entry):
        """Returns a hash of the source as clang-tidy sees it; "" if it cannot be preprocessed."""
        command = [*entry["arguments"][:-2], "-E", "-C", "-P", entry["file"]]  # no paths, so that clones can share the cache
        source = subprocess.run(command, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                check=False)
        language = " ".join(word for word in entry["arguments"] if word.startswith(("clang", "-std=", "-m")))
        return "" if source.returncode else hashlib.sha256(self.rules + language.encode() + source.stdout).hexdigest()

    def check(self, entry):
        """Returns (True if the source had to be checked now, findings)."""
        key = self.key(entry)
        clean = os.path.join(self.cache, key)
        if key and os.path.exists(clean):
            os.utime(clean)
            return False, ""
        ran = subprocess.run(["clang-tidy", "--quiet", "-p", self.folder, entry["file"]], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False, text=True)
        if ran.returncode:
            return True, ran.stdout or ran.stderr
        if key:
            with open(clean, "wb"):
                pass
        return True, ""

    def forget(self):
        for name in os.listdir(self.cache):
            path = os.path.join(self.cache, name)
            if os.path.getmtime(path) < time.time() - FORGET_AFTER:
                os.unlink(path)


def main():
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    (tree, cache, folder, *databases), files = arguments[:split], arguments[split + 1:]
    found = entries(tree, databases)
    chosen = [os.path.realpath(file) for file in files or sources(tree)]
    for file in chosen:
        if file not in found:
            sys.exit(f"no build compiles {file}")
    tidy = Tidy(tree, cache, folder)
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(list(found.values()), file, indent=1)
    checked = findings = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for now, said in pool.map(tidy.check, (found[file] for file in chosen)):
            checked += now
            findings += bool(said)
            print(said, end="", flush=True)
    tidy.forget()
    print(f"{len(chosen)} files, {checked} of them checked now, findings in {findings}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
