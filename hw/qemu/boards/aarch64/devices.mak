# SPDX-License-Identifier: GPL-2.0-or-later
# Devices of the QEMU for aarch64 (scripts/qemu/build): the i.MX8M Plus, and the virtio devices through which scripts/run gives
# its guest a console, disks, folders and a network.
CONFIG_FSL_IMX8MP_EVK=y
CONFIG_VIRTIO_9P=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_MMIO=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_SERIAL=y
