// Semihosting calls, which QEMU implements (Arm, "Semihosting for AArch32 and AArch64").
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace semihosting {

void print(std::string_view text);
[[noreturn]] void exit(uint32_t status);
uint64_t nanoseconds(); ///< monotonic, from an arbitrary origin

/// Returns a word of the command line; word 0 is the program's name.
std::string_view argument(uint32_t number);
/// Returns an argument as a decimal number, or `otherwise` if there is none.
uint32_t number(uint32_t argument, uint32_t otherwise);

bool save(std::string_view file, std::span<const uint8_t> bytes);

} // namespace semihosting
