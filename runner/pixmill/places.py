# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things are: in a clone, or in an installed tree, which has its file "installed" and cannot be written to."""

import os

RUNNER = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
REPO = os.path.dirname(RUNNER)
SCRIPTS = os.path.join(REPO, "scripts")
BOARDS = os.path.join(REPO, "board-configs")
SUITES = os.path.join(REPO, "guest", "suites")
GOLDEN = os.path.join(REPO, "tests", "golden")
