# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests Pixmill's devices and machines with unusual command lines: help, the same device twice, properties at and
beyond their limits, migration streams of a machine with different properties. QEMU must start, or name the wrong
property and exit with 1. It must never abort."""

import contextlib
import glob
import os
import re
import subprocess

from pixmill import processes
from pixmill.places import REPO
from pixmill.qmp import await_migration, load_state, save_state
from tests import setting
from tests.bare import started
from tests.files import Test, for_each

PATIENCE = 300  # seconds; the host may be busy
ARM, I386, ARM64 = "QEMU", "QEMU_I386", "QEMU_AARCH64"  # names in setting.py

# Machines, and the options with which they have Pixmill's devices.
MACHINES = {ARM: {"pixmill-test": (), "am57xx": (), "gr5526": ("-cpu", "cortex-m7"), "imxrt1170": (), "sabrelite": ("-m", "64M")},
            I386: {"pc": ("-device", "geode-lx-video", "-device", "cs5536")},
            ARM64: {"imx8mp-evk": ("-m", "64M")}}
OWN_MACHINES = {ARM: ("am57xx", "gr5526", "imxrt1170", "pixmill-test", "sabrelite"), ARM64: ("imx8mp-evk",)}  # with their own properties

BASES = ("device", "pci-device", "sys-bus-device")  # QEMU's own types; their properties are not tested
LIMITS = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "size": 64}  # {type: bits}
CHOICES = ("bool", "OnOffAuto")
TEXTS = ("str", "string")
WORDS = ["", "%n%s", 300 * "x"]
# Error messages of Pixmill's devices name the valid values.
RANGE = r"\d to \d|MiB to|KiB to|at most|must not be 0|multiple of|power of two|beyond|is not writable|needs worker=inline"


def own_types():
    """Returns the type names of all devices in hw/qemu, as the sources define them."""
    names = set()
    for path in glob.glob(os.path.join(REPO, "hw", "qemu", "**", "*.[ch]"), recursive=True):
        with open(path, encoding="utf-8") as file:
            names.update(re.findall(r'#define TYPE_\w+ "([\w-]+)"', file.read()))
    return sorted(names - {"pixmill-shell-device"})


def end_of(qemu, folder, *options, says="quit\n"):
    """Starts QEMU with a monitor command that quits immediately; returns (status, output)."""
    command = [qemu, "-display", "none", "-nic", "none", "-serial", "null", "-monitor", "stdio", "-S", *options]
    with subprocess.Popen(command, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          preexec_fn=processes.die_with_parent) as process:
        try:
            text, _ = process.communicate(says, timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, text


def values_of(kind):
    """Returns (values at the limits of a property's type, values that the type does not have)."""
    if kind in LIMITS:
        most = (1 << LIMITS[kind]) - 1
        return ["0", str(most)], [str(most + 1)]
    return (WORDS, []) if kind in TEXTS else ([], ["maybe"]) if kind in CHOICES else ([], [])


def named(name, text):
    """True if a message names the property, not just a longer name that contains it."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)


def children(qmp, path="/machine"):
    """Yields (path, type) for all objects of a machine."""
    for item in qmp.command("qom-list", path=path):
        kind = re.fullmatch(r"child<(.*)>", item["type"])
        if kind:
            child = f"{path}/{item['name']}"
            yield child, kind[1]
            yield from children(qmp, child)


def own_properties(setting_name):
    """Yields (machine, its QMP, {name: type} of the properties that QEMU's other machines lack)."""
    qemu = setting.needed(setting_name)
    with started(qemu, "-M", "none") as (qmp, _):
        common = {item["name"] for item in qmp.command("qom-list-properties", typename="none-machine")}
    for machine in OWN_MACHINES[setting_name]:
        with started(qemu, "-S", "-M", machine, *MACHINES[setting_name][machine]) as (qmp, _):
            yield machine, qmp, {item["name"]: item["type"] for item in qmp.command("qom-list", path="/machine")
                                 if item["name"] not in common and not re.match("child<|link<", item["type"])}


class Case(Test):
    def ends(self, qemu, *options, names=()):
        """Checks that QEMU runs, or that it exits with a message that has all these names."""
        status, text = end_of(qemu, self.out, *options)
        shown = " ".join(options)
        self.assertIn(status, (0, 1), f"{shown}: {text[-2000:]}")
        if status:
            for name in names:
                self.assertTrue(named(name, text), f"{shown}: {text}")
        return status, text

    def tries(self, qemu, name, kind, *options):
        """Tries values of a property, appended to the last option; returns their number."""
        fitting, wrong = values_of(kind)
        for value in fitting:
            status, text = self.ends(qemu, *options[:-1], options[-1] + value, names=[name])
            if status and kind in LIMITS:
                self.assertRegex(text, RANGE, f"{name}={value}")
        for value in wrong:
            status, text = self.ends(qemu, *options[:-1], options[-1] + value, names=[name])
            self.assertEqual(status, 1, f"{name}={value}: {text}")
        return len(fitting) + len(wrong)

    def refuses(self, qemu, *options, words):
        status, text = self.ends(qemu, *options)
        self.assertEqual(status, 1, f"{' '.join(options)}: {text}")
        for word in words:
            self.assertIn(word, text)


@for_each([("arm", ARM), ("i386", I386), ("arm64", ARM64)])
class HelpTest(Case):
    def check(self, setting_name):
        qemu = setting.needed(setting_name)
        known = 0
        for name in own_types():
            for machine in ("none", *MACHINES[setting_name]):
                status, text = self.ends(qemu, "-M", machine, "-device", f"{name},help")
                if "is not a valid device model name" in text:
                    break
                self.assertEqual(status, 0, f"{name}: {text}")
                self.assertIn(name, text)
                known += machine == "none"
        self.assertGreater(known, 1)


class TwiceTest(Case):
    def test_on_a_pc(self):
        qemu = setting.needed(I386)
        for name in own_types():
            self.ends(qemu, "-M", "pc", "-device", name, "-device", name, names=[name])

    def test_on_our_machines(self):
        qemu = setting.needed(ARM)
        for name in own_types():
            self.ends(qemu, "-M", "pixmill-test", "-device", name, "-device", name, names=[name])

    def test_two_geodes_work_and_are_saved(self):
        qemu = setting.needed(I386)
        two = ("-M", "pc", "-S", "-device", "geode-lx-video", "-device", "geode-lx-video")
        state = self.path("state")
        with started(qemu, *two) as (qmp, _):
            save_state(qmp, state)
        with started(qemu, *two, "-incoming", "defer") as (qmp, _):
            load_state(qmp, state)


class PropertiesTest(Case):
    in_one_shard = True

    def properties(self, setting_name):
        """Yields (options of the first machine that has the device, type, {property: kind}) for each of Pixmill's
        devices."""
        qemu, types, seen = setting.needed(setting_name), own_types(), set()
        for machine, options in MACHINES[setting_name].items():
            with started(qemu, "-S", "-M", machine, *options) as (qmp, _):
                common = {item["name"] for base in BASES for item in qmp.command("qom-list-properties", typename=base)}
                here = {kind for _, kind in children(qmp) if kind in types} - seen
                seen |= here
                for kind in sorted(here):
                    found = {item["name"]: item["type"] for item in qmp.command("device-list-properties", typename=kind)
                             if item["name"] not in common and not item["name"].startswith("stat-")}
                    yield ("-M", machine, *options), kind, found
        self.assertTrue(seen)

    def try_all(self, setting_name):
        qemu, tried = setting.needed(setting_name), 0
        for options, kind, properties in list(self.properties(setting_name)):
            for name, type_ in properties.items():
                tried += self.tries(qemu, name, type_, *options, "-global", f"driver={kind},property={name},value=")
        self.assertGreater(tried, 5)

    def test_of_devices_on_arm(self):
        self.try_all(ARM)

    def test_of_devices_on_a_pc(self):
        self.try_all(I386)

    def try_machines(self, setting_name):
        qemu, tried = setting.needed(setting_name), 0
        for machine, _, own in own_properties(setting_name):
            for name, kind in own.items():
                options = (*MACHINES[setting_name][machine], "-M", f"{machine},{name}=")
                tried += self.tries(qemu, name, kind, *options)
        self.assertGreater(tried, 5)

    def test_of_machines(self):
        self.try_machines(ARM)

    def test_of_machines_of_arm64(self):
        self.try_machines(ARM64)

    def test_unknown_framebuffer_format(self):
        self.refuses(setting.needed(ARM), "-M", "am57xx,framebuffer-format=foo", words=["framebuffer-format", "foo", "r5g6b5"])

    def test_gpu_beyond_the_address_space(self):
        for value in ("0xFFFFFFFFFFFFF000", "0x100000000", "0x40000004"):
            self.refuses(setting.needed(ARM), "-M", f"gr5526,gpu-base={value}", words=["gpu-base", "0x1000", "4 GiB"])

    def test_invalid_framebuffer_sizes(self):
        qemu = setting.needed(ARM)
        for size in ("0x1", "1x0", "4294967295x4294967295", "99999999999x1", "-1x-1"):
            self.refuses(qemu, "-M", f"gr5526,framebuffer=0x20080000:{size}:rgb565", words=["framebuffer"])
            self.refuses(qemu, "-M", f"am57xx,framebuffer={size}", words=["framebuffer"])

    def test_values_that_vsa_cannot_express(self):
        qemu = setting.needed(I386)
        for name, value in (("output", 99), ("output", 8), ("panel", 9)):
            self.refuses(qemu, "-M", "pc", "-device", f"geode-lx-video,{name}={value}", words=[name, "0 to 7", str(value)])
        status, text = self.ends(qemu, "-M", "pc", "-device", "geode-lx-video,output=7,panel=7")
        self.assertEqual(status, 0, text)


class CaptureTest(Case):
    def captured(self, path):
        return end_of(setting.needed(ARM), self.out, "-M", "pixmill-test", "-global", f"vivante-gc.x-capture={path}")

    def test_into_a_file(self):
        path = self.path("capture")
        status, text = self.captured(path)
        self.assertEqual(status, 0, text)
        self.assertGreater(os.path.getsize(path), 8)

    def test_into_something_other_than_a_file(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        for path in (pipe, "/dev/null", "/dev/full", "/proc/self/mem", "/proc/self/clear_refs", self.out, "/no/such/folder"):
            status, text = self.captured(path)
            self.assertEqual(status, 1, f"{path}: {text}")
            self.assertIn("x-capture", text)

    def test_into_a_pipe_that_nobody_reads(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        status, text = self.captured(pipe)
        self.assertEqual(status, 1, text)


# Properties that no guest can see: properties that select how the work is done, test hooks, files, and the contents of
# memory before the reset. "connected" and "duty" are states of the device, which migrate.
UNSEEN = {"worker", "engine", "x-force-thread", "x-jit", "poll-min-us", "poll-max-us", "render-threads", "x-capture", "x-inject", "x-event",
          "x-walk", "work-time", "x-seed", "save", "save-at-exit", "chardev", "unrouted-raises", "max-width", "max-height", "duty", "connected"}
UNSEEN_OF_DISPLAY = {"address", "width", "height", "format"}  # gr5526-display: what it shows instead of the GPU's last target
UNSEEN_OF_MACHINES = {"framebuffer", "framebuffer-format", "vector-table", "virtio-nodes", "uart-compat", "x-high-ram", "cache-check",
                      "cache-check-file"}

# Values for properties that are neither numbers nor booleans; the device accepts one of them, and it is not the default.
OTHERS = {"fake-microkernel": ["init"], "model": ["gc2000-imx6q", "gc320-am57xx"]}
OTHERS_OF_MACHINES = {("gr5526", "gpu-base"): "0x50000000", ("pixmill-test", "model"): "gc2000-imx6q",
                      ("sabrelite", "chip"): "imx6qp",
                      ("imx8mp-evk", "gpu3d"): "gc7000-imx8mq", ("imx8mp-evk", "gpu2d"): "gc320-imx8mm",
                      **{(machine, name): "16K" for machine in ("gr5526", "imxrt1170") for name in ("dcache-size", "icache-size")}}
# Words in the error message if loading compares the size of RAM or the core's identity instead of the property itself.
SAYS = {"vram-size": "vram", "model": "vivante", "chip": "vivante", "gpu3d": "vivante", "gpu2d": "vivante"}


class StreamTest(Case):
    in_one_shard = True

    def values(self, name, kind, now):
        if kind in LIMITS:
            return [str(number) for number in (1, 2, 4, 1 << 10, 1 << 12, 1 << 24, 1 << 25, 1_000_000) if number != now]
        if kind in CHOICES:
            return [value for value in ("on", "off") if value != now and (value == "on") != now]
        return OTHERS.get(name, ["other"])

    def seen(self, qmp):
        """Returns ({(type, property): (kind, values in all devices)} for Pixmill's properties that a guest may see,
        {type: paths})."""
        common = {item["name"] for base in BASES for item in qmp.command("qom-list-properties", typename=base)}
        devices, found = {}, {}
        for path, kind in children(qmp):
            if kind in own_types():
                devices.setdefault(kind, []).append(path)
        for kind, paths in devices.items():
            for item in qmp.command("device-list-properties", typename=kind):
                name, type_ = item["name"], item["type"]
                unseen = common | UNSEEN | (UNSEEN_OF_DISPLAY if kind == "gr5526-display" else set())
                if name not in unseen and not name.startswith("stat-") and type_ in (*LIMITS, *CHOICES, *TEXTS):
                    found[kind, name] = type_, self.asked(qmp, paths, name)
        return found, devices

    @staticmethod
    def asked(qmp, paths, name):
        return [qmp.command("qom-get", path=path, property=name) for path in paths]

    def loaded(self, qemu, state, options, changed=lambda qmp: True):
        """Loads a state; returns (True if it was refused, message). Returns (None, message) if QEMU did not start or
        if nothing differs in it."""
        log = self.path("log")
        with contextlib.suppress(OSError, ValueError), open(log, "w", encoding="utf-8") as errors, \
                started(qemu, "-S", *options, "-incoming", "defer", stderr=errors) as (qmp, _):
            if not changed(qmp):
                return None, "the board sets it"
            qmp.command("migrate-incoming", uri="file:" + state, **{"exit-on-error": False})
            try:
                await_migration(qmp)
            except RuntimeError as error:
                with open(log, encoding="utf-8") as file:
                    return True, f"{error}\n{file.read()}"
            return False, "it was loaded"
        return None, ""

    def try_one(self, qemu, state, options, kind, name, type_, before, paths):
        """Returns false if the board sets the property itself, in which case the value cannot differ."""
        values = self.values(name, type_, before[0])
        for value in values:
            refused, text = self.loaded(qemu, state, [*options, "-global", f"driver={kind},property={name},value={value}"],
                                        lambda qmp: self.asked(qmp, paths, name) != before)
            if refused is None and text:
                return False
            if refused is not None:
                self.assertTrue(refused, f"{kind}.{name}={value}: {text}")
                self.assertIn(SAYS.get(name, name), text, f"{kind}.{name}={value}")
                return True
        self.fail(f"{kind}.{name} takes none of {values}: add one to OTHERS, or the property to UNSEEN")

    def try_all(self, setting_name):
        qemu, state, tried = setting.needed(setting_name), self.path("state"), set()
        for machine, more in MACHINES[setting_name].items():
            options = ["-M", machine, *more]
            with started(qemu, "-S", *options) as (qmp, _):
                found, devices = self.seen(qmp)
                save_state(qmp, state)
            for (kind, name), (type_, before) in found.items():
                if self.try_one(qemu, state, options, kind, name, type_, before, devices[kind]):
                    tried.add((kind, name))
        return tried

    def test_of_a_machine_with_other_properties(self):
        tried = self.try_all(ARM)
        for one in (("vivante-gc", "core-clock-hz"), ("geode-gp", "fb-base"), ("nema-gfx", "config-h"),
                    ("sgx544", "fake-microkernel")):
            self.assertIn(one, tried)

    def test_of_a_pc_with_other_properties(self):
        tried = self.try_all(I386)
        for one in (("geode-lx-video", "dma"), ("geode-display", "panel")):
            self.assertIn(one, tried)

    def try_machines(self, setting_name):
        qemu, state = setting.needed(setting_name), self.path("state")
        for machine, qmp, own in own_properties(setting_name):
            save_state(qmp, state)
            for name in sorted(set(own) - UNSEEN_OF_MACHINES):
                self.assertIn((machine, name), OTHERS_OF_MACHINES)
                options = (*MACHINES[setting_name][machine], "-M", f"{machine},{name}={OTHERS_OF_MACHINES[machine, name]}")
                refused, text = self.loaded(qemu, state, options)
                self.assertTrue(refused, f"{machine}.{name}: {text}")
                self.assertIn(SAYS.get(name, name), text, f"{machine}.{name}")

    def test_of_a_machine_with_other_machine_properties(self):
        self.try_machines(ARM)

    def test_of_an_arm64_machine_with_other_machine_properties(self):
        self.try_machines(ARM64)
