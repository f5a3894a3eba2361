// Draws to targets of any format, pixel by pixel.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "pe.hpp"

namespace pixmill::vivante {

/// A ColorLoop for all formats, with sRGB. Slower than those in kernels.hpp.
void draw_numbers(const ColorSetup& setup, unsigned number, RenderTile& tile,
                  const LanePlaces& places, LaneMask lanes, const Vector& color);

} // namespace pixmill::vivante
