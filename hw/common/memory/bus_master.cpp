// SPDX-License-Identifier: GPL-2.0-or-later
#include "bus_master.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill {

namespace {
constexpr ByteRange space = ByteRange::up_to(0, uint64_t(1) << 32);
constexpr uint64_t page = 0x1000;
/// What the host takes to look for memory, in bytes that are copied meanwhile.
constexpr uint64_t ask_cost = 2048;
} // namespace

/// What is at `address`, whether or not it will be accessed.
HostSpan BusMaster::look_up(uint64_t address, uint64_t length, bool write) {
    if (!space.contains(address))
        return {Mapping::hole, 0, nullptr, length};
    uint64_t found = 0;
    const uint64_t asked = bus_.asked();
    std::byte* const host = bus_.map(address, &found, write);
    cost_ += (bus_.asked() - asked) * ask_cost;
    return {host ? Mapping::host : Mapping::hole, 0, host,
            std::min({length, found, space.from(address).size()})};
}

HostSpan BusMaster::map(uint64_t address, uint64_t length, Access access) {
    const bool write = access == Access::write;
    HostSpan span;
    if (fail_next_.load(std::memory_order_relaxed) && fail_next_.exchange(false))
        span = {Mapping::hole, 0, nullptr, std::min(length, page - address % page)};
    else
        span = look_up(address, length, write);
    if (span.mapping == Mapping::hole)
        note_error(address, write);
    return span;
}

/// Rows are of one run, and what counts is pages: as one piece where none of them is spared.
void BusMaster::mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride, uint32_t rows) {
    if (stride >= length + page)
        return Memory::mark_dirty_rows(address, length, stride, rows);
    mark_dirty(address, uint64_t{rows - 1} * stride + length);
}

std::byte* BusMaster::map_contiguous(uint64_t address, uint64_t length, Access access) {
    if (fail_next_.load(std::memory_order_relaxed))
        return nullptr;
    const HostSpan span = look_up(address, length, access == Access::write);
    return span.mapping == Mapping::host && span.length == length ? span.host : nullptr;
}

bool BusMaster::read(uint64_t address, void* to, uint64_t length) {
    if (!ByteRange::of(address, length)) {
        note_error(address, false);
        return false;
    }
    auto* bytes = static_cast<std::byte*>(to);
    while (length) {
        const HostSpan span = map(address, length, Access::read);
        if (span.mapping != Mapping::host)
            return false;
        std::memcpy(bytes, span.host, span.length);
        bytes += span.length;
        address += span.length;
        length -= span.length;
    }
    return true;
}

void BusMaster::note_error(uint64_t address, bool write) {
    errors_.note(uint32_t(address), write);
}

} // namespace pixmill
