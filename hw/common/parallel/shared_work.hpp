// Large work that threads share.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/guard.hpp"
#include "thread_pool.hpp"

namespace pixmill {

/// The order in which work is shared: all memory is mapped (MappedMemory), nothing that is written
/// is mapped a second time (apart()), threads take pieces (SharedRange) and draw in views
/// (MappedView), and the caller flushes what is dirty. Then it makes no difference who does what.
class SharedWork {
public:
    /// Work below `share`, in bytes that are copied meanwhile, is not worth a thread. `pool`
    /// outlives it.
    SharedWork(ThreadPool& pool, uint64_t share) : pool_(pool), share_(share) {}

    unsigned threads() const { return pool_.threads(); }
    uint64_t share() const { return share_; }
    /// The least work that is worth a second thread.
    uint64_t least() const { return 2 * share_; }

    /// A slice of work, or other work, begins: what is mapped is void.
    void begin_slice() { mapped_ = Mapped::unknown; }
    /// Calls `map` the first time in a slice; it maps all memory and returns whether it could.
    /// Returns the same until the next slice; false also if there is no memory to do so.
    template<class Map>
    [[nodiscard]] bool map_once(const Map& map) {
        if (mapped_ == Mapped::unknown)
            mapped_ = guarded(false, map) ? Mapped::all : Mapped::failed;
        return mapped_ == Mapped::all;
    }

    /// Calls `part` with the number of each thread that helps: 0, the caller's, and as many more
    /// as `work` is worth; none for no work. Returns when all have returned.
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
