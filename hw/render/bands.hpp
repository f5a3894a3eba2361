// Large work, shared among threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "common/memory/mapped_memory.hpp"
#include "common/parallel/shared_range.hpp"
#include "common/parallel/shared_work.hpp"
#include "painter.hpp"

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
    uint64_t least_work() const { return shared_.least(); }

    /// Draws rows [first, first + count) of an operation that is valid, no line, and walked from
    /// the top. `count` grows by the rows that share chroma with the last one. False if rows may
    /// depend on each other or memory is in pieces: then nothing has been done.
    [[nodiscard]] bool draw(Memory& memory, const Operation& operation, uint32_t first,
                            uint32_t& count);

private:
    /// What a thread draws with.
    struct Slot {
        MappedView memory;
        Painter painter;
        Slot(const MappedMemory& mapped, const Kernels& kernels)
            : memory(mapped), painter(kernels) {}
    };

    [[nodiscard]] bool map_surfaces(Memory& memory);
    [[nodiscard]] bool map_surface(Memory& memory, const Surface& surface, Access access);
    void choose_height();
    void draw_some(unsigned number, SharedRange& range);

    const Kernels& kernels_;
    ThreadPool pool_;
    SharedWork shared_;
    std::vector<std::unique_ptr<Slot>> slots_; ///< by thread
    MappedMemory mapped_;

    Operation part_;      ///< the rows that are to be drawn
    uint64_t work_ = 0;   ///< of all of them
    uint32_t rows_ = 0;   ///< how many
    uint32_t height_ = 1; ///< of a band
    uint32_t ahead_ = 0;  ///< rows that the first band lacks
};

} // namespace pixmill::render
