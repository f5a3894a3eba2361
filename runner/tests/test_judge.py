# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the judge: pictures of scenes and of a screen, piglit's results, the kernel log."""

import os
import re

from pixmill import boards, gles2_pictures, judge
from pixmill.places import SUITES as FOLDER
from tests.files import Test

SUITES = {name: judge.Suite(os.path.join(FOLDER, name)) for name in sorted(os.listdir(FOLDER))}
GRAY = bytes([128, 128, 128, 255])
SCENES = b"exact\tES 2\t0\t0\tnothing is rounded\nrounded\tGL\t2\t0.25\tall is rounded\n"


def pam(pixels, size=4):
    head = f"P7\nWIDTH {size}\nHEIGHT {size}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    return head.encode() + b"".join(pixels)


def with_wrong(count, more):
    """Returns 16 gray pixels, of which `count` differ by `more` in one channel."""
    return pam([bytes([128, 128, 128 + more, 255])] * count + [GRAY] * (16 - count))


def outcome_of(out, name, content, told="drawn"):
    """Returns the outcome of a scene with this picture, which is compared with a gray one. The other scene has no picture."""
    files = {"drawn.log": f"{name}\t9 ms\t{told}\n".encode()}
    if content is not None:
        files[name + ".pam"] = content
    expected = {"scenes.tsv": SCENES, name + ".pam": pam([GRAY] * 16)}
    outcomes = {scene: (outcome, why) for scene, outcome, why in gles2_pictures.compare(files, expected, out)}
    other = "exact" if name == "rounded" else "rounded"
    assert outcomes[other][0] == "failed", outcomes[other]
    return outcomes[name]


class ScenesTest(Test):
    def test_equal_pictures_pass(self):
        for name in ("exact", "rounded"):
            assert outcome_of(self.out, name, with_wrong(0, 0))[0] == "passed"

    def test_one_wrong_bit_fails_an_exact_scene(self):
        outcome, why = outcome_of(self.out, "exact", with_wrong(1, 1))
        assert outcome == "failed" and "1 of 16 pixels" in why and "(0, 0): 808081ff expected 808080ff" in why, why
        assert os.path.exists(self.path("exact.png"))

    def test_alpha_counts(self):
        assert outcome_of(self.out, "exact", pam([GRAY] * 15 + [bytes([128, 128, 128, 254])]))[0] == "failed"

    def test_tolerances_are_exact(self):
        assert outcome_of(self.out, "rounded", with_wrong(16, 2))[0] == "passed"
        assert outcome_of(self.out, "rounded", with_wrong(4, 100))[0] == "passed"
        assert outcome_of(self.out, "rounded", with_wrong(5, 3))[0] == "failed"

    def test_missing_and_damaged_pictures_fail(self):
        assert outcome_of(self.out, "exact", None, "failed\tGL error 1282") == ("failed", "there is no picture: failed: GL error 1282")
        assert outcome_of(self.out, "exact", b"P7\nWIDTH 4\n")[0] == "failed"
        assert outcome_of(self.out, "exact", with_wrong(0, 0)[:-1])[0] == "failed"
        assert outcome_of(self.out, "exact", pam([GRAY] * 4, 2))[0] == "failed"

    def test_skips_are_told(self):
        assert outcome_of(self.out, "exact", None, "skipped\tthere is no GL_X") == ("skipped", "there is no GL_X")

    def test_only_chosen_scenes_count(self):
        expected, fails = self.path("expected"), self.path("scene-fails")
        os.makedirs(expected, exist_ok=True)
        for name, content in (("scenes.tsv", SCENES), ("exact.pam", pam([GRAY] * 16)), ("rounded.pam", pam([GRAY] * 16))):
            with open(os.path.join(expected, name), "wb") as file:
                file.write(content)
        with open(fails, "w", encoding="utf-8"):
            pass
        files = {"drawn.log": b"exact\t9 ms\tdrawn\n", "exact.pam": with_wrong(0, 0)}

        def outcomes(chosen):
            more = {} if chosen is None else {"chosen": chosen}
            return [(case.name, case.outcome) for case in judge.scene_cases({**files, **more}, expected, self.out, fails)]
        assert outcomes(None) == [("exact", "passed"), ("rounded", "failed")]
        assert outcomes(b"exact\n") == [("exact", "passed")]
        assert outcomes(b"rounded\n") == [("rounded", "failed")]
        assert outcomes(b"exact\nexcat\n") == [("exact", "passed"), ("excat", "failed")]
        assert outcomes(b"") == [("scenes", "failed")]
        os.unlink(os.path.join(expected, "scenes.tsv"))
        assert outcomes(b"exact\n") == [("scenes", "failed")], "without expected pictures no scene may pass"

    def test_failures_may_be_of_one_mesa(self):
        path = self.path("mesa-fails")
        for name, text in (("mesa-fails", "always,Fail\n"), ("mesa-fails-22.3", "once,Fail\n"), ("mesa-skips", "^by chance$\n")):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        for version, names in (("22.3.6", ["always", "once"]), ("25.0.7-2", ["always"]), ("", ["always"])):
            known = judge.known_failures(path, version)
            assert sorted(known.fails) == names, version
            assert known.is_skipped("by chance") and not known.is_skipped("once")
        told = b"renderer\tVivante GC2000 rev 5108\tOpenGL ES 2.0 Mesa 22.3.6\nexact\t9 ms\tdrawn\n"
        assert judge.mesa_version({"drawn.log": told}) == "22.3.6" and judge.mesa_version({}) == ""


