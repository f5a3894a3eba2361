# SPDX-License-Identifier: GPL-2.0-or-later
"""Who wakes up for a guest's clock, without a guest: usage: test_ticks.py QEMU-ARM QEMU-I386 OUT

Our patch of QEMU, "system/cpus: a halted processor waits for the timers". QEMU-I386 may be empty. Prints a line for each case
and, last, the counts.
"""

import contextlib
import os
import re
import struct
import sys
import time

import cases
from bare import branch, load, mcr, started, store

# A boot sector sets the PIT to 250 ticks a second, as Linux does, and the BIOS counts them (Intel 8254: control word 34h is
# counter 0, both bytes, mode 2; 1,193,182 Hz / 4773). SeaBIOS starts it with DS = 0.
TICKS, BEGUN = 0x46C, 0x500  # where the BIOS counts, and what the sector sets
SET_CLOCK = bytes([0xB0, 0x34, 0xE6, 0x43,  # mov al, 34h; out 43h, al
                   0xB8, 0xA5, 0x12,  # mov ax, 4773
                   0xE6, 0x40, 0x88, 0xE0, 0xE6, 0x40,  # out 40h, al; mov al, ah; out 40h, al
                   0xC6, 0x06, 0x00, 0x05, 0x01,  # mov byte [500h], 1
                   0xFB])  # sti
HALTS = bytes([0xF4, 0xEB, 0xFD])  # again: hlt; jmp again
BUSY = bytes([0xF4,  # again: hlt
              0xA1, 0x6C, 0x04, 0x05, 0x08, 0x00,  # mov ax, [46Ch]; add ax, 8
              0x3B, 0x06, 0x6C, 0x04, 0x75, 0xFA,  # spin: cmp ax, [46Ch]; jne spin
              0xEB, 0xF1])  # jmp again

# The first processor of "virt" (hw/arm/virt.c: RAM, the GIC) sets its virtual timer anew each time, 4 ms ahead (of 16 ns), works
# for 3 ms, and waits: a pending interrupt ends a WFI even if it is masked (Arm ARM DDI 0406C, B1.8.14).
PROGRAM, COUNT = 0x40800000, 0x40900000  # behind the device tree
DISTRIBUTOR, INTERFACE = 0x08000000, 0x08010000
CNTV_TVAL, CNTV_CTL = (14, 3, 0), (14, 3, 1)
WFI, ADD_1_TO_R4 = 0xE320F003, 0xE2844001
AGAIN = [*mcr(2, *CNTV_TVAL), 0xEC565F1E,  # mrrc p15, 1, r5, r6, c14: CNTVCT
         0xEC587F1E, 0xE0477005, 0xE1570009, 0x3AFFFFFB,  # spin: mrrc p15, 1, r7, r8, c14; sub r7, r5; cmp r7, r9; blo spin
         WFI, ADD_1_TO_R4, *store(4, 0, base=3)]
