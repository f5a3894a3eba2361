// Values of states as text.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "vivante/state_row.hpp"

namespace pixmill::tools {

/// Describes a value by its nonzero fields, or as a real number. Empty for plain
/// words, addresses and strides.
std::string value_of(const vivante::StateRow& state, uint32_t word);
/// True for states that hold shader programs.
bool is_program(uint32_t address);

} // namespace pixmill::tools
