// Common base class of a bus master's views of guest memory.
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

/// Guest memory accessed through a Bus. Mappings are valid during a slice of work, from begin() to
/// end().
class MasterMemory : public Memory {
public:
    /// Ends the slice of work and reports all dirty ranges to the host.
    void end() { dirty_.flush(); }

    /// Returns the errors since the last call.
    [[nodiscard]] AccessErrors take_errors() { return std::exchange(errors_, {}); }
    /// Return the number of bytes marked dirty and the cost of mapping since the last call.
    uint64_t take_written() { return std::exchange(written_, 0); }
    int64_t take_cost() { return int64_t(cost_ - std::exchange(taken_cost_, cost_)); }

protected:
    /// cost() grows by `map_cost` for each mapping by the host and by `dirty_cost` for each dirty
    /// range reported. For `merged`, see DirtyLog; for `reads`, Bus.
    MasterMemory(const Host& host, uint64_t map_cost, uint64_t dirty_cost, uint64_t merged,
                 PixmillTransfer reads = PIXMILL_TRANSFER_READ)
        : bus_(host, &cost_, map_cost, reads), dirty_(host, merged, &cost_, dirty_cost) {}
    ~MasterMemory() = default;

    Bus bus_;
    DirtyLog dirty_;
    AccessErrors errors_;
    uint64_t written_ = 0;

private:
    uint64_t taken_cost_ = 0;
};

} // namespace pixmill
