// Copies the blocks of a resolve on several threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/memory/mapped_memory.hpp"
#include "common/parallel/shared_work.hpp"
#include "rs.hpp"

namespace pixmill::vivante {

/// Each block is copied by a single thread, in memory that was mapped beforehand and cannot fault.
/// Nothing is read from the destination. Therefore the result does not depend on which thread
/// copies which block.
class ParallelResolve {
public:
    /// `share` is the minimum work that justifies a thread, in memcpy-equivalent bytes.
    ParallelResolve(const Resolve& resolve, ThreadPool& pool, uint64_t share)
        : resolve_(resolve), shared_(pool, share) {}

    /// Forgets mapped memory. Call this when a slice of work or a new resolve begins.
    void begin_slice() { shared_.begin_slice(); }

    /// Returns true, after mapping their memory, if the blocks starting at `position` should be
    /// copied by several threads. `budget` is the remaining work, in memcpy-equivalent bytes.
    [[nodiscard]] bool takes(Memory& memory, uint32_t position, uint64_t budget);

    /// Like Resolve::run(), but also stops when `interrupt` is set, after finishing the blocks that
    /// it has begun. Requires that takes() returned true.
    Resolve::Progress run(Memory& memory, uint32_t position, uint64_t budget,
                          const std::atomic<bool>& interrupt);

private:
    /// Resources of one thread.
    struct Slot {
        MappedView memory;
        Resolve resolve;
        Resolve::Progress progress;

        explicit Slot(const MappedMemory& mapped) : memory(mapped) {}
    };

    [[nodiscard]] bool map_all(Memory& memory, uint32_t rectangle, uint64_t work);

    const Resolve& resolve_;
    SharedWork shared_;
    std::vector<std::unique_ptr<Slot>> slots_; ///< one per thread
    uint32_t rectangle_ = 0;                   ///< the rectangle that is mapped
    MappedMemory mapped_;
};

} // namespace pixmill::vivante
