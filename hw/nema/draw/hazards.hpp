// Finds draws in which a pixel reads data that another pixel of the same draw has written.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "fragment_surfaces.hpp"

namespace pixmill::nema {

/// Returns true if pixels must be drawn one after another. Also keeps overlapping outputs
/// consistent. `surfaces` must be open.
bool find_hazards(const DrawSetup& setup, const FragmentProgram& program,
                  const render::Rect& bounds, FragmentSurfaces& surfaces, Memory& memory);

} // namespace pixmill::nema