class PaintedPicturesTest(Test):
    def test_painted_pictures_are_kept(self):
        path = self.path("kept.png")
        assert judge.painted_case(["a.pam", "kept.png"], {"a.pam": pam([GRAY] * 16)}, self.out).outcome == "passed"
        assert os.path.exists(path)
        assert judge.painted_case(["a.pam", "kept.png"], {}, self.out).outcome == "failed"
        assert judge.painted_case(["a.pam", "kept.png"], {"a.pam": b"P7"}, self.out).outcome == "failed"

    def test_a_row_has_the_pictures_that_exist(self):
        path = self.path("row.png")
        if os.path.exists(path):
            os.unlink(path)
        judge.write_row(["row.png", "a", "b"], {}, self.out)
        assert not os.path.exists(path)
        widths = []
        for files in ({"a.pam": pam([GRAY] * 16)}, {"a.pam": pam([GRAY] * 16), "b.pam": with_wrong(3, 9), "c.pam": with_wrong(1, 1)}):
            judge.write_row(["row.png", "a", "b"], files, self.out)
            with open(path, "rb") as file:
                widths.append(int.from_bytes(file.read()[16:20], "big"))
        assert widths == [4, 8], widths


class PiglitTest(Test):
    def test_piglit_is_compared_with_its_list(self):
        path = self.path("fails")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# the driver does it\nglsl-1.10/a/known,Fail\n\n# silicon fails here\nglsl-1.10/a/better,Fail\n"
                       "glsl-1.10/a/gone,Fail\n")
        results = "".join(f"/usr/lib/arm/piglit/tests/spec/glsl-1.10/a/{name}.shader_test {result}\n" for name, result in
                          (("good", "pass"), ("bad", "fail"), ("gone", "crash"), ("known", "fail"), ("better", "pass"), ("new", "skip")))
        cases = {case.name[12:]: case for case in judge.piglit_cases({"results": results.encode()}, path)}
        assert [cases[name].outcome for name in ("good", "bad", "gone", "known", "better", "new")] == \
            ["passed", "failed", "failed", "skipped", "failed", "skipped"], [str(case) for case in cases.values()]
        assert "the driver does it" in cases["known"].why and "silicon fails here" in cases["better"].why

    def test_a_version_of_mesa_has_a_list_of_its_own(self):
        for name, test in (("fails", "always"), ("fails-25.0", "once")):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(f"# why\nglsl-1.10/a/{test},Fail\n")
        results = b"/x/spec/glsl-1.10/a/always.shader_test fail\n/x/spec/glsl-1.10/a/once.shader_test fail\n"
        for library, outcome in ((b"libgallium-25.0.7-2+deb13u1.so", "skipped"), (b"libgallium-26.2.6-1.so", "failed"), (b"", "failed")):
            cases = judge.piglit_cases({"results": results, "mesa": b"/usr/lib/arm/" + library + b"\n"}, self.path("fails"))
            assert [case.outcome for case in cases] == ["skipped", outcome], library

    def test_piglit_programs_have_blanks_in_their_names(self):
        path = self.path("fails")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# why\nspec@!opengl 1.1@two words, and a comma,Fail\n")
        results = b"spec@!opengl 1.1@two words, and a comma fail\nspec@!opengl 1.1@draw@part 1 pass\n"
        known, passed = judge.piglit_cases({"results": results}, path)
        assert (known.outcome, passed.outcome) == ("skipped", "passed"), (str(known), str(passed))
        assert passed.name.endswith("spec@!opengl 1.1@draw@part 1"), passed.name


