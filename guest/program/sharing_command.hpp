// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "commands.hpp"

namespace guest {

// Shares buffers between etnaviv and displays, given by their drivers.
//
// sharing pairs DISPLAY...: each device exports buffers, and each other device imports them.
// sharing rounds COUNT DISPLAY: makes, shares, draws and releases buffers, and looks for leaks.
// sharing fences STEPS: orders jobs of the 2D and the 3D core with sync files only.
// sharing frames COUNT DISPLAY [hold]: orders jobs and flips of the display with sync files only.
// With "hold", shows the last frame until a signal ends the program.
// sharing modifiers DISPLAY: tries to show buffers in layouts of the 3D core.
int sharing_command(Words words);

} // namespace guest
