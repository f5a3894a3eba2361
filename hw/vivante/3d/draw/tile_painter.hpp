// Draws primitives in one tile of the targets.
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
#include "vivante/3d/ra/tile_coverage.hpp"
#include "vivante/3d/render_tile.hpp"
#include "vivante/3d/ts/surface3d.hpp"

namespace pixmill::vivante {

/// Shared by all tiles of a draw. Constant while tiles are painted.
struct DrawContext {
    const PipelineSetup& setup;
    const PixelPlan& plan;
    const PixelEngine& pe;
};

/// The memory controller ports that pixels use.
struct PixelMemory {
    Memory& texels;
    Memory& colors;
    Memory& depths;

    uint64_t cost() const { return texels.cost() + colors.cost() + depths.cost(); }
};

/// Primitives, sorted by tile.
struct Tiles {
    std::span<const Primitive* const> primitives;
    const TileBins& bins;
};

/// Limits of paint().
struct PaintLimit {
    uint64_t work = UINT64_MAX;
    const std::atomic<bool>* interrupt = nullptr; ///< painting stops when it is set
};

/// Paints tiles on one thread. Large: about 180 KiB.
///
/// A tile is drawn in batches of 64 pixels. An 8x8 block that a primitive covers forms a batch; all
/// other quads are collected until a batch is full. Batches and their order depend only on the
/// primitives. Batches are drawn in runs, after which pixels are counted.
class TilePainter {
public:
    /// `unit` must outlive the painter. Its owner must call unit.begin() when a slice begins.
    TilePainter(const DrawContext& context, ShaderUnit& unit);

    /// Begin and end a slice of work. After end(), all painted pixels are in memory.
    void begin(const PixelMemory& memory);
    void end();

    /// Maximum number of tiles that a call of paint() can finish. They are a part of a row or whole
    /// rows, filled with one color.
    static constexpr uint32_t most_tiles = 64;

    /// Paints tile `first`, starting at batch `batch`, and advances `batch`, until the tile is
    /// finished, the limit is reached or an error occurs. If that is faster, also paints tiles
    /// after it, but none from `end` onwards. Returns the number of tiles finished.
    uint32_t paint(const Tiles& tiles, uint32_t first, uint32_t end, uint32_t& batch,
                   const PaintLimit& limit);

    /// Returns and clears the results since begin() or the last take().
    DrawResult take();
    /// Returns the work since begin() or the last take().
    uint64_t work() const { return painted_.work; }
    /// Call after checking for interrupts.
    void note_check();
    /// Adds the cost of memory accesses by other code, which checks for interrupts itself.
    void note_memory();

private:
    struct Batch {
        const Primitive* block = nullptr; ///< null for a batch of quads
        int32_t x = 0, y = 0;             ///< position of the block
        uint32_t first = 0, count = 0;    ///< range in quads_
    };

    /// A tile that is being painted.
    struct Call {
        render::Rect square; ///< the tile, in pixels
        uint32_t x, y;       ///< position in tiles
        uint32_t& position;  ///< the first batch not drawn yet
        const PaintLimit& limit;
        uint32_t number = 0; ///< number of the next batch
    };

