// Primitives to pixels, in one square of the targets.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "pipeline_setup.hpp"
#include "pixel_plan.hpp"
#include "result.hpp"
#include "shader_unit.hpp"
#include "tile_bins.hpp"
#include "vivante/3d/pe/pe.hpp"
#include "vivante/3d/ra/fragments.hpp"
#include "vivante/3d/ra/ra.hpp"
#include "vivante/3d/render_tile.hpp"
#include "vivante/3d/ts/surface3d.hpp"

namespace pixmill::vivante {

/// What all tiles of a draw are painted with. Nothing of it changes meanwhile.
struct Painting {
    const PipelineSetup& setup;
    const PixelPlan& plan;
    const PixelEngine& pe;
};

/// The ports of the memory controller that pixels use.
struct PixelMemory {
    Memory& texels;
    Memory& colors;
    Memory& depths;

    uint64_t cost() const { return texels.cost() + colors.cost() + depths.cost(); }
};

/// Primitives, and which of them tiles have to look at.
struct Tiles {
    std::span<const Primitive> primitives;
    const TileBins& bins;
};

/// How far a painter may go.
struct PaintLimit {
    uint64_t work = UINT64_MAX;
    const std::atomic<bool>* interrupt = nullptr; ///< set: stop
};

/// Paints tile by tile, on one thread. Large: some 180 KiB.
///
/// The quads of a tile's primitives become batches of 64 pixels: a block of 8 x 8 pixels that a
/// primitive covers is one, and what else there is of quads is collected. Which batches there are,
/// and in what order, depends on nothing but the primitives.
class TilePainter {
public:
    /// `unit` outlives it, and is bound when a slice begins.
    TilePainter(const Painting& painting, ShaderUnit& unit);

    /// A slice of work begins, or ends: then memory has all that was painted.
    void begin(const PixelMemory& memory);
    void end();

    /// Tiles that are painted at once, at most: those of a row that one color fills.
    static constexpr uint32_t most_tiles = 16;

    /// Paints tile `first` from batch `batch` on, which is counted up, until all are done, or the
    /// limit is reached, or something has gone wrong. With it others before `end` where that is
    /// quicker. How many are done.
    uint32_t paint(const Tiles& tiles, uint32_t first, uint32_t end, uint32_t& batch,
                   const PaintLimit& limit);

    /// Since begin(), or this was asked last.
    DrawResult take();
    /// Of that, so far.
    uint64_t work() const { return painted_.work; }
    /// Interrupts have been looked at.
    void looked();
    /// Others have used memory, and looked at interrupts.
    void note_memory();

private:
    struct Batch {
        const Primitive* block = nullptr; ///< null: quads
        int32_t x = 0, y = 0;             ///< of the block
        uint32_t first = 0, count = 0;    ///< quads
    };

    /// A tile in work.
    struct Call {
        render::Rect square; ///< the tile, in pixels
        uint32_t x, y;       ///< its number
        uint32_t& position;  ///< the first batch that is not done
        const PaintLimit& limit;
        uint32_t number = 0; ///< of the batch that is next
    };

    // Batches.
    size_t find_batches(std::span<const Primitive> primitives, std::span<const uint16_t> list,
                        size_t first, const render::Rect& square);
    void add_primitive(const Primitive& primitive, const render::Rect& square,
                       const render::Rect& seen);
    void add_whole_block(const Primitive& primitive, int32_t x, int32_t y,
                         const render::Rect& square);
    void add_block(const Primitive& primitive, int32_t x, int32_t y, const render::Rect& square,
                   bool covered);
    void add_quad(const QuadRef& quad, const render::Rect& square);
    void close_batch();
    template<class Work>
    void each_row(const render::Rect& square, int32_t x, int32_t y, int32_t side,
                  const Work& work) const;
    void mark(TileMask& mask, const render::Rect& square, int32_t x, int32_t y, int32_t side) const;

    // Pixels.
    bool paint_tile(const Tiles& tiles, uint32_t number, uint32_t& batch, const PaintLimit& limit);
    [[nodiscard]] bool draw_batches(Call& call);
    TileMask known(const Call& call, size_t done) const;
    void load(const Call& call, bool knows_less);
    void store(const Call& call, const TileMask& tiles);
    bool shade(const Batch& batch, Call& call);
    render::Rect square(const TileBins::Place& place) const;
    uint32_t fill_tiles(const Tiles& tiles, uint32_t first, uint32_t end, const PaintLimit& limit);
    void fill_block(const Batch& batch, const render::Rect& square);
    [[nodiscard]] bool find_constants();
    void place(const Batch& batch, const render::Rect& square);
    void interpolate_batch(const Batch& batch, PixelInputs& inputs);
    struct Shaded {
        LaneMask killed = 0;
        uint64_t executed = 0, texels = 0; ///< instructions; requests of covered pixels
        uint64_t work = 0;                 ///< but for memory
        uint64_t looked = 0; ///< of all, what somebody has looked at interrupts behind
    };
    [[nodiscard]] bool run_shader(LaneMask live, LaneMask covered, const PaintLimit& limit,
                                  Shaded& shaded);
    LaneMask any_lane(const std::array<LaneMask, most_samples>& samples) const;
    LaneMask covered_pixels() const;
    void count(const Batch& batch, LaneMask covered, bool seen, const Shaded& shaded,
               const PixelEngine::Drawn& before);
    void count_fill(uint64_t pixels, uint64_t quads);
    void take_outputs();
    void look_for_faults();
    bool spend(uint64_t work, const PaintLimit& limit);
    template<class Work>
    void each_target(const Work& work);

    const Painting painting_;
    std::optional<PixelMemory> memory_;
    std::array<std::optional<RenderSurface>, most_targets> colors_;
    std::optional<RenderSurface> depths_;

    ShaderUnit& unit_;
    RenderTile tile_;
    Fragments fragments_;
    bool constants_known_ = false;
    std::array<uint32_t, most_targets> constant_{};
    uint64_t constant_instructions_ = 0; ///< that make them
    uint32_t most_filled_ = most_tiles;  ///< at once: one where memory lies in pieces

    // The batches of a tile, or of a part of its primitives.
    std::vector<QuadRef> quads_;
    std::vector<Batch> batches_;
    uint32_t open_first_ = 0;  ///< quads from here on are no batch yet
    uint64_t open_blocks_ = 0; ///< blocks of the tile that they lie in, a bit each
    uint32_t stamp_ = 0;
    std::array<uint32_t, 32 * 32> stamps_{}; ///< by place: equal to stamp_ if it is among them
    TileMask touched_{}, replaced_{}; ///< tiles of 4 x 4 samples; those whose first batch has all

    PixelEngine::Drawn drawn_;
    DrawResult painted_;
    uint64_t memory_before_ = 0;
    uint64_t looked_ = 0; ///< painted_.work, the last time that interrupts were looked at
};

} // namespace pixmill::vivante
