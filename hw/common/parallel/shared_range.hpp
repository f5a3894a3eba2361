// A range of indices that several threads process together.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace pixmill {

/// Threads take chunks until none are left, one thread has done its share of the work, or
/// `interrupt` is set. A thread always finishes the chunk that it took, so the processed indices
/// are contiguous from `first`.
class SharedRange {
public:
    /// Divides `first` to `end` - 1 into chunks of `step` indices. All threads stop when one of
    /// them has done `share` work.
    SharedRange(uint32_t first, uint32_t end, uint32_t step, uint64_t share,
                const std::atomic<bool>& interrupt)
        : end_(end), step_(step), share_(share), interrupt_(interrupt), next_(first) {}

    struct Chunk {
        uint32_t first = 0, end = 0;
        explicit operator bool() const { return first < end; }
    };
    /// Returns an empty chunk if there is no work left.
    Chunk take() {
        if (stop_.load(std::memory_order_relaxed))
            return {};
        const uint64_t first = next_.fetch_add(step_, std::memory_order_relaxed);
        return first < end_ ? Chunk{uint32_t(first), upto(first + step_)} : Chunk{};
    }
    /// Reports the total work of the calling thread.
    void has_worked(uint64_t work) {
        if (work >= share_ || interrupt_.load(std::memory_order_relaxed))
            stop_.store(true, std::memory_order_relaxed);
    }
    /// All indices below this one have been taken.
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
