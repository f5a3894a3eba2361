// Whether pixels of a draw read what others have written.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "fragment_surfaces.hpp"

namespace pixmill::nema {

/// True: they do, and have to be drawn one after another. `surfaces` are open; what they do about
/// outputs that overlap is settled, too.
bool find_hazards(const DrawSetup& setup, const FragmentProgram& program,
                  const render::Rect& bounds, FragmentSurfaces& surfaces, Memory& memory);

} // namespace pixmill::nema
