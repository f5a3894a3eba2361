# SPDX-License-Identifier: GPL-2.0-or-later
# Devices of the QEMU for i386 (scripts/qemu/build): a PC with the additions of a Geode LX, a VGA to boot with, and the virtio
# devices through which scripts/run talks to the guest.
CONFIG_I440FX=y
CONFIG_PIXMILL_GEODE_LX=y
CONFIG_VGA_PCI=y
CONFIG_VIRTIO_9P=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
