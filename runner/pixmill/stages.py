# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes jobs for the suites of scripts/test: builds, preparations and tests. docs/develop/testing.md describes the
suites."""

import dataclasses
import glob
import os
import subprocess

from pixmill import boards, gtest, judge
from pixmill.places import CACHE, REPO, RUNNER, SCRIPTS, SUITES, WORK
from pixmill.scheduler import Job, Report, by_counts, tail

PYTHON = "/usr/bin/python3"
FUZZ = (PYTHON, os.path.join(SCRIPTS, "lib", "fuzz.py"))
BUILD = os.path.join(SCRIPTS, "lib", "build")
PIXMILL = os.path.join(SCRIPTS, "lib", "pixmill")
REPLAY = os.path.join(WORK, "core", "tools", "pixmill-replay")
QTEST = os.path.join(WORK, "core", "tests", "qtest", "pixmill-qtest")

# The nice level of jobs that can wait. It favors guests, whose watchdogs count host time.
PATIENT = 10

# GoogleTest filters: tests for the sanitized QEMU for Arm, for the sanitized QEMU for i386, and for ThreadSanitizer.
SANITIZED_QEMU = "On/FuzzPrograms.*:On/FuzzStreams.*"
SANITIZED_QEMU_I386 = "OnPc/*:FuzzedPcs.*:GeodeLx.IntxDisable*"
# Tests for QEMUs other than the one for Arm.
OTHER_QTESTS = {"i386": "GeodeLx.*:GeodeBus.*:GeodeProcessor*.*:OnPc/*:FuzzedPcs.*",
                "aarch64": "Imx8mp*.*:On64Bit/*:Fuzzed64BitMachines.*"}
THREADS = ("VivanteThreads.*:*VivanteHelpers.*:NemaThreads.*:RenderThreadPool.*:RenderBands.*:"
           "RenderProperty.*:Vivante2dRandom.*:Vivante3dThreads.*:Vivante3dHangCheck.*")
WITH_THREADS = ("unit-vivante", "unit-vivante-3d", "unit-nema", "unit-render")

# A sample of the unit tests: that of the rendering core, the only part with loops for each instruction set, and some
# small ones. Death tests are excluded, since they start their program again, which the host's kernel cannot run.
AARCH64 = ("unit-core", "unit-sgx", "unit-nema-reference", "unit-render")
AARCH64_RUNNER = ("qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu")

# The number of parallel shards of a test program, without and with sanitizers, if more than one. A job that takes much
# longer than half a minute would run alone at the end.
PARTS = {"unit-vivante": (3, 5), "unit-vivante-3d": (3, 4), "unit-vivante-3d-twin": (1, 2), "unit-vivante-vg": (1, 2),
         "unit-nema": (1, 2), "unit-geode": (1, 2), "unit-render": (2, 2), "unit-allocation": (1, 2),
         "qtest": (6, 2), "repeats": (2, 1), "run_command": (3, 1), "with_qemu": (2, 1)}


# The suites to run on older kernels, without and with --thorough. They show that the driver draws. --kernel-series and
# the part "kernels" of scripts/test --long run all suites.
OLDER = {False: ("libdrm", "scene2d"), True: ("gles2", "libdrm", "scene2d")}

# CPUs of modules of runner/tests: less than one for those that mostly wait, so that other jobs run at the same time, and two for
# guests side by side.
PROCESSORS = {"archive": 0.5, "repeats": 2, "run_command": 0.5, "scheduler": 0.25, "starvation": 0.25, "suites_command": 0.25, "truth": 0.5}

# Modules of runner/tests that --only accepts for boards with firmware, in addition to the firmware's suites.
PROGRAMS = ("programs", "viewer")
FIRMWARES = [board for board in map(boards.board, boards.names()) if board.firmware]


@dataclasses.dataclass
class Plan:
    """Selects what to test, and how much of it."""

    results: str
    boards: list  # names
    series: list  # kernel series; empty: those of the boards
    only: list  # guest suites; empty: all
    suites: list
    thorough: bool
    coverage: bool
    random: dict  # environment variables for random tests, by stage
    fuzz_seconds: float  # CPU seconds of all fuzzers together
    deterministic: bool = False  # of guests

    def guests(self):
        """Returns (board, series) for the boards that boot a kernel."""
        found = []
        for board in map(boards.board, self.boards):
            if not board.firmware and self.selected(board):
                found += [(board, series) for series in self.series or board.tested()]
        return found

    def firmwares(self):
        return [board for board in map(boards.board, self.boards) if board.firmware and self.selected(board)]

    def selected(self, board):
        return not self.only or bool(self.only_of(board))

    def only_of(self, board):
        known = guest_suites(board)
        return [name for name in self.only if name in known]

    def out(self, *names):
        return os.path.join(self.results, *names)


def guest_suites(board):
    """Returns the guest suites that can run on the board."""
    if board.firmware:
        return board.own_suites() + ["programs"] * bool(board.get("programs")) + ["viewer"]
    return [name for name in sorted(os.listdir(SUITES)) if judge.Suite(os.path.join(SUITES, name)).is_for(board)]


def suites_that_run(board):
    """Returns the suites from which a run without suite names chooses."""
    return board.own_suites() or guest_suites(board)


class Stages:
    """Adds jobs to a scheduler; a job that several suites need is added once."""

    def __init__(self, plan, scheduler):
        self.plan, self.scheduler, self.names = plan, scheduler, set()
        self.jobs_each = max(1, scheduler.processors // 2)  # compiler processes of a build, so that other jobs can run

    def add(self, name, stage, command, **more):
        if name not in self.names:
            self.names.add(name)
            self.scheduler.add(Job(name, stage, [str(word) for word in command], **more))
        else:
            assert not more.get("then"), f"{name} adds jobs, but exists already"
        return name

    def add_jobs(self, jobs):
        jobs = list(jobs)
        self.names |= {job.name for job in jobs}
        return jobs

    # ---- builds ---------------------------------------------------------------------------

    def build(self, name, *command, needs=(), after=(), then=None):
        """Adds a job that compiles."""
        return self.add(f"build/{name}", "build", command, needs=needs, after=after, then=then, nice=PATIENT, processors=self.jobs_each,
                        environment={"PIXMILL_JOBS": str(self.jobs_each)})

    def qemu(self, target):
        """Adds the build of a QEMU; the builds run one after the other, since they share QEMU's source."""
        return self.build(f"qemu-{target}", os.path.join(SCRIPTS, "qemu", "build"), target,
                          after=() if target == "arm" else (self.qemu("arm"),))

    def qemus(self):
        return [self.qemu(arch.qemu) for arch in boards.architectures().values()]

    def replay(self):
        return self.build("replay", BUILD, "core", "tools/pixmill-replay", "tools/pixmill-dump")

    def core(self, then=None):
        return self.build("core", BUILD, "core", needs=(self.replay(),), then=then)

    # ---- guests ---------------------------------------------------------------------------

    def prepared(self, board, series):
        """Adds the jobs that make a guest. Jobs of the same kind run one after the other, since they share the
        cache."""
        needs = []
        for kind in ("fetch", "initramfs"):
            needs = [self.in_a_row(kind, f"{board.guest}-{series}", os.path.join(SCRIPTS, "guest", kind), board.name, series,
                                   needs=needs)]
        for name in self.userlands(board, series):
            needs = [*needs, self.in_a_row("userland", f"{board.guest}-{series}-{name}", os.path.join(SCRIPTS, "guest", "userland"),
                                           board.name, series, name, needs=needs, may_fail=True, judge=userland_report)]
        return needs

    def in_a_row(self, kind, what, *command, needs=(), **more):
        name, last = f"prepare/{kind}-{what}", getattr(self, f"last_{kind}", None)
        if name in self.names:
            return name
        setattr(self, f"last_{kind}", name)
        return self.add(name, "prepare", command, needs=tuple(needs), after=(last,) if last else (), **more)

    def userlands(self, board, series):
        """Returns the userlands of the suites that are named or run by default."""
        chosen = self.chosen(board, series) or [
            name for name in guest_suites(board) if not judge.Suite(os.path.join(SUITES, name)).waits_to_be_asked(series)]
        wanted = {name for suite in chosen for name in judge.Suite(os.path.join(SUITES, suite)).all("userland")}
        return [name for name in sorted(wanted) if os.path.isfile(os.path.join(REPO, "board-configs", board.guest, "userland", name))]

    def guest(self):
        plan = self.plan
        for board, series in sorted(plan.guests(), key=lambda guest: guest[0].target == "arm"):  # the longest first
            needs = (self.qemu(board.target), self.replay(), *self.prepared(board, series))
            self.add(f"guest-{board.name}-{series}", "guest", [
                PIXMILL, "suites", self.effort(board, series), "--board", board.name, "--qemu", board.qemu(), "--guest", board.guest_folder(series),
                "--replay", REPLAY, "--label", f"{board.name}, Linux {series}/", "--out", plan.out(f"guest-{board.name}-{series}"),
                *["--deterministic"] * plan.deterministic, *self.chosen(board, series)], needs=needs, judge=by_counts)
        for board in plan.firmwares():
            self.firmware(board)
        if plan.firmwares() and (not plan.only or "viewer" in plan.only):
            self.runner_test("viewer", "guest", needs=(self.qemu("arm"), *map(self.firmware_made, FIRMWARES)))

    def chosen(self, board, series):
        """Returns the names of the suites to run; [] for all."""
        plan = self.plan
        if plan.only or plan.series or series == board.kernels()[0]:
            return plan.only_of(board)
        return [name for name in OLDER[plan.thorough] if name in suites_that_run(board)]

    def effort(self, board, series):
        """Returns the option for the amount of testing: --thorough applies only to the default kernel and to kernels
        named by the user, since problems specific to older kernels show up without repetitions."""
        return "--thorough" if self.plan.thorough and series in (board.kernels()[0], *self.plan.series) else "--brief"

    def firmware(self, board):
        chosen = [name for name in self.plan.only_of(board) if name not in PROGRAMS]
        made = self.firmware_made(board)
        folder = os.path.join(WORK, "guest", "firmware", board.firmware)
        if chosen or not self.plan.only:
            self.add(f"guest-{board.name}", "guest", [
                PIXMILL, "firmware", "--board", board.name, "--qemu", board.qemu(), "--firmware", f"{folder}.elf", "--expected",
                f"{folder}-expected", "--replay", REPLAY, "--label", f"{board.name}/", "--out", self.plan.out(f"guest-{board.name}"),
                *["--deterministic"] * self.plan.deterministic, *chosen], needs=(made, self.qemu(board.target), self.replay()), judge=by_counts)
        if board.get("programs") and (not self.plan.only or "programs" in self.plan.only):
            self.runner_test("programs", "guest", needs=(self.qemu(board.target),))


    def firmware_made(self, board):
        return self.in_a_row("firmware", board.name, os.path.join(SCRIPTS, "guest", "firmware"), board.name, "--expected")

    # ---- the suites -----------------------------------------------------------------------

    def runner(self):
        """Adds the modules of runner/tests with the jobs that they need."""
        board, pc = boards.board("sabrelite"), boards.board("geode-lx")
        needs = {"suites_command": (self.replay(),), "snapshot": (self.qemu("arm"),), "programs": (self.qemu("arm"),),
                 "by_hand": (self.qemu("i386"), *self.prepared(pc, pc.kernels()[0])),
                 "devices": self.qemus(), "docs": self.qemus(),
                 "with_qemu": (self.qemu("arm"), self.qemu("i386"), *self.prepared(board, board.kernels()[0]))}
        others = {"doors", "engines", "package", "programs", "viewer"}
        if self.plan.thorough:
            needs["repeats"] = self.needs_of_repeats()
        else:
            others.add("repeats")
        for path in sorted(glob.glob(os.path.join(RUNNER, "tests", "test_*.py"))):
            name = os.path.basename(path)[len("test_"):-len(".py")]
            if name not in others:
                settings = {"BENCH": os.path.join(SCRIPTS, "bench")} if name == "bench" and self.plan.thorough else {}  # compiles them
                self.runner_test(name, needs=needs.get(name, ()), **settings)

    def needs_of_repeats(self):
        guests = map(boards.board, ("sabrelite", "am57xx", "imx8mp"))
        return (self.qemu("arm"), self.qemu("aarch64"), self.firmware_made(boards.board("imxrt1170")),
                *(name for board in guests for name in self.prepared(board, board.kernels()[0])))

    def runner_test(self, name, stage="runner", needs=(), environment=(), **settings):
        """Adds a module of runner/tests, with its settings in the environment (runner/tests/setting.py)."""
        settings["OUT"] = self.plan.out(stage, name)
        for variable, target in (("QEMU", "arm"), ("QEMU_I386", "i386"), ("QEMU_AARCH64", "aarch64")):
            settings |= {variable: boards.qemu(target)} if f"build/qemu-{target}" in needs else {}
        settings |= {"REPLAY": REPLAY} if "build/replay" in needs else {}
        parts = self.parts(name)
        for part in range(1, parts + 1):
            self.add(f"{stage}/{name}" + (f"-{part}" if parts > 1 else ""), stage,
                     [PYTHON, "-m", "tests", "--shard", f"{part}/{parts}", name], folder=RUNNER, needs=needs, judge=by_counts,
                     processors=PROCESSORS.get(name, 1),
                     environment={**dict(environment), **{f"PIXMILL_TEST_{word}": value for word, value in settings.items()}})

    def unit(self):
        self.core(then=lambda: self.add_jobs(self.meson_tests("unit", "core", self.plan.random["unit"])))

    def meson_tests(self, stage, kind, environment, tests=None, nice=0):
        """Yields jobs for the tests of a build; without `tests`, also for those that do not use GoogleTest."""
        python, folder = output_of(BUILD, "--python", kind), output_of(BUILD, "--folder", kind)
        for test in gtest.meson_tests(python, folder):
            more = {**test["env"], **environment, **self.plan.random.get(f"{stage}/{test['name']}", {})}
            if tests and test["name"] not in tests or stage.startswith("sanitize") and test["name"].endswith("-reference"):
                continue  # a reference's test, which has no sanitized code
            if test["protocol"] == "gtest":
                yield from gtest.jobs(stage, test["name"], test["cmd"], self.plan.results, self.parts(test["name"], stage), more, nice=nice,
                                      folder=test["workdir"])
            elif not tests and stage == "unit":
                yield Job(f"{stage}/{test['name']}", stage, test["cmd"], environment=more, folder=test["workdir"],
                          judge=lambda log, status, name=test["name"]: gtest.of_program(name, log, status))

    @staticmethod
    def parts(name, stage=""):
        return PARTS.get(name, (1, 1))[stage.startswith("sanitize")]

    def qtest(self):
        tested = {board.target for board in map(boards.board, self.plan.boards)}
        core = self.core()
        for target in sorted(tested):
            others = ":".join([SANITIZED_QEMU, *OTHER_QTESTS.values()])
            kept = os.environ.get("GTEST_FILTER", f"-{others}") if target == "arm" else OTHER_QTESTS[target]
            name = "qtest" if target == "arm" else f"qtest-{target}"
            self.scheduler.add(*self.add_jobs(gtest.jobs(
                "qtest", name, [QTEST], self.plan.results, self.parts("qtest") if target == "arm" else 2,
                {"PIXMILL_QEMU": boards.qemu(target), "GTEST_FILTER": kept, **self.plan.random["qtest"]},
                needs=(core, self.qemu(target)), processors=2 / 3)))  # a test and its QEMU take turns

    def sanitize(self):
        random = self.plan.random["sanitize"]
        address = self.build("address", BUILD, "address", "@unit", then=lambda: self.add_jobs(
            self.meson_tests("sanitize-address", "address", random, nice=PATIENT)))
        self.build("thread", BUILD, "thread", *(f"tests/unit/pixmill-{name}" for name in WITH_THREADS), after=(address,), then=lambda: self.add_jobs(
            self.meson_tests("sanitize-thread", "thread", {**random, "GTEST_FILTER": THREADS}, tests=WITH_THREADS, nice=PATIENT)))
        self.sanitize_qemu(self.plan.random["sanitize-qemu"])

    def sanitize_qemu(self, random):
        """Adds tests of QEMUs with sanitized devices. These devices also check their locks
        (hw/qemu/cores/lock-check.h), so the viewer test runs with them, too."""
        clean = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}  # QEMU itself leaks at exit
        tested = {"arm": ("qtest, sanitized", 2, SANITIZED_QEMU), "i386": ("qtest-i386, sanitized", 1, SANITIZED_QEMU_I386)}
        for target, (name, parts, filtered) in tested.items():
            self.scheduler.add(*self.add_jobs(gtest.jobs(
                "sanitize-qemu", name, [QTEST], self.plan.results, parts,
                {"PIXMILL_QEMU": sanitized_qemu(target), "GTEST_FILTER": filtered, **clean, **random},
                needs=(self.core(), self.sanitized(target)), nice=PATIENT)))
        self.runner_test("viewer", "sanitize-qemu", (self.sanitized("arm"), *map(self.firmware_made, FIRMWARES)), clean, QEMU=sanitized_qemu("arm"))
        if self.plan.thorough:  # a boot on that QEMU takes as long as all other tests here
            self.x11_viewer(clean)

    def x11_viewer(self, environment):
        board = boards.board("geode-lx")
        series = board.kernels()[0]
        self.add("sanitize-qemu/x11-viewer", "sanitize-qemu", [
            PIXMILL, "suites", "--brief", "--board", board.name, "--qemu", sanitized_qemu("i386"), "--guest", board.guest_folder(series),
            "--label", f"{board.name}, sanitized/", "--out", self.plan.out("sanitize-qemu", "x11-viewer"), "x11-viewer"],
            needs=(self.sanitized("i386"), *self.prepared(board, series)), environment=environment, judge=by_counts)

    def sanitized(self, target):
        """Adds the build of a sanitized QEMU, after all other builds of QEMU."""
        before = (self.sanitized("arm"),) if target != "arm" else tuple(name for name in self.names if name.startswith("build/qemu-"))
        return self.build(f"qemu-{target}-sanitized", os.path.join(SCRIPTS, "qemu", "build"), "--sanitized", target, after=before)

    def aarch64(self):
        tests = None if os.environ.get("AARCH64_ALL") else AARCH64
        environment = {"GTEST_FILTER": os.environ.get("GTEST_FILTER", "-*DeathTest.*"), **self.plan.random["aarch64"]}

        def found():
            for job in self.meson_tests("aarch64", "aarch64", environment, tests=tests, nice=PATIENT):
                job.command = [*AARCH64_RUNNER, *job.command]
                yield job
        self.build("aarch64", BUILD, "aarch64", *([f"tests/unit/pixmill-{name}" for name in tests] if tests else ["@unit"]), then=lambda: self.add_jobs(found()))

    def engines(self):
        """Adds the test of LAVA and labgrid. It uses the guests of the suite "guest"; if that suite also runs, the
        test compares with its results."""
        guests = [boards.board(name) for name in ("sabrelite", "am57xx")]
        lava = self.add("prepare/lava", "prepare", ["bash", "-c", '. scripts/lib/common.bash && . scripts/lib/apt.bash && '
                                                    '. scripts/lib/lava.bash && fetch_lava'], folder=REPO)
        ours = [] if self.plan.only else [name for name in self.names if name.startswith(("guest-sabrelite-6.12", "guest-am57xx-6.12"))]
        needs = (lava, self.qemu("arm"), *(name for board in guests for name in self.prepared(board, "6.12")), *ours)
        self.runner_test("engines", "engines", needs, LAVA=os.path.join(WORK, "lava"),
                         **({"RESULTS": self.plan.results} if ours else {}))

    def fuzz(self):
        """Adds the fuzzers. If guests run, too, their captures become inputs."""
        guests = [job.name for job in self.scheduler.waiting if job.stage == "guest"]
        self.build("fuzz", BUILD, "fuzz", "@fuzz", "tools/libcompiled-tools.a", then=lambda: self.add_jobs(self.fuzzers(guests)))
        if self.plan.coverage:
            self.build("fuzz-coverage", BUILD, "fuzz-coverage", "@fuzz", needs=("build/fuzz",), then=lambda: [self.coverage()])

    def fuzzers(self, guests):
        """Yields two jobs for each fuzzer: one checks that the fuzzer's seeds reach their targets, the other runs
        the fuzzer for its share of the time."""
        programs = fuzz_programs("fuzz")
        needs = ("build/fuzz", *guests)
        if guests:
            needs = (self.add("fuzz/captured", "fuzz", [os.path.join(SCRIPTS, "lib", "captured-seeds"), REPLAY, self.plan.results,
                                                        self.plan.out("captured")], needs=needs, may_fail=True, judge=notes),)
        folders = [self.plan.out("fuzz"), os.path.join(CACHE, "corpus"), self.plan.out("captured")]
        for line in output_of(*FUZZ, "shares", str(self.plan.fuzz_seconds), *programs).splitlines():
            seconds, _, program = line.partition(" ")
            name = os.path.basename(program)
            yield Job(f"fuzz/{name}-seeds", "fuzz", [*FUZZ, "seeds", self.plan.out("fuzz", "seeds"), *folders[1:], program],
                      nice=PATIENT, judge=one_case)
            yield Job(f"fuzz/{name}-play", "fuzz", [*FUZZ, "play", seconds, *folders, program], nice=PATIENT, judge=played, needs=needs,
                      timeout=float("inf"))  # it has its own limit

    def coverage(self):
        plays = tuple(name for name in self.names if name.startswith("fuzz/"))
        return Job("coverage", "coverage", [PYTHON, os.path.join(SCRIPTS, "lib", "coverage.py"), self.plan.out("coverage"),
                                            os.path.join(CACHE, "corpus"), *fuzz_programs("fuzz-coverage")], needs=plays, judge=notes)

    def package(self):
        folder = self.plan.out("package", "made")
        made = self.add("package/make", "package", [os.path.join(SCRIPTS, "package"), "--yes", "--out", folder],
                        needs=self.qemus())
        self.add("package/roots", "package", [os.path.join(SCRIPTS, "lib", "package-roots"), folder], needs=(made,),
                 then=lambda: self.packaged(folder))

    def packaged(self, folder):
        """Adds the tests of the package, in the root file systems that scripts/lib/package-roots made."""
        package, = glob.glob(os.path.join(folder, "pixmill_*.deb"))
        with open(os.path.join(folder, "roots"), encoding="utf-8") as file:
            roots = file.read().splitlines()
        self.runner_test("package", "package", needs=("package/roots",), PACKAGE=package, ROOTS=os.pathsep.join(roots))
        return []

    def doors(self):
        board, folder = boards.board("sabrelite"), self.plan.out("doors", "made")
        needs = (self.qemu("arm"), *self.prepared(board, "6.12"))
        self.add("doors/roots", "doors", [os.path.join(SCRIPTS, "lib", "door-roots"), folder], then=lambda: self.add_doors(folder, needs))

    def add_doors(self, folder, needs):
        with open(os.path.join(folder, "roots"), encoding="utf-8") as file:
            self.runner_test("doors", "doors", needs=("doors/roots", *needs), ROOTS=os.pathsep.join(file.read().splitlines()))
        return []

    def style(self):
        check = os.path.join(SCRIPTS, "lib", "style")
        for name in ("format", "links", "licenses", "shell", "python", "names", "layers"):
            self.add(f"style/{name}", "style", [check, name], judge=one_case)
        self.add("style/tidy", "style", [check, "tidy"], judge=one_case, nice=PATIENT,
                 needs=(self.core(), *self.qemus()))


