// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace guest {

// vector: has the GC355 of an i.MX6 draw, without a driver, and holds what it leaves against what
// the independent model draws of the same words. For a core that no driver has claimed.
int vector_command(int argc, char** argv);

} // namespace guest
