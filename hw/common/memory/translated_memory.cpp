// SPDX-License-Identifier: GPL-2.0-or-later
#include "translated_memory.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill {

namespace {

/// Spreads page numbers that differ by a power of two over the table, and keeps neighbors together:
/// the numbers of 64 aligned pages become those of 64 aligned slots.
constexpr uint32_t hash(uint32_t number) {
    return number ^ number >> 6 ^ number >> 12;
}

} // namespace

/// Returns the safe page, filled by repeating the bytes at `physical`, or null if there is no
/// memory at `physical`. A master has one safe page, which is read once per slice of work.
std::byte* TranslatedMemory::safe_page(uint64_t physical) {
    constexpr uint32_t size = Translation::safe_bytes;
    if (safe_slice_ != slice_) {
        safe_slice_ = slice_;
        has_safe_ = bus_.read(physical, safe_.data(), size);
        for (uint32_t at = size; at < page; at += size)
            std::memcpy(safe_.data() + at, safe_.data(), size);
    }
    return has_safe_ ? safe_.data() : nullptr;
}

inline TranslatedMemory::Entry& TranslatedMemory::slot_of(uint32_t number, bool write) {
    return entries_[write][hash(number) % entries_[write].size()];
}

/// Returns the translation of the page at `address`. If it is not cached, following pages that
/// belong to the `length` bytes from `address` may be cached, too.
inline const TranslatedMemory::Entry& TranslatedMemory::translate_page(uint32_t address, bool write,
                                                                       uint64_t length) {
    const Entry& entry = slot_of(address / page, write);
    if (entry.tag != tag_of(address / page)) [[unlikely]]
        refill(address, write, length);
    return entry;
}

/// Returns the translation of a page that may never be accessed. If the page cannot be mapped, this
/// is not remembered, because it may change before an access.
const TranslatedMemory::Entry& TranslatedMemory::look_ahead(uint32_t address, bool write,
                                                            uint64_t length) {
    Entry& slot = slot_of(address / page, write);
    const bool known = slot.tag == tag_of(address / page);
    const Entry& entry = translate_page(address, write, length);
    if (!known && entry.mapping != Mapping::host) [[unlikely]]
        slot.tag = 0;
    return entry;
}

void TranslatedMemory::refill(uint32_t address, bool write, uint64_t length) {
    const uint32_t number = address / page, to_end = run_pages - number % run_pages;
    length = std::min<uint64_t>(length, run_pages * page);
    const auto count = uint32_t((address % page + length + page - 1) / page);
    if (count > 1)
        refill_run(number, std::min(count, to_end), write);
    Entry& entry = slot_of(number, write);
    if (entry.tag == tag_of(number))
        return;
    entry = walk(number * page, write);
    entry.tag = tag_of(number);
    cost_ += page_cost;
}

/// Translates up to `count` pages from page `number` on, which all belong to one aligned group of
/// `run_pages`. Stops at a page that cannot be mapped as a whole, without an error, because it may
/// never be accessed. Keeps the translations that the slice of work has used already.
void TranslatedMemory::refill_run(uint32_t number, size_t count, bool write) {
    static_assert(hash(run_pages - 1) == run_pages - 1); // the pages of a run get different slots
    uint64_t physical[run_pages];
    cost_ += count * scan_cost;
    count = space_->translate_pages(bus_, number * page, write, {physical, count});
    for (size_t i = 0; i < count; i++, number++) {
        Entry& entry = slot_of(number, write);
        if (entry.tag == tag_of(number))
            continue;
        uint64_t length = 0;
        std::byte* const host = bus_.map(physical[i], &length, write);
        if (!host || length < page)
            return;
        entry = {.tag = tag_of(number),
                 .host = host,
                 .physical = physical[i],
                 .length = page,
                 .mapping = Mapping::host,
                 .kind = Translation::Kind::memory};
        cost_ += page_cost;
    }
}

