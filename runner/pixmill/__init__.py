# SPDX-License-Identifier: GPL-2.0-or-later
"""The runner: boots guests on QEMU's boards, runs suites and programs in them, and judges the results."""
