// The promise of interrupt(), held against what draw() does.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/core.h"

namespace pixmill {

/// Notes that a draw() of `core`, of `family`, has done `work` between two looks at interrupt(). In
/// builds for tests (PIXMILL_CHECK_STEPS of hw/common/meson.build), more than
/// PIXMILL_MOST_DRAW_STEP ends the program; for users' guests, a draw that is late is better than
/// none.
void note_draw_step(PixmillCore& core, const char* family, uint64_t work);

} // namespace pixmill
