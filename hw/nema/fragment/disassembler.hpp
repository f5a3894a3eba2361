// Prints command lists as text.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace pixmill::nema {

/// Describes the pair (`word`, `value`) of a command list in one line: flags, register name, and
/// the value in that register's format.
std::string describe_pair(uint32_t word, uint32_t value);

} // namespace pixmill::nema
