// SPDX-License-Identifier: GPL-2.0-or-later
#include "bands.hpp"

#include <algorithm>

#include "common/guard.hpp"

namespace pixmill::render {

namespace {

/// Number of bands per thread. With several bands, a slow or late thread delays a draw less.
constexpr uint32_t bands_per_thread = 4;

/// Maximum number of bytes to map per unit of work. Mapping wide gaps between rows is not
/// worthwhile.
constexpr uint64_t sparse = 8;
/// Absolute limit on the number of bytes to map.
constexpr uint64_t longest = 64 << 20;

} // namespace

// ---- Memory ------------------------------------------------------------------

bool Bands::map_surface(Memory& memory, const Surface& surface, Access access) {
    const ByteRange bytes = ByteRange::between(surface.begin(), surface.end());
    if (bytes.size() > std::min(sparse * work_, longest) ||
        (access == Access::write && !surface.rows_apart()))
        return false;
    return mapped_.add_contiguous(memory, bytes, access);
}

/// Maps all surfaces of part_ and creates the slots. Returns false if a surface is not a single
/// span, or if a row may overwrite data of another row.
bool Bands::map_surfaces(Memory& memory) {
    while (slots_.size() < threads())
        slots_.push_back(std::make_unique<Slot>(mapped_, kernels_));
    Slot& slot = *slots_[0];
    mapped_.clear();
    if (slot.painter.prepare(slot.memory, part_))
        return false;
    work_ = rows_ * slot.painter.row_work();
    bool good = true;
    slot.painter.each_surface([&](const Surface& surface, Access access) {
        good = good && map_surface(memory, surface, access);
    });
    const MappedMemory* const all[] = {&mapped_};
    return good && apart(all);
}

// ---- Drawing -----------------------------------------------------------------

Bands::Bands(const Kernels& kernels, const BandConfig& config)
    : kernels_(kernels), pool_(std::max(config.threads, 1u) - 1, config.wait),
      shared_(pool_, std::max<uint64_t>(config.share, 1)) {}

bool Bands::draw(Memory& memory, const Operation& operation, uint32_t first, uint32_t& count) {
    const uint32_t whole = whole_cells(operation, first, count);
    copy_used(part_, operation);
    part_.rect.top += int32_t(first);
    part_.rect.bottom = part_.rect.top + int32_t(whole);
    rows_ = whole;
    if (!guarded(false, [&] { return map_surfaces(memory); }))
        return false;
    choose_height();
    const std::atomic<bool> never = false;
    SharedRange range(0, rows_ + ahead_, height_, UINT64_MAX, never);
    shared_.run(work_, [&](unsigned number) { draw_some(number, range); });
    for (const auto& slot : slots_)
        slot->memory.flush_dirty(memory);
    count = whole;
    return true;
}

/// Chooses the height so that every band except the first begins at a row that starts a chroma
/// cell.
void Bands::choose_height() {
    const uint32_t joined = slots_[0]->painter.joined_rows();
    const uint32_t share = rows_ / (threads() * bands_per_thread);
    height_ = std::max(joined, share - share % joined);
    ahead_ = uint32_t(part_.rect.top) % cell_rows(part_);
}

void Bands::draw_some(unsigned number, SharedRange& range) {
    Slot& slot = *slots_[number];
    // Thread 0 is prepared already. A thread that runs out of memory leaves its rows to the others.
    if (number && !guarded(false, [&] { return !slot.painter.prepare(slot.memory, part_); }))
        return;
    while (const SharedRange::Chunk chunk = range.take())
        slot.painter.run({std::max(chunk.first, ahead_) - ahead_, 0}, chunk.end - ahead_, no_limit);
}

} // namespace pixmill::render
