// SPDX-License-Identifier: GPL-2.0-or-later
// A draw whose shader never ends.
#pragma once

#include "device.hpp"

namespace guest {

// Returns a job for the 3D core of a GC2000 that draws one triangle into 64x64 pixels of 32 bits at
// the start of the target. Its vertex shader branches to itself. The vertices are 9 floats.
Job endless_draw_job(const Buffer& target, const Buffer& vertices);

} // namespace guest
