// Draws the tiles of a batch on several threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/parallel/shared_range.hpp"
#include "common/parallel/shared_work.hpp"
#include "tile_bins.hpp"
#include "tile_painter.hpp"
#include "vivante/3d/ts/mapped_surface.hpp"

namespace pixmill::vivante {

/// Each tile is painted by a single thread, which draws the tile's primitives in order, in memory
/// that was mapped beforehand and cannot fault. Therefore the result does not depend on which
/// thread paints which tile.
class ParallelTiles {
public:
    /// `share` is the minimum work that justifies a thread, in memcpy-equivalent bytes.
    ParallelTiles(const DrawContext& context, ThreadPool& pool, uint64_t share)
        : context_(context), shared_(pool, share) {}

    /// Forgets mapped memory. Call this when a slice of work or a new draw begins.
    void begin_slice() { shared_.begin_slice(); }

    /// Returns the smallest budget with which takes() can return true.
    uint64_t least() const { return shared_.least(); }

    /// Returns the maximum number of pixels in a tile that a thread may draw without checking for
    /// interrupts. Unlimited if passes cannot make the work short enough. Depends only on the draw,
    /// since DrawPosition counts tiles in all passes.
    uint64_t most_pixels_of_tile() const;

    /// Returns true, after mapping their memory, if the tiles from `first` to the end of their
    /// pass should be drawn on several threads. `budget` is the remaining work, in
    /// memcpy-equivalent bytes.
    [[nodiscard]] bool takes(const Tiles& tiles, uint32_t first, uint64_t budget,
                             const PixelMemory& memory);

    struct Outcome {
        uint32_t next = 0; ///< all tiles before this one are done
        DrawResult painted;
    };
    /// Paints until the tiles of the pass are finished, the budget is spent or `interrupt` is set.
    /// Always finishes tiles that it has begun. Requires that takes() returned true.
    Outcome paint(const Tiles& tiles, uint32_t first, uint64_t budget, const PixelMemory& memory,
                  const std::atomic<bool>& interrupt);

private:
    /// Resources of one thread.
    struct Slot {
        MappedView texels, colors, depths;
        ShaderUnit unit;
        TilePainter painter;

        explicit Slot(const ParallelTiles& all)
            : texels(all.texels_), colors(all.colors_), depths(all.depths_),
              painter(all.context_, unit) {}
    };

    uint64_t most_work_of_tile(const TileBins& bins) const;
    uint32_t tiles_at_once(const TileBins& bins) const;

    void paint_some(Slot& slot, const Tiles& tiles, SharedRange& range) const;
    [[nodiscard]] bool map_all(const PixelMemory& memory, uint64_t work);
    [[nodiscard]] bool add_targets(MappingBudget& budget, const PixelMemory& memory);
    [[nodiscard]] bool add_surface(MappingBudget& budget, MappedMemory& mapped, Memory& memory,
                                   const Surface3d& surface, const TsSurface& status);
    [[nodiscard]] bool add_textures(MappingBudget& budget, Memory& memory);

    const DrawContext context_;
    SharedWork shared_;
    std::vector<std::unique_ptr<Slot>> slots_; ///< one per thread
    MappedMemory texels_, colors_, depths_;
};

} // namespace pixmill::vivante
