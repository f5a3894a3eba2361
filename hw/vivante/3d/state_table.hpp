// The states of the 3D blocks: what a write changes, and their names for traces, documents and
// tools.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "vivante/state_row.hpp"

namespace pixmill::vivante {

/// In rising order.
std::span<const StateRow> states_3d();
/// The row that has the word at `address`, or null.
const StateRow* find_3d_state(uint32_t address);

/// What the state at `address` holds after `value` is written over `old`. Mask bits themselves are
/// not kept: they read 0. A state that has none, or no row, takes the value as it is.
uint32_t masked_write(uint32_t address, uint32_t old, uint32_t value);

} // namespace pixmill::vivante
