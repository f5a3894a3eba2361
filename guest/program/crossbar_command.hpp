// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace guest {

// crossbar selectors: holds the registers of the AM57xx's crossbar and the GIC against
// /proc/interrupts. crossbar count SOURCE JOBS: gives the 2D core jobs, each of which must raise
// one interrupt of that source.
int crossbar_command(int argc, char** argv);

} // namespace guest
