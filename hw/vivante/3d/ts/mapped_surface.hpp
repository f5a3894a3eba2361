// Surfaces that have been looked up as a whole, for threads that must not ask the host for more.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "surface3d.hpp"
#include "ts.hpp"
#include "vivante/3d/mapped_memory.hpp"

namespace pixmill::vivante {

/// Looks up memory, as much as the work that is to be done there is worth it.
class Lookup {
public:
    explicit Lookup(uint64_t work);

    /// See MappedMemory::add(). False also if it is too much.
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
