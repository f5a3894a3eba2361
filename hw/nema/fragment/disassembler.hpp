// Command lists as text.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace pixmill::nema {

/// What the pair (`word`, `value`) of a list does, on one line: its flags, the register by name,
/// and the value as what the register takes it for.
std::string describe_pair(uint32_t word, uint32_t value);

} // namespace pixmill::nema
