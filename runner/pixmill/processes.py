# SPDX-License-Identifier: GPL-2.0-or-later
"""How processes of ours begin and end."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent():
    """In the child: whoever kills this program, and leaves it no time to clean up, leaves no QEMU either."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def end_on_sigterm():
    """SIGTERM ends this program through its clean-up, which ends QEMU."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
