// Checks that draw() reacts to interrupt() in time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/core.h"

namespace pixmill {

/// Records that draw() of `core` did `work` bytes of work between two checks for interrupt(). Test
/// builds (PIXMILL_CHECK_STEPS in hw/common/meson.build) abort if `work` exceeds
/// PIXMILL_MOST_DRAW_STEP. Release builds only record it.
void note_draw_step(PixmillCore& core, const char* family, uint64_t work);

} // namespace pixmill
