#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tuxrun with Pixmill's boards as devices: "pixmill_tuxrun.py --device qemu-pixmill-sabrelite --kernel ... --rootfs ...".

All options are those of tuxrun. Kernel, device tree and rootfs (the initramfs, whose name must end in ".cpio" or
contain "ramdisk") are those of an exported guest. Either --qemu-binary names Pixmill's QEMU, or ci/qemu-system-arm
(-aarch64) is first on the PATH with "--runtime null". tuxrun finds devices by their class, so importing this module
is sufficient.
"""

import sys

from tuxlava.devices.qemu import QemuDevice


class PixmillDevice(QemuDevice):
    arch = "armv7"
    lava_arch = "arm"
    enable_network = False

    def validate(self, dtb=None, **kwargs):
        """Allows a device tree; tuxrun itself rejects one for QEMU devices."""
        super().validate(dtb=None, **kwargs)


class PixmillSabrelite(PixmillDevice):
    name = "qemu-pixmill-sabrelite"
    machine = "sabrelite"
    cpu = "cortex-a9"
    memory = "1G"
    console = "ttymxc1"
    extra_options = ["-smp 2", "-no-reboot", "-serial null", "-serial stdio"]
    extra_boot_args = "panic=-1 cma=64M"


class PixmillAm57xx(PixmillDevice):
    name = "qemu-pixmill-am57xx"
    machine = "am57xx,framebuffer=1024x768"
    cpu = "cortex-a15"
    memory = "512M"
    console = "ttyS0"
    extra_options = ["-smp 2", "-no-reboot", "-serial stdio"]
    extra_boot_args = "panic=-1 cma=64M"


class PixmillImx8mp(PixmillDevice):
    name = "qemu-pixmill-imx8mp"
    arch = "arm64"
    lava_arch = "aarch64"
    machine = "imx8mp-evk"
    cpu = "cortex-a53"
    memory = "1G"
    console = "ttymxc1"
    extra_options = ["-smp 2", "-no-reboot", "-serial null", "-serial stdio"]
    extra_boot_args = "panic=-1 cma=64M"


if __name__ == "__main__":
    from tuxrun.__main__ import main  # start() does nothing unless tuxrun is the main program

    sys.exit(main())
