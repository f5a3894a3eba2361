# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the parts for CI engines without running an engine: ci/qemu-system-arm with a fake QEMU, and the jobs and
board settings in ci/.
"""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import types
import unittest.mock as mock

from pixmill import boards, places, results
from pixmill.places import REPO
from tests import setting
from tests.files import FAKE, Test, text_of, tree, written, zimage

BOARDS = ("sabrelite", "am57xx", "imx8mp")
FRONT = os.path.join(REPO, "ci", "qemu-system-arm")


# ---- The wrapper of QEMU -----------------------------------------------------------------------

def front(out, guest, *more, suites="libdrm", qemu=FAKE, typed="", name=FRONT, **environment):
    """Runs ci/qemu-system-arm as LAVA does."""
    command = [name, "-nographic", "-M", "sabrelite", "-cpu", "cortex-a9", "-m", "1G", "-serial", "null", "-serial", "stdio", "-kernel",
               os.path.join(out, "vmlinuz"), "-initrd", os.path.join(out, "initramfs.cpio"), "-append",
               "console=ttymxc1" + (f" pixmill.suite={suites}" if suites else ""), *more]
    return subprocess.run(command, env={**os.environ, "PIXMILL_QEMU": qemu, "PIXMILL_SERIES": "6.12", "FAKE_GUEST": guest, **environment},
                          input=typed, capture_output=True, text=True, timeout=120, check=False)


UP = "print pixmill: up after 1 s: Linux 6.12\n"


class StandInTest(Test):
    def test_cases_become_lines(self):
        ended = front(self.out, UP + "results libdrm 0 one two\nprint pixmill: the end")
        lines = ended.stdout.splitlines()
        assert ended.returncode == 0, ended
        for name in ("run", "one", "two"):
            assert f"pixmill-case: sabrelite/6.12/libdrm/{name} pass" in lines, ended.stdout
        assert "pixmill-case: sabrelite/6.12/host/processor pass" in lines, ended.stdout
        assert re.fullmatch(r"pixmill-cases: \d+ passed, \d+ failed, \d+ skipped", lines[-1]), lines[-1]
        assert "pixmill: up after 1 s: Linux 6.12" in lines and not [line for line in lines if "pixmill: results" in line], ended.stdout

    def test_failures_have_a_reason(self):
        lines = front(self.out, UP + "results libdrm 1 one\nprint pixmill: the end").stdout.splitlines()
        at = lines.index("pixmill-case: sabrelite/6.12/libdrm/one fail")
        assert lines[at - 1] == "# status 1: the last words of one", lines[at - 1]

    def test_a_guest_that_dies_is_no_success(self):
        ended = front(self.out, UP + "print Kernel panic - not syncing: oops\nhang")
        assert ended.returncode == 1 and "pixmill-case: sabrelite/6.12/libdrm/run fail" in ended.stdout, ended

    def test_a_busy_host_is_no_verdict(self):
        """The driver resets the core in each run of the suite because QEMU is starved, so there must be no verdict."""
        guest = UP + "starve\nprint [   12.345678] etnaviv-gpu 130000.gpu: recover hung GPU!\nresults libdrm 1 one\nprint pixmill: the end"
        ended = front(self.out, guest)
        for line in ("pixmill-case: sabrelite/6.12/libdrm/one skip", "pixmill-case: sabrelite/6.12/host/processor skip"):
            assert line in ended.stdout.splitlines(), ended
        assert ended.returncode == 0, ended

    def test_an_end_by_the_host_is_no_verdict(self):
        """There must be no verdict for a suite that ended before that, nor for one that did not."""
        for guest in (UP + "results libdrm 1 one\nkill 9", UP + "kill 9"):
            ended = front(self.out, guest)
            assert "pixmill-case: sabrelite/6.12/host/processor skip" in ended.stdout.splitlines(), ended
            assert " fail\n" not in ended.stdout and ended.returncode == 5, ended

    def test_a_prompt_is_there_at_once(self):
        """The prompt must be shown immediately, although it has no newline. Input must reach the guest."""
        ended = front(self.out, UP + "word root@pixmill:/#\necho\nprint bye", suites="", typed="a command\n")
        assert "root@pixmill:/#got a command" in ended.stdout and ended.returncode == 0, ended

    def test_results_are_kept(self):
        folder = self.path("kept")
        front(self.out, UP + "results libdrm 0 one\nprint pixmill: the end", PIXMILL_OUT=folder)
        with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
            assert "sabrelite/6.12/libdrm/one" in [case["name"] for case in json.load(file)["cases"]]

    def test_qemu_gets_the_rest(self):
        told = self.path("command")
        front(self.out, UP, "-smp", "2", "-monitor", "none", FAKE_COMMAND=told)
        with open(told, encoding="utf-8") as file:
            words = file.read().split("\n")
        assert "-smp" in words and "-cpu" in words and "-nographic" not in words and "stdio" not in words, words
        assert words.count("-serial") == 2 and "chardev:console" in words and "none" in words, words

    def test_a_run_may_repeat_exactly(self):
        told = self.path("command")
        done = UP + "results scene2d 0 one\nprint pixmill: the end"
        for word, seed in (("pixmill.deterministic", "0"), ("pixmill.deterministic=77", "77")):
            ended = front(self.out, done, "-smp", "2", suites=f"scene2d {word}", FAKE_COMMAND=told)
            assert ended.returncode == 0 and "pixmill-case: sabrelite/6.12/scene2d/one pass" in ended.stdout, ended
            assert "pixmill: up after 1 s: Linux 6.12" in ended.stdout, "the console is not shown"
            words = text_of(told).split("\n")
            for pair in (("-icount", "shift=2,sleep=off"), ("-smp", "1"), ("-seed", seed), ("-global", "vivante-gc.work-time=100")):
                assert pair in zip(words, words[1:]), (pair, words)
            assert ("vivante-gc.x-seed=77" in words) == (seed == "77"), words
            assert "pixmill.unattended" in words[words.index("-append") + 1].split(), words
        ended = front(self.out, done, suites="scene2d pixmill.deterministic", FAKE_COMMAND=told)
        assert ended.returncode == 0 and text_of(told).count("\n-smp\n1") == 1, ended

    def test_what_cannot_repeat_exactly_is_refused(self):
        for suites, more, told in (("shell pixmill.deterministic", [], "needs suites"), ("hang pixmill.deterministic", [], "it asks the host"),
                                   ("scene2d pixmill.deterministic=0", [], "needs a number from 1 to"),
                                   ("scene2d pixmill.deterministic", ["-icount", "shift=1"], "-icount itself"),
                                   ("scene2d pixmill.deterministic", ["--icount", "shift=1"], "-icount itself")):
            ended = front(self.out, UP, "-smp", "2", *more, suites=suites)
            assert ended.returncode == 2 and told in ended.stderr and "Traceback" not in ended.stderr, ended

    def test_its_other_name_runs_another_qemu(self):
        name = FRONT.replace("system-arm", "system-aarch64")
        ended = front(self.out, UP + "results libdrm 0 one\nprint pixmill: the end", "-M", "imx8mp-evk", name=name)
        assert ended.returncode == 0 and "pixmill-case: imx8mp/6.12/libdrm/one pass" in ended.stdout, ended
        ended = subprocess.run([name, "-M", "help"], env={**os.environ, "PIXMILL_QEMU": ""}, capture_output=True, text=True, check=False)
        assert "imx8mp-evk" in ended.stdout or f"there is no {places.qemu('aarch64')}:" in ended.stderr, ended

    def test_without_a_kernel_it_is_qemu(self):
        ended = subprocess.run([FRONT, "--version"], env={**os.environ, "PIXMILL_QEMU": FAKE}, capture_output=True, text=True, check=False)
        assert ended.stdout == "QEMU emulator version 0.0 (fake)\n", ended

    def test_wrong_usage_is_2(self):
        for words, told in (({"suites": "nosuch"}, "no suite nosuch"), ({"qemu": "/nonexistent"}, "/nonexistent"),
                            ({"PIXMILL_BOARD": "nosuch"}, "no board nosuch")):
            ended = front(self.out, UP, **words)
            assert ended.returncode == 2 and told in ended.stderr and "Traceback" not in ended.stderr, ended


# ---- Engines, without running them --------------------------------------------------------------

def yaml_of(*names):
    return setting.module("yaml").safe_load(text_of(REPO, *names))


def gitlab_jobs():
    """Yields (command, environment, job) for each job that GitLab would start."""
    whole = yaml_of("ci", "gitlab-ci.yml")
    for job in (job for name, job in whole.items() if not name.startswith(".")):
        job = {**whole[job["extends"]], **job}
        for number in range(1, job["parallel"] + 1):
            yield "\n".join(job["script"]), {**job["variables"], "CI_COMMIT_SHORT_SHA": "0123abcd", "CI_NODE_INDEX": str(number),
                                            "CI_NODE_TOTAL": str(job["parallel"])}, job


def github_jobs():
    for job in yaml_of("ci", "github-actions.yml")["jobs"].values():
        command, = [step["run"] for step in job["steps"] if "run" in step]
        shards = job["strategy"]["matrix"]["shard"]
        assert f"/{len(shards)} " in command, command
        for number in shards:
            yield command.replace("${{ matrix.shard }}", str(number)), {"GITHUB_SHA": "0123456789abcdef"}, job


def exported_guests():
    """Returns BOARD-SERIES of the guests in the container."""
    names, series = re.search(r'for board in ([\w ]+); do scripts/guest/export "\$board" (\S+) "/guests/\$board-\2"',
                               text_of(REPO, "ci", "Containerfile")).groups()
    return [f"{board}-{series}" for board in names.split()]


def board_of(name):
    return boards.Board(os.path.join(REPO, "board-configs", name))



def serial_options(board):
    return " ".join("-serial stdio" if use == "console" else "-serial null" for use in board["serial"].split())


TUXRUN = {"tuxrun/__init__.py": "", "tuxlava/__init__.py": "", "tuxlava/devices/__init__.py": "",
          "tuxlava/devices/qemu.py": "class QemuDevice:\n    pass\n",
          "tuxrun/__main__.py": """from tuxlava.devices.qemu import QemuDevice


