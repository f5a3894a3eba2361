// The state space that LOAD_STATE writes: who owns which range.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

/// What the front end does with a word for a state address.
enum class Owner : uint8_t {
    none,   ///< not documented: stored, logged
    alias,  ///< addresses of registers: no effect (galcore pads with such loads), but for the MMU's
    stored, ///< a block that only looks at the value when it works
    engine_2d, ///< 2D drawing engine: masked writes, triggers
    engine_3d, ///< 3D engine: likewise; stored where the core has none
    gl,        ///< acted on by the front end
    dummy,     ///< discarded
};

Owner owner_of(uint32_t address);

/// Name of a state for traces; words of the same kind share one. A range name where it has none of
/// its own.
const char* state_name(uint32_t address);

} // namespace pixmill::vivante
