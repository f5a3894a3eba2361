# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of what screens are compared with: modetest's patterns, the text console, pictures by the guest, and the host's requests."""

import os
import struct
import unittest

from pixmill import host, judge, modetest, text_console
from pixmill.picture import Picture
from tests.files import Test, written


def ppm(width, words):
    """Returns a PPM with rows of that width."""
    return b"P6\n%d %d\n255\n" % (width, len(words) // width) + b"".join(word.to_bytes(3, "big") for word in words)


def pam(width, words):
    head = f"P7\nWIDTH {width}\nHEIGHT {len(words) // width}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    return head.encode() + b"".join(struct.pack(">I", word << 8 | 255) for word in words)


class FormatsTest(unittest.TestCase):
    def test_components_are_where_their_letters_say(self):
        """The expected values are those of libdrm tests/util/format.c: length and lowest bit of red, green, blue and alpha."""
        for name, expected in {
                "AR24": (4, (8, 16), (8, 8), (8, 0), (8, 24)), "XB24": (4, (8, 0), (8, 8), (8, 16), (0, 0)),
                "RA24": (4, (8, 24), (8, 16), (8, 8), (8, 0)), "BX24": (4, (8, 8), (8, 16), (8, 24), (0, 0)),
                "AR15": (2, (5, 10), (5, 5), (5, 0), (1, 15)), "AB15": (2, (5, 0), (5, 5), (5, 10), (1, 15)),
                "RA15": (2, (5, 11), (5, 6), (5, 1), (1, 0)), "BA15": (2, (5, 1), (5, 6), (5, 11), (1, 0)),
                "AR12": (2, (4, 8), (4, 4), (4, 0), (4, 12)), "RG16": (2, (5, 11), (6, 5), (5, 0), (0, 0))}.items():
            self.assertEqual(tuple(modetest.RGB[name]), expected, name)

    def test_components_are_widened_by_repetition(self):
        self.assertEqual([modetest.widened(value, 5) for value in (0, 1, 16, 31)], [0, 8, 0x84, 255])
        self.assertEqual([modetest.widened(value, 4) for value in (0, 7, 15)], [0, 0x77, 255])
        self.assertEqual([modetest.widened(value, 1) for value in (0, 1)], [0, 255])
        self.assertEqual(modetest.rgb_word(modetest.RGB["RG16"], 192, 19, 255, 127), 0xFFC610FF)
        self.assertEqual(modetest.rgb_word(modetest.RGB["AR12"], 192, 19, 255, 127) >> 24, 0x77)

    def test_yuv_is_converted_as_the_driver_sets_the_dp(self):
        """Worked out with the coefficients in linux ipu-dp.c."""
        for yuv, rgb in (((235, 128, 128), 0xFFFDFC), ((16, 128, 128), 0), ((81, 90, 240), 0xFE0000), ((145, 54, 34), 0x00FD00),
                         ((41, 240, 110), 0x0000F9)):
            self.assertEqual(modetest.yuv_word(*yuv), 0xFF << 24 | rgb, yuv)


class PatternsTest(unittest.TestCase):
    def test_smpte_has_three_bands(self):
        picture = modetest.layer("smpte", "AR24", 70, 90)
        rows = [picture.words[70 * y:70 * (y + 1)] for y in range(90)]
        self.assertEqual(rows[0][::10], [0xFFC0C0C0, 0xFFC0C000, 0xFF00C0C0, 0xFF00C000, 0xFFC000C0, 0xFFC00000, 0xFF0000C0])
        self.assertEqual(rows[60][::10], [0x7F0000C0, 0x7F131313, 0x7FC000C0, 0x7F131313, 0x7F00C0C0, 0x7F131313, 0x7FC0C0C0])
        self.assertEqual([rows[70][x] & 0xFFFFFF for x in (0, 13, 26, 39, 50, 54, 57, 60)],
                         [0x00214C, 0xFFFFFF, 0x32006A, 0x131313, 0x090909, 0x131313, 0x1D1D1D, 0x131313])
        self.assertEqual((rows[0], rows[60], rows[70]), (rows[59], rows[69], rows[89]))

    def test_tiles_are_diagonal(self):
        words = modetest.layer("tiles", "XR24", 200, 150).words
        self.assertEqual([words[0], words[63], words[64], words[128], words[199]],
                         [0xFF000000, 0xFF000000, 0xFF0A1120, 0xFF142240, 0xFF1E3360])
        self.assertEqual(words[200 * 149], 0xFF142240)  # 149 // 64 is 2
        alphas = [word >> 24 for word in modetest.layer("tiles", "AR24", 200, 150).words]
        self.assertEqual([alphas[at] for at in (0, 99, 100, 200 * 74, 200 * 75)], [127, 127, 255, 127, 255])

    def test_chroma_is_shared(self):
        """Fills memory as modetest does, sample by sample, and reads it as a display would."""
        for fourcc, form in modetest.YUV.items():
            for pattern in modetest.PATTERNS:
                self.assertEqual(modetest.layer(pattern, fourcc, 210, 94).words, memory(pattern, form, 210, 94), (fourcc, pattern))

    def test_a_picture_can_be_turned(self):
        picture = Picture(2, 2, [1, 2, 3, 4])
        turned = {name: modetest.turned(picture, name).words for name in ("rotate-0", "rotate-180", "reflect-x", "reflect-y")}
        self.assertEqual(turned, {"rotate-0": [1, 2, 3, 4], "rotate-180": [4, 3, 2, 1], "reflect-x": [2, 1, 4, 3],
                                  "reflect-y": [3, 4, 1, 2]})
        with self.assertRaises(ValueError):
            modetest.turned(picture, "rotate-90")

    def test_planes_are_blended_where_they_overlap(self):
        under, over = modetest.Plane("smpte XR24 70x90+0+0 rotate-0"), modetest.Plane("tiles AR24 64x32+8+60 rotate-0")
        picture, tolerance = modetest.screen(80, 90, [under, over])
        self.assertEqual(tolerance, 1)
        self.assertEqual(picture.words[0], 0xC0C0C0)
        self.assertEqual(picture.words[79], 0)  # no plane
        # Black with an alpha of 127 over blue: 192 x 129 / 256.
        self.assertEqual(picture.words[80 * 60 + 8], 96)
        self.assertEqual(picture.words[80 * 60 + 8 + 32], 0)  # an alpha of 255
        self.assertEqual(modetest.screen(80, 90, [under])[1], 0)
        for text in ("smpte XX24 1x1+0+0 rotate-0", "smpte XR24 1x1 rotate-0", "none XR24 1x1+0+0 rotate-0"):
            with self.assertRaises(ValueError):
                modetest.Plane(text)


def memory(pattern, form, width, height):
    """Returns the words of a picture of YUV whose samples are stored one by one, in the order of libdrm tests/util/pattern.c."""
    draw, luma, chroma = modetest.PATTERNS[pattern], {}, {}

    def color(x, y, rows=height):
        return modetest.yuv_of(*draw(x, y, width, rows)[:3])
    for y in range(height):
        for x in range(width):
            luma[x, y] = color(x, y)[0]
            if pattern == "tiles" and form.kind == "planar":
                chroma[x // form.across, y // form.down] = color(x, y)[1:]
        for x in range(0, width, 2) if form.kind == "packed" else ():
            chroma[x // 2, y] = color(x, y)[1:]
            if pattern == "tiles":
                luma[x, y] = luma[x + 1, y] = color(x, y)[0]
    if pattern == "smpte" and form.kind == "planar":
        for y in range(height // form.down):
            for x in range(0, width, form.across):
                chroma[x // form.across, y] = color(x, y, height // form.down)[1:]
    return [modetest.yuv_word(luma[x, y], *chroma[x // form.across, y // form.down]) for y in range(height) for x in range(width)]


class JudgeTest(Test):
    def dumped(self, name, content):
        written(self.path(name), content)
        return name

    def test_patterns_are_compared_pixel_by_pixel(self):
        words = [word & 0xFFFFFF for word in modetest.layer("smpte", "XR24", 70, 90).words]
        for changed, outcome in (([], "passed"), ([69], "failed")):
            for at in changed:
                words[at] ^= 1
            self.dumped("a.ppm", ppm(70, words))
            case, = judge.pattern_cases(["case|a.ppm|70x90|smpte XR24 70x90+0+0 rotate-0"], self.out)
            self.assertEqual((case.name, case.outcome), ("case", outcome), case.why)
        self.assertTrue(os.path.exists(self.path("case-expected.png")))
        for line in ("case|gone.ppm|70x90|smpte XR24 70x90+0+0 rotate-0", "case|a.ppm|70x90|smpte", "case|a.ppm|70", "case"):
            self.assertEqual([case.outcome for case in judge.pattern_cases([line], self.out)], ["failed"], line)
        self.assertEqual([case.outcome for case in judge.pattern_cases([], self.out)], ["failed"])

    def test_rounding_of_yuv_is_free_by_one(self):
        words = [word & 0xFFFFFF for word in modetest.layer("tiles", "NV12", 64, 64).words]
        for more, outcome in ((1, "passed"), (2, "failed")):
            self.dumped("a.ppm", ppm(64, [word + more * 0x100 for word in words]))
            case, = judge.pattern_cases(["case|a.ppm|64x64|tiles NV12 64x64+0+0 rotate-0"], self.out)
            self.assertEqual(case.outcome, outcome, case.why)

    def console(self, words, bits=b"32"):
        font = bytes(32) + b"\xF0" + bytes(31)  # the character 1 has the upper left half row
        text = bytes([2, 2, 0, 0]) + bytes([0, 7, 1, 2, 1, 0x41, 0, 7])
        files = {"text": text, "font": font, "size": b"16 4 " + bits}
        self.dumped("a.ppm", ppm(24, words))
        return judge.console_case(["a.ppm", "text", "font", "size"], files, self.out)

    def test_the_console_is_drawn_from_its_font(self):
        green, red, blue = 0x00AA00, 0xAA0000, 0x0000AA
        words = [0] * 8 + [green] * 4 + [0] * 12 + [0] * 24 + [blue] * 4 + [red] * 4 + [0] * 16 + [red] * 8 + [0] * 16
        case = self.console(words)
        self.assertEqual(case.outcome, "passed", case.why)
        self.assertEqual(self.console(words[:-1] + [1]).outcome, "failed")
        self.assertEqual(self.console(words, b"16").outcome, "failed")
        narrow = {green: 0x00AA00, red: 0xAD0000, blue: 0x0000AD, 0: 0}
        case = self.console([narrow[word] for word in words], b"16")
        self.assertEqual(case.outcome, "passed", case.why)

    def test_a_console_without_text_or_font_fails(self):
        for text, font in ((b"", bytes(32)), (b"\1\1\0\0\0\7", b""), (b"\1\1\0\0\0", bytes(32)), (b"\0\0\0\0", bytes(32))):
            with self.assertRaises(ValueError):
                text_console.draw(8, 8, (8, 8), 32, text, font)
        self.dumped("a.ppm", ppm(8, [0] * 64))
        files = {"text": b"\1\1\0\0\5\7", "font": bytes(32), "size": b"8 8 32"}  # a character that the font does not have
        self.assertEqual(judge.console_case(["a.ppm", "text", "font", "size"], files, self.out).outcome, "failed")

    def test_plain_screens_have_one_color(self):
        self.assertEqual(judge.plain_case("a.ppm", ppm(2, [0x102030] * 4), 0x102030).outcome, "passed")
        self.assertEqual(judge.plain_case("a.ppm", ppm(2, [0x102030] * 3 + [0x102031]), 0x102030).outcome, "failed")
        self.assertEqual(judge.plain_case("a.ppm", b"", 0).outcome, "failed")

    def test_screens_are_alike_within_a_limit(self):
        one = [0x404040] * 1024

        def outcome(change, limit):
            shown = {"a": ppm(32, one), "b": ppm(32, [word + change * (at in (33, 66)) for at, word in enumerate(one)])}
            return judge.alike_case(["a", "b", limit], shown).outcome
        self.assertEqual(outcome(2, "2"), "passed")
        self.assertEqual(outcome(3, "2"), "failed")
        self.assertEqual(judge.alike_case(["a", "b", "0"], {"a": ppm(2, [0] * 4), "b": ppm(4, [0] * 4)}).outcome, "failed")

    def test_a_window_covers_a_part_of_the_screen(self):
        def outcome(window, at, more=(), lone=()):
            behind = [0x404040] * 1024
            screen = list(behind)
            for y in range(len(window) // 3):
                screen[at + 32 * y:at + 32 * y + 3] = window[3 * y:3 * y + 3]
            for place in more:
                screen[place] = 0x112233
            for place in lone:
                screen[place] = behind[place]
            case = judge.covered_case(["a", "b", "w.pam"], {"a": ppm(32, screen), "b": ppm(32, behind)}, {"w.pam": pam(3, window)})
            return case.outcome, case.why
        full = [1, 2, 3, 4, 5, 6]
        for at in (0, 33, 29, 32 * 30, 32 * 30 + 29):
            self.assertEqual(outcome(full, at)[0], "passed", at)
        self.assertEqual(outcome([0x404040, 2, 0x404040, 4, 5, 0x404040], 33)[0], "passed")  # the corners look like what is behind
        self.assertIn("more than 3x2", outcome(full, 33, more=[0])[1])
        self.assertIn("does not show", outcome(full, 33, more=[34])[1])
        self.assertIn("does not show", outcome(full, 33, lone=[33, 65])[1])
        self.assertIn("the same", outcome([0x404040] * 6, 33)[1])
        one = {"a": ppm(2, [0] * 4), "b": ppm(2, [1] * 4)}
        self.assertEqual(judge.covered_case(["a", "b", "w.pam"], one, {}).outcome, "failed")
        self.assertEqual(judge.covered_case(["a", "c", "w.pam"], one, {"w.pam": pam(2, [0] * 4)}).outcome, "failed")
        self.assertEqual(judge.covered_case(["a", "b", "w.pam"], {**one, "b": ppm(4, [0] * 4)}, {"w.pam": pam(2, [0] * 4)}).outcome, "failed")

    def test_scanned_pictures_are_those_of_the_guest(self):
        words = [0x102030, 0x405060, 0x708090, 0xA0B0C0]
        shown = {"a.ppm": ppm(2, words)}
        self.assertEqual(judge.scanned_case(["a.ppm", "a.pam"], shown, {"a.pam": pam(2, words)}).outcome, "passed")
        self.assertEqual(judge.scanned_case(["a.ppm", "a.pam"], shown, {"a.pam": pam(2, words[::-1])}).outcome, "failed")
        self.assertEqual(judge.scanned_case(["a.ppm", "a.pam"], shown, {}).outcome, "failed")


class FakeQmp:
    """Answers "screendump" with pictures, one after the other; the last one stays."""

    def __init__(self, *pictures):
        self.pictures, self.asked = list(pictures), []

    def command(self, name, **arguments):
        self.asked.append((name, {word: value for word, value in arguments.items() if word != "filename"}))
        written(arguments["filename"], self.pictures.pop(0) if len(self.pictures) > 1 else self.pictures[0])


class HostTest(Test):
    def test_a_screen_rests_if_it_does_not_change(self):
        changing = FakeQmp(*(ppm(1, [word]) for word in range(4)))
        self.assertTrue(host.still(changing, "hdmi", 0.03, 20, self.out, pause=0.01))
        self.assertGreaterEqual(len(changing.asked), 5)
        self.assertEqual(os.listdir(self.out), [])

    def test_a_screen_that_always_changes_does_not_rest(self):
        self.assertFalse(host.still(FakeQmp(*(ppm(1, [word]) for word in range(100))), "hdmi", 1, 0.1, self.out, pause=0.01))
