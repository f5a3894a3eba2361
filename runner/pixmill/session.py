# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs suites in a guest, in one boot where possible, and prints the results of their cases."""

import collections
import dataclasses
import json
import math
import os
import re
import shlex

from pixmill import boards, captures, carried, deterministic, dumps, expectations, judge, machine, results
from pixmill.failure import WEIGHT, Status, writing
from pixmill.places import BOARDS


# Skips start-up work of Debian's kernels that is unrelated to the devices and takes a third of a boot's CPU time:
# self-tests of ciphers, initialization of allocated memory, security modules, keys (and so the check of each module's
# signature) and debugfs files of all clocks.
BRIEF = ("cryptomgr.notests init_on_alloc=0 lsm=capability audit=0 "
         "initcall_blacklist=jent_mod_init,crypto_kdf108_init,load_system_certificate_list,clk_debug_init")


@dataclasses.dataclass(frozen=True)
class Watchdog:
    """A watchdog of the guest's kernel. It counts host time, so it may fire because QEMU was starved of CPU."""

    message: str  # part of the kernel's message
    event: str  # what happened
    span: float  # the longest time for which the watchdog can have waited, in seconds
    starved: float  # if QEMU waited for a CPU for this part of the span, the host is to blame


# A job that hangs only because QEMU is starved waits much longer than `starved`, and a core that really hangs waits much shorter.
WATCHDOGS = {dog.message: dog for dog in (
    Watchdog("recover hung GPU", "the GPU driver reset the core", 1.5, 0.25),  # linux etnaviv_sched.c, etnaviv_gpu.c
    Watchdog("BUG: soft lockup", "the kernel reported a soft lockup", 24, 5),  # 20 s, checked every 4 s: linux kernel/watchdog.c
    Watchdog("blocked for more than", "the kernel reported a blocked task", 240, 50))}  # 120 s, checked every 120 s: kernel/hung_task.c
LIMIT = "a time limit expired in the guest"

# The kinds of failed boots, each with the exit status and the verdict of the command.
KINDS = {"qemu": (Status.USAGE, "QEMU did not start"), "boot": (Status.NO_BOOT, "the guest did not boot"),
         "full": (Status.NO_BOOT, "the guest's memory is full"), "timeout": (Status.TIMEOUT, "timeout"),
         "starved": (Status.HOST, "the host was too busy"), "host": (Status.HOST, "the host ended QEMU"),
         "broken": (Status.FAILED, "failed")}
HOSTS = ("starved", "host")  # the host is to blame for these


@dataclasses.dataclass
class Options:
    """The options of a session, from the command "suites", scripts/run or ci/qemu-system-arm."""

    qemu: str
    guest: str  # the folder with boot/ and initramfs.cpio
    board: str
    out: str
    kernel: str = None
    dtb: str = None
    series: str = None
    label: str = ""
    qemu_options: str = ""
    fails: list = ()
    flakes: list = ()
    skips: list = ()
    thorough: bool = False
    brief: bool = False
    ignore_starved: bool = False
    replay: str = None
    deterministic: bool = False
    seed: int = None