SET_TIMER = [*load(0, DISTRIBUTOR), *load(1, 1), *store(1, 0, base=0),  # GICD_CTLR
             *load(1, 1 << 27), *store(1, 0x100, base=0),  # GICD_ISENABLER0: the virtual timer's PPI
             *load(0, INTERFACE), *load(1, 1), *store(1, 0, base=0), *load(1, 0xFF), *store(1, 4, base=0),  # GICC_CTLR, GICC_PMR
             *load(2, 4000000 // 16), *load(9, 3000000 // 16), *load(3, COUNT), *load(4, 0),
             *mcr(2, *CNTV_TVAL), *load(1, 1), *mcr(1, *CNTV_CTL), *AGAIN, *branch(len(AGAIN))]


class Clock:
    """What counts the guest's ticks, and QEMU's main loop."""

    def __init__(self, qmp, pid, count):
        self.qmp = qmp
        self.pid = pid
        self.count = count

    def word(self, address):
        said = self.qmp.command("human-monitor-command", **{"command-line": f"xp /1wd {address:#x}"})
        return int(said.split(":")[1])

    def wait_for(self, address):
        end = time.monotonic() + 60
        while not self.word(address):
            assert time.monotonic() < end, "the program does not run"
            time.sleep(0.05)

    def wakes(self):
        """How often the main loop has slept."""
        with open(f"/proc/{self.pid}/task/{self.pid}/status", encoding="ascii") as file:
            return int(re.search(r"(?m)^voluntary_ctxt_switches:\s*(\d+)", file.read())[1])

    def look(self, seconds):
        """(ticks, wakes of the main loop) while nobody asks."""
        ticks, wakes = self.word(self.count), self.wakes()
        time.sleep(seconds)
        wakes = self.wakes() - wakes
        return self.word(self.count) - ticks, wakes


@contextlib.contextmanager
def board(qemu, count, begun, *options):
    with started(qemu, "-m", "16M", *options) as (qmp, process):
        clock = Clock(qmp, process.pid, count)
        clock.wait_for(begun)
        yield clock


def pc(qemus, out, program):
    if not qemus["i386"]:
        raise cases.Skip("no board that is a PC is tested")
    path = os.path.join(out, "boot.img")
    with open(path, "wb") as file:
        file.write((SET_CLOCK + program).ljust(510, b"\0") + b"\x55\xaa")
    return board(qemus["i386"], TICKS, BEGUN, "-M", "pc", "-cpu", "pentium3",
                 "-drive", f"file={path.replace(',', ',,')},format=raw,snapshot=on")


def two_arms(qemus, out):
    """The second one is off."""
    path = os.path.join(out, "program.bin")
    with open(path, "wb") as file:
        file.write(struct.pack(f"<{len(SET_TIMER)}I", *SET_TIMER))
    return board(qemus["arm"], COUNT, COUNT, "-M", "virt", "-cpu", "cortex-a15", "-smp", "2",
                 "-device", f"loader,file={path.replace(',', ',,')},addr={PROGRAM},cpu-num=0")


def some_look_is(clock, is_right):
    """A host that disturbs QEMU spoils some."""
    looks = []
    end = time.monotonic() + 60
    while time.monotonic() < end:
        looks.append(clock.look(2))
        if is_right(*looks[-1]):
            return
    raise AssertionError(f"(ticks, wakes of the main loop): {looks}")


def the_main_loop_sleeps_while_a_processor_halts(qemus, out):
    with pc(qemus, out, HALTS) as clock:
        some_look_is(clock, lambda ticks, wakes: ticks >= 250 and wakes < ticks / 4)


def the_main_loop_has_the_timers_of_a_busy_processor(qemus, out):
    """Eight ticks come while the processor spins, then it halts for one. Nobody else would wake the main loop."""
    with pc(qemus, out, BUSY) as clock:
        some_look_is(clock, lambda ticks, wakes: ticks >= 250 and wakes >= ticks / 2)


def ticks_go_on_beside_a_processor_that_is_off(qemus, out):
    """Once it was stopped, it waits for the timer while the other one works. A timer that has expired is due at INT64_MAX until
    the guest sets it anew (target/arm/helper.c, gt_recalc_timer())."""
    with two_arms(qemus, out) as clock:
        for _ in range(10):
            clock.qmp.command("stop")
            clock.qmp.command("cont")
            time.sleep(0.02)
        some_look_is(clock, lambda ticks, _: ticks >= 100)


CASES = (the_main_loop_sleeps_while_a_processor_halts, the_main_loop_has_the_timers_of_a_busy_processor,
         ticks_go_on_beside_a_processor_that_is_off)


def main():
    qemu_arm, qemu_i386, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    return cases.run("ticks", CASES, {"arm": qemu_arm, "i386": qemu_i386}, out)


if __name__ == "__main__":
    sys.exit(main())
