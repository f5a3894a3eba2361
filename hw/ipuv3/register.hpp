// A row of a register table.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/register.hpp"

namespace pixmill::ipuv3 {

class Ipu;

/// A register of a bank. `offset` is relative to the bank. A write handler is called after the word
/// is stored, with the value that the guest wrote.
struct Register : RegisterRow<Register, uint32_t (*)(const Ipu&, uint32_t offset),
                              void (*)(Ipu&, uint32_t offset, uint32_t value)> {};

} // namespace pixmill::ipuv3
