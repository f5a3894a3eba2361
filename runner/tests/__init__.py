# SPDX-License-Identifier: GPL-2.0-or-later
"""The tests of the runner, and of what stands around it. From its folder:

    python3 -m tests judge results         prints a line for each, and the counts
    python3 -m unittest discover -s tests -t .

What they need from outside: setting.py.
"""
