// Reads bytes of guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/memory/memory.hpp"

namespace pixmill::vivante {

/// Reads bytes span by span. Addresses wrap at 32 bits. On a fault, returns false and clears the
/// rest.
[[nodiscard]] bool read_guest(Memory& memory, uint64_t from, std::span<std::byte> to);

} // namespace pixmill::vivante