class Session:
    """Runs suites in a guest with these options, and records the results."""

    def __init__(self, args):
        self.args = args
        self.board = boards.Board(os.path.join(BOARDS, args.board))
        self.board.one_processor = args.deterministic
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.devices = 0  # the number of virtio devices so far
        self.again = {}  # {suite that was run again: how often}
        self.flaked = {}  # {suite that was run again for flakes: {failed case: reason}}
        self.series = args.series or series_of(args.guest)
        self.lists = expectations.Expectations().read_board(self.board.folder)
        self.lists.read(fails=args.fails, flakes=args.flakes, skips=args.skips)
        self.report = results.Report()
        self.kinds = []  # the kind of failure of each boot; "" for a good one
        self.causes = []  # why boots failed
        self.alarms = []  # what happened because QEMU was starved, in runs that count
        self.broken = False  # true if a case failed in a boot that the host neither starved nor ended
        self.version = ""  # the version that the kernel prints
        self.patience = machine.PATIENCE * self.slower()

    def slower(self):
        """Returns the factor of time limits."""
        return deterministic.SLOWER if self.args.deterministic else 1

    def command(self, suites, options="", more=""):
        args = self.args
        kernel = args.kernel or os.path.join(args.guest, "boot", "vmlinuz")
        dtb = args.dtb
        if not dtb and self.board.get("dtb"):
            dtb = os.path.join(args.guest, "boot", self.board["dtb"])
        command = machine.arguments(args.qemu, self.board, kernel, dtb, self.initramfs(), suites)
        command[-1] += " " + options
        if args.deterministic:
            command = deterministic.arranged(command, self.board, args.seed)
        return command + shlex.split(args.qemu_options + " " + more)

    def initramfs(self):
        return os.path.join(self.args.guest, "initramfs.cpio")

    def console(self):
        """Returns the channel of the console's output, if it must not wait for this program; None for a socket."""
        return deterministic.Pipe() if self.args.deterministic else None

    # ---- QEMU's options ---------------------------------------------------------------

    def virtio(self, name, more):
        """Returns the option for a virtio device on the board's transport."""
        transport = self.board["virtio"].replace("%", str(self.devices))
        self.devices += 1
        return f"-device virtio-{name}{transport},{more}"

    def shared(self, tag, path, mode):
        """Returns options that share a folder of the host, read-only ("ro") or writable."""
        return (f"-fsdev local,id={tag},path={shlex.quote(os.path.abspath(path))},security_model=none"
                + (",readonly=on" if mode == "ro" else "") + " " + self.virtio("9p", f"fsdev={tag},mount_tag={tag}"))

    def userlands(self, suites):
        """Returns {name: folder} of the userlands of the suites: programs and libraries that are too large for an initramfs that is
        always loaded."""
        return {name: userland_of(self.args.guest, name) for suite in suites for name in suite.all("userland")}

    def obstacle(self, suite):
        """Returns why the suite cannot be part of a run that repeats exactly; "" if it can or need not."""
        if not self.args.deterministic:
            return ""
        return deterministic.obstacle(suite.text) or carried.obstacle(
            self.board, self.initramfs(), self.userlands([suite]).values())

    # ---- runs -------------------------------------------------------------------------

    def boot(self, suites):
        """Runs suites in one boot. Suites that the host disturbed are run again, each in a separate boot."""
        self.devices = 0
        log_path = os.path.join(self.args.out, ("shared" if len(suites) > 1 else suites[0].name) + ".log")
        if os.path.exists(log_path):
            os.replace(log_path, log_path + ".before")
        boot = " ".join([suites[0].one("boot", ""), "pixmill.thorough" * self.args.thorough, BRIEF * self.args.brief,
                         "pixmill.seed=" + os.environ.get("PIXMILL_SEED", "1"),
                         "pixmill.scenes=" + os.environ.get("PIXMILL_SCENES", ""),
                         "pixmill.piece=" + os.environ.get("PIXMILL_PIECE", ""),
                         "pixmill.match=" + os.environ.get("PIXMILL_MATCH", ""),
                         "pixmill.points=" + os.environ.get("PIXMILL_POINTS", ""),
                         "pixmill.events=" + os.environ.get("PIXMILL_EVENTS", ""),
                         "pixmill.stay" * bool(os.environ.get("PIXMILL_STAY"))])
        more = [option for suite in suites for word in ("qemu", "devices") for option in suite.all(word)]
        userlands = self.userlands(suites)
        more += [self.shared(name, folder, "ro") for name, folder in userlands.items() if not self.args.deterministic]
        command = self.command(",".join(suite.name for suite in suites), boot, " ".join(more))
        captured = [kind for suite in suites for kind in self.captured(suite)]
        captures_to = os.path.join(self.args.out, "captures", suites[0].name)
        with carried.command_with(command, userlands.values() if self.args.deterministic else (),
                                  os.path.join(self.args.out, "with-userland.cpio")) as command:
            run = self.start(command + captures.options(captured, captures_to), suites, log_path)
        if not run.booted:
            run.fail("boot", f"the guest reset the board before its first process. Its last line: {run.last}")
        self.ended(run)
        disturbed, last_end, blamed, explains = [], 0.0, None, False
        known = False  # true if a list of fails expects the end of this boot
        for suite in suites:
            files = judge.unpack(run.archives.get(suite.name))
            if blamed and not files and blamed in disturbed:  # it never began, as the suite before it was disturbed: run it, too
                disturbed.append(suite)
                continue
            # The boot ended during the first suite without results; the suites after it never began.
            end = judge.End()
            if not blamed and (not files or suite is suites[-1]):
                end = judge.End(run.failure, run.kind, *judge.left_on_console(log_path, suite.name))
            if files and end.kind == "full":
                files = judge.completed(files, end)
            cases = judge.judge(suite, self.board, end, files, self.args.out, self.expected(),
                                never=(run.failure or judge.NO_RESULTS) if blamed and not files else "")
            blamed = blamed or (suite if end.why or not files else None)
            files = files or end.files
            keep(files, os.path.join(self.args.out, suite.name))
            for case in cases:
                if f"{case.name}.log" in files:
                    case.log = os.path.join(self.args.out, suite.name, f"{case.name}.log")
            cases += captures.cases(self.args.replay, captured, captures_to)
            if files and self.args.replay:
                cases += dumps.cases(dumps.beside(self.args.replay), suite, os.path.join(self.args.out, suite.name))
            cases = self.expect(suite, cases)
            known = known or blamed is suite and is_known(end, cases)
            start, last_end = last_end, run.ends.get(suite.name, run.seconds)
            failed = [case for case in cases if case.outcome == "failed"]
            starved = self.false_alarms(suite, cases, judge.suite_log(files), run, start, math.inf if suite is suites[-1] else last_end)
            if self.args.ignore_starved and not failed:
                starved = []
            if self.may_run_again(suite, starved) or (failed and self.are_flakes(suite, failed)):
                disturbed.append(suite)
            else:
                self.alarms += starved
                self.broken = self.broken or bool(failed and not starved and run.kind not in HOSTS)
                explains = explains or bool(failed and run.kind in HOSTS)
                self.tell(suite, cases, files, f"{last_end - start:.1f} s; console: {log_path}")
                self.report.add(self.board.name, self.series, suite.name, cases, seconds=last_end - start, log=log_path)
        for note in run.notes:
            print(f"note    {self.args.label}{suites[-1].name}: {note}", flush=True)
        if run.failure and not known:
            show_tail(log_path)
        if run.kind and (known or blamed in disturbed and not explains):  # later boots replace its end
            self.forget_end(run)
        for suite in disturbed:
            self.boot([suite])

    # Printed by the kernel, or by the guest's init if the kernel is quiet.
    VERSION = re.compile(rb"Linux version (\S+)|pixmill: up after \S+ s: Linux (\S+)")

    def heard(self, line):
        """Handles a line of the console."""
        self.version = self.version_in(line) or self.version

    def version_in(self, text):
        said = self.VERSION.search(text)
        return (said[1] or said[2]).decode(errors="replace") if said else ""

    def ended(self, run):
        """Records the end of a boot."""
        self.kinds.append(run.kind)
        self.causes += [run.failure] * bool(run.failure)

    def forget_end(self, run):
        """Removes the record of the last boot's end."""
        self.kinds[-1] = ""
        self.causes.remove(run.failure)

    def status(self):
        """Returns (Status, verdict) over all boots."""
        found = [KINDS[kind] for kind in self.kinds if kind]
        if self.broken:
            found.append(KINDS["broken"])
        if self.alarms:  # even passed cases may be wrong
            found.append((Status.HOST, f"{KINDS['starved'][1]}: {told(self.alarms)}"))
        return min(found, key=lambda end: WEIGHT.index(end[0]), default=(Status.PASSED, "passed"))

    def captured(self, suite):
        """Returns the device types to capture in the suite; none if there is no program to replay captures."""
        return self.board.captured(f"{self.series}/{suite.name}") if self.args.replay else []

    def breaks(self, suite):
        """True if a list of fails expects the suite to end the guest."""
        return self.lists.has_ends(expectations.names_of(self.board.name, self.series, suite.name, ""))

    def boots(self, suites):
        """Groups suites into boots."""
        shared = [suite for suite in suites if suite.shares_a_boot() and not self.captured(suite) and not self.breaks(suite)]
        return [shared] * bool(shared) + [[suite] for suite in suites if suite not in shared]

    def start(self, command, suites, log_path):
        return machine.run_suites(command, self.board, log_path, self.timeout(suites), WATCHDOGS, self.patience, self.heard,
                                  pipe=self.console())

    def expected(self):
        """Returns the folder with expected pictures; an exported guest (scripts/guest/export) contains them."""
        own = os.path.join(self.args.guest, "expected")
        return own if os.path.isdir(own) else os.path.join(self.args.guest, "..", "expected")

    def timeout(self, suites):
        return self.slower() * sum(float(suite.one("timeout", "120")) for suite in suites)

    def names(self, suite, case):
        return expectations.names_of(self.board.name, self.series, suite.name, case.name)

    def expect(self, suite, cases):
        """Applies the lists of expectations to the cases."""
        for case in cases:
            self.lists.apply(case, self.names(suite, case))
            before = self.flaked.get(suite.name, {}).get(case.name)
            if before and case.outcome == "passed":
                case.why = f"a flake: it failed before: {before}"
        return cases

    def are_flakes(self, suite, failed):
        """True if all failed cases are known flakes and the suite was not run again for flakes yet."""
        if suite.name in self.flaked or not all(self.lists.is_flake(self.names(suite, case)[0]) for case in failed):
            return False
        self.flaked[suite.name] = {case.name: case.why for case in failed}
        print(f"again   {self.args.label}{suite.name}: only known flakes failed: "
              f"{', '.join(self.flaked[suite.name])}", flush=True)
        return True

    def false_alarms(self, suite, cases, log, run, start, end):
        """Returns the events for which the host is to blame, of watchdogs and of time limits in the guest. `log` contains the
        kernel's messages during the suite. If guest time counts instructions, it never is."""
        if self.args.deterministic:
            return []
        return (self.false_watchdogs(suite, cases, log, run, start, end)
                + self.early_limits(suite, cases, run, start, run.ends.get(suite.name, run.seconds)))

    def false_watchdogs(self, suite, cases, log, run, start, end):
        """Returns the events of watchdogs that fired because of the host. The driver's watchdog resets the core if a job runs for
        500 ms to 1 s of host time, of which a starved QEMU got only a part. It also fires if the model hangs, but in
        that case QEMU did not wait for a CPU. What the job drew is lost without an error, so its program may still have
        passed. A suite that causes such events itself is disturbed only if it fails."""
        found, failed = [], any(case.outcome == "failed" for case in cases)
        for message, dog in WATCHDOGS.items():
            if message in suite.all("allow") and not failed:
                continue
            shown = [when for text, when in run.seen if text == message and start <= when < end]
            # The kernel does not print to the console while the guest waits for an answer. Such messages may be from any time.
            hidden = max(sum(message in line for line in log) - len(shown), 0)
            waits = [run.waited_before(when, dog.span) for when in shown] + hidden * [run.longest_wait(start, end, dog.span)]
            found += [dog.event for waited in waits if waited >= dog.starved]
            for waited in waits:
                print(f"note    {self.args.label}{suite.name}: {dog.event}; QEMU had waited {waited * 1000:.0f} of "
                      f"{dog.span * 1000:.0f} ms for a processor", flush=True)
        return found

    def early_limits(self, suite, cases, run, start, end):
        """Returns LIMIT if a time limit in the guest expired because of the host. Before each suite, the guest multiplies its
        limits by the slowdown of the run so far, but QEMU may be starved more than that during the suite."""
        if not any(case.outcome == "failed" and case.result == "Timeout" for case in cases):
            return []
        given = [slowdown for when, slowdown in run.slowdowns if when < end]
        if not given:
            return []
        had = end - start - run.waited_before(end, end - start)
        if had * given[-1] >= end - start:
            return []
        print(f"note    {self.args.label}{suite.name}: {LIMIT}; of {end - start:.0f} s, QEMU had a processor for {had:.0f}",
              flush=True)
        return [LIMIT]

    def may_run_again(self, suite, starved):
        """True if a starved suite is to be run again: at most two suites of a run are run again, each at most twice."""
        if not starved:
            return False
        times = self.again.get(suite.name, 0)
        again = times < 2 and len(self.again.keys() | {suite.name}) <= 2
        print(f"{'again  ' if again else 'note   '} {self.args.label}{suite.name}: {told(starved)}"
              + ("" if again else ", but the limit of repeats is reached"), flush=True)
        if again:
            self.again[suite.name] = times + 1
        return again

    def tell(self, suite, cases, files, took):
        label = self.args.label + suite.name
        self.version = self.version_in(files.get("kernel.log", b"")) or self.version
        for case in cases:
            self.counts[case.outcome] += 1
            why = judge.NEVER if case.why.startswith(judge.NEVER) else case.why  # the cause has been printed
            print(f"{case.outcome:7} {label}: {case.name}" + (f": {why}" if why else ""), flush=True)
        for line in files.get("report", b"").decode(errors="replace").splitlines():
            print(f"        {line}")
        print(f"        {label} took {took}", flush=True)