def main():
    boards = [device.name for kind in QemuDevice.__subclasses__() for device in kind.__subclasses__()]
    return 7 if boards == ["qemu-pixmill-sabrelite", "qemu-pixmill-am57xx", "qemu-pixmill-imx8mp"] else 1


def start():
    if __name__ == "__main__":
        raise SystemExit(main())


start()
"""}


class JobsTest(Test):
    def test_jobs_use_existing_options_boards_and_suites(self):
        """Runs the commands of both jobs with --plan, so that nothing is built."""
        folder = self.path("a job")
        for name, content in (("zImage", zimage()), ("imx6q-sabrelite.dtb", tree("fsl,imx6q")), ("mods/lib/modules/6.99/x", b"")):
            for place in ("", "arch/arm/boot", "arch/arm/boot/dts/nxp/imx"):
                written(os.path.join(folder, place, name), content)
        front_end = shlex.quote(os.path.join(REPO, "scripts", "lib", "pixmill"))
        written(os.path.join(folder, "bin", "pixmill-run"),
                f'#!/bin/sh\nprintf "%s\\n" "$@" >words\nexec {front_end} run --plan "$@"\n', 0o755)
        shards = []
        for command, environment, job in (*gitlab_jobs(), *github_jobs()):
            ended = subprocess.run(["bash", "-euc", command], cwd=folder, capture_output=True, text=True, check=False,
                                   env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", **environment})
            assert ended.returncode == 0, (command, ended)
            words = text_of(folder, "words").splitlines()
            value = {option: words[at + 1] for at, option in enumerate(words) if option.startswith("--")}
            shards.append(value["--shard"])
            assert os.path.basename(value["--guest"]) in exported_guests(), value
            assert os.path.dirname(value["--guest"]) == re.search(r"(?m)^COPY --from=build /guests (\S+)$", text_of(REPO, "ci", "Containerfile"))[1]
            told = json.dumps(job)
            assert f'"{value["--out"]}' in told or f': {value["--out"]}' in told, job
        assert shards == ["1/2", "2/2"] * 2, shards
        reports = yaml_of("ci", "gitlab-ci.yml")[".pixmill"]["artifacts"]["reports"]
        assert os.path.basename(reports["junit"]) in results.NAMES, reports

    def test_the_container_uses_existing_scripts_options_and_kernels(self):
        recipe = text_of(REPO, "ci", "Containerfile")
        for script in re.findall(r"\bscripts/[\w/]+", recipe):
            assert os.access(os.path.join(REPO, script), os.X_OK), script
        command, = re.findall(r"scripts/package (.*?)(?: \\)?\n", recipe)
        told = subprocess.run([os.path.join(REPO, "scripts", "package"), "--help"], capture_output=True, text=True, check=True).stdout
        for option in re.findall(r"--\S+", command):
            assert option in told, option
        for guest in exported_guests():
            board, _, series = guest.rpartition("-")
            kernels = boards.lines_of(os.path.join(REPO, "board-configs", board, "kernels"))
            assert series in [line.split()[0] for line in kernels], guest
        # The builds in a clone are for different paths and take gigabytes, so they must stay out of the image.
        assert set(boards.lines_of(os.path.join(REPO, ".dockerignore"))) == set(boards.lines_of(os.path.join(REPO, ".gitignore")))
        place, = re.findall(r"(?m)^place=(\S+)", text_of(REPO, "scripts", "package"))
        assert f"ENV PATH=/{place}/share/pixmill/ci:$PATH" in recipe and os.path.exists(FRONT), recipe

    def test_a_copy_of_a_clone_is_of_its_commit(self):
        """In a copy made by "COPY . /pixmill", the inodes and times differ from those in git's index."""
        clone, copy = (self.path(name) for name in ("a clone", "a copy of it"))
        version = os.path.join("scripts", "qemu", "version")
        for name in (version, "hw/model.cpp", "include/model.h"):
            written(os.path.join(clone, name), text_of(REPO, "scripts", "qemu", "version"))
        os.chmod(os.path.join(clone, version), 0o755)
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-qm", "All"]):
            subprocess.run(["git", *words], cwd=clone, check=True)
        shutil.copytree(clone, copy)

        def told_by(folder):
            return subprocess.run([os.path.join(folder, version)], capture_output=True, text=True, check=True).stdout

        whole = told_by(clone)
        assert re.fullmatch(r"pixmill-[0-9a-f]{12}\n", whole) and told_by(copy) == whole, (whole, told_by(copy))
        written(os.path.join(copy, "hw", "model.cpp"), b"another")
        assert told_by(copy) == whole.rstrip() + "-dirty\n", told_by(copy)


