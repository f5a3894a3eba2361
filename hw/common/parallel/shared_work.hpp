// Splits large work among threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/guard.hpp"
#include "thread_pool.hpp"

namespace pixmill {

/// Runs parts of a job on several threads. To keep the result independent of scheduling, callers
/// first map all memory (MappedMemory) and check that nothing written is mapped twice (apart()).
/// Threads then take chunks (SharedRange) and draw into views (MappedView), and the caller flushes
/// the dirty ranges.
class SharedWork {
public:
    /// `share` is the least work that is worth a thread, in bytes copied in the same time. `pool`
    /// must outlive this object.
    SharedWork(ThreadPool& pool, uint64_t share) : pool_(pool), share_(share) {}

    unsigned threads() const { return pool_.threads(); }
    uint64_t share() const { return share_; }
    /// The least work that is worth a second thread.
    uint64_t least() const { return 2 * share_; }

    /// Begins a slice of work, or other work: mappings become invalid.
    void begin_slice() { mapped_ = Mapped::unknown; }
    /// Calls `map`, which maps all memory and returns true on success, once per slice. Returns its
    /// result until the next slice. Returns false if the host is out of memory.
    template<class Map>
    [[nodiscard]] bool map_once(const Map& map) {
        if (mapped_ == Mapped::unknown)
            mapped_ = guarded(false, map) ? Mapped::all : Mapped::failed;
        return mapped_ == Mapped::all;
    }

    /// Calls `part` on the caller's thread (number 0) and on as many helpers as `work` is worth, at
    /// most all. Returns when all calls have returned.
    template<class Part>
    void run(uint64_t work, const Part& part) {
        Job<Part> job(part);
        const uint64_t worth = work ? (work - 1) / share_ : 0;
        pool_.run(job, unsigned(std::min<uint64_t>(worth, threads() - 1)));
    }

private:
    template<class Part>
    class Job final : public ThreadPool::Job {
    public:
        explicit Job(const Part& part) : part_(part) {}
        void work(unsigned number) override { part_(number); }

    private:
        const Part& part_;
    };

    ThreadPool& pool_;
    const uint64_t share_;
    enum class Mapped : uint8_t { unknown, all, failed } mapped_ = Mapped::unknown;
};

} // namespace pixmill
