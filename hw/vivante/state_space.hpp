// State space that LOAD_STATE writes to, and the owner of each range of it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

/// Selects what the front end does with a loaded state.
enum class Owner : uint8_t {
    none,   ///< undocumented: stored, and logged
    alias,  ///< register addresses: only MMU states have an effect (galcore pads with such loads)
    stored, ///< stored; the block reads the value when it draws
    engine_2d, ///< 2D engine: masked writes, triggers
    engine_3d, ///< 3D engine: masked writes, triggers; stored if the core has none
    gl,        ///< handled by the front end
    dummy,     ///< discarded
};

Owner owner_of(uint32_t address);

/// Returns the state's name for traces. Consecutive words of the same kind share a name. A state
/// without a name gets the name of its block.
const char* state_name(uint32_t address);

} // namespace pixmill::vivante
