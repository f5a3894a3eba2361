// Parts that the guest memory of all masters has.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <utility>

#include "access_errors.hpp"
#include "bus.hpp"
#include "dirty_log.hpp"
#include "memory.hpp"

namespace pixmill {

/// Guest memory that ends at a Bus. Mappings are good for a slice of work, from the begin() of a
/// view to end().
class MasterMemory : public Memory {
public:
    /// The slice ends: the host knows of all that was written.
    void end() { dirty_.flush(); }

    /// Since the last call.
    [[nodiscard]] AccessErrors take_errors() { return std::exchange(errors_, {}); }
    /// Bytes that were marked dirty, and what lookups have cost, since the last call.
    uint64_t take_written() { return std::exchange(written_, 0); }
    int64_t take_cost() { return int64_t(cost_ - std::exchange(taken_cost_, cost_)); }

protected:
    /// cost() grows by these each time the host looks for memory, and each time it marks dirty
    /// bytes. `merged`: see DirtyLog.
    MasterMemory(const Host& host, uint64_t map_cost, uint64_t dirty_cost, uint64_t merged)
        : bus_(host, &cost_, map_cost), dirty_(host, merged, &cost_, dirty_cost) {}
    ~MasterMemory() = default;

    Bus bus_;
    DirtyLog dirty_;
    AccessErrors errors_;
    uint64_t written_ = 0;

private:
    uint64_t taken_cost_ = 0;
};

} // namespace pixmill
