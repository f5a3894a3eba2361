// Prints command lists as text.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace pixmill::nema {

/// Describes a list's pair (`word`, `value`) in one line: its flags, the name of the register, and
/// the value in the format of that register.
std::string describe_pair(uint32_t word, uint32_t value);

} // namespace pixmill::nema
