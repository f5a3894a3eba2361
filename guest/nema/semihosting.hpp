// What the debugger, here QEMU, does for a program: Arm's "Semihosting for AArch32 and AArch64".
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace semihosting {

void print(std::string_view text);
[[noreturn]] void exit(uint32_t status);
uint64_t nanoseconds(); ///< since some moment

/// Words behind the program's name.
std::string_view argument(uint32_t number);
/// One of them as a number in decimal digits, or `otherwise` where there is no such word.
uint32_t number(uint32_t argument, uint32_t otherwise);

bool save(std::string_view file, std::span<const uint8_t> bytes);

} // namespace semihosting
