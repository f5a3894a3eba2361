// SPDX-License-Identifier: GPL-2.0-or-later
// Jobs that copy linear pictures of 32-bit pixels.
#pragma once

#include "device.hpp"

namespace guest {

// A place in a buffer. The offset and the stride are in bytes.
struct Place {
    uint32_t handle, offset, stride;
};

// Returns a job for the 2D core.
Job blit_job(Place to, Place from, uint32_t width, uint32_t height);

// Returns a job for the 3D core's resolver. The width must be a multiple of 16, and the height a
// multiple of 4 for each pixel pipe.
Job resolve_job(const Device& device, Place to, Place from, uint32_t width, uint32_t height);

} // namespace guest