TranslatedMemory::Entry TranslatedMemory::walk(uint32_t address, bool write) {
    const Translation t = space_->translate(bus_, address, write);
    Entry entry;
    entry.kind = t.kind;
    entry.fault = t.fault;
    entry.table_error = t.table_error;
    entry.physical = t.physical;
    entry.length = page;
    errors_.reserved_entry |= t.reserved_entry;
    switch (t.kind) {
    case Translation::Kind::memory: {
        uint64_t length = 0;
        entry.host = bus_.map(t.physical, &length, write);
        entry.mapping = entry.host ? Mapping::host : Mapping::hole;
        entry.length = uint32_t(std::min<uint64_t>({length, t.length, most}));
        break;
    }
    case Translation::Kind::safe:
        entry.host = write ? nullptr : safe_page(t.physical);
        entry.mapping = entry.host ? Mapping::host : Mapping::hole;
        break;
    case Translation::Kind::bus_error:
        entry.mapping = Mapping::hole;
        break;
    case Translation::Kind::fault:
        break;
    }
    return entry;
}

/// Returns a span for an address that has no memory, and records the error.
HostSpan TranslatedMemory::no_memory(const Entry& entry, uint32_t address, uint64_t length,
                                     bool write) {
    HostSpan span;
    span.mapping = entry.mapping;
    span.length = std::min<uint64_t>(length, page - address % page);
    if (entry.kind == Translation::Kind::bus_error)
        errors_.note(entry.physical, false);
    else if (entry.kind == Translation::Kind::memory)
        errors_.note(entry.physical + address % page, write);
    else if (entry.kind == Translation::Kind::safe && !write) // writes to the safe page are dropped
        errors_.note(entry.physical + address % Translation::safe_bytes, false);
    if (entry.mapping != Mapping::fault)
        return span;
    if (entry.table_error)
        errors_.note(entry.physical, false);
    errors_.note_fault(address, entry.fault);
    return span;
}

/// Returns the span that contains `address`, grown as far as possible towards `address` + `length`.
/// Returns null if `address` cannot be mapped.
const TranslatedMemory::Span* TranslatedMemory::span_at(uint32_t address, uint64_t length,
                                                        bool write) {
    Span& s = spans_[write];
    if (s.slice != slice_ || address - s.begin >= s.length) {
        const Entry& first = translate_page(address, write, length);
        const uint32_t offset = address % page;
        if (first.mapping != Mapping::host || offset >= first.length)
            return nullptr;
        const bool grows = first.kind == Translation::Kind::memory && first.length == page;
        s = {slice_, address - offset, grows, first.length, first.physical, first.host, nullptr};
    }
    const uint64_t wanted = address - s.begin + length;
    while (s.grows && s.length < wanted)
        grow(s, write, wanted - s.length);
    return &s;
}

/// Appends the next page; `length` more bytes are wanted. If that page cannot be mapped, the span
/// ends before it without an error, because its bytes may never be accessed.
void TranslatedMemory::grow(Span& s, bool write, uint64_t length) {
    const Entry& next = look_ahead(uint32_t(s.begin + s.length), write, length);
    const bool host = next.mapping == Mapping::host && next.kind == Translation::Kind::memory;
    if (host && next.host == s.host + s.length && next.physical == s.physical + s.length) {
        s.length += next.length;
        s.grows = next.length == page;
    } else {
        s.grows = false;
        s.next = host ? next.host : nullptr;
    }
}

/// Counts an access of `length` bytes. Returns its result if an error is injected.
std::optional<HostSpan> TranslatedMemory::injected(uint32_t address, uint64_t length, bool write) {
    if (injected_->count(AccessFaults::fault)) {
        errors_.note_fault(address, injected_fault_);
        return HostSpan{};
    }
    if (!injected_->count(AccessFaults::bus_error))
        return {};
    errors_.note(address, write);
    return HostSpan{Mapping::hole, 0, nullptr, std::min<uint64_t>(length, page - address % page)};
}

HostSpan TranslatedMemory::map(uint64_t at, uint64_t length, Access access) {
    const bool write = access == Access::write;
    const auto address = uint32_t(at);
    cost_ += call_cost;
    if (injecting()) [[unlikely]]
        if (const std::optional<HostSpan> error = injected(address, length, write))
            return *error;
    if (const Span* s = span_at(address, length, write)) {
        const uint64_t skip = address - s->begin, left = s->length - skip;
        return {Mapping::host, 0, s->host + skip, std::min(length, left),
                length >= left ? s->next : nullptr};
    }
    const Entry& entry = translate_page(address, write, 1);
    return entry.mapping == Mapping::host ? map_inside(entry, address, length, write)
                                          : no_memory(entry, address, length, write);
}

