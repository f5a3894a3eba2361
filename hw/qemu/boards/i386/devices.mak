# SPDX-License-Identifier: GPL-2.0-or-later
# The devices of the QEMU for i386 (scripts/qemu/build): a PC with what a Geode LX adds, and what its guest needs to
# boot, to be spoken with, and to have what scripts/run gives it.
CONFIG_I440FX=y
CONFIG_PIXMILL_GEODE_LX=y
CONFIG_VGA_PCI=y
CONFIG_VIRTIO_9P=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
