# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints the manifest of an exported guest as JSON: the board's settings, the kernel's version, Pixmill's commit, and
checksums of files.

usage: manifest.py FOLDER BOARD SERIES REPOSITORY
"""

import hashlib
import json
import os
import subprocess
import sys
import tarfile


def sums(folder):
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "root"]
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path) and not name.startswith("manifest.json"):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return dict(sorted(found.items()))


def kernel_version(folder):
    with tarfile.open(os.path.join(folder, "modules.tar.xz")) as tar:
        for member in tar:
            parts = member.name.split("/")
            if len(parts) > 2:
                return parts[2]
    return ""


def settings(folder):
    with open(os.path.join(folder, "board", "board"), encoding="utf-8") as file:
        return dict(line.strip().partition(" ")[::2] for line in file if line.strip() and not line.startswith("#"))


def commit(repository):
    installed = os.path.join(repository, "installed")
    if os.path.exists(installed):
        with open(installed, encoding="utf-8") as file:
            return file.read().strip().removeprefix("pixmill-")
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", repository, "rev-parse", "HEAD"], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip()


def main():
    folder, board, series, repository = sys.argv[1:]
    print(json.dumps({"format": 1, "board": board, "series": series, "kernel": kernel_version(folder), "pixmill": commit(repository),
                      "settings": settings(folder), "sha256": sums(folder)}, indent=1))


if __name__ == "__main__":
    main()
