// SPDX-License-Identifier: GPL-2.0-or-later
#include "parallel_tiles.hpp"

#include <algorithm>
#include <utility>

namespace pixmill::vivante {

using render::Rect;

namespace {

/// Maximum work that a thread claims at once. The thread always finishes it, which delays an
/// interrupt by a millisecond or two. A tile with more work is drawn in several passes.
constexpr uint64_t most_step_work = 8 << 20;

/// Maximum number of tiles of one color that a thread claims at once. More would leave too few
/// steps to share.
constexpr uint32_t most_tiles_of_step = 16;

/// True if no byte of a tile status describes parts of two squares that render tiles draw: all rows
/// of tiles, and their parts in a square, begin where a byte begins. In supertiles, a square has at
/// least half of a supertile, which fills whole bytes.
bool has_own_status(const Surface3d& surface, const TsSurface& status) {
    constexpr uint32_t rows_of_tile = 4;
    const uint32_t described = 8u / status.tile_bits * status.unit; // by a byte
    const uint32_t part = RenderTile::edge * rows_of_tile * surface.bytes;
    if (surface.stride * rows_of_tile % described ||
        (!is_supertiled(surface.layout) && part % described))
        return false;
    const auto starts = [&](uint32_t address) {
        return (address - status.surface) % described == 0;
    };
    return starts(surface.address[0]) && (!is_multi(surface.layout) || starts(surface.address[1]));
}

} // namespace

uint64_t ParallelTiles::most_pixels_of_tile() const {
    const PixelPlan& plan = context_.plan;
    constexpr uint64_t batches_of_tile = RenderTile::edge * RenderTile::edge / lane_count;
    const uint64_t batches = plan.straight ? (most_step_work - plan.tile_work) / plan.most_work : 0;
    const bool fits = batches > batches_of_tile + 1; // one more for the entry in the tile's list
    return fits ? (batches - 1) * lane_count : UINT64_MAX;
}

/// Returns an upper bound on the work of the tile that has the most.
uint64_t ParallelTiles::most_work_of_tile(const TileBins& bins) const {
    return context_.plan.most_work_of(bins.most_pixels()) + context_.plan.tile_work;
}

/// Returns the number of tiles that a thread claims at once. It is more than one only for draws of
/// one color, if the tiles stay within most_step_work even if no pixel is filled.
uint32_t ParallelTiles::tiles_at_once(const TileBins& bins) const {
    uint32_t count = context_.plan.constant ? most_tiles_of_step : 1;
    while (count > 1 && count * most_work_of_tile(bins) > most_step_work)
        count /= 2;
    return count;
}

bool ParallelTiles::takes(const Tiles& tiles, uint32_t first, uint64_t budget,
                          const PixelMemory& memory) {
    const TileBins& bins = tiles.bins;
    const uint64_t least = shared_.least();
    const uint32_t end = bins.end_of_pass(first);
    if (shared_.threads() < 2 || context_.setup.ps.program().traits().loads ||
        !context_.plan.straight || !bins.sorted() || budget < least ||
        end - first <= tiles_at_once(bins))
        return false;
    const uint64_t left = context_.plan.work_of(bins.pixels_between(first, end));
    if (left < least || most_work_of_tile(bins) > most_step_work)
        return false;
    return shared_.map_once([&] { return map_all(memory, left); });
}

// ---- Memory ------------------------------------------------------------------

/// Maps all memory that pixels may access. Returns false if any of it cannot be mapped, or if
/// memory that is written overlaps other memory, in which case the order of accesses would matter.
bool ParallelTiles::map_all(const PixelMemory& memory, uint64_t work) {
    texels_.clear();
    colors_.clear();
    depths_.clear();
    MappingBudget budget(std::max(work, shared_.share()));
    while (slots_.size() < shared_.threads())
        slots_.push_back(std::make_unique<Slot>(*this));
    const MappedMemory* const all[] = {&texels_, &colors_, &depths_};
    return add_targets(budget, memory) && add_textures(budget, memory.texels) && apart(all);
}

bool ParallelTiles::add_targets(MappingBudget& budget, const PixelMemory& memory) {
    const PipelineSetup& setup = context_.setup;
    for (unsigned i = 0; i < setup.pe.color.targets; i++)
        if (setup.draws_color[i] &&
            !add_surface(budget, colors_, memory.colors, setup.color[i], setup.color_status[i]))
            return false;
    return !setup.draws_depth ||
           add_surface(budget, depths_, memory.depths, setup.depth, setup.depth_status);
}

/// Maps the part of a surface inside the scissor, and its tile status. Also returns false if two
/// tiles might share a tile status byte.
bool ParallelTiles::add_surface(MappingBudget& budget, MappedMemory& mapped, Memory& memory,
                                const Surface3d& surface, const TsSurface& status) {
    const PipelineSetup& setup = context_.setup;
    const Rect& scissor = setup.ra.scissor;
    const Box box{uint32_t(scissor.left) << setup.shift_x, uint32_t(scissor.right) << setup.shift_x,
                  uint32_t(scissor.top) << setup.shift_y,
                  uint32_t(scissor.bottom) << setup.shift_y};
    if (status.enabled && !has_own_status(surface, status))
        return false;
    return budget.add(mapped, memory, surface, status, box, Access::write);
}

bool ParallelTiles::add_textures(MappingBudget& budget, Memory& memory) {
    if (context_.setup.ps_bypass)
        return true;
    const uint32_t samplers = context_.setup.ps.program().traits().samplers;
    for (unsigned s = 0; s < sampler_count; s++) {
        if (!(samplers >> s & 1))
            continue;
        te::LevelMemories levels;
        const auto count = te::levels_of(context_.setup.te.sampler[s], levels);
        if (!count)
            return false;
        for (unsigned i = 0; i < *count; i++)
            if (!budget.add(texels_, memory, levels[i].address, levels[i].bytes, Access::read))
                return false;
    }
    return true;
}

// ---- Work --------------------------------------------------------------------

ParallelTiles::Outcome ParallelTiles::paint(const Tiles& tiles, uint32_t first, uint64_t budget,
                                            const PixelMemory& memory,
                                            const std::atomic<bool>& interrupt) {
    const uint32_t end = tiles.bins.end_of_pass(first);
    const uint64_t work =
        std::min(budget, context_.plan.work_of(tiles.bins.pixels_between(first, end)));
    SharedRange range(first, end, tiles_at_once(tiles.bins), budget / shared_.threads(), interrupt);
    shared_.run(work, [&](unsigned number) { paint_some(*slots_[number], tiles, range); });
    Outcome outcome{range.next(), {}};
    outcome.painted.shared_tiles = outcome.next - first;
    for (const auto& slot : slots_) {
        outcome.painted += slot->painter.take();
        slot->texels.flush_dirty(memory.texels);
        slot->colors.flush_dirty(memory.colors);
        slot->depths.flush_dirty(memory.depths);
    }
    return outcome;
}

void ParallelTiles::paint_some(Slot& slot, const Tiles& tiles, SharedRange& range) const {
    slot.unit.begin(context_.setup, slot.texels);
    slot.painter.begin({slot.texels, slot.colors, slot.depths});
    while (const SharedRange::Chunk chunk = range.take()) {
        uint32_t batch = 0, done = 0;
        for (uint32_t tile = chunk.first; tile < chunk.end; tile += std::max(done, 1u), batch = 0)
            done = slot.painter.paint(tiles, tile, chunk.end, batch, {});
        slot.painter.note_check(); // SharedRange is about to check for interrupts
        range.has_worked(slot.painter.work());
    }
    slot.painter.end();
}

} // namespace pixmill::vivante