def userland_of(guest, name):
    """Returns the folder of a userland, next to the guest."""
    return f"{os.path.abspath(guest)}-{name}"


def series_of(guest):
    """Returns the kernel series of a guest, from its manifest (scripts/guest/export), or else from the last part of
    its folder's name."""
    try:
        with open(os.path.join(guest, "manifest.json"), encoding="utf-8") as file:
            return str(json.load(file)["series"])
    except (OSError, ValueError, LookupError, TypeError):
        return os.path.basename(os.path.abspath(guest)).rpartition("-")[2]


def is_known(end, cases):
    """True if a list of fails expects this end of a boot. Failures of the host or of booting cannot be expected."""
    return end.kind in judge.ENDED_IN and any(case.name in ("run", end.begun) and case.expected == case.result for case in cases)


def told(alarms):
    """Returns a phrase that counts the events."""
    return (", ".join(f"{event} {'once' if count == 1 else f'{count} times'}" for event, count in collections.Counter(alarms).items())
            + " because QEMU was starved of CPU")


def keep(files, folder):
    os.makedirs(folder, exist_ok=True)
    for name, content in files.items():
        with writing(os.path.join(folder, name)) as file:
            file.write(content)


def show_tail(log_path):
    with open(log_path, encoding="utf-8", errors="replace") as file:
        for line in file.read().splitlines()[-15:]:
            print("      | " + line.rstrip())
