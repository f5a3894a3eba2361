# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests scripts/demo --check-cache with the programs of cache_check.c and cache_check_vg.c, built with the Arm compiler."""

import os
import re

from tests.files import ends, for_each, written
from tests.test_program_files import run
from tests.test_programs import EXAMPLE, HERE, ProgramTest

FLAGS = ["-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-d16", "-mthumb", "-g", "-O2", "-ffreestanding", "-nostdlib", "-Wall",
         "-Wextra", "-Werror"]
MISTAKES = ["gpu-", "cpu-", "lost-", "dirty-", "stale-"]

# Each row has a function of cache_check.c or, with vg_, of cache_check_vg.c; the exit status; words in the report, and words that
# are not in it.
CASES = [
    ("good", 0, ["0 mistakes, 0 without effect this time"], MISTAKES),
    ("good_sweep", 0, ["0 mistakes"], ["gpu-"]),
    ("good_uncached", 0, ["0 mistakes"], ["gpu-"]),
    ("good_cache_off", 0, ["0 mistakes"], ["gpu-"]),
    ("list_not_cleaned", 72, ["gpu-reads-dirty: nema-gfx reads (commands)", "stored by write_list (", "in list",
                              "SCB_CleanDCache_by_Addr((void *)0x2008"], []),
    ("list_patched_after_clean", 72, ["gpu-reads-dirty", "stored by patch_list (", "1 line in all"], ["stored by write_list"]),
    ("target_read_again", 72, ["cpu-reads-stale", "read by read_target (", "in target", "SCB_InvalidateDCache_by_Addr"], ["gpu-reads-dirty"]),
    ("target_not_cleaned", 72, ["dirty-under-output: nema-gfx writes", "stored by clear_target (", "in target"], ["gpu-reads-dirty"]),
    ("neighbor_lost", 72, ["lost-cpu-data", "stored by write_neighbor (", "shared-line (information)", "in crowded"], ["gpu-reads-dirty"]),
    ("list_rewritten_early", 72, ["cpu-writes-busy", "stored by patch_list (", "wait for job 1 first"], []),
    ("maintenance_with_cache_off", 0, ["no-effect (information): maintenance without effect: the cache is off"], ["gpu-reads-dirty"]),
    ("cleaned_by_another_address", 72, ["gpu-reads-dirty", "cleaned by another address"], []),
    ("vg_good", 0, ["0 mistakes, 0 without effect this time"], MISTAKES),
    ("vg_good_write_through", 0, ["0 mistakes, 0 without effect this time"], MISTAKES),
    ("vg_good_display", 0, ["0 mistakes, 0 without effect this time"], MISTAKES),
    ("vg_stream_not_cleaned", 72, ["gpu-reads-dirty: vivante-gc reads (commands)", "stored by write_stream (", "in stream",
                                   "SCB_CleanDCache_by_Addr((void *)0x8000"], ["lcdifv2"]),
    ("vg_picture_read_again", 72, ["cpu-reads-stale", "read by read_picture (", "in picture"], ["gpu-reads-dirty"]),
    ("vg_stream_patched_early", 72, ["cpu-writes-busy: the CPU stores to what vivante-gc may still use (commands)",
                                     "stored by patch_stream (", "wait for job 1 first"], []),
    ("vg_picture_not_cleaned", 72, ["gpu-reads-dirty: lcdifv2 reads (scan-out)", "stored by draw_by_processor (", "in picture"],
     ["vivante-gc"]),
]


class CacheProgramTest(ProgramTest):
    def built(self, case):
        board, source = ("imxrt1170", "cache_check_vg.c") if case.startswith("vg_") else ("gr5526", "cache_check.c")
        folder = os.path.join(os.path.dirname(EXAMPLE), board)
        return self.compiled(f"{case}.elf", *FLAGS, f"-I{folder}", "-T", os.path.join(folder, f"{board}.ld"),
                             os.path.join(folder, "startup.c"), f"-DCASE={case}", os.path.join(HERE, source), "-lgcc")

    def played(self, case, *arguments):
        board = "imxrt1170" if case.startswith("vg_") else "gr5526"
        return run(*self.front(self.built(case), "--board", board, "--cpu", "cortex-m7", *arguments))

    def checked(self, case, *arguments, mode="report"):
        return self.played(case, f"--check-cache={mode}", *arguments)

    def report(self):
        with open(os.path.join(self.screens, "cache-report.txt"), encoding="utf-8") as file:
            return file.read()


@for_each((case, case, *row) for case, *row in CASES)
class ScenarioTest(CacheProgramTest):
    def check(self, case, status, words, without):
        ends(self.checked(case), status, "cache check:", without=["Traceback"])
        text = self.report()
        missing, extra = [word for word in words if word not in text], [word for word in without if word in text]
        assert not missing and not extra, f"missing {missing}, unexpected {extra} in:\n{text}"


class ModesTest(CacheProgramTest):
    def test_suppressed(self):
        rules = written(self.path("rules"), b"gpu-reads-dirty write_list  # known\n")
        ends(self.checked("list_not_cleaned", f"--cache-suppressions={rules}"), 0, "0 mistakes", "1 suppressed")

    def test_a_missing_barrier(self):
        ends(self.checked("barrier_missing", "--cache-rules=missing-barrier"), 0, "0 mistakes", "1 remarks")
        text = self.report()
        words = ("missing-barrier (information)", "stored by write_list (", "started by submit (")
        assert all(word in text for word in words) and "called from" not in text, text

    def test_the_gpu_gets_the_old_list(self):
        ends(self.checked("old_list", mode="act"), 72, "1 mistakes", without=["Traceback"])

    def test_without_acting_it_gets_the_new_one(self):
        ends(self.checked("old_list"), 1, "1 mistakes")

    def test_a_deterministic_run_gives_the_same_report(self):
        texts = []
        for _ in range(2):
            self.checked("target_not_cleaned", "--qemu-options=-icount shift=0")
            texts.append(self.report())
        assert texts[0] == texts[1] and "dirty-under-output" in texts[0], texts

    def test_without_a_check_there_is_no_report(self):
        ends(self.played("list_not_cleaned"), 0, without=["cache check"])
        assert not os.path.exists(os.path.join(self.screens, "cache-report.txt"))


class TranslationTest(CacheProgramTest):
    """Tests that code calls the model for each access if a checker runs, and is free of it otherwise."""

    def translated(self, play):
        """Returns (accesses, calls of the model) in the code that QEMU generates for write_list()."""
        log = self.path("operations")
        play("good", f"--qemu-options=-d in_asm,op -D {log}")
        with open(log, encoding="utf-8") as file:
            blocks = [block for block in file.read().split("\nIN: ") if block.startswith("write_list\n")]
        return tuple(sum(len(re.findall(operation, block, re.M)) for block in blocks) for operation in (r"^ qemu_(?:ld|st)\w* ",
                                                                                                        r"^ call plugin\("))

    def test_only_a_checker_is_called(self):
        accesses, calls = self.translated(self.played)
        assert accesses >= 15 and calls == 0, (accesses, calls)
        accesses, calls = self.translated(self.checked)
        assert accesses >= 15 and calls == accesses, (accesses, calls)