    // Batches.
    size_t find_batches(std::span<const Primitive* const> primitives,
                        std::span<const uint16_t> list, size_t first, const render::Rect& square);
    void add_primitive(const Primitive& primitive, const render::Rect& square,
                       const render::Rect& seen);
    void add_whole_block(const Primitive& primitive, int32_t x, int32_t y,
                         const render::Rect& square);
    void add_whole_tile(const Primitive& primitive, const render::Rect& square);
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
    std::span<const Batch> run_at(size_t first) const;
    TileMask known(const Call& call, size_t done) const;
    void load(const Call& call, bool knows_less);
    void store(const Call& call, const TileMask& tiles);
    /// Counts of drawn batches that have not been added to the results yet.
    struct Tally {
        DrawCounts counts;
        uint64_t samples = 0; ///< that are covered and not killed by the shader
        uint64_t work = 0, checked = 0;
    };
    bool draw_run(std::span<const Batch> run, Call& call);
    template<class Work>
    void each_depth_row(const Batch& batch, const Work& work);
    void save_depths(const Batch& batch);
    void restore_depths(const Batch& batch);
    [[nodiscard]] bool draw_batch(const Batch& batch, const Call& call, Tally& tally);
    render::Rect square(const TileBins::Place& place) const;
    /// Tiles to fill: a part of a row, or whole rows.
    struct FillArea {
        uint32_t columns = 0, rows = 0;
        Covered covered;
    };
    FillArea find_covered(const Tiles& tiles, uint32_t first, uint32_t end,
                          const PaintLimit& limit) const;
    uint32_t fill_tiles(const Tiles& tiles, uint32_t first, uint32_t end, const PaintLimit& limit);
    void fill_block(const Batch& batch, const render::Rect& square, Tally& tally);
    [[nodiscard]] bool find_constants();
    void place(const Batch& batch, const render::Rect& square);
    void interpolate_quads(const Batch& batch, PixelInputs& inputs) const;
    void interpolate_batch(const Batch& batch, PixelInputs& inputs);
    struct Shaded {
        LaneMask killed = 0;
        uint64_t executed = 0, texels = 0; ///< instructions; requests of covered pixels
        uint64_t work = 0;                 ///< excluding address translation
        uint64_t checked = 0;              ///< work done before the last interrupt check
    };
    [[nodiscard]] bool run_shader(LaneMask live, LaneMask covered, const PaintLimit& limit,
                                  Shaded& shaded);
    LaneMask any_lane(const std::array<LaneMask, most_samples>& samples) const;
    LaneMask covered_pixels() const;
    void add_counts(const Batch& batch, LaneMask covered, bool seen, const Shaded& shaded,
                    Tally& tally);
    void count(const Tally& tally, const PixelEngine::Drawn& before);
    void count_fill(const Covered& covered);
    void take_outputs();
    void check_faults();
    bool spend(uint64_t work, const PaintLimit& limit);
    template<class Work>
    void each_target(const Work& work);

    const DrawContext context_;
    std::optional<PixelMemory> memory_;
    std::array<std::optional<RenderSurface>, most_targets> colors_;
    std::optional<RenderSurface> depths_;

    ShaderUnit& unit_;
    RenderTile tile_;
    Fragments fragments_;
    /// The planes of a primitive of the tile, if the inputs of its blocks are planes.
    BlockPlanes planes_;
    const Primitive* planes_of_ = nullptr;
    bool are_planes_ = false;
    bool constants_known_ = false;
    std::array<uint32_t, most_targets> constant_{};
    uint64_t constant_instructions_ = 0; ///< executed to compute constant_
    uint32_t most_filled_ = most_tiles;  ///< tiles to fill at once; fewer if memory is scattered

    // The batches of a tile, or those of some of its primitives.
    std::vector<QuadRef> quads_;
    std::vector<Batch> batches_;
    uint32_t open_first_ = 0;  ///< index of the first quad in the open batch
    uint64_t open_blocks_ = 0; ///< bit mask of the blocks that have quads in the open batch
    uint32_t stamp_ = 0;
    std::array<uint32_t, 32 * 32> stamps_{}; ///< equal to stamp_ for quads in the open batch
    /// The 4x4 tiles that are drawn to, and those of them first drawn by a covered block.
    TileMask touched_{}, replaced_{};

    PixelEngine::Drawn drawn_;
    /// The samples of a batch in the depth plane before its test, if an interrupt may cut the
    /// batch.
    std::array<uint32_t, size_t(lane_count) * most_samples> depths_before_{};
    DrawResult painted_;
    uint64_t memory_before_ = 0;
    uint64_t checked_ = 0; ///< painted_.work at the last interrupt check
};

} // namespace pixmill::vivante