class SettingsTest(Test):
    def test_tuxrun_has_the_boards_settings(self):
        """tuxlava itself adds "console=CONSOLE,115200" at the front."""
        base = types.ModuleType("tuxlava.devices.qemu")
        base.QemuDevice = type("QemuDevice", (), {})
        others = {name: types.ModuleType(name) for name in ("tuxlava", "tuxlava.devices")}
        spec = importlib.util.spec_from_file_location("pixmill_tuxrun", os.path.join(REPO, "ci", "tuxrun", "pixmill_tuxrun.py"))
        module = importlib.util.module_from_spec(spec)
        with mock.patch.dict(sys.modules, {**others, base.__name__: base}), mock.patch.object(sys, "dont_write_bytecode", True):
            spec.loader.exec_module(module)
        devices = {device.name: device for device in module.PixmillDevice.__subclasses__()}
        assert sorted(devices) == sorted(f"qemu-pixmill-{name}" for name in BOARDS), devices
        for name in BOARDS:
            board, device = board_of(name), devices[f"qemu-pixmill-{name}"]
            assert (device.machine, device.memory, device.lava_arch) == (board["machine"], board["memory"], board.target), name
            assert f"console={device.console},115200 {device.extra_boot_args}" == board["command-line"], name
            assert " ".join(device.extra_options) == f"-smp {board['cpus']} -no-reboot {serial_options(board)}", name

    def test_lava_has_the_boards_settings(self):
        jinja2 = setting.module("jinja2")
        base = "{{ arch }}|{{ machine }}|{{ memory }}|{{ extra_options | join(' ') }}"
        places = [jinja2.DictLoader({"qemu.jinja2": base}), jinja2.FileSystemLoader(os.path.join(REPO, "ci", "lava", "device-types"))]
        for name in BOARDS:
            board = board_of(name)
            device = jinja2.Environment(loader=jinja2.ChoiceLoader(places)).get_template(f"pixmill-{name}.jinja2").render().strip()
            assert device == f"{board.target}|{board['machine']}|{board['memory']}|-smp {board['cpus']} -no-reboot {serial_options(board)}", device

    def test_a_job_of_lava_has_its_options(self):
        jinja2 = setting.module("jinja2")
        job = jinja2.Environment(loader=jinja2.FileSystemLoader(os.path.join(REPO, "ci", "lava")), trim_blocks=True).get_template("job.yaml.jinja2")
        for options, line in (("", "-append \"panic=-1 pixmill.suite=a,b\""),
                              ("pixmill.deterministic=7", "-append \"panic=-1 pixmill.suite=a,b pixmill.deterministic=7\"")):
            text = job.render(board="sabrelite", command_line="panic=-1", suites="a,b", url="file:///g", timeout=1, arch="arm", options=options)
            action = setting.module("yaml").safe_load(text)["actions"][0]
            assert action["deploy"]["images"]["kernel"]["image_arg"] == f"-kernel {{kernel}} {line}", text

    def test_labgrid_has_the_boards_settings(self):
        """labgrid adds the console's UART itself."""
        yaml = setting.module("yaml")
        yaml.SafeLoader.add_constructor("!template", lambda loader, node: loader.construct_scalar(node))
        for name in BOARDS:
            board, whole = board_of(name), yaml_of("ci", "labgrid", f"{name}.yaml")
            qemu = whole["targets"]["main"]["drivers"]["QEMUDriver"]
            assert (qemu["machine"], qemu["memory"]) == (board["machine"], board["memory"]), name
            assert qemu["boot_args"] == f"{board['command-line']} pixmill.suite=shell", name
            assert qemu["extra_args"].startswith(f"-smp {board['cpus']} ") and qemu["extra_args"].count("-serial null") == \
                board["serial"].split().index("console"), name
            tree = whole["images"].get("dtb", "")
            assert os.path.basename(tree) == (board.get("dtb") or "") and ("dtb" in qemu) == bool(tree), name

    def test_tuxrun_is_run_with_our_devices(self):
        """The fake tuxrun exits with 7 if the boards are available as devices."""
        folder = self.path("tuxrun")
        for name, text in TUXRUN.items():
            written(os.path.join(folder, name), text)
        ended = subprocess.run(["/usr/bin/python3", os.path.join(REPO, "ci", "tuxrun", "pixmill_tuxrun.py")],
                               env={**os.environ, "PYTHONPATH": folder}, capture_output=True, text=True, check=False)
        assert ended.returncode == 7, ended