def sanitized_qemu(target):
    return os.path.join(os.path.dirname(boards.qemu(target)), "sanitized", f"qemu-system-{target}")


def fuzz_programs(kind):
    return sorted(glob.glob(os.path.join(output_of(BUILD, "--folder", kind), "tests", "fuzz", "*-fuzz")))


def one_case(log, status):
    """Judges a job that is a single case."""
    name = os.path.join(os.path.basename(os.path.dirname(log)), os.path.basename(log).removesuffix(".log"))
    return Report(failed=[f"{name} (status {status}){tail(log)}"]) if status else Report(passed=1)


def played(log, status):
    """Judges a fuzzer's run; its output becomes notes."""
    report = one_case(log, status)
    report.notes += notes(log, 0).notes if status == 0 else []
    return report


def notes(log, status):
    """Reports the first lines of a job's output as notes; the job has no cases."""
    with open(log, encoding="utf-8", errors="replace") as file:
        said = file.read().splitlines()
    return Report(notes=[f"        {line}" for line in said[:40]] + [f"note    status {status}: {log}"] * bool(status))


def userland_report(log, status):
    """Reports a failure only as a note: the suites that need the userland fail anyway."""
    return Report(passed=0, notes=[f"note    a userland could not be made: {log}"] if status else [])


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


