// SPDX-License-Identifier: GPL-2.0-or-later
#include "parallel_resolve.hpp"

#include <algorithm>
#include <utility>

#include "common/parallel/shared_range.hpp"
#include "vivante/3d/ts/mapped_surface.hpp"

namespace pixmill::vivante {

namespace {

/// Maximum number of block rows that a thread claims at once (64 pixel rows), and the intended
/// number of parts per thread.
constexpr uint32_t most_rows = 16, parts_of_thread = 4;

} // namespace

bool ParallelResolve::takes(Memory& memory, uint32_t position, uint64_t budget) {
    const Resolve::Blocks blocks = resolve_.blocks_at(position);
    const uint64_t left = blocks.work(position), least = shared_.least();
    if (shared_.threads() < 2 || std::min(left, budget) < least)
        return false;
    if (std::exchange(rectangle_, blocks.rectangle) != blocks.rectangle)
        shared_.begin_slice();
    return shared_.map_once([&] { return map_all(memory, blocks.rectangle, left); });
}

/// Maps all memory of a rectangle. Returns false if any of it cannot be mapped, or if memory that
/// is written overlaps other memory, in which case the order of accesses would matter.
bool ParallelResolve::map_all(Memory& memory, uint32_t rectangle, uint64_t work) {
    const RsSetup& setup = resolve_.setup();
    mapped_.clear();
    while (slots_.size() < shared_.threads())
        slots_.push_back(std::make_unique<Slot>(mapped_));
    for (const auto& slot : slots_)
        slot->resolve.begin(setup);
    MappingBudget budget(work);
    const MappedMemory* const all[] = {&mapped_};
    return budget.add(mapped_, memory, setup.source, setup.status, resolve_.rectangle(rectangle),
                      Access::read) &&
           budget.add(mapped_, memory, setup.destination, {}, resolve_.written_by(rectangle),
                      Access::write) &&
           apart(all);
}

Resolve::Progress ParallelResolve::run(Memory& memory, uint32_t position, uint64_t budget,
                                       const std::atomic<bool>& interrupt) {
    const Resolve::Blocks blocks = resolve_.blocks_at(position);
    const uint64_t work = std::min(budget, blocks.work(position));
    const uint32_t rows = (blocks.end - position) / blocks.columns;
    const uint32_t step =
        std::clamp(rows / (shared_.threads() * parts_of_thread), 1u, most_rows) * blocks.columns;
    SharedRange range(position, blocks.end, step, budget / shared_.threads(), interrupt);
    shared_.run(work, [&](unsigned number) {
        Slot& slot = *slots_[number];
        while (const SharedRange::Chunk chunk = range.take()) {
            slot.progress.add(slot.resolve.run(slot.memory, chunk.first, UINT64_MAX, chunk.end));
            range.has_worked(slot.progress.work);
        }
    });
    Resolve::Progress all;
    for (const auto& slot : slots_) {
        all.add(slot->progress);
        slot->progress = {};
        slot->memory.flush_dirty(memory);
    }
    all.position = range.next();
    all.done = all.position == resolve_.end();
    return all;
}

} // namespace pixmill::vivante
