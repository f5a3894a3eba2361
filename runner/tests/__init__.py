# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the runner, the scripts and the package. In the folder runner:

    python3 -m tests judge results         prints a line for each test, and the counts
    python3 -m unittest discover -s tests -t .

setting.py describes the environment variables that they need.
"""
