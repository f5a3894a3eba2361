// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "commands.hpp"

namespace guest {

// crossbar selectors: checks the registers of the AM57xx's crossbar and of the GIC against
// /proc/interrupts. crossbar count SOURCE JOBS: submits jobs to the 2D core, each of which must
// raise one interrupt from that source.
int crossbar_command(Words words);

} // namespace guest
