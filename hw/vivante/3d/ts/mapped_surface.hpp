// Maps whole surfaces for threads that must not map memory themselves.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/memory/mapped_memory.hpp"
#include "surface3d.hpp"
#include "ts.hpp"

namespace pixmill::vivante {

/// Maps memory within a limit that depends on the amount of work to be done there.
class MappingBudget {
public:
    explicit MappingBudget(uint64_t work);

    /// See MappedMemory::add(). Also returns false if the budget is exceeded or the range wraps.
    [[nodiscard]] bool add(MappedMemory& mapped, Memory& memory, uint64_t address, uint64_t length,
                           Access access);
    /// Maps the samples of a non-empty box and their tile status. Also returns false if samples
    /// that are written might overlap in memory.
    [[nodiscard]] bool add(MappedMemory& mapped, Memory& memory, const Surface3d& surface,
                           const TsSurface& status, const Box& box, Access access);

private:
    uint64_t room_; ///< bytes left
};

} // namespace pixmill::vivante
