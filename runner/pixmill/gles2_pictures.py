# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the pictures of pixmill-gles2 with those that the same program drew with another OpenGL implementation.

usage: gles2_pictures.py SEEN EXPECTED OUT

SEEN and EXPECTED are folders with pictures (NAME.pam) and the program's messages (drawn.log); EXPECTED also has its list of
scenes (scenes.tsv). OUT gets sheet.png, with all pictures above the expected ones, and NAME.png for each wrong picture: the
picture, the expected one and their difference.
"""

import os
import sys

from pixmill import picture
from pixmill.counts import line as counts_line

SHEET_COLUMNS = 16
TILE = 64


class Tolerance:
    """A pixel is wrong if a channel differs by more than `channel`; the fraction `share` of all pixels may be wrong."""

    def __init__(self, channel, share, reason):
        self.channel, self.share, self.reason = int(channel), float(share), reason


class Image:
    """width x height pixels of four bytes each."""

    def __init__(self, width, height, rgba):
        self.width, self.height, self.rgba = width, height, rgba

    def rgb(self):
        return picture.rgb_of(self.rgba)


def read_pam(data):
    head, separator, pixels = data.partition(b"ENDHDR\n")
    fields = dict(line.split(None, 1) for line in head.splitlines()[1:])
    if data[:3] != b"P7\n" or not separator or fields.get(b"DEPTH") != b"4":
        raise ValueError("not a PAM file of four channels")
    width, height = int(fields[b"WIDTH"]), int(fields[b"HEIGHT"])
    if len(pixels) != 4 * width * height:
        raise ValueError(f"a PAM file of {len(pixels)} bytes instead of {4 * width * height}")
    return Image(width, height, pixels)


def read_scenes(text):
    """Parses the program's list of scenes; returns {name: Tolerance}."""
    rows = (line.split("\t") for line in text.splitlines())
    return {name: Tolerance(channel, share, reason) for name, _, channel, share, reason in rows}


def read_told(text):
    """Parses the program's messages; returns {scene: "drawn", "skipped: WHY" or "failed: WHY"}."""
    told = {}
    for line in text.splitlines():
        name, *rest = line.split("\t")
        if len(rest) >= 2:
            told[name] = ": ".join(rest[1:])
    return told


def differences(seen, wanted):
    """Returns the largest channel difference of each pixel."""
    each = [abs(a - b) for a, b in zip(seen.rgba, wanted.rgba)]
    return [max(each[i:i + 4]) for i in range(0, len(each), 4)]


def complaint(seen, wanted, tolerance):
    """Returns a sentence that says how the pictures differ, or "" if they match within the tolerance."""
    if (seen.width, seen.height) != (wanted.width, wanted.height):
        return f"size {seen.width}x{seen.height}, expected {wanted.width}x{wanted.height}"
    each = differences(seen, wanted)
    wrong = [i for i, difference in enumerate(each) if difference > tolerance.channel]
    if len(wrong) <= tolerance.share * len(each):
        return ""
    y, x = divmod(wrong[0], seen.width)
    pixels = " expected ".join(image.rgba[4 * wrong[0]:4 * wrong[0] + 4].hex() for image in (seen, wanted))
    return (f"{len(wrong)} of {len(each)} pixels differ by more than {tolerance.channel}, by up to {max(each)}; "
            f"a share of {tolerance.share:g} is allowed; the first is at ({x}, {y}): {pixels}")


def write_difference(path, seen, wanted):
    """Writes the picture, the expected one, and their difference in gray; a difference of 16 or more is white."""
    if (seen.width, seen.height) != (wanted.width, wanted.height):
        return
    shown = b"".join(bytes([min(255, difference * 16)] * 3) for difference in differences(seen, wanted))
    columns = [seen.rgb(), wanted.rgb(), shown]
    pitch = 3 * seen.width
    rows = b"".join(column[pitch * y:pitch * (y + 1)] for y in range(seen.height) for column in columns)
    picture.write_png_rgb(path, 3 * seen.width, seen.height, rows)


def write_sheet(path, names, *sets):
    """Writes a sheet with a tile for each name; the tiles of the sets are one below the other. Pictures larger than
    a tile are scaled down."""
    width, lines = (TILE + 4) * SHEET_COLUMNS, (len(names) + SHEET_COLUMNS - 1) // SHEET_COLUMNS
    line_height = (TILE + 4) * len(sets) + 8
    sheet = bytearray(b"\x40" * (3 * width * line_height * lines))
    for number, name in enumerate(names):
        line, column = divmod(number, SHEET_COLUMNS)
        for row, images in enumerate(sets):
            if name in images:
                paste(sheet, width, (TILE + 4) * column, line_height * line + (TILE + 4) * row, images[name])
    picture.write_png_rgb(path, width, line_height * lines, sheet)


def write_row(path, images):
    """Writes the images side by side at full size; all must have the height of the first one."""
    width, height = sum(image.width for image in images), images[0].height
    rows = b"".join(image.rgb()[3 * image.width * y:3 * image.width * (y + 1)] for y in range(height) for image in images)
    picture.write_png_rgb(path, width, height, rows)


def paste(sheet, width, left, top, image):
    step, rgb = max(1, image.width // TILE), image.rgb()
    for y in range(min(TILE, image.height // step)):
        row = rgb[3 * image.width * y * step:][:3 * image.width]
        pixels = b"".join(row[3 * x:3 * x + 3] for x in range(0, image.width, step))[:3 * TILE]
        place = 3 * (width * (top + y) + left)
        sheet[place:place + len(pixels)] = pixels


def images_of(files):
    """Returns {name: Image} for the pictures among the files {name: content}."""
    images = {}
    for name, content in files.items():
        if name.endswith(".pam"):
            try:
                images[name[:-4]] = read_pam(content)
            except (ValueError, KeyError):
                pass  # the scene fails for lack of a picture
    return images


def compare(files, expected, out):
    """Yields (name, outcome, why) for each scene in the list among the expected files. Both arguments are {file name: content}."""
    scenes = read_scenes(expected["scenes.tsv"].decode())
    seen, wanted = images_of(files), images_of(expected)
    told = read_told(files.get("drawn.log", b"").decode(errors="replace"))
    told_there = read_told(expected.get("drawn.log", b"").decode(errors="replace"))
    os.makedirs(out, exist_ok=True)
    write_sheet(os.path.join(out, "sheet.png"), list(scenes), seen, wanted)
    for name, tolerance in scenes.items():
        said = told.get(name, "failed: the program ended before it")
        if name not in wanted:
            yield name, "failed", "there is no picture to compare with: " + told_there.get(name, "not drawn")
        elif said.startswith("skipped: "):
            yield name, "skipped", said[9:]
        elif name not in seen:
            yield name, "failed", "there is no picture: " + said
        else:
            why = complaint(seen[name], wanted[name], tolerance)
            if why:
                write_difference(os.path.join(out, name + ".png"), seen[name], wanted[name])
            yield name, "failed" if why else "passed", why


def read_folder(folder):
    files = {}
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                files[name] = file.read()
    return files


def main():
    seen, expected, out = sys.argv[1:]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, outcome, why in compare(read_folder(seen), read_folder(expected), out):
        counts[outcome] += 1
        print(f"{outcome:7} {name}" + (f": {why}" if why else ""))
    print(counts_line(counts))
    return 1 if counts["failed"] else 0
