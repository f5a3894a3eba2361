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
/// first map all memory (MappedMemory) and check that no written byte is mapped twice (apart()).
/// Threads then take chunks (SharedRange) and draw into views (MappedView), and the caller flushes
/// the dirty ranges.
class SharedWork {
public:
    /// `share` is the minimum work that justifies another thread, as a number of bytes that could
    /// be copied in the same time. `pool` must outlive this object.
    SharedWork(ThreadPool& pool, uint64_t share) : pool_(pool), share_(share) {}

    unsigned threads() const { return pool_.threads(); }
    uint64_t share() const { return share_; }
    /// Returns the minimum work that justifies a second thread.
    uint64_t least() const { return 2 * share_; }

    /// Begins a slice of work, or a new job in the same slice. Mappings become invalid.
    void begin_slice() { mapped_ = Mapped::unknown; }
    /// Calls `map` once per slice of work; it maps all memory and returns true on success. Further
    /// calls in the same slice return the same result. Returns false if the host is out of memory.
    template<class Map>
    [[nodiscard]] bool map_once(const Map& map) {
        if (mapped_ == Mapped::unknown)
            mapped_ = guarded(false, map) ? Mapped::all : Mapped::failed;
        return mapped_ == Mapped::all;
    }

    /// Calls `part` on the caller's thread (number 0) and on as many helpers as `work` justifies.
    /// Returns after all calls have returned.
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
