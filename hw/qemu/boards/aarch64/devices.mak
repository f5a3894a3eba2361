# SPDX-License-Identifier: GPL-2.0-or-later
# The devices of the QEMU for aarch64 (scripts/qemu/build): the i.MX8M Plus, and what its guest needs to be spoken with and to
# have what scripts/run gives it.
CONFIG_FSL_IMX8MP_EVK=y
CONFIG_VIRTIO_9P=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_MMIO=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_SERIAL=y
