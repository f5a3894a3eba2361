// Table of the 3D states: effects of writes, and names for traces, documents and tools.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "vivante/state_row.hpp"

namespace pixmill::vivante {

/// Returns all rows, sorted by address.
std::span<const StateRow> states_3d();
/// Returns the row that contains the word at `address`, or null.
const StateRow* find_3d_state(uint32_t address);

/// Returns the value of the state at `address` after `value` is written over `old`. Mask bits are
/// not stored, and read 0. A state that has no mask bits or no row takes `value` unchanged.
uint32_t masked_write(uint32_t address, uint32_t old, uint32_t value);

} // namespace pixmill::vivante
