// The blocks of a resolve, shared among threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/memory/mapped_memory.hpp"
#include "render/thread_pool.hpp"
#include "rs.hpp"

namespace pixmill::vivante {

/// Each block is copied by one thread, in memory that has been looked up by the caller and where
/// nothing can fail, to where nothing else is read: so who copies which block makes no difference.
class ResolveCrew {
public:
    /// Work below `share`, in bytes that are copied meanwhile, is not worth a thread.
    ResolveCrew(const Resolve& resolve, render::ThreadPool& pool, uint64_t share)
        : resolve_(resolve), pool_(pool), share_(share) {}

    /// A slice of work or another resolve begins: what has been looked up is void.
    void begin_slice() { looked_ = Looked::nowhere; }

    /// Whether blocks from `position` on are to be shared, where there are `budget` bytes of work
    /// to spend. Looks up memory.
    [[nodiscard]] bool takes(Memory& memory, uint32_t position, uint64_t budget);

    /// After takes(). As Resolve::run(), but also until `interrupt` is set: what has been begun is
    /// finished.
    Resolve::Progress run(Memory& memory, uint32_t position, uint64_t budget,
                          const std::atomic<bool>& interrupt);

private:
    struct Member {
        MappedView memory;
        Resolve resolve;
        Resolve::Progress progress;

        explicit Member(const MappedMemory& mapped) : memory(mapped) {}
    };
    class Job;

    [[nodiscard]] bool look_up(Memory& memory, uint32_t rectangle, uint64_t work);

    const Resolve& resolve_;
    render::ThreadPool& pool_;
    const uint64_t share_;
    std::vector<std::unique_ptr<Member>> members_; ///< by thread
    enum class Looked : uint8_t { nowhere, found, failed } looked_ = Looked::nowhere;
    uint32_t rectangle_ = 0; ///< that has been looked up
    MappedMemory mapped_;
};

} // namespace pixmill::vivante
