// SPDX-License-Identifier: GPL-2.0-or-later
#include "mapped_memory.hpp"

#include <algorithm>

#include "common/guard.hpp"

namespace pixmill {

namespace {
constexpr uint64_t page = Memory::page_bytes;
}

// ---- MappedMemory ------------------------------------------------------------

void MappedMemory::clear() {
    spans_.clear();
    ranges_.clear();
    pages_.clear();
}

bool MappedMemory::add(Memory& memory, const ByteRange& bytes, Access access) {
    const size_t first = spans_.size(), first_page = pages_.size();
    for (uint64_t at = bytes.begin(), end = bytes.end(); at < end;) {
        const auto append = [&](std::byte* host, uint64_t length) {
            if (spans_.size() > first && spans_.back().host + spans_.back().length == host)
                spans_.back().length += length;
            else
                spans_.push_back({at, length, host, access});
            pages_.push_back(reinterpret_cast<uintptr_t>(host) - at % page);
            at += length;
        };
        std::byte* hosts[Memory::run_pages];
        const size_t whole = at % page ? 0 : std::min((end - at) / page, std::size(hosts));
        const size_t count = whole > 1 ? memory.map_pages(at, {hosts, whole}, access) : 0;
        for (std::byte* const host : std::span(hosts, count))
            append(host, page);
        if (count)
            continue;
        const uint64_t length = std::min(end - at, page - at % page);
        std::byte* const host = memory.map_contiguous(at, length, access);
        if (!host)
            return false;
        append(host, length);
    }
    ranges_.push_back({bytes, first, spans_.size(), first_page});
    return true;
}

bool MappedMemory::add_contiguous(Memory& memory, const ByteRange& bytes, Access access) {
    std::byte* const host = memory.map_contiguous(bytes.begin(), bytes.size(), access);
    if (!host)
        return false;
    ranges_.push_back({bytes, spans_.size(), spans_.size() + 1, no_pages});
    spans_.push_back({bytes.begin(), bytes.size(), host, access});
    return true;
}

const MappedMemory::Span* MappedMemory::find(uint64_t address) const {
    for (const Range& range : ranges_) {
        if (!range.bytes.contains(address))
            continue;
        const auto begin = spans_.begin() + ptrdiff_t(range.first);
        const auto end = spans_.begin() + ptrdiff_t(range.end);
        return &*std::prev(std::upper_bound(
            begin, end, address, [](uint64_t at, const Span& s) { return at < s.address; }));
    }
    return nullptr;
}

const uintptr_t* MappedMemory::pages(const ByteRange& bytes) const {
    for (const Range& range : ranges_)
        if (range.first_page != no_pages && !bytes.empty() && range.bytes.contains(bytes))
            return &pages_[range.first_page + (bytes.begin() / page - range.bytes.begin() / page)];
    return nullptr;
}

bool apart(std::span<const MappedMemory* const> memories) {
    struct Piece {
        uintptr_t begin, end;
        bool written;
    };
    std::vector<Piece> pieces;
    for (const MappedMemory* memory : memories)
        for (const MappedMemory::Span& s : memory->spans()) {
            const auto begin = reinterpret_cast<uintptr_t>(s.host);
            pieces.push_back({begin, begin + s.length, s.access == Access::write});
        }
    std::ranges::sort(pieces, {}, &Piece::begin);
    uintptr_t used = 0, written = 0; // ends of all ranges and of the written ranges so far
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
    const MappedMemory::Span* const s = mapped_.find(address);
    if (!s || (access == Access::write && s->access != Access::write))
        return {Mapping::hole, 0, nullptr, std::min(length, page - address % page)};
    const uint64_t skip = address - s->address;
    return {Mapping::host, 0, s->host + skip, std::min(length, s->length - skip)};
}

std::byte* MappedView::map_contiguous(uint64_t address, uint64_t length, Access access) {
    const HostSpan span = map(address, length, access);
    return span.length == length ? span.host : nullptr;
}

const uintptr_t* MappedView::mapped_pages(uint64_t address, uint64_t length) const {
    const auto bytes = ByteRange::of(address, length);
    return bytes ? mapped_.pages(*bytes) : nullptr;
}

/// Merges adjacent rows.
void MappedView::mark_dirty(uint64_t address, uint64_t length) {
    if (!dirty_.empty() && dirty_.back().rows == 1 &&
        dirty_.back().address + dirty_.back().length == address)
        dirty_.back().length += length;
    else
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
        for (const MappedMemory::Span& s : mapped_.spans())
            if (s.access == Access::write)
                to.mark_dirty(s.address, s.length);
    dirty_.clear();
    all_dirty_ = false;
}

} // namespace pixmill
