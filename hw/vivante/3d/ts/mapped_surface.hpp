// Surfaces that have been looked up as a whole, for threads that must not ask the host for more.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/memory/mapped_memory.hpp"
#include "surface3d.hpp"
#include "ts.hpp"

namespace pixmill::vivante {

/// Maps memory, as much as the work that is to be done there is worth.
class MappingBudget {
public:
    explicit MappingBudget(uint64_t work);

    /// See MappedMemory::add(). False also if it is too much, or wraps.
    [[nodiscard]] bool add(MappedMemory& mapped, Memory& memory, uint64_t address, uint64_t length,
                           Access access);
    /// The samples of a box (not empty), and their tile status. False also if samples that are
    /// written may share memory.
    [[nodiscard]] bool add(MappedMemory& mapped, Memory& memory, const Surface3d& surface,
                           const TsSurface& status, const Box& box, Access access);

private:
    uint64_t room_; ///< bytes
};

} // namespace pixmill::vivante
