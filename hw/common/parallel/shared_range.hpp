// A range of numbers that several threads work on together.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace pixmill {

/// Threads take chunks until none is left, one of them has done its share, or `interrupt` is set. A
/// chunk that was taken is always finished, so the finished numbers are contiguous from `first`.
class SharedRange {
public:
    /// Numbers from `first` to `end` - 1 in chunks of `step`. `share` is the work limit of a
    /// thread.
    SharedRange(uint32_t first, uint32_t end, uint32_t step, uint64_t share,
                const std::atomic<bool>& interrupt)
        : end_(end), step_(step), share_(share), interrupt_(interrupt), next_(first) {}

    struct Chunk {
        uint32_t first = 0, end = 0;
        explicit operator bool() const { return first < end; }
    };
    /// Returns an empty chunk if there is nothing left to do.
    Chunk take() {
        if (stop_.load(std::memory_order_relaxed))
            return {};
        const uint64_t first = next_.fetch_add(step_, std::memory_order_relaxed);
        return first < end_ ? Chunk{uint32_t(first), upto(first + step_)} : Chunk{};
    }
    /// Called by a thread with the total work that it has done.
    void has_worked(uint64_t work) {
        if (work >= share_ || interrupt_.load(std::memory_order_relaxed))
            stop_.store(true, std::memory_order_relaxed);
    }
    /// All numbers below this one have been taken.
    uint32_t next() const { return upto(next_.load()); }

private:
    uint32_t upto(uint64_t number) const { return uint32_t(std::min<uint64_t>(number, end_)); }

    const uint32_t end_, step_;
    const uint64_t share_;
    const std::atomic<bool>& interrupt_;
    std::atomic<uint64_t> next_;
    std::atomic<bool> stop_ = false;
};

} // namespace pixmill
