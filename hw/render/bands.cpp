// SPDX-License-Identifier: GPL-2.0-or-later
#include "bands.hpp"

#include <algorithm>

#include "common/guard.hpp"

namespace pixmill::render {

namespace {

/// Bands for each thread: one that comes late, or is slow, costs little.
constexpr uint32_t bands_per_thread = 4;

/// Bytes from a surface's first to its last, for each unit of work, that are looked up at most:
/// wide gaps between rows are not worth it.
constexpr uint64_t sparse = 8;
/// And in any case.
constexpr uint64_t longest_window = 64 << 20;

BandConfig checked(BandConfig config) {
    config.threads = std::max(config.threads, 1u);
    config.share = std::max<uint64_t>(config.share, 1);
    return config;
}

} // namespace

// ---- Windows -----------------------------------------------------------------

bool Bands::Window::meets(const Window& other) const {
    const auto a = reinterpret_cast<uintptr_t>(host), b = reinterpret_cast<uintptr_t>(other.host);
    return a < b + other.length && b < a + length;
}

void Bands::WindowMemory::open(std::span<const Window> windows) {
    windows_ = windows;
    written_.clear();
    all_written_ = false;
}

HostSpan Bands::WindowMemory::map(uint64_t address, uint64_t length, Access access) {
    for (const Window& window : windows_) {
        const uint64_t offset = address - window.address;
        const bool allowed = access == Access::read || window.access == Access::write;
        if (offset < window.length && allowed)
            return {Mapping::host, 0, window.host + offset,
                    std::min(length, window.length - offset)};
    }
    return {}; // no surface reaches beyond what it told
}

void Bands::WindowMemory::mark_dirty(uint64_t address, uint64_t length) {
    if (!written_.empty() && written_.back().address + written_.back().length == address)
        written_.back().length += length;
    else
        all_written_ |= !guarded(false, [&] {
            written_.push_back({address, length});
            return true;
        });
}

std::byte* Bands::WindowMemory::map_contiguous(uint64_t address, uint64_t length, Access access) {
    const HostSpan span = map(address, length, access);
    return span.length == length ? span.host : nullptr;
}

void Bands::WindowMemory::flush_dirty(Memory& to) const {
    for (const Range& range : written_)
        to.mark_dirty(range.address, range.length);
    for (const Window& window : windows_)
        if (all_written_ && window.access == Access::write)
            to.mark_dirty(window.address, window.length);
}

bool Bands::add_window(Memory& memory, const Surface& surface, Access access) {
    Window window{surface.begin(), surface.end() - surface.begin(), nullptr, access};
    if (window.length > std::min(sparse * work_, longest_window) ||
        (access == Access::write && !surface.rows_apart()))
        return false;
    window.host = memory.map_contiguous(window.address, window.length, access);
    if (!window.host)
        return false;
    // By host addresses: different pages of the guest may be the same memory.
    for (const Window& other : windows_)
        if ((access == Access::write || other.access == Access::write) && window.meets(other))
            return false;
    windows_.push_back(window);
    return true;
}

/// Where all surfaces of part_ are, and what threads draw with. False if not all are in one piece,
/// or if a row may change what belongs to another one.
bool Bands::find_windows(Memory& memory) {
    while (lanes_.size() < threads())
        lanes_.push_back(std::make_unique<Lane>(kernels_));
    Lane& lane = *lanes_[0];
    windows_.clear();
    if (lane.painter.prepare(lane.memory, part_))
        return false;
    work_ = rows_ * lane.painter.row_work();
    bool good = true;
    lane.painter.each_surface([&](const Surface& surface, Access access) {
        good = good && add_window(memory, surface, access);
    });
    return good;
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
    if (!guarded(false, [&] { return find_windows(memory); }))
        return false;
    choose_height();
    for (const auto& lane : lanes_)
        lane->memory.open(windows_);
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
