// The blocks of a resolve, shared among threads.
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

/// Each block is copied by one thread, in memory that the caller has mapped and where nothing can
/// fail, to where nothing else is read: so who copies which block makes no difference.
class ParallelResolve {
public:
    /// Work below `share`, in bytes that are copied meanwhile, is not worth a thread.
    ParallelResolve(const Resolve& resolve, ThreadPool& pool, uint64_t share)
        : resolve_(resolve), shared_(pool, share) {}

    /// A slice of work or another resolve begins: what is mapped is void.
    void begin_slice() { shared_.begin_slice(); }

    /// Whether blocks from `position` on are to be shared, where there are `budget` bytes of work
    /// to spend. Maps memory.
    [[nodiscard]] bool takes(Memory& memory, uint32_t position, uint64_t budget);

    /// After takes(). As Resolve::run(), but also until `interrupt` is set: what has been begun is
    /// finished.
    Resolve::Progress run(Memory& memory, uint32_t position, uint64_t budget,
                          const std::atomic<bool>& interrupt);

private:
    /// What a thread works with.
    struct Slot {
        MappedView memory;
        Resolve resolve;
        Resolve::Progress progress;

        explicit Slot(const MappedMemory& mapped) : memory(mapped) {}
    };

    [[nodiscard]] bool map_all(Memory& memory, uint32_t rectangle, uint64_t work);

    const Resolve& resolve_;
    SharedWork shared_;
    std::vector<std::unique_ptr<Slot>> slots_; ///< by thread
    uint32_t rectangle_ = 0;                   ///< that is mapped
    MappedMemory mapped_;
};

} // namespace pixmill::vivante
