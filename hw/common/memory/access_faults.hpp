// Errors that are injected into a master's memory accesses.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace pixmill {

/// Counts accesses down to injected errors. Any thread may set the counts; only one at a time
/// counts.
class AccessFaults {
public:
    enum Kind : unsigned { fault, bus_error, kinds };

    /// Injects an error into the `nth` next access, or none if `nth` is 0.
    void set(Kind kind, uint64_t nth) { left_[kind].store(nth, std::memory_order_relaxed); }
    /// Returns the number of accesses to the error, or 0 if it has occurred.
    uint64_t left(Kind kind) const { return left_[kind].load(std::memory_order_relaxed); }
    bool any() const { return left(fault) || left(bus_error); }

    /// Counts an access. Returns true if it has the error.
    bool count(Kind kind) {
        uint64_t now = left(kind);
        // The count stays as it is if another thread has just set it.
        return now && left_[kind].compare_exchange_strong(now, now - 1) && now == 1;
    }

private:
    std::atomic<uint64_t> left_[kinds]{};
};

} // namespace pixmill
