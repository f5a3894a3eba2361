# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges a finished run of a suite: makes a case of each check in the guest and of each expectation."""

import collections
import dataclasses
import gzip
import io
import os
import re
import struct
import tarfile
import zlib

from pixmill import expectations, gles2_pictures, modetest, picture, text_console


class Suite:
    """A file of guest/suites: its name and its "#: WORD VALUE" lines.

    #: boot OPTIONS        adds to the kernel's command line
    #: qemu OPTIONS        adds to QEMU's options
    #: devices OPTIONS     the same, for devices that do not affect other suites
    #: timeout SECONDS     limits the whole run (default 120)
    #: boards NAME...      runs on these boards only (default: all whose GPU the etnaviv driver drives, setting "gpu")
    #: picture FILE        a BMP that must equal the expected one
    #: screen FILE         a PPM by the host ("host screendump") that must equal the expected one
    #: shown FILE          a PPM by the host that must have more than one color; kept as PNG
    #: patterns FILE       a case for each line of the guest's file, "NAME|PPM|WIDTHxHEIGHT|PLANE...": the PPM by the host must show
                           the test patterns of modetest in these planes (modetest.py)
    #: console FILE TEXT FONT SIZE
                           a PPM by the host that must show the text console, from the guest's copies of /dev/vcsa1 and of the
                           font, and a file with width, height and depth of the frame buffer (text_console.py)
    #: black FILE          a PPM by the host that must be black
    #: plain FILE COLOR    a PPM by the host whose pixels must all have that color (six hexadecimal digits)
    #: corrected FILE FILE RED GREEN BLUE
                           two "shown" files: the first must be the second after correction with these gamma values
    #: same FILE FILE [BOX...]
                           two "shown" files that must be equal, in each of the boxes (WIDTHxHEIGHT+LEFT+TOP) if there are any
    #: narrowed FILE FILE BOX...
                           two "shown" files: in each box, the first must be the second reduced to 5, 6 and 5 bits
    #: differ FILE FILE BOX...
                           two "shown" files that must differ in each of the boxes and nowhere else
    #: alike FILE FILE LIMIT
                           two "shown" files whose channels may differ by at most LIMIT
    #: covered FILE FILE PAM
                           two "shown" files that must be equal, except where the first one shows a PAM by the guest
    #: scanned FILE PAM    a "shown" file that must equal a PAM by the guest
    #: turned FILE XWD N   a "shown" file that must equal what the guest saved with xwd(1), rotated left by N quarter turns
    #: scenes FOLDER LIST  a case for each scene of pixmill-gles2, with expected pictures in that folder; the board's file LIST has
                           known failures, LIST-VERSION those of a version of Mesa (expectations.py). If the guest has a file
                           "chosen", a case only for each scene that it names
    #: painted FILE PNG    keeps a PAM by the guest as PNG
    #: row PNG NAME...     puts the guest's pictures NAME.pam, as far as they exist, side by side in one PNG
    #: piglit LIST         a case for each piglit test in the guest's file "results", with lists of known failures as for "scenes"
                           (the guest's file "mesa" names the driver's library)
    #: dump FILE WORDS      a dump of etnaviv by the guest, whose first lines in pixmill-dump must contain these words (dumps.py)
    #: program NAME        a case of the suite, which is reported as skipped if the guest sends no results
    #: log no              unwanted lines of the kernel log are notes, not failures
    #: userland NAME       shares the root file system NAME from scripts/guest/userland with the guest (9p, over the board's PCIe); with
                           --deterministic it is in the initramfs
    #: asked yes           runs only if it is named
    #: asked except SERIES...
                           the same, except on these kernel series
    #: interrupts SETTING  the board's setting that names the core which must have raised an interrupt (default: gpu); or "no"
    #: expect + REGEX      adds to the board's expectations of the kernel log; or "- REGEX"
    #: allow REGEX         removes that "-" expectation

    Suites without "boot", "qemu" and "userland" share a boot.
    """

    def __init__(self, path):
        self.name = os.path.basename(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            self.text = file.read()
        self.said = re.findall(r"(?m)^#: (\S+) (.*)$", self.text)

    def all(self, word):
        return [value for name, value in self.said if name == word]

    def one(self, word, default):
        return (self.all(word) or [default])[-1]

    def is_for(self, board):
        boards = self.all("boards")
        return board.name in boards[-1].split() if boards else board.get("gpu") is not None

    def waits_to_be_asked(self, series=None):
        asked, *without = self.one("asked", "no").split()
        return asked == "yes" or asked == "except" and series not in without

    def shares_a_boot(self):
        return not self.all("boot") and not self.all("qemu") and not self.all("userland")


class Case:
    """One check. `result` is the outcome in the terms of Mesa's CI, which distinguish crashes and timeouts."""

    RESULTS = {"passed": "Pass", "failed": "Fail", "skipped": "Skip"}

    def __init__(self, name, outcome, why="", result=None):
        self.name, self.outcome, self.why = name, outcome, why
        self.result = result or self.RESULTS[outcome]
        self.expected = None  # the result in the list of fails, if any
        self.seconds = None  # in guest time
        self.files = []  # pictures in the results folder
        self.log = ""  # the file with its output, in the same folder

    def __str__(self):
        return f"{self.outcome:7} {self.name}" + (f": {self.why}" if self.why else "")


NEVER = "never run"


def verdict(name, why):
    """Returns a case that failed for this reason, or passed if the reason is empty."""
    return Case(name, "failed" if why else "passed", why or "")


def unpack(archive):
    """Returns the files in an archive from the guest, {name: content}; {} if it is damaged."""
    try:
        raw = gzip.decompress(archive or b"")
        with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
            return {os.path.basename(m.name): tar.extractfile(m).read() for m in tar if m.isfile()}
    except (OSError, EOFError, tarfile.TarError, gzip.BadGzipFile, zlib.error, ValueError):
        return {}


def last_lines(text, count=3):
    return " / ".join(text.decode(errors="replace").strip().splitlines()[-count:])


@dataclasses.dataclass
class End:
    """The end of the boot in which a suite ran."""

    why: str = ""  # empty if the guest ended the boot properly
    kind: str = ""  # as in machine.Result
    files: dict = dataclasses.field(default_factory=dict)  # reconstructed from the console by left_on_console()
    begun: str = ""  # the check that began on the console but did not end


# The result of the check during which a boot ended, for each kind of end. Ends of other kinds are not caused by checks.
ENDED_IN = {"timeout": "Timeout", "broken": "Crash", "": "Crash"}


def judge(suite, board, end, files, pictures_to, expected, never=""):
    """Returns the cases of one suite. Pictures are saved as PNG in the folder `pictures_to`; `expected` is the
    folder with the expected pictures. `never` is the reason if the suite never began; another suite has already
    failed for this reason."""
    why = end.why or broken_off(files)
    whole = run_case(why, end.kind)
    if files:
        return [whole, *cases_of(suite, board, files, pictures_to, expected)]
    cases = list(guest_cases(end.files))
    if never:
        whole = Case("run", "skipped", f"{NEVER}: {never}")
    elif end.begun and end.kind in ENDED_IN:  # report one cause only once
        said = last_lines(end.files.get(f"{end.begun}.log", b""))
        cases.append(Case(end.begun, "failed", f"{why}: {said}" if said else why, ENDED_IN[end.kind]))
        whole = Case("run", "skipped", f"{end.begun} ended it")
    known = {case.name for case in cases}
    others = [*suite.all("program"), *(case.name for case in cases_of(suite, board, {}, pictures_to, expected))]
    return [whole, *cases, *(Case(name, "skipped", f"{NEVER}: {never or why}") for name in others if name not in known)]


def run_case(why, kind):
    """Returns the case "run" for a boot that ended for this reason, which is empty if it ended properly."""
    return Case("run", "failed", why, "Timeout" if kind == "timeout" else None) if why else Case("run", "passed")


BEGINS = re.compile(rb"pixmill: (?:check|program) (\S+)(?: begins)?")
ENDS = re.compile(rb"pixmill: (?:program )?(\S+) ended with status (\d{1,3})")
KERNEL_LINE = re.compile(rb"\[ *\d+\.\d{6}\] ")
KEPT_LINES = 1000  # the most lines of a check's output that are reconstructed


def left_on_console(path, suite):
    """Reconstructs (files, begun) of End from the console log, to which guest/suite-functions prints, for a suite
    whose results are missing or incomplete."""
    files, begun, says = {}, "", collections.deque(maxlen=KEPT_LINES)
    with open(path, "rb") as log:
        for line in map(bytes.rstrip, log):
            begins, ends = BEGINS.fullmatch(line), ENDS.fullmatch(line)
            if line == b"pixmill-host: results " + suite.encode():
                break
            if line.startswith(b"pixmill-host: results "):
                files, begun = {}, ""
            elif begins and not begun:
                begun = begins[1].decode(errors="replace")
                says.clear()
            elif ends and ends[1].decode(errors="replace") == begun:
                files |= {f"{begun}.log": b"".join(says)} if says else {}
                files["cases"] = files.get("cases", b"") + ends[2] + b" " + ends[1] + b"\n"
                begun = ""
            elif begun and not KERNEL_LINE.match(line):
                says.append(line + b"\n")
    if begun and says:
        files[f"{begun}.log"] = b"".join(says)
    return files, begun


def completed(files, end):
    """Completes files that were truncated because the guest's memory was full, with those from the console."""
    lines = [line for line in lines_of(files, "cases") if CHECKED.fullmatch(line)]
    known = {line.split()[1] for line in lines}
    lines += [line for line in lines_of(end.files, "cases") if line.split()[1] not in known]
    return {**end.files, **files, "cases": "".join(f"{line}\n" for line in lines).encode()}


def cases_of(suite, board, files, pictures_to, expected):
    cases = list(guest_cases(files))
    cases += [picture_case(name, picture.read_bmp, files.get(name, b""), pictures_to, expected)
              for name in suite.all("picture")]
    cases += [picture_case(name, picture.read_ppm, screen(name, pictures_to), pictures_to, expected)
              for name in suite.all("screen")]
    shown = {name: screen(name, pictures_to) for name in suite.all("shown")}
    cases += [shown_case(name, content, pictures_to) for name, content in shown.items()]
    cases += [black_case(name, screen(name, pictures_to)) for name in suite.all("black")]
    for name in suite.all("patterns"):
        cases += pattern_cases(lines_of(files, name), pictures_to)
    cases += [console_case(words.split(), files, pictures_to) for words in suite.all("console")]
    cases += [plain_case(name, screen(name, pictures_to), int(color, 16)) for name, color in map(str.split, suite.all("plain"))]
    cases += [corrected_case(words.split(), shown) for words in suite.all("corrected")]
    cases += [same_case(words.split(), shown) for words in suite.all("same")]
    cases += [narrowed_case(words.split(), shown) for words in suite.all("narrowed")]
    cases += [differ_case(words.split(), shown) for words in suite.all("differ")]
    cases += [alike_case(words.split(), shown) for words in suite.all("alike")]
    cases += [covered_case(words.split(), shown, files) for words in suite.all("covered")]
    cases += [scanned_case(words.split(), shown, files) for words in suite.all("scanned")]
    cases += [turned_case(words.split(), shown, files) for words in suite.all("turned")]
    for folder, known in map(str.split, suite.all("scenes")):
        cases += scene_cases(files, os.path.join(expected, folder), os.path.join(pictures_to, f"{suite.name}-pictures"),
                             os.path.join(board.folder, known))
    cases += [painted_case(words.split(), files, pictures_to) for words in suite.all("painted")]
    for words in map(str.split, suite.all("row")):
        write_row(words, files, pictures_to)
    for known in suite.all("piglit"):
        cases += piglit_cases(files, os.path.join(board.folder, known))
    setting = suite.one("interrupts", "gpu")
    if setting != "no":
        core = board[setting]
        cases.append(verdict("interrupts", "" if interrupt_count(core, files) else
                             f"no interrupt of {core} was counted in the guest"))
    if suite.one("log", "yes") == "yes":
        cases += log_cases(suite, board, files)
    return cases


UNREADABLE = "the guest left an unreadable line, as happens when its memory is full"


def lines_of(files, name):
    return files.get(name, b"").decode(errors="replace").splitlines()


NO_RESULTS = "no results came out of the guest"


def broken_off(files):
    """Returns the reason why the suite ended early, or "". The guest's init creates the file "ended" after the
    suite."""
    if not files:
        return NO_RESULTS
    checks = [line.split()[1] for line in lines_of(files, "cases") if CHECKED.fullmatch(line)]
    if "ended" not in files:
        return "the suite ended early, " + (f"after {checks[-1]}" if checks else "before its first check")
    return "" if checks or "left-out" in files else "the suite made no check"


SKIP, TIMED_OUT = 77, 143
CHECKED = re.compile(r"(\d{1,3}) (\S+)(?: (\d+(?:\.\d+)?) (\d+(?:\.\d+)?))?\s*")


def statuses(files):
    """Returns {name: exit status} of the guest's checks."""
    return {match[2]: int(match[1]) for match in map(CHECKED.fullmatch, lines_of(files, "cases")) if match}


def guest_cases(files):
    """Yields a case for each line "STATUS NAME [BEGAN ENDED]"; times are the guest's uptime."""
    for line in lines_of(files, "cases"):
        match = CHECKED.fullmatch(line)
        if not match:
            yield Case("cases", "failed", f"{UNREADABLE}: {line!r}")
            continue
        status, name, *times = match.groups()
        status = int(status)
        said = last_lines(files.get(f"{name}.log", b""))
        more = f": {said}" if said else ""
        if status == SKIP:
            case = Case(name, "skipped", said)
        elif status == TIMED_OUT:
            case = Case(name, "failed", "it took too long" + more, "Timeout")
        elif status > 128:
            case = Case(name, "failed", f"ended by signal {status - 128}{more}", "Crash")
        else:
            case = verdict(name, f"status {status}{more}" if status else "")
        if times[1]:
            case.seconds = float(times[1]) - float(times[0])
        yield case


def screen(name, folder):
    """Reads and removes a screen dump that the host saved, so that the next run cannot use it."""
    path = os.path.join(folder, name)
    try:
        with open(path, "rb") as file:
            content = file.read()
        os.unlink(path)
        return content
    except OSError:
        return b""


def picture_case(name, read, content, pictures_to, expected):
    try:
        png = os.path.join(pictures_to, os.path.splitext(name)[0] + ".png")
        seen = read(content)
        picture.write_png(seen, png)
        wanted = picture.expected(name, expected)
        difference = seen.first_difference(wanted)
        case = verdict(name, difference)
        case.files = [png]
        if difference:
            for kind, other in (("expected", wanted), ("difference", seen.difference(wanted))):
                if other:
                    case.files.append(png.replace(".png", f"-{kind}.png"))
                    picture.write_png(other, case.files[-1])
        return case
    except (ValueError, FileNotFoundError) as error:
        return Case(name, "failed", str(error))


def shown_case(name, content, pictures_to):
    try:
        seen = picture.read_ppm(content)
        picture.write_png(seen, os.path.join(pictures_to, os.path.splitext(name)[0] + ".png"))
        return verdict(name, "" if len(set(seen.words)) > 1 else "the screen has only one color")
    except (ValueError, FileNotFoundError) as error:
        return Case(name, "failed", str(error))


def black_case(name, content):
    try:
        lit = sum(map(bool, picture.read_ppm(content).words))
        return verdict(f"{name} is black", f"{lit} pixels are not black" if lit else "")
    except ValueError as error:
        return Case(f"{name} is black", "failed", str(error))


def pattern_cases(lines, pictures_to):
    if not lines:
        yield Case("patterns", "failed", "the guest showed none")
    for line in lines:
        name, *words = line.split("|")
        try:
            ppm, size, *planes = words
            width, height = map(int, size.split("x"))
            wanted, tolerance = modetest.screen(width, height, [modetest.Plane(plane) for plane in planes])
            seen = picture.read_ppm(screen(ppm, pictures_to))
            yield compared(name, seen, wanted, modetest.complaint(seen, wanted, tolerance), pictures_to)
        except ValueError as error:
            yield Case(name, "failed", str(error))


def console_case(words, files, pictures_to):
    name, text, font, size = words
    try:
        seen = picture.read_ppm(screen(name, pictures_to))
        *area, bits = map(int, files.get(size, b"").split())
        wanted = text_console.draw(seen.width, seen.height, area, bits, files.get(text, b""), files.get(font, b""))
        return compared(name, seen, wanted, seen.first_difference(wanted), pictures_to)
    except (ValueError, IndexError) as error:
        return Case(name, "failed", str(error))


def compared(name, seen, wanted, complaint, pictures_to):
    """Returns a case for a comparison; saves pictures only if they differ, since there may be many."""
    case = verdict(name, complaint)
    if complaint:
        for kind, image in (("", seen), ("-expected", wanted), ("-difference", seen.difference(wanted))):
            if image:
                case.files.append(os.path.join(pictures_to, f"{os.path.splitext(name)[0]}{kind}.png"))
                picture.write_png(image, case.files[-1])
    return case


def plain_case(name, content, color):
    try:
        others = sorted(set(picture.read_ppm(content).words) - {color})
        return verdict(name, f"{len(others)} other colors than {color:06x}, such as {others[0]:06x}" if others else "")
    except ValueError as error:
        return Case(name, "failed", str(error))


def corrected_case(words, shown):
    """Compares with a tolerance of 1, since the entries of the guest's 8-bit tables may be truncated or rounded."""
    name = f"{words[0]} is {words[1]} with gamma {':'.join(words[2:])}"
    try:
        one, other, _ = two_pictures(words[:2], shown)
        if (one.width, one.height) != (other.width, other.height):
            return Case(name, "failed", "they have different sizes")
        wrong = []
        for shift, color, gamma in zip((16, 8, 0), ("red", "green", "blue"), map(float, words[2:])):
            pairs = {(new >> shift & 0xFF, old >> shift & 0xFF) for new, old in zip(one.words, other.words)}
            wrong += [f"{color} {old} is {new}" for new, old in sorted(pairs)
                      if abs(new - 255 * (old / 255) ** (1 / gamma)) > 1]
        return verdict(name, ", ".join(wrong[:3]))
    except ValueError as error:
        return Case(name, "failed", str(error))


def two_pictures(words, shown):
    """Returns the two pictures and the boxes that a line names."""
    one, other = (picture.read_ppm(shown[word]) for word in words[:2])
    return one, other, [[int(number) for number in re.split("[x+]", word)] for word in words[2:]]


def same_case(words, shown):
    name = " and ".join(words[:2]) + "".join(f", {box}" for box in words[2:])
    try:
        one, other, boxes = two_pictures(words, shown)
        pairs = [(one.box(*box), other.box(*box)) for box in boxes] or [(one, other)]
        return verdict(name, "; ".join(filter(None, (one.first_difference(other) for one, other in pairs))))
    except ValueError as error:
        return Case(name, "failed", str(error))


def narrowed_case(words, shown):
    name = f"{words[0]} is {words[1]} in 5, 6 and 5 bits"
    try:
        one, other, boxes = two_pictures(words, shown)
        differences = (one.box(*box).first_difference(other.box(*box).narrowed()) for box in boxes)
        return verdict(name, "; ".join(filter(None, differences)))
    except ValueError as error:
        return Case(name, "failed", str(error))


def differ_case(words, shown):
    name = " and ".join(words[:2])
    try:
        one, other, boxes = two_pictures(words, shown)
        same = [word for word, box in zip(words[2:], boxes) if one.box(*box).words == other.box(*box).words]
        for box in boxes:
            one, other = one.cover(*box), other.cover(*box)
        return verdict(name, "there is no difference in " + ", ".join(same) if same else one.first_difference(other))
    except ValueError as error:
        return Case(name, "failed", str(error))


def alike_case(words, shown):
    name = f"{words[0]} is like {words[1]}"
    try:
        one, other = (picture.read_ppm(shown[word]) for word in words[:2])
        box = one.box_of_differences(other, int(words[2]))
        return verdict(name, f"they differ by more than {words[2]} in the box {told_box(box)}" if box else "")
    except ValueError as error:
        return Case(name, "failed", str(error))


def told_box(box):
    return f"{box[0]}x{box[1]}+{box[2]}+{box[3]}"


def picture_of(pam):
    """Returns a PAM by the guest as a picture of the screen."""
    image = gles2_pictures.read_pam(pam)
    rgb = bytes(image.rgb())
    return picture.Picture(image.width, image.height, [int.from_bytes(rgb[i:i + 3], "big") for i in range(0, len(rgb), 3)])


def covered_case(words, shown, files):
    """The pictures may be equal in parts of the window, so the box of their differences may be smaller than the window."""
    name = f"{words[0]} is {words[1]} with {words[2]} on it"
    try:
        one, other, window = *(picture.read_ppm(shown[word]) for word in words[:2]), picture_of(files.get(words[2], b""))
        box = one.box_of_differences(other, 0)
        if not box:
            return Case(name, "failed", "both are the same")
        if box[0] > window.width or box[1] > window.height:
            return Case(name, "failed", f"they differ in the box {told_box(box)}, more than {window.width}x{window.height}")
        right, bottom = box[0] + box[2], box[1] + box[3]
        places = ((left, top) for top in range(max(0, bottom - window.height), min(box[3], one.height - window.height) + 1)
                  for left in range(max(0, right - window.width), min(box[2], one.width - window.width) + 1))
        found = any(one.shows(window, left, top) for left, top in places)
        return verdict(name, "" if found else f"the box {told_box(box)}, in which they differ, does not show {words[2]}")
    except (ValueError, KeyError) as error:
        return Case(name, "failed", str(error))


def scanned_case(words, shown, files):
    name = f"{words[0]} and {words[1]}"
    try:
        return verdict(name, picture.read_ppm(shown[words[0]]).first_difference(picture_of(files.get(words[1], b""))))
    except (ValueError, KeyError) as error:
        return Case(name, "failed", str(error))


def turned_case(words, shown, files):
    screen_name, saved, quarters = words
    try:
        wanted = picture.read_xwd(files.get(saved, b"")).turned(int(quarters))
        return verdict(f"{screen_name} and {saved}", picture.read_ppm(shown[screen_name]).first_difference(wanted))
    except (ValueError, struct.error) as error:
        return Case(f"{screen_name} and {saved}", "failed", str(error))


def known_failures(path, version=""):
    """Returns the expectations of a list, of its LIST-VERSION files for this version of Mesa, and of the list of skips."""
    folder, name = os.path.split(path)
    versions = [os.path.join(folder, other) for other in sorted(os.listdir(folder)) if other.startswith(name + "-")
                and version.startswith(other[len(name) + 1:])]
    skips = [skips for skips in [path.removesuffix("-fails") + "-skips"] if os.path.exists(skips)]
    return expectations.Expectations().read(fails=[path, *versions], skips=skips)


def mesa_version(files):
    """Returns the version of Mesa, such as 25.0.7-2+deb13u1, from the renderer string or else the name of the driver's library."""
    found = re.search(rb"(?m)^renderer\t.* Mesa (\S+)$", files.get("drawn.log", b"")) or re.search(
        rb"/libgallium-(\S+)\.so", files.get("mesa", b""))
    return found[1].decode() if found else ""


def case_of(name, outcome, why, known, result=None):
    return known.apply(Case(name, outcome, why, result), [name])


def scene_cases(files, expected, pictures_to, list_path):
    known = known_failures(list_path, mesa_version(files))
    try:
        wanted = gles2_pictures.read_folder(expected)
    except (FileNotFoundError, NotADirectoryError) as error:
        return [Case("scenes", "failed", f"{expected} has no list of scenes with their pictures: {error}")]
    try:
        cases = {case[0]: case_of(*case, known) for case in gles2_pictures.compare(files, wanted, pictures_to)}
    except KeyError as error:
        return [Case("scenes", "failed", f"{expected} has no list of scenes with their pictures: {error}")]
    if "chosen" not in files:
        return list(cases.values())
    chosen = files["chosen"].decode(errors="replace").split()
    if not chosen:
        return [Case("scenes", "failed", "the guest chose none")]
    return [cases.get(name) or Case(name, "failed", "there is no such scene") for name in chosen]


def painted_case(words, files, pictures_to):
    name, png = words
    try:
        image = gles2_pictures.read_pam(files[name])
        picture.write_png_rgb(os.path.join(pictures_to, png), image.width, image.height, image.rgb())
        return verdict(png, "")
    except (KeyError, ValueError) as error:
        return Case(png, "failed", f"{name} is not a picture: {error}")


def write_row(words, files, pictures_to):
    """Saves pictures side by side. They are not judged here, since each scene is a case already."""
    png, *names = words
    images = gles2_pictures.images_of({f"{name}.pam": files[f"{name}.pam"] for name in names if f"{name}.pam" in files})
    if images:
        gles2_pictures.write_row(os.path.join(pictures_to, png), list(images.values()))


PIGLIT = {"pass": ("passed", "Pass"), "skip": ("skipped", "Skip"), "crash": ("failed", "Crash"),
          "timeout": ("failed", "Timeout")}


def piglit_cases(files, list_path):
    known = known_failures(list_path, mesa_version(files))
    if files and not lines_of(files, "results"):
        yield Case("tests", "failed", "the guest ran no piglit test")
    for line in lines_of(files, "results"):
        path, _, said = line.rpartition(" ")
        name = re.sub(r"^.*?/spec/|\.shader_test$", "", path)
        outcome, result = PIGLIT.get(said, ("failed", "Fail"))
        yield case_of(name, outcome, "" if outcome == "passed" else f"piglit says {said}", known, result)


def interrupt_count(gpu, files):
    """Returns the number of interrupts of the GPU on all CPUs."""
    header, *lines = lines_of(files, "interrupts") or [""]
    cpus = len(header.split())
    return sum(int(word) for line in lines if line.endswith(f" {gpu}") for word in line.split()[1:1 + cpus] if word.isdigit())


def kernel_log(files, since=0):
    return files.get("kernel.log", b"").decode(errors="replace").splitlines()[since:]


def suite_log(files):
    """Returns the kernel log without the lines from earlier suites of the same boot."""
    before = files.get("kernel.log.before", b"0").strip()
    return kernel_log(files, int(before) if before.isdigit() else 0)


def log_cases(suite, board, files):
    log = kernel_log(files)
    expectations = board.expectations() + [tuple(value.split(" ", 1)) for value in suite.all("expect")]
    allowed = suite.all("allow")
    missing = [regex for sign, regex in expectations
               if sign == "+" and not any(re.search(regex, line) for line in log)]
    unwanted = unwanted_lines(expectations, allowed, files)
    if not log:
        yield Case("kernel log has what it must", "failed", "there is no kernel log")
        yield Case("kernel log has nothing it must not", "skipped", "there is no kernel log")
        return
    yield verdict("kernel log has what it must", missing and "no line matches: " + "; ".join(missing))
    yield verdict("kernel log has nothing it must not", unwanted and "; ".join(unwanted[:3]))


def unwanted_lines(expectations, allowed, files):
    return [line for sign, regex in expectations if sign == "-" and regex not in allowed
            for line in suite_log(files) if re.search(regex, line)]
