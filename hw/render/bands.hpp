// Shares large draws among threads.
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
    unsigned threads = 1; ///< threads that draw, including the caller's
    /// Minimum work per thread, in units of the time to copy one byte. The default is about 0.1 ms,
    /// which justifies waking a thread.
    uint64_t share = 1 << 20;
    ThreadPool::Wait wait = ThreadPool::Wait::none;
};

/// Draws rows on several threads, if rows are independent and each surface is a single host span.
/// The threads use the mapped pointers and never call Memory. Their writes are marked dirty when
/// all of them have finished.
class Bands {
public:
    Bands(const Kernels& kernels, const BandConfig& config);

    unsigned threads() const { return pool_.threads(); }
    uint64_t least_work() const { return shared_.least(); }

    /// Draws `count` rows, starting at row `first`. The operation must be valid, must not be a
    /// line, and must be drawn from the top. Increases `count` by the rows that share chroma with
    /// the last one. Returns false, having done nothing, if rows may depend on each other or a
    /// surface is not contiguous.
    [[nodiscard]] bool draw(Memory& memory, const Operation& operation, uint32_t first,
                            uint32_t& count);

private:
    /// State of one thread.
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
    std::vector<std::unique_ptr<Slot>> slots_; ///< indexed by thread number
    MappedMemory mapped_;

    Operation part_;      ///< the rows to draw
    uint64_t work_ = 0;   ///< total work of part_
    uint32_t rows_ = 0;   ///< number of rows of part_
    uint32_t height_ = 1; ///< rows per band
    uint32_t ahead_ = 0;  ///< how many rows the first band is shorter
};

} // namespace pixmill::render
