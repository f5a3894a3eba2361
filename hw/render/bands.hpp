// Large work, shared among threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "common/memory/mapped_memory.hpp"
#include "painter.hpp"
#include "thread_pool.hpp"

namespace pixmill::render {

struct BandConfig {
    unsigned threads = 1; ///< that draw, the caller's included
    /// Least work of a thread, in bytes that are copied meanwhile: 0.1 ms, which waking a thread up
    /// is worth.
    uint64_t share = 1 << 20;
    ThreadPool::Wait wait = ThreadPool::Wait::none;
};

/// Draws rows that do not depend on each other and whose memory is one span for each surface.
/// Threads use what is mapped and never call Memory. What they write is marked dirty when all are
/// done.
class Bands {
public:
    Bands(const Kernels& kernels, const BandConfig& config);

    unsigned threads() const { return pool_.threads(); }
    uint64_t least_work() const { return 2 * config_.share; }

    /// Draws rows [first, first + count) of an operation that is valid, no line, and walked from
    /// the top. `count` grows by the rows that share chroma with the last one. False if rows may
    /// depend on each other or memory is in pieces: then nothing has been done.
    [[nodiscard]] bool draw(Memory& memory, const Operation& operation, uint32_t first,
                            uint32_t& count);

private:
    /// What a thread draws with.
    struct Lane {
        MappedView memory;
        Painter painter;
        Lane(const MappedMemory& mapped, const Kernels& kernels)
            : memory(mapped), painter(kernels) {}
    };

    /// The rows that threads take bands of, one after the other.
    class Rows final : public ThreadPool::Job {
    public:
        explicit Rows(Bands& bands) : bands_(bands) {}
        void work(unsigned number) override { bands_.work(number); }

    private:
        Bands& bands_;
    };

    [[nodiscard]] bool map_surfaces(Memory& memory);
    [[nodiscard]] bool map_surface(Memory& memory, const Surface& surface, Access access);
    void choose_height();
    void work(unsigned number);

    const Kernels& kernels_;
    const BandConfig config_;
    ThreadPool pool_;
    std::vector<std::unique_ptr<Lane>> lanes_; ///< by thread
    MappedMemory mapped_;

    Operation part_;                 ///< the rows that are to be drawn
    uint64_t work_ = 0;              ///< of all of them
    uint32_t rows_ = 0;              ///< how many
    uint32_t height_ = 1;            ///< of a band
    uint32_t ahead_ = 0;             ///< rows that the first band lacks
    std::atomic<uint64_t> next_ = 0; ///< band that nobody has taken
};

} // namespace pixmill::render
