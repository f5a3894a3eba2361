# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests that a snapshot of the sabrelite restores banked registers and the UART's control registers, without a guest.

Covers Pixmill's patches to QEMU "target/arm: migrate the secure bank" and "hw/char/imx_serial: migrate UCR2".
"""

import contextlib
import os
import struct
import time

from pixmill.qmp import load_state, save_state
from tests import setting
from tests.bare import branch, fetch, load, mcr, mrc, started, store
from tests.files import Test

RAM = 0x10000000  # address of the sabrelite's RAM (imx6.h: FSL_IMX6_MMDC_ADDR)
SEEN = RAM + 0x100000  # where the program stores the values that it reads

# Banked registers of Armv7-A with Security Extensions that have no effect while the MMU is off and no exception is taken (Arm ARM
# DDI 0406C, table B3-33): (CRn, CRm, opc2).
BANKED = {"TTBR0": (2, 0, 0), "TTBR1": (2, 0, 1), "TTBCR": (2, 0, 2), "DACR": (3, 0, 0), "DFSR": (5, 0, 0), "IFSR": (5, 0, 1),
          "DFAR": (6, 0, 0), "IFAR": (6, 0, 2), "VBAR": (12, 0, 0), "CONTEXTIDR": (13, 0, 1), "TPIDRURW": (13, 0, 2),
          "TPIDRURO": (13, 0, 3), "TPIDRPRW": (13, 0, 4)}
SCR = (1, 1, 0)
SECURE, NON_SECURE = range(2)

# UART1's control registers 1 to 4 and their values: no reset (UCR2, SRST), receiver and transmitter enabled, no
# interrupts (i.MX6DQ reference manual, 64.14).
UART = 0x02020080
CONTROL = (0x0001, 0x4027, 0x0704, 0x8000)


def value_of(bank, number):
    """Returns a test value with implemented bits only: TTBCR has only the lowest three bits, VBAR all but the lowest
    five."""
    return bank + 1 if number == list(BANKED).index("TTBCR") else (bank + 1) << 20 | (number + 1) << 8


# The expected values, in the order in which the program stores them.
WRITTEN = {f"{name} of the {'non-' * bank}secure bank": value_of(bank, number)
           for bank in (SECURE, NON_SECURE) for number, name in enumerate(BANKED)}
WRITTEN.update({f"UCR{number} of the UART": value for number, value in enumerate(CONTROL, 1)})


MONITOR_MODE = [0xF1020016]  # CPS #22; in this mode, SCR.NS selects the bank
ADD_1_TO_R2 = [0xE2822001]


def program():
    """Returns a program that writes the registers of both banks and of the UART, then reads them in an endless loop
    and counts the iterations in the first word."""
    code = MONITOR_MODE + load(1, SEEN) + load(2, 0) + load(3, UART)
    for number, value in enumerate(CONTROL):
        code += load(0, value) + store(0, 4 * number, base=3)
    for bank in (SECURE, NON_SECURE):
        code += load(0, bank) + mcr(0, *SCR)
        for number, place in enumerate(BANKED.values()):
            code += load(0, value_of(bank, number)) + mcr(0, *place)
    loop = []
    for bank in (SECURE, NON_SECURE):
        loop += load(0, bank) + mcr(0, *SCR)
        for number, place in enumerate(BANKED.values()):
            loop += mrc(0, *place) + store(0, 4 * (1 + bank * len(BANKED) + number))
    for number in range(len(CONTROL)):
        loop += fetch(0, 4 * number, base=3) + store(0, 4 * (1 + 2 * len(BANKED) + number))
    loop += ADD_1_TO_R2 + store(2, 0)
    code += loop + branch(len(loop))
    return struct.pack(f"<{len(code)}I", *code)


# ---- QEMU --------------------------------------------------------------------------------------


@contextlib.contextmanager
def board(qemu, *options):
    """Starts a sabrelite and yields its QMP connection."""
    with started(qemu, "-M", "sabrelite", "-m", "64M", *options) as (qmp, _):
        yield qmp


def seen(qmp, out):
    """Returns (number of iterations, {name: value}) from the program's memory."""
    path = os.path.join(out, "seen")
    count = 1 + len(WRITTEN)
    qmp.command("pmemsave", **{"val": SEEN, "size": 4 * count, "filename": path})
    with open(path, "rb") as file:
        times, *values = struct.unpack(f"<{count}I", file.read())
    return times, dict(zip(WRITTEN, values))


def read_again(qmp, out, before):
    """Returns the number of iterations and the values after a complete iteration that started after iteration
    `before`."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        times, values = seen(qmp, out)
        if times >= before + 2:
            return times, values
        time.sleep(0.05)
    raise AssertionError("the program does not run")


def compare(values, verb):
    found = [f"{name} {verb} {values[name]:#x}, not {value:#x}" for name, value in WRITTEN.items() if values[name] != value]
    assert not found, "; ".join(found)


class SnapshotTest(Test):
    def test_all_is_restored(self):
        qemu = setting.needed("QEMU")
        path, state = self.path("program.bin"), self.path("state")
        with open(path, "wb") as file:
            file.write(program())
        with board(qemu, "-device", f"loader,file={path},addr={RAM},cpu-num=0") as qmp:
            _, values = read_again(qmp, self.out, 0)
            compare(values, "holds")
            qmp.command("stop")
            times, _ = seen(qmp, self.out)
            save_state(qmp, state)
        with board(qemu, "-incoming", "defer") as qmp:
            load_state(qmp, state)
            _, values = read_again(qmp, self.out, times)
        compare(values, "has after a restore")
