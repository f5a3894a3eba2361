// Numbers that several threads work off together.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace pixmill {

/// Threads take pieces until there are no more, one has done its share, or `interrupt` is set.
/// Pieces that are taken are finished: what is done is always the first numbers.
class SharedRange {
public:
    /// From `first` up to `end`, in pieces of `step`; `share` is a thread's work.
    SharedRange(uint32_t first, uint32_t end, uint32_t step, uint64_t share,
                const std::atomic<bool>& interrupt)
        : end_(end), step_(step), share_(share), interrupt_(interrupt), next_(first) {}

    struct Piece {
        uint32_t first = 0, end = 0;
        explicit operator bool() const { return first < end; }
    };
    /// Empty if nothing is left to be done.
    Piece take() {
        if (stop_.load(std::memory_order_relaxed))
            return {};
        const uint64_t first = next_.fetch_add(step_, std::memory_order_relaxed);
        return first < end_ ? Piece{uint32_t(first), upto(first + step_)} : Piece{};
    }
    /// A thread has done so much by now.
    void has_worked(uint64_t work) {
        if (work >= share_ || interrupt_.load(std::memory_order_relaxed))
            stop_.store(true, std::memory_order_relaxed);
    }
    /// All numbers before this one are taken.
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
