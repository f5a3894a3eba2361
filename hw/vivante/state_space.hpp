// The state space that LOAD_STATE writes, and the owner of each range.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

/// Decides what the front end does with a loaded state.
enum class Owner : uint8_t {
    none,      ///< not documented: stored, logged
    alias,     ///< register addresses: no effect (galcore pads with such loads), except the MMU's
    stored,    ///< stored; the block reads the value when it works
    engine_2d, ///< 2D drawing engine: masked writes, triggers
    engine_3d, ///< 3D engine: masked writes, triggers; stored if the core has none
    gl,        ///< acted on by the front end
    dummy,     ///< discarded
};

Owner owner_of(uint32_t address);

/// Returns the state's name for traces. Words of the same kind share one; a state without a name
/// gets its block's.
const char* state_name(uint32_t address);

} // namespace pixmill::vivante
