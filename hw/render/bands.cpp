// SPDX-License-Identifier: GPL-2.0-or-later
#include "bands.hpp"

#include <algorithm>

#include "common/guard.hpp"

namespace pixmill::render {

namespace {

/// Bands for each thread: one that comes late, or is slow, costs little.
constexpr uint32_t bands_per_thread = 4;

/// Bytes from a surface's first to its last, for each unit of work, that are mapped at most:
/// wide gaps between rows are not worth it.
constexpr uint64_t sparse = 8;
/// And in any case.
constexpr uint64_t longest = 64 << 20;

BandConfig checked(BandConfig config) {
    config.threads = std::max(config.threads, 1u);
    config.share = std::max<uint64_t>(config.share, 1);
    return config;
}

} // namespace

// ---- Memory ------------------------------------------------------------------

bool Bands::map_surface(Memory& memory, const Surface& surface, Access access) {
    const ByteRange bytes = ByteRange::between(surface.begin(), surface.end());
    if (bytes.size() > std::min(sparse * work_, longest) ||
        (access == Access::write && !surface.rows_apart()))
        return false;
    return mapped_.add_contiguous(memory, bytes, access);
}

/// Maps all surfaces of part_, and makes what threads draw with. False if one is not one span, or
/// if a row may change what belongs to another one.
bool Bands::map_surfaces(Memory& memory) {
    while (lanes_.size() < threads())
        lanes_.push_back(std::make_unique<Lane>(mapped_, kernels_));
    Lane& lane = *lanes_[0];
    mapped_.clear();
    if (lane.painter.prepare(lane.memory, part_))
        return false;
    work_ = rows_ * lane.painter.row_work();
    bool good = true;
    lane.painter.each_surface([&](const Surface& surface, Access access) {
        good = good && map_surface(memory, surface, access);
    });
    const MappedMemory* const all[] = {&mapped_};
    return good && apart(all);
}

// ---- Drawing -----------------------------------------------------------------

Bands::Bands(const Kernels& kernels, const BandConfig& config)
    : kernels_(kernels), config_(checked(config)), pool_(config_.threads - 1, config_.wait) {}

bool Bands::draw(Memory& memory, const Operation& operation, uint32_t first, uint32_t& count) {
    const uint32_t whole = whole_cells(operation, first, count);
    copy_used(part_, operation);
    part_.rect.top += int32_t(first);
    part_.rect.bottom = part_.rect.top + int32_t(whole);
    rows_ = whole;
    if (!guarded(false, [&] { return map_surfaces(memory); }))
        return false;
    choose_height();
    next_ = 0;
    Rows job(*this);
    pool_.run(job, unsigned(std::min<uint64_t>((work_ - 1) / config_.share, threads() - 1)));
    for (const auto& lane : lanes_)
        lane->memory.flush_dirty(memory);
    count = whole;
    return true;
}

/// Bands begin at rows that start a cell of chroma, but for the first.
void Bands::choose_height() {
    const uint32_t joined = lanes_[0]->painter.joined_rows();
    const uint32_t share = rows_ / (threads() * bands_per_thread);
    height_ = std::max(joined, share - share % joined);
    ahead_ = uint32_t(part_.rect.top) % cell_rows(part_);
}

void Bands::work(unsigned number) {
    Lane& lane = *lanes_[number];
    // Thread 0 has prepared the same. Who has no memory to do so leaves the rows to the others.
    if (number && !guarded(false, [&] { return !lane.painter.prepare(lane.memory, part_); }))
        return;
    for (;;) {
        const uint64_t begin = next_.fetch_add(height_, std::memory_order_relaxed);
        if (begin >= uint64_t(rows_) + ahead_)
            return;
        const auto first = uint32_t(std::max<uint64_t>(begin, ahead_) - ahead_);
        const auto end = uint32_t(std::min<uint64_t>(begin + height_ - ahead_, rows_));
        lane.painter.run({first, 0}, end, no_limit);
    }
}

} // namespace pixmill::render