def ppm(pixels):
    """Returns a PPM with one row of pixels."""
    return b"P6\n%d 1\n255\n" % len(pixels) + b"".join(bytes(pixel) for pixel in pixels)


class SuitesTest(Test):
    def test_suites_may_wait_to_be_named(self):
        path = self.path("suite")
        for header, waits in (("", [False] * 3), ("#: asked yes\n", [True] * 3), ("#: asked except 6.12 sid\n", [True, False, True])):
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"# A suite.\n#: boards sabrelite\n{header}check true\n")
            told = [judge.Suite(path).waits_to_be_asked(series) for series in ("6.1", "6.12", None)]
            assert told == waits, (header, told)


    def test_expectations_have_a_sign(self):
        for name, suite in SUITES.items():
            for value in suite.all("expect"):
                assert re.match(r"[+-] \S", value), (name, value)

    def test_boards_have_the_settings_that_suites_use(self):
        for name, suite in SUITES.items():
            wanted = set(re.findall(r"\$\(board ([a-z0-9-]+)\)", suite.text)) | set(suite.all("interrupts")) - {"no"}
            for board in " ".join(suite.all("boards")).split():
                missing = wanted - boards.board(board).settings.keys()
                assert not missing, (name, board, missing)


class LogTest(Test):
    def test_warnings_of_older_and_newer_kernels_are_unwanted(self):
        """Since Linux 6.19, the message names the CPU last (linux kernel/panic.c, __warn())."""
        for line in ("WARNING: CPU: 1 PID: 7 at drivers/gpu/a.c:12 f+0x10/0x20", "WARNING: drivers/gpu/a.c:12 at f+0x10/0x20, CPU#1: sh/7",
                     "WARNING: at f+0x10/0x20, CPU#1: sh/7"):
            files = {"kernel.log": f"[    1.000000] {line}\n".encode()}
            for board in map(boards.board, boards.names()):
                if os.path.exists(os.path.join(board.folder, "expect")):
                    assert judge.unwanted_lines(board.expectations(), [], files), (board.name, line)


class ScreensTest(Test):
    def test_black_means_that_no_pixel_is_lit(self):
        assert judge.black_case("a.ppm", ppm([(0, 0, 0)] * 4)).outcome == "passed"
        assert judge.black_case("a.ppm", ppm([(0, 0, 0), (0, 0, 1)])).outcome == "failed"
        assert judge.black_case("a.ppm", b"").outcome == "failed"

    def test_each_color_has_its_own_gamma(self):
        def outcome(*corrected):
            shown = {"old.ppm": ppm([(64, 64, 64), (0, 128, 255)]), "new.ppm": ppm(corrected)}
            return judge.corrected_case(["new.ppm", "old.ppm", "0.5", "1", "2"], shown).outcome

        # 255 (64 / 255)^2 is 16.06, its root 127.7.
        assert outcome((16, 64, 127), (0, 128, 255)) == "passed"
        assert outcome((17, 64, 128), (0, 127, 255)) == "passed"
        assert outcome((18, 64, 127), (0, 128, 255)) == "failed"
        assert outcome((127, 64, 16), (0, 128, 255)) == "failed"
        assert outcome((16, 64, 127), (0, 128, 253)) == "failed"
        assert outcome((16, 64, 127)) == "failed"
