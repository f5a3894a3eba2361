# SPDX-License-Identifier: GPL-2.0-or-later
"""The runner: boots guests on boards in QEMU, runs suites and programs there, and judges them."""