std::byte* TranslatedMemory::map_contiguous(uint64_t at, uint64_t length, Access access) {
    const auto address = uint32_t(at);
    if (injecting())
        return nullptr;
    // Two pages suffice to recognize most scattered memory; translating more would be wasted.
    const bool write = access == Access::write;
    const Span* s = span_at(address, std::min(length, 2 * uint64_t(page)), write);
    if (s && length > 2 * page && !s->next)
        s = span_at(address, length, write);
    return s && s->length - (address - s->begin) >= length ? s->host + (address - s->begin)
                                                           : nullptr;
}

size_t TranslatedMemory::map_pages(uint64_t at, std::span<std::byte*> hosts, Access access) {
    if (injecting())
        return 0;
    cost_ += call_cost;
    size_t count = 0;
    while (count < hosts.size()) {
        const uint64_t done = count * page, left = hosts.size() * page - done;
        const Entry& entry = look_ahead(uint32_t(at + done), access == Access::write, left);
        if (entry.kind != Translation::Kind::memory || !entry.host || entry.length < page)
            break;
        for (uint64_t skip = 0; skip + page <= entry.length && count < hosts.size(); skip += page)
            hosts[count++] = entry.host + skip;
    }
    return count;
}

/// Maps part of a page that the host cannot map as a whole.
HostSpan TranslatedMemory::map_inside(const Entry& entry, uint32_t address, uint64_t length,
                                      bool write) {
    const uint64_t physical = entry.physical + address % page;
    uint64_t found = 0;
    std::byte* host = bus_.map(physical, &found, write);
    found = std::min({found, length, uint64_t(page - address % page)});
    if (!host)
        errors_.note(physical, write);
    return {host ? Mapping::host : Mapping::hole, 0, host, found};
}

/// Returns the physical range of the first of `length` written bytes at `address`, up to the end of
/// the last span or, in scattered memory, of the page.
inline TranslatedMemory::Piece TranslatedMemory::written_piece(uint32_t address, uint64_t length) {
    const Span& s = spans_[true];
    if (const uint32_t skip = address - s.begin; s.slice == slice_ && skip < s.length)
        return {s.physical + skip, std::min(length, s.length - skip), false};
    const Entry& entry = translate_page(address, true, length);
    const uint32_t skip = address % page;
    return {entry.physical + skip, std::min<uint64_t>(length, std::max(entry.length, page) - skip),
            entry.mapping != Mapping::host};
}

void TranslatedMemory::mark_dirty(uint64_t at, uint64_t length) {
    written_ += length;
    cost_ += call_cost;
    uint64_t start = 0, run = 0; // physical range to mark dirty next
    while (length) {
        const Piece piece = written_piece(uint32_t(at), length);
        if (run && (piece.gone || piece.physical != start + run)) {
            dirty_.mark(start, run);
            run = 0;
        }
        if (!run)
            start = piece.physical;
        run += piece.gone ? 0 : piece.length;
        at += piece.length;
        length -= piece.length;
    }
    if (run)
        dirty_.mark(start, run);
}

/// Translates the address once if all rows are in one span.
void TranslatedMemory::mark_dirty_rows(uint64_t at, uint64_t length, uint32_t stride,
                                       uint32_t rows) {
    const auto address = uint32_t(at);
    const uint64_t all = (rows - 1) * uint64_t(stride) + length;
    const Span* const s = span_at(address, all, true);
    if (!s || s->length - (address - s->begin) < all)
        return Memory::mark_dirty_rows(at, length, stride, rows);
    const uint64_t physical = s->physical + (address - s->begin);
    written_ += rows * length;
    cost_ += rows * call_cost;
    const bool no_page_between = stride < length + page;
    if (no_page_between)
        return dirty_.mark(physical, all);
    for (uint32_t row = 0; row < rows; row++)
        dirty_.mark(physical + uint64_t(row) * stride, length);
}

} // namespace pixmill
