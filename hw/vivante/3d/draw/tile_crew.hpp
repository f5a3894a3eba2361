// The tiles of a draw, shared among threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "render/thread_pool.hpp"
#include "tile_bins.hpp"
#include "tile_painter.hpp"
#include "vivante/3d/ts/mapped_surface.hpp"

namespace pixmill::vivante {

/// Each tile is painted by one thread, primitives in their order, in memory that has been looked up
/// by the caller and where nothing can fail: so who paints which tile makes no difference.
class TileCrew {
public:
    /// Work below `share`, in bytes that are copied meanwhile, is not worth a thread.
    TileCrew(const Painting& painting, render::ThreadPool& pool, uint64_t share)
        : painting_(painting), pool_(pool), share_(share) {}

    unsigned threads() const { return pool_.threads(); }
    /// A slice of work or another draw begins: what has been looked up is void.
    void begin_slice();

    /// Whether all tiles from `first` on are to be shared, where there are `budget` bytes of work
    /// to spend. Looks up memory.
    [[nodiscard]] bool takes(const Tiles& tiles, uint32_t first, uint64_t budget,
                             const PixelMemory& memory);

    struct Outcome {
        uint32_t next = 0; ///< all tiles before this one are done
        DrawResult painted;
    };
    /// After takes(). Paints until all is done, or the budget is spent, or `interrupt` is set: what
    /// tiles have been begun is finished.
    Outcome paint(const Tiles& tiles, uint32_t first, uint64_t budget, const PixelMemory& memory,
                  const std::atomic<bool>& interrupt);

private:
    struct Member {
        MappedView texels, colors, depths;
        ShaderUnit unit;
        TilePainter painter;

        explicit Member(const TileCrew& crew)
            : texels(crew.texels_), colors(crew.colors_), depths(crew.depths_),
              painter(crew.painting_, unit) {}
    };
    class Job;

    uint32_t tiles_at_once() const { return painting_.plan.constant ? TilePainter::most_tiles : 1; }

    [[nodiscard]] bool look_up(const PixelMemory& memory, uint64_t work);
    [[nodiscard]] bool add_targets(MappingBudget& budget, const PixelMemory& memory);
    [[nodiscard]] bool add_surface(MappingBudget& budget, MappedMemory& mapped, Memory& memory,
                                   const Surface3d& surface, const TsSurface& status);
    [[nodiscard]] bool add_textures(MappingBudget& budget, Memory& memory);

    const Painting painting_;
    render::ThreadPool& pool_;
    const uint64_t share_;
    std::vector<std::unique_ptr<Member>> members_; ///< by thread
    enum class Looked : uint8_t { nowhere, found, failed } looked_ = Looked::nowhere;
    MappedMemory texels_, colors_, depths_;
};

} // namespace pixmill::vivante
