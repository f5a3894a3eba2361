// SPDX-License-Identifier: GPL-2.0-or-later
#include "mapped_memory.hpp"

#include <algorithm>

#include "common/guard.hpp"

namespace pixmill::vivante {

namespace {

constexpr uint64_t page = 0x1000, address_space = uint64_t(1) << 32;
/// Bytes of one add(): more is not worth it.
constexpr uint64_t longest = 64 << 20;

} // namespace

void MappedMemory::clear() {
    stretches_.clear();
    ranges_.clear();
}

bool MappedMemory::add(Memory& memory, uint32_t address, uint64_t length, Access access) {
    constexpr ByteRange space = ByteRange::between(0, address_space);
    const auto bytes = ByteRange::of(address, length);
    if (length > longest || !bytes || !space.contains(*bytes))
        return false;
    const uint64_t end = bytes->end();
    const size_t first = stretches_.size();
    for (uint64_t at = address; at < end;) {
        const auto up_to_page = [&](uint64_t from) {
            return std::min(end, (from / page + 1) * page);
        };
        uint64_t behind = up_to_page(at);
        std::byte* const host = memory.map_contiguous(at, behind - at, access);
        if (!host)
            return false;
        while (behind < end && memory.map_contiguous(at, up_to_page(behind) - at, access) == host)
            behind = up_to_page(behind);
        stretches_.push_back({at, behind - at, host, access});
        at = behind;
    }
    ranges_.push_back({*bytes, first, stretches_.size()});
    return true;
}

const MappedMemory::Stretch* MappedMemory::find(uint64_t address) const {
    for (const Range& range : ranges_) {
        if (!range.bytes.contains(address))
            continue;
        const auto begin = stretches_.begin() + ptrdiff_t(range.first);
        const auto behind = stretches_.begin() + ptrdiff_t(range.behind);
        return &*std::prev(std::upper_bound(
            begin, behind, address, [](uint64_t at, const Stretch& s) { return at < s.address; }));
    }
    return nullptr;
}

bool apart(std::span<const MappedMemory* const> memories) {
    struct Piece {
        uintptr_t begin, end;
        bool written;
    };
    std::vector<Piece> pieces;
    for (const MappedMemory* memory : memories)
        for (const MappedMemory::Stretch& s : memory->stretches()) {
            const auto begin = reinterpret_cast<uintptr_t>(s.host);
            pieces.push_back({begin, begin + s.length, s.access == Access::write});
        }
    std::ranges::sort(pieces, {}, &Piece::begin);
    uintptr_t used = 0, written = 0; // up to here
    for (const Piece& piece : pieces) {
        if (piece.begin < (piece.written ? used : written))
            return false;
        used = std::max(used, piece.end);
        if (piece.written)
            written = std::max(written, piece.end);
    }
    return true;
}

// ---- MappedView --------------------------------------------------------------

HostSpan MappedView::map(uint64_t address, uint64_t length, Access access) {
    const auto at = uint32_t(address);
    const MappedMemory::Stretch* const s = mapped_.find(at);
    if (!s || (access == Access::write && s->access != Access::write))
        return {Mapping::hole, 0, nullptr, std::min(length, page - at % page)};
    const uint64_t skip = at - s->address;
    return {Mapping::host, 0, s->host + skip, std::min(length, s->length - skip)};
}

std::byte* MappedView::map_contiguous(uint64_t address, uint64_t length, Access access) {
    const HostSpan run = map(address, length, access);
    return run.length == length ? run.host : nullptr;
}

void MappedView::mark_dirty(uint64_t address, uint64_t length) {
    mark_dirty_rows(address, length, 0, 1);
}

void MappedView::mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                                 uint32_t rows) {
    all_dirty_ |= !guarded(false, [&] {
        dirty_.push_back({address, length, stride, rows});
        return true;
    });
}

void MappedView::flush_dirty(Memory& to) {
    for (const Rows& rows : dirty_)
        if (rows.rows == 1)
            to.mark_dirty(rows.address, rows.length);
        else
            to.mark_dirty_rows(rows.address, rows.length, rows.stride, rows.rows);
    if (all_dirty_)
        for (const MappedMemory::Stretch& s : mapped_.stretches())
            if (s.access == Access::write)
                to.mark_dirty(s.address, s.length);
    dirty_.clear();
    all_dirty_ = false;
}

} // namespace pixmill::vivante
